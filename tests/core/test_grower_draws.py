"""Which features a node draws: by chance, one after the other, and further ones where none splits."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from pyrrf._core import TreeGrower
from pyrrf._core.records import GrownTree

ROWS = 6
Y = np.array([0, 0, 0, 1, 1, 1], np.int32)


def grower(x: np.ndarray, **other: Any) -> TreeGrower:
    """A grower of stumps on six rows, each of them once in the bag."""
    p = x.shape[1]
    return TreeGrower(x, np.ones(p, np.int32), Y, 2, coef_reg=np.ones(p), max_nodes=3, **other)


def root(
    made: TreeGrower, stream: int, used: list[int], probability: list[float] | None = None
) -> tuple[GrownTree, list[int]]:
    """A stump, and the features that it looked at."""
    grown = made.grow(
        np.array(used, np.int32),
        seed=2,
        stream=stream,
        count=np.ones(ROWS, np.int32),
        probability=None if probability is None else np.array(probability),
        most_gains=len(used),
    )
    assert grown.gains is not None
    return grown, sorted(grown.gains.feature[: grown.gains.offset[1]].tolist())


# ---- probabilities -------------------------------------------------------------------------------


def chance_of(drawn: tuple[int, ...], weight: dict[int, float]) -> float:
    """That successive sampling without replacement gives these features, in any order."""
    total = 0.0
    for order in itertools.permutations(drawn):
        left, chance = sum(weight.values()), 1.0
        for feature in order:
            chance *= weight[feature] / left
            left -= weight[feature]
        total += chance
    return total


# Features in F, mtry, probabilities, and the quantile of chi-square, at a level of 0.001, of one degree of freedom less
# than there are sets of features. Of "skewed" and "heavy-member" most draws are in vain, so that the rest comes by
# waiting times.
CASES: dict[str, tuple[list[int], int, list[float], float]] = {
    "one": ([0] * 6, 1, [1.0, 2, 3, 4, 5, 0], 18.47),
    "two": ([0] * 5, 2, [1.0, 2, 3, 4, 5], 27.88),
    "member": ([0, 0, 1, 0, 0], 2, [1.0, 2, 3, 4, 5], 20.52),
    "skewed": ([0] * 5, 3, [60.0, 8, 25, 5, 4], 27.88),
    "heavy-member": ([1, 0, 0, 0, 0], 2, [600.0, 3, 5, 2, 1], 20.52),
}


@pytest.mark.parametrize("case", CASES)
def test_features_are_drawn_by_their_probabilities(case: str) -> None:
    used, mtry, probability, quantile = CASES[case]
    p, trees = len(used), 6000
    made = grower(np.random.default_rng(1).standard_normal((ROWS, p)), mtry=mtry)
    members = {feature for feature in range(p) if used[feature]}
    weight = {f: w for f, w in enumerate(probability) if w > 0 and f not in members}
    seen = dict.fromkeys(itertools.combinations(sorted(weight), mtry), 0)
    for stream in range(trees):
        _, drawn = root(made, stream, used, probability)
        assert members <= set(drawn)
        seen[tuple(f for f in drawn if f not in members)] += 1
    expected = {features: trees * chance_of(features, weight) for features in seen}
    assert min(expected.values()) > 5
    assert math.isclose(sum(expected.values()), trees)
    assert sum((seen[key] - expected[key]) ** 2 / expected[key] for key in seen) < quantile


def test_a_sum_of_probabilities_must_be_finite() -> None:
    made = grower(np.random.default_rng(1).standard_normal((ROWS, 3)), mtry=1)
    with pytest.raises(ValueError, match="probability: the sum"):
        root(made, 0, [0] * 3, [1e308, 1e308, 1.0])
    # The least of all numbers are probabilities like others.
    assert root(made, 0, [0] * 3, [5e-324, 0.0, 0.0])[1] == [0]
    assert {root(made, i, [0] * 3, [5e-324, 5e-324, 0.0])[1][0] for i in range(20)} == {0, 1}


# ---- until one splits ----------------------------------------------------------------------------

P, SPLITS = 30, 17


def constant_but(*features: int) -> np.ndarray:
    x = np.ones((ROWS, P))
    x[:, features] = np.arange(ROWS, dtype=float)[:, None]
    return x


PROBABILITIES = {"equal": None, "unequal": [1.0 + feature for feature in range(P)], "skewed": [1e6] + [1.0] * (P - 1)}


@pytest.mark.parametrize("kind", PROBABILITIES)
def test_a_node_draws_until_a_feature_splits(kind: str) -> None:
    """One feature of thirty does, and the node stops at it."""
    chance = PROBABILITIES[kind]
    made = grower(constant_but(SPLITS), mtry=2, draw_until_split=True)
    usual = grower(constant_but(SPLITS), mtry=2)
    lengths = set()
    for stream in range(40):
        grown, drawn = root(made, stream, [0] * P, chance)
        assert grown.tree.split_var[0] == SPLITS + 1
        lengths.add(len(drawn))
        _, first = root(usual, stream, [0] * P, chance)
        assert len(first) == 2
        assert set(first) <= set(drawn)
        assert len(drawn) == 2 or SPLITS not in first
    assert len(lengths) > 10


@pytest.mark.parametrize("kind", PROBABILITIES)
def test_a_node_that_cannot_be_split_has_tried_all(kind: str) -> None:
    chance = PROBABILITIES[kind]
    made = grower(constant_but(), mtry=1, draw_until_split=True)
    grown, drawn = root(made, 0, [0] * P, chance)
    assert grown.tree.left.tolist() == [0]
    assert drawn == list(range(P))


def test_what_is_forbidden_is_not_tried() -> None:
    made = grower(constant_but(SPLITS), mtry=1, draw_until_split=True)
    allowed = [0.0 if feature == SPLITS or feature % 2 else 1.0 for feature in range(P)]
    grown, drawn = root(made, 0, [0] * P, allowed)
    assert grown.tree.left.tolist() == [0]
    assert drawn == list(range(0, P, 2))


def test_a_member_that_splits_is_enough() -> None:
    made = grower(constant_but(SPLITS), mtry=3, draw_until_split=True)
    used = [int(feature == SPLITS) for feature in range(P)]
    assert {len(root(made, stream, used)[1]) for stream in range(20)} == {4}


def test_rrfs_node_stays_a_leaf() -> None:
    made = grower(constant_but(SPLITS), mtry=1)
    assert {root(made, stream, [0] * P)[0].tree.left.size for stream in range(40)} == {1, 3}
