"""Numbers as R rounds them, reads them and writes them.

R reads the digits of a number in long double, scales them by a power of ten, and then rounds. Python takes the double
that is nearest to the text; of short texts, such as 0.002877, about one in 4,000 comes out as a neighbour of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import EXTENDED

_quiet = np.errstate(all="ignore")

# ---- rounded: round() and signif(), as they are since R 4.0.0 ------------------------------------

# The largest power of ten of a double, and the digits that a double surely holds.
_LARGEST_POWER = 308
_SURE_DIGITS = 15
_LOG10_2 = 0.301029995663981195213738894724
# signif() leaves a number alone from here on.
_SIGNIFICANT = 22


def power_of_ten(n: int) -> float:
    """Return R's 10^n for whole n: by squaring, so that above 1e22 it is not always the nearest double."""
    out, square, left = 1.0, 10.0, abs(n)
    while left:
        out = out * square if left & 1 else out
        left >>= 1
        square = square * square if left else square
    return 1.0 / out if n < 0 else out


@_quiet
def round(x: ArrayLike, digits: float = 0) -> np.ndarray:
    """Round to decimals (R's ``round``): the nearer of the two neighbours in double, or the even one.

    Below 0 `digits` are tens, hundreds, ...

    >>> round([0.15, 2.675, -0.5, 1.005], 2)
    array([ 0.15,  2.67, -0.5 ,  1.  ])
    """
    return _round_each(np.atleast_1d(np.asarray(x, np.float64)), float(digits)).reshape(np.shape(x))


def _round_each(values: np.ndarray, digits: float) -> np.ndarray:
    if math.isnan(digits):
        return values + digits
    if digits > _LARGEST_POWER + _SURE_DIGITS:
        return values
    if digits < -_LARGEST_POWER:
        return np.where(np.isfinite(values) & (values != 0), 0.0, values)
    if digits == 0:
        return np.asarray(np.rint(values))
    places = math.floor(digits + 0.5)
    out = values.copy()
    sizes = np.abs(values)
    exponents = np.frexp(sizes)[1] - 1
    rounds = np.isfinite(values) & (values != 0) & ~(_LOG10_2 * (0.5 + exponents) + places > _SURE_DIGITS)
    out[rounds] = np.copysign(_nearer(sizes[rounds], places), values[rounds])
    return out


def _nearer(sizes: np.ndarray, places: int) -> np.ndarray:
    """Return the nearer decimal of positive numbers; of two equally near ones the even."""
    first, second = power_of_ten(min(places, _LARGEST_POWER)), power_of_ten(max(places - _LARGEST_POWER, 0))
    scaled = sizes * first * second
    low = np.floor(scaled)
    below, above = low / first / second, np.ceil(scaled) / first / second
    to_above, to_below = above - sizes, sizes - below
    up = (to_above < to_below) | ((np.fmod(low, 2.0) == 1) & (to_above == to_below))
    return np.where(up, above, below)


@_quiet
def signif(x: ArrayLike, digits: float = 6) -> np.ndarray:
    """Round to significant digits (R's ``signif``).

    >>> signif([123456.0, 0.00123456], 3)
    array([1.23e+05, 1.23e-03])
    """
    values = np.asarray(x, np.float64)
    if math.isnan(digits):
        return np.asarray(values + digits)
    # C's round() takes halves away from 0.
    places = max(1, math.floor(digits + 0.5)) if math.isfinite(digits) else (_SIGNIFICANT + 1 if digits > 0 else 1)
    if places > _SIGNIFICANT:
        return values
    flat = values.ravel().tolist()
    rounded = [math.copysign(_significant(abs(v), places), v) if v and math.isfinite(v) else v for v in flat]
    return np.array(rounded, dtype=np.float64).reshape(values.shape)


def _significant(size: float, digits: int) -> float:
    log = math.log10(size)
    power = digits - 1 - math.floor(log)
    if abs(log) >= _LARGEST_POWER - 2:
        return _significant_at_the_ends(size, digits, power, log)
    second = power_of_ten(power - _LARGEST_POWER) if power > _LARGEST_POWER else 1.0
    if power > 0:
        first = power_of_ten(min(power, _LARGEST_POWER))
        return float(np.rint(size * first * second)) / first / second
    first = power_of_ten(-power)
    return float(np.rint(size / first)) * first


def _significant_at_the_ends(size: float, digits: int, power: int, log: float) -> float:
    """Round a number near the largest or the smallest double, scaled in two steps."""
    step = digits + (_SIGNIFICANT if power > 0 else -_SIGNIFICANT)
    first, second = np.float64(power_of_ten(step)), np.float64(power_of_ten(power - step))
    scaled = size * first * second
    if _LARGEST_POWER - log >= power_of_ten(-digits):
        scaled += 0.5
    return float(np.floor(scaled) / first / second)


# ---- read ----------------------------------------------------------------------------------------

_DECIMAL = re.compile(r"\s*([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d*))?\s*", re.ASCII)
_HEXADECIMAL = re.compile(r"\s*([+-]?)(0[xX][0-9a-fA-F]+)(?:[pP]([+-]?\d*))?\s*", re.ASCII)
_SPECIAL = re.compile(r"\s*([+-]?)(nan|inf|infinity)\s*|\s*NA\s*", re.IGNORECASE | re.ASCII)
_LARGEST_DOUBLE = EXTENDED(np.finfo(np.float64).max)
# Whole numbers below this are exact in long double.
_EXACT = 2 ** min(64, int(np.finfo(EXTENDED).nmant) + 1)
# R reads no more of an exponent.
_MOST_EXPONENT = 99999
# The leading digits that tell a number which is read in steps.
_MOST_DIGITS = 40
# From here on R divides digit by digit first, so that the number does not become 0 on the way.
_TINY, _SMALL = -300, -307


def read_number(text: str) -> float | None:
    """Return the number that R reads from a text, None if the text is not a number.

    >>> read_number("0.002877"), read_number("2.45"), read_number("ill")
    (0.0028770000000000002, 2.45, None)
    """
    values, is_number = read_numbers([text])
    return float(values[0]) if is_number[0] else None


def read_numbers(texts: Sequence[str | None]) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers that R reads from texts (R's ``R_strtod``), and which texts are numbers.

    Blanks around a number do not count. NaN stands where a text is NA, NaN or no number; NA is a number.
    """
    arithmetic.check()
    values, is_number = np.full(len(texts), math.nan), np.ones(len(texts), dtype=bool)
    plain: list[tuple[int, int, int, float]] = []
    for i, text in enumerate(texts):
        match = _DECIMAL.fullmatch(text) if text is not None else None
        sign, whole, decimals, exponent = match.groups() if match else ("", "", "", None)
        digits = whole + decimals
        if not digits:
            values[i], is_number[i] = _unusual(text)
            continue
        # Python itself refuses to read a number of thousands of digits.
        mantissa = int(digits.lstrip("0")[:_MOST_DIGITS] or "0")
        power = -len(decimals) + (_exponent(exponent) if exponent else 0)
        factor = -1.0 if sign == "-" else 1.0
        if mantissa >= _EXACT or power + len(digits) < _TINY:
            values[i] = factor * _in_steps(digits, power)
        else:
            plain.append((i, mantissa, power, factor))
    if plain:
        places, mantissas, powers, factors = zip(*plain, strict=True)
        exact = np.array(mantissas, dtype=np.uint64).astype(EXTENDED)
        values[list(places)] = np.array(factors) * _scale(exact, np.array(powers))
    return values, is_number


def _exponent(text: str | None) -> int:
    """Return the exponent behind an e; nothing, or a sign alone, counts as 0."""
    digits = text.lstrip("+-") if text else ""
    size = min(int(digits.lstrip("0")[:_MOST_DIGITS] or "0"), _MOST_EXPONENT)
    return -size if text and text[0] == "-" else size


def _unusual(text: str | None) -> tuple[float, bool]:
    """Return Inf, NaN, NA and hexadecimal numbers, and whether it is one of them."""
    if text is None:
        return math.nan, True
    if match := _SPECIAL.fullmatch(text):
        size = math.inf if (match[2] or "").lower().startswith("inf") else math.nan
        return (-size if match[1] == "-" else size), True
    if match := _HEXADECIMAL.fullmatch(text):
        whole = int(match[2], 16)
        size = _times_power_of_two(float(whole) if whole < 2**1023 else math.inf, _exponent(match[3]))
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


def _scale(mantissas: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Return mantissas times powers of ten, rounded to float64."""
    out = mantissas.copy()
    with np.errstate(all="ignore"):
        for power in np.unique(powers[mantissas != 0]).tolist():
            same = powers == power
            if power < _SMALL:
                out[same] *= EXTENDED(1) / _power(-power)
            elif power < 0:
                out[same] /= _power(-power)
            else:
                out[same] *= _power(power)
        out[mantissas == 0] = 0.0
        return np.asarray(np.where(out > _LARGEST_DOUBLE, math.inf, out.astype(np.float64)))


def _in_steps(digits: str, power: int) -> float:
    """Return a number of many digits, or near the smallest double, as R brings it together digit by digit."""
    value = EXTENDED(0)
    with np.errstate(over="ignore"):
        for digit in digits:
            value = value * 10 + EXTENDED(int(digit))
    if power + len(digits) < _TINY:
        for _ in digits:
            value = value / 10
        power += len(digits)
    return float(_scale(np.array([value]), np.array([power]))[0])


# ---- written -------------------------------------------------------------------------------------

# Significant digits of as.character() and paste(), and of print() and cat().
_DIGITS, _SHOWN = 15, 7
# R has powers of ten up to here in a table of doubles, and scales in two steps from the least exponent on.
_TABLE, _LEAST, _STEP = 27, -308, 303
_TEN = EXTENDED(10)
_MOST_DECIMALS = 30


def scientific(value: float, digits: int) -> tuple[int, int, bool]:
    """Return the form in which R writes a finite number: its exponent, its figures, and whether rounding widened it.

    R finds them in long double, and then leaves the figures themselves to C: some are 0 at the end, or one is missing.
    """
    size = abs(value)
    if size == 0:
        return 0, 1, False
    power = math.floor(math.log10(size)) - digits + 1
    exact = EXTENDED(size)
    if abs(power) <= _TABLE:
        ten = power_of_ten(abs(power))
        scaled = exact * ten if power < 0 else exact / ten
    elif power <= _LEAST:
        scaled = exact * 10.0**_STEP / np.power(_TEN, EXTENDED(power + _STEP))
    else:
        scaled = exact / np.power(_TEN, EXTENDED(power))
    if scaled < _TEN ** (digits - 1):
        scaled, power = scaled * 10, power - 1
    figures = str(int(np.rint(scaled)))
    exponent = power + len(figures) - 1
    widened = 0 < exponent <= _TABLE and size < 10.0**exponent - 0.5 / 10.0 ** max(digits - exponent, 0)
    return exponent, len(figures.rstrip("0")), widened


def number_text(value: float, drop: bool = True, scipen: int = 0) -> str:
    """Return a double in up to 15 digits, as R's as.character(), paste() and deparse() write it.

    It is the one place where a number becomes text of R. write.csv() does not drop zeros at the end.
    """
    if not math.isfinite(value):
        return "NA" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    text = format(value + 0.0, real_form([value], _DIGITS, scipen=scipen)[0])
    mantissa, e, exponent = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if drop and "." in mantissa else mantissa) + e + exponent


@lru_cache(1 << 14)
def _figures(value: float, digits: int) -> tuple[int, int, bool]:
    """Return the decimal exponent of a number, its figures, and whether rounding widens it."""
    if digits <= _SURE_DIGITS or not value:
        return scientific(value, max(digits, 1))
    # R asks C for the figures from here on.
    mantissa, _, exponent = f"{abs(value):.{digits - 1}e}".partition("e")
    return int(exponent), max(len(mantissa.replace(".", "").rstrip("0")), 1), False


def real_form(
    values: Sequence[float], digits: int, nsmall: int = 0, scipen: int = 0, most: int = _MOST_DECIMALS
) -> tuple[str, int]:
    """Return the form of Python that shows finite numbers as R does, and the width of the widest.

    It is fixed unless scientific is narrower by over `scipen`, with `most` decimals.
    """
    figures = [(value < 0, *_figures(value, digits)) for value in values]
    decimals = min(max(max(count - power - 1 for _, power, count, _ in figures), 0), most)
    left = max(minus + max(power + 1 - widened, 1) for minus, power, _, widened in figures)
    mantissa = max(count for _, _, count, _ in figures) - 1
    long = any(power >= 100 or power <= -99 for _, power, _, _ in figures)
    width = max(minus for minus, *_ in figures) + 1 + mantissa + (mantissa > 0) + 4 + long
    if left + decimals + (decimals > 0) <= width + scipen:
        decimals = max(decimals, nsmall)
        return f".{decimals}f", left + decimals + (decimals > 0)
    return f".{mantissa}e", width


def label(value: object) -> str:
    """Return a class or row label as R shows it: TRUE for True, 0.1 for 0.1, 1 for 1.0.

    Examples
    --------
    >>> from pyrrf.rbase.numbers import label
    >>> [label(value) for value in (True, 0.1, 100000.0)]
    ['TRUE', '0.1', '1e+05']
    """
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return number_text(value)
    return str(value)


def format_numbers(values: Sequence[float]) -> list[str]:
    """Format numbers with one format and of one width, as R formats a column of a matrix.

    It has the fewest decimals that show every value to 7 significant digits, or is scientific where
    that is narrower.
    """
    finite = [v for v in values if math.isfinite(v)]
    texts = [_special(v) for v in values]
    if finite:
        spec, _ = real_form(finite, _SHOWN)
        # R writes no sign of 0.
        texts = [t or format(v + 0.0, spec) for t, v in zip(texts, values, strict=True)]
    width = max((len(t) for t in texts), default=0)
    return [t.rjust(width) for t in texts]


def _special(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return ""


def format_number(value: float) -> str:
    """Return one number as R's cat() writes it."""
    return format_numbers([value])[0]
