"""R's sequences: seq, rep, the colon; every item computed from the first as R does."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyrrf.checks import count, number
from pyrrf.r.compared import length
from pyrrf.r.sums import pmax, pmin
from pyrrf.rbase.arithmetic import spread_points
from pyrrf.rbase.vectors import MOST_INTEGER, atomic, double, taken

# R's share of a step by which the end may be missed, and of the ends below which they count as one.
_FUZZ = 1e-10
_ONE = 100 * float(np.finfo(np.float64).eps)


def colon(from_: Any, to: Any) -> np.ndarray:
    """Count up or down by 1 (R's ``from:to``).

    Parameters
    ----------
    from_, to : float
        Both ends count, as in R.

    Returns
    -------
    ndarray
        int64 if ``from_`` is a whole number.

    Raises
    ------
    ValueError
        An end is not finite.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.colon(3, 1)
    array([3, 2, 1])
    """
    first, last = number(from_, "from_"), number(to, "to")
    steps = np.arange(math.floor(abs(last - first) + _FUZZ) + 1)
    values = first + steps if first <= last else first - steps
    whole = first == math.floor(first) and max(abs(first), abs(values[-1])) <= MOST_INTEGER
    return values.astype(np.int64) if whole else values


def seq_len(length_out: int) -> np.ndarray:
    """1, 2, ..., n (R's ``seq_len``).

    Parameters
    ----------
    length_out : int

    Returns
    -------
    ndarray of int64

    Raises
    ------
    ValueError
        `length_out` is no whole number of at least 0.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.seq_len(3)
    array([1, 2, 3])
    """
    return np.arange(1, count(length_out, "length_out", minimum=0) + 1)


def seq_along(along_with: Any) -> np.ndarray:
    """1, 2, ..., as many as there are items (R's ``seq_along``).

    Parameters
    ----------
    along_with : sequence

    Returns
    -------
    ndarray of int64

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.seq_along(["a", "b"])
    array([1, 2])
    """
    return seq_len(length(along_with))


def seq(
    from_: Any = None, to: Any = None, by: Any = None, length_out: Any = None, along_with: Any = None
) -> np.ndarray:
    """Regular sequences (R's ``seq``): item i is ``from_ + i * by``, computed anew each time.

    Parameters
    ----------
    from_, to : float, optional
        Both are part of the sequence. ``from_`` alone counts 1, 2, ..., ``from_``; a vector alone
        counts its items.
    by : float, optional
        The step; 1 or -1 by default.
    length_out : float, optional
        How many items, rounded up.
    along_with : sequence, optional
        As many items as this has.

    Returns
    -------
    ndarray
        int64 where R has integers.

    Raises
    ------
    ValueError
        The arguments are too many, not finite, or `by` has the wrong sign.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.seq(0.1, 0.5, 0.1)
    array([0.1, 0.2, 0.3, 0.4, 0.5])
    >>> r.seq(0, 1, length_out=5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    if along_with is not None:
        length_out = len(along_with)
    given = [a is not None for a in (from_, to, by, length_out)]
    if given == [True, False, False, False]:
        return colon(1, from_) if np.ndim(from_) == 0 else seq_along(from_)
    if length_out is None:
        first, last = _end(from_, "from_", 1), _end(to, "to", 1)
        return colon(first, last) if by is None else _by(first, last, _end(by, "by", 1))
    if all(given) and number(length_out, "length_out") != 0:
        raise ValueError("seq() got from_, to, by and length_out; pass three of them at most")
    n = count(math.ceil(number(length_out, "length_out")), "length_out", minimum=0)
    if n == 0 or given == [False, False, False, True]:
        # R looks at the ends all the same.
        _end(from_, "from_", 1), _end(to, "to", 1)
        return seq_len(n)
    return _of_length(n, from_, to, by)


def _end(value: Any, name: str, default: int) -> int | float:
    """Return an end or a step; whole numbers of Python and NumPy stay whole, R's integers."""
    if value is None:
        return default
    found = number(value, name)
    return int(found) if isinstance(value, int | np.integer) else found


def _by(start: int | float, stop: int | float, by: int | float) -> np.ndarray:
    whole = all(isinstance(v, int) for v in (start, stop, by))
    span = float(stop) - float(start)
    if span == 0 and stop == 0:
        return np.array([stop])
    if by == 0 and span == 0:
        return np.array([start])
    finite = math.isfinite(span)
    steps = math.inf if by == 0 else (span / by if finite else stop / by - start / by)
    if not math.isfinite(steps) or steps < 0 or steps > MOST_INTEGER:
        raise ValueError(f"by={by} does not lead from {start} to {stop}; pass a step of the right sign and size")
    if finite and abs(span) / max(abs(stop), abs(start)) < _ONE:
        return np.array([start])
    if whole:
        return np.asarray(start + np.arange(int(steps) + 1) * by)
    places = np.arange(int(steps + _FUZZ) + 1)
    values = start + places * by if finite else (start / 4 + places * (by / 4)) * 4
    return np.asarray((pmin if by > 0 else pmax)(np.asarray(values, dtype=np.float64), float(stop)))


def _of_length(n: int, from_: Any, to: Any, by: Any) -> np.ndarray:
    if by is not None:
        step, end = _end(by, "by", 1), _end(from_, "from_", 1) if to is None else _end(to, "to", 1)
        # Products of doubles keep the sign of 0.
        step = float(step) if isinstance(end, float) else step
        return np.asarray(end + np.arange(n) * step if to is None else end - np.arange(n - 1, -1, -1) * step)
    first, last = _end(from_, "from_", 1), _end(to, "to", 1)
    if to is None:
        last = first + (n - 1)
    elif from_ is None:
        first = last - (n - 1)
    return spread_points(first, last, n)


def rep(x: Any, times: Any = 1, each: int = 1, length_out: int | None = None) -> Any:
    """Repeat a vector or its items (R's ``rep``).

    Parameters
    ----------
    x : array_like
    times : int or array_like of int, default 1
        How often the whole is repeated, or each item of it.
    each : int, default 1
        How often each item is repeated before that.
    length_out : int, optional
        Length of the result, in place of `times`.

    Returns
    -------
    ndarray, Series or Categorical

    Raises
    ------
    ValueError
        `times` has neither one number nor one for each item.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.rep([1, 2], times=2, each=2)
    array([1, 1, 2, 2, 1, 1, 2, 2])
    """
    places = np.repeat(np.arange(len(atomic(x))), count(each, "each", minimum=0))
    if length_out is not None:
        if not len(places) and length_out:
            raise ValueError("x has no items to repeat, for which R answers NA")
        return taken(x, np.resize(places, count(length_out, "length_out", minimum=0)))
    often = double(times, "times")
    if not np.isfinite(often).all() or (often < 0).any():
        raise ValueError(f"times must be 0 or more, not {times!r}")
    if len(often) not in (1, len(places)):
        raise ValueError(f"times has {len(often)} numbers; pass one, or one for each of {len(places)} items")
    places = np.tile(places, int(often[0])) if len(often) == 1 else np.repeat(places, often.astype(np.int64))
    return taken(x, places)
