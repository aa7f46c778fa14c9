"""Numbers and matrices printed as R prints them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Any

from pyrrf.r.text import number_text

# R's default options(digits = 7, width = 80) and its limit of decimals in fixed notation.
_DIGITS = 7
_WIDTH = 80
_MAX_DECIMALS = 30


def label(value: Any) -> str:
    """Return a class or row label as R shows it: TRUE for True, 0.1 for 0.1, 1 for 1.0.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> [r.label(value) for value in (True, 0.1, 100000.0)]
    ['TRUE', '0.1', '1e+05']
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return number_text(value)
    return str(value)


def _significant(value: float) -> tuple[int, int, int]:
    """Return sign (1 = negative), decimal exponent and number of digits needed, at most R's 7."""
    mantissa, _, exponent = f"{abs(value):.{_DIGITS - 1}e}".partition("e")
    return int(value < 0), int(exponent), max(len(mantissa.replace(".", "").rstrip("0")), 1)


def format_numbers(values: Sequence[float]) -> list[str]:
    """Format numbers with one format, as R formats a column of a matrix.

    It has the fewest decimals that show every value to 7 significant digits, or is scientific where
    that is narrower.

    Parameters
    ----------
    values : sequence of float

    Returns
    -------
    list of str
        All of one width.
    """
    finite = [_significant(v) for v in values if math.isfinite(v)]
    texts = [_special(v) for v in values]
    if finite:
        spec = _notation(finite)
        texts = [t or format(v, spec) for t, v in zip(texts, values, strict=True)]
    width = max((len(t) for t in texts), default=0)
    return [t.rjust(width) for t in texts]


def _special(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return ""


def _notation(finite: list[tuple[int, int, int]]) -> str:
    """Choose fixed or scientific notation for (sign, exponent, digits) of every finite value."""
    decimals = min(max(max(d - e - 1 for _, e, d in finite), 0), _MAX_DECIMALS)
    left = max(s + max(e + 1, 1) for s, e, _ in finite)
    fixed = left + decimals + (decimals > 0)
    mantissa = max(d for _, _, d in finite) - 1
    wide = any(e >= 100 or e <= -99 for _, e, _ in finite)
    sign = max(s for s, _, _ in finite)
    scientific = sign + (mantissa > 0) + mantissa + 4 + (2 if wide else 1)
    return f".{decimals}f" if fixed <= scientific else f".{mantissa}e"


def format_number(value: float) -> str:
    """Return one number as R's cat() writes it."""
    return format_numbers([value])[0]


def display_width(text: str) -> int:
    """Return the number of columns that a text takes in a terminal."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def format_matrix(rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float]]) -> str:
    """Format a numeric matrix as R's print() does, wrapped at 80 columns.

    Parameters
    ----------
    rows, columns : sequence of str
        Labels.
    values : sequence of sequence of float
        One sequence per column.

    Returns
    -------
    str
        Lines, without a newline at the end.
    """
    cells = [format_numbers(column) for column in values]
    label_width = max((display_width(r) for r in rows), default=0)
    widths = [
        1 + max(display_width(name), *(len(t) for t in column), 0) for name, column in zip(columns, cells, strict=True)
    ]
    lines = []
    for block in _blocks(label_width, widths):
        lines.append(_line("", label_width, [columns[j] for j in block], widths, block))
        for i, name in enumerate(rows):
            lines.append(_line(name, label_width, [cells[j][i] for j in block], widths, block))
    return "\n".join(lines)


def _blocks(label_width: int, widths: Sequence[int]) -> list[range]:
    """Return the columns that fit beside the row labels, block by block; at least one per block."""
    blocks, start = [], 0
    while start < len(widths):
        stop, width = start + 1, label_width + widths[start]
        while stop < len(widths) and width + widths[stop] < _WIDTH:
            width += widths[stop]
            stop += 1
        blocks.append(range(start, stop))
        start = stop
    return blocks


def _line(name: str, label_width: int, texts: Sequence[str], widths: Sequence[int], block: range) -> str:
    out = name + " " * (label_width - display_width(name))
    for text, j in zip(texts, block, strict=True):
        out += " " * (widths[j] - display_width(text)) + text
    return out
