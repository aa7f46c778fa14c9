"""Data frames: made of columns, matrices, lists and tables, and cleared of missing values."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.factors import factor
from pyrrf.r.base.sets import unique
from pyrrf.r.base.types import as_character
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import ALL, made_unique, of_rows, taken
from pyrrf.r.values.arguments import UNKNOWN_CODE, Named, arguments, codes, flag
from pyrrf.r.values.coercion import bare, cells_of, code_of, coerce, without, without_spec
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function
from pyrrf.r.values.kinds import classes, inherits, is_frame, is_list, is_missing, is_null
from pyrrf.r.values.labels import (
    counted_rows,
    dim_of,
    dimnames_of,
    is_matrix,
    known_names,
    names_of,
    names_part,
    row_count,
)
from pyrrf.r.values.labels import row_names as labels_of_rows
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, list_of, logicals, null, objects, strings
from pyrrf.rlang.deparse import RESERVED, deparse
from pyrrf.rlang.tree import parse

# ---- names ---------------------------------------------------------------------------------------


@r_function(unsupported="allow_")
def make_names(names: Value, unique: Flag = False, allow_: Flag = True) -> Value:
    """Return names that R takes without quotes: other characters than letters, digits, `.` and `_` become dots."""
    old = builtins.list(as_character(names)._data)
    return strings(made_names(old) if unique else map(_name, old))


def made_names(old: Sequence[str | None]) -> list[str]:
    """Return unique names that R reads without quotes (R's ``make.names`` with ``unique = TRUE``)."""
    names = builtins.list(map(_name, old))
    # Names that were good already keep their form; the changed ones get numbers.
    places = sorted(range(len(names)), key=lambda i: names[i] != old[i])
    out = [""] * len(names)
    for place, name in zip(places, made_unique([names[i] for i in places]), strict=True):
        out[place] = name
    return out


def _name(name: str | None) -> str:
    text = "NA." if name is None else str(name)
    made = re.sub(r"[^\w.]", ".", text)
    if not re.match(r"[^\W\d_]|\.(?!\d)", text):
        made = f"X{made}"
    return f"{made}." if made in RESERVED else made


@r_function()
def make_unique(names: Value, sep: Text = ".") -> Value:
    """Return unique names."""
    stop_if(names._kind != "character", "'names' must be a character vector")
    return strings(made_unique(builtins.list(names._data), sep))


# ---- data.frame ----------------------------------------------------------------------------------


def make_frame(columns: Iterable[Item], names: Iterable[str | None], rows: Value) -> Value:
    """Return a data frame of columns of one length."""
    about = {"names": strings(names), "class": strings("data.frame"), "row.names": rows}
    return Value("list", objects(columns), about)


def row_ids(n: int) -> Value:
    """Return the numbers of rows as row names."""
    return integers(np.arange(1, n + 1))


@dataclass
class _Part:
    """Columns of an argument of data.frame(), their names (None where it has none), and row names."""

    columns: builtins.list[Value]
    names: builtins.list[str] | None
    rows: Value
    own_rows: bool


@r_function(in_order=True, unsupported="check_rows", dots_in_order=True, labels_code=True)
def data_frame(
    *dots: object,
    row_names: object = None,
    check_rows: Flag = False,
    check_names: Flag = True,
    fix_empty_names: Flag = True,
    stringsAsFactors: Flag = False,
    deparsed: Sequence[str] | None = None,
    **named: object,
) -> Value:
    """Return a data frame of columns, matrices, lists and data frames; shorter ones are repeated."""
    given = arguments(dots, named)
    texts = iter(codes(deparsed, dots))
    parts = [_part(item, stringsAsFactors) for _, item in given]
    names: builtins.list[str] = []
    for (name, item), block in zip(given, parts, strict=True):
        names += _names(name, item, block, None if name else next(texts, None), fix_empty_names)
    sizes = [len(block.rows) for block in parts]
    n = max(sizes, default=0)
    if any(size != n and (not size or n % size) for size in sizes):
        raise RError(f"arguments imply differing number of rows: {', '.join(map(str, dict.fromkeys(sizes)))}")
    columns = [_repeat(column, len(block.rows), n) for block in parts for column in block.columns]
    if fix_empty_names:
        names = [name or f"Var.{i + 1}" for i, name in enumerate(names)]
    if check_names:
        names = made_names(names)
    if row_names is not None:
        return _with_row_names(columns, names, n, as_value(row_names))
    rows = _found_rows(parts)
    if rows is not None and len(rows) != n:
        warn("row names were found from a short variable and have been discarded")
        rows = None
    return make_frame(columns, names, row_ids(n) if rows is None else rows)


# Classes for which as.data.frame() has methods.
_FRAMED = (
    "AsIs", "data.frame", "Date", "difftime", "factor", "noquote", "POSIXct", "table", "list", "matrix", "array",
    "numeric", "integer", "character", "logical",
)  # fmt: skip


def _part(item: Item, factors: bool) -> _Part:
    """Return the columns that as.data.frame() makes of an argument of data.frame()."""
    if not isinstance(item, Value) or item._kind == "opaque":
        raise RError('cannot coerce class \u2018"function"\u2019 to a data.frame')
    if classes(item) and not inherits(item, *_FRAMED):
        raise RError(f"cannot coerce class \u2018{code_of(strings(classes(item)))}\u2019 to a data.frame")
    whole = inherits(item, "AsIs")
    shape = dim_of(item)
    if inherits(item, "table"):
        item = _of_table(item)
    elif is_null(item) or (is_list(item) and shape is None and not whole):
        item = _of_list(item, factors, False)
    if is_frame(item):
        return _Part(_columns(item), known_names(item), item._attributes["row.names"], not counted_rows(item))
    if len(shape or ()) > 1 and not whole:
        return _of_matrix(item, factors)
    labels = names_of(item)
    if labels is not None and None in labels:
        refuse_if(len(labels) == 1, "data.frame() of one value whose name is missing")
        raise RError("row names contain missing values")
    own = bool(labels) and len(set(labels or [])) == len(labels or [])
    column = _as_factor(without(item, "names", *(() if whole else ("dim", "dimnames"))), factors)
    n = shape[0] if whole and shape else len(item)
    return _Part([column], None, strings(labels or []) if own else row_ids(n), own)


def _columns(x: Value) -> builtins.list[Value]:
    """Return the columns of a data frame as as.data.frame() has them: those of a tibble lose their names."""
    if not inherits(x, "tbl_df"):
        return [*x._data]
    return [column if is_list(column) and not classes(column) else without(column, "names") for column in x._data]


def _as_factor(column: Value, wanted: bool) -> Value:
    plain = column._kind == "character" and "class" not in column._attributes
    return factor(column) if wanted and plain else column


def _of_matrix(x: Value, factors: bool) -> _Part:
    refuse_if(len(dim_of(x) or ()) != 2, "a data frame of an array of more than two dimensions")
    refuse_if(is_list(x), "a data frame of a matrix of lists")
    grid = cells_of(x)
    rows, labels = dimnames_of(x)
    refuse_if(rows is not None and None in rows, "a data frame of a matrix with a missing name of a row")
    rows = None if rows is None else made_unique(rows)
    refuse_if(labels is not None and None in labels, "a data frame of a matrix with a missing name of a column")
    columns = [_as_factor(Value(x._kind, column.copy()), factors) for column in grid.T]
    names = None if labels is None else [str(name) or f"V{j + 1}" for j, name in enumerate(labels)]
    return _Part(columns, names, row_ids(len(grid)) if rows is None else strings(rows), rows is not None)


def _names(name: str, item: Item, block: _Part, text: str | None, fix: bool) -> builtins.list[str]:
    p = len(block.columns)
    if p > 1:
        own = block.names or [str(j + 1) for j in range(p)]
        return [f"{name}.{label}" for label in own] if name else own
    if block.names is not None:
        return block.names
    if not name and fix and p:
        return [_code_label(text, item)]
    return [name] * p


def _code_label(text: str | None, item: Item) -> str:
    """Return the code of an argument as R names a column by it; of a call without code that of the value."""
    if text is None:
        text = code_of(item)
    else:
        try:
            text = deparse(parse(text)) if text else ""
        except (ValueError, SyntaxError):
            text = ""
    refuse_if(not text or len(text) > 55 or text == UNKNOWN_CODE, "a column named by an expression; give it a name")
    if re.fullmatch(r"`.*`", text):
        text = text[1:-1]
    return text[2:-1] if text.startswith("I(") and text.endswith(")") else text


def _found_rows(parts: Iterable[_Part]) -> Value | None:
    """Return the row names of the first part that has some."""
    for block in parts:
        if block.own_rows and any(label != "" for label in block.rows._data):
            if len(set(block.rows._data)) == len(block.rows):
                return block.rows
            warn("some row.names duplicated: --> row.names NOT used")
    return None


def _repeat(column: Item, size: int, n: int) -> Item:
    if size == n:
        return column.copy() if isinstance(column, Value) else column
    plain = without(column, "names")
    if plain._attributes and not inherits(column, "Date", "POSIXct", "factor"):
        raise RError(f"arguments imply differing number of rows: {n}, {size}")
    return Value(column._kind, column._data[np.arange(n) % size], plain._attributes)


def _with_row_names(columns: Sequence[Value], names: Sequence[str], n: int, given: Value) -> Value:
    """Return a data frame with the row names that are given, or those that one of the columns has."""
    if is_null(given):
        return make_frame(columns, names, row_ids(n))
    if len(given) == 1 and n != 1:
        if given._kind == "character":
            j = names.index(given._data[0]) if given._data[0] in names else -1
        else:
            j = int(coerce(given, "double")._data[0]) - 1
        stop_if(not 0 <= j < len(columns), "'row.names' should specify one of the variables")
        given, columns, names = columns[j], [*columns[:j], *columns[j + 1 :]], [*names[:j], *names[j + 1 :]]
    elif len(given) != n and columns:
        raise RError("row names supplied are of the wrong length")
    numbered = given._kind == "integer" and "class" not in given._attributes
    rows = bare(given if numbered else coerce(given, "character"))
    stop_if(bool(is_missing(rows).any()), "row names contain missing values")
    if len(set(rows._data)) != len(rows):
        twice = [str(label) for i, label in enumerate(rows._data) if label in rows._data[:i]]
        raise RError(f"duplicate row.names: {', '.join(dict.fromkeys(twice))}")
    return make_frame(columns, names, rows)


# ---- as.data.frame -------------------------------------------------------------------------------


@r_function()
def as_data_frame(
    *dots: object,
    row_names: object = None,
    optional: Flag = False,
    responseName: Text = "Freq",
    stringsAsFactors: object = None,
    col_names: object = None,
    deparsed: Sequence[str] | None = None,
    **named: object,
) -> Value:
    """Return a matrix, a table, a list or a vector as a data frame."""
    given = arguments(dots, named)
    refuse_if(len(given) != 1 or given[0][0] not in ("", "x") or optional, "as.data.frame() with these arguments")
    [(name, x)] = given
    factors = stringsAsFactors is not None and flag(stringsAsFactors)
    two = len(dim_of(x) or ()) == 2
    if is_frame(x):
        frame = without(without_spec(x), "groups")
        frame = Value("list", objects(_columns(frame)), frame._attributes | {"class": strings("data.frame")})
    elif inherits(x, "table"):
        frame = _of_table(x, responseName, stringsAsFactors is None or factors)
    elif is_null(x) or (is_list(x) and not two):
        stop_if("class" in x._attributes, "cannot coerce an object of this class to a data.frame")
        if col_names is not None:
            x = Value("list", x._data, {"names": coerce(col_names, "character")})
        return _of_list(x, factors, True, row_names)
    elif two:
        frame = _matrix_columns(_of_matrix(x, factors))
    else:
        text = (deparsed or [""])[0] if not name else ""
        refuse_if(not text, "as.data.frame() of a vector without a name; data.frame() gives it one")
        block = _part(x, factors)
        frame = make_frame(block.columns, [_code_label(text, x)], block.rows if len(x) else strings([]))
    if is_null(row_names):
        return frame
    return _with_row_names([*frame._data], known_names(frame), row_count(frame), as_value(row_names))


@r_function()
def as_data_frame_matrix(x: Value) -> Value:
    """Return a matrix, or a table of two dimensions, as a data frame with the same cells."""
    return _matrix_columns(_of_matrix(x, False))


def _matrix_columns(block: _Part) -> Value:
    """Return the columns of a matrix, V1, V2, ... where they have no names; without columns there are no names."""
    frame = make_frame(block.columns, block.names or [f"V{j + 1}" for j in range(len(block.columns))], block.rows)
    return frame if block.columns or block.names else without(frame, "names")


def _of_list(x: Value, factors: bool, check: bool, row_names: object = None) -> Value:
    """Return a data frame of the items of a list."""
    labels = ["NA" if name is None else name for name in names_of(x) or [""] * len(x)]
    if not {"row.names", "check.rows", "check.names", "fix.empty.names", "stringsAsFactors"}.isdisjoint(labels):
        raise NotSupportedError("a data frame of a list with names of arguments of data.frame()")
    dots = [Named(label, item) if label else item for label, item in zip(labels, x._data, strict=True)]
    return data_frame(*dots, row_names=row_names, check_names=check, stringsAsFactors=factors)


def _of_table(x: Value, response: str = "Freq", factors: bool = True) -> Value:
    """Return the cells of a table, each with its labels, as a data frame."""
    old = x._attributes.get("dimnames")
    if old is None or any(map(is_null, old._data)):
        raise NotSupportedError("as.data.frame() of a table without labels")
    given = list_of(map(bare, old._data), [name or "" for name in names_of(old) or [""] * len(old)])
    grid = expand_grid(given, KEEP_OUT_ATTRS=False, stringsAsFactors=factors)
    return make_frame([*grid._data, bare(x)], made_names([*(names_of(grid) or []), response]), row_ids(len(x)))


@r_function(in_order=True, dots_in_order=True)
def expand_grid(*dots: object, KEEP_OUT_ATTRS: Flag = True, stringsAsFactors: Flag = True, **named: object) -> Value:
    """Return all combinations of items, the first varying fastest."""
    parts = arguments(dots, named)
    if len(parts) == 1 and is_list(parts[0][1]):
        [(_, given)] = parts
        labels = names_of(given) or [""] * len(given)
        parts = [(str(name), item) for name, item in zip(labels, given._data, strict=True)]
    if any(is_frame(item) or dim_of(item) is not None for _, item in parts):
        raise NotSupportedError("expand.grid() of a data frame together with others, or of a matrix")
    names = [name or f"Var{k + 1}" for k, (name, _) in enumerate(parts)]
    sizes = [len(item) for _, item in parts]
    total, before = int(np.prod(sizes)) if parts else 0, 1
    columns = []
    for (_, item), size in zip(parts, sizes, strict=True):
        index = np.zeros(0, dtype=np.int64)
        if total:
            index = np.tile(np.repeat(np.arange(size), before), total // (before * size))
        before *= size
        if total and stringsAsFactors and item._kind == "character":
            item = factor(bare(item), levels=unique(bare(item)))
        columns.append(of_rows(without(item, "dim", "dimnames"), index))
    grid = make_frame(columns, names, row_ids(total))
    if KEEP_OUT_ATTRS and parts:
        about = {"names": grid._attributes["names"], "out.attrs": _out_attributes(names, sizes, parts)}
        return Value("list", grid._data, about | grid._attributes)
    return grid


def _out_attributes(names: Sequence[str], sizes: Sequence[int], parts: Sequence[tuple[str, Value]]) -> Value:
    shown = []
    for name, (_, item) in zip(names, parts, strict=True):
        plain = without(item, "names", "dim", "dimnames")
        numbers = item._kind in NUMBERS[1:] and not inherits(item, "factor", "difftime")
        texts = (formatted(plain) if numbers else coerce(plain, "character"))._data
        refuse_if(numbers and inherits(item, "AsIs"), "out.attrs of expand.grid() for I(); pass KEEP.OUT.ATTRS = FALSE")
        shown.append(strings([f"{name}={'NA' if text is None else text}" for text in texts]))
    given = [name for name, _ in parts]
    # R writes none where there are no rows.
    dims = Value("list", objects(shown if all(sizes) else [null()] * len(shown)), {"names": strings(names)})
    return list_of([integers(sizes, names_part(given if any(given) else None)), dims], ["dim", "dimnames"])


@r_function(classes="any formula")
def I(x: Value) -> Value:  # noqa: E743
    """Return a value that data.frame() leaves as it is."""
    if inherits(x, "AsIs"):
        return x
    return Value(x._kind, x._data, x._attributes | {"class": strings(["AsIs", *classes(x)])})


# ---- rows with missing values --------------------------------------------------------------------


@r_function()
def complete_cases(*dots: Value) -> Value:
    """Return TRUE for each row without missing values."""
    given = [item for item in dots if not is_null(item)]
    gaps = [_gaps_by_row(column) for item in given for column in (item._data if is_list(item) else [item])]
    stop_if(not gaps, "no input has determined the number of cases")
    stop_if(len(set(map(len, gaps))) > 1, "not all arguments have the same length")
    return logicals(~np.any(gaps, axis=0))


def _gaps_by_row(item: Value) -> np.ndarray:
    if is_frame(item):
        return np.asarray(np.any([_gaps_by_row(column) for column in item._data], axis=0))
    shape = dim_of(item)
    gaps = is_missing(item)
    return gaps if shape is None or len(shape) < 2 else np.asarray(gaps.reshape(shape, order="F").any(axis=1))


@r_function(classes="any formula")
def na_omit(object: Value, *dots: object, **ignored: object) -> Value:
    """Return rows, or items, without missing values; those left out are noted as "na.action"."""
    return _omit(object, "omit")


@r_function()
def na_exclude(object: Value, *dots: object, **ignored: object) -> Value:
    """Return rows without missing values, noted for functions that fill gaps again."""
    return _omit(object, "exclude")


@r_function(classes="any formula")
def na_pass(object: Item, *dots: object) -> Item:
    """Return a table as it is."""
    return object


@r_function()
def na_fail(object: Value, *dots: object) -> Value:
    """Return a table without missing values, or stop."""
    refuse_if(is_list(object) and not is_frame(object), "na.fail() of a list that is no data frame")
    if any(bool(is_missing(column).any()) for column in (object._data if is_list(object) else [object])):
        raise RError("missing values in object")
    return object


def _omit(x: Value, kind: str) -> Value:
    if is_list(x) and not is_frame(x):
        return x
    if is_frame(x):
        gone = np.flatnonzero(complete_cases(x)._data == 0) if len(x) else np.zeros(0, dtype=np.int64)
        labels: builtins.list[str | None] | None = labels_of_rows(x)
    elif is_matrix(x):
        cells = np.flatnonzero(is_missing(x))
        gone = np.array([*dict.fromkeys((cells % cells_of(x).shape[0]).tolist())], dtype=np.int64)
        labels = dimnames_of(x)[0]
    else:
        gone, labels = np.flatnonzero(is_missing(x)), names_of(x)
    if not len(gone):
        return taken(x, logicals(np.ones(row_count(x))), ALL, drop=False) if is_frame(x) else x
    left = integers(-(gone + 1.0))
    rest = taken(x, left) if dim_of(x) is None else taken(x, left, ALL, drop=False)
    about = {"class": strings(kind)} | names_part(None if labels is None else [labels[i] for i in gone])
    # The places in an array are doubles.
    action = (integers if dim_of(x) is None or is_frame(x) else doubles)(gone + 1.0, about)
    return Value(rest._kind, rest._data, rest._attributes | {"na.action": action})
