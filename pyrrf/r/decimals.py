"""Numbers read from text as R reads them: digits in long double, scaled by a power of ten, then rounded.

Python takes the double that is nearest to the text; R rounds twice, and of short texts, such as 0.002877, about one in
4,000 comes out beside it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from pyrrf.r import extended
from pyrrf.r.extended import EXTENDED

_DECIMAL = re.compile(r"\s*([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d*))?\s*", re.ASCII)
_HEXADECIMAL = re.compile(r"\s*([+-]?)(0[xX][0-9a-fA-F]+)(?:[pP]([+-]?\d*))?\s*", re.ASCII)
_SPECIAL = re.compile(r"\s*([+-]?)(nan|inf|infinity)\s*|\s*NA\s*", re.IGNORECASE | re.ASCII)
_LARGEST = EXTENDED(np.finfo(np.float64).max)
# Whole numbers below this are exact in long double.
_EXACT = 2 ** min(64, int(np.finfo(EXTENDED).nmant) + 1)
# R reads no more of an exponent.
_MOST = 99999
# From here on R divides digit by digit first, so that the number does not become 0 on the way.
_TINY, _SMALL = -300, -307


def read_number(text: str) -> float | None:
    """Return the number that R reads from a text, None where the text is none.

    Parameters
    ----------
    text : str

    Returns
    -------
    float or None

    Examples
    --------
    >>> from pyrrf.r.decimals import read_number
    >>> read_number("0.002877"), read_number("2.45"), read_number("ill")
    (0.0028770000000000002, 2.45, None)
    """
    values, found = read_numbers([text])
    return float(values[0]) if found[0] else None


def read_numbers(texts: Sequence[str | None]) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers that R reads from texts (R's ``R_strtod``).

    Parameters
    ----------
    texts : sequence of str or None
        Blanks around a number do not count.

    Returns
    -------
    values : ndarray of float64, shape (n,)
        NaN where a text is NA, NaN or no number.
    found : ndarray of bool, shape (n,)
        False where a text is no number; NA is one.
    """
    extended.check()
    values, found = np.full(len(texts), math.nan), np.ones(len(texts), dtype=bool)
    plain: list[tuple[int, int, int, float]] = []
    for at, text in enumerate(texts):
        match = _DECIMAL.fullmatch(text) if text is not None else None
        sign, whole, decimals, exponent = match.groups() if match else ("", "", "", None)
        digits = whole + decimals
        if not digits:
            values[at], found[at] = _unusual(text)
            continue
        mantissa, power = int(digits), -len(decimals) + (_exponent(exponent) if exponent else 0)
        factor = -1.0 if sign == "-" else 1.0
        if mantissa >= _EXACT or power + len(digits) < _TINY:
            values[at] = factor * _in_steps(digits, power)
        else:
            plain.append((at, mantissa, power, factor))
    if plain:
        places, mantissas, powers, factors = zip(*plain, strict=True)
        exact = np.array(mantissas, dtype=np.uint64).astype(EXTENDED)
        values[list(places)] = np.array(factors) * _scaled(exact, np.array(powers))
    return values, found


def _exponent(text: str | None) -> int:
    """Return what stands behind an e; nothing, or a sign alone, counts as 0."""
    digits = text.lstrip("+-") if text else ""
    size = min(int(digits), _MOST) if digits else 0
    return -size if text and text[0] == "-" else size


def _unusual(text: str | None) -> tuple[float, bool]:
    """Return Inf, NaN, NA and hexadecimal numbers, and whether it is one of them."""
    if text is None:
        return math.nan, True
    if match := _SPECIAL.fullmatch(text):
        size = math.inf if (match[2] or "").lower().startswith("inf") else math.nan
        return (-size if match[1] == "-" else size), True
    if match := _HEXADECIMAL.fullmatch(text):
        size = _times_power_of_two(float(int(match[2], 16)), _exponent(match[3]))
        return (-size if match[1] == "-" else size), True
    return math.nan, False


def _times_power_of_two(size: float, power: int) -> float:
    """Return a number times 2^power; from 2^1024 on the power itself is infinite in R."""
    if abs(power) < 1024:
        return math.ldexp(size, power) if size < 2.0 ** (1023 - max(power, 0)) else math.inf
    return math.inf if power > 0 and size else 0.0


def _power(n: int) -> np.longdouble:
    """Return 10^n by squaring; exact up to 10^27 in 80 bits."""
    out, square = EXTENDED(1), EXTENDED(10)
    with np.errstate(over="ignore"):
        while n:
            out = out * square if n & 1 else out
            square, n = square * square, n >> 1
    return out


def _scaled(mantissas: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Return mantissas times powers of ten, rounded to float64."""
    out = mantissas.copy()
    with np.errstate(all="ignore"):
        for power in np.unique(powers[mantissas != 0]).tolist():
            at = powers == power
            if power < _SMALL:
                out[at] *= EXTENDED(1) / _power(-power)
            elif power < 0:
                out[at] /= _power(-power)
            else:
                out[at] *= _power(power)
        out[mantissas == 0] = 0.0
        return np.asarray(np.where(out > _LARGEST, math.inf, out.astype(np.float64)))


def _in_steps(digits: str, power: int) -> float:
    """Return a number of many digits, or near the smallest double, as R brings it together digit by digit."""
    value = EXTENDED(0)
    for digit in digits:
        value = value * 10 + EXTENDED(int(digit))
    if power + len(digits) < _TINY:
        for _ in digits:
            value = value / 10
        power += len(digits)
    return float(_scaled(np.array([value]), np.array([power]))[0])
