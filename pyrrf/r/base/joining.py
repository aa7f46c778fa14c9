"""Vectors, matrices and data frames side by side (``cbind``), below each other (``rbind``), or matched (``merge``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.frames import as_data_frame, data_frame, make_frame, row_ids
from pyrrf.r.base.ordering import order
from pyrrf.r.base.sets import match
from pyrrf.r.indexing.replacement import into_items
from pyrrf.r.indexing.subscripts import made_unique, of_rows, rows_of, take
from pyrrf.r.values.arguments import UNKNOWN_CODE, Codes, arguments, codes, flag
from pyrrf.r.values.coercion import attrs, coerce, factor_labels, wider
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Whole, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_list, is_null
from pyrrf.r.values.labels import (
    dim_of,
    dimnames_of,
    dimnames_value,
    is_matrix,
    known_names,
    matrix_of,
    names_of,
    row_count,
)
from pyrrf.r.values.vector import Value, as_value, integers, null, objects, strings
from pyrrf.rlang.tokens import scan

Arguments = list[tuple[str, Item]]
Labels = list[str | None] | None
_CONSTANTS = {"TRUE", "FALSE", "NULL", "NA", "NaN", "Inf", "NA_integer_", "NA_real_", "NA_character_"}


@r_function(in_order=True, dots_in_order=True, labels_code=True)
def cbind(
    *dots: object, deparse_level: Whole = 1, stringsAsFactors: object = False, deparsed: Codes = None, **named: object
) -> Value:
    """Return columns put side by side: a data frame if one part is one, or else a matrix."""
    if any(is_frame(item) for _, item in arguments(dots, named)):
        texts = [""] * len(dots) if deparsed is None else deparsed
        return data_frame(*dots, check_names=False, stringsAsFactors=stringsAsFactors, deparsed=texts, **named)
    return _bind(_parts(dots, named, deparsed, deparse_level), 1)


def code_label(text: str) -> str:
    """Return the name that code is; '' if it is something else, which labels no column of a matrix."""
    if text == UNKNOWN_CODE:
        return text
    tokens = scan(text)
    if text == ".":  # an operator in formulas
        return text
    if len(tokens) != 1 or tokens[0].kind not in ("name", "quoted"):
        return ""
    return "" if tokens[0].kind == "name" and tokens[0].text in _CONSTANTS else tokens[0].text


@r_function(in_order=True, dots_in_order=True)
def rbind(
    *dots: object, deparse_level: Whole = 1, stringsAsFactors: object = None, deparsed: Codes = None, **named: object
) -> Value:
    """Return rows put below each other: of data frames by the names of their columns, or else of a matrix."""
    given = arguments(dots, named)
    if any(is_frame(item) for _, item in given):
        if {"make.row.names", "factor.exclude"} & {name for name, _ in given}:
            raise NotSupportedError("rbind() of data frames with make.row.names or factor.exclude")
        return _frames_below(given, stringsAsFactors is not None and flag(stringsAsFactors))
    refuse_if(stringsAsFactors is not None, "rbind() of vectors or matrices with stringsAsFactors, which R makes a row")
    return _bind(_parts(dots, named, deparsed, deparse_level), 0)


@r_function()
def cbind_data_frame(*dots: object, deparsed: Codes = None, **named: object) -> Value:
    """Return columns put side by side as a data frame."""
    return data_frame(*dots, check_names=False, deparsed=deparsed or [""] * len(dots), **named)


@r_function()
def rbind_data_frame(*dots: object, **named: object) -> Value:
    """Return rows put below each other as a data frame."""
    return _frames_below(arguments(dots, named), False)


def with_texts(given: Arguments, deparsed: Iterable[str]) -> Arguments:
    """Return arguments named, where they have no names, by their code."""
    texts = iter(deparsed)
    return [(name or next(texts, ""), item) for name, item in given]


def _parts(dots: Sequence[object], named: Mapping[str, object], deparsed: Codes, level: int) -> Arguments:
    refuse_if(level not in (0, 1), "cbind() and rbind() with deparse.level = 2")
    labels = [code_label(text) for text in codes(deparsed, dots)] if level else []
    items = with_texts(arguments(dots, named), labels)
    if any(name == UNKNOWN_CODE and len(dim_of(item) or ()) != 2 for name, item in items):
        raise NotSupportedError("cbind() and rbind() of vectors that stand in ..., by whose code R names them")
    stop_if(any(not isinstance(item, Value) for _, item in items), "cannot create a matrix from type 'closure'")
    parts = [(name, item) for name, item in items if not is_null(item)]
    if len(parts) < len(items) and parts and not any(len(item) or dim_of(item) is not None for _, item in parts):
        raise NotSupportedError("cbind() or rbind() of NULL and vectors without items")
    return parts


def _bind(parts: Arguments, axis: int) -> Value:
    """Return a matrix of vectors and matrices along an axis: 1 for columns side by side."""
    if not parts:
        return null()
    about = ("names", "dim", "dimnames")
    items = [Value("integer", x._data, attrs(x, *about)) if is_factor(x) else x for _, x in parts]
    shapes = [dim_of(item) if len(dim_of(item) or ()) == 2 else None for item in items]
    across = [shape[1 - axis] for shape in shapes if shape is not None]
    if len(set(across)) > 1:
        i = next(k for k, shape in enumerate(shapes) if shape is not None and shape[1 - axis] != across[0])
        raise RError(f"number of {'rows' if axis else 'columns'} of matrices must match (see arg {i + 1})")
    n = across[0] if across else max(len(item) for item in items)
    kind = wider(*(item._kind for item in items))
    grids: list[np.ndarray] = []
    labels: list[str | None] = []
    named = False
    for i, ((label, _), item, shape) in enumerate(zip(parts, items, shapes, strict=True)):
        data = coerce(item, kind)._data
        if shape is not None:
            own = dimnames_of(item)[axis]
            grids.append(data.reshape(shape, order="F"))
            labels += [""] * shape[axis] if own is None else own
            named = named or own is not None
        elif len(item) or not n:
            if n and (n % len(item) or len(item) > n):
                lines = "rows" if axis else "columns"
                warn(f"number of {lines} of result is not a multiple of vector length (arg {i + 1})")
            line = data[np.arange(n) % len(item)] if n else data[:0]
            grids.append(line[:, None] if axis else line[None, :])
            labels.append(label)
            named = named or bool(label)
    other = _other_labels(items, shapes, axis, n)
    joint = matrix_of(kind, np.concatenate(grids, axis=axis))
    # Without rows R takes no names for names of all rows.
    if named or other is not None or not n:
        pair = [other, labels if named else None]
        joint._attributes["dimnames"] = dimnames_value(pair if axis else pair[::-1])
    return joint


def _other_labels(items: list[Value], shapes: list[tuple[int, ...] | None], axis: int, n: int) -> Labels:
    """Return the labels along the matrices: of the first that has some, or else of a vector of full length."""
    for item, shape in zip(items, shapes, strict=True):
        labels = names_of(item) if shape is None else dimnames_of(item)[1 - axis]
        if labels is not None and (shape is not None or len(item) == n):
            return labels
    return None


# ---- data frames below each other ----------------------------------------------------------------


def _frames_below(given: Arguments, factors: bool) -> Value:
    """Return rows below each other: the first data frame gives the names, the classes and which columns are factors."""
    lists = [item for _, item in given if is_list(item) and not is_frame(item)]
    refuse_if(any(dim_of(item) is not None for item in lists), "rbind() of a data frame and a matrix of lists")
    refuse_if(not all(map(len, lists)), "rbind() of a data frame and an empty list")
    parts = [(name, item) for name, item in given if isinstance(item, Value) and len(item)]
    if parts and all(not _height(item) for _, item in parts):
        return parts[0][1]
    filled = [(name, item) for name, item in parts if _height(item)]
    table = [(k, as_data_frame(v, stringsAsFactors=factors) if is_matrix(v) else v) for k, v in filled]
    if not table:
        return make_frame([], [], row_ids(0))
    first = next((item for _, item in table if is_frame(item)), None)
    named = [item for _, item in table if is_list(item) and names_of(item) is not None] if first is None else [first]
    labels = names_of(named[0]) if named else None
    p = max(len(item) for _, item in table) if labels is None else len(labels)
    rows, sizes = _rows_below(table)
    lines = [_line(item, labels, p) for _, item in table]
    bases = [None] * p if first is None else [*first._data]
    framed_ = [is_frame(item) for _, item in table]
    columns = [_column_below(base, [line[j] for line in lines], framed_, sizes) for j, base in enumerate(bases)]
    if first is None:
        frame = Value("list", objects(columns), {} if labels is None else {"names": strings(labels)})
        return as_data_frame(frame, row_names=rows, stringsAsFactors=factors)
    about = first._attributes | {"names": strings(labels or [])}
    return Value("list", objects(columns), about | {"row.names": row_ids(sum(sizes)) if rows is None else rows})


def _height(item: Value) -> int:
    if is_frame(item):
        return row_count(item)
    return len(item._data[0]) if is_list(item) else len(item)


def _rows_below(table: Arguments) -> tuple[Value | None, list[int]]:
    """Return the row names of all parts, None where they are but counted, and how many rows each part has."""
    rows: list[int | str] = []
    sizes, automatic = [], True
    for name, item in table:
        size = 1
        own: list[int | str] = []
        if is_list(item):
            size = row_count(item) if is_frame(item) else _list_height(item)
            stored = item._attributes["row.names"] if is_frame(item) else row_ids(size)
            own = [int(v) for v in stored._data] if stored._kind == "integer" else [*stored._data]
        plain = own == [*range(1, size + 1)]
        if name:
            # R forgets to note the name of a vector.
            automatic = automatic and not is_list(item)
            own = [name] if size == 1 else [f"{name}.{label}" for label in own]
        elif not is_list(item):
            own = [len(rows) + 1]
        elif automatic and rows and plain:
            own = [*range(len(rows) + 1, len(rows) + size + 1)]
        elif not plain or rows:
            automatic = False
        rows += own
        sizes.append(size)
    if automatic:
        return None, sizes
    texts = [str(label) for label in rows]
    if len(set(texts)) != len(texts):
        return strings(made_unique([*texts], "")), sizes
    whole = all(isinstance(label, int) for label in rows)
    return (Value("integer", np.array(rows, dtype=np.float64), None, "given") if whole else strings(texts)), sizes


def _list_height(item: Value) -> int:
    sizes = {len(column) for column in item._data}
    stop_if(len(sizes) != 1, "invalid list argument: all variables should have the same length")
    return sizes.pop()


def _line(item: Value, labels: Labels, p: int) -> list[Value]:
    """Return the values that a part gives to each column."""
    if not is_list(item):
        if p % len(item) or len(item) > p:
            warn(f"number of columns of result, {p}, is not a multiple of vector length {len(item)}")
        return [Value(item._kind, item._data[j % len(item) :][:1]) for j in range(p)]
    own = names_of(item)
    if (is_frame(item) and len(item) != p) or (own is not None and len(item) != p):
        raise RError("numbers of columns of arguments do not match")
    if own is None or own == labels:
        return [item._data[j % len(item)] for j in range(p)]
    stop_if(len(set(own)) != len(own) or set(own) != set(labels or ()), "names do not match previous names")
    return [item._data[own.index(label)] for label in labels or ()]


def _column_below(base: Value | None, parts: list[Value], framed_: list[bool], sizes: list[int]) -> Value:
    """Return parts one below the other: the first data frame says whether they make a factor."""
    if any(dim_of(column) is not None or (names_of(column) is not None and not is_list(column)) for column in parts):
        raise NotSupportedError("rbind() of data frames with matrices or names in them")
    if base is not None and is_factor(base):
        return _factor_below(base, parts, framed_)
    plain = [factor_labels(column) if is_factor(column) else column for column in parts]
    kinds = {column._kind for column in plain} | ({base._kind} if base is not None else {"logical"})
    if len(kinds) == 1:
        joint = np.concatenate([column._data for column in plain])
        about = {} if base is None else base._attributes
        if not about and not any(column._attributes for column in plain):
            return Value(plain[0]._kind, joint)
        both = [] if base is None else [base, *plain]
        if both and all(column._attributes.keys() == {"class"} and inherits(column, "Date") for column in both):
            return Value(plain[0]._kind, joint, about)
    below = Value("logical", np.zeros(sum(sizes))) if base is None else base.copy()
    ends = np.cumsum(sizes)
    for column, size, end in zip(plain, sizes, ends, strict=True):
        below = into_items(below, integers(np.arange(end - size + 1, end + 1)), column)
    return below


def _factor_below(base: Value, parts: list[Value], framed_: list[bool]) -> Value:
    levels = list(factor_levels(base))
    ordered = inherits(base, "ordered")
    texts: list[str | None] = []
    for column, is_column in zip(parts, framed_, strict=True):
        labels = list((factor_labels(column) if is_factor(column) else coerce(column, "character"))._data)
        if is_column and column is not base:
            more = factor_levels(column) if is_factor(column) else labels * (column._kind == "character")
            levels += [level for level in dict.fromkeys(more) if level is not None and level not in levels]
            ordered = ordered and (not is_factor(column) or inherits(column, "ordered"))
        texts += labels
    place = {level: i + 1.0 for i, level in enumerate(levels) if level is not None}
    if any(text is not None and text not in place for text in texts):
        warn("invalid factor level, NA generated")
    refuse_if(None in levels, "rbind() of factors with NA as a level")
    codes = np.array([np.nan if text is None else place.get(text, np.nan) for text in texts], dtype=np.float64)
    classes = strings(["ordered", "factor"] if ordered else ["factor"])
    return Value("integer", codes, {"levels": strings(levels), "class": classes})


# ---- rows that belong together -------------------------------------------------------------------


@r_function()
def merge(
    x: object,
    y: object,
    by: object = None,
    by_x: object = None,
    by_y: object = None,
    all: object = False,
    all_x: object = None,
    all_y: object = None,
    sort: Flag = True,
    suffixes: object = (".x", ".y"),
) -> Value:
    """Return the rows of two data frames that agree in some columns."""
    first, second = as_data_frame(x), as_data_frame(y)
    names = names_of(second) or []
    shared = strings([name for name in names_of(first) or [] if name in names]) if by is None else by
    keys_x = _key_columns(as_value(shared if by_x is None else by_x), first)
    keys_y = _key_columns(as_value(shared if by_y is None else by_y), second)
    stop_if(len(keys_x) != len(keys_y), "'by.x' and 'by.y' specify different numbers of columns")
    ends = [str(text) for text in coerce(suffixes, "character")._data]
    if not keys_x:
        return _cross_rows(first, second, ends)
    keep = [flag(all if side is None else side) for side in (all_x, all_y)]
    return _merge_rows(first, second, (keys_x, keys_y), keep, sort, ends)


def _key_columns(by: Value, frame: Value) -> list[int]:
    """Return the places of key columns, from 0."""
    names = names_of(frame) or []
    if by._kind == "character":
        refuse_if("row.names" in by._data, "merge() by row names")
        stop_if(any(names.count(name) != 1 for name in by._data), "'by' must specify a uniquely valid column")
        index = [names.index(name) for name in by._data]
    elif by._kind == "logical":
        index = [int(j) for j in np.flatnonzero(by._data == 1)]
    else:
        index = [int(v) - 1 for v in by._data]
        refuse_if(-1 in index, "merge() by row names")
        stop_if(any(not 0 <= j < len(names) for j in index), "'by' must match numbers of columns")
    return list(dict.fromkeys(index))


def _cross_rows(x: Value, y: Value, ends: list[str]) -> Value:
    names = known_names(x), known_names(y)
    labels = [name + ends[0] * (name in names[1]) for name in names[0]]
    labels += [name + ends[1] * (name in names[0]) for name in names[1]]
    n, m = row_count(x), row_count(y)
    refuse_if(not n * m and 1 in (len(x), len(y)), "merge() without a common column or without rows")
    at_x, at_y = np.tile(np.arange(n), m), np.repeat(np.arange(m), n)
    columns = [of_rows(column, at_x) for column in x._data] + [of_rows(column, at_y) for column in y._data]
    return make_frame(columns, labels, row_ids(n * m))


def _joint_keys(x: Value, y: Value, at_x: list[int], at_y: list[int]) -> tuple[Value, Value]:
    """Return one key for each row of both tables; several columns are pasted."""
    if len(at_x) == 1:
        columns = [x._data[at_x[0]], y._data[at_y[0]]]
        keys = [factor_labels(item) if is_factor(item) else item for item in columns]
        return keys[0], keys[1]
    texts = []
    for j, k in zip(at_x, at_y, strict=True):
        one = make_frame([x._data[j]], ["V"], row_ids(row_count(x)))
        two = make_frame([y._data[k]], ["V"], row_ids(row_count(y)))
        texts.append(coerce(_frames_below([("", one), ("", two)], False)._data[0], "character")._data)
    pasted = ["\r".join("NA" if item is None else item for item in line) for line in zip(*texts, strict=True)]
    return strings(pasted[: row_count(x)]), strings(pasted[row_count(x) :])


def _shell_sorted(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return values in order with their places, equal ones as R's sort of integers with an index leaves them."""
    x, places = values.astype(np.int64).tolist(), list(range(len(values)))
    step = 1
    while step <= len(x) // 9:
        step = 3 * step + 1
    while step > 0:
        for i in range(step, len(x)):
            value, place, j = x[i], places[i], i
            while j >= step and x[j - step] > value:
                x[j], places[j] = x[j - step], places[j - step]
                j -= step
            x[j], places[j] = value, place
        step //= 3
    return np.array(x, dtype=np.int64), np.array(places, dtype=np.int64)


def _match_rows(x: Value, y: Value) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows that go together, and those of each side alone, in the order in which R finds them."""
    common = match(x, y, 0)._data > 0
    if not len(x) or not len(y):
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty, np.arange(len(x)), np.arange(len(y))
    shared = take(x, np.flatnonzero(common))
    codes_x, at_x = _shell_sorted(match(x, shared, 0)._data)
    codes_y, at_y = _shell_sorted(match(y, shared, 0)._data)
    pairs: list[tuple[int, int]] = []
    for code in np.unique(codes_x[codes_x > 0]):
        rows_x, rows_y = (
            rows[slice(*np.searchsorted(codes, [code, code + 1]))] for codes, rows in ((codes_x, at_x), (codes_y, at_y))
        )
        pairs += product(rows_x.tolist(), rows_y.tolist())
    both = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1], at_x[codes_x == 0], at_y[codes_y == 0]


def _merge_rows(
    x: Value, y: Value, keys: tuple[list[int], list[int]], keep: list[bool], sort: bool, ends: list[str]
) -> Value:
    key_x, key_y = _joint_keys(x, y, *keys)
    at_x, at_y, alone_x, alone_y = _match_rows(key_x, key_y)
    alone_x = alone_x if keep[0] else alone_x[:0]
    alone_y = alone_y if keep[1] else alone_y[:0]
    rest_x = [j for j in range(len(x)) if j not in keys[0]]
    rest_y = [j for j in range(len(y)) if j not in keys[1]]
    left = _picked_rows(x, [*keys[0], *rest_x], np.concatenate([at_x, alone_x]))
    if len(alone_y):
        columns = _picked_rows(y, keys[1], alone_y)._data
        gaps = _picked_rows(x, rest_x, np.full(len(alone_y), -1))._data
        more = make_frame([*columns, *gaps], known_names(left), row_ids(len(alone_y)))
        left = _frames_below([("", left), ("", more)], False)
    right = _picked_rows(y, rest_y, np.concatenate([at_y, np.full(len(alone_x), -1), alone_y]))
    total = row_count(right)
    merged = make_frame([*left._data, *right._data], _merged_names(x, y, keys, ends), row_ids(total))
    if not sort:
        return merged
    if len(alone_x) or len(alone_y) or keep[0] or keep[1]:
        places = order(*left._data[: len(keys[0])])
    else:
        places = order(take(key_x, at_x))
    rows = rows_of(merged, places)
    return Value("list", rows._data, rows._attributes | {"row.names": row_ids(total)})


def _picked_rows(frame: Value, columns: list[int], rows: np.ndarray) -> Value:
    names = known_names(frame)
    index = rows.astype(np.int64)
    return make_frame(
        [of_rows(frame._data[j], index) for j in columns], [names[j] for j in columns], row_ids(len(index))
    )


def _merged_names(x: Value, y: Value, keys: tuple[list[int], list[int]], ends: list[str]) -> list[str]:
    names_x, names_y = (known_names(frame) for frame in (x, y))
    by = [names_x[j] for j in keys[0]]
    rest_x = [name for j, name in enumerate(names_x) if j not in keys[0]]
    rest_y = [name for j, name in enumerate(names_y) if j not in keys[1]]
    new_x = [name + ends[0] * (name in rest_y) for name in rest_x]
    new_y = [name + ends[1] * (name in rest_x) for name in rest_y]
    new_y = [name + ends[1] * (name in by) for name in new_y]
    names = by + new_x + new_y
    refuse_if(len(set(names)) != len(names), "merge() that gives columns of equal names")
    return names
