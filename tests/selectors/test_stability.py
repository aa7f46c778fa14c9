"""Stability selection: halves, and bounds checked by hand and against distributions that are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrrf.selectors import false_selection_bound, largest_selection, stability_threshold
from pyrrf.selectors.stability import complementary_pairs, r_concave_tail

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


def test_r_concave_tails_by_hand() -> None:
    # Probabilities (1 + i)^-2 of 0, 1, 2: 36, 9 and 4 of 49, so that the mean is 17 / 49 of 2.
    assert r_concave_tail(17 / 98, 2, -1 / 2) == pytest.approx([1, 4 / 49], rel=1e-9)
    # (1 + i)^-4: 1296, 81 and 16 of 1393, and the mean is 113 / 1393 of 2.
    assert r_concave_tail(113 / 2786, 2, -1 / 4) == pytest.approx([1, 16 / 1393], rel=1e-9)
    assert r_concave_tail(0.0, 3, -1 / 2).tolist() == [0, 0, 0]
    # Up to twice the mean nothing is said.
    assert (r_concave_tail(0.3, 10, -1 / 2) == 1).tolist() == [True] * 6 + [False] * 4


@pytest.mark.parametrize("r", [-1 / 2, -1 / 4, -2])
def test_no_r_concave_distribution_has_a_larger_tail(r: float) -> None:
    random, closest = np.random.default_rng(1), 0.0
    for draw in range(100):
        slopes = np.sort(random.exponential(size=9) * random.choice([0, 1, 10], size=9))
        if draw % 4 == 0:
            slopes[:] = slopes[-1]  # the distributions of the appendix
        values = np.cumsum(np.append(random.exponential() + 1e-3, slopes)) ** (1 / r)  # convex before the power
        shares = values / values.sum()
        tails = shares[::-1].cumsum()[::-1][1:]
        largest = r_concave_tail(float(shares @ np.arange(10)) / 9, 9, r)
        assert (tails <= largest + 1e-9).all()
        closest = max(closest, (tails / largest)[-1])
    assert closest > 0.999


@pytest.mark.parametrize(
    ("mean", "size", "r", "t"), [(0.01, 10, -1 / 2, 8), (0.1, 20, -1 / 4, 18), (0.05, 10, -1 / 4, 4)]
)
def test_the_largest_tail_is_reached(mean: float, size: int, r: float, t: int) -> None:
    """A fine grid of the distributions that the appendix names, one support after the other."""
    centre, best = mean * size, 0.0
    a = np.exp(np.linspace(-3, 3, 200001))[:, None]
    for last in range(t - 1, size):
        i = np.arange(last + 1)
        weight = (a + i) ** (1 / r)
        scale = (last + 1 - centre) / ((last + 1 - i) * weight).sum(axis=1)
        rest = 1 - scale * weight.sum(axis=1)
        sound = (rest >= 0) & (rest <= scale * (a[:, 0] + last + 1) ** (1 / r))
        tail = scale * weight[:, t:].sum(axis=1) + rest
        best = max(best, tail[sound].max(initial=0.0))
    assert r_concave_tail(mean, size, r)[t - 1] == pytest.approx(best, rel=1e-3)


@pytest.mark.parametrize(
    ("arguments", "published"),
    [
        # What R's package stabs 0.6-4 says, whose search for the maximum stops short of the border of its range.
        ((8, 2000, 0.35, 50), 0.124807948124),
        ((8, 2000, 0.6, 50), 0.0212837223554),
        ((50, 1000, 0.9, 50), 0.168811623349),
        ((50, 1000, 0.5, 50), 5.20247498581),
        ((10, 100, 0.75, 50), 0.285819996527),
        ((1, 10, 0.9, 10), 0.0150076568522),
    ],
)
def test_r_concave_bounds_of_another_program(arguments: Any, published: float) -> None:
    assert published <= false_selection_bound(*arguments) <= 1.011 * published


def test_more_assumed_is_less_bound() -> None:
    for q, threshold in ((2, 0.6), (8, 0.75), (30, 0.9), (60, 1.0), (95, 0.8)):
        none, unimodal, concave = (
            false_selection_bound(q, 100, threshold, 20, each) for each in ("none", "unimodal", "r-concave")
        )
        assert concave <= unimodal <= none


# ---- from the limit to the threshold, and back -----------------------------------------------------


@pytest.mark.parametrize("assumption", ["none", "unimodal", "r-concave"])
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
        r"the selector selects 100 of 100 features per half-sample, which is too many to bound the expected number of "
        r"false selections by pfer=1; use a selector that selects at most 9.99 on average, or pass pfer=100 or more"
    )
    with pytest.raises(ValueError, match=message):
        stability_threshold(100, 100, 1.0, 50, "none")
    # What the message names will do.
    stability_threshold(9.99, 100, 1.0, 50, "none")
    with pytest.raises(ValueError, match=r"or pass pfer=2\.5 or more"):
        stability_threshold(50, 1000, 1.0, 50, "none")
    assert stability_threshold(50, 1000, 2.5, 50, "none") == 1.0


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (false_selection_bound, (0, 10, 0.6), "q must be above 0 and at most p=10, not 0"),
        (false_selection_bound, (11, 10, 0.6), "q must be above 0 and at most p=10, not 11"),
        (false_selection_bound, (1, 10, 0), "threshold must be above 0 and at most 1, not 0"),
        (false_selection_bound, (1, 10, 1.2), "threshold must be above 0 and at most 1, not 1.2"),
        (false_selection_bound, (1, 10, 0.6, 0), "n_pairs must be a whole number of at least 1"),
        (
            false_selection_bound,
            (1, 10, 0.6, 50, "convex"),
            "assumption must be one of 'none', 'unimodal', 'r-concave'",
        ),
        (stability_threshold, (1, 10, 0), "pfer must be above 0, not 0"),
        (largest_selection, (10, -1), "pfer must be above 0, not -1"),
        (r_concave_tail, (0.1, 5, 0.5), "r must be below 0, not 0.5"),
        (r_concave_tail, (1.1, 5, -0.5), "mean must be from 0 to 1"),
        (complementary_pairs, (1, 5, None), "n must be a whole number of at least 2"),
        (complementary_pairs, (4, 0, None), "n_pairs must be a whole number of at least 1"),
        (complementary_pairs, (4, 5, None, [1, 2]), r"classes must have shape \(4,\), not \(2,\)"),
    ],
)
def test_what_is_refused(function: Any, arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(*arguments)
