"""read.table() and its kin: text into columns by R's rules."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from inspect import signature
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.frames import made_names
from pyrrf.r.files.cells import Cells, as_class, converted, file_text
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.attributes import is_factor, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, integers, is_null, objects, strings

_WHOLE = re.compile(r"[ \t\n\v\f\r]*[+-]?[0-9]+")
_HEX = re.compile(r"\s*[+-]?0[xX][0-9a-fA-F]*[.pP]")
_COMPLEX = re.compile(r"\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)?[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?i\s*")
_LOGICALS = {"TRUE": 1.0, "T": 1.0, "FALSE": 0.0, "F": 0.0}
_CLASSES = {"real": "numeric", "double": "numeric"}
_PACKED = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress, b"\xfd7": lzma.decompress}


# ---- tables --------------------------------------------------------------------------------------


def read_table(
    file: Any = None,
    header: Any = None,
    sep: Any = "",
    quote: Any = "\"'",
    dec: Any = ".",
    numerals: Any = "allow.loss",
    row_names: Any = None,
    col_names: Any = None,
    as_is: Any = None,
    na_strings: Any = "NA",
    colClasses: Any = None,
    nrows: Any = -1,
    skip: Any = 0,
    check_names: Any = True,
    fill: Any = None,
    strip_white: Any = False,
    blank_lines_skip: Any = True,
    comment_char: Any = "#",
    allowEscapes: Any = False,
    flush: Any = False,
    stringsAsFactors: Any = False,
    fileEncoding: Any = "",
    encoding: Any = "unknown",
    text: Any = None,
    skipNul: Any = False,
) -> Value:
    """Read a table: R's ``read.table``.

    Addresses, connections, escapes and columns of dates are refused.
    """
    return _Reader(locals()).table()


def read_csv(
    file: Any = None, header: Any = True, sep: Any = ",", quote: Any = '"', dec: Any = ".", fill: Any = True,
    comment_char: Any = "", **more: Any,
) -> Value:  # fmt: skip
    """Read a table with commas: R's ``read.csv``; further arguments as for `read_table`."""
    return read_table(file, header, sep, quote, dec, fill=fill, comment_char=comment_char, **_completed(more))


def read_csv2(
    file: Any = None, header: Any = True, sep: Any = ";", quote: Any = '"', dec: Any = ",", fill: Any = True,
    comment_char: Any = "", **more: Any,
) -> Value:  # fmt: skip
    """Read a table with semicolons: R's ``read.csv2``."""
    return read_table(file, header, sep, quote, dec, fill=fill, comment_char=comment_char, **_completed(more))


def read_delim(
    file: Any = None, header: Any = True, sep: Any = "\t", quote: Any = '"', dec: Any = ".", fill: Any = True,
    comment_char: Any = "", **more: Any,
) -> Value:  # fmt: skip
    """Read a table with tabs: R's ``read.delim``."""
    return read_table(file, header, sep, quote, dec, fill=fill, comment_char=comment_char, **_completed(more))


def read_delim2(
    file: Any = None, header: Any = True, sep: Any = "\t", quote: Any = '"', dec: Any = ",", fill: Any = True,
    comment_char: Any = "", **more: Any,
) -> Value:  # fmt: skip
    """Read a table with tabs and decimal commas: R's ``read.delim2``."""
    return read_table(file, header, sep, quote, dec, fill=fill, comment_char=comment_char, **_completed(more))


def _completed(named: dict[str, Any]) -> dict[str, Any]:
    """Return arguments for `read_table` by its names, of which R takes the beginning."""
    known = signature(read_table).parameters
    found = {}
    for name, value in named.items():
        plain = name.replace(".", "_")
        near = [plain] if plain in known else [word for word in known if word.startswith(plain)]
        if len(near) != 1:
            raise RError(f"unused argument ({name})")
        found[near[0]] = value
    return found


class _Reader:
    """One call of read.table()."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        for name in ("allowEscapes", "flush"):
            if flag(given[name]):
                raise NotMovedError(f"read.table() with {name}")
        self.sep, self.dec = text(given["sep"]), text(given["dec"])
        self.skip_blank, self.rows = flag(given["blank_lines_skip"]), int(number(given["nrows"]))
        self.fill = not self.skip_blank if given["fill"] is None else flag(given["fill"])
        self.header = None if given["header"] is None else flag(given["header"])

    def _content(self) -> str:
        if self.given["text"] is not None:
            lines = "\n".join(map(str, coerced(self.given["text"], "character")._data)) + "\n"
            return lines.replace("\r\n", "\n")
        return file_text(as_value(self.given["file"]), text(self.given["fileEncoding"]))

    def table(self) -> Value:
        content = self._content()
        for _ in range(int(number(self.given["skip"]))):
            content = content.partition("\n")[2]
        quote = "" if is_null(self.given["quote"]) else text(self.given["quote"])
        comment = text(self.given["comment_char"])
        first = Cells(content, self.sep, quote, comment, True)
        lines = self._head(first)
        names, named_rows, body = self._names(lines, first)
        cells = Cells(content[body:], self.sep, quote, comment, flag(self.given["strip_white"]))
        width = len(names)
        rows = self._rows(cells, width)
        return self._frame(names, rows, named_rows)

    def _head(self, cells: Cells) -> list[tuple[list[str], int]]:
        """Return the cells of the first lines, and where each line ends."""
        wanted = 5 if self.rows < 0 else min(5, int(bool(self.header)) + self.rows)
        out = []
        for line in cells.lines(self.skip_blank):
            out.append((line, cells.at))
            if len(out) >= max(wanted, 1):
                break
        return out

    def _names(self, lines: list[tuple[list[str], int]], cells: Cells) -> tuple[list[str], bool, int]:
        """Return the names of the columns, whether the first holds those of rows, and where the data begin."""
        given = self.given["col_names"]
        own = None if given is None else [str(name) for name in coerced(given, "character")._data]
        if not lines:
            if own is None:
                raise RError("no lines available in input")
            return own, False, len(cells.text)
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
        if len(own) + named_rows < width:
            raise RError("more columns than column names")
        if not self.fill and len(own) > width > 0:
            raise RError("more column names than columns")
        if width == 0:
            raise RError("first five rows are empty: giving up")
        own = made_names(own) if flag(self.given["check_names"]) else own
        return ["row.names", *own] if named_rows else own, named_rows, lines[0][1] if header else 0

    def _rows(self, cells: Cells, width: int) -> list[list[str]]:
        out: list[list[str]] = []
        for count, line in enumerate(cells.lines(self.skip_blank), start=1):
            if not line and self.sep == "" and not self.skip_blank and not self.fill:
                raise RError(f"line {count} did not have {width} elements")
            if len(line) % width and not self.fill:
                raise RError(f"line {count} did not have {width} elements")
            for start in range(0, max(len(line), 1), width):
                part = line[start : start + width]
                out.append(part + [""] * (width - len(part)))
                if len(out) == self.rows:
                    return out
        return out

    # ---- columns

    def _frame(self, names: list[str], rows: list[list[str]], named_rows: bool) -> Value:
        gaps = set() if is_null(self.given["na_strings"]) else set(coerced(self.given["na_strings"], "character")._data)
        kinds = self._classes(names)
        as_is = self._as_is(names)
        columns: list[Value | None] = []
        for j, name in enumerate(names):
            cells = [None if row[j] in gaps else row[j] for row in rows]
            if kinds[j] == "NULL":
                columns.append(None)
            elif named_rows and j == 0:
                columns.append(strings(cells))
            elif kinds[j] is not None:
                columns.append(as_class(cells, str(kinds[j]), self.dec))
            else:
                columns.append(converted(cells, as_is[j], self.dec))
            del name
        return self._labelled(names, columns, named_rows, len(rows))

    def _classes(self, names: list[str]) -> list[str | None]:
        given = self.given["colClasses"]
        if is_null(given):
            return [None] * len(names)
        found = coerced(given, "character")
        wanted = [None if kind is None else _CLASSES.get(kind, kind) for kind in found._data]
        labels = names_of(as_value(given))
        if labels is None:
            return [wanted[j % len(wanted)] for j in range(len(names))]
        if not set(labels) <= set(names):
            warn("not all columns named in 'colClasses' exist")
        own = dict(zip(labels, wanted, strict=True))
        return [own.get(name) for name in names]

    def _as_is(self, names: list[str]) -> list[bool]:
        given = as_value(self.given["as_is"])
        if is_null(given):
            return [not flag(self.given["stringsAsFactors"])] * len(names)
        if given._kind == "logical":
            return [bool(given._data[j % len(given)]) for j in range(len(names))]
        if given._kind == "character":
            return [name in set(given._data) for name in names]
        return [j + 1 in set(given._data.tolist()) for j in range(len(names))]

    def _labelled(self, names: list[str], columns: list[Value | None], named_rows: bool, n: int) -> Value:
        given = self.given["row_names"]
        labels: Any = None
        at = None
        if given is None:
            at = 0 if named_rows else None
        elif not is_null(given):
            value = as_value(given)
            if value._kind == "character" and len(value) != 1:
                labels = strings(value._data)
            elif value._kind == "character":
                if text(value) not in names:
                    raise RError("attempt to select less than one element in get1index")
                at = names.index(text(value))
            elif value._kind in ("integer", "double") and len(value) == 1:
                at = int(number(value)) - 1
            else:
                raise RError("invalid 'row.names' specification")
        if at is not None:
            labels = columns[at]
        kept = [j for j, column in enumerate(columns) if column is not None and j != at]
        rows = integers(np.arange(1, n + 1.0)) if labels is None else _row_labels(labels, n)
        about = {"names": strings([names[j] for j in kept]), "class": strings("data.frame"), "row.names": rows}
        return Value("list", objects([columns[j] for j in kept]), about)


def _row_labels(labels: Value, n: int) -> Value:
    plain = labels if labels._kind == "integer" and not is_factor(labels) else coerced(labels, "character")
    if len(plain) != n:
        raise RError("invalid 'row.names' length")
    found = plain._data.tolist()
    if len(set(found)) < n:
        raise RError("duplicate 'row.names' are not allowed")
    if any(label is None or label != label for label in found):
        raise RError("missing values in 'row.names' are not allowed")
    return Value(plain._kind, plain._data)
