"""Tables of counts, their shares and their margins."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.operators import operated, plainly
from pyrrf.r.base.factors import factor
from pyrrf.r.base.joining import code_label, with_texts
from pyrrf.r.base.sets import match
from pyrrf.r.base.sums import sum as total
from pyrrf.r.base.vectors import c
from pyrrf.r.values.arguments import UNKNOWN_CODE, arguments, codes
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_levels,
    inherits,
    is_factor,
    is_list,
    is_missing,
    names_of,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    logicals,
    null,
    objects,
    strings,
)
from pyrrf.rbase.vectors import REAL_NA

Counted = tuple[np.ndarray, "builtins.list[str | None]"]


@r_function(in_order=True, dots_in_order=True)
def table(
    *dots: Any,
    exclude: Any = None,
    useNA: Any = None,
    dnn: Any = None,
    deparse_level: Any = 1,
    deparsed: Any = None,
    **named: Any,
) -> Value:
    """Return how often each value, or each combination of values, stands in vectors of one length."""
    level = int(coerced(deparse_level, "double")._data[0])
    if level not in (0, 1):
        raise NotMovedError("table() with deparse.level = 2")
    given = with_texts(arguments(dots, named), map(code_label, codes(deparsed, dots)) if level else None)
    labels = [name for name, _ in given]
    items = [item for _, item in given]
    if len(items) == 1 and is_list(items[0]):
        known = names_of(items[0])
        labels = labels if known is None else [str(name) for name in known]
        items = [*items[0]._data]
    if UNKNOWN_CODE in labels and dnn is None:
        raise NotMovedError("table() of vectors that stand in ..., by whose code R names them")
    if dnn is not None:
        labels = [str(name) for name in coerced(dnn, "character")._data] if not is_null(dnn) else []
        if labels and (len(labels) < len(given) or is_missing(coerced(dnn, "character")).any()):
            raise NotMovedError("table() with fewer names of dimensions than dimensions")
    if len(labels) != len(items) and is_list(as_value(given[0][1] if given else null())):
        labels = [f"{labels[0] if labels else ''}.{k + 1}" for k in range(len(items))]
    way, out = _ways(useNA, exclude)
    return crossed([_counted(as_value(item), way, out, exclude is not None) for item in items], labels)


def _ways(use: Any, exclude: Any) -> tuple[str, Value]:
    """Return "no", "ifany" or "always", and the values that are left out."""
    out = null() if exclude is None else as_value(exclude)
    gaps = bool(is_missing(out).any()) if len(out) else False
    if len(out) and out._kind != "character" and not gaps:
        raise NotMovedError("table() with exclude that is not text")
    if use is None or is_null(use):
        way = "ifany" if exclude is not None and not gaps else "no"
    else:
        text = str(coerced(use, "character")._data[0])
        found = [known for known in ("no", "ifany", "always") if known.startswith(text)]
        if len(found) != 1:
            raise RError("'arg' should be one of \u2018no\u2019, \u2018ifany\u2019, \u2018always\u2019")
        way = found[0]
        if exclude is not None and way != "no" and gaps:
            warn("'exclude' containing NA and 'useNA' != \"no\"' are a bit contradicting")
    if exclude is None:
        out = doubles([REAL_NA, np.nan]) if way == "no" else null()
    return way, out


def _counted(x: Value, way: str, out: Value, excludes: bool) -> Counted:
    """Return codes and levels of a vector as table() counts them."""
    if not isinstance(x, Value) or is_list(x):
        raise NotMovedError("table() of lists")
    was_factor = is_factor(x)
    found = x if was_factor else factor(x, exclude=out)
    levels = builtins.list(factor_levels(found))
    codes = found._data
    gaps = bool(np.isnan(codes).any()) or (None in levels and bool((codes == levels.index(None) + 1).any()))
    add_level = None not in levels
    added = (way == "always" and (add_level or gaps)) or (way == "ifany" and gaps)
    if added:
        levels = levels + [None] * add_level
        codes = np.where(np.isnan(codes), levels.index(None) + 1, codes)
    if was_factor and excludes:
        kept = np.flatnonzero(match(strings(levels), out, 0)._data == 0)
        turn = np.full(len(levels) + 1, np.nan)
        turn[kept] = np.arange(1, len(kept) + 1)
        codes = turn[np.where(np.isnan(codes), len(levels) + 1, codes).astype(np.int64) - 1]
        levels = [levels[i] for i in kept]
    elif not was_factor and added:
        if way == "ifany" and not bool(is_missing(x).any()) and add_level:
            levels = [level for level in levels if level is not None]
            out = logicals(np.nan) if is_null(out) else _with_gap(out)
        if not is_null(out):
            codes = np.where(match(x, out, 0)._data > 0, np.nan, codes)
    return codes, levels


def _with_gap(out: Value) -> Value:
    found: Value = c(out, logicals(np.nan))
    return found


def crossed(parts: builtins.list[Counted], labels: builtins.list[str]) -> Value:
    """Return the table of vectors of codes and their levels."""
    if not parts:
        raise RError("nothing to tabulate")
    if len({len(codes) for codes, _ in parts}) != 1:
        raise RError("all arguments must have the same length")
    shape = tuple(len(levels) for _, levels in parts)
    known = ~np.any([np.isnan(codes) for codes, _ in parts], axis=0)
    at = [codes[known].astype(np.int64) - 1 for codes, _ in parts]
    places = np.ravel_multi_index(at, shape, order="F") if known.any() else np.zeros(0, dtype=np.int64)
    size = int(np.prod(shape))
    counts = np.bincount(places, minlength=size)[:size]
    about = {
        "dim": integers(shape),
        "dimnames": _labels_of([levels for _, levels in parts], strings(labels) if labels else None),
        "class": strings("table"),
    }
    return Value("integer", counts.astype(np.float64), about)


def _labels_of(labels: builtins.list[builtins.list[str | None]], names: Value | None) -> Value:
    # R keeps no labels of a dimension without levels.
    return dimnames_value([part if part else None for part in labels], names)


# ---- shares and margins --------------------------------------------------------------------------


def _margins(margin: Any, n: int) -> builtins.list[int]:
    found = as_value(margin)
    if found._kind == "character":
        raise NotMovedError("a margin by its name")
    at = [int(v) - 1 for v in found._data]
    if any(not 0 <= k < n for k in at):
        raise RError("subscript out of bounds")
    return at


def prop_table(x: Any, margin: Any = None) -> Value:
    """Return shares of the sum of all cells, or of each row (1), column (2) or pair of them."""
    value = as_value(x)
    if is_null(margin):
        return operated("/", value, total(value))
    shape = dim_of(value)
    if shape is None:
        raise RError("'x' is not an array")
    at = _margins(margin, len(shape))
    if not len(value):
        raise NotMovedError("prop.table() of an empty table")
    sums = _sums(value, at)._data.reshape([shape[k] for k in at], order="F")
    order = np.argsort(at)
    wide = sums.transpose(order).reshape([n if k in at else 1 for k, n in enumerate(shape)])

    bottom = np.broadcast_to(wide, shape).ravel(order="F")
    bare = plainly("/", Value(value._kind, value._data), Value("double", bottom.copy()))
    return Value("double", bare._data, value._attributes)


def proportions(x: Any, margin: Any = None) -> Value:
    """Return shares of the sum of all cells, or of each row (1) or column (2)."""
    return prop_table(x, margin)


def _sums(x: Value, at: builtins.list[int]) -> Value:
    """Return the sums over the other dimensions, without attributes."""
    shape = dim_of(x) or ()
    grid = x._data.reshape(shape, order="F")
    others = [k for k in range(len(shape)) if k not in at]
    sizes = [int(np.prod([shape[k] for k in part])) for part in (at, others)]
    flat = np.transpose(grid, [*at, *others]).reshape(sizes, order="F")
    found = [total(Value(x._kind, line.copy())) for line in flat]
    kind = found[0]._kind if found else "integer"
    return Value(kind, np.array([float(item._data[0]) for item in found], dtype=np.float64))


def margin_table(x: Any, margin: Any = None) -> Value:
    """Return sums of rows (1) or columns (2), or of all."""
    value = as_value(x)
    if is_null(margin):
        return total(value)
    shape = dim_of(value)
    if shape is None:
        raise RError("'x' is not an array")
    at = _margins(margin, len(shape))
    found = _sums(value, at)
    about = {"dim": integers([shape[k] for k in at])}
    old = value._attributes.get("dimnames")
    if old is not None:
        names = names_of(old)
        kept = None if names is None else {"names": strings([names[k] for k in at])}
        about["dimnames"] = Value("list", objects([old._data[k] for k in at]), kept)
    about |= {"class": value._attributes["class"]} if "class" in value._attributes else {}
    return Value(found._kind, found._data, about)


def marginSums(x: Any, margin: Any = None) -> Value:
    """Return sums of rows (1) or columns (2), or of all."""
    return margin_table(x, margin)


@r_function(called=("FUN",))
def addmargins(A: Any, margin: Any = None, FUN: Any = None, quiet: Any = False) -> Value:
    """Return a table with sums added to its rows, columns, or both."""
    value = as_value(A)
    shape = dim_of(value)
    if shape is None:
        raise RError("'A' must be an array or table")
    if FUN is not None:
        raise NotMovedError("addmargins() with other than sums")
    at = builtins.list(range(len(shape))) if margin is None else _margins(margin, len(shape))
    made = value
    for axis in at:
        made = _with_sums(made, axis)
    # array() has no class; what class() says of it becomes the class.
    inner = ["matrix", "array"] if len(shape) == 2 else ["array"]
    about = made._attributes | ({"class": strings(["table", *inner])} if inherits(value, "table") else {})
    return Value(made._kind, made._data, about)


def _with_sums(x: Value, axis: int) -> Value:
    shape = dim_of(x) or ()
    others = [k for k in range(len(shape)) if k != axis]
    sums = _sums(x, others) if others else margin_table(x)
    grid = x._data.reshape(shape, order="F")
    line = sums._data.reshape([1 if k == axis else n for k, n in enumerate(shape)], order="F")
    found = np.concatenate([grid, line], axis=axis)
    labels = [builtins.list(part) if part is not None else None for part in dimnames_of(x)]
    labels[axis] = [*(labels[axis] or [""] * shape[axis]), "Sum"]
    old = x._attributes.get("dimnames")
    names = None if old is None else old._attributes.get("names")
    about = {"dim": integers(found.shape), "dimnames": dimnames_value(labels, names)}
    return Value("double", found.ravel(order="F"), about)


def as_table(x: Any) -> Value:
    """Return a matrix or a vector of counts as a table."""
    value: Value = as_value(x)
    if inherits(value, "table"):
        return value
    if is_list(value) or value._kind not in ("logical", "integer", "double"):
        raise RError("cannot coerce to a table")
    shape = dim_of(value) or (len(value),)
    labels = dimnames_of(value) if dim_of(value) else [names_of(value)]
    full = [_letters(n) if part is None else part for part, n in zip(labels, shape, strict=True)]
    old = value._attributes.get("dimnames")
    names = None if old is None else old._attributes.get("names")
    about = {"dim": integers(shape), "dimnames": dimnames_value(full, names), "class": strings("table")}
    return Value(value._kind, value._data, about)


def _letters(n: int) -> builtins.list[str | None]:
    if n > 26:
        raise NotMovedError("as.table() of more than 26 rows without names")
    return [chr(65 + i) for i in range(n)]


@r_function(formula=True)
def ftable(*dots: Any, **named: Any) -> Value:
    """Refuse: flat tables are not moved."""
    raise NotMovedError("ftable()")


@r_function(formula=True)
def xtabs(formula: Any = None, data: Any = None, *dots: Any, **named: Any) -> Value:
    """Refuse: what xtabs() gives holds its call; table() and tapply() are moved."""
    raise NotMovedError("xtabs(), whose value holds its call; use table() or tapply()")
