"""What comes in and what goes out: Series and their labels, missing values, errors, the platform's long double."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest

import pyrrf.r as r
from parity.values import R_NA
from pyrrf.r import extended

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


@pytest.mark.parametrize(
    ("function", "args", "argument"),
    [
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
    monkeypatch.setattr(extended, "_BITS", 1)
    monkeypatch.setattr(extended, "_WARNED", False)
    with pytest.warns(r.LongDoubleWarning, match="mean, var, sd, scale"):
        r.mean([1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r.sd([1.0, 2.0])
