"""The spanning tree against all trees there are, and the search that it guides."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from pyrrf.papers.chow_liu.search import forward_evaluations
from pyrrf.papers.chow_liu.tree import ChowLiuTree, guided_search, search_candidates
from pyrrf.selectors import chow_liu_tree


def all_trees(m: int) -> Any:
    """The edges of each spanning tree of m nodes, from its Prufer code."""
    for code in product(range(m), repeat=max(0, m - 2)):
        degrees = [1 + code.count(node) for node in range(m)]
        edges = []
        for node in code:
            leaf = degrees.index(1)
            edges.append((leaf, node))
            degrees[leaf] -= 1
            degrees[node] -= 1
        last = [node for node in range(m) if degrees[node] == 1]
        yield [*edges, tuple(last)] if m > 1 else []


def symmetric(values: list[int], m: int) -> np.ndarray:
    weights = np.zeros((m, m))
    weights[np.triu_indices(m, 1)] = values[: m * (m - 1) // 2]
    return weights + weights.T


def test_there_are_as_many_trees_as_cayley_says() -> None:
    for m in range(2, 7):
        assert len({tuple(sorted(tuple(sorted(edge)) for edge in tree)) for tree in all_trees(m)}) == m ** (m - 2)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.lists(st.integers(0, 4), min_size=15, max_size=15), st.integers(0, 5))
def test_no_tree_weighs_more(m: int, values: list[int], root: int) -> None:
    weights = symmetric(values, m)
    tree = chow_liu_tree(weights, root % m)
    best = max(sum(weights[edge] for edge in edges) for edges in all_trees(m))
    assert tree.weights.sum() == best
    assert (tree.depths() >= 0).all(), "every node is reached"
    others = np.arange(m) != root % m
    assert (tree.weights[others] == weights[np.arange(m), tree.parents][others]).all()


def test_weight_is_that_of_scipy() -> None:
    weights = np.random.default_rng(5).random((40, 40))
    weights = (weights + weights.T) / 2
    theirs = 2 * 39 + minimum_spanning_tree(np.triu(-2 - weights, 1)).sum()
    assert chow_liu_tree(weights).weights.sum() == pytest.approx(-theirs, abs=1e-12)


def test_ties_by_hand() -> None:
    # Nothing shared: all hang from the label. All equal, too: the node that came first, the lowest number first.
    for weight in (0.0, 1.0):
        tree = chow_liu_tree(np.full((4, 4), weight))
        assert tree.parents.tolist() == [3, 3, 3, -1]
    tree = chow_liu_tree(symmetric([2, 1, 2, 2, 1, 2], 4), root=0)
    assert tree.parents.tolist() == [-1, 0, 1, 0]
    assert tree.weights.tolist() == [0, 2, 2, 2]


def test_children_and_depths_by_hand() -> None:
    tree = ChowLiuTree(root=2, parents=np.array([2, 0, -1, 0, 1]), weights=np.ones(5))
    assert tree.children(2).tolist() == [0]
    assert tree.children([2, 1]).tolist() == [0, 4]
    assert tree.depths().tolist() == [1, 2, 0, 2, 3]


@pytest.mark.parametrize(
    ("weights", "root", "message"),
    [
        ([[0, 1, 2]], 0, "a square matrix"),
        ([[0, np.nan], [np.nan, 0]], 0, "NaN or infinite"),
        ([[0, 1], [2, 0]], 0, "symmetric"),
        ([[0, 1], [1, 0]], 2, "root must be a node from -2 to 1"),
        ([[0, 1], [1, 0]], 0.0, "root must be a node from -2 to 1, not 0.0"),
        ([[0, 1], [1, 0]], True, "root must be a node from -2 to 1, not True"),
    ],
)
def test_wrong_weights(weights: Any, root: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        chow_liu_tree(weights, root)


# ---- the search ----------------------------------------------------------------------------------


def figure_2() -> ChowLiuTree:
    """A tree as in figure 2: the label (5) over f2, f4, f5 (1, 3, 4), and f1 and f3 (0, 2) below f2."""
    return ChowLiuTree(root=5, parents=np.array([1, 5, 1, 5, 5, -1]), weights=np.ones(6))


def test_candidates_are_those_of_figure_2() -> None:
    assert search_candidates(figure_2(), [5]) == [1, 3, 4]
    assert search_candidates(figure_2(), [5, 1]) == [0, 2, 3, 4]
    assert search_candidates(figure_2(), range(6)) == []


def test_search_by_hand() -> None:
    # f2 is worth .3 and f4 .2; f1 is worth .1 beside f2; f5 and f3 nothing.
    worth = {0: 0.1, 1: 0.3, 2: 0.0, 3: 0.2, 4: 0.0}
    search = guided_search(figure_2(), lambda subsets: [0.5 - sum(worth[f] for f in s) for s in subsets], 0.5, 0.01)
    assert search.selected == (1, 3, 0)
    assert search.redundant == (4, 2)
    assert [each.candidates for each in search.rounds] == [(1, 3, 4), (0, 2, 3), (0,)]
    assert search.loss == pytest.approx(-0.1)
    # Five features, and f4 and f1, which stayed once each.
    assert search.n_evaluations == 7


def test_a_gain_of_epsilon_is_not_enough() -> None:
    for epsilon, selected in ((0.25, ()), (0.125, (0,))):
        tree = chow_liu_tree(np.ones((2, 2)))
        assert guided_search(tree, lambda subsets: [0.25] * len(subsets), 0.5, epsilon).selected == selected


def test_children_of_redundant_features_are_searched() -> None:
    chain = ChowLiuTree(root=3, parents=np.array([1, 2, 3, -1]), weights=np.ones(4))
    search = guided_search(chain, lambda subsets: [1.0 - (0 in subset) for subset in subsets], 1.0)
    assert search.selected == (0,)
    assert search.redundant == (2, 1)
    # The least there can be: one path.
    assert search.n_evaluations == 3


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(0, 10_000), st.sampled_from([0.0, 0.05, 0.3]))
def test_number_of_evaluations_is_the_paper_s(p: int, seed: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    weights = symmetric(rng.integers(0, 5, 45).tolist(), p + 1)
    table: dict[Any, float] = {}
    tried: list[Any] = []

    def losses(subsets: Any) -> list[float]:
        tried.extend(subsets)
        return [table.setdefault(subset, rng.random()) for subset in subsets]

    search = guided_search(chow_liu_tree(weights), losses, 1.0, epsilon)
    improving = sum(len(each.candidates) - len(each.redundant) for each in search.rounds)
    best = sum(each.best is not None for each in search.rounds)
    assert search.n_evaluations == len(tried) == p + improving - best
    assert len(set(tried)) == len(tried), "no set is tried twice"
    assert p <= search.n_evaluations <= forward_evaluations(p, len(search.selected))
    assert sorted((*search.selected, *search.redundant)) == list(range(p))


def test_all_features_below_the_label_is_forward_search() -> None:
    star = ChowLiuTree(root=4, parents=np.array([4, 4, 4, 4, -1]), weights=np.ones(5))
    search = guided_search(star, lambda subsets: [-float(sum(f + 1 for f in s)) for s in subsets], 0.0)
    assert search.selected == (3, 2, 1, 0)
    assert search.n_evaluations == forward_evaluations(4, 4) == 10
