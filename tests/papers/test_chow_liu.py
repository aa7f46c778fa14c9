"""Chow-Liu trees against all trees there are; searches by hand and on real data; the paper's counts; the picture."""

from __future__ import annotations

import gzip
import os
import pickle
from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from pyrrf.papers import ChowLiuSelector, ForwardSelector, chow_liu_tree, equal_width_bins, mutual_information
from pyrrf.papers.chow_liu.search import Search, floating_search, forward_search
from pyrrf.papers.chow_liu.tree import ChowLiuTree, guided_search, search_candidates
from tests.refusals import refused


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


def forward_evaluations(p: int, k: int) -> int:
    """Equation 5."""
    return sum(p - i for i in range(k + 1))


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
    ("weights", "root", "argument", "code"),
    [
        ([[0, 1, 2]], 0, "weights", "shape"),
        ([[0, np.nan], [np.nan, 0]], 0, "weights", "missing"),
        ([[0, 1], [2, 0]], 0, "weights", "range"),
        ([[0, 1], [1, 0]], 2, "root", "range"),
        ([[0, 1], [1, 0]], 0.0, "root", "range"),
        ([[0, 1], [1, 0]], True, "root", "range"),
    ],
)
def test_wrong_weights(weights: Any, root: Any, argument: str, code: str) -> None:
    with refused(argument, code):
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


# ---- forward and floating search -----------------------------------------------------------------


def random_losses(p: int, seed: int) -> Callable[[Any], list[float]]:
    """A loss between 0 and 1 for each set of features."""
    rng = np.random.default_rng(seed)
    sets = [each for size in range(p + 1) for each in combinations(range(p), size)]
    table = dict(zip(sets, rng.random(len(sets)).tolist(), strict=True))
    return lambda subsets: [table[subset] for subset in subsets]


def test_forward_by_hand() -> None:
    losses = {(0,): 0.4, (1,): 0.3, (2,): 0.3, (0, 1): 0.25, (1, 2): 0.2, (0, 1, 2): 0.195}
    search = forward_search(3, lambda subsets: [losses[each] for each in subsets], 0.5, 0.01)
    # The first one of equals; a gain of .005 is not enough.
    assert search.selected == (1, 2)
    assert [each.best for each in search.rounds] == [1, 2, None]
    assert search.loss == 0.2
    assert search.n_evaluations == 6


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10_000), st.sampled_from([0.0, 0.1]))
def test_forward_tries_what_equation_5_says(p: int, seed: int, epsilon: float) -> None:
    search = forward_search(p, random_losses(p, seed), 1.0, epsilon)
    assert search.n_evaluations == forward_evaluations(p, len(search.selected))
    found = [each.best_loss for each in search.rounds if each.best is not None]
    assert all(later + epsilon < earlier for earlier, later in zip([1.0, *found], found, strict=False))


@pytest.mark.parametrize(("p", "k", "tried"), [(34, 3, 130), (57, 8, 477), (24, 4, 110), (30, 4, 140), (3, 3, 6)])
def test_evaluations_of_table_1(p: int, k: int, tried: int) -> None:
    assert forward_evaluations(p, k) == tried


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the loss with features \[1\] is NaN"):
        forward_search(2, lambda subsets: [0.0, float("nan")], 1.0)


def test_floating_leaves_out_and_takes_in() -> None:
    # 0 was taken first; 1 and 2 together make it needless, and with it gone 3 is worth something.
    losses = {(0, 1, 2): 0.3, (1, 2): 0.3, (0, 1): 0.4, (0, 2): 0.4, (1, 2, 3): 0.1, (1, 3): 0.5, (2, 3): 0.5}
    start = Search(selected=(0, 1, 2), loss=0.3, redundant=(3,))
    search = floating_search(start, 4, lambda subsets: [losses.get(each, 0.9) for each in subsets])
    assert search.selected == (1, 2, 3)
    assert search.redundant == (0,)
    assert [(each.direction, each.best) for each in search.rounds] == [
        ("backward", 0),
        ("forward", 3),
        ("backward", None),
    ]
    # Three left out, then 3 beside (1, 2), then three left out again.
    assert search.n_evaluations == 3 + 1 + 3


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10_000), st.sampled_from([0.0, 0.1, 0.5]))
def test_floating_never_grows_loss_and_size(p: int, seed: int, epsilon: float) -> None:
    losses = random_losses(p, seed)
    start = forward_search(p, losses, 1.0, epsilon)
    search = floating_search(start, p, losses, epsilon)
    price = start.loss + epsilon * len(start.selected)
    assert search.loss + epsilon * len(search.selected) <= price + 1e-12
    assert not set(search.selected) & set(search.redundant)
    assert search.rounds[: len(start.rounds)] == start.rounds
    if len(search.selected) > 1:
        assert search.rounds[-1].direction == "backward"
        assert search.loss == losses([tuple(sorted(search.selected))])[0]


def test_the_last_feature_stays() -> None:
    search = floating_search(Search(selected=(0, 1), loss=0.5), 2, lambda subsets: [0.5] * len(subsets), 0.1)
    assert search.selected == (1,)


# ---- the selectors -------------------------------------------------------------------------------

CANCER = load_breast_cancer()
# Every other feature: a search tries fewer sets.
X, P = CANCER.data[:, ::2], 15
DATA = Path(os.environ.get("PYRRF_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.fixture(scope="module")
def cancer() -> ChowLiuSelector:
    return ChowLiuSelector(GaussianNB(), epsilon=0.002, cv=3).fit(X, CANCER.target)


def test_attributes_agree(cancer: ChowLiuSelector) -> None:
    assert np.flatnonzero(cancer.support_).tolist() == sorted(cancer.selected_)
    assert sorted((*cancer.selected_, *cancer.redundant_)) == list(range(P))
    assert cancer.n_features_ == len(cancer.selected_)
    assert cancer.tree_.root == P
    assert cancer.transform(X).shape == (569, cancer.n_features_)
    binned = equal_width_bins(X)
    assert cancer.mutual_information_[3, P] == mutual_information(binned[:, 3], CANCER.target)
    tables = [each.mutual_information_ for each in (cancer, pickle.loads(pickle.dumps(cancer)))]
    assert (tables[0] == tables[1]).all()


def test_evaluations_are_counted_as_in_the_paper(cancer: ChowLiuSelector) -> None:
    history = cancer.history_
    stays = (history["outcome"] == "open").sum()
    assert cancer.n_evaluations_ == len(history) == P + stays
    assert stays > 0
    assert (history["outcome"] == "taken").sum() == cancer.n_features_
    assert cancer.n_evaluations_ < forward_evaluations(P, cancer.n_features_) / 2


def test_score_is_that_of_the_features_kept(cancer: ChowLiuSelector) -> None:
    kept = X[:, cancer.support_]
    again = cross_val_score(GaussianNB(), kept, CANCER.target, scoring="balanced_accuracy", cv=3)
    assert cancer.score_ == pytest.approx(again.mean(), abs=1e-15)
    taken = cancer.history_.query("outcome == 'taken'")
    assert taken["feature"].tolist() == cancer.selected_.tolist()
    assert taken["score"].iloc[-1] == cancer.score_
    assert (np.diff([0.5, *taken["score"]]) > 0.002).all()


def test_floating_goes_on_from_the_result(cancer: ChowLiuSelector) -> None:
    floating = clone(cancer).set_params(floating=True).fit(X, CANCER.target)
    first = cancer.n_evaluations_
    pd.testing.assert_frame_equal(floating.history_[:first], cancer.history_)
    assert set(floating.history_["direction"][first:]) >= {"backward"}
    assert floating.score_ - 0.002 * floating.n_features_ >= cancer.score_ - 0.002 * cancer.n_features_
    assert sorted((*floating.selected_, *floating.redundant_)) == list(range(P))


def test_without_an_estimator_the_children_of_the_label_are_kept(cancer: ChowLiuSelector) -> None:
    alone = ChowLiuSelector().fit(X, CANCER.target)
    assert alone.selected_.tolist() == cancer.tree_.children(P).tolist()
    assert alone.n_evaluations_ == len(alone.history_) == 0
    assert sorted((*alone.selected_, *alone.redundant_)) == list(range(P))


def test_redundant_copies_are_found() -> None:
    rng = np.random.default_rng(1)
    x = rng.random((300, 4))
    y = x[:, 0] + x[:, 1] > 1
    x = np.column_stack([x, x[:, :2] * 2 + 1])
    selector = ChowLiuSelector(GaussianNB(), epsilon=0.05).fit(x, y)
    assert selector.n_features_ == 2
    assert {f % 4 for f in selector.selected_} == {0, 1}


def test_numbers_and_categories() -> None:
    rng = np.random.default_rng(2)
    number = rng.random(200)
    colour = pd.Categorical(rng.choice(["red", "green", "blue"], 200))
    numeric = ChowLiuSelector(LinearRegression(), scoring="r2").fit(rng.random((200, 3)) + number[:, None], number)
    assert numeric.mutual_information_[3, 3] > 3, "the label lies in 20 bins"
    frame = pd.DataFrame({"noise": rng.random(200), "colour": colour})
    selector = ChowLiuSelector().fit(frame, colour == "red")
    assert selector.get_feature_names_out().tolist() == ["colour"]
    assert selector.mutual_information_[1, 2] == mutual_information(colour, colour == "red")


def test_score_without_features() -> None:
    noise = np.random.default_rng(3).random((60, 2))
    y = [0, 1] * 30
    assert ChowLiuSelector(GaussianNB(), empty_score=1).fit(noise, y).n_features_ == 0
    assert ChowLiuSelector(GaussianNB(), empty_score=-np.inf).fit(noise, y).n_features_ >= 1


# ---- real data -----------------------------------------------------------------------------------


@pytest.mark.skipif(not (DATA / "spambase.csv.gz").exists(), reason="needs spambase.csv.gz of the data folder")
def test_tree_of_spambase_is_the_paper_s() -> None:
    with gzip.open(DATA / "spambase.csv.gz") as file:
        table = pd.read_csv(file)
    tree = ChowLiuSelector().fit(table.drop(columns="class"), table["class"]).tree_
    children = np.bincount(tree.parents[:-1], minlength=58)
    children = children[children > 0]
    assert round(children.mean(), 2) == 2.48
    assert round(children.var(ddof=1), 2) == 5.72


# ---- picture -------------------------------------------------------------------------------------


@pytest.fixture
def _closed() -> Iterator[None]:
    mpl.use("agg")
    yield
    plt.close("all")


@pytest.mark.usefixtures("_closed")
def test_picture_shows_the_tree(cancer: ChowLiuSelector) -> None:
    axes = cancer.plot_tree()
    root, kept, others = (np.asarray(each.get_offsets()) for each in axes.collections)
    assert (len(root), len(kept), len(others)) == (1, cancer.n_features_, P - cancer.n_features_)
    depths = cancer.tree_.depths()
    assert kept[:, 0].tolist() == depths[np.flatnonzero(cancer.support_)].tolist()
    assert len({tuple(place) for place in np.concatenate([root, kept, others]).tolist()}) == P + 1
    assert [each.get_text() for each in axes.texts] == [*(f"x{j}" for j in range(P)), "label"]
    widths = [line.get_linewidth() for line in axes.lines]
    assert np.argmax(widths) == np.argmax(cancer.tree_.weights)


@pytest.mark.usefixtures("_closed")
def test_picture_has_the_names_of_a_table() -> None:
    frame = pd.DataFrame(CANCER.data[:, :3], columns=["a", "b", "c"])
    _, given = plt.subplots()
    axes = ChowLiuSelector().fit(frame, CANCER.target).plot_tree(given)
    assert axes is given
    assert [each.get_text() for each in axes.texts] == ["a", "b", "c", "label"]


# ---- forward search without a tree ---------------------------------------------------------------

WINE = load_wine()


def test_forward_is_scikit_learn_s_with_a_tolerance() -> None:
    x, y = WINE.data[:, ::2], WINE.target
    ours = ForwardSelector(GaussianNB(), epsilon=0.01, cv=2).fit(x, y)
    theirs = SequentialFeatureSelector(GaussianNB(), tol=0.01, scoring="balanced_accuracy", cv=2).fit(x, y)
    assert (ours.support_ == theirs.get_support()).all()
    assert ours.n_evaluations_ == forward_evaluations(7, ours.n_features_) == len(ours.history_)
    assert ours.history_["outcome"].tolist().count("taken") == ours.n_features_


def test_forward_with_floating() -> None:
    x, y = WINE.data[:, ::3], WINE.target
    plain = ForwardSelector(GaussianNB(), epsilon=0, cv=2).fit(x, y)
    floating = ForwardSelector(GaussianNB(), epsilon=0, cv=2, floating=True).fit(x, y)
    assert floating.score_ >= plain.score_
    assert floating.n_evaluations_ > plain.n_evaluations_


def test_forward_of_missing_values_asks_the_estimator() -> None:
    x = WINE.data.copy()
    x[::7, 2] = np.nan
    assert ForwardSelector(DecisionTreeClassifier(max_depth=2), epsilon=0.2, cv=2).fit(x, WINE.target).n_features_ > 0
    with pytest.raises(ValueError, match="contains NaN"):
        ForwardSelector(GaussianNB()).fit(x, WINE.target)


def test_a_score_of_nothing_that_is_nan_is_refused() -> None:
    # A constant guess has no correlation with anything.
    def correlation(estimator: Any, x: Any, y: Any) -> float:
        guess = estimator.predict(x)
        return float(np.corrcoef(guess, y)[0, 1]) if guess.std() else float("nan")

    x, y = WINE.data[:, 1:], WINE.data[:, 0]
    with refused("empty_score", "undefined"):
        ForwardSelector(LinearRegression(), scoring=correlation).fit(x, y)
    assert ForwardSelector(LinearRegression(), scoring=correlation, empty_score=0).fit(x, y).n_features_ > 0


def test_words_are_no_numbers() -> None:
    with refused("y", "type"):
        ForwardSelector(LinearRegression(), scoring="r2").fit(WINE.data[:4], ["1", "2", "3", "4"])
