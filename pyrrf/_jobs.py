"""How many threads a call may use."""

from __future__ import annotations

import os
from typing import Any

from pyrrf._checks import count


def resolve_jobs(n_jobs: Any) -> int:
    """Return the number of threads that `n_jobs` asks for: None is 1, -1 all cores of this process.

    Raises
    ------
    TypeError
        It is no number.
    ValueError
        It is neither -1 nor a whole number of at least 1.
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, int) and n_jobs == -1:
        return len(os.sched_getaffinity(0))
    return count(n_jobs, "n_jobs")
