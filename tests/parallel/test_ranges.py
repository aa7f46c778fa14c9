"""An ordinary forest of engine parallel in ranges of trees: together they are the forest, bit for bit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_array

from pyrrf import _core
from pyrrf._core.records import CoreResult, Splits
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData
from pyrrf.fit.ranges import grow_range, mean_decrease, tree_ranges
from pyrrf.random import draw_seed, private_stream
from tests.parallel.problems import data

TREES, PARTS = 31, 4
N, P = 90, 7


def options(kind: str) -> dict[str, Any]:
    x, y = data("numbers" if kind == "numbers" else "classes", n=N, p=P)
    rng = np.random.default_rng(2)
    return {
        "classes": {"x": x, "y": y},
        "numbers": {"x": x, "y": y},
        "weights": {"x": x, "y": y, "sample_weight": rng.uniform(0.5, 2, N), "classwt": [1, 3], "criterion": "entropy"},
        "no replacement": {"x": np.where(rng.random(x.shape) < 0.1, np.nan, x), "y": y, "replace": False},
        "sparse": {"x": csc_array(np.where(x > 0.5, x, 0)), "y": y, "sampsize": 40},
    }[kind]


KINDS = ("classes", "numbers", "weights", "no replacement", "sparse")


def problem(kind: str) -> tuple[SharedData, Call]:
    call = Call(engine="parallel", flagReg=0, ntree=TREES, **options(kind))
    return SharedData.read(call), call


def splits_of(kind: str, parts: int) -> list[Splits]:
    shared, call = problem(kind)
    with private_stream(1):
        seed = draw_seed()
    return [grow_range(shared, call, seed, *part) for part in tree_ranges(TREES, parts)]


@pytest.mark.parametrize("parts", [1, PARTS, TREES])
@pytest.mark.parametrize("kind", KINDS)
def test_ranges_have_the_importances_of_the_forest(kind: str, parts: int) -> None:
    shared, call = problem(kind)
    with private_stream(1):
        expected = shared.fit(call).outcome.importance[:, -1]
    assert np.array_equal(mean_decrease(splits_of(kind, parts), P, TREES), expected)


def test_sums_of_the_ranges_are_rounded_otherwise() -> None:
    ranges = splits_of("numbers", PARTS)
    sums = [np.bincount(part.feature, part.decrease, P) for part in ranges]
    assert not np.array_equal(np.sum(sums, axis=0) / TREES, mean_decrease(ranges, P, TREES))


def test_a_fit_draws_what_a_seed_draws() -> None:
    shared, call = problem("classes")
    with private_stream(1) as stream:
        shared.fit(call)
        after = stream.get_state()
    with private_stream(1) as stream:
        draw_seed()
        assert np.array_equal(stream.get_state()[0], after[0])


def grown(first: int, number: int) -> CoreResult:
    shared, call = problem("classes")
    task = shared.task(replace(call, keep_inbag=True, importance=True))
    growing = replace(task.growing, ntree=number)
    return _core.fit_parallel(task.rows, growing, task.rule, 7, first_tree=first, return_splits=True)


def test_trees_bags_and_permutations_go_by_the_number_of_the_tree() -> None:
    whole, one, other = grown(0, 5), grown(0, 2), grown(2, 3)
    for name in ("left", "split_var", "split_point", "prediction"):
        joined = np.concatenate([getattr(one.trees, name), getattr(other.trees, name)])
        assert np.array_equal(joined, getattr(whole.trees, name))
    assert np.array_equal(np.hstack([one.outcome.inbag, other.outcome.inbag]), whole.outcome.inbag)
    weighted = 2 * one.outcome.importance + 3 * other.outcome.importance
    np.testing.assert_allclose(weighted / 5, whole.outcome.importance, rtol=1e-12)


def test_splits_are_those_of_the_trees() -> None:
    whole = grown(0, 5)
    split = whole.trees.split_var
    assert np.array_equal(whole.splits.feature, split[split > 0] - 1)
    assert (whole.splits.decrease > 0).all()


def test_splits_are_told_if_they_are_asked_for() -> None:
    shared, call = problem("classes")
    task = shared.task(call)
    assert _core.fit_parallel(task.rows, task.growing, task.rule, 7).splits is None


@pytest.mark.parametrize(("ntree", "parts"), [(1, 8), (7, 8), (8, 8), (5000, 12), (10, 3)])
def test_ranges_cover_the_forest(ntree: int, parts: int) -> None:
    ranges = tree_ranges(ntree, parts)
    assert len(ranges) == min(ntree, parts)
    trees = [tree for first, number in ranges for tree in range(first, first + number)]
    assert trees == list(range(ntree))
    assert max(number for _, number in ranges) - min(number for _, number in ranges) <= 1
