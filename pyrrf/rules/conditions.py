"""The text of a rule, as inTrees writes it: pieces such as ``X[,3]<=2.45``, joined by `` & ``; columns count from 1."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pyrrf.errors import bad
from pyrrf.rbase.numbers import number_text, read_number, read_numbers
from pyrrf.types import Floats

AND = " & "
# Digits that R writes, and more than a double can need.
_WRITTEN, _MOST_DIGITS = 15, 25
# The rule that holds for every row: the last one of a learner.
ALWAYS = "X[,1]==X[,1]"
_COLUMN = re.compile(r"X\[,(\d+(?:e\+\d+)?)\]")
_ANY = r"X\[,[\de+]+\]"
_COMPARED = re.compile(rf"{_ANY}(<=|>)([-+.\deE]+|-?Inf)|\({_ANY}(<=|>)([-+.\deE]+|-?Inf)\|is\.na\({_ANY}\)\)")
_IS_MISSING = re.compile(rf"(!?)is\.na\({_ANY}\)")
_AMONG = re.compile(rf"{_ANY} %in% c\((.*)\)", re.DOTALL)
_LEVEL = re.compile(r"'((?:[^'\\]|\\.)*)'|NA", re.DOTALL)
# Pieces of a rule that has levels, which may hold anything.
_QUOTED = re.compile(r"(?:'(?:[^'\\]|\\.)*'|(?! & ).)+", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True)
class Piece:
    """Condition on one column: a piece of a rule."""

    column: int  # position from 0; -1 for the piece that always holds
    sign: str  # {"<=", ">", "in", "known", "missing", "always"}
    number: float = 0.0  # for "<=" and ">"
    levels: frozenset[str] = frozenset()  # for "in"
    missing: bool = False  # whether it holds for missing values, too


@lru_cache(maxsize=2**16)
def column_text(position: int) -> str:
    """Return the text of a column, counted from 0; R writes its number 100000 as 1e+05."""
    return f"X[,{number_text(position + 1.0)}]"


def among(position: int, levels: Iterable[str], missing: bool = False) -> str:
    """Return the piece that asks whether a column has one of some levels; without any it never holds."""
    quoted = ["'" + level.replace("\\", "\\\\").replace("'", "\\'") + "'" for level in levels]
    return f"{column_text(position)} %in% c({','.join(quoted + ['NA'] * missing or [repr('')])})"


def pieces(condition: str) -> list[str]:
    """Split a rule into its pieces.

    Examples
    --------
    >>> from pyrrf.rules.conditions import pieces
    >>> pieces("X[,3]>2.45 & X[,4] %in% c('a & b')")
    ['X[,3]>2.45', "X[,4] %in% c('a & b')"]
    """
    if "'" not in condition:
        return condition.split(AND)
    return [piece.removeprefix("& ").strip() for piece in _QUOTED.findall(condition)]


@lru_cache(maxsize=2**17)
def read_piece(text: str) -> Piece:
    """Parse a piece of a rule."""
    if text == ALWAYS:
        return Piece(-1, "always")
    column = _COLUMN.search(text)
    position = int(float(column[1])) - 1 if column else -1
    if compared := _COMPARED.fullmatch(text):
        sign, number = compared[1] or compared[3], read_number(compared[2] or compared[4])
        if number is not None:
            return Piece(position, sign, number=number, missing=text.startswith("("))
    if known := _IS_MISSING.fullmatch(text):
        return Piece(position, "known" if known[1] else "missing")
    if listed := _AMONG.fullmatch(text):
        return _among(position, listed[1])
    raise bad.format(
        f"the condition {text!r} is not one that extractRules() writes; pass rules as they were before presentRules()",
        None,
    )


def _among(position: int, listed: str) -> Piece:
    """Return the piece that a list of levels in quotes asks."""
    levels = [match[1] for match in _LEVEL.finditer(listed)]
    texts = frozenset(_ESCAPED.sub(r"\1", level) for level in levels if level is not None)
    return Piece(position, "in", levels=texts, missing=None in levels)


# ---- numbers that go through R's text and back: the text of a rule is what inTrees computes with ---------------


def exact_text(value: float) -> str:
    """Return a number as R does, in up to 15 digits, with more digits where R does not read it back from them."""
    text = number_text(value)
    if not math.isfinite(value) or read_number(text) == value:
        return text
    longer = (f"{value:.{digits}g}" for digits in range(_WRITTEN + 1, _MOST_DIGITS))
    return next((text for text in longer if read_number(text) == value), repr(value))


def through_text(values: Floats) -> Floats:
    """Return numbers as they come back from R's text: rounded to 15 digits."""
    distinct, place = np.unique(values, return_inverse=True)
    back, _ = read_numbers([number_text(value) for value in distinct.tolist()])
    return back[place]
