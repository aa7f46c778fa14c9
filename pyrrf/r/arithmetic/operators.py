"""R's operators on values: recycling, kinds, missing values, and which attributes the result keeps."""

from __future__ import annotations

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.elementwise import COMPARISONS, apply_operator
from pyrrf.r.values.coercion import as_codes, attrs, bare, coerce, factor_labels, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_frame, is_list, is_na_mark
from pyrrf.r.values.labels import counted_rows, dim_of, known_names, names_of
from pyrrf.r.values.methods import default, method
from pyrrf.r.values.vector import NUMBERS, Value, as_value, integers, logicals, null, objects, strings
from pyrrf.rbase.vectors import REAL_NA

_LOGIC = {"&", "|", "!"}
_SHAPE = ("names", "dim", "dimnames")
_METHODS = ("factor", "Date", "difftime", "POSIXct")
# Messages of R for one operand or two that are not numbers.
_NOT_NUMERIC = {1: "invalid argument to unary operator", 2: "non-numeric argument to binary operator"}


def operate(sign: str, *operands: object) -> Value:
    """Return the result of an operator of R for one operand or two."""
    values = [as_value(operand) for operand in operands]
    if not all(isinstance(value, Value) for value in values):
        raise RError(_NOT_NUMERIC[len(values)])
    if sign == "%*%":
        return default("%*%")(*values)
    if any(is_frame(value) for value in values):
        return _of_frames(sign, *values)
    of_class = method("Ops", (name for value in values for name in classes(value)))
    if of_class is not None:
        return of_class(sign, *values)
    if any(is_factor(value) for value in values):
        return _of_factors(sign, *values)
    return plainly(sign, *values)


# ---- vectors -------------------------------------------------------------------------------------


def plainly(sign: str, *values: Value) -> Value:
    """Return the result of an operator for vectors, whatever their class."""
    if sign == "!" and values[0]._kind in ("character", "list") and not len(values[0]):
        return logicals([])
    _check(sign, values)
    if sign in COMPARISONS:
        values = _comparable(sign, values)
    elif sign not in _LOGIC:
        values = _without_dim(values)
    vectors = [Value("logical" if v._kind == "NULL" else v._kind, v._data) for v in values]
    if sign not in COMPARISONS and (sign in "/^" or any(v._kind == "double" for v in vectors)):
        vectors = [_mark_na(v) for v in vectors]
    try:
        result = apply_operator(sign, *vectors)
    except (TypeError, ValueError) as error:
        raise RError(str(error)) from None
    data = result._data
    if len(values) == 2 and 0 in map(len, values):
        if any(value._kind == result._kind == "integer" and value._attributes.keys() - _SHAPE for value in values):
            # R may put the result into an operand that no variable holds; then its class stays.
            raise NotSupportedError(f"{sign} of an empty table or another empty vector with attributes")
        return Value(result._kind, data[:0], _attributes(sign, values, 0))
    if result._kind == "double" and len(vectors) == 2:
        data = _of_two_gaps(sign, vectors, data)
    return Value(result._kind, data, _attributes(sign, values, len(data)))


def _check(sign: str, values: tuple[Value, ...]) -> None:
    kinds = {value._kind for value in values}
    if sign in COMPARISONS:
        stop_if("opaque" in kinds, f"comparison ({sign}) is possible only for atomic and list types")
    elif kinds - {*NUMBERS, "NULL"} or (len(values) == 1 and "NULL" in kinds):
        stop_if(sign == "!", "invalid argument type")
        stop_if(sign in _LOGIC, "operations are possible only for numeric, logical or complex types")
        raise RError(_NOT_NUMERIC[len(values)])
    shapes = [dim_of(value) for value in values]
    stop_if(len(shapes) == 2 and None not in shapes and shapes[0] != shapes[1], "non-conformable arrays")


def _comparable(sign: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return vectors that can be compared: strings if one is of strings; lists get the kind of the other side."""
    kinds = {"character" if value._kind == "language" else value._kind for value in values}
    if not all(map(len, values)):
        return tuple(Value("logical", np.zeros(len(value)), value._attributes) for value in values)
    if "character" in kinds:
        return tuple(coerce(value, "character", keep=True) for value in values)
    stop_if(kinds == {"list"}, "comparison of these types is not implemented")
    if "list" in kinds:
        other = next(iter(kinds - {"list"}))
        return tuple(coerce(value, other, keep=True) for value in values)
    return values


def _without_dim(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return an array of one item and a vector of another length without dim and names, as R takes them."""
    arrays = [value for value in values if dim_of(value) is not None]
    others = [value for value in values if dim_of(value) is None]
    if len(arrays) == len(others) == 1 and len(arrays[0]) == 1 != len(others[0]):
        return tuple(without(value, *_SHAPE) for value in values)
    return values


def _mark_na(vector: Value) -> Value:
    """Return integers and logicals with R's NA of doubles, since the result will be doubles."""
    if vector._kind == "double" or not np.isnan(vector._data).any():
        return vector
    return Value(vector._kind, np.where(np.isnan(vector._data), REAL_NA, vector._data))


def _of_two_gaps(sign: str, vectors: list[Value], data: np.ndarray) -> np.ndarray:
    """Return a result with that NaN or NA, of two, which R's machine code keeps."""
    if not all(np.isnan(v._data).any() for v in vectors):
        return data
    n = len(data)
    x, y = (np.resize(v._data, n) if len(v) != n else v._data for v in vectors)
    both = np.isnan(x) & np.isnan(y)
    if not both.any():
        return data
    sizes, kinds = [len(v) for v in vectors], {v._kind for v in vectors}
    second = sign == "^"
    if sign in "+*" and sizes[0] != sizes[1]:
        second = "integer" not in kinds and (sizes[0] == 1 or 1 not in sizes)
    kept = y if second else x
    if sign == "%%":
        kept = np.where(is_na_mark(x) | is_na_mark(y), REAL_NA, x)
    return np.asarray(np.where(both, kept, data))


def _attributes(sign: str, values: tuple[Value, ...], n: int) -> dict[str, Value]:
    """Return the attributes of a result of length `n`: those of the first operand come before those of the second."""
    if not any(value._attributes for value in values):
        return {}
    narrow = sign in COMPARISONS or (sign in _LOGIC and not (len(values) == 1 and values[0]._kind == "logical"))
    if sign in COMPARISONS and any(value._kind == "NULL" for value in values):
        return {}
    shaped = any("dim" in value._attributes for value in values)
    arrays = [value for value in values if "dim" in value._attributes and (n or not len(value))]
    attributes: dict[str, Value] = {}
    for value in reversed(values):
        if len(value) == n and (n or len(values) == 1) and not narrow:
            attributes |= without(value, *_SHAPE)._attributes
        has_names = n or narrow or "names" in values[0]._attributes
        if has_names and not shaped and len(value) == n:
            attributes |= attrs(value, "names")
    if arrays:
        size = int(np.prod(arrays[0]._attributes["dim"]._data))
        stop_if(size != n, f"dims [product {size}] do not match the length of object [{n}]")
        for value in reversed(arrays):
            attributes |= attrs(value, "dim", "dimnames")
        names = names_of(arrays[0]) if sign == "!" and len(attributes["dim"]) == 1 else None
        if names is not None and values[0]._kind != "logical":
            attributes["names"] = strings(names)
    return attributes


# ---- factors -------------------------------------------------------------------------------------


def _named_levels(x: Value) -> Value:
    """Return a factor whose level NA is a text that no other level is: so R compares it."""
    levels = factor_levels(x)
    if None not in levels:
        return x
    mark = "  NA "
    while mark in levels:
        mark += " ."
    named = strings([mark if level is None else level for level in levels])
    return Value(x._kind, x._data, x._attributes | {"levels": named})


def _of_factors(sign: str, *values: Value) -> Value:
    ordered = [inherits(value, "ordered") for value in values if is_factor(value)]
    refuse_if(any(value._kind == "language" or dim_of(value) for value in values), f"{sign} of a factor and a formula")
    refuse_if(len(set(ordered)) > 1, f"{sign} of a factor and an ordered one, whose codes R takes")
    if sign not in ("==", "!="):
        if ordered[0] and sign in COMPARISONS:
            return _of_ordered(sign, *values)
        warn(f"{sign!r} not meaningful for factors")
        return logicals(np.full(max(map(len, values)), np.nan))
    if len(ordered) == 2:
        levels = [factor_levels(_named_levels(value)) for value in values]
        alone = len(values[0]) == 1 and None not in factor_levels(values[1])
        if not alone and sorted(levels[0], key=str) != sorted(levels[1], key=str):
            raise RError("level sets of factors are different")
    return plainly(sign, *[bare(factor_labels(_named_levels(v))) if is_factor(v) else _without_nan(v) for v in values])


def _without_nan(x: Value) -> Value:
    return Value(x._kind, np.where(np.isnan(x._data), REAL_NA, x._data), x._attributes) if x._kind == "double" else x


def _of_ordered(sign: str, x: Value, y: Value) -> Value:
    """Compare by the order of the levels; a value that is not a level is missing."""
    levels = [factor_levels(value) for value in (x, y) if is_factor(value)]
    stop_if(levels[0] != levels[-1], "level sets of factors are different")
    place = {level: float(i + 1) for i, level in enumerate(levels[0])}

    def codes(value: Value) -> Value:
        return integers([place.get(item, np.nan) for item in coerce(value, "character")._data])

    return plainly(sign, *[as_codes(value) if is_factor(value) else codes(value) for value in (x, y)])


# ---- data frames ---------------------------------------------------------------------------------


_PLAIN = {"class": strings("data.frame")}


def _of_frames(sign: str, *values: Value) -> Value:
    """Compute column by column: arithmetic gives a data frame, a comparison a matrix."""
    frame = next(value for value in values if is_frame(value))
    if any(not is_frame(value) and inherits(value, *_METHODS) for value in values):
        refuse_if(sign in COMPARISONS, f"{sign} of a data frame and a factor or dates is not supported")
        raise RError(_NOT_NUMERIC[2])
    n, p = dim_of(frame) or (0, 0)
    known_names(frame)
    sides = [_by_column(value, n, p) for value in values]
    columns = [operate(sign, *parts) for parts in zip(*sides, strict=True)]
    stop_if(any(len(column) != n for column in columns), "arguments imply differing number of rows")
    if sign not in COMPARISONS and sign not in _LOGIC:
        refuse_if(not p or not all(names_of(frame) or [""]), "arithmetic of a data frame without columns or names")
        if n == 1 and any(None in (names_of(value) or []) for value in values):
            raise NotSupportedError("arithmetic of a data frame of one row and a vector whose name is missing")
        empty = {} if n else {"row.names": integers([])}
        return Value("list", objects(columns), attrs(frame, "names", "row.names") | _PLAIN | empty)
    flat = np.concatenate([column._data for column in columns]) if columns else np.zeros(0)
    rows = frame._attributes["row.names"]
    names = strings(names_of(frame) or []) if p else null()
    labels = objects([null() if counted_rows(frame) or not n else coerce(rows, "character"), names])
    return Value("logical", flat, {"dim": integers([n, p]), "dimnames": Value("list", labels)})


def _by_column(value: Value, n: int, p: int) -> list[Value]:
    if is_frame(value):
        stop_if(dim_of(value) != (n, p), "operations are only defined for equally-sized data frames")
        return list(value._data)
    refuse_if(not len(value), "a data frame and an empty value are not supported")
    stop_if(not n and len(value) > 1, "subscript out of bounds")
    if is_list(value):
        stop_if(len(value) not in (1, p), f"list of length {len(value)} not meaningful")
        return [value._data[j % len(value)] for j in range(p)]
    stop_if(value._kind not in (*NUMBERS, "character"), "attempt to replicate non-vector")
    if len(value) == 1:
        return [bare(value)] * p
    wide = np.resize(value._data, n * p).reshape(p, n)
    return [Value(value._kind, wide[j]) for j in range(p)]
