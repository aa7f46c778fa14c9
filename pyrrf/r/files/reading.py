"""read.table() and its variants: text into columns by R's rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.frames import made_names
from pyrrf.r.files.cells import Cells, as_class, file_text, type_cells
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import RError, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Text, Whole, r_function
from pyrrf.r.values.kinds import is_factor, is_null
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.vector import Value, as_value, integers, objects, strings

_CLASSES = {"real": "numeric", "double": "numeric"}


# ---- tables --------------------------------------------------------------------------------------


@r_function(unsupported="numerals allowEscapes flush")
def read_table(
    file: Value | None = None,
    header: Flag | None = None,
    sep: Text = "",
    quote: Text | None = "\"'",
    dec: Text = ".",
    numerals: Text = "allow.loss",
    row_names: object = None,
    col_names: Value | None = None,
    as_is: Value | None = None,
    na_strings: Value | str | None = "NA",
    colClasses: Value | None = None,
    nrows: Whole = -1,
    skip: Whole = 0,
    check_names: Flag = True,
    fill: Flag | None = None,
    strip_white: Flag = False,
    blank_lines_skip: Flag = True,
    comment_char: Text = "#",
    allowEscapes: Flag = False,
    flush: Flag = False,
    stringsAsFactors: Flag = False,
    fileEncoding: Text = "",
    encoding: object = "unknown",
    text: Value | None = None,
    skipNul: object = False,
) -> Value:
    """Read a table: R's ``read.table``.

    Addresses, connections, escapes and columns of dates are refused.
    """
    stop_if(text is not None and text._kind != "character", "invalid 'text' argument")
    content = file_text(file, fileEncoding) if text is None else "\n".join([*map(str, _strings(text)), ""])
    content = content.replace("\r\n", "\n")
    for _ in range(skip):
        content = content.partition("\n")[2]
    reader = _Reader(sep, "" if quote is None else quote, dec, comment_char, header, nrows, blank_lines_skip, fill)
    own = None if col_names is None else [str(name) for name in _strings(col_names)]
    names, named_rows, body = reader.names(content, own, check_names)
    rows = reader.rows(content[body:], len(names), strip_white)
    gaps = set() if na_strings is None else set(_strings(na_strings))
    kinds, plain = _classes(colClasses, names), _as_is(as_is, not stringsAsFactors, names)
    columns = []
    for j in range(len(names)):
        cells = [None if row[j] in gaps else row[j] for row in rows]
        kind = "character" if named_rows and j == 0 and kinds[j] != "NULL" else kinds[j]
        columns.append(_column(cells, kind, plain[j], dec))
    return _frame(names, columns, row_names, named_rows, len(rows))


def _variant(name: str, marks: str, separator: str, point: str) -> Callable[..., Value]:
    """Return a variant of `read_table` with other defaults."""

    @r_function(
        name, f"Read a table with {marks}: R's ``{name.replace('_', '.')}``; more arguments as for `read_table`."
    )
    def read(
        file: Value | None = None,
        header: Flag = True,
        sep: Text = separator,
        quote: Text | None = '"',
        dec: Text = point,
        fill: Flag = True,
        comment_char: Text = "",
        **more: object,
    ) -> Value:
        return read_table(file, header, sep, quote, dec, fill=fill, comment_char=comment_char, **_complete_names(more))

    return read


read_csv = _variant("read_csv", "commas", ",", ".")
read_csv2 = _variant("read_csv2", "semicolons", ";", ",")
read_delim = _variant("read_delim", "tabs", "\t", ".")
read_delim2 = _variant("read_delim2", "tabs and decimal commas", "\t", ",")


def _complete_names(named: dict[str, object]) -> dict[str, Any]:
    """Return arguments for `read_table` by full names; R matches abbreviated ones."""
    known = signature(read_table).parameters
    complete = {}
    for name, value in named.items():
        plain = name.replace(".", "_")
        near = [plain] if plain in known else [word for word in known if word.startswith(plain)]
        stop_if(len(near) != 1, f"unused argument ({name})")
        complete[near[0]] = value
    return complete


def _strings(x: object) -> list[Any]:
    return list(coerce(x, "character")._data)


# ---- lines ---------------------------------------------------------------------------------------


@dataclass
class _Reader:
    """Reader of a table's lines; arguments that are None are decided by the first lines, as in R."""

    sep: str
    quote: str
    dec: str
    comment: str
    header: bool | None
    most_rows: int
    skip_blank: bool
    fill_up: bool | None

    @property
    def _fills(self) -> bool:
        return not self.skip_blank if self.fill_up is None else self.fill_up

    def names(self, content: str, own: list[str] | None, valid: bool) -> tuple[list[str], bool, int]:
        """Return the column names, whether the first column holds row names, and the first line of data."""
        cells = Cells(content, self.sep, self.quote, self.comment, True)
        lines = self._head(cells)
        if not lines:
            own = stop_none(own, "no lines available in input")
            return own, False, len(content)
        first = lines[0][0]
        counted = len(first) if own is None else len(own)
        width = max([counted, *(len(line) for line, _ in lines[1:])])
        named_rows = width - counted == 1
        header = named_rows if self.header is None else self.header
        named_rows = named_rows and header
        if header:
            if own is None:
                own = first
            elif len(first) != len(own):
                warn("header and 'col.names' are of different lengths")
        elif own is None:
            own = [f"V{j + 1}" for j in range(width)]
        stop_if(len(own) + named_rows < width, "more columns than column names")
        stop_if(not self._fills and len(own) > width > 0, "more column names than columns")
        stop_if(width == 0, "first five rows are empty: giving up")
        own = made_names(own) if valid else own
        return ["row.names", *own] if named_rows else own, named_rows, lines[0][1] if header else 0

    def _head(self, cells: Cells) -> list[tuple[list[str], int]]:
        """Return the cells of the first lines, and where each line ends."""
        wanted = 5 if self.most_rows < 0 else min(5, int(bool(self.header)) + self.most_rows)
        out = []
        for line in cells.lines(self.skip_blank):
            out.append((line, cells.at))
            if len(out) >= max(wanted, 1):
                break
        return out

    def rows(self, body: str, width: int, strip: bool) -> list[list[str]]:
        """Return the cells of each row."""
        cells = Cells(body, self.sep, self.quote, self.comment, strip)
        out: list[list[str]] = []
        for count, line in enumerate(cells.lines(self.skip_blank), start=1):
            empty = not line and self.sep == "" and not self.skip_blank
            stop_if((empty or len(line) % width) and not self._fills, f"line {count} did not have {width} elements")
            for start in range(0, max(len(line), 1), width):
                cells_of_line = line[start : start + width]
                out.append(cells_of_line + [""] * (width - len(cells_of_line)))
                if len(out) == self.most_rows:
                    return out
        return out


# ---- columns -------------------------------------------------------------------------------------


def _column(cells: list[str | None], kind: str | None, as_is: bool, dec: str) -> Value | None:
    if kind is None:
        return type_cells(cells, as_is, dec)
    return None if kind == "NULL" else as_class(cells, kind, dec)


def _classes(col_classes: Value | None, names: list[str]) -> list[str | None]:
    if col_classes is None:
        return [None] * len(names)
    wanted = [None if kind is None else _CLASSES.get(kind, kind) for kind in _strings(col_classes)]
    labels = names_of(col_classes)
    if labels is None:
        return [wanted[j % len(wanted)] for j in range(len(names))]
    if not set(labels) <= set(names):
        warn("not all columns named in 'colClasses' exist")
    own = dict(zip(labels, wanted, strict=True))
    return [own.get(name) for name in names]


def _as_is(as_is: Value | None, usual: bool, names: list[str]) -> list[bool]:
    """Return a flag for each column: whether its strings stay strings."""
    if as_is is None:
        return [usual] * len(names)
    if as_is._kind == "logical":
        return [bool(as_is._data[j % len(as_is)]) for j in range(len(names))]
    known = set(as_is._data.tolist())
    return [(name if as_is._kind == "character" else j + 1) in known for j, name in enumerate(names)]


def _frame(names: list[str], columns: list[Value | None], row_names: object, named_rows: bool, n: int) -> Value:
    """Return the data frame, with row names if a column or an argument holds them."""
    labels: Value | None = None
    label_column = 0 if named_rows and row_names is None else None
    if not is_null(row_names):
        row_names_argument: Value = as_value(row_names)
        if row_names_argument._kind == "character" and len(row_names_argument) != 1:
            labels = strings(row_names_argument._data)
        elif row_names_argument._kind == "character":
            stop_if(row_names_argument._data[0] not in names, "attempt to select less than one element in get1index")
            label_column = names.index(row_names_argument._data[0])
        elif row_names_argument._kind in ("integer", "double") and len(row_names_argument) == 1:
            label_column = int(row_names_argument) - 1
        else:
            raise RError("invalid 'row.names' specification")
    if label_column is not None:
        labels = columns[label_column]
    data_columns = [j for j, column in enumerate(columns) if column is not None and j != label_column]
    rows = integers(np.arange(1, n + 1.0)) if labels is None else _row_labels(labels, n)
    about = {"names": strings([names[j] for j in data_columns]), "class": strings("data.frame"), "row.names": rows}
    return Value("list", objects([columns[j] for j in data_columns]), about)


def _row_labels(labels: Value, n: int) -> Value:
    plain = labels if labels._kind == "integer" and not is_factor(labels) else coerce(labels, "character")
    stop_if(len(plain) != n, "invalid 'row.names' length")
    texts = plain._data.tolist()
    stop_if(len(set(texts)) < n, "duplicate 'row.names' are not allowed")
    stop_if(any(label is None or label != label for label in texts), "missing values in 'row.names' are not allowed")
    return Value(plain._kind, plain._data)
