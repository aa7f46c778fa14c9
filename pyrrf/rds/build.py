"""R's objects as rdata has them, built to be written."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyrrf.rds.encode import encode
from pyrrf.rds.parsed import deeply, library
from pyrrf.rds.reader import INT_NA as INT_NA
from pyrrf.rds.reader import REAL_NA as REAL_NA
from pyrrf.rds.reader import REAL_NAN as REAL_NAN

# The parts of an object: R's type by rdata's name, its value, its attributes.
Attributes = Mapping[str, Any]


def make(type_: str, value: Any = None, attributes: Attributes | None = None, tag: Any = None, gp: int = 0) -> Any:
    """Return an object of R's type."""
    parser = library().parser
    about = None if not attributes else pairlist([(name, part) for name, part in attributes.items()])
    info = parser.RObjectInfo(
        parser.RObjectType[type_], "class" in (attributes or {}), about is not None, tag is not None, gp, 0
    )
    return parser.RObject(info, value, about, tag)


def null() -> Any:
    """Return NULL."""
    return make("NILVALUE")


def pairlist(parts: Sequence[tuple[str, Any]], type_: str = "LIST") -> Any:
    """Return a pairlist of named objects, the first cell of which may be that of a call."""
    rest = null()
    for at in range(len(parts) - 1, -1, -1):
        name, part = parts[at]
        rest = make("LIST" if at else type_, (part, rest), tag=symbol(name) if name else None)
    return rest


def symbol(name: str) -> Any:
    """Return a name."""
    return make("SYM", checked(name))


def call(function: str, arguments: Iterable[tuple[str, Any]], attributes: Attributes | None = None) -> Any:
    """Return a call of a function by its name."""
    made = pairlist([("", symbol(function)), *arguments], "LANG")
    if attributes:
        made.attributes = pairlist(list(attributes.items()))
        made.info.attributes, made.info.object = True, "class" in attributes
    return made


def checked(text: str | None) -> str | None:
    """Return a text; None is NA."""
    if text is not None and "\0" in text:
        raise ValueError(f"object has the text {text!r}; texts of R have no zero byte")
    return text


# ---- vectors -------------------------------------------------------------------------------------


def texts(values: Iterable[str | None], attributes: Attributes | None = None) -> Any:
    """Return a character vector, which holds its texts as they are."""
    return make("STR", [checked(text) for text in values], attributes)


def integers(values: Any, attributes: Attributes | None = None) -> Any:
    """Return an integer vector, or an array with its shape."""
    return _numbers("INT", np.asarray(values, dtype=np.int32), attributes)


def doubles(values: Any, attributes: Attributes | None = None) -> Any:
    """Return a vector of doubles, or an array with its shape; all NaN keep their bits."""
    return _numbers("REAL", np.asarray(values, dtype=np.float64), attributes)


def logicals(values: Any, attributes: Attributes | None = None) -> Any:
    """Return a logical vector of 0, 1 and NA."""
    return _numbers("LGL", np.asarray(values, dtype=np.int32), attributes)


def _numbers(type_: str, values: np.ndarray, attributes: Attributes | None) -> Any:
    shape = {} if values.ndim == 1 else {"dim": make("INT", np.array(values.shape, dtype=np.int32))}
    return make(type_, values.ravel(order="F"), {**shape, **(attributes or {})})


def labelled(*labels: Sequence[str] | None) -> dict[str, Any]:
    """Return the dimnames of an array; as in R they stand there even if no dimension has any."""
    return {"dimnames": make("VEC", [null() if part is None else texts(part) for part in labels])}


def named(labels: Sequence[str] | None) -> dict[str, Any]:
    """Return the names of a vector; none if there are none."""
    return {} if labels is None else {"names": texts(labels)}


def factor(codes: Any, levels: Sequence[str], ordered: bool = False, names: Sequence[str] | None = None) -> Any:
    """Return a factor of codes from 0, with -1 for NA."""
    values = np.asarray(codes, dtype=np.int32) + np.int32(1)
    values[values == 0] = INT_NA
    classes = ["ordered", "factor"] if ordered else ["factor"]
    return integers(values, {"levels": texts(levels), "class": texts(classes), **named(names)})


def listed(parts: Mapping[str, Any], classes: Sequence[str] = ()) -> Any:
    """Return a list of named objects; None stands for NULL."""
    values = [null() if part is None else part for part in parts.values()]
    about = {"names": texts(parts)}
    return make("VEC", values, {**about, "class": texts(classes)} if classes else about)


# ---- files ---------------------------------------------------------------------------------------


def write(obj: Any, path: Path) -> None:
    """Write an object as saveRDS() does, compressed by gzip."""
    with deeply():
        content = encode(obj)
    # Without the time the same object gives the same bytes.
    path.write_bytes(gzip.compress(content, 6, mtime=0))
