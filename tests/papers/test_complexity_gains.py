"""Node complexity and gains against hand-computed values and enumeration; intervals and chances by their properties."""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrrf.papers.complexity.expected_gain import gain_moments
from pyrrf.papers.complexity.gains import (
    GainRecord,
    accumulated_gains,
    gain_interval,
    interval_probabilities,
    node_gains,
)
from pyrrf.selectors import expected_gain, node_complexity
from pyrrf.sklearn import ComplexityForestClassifier


def arrangements(counts: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All orders of the rows' classes, built one row at a time."""
    orders: set[tuple[int, ...]] = {()}
    for _ in range(sum(counts)):
        orders = {
            (*order, label) for order in orders for label in range(len(counts)) if order.count(label) < counts[label]
        }
    return orders


def entropy_of_splits(counts: tuple[int, ...]) -> float:
    """Bits of an arrangement drawn at random, where it and its mirror image count as one."""
    seen = Counter(min(order, order[::-1]) for order in arrangements(counts))
    total = sum(seen.values())
    return -sum(times / total * math.log2(times / total) for times in seen.values())


TWO_CLASSES = [(n - i, i) for n in range(2, 15) for i in range(1, n // 2 + 1)]
SEVERAL = [(1, 1, 1), (2, 1, 1), (2, 2, 2), (3, 2, 2), (4, 2, 2), (5, 3, 1), (2, 2, 2, 2), (4, 0, 3), (3, 3, 2, 1)]


@pytest.mark.parametrize("counts", TWO_CLASSES + SEVERAL)
def test_complexity_is_the_entropy_of_the_split(counts: tuple[int, ...]) -> None:
    assert node_complexity(counts).item() == pytest.approx(entropy_of_splits(counts), abs=1e-12)


def test_table_1() -> None:
    # Even and even: C(2, 1); odd and odd: C(2, 1); odd and even: C(2, 1); even and odd: 0.
    unique = {(4, 2): 2, (5, 3): 2, (5, 2): 2, (4, 1): 0}
    for (n, i), alone in unique.items():
        ways = math.comb(n, i)
        assert node_complexity([i, n - i]).item() == pytest.approx(math.log2(ways) - (1 - alone / ways), rel=1e-14)


def test_pure_nodes_and_pairs_have_no_complexity() -> None:
    assert node_complexity([[0, 0], [1, 0], [0, 7], [1, 1]]).tolist() == [0.0, 0.0, 0.0, 0.0]


@settings(max_examples=25)
@given(st.lists(st.integers(0, 3000), min_size=2, max_size=5).filter(lambda counts: sum(counts) > 2))
def test_complexity_of_large_nodes_is_that_of_whole_numbers(counts: list[int]) -> None:
    ways = math.factorial(sum(counts)) // math.prod(math.factorial(c) for c in counts)
    alone = 0
    if sum(c % 2 for c in counts) < 2:
        alone = math.factorial(sum(counts) // 2) // math.prod(math.factorial(c // 2) for c in counts)
    assert node_complexity(counts).item() == pytest.approx(math.log2(ways) - (1 - alone / ways), rel=1e-13)


def test_a_million_rows() -> None:
    exact = math.log2(math.comb(1_000_001, 2)) - (1 - 500_000 / math.comb(1_000_001, 2))
    assert node_complexity([999_999, 2]).item() == pytest.approx(exact, rel=1e-13)


def test_formulas_refuse_numbers_below_0() -> None:
    one = np.ones(1)
    with pytest.raises(ValueError, match="variance and size"):
        gain_interval(one, -one, one, one)
    with pytest.raises(ValueError, match="lower: an interval"):
        interval_probabilities(one, one / 2)
    with pytest.raises(ValueError, match="impurity, gains and constant"):
        accumulated_gains(-1.0, np.ones(2), 1.0)


def test_formulas_refuse_nan_and_other_shapes() -> None:
    one, nan = np.ones(1), np.array([np.nan])
    with pytest.raises(ValueError, match="mean, variance and size: pass finite means"):
        gain_interval(nan, one, one, one)
    with pytest.raises(ValueError, match="lower: an interval"):
        interval_probabilities(nan, one)
    with pytest.raises(ValueError, match=r"lower and upper: shapes \(1,\) and \(2,\)"):
        interval_probabilities(one, np.ones(2))
    with pytest.raises(ValueError, match="impurity, gains and constant"):
        accumulated_gains(1.0, nan, 1.0)
    with pytest.raises(ValueError, match="gains must have one sum for each feature"):
        accumulated_gains(1.0, one[None], 1.0)


def test_words_are_no_counts() -> None:
    with pytest.raises(TypeError, match="counts must hold numbers"):
        node_complexity(["a", "b"])


@pytest.mark.parametrize("counts", [[2, -1], [1.5, 2], 3, [np.inf, 1], [np.nan, 1], [1e19, 3]])
def test_counts_are_checked(counts: object) -> None:
    with pytest.raises(ValueError, match="counts: pass whole numbers"):
        node_complexity(counts)  # type: ignore[arg-type]


def test_gains_by_hand() -> None:
    # 4 + 4 rows; left 3 + 1, right 1 + 3, which is split into pure daughters.
    counts = [[4, 4], [3, 1], [1, 3], [1, 0], [0, 3]]
    quarter = -0.25 * math.log2(0.25) - 0.75 * math.log2(0.75)
    gains = node_gains(np.array([2, 0, 4, 0, 0], np.int32), counts)
    np.testing.assert_allclose(gains, [1 - quarter, 0, quarter, 0, 0], rtol=1e-15)


def test_a_split_that_parts_nothing_gains_exactly_nothing() -> None:
    counts = [[9, 3], [3, 1], [6, 2]]
    assert node_gains(np.array([2, 0, 0], np.int32), counts)[0] == 0.0


def test_record_gives_weighted_mean_and_variance() -> None:
    rng = np.random.default_rng(1)
    gain, feature, counts = rng.random(50), rng.integers(0, 4, 50), rng.integers(1, 9, (50, 2)) + np.array([1, 0])
    record, weight = GainRecord(5), node_complexity(counts)
    record.add(feature[:20], gain[:20], counts[:20])
    record.add(feature[20:], gain[20:], counts[20:])
    for j in range(4):
        g, w = gain[feature == j], weight[feature == j]
        mean = np.average(g, weights=w)
        assert record.mean[j] == pytest.approx(mean)
        assert record.variance[j] == pytest.approx((w * (g - mean) ** 2).sum() / (w.sum() - (w**2).sum() / w.sum()))
    assert (record.seen[4], record.mean[4], record.variance[4]) == (False, 0.0, np.inf)


def test_the_variance_that_the_estimator_describes() -> None:
    text = inspect.getdoc(ComplexityForestClassifier) or ""
    formula = re.search(r"S², the variance of weighted gains, is (.*?), which", " ".join(text.split()))
    assert formula
    assert formula[1] == "Σ w (g - mean)² / Σ w, divided by 1 - Σ w² / (Σ w)²"
    gain, counts = np.array([0.2, 0.9, 0.4]), np.array([[5, 5], [2, 3], [8, 1]])
    record, w = GainRecord(1), node_complexity(counts)
    record.add(np.zeros(3, np.int32), gain, counts)
    square = (w * (gain - record.mean[0]) ** 2).sum() / w.sum()
    assert record.variance[0] == pytest.approx(square / (1 - (w**2).sum() / w.sum() ** 2))


def test_variance_of_equal_weights_is_the_usual_one_and_needs_two_gains() -> None:
    record, gains = GainRecord(2), np.array([0.1, 0.4, 0.9])
    record.add(np.array([0, 0, 0, 1]), np.append(gains, 0.5), np.full((4, 2), 3))
    np.testing.assert_allclose(record.variance, [gains.var(ddof=1), np.inf])


def test_bound_is_the_expected_gain_of_the_same_nodes() -> None:
    counts = np.array([[5, 5], [1, 9], [3, 1]])
    weight, (mean, variance) = node_complexity(counts), gain_moments([10, 10, 4], [5, 1, 1])
    exact, midpoint = GainRecord(3, "exact"), GainRecord(3, "midpoint")
    for record in (exact, midpoint):
        record.add(np.array([0, 0, 1]), np.zeros(3), counts)
        record.add(np.array([0]), np.zeros(1), counts[:1])
    total = 2 * weight[0] + weight[1]
    expected = (2 * weight[0] * mean[0] + weight[1] * mean[1]) / total
    # Two trees: the deviation of the first, of two nodes, and that of the second add up.
    first = math.sqrt((weight[:2] ** 2) @ variance[:2])
    deviation = (first + weight[0] * math.sqrt(variance[0])) / total
    np.testing.assert_allclose(exact.bound(), [expected, mean[2], np.nan])
    assert exact.bound(2.0)[0] == pytest.approx(expected + 2 * deviation)
    bounds = expected_gain([10, 4], [5, 1])
    np.testing.assert_allclose(midpoint.bound(2.0), [bounds[0], bounds[1], np.nan])


def test_interval_of_equal_weights_is_students() -> None:
    # 5 gains, mean .3, sample variance .025: t(.975, 4) * sqrt(.025 / 5) on each side.
    gains = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    mean, variance = gains.mean(keepdims=True), gains.var(ddof=1, keepdims=True)
    lower, upper = gain_interval(mean, variance, np.array([5.0]), np.array([2.776445]))
    half = 2.776445 * math.sqrt(0.025 / 5)
    assert (lower.item(), upper.item()) == pytest.approx((0.3 - half, 0.3 + half))


def test_intervals_stay_where_gains_can_be() -> None:
    lower, upper = gain_interval(
        np.array([0.05, 0.99, 0.4]),
        np.array([0.2, 0.2, np.inf]),
        np.array([3.0, 3.0, 3.0]),
        np.full(3, 4.3),
        highest=1.0,
    )
    assert lower.tolist()[0] == 0.0
    assert upper.tolist()[1:] == [1.0, 1.0]
    assert lower.tolist()[2] == 0.0


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8))
def test_chances_are_the_most_even_ones(ends: list[tuple[float, float]]) -> None:
    lower, upper = np.sort(np.array(ends), axis=1).T
    chances = interval_probabilities(lower, upper)
    assert chances.sum() == pytest.approx(1)
    if lower.max() <= upper.min() and upper.min() > 0:
        np.testing.assert_allclose(chances, 1 / chances.size)
    # Features that the centre lies outside of stand in the order of their intervals.
    assert (np.diff(chances[np.argsort(lower + upper)][[0, -1]]) >= -1e-12).all() or lower.max() <= upper.min()


def test_chances_by_hand() -> None:
    chances = interval_probabilities(np.array([0.6, 0.1, 0.3]), np.array([0.8, 0.2, 0.5]))
    # The centre is (.6 + .2) / 2 = .4, so the values are .6, .2 and .4.
    np.testing.assert_allclose(chances, np.array([0.6, 0.2, 0.4]) / 1.2)


def test_accumulated_gains_leave_evenness_as_trees_come() -> None:
    gains = np.array([0.6, 0.2])
    few, many = (accumulated_gains(1.0, trees * gains, constant=10.0) for trees in (1, 100))
    np.testing.assert_allclose(few, np.array([10.6, 10.2]) / 20.8)
    np.testing.assert_allclose(many, np.array([70.0, 30.0]) / 100)
