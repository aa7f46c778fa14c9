"""ForwardSelector: scikit-learn's checks, scikit-learn's own search, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.papers.chow_liu.search import forward_evaluations
from pyrrf.sklearn import ForwardSelector

WINE = load_wine()


@parametrize_with_checks(
    [
        ForwardSelector(DecisionTreeClassifier(max_depth=2, random_state=0), cv=2, epsilon=0.3, empty_score=-np.inf),
    ]
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


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


@pytest.mark.parametrize("estimator", [None, GaussianNB, 3])
def test_forward_needs_an_estimator(estimator: Any) -> None:
    with pytest.raises(TypeError, match="estimator must be a classifier or a regressor, not"):
        ForwardSelector(estimator).fit(WINE.data, WINE.target)


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match="y holds one class, 'a'; pass rows of at least two classes"):
        ForwardSelector(GaussianNB(), cv=2).fit(WINE.data[:10], ["a"] * 10)


def test_a_score_of_nothing_that_is_nan_is_refused() -> None:
    # A constant guess has no correlation with anything.
    def correlation(estimator: Any, x: Any, y: Any) -> float:
        guess = estimator.predict(x)
        return float(np.corrcoef(guess, y)[0, 1]) if guess.std() else float("nan")

    x, y = WINE.data[:, 1:], WINE.data[:, 0]
    with pytest.raises(ValueError, match="empty_score: the score of a constant guess is NaN; pass a number"):
        ForwardSelector(LinearRegression(), scoring=correlation).fit(x, y)
    assert ForwardSelector(LinearRegression(), scoring=correlation, empty_score=0).fit(x, y).n_features_ > 0


def test_words_are_no_numbers() -> None:
    with pytest.raises(TypeError, match="y must hold numbers, not dtype"):
        ForwardSelector(LinearRegression(), scoring="r2").fit(WINE.data[:4], ["1", "2", "3", "4"])
