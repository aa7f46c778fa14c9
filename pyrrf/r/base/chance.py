"""R's random numbers: seeds, samples and draws of distributions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf import random
from pyrrf.checks import warn
from pyrrf.r.indexing.subscripts import taken
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.attributes import dimnames_value, is_factor, is_frame, names_of
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    strings,
)
from pyrrf.r.values.visibility import invisible
from pyrrf.random.stream import drawing
from pyrrf.rbase.vectors import REAL_NA

_MOST = 2**31 - 1


@r_function(draws=True, quiet=True)
def set_seed(seed: Any, kind: Any = None, normal_kind: Any = None, sample_kind: Any = None) -> Value:
    """Seed the stream: R's ``set.seed``. A seed of NULL, which is drawn from the clock, is refused."""
    if is_null(seed):
        raise NotMovedError("set.seed(NULL) seeds by the clock")
    found = number(seed)
    if found != found or abs(found) > _MOST:
        raise RError("supplied seed is not a valid integer")
    _checked(random.set_seed, found, _word(kind), _word(normal_kind), _word(sample_kind))
    return invisible()


def _word(x: Any) -> str | None:
    return None if is_null(x) else text(x)


def _checked(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (ValueError, TypeError) as error:
        raise NotMovedError(f"{function.__name__}(): {error}") from None


@r_function(draws=True)
def RNGkind(kind: Any = None, normal_kind: Any = None, sample_kind: Any = None) -> Value:
    """Return the kinds of the stream, or choose them: R's ``RNGkind``; the generator is R's default."""
    words = [_word(kind), _word(normal_kind), _word(sample_kind)]
    kinds = strings(_checked(random.RNGkind, *words))
    return kinds if words == [None] * 3 else invisible(kinds)


@r_function(draws=True, quiet=True)
def RNGversion(vstr: Any) -> Value:
    """Choose the kinds that a version of R had: R's ``RNGversion``."""
    return invisible(strings(_checked(random.RNGversion, str(as_value(vstr)))))


# ---- items ---------------------------------------------------------------------------------------


@r_function(draws=True, in_order=True)
def sample(x: Any, size: Any = None, replace: Any = False, prob: Any = None) -> Value:
    """Draw items: R's ``sample``."""
    x = as_value(x)
    single = isinstance(x, Value) and len(x) == 1 and x._kind in NUMBERS[1:] and not is_factor(x) and not is_frame(x)
    if single and x._data[0] >= 1:
        return sample_int(x, size, replace, prob)
    drawn = sample_int(float(len(x)), float(len(x)) if is_null(size) else size, replace, prob)
    return taken(x, drawn)


@r_function(draws=True, in_order=True)
def sample_int(n: Any, size: Any = None, replace: Any = False, prob: Any = None, useHash: Any = None) -> Value:
    """Draw from 1 to n: R's ``sample.int``; by hashing, as R does for few of many, is refused."""
    top = number(n)
    draws = top if is_null(size) else number(size)
    again = flag(replace, "invalid 'replace' argument")
    if top != top or top < 0 or (top == 0 and draws > 0):
        raise RError("invalid first argument")
    if draws != draws or draws < 0:
        raise RError("invalid 'size' argument")
    count, wanted = int(top), int(draws)
    if not is_null(prob):
        weights = _weights(prob, count, wanted, again)
    elif not again and wanted > count:
        raise RError("cannot take a sample larger than the population when 'replace = FALSE'")
    elif _hashes(top, draws, again, useHash):
        return _hashed(count, wanted)
    else:
        weights = None
    with drawing() as stream:
        found = stream.sample(count, wanted, again, weights) + 1.0
    return Value("integer" if count <= _MOST else "double", found)


def _hashes(n: float, size: float, again: bool, asked: Any) -> bool:
    if not is_null(asked):
        return flag(asked)
    return not again and n > 1e7 and size <= n / 2


def _hashed(n: int, size: int) -> Value:
    """Draw one after the other, and again what was drawn before: R's sample2()."""
    found: dict[int, None] = {}
    with drawing() as stream:
        while len(found) < size:
            found[int(stream.sample(n, 1, True, None)[0])] = None
    return Value("integer" if n <= _MOST else "double", np.array(list(found), dtype=np.float64) + 1)


def _weights(prob: Any, n: int, size: int, again: bool) -> np.ndarray:
    weights = coerced(prob, "double")._data
    if len(weights) != n:
        raise RError("incorrect number of probabilities")
    if not np.isfinite(weights).all():
        raise RError("NA in probability vector")
    if (weights < 0).any():
        raise RError("negative probability")
    positive = int((weights > 0).sum())
    if positive == 0 or (not again and size > positive):
        raise RError("too few positive probabilities")
    if not again and size > n:
        raise RError("cannot take a sample larger than the population when 'replace = FALSE'")
    return np.ascontiguousarray(weights, dtype=np.float64)


# ---- distributions -------------------------------------------------------------------------------


def _size(n: Any) -> Any:
    n = as_value(n)
    if len(n) != 1:
        return len(n)
    found = number(n)
    if found != found or found < 0:
        raise RError("invalid arguments")
    return int(found)


def _drawn(function: Any, n: Any, *parameters: Any) -> Any:
    """Draw from a distribution; an empty parameter gives missing values, as in R."""
    size = _size(n)
    found = [coerced(p, "double")._data for p in parameters]
    if size and not all(map(len, found)):
        warn("NAs produced")
        return np.full(size, REAL_NA)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = np.asarray(function(size, *found))
    if drawn.dtype.kind == "f" and np.isnan(drawn).any():
        warn("NAs produced")
    return drawn


def _real(name: str) -> Callable[..., Value]:
    function = getattr(random, name)

    def draw(n: Any, *parameters: Any) -> Value:
        return doubles(_drawn(function, n, *parameters)) if _size(n) else doubles(np.zeros(0))

    return draw


def _whole(name: str) -> Callable[..., Value]:
    function = getattr(random, name)

    def draw(n: Any, *parameters: Any) -> Value:
        found = _drawn(function, n, *parameters)
        small = found.dtype.kind == "i" or bool((np.isnan(found) | (np.abs(found) <= _MOST)).all())
        drawn = found.astype(np.float64)
        if not small:
            # R begins with integers, and goes over to doubles at the first number beyond them.
            first = int(np.argmax(np.abs(drawn) > _MOST))
            drawn[:first][np.isnan(drawn[:first])] = REAL_NA
        return Value("integer" if small else "double", drawn)

    return draw


@r_function(draws=True, in_order=True)
def runif(n: Any, min: Any = 0, max: Any = 1) -> Value:
    """R's ``runif``."""
    return _real("runif")(n, min, max)


@r_function(draws=True, in_order=True)
def rnorm(n: Any, mean: Any = 0, sd: Any = 1) -> Value:
    """R's ``rnorm``."""
    return _real("rnorm")(n, mean, sd)


@r_function(draws=True)
def rlnorm(n: Any, meanlog: Any = 0, sdlog: Any = 1) -> Value:
    """R's ``rlnorm``."""
    return _real("rlnorm")(n, meanlog, sdlog)


@r_function(draws=True, in_order=True)
def rexp(n: Any, rate: Any = 1) -> Value:
    """R's ``rexp``."""
    return _real("rexp")(n, rate)


@r_function(draws=True, in_order=True)
def rgamma(n: Any, shape: Any, rate: Any = None, scale: Any = None) -> Value:
    """R's ``rgamma``."""
    given = [None if is_null(p) else coerced(p, "double")._data for p in (rate, scale)]
    return doubles(_drawn(lambda size, found: random.rgamma(size, found, *given), n, shape))


@r_function(draws=True, in_order=True)
def rbeta(n: Any, shape1: Any, shape2: Any, ncp: Any = None) -> Value:
    """R's ``rbeta``."""
    return _real("rbeta")(n, shape1, shape2, *([] if is_null(ncp) else [ncp]))


@r_function(draws=True)
def rchisq(n: Any, df: Any, ncp: Any = None) -> Value:
    """R's ``rchisq``."""
    return _real("rchisq")(n, df, *([] if is_null(ncp) else [ncp]))


@r_function(draws=True)
def rt(n: Any, df: Any, ncp: Any = None) -> Value:
    """R's ``rt``."""
    return _real("rt")(n, df, *([] if is_null(ncp) else [ncp]))


@r_function(draws=True)
def rf(n: Any, df1: Any, df2: Any, ncp: Any = None) -> Value:
    """R's ``rf``."""
    return _real("rf")(n, df1, df2, *([] if is_null(ncp) else [ncp]))


@r_function(draws=True)
def rlogis(n: Any, location: Any = 0, scale: Any = 1) -> Value:
    """R's ``rlogis``."""
    return _real("rlogis")(n, location, scale)


@r_function(draws=True)
def rweibull(n: Any, shape: Any, scale: Any = 1) -> Value:
    """R's ``rweibull``."""
    return _real("rweibull")(n, shape, scale)


@r_function(draws=True)
def rcauchy(n: Any, location: Any = 0, scale: Any = 1) -> Value:
    """R's ``rcauchy``."""
    return _real("rcauchy")(n, location, scale)


@r_function(draws=True, in_order=True)
def rbinom(n: Any, size: Any, prob: Any) -> Value:
    """R's ``rbinom``."""
    return _whole("rbinom")(n, size, prob)


@r_function(draws=True, in_order=True)
def rpois(n: Any, lambda_: Any) -> Value:
    """R's ``rpois``."""
    return _whole("rpois")(n, lambda_)


@r_function(draws=True)
def rgeom(n: Any, prob: Any) -> Value:
    """R's ``rgeom``."""
    return _whole("rgeom")(n, prob)


@r_function(draws=True)
def rnbinom(n: Any, size: Any, prob: Any = None, mu: Any = None) -> Value:
    """R's ``rnbinom``."""
    if is_null(mu):
        return _whole("rnbinom")(n, size, prob)
    if not is_null(prob):
        raise RError("'prob' and 'mu' both specified")
    found = coerced(mu, "double")._data
    draw = _drawn(lambda k, sizes: random.rnbinom(k, sizes, mu=found), n, size)
    return doubles(draw.astype(np.float64))


@r_function(draws=True)
def rmultinom(n: Any, size: Any, prob: Any) -> Value:
    """R's ``rmultinom``."""
    weights = as_value(prob)
    found = np.asarray(_checked(random.rmultinom, _size(n), int(number(size)), coerced(weights, "double")._data))
    about = {"dim": integers(found.shape)}
    names = names_of(weights)
    if names is not None:
        about["dimnames"] = dimnames_value([names, None])
    return Value("integer", found.ravel(order="F").astype(np.float64), about)
