"""The parallel engine gives one answer on 1, 2, 4 and 16 threads, on every shape that is measured."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks.shapes import SHAPES, Shape, make_data
from pyrrf import _core

# Trees enough for F to change while others grow, few enough for a test.
TREES = {"a": 200, "b": 8, "c": 24, "d": 10, "e": 4, "f": 2, "g": 20}


def grow(shape: Shape, x: np.ndarray, y: np.ndarray, n_jobs: int, flag_reg: int) -> dict[str, Any]:
    n, p = x.shape
    nclass = 1 if shape.numbers else 2
    return _core.fit_parallel(
        x,
        np.ones(p, np.int32),
        y if shape.numbers else y.astype(np.int32),
        nclass,
        ntree=shape.trees,
        mtry=shape.mtry,
        nodesize=shape.nodesize,
        max_nodes=2 * n + 1,
        replace=True,
        sampsize=np.array([n], np.int32),
        cutoff=np.full(nclass, 1 / nclass),
        flag_reg=flag_reg,
        coef_reg=np.full(p, shape.coef_reg if flag_reg else 1.0),
        used=np.zeros(p, np.int32),
        draw_from_all=shape.numbers,
        seed=1,
        n_jobs=n_jobs,
    )


def assert_same(one: dict[str, Any], other: dict[str, Any]) -> None:
    for part in one.keys() - {"forest", "test", "coef", "regrown", "searched", "repeated"}:
        np.testing.assert_array_equal(one[part], other[part], err_msg=part)
    for part, values in one["forest"].items():
        np.testing.assert_array_equal(values, other["forest"][part], err_msg=part)


@pytest.mark.parametrize("key", SHAPES)
def test_every_number_of_threads_gives_one_answer(key: str) -> None:
    shape = replace(SHAPES[key], trees=TREES[key])
    x, y = make_data(shape)
    x = np.asfortranarray(x)
    for flag_reg in (1, 0):
        one = grow(shape, x, y, 1, flag_reg)
        assert one["regrown"] == 0
        for n_jobs in (2, 4, 16):
            assert_same(one, grow(shape, x, y, n_jobs, flag_reg))
