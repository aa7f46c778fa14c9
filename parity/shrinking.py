"""Seeds of random programs, and failing programs made smaller."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

SEED = int(os.environ.get("PARITY_SEED") or secrets.randbelow(10**6))
"""The seed of this run: PARITY_SEED, or a new one, which `make parity` prints."""


class Shrinks(Protocol):
    """Programs that have smaller versions."""

    def smaller(self: S) -> Iterator[S]:
        """Yield programs with less in them, those that lose most first."""


S = TypeVar("S", bound=Shrinks)


def shrink(program: S, fails: Callable[[S], bool], tries: int = 600) -> S:
    """Return a smaller program that still fails, found in so many tries."""
    while tries > 0:
        for smaller in program.smaller():
            tries -= 1
            if fails(smaller):
                program = smaller
                break
            if tries <= 0:
                return program
        else:
            return program
    return program
