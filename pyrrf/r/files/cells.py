"""Text as R reads it: files, cells of tables, and their types."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.dates import as_Date
from pyrrf.r.values.arguments import text
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.kinds import is_frame, is_list
from pyrrf.r.values.labels import dim_of
from pyrrf.r.values.vector import Value, doubles, integers, logicals, objects, strings
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.numbers import read_numbers
from pyrrf.rbase.vectors import MOST_INTEGER, REAL_NA

_WHOLE = re.compile(r"[ \t\n\v\f\r]*[+-]?[0-9]+")
_HEX = re.compile(r"\s*[+-]?0[xX][0-9a-fA-F]*[.pP]")
_COMPLEX = re.compile(r"\s*([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)?[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?i\s*")
_LOGICALS = {"TRUE": 1.0, "T": 1.0, "FALSE": 0.0, "F": 0.0}
_PACKED = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress, b"\xfd7": lzma.decompress}


# ---- files ---------------------------------------------------------------------------------------


def file_text(file: Value | None, encoding: str = "") -> str:
    """Return the decompressed text of a file, with newlines as line ends."""
    refuse_if(not isinstance(file, Value) or file._kind != "character", "a file that is no path, such as a connection")
    name = text(file)
    refuse_if(re.match(r"(https?|ftp|file)://", name), f"{name} is in the network; load it into a file")
    refuse_if(name in ("", "stdin", "clipboard"), "reading from the keyboard or the clipboard")
    path = Path(name).expanduser()
    try:
        content = path.read_bytes()
    except OSError as error:
        warn(f"cannot open file '{name}': {error.strerror}")
        raise RError("cannot open the connection") from None
    content = decompress(content)
    known = {"": "utf-8", "utf8": "utf-8", "utf-8-bom": "utf-8-sig", "latin1": "cp1252", "unknown": "utf-8"}
    try:
        decoded = content.decode(known.get(encoding.lower(), encoding or "utf-8"))
    except (UnicodeDecodeError, LookupError) as error:
        raise NotSupportedError(f"{name}: {error}; give fileEncoding") from None
    return decoded.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def decompress(content: bytes) -> bytes:
    """Return content decompressed from gzip, bzip2 or xz; other content unchanged."""
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
        Whether blanks around unquoted cells are removed.
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
            cell = self._read_separated() if self.sep else self._read_spaced()
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

    def _read_separated(self) -> str:
        """Return one cell; quoted text is taken literally."""
        parts, quoted = [], False
        while True:
            match = self.plain.match(self.text, self.at)
            assert match is not None
            parts.append(match[0])
            self.at = match.end()
            if self.at >= len(self.text) or self.text[self.at] not in self.quotes:
                cell = "".join(parts)
                return cell.strip(" \t") if self.strip and not quoted else cell
            quoted = True
            parts.append(self._read_quoted(doubled=True))

    def _read_quoted(self, doubled: bool) -> str:
        mark = self.text[self.at]
        out, start = [], self.at + 1
        while True:
            end = self.text.find(mark, start)
            refuse_if(end < 0, "a table with a quote that is not closed")
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

    def _read_spaced(self) -> str | None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        if self.at >= len(self.text) or self.text[self.at] in ("\n", self.comment):
            return None
        if self.text[self.at] in self.quotes:
            cell = self._read_quoted(doubled=False)
        else:
            match = self.plain.match(self.text, self.at)
            assert match is not None
            cell, self.at = match[0], match.end()
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        return cell


# ---- types ---------------------------------------------------------------------------------------


def type_cells(cells: Iterable[str | None], as_is: bool = True, dec: str = ".") -> Value:
    """Return strings as R's type.convert() types them; None is missing; complex ones are refused."""
    texts = list(cells)
    known = [cell for cell in texts if cell is not None and not _is_blank(cell)]
    if all(cell in _LOGICALS for cell in known):
        return logicals([np.nan if cell is None else _LOGICALS.get(cell, np.nan) for cell in texts])
    plain = [None if cell is None or _is_blank(cell) else _with_point(cell, dec) for cell in texts]
    numbers = _numbers(plain)
    if numbers is not None:
        return numbers
    refuse_if(all(_COMPLEX.fullmatch(cell) for cell in known), "a column of complex numbers")
    if as_is:
        return strings(texts)
    return as_levels(texts)


def as_levels(cells: list[str | None]) -> Value:
    """Return strings as a factor, its levels in the order of `set_collate`."""
    codes, levels = coded_strings(np.array(cells, dtype=object), "a column of the file")
    data = np.where(np.asarray(codes) < 0, np.nan, np.asarray(codes) + 1.0)
    return integers(data, {"levels": strings(levels), "class": strings("factor")})


def _with_point(cell: str, dec: str) -> str:
    if dec == ".":
        return cell
    return "no number" if "." in cell else cell.replace(dec, ".")


def _is_blank(cell: str) -> bool:
    return not cell.strip(" \t\n\v\f\r")


def _numbers(cells: list[str | None]) -> Value | None:
    """Return texts as numbers; None if one is not a number."""
    values, readable = read_numbers(cells)
    gaps = np.array([cell is None for cell in cells], dtype=bool)
    present = [cell for cell in cells if cell is not None]
    refuse_if(any(_HEX.match(cell) for cell in present), "a column of hexadecimal numbers with a fraction")
    if not (readable | gaps).all():
        return None
    odd = values[~gaps]
    if np.isnan(odd).any() and any(
        cell.strip().lstrip("+-") not in ("NaN", "nan") for cell, v in zip(present, odd, strict=True) if v != v
    ):
        return None
    whole = all(_WHOLE.fullmatch(cell) for cell in present) and bool((np.abs(odd) <= MOST_INTEGER).all())
    if whole:
        return integers(np.where(gaps, np.nan, values + 0.0))
    return doubles(np.where(gaps, REAL_NA, values))


def as_class(cells: list[str | None], wanted: str, dec: str) -> Value:
    """Convert cells to a class of colClasses."""
    blank = [None if cell is None or _is_blank(cell) else cell for cell in cells]
    if wanted == "character":
        return strings(cells)
    if wanted == "factor":
        return as_levels(cells)
    if wanted == "Date":
        return as_Date(strings(cells))
    if wanted == "logical":
        bad = next(
            (c for c in blank if c is not None and c.strip() not in (*_LOGICALS, "true", "True", "false", "False")),
            None,
        )
        stop_if(bad is not None, f"scan() expected 'a logical', got '{bad}'")
        return logicals([np.nan if c is None else float(c.strip()[0] in "Tt") for c in blank])
    refuse_if(wanted not in ("numeric", "integer"), f"colClasses with {wanted}")
    stripped = [None if c is None else _with_point(c.strip(), dec) for c in blank]
    for cell in stripped:
        ok = cell is None or (_WHOLE.fullmatch(cell) if wanted == "integer" else _numbers([cell]) is not None)
        if not ok:
            raise RError(f"scan() expected '{'an integer' if wanted == 'integer' else 'a real'}', got '{cell}'")
    values = read_numbers(stripped)[0]
    gaps = np.array([cell is None for cell in stripped], dtype=bool)
    if wanted == "integer":
        return integers(np.where(gaps | (np.abs(values) > MOST_INTEGER), np.nan, values))
    return doubles(np.where(gaps, REAL_NA, values))


@r_function(unsupported="numerals")
def type_convert(
    x: Value,
    na_strings: Value | str = "NA",
    as_is: Flag | None = None,
    dec: Text = ".",
    numerals: Text = "allow.loss",
    **ignored: object,
) -> Value:
    """Convert strings to the type of their content: R's ``type.convert``; a data frame column by column."""
    if is_list(x):
        refuse_if("class" in x._attributes and not is_frame(x), "type.convert() of a list with a class")
        return Value("list", objects([type_convert(col, na_strings, as_is, dec) for col in x._data]), x._attributes)
    refuse_if(dim_of(x) is not None, "type.convert() of a matrix")
    if as_is is None:
        warn("'as.is' should be specified by the caller; using TRUE")
    gaps = set(coerce(na_strings, "character")._data)
    cells = [None if cell in gaps else cell for cell in coerce(x, "character")._data]
    return type_cells(cells, as_is is None or as_is, dec)
