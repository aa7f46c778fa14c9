"""Text of tables: its encoding, its separator, and the format of its numbers."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.cli.messages import DataError, UsageError, count_text, note, short

# Separators in messages, in words where the character is not readable.
SEPARATORS = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
DECIMALS = (".", ",")
# Apostrophes and blanks of both widths, too.
THOUSANDS = (",", ".", "'", "\u2019", " ", "\u00a0", "\u202f", "_")
# Byte order marks and their encodings, the longer ones first.
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32", codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
# First bytes of formats that are not text, and the words for them in messages.
_NOT_TEXT = {
    b"PK\x03\x04": "a zip archive or a workbook (.xlsx)",
    b"\x1f\x8b": "compressed by gzip",
    b"PAR1": "Parquet",
}
# The line that sets the separator for Excel.
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
# Number of bytes that a message shows before and after the wrong byte.
_AROUND = 10


@dataclass(frozen=True, kw_only=True)
class Format:
    """The format of a table, as far as the user gives it.

    Parameters
    ----------
    separator, decimal, thousands, encoding : str, optional
        For text. Defaults: the separator is found in the text; a point; none; UTF-8.
    na : tuple of str
        Texts that mean a missing value, also after a blank.
    max_bytes : int, optional
        Limit of the memory of the table.
    """

    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    na: tuple[str, ...] = ()
    max_bytes: int | None = None

    @property
    def marks(self) -> list[str]:
        """The cells that mean a missing value."""
        return [blank + text for text in self.na for blank in ("", " ")]

    @property
    def point(self) -> str:
        """The decimal mark."""
        return self.decimal or "."

    def check(self) -> None:
        """Raise UsageError for an option that text cannot have."""
        mark = "\t" if self.separator in ("tab", "\\t") else self.separator
        if mark is not None and (len(mark) != 1 or mark in '"\n\r' or mark.isalnum()):
            raise UsageError(
                f"--sep must be one character that is no letter, digit or quote, or 'tab', not {self.separator!r}"
            )
        if self.point not in DECIMALS:
            raise UsageError(f"--decimal must be '.' or ',', not {self.decimal!r}")
        if self.thousands is not None and (self.thousands not in THOUSANDS or self.thousands == self.point):
            known = ", ".join(repr(mark) for mark in THOUSANDS if mark.isascii())
            raise UsageError(f"--thousands must be one of {known} and not the decimal mark, not {self.thousands!r}")
        try:
            if self.encoding is not None:
                b" ".decode(self.encoding, "ignore")
        except (LookupError, ValueError):
            raise UsageError(
                f"--encoding: Python knows no encoding {self.encoding!r}; such as utf-8, utf-16, cp1252, latin-1"
            ) from None


@dataclass(frozen=True, eq=False)
class Text:
    """The text of a table, whose first line has the names `header`."""

    content: str
    separator: str
    header: list[str]
    form: Format

    def parse(self, **how: Any) -> pd.DataFrame:
        """Return the table; `how` holds more arguments of pandas."""
        how.setdefault("na_values", self.form.marks)
        frame: pd.DataFrame = pd.read_csv(
            io.StringIO(self.content), sep=self.separator, names=self.header, header=0, index_col=False,
            decimal=self.form.point, **how,
        )  # fmt: skip
        return frame


# ---- the encoding --------------------------------------------------------------------------------


def decode(content: bytes, source: str, encoding: str | None = None) -> str:
    """Decode bytes: by `encoding` if it is given, by a byte order mark at the start, or else as UTF-8."""
    what = next((what for start, what in _NOT_TEXT.items() if content.startswith(start)), None)
    if what:
        raise DataError(f"{source}: it is {what}, not text; name it by the extension of its format, or write it as CSV")
    mark = next((name for begin, name in _MARKS.items() if content.startswith(begin)), None)
    codec = encoding or mark or "utf-8"
    try:
        text = content.decode(codec).removeprefix("\ufeff")
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        raise DataError(f"{source}: {_decoding_message(content, start, codec, bool(encoding or mark))}") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        wide = next((name for i, name in ((1, "utf-16-le"), (0, "utf-16-be")) if not any(content[i:200:2])), None)
        remedy = f"add --encoding {wide}" if wide and not encoding else "export the file again"
        raise DataError(f"{source}: line {line} contains a null byte, so it is not text in {codec}; {remedy}")
    return text


def _decoding_message(content: bytes, position: int, codec: str, known: bool) -> str:
    """Return the message for bytes that are not text in an encoding, with a likely encoding."""
    line = content.count(b"\n", 0, position) + 1
    place = f"line {line} is not {codec.upper()} (byte {content[position]:#04x})"
    if known:
        return f"{place}; give --encoding the one in which it was written"
    begin = max(content.rfind(b"\n", 0, position) + 1, position - _AROUND)
    around = content[begin : position + _AROUND].splitlines()[0].decode("cp1252", "replace")
    return f"{place}; add --encoding cp1252 (Western Windows, Latin-1) if this is right: {short(around)}"


# ---- the separator -------------------------------------------------------------------------------


def split_separator_line(text: str, default: str, wanted: str | None, source: str) -> tuple[str, str]:
    """Return the text without Excel's line that sets the separator, and the separator."""
    line = _SEPARATOR_LINE.match(text)
    rest = text[line.end() :] if line else text
    if wanted is not None:
        return rest, "\t" if wanted in ("tab", "\\t") else wanted
    if line:
        return rest, line[1]
    separator = _find_separator(rest, default, source)
    if separator != default:
        note(f"{source}: values are separated by {SEPARATORS[separator]}")
    return rest, separator


def _find_separator(text: str, default: str, source: str) -> str:
    """Return the separator that splits the header into names, and each line into as many values.

    DataError if several do.
    """
    marks = dict.fromkeys([default, *SEPARATORS])
    wide = [mark for mark in marks if _names_in(text, mark) > 1]
    even = [mark for mark in wide if _is_even(text, mark)] if len(wide) > 1 else wide
    if len(even) > 1:
        signs = " and by ".join(f"{SEPARATORS[mark]} ({_names_in(text, mark)})" for mark in even)
        raise DataError(f"{source}: all lines can be parted in columns by {signs}; say by --sep which separates values")
    return next(iter([*even, *wide, default]))


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    return (row for row in rows if row)


def _names_in(text: str, separator: str) -> int:
    with suppress(csv.Error):
        return len(next(_rows(text, separator), []))
    return 0


def _is_even(text: str, separator: str) -> bool:
    """Whether all rows have as many values as the header."""
    with suppress(csv.Error):
        return len({len(row) for row in _rows(text, separator)}) == 1
    return False


def cells(text: str, separator: str, source: str) -> Iterator[list[str]]:
    """Yield the values of the header, then of each row.

    DataError unless all rows have as many values as the header.
    """
    number, header = 0, None
    try:
        for row in _rows(text, separator):
            if header is None:
                header = row
                _check_separator(header, separator, source)
            elif len(row) != len(header):
                values, names = count_text(len(row), "value"), count_text(len(header), "name")
                raise DataError(f"{source}: row {number} has {values}, but the header has {names}")
            yield row
            number += 1
    except csv.Error as error:
        raise DataError(f"{source}: {f'row {number}' if number else 'the header'} cannot be read: {error}") from None
    if header is None:
        raise DataError(f"{source}: it holds only empty lines")


def _check_separator(header: Sequence[str], separator: str, source: str) -> None:
    """Refuse a header with a single name that contains another separator."""
    (name, *more) = header
    other = next((mark for mark in SEPARATORS if mark != separator and mark in name), None)
    if not more and other:
        sign = SEPARATORS[other]
        raise DataError(
            f"{source}: its header is one name, {short(name)}; if values are separated by {sign}, pass --sep {sign}"
        )


# ---- numbers -------------------------------------------------------------------------------------


def number_pattern(decimal: str, thousands: str | None = None) -> re.Pattern[str]:
    """Return the pattern of a number; thousands are marked in all places, or in none."""
    whole = "[0-9]+"
    if thousands is not None:
        whole = rf"(?:{whole}|[0-9]{{1,3}}(?:{re.escape(thousands)}[0-9]{{3}})+)"
    point = re.escape(decimal)
    return re.compile(rf"\s*[-+]?(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+)(?:[eE][-+]?[0-9]+)?\s*")


def with_numbers(frame: pd.DataFrame, text: Text) -> pd.DataFrame:
    """Convert numbers that pandas leaves as text.

    These are whole numbers of thousands of digits or without a common type, and numbers with marks of thousands.
    """
    form = text.form
    pattern = number_pattern(form.point, form.thousands) if form.thousands else _WHOLE
    words = [str(name) for name, dtype in frame.dtypes.items() if not pd.api.types.is_numeric_dtype(dtype)]
    doubtful = [name for name in words if any(_matches(pattern, value) for value in frame[name].unique())]
    if not doubtful:
        return frame
    # If pandas cannot convert a column, it also loses the missing cells.
    texts = text.parse(usecols=doubtful, dtype=str)
    for name in doubtful:
        if all(_matches(pattern, value) for value in texts[name].dropna().unique()):
            plain = texts[name].str.replace(form.thousands or "", "").str.replace(form.point, ".")
            frame[name] = plain.map(float, na_action="ignore").astype(np.float64)
    return frame


_WHOLE = re.compile(r"\s*[-+]?[0-9]+\s*")


def _matches(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
