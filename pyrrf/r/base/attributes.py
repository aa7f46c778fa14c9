"""Attributes: names, dimensions, labels of rows and columns, and those of any name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.lists import item_names, unlist
from pyrrf.r.base.types import as_character, put_class
from pyrrf.r.indexing.subscripts import take
from pyrrf.r.values.arguments import arguments
from pyrrf.r.values.coercion import as_plain, attrs, bare, coerce, recode, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function
from pyrrf.r.values.kinds import inherits, is_factor, is_frame, is_list, is_null
from pyrrf.r.values.labels import (
    dim_of,
    dimnames_of,
    dimnames_value,
    kept_names,
    known_names,
    names_of,
    names_part,
    row_count,
)
from pyrrf.r.values.labels import row_names as labels_of_rows
from pyrrf.r.values.vector import Value, integers, list_of, null, objects, strings
from pyrrf.r.values.visibility import invisible


def _with(x: Value, name: str, value: Value | None) -> Value:
    """Return a value with an attribute, in the place of the old one or as the last, or without it."""
    about = dict((without(x, name) if value is None else x)._attributes)
    if value is not None:
        about[name] = Value(value._kind, value._data.copy(), value._attributes, value._hidden)
    return Value(x._kind, x._data, about)


@r_function(classes="any formula")
def names(x: Item) -> Value:
    """Return the names; NULL without."""
    labels = item_names(x)
    return null() if labels is None else strings(labels)


@r_function()
def put_names(x: Value, value: Value) -> Value:
    """Return ``x`` after ``names(x) <- value``."""
    if is_null(value):
        return _with(x, "dimnames" if len(dim_of(x) or ()) == 1 else "names", None)
    stop_if(is_null(x), "attempt to set an attribute on NULL")
    refuse_if(inherits(value, "summaryDefault"), "names that are a summary, which R keeps as one")
    texts = list(as_character(value)._data)
    stop_if(len(texts) > len(x), f"'names' attribute [{len(texts)}] must be the same length as the vector [{len(x)}]")
    texts += [None] * (len(x) - len(texts))
    rank = 0 if is_frame(x) else len(dim_of(x) or ())
    refuse_if(rank > 1, "names() <- of a matrix; colnames() and rownames() are its labels")
    return _with(x, "dimnames", dimnames_value([texts])) if rank else _with(x, "names", strings(texts))


@r_function()
def put_length(x: Value, value: Value) -> Value:
    """Return ``x`` after ``length(x) <- value``: cut, or with missing items at its end."""
    n = int(coerce(value, "double")._data[0])
    if n == len(x):
        return x
    about = attrs(x, "levels", "class", "units", "tzone")
    if set(about) - {"levels"} and not inherits(x, "factor", "Date", "difftime", "POSIXct"):
        raise NotSupportedError("length() <- of this kind of object")
    if is_null(x):
        warn("length of NULL cannot be changed")
        return null()
    labels = names_of(x)
    if labels is not None:
        about["names"] = strings([*labels[:n], *[""] * (n - len(labels))])
    made = take(x, np.where(np.arange(n) < len(x), np.arange(n), -1))
    return Value(made._kind, made._data, about)


@r_function(keeps=True)
def setNames(object: object = None, nm: object = None) -> Value:
    """Return a value with names."""
    return put_names(nm if object is None else object, nm)


@r_function(unsupported="force", classes="any formula")
def unname(obj: Value, force: Flag = False) -> Value:
    """Return a value without names, and without labels of rows and columns."""
    refuse_if(is_frame(obj), "unname() of a data frame")
    # R takes the labels of an array of one dimension for its names, and leaves others.
    gone = ("dimnames",) if len(dim_of(obj) or ()) == 1 else ("names", "dimnames")
    return without(obj, *gone)


# ---- dimensions ----------------------------------------------------------------------------------


@r_function(classes="any formula")
def dim(x: Item) -> Value:
    """Return the numbers of rows and columns; NULL without."""
    shape = dim_of(x)
    return null() if shape is None else integers(shape)


@r_function()
def put_dim(x: Value, value: Value) -> Value:
    """Return ``x`` after ``dim(x) <- value``."""
    refuse_if(is_frame(x), "dim() <- of a data frame")
    about = without(x, "dim", "dimnames", "names")._attributes
    if is_null(value):
        return Value(x._kind, x._data, about)
    shape = bare(coerce(value, "integer"))
    size = int(np.prod(shape._data))
    stop_if(size != len(x), f"dims [product {size}] do not match the length of object [{len(x)}]")
    return Value(x._kind, x._data, about | {"dim": shape})


def _extent(axis: int, what: str, vectors: bool) -> Callable[..., Value]:
    """Return a function that counts rows or columns; for some of them vectors are columns."""

    @r_function(classes="any -dist")
    def extent(x: Item) -> Value:
        shape = dim_of(x)
        if shape is None:
            return integers(len(x) if axis == 0 else 1) if vectors else null()
        return integers(shape[axis] if axis < len(shape) else 1 if vectors else np.nan)

    extent.__doc__ = f"Return the number of {what}; {'a vector is a column' if vectors else 'NULL of a vector'}."
    return extent


nrow = _extent(0, "rows", vectors=False)
ncol = _extent(1, "columns", vectors=False)
NROW = _extent(0, "rows", vectors=True)
NCOL = _extent(1, "columns", vectors=True)


@r_function(classes="any formula")
def dimnames(x: Value) -> Value:
    """Return the labels of each dimension."""
    if is_frame(x):
        return dimnames_value([labels_of_rows(x), names_of(x) or []])
    labels = x._attributes.get("dimnames")
    return null() if labels is None else labels.copy()


@r_function()
def put_dimnames(x: Value, value: Value) -> Value:
    """Return ``x`` after ``dimnames(x) <- value``."""
    if is_frame(x):
        return put_colnames(put_rownames(x, value[[1]]), value[[2]])
    if is_null(value) or (is_list(value) and not len(value)):
        return _with(x, "dimnames", None)
    shape = dim_of(x)
    stop_if(not is_list(value), "'dimnames' must be a list")
    if shape is None or len(value) > len(shape):
        raise RError("'dimnames' applied to non-array")
    for axis, (texts, n) in enumerate(zip(value._data, shape, strict=False)):
        stop_if(len(texts) not in (0, n), f"length of 'dimnames' [{axis + 1}] not equal to array extent")
    short = len(shape) - len(value)
    heads = names_of(value)
    about = names_part(None if heads is None else [*heads, *[""] * short])
    labels = objects([*map(_labels_of, value._data), *(null() for _ in range(short))])
    return _with(x, "dimnames", Value("list", labels, about))


def _labels_of(labels: Value) -> Value:
    """Return the labels of one dimension: strings keep their names, other values do not; none are NULL."""
    about = attrs(labels, "names") if labels._kind == "character" else {}
    return Value("character", coerce(labels, "character")._data, about) if len(labels) else null()


@r_function(unsupported="do_NULL prefix", classes="any formula")
def rownames(x: Item, do_NULL: Flag = True, prefix: Text = "row") -> Value:
    """Return the labels of rows."""
    return _labels(x, 0)


@r_function(unsupported="do_NULL prefix", classes="any formula")
def colnames(x: Item, do_NULL: Flag = True, prefix: Text = "col") -> Value:
    """Return the labels of columns."""
    return _labels(x, 1)


def _labels(x: Item, axis: int) -> Value:
    shape = dim_of(x)
    if shape is None:
        return null()
    stop_if(axis >= len(shape), "subscript out of bounds")
    labels = dimnames_of(x)[axis]
    return null() if labels is None else strings(labels)


@r_function(classes="any formula")
def row_names(x: Item) -> Value:
    """Return the labels of rows; NULL, not to be printed, without any."""
    return invisible() if dim_of(x) is None else _labels(x, 0)


@r_function()
def put_rownames(x: Value, value: Value) -> Value:
    """Return ``x`` after ``rownames(x) <- value``."""
    labels = as_plain(value)
    if not is_frame(x):
        return _put_labels(x, labels, 0)
    n = row_count(x)
    if is_null(labels):
        return _with(x, "row.names", integers(np.arange(1, n + 1)))
    texts = list(as_character(labels)._data)
    stop_if(len(texts) != n, "invalid 'row.names' length")
    stop_if(None in texts, "missing values in 'row.names' are not allowed")
    twice = [f"\u2018{text}\u2019" for text in dict.fromkeys(t for i, t in enumerate(texts) if t in texts[:i])]
    if twice:
        warn(f"non-unique value{'s' * (len(twice) > 1)} when setting 'row.names': {', '.join(sorted(twice))}")
        raise RError("duplicate 'row.names' are not allowed")
    given = Value("integer", labels._data, None, "given") if labels._kind == "integer" else strings(texts)
    return _with(x, "row.names", given)


put_row_names = put_rownames


@r_function()
def put_colnames(x: Value, value: Value) -> Value:
    """Return ``x`` after ``colnames(x) <- value``."""
    refuse_if(inherits(x, "grouped_df"), "colnames() <- of a grouped table; ungroup() it before")
    return put_names(x, value) if is_frame(x) else _put_labels(x, value, 1)


def _put_labels(x: Value, labels: Value, axis: int) -> Value:
    shape = dim_of(x)
    if shape is None or len(shape) <= axis:
        what = ("row", "col")[axis]
        raise RError(f"attempt to set '{what}names' on an object with less than two dimensions")
    old = x._attributes.get("dimnames")
    if old is None:
        if is_null(labels):
            return x
        old = dimnames_value([None] * len(shape))
    parts = old._data.copy()
    parts[axis] = labels
    return put_dimnames(x, Value("list", parts, attrs(old, "names")))


# ---- any attribute -------------------------------------------------------------------------------


@r_function(classes="any formula")
def attr(x: Value, which: Text, exact: Flag = False) -> Value:
    """Return an attribute by its name; NULL without."""
    if which == "names":
        return names(x)
    value = x._attributes.get(which)
    begun = [item for name, item in x._attributes.items() if name.startswith(which)]
    if value is None and not exact and len(begun) == 1:
        value = begun[0]
    return null() if value is None else value.copy()


_OF_VECTORS = frozenset(("Date", "POSIXct", "difftime"))


@r_function()
def put_attr(x: Value, value: Value, which: Text) -> Value:
    """Return ``x`` after ``attr(x, which) <- value``."""
    if which == "names":
        return put_names(x, bare(value))  # names() <- takes the labels of a factor, attr() <- the codes.
    if which in _SETTERS:
        return _SETTERS[which](x, value)
    if which == "class" and x._kind != "integer" and value._kind == "character" and "factor" in value._data:
        raise RError('adding class "factor" to an invalid object')
    if which == "class" and is_list(x) and not _OF_VECTORS.isdisjoint(coerce(value, "character")._data):
        raise NotSupportedError("a class of vectors for a list")
    return _with(x, which, None if is_null(value) or (which == "class" and not len(value)) else value)


put_class_ = put_class
_SETTERS = {"dim": put_dim, "dimnames": put_dimnames}


@r_function()
def attributes(x: Value) -> Value:
    """Return all attributes as a list; NULL without."""
    if not x._attributes:
        return null()
    refuse_if(is_frame(x) or inherits(x, "table"), "attributes() of a data frame or table; use attr()")
    refuse_if(is_factor(x) and "names" in x._attributes, "attributes() of a factor with names; use attr()")
    parts = {**x._attributes, **(kept_names(x) if "names" in x._attributes else {})}
    return list_of(parts.values(), parts)


@r_function()
def put_attributes(x: Value, value: Value) -> Value:
    """Return ``x`` after ``attributes(x) <- value``."""
    made = bare(x)
    pairs = zip(names_of(value) or [], value._data, strict=True)
    for name, item in sorted(pairs, key=lambda pair: pair[0] != "dim"):
        made = put_attr(made, item, name)
    return made


@r_function(keeps=True, classes="any formula")
def structure(_Data: Item, *dots: object, **named: object) -> Item:
    """Return a value with attributes."""
    refuse_if("dim" in named and item_names(_Data) is not None, "structure() of values with names and a dim")
    made = _Data
    for name, item in arguments(dots, named):
        made = put_attr(made, item, {"_Names": "names", ".Names": "names"}.get(name, name))
    return made


# ---- levels --------------------------------------------------------------------------------------


@r_function()
def put_levels(x: Value, value: Value) -> Value:
    """Return ``x`` after ``levels(x) <- value``: labels that become equal become one."""
    if not is_factor(x):
        stop_if(len(set(coerce(value, "character")._data)) < len(value), "a factor level is duplicated")
        return _with(x, "levels", None if is_null(value) else value)
    old = x._attributes["levels"]._data
    if is_list(value):
        labels, levels = _merged_levels(old, value)
    else:
        labels = list(coerce(value, "character")._data)
        levels = [text for text in dict.fromkeys(labels) if text is not None]
    stop_if(len(labels) < len(old), "number of levels differs")
    codes = [levels.index(label) + 1.0 if label in levels else np.nan for label in labels]
    return Value("integer", recode(x._data, codes), x._attributes | {"levels": strings(levels)})


def _merged_levels(old: np.ndarray, new: Value) -> tuple[list[str | None], list[str]]:
    """Return the levels, replaced by a list of those that have one label, and the labels."""
    stop_if(names_of(new) is None, "invalid 'times' value")
    refuse_if(any(map(is_list, new._data)), "levels() <- of a list of lists")
    names = [name for name, item in zip(known_names(new), new._data, strict=True) for _ in range(len(item))]
    texts = coerce(unlist(new, use_names=False), "character")._data
    # A level that is named twice gets the last label.
    labels = dict(zip(texts, names, strict=True))
    return [labels.get(level, level) for level in old], list(dict.fromkeys(names))
