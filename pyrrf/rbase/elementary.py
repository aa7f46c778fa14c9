"""R's powers, logarithms and other functions of a number, computed by the C library as in R.

NumPy has its own code for some of them, which may differ in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from pyrrf import _core
from pyrrf.checks import warn

_quiet = np.errstate(all="ignore")


def _warn_of_nan(name: str, values: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the answers, with a warning where the function has none for a number."""
    made = int((np.isnan(out) & ~np.isnan(values)).sum())
    if made:
        warn(f"{name}(x) is NaN for {made} of {values.size} numbers in x, which {name} is not defined for")
    return np.asarray(out)


def _of_number(name: str, what: str) -> Callable[[ArrayLike], np.ndarray]:
    """Return a function of each number: NumPy's root, which is exact, and the C library's of the others."""

    @_quiet
    def compute(x: ArrayLike) -> np.ndarray:
        values = np.asarray(x, dtype=np.float64)
        return _warn_of_nan(name, values, np.sqrt(values) if name == "sqrt" else _core.elementary(name, values))

    compute.__name__ = compute.__qualname__ = name
    compute.__doc__ = f"Return {what} (R's ``{name}``); an array of the shape of `x`."
    return compute


exp = _of_number("exp", "powers of e")
expm1 = _of_number("expm1", "exp(x) - 1, exact near 0")
log2 = _of_number("log2", "logarithms to base 2")
log10 = _of_number("log10", "logarithms to base 10")
log1p = _of_number("log1p", "log(1 + x), exact near 0")
sqrt = _of_number("sqrt", "square roots")
tanh = _of_number("tanh", "hyperbolic tangents")
sin = _of_number("sin", "sines")
cos = _of_number("cos", "cosines")
tan = _of_number("tan", "tangents")
_natural = _of_number("log", "natural logarithms")


@_quiet
def log(x: ArrayLike, base: float = math.e) -> np.ndarray:
    """Return logarithms, natural ones by default (R's ``log``); an array of the shape of `x`."""
    if base == math.e:
        return _natural(x)
    if base in (2, 10):
        return log2(x) if base == 2 else log10(x)
    values = np.asarray(x, dtype=np.float64)
    return _warn_of_nan("log", values, _core.elementary("log", values) / _core.elementary("log", np.array(base)))


@_quiet
def power(x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Raise to a power (R's ``^``): a square is a product, the rest is the C library's pow."""
    base, exponent = np.broadcast_arrays(np.atleast_1d(np.asarray(x, np.float64)), np.asarray(y, np.float64))
    out = base * base
    other = exponent != 2
    # 0 loses its sign in R.
    out[other] = _core.power(np.where(base == 0, 0.0, base)[other], exponent[other])
    # Where C has a limit, R has none.
    endless = np.isinf(exponent) | (np.isinf(base) & (exponent != np.floor(exponent)))
    out[(base < 0) & endless & other & (exponent != 0) & ~np.isnan(exponent)] = math.nan
    # R has no 0 below 0 here, where C has one.
    out[np.isneginf(base) & (exponent < 0) & (exponent == np.floor(exponent)) & np.isfinite(exponent)] = 0.0
    return np.asarray(out)
