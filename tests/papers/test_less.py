"""LESS: leverage scores by hand, their properties and the bound of their error; what trees draw and split."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from pyrrf import _core
from pyrrf.papers import LESSClassifier, LESSRegressor, leverage_scores
from pyrrf.papers.less.leverage import norm_scores, right_vectors
from tests.papers.oracles import best_gain, gini, mixed_table
from tests.refusals import refused


def make(n: int, p: int, seed: int = 1, decay: float = 0.8) -> np.ndarray:
    """A table whose singular values fall by about `decay` from one to the next."""
    rng = np.random.default_rng(seed)
    k = min(n, p)
    left, right = (np.linalg.qr(rng.normal(size=(size, k)))[0] for size in (n, p))
    return left * 100 * decay ** np.arange(k) @ right.T


# ---- by hand -------------------------------------------------------------------------------------

# X'X of [[2, 1], [1, 2]] has the vectors (1, 1) and (1, -1), and so has that of [[3, 0], [4, 5]]: [[25, 20], [20, 25]].
# That of [[1, 0], [0, 2], [0, 0]] is diagonal. Of [[1, 2], [0, 2], [2, 1]] it is [[5, 4], [4, 9]], with the eigenvalue
# 7 + √20 and the vector (4, 2 + √20).
SECOND = (2 + np.sqrt(20)) ** 2
BY_HAND = {
    "symmetric": ([[2, 1], [1, 2]], 1, [0.5, 0.5]),
    "two-by-two": ([[3, 0], [4, 5]], 1, [0.5, 0.5]),
    "triangle": ([[1, 1], [0, 1]], 1, [(5 - np.sqrt(5)) / 10, (5 + np.sqrt(5)) / 10]),
    "diagonal": ([[1, 0], [0, 2], [0, 0]], 1, [0, 1]),
    "three-by-two": ([[1, 2], [0, 2], [2, 1]], 1, [16 / (16 + SECOND), SECOND / (16 + SECOND)]),
    "three-by-two, both": ([[1, 2], [0, 2], [2, 1]], 2, [0.5, 0.5]),
    "two-by-three": ([[1, 1, 0], [1, 0, 1]], 1, [2 / 3, 1 / 6, 1 / 6]),
    "two-by-three, both": ([[3, 0, 0], [0, 1, 1]], 2, [0.5, 0.25, 0.25]),
}


@pytest.mark.parametrize("svd", ["full", "randomized"])
@pytest.mark.parametrize(("x", "rank", "wanted"), BY_HAND.values(), ids=BY_HAND)
def test_by_hand(x: list[list[float]], rank: int, wanted: list[float], svd: str) -> None:
    np.testing.assert_allclose(leverage_scores(x, rank, svd=svd), wanted, atol=1e-14)


def test_centred_by_hand() -> None:
    # Less the means 2 and 5 the rows are ±(1, 2).
    np.testing.assert_allclose(leverage_scores([[1, 3], [3, 7]], 1, center=True), [0.2, 0.8], atol=1e-14)
    np.testing.assert_allclose(norm_scores([[1, 3], [3, 7]], center=True), [0.2, 0.8])
    np.testing.assert_allclose(norm_scores([[1, 3], [3, 7]]), [10 / 68, 58 / 68])


# ---- properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("svd", ["full", "randomized"])
@pytest.mark.parametrize(("n", "p", "rank"), [(30, 8, 3), (8, 30, 3), (8, 30, 7), (12, 12, 1)])
def test_they_are_a_distribution(n: int, p: int, rank: int, svd: str, center: bool) -> None:
    scores = leverage_scores(make(n, p), rank, svd=svd, center=center)
    assert scores.shape == (p,)
    assert (scores >= 0).all()
    # A projection has no entry above 1.
    assert scores.max() <= 1 / rank + 1e-12
    assert scores.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("p", [1, 5, 20])
def test_all_vectors_give_equal_scores(p: int) -> None:
    np.testing.assert_allclose(leverage_scores(make(25, p), p), np.full(p, 1 / p), atol=1e-13)


@pytest.mark.parametrize("rank", [1, 4])
def test_what_does_not_change_them(rank: int) -> None:
    x, rng = make(20, 9), np.random.default_rng(2)
    wanted = leverage_scores(x, rank)
    turned = np.linalg.qr(rng.normal(size=(20, 20)))[0] @ x
    for same in (-3 * x, x[::-1], turned, np.vstack([x, x])):
        np.testing.assert_allclose(leverage_scores(same, rank), wanted, atol=1e-12)
    order = rng.permutation(9)
    np.testing.assert_allclose(leverage_scores(x[:, order], rank), wanted[order], atol=1e-12)


def test_centring_makes_shifts_harmless() -> None:
    x, shift = make(20, 9), np.arange(9.0)
    for scores in (lambda x: leverage_scores(x, 3, center=True), lambda x: norm_scores(x, center=True)):
        np.testing.assert_allclose(scores(x + shift), scores(x), atol=1e-12)
    assert abs(leverage_scores(x + shift, 3) - leverage_scores(x, 3)).max() > 0.01


# ---- randomized ----------------------------------------------------------------------------------


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("steps", [0, 1, 2, 4])
@pytest.mark.parametrize(("n", "p", "rank"), [(200, 80, 4), (60, 400, 4), (60, 400, 12)])
def test_randomized_is_within_its_bound(n: int, p: int, rank: int, steps: int, center: bool) -> None:
    x = make(n, p, decay=0.85) + 1.0
    exact = leverage_scores(x, rank, center=center)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = right_vectors(
            x, rank, svd="randomized", center=center, oversampling=4, power_iterations=steps, seed=steps
        )
    error = abs(found.scores - exact).sum() / 2
    assert error <= found.error_bound
    if steps == 4:
        assert found.error_bound < 0.05


def test_the_bound_is_not_far_from_the_error() -> None:
    x = make(300, 100, decay=0.7)
    for steps in (2, 3, 4):
        found = right_vectors(x, 3, svd="randomized", oversampling=2, power_iterations=steps)
        error = abs(found.scores - leverage_scores(x, 3)).sum() / 2
        assert error <= found.error_bound <= 300 * error


def test_more_iterations_are_nearer() -> None:
    x = make(100, 60, decay=0.9)
    bounds = [right_vectors(x, 5, svd="randomized", power_iterations=steps).error_bound for steps in (4, 8, 16)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0] / 100


def test_one_seed_is_one_answer() -> None:
    x = make(100, 60)
    first, again, other = (leverage_scores(x, 5, svd="randomized", power_iterations=2, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("center", [False, True])
def test_sparse_is_dense(center: bool) -> None:
    rng = np.random.default_rng(3)
    # Rows of very different lengths, so that there is a gap to find.
    x = rng.normal(size=(60, 90)) * (rng.random((60, 90)) < 0.2) * 0.7 ** np.arange(60)[:, None]
    for kind in (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_array):
        sparse = right_vectors(kind(x), 3, svd="randomized", center=center)
        dense = right_vectors(x, 3, svd="randomized", center=center)
        np.testing.assert_allclose(sparse.scores, dense.scores, atol=1e-10)
        assert abs(sparse.scores - leverage_scores(x, 3, center=center)).sum() / 2 <= sparse.error_bound < 1e-3
        np.testing.assert_allclose(norm_scores(kind(x), center=center), norm_scores(x, center=center), atol=1e-12)


def test_very_wide_and_sparse() -> None:
    # A table of p x p numbers would have 3.2 GB.
    rng, p = np.random.default_rng(4), 20_000
    where = rng.integers(0, 200, 40_000), rng.integers(0, p, 40_000)
    topics = scipy.sparse.coo_array((rng.random(40_000), where), (200, p)).tolil()
    topics[:100, :10] = 5.0
    found = right_vectors(topics, 1, svd="randomized")
    assert found.error_bound < 1e-3
    assert found.scores[:10].sum() > 0.9


# ---- what is not told, or refused ----------------------------------------------------------------


@pytest.mark.parametrize("svd", ["full", "randomized"])
def test_equal_singular_values_are_reported(svd: str) -> None:
    with pytest.warns(UserWarning, match="rank: the scores are undefined"):
        assert right_vectors(np.eye(6), 2, svd=svd).error_bound == 1


def test_the_bound_of_rounding() -> None:
    assert right_vectors(make(30, 8), 3).error_bound < 1e-12
    near = right_vectors(np.diag([1.0, 1.0 - 1e-10, 0.5]), 1)
    assert 1e-7 < near.error_bound < 1e-4


REFUSED = {
    "above the smaller side": ((np.ones((3, 5)), 4), {}, ValueError, "rank: 4 is above 3"),
    "above the numerical rank": ((np.ones((3, 5)), 2), {}, ValueError, "rank: 2 is above the numerical rank of X, 1"),
    "randomized": ((np.ones((3, 5)), 2), {"svd": "randomized"}, ValueError, "above the numerical rank of X, 1"),
    "zeros": ((np.zeros((3, 5)), 1), {}, ValueError, "numerical rank of X, 0"),
    "zeros, randomized": ((np.zeros((3, 5)), 1), {"svd": "randomized"}, ValueError, "numerical rank of X, 0"),
    "one row, centred": ((np.ones((1, 5)), 1), {"center": True}, ValueError, "numerical rank of X, 0"),
    "no rank": ((np.ones((3, 5)), 0), {}, ValueError, "rank must be"),
    "half a rank": ((np.ones((3, 5)), 1.5), {}, ValueError, "rank must be"),
    "a name": ((np.ones((3, 5)), "1"), {}, TypeError, "rank must be"),
    "svd": ((np.ones((3, 5)), 1), {"svd": "thin"}, ValueError, "svd must be one of 'full', 'randomized'"),
    "center": ((np.ones((3, 5)), 1), {"center": "yes"}, TypeError, "center must be"),
    "oversampling": ((np.ones((3, 5)), 1), {"svd": "randomized", "oversampling": -1}, ValueError, "oversampling"),
    "power": ((np.ones((3, 5)), 1), {"svd": "randomized", "power_iterations": -1}, ValueError, "power_iterations"),
    "seed": ((np.ones((3, 5)), 1), {"svd": "randomized", "seed": -1}, ValueError, "seed"),
    "missing": (([[1, np.nan]], 1), {}, ValueError, "X holds NaN"),
    "words": (([["a", "b"]], 1), {}, TypeError, "X must hold numbers"),
    "words of digits": (([["1", "2"]], 1), {}, TypeError, "X must hold numbers"),
    "dates": ((np.array([["2020", "2021"]], "M8[Y]"), 1), {}, TypeError, "X must hold numbers"),
    "complex": ((np.eye(3) * 1j, 1), {}, TypeError, "X must hold numbers"),
    "complex, sparse": ((scipy.sparse.eye_array(3) * 1j, 1), {"svd": "randomized"}, TypeError, "X must hold numbers"),
    "masked": ((np.ma.masked_equal([[1.0, 2.0]], 2.0), 1), {}, ValueError, "X holds NaN"),
    "a vector": (([1, 2], 1), {}, ValueError, "X must be a table"),
    "no rows": ((np.ones((0, 5)), 1), {}, ValueError, "X must have rows"),
    "sparse": ((scipy.sparse.eye_array(3), 1), {}, ValueError, "takes no sparse X"),
}


@pytest.mark.parametrize(("arguments", "options", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(arguments: tuple, options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        leverage_scores(*arguments, **options)


@pytest.mark.parametrize("kind", [np.array, scipy.sparse.csr_array])
@pytest.mark.parametrize("value", [1.0, 0.1, 1e9 / 3])
def test_constant_columns_are_nothing_once_centred(kind: Any, value: float) -> None:
    # Their mean is not always the number that they hold.
    x = kind(np.full((7, 5), value))
    with pytest.raises(ValueError, match="norm of 0"):
        norm_scores(x, center=True)
    with pytest.raises(ValueError, match="numerical rank of X, 0"):
        leverage_scores(x, 1, center=True, svd="randomized")
    assert norm_scores(x).tolist() == pytest.approx([0.2] * 5)


@pytest.mark.parametrize("exponent", [-1000, -400, 400, 1000])
@pytest.mark.parametrize("center", [False, True])
def test_scores_of_any_size(exponent: int, center: bool) -> None:
    # Squares of such entries are infinite, or 0.
    x = np.random.default_rng(1).random((12, 5))
    scaled = np.ldexp(x, exponent)
    assert (norm_scores(scaled, center=center) == norm_scores(x, center=center)).all()
    tables = [("full", x, scaled), ("randomized", *map(scipy.sparse.csr_array, (x, scaled)))]
    for svd, table, other in tables:
        found, expected = (right_vectors(each, 2, svd=svd, center=center) for each in (other, table))
        assert np.allclose(found.scores, expected.scores, rtol=1e-12)
        assert np.allclose(found.singular_values, np.ldexp(expected.singular_values, exponent), rtol=1e-12, atol=0)
        assert found.numerical_rank == expected.numerical_rank


# ---- estimators ----------------------------------------------------------------------------------

CANCER = load_breast_cancer()
# Continuous numbers without ties; the classes follow from two of twelve columns.
X = np.random.default_rng(1).normal(size=(120, 12)) * np.linspace(3, 1, 12)
Y = np.where(X[:, 0] * X[:, 5] > 0, "a", "b")


# ---- draws ---------------------------------------------------------------------------------------


def test_scores_are_those_of_the_functions() -> None:
    def scores(*arguments: Any, **named: Any) -> np.ndarray:
        return LESSClassifier(*arguments, n_estimators=1, random_state=1, **named).fit(X, Y).feature_scores_

    np.testing.assert_array_equal(scores(2), leverage_scores(X, 2))
    np.testing.assert_array_equal(scores(2, center=True), leverage_scores(X, 2, center=True))
    np.testing.assert_allclose(scores(3, svd="randomized"), leverage_scores(X, 3), atol=1e-3)
    np.testing.assert_array_equal(scores(None, scores="norm"), norm_scores(X))
    np.testing.assert_array_equal(scores(None, scores="norm", center=True), norm_scores(X, center=True))
    np.testing.assert_array_equal(scores(None, scores="uniform"), np.full(12, 1 / 12))
    np.testing.assert_allclose(scores(None, scores=np.arange(12)), np.arange(12) / 66)


@pytest.mark.parametrize("replace", [False, True])
def test_features_are_drawn_by_their_scores(replace: bool) -> None:
    given = np.array([4, 3, 2, 1, 0.0])
    fit = LESSClassifier(
        None, 1500, scores=given, max_features=2, replace=replace, random_state=1
    ).fit(X[:10, :5], Y[:10])  # fmt: skip
    pairs = Counter(tuple(features.tolist()) for features in fit.estimators_features_)
    # A draw without replacement takes the second feature by the scores of those that are left.
    wanted = {
        (i, j): given[i] / 10 * (given[j] / 10 if replace else (i != j) * given[j] / (10 - given[i]))
        for i in range(5)
        for j in range(5)
    }
    assert pairs.keys() == {pair for pair, chance in wanted.items() if chance}
    misses = [(pairs[pair] - 1500 * chance) ** 2 / (1500 * chance) for pair, chance in wanted.items() if chance]
    # The upper .001 of a chi-square distribution with 15 degrees of freedom.
    assert sum(misses) < 37.7


@pytest.mark.parametrize("replace", [False, True])
def test_every_drawn_feature_is_a_candidate_and_no_other(replace: bool) -> None:
    fit = LESSClassifier(2, 20, max_features=5, replace=replace, random_state=1).fit(X, Y)
    for tree, features in zip(fit.estimators_, fit.estimators_features_, strict=True):
        assert len(features) == 5
        split = tree.split_var[tree.split_var > 0] - 1
        assert set(split) <= set(features)
        left = X[:, split[0]] <= tree.split_point[0]
        assert best_gain(left, Y, gini) == pytest.approx(max(best_gain(X[:, m], Y, gini) for m in features))
    assert any(set(features) != set(fit.estimators_features_[0]) for features in fit.estimators_features_)


# ---- trees ---------------------------------------------------------------------------------------


def test_trees_are_full_and_vote() -> None:
    fit = LESSClassifier(2, 15, random_state=1).fit(X, Y)
    # Without bags each tree fits every row.
    assert set(np.unique(fit.predict_proba(X))) == {0.0, 1.0}
    assert fit.score(X, Y) == 1
    new = np.random.default_rng(2).normal(size=(50, 12))
    single = [_core.predict(tree, new, np.ones(12, np.int32), 2).predicted for tree in fit.estimators_]
    np.testing.assert_allclose(fit.predict_proba(new)[:, 1], np.mean(single, axis=0))
    assert (fit.predict(new) == np.where(np.mean(single, axis=0) > 0.5, "b", "a")).all()


def test_trees_are_as_large_as_those_of_scikit_learn() -> None:
    fit = LESSClassifier(None, 50, scores="norm", random_state=1).fit(X, Y)
    theirs = [
        DecisionTreeClassifier(random_state=1).fit(X[:, features], Y).tree_.node_count
        for features in fit.estimators_features_
    ]
    # Equal splits are decided in other ways, and may leave a tree larger or smaller.
    assert fit.node_counts_.sum() == pytest.approx(sum(theirs), rel=0.02)
    assert np.corrcoef(fit.node_counts_, theirs)[0, 1] > 0.9


def test_means_of_full_trees() -> None:
    y = X[:, 0] * X[:, 5]
    fit = LESSRegressor(2, 15, random_state=1).fit(X, y)
    np.testing.assert_allclose(fit.predict(X), y)
    new = np.random.default_rng(2).normal(size=(50, 12))
    single = [_core.predict(tree, new, np.ones(12, np.int32), 1).predicted for tree in fit.estimators_]
    np.testing.assert_allclose(fit.predict(new), np.mean(single, axis=0))


@pytest.mark.parametrize("kind", [LESSClassifier, LESSRegressor])
def test_attributes_agree(kind: Any) -> None:
    fit = kind(2, 15, random_state=1).fit(X, Y if kind is LESSClassifier else X[:, 0] * X[:, 5])
    assert fit.node_counts_.tolist() == [tree.left.size for tree in fit.estimators_]
    assert (fit.node_counts_ % 2 == 1).all()
    assert fit.feature_importances_.sum() == pytest.approx(1)
    split = np.concatenate([tree.split_var for tree in fit.estimators_])
    assert (np.flatnonzero(fit.feature_importances_) + 1).tolist() == np.unique(split[split > 0]).tolist()
    # The classes, and the numbers, follow from columns 0 and 5.
    assert fit.feature_importances_.argmax() in (0, 5)


def test_more_trees_begin_with_the_fewer() -> None:
    few, more = (LESSClassifier(2, n, random_state=3).fit(X, Y) for n in (5, 9))
    np.testing.assert_array_equal(few.estimators_features_, more.estimators_features_[:5])
    assert few.node_counts_.tolist() == more.node_counts_[:5].tolist()


@pytest.mark.parametrize("kind", [LESSClassifier, LESSRegressor])
def test_ties_by_the_lowest_index_leave_nothing_to_the_seed(kind: Any) -> None:
    """Each tree looks at all features, and grows on all rows."""
    rng = np.random.default_rng(4)
    x, new = (rng.integers(0, 3, (rows, 5)).astype(float) for rows in (80, 200))
    y = rng.integers(0, 2, 80) if kind is LESSClassifier else rng.normal(size=80)

    def answers(ties: str) -> set[tuple[Any, ...]]:
        fits = (kind(None, 2, scores="uniform", max_features=None, ties=ties, random_state=seed) for seed in range(50))
        return {tuple(fit.fit(x, y).predict(new)) for fit in fits}

    assert len(answers("first")) == 1
    assert len(answers("random")) > 10


# ---- data ----------------------------------------------------------------------------------------


def test_real_classes() -> None:
    # On one scale, or the scores are those of the columns in the smallest units.
    less = make_pipeline(StandardScaler(), LESSClassifier(3, 50, random_state=1))
    assert cross_val_score(less, CANCER.data, CANCER.target, cv=3).mean() > 0.93


def test_real_numbers() -> None:
    less = LESSRegressor(2, 50, max_features=5, random_state=1)
    assert cross_val_score(less, *load_diabetes(return_X_y=True), cv=3).mean() > 0.35


def test_leverage_finds_what_hangs_together() -> None:
    # Five columns share two hidden numbers that decide the class; 95 are noise. That is Madelon in small.
    rng = np.random.default_rng(5)
    hidden = rng.normal(size=(300, 2))
    x = rng.normal(size=(300, 100))
    x[:, :5] += 3 * hidden @ rng.normal(size=(2, 5))
    y = hidden[:, 0] * hidden[:, 1] > 0
    less = LESSClassifier(2, 50, random_state=1).fit(x[:200], y[:200])
    plain = LESSClassifier(None, 50, scores="uniform", random_state=1).fit(x[:200], y[:200])
    assert less.feature_scores_[:5].sum() > 0.85
    assert less.score(x[200:], y[200:]) > plain.score(x[200:], y[200:]) + 0.1
    assert less.node_counts_.sum() < plain.node_counts_.sum()


def test_categories_and_missing_values_have_no_norms() -> None:
    frame, y = mixed_table()
    with refused("scores", "unsupported"):
        LESSClassifier(1).fit(frame, y)
    with refused("X", "missing"):
        LESSClassifier(None, scores="norm").fit(frame[["noise", "number"]], y)


def test_missing_values_are_refused_in_new_rows() -> None:
    fit = LESSClassifier(2, 5).fit(X, Y)
    with pytest.raises(ValueError, match="X holds NaN, which scores='leverage'"):
        fit.predict(np.where(X > 2, np.nan, X))


# ---- warned of, or refused -----------------------------------------------------------------------


@pytest.mark.parametrize("svd", ["full", "randomized"])
def test_a_rank_that_makes_scores_equal(svd: str) -> None:
    with pytest.warns(UserWarning, match="rank: 12 is above half the numerical"):
        fit = LESSClassifier(12, 1, svd=svd).fit(X, Y)
    np.testing.assert_allclose(fit.feature_scores_, np.full(12, 1 / 12))
    LESSClassifier(6, 1, svd=svd).fit(X, Y)
    with pytest.warns(UserWarning, match="rank: 4 is above half the numerical rank"):
        LESSClassifier(4, 1, svd=svd).fit(np.hstack([X[:, :6], X[:, :6]]), Y)


def test_rank_by_default() -> None:
    assert np.array_equal(LESSClassifier().fit(X, Y).feature_scores_, LESSClassifier(5).fit(X, Y).feature_scores_)
    few = LESSClassifier().fit(X[:, :4], Y).feature_scores_
    assert np.array_equal(few, LESSClassifier(2).fit(X[:, :4], Y).feature_scores_)
