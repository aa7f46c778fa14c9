"""The setting to take: rules checked by hand on numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrrf.selectors.rules import choose_by_rule
from tests.refusals import refused

GAMMAS = [0.0, 0.25, 0.5, 0.75, 1.0]
# Means .90, .92, .88, .86 and .70. The best has the scores .88, .92, .96, .88 and .96: squared deviations from .92 of
# .0016, 0, .0016, .0016 and .0016, .0064 in all, .0016 for each of 4, a standard deviation of .04 and a standard error
# of .04 / sqrt(5) = .01789. So .90211 and more is good enough.
SCORES = [
    [0.90, 0.90, 0.90, 0.90, 0.90],
    [0.88, 0.92, 0.96, 0.88, 0.96],
    [0.88, 0.88, 0.88, 0.88, 0.88],
    [0.90, 0.82, 0.86, 0.86, 0.86],
    [0.70, 0.70, 0.70, 0.70, 0.70],
]
SIZES = [40.0, 20.0, 8.0, 3.0, 1.0]


def test_one_standard_error() -> None:
    assert choose_by_rule(SCORES, SIZES, GAMMAS) == 1
    # .02 less than the best are within a standard error of .05 / sqrt(5) = .02236, and .04 less are not.
    wider = [SCORES[0], [0.87, 0.92, 0.97, 0.87, 0.97], [0.90] * 5, *SCORES[3:]]
    assert choose_by_rule(wider, SIZES, GAMMAS) == 2


def test_the_standard_error_divides_by_one_less_than_the_folds() -> None:
    # Two folds .8 and 1: standard deviation .14142 with divisor 1, standard error .1; with divisor 2 it would be .0707.
    assert choose_by_rule([[0.8, 1.0], [0.81, 0.81]], [5, 2], [0, 1]) == 1
    assert choose_by_rule([[0.8, 1.0], [0.79, 0.79]], [5, 2], [0, 1]) == 0


def test_the_standard_error_is_that_of_the_best() -> None:
    # The other one scatters, which does not count.
    assert choose_by_rule([[0.9, 0.9, 0.9], [0.6, 0.9, 1.1]], [5, 2], [0, 1]) == 0


def test_on_the_border_counts_as_within() -> None:
    assert choose_by_rule([[0.8, 1.0], [0.8, 0.8]], [5, 2], [0, 1]) == 1
    assert choose_by_rule([[0.8, 0.8], [0.7, 0.7]], [5, 2], [0, 1], 0.1) == 1


@pytest.mark.parametrize(
    ("rule", "chosen"),
    [("best", 1), (0.0, 1), (0.02, 1), (0.041, 2), (0.06, 3), (0.3, 4), (0, 1), (np.float64(0.3), 4)],
)
def test_a_loss(rule: Any, chosen: int) -> None:
    assert choose_by_rule(SCORES, SIZES, GAMMAS, rule) == chosen


def test_the_standard_error_of_the_difference() -> None:
    # Differences of 0, .04, .08, 0 and .08: mean .04, squared deviations .0064, standard deviation .04, error .01789.
    assert choose_by_rule(SCORES[1:3], SIZES[1:3], GAMMAS[1:3], "paired") == 0
    # Of 0, 0, .08, 0 and 0: mean .016, standard deviation .03578, error .016.
    near = [SCORES[1], [0.88, 0.92, 0.88, 0.88, 0.96]]
    assert choose_by_rule(near, [20, 8], [0.25, 0.5], "paired") == 1
    # The same loss on all folds is certain.
    assert choose_by_rule([SCORES[1], np.array(SCORES[1]) - 0.001], [20, 8], [0, 1], "paired") == 0


def test_no_more_is_lost_than_a_share_of_the_gain_over_a_guess() -> None:
    near = [SCORES[1], [0.88, 0.92, 0.88, 0.88, 0.96]]
    # .016 is at most .02 of .92 - .12, and more than that of .92 - .13.
    for guess, chosen in ((0.12, 1), (0.13, 0), (0.95, 1), (np.nan, 1)):
        assert choose_by_rule(near, [20, 8], [0.25, 0.5], "paired", [guess] * 5) == chosen
    assert choose_by_rule(near, [20, 8], [0.25, 0.5], "1se", [0.9] * 5) == 1


def test_a_share_of_the_gain_over_a_guess_may_be_lost_in_any_case() -> None:
    certain = [SCORES[1], np.array(SCORES[1]) - 0.001]
    # .01 of .92 - .81 is .0011, and of .92 - .83 .0009.
    for guess, chosen in ((0.81, 1), (0.83, 0)):
        assert choose_by_rule(certain, [20, 8], [0, 1], "paired", [guess] * 5) == chosen


def test_fewest_features_before_the_largest_strength() -> None:
    equal = np.full((4, 3), 0.5)
    assert choose_by_rule(equal, [4, 2, 3, 2], [0.9, 0.1, 1.0, 0.2], "best") == 3
    assert choose_by_rule(equal, [4, 2, 3, 2.5], [0.9, 0.1, 1.0, 0.2], "1se") == 1


def test_equal_scores_with_rounding() -> None:
    # The mean of .1, .2 and .3 depends on their order.
    scores = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]
    assert np.mean(scores, axis=1).tolist() != [0.2, 0.2]
    for flipped in (scores, scores[::-1]):
        assert choose_by_rule(flipped, [3, 1], [0, 1], "best") == 1
        assert choose_by_rule(flipped, [1, 3], [0, 1], "best") == 0


def test_negative_scores() -> None:
    assert choose_by_rule([[-100.0, -100.0], [-90.0, -110.0], [-101.0, -99.0]], [5, 2, 9], [0, 0.5, 1], "best") == 1


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ((SCORES, SIZES, GAMMAS, "2se"), "rule", "choice"),
        ((SCORES, SIZES, GAMMAS, -0.1), "rule", "range"),
        (([[0.5], [0.4]], [2, 1], [0, 1], "1se"), "rule", "rows"),
        (([[0.5], [0.4]], [2, 1], [0, 1], "paired"), "rule", "rows"),
        ((SCORES, SIZES[:2], GAMMAS), "scores", "shape"),
        (([0.5, 0.4], [2, 1], [0, 1]), "scores", "shape"),
        (([[0.5, np.nan]], [2], [0]), "scores", "missing"),
    ],
)
def test_what_is_refused(arguments: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        choose_by_rule(*arguments)


def test_a_rule_that_is_no_number() -> None:
    with refused("rule", "type"):
        choose_by_rule(SCORES, SIZES, GAMMAS, None)  # type: ignore[arg-type]
