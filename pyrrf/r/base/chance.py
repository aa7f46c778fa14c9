"""R's random numbers: seeds, samples and draws of distributions."""

from __future__ import annotations

import warnings
from ast import literal_eval
from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Any, TypeVar

import numpy as np

from pyrrf import random
from pyrrf.checks import warn
from pyrrf.r.indexing.subscripts import taken
from pyrrf.r.values.arguments import flag, number
from pyrrf.r.values.coercion import bare, coerce
from pyrrf.r.values.errors import NotSupportedError, refuse_none, stop_if
from pyrrf.r.values.functions import Flag, Number, Text, Whole, r_function
from pyrrf.r.values.kinds import is_factor, is_null, kind_of
from pyrrf.r.values.labels import matrix_of, names_of
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, strings
from pyrrf.r.values.visibility import invisible
from pyrrf.random.stream import drawing
from pyrrf.rbase.vectors import REAL_NA

_Found = TypeVar("_Found")
_MOST = 2**31 - 1
_LARGEST = 4.5e15  # from which R samples


@r_function(does="draws", quiet=True)
def set_seed(
    seed: Number | None, kind: Text | None = None, normal_kind: Text | None = None, sample_kind: Text | None = None
) -> Value:
    """Seed the stream: R's ``set.seed``. A seed of NULL, which is drawn from the clock, is refused."""
    seed = refuse_none(seed, "set.seed(NULL) seeds by the clock")
    stop_if(seed != seed or abs(seed) > _MOST, "supplied seed is not a valid integer")
    _call(random.set_seed, seed, kind, normal_kind, sample_kind)
    return invisible()


def _call(function: Callable[..., _Found], *args: object) -> _Found:
    try:
        return function(*args)
    except (ValueError, TypeError) as error:
        raise NotSupportedError(f"{function.__name__}(): {error}") from None


@r_function(does="draws")
def RNGkind(kind: Text | None = None, normal_kind: Text | None = None, sample_kind: Text | None = None) -> Value:
    """Return the kinds of the stream, or choose them: R's ``RNGkind``; the generator is R's default."""
    kinds = strings(_call(random.RNGkind, kind, normal_kind, sample_kind))
    return kinds if kind is normal_kind is sample_kind is None else invisible(kinds)


@r_function(does="draws", quiet=True)
def RNGversion(vstr: Text) -> Value:
    """Choose the kinds that a version of R had: R's ``RNGversion``."""
    return invisible(strings(_call(random.RNGversion, vstr)))


# ---- items ---------------------------------------------------------------------------------------


@r_function(does="draws", in_order=True)
def sample(x: Value, size: object = None, replace: object = False, prob: object = None) -> Value:
    """Draw items: R's ``sample``."""
    single = len(x) == 1 and x._kind in NUMBERS[1:] and not is_factor(x)
    if single and 1 <= x._data[0] < np.inf:
        return sample_int(x, size, replace, prob)
    return taken(x, sample_int(len(x), len(x) if is_null(size) else size, replace, prob))


@r_function(does="draws", in_order=True)
def sample_int(
    n: Number,
    size: Number | None = None,
    replace: object = False,
    prob: Value | None = None,
    useHash: Flag | None = None,
) -> Value:
    """Draw from 1 to n: R's ``sample.int``; by hashing, as R does for few of many, is refused."""
    draws = n if size is None else size
    again = flag(replace, "invalid 'replace' argument")
    stop_if(not 0 <= n <= _LARGEST or (n == 0 and draws > 0), "invalid first argument")
    stop_if(not 0 <= draws < np.inf, "invalid 'size' argument")
    count, wanted = int(n), int(draws)
    weights = None if prob is None else _weights(prob, count, wanted, again)
    if weights is None:
        stop_if(not again and wanted > count, "cannot take a sample larger than the population when 'replace = FALSE'")
        if (not again and n > 1e7 and draws <= n / 2) if useHash is None else useHash:
            return _sample_by_hash(count, wanted)
    with drawing() as stream:
        items = stream.sample(count, wanted, again, weights) + 1.0
    return Value("integer" if count <= _MOST else "double", items)


def _sample_by_hash(n: int, size: int) -> Value:
    """Draw one after the other, and again where an item was drawn before: R's sample2()."""
    items: dict[int, None] = {}
    with drawing() as stream:
        while len(items) < size:
            items[int(stream.sample(n, 1, True, None)[0])] = None
    return Value("integer" if n <= _MOST else "double", np.array(list(items), dtype=np.float64) + 1)


def _weights(prob: Value, n: int, size: int, again: bool) -> np.ndarray:
    weights = coerce(prob, "double")._data
    stop_if(len(weights) != n, "incorrect number of probabilities")
    stop_if(not np.isfinite(weights).all(), "NA in probability vector")
    stop_if((weights < 0).any(), "negative probability")
    positive = int((weights > 0).sum())
    stop_if(positive == 0 or (not again and size > positive), "too few positive probabilities")
    stop_if(not again and size > n, "cannot take a sample larger than the population when 'replace = FALSE'")
    return np.ascontiguousarray(weights, dtype=np.float64)


# ---- distributions -------------------------------------------------------------------------------


def _size(n: object) -> int:
    value = as_value(n)
    single = len(value) == 1
    length = number(bare(value)) if single and value._kind != "list" else np.nan
    stop_if(value._kind in ("NULL", "language") or (single and not length >= 0), "invalid arguments")
    return int(length) if single else len(value)


def _check_numbers(parameters: Iterable[object]) -> None:
    """Refuse parameters that are not numeric to R's C code."""
    stop_if(any(kind_of(x) not in NUMBERS or is_factor(x) for x in map(as_value, parameters)), "invalid arguments")


def _draw(function: Callable[..., Any], n: object, *parameters: object) -> np.ndarray:
    """Draw from a distribution; an empty parameter gives missing values, as in R."""
    size = _size(n)
    values = [coerce(p, "double")._data for p in parameters]
    if size and not all(map(len, values)):
        warn("NAs produced")
        return np.full(size, REAL_NA)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawn = np.asarray(function(size, *values))
    if drawn.dtype.kind == "f" and np.isnan(drawn).any():
        warn("NAs produced")
    return drawn


def _counts(drawn: np.ndarray) -> Value:
    """Return whole numbers as integers if all are small enough."""
    numbers = drawn.astype(np.float64)
    beyond = np.abs(numbers) > _MOST
    if not beyond.any():
        return Value("integer", numbers)
    # R draws integers, and changes to doubles at the first number beyond them.
    first = int(np.argmax(beyond))
    numbers[:first][np.isnan(numbers[:first])] = REAL_NA
    return Value("double", numbers)


def _distribution(name: str, parameters: str, whole: bool = False, in_order: bool = False) -> Callable[..., Value]:
    """Return R's function that draws from a distribution; `parameters` have their defaults: ``"shape scale=1"``."""
    defaults = {word.partition("=")[0]: word.partition("=")[2] for word in f"n {parameters}".split()}
    usual = {key: literal_eval(text) if text else Parameter.empty for key, text in defaults.items()}
    takes = Signature([Parameter(key, Parameter.POSITIONAL_OR_KEYWORD, default=x) for key, x in usual.items()])

    def draw(*args: object, **named: object) -> Value:
        given = takes.bind(*args, **named)
        given.apply_defaults()
        # Without a parameter like ncp R draws in another way.
        known = [x for key, x in given.arguments.items() if defaults[key] != "None" or not is_null(x)]
        _check_numbers(known[1:])
        if not whole and not _size(known[0]):
            return doubles(np.zeros(0))
        drawn = _draw(getattr(random, name), *known)
        return _counts(drawn) if whole else doubles(drawn)

    draw.__signature__ = takes  # type: ignore[attr-defined]
    return r_function(name, f"R's ``{name}``.", does="draws", in_order=in_order)(draw)


runif = _distribution("runif", "min=0 max=1", in_order=True)
rnorm = _distribution("rnorm", "mean=0 sd=1", in_order=True)
rlnorm = _distribution("rlnorm", "meanlog=0 sdlog=1")
rexp = _distribution("rexp", "rate=1", in_order=True)
rbeta = _distribution("rbeta", "shape1 shape2 ncp=None", in_order=True)
rchisq = _distribution("rchisq", "df ncp=None")
rt = _distribution("rt", "df ncp=None")
rf = _distribution("rf", "df1 df2 ncp=None")
rlogis = _distribution("rlogis", "location=0 scale=1")
rweibull = _distribution("rweibull", "shape scale=1")
rcauchy = _distribution("rcauchy", "location=0 scale=1")
rbinom = _distribution("rbinom", "size prob", whole=True, in_order=True)
rpois = _distribution("rpois", "lambda_", whole=True, in_order=True)
rgeom = _distribution("rgeom", "prob", whole=True)


@r_function(does="draws", in_order=True)
def rgamma(n: object, shape: object, rate: Value | None = None, scale: Value | None = None) -> Value:
    """Draw from the gamma distribution (R's ``rgamma``)."""
    given = [None if p is None else coerce(p, "double")._data for p in (rate, scale)]
    return doubles(_draw(lambda size, shapes: random.rgamma(size, shapes, *given), n, shape))


@r_function(does="draws")
def rnbinom(n: object, size: object, prob: Value | None = None, mu: Value | None = None) -> Value:
    """Draw from the negative binomial distribution (R's ``rnbinom``)."""
    if mu is None:
        return _counts(_draw(random.rnbinom, n, size, prob))
    stop_if(prob is not None, "'prob' and 'mu' both specified")
    means = coerce(mu, "double")._data
    return doubles(_draw(lambda k, sizes: random.rnbinom(k, sizes, mu=means), n, size))


@r_function(does="draws")
def rmultinom(n: object, size: Whole, prob: Value) -> Value:
    """Draw from the multinomial distribution (R's ``rmultinom``)."""
    counts = np.asarray(_call(random.rmultinom, _size(n), size, coerce(prob, "double")._data))
    return matrix_of("integer", counts.astype(np.float64), [names_of(prob), None])
