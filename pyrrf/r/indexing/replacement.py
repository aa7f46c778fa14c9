"""``x[i] <- v``, ``x[i, j] <- v``, ``x[[i]] <- v`` and ``x$name <- v``, of vectors, lists and data frames."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.indexing.subscripts import ALL, cell_places, element, is_all, made_unique, missing_items, places
from pyrrf.r.values.coercion import as_codes, as_plain, bare, cells_of, coerce, wider, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_list, is_null, kind_of
from pyrrf.r.values.labels import dim_of, dimnames_of, known_names, names_of, names_part, row_count, row_names
from pyrrf.r.values.methods import default
from pyrrf.r.values.vector import KINDS, NUMBERS, Value, as_value, copy, integers, null, objects, strings

_OWN = 2
_Labels = list[str | None]
_CLOSURE = "object of type 'closure' is not subsettable"


@r_function()
def put(x: object, value: object, *subscripts: object) -> Value:
    """Return ``x`` after ``x[...] <- value``; `x` itself stays."""
    return assign(copy(as_value(x)), value, *subscripts)


def assign(x: object, value: object, *subscripts: object) -> Value:
    """Return ``x`` after ``x[...] <- value``; the data of `x` may be changed in their place."""
    value = as_value(value)
    if not isinstance(x, Value):
        raise RError(_CLOSURE)
    if is_frame(x):
        frame = _into_frame(x, value, *subscripts)
        if inherits(x, "tbl_df"):
            _refuse_other_kinds(x, frame)
        return frame
    if len(subscripts) != 1:
        return _into_block(x, subscripts, value)
    subscript = subscripts[0]
    if _is_grid(subscript):
        subscript = cell_places(x, subscript)
    names = names_of(x)
    if names is not None and len(dim_of(x) or ()) == 1 and kind_of(subscript) == "character":
        x = Value(x._kind, x._data, without(x, "dim", "dimnames")._attributes | names_part(names))
    return into_items(x, subscript, value)


def _is_grid(x: object) -> TypeGuard[Value]:
    """Return whether a value has two dimensions: a matrix or a data frame."""
    return len(dim_of(x) or ()) == 2


def _is_vector(x: object) -> TypeGuard[Value]:
    """Return whether a value is a vector or a list; functions, formulas and environments are put in as they are."""
    return isinstance(x, Value) and x._kind in KINDS


def _refuse_other_kinds(x: Value, new: Value) -> None:
    """Refuse to change the kind of a column of a tibble, which R may do, too."""
    kinds = {name: column._kind for name, column in zip(names_of(x) or [], x._data, strict=True)}
    same = all(kinds.get(name, c._kind) == c._kind for name, c in zip(names_of(new) or [], new._data, strict=True))
    if inherits(x, "grouped_df") or not same or len(new._attributes["row.names"]) != len(x._attributes["row.names"]):
        raise NotSupportedError("values of another kind, or new rows, for a tibble")


# ---- vectors and lists ---------------------------------------------------------------------------


def into_items(x: Value, subscript: object, value: Item) -> Value:
    """Return a vector or a list after ``x[i] <- value``."""
    if is_null(x):
        if isinstance(value, Value) and not len(value):
            return null()
        x = Value(value._kind, value._data[:0]) if _is_vector(value) else Value("list", objects([]))
    if kind_of(value) == "NULL" and is_list(x):
        return _without_some(x, subscript)
    value = _fit_value(x, value)
    if not len(x) and isinstance(value, Value) and not len(value) and (x._kind == value._kind or is_list(value)):
        return x
    if not is_all(subscript):
        subscript = as_value(subscript)
    index, labels = _target_places(x, subscript)
    least = len(subscript) if isinstance(subscript, Value) and subscript._kind == "logical" else 0
    kind = _common(x, value)
    fresh = _values(value, kind, len(index))
    if (index < 0).any():
        stop_if(len(value) > 1, "NAs are not allowed in subscripted assignments")
        index, fresh = index[index >= 0], fresh[index >= 0]
    return _fill_items(x, kind, index, fresh, labels, least)


def _without_some(x: Value, subscript: Item) -> Value:
    """Return a list after ``x[i] <- NULL``."""
    gone = places(subscript, len(x), names_of(x))
    beyond = kind_of(subscript) == "logical" and len(subscript) > len(x)
    named = kind_of(subscript) == "character"
    if beyond or not len(x) or (gone >= len(x)).any() or (not named and (gone < 0).any()):
        raise NotSupportedError("NULL for items beyond the end of a list is not supported")
    return _without(x, gone)


def _fit_value(x: Value, value: Item) -> Item:
    """Return `value` as items of `x` hold it: codes of a factor, days among dates."""
    if is_factor(x):
        return _as_levels(x, value)
    for name in ("Date", "POSIXct", "difftime"):
        if inherits(x, name) and isinstance(value, Value) and len(value):
            return default(f"as.{name}")(value, x) if name == "difftime" else default(f"as.{name}")(value)
    return as_codes(value)


def _as_levels(x: Value, value: Item) -> Value:
    """Return values as codes of the levels of `x`."""
    levels = {level: float(i + 1) for i, level in enumerate(factor_levels(x))}
    texts = coerce(value, "character")._data
    if not {*levels, None} >= {*texts}:
        warn("invalid factor level, NA generated")
    return integers([levels.get(text, np.nan) for text in texts])


def _target_places(x: Value, subscript: object) -> tuple[np.ndarray, _Labels]:
    """Return positions, those of new names behind the end, and the new names."""
    index = places(subscript, len(x), names_of(x))
    if not isinstance(subscript, Value) or subscript._kind != "character":
        return index, []
    return index, _behind(index, subscript._data, len(x), alone=(None, ""))


def _behind(index: np.ndarray, labels: np.ndarray, n: int, alone: Sequence[str | None] = ()) -> _Labels:
    """Give labels without a position the positions behind `n`, and return them; each of `alone` is a new one."""
    new: _Labels = []
    for i in np.flatnonzero(index < 0).tolist():
        if labels[i] not in new or labels[i] in alone:
            new.append(labels[i])
        index[i] = n + new.index(labels[i])
    return new


def _common(x: Value, value: Item) -> str:
    return wider(x._kind, value._kind) if _is_vector(value) else "list"


def _values(value: Item, kind: str, n: int) -> np.ndarray:
    """Return `n` items of a kind; shorter values are recycled."""
    if not _is_vector(value):
        return objects([value] * n)
    stop_if(not len(value) and n, "replacement has length zero")
    data = coerce(value, kind)._data
    if n and n % len(data):
        warn("number of items to replace is not a multiple of replacement length")
    return data[:n] if len(data) >= n else data[np.arange(n) % len(data)]


def _fill_items(x: Value, kind: str, index: np.ndarray, fresh: np.ndarray, labels: _Labels, least: int) -> Value:
    base = coerce(x, kind, keep=True)
    n = max(len(x), least, int(index.max()) + 1 if len(index) else 0)
    about = x._attributes if kind != "list" or is_list(x) else names_part(names_of(x))
    # Nobody else holds these data: two references are that of `x` and that of the call, and they are no part of others.
    own = base is x and x._data.base is None and x._data.flags.writeable
    if n == len(x) and own and sys.getrefcount(x._data) <= _OWN:
        x._data[index] = fresh
        return x
    data = base._data.copy() if n == len(x) else longer(base, n)
    data[index] = fresh
    if n > len(x):
        about = {name: value for name, value in about.items() if name not in ("dim", "dimnames")}
        old = names_of(x)
        if old is not None or labels:
            about["names"] = strings([*(old or [""] * len(x)), *(labels or [""] * (n - len(x)))])
    return Value(kind, data, about)


def longer(x: Value, n: int) -> np.ndarray:
    """Return the data of a vector or a list with missing items behind, `n` in all."""
    refuse_if(n >= 2**40, "a subscript beyond memory")
    return np.concatenate([x._data, missing_items(x._kind, n - len(x))])


def _without(x: Value, index: np.ndarray) -> Value:
    """Return a list without some items."""
    left = np.ones(len(x), dtype=bool)
    left[index[(index >= 0) & (index < len(x))]] = False
    names = names_of(x)
    chosen = names_part(None if names is None else objects(names)[left])
    return Value("list", x._data[left], x._attributes | chosen)


# ---- matrices ------------------------------------------------------------------------------------


def _into_block(x: Value, subscripts: Sequence[object], value: Item) -> Value:
    shape, labels = dim_of(x), dimnames_of(x)
    if shape is None or len(shape) != len(subscripts):
        raise RError("incorrect number of subscripts on matrix")
    indices = [places(s, n, names, stretch=False) for s, n, names in zip(subscripts, shape, labels, strict=True)]
    value = _as_levels(x, value) if is_factor(x) else as_codes(value)
    if any((index < 0).any() for index in indices):
        stop_if(len(value) != 1, "NAs are not allowed in subscripted assignments")
        indices = [index[index >= 0] for index in indices]
    kind = _common(x, value)
    refuse_if(kind == "list" and not is_list(x), "a list into a matrix is not supported")
    size = int(np.prod([len(index) for index in indices]))
    if isinstance(value, Value) and len(value) and size % len(value):
        raise RError("number of items to replace is not a multiple of replacement length")
    fresh = _values(value, kind, size)
    grid = cells_of(coerce(x, kind, keep=True)).copy()
    grid[np.ix_(*indices)] = fresh.reshape([len(index) for index in indices], order="F")
    return Value(kind, grid.ravel(order="F"), x._attributes)


# ---- one item ------------------------------------------------------------------------------------


@r_function()
def put_element(x: object, value: object, *subscripts: object) -> Value:
    """Return ``x`` after ``x[[i]] <- value``; `x` itself stays."""
    return changed_element(copy(as_value(x)), value, *subscripts)


def changed_element(x: object, value: object, *subscripts: object) -> Value:
    """Return ``x`` after ``x[[i]] <- value``; the data of `x` may be changed in their place."""
    value = as_value(value)
    if not isinstance(x, Value):
        raise RError(_CLOSURE)
    if len(subscripts) == 2:
        return _into_cell(x, value, *subscripts)
    subscript = as_value(subscripts[0])
    if is_frame(x):
        return _into_one_column(x, subscript, value)
    if is_null(x):
        if is_null(value):
            return null()
        x = Value("list", objects([]))
    if len(subscript) > 1 and is_list(x):
        first = Value(subscript._kind, subscript._data[:1])
        rest = Value(subscript._kind, subscript._data[1:])
        inner = element(x, first)
        stop_if(is_null(inner), "no such index at level 1")
        return put_element(x, put_element(inner, value, rest), first)
    subscript = _single_place(x, subscript)
    if not is_list(x):
        return _into_atomic(x, value, subscript)
    if is_null(value):
        return _without(x, places(subscript, len(x), names_of(x)))
    return into_items(x, subscript, Value("list", objects([copy(value)])))


def _into_atomic(x: Value, value: Item, subscript: Value) -> Value:
    if not _is_vector(value):
        return into_items(x, subscript, Value("list", objects([value])))
    if len(value) != 1:
        raise RError(
            "more elements supplied than there are to replace" if len(value) else "replacement has length zero"
        )
    refuse_if(is_list(value) and is_factor(x), "a list in the place of a level is not supported")
    return into_items(x, subscript, Value("list", objects([value])) if is_list(value) else value)


def _into_cell(x: Value, value: Item, row: object, column: object) -> Value:
    """Return a matrix or a data frame after ``x[[i, j]] <- value``."""
    refuse_if(is_list(value), "a list into a cell is not supported")
    stop_if(not isinstance(value, Value) or len(value) != 1, "only a single element should be replaced")
    if is_frame(x):
        key = as_value(column)
        known = names_of(x) or []
        if (key._data[0] not in known) if key._kind == "character" else not 1 <= float(key) <= len(known):
            raise RError("replacing element in non-existent column")
    return put(x, value, row, column)


def _single_place(x: Value, subscript: Value) -> Value:
    """Return a subscript that selects one item, which may be new."""
    if len(subscript) != 1:
        few = "more" if len(subscript) else "less"
        raise RError(f"attempt to select {few} than one element in vectorIndex")
    if subscript._kind == "character":
        return subscript
    stop_if(subscript._kind not in NUMBERS, f"invalid subscript type '{subscript._kind}'")
    i = float(subscript._data[0])
    if i < 0 and len(x) == 2 and int(i) in (-1, -2):
        i = 3.0 + int(i)
    if not 1 <= i < np.inf:
        raise RError("attempt to select less than one element in OneIndex" if i == i else "subscript out of bounds")
    return integers(int(i))


@r_function()
def put_component(x: object, value: object, name: str) -> Value:
    """Return ``x`` after ``x$name <- value``."""
    x = as_value(x)
    if not isinstance(x, Value):
        raise RError(_CLOSURE)
    if not is_list(x) and not is_null(x):
        warn("Coercing LHS to a list")
        x = Value("list", coerce(bare(x), "list")._data, names_part(names_of(x)))
    return put_element(x, value, strings(name))


# ---- data frames ---------------------------------------------------------------------------------


def _into_frame(x: Value, value: Item, *subscripts: object) -> Value:
    """Return a data frame after ``x[...] <- value``."""
    if len(subscripts) == 1:
        subscript = subscripts[0]
        if _is_grid(subscript):
            return _into_cells(x, subscript, value)
        return _into_columns(x, subscript, ALL, value)
    refuse_if(len(subscripts) != 2, "[] <- of a data frame")
    return _into_columns(x, subscripts[1], subscripts[0], value)


def _into_cells(x: Value, mask: Value, value: Item) -> Value:
    """Return a frame after ``x[is.na(x)] <- value``: one value, or one for each cell in order of columns."""
    stop_if(mask._kind != "logical" or dim_of(mask) != dim_of(x), "unsupported matrix index in replacement")
    stop_if(np.isnan(mask._data).any(), "missing values are not allowed in subscripted assignments of data frames")
    refuse_if(is_list(value), "a list, or a data frame, into cells that a matrix names")
    grid = cells_of(mask) != 0
    count = int(grid.sum())
    stop_if(count and len(value) > 1 and (len(value) > count or count % len(value)), "'value' is the wrong length")
    columns, used = [], 0
    for j, column in enumerate(x._data):
        rows = np.flatnonzero(grid[:, j])
        new = value
        if len(value) > 1:
            new = Value(value._kind, np.resize(value._data, count)[used : used + len(rows)])
            used += len(rows)
        columns.append(into_items(column.copy(), integers(rows + 1), new) if len(rows) else column)
    return Value("list", objects(columns), x._attributes)


def _into_columns(x: Value, columns: object, rows: object, value: Item) -> Value:
    refuse_if(names_of(x) is None, "columns of a data frame that lost its names")
    names = known_names(x)
    targets = list(enumerate(names)) if is_all(columns) else _column_targets(as_value(columns), names)
    if len({j for j, _ in targets}) != len(targets):
        if kind_of(as_value(columns)) == "character":
            raise NotSupportedError("a name that stands twice among columns to be replaced is not supported")
        raise RError("duplicate subscripts for columns")
    if is_null(value) or (is_list(value) and not len(value)):
        stop_if(not is_all(rows), "replacement has length zero")
        return _drop_items(x, [j for j, _ in targets])
    n = row_count(x)
    index, labels = (None, []) if is_all(rows) else _row_places(x, as_value(rows))
    if index is not None and len(index) and index.max() >= n:
        refuse_if(not targets or is_frame(value), "new rows without a column, or from a data frame, are not supported")
        x = _more_rows(x, int(index.max()) + 1, labels)
        n = row_count(x)
    _check_columns(x, value, targets, index)
    parts = _column_values(value, len(targets), n if index is None else len(index))
    return _with_columns(x, targets, parts, index)


def _with_columns(x: Value, targets: list[tuple[int, str]], parts: list[Item], index: np.ndarray | None) -> Value:
    """Return a frame with new values for columns; those that get NULL are dropped."""
    gone = [j for (j, _), value in zip(targets, parts, strict=True) if is_null(value)]
    refuse_if(gone and (index is not None or max(gone) >= len(x)), "NULL for rows, or for a column that is missing")
    columns, names = list(x._data), known_names(x)
    for (j, name), value in zip(targets, parts, strict=True):
        if j in gone:
            continue
        column = _with_rows(columns[j] if j < len(columns) else None, index, value, row_count(x))
        if j < len(columns):
            columns[j] = column
            continue
        refuse_if(len(set(names)) < len(names), "a new column in a table with equal column names")
        columns.append(column)
        names.append(name)
    return _drop_items(Value("list", objects(columns), x._attributes | {"names": strings(names)}), gone)


def _check_columns(x: Value, value: Item, targets: list[tuple[int, str]], index: np.ndarray | None) -> None:
    vector = isinstance(value, Value) and not is_list(value)
    new = [(j, name) for j, name in targets if j >= len(x)]
    if not targets and isinstance(value, Value) and len(value) > (1 if row_count(x) else 0):
        raise NotSupportedError("values for no column of a data frame")
    refuse_if(is_list(value) and len(value) > len(targets), "more columns than are asked for are not supported")
    if index is None and not row_count(x) and vector and len(value):
        raise RError(f"replacement has {len(value)} rows, data has 0")
    stop_if(index is None and not row_count(x) and vector and len(targets) > 1, "subscript out of bounds")
    plain = vector and not is_factor(value) and dim_of(value) is None
    if new and index is not None and not (len(index) and plain):
        raise NotSupportedError("a new column in some of the rows from a factor, a list or a matrix is not supported")
    if new and is_list(value) and names_of(value) and all(name == f"V{j + 1}" for j, name in new):
        raise NotSupportedError("new columns by number that take the names of a list are not supported")


def _column_targets(columns: Value, names: list[str]) -> list[tuple[int, str]]:
    """Return positions and names of the columns that a subscript means, which may be new."""
    refuse_if(columns._kind == "logical" and (len(columns) > len(names) or not names), "more flags than columns")
    if columns._kind == "character":
        refuse_if(not all(columns._data), "a column without a name is not supported")
        index = places(columns, len(names), list(names))
        _behind(index, columns._data, len(names))
        return list(zip(index.tolist(), columns._data, strict=True))
    numbers = columns._kind in ("integer", "double")
    if numbers and ((columns._data != np.trunc(columns._data)) | (columns._data == 0)).any():
        raise NotSupportedError("columns to be replaced by a number that is 0, missing or not whole are not supported")
    refuse_if(numbers and not names, "columns by number of a data frame without columns are not supported")
    index = places(columns, len(names), list(names))
    stop_if((index < 0).any(), "missing values are not allowed in subscripted assignments of data frames")
    if len(index) and index.max() > len(names) and not set(range(len(names), int(index.max()))) <= set(index.tolist()):
        raise RError("new columns would leave holes after existing columns")
    return [(int(j), names[j] if j < len(names) else f"V{j + 1}") for j in index]


def _row_places(x: Value, rows: Value) -> tuple[np.ndarray, _Labels]:
    """Return positions of rows, those of new names behind the end, and the new names."""
    n = row_count(x)
    stop_if(rows._kind == "logical" and rows._data[n:].any(), "non-existent rows not allowed")
    index = places(rows, n, row_names(x))
    if rows._kind == "character":
        return index, _behind(index, rows._data, n)
    stop_if((index < 0).any(), "missing values are not allowed in subscripted assignments of data frames")
    if rows._kind == "double" and (np.trunc(rows._data) != rows._data).any():
        raise NotSupportedError("rows by numbers that are not whole, where some may be new")
    return index, []


def _more_rows(x: Value, n: int, labels: _Labels) -> Value:
    old = row_count(x)
    rows = x._attributes["row.names"]
    if rows._kind == "integer" and not labels and not set(rows._data.tolist()) & set(range(old + 1, n + 1)):
        more = Value("integer", np.array([*rows._data, *range(old + 1, n + 1)], dtype=np.float64), None, "given")
    else:
        more = strings(made_unique([*row_names(x), *(labels or [str(i + 1) for i in range(old, n)])]))
    grown = [Value(column._kind, longer(column, n), column._attributes) for column in x._data]
    return Value("list", objects(grown), x._attributes | {"row.names": more})


def _column_values(value: Item, p: int, n: int) -> list[Item]:
    """Return the values for each column: the items of a list, or a share of a vector."""
    if is_list(value):
        for item in value._data:
            refuse_if(len(dim_of(item) or ()) > 1, "a table or a matrix among the columns to be put in")
            if isinstance(item, Value) and 0 < len(item) < n and n % len(item):
                raise RError(f"replacement element has {len(item)} rows to replace {n} rows")
        return [value._data[j % len(value)] for j in range(p)]
    stop_if(not isinstance(value, Value), "replacement is a function")
    return _parts(value, p, n)


def _parts(value: Value, p: int, n: int) -> list[Value]:
    """Return the parts of a vector or a matrix for `p` columns of `n` rows."""
    shape, size = dim_of(value), n * p
    if p == 1 and not n and not len(value) and shape is None:
        return [value]
    if n and p == 1 and (len(shape or ()) < 2 or len(value) == n):
        stop_if(not len(value) or len(value) > n or n % len(value), f"replacement has {len(value)} items, need {n}")
        return [value]
    if p == 1 and shape is not None and len(shape) == 2:
        if n and shape[0] == n:
            return [value]
        raise NotSupportedError("a matrix of several columns as a column is not supported")
    if size and (not len(value) or (len(value) < size and size % len(value))):
        raise RError(f"replacement has {len(value)} items, need {size}")
    plain = as_plain(value)
    if not n:
        return [Value(plain._kind, plain._data[:0])] * p
    wide = np.resize(plain._data, size)
    return [Value(plain._kind, wide[j * n : (j + 1) * n]) for j in range(p)]


def _with_rows(column: Value | None, index: np.ndarray | None, value: Item, n: int) -> Value:
    """Return a column of `n` rows, new if it is None, with new values in all rows or in some."""
    if index is None:
        return recycled_column(value, n)
    if column is None:
        return into_items(_blank(value, n), integers(index + 1), value)
    refuse_if(len(index) and len(dim_of(column) or ()) > 1, "rows of a column that is a matrix or a table")
    return into_items(column.copy(), integers(index + 1), value) if len(index) else column


def _blank(value: Value, n: int) -> Value:
    """Return a column of missing values, of which some rows will be assigned."""
    like = coerce(value, "character") if is_factor(value) else without(value, "names", "dim", "dimnames")
    return Value(like._kind, missing_items(like._kind, n), like._attributes)


def recycled_column(value: Item, n: int) -> Value:
    """Return a value repeated to a column of `n` rows, without the names of a vector."""
    if not isinstance(value, Value) or len(dim_of(value) or ()) > 1:
        if isinstance(value, Value) and (dim_of(value) or (len(value),))[0] == n:
            return value
        raise RError(f"replacement has another number of rows than data, which has {n}")
    if len(value) == n:
        return value.copy() if is_list(value) else without(value, "names", "dimnames")
    refuse_if(is_list(value), "a list that is repeated as a column")
    stop_if(not len(value) or n % len(value) or len(value) > n, f"replacement has {len(value)} rows, data has {n}")
    # R repeats it by rep(), which has methods for these classes and drops all attributes of others.
    known = inherits(value, "factor", "Date", "POSIXct", "difftime")
    return Value(value._kind, np.resize(value._data, n), without(value, "names")._attributes if known else None)


def _drop_items(x: Value, gone: list[int]) -> Value:
    left = [j for j in range(len(x)) if j not in gone]
    names = names_of(x) or []
    return Value("list", x._data[left], x._attributes | {"names": strings([names[j] for j in left])})


def _into_one_column(x: Value, subscript: Value, value: Item) -> Value:
    """Return a frame after ``x[[j]] <- value``; a list becomes a column as it is."""
    refuse_if(len(subscript) != 1, "[[ ]] <- with several subscripts of a data frame is not supported")
    subscript = _single_place(x, subscript)
    if is_list(value):
        refuse_if(is_frame(value) or len(value) != row_count(x), "a list of another length as a column")
        value = Value("list", objects([value]))
    return _into_columns(x, subscript, ALL, value)
