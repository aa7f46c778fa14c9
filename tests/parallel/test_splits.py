"""RRF(engine="parallel"): how a split is judged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.parallel.problems import KINDS, data, fit, same


def test_entropy_is_another_criterion() -> None:
    x, y = data("classes")
    gini, entropy = fit(x, y, flagReg=0), fit(x, y, flagReg=0, criterion="entropy")
    assert same(gini, fit(x, y, flagReg=0, criterion="gini"))
    assert not np.array_equal(gini.outcome.importance, entropy.outcome.importance)
    assert set(np.argsort(entropy.outcome.importance[:, -1])[-2:]) == {0, 1}


def test_entropy_of_a_first_split_is_the_best_one() -> None:
    """A tree of one split on all rows takes the cut of largest decrease in entropy."""
    x, y = data("classes", n=40, p=2)
    x = x[:, :1]
    codes = (y == "low").astype(float)

    def entropy(part: np.ndarray) -> float:
        share = part.mean()
        return -sum(s * np.log(s) for s in (share, 1 - share) if s > 0) * len(part)

    values = np.sort(x[:, 0])
    cuts = (values[1:] + values[:-1]) / 2
    gains = [entropy(codes) - entropy(codes[x[:, 0] <= c]) - entropy(codes[x[:, 0] > c]) for c in cuts]
    result = fit(x, y, criterion="entropy", max_depth=1, replace=False, sampsize=40, ntree=1)
    assert pyrrf.getTree(result, 1).loc[1, "split point"] == pytest.approx(cuts[int(np.argmax(gains))])


def test_penalty_on_the_gain() -> None:
    x, y = data("classes", p=30)
    # A coefficient of 1 is no penalty, whatever it multiplies; 0.8 of the gain is milder than 0.8 of the criterion.
    assert same(fit(x, y, coefReg=1.0, penalty="gain"), fit(x, y, coefReg=1.0))
    plain, gain = fit(x, y, coefReg=0.8), fit(x, y, coefReg=0.8, penalty="gain")
    assert same(plain, fit(x, y, coefReg=0.8, penalty="criterion"))
    assert len(gain.feaSet) > len(plain.feaSet)


def test_numbers_are_always_penalized_on_the_gain() -> None:
    x, y = data("numbers")
    assert same(fit(x, y, penalty="gain", criterion="variance"), fit(x, y))


@pytest.mark.parametrize("kind", KINDS)
def test_usedepth(kind: str) -> None:
    x, y = data(kind, p=30)
    assert same(fit(x, y, usedepth=True, coefReg=1.0), fit(x, y, coefReg=1.0))
    deeper, plain = fit(x, y, usedepth=True, coefReg=0.9), fit(x, y, coefReg=0.9)
    assert len(deeper.feaSet) <= len(plain.feaSet)
    assert not same(deeper, plain)
    # At the root the depth counts as 1, so that trees of one split are the same.
    assert same(fit(x, y, usedepth=True, max_depth=1), fit(x, y, max_depth=1))


@pytest.mark.parametrize("kind", KINDS)
def test_sample_weight(kind: str) -> None:
    x, y = data(kind)
    plain = fit(x, y)
    assert same(fit(x, y, sample_weight=np.ones(120)), plain)
    weights = np.where(x[:, 0] > 0, 4.0, 1.0)
    weighted = fit(x, y, sample_weight=weights, nodesize=20)
    assert not same(weighted, fit(x, y, nodesize=20))
    assert same(weighted, fit(x, y, sample_weight=pd.Series(weights), nodesize=20))


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_no_weight_teach_nothing(kind: str) -> None:
    """Rows with wrong responses and weight 0 leave no trace in what is predicted."""
    x, y = data(kind)
    weights = np.r_[np.ones(80), np.zeros(40)]
    wrong = y.copy()
    wrong[80:] = y[80:][::-1] * 100 if kind == "numbers" else np.where(y[80:] == "high", "low", "high")
    one, other = fit(x, y, sample_weight=weights), fit(x, wrong, sample_weight=weights)
    new = data(kind, seed=5)[0]
    np.testing.assert_array_equal(pyrrf.predict(one, new), pyrrf.predict(other, new))


def test_bags_without_a_row_of_weight_are_drawn_again() -> None:
    """A third of all bags of 120 rows lacks the only row that has a weight."""
    x, y = data("classes")
    result = fit(x, y, sample_weight=np.eye(120)[7], ntree=50, keep_inbag=True)
    assert result.inbag.to_numpy()[7].min() == 1
    assert set(pyrrf.predict(result, x)) == {y[7]}


def test_rows_of_one_number_are_not_split_by_rounding() -> None:
    # Sums of such numbers are rounded, so that one side of a cut may seem to gain.
    rng, numbers = np.random.default_rng(1), np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    x, y = rng.normal(size=(120, 4)), rng.choice(numbers, 120)
    trees = pyrrf.RRF(x, y, ntree=20, engine="parallel", nodesize=1, seed=1).forest.trees
    lone = np.abs(trees.prediction[:, None] - numbers[[0, -1]]).min(axis=1) < 1e-9  # the least and the largest
    assert lone.sum() > 20
    assert (trees.split_var[lone] == 0).all()
