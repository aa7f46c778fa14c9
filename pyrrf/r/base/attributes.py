"""Attributes: names, dimensions, labels of rows and columns, and those of any name."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.types import put_class
from pyrrf.r.indexing.subscripts import picked
from pyrrf.r.values.arguments import arguments, default_only
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    known_names,
    names_of,
    row_count,
)
from pyrrf.r.values.attributes import row_names as labels_of_rows
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    listed,
    null,
    objects,
    strings,
)
from pyrrf.r.values.visibility import invisible


def _with(x: Value, name: str, part: Value | None) -> Value:
    about = {key: found for key, found in x._attributes.items() if key != name}
    if part is not None:
        about[name] = Value(part._kind, part._data.copy(), part._attributes, part._hidden)
    return Value(x._kind, x._data, about)


def names(x: Any) -> Value:
    """Return the names; NULL without."""
    value = as_value(x)
    found = names_of(value) if isinstance(value, Value) else None
    return null() if found is None else strings(found)


def put_names(x: Any, value: Any) -> Value:
    """Return ``x`` after ``names(x) <- value``."""
    found, labels = as_value(x), as_value(value)
    if is_null(labels):
        return _with(found, "names", None)
    if is_null(found):
        raise RError("attempt to set an attribute on NULL")
    texts = list(coerced(labels, "character")._data)
    if len(texts) > len(found):
        raise RError(f"'names' attribute [{len(texts)}] must be the same length as the vector [{len(found)}]")
    texts += [None] * (len(found) - len(texts))
    shape = dim_of(found)
    if shape is not None and len(shape) > 1 and not is_frame(found):
        raise NotMovedError("names() <- of a matrix; colnames() and rownames() are its labels")
    if shape is not None and len(shape) == 1 and not is_frame(found):
        return _with(found, "dimnames", Value("list", objects([strings(texts)])))
    return _with(found, "names", strings(texts))


def put_length(x: Any, value: Any) -> Value:
    """Return ``x`` after ``length(x) <- value``: cut, or with missing items at its end."""
    found, n = as_value(x), int(coerced(value, "double")._data[0])
    if n == len(found):
        return found
    labels = names_of(found)
    about = {k: v for k, v in found._attributes.items() if k in ("levels", "class", "units", "tzone")}
    if set(about) - {"levels"} and not any(inherits(found, name) for name in ("factor", "Date", "difftime", "POSIXct")):
        raise NotMovedError("length() <- of this kind of object")
    if labels is not None:
        about["names"] = strings([*labels[:n], *[""] * (n - len(labels))])
    if is_null(found):
        warn("length of NULL cannot be changed")
        return null()
    made = picked(found, np.where(np.arange(n) < len(found), np.arange(n), -1))
    return Value(made._kind, made._data, about)


@r_function(keeps=True)
def setNames(object: Any = None, nm: Any = None) -> Value:
    """Return a value with names."""
    return put_names(nm if object is None else object, nm)


@default_only("force")
def unname(obj: Any, force: Any = False) -> Value:
    """Return a value without names, and without labels of rows and columns."""
    value = as_value(obj)
    if is_frame(value):
        raise NotMovedError("unname() of a data frame")
    return Value(
        value._kind, value._data, {k: v for k, v in value._attributes.items() if k not in ("names", "dimnames")}
    )


# ---- dimensions ----------------------------------------------------------------------------------


def dim(x: Any) -> Value:
    """Return the numbers of rows and columns; NULL without."""
    shape = dim_of(as_value(x))
    return null() if shape is None else integers(shape)


def put_dim(x: Any, value: Any) -> Value:
    """Return ``x`` after ``dim(x) <- value``."""
    found, shape = as_value(x), as_value(value)
    if is_frame(found):
        raise NotMovedError("dim() <- of a data frame")
    about = {key: part for key, part in found._attributes.items() if key not in ("dim", "dimnames", "names")}
    if is_null(shape):
        return Value(found._kind, found._data, about)
    whole = coerced(shape, "integer")
    if int(np.prod(whole._data)) != len(found):
        raise RError(f"dims [product {int(np.prod(whole._data))}] do not match the length of object [{len(found)}]")
    return Value(found._kind, found._data, about | {"dim": Value("integer", whole._data)})


def nrow(x: Any) -> Value:
    """Return the number of rows; NULL of a vector."""
    shape = dim_of(as_value(x))
    return null() if shape is None else integers(shape[0])


def ncol(x: Any) -> Value:
    """Return the number of columns; NULL of a vector."""
    shape = dim_of(as_value(x))
    if shape is None:
        return null()
    return integers(np.nan if len(shape) < 2 else shape[1])


def NROW(x: Any) -> Value:
    """Return the number of rows; a vector is a column."""
    value = as_value(x)
    shape = dim_of(value)
    return integers(len(value) if shape is None else shape[0])


def NCOL(x: Any) -> Value:
    """Return the number of columns; a vector is a column."""
    shape = dim_of(as_value(x))
    return integers(1 if shape is None or len(shape) < 2 else shape[1])


def dimnames(x: Any) -> Value:
    """Return the labels of each dimension."""
    value = as_value(x)
    if is_frame(value):
        return Value("list", objects([strings(labels_of_rows(value)), strings(names_of(value) or [])]))
    found = value._attributes.get("dimnames")
    return null() if found is None else found.copy()


def put_dimnames(x: Any, value: Any) -> Value:
    """Return ``x`` after ``dimnames(x) <- value``."""
    found, labels = as_value(x), as_value(value)
    if is_frame(found):
        return put_colnames(put_rownames(found, labels[[1]]), labels[[2]])
    if (is_list(labels) and not len(labels)) or is_null(labels):
        return _with(found, "dimnames", None)
    shape = dim_of(found)
    if not is_list(labels):
        raise RError("'dimnames' must be a list")
    if shape is None or len(labels) > len(shape):
        raise RError("'dimnames' applied to non-array")
    parts: list[Value] = []
    for part, n in zip(labels._data, shape, strict=False):
        if len(part) and len(part) != n:
            raise RError(f"length of 'dimnames' [{len(parts) + 1}] not equal to array extent")
        parts.append(_labels_of(part))
    parts += [null() for _ in shape[len(parts) :]]
    heads = names_of(labels)
    kept = None if heads is None else {"names": strings([*heads, *[""] * (len(parts) - len(heads))])}
    return _with(found, "dimnames", Value("list", objects(parts), kept))


def _labels_of(part: Value) -> Value:
    """Return the labels of one dimension: strings keep their names, other values do not; none are NULL."""
    if not len(part):
        return null()
    kept = {k: v for k, v in part._attributes.items() if k == "names"} if part._kind == "character" else None
    return Value("character", coerced(part, "character")._data, kept)


@default_only("do_NULL", "prefix")
def rownames(x: Any, do_NULL: Any = True, prefix: Any = "row") -> Value:
    """Return the labels of rows."""
    return _labels(x, 0)


@default_only("do_NULL", "prefix")
def colnames(x: Any, do_NULL: Any = True, prefix: Any = "col") -> Value:
    """Return the labels of columns."""
    return _labels(x, 1)


def _labels(x: Any, axis: int) -> Value:
    value = as_value(x)
    if dim_of(value) is None:
        return null()
    found = dimnames_of(value)
    if axis >= len(found):
        raise RError("subscript out of bounds")
    part = found[axis]
    return null() if part is None else strings(part)


def row_names(x: Any) -> Value:
    """Return the labels of rows; NULL, not to be printed, of what has none."""
    value = as_value(x)
    return rownames(value) if dim_of(value) is not None else invisible()


def put_rownames(x: Any, value: Any) -> Value:
    """Return ``x`` after ``rownames(x) <- value``."""
    found, labels = as_value(x), as_value(value)
    if is_factor(labels):
        labels = factor_labels(labels)
    if not is_frame(found):
        return _put_labels(found, labels, 0)
    n = row_count(found)
    if is_null(labels):
        return _with(found, "row.names", integers(np.arange(1, n + 1)))
    texts = coerced(labels, "character")._data
    if len(texts) != n:
        raise RError("invalid 'row.names' length")
    if any(text is None for text in texts):
        raise RError("missing values in 'row.names' are not allowed")
    if len(set(texts)) != n:
        raise RError("duplicate 'row.names' are not allowed")
    given = Value("integer", labels._data, None, "given") if labels._kind == "integer" else strings(texts)
    return _with(found, "row.names", given)


def put_colnames(x: Any, value: Any) -> Value:
    """Return ``x`` after ``colnames(x) <- value``."""
    found = as_value(x)
    return put_names(found, value) if is_frame(found) else _put_labels(found, as_value(value), 1)


def _put_labels(x: Value, labels: Value, axis: int) -> Value:
    shape = dim_of(x)
    if shape is None or len(shape) <= axis:
        raise RError(
            f"attempt to set '{'row' if axis == 0 else 'col'}names' on an object with less than two dimensions"
        )
    old = x._attributes.get("dimnames")
    if old is None and is_null(labels):
        return x
    parts = list(old._data) if old is not None else [null() for _ in shape]
    parts[axis] = labels
    kept = {"names": old._attributes["names"]} if old is not None and "names" in old._attributes else None
    return put_dimnames(x, Value("list", objects(parts), kept))


# ---- any attribute -------------------------------------------------------------------------------


def attr(x: Any, which: Any, exact: Any = False) -> Any:
    """Return an attribute by its name; NULL without."""
    value, name = as_value(x), str(one(which, "character"))
    if name == "names":
        return names(value)
    found = value._attributes.get(name)
    if found is None and not bool(as_value(exact)):
        begun = [key for key in value._attributes if key.startswith(name)]
        found = value._attributes[begun[0]] if len(begun) == 1 else None
    return null() if found is None else found.copy()


@r_function(sets_class=True)
def put_attr(x: Any, value: Any, which: Any) -> Value:
    """Return ``x`` after ``attr(x, which) <- value``."""
    found, name, part = as_value(x), str(one(which, "character")), as_value(value)
    setter = _SETTERS.get(name)
    if name == "names" and is_factor(part):
        part = Value("integer", part._data)  # names() <- takes the labels, attr() <- the codes.
    if setter is not None:
        return setter(found, part)
    return _with(found, name, None if is_null(part) else part.copy())


def put_class_(x: Any, value: Any) -> Value:
    """Return ``x`` after ``class(x) <- value``."""
    return put_class(x, value)


put_row_names = put_rownames
_SETTERS = {"names": put_names, "dim": put_dim, "dimnames": put_dimnames, "class": put_class_}


def attributes(x: Any) -> Value:
    """Return all attributes as a list; NULL without."""
    value = as_value(x)
    if not value._attributes:
        return null()
    if is_frame(value) or inherits(value, "table"):
        raise NotMovedError("attributes() of a data frame or table: their order depends on its making; use attr()")
    if is_factor(value) and "names" in value._attributes:
        raise NotMovedError("attributes() of a factor with names: their order depends on its making; use attr()")
    return listed(list(value._attributes.values()), list(value._attributes))


@r_function(sets_class=True)
def put_attributes(x: Any, value: Any) -> Value:
    """Return ``x`` after ``attributes(x) <- value``."""
    found, parts = as_value(x), as_value(value)
    made = Value(found._kind, found._data)
    if is_null(parts):
        return made
    pairs = list(zip(names_of(parts) or [], parts._data, strict=True))
    for name, part in sorted(pairs, key=lambda pair: pair[0] != "dim"):
        made = put_attr(made, part, name)
    return made


@r_function(keeps=True, sets_class=True)
def structure(_Data: Any, *dots: Any, **named: Any) -> Value:
    """Return a value with attributes."""
    made = as_value(_Data)
    if "dim" in named and names_of(made) is not None:
        raise NotMovedError("structure() of values with names and a dim")
    for name, part in arguments(dots, named):
        made = put_attr(made, part, {"_Names": "names", ".Names": "names"}.get(name, name))
    return made


def put_levels(x: Any, value: Any) -> Value:
    """Return ``x`` after ``levels(x) <- value``: labels that become equal become one."""
    found, new = as_value(x), as_value(value)
    if inherits(found, "factor") and is_null(new):
        if len(found._attributes["levels"]):
            raise RError("number of levels differs")
        return found
    if not inherits(found, "factor") and len(set(coerced(new, "character")._data)) < len(new):
        raise RError("a factor level is duplicated")
    if not inherits(found, "factor") or is_null(new):
        return _with(found, "levels", None if is_null(new) else new)
    if is_list(new):
        return _merged_levels(found, new)
    texts = list(coerced(new, "character")._data)
    if len(texts) < len(found._attributes["levels"]):
        raise RError("number of levels differs")
    kept = list(dict.fromkeys(text for text in texts if text is not None))
    codes = [np.nan if text is None else kept.index(text) + 1.0 for text in texts]
    data = np.array([np.nan if v != v else codes[int(v) - 1] for v in found._data])
    return Value("integer", data, found._attributes | {"levels": strings(kept)})


def _merged_levels(x: Value, new: Value) -> Value:
    if names_of(new) is None:
        raise RError("invalid 'times' value")

    if any(is_list(part) for part in new._data):
        raise NotMovedError("levels() <- of a list of lists")
    longer = [name for name, part in zip(known_names(new), new._data, strict=True) for _ in range(len(part))]
    before = [*x._attributes["levels"]._data]
    old = [*before]
    for text, name in zip(coerced(unlist(new, use_names=False), "character")._data, longer, strict=True):
        if text in before:
            old[before.index(text)] = name
    kept = list(dict.fromkeys(longer))
    places = [kept.index(text) + 1.0 if text in kept else np.nan for text in old]
    data = np.array([np.nan if v != v else places[int(v) - 1] for v in x._data])
    return Value("integer", data, x._attributes | {"levels": strings(kept)})
