"""``x[i] <- v``, ``x[i, j] <- v``, ``x[[i]] <- v`` and ``x$name <- v``: each gives a new value; `x` stays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.script.subscripts import ALL, is_all, made_unique, places
from pyrrf.script.values import (
    KINDS,
    NUMBERS,
    REAL_NA,
    RError,
    Value,
    as_value,
    coerced,
    dim_of,
    dimnames_of,
    factor_labels,
    factor_levels,
    inherits,
    integers,
    is_factor,
    is_frame,
    is_list,
    is_null,
    names_of,
    null,
    objects,
    row_count,
    row_names,
    strings,
    wider,
)

_OWN = 2


def put(x: Any, value: Any, *subscripts: Any) -> Value:
    """Return ``x`` after ``x[...] <- value``; `x` itself stays.

    Raises
    ------
    RError
        R refuses it, too.
    """
    x = as_value(x)
    return changed(x.copy() if isinstance(x, Value) else x, value, *subscripts)


def changed(x: Any, value: Any, *subscripts: Any) -> Value:
    """Return ``x`` after ``x[...] <- value``; the data of `x` may be changed in their place."""
    value = as_value(value)
    if not isinstance(x, Value):
        raise RError("object of type 'closure' is not subsettable")
    if is_frame(x):
        return _into_frame(x, value, *subscripts)
    if len(subscripts) == 1:
        subscript = subscripts[0]
        if isinstance(subscript, Value) and len(dim_of(subscript) or ()) == 2:
            from pyrrf.script.matrices import cell_places

            subscript = cell_places(x, subscript)
        return into_items(x, subscript, value)
    return _into_block(x, subscripts, value)


# ---- vectors and lists ---------------------------------------------------------------------------


def into_items(x: Value, subscript: Any, value: Any) -> Value:
    """Return a vector or a list after ``x[i] <- value``."""
    if is_null(x):
        if isinstance(value, Value) and not len(value):
            return null()
        x = _empty_like(value)
    if is_factor(x):
        value = _as_codes(x, value)
    elif is_factor(value):
        value = Value("integer", value._data) if not is_list(x) else value
    if isinstance(value, Value) and value._kind in ("NULL",) and is_list(x):
        return _without(x, places(subscript, len(x), names_of(x)))
    if inherits(x, "Date") and isinstance(value, Value) and value._kind == "character":
        from pyrrf.script.dates import as_Date

        value = as_Date(value)
    at, labels = _target_places(x, subscript)
    kind = _common(x, value)
    fresh = _values(value, kind, len(at))
    if (at < 0).any():
        if len(value) > 1:
            raise RError("NAs are not allowed in subscripted assignments")
        at, fresh = at[at >= 0], fresh[at >= 0]
    return _filled(x, kind, at, fresh, labels)


def _empty_like(value: Any) -> Value:
    kind = value._kind if isinstance(value, Value) and value._kind in KINDS else "list"
    return Value(kind, np.zeros(0, dtype=np.float64 if kind in NUMBERS else object))


def _as_codes(x: Value, value: Any) -> Value:
    levels = {level: float(at + 1) for at, level in enumerate(factor_levels(x))}
    texts = factor_labels(value)._data if is_factor(value) else coerced(value, "character")._data
    codes = np.array([np.nan if text is None else levels.get(text, np.nan) for text in texts], dtype=np.float64)
    if any(text is not None and text not in levels for text in texts):
        warn("invalid factor level, NA generated")
    return Value("integer", codes)


def _target_places(x: Value, subscript: Any) -> tuple[np.ndarray, list[str | None]]:
    """Return positions, those of new names behind the end, and the new names."""
    found = subscript if is_all(subscript) else as_value(subscript)
    if is_factor(found):
        found = integers(found._data)
    names = names_of(x)
    if isinstance(found, Value) and found._kind == "character":
        at = places(found, len(x), names)
        new: list[str | None] = []
        for i in np.flatnonzero(at < 0).tolist():
            label = found._data[i]
            if label not in new or label is None or label == "":
                new.append(label)
            at[i] = len(x) + new.index(label)
        return at, new
    at = places(found, len(x), names)
    return at, []


def _common(x: Value, value: Any) -> str:
    if not isinstance(value, Value) or value._kind in ("language", "opaque"):
        return "list"
    return wider(x._kind, value._kind)


def _values(value: Any, kind: str, n: int) -> np.ndarray:
    """Return `n` items of a kind; shorter values are recycled."""
    if not isinstance(value, Value) or value._kind in ("language", "opaque"):
        return objects([value] * n)
    if not len(value) and n:
        raise RError("replacement has length zero")
    data = coerced(value, kind)._data
    if n and n % len(data):
        warn("number of items to replace is not a multiple of replacement length")
    return data[:n] if len(data) >= n else data[np.arange(n) % len(data)]


def _filled(x: Value, kind: str, at: np.ndarray, fresh: np.ndarray, labels: list[str | None]) -> Value:
    base = coerced(x, kind, keep=True)
    n = max(len(x), int(at.max()) + 1 if len(at) else 0)
    about = dict(x._attributes)
    # Nobody else holds these data: two references are that of `x` and that of the call.
    if n == len(x) and base is x and sys.getrefcount(x._data) <= _OWN:
        x._data[at] = fresh
        return x
    data = base._data.copy() if n == len(x) else _longer(base, n)
    data[at] = fresh
    if n > len(x):
        about = {name: part for name, part in about.items() if name not in ("dim", "dimnames")}
        old = names_of(x)
        if old is not None or labels:
            more = labels or [""] * (n - len(x))
            about["names"] = strings([*(old or [""] * len(x)), *more])
    return Value(kind, data, about)


def _longer(x: Value, n: int) -> np.ndarray:
    more = n - len(x)
    if x._kind in NUMBERS:
        return np.concatenate([x._data, np.full(more, REAL_NA if x._kind == "double" else np.nan)])
    return objects([*x._data, *([None] * more if x._kind == "character" else [null() for _ in range(more)])])


def _without(x: Value, at: np.ndarray) -> Value:
    """Return a list without some items."""
    left = np.ones(len(x), dtype=bool)
    left[at[(at >= 0) & (at < len(x))]] = False
    about = dict(x._attributes)
    names = names_of(x)
    if names is not None:
        about["names"] = strings([name for name, ok in zip(names, left, strict=True) if ok])
    return Value("list", x._data[left], about)


# ---- matrices ------------------------------------------------------------------------------------


def _into_block(x: Value, subscripts: tuple[Any, ...], value: Any) -> Value:
    shape = dim_of(x)
    if shape is None or len(shape) != len(subscripts):
        raise RError("incorrect number of subscripts on matrix")
    at = [
        places(_plain(s), n, names, stretch=False)
        for s, n, names in zip(subscripts, shape, dimnames_of(x), strict=True)
    ]
    if is_factor(x):
        value = _as_codes(x, value)
    kind = _common(x, value)
    size = int(np.prod([len(part) for part in at]))
    if isinstance(value, Value) and len(value) and size % len(value):
        raise RError("number of items to replace is not a multiple of replacement length")
    fresh = _values(value, kind, size)
    base = coerced(x, kind, keep=True)
    grid = base._data.copy().reshape(shape, order="F")
    grid[np.ix_(*at)] = fresh.reshape([len(part) for part in at], order="F")
    return Value(kind, grid.ravel(order="F"), x._attributes)


def _plain(subscript: Any) -> Any:
    return integers(subscript._data) if isinstance(subscript, Value) and is_factor(subscript) else subscript


# ---- data frames ---------------------------------------------------------------------------------


def _into_frame(x: Value, value: Any, *subscripts: Any) -> Value:
    if len(subscripts) == 1:
        subscript = subscripts[0]
        if isinstance(subscript, Value) and len(dim_of(subscript) or ()) == 2:
            return _into_cells(x, subscript, value)
        return _into_columns(x, subscript, ALL, value)
    return _into_columns(x, subscripts[1], subscripts[0], value)


def _into_cells(x: Value, mask: Any, value: Any) -> Value:
    """Return a frame after ``x[is.na(x)] <- value``: one value, or one for each cell in order of columns."""
    found = coerced(mask, "logical", keep=True) if not is_frame(mask) else None
    n, p = dim_of(x) or (0, 0)
    if found is None or mask._kind != "logical" or dim_of(mask) != (n, p):
        raise RError("unsupported matrix index in replacement")
    if np.isnan(found._data).any():
        raise RError("missing values are not allowed in subscripted assignments of data frames")
    grid = found._data.reshape((n, p), order="F") != 0
    value = as_value(value)
    many = not is_list(value) and len(value) > 1
    columns, used = [], 0
    for j, column in enumerate(x._data):
        at = np.flatnonzero(grid[:, j])
        part = value
        if many:
            part = Value(value._kind, np.resize(value._data, int(grid.sum()))[used : used + len(at)])
            used += len(at)
        elif is_list(value):
            part = value._data[j % len(value)]
        columns.append(into_items(column.copy(), integers(at + 1), part) if len(at) else column)
    return Value("list", objects(columns), x._attributes)


def _into_columns(x: Value, columns: Any, rows: Any, value: Any) -> Value:
    names = [str(name) for name in names_of(x) or []]
    targets = _column_targets(columns, names)
    if is_null(value):
        if not is_all(rows):
            raise RError("replacement has length zero")
        return _dropped(x, [j for j, _ in targets])
    n = row_count(x)
    at, labels = (None, []) if is_all(rows) else _row_places(x, rows)
    if at is not None and len(at) and at.max() >= n:
        x = _more_rows(x, int(at.max()) + 1, labels)
        n = row_count(x)
    parts = _column_values(value, len(targets), n if at is None else len(at))
    for (j, name), part in zip(targets, parts, strict=True):
        x = _into_column(x, j, name, at, part)
    return x


def _column_targets(columns: Any, names: list[str]) -> list[tuple[int, str]]:
    if is_all(columns):
        return list(enumerate(names))
    found = as_value(columns)
    if found._kind == "character":
        out, all_names = [], list(names)
        for label in found._data:
            if label not in all_names:
                all_names.append(label)
            out.append((all_names.index(label), str(label)))
        return out
    at = places(_plain(found), len(names), names)
    if (at < 0).any():
        raise RError("missing values are not allowed in subscripted assignments of data frames")
    if len(at) and at.max() > len(names) and not set(range(len(names), int(at.max()))) <= set(at.tolist()):
        raise RError("new columns would leave holes after existing columns")
    return [(int(j), names[j] if j < len(names) else f"V{j + 1}") for j in at]


def _row_places(x: Value, rows: Any) -> tuple[np.ndarray, list[str | None]]:
    found = as_value(rows)
    labels = row_names(x)
    at = places(_plain(found), row_count(x), labels)
    new: list[str | None] = []
    if found._kind == "character":
        for i in np.flatnonzero(at < 0).tolist():
            if found._data[i] not in new:
                new.append(found._data[i])
            at[i] = row_count(x) + new.index(found._data[i])
    elif (at < 0).any():
        raise RError("missing values are not allowed in subscripted assignments of data frames")
    return at, new


def _more_rows(x: Value, n: int, labels: list[str | None]) -> Value:
    old = row_count(x)
    rows = x._attributes["row.names"]
    if rows._kind == "integer" and not labels:
        more = integers([*rows._data, *range(old + 1, n + 1)])
    else:
        more = strings(made_unique([*row_names(x), *(labels or [str(i + 1) for i in range(old, n)])]))
    grown = []
    for column in x._data:
        wide = Value(column._kind, _longer(column, n), column._attributes)
        grown.append(wide)
    return Value("list", objects(grown), x._attributes | {"row.names": more})


def _column_values(value: Any, p: int, n: int) -> list[Any]:
    """Return what each column gets: the items of a list, or a part of a vector for each."""
    if is_list(value) or is_frame(value):
        if not len(value):
            raise RError("replacement has length zero")
        for part in value._data:
            if isinstance(part, Value) and len(part) and n % max(len(part), 1) and len(part) < n:
                raise RError(f"replacement element has {len(part)} rows to replace {n} rows")
        return [value._data[j % len(value)] for j in range(p)]
    if not isinstance(value, Value):
        raise RError("replacement is a function")
    if p == 1 and (dim_of(value) is None or len(value) == n):
        if len(value) > n:
            raise RError(f"replacement has {len(value)} items, need {n}")
        if not len(value) and n:
            raise RError(f"replacement has 0 items, need {n}")
        if len(value) and n % len(value):
            raise RError(f"replacement has {len(value)} items, need {n}")
        return [value]
    size = n * p
    if size and (not len(value) or size % len(value)):
        raise RError(f"replacement has {len(value)} items, need {size}")
    bare = factor_labels(value) if is_factor(value) else value
    wide = np.resize(bare._data, size)
    return [Value(bare._kind, wide[j * n : (j + 1) * n]) for j in range(p)]


def _into_column(x: Value, j: int, name: str, at: np.ndarray | None, part: Any) -> Value:
    n = row_count(x)
    if at is None:
        made = recycled_column(part, n)
    elif j < len(x):
        made = into_items(x._data[j].copy(), integers(at + 1), part)
    else:
        made = into_items(_blank(part, n), integers(at + 1), part)
    names = [str(label) for label in names_of(x) or []]
    data = objects([*x._data[:j], made, *x._data[j + 1 :]])
    if j >= len(names):
        names.append(name)
    return Value("list", data, x._attributes | {"names": strings(names)})


def _blank(part: Value, n: int) -> Value:
    """Return a column of missing values for what is assigned to some of its rows."""
    bare = coerced(part, "character") if is_factor(part) else part
    gap = [None] * n if bare._kind == "character" else np.full(n, REAL_NA if bare._kind == "double" else np.nan)
    kept = (
        {} if is_factor(part) else {k: v for k, v in part._attributes.items() if k not in ("names", "dim", "dimnames")}
    )
    return Value(bare._kind, objects(gap) if bare._kind == "character" else gap, kept)


def recycled_column(part: Any, n: int) -> Any:
    """Return a column of `n` rows, without the names of a vector.

    Raises
    ------
    RError
        Its length is no part of `n`.
    """
    if not isinstance(part, Value) or dim_of(part) is not None:
        if isinstance(part, Value) and (dim_of(part) or (len(part),))[0] == n:
            return part
        raise RError(f"replacement has another number of rows than data, which has {n}")
    if len(part) == n:
        kept = {key: found for key, found in part._attributes.items() if key != "names" or part._kind == "list"}
        return Value(part._kind, part._data, kept)
    if not len(part) or n % len(part) or len(part) > n:
        raise RError(f"replacement has {len(part)} rows, data has {n}")
    kept = {key: found for key, found in part._attributes.items() if key != "names"}
    return Value(
        part._kind,
        np.resize(part._data, n) if part._kind != "list" else objects([*part._data] * (n // len(part))),
        kept,
    )


def _dropped(x: Value, gone: list[int]) -> Value:
    left = [j for j in range(len(x)) if j not in gone]
    names = names_of(x) or []
    return Value("list", x._data[left], x._attributes | {"names": strings([names[j] for j in left])})


# ---- one item ------------------------------------------------------------------------------------


def put_element(x: Any, value: Any, *subscripts: Any) -> Value:
    """Return ``x`` after ``x[[i]] <- value``; `x` itself stays."""
    x = as_value(x)
    return changed_element(x.copy() if isinstance(x, Value) else x, value, *subscripts)


def changed_element(x: Any, value: Any, *subscripts: Any) -> Value:
    """Return ``x`` after ``x[[i]] <- value``; the data of `x` may be changed in their place."""
    value = as_value(value)
    if not isinstance(x, Value):
        raise RError("object of type 'closure' is not subsettable")
    if len(subscripts) == 2:
        return put(x, value, *subscripts)
    subscript = as_value(subscripts[0])
    if is_frame(x):
        return _into_columns(x, subscript, ALL, value)
    if is_null(x):
        x = Value("list", objects([]))
    if len(subscript) > 1 and is_list(x):
        first = Value(subscript._kind, subscript._data[:1])
        rest = Value(subscript._kind, subscript._data[1:])
        return put_element(x, put_element(x[[first]], value, rest), first)
    if not is_list(x):
        if isinstance(value, Value) and value._kind in KINDS[1:5] and len(value) == 1:
            return into_items(x, subscript, value)
        if is_list(value) or not isinstance(value, Value):
            x = coerced(x, "list", keep=True)
        else:
            raise RError(
                "more elements supplied than there are to replace" if len(value) else "replacement has length zero"
            )
    if is_null(value):
        return _without(x, places(subscript, len(x), names_of(x)))
    kept = value.copy() if isinstance(value, Value) else value
    return into_items(x, subscript, Value("list", objects([kept])))


def put_component(x: Any, value: Any, name: str) -> Value:
    """Return ``x`` after ``x$name <- value``."""
    x = as_value(x)
    if not is_list(x) and not is_null(x):
        if not isinstance(x, Value):
            raise RError("object of type 'closure' is not subsettable")
        warn("Coercing LHS to a list")
        x = coerced(x, "list", keep=True)
    if is_null(x):
        x = Value("list", objects([]))
    return put_element(x, value, strings(name))
