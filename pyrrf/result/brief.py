"""Short printed forms of records, without all of their numbers."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.result.remedies import Answering

# Longer texts, lists and dicts are shown by their size.
_LONGEST = 40


class Brief(Answering):
    """A dataclass whose printed form names its parts with their shapes.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from pyrrf.result.brief import Brief
    >>> @dataclass(repr=False)
    ... class Answer(Brief):
    ...     values: np.ndarray
    ...     size: int
    >>> Answer(np.zeros((2, 3)), 7)
    <Answer: values float64 (2, 3), size 7>
    """

    def __repr__(self) -> str:
        parts = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        shown = [f"{name} {brief(value)}" for name, value in parts.items() if value is not None]
        return f"<{type(self).__name__}: {', '.join(shown)}>"


def brief(value: Any) -> str:
    """Return a value in a few words."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}"
    if isinstance(value, pd.DataFrame | pd.Series):
        return f"{type(value).__name__} {value.shape}"
    if isinstance(value, list | tuple | dict) and len(repr(value)) > _LONGEST:
        return f"{type(value).__name__} of {len(value)}"
    shown = repr(value)
    return shown if len(shown) <= _LONGEST or shown.startswith("<") else type(value).__name__
