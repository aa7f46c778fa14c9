"""The formula interface: model frames as R makes them, missing values, new data, errors."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.formula import functions as functions
from pyrrf.formula.terms import parse
from tests.refusals import refused

BOSTON = ["crim", "zn", "indus", "chas", "nox", "rm", "medv"]


@pytest.fixture
def data() -> pd.DataFrame:
    """60 rows with a numeric and a categorical response and a column of each type."""
    pyrrf.set_seed(1)
    n = 60
    frame = pd.DataFrame({"price": 1 + pyrrf.runif(n), "size": pyrrf.runif(n), "age.years": pyrrf.runif(n)})
    frame["kind"] = pd.Categorical(np.where(frame["size"] > 0.5, "big", "small"))
    frame["grade"] = pd.Categorical(np.resize(["low", "mid", "top"], n), ["low", "mid", "top"], ordered=True)
    frame["colour"] = pd.Categorical(np.resize(["red", "green", "blue", "red"], n))
    frame["new"] = np.resize([True, False, False], n)
    return frame.set_axis([f"r{i}" for i in range(n)])


def holed(data: pd.DataFrame) -> pd.DataFrame:
    """Missing values in rows r2 (size), r3 (colour) and r5 (price)."""
    out = data.copy()
    out.loc["r2", "size"] = np.nan
    out.loc["r3", "colour"] = None
    out.loc["r5", "price"] = np.nan
    return out


def terms(formula: str, columns: list[str] = BOSTON) -> Any:
    return parse(formula, columns)


# ---- terms ---------------------------------------------------------------------------------------

COLUMNS = {
    "dot": ("medv ~ .", "crim zn indus chas nox rm"),
    "dot without": ("log(medv) ~ . - chas", "crim zn indus nox rm"),
    "dot after a column": ("medv ~ zn + .", "zn crim indus chas nox rm"),
    "no intercept": ("medv ~ . - 1", "crim zn indus chas nox rm"),
    "zero first": ("medv ~ 0 + rm + zn", "rm zn"),
    "interaction comes last": ("medv ~ crim:zn + rm", "rm crim zn"),
    "star": ("medv ~ crim*zn", "crim zn"),
    "nested": ("medv ~ crim/zn", "crim zn"),
    "power": ("medv ~ (crim + zn + nox)^2 - crim:zn", "crim zn nox"),
    "in": ("medv ~ rm %in% crim + zn", "zn rm crim"),
    "order within an interaction": ("medv ~ rm:nox:crim + crim:nox", "nox crim rm"),
    "twice": ("medv ~ rm + crim + rm", "rm crim"),
    "response on the right": ("log(medv) ~ medv + crim", "medv crim"),
    "difference as response": ("medv - rm ~ . - zn", "crim indus chas nox"),
    "no response": ("~ crim + rm", "crim rm"),
    "dropped but computed": ("medv ~ zn - crim + I(crim^2)", "zn I(crim^2)"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_those_of_the_model_frame(name: str) -> None:
    formula, columns = COLUMNS[name]
    assert terms(formula).names == columns.split()


def test_dropped_variables_count_for_missing_values_in_quirks_mode_only() -> None:
    assert [v.label for v in terms("medv ~ zn + rm - crim").variables] == ["zn", "rm", "crim"]
    assert [v.label for v in parse("medv ~ zn + rm - crim", BOSTON, quirks=False).variables] == ["zn", "rm"]


# ---- fits ----------------------------------------------------------------------------------------


def test_same_forest_as_from_the_columns(data: pd.DataFrame) -> None:
    by_formula = pyrrf.RRF("log(price) ~ . - kind", data=data, ntree=10, seed=1)
    after = pyrrf.runif(2)
    by_columns = pyrrf.RRF(data.drop(columns=["price", "kind"]), data["price"].map(math.log), ntree=10, seed=1)
    np.testing.assert_array_equal(after, pyrrf.runif(2))
    by_formula.terms = None
    assert by_formula == by_columns
    assert by_formula.feature_names == by_columns.feature_names


@pytest.mark.parametrize("formula", ["`y 1` ~ `x 1` + k", "(`y 1`) ~ `x 1`:k", "(`y 1`) ~ (`x 1`) + `k`", "`y 1` ~ ."])
def test_names_that_are_no_names_of_r(formula: str) -> None:
    data = pd.DataFrame({"x 1": [0.3, 0.1, 0.2, 0.5, 0.4, 0.6], "k": [1, 2, 1, 2, 1, 2], "y 1": [2.0, 1, 4, 3, 5, 6]})
    by_columns = pyrrf.RRF(data[["x 1", "k"]], data["y 1"], ntree=3, seed=1)
    by_formula = pyrrf.RRF(formula, data=data, ntree=3, seed=1, subset="`x 1` < 1")
    assert list(by_formula.importance.index) == ["x 1", "k"]
    np.testing.assert_array_equal(pyrrf.predict(by_formula, data), pyrrf.predict(by_columns, data[["x 1", "k"]]))


WAYS = pytest.mark.parametrize(
    "call",
    [
        lambda d: pyrrf.RRF("kind ~ .", d, ntree=5, seed=1),
        lambda d: pyrrf.RRF(formula="kind ~ .", data=d, ntree=5, seed=1),
        lambda d: pyrrf.RRF(d, formula="kind ~ .", ntree=5, seed=1),
    ],
    ids=["data second", "by name", "data first"],
)


@WAYS
def test_ways_to_pass_the_data(call: Any, data: pd.DataFrame) -> None:
    assert call(data) == pyrrf.RRF("kind ~ .", data=data, ntree=5, seed=1)


@pytest.mark.parametrize(
    ("formula", "classes"),
    [
        ("kind ~ size", ["big", "small"]),
        ("new ~ size", [False, True]),
        ("as.factor(price > 1.5) ~ size", [False, True]),
        ("ifelse(size > .5, 'b', 'a') ~ price", ["a", "b"]),
        ("grade ~ size", ["low", "mid", "top"]),
    ],
)
def test_response_of_classes(formula: str, classes: list[Any], data: pd.DataFrame) -> None:
    assert pyrrf.RRF(formula, data, ntree=5).classes == classes


@WAYS
def test_call_shows_the_formula(call: Any, data: pd.DataFrame) -> None:
    assert call(data).call == "RRF('kind ~ .', data=data, ntree=5, seed=1)"


def test_guided_forest_takes_a_formula(data: pd.DataFrame) -> None:
    assert pyrrf.GRRF("kind ~ .", data, ntree=5).feature_names


def test_functions_of_the_caller(data: pd.DataFrame) -> None:
    limit = 0.4

    def above(values: pd.Series) -> pd.Series:
        return values > limit

    fit = pyrrf.RRF("kind ~ above(size) + np.sqrt(price) + I(price > limit)", data, ntree=5)
    assert fit.columns.tolist() == ["above(size)", "np.sqrt(price)", "I(price > limit)"]


def test_fit_with_a_function_of_numpy_pickles(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("kind ~ np.sqrt(price) + I(size^3)", data, ntree=5)
    copy = pickle.loads(pickle.dumps(fit))
    assert copy == fit
    pd.testing.assert_series_equal(pyrrf.predict(copy, data), pyrrf.predict(fit, data))


def test_offset_is_ignored_with_a_warning(data: pd.DataFrame) -> None:
    with pytest.warns(UserWarning, match="offset"):
        fit = pyrrf.RRF("kind ~ price + offset(size)", data, ntree=5)
    assert fit.columns.tolist() == ["price"]


def test_offset_counts_for_missing_values(data: pd.DataFrame) -> None:
    with pytest.warns(UserWarning, match="offset"), pytest.raises(ValueError, match="'size'"):
        pyrrf.RRF("kind ~ price + offset(size)", holed(data), ntree=5)


# ---- rows ----------------------------------------------------------------------------------------

SUBSETS: dict[str, Any] = {
    "condition": "price > 1.5 & size < 0.8",
    "booleans": lambda d: ((d["price"] > 1.5) & (d["size"] < 0.8)).to_numpy(),
    "series": lambda d: (d["price"] > 1.5) & (d["size"] < 0.8),
    "positions": lambda d: np.flatnonzero((d["price"] > 1.5) & (d["size"] < 0.8)),
}


@pytest.mark.parametrize("name", SUBSETS)
def test_subset(name: str, data: pd.DataFrame) -> None:
    subset = SUBSETS[name] if isinstance(SUBSETS[name], str) else SUBSETS[name](data)
    rows = data[(data["price"] > 1.5) & (data["size"] < 0.8)]
    fit = pyrrf.RRF("kind ~ .", data=data, subset=subset, ntree=5, seed=1)
    assert fit.rows.tolist() == rows.index.tolist()
    assert fit == pyrrf.RRF("kind ~ .", data=rows, ntree=5, seed=1)


def test_subset_comes_before_the_check_for_missing_values(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("kind ~ .", data=holed(data), subset=np.arange(6, 60), ntree=5)
    assert len(fit.rows) == 54


def test_rows_for_which_the_condition_is_missing_can_be_left_out(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("kind ~ age.years", holed(data), subset="size > 0", na_action="na_omit", ntree=5)
    assert fit.rows.tolist() == [row for row in data.index if row != "r2"]


def test_computed_predictors_see_the_subset_only(data: pd.DataFrame) -> None:
    """R computes them on all rows first, then anew on the rows that are left."""

    def centred(values: pd.Series) -> pd.Series:
        return values - values.sum() / len(values)

    fit = pyrrf.RRF("price ~ size + centred(size)", data, subset="size > .5", ntree=5, keep_inbag=True)
    kept = data.loc[data["size"] > 0.5, "size"]
    shifted = pd.DataFrame({"size": kept, "centred(size)": centred(kept)})
    again = pyrrf.RRF(shifted, data.loc[kept.index, "price"], ntree=5, seed=1)
    fit = pyrrf.RRF("price ~ size + centred(size)", data, subset="size > .5", ntree=5, seed=1)
    fit.terms = None
    assert fit == again


def test_na_fail_names_columns_and_remedy(data: pd.DataFrame) -> None:
    with refused("data", "missing"):
        pyrrf.RRF("price ~ size + colour", data=holed(data), ntree=5)


@pytest.mark.parametrize(
    "na_action", ["na_omit", "na.omit", lambda frame: frame.dropna()], ids=["as_a_name", "as_in_r", "function"]
)
def test_na_omit(na_action: Any, data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("price ~ size", data=holed(data), na_action=na_action, ntree=5, seed=1)
    assert fit.rows.tolist() == [row for row in data.index if row not in ("r2", "r5")]


def test_na_omit_minds_dropped_columns_as_r_does(data: pd.DataFrame) -> None:
    gone = {
        quirks: len(data)
        - len(pyrrf.RRF("kind ~ price - colour", holed(data), na_action="na_omit", quirks=quirks, ntree=5).rows)
        for quirks in (True, False)
    }
    assert gone == {True: 2, False: 1}


def test_condition_on_a_missing_value_is_missing(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("factor(price > 1.5) ~ size", holed(data), na_action="na_omit", ntree=5)
    assert "r5" not in fit.rows
    assert len(fit.rows) == 58


def test_na_action_fills_the_frame(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF(
        "kind ~ price + I(price^2)", holed(data), na_action=lambda f: f.fillna({"price": 1.5}), ntree=5, seed=1
    )
    filled = data.assign(price=data["price"].where(data.index != "r5", 1.5))
    assert fit == pyrrf.RRF("kind ~ price + I(price^2)", filled, ntree=5, seed=1)


# ---- new data ------------------------------------------------------------------------------------


@pytest.fixture
def fit(data: pd.DataFrame) -> Any:
    return pyrrf.RRF("kind ~ . - new + I(price > 1.2)", data, ntree=15, seed=3, coefReg=1)


def test_new_data_are_matched_by_name(fit: Any, data: pd.DataFrame) -> None:
    shuffled = data[[*reversed(data.columns)]].drop(columns="kind").assign(extra=1)
    pd.testing.assert_series_equal(pyrrf.predict(fit, shuffled), pyrrf.predict(fit, data))


@pytest.mark.parametrize("kind", ["response", "prob", "vote"])
def test_rows_with_missing_values_have_missing_predictions(kind: str, fit: Any, data: pd.DataFrame) -> None:
    new = holed(data).drop(columns="kind").astype({"new": "boolean"}).head(10)
    new.loc["r7", "new"] = None
    found = pyrrf.predict(fit, new, type=kind)
    whole = pyrrf.predict(fit, data.head(10), type=kind)
    kept = [row for row in new.index if row not in ("r2", "r3", "r5", "r7")]
    assert found.index.tolist() == new.index.tolist()
    assert found.drop(kept).isna().all(axis=None)
    assert found.loc[kept].equals(whole.loc[kept])


def test_parts_of_a_prediction_have_the_complete_rows(fit: Any, data: pd.DataFrame) -> None:
    new = holed(data).head(6)
    found = pyrrf.predict(fit, new, predict_all=True, proximity=True, nodes=True)
    assert len(found.predicted) == 6
    assert [part.index.tolist() for part in (found.individual, found.proximity, found.nodes)] == [
        ["r0", "r1", "r4"]
    ] * 3


def test_trees_of_a_regression_have_all_rows(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("price ~ size + colour", data, ntree=5, seed=1)
    found = pyrrf.predict(fit, holed(data).head(6), predict_all=True, nodes=True)
    assert found.individual.isna().all(axis=1).tolist() == [False, False, True, True, False, False]
    assert found.predicted.isna().tolist() == [False, False, True, True, False, False]
    assert found.nodes.index.tolist() == ["r0", "r1", "r4", "r5"]


@pytest.mark.parametrize("kind", ["response", "prob"])
def test_all_rows_missing(kind: str, fit: Any, data: pd.DataFrame) -> None:
    found = pyrrf.predict(fit, holed(data).loc[["r2", "r3"]], type=kind, predict_all=True)
    assert found.predicted.index.tolist() == ["r2", "r3"]
    assert found.predicted.isna().all(axis=None)
    assert len(found.individual) == 0


def test_all_rows_missing_in_a_regression(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("price ~ size", data, ntree=5)
    found = pyrrf.predict(fit, holed(data).loc[["r2"]])
    assert found.isna().tolist() == [True]


def test_one_row_as_a_series(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("kind ~ price + size", data, ntree=5)
    assert pyrrf.predict(fit, data[["price", "size"]].loc["r4"]).equals(pyrrf.predict(fit, data.loc[["r4"]]))


def test_an_ordered_factor_that_comes_first_becomes_a_number(data: pd.DataFrame) -> None:
    first = pyrrf.RRF("kind ~ grade + size", data, ntree=5)
    assert first.forest.xlevels == [0, 0]
    assert pyrrf.RRF("kind ~ size + grade", data, ntree=5).forest.xlevels == [0, ("low", "mid", "top")]
    assert pyrrf.RRF("kind ~ grade + size", data, ntree=5, quirks=False).forest.xlevels[0] == ("low", "mid", "top")


@pytest.mark.parametrize("quirks", [True, False])
def test_ordered_factor_in_new_data_is_matched_by_value(quirks: bool, data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("kind ~ grade + size", data, ntree=5, quirks=quirks)
    part = data.assign(grade=data["grade"].cat.remove_categories("mid"))
    kept = part["grade"].notna()
    pd.testing.assert_series_equal(pyrrf.predict(fit, part)[kept], pyrrf.predict(fit, data)[kept])


def test_small_integers_do_not_overflow(data: pd.DataFrame) -> None:
    small = data.assign(count=np.resize(np.array([100, 50], dtype=np.int8), len(data)))
    wide = small.astype({"count": np.int64})
    formula = "kind ~ I(count * 3 + size) + price"
    assert pyrrf.RRF(formula, small, ntree=5, seed=1) == pyrrf.RRF(formula, wide, ntree=5, seed=1)


# ---- errors --------------------------------------------------------------------------------------

BAD: dict[str, tuple[dict[str, Any], type[Exception], str, str]] = {
    "unknown column": ({"x": "kind ~ nothing"}, ValueError, "'nothing', which is not a column"),
    "unknown quoted column": ({"x": "kind ~ `no such`"}, ValueError, "'no such', which is not a column"),
    "array of the caller": ({"x": "kind ~ BOSTON"}, ValueError, "add it to data"),
    "no such attribute": ({"x": "kind ~ np.nothing(size)"}, ValueError, "'np' has no 'nothing'"),
    "no predictors": ({"x": "kind ~ 1"}, ValueError, "no predictors"),
    "all dropped": ({"x": "kind ~ size - size"}, ValueError, "no predictors"),
    "no tilde": ({"x": "kind"}, ValueError, "one '~'"),
    "several columns in": ({"x": "kind ~ size %in% (price + new)"}, ValueError, "one column on its right"),
    "interaction in": ({"x": "kind ~ size %in% price:new"}, ValueError, "one column on its right"),
    "power of nothing": ({"x": "kind ~ (size - size):new^2"}, ValueError, "no predictors"),
    "two tildes": ({"x": "kind ~ size ~ price"}, ValueError, "one '~'"),
    "two parts": ({"x": "kind ~ size | price"}, ValueError, "cannot be read"),
    "condition as a term": ({"x": "kind ~ size > 1"}, ValueError, "cannot be read"),
    "open bracket": ({"x": "kind ~ I(size"}, ValueError, "cannot be computed"),
    "chained comparison": ({"x": "kind ~ I(0 < size < 1)"}, ValueError, "two comparisons in a row"),
    "logarithm of text": ({"x": "price ~ log(kind)"}, ValueError, "cannot be computed"),
    "two columns": ({"x": "price ~ two(size)"}, ValueError, "shape"),
    "too few values": ({"x": "price ~ few(size)"}, ValueError, "1 values for 60 rows"),
    "other rows": ({"x": "price ~ turned(size)"}, ValueError, "other row labels"),
    "scalar and": ({"x": "price ~ I(size > 1 && size < 2)"}, ValueError, "'&&'.*use &"),
    "operator of the user": ({"x": "price ~ I(size %o% 2)"}, ValueError, "the operator '%o%'"),
    "infinite": ({"x": "price ~ I(size / 0)"}, ValueError, "infinite"),
    "no data": ({"x": "kind ~ .", "data": None}, TypeError, "data is missing"),
    "data of another type": ({"x": "kind ~ .", "data": [1]}, TypeError, "data must be a DataFrame"),
    "numbers as names": ({"x": "kind ~ .", "data": pd.DataFrame({0: [1]})}, TypeError, "named by strings"),
    "a name twice": (
        {"x": "kind ~ .", "data": pd.DataFrame([[1, 2]], columns=["a", "a"])},
        ValueError,
        "more than one column called 'a'",
    ),
    "y too": ({"x": "kind ~ .", "y": [1, 2]}, TypeError, "y is given together"),
    "two formulas": ({"x": "kind ~ .", "formula": "kind ~ size"}, TypeError, "given twice"),
    "formula of another type": ({"formula": 3}, TypeError, "formula must be a string"),
    "data without formula": ({"x": [[1.0], [2.0]], "y": ["a", "b"]}, TypeError, "data needs a formula"),
    "na_action without formula": (
        {"x": [[1.0], [2.0]], "y": ["a", "b"], "data": None, "na_action": "na_omit"},
        TypeError,
        "na_action needs a formula",
    ),
    "nothing": ({"data": None}, TypeError, "x is missing"),
    "unknown na_action": ({"x": "kind ~ .", "na_action": "drop"}, ValueError, "na_action must be one of na_fail"),
    "na_action of another type": ({"x": "kind ~ .", "na_action": 3}, TypeError, "na_action must be one of"),
    "na_action that returns nothing": ({"x": "kind ~ .", "na_action": lambda f: None}, TypeError, "must return"),
    "subset out of range": ({"x": "kind ~ .", "subset": [1, 60]}, ValueError, "0 to 59"),
    "negative subset": ({"x": "kind ~ .", "subset": [-1, -2]}, ValueError, "0 to 59"),
    "numeric subset": ({"x": "kind ~ .", "subset": "size"}, TypeError, "condition"),
    "short subset": ({"x": "kind ~ .", "subset": [True, False]}, ValueError, "2 values, but data has 60"),
    "missing in subset": ({"x": "kind ~ .", "subset": [None] + [True] * 59}, ValueError, "subset holds missing"),
    "subset of other rows": ({"x": "kind ~ .", "subset": pd.Series([True] * 60)}, ValueError, "other row labels"),
    "test set with quirks=False": (
        {"x": "kind ~ size", "xtest": pd.DataFrame({"size": [0.1]}), "quirks": False},
        ValueError,
        "predict with newdata",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_rrf_refuses(name: str, data: pd.DataFrame) -> None:
    def two(values: pd.Series) -> pd.DataFrame:
        return pd.DataFrame({"a": values, "b": values})

    def few(values: pd.Series) -> pd.Series:
        return values.head(1)

    def turned(values: pd.Series) -> pd.Series:
        return values.iloc[::-1]

    given, error, message = BAD[name]
    assert all(callable(f) for f in (two, few, turned)), "the formulas of the table call them"
    with pytest.raises(error, match=message):
        pyrrf.RRF(**({"data": data, "ntree": 2} | given))


def test_new_data_without_a_column(fit: Any, data: pd.DataFrame) -> None:
    with refused("newdata", "columns"):
        pyrrf.predict(fit, data.drop(columns="size"))


def test_new_data_without_a_dropped_column(fit: Any, data: pd.DataFrame) -> None:
    with refused("newdata", "columns"):
        pyrrf.predict(fit, data.drop(columns="new"))
    free = pyrrf.RRF("kind ~ . - new", data, ntree=5, quirks=False)
    assert pyrrf.predict(free, data.drop(columns="new")).notna().all()


def test_new_data_as_an_array(fit: Any, data: pd.DataFrame) -> None:
    with refused("newdata", "type"):
        pyrrf.predict(fit, data.to_numpy())


def test_new_level_of_an_ordered_factor(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("kind ~ grade + size", data, ntree=5)
    new = data.assign(grade=data["grade"].cat.rename_categories({"top": "best"}))
    with pytest.raises(ValueError, match="'best'"):
        pyrrf.predict(fit, new)
