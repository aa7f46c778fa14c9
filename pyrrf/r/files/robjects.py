"""Values and the objects of R's files (.rds)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.values.errors import NotSupportedError
from pyrrf.r.values.functions import Item
from pyrrf.r.values.methods import function_in_r
from pyrrf.r.values.vector import NUMBERS, Value, null, objects
from pyrrf.rds import build
from pyrrf.rds.code import parse_code
from pyrrf.rds.language import deparse
from pyrrf.rds.objects import ATOMIC, CALL, LIST, NULL, SYMBOL, TEXT
from pyrrf.rds.parsed import attributes, kind, texts

_KINDS = {"LGL": "logical", "INT": "integer", "REAL": "double"}
_TYPES = {"logical": "LGL", "integer": "INT"}


# ---- files ---------------------------------------------------------------------------------------


def from_robject(obj: Any) -> Value:
    """Convert an object of an .rds file to a value."""
    what = kind(obj)
    if what == NULL:
        return null()
    if what == LIST:
        about = _attributes_of(obj)
        if "class" in about and "POSIXlt" in about["class"]._data:
            # R has methods of its own for most functions of them.
            raise NotSupportedError("times in parts (POSIXlt)")
        return Value("list", objects([from_robject(item) for item in obj.value]), about)
    if what == TEXT:
        return Value("character", objects(texts(obj)), _attributes_of(obj))
    if what in _KINDS and what in ATOMIC:
        data = obj.value
        if isinstance(data, np.ma.MaskedArray):
            data = np.where(np.ma.getmaskarray(data), np.nan, data.data.astype(np.float64))
        return Value(_KINDS[what], np.require(data, np.float64, "W"), _attributes_of(obj))
    if what in (CALL, SYMBOL):
        return Value("language", objects([deparse(obj)]), _attributes_of(obj))
    return Value("opaque", objects([what]), _attributes_of(obj))


def _attributes_of(obj: Any) -> dict[str, Value]:
    about = {name: from_robject(attribute) for name, attribute in attributes(obj).items() if name != ".Environment"}
    rows = about.get("row.names")
    if rows is not None and rows._kind == "integer" and len(rows) == 2 and np.isnan(rows._data[0]):
        hidden = "given" if rows._data[1] > 0 else None
        about["row.names"] = Value("integer", np.arange(1.0, abs(int(rows._data[1])) + 1), None, hidden)
    return about


def object_of(x: Item, unread: Callable[[str, bool], Any] | None = None) -> Any:
    """Return a value as an object of an .rds file; formulas keep their attributes and get the global environment.

    Of code that cannot be read here, and of R's name of a function, `unread` makes an object.

    Raises
    ------
    TypeError
        It is a function or an environment.
    ValueError
        It is a call that cannot be written as an object.
    """
    if unread is not None and callable(x) and (name := function_in_r(x)):
        return unread(name, True)
    if not isinstance(x, Value) or x._kind == "opaque":
        raise TypeError("functions and environments are not written")
    about = {name: object_of(attribute, unread) for name, attribute in x._attributes.items()} or None
    if about and x._kind == "list" and "row.names" in about:
        about["row.names"] = _row_numbers(x._attributes["row.names"]) or about["row.names"]
    if x._kind == "NULL":
        return build.null()
    if x._kind == "list":
        return build.make("VEC", [object_of(item, unread) for item in x._data], about)
    if x._kind == "character":
        return build.texts(x._data, about)
    if x._kind == "double":
        return build.make("REAL", x._data, about)
    if x._kind in NUMBERS:
        gaps = np.isnan(x._data)
        data = np.where(gaps, build.INT_NA, x._data).astype(np.int32)
        return build.make(_TYPES[x._kind], np.ma.masked_array(data, gaps) if gaps.any() else data, about)
    return _code(x, about, unread)


def _row_numbers(rows: Value) -> Any:
    """Return R's compact form of automatic row names, negative if R counts them; None for other names."""
    n = len(rows)
    if rows._kind != "integer" or not n or not np.array_equal(rows._data, np.arange(1, n + 1)):
        return None
    number = n if rows._hidden == "given" else -n
    return build.make("INT", np.ma.masked_array(np.array([build.INT_NA, number], np.int32), [True, False]), None)


def _code(x: Value, about: dict[str, Any] | None, unread: Callable[[str, bool], Any] | None) -> Any:
    """Return a call or a formula."""
    try:
        tree = parse_code(str(x._data[0]))
    except ValueError:
        if unread is None:
            raise ValueError(f"the call {str(x._data[0])[:60]}") from None
        tree = unread(str(x._data[0]), False)
    if about:
        last = {name: about[name] for name in ("predvars", "dataClasses") if name in about}
        first = {name: attribute for name, attribute in about.items() if name not in last}
        tree.attributes = {**first, ".Environment": build.make("GLOBALENV"), **last}
    return tree
