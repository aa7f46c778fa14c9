"""What a value is (``is.numeric``) and what it becomes (``as.numeric``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.base.dates import format_dates, in_units
from pyrrf.r.base.gaps import frame_test
from pyrrf.r.values.arguments import default_only
from pyrrf.r.values.attributes import classes, dim_of, factor_labels, is_frame, is_missing, is_na_mark, names_of
from pyrrf.r.values.attributes import inherits as of_class
from pyrrf.r.values.attributes import is_factor as has_levels
from pyrrf.r.values.attributes import is_list as holds_items
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    KINDS,
    NUMBERS,
    RError,
    Value,
    as_value,
    integers,
    kind_of,
    logicals,
    null,
    objects,
    strings,
)


def _test(check: Callable[[Any], bool], what: str) -> Callable[[Any], Value]:
    @r_function(certain=True)
    def tested(x: Any) -> Value:
        return logicals(check(as_value(x)))

    tested.__doc__ = f"Return whether a value is {what}."
    return tested


def _plain_vector(x: Any) -> bool:
    return kind_of(x) in KINDS[1:] and set(x._attributes) <= {"names"}


is_null = _test(lambda x: kind_of(x) == "NULL", "NULL")
is_numeric = _test(lambda x: kind_of(x) in ("integer", "double") and not _dated(x), "a number, and no factor")
is_character = _test(lambda x: kind_of(x) == "character", "a string")
is_logical = _test(lambda x: kind_of(x) == "logical", "a logical")
is_integer = _test(lambda x: kind_of(x) == "integer", "an integer")
is_double = _test(lambda x: kind_of(x) == "double", "a double")
is_factor = _test(has_levels, "a factor")
is_ordered = _test(lambda x: of_class(x, "ordered"), "an ordered factor")
is_data_frame = _test(is_frame, "a data frame")
is_list = _test(holds_items, "a list")
is_matrix = _test(lambda x: not is_frame(x) and len(dim_of(x) or ()) == 2, "a matrix")
is_array = _test(lambda x: not is_frame(x) and dim_of(x) is not None, "an array")
is_function = _test(lambda x: not isinstance(x, Value), "a function")
is_atomic = _test(lambda x: kind_of(x) in KINDS[:5], "a vector, and no list")
is_table = _test(lambda x: of_class(x, "table"), "a table")


def _dated(x: Value) -> bool:
    return has_levels(x) or any(of_class(x, name) for name in ("Date", "POSIXct", "difftime"))


@r_function(certain=True)
def is_vector(x: Any, mode: Any = "any") -> Value:
    """Return whether a value is a vector without attributes but names."""
    value, wanted = as_value(x), one(mode, "character")
    kinds = {"any": KINDS[1:], "numeric": ("integer", "double")}.get(wanted, (wanted,))
    return logicals(_plain_vector(value) and kind_of(value) in kinds)


def _shape(x: Value) -> dict[str, Value]:
    return {name: part for name, part in x._attributes.items() if name in ("names", "dim", "dimnames")}


def is_na(x: Any) -> Value:
    """Return where values are missing."""
    value = as_value(x)
    if not isinstance(value, Value):
        return logicals(False)
    if is_frame(value):
        return frame_test(value, is_missing)
    return Value("logical", is_missing(value).astype(np.float64), _shape(value))


def is_nan(x: Any) -> Value:
    """Return where doubles are NaN, but not NA."""
    value = as_value(x)
    if holds_items(value):
        raise RError("default method not implemented for type 'list'")
    found = np.isnan(value._data) & ~is_na_mark(value._data) if value._kind == "double" else np.zeros(len(value))
    return Value("logical", found.astype(np.float64), _shape(value))


def is_finite(x: Any) -> Value:
    """Return where numbers are finite."""
    return _sized(x, np.isfinite, False)


def is_infinite(x: Any) -> Value:
    """Return where numbers are infinite."""
    return _sized(x, np.isinf, False)


def _sized(x: Any, test: Any, otherwise: bool) -> Value:
    value = as_value(x)
    if holds_items(value):
        raise RError("default method not implemented for type 'list'")
    found = test(value._data) if value._kind in NUMBERS else np.full(len(value), otherwise)
    return Value("logical", found.astype(np.float64), _shape(value))


@default_only("recursive")
def anyNA(x: Any, recursive: Any = False) -> Value:
    """Return whether a value is missing."""
    value = as_value(x)
    parts = value._data if is_frame(value) else [value]
    return logicals(any(bool(is_missing(part).any()) for part in parts))


# ---- conversion ----------------------------------------------------------------------------------


def _converter(kind: str) -> Callable[..., Value]:
    def converted(x: Any = None, *dots: Any, **named: Any) -> Value:
        value = as_value(x)
        if of_class(value, "difftime") and (dots or "units" in named) and kind == "double":
            value = in_units(value, dots[0] if dots else named["units"])
        if has_levels(value) and kind != "character":
            value = Value("integer", value._data) if kind != "logical" else factor_labels(value)
        if any(of_class(value, name) for name in ("Date", "POSIXct")) and kind == "character":
            return format_dates(value)
        return Value(kind, coerced(value, kind)._data)

    converted.__doc__ = (
        f"Return a value as a vector of kind {kind}, without attributes; a factor as its codes or labels."
    )
    return converted


as_numeric = as_double = _converter("double")
as_integer = _converter("integer")
as_character = _converter("character")
as_logical = _converter("logical")


def as_vector(x: Any, mode: Any = "any") -> Any:
    """Return a value as a vector without attributes; a list keeps its names, a factor becomes its labels."""
    value, wanted = as_value(x), str(one(mode, "character"))
    if wanted == "list":
        return as_list(value)
    if has_levels(value):
        value = Value("character", factor_labels(value)._data)
    if wanted != "any":
        return Value(_KIND.get(wanted, wanted), coerced(value, _KIND.get(wanted, wanted))._data)
    if is_frame(value):
        return as_list(value)
    if holds_items(value):
        return value.copy()
    return Value(value._kind, value._data)


_KIND = {"numeric": "double"}


def as_list(x: Any, *dots: Any) -> Value:
    """Return a value as a list, an item each; a data frame as the list of its columns."""
    value = as_value(x)
    if holds_items(value):
        names = names_of(value)
        more = {k: v for k, v in value._attributes.items() if is_frame(value) and k not in ("class", "row.names")}
        return Value("list", value._data, more | ({} if names is None else {"names": strings(names)}))
    if value._kind == "NULL":
        return Value("list", objects([]))
    made = coerced(value, "list")
    names = names_of(value)
    dated = {key: value._attributes[key] for key in ("class", "units", "tzone") if key in value._attributes}
    items = made._data
    if dated and not has_levels(value):
        items = objects([Value(item._kind, item._data, dated) for item in items])
    return Value("list", items, None if names is None else {"names": strings(names)})


# ---- classes -------------------------------------------------------------------------------------


def typeof(x: Any) -> Value:
    """Return R's type of a value."""
    return strings({"function": "closure"}.get(kind_of(as_value(x)), kind_of(as_value(x))))


def mode(x: Any) -> Value:
    """Return R's mode of a value."""
    kind = kind_of(as_value(x))
    return strings({"integer": "numeric", "double": "numeric", "language": "call"}.get(kind, kind))


def implicit_class(x: Any) -> list[str]:
    """Return the classes by which R chooses a method."""
    own = classes(x)
    if own:
        return own
    shape = dim_of(x)
    if shape is not None:
        return ["matrix", "array"] if len(shape) == 2 else ["array"]
    kind = kind_of(x)
    return [{"double": "numeric", "language": "call"}.get(kind, kind)]


def class_(x: Any) -> Value:
    """Return the class of a value."""
    return strings(implicit_class(as_value(x)))


@r_function(sets_class=True)
def put_class(x: Any, value: Any) -> Value:
    """Return ``x`` after ``class(x) <- value``."""
    found, wanted = as_value(x), as_value(value)
    about = dict(found._attributes)
    about.pop("class", None)
    if len(wanted):
        name = wanted._data[0]
        if len(wanted) == 1 and name in ("numeric", "integer", "character", "logical", "list"):
            return Value(_KIND.get(name, name), coerced(found, _KIND.get(name, name))._data, about)
        if "factor" in wanted._data and found._kind != "integer":
            raise RError('adding class "factor" to an invalid object')
        about["class"] = wanted
    return Value(found._kind, found._data, about)


def oldClass(x: Any) -> Value:
    """Return the class attribute."""
    return strings(classes(as_value(x))) if classes(as_value(x)) else null()


def unclass(x: Any) -> Value:
    """Return a value without its class."""
    value = as_value(x)
    return Value(value._kind, value._data, {k: v for k, v in value._attributes.items() if k != "class"})


@r_function(certain=True)
def inherits(x: Any, what: Any, which: Any = False) -> Value:
    """Return whether a value is of one of some classes."""
    own = implicit_class(as_value(x))
    wanted = coerced(what, "character")._data
    if bool(as_value(which)):
        return integers([own.index(name) + 1 if name in own else 0 for name in wanted])
    return logicals(any(name in own for name in wanted))
