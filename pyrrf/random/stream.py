"""Streams of random numbers: one for each call, for threads, and after an error.

As in R a process has one stream. These rules hold for a whole call by the user, with all forests that
it grows:

- With `seed` a call has a private stream, from its first draw to its last. No other thread draws from
  it. If the call succeeds, its stream becomes that of the process, as after ``set.seed(seed)`` and the
  call in R. If it fails or is interrupted, the stream of the process stays as it was.
- Without `seed` a call draws from the stream of the process, as in R. If it fails or is interrupted, what it
  drew is taken back. If several threads make such calls, one call runs at a time and the others wait.
- Functions that are passed to a call, such as `mtry` of ``rrfcv``, draw from the stream of the call.
  They must not wait for another thread that draws without a seed, because that thread waits for the call.
- How items are sampled, "Rejection" or "Rounding", stays when a stream is seeded, as in R.

After ``os.fork()`` the child starts with a copy of the stream.
"""

from __future__ import annotations

import math
import operator
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from pyrrf._core import Stream
from pyrrf.errors import bad


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
        process, which is locked until the block ends; an error restores it.

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
        with _taken_back_on_error(outer):
            yield outer
    else:
        with _PROCESS.lock, _inside(_PROCESS.stream) as stream, _taken_back_on_error(stream):
            yield stream


@contextmanager
def _taken_back_on_error(stream: Stream) -> Iterator[None]:
    """Restore a stream if the block ends in an error or an interrupt."""
    before, rounding = stream.get_state(), stream.rounding
    try:
        yield
    except BaseException:
        stream.set_state(*before)
        stream.rounding = rounding
        raise


@contextmanager
def private_stream(seed: Any) -> Iterator[Stream]:
    """Yield a stream of this block alone; it is not used afterwards.

    Parameters
    ----------
    seed : int
        Seed of the stream, as for `set_seed`.

    Yields
    ------
    Stream

    Raises
    ------
    TypeError, ValueError
        As for `set_seed`.
    """
    with _inside(new_stream(seed)) as stream:
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


def go_on_with(stream: Stream) -> None:
    """Let the call of this thread, or else the process, continue with the state of a stream."""
    _hand_over(stream, _THREAD.stream)


def _hand_over(stream: Stream, outer: Stream | None) -> None:
    """Let the surrounding call, or else the process, continue with the state of a stream."""
    if outer is None:
        _PROCESS.stream = stream
    else:
        outer.set_state(*stream.get_state())
        outer.rounding = stream.rounding


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


def draw_seed() -> int:
    """Draw the seed of a forest of engine parallel from the stream: 64 bits from two numbers."""
    with drawing() as stream:
        high, low = (int(u * 2.0**32) for u in stream.runif(2))
    return high << 32 | low


def new_stream(seed: Any) -> Stream:
    """Return a new stream of the current kind, seeded; every error names the argument."""
    stream = Stream()
    stream.rounding = (_THREAD.stream or _PROCESS.stream).rounding
    stream.set_seed(_whole(seed))
    return stream


def _whole(seed: Any) -> int:
    """Return a seed as R's as.integer() has it: fractions are cut off."""
    if isinstance(seed, float | np.floating) and math.isfinite(seed):
        seed = math.trunc(float(seed))
    try:
        value = operator.index(seed)
    except TypeError:
        raise bad.type(f"seed must be a number, not {seed!r}") from None
    if abs(value) > 2**31 - 1:
        raise bad.range(f"seed must be from -2147483647 to 2147483647, not {value}")
    return value
