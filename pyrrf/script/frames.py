"""Data frames: made, put side by side or below each other, and cleared of missing values."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.script.replacement import recycled_column
from pyrrf.script.subscripts import ALL, made_unique, of_rows, taken
from pyrrf.script.values import (
    NotMovedError,
    RError,
    Value,
    arguments,
    as_value,
    coerced,
    dim_of,
    dimnames_of,
    flag,
    integers,
    is_frame,
    is_list,
    is_missing,
    is_null,
    logicals,
    names_of,
    objects,
    one,
    row_count,
    row_names,
    strings,
)

_RESERVED = set(
    "if else repeat while function for in next break TRUE FALSE NULL Inf NaN NA NA_integer_ NA_real_".split()
)


def make_names(names: Any, unique: Any = False) -> Value:
    """Return names that R takes without quotes: what is no letter, digit, dot or underscore becomes a dot."""
    found = [_name(str(text) if text is not None else "NA.") for text in coerced(names, "character")._data]
    return strings(made_unique(found) if flag(unique) else found)


def _name(text: str) -> str:
    made = re.sub(r"[^\w.]", ".", text)
    if not made or not re.match(r"[^\W\d_]|\.(?!\d)", made):
        made = f"X{made}"
    return f"{made}." if made in _RESERVED else made


def make_unique(names: Any, sep: Any = ".") -> Value:
    """Return names of which none stands twice."""
    return strings(made_unique(builtins.list(coerced(names, "character")._data), str(one(sep, "character"))))


def framed(columns: builtins.list[Any], names: builtins.list[str], rows: Value) -> Value:
    """Return a data frame of columns of one length."""
    about = {"names": strings(names), "class": strings("data.frame"), "row.names": rows}
    return Value("list", objects(columns), about)


def counted(n: int) -> Value:
    """Return the numbers of rows as row names."""
    return integers(np.arange(1, n + 1))


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
    parts = arguments(dots, named)
    texts = builtins.list(deparsed or [])
    columns: builtins.list[tuple[str, Any]] = []
    rows: Value | None = None
    for at, (name, item) in enumerate(parts):
        found = _columns(name, texts[at] if not name and at < len(texts) else "", item)
        columns += found
        rows = rows if rows is not None else _labels_from(item)
    n = max((_rows_in(column) for _, column in columns), default=0)
    made = [_sized(_as_factor(column, flag(stringsAsFactors)), n) for _, column in columns]
    labels = [name for name, _ in columns]
    if flag(check_names):
        labels = made_unique(builtins.list(make_names(strings(labels))._data))
    if rows is not None and (len(rows) != n or len(set(rows._data)) != n):
        rows = None
    found = framed(made, labels, counted(n) if rows is None else rows)
    if is_null(row_names):
        return found
    return _with_row_names(found, as_value(row_names))


def _with_row_names(frame: Value, given: Value) -> Value:
    from pyrrf.script.attributes import put_rownames

    if len(given) == 1 and row_count(frame) != 1:
        at = (
            int(coerced(given, "double")._data[0]) - 1
            if given._kind != "character"
            else (names_of(frame) or []).index(given._data[0])
        )
        kept = [j for j in range(len(frame)) if j != at]
        inner = framed(
            [frame._data[j] for j in kept], [(names_of(frame) or [])[j] for j in kept], counted(row_count(frame))
        )
        return put_rownames(inner, coerced(frame._data[at], "character"))
    return put_rownames(frame, given)


def _columns(name: str, text: str, item: Any) -> builtins.list[tuple[str, Any]]:
    """Return the columns that an argument of data.frame() makes, with their names."""
    if not isinstance(item, Value):
        raise RError("cannot coerce class 'function' to a data.frame")
    if is_null(item):
        return []
    if is_frame(item):
        names = [str(label) for label in names_of(item) or []]
        prefix = name and len(item) > 1
        labels = [f"{name}.{label}" if prefix else (name or label) for label in names]
        return builtins.list(zip(labels, item._data, strict=True))
    if len(dim_of(item) or ()) == 2:
        return _of_matrix(name, text, item)
    if is_list(item):
        names = names_of(item) or [""] * len(item)
        found: builtins.list[tuple[str, Any]] = []
        for label, part in zip(names, item._data, strict=True):
            found += _columns(f"{name}.{label}" if name and label else (label or name), "", part)
        return found
    from pyrrf.script.values import inherits

    if inherits(item, "table"):
        raise NotMovedError("data.frame() of a table among its arguments; as.data.frame() takes one")
    return [(name or text, item)]


def _of_matrix(name: str, text: str, item: Value) -> builtins.list[tuple[str, Any]]:
    n, p = dim_of(item) or (0, 0)
    labels = dimnames_of(item)[1]
    grid = item._data.reshape((n, p), order="F")
    if labels is None:
        base = name or text
        names = (
            [f"{base}.{j + 1}" for j in range(p)]
            if base and p > 1
            else [base]
            if p == 1
            else [f"X{j + 1}" for j in range(p)]
        )
    else:
        names = [f"{name}.{label}" if name and p > 1 else (name or str(label)) for label in labels]
    return [(names[j], Value(item._kind, grid[:, j].copy())) for j in range(p)]


def _labels_from(item: Any) -> Value | None:
    """Return the row names that an argument brings along: of a frame, a matrix or a named vector."""
    if is_frame(item):
        rows = item._attributes["row.names"]
        return rows if rows._kind == "character" else None
    if not isinstance(item, Value) or is_list(item):
        return None
    labels = dimnames_of(item)[0] if dim_of(item) is not None else names_of(item)
    return None if labels is None else strings(labels)


def _rows_in(column: Any) -> int:
    shape = dim_of(column)
    return len(column) if shape is None else shape[0]


def _as_factor(column: Any, wanted: bool) -> Any:
    if wanted and isinstance(column, Value) and column._kind == "character":
        from pyrrf.script.factors import factor

        return factor(column)
    return column


def _sized(column: Any, n: int) -> Any:
    m = _rows_in(column)
    if m == n:
        return recycled_column(column, n) if dim_of(column) is None else _flat(column)
    if not m or n % m:
        raise RError(f"arguments imply differing number of rows: {n}, {m}")
    return recycled_column(_flat(column), n)


def _flat(column: Value) -> Value:
    if dim_of(column) is None or is_frame(column):
        return column
    return Value(
        column._kind, column._data, {k: v for k, v in column._attributes.items() if k not in ("dim", "dimnames")}
    )


def as_data_frame(
    x: Any, row_names: Any = None, optional: Any = False, *dots: Any, stringsAsFactors: Any = False
) -> Value:
    """Return a matrix, a table, a list or a vector as a data frame."""
    from pyrrf.script.values import inherits

    value = as_value(x)
    if is_frame(value):
        classes = strings("data.frame")
        return Value("list", value._data, value._attributes | {"class": classes})
    if inherits(value, "table"):
        return _of_table(value)
    if len(dim_of(value) or ()) == 2:
        return _from_matrix(value, flag(stringsAsFactors))
    if is_list(value):
        return data_frame(value, stringsAsFactors=stringsAsFactors, row_names=row_names)
    return data_frame(x=value, stringsAsFactors=stringsAsFactors, row_names=row_names)


def _from_matrix(x: Value, factors: bool) -> Value:
    n, p = dim_of(x) or (0, 0)
    rows, columns = dimnames_of(x)
    grid = x._data.reshape((n, p), order="F")
    labels = [f"V{j + 1}" for j in range(p)] if columns is None else [str(label) for label in columns]
    made = [_as_factor(Value(x._kind, grid[:, j].copy()), factors) for j in range(p)]
    keep = rows is not None and len(set(rows)) == n
    return framed(made, labels, strings(rows or []) if keep else counted(n))


def _of_table(x: Value) -> Value:
    from pyrrf.script.factors import made

    shape = dim_of(x) or ()
    labels, old = dimnames_of(x), x._attributes["dimnames"]
    names = builtins.list(old._attributes["names"]._data) if "names" in old._attributes else [""] * len(shape)
    names = [name or f"Var{k + 1}" for k, name in enumerate(names)]
    grid = np.indices(shape).reshape(len(shape), -1, order="F") + 1.0
    columns = [made(grid[k], labels[k] or []) for k in range(len(shape))]
    return framed([*columns, Value(x._kind, x._data)], [*map(str, names), "Freq"], counted(len(x)))


def expand_grid(*dots: Any, KEEP_OUT_ATTRS: Any = True, stringsAsFactors: Any = True, **named: Any) -> Value:
    """Return all combinations of items, the first varying fastest."""
    parts = arguments(dots, named)
    if len(parts) == 1 and is_list(parts[0][1]):
        value = parts[0][1]
        parts = builtins.list(zip(map(str, names_of(value) or []), value._data, strict=True))
    names = [name or f"Var{k + 1}" for k, (name, _) in enumerate(parts)]
    sizes = [len(item) for _, item in parts]
    total, before = int(np.prod(sizes)), 1
    columns = []
    for (_, item), size in zip(parts, sizes, strict=True):
        at = np.tile(np.repeat(np.arange(size), before), total // (before * size))
        before *= size
        column = _plain_factor(item) if item._kind == "character" and flag(stringsAsFactors) else item
        columns.append(of_rows(_bare(column), at))
    found = framed(columns, names, counted(total))
    if flag(KEEP_OUT_ATTRS):
        found._attributes["out.attrs"] = _out_attributes(names, sizes, parts)
    return found


def _bare(column: Value) -> Value:
    return Value(column._kind, column._data, {k: v for k, v in column._attributes.items() if k != "names"})


def _plain_factor(item: Value) -> Value:
    from pyrrf.script.factors import factor
    from pyrrf.script.ordering import unique

    return factor(item, levels=unique(item))


def _out_attributes(
    names: builtins.list[str], sizes: builtins.list[int], parts: builtins.list[tuple[str, Any]]
) -> Value:
    from pyrrf.script.formats import format as formatted
    from pyrrf.script.values import listed

    about = {"names": strings(names)}
    shown = []
    for name, (_, item) in zip(names, parts, strict=True):
        texts = formatted(_bare(item))._data
        shown.append(strings([f"{name}={text}" for text in texts]))
    return listed([integers(sizes, about), Value("list", objects(shown), about)], ["dim", "dimnames"])


# ---- missing values ------------------------------------------------------------------------------


def frame_test(x: Value, test: Callable[[Value], np.ndarray]) -> Value:
    """Return a matrix of a test for each cell: ``is.na`` of a data frame."""
    n, p = row_count(x), len(x)
    flat = np.concatenate([test(column).astype(np.float64) for column in x._data]) if p else np.zeros(0)
    rows = x._attributes["row.names"]
    # R has labels of rows here even where they are counted, unless there are none.
    labels = row_names(x) if rows._kind == "character" else None
    from pyrrf.script.values import dimnames_value

    return Value("logical", flat, {"dim": integers([n, p]), "dimnames": dimnames_value([labels, names_of(x)])})


def complete_cases(*dots: Any) -> Value:
    """Return which rows have no missing value."""
    gone: np.ndarray | None = None
    for item in map(as_value, dots):
        if is_frame(item):
            found = np.any([is_missing(column) for column in item._data], axis=0)
        elif dim_of(item) is not None:
            found = is_missing(item).reshape(dim_of(item), order="F").any(axis=1)
        else:
            found = is_missing(item)
        gone = found if gone is None else gone | found
    return logicals(~(gone if gone is not None else np.zeros(0, dtype=bool)))


def na_omit(object: Any, *dots: Any) -> Value:
    """Return rows, or items, without missing values; what was left out is noted as "na.action"."""
    return _omitted(object, "omit")


def na_exclude(object: Any, *dots: Any) -> Value:
    """Return rows without missing values, noted for functions that fill gaps again."""
    return _omitted(object, "exclude")


def _omitted(x: Any, kind: str) -> Value:
    value = as_value(x)
    kept = complete_cases(value)
    gone = np.flatnonzero(kept._data == 0)
    if not len(gone):
        return value
    labels = row_names(value) if is_frame(value) else names_of(value)
    about = {"class": strings(kind)}
    if is_frame(value):
        about = {"names": strings([labels[i] for i in gone]), **about} if labels else about
        found = taken(value, kept, ALL, drop=False)
    elif dim_of(value) is not None:
        found = taken(value, kept, ALL, drop=False)
        rows = dimnames_of(value)[0]
        about = {"names": strings([rows[i] for i in gone]), **about} if rows else about
    else:
        found = taken(value, kept)
        about = {"names": strings([labels[i] for i in gone]), **about} if labels else about
    action = integers(gone + 1, about)
    return Value(found._kind, found._data, found._attributes | {"na.action": action})


# ---- rows ----------------------------------------------------------------------------------------


def row_keys(x: Value) -> builtins.list[Any]:
    """Return what two rows share if R takes them for the same."""
    from pyrrf.script.ordering import keys

    if is_frame(x):
        return builtins.list(zip(*[keys(column) for column in x._data], strict=True))
    n, p = dim_of(x) or (0, 0)
    found = keys(Value(x._kind, x._data))
    return [tuple(found[j * n + i] for j in range(p)) for i in range(n)]
