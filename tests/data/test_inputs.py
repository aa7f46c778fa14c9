"""What is read from x, y and other factors, against what R makes of them."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyrrf
from pyrrf.data.inputs import Coded, Factor, as_factor, factor_from_strings, read_labels
from pyrrf.data.predictors import read_predictors
from pyrrf.rbase.collate import collating


def test_array_is_column_major_float64() -> None:
    table = read_predictors([[1, 2], [3, 4], [5, 6]], "x")
    assert table.values.dtype == np.float64
    assert table.values.flags.f_contiguous
    np.testing.assert_array_equal(table.values, [[1, 2], [3, 4], [5, 6]])
    assert (table.named, table.coded) == (False, {})


def test_array_is_labelled_by_position_from_zero() -> None:
    table = read_predictors(np.zeros((3, 2)), "x")
    assert table.rows.tolist() == [0, 1, 2]
    assert table.columns.tolist() == [0, 1]


@pytest.mark.parametrize("dtype", ["float32", "int8", "uint16", "bool", "object"])
def test_array_of_any_number_type(dtype: str) -> None:
    table = read_predictors(np.array([[0, 1], [1, 0]]).astype(dtype), "x")
    np.testing.assert_array_equal(table.values, [[0.0, 1.0], [1.0, 0.0]])


def test_column_major_array_is_not_copied() -> None:
    array = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    assert np.shares_memory(read_predictors(array, "x").values, array)


def test_frame_of_one_type_is_not_copied() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}).copy()
    assert np.shares_memory(read_predictors(frame, "x").values, frame.to_numpy())


def test_numeric_frame_is_read_without_a_loop_over_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("a column was read on its own")

    monkeypatch.setattr("pyrrf.data.predictors._read_column", fail)
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [1, 2], "c": [True, False]})
    np.testing.assert_array_equal(read_predictors(frame, "x").values, [[1, 1, 1], [2, 2, 0]])


def test_frame_of_all_types(frame: pd.DataFrame) -> None:
    table = read_predictors(frame, "x")
    np.testing.assert_array_equal(table.values[:, 0], frame["number"])
    assert table.values[:4, 1].tolist() == [3, 2, 1, 3]  # red, green, blue, red
    assert table.values[:3, 2].tolist() == [1, 2, 1]  # S, M, S
    np.testing.assert_array_equal(table.values[:, 3], frame["flag"].astype(float))
    assert table.ncat.tolist() == [1, 3, 1, 1, 1]
    assert table.coded == {
        1: Coded("factor", ("blue", "green", "red")),
        2: Coded("ordered", ("S", "M", "L")),
    }
    assert table.rows[0] == "r0"


def test_unused_levels_count() -> None:
    frame = pd.DataFrame({"f": pd.Categorical(["a", "b"], categories=["a", "b", "c"])})
    assert read_predictors(frame, "x").ncat.tolist() == [3]


def test_a_factor_with_one_level_is_a_number() -> None:
    frame = pd.DataFrame({"f": pd.Categorical(["a", "a"]), "g": [1, 2]})
    assert read_predictors(frame, "x").ncat.tolist() == [1, 1]


@pytest.mark.parametrize("dtype", [object, "string", "str"])
def test_strings_become_codes_of_sorted_values(dtype: Any) -> None:
    frame = pd.DataFrame({"s": pd.Series(["b", "B", "a", "b"], dtype=dtype)})
    with collating("C"), pytest.warns(UserWarning, match=r"string column\(s\) 's' of x .* use"):
        table = read_predictors(frame, "x")
    assert table.values[:, 0].tolist() == [3, 1, 2, 3]
    assert table.ncat.tolist() == [1]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pd.array([1, 2], dtype="Int64"), [1, 2]),
        (pd.array([0.5, 2], dtype="Float32"), [0.5, 2]),
        (pd.array([True, False], dtype="boolean"), [1, 0]),
        (pd.Series([1, 2.5], dtype=object), [1, 2.5]),
        (pd.Series([True, False], dtype=object), [1, 0]),
    ],
    ids=["Int64", "Float32", "boolean", "object numbers", "object booleans"],
)
def test_nullable_and_object_columns(column: Any, values: list[float]) -> None:
    table = read_predictors(pd.DataFrame({"a": column, "b": [1, 2]}), "x")
    assert table.values[:, 0].tolist() == values


def test_finite_values_whose_sum_overflows_are_accepted() -> None:
    table = read_predictors(np.array([[1e308, 1.0], [1e308, 2.0]]), "x")
    assert table.values[0, 0] == 1e308


@given(st.lists(st.text(string.printable, max_size=3), min_size=1, max_size=20))
def test_string_levels_are_sorted_by_code_point(values: list[str]) -> None:
    with collating("C"):
        factor = factor_from_strings(values, "y")
    assert factor.levels == sorted(set(values))
    assert [factor.levels[c] for c in factor.codes] == values


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=20))
def test_number_levels_are_sorted_by_value(values: list[int]) -> None:
    factor = as_factor(np.array(values), "strata")
    assert factor.levels == sorted(set(values))
    assert [factor.levels[c] for c in factor.codes] == values


def labels(values: Any) -> tuple[list[Any], list[Any]]:
    factor = read_labels(values, "y")
    assert isinstance(factor, Factor)
    return factor.levels, [factor.levels[c] for c in factor.codes]


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        (["b", "a", "b"], ["a", "b"]),
        (np.array(["b", "a", "C"]), ["C", "a", "b"]),
        (pd.Series(["b", "a"], dtype="string"), ["a", "b"]),
        (np.array([True, False]), [False, True]),
        (pd.array([True, False], dtype="boolean"), [False, True]),
        ([True, True], [True]),
        (pd.Categorical(["b", "a"]), ["a", "b"]),
        (pd.Categorical(["b", "a"], categories=["b", "a"]), ["b", "a"]),
        (pd.Series(pd.Categorical([10, 2, 10])), [2, 10]),
        (pd.Categorical(["lo", "hi"], ["lo", "hi"], ordered=True), ["lo", "hi"]),
    ],
    ids=[
        "list",
        "array",
        "string dtype",
        "booleans",
        "nullable booleans",
        "one boolean",
        "categories",
        "given order",
        "number categories",
        "ordered",
    ],
)
def test_classes_are_in_r_order(values: Any, levels: list[Any]) -> None:
    with collating("C"):
        found, decoded = labels(values)
    assert found == levels
    assert decoded == list(values)


@pytest.mark.parametrize("values", [[1, 2], [1.5, 2], np.array([1, 2], object), pd.array([1, 2], "Int64")])
def test_numbers_are_no_classes(values: Any) -> None:
    numbers = read_labels(values, "y")
    assert isinstance(numbers, np.ndarray)
    assert numbers.dtype == np.float64


def test_rows_are_matched_by_position(x: np.ndarray, y: np.ndarray) -> None:
    others = pd.Series(y, index=np.arange(len(y)) + 7)
    with pytest.warns(UserWarning, match="y has another index than x .*; rows are"):
        fit = pyrrf.RRF(pd.DataFrame(x), others, ntree=3, seed=1)
    assert fit == pyrrf.RRF(pd.DataFrame(x), pd.Series(y), ntree=3, seed=1)
