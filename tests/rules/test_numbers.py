"""Numbers as R 4.2 writes, reads and cuts them; the answers are R's."""

from __future__ import annotations

import numpy as np
import pytest

from pyrrf import rules
from pyrrf.rbase.numbers import number_text, read_number, read_numbers
from pyrrf.rules.conditions import exact_text, through_text
from tests.refusals import refused

WRITTEN = {
    1e5: "1e+05", 123456.0: "123456", 0.1 + 0.2: "0.3", 1e-4: "1e-04", 0.0001234: "0.0001234", 1e15: "1e+15",
    123456789012345678.0: "123456789012345680", 2 / 3: "0.666666666666667",
    -1 / 3: "-0.333333333333333", 1e-300: "1e-300", 5e-324: "4.94065645841247e-324", 100000.5: "100000.5",
    99999.99999999999: "1e+05", 1 + 2**-15: "1.00003051757812", 1e22: "1e+22", -0.0: "0",
    0.00001: "1e-05", 12345.6789: "12345.6789", 3e10: "3e+10", 1.5e-5: "1.5e-05", 1 - 0.942: "0.0580000000000001",
    float("inf"): "Inf", float("-inf"): "-Inf",
}  # fmt: skip


@pytest.mark.parametrize("value", WRITTEN)
def test_written_as_r_does(value: float) -> None:
    assert number_text(value) == WRITTEN[value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.45", 2.45),
        ("1e-04", 1e-4),
        ("-0.5", -0.5),
        ("1e+05", 1e5),
        ("Inf", np.inf),
        ("4.94065645841247e-324", 5e-324),
    ],
)
def test_read_as_r_does(text: str, value: float) -> None:
    assert read_number(text) == value


def test_text_of_15_digits_reads_back_nearly_and_exact_text_exactly() -> None:
    values = np.random.default_rng(1).normal(size=200)
    assert (through_text(values) != values).any()
    np.testing.assert_allclose(through_text(values), values, rtol=1e-14)
    # Of the two doubles beside 0.002877, R reads the one that is farther.
    values = np.append(values, [0.002877, np.nextafter(0.002877, 1)])
    assert read_numbers([exact_text(value) for value in values.tolist()])[0].tolist() == values.tolist()


@pytest.mark.parametrize(
    ("numbers", "k", "classes"),
    [
        ([3.0, 1.0, 2.0, 5.0, 4.0], 2, "L2 L1 L1 L2 L2"),
        ([1.0, 1.0, 1.0, 2.0, 3.0], 3, "L1 L1 L1 L3 L3"),
        ([4.0, 4.0, 4.0, 4.0], 3, "L1 L1 L1 L1"),
        ([0.3, 0.1, 0.9, 0.4, 0.4, 0.7, 0.2], 4, "L2 L1 L4 L2 L2 L4 L1"),
        (list(range(15)), 6, "L1 L1 L2 L2 L2 L3 L3 L3 L4 L4 L5 L5 L6 L6 L6"),
    ],
)
def test_cut_as_r_does(numbers: list[float], k: int, classes: str) -> None:
    assert rules.dicretizeVector(numbers, k).tolist() == classes.split()


@pytest.mark.parametrize(
    ("v", "k", "argument", "code"),
    [
        ([1.0, np.nan], 2, "v", "missing"),
        (["a", "b"], 2, "v", "type"),
        ([1.0, 2.0], 1, "K", "range"),
    ],
)
def test_refused(v: list[object], k: int, argument: str, code: str) -> None:
    with refused(argument, code):
        rules.dicretizeVector(v, k)
