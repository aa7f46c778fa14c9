"""Tibbles as pillar prints them: tables that fit into 80 columns, of numbers, strings, factors and logicals."""

from __future__ import annotations

import math
import re

from pyrrf.r.formatting.formats import Style
from pyrrf.r.printing.printing import Changes
from pyrrf.r.values.coercion import as_plain
from pyrrf.r.values.errors import NotSupportedError, refuse, refuse_if
from pyrrf.r.values.kinds import classes, inherits, is_factor
from pyrrf.r.values.labels import known_names, row_count
from pyrrf.r.values.vector import Value

_TYPES = {"integer": "<int>", "double": "<dbl>", "character": "<chr>", "logical": "<lgl>"}
_WIDTH, _MOST, _FEW, _FIGURES = 80, 20, 10, 3


def print_tbl_df(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a tibble without groups that fits on a page."""
    if changes or more:
        refuse("print() of a tibble with arguments is not supported")
    n, names = row_count(x), known_names(x)
    if classes(x) != ["tbl_df", "tbl", "data.frame"] or not n or not names:
        raise NotSupportedError("print() of a grouped or empty tibble")
    if any(not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.]*", name) for name in names):
        raise NotSupportedError("print() of a tibble with other names than of letters")
    limit = n if n <= _MOST else _FEW
    numbers = [f"{i + 1}" for i in range(limit)]
    wide = len(numbers[-1])
    lines = [" " * wide, " " * wide, *(number.rjust(wide) for number in numbers)]
    for name, column in zip(names, x._data, strict=True):
        cells = _column(name, column, limit)
        lines = [f"{line} {cell}" for line, cell in zip(lines, cells, strict=True)]
    refuse_if(len(lines[0]) > _WIDTH, "print() of a tibble that is wider than 80 columns")
    left = n - limit
    head = f"# A tibble: {n:,} \u00d7 {len(names):,}"
    foot = [f"# \u2026 with {left:,} more row{'s' * (left != 1)}"] if left else []
    return "\n".join([head, *lines, *foot])


def _column(name: str, column: object, n: int) -> list[str]:
    if not isinstance(column, Value) or column._attributes.keys() - {"levels", "class"}:
        raise NotSupportedError("print() of a tibble with tables or attributes in it")
    factor = is_factor(column)
    if (not factor and column._attributes) or column._kind not in _TYPES:
        raise NotSupportedError("print() of a tibble with columns of a class")
    kind = ("<ord>" if inherits(column, "ordered") else "<fct>") if factor else _TYPES[column._kind]
    if factor or column._kind == "character":
        cells = [_string(text) for text in as_plain(column)._data[:n]]
    elif column._kind == "logical":
        cells = ["NA" if v != v else "TRUE" if v else "FALSE" for v in column._data[:n].tolist()]
    else:
        cells = _numbers(column._data[:n].tolist(), column._kind == "integer")
    right = kind in ("<int>", "<dbl>")
    wide = max(map(len, [name, kind, *cells]))
    return [text.rjust(wide) if right else text.ljust(wide) for text in [name, kind, *cells]]


def _string(text: str | None) -> str:
    if text is None:
        return "<NA>"
    if not re.fullmatch(r"[A-Za-z0-9_.,:;()/+%&-]+( [A-Za-z0-9_.,:;()/+%&-]+)*", text) or text == "NA":
        raise NotSupportedError(f"print() of a tibble with the string {text!r}")
    return text


def _numbers(values: list[float], whole: bool) -> list[str]:
    """Return numbers to three significant digits, aligned at the decimal point."""
    parts = [("NA", "") if v != v else _figures(v) for v in values]
    if any(abs(v) >= 1e6 or (0 < abs(v) < 1e-3) for v in values if v == v):
        raise NotSupportedError("print() of a tibble with very large or small numbers")
    left, right = (max(len(halves[k]) for halves in parts) for k in (0, 1))
    refuse_if(left + right > 9, "print() of a tibble with long numbers")
    return [a.rjust(left) + b.ljust(right) for a, b in parts]


def _figures(value: float) -> tuple[str, str]:
    refuse_if(math.isinf(value), "print() of a tibble with infinite numbers")
    exponent = int(f"{value:.{_FIGURES - 1}e}".partition("e")[2]) if value else 0
    decimals = max(_FIGURES - 1 - exponent, 0)
    exact = next((k for k in range(decimals + 1) if float(f"{value:.{k}f}") == value), None)
    rest = abs(value) * 10.0**decimals % 1.0
    if exact is None and (abs(rest - 0.5) < 1e-6 or exponent != math.floor(math.log10(abs(value)))):
        raise NotSupportedError("print() of a tibble with numbers halfway between two roundings")
    decimals = decimals if exact is None else exact
    whole, _, fraction = f"{value:.{decimals}f}".partition(".")
    return whole, f".{fraction}" if fraction or value != math.trunc(value) else ""
