"""Files as tables of pandas: CSV, TSV, JSON lines, Parquet, Arrow, .rds of R, and CSV from standard input."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import check_text
from pyrrf.cli.messages import DataError, UsageError, counted, note, short
from pyrrf.rds.content import Budget, DamagedError, LimitError, default_budget, load, unpacked
from pyrrf.rds.parsed import as_damage, classes, parse_within
from pyrrf.rds.places import conversion_memory
from pyrrf.rds.unreadable import why_not
from pyrrf.rds.vectors import read_frame

STDIN = "-"
SEPARATORS = {".csv": ",", ".tsv": "\t"}
LINES = (".jsonl", ".ndjson")
# The modules that unpack, by the ending.
_UNPACK = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
_OTHERS = (",", ";", "\t", "|")
# What a table may take unless more is asked for. Text is packed to a tenth or so, and takes five times its bytes while
# it is read.
_SMALLEST, _RATIO = 2**28, 100
LIMIT = "--max-bytes"
# Rows of Parquet that are unpacked at a time: a few bytes of it may stand for long text in each.
_BATCH = 1024
_WHOLE = re.compile(r"\s*[-+]?[0-9]+\s*")
# What begins a file of UTF-16.
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# Here a message would be the same for every text.
_NOT_TEXT = {b"PK\x03\x04": "a zip archive or a workbook", b"\x1f\x8b": "compressed by gzip", b"PAR1": "Parquet"}


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it was read.

    Its types were guessed from `text`; a word may stand among numbers by mistake.
    """

    source: str
    frame: pd.DataFrame
    text: Text | None = None

    def columns(self, names: list[str]) -> pd.DataFrame:
        """Return some columns with their values as they stand in the file."""
        if self.text is None:
            return self.frame[names]
        return self.text.parsed(usecols=names, dtype=str, keep_default_na=False, na_values=[])


@dataclass(frozen=True, eq=False)
class Text:
    """Values separated by commas or tabs; those of `na`, too, are missing."""

    content: str
    separator: str
    header: list[str]
    na: list[str]

    def parsed(self, **how: Any) -> pd.DataFrame:
        """Return the table; `how` holds more arguments of pandas."""
        how.setdefault("na_values", self.na)
        frame: pd.DataFrame = pd.read_csv(
            io.StringIO(self.content), sep=self.separator, names=self.header, header=0, index_col=False, **how
        )
        return frame


def ending(path: str) -> str:
    """Return the ending of a file's name in lower case, with its dot."""
    return Path(path).suffix.lower()


def read_table(path: str, separator: str | None = None, max_bytes: int | None = None, na: Sequence[str] = ()) -> Table:
    """Read a table.

    `path` is a file whose extension decides the format, or "-" for CSV from standard input; text may be compressed.
    `separator` stands between values of text; by default the extension decides. `max_bytes` are those that its content
    may take unpacked; by default 2**28, and 100 more for each byte of the file, and of `.rds` as in `pyrrf.read_rds`.
    `na` are texts that mean a missing value, also behind a blank.
    """
    marks = [blank + text for text in na for blank in ("", " ")]
    source = source_of(path)
    kind = ".csv" if path == STDIN else ending(inner_name(path))
    mark = SEPARATORS.get(kind) if separator is None else _separator(separator, kind, source)
    if mark:
        table = read_text(path, mark, source, max_bytes, marks)
    elif kind in LINES:
        table = Table(source, _with_missing(_read_lines(path, source, max_bytes), marks))
    elif kind in _BINARY and inner_name(path) == path:
        table = Table(source, _with_missing(_BINARY[kind](path, max_bytes), marks))
    else:
        known = ", ".join([*SEPARATORS, *LINES, *_BINARY])
        raise UsageError(
            f"{source}: unknown file extension; known are {known}, and for text these with {', '.join(_UNPACK)}. Give "
            "--sep to read delimited text with another extension, or - for CSV from standard input"
        )
    if len(table.frame) == 0:
        raise DataError(f"{source}: it has no rows")
    return table


def inner_name(path: str) -> str:
    """Return the name of a file without the ending of a compression."""
    return path[: -len(ending(path))] if ending(path) in _UNPACK else path


def _separator(given: str, kind: str, source: str) -> str:
    """Return the separator that was asked for."""
    if kind in LINES or kind in _BINARY:
        raise UsageError(f"--sep is for delimited text, which {source} is not; omit it")
    mark = {"tab": "\t", "\\t": "\t"}.get(given, given)
    if len(mark) != 1 or mark in '"\n\r' or mark.isalnum():
        raise UsageError(f"--sep must be one character that is no letter, digit or quote, or 'tab', not {given!r}")
    return mark


def source_of(path: str) -> str:
    """Return what messages call a file."""
    return "standard input" if path == STDIN else path


def read_bytes(path: str, max_bytes: int | None = None) -> tuple[bytes, Budget]:
    """Return the bytes of a file or of standard input, and what is left of the memory that the table may take."""
    if path == STDIN and sys.stdin is None:
        raise DataError("standard input is closed; name a file")
    source = source_of(path)
    try:
        with nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb") as stream:
            content, budget = load(stream, max_bytes, LIMIT, _default_budget)
    except LimitError as error:
        raise DataError(f"{source}: {error}") from None
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}") from None
    if not content:
        raise DataError(f"{source}: it is empty")
    return content, budget


def _default_budget(size: int) -> Budget:
    return Budget(_SMALLEST + _RATIO * size, LIMIT)


def read_unpacked(path: str, max_bytes: int | None = None) -> bytes:
    """Return what a file of text, perhaps compressed, or standard input holds."""
    (content, budget), module = read_bytes(path, max_bytes), _UNPACK.get(ending(path))
    if module is None:
        return content
    try:
        plain = unpacked(module, content, budget)
    except LimitError as error:
        raise DataError(f"{path}: {error}") from None
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error) as error:
        told = _first_line(error)
        raise DataError(f"{path}: it cannot be decompressed as {ending(path)}: {told}; compress it again") from None
    if not plain:
        raise DataError(f"{path}: it is empty")
    return plain


def check_names(names: Sequence[str], source: str) -> None:
    """Raise DataError if a column has no name, or if two have the same."""
    places: dict[str, int] = {}
    for at, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(f"{source}: column {at} has no name; give it one in the header")
        if name in places:
            raise DataError(f"{source}: columns {places[name]} and {at} have the same name, {name!r}; rename one")
        places[name] = at


# ---- text ----------------------------------------------------------------------------------------


def read_text(path: str, separator: str, source: str, max_bytes: int | None = None, na: Sequence[str] = ()) -> Table:
    """Read a table of values separated by commas or tabs.

    The types of columns are those that pandas finds. A first column without a name, where R writes the names of rows,
    is left out.
    """
    content = decoded(read_unpacked(path, max_bytes), source)
    rows = cells(content, separator, source)
    header = next(rows)
    n = sum(1 for _ in rows)
    nameless = len(header) > 1 and not header[0].strip()
    if nameless:
        note(f"{source}: the first column has no name; it is taken for row names and ignored")
        header[0] = "x" * (1 + max(len(name) for name in header))  # which no other column has
    check_names(header, source)
    text = Text(content, separator, header, list(na))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = text.parsed(usecols=header[nameless:], low_memory=False, float_precision="round_trip")
    if len(frame) != n:
        raise DataError(f"{source}: misplaced quotes (it reads as {n} or as {len(frame)} rows); correct the quotes")
    return Table(source, _with_whole_numbers(frame, text), text)


def _with_whole_numbers(frame: pd.DataFrame, text: Text) -> pd.DataFrame:
    """Make numbers of whole ones that pandas leaves as words: of thousands of digits, or without one type for all."""
    words = [str(name) for name, dtype in frame.dtypes.items() if not pd.api.types.is_numeric_dtype(dtype)]
    doubtful = [name for name in words if any(map(_is_whole, frame[name].unique()))]
    if not doubtful:
        return frame
    # Where pandas gives up, it also forgets which cells are missing.
    written = text.parsed(usecols=doubtful, dtype=str)
    for name in doubtful:
        if all(map(_is_whole, written[name].dropna().unique())):
            frame[name] = written[name].map(float, na_action="ignore").astype(np.float64)
    return frame


def _is_whole(value: Any) -> bool:
    return isinstance(value, str) and _WHOLE.fullmatch(value) is not None


def cells(text: str, separator: str, source: str) -> Iterator[list[str]]:
    """Yield the values of the header, then of each row.

    DataError unless all rows have as many values as the header.
    """
    at, header = 0, None
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            if not row:
                continue
            if header is None:
                header = row
                _check_separator(header, separator, source)
            elif len(row) != len(header):
                values, names = counted(len(row), "value"), counted(len(header), "name")
                raise DataError(f"{source}: row {at} has {values}, but the header has {names}")
            yield row
            at += 1
    except csv.Error as error:
        raise DataError(f"{source}: {f'row {at}' if at else 'the header'} cannot be read: {error}") from None
    if header is None:
        raise DataError(f"{source}: it holds only empty lines")


def decoded(content: bytes | bytearray, source: str) -> str:
    """Return text in UTF-8, without its mark of byte order."""
    what = next((what for start, what in _NOT_TEXT.items() if content.startswith(start)), None)
    if content.startswith(_UTF16):
        what = "text in UTF-16"
    if what:
        raise DataError(f"{source}: it is {what}, not text in UTF-8; write it as CSV in UTF-8")
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise DataError(f"{source}: line {line} contains a null byte, so it is not text; export the file again")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{source}: line {line} is not UTF-8 (byte {content[error.start]:#04x}); write the file as CSV in UTF-8"
        ) from None


def _check_separator(header: list[str], separator: str, source: str) -> None:
    """Refuse a header that is one name which holds another separator."""
    (name, *more) = header
    other = next((mark for mark in _OTHERS if mark != separator and mark in name), None)
    if not more and other:
        raise DataError(
            f"{source}: its header is one name, {short(name)}; if values are separated by {other!r}, pass --sep "
            + ("tab" if other == "\t" else repr(other))
        )


# ---- JSON lines ----------------------------------------------------------------------------------


def _read_lines(path: str, source: str, max_bytes: int | None) -> pd.DataFrame:
    """Read an object of JSON on each line; a name that a line lacks is missing there."""
    lines = decoded(read_unpacked(path, max_bytes), source).split("\n")
    rows = [_read_line(line, f"{source}: line {number}") for number, line in enumerate(lines, start=1) if line.strip()]
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_names(names, source)
    frame = pd.DataFrame.from_records(rows, columns=names)
    return frame.infer_objects()


def _read_line(line: str, what: str) -> dict[str, Any]:
    """Read one object, and refuse what no table holds: lists, objects inside, and halves of letters."""
    try:
        row: dict[str, Any] = json.loads(line, parse_int=_whole)
        flat = isinstance(row, dict) and not any(isinstance(value, dict | list) for value in row.values())
    except RecursionError:
        flat = False
    except ValueError as error:
        raise DataError(f"{what} is not valid JSON: {_first_line(error)}") from None
    if not flat:
        raise DataError(f"{what} must be one JSON object of numbers, strings, booleans and nulls")
    check_text((*row, *row.values()), what, DataError)
    return row


def _whole(text: str) -> float:
    """Return a whole number; beyond the digits of a float64, infinity, since Python converts no thousands of them."""
    return int(text) if len(text) <= sys.float_info.max_10_exp else float(text)


# ---- other formats -------------------------------------------------------------------------------


def _with_missing(frame: pd.DataFrame, marks: list[str]) -> pd.DataFrame:
    """Return a table of typed columns without the words and numbers that mean a missing value."""
    numbers = pd.to_numeric(pd.Series(marks, dtype=object), errors="coerce").dropna().tolist()

    def without(column: Any) -> Any:
        if isinstance(column.dtype, pd.CategoricalDtype):
            return column.cat.remove_categories([one for one in column.cat.categories if one in marks])
        if not pd.api.types.is_numeric_dtype(column.dtype):
            words = [isinstance(value, str) and value in marks for value in column]
            column = column.mask(np.array(words, np.bool_)).infer_objects()
        if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
            column = column.mask(column.isin(numbers))
        return column

    return pd.DataFrame({name: without(frame[name]) for name in frame}) if marks else frame


def _read_parquet(path: str, max_bytes: int | None) -> pd.DataFrame:
    parquet = arrow("parquet", path)

    def read(stream: io.BytesIO) -> tuple[Any, Iterator[Any]]:
        # Not by read_table, which refuses names that stand twice in words of its own.
        file = parquet.ParquetFile(stream)
        return file.schema_arrow, file.iter_batches(_BATCH)

    return _from_arrow(path, read, max_bytes)


def _read_feather(path: str, max_bytes: int | None) -> pd.DataFrame:
    """Read a file of Arrow, or a stream that was written to a file."""
    ipc = arrow("ipc", path)

    def read(stream: io.BytesIO) -> tuple[Any, Iterator[Any]]:
        try:
            file = ipc.open_file(stream)
            return file.schema, map(file.get_batch, range(file.num_record_batches))
        except arrow("lib", path).ArrowInvalid:
            stream.seek(0)
            opened = ipc.open_stream(stream)
            return opened.schema, iter(opened)

    return _from_arrow(path, read, max_bytes)


def _from_arrow(
    path: str, read: Callable[[io.BytesIO], tuple[Any, Iterator[Any]]], max_bytes: int | None
) -> pd.DataFrame:
    """Return the table of a schema and batches, which are counted as they come."""
    lib = arrow("lib", path)
    (content, budget), batches = read_bytes(path, max_bytes), []
    try:
        schema, found = read(io.BytesIO(content))
        for batch in found:
            batch.validate(full=True)  # pyarrow reads beyond its buffers where a damaged file says so
            budget.spend(batch.nbytes)
            batches.append(batch)
        table = lib.Table.from_batches(batches, schema)
        names = table.column_names
        frame: pd.DataFrame = table.to_pandas()
    except LimitError as error:
        raise DataError(f"{path}: {error}") from None
    except MemoryError:
        raise DataError(
            f"{path}: reading it needs more memory than there is; if it should be small, export the file again"
        ) from None
    except Exception as error:  # pyarrow raises errors of many kinds where a file is damaged
        told = _first_line(error)
        raise DataError(f"{path}: it cannot be read as {ending(path)}: {told}; export the file again") from None
    check_names(names, path)
    return frame.reset_index(drop=True)


def arrow(module: str, path: str) -> Any:
    """Return a module of pyarrow."""
    try:
        import pyarrow.feather
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise ImportError(f'{path}: this format needs pyarrow; pip install "pyrrf[arrow]"') from None
    return getattr(pyarrow, module)


def _read_rds(path: str, max_bytes: int | None) -> pd.DataFrame:
    """Read what R's saveRDS() wrote; dates become numbers, as in R's data.matrix()."""
    content, budget = read_bytes(path, max_bytes)
    if max_bytes is None:
        budget = default_budget(len(content), LIMIT)
    try:
        with as_damage():
            obj = parse_within(content, budget)
            budget.spend(conversion_memory(obj))
            found = _frame_of(obj, path)
    except ImportError as error:
        raise ImportError(f"{path}: {error}") from None
    except ValueError as error:
        raise DataError(f"{path}: {error}") from None
    if not found.columns.is_unique:
        raise DataError(f"{path}: two columns have the same name; in R: names(x) <- make.unique(names(x))")
    check_names([str(name) for name in found.columns], path)
    return found.reset_index(drop=True)


def _frame_of(obj: Any, path: str) -> pd.DataFrame:
    """Return an object of R that is a data frame."""
    if "data.frame" not in classes(obj):
        raise DamagedError(f"it holds no data frame; in R: saveRDS(as.data.frame(x), {Path(path).name!r})")
    trouble = why_not(obj)
    if trouble is not None:
        raise DamagedError(trouble.refusal())
    return read_frame(obj)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


_BINARY: dict[str, Callable[[str, int | None], pd.DataFrame]] = {
    ".parquet": _read_parquet,
    ".arrow": _read_feather,
    ".feather": _read_feather,
    ".rds": _read_rds,
}
