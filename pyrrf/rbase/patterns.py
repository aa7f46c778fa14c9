"""Strings searched, replaced, split, cut and counted as R does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from pyrrf.errors import bad
from pyrrf.rbase.regex import compile_regex

Texts = Iterable[str | None]


def _array(items: list[str | None]) -> np.ndarray:
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


def grepl(pattern: str, x: Texts, ignore_case: bool = False, perl: bool = False, fixed: bool = False) -> np.ndarray:
    """Say which strings hold a match (R's ``grepl``)."""
    regex = compile_regex(pattern, fixed, perl, ignore_case, False)
    return np.array([text is not None and regex.search(text) is not None for text in x], dtype=bool)


def sub(
    pattern: str, replacement: str, x: Texts, ignore_case: bool = False, perl: bool = False, fixed: bool = False
) -> np.ndarray:
    """Replace the first match in each string (R's ``sub``)."""
    return _replace(pattern, replacement, x, (ignore_case, perl, fixed), False)


def gsub(
    pattern: str, replacement: str, x: Texts, ignore_case: bool = False, perl: bool = False, fixed: bool = False
) -> np.ndarray:
    """Replace all matches in each string (R's ``gsub``)."""
    return _replace(pattern, replacement, x, (ignore_case, perl, fixed), True)


def _replace(pattern: str, replacement: str, x: Texts, how: tuple[bool, bool, bool], every: bool) -> np.ndarray:
    ignore, perl, fixed = how
    if fixed and not pattern:
        raise bad.empty("pattern is empty with fixed=True; pass the text to be replaced")
    regex = compile_regex(pattern, fixed, perl, ignore, True)
    later = regex if perl or fixed else compile_regex(pattern, fixed, perl, ignore, True, True)
    new: Callable[[re.Match[str]], str] = (lambda _: replacement) if fixed else _filler(replacement, perl)
    return _array([None if t is None else _with_new(t, new, (regex, later), perl, every) for t in x])


def _with_new(
    text: str,
    new: Callable[[re.Match[str]], str],
    regexes: tuple[re.Pattern[str], re.Pattern[str]],
    perl: bool,
    all_: bool,
) -> str:
    """Return a text with its first match replaced, or all; TRE sees the rest of a text as a text of its own."""
    out, position, last = "", 0, -1
    while position <= len(text):
        base = 0 if perl else position
        match = regexes[position > 0].search(text[base:], position - base)
        if match is None:
            break
        start, end = match.start() + base, match.end() + base
        out += text[position:start]
        # Nothing at the end of a match is no match.
        out += new(match) if end > last else ""
        step = int(start == end and all_)
        out += text[end : end + step]
        position, last = end + step, end
        if not all_ or (end >= len(text)):
            break
    return out + text[position:]


def _filler(replacement: str, perl: bool) -> Callable[[re.Match[str]], str]:
    pieces = re.findall(r"\\(.)|([^\\]+)", replacement, flags=re.S)

    def fill(match: re.Match[str]) -> str:
        out, case = "", ""
        for code, plain in pieces:
            if perl and code in ("U", "L", "E"):
                case = code
                continue
            text = plain if plain else _group(match, int(code)) if code and code in "123456789" else code
            out += text.upper() if case == "U" else text.lower() if case == "L" else text
        return out

    return fill


def _group(match: re.Match[str], number: int) -> str:
    """Return the text of a group, nothing where there is no such group."""
    return (match[number] or "") if number <= (match.re.groups or 0) else ""


def strsplit(x: Texts, split: str, fixed: bool = False, perl: bool = False) -> list[np.ndarray]:
    """Split strings (R's ``strsplit``)."""
    regex, given = compile_regex(split, fixed, perl, False, True), list(x)
    plain = all(text is None or text.isascii() for text in given)
    return [_array(_pieces(regex if split else None, text, plain)) for text in given]


def _pieces(regex: re.Pattern[str] | None, text: str | None, plain: bool) -> list[str | None]:
    if text is None or regex is None:
        return [None] if text is None else list(text)
    pieces: list[str | None] = []
    while text:
        match = regex.search(text)
        start, end = match.span() if match else (len(text), len(text))
        if not end:
            # A match of nothing cuts one character off.
            start = end = 1
            if not plain:
                raise bad.unsupported(
                    "split matches nothing at all, where R loses non-ASCII characters; pass '' for letters"
                )
        pieces.append(text[:start])
        text = text[end:]
    return pieces


def _upper(letter: str) -> str:
    """Return the capital of a letter where that is one letter; of some Greek ones, that of titles."""
    return next(capital for capital in (letter.upper(), letter.title(), letter) if len(capital) == 1)


def _letter_by_letter(x: Texts, change: Callable[[str], str]) -> np.ndarray:
    return _array([None if text is None else "".join(map(change, text)) for text in x])


def toupper(x: Texts) -> np.ndarray:
    """Return strings in upper case (R's ``toupper``)."""
    return _letter_by_letter(x, _upper)


def tolower(x: Texts) -> np.ndarray:
    """Return strings in lower case (R's ``tolower``)."""
    return _letter_by_letter(x, lambda c: c.lower()[0])
