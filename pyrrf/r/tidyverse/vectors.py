"""dplyr's functions of vectors: ranks, shifts, cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from pyrrf.r.arithmetic.mathematics import abs as size
from pyrrf.r.arithmetic.operators import operate
from pyrrf.r.indexing.subscripts import take
from pyrrf.r.tidyverse.groups import current, gaps, is_in_verb, keys_of, ranks
from pyrrf.r.values.arguments import arguments, number
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Number, Whole, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_missing
from pyrrf.r.values.labels import dim_of, names_of, row_count
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, logicals, strings
from pyrrf.rbase.vectors import REAL_NA


def _plain(x: Value, verb: str) -> Value:
    refuse_if(dim_of(x) is not None or x._kind not in (*NUMBERS, "character"), f"{verb}() of other than vectors")
    refuse_if(inherits(x, "dist"), f"{verb}() of an object of class dist")
    return x


@r_function()
def n_distinct(*dots: Value, na_rm: Flag = False) -> Value:
    """Count the distinct values."""
    refuse_if(na_rm and len(dots) > 1, "n_distinct() of several vectors without missing values")
    keys = set(keys_of(dots))
    return integers(len(keys - {(None,)} if na_rm else keys))


@r_function()
def nth(x: Value, n: Whole) -> Value:
    """Return the value at a place, from the end for a negative one."""
    many = len(_plain(x, "nth"))
    refuse_if(not 1 <= abs(n) <= many, "a place that a vector does not have")
    return x[[n if n > 0 else many + n + 1]]


@r_function()
def first(x: object) -> Value:
    """Return the first value."""
    return nth(x, 1)


@r_function()
def last(x: object) -> Value:
    """Return the last value."""
    return nth(x, -1)


@r_function()
def between(x: Value, left: Number, right: Number) -> Value:
    """Return whether values lie between two others."""
    data = _plain(x, "between")._data
    refuse_if(x._kind == "character" or is_factor(x), "between() of something other than numbers")
    gap = np.isnan(data) | np.isnan(left) | np.isnan(right)
    return logicals(np.where(gap, np.nan, (data >= left) & (data <= right)))


# ---- shifts and ranks ----------------------------------------------------------------------------


@r_function(unsupported="order_by")
def lag(x: Value, n: Whole = 1, default: Value | None = None, order_by: object = None) -> Value:
    """Return the preceding values."""
    refuse_if(not is_in_verb(), "lag() outside of dplyr's verbs, where R may mean that of stats")
    return _shift(x, n, -1, default, "lag")


@r_function(unsupported="order_by")
def lead(x: Value, n: Whole = 1, default: Value | None = None, order_by: object = None) -> Value:
    """Return the following values."""
    return _shift(x, n, 1, default, "lead")


def _shift(x: Value, n: int, way: int, default: Value | None, verb: str) -> Value:
    if n < 0 or names_of(_plain(x, verb)) is not None:
        raise NotSupportedError(f"{verb}() with a negative distance, or of a vector with names")
    places = np.arange(len(x)) + way * n
    outside = (places < 0) | (places >= len(x))
    data = take(x, np.where(outside, -1, places))._data
    if default is not None and not is_missing(default).all():
        kinds = {x._kind, default._kind}
        if x._attributes or default._attributes or (len(kinds) > 1 and kinds != {"double", "integer"}):
            raise NotSupportedError(f"{verb}() with a default of another kind")
        if x._kind == "integer" and default._kind == "double" and default._data[0] != np.trunc(default._data[0]):
            raise RError("Can't convert from `default` <double> to `x` <integer> due to loss of precision.")
        data[outside] = default._data[0]
    return Value(x._kind, data, x._attributes)


def _rank_by(x: Value, place: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    values = ranks(_plain(x, "a rank"))
    known = np.sort(values[~np.isnan(values)])
    return np.where(np.isnan(values), np.nan, place(known, values))


@r_function()
def min_rank(x: Value) -> Value:
    """Return ranks; equal values take the least."""
    return integers(_rank_by(x, lambda known, values: np.searchsorted(known, values) + 1.0))


@r_function()
def dense_rank(x: Value) -> Value:
    """Return ranks without gaps."""
    return integers(_rank_by(x, lambda known, values: np.searchsorted(np.unique(known), values) + 1.0))


@r_function()
def percent_rank(x: Value) -> Value:
    """Return ranks from 0 to 1."""
    ordinals = min_rank(x)._data
    with np.errstate(all="ignore"):
        return doubles(np.where(np.isnan(ordinals), REAL_NA, (ordinals - 1) / ((~np.isnan(ordinals)).sum() - 1.0)))


@r_function()
def cume_dist(x: Value) -> Value:
    """Return the share of values that are not greater."""
    shares = _rank_by(x, lambda known, values: np.searchsorted(known, values, side="right") / max(len(known), 1))
    return doubles(np.where(np.isnan(shares), REAL_NA, shares))


@r_function()
def row_number(x: Value | None = None) -> Value:
    """Return the numbers of the rows in the group, or ranks in which equal values keep their order."""
    if x is None:
        return integers(np.arange(1, row_count(current("row_number").data) + 1))
    values = ranks(_plain(x, "row_number"))
    out = np.empty(len(values))
    out[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1)
    return integers(np.where(np.isnan(values), np.nan, out))


@r_function()
def ntile(x: object = None, n: object = None) -> Value:
    """Return the number of the group, of n of about equal size, that holds each value."""
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


def _check_kinds(values: Sequence[Value], verb: str) -> None:
    if any(names_of(v) is not None or dim_of(v) is not None or is_frame(v) for v in values):
        raise NotSupportedError(f"{verb}() of vectors with names, or tables")
    stop_if(len({v._kind for v in values}) > 1, f"{verb}(): all values must be of one type")
    about = [{name: value._data.tolist() for name, value in v._attributes.items()} for v in values]
    if any(other != about[0] for other in about) or is_factor(values[0]):
        raise NotSupportedError(f"{verb}() of factors, or of different classes")


def _choose_by_case(cases: Sequence[tuple[np.ndarray, Value]], n: int, verb: str) -> Value:
    """Return n values, each from the first vector whose condition holds; missing values elsewhere."""
    _check_kinds([value for _, value in cases], verb)
    first = cases[0][1]
    data, open_ = gaps(n, first._kind), np.ones(n, dtype=bool)
    for case, value in cases:
        where = case & open_
        data[where] = np.resize(value._data, n)[where]
        open_ &= ~where
    return Value(first._kind, data, first._attributes)


@r_function(may_skip=("true", "false"))
def if_else(condition: Value, true: Value, false: Value, missing: Value | None = None) -> Value:
    """Return values of one of two vectors of the same kind."""
    stop_if(condition._kind != "logical", "`condition` must be a logical vector.")
    test, n = condition._data, len(condition)
    cases = [(test == 1, true), (test == 0, false)] + ([] if missing is None else [(np.isnan(test), missing)])
    if any(len(vector) not in (1, n) for _, vector in cases):
        raise RError("`true` and `false` must be of the length of `condition` or 1.")
    return _choose_by_case(cases, n, "if_else")


@r_function(may_skip=("...",))
def case_when(*dots: tuple[object, object]) -> Value:
    """Return the value of the first condition that holds: ``case_when((condition, value), ...)``."""
    pairs = [(as_value(test), as_value(value)) for test, value in dots]
    stop_if(any(test._kind != "logical" for test, _ in pairs), "the left hand sides of case_when() must be logical")
    sizes = {len(vector) for pair in pairs for vector in pair} - {1}
    stop_if(len(sizes) > 1, "the sides of case_when() must be of one length or of length 1")
    n = sizes.pop() if sizes else 1
    return _choose_by_case([(np.resize(test._data, n) == 1, value) for test, value in pairs], n, "case_when")


@r_function(may_skip=("...",))
def coalesce(*dots: Value) -> Value:
    """Return the first value that is not missing."""
    n = len(_plain(dots[0], "coalesce"))
    if any(len(_plain(vector, "coalesce")) not in (1, n) for vector in dots):
        raise RError("Can't recycle the vectors of coalesce().")
    known = [(~np.resize(is_missing(vector), n), vector) for vector in dots]
    return _choose_by_case([*known, (np.ones(n, dtype=bool), dots[-1])], n, "coalesce")


@r_function()
def na_if(x: Value, y: Value) -> Value:
    """Return values, missing where they are equal to others."""
    if len(_plain(y, "na_if")) not in (1, len(_plain(x, "na_if"))):
        raise RError("`y` must be length 1 or of the length of `x`.")
    data = x._data.copy()
    data[operate("==", x, y)._data == 1] = gaps(1, x._kind)[0]
    return Value(x._kind, data, x._attributes)


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@r_function(unsupported="_missing")
def recode(_x: Value, *dots: object, _default: Value | None = None, _missing: object = None, **named: object) -> Value:
    """Replace values, by their text or their number."""
    n, items = len(_plain(_x, "recode")), arguments(dots, named)
    refuse_if(any(not name for name, _ in items), "recode() with values without names")
    refuse_if(any(len(new) != 1 or new._attributes for _, new in items), "recode() to several values")
    _check_kinds([new for _, new in items] + ([] if _default is None else [_default]), "recode")
    kind = items[0][1]._kind
    if is_factor(_x):
        refuse_if(_default is not None or kind != "character", "recode() of a factor to other than labels")
        return _relabel(_x, {name: new._data[0] for name, new in items})
    refuse_if(_x._attributes, "recode() of a vector with attributes")
    if _x._kind != "character" and not all(_NUMBER.fullmatch(name) for name, _ in items):
        raise NotSupportedError("recode() of numbers by names that are none")
    data = _x._data.copy() if kind == _x._kind else gaps(n, kind)
    if _default is not None:
        data = np.where(is_missing(_x), gaps(1, kind), np.resize(_default._data, n))
    for name, new in items:
        data[_x._data == (name if _x._kind == "character" else float(name))] = new._data[0]
    return Value(kind, data)


def _relabel(x: Value, new: dict[str, str]) -> Value:
    labels = [new.get(str(level), level) for level in factor_levels(x)]
    levels = list(dict.fromkeys(labels))
    codes = [np.nan if v != v else levels.index(labels[int(v) - 1]) + 1.0 for v in x._data]
    return Value("integer", np.array(codes), x._attributes | {"levels": strings(levels)})


@r_function()
def near(x: Value, y: Value, tol: object = 1.4901161193847656e-08) -> Value:
    """Return whether numbers are equal but for a tolerance."""
    return size(x - y) < tol


@r_function()
def cummean(x: object) -> Value:
    """Return the mean of the values so far."""
    raise NotSupportedError("cummean()")


def _cumulative(name: str, decisive: float) -> Callable[..., Value]:
    def compute(x: Value) -> Value:
        out, state = [], 1.0 - decisive
        for v in coerce(x, "logical")._data.tolist():
            state = decisive if decisive in (state, v) else np.nan if v != v or state != state else 1.0 - decisive
            out.append(state)
        return logicals(out)

    return r_function(name, f"Return whether {name[3:]} of the values so far are true.", classes="any -factor")(compute)


cumall, cumany = _cumulative("cumall", 0.0), _cumulative("cumany", 1.0)
