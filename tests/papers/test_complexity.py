"""The complexity forest: its measures by hand, its chances, its threshold on noise, what it refuses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.papers.complexity.forest import _Growth
from pyrrf.papers.complexity.gains import interval_probabilities
from pyrrf.selectors import expected_gain
from pyrrf.sklearn import ComplexityForestClassifier

SAMPLING = ["parallel", "threshold", "cart", "measured", "uniform"]


@parametrize_with_checks(
    [ComplexityForestClassifier(3), ComplexityForestClassifier(3, sampling="measured", n_measuring=3)]
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def simple(n: int = 200, noise: int = 4, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Two features that matter, the second more, and some that do not."""
    x = np.random.default_rng(seed).random((n, 2 + noise))
    return x, (x[:, 0] ** 2 + 2 * x[:, 1] > 1.3).astype(int)


def best_gain(column: np.ndarray, y: np.ndarray) -> float:
    def bits(labels: np.ndarray) -> float:
        return -sum(p * math.log2(p) for p in np.unique(labels, return_counts=True)[1] / labels.size)

    labels = y[np.argsort(column)]
    n = labels.size
    return max(bits(labels) - (k * bits(labels[:k]) + (n - k) * bits(labels[k:])) / n for k in range(1, n))


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


def entropy(counts: np.ndarray) -> float:
    """Rows times bits, so that the gains of nodes can be added up."""
    return -sum(c * math.log2(c / sum(counts)) for c in counts.tolist() if c)


@pytest.mark.parametrize("bag", [False, True])
def test_threshold_chances_are_equation_11(bag: bool) -> None:
    x, y = simple(60)
    forest = ComplexityForestClassifier(
        6, sampling="threshold", constant=0.3, evaluation_bootstrap=bag, random_state=1
    )  # fmt: skip
    weight = np.full(6, 0.3 * entropy(np.bincount(y)) / 60)
    growth = _Growth(forest, forest._read_training(x, y)[1], 7)
    for grown in growth.voting_trees():
        # These are the chances that this tree was drawn with.
        np.testing.assert_allclose(growth.chances, weight / weight.sum(), rtol=1e-9)
        counts = grown.total if bag else grown.distinct
        total = 0.0
        for node in np.flatnonzero(grown.tree.left):
            left, right = (counts[side[node] - 1] for side in (grown.tree.left, grown.tree.right))
            gain = (entropy(counts[node]) - entropy(left) - entropy(right)) / counts[0].sum()
            weight[grown.tree.split_var[node] - 1] += gain
            total += gain
        # A tree that separates the classes gains all of their entropy.
        assert total == pytest.approx(entropy(counts[0]) / counts[0].sum(), rel=1e-9)
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
@pytest.mark.parametrize("threshold", [None, "exact"])
def test_the_answer_does_not_depend_on_threads(sampling: str, threshold: str | None) -> None:
    x, y = simple(80)

    def fit(n_jobs: int) -> ComplexityForestClassifier:
        return ComplexityForestClassifier(
            12, sampling=sampling, threshold=threshold, n_measuring=12, update_every=5, n_jobs=n_jobs, random_state=4
        ).fit(x, y)

    alone = fit(1)
    for n_jobs in (2, 3, -1):
        other = fit(n_jobs)
        assert (other.mean_gain_ == alone.mean_gain_).all()
        assert (other.feature_probabilities_ == alone.feature_probabilities_).all()
        assert (other.predict_proba(x) == alone.predict_proba(x)).all()


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sampling": "even"}, "sampling must be one of"),
        ({"threshold": "upper"}, "threshold must be one of"),
        ({"confidence": 1.0}, "confidence must be above 0 and below 1"),
        ({"level": 0}, "level must be above 0 and below 1"),
        ({"unit": 0}, "unit must be above 0"),
        ({"constant": -0.1}, "constant must be from 0"),
        ({"update_every": 0}, "update_every must be a whole number"),
        ({"n_measuring": 0}, "n_measuring must be a whole number"),
        ({"max_depth": 0}, "max_depth must be a whole number"),
        ({"evaluation_bootstrap": "no"}, "evaluation_bootstrap must be True or False"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    x, y = simple(20)
    with pytest.raises((TypeError, ValueError), match=message):
        ComplexityForestClassifier(2, **arguments).fit(x, y)


def test_what_the_paper_has_no_rule_for_is_refused() -> None:
    x, _ = simple(30)
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        ComplexityForestClassifier(2).fit(x, x[:, 0])
    with pytest.raises(ValueError, match="threshold is for two classes, and y has 3"):
        ComplexityForestClassifier(2, threshold="exact").fit(x, np.arange(30) % 3)


@pytest.mark.parametrize("sampling", SAMPLING)
def test_whole_numbers_may_come_as_floats(sampling: str) -> None:
    x, y = simple(60)
    how = {"sampling": sampling, "threshold": "midpoint", "random_state": 1}
    whole = ComplexityForestClassifier(4, n_measuring=3, update_every=2, max_depth=2, **how).fit(x, y)
    same = ComplexityForestClassifier(4.0, n_measuring=3.0, update_every=2.0, max_depth=2.0, **how).fit(x, y)
    assert (same.predict_proba(x) == whole.predict_proba(x)).all()
