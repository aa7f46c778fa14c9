"""Vectors put together, counted, repeated, and looked through."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from pyrrf.r.base.lists import unlist
from pyrrf.r.indexing.replacement import put
from pyrrf.r.indexing.subscripts import ALL, _rebuilt, items, picked, taken
from pyrrf.r.values.arguments import Named, absent, arguments, default_only, flag, number
from pyrrf.r.values.attributes import (
    classes,
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_list,
    names_of,
)
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import (
    KINDS,
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    null,
    objects,
    strings,
)
from pyrrf.r.values.vector import is_null as nothing
from pyrrf.rbase.arithmetic import spread_points
from pyrrf.rbase.vectors import MOST_INTEGER

Labels: TypeAlias = "builtins.list[str | None] | None"


def new_name(tag: str, inner: str | None, at: int, n: int) -> str | None:
    """Return the name that an item gets from the name of its argument and its own."""
    if not tag:
        return inner
    if inner or inner is None:
        return f"{tag}.{'NA' if inner is None else inner}"
    return tag if n == 1 else f"{tag}{at + 1}"


def joined_names(parts: Iterable[tuple[str, Labels, int]]) -> Labels:
    """Return the names of parts put together, None if there are none; each part has a tag, names and a length."""
    found = builtins.list(parts)
    if not any(tag or names is not None for tag, names, _ in found):
        return None
    return [new_name(tag, "" if names is None else names[at], at, n) for tag, names, n in found for at in range(n)]


@r_function(in_order=True, keeps=True, dots_in_order=True)
def c(*dots: Any, **named: Any) -> Any:
    """Put values together: the widest kind wins; names are joined."""
    given = arguments(dots, named)
    settings = {name: flag(item) for name, item in given if name in ("recursive", "use.names")}
    parts = [(name, item) for name, item in given if name not in settings and not nothing(item)]
    if settings:
        return _set_apart(parts, settings)
    if not parts:
        return null()
    # R takes the method of the first argument, even of NULL.
    first = next(item for name, item in given if name not in settings)
    if inherits(first, "noquote"):
        raise NotMovedError("c() of what noquote() gave")
    if is_factor(first) and all(is_factor(item) for _, item in parts):
        return _factors([item for _, item in parts], joined_names([(n, names_of(i), len(i)) for n, i in parts]))
    if is_factor(first) and any(is_list(item) for _, item in parts):
        raise NotMovedError("c() of a factor and a list, which R makes one vector; unlist() them")
    kinds = [item._kind if isinstance(item, Value) and item._kind in KINDS else "list" for _, item in parts]
    kind = wider(*kinds)
    pieces = [_as_kind(item, kind) for _, item in parts]
    about = {}
    labels = joined_names([(name, _names(item), len(piece)) for (name, item), piece in zip(parts, pieces, strict=True)])
    if labels:
        about["names"] = strings(labels)
    elif any(map(len, pieces)) and any(name for name, _ in given if name not in settings):
        raise NotMovedError("c() where only an empty value has a name")
    if any(inherits(first, name) for name in ("Date", "POSIXct", "difftime")) and kind == "double":
        about |= {key: first._attributes[key] for key in ("class", "units", "tzone") if key in first._attributes}
    return Value(kind, np.concatenate(pieces), about)


def _set_apart(parts: builtins.list[tuple[str, Any]], settings: dict[str, bool]) -> Any:
    """Return ``c(..., recursive =, use.names =)``."""
    labels = {"names": strings([name for name, _ in parts])} if any(name for name, _ in parts) else None
    if settings.get("recursive"):
        if any(is_factor(item) for _, item in parts):
            raise NotMovedError("c() of factors with recursive")
        return unlist(
            Value("list", objects([item for _, item in parts]), labels), use_names=settings.get("use.names", True)
        )
    made = c(*(Named(name, item) if name else item for name, item in parts))
    if not settings.get("use.names", True) and isinstance(made, Value):
        made._attributes.pop("names", None)
    return made


def _names(item: Any) -> Labels:
    return names_of(item) if isinstance(item, Value) else None


def _as_kind(item: Any, kind: str) -> np.ndarray:
    if not isinstance(item, Value) or item._kind not in KINDS:
        return objects([item])
    # c() of a factor or dates and other values takes the numbers.
    bare = Value(item._kind, item._data) if "class" in item._attributes and not is_list(item) else item
    return coerced(bare, kind)._data


def _factors(parts: builtins.list[Value], labels: Labels) -> Value:
    levels = builtins.list(dict.fromkeys(level for part in parts for level in factor_levels(part)))
    place = {level: at + 1.0 for at, level in enumerate(levels)}
    codes = [place.get(text, np.nan) for part in parts for text in factor_labels(part)._data]
    same = all(factor_levels(part) == factor_levels(parts[0]) for part in parts)
    ordered = same and all(inherits(part, "ordered") for part in parts)
    about = {"levels": strings(levels), "class": strings(["ordered", "factor"] if ordered else ["factor"])}
    if labels is not None:
        about["names"] = strings(labels)
    return Value("integer", np.array(codes, dtype=np.float64), about)


@r_function(in_order=True, keeps=True, dots_in_order=True, shows=True)
def list(*dots: Any, **named: Any) -> Value:
    """Return a list of the arguments."""
    parts = arguments(dots, named)
    items = objects([item.copy() if isinstance(item, Value) else item for _, item in parts])
    labels = [name for name, _ in parts]
    return Value("list", items, {"names": strings(labels)} if any(labels) else None)


def length(x: Any) -> Value:
    """Return how many items a value has."""
    found = as_value(x)
    return integers(len(found) if isinstance(found, Value) else 1)


def vector(mode: Any = "logical", length: Any = 0) -> Value:
    """Return a vector of a kind: zeros, FALSE, empty strings, NULLs."""
    kind = str(as_value(mode)._data[0])
    n = int(number(length))
    kind = "double" if kind == "numeric" else kind
    if n < 0:
        raise RError("invalid 'length' argument")
    if kind == "list":
        return Value("list", objects([null() for _ in range(n)]))
    if kind == "character":
        return strings([""] * n)
    if kind not in NUMBERS:
        raise RError(f"vector: cannot make a vector of mode '{kind}'.")
    return Value(kind, np.zeros(n))


def numeric(length: Any = 0) -> Value:
    """Return zeros."""
    return vector("double", length)


def character(length: Any = 0) -> Value:
    """Return empty strings."""
    return vector("character", length)


def logical(length: Any = 0) -> Value:
    """Return FALSE."""
    return vector("logical", length)


def integer(length: Any = 0) -> Value:
    """Return integer zeros."""
    return vector("integer", length)


# ---- sequences -----------------------------------------------------------------------------------


_FLT_EPSILON = 2.0**-23  # R adds C's constant before it counts.


def colon(from_: Any, to: Any) -> Value:
    """Return ``from:to``, which counts up or down by 1."""
    ends = [as_value(end) for end in (from_, to)]
    if not all(len(end) for end in ends):
        raise RError("argument of length 0")
    first, last = (float(coerced(Value("integer", e._data) if is_factor(e) else e, "double")._data[0]) for e in ends)
    if first != first or last != last:
        raise RError("NA/NaN argument")
    if not abs(last - first) <= MOST_INTEGER:
        raise NotMovedError("a sequence of more than 2^31 numbers")
    steps = np.arange(np.floor(abs(last - first) + 1 + _FLT_EPSILON))
    values = first + steps if first <= last else first - steps
    whole = first == np.floor(first) and max(abs(first), abs(values[-1])) <= MOST_INTEGER
    return integers(values) if whole else doubles(values)


def seq_len(length_out: Any) -> Value:
    """Return 1, 2, ..., n."""
    n = number(length_out)
    if n != n or n < 0:
        raise RError("argument of length 0" if n != n else "argument must be coercible to non-negative integer")
    return integers(np.arange(1, int(n) + 1))


def seq_along(along_with: Any) -> Value:
    """Return 1, 2, ..., as many as there are items."""
    return integers(np.arange(1, len(as_value(along_with)) + 1))


@r_function(in_order=True)
def rep(x: Any, times: Any = 1, length_out: Any = None, each: Any = 1) -> Value:
    """Repeat items."""
    value = as_value(x)
    if nothing(value):
        return value
    often = number(each)
    often = 1.0 if often != often else often
    n = None if length_out is None else int(number(length_out))
    if often < 0 or (often == 0 and n and len(value)):
        raise RError("invalid 'each' argument")
    at = np.repeat(np.arange(len(value)), int(often))
    counts = coerced(times, "double")._data
    if n is None and not (counts >= 0).all():
        raise RError("invalid 'times' argument")
    if n is not None:
        at = np.resize(at, n) if len(at) else np.full(n, -1)
    elif len(counts) == 1:
        at = np.tile(at, int(counts[0]))
    elif len(counts) == len(at):
        at = np.repeat(at, counts.astype(np.int64))
    else:
        raise RError("invalid 'times' argument")

    if not len(value) and not len(at):
        return value
    labels = names_of(value)
    bare = Value(value._kind, value._data, {k: v for k, v in value._attributes.items() if k not in ("dim", "dimnames")})
    found = _rebuilt(bare, picked(value, at), None if labels is None else [labels[i] for i in at], True)
    if is_factor(value):
        # rep() sets the levels last.
        found._attributes["levels"] = found._attributes.pop("levels")
    return found


@r_function(in_order=("from_", "to", "by"))
def seq(
    from_: Any = None,
    to: Any = None,
    by: Any = None,
    length_out: Any = None,
    along_with: Any = None,
) -> Value:
    """Return a sequence: by steps, or of a length.

    Raises
    ------
    RError
        The step leads away from the end, or too much is given.
    """
    if along_with is not None:
        if from_ is None and to is None and by is None:
            return seq_along(along_with)
        length_out = len(as_value(along_with))
    if from_ is not None and to is None and by is None and length_out is None:
        value = as_value(from_)
        return seq_along(value) if len(value) != 1 or value._kind == "logical" else colon(1, value)
    n = None if nothing(length_out) else float(np.ceil(number(length_out)))
    if n is not None and not 0 <= n < np.inf:
        raise RError("'length.out' must be a non-negative number")
    ends = [as_value(each) for each in (from_, to) if each is not None]
    if any("class" in each._attributes for each in ends):
        of_class = None if from_ is None else method("seq", classes(ends[0]))
        if of_class is None:
            raise NotMovedError("seq() of this kind of object")
        last, step = (None if each is None else as_value(each) for each in (to, by))
        return of_class(ends[0], last, step, None if n is None else int(n))
    _check_finite(from_, to)
    if n is None:
        return _by_steps(1.0 if from_ is None else from_, 1.0 if to is None else to, by)
    if from_ is None and to is None and by is None:
        return colon(1, n) if n else integers([])
    return _of_length(from_, to, by, int(n), along_with is not None or as_value(length_out)._kind != "double")


def _check_finite(from_: Any, to: Any) -> None:
    for end, what in ((from_, "from"), (to, "to")):
        if end is not None and not np.isfinite(number(end)):
            raise RError(f"'{what}' must be a finite number")


def _by_steps(from_: Any, to: Any, by: Any) -> Value:
    if by is None:
        return colon(from_, to)
    first, last, step = (as_value(part) for part in (from_, to, by))
    ends = [number(part) for part in (first, last, step)]
    distance = ends[1] - ends[0]
    whole = all(part._kind == "integer" for part in (first, step)) or _all_integer(first, step)
    if distance == 0 and ends[1] == 0:
        return last
    if ends[2] == 0 and distance == 0:
        return first
    with np.errstate(all="ignore"):
        count = np.float64(distance) / ends[2]
    if not np.isfinite(count):
        raise RError("invalid '(to - from)/by' in seq(.)")
    if count < 0:
        raise RError("wrong sign in 'by' argument")
    if abs(distance) / max(abs(ends[0]), abs(ends[1])) < 100 * np.finfo(np.float64).eps:
        return first
    if whole:
        return integers(ends[0] + np.arange(int(count) + 1) * ends[2])
    steps = np.floor(count + 1e-10)
    found = ends[0] + np.arange(steps + 1) * ends[2]
    return doubles(np.minimum(found, ends[1]) if ends[2] > 0 else np.maximum(found, ends[1]))


def _all_integer(first: Value, step: Value) -> bool:
    return first._kind in ("integer", "logical") and step._kind in ("integer", "logical")


def _of_length(from_: Any, to: Any, by: Any, n: int, counted: bool) -> Value:
    """Return `n` numbers; `counted` where the length is an integer, without which R gives no integers."""
    if n == 0:
        return Value("integer", np.zeros(0))
    given = [as_value(part) for part in (from_, to, by) if part is not None]
    whole = all(part._kind in ("integer", "logical") for part in given)
    if by is None and from_ is not None and to is not None:
        return _spread(number(from_), number(to), n, whole and (counted or n <= 2 or number(from_) == number(to)))
    if to is not None and from_ is not None:
        raise RError("too many arguments")
    step = 1.0 if by is None else number(by)
    if from_ is None and by is not None:
        found = number(to) - np.arange(n - 1, -1, -1) * step
        return integers(found) if whole and len(given) > 1 else doubles(found)
    first = number(from_) if from_ is not None else (1.0 if to is None else number(to) - (n - 1) * step)
    if by is None:
        return _spread(first, first + (n - 1) if to is None else number(to), n, whole and counted)
    found = first + np.arange(n) * step
    return integers(found) if whole and len(given) > 1 else doubles(found)


def _spread(first: float, last: float, n: int, whole: bool) -> Value:
    """Return `n` numbers between two others; integers where all of them are."""
    found = spread_points(first, last, n)
    steps = n - 1
    kept = n <= 2 or first == last or (first % steps == last % steps if steps else True)
    return integers(found) if whole and kept else doubles(found)


def seq_int(from_: Any = None, to: Any = None, by: Any = None, length_out: Any = None, along_with: Any = None) -> Value:
    """Return a sequence as ``seq()`` does; whole numbers of a given length are integers."""
    if by is not None or nothing(length_out):
        return seq(from_, to, by, length_out, along_with)
    found = seq(from_, to, length_out=integers(np.ceil(number(length_out))))
    whole = (
        found._kind == "double" and (from_ is None or to is None) and bool((found._data == np.trunc(found._data)).all())
    )
    return integers(found._data) if whole else found


def rep_len(x: Any, length_out: Any) -> Value:
    """Return a vector repeated to a length, without attributes."""
    value = as_value(x)
    return rep(Value(value._kind, value._data), length_out=length_out)


@r_function(in_order=("x", "values"), keeps=True)
def append(x: Any, values: Any, after: Any = None) -> Any:
    """Return a vector with values behind one of its items, at its end by default."""
    value = as_value(x)
    at = len(value) if after is None else int(number(after))
    if at >= len(value):
        return c(value, values)
    if at < 0:
        raise RError("only 0's may be mixed with negative subscripts")
    if at == 0:
        return c(values, value)
    return c(items(value, colon(1, at)), values, items(value, colon(at + 1, len(value))))


@r_function(later_if_drawn=("yes", "no"), chooses=True)
def ifelse(test: Any, yes: Any = absent, no: Any = absent) -> Value:
    """Return items of one of two vectors, by a condition; its attributes stay. What is not needed is not evaluated."""
    value = as_value(test)
    if is_factor(value):
        raise RError("invalid to change the storage mode of a factor")
    kept = {} if is_list(value) else value._attributes
    flags = coerced(value, "logical")._data
    made = Value("logical", flags, kept)
    n = len(flags)
    for wanted, source in ((1, yes), (0, no)):
        at = np.flatnonzero(flags == wanted)
        if len(at):
            source = as_value(source() if callable(source) and not isinstance(source, Value) else source)
            bare = Value("integer", source._data) if is_factor(source) else Value(source._kind, source._data)
            wide = bare if len(bare) >= n else rep(bare, length_out=n)
            made = put(made, items(wide, integers(at + 1)), integers(at + 1))
    return made


def head(x: Any, n: Any = 6) -> Any:
    """Return the first items or rows; all but the last with a negative number."""
    return _end(x, n, first=True)


@default_only("keepnums")
def tail(x: Any, n: Any = 6, keepnums: Any = True) -> Any:
    """Return the last items or rows; all but the first with a negative number."""
    return _end(x, n, first=False)


def _end(x: Any, n: Any, first: bool) -> Any:
    value = as_value(x)
    shape = dim_of(value)
    size = len(value) if shape is None or len(shape) == 1 else shape[0]
    wanted = number(n)
    whole = math.floor if first else math.ceil
    count = int(whole(min(wanted, size) if wanted >= 0 else max(size + wanted, 0)))
    at = integers(np.arange(1, count + 1) if first else np.arange(size - count + 1, size + 1))
    if shape is None or len(shape) == 1:
        return items(value, at, drop=False)
    found = taken(value, at, ALL, drop=False)
    if first or inherits(value, "data.frame") or dimnames_of(value)[0] is not None:
        return found
    labels = [f"[{int(i)},]" for i in at._data] or None
    old = dimnames_of(found)
    return Value(found._kind, found._data, found._attributes | {"dimnames": dimnames_value([labels, old[1]])})


def lengths(x: Any, use_names: Any = True) -> Value:
    """Return how many items each item of a list has."""
    value = as_value(x)
    sizes = (
        [len(item) if isinstance(item, Value) else 1 for item in value._data]
        if value._kind == "list"
        else [1] * len(value)
    )
    about = {k: part for k, part in value._attributes.items() if k == "dim" or (k == "dimnames" and flag(use_names))}
    labels = None if about or not flag(use_names) else names_of(value)
    if labels is not None:
        about["names"] = strings(labels)
    return Value("integer", np.array(sizes, dtype=np.float64), about)


pi = doubles(np.pi)
letters = strings([chr(97 + i) for i in range(26)])
LETTERS = strings([chr(65 + i) for i in range(26)])
month_name = strings("January February March April May June July August September October November December".split())
month_abb = strings("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())
