"""Numbers as R writes them into text: 15 significant digits, fixed or scientific, whichever is shorter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.extended import EXTENDED
from pyrrf.r.vectors import Atomic, atomic, labelled

_DIGITS = 15
# Powers of ten that long double holds exactly.
_EXACT = 27


def _scaled(size: float) -> tuple[int, int]:
    """Return the 15 leading digits as an integer, and the decimal exponent of the first."""
    power = math.floor(math.log10(size)) - _DIGITS + 1
    value = EXTENDED(size)
    ten = EXTENDED(10) ** abs(power) if abs(power) <= _EXACT else np.power(EXTENDED(10), EXTENDED(power))
    value = value * ten if -_EXACT <= power < 0 else value / ten
    if value < EXTENDED(10) ** (_DIGITS - 1):
        value *= 10
        power -= 1
    return int(np.rint(value)), power + _DIGITS - 1


def number_text(value: float) -> str:
    """Return a double as R's as.character() and paste() write it."""
    if not math.isfinite(value):
        return "NA" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    if value == 0:
        return "0"
    digits, exponent = _scaled(abs(value))
    figures = str(digits).rstrip("0")
    if digits == 10**_DIGITS:
        exponent += 1
    count, negative = len(figures), value < 0
    decimals = max(0, count - exponent - 1)
    fixed = negative + max(1, exponent + 1) + decimals + (decimals > 0)
    scientific = negative + count + (count > 1) + (5 if exponent >= 100 or exponent <= -99 else 4)
    return f"{value:.{decimals}f}" if fixed <= scientific else f"{value:.{count - 1}e}"


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
