"""Statistics of numbers: quantiles and deviations, covariances of columns, distances of rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.checks import beginning, warn
from pyrrf.r.arithmetic.mathematics import abs as absolute
from pyrrf.r.arithmetic.operators import operate
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.base.ordering import sort
from pyrrf.r.base.sums import mean, middle, without_missing
from pyrrf.r.indexing.subscripts import marks, missing_items
from pyrrf.r.values.coercion import attrs, bare, cells_of, coerce, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Given, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_frame, is_list, is_missing, is_na_mark, is_null
from pyrrf.r.values.labels import dim_of, dimnames_of, matrix_of, names_of, names_part
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, logicals, objects, strings
from pyrrf.rbase import moments, normal, quantiles, sums
from pyrrf.rbase.vectors import REAL_NA

# ---- vectors -------------------------------------------------------------------------------------


@r_function()
def weighted_mean(x: Value, w: Given = None, *, na_rm: Flag = False) -> Value:
    """Return the mean by weights."""
    if inherits(x, "Date", "POSIXct", "difftime"):
        about = attrs(x, "class", "units", "tzone")
        return Value("double", weighted_mean(bare(x), w, na_rm=na_rm)._data, about)
    data = coerce(x, "double")._data
    if w is None:
        stop_if(x._kind == "character", "non-numeric argument to binary operator")
        return mean(bare(x), na_rm=na_rm)
    _check_weights(x, w)
    weights = coerce(w, "double")._data
    if is_factor(x):
        warn("'*' not meaningful for factors")
        return doubles(REAL_NA)
    if na_rm:
        data, weights = data[~np.isnan(data)], weights[~np.isnan(data)]
    if np.isnan(weights).any():
        return doubles(REAL_NA)  # x * w has NA there, since a subscript is missing
    return doubles(sums.weighted_mean(data, weights, "double" not in (x._kind, w._kind)))


def _check_weights(x: Value, w: Value) -> None:
    """Stop where R does for the values or the weights of a mean."""
    stop_if(is_factor(w), "'sum' not meaningful for factors")
    stop_if("character" in (x._kind, w._kind), "non-numeric argument to binary operator")
    stop_if(len(w) != len(x), "'x' and 'w' must have the same length")
    stop_if(len(dim_of(x) or ()) > 1 and dim_of(w) not in (None, dim_of(x)), "non-conformable arrays")


def _single_number(x: Value, na_rm: bool, function: Callable[[np.ndarray], float]) -> Value:
    """Return one number of a vector, NA where something is missing or less than two items are left."""
    stop_if(is_list(x), "is.atomic(x) is not TRUE")
    refuse_if(x._kind == "character", "a variance of strings, which R may read as numbers")
    if is_factor(x) or x._kind not in NUMBERS:
        raise RError("need numeric data" if is_factor(x) else "is.numeric(x) is not TRUE")
    data = coerce(without_missing(bare(x), na_rm), "double")._data
    if np.isnan(data).any() or len(data) < 2:
        return doubles(REAL_NA)
    return doubles(function(data))


def _refuse_factor(x: Value) -> None:
    """Refuse the variance of a factor, as R does."""
    stop_if(is_factor(x), "Calling var(x) on a factor x is defunct.")


@r_function()
def sd(x: Value, na_rm: Flag = False) -> Value:
    """Return the standard deviation."""
    _refuse_factor(x)
    stop_if(is_frame(x), "is.atomic(x) is not TRUE")
    return _single_number(bare(x), na_rm, lambda data: float(np.sqrt(moments.var(data))))


@r_function(unsupported="dots")
def median(x: Value, na_rm: Flag = False, *dots: object) -> Value:
    """Return the median; of whole numbers an integer where it is one."""
    stop_if(is_factor(x) or is_frame(x), "need numeric data")
    refuse_if(x._kind not in (*NUMBERS, "character"), "median() of a list")
    data = without_missing(bare(x), na_rm)
    # An item keeps the class that `[` keeps, the mean of two that which mean() keeps.
    about = marks(x) if len(data) % 2 or inherits(x, "Date", "POSIXct", "difftime") else {}
    if not len(data) or bool(is_missing(data).any()):
        if not len(x) and "names" in x._attributes:  # the name of an item that is not there
            about["names"] = strings([None])
        return Value(data._kind, missing_items(data._kind, 1), marks(x) | about)
    if data._kind == "character":
        return mean(data) if len(data) % 2 == 0 else Value("character", sort(data)._data[len(data) // 2 :][:1], about)
    return middle(data, about)


@r_function(unsupported="dots")
def quantile(
    x: Value, probs: Given = None, na_rm: Flag = False, names: Flag = True, type: Whole = 7, *dots: object
) -> Value:
    """Return quantiles, with their percentages as names."""
    if is_factor(x) or x._kind not in NUMBERS:
        raise RError("factors are not allowed" if is_factor(x) else "non-numeric argument")
    stop_if(inherits(x, "Date"), '* not defined for "Date" objects')
    numbers = without_missing(bare(x), na_rm)
    stop_if(bool(is_missing(numbers).any()), "missing values and NaN's not allowed if 'na.rm' is FALSE")
    points = np.array([0, 0.25, 0.5, 0.75, 1]) if probs is None else coerce(probs, "double")._data
    stop_if(((points < -quantiles.SLACK) | (points > 1 + quantiles.SLACK)).any(), "'probs' outside [0,1]")
    refuse_if(numbers._kind != "double" and type != 7, "quantile() of whole numbers by another type than 7")
    shares = quantiles.quantile(coerce(numbers, "double")._data, points, type)
    values = np.where(np.isnan(points) | (len(numbers) == 0), REAL_NA, shares)
    about = attrs(x, "class", "units", "tzone") if inherits(x, "POSIXct", "difftime") else {}
    return doubles(values, about | ({"names": strings(quantiles.percents(points))} if names and len(points) else {}))


@r_function()
def IQR(x: Value, na_rm: Flag = False, type: Whole = 7) -> Value:
    """Return the distance of the quartiles."""
    quartiles = quantile(x if is_factor(x) else without(x, "class"), doubles([0.25, 0.75]), na_rm, False, type)
    return doubles(quartiles._data[1] - quartiles._data[0])


@r_function()
def mad(x: Value, center: Given = None, constant: Value | float = 1.4826, na_rm: Flag = False) -> Value:
    """Return the median distance from the median."""
    stop_if(is_factor(x) or x._kind not in NUMBERS, "need numeric data")
    refuse_if(inherits(x, "Date", "POSIXct", "difftime"), "mad() of dates and times")
    numbers = without_missing(bare(x), na_rm)
    if not len(numbers) and "names" in x._attributes:
        numbers = Value(numbers._kind, numbers._data, {"names": strings([])})
    distances = absolute(operate("-", numbers, median(numbers) if center is None else center))
    return operate("*", constant, median(distances))


@r_function()
def fivenum(x: Value, na_rm: Flag = True) -> Value:
    """Return minimum, hinges, median and maximum."""
    refuse_if(x._kind not in NUMBERS or is_factor(x), "fivenum() of something other than numbers")
    if inherits(x, "Date", "POSIXct"):
        raise RError(f'binary + is not defined for "{classes(x)[-1]}" objects')
    refuse_if(classes(x) and not inherits(x, "table"), "fivenum() of an object, whose class R keeps")
    refuse_if(names_of(x) is not None, "fivenum() of values with names, which R keeps; unname() them")
    known = without_missing(x, na_rm)
    if not len(known) or bool(is_missing(known).any()):
        return logicals(np.full(5, np.nan))
    return doubles(quantiles.fivenum(coerce(known, "double")._data, known._kind != "double"))


@r_function(unsupported="lower_tail log_p", classes="any -summaryDefault")
def qnorm(
    p: Value, mean: Value | float = 0, sd: Value | float = 1, lower_tail: Flag = True, log_p: Flag = False
) -> Value:
    """Return quantiles of the normal distribution."""
    values = [as_value(item) for item in (p, mean, sd)]
    if any(value._kind not in NUMBERS or is_factor(value) for value in values):
        raise RError("Non-numeric argument to mathematical function")
    n = max(map(len, values)) if all(map(len, values)) else 0
    columns = [np.resize(coerce(value, "double")._data, n) for value in values]
    points = normal.qnorm(*columns)
    points[np.any([is_na_mark(column) for column in columns], axis=0)] = REAL_NA
    return Value("double", points, values[0]._attributes if 0 < n == len(values[0]) else {})


# ---- columns -------------------------------------------------------------------------------------


@r_function()
def var(x: Value, y: Value | None = None, na_rm: Flag = False, use: Text | None = None) -> Value:
    """Return the variance, or the covariances of columns."""
    _refuse_factor(x)
    stop_if(is_null(x), "'x' is NULL")
    if is_frame(x) or len(dim_of(x) or ()) > 1 or y is not None:
        if any(is_frame(side) and as_matrix(side)._kind not in NUMBERS for side in (x, y)):
            raise NotSupportedError("var() of text or factors, which R makes missing with a warning")
        return cov(x, y, "na.or.complete" if use is None and na_rm else use)
    if use not in (None, "complete.obs", "na.or.complete") or (use is not None and is_missing(x).all()):
        raise NotSupportedError("var() of a vector with this use; na.rm leaves out what is missing")
    stop_if(is_list(x), "is.atomic(x) is not TRUE")
    if len(x) < 2:
        return doubles(REAL_NA)
    return _single_number(x, na_rm or use is not None, moments.var)


def _grid(x: Value) -> np.ndarray:
    matrix = as_matrix(x)
    stop_if(matrix._kind not in NUMBERS, "'x' must be numeric")
    return cells_of(coerce(matrix, "double", keep=True))


def _relate(correlate: bool, x: Value, y: Value | None, use: str | None, method: Value | None) -> Value:
    sides = [x] if y is None else [x, y]
    dated = ("Date", "POSIXct", "difftime") if correlate else ()
    if any(not is_frame(side) and (side._kind not in NUMBERS or inherits(side, "factor", *dated)) for side in sides):
        raise RError("'x' must be numeric")
    how = "everything" if use is None else beginning(use, "use", moments.USES)
    way = "pearson" if method is None else str(coerce(method, "character")._data[0])
    way = beginning(way, "method", moments.METHODS)
    flat = [len(dim_of(side) or ()) < 2 for side in sides]
    stop_if(flat == [True], "supply both 'x' and 'y' or a matrix-like 'x'")
    grids = [
        coerce(side, "double")._data[:, None] if vector else _grid(side)
        for side, vector in zip(sides, flat, strict=True)
    ]
    stop_if(len(grids[0]) != len(grids[-1]), "incompatible dimensions")
    try:
        table = moments.relate_columns(grids[0], grids[1] if len(grids) > 1 else None, how, way, correlate)
    except ValueError as error:
        raise RError(str(error)) from None
    if all(flat):
        return doubles(table[0])
    labels = [None if vector else dimnames_of(side)[1] for side, vector in zip(sides, flat, strict=True)]
    # R ranks a single row by its number, and loses the names.
    ranked = way != "pearson" and how != "pairwise.complete.obs" and _complete_rows(grids, how) == 1
    return matrix_of("double", table, (None, None) if ranked else (labels[0], labels[-1]))


def _relation(name: str, doc: str) -> Callable[..., Value]:
    @r_function(name, doc)
    def relation(x: Value, y: Value | None = None, use: Text | None = None, method: Value | None = None) -> Value:
        return _relate(name == "cor", x, y, use, method)

    return relation


cor = _relation("cor", "Return correlations.")
cov = _relation("cov", "Return covariances.")


def _complete_rows(grids: list[np.ndarray], use: str) -> int:
    gaps = np.isnan(np.hstack(grids)).any(axis=1)
    return len(gaps) - (int(gaps.sum()) if use in ("complete.obs", "na.or.complete") else 0)


@r_function()
def scale(x: Value, center: Value | bool = True, scale: Value | bool = True) -> Value:
    """Return columns less their means, by their standard deviations."""
    table = as_matrix(x)
    labels, p = dimnames_of(table)[1], dim_of(table)[1]  # type: ignore[index]
    given = {"scaled:center": as_value(center), "scaled:scale": as_value(scale)}
    for name, value in given.items():
        if value._kind != "logical" and len(value) != p:
            raise RError(f"length of '{name[7:]}' must equal the number of columns of 'x'")
    grid, numbers = moments.scale_columns(_grid(table), *map(_flag_or_numbers, given.values()))
    # A matrix without items keeps no class in R's arithmetic.
    about = {key: value for key, value in table._attributes.items() if len(table) or key != "class"}
    for name, value in numbers.items():
        about[name] = doubles(value, names_part(labels)) if given[name]._kind == "logical" else given[name]
    kind = "double" if numbers or table._kind == "double" else "integer"
    return Value(kind, grid.ravel(order="F"), about)


def _flag_or_numbers(value: Value) -> bool | np.ndarray:
    return bool(value) if value._kind == "logical" else coerce(value, "double")._data


# ---- rows ----------------------------------------------------------------------------------------


@r_function()
def dist(x: Value, method: Text = "euclidean", diag: Flag = False, upper: Flag = False, p: object = 2) -> Value:
    """Return the distances between rows.

    Those of "euclidean", "manhattan" and "maximum"; other methods are refused.
    """
    how = [name for name in _DISTANCES if name.startswith(method)]
    refuse_if(len(how) != 1 or method == "m", f"dist() with the method {method}")
    table = as_matrix(x)
    grid = cells_of(coerce(table, "double", keep=True))
    n, q = grid.shape
    refuse_if(n == 0, "dist() without rows")
    first, second = np.triu_indices(n, 1)
    total = np.full(len(first), -np.inf if how[0] == "maximum" else 0.0)
    count = np.zeros(len(first))
    for column in grid.T:
        with np.errstate(all="ignore"):
            step = column[second] - column[first]
        known = ~np.isnan(step)
        count += known
        total = np.where(known, _DISTANCES[how[0]](total, np.abs(step)), total)
    with np.errstate(all="ignore"):
        if how[0] != "maximum":
            total = np.where(count == q, total, total / (count / q))
        distances = np.where(count == 0, REAL_NA, np.sqrt(total) if how[0] == "euclidean" else total)
    labels = dimnames_of(table)[0]
    about = {"Size": integers(n)} | ({} if labels is None else {"Labels": strings(labels)})
    about |= {"Diag": logicals(diag), "Upper": logicals(upper), "method": strings(how)}
    return Value("double", distances, about | {"call": Value("opaque", objects(["call"])), "class": strings("dist")})


_DISTANCES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "euclidean": lambda total, step: total + step * step,
    "manhattan": lambda total, step: total + step,
    "maximum": np.maximum,
}


def as_matrix_dist(x: Value) -> Value:
    """Return distances as a matrix."""
    n = int(x._attributes["Size"])
    grid = np.zeros((n, n))
    first, second = np.triu_indices(n, 1)
    grid[first, second] = grid[second, first] = x._data
    stored = x._attributes.get("Labels")
    labels = [str(i + 1) for i in range(n)] if stored is None else list(stored._data)
    return matrix_of("double", grid, (labels, labels))
