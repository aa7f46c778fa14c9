"""What a grower tells of a tree beside its nodes, on data with gains known on paper; and growers that share ranks."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from pyrrf._core import Ranks, TreeGrower
from pyrrf._core.criteria import Criterion, Penalty
from pyrrf._core.records import GrownTree
from pyrrf.result.record import equal_parts

# Six rows: the first feature parts them in the middle, the second the last from the others, the third nowhere.
X = np.column_stack([[1.0, 2, 3, 4, 5, 6], [1.0, 1, 1, 1, 1, 2], [7.0] * 6])
CLASSES = np.array([0, 0, 0, 1, 1, 1], np.int32)
NUMBERS = np.array([0.0, 0, 0, 3, 3, 6])
ONCE = np.ones(6, np.int32)
H = math.log2(5) - (3 * math.log2(3) + 2) / 5  # entropy of three and two rows, in bits


def grower(y: np.ndarray = CLASSES, **other: Any) -> TreeGrower:
    nclass = 1 if y.dtype.kind == "f" else 2
    given = {"mtry": 3, "coef_reg": np.ones(3), **other}
    return TreeGrower(X, np.ones(3, np.int32), y, nclass, **given)


def grow(made: TreeGrower, count: np.ndarray = ONCE, used: tuple[int, ...] = (0, 0, 0), **other: Any) -> GrownTree:
    return made.grow(np.array(used, np.int32), count=count, **{"seed": 1, **other})


def gains_of(grown: GrownTree, node: int) -> dict[int, float]:
    """By feature."""
    assert grown.gains is not None
    at = slice(*grown.gains.offset[node : node + 2])
    return dict(zip(grown.gains.feature[at].tolist(), grown.gains.gain[at].tolist(), strict=True))


# ---- gains ---------------------------------------------------------------------------------------

# Gini: the sum of squares over the weight, 3 before a split; 6 after the best one, 13/5 + 1 after the second feature's.
# Numbers: the squared sum over the weight, 24 before; 144/3 and 36/5 + 36 after.
GAINS = {
    "gini": (CLASSES, {}, [3.0, 0.6, 0.0]),
    "gini-gain": (CLASSES, {"penalty": Penalty.GAIN}, [3.0, 0.6, 0.0]),
    "entropy": (CLASSES, {"criterion": Criterion.ENTROPY}, [6.0, 6 - 5 * H, 0.0]),
    "numbers": (NUMBERS, {}, [24.0, 19.2, 0.0]),
}


@pytest.mark.parametrize("case", GAINS)
@pytest.mark.parametrize("flag_reg", [0, 1])
def test_gains_are_those_on_paper(case: str, flag_reg: int) -> None:
    """Those of all candidates, whatever their coefficients and whether they win."""
    y, other, gains = GAINS[case]
    made = grower(y, flag_reg=flag_reg, coef_reg=np.array([0.1, 1.0, 0.0]), **other)
    grown = grow(made, most_gains=3)
    assert gains_of(grown, 0) == pytest.approx(dict(enumerate(gains)), rel=1e-12)
    assert grown.gains is not None
    assert grown.gains.feature[:3].tolist() == [0, 1, 2]


def test_each_node_has_its_candidates() -> None:
    """The second feature wins the root, as the first pays nine tenths; below it the first alone can split."""
    made = grower(penalty=Penalty.GAIN, coef_reg=np.array([0.1, 1.0, 1.0]))
    grown = grow(made, most_gains=3)
    assert grown.tree.split_var.tolist() == [2, 1, 0, 0, 0]
    np.testing.assert_allclose(grown.decrease, [0.6, 0.1 * 2.4, 0, 0, 0], rtol=1e-12)
    assert grown.gains is not None
    assert grown.gains.offset.tolist() == [0, 3, 6, 6, 6, 6]
    assert grown.gains.feature.tolist() == [0, 1, 2, 0, 1, 2]
    np.testing.assert_allclose(grown.gains.gain, [3, 0.6, 0, 2.4, 0, 0], rtol=1e-12)


def test_so_many_gains_of_a_node_are_kept() -> None:
    made = grower(penalty=Penalty.GAIN, coef_reg=np.array([0.1, 1.0, 1.0]))
    grown = grow(made, most_gains=1)
    assert grown.gains is not None
    assert grown.gains.offset.tolist() == [0, 1, 2, 2, 2, 2]
    assert grown.gains.feature.tolist() == [0, 0]


def test_a_tree_that_does_not_split_has_candidates_all_the_same() -> None:
    made = TreeGrower(X[:, 2:], np.ones(1, np.int32), CLASSES, 2, mtry=1, coef_reg=np.ones(1))
    grown = made.grow(np.zeros(1, np.int32), seed=1, count=ONCE, most_gains=5)
    assert gains_of(grown, 0) == {0: 0.0}


def test_a_tree_that_may_not_split_has_no_candidates() -> None:
    grown = grow(grower(max_nodes=1), most_gains=3)
    assert grown.gains is not None
    assert grown.gains.offset.tolist() == [0, 0]
    assert grown.gains.gain.size == 0


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("flag_reg", [0, 1])
def test_reports_change_no_tree(kind: str, flag_reg: int) -> None:
    x, y = many(kind)
    given = {"mtry": 4, "coef_reg": np.full(12, 0.7), "flag_reg": flag_reg}
    made = TreeGrower(x, np.ones(12, np.int32), y, 1 if kind == "numbers" else 2, **given)
    for stream in range(5):
        plain = made.grow(np.zeros(12, np.int32), seed=1, stream=stream)
        wanted = {"leaves": True, "distinct": True, "outside": True, "most_gains": 12}
        told = made.grow(np.zeros(12, np.int32), seed=1, stream=stream, **wanted)
        assert equal_parts(plain.tree, told.tree)
        assert (plain.distinct, plain.leaves, plain.outside, plain.gains) == (None, None, None, None)


# ---- rows ----------------------------------------------------------------------------------------


def test_rows_are_counted_once_and_all_have_a_leaf() -> None:
    """The first row was drawn three times; the second and the last one are not in the bag."""
    grown = grow(grower(), np.array([3, 0, 1, 1, 2, 0], np.int32), distinct=True, leaves=True, outside=True)
    assert grown.outside is not None
    assert grown.outside.tolist() == [[1, 1], [1, 0], [0, 1]]
    assert grown.tree.split_point[0] == 3.5
    assert grown.total.tolist() == [[4, 3], [4, 0], [0, 3]]
    assert grown.distinct is not None
    assert grown.distinct.tolist() == [[2, 2], [2, 0], [0, 2]]
    assert grown.leaves is not None
    assert grown.leaves.tolist() == [2, 2, 2, 3, 3, 3]


def test_rows_of_numbers_are_one_class() -> None:
    grown = grow(grower(NUMBERS, max_nodes=3), np.array([3, 0, 1, 1, 2, 0], np.int32), distinct=True)
    assert grown.distinct is not None
    assert grown.distinct.tolist() == [[4], [2], [2]]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_totals_out_of_the_bag(kind: str, weighted: bool) -> None:
    x, y = many(kind, 300)
    chance = np.random.default_rng(2)
    made = TreeGrower(x, np.ones(12, np.int32), y, 1 if kind == "numbers" else 2, mtry=4, weighted=weighted,
                      coef_reg=np.ones(12))  # fmt: skip
    weight = chance.uniform(0, 2, 300) if weighted else None
    response = chance.standard_normal(300) if kind == "numbers" and weighted else None
    count = np.bincount(chance.integers(300, size=300), minlength=300).astype(np.int32)
    grown = made.grow(
        np.zeros(12, np.int32), seed=1, count=count, row_weight=weight, response=response, leaves=True, outside=True
    )
    weights, target = np.ones(300) if weight is None else weight, y if response is None else response
    assert grown.leaves is not None
    assert grown.outside is not None
    inside = {node: {node} for node in range(grown.tree.left.size)}
    for node in reversed(range(grown.tree.left.size)):
        if grown.tree.left[node]:
            inside[node] |= inside[grown.tree.left[node] - 1] | inside[grown.tree.left[node]]
    for node, nodes in inside.items():
        here = (count == 0) & np.isin(grown.leaves - 1, list(nodes))
        if kind == "numbers":
            wanted = [weights[here].sum(), (weights * target)[here].sum()]
        else:
            wanted = [weights[here & (target == k)].sum() for k in (0, 1)]
        assert np.allclose(grown.outside[node], wanted, rtol=0, atol=1e-12)


def test_rows_without_weight_do_not_count() -> None:
    weight = np.array([1.0, 1, 0, 1, 1, 1])
    grown = grow(grower(weighted=True), row_weight=weight, distinct=True, leaves=True)
    assert grown.distinct is not None
    assert grown.distinct.tolist() == [[2, 3], [2, 0], [0, 3]]
    assert grown.leaves is not None
    assert grown.leaves[2] == 2  # a value of 3 lies half-way between 2 and 4, and goes left


def test_a_number_of_gains_is_checked() -> None:
    with pytest.raises(ValueError, match="most_gains"):
        grow(grower(), most_gains=-1)
    with pytest.raises(TypeError, match="most_gains"):
        grow(grower(), most_gains=1.5)


# ---- growers on shared ranks -----------------------------------------------------------------------


def many(kind: str, n: int = 1500, p: int = 12) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(3)
    x = draw.standard_normal((n, p)).round(2)
    signal = x[:, :4].sum(axis=1) + draw.standard_normal(n)
    return x, signal if kind == "numbers" else (signal > 0).astype(np.int32)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_growers_in_threads_share_ranks(kind: str) -> None:
    """Four threads with a grower each; the trees are those of a grower that is alone and ranks for itself."""
    x, y = many(kind)
    n, p = x.shape
    data = (x, np.ones(p, np.int32), y, 1 if kind == "numbers" else 2)
    ranks = Ranks(*data, parallel=True, sampsize=np.array([n], np.int32))
    given = {"mtry": 3, "coef_reg": np.full(p, 0.9)}

    def work(made: TreeGrower, first: int) -> list[GrownTree]:
        wishes = {"leaves": True, "distinct": True, "most_gains": p, "probability": np.arange(1.0, p + 1)}
        used = np.zeros(p, np.int32)
        return [made.grow(used, seed=5, stream=stream, **wishes) for stream in range(first, first + 12)]

    alone = [work(TreeGrower(*data, **given), 100 * i) for i in range(4)]
    growers = [TreeGrower(*data, ranks=ranks, **given) for _ in range(4)]
    for _ in range(3):
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(work, growers, [100 * i for i in range(4)]))
        pairs = [zip(one, other, strict=True) for one, other in zip(alone, together, strict=True)]
        assert all(equal_parts(a, b) for pair in pairs for a, b in pair)
