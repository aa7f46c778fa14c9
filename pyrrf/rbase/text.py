"""Matrices as R's print() shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pyrrf.rbase.numbers import format_numbers

# R's default option width.
_WIDTH = 80


def display_width(text: str) -> int:
    """Return the number of columns that a text takes in a terminal."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def format_matrix(rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float]]) -> str:
    """Return the lines of a numeric matrix, given by columns, as R's print() wraps it at 80 columns."""
    cells = [format_numbers(column) for column in values]
    label_width = max((display_width(r) for r in rows), default=0)
    widths = [
        1 + max(display_width(name), *(len(t) for t in column), 0) for name, column in zip(columns, cells, strict=True)
    ]
    lines = []
    for block in blocks(label_width, widths):
        lines.append(_line("", label_width, [columns[j] for j in block], widths, block))
        for i, name in enumerate(rows):
            lines.append(_line(name, label_width, [cells[j][i] for j in block], widths, block))
    return "\n".join(lines)


def blocks(label_width: int, widths: Sequence[int], most: int = _WIDTH) -> list[range]:
    """Return the columns that fit next to the row labels, block by block; at least one per block."""
    ranges, start = [], 0
    while start < len(widths):
        stop, width = start + 1, label_width + widths[start]
        while stop < len(widths) and width + widths[stop] < most:
            width += widths[stop]
            stop += 1
        ranges.append(range(start, stop))
        start = stop
    return ranges


def _line(name: str, label_width: int, texts: Sequence[str], widths: Sequence[int], block: range) -> str:
    out = name + " " * (label_width - display_width(name))
    for text, j in zip(texts, block, strict=True):
        out += " " * (widths[j] - display_width(text)) + text
    return out
