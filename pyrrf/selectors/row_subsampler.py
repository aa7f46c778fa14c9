"""Subsamples of rows, one per round without repeats, with each class by its share."""

from __future__ import annotations

import numpy as np

from pyrrf.selectors.growing import TreeData
from pyrrf.types import Positions

# Rows of a class, if it has them, that each subsample holds at least; of many classes fewer, but one in any case.
_FEWEST = 20


class RowSubsampler:
    """Draws at most so many rows at a time, each row once before any comes again.

    Parameters
    ----------
    data : TreeData
    most : int or None
        None = all rows each time.
    chance : Generator

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.growing import TreeData
    >>> from pyrrf.selectors.row_subsampler import RowSubsampler
    >>> y = np.repeat([0, 1], [80, 40]).astype(np.int32)
    >>> data = TreeData(values=np.zeros((120, 1)), ncat=np.ones(1, np.int32), response=y, nclass=2)
    >>> subsampler = RowSubsampler(data, 60, np.random.default_rng(1))
    >>> [np.bincount(y[subsampler.next()]).tolist() for _ in range(2)]
    [[40, 20], [40, 20]]
    """

    def __init__(self, data: TreeData, most: int | None, chance: np.random.Generator) -> None:
        n = data.shape[0]
        self.is_active = most is not None and n > most
        if most is None or not self.is_active:
            return
        self._most, self._start = most, 0
        codes = data.response if data.nclass > 1 else np.zeros(n, np.int32)
        shuffled = chance.permutation(n)
        grouped = shuffled[np.argsort(codes[shuffled], kind="stable")]
        sizes = np.bincount(codes, minlength=data.nclass)
        within = np.arange(n) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        # The k-th row of a class of m stands at (k + 1/2) / m, so that any stretch holds each class by its share.
        self._order = grouped[np.argsort((within + 0.5) / np.repeat(sizes, sizes), kind="stable")]
        self._of_class = np.split(grouped, np.cumsum(sizes)[:-1])
        self._codes = codes

    def next(self) -> Positions | None:
        """Return the rows of the next subsample, ascending; None = all rows."""
        if not self.is_active:
            return None
        rows = self._order[(self._start + np.arange(self._most)) % len(self._order)]
        self._start = (self._start + self._most) % len(self._order)
        have = np.bincount(self._codes[rows], minlength=len(self._of_class))
        fewest = max(1, min(_FEWEST, self._most // (2 * len(have))))
        few = [members[:fewest] for members, count in zip(self._of_class, have, strict=True) if count < fewest]
        return np.unique(np.concatenate([rows, *few]))
