"""Distinct gains of a node: lemmas and theorem on lists of all splits, with fractions; what is refused."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from pyrrf.papers import distinct_gains
from tests.refusals import refused


def gini(first: int, other: int) -> Fraction:
    n = first + other
    return Fraction(2 * first * other, n * n) if n else Fraction(0)


def splits(n: int, i: int) -> list[tuple[int, int]]:
    """Rows of both classes on the left, neither side empty."""
    return [(a, b) for a in range(i + 1) for b in range(n - i + 1) if 0 < a + b < n]


def gains(n: int, i: int) -> set[Fraction]:
    return {
        gini(i, n - i) - Fraction(a + b, n) * gini(a, b) - Fraction(n - a - b, n) * gini(i - a, n - i - b)
        for a, b in splits(n, i)
    }


def one_side(a: int, b: int) -> Fraction:
    return Fraction(a * b, a + b)


@pytest.mark.parametrize("n", range(2, 21))
def test_exact_is_the_number_of_gains_listed(n: int) -> None:
    found = [len(gains(n, i)) for i in range(n + 1)]
    assert distinct_gains(n, np.arange(n + 1), "exact").tolist() == found
    assert distinct_gains(n, kind="exact") == max(found)


@pytest.mark.parametrize("n", range(2, 21))
def test_splits_are_counted_once_with_their_mirror_image(n: int) -> None:
    found = [len({min((a, b), (i - a, n - i - b)) for a, b in splits(n, i)}) for i in range(n + 1)]
    assert distinct_gains(n, np.arange(n + 1), "splits").tolist() == found


@pytest.mark.parametrize("left", range(1, 30))
def test_lemma_1(left: int) -> None:
    assert len({a * (left - a) for a in range(left + 1)}) == math.ceil((left + 1) / 2)


@pytest.mark.parametrize("n", range(2, 21))
def test_lemma_2_and_the_sum_of_lemma_1(n: int) -> None:
    bound = int(distinct_gains(n))
    assert bound == sum(math.ceil((left + 1) / 2) for left in range(1, n))
    if n % 2 == 0:
        assert bound == n * (n + 2) / 4 - 1
    assert len({one_side(a, left - a) for left in range(1, n) for a in range(left + 1)}) <= bound


@pytest.mark.parametrize("n", range(2, 21))
def test_lemma_3_and_theorem_1(n: int) -> None:
    for i in range(n + 1):
        sums = {one_side(a, b) + one_side(i - a, n - i - b) for a, b in splits(n, i)}
        assert len(sums) == len(gains(n, i)) <= distinct_gains(n, i, "splits") <= distinct_gains(n, i)


def test_the_step_of_lemma_3_does_not_hold_for_a_left_size() -> None:
    """7 rows, 3 of a class, 3 to the left."""
    sums = {one_side(a, 3 - a) + one_side(3 - a, 4 - 3 + a) for a in range(4)}
    assert len(sums) == 4 > math.ceil((3 + 1) / 2)


def test_larger_nodes_keep_to_the_theorem() -> None:
    n = np.arange(2, 61)
    assert (distinct_gains(n, kind="exact") <= distinct_gains(n, kind="splits")).all()
    assert (distinct_gains(n, kind="splits") <= distinct_gains(n)).all()
    assert distinct_gains(1000, 500, "exact") < distinct_gains(1000, 500, "splits") < distinct_gains(1000)


def test_shapes() -> None:
    assert distinct_gains([[4], [10]], [1, 2], "splits").shape == (2, 2)
    assert distinct_gains([[4, 10]]).tolist() == [[5, 29]]
    assert distinct_gains([[4], [10]], [1, 2]).tolist() == [[5, 5], [29, 29]]


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ((1,), "n", "range"),
        ((1001,), "n", "range"),
        ((2.5,), "n", "range"),
        ((np.nan,), "n", "range"),
        ((4, -1), "i", "range"),
        ((4, 5), "i", "range"),
        ((4, 2, "upper"), "kind", "choice"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments: tuple[object, ...], argument: str, code: str) -> None:
    with refused(argument, code):
        distinct_gains(*arguments)  # type: ignore[arg-type]


def test_words_are_no_numbers() -> None:
    with refused("n", "type"):
        distinct_gains("four")  # type: ignore[arg-type]
