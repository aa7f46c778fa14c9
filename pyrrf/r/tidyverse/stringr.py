"""stringr: matching, extracting and replacing by patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base import texts
from pyrrf.r.values.arguments import text
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Number, Text, Whole, r_function
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_null
from pyrrf.r.values.labels import dim_of, names_of
from pyrrf.r.values.vector import Value, integers, list_of, logicals, strings

_Found = TypeVar("_Found")
# Syntax shared by ICU and R's own regular expressions.
_COMMON = re.compile(r"(?:[^\\]|\\[dDwWsSb.^$*+?()\[\]{}|/\\-])*", re.DOTALL)
# A class of ICU only: in R's own expressions these are letters and colons.
_SETS = re.compile(r"\\.|(?P<alone>\[:)|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]|.", re.DOTALL)
_NO_BOUNDS = re.compile(r"\{(?!\d+(?:,\d*)?\})")


def _strings(x: Value) -> np.ndarray:
    refuse_if(dim_of(x) is not None or x._kind == "list", "stringr of something other than a vector")
    refuse_if(inherits(x, "POSIXct"), "stringr of times")
    refuse_if(names_of(x) is not None, "stringr of vectors with names")
    return texts.texts_of(x)._data if is_factor(x) or inherits(x, "Date") else coerce(x, "character")._data


@r_function(unsupported="ignore_case")
def fixed(pattern: Value, ignore_case: Flag = False) -> Value:
    """Return a text that is matched literally."""
    return _with_settings(pattern, "fixed", case_insensitive=False)


@r_function(unsupported="multiline comments dotall")
def regex(
    pattern: Value, ignore_case: Flag = False, multiline: Flag = False, comments: Flag = False, dotall: Flag = False
) -> Value:
    """Return a pattern with its settings."""
    return _with_settings(pattern, "regex", case_insensitive=ignore_case, comments=False, dotall=False, multiline=False)


def _with_settings(pattern: Value, kind: str, **settings: bool) -> Value:
    """Return a pattern marked with its kind, as in stringr; a classed pattern loses its class."""
    if pattern._kind != "character" or "class" in pattern._attributes:
        warn("Coercing `pattern` to a plain character vector.")
        pattern = strings(texts.texts_of(pattern)._data)
    options = list_of(map(logicals, settings.values()), settings)
    kinds = strings([f"stringr_{kind}", "stringr_pattern", "character"])
    return Value("character", pattern._data, pattern._attributes | {"options": options, "class": kinds})


def _ignores_case(pattern: Value) -> bool:
    options = pattern._attributes.get("options")
    return options is not None and bool(options._data[0]._data[0])


def _pattern(pattern: Value) -> re.Pattern[str]:
    """Return a compiled pattern; refuse one that ICU may read differently."""
    refuse_if(len(pattern) != 1 or pattern._data[0] is None, "several patterns, or a missing one")
    source, kinds = text(pattern), classes(pattern)
    if "stringr_fixed" in kinds:
        return re.compile(re.escape(source))
    known = {"alnum": "A-Za-z0-9", "alpha": "A-Za-z", "digit": "0-9", "space": r"\s", "upper": "A-Z", "lower": "a-z"}
    plain = re.sub(r"\[:(\w+):\]", lambda m: known.get(m[1], m[0]), source)
    apart = any(match["alone"] for match in _SETS.finditer(source)) or any(
        sign in plain for sign in ("[:", "(?<", "&&", "--", "\\p", "(?i", "(?m")
    )
    if apart or not _COMMON.fullmatch(plain) or not source.isascii() or re.search(r"\[[^\]]*\[", plain):
        raise NotSupportedError(f"the pattern {source!r}")
    if _NO_BOUNDS.search(re.sub(r"\\.|\[[^\]]*\]", "", plain)):
        raise RError(f"Error in {{min,max}} interval of the pattern {source!r}")
    try:
        return re.compile(plain, re.ASCII | (re.IGNORECASE if _ignores_case(pattern) else 0))
    except re.error as error:
        raise RError(f"the pattern {source!r}: {error}") from None


def _ascii_strings(string: Value) -> np.ndarray:
    words = _strings(string)
    refuse_if(any(item is not None and not item.isascii() for item in words), "patterns in strings beyond ASCII")
    return words


def _change_each(string: Value, change: Callable[[str], _Found]) -> list[_Found | None]:
    """Apply a function to each string; None where missing."""
    return [None if item is None else change(item) for item in _ascii_strings(string)]


def _counts(counts: Iterable[float | None]) -> np.ndarray:
    return np.array([np.nan if item is None else item for item in counts], dtype=np.float64)


# ---- found ---------------------------------------------------------------------------------------


def _tester(name: str, test: Callable[[re.Pattern[str], str], object], doc: str) -> Callable[..., Value]:
    def match_strings(string: Value, pattern: Value, negate: Flag = False) -> Value:
        compiled = _pattern(pattern)
        return logicals(_counts(_change_each(string, lambda s: bool(test(compiled, s)) != negate)))

    return r_function(name, doc)(match_strings)


str_detect = _tester("str_detect", re.Pattern.search, "Return which strings hold a match.")
str_starts = _tester("str_starts", re.Pattern.match, "Return which strings begin with a match.")
str_ends = _tester(
    "str_ends", lambda p, s: re.search(f"(?:{p.pattern})\\Z", s, p.flags), "Return which strings end with a match."
)


@r_function()
def str_count(string: Value, pattern: Item = "") -> Value:
    """Count the matches in each string."""
    if text(pattern) == "":
        return str_length(string)
    find = _pattern(pattern).findall
    return integers(_counts(_change_each(string, lambda s: len(find(s)))))


@r_function()
def str_which(string: object, pattern: object, negate: object = False) -> Value:
    """Return the places of strings that hold a match."""
    return integers(np.flatnonzero(str_detect(string, pattern, negate)._data == 1) + 1)


@r_function()
def str_subset(string: Value, pattern: Value, negate: Flag = False) -> Value:
    """Return the strings that hold a match."""
    return Value("character", _strings(string)[str_detect(string, pattern, negate)._data == 1])


@r_function(unsupported="group")
def str_extract(string: Value, pattern: Value, group: object = None) -> Value:
    """Return the first match of each string."""
    search = _pattern(pattern).search
    return strings(_change_each(string, lambda s: None if (match := search(s)) is None else match[0]))


def _as_list(lists: Iterable[list[str] | None]) -> Value:
    return list_of(strings([None] if item is None else item) for item in lists)


@r_function(unsupported="simplify")
def str_extract_all(string: Value, pattern: Value, simplify: Flag = False) -> Value:
    """Return all matches of each string."""
    find = _pattern(pattern).finditer
    return _as_list(_change_each(string, lambda s: [match[0] for match in find(s)]))


# ---- replaced ------------------------------------------------------------------------------------


def _replace(string: Value, pattern: Value, replacement: Value, most: int) -> Value:
    if names_of(pattern) is not None and most == 0:
        for old, text_ in zip(names_of(pattern) or [], pattern._data, strict=True):
            string = _replace(string, strings(str(old)), strings([text_]), 0)
        return string
    refuse_if(len(replacement) != 1 or replacement._data[0] is None, "several replacements, or a missing one")
    new, plain = replacement._data[0], "stringr_fixed" in classes(pattern)
    refuse_if(not plain and ("$" in new or re.search(r"\\[^0-9\\]|\\0", new)), f"the replacement {new!r}")
    replace = _pattern(pattern).sub
    return strings(_change_each(string, lambda s: replace((lambda m: new) if plain else new, s, count=most)))


@r_function()
def str_replace(string: Value, pattern: Value, replacement: Value) -> Value:
    """Replace the first match of each string."""
    return _replace(string, pattern, replacement, 1)


@r_function()
def str_replace_all(string: Value, pattern: Value, replacement: Value | None = None) -> Value:
    """Replace all matches of each string; a vector with names replaces its names one after another."""
    return _replace(string, pattern, strings("") if replacement is None else replacement, 0)


def _remover(name: str, most: int, doc: str) -> Callable[..., Value]:
    @r_function(name, doc)
    def remove(string: Value, pattern: Value) -> Value:
        return _replace(string, pattern, strings(""), most)

    return remove


str_remove = _remover("str_remove", 1, "Take the first match out of each string.")
str_remove_all = _remover("str_remove_all", 0, "Take all matches out of each string.")


@r_function(unsupported="simplify")
def str_split(string: Value, pattern: Value, n: Number = np.inf, simplify: Flag = False) -> Value:
    """Split strings at the matches."""
    refuse_if(n < 2, "str_split() into one piece, or none")
    if text(pattern) == "" and np.isinf(n):
        return _as_list(_change_each(string, list))
    separator = _pattern(pattern)
    refuse_if(separator.groups or separator.match(""), "str_split() by groups, or by what may be empty")
    return _as_list(_change_each(string, lambda s: separator.split(s, maxsplit=0 if np.isinf(n) else int(n) - 1)))


@r_function()
def str_split_fixed(string: Value, pattern: Value, n: Whole) -> Value:
    """Split strings into a matrix of `n` columns."""
    rows = [[*item._data, *[""] * n][:n] for item in str_split(string, pattern, n)._data]
    return strings([row[j] for j in range(n) for row in rows], {"dim": integers([len(rows), n])})


# ---- letters -------------------------------------------------------------------------------------


def _letters(name: str, change: Callable[[str], str], doc: str, beyond: str = "(?!)") -> Callable[..., Value]:
    """Return a function that changes letters, and refuses other characters."""

    def change_letters(string: Value, locale: Text = "en") -> Value:
        if any(s is not None and re.search(beyond, s) for s in _strings(string)):
            raise NotSupportedError(f"{name}() of more than letters and blanks")
        return strings(_change_each(string, change))

    return r_function(name, doc, unsupported="locale")(change_letters)


str_to_lower = _letters("str_to_lower", str.lower, "Return strings in small letters.")
str_to_upper = _letters("str_to_upper", str.upper, "Return strings in capitals.")
_title = partial(re.sub, r"[A-Za-z]+", lambda m: m[0].capitalize())
str_to_title = _letters("str_to_title", _title, "Return strings whose words begin with capitals.", r"[^A-Za-z ,;!?-]")
str_to_sentence = _letters(
    "str_to_sentence", str.capitalize, "Return strings that begin with a capital.", r"[^A-Za-z ,-]|^[^A-Za-z]"
)


@r_function()
def str_trim(string: Value, side: Item = "both") -> Value:
    """Remove blanks at the ends of strings."""
    ways = {"both": str.strip, "left": str.lstrip, "right": str.rstrip}
    return strings(_change_each(string, ways[coerce(side, "character")._data[0]]))


@r_function()
def str_squish(string: Value) -> Value:
    """Remove blanks at the ends of strings, and collapse those within."""
    return strings(_change_each(string, lambda s: re.sub(r"\s+", " ", s).strip()))


@r_function()
def str_length(string: Value) -> Value:
    """Return the number of characters of each string."""
    return integers(_counts(_change_each(string, len)))


@r_function()
def str_sub(string: Value, start: Item = 1, end: Item = -1) -> Value:
    """Return substrings by positions, which may count from the end."""
    parts = [_ascii_strings(string), coerce(start, "double")._data, coerce(end, "double")._data]
    sizes = {len(values) for values in parts} - {1}
    refuse_if(len(sizes) > 1, "str_sub() of vectors of different lengths")
    n = sizes.pop() if sizes else 1
    out: list[str | None] = []
    for s, low, high in zip(*(np.resize(values, n) for values in parts), strict=True):
        if s is None or low != low or high != high:
            out.append(None)
            continue
        first, last = (int(place) + len(s) + 1 if place < 0 else int(place) for place in (low, high))
        out.append(s[max(first, 1) - 1 : max(last, 0)])
    return strings(out)


@r_function()
def str_c(*dots: Value, sep: Text = "", collapse: Text | None = None) -> Value:
    """Join strings; a missing one makes the whole missing."""
    parts = [_strings(item) for item in dots if not is_null(item)]
    sizes = {len(values) for values in parts} - {1}
    stop_if(len(sizes) > 1, "Can't recycle the strings of str_c().")
    n = (sizes.pop() if sizes else 1) if parts else 0
    rows = zip(*(np.resize(values, n) for values in parts), strict=True)
    words = [None if None in row else sep.join(row) for row in rows]
    if collapse is None:
        return strings(words)
    return strings([None if None in words else collapse.join(map(str, words))])


@r_function(unsupported="use_width")
def str_pad(string: Value, width: Whole, side: Item = "left", pad: Text = " ", use_width: Flag = True) -> Value:
    """Fill strings up to a width."""
    stop_if(len(pad) != 1, "`pad` must be a single character.")
    # The right side gets one more of an odd number of fillers.
    ways: dict[str, Callable[[str], str]] = {
        "left": lambda s: s.rjust(width, pad),
        "both": lambda s: s.rjust(len(s) + max(width - len(s), 0) // 2, pad).ljust(width, pad),
    }
    way = ways.get(coerce(side, "character")._data[0], lambda s: s.ljust(width, pad))
    return strings(_change_each(string, way))


@r_function()
def str_dup(string: Value, times: Whole) -> Value:
    """Repeat strings."""
    return strings(_change_each(string, lambda s: s * times))


@r_function(unsupported="end")
def word(string: Value, start: Whole = 1, end: object = None, sep: Text = " ") -> Value:
    """Return one word of each string."""

    def one_of(s: str) -> str | None:
        parts = s.split(sep)
        place = start - 1 if start > 0 else len(parts) + start
        return parts[place] if 0 <= place < len(parts) else None

    return strings(_change_each(string, one_of))
