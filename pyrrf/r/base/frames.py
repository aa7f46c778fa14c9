"""Data frames: made of columns, matrices, lists and tables, and cleared of missing values."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.factors import factor
from pyrrf.r.base.sets import unique
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import made_unique, of_rows
from pyrrf.r.values.arguments import UNKNOWN_CODE, Named, arguments, codes, default_only, flag
from pyrrf.r.values.attributes import (
    counted_rows,
    dim_of,
    dimnames_of,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    known_names,
    names_of,
    row_count,
    without_spec,
)
from pyrrf.r.values.coercion import coerced, deparsed, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    listed,
    null,
    objects,
    strings,
)
from pyrrf.rlang.deparse import deparse
from pyrrf.rlang.tree import parse

_RESERVED = set(
    "if else repeat while function for in next break TRUE FALSE NULL Inf NaN NA NA_integer_ NA_real_ "
    "NA_character_".split()
)


# ---- names ---------------------------------------------------------------------------------------


@default_only("allow_")
def make_names(names: Any, unique: Any = False, allow_: Any = True) -> Value:
    """Return names that R takes without quotes: what is no letter, digit, dot or underscore becomes a dot."""
    old = builtins.list(coerced(names, "character")._data)
    return strings(made_names(old) if flag(unique) else map(_name, old))


def made_names(old: Sequence[str | None]) -> list[str]:
    """Return names that R takes without quotes, of which none stands twice."""
    found = builtins.list(map(_name, old))
    # Names that were good already keep their form; the changed ones get numbers.
    at = sorted(range(len(found)), key=lambda i: found[i] != old[i])
    out = [""] * len(found)
    for place, name in zip(at, made_unique([found[i] for i in at]), strict=True):
        out[place] = name
    return out


def _name(name: str | None) -> str:
    text = "NA." if name is None else str(name)
    made = re.sub(r"[^\w.]", ".", text)
    if not re.match(r"[^\W\d_]|\.(?!\d)", text):
        made = f"X{made}"
    return f"{made}." if made in _RESERVED else made


def make_unique(names: Any, sep: Any = ".") -> Value:
    """Return names of which none stands twice."""
    return strings(made_unique(builtins.list(coerced(names, "character")._data), str(one(sep, "character"))))


# ---- data.frame ----------------------------------------------------------------------------------


def framed(columns: builtins.list[Any], names: builtins.list[str], rows: Value) -> Value:
    """Return a data frame of columns of one length."""
    about = {"names": strings(names), "class": strings("data.frame"), "row.names": rows}
    return Value("list", objects(columns), about)


def counted(n: int) -> Value:
    """Return the numbers of rows as row names."""
    return Value("integer", np.arange(1.0, n + 1))


@dataclass
class _Part:
    """What an argument of data.frame() becomes: columns, their names (None where it has none), and row names."""

    columns: builtins.list[Any]
    names: builtins.list[str] | None
    rows: Value
    own_rows: bool


@r_function(in_order=True, dots_in_order=True, labels_code=True)
def data_frame(
    *dots: Any,
    row_names: Any = None,
    check_rows: Any = False,
    check_names: Any = True,
    fix_empty_names: Any = True,
    stringsAsFactors: Any = False,
    deparsed: Any = None,
    **named: Any,
) -> Value:
    """Return a data frame of columns, matrices, lists and data frames; shorter ones are repeated."""
    if flag(check_rows):
        raise NotMovedError("data.frame() with check.rows")
    given, fix = arguments(dots, named), flag(fix_empty_names)
    texts = iter(codes(deparsed, dots))
    parts = [_part(item, flag(stringsAsFactors)) for _, item in given]
    names: builtins.list[str] = []
    for (name, item), part in zip(given, parts, strict=True):
        names += _names(name, item, part, None if name else next(texts, None), fix)
    sizes = [len(part.rows) for part in parts]
    n = max(sizes, default=0)
    if any(size != n and (not size or n % size) for size in sizes):
        raise RError(f"arguments imply differing number of rows: {', '.join(map(str, dict.fromkeys(sizes)))}")
    columns = [_repeated(column, len(part.rows), n) for part in parts for column in part.columns]
    if fix:
        names = [name or f"Var.{at + 1}" for at, name in enumerate(names)]
    if flag(check_names):
        names = [str(name) for name in make_names(strings(names), True)._data]
    if row_names is not None:
        return _with_row_names(columns, names, n, as_value(row_names))
    rows = _found_rows(parts)
    if rows is not None and len(rows) != n:
        warn("row names were found from a short variable and have been discarded")
        rows = None
    return framed(columns, names, counted(n) if rows is None else rows)


def _part(item: Any, factors: bool) -> _Part:
    """Return what as.data.frame() makes of an argument of data.frame()."""
    if not isinstance(item, Value) or item._kind in ("language", "opaque"):
        raise RError('cannot coerce class \u2018"function"\u2019 to a data.frame')
    if inherits(item, "table"):
        item = _of_table(item)
    elif is_null(item) or (is_list(item) and dim_of(item) is None and not inherits(item, "AsIs")):
        item = _of_list(item, factors, False)
    if is_frame(item):
        rows = item._attributes["row.names"]
        return _Part([*item._data], known_names(item), rows, not counted_rows(item))
    if len(dim_of(item) or ()) > 1 and not inherits(item, "AsIs"):
        return _of_matrix(item, factors)
    labels = names_of(item)
    if labels is not None and None in labels:
        if len(labels) == 1:
            raise NotMovedError("data.frame() of one value whose name is missing")
        raise RError("row names contain missing values")
    own = labels is not None and bool(labels) and len(set(labels)) == len(labels)
    bare = _without(item, "names", *(() if inherits(item, "AsIs") else ("dim", "dimnames")))
    column = _as_factor(bare, factors)
    n = len(item) if inherits(item, "AsIs") is False or dim_of(item) is None else (dim_of(item) or (0,))[0]
    return _Part([column], None, strings(labels or []) if own else counted(n), own)


def _without(x: Value, *names: str) -> Value:
    return Value(x._kind, x._data, {key: part for key, part in x._attributes.items() if key not in names})


def _as_factor(column: Value, wanted: bool) -> Value:
    if wanted and column._kind == "character" and "class" not in column._attributes:
        return factor(column)
    return column


def _of_matrix(item: Value, factors: bool) -> _Part:
    shape = dim_of(item) or ()
    if len(shape) != 2:
        raise NotMovedError("a data frame of an array of more than two dimensions")
    if item._kind == "list":
        raise NotMovedError("a data frame of a matrix of lists")
    grid = item._data.reshape(shape, order="F")
    rows, labels = dimnames_of(item)
    if rows is not None and len(set(rows)) != len(rows):
        raise NotMovedError("a data frame of a matrix with equal row names")
    if rows is not None and None in rows:
        raise NotMovedError("a data frame of a matrix with a missing name of a row")
    columns = [_as_factor(Value(item._kind, grid[:, j].copy()), factors) for j in range(shape[1])]
    if labels is not None and None in labels:
        raise NotMovedError("a data frame of a matrix with a missing name of a column")
    names = None if labels is None else [str(name) or f"V{j + 1}" for j, name in enumerate(labels)]
    return _Part(columns, names, counted(shape[0]) if rows is None else strings(rows), rows is not None)


def _names(name: str, item: Any, part: _Part, text: str | None, fix: bool) -> builtins.list[str]:
    p = len(part.columns)
    if p > 1:
        own = part.names or [str(j + 1) for j in range(p)]
        return [f"{name}.{label}" for label in own] if name else own
    if part.names is not None:
        return part.names
    if not name and fix and p:
        return [_deparsed(text, item)]
    return [name] * p


def _deparsed(text: str | None, item: Any) -> str:
    """Return the code of an argument as R names a column by it; of a call without code that of the value."""
    if text is None:
        text = deparsed(item)
    else:
        try:
            text = deparse(parse(text)) if text else ""
        except (ValueError, SyntaxError):
            text = ""
    if not text or len(text) > 55 or text == UNKNOWN_CODE:
        raise NotMovedError("a column named by an expression; give it a name")
    if re.fullmatch(r"`.*`", text):
        text = text[1:-1]
    return text[2:-1] if text.startswith("I(") and text.endswith(")") else text


def _found_rows(parts: builtins.list[_Part]) -> Value | None:
    """Return the row names of the first part that has some."""
    for part in parts:
        if part.own_rows and any(label != "" for label in part.rows._data):
            if len(set(part.rows._data)) == len(part.rows):
                return part.rows
            warn("some row.names duplicated: --> row.names NOT used")
    return None


def _repeated(column: Any, size: int, n: int) -> Any:
    if size == n:
        return column.copy() if isinstance(column, Value) else column
    dated = any(inherits(column, name) for name in ("Date", "POSIXct", "factor"))
    if not dated and set(column._attributes) - {"names"}:
        raise RError(f"arguments imply differing number of rows: {n}, {size}")
    at = np.arange(n) % size
    return Value(column._kind, column._data[at], _without(column, "names")._attributes)


def _with_row_names(columns: builtins.list[Any], names: builtins.list[str], n: int, given: Value) -> Value:
    if is_null(given):
        return framed(columns, names, counted(n))
    if len(given) == 1 and n != 1:
        if given._kind == "character":
            at = names.index(given._data[0]) if given._data[0] in names else -1
        else:
            at = int(coerced(Value(given._kind, given._data), "double")._data[0]) - 1
        if not 0 <= at < len(columns):
            raise RError("'row.names' should specify one of the variables")
        given, columns, names = columns[at], columns[:at] + columns[at + 1 :], names[:at] + names[at + 1 :]
    elif len(given) != n and columns:
        raise RError("row names supplied are of the wrong length")
    plain = given._kind == "integer" and "class" not in given._attributes
    rows = Value("integer", given._data) if plain else Value("character", coerced(given, "character")._data)
    if bool(is_missing(rows).any()):
        raise RError("row names contain missing values")
    if len(set(rows._data)) != len(rows):
        twice = [str(label) for i, label in enumerate(rows._data) if label in rows._data[:i]]
        raise RError(f"duplicate row.names: {', '.join(dict.fromkeys(twice))}")
    return framed(columns, names, rows)


# ---- as.data.frame -------------------------------------------------------------------------------


def as_data_frame(
    *dots: Any,
    row_names: Any = None,
    optional: Any = False,
    responseName: Any = "Freq",
    stringsAsFactors: Any = None,
    col_names: Any = None,
    deparsed: Any = None,
    **named: Any,
) -> Value:
    """Return a matrix, a table, a list or a vector as a data frame."""
    given = arguments(dots, named)
    if len(given) != 1 or given[0][0] not in ("", "x") or flag(optional):
        raise NotMovedError("as.data.frame() with these arguments")
    value = given[0][1]
    factors = stringsAsFactors is not None and flag(stringsAsFactors)
    if is_frame(value):
        value = without_spec(value)
        about = {name: part for name, part in value._attributes.items() if name != "groups"}
        found = Value("list", value._data, about | {"class": strings("data.frame")})
    elif inherits(value, "table"):
        found = _of_table(value, str(one(responseName, "character")), stringsAsFactors is None or factors)
    elif is_null(value) or (is_list(value) and len(dim_of(value) or ()) != 2):
        if "class" in value._attributes:
            raise RError("cannot coerce an object of this class to a data.frame")
        if col_names is not None:
            value = Value("list", value._data, {"names": coerced(col_names, "character")})
        return _of_list(value, factors, True, row_names)
    elif len(dim_of(value) or ()) == 2:
        part = _of_matrix(value, factors)
        found = _numbered(part)
    else:
        text = (deparsed or [""])[0] if given[0][0] == "" else ""
        if not text:
            raise NotMovedError("as.data.frame() of a vector without a name; data.frame() gives it one")
        part = _part(value, factors)
        found = framed(part.columns, [_deparsed(text, value)], part.rows if len(value) else strings([]))
    if is_null(row_names):
        return found
    labels = known_names(found)
    return _with_row_names([*found._data], labels, row_count(found), as_value(row_names))


def as_data_frame_matrix(x: Any) -> Value:
    """Return a matrix, or a table of two dimensions, as a data frame with the same cells."""
    return _numbered(_of_matrix(as_value(x), False))


def _numbered(part: _Part) -> Value:
    """Return the columns of a matrix, V1, V2, ... where they have no names; without columns there are no names."""
    found = framed(part.columns, part.names or [f"V{j + 1}" for j in range(len(part.columns))], part.rows)
    if not part.columns and not part.names:
        del found._attributes["names"]
    return found


def _of_list(x: Value, factors: bool, check: bool, row_names: Any = None) -> Value:
    labels = names_of(x) or [""] * len(x)
    reserved = {"row.names", "check.rows", "check.names", "fix.empty.names", "stringsAsFactors"}
    if reserved & set(map(str, labels)):
        raise NotMovedError("a data frame of a list with names of arguments of data.frame()")
    tags = ["NA" if name is None else str(name) for name in labels]
    dots = [Named(tag, item) if tag else item for tag, item in zip(tags, x._data, strict=True)]
    return data_frame(*dots, row_names=row_names, check_names=check, stringsAsFactors=factors)


def _of_table(x: Value, response: str = "Freq", factors: bool = True) -> Value:
    old = x._attributes.get("dimnames")
    if old is None or any(is_null(part) for part in old._data):
        raise NotMovedError("as.data.frame() of a table without labels")
    names = names_of(old) or [""] * len(old)
    given = listed([strings(part._data) for part in old._data], [str(name or "") for name in names])
    grid = expand_grid(given, KEEP_OUT_ATTRS=False, stringsAsFactors=factors)
    labels = make_names(strings([*(names_of(grid) or []), response]), True)
    return framed([*grid._data, Value(x._kind, x._data)], [str(label) for label in labels._data], counted(len(x)))


@r_function(in_order=True, dots_in_order=True)
def expand_grid(*dots: Any, KEEP_OUT_ATTRS: Any = True, stringsAsFactors: Any = True, **named: Any) -> Value:
    """Return all combinations of items, the first varying fastest."""
    parts = arguments(dots, named)
    if len(parts) == 1 and is_list(parts[0][1]):
        value = parts[0][1]
        labels = names_of(value) or [""] * len(value)
        parts = [(str(name), item) for name, item in zip(labels, value._data, strict=True)]
    if any(is_frame(item) for _, item in parts):
        raise NotMovedError("expand.grid() of a data frame beside others")
    names = [name or f"Var{k + 1}" for k, (name, _) in enumerate(parts)]
    sizes = [len(item) for _, item in parts]
    total, before = int(np.prod(sizes)) if parts else 0, 1
    columns = []
    for (_, item), size in zip(parts, sizes, strict=True):
        at = np.zeros(0, dtype=np.int64)
        if total:
            at = np.tile(np.repeat(np.arange(size), before), total // (before * size))
        before *= size
        whole = item._kind == "character" and flag(stringsAsFactors) and "class" not in item._attributes and total
        column = _plain_factor(item) if whole else item
        columns.append(of_rows(_without(column, "dim", "dimnames"), at))
    found = framed(columns, names, counted(total))
    if flag(KEEP_OUT_ATTRS) and parts:
        about = {"names": found._attributes["names"], "out.attrs": _out_attributes(names, sizes, parts)}
        return Value("list", found._data, about | found._attributes)
    return found


def _plain_factor(item: Value) -> Value:
    return factor(item, levels=unique(_without(item, "names")))


def _out_attributes(
    names: builtins.list[str], sizes: builtins.list[int], parts: builtins.list[tuple[str, Any]]
) -> Value:
    shown = []
    for name, (_, item) in zip(names, parts, strict=True):
        bare = _without(item, "names", "dim", "dimnames")
        numbers = item._kind in ("integer", "double") and not is_factor(item)
        texts = formatted(bare)._data if numbers else coerced(bare, "character")._data
        shown.append(strings([f"{name}={'NA' if text is None else text}" for text in texts]))
    keys = {"names": strings([name for name, _ in parts])} if any(name for name, _ in parts) else {}
    # R writes none where there are no rows.
    dims = Value("list", objects(shown if all(sizes) else [null()] * len(shown)), {"names": strings(names)})
    return listed([integers(sizes, keys), dims], ["dim", "dimnames"])


def I(x: Any) -> Value:  # noqa: E743
    """Return a value that data.frame() leaves as it is."""
    value: Value = as_value(x)
    old = [str(name) for name in value._attributes["class"]._data] if "class" in value._attributes else []
    if "AsIs" in old:
        return value
    return Value(value._kind, value._data, value._attributes | {"class": strings(["AsIs", *old])})
