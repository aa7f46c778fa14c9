"""RBoost: its rounds by hand, in slow loops and as Weka's; the classifier and the selector; the penalty of a gain."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import cross_val_score

from pyrrf._core.criteria import Criterion, Penalty
from pyrrf._core.records import Trees
from pyrrf.papers import RBoostClassifier, RBoostSelector
from pyrrf.papers.rboost import BoostingRound, boosted_weights, boosting_rounds, predicted_rows
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRule
from tests.papers.oracles import best_gain, entropy, gini

# Six rows of one feature, and three stumps by information gain, worked out by hand. The weights are those before each
# round; its wrong rows; its error.
SIX_X = np.arange(1.0, 7.0).reshape(6, 1)
SIX_Y = np.array([0, 0, 1, 1, 1, 0], np.int32)
SIX_WEIGHTS = [
    [Fraction(1, 6)] * 6,
    [Fraction(1, 10)] * 5 + [Fraction(1, 2)],
    [Fraction(1, 4)] * 2 + [Fraction(1, 16)] * 3 + [Fraction(5, 16)],
    [Fraction(2, 13)] * 2 + [Fraction(1, 6)] * 3 + [Fraction(5, 26)],
]
SIX_WRONG = [[5], [0, 1], [2, 3, 4]]
SIX_ERRORS = [Fraction(1, 6), Fraction(1, 5), Fraction(3, 16)]
SIX_CUTS = [2.5, 5.5, 2.5]


def as_floats(values: list[Fraction]) -> np.ndarray:
    return np.array([float(value) for value in values])


def make_data(x: np.ndarray, y: np.ndarray, ncat: list[int] | None = None) -> TreeData:
    levels = np.array(ncat or [1] * x.shape[1], np.int32)
    return TreeData(values=x, ncat=levels, response=y.astype(np.int32), nclass=int(y.max()) + 1)


def boost(data: TreeData, n_rounds: int, *, seed: int = 1, max_draws: int = 10, **rule: Any) -> list[BoostingRound]:
    rule = {"mtry": data.shape[1], "coef_reg": 0.5, "criterion": Criterion.ENTROPY, "penalty": Penalty.GAIN, **rule}
    how = {"seed": seed, "resample": not rule.get("weighted"), "max_draws": max_draws}
    return list(islice(boosting_rounds(TreeMaker(data, TreeRule(**rule)), np.ones(data.shape[0]), **how), n_rounds))


def walk(tree: Trees, row: np.ndarray, ncat: np.ndarray) -> int:
    """The class that a tree gives to a row, from 0, one node after the other."""
    node = 0
    while tree.split_var[node] > 0:
        feature = tree.split_var[node] - 1
        value, point = row[feature], tree.split_point[node]
        if math.isnan(value):
            left = bool(tree.missing_left[node])
        elif ncat[feature] > 1:
            left = bool(int(point) >> (int(value) - 1) & 1)
        else:
            left = value <= point
        node = tree.left[node] - 1 + (not left)
    return int(tree.prediction[node]) - 1


# ---- one step ------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", range(3))
def test_three_steps_by_hand(step: int) -> None:
    wrong = np.isin(np.arange(6), SIX_WRONG[step])
    error, vote, after = boosted_weights(as_floats(SIX_WEIGHTS[step]), wrong)
    assert error == pytest.approx(float(SIX_ERRORS[step]), rel=1e-14)
    assert vote == pytest.approx(math.log([5, 4, Fraction(13, 3)][step]), rel=1e-14)
    np.testing.assert_allclose(after, as_floats(SIX_WEIGHTS[step + 1]), rtol=1e-14)


@given(st.lists(st.tuples(st.integers(1, 1000), st.booleans()), min_size=2, max_size=30))
def test_wrong_rows_get_half_of_the_weight(rows: list[tuple[int, bool]]) -> None:
    weight = np.array([row[0] for row in rows], float)
    wrong = np.array([row[1] for row in rows])
    error, vote, after = boosted_weights(weight / weight.sum(), wrong)
    if wrong.all() or not wrong.any():
        assert error == pytest.approx(float(wrong.all()))
        return
    assert after[wrong].sum() == pytest.approx(0.5)
    assert after.sum() == pytest.approx(1)
    assert 1 / (1 + math.exp(vote)) == pytest.approx(error)


def test_no_error_and_nothing_but_errors_leave_the_weights() -> None:
    weight = np.array([0.25, 0.75])
    for wrong, error, vote in ((False, 0.0, math.inf), (True, 1.0, -math.inf)):
        found = boosted_weights(weight, np.full(2, wrong))
        assert found[:2] == (error, vote)
        np.testing.assert_array_equal(found[2], weight)


# ---- rounds --------------------------------------------------------------------------------------


def test_three_rounds_by_hand() -> None:
    rounds = boost(make_data(SIX_X, SIX_Y), 3, weighted=True, max_depth=1)
    np.testing.assert_allclose([one.error for one in rounds], as_floats(SIX_ERRORS), rtol=1e-12)
    np.testing.assert_allclose([one.vote for one in rounds], np.log(as_floats([5, 4, Fraction(13, 3)])), rtol=1e-12)
    assert [one.grown.tree.split_point[0] for one in rounds] == SIX_CUTS
    assert [np.flatnonzero(predicted_rows(one.grown) != SIX_Y).tolist() for one in rounds] == SIX_WRONG
    assert [one.used.tolist() for one in rounds] == [[1]] * 3
    assert not any(one.end for one in rounds)


def mixed_data(n: int = 80) -> TreeData:
    """Numbers, one of them missing here and there, and a factor of four levels; three classes that overlap."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((n, 4))
    x[::9, 1] = np.nan
    x[:, 3] = rng.integers(1, 5, n)
    score = x[:, 0] + 0.5 * (x[:, 3] > 2) + rng.standard_normal(n)
    return make_data(x, np.digitize(score, [-0.5, 0.7]), [1, 1, 1, 4])


@pytest.mark.parametrize("rule", [{}, {"weighted": True, "max_depth": 3}], ids=["resample", "reweight"])
def test_errors_and_votes_against_a_slow_loop(rule: dict[str, Any]) -> None:
    data = mixed_data()
    n, _ = data.shape
    rounds = boost(data, 12, mtry=2, **rule)
    assert len(rounds) == 12
    weight = [1.0 / n] * n
    for one in rounds:
        wrong = [walk(one.grown.tree, row, data.ncat) != y for row, y in zip(data.values, data.response, strict=True)]
        error = sum(w for w, bad in zip(weight, wrong, strict=True) if bad)
        assert one.error == pytest.approx(error, rel=1e-9)
        assert one.vote == pytest.approx(math.log((1 - error) / error), rel=1e-9)
        weight = [w * ((1 - error) / error if bad else 1) for w, bad in zip(weight, wrong, strict=True)]
        weight = [w / sum(weight) for w in weight]


def test_bags_are_drawn_by_the_weights() -> None:
    # The root's totals are those of its bag. Rows of class 1 have the weight 9 to 1.
    data = make_data(np.arange(200.0).reshape(100, 2), np.arange(100) % 2)
    maker = TreeMaker(data, TreeRule(mtry=2))
    start = np.where(data.response == 1, 9.0, 1.0)
    totals = [next(boosting_rounds(maker, start, seed=seed)).grown.total[0] for seed in range(40)]
    assert np.sum(totals, axis=1).tolist() == [100.0] * 40
    # Binomial, 4,000 draws: the standard error of the share is .0047.
    assert np.mean(totals, axis=0)[1] / 100 == pytest.approx(0.9, abs=0.019)


def test_f_is_what_the_trees_split_by() -> None:
    rounds = boost(mixed_data(), 10, mtry=1)
    seen: set[int] = set()
    for one in rounds:
        seen |= set(one.grown.tree.split_var[one.grown.tree.split_var > 0].tolist())
        assert (np.flatnonzero(one.used) + 1).tolist() == sorted(seen)


@pytest.mark.parametrize("impurity", [entropy, gini])
@pytest.mark.parametrize("penalty", [1.0, 0.8, 0.5, 0.2])
def test_a_new_feature_must_gain_more_than_those_in_f(penalty: float, impurity: Any) -> None:
    rng = np.random.default_rng(15)
    x = rng.standard_normal((40, 5))
    y = (x[:, 0] + x[:, 1] + 0.8 * x[:, 2] + rng.standard_normal(40) > 0).astype(np.int32)
    data = make_data(x, y)
    criterion = Criterion.ENTROPY if impurity is entropy else Criterion.GINI
    rounds = boost(data, 8, weighted=True, max_depth=1, coef_reg=penalty, criterion=criterion)
    weight, chosen = [1 / 40] * 40, []
    for one in rounds:
        gains = [best_gain(x[:, m], y, impurity, weight) * (1 if m in chosen else penalty) for m in range(5)]
        chosen.append(int(np.argmax(gains)))
        assert one.grown.tree.split_var[0] - 1 == chosen[-1]
        weight = boosted_weights(np.array(weight), predicted_rows(one.grown) != y)[2].tolist()
    # The case tells penalties apart.
    assert len(set(chosen)) == {1.0: 4, 0.8: 4, 0.5: 3, 0.2: 1}[penalty] + (impurity is gini)


# ---- what ends the rounds ------------------------------------------------------------------------


def test_a_tree_without_errors_ends_them_at_once() -> None:
    data = make_data(SIX_X, np.array([0, 0, 0, 1, 1, 1]))
    (only,) = boost(data, 5, weighted=True, max_depth=1)
    assert (only.end, only.error, only.vote, only.used.tolist()) == ("no error", 0.0, 1.0, [1])


def test_with_weights_a_tree_without_a_bound_ends_them_at_once() -> None:
    # The classes overlap, but no two rows are alike: this is why the estimator refuses it.
    data = mixed_data()
    assert [one.end for one in boost(data, 5, mtry=2, weighted=True)] == ["no error"]
    assert [one.end for one in boost(data, 5, mtry=2)] == [""] * 5


def test_an_error_of_one_half_ends_them() -> None:
    # XOR: no stump gains anything, so the tree is a leaf, and half of the rows are wrong.
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    (only,) = boost(make_data(corners, np.array([0, 1, 1, 0])), 5, weighted=True, max_depth=1)
    assert (only.end, only.error, only.vote, only.used.tolist()) == ("error of one half", 0.5, 1.0, [0, 0])


def test_bags_without_errors_are_drawn_again() -> None:
    # Nearly separable: some bags give a tree without errors, others do not.
    x = np.arange(30.0).reshape(30, 1)
    y = (np.arange(30) >= 15).astype(np.int32)
    short, long = (boost(make_data(x, y), 40, seed=4, max_draws=draws) for draws in (1, 10))
    assert short[-1].end == "no error"
    assert 1 < len(short) < len(long)
    assert all(one.error > 0 for one in long[:-1])
    # Up to there the rounds are the same, because each bag has its own stream.
    for one, other in zip(short[:-1], long, strict=False):
        assert (one.error, one.vote) == (other.error, other.vote)


# ---- estimators ----------------------------------------------------------------------------------

CANCER = load_breast_cancer()


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
            votes[row, walk(tree, x, np.ones(30))] += weight
    np.testing.assert_allclose(cancer.predict_proba(CANCER.data), votes / votes.sum(axis=1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_stumps_are_those_of_the_rounds(criterion: str) -> None:
    # Stumps by all features, on all rows: nothing is drawn.
    x, y = load_wine(return_X_y=True)
    stumps = RBoostClassifier(
        12, penalty=0.7, boosting="reweight", max_depth=1, max_features=None, criterion=criterion, random_state=1
    ).fit(x[:130], y[:130])
    data = make_data(x[:130], y[:130])
    rule = {"coef_reg": 0.7, "criterion": Criterion[criterion.upper()]}
    rounds = boost(data, 12, seed=5, max_depth=1, weighted=True, **rule)
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
    wine, sizes = load_wine(return_X_y=True), []
    for penalty in (1.0, 0.5, 0.1):
        fits = [RBoostSelector(20, penalty=penalty, random_state=seed).fit(*wine) for seed in range(5)]
        sizes.append(np.mean([fit.n_features_ for fit in fits]))
    assert sizes[0] > sizes[1] > sizes[2]


def test_rows_without_weight_are_never_drawn() -> None:
    # Rows with turned labels have no weight: what is learned is as without them.
    wrong = np.arange(len(CANCER.target)) % 3 == 0
    y = np.where(wrong, 1 - CANCER.target, CANCER.target)
    fit = RBoostClassifier(20, random_state=1).fit(CANCER.data, y, sample_weight=~wrong)
    assert (fit.predict(CANCER.data)[~wrong] == y[~wrong]).all()
    assert (fit.predict(CANCER.data)[wrong] != y[wrong]).mean() > 0.9


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
    first, second = boost(make_data(CANCER.data, CANCER.target), 2, mtry=1)
    assert first.used.sum() < second.used.sum()
    fit = RBoostClassifier()
    fit._keep([first, replace(second, end="no error")])
    assert fit.support_.tolist() == first.used.astype(bool).tolist()
    assert len(fit.estimators_) == 1


@pytest.mark.parametrize(
    ("weight", "message"),
    [(np.zeros(569), r"ample.weights?.*(non-zero|are 0)"), (-np.ones(569), "Negative values"), (np.ones(3), "shape")],
)
def test_wrong_weights_of_rows(weight: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RBoostClassifier().fit(CANCER.data, CANCER.target, sample_weight=weight)


# ---- Weka ----------------------------------------------------------------------------------------

# Feature, cut and vote of each round of Weka 3.6.14, which prints votes with two digits:
# java weka.classifiers.meta.AdaBoostM1 -t FILE -I 20 -no-cv -W weka.classifiers.trees.DecisionStump
# Its stumps, too, take the greatest information gain; with 40 rounds they are also the same on sonar, ionosphere,
# parkinsons and wdbc.
WEKA = {
    "cancer": [
        (22, 105.95, 2.43), (27, 0.1603, 1.77), (21, 23.35, 1.45), (7, 0.049229999999999996, 1.32),
        (1, 21.295, 0.94), (13, 34.405, 0.92), (24, 0.13715, 0.68), (22, 85.095, 1.21),
        (15, 0.01118, 0.82), (22, 127.19999999999999, 0.33), (22, 127.19999999999999, 0.47),
        (26, 0.20795, 0.91), (10, 0.54785, 0.67), (18, 0.01795, 0.95),
        (28, 0.32125000000000004, 0.62), (8, 0.1527, 0.97), (22, 120.35, 0.56), (1, 15.695, 0.76),
        (5, 0.066735, 0.81), (4, 0.08854000000000001, 0.83),
    ],
    "wine": [
        (6, 1.5750000000000002, 0.41), (9, 3.82, 0.75), (6, 1.5750000000000002, 0.86),
        (12, 755.0, 0.94), (6, 1.5750000000000002, 0.91), (6, 1.4, 0.77), (6, 2.31, 0.71),
        (11, 2.475, 0.47), (6, 2.1799999999999997, 0.32), (6, 2.1799999999999997, 0.35),
        (6, 1.5750000000000002, 0.33), (6, 2.1799999999999997, 0.28), (6, 1.5750000000000002, 0.25),
        (6, 2.1799999999999997, 0.22), (11, 2.475, 0.21), (6, 2.1799999999999997, 0.17),
        (6, 1.5750000000000002, 0.18), (6, 2.1799999999999997, 0.16), (6, 1.5750000000000002, 0.15),
        (6, 1.5750000000000002, 0.15),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", WEKA)
def test_stumps_and_votes_of_weka(name: str) -> None:
    x, y = {"cancer": load_breast_cancer, "wine": load_wine}[name](return_X_y=True)
    boost = RBoostClassifier(20, penalty=1.0, max_features=None, max_depth=1, boosting="reweight").fit(x, y)
    found = [(int(tree.split_var[0]) - 1, float(tree.split_point[0])) for tree in boost.estimators_]
    assert found == [(feature, cut) for feature, cut, _ in WEKA[name]]
    votes = np.array([vote for _, _, vote in WEKA[name]])
    np.testing.assert_allclose(boost.estimator_weights_, votes, rtol=0, atol=0.00501)
