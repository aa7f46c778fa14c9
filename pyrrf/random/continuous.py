"""R's distributions of real numbers: runif, rnorm, rexp, rgamma and the like."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.errors import bad
from pyrrf.random.laws import describe_law, draw, parameter
from pyrrf.types import Floats


def runif(n: int, min: Any = 0.0, max: Any = 1.0) -> Floats:
    """Draw from uniform distributions (R's ``runif``).

    Parameters
    ----------
    n : int
        Number of draws, or a vector of this length.
    min, max : float or array_like, default 0.0 and 1.0
        Limits; vectors are recycled. Where both are equal nothing is drawn. As in R the result is
        infinite where `max` - `min` is above the largest double.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    TypeError
        An argument is not a number.
    ValueError
        `n` is negative or not finite.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> pyrrf.runif(2, 0, 10)
    array([2.65508663, 3.721239  ])
    """
    return draw("uniform", n, parameter(min, "min"), parameter(max, "max"))


@describe_law()
def rnorm(n: int, mean: Any = 0.0, sd: Any = 1.0) -> Floats:
    """Draw from normal distributions (R's ``rnorm``, by inversion).

    mean, sd : float or array_like, default 0.0 and 1.0
        Mean and standard deviation; vectors are recycled. Where `sd` is 0 nothing is drawn.

    >>> rnorm(2)
    array([-0.62645381,  0.18364332])
    """
    return draw("normal", n, parameter(mean, "mean"), parameter(sd, "sd"))


@describe_law()
def rlnorm(n: int, meanlog: Any = 0.0, sdlog: Any = 1.0) -> Floats:
    """Draw from log-normal distributions (R's ``rlnorm``).

    meanlog, sdlog : float or array_like, default 0.0 and 1.0
        Mean and standard deviation of the logarithm; vectors are recycled.

    >>> rlnorm(2)
    array([0.53448383, 1.20158717])
    """
    return draw("log_normal", n, parameter(meanlog, "meanlog"), parameter(sdlog, "sdlog"))


@describe_law()
def rexp(n: int, rate: Any = 1.0) -> Floats:
    """Draw from exponential distributions (R's ``rexp``).

    rate : float or array_like, default 1.0
        One over the mean; a vector is recycled.

    >>> rexp(2)
    array([0.75518183, 1.18164278])
    """
    return draw("exponential", n, _inverse(parameter(rate, "rate")))


def _inverse(values: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / values)


def rgamma(n: int, shape: Any, rate: Any = None, scale: Any = None) -> Floats:
    """Draw from gamma distributions (R's ``rgamma``).

    Parameters
    ----------
    n : int
        Number of draws, or a vector of this length.
    shape : float or array_like
        Shape; a vector is recycled.
    rate : float or array_like, optional
        One over the scale; 1 by default.
    scale : float or array_like, optional
        Scale, in place of `rate`.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    TypeError
        An argument is not a number.
    ValueError
        `n` is negative or not finite, or `rate` and `scale` contradict each other.

    Examples
    --------
    >>> from pyrrf.random import rgamma, set_seed
    >>> set_seed(1)
    >>> rgamma(2, 2)
    array([0.830865  , 3.57075635])
    """
    given = None if rate is None else parameter(rate, "rate")
    if scale is None:
        widths = _inverse(np.ones(1) if given is None else given)
    else:
        widths = parameter(scale, "scale")
        _check_same(given, widths)
    return draw("gamma", n, parameter(shape, "shape"), widths)


def _check_same(rate: Floats | None, scale: Floats) -> None:
    if rate is None:
        return
    if not (np.abs(rate * scale - 1) < 1e-15).all():
        raise bad.conflict("rate and scale contradict each other; pass one of them", "rate")
    warn("rate and scale are both given; pass one of them")


@describe_law()
def rbeta(n: int, shape1: Any, shape2: Any, ncp: Any = None) -> Floats:
    """Draw from beta distributions (R's ``rbeta``).

    shape1, shape2 : float or array_like
        Shapes; vectors are recycled.
    ncp : float or array_like, optional
        Non-centrality. Given, also as 0, the draws are a quotient of two of ``rchisq``, as in R.

    >>> rbeta(2, 1, 2)
    array([0.58039218, 0.27157435])
    """
    first, second = parameter(shape1, "shape1"), parameter(shape2, "shape2")
    if ncp is None:
        return draw("beta", n, first, second)
    top = rchisq(n, 2 * first, ncp=ncp)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(top / (top + rchisq(n, 2 * second)))


@describe_law()
def rchisq(n: int, df: Any, ncp: Any = None) -> Floats:
    """Draw from chi-squared distributions (R's ``rchisq``).

    df : float or array_like
        Degrees of freedom; a vector is recycled.
    ncp : float or array_like, optional
        Non-centrality.

    >>> rchisq(2, 3)
    array([0.94331457, 5.54378157])
    """
    degrees = parameter(df, "df")
    if ncp is None:
        return draw("chi_squared", n, degrees)
    return draw("shifted_chi_squared", n, degrees, parameter(ncp, "ncp"))


@describe_law()
def rt(n: int, df: Any, ncp: Any = None) -> Floats:
    """Draw from Student's distributions (R's ``rt``).

    df : float or array_like
        Degrees of freedom; a vector is recycled.
    ncp : float or array_like, optional
        Non-centrality. Given, also as 0, all normal numbers are drawn before the others, as in R.

    >>> rt(2, 3)
    array([-0.70272107, -0.56931957])
    """
    degrees = parameter(df, "df")
    if ncp is None:
        return draw("student", n, degrees)
    top = rnorm(n, ncp)
    return _quotient(top, np.sqrt(_quotient(rchisq(n, degrees), degrees)))


def _quotient(top: Floats, below: Floats) -> Floats:
    """Return R's quotient of two vectors: the shorter one is recycled."""
    size = max(len(top), len(below)) if len(top) else 0
    if size % max(len(below), 1) or size % max(len(top), 1):
        warn("longer object length is not a multiple of shorter object length")
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        return np.asarray(np.resize(top, size) / np.resize(below, size))


@describe_law()
def rf(n: int, df1: Any, df2: Any, ncp: Any = None) -> Floats:
    """Draw from F distributions (R's ``rf``).

    df1, df2 : float or array_like
        Degrees of freedom; vectors are recycled.
    ncp : float or array_like, optional
        Non-centrality. Given, also as 0, all numbers above are drawn before those below, as in R.

    >>> rf(2, 3, 5)
    array([0.1818524 , 1.69698124])
    """
    first, second = parameter(df1, "df1"), parameter(df2, "df2")
    if ncp is None:
        return draw("fisher", n, first, second)
    top = _quotient(rchisq(n, first, ncp=ncp), first)
    return _quotient(top, _quotient(rchisq(n, second), second))


@describe_law()
def rlogis(n: int, location: Any = 0.0, scale: Any = 1.0) -> Floats:
    """Draw from logistic distributions (R's ``rlogis``).

    location, scale : float or array_like, default 0.0 and 1.0
        Location and scale; vectors are recycled.

    >>> rlogis(2)
    array([-1.01753073, -0.52311599])
    """
    return draw("logistic", n, parameter(location, "location"), parameter(scale, "scale"))


@describe_law()
def rweibull(n: int, shape: Any, scale: Any = 1.0) -> Floats:
    """Draw from Weibull distributions (R's ``rweibull``).

    shape : float or array_like
        Shape; a vector is recycled.
    scale : float or array_like, default 1.0
        Scale; a vector is recycled.

    >>> rweibull(2, 2)
    array([1.15156754, 0.99424766])
    """
    return draw("weibull", n, parameter(shape, "shape"), parameter(scale, "scale"))


@describe_law()
def rcauchy(n: int, location: Any = 0.0, scale: Any = 1.0) -> Floats:
    """Draw from Cauchy distributions (R's ``rcauchy``).

    location, scale : float or array_like, default 0.0 and 1.0
        Location and scale; vectors are recycled.

    >>> rcauchy(2)
    array([1.1025199, 2.3538306])
    """
    return draw("cauchy", n, parameter(location, "location"), parameter(scale, "scale"))
