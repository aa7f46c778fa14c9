"""Each function of vectors on each odd vector, live; `expressions.txt` has more, which are recorded.

It has one pair a line: R ;; Python, or R !! Python where both must refuse.
"""

from __future__ import annotations

import pytest

from parity.functions import differences, run_python, run_r
from parity.r_side import RSide

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


@pytest.mark.parametrize("name", OF_VECTORS)
def test_function_of_each_vector(name: str, rrf: RSide) -> None:
    extras = [("", "")] + [(", na.rm = TRUE", ", na_rm=True")] * (name in WITHOUT_GAPS)
    pairs = [
        (f"{R_NAMES.get(name, name)}({left}{theirs})", f"r.{name}({right}{ours})")
        for left, right in VECTORS.items()
        for theirs, ours in extras
    ]
    answers = run_r(rrf, [left for left, _ in pairs])
    wrong = [
        f"{left}: {found}"
        for (left, right), theirs in zip(pairs, answers, strict=True)
        for found in differences(theirs, run_python(right), names=False)
    ]
    assert wrong == []
