"""RBoostClassifier and RBoostSelector: scikit-learn's checks, attributes, real data, threads, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.papers.rboost import boosting_rounds
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRule
from pyrrf.sklearn import RBoostClassifier, RBoostSelector

# A weight of 2 is not a row twice where rows are drawn: scikit-learn says the same of its forests.
DRAWN = {"check_sample_weight_equivalence_on_dense_data": "rows are drawn"}
CANCER = load_breast_cancer()


def expected_failures(estimator: Any) -> dict[str, str]:
    return DRAWN if estimator.boosting == "resample" else {}


@parametrize_with_checks(
    [
        RBoostClassifier(5),
        RBoostClassifier(5, boosting="reweight", max_depth=2, max_features=None, criterion="gini"),
        RBoostSelector(5),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def cancer() -> RBoostClassifier:
    return RBoostClassifier(30, random_state=1).fit(CANCER.data, CANCER.target)


def test_attributes_agree(cancer: RBoostClassifier) -> None:
    assert len(cancer.estimators_) == len(cancer.estimator_weights_) == len(cancer.n_selected_path_) == 30
    assert cancer.end_ == ""
    error = cancer.estimator_errors_
    assert ((error > 0) & (error < 0.5)).all()
    np.testing.assert_allclose(cancer.estimator_weights_, np.log((1 - error) / error))
    assert (np.diff(cancer.n_selected_path_) >= 0).all()
    assert cancer.n_selected_path_[-1] == cancer.n_features_ == cancer.support_.sum()
    split = np.concatenate([tree.split_var for tree in cancer.estimators_])
    assert (np.flatnonzero(cancer.support_) + 1).tolist() == np.unique(split[split > 0]).tolist()
    assert cancer.feature_importances_.sum() == pytest.approx(1)
    assert ((cancer.feature_importances_ > 0) == cancer.support_).all()


def test_stages_end_at_predict(cancer: RBoostClassifier) -> None:
    stages = list(cancer.staged_predict(CANCER.data))
    assert len(stages) == 30
    assert (stages[-1] == cancer.predict(CANCER.data)).all()
    # After one and two rounds the first tree decides, by its own vote or because its error is below the second's.
    alone = RBoostClassifier(1, random_state=1).fit(CANCER.data, CANCER.target)
    assert (stages[0] == alone.predict(CANCER.data)).all()
    mistakes = [(stage != CANCER.target).sum() for stage in stages]
    assert mistakes[0] > mistakes[-1] == 0


def test_shares_of_weighted_votes(cancer: RBoostClassifier) -> None:
    votes = np.zeros((len(CANCER.data), 2))
    for tree, weight in zip(cancer.estimators_, cancer.estimator_weights_, strict=True):
        for row, x in enumerate(CANCER.data):
            node = 0
            while tree.split_var[node]:
                node = tree.left[node] - (x[tree.split_var[node] - 1] <= tree.split_point[node])
            votes[row, int(tree.prediction[node]) - 1] += weight
    np.testing.assert_allclose(cancer.predict_proba(CANCER.data), votes / votes.sum(axis=1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_stumps_are_those_of_the_rounds(criterion: str) -> None:
    # Stumps by all features, on all rows: nothing is drawn.
    x, y = load_wine(return_X_y=True)
    stumps = RBoostClassifier(
        12, penalty=0.7, boosting="reweight", max_depth=1, max_features=None, criterion=criterion, random_state=1
    ).fit(x[:130], y[:130])
    data = TreeData(values=x[:130], ncat=np.ones(13, np.int32), response=y[:130].astype(np.int32), nclass=2)
    rule = TreeRule(
        mtry=13, max_depth=1, coef_reg=0.7, weighted=True, entropy=criterion == "entropy", penalize_gain=True
    )
    rounds = list(islice(boosting_rounds(TreeMaker(data, rule), np.ones(130), seed=5, resample=False), 12))
    split = [one.grown.tree.split_var[0] - 1 for one in rounds]
    assert [tree.split_var[0] - 1 for tree in stumps.estimators_] == split
    assert len(set(split)) > 2
    # A stump's decrease is that of its one feature.
    votes = np.array([one.vote for one in rounds])
    shares = [votes[np.array(split) == m].sum() / votes.sum() for m in range(13)]
    np.testing.assert_allclose(stumps.feature_importances_, shares, rtol=1e-12)


def test_few_features_predict_as_well() -> None:
    boost = RBoostClassifier(50, random_state=1)
    assert cross_val_score(boost, CANCER.data, CANCER.target, cv=3).mean() > 0.94
    sizes = [
        np.mean(
            [
                RBoostSelector(20, penalty=penalty, random_state=s).fit(*load_wine(return_X_y=True)).n_features_
                for s in range(5)
            ]
        )
        for penalty in (1.0, 0.5, 0.1)
    ]
    assert sizes[0] > sizes[1] > sizes[2]


def test_the_selector_keeps_the_classifiers_features() -> None:
    frame = pd.DataFrame(CANCER.data, columns=CANCER.feature_names)
    selector = RBoostSelector(10, random_state=1, boosting="reweight", max_depth=2).fit(frame, CANCER.target)
    boost = RBoostClassifier(10, random_state=1, boosting="reweight", max_depth=2).fit(frame, CANCER.target)
    assert (selector.support_ == boost.support_).all()
    assert selector.get_feature_names_out().tolist() == CANCER.feature_names[boost.support_].tolist()
    kept = selector.set_output(transform="pandas").transform(frame)
    assert kept.columns.tolist() == CANCER.feature_names[boost.support_].tolist()


@pytest.mark.parametrize("rule", [{}, {"boosting": "reweight", "max_depth": 2}], ids=["resample", "reweight"])
def test_one_seed_one_answer(rule: dict[str, Any]) -> None:
    one = RBoostClassifier(10, random_state=3, **rule).fit(CANCER.data, CANCER.target)
    for n_jobs in (2, 3, -1):
        other = RBoostClassifier(10, random_state=3, n_jobs=n_jobs, **rule).fit(CANCER.data, CANCER.target)
        for name in ("estimator_errors_", "estimator_weights_", "n_selected_path_", "support_", "feature_importances_"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        np.testing.assert_array_equal(one.predict_proba(CANCER.data), other.predict_proba(CANCER.data))
    again = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(one.predict_proba(CANCER.data), again.predict_proba(CANCER.data))
    if not rule:
        other = RBoostClassifier(10, random_state=4).fit(CANCER.data, CANCER.target)
        assert (one.estimator_errors_ != other.estimator_errors_).any()


def test_rows_without_weight_are_never_drawn() -> None:
    # Rows with turned labels have no weight: what is learned is as without them.
    wrong = np.arange(len(CANCER.target)) % 3 == 0
    y = np.where(wrong, 1 - CANCER.target, CANCER.target)
    fit = RBoostClassifier(20, random_state=1).fit(CANCER.data, y, sample_weight=~wrong)
    assert (fit.predict(CANCER.data)[~wrong] == y[~wrong]).all()
    assert (fit.predict(CANCER.data)[wrong] != y[wrong]).mean() > 0.9


def test_missing_values_and_categories() -> None:
    rng = np.random.default_rng(2)
    colour = rng.choice(["red", "green", "blue", "grey"], 150)
    number = rng.standard_normal(150)
    number[::7] = np.nan
    frame = pd.DataFrame({"noise": rng.random(150), "colour": pd.Categorical(colour), "number": number})
    y = np.where(np.isin(colour, ["red", "blue"]) ^ (np.nan_to_num(number) > 0), "a", "b")
    fit = RBoostClassifier(20, random_state=1).fit(frame, y)
    assert (fit.predict(frame) == y).all()
    assert fit.support_.tolist()[1:] == [True, True]


def test_the_only_tree_counts() -> None:
    x, y = np.arange(20.0).reshape(20, 1), np.arange(20) >= 10
    fit = RBoostClassifier(5, boosting="reweight", max_depth=1).fit(x, y)
    assert (fit.end_, fit.estimator_weights_.tolist(), fit.estimator_errors_.tolist()) == ("no error", [1.0], [0.0])
    assert (fit.predict(x) == y).all()


def test_rounds_end_without_the_tree_that_ends_them() -> None:
    x, y = np.arange(30.0).reshape(30, 1), np.arange(30) >= 15
    fits = [RBoostClassifier(40, random_state=seed, max_draws=1).fit(x, y) for seed in range(20)]
    ended = [fit for fit in fits if len(fit.estimators_) > 1]
    assert ended
    for fit in ended:
        assert fit.end_ == "no error"
        assert len(fit.estimators_) == len(fit.n_selected_path_) < 40
        assert (fit.estimator_errors_ > 0).all()


def test_a_dropped_tree_leaves_nothing_in_f() -> None:
    y = CANCER.target.astype(np.int32)
    data = TreeData(values=CANCER.data, ncat=np.ones(30, np.int32), response=y, nclass=2)
    first, second = islice(boosting_rounds(TreeMaker(data, TreeRule(mtry=1)), np.ones(len(y)), seed=1), 2)
    assert first.used.sum() < second.used.sum()
    fit = RBoostClassifier()
    fit._keep([first, replace(second, end="no error")])
    assert fit.support_.tolist() == first.used.astype(bool).tolist()
    assert len(fit.estimators_) == 1


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    RBoostClassifier(5, random_state=1, verbose=1).fit(CANCER.data, CANCER.target)
    assert "/5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators must be a whole number of at least 1"),
        ({"penalty": 0}, ValueError, "penalty must be above 0, or no feature could be selected"),
        ({"penalty": 1.5}, ValueError, "penalty must be above 0.* and at most 1, not 1.5"),
        ({"penalty": "strong"}, TypeError, "penalty must be a number"),
        ({"max_features": "square"}, ValueError, "max_features must be"),
        ({"criterion": "variance"}, ValueError, "criterion must be one of 'entropy', 'gini', not 'variance'"),
        ({"boosting": "real"}, ValueError, "boosting must be one of 'resample', 'reweight', not 'real'"),
        ({"boosting": "reweight"}, ValueError, "'reweight' needs max_depth: a tree without a bound fits every row"),
        ({"max_depth": 0}, ValueError, "max_depth must be a whole number of at least 1"),
        ({"max_draws": 0}, ValueError, "max_draws must be a whole number of at least 1"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be"),
    ],
)
def test_wrong_arguments(wrong: dict[str, Any], error: type[Exception], message: str) -> None:
    for kind in (RBoostClassifier, RBoostSelector):
        with pytest.raises(error, match=message):
            kind(**wrong).fit(CANCER.data, CANCER.target)


@pytest.mark.parametrize(
    ("weight", "message"),
    [(np.zeros(569), r"ample.weights?.*(non-zero|are 0)"), (-np.ones(569), "Negative values"), (np.ones(3), "shape")],
)
def test_wrong_weights(weight: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RBoostClassifier().fit(CANCER.data, CANCER.target, sample_weight=weight)
