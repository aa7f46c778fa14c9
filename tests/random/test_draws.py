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
from tests.refusals import refused


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


ERRORS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "seed NaN": (lambda: pyrrf.set_seed(np.nan), "seed", "type"),
    "seed infinite": (lambda: pyrrf.set_seed(np.inf), "seed", "type"),
    "seed none": (lambda: pyrrf.set_seed(None), "seed", "type"),
    "seed text": (lambda: pyrrf.set_seed("1"), "seed", "type"),
    "seed NA": (lambda: pyrrf.set_seed(-(2**31)), "seed", "range"),
    "n negative": (lambda: pyrrf.runif(-1), "n", "range"),
    "n NaN": (lambda: pyrrf.rnorm(np.nan), "n", "range"),
    "n text": (lambda: pyrrf.runif("3"), "n", "type"),
    "min text": (lambda: pyrrf.runif(3, "a"), "min", "type"),
    "max empty": (lambda: pyrrf.runif(3, 0, []), "max", "type"),
    "mean matrix": (lambda: pyrrf.rnorm(3, [[1]]), "mean", "type"),
    "sd text": (lambda: pyrrf.rnorm(3, 0, "a"), "sd", "type"),
    "sample too large": (lambda: pyrrf.sample(3, 4), "size", "range"),
    "sample of nothing": (lambda: pyrrf.sample([], 1, True), "x", "empty"),
    "sample matrix": (lambda: pyrrf.sample([[1]]), "x", "type"),
    "sample text": (lambda: pyrrf.sample("abc"), "x", "type"),
    "sample boolean": (lambda: pyrrf.sample(True), "x", "type"),
    "size negative": (lambda: pyrrf.sample(3, -1), "size", "range"),
    "size text": (lambda: pyrrf.sample(3, "a"), "size", "type"),
    "replace": (lambda: pyrrf.sample(3, 2, "a"), "replace", "type"),
    "prob length": (lambda: pyrrf.sample(3, 2, prob=[1, 2]), "prob", "length"),
    "prob negative": (lambda: pyrrf.sample(2, 1, prob=[1, -1]), "prob", "range"),
    "prob NaN": (lambda: pyrrf.sample(2, 1, prob=[1, np.nan]), "prob", "range"),
    "prob too few": (lambda: pyrrf.sample(3, 2, prob=[1, 0, 0]), "prob", "range"),
    "prob all zero": (lambda: pyrrf.sample(2, 1, True, [0, 0]), "prob", "range"),
    "prob text": (lambda: pyrrf.sample(2, 1, prob=["a", "b"]), "prob", "type"),
    "numbers to none": (lambda: random.sample_int(-2), "n", "range"),
    "rate text": (lambda: random.rexp(2, "a"), "rate", "type"),
    "rate and scale": (lambda: random.rgamma(2, 1, rate=2, scale=1), "rate", "conflict"),
    "shape none": (lambda: random.rgamma(2, None), "shape", "type"),
    "prob and mu": (lambda: random.rnbinom(2, 1, prob=0.5, mu=1), "prob", "absent"),
    "no prob": (lambda: random.rnbinom(2, 1), "prob", "absent"),
    "items": (lambda: random.rmultinom(1, 2**31 - 1, [1]), "size", "range"),
    "class weights": (lambda: random.rmultinom(1, 2, [1, np.inf]), "prob", "range"),
    "kind": (lambda: pyrrf.set_seed(1, "L'Ecuyer-CMRG"), "kind", "unsupported"),
    "kind unknown": (lambda: pyrrf.set_seed(1, "abc"), "kind", "choice"),
    "kind of two": (lambda: pyrrf.set_seed(1, "Knuth"), "kind", "choice"),
    "kind number": (lambda: pyrrf.set_seed(1, 3), "kind", "type"),
    "normal kind": (lambda: random.RNGkind(normal_kind="Box-Muller"), "normal_kind", "unsupported"),
    "sample kind": (lambda: pyrrf.set_seed(1, sample_kind="R"), "sample_kind", "choice"),
    "version old": (lambda: random.RNGversion("1.6.2"), "vstr", "unsupported"),
    "version text": (lambda: random.RNGversion("new"), "vstr", "choice"),
    "state text": (lambda: random.set_random_seed(["a"]), "words", "type"),
    "state empty": (lambda: random.set_random_seed(np.empty(0, int)), "words", "unsupported"),
    "state of others": (lambda: random.set_random_seed([10407, *range(6)]), "words", "unsupported"),
    "state short": (lambda: random.set_random_seed([10403, 1, 2]), "words", "length"),
}


def test_what_the_core_refuses() -> None:
    with pytest.raises(ValueError, match="numbers of trials"):
        random.rbinom(2, [5, 2**31 - 1], 0.5)
    with pytest.raises(ValueError, match="the words are all zero"):
        random.set_random_seed([10403, 1] + [0] * 624)


@pytest.mark.parametrize("name", ERRORS)
def test_random_refuses(name: str) -> None:
    call, argument, code = ERRORS[name]
    with refused(argument, code):
        call()
    assert pyrrf.runif(1)[0] == 0.91480604349635541
