"""Where two values of R differ, by the rules of ``identical()``: kinds, attributes, numbers bit by bit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.r.values.kinds import inherits, is_list, is_na_mark
from pyrrf.r.values.labels import dim_of, names_of
from pyrrf.r.values.partial import Absent, Partial
from pyrrf.r.values.placeholder import Placeholder
from pyrrf.r.values.vector import NUMBERS, Value, as_value

_PLAIN_NAME = re.compile(r"[^\W\d_][\w.]*|\.[^\W\d][\w.]*")
_PARTS_OF_FITS = ("call",)
_DEEPEST = 500


@dataclass(frozen=True)
class Difference:
    """The first place where two values differ.

    Attributes
    ----------
    where : str
        As R would say it: ``$importance[3, 2]``, ``$names``, ``names()[2]``; empty for the value as a whole.
    ours, theirs : str
        What stands there.
    """

    where: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        both = f"{self.ours} here, {self.theirs} in R"
        return f"{self.where}: {both}" if self.where else both


def first_difference(ours: Any, theirs: Any, where: str = "") -> Difference | None:
    """Return the first place where two values are not the same to ``identical()``, and their signed zeros not either.

    Attributes may stand in any order. What cannot be compared counts as the same: the component ``call`` of lists with
    a class, as fits have, and the attribute of this name; the environments of formulas and terms; functions;
    environments and other objects that R alone holds; times that ``proc.time()`` took; what a `Partial` does not hold
    and what is `Absent`.
    Of calls and formulas the text is compared, without blanks.

    Parameters
    ----------
    ours, theirs : value or function
    where : str, default ''
        What the value is called.

    Returns
    -------
    Difference or None
    """
    return _compare(ours, theirs, where, 0)


def are_identical(x: object, y: object) -> bool:
    """Return whether identical() holds: as `first_difference`, but 0 is -0, and nothing is left out."""
    if not (isinstance(x, Value) and isinstance(y, Value)):
        return x is y
    if x._kind != y._kind or len(x) != len(y) or x._attributes.keys() != y._attributes.keys():
        return False
    if not all(are_identical(attribute, y._attributes[name]) for name, attribute in x._attributes.items()):
        return False
    if is_list(x):
        return all(are_identical(a, b) for a, b in zip(x._data, y._data, strict=True))
    if x._kind in NUMBERS:
        same = (x._data == y._data) | (np.isnan(x._data) & np.isnan(y._data))
        if x._kind == "double":
            same &= is_na_mark(x._data) == is_na_mark(y._data)
        return bool(same.all())
    return list(x._data) == list(y._data)


def _compare(ours: Any, theirs: Any, where: str, depth: int) -> Difference | None:
    if type(ours) is Absent:
        return None
    if isinstance(ours, Partial) and isinstance(theirs, Value):
        return _compare(ours.known_items(), theirs[ours.known_names()], where, depth)
    kinds = _kind(ours), _kind(theirs)
    if kinds[0] in ("opaque", "function") and kinds[1] in ("opaque", "function"):
        return None
    if kinds[0] != kinds[1]:
        return Difference(where, *kinds)
    a, b = as_value(ours), as_value(theirs)
    if (inherits(a, "proc_time") and inherits(b, "proc_time")) or depth > _DEEPEST:
        return None
    if a._kind == "language":
        texts = ["".join(str(side._data[0]).split()) for side in (a, b)]
        return _of_attributes(a, b, where, depth) if texts[0] == texts[1] else Difference(where, *texts)
    if a._kind == "list":
        return _of_lists(a, b, where, depth)
    if len(a) != len(b):
        return Difference(_call("length", where), str(len(a)), str(len(b)))
    wrong = _unequal(a, b)
    if len(wrong):
        index = int(wrong[0])
        return Difference(where + _place(b, index), _item_text(a, index), _item_text(b, index))
    return _of_attributes(a, b, where, depth)


def _kind(x: object) -> str:
    if isinstance(x, Placeholder):
        return "no value"
    if isinstance(x, Value):
        return x._kind
    if callable(x):
        return "function"
    try:
        return str(as_value(x)._kind)
    except TypeError:
        return type(x).__name__


# ---- numbers and strings -------------------------------------------------------------------------


def _unequal(a: Value, b: Value) -> np.ndarray:
    """Return the places where two vectors of one kind differ."""
    if a._kind not in NUMBERS:
        return np.flatnonzero(np.array([x != y for x, y in zip(a._data, b._data, strict=True)], dtype=bool))
    x, y = (np.ascontiguousarray(side._data, dtype=np.float64) for side in (a, b))
    gaps = np.isnan(x), np.isnan(y)
    if a._kind != "double":
        return np.flatnonzero((x != y) & ~(gaps[0] & gaps[1]))
    alike = (x.view(np.uint64) == y.view(np.uint64)) | (gaps[0] & gaps[1] & (is_na_mark(x) == is_na_mark(y)))
    return np.flatnonzero(~alike)


def _item_text(x: Value, index: int) -> str:
    item = x._data[index]
    if x._kind == "character":
        return "NA" if item is None else repr(item)
    if x._kind not in NUMBERS:
        return x._kind
    if item != item:
        return "NaN" if x._kind == "double" and not is_na_mark(np.array([item]))[0] else "NA"
    if x._kind == "logical":
        return "TRUE" if item else "FALSE"
    return f"{item:.17g}"


def _place(x: Value, index: int) -> str:
    """Return ``[3]`` or ``[3, 2]``; nothing for a single value."""
    shape = dim_of(x)
    if shape is not None and len(shape) > 1 and int(np.prod(shape)) == len(x):
        return f"[{', '.join(str(int(i) + 1) for i in np.unravel_index(index, shape, order='F'))}]"
    return f"[{index + 1}]" if len(x) > 1 else ""


# ---- lists and attributes ------------------------------------------------------------------------


def _of_lists(a: Value, b: Value, where: str, depth: int) -> Difference | None:
    labels = [names_of(side) for side in (a, b)]
    if labels[0] != labels[1] or len(a) != len(b):
        return _of_names(a, b, labels, where)
    skipped = _PARTS_OF_FITS if "class" in b._attributes and not inherits(b, "data.frame") else ()
    for index, (x, y) in enumerate(zip(a._data, b._data, strict=True)):
        name = None if labels[1] is None else labels[1][index]
        if name in skipped:
            continue
        difference = _compare(x, y, where + _item(name, index), depth + 1)
        if difference is not None:
            return difference
    return _of_attributes(a, b, where, depth)


def _of_names(a: Value, b: Value, labels: list[Any], where: str) -> Difference:
    """Say how lists with other items differ."""
    known = [[] if names is None else names for names in labels]
    for mine, other, here in ((*known, True), (*known[::-1], False)):
        alone = next((name for name in mine if name not in other), None)
        if alone and all(known):
            there = ["there", "nothing"]
            return Difference(where + _item(alone, 0), *(there if here else there[::-1]))
    if len(a) != len(b):
        return Difference(_call("length", where), str(len(a)), str(len(b)))
    return Difference(_call("names", where), _list_names(labels[0]), _list_names(labels[1]))


def _list_names(names: list[Any] | None) -> str:
    if names is None:
        return "none"
    return ", ".join(repr(name) for name in names[:8]) + (", ..." if len(names) > 8 else "")


def _item(name: str | None, index: int) -> str:
    if not name:
        return f"[[{index + 1}]]"
    return f"${name}" if _PLAIN_NAME.fullmatch(name) else f"$`{name}`"


def _call(function: str, where: str) -> str:
    return f"{function}({where})"


def _of_attributes(a: Value, b: Value, where: str, depth: int) -> Difference | None:
    for name in sorted({*a._attributes, *b._attributes} - {".Environment", "call"}):
        x, y = a._attributes.get(name), b._attributes.get(name)
        label = f"attr({where}, {name!r})" if name not in ("names", "dim", "dimnames", "levels", "class") else ""
        place = label or _call(name, where)
        if x is None or y is None:
            sides = ["none" if attribute is None else attribute._kind for attribute in (x, y)]
            return Difference(place, *sides)
        difference = _compare(x, y, place, depth + 1)
        if difference is not None:
            return difference
    return None
