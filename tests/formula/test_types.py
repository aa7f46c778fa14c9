"""Formulas are computed by R's types: what R answers, recorded, and what pandas' types are to R."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.formula.terms import model_frame, parse, predictor_frame, read_data

nan, inf = float("nan"), float("inf")
DATA = pd.DataFrame(
    {
        "a": [0.1, 0.35, 0.5, 0.61, 0.8, 0.95, None, 0.3],
        "k": pd.array([0, 1, 2, 50000, -3, None, 7, 2], dtype="Int64"),
        "l": pd.array([True, False, None, True, False, True, True, False], dtype="boolean"),
        "z": [1, -0.0, 0.5, inf, -2, 3, 1e-300, 7.25],
        "f": pd.Categorical(["u", "v", "u", None, "w", "v", "u", "w"]),
    }
)


def computed(text: str, data: pd.DataFrame = DATA) -> pd.Series[Any]:
    """The values of an expression, as a response, which R computes once."""
    terms = parse(f"{text} ~ z", list(data.columns))
    assert terms.response
    return model_frame(terms, read_data(data, "data"), None, "na_pass")[terms.response.label]


def kind(column: Any) -> str:
    """R's type of a column."""
    found = {"b": "logical", "i": "integer", "f": "double"}
    return found[column.dtype.kind]


# fmt: off
ANSWERS = [
    ("(a > .3) + (a > .6)", "integer", [0, 1, 1, 2, 2, 2, nan, 0]),
    ("-(a > .5) * a", "double", [0, 0, 0, -0.61, -0.8, -0.95, nan, 0]),
    ("(a > .3) - (a > .6)", "integer", [0, 1, 1, 0, 0, 0, nan, 0]),
    ("!k", "logical", [1, 0, 0, 0, 0, nan, 0, 0]),
    ("k & 1", "logical", [0, 1, 1, 1, 1, nan, 1, 1]),
    ("k | 0", "logical", [0, 1, 1, 1, 1, nan, 1, 1]),
    ("k*k*k*k", "integer", [0, 1, 16, nan, 81, nan, 2401, 16]),
    ("k*k", "integer", [0, 1, 4, nan, 9, nan, 49, 4]),
    ("k / 0.30000000000000004", "double",
     [0, 3.333333333333333, 6.666666666666666, 166666.66666666663, -9.999999999999998, nan, 23.33333333333333,
      6.666666666666666]),
    ("k == 1L", "logical", [0, 1, 0, 0, 0, nan, 0, 0]),
    ("k %/% 2L", "integer", [0, 0, 1, 25000, -2, nan, 3, 1]),
    ("k %% -2L", "integer", [0, -1, 0, 0, -1, nan, -1, 0]),
    ("k %% 3", "double", [0, 1, 2, 2, 0, nan, 1, 2]),
    ("z %% -0.7", "double",
     [-0.3999999999999999, 0, -0.19999999999999996, nan, -0.6000000000000001, -0.4999999999999998, 0,
      -0.4499999999999995]),
    ("z %/% 2", "double", [0, 0, 0, inf, -1, 1, 0, 3]),
    ("k %/% 0L", "integer", [nan, nan, nan, nan, nan, nan, nan, nan]),
    ("k %/% 0", "double", [nan, inf, inf, inf, -inf, nan, inf, inf]),
    ("k / 2L", "double", [0, 0.5, 1, 25000, -1.5, nan, 3.5, 1]),
    ("k ^ 2L", "double", [0, 1, 4, 2500000000, 9, nan, 49, 4]),
    ("-l", "integer", [-1, 0, nan, -1, 0, -1, -1, 0]),
    ("l + l", "integer", [2, 0, nan, 2, 0, 2, 2, 0]),
    ("l * k", "integer", [0, 0, nan, 50000, 0, nan, 7, 0]),
    ("l / k", "double", [inf, 0, nan, 2e-05, -0.0, nan, 0.14285714285714285, 0]),
    ("!l", "logical", [0, 1, nan, 0, 1, 0, 0, 1]),
    ("l & k", "logical", [0, 0, nan, 1, 0, nan, 1, 0]),
    ("l | NA", "logical", [1, nan, nan, 1, nan, 1, 1, nan]),
    ("k + 2147483647L", "integer", [2147483647, nan, nan, nan, 2147483644, nan, nan, nan]),
    ("k + 2147483647", "double",
     [2147483647, 2147483648, 2147483649, 2147533647, 2147483644, nan, 2147483654, 2147483649]),
    ("2 ^ -l", "double", [0.5, 1, nan, 0.5, 1, 0.5, 0.5, 1]),
    ("-k ^ 2", "double", [-0.0, -1, -4, -2500000000, -9, nan, -49, -4]),
    ("!k == 1", "logical", [1, 0, 1, 1, 1, nan, 1, 1]),
    ("- k %% 3", "double", [0, 2, 1, 1, 0, nan, 2, 1]),
    ("2 ^ l ^ 2", "double", [2, 1, nan, 2, 1, 2, 2, 1]),
    ("a * !l", "double", [0, 0.35, nan, 0, 0.8, 0, nan, 0.3]),
    ("abs(-l)", "integer", [1, 0, nan, 1, 0, 1, 1, 0]),
    ("abs(k)", "integer", [0, 1, 2, 50000, 3, nan, 7, 2]),
    ("round(k / 7, 2)", "double", [0, 0.14, 0.29, 7142.86, -0.43, nan, 1, 0.29]),
    ("pmin(k, 1L)", "integer", [0, 1, 1, 1, -3, nan, 1, 1]),
    ("pmax(l, FALSE)", "integer", [1, 0, nan, 1, 0, 1, 1, 0]),
    ("pmin(a, z, na.rm = TRUE)", "double", [0.1, -0.0, 0.5, 0.61, -2, 0.95, 1e-300, 0.3]),
    ("ifelse(l, 1L, k)", "integer", [1, 1, nan, 1, -3, 1, 1, 2]),
    ("ifelse(l, 1L, a)", "double", [1, 0.35, nan, 1, 0.8, 1, 1, 0.3]),
    ("ifelse(k, l, a)", "double", [0.1, 0, nan, 1, 0, nan, 1, 0]),
    ("is.na(k) + 1L", "integer", [1, 1, 1, 1, 1, 2, 1, 1]),
    ("as.integer(z)", "integer", [1, 0, 0, nan, -2, 3, 0, 7]),
    ("as.integer(-z * 1.7)", "integer", [-1, 0, 0, nan, 3, -5, 0, -12]),
    ("as.logical(k)", "logical", [0, 1, 1, 1, 1, nan, 1, 1]),
    ("k %in% c(1, 2)", "logical", [0, 1, 1, 0, 0, 0, 0, 1]),
    ("f == 'u'", "logical", [1, 0, 1, nan, 0, 0, 1, 0]),
    ("f != 'nn'", "logical", [1, 1, 1, nan, 1, 1, 1, 1]),
    ("as.integer(f)", "integer", [1, 2, 1, nan, 3, 2, 1, 3]),
    ("ifelse(f == 'u', 'x', 'y') == 'x'", "logical", [1, 0, 1, nan, 0, 0, 1, 0]),
    ("sum(l, na.rm = TRUE) * k", "integer", [0, 4, 8, 200000, -12, nan, 28, 8]),
    ("k - median(k, na.rm = TRUE)", "integer", [-2, -1, 0, 49998, -5, nan, 5, 0]),
    ("l == 1", "logical", [1, 0, nan, 1, 0, 1, 1, 0]),
    ("k < 1.5", "logical", [1, 1, 0, 0, 1, nan, 0, 0]),
    ("k == '1'", "logical", [0, 1, 0, 0, 0, nan, 0, 0]),
    ("l == 'TRUE'", "logical", [1, 0, nan, 1, 0, 1, 1, 0]),
    ("xor(l, k > 1)", "logical", [1, 0, nan, 0, 0, nan, 0, 1]),
    ("floor(a * 10)", "double", [1, 3, 5, 6, 8, 9, nan, 3]),
    ("1e5L + k", "integer", [100000, 100001, 100002, 150000, 99997, nan, 100007, 100002]),
]
"""Expressions, R's type, R's values of DATA."""
# fmt: on


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("text", "type_", "values"), ANSWERS)
def test_types_and_values_are_those_of_r(text: str, type_: str, values: list[float]) -> None:
    found = computed(text)
    numbers = found.to_numpy(dtype=np.float64, na_value=np.nan)
    np.testing.assert_array_equal(numbers, values)
    np.testing.assert_array_equal(np.signbit(numbers[numbers == 0]), np.signbit(np.array(values)[numbers == 0]))
    assert kind(found) == type_


def test_whole_numbers_beyond_31_bits_are_missing_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="1 of 8 whole numbers are beyond"):
        assert computed("k*k*k").isna().tolist() == [False, False, False, True, False, True, False, False]


@pytest.mark.filterwarnings("ignore:y holds five")
def test_overflow_is_left_out_by_na_action() -> None:
    data = pd.DataFrame({"y": np.arange(30) / 7, "k": np.arange(30) * 300})
    with pytest.warns(UserWarning, match="beyond 2147483647"):
        fit = pyrrf.RRF("y ~ k + I(k*k*k)", data, na_action="na_omit", ntree=2)
    assert fit.rows.tolist() == [0, 1, 2, 3, 4]
    with pytest.warns(UserWarning, match="beyond"), pytest.raises(ValueError, match=r"'I\(k \* k \* k\)'.*na_omit"):
        pyrrf.RRF("y ~ k + I(k*k*k)", data, ntree=2)


@pytest.mark.filterwarnings("ignore:y holds five")
def test_logicals_are_counted_as_predictor_response_and_condition() -> None:
    data = pd.DataFrame({"a": np.arange(40) % 10 / 10, "b": np.arange(40) * 7 % 40 / 40})
    count = (data["a"] > 0.3).astype(int) + (data["a"] > 0.6)
    fit = pyrrf.RRF("I((a > .3) + (a > .6)) ~ b", data, ntree=2)
    assert fit.type == "regression"
    np.testing.assert_array_equal(fit.y, count)
    fit = pyrrf.RRF("b ~ I((a > .3) - (a > .6)) + a", data, subset="(a > .3) + (a > .6) == 2", ntree=2)
    assert fit.rows.tolist() == np.flatnonzero(count == 2).tolist()


@pytest.mark.parametrize("text", ["k", "k + 1", "a * 2", "k & 1 | a * 0 + 1 == 1 & f"])
def test_a_condition_of_subset_must_be_logical(text: str) -> None:
    data = pd.DataFrame({"y": [1.0, 2.0, 3.0], "k": [0, 1, 1], "a": [0.5, 1.5, 2.5]})
    with pytest.raises((TypeError, ValueError), match=r"must be a condition|'f', which is not a column"):
        pyrrf.RRF("y ~ a", data, subset=text, ntree=2)


# ---- names, and numbers read from them -----------------------------------------------------------

LABELS = {
    "I(k == 1L)": "I(k == 1)",
    "I(k*100000L)": "I(k * 1e+05)",
    "I(a / 0.30000000000000004)": "I(a/0.3)",
    "I(k%%2L)": "I(k%%2)",
    "I(k %/%2)": "I(k%/%2)",
    "I(f%in%'u')": 'I(f %in% "u")',
    "I(a*1234567890123456789)": "I(a * 1234567890123456768)",
    "ifelse(l,NA_integer_,k)": "ifelse(l, NA, k)",
    "I(! l)": "I(!l)",
    "I(- -a)": "I(--a)",
    "I(a^-k)": "I(a^-k)",
    "I(a* -k)": "I(a * -k)",
}


@pytest.mark.parametrize("text", LABELS)
def test_names_of_terms(text: str) -> None:
    assert parse(f"z ~ {text}", list(DATA.columns)).names == [LABELS[text]]


def predictors(text: str, data: pd.DataFrame, quirks: bool = True) -> pd.DataFrame:
    terms = parse(f"y ~ {text}", list(data.columns), quirks)
    return predictor_frame(terms, model_frame(terms, data, None, "na_omit"), quirks)[0]


def test_numbers_of_a_predictor_are_read_from_its_name() -> None:
    """R writes a term with 15 digits and without L, and reads it again; new data are computed as written."""
    data = pd.DataFrame({"y": [1.0, 2.0], "a": [0.1, 0.7], "k": [1, 46341]})
    np.testing.assert_array_equal(
        predictors("a + I(a / 0.30000000000000004)", data)["I(a/0.3)"], [0.33333333333333337, 2.3333333333333335]
    )
    assert predictors("k + I(k / 2L * 2L)", data)["I(k/2 * 2)"].tolist() == [1, 46341]
    exact = predictors("a + I(a / 0.30000000000000004)", data, quirks=False)["I(a/0.3)"]
    assert exact.tolist() == [0.1 / 0.30000000000000004, 0.7 / 0.30000000000000004]


def test_overflow_of_what_is_written_counts_although_the_predictor_is_a_double() -> None:
    data = pd.DataFrame({"y": [1.0, 2.0, 3.0], "k": [1, 2**31 - 1, 5]})
    with pytest.warns(UserWarning, match="beyond"):
        assert predictors("k + I(k * 2L)", data)["I(k * 2)"].tolist() == [2.0, 10.0]


def test_the_response_is_first_in_an_interaction() -> None:
    assert parse("z ~ a:z:k", list(DATA.columns)).names == ["z", "a", "k"]


# ---- pandas' types -------------------------------------------------------------------------------

TYPES: dict[str, tuple[Any, str]] = {
    "bool": (pd.Series([True, False]), "integer"),
    "boolean": (pd.Series([True, None], dtype="boolean"), "integer"),
    "objects of bool": (pd.Series([True, None], dtype=object), "integer"),
    "int8": (pd.Series([100, 50], dtype="int8"), "integer"),
    "uint64": (pd.Series([100, 50], dtype="uint64"), "integer"),
    "int64": (pd.Series([2**31 - 2, -5]), "integer"),
    "int64 beyond 31 bits": (pd.Series([2**31, -5]), "double"),
    "uint64 beyond 63 bits": (pd.Series([2**64 - 1, 5], dtype="uint64"), "double"),
    "Int64": (pd.Series([5, None], dtype="Int64"), "integer"),
    "Int64 beyond 31 bits": (pd.Series([2**40, None], dtype="Int64"), "double"),
    "objects of int": (pd.Series([5, None], dtype=object), "integer"),
    "objects of both": (pd.Series([5, 0.5], dtype=object), "double"),
    "float32": (pd.Series([0.1, None], dtype="float32"), "double"),
    "Float64": (pd.Series([5, None], dtype="Float64"), "double"),
    "whole float64": (pd.Series([5.0, 6.0]), "double"),
}


@pytest.mark.parametrize("name", TYPES)
def test_what_a_column_is_to_r(name: str) -> None:
    column, type_ = TYPES[name]
    found = computed("I(x + 1L)", pd.DataFrame({"x": column, "z": [1.0, 2.0]}))
    assert kind(found) == type_
    expected = [nan if pd.isna(v) else float(v) + 1 for v in column]
    np.testing.assert_array_equal(found.to_numpy(dtype=np.float64, na_value=np.nan), expected)


def test_arrow_columns() -> None:
    pa = pytest.importorskip("pyarrow")
    columns = {"i": pa.int8(), "b": pa.bool_(), "d": pa.float32(), "s": pa.string()}
    values: dict[str, list[Any]] = {"i": [100, None], "b": [True, None], "d": [0.5, None], "s": ["u", None]}
    data = pd.DataFrame(
        {n: pd.Series(values[n], dtype=pd.ArrowDtype(type_)) for n, type_ in columns.items()} | {"z": 1.0}
    )
    for text, kinds, answer in (
        ("i * i", "integer", 10000),
        ("b + b", "integer", 2),
        ("d * 2L", "double", 1),
        ("s == 'u'", "logical", 1),
    ):
        found = computed(text, data)
        assert kind(found) == kinds
        assert found.isna().tolist() == [False, True]
        assert found[0] == answer


def test_a_column_is_double_by_all_its_rows() -> None:
    """A large number makes doubles of a column, in rows that are left in, too."""
    data = pd.DataFrame({"y": [1.0, 2.0, 3.0, 4.0], "k": [46341, 46342, 5, 2**31], "c": [True, True, True, False]})
    terms = parse("y ~ k + I(k * k)", list(data.columns))
    frame = model_frame(terms, data, "c", "na_fail")
    assert predictor_frame(terms, frame)[0]["I(k * k)"].tolist() == [46341.0**2, 46342.0**2, 25.0]


# ---- what is refused -----------------------------------------------------------------------------

REFUSED = {
    "I(a<-1)": "R reads '<-' as an assignment",
    "I(a->k)": "R reads '->' as an assignment",
    "I(a < z < 1)": "two comparisons in a row",
    "I(a:k)": "the operator ':'",
    "I(a %o% k)": "the operator '%o%'",
    "I(a && l)": "'&&' is not understood",
    "I(l and a > 1)": "'and' is not understood inside a term; use &",
    "I(a % 2)": "'%' is not understood inside a term; use %%",
    "I(f + 'a')": "missing|strings",
    "log(f)": "log of a factor",
    "I(a a)": "cannot be read at 'a'",
    "I(a +)": "cannot be read at",
    "I(c(a, z))": "16 values for 8 rows",
    "cut(a, 1e9)": "more than 10000 intervals",
    r"I(f == '\x41')": "a backslash before 'x'",
    "I(3(a))": "a call of an unnamed function",
    "a(k)": "'a', which is not a column|'a' is not a function",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[text]):
        pyrrf.RRF(f"z ~ {text}", DATA, ntree=2)


def test_long_sums_need_no_depth() -> None:
    data = pd.DataFrame({"y": [1.0, 2.0, 3.0], "x": [1.0, 2.0, 4.0]})
    assert predictors("x + I(x" + "+1" * 900 + ")", data).iloc[:, 1].tolist() == [901, 902, 904]


def test_functions_of_the_caller_hide_those_of_r() -> None:
    def cut(values: Any) -> Any:
        return values * 2

    assert callable(cut)
    terms = parse("cut(z) ~ z", list(DATA.columns))
    assert model_frame(terms, DATA, None, "na_pass")["cut(z)"][0] == 2
