"""What an irrelevant feature gains: against all orders of small nodes, the paper's figures, and simulated orders."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from pyrrf.papers import expected_gain, gamma_threshold
from pyrrf.papers.complexity.expected_gain import _EXACT_ROWS, gain_distribution, gain_moments
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from tests.papers.oracles import entropy, gains_of_orders, gini
from tests.refusals import refused

NODES = [(n, i) for n in range(2, 13) for i in range(1, n // 2 + 1)] + [(5, 4), (12, 9)]


@pytest.mark.parametrize(("n", "i"), NODES)
def test_moments_of_all_arrangements(n: int, i: int) -> None:
    gains = gains_of_orders(n, i)
    mean, variance = gain_moments(n, i)
    assert mean.item() == pytest.approx(np.mean(gains), rel=1e-12)
    assert variance.item() == pytest.approx(np.var(gains), rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("n", "i", "criterion"),
    [(8, 3, "entropy"), (9, 4, "entropy"), (12, 6, "entropy"), *((n, i, "gini") for n, i in NODES if n < 9)],
)
def test_distribution_of_all_arrangements(n: int, i: int, criterion: str) -> None:
    impurity = {"entropy": entropy, "gini": gini}[criterion]
    listed = Counter(round(gain, 10) for gain in gains_of_orders(n, i, impurity))
    gain, probability = gain_distribution(n, i, criterion)
    assert {round(g, 10): round(p * math.comb(n, i)) for g, p in zip(gain, probability, strict=True)} == listed


def test_figures_of_the_paper() -> None:
    # Equation 21 is exact for even n and one row of a class.
    for n in (2, 4, 10, 50):
        assert expected_gain(n, 1, "exact").item() == pytest.approx(expected_gain(n, 1, "lower").item(), rel=1e-12)
    # Equation 22 is below the exact gain of 10 rows, and far above that of 400.
    assert expected_gain(10, 5, "exact").item() == pytest.approx(0.2710, abs=5e-5)
    assert expected_gain(10, 5, "upper").item() == pytest.approx(0.2672, abs=5e-5)
    assert expected_gain(400, 200, "upper").item() / expected_gain(400, 200, "exact").item() > 1.2
    # The largest gain is not always that of equal classes.
    np.testing.assert_allclose(expected_gain(4, [1, 2], "exact"), [0.5613, 0.5409], atol=5e-5)


def test_midpoint_is_half_way_and_pure_nodes_gain_nothing() -> None:
    n = np.array([[2], [9], [300]])
    i = np.array([0, 1])
    halves = (expected_gain(n, i, "lower") + expected_gain(n, i, "upper")) / 2
    np.testing.assert_allclose(expected_gain(n, i), halves)
    for kind in ("lower", "upper", "midpoint", "exact"):
        assert not expected_gain(n, [0, 0], kind).any()
        assert not expected_gain(7, 7, kind).any()


@pytest.mark.parametrize(("n", "i"), [(60, 29), (71, 30), (99, 9), (113, 1), (130, 60), (160, 141)])
def test_interpolated_moments_of_larger_nodes(n: int, i: int) -> None:
    gain, probability = gain_distribution(n, i)
    assert probability.sum() == pytest.approx(1)
    assert gain_distribution(n, i, "gini")[1].sum() == pytest.approx(1)
    mean = gain @ probability
    found, variance = gain_moments(n, i)
    assert found.item() == pytest.approx(mean, rel=0.005)
    assert variance.item() == pytest.approx((gain - mean) ** 2 @ probability, rel=0.05)


def test_moments_of_simulated_orders() -> None:
    n, i, times = 300, 90, 3000
    rng = np.random.default_rng(3)
    labels = np.zeros((times, n))
    labels[:, :i] = 1
    positive = np.cumsum(rng.permuted(labels, axis=1), axis=1)[:, :-1]
    k = np.arange(1, n)

    def bits(p: np.ndarray) -> np.ndarray:
        inner = np.clip(p, 1e-300, 1 - 1e-16)
        return -inner * np.log2(inner) - (1 - inner) * np.log2(1 - inner)

    gains = bits(np.array(i / n)) - (k * bits(positive / k) + (n - k) * bits((i - positive) / (n - k))) / n
    best = gains.max(axis=1)
    mean, variance = gain_moments(n, i)
    assert abs(best.mean() - mean.item()) < 4 * math.sqrt(variance.item() / times)
    assert variance.item() == pytest.approx(best.var(), rel=0.15)


def test_moments_do_not_jump_where_they_stop_being_exact() -> None:
    means = gain_moments([_EXACT_ROWS, _EXACT_ROWS + 1], [20, 20])[0]
    assert 0.97 < means[1] / means[0] < 1


def test_moments_of_very_large_nodes() -> None:
    # One row of a class: equation 21 is exact.
    for n in (3000, 20_000, 1_000_000):
        assert expected_gain(n, 1, "exact").item() == pytest.approx(expected_gain(n, 1, "lower").item(), rel=0.005)


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ((10, 5, "mean"), "kind", "choice"),
        ((10, 11), "i", "range"),
        ((10, -1, "exact"), "i", "range"),
        ((10.5, 5), "n", "range"),
        (([10, 20], [1.5, 2], "exact"), "i", "range"),
        ((np.nan, 1), "n", "range"),
        (("a", 1), "n", "range"),
    ],
)
def test_expected_gain_refuses(arguments: tuple[object, ...], argument: str, code: str) -> None:
    with refused(argument, code):
        expected_gain(*arguments)  # type: ignore[arg-type]


def test_distribution_refuses() -> None:
    with pytest.raises(ValueError, match="i: 0 is not within 1 to"):
        gain_distribution(4, 0)
    with refused("n", "range"):
        gain_distribution(40_000, 20_000, groups=128)
    with refused("groups", "range"):
        gain_distribution(1200, 600)


@pytest.mark.parametrize(("candidates", "level"), [(1, 0.05), (5, 0.05), (5, 0.5)])
def test_gamma_keeps_irrelevant_features_out(candidates: int, level: float) -> None:
    n, i, importance, base = 12, 5, 0.1, 0.9
    gamma = gamma_threshold(n, i, candidates=candidates, level=level, importance=importance, base=base)
    purity = (i / n) ** 2 + (1 - i / n) ** 2

    def chance_to_pay(gamma: float) -> float:
        paid = (1 - gamma) * base + gamma * importance
        pays = np.array(gains_of_orders(n, i, gini)) * paid > purity * (1 - paid) + 1e-12
        return float(1 - (1 - pays.mean()) ** candidates)

    assert chance_to_pay(gamma) <= level
    assert chance_to_pay(gamma - 1e-6) > level


@pytest.mark.parametrize("in_f", [True, False])
def test_gamma_binds_where_a_feature_of_f_splits(in_f: bool) -> None:
    n, i, p = 40, 16, 6
    rng = np.random.default_rng(3)
    response = (np.arange(n) < i).astype(np.int32)
    rule = TreeRule(mtry=p, coef_reg=1 - gamma_threshold(n, i, candidates=p, level=0.05), max_depth=1)
    used = np.zeros(p + 1, np.int32)
    used[0] = in_f
    entered = 0
    for seed in range(100):
        values = rng.random((n, p + 1))
        values[:, 0] = np.arange(n) == seed % n  # splits off one row, and tells next to nothing
        data = TreeData(values=values, ncat=np.ones(p + 1, np.int32), response=response, nclass=2)
        request = TreeRequest(seed=seed, stream=0, used=used, count=np.ones(n, np.int32))
        entered += TreeMaker(data, rule).grow(request).tree.split_var[0] > 1
    assert entered <= 8 if in_f else entered > 90


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"level": 1.0}, "level", "range"),
        ({"candidates": 0}, "candidates", "range"),
        ({"candidates": 2.5}, "candidates", "range"),
        ({"importance": np.nan}, "importance", "range"),
        ({"n": 62.5}, "n", "range"),
        ({"importance": 1.0}, "importance", "range"),
        ({"n": 3, "i": 3}, "i", "range"),
    ],
)
def test_gamma_refuses(arguments: dict[str, float], argument: str, code: str) -> None:
    with refused(argument, code):
        gamma_threshold(**{"n": 10, "i": 5, **arguments})  # type: ignore[arg-type]
