"""What comes in and what goes out: Series and their labels, missing values, errors, the platform's long double."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf.r as r
from parity.values import R_NA
from pyrrf.rbase import arithmetic

LABELLED = pd.Series([3.0, 1.0, 2.0], index=["c", "a", "b"])


def test_a_series_keeps_its_index() -> None:
    assert r.cumsum(LABELLED).index.tolist() == ["c", "a", "b"]
    assert r.sort(LABELLED).to_dict() == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert r.which(LABELLED > 1).to_dict() == {"c": 0, "b": 2}
    assert r.rank(LABELLED).to_dict() == {"c": 3.0, "a": 1.0, "b": 2.0}


def test_a_number_gives_a_number() -> None:
    assert type(r.round(2.567, 1)) is float
    assert type(r.exp(1)) is float
    assert type(r.quantile([1, 2], 0.5)) is float


def test_a_data_frame_keeps_its_names() -> None:
    frame = pd.DataFrame({"u": [1.0, 2.0, 4.0], "v": [2.0, 1.0, 0.0]}, index=["x", "y", "z"])
    assert r.colMeans(frame).index.tolist() == ["u", "v"]
    assert r.rowSums(frame).index.tolist() == ["x", "y", "z"]
    assert r.cor(frame).columns.tolist() == ["u", "v"]
    scaled = r.scale(frame)
    again = r.scale(frame, scaled.attrs["scaled:center"], scaled.attrs["scaled:scale"])
    pd.testing.assert_frame_equal(scaled, again, check_exact=True)


def test_scaled_tables_can_be_joined() -> None:
    frame = r.scale(pd.DataFrame({"u": [1.0, 2.0, 4.0]}))
    assert pd.concat([frame, frame]).shape == (6, 1)


def test_signalling_nan_of_r_is_missing_and_no_number() -> None:
    values = np.array([2.0, R_NA, 1.0])
    assert r.max(values, na_rm=True) == 2.0
    assert math.isnan(r.min(values))
    assert r.cut(values, 3, labels=False)[[0, 2]].tolist() == [3, 1]


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan])
def test_every_missing_value_counts_as_one(missing: object) -> None:
    assert r.mean(pd.Series([1.0, missing, 3.0], dtype=object), na_rm=True) == 2.0
    assert r.table(pd.Series(["a", missing, "a"], dtype=object)).to_dict() == {"a": 2}
    assert r.sum(pd.array([1, pd.NA, 3], dtype="Int64"), na_rm=True) == 4


def test_levels_keep_the_type_of_the_values() -> None:
    found = r.factor([1, 0, 1])
    assert (found == np.array([1, 0, 1])).all()
    assert r.as_character(found).tolist() == ["1", "0", "1"]


FLAGS = pd.array([True, None, False], dtype="boolean")
GRID = np.array([[1.0, 5.0], [1.0, 5.0], [4.0, 2.0]])


@pytest.mark.parametrize(
    ("found", "of_r"),
    [
        (lambda: r.max([2, 3], 7), 7),
        (lambda: r.sum([0.1, 0.2], 0.3), 0.6000000000000001),
        (lambda: r.range([1.0, 2.0], 5), [1, 5]),
        (lambda: r.cumsum(GRID), [1, 2, 6, 11, 16, 18]),
        (lambda: r.cumsum(pd.DataFrame(GRID)).to_numpy().tolist(), [[1, 5], [2, 10], [6, 12]]),
        (lambda: r.diff(GRID).tolist(), [[0, 0], [3, -3]]),
        (lambda: r.unique(GRID).tolist(), [[1, 5], [4, 2]]),
        (lambda: r.duplicated(GRID), [False, True, False]),
        (lambda: r.which(GRID > 3), [2, 3, 4]),
        (lambda: r.seq_along(GRID), [1, 2, 3, 4, 5, 6]),
        (lambda: r.as_character(FLAGS), ["TRUE", None, "FALSE"]),
        (lambda: r.factor(FLAGS).categories, [False, True]),
        (lambda: r.c(r.factor(["b", "a"]), "z"), ["2", "1", "z"]),
        (lambda: r.ifelse([True, False], r.factor(["b", "a"]), 0), [2, 0]),
        (lambda: r.setdiff([1, np.nan, 2], [np.nan]), [1, 2]),
        (lambda: r.setdiff(["1", "2"], [1]), ["2"]),
        (lambda: r.union([1, 2], ["a"]), ["1", "2", "a"]),
        (lambda: r.round(0.1234567, [1, 2]), [0.1, 0.12]),
        (lambda: r.power(-np.inf, -3).hex(), "0x0.0p+0"),
        (lambda: r.cut([1, 3], [-np.inf, 2, np.inf]), ["(-Inf,2]", "(2, Inf]"]),
        (lambda: r.table(["a", "b", None], exclude="a"), [1, 1]),
        (lambda: r.table(pd.DataFrame({"u": ["a", "b"], "v": ["c", "c"]})).shape, (2, 1)),
        (lambda: r.rbind([1, 2], 3).tolist(), [[1, 2], [3, 3]]),
        (lambda: r.sprintf("%5.1f|%d|%s|%s|%x", -np.inf, np.nan, True, 1e6, 255), " -Inf|NA|TRUE|1e+06|ff"),
        (lambda: r.cor([1, np.nan, 3], [1, 2, 3], use="pair"), 1),
    ],
)
def test_answers_of_r(found: Callable[[], object], of_r: object) -> None:
    answer = found()
    assert (answer if isinstance(answer, str | tuple) or np.ndim(of_r) == 0 else list(answer)) == of_r


@pytest.mark.parametrize(
    ("function", "args", "argument"),
    [
        (r.mean, ([1, 2, 3], 0.25), "na_rm"),
        (r.median, (pd.DataFrame(GRID),), "x"),
        (r.sd, (pd.DataFrame(GRID),), "x"),
        (r.order, (pd.DataFrame(GRID),), "x"),
        (r.which, ([1, 0],), "x"),
        (r.cov, ([1, 2],), "x"),
        (r.factor, (["a", None], None, None, None, "b"), "exclude"),
        (r.factor, (["a"], ["a", "a"]), "levels"),
        (r.relevel, (r.factor(["a"], ordered=True), "a"), "x"),
        (r.rep, ([1], -1), "times"),
        (r.createFolds, ([1.0, np.nan, 2.0],), "y"),
        (r.createDataPartition, ([1, 2, 3], 1, 1.5), "p"),
        (r.sprintf, ("%d", "a"), "%d"),
        (r.sprintf, ("%d %d", 1), "fmt"),
        (r.mean, (["a"],), "x"),
        (r.sum, (pd.Categorical(["a"]),), "x"),
        (r.rowSums, ([1, 2],), "x"),
        (r.quantile, ([1.0, np.nan],), "x"),
        (r.quantile, ([1.0], 2), "probs"),
        (r.cut, ([1.0], [1, 1, 2]), "breaks"),
        (r.findInterval, ([1.0], [2, 1]), "vec"),
        (r.scale, (np.eye(2), [1, 2, 3]), "center"),
        (r.seq, (1, 2, -1), "by"),
        (r.relevel, (pd.Categorical(["a"]), "b"), "ref"),
        (r.cor, ([1, 2],), "x"),
        (r.which_max, ([],), "x"),
        (r.apply, (np.eye(2), 3, r.sum), "MARGIN"),
    ],
)
def test_errors_name_the_argument(function: object, args: tuple[object, ...], argument: str) -> None:
    with pytest.raises((TypeError, ValueError), match=rf"^{argument}\b"):
        function(*args)  # type: ignore[operator]


def test_a_platform_without_long_double_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "_BITS", 1)
    monkeypatch.setattr(arithmetic, "_WARNED", False)
    with pytest.warns(r.LongDoubleWarning, match="mean, var, sd, scale"):
        r.mean([1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r.sd([1.0, 2.0])


@pytest.mark.parametrize(
    ("of_r", "answer"),
    [
        (lambda: r.cumsum(pd.array([1008644019, 400079873, 901889441, None], dtype="Int64")), [1008644019, 1408723892]),
        (lambda: r.diff(pd.array([5, 7, -2147483647, 2147483647, None], dtype="Int64")), [2]),
        (lambda: [r.weighted_mean(pd.array([2147483647, 1, None], dtype="Int64"), [2, 1, 1], na_rm=True)], []),
    ],
)
def test_integers_of_which_some_are_missing_overflow_as_integers(of_r: Callable[[], Any], answer: list[int]) -> None:
    with pytest.warns(UserWarning, match="2147483647"):
        found = np.asarray(of_r(), dtype=float)
    known = found[: len(answer)]
    assert known.tolist() == answer
    assert np.isnan(found[len(answer) :]).all()
