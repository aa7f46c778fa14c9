"""Expressions of R beside those of pyrrf.r, on what random calls do not draw: values, or the refusal of both.

`expressions.txt` has one pair a line: R ;; Python, or R !! Python where both must refuse.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf.r as rr
from parity.compare import compare
from parity.functions import as_value
from parity.lines import Call
from parity.r_side import RSide
from parity.values import Value

VECTORS = {
    "numeric(0)": "np.zeros(0)", "integer(0)": "np.zeros(0, int)", "logical(0)": "np.zeros(0, bool)", "5": "[5.0]",
    "5L": "[5]", "TRUE": "[True]", "NA_real_": "[nan]", "Inf": "[inf]", "-Inf": "[-inf]", "c(Inf, -Inf)": "[inf, -inf]",
    "c(1, NA, 3)": "[1, nan, 3]", "c(1L, NA, 3L)": "pd.array([1, None, 3], dtype='Int64')",
    "c(TRUE, NA, FALSE)": "pd.array([True, None, False], dtype='boolean')",
    "c(1.5, NA)": "pd.Series([1.5, None], dtype='Float64')", "c(2147483647L, 1L)": "[2**31 - 1, 1]",
    "c(2147483648, 1)": "[2**31, 1]", "c(1e308, 1e308)": "[1e308, 1e308]",
    "c(5e-324, 5e-324, 0)": "[5e-324, 5e-324, 0]",
    "c(-0, 0)": "[-0.0, 0.0]", "c(0, -0)": "[0.0, -0.0]", "c(9007199254740993)": "[2**53 + 1]",
    "matrix(1:6, 2)": "np.arange(1, 7).reshape(3, 2).T", "c(1, 2, 3)": "np.arange(6)[::2] / 2 + 1",
    "c(3L, 1L, 2L)": "np.array([3, 1, 2], dtype=np.int8)", "c(200L, 100L)": "np.array([200, 100], dtype=np.uint8)",
    "c(1.5, 2.5)": "np.array([1.5, 2.5], dtype=np.float32)", "rep(0.1, 10)": "[0.1] * 10",
    "c(1e16, 1, -1e16)": "[1e16, 1, -1e16]", "c(Inf, 1, NA)": "[inf, 1, nan]",
    "c(1e308, -1e308, 1e308)": "[1e308, -1e308, 1e308]",
}  # fmt: skip
"""Vectors of both languages: of each type, with gaps, at the limits, in pandas' own arrays, not side by side."""

OF_VECTORS = (
    "sum prod mean sd var median mad max min range fivenum cumsum cumprod cummax cummin diff rev sort order rank "
    "unique duplicated as_numeric as_integer as_character factor table round signif sqrt exp log "
    "seq_along length IQR quantile"
).split()
WITHOUT_GAPS = "sum prod mean sd var median mad max min range fivenum quantile IQR".split()
R_NAMES = {"as_numeric": "as.numeric", "as_integer": "as.integer", "as_character": "as.character"}
PAIRS = (Path(__file__).parent / "expressions.txt").read_text().splitlines()
NAMES = {name: getattr(rr, name) for name in rr.__all__} | {"r": rr, "np": np, "pd": pd, "nan": np.nan, "inf": np.inf}


def in_r(r: RSide, text: str) -> Value | None:
    """R's answer; None if it refuses."""
    r.ro.r("set.seed(1)")
    answer = r.ro.r["pyrrf_step"](f"it <- {{{text}}}")
    return None if answer.rx2("failed") is not r.ro.NULL else bare(r.from_r(r.ro.r("pyrrf_bare(it)")))


def in_python(text: str) -> Value | None:
    """The answer of Python; None if it refuses."""
    rr.set_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found: Any = eval(text, dict(NAMES))
        except (TypeError, ValueError):
            return None
    return bare(as_value(Call(text.partition("(")[0].removeprefix("r.")), found))


def bare(value: Value) -> Value:
    """A value without names; a scalar of Python has none."""
    if value.kind == "record":
        return Value("record", {key: bare(part) for key, part in value.data.items()})
    return Value(value.kind, value.data, [None] * len(value.names), value.levels)


def differences(r: RSide, left: str, right: str) -> list[str]:
    theirs, ours = in_r(r, left), in_python(right)
    if theirs is None or ours is None:
        return [] if theirs is ours else [f"{left}: {'R' if theirs is None else 'pyrrf'} refuses, the other side not"]
    return [f"{left}: {found}" for found in compare(theirs, ours, right)]


@pytest.mark.parametrize("name", OF_VECTORS)
def test_function_of_each_vector(name: str, rrf: RSide) -> None:
    extras = [("", "")] + [(", na.rm = TRUE", ", na_rm=True")] * (name in WITHOUT_GAPS)
    wrong = [
        found
        for left, right in VECTORS.items()
        for theirs, ours in extras
        for found in differences(rrf, f"{R_NAMES.get(name, name)}({left}{theirs})", f"r.{name}({right}{ours})")
    ]
    assert wrong == []


@pytest.mark.parametrize("part", range(10))
def test_expressions(part: int, rrf: RSide) -> None:
    wrong = []
    for line in PAIRS[part::10]:
        refused = " !! " in line
        left, right = line.split(" !! " if refused else " ;; ")
        found = differences(rrf, left, right)
        if not found and refused != (in_r(rrf, left) is None):
            found = [f"{left}: {'answered' if refused else 'refused'} by both"]
        wrong += found
    assert wrong == []
