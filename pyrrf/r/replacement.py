"""``x[i] <- v``, ``x[i, j] <- v``, ``x[[i]] <- v`` and ``x$name <- v``: each gives a new value; `x` stays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.coercion import coerced, wider
from pyrrf.r.looking import (
    dim_of,
    dimnames_of,
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    names_of,
)
from pyrrf.r.methods import default
from pyrrf.r.places import is_all, places
from pyrrf.r.values import (
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
        from pyrrf.r.columns import into_frame

        found = into_frame(x, value, *subscripts)
        if inherits(x, "tbl_df"):
            _refuse_other_kinds(x, found)
        return found
    if len(subscripts) == 1:
        subscript = subscripts[0]
        if isinstance(subscript, Value) and len(dim_of(subscript) or ()) == 2:
            from pyrrf.r.matrix_cells import cell_places

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
        from pyrrf.r.columns import into_one_column

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
