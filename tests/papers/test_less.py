"""LESSClassifier and LESSRegressor: scikit-learn's checks, what trees draw and split, threads, and what is refused."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf import _core
from pyrrf.papers.less.leverage import norm_scores
from pyrrf.selectors import leverage_scores
from pyrrf.sklearn import LESSClassifier, LESSRegressor

CANCER = load_breast_cancer()
DIABETES = load_diabetes()
# Continuous numbers without ties; the classes follow from two of twelve columns.
X = np.random.default_rng(1).normal(size=(120, 12)) * np.linspace(3, 1, 12)
Y = np.where(X[:, 0] * X[:, 5] > 0, "a", "b")


# The tables of the checks are small: 1 is above half the rank of some.
@pytest.mark.filterwarnings("ignore:rank")
@parametrize_with_checks(
    [
        LESSClassifier(1, 5),
        LESSClassifier(None, 5, scores="uniform", replace=True, max_features=None),
        LESSRegressor(1, 5, svd="randomized", max_features=0.8),
    ]
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


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


def best_gain(x: np.ndarray, y: np.ndarray) -> float:
    """The largest decrease of n times the Gini impurity by one cut of one column."""

    def impurity(part: np.ndarray) -> float:
        share = part.mean() if part.size else 0.0
        return part.size * 2 * share * (1 - share)

    ones = (y == "a").astype(float)
    cuts = [column <= value for column in x.T for value in column]
    return impurity(ones) - min(impurity(ones[left]) + impurity(ones[~left]) for left in cuts)


@pytest.mark.parametrize("replace", [False, True])
def test_every_drawn_feature_is_a_candidate_and_no_other(replace: bool) -> None:
    fit = LESSClassifier(2, 20, max_features=5, replace=replace, random_state=1).fit(X, Y)
    for tree, features in zip(fit.estimators_, fit.estimators_features_, strict=True):
        assert len(features) == 5
        split = tree.split_var[tree.split_var > 0] - 1
        assert set(split) <= set(features)
        left = X[:, split[0]] <= tree.split_point[0]
        at_root = best_gain(np.column_stack([left, left]).astype(float), Y)
        assert at_root == pytest.approx(best_gain(X[:, features], Y))
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


@pytest.mark.parametrize("svd", ["full", "randomized"])
def test_one_seed_one_answer(svd: str) -> None:
    one = LESSClassifier(2, 20, svd=svd, random_state=3).fit(X, Y)
    for n_jobs in (2, 3, -1):
        other = LESSClassifier(2, 20, svd=svd, random_state=3, n_jobs=n_jobs).fit(X, Y)
        for name in ("feature_scores_", "estimators_features_", "node_counts_", "feature_importances_"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        np.testing.assert_array_equal(one.predict_proba(X[::-1] + 0.1), other.predict_proba(X[::-1] + 0.1))
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(one.predict_proba(X + 0.1), again.predict_proba(X + 0.1))
    other = LESSClassifier(2, 20, svd=svd, random_state=4).fit(X, Y)
    assert (np.array(one.estimators_features_) != np.array(other.estimators_features_)).any()


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
    assert cross_val_score(less, DIABETES.data, DIABETES.target, cv=3).mean() > 0.35


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


def test_missing_values_and_categories_with_equal_scores() -> None:
    rng = np.random.default_rng(2)
    colour, number = rng.choice(["red", "green", "blue", "grey"], 150), rng.standard_normal(150)
    number[::7] = np.nan
    frame = pd.DataFrame({"noise": rng.random(150), "colour": pd.Categorical(colour), "number": number})
    y = np.where(np.isin(colour, ["red", "blue"]) ^ (np.nan_to_num(number) > 0), "a", "b")
    for scores in ("uniform", [1, 5, 5]):
        fit = LESSClassifier(None, 20, scores=scores, max_features=3, random_state=1).fit(frame, y)
        assert (fit.predict(frame) == y).all()
    with pytest.raises(ValueError, match="'leverage' needs numbers, but X has categories"):
        LESSClassifier(1).fit(frame, y)
    with pytest.raises(ValueError, match=r"X holds NaN, which scores='norm' does not take; impute it"):
        LESSClassifier(None, scores="norm").fit(frame[["noise", "number"]], y)


def test_missing_values_are_refused_in_new_rows() -> None:
    fit = LESSClassifier(2, 5).fit(X, Y)
    with pytest.raises(ValueError, match="X holds NaN, which scores='leverage'"):
        fit.predict(np.where(X > 2, np.nan, X))


# ---- warned of, or refused -----------------------------------------------------------------------


@pytest.mark.parametrize("svd", ["full", "randomized"])
def test_a_rank_that_makes_scores_equal(svd: str) -> None:
    with pytest.warns(UserWarning, match="rank: 12 is above half the numerical rank of X, 12"):
        fit = LESSClassifier(12, 1, svd=svd).fit(X, Y)
    np.testing.assert_allclose(fit.feature_scores_, np.full(12, 1 / 12))
    LESSClassifier(6, 1, svd=svd).fit(X, Y)
    with pytest.warns(UserWarning, match="rank: 4 is above half the numerical rank of X, 6"):
        LESSClassifier(4, 1, svd=svd).fit(np.hstack([X[:, :6], X[:, :6]]), Y)


def test_rank_by_default() -> None:
    assert np.array_equal(LESSClassifier().fit(X, Y).feature_scores_, LESSClassifier(5).fit(X, Y).feature_scores_)
    few = LESSClassifier().fit(X[:, :4], Y).feature_scores_
    assert np.array_equal(few, LESSClassifier(2).fit(X[:, :4], Y).feature_scores_)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"rank": 0}, ValueError, "rank must be a whole number of at least 1"),
        ({"rank": 31}, ValueError, "rank: 31 is above 30, the smaller side of X"),
        ({"n_estimators": 0}, ValueError, "n_estimators must be a whole number of at least 1"),
        ({"max_features": 31}, ValueError, "max_features must be"),
        ({"scores": [1] * 29 + [0], "max_features": None}, ValueError, "max_features: 30 of 29 features with a pos"),
        ({"scores": "size"}, ValueError, "scores must be one of 'leverage', 'norm', 'uniform', not 'size'"),
        ({"scores": [1, 2]}, ValueError, "scores: 2 of them for 30 features"),
        ({"scores": [-1] + [1] * 29}, ValueError, "scores must not be negative"),
        ({"scores": [0] * 30}, ValueError, "scores must not be negative, and not all 0"),
        ({"scores": ["a"] * 30}, TypeError, "scores must hold numbers"),
        ({"replace": "no"}, TypeError, "replace must be True or False"),
        ({"center": "no"}, TypeError, "center must be True or False"),
        ({"svd": "thin"}, ValueError, "svd must be one of 'full', 'randomized'"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be"),
    ],
)
@pytest.mark.parametrize("kind", [LESSClassifier, LESSRegressor])
def test_wrong_arguments(kind: Any, wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        kind(**{"rank": 2, **wrong}).fit(CANCER.data[:60], CANCER.target[:60])


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    LESSClassifier(2, 5, random_state=1, verbose=1).fit(X, Y)
    assert "/5" in capsys.readouterr().err
