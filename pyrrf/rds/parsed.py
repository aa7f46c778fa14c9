"""Parser of .rds files, and accessors of the parsed objects; nothing of R is evaluated."""

from __future__ import annotations

import contextlib
import math
import struct
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pyrrf.rds.content import Budget, DamagedError, default_budget, unpack
from pyrrf.rds.objects import ATOMIC, CALL, LIST, NULL, PAIRLIST, SYMBOL, TEXT, UNKNOWN_RULE, RObject
from pyrrf.rds.reader import read_object

# Limit of recursion: eight calls for each of 10,000 terms.
_DEEPEST = 80_000
# NumPy's limit.
_MOST_DIMENSIONS = 64


def parse(content: bytes, max_bytes: int | None = None) -> RObject:
    """Return the object in the bytes of an .rds file, which may take `max_bytes` of memory, as in `read_rds`."""
    return parse_within(content, default_budget(len(content)) if max_bytes is None else Budget(max_bytes))


def parse_within(content: bytes, budget: Budget) -> RObject:
    """Return the object in the bytes of an .rds file.

    DamagedError if the bytes are not what R's saveRDS() writes, or are cut short, or take more than the budget.
    """
    plain = unpack(content, budget)
    try:
        with deep_recursion():
            return read_object(plain, budget)
    except (DamagedError, RecursionError):
        raise
    except Exception as error:
        raise DamagedError(_describe_damage(error)) from None


@contextlib.contextmanager
def damage_errors() -> Iterator[None]:
    """Raise DamagedError in place of any error while objects are read, since their types are not checked before."""
    try:
        with deep_recursion():
            yield
    except RecursionError:
        raise DamagedError("its lists are nested too deeply") from None
    except (ValueError, ImportError, Warning):  # words of our own; a warning that the user makes an error
        raise
    except Exception as error:
        raise DamagedError(_describe_damage(error)) from error


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the limit of recursion to the nesting of a formula with many terms.

    Calls of Python's functions by each other take no room on the stack of C.
    """
    _DEPTH.enter()
    try:
        yield
    finally:
        _DEPTH.leave()


class _Depth:
    """The limit of the process, raised by the first of several threads and lowered by the last."""

    def __init__(self) -> None:
        self.lock, self.threads, self.before = threading.Lock(), 0, 0

    def enter(self) -> None:
        with self.lock:
            if not self.threads:
                self.before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self.before, _DEEPEST))
            self.threads += 1

    def leave(self) -> None:
        with self.lock:
            self.threads -= 1
            if not self.threads:
                sys.setrecursionlimit(self.before)


_DEPTH = _Depth()


def _describe_damage(error: Exception) -> str:
    """Return the message for bytes that are not in R's format."""
    text = (str(error).splitlines() or [type(error).__name__])[0]
    if isinstance(error, struct.error):
        text = "it ends too early"
    return f"it cannot be read as .rds: it is damaged or cut short ({text})"


# ---- objects -------------------------------------------------------------------------------------


def wrong_type(obj: RObject, wanted: str) -> DamagedError:
    """Return the error for an object of another type than expected."""
    if kind(obj) == UNKNOWN_RULE:
        return DamagedError(f"{wanted} is stored as {obj.value!r}; in R: saveRDS(object, file, version = 2)")
    return DamagedError(f"it is damaged: {wanted} was expected, not {kind(obj)}")


def kind(obj: RObject) -> str:
    """Return R's type of an object, without its end SXP."""
    return obj.type


def pairs(obj: RObject) -> list[tuple[str, Any]]:
    """Return the names and values of a pairlist, or the arguments of a call; a name that is missing is ''."""
    return obj.value if obj.type in (PAIRLIST, CALL) else []


def attributes(obj: RObject) -> Mapping[str, RObject]:
    """Return the attributes of an object."""
    return obj.attributes


def symbol(obj: RObject) -> str:
    """Return the text of a symbol."""
    if kind(obj) != SYMBOL:
        raise wrong_type(obj, "a name")
    return obj.value or ""


def texts(obj: RObject) -> list[str | None]:
    """Return a character vector; None is NA."""
    if kind(obj) != TEXT:
        raise wrong_type(obj, "a text")
    strings: list[str | None] = obj.value
    return strings


def words(obj: RObject) -> list[str]:
    """Return a character vector of names or levels, with "NA" for NA as R prints it."""
    return ["NA" if text is None else text for text in texts(obj)]


def classes(obj: RObject) -> list[str]:
    """Return the class attribute."""
    attribute = attributes(obj).get("class")
    return [] if attribute is None else words(attribute)


def names(obj: RObject) -> list[str] | None:
    """Return the names attribute; None without one. DamagedError if there are more or fewer names than values."""
    attribute = attributes(obj).get("names")
    if attribute is None or kind(attribute) != TEXT:
        return None
    if len(attribute.value) != len(obj.value):
        raise DamagedError(f"it is damaged: {len(attribute.value)} names for {len(obj.value)} values")
    return [name or "" for name in texts(attribute)]


def fields(obj: RObject) -> dict[str, Any]:
    """Return the parts of a named list; NULL is left out. DamagedError if it is not a list, or has no names."""
    labels = names(obj)
    if kind(obj) != LIST or labels is None:
        raise DamagedError("it is damaged: a list with names was expected")
    return {name: value for name, value in zip(labels, obj.value, strict=True) if kind(value) != NULL}


def values(obj: RObject) -> np.ndarray:
    """Return the values of a vector, flat: masked where an integer or a logical is NA.

    DamagedError if it is not a numeric vector.
    """
    if kind(obj) not in ATOMIC:
        raise wrong_type(obj, "a vector of numbers")
    return obj.value if isinstance(obj.value, np.ma.MaskedArray) else np.asarray(obj.value)


def shape(obj: RObject) -> tuple[int, ...] | None:
    """Return the dim attribute. DamagedError if it does not hold lengths."""
    attribute = attributes(obj).get("dim")
    if attribute is None:
        return None
    if len(values(attribute)) > _MOST_DIMENSIONS:
        raise DamagedError(f"it is damaged: an array of {len(attribute.value)} dimensions")
    lengths = values(attribute).tolist()
    if not all(isinstance(length, int | float) and 0 <= length < 2**31 and length % 1 == 0 for length in lengths):
        raise DamagedError(f"it is damaged: {lengths} are not the lengths of dimensions")
    return tuple(map(int, lengths))


def dimnames(obj: RObject) -> list[list[str] | None]:
    """Return the labels of each dimension; None without labels.

    DamagedError if there are more or fewer labels than the shape has.
    """
    found_labels, dim = attributes(obj).get("dimnames"), shape(obj) or ()
    if found_labels is None or kind(found_labels) != LIST:
        return [None] * len(dim)
    labels = [None if kind(axis) == NULL else words(axis) for axis in found_labels.value]
    if len(labels) != len(dim) or any(axis is not None and len(axis) != n for axis, n in zip(labels, dim, strict=True)):
        raise DamagedError(f"it is damaged: its labels are not those of an array of shape {dim}")
    return labels


def array(obj: RObject) -> np.ndarray:
    """Return a vector, matrix or array in its shape. DamagedError if there are not as many values as the shape has."""
    flat, dim = values(obj), shape(obj)
    if dim is None:
        return flat
    if math.prod(dim) != len(flat):
        raise DamagedError(f"it is damaged: an array of shape {dim} has {len(flat)} values")
    return flat.reshape(dim, order="F")
