"""Strings searched, replaced, split, cut and counted as R does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.regex import compiled
from pyrrf.rbase.text import texts
from pyrrf.rbase.vectors import atomic, labelled


def _strings(x: Any) -> list[str | None]:
    return texts(labelled(x))


def _answer(x: Any, found: list[Any]) -> Any:
    if np.ndim(x) == 0:
        return found[0]
    out = np.empty(len(found), dtype=object)
    out[:] = found
    return out


def grepl(pattern: str, x: Any, ignore_case: bool = False, perl: bool = False, fixed: bool = False) -> Any:
    """Say which strings hold a match (R's ``grepl``).

    Parameters
    ----------
    pattern : str
        A regular expression of R.
    x : str or array_like
        A factor counts by its labels.
    ignore_case, perl, fixed : bool, default False

    Returns
    -------
    bool or ndarray of bool

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.grepl("^gene[.]", ["gene.a", "age"]).tolist()
    [True, False]
    """
    found = compiled(pattern, fixed, perl, ignore_case, False)
    answers = [text is not None and found.search(text) is not None for text in _strings(x)]
    return answers[0] if np.ndim(x) == 0 else np.array(answers, dtype=bool)


def grep(
    pattern: str, x: Any, ignore_case: bool = False, perl: bool = False, value: bool = False, fixed: bool = False
) -> np.ndarray:
    """Return where the strings are that hold a match (R's ``grep``).

    Parameters
    ----------
    pattern : str
    x : array_like
    ignore_case, perl : bool, default False
    value : bool, default False
        Return the strings.
    fixed : bool, default False

    Returns
    -------
    ndarray
        Positions, from 0; the strings with `value`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.grep("a", ["age", "bmi", "beta"]), r.grep("m", ["age", "bmi"], value=True).tolist()
    (array([0, 2]), ['bmi'])
    """
    places = np.flatnonzero(np.atleast_1d(grepl(pattern, x, ignore_case, perl, fixed)))
    return np.array(_strings(x), dtype=object)[places] if value else places


def sub(
    pattern: str, replacement: str, x: Any, ignore_case: bool = False, perl: bool = False, fixed: bool = False
) -> Any:
    r"""Replace the first match in each string (R's ``sub``).

    Parameters
    ----------
    pattern : str
    replacement : str
        ``\1`` is the first group; with `perl` ``\U`` and ``\L`` begin upper and lower case.
    x : str or array_like
    ignore_case, perl, fixed : bool, default False

    Returns
    -------
    str or ndarray of object

    Raises
    ------
    ValueError
        Alternatives overlap; R takes the longest and Python the first.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sub("([a-z]+)_([0-9]+)", r"\2-\1", "gene_12")
    '12-gene'
    """
    return _replaced(pattern, replacement, x, (ignore_case, perl, fixed), False)


def gsub(
    pattern: str, replacement: str, x: Any, ignore_case: bool = False, perl: bool = False, fixed: bool = False
) -> Any:
    r"""Replace all matches in each string (R's ``gsub``).

    Parameters
    ----------
    pattern : str
    replacement : str
        As for `sub`.
    x : str or array_like
    ignore_case, perl, fixed : bool, default False

    Returns
    -------
    str or ndarray of object

    Raises
    ------
    ValueError
        As for `sub`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.gsub("[^a-z]+", "_", ["a.b", "c  d"]).tolist()
    ['a_b', 'c_d']
    """
    return _replaced(pattern, replacement, x, (ignore_case, perl, fixed), True)


def _replaced(pattern: str, replacement: str, x: Any, how: tuple[bool, bool, bool], every: bool) -> Any:
    ignore, perl, fixed = how
    if fixed and not pattern:
        raise ValueError("pattern is empty with fixed=True; pass the text to be replaced")
    found = compiled(pattern, fixed, perl, ignore, True)
    later = found if perl or fixed else compiled(pattern, fixed, perl, ignore, True, True)
    new: Callable[[re.Match[str]], str] = (lambda _: replacement) if fixed else _filler(replacement, perl)
    return _answer(x, [None if t is None else _with_new(t, new, (found, later), perl, every) for t in _strings(x)])


def _with_new(
    text: str,
    new: Callable[[re.Match[str]], str],
    found: tuple[re.Pattern[str], re.Pattern[str]],
    perl: bool,
    all_: bool,
) -> str:
    """Return a text with its first match replaced, or all; TRE sees the rest of a text as a text of its own."""
    out, at, last = "", 0, -1
    while at <= len(text):
        base = 0 if perl else at
        match = found[at > 0].search(text[base:], at - base)
        if match is None:
            break
        start, end = match.start() + base, match.end() + base
        out += text[at:start]
        # Nothing at the end of a match is no match.
        out += new(match) if end > last else ""
        step = int(start == end and all_)
        out += text[end : end + step]
        at, last = end + step, end
        if not all_ or (end >= len(text)):
            break
    return out + text[at:]


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
    """Return what a group holds, nothing where there is no such group."""
    return (match[number] or "") if number <= (match.re.groups or 0) else ""


def strsplit(x: Any, split: str, fixed: bool = False, perl: bool = False) -> list[Any]:
    """Split strings (R's ``strsplit``).

    Parameters
    ----------
    x : str or array_like
    split : str
        A regular expression of R; "" splits into characters.
    fixed, perl : bool, default False

    Returns
    -------
    list of ndarray of object
        The pieces of each string; nothing stands after a match at the end, as in R.

    Raises
    ------
    TypeError
        `x` holds no strings.
    ValueError
        Alternatives of `split` overlap, or it matches nothing at all and a string is not ASCII.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> [pieces.tolist() for pieces in r.strsplit(["a,b,", ",c"], ",")]
    [['a', 'b'], ['', 'c']]
    """
    found, given = compiled(split, fixed, perl, False, True), _characters(x)
    plain = all(text is None or text.isascii() for text in given)
    return [np.array(_pieces(found if split else None, text, plain), dtype=object) for text in given]


def _pieces(found: re.Pattern[str] | None, text: str | None, plain: bool) -> list[str | None]:
    if text is None or found is None:
        return [None] if text is None else list(text)
    pieces: list[str | None] = []
    while text:
        match = found.search(text)
        start, end = match.span() if match else (len(text), len(text))
        if not end:
            # A match of nothing cuts one character off.
            start = end = 1
            if not plain:
                raise ValueError("split matches nothing at all, where R loses what is not ASCII; pass '' for letters")
        pieces.append(text[:start])
        text = text[end:]
    return pieces


def nchar(x: Any) -> Any:
    """Count the characters of strings (R's ``nchar``).

    Parameters
    ----------
    x : str or array_like

    Returns
    -------
    int or ndarray of int64, of float64 with NaN where a string is missing

    Raises
    ------
    TypeError
        `x` is a factor.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.nchar(["ab", ""]).tolist()
    [2, 0]
    """
    if isinstance(atomic(x), pd.Categorical):
        raise TypeError("x is a factor; pass as_character(x)")
    return _with_gaps(x, [None if text is None else len(text) for text in _strings(x)], np.int64)


def _with_gaps(x: Any, found: list[Any], kind: type) -> Any:
    """Return answers, NaN among them where there is none."""
    if np.ndim(x) == 0:
        return np.nan if found[0] is None else found[0]
    return np.array(found, dtype=np.float64 if None in found else kind)


def substr(x: Any, start: int, stop: int = 1000000) -> Any:
    """Cut a part out of each string (R's ``substr``, and ``substring`` of single places).

    Parameters
    ----------
    x : str or array_like
    start : int
        The first character, counted from 1.
    stop : int, default 1000000
        The last character.

    Returns
    -------
    str or ndarray of object

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.substr("hello", 2, 3)
    'el'
    """
    first = max(0, int(start) - 1)
    return _answer(x, [None if text is None else text[first : max(0, int(stop))] for text in _strings(x)])


def _upper(letter: str) -> str:
    """Return the capital of a letter where that is one letter; of some Greek ones, that of titles."""
    return next(found for found in (letter.upper(), letter.title(), letter) if len(found) == 1)


def _letter_by_letter(x: Any, change: Callable[[str], str]) -> list[str | None]:
    return [None if text is None else "".join(map(change, text)) for text in _strings(x)]


def toupper(x: Any) -> Any:
    """Return strings in upper case (R's ``toupper``).

    Parameters
    ----------
    x : str or array_like

    Returns
    -------
    str or ndarray of object

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.toupper("gene")
    'GENE'
    """
    return _answer(x, _letter_by_letter(x, _upper))


def tolower(x: Any) -> Any:
    """Return strings in lower case (R's ``tolower``).

    Parameters
    ----------
    x : str or array_like

    Returns
    -------
    str or ndarray of object

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.tolower("GENE")
    'gene'
    """
    return _answer(x, _letter_by_letter(x, lambda c: c.lower()[0]))


def trimws(x: Any) -> Any:
    """Take blanks off both ends of strings (R's ``trimws``).

    Parameters
    ----------
    x : str or array_like

    Returns
    -------
    str or ndarray of object

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.trimws("  a ")
    'a'
    """
    return _answer(x, [None if text is None else text.strip(" \t\r\n") for text in _strings(x)])


def startsWith(x: Any, prefix: str) -> Any:
    """Say which strings begin with another one (R's ``startsWith``).

    Parameters
    ----------
    x : str or array_like
    prefix : str

    Returns
    -------
    bool or ndarray of bool, of float64 with NaN where a string is missing

    Raises
    ------
    TypeError
        `x` holds no strings.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.startsWith(["gene1", "age"], "gene").tolist()
    [True, False]
    """
    return _with_gaps(x, [None if text is None else text.startswith(prefix) for text in _characters(x)], np.bool_)


def _characters(x: Any) -> list[str | None]:
    """Return strings; R takes nothing else here."""
    found = atomic(x)
    if isinstance(found, pd.Categorical) or found.dtype != object:
        raise TypeError("x holds no strings; pass as_character(x)")
    return texts(found)


def endsWith(x: Any, suffix: str) -> Any:
    """Say which strings end with another one (R's ``endsWith``).

    Parameters
    ----------
    x : str or array_like
    suffix : str

    Returns
    -------
    bool or ndarray of bool, of float64 with NaN where a string is missing

    Raises
    ------
    TypeError
        `x` holds no strings.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.endsWith("a.csv", ".csv")
    True
    """
    return _with_gaps(x, [None if text is None else text.endswith(suffix) for text in _characters(x)], np.bool_)
