"""Which objects of R Python cannot hold, and why."""

from __future__ import annotations

from typing import Any

from pyrrf.not_read import NotRead
from pyrrf.rds.objects import ATOMIC, CALL, LIST, NULL, SYMBOL, TEXT, UNKNOWN_RULE
from pyrrf.rds.parsed import attributes, classes, names, shape, texts
from pyrrf.rds.parsed import kind as kind_of


def why_not(obj: Any) -> NotRead | None:
    """Return what stands in the place of an object; None if Python can hold it, whatever its parts are."""
    what = kind_of(obj)
    if what == LIST and "data.frame" in classes(obj):
        return _frame_trouble(obj)
    if what in ATOMIC:
        return _factor_trouble(obj) if "factor" in classes(obj) else None
    if what in (LIST, TEXT, NULL, CALL, SYMBOL):
        return None
    if what == UNKNOWN_RULE:
        return NotRead(
            "vector",
            f"R stores a vector as {obj.value!r}, which is not known here",
            "in R: saveRDS(object, file, version = 2)",
        )
    return NotRead(*_KINDS[what]) if what in _KINDS else NotRead(what.lower())


def _factor_trouble(obj: Any) -> NotRead | None:
    levels = attributes(obj).get("levels")
    if len(shape(obj) or ()) > 1:
        return NotRead("factor", "it has the shape of a matrix", "in R: dim(x) <- NULL")
    if levels is not None and None in texts(levels):
        return NotRead("factor", "it has the level NA, which categories cannot have", "in R: factor(x, exclude = NA)")
    return None


def _frame_trouble(obj: Any) -> NotRead | None:
    """Say which column of a data frame is the first that is not one column."""
    for name, part in zip(names(obj) or [], obj.value, strict=False):
        if len(shape(part) or ()) > 1:
            what, remedy = "a matrix", "in R: do.call(data.frame, x)"
        elif kind_of(part) == LIST and "data.frame" in classes(part):
            what, remedy = "a data frame", "in R: do.call(data.frame, x)"
        elif kind_of(part) == LIST:
            what, remedy = "a list", "in R: x[!sapply(x, is.list)]"
        elif (found := why_not(part)) is not None:
            what, remedy = f"{'an' if found.kind[0] in 'aeo' else 'a'} {found.kind} ({found.why})", found.remedy
        else:
            continue
        return NotRead("data frame", f"its column {name!r} is {what}", remedy)
    return None


_FUNCTION = ("function", "only R can run it", "in R: store what it returns")
_ENVIRONMENT = ("environment", "it is shared by what R has in memory", "in R: as.list(x)")
_ADDRESS = ("it is an address in the memory of the R that wrote it", "in R: store what stands there as data")
# What each of R's types is called, why it is not read, and what can be stored instead.
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
