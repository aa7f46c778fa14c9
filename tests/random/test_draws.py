"""R's random numbers on one stream, and what is refused; the values were drawn by R 4.2.2 after set.seed(42)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyrrf
from pyrrf import random
from pyrrf.random import private_stream


@pytest.fixture(autouse=True)
def seeded() -> None:
    pyrrf.set_seed(42)


def test_runif() -> None:
    assert pyrrf.runif(3).tolist() == [0.91480604349635541, 0.93707541329786181, 0.28613953478634357]
    assert pyrrf.runif(3, 1, 2).tolist() == [1.8304476260673255, 1.6417455188930035, 1.5190959491301328]


def test_runif_recycles_limits_and_draws_nothing_where_they_are_equal() -> None:
    pyrrf.runif(6)
    values = pyrrf.runif(4, [0, 1], [1, 1])
    assert values.tolist() == [0.73658831464126706, 1.0, 0.13466659723781049, 1.0]


def test_rnorm() -> None:
    pyrrf.runif(8)
    assert pyrrf.rnorm(2).tolist() == [0.40426832314099903, -0.10612451609148403]
    assert pyrrf.rnorm(3, [1, 2, 3], [0, 1, 2]).tolist() == [1.0, 3.5115219974389387, 2.8106819231738047]


@pytest.mark.parametrize(
    ("draw", "values"),
    [
        (lambda: pyrrf.runif(2, np.nan, 1), [np.nan] * 2),
        (lambda: pyrrf.runif(2, 2, 1), [np.nan] * 2),
        (lambda: pyrrf.runif(2, 0, np.inf), [np.nan] * 2),
        (lambda: pyrrf.rnorm(2, 0, -1), [np.nan] * 2),
        (lambda: pyrrf.rnorm(2, np.nan), [np.nan] * 2),
    ],
)
def test_impossible_distributions_give_nan_and_draw_nothing(draw: Any, values: list[float]) -> None:
    with pytest.warns(UserWarning, match="NaNs produced: the arguments describe no"):
        np.testing.assert_array_equal(draw(), values)
    assert pyrrf.runif(1)[0] == 0.91480604349635541


def test_infinite_mean_draws_nothing() -> None:
    assert pyrrf.rnorm(2, np.inf).tolist() == [np.inf, np.inf]
    assert pyrrf.runif(1)[0] == 0.91480604349635541


def test_draws_beyond_the_largest_double_are_infinite() -> None:
    assert pyrrf.runif(2, -1e308, 1.7e308).tolist() == [np.inf, np.inf]
    assert np.isinf(pyrrf.rnorm(40, 1e308, 1e308)).any()


def test_sample_in_r_order() -> None:
    pyrrf.runif(8)
    pyrrf.rnorm(5)
    assert pyrrf.sample(5).tolist() == [2, 5, 3, 1, 4]
    assert pyrrf.sample(["a", "b", "c"], 2).tolist() == ["a", "c"]
    assert pyrrf.sample(5, 3, replace=True).tolist() == [4, 5, 5]
    assert pyrrf.sample(5, 3, prob=[1, 2, 3, 4, 5]).tolist() == [2, 3, 4]
    assert pyrrf.sample(5, 3, replace=True, prob=[1, 2, 3, 4, 5]).tolist() == [4, 3, 5]


@given(st.integers(1, 50), st.integers(0, 10**6))
def test_sample_without_replacement_is_a_permutation(n: int, seed: int) -> None:
    pyrrf.set_seed(seed)
    assert sorted(pyrrf.sample(n).tolist()) == list(range(1, n + 1))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20), st.integers(0, 30), st.integers(0, 10**6))
def test_sample_takes_items(items: list[int], size: int, seed: int) -> None:
    pyrrf.set_seed(seed)
    drawn = pyrrf.sample(items, size, replace=True)
    assert len(drawn) == size
    assert set(drawn.tolist()) <= set(items)


@pytest.mark.parametrize(
    ("x", "items"),
    [
        (3.9, [1, 2, 3]),
        ([5], [5]),
        (0.5, [0.5]),
        (pd.Series(["u", "v"]), ["u", "v"]),
        (pd.Index([7, 8]), [7, 8]),
        ([], []),
    ],
    ids=["number", "one item", "below one", "Series", "Index", "empty"],
)
def test_sample_items(x: Any, items: list[Any]) -> None:
    assert sorted(pyrrf.sample(x).tolist()) == items


def test_size_of_a_sample_is_cut_off() -> None:
    assert len(pyrrf.sample(5, 2.9)) == 2


def test_items_without_weight_are_never_drawn() -> None:
    assert set(pyrrf.sample(3, 100, replace=True, prob=[1, 0, 2]).tolist()) == {1, 3}


@pytest.mark.parametrize("seed", [0, -1, 2**31 - 1, -(2**31) + 1, np.int64(5), 3.0])
def test_seed_repeats(seed: Any) -> None:
    pyrrf.set_seed(seed)
    first = pyrrf.runif(3)
    pyrrf.set_seed(seed)
    np.testing.assert_array_equal(pyrrf.runif(3), first)


def test_a_private_stream_leaves_no_trace() -> None:
    pyrrf.set_seed(1)
    before = pyrrf.runif(2)
    pyrrf.set_seed(1)
    with private_stream(5):
        drawn = pyrrf.runif(2)
        with private_stream(6):
            pyrrf.runif(3)
        more = pyrrf.runif(2)
    np.testing.assert_array_equal(pyrrf.runif(2), before)
    pyrrf.set_seed(5)
    np.testing.assert_array_equal(pyrrf.runif(4), [*drawn, *more])


@pytest.mark.parametrize("x", [pd.Categorical(["b", "a"], ["b", "a", "c"]), pd.Series(["b", "a"], dtype="category")])
def test_a_sample_of_a_factor_is_a_factor_of_all_levels(x: Any) -> None:
    drawn = pyrrf.sample(x, 5, replace=True)
    assert drawn.categories.tolist() == pd.Series(x).cat.categories.tolist()
    assert set(drawn) == {"a", "b"}


def test_counts_are_integers_where_they_can_be() -> None:
    assert random.rpois(3, 2).dtype == np.int64
    assert random.rpois(3, 1e12).dtype == np.float64
    with pytest.warns(UserWarning, match="NaNs produced"):
        assert np.isnan(random.rbinom(2, [5, -1], 0.5)).tolist() == [False, True]


def test_rate_and_scale_that_agree_are_a_warning() -> None:
    with pytest.warns(UserWarning, match="rate and scale are both given"):
        assert len(random.rgamma(2, 1, rate=2, scale=0.5)) == 2


def test_draws_of_none() -> None:
    assert [len(v) for v in (pyrrf.runif(0), pyrrf.rnorm(0), pyrrf.sample(5, 0))] == [0, 0, 0]


ERRORS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "seed NaN": (lambda: pyrrf.set_seed(np.nan), TypeError, "seed must be a number, not nan"),
    "seed infinite": (lambda: pyrrf.set_seed(np.inf), TypeError, "seed must be a number, not inf"),
    "seed none": (lambda: pyrrf.set_seed(None), TypeError, "seed must be a number, not None"),
    "seed text": (lambda: pyrrf.set_seed("1"), TypeError, "seed must be a number, not '1'"),
    "seed NA": (lambda: pyrrf.set_seed(-(2**31)), ValueError, "seed must be from -2147483647 to"),
    "n negative": (lambda: pyrrf.runif(-1), ValueError, "n must be 0 or more, not -1"),
    "n NaN": (lambda: pyrrf.rnorm(np.nan), ValueError, "n must be 0 or more, not nan"),
    "n text": (lambda: pyrrf.runif("3"), TypeError, "n must be a number, not '3'"),
    "min text": (lambda: pyrrf.runif(3, "a"), TypeError, "min must be a number or a vector"),
    "max empty": (lambda: pyrrf.runif(3, 0, []), TypeError, "max must be a number or a vector"),
    "mean matrix": (lambda: pyrrf.rnorm(3, [[1]]), TypeError, "mean must be a number or a vector"),
    "sd text": (lambda: pyrrf.rnorm(3, 0, "a"), TypeError, "sd must be a number or a vector"),
    "sample too large": (
        lambda: pyrrf.sample(3, 4),
        ValueError,
        "size is 4, but x has 3 items; pass a smaller size or",
    ),
    "sample of nothing": (lambda: pyrrf.sample([], 1, True), ValueError, "x has no items"),
    "sample matrix": (lambda: pyrrf.sample([[1]]), TypeError, "x must be a number or a vector"),
    "sample text": (lambda: pyrrf.sample("abc"), TypeError, "x must be a number or a vector, not 'abc'"),
    "sample boolean": (lambda: pyrrf.sample(True), TypeError, "x must be a number or a vector, not True"),
    "size negative": (lambda: pyrrf.sample(3, -1), ValueError, "size must be 0 or more, not -1"),
    "size text": (lambda: pyrrf.sample(3, "a"), TypeError, "size must be a number, not 'a'"),
    "replace": (lambda: pyrrf.sample(3, 2, "a"), TypeError, "replace must be True or False"),
    "prob length": (lambda: pyrrf.sample(3, 2, prob=[1, 2]), ValueError, "pass one weight for each of 3 items"),
    "prob negative": (
        lambda: pyrrf.sample(2, 1, prob=[1, -1]),
        ValueError,
        "prob must hold finite weights of 0 or more; replace NaN, infinite and negative ones",
    ),
    "prob NaN": (lambda: pyrrf.sample(2, 1, prob=[1, np.nan]), ValueError, "prob must hold finite weights"),
    "prob too few": (lambda: pyrrf.sample(3, 2, prob=[1, 0, 0]), ValueError, "prob has 1 positive weights, too few"),
    "prob all zero": (lambda: pyrrf.sample(2, 1, True, [0, 0]), ValueError, "prob has 0 positive weights"),
    "prob text": (lambda: pyrrf.sample(2, 1, prob=["a", "b"]), TypeError, "prob must hold numbers"),
    "numbers to none": (lambda: random.sample_int(-2), ValueError, "n must be 0 or more, not -2"),
    "rate text": (lambda: random.rexp(2, "a"), TypeError, "rate must be a number or a vector of numbers, not 'a'"),
    "rate and scale": (lambda: random.rgamma(2, 1, rate=2, scale=1), ValueError, "rate and scale contradict"),
    "shape none": (lambda: random.rgamma(2, None), TypeError, "shape must be a number or a vector"),
    "prob and mu": (lambda: random.rnbinom(2, 1, prob=0.5, mu=1), ValueError, "prob or mu must be given, one of both"),
    "no prob": (lambda: random.rnbinom(2, 1), ValueError, "prob or mu must be given, one of both"),
    "trials": (lambda: random.rbinom(2, [5, 2**31 - 1], 0.5), ValueError, "size: numbers of trials must be below"),
    "items": (lambda: random.rmultinom(1, 2**31 - 1, [1]), ValueError, "size must be below 2147483647"),
    "class weights": (lambda: random.rmultinom(1, 2, [1, np.inf]), ValueError, "prob must hold finite weights"),
    "kind": (
        lambda: pyrrf.set_seed(1, "L'Ecuyer-CMRG"),
        ValueError,
        'kind "L\'Ecuyer-CMRG" is one that pyrrf does not',
    ),
    "kind unknown": (lambda: pyrrf.set_seed(1, "abc"), ValueError, "kind must be one of 'Wichmann-Hill', "),
    "kind of two": (lambda: pyrrf.set_seed(1, "Knuth"), ValueError, "kind must be one of"),
    "kind number": (lambda: pyrrf.set_seed(1, 3), TypeError, "kind must be a string, not 3"),
    "normal kind": (
        lambda: random.RNGkind(normal_kind="Box-Muller"),
        ValueError,
        "normal_kind 'Box-Muller' is one that pyrrf does not have; pass 'Inversion'",
    ),
    "sample kind": (lambda: pyrrf.set_seed(1, sample_kind="R"), ValueError, "sample_kind must be one of 'Rounding',"),
    "version old": (lambda: random.RNGversion("1.6.2"), ValueError, "vstr: R 1.6.2 had a generator that pyrrf"),
    "version text": (lambda: random.RNGversion("new"), ValueError, "vstr must be a version such as '3.5.0', not 'new'"),
    "state text": (lambda: random.set_random_seed(["a"]), TypeError, "words must be a vector of integers"),
    "state empty": (lambda: random.set_random_seed(np.empty(0, int)), ValueError, "words: this is no .Random.seed"),
    "state of others": (
        lambda: random.set_random_seed([10407, *range(6)]),
        ValueError,
        "words: its kinds are L'Ecuyer",
    ),
    "state short": (lambda: random.set_random_seed([10403, 1, 2]), ValueError, "words has 3 integers; pass all 626"),
    "state of nothing": (lambda: random.set_random_seed([10403, 1] + [0] * 624), ValueError, "the words are all zero"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_random_refuses(name: str) -> None:
    call, error, message = ERRORS[name]
    with pytest.raises(error, match=message):
        call()
    assert pyrrf.runif(1)[0] == 0.91480604349635541
