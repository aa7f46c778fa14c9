"""Numbers that go through R's text and back: the text of a rule is what inTrees computes with."""

from __future__ import annotations

import math

import numpy as np

from pyrrf.r.text import number_text
from pyrrf.types import Floats

_EXTENDED = np.longdouble
_SPECIAL = {"Inf": math.inf, "-Inf": -math.inf, "NaN": math.nan, "NA": math.nan}


def exact_text(value: float) -> str:
    """Return a number as R does, in up to 15 digits, with more digits where 15 do not read back to it."""
    text = number_text(value)
    return text if math.isnan(value) or float(text.replace("Inf", "inf")) == value else repr(value)


def as_numeric(text: str) -> float:
    """Return the number that R reads from a text: its digits over a power of ten, in long double.

    Parameters
    ----------
    text : str

    Returns
    -------
    float

    Raises
    ------
    ValueError
        The text is no number.

    Examples
    --------
    >>> from pyrrf.rules.numbers import as_numeric
    >>> as_numeric("2.45"), as_numeric("1e-3")
    (2.45, 0.001)
    """
    if text in _SPECIAL:
        return _SPECIAL[text]
    mantissa, _, power = text.lower().lstrip("+-").partition("e")
    whole, _, decimals = mantissa.partition(".")
    digits, exponent = int(whole + decimals), int(power or 0) - len(decimals)
    # Beyond these R scales in several steps; no text that it writes with 15 digits is meant.
    if digits >= 2**53 or abs(exponent) > 27:
        return float(text)
    scale = _EXTENDED(10) ** abs(exponent)
    value = _EXTENDED(digits) * scale if exponent > 0 else _EXTENDED(digits) / scale
    return -float(value) if text.startswith("-") else float(value)


def through_text(values: Floats) -> Floats:
    """Return numbers as they come back from R's text: rounded to 15 digits.

    Parameters
    ----------
    values : ndarray of float64, shape (k,)

    Returns
    -------
    ndarray of float64, shape (k,)
    """
    distinct, place = np.unique(values, return_inverse=True)
    back = np.array([as_numeric(number_text(value)) for value in distinct.tolist()], dtype=np.float64)
    return np.asarray(back[place])
