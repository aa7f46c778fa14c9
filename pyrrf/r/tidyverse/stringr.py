"""stringr: strings found, cut and replaced by patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.base import texts
from pyrrf.r.values.arguments import default_only, flag, number, text
from pyrrf.r.values.attributes import dim_of, is_factor, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, integers, is_null, listed, logicals, strings

# What ICU and R's own expressions have in common.
_COMMON = re.compile(r"(?:[^\\]|\\[dDwWsSb.^$*+?()\[\]{}|/\\-])*", re.DOTALL)


def _strings(x: Any) -> np.ndarray:
    value = as_value(x)
    if not isinstance(value, Value) or dim_of(value) is not None or value._kind == "list":
        raise NotMovedError("stringr of what is no vector")
    if names_of(value) is not None:
        raise NotMovedError("stringr of vectors with names")
    return texts.texts_of(value)._data if is_factor(value) else coerced(value, "character")._data


def fixed(pattern: Any, ignore_case: Any = False) -> Value:
    """Return a text that is no pattern."""
    if flag(ignore_case):
        raise NotMovedError("fixed() without regard to case")
    return Value("character", coerced(pattern, "character")._data, {"class": strings("fixed")})


def regex(
    pattern: Any, ignore_case: Any = False, multiline: Any = False, comments: Any = False, dotall: Any = False
) -> Value:
    """Return a pattern with its settings."""
    if flag(multiline) or flag(comments) or flag(dotall):
        raise NotMovedError("regex() with multiline, comments or dotall")
    kind = "regex_ignoring" if flag(ignore_case) else "regex"
    return Value("character", coerced(pattern, "character")._data, {"class": strings(kind)})


def _pattern(pattern: Any) -> re.Pattern[str]:
    """Return a pattern as Python's.

    Raises
    ------
    NotMovedError
        It may mean something else to ICU.
    """
    value = as_value(pattern)
    if len(value) != 1 or value._data[0] is None:
        raise NotMovedError("several patterns, or a missing one")
    source = text(value)
    kinds = value._attributes["class"]._data if "class" in value._attributes else ["regex"]
    if kinds[0] == "fixed":
        return re.compile(re.escape(source))
    classes = {"alnum": "A-Za-z0-9", "alpha": "A-Za-z", "digit": "0-9", "space": r"\s", "upper": "A-Z", "lower": "a-z"}
    plain = re.sub(r"\[:(\w+):\]", lambda m: classes.get(m[1], m[0]), source)
    punct = any(sign in plain for sign in ("[:", "(?<", "&&", "--", "\\p", "(?i", "(?m"))
    if punct or not _COMMON.fullmatch(plain) or source.isascii() is False or re.search(r"\[[^\]]*\[", plain):
        raise NotMovedError(f"the pattern {source!r}")
    try:
        return re.compile(plain, re.ASCII | (re.IGNORECASE if kinds[0] == "regex_ignoring" else 0))
    except re.error as error:
        raise RError(f"the pattern {source!r}: {error}") from None


def _ascii(found: np.ndarray) -> np.ndarray:
    if any(item is not None and not item.isascii() for item in found):
        raise NotMovedError("patterns in strings beyond ASCII")
    return found


def _each(string: Any, pattern: Any, change: Callable[[re.Pattern[str], str], Any]) -> list[Any]:
    compiled = _pattern(pattern)
    return [None if item is None else change(compiled, item) for item in _ascii(_strings(string))]


# ---- found ---------------------------------------------------------------------------------------


def _flags(found: list[Any]) -> Value:
    return logicals([np.nan if item is None else float(item) for item in found]) if found else logicals([])


def str_detect(string: Any, pattern: Any, negate: Any = False) -> Value:
    """Return which strings hold a match."""
    turned = flag(negate)
    return _flags(_each(string, pattern, lambda p, s: bool(p.search(s)) != turned))


def str_starts(string: Any, pattern: Any, negate: Any = False) -> Value:
    """Return which strings begin with a match."""
    turned = flag(negate)
    return _flags(_each(string, pattern, lambda p, s: bool(p.match(s)) != turned))


def str_ends(string: Any, pattern: Any, negate: Any = False) -> Value:
    """Return which strings end with a match."""
    turned = flag(negate)
    return _flags(_each(string, pattern, lambda p, s: bool(re.search(f"(?:{p.pattern})\\Z", s, p.flags)) != turned))


def str_count(string: Any, pattern: Any = "") -> Value:
    """Return how many matches strings hold."""
    if text(pattern) == "":
        return str_length(string)
    found = _each(string, pattern, lambda p, s: float(len(p.findall(s))))
    return integers([np.nan if item is None else item for item in found]) if found else integers([])


def str_which(string: Any, pattern: Any, negate: Any = False) -> Value:
    """Return the places of strings that hold a match."""
    found = np.flatnonzero(str_detect(string, pattern, negate)._data == 1) + 1.0
    return integers(found) if len(found) else integers([])


def str_subset(string: Any, pattern: Any, negate: Any = False) -> Value:
    """Return the strings that hold a match."""
    return Value("character", _strings(string)[str_detect(string, pattern, negate)._data == 1])


def _first(p: re.Pattern[str], s: str) -> str | None:
    found = p.search(s)
    return None if found is None else found[0]


def str_extract(string: Any, pattern: Any, group: Any = None) -> Value:
    """Return the first match of each string."""
    if group is not None:
        raise NotMovedError("str_extract() of a group")
    return strings(_each(string, pattern, _first))


def str_extract_all(string: Any, pattern: Any, simplify: Any = False) -> Value:
    """Return all matches of each string."""
    if flag(simplify):
        raise NotMovedError("str_extract_all() to a matrix")
    found = _each(string, pattern, lambda p, s: [m[0] for m in p.finditer(s)])
    return listed([strings([None]) if item is None else strings(item) for item in found])


# ---- replaced ------------------------------------------------------------------------------------


def _replaced(string: Any, pattern: Any, replacement: Any, most: int) -> Value:
    value = as_value(pattern)
    if names_of(value) is not None and most == 0:
        made: Value = as_value(string)
        for old, new in zip(names_of(value) or [], value._data, strict=True):
            made = _replaced(made, str(old), new, 0)
        return made
    if not isinstance(as_value(replacement), Value) or len(as_value(replacement)) != 1:
        raise NotMovedError("several replacements, or a function")
    new = as_value(replacement)._data[0]
    if new is None:
        raise NotMovedError("a missing replacement")
    plain = "class" in value._attributes and value._attributes["class"]._data[0] == "fixed"
    if not plain and ("$" in new or re.search(r"\\[^0-9\\]|\\0", new)):
        raise NotMovedError(f"the replacement {new!r}")

    def change(p: re.Pattern[str], s: str) -> str:
        return p.sub((lambda m: new) if plain else new, s, count=most)

    return strings(_each(string, pattern, change))


def str_replace(string: Any, pattern: Any, replacement: Any) -> Value:
    """Replace the first match of each string."""
    return _replaced(string, pattern, replacement, 1)


def str_replace_all(string: Any, pattern: Any, replacement: Any = None) -> Value:
    """Replace all matches of each string; a vector with names replaces its names one after another."""
    return _replaced(string, pattern, "" if is_null(replacement) else replacement, 0)


def str_remove(string: Any, pattern: Any) -> Value:
    """Take the first match out of each string."""
    return _replaced(string, pattern, "", 1)


def str_remove_all(string: Any, pattern: Any) -> Value:
    """Take all matches out of each string."""
    return _replaced(string, pattern, "", 0)


def str_split(string: Any, pattern: Any, n: Any = np.inf, simplify: Any = False) -> Value:
    """Split strings at the matches."""
    most = number(n)
    if flag(simplify) or most < 1:
        raise NotMovedError("str_split() to a matrix")
    if text(pattern) == "":
        return listed([strings([None]) if s is None else strings(list(s)) for s in _ascii(_strings(string))])
    limit = 0 if np.isinf(most) else int(most) - 1
    if not np.isinf(most) and not limit:
        raise NotMovedError("str_split() into one piece")

    def pieces(p: re.Pattern[str], s: str) -> list[str]:
        if p.groups or p.match(""):
            raise NotMovedError("str_split() by groups, or by what may be empty")
        return p.split(s, maxsplit=limit)

    found = _each(string, pattern, pieces)
    return listed([strings([None]) if item is None else strings(item) for item in found])


def str_split_fixed(string: Any, pattern: Any, n: Any) -> Value:
    """Split strings into a matrix of `n` columns."""
    parts = [list(item._data) for item in str_split(string, pattern, n)._data]
    p = int(number(n))
    wide = [(row + [""] * p)[:p] for row in parts]
    flat = [row[j] for j in range(p) for row in wide]
    return strings(flat, {"dim": integers([len(wide), p])})


# ---- letters -------------------------------------------------------------------------------------


def _changed(string: Any, change: Callable[[str], str]) -> Value:
    return strings([None if s is None else change(s) for s in _ascii(_strings(string))])


@default_only("locale")
def str_to_lower(string: Any, locale: Any = "en") -> Value:
    """Return strings in small letters."""
    return _changed(string, str.lower)


@default_only("locale")
def str_to_upper(string: Any, locale: Any = "en") -> Value:
    """Return strings in capitals."""
    return _changed(string, str.upper)


@default_only("locale")
def str_to_title(string: Any, locale: Any = "en") -> Value:
    """Return strings whose words begin with capitals."""

    def title(s: str) -> str:
        return re.sub(r"[A-Za-z0-9']+", lambda m: m[0][:1].upper() + m[0][1:].lower(), s)

    if any(s is not None and re.search(r"[^A-Za-z ,;!?-]", s) for s in _strings(string)):
        raise NotMovedError("str_to_title() of more than letters and blanks")
    return _changed(string, title)


@default_only("locale")
def str_to_sentence(string: Any, locale: Any = "en") -> Value:
    """Return strings that begin with a capital."""
    if any(s is not None and re.search(r"[^A-Za-z ,-]|^[^A-Za-z]", s) for s in _strings(string)):
        raise NotMovedError("str_to_sentence() of several sentences")
    return _changed(string, lambda s: s[:1].upper() + s[1:].lower())


def str_trim(string: Any, side: Any = "both") -> Value:
    """Take blanks off the ends of strings."""
    way = str(coerced(side, "character")._data[0])
    return _changed(string, {"both": str.strip, "left": str.lstrip, "right": str.rstrip}[way])


def str_squish(string: Any) -> Value:
    """Take blanks off the ends of strings, and leave one of several within."""
    return _changed(string, lambda s: re.sub(r"\s+", " ", s).strip())


def str_length(string: Any) -> Value:
    """Return how many characters strings have."""
    found = [np.nan if s is None else float(len(s)) for s in _ascii(_strings(string))]
    return integers(found) if found else integers([])


def str_sub(string: Any, start: Any = 1, end: Any = -1) -> Value:
    """Cut parts out of strings, by places that may count from the end."""
    found = _ascii(_strings(string))
    a, b = coerced(start, "double")._data, coerced(end, "double")._data
    sizes = {len(found), len(a), len(b)} - {1}
    if len(sizes) > 1:
        raise NotMovedError("str_sub() of vectors of different lengths")
    n = sizes.pop() if sizes else 1
    out: list[Any] = []
    for i in range(n):
        s, low, high = found[i % len(found)], a[i % len(a)], b[i % len(b)]
        if s is None or low != low or high != high:
            out.append(None)
            continue
        first = int(low) + len(s) + 1 if low < 0 else int(low)
        last = int(high) + len(s) + 1 if high < 0 else int(high)
        out.append(s[max(first, 1) - 1 : max(last, 0)])
    return strings(out)


def str_c(*dots: Any, sep: Any = "", collapse: Any = None) -> Value:
    """Join strings; a missing one makes the whole missing."""
    parts = [_strings(item) for item in dots if not is_null(as_value(item))]
    sizes = {len(part) for part in parts} - {1}
    if len(sizes) > 1:
        raise RError("Can't recycle the strings of str_c().")
    n = (sizes.pop() if sizes else 1) if parts else 0
    rows = [[part[i % len(part)] for part in parts] for i in range(n)]
    found = [None if any(item is None for item in row) else text(sep).join(row) for row in rows]
    if is_null(collapse):
        return strings(found)
    gap = any(item is None for item in found)
    return strings([None if gap else text(collapse).join(str(item) for item in found)])


@default_only("use_width")
def str_pad(string: Any, width: Any, side: Any = "left", pad: Any = " ", use_width: Any = True) -> Value:
    """Fill strings up to a width."""
    wide, way, letter = int(number(width)), str(coerced(side, "character")._data[0]), text(pad)
    if len(letter) != 1:
        raise RError("`pad` must be a single character.")

    def padded(s: str) -> str:
        missing = max(wide - len(s), 0)
        if way == "both":
            return letter * (missing // 2) + s + letter * (missing - missing // 2)
        return letter * missing + s if way == "left" else s + letter * missing

    return _changed(string, padded)


def str_dup(string: Any, times: Any) -> Value:
    """Repeat strings."""
    return _changed(string, lambda s: s * int(number(times)))


def word(string: Any, start: Any = 1, end: Any = None, sep: Any = " ") -> Value:
    """Return one word of each string."""
    if end is not None:
        raise NotMovedError("word() of several words")
    at = int(number(start))

    def one_of(s: str) -> str | None:
        parts = s.split(text(sep))
        index = at - 1 if at > 0 else len(parts) + at
        return parts[index] if 0 <= index < len(parts) else None

    return strings([None if s is None else one_of(s) for s in _ascii(_strings(string))])
