"""Vectors as text, and matrices as R's print() shows them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase.numbers import format_numbers, number_text
from pyrrf.rbase.vectors import Atomic, atomic, labelled

# R's default option width.
_WIDTH = 80


def texts(values: Atomic) -> list[str | None]:
    """Return each item as text, None where it is missing."""
    if isinstance(values, pd.Categorical):
        labels = texts(atomic(values.categories.to_numpy()))
        return [labels[code] if code >= 0 else None for code in values.codes]
    if values.dtype == object:
        return [None if v is None else str(v) for v in values]
    if values.dtype.kind == "b":
        return ["TRUE" if v else "FALSE" for v in values]
    if values.dtype.kind == "i":
        return [str(v) for v in values]
    return [None if math.isnan(v) else number_text(v) for v in values.tolist()]


def as_character(x: Any) -> np.ndarray:
    """Return items as text, numbers with 15 significant digits (R's ``as.character``).

    Parameters
    ----------
    x : array_like
        Of a factor, the labels.

    Returns
    -------
    ndarray of object, shape (n,)
        None where an item is missing.

    Examples
    --------
    >>> from pyrrf.rbase.text import as_character
    >>> as_character([0.1 + 0.2, 100000.0]).tolist()
    ['0.3', '1e+05']
    """
    return np.array(texts(labelled(x)), dtype=object)


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
