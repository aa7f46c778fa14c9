"""R's powers, logarithms and other functions of a number, computed by the C library as in R.

NumPy has its own code for some of them, which may differ in the last bit.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from pyrrf import _core
from pyrrf.checks import warn
from pyrrf.rbase.vectors import double, like, recycled

_quiet = np.errstate(all="ignore")


def _told(name: str, values: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the answers, with a warning where the function has none for a number."""
    made = int((np.isnan(out) & ~np.isnan(values)).sum())
    if made:
        warn(f"{name}(x) is NaN for {made} of {len(values)} numbers in x, which {name} is not defined for")
    return out


class _OfNumber(Protocol):
    def __call__(self, x: Any) -> Any: ...


def _of_number(name: str, what: str, example: str, answer: str) -> _OfNumber:
    """Return a function of each number: NumPy's root, which is exact, and the C library's of the others."""

    @_quiet
    def compute(x: Any) -> Any:
        values = double(x)
        out = np.sqrt(values) if name == "sqrt" else _core.elementary(name, values)
        return like(x, _told(name, values, out))

    compute.__name__ = compute.__qualname__ = name
    compute.__doc__ = f"""{what} (R's ``{name}``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> from pyrrf.rbase.elementary import {name}
    >>> {name}({example})
    {answer}
    """
    return compute


exp = _of_number("exp", "Exponential function", "1", "2.718281828459045")
expm1 = _of_number("expm1", "exp(x) - 1, exact near 0", "1e-10", "1.00000000005e-10")
log2 = _of_number("log2", "Logarithm to base 2", "8", "3.0")
log10 = _of_number("log10", "Logarithm to base 10", "1000", "3.0")
log1p = _of_number("log1p", "log(1 + x), exact near 0", "1e-10", "9.999999999500001e-11")
sqrt = _of_number("sqrt", "Square root", "2", "1.4142135623730951")
tanh = _of_number("tanh", "Hyperbolic tangent", "0.5", "0.46211715726000974")
sin = _of_number("sin", "Sine", "1", "0.8414709848078965")
cos = _of_number("cos", "Cosine", "1", "0.5403023058681398")
tan = _of_number("tan", "Tangent", "1", "1.5574077246549023")
_natural = _of_number("log", "Natural logarithm", "1", "0.0")


def log(x: Any, base: float = math.e) -> Any:
    """Logarithm, natural by default (R's ``log``).

    Parameters
    ----------
    x : array_like
    base : float, default 2.718281828459045

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> from pyrrf.rbase.elementary import log
    >>> log(8, 2)
    3.0
    """
    if base == math.e:
        return _natural(x)
    if base in (2, 10):
        return log2(x) if base == 2 else log10(x)
    values, below = double(x), _core.elementary("log", double(base, "base"))
    with np.errstate(all="ignore"):
        return like(x, _told("log", values, _core.elementary("log", values) / below))


@_quiet
def power(x: Any, y: Any) -> Any:
    """Raise to a power (R's ``^``): a square is a product, the rest is the C library's pow.

    Parameters
    ----------
    x, y : array_like
        The shorter one is recycled.

    Returns
    -------
    float, ndarray, Series or DataFrame

    Examples
    --------
    >>> from pyrrf.rbase.elementary import power
    >>> power([2, 3], 0.5)
    array([1.41421356, 1.73205081])
    """
    base, exponent = double(x), double(y, "y")
    n = recycled(base, exponent)
    base, exponent = np.resize(base, n), np.resize(exponent, n)
    out = base * base
    other = exponent != 2
    # 0 loses its sign in R.
    out[other] = _core.power(np.where(base == 0, 0.0, base)[other], exponent[other])
    # Where C has a limit, R has none.
    endless = np.isinf(exponent) | (np.isinf(base) & (exponent != np.floor(exponent)))
    out[(base < 0) & endless & other & (exponent != 0) & ~np.isnan(exponent)] = math.nan
    # R has no 0 below 0 here, where C has one.
    out[np.isneginf(base) & (exponent < 0) & (exponent == np.floor(exponent)) & np.isfinite(exponent)] = 0.0
    form = x if np.size(x) >= np.size(y) and (np.ndim(x) or not np.ndim(y)) else y
    return like(form, out) if n else out
