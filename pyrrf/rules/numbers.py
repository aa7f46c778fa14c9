"""Numbers as R writes, reads and rounds them: the text of a rule is what inTrees computes with."""

from __future__ import annotations

import math

import numpy as np

from pyrrf.types import Floats

# Digits to which as.character() writes a double.
_DIGITS = 15
_EXTENDED = np.longdouble
_SPECIAL = {"Inf": math.inf, "-Inf": -math.inf, "NaN": math.nan, "NA": math.nan}
_SPECIAL_TEXTS = {math.inf: "Inf", -math.inf: "-Inf"}


def as_character(value: float) -> str:
    """Return a number as R's as.character() does: up to 15 digits, scientific where that is narrower.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> from pyrrf.rules.numbers import as_character
    >>> as_character(0.1 + 0.2), as_character(100000.0), as_character(123456.0)
    ('0.3', '1e+05', '123456')
    """
    if math.isnan(value):
        return "NaN"
    if value == 0 or math.isinf(value):
        return _SPECIAL_TEXTS.get(value, "0")
    mantissa, _, power = f"{abs(value):.{_DIGITS - 1}e}".partition("e")
    exponent, digits = int(power), len(mantissa.replace(".", "").rstrip("0"))
    decimals = max(digits - exponent - 1, 0)
    fixed = max(exponent + 1, 1) + decimals + (decimals > 0)
    scientific = (digits > 1) + digits + 3 + (2 if exponent >= 100 or exponent <= -99 else 1)
    return f"{value:.{decimals}f}" if fixed <= scientific else f"{value:.{digits - 1}e}"


def exact_text(value: float) -> str:
    """Return a number as `as_character` does, with more digits where 15 do not read back to it."""
    text = as_character(value)
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
    back = np.array([as_numeric(as_character(value)) for value in distinct.tolist()], dtype=np.float64)
    return np.asarray(back[place])


def round_numbers(values: Floats, digits: int) -> Floats:
    """R's round(): the nearer of the two decimal neighbours, or the even one if both are equally near.

    Parameters
    ----------
    values : ndarray of float64
    digits : int
        Decimals to keep, 0 or more.

    Returns
    -------
    ndarray of float64, shape of `values`
    """
    size = np.abs(values)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        whole = np.where((size > 0) & np.isfinite(size), np.floor(np.log10(size)) + 1, 0.0)
        scale = 10.0 ** min(digits, 300)
        low = np.floor(size * scale)
        below, above = low / scale, np.ceil(size * scale) / scale
        to_below, to_above = size - below, above - size
        down = (to_below < to_above) | ((to_below == to_above) & (low % 2 == 0))
        rounded = np.copysign(np.where(down, below, above), values)
    # A double has no more than 15 digits to round.
    return np.asarray(np.where(np.isfinite(values) & (digits + whole <= _DIGITS), rounded, values))
