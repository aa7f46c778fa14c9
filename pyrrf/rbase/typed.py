"""R's typed values, and the operators that decide by the type: logical, integer, double, strings, factors.

Arithmetic of logicals is integer, integers beyond 31 bits are missing, and what is missing stays so by R's rules.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.rbase.arithmetic import EXTENDED
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.elementary import power
from pyrrf.rbase.text import as_character, texts
from pyrrf.rbase.vectors import KINDS, MOST_INTEGER, Vector, read, recycled

_quiet = functools.partial(np.errstate, all="ignore")
_EPSILON = np.finfo(EXTENDED).eps


def character(x: Any) -> np.ndarray:
    """Return R's as.character(): objects, None where missing; of a factor the labels."""
    vector = read(x)
    if vector.kind == "character":
        return np.asarray(vector.values)
    out = np.full(len(vector), None, dtype=object)
    kept = ~vector.missing
    if vector.kind == "factor":
        labels = np.array(texts(as_array(vector.values.categories)), dtype=object)
        out[kept] = labels[vector.values.codes[kept]]
    else:
        out[kept] = as_character(Vector(vector.kind, vector.values[kept]).native())
    return out


def as_array(levels: Any) -> np.ndarray:
    """Return the levels of a factor as an array of their type."""
    return np.asarray(levels.to_numpy())


def numbers(x: Any, function: str) -> Vector:
    """Return a vector of numbers.

    Raises
    ------
    TypeError
        It holds strings, or is a factor.
    """
    vector = read(x)
    if not vector.is_number:
        what = "a factor" if vector.kind == "factor" else "strings"
        raise TypeError(f"{function} of {what}, which takes numbers")
    return vector


def integers(values: np.ndarray) -> Vector:
    """Return integers, missing where they are beyond 31 bits; 0 has no sign."""
    with _quiet():
        beyond = np.abs(values) > MOST_INTEGER
    if beyond.any():
        warn(f"{int(beyond.sum())} of {len(values)} whole numbers are beyond 2147483647, and missing as in R")
    return Vector("integer", np.where(beyond, np.nan, values) + 0.0)


def logicals(values: np.ndarray, gaps: np.ndarray) -> Vector:
    """Return conditions that are missing at `gaps`."""
    return Vector("logical", np.where(gaps, np.nan, values.astype(np.float64)))


def together(*vectors: Vector) -> list[Vector]:
    """Return vectors of one length: shorter ones are recycled, as in R with a warning where they do not fit."""
    n = recycled(*[v.values for v in vectors])
    return [v if len(v) == n else Vector(v.kind, v.values[np.arange(n) % max(1, len(v))]) for v in vectors]


# ---- operators -----------------------------------------------------------------------------------


def operate(sign: str, *operands: Any) -> Vector:
    """Return what an operator of R gives for one operand or two.

    Raises
    ------
    TypeError
        The operator is not meant for such values.
    """
    if sign == "%in%":
        return _within(*map(read, operands))
    if sign in COMPARISONS:
        return compared(sign, *map(read, operands))
    vectors = together(*map(read, operands))
    if any(v.kind == "factor" for v in vectors):
        warn(f"{sign!r} is undefined for a factor: all values are missing, as in R")
        return logicals(np.zeros(len(vectors[0])), np.ones(len(vectors[0]), dtype=bool))
    if any(v.kind == "character" for v in vectors):
        raise TypeError(f"{sign!r} of strings, which takes numbers")
    with _quiet():
        return _OPERATIONS[sign, len(vectors)](*vectors)


def _arithmetic(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[Vector, Vector], Vector]:
    def compute(x: Vector, y: Vector) -> Vector:
        values = function(x.values, y.values)
        return Vector("double", values) if "double" in (x.kind, y.kind) else integers(values)

    return compute


def _quotient(x: Vector, y: Vector) -> Vector:
    return Vector("double", x.values / y.values)


def _power(x: Vector, y: Vector) -> Vector:
    return Vector("double", power(x.values, y.values))


def _modulo(x: Vector, y: Vector) -> Vector:
    if "double" in (x.kind, y.kind):
        return Vector("double", _remainder(x.values, y.values))
    values = np.where(y.values == 0, np.nan, x.values - np.floor(x.values / y.values) * y.values)
    return integers(values)


def _whole_quotient(x: Vector, y: Vector) -> Vector:
    if "double" in (x.kind, y.kind):
        return Vector("double", _floor_quotient(x.values, y.values))
    return integers(np.where(y.values == 0, np.nan, np.floor(x.values / y.values)))


def _remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """R's ``%%`` of doubles: in long double, and by its own rule where `y` has no digit behind the point."""
    part = x.astype(EXTENDED) - np.floor(x / y) * y.astype(EXTENDED)
    out = (part - np.floor(part / y) * y).astype(np.float64)
    wide = (np.abs(y) * _EPSILON > 1) & np.isfinite(x) & (np.abs(x) <= np.abs(y))
    apart = ((x < 0) & (y > 0)) | ((y < 0) & (x > 0))
    near = np.where(np.abs(x) == np.abs(y), 0.0, np.where(apart, x + y, x))
    return np.where(y == 0, np.nan, np.where(wide, near, out))


def _floor_quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """R's ``%/%`` of doubles."""
    ratio = x / y
    down = np.floor(ratio)
    part = x.astype(EXTENDED) - down * y.astype(EXTENDED)
    out = (down + np.floor(part / y)).astype(np.float64)
    below = (ratio < 0) | ((x < 0) & (y > 0)) | ((x > 0) & (y < 0))
    out = np.where(np.abs(ratio) < 1, np.where(below, -1.0, 0.0), out)
    return np.where((y == 0) | ~np.isfinite(ratio), ratio, out)


def _signed(function: Callable[[np.ndarray], np.ndarray]) -> Callable[[Vector], Vector]:
    def compute(x: Vector) -> Vector:
        values = function(x.values)
        return Vector("double", values) if x.kind == "double" else integers(values)

    return compute


def _not(x: Vector) -> Vector:
    return logicals(x.values == 0, x.missing)


def _and(x: Vector, y: Vector) -> Vector:
    false = (x.values == 0) | (y.values == 0)
    return logicals(~false, (x.missing | y.missing) & ~false)


def _or(x: Vector, y: Vector) -> Vector:
    true = ((x.values != 0) & ~x.missing) | ((y.values != 0) & ~y.missing)
    return logicals(true, (x.missing | y.missing) & ~true)


_OPERATIONS: dict[tuple[str, int], Callable[..., Vector]] = {
    ("+", 1): _signed(operator.pos),
    ("-", 1): _signed(operator.neg),
    ("!", 1): _not,
    ("+", 2): _arithmetic(operator.add),
    ("-", 2): _arithmetic(operator.sub),
    ("*", 2): _arithmetic(operator.mul),
    ("/", 2): _quotient,
    ("^", 2): _power,
    ("%%", 2): _modulo,
    ("%/%", 2): _whole_quotient,
    ("//", 2): _whole_quotient,
    ("&", 2): _and,
    ("|", 2): _or,
}
COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SIGNS = {sign for sign, _ in _OPERATIONS} | COMPARISONS.keys() | {"%in%"}
"""All operators."""


def compared(sign: str, x: Vector, y: Vector) -> Vector:
    """Return a comparison item by item: of factors by their labels, or by the order of their levels.

    Raises
    ------
    TypeError, ValueError
        Two factors are compared of which one alone is ordered, or that have other levels.
    """
    if "factor" in (x.kind, y.kind):
        _check_order(x, y)
        x, y = _same_levels(x, y) if sign in ("==", "!=") else _level_codes(sign, x, y)
    x, y = together(x, y)
    gaps = x.missing | y.missing
    sides = [(v.values if x.is_number and y.is_number else character(v))[~gaps] for v in (x, y)]
    if sides[0].dtype == object and sign not in ("==", "!="):
        sides = np.split(coded_strings(np.concatenate(sides), "x")[0], 2)
    found = np.zeros(len(gaps), dtype=bool)
    found[~gaps] = COMPARISONS[sign](*sides)
    return logicals(found, gaps)


def _check_order(x: Vector, y: Vector) -> None:
    if x.kind == y.kind and x.values.ordered != y.values.ordered:
        if len(x) and len(y):
            raise TypeError("x and y are an ordered factor and one without order, which R does not compare")
        warn("x and y are an ordered factor and one without order, which have no comparison")


def _same_levels(x: Vector, y: Vector) -> tuple[Vector, Vector]:
    """Return both; R refuses factors of other levels unless the first one has a single item."""
    alike = x.kind == y.kind and x.values.ordered == y.values.ordered
    if alike and len(x) != 1 and set(_levels(x)) != set(_levels(y)):
        raise ValueError("x and y are factors of different levels; compare as_character() of both")
    return x, y


def _levels(x: Vector) -> list[str | None]:
    return texts(as_array(x.values.categories))


def _level_codes(sign: str, x: Vector, y: Vector) -> tuple[Vector, ...]:
    """Return places among ordered levels; without an order, and of what is no level, they are missing."""
    factors = [v for v in (x, y) if v.kind == "factor"]
    if not all(v.values.ordered for v in factors):
        warn(f"{sign!r} means nothing for a factor without order; pass as_character(x), or factor(x, ordered=True)")
        return tuple(Vector("double", np.full(len(v), np.nan)) for v in (x, y))
    levels = _levels(factors[0])
    if levels != _levels(factors[-1]):
        raise ValueError("x and y are ordered factors of different levels, which R does not compare")
    place = {level: float(at) for at, level in enumerate(levels)}
    return tuple(Vector("double", np.array([place.get(text, np.nan) for text in character(v)])) for v in (x, y))


def _within(x: Vector, table: Vector) -> Vector:
    """R's ``%in%``: what is missing is in a table that has a missing value."""
    if x.is_number and table.is_number:
        found = np.isin(x.values, table.values[~table.missing])
    else:
        known = set(character(table)[~table.missing].tolist())
        found = np.array([text in known for text in character(x)], dtype=bool)
    return logicals(found | (x.missing & bool(table.missing.any())), np.zeros(len(x), dtype=bool))


def joined(vectors: list[Vector]) -> Vector:
    """Return the vectors one behind the other, of the widest of their kinds (R's ``c``); of a factor the codes."""
    plain = [coded(vector) for vector in vectors]
    kind = max((v.kind for v in plain), key=KINDS.index, default="logical")
    return Vector(kind, np.concatenate([widened(v, kind) for v in plain]) if plain else np.zeros(0))


def widened(vector: Vector, kind: str) -> np.ndarray:
    """Return the values as those of a wider kind."""
    return character(vector) if kind == "character" else np.asarray(vector.values)


def wider(x: Vector, y: Vector) -> str:
    """Return the wider of two kinds."""
    return max(x.kind, y.kind, key=KINDS.index)


def coded(vector: Vector) -> Vector:
    """Return a factor as its codes from 1; other vectors stay."""
    if vector.kind != "factor":
        return vector
    codes = vector.values.codes.astype(np.float64)
    return Vector("integer", np.where(codes < 0, np.nan, codes + 1))
