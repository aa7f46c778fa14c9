"""ForwardSelector and MIFSSelector: scikit-learn's checks, scikit-learn's own search, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.selectors import equal_width_bins, forward_evaluations, mutual_information
from pyrrf.sklearn import ForwardSelector, MIFSSelector

WINE, CANCER = load_wine(), load_breast_cancer()


@parametrize_with_checks(
    [
        ForwardSelector(DecisionTreeClassifier(max_depth=2, random_state=0), cv=2, epsilon=0.3, empty_score=-np.inf),
        MIFSSelector(random_state=0),
    ]
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_forward_is_scikit_learn_s_with_a_tolerance() -> None:
    x, y = WINE.data[:, ::2], WINE.target
    ours = ForwardSelector(GaussianNB(), epsilon=0.01).fit(x, y)
    theirs = SequentialFeatureSelector(GaussianNB(), tol=0.01, scoring="balanced_accuracy").fit(x, y)
    assert (ours.support_ == theirs.get_support()).all()
    assert ours.n_evaluations_ == forward_evaluations(7, ours.n_features_) == len(ours.history_)
    assert ours.history_["outcome"].tolist().count("taken") == ours.n_features_


def test_forward_with_floating() -> None:
    x, y = WINE.data[:, ::3], WINE.target
    plain = ForwardSelector(GaussianNB(), epsilon=0).fit(x, y)
    floating = ForwardSelector(GaussianNB(), epsilon=0, floating=True).fit(x, y)
    assert floating.score_ >= plain.score_
    assert floating.n_evaluations_ > plain.n_evaluations_


def test_forward_of_missing_values_asks_the_estimator() -> None:
    x = WINE.data.copy()
    x[::7, 2] = np.nan
    assert ForwardSelector(DecisionTreeClassifier(max_depth=2), epsilon=0.2).fit(x, WINE.target).n_features_ > 0
    with pytest.raises(ValueError, match="contains NaN"):
        ForwardSelector(GaussianNB()).fit(x, WINE.target)


@pytest.mark.parametrize("estimator", [None, GaussianNB, 3])
def test_forward_needs_an_estimator(estimator: Any) -> None:
    with pytest.raises(TypeError, match="estimator must be a classifier or a regressor, not"):
        ForwardSelector(estimator).fit(WINE.data, WINE.target)


def test_mifs_takes_the_paper_s_order() -> None:
    selector = MIFSSelector(random_state=1, beta=0.3).fit(CANCER.data, CANCER.target)
    binned = equal_width_bins(CANCER.data)
    relevance = [mutual_information(column, CANCER.target) for column in binned.T]
    assert selector.relevance_ == pytest.approx(relevance, abs=1e-15)
    taken: list[int] = []
    for feature, score in zip(selector.selected_, selector.scores_, strict=True):
        rest = [f for f in range(30) if f not in taken]
        worth = [relevance[f] - 0.3 * sum(mutual_information(binned[:, f], binned[:, t]) for t in taken) for f in rest]
        assert feature == rest[int(np.argmax(worth))]
        assert score == pytest.approx(max(worth), abs=1e-12)
        taken.append(feature)
    assert 0 < len(taken) < 30


@pytest.mark.parametrize("probe", ["uniform", "normal", "permuted"])
def test_probes_end_the_selection(probe: str) -> None:
    noise = np.random.default_rng(4).random((300, 20))
    y = noise[:, 3] > 0.5
    one, many = (MIFSSelector(n_probes=k, probe=probe, random_state=1).fit(noise, y) for k in (1, 50))
    assert one.selected_[0] == many.selected_[0] == 3
    assert many.n_features_ <= one.n_features_ < 20
    again = MIFSSelector(n_probes=50, probe=probe, random_state=1).fit(noise, y)
    assert (again.selected_ == many.selected_).all()


def test_mifs_of_missing_values_categories_and_numbers() -> None:
    rng = np.random.default_rng(5)
    number = rng.random(300)
    x = pd.DataFrame({"noise": rng.random(300), "half": np.where(number < 0.5, np.nan, 1.0)})
    x["third"] = pd.Categorical(np.digitize(number, [1 / 3, 2 / 3]).astype(str))
    selector = MIFSSelector(n_probes=20, random_state=1, correction="miller-madow").fit(x, number)
    # With 20 bins of the label, noise may beat a probe; it comes last.
    assert x.columns[selector.selected_[:2]].tolist() == ["third", "half"]


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"beta": "much"}, TypeError, "beta must be a number"),
        ({"n_probes": 0}, ValueError, "n_probes must be a whole number of at least 1"),
        ({"probe": "cauchy"}, ValueError, "probe must be one of 'uniform', 'normal', 'permuted'"),
        ({"bins": 1.5}, ValueError, "bins must be a whole number"),
        ({"correction": "none"}, ValueError, "correction must be one of 'miller-madow'"),
    ],
)
def test_wrong_arguments(how: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        MIFSSelector(**how).fit(WINE.data, WINE.target)
