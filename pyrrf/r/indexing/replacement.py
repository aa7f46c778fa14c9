"""``x[i] <- v``, ``x[i, j] <- v``, ``x[[i]] <- v`` and ``x$name <- v``, of vectors, lists and data frames."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.indexing.subscripts import ALL, cell_places, is_all, made_unique, places
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    known_names,
    names_of,
    row_count,
    row_names,
)
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.methods import default
from pyrrf.r.values.vector import (
    KINDS,
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    kind_of,
    missing_number,
    null,
    objects,
    strings,
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
        found = into_frame(x, value, *subscripts)
        if inherits(x, "tbl_df"):
            _refuse_other_kinds(x, found)
        return found
    if len(subscripts) == 1:
        subscript = subscripts[0]
        if isinstance(subscript, Value) and len(dim_of(subscript) or ()) == 2:
            subscript = cell_places(x, subscript)
        if names_of(x) is not None and len(dim_of(x) or ()) == 1 and kind_of(subscript) == "character":
            kept = {k: v for k, v in x._attributes.items() if k not in ("dim", "dimnames")}
            x = Value(x._kind, x._data, kept | {"names": strings(names_of(x) or [])})
        return into_items(x, subscript, value)
    return _into_block(x, subscripts, value)


def _refuse_other_kinds(x: Value, found: Value) -> None:
    """Refuse to change the kind of a column of a tibble, which R may do, too."""
    kinds = {name: column._kind for name, column in zip(names_of(x) or [], x._data, strict=True)}
    same = all(kinds.get(name, c._kind) == c._kind for name, c in zip(names_of(found) or [], found._data, strict=True))
    if inherits(x, "grouped_df") or not same or len(found._attributes["row.names"]) != len(x._attributes["row.names"]):
        raise NotMovedError("values of another kind, or new rows, for a tibble")


# ---- vectors and lists ---------------------------------------------------------------------------


def into_items(x: Value, subscript: Any, value: Any) -> Value:
    """Return a vector or a list after ``x[i] <- value``."""
    if is_null(x):
        if isinstance(value, Value) and not len(value):
            return null()
        x = _empty_like(value)
    if isinstance(value, Value) and value._kind == "NULL" and is_list(x):
        return _without_some(x, subscript)
    value = _fitting(x, value)
    if not len(x) and isinstance(value, Value) and not len(value) and (x._kind == value._kind or is_list(value)):
        return x
    at, labels = _target_places(x, subscript)
    flags = None if is_all(subscript) else as_value(subscript)
    least = len(flags) if flags is not None and flags._kind == "logical" else 0
    kind = _common(x, value)
    fresh = _values(value, kind, len(at))
    if (at < 0).any():
        if len(value) > 1:
            raise RError("NAs are not allowed in subscripted assignments")
        at, fresh = at[at >= 0], fresh[at >= 0]
    return _filled(x, kind, at, fresh, labels, least)


def _without_some(x: Value, subscript: Any) -> Value:
    """Return a list after ``x[i] <- NULL``."""
    gone = places(subscript, len(x), names_of(x))
    beyond = kind_of(subscript) == "logical" and len(subscript) > len(x)
    named = kind_of(subscript) == "character"
    if beyond or not len(x) or (gone >= len(x)).any() or (not named and (gone < 0).any()):
        raise NotMovedError("NULL for items beyond the end of a list is not moved")
    return _without(x, gone)


def _fitting(x: Value, value: Any) -> Any:
    """Return what `value` is among the items of `x`: codes of a factor, days among dates."""
    if is_factor(x):
        return _as_codes(x, value)
    if is_factor(value) and not inherits(x, "Date"):
        return Value("integer", value._data)
    if inherits(x, "Date") and isinstance(value, Value) and not inherits(value, "Date"):
        if value._kind == "character":
            return default("as.Date")(value)
        if is_factor(value) or value._kind not in NUMBERS or not np.isnan(value._data).all():
            raise RError("do not know how to convert 'value' to class \"Date\"")
    return value


def _empty_like(value: Any) -> Value:
    kind = value._kind if isinstance(value, Value) and value._kind in KINDS else "list"
    return Value(kind, np.zeros(0, dtype=np.float64 if kind in NUMBERS else object))


def _as_codes(x: Value, value: Any) -> Value:
    levels = {level: float(at + 1) for at, level in enumerate(factor_levels(x))}
    texts = factor_labels(value)._data if is_factor(value) else coerced(value, "character")._data
    codes = np.array([levels.get(text, np.nan) for text in texts], dtype=np.float64)
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


def _filled(x: Value, kind: str, at: np.ndarray, fresh: np.ndarray, labels: list[str | None], least: int) -> Value:
    base = coerced(x, kind, keep=True)
    n = max(len(x), least, int(at.max()) + 1 if len(at) else 0)
    about = dict(x._attributes)
    if kind == "list" and not is_list(x):
        about = {} if names_of(x) is None else {"names": strings(names_of(x) or [])}
    # Nobody else holds these data: two references are that of `x` and that of the call, and they are no part of others.
    own = base is x and x._data.base is None and x._data.flags.writeable
    if n == len(x) and own and sys.getrefcount(x._data) <= _OWN:
        x._data[at] = fresh
        return x
    data = base._data.copy() if n == len(x) else longer(base, n)
    data[at] = fresh
    if n > len(x):
        about = {name: part for name, part in about.items() if name not in ("dim", "dimnames")}
        old = names_of(x)
        if old is not None or labels:
            more = labels or [""] * (n - len(x))
            about["names"] = strings([*(old or [""] * len(x)), *more])
    return Value(kind, data, about)


def longer(x: Value, n: int) -> np.ndarray:
    """Return the data of a vector or a list with missing items behind, `n` in all."""
    more = n - len(x)
    if n >= 2**40:
        raise NotMovedError("a subscript beyond memory")
    if x._kind in NUMBERS:
        return np.concatenate([x._data, np.full(more, missing_number(x._kind))])
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
        places(plain(s), n, names, stretch=False) for s, n, names in zip(subscripts, shape, dimnames_of(x), strict=True)
    ]
    if is_factor(x):
        value = _as_codes(x, value)
    elif is_factor(value):
        value = Value("integer", value._data)
    if any((part < 0).any() for part in at):
        if len(value) != 1:
            raise RError("NAs are not allowed in subscripted assignments")
        at = [part[part >= 0] for part in at]
    kind = _common(x, value)
    if kind == "list" and not is_list(x):
        raise NotMovedError("a list into a matrix is not moved")
    size = int(np.prod([len(part) for part in at]))
    if isinstance(value, Value) and len(value) and size % len(value):
        raise RError("number of items to replace is not a multiple of replacement length")
    fresh = _values(value, kind, size)
    base = coerced(x, kind, keep=True)
    grid = base._data.copy().reshape(shape, order="F")
    grid[np.ix_(*at)] = fresh.reshape([len(part) for part in at], order="F")
    return Value(kind, grid.ravel(order="F"), x._attributes)


def plain(subscript: Any) -> Any:
    """Return the codes of a factor, another subscript as it is."""
    return integers(subscript._data) if isinstance(subscript, Value) and is_factor(subscript) else subscript


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
        return _into_cell(x, value, *subscripts)
    subscript = as_value(subscripts[0])
    if is_frame(x):
        return into_one_column(x, subscript, value)
    if is_null(x):
        if is_null(value):
            return null()
        x = Value("list", objects([]))
    if len(subscript) > 1 and is_list(x):
        first = Value(subscript._kind, subscript._data[:1])
        rest = Value(subscript._kind, subscript._data[1:])
        inner = x[[first]]
        if is_null(inner):
            raise RError("no such index at level 1")
        return put_element(x, put_element(inner, value, rest), first)
    subscript = single_place(x, subscript)
    if not is_list(x):
        return _into_atomic(x, value, subscript)
    if is_null(value):
        return _without(x, places(subscript, len(x), names_of(x)))
    kept = value.copy() if isinstance(value, Value) else value
    return into_items(x, subscript, Value("list", objects([kept])))


def _into_atomic(x: Value, value: Any, subscript: Value) -> Value:
    if not isinstance(value, Value) or value._kind in ("language", "opaque"):
        return into_items(x, subscript, Value("list", objects([value])))
    if len(value) != 1:
        few = "more elements supplied than there are to replace" if len(value) else "replacement has length zero"
        raise RError(few)
    if is_list(value) and is_factor(x):
        raise NotMovedError("a list in the place of a level is not moved")
    return into_items(x, subscript, Value("list", objects([value])) if is_list(value) else value)


def _into_cell(x: Value, value: Any, row: Any, column: Any) -> Value:
    """Return a matrix or a data frame after ``x[[i, j]] <- value``."""
    if is_list(value):
        raise NotMovedError("a list into a cell is not moved")
    if not isinstance(value, Value) or len(value) != 1:
        raise RError("only a single element should be replaced")
    if is_frame(x):
        found = as_value(column)
        known = names_of(x) or []
        if (found._data[0] not in known) if found._kind == "character" else not 1 <= float(found) <= len(known):
            raise RError("replacing element in non-existent column")
    return put(x, value, row, column)


def single_place(x: Value, subscript: Value) -> Value:
    """Return a subscript that selects one item, which may be new."""
    if len(subscript) != 1:
        few = "more" if len(subscript) else "less"
        raise RError(f"attempt to select {few} than one element in vectorIndex")
    if subscript._kind == "character":
        return subscript
    if subscript._kind not in NUMBERS:
        raise RError(f"invalid subscript type '{subscript._kind}'")
    at = float(subscript._data[0])
    if at < 0 and len(x) == 2 and int(at) in (-1, -2):
        at = 3.0 + int(at)
    if not 1 <= at < np.inf:
        raise RError("attempt to select less than one element in OneIndex" if at == at else "subscript out of bounds")
    return integers(int(at))


def put_component(x: Any, value: Any, name: str) -> Value:
    """Return ``x`` after ``x$name <- value``."""
    x = as_value(x)
    if not is_list(x) and not is_null(x):
        if not isinstance(x, Value):
            raise RError("object of type 'closure' is not subsettable")
        warn("Coercing LHS to a list")
        names = names_of(x)
        bare = Value(x._kind, x._data)
        x = Value("list", coerced(bare, "list")._data, None if names is None else {"names": strings(names)})
    if is_null(x):
        if is_null(value):
            return null()
        x = Value("list", objects([]))
    return put_element(x, value, strings(name))


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
