"""The parallel engine gives one answer on 1, 2, 4 and 16 threads, on every shape that is measured."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.shapes import SHAPES, Shape, make_data
from pyrrf import _core
from pyrrf._core.records import CoreResult, Growing, ParallelRule, TrainingArrays
from pyrrf.result.record import equal_parts

# Trees enough for F to change while others grow, few enough for a test.
TREES = {"a": 200, "b": 8, "c": 24, "d": 10, "e": 4, "f": 2, "g": 20}


def grow(shape: Shape, x: np.ndarray, y: np.ndarray, n_jobs: int, flag_reg: int) -> CoreResult:
    n, p = x.shape
    nclass = 1 if shape.numbers else 2
    rows = TrainingArrays(
        values=x, ncat=np.ones(p, np.int32), response=y if shape.numbers else y.astype(np.int32), nclass=nclass
    )
    growing = Growing(
        ntree=shape.trees,
        mtry=shape.mtry,
        nodesize=shape.nodesize,
        max_nodes=2 * n + 1,
        sampsize=np.array([n], np.int32),
        cutoff=np.full(nclass, 1 / nclass),
        flag_reg=flag_reg,
        coef_reg=np.full(p, shape.coef_reg if flag_reg else 1.0),
        used=np.zeros(p, np.int32),
    )
    return _core.fit_parallel(rows, growing, ParallelRule(draw_from_all=shape.numbers), 1, n_jobs=n_jobs)


def assert_same(one: CoreResult, other: CoreResult) -> None:
    assert equal_parts(one.outcome, other.outcome)
    assert equal_parts(one.trees, other.trees)


@pytest.mark.parametrize("key", SHAPES)
def test_every_number_of_threads_gives_one_answer(key: str) -> None:
    shape = replace(SHAPES[key], trees=TREES[key])
    x, y = make_data(shape)
    x = np.asfortranarray(x)
    for flag_reg in (1, 0):
        one = grow(shape, x, y, 1, flag_reg)
        assert one.outcome.work.regrown == 0
        for n_jobs in (2, 4, 16):
            assert_same(one, grow(shape, x, y, n_jobs, flag_reg))
