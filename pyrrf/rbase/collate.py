"""The order of strings: by code point, or by the rules that R takes in a UTF-8 locale.

R sorts strings, and so the levels of a factor, by the locale: by code point in the locale C, otherwise by
ICU where R was built with it. ICU's rules for en_US and for C.UTF-8 are the root order of the Unicode
Common Locale Data Repository (UTS 10 and 35), of which `_ORDER` and the tables below are the part for
Latin letters, in three levels: letters first, then accents, then case.
"""

from __future__ import annotations

import contextvars
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import check_text, choice, quote, warn
from pyrrf.errors import bad
from pyrrf.types import Ints

COLLATIONS = ("C", "en_US")


class LabelOrderError(ValueError):
    """The order of labels in a locale is not known here."""


class LabelOrderWarning(UserWarning):
    """The order of string labels, and so the answer, depends on the locale that R runs in.

    Examples
    --------
    >>> import warnings
    >>> import pyrrf
    >>> x, y = [[1.0], [2.0], [3.0]], ["a", "B", "c"]
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     fit = pyrrf.RRF(x, y, ntree=1, seed=1)
    >>> [warning.category.__name__ for warning in caught], fit.classes
    (['LabelOrderWarning'], ['B', 'a', 'c'])
    >>> pyrrf.RRF(x, y, ntree=1, seed=1, collate="en_US").classes
    ['a', 'B', 'c']
    """


# ---- ICU's root order ----------------------------------------------------------------------------

# First level. A capital and an accented letter count as the plain letter here.
_ORDER = (
    "\t\n\v\f\r _-\u2010\u2012\u2013\u2014\u2015,;:!\u00a1?\u00bf.\u00b7'\u2018\u2019\u201a\u201b\u2039\u203a"
    '"\u201c\u201d\u201e\u00ab\u00bb()[]{}\u00a7\u00b6@*/\\&#%\u2030\u2020\u2021\u2022`\u00b4^\u00af\u00a8\u00b8\u00b0'
    "\u00a9\u00ae+\u00b1\u00f7\u00d7<=>\u00ac|\u00a6~\u2212\u00a4\u00a2$\u00a3\u00a5\u20ac0123456789"
    "abcdef\u0192ghi\u0131jklmn\u014bopq\u0138rst\u0167uvwxyz\u00fe\u00b5"
)
# Second level: combining accents, then the marks of UTS 10 for letters that do not decompose.
_MARKS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0327\u0335\u0328\u0304"
_PLAIN, _JOINED = 0, 100
# Letters with a stroke are letters with an accent; these two marks are in one place.
_STROKED = {"\u00f8": "o", "\u0111": "d", "\u0127": "h", "\u0142": "l"}
_LIGATURES = {"\u00e6": "ae", "\u0153": "oe", "\u00df": "ss"}
_ETH = "\u00f0"
# Third level: small before capital before raised.
_SMALL, _CAPITAL, _RAISED = 0, 1, 2
_RAISED_AS = {"\u00aa": "a", "\u00ba": "o", "\u00b9": "1", "\u00b2": "2", "\u00b3": "3", "\u00a0": " "}

# One element of a key: weights of the three levels; None is left out.
_Element = tuple[int | None, int | None, int]


def _elements(letter: str) -> list[_Element] | None:
    """Return the weights of a character; None if it is not in the tables."""
    small = letter.lower()
    if letter in _RAISED_AS:
        return [(_ORDER.index(_RAISED_AS[letter]), _PLAIN, _RAISED)]
    case = _SMALL if letter == small else _CAPITAL
    if small in _LIGATURES:
        first, second = (_ORDER.index(component) for component in _LIGATURES[small])
        return [(first, _PLAIN, case), (None, _JOINED, case), (second, _PLAIN, case)]
    if small in _STROKED:
        return [(_ORDER.index(_STROKED[small]), _PLAIN, case), (None, 1 + _MARKS.index("\u0335"), _SMALL)]
    if small == _ETH:
        return [(_ORDER.index("d"), _PLAIN, case), (None, _JOINED, case)]
    base, *marks = list(unicodedata.normalize("NFD", letter))
    if base.lower() not in _ORDER or any(mark not in _MARKS for mark in marks):
        return None
    return [(_ORDER.index(base.lower()), _PLAIN, case), *((None, 1 + _MARKS.index(mark), _SMALL) for mark in marks)]


_ELEMENTS: dict[str, list[_Element] | None] = {}


def icu_key(text: str) -> tuple[tuple[int, ...], ...] | None:
    """Return a key that sorts strings as ICU does; None for a string with a character beyond Latin letters.

    Examples
    --------
    >>> from pyrrf.rbase.collate import icu_key
    >>> sorted(["Tumor", "normal", "Normal"], key=icu_key)
    ['normal', 'Normal', 'Tumor']
    """
    weights: list[_Element] = []
    for letter in unicodedata.normalize("NFC", text):
        if letter not in _ELEMENTS:
            _ELEMENTS[letter] = _elements(letter)
        elements = _ELEMENTS[letter]
        if elements is None:
            return None
        weights += elements
    first = tuple(element[0] for element in weights if element[0] is not None)
    second = tuple(element[1] for element in weights if element[1] is not None)
    return first, second, tuple(element[2] for element in weights)


# ---- which order holds ---------------------------------------------------------------------------

_process: list[str | None] = [None]
_ASKED: list[Callable[[], object]] = []
_call: contextvars.ContextVar[str | None] = contextvars.ContextVar("collate", default=None)


def set_collate(collate: str | None) -> str | None:
    """Choose the order of string labels for the process (R's ``Sys.setlocale("LC_COLLATE", ...)``).

    Parameters
    ----------
    collate : {"C", "en_US"} or None
        "C" sorts by code point, as R does with ``LC_COLLATE=C``. "en_US" sorts as R does in en_US.UTF-8, in
        C.UTF-8 and in German, where it uses ICU: "normal" before "Tumor". None, with which a process begins, sorts by
        code point and warns where the two differ.

    Returns
    -------
    str or None
        What held before.

    Raises
    ------
    ValueError
        `collate` is another value.

    Notes
    -----
    A process that is spawned, as joblib's workers are, begins with None; say it there, too, or in the call.

    Examples
    --------
    >>> import pyrrf
    >>> before = pyrrf.set_collate("en_US")
    >>> pyrrf.set_collate(before)
    'en_US'
    """
    before = _process[0]
    _process[0] = _check_order(collate)
    return before


def ask_for_collate(ask: Callable[[], object]) -> None:
    """Let a function call `set_collate`, if it can, when the order of strings matters and nobody has chosen one."""
    _ASKED[:] = [ask]


@contextmanager
def collating(collate: str | None) -> Iterator[None]:
    """Let an order of strings hold inside the block; None leaves the one at hand."""
    token = _call.set(_check_order(collate) or _call.get())
    try:
        yield
    finally:
        _call.reset(token)


def _check_order(collate: Any) -> str | None:
    return None if collate is None else choice(collate, "collate", COLLATIONS)


def sorted_strings(strings: Sequence[str], name: str) -> list[str]:
    """Return distinct strings in the order that holds; those that ICU finds equal keep theirs.

    Parameters
    ----------
    strings : sequence of str
    name : str
        What messages call them.

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        A string has a character whose place in en_US is not known here.

    Warns
    -----
    LabelOrderWarning
        Nobody chose an order, and R's depends on the locale.
    """
    by_code = sorted(strings)
    chosen = _call.get() or _process[0]
    if chosen == "C" or len(by_code) < 2 or _is_plain(by_code):
        return by_code
    keys = {text: icu_key(text) for text in strings}
    unknown = [text for text, key in keys.items() if key is None]
    if chosen == "en_US":
        if unknown:
            raise bad.text(
                f"{name} has labels with characters whose order in en_US is not known here: {quote(unknown, 6)}; "
                "pass a pd.Categorical with the categories in their order",
                kind=LabelOrderError,
            )
        return sorted(strings, key=lambda text: keys[text] or ())
    by_icu = None if unknown else sorted(strings, key=lambda text: keys[text] or ())
    if by_icu != by_code:
        if _ASKED:
            _ASKED.pop()()
            return sorted_strings(strings, name)
        _warn_of_order(name, by_code, by_icu)
    return by_code


def coded_strings(values: Any, name: str) -> tuple[Ints, list[str]]:
    """Return the place of each string among the distinct ones, from 0, and these in their order.

    Parameters
    ----------
    values : array_like of str, shape (n,)
    name : str
        What messages call them.

    Returns
    -------
    codes : ndarray of int32, shape (n,)
        -1 where a value is missing.
    levels : list of str

    Raises
    ------
    ValueError
        As for `sorted_strings`; a text holds half of a letter.
    """
    codes, uniques = pd.factorize(np.asarray(values, dtype=object))
    texts = [str(text) for text in uniques]
    check_text(texts, name)
    levels = sorted_strings(texts, name)
    place = {text: code for code, text in enumerate(levels)}
    ranks = np.array([place[text] for text in texts] + [-1], dtype=np.int32)
    return ranks[codes], levels


def _is_plain(strings: list[str]) -> bool:
    """Return whether strings are of small letters or of digits alone, which both orders sort alike."""
    joined = "".join(strings)
    return joined.isascii() and joined.isalnum() and joined == joined.lower()


def _warn_of_order(name: str, by_code: list[str], by_icu: list[str] | None) -> None:
    """Warn of labels whose order depends on the locale."""
    theirs = "in others it may have another" if by_icu is None else f"in en_US and C.UTF-8 {quote(by_icu, 6)}"
    levels = by_code if by_icu is None else by_icu
    warn(
        f"{name}: the order of its labels depends on the locale that R runs in: in C it is {quote(by_code, 6)}, "
        f"as here, {theirs}; pass a pd.Categorical with the categories in your order, such as [{quote(levels, 6)}], or "
        "collate='C' or 'en_US' to the call, or call pyrrf.set_collate() once",
        LabelOrderWarning,
    )
