"""Reasons why objects of R have no counterpart in Python."""

from __future__ import annotations

from typing import Any

from pyrrf.rds.objects import ATOMIC, CALL, LIST, NULL, SYMBOL, TEXT, UNKNOWN_RULE
from pyrrf.rds.parsed import attributes, classes, names, shape, texts
from pyrrf.rds.parsed import kind as kind_of
from pyrrf.unsupported_object import UnsupportedObject


def find_obstacle(obj: Any) -> UnsupportedObject | None:
    """Return the placeholder of an object without a counterpart; None if it has one, whatever its parts are."""
    r_type = kind_of(obj)
    if r_type == LIST and "data.frame" in classes(obj):
        return _frame_obstacle(obj)
    if r_type in ATOMIC:
        return _factor_obstacle(obj) if "factor" in classes(obj) else None
    if r_type in (LIST, TEXT, NULL, CALL, SYMBOL):
        return None
    if r_type == UNKNOWN_RULE:
        return UnsupportedObject(
            "vector",
            f"R stores a vector as {obj.value!r}, which is not known here",
            "in R: saveRDS(object, file, version = 2)",
        )
    return UnsupportedObject(*_KINDS[r_type]) if r_type in _KINDS else UnsupportedObject(r_type.lower())


def _factor_obstacle(obj: Any) -> UnsupportedObject | None:
    levels = attributes(obj).get("levels")
    if len(shape(obj) or ()) > 1:
        return UnsupportedObject("factor", "it has the shape of a matrix", "in R: dim(x) <- NULL")
    if levels is not None and None in texts(levels):
        return UnsupportedObject(
            "factor", "it has the level NA, which categories cannot have", "in R: factor(x, exclude = NA)"
        )
    return None


def _frame_obstacle(obj: Any) -> UnsupportedObject | None:
    """Return the placeholder of a data frame with a column that is a matrix, a data frame or a list; else None."""
    for name, column in zip(names(obj) or [], obj.value, strict=False):
        if len(shape(column) or ()) > 1:
            trouble, remedy = "a matrix", "in R: do.call(data.frame, x)"
        elif kind_of(column) == LIST and "data.frame" in classes(column):
            trouble, remedy = "a data frame", "in R: do.call(data.frame, x)"
        elif kind_of(column) == LIST:
            trouble, remedy = "a list", "in R: x[!sapply(x, is.list)]"
        elif (inner := find_obstacle(column)) is not None:
            trouble, remedy = (f"{'an' if inner.kind[0] in 'aeo' else 'a'} {inner.kind} ({inner.why})", inner.remedy)
        else:
            continue
        return UnsupportedObject("data frame", f"its column {name!r} is {trouble}", remedy)
    return None


_FUNCTION = ("function", "only R can run it", "in R: store what it returns")
_ENVIRONMENT = ("environment", "it is shared by what R has in memory", "in R: as.list(x)")
_ADDRESS = ("it is an address in the memory of the R that wrote it", "in R: store what stands there as data")
# For each of R's types a name, the reason why it is not read, and a remedy.
_KINDS = {
    "CLO": _FUNCTION,
    "SPECIAL": _FUNCTION,
    "BUILTIN": _FUNCTION,
    "BCODE": ("byte code", *_FUNCTION[1:]),
    "ENV": _ENVIRONMENT,
    "GLOBALENV": _ENVIRONMENT,
    "BASEENV": _ENVIRONMENT,
    "EMPTYENV": _ENVIRONMENT,
    "NAMESPACE": ("namespace", "it is a package of R", "in R: leave it out"),
    "EXTPTR": ("external pointer", *_ADDRESS),
    "WEAKREF": ("weak reference", *_ADDRESS),
    "ANY": ("reference", "it stands outside of the file", "in R: saveRDS(object, file), without refhook"),
    "PROM": ("promise", "R has not computed it", "in R: force(x)"),
    "DOT": ("set of arguments", "R has not computed them", "in R: list(...)"),
    "MISSINGARG": ("empty argument", "it has no value", "in R: leave it out"),
    "EXPR": ("expression", "it is a row of calls", "in R: as.list(x)"),
    "LIST": ("pairlist", "only R's language has such lists", "in R: as.list(x)"),
    "S4": ("object of class S4", "only R has its class", "in R: store its slots, x@name, in a list"),
}
