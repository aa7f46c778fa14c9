"""R's powers, logarithms and other functions of a number, computed by the C library as in R.

NumPy has its own code for some of them, which may differ in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.rbase.vectors import double, like, recycled

_quiet = np.errstate(all="ignore")


@_quiet
def each(exact: Callable[..., float], limits: Callable[..., Any], *vectors: np.ndarray) -> np.ndarray:
    """Apply a function of `math` to each value, or NumPy's where `math` raises an error, as for log(0)."""
    broadcast = np.broadcast_arrays(*vectors)
    out = np.empty(broadcast[0].shape)
    for at, values in enumerate(zip(*[b.ravel().tolist() for b in broadcast], strict=True)):
        try:
            out.flat[at] = exact(*values)
        except (ValueError, OverflowError):
            out.flat[at] = limits(*values)
    return out


def _unary(name: str, x: Any) -> Any:
    values = double(x)
    return like(x, _told(name, values, each(getattr(math, name), getattr(np, name), values)))


def _told(name: str, values: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Return the answers, with a warning where the function has none for a number."""
    made = int((np.isnan(out) & ~np.isnan(values)).sum())
    if made:
        warn(f"{name}(x) is NaN for {made} of {len(values)} numbers in x, which {name} is not defined for")
    return out


def exp(x: Any) -> Any:
    """Exponential function (R's ``exp``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.exp(1)
    2.718281828459045
    """
    return _unary("exp", x)


def expm1(x: Any) -> Any:
    """exp(x) - 1, exact near 0 (R's ``expm1``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.expm1(1e-10)
    1.00000000005e-10
    """
    return _unary("expm1", x)


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
    >>> import pyrrf.r as r
    >>> r.log(8, 2)
    3.0
    """
    if base == math.e:
        return _unary("log", x)
    if base in (2, 10):
        return _unary("log2" if base == 2 else "log10", x)
    values, below = double(x), each(math.log, np.log, double(base, "base"))
    with np.errstate(all="ignore"):
        return like(x, _told("log", values, each(math.log, np.log, values) / below))


def log2(x: Any) -> Any:
    """Logarithm to base 2 (R's ``log2``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.log2(8)
    3.0
    """
    return _unary("log2", x)


def log10(x: Any) -> Any:
    """Logarithm to base 10 (R's ``log10``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.log10(1000)
    3.0
    """
    return _unary("log10", x)


def log1p(x: Any) -> Any:
    """log(1 + x), exact near 0 (R's ``log1p``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.log1p(1e-10)
    9.999999999500001e-11
    """
    return _unary("log1p", x)


@_quiet
def sqrt(x: Any) -> Any:
    """Square root (R's ``sqrt``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sqrt(2)
    1.4142135623730951
    """
    values = double(x)
    return like(x, _told("sqrt", values, np.sqrt(values)))


def tanh(x: Any) -> Any:
    """Hyperbolic tangent (R's ``tanh``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.tanh(0.5)
    0.46211715726000974
    """
    return _unary("tanh", x)


def sin(x: Any) -> Any:
    """Sine (R's ``sin``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sin(1)
    0.8414709848078965
    """
    return _unary("sin", x)


def cos(x: Any) -> Any:
    """Cosine (R's ``cos``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cos(1)
    0.5403023058681398
    """
    return _unary("cos", x)


def tan(x: Any) -> Any:
    """Tangent (R's ``tan``).

    Parameters
    ----------
    x : number or vector

    Returns
    -------
    float or vector
        As `x`.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.tan(1)
    1.5574077246549023
    """
    return _unary("tan", x)


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
    >>> import pyrrf.r as r
    >>> r.power([2, 3], 0.5)
    array([1.41421356, 1.73205081])
    """
    base, exponent = double(x), double(y, "y")
    n = recycled(base, exponent)
    base, exponent = np.resize(base, n), np.resize(exponent, n)
    out = base * base
    other = exponent != 2
    # 0 loses its sign in R.
    out[other] = each(math.pow, np.power, np.where(base == 0, 0.0, base)[other], exponent[other])
    # Where C has a limit, R has none.
    endless = np.isinf(exponent) | (np.isinf(base) & (exponent != np.floor(exponent)))
    out[(base < 0) & endless & other & (exponent != 0)] = math.nan
    # R has no 0 below 0 here, where C has one.
    out[np.isneginf(base) & (exponent < 0) & (exponent == np.floor(exponent)) & np.isfinite(exponent)] = 0.0
    form = x if np.size(x) >= np.size(y) and (np.ndim(x) or not np.ndim(y)) else y
    return like(form, out) if n else out
