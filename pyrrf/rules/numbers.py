"""Numbers that go through R's text and back: the text of a rule is what inTrees computes with."""

from __future__ import annotations

import math

import numpy as np

from pyrrf.rbase.numbers import number_text, read_number, read_numbers
from pyrrf.types import Floats

# Digits that R writes, and more than a double can need.
_WRITTEN, _MOST_DIGITS = 15, 25


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
