"""Numbers and matrices as R prints them; the texts were printed by R 4.2.2."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrrf.rbase import numbers
from pyrrf.rbase.numbers import format_number, format_numbers, label
from pyrrf.rbase.sprintf import sprintf
from pyrrf.rbase.text import display_width, format_matrix
from tests.refusals import refused

NAN = math.nan


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (99999.9999, "1e+05"),
        (20.0, "20"),
        (100 / 3, "33.33333"),
        (1e5, "1e+05"),
        (123456.0, "123456"),
        (1234567.8, "1234568"),
        (1e-3, "0.001"),
        (1e-5, "1e-05"),
        (0.00012345, "0.00012345"),
        (1e100, "1e+100"),
        (-2.5, "-2.5"),
        (0.1 + 0.2, "0.3"),
        (NAN, "NaN"),
        (math.inf, "Inf"),
        (-math.inf, "-Inf"),
    ],
)
def test_cat_of_one_number(value: float, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([100000.0, 5.0, 1.0], ["1e+05", "5e+00", "1e+00"]),
        ([123456.0, 3.0], ["123456", "     3"]),
        ([12.0, 15.0, NAN], [" 12", " 15", "NaN"]),
        ([0.1, 0.25, 1 / 3], ["0.1000000", "0.2500000", "0.3333333"]),
        ([1e-10, 1.0, 0.5], ["1e-10", "1e+00", "5e-01"]),
        ([-1.0, 0.5], ["-1.0", " 0.5"]),
        ([-0.0, 1.5], ["0.0", "1.5"]),
        ([NAN, NAN], ["NaN", "NaN"]),
        ([], []),
    ],
)
def test_column_is_formatted_alike(values: list[float], texts: list[str]) -> None:
    assert format_numbers(values) == texts


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (4.665, 4.66),
        (2.675, 2.67),
        (33.335, 33.34),
        (12.345, 12.35),
        (99.995, 100.0),
        (0.005, 0.0),
        (7.125, 7.12),
        (5.015, 5.02),
        (1.005, 1.0),
        (15.625, 15.62),
        (44.704433497536947, 44.7),
        (-33.335, -33.34),
    ],
)
def test_round_takes_the_nearer_decimal(value: float, rounded: float) -> None:
    assert numbers.round(value, 2) == rounded


@given(st.floats(-1e6, 1e6))
def test_round_moves_by_at_most_half_a_unit(value: float) -> None:
    assert abs(numbers.round(value, 2) - value) <= 0.005 + 1e-9


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_column_keeps_seven_digits(values: list[float]) -> None:
    texts = format_numbers(values)
    assert len({len(t) for t in texts}) == 1
    smallest = min((abs(v) for v in values if v), default=1.0)
    if smallest >= 1e-25:  # R shows at most 30 decimals
        assert [float(t) for t in texts] == pytest.approx(values, rel=5.1e-7)


def test_round_keeps_nan() -> None:
    assert math.isnan(numbers.round(NAN, 2))


def test_matrix_pads_labels_by_display_width() -> None:
    table = format_matrix(["été", "日本"], ["été", "日本"], [[1, 2], [3, 4]])
    assert table.split("\n") == ["     été 日本", "été    1    3", "日本   2    4"]


def test_matrix_wraps_at_80_columns() -> None:
    columns = [[2.0 * i + 1, 2.0 * i + 2] for i in range(12)]
    columns[2] = [5.0, 33.123456789]
    table = format_matrix(["r1", "r2"], [f"class{i}" for i in range(1, 13)], columns)
    assert table.split("\n") == [
        "   class1 class2   class3 class4 class5 class6 class7 class8 class9 class10",
        "r1      1      3  5.00000      7      9     11     13     15     17      19",
        "r2      2      4 33.12346      8     10     12     14     16     18      20",
        "   class11 class12",
        "r1      21      23",
        "r2      22      24",
    ]


def test_matrix_shows_a_column_wider_than_the_terminal() -> None:
    table = format_matrix(["a"], ["x" * 90, "y"], [[1], [2]])
    assert [len(line) for line in table.split("\n")] == [92, 92, 3, 3]


def test_combining_marks_take_no_room() -> None:
    assert display_width("e\u0301") == 1


@pytest.mark.parametrize(
    ("value", "text"), [(True, "TRUE"), (False, "FALSE"), (1.0, "1"), (0.1, "0.1"), (3, "3"), ("a", "a")]
)
def test_label(value: object, text: str) -> None:
    assert label(value) == text


@pytest.mark.parametrize("width", [math.inf, math.nan, 1e10, True, "5", 8193, None])
def test_widths_that_r_refuses(width: float | str | None) -> None:
    with pytest.raises((TypeError, ValueError), match="takes a width"):
        sprintf(["%*d"], [width], [3])


def test_the_widest_value() -> None:
    assert len(sprintf(["%*d"], [8192.9], [3])[0]) == 8192
    for form in ("%9000d", "%.9000f"):
        with refused("fmt", "range"):
            sprintf([form], [3.0])
