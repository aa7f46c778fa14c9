"""Cells in lines and columns: matrices and arrays as R's print() shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from pyrrf.r.formatting.formats import Style, cells, escape_text, pad
from pyrrf.r.values.errors import refuse
from pyrrf.r.values.labels import dim_of, dimnames_of, names_of
from pyrrf.r.values.vector import Value, integers, strings
from pyrrf.rbase.text import blocks, display_width

Labels = Sequence[str | None] | None


# Minimum indent between the heading of the rows and their labels.
_INDENT = 2


@dataclass(frozen=True)
class Grid:
    """The texts of a matrix, column by column, with its labels."""

    columns: list[list[str]]
    rows: Labels
    names: Labels
    count: int
    headings: tuple[str, str] | None = None
    left: bool = False


def index_width(n: int) -> int:
    """Return the number of digits of an index."""
    return int(math.log10(n + 0.5) + 1)


def label_text(label: str | None) -> str:
    """Return a label of a row or a column."""
    return "<NA>" if label is None else escape_text(label)


# ---- matrices ------------------------------------------------------------------------------------


def matrix_lines(x: Value, look: Style, in_array: bool = False) -> list[str]:
    """Return the lines of a matrix or of a slab of an array; each column has its own number format."""
    rows, columns = dim_of(x) or (0, 0)
    if not rows and not columns and not in_array:
        return ["<0 x 0 matrix>"]
    labels = dimnames_of(x)
    limit = min(rows, look.most // columns) if columns and look.most // columns < rows else rows
    data = x._data.reshape((rows, columns), order="F")[:limit]
    texts = [cells(Value(x._kind, data[:, j]), look)[0] for j in range(columns)]
    left = x._kind in ("character", "list") and not look.right
    grid = Grid(texts, None if labels[0] is None else labels[0][:limit], labels[1], limit, _headings(x), left)
    lines = grid_lines(grid, look)
    if limit < rows:
        lines.append(f' [ reached getOption("max.print") -- omitted {rows - limit} rows ]')
    return lines


def _headings(x: Value) -> tuple[str, str] | None:
    labels = x._attributes.get("dimnames")
    names = None if labels is None else names_of(labels)
    return None if names is None else (escape_text(names[0] or ""), escape_text(names[1] or ""))


def grid_lines(grid: Grid, look: Style) -> list[str]:
    """Return the lines of a matrix, in blocks of columns that fit into the width."""
    stub, labels = _stub(grid)
    names = [f"[,{j + 1}]" for j in range(len(grid.columns))] if grid.names is None else [*map(label_text, grid.names)]
    widths = [
        max([display_width(head), *map(display_width, column)]) + look.gap
        for head, column in zip(names, grid.columns, strict=True)
    ]
    lines: list[str] = []
    side = "left" if grid.left else "right"
    for block in blocks(stub, widths, look.width) or [range(0)]:
        first = ""
        if grid.headings is not None:
            first, second = grid.headings
            lines.append(" " * stub + second)
        lines.append(pad(first, stub, "left") + "".join(_cell(names[j], widths[j], side, look) for j in block))
        for i in range(grid.count):
            lines.append(labels[i] + "".join(_cell(grid.columns[j][i], widths[j], side, look) for j in block))
    return lines


def _cell(item: str, width: int, side: str, look: Style) -> str:
    return " " * look.gap + pad(item, width - look.gap, side)


def _stub(grid: Grid) -> tuple[int, list[str]]:
    """Return the width of the row labels, and the labels."""
    if grid.rows is None:
        width = index_width(grid.count + 1) + 3
        texts = [f"[{i + 1},]" for i in range(grid.count)]
    else:
        texts = [label_text(label) for label in grid.rows]
        width = max(map(display_width, texts), default=0)
    indent = 0
    if grid.headings is not None:
        head = display_width(grid.headings[0])
        indent = _INDENT if head < width + _INDENT else head - width
    width += indent
    if grid.rows is None:
        return width, [t.rjust(width) for t in texts]
    return width, [pad(" " * indent + t, width, "left") for t in texts]


def array_lines(x: Value, look: Style) -> list[str]:
    """Return the lines of an array of three or more dimensions, matrix by matrix."""
    shape, labels = dim_of(x) or (), dimnames_of(x)
    dimnames = x._attributes.get("dimnames")
    names = (None if dimnames is None else names_of(dimnames)) or None
    if 0 in shape[2:]:
        refuse("print() of an array without matrices is not supported")
    size, lines = shape[0] * shape[1], []
    for count, place in enumerate(product(*[range(n) for n in reversed(shape[2:])])):
        indices = tuple(reversed(place))
        lines += [", , " + ", ".join(_place(i, labels[k + 2], names, k + 2) for k, i in enumerate(indices)), ""]
        slab = Value(x._kind, x._data[count * size : (count + 1) * size], {"dim": integers(shape[:2])})
        if dimnames is not None:
            two = Value("list", dimnames._data[:2], None if names is None else {"names": strings(names[:2])})
            slab._attributes["dimnames"] = two
        lines += [*matrix_lines(slab, look, True), ""]
    return lines


def _place(i: int, labels: Labels, names: Labels, axis: int) -> str:
    if labels is None:
        return str(i + 1)
    return f"{names[axis]} = {label_text(labels[i])}" if names is not None else label_text(labels[i])
