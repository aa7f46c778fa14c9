"""``d[i, j] <- v``, ``d[[j]] <- v`` and ``d$name <- v`` of data frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.coercion import coerced
from pyrrf.r.looking import (
    dim_of,
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    known_names,
    names_of,
    row_count,
    row_names,
)
from pyrrf.r.places import ALL, is_all, places
from pyrrf.r.replacement import into_items, longer, plain, single_place
from pyrrf.r.subscripts import made_unique
from pyrrf.r.values import (
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    kind_of,
    missing_number,
    objects,
    strings,
)


def into_frame(x: Value, value: Any, *subscripts: Any) -> Value:
    """Return a data frame after ``x[...] <- value``."""
    if len(subscripts) == 1:
        subscript = subscripts[0]
        if isinstance(subscript, Value) and len(dim_of(subscript) or ()) == 2:
            return _into_cells(x, subscript, value)
        return _into_columns(x, subscript, ALL, value)
    if len(subscripts) != 2:
        raise NotMovedError("[] <- of a data frame")
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
    if is_list(value):
        raise NotMovedError("a list, or a data frame, into cells that a matrix names")
    many = len(value) > 1
    count = int(grid.sum())
    if count and len(value) > 1 and (len(value) > count or count % len(value)):
        raise RError("'value' is the wrong length")
    columns, used = [], 0
    for j, column in enumerate(x._data):
        at = np.flatnonzero(grid[:, j])
        part = value
        if many:
            part = Value(value._kind, np.resize(value._data, int(grid.sum()))[used : used + len(at)])
            used += len(at)
        columns.append(into_items(column.copy(), integers(at + 1), part) if len(at) else column)
    return Value("list", objects(columns), x._attributes)


def _into_columns(x: Value, columns: Any, rows: Any, value: Any) -> Value:
    if names_of(x) is None:
        raise NotMovedError("columns of a data frame that lost its names")
    names = known_names(x)
    columns = columns if is_all(columns) else as_value(columns)
    if kind_of(columns) == "logical" and (len(columns) > len(names) or not names):
        raise NotMovedError("more logical subscripts than columns")
    targets = _column_targets(columns, names)
    if len({j for j, _ in targets}) != len(targets):
        if kind_of(columns) == "character":
            raise NotMovedError("a name that stands twice among columns to be replaced is not moved")
        raise RError("duplicate subscripts for columns")
    if is_null(value) or (is_list(value) and not len(value)):
        if not is_all(rows):
            raise RError("replacement has length zero")
        return _dropped(x, [j for j, _ in targets])
    n = row_count(x)
    at, labels = (None, []) if is_all(rows) else _row_places(x, rows)
    if at is not None and len(at) and at.max() >= n:
        if not targets or is_frame(value):
            raise NotMovedError("new rows without a column, or from a data frame, are not moved")
        x = _more_rows(x, int(at.max()) + 1, labels)
        n = row_count(x)
    _check_columns(x, value, targets, at)
    parts = _column_values(value, len(targets), n if at is None else len(at))
    return _with_columns(x, targets, parts, at)


def _with_columns(x: Value, targets: list[tuple[int, str]], parts: list[Any], at: np.ndarray | None) -> Value:
    """Return a frame with new values for columns; those that get NULL are dropped."""
    gone = [j for (j, _), part in zip(targets, parts, strict=True) if is_null(part)]
    if gone and (at is not None or max(gone) >= len(x)):
        raise NotMovedError("NULL for some rows of a column, or for a column that is not there")
    for (j, name), part in zip(targets, parts, strict=True):
        if j not in gone:
            x = _into_column(x, j, name, at, part)
    return _dropped(x, gone) if gone else x


def _check_columns(x: Value, value: Any, targets: list[tuple[int, str]], at: np.ndarray | None) -> None:
    new = any(j >= len(x) for j, _ in targets)
    if not targets and isinstance(value, Value) and len(value) > (1 if row_count(x) else 0):
        raise NotMovedError("values for no column of a data frame")
    if is_list(value) and len(value) > len(targets):
        raise NotMovedError("more columns than are asked for are not moved")
    if at is None and not row_count(x) and isinstance(value, Value) and not is_list(value) and len(value):
        raise RError(f"replacement has {len(value)} rows, data has 0")
    if at is None and not row_count(x) and len(targets) > 1 and not is_list(value) and not len(value):
        raise RError("subscript out of bounds")
    plain = isinstance(value, Value) and not is_factor(value) and not is_list(value) and dim_of(value) is None
    if new and at is not None and not (len(at) and plain):
        raise NotMovedError("a new column in some of the rows from a factor, a list or a matrix is not moved")
    if (
        new
        and is_list(value)
        and names_of(value)
        and [n for j, n in targets if j >= len(x)] == [f"V{j + 1}" for j, _ in targets if j >= len(x)]
    ):
        raise NotMovedError("new columns by number that take the names of a list are not moved")


def _column_targets(columns: Any, names: list[str]) -> list[tuple[int, str]]:
    if is_all(columns):
        return list(enumerate(names))
    found = as_value(columns)
    if found._kind == "character":
        out, all_names = [], list(names)
        for label in found._data:
            if not label:
                raise NotMovedError("a column without a name is not moved")
            if label not in all_names:
                all_names.append(label)
            out.append((all_names.index(label), str(label)))
        return out
    if found._kind in ("integer", "double") and ((found._data != np.trunc(found._data)) | (found._data == 0)).any():
        raise NotMovedError("columns to be replaced by a number that is 0, missing or not whole are not moved")
    if found._kind in ("integer", "double") and not names:
        raise NotMovedError("columns by number of a data frame without columns are not moved")
    at = places(plain(found), len(names), list(names))
    if (at < 0).any():
        raise RError("missing values are not allowed in subscripted assignments of data frames")
    if len(at) and at.max() > len(names) and not set(range(len(names), int(at.max()))) <= set(at.tolist()):
        raise RError("new columns would leave holes after existing columns")
    return [(int(j), names[j] if j < len(names) else f"V{j + 1}") for j in at]


def _row_places(x: Value, rows: Any) -> tuple[np.ndarray, list[str | None]]:
    found = as_value(rows)
    labels = row_names(x)
    if found._kind == "logical" and found._data[row_count(x) :].any():
        raise RError("non-existent rows not allowed")
    at = places(plain(found), row_count(x), labels)
    new: list[str | None] = []
    if found._kind == "character":
        for i in np.flatnonzero(at < 0).tolist():
            if found._data[i] not in new:
                new.append(found._data[i])
            at[i] = row_count(x) + new.index(found._data[i])
    elif (at < 0).any():
        raise RError("missing values are not allowed in subscripted assignments of data frames")
    elif found._kind == "double" and (np.trunc(found._data) != found._data).any():
        raise NotMovedError("rows by numbers that are not whole, where some may be new")
    return at, new


def _more_rows(x: Value, n: int, labels: list[str | None]) -> Value:
    old = row_count(x)
    rows = x._attributes["row.names"]
    if rows._kind == "integer" and not labels and not set(rows._data.tolist()) & set(range(old + 1, n + 1)):
        more = Value("integer", np.array([*rows._data, *range(old + 1, n + 1)], dtype=np.float64), None, "given")
    else:
        more = strings(made_unique([*row_names(x), *(labels or [str(i + 1) for i in range(old, n)])]))
    grown = []
    for column in x._data:
        wide = Value(column._kind, longer(column, n), column._attributes)
        grown.append(wide)
    return Value("list", objects(grown), x._attributes | {"row.names": more})


def _column_values(value: Any, p: int, n: int) -> list[Any]:
    """Return what each column gets: the items of a list, or a part of a vector for each."""
    if is_list(value) or is_frame(value):
        for part in value._data:
            if isinstance(part, Value) and len(dim_of(part) or ()) > 1:
                raise NotMovedError("a table or a matrix among the columns to be put in")
            if isinstance(part, Value) and len(part) and n % max(len(part), 1) and len(part) < n:
                raise RError(f"replacement element has {len(part)} rows to replace {n} rows")
        return [value._data[j % len(value)] for j in range(p)]
    if not isinstance(value, Value):
        raise RError("replacement is a function")
    return _parts(value, p, n)


def _parts(value: Value, p: int, n: int) -> list[Value]:
    """Return the parts of a vector or a matrix for `p` columns of `n` rows."""
    if p == 1 and not n and not len(value) and dim_of(value) is None:
        return [value]
    if n and p == 1 and (len(dim_of(value) or ()) < 2 or len(value) == n):
        if not len(value) or len(value) > n or n % len(value):
            raise RError(f"replacement has {len(value)} items, need {n}")
        return [value]
    if p == 1 and n and (dim_of(value) or ())[:1] == (n,) and len(dim_of(value) or ()) == 2:
        return [value]
    if p == 1 and len(dim_of(value) or ()) == 2:
        raise NotMovedError("a matrix of several columns as a column is not moved")
    size = n * p
    if size and (not len(value) or (len(value) < size and size % len(value))):
        raise RError(f"replacement has {len(value)} items, need {size}")
    bare = factor_labels(value) if is_factor(value) else value
    if not n:
        return [Value(bare._kind, bare._data[:0])] * p
    wide = np.resize(bare._data, size)
    return [Value(bare._kind, wide[j * n : (j + 1) * n]) for j in range(p)]


def _into_column(x: Value, j: int, name: str, at: np.ndarray | None, part: Any) -> Value:
    n = row_count(x)
    if at is None:
        made = recycled_column(part, n)
    elif j < len(x) and not len(at):
        made = x._data[j]
    elif j < len(x) and len(dim_of(x._data[j]) or ()) > 1:
        raise NotMovedError("rows of a column that is a matrix or a table")
    elif j < len(x):
        made = into_items(x._data[j].copy(), integers(at + 1), part)
    else:
        made = into_items(_blank(part, n), integers(at + 1), part)
    names = known_names(x)
    if j >= len(names) and len(set(names)) < len(names):
        raise NotMovedError("a new column beside columns with equal names")
    data = objects([*x._data[:j], made, *x._data[j + 1 :]])
    if j >= len(names):
        names.append(name)
    return Value("list", data, x._attributes | {"names": strings(names)})


def _blank(part: Value, n: int) -> Value:
    """Return a column of missing values for what is assigned to some of its rows."""
    bare = coerced(part, "character") if is_factor(part) else part
    gap = [None] * n if bare._kind == "character" else np.full(n, missing_number(bare._kind))
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
    if not isinstance(part, Value) or len(dim_of(part) or ()) > 1:
        if isinstance(part, Value) and (dim_of(part) or (len(part),))[0] == n:
            return part
        raise RError(f"replacement has another number of rows than data, which has {n}")
    if len(part) == n:
        gone = set() if part._kind == "list" else {"names", "dimnames"}
        kept = {key: found for key, found in part._attributes.items() if key not in gone}
        return Value(part._kind, part._data, kept)
    if part._kind == "list":
        raise NotMovedError("a list that is repeated as a column")
    if not len(part) or n % len(part) or len(part) > n:
        raise RError(f"replacement has {len(part)} rows, data has {n}")
    # R repeats it by rep(), which has methods for these classes and drops all attributes of others.
    known = any(inherits(part, name) for name in ("factor", "Date", "POSIXct", "difftime"))
    kept = {key: found for key, found in part._attributes.items() if known and key != "names"}
    return Value(part._kind, np.resize(part._data, n), kept)


def _dropped(x: Value, gone: list[int]) -> Value:
    left = [j for j in range(len(x)) if j not in gone]
    names = names_of(x) or []
    return Value("list", x._data[left], x._attributes | {"names": strings([names[j] for j in left])})


def into_one_column(x: Value, subscript: Value, value: Any) -> Value:
    """Return a frame after ``x[[j]] <- value``; a list becomes a column as it is."""
    if len(subscript) != 1:
        raise NotMovedError("[[ ]] <- with several subscripts of a data frame is not moved")
    subscript = single_place(x, subscript)
    if is_list(value):
        if is_frame(value) or len(value) != row_count(x):
            raise NotMovedError("a list of another length than rows as a column is not moved")
        value = Value("list", objects([value]))
    return _into_columns(x, subscript, ALL, value)
