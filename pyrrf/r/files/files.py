"""Files: R's objects, tables that are written, lines of text, folders."""

from __future__ import annotations

import gzip
import keyword
import os
import re
import shutil
import sys
import tempfile as _tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.files import write_all
from pyrrf.r.base.frames import data_frame
from pyrrf.r.base.types import as_character
from pyrrf.r.files.cells import file_text, unpacked
from pyrrf.r.files.robjects import from_robject, object_of
from pyrrf.r.values.arguments import default_only, flag, number, text
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    inherits,
    is_factor,
    is_frame,
    is_matrix,
    names_of,
    not_of_readr,
    row_count,
    row_names,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, integers, is_null, logicals, strings
from pyrrf.r.values.visibility import invisible
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.patterns import grepl
from pyrrf.rds import build
from pyrrf.rds.parsed import DamagedError, deeply, pairs, parse

_MARKS = (b"RDX2\n", b"RDX3\n")


def _path(x: Any) -> Path:
    return Path(text(x)).expanduser()


# ---- R's objects ---------------------------------------------------------------------------------


@r_function(acts=True, quiet=True)
def saveRDS(
    object: Any, file: Any = "", ascii: Any = False, version: Any = None, compress: Any = True, refhook: Any = None
) -> Value:
    """Write an object for R's ``readRDS``; functions and environments are refused."""
    path = _path(file)
    made = _written(as_value(object))
    _put(path, lambda at: build.write(made, at))
    return invisible()


def _written(x: Any) -> Any:
    try:
        with deeply():
            return object_of(x)
    except (TypeError, ValueError) as error:
        raise NotMovedError(f"writing an object: {error}") from None


def _put(path: Path, write: Any) -> None:
    if not path.parent.is_dir():
        warn(f"cannot open compressed file '{path}', probable reason 'No such file or directory'")
        raise RError("cannot open the connection")
    write_all({str(path): write})


def readRDS(file: Any, refhook: Any = None) -> Any:
    """Read what R's ``saveRDS`` wrote."""
    return not_of_readr(from_robject(_parsed(_path(file))))


def _parsed(path: Path, skipped: int = 0) -> Any:
    try:
        content = path.read_bytes()
    except OSError:
        warn(f"cannot open compressed file '{path}', probable reason 'No such file or directory'")
        raise RError("cannot open the connection") from None
    try:
        if skipped:
            content = unpacked(content)
            if content[:skipped] not in _MARKS:
                raise NotMovedError(f"{path} is not what save() wrote in binary")
        return parse(content[skipped:])
    except DamagedError as error:
        raise NotMovedError(f"{path}: {error}") from None


@r_function(quiet=True)
@default_only("verbose")
def load(file: Any, envir: Any = None, verbose: Any = False) -> dict[str, Any]:
    """Return the objects that R's ``save`` wrote, by the names that they have here."""
    found = pairs(_parsed(_path(file), len(_MARKS[0])))
    return {word_of(name): not_of_readr(from_robject(value)) for name, value in found}


# What a moved script needs itself.
_TAKEN = {"r", "m", "dots", "named", "globals", "locals"}


def word_of(name: str) -> str:
    """Return the name that an object of R's ``save`` has in a moved script."""
    plain = re.sub(r"\W", "_", name)
    return f"{plain}_" if keyword.iskeyword(plain) or plain in _TAKEN or plain.startswith("__") else plain


@r_function(acts=True, quiet=True)
def save(*dots: Any, file: Any = None, deparsed: list[str] | None = None, **named: Any) -> Value:
    """Write several objects with their names for R's ``load``."""
    if named.keys() - {"compress", "version", "ascii"} or deparsed is None or len(deparsed) != len(dots):
        raise NotMovedError("save() with list or of what has no name")
    if file is None:
        raise RError("'file' must be specified")
    parts = [(name, _written(as_value(value))) for name, value in zip(deparsed, dots, strict=True)]

    def write(at: Path) -> None:
        build.write(build.pairlist(parts), at)
        at.write_bytes(gzip.compress(_MARKS[1] + gzip.decompress(at.read_bytes()), 6, mtime=0))

    _put(_path(file), write)
    return invisible()


# ---- tables --------------------------------------------------------------------------------------


@r_function(prints=True, quiet=True)
def write_table(
    x: Any,
    file: Any = "",
    append: Any = False,
    quote: Any = True,
    sep: Any = " ",
    eol: Any = "\n",
    na: Any = "NA",
    dec: Any = ".",
    row_names: Any = True,
    col_names: Any = True,
    qmethod: Any = "escape",
    fileEncoding: Any = "",
) -> Value:
    """Write a table: R's ``write.table``."""
    if text(fileEncoding) not in ("", "UTF-8", "utf-8", "utf8"):
        raise NotMovedError(f"writing in {text(fileEncoding)}")
    table = _Table(as_value(x), quote, "double" if text(qmethod).startswith("d") else "escape", text(na), text(dec))
    lines = table.lines(text(sep), row_names, col_names)
    content = "".join(f"{line}{text(eol)}" for line in lines)
    where = as_value(file)
    if where._kind != "character":
        raise NotMovedError("a file that is no path, such as a connection")
    if text(where) == "":
        sys.stdout.write(content)
        return invisible()
    path = _path(where)
    if not path.parent.is_dir():
        warn(f"cannot open file '{text(where)}': No such file or directory")
        raise RError("cannot open the connection")
    before = path.read_text(encoding="utf-8") if flag(append) and path.is_file() else ""
    write_all({str(path): lambda at: at.write_text(before + content, encoding="utf-8", newline="")})
    return invisible()


@r_function(prints=True, quiet=True)
def write_csv(
    x: Any, file: Any = "", quote: Any = True, eol: Any = "\n", na: Any = "NA", row_names: Any = True,
    fileEncoding: Any = "", **ignored: Any,
) -> Value:  # fmt: skip
    """Write a table with commas: R's ``write.csv``."""
    return _write_commas(x, file, quote, eol, na, row_names, fileEncoding, ignored, ",", ".")


@r_function(prints=True, quiet=True)
def write_csv2(
    x: Any, file: Any = "", quote: Any = True, eol: Any = "\n", na: Any = "NA", row_names: Any = True,
    fileEncoding: Any = "", **ignored: Any,
) -> Value:  # fmt: skip
    """Write a table with semicolons: R's ``write.csv2``."""
    return _write_commas(x, file, quote, eol, na, row_names, fileEncoding, ignored, ";", ",")


def _write_commas(
    x: Any,
    file: Any,
    quote: Any,
    eol: Any,
    na: Any,
    rows: Any,
    encoding: Any,
    ignored: dict[str, Any],
    sep: str,
    dec: str,
) -> Value:
    for name in ignored:
        warn(f"attempt to set '{name}' ignored")
    given = as_value(rows)
    bare = given._kind == "logical" and not flag(given)
    return write_table(
        x, file, False, quote, sep, eol, na, dec, rows, True if bare else logicals(np.nan), "double", encoding
    )


class _Table:
    """The cells of a table as R writes them."""

    def __init__(self, x: Value, quote: Any, method: str, na: str, dec: str) -> None:
        self.na, self.dec = na, dec
        self.mark = '""' if method == "double" else '\\"'
        if is_matrix(x):
            n, p = dim_of(x) or (0, 0)
            self.rows, names = dimnames_of(x)
            self.names = names or [f"V{j + 1}" for j in range(p)]
            self.columns = [Value(x._kind, x._data[j * n : (j + 1) * n]) for j in range(p)]
        else:
            x = x if is_frame(x) else _as_frame(x)
            n = row_count(x)
            self.rows, self.names, self.columns = row_names(x), names_of(x) or [], list(x._data)
        self.n = n
        given = as_value(quote)
        self.all = given._kind != "logical" or flag(given)
        text_like = [c._kind == "character" or is_factor(c) for c in self.columns]
        if given._kind == "logical":
            self.quoted = text_like if flag(given) else [False] * len(self.columns)
        else:
            chosen = {int(v) for v in given._data}
            self.quoted = [j + 1 in chosen for j in range(len(self.columns))]

    def lines(self, sep: str, rows: Any, columns: Any) -> list[str]:
        given = as_value(rows)
        labels: list[str] | None
        if given._kind == "logical":
            own = self.rows or [str(i + 1) for i in range(self.n)]
            labels = [str(label) for label in own] if flag(given) else None
        else:
            labels = [str(label) for label in coerced(given, "character")._data]
            if len(labels) != self.n:
                raise RError("invalid 'row.names' specification")
        head = self._head(as_value(columns), labels is not None)
        cells = [self._cells(c, q) for c, q in zip(self.columns, self.quoted, strict=True)]
        if labels is not None:
            cells.insert(0, [self._quote(label) if self.all else label for label in labels])
        return ([sep.join(head)] if head is not None else []) + [sep.join(row) for row in zip(*cells, strict=True)]

    def _head(self, given: Value, labelled: bool) -> list[str] | None:
        if given._kind != "logical":
            names = [str(name) for name in coerced(given, "character")._data]
            if len(names) != len(self.columns):
                raise RError("invalid 'col.names' specification")
        elif np.isnan(given._data[0]):
            if not labelled:
                raise RError("'col.names = NA' makes no sense when 'row.names = FALSE'")
            names = ["", *map(str, self.names)]
        elif given._data[0]:
            names = [str(name) for name in self.names]
        else:
            return None
        return [self._quote(name) if self.all else name for name in names]

    def _quote(self, cell: str) -> str:
        return '"' + cell.replace('"', self.mark) + '"'

    def _cells(self, column: Value, quoted: bool) -> list[str]:
        if dim_of(column) is not None or column._kind not in ("logical", "integer", "double", "character"):
            raise NotMovedError("writing a table with a column that is no vector")
        plain = not column._attributes.keys() & {"class"} or is_factor(column)
        if not plain:
            column = _as_text(column)
        if column._kind == "double":
            found = [self.na if v != v else number_text(v, drop=False) for v in column._data.tolist()]
            return [cell.replace(".", self.dec) for cell in found] if self.dec != "." else found
        cells = coerced(column, "character")._data
        return [self.na if cell is None else self._quote(cell) if quoted else cell for cell in cells]


def _as_text(x: Value) -> Value:
    """Return dates and the like as R's as.character() does."""
    if inherits(x, "Date"):
        return as_character(x)
    if inherits(x, "AsIs") or inherits(x, "noquote"):
        return Value(x._kind, x._data)
    raise NotMovedError(f"writing a column of class {x._attributes['class']._data[0]}")


def _as_frame(x: Value) -> Value:
    return data_frame(x, deparsed=["x"])


# ---- lines ---------------------------------------------------------------------------------------


def readLines(
    con: Any = None,
    n: Any = -1,
    ok: Any = True,
    warn_: Any = True,
    encoding: Any = "unknown",
    skipNul: Any = False,
    **named: Any,
) -> Value:
    """Return the lines of a file: R's ``readLines``; connections are refused."""
    content = file_text(as_value(con))
    whole = content.endswith("\n") or not content
    lines = content.split("\n")
    lines = lines[:-1] if whole else lines
    most = int(number(n))
    if not whole and (most < 0 or most >= len(lines)) and flag(named.get("warn", warn_)):
        warn(f"incomplete final line found on '{text(con)}'")
    return strings(lines if most < 0 else lines[:most])


@r_function(prints=True, quiet=True)
def writeLines(text: Any, con: Any = None, sep: Any = "\n", useBytes: Any = False) -> Value:
    """Write lines into a file or to the output: R's ``writeLines``; connections are refused."""
    lines = as_value(text)
    if lines._kind != "character":
        raise RError("can only write character objects")
    end = coerced(sep, "character")._data[0]
    content = "".join(f"{'NA' if line is None else line}{end}" for line in lines._data)
    if is_null(con):
        sys.stdout.write(content)
    elif isinstance(con, Value | str):
        with _path(con).open("w", encoding="utf-8", newline="") as opened:
            opened.write(content)
    else:
        raise NotMovedError("writeLines() into a connection")
    return invisible()


# ---- folders -------------------------------------------------------------------------------------


def _each(paths: tuple[Any, ...]) -> list[Path]:
    return [Path(str(name)).expanduser() for item in paths for name in coerced(item, "character")._data]


def file_exists(*dots: Any) -> Value:
    """Return whether files exist: R's ``file.exists``."""
    return logicals([path.exists() for path in _each(dots)])


def dir_exists(paths: Any) -> Value:
    """Return whether folders exist: R's ``dir.exists``."""
    return logicals([path.is_dir() for path in _each((paths,))])


@r_function(acts=True)
def file_remove(*dots: Any) -> Value:
    """Remove files: R's ``file.remove``."""
    done = []
    for path in _each(dots):
        try:
            path.unlink()
            done.append(True)
        except OSError as error:
            warn(f"cannot remove file '{path}', reason '{error.strerror}'")
            done.append(False)
    return logicals(done)


@r_function(acts=True, quiet=True)
def dir_create(path: Any, showWarnings: Any = True, recursive: Any = False, mode: Any = "0777") -> Value:
    """Make a folder: R's ``dir.create``."""
    wanted = _path(path)
    try:
        wanted.mkdir(parents=flag(recursive))
    except OSError as error:
        if flag(showWarnings):
            reason = f"'{text(path)}' already exists"
            warn(reason if wanted.is_dir() else f"cannot create dir '{text(path)}', reason '{error.strerror}'")
        return invisible(logicals(False))
    return invisible(logicals(True))


@r_function(acts=True)
def unlink(x: Any, recursive: Any = False, force: Any = False, expand: Any = True) -> Value:
    """Remove files, and folders if it is asked: R's ``unlink``."""
    failed = 0.0
    for pattern in _each((x,)):
        found = [pattern] if pattern.exists() else sorted(pattern.parent.glob(pattern.name)) if pattern.name else []
        for path in found:
            if path.is_dir() and not path.is_symlink():
                if flag(recursive):
                    shutil.rmtree(path)
                else:
                    failed = 1.0
            else:
                path.unlink()
    return invisible(integers(failed))


@default_only("include_dirs", "no__")
def list_files(
    path: Any = ".",
    pattern: Any = None,
    all_files: Any = False,
    full_names: Any = False,
    recursive: Any = False,
    ignore_case: Any = False,
    include_dirs: Any = False,
    no__: Any = False,
) -> Value:
    """Return the files of folders, in the order of `set_collate`: R's ``list.files``."""
    found: list[str] = []
    for folder in coerced(path, "character")._data:
        root = Path(folder).expanduser()
        if not root.is_dir():
            continue
        if flag(recursive):
            names = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()]
        else:
            names = os.listdir(root)
        names = [name for name in names if flag(all_files) or not any(bit.startswith(".") for bit in name.split("/"))]
        if not is_null(pattern):
            names = [name for name in names if _matches(text(pattern), Path(name).name, flag(ignore_case))]
        found += [f"{folder}/{name}" if flag(full_names) else name for name in names]
    if not found:
        return strings([])
    codes = np.asarray(coded_strings(np.array(found, dtype=object), "list.files()")[0])
    return strings([found[i] for i in np.argsort(codes, kind="stable")])


def _matches(pattern: str, name: str, ignore_case: bool) -> bool:
    return bool(np.asarray(grepl(pattern, [name], ignore_case=ignore_case))[0])


@r_function(acts=True)
def file_copy(
    from_: Any, to: Any, overwrite: Any = False, recursive: Any = False, copy_mode: Any = True, copy_date: Any = False
) -> Value:
    """Copy a file: R's ``file.copy``."""
    sources, target = _each((from_,)), _path(to)
    done = []
    for source in sources:
        place = target / source.name if target.is_dir() else target
        if not source.is_file() or (place.exists() and not flag(overwrite)):
            done.append(False)
            continue
        shutil.copyfile(source, place)
        done.append(True)
    return logicals(done)


@r_function(acts=True)
def file_rename(from_: Any, to: Any) -> Value:
    """Rename files: R's ``file.rename``."""
    done = []
    for source, target in zip(_each((from_,)), _each((to,)), strict=True):
        done.append(source.exists())
        if source.exists():
            source.rename(target)
    return logicals(done)


def getwd() -> Value:
    """Return the working folder: R's ``getwd``."""
    return strings(os.getcwd())


@r_function(acts=True, quiet=True)
def setwd(dir: Any) -> Value:
    """Change the working folder: R's ``setwd``."""
    before = getwd()
    try:
        os.chdir(_path(dir))
    except OSError:
        raise RError("cannot change working directory") from None
    return invisible(before)


def tempdir(check: Any = False) -> Value:
    """Return a folder for temporary files; its name is not R's."""
    return strings(_tempfile.gettempdir())


def tempfile(pattern: Any = "file", tmpdir: Any = None, fileext: Any = "") -> Value:
    """Return a name for a temporary file; it is not R's."""
    folder = _tempfile.gettempdir() if is_null(tmpdir) else text(tmpdir)
    handle, name = _tempfile.mkstemp(text(fileext), text(pattern), folder)
    os.close(handle)
    os.unlink(name)
    return strings(name)
