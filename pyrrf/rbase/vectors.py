"""R's numbers: integers of 32 bits, a NaN that is NA, vectors of other lengths taken in turn."""

from __future__ import annotations

from collections.abc import Sized

import numpy as np

from pyrrf.checks import warn

MOST_INTEGER = 2**31 - 1
REAL_NA: float = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
"""R's NA among doubles, a NaN with a mark of its own."""


def whole_or_missing(values: np.ndarray, is_whole: bool) -> np.ndarray:
    """Make whole numbers beyond 32 bits NA, as R does, with a warning; doubles stay."""
    beyond = np.abs(values) > MOST_INTEGER
    if not is_whole or not beyond.any():
        return values
    warn(f"whole numbers beyond {MOST_INTEGER} are NA in R; pass floats to compute with doubles")
    return np.where(beyond, REAL_NA, values)


def recycled_length(*vectors: Sized) -> int:
    """Return the length that R brings vectors to, 0 if one is empty; R warns where a part of one is left over."""
    sizes = [len(vector) for vector in vectors]
    size = max(sizes) if all(sizes) else 0
    if any(size % max(1, each) for each in sizes):
        warn(f"the longer length is not a multiple of the shorter: {sizes}")
    return size
