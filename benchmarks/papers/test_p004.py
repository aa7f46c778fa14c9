"""Paper 004's figures 2 and 3, and its tables, on tiny data."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from benchmarks.jobs.intervals import difference
from benchmarks.jobs.job import Options
from benchmarks.papers import p004_fig2, p004_fig3, p004_tables3and4, rogers_gunn
from tests.papers.oracles import entropy, gains_of_orders


def mean_best_gain(positive: int, negative: int) -> float:
    """Return the mean over all arrangements of what the best cut gains."""
    return float(np.mean(gains_of_orders(positive + negative, positive)))


def test_figure_2_is_the_mean_over_all_arrangements() -> None:
    found = p004_fig2.gains(Options(), 5, [7])
    for i, j in itertools.product(range(1, 6), repeat=2):
        assert found["surface"][i - 1][j - 1] == pytest.approx(mean_best_gain(i, j), abs=1e-9)
    assert found["7"] == pytest.approx([mean_best_gain(i, 7 - i) for i in range(1, 7)], abs=1e-9)


def test_what_the_note_of_figure_2_says() -> None:
    found = p004_fig2.gains(Options(), 1, list(range(2, 51)))
    middle = []
    for n in range(2, 51):
        line = found[str(n)]
        place = line.index(max(line)) + 1
        middle += [n] * (place == n // 2)
        assert place in (n // 2, n // 2 - 1)
        if n != 4:
            assert line.index(min(line)) == 0
            assert max(line) < 1.011 * line[n // 2 - 1]
    assert [n for n in middle if n % 2 == 0] == [2, 8, 20]
    assert [n for n in range(3, 51, 2) if n not in middle] == [41]


def test_lines_of_figure_3() -> None:
    found = p004_fig3.lines(Options(), 50)
    for n in range(2, 11):
        # E(IG_L) and E(IG_U) as the paper prints them.
        lower, upper = 1 / n - (n - 1) / n * math.log2((n - 1) / n), (n / 2) ** -0.82
        exact = [mean_best_gain(1, n - 1), mean_best_gain(n // 2, n - n // 2)]
        wanted = [lower, (lower + upper) / 2, upper, *exact, entropy([1, n - 1])]
        assert [line[n - 2] for line in found.values()] == pytest.approx(wanted, abs=1e-9)


def test_what_the_note_of_figure_3_says() -> None:
    found = p004_fig3.lines(Options(), 50)
    sizes = range(2, 51)
    gaps = [a - b for a, b in zip(found["lower"], found["exact, one row of a class"], strict=True)]
    assert [n for n, gap in zip(sizes, gaps, strict=True) if gap > 1e-9] == list(range(3, 51, 2))
    largest = [max(p004_fig2.gains(Options(), 1, [n])[str(n)]) for n in sizes]
    above = {n: exact / upper - 1 for n, exact, upper in zip(sizes, largest, found["upper"], strict=True)}
    assert [n for n in sizes if above[n] > 1e-9] == list(range(5, 25))
    assert 0.022 < max(above.values()) < 0.0235
    assert 0.04 < -min(above[n] for n in range(25, 51)) < 0.0405


def test_welch_of_a_difference_by_hand() -> None:
    """Four trials of variance 5/3, and the paper's 100 of variance 2.5."""
    gap, half = difference([1.0, 2.0, 3.0, 4.0], 2.0, 2.5, 100)
    own, other = 5 / 12, 0.025
    freedom = (own + other) ** 2 / (own**2 / 3 + other**2 / 99)
    assert gap == 0.5
    assert half == pytest.approx(stats.t.ppf(0.975, freedom) * math.sqrt(own + other), rel=1e-9)
    assert 3 < freedom < 4
    assert difference([4.0, 4.0], 4.5, 0.0, 20) == (-0.5, 0.0)


def test_every_printed_figure_has_a_variance() -> None:
    sizes = [(name, len(p004_tables3and4.COLUMNS)) for name in rogers_gunn.NAMES]
    for figures in (p004_tables3and4.MEANS, p004_tables3and4.VARIANCES):
        assert [(name, len(line)) for name, line in figures.items()] == sizes


def test_a_trial_of_equation_11() -> None:
    found = rogers_gunn.one_eq11(Options(), "simple", 1, [0.1, 10.0])
    assert found.keys() == {"eq 11, C = .1", "eq 11, C = 10"}
    assert all(0 <= error < 0.4 for error in found.values())
