"""na_roughfix() and rrfImpute(): missing values filled in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused


@pytest.fixture
def holes() -> pd.DataFrame:
    """Two numbers, a factor with a level without cases, and a column without missing values."""
    pyrrf.set_seed(5)
    drawn = pyrrf.runif(90).reshape(30, 3, order="F")
    table = pd.DataFrame(
        {
            "a": drawn[:, 0],
            "b": np.round(drawn[:, 1] * 6),
            "kind": pd.Categorical.from_codes((drawn[:, 2] * 3).astype(int), categories=["p", "q", "r", "none"]),
            "full": drawn[::-1, 0],
        }
    )
    table.loc[[1, 7, 20], "a"] = np.nan
    table.loc[[2, 7], "b"] = np.nan
    table.loc[[0, 9], "kind"] = np.nan
    return table


@pytest.fixture
def classes(holes: pd.DataFrame) -> pd.Categorical:
    return pd.Categorical(np.where(holes["full"] > 0.5, "up", "down"))


# ---- na_roughfix ---------------------------------------------------------------------------------


def test_medians_and_most_frequent_categories(holes: pd.DataFrame) -> None:
    fixed = pyrrf.na_roughfix(holes)
    assert fixed.loc[[1, 7, 20], "a"].tolist() == [holes["a"].median()] * 3
    assert fixed.loc[[2, 7], "b"].tolist() == [holes["b"].median()] * 2
    assert fixed.loc[[0, 9], "kind"].tolist() == [holes["kind"].value_counts().index[0]] * 2
    assert fixed.dtypes.tolist() == holes.dtypes.tolist()
    pd.testing.assert_series_equal(fixed["full"], holes["full"])
    assert holes["a"].isna().sum() == 3


def test_first_of_equally_frequent_categories() -> None:
    column = pd.Categorical(["b", "a", None, "c"], categories=["c", "b", "a"])
    assert pyrrf.na_roughfix(pd.DataFrame({"f": column}))["f"].tolist() == ["b", "a", "c", "c"]


def test_columns_without_a_known_value() -> None:
    table = pd.DataFrame({"n": [np.nan, np.nan], "f": pd.Categorical([None, None], categories=["x", "y"])})
    fixed = pyrrf.na_roughfix(table)
    assert fixed["n"].isna().all()
    assert fixed["f"].tolist() == ["x", "x"]


@pytest.mark.parametrize(
    ("values", "expected", "dtype"),
    [([1, 2, None, 3], 2, "Int64"), ([1, 2, None], 1.5, "float64"), ([1.5, None], 1.5, "float64")],
)
def test_nullable_numbers(values: list[Any], expected: float, dtype: str) -> None:
    column = pd.Series(values, dtype="Float64" if 1.5 in values else "Int64")
    fixed = pyrrf.na_roughfix(pd.DataFrame({"n": column}))["n"]
    assert fixed[values.index(None)] == expected
    assert fixed.dtype == dtype


def test_arrays_and_series() -> None:
    vector = np.array([3.0, np.nan, 1.0])
    assert pyrrf.na_roughfix(vector).tolist() == [3, 2, 1]
    assert pyrrf.na_roughfix(pd.Series(vector, index=list("abc"), name="v")).to_dict() == {"a": 3, "b": 2, "c": 1}
    assert pyrrf.na_roughfix([[1.0, np.nan], [3.0, 8.0]]).tolist() == [[1, 8], [3, 8]]
    given = np.array([[1.0, 2.0]])
    assert pyrrf.na_roughfix(given).tolist() == [[1, 2]]
    assert pyrrf.na_roughfix(given) is not given
    whole = pd.Series(["a", "b"])
    pd.testing.assert_series_equal(pyrrf.na_roughfix(whole), whole)
    assert pyrrf.na_roughfix(pd.Categorical(["a", "b"])).tolist() == ["a", "b"]


def test_two_columns_of_one_name() -> None:
    table = pd.DataFrame([[1.0, np.nan], [np.nan, 4.0]], columns=["a", "a"])
    assert pyrrf.na_roughfix(table).to_numpy().tolist() == [[1, 4], [1, 4]]


@pytest.mark.parametrize(
    ("given", "argument", "code"),
    [
        (pd.DataFrame({"s": ["a", "b"]}), "object", "type"),
        (pd.DataFrame({"l": [True, False]}), "object", "type"),
        (pd.DataFrame({"f": pd.Categorical([None, None])}), "object", "empty"),
        (pd.Series(["a", None]), "object", "type"),
        (pd.Categorical(["a", None]), "object", "type"),
        (np.array(["a", None], dtype=object), "object", "type"),
        (np.zeros((2, 2, 2)), "object", "shape"),
    ],
    ids=["strings", "booleans", "no levels", "series", "categorical", "objects", "dimensions"],
)
def test_roughfix_errors(given: Any, argument: str, code: str) -> None:
    with refused(argument, code):
        pyrrf.na_roughfix(given)


# ---- rrfImpute -----------------------------------------------------------------------------------


def by_hand(table: pd.DataFrame, y: Any, rounds: int, ntree: int) -> pd.DataFrame:
    """The algorithm in plain steps."""
    full = pyrrf.na_roughfix(table)
    for _ in range(rounds):
        near = pyrrf.RRF(full, y, ntree=ntree, proximity=True).proximity.to_numpy()
        for name in table:
            gone = table[name].isna().to_numpy()
            for row in np.flatnonzero(gone):
                weights = near[row, ~gone]
                known = table.loc[~gone, name]
                if table[name].dtype == "category":
                    means = pd.Series(weights).groupby(known.to_numpy(), observed=True).mean()
                    full.loc[row, name] = means.reindex(table[name].cat.categories).idxmax()
                else:
                    full.loc[row, name] = np.average(known, weights=weights)
    return full


def test_values_are_means_by_proximity(holes: pd.DataFrame, classes: Any, capsys: Any) -> None:
    pyrrf.set_seed(1)
    expected = by_hand(holes, classes, 2, 12)
    pyrrf.set_seed(1)
    full = pyrrf.rrfImpute(holes, classes, iter=2, ntree=12)
    assert list(full) == ["y", *holes]
    assert full["y"].tolist() == list(classes)
    # np.average adds up in another order.
    pd.testing.assert_frame_equal(full[list(holes)], expected, rtol=1e-13)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ntree", "12:", "ntree", "12:"]


def test_array(holes: pd.DataFrame, classes: Any, capsys: Any) -> None:
    numbers = holes[["a", "b"]]
    pyrrf.set_seed(1)
    expected = pyrrf.rrfImpute(numbers, classes, iter=1, ntree=5)
    pyrrf.set_seed(1)
    full = pyrrf.rrfImpute(numbers.to_numpy(), classes, iter=1, ntree=5)
    assert isinstance(full, np.ndarray)
    np.testing.assert_array_equal(full[:, 1:], expected[["a", "b"]])
    np.testing.assert_array_equal(full[:, 0], classes.codes + 1)


def test_numeric_response_keeps_its_name(holes: pd.DataFrame, capsys: Any) -> None:
    response = pd.Series(holes["full"] * 2, name="price")
    full = pyrrf.rrfImpute(holes.drop(columns="full"), response, iter=1, ntree=5, seed=1)
    assert list(full) == ["price", "a", "b", "kind"]
    pd.testing.assert_series_equal(full["price"], response)


def test_formula(holes: pd.DataFrame, classes: Any, capsys: Any) -> None:
    data = holes.assign(klass=classes)
    expected = pyrrf.rrfImpute(holes, classes, iter=1, ntree=6, seed=3)
    for full in (
        pyrrf.rrfImpute("klass ~ .", data, iter=1, ntree=6, seed=3),
        pyrrf.rrfImpute("klass ~ a + b + kind + full", data=data, iter=1, ntree=6, seed=3),
    ):
        pd.testing.assert_frame_equal(full, expected.rename(columns={"y": "klass"}))
    part = pyrrf.rrfImpute("klass ~ a + kind", data, iter=1, ntree=6, subset="full > 0.2")
    assert len(part) == (holes["full"] > 0.2).sum()


def test_ordered_factors_of_a_formula(holes: pd.DataFrame, classes: Any, capsys: Any) -> None:
    ordered = holes["kind"].cat.as_ordered()
    data = holes.assign(kind=ordered, size=ordered, klass=classes)[["kind", "size", "full", "klass"]]
    full = pyrrf.rrfImpute("klass ~ .", data, iter=1, ntree=5)
    # R's loop turns the first column only.
    assert full["kind"].dtype == np.float64
    assert full["size"].dtype == ordered.dtype
    every = pyrrf.rrfImpute("klass ~ .", data, iter=1, ntree=5, quirks=False)
    assert (every[["kind", "size"]].dtypes == np.float64).all()


@pytest.mark.parametrize(
    ("arguments", "error", "argument", "code"),
    [
        ({"iter": 0}, ValueError, "iter", "range"),
        ({"y": None}, ValueError, "y", "absent"),
        ({"y": [1.0, np.nan] * 15}, ValueError, "y", "missing"),
        ({"y": [1.0, 2.0]}, ValueError, "y", "length"),
        ({"x": np.ones((30, 2))}, ValueError, "x", "missing"),
        ({"x": [["a"]] * 30}, TypeError, "x", "type"),
        ({"do_trace": 5}, TypeError, "do_trace", "keyword"),
        ({"proximity": True}, TypeError, "proximity", "keyword"),
        ({"nodsize": 5}, TypeError, "nodsize", "keyword"),
        ({"data": 1}, TypeError, "data", "conflict"),
    ],
)
def test_impute_errors(
    holes: pd.DataFrame, classes: Any, arguments: dict[str, Any], error: type[Exception], argument: str, code: str
) -> None:
    with refused(argument, code, error):
        pyrrf.rrfImpute(**{"x": holes, "y": classes, "ntree": 3, **arguments})


def test_values_that_cannot_be_imputed(holes: pd.DataFrame, classes: Any, capsys: Any) -> None:
    message = r"column\(s\) \['a'\] of x could not be imputed: .*; drop the column\(s\), or pass a larger ntree"
    with pytest.raises(ValueError, match=message):
        pyrrf.rrfImpute(holes.assign(a=np.nan), classes, ntree=3)
    assert capsys.readouterr().out == ""
    # Trees that part all rows leave a row near to none, after the first forest.
    with refused("x", "missing"):
        pyrrf.rrfImpute(holes[["a", "full"]], holes["full"] * 1.0, ntree=1, seed=1, iter=3, nodesize=1)
    assert "MSE" in capsys.readouterr().out


def test_formula_without_a_response(holes: pd.DataFrame) -> None:
    with refused("formula", "formula"):
        pyrrf.rrfImpute("~ a", holes)


LEVELS = pd.MultiIndex.from_product([["left", "right"], ["u", "v"]], names=["side", "part"])


@pytest.mark.parametrize(
    ("name", "label"), [(None, ("y", "")), ("z", ("z", "")), (("z", "w"), ("z", "w")), (("z",), ("z", ""))]
)
def test_columns_of_several_levels(x: np.ndarray, y: np.ndarray, capsys: Any, name: Any, label: Any) -> None:
    table = pd.DataFrame(np.where(x[:, :4] > 0.95, np.nan, x[:, :4]), columns=LEVELS)
    response = y if name is None else pd.Series(y, name=name)
    full = pyrrf.rrfImpute(table, response, iter=1, ntree=20, seed=1)
    assert full.columns.tolist() == [label, *LEVELS]
    assert full.columns.names == LEVELS.names
    assert full.notna().all(axis=None)


def test_a_name_of_more_levels_than_the_columns(x: np.ndarray, y: np.ndarray) -> None:
    table = pd.DataFrame(np.where(x[:, :4] > 0.95, np.nan, x[:, :4]), columns=LEVELS)
    with refused("y", "columns"):
        pyrrf.rrfImpute(table, pd.Series(y, name=("a", "b", "c")), iter=1, ntree=20)


def test_means_beyond_the_largest_double_are_silent(y: np.ndarray, capsys: Any) -> None:
    table = np.linspace(1e308, 1.7e308, 40)[:, np.newaxis]
    table[7] = np.nan
    assert pyrrf.rrfImpute(table, y, iter=1, ntree=20, seed=1)[7, 1] > 0
