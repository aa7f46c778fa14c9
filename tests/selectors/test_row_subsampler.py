"""Rows in turns: all before any comes again, classes by their share, rare ones in each."""

from __future__ import annotations

import numpy as np

from pyrrf.selectors.growing import TreeData
from pyrrf.selectors.row_subsampler import RowSubsampler


def turns(response: np.ndarray, most: int | None, nclass: int) -> RowSubsampler:
    n = len(response)
    data = TreeData(values=np.zeros((n, 1)), ncat=np.ones(1, np.int32), response=response, nclass=nclass)
    return RowSubsampler(data, most, np.random.default_rng(3))


def test_all_rows_where_there_are_few() -> None:
    assert turns(np.zeros(10), None, 1).next() is None
    assert turns(np.zeros(10), 10, 1).next() is None


def test_numbers_each_row_once() -> None:
    some = turns(np.arange(1000.0), 250, 1)
    parts = [some.next() for _ in range(4)]
    assert all(part is not None and len(part) == 250 and (np.diff(part) > 0).all() for part in parts)
    assert sorted(np.concatenate(parts).tolist()) == list(range(1000))  # type: ignore[arg-type]


def test_classes_by_their_share() -> None:
    y = np.repeat([0, 1, 2], [6000, 3990, 10]).astype(np.int32)
    some = turns(y, 1000, 3)
    for _ in range(25):
        rows = some.next()
        assert rows is not None
        sizes = np.bincount(y[rows])
        assert abs(sizes[0] - 600) <= 1
        assert abs(sizes[1] - 399) <= 1
        assert sizes[2] == 10  # all of a rare class
