"""Stability selection: halves, and bounds checked by hand and against distributions that are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrrf.selectors import false_selection_bound, largest_selection, stability_threshold
from pyrrf.selectors.stability import complementary_pairs, noise_level
from tests.refusals import refused

# ---- halves --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 7, 40])
def test_halves_have_no_row_in_common(n: int) -> None:
    pairs = complementary_pairs(n, 30, np.random.default_rng(1))
    assert pairs.shape == (30, 2, n // 2)
    for pair in pairs:
        assert len(np.unique(pair)) == n // 2 * 2
        assert (np.diff(pair, axis=1) > 0).all()


@pytest.mark.parametrize("sizes", [(20, 20), (21, 20), (21, 19), (3, 5, 7, 9), (1, 1, 8), (1,) * 9])
def test_classes_are_halved(sizes: tuple[int, ...]) -> None:
    classes = np.repeat(np.arange(len(sizes)), sizes)
    for pair in complementary_pairs(len(classes), 30, np.random.default_rng(1), classes):
        counts = np.array([np.bincount(classes[half], minlength=len(sizes)) for half in pair])
        assert (np.abs(counts[0] - counts[1]) <= 1).all()
        # An odd number of rows in all leaves out one.
        assert np.array(sizes).sum() - counts.sum() == len(classes) % 2
        assert len(np.unique(pair)) == len(classes) // 2 * 2


@pytest.mark.parametrize("classes", [None, [0] * 5 + [1] * 2])
def test_rows_are_drawn_alike(classes: Any) -> None:
    pairs = complementary_pairs(7, 1000, np.random.default_rng(1), classes)
    # 3 of 7 rows in a half: the standard error of a share of 1000 is at most .0157.
    for half in (0, 1):
        assert np.abs(np.bincount(pairs[:, half].ravel()) / 1000 - 3 / 7).max() < 0.05 or classes is not None
    drawn = np.bincount(pairs.ravel()) / 1000
    first = np.bincount(pairs[:, 0].ravel()) / 1000
    np.testing.assert_allclose(first, drawn / 2, atol=0.06)
    # With classes of 5 and 2 rows, it is a row of the five that is left out.
    wanted = 6 / 7 if classes is None else np.repeat([0.8, 1.0], [5, 2])
    np.testing.assert_allclose(drawn, wanted, atol=0.06)


def test_the_same_stream_gives_the_same_pairs() -> None:
    one, same, other = (complementary_pairs(20, 4, np.random.default_rng(seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


# ---- bounds by hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "bound"),
    [
        # q² / p / (2 tau - 1): 64 / 2000 / .2, and 100 / 100 / 1.
        ((8, 2000, 0.6, 50, "none"), 0.16),
        ((10, 100, 1.0, 50, "none"), 1.0),
        # Nothing is said up to .5, and at most p are selected: 90² / 100 / .02 is 4050.
        ((8, 2000, 0.5, 50, "none"), 2000.0),
        ((90, 100, 0.51, 50, "none"), 100.0),
        # 1 / (2 (2 tau - 1 - 1 / 2B)) up to .75: 1 / (2 (.2 - .01)) q² / p, and 1 / (2 (.5 - .01)).
        ((8, 2000, 0.6, 50, "unimodal"), 0.032 / 0.38),
        ((10, 100, 0.75, 50, "unimodal"), 1 / 0.98),
        # 4 (1 - tau + 1 / 2B) / (1 + 1 / B) above: 4 * .11 / 1.02 * 2500 / 1000, and 4 * .02 / 1.04 with 25 pairs.
        ((50, 1000, 0.9, 50, "unimodal"), 0.44 / 1.02 * 2.5),
        ((10, 100, 1.0, 25, "unimodal"), 0.08 / 1.04),
        # Not for q / p above .577.
        ((6, 10, 0.9, 50, "unimodal"), 3.6 / 0.8),
        # A threshold between multiples of 1 / 100 is the next one.
        ((8, 2000, 0.591, 50, "none"), 0.16),
    ],
)
def test_bounds(arguments: Any, bound: float) -> None:
    assert false_selection_bound(*arguments) == pytest.approx(bound, rel=1e-12)


def test_more_assumed_is_less_bound() -> None:
    for q, threshold in ((2, 0.6), (8, 0.75), (30, 0.9), (60, 1.0), (95, 0.8)):
        none, unimodal = (false_selection_bound(q, 100, threshold, 20, each) for each in ("none", "unimodal"))
        assert unimodal <= none


# ---- features of noise -----------------------------------------------------------------------------


def test_a_cut_is_the_own_scores_of_a_feature() -> None:
    draw = np.random.default_rng(1)
    # Always selected, with scores of two sizes; selected on a tenth of the fits; never.
    scores = np.column_stack([draw.random(40), 100 * draw.random(40), np.arange(40) % 10 == 0, np.zeros(40)])
    level = noise_level(scores, pfer=1.0)
    allowed = round(level.frequencies[0] * 40)
    assert allowed == int(0.25 * 41) - 1
    assert level.cut[:2].tolist() == [np.sort(scores[:, at])[-allowed - 1] for at in (0, 1)]
    assert level.cut[2:].tolist() == [0, 0]
    np.testing.assert_allclose(level.frequencies, [allowed / 40, allowed / 40, 0.1, 0])
    above = (allowed + 1) * (allowed + 2) / (41 * 42)
    assert level.q == pytest.approx((4 * (2 * above + 4 * 3 / (40 * 39))) ** 0.5)


@pytest.mark.parametrize(("p", "pfer"), [(7, 1.0), (7, 0.1), (200, 1.0), (200, 3.0)])
def test_the_cut_leaves_a_threshold_for_the_limit(p: int, pfer: float) -> None:
    level = noise_level(np.random.default_rng(1).random((100, p)) + 0.1, pfer)
    assert 0.5 < stability_threshold(level.q, p, pfer, 50) < 0.75


def test_without_importances_nothing_can_be_cut() -> None:
    level = noise_level(np.array([[1.0, 1.0, 0.0]] * 8 + [[1.0, 0.0, 0.0]] * 2), pfer=1.0)
    assert level.cut.tolist() == [0, 0, 0]
    assert level.frequencies.tolist() == [1, 0.8, 0]
    assert level.q == pytest.approx((3 * (1 + 8 * 7 / 90)) ** 0.5)


def test_what_is_never_selected_may_be_selected_once() -> None:
    level = noise_level(np.zeros((25, 10)), pfer=1.0)
    assert level.q == pytest.approx(10 / 251)


@pytest.mark.parametrize("assumption", ["none", "unimodal"])
@pytest.mark.parametrize(("p", "kept"), [(1000, 10), (200, 10), (50, 2)])
def test_the_bounds_hold_for_correlations_of_noise(p: int, kept: int, assumption: str) -> None:
    """Each half keeps the columns of noise that are most correlated with y."""
    draw, found = np.random.default_rng(1), []
    threshold = stability_threshold(kept, p, 1.0, 25, assumption)
    for _ in range(20):
        x, y = draw.standard_normal((100, p)), draw.standard_normal(100)
        counts = np.zeros(p)
        for half in complementary_pairs(100, 25, draw).reshape(50, -1):
            part, target = x[half] - x[half].mean(axis=0), y[half] - y[half].mean()
            counts[np.argsort(-np.abs(part.T @ target) / np.linalg.norm(part, axis=0))[:kept]] += 1
        found.append((counts / 50 >= threshold - 1e-9).sum())
    assert np.mean(found) <= false_selection_bound(kept, p, threshold, 25, assumption)


# ---- from the limit to the threshold, and back -----------------------------------------------------


@pytest.mark.parametrize("assumption", ["none", "unimodal"])
@pytest.mark.parametrize(("q", "p", "pfer"), [(8, 2000, 1.0), (3, 30, 0.5), (20, 500, 2.0), (1, 1000, 0.1)])
def test_there_and_back(assumption: str, q: float, p: int, pfer: float) -> None:
    threshold = stability_threshold(q, p, pfer, 25, assumption)
    assert round(threshold * 50) == pytest.approx(threshold * 50, abs=1e-12)
    assert false_selection_bound(q, p, threshold, 25, assumption) <= pfer * (1 + 1e-9)
    assert false_selection_bound(q, p, threshold - 0.02, 25, assumption) > pfer


def test_thresholds_by_hand() -> None:
    # 9 / 30 / (2 tau - 1) is .5 at .8.
    assert stability_threshold(3, 30, 0.5, 50, "none") == 0.8
    # 4 (1 - tau + .01) / 1.02 * 2.5 is 1 at .908.
    assert stability_threshold(50, 1000, 1.0, 50, "unimodal") == 0.91
    # Any threshold will do where the limit is the number of features.
    assert stability_threshold(3, 30, 30.0, 50, "none") == 0.01


def test_largest_selections() -> None:
    assert largest_selection(100, 1.0, 50, "none") == pytest.approx(10, abs=1e-3)
    # .04 / 1.02 q² / p
    assert largest_selection(100, 0.1, 50, "unimodal") == pytest.approx((10 / (0.04 / 1.02)) ** 0.5, abs=1e-3)
    assert largest_selection(100, 100.0) == pytest.approx(100, abs=1e-3)


def test_a_selector_that_keeps_everything() -> None:
    message = (
        r"of 100 features of noise the selector would select 100 on a half-sample, which is too many to bound the "
        r"expected number of noise features by pfer=1; use a selector that selects at most 9.99 of them, or pass "
        r"pfer=100 or more"
    )
    with pytest.raises(ValueError, match=message):
        stability_threshold(100, 100, 1.0, 50, "none")
    # What the message names will do.
    stability_threshold(9.99, 100, 1.0, 50, "none")
    with pytest.raises(ValueError, match=r"or pass pfer=2\.5 or more"):
        stability_threshold(50, 1000, 1.0, 50, "none")
    assert stability_threshold(50, 1000, 2.5, 50, "none") == 1.0


@pytest.mark.parametrize(
    ("function", "arguments", "argument", "code"),
    [
        (false_selection_bound, (0, 10, 0.6), "q", "range"),
        (false_selection_bound, (11, 10, 0.6), "q", "range"),
        (false_selection_bound, (1, 10, 0), "threshold", "range"),
        (false_selection_bound, (1, 10, 1.2), "threshold", "range"),
        (false_selection_bound, (1, 10, 0.6, 0), "n_pairs", "range"),
        (false_selection_bound, (1, 10, 0.6, 50, "convex"), "assumption", "choice"),
        (stability_threshold, (1, 10, 0), "pfer", "range"),
        (largest_selection, (10, -1), "pfer", "range"),
        (noise_level, (np.zeros((2, 3)), 0), "pfer", "range"),
        (complementary_pairs, (1, 5, None), "n", "range"),
        (complementary_pairs, (4, 0, None), "n_pairs", "range"),
        (complementary_pairs, (4, 5, None, [1, 2]), "classes", "shape"),
    ],
)
def test_what_is_refused(function: Any, arguments: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        function(*arguments)
