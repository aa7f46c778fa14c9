"""Tests of the type of a value (``is.numeric``) and conversions (``as.numeric``)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.r.base.dates import format_dates, in_units
from pyrrf.r.values.coercion import as_codes, as_plain, attrs, bare, coerce, without
from pyrrf.r.values.errors import refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function
from pyrrf.r.values.kinds import classes, is_frame, is_missing, is_na_mark, kind_of
from pyrrf.r.values.kinds import inherits as of_class
from pyrrf.r.values.kinds import is_factor as has_levels
from pyrrf.r.values.kinds import is_list as holds_items
from pyrrf.r.values.labels import counted_rows, dim_of, dimnames_value, names_of, names_part, row_count, row_names
from pyrrf.r.values.labels import is_matrix as has_two_dimensions
from pyrrf.r.values.vector import KINDS, NULL, NUMBERS, Value, integers, logicals, null, objects, strings


def _test(check: Callable[[Item], bool], what: str) -> Callable[[object], Value]:
    @r_function(certain=True, classes="any formula")
    def test(x: Item) -> Value:
        return logicals(check(x))

    test.__doc__ = f"Return whether a value is {what}."
    return test


def _test_of_kind(*kinds: str, what: str) -> Callable[[object], Value]:
    return _test(lambda x: kind_of(x) in kinds, what)


is_null = _test_of_kind("NULL", what="NULL")
is_character = _test_of_kind("character", what="a string")
is_logical = _test_of_kind("logical", what="a logical")
is_integer = _test(lambda x: kind_of(x) == "integer" and not has_levels(x), "an integer, and no factor")
is_double = _test_of_kind("double", what="a double")
is_atomic = _test_of_kind(*KINDS[:5], what="a vector, and no list")
is_function = _test_of_kind("function", what="a function")
is_numeric = _test(
    lambda x: kind_of(x) in NUMBERS[1:] and not of_class(x, "factor", "Date", "POSIXct", "difftime"),
    "a number, and no factor",
)
is_factor = _test(has_levels, "a factor")
is_ordered = _test(lambda x: of_class(x, "ordered"), "an ordered factor")
is_table = _test(lambda x: of_class(x, "table"), "a table")
is_data_frame = _test(is_frame, "a data frame")
is_list = _test(holds_items, "a list")
is_matrix = _test(has_two_dimensions, "a matrix")
is_array = _test(lambda x: not is_frame(x) and dim_of(x) is not None, "an array")


@r_function(certain=True)
def is_vector(x: Item, mode: Text = "any") -> Value:
    """Return whether a value is a vector without attributes but names."""
    kinds = {"any": KINDS[1:], "numeric": NUMBERS[1:]}.get(mode, (mode,))
    plain = kind_of(x) in KINDS[1:] and set(x._attributes) <= {"names"}
    return logicals(plain and kind_of(x) in kinds)


@r_function()
def is_na(x: Item) -> Value:
    """Return where values are missing."""
    if not isinstance(x, Value):
        return logicals(False)
    if is_frame(x):
        return _gaps_of_frame(x)
    return logicals(is_missing(x), attrs(x, "names", "dim", "dimnames"))


def _gaps_of_frame(x: Value) -> Value:
    refuse_if(any(dim_of(column) is not None for column in x._data), "is.na() of a data frame with matrices in it")
    flat = np.concatenate([np.zeros(0), *map(is_missing, x._data)])
    labels = None if counted_rows(x) or not row_count(x) else row_names(x)
    dim = integers([row_count(x), len(x)])
    return logicals(flat, {"dim": dim, "dimnames": dimnames_value([labels, names_of(x)])})


def _test_of_items(
    check: Callable[[np.ndarray], np.ndarray], kinds: tuple[str, ...], what: str
) -> Callable[..., Value]:
    @r_function()
    def test(x: Value) -> Value:
        stop_if(holds_items(x), "default method not implemented for type 'list'")
        flags = check(x._data) if x._kind in kinds else np.zeros(len(x))
        return logicals(flags, attrs(x, "names", "dim", "dimnames"))

    test.__doc__ = f"Return where {what}."
    return test


is_finite = _test_of_items(np.isfinite, NUMBERS, "numbers are finite")
is_infinite = _test_of_items(np.isinf, NUMBERS, "numbers are infinite")
is_nan = _test_of_items(lambda data: np.isnan(data) & ~is_na_mark(data), ("double",), "doubles are NaN, but not NA")


@r_function(unsupported="recursive", classes="any formula")
def anyNA(x: Value, recursive: Flag = False) -> Value:
    """Return whether a value is missing."""
    parts = x._data if is_frame(x) else [x]
    return logicals(any(bool(is_missing(column).any()) for column in parts))


# ---- conversion ----------------------------------------------------------------------------------


def _condition_text(condition: Value) -> Value:
    """Return a condition as text; its call is known only if there is none."""
    message, call = condition._data[:2]
    refuse_if(not is_null(call) or message._kind != "character", "as.character() of a condition with a call")
    own = classes(condition)
    return strings(f"{'Error' if 'error' in own else own[0]}: {message._data[0]}\n")


def _converter(kind: str) -> Callable[..., Value]:
    @r_function()
    def convert(x: Item = NULL, *dots: object, **named: object) -> Value:
        if kind == "double" and of_class(x, "difftime") and (dots or "units" in named):
            x = in_units(x, dots[0] if dots else named["units"])
        if kind == "character" and of_class(x, "Date", "POSIXct"):
            return format_dates(x)
        if kind == "character" and of_class(x, "condition"):
            return _condition_text(x)
        if has_levels(x):
            x = as_plain(x) if kind in ("logical", "character") else as_codes(x)
        return bare(coerce(x, kind))

    convert.__doc__ = f"Return a value as a vector of kind {kind}, without attributes; a factor as its codes or labels."
    return convert


as_numeric = as_double = _converter("double")
as_integer = _converter("integer")
as_character = _converter("character")
as_logical = _converter("logical")


@r_function()
def as_vector(x: Value, mode: Text = "any") -> Value:
    """Return a value as a vector without attributes; a list keeps its names, a factor becomes its labels."""
    if mode == "list" or (mode == "any" and is_frame(x)):
        return as_list(x)
    if mode != "any":
        return bare(coerce(as_plain(x), _KIND.get(mode, mode)))
    return x.copy() if holds_items(x) else bare(as_plain(x))


_KIND = {"numeric": "double"}


@r_function()
def as_list(x: Value, *dots: object) -> Value:
    """Return a value as a list, an item each; a data frame as the list of its columns."""
    about = names_part(names_of(x))
    if holds_items(x):
        return Value("list", x._data, without(x, "class", "row.names")._attributes | about) if is_frame(x) else x
    items = coerce(x, "list")._data
    if of_class(x, "Date", "POSIXct", "difftime"):
        dated = attrs(x, "class", "units", "tzone")
        items = objects([Value(item._kind, item._data, dated) for item in items])
    return Value("list", items, about)


# ---- classes -------------------------------------------------------------------------------------


@r_function(classes="any formula")
def typeof(x: Item) -> Value:
    """Return R's type of a value."""
    return strings("closure" if kind_of(x) == "function" else kind_of(x))


@r_function(classes="any formula")
def mode(x: Item) -> Value:
    """Return R's mode of a value."""
    kind = kind_of(x)
    return strings({"integer": "numeric", "double": "numeric", "language": "call"}.get(kind, kind))


def implicit_class(x: Item) -> list[str]:
    """Return the classes by which R chooses a method."""
    shape, kind = dim_of(x), kind_of(x)
    if classes(x):
        return classes(x)
    if shape is not None:
        return ["matrix", "array"] if len(shape) == 2 else ["array"]
    return [{"double": "numeric", "language": "call"}.get(kind, kind)]


@r_function(classes="any formula")
def class_(x: Item) -> Value:
    """Return the class of a value."""
    return strings(implicit_class(x))


@r_function()
def put_class(x: Value, value: Value) -> Value:
    """Return ``x`` after ``class(x) <- value``."""
    plain = without(x, "class")
    if not len(value):
        return Value(x._kind, x._data, plain._attributes)
    name = value._data[0]
    if len(value) == 1 and name in ("numeric", "integer", "character", "logical", "list"):
        kind = _KIND.get(name, name)
        return Value(kind, coerce(x, kind)._data, plain._attributes)
    stop_if("factor" in value._data and x._kind != "integer", 'adding class "factor" to an invalid object')
    return Value(x._kind, x._data, x._attributes | {"class": value})


@r_function(classes="any formula")
def oldClass(x: Item) -> Value:
    """Return the class attribute."""
    return strings(classes(x)) if classes(x) else null()


@r_function()
def unclass(x: Value) -> Value:
    """Return a value without its class."""
    return Value(x._kind, x._data, without(x, "class")._attributes)


@r_function(certain=True, classes="any formula")
def inherits(x: Item, what: Value, which: Flag = False) -> Value:
    """Return whether a value is of one of some classes."""
    own = implicit_class(x)
    stop_if(what._kind != "character", "'what' must be a character vector")
    wanted = coerce(what, "character")._data
    if which:
        return integers([own.index(name) + 1 if name in own else 0 for name in wanted])
    return logicals(any(name in own for name in wanted))
