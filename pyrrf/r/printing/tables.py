"""Tables, data frames and factors as R's print() shows them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pyrrf.r.formatting.formats import Form, Style, format_items, string_cells
from pyrrf.r.indexing.subscripts import taken
from pyrrf.r.printing.grids import Grid, grid_lines
from pyrrf.r.printing.printing import Changes, plain_text
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.coercion import coerce, factor_labels, without
from pyrrf.r.values.errors import refuse
from pyrrf.r.values.kinds import factor_levels, inherits, is_frame, is_missing
from pyrrf.r.values.labels import dim_of, dimnames_of, known_names, names_of, row_count, row_names
from pyrrf.r.values.vector import NUMBERS, Value, integers, strings
from pyrrf.rbase.text import display_width

# ---- tables --------------------------------------------------------------------------------------


def table_text(x: Value, look: Style) -> str:
    """Return the text of a table: all its numbers have one format."""
    shape = dim_of(x)
    if shape is not None and 0 in shape:
        return f"< table of extent {' x '.join(map(str, shape))} >"
    gaps = is_missing(x)
    formatted_cells = format_items(without(x, "class"), Form(digits=look.digits, justify="none"))
    data = formatted_cells._data.copy()
    data[gaps] = "" if look.na is None else look.na
    right = x._kind in NUMBERS[1:]
    return plain_text(Value("character", data, formatted_cells._attributes), replace(look, quote=False, right=right))


def print_table(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a table."""
    return table_text(x, replace(usual, **changes))


# ---- data frames ---------------------------------------------------------------------------------


def print_data_frame(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a data frame; row.names is a logical, or labels of the rows."""
    look, row_names_argument = replace(usual, **{"quote": False, "right": True, **changes}), more.get("row_names")
    if row_names_argument is None or row_names_argument._kind == "logical":
        rows = row_names(x) if row_names_argument is None or flag(row_names_argument) else [""] * row_count(x)
    else:
        rows = list(coerce(row_names_argument, "character")._data)
    n = row_count(x)
    if not len(x):
        return f"data frame with 0 columns and {n} row{'s' if n != 1 else ''}"
    if not n:
        labels, plain = names_of(x), replace(look, quote=False, right=False)
        names = "NULL" if labels is None else plain_text(strings(labels), plain)
        return f"{names}\n<0 rows> (or 0-length row.names)"
    limit = min(n, look.most // len(x))
    texts, labels = frame_texts(x if limit == n else taken(x, integers(np.arange(1, limit + 1)), ..., drop=False), look)
    quoted = [[f'"{t}"' if look.quote else t for t in column] for column in texts]
    lines = grid_lines(Grid(quoted, rows[:limit], labels, limit, None, not look.right), look)
    if limit < n:
        lines.append(f" [ reached 'max' / getOption(\"max.print\") -- omitted {n - limit} rows ]")
    return "\n".join(lines)


def frame_texts(x: Value, look: Style) -> tuple[list[list[str]], list[str | None]]:
    """Return the text columns of a data frame, and their names; a matrix has several columns."""
    texts: list[list[str]] = []
    names: list[str | None] = []
    if names_of(x) is None and len(x):
        refuse("a data frame without names as text")
    for name, column_value in zip(names_of(x) or [], x._data, strict=True):
        inner = _inner(column_value, name)
        outer = "NA" if name is None else name
        names += [outer] if inner is None else inner if len(inner) == 1 else [f"{outer}.{label}" for label in inner]
        for column in _parts(column_value, look):
            texts.append(string_cells(column, na=look.na))
    return texts, names


def _inner(column: Value, name: str | None) -> list[str | None] | None:
    """Return the inner column labels of a matrix or data frame column; None for a single unlabelled column."""
    if is_frame(column):
        return [*known_names(column)]
    shape = dim_of(column)
    if shape is None or len(shape) != 2:
        return None
    labels = dimnames_of(column)[1]
    if labels is None and shape[1] == 1:
        return [name]
    return [str(j + 1) for j in range(shape[1])] if labels is None else [str(label) for label in labels]


def _parts(value: Value, look: Style) -> list[list[str | None]]:
    """Return the text columns of a data frame column: a matrix has one format for all of its numbers."""
    how = Form(digits=look.digits, justify="none", na_encode=False)
    if is_frame(value):
        return [column for inside in value._data for column in _parts(inside, look)]
    texts = list(format_items(value, how)._data)
    shape = dim_of(value)
    if shape is None or len(shape) != 2:
        return [texts]
    return [texts[j * shape[0] : (j + 1) * shape[0]] for j in range(shape[1])]


# ---- factors -------------------------------------------------------------------------------------


def print_factor(x: Value, usual: Style, changes: Changes, more: Changes) -> str:
    """Return the text of print() for a factor: the labels, and a line of its levels."""
    look, most = replace(usual, **{"quote": False, **changes}), more.get("max_levels")
    ordered = inherits(x, "ordered")
    lines = ["ordered(0)" if ordered else "factor(0)"]
    if len(x):
        about = without(x, "levels", "class")._attributes
        lines = [plain_text(Value("character", factor_labels(x)._data, about), look)]
    if most != 0:
        lines.append(_levels_line(x, ordered, look, most))
    return "\n".join(lines)


def _levels_line(x: Value, ordered: bool, look: Style, most: int | None = None) -> str:
    """Return the line of levels below a factor, abbreviated to the first and the last if too long."""
    levels = string_cells(factor_levels(x), '"' if look.quote else "")
    between, n = " < " if ordered else " ", len(levels)
    if most is None:
        room = look.width - (len("Levels: ") + 7)
        ends = np.cumsum([display_width(level) + len(between) for level in levels])
        most = n if n <= 1 or ends[-1] <= room else max(1, int(np.argmax(ends > room)))
    if n <= most:
        return "Levels: " + between.join(levels)
    shortened = [*levels[: max(1, most - 1)], "...", *levels[n - 1 :][: int(most > 1)]]
    return f"{n} Levels: " + between.join(shortened)
