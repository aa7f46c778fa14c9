"""Strings: joined, cut, searched and replaced."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pyrrf.r.base.types import as_character
from pyrrf.r.values.arguments import arguments, default_only, flag
from pyrrf.r.values.attributes import factor_labels, is_factor, is_list, is_missing, is_na_mark, names_of
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.convert import python_items
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    formula,
    is_null,
    logicals,
    objects,
    strings,
)
from pyrrf.rbase import patterns
from pyrrf.rbase.sprintf import FIELD
from pyrrf.rbase.sprintf import sprintf as formatted


def texts_of(x: Any) -> Value:
    """Return a value as strings: a factor by its labels, dates as they are written."""
    value = as_value(x)
    if is_factor(value):
        return Value("character", factor_labels(value)._data)

    return as_character(value)


@r_function(in_order=True)
def paste(*dots: Any, sep: Any = " ", collapse: Any = None, recycle0: Any = False, **named: Any) -> Value:
    """Join items to strings, and all of them to one by `collapse`."""
    parts = [texts_of(item)._data for _, item in arguments(dots, named)]
    n = max((len(part) for part in parts), default=0)
    if flag(recycle0) and not all(map(len, parts)):
        n = 0
    joint = str(one(sep, "character"))
    shown = [["NA" if text is None else text for text in part] or [""] for part in parts]
    found = [joint.join(part[i % len(part)] for part in shown) for i in range(n)]
    if is_null(collapse):
        return strings(found)
    return strings([str(one(collapse, "character")).join(found)])


@r_function(in_order=True)
def paste0(*dots: Any, collapse: Any = None, recycle0: Any = False, **named: Any) -> Value:
    """Join items to strings without anything between them; `sep` is an item, too."""
    items = [item for _, item in arguments(dots, named)]
    return paste(*items, sep="", collapse=collapse, recycle0=recycle0)


@r_function(in_order=True)
def sprintf(fmt: Any, *dots: Any) -> Value:
    """Fill values into formats; a factor is its labels in %s, and its codes elsewhere."""
    forms = [str(form) for form in coerced(fmt, "character")._data]
    given = [as_value(part) for part in dots]
    used = _conversions(forms, len(given))
    plain = [coerced(part, "character") if is_list(part) else part for part in given]
    shown = [_labels_or_codes(part, used[at]) if is_factor(part) else part for at, part in enumerate(plain)]
    if any(not len(value) for value in shown):
        return strings([])
    for at, value in enumerate(shown):
        if value._kind == "character" and used[at] - {"s"}:
            raise RError(f"invalid format '%{min(used[at] - {'s'})}'; use format %s for character objects")
    if any(v._kind == "double" and (np.isnan(v._data) & ~is_na_mark(v._data)).any() for v in shown):
        raise NotMovedError("sprintf() of NaN")
    try:
        return strings(formatted(forms, *map(python_items, shown)))
    except (TypeError, ValueError) as error:
        raise RError(str(error)) from None


def _conversions(forms: Sequence[str], n: int) -> list[set[str]]:
    """Return the letters by which formats show each of `n` values; none where a width is a value, too."""
    used: list[set[str]] = [set() for _ in range(n)]
    for form in forms:
        fields = [match for match in FIELD.finditer(form) if match[5] != "%"]
        if any(match[3] == "*" for match in fields):
            continue
        for at, match in enumerate(fields):
            place = int(match[1]) - 1 if match[1] else at
            if place < n:
                used[place].add(match[5])
    return used


def _labels_or_codes(x: Value, used: set[str]) -> Value:
    if len(used) > 1:
        raise NotMovedError("sprintf() of a factor in two ways")
    return texts_of(x) if used <= {"s"} else Value("integer", x._data)


# ---- letters -------------------------------------------------------------------------------------


def _each(x: Any, change: Callable[[str], str]) -> Value:
    value = as_value(x)
    texts = texts_of(value)._data
    kept = (
        {k: v for k, v in value._attributes.items() if k in ("names", "dim", "dimnames")}
        if value._kind == "character"
        else {}
    )
    return strings([None if text is None else change(text) for text in texts], kept)


def _by(function: Callable[[Any], Any]) -> Callable[[Any], Value]:
    def changed(x: Any) -> Value:
        return _each(x, lambda text: str(np.asarray(function(np.array([text], dtype=object)), dtype=object)[0]))

    changed.__doc__ = function.__doc__
    return changed


toupper = _by(patterns.toupper)
tolower = _by(patterns.tolower)


def trimws(x: Any, which: Any = "both", whitespace: Any = "[ \t\r\n]") -> Value:
    """Take blanks off the ends of strings."""
    side = str(coerced(which, "character")._data[0])
    if str(one(whitespace, "character")) != "[ \t\r\n]":
        raise NotMovedError("trimws() with other white space")
    cut = {"both": str.strip, "left": str.lstrip, "right": str.rstrip}[side]
    return _each(x, lambda text: cut(text, " \t\r\n"))


@default_only("allowNA", "keepNA")
def nchar(x: Any, type: Any = "chars", allowNA: Any = False, keepNA: Any = None) -> Value:
    """Count the characters of strings."""
    value = as_value(x)
    if is_factor(value):
        raise RError("'nchar()' requires a character vector")
    if str(coerced(type, "character")._data[0]) != "chars":
        raise NotMovedError("nchar() of bytes or widths")
    texts = texts_of(value)._data
    counts = [np.nan if text is None else float(len(text)) for text in texts]
    kept = {k: v for k, v in value._attributes.items() if k in ("names", "dim", "dimnames")}
    return Value("integer", np.array(counts, dtype=np.float64), kept)


def substr(x: Any, start: Any, stop: Any) -> Value:
    """Cut a part out of each string, by the places of its first and last letter."""
    value = as_value(x)
    texts = texts_of(value)._data
    begins, ends = (np.resize(coerced(part, "double")._data, max(len(texts), 1)) for part in (start, stop))
    found = []
    for text, a, b in zip(texts, begins, ends, strict=False):
        cut = None if text is None or a != a or b != b else text[max(int(a), 1) - 1 : max(int(b), 0)]
        found.append(cut)
    return strings(found, value._attributes if value._kind == "character" else {})


def substring(text: Any, first: Any, last: Any = 1000000) -> Value:
    """Cut parts out of strings; places and strings are recycled."""
    texts = texts_of(text)._data
    begins, ends = coerced(first, "double")._data, coerced(last, "double")._data
    n = max(len(texts), len(begins), len(ends)) if len(texts) else 0
    if n == len(texts) and as_value(text)._kind == "character":
        return substr(text, first, last)
    wide = [np.resize(part, n) for part in (begins, ends)]
    return substr(strings(np.resize(texts, n) if n else []), Value("double", wide[0]), Value("double", wide[1]))


def strrep(x: Any, times: Any) -> Value:
    """Repeat each string."""
    value = texts_of(x)
    counts = coerced(times, "integer")._data
    n = max(len(value), len(counts)) if len(value) and len(counts) else 0
    if (counts < 0).any():
        raise RError("invalid 'times' value")
    pairs = zip(np.resize(value._data, n), np.resize(counts, n), strict=True)
    found = [None if text is None or many != many else text * int(many) for text, many in pairs]
    names = names_of(as_value(x)) if n == len(value) and as_value(x)._kind == "character" else None
    return strings(found, {} if names is None else {"names": strings(names)})


def casefold(x: Any, upper: Any = False) -> Value:
    """Return strings in small letters, or in capitals."""
    return toupper(x) if flag(upper) else tolower(x)


def _searched(function: Callable[..., Any], *given: Any, **told: Any) -> Any:
    """Return what a search gives; a pattern that cannot be read is an error in R, too."""
    try:
        return function(*given, **told)
    except ValueError as error:
        raise RError(str(error)) from None


def strsplit(x: Any, split: Any = "", fixed: Any = False, perl: Any = False) -> Value:
    """Split strings: a list of their pieces."""
    value = as_value(x)
    if value._kind != "character":
        raise RError("non-character argument")
    at = str(one(split, "character")) if len(as_value(split)) else ""
    found = []
    for text in value._data:
        if text is None:
            found.append(strings([None]))
        elif at == "":
            found.append(strings(list(text)))
        else:
            given = np.array([text], dtype=object)
            pieces = _searched(patterns.strsplit, given, at, fixed=flag(fixed), perl=flag(perl))[0]
            found.append(strings(list(np.asarray(pieces, dtype=object))))
    names = names_of(value)
    return Value("list", objects(found), {} if names is None else {"names": strings(names)})


def startsWith(x: Any, prefix: Any) -> Value:
    """Say which strings begin with another."""
    if any(as_value(each)._kind != "character" for each in (x, prefix)):
        raise RError("non-character object(s)")
    begun = str(one(prefix, "character"))
    return logicals(
        [np.nan if text is None else float(text.startswith(begun)) for text in coerced(x, "character")._data]
    )


def endsWith(x: Any, suffix: Any) -> Value:
    """Say which strings end with another."""
    if any(as_value(each)._kind != "character" for each in (x, suffix)):
        raise RError("non-character object(s)")
    end = str(one(suffix, "character"))
    return logicals([np.nan if text is None else float(text.endswith(end)) for text in coerced(x, "character")._data])


def chartr(old: Any, new: Any, x: Any) -> Value:
    """Put letters in the place of others."""
    a, b = str(one(old, "character")), str(one(new, "character"))
    if "-" in a or "-" in b or len(a) > len(b):
        raise NotMovedError("chartr() with ranges")
    turn = str.maketrans(dict(zip(a, b, strict=False)))
    return _each(x, lambda text: text.translate(turn))


# ---- regular expressions -------------------------------------------------------------------------


def _known(x: Any) -> tuple[Value, np.ndarray]:
    value = texts_of(x)
    return value, ~is_missing(value)


def _settings(ignore_case: Any, perl: Any, fixed: Any) -> dict[str, bool]:
    return {"ignore_case": flag(ignore_case), "perl": flag(perl), "fixed": flag(fixed)}


def grepl(
    pattern: Any, x: Any, ignore_case: Any = False, perl: Any = False, fixed: Any = False, useBytes: Any = False
) -> Value:
    """Say which strings hold a match."""
    value, known = _known(x)
    out = np.zeros(len(value))
    told = _settings(ignore_case, perl, fixed)
    out[known] = np.asarray(_searched(patterns.grepl, str(one(pattern, "character")), value._data[known], **told))
    return logicals(out) if len(out) else logicals([])


def grep(
    pattern: Any,
    x: Any,
    ignore_case: Any = False,
    perl: Any = False,
    value: Any = False,
    fixed: Any = False,
    useBytes: Any = False,
    invert: Any = False,
) -> Value:
    """Return the places of strings that hold a match, or these strings."""
    if is_missing(coerced(pattern, "character")).any():
        raise NotMovedError("grep() of a missing pattern")
    held = grepl(pattern, x, ignore_case, perl, fixed)._data == 1
    at = np.flatnonzero(~held if flag(invert) else held)
    names = names_of(as_value(x)) if not is_factor(as_value(x)) else None
    about = {} if names is None else {"names": strings([names[i] for i in at])}
    if flag(value):
        return Value("character", texts_of(x)._data[at], about)
    return Value("integer", at + 1.0, about)


def _substituted(function: Callable[..., Any], arguments_: tuple[Any, ...], x: Any) -> Value:
    pattern, replacement, *settings = arguments_
    value, known = _known(x)
    out = value._data.copy()
    told = _settings(*settings)
    new = str(one(replacement, "character"))
    found = _searched(function, str(one(pattern, "character")), new, value._data[known], **told)
    out[known] = np.asarray(found, dtype=object)
    given = as_value(x)
    kept = {k: v for k, v in given._attributes.items() if k in ("names", "dim", "dimnames")}
    return Value("character", out, kept if given._kind == "character" else None)


def sub(
    pattern: Any,
    replacement: Any,
    x: Any,
    ignore_case: Any = False,
    perl: Any = False,
    fixed: Any = False,
    useBytes: Any = False,
) -> Value:
    """Replace the first match in each string."""
    return _substituted(patterns.sub, (pattern, replacement, ignore_case, perl, fixed), x)


def gsub(
    pattern: Any,
    replacement: Any,
    x: Any,
    ignore_case: Any = False,
    perl: Any = False,
    fixed: Any = False,
    useBytes: Any = False,
) -> Value:
    """Replace all matches in each string."""
    return _substituted(patterns.gsub, (pattern, replacement, ignore_case, perl, fixed), x)


# ---- paths ---------------------------------------------------------------------------------------


def basename(path: Any) -> Value:
    """Return the last part of paths."""
    return _each(path, lambda text: os.path.basename(text.rstrip("/")))


def dirname(path: Any) -> Value:
    """Return paths without their last part."""
    return _each(path, lambda text: os.path.dirname(text.rstrip("/")) or ".")


def file_path(*dots: Any, fsep: Any = "/") -> Value:
    """Join parts of paths."""
    return paste(*dots, sep=fsep)


def file_ext(x: Any) -> Value:
    """Return the endings of files."""
    return _each(x, lambda text: os.path.splitext(text)[1].lstrip("."))


def as_formula(object: Any, env: Any = None) -> Value:
    """Return a text as a formula."""
    value = as_value(object)
    if value._kind == "language":
        return value

    return formula(" ".join(str(one(value, "character")).split()))


@r_function(in_order=True)
@default_only("dots")
def identical(x: Any, y: Any, *dots: Any) -> Value:
    """Return whether two values are the same in kind, attributes and every bit; NaN are equal to each other."""
    return logicals(_identical(as_value(x), as_value(y)))


def _identical(x: Any, y: Any) -> bool:
    if not (isinstance(x, Value) and isinstance(y, Value)):
        return x is y
    if x._kind != y._kind or len(x) != len(y) or x._attributes.keys() != y._attributes.keys():
        return False
    if not all(_identical(part, y._attributes[name]) for name, part in x._attributes.items()):
        return False
    if is_list(x):
        return all(_identical(a, b) for a, b in zip(x._data, y._data, strict=True))
    if x._kind in NUMBERS:
        same = (x._data == y._data) | (np.isnan(x._data) & np.isnan(y._data))
        if x._kind == "double":
            same &= is_na_mark(x._data) == is_na_mark(y._data)
        return bool(same.all())
    return list(x._data) == list(y._data)
