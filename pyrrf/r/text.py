"""Numbers as R writes them into text: 15 significant digits, fixed or scientific, whichever is shorter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.extended import EXTENDED
from pyrrf.r.rounding import power_of_ten
from pyrrf.r.vectors import Atomic, atomic, labelled

_DIGITS = 15
# R has powers of ten up to here in a table of doubles, and scales in two steps from the least exponent on.
_TABLE, _LEAST, _STEP = 27, -308, 303
_TEN = EXTENDED(10)
_MOST_DECIMALS = 30


def scientific(value: float, digits: int) -> tuple[int, int, bool]:
    """Return how R writes a finite number: its decimal exponent, its figures, and whether rounding widened it.

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


def number_text(value: float, drop: bool = True) -> str:
    """Return a double as R's as.character() and paste() write it; write.csv() does not drop zeros at the end."""
    if not math.isfinite(value):
        return "NA" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    text = format(value + 0.0, notation([value], _DIGITS))
    mantissa, e, exponent = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if drop and "." in mantissa else mantissa) + e + exponent


def notation(values: Sequence[float], digits: int) -> str:
    """Return the one format that R chooses for finite numbers: fixed unless scientific is narrower."""
    found = [(value < 0, *scientific(value, digits)) for value in values]
    decimals = min(max(max(count - exponent - 1 for _, exponent, count, _ in found), 0), _MOST_DECIMALS)
    left = max(negative + max(exponent + 1 - widened, 1) for negative, exponent, _, widened in found)
    mantissa = max(count for _, _, count, _ in found) - 1
    wide = any(exponent >= 100 or exponent <= -99 for _, exponent, _, _ in found)
    scientific_width = max(negative for negative, *_ in found) + 1 + mantissa + (mantissa > 0) + 4 + wide
    return f".{decimals}f" if left + decimals + (decimals > 0) <= scientific_width else f".{mantissa}e"


def texts(values: Atomic) -> list[str | None]:
    """Return each item as text, None where it is missing."""
    if isinstance(values, pd.Categorical):
        labels = texts(atomic(values.categories.to_numpy()))
        return [labels[code] if code >= 0 else None for code in values.codes]
    if values.dtype == object:
        return [None if v is None else str(v) for v in values]
    if values.dtype.kind == "b":
        return ["TRUE" if v else "FALSE" for v in values]
    if values.dtype.kind == "i":
        return [str(v) for v in values]
    return [None if math.isnan(v) else number_text(v) for v in values.tolist()]


def as_character(x: Any) -> np.ndarray:
    """Return items as text, numbers with 15 significant digits (R's ``as.character``).

    Parameters
    ----------
    x : array_like
        Of a factor, the labels.

    Returns
    -------
    ndarray of object, shape (n,)
        None where an item is missing.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.as_character([0.1 + 0.2, 100000.0]).tolist()
    ['0.3', '1e+05']
    """
    return np.array(texts(labelled(x)), dtype=object)


def paste(*vectors: Any, sep: str = " ", collapse: str | None = None) -> Any:
    """Join items to strings (R's ``paste``).

    Parameters
    ----------
    *vectors : array_like
        Shorter ones are recycled; empty ones count as "" beside others.
    sep : str, default ' '
        What stands between the items of one string.
    collapse : str, optional
        Join all strings to one, with this between them.

    Returns
    -------
    str or ndarray of object
        A str for single items, or with `collapse`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.paste("gamma", [0.1, 1e-5]).tolist()
    ['gamma 0.1', 'gamma 1e-05']
    """
    columns = [["NA" if t is None else t for t in texts(labelled(v))] for v in vectors]
    n = max((len(c) for c in columns), default=0)
    columns = [c or [""] for c in columns] if n else []
    lines = [sep.join(c[i % len(c)] for c in columns) for i in range(n)]
    if collapse is not None:
        return collapse.join(lines)
    if all(np.ndim(v) == 0 for v in vectors) and len(lines) == 1:
        return lines[0]
    return np.array(lines, dtype=object)


def paste0(*vectors: Any, collapse: str | None = None) -> Any:
    """Join items without anything between them (R's ``paste0``).

    Parameters
    ----------
    *vectors : array_like
        Shorter ones are recycled.
    collapse : str, optional
        Join all strings to one, with this between them.

    Returns
    -------
    str or ndarray of object

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.paste0("V", [1, 2]).tolist()
    ['V1', 'V2']
    """
    return paste(*vectors, sep="", collapse=collapse)
