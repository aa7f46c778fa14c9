"""The computations of R's hist(), barplot(), boxplot() and pretty()."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pyrrf.r.base.factors import factor
from pyrrf.r.values.arguments import number, text
from pyrrf.r.values.coercion import cells_of, coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Whole, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_list
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix, names_of
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, list_of, strings
from pyrrf.rbase.arithmetic import median
from pyrrf.rbase.quantiles import fivenum

_EPS = 1e-10
_H, _H5 = 1.5, 2.75
_MOST = 2**31 - 1


@r_function(unsupported="dots more")
def pretty(x: Value, n: Whole = 5, min_n: Whole | None = None, *dots: object, **more: object) -> Value:
    """Return round numbers that cover the range of others: R's ``pretty``."""
    refuse_if(x._kind not in NUMBERS or inherits(x, "factor"), "pretty() of other than numbers")
    values = coerce(x, "double")._data
    values = values[np.isfinite(values)]
    if not len(values):
        return doubles([])
    return breaks_of(float(values.min()), float(values.max()), n, n // 3 if min_n is None else min_n)


def breaks_of(low: float, high: float, n: int, least: int) -> Value:
    """Return the limits of about n equal parts of a range, integers where R has such."""
    low, high, n = _bounds(low, high, n, least)
    step = (high - low) / n if n else 0.0
    whole = all(v == math.trunc(v) and abs(v) <= _MOST for v in (low, high, step))
    if whole and not (low <= 0 <= high):  # The comparison with 0 makes the values doubles in R.
        return integers(low + np.arange(n + 1) * step)
    breaks = low + np.arange(n + 1) * step
    breaks[n] = high
    breaks[np.abs(breaks) < 1e-14 * step] = 0.0
    return doubles(breaks)


def _cell(low: float, high: float, n: int, least: int) -> float:
    """Return the approximate length of each interval."""
    width, cell = high - low, max(abs(low), abs(high))
    if cell and not width < cell * (1 + 1 / (1 + _H)) * max(1, n) * float(np.finfo(float).eps) * 3:
        return width / n if n > 1 else width
    cell = cell or 1.0
    cell = (9 + cell / 10 if cell > 10 else cell) * 0.75
    return cell / least if least > 1 else cell


def _unit(cell: float) -> float:
    """Return the round number near a length: 1, 2, 5 or 10 times a power of ten."""
    base = 10.0 ** math.floor(math.log10(cell))
    unit = base
    for times, favour in ((2, _H), (5, _H5), (10, _H)):
        if not times * base - cell < favour * (cell - unit):
            break
        unit = times * base
    return unit


def _bounds(low: float, high: float, n: int, least: int) -> tuple[float, float, int]:
    """R_pretty() of R 4.2."""
    unit = _unit(_cell(low, high, n, least))
    below, above = math.floor(low / unit + _EPS), math.ceil(high / unit - _EPS)
    while below * unit > low + _EPS * unit:
        below -= 1
    while above * unit < high - _EPS * unit:
        above += 1
    short = least - int(0.5 + (above - below))
    parts = above - below
    if short > 0:
        parts = least
        if low == 0 and below == 0 and high != 0:
            above += short
        elif high == 0 and above == 0 and low != 0:
            below -= short
        elif below >= 0:
            above, below = above + short // 2, below - (short // 2 + short % 2)
        else:
            below, above = below - short // 2, above + (short // 2 + short % 2)
    return min(low, below * unit), max(high, above * unit), parts


def histogram(x: Value, breaks: object, right: bool, lowest: bool, name: str) -> Value:
    """Return the value of hist()."""
    stop_if(x._kind not in NUMBERS[1:] or is_factor(x), "'x' must be numeric")
    values = x._data[np.isfinite(x._data)]
    limits, even = _limits(values, breaks)
    edges = limits._data
    width = np.diff(edges)
    if len(edges) > 5:
        fuzz = 1e-7 * float(median(width))
    else:
        fuzz = 1e-7 * float(np.ptp(values) if len(edges) <= 3 else width[width > 0].min())
    fuzzy = edges + (fuzz if right else -fuzz)
    end = 0 if right else len(edges) - 1
    if lowest:
        fuzzy[end] = edges[end] + (-fuzz if right else fuzz)
    places = np.searchsorted(fuzzy, values, side="left" if right else "right") - 1
    if lowest:
        places[values == fuzzy[end]] = 0 if right else len(edges) - 2
    if (places < 0).any() or (places > len(edges) - 2).any():
        raise RError("some 'x' not counted; maybe 'breaks' do not span range of 'x'")
    counts = np.bincount(places, minlength=len(edges) - 1)
    parts = [
        limits,
        integers(counts),
        doubles(counts / (len(values) * width)),
        doubles(0.5 * (edges[1:] + edges[:-1])),
        strings(name),
        even or bool(np.ptp(width) < 1e-7 * np.mean(width)),
    ]
    return list_of(parts, ["breaks", "counts", "density", "mids", "xname", "equidist"], "histogram")


def _limits(values: np.ndarray, breaks: object) -> tuple[Value, bool]:
    """Return the limits of classes, and whether these are equally long."""
    limits = as_value(breaks(doubles(values)) if callable(breaks) else breaks)
    if limits._kind == "character":
        if not "sturges".startswith(text(limits).lower()):
            raise NotSupportedError(f"hist() with breaks = '{text(limits)}'")
        limits = doubles(math.ceil(math.log2(len(values)) + 1))
    if len(limits) > 1:
        return Value(limits._kind, np.sort(limits._data)), False
    count = number(limits)
    stop_if(not count >= 1, "invalid number of 'breaks'")
    return breaks_of(float(values.min()), float(values.max()), int(count), 1), True


def bar_middles(height: Value, widths: np.ndarray, space: Value | None, beside: bool) -> Value:
    """Return the middles of the bars that barplot() draws."""
    rows, columns = dim_of(height) or (0, 0) if is_matrix(height) else (len(height), 1)
    grouped = beside and is_matrix(height)
    usual = [0.0, 1.0] if grouped else [0.2]
    gaps = (np.array(usual) if space is None else coerce(space, "double")._data) * np.mean(widths)
    if grouped and len(gaps) == 2:
        gaps = np.tile([gaps[1], *[gaps[0]] * (rows - 1)], columns)
    stacked = is_matrix(height) and not beside
    wide = np.resize(widths, columns if stacked else rows)
    n = max(len(gaps), len(wide))
    right = np.cumsum((np.resize(gaps, n) + np.resize(wide, n)).astype(np.longdouble)).astype(np.float64)
    middles = right - np.resize(wide / 2, n)
    return doubles(middles) if stacked else doubles(middles, {"dim": integers([len(middles) // columns, columns])})


def box_statistics(groups: Sequence[np.ndarray], labels: list[str], coef: float) -> Value:
    """Return the statistics of boxplot() for groups."""
    stats, conf, sizes, out = [], [], [], []
    for values in groups:
        known = values[~np.isnan(values)]
        five = fivenum(known)
        spread = five[3] - five[1]
        outside = (known < five[1] - coef * spread) | (known > five[3] + coef * spread)
        if coef == 0:
            outside[:] = False
        if outside.any():
            inner = known[~outside]
            five[0], five[4] = inner.min(), inner.max()
        stats.append(five)
        conf.append(five[2] + np.array([-1.58, 1.58]) * spread / math.sqrt(len(known)))
        sizes.append(len(known))
        out.append(known[outside])
    k = len(groups)
    parts = [
        doubles(np.concatenate(stats), {"dim": integers([5, k])}),
        doubles(sizes),
        doubles(np.concatenate(conf), {"dim": integers([2, k])}),
        doubles(np.concatenate(out)),
        doubles(np.repeat(np.arange(1, k + 1), [len(values) for values in out])),
        strings(labels),
    ]
    return list_of(parts, ["stats", "n", "conf", "out", "group", "names"])


def groups_of(x: Value, rest: Sequence[Value]) -> tuple[list[np.ndarray], list[str]]:
    """Return the groups of boxplot(): a list or a data frame, a matrix by columns, or vectors."""
    if is_list(x):
        parts, names = list(x._data), names_of(x)
    elif is_matrix(x):
        parts, names = [Value(x._kind, column) for column in cells_of(x).T], dimnames_of(x)[1]
    else:
        parts, names = [x, *rest], None
    _check_classes(parts)
    stop_if(any(group._kind not in NUMBERS for group in parts), "non-numeric argument to mathematical function")
    labels = [str(i + 1) for i in range(len(parts))] if names is None else [str(name) for name in names]
    return [group._data for group in parts], labels


def _check_classes(groups: Sequence[Value]) -> None:
    """Refuse groups whose statistics have a class in R: all groups have the same."""
    known = {tuple(classes(group)) for group in groups}
    if len(known) == 1 and known & {("AsIs",), ("Date",), ("POSIXct", "POSIXt")}:
        raise NotSupportedError(f"boxplot() of objects of class {known.pop()[0]}")


def split_by(values: Value, by: Value) -> tuple[list[np.ndarray], list[str]]:
    """Return the groups of ``boxplot(y ~ g)``."""
    _check_classes([values])
    groups = by if is_factor(by) else factor(by)
    labels = [str(level) for level in factor_levels(groups)]
    return [values._data[groups._data == k] for k in range(1, len(labels) + 1)], labels
