"""The Max-Dependency tree and selector: scikit-learn's checks, bins, categories, real data, and what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.papers.information import equal_width_bins, mutual_information
from pyrrf.sklearn import MaxDependencyClassifier, MaxDependencySelector

CANCER = load_breast_cancer()


@parametrize_with_checks([MaxDependencyClassifier(), MaxDependencyClassifier(2, bins=3), MaxDependencySelector()])
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_the_first_feature_tells_most() -> None:
    fit = MaxDependencySelector(1, bins=5).fit(CANCER.data, CANCER.target)
    codes = equal_width_bins(CANCER.data, 5)
    told = [mutual_information(codes[:, m], CANCER.target) for m in range(codes.shape[1])]
    assert fit.selected_.tolist() == [int(np.argmax(told))]
    assert fit.information_[0] == pytest.approx(max(told), rel=1e-12)


def test_real_data() -> None:
    tree = MaxDependencyClassifier(3, bins=5)
    assert cross_val_score(tree, CANCER.data, CANCER.target, cv=3).mean() > 0.9
    fit = MaxDependencyClassifier(bins=10).fit(CANCER.data, CANCER.target)
    # It ends where nothing is left to tell: all rows of a node have one class.
    assert fit.score(CANCER.data, CANCER.target) == 1
    share = CANCER.target.mean()
    entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    assert fit.information_.sum() == pytest.approx(entropy)
    assert fit.n_features_ == len(fit.selected_) == fit.support_.sum() < 12
    assert np.flatnonzero(fit.support_).tolist() == sorted(fit.selected_.tolist())


def test_the_selector_keeps_the_trees_features() -> None:
    frame = pd.DataFrame(CANCER.data, columns=CANCER.feature_names)
    selector = MaxDependencySelector(4).fit(frame, CANCER.target)
    tree = MaxDependencyClassifier(4).fit(frame, CANCER.target)
    assert selector.selected_.tolist() == tree.selected_.tolist()
    assert selector.get_feature_names_out().tolist() == CANCER.feature_names[tree.support_].tolist()
    assert selector.transform(frame).shape == (569, 4)


def test_the_end_by_what_a_level_tells() -> None:
    every = MaxDependencyClassifier().fit(CANCER.data, CANCER.target)
    least = (every.information_[1] + every.information_[2]) / 2
    fit = MaxDependencyClassifier(min_information=least).fit(CANCER.data, CANCER.target)
    assert fit.selected_.tolist() == every.selected_[:2].tolist()
    none = MaxDependencyClassifier(min_information=2.0).fit(CANCER.data, CANCER.target)
    assert none.n_features_ == 0
    np.testing.assert_allclose(none.predict_proba(CANCER.data[:1])[0, 1], CANCER.target.mean())


def test_bins_are_those_of_the_training_data() -> None:
    x, y = np.array([[0.0], [1.0], [9.0], [10.0]]), np.array([0, 0, 1, 1])
    fit = MaxDependencyClassifier(bins=2).fit(x, y)
    # Each row alone has no range; beyond the training data, the bins at the ends go on.
    for value, expected in ((4.9, 0), (5.1, 1), (-100.0, 0), (100.0, 1)):
        assert fit.predict([[value]]).tolist() == [expected]


def test_missing_values_are_a_category() -> None:
    x = np.array([[np.nan, 0.0], [np.nan, 1.0], [0.0, 0.0], [1.0, 1.0], [2.0, np.nan]])
    y = np.array(["lost", "lost", "found", "found", "found"])
    fit = MaxDependencyClassifier(1).fit(x, y)
    assert fit.selected_.tolist() == [0]
    assert fit.predict(np.array([[np.nan, 3.0], [0.5, 0.0], [1.1, np.nan]])).tolist() == ["lost", "found", "found"]
    # No row lacked the second column in a node where the first was not missing, but for one.
    assert MaxDependencyClassifier().fit(x[:, 1:], y).predict([[np.nan]]).tolist() == ["found"]


def test_categories_have_a_node_each() -> None:
    rng = np.random.default_rng(3)
    colour = rng.permutation(np.repeat(["red", "green", "blue", "grey"], 15))
    frame = pd.DataFrame({"noise": rng.random(60), "colour": pd.Categorical(colour)})
    y = np.where(np.isin(colour, ["red", "blue"]), "warm", "cold")
    fit = MaxDependencyClassifier().fit(frame, y)
    assert fit.selected_.tolist() == [1]
    assert fit.information_[0] == pytest.approx(1, rel=1e-12)
    assert len(fit.levels_[0].keys) == 4
    assert (fit.predict(frame) == y).all()
    numbers = frame.assign(colour=frame["colour"].cat.codes * 1.5)
    named = MaxDependencyClassifier(categorical_features=["colour"], bins=2).fit(numbers, y)
    assert (named.predict(numbers) == y).all()


def test_it_is_pickled_and_shows_progress(capsys: pytest.CaptureFixture[str]) -> None:
    fit = MaxDependencyClassifier(3, verbose=1).fit(CANCER.data, CANCER.target)
    assert "/3" in capsys.readouterr().err
    again = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(fit.predict_proba(CANCER.data), again.predict_proba(CANCER.data))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_features_to_select": 0}, ValueError, "n_features_to_select must be a whole number of at least 1"),
        ({"bins": 0}, ValueError, "bins must be a whole number of at least 1"),
        ({"bins": "many"}, TypeError, "bins must be a number"),
        ({"min_information": np.nan}, ValueError, "min_information must be a finite number"),
    ],
)
def test_wrong_arguments(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    for kind in (MaxDependencyClassifier, MaxDependencySelector):
        with pytest.raises(error, match=message):
            kind(**wrong).fit(CANCER.data, CANCER.target)
