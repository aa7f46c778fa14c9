"""R's regular expressions: searched, replaced, split; strings cut and counted.

R's own expressions (TRE) differ from Python's in what stands in brackets, and where alternatives overlap. What would
give another answer here is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pyrrf.r.text import texts
from pyrrf.r.vectors import atomic

_CLASSES = {
    "alpha": r"^\W\d_",
    "digit": "0-9",
    "alnum": r"^\W_",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    "xdigit": "0-9A-Fa-f",
}
# Within brackets beside others, where a negated set cannot stand.
_PLAIN = {**_CLASSES, "alpha": "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff"}
_PLAIN["alnum"] = "0-9" + _PLAIN["alpha"]


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """Return a set in brackets as Python writes it, and where it ends; a backslash is a character there."""
    at = start + 1
    out = "["
    if pattern[at : at + 1] == "^":
        out, at = "[^", at + 1
    first = True
    while at < len(pattern) and (pattern[at] != "]" or first):
        found = re.compile(r"\[:(\w+):\]").match(pattern, at)
        if found:
            alone = out == "[" and pattern[found.end() : found.end() + 1] == "]"
            out += (_CLASSES if alone else _PLAIN)[found[1]]
            at = found.end()
        else:
            out += "\\" + pattern[at] if pattern[at] in "\\[]&~|" else pattern[at]
            at += 1
        first = False
    return out + "]", at + 1


@cache
def _compiled(pattern: str, fixed: bool, perl: bool, ignore: bool, parts: bool) -> re.Pattern[str]:
    """Return a pattern of R as one of Python; `parts` if it counts how far a match goes."""
    flags = re.IGNORECASE if ignore else re.NOFLAG
    if fixed:
        return re.compile(re.escape(pattern), flags)
    if perl:
        return re.compile(pattern.replace(r"\h", r"[ \t]"), flags)
    out, at = "", 0
    while at < len(pattern):
        if pattern[at] == "[":
            piece, at = _bracket(pattern, at)
        elif pattern[at] == "\\" and at + 1 < len(pattern):
            piece, at = {"<": r"\b(?=\w)", ">": r"\b(?<=\w)"}.get(pattern[at + 1], pattern[at : at + 2]), at + 2
        else:
            piece, at = pattern[at], at + 1
        out += piece
    if parts and _overlaps(out):
        raise ValueError(
            f"the alternatives of {pattern!r} overlap: R takes the longest, Python the first; put the longer ones "
            "first and pass perl=True on both sides"
        )
    return re.compile(out, flags)


def _overlaps(pattern: str) -> bool:
    """Whether one alternative may be the beginning of another one, so that their order counts."""
    bare = re.sub(r"\[\^?\]?[^\]]*\]", "\0", re.sub(r"\\\W", "_", pattern))
    sides = [group.split("|") for group in re.split(r"[()]", bare)]
    return any(len(group) > 1 and not _apart(group) for group in sides)


def _apart(sides: list[str]) -> bool:
    """Whether of alternatives at most one can match at any place."""
    if len(sides) == 2 and sides[0].startswith("^") and sides[1].endswith("$"):
        return True
    starts = [side[:1] for side in sides]
    if len(set(starts)) == len(starts) and all(start.isalnum() or start in ("_", " ", "-") for start in starts):
        return True
    if len({len(side) for side in sides}) == 1 and not any(re.search(r"[*+?{]", side) for side in sides):
        return True
    plain = all(re.fullmatch(r"[\w \-]+", side) for side in sides)
    return plain and not any(a != b and b.startswith(a) for a in sides for b in sides)


def _strings(x: Any) -> list[str | None]:
    return texts(atomic(x))


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
    found = _compiled(pattern, fixed, perl, ignore_case, False)
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
    return _replaced(pattern, replacement, x, (ignore_case, perl, fixed), 1)


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
        Alternatives overlap, or the pattern matches nothing at all, where R and Python go on differently.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.gsub("[^a-z]+", "_", ["a.b", "c  d"]).tolist()
    ['a_b', 'c_d']
    """
    return _replaced(pattern, replacement, x, (ignore_case, perl, fixed), 0)


def _replaced(pattern: str, replacement: str, x: Any, how: tuple[bool, bool, bool], count: int) -> Any:
    ignore, perl, fixed = how
    found = _compiled(pattern, fixed, perl, ignore, True)
    if count == 0 and replacement and found.match("") and pattern:
        raise ValueError(f"{pattern!r} matches an empty string: R and Python put other replacements there")
    new: str | Callable[[re.Match[str]], str] = (lambda _: replacement) if fixed else _filler(replacement, perl)
    return _answer(x, [None if t is None else found.sub(new, t, count=count) for t in _strings(x)])


def _filler(replacement: str, perl: bool) -> Callable[[re.Match[str]], str]:
    pieces = re.findall(r"\\(.)|([^\\]+)", replacement, flags=re.S)

    def fill(match: re.Match[str]) -> str:
        out, case = "", ""
        for code, plain in pieces:
            if perl and code in ("U", "L", "E"):
                case = code
                continue
            text = plain if plain else (match[int(code)] or "") if code in "123456789" else code
            out += text.upper() if case == "U" else text.lower() if case == "L" else text
        return out

    return fill


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
    ValueError
        `split` matches an empty string.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> [pieces.tolist() for pieces in r.strsplit(["a,b,", ",c"], ",")]
    [['a', 'b'], ['', 'c']]
    """
    found = _compiled(split, fixed, perl, False, True)
    if split and found.match(""):
        raise ValueError(f"{split!r} matches an empty string")
    return [np.array(_pieces(found if split else None, text), dtype=object) for text in _strings(x)]


def _pieces(found: re.Pattern[str] | None, text: str | None) -> list[str | None]:
    if text is None or found is None:
        return [None] if text is None else list(text)
    pieces: list[str | None] = []
    while text:
        match = found.search(text)
        pieces.append(text if match is None else text[: match.start()])
        text = "" if match is None else text[match.end() :]
    return pieces


def nchar(x: Any) -> Any:
    """Count the characters of strings (R's ``nchar``).

    Parameters
    ----------
    x : str or array_like
        2 for a missing one.

    Returns
    -------
    int or ndarray of int64

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.nchar(["ab", ""]).tolist()
    [2, 0]
    """
    sizes = [2 if text is None else len(text) for text in _strings(x)]
    return sizes[0] if np.ndim(x) == 0 else np.array(sizes, dtype=np.int64)


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
    return _answer(x, [None if text is None else text.upper() for text in _strings(x)])


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
    return _answer(x, [None if text is None else text.lower() for text in _strings(x)])


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
    bool or ndarray of bool

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.startsWith(["gene1", "age"], "gene").tolist()
    [True, False]
    """
    answers = [text is not None and text.startswith(prefix) for text in _strings(x)]
    return answers[0] if np.ndim(x) == 0 else np.array(answers, dtype=bool)


def endsWith(x: Any, suffix: str) -> Any:
    """Say which strings end with another one (R's ``endsWith``).

    Parameters
    ----------
    x : str or array_like
    suffix : str

    Returns
    -------
    bool or ndarray of bool

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.endsWith("a.csv", ".csv")
    True
    """
    answers = [text is not None and text.endswith(suffix) for text in _strings(x)]
    return answers[0] if np.ndim(x) == 0 else np.array(answers, dtype=bool)
