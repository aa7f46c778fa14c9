"""R's functions that formulas know, on R's typed values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import pyrrf.rbase.factors as factors
from pyrrf.checks import flag, warn
from pyrrf.rbase import arithmetic, elementary
from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.numbers import read_numbers, round, signif
from pyrrf.rbase.typed import character, coded, integers, joined, logicals, numbers, operate, together, widened, wider
from pyrrf.rbase.vectors import Vector, read, whole

_MOST_BREAKS = 10_000
_TRUE, _FALSE = ("T", "TRUE", "true", "True"), ("F", "FALSE", "false", "False")


# ---- of each number ------------------------------------------------------------------------------


def _of_doubles(name: str, function: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], Vector]:
    def compute(x: Any) -> Vector:
        with np.errstate(all="ignore"):
            return Vector("double", function(numbers(x, name).values))

    return compute


def log(x: Any, base: Any = np.e) -> Vector:
    """R's log()."""
    below = numbers(base, "log")
    if len(below) != 1:
        raise TypeError("the base of log() must be one number")
    return Vector("double", elementary.log(numbers(x, "log").values, float(below.values[0])))


def absolute(x: Any) -> Vector:
    """R's abs(), whole for logicals and integers."""
    found = numbers(x, "abs")
    values = np.abs(found.values)
    return Vector("double", values) if found.kind == "double" else integers(values)


def _rounding(name: str, function: Callable[..., Any], digits: int) -> Callable[..., Vector]:
    def compute(x: Any, digits: Any = digits) -> Vector:
        places = numbers(digits, name)
        if len(places) != 1:
            raise TypeError(f"digits of {name}() must be one number")
        return Vector("double", function(numbers(x, name).values, float(places.values[0])))

    return compute


# ---- types ---------------------------------------------------------------------------------------


def identity(x: Any) -> Any:
    """R's I()."""
    return x


def as_numeric(x: Any) -> Vector:
    """R's as.numeric(): factors become codes from 1."""
    found = coded(read(x))
    return Vector("double", found.values if found.is_number else _parsed(found))


def as_integer(x: Any) -> Vector:
    """R's as.integer(): towards 0."""
    found = coded(read(x))
    values = np.trunc(found.values if found.is_number else _parsed(found))
    return integers(values)


def _parsed(strings: Vector) -> np.ndarray:
    values, found = read_numbers(strings.values.tolist())
    lost = int((~found & ~strings.missing).sum())
    if lost:
        warn(f"{lost} of {len(strings)} strings are not numbers, and become missing as in R")
    return np.where(found, values, np.nan)


def as_logical(x: Any) -> Vector:
    """R's as.logical(): whether a number is not 0; of strings those that say it."""
    found = read(x)
    if found.is_number:
        return logicals(found.values != 0, found.missing)
    said = character(found)
    true, false = np.isin(said, _TRUE), np.isin(said, _FALSE)
    return logicals(true, ~(true | false))


def as_character(x: Any) -> Vector:
    """R's as.character()."""
    return Vector("character", character(x))


def is_na(x: Any) -> Vector:
    """R's is.na()."""
    gaps = read(x).missing
    return logicals(gaps, np.zeros(len(gaps), dtype=bool))


def factor(x: Any, levels: Any = None, labels: Any = None, ordered: Any = None) -> Vector:
    """R's factor(): the values that occur become sorted levels, strings in the order of `set_collate`."""
    return _factor(x, levels, labels, None if ordered is None else _flag(ordered, "ordered"))


def as_factor(x: Any) -> Vector:
    """R's as.factor(): like factor(), but a factor keeps its levels."""
    found = read(x)
    return found if found.kind == "factor" else _factor(found)


def ordered(x: Any, levels: Any = None, labels: Any = None) -> Vector:
    """R's ordered(): like factor(), with ordered levels."""
    return _factor(x, levels, labels, True)


def _factor(x: Any, levels: Any = None, labels: Any = None, ordered: bool | None = None) -> Vector:
    found = read(x)
    known, names = (None if part is None else read(part).native() for part in (levels, labels))
    made = factors.factor(found.native(), known, names, ordered=ordered)
    if found.kind == "integer" and labels is None:
        made = made.rename_categories({level: int(level) for level in made.categories})
    return Vector("factor", made)


def _flag(x: Any, name: str) -> bool:
    values = read(x).values
    return flag(bool(values[0]) if len(values) == 1 else x, name)


def cut(
    x: Any,
    breaks: Any,
    labels: Any = None,
    include_lowest: Any = False,
    right: Any = True,
    dig_lab: Any = 3,
    ordered_result: Any = False,
) -> Vector:
    """R's cut()."""
    values, limits = numbers(x, "cut"), numbers(breaks, "cut").values
    if values.kind == "logical":
        raise TypeError("cut of a condition, which takes numbers")
    if len(limits) == 1 and not limits[0] <= _MOST_BREAKS:
        raise ValueError(f"cut() into more than {_MOST_BREAKS} intervals")
    given = None if labels is None else read(labels)
    names = None if given is None else given.native()
    if given is not None and given.kind == "logical":
        names = None if given.values[0] else False
    found = factors.cut(
        values.values,
        float(limits[0]) if len(limits) == 1 else limits,
        names,
        _flag(include_lowest, "include_lowest"),
        _flag(right, "right"),
        int(read(dig_lab).values[0]),
        _flag(ordered_result, "ordered_result"),
    )
    return Vector("factor", found) if isinstance(found, pd.Categorical) else Vector("integer", np.asarray(found) + 0.0)


# ---- of several vectors --------------------------------------------------------------------------


def ifelse(test: Any, yes: Any, no: Any) -> Vector:
    """R's ifelse(): `yes` where `test` holds, `no` where it does not, missing where `test` is missing.

    The answer is as wide as what it holds: where nothing of `no` is taken, its kind does not count.
    """
    if read(test).kind == "factor":
        raise TypeError("ifelse of a factor, which takes a condition")
    out = as_logical(test)
    holds = out.values.copy()
    for value, rows in ((yes, holds == 1), (no, holds == 0)):
        if not rows.any():
            continue
        taken = coded(read(value))
        kind = wider(out, taken)
        values = widened(out, kind).copy()
        values[rows] = widened(taken, kind)[np.flatnonzero(rows) % len(taken)]
        out = Vector(kind, values)
    return out


def _parallel(name: str, sign: str) -> Callable[..., Vector]:
    def compute(*vectors: Any, na_rm: Any = False) -> Vector:
        found = together(*map(read, vectors))
        if any(v.kind == "factor" for v in found):
            raise TypeError(f"{name} of a factor, which takes numbers or strings")
        out = functools.reduce(functools.partial(_extreme, sign, _flag(na_rm, "na_rm")), found)
        return Vector("integer", out.values) if out.kind == "logical" else out

    return compute


def _extreme(sign: str, skips: bool, x: Vector, y: Vector) -> Vector:
    kind = wider(x, y)
    left, right = widened(x, kind), widened(y, kind)
    with np.errstate(all="ignore"):
        if kind == "character":
            gaps = x.missing | y.missing
            both = np.where(np.concatenate([gaps, gaps]), "", np.concatenate([left, right]))
            beyond = np.greater(*np.split(coded_strings(both, "x")[0], 2))
            beyond = beyond if sign == "<" else np.less(*np.split(coded_strings(both, "x")[0], 2))
        else:
            beyond = right < left if sign == "<" else right > left
    first, second = (y.missing, x.missing) if skips else (x.missing, y.missing)
    return Vector(kind, np.where(first, left, np.where(second | beyond, right, left)))


def combine(*values: Any) -> Vector:
    """R's c()."""
    return joined([read(value) for value in values])


def exclusive(x: Any, y: Any) -> Vector:
    """R's xor()."""
    return operate("!=", as_logical(numbers(x, "xor")), as_logical(numbers(y, "xor")))


# ---- of all rows ---------------------------------------------------------------------------------


_OF_NONE = {"sum": 0.0, "min": np.inf, "max": -np.inf}


def _summary(name: str, function: Callable[[np.ndarray], float], keeps: bool) -> Callable[..., Vector]:
    """Return a function of all values that gives one; with `keeps` an integer of integers, where it is one."""

    def compute(x: Any, na_rm: Any = False) -> Vector:
        found = numbers(x, name)
        values = found.values[~found.missing] if _flag(na_rm, "na_rm") else found.values
        with np.errstate(all="ignore"):
            out = np.array([function(values) if len(values) else _OF_NONE.get(name, np.nan)])
        return whole(out) if keeps and found.kind != "double" and not np.isinf(out[0]) else Vector("double", out)

    return compute


def mean(x: Any, na_rm: Any = False) -> Vector:
    """R's mean(), which adds up whole numbers once and doubles twice."""
    is_whole = numbers(x, "mean").kind != "double"
    return _summary("mean", lambda values: arithmetic.mean(values, is_whole), False)(x, na_rm)


def median(x: Any, na_rm: Any = False) -> Vector:
    """R's median(), of the kind of `x` where one value is in the middle."""
    found, vector = _summary("median", arithmetic.median, False)(x, na_rm), numbers(x, "median")
    n = int((~vector.missing).sum()) if _flag(na_rm, "na_rm") else len(vector)
    return Vector(vector.kind, found.values) if n % 2 or found.missing[0] else found


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "I": identity,
    "log": log,
    **{
        name: _of_doubles(name, getattr(elementary, name))
        for name in ("log2", "log10", "log1p", "exp", "expm1", "sqrt", "sin", "cos", "tan", "tanh")
    },
    "abs": absolute,
    "floor": _of_doubles("floor", np.floor),
    "ceiling": _of_doubles("ceiling", np.ceil),
    "trunc": _of_doubles("trunc", np.trunc),
    "sign": _of_doubles("sign", np.sign),
    "round": _rounding("round", round, 0),
    "signif": _rounding("signif", signif, 6),
    "factor": factor,
    "as_factor": as_factor,
    "as_numeric": as_numeric,
    "as_integer": as_integer,
    "as_logical": as_logical,
    "as_character": as_character,
    "ordered": ordered,
    "cut": cut,
    "is_na": is_na,
    "ifelse": ifelse,
    "pmin": _parallel("pmin", "<"),
    "pmax": _parallel("pmax", ">"),
    "xor": exclusive,
    "c": combine,
    "mean": mean,
    "sd": _summary("sd", lambda values: float(np.sqrt(arithmetic.variance(values))), False),
    "var": _summary("var", arithmetic.variance, False),
    "median": median,
    "min": _summary("min", np.min, True),
    "max": _summary("max", np.max, True),
    "sum": _summary("sum", arithmetic.total, True),
}
"""Functions by their name in a formula, with underscores for R's dots."""
