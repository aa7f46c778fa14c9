"""R's random stream: set_seed, runif, rnorm and sample on the stream that RRF() draws from.

The kinds are R's defaults since 3.6: Mersenne-Twister, Inversion, Rejection. As in R a process has one
stream. These rules hold for a whole call by the user, with all forests that it grows:

- With `seed` a call has a private stream, from its first draw to its last. No other thread draws from
  it. If the call succeeds, its stream becomes that of the process, as after ``set.seed(seed)`` and the
  call in R. If it fails or is interrupted, the stream of the process stays as it was.
- Without `seed` a call draws from the stream of the process, as in R. If several threads make such
  calls, one call runs at a time and the others wait.
- Functions that are passed to a call, such as `mtry` of ``rrfcv``, draw from the stream of the call.
  They must not wait for another thread that draws without a seed, because that thread waits for the call.

After ``os.fork()`` the child starts with a copy of the stream.
"""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core import Stream
from pyrrf.checks import flag, warn

__all__ = ["rnorm", "runif", "sample", "set_seed"]


# ---- one call, one stream ------------------------------------------------------------------------


class _Process:
    """The stream of the process, and the lock of calls that draw from it.

    set_seed() and calls with a seed replace the stream and need no lock: a call that is running keeps the
    stream that it began with, as if it had finished before.
    """

    def __init__(self) -> None:
        self.stream = Stream()
        self.renew_lock()

    def renew_lock(self) -> None:
        """Make a new lock: after a fork no thread of the child would release the old one."""
        self.lock = threading.RLock()


class _Thread(threading.local):
    """The stream of the call that a thread is in, or None."""

    stream: Stream | None = None


_PROCESS = _Process()
_THREAD = _Thread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PROCESS.renew_lock)


@contextmanager
def call_stream(seed: Any = None) -> Iterator[Stream]:
    """Yield the stream of a call; all draws inside the block come from it.

    Parameters
    ----------
    seed : int, optional
        Seed of a private stream for this block. When the block succeeds, the surrounding call, or else
        the process, continues with that stream.

    Yields
    ------
    Stream
        The private stream. Without a seed the stream of the surrounding call, or else that of the
        process, which is locked until the block ends.

    Raises
    ------
    TypeError, ValueError
        As for `set_seed`.
    """
    outer = _THREAD.stream
    if seed is not None:
        with private_stream(seed) as own:
            yield own
        _hand_over(own, outer)
    elif outer is not None:
        yield outer
    else:
        with _PROCESS.lock, _inside(_PROCESS.stream) as stream:
            yield stream


@contextmanager
def private_stream(seed: Any) -> Iterator[Stream]:
    """Yield a stream of this block alone; nobody continues with it afterwards.

    Parameters
    ----------
    seed : int

    Yields
    ------
    Stream

    Raises
    ------
    TypeError, ValueError
        As for `set_seed`.
    """
    with _inside(_seeded(seed)) as stream:
        yield stream


@contextmanager
def _inside(stream: Stream) -> Iterator[Stream]:
    """Make `stream` the stream of this thread's call."""
    outer = _THREAD.stream
    try:
        _THREAD.stream = stream
        yield stream
    finally:
        _THREAD.stream = outer


def _hand_over(stream: Stream, outer: Stream | None) -> None:
    """Let the surrounding call, or else the process, continue with the state of a stream."""
    if outer is None:
        _PROCESS.stream = stream
    else:
        outer.set_state(*stream.get_state())


def process_stream() -> Stream:
    """Return the stream of the process, for tests."""
    return _PROCESS.stream


@contextmanager
def drawing() -> Iterator[Stream]:
    """Yield the stream between R's GetRNGstate() and PutRNGstate(); after an error it is not saved."""
    with call_stream() as stream:
        stream.load()
        yield stream
        stream.save()


@contextmanager
def taken_back_on_error() -> Iterator[None]:
    """Restore the stream if the block ends in an error or an interrupt."""
    with call_stream() as stream:
        before = stream.get_state()
        try:
            yield
        except BaseException:
            stream.set_state(*before)
            raise


def draw_seed() -> int:
    """Draw the seed of a forest of engine parallel from the stream: 64 bits from two numbers."""
    with drawing() as stream:
        high, low = (int(u * 2.0**32) for u in stream.runif(2))
    return high << 32 | low


def _seeded(seed: Any) -> Stream:
    """Return a new stream, seeded; every error names the argument."""
    if isinstance(seed, float) and seed.is_integer():
        seed = int(seed)
    try:
        value = operator.index(seed)
    except TypeError:
        raise TypeError(f"seed must be a whole number, not {seed!r}") from None
    if abs(value) > 2**31 - 1:
        raise ValueError(f"seed must be from -2147483647 to 2147483647, not {value}")
    stream = Stream()
    stream.set_seed(value)
    return stream


# ---- R's functions -------------------------------------------------------------------------------


def set_seed(seed: int) -> None:
    """Seed the stream (R's ``set.seed``).

    Parameters
    ----------
    seed : int
        -2147483647 to 2147483647.

    Raises
    ------
    TypeError
        `seed` is not a whole number.
    ValueError
        `seed` is not an R integer.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> pyrrf.runif(2)
    array([0.26550866, 0.3721239 ])
    """
    _hand_over(_seeded(seed), _THREAD.stream)


def _draws(n: Any) -> int:
    """Return the number of draws, at least 0; as in R fractions are cut off."""
    if isinstance(n, bool) or not isinstance(n, int | float | np.number):
        raise TypeError(f"n must be a number, not {n!r}")
    if not np.isfinite(n) or n < 0:
        raise ValueError(f"n must be 0 or more, not {n!r}")
    return int(n)


def _recycled(value: Any, n: int, name: str) -> np.ndarray:
    """Return an argument of a distribution as float64, shape (n,), recycled as in R."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or array.ndim > 1 or array.size == 0:
        raise TypeError(f"{name} must be a number or a vector of numbers, not {value!r}")
    return np.resize(array.astype(np.float64), n)


def _warn_nan(values: np.ndarray) -> None:
    if np.isnan(values).any():
        warn("NaNs produced: the arguments describe no distribution")


def runif(n: int, min: Any = 0.0, max: Any = 1.0) -> np.ndarray:
    """Draw from uniform distributions (R's ``runif``).

    Parameters
    ----------
    n : int
        Number of draws.
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
    size = _draws(n)
    low, high = _recycled(min, size, "min"), _recycled(max, size, "max")
    valid = np.isfinite(low) & np.isfinite(high) & (low <= high)
    drawn = valid & (low < high)
    out = np.where(valid, low, np.nan)
    with drawing() as stream:
        uniform = stream.runif(int(drawn.sum()))
    with np.errstate(over="ignore"):
        out[drawn] = low[drawn] + (high[drawn] - low[drawn]) * uniform
    _warn_nan(out)
    return out


def rnorm(n: int, mean: Any = 0.0, sd: Any = 1.0) -> np.ndarray:
    """Draw from normal distributions (R's ``rnorm``, by inversion).

    Parameters
    ----------
    n : int
        Number of draws.
    mean, sd : float or array_like, default 0.0 and 1.0
        Mean and standard deviation; vectors are recycled. Where `sd` is 0 nothing is drawn.

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
    >>> pyrrf.rnorm(2)
    array([-0.62645381,  0.18364332])
    """
    size = _draws(n)
    centre, spread = _recycled(mean, size, "mean"), _recycled(sd, size, "sd")
    valid = ~np.isnan(centre) & np.isfinite(spread) & (spread >= 0)
    drawn = valid & (spread > 0) & np.isfinite(centre)
    out = np.where(valid, centre, np.nan)
    with drawing() as stream:
        normal = stream.rnorm(int(drawn.sum()))
    with np.errstate(over="ignore"):
        out[drawn] = centre[drawn] + spread[drawn] * normal
    _warn_nan(out)
    return out


def sample(x: Any, size: int | None = None, replace: bool = False, prob: Any = None) -> np.ndarray:
    """Draw items (R's ``sample``, by rejection).

    Parameters
    ----------
    x : int or array_like
        Items to draw from; a number n of at least 1 stands for 1, 2, ..., n, as in R.
    size : int, optional
        Number of items to draw; all by default.
    replace : bool, default False
        Whether an item can be drawn more than once.
    prob : array_like of float, optional
        Weights of the items; equal by default.

    Returns
    -------
    ndarray, shape (size,)

    Raises
    ------
    TypeError
        An argument has a wrong type.
    ValueError
        There are fewer items than `size` without `replace`, or `prob` does not fit.

    Notes
    -----
    In R a vector of one number, c(5), stands for 1:5. Here only a number does; [5] has one item.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> pyrrf.sample(5)
    array([1, 4, 3, 5, 2])
    >>> pyrrf.sample(["a", "b", "c"], 2).tolist()
    ['a', 'c']
    """
    items, n = _items(x)
    draws = n if size is None else _sample_size(size)
    again = flag(replace, "replace")
    if draws > n and not again:
        raise ValueError(f"size is {draws}, but x has {n} items; pass a smaller size or replace=True")
    if draws and not n:
        raise ValueError("x has no items; pass at least one")
    weights = None if prob is None else _weights(prob, n, draws, again)
    with drawing() as stream:
        chosen = stream.sample(n, draws, again, weights)
    return np.asarray(chosen + 1 if items is None else items[chosen])


def _sample_size(size: Any) -> int:
    if isinstance(size, bool) or not isinstance(size, int | float | np.number):
        raise TypeError(f"size must be a number, not {size!r}")
    if not np.isfinite(size) or size < 0:
        raise ValueError(f"size must be 0 or more, not {size!r}")
    return int(size)


def _items(x: Any) -> tuple[np.ndarray | None, int]:
    """Return the items and their number; None stands for 1..n."""
    if np.ndim(x) == 0 and isinstance(x, int | float | np.number) and not isinstance(x, bool):
        if np.isfinite(x) and x >= 1:
            return None, int(x)
        return np.array([x]), 1
    if np.ndim(x) != 1:
        raise TypeError(f"x must be a number or a vector, not {x!r}")
    items = x.to_numpy() if isinstance(x, pd.Series | pd.Index) else np.asarray(x)
    return items, len(items)


def _weights(prob: Any, n: int, draws: int, replace: bool) -> np.ndarray:
    weights = np.asarray(prob)
    if weights.dtype.kind not in "biuf":
        raise TypeError(f"prob must hold numbers, not {prob!r}")
    weights = weights.astype(np.float64)
    if weights.shape != (n,):
        raise ValueError(f"prob has shape {weights.shape}; pass one weight for each of {n} items")
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError("prob must hold finite weights of 0 or more; replace NaN, infinite and negative ones")
    positive = int((weights > 0).sum())
    if positive == 0 or (not replace and draws > positive):
        raise ValueError(
            f"prob has {positive} positive weights, too few to draw {draws} items; pass a smaller size or replace=True"
        )
    return weights
