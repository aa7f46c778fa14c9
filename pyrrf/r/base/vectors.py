"""Vectors put together, counted, repeated, and looked through."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from pyrrf.r.base.lists import items_as, joined_factors, joined_names, unlist
from pyrrf.r.indexing.replacement import put
from pyrrf.r.indexing.subscripts import ALL, items, marks, take, taken
from pyrrf.r.values.arguments import Named, absent, arguments, flag, number
from pyrrf.r.values.coercion import as_codes, attrs, bare, coerce, wider, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if
from pyrrf.r.values.functions import Flag, Item, Number, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, factor_levels, inherits, is_factor, is_list, kind_of
from pyrrf.r.values.kinds import is_null as nothing
from pyrrf.r.values.labels import dim_of, dimnames_of, dimnames_value, names_of, names_part
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, logicals, null, objects, strings
from pyrrf.rbase.arithmetic import spread_points
from pyrrf.rbase.vectors import MOST_INTEGER

Parts = Sequence[tuple[str, Item]]
"""The arguments of c() with their names, "" without one."""
_EMPTY_NAMED = "c() where only an empty value has a name"


@r_function(in_order=True, keeps=True, dots_in_order=True)
def c(*dots: object, **named: object) -> Value:
    """Put values together: the widest kind wins; names are joined."""
    given = arguments(dots, named)
    settings = {name: flag(item) for name, item in given if name in ("recursive", "use.names")}
    given = [(name, item) for name, item in given if name not in settings]
    parts = [(name, item) for name, item in given if not nothing(item)]
    if settings:
        return _set_apart(parts, settings.get("recursive", False), settings.get("use.names", True))
    if not parts:
        return null()
    refuse_if(any(name for name, item in given if nothing(item)) and not joined_names(parts), _EMPTY_NAMED)
    first = given[0][1]  # R takes the method of the first argument, even of NULL.
    of_class = method("c", classes(first))
    return _join(parts) if of_class is None else of_class(parts)


def _join(parts: Parts) -> Value:
    """Return c() of values whatever their class, but for the codes of factors."""
    labels = joined_names(parts)
    kind = wider(*(kind_of(item) for _, item in parts))
    pieces = [items_as(kind, item) for _, item in parts]
    refuse_if(not labels and any(map(len, pieces)) and any(name for name, _ in parts), _EMPTY_NAMED)
    return Value(kind, np.concatenate(pieces), names_part(labels or None))


def c_factor(parts: Parts) -> Value:
    """Return c() of a factor and others: a factor of factors, codes among other values."""
    values = [item for _, item in parts]
    if not all(map(is_factor, values)):
        return unlist(list(*(Named(name, item) for name, item in parts)))
    levels = factor_levels(values[0])
    same = all(inherits(item, "ordered") and factor_levels(item) == levels for item in values)
    return joined_factors(values, joined_names(parts), ordered=same)


def c_noquote(parts: Parts) -> Value:
    """Return c() of strings without quotes and others."""
    joint = _join(parts)
    return Value(joint._kind, joint._data, joint._attributes | {"class": strings("noquote")})


def _set_apart(parts: Parts, recursive: bool, use_names: bool) -> Value:
    """Return ``c(..., recursive =, use.names =)``."""
    if recursive:
        refuse_if(any(is_factor(item) for _, item in parts), "c() of factors with recursive")
        return unlist(list(*(Named(name, item) for name, item in parts)), use_names=use_names)
    made = c(*(Named(name, item) for name, item in parts))
    return made if use_names else without(made, "names")


@r_function(in_order=True, keeps=True, dots_in_order=True, classes="any formula")
def list(*dots: object, **named: object) -> Value:
    """Return a list of the arguments."""
    parts = arguments(dots, named)
    items = objects([item.copy() if isinstance(item, Value) else item for _, item in parts])
    labels = [name for name, _ in parts]
    return Value("list", items, names_part(labels if any(labels) else None))


@r_function()
def length(x: Item) -> Value:
    """Return the number of items of a value."""
    return integers(len(x) if isinstance(x, Value) else 1)


@r_function()
def vector(mode: Text = "logical", length: Whole = 0) -> Value:
    """Return a vector of a kind: zeros, FALSE, empty strings, NULLs."""
    kind = "double" if mode == "numeric" else mode
    stop_if(length < 0, "invalid 'length' argument")
    if kind == "list":
        return Value("list", objects([null() for _ in range(length)]))
    if kind == "character":
        return strings([""] * length)
    stop_if(kind not in NUMBERS, f"vector: cannot make a vector of mode '{kind}'.")
    return Value(kind, np.zeros(length))


def _vector_of(kind: str, what: str) -> Callable[..., Value]:
    def make(length: object = 0) -> Value:
        return vector(kind, length)

    make.__doc__ = f"Return {what}."
    return make


numeric = _vector_of("double", "zeros")
character = _vector_of("character", "empty strings")
logical = _vector_of("logical", "FALSE")
integer = _vector_of("integer", "integer zeros")


# ---- sequences -----------------------------------------------------------------------------------


_FLT_EPSILON = 2.0**-23  # R adds C's constant before it counts.


@r_function()
def colon(from_: Value, to: Value) -> Value:
    """Return ``from:to``, which counts up or down by 1."""
    stop_if(not len(from_) or not len(to), "argument of length 0")
    first, last = (float(coerce(as_codes(end), "double")._data[0]) for end in (from_, to))
    stop_if(first != first or last != last, "NA/NaN argument")
    refuse_if(not abs(last - first) <= MOST_INTEGER, "a sequence of more than 2^31 numbers")
    steps = np.arange(np.floor(abs(last - first) + 1 + _FLT_EPSILON))
    values = first + steps if first <= last else first - steps
    whole = first == np.floor(first) and max(abs(first), abs(values[-1])) <= MOST_INTEGER
    return integers(values) if whole else doubles(values)


@r_function()
def seq_len(length_out: Number) -> Value:
    """Return 1, 2, ..., n."""
    n = length_out
    stop_if(n != n or n < 0, "argument of length 0" if n != n else "argument must be coercible to non-negative integer")
    return integers(np.arange(1, int(n) + 1))


@r_function()
def seq_along(along_with: Value) -> Value:
    """Return 1, 2, ..., as many as there are items."""
    return integers(np.arange(1, len(along_with) + 1))


@r_function(in_order=True)
def rep(x: Value, times: Value | float = 1, length_out: object = None, each: Number = 1) -> Value:
    """Repeat items."""
    if nothing(x):
        return x
    often = 1.0 if each != each else each
    n = None if length_out is None else int(number(length_out))
    stop_if(often < 0 or (often == 0 and n and len(x)), "invalid 'each' argument")
    index = np.repeat(np.arange(len(x)), int(often))
    counts = coerce(times, "double")._data
    if n is not None:
        index = np.resize(index, n) if len(index) else np.full(n, -1)
    elif not (counts >= 0).all() or len(counts) not in (1, len(index)):
        raise RError("invalid 'times' argument")
    elif len(counts) == 1:
        index = np.tile(index, int(counts[0]))
    else:
        index = np.repeat(index, counts.astype(np.int64))

    if not len(x) and not len(index):
        return x
    labels = names_of(x)
    chosen = None if labels is None else [labels[i] for i in index]
    about = names_part(chosen) | marks(x, "factor", "Date", "POSIXct", "difftime")
    if is_factor(x):
        about["levels"] = about.pop("levels")  # rep() sets them last.
    return Value(x._kind, take(x, index)._data, about)


@r_function(in_order=("from_", "to", "by"))
def seq(
    from_: object = None, to: object = None, by: object = None, length_out: object = None, along_with: object = None
) -> Value:
    """Return a sequence: by steps towards the end, or of a length."""
    first, last, step = (None if end is None else as_value(end) for end in (from_, to, by))
    given = [end for end in (first, last, step) if end is not None]
    if along_with is not None:
        if not given:
            return seq_along(along_with)
        length_out = len(as_value(along_with))
    if first is not None and len(given) == 1 and length_out is None:
        return seq_along(first) if len(first) != 1 or first._kind == "logical" else colon(1, first)
    n = None if nothing(length_out) else float(np.ceil(number(length_out)))
    stop_if(n is not None and not 0 <= n < np.inf, "'length.out' must be a non-negative number")
    if any("class" in end._attributes for end in (first, last) if end is not None):
        of_class = None if first is None else method("seq", classes(first))
        of_class = refuse_none(of_class, "seq() of this kind of object")
        return of_class(first, last, step, None if n is None else int(n))
    _check_finite(first, last)
    if n is None:
        return _by_steps(doubles(1) if first is None else first, doubles(1) if last is None else last, step)
    if not given:
        return colon(1, n) if n else integers([])
    return _of_length(first, last, step, int(n), along_with is not None or as_value(length_out)._kind != "double")


def _check_finite(first: Value | None, last: Value | None) -> None:
    for end, what in ((first, "from"), (last, "to")):
        if end is not None and not np.isfinite(number(end)):
            raise RError(f"'{what}' must be a finite number")


def _is_whole(*parts: Value | None) -> bool:
    """Return whether all given values are held as integers."""
    return all(value is None or value._kind in ("integer", "logical") for value in parts)


def _by_steps(first: Value, last: Value, step: Value | None) -> Value:
    if step is None:
        return colon(first, last)
    start, end, by = (number(value) for value in (first, last, step))
    distance = end - start
    if distance == 0 and end == 0:
        return last
    if by == 0 and distance == 0:
        return first
    with np.errstate(all="ignore"):
        count = np.float64(distance) / by
    stop_if(not np.isfinite(count), "invalid '(to - from)/by' in seq(.)")
    stop_if(count < 0, "wrong sign in 'by' argument")
    stop_if(count > MOST_INTEGER, "'by' argument is much too small")
    if abs(distance) / max(abs(start), abs(end)) < 100 * np.finfo(np.float64).eps:
        return first
    if _is_whole(first, last, step):
        return integers(start + np.arange(int(count) + 1) * by)
    numbers = start + np.arange(np.floor(count + 1e-10) + 1) * by
    return doubles(np.minimum(numbers, end) if by > 0 else np.maximum(numbers, end))


def _of_length(first: Value | None, last: Value | None, step: Value | None, n: int, counted: bool) -> Value:
    """Return `n` numbers; `counted` where the length is an integer, without which R gives no integers."""
    if n == 0:
        return integers([])
    stop_if(n > MOST_INTEGER, "result would be too long a vector")
    whole = _is_whole(first, last, step)
    if step is None:
        start = number(first) if first is not None else number(last) - (n - 1)
        end = number(last) if last is not None else start + (n - 1)
        if first is not None and n > 2 and start == end:
            return rep(bare(first), length_out=n)
        return _spread(start, end, n, whole and (counted or (n <= 2 and first is not None and last is not None)))
    stop_if(first is not None and last is not None, "too many arguments")
    if first is None:
        numbers = number(last) - np.arange(n - 1, -1, -1) * number(step)
    else:
        numbers = number(first) + np.arange(n) * number(step)
    return integers(numbers) if whole and np.abs(numbers).max() <= MOST_INTEGER else doubles(numbers)


def _spread(first: float, last: float, n: int, whole: bool) -> Value:
    """Return `n` numbers between two others; integers where all of them are."""
    points = spread_points(first, last, n)
    even = n <= 2 or first % (n - 1) == last % (n - 1)
    return integers(points) if whole and even else doubles(points)


@r_function()
def seq_int(
    from_: object = None, to: object = None, by: object = None, length_out: object = None, along_with: object = None
) -> Value:
    """Return a sequence as ``seq()`` does; whole numbers of a given length are integers."""
    if by is not None or nothing(length_out):
        return seq(from_, to, by, length_out, along_with)
    numbers = seq(from_, to, length_out=integers(np.ceil(number(length_out))))
    one_end = numbers._kind == "double" and (from_ is None or to is None)
    return integers(numbers._data) if one_end and bool((numbers._data == np.trunc(numbers._data)).all()) else numbers


@r_function()
def rep_len(x: Value, length_out: object) -> Value:
    """Return a vector repeated to a length, without attributes but for factors, dates and spans."""
    return rep(x if inherits(x, "factor", "Date", "POSIXct", "difftime") else bare(x), length_out=length_out)


@r_function(in_order=("x", "values"), keeps=True)
def append(x: Value, values: Item, after: object = None) -> Value:
    """Return a vector with values behind one of its items, at its end by default."""
    place = len(x) if after is None else int(number(after))
    if place >= len(x):
        return c(x, values)
    stop_if(place < 0, "only 0's may be mixed with negative subscripts")
    if place == 0:
        return c(values, x)
    return c(items(x, colon(1, place)), values, items(x, colon(place + 1, len(x))))


@r_function(may_skip=("yes", "no"), later=("yes", "no"))
def ifelse(test: Value, yes: object = absent, no: object = absent) -> Value:
    """Return items of one of two vectors, by a condition; its attributes stay. An unused vector is not evaluated."""
    stop_if(is_factor(test), "invalid to change the storage mode of a factor")
    if inherits(test, "Date", "POSIXct", "difftime", "data.frame"):
        raise NotSupportedError(f"ifelse() with a condition of class {classes(test)[0]}")
    flags = coerce(test, "logical")._data
    made = logicals(flags, {} if is_list(test) else test._attributes)
    for wanted, source in ((1, yes), (0, no)):
        index = np.flatnonzero(flags == wanted)
        if len(index):
            value = as_value(source() if callable(source) and not isinstance(source, Value) else source)
            plain = bare(as_codes(value))
            wide = plain if len(plain) >= len(flags) else rep(plain, length_out=len(flags))
            made = put(made, items(wide, integers(index + 1)), integers(index + 1))
    return made


@r_function()
def head(x: Value, n: Number = 6) -> Value:
    """Return the first items or rows; all but the last with a negative number."""
    return _end(x, n, first=True)


@r_function(unsupported="keepnums", classes="any -summaryDefault")
def tail(x: Value, n: Number = 6, keepnums: Flag = True) -> Value:
    """Return the last items or rows; all but the first with a negative number."""
    return _end(x, n, first=False)


def _end(x: Value, n: float, first: bool) -> Value:
    shape = dim_of(x)
    size = len(x) if shape is None else shape[0]
    whole = math.floor if first else math.ceil
    count = int(whole(min(n, size) if n >= 0 else max(size + n, 0)))
    index = integers(np.arange(1, count + 1) if first else np.arange(size - count + 1, size + 1))
    if shape is None or len(shape) == 1:
        return items(x, index, drop=False)
    rows = taken(x, index, ALL, drop=False)
    if first or inherits(x, "data.frame") or dimnames_of(x)[0] is not None:
        return rows
    texts = [f"[{int(i)},]" for i in index._data]
    width = max(map(len, texts), default=0)
    labels = dimnames_value([[text.rjust(width) for text in texts] or None, dimnames_of(rows)[1]])
    return Value(rows._kind, rows._data, rows._attributes | {"dimnames": labels})


@r_function()
def lengths(x: Value, use_names: Flag = True) -> Value:
    """Return the number of items of each item of a list."""
    about = attrs(x, "dim", "dimnames") if use_names else attrs(x, "dim")
    if use_names and not about:
        about = names_part(names_of(x))
    return integers([len(item) if isinstance(item, Value) else 1 for item in x._data], about)


pi = doubles(np.pi)
letters = strings([chr(97 + i) for i in range(26)])
LETTERS = strings([chr(65 + i) for i in range(26)])
month_name = strings("January February March April May June July August September October November December".split())
month_abb = strings("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())
