"""read.table() and its kin, type.convert(): text into columns by R's rules."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Iterable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.reading import _different
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.numbers import read_numbers
from pyrrf.rbase.vectors import MOST_INTEGER
from pyrrf.script.values import (
    REAL_NA,
    NotMovedError,
    RError,
    Value,
    as_value,
    coerced,
    doubles,
    flag,
    integers,
    is_factor,
    is_frame,
    is_list,
    is_null,
    logicals,
    names_of,
    null,
    number,
    objects,
    strings,
    text,
)

_WHOLE = re.compile(r"[ \t\n\v\f\r]*[+-]?[0-9]+")
_HEX = re.compile(r"\s*[+-]?0[xX][0-9a-fA-F]*[.pP]")
_COMPLEX = re.compile(r"\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)?[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?i\s*")
_LOGICALS = {"TRUE": 1.0, "T": 1.0, "FALSE": 0.0, "F": 0.0}
_CLASSES = {"real": "numeric", "double": "numeric"}
_PACKED = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress, b"\xfd7": lzma.decompress}


# ---- files ---------------------------------------------------------------------------------------


def file_text(file: Any, encoding: str = "") -> str:
    """Return the content of a file, unpacked, with R's ends of lines.

    Raises
    ------
    RError
        It cannot be opened.
    NotMovedError
        It is an address, a connection, or not in UTF-8.
    """
    if not isinstance(file, Value) or file._kind != "character":
        raise NotMovedError("a file that is no path, such as a connection")
    name = text(file)
    if re.match(r"(https?|ftp|file)://", name):
        raise NotMovedError(f"{name} is read through the network; load it into a file, and read that")
    if name in ("", "stdin", "clipboard"):
        raise NotMovedError(f"reading from {name or 'the keyboard'}")
    path = Path(name).expanduser()
    try:
        content = path.read_bytes()
    except OSError as error:
        warn(f"cannot open file '{name}': {error.strerror}")
        raise RError("cannot open the connection") from None
    content = unpacked(content)
    known = {"": "utf-8", "utf8": "utf-8", "utf-8-bom": "utf-8-sig", "latin1": "cp1252", "unknown": "utf-8"}
    try:
        found = content.decode(known.get(encoding.lower(), encoding or "utf-8"))
    except (UnicodeDecodeError, LookupError) as error:
        raise NotMovedError(f"{name}: {error}; give fileEncoding") from None
    return found.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def unpacked(content: bytes) -> bytes:
    """Return what was packed by gzip, bzip2 or xz; anything else as it is."""
    unpack = _PACKED.get(content[:2])
    return content if unpack is None else unpack(content)


# ---- cells ---------------------------------------------------------------------------------------


class Cells:
    """Splits text into lines of cells, as R's scan() does.

    Parameters
    ----------
    text : str
    sep, quote, comment : str
    strip : bool
        Whether blanks around cells without quotes go.
    """

    def __init__(self, text: str, sep: str, quote: str, comment: str, strip: bool) -> None:
        self.text, self.sep, self.comment, self.strip = text, sep, comment, strip
        self.quotes = quote
        self.at = 0
        ends = re.escape(f"{sep}\n{comment}") if sep else re.escape(f" \t\n{comment}")
        marks = re.escape(quote)
        self.plain = re.compile(f"[^{ends}{marks if sep else ''}]*")
        self.simple = bool(sep) and not any(mark in text for mark in (*quote, *comment))

    def lines(self, skip_blank: bool) -> Iterator[list[str]]:
        """Yield the cells of each line."""
        size = len(self.text)
        while self.at < size:
            cells = self._simple() if self.simple else self._line()
            if skip_blank and (not cells or cells == [""]):
                continue
            yield cells

    def _simple(self) -> list[str]:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        cells = self.text[self.at : end].split(self.sep)
        self.at = end + 1
        return [cell.strip(" \t") for cell in cells] if self.strip else cells

    def _line(self) -> list[str]:
        cells: list[str] = []
        while True:
            cell = self._separated() if self.sep else self._spaced()
            if cell is not None:
                cells.append(cell)
            if self.at >= len(self.text):
                return cells
            mark = self.text[self.at]
            if mark == self.comment:
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end + 1
                return cells
            if mark == "\n":
                self.at += 1
                return cells
            if self.sep:
                self.at += 1

    def _separated(self) -> str:
        """Return one cell; what stands in quotes counts as it is."""
        parts, quoted = [], False
        while True:
            found = self.plain.match(self.text, self.at)
            assert found is not None
            parts.append(found[0])
            self.at = found.end()
            if self.at >= len(self.text) or self.text[self.at] not in self.quotes:
                cell = "".join(parts)
                return cell.strip(" \t") if self.strip and not quoted else cell
            quoted = True
            parts.append(self._quoted(doubled=True))

    def _quoted(self, doubled: bool) -> str:
        mark = self.text[self.at]
        out, start = [], self.at + 1
        while True:
            end = self.text.find(mark, start)
            if end < 0:
                raise NotMovedError("a table with a quote that is not closed")
            out.append(self.text[start:end])
            start = end + 1
            if doubled and self.text[start : start + 1] == mark:
                out.append(mark)
                start += 1
            elif not doubled and out[-1].endswith("\\"):
                out[-1] = out[-1][:-1] + mark
            else:
                self.at = start
                return "".join(out)

    def _spaced(self) -> str | None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        if self.at >= len(self.text) or self.text[self.at] in ("\n", self.comment):
            return None
        if self.text[self.at] in self.quotes:
            cell = self._quoted(doubled=False)
        else:
            found = self.plain.match(self.text, self.at)
            assert found is not None
            cell, self.at = found[0], found.end()
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        return cell


# ---- types ---------------------------------------------------------------------------------------


def converted(cells: Iterable[str | None], as_is: bool = True, dec: str = ".") -> Value:
    """Return strings as R's type.convert() types them; None is missing.

    Raises
    ------
    NotMovedError
        They are complex numbers, or hexadecimal ones with a fraction.
    """
    found = list(cells)
    known = [cell for cell in found if cell is not None and not _is_blank(cell)]
    if all(cell in _LOGICALS for cell in known):
        return logicals([np.nan if cell is None else _LOGICALS.get(cell, np.nan) for cell in found])
    if dec != "." and any(dec in cell for cell in known):
        plain = [None if cell is None or _is_blank(cell) else _with_point(cell, dec) for cell in found]
    else:
        plain = [None if cell is None or _is_blank(cell) else cell for cell in found]
        if dec != ".":
            plain = [cell if cell is None or "." not in cell else "no number" for cell in plain]
    numbers = _numbers(plain)
    if numbers is not None:
        return numbers
    if all(_COMPLEX.fullmatch(cell) for cell in known):
        raise NotMovedError("a column of complex numbers")
    if as_is:
        return strings(found)
    return as_levels(found)


def as_levels(cells: list[str | None]) -> Value:
    """Return strings as a factor, its levels in the order of `set_collate`."""
    codes, levels = coded_strings(np.array(cells, dtype=object), "a column of the file")
    data = np.where(np.asarray(codes) < 0, np.nan, np.asarray(codes) + 1.0)
    return integers(data, {"levels": strings(levels), "class": strings("factor")})


def _with_point(cell: str, dec: str) -> str:
    return "no number" if "." in cell else cell.replace(dec, ".")


def _is_blank(cell: str) -> bool:
    return not cell.strip(" \t\n\v\f\r")


def _numbers(cells: list[str | None]) -> Value | None:
    """Return texts as numbers, None where one is none."""
    values, found = read_numbers(cells)
    gaps = np.array([cell is None for cell in cells], dtype=bool)
    given = [cell for cell in cells if cell is not None]
    if any(_HEX.match(cell) for cell in given):
        raise NotMovedError("a column of hexadecimal numbers with a fraction")
    if not (found | gaps).all():
        return None
    odd = values[~gaps]
    if np.isnan(odd).any() and any(
        cell.strip().lstrip("+-") not in ("NaN", "nan") for cell, v in zip(given, odd, strict=True) if v != v
    ):
        return None
    whole = all(_WHOLE.fullmatch(cell) for cell in given) and bool((np.abs(odd) <= MOST_INTEGER).all())
    if whole:
        return integers(np.where(gaps, np.nan, values + 0.0))
    return doubles(np.where(gaps, REAL_NA, values))


def _as_class(cells: list[str | None], wanted: str, dec: str) -> Value:
    """Return cells of a class that the script names."""
    blank = [None if cell is None or _is_blank(cell) else cell for cell in cells]
    if wanted == "character":
        return strings(cells)
    if wanted == "factor":
        return as_levels(cells)
    if wanted == "Date":
        from pyrrf.script.dates import as_Date

        return as_Date(strings(cells))  # type: ignore[no-any-return]
    if wanted == "logical":
        bad = next(
            (c for c in blank if c is not None and c.strip() not in (*_LOGICALS, "true", "True", "false", "False")),
            None,
        )
        if bad is not None:
            raise RError(f"scan() expected 'a logical', got '{bad}'")
        return logicals([np.nan if c is None else float(c.strip()[0] in "Tt") for c in blank])
    if wanted not in ("numeric", "integer"):
        raise NotMovedError(f"colClasses with {wanted}")
    stripped = [None if c is None else (_with_point(c.strip(), dec) if dec != "." else c.strip()) for c in blank]
    for cell in stripped:
        ok = cell is None or (_WHOLE.fullmatch(cell) if wanted == "integer" else _numbers([cell]) is not None)
        if not ok:
            raise RError(f"scan() expected '{'an integer' if wanted == 'integer' else 'a real'}', got '{cell}'")
    values = read_numbers(stripped)[0]
    gaps = np.array([cell is None for cell in stripped], dtype=bool)
    if wanted == "integer":
        return integers(np.where(gaps | (np.abs(values) > MOST_INTEGER), np.nan, values))
    return doubles(np.where(gaps, REAL_NA, values))


def type_convert(
    x: Any, na_strings: Any = "NA", as_is: Any = None, dec: Any = ".", numerals: Any = "allow.loss", **ignored: Any
) -> Value:
    """Return strings as what they say: R's ``type.convert``, of a data frame for each column."""
    x = as_value(x)
    if is_list(x):
        data = objects([type_convert(column, na_strings, as_is, dec, numerals) for column in x._data])
        return Value("list", data, x._attributes)
    if as_is is None:
        warn("'as.is' should be specified by the caller; using TRUE")
    gaps = set(coerced(na_strings, "character")._data)
    cells = [None if cell in gaps else cell for cell in coerced(x, "character")._data]
    return converted(cells, as_is is None or flag(as_is), text(dec))


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
        own = _different(own) if flag(self.given["check_names"]) else own
        return ["row.names", *own] if named_rows else own, named_rows, lines[0][1] if header else 0

    def _rows(self, cells: Cells, width: int) -> list[list[str]]:
        out: list[list[str]] = []
        count = 0
        for line in cells.lines(self.skip_blank):
            count += 1
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
                columns.append(_as_class(cells, str(kinds[j]), self.dec))
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
