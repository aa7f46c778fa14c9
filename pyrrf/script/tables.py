"""Tables of counts."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.script.factors import factor
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
    factor_levels,
    inherits,
    integers,
    is_factor,
    is_list,
    is_null,
    names_of,
    one,
    strings,
)


def table(
    *dots: Any, exclude: Any = None, useNA: Any = "no", dnn: Any = None, deparsed: Any = None, **named: Any
) -> Value:
    """Return how often each value, or each combination of values, stands in vectors of one length."""
    if exclude is not None and not is_null(exclude):
        raise NotMovedError("table() with exclude")
    parts = arguments(dots, named)
    given = builtins.list(deparsed or [""] * builtins.len(dots))
    labels = [name or (given[at] if at < builtins.len(given) else "") for at, (name, _) in enumerate(parts)]
    if builtins.len(parts) == 1 and is_list(parts[0][1]):
        value = parts[0][1]
        labels = [str(name) for name in names_of(value) or [""] * builtins.len(value)]
        parts = [("", column) for column in value._data]
    if dnn is not None:
        labels = [str(name) for name in coerced(dnn, "character")._data]
    way = str(coerced(useNA, "character")._data[0])
    return crossed([_counted(item, way) for _, item in parts], labels)


def _counted(x: Any, use: str) -> tuple[np.ndarray, builtins.list[str | None]]:
    value = as_value(x)
    found = value if is_factor(value) else factor(value)
    levels = builtins.list(factor_levels(found))
    codes = found._data
    if use == "always" or (use == "ifany" and bool(np.isnan(codes).any())):
        levels.append(None)
        codes = np.where(np.isnan(codes), builtins.len(levels), codes)
    return codes, levels


def crossed(parts: builtins.list[tuple[np.ndarray, builtins.list[str | None]]], labels: builtins.list[str]) -> Value:
    """Return the table of vectors of codes and their levels."""
    if not parts:
        raise RError("nothing to tabulate")
    if builtins.len({builtins.len(codes) for codes, _ in parts}) != 1:
        raise RError("all arguments must have the same length")
    shape = tuple(builtins.len(levels) for _, levels in parts)
    known = ~np.any([np.isnan(codes) for codes, _ in parts], axis=0)
    at = [codes[known].astype(np.int64) - 1 for codes, _ in parts]
    places = np.ravel_multi_index(at, shape, order="F") if known.any() else np.zeros(0, dtype=np.int64)
    counts = np.bincount(places, minlength=int(np.prod(shape)))[: int(np.prod(shape))]
    about = {
        "dim": integers(shape),
        "dimnames": dimnames_value([levels for _, levels in parts], strings(labels)),
        "class": strings("table"),
    }
    return Value("integer", counts.astype(np.float64), about)


def prop_table(x: Any, margin: Any = None) -> Value:
    """Return shares of the sum of all cells, or of each row (1) or column (2)."""
    value = as_value(x)
    if is_null(margin):
        from pyrrf.script.statistics import sum

        return value / sum(value)
    from pyrrf.script.matrices import sweep

    axis = int(one(margin, "double"))
    grid = value._data.reshape(dim_of(value), order="F")
    totals = integers(grid.sum(axis=2 - axis)) if value._kind == "integer" else _sums(grid, axis)
    found = sweep(Value(value._kind, value._data, {"dim": value._attributes["dim"]}), axis, totals, "/")
    return Value("double", found._data, value._attributes)


def _sums(grid: np.ndarray, axis: int) -> Value:
    from pyrrf.rbase.arithmetic import total
    from pyrrf.script.values import doubles

    lines = grid if axis == 1 else grid.T
    return doubles([total(line) for line in lines])


proportions = prop_table


def margin_table(x: Any, margin: Any = None) -> Value:
    """Return sums of rows (1) or columns (2), or of all."""
    value = as_value(x)
    if is_null(margin):
        from pyrrf.script.statistics import sum

        return sum(value)
    axis = int(one(margin, "double")) - 1
    grid = value._data.reshape(dim_of(value), order="F")
    old = value._attributes["dimnames"]
    names = strings([old._attributes["names"]._data[axis]]) if "names" in old._attributes else None
    about = {
        "dim": integers([grid.shape[axis]]),
        "dimnames": dimnames_value([dimnames_of(value)[axis]], names),
        "class": strings("table"),
    }
    return Value(value._kind, grid.sum(axis=1 - axis), about)


marginSums = margin_table


def as_table(x: Any) -> Value:
    """Return a matrix or a vector of counts as a table."""
    value = as_value(x)
    if inherits(value, "table"):
        return value
    shape = dim_of(value) or (builtins.len(value),)
    labels = dimnames_of(value) if dim_of(value) else [names_of(value)]
    full = [[*_letters(n)] if part is None else part for part, n in zip(labels, shape, strict=True)]
    about = {"dim": integers(shape), "dimnames": dimnames_value(full), "class": strings("table")}
    return Value(value._kind, value._data, about)


def _letters(n: int) -> builtins.list[str]:
    if n > 26:
        raise NotMovedError("as.table() of more than 26 rows without names")
    return [chr(65 + i) for i in range(n)]
