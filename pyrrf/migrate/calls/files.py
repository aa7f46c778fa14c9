"""Data: those of R, and files that are read and written."""

from __future__ import annotations

import ast
import warnings
from dataclasses import replace

import pandas as pd

from pyrrf import datasets
from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, done_by, is_true, number_of, text_of, value_of
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.tree import Constant, Name, Node
from pyrrf.migrate.types import Type, scalar_of
from pyrrf.r.reading import read_csv

# How read.csv() and its like differ in R.
_SEPARATORS = {"read.csv": ",", "read.csv2": ";", "read.delim": "\t"}
_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "O": "str"}


@done_by("data")
def _data(ctx: Context, args: Args) -> None:
    """Load data sets of R that are here."""
    for arg in args.given:
        if arg.name == "package":
            continue
        name = arg.value.name if isinstance(arg.value, Name) else text_of(arg.value)
        if arg.name is not None or name is None or not is_dataset(name):
            raise UnmovedError(f"the data set {name} is not here; write.csv() it in R, and read.csv() it in the script")
        load(ctx, name)


def is_dataset(name: str) -> bool:
    """Whether data of R are here."""
    return f"load_{name}" in datasets.__all__


def load(ctx: Context, name: str) -> None:
    """Write the line that loads data of R."""
    ctx.set(name, py.call(f"datasets.load_{name}"))
    ctx.assign(name, dataset_type(ctx, name))


def dataset_type(ctx: Context, name: str) -> Type:
    """Return the type of data of R."""
    return _known(getattr(datasets, f"load_{name}")(), Type("frame", rows=ctx.fresh_rows(), full=True, missing=True))


def _known(table: pd.DataFrame, type_: Type) -> Type:
    """Return the kinds of the columns of a table that is at hand."""
    parts = []
    for column in table.columns:
        gaps = bool(table[column].isna().any())
        factor = isinstance(table[column].dtype, pd.CategoricalDtype)
        plain = pd.api.types.is_string_dtype(table[column].dtype)
        elem = "str" if factor or plain else _KINDS.get(table[column].dtype.kind, "unknown")
        kind = "factor" if factor else "vector"
        parts.append((str(column), Type(kind, elem, full=len(table) > 0, missing=gaps)))
    missing = any(part.missing for _, part in parts)
    counted = isinstance(table.index, pd.RangeIndex)
    return replace(type_, parts=tuple(parts), missing=missing, full=len(table) > 0, counted=counted)


@value_of("read.csv", "read.csv2", "read.table", "read.delim")
def _read(ctx: Context, args: Args) -> Value:
    bound = args.bound("file", "header", "sep", "stringsAsFactors", "na.strings", "row.names", "check.names", "quote")
    if "quote" in bound and text_of(bound["quote"]) != '"':
        raise UnmovedError(f"{args.name}() with other quotes")
    options: dict[str, ast.expr] = {}
    separator = text_of(bound.get("sep")) if "sep" in bound else _SEPARATORS.get(args.name)
    if separator in (None, "", " ") or args.name == "read.csv2":
        raise UnmovedError(f"{args.name}() with this separator; read.csv() and read.delim() are moved")
    if separator != ",":
        options["sep"] = py.constant(separator)
    if not is_true(bound.get("header"), args.name != "read.table"):
        options["header"] = py.constant(False)
    for name in ("stringsAsFactors", "check.names"):
        if name in bound and is_true(bound[name], False) != (name == "check.names"):
            options[py.keyword_name(name)] = py.constant(name == "stringsAsFactors")
    if "na.strings" in bound:
        options["na_strings"] = py.unwrapped(ctx.value(bound["na.strings"]).py)
    if "row.names" in bound and not (isinstance(bound["row.names"], Constant) and bound["row.names"].name == "NULL"):
        if number_of(bound["row.names"]) is None and text_of(bound["row.names"]) is None:
            raise UnmovedError(f"{args.name}() with names of rows that are computed")
        options["row_names"] = ctx.value(bound["row.names"]).py
    tree = py.call("r.read_csv", ctx.value(bound["file"]).py, **options)
    type_ = Type("frame", rows=ctx.fresh_rows(), counted="row_names" not in options, full=True, missing=True)
    return Value(tree, _seen(ctx, bound["file"], type_, options))


def _seen(ctx: Context, node: Node, type_: Type, options: dict[str, ast.expr]) -> Type:
    """Return the kinds of the columns, where the file is at hand."""
    name = text_of(node)
    file = ctx.folder / name if ctx.folder is not None and name else None
    if file is None or not file.is_file():
        return type_
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = read_csv(file, **{key: ast.literal_eval(tree) for key, tree in options.items()})
    except (OSError, ValueError):
        return type_
    return _known(table, type_)


_WRITTEN = ("x", "file", "row.names", "quote", "na", "sep", "col.names")


@done_by("write.csv", "write.table")
def _write(ctx: Context, args: Args) -> None:
    bound = args.bound(*(_WRITTEN if args.name == "write.table" else _WRITTEN[:5]))
    found = ctx.value(bound["x"])
    if found.type.kind not in ("frame", "matrix", "vector", "factor"):
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    options = {py.keyword_name(n): ctx.value(bound[n]).py for n in ("sep", "quote", "na") if n in bound}
    for name in ("row.names", "col.names"):
        node = bound.get(name)
        if name == "col.names" and isinstance(node, Constant) and node.name == "NA":
            options["corner"] = py.constant(True)
        elif not is_true(node, True):
            options[py.keyword_name(name)] = py.constant(False)
    file = [ctx.value(bound["file"]).py] if "file" in bound else []
    ctx.emit(py.call(f"r.{py.python_name(args.name)}", found.py, *file, **options))


@done_by("saveRDS")
def _save(ctx: Context, args: Args) -> None:
    bound = args.bound("object", "file")
    found = ctx.value(bound["object"])
    if found.type.kind not in ("fit", "frame") or text_of(bound["file"]) is None:
        raise UnmovedError(f"saveRDS() of a {found.type.kind}; forests and data frames are written")
    ctx.files[str(text_of(bound["file"]))] = found.type
    ctx.emit(py.call("pyrrf.write_rds", found.py, ctx.value(bound["file"]).py))


@value_of("readRDS")
def _load(ctx: Context, args: Args) -> Value:
    bound = args.bound("file")
    known = ctx.files.get(str(text_of(bound["file"])))
    if known is None:
        raise UnmovedError("readRDS() of a file that this script has not written; pyrrf.read_rds() reads it")
    return Value(py.call("pyrrf.read_rds", ctx.value(bound["file"]).py), replace(known, rows=ctx.fresh_rows()))


@done_by("setwd")
def _enter(ctx: Context, args: Args) -> None:
    ctx.emit(py.call("os.chdir", args.one().py))


@value_of("getwd")
def _where(ctx: Context, args: Args) -> Value:
    return Value(py.call("os.getcwd"), Type("scalar", "str", full=True))


@value_of("file.exists")
def _exists(ctx: Context, args: Args) -> Value:
    found = args.one()
    if not (found.type.single and isinstance(found.py, ast.Constant | ast.Name | ast.Call)):
        raise UnmovedError("file.exists() of several files")
    return Value(py.call("os.path.exists", found.py), replace(scalar_of(found.type), elem="bool"))
