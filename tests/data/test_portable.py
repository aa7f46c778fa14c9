"""Tables and labels of pandas in the state of what is stored: they come back as they were."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.data.portable import PandasState, plain_parts, rebuild_parts

SIMPLE = {
    "positions": pd.RangeIndex(2, 11, 3, name="row"),
    "strings": pd.Index(["b", "a", None], name="gene"),
    "numbers": pd.Index([1.5, np.nan]),
    "flags": pd.Index([True, False]),
    "mixed labels": pd.Index(["a", 1, (2, 3)], dtype=object),
    "text": pd.Index(["b", "a"], dtype="string"),
    "days": pd.date_range("2020-01-01", periods=3, name="day"),
    "times": pd.DatetimeIndex(["2020-01-01", None, "2020-01-01 12:00"]),
    "durations": pd.to_timedelta([1, 5], "s"),
    "levels": pd.MultiIndex.from_tuples([("a", 1), ("b", 1)], names=["u", None]),
    "column": pd.Series([3, 1], ["x", "y"], np.int32, name="n"),
    "a type": pd.DataFrame(np.arange(6.0).reshape(2, 3), columns=list("bab"), index=["r", "r"]),
    "types": pd.DataFrame({"f": [1.5, 2], "s": ["u", None], "g": [0.5, 1], "o": [(1, 2), (3, 4)], "b": [True, False]}),
    "no rows": pd.DataFrame({"f": np.zeros(0), "s": np.zeros(0, object)}),
    "no columns": pd.DataFrame(index=["r1", "r2"]),
}
# Pickle alone can hold them.
OTHERS = {
    "times of a zone": pd.DatetimeIndex(["2020-01-01"], tz="UTC"),
    "categories": pd.DataFrame({"c": pd.Categorical(["a"])}),
    "nullable": pd.Series([1, None], dtype="Int64"),
    "text": "x",
}


def check_same(found: Any, wanted: Any) -> None:
    assert type(found) is type(wanted)
    compare = {"Series": pd.testing.assert_series_equal, "DataFrame": pd.testing.assert_frame_equal}
    compare.get(type(wanted).__name__, pd.testing.assert_index_equal)(found, wanted)  # type: ignore[operator]
    assert getattr(found, "freq", None) == getattr(wanted, "freq", None)


@pytest.mark.parametrize("name", SIMPLE)
def test_what_arrays_can_hold_comes_back(name: str) -> None:
    plain = plain_parts({"part": SIMPLE[name]})
    assert isinstance(plain["part"], PandasState)
    assert b"pandas" not in pickle.dumps(plain)
    check_same(rebuild_parts(pickle.loads(pickle.dumps(plain)))["part"], SIMPLE[name])


@pytest.mark.parametrize("name", OTHERS)
def test_the_rest_stays(name: str) -> None:
    assert plain_parts({"part": OTHERS[name]})["part"] is OTHERS[name]
    assert rebuild_parts({"part": OTHERS[name]})["part"] is OTHERS[name]


def test_a_fit_from_before_is_read() -> None:
    fit = pyrrf.RRF(np.arange(40.0).reshape(20, 2), np.arange(20) % 2.0 + np.arange(20), ntree=3, seed=1)
    state = fit.__getstate__()
    assert isinstance(state["rows"], PandasState)
    again = type(fit).__new__(type(fit))
    again.__setstate__({**state, "rows": fit.rows, "columns": fit.columns})
    assert again == fit
