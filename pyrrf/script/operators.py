"""R's operators on values: recycling, kinds, missing values, and which attributes the result keeps."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.rbase.typed import COMPARISONS, operate
from pyrrf.rbase.vectors import Vector
from pyrrf.script.values import (
    NUMBERS,
    REAL_NA,
    RError,
    Value,
    as_value,
    coerced,
    dim_of,
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_missing,
    logicals,
    names_of,
    null,
    objects,
    strings,
)

_LOGIC = {"&", "|", "!"}
_SHAPE = ("names", "dim", "dimnames")


def operated(sign: str, *operands: Any) -> Value:
    """Return what an operator of R gives for one operand or two.

    Raises
    ------
    RError
        R refuses the operands, too.
    """
    values = [as_value(operand) for operand in operands]
    if not all(isinstance(value, Value) for value in values):
        raise RError(
            "non-numeric argument to binary operator" if len(values) > 1 else "invalid argument to unary operator"
        )
    if sign == "%*%":
        from pyrrf.script.matrices import product

        return product(*values)
    if any(is_frame(value) for value in values):
        return _of_frames(sign, *values)
    if any(inherits(value, name) for value in values for name in ("Date", "difftime", "POSIXct")):
        from pyrrf.script.dates import operated as of_dates

        return of_dates(sign, *values)
    if any(is_factor(value) for value in values):
        return _of_factors(sign, *values)
    return plainly(sign, *values)


# ---- vectors -------------------------------------------------------------------------------------


def plainly(sign: str, *values: Value) -> Value:
    """Return what an operator gives for vectors, whatever their class."""
    _check(sign, values)
    values = tuple(_without_dim(value, values) for value in values)
    if sign in COMPARISONS and any(value._kind in ("list", "language") for value in values):
        values = tuple(coerced(value, "character", keep=True) for value in values)
    vectors = [Vector("logical" if v._kind == "NULL" else v._kind, v._data) for v in values]
    if any(v.kind == "double" for v in vectors) and sign not in COMPARISONS:
        vectors = [_marked(v) for v in vectors]
    try:
        found = operate(sign, *vectors)
    except (TypeError, ValueError) as error:
        raise RError(str(error)) from None
    data = found.values
    if len(values) == 2 and 0 in map(len, values):
        data = data[:0]
    return Value(found.kind, data, _attributes(sign, values, len(data)))


def _check(sign: str, values: tuple[Value, ...]) -> None:
    kinds = {value._kind for value in values}
    if sign in COMPARISONS:
        if "opaque" in kinds:
            raise RError(f"comparison ({sign}) is possible only for atomic and list types")
        return
    if kinds - {*NUMBERS, "NULL"}:
        if sign in _LOGIC:
            raise RError("operations are possible only for numeric, logical or complex types")
        side = "binary operator" if len(values) == 2 else "unary operator"
        raise RError(f"non-numeric argument to {side}" if len(values) == 2 else f"invalid argument to {side}")
    shapes = [dim_of(value) for value in values]
    if len(shapes) == 2 and None not in shapes and shapes[0] != shapes[1]:
        raise RError("non-conformable arrays")


def _without_dim(value: Value, values: tuple[Value, ...]) -> Value:
    """Return an array of one item beside a longer vector without its dim, as R does."""
    others = [other for other in values if other is not value]
    if dim_of(value) and len(value) == 1 and others and len(others[0]) != 1 and dim_of(others[0]) is None:
        about = {name: part for name, part in value._attributes.items() if name not in ("dim", "dimnames")}
        return Value(value._kind, value._data, about)
    return value


def _marked(vector: Vector) -> Vector:
    """Return integers and logicals with R's NA of doubles, since the result will be doubles."""
    if vector.kind == "double" or not np.isnan(vector.values).any():
        return vector
    return Vector(vector.kind, np.where(np.isnan(vector.values), REAL_NA, vector.values))


def _attributes(sign: str, values: tuple[Value, ...], n: int) -> dict[str, Value]:
    """Return the attributes of a result of length `n`: the first operand's come before the second's."""
    if not any(value._attributes for value in values):
        return {}
    arrays = [value for value in values if "dim" in value._attributes]
    kept: dict[str, Value] = {}
    for value in reversed(values):
        if len(value) == n or value in arrays[:1]:
            narrow = sign in COMPARISONS or (sign in _LOGIC and not (len(values) == 1 and value._kind == "logical"))
            kept |= {name: part for name, part in value._attributes.items() if not narrow or name in _SHAPE}
    if arrays:
        kept.pop("names", None)
        if n == len(arrays[0]):
            kept["dim"] = arrays[0]._attributes["dim"]
        elif "dim" in kept and n != int(np.prod(kept["dim"]._data)):
            kept.pop("dim", None)
            kept.pop("dimnames", None)
    return kept


# ---- factors -------------------------------------------------------------------------------------


def _of_factors(sign: str, *values: Value) -> Value:
    ordered = [inherits(value, "ordered") for value in values]
    if any(ordered) and sign in COMPARISONS and len(values) == 2:
        return _of_ordered(sign, *values)
    if sign not in ("==", "!="):
        warn(f"{sign!r} not meaningful for factors")
        return logicals(np.full(max(map(len, values)), np.nan))
    if all(is_factor(value) for value in values):
        levels = [factor_levels(value) for value in values]
        if sorted(levels[0], key=str) != sorted(levels[1], key=str):
            raise RError("level sets of factors are different")
    bare = [factor_labels(value) if is_factor(value) else value for value in values]
    found = plainly(sign, *[Value(v._kind, v._data) if is_factor(o) else v for v, o in zip(bare, values, strict=True)])
    return found


def _of_ordered(sign: str, x: Value, y: Value) -> Value:
    """Compare by the order of the levels; what is no level is missing."""
    both = is_factor(x) and is_factor(y)
    levels = factor_levels(x if is_factor(x) else y)
    if both and factor_levels(x) != factor_levels(y):
        raise RError("level sets of factors are different")
    place = {level: float(at + 1) for at, level in enumerate(levels)}

    def codes(value: Value) -> Value:
        if is_factor(value):
            return Value("integer", value._data)
        texts = coerced(value, "character")._data
        return Value("integer", np.array([place.get(item, np.nan) for item in texts], dtype=np.float64))

    return plainly(sign, codes(x), codes(y))


# ---- data frames ---------------------------------------------------------------------------------


def _of_frames(sign: str, *values: Value) -> Value:
    """Go column by column: arithmetic gives a data frame, a comparison a matrix."""
    frame = next(value for value in values if is_frame(value))
    n, p = dim_of(frame) or (0, 0)
    sides = [_by_column(value, n, p) for value in values]
    columns = [operated(sign, *parts) for parts in zip(*sides, strict=True)]
    if sign not in COMPARISONS and sign not in _LOGIC:
        return Value("list", objects(columns), frame._attributes)
    flat = np.concatenate([column._data for column in columns]) if columns else np.zeros(0)
    rows = frame._attributes["row.names"]
    names = strings(names_of(frame) or [])
    labels = objects([rows if rows._kind == "character" else null(), names])
    shape = Value("integer", np.array([n, p], dtype=np.float64))
    return Value("logical", flat, {"dim": shape, "dimnames": Value("list", labels)})


def _by_column(value: Value, n: int, p: int) -> list[Any]:
    if is_frame(value):
        if dim_of(value) != (n, p):
            raise RError("operations are only defined for equally-sized data frames")
        return list(value._data)
    if is_list(value):
        return [value._data[j % len(value)] for j in range(p)]
    if not len(value):
        return [value] * p
    bare = factor_labels(value) if is_factor(value) else value
    wide = np.resize(bare._data, n * p).reshape(p, n)
    return [Value(bare._kind, wide[j]) for j in range(p)]


def contained(x: Any, table: Any) -> Value:
    """Return ``x %in% table``."""
    x, table = (factor_labels(v) if is_factor(v) else v for v in (as_value(x), as_value(table)))
    if "list" in (x._kind, table._kind):
        x, table = coerced(x, "character"), coerced(table, "character")
    if x._kind in NUMBERS and table._kind in NUMBERS:
        found = np.isin(x._data, table._data[~is_missing(table)])
    else:
        known = set(coerced(table, "character")._data.tolist())
        found = np.array([item in known for item in coerced(x, "character")._data], dtype=bool)
        return logicals(found) if len(found) else logicals([])
    gaps = is_missing(table)
    return logicals(found | (is_missing(x) & bool(gaps.any()))) if len(x) else logicals([])
