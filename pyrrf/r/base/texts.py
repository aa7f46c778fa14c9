"""Strings: joined, cut, searched and replaced."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.types import as_character
from pyrrf.r.values.arguments import arguments
from pyrrf.r.values.arguments import text as text_of
from pyrrf.r.values.coercion import attrs, bare, coerce
from pyrrf.r.values.convert import python_items
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function
from pyrrf.r.values.kinds import classes, is_factor, is_list, is_missing, is_na_mark
from pyrrf.r.values.labels import kept_names, names_of, names_part
from pyrrf.r.values.same import are_identical
from pyrrf.r.values.vector import Value, as_value, formula, integers, logicals, objects, strings
from pyrrf.rbase import patterns
from pyrrf.rbase.regex import PatternError
from pyrrf.rbase.sprintf import FIELD
from pyrrf.rbase.sprintf import sprintf as formatted

_Found = TypeVar("_Found")
_PLACED = ("names", "dim", "dimnames")
"""The attributes that counts of letters keep."""
_NOTHING = strings("")


def texts_of(x: object) -> Value:
    """Return a value as strings, as as.character() has it where it is none: strings keep all attributes."""
    value = as_value(x)
    return value if isinstance(value, Value) and value._kind == "character" else as_character(value)


@r_function(in_order=True)
def paste(
    *dots: object, sep: Text = " ", collapse: Text | None = None, recycle0: Flag = False, **named: object
) -> Value:
    """Join items to strings, and all of them to one by `collapse`."""
    parts = [texts_of(item)._data for _, item in arguments(dots, named)]
    n = max(map(len, parts), default=0)
    if recycle0 and not all(map(len, parts)):
        n = 0
    shown = [["NA" if text is None else text for text in items] or [""] for items in parts]
    joined = [sep.join(items[i % len(items)] for items in shown) for i in range(n)]
    return strings(joined if collapse is None else [collapse.join(joined)])


@r_function(in_order=True)
def paste0(*dots: object, collapse: object = None, recycle0: object = False, **named: object) -> Value:
    """Join items to strings without anything between them; `sep` is an item, too."""
    items = [item for _, item in arguments(dots, named)]
    return paste(*items, sep="", collapse=collapse, recycle0=recycle0)


@r_function(in_order=True, classes="any -condition")
def sprintf(fmt: Value, *dots: Value) -> Value:
    """Fill values into formats; a factor is its labels in %s and its codes elsewhere, a date a text or its days."""
    stop_if(fmt._kind != "character", "'fmt' is not a character vector")
    forms = [str(form) for form in fmt._data]
    used = _conversions(forms, len(dots))
    plain = [coerce(item, "character") if is_list(item) else item for item in dots]
    shown = [_as_shown(item, ways) if classes(item) else item for item, ways in zip(plain, used, strict=True)]
    if not all(map(len, shown)):
        return strings([])
    for value, ways in zip(shown, used, strict=True):
        if value._kind == "character" and ways - {"s"}:
            raise RError(f"invalid format '%{min(ways - {'s'})}'; use format %s for character objects")
    if any(v._kind == "double" and (np.isnan(v._data) & ~is_na_mark(v._data)).any() for v in shown):
        raise NotSupportedError("sprintf() of NaN")
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
        for i, match in enumerate(fields):
            place = int(match[1]) - 1 if match[1] else i
            if place < n:
                used[place].add(match[5])
    return used


def _as_shown(x: Value, used: set[str]) -> Value:
    """Return a value of a class as its conversions take it: its text in %s, or else its numbers."""
    refuse_if("s" in used and len(used) > 1, "sprintf() of an object with a class in two ways")
    return texts_of(x) if used <= {"s"} else bare(x)


# ---- letters -------------------------------------------------------------------------------------


def _each(x: Value, change: Callable[[str], str]) -> Value:
    texts = texts_of(x)
    return strings([None if text is None else change(text) for text in texts._data], texts._attributes)


def _by(function: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Value]:
    @r_function(function.__name__, function.__doc__ or "")
    def change(x: Value) -> Value:
        return _each(x, lambda text: str(function(objects([text]))[0]))

    return change


toupper = _by(patterns.toupper)
tolower = _by(patterns.tolower)


@r_function(unsupported="whitespace")
def trimws(x: Value, which: Text = "both", whitespace: Text = "[ \t\r\n]") -> Value:
    """Take blanks off the ends of strings."""
    cut = {"both": str.strip, "left": str.lstrip, "right": str.rstrip}[which]
    return _each(x, lambda text: cut(text, " \t\r\n"))


@r_function(unsupported="type allowNA keepNA")
def nchar(x: Value, type: Text = "chars", allowNA: Flag = False, keepNA: Value | None = None) -> Value:
    """Count the characters of strings."""
    stop_if(is_factor(x), "'nchar()' requires a character vector")
    counts = [np.nan if text is None else float(len(text)) for text in coerce(x, "character")._data]
    # R sets names before the dimension: those of an array of one dimension it has twice.
    return Value("integer", np.array(counts, dtype=np.float64), {**kept_names(x), **attrs(x, *_PLACED)})


@r_function()
def substr(x: Value, start: Value, stop: Value) -> Value:
    """Cut a part out of each string, by the places of its first and last letter."""
    texts = texts_of(x)
    begins, ends = (np.resize(coerce(value, "double")._data, max(len(texts), 1)) for value in (start, stop))
    pieces = []
    for text, a, b in zip(texts._data, begins, ends, strict=False):
        cut = None if text is None or a != a or b != b else text[max(int(a), 1) - 1 : max(int(b), 0)]
        pieces.append(cut)
    return strings(pieces, texts._attributes)


@r_function()
def substring(text: Value, first: Value, last: object = 1000000) -> Value:
    """Cut parts out of strings; places and strings are recycled."""
    texts, places = texts_of(text), [coerce(value, "double")._data for value in (first, last)]
    n = max(len(texts), *map(len, places)) if len(texts) else 0
    if n == len(texts):
        return substr(texts, first, last)
    begins, ends = (Value("double", np.resize(value, n)) for value in places)
    return substr(strings(np.resize(texts._data, n) if n else []), begins, ends)


@r_function()
def strrep(x: Value, times: Value) -> Value:
    """Repeat each string."""
    texts, counts = texts_of(x)._data, coerce(times, "integer")._data
    n = max(len(texts), len(counts)) if len(texts) and len(counts) else 0
    stop_if((counts < 0).any(), "invalid 'times' value")
    pairs = zip(np.resize(texts, n), np.resize(counts, n), strict=True)
    repeated = [None if text is None or many != many else text * int(many) for text, many in pairs]
    return strings(repeated, kept_names(x) if n == len(texts) and x._kind == "character" else {})


@r_function()
def casefold(x: object, upper: Flag = False) -> Value:
    """Return strings in small letters, or in capitals."""
    return toupper(x) if upper else tolower(x)


def _search(function: Callable[..., _Found], *given: object, **options: bool) -> _Found:
    """Return the result of a search; of a pattern that TRE does not take R warns, and then stops."""
    try:
        return function(*given, **options)
    except PatternError as error:
        warn(f"TRE pattern compilation error '{error.reason}'")
        raise RError(str(error)) from None
    except ValueError as error:
        raise NotSupportedError(str(error)) from None


@r_function()
def strsplit(x: Value, split: Value = _NOTHING, fixed: Flag = False, perl: Flag = False) -> Value:
    """Split strings: a list of their pieces."""
    stop_if(x._kind != "character", "non-character argument")
    refuse_if(len(split) > 1, "strsplit() at several patterns in turn")
    pattern = text_of(texts_of(split)) if len(split) else ""

    def pieces(text: str | None) -> Iterable[str | None]:
        if text is None or pattern == "":
            return [None] if text is None else [*text]
        return _search(patterns.strsplit, objects([text]), pattern, fixed=fixed, perl=perl)[0]

    return Value("list", objects(strings(pieces(text)) for text in x._data), kept_names(x))


def _with_end(x: Value, end: Value, test: Callable[[str, str], bool]) -> Value:
    stop_if(x._kind != "character" or end._kind != "character", "non-character object(s)")
    wanted = text_of(end)
    return logicals([np.nan if text is None else float(test(text, wanted)) for text in x._data])


@r_function()
def startsWith(x: Value, prefix: Value) -> Value:
    """Say which strings begin with another."""
    return _with_end(x, prefix, str.startswith)


@r_function()
def endsWith(x: Value, suffix: Value) -> Value:
    """Say which strings end with another."""
    return _with_end(x, suffix, str.endswith)


@r_function()
def chartr(old: Text, new: Text, x: Value) -> Value:
    """Put letters in the place of others."""
    refuse_if("-" in old or "-" in new or len(old) > len(new), "chartr() with ranges")
    turn = str.maketrans(dict(zip(old, new, strict=False)))
    return _each(x, lambda text: text.translate(turn))


# ---- regular expressions -------------------------------------------------------------------------


def _first(value: Value, name: str) -> str | None:
    """Return a pattern or a replacement: the first of several strings; None where it is missing."""
    texts = texts_of(value)._data
    stop_if(not len(texts), f"invalid '{name}' argument")
    if len(texts) > 1:
        warn(f"argument '{name}' has length > 1 and only the first element will be used")
    return texts[0] if texts[0] is None else str(texts[0])


def _matches(pattern: str | None, texts: Value, **told: bool) -> np.ndarray:
    """Return 1 where strings hold a match, NaN everywhere if the pattern is missing."""
    known, out = ~is_missing(texts), np.zeros(len(texts))
    if pattern is None:
        return np.full(len(texts), np.nan)
    out[known] = _search(patterns.grepl, pattern, texts._data[known], **told)
    return out


@r_function()
def grepl(
    pattern: Value, x: Value, ignore_case: Flag = False, perl: Flag = False, fixed: Flag = False, useBytes: Flag = False
) -> Value:
    """Say which strings hold a match."""
    return logicals(_matches(_first(pattern, "pattern"), texts_of(x), ignore_case=ignore_case, perl=perl, fixed=fixed))


@r_function()
def grep(
    pattern: Value,
    x: Value,
    ignore_case: Flag = False,
    perl: Flag = False,
    value: Flag = False,
    fixed: Flag = False,
    useBytes: object = False,
    invert: Flag = False,
) -> Value:
    """Return the places of strings that hold a match, or these strings."""
    texts, wanted = texts_of(x), _first(pattern, "pattern")
    flags = _matches(wanted, texts, ignore_case=ignore_case, perl=perl, fixed=fixed)
    names = names_of(x) if value and not is_factor(x) else None
    if wanted is None:
        return Value("character", objects([None] * len(x)), names_part(names)) if value else integers(flags)
    index = np.flatnonzero((flags == 1) ^ invert)
    about = names_part(None if names is None else [names[i] for i in index])
    return Value("character", texts._data[index], about) if value else integers(index + 1.0)


def _substitution(function: Callable[..., np.ndarray], text: str) -> Callable[..., Value]:
    @r_function(function.__name__, text)
    def substitute(
        pattern: Value,
        replacement: Value,
        x: Value,
        ignore_case: Flag = False,
        perl: Flag = False,
        fixed: Flag = False,
        useBytes: object = False,
    ) -> Value:
        texts, wanted, new = texts_of(x), _first(pattern, "pattern"), _first(replacement, "replacement")
        options = {"ignore_case": ignore_case, "perl": perl, "fixed": fixed}
        known, out = ~is_missing(texts), texts._data.copy()
        if wanted is None or new is None:
            out[_matches(wanted, texts, **options) != 0] = None
        else:
            out[known] = _search(function, wanted, new, texts._data[known], **options)
        return Value("character", out, texts._attributes)

    return substitute


sub = _substitution(patterns.sub, "Replace the first match in each string.")
gsub = _substitution(patterns.gsub, "Replace all matches in each string.")


# ---- paths ---------------------------------------------------------------------------------------


def _of_path(name: str, doc: str, change: Callable[[str], str]) -> Callable[[Value], Value]:
    @r_function(name, doc)
    def change_path(path: Value) -> Value:
        stop_if(path._kind != "character", "a character vector argument expected")
        return _each(bare(path), lambda text: change(text.rstrip("/")))

    return change_path


basename = _of_path("basename", "Return the last part of paths.", os.path.basename)
dirname = _of_path("dirname", "Return paths without their last part.", lambda text: os.path.dirname(text) or ".")


@r_function(classes="any -data.frame")
def file_path(*dots: object, fsep: object = "/") -> Value:
    """Join parts of paths."""
    if not all(len(as_value(item)) for item in dots):
        return strings([])
    return paste(*dots, sep=fsep)


@r_function()
def file_ext(x: Value) -> Value:
    """Return the endings of files."""
    return _each(x, lambda text: os.path.splitext(text)[1].lstrip("."))


@r_function(gives="formula", classes="any formula")
def as_formula(object: Value, env: Item = None) -> Value:
    """Return a text as a formula."""
    refuse_if(object._kind not in ("language", "character"), "as.formula() of other than a text or a formula")
    return object if object._kind == "language" else formula(" ".join(text_of(object).split()))


@r_function(in_order=True, unsupported="dots", certain=True, classes="any formula")
def identical(x: Item, y: Item, *dots: Item) -> Value:
    """Return whether two values are the same in kind, attributes and every bit; NaN are equal to each other."""
    return logicals(are_identical(x, y))
