"""Vectors, matrices and data frames put side by side (``cbind``), below each other (``rbind``), or matched (``merge``)."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.script.frames import counted, data_frame, framed
from pyrrf.script.subscripts import made_unique, of_rows
from pyrrf.script.values import (
    NotMovedError,
    RError,
    Value,
    arguments,
    as_value,
    coerced,
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_labels,
    factor_levels,
    flag,
    integers,
    is_factor,
    is_frame,
    is_list,
    is_null,
    names_of,
    null,
    objects,
    row_count,
    strings,
    wider,
)


def cbind(
    *dots: Any, deparse_level: Any = 1, stringsAsFactors: Any = False, deparsed: Any = None, **named: Any
) -> Value:
    """Return columns put side by side: a data frame if one part is one, or else a matrix."""
    parts = _parts(dots, named, deparsed)
    if any(is_frame(item) for _, item in parts):
        texts = [label for label, item in parts]
        plain = [item for _, item in parts]
        keys = [label if not is_frame(item) and dim_of(item) is None else "" for label, item in parts]
        return data_frame(*_named(keys, plain), check_names=False, stringsAsFactors=stringsAsFactors, deparsed=texts)
    return _bound(parts, 1)


def _named(labels: builtins.list[str], items: builtins.list[Any]) -> builtins.list[Any]:
    from pyrrf.script.values import Named

    return [Named(label, item) if label else item for label, item in zip(labels, items, strict=True)]


def rbind(
    *dots: Any, deparse_level: Any = 1, stringsAsFactors: Any = False, deparsed: Any = None, **named: Any
) -> Value:
    """Return rows put below each other: of data frames by the names of their columns, or else of a matrix."""
    parts = _parts(dots, named, deparsed)
    if any(is_frame(item) for _, item in parts):
        return _frames_below([(label, item) for label, item in parts])
    return _bound(parts, 0)


def _parts(dots: Any, named: dict[str, Any], deparsed: Any) -> builtins.list[tuple[str, Value]]:
    texts = builtins.list(deparsed or [])
    found = []
    for at, (name, item) in enumerate(arguments(dots, named)):
        if not isinstance(item, Value):
            raise RError("cannot create a matrix from type 'closure'")
        if not is_null(item):
            found.append((name or (texts[at] if at < len(texts) else ""), item))
    return found


def _bound(parts: builtins.list[tuple[str, Value]], axis: int) -> Value:
    """Return a matrix of vectors and matrices along an axis: 1 for columns side by side."""
    if not parts:
        return null()
    items = [Value("integer", item._data) if is_factor(item) else item for _, item in parts]
    shapes = [dim_of(item) if len(dim_of(item) or ()) == 2 else None for item in items]
    across = {shape[1 - axis] for shape in shapes if shape is not None}
    if len(across) > 1:
        raise RError(f"number of {'rows' if axis else 'columns'} of matrices must match (see arg 2)")
    n = across.pop() if across else max(len(item) for item in items)
    kind = wider(*(item._kind for item in items))
    grids, labels, named = [], [], False
    for (label, _), item, shape in zip(parts, items, shapes, strict=True):
        data = coerced(item, kind)._data
        if shape is None:
            if not len(item) and n:
                continue
            grid = np.resize(data, n) if n else data[:0]
            grids.append(grid[:, None] if axis else grid[None, :])
            labels.append(label)
            named = named or bool(label)
        else:
            grids.append(data.reshape(shape, order="F"))
            own = dimnames_of(item)[axis]
            labels += [""] * shape[axis] if own is None else [str(part) for part in own]
            named = named or own is not None
    grid = np.concatenate(grids, axis=axis)
    other = _other_labels(items, shapes, axis, n)
    about = {"dim": integers(grid.shape)}
    if named or other is not None:
        pair = [other, labels if named else None]
        about["dimnames"] = dimnames_value(pair if axis else pair[::-1])
    return Value(kind, grid.ravel(order="F"), about)


def _other_labels(items: builtins.list[Value], shapes: builtins.list[Any], axis: int, n: int) -> Any:
    """Return the labels along the matrices: of the first that has some, or else of a vector of full length."""
    for item, shape in zip(items, shapes, strict=True):
        if shape is not None and dimnames_of(item)[1 - axis] is not None:
            return dimnames_of(item)[1 - axis]
    for item, shape in zip(items, shapes, strict=True):
        if shape is None and len(item) == n and names_of(item) is not None:
            return names_of(item)
    return None


# ---- data frames below each other ----------------------------------------------------------------


def _frames_below(parts: builtins.list[tuple[str, Value]]) -> Value:
    frames = [(label, item) for label, item in parts if not (is_frame(item) and not len(item))]
    first = next(item for _, item in frames if is_frame(item))
    names = [str(name) for name in names_of(first) or []]
    rows: builtins.list[str] = []
    automatic = True
    pieces: builtins.list[builtins.list[Value]] = [[] for _ in names]
    for label, item in frames:
        columns, n = _as_columns(item, names)
        for piece, column in zip(pieces, columns, strict=True):
            piece.append(column)
        start = len(rows)
        if is_frame(item) and item._attributes["row.names"]._kind == "character":
            own = [str(text) for text in item._attributes["row.names"]._data]
            rows += [f"{label}.{text}" if label and n > 1 else (label or text) for text in own]
            automatic = False
        elif label:
            rows += [label] if n == 1 else [f"{label}.{i + 1}" for i in range(n)]
            automatic = False
        else:
            rows += _counted_rows(item, start, n)
            automatic = automatic and _is_automatic(item)
    made = [_column_below(piece) for piece in pieces]
    total = len(rows)
    labels = counted(total) if automatic else _row_labels(rows)
    return Value("list", objects(made), first._attributes | {"row.names": labels})


def _is_automatic(item: Value) -> bool:
    if not is_frame(item):
        return True
    found = item._attributes["row.names"]._data
    return bool(np.array_equal(found, np.arange(1, len(found) + 1)))


def _counted_rows(item: Value, start: int, n: int) -> builtins.list[str]:
    if _is_automatic(item):
        return [str(start + i + 1) for i in range(n)]
    return [str(int(v)) for v in item._attributes["row.names"]._data]


def _row_labels(rows: builtins.list[str]) -> Value:
    unique = made_unique(rows, "") if len(set(rows)) != len(rows) else rows
    whole = all(text.isdigit() and str(int(text)) == text for text in unique)
    return integers([int(text) for text in unique]) if whole else strings(unique)


def _as_columns(item: Value, names: builtins.list[str]) -> tuple[builtins.list[Value], int]:
    if is_frame(item) or (is_list(item) and names_of(item) is not None):
        own = [str(name) for name in names_of(item) or []]
        if len(own) != len(names):
            raise RError("numbers of columns of arguments do not match")
        if set(own) != set(names):
            if is_frame(item):
                raise RError("names do not match previous names")
            return [*item._data], max(len(column) for column in item._data)
        found = [item._data[own.index(name)] for name in names]
        return found, row_count(item) if is_frame(item) else max(len(column) for column in found)
    if is_list(item):
        return [item._data[j % len(item)] for j in range(len(names))], 1
    if len(dim_of(item) or ()) == 2:
        raise NotMovedError("rbind() of a data frame and a matrix")
    return [Value(item._kind, item._data[j % len(item) :][:1]) for j in range(len(names))], 1


def _column_below(parts: builtins.list[Value]) -> Value:
    """Return columns one below the other: the first one says whether it is a factor."""
    first = parts[0]
    if is_factor(first):
        levels = builtins.list(factor_levels(first))
        texts: builtins.list[Any] = []
        for part in parts:
            bare = factor_labels(part) if is_factor(part) else coerced(part, "character")
            more = factor_levels(part) if is_factor(part) else builtins.list(dict.fromkeys(bare._data))
            levels += [level for level in more if level is not None and level not in levels]
            texts += [*bare._data]
        codes = np.array([np.nan if text is None else levels.index(text) + 1.0 for text in texts])
        return Value("integer", codes, first._attributes | {"levels": strings(levels)})
    bare_parts = [factor_labels(part) if is_factor(part) else part for part in parts]
    kind = wider(*(part._kind for part in bare_parts))
    data = np.concatenate([coerced(part, kind)._data for part in bare_parts])
    kept = {k: v for k, v in first._attributes.items() if k in ("class", "units", "tzone") and not is_list(first)}
    return Value(kind, data, kept)


# ---- rows that belong together -------------------------------------------------------------------


def merge(
    x: Any,
    y: Any,
    by: Any = None,
    by_x: Any = None,
    by_y: Any = None,
    all: Any = False,
    all_x: Any = None,
    all_y: Any = None,
    sort: Any = True,
    suffixes: Any = None,
) -> Value:
    """Return the rows of two data frames that agree in some columns."""
    first, second = as_value(x), as_value(y)
    if not (is_frame(first) and is_frame(second)):
        raise NotMovedError("merge() of other than data frames")
    names = [[str(name) for name in names_of(frame) or []] for frame in (first, second)]
    shared = (
        [name for name in names[0] if name in names[1]]
        if by is None
        else [str(n) for n in coerced(by, "character")._data]
    )
    keys_x = shared if by_x is None else [str(n) for n in coerced(by_x, "character")._data]
    keys_y = shared if by_y is None else [str(n) for n in coerced(by_y, "character")._data]
    if not keys_x:
        raise NotMovedError("merge() without common columns")
    keep = [flag(all if part is None else part) for part in (all_x, all_y)]
    ends = [".x", ".y"] if suffixes is None else [str(text) for text in coerced(suffixes, "character")._data]
    at_x, at_y = _matched(first, second, keys_x, keys_y, keep, flag(sort))
    return _merged(first, second, keys_x, keys_y, at_x, at_y, ends)


def _column(frame: Value, name: str) -> Value:
    found: Value = frame._data[[str(n) for n in names_of(frame) or []].index(name)]
    return found


def _matched(
    x: Value, y: Value, keys_x: builtins.list[str], keys_y: builtins.list[str], keep: builtins.list[bool], sort: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows go together; -1 where one side has none."""
    from pyrrf.script.ordering import keys

    rows = [
        builtins.list(zip(*[keys(_comparable(_column(frame, name))) for name in names], strict=True))
        for frame, names in ((x, keys_x), (y, keys_y))
    ]
    pairs = [(i, j) for j, key in enumerate(rows[1]) for i, other in enumerate(rows[0]) if key == other]
    used_x, used_y = {i for i, _ in pairs}, {j for _, j in pairs}
    if sort and pairs:
        pairs = [pairs[int(k)] for k in _key_order(x, keys_x, np.array([i for i, _ in pairs]))]
    extra: builtins.list[tuple[int, int]] = []
    if keep[0]:
        extra += [(i, -1) for i in range(len(rows[0])) if i not in used_x]
    if keep[1]:
        extra += [(-1, j) for j in range(len(rows[1])) if j not in used_y]
    if extra and sort:
        return _sorted_with_extra(x, y, keys_x, keys_y, pairs + extra)
    both = np.array(pairs + extra, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _comparable(column: Value) -> Value:
    return (
        factor_labels(column)
        if is_factor(column)
        else coerced(column, "double")
        if column._kind == "integer"
        else column
    )


def _key_order(x: Value, names: builtins.list[str], at: np.ndarray) -> np.ndarray:
    from pyrrf.script.ordering import order

    return order(*[of_rows(_column(x, name), at) for name in names])._data.astype(np.int64) - 1


def _sorted_with_extra(
    x: Value, y: Value, keys_x: builtins.list[str], keys_y: builtins.list[str], pairs: builtins.list[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    from pyrrf.script.ordering import order
    from pyrrf.script.vectors import c

    columns = []
    for a, b in zip(keys_x, keys_y, strict=True):
        one, two = _column(x, a), _column(y, b)
        columns.append(c(*[of_rows(one, np.array([i])) if i >= 0 else of_rows(two, np.array([j])) for i, j in pairs]))
    at = order(*columns)._data.astype(np.int64) - 1
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)[at]
    return both[:, 0], both[:, 1]


def _merged(
    x: Value,
    y: Value,
    keys_x: builtins.list[str],
    keys_y: builtins.list[str],
    at_x: np.ndarray,
    at_y: np.ndarray,
    ends: builtins.list[str],
) -> Value:
    from pyrrf.script.vectors import c

    rest_x = [str(n) for n in names_of(x) or [] if n not in keys_x]
    rest_y = [str(n) for n in names_of(y) or [] if n not in keys_y]
    columns: builtins.list[Any] = []
    for a, b in zip(keys_x, keys_y, strict=True):
        one, two = _column(x, a), _column(y, b)
        if (at_x >= 0).all():
            columns.append(of_rows(one, at_x))
        else:
            parts = [
                of_rows(one, np.array([i])) if i >= 0 else of_rows(two, np.array([j]))
                for i, j in zip(at_x, at_y, strict=True)
            ]
            columns.append(c(*parts))
    labels = [*keys_x]
    for frame, rest, at, end, other in ((x, rest_x, at_x, ends[0], rest_y), (y, rest_y, at_y, ends[1], rest_x)):
        for name in rest:
            columns.append(of_rows(_column(frame, name), at))
            labels.append(f"{name}{end}" if name in other else name)
    return framed(columns, labels, counted(len(at_x)))
