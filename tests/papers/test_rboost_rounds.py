"""Rounds of RBoost against hand computation and slow loops: weights, errors, what ends them, the penalty of a gain."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrrf._core.records import Trees
from pyrrf.papers.rboost import BoostingRound, boosted_weights, boosting_rounds, predicted_rows
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule

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
    rule = {"mtry": data.shape[1], "coef_reg": 0.5, "entropy": True, "penalize_gain": True, **rule}
    chosen = TreeRule(**rule)
    start = np.ones(data.shape[0])
    resample = not chosen.weighted
    return list(
        islice(
            boosting_rounds(TreeMaker(data, chosen), start, seed=seed, resample=resample, max_draws=max_draws), n_rounds
        )
    )


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


# ---- one step --------------------------------------------------------------------------------------


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


# ---- rounds ----------------------------------------------------------------------------------------


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


# ---- the penalty -----------------------------------------------------------------------------------


def entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


def gini(weights: list[float]) -> float:
    return 1 - sum((w / sum(weights)) ** 2 for w in weights)


def stump_gain(impurity: Any, x: np.ndarray, y: np.ndarray, weight: list[float]) -> float:
    """By how much the best cut of a column lowers the impurity, by trying all."""

    def of_part(rows: list[int]) -> float:
        parts = [sum(weight[row] for row in rows if y[row] == k) for k in (0, 1)]
        return sum(parts) * impurity(parts)

    everyone = list(range(len(x)))
    cuts = sorted(set(x))[:-1]
    parted = [
        of_part([r for r in everyone if x[r] <= cut]) + of_part([r for r in everyone if x[r] > cut]) for cut in cuts
    ]
    return of_part(everyone) - min(parted)


@pytest.mark.parametrize("impurity", [entropy, gini])
@pytest.mark.parametrize("penalty", [1.0, 0.8, 0.5, 0.2])
def test_a_new_feature_must_gain_more_than_those_in_f(penalty: float, impurity: Any) -> None:
    rng = np.random.default_rng(15)
    x = rng.standard_normal((40, 5))
    y = (x[:, 0] + x[:, 1] + 0.8 * x[:, 2] + rng.standard_normal(40) > 0).astype(np.int32)
    data = make_data(x, y)
    rounds = boost(data, 8, weighted=True, max_depth=1, coef_reg=penalty, entropy=impurity is entropy)
    weight, chosen = [1 / 40] * 40, []
    for one in rounds:
        gains = [stump_gain(impurity, x[:, m], y, weight) * (1 if m in chosen else penalty) for m in range(5)]
        chosen.append(int(np.argmax(gains)))
        assert one.grown.tree.split_var[0] - 1 == chosen[-1]
        weight = boosted_weights(np.array(weight), predicted_rows(one.grown) != y)[2].tolist()
    # The case tells penalties apart.
    assert len(set(chosen)) == {1.0: 4, 0.8: 4, 0.5: 3, 0.2: 1}[penalty] + (impurity is gini)


# ---- what ends the rounds --------------------------------------------------------------------------


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


@pytest.mark.parametrize("weight", [[0.5, 0.5, 0.0], [1.5, -0.5], [0.5, 0.4], [np.nan, 1.0]])
def test_wrong_weights(weight: list[float]) -> None:
    with pytest.raises(ValueError, match=r"weight: pass a weight for each row"):
        boosted_weights(np.array(weight), np.array([True, False]))


def test_positions_are_not_taken_for_wrong_rows() -> None:
    with pytest.raises(ValueError, match="wrong must hold True and False, not dtype int64"):
        boosted_weights(np.array([0.5, 0.5]), np.array([1, 0]))


def test_rows_without_leaves_are_refused() -> None:
    data = make_data(SIX_X, SIX_Y)
    grown = TreeMaker(data, TreeRule(mtry=1)).grow(TreeRequest(seed=1, stream=0))
    with pytest.raises(ValueError, match=r"leaves=True"):
        predicted_rows(grown)
