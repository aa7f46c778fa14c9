"""Files as tables of pandas: CSV, TSV, JSON lines, Parquet, Arrow, .rds of R, and CSV from standard input."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import check_text
from pyrrf.cli.messages import DataError, UsageError, note
from pyrrf.cli.text import Format, Text, cells, decode, split_separator_line, with_numbers
from pyrrf.rds.content import Budget, DamagedError, LimitError, decompress, default_budget, load
from pyrrf.rds.parsed import classes, damage_errors, parse_within
from pyrrf.rds.places import conversion_memory
from pyrrf.rds.unreadable import find_obstacle
from pyrrf.rds.vectors import read_frame

STDIN = "-"
# Extensions of text tables, with their default separators; the first two are also written.
SEPARATORS = {".csv": ",", ".tsv": "\t"}
_TEXT = {**SEPARATORS, ".txt": ","}
LINES, ARRAY = (".jsonl", ".ndjson"), ".json"
# Decompression modules by extension.
_UNPACK = {".gz": gzip, ".bz2": bz2, ".xz": lzma}
# Default memory limit of a table. Compressed text has about a tenth of its size, and reading text takes five times
# its size in memory.
_SMALLEST, _RATIO = 2**28, 100
LIMIT = "--max-bytes"
# Rows of Parquet that are decompressed at a time: a few bytes of a file may become long text in each row.
_BATCH = 1024
# Bytes of memory of a cell and of a value in a workbook.
_PLACE, _CELL = 32, 128


@dataclass(frozen=True, eq=False)
class Table:
    """A table read from a file.

    The types of its columns were guessed from `text`; a column of numbers may contain a word by mistake.
    """

    source: str
    frame: pd.DataFrame
    text: Text | None = None

    def columns(self, names: list[str]) -> pd.DataFrame:
        """Return some columns with the unparsed text of their values."""
        if self.text is None:
            return self.frame[names]
        return self.text.parse(usecols=names, dtype=str, keep_default_na=False, na_values=[])


def ending(path: str) -> str:
    """Return the ending of a file's name in lower case, with its dot."""
    return Path(path).suffix.lower()


def read_table(path: str, form: Format) -> Table:
    """Read a table from a file, in the format of its extension, or delimited text from standard input ("-").

    Text may be compressed.
    """
    source = source_of(path)
    kind = ".csv" if path == STDIN else ending(inner_name(path))
    form.check()
    if kind in _TEXT or (form.separator is not None and not _is_other(kind)):
        table = read_text(path, _TEXT.get(kind, ","), source, form)
    elif not _is_other(kind) or (kind in _BINARY and inner_name(path) != path):
        known = ", ".join([*_TEXT, *LINES, ARRAY, *_BINARY])
        raise UsageError(
            f"{source}: unknown file extension; known are {known}, and for text these with {', '.join(_UNPACK)}. Give "
            "--sep to read delimited text with another extension, or - for CSV from standard input"
        )
    else:
        _check_text_options(form, kind, source)
        read = _BINARY.get(kind, _read_json)
        table = Table(source, _with_missing(read(path, form), form.marks))
    if len(table.frame) == 0:
        raise DataError(f"{source}: it has no rows")
    return table


def _is_other(kind: str) -> bool:
    """Whether a file of this extension is not delimited text."""
    return kind in (*LINES, ARRAY, *_BINARY)


def _check_text_options(form: Format, kind: str, source: str) -> None:
    """Raise UsageError for an option of delimited text."""
    options = {"--sep": form.separator, "--decimal": form.decimal, "--thousands": form.thousands}
    if kind in _BINARY:
        options["--encoding"] = form.encoding
    for option in (option for option, value in options.items() if value is not None):
        raise UsageError(f"{option} is for delimited text, which {source} is not; omit it")


def inner_name(path: str) -> str:
    """Return the name of a file without the ending of a compression."""
    return path[: -len(ending(path))] if ending(path) in _UNPACK else path


def source_of(path: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if path == STDIN else path


def read_bytes(path: str, max_bytes: int | None = None) -> tuple[bytes, Budget]:
    """Return the bytes of a file or of standard input, and the rest of the memory budget."""
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
    """Return the content of a text file, perhaps compressed, or of standard input."""
    (content, budget), module = read_bytes(path, max_bytes), _UNPACK.get(ending(path))
    if module is None:
        return content
    try:
        plain = decompress(module, content, budget)
    except LimitError as error:
        raise DataError(f"{path}: {error}") from None
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error) as error:
        reason = _first_line(error)
        raise DataError(f"{path}: it cannot be decompressed as {ending(path)}: {reason}; compress it again") from None
    if not plain:
        raise DataError(f"{path}: it is empty")
    return plain


def check_names(names: Sequence[str], source: str) -> None:
    """Raise DataError if a column has no name, or if two have the same."""
    places: dict[str, int] = {}
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(f"{source}: column {place} has no name; give it one in the header")
        if name in places:
            raise DataError(f"{source}: columns {places[name]} and {place} have the same name, {name!r}; rename one")
        places[name] = place


def name_columns(header: list[str], source: str) -> tuple[list[str], list[str]]:
    """Return the names of all columns, and of the columns to read; a first column without a name holds row names."""
    if len(header) > 1 and not header[0].strip():
        note(f"{source}: the first column has no name; it is taken for row names and ignored")
        header = ["x" * (1 + max(len(name) for name in header)), *header[1:]]  # a name that no column has
        named = header[1:]
    else:
        named = header
    check_names(header, source)
    return header, named


# ---- text ----------------------------------------------------------------------------------------


def read_text(path: str, default: str, source: str, form: Format) -> Table:
    """Read a table of delimited text; `default` is the separator, unless the text has another one.

    pandas infers the types of the columns. A first column without a name is left out: R writes the names of rows
    there.
    """
    content = decode(read_unpacked(path, form.max_bytes), source, form.encoding)
    content, separator = split_separator_line(content, default, form.separator, source)
    rows = cells(content, separator, source)
    header = next(rows)
    n = sum(1 for _ in rows)
    header, named = name_columns(header, source)
    text = Text(content, separator, header, form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = text.parse(usecols=named, low_memory=False, float_precision="round_trip")
    if len(frame) != n:
        raise DataError(f"{source}: misplaced quotes (it reads as {n} or as {len(frame)} rows); correct the quotes")
    return Table(source, with_numbers(frame, text), text)


# ---- JSON ----------------------------------------------------------------------------------------


def _read_json(path: str, form: Format) -> pd.DataFrame:
    """Read JSON objects, in an array or one on each line; absent names are missing values."""
    source = source_of(path)
    content = decode(read_unpacked(path, form.max_bytes), source, form.encoding)
    if ending(inner_name(path)) == ARRAY and content.lstrip().startswith("["):
        objects = _parse_json(content, source)
        if objects is None:
            raise DataError(f"{source}: it holds JSON that is nested too deeply; make it an array of objects")
        rows = [_checked_row(row, f"{source}: object {number}") for number, row in enumerate(objects, start=1)]
    else:
        lines = enumerate(content.split("\n"), start=1)
        rows = [_read_line(line, f"{source}: line {number}") for number, line in lines if line.strip()]
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_names(names, source)
    frame = pd.DataFrame.from_records(rows, columns=names)
    return frame.infer_objects()


def _read_line(line: str, what: str) -> dict[str, Any]:
    return _checked_row(_parse_json(line, what), what)


def _parse_json(text: str, what: str) -> Any:
    """Return the parsed JSON; None if it is nested too deeply."""
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        return None
    except ValueError as error:
        raise DataError(f"{what} is not valid JSON: {_first_line(error)}") from None


def _checked_row(row: Any, what: str) -> dict[str, Any]:
    """Return one object; refuse lists, nested objects, and lone surrogates."""
    if not isinstance(row, dict) or any(isinstance(value, dict | list) for value in row.values()):
        raise DataError(f"{what} must be one JSON object of numbers, strings, booleans and nulls")
    check_text((*row, *row.values()), what, DataError)
    return row


def _whole(text: str) -> float:
    """Return a whole number, or infinity beyond the range of float64: Python does not convert thousands of digits."""
    return int(text) if len(text) <= sys.float_info.max_10_exp else float(text)


# ---- other formats -------------------------------------------------------------------------------


def _with_missing(frame: pd.DataFrame, marks: list[str]) -> pd.DataFrame:
    """Replace words and numbers that mean a missing value, in a table of typed columns, by missing values."""
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


def _read_parquet(path: str, form: Format) -> pd.DataFrame:
    parquet = arrow("parquet", path)

    def read(stream: io.BytesIO) -> tuple[Any, Iterator[Any]]:
        # Not by read_table, which refuses duplicate names with a message of its own.
        file = parquet.ParquetFile(stream)
        return file.schema_arrow, file.iter_batches(_BATCH)

    return _from_arrow(path, read, form.max_bytes)


def _read_feather(path: str, form: Format) -> pd.DataFrame:
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

    return _from_arrow(path, read, form.max_bytes)


def _from_arrow(
    path: str, read: Callable[[io.BytesIO], tuple[Any, Iterator[Any]]], max_bytes: int | None
) -> pd.DataFrame:
    """Return the table of a schema and batches; each batch is charged to the memory budget when it is read."""
    lib = arrow("lib", path)
    (content, budget), batches = read_bytes(path, max_bytes), []
    try:
        schema, stream = read(io.BytesIO(content))
        for batch in stream:
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
        reason = _first_line(error)
        raise DataError(f"{path}: it cannot be read as {ending(path)}: {reason}; export the file again") from None
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


def _read_rds(path: str, form: Format) -> pd.DataFrame:
    """Read a file of R's saveRDS(); dates become numbers, as in R's data.matrix()."""
    content, budget = read_bytes(path, form.max_bytes)
    if form.max_bytes is None:
        budget = default_budget(len(content), LIMIT)
    try:
        with damage_errors():
            obj = parse_within(content, budget)
            budget.spend(conversion_memory(obj))
            table = _frame_of(obj, path)
    except ImportError as error:
        raise ImportError(f"{path}: {error}") from None
    except ValueError as error:
        raise DataError(f"{path}: {error}") from None
    if not table.columns.is_unique:
        raise DataError(f"{path}: two columns have the same name; in R: names(x) <- make.unique(names(x))")
    check_names([str(name) for name in table.columns], path)
    return table.reset_index(drop=True)


def _frame_of(obj: Any, path: str) -> pd.DataFrame:
    """Return an object of R that is a data frame."""
    if "data.frame" not in classes(obj):
        raise DamagedError(f"it holds no data frame; in R: saveRDS(as.data.frame(x), {Path(path).name!r})")
    trouble = find_obstacle(obj)
    if trouble is not None:
        raise DamagedError(trouble.refusal())
    return read_frame(obj)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _read_excel(path: str, form: Format) -> pd.DataFrame:
    """Read the first sheet of a workbook, whose first row has the names of the columns."""
    if find_spec("openpyxl") is None:
        raise ImportError(f'{path}: this format needs openpyxl; pip install "pyrrf[excel]"')
    content, budget = read_bytes(path, form.max_bytes)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            budget.spend(2 * sum(member.file_size for member in packed.infolist()))
        with warnings.catch_warnings(), pd.ExcelFile(io.BytesIO(content), engine="openpyxl") as book:
            warnings.simplefilter("ignore")  # about charts, rules and styles
            sheet, count = book.book.worksheets[0], len(book.book.worksheets)
            header = _read_header(sheet, budget)
            frame: pd.DataFrame = pd.read_excel(book, sheet.title, header=None, skiprows=1, names=range(len(header)))
    except LimitError as error:
        raise DataError(f"{path}: {error}") from None
    except Exception as error:  # openpyxl raises errors of many kinds where a file is damaged
        raise DataError(f"{path}: it cannot be read as .xlsx: {_first_line(error)}; save it again") from None
    if count > 1:
        note(f"{path}: the first of {count} sheets is read, {sheet.title!r}")
    header, named = name_columns(header, path)
    return frame.set_axis(pd.Index(header), axis=1)[named]


def _read_header(sheet: Any, budget: Budget) -> list[str]:
    """Return the first row of a sheet as text; reserve memory for all cells, of which a small file may have many."""
    sheet.reset_dimensions()  # the stored dimensions may be wrong
    header: list[str] = []
    rows = width = filled = 0
    for row in sheet.iter_rows(values_only=True):
        there = [place for place, value in enumerate(row, start=1) if value is not None]
        rows, filled, width = rows + 1, filled + len(there), max(width, *there, 0)
        if rows == 1:
            header = ["" if value is None else str(value) for value in row[:width]]
        if rows * width > budget.left:
            break
    budget.spend(rows * width * _PLACE + filled * _CELL)
    return header + [""] * (width - len(header))


_BINARY: dict[str, Callable[[str, Format], pd.DataFrame]] = {
    ".parquet": _read_parquet,
    ".arrow": _read_feather,
    ".feather": _read_feather,
    ".rds": _read_rds,
    ".xlsx": _read_excel,
}
