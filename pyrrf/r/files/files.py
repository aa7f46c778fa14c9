"""Files: R's objects, writing of tables, lines of text, folders."""

from __future__ import annotations

import gzip
import hashlib
import keyword
import os
import re
import shutil
import sys
import tempfile as _tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.files import write_all
from pyrrf.r.base.frames import data_frame
from pyrrf.r.base.types import as_character
from pyrrf.r.files.cells import decompress, file_text
from pyrrf.r.files.robjects import from_robject, object_of
from pyrrf.r.values.arguments import flag, text
from pyrrf.r.values.classes import KNOWN_IN_R
from pyrrf.r.values.coercion import coerce, not_of_readr, one
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if, stop_none
from pyrrf.r.values.functions import REST, Flag, Item, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_frame, is_null
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix, names_of, row_count, row_names
from pyrrf.r.values.vector import NA, Value, as_value, integers, logicals, strings
from pyrrf.r.values.visibility import invisible
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.patterns import grepl
from pyrrf.rds import build
from pyrrf.rds.content import DamagedError
from pyrrf.rds.parsed import deep_recursion, pairs, parse

_MARKS = (b"RDX2\n", b"RDX3\n")


def _path(name: str) -> Path:
    return Path(name).expanduser()


# ---- R's objects ---------------------------------------------------------------------------------


@r_function(does="acts", quiet=True, classes="any formula")
def saveRDS(
    object: Item,
    file: Text = "",
    ascii: object = False,
    version: object = None,
    compress: object = True,
    refhook: object = None,
) -> Value:
    """Write an object for R's ``readRDS``; functions and environments are refused."""
    content = _object_of(object)
    _write_to(_path(file), lambda target: build.write(content, target))
    return invisible()


def _object_of(x: Item) -> Any:
    try:
        with deep_recursion():
            return object_of(x)
    except (TypeError, ValueError) as error:
        raise NotSupportedError(f"writing an object: {error}") from None


def _open_error(path: Path) -> RError:
    warn(f"cannot open compressed file '{path}', probable reason 'No such file or directory'")
    return RError("cannot open the connection")


def _write_to(path: Path, write: Callable[[Path], object]) -> None:
    if not path.parent.is_dir():
        raise _open_error(path)
    write_all({str(path): write})


@r_function()
def readRDS(file: Text, refhook: object = None) -> Item:
    """Read an object that R's ``saveRDS`` wrote."""
    return _whole(not_of_readr(from_robject(_parse(_path(file)))), "the object")


def _whole(x: Value, name: str) -> Value:
    """Return an object of a file; refuse one that only R can represent, if R is in use."""
    refuse_if(REST and not _is_whole(x), f"{name} of the file, which R alone can hold")
    return x


def _is_whole(x: Value) -> bool:
    kinds = {*classes(x)} if "class" in x._attributes else set()
    if not kinds.isdisjoint(("randomForest", "RRF")):
        return True
    if x._kind in ("opaque", "language") or not kinds <= {*KNOWN_IN_R}:
        return False
    return x._kind != "list" or all(map(_is_whole, x._data))


def _parse(path: Path, skipped: int = 0) -> Any:
    try:
        content = path.read_bytes()
    except OSError:
        raise _open_error(path) from None
    try:
        if skipped:
            content = decompress(content)
            refuse_if(content[:skipped] not in _MARKS, f"{path} is not what save() wrote in binary")
        return parse(content[skipped:])
    except DamagedError as error:
        raise NotSupportedError(f"{path}: {error}") from None


@r_function(quiet=True, unsupported="verbose")
def load(file: Text, envir: object = None, verbose: Flag = False) -> dict[str, Item]:
    """Return the objects that R's ``save`` wrote, by their Python names."""
    objects_by_name = pairs(_parse(_path(file), len(_MARKS[0])))
    return {word_of(name): _whole(not_of_readr(from_robject(value)), name) for name, value in objects_by_name}


# Names that a translated script uses itself.
_TAKEN = {"r", "m", "dots", "named", "globals", "locals"}


def word_of(name: str) -> str:
    """Return the Python name of an object of R's ``save``."""
    plain = re.sub(r"\W", "_", name)
    return f"{plain}_" if keyword.iskeyword(plain) or plain in _TAKEN or plain.startswith("__") else plain


@r_function(does="acts", quiet=True)
def save(*dots: Item, file: Text | None = None, deparsed: list[str] | None = None, **named: object) -> Value:
    """Write several objects with their names for R's ``load``."""
    if named.keys() - {"compress", "version", "ascii"} or deparsed is None or len(deparsed) != len(dots):
        raise NotSupportedError("save() with list or of what has no name")
    file = stop_none(file, "'file' must be specified")
    parts = [(name, _object_of(value)) for name, value in zip(deparsed, dots, strict=True)]

    def write(target: Path) -> None:
        build.write(build.pairlist(parts), target)
        target.write_bytes(gzip.compress(_MARKS[1] + gzip.decompress(target.read_bytes()), build.LEVEL, mtime=0))

    _write_to(_path(file), write)
    return invisible()


# ---- tables --------------------------------------------------------------------------------------


@r_function(does="prints", quiet=True)
def write_table(
    x: Value,
    file: Value | str = "",
    append: Flag = False,
    quote: Value | bool = True,
    sep: Text = " ",
    eol: Text = "\n",
    na: Text = "NA",
    dec: Text = ".",
    row_names: Value | bool = True,
    col_names: Value | bool = True,
    qmethod: Text = "escape",
    fileEncoding: Text = "",
) -> Value:
    """Write a table: R's ``write.table``."""
    refuse_if(fileEncoding not in ("", "UTF-8", "utf-8", "utf8"), f"writing in {fileEncoding}")
    table = _Table(x, as_value(quote), '""' if qmethod.startswith("d") else '\\"', na, dec)
    lines = table.lines(sep, as_value(row_names), as_value(col_names))
    content = "".join(f"{line}{eol}" for line in lines)
    where: Value = as_value(file)
    refuse_if(where._kind != "character", "a file that is no path, such as a connection")
    if text(where) == "":
        sys.stdout.write(content)
        return invisible()
    path = _path(text(where))
    if not path.parent.is_dir():
        warn(f"cannot open file '{text(where)}': No such file or directory")
        raise RError("cannot open the connection")
    before = path.read_text(encoding="utf-8") if append and path.is_file() else ""
    write_all({str(path): lambda target: target.write_text(before + content, encoding="utf-8", newline="")})
    return invisible()


def _variant(name: str, marks: str, sep: str, dec: str) -> Callable[..., Value]:
    """Return a function that writes tables with its own separator and decimal mark."""

    @r_function(name, f"Write a table with {marks}: R's ``{name.replace('_', '.')}``.", does="prints", quiet=True)
    def write(
        x: Value,
        file: Value | str = "",
        quote: Value | bool = True,
        eol: Text = "\n",
        na: Text = "NA",
        row_names: Value | bool = True,
        fileEncoding: Text = "",
        **ignored: object,
    ) -> Value:
        for argument in ignored:
            warn(f"attempt to set '{argument}' ignored")
        rows: Value = as_value(row_names)
        heads = True if rows._kind == "logical" and not flag(rows) else NA
        return write_table(x, file, False, quote, sep, eol, na, dec, rows, heads, "double", fileEncoding)

    return write


write_csv = _variant("write_csv", "commas", ",", ".")
write_csv2 = _variant("write_csv2", "semicolons", ";", ",")


class _Table:
    """The cells of a table, formatted as by write.table()."""

    def __init__(self, x: Value, quote: Value, mark: str, na: str, dec: str) -> None:
        self.na, self.dec, self.mark = na, dec, mark
        if is_matrix(x):
            n, p = dim_of(x) or (0, 0)
            self.rows, names = dimnames_of(x)
            self.names = names or [f"V{j + 1}" for j in range(p)]
            self.columns = [Value(x._kind, x._data[j * n : (j + 1) * n]) for j in range(p)]
        else:
            x = x if is_frame(x) else data_frame(x, deparsed=["x"])
            n = row_count(x)
            self.rows, self.names, self.columns = row_names(x), names_of(x) or [], list(x._data)
        self.n = n
        self.all = quote._kind != "logical" or flag(quote)
        if quote._kind == "logical":
            self.quoted = [self.all and (c._kind == "character" or is_factor(c)) for c in self.columns]
        else:
            chosen = {int(v) for v in quote._data}
            self.quoted = [j + 1 in chosen for j in range(len(self.columns))]

    def lines(self, sep: str, rows: Value, columns: Value) -> list[str]:
        labels: list[str] | None
        if rows._kind == "logical":
            own = self.rows or [str(i + 1) for i in range(self.n)]
            labels = [str(label) for label in own] if flag(rows) else None
        else:
            labels = [str(label) for label in coerce(rows, "character")._data]
            stop_if(len(labels) != self.n, "invalid 'row.names' specification")
        head = self._head(columns, labels is not None)
        cells = [self._cells(c, q) for c, q in zip(self.columns, self.quoted, strict=True)]
        if labels is not None:
            cells.insert(0, [self._quote(label) if self.all else label for label in labels])
        return ([sep.join(head)] if head is not None else []) + [sep.join(row) for row in zip(*cells, strict=True)]

    def _head(self, col_names: Value, labelled: bool) -> list[str] | None:
        if col_names._kind != "logical":
            names = [str(name) for name in coerce(col_names, "character")._data]
            stop_if(len(names) != len(self.columns), "invalid 'col.names' specification")
        elif np.isnan(col_names._data[0]):
            stop_if(not labelled, "'col.names = NA' makes no sense when 'row.names = FALSE'")
            names = ["", *map(str, self.names)]
        elif col_names._data[0]:
            names = [str(name) for name in self.names]
        else:
            return None
        return [self._quote(name) if self.all else name for name in names]

    def _quote(self, cell: str) -> str:
        return '"' + cell.replace('"', self.mark) + '"'

    def _cells(self, column: Value, quoted: bool) -> list[str]:
        if dim_of(column) is not None or column._kind not in ("logical", "integer", "double", "character"):
            raise NotSupportedError("writing a table with a column that is no vector")
        plain = not column._attributes.keys() & {"class"} or is_factor(column)
        if not plain:
            column = _as_text(column)
        if column._kind == "double":
            numerals = [self.na if v != v else number_text(v, drop=False) for v in column._data.tolist()]
            return [cell.replace(".", self.dec) for cell in numerals] if self.dec != "." else numerals
        cells = coerce(column, "character")._data
        return [self.na if cell is None else self._quote(cell) if quoted else cell for cell in cells]


def _as_text(x: Value) -> Value:
    """Return dates and other classed columns as text, as R's as.character() does."""
    if inherits(x, "Date"):
        return as_character(x)
    if inherits(x, "AsIs") or inherits(x, "noquote"):
        return Value(x._kind, x._data)
    raise NotSupportedError(f"writing a column of class {x._attributes['class']._data[0]}")


# ---- lines ---------------------------------------------------------------------------------------


@r_function()
def readLines(
    con: Value | None = None,
    n: Whole = -1,
    ok: object = True,
    warn_: Flag = True,
    encoding: object = "unknown",
    skipNul: object = False,
    **named: object,
) -> Value:
    """Return the lines of a file: R's ``readLines``; connections are refused."""
    content = file_text(con)
    whole = content.endswith("\n") or not content
    lines = content.split("\n")
    lines = lines[:-1] if whole else lines
    if not whole and (n < 0 or n >= len(lines)) and flag(named.get("warn", warn_)):
        warn(f"incomplete final line found on '{text(con)}'")
    return strings(lines if n < 0 else lines[:n])


@r_function(does="prints", quiet=True)
def writeLines(text: Value, con: Item = None, sep: Value | str = "\n", useBytes: object = False) -> Value:
    """Write lines into a file or to the output: R's ``writeLines``; connections are refused."""
    stop_if(text._kind != "character", "can only write character objects")
    end = coerce(sep, "character")._data[0]
    content = "".join(f"{'NA' if line is None else line}{end}" for line in text._data)
    if is_null(con):
        sys.stdout.write(content)
    elif isinstance(con, Value):
        with _path(str(one(con, "character"))).open("w", encoding="utf-8", newline="") as opened:
            opened.write(content)
    else:
        raise NotSupportedError("writeLines() into a connection")
    return invisible()


# ---- folders -------------------------------------------------------------------------------------


def _each(*names: object) -> list[Path]:
    return [_path(str(name)) for item in names for name in coerce(item, "character")._data]


@r_function(certain=True)
def file_exists(*dots: Value) -> Value:
    """Return whether files exist: R's ``file.exists``."""
    stop_if(any(argument._kind != "character" for argument in dots), "invalid 'file' argument")
    return logicals([path.exists() for path in _each(*dots)])


@r_function()
def dir_exists(paths: Value) -> Value:
    """Return whether folders exist: R's ``dir.exists``."""
    return logicals([path.is_dir() for path in _each(paths)])


@r_function(does="acts")
def file_remove(*dots: Value) -> Value:
    """Remove files: R's ``file.remove``."""
    done = []
    for path in _each(*dots):
        try:
            path.unlink()
            done.append(True)
        except OSError as error:
            warn(f"cannot remove file '{path}', reason '{error.strerror}'")
            done.append(False)
    return logicals(done)


@r_function(does="acts", quiet=True)
def dir_create(path: Text, showWarnings: Flag = True, recursive: Flag = False, mode: object = "0777") -> Value:
    """Make a folder: R's ``dir.create``."""
    wanted = _path(path)
    try:
        wanted.mkdir(parents=recursive)
    except OSError as error:
        if showWarnings:
            reason = f"'{path}' already exists"
            warn(reason if wanted.is_dir() else f"cannot create dir '{path}', reason '{error.strerror}'")
        return invisible(logicals(False))
    return invisible(logicals(True))


@r_function(does="acts")
def unlink(x: Value, recursive: Flag = False, force: object = False, expand: object = True) -> Value:
    """Remove files, and folders if `recursive`: R's ``unlink``."""
    failed = 0.0
    for pattern in _each(x):
        matches = [pattern] if pattern.exists() else sorted(pattern.parent.glob(pattern.name)) if pattern.name else []
        for path in matches:
            if not path.is_dir() or path.is_symlink():
                path.unlink()
            elif recursive:
                shutil.rmtree(path)
            else:
                failed = 1.0
    return invisible(integers(failed))


@r_function(unsupported="include_dirs no__")
def list_files(
    path: Value | str = ".",
    pattern: Text | None = None,
    all_files: Flag = False,
    full_names: Flag = False,
    recursive: Flag = False,
    ignore_case: Flag = False,
    include_dirs: Flag = False,
    no__: Flag = False,
) -> Value:
    """Return the files of folders, in the order of `set_collate`: R's ``list.files``."""
    names_of_files: list[str] = []
    for folder in coerce(path, "character")._data:
        root = _path(folder)
        if not root.is_dir():
            continue
        everything = (str(p.relative_to(root)) for p in root.rglob("*") if p.is_file())
        names = [*everything] if recursive else os.listdir(root)
        names = [name for name in names if all_files or not any(bit.startswith(".") for bit in name.split("/"))]
        if pattern is not None:
            names = [name for name in names if grepl(pattern, [Path(name).name], ignore_case)[0]]
        names_of_files += [f"{folder}/{name}" if full_names else name for name in names]
    codes = coded_strings(np.array(names_of_files, dtype=object), "list.files()")[0] if names_of_files else np.zeros(0)
    return strings([names_of_files[i] for i in np.argsort(codes, kind="stable")])


@r_function(does="acts")
def file_copy(
    from_: Value,
    to: Text,
    overwrite: Flag = False,
    recursive: object = False,
    copy_mode: object = True,
    copy_date: object = False,
) -> Value:
    """Copy a file: R's ``file.copy``."""
    target, done = _path(to), []
    for source in _each(from_):
        place = target / source.name if target.is_dir() else target
        done.append(source.is_file() and (overwrite or not place.exists()))
        if done[-1]:
            shutil.copyfile(source, place)
    return logicals(done)


@r_function(does="acts")
def file_rename(from_: Value, to: Value) -> Value:
    """Rename files: R's ``file.rename``."""
    done = []
    for source, target in zip(_each(from_), _each(to), strict=True):
        done.append(source.exists())
        if source.exists():
            source.rename(target)
    return logicals(done)


@r_function()
def getwd() -> Value:
    """Return the working folder: R's ``getwd``."""
    return strings(os.getcwd())


@r_function(does="acts", quiet=True)
def setwd(dir: Text) -> Value:
    """Change the working folder: R's ``setwd``."""
    before = getwd()
    try:
        os.chdir(_path(dir))
    except OSError:
        raise RError("cannot change working directory") from None
    return invisible(before)


@r_function(does="acts", quiet=True)
def check_source(file: Text, digest: Text) -> None:
    """Stop if a sourced file has changed since it was translated."""
    try:
        actual = hashlib.sha256(_path(file).read_bytes()).hexdigest()
    except OSError:
        raise RError("cannot open the connection") from None
    refuse_if(not actual.startswith(digest), f"source({file!r}) of another text; translate the script again")


@r_function()
def tempdir(check: object = False) -> Value:
    """Return a folder for temporary files; its name is not R's."""
    return strings(_tempfile.gettempdir())


@r_function()
def tempfile(pattern: Text = "file", tmpdir: Text | None = None, fileext: Text = "") -> Value:
    """Return a name for a temporary file; it is not R's."""
    handle, name = _tempfile.mkstemp(fileext, pattern, _tempfile.gettempdir() if tmpdir is None else tmpdir)
    os.close(handle)
    os.unlink(name)
    return strings(name)
