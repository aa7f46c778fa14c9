"""Constructors of R's objects for writing."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.errors import bad
from pyrrf.rds.encode import encode
from pyrrf.rds.objects import CALL, NO_ATTRIBUTES, NULL, PAIRLIST, SYMBOL, TEXT, RObject
from pyrrf.rds.objects import INT_NA as INT_NA
from pyrrf.rds.objects import REAL_NA as REAL_NA
from pyrrf.rds.objects import REAL_NAN as REAL_NAN
from pyrrf.rds.parsed import deep_recursion

Attributes = Mapping[str, Any]
LEVEL = 5
"""Level of compression by gzip; R's level 6 takes twice as long for files that are 1 to 2 % smaller."""


def make(type_: str, value: Any = None, attributes: Attributes | None = None) -> RObject:
    """Return an object of R's type."""
    return RObject(type_, value, attributes or NO_ATTRIBUTES)


def null() -> RObject:
    """Return NULL."""
    return make(NULL)


def pairlist(parts: Sequence[tuple[str, Any]], type_: str = PAIRLIST) -> RObject:
    """Return a pairlist of named objects, or a call."""
    return make(type_, list(parts))


def symbol(name: str) -> RObject:
    """Return a name."""
    return make(SYMBOL, check_text(name))


def call(function: str, arguments: Iterable[tuple[str, Any]]) -> RObject:
    """Return a call of a function by its name."""
    return pairlist([("", symbol(function)), *arguments], CALL)


def check_text(text: str | None) -> str | None:
    """Return a text, after a check that it has no zero byte; None is NA."""
    if text is not None and "\0" in text:
        raise bad.text(f"object has the text {text!r}; texts of R have no zero byte")
    return text


# ---- vectors -------------------------------------------------------------------------------------


def texts(values: Iterable[str | None], attributes: Attributes | None = None) -> RObject:
    """Return a character vector, which holds its texts as they are, and a list itself."""
    strings = values if isinstance(values, list) else list(values)
    if "\0" in "".join(filter(None, strings)):
        _ = [check_text(text) for text in strings]
    return make(TEXT, strings, attributes)


def integers(values: Any, attributes: Attributes | None = None) -> RObject:
    """Return an integer vector, or an array with its shape."""
    return _numbers("INT", np.asarray(values, dtype=np.int32), attributes)


def doubles(values: Any, attributes: Attributes | None = None) -> RObject:
    """Return a vector of doubles, or an array with its shape; all NaN keep their bits."""
    return _numbers("REAL", np.asarray(values, dtype=np.float64), attributes)


def logicals(values: Any, attributes: Attributes | None = None) -> RObject:
    """Return a logical vector of 0, 1 and NA."""
    return _numbers("LGL", np.asarray(values, dtype=np.int32), attributes)


def _numbers(type_: str, values: np.ndarray, attributes: Attributes | None) -> RObject:
    shape = {} if values.ndim == 1 else {"dim": make("INT", np.array(values.shape, dtype=np.int32))}
    return make(type_, values.ravel(order="F"), {**shape, **(attributes or {})})


def dimnames(*labels: Sequence[str] | None) -> dict[str, Any]:
    """Return the dimnames attribute of an array; as in R it exists even if no dimension has labels."""
    return {"dimnames": make("VEC", [null() if names is None else texts(names) for names in labels])}


def vector_names(labels: Sequence[str | None] | None) -> dict[str, Any]:
    """Return the names attribute of a vector; empty without names."""
    return {} if labels is None else {"names": texts(labels)}


def factor(codes: Any, levels: Sequence[str], ordered: bool = False, names: Sequence[str] | None = None) -> RObject:
    """Return a factor of codes from 0, with -1 for NA."""
    values = np.asarray(codes, dtype=np.int32) + np.int32(1)
    values[values == 0] = INT_NA
    classes = ["ordered", "factor"] if ordered else ["factor"]
    return integers(values, {"levels": texts(levels), "class": texts(classes), **vector_names(names)})


def named_list(elements: Mapping[str, Any], classes: Sequence[str] = ()) -> RObject:
    """Return a list of named objects; None stands for NULL."""
    values = [null() if element is None else element for element in elements.values()]
    about = {"names": texts(elements)}
    return make("VEC", values, {**about, "class": texts(classes)} if classes else about)


# ---- files ---------------------------------------------------------------------------------------


def write(obj: Any, path: Path) -> None:
    """Write an object as saveRDS() does, compressed by gzip."""
    with deep_recursion():
        content = encode(obj)
    # Without the time the same object gives the same bytes.
    path.write_bytes(gzip.compress(content, LEVEL, mtime=0))
