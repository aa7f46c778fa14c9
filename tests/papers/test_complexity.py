"""Node complexity and gains by hand and enumeration; intervals and chances; the forest and its threshold on noise."""

from __future__ import annotations

import inspect
import math
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import cross_val_score

from pyrrf.papers import ComplexityForestClassifier, expected_gain, node_complexity
from pyrrf.papers.complexity.expected_gain import gain_moments
from pyrrf.papers.complexity.forest import _Growth
from pyrrf.papers.complexity.gains import (
    GainRecord,
    accumulated_gains,
    gain_interval,
    interval_probabilities,
    node_gains,
)
from tests.papers.oracles import best_gain, entropy
from tests.refusals import refused


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


def test_words_are_no_counts() -> None:
    with refused("counts", "type"):
        node_complexity(["a", "b"])


@pytest.mark.parametrize("counts", [[2, -1], [1.5, 2], 3, [np.inf, 1], [np.nan, 1], [1e19, 3]])
def test_counts_are_checked(counts: object) -> None:
    with refused("counts", "range"):
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


# ---- the forest ----------------------------------------------------------------------------------

SAMPLING = ["parallel", "threshold", "cart", "measured", "uniform"]


def simple(n: int = 200, noise: int = 4, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Two features that matter, the second more, and some that do not."""
    x = np.random.default_rng(seed).random((n, 2 + noise))
    return x, (x[:, 0] ** 2 + 2 * x[:, 1] > 1.3).astype(int)


@pytest.mark.parametrize("sampling", ["cart", "measured"])
def test_stumps_measure_the_information_gain_of_all_rows(sampling: str) -> None:
    x, y = simple(40)
    forest = ComplexityForestClassifier(5, sampling=sampling, max_depth=1, random_state=2).fit(x, y)
    np.testing.assert_allclose(forest.mean_gain_, [best_gain(column, y) for column in x.T], rtol=1e-12)
    np.testing.assert_allclose(forest.feature_probabilities_, forest.mean_gain_ / forest.mean_gain_.sum())


@pytest.mark.parametrize("threshold", ["midpoint", "exact"])
def test_threshold_of_stumps_is_the_expected_gain_of_all_rows(threshold: str) -> None:
    x, y = simple(40)
    forest = ComplexityForestClassifier(
        5, sampling="uniform", threshold=threshold, level=None, max_depth=1, random_state=2
    ).fit(x, y)
    np.testing.assert_allclose(forest.threshold_, expected_gain(40, y.sum(), threshold), rtol=1e-12)
    assert (forest.support_ == (forest.mean_gain_ > forest.threshold_)).all()
    np.testing.assert_allclose(forest.feature_probabilities_, forest.support_ / forest.n_features_)


def test_a_bag_changes_what_is_measured_only_if_asked() -> None:
    x, y = simple(60)
    gains = [
        ComplexityForestClassifier(2, sampling="measured", evaluation_bootstrap=bag, random_state=3).fit(x, y)
        for bag in (False, True)
    ]
    # A row drawn twice stands next to itself: irrelevant features gain more.
    assert gains[1].mean_gain_[2:].mean() > gains[0].mean_gain_[2:].mean() * 1.1


def test_parallel_chances_leave_evenness_as_trees_come() -> None:
    x, y = simple()
    few, many = (ComplexityForestClassifier(n, random_state=1).fit(x, y) for n in (2, 100))
    assert np.ptp(few.feature_probabilities_) < 0.1
    assert many.feature_probabilities_.argmax() == 1
    assert many.feature_probabilities_[2:].max() < many.feature_probabilities_[0]
    assert (many.interval_[:, 0] <= many.mean_gain_).all()
    assert (many.mean_gain_ <= many.interval_[:, 1]).all()
    assert many.interval_width_path_[-1] == pytest.approx(np.ptp(many.interval_, axis=1).mean())
    assert many.interval_width_path_[[99, 1]].tolist() == sorted(many.interval_width_path_[[99, 1]])
    assert np.ptp(many.interval_, axis=1).max() < 0.5 * np.ptp(few.interval_, axis=1).max()


def test_parallel_chances_are_those_of_the_intervals() -> None:
    x, y = simple()
    # The chances of the last tree are made before it is grown, so one tree more shows them.
    before = ComplexityForestClassifier(20, random_state=1).fit(x, y)
    after = ComplexityForestClassifier(21, random_state=1).fit(x, y)
    np.testing.assert_allclose(after.feature_probabilities_, interval_probabilities(*before.interval_.T), rtol=1e-12)


# Student's t with 4 and 2 degrees of freedom, as tables print it.
@pytest.mark.parametrize(("confidence", "quantiles"), [(0.95, (2.776445, 4.302653)), (0.9, (2.131847, 2.919986))])
def test_intervals_by_hand(confidence: float, quantiles: tuple[float, float]) -> None:
    x, y = simple(40)
    forest = ComplexityForestClassifier(1, confidence=confidence, random_state=1).fit(x, y)
    growth = _Growth(forest, forest._read_training(x, y)[1], 7)
    # A unit is half the complexity of all rows. Each gain weighs one; other features were not measured.
    unit = 0.5 * node_complexity(np.bincount(y))
    for feature, gains in enumerate(([0.2, 0.4, 0.4, 0.6, 0.9], [0.3, 0.5, 0.4])):
        growth.record.sums[:, feature] = sum(np.array([unit, unit * g, unit * g**2, unit**2]) for g in gains)
    # Means .5 and .4; the squares of the deviations add up to .28 and .02.
    halves = [quantiles[0] * math.sqrt(0.28 / 4 / 5), quantiles[1] * math.sqrt(0.02 / 2 / 3)]
    lower, upper = growth.intervals()
    np.testing.assert_allclose(lower, [0.5 - halves[0], 0.4 - halves[1], 0, 0, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(upper, [0.5 + halves[0], 0.4 + halves[1], 1, 1, 1, 1], rtol=1e-6)


@pytest.mark.parametrize("bag", [False, True])
def test_threshold_chances_are_equation_11(bag: bool) -> None:
    x, y = simple(60)
    forest = ComplexityForestClassifier(
        6, sampling="threshold", constant=0.3, evaluation_bootstrap=bag, random_state=1
    )  # fmt: skip
    weight = np.full(6, 0.3 * entropy(np.bincount(y)))
    growth = _Growth(forest, forest._read_training(x, y)[1], 7)
    for grown in growth.voting_trees():
        # These are the chances that this tree was drawn with.
        np.testing.assert_allclose(growth.chances, weight / weight.sum(), rtol=1e-9)
        counts = grown.total if bag else grown.distinct
        total = 0.0
        for node in np.flatnonzero(grown.tree.left):
            left, right = (counts[side[node] - 1] for side in (grown.tree.left, grown.tree.right))
            gain = sum(part.sum() * entropy(part) * sign for part, sign in ((counts[node], 1), (left, -1), (right, -1)))
            gain /= counts[0].sum()
            weight[grown.tree.split_var[node] - 1] += gain
            total += gain
        # A tree that separates the classes gains all of their entropy.
        assert total == pytest.approx(entropy(counts[0]), rel=1e-9)
    assert np.ptp(growth.chances) > 0.1


def test_a_large_constant_keeps_chances_even() -> None:
    x, y = simple(60)
    spread = [
        np.ptp(ComplexityForestClassifier(20, sampling="threshold", constant=c, random_state=1).fit(x, y)
               .feature_probabilities_)
        for c in (0.0, 1.0, 100.0)
    ]  # fmt: skip
    assert spread[0] > spread[1] > 10 * spread[2]


def test_updates_in_blocks() -> None:
    x, y = simple()
    one = ComplexityForestClassifier(10, update_every=10, random_state=1).fit(x, y)
    assert np.ptp(one.feature_probabilities_) == 0
    assert one.interval_width_path_.size == 1
    two = ComplexityForestClassifier(20, update_every=10, confidence=0.2, random_state=1).fit(x, y)
    assert np.ptp(two.feature_probabilities_) > 0


@pytest.mark.parametrize("sampling", SAMPLING)
def test_several_classes(sampling: str) -> None:
    x, y = load_wine(return_X_y=True)
    forest = ComplexityForestClassifier(30, sampling=sampling, n_measuring=30, random_state=1)
    assert cross_val_score(forest, x, y, cv=2).mean() > 0.9
    assert (forest.fit(x, y).interval_ <= math.log2(3)).all()
    assert forest.threshold_ is None


def test_exact_threshold_keeps_few_irrelevant_features() -> None:
    # 6 * 20 features with nothing to tell: 5 % of them would be 6.
    kept = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x, y = rng.random((80, 22)), rng.random(80) < 0.5
        y = np.where(x[:, 0] > 0.5, True, y)
        forest = ComplexityForestClassifier(
            1, sampling="measured", threshold="exact", n_measuring=20, random_state=seed
        ).fit(x, y)
        assert forest.support_[0]
        kept += forest.support_[2:].sum()
    assert kept <= 6


def test_selection_drops_noise_from_real_data() -> None:
    x, y = load_breast_cancer(return_X_y=True)
    x, y = x[:100], y[:100]
    noise = np.random.default_rng(0).normal(size=(x.shape[0], 30))
    both = np.hstack([x, noise])
    forest = ComplexityForestClassifier(50, sampling="measured", threshold="exact", random_state=1).fit(both, y)
    assert forest.support_[30:].sum() <= 1
    assert forest.support_[:30].sum() >= 12
    assert (forest.feature_probabilities_[~forest.support_] == 0).all()
    assert forest.transform(both).shape[1] == forest.n_features_
    assert forest.score(both, y) > 0.98


def test_a_forest_without_selected_features_says_so() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.random((60, 3)), np.arange(60) % 2
    forest = ComplexityForestClassifier(5, sampling="measured", threshold="exact", level=1e-9, random_state=1)
    with pytest.warns(UserWarning, match="no feature gains more than threshold"):
        forest.fit(x, y)
    assert not forest.support_.any()
    np.testing.assert_allclose(forest.feature_probabilities_, 1 / 3)


def test_constant_features_are_never_drawn_twice_over() -> None:
    x, y = simple(80)
    x[:, 2:] = 1.0
    forest = ComplexityForestClassifier(20, sampling="uniform", random_state=1).fit(x, y)
    assert forest.score(x, y) > 0.98
    assert (forest.mean_gain_[2:] == 0).all()
    np.testing.assert_allclose(forest.interval_[2:], [[0, 1]] * 4)


def test_what_the_paper_has_no_rule_for_is_refused() -> None:
    x, _ = simple(30)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        ComplexityForestClassifier(2).fit(x, x[:, 0])
    with refused("threshold", "unsupported"):
        ComplexityForestClassifier(2, threshold="exact").fit(x, np.arange(30) % 3)


@pytest.mark.parametrize("sampling", SAMPLING)
def test_whole_numbers_may_come_as_floats(sampling: str) -> None:
    x, y = simple(60)
    how = {"sampling": sampling, "threshold": "midpoint", "random_state": 1}
    whole = ComplexityForestClassifier(4, n_measuring=3, update_every=2, max_depth=2, **how).fit(x, y)
    same = ComplexityForestClassifier(4.0, n_measuring=3.0, update_every=2.0, max_depth=2.0, **how).fit(x, y)
    assert (same.predict_proba(x) == whole.predict_proba(x)).all()
