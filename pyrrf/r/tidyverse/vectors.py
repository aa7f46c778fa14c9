"""dplyr's functions of vectors: ranks, shifts, cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.arithmetic.mathematics import abs as size
from pyrrf.r.arithmetic.operators import operated
from pyrrf.r.indexing.subscripts import picked
from pyrrf.r.tidyverse.groups import current, gaps, keys_of, ranks
from pyrrf.r.values.arguments import arguments, flag, number
from pyrrf.r.values.attributes import dim_of, factor_levels, is_factor, is_frame, is_missing, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    logicals,
    strings,
)
from pyrrf.rbase.vectors import REAL_NA


def _plain(x: Any, verb: str) -> Value:
    value = as_value(x)
    if not isinstance(value, Value) or dim_of(value) is not None or value._kind not in (*NUMBERS, "character"):
        raise NotMovedError(f"{verb}() of what is no vector")
    return value


def n_distinct(*dots: Any, na_rm: Any = False) -> Value:
    """Return how many different values there are."""
    if flag(na_rm) and len(dots) > 1:
        raise NotMovedError("n_distinct() of several vectors without missing values")
    found = set(keys_of([as_value(item) for item in dots]))
    return integers(len(found - {(None,)} if flag(na_rm) else found))


def nth(x: Any, n: Any) -> Value:
    """Return the value at a place, from the end for a negative one."""
    value, at = _plain(x, "nth"), int(number(n))
    if not 1 <= abs(at) <= len(value):
        raise NotMovedError("a place that a vector does not have")
    found: Value = value[[at if at > 0 else len(value) + at + 1]]
    return found


def first(x: Any) -> Any:
    """Return the first value."""
    return nth(x, 1)


def last(x: Any) -> Any:
    """Return the last value."""
    return nth(x, -1)


def between(x: Any, left: Any, right: Any) -> Value:
    """Return whether values lie between two others."""
    found, low, high = _plain(x, "between"), number(left), number(right)
    if found._kind == "character" or is_factor(found):
        raise NotMovedError("between() of what are no numbers")
    gap = np.isnan(found._data) | np.isnan(low) | np.isnan(high)
    return logicals(np.where(gap, np.nan, (found._data >= low) & (found._data <= high)))


# ---- shifts and ranks ----------------------------------------------------------------------------


def lag(x: Any, n: Any = 1, default: Any = None, order_by: Any = None) -> Value:
    """Return the values before."""
    return _shifted(x, n, default, order_by, "lag")


def lead(x: Any, n: Any = 1, default: Any = None, order_by: Any = None) -> Value:
    """Return the values behind."""
    return _shifted(x, n, default, order_by, "lead")


def _shifted(x: Any, n: Any, default: Any, order_by: Any, verb: str) -> Value:
    if verb == "lag" and current() is None:
        raise NotMovedError("lag() outside of dplyr's verbs, where R may mean that of stats")
    if order_by is not None:
        raise NotMovedError(f"{verb}() with order_by")
    value, many = _plain(x, verb), int(number(n))
    if many < 0 or names_of(value) is not None:
        raise NotMovedError(f"{verb}() with a negative distance, or of a vector with names")
    size = len(value)
    at = np.arange(size) + (-many if verb == "lag" else many)
    outside = (at < 0) | (at >= size)
    found = Value(value._kind, picked(value, np.where(outside, -1, at))._data, value._attributes)
    if default is None or bool(is_missing(as_value(default)).all()):
        return found
    filler = as_value(default)
    if (
        value._attributes
        or filler._attributes
        or {filler._kind, value._kind} not in ({value._kind}, {"double", "integer"})
    ):
        raise NotMovedError(f"{verb}() with a default of another kind")
    data = found._data.copy()
    data[outside] = filler._data[0]
    if value._kind == "integer" and filler._kind == "double" and filler._data[0] != np.trunc(filler._data[0]):
        raise RError("Can't convert from `default` <double> to `x` <integer> due to loss of precision.")
    return Value(value._kind, data, found._attributes)


def _placed(x: Any, place: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    values = ranks(_plain(x, "a rank"))
    known = np.sort(values[~np.isnan(values)])
    return np.where(np.isnan(values), np.nan, place(known, values))


def min_rank(x: Any) -> Value:
    """Return ranks; equal values take the least."""
    return integers(_placed(x, lambda known, values: np.searchsorted(known, values) + 1.0))


def dense_rank(x: Any) -> Value:
    """Return ranks without gaps."""
    return integers(_placed(x, lambda known, values: np.searchsorted(np.unique(known), values) + 1.0))


def percent_rank(x: Any) -> Value:
    """Return ranks from 0 to 1."""
    found = _placed(x, lambda known, values: np.searchsorted(known, values) + 1.0)
    with np.errstate(all="ignore"):
        return doubles(np.where(np.isnan(found), REAL_NA, (found - 1) / ((~np.isnan(found)).sum() - 1.0)))


def cume_dist(x: Any) -> Value:
    """Return the share of values that are not greater."""
    found = _placed(x, lambda known, values: np.searchsorted(known, values, side="right").astype(np.float64))
    return doubles(np.where(np.isnan(found), REAL_NA, found / (~np.isnan(found)).sum()))


def row_number(x: Any = None) -> Value:
    """Return the numbers of the rows in the group, or ranks in which equal values keep their order."""
    if x is None:
        rows = current()
        if rows is None:
            raise RError("row_number() must only be used inside dplyr verbs.")
        return integers(np.arange(1, rows.size + 1)) if rows.size else integers([])
    values = ranks(_plain(x, "row_number"))
    out = np.empty(len(values))
    out[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1)
    return integers(np.where(np.isnan(values), np.nan, out))


def ntile(x: Any = None, n: Any = None) -> Value:
    """Return in which of n groups of about equal size a value lies."""
    rank, many = row_number(x)._data, int(number(n))
    size = int((~np.isnan(rank)).sum())
    if not size:
        return integers(rank)
    larger, small = size % many, size // many
    edge = larger * (small + 1)
    with np.errstate(all="ignore"):
        low = (rank + small) // (small + 1)
        high = (rank - edge + small - 1) // max(small, 1) + larger
    return integers(np.where(np.isnan(rank), np.nan, np.where(rank <= edge, low, high)))


# ---- cases ---------------------------------------------------------------------------------------


def _same_kind(values: list[Value], verb: str) -> None:
    if any(names_of(v) is not None or dim_of(v) is not None or is_frame(v) for v in values):
        raise NotMovedError(f"{verb}() of vectors with names, or tables")
    if len({v._kind for v in values}) > 1:
        raise RError(f"{verb}(): all values must be of one type")
    if any(v._attributes.keys() != values[0]._attributes.keys() for v in values) or is_factor(values[0]):
        raise NotMovedError(f"{verb}() of factors, or of different classes")


@r_function(may_skip=("true", "false"))
def if_else(condition: Any, true: Any, false: Any, missing: Any = None) -> Value:
    """Return values of one of two vectors of the same kind."""
    test, yes, no = as_value(condition), as_value(true), as_value(false)
    if test._kind != "logical":
        raise RError("`condition` must be a logical vector.")
    gap = None if missing is None else as_value(missing)
    _same_kind([yes, no, *([] if gap is None else [gap])], "if_else")
    data = gaps(len(test), yes._kind)
    parts = [(test._data == 1, yes), (test._data == 0, no)] + ([] if gap is None else [(np.isnan(test._data), gap)])
    for where, part in parts:
        if len(part) not in (1, len(test)):
            raise RError("`true` and `false` must be of the length of `condition` or 1.")
        data[where] = np.resize(part._data, len(test))[where]
    return Value(yes._kind, data, yes._attributes)


@r_function(may_skip=("...",))
def case_when(*dots: Any) -> Value:
    """Return the value of the first condition that holds: ``case_when((condition, value), ...)``."""
    pairs = [(as_value(test), as_value(value)) for test, value in dots]
    if any(test._kind != "logical" for test, _ in pairs):
        raise RError("the left hand sides of case_when() must be logical")
    _same_kind([value for _, value in pairs], "case_when")
    sizes = {len(part) for pair in pairs for part in pair} - {1}
    if len(sizes) > 1:
        raise RError("the sides of case_when() must be of one length or of length 1")
    n = sizes.pop() if sizes else 1
    first_value = pairs[0][1]
    data = gaps(n, first_value._kind)
    open_ = np.ones(n, dtype=bool)
    for test, value in pairs:
        where = open_ & (np.resize(test._data, n) == 1)
        data[where] = np.resize(value._data, n)[where]
        open_ &= ~where
    return Value(first_value._kind, data, first_value._attributes)


@r_function(may_skip=("...",))
def coalesce(*dots: Any) -> Value:
    """Return the first value that is not missing."""
    parts = [_plain(item, "coalesce") for item in dots]
    _same_kind(parts, "coalesce")
    data = parts[0]._data.copy()
    for part in parts[1:]:
        gap = is_missing(Value(parts[0]._kind, data))
        if len(part) not in (1, len(data)):
            raise RError("Can't recycle the vectors of coalesce().")
        data[gap] = np.resize(part._data, len(data))[gap]
    return Value(parts[0]._kind, data, parts[0]._attributes)


def na_if(x: Any, y: Any) -> Value:
    """Return values, missing where they are equal to others."""
    value, other = _plain(x, "na_if"), _plain(y, "na_if")
    if len(other) not in (1, len(value)):
        raise RError("`y` must be length 1 or of the length of `x`.")
    same = operated("==", value, other)._data == 1
    data = value._data.copy()
    data[same] = gaps(1, value._kind)[0]
    return Value(value._kind, data, value._attributes)


def recode(_x: Any, *dots: Any, _default: Any = None, _missing: Any = None, **named: Any) -> Value:
    """Return values with others in the place of some: by their text, or their number."""
    value = _plain(_x, "recode")
    items = arguments(dots, named)
    if any(not name for name, _ in items) or not is_null(_missing):
        raise NotMovedError("recode() with values without names, or .missing")
    if any(len(new) != 1 or new._attributes for _, new in items):
        raise NotMovedError("recode() with vectors in the place of a value")
    _same_kind([new for _, new in items], "recode")
    kind = items[0][1]._kind
    if is_factor(value):
        return _recoded_factor(value, items, _default)
    if value._attributes:
        raise NotMovedError("recode() of a vector with attributes")
    if value._kind == "character":
        where = [np.array([text == name for text in value._data], dtype=bool) for name, _ in items]
    else:
        where = [value._data == float(name) for name, _ in items]
    if not is_null(_default):
        filler = as_value(_default)
        _same_kind([items[0][1], filler], "recode")
        data = np.resize(filler._data, len(value)).copy()
        data[is_missing(value)] = gaps(1, kind)[0]
    elif kind == value._kind:
        data = value._data.copy()
    else:
        data = gaps(len(value), kind)
    for at, (_, new) in zip(where, items, strict=True):
        data[at] = new._data[0]
    return Value(kind, data)


def _recoded_factor(value: Value, items: list[tuple[str, Value]], default: Any) -> Value:
    if not is_null(default) or items[0][1]._kind != "character":
        raise NotMovedError("recode() of a factor to other than labels, or with .default")
    new = {name: str(part._data[0]) for name, part in items}
    labels = [new.get(str(level), level) for level in factor_levels(value)]
    kept = list(dict.fromkeys(labels))
    codes = [np.nan if v != v else kept.index(labels[int(v) - 1]) + 1.0 for v in value._data]
    return Value("integer", np.array(codes), value._attributes | {"levels": strings(kept)})


def near(x: Any, y: Any, tol: Any = 1.4901161193847656e-08) -> Value:
    """Return whether numbers are equal but for a tolerance."""
    found: Value = size(as_value(x) - as_value(y)) < as_value(tol)
    return found


def cummean(x: Any) -> Value:
    """Return the mean of the values so far."""
    raise NotMovedError("cummean()")


def cumall(x: Any) -> Value:
    """Return whether all values so far are true."""
    return _cumulated(x, 0.0)


def cumany(x: Any) -> Value:
    """Return whether any value so far is true."""
    return _cumulated(x, 1.0)


def _cumulated(x: Any, decisive: float) -> Value:
    out, state = [], 1.0 - decisive
    for v in coerced(x, "logical")._data.tolist():
        state = decisive if decisive in (state, v) else np.nan if v != v or state != state else 1.0 - decisive
        out.append(state)
    return logicals(out) if out else logicals([])
