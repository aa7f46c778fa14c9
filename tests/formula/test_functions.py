"""R's functions of a vector in formulas."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.r.stats.term_values import call_r
from pyrrf.rbase import elementary as r
from pyrrf.rbase.collate import collating


@pytest.mark.parametrize("name", ["log", "log2", "log10", "log1p", "exp", "expm1", "sin", "cos", "tan"])
def test_functions_call_the_c_library(name: str) -> None:
    pyrrf.set_seed(5)
    values = pyrrf.runif(500) * 20
    expected = [getattr(math, name)(v) for v in values.tolist()]
    assert call_r(name, pd.Series(values)).to_pandas().tolist() == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: r.log(pd.Series([0.0, np.nan])), [-math.inf, math.nan]),
        (lambda: r.log(pd.Series([8.0]), base=2), [3.0]),
        (lambda: r.log(pd.Series([9.0]), base=3), [math.log(9) / math.log(3)]),
        (lambda: call_r("exp", pd.Series([1e4])), [math.inf]),
        (lambda: r.power(pd.Series([-8.0, 0.0, 2.0]), -1), [-0.125, math.inf, 0.5]),
        (lambda: r.power(pd.Series([-8.0]), 1 / 3), [math.nan]),
        (lambda: r.power(2, pd.Series([0.5, 3.0])), [math.pow(2, 0.5), 8.0]),
        (lambda: call_r("as_numeric", pd.Series(pd.Categorical(["b", None, "a"]))), [2.0, math.nan, 1.0]),
        (lambda: call_r("as_numeric", pd.Series([True, False])), [1.0, 0.0]),
        (lambda: call_r("sqrt", pd.Series([4.0, np.nan])), [2.0, math.nan]),
    ],
)
def test_values_at_the_limits(call: Any, expected: list[float]) -> None:
    found = call()
    np.testing.assert_array_equal(np.asarray(found), expected)


def test_a_number_without_a_logarithm_is_told_as_in_r() -> None:
    with pytest.warns(UserWarning, match=r"^log\(x\) is NaN for 1 of 3 numbers"):
        found = call_r("log", pd.Series([0.0, -1.0, np.nan]))
    np.testing.assert_array_equal(np.asarray(found), [-math.inf, math.nan, math.nan])


def test_ifelse_keeps_missing_conditions() -> None:
    test = pd.Series([True, None, False], dtype="boolean")
    assert call_r("ifelse", test, "yes", "no").to_pandas().tolist() == ["yes", None, "no"]


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (["b", "B", "a", None], ["B", "a", "b"]),
        ([3, 1, 2], [1, 2, 3]),
        ([True, False], [False, True]),
        (pd.Categorical(["x"], ["y", "x"]), ["x"]),
    ],
)
def test_levels_of_factor(values: Any, levels: list[Any]) -> None:
    with collating("C"):
        assert call_r("factor", pd.Series(values)).categories.tolist() == levels


def test_levels_of_factor_in_the_order_of_the_call() -> None:
    with collating("en_US"):
        assert call_r("factor", pd.Series(["b", "B", "a", None])).categories.tolist() == ["a", "b", "B"]


def test_as_factor_keeps_the_levels_of_a_factor() -> None:
    values = pd.Series(pd.Categorical(["x"], ["y", "x"]))
    assert call_r("as_factor", values).categories.tolist() == ["y", "x"]


def test_the_mean_of_whole_numbers_is_added_up_once() -> None:
    # R's mean() corrects that of doubles alone.
    x = pd.Series([1141519386, -704968693, 1430819583, 107858059, -1979881564])
    exact = float(np.longdouble(int(x.sum())) / len(x))
    assert call_r("mean", x).to_pandas().tolist() == [exact]
    assert call_r("mean", x.astype(float)).to_pandas().tolist() != [exact]
