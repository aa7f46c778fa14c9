"""Stability selection: complementary pairs of halves, and bounds on the false selections that they leave."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import choice, count, number, share
from pyrrf.types import Floats, Positions

# What is assumed of how often a feature that is seldom selected is selected, from nothing to the most.
ASSUMPTIONS = ("none", "unimodal", "r-concave")
# Frequencies are multiples of 1 / (2 * n_pairs); a product of floating point may miss them by this many steps.
_ROUNDING = 1e-9
# Steps of a bisection, and of the search for a maximum, in the shape of r-concave distributions, which is looked for
# from a distribution that is almost uniform to one that is almost all at 0.
_STEPS = 50
_FLATTEST, _STEEPEST = 1e7, 1e-9
# Points of a grid in which a maximum is looked for, and how often between the neighbours of the best point.
_GRID, _ZOOMS = 9, 7
# Bounds that differ by this share are the same.
_EQUAL = 1e-12


class NoThresholdError(ValueError):
    """No threshold keeps the expected number of false selections within a limit."""


# ---- halves --------------------------------------------------------------------------------------


def complementary_pairs(
    n: int, n_pairs: int, random: np.random.Generator, classes: ArrayLike | None = None
) -> Positions:
    """Draw pairs of halves of n rows that have no row in common, shape (n_pairs, 2, n // 2).

    Rows count from 0 and ascend; if n is odd, each pair leaves out one. Each of the `classes` is halved; where its
    number of rows is odd, the half that gets one row more is drawn.

    Notes
    -----
    R. Shah and R. Samworth, Variable selection with error control, 2013, section 2, definition 1. The paper has no
    classes.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.stability import complementary_pairs
    >>> complementary_pairs(6, 1, np.random.default_rng(1), ["a", "b", "a", "b", "a", "b"]).shape
    (1, 2, 3)
    """
    rows = count(n, "n", 2)
    codes = np.zeros(rows, np.int64)
    if classes is not None:
        given = np.asarray(classes)
        if given.shape != (rows,):
            raise ValueError(f"classes must have shape ({rows},), not {given.shape}")
        codes = np.unique(given, return_inverse=True)[1].astype(np.int64)
    pairs = np.empty((count(n_pairs, "n_pairs"), 2, rows // 2), np.int64)
    for pair in pairs:
        pair[:] = _halves(codes, random)
    return pairs


def _halves(codes: Positions, random: np.random.Generator) -> Positions:
    """Return two halves, shape (2, n // 2); rows that go next to each other in an order part ways."""
    shuffled = random.permutation(len(codes))
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    # The last row of a class of odd size has no partner in it; these rows are partners of each other.
    last = np.append(np.flatnonzero(np.diff(codes[by_class])), len(codes) - 1)
    sizes = np.diff(last, prepend=-1)
    alone = last[sizes % 2 == 1]
    partners = np.append(np.delete(by_class, alone), random.permutation(by_class[alone]))
    both = partners[: len(codes) // 2 * 2].reshape(-1, 2)
    return np.sort(random.permuted(both, axis=1).T, axis=1)


# ---- bounds --------------------------------------------------------------------------------------


def false_selection_bound(
    q: float, p: int, threshold: float, n_pairs: int = 50, assumption: str = "r-concave"
) -> float:
    """Return a bound on the expected number of features selected although they are seldom selected.

    What is selected is what at least `threshold` of the halves of complementary pairs select. Seldom selected is a
    feature which one half selects with a probability of at most q / p, that of a selection by lot.

    Parameters
    ----------
    q : float
        Features that one half selects on average, above 0 and at most p.
    p : int
        Number of features.
    threshold : float
        Above 0 and at most 1.
    n_pairs : int, default 50
    assumption : {"r-concave", "unimodal", "none"}, default 'r-concave'
        What is assumed of the distribution of how often a seldom selected feature is selected.

    Returns
    -------
    float
        At most p.

    Raises
    ------
    TypeError, ValueError
        An argument is out of its range.

    Notes
    -----
    R. Shah and R. Samworth, Variable selection with error control, 2013, section 3: "none" is theorem 1 with q / p as
    the probability, the number of theorem 1 of N. Meinshausen and P. Buehlmann, Stability selection, 2010, which holds
    for all irrelevant features if these are exchangeable; "unimodal" is theorem 2; "r-concave" is eq 8, with
    r = -1/2 for both halves of a pair at once and r = -1/4 for each. The first two bound no thresholds up to .5,
    and "unimodal" nothing more than "none" where q / p is above the square root of 1/3.

    Examples
    --------
    8 features out of 2,000 in each half; 8 * 8 / 2000 / (2 * 0.6 - 1) is .16:

    >>> from pyrrf.selectors import false_selection_bound
    >>> [round(false_selection_bound(8, 2000, 0.6, 50, each), 4) for each in ("none", "unimodal", "r-concave")]
    [0.16, 0.0842, 0.0214]
    """
    return float(_curve(q, p, n_pairs, assumption)[least_count(threshold, n_pairs) - 1])


def least_count(threshold: float, n_pairs: int) -> int:
    """Return how many of the 2 * n_pairs halves are at least the share `threshold` of them.

    Examples
    --------
    >>> from pyrrf.selectors.stability import least_count
    >>> least_count(0.6, 50), least_count(0.601, 50)
    (60, 61)
    """
    tau = number(threshold, "threshold")
    if not 0 < tau <= 1:
        raise ValueError(f"threshold must be above 0 and at most 1, not {threshold!r}")
    return int(np.ceil(tau * 2 * count(n_pairs, "n_pairs") - _ROUNDING))


def stability_threshold(q: float, p: int, pfer: float, n_pairs: int = 50, assumption: str = "r-concave") -> float:
    """Return the smallest threshold that keeps the expected number of false selections within a limit.

    Parameters
    ----------
    q : float
        Features that one half selects on average, above 0 and at most p.
    p : int
    pfer : float
        The limit, above 0: what `false_selection_bound` must not exceed, from the threshold on.
    n_pairs : int, default 50
    assumption : {"r-concave", "unimodal", "none"}, default 'r-concave'

    Returns
    -------
    float
        A multiple of 1 / (2 * n_pairs), up to 1.

    Raises
    ------
    NoThresholdError
        A ValueError: no threshold keeps the limit; the message names the numbers that do.
    TypeError, ValueError
        An argument is out of its range.

    Notes
    -----
    R. Shah and R. Samworth, Variable selection with error control, 2013, section 3, solved for the threshold.

    Examples
    --------
    With "none", 8 * 8 / 2000 / (2 * threshold - 1) is at most .16 from .6 on:

    >>> from pyrrf.selectors import stability_threshold
    >>> [stability_threshold(8, 2000, 0.16, 50, each) for each in ("none", "unimodal", "r-concave")]
    [0.6, 0.56, 0.33]
    """
    limit = _limit(pfer)
    curve = _curve(q, p, n_pairs, assumption)
    least = _rounded_up(float(curve[-1]))
    enough = curve <= limit * (1 + _EQUAL)
    if not enough[-1]:
        fewer = largest_selection(p, limit, n_pairs, assumption)
        few = np.floor(fewer * 100) / 100
        remedy = f"use a selector that selects at most {few:.4g} on average, or " if few >= 1 else ""
        raise NoThresholdError(
            f"the selector selects {q:.4g} of {p} features per half-sample, which is too many to bound the expected "
            f"number of false selections by pfer={limit:.4g}; {remedy}pass pfer={least:.4g} or more"
        )
    return float(np.flatnonzero(~enough).max(initial=-1) + 2) / len(curve)


def largest_selection(p: int, pfer: float, n_pairs: int = 50, assumption: str = "r-concave") -> float:
    """Return how many features a half may select on average so that some threshold keeps a limit.

    Parameters
    ----------
    p : int
    pfer : float
    n_pairs : int, default 50
    assumption : {"r-concave", "unimodal", "none"}, default 'r-concave'

    Returns
    -------
    float
        0 if even the smallest selections are too large.

    Raises
    ------
    TypeError, ValueError
        An argument is out of its range.

    Notes
    -----
    R. Shah and R. Samworth, Variable selection with error control, 2013, section 3, at a threshold of 1.

    Examples
    --------
    The square root of 2000, with a threshold of 1:

    >>> from pyrrf.selectors import largest_selection
    >>> round(largest_selection(2000, 1.0, 50, "none"), 2)
    44.72
    """
    features, limit = count(p, "p"), _limit(pfer)
    low, high = 0.0, float(features)
    while high - low > 1e-3:
        middle = (low + high) / 2
        fits = _curve(middle, features, n_pairs, assumption)[-1] <= limit
        low, high = (middle, high) if fits else (low, middle)
    return low


def _limit(pfer: float) -> float:
    limit = number(pfer, "pfer")
    if limit <= 0:
        raise ValueError(f"pfer must be above 0, not {pfer!r}")
    return limit


def _rounded_up(value: float) -> float:
    """Return a value with two digits that is not smaller."""
    digit = 10.0 ** (np.floor(np.log10(value)) - 1)
    return float(np.ceil(value / digit * (1 - _EQUAL)) * digit)


# ---- the bounds by threshold ----------------------------------------------------------------------


def _curve(q: float, p: int, n_pairs: int, assumption: str) -> Floats:
    """Return the bound at the thresholds 1 / (2 * n_pairs), 2 / (2 * n_pairs), ..., 1; it nowhere grows."""
    features, pairs = count(p, "p"), count(n_pairs, "n_pairs")
    choice(assumption, "assumption", ASSUMPTIONS)
    selected = number(q, "q")
    if not 0 < selected <= features:
        raise ValueError(f"q must be above 0 and at most p={features}, not {q!r}")
    theta = selected / features
    tail = _PROBABILITIES[assumption](theta, pairs)
    return np.asarray(np.minimum.accumulate(np.minimum(tail, 1.0)) * features)


def _markov(theta: float, pairs: int) -> Floats:
    """Return theta² / (2 tau - 1): both halves of a pair select a feature with probability theta² at most."""
    tau = np.arange(1, 2 * pairs + 1) / (2 * pairs)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(tau > 0.5, theta**2 / (2 * tau - 1), 1.0))


def _unimodal(theta: float, pairs: int) -> Floats:
    """Return theorem 2 of Shah and Samworth: C(tau, B) theta², or where it does not hold, theorem 1."""
    markov = _markov(theta, pairs)
    if theta > 3**-0.5:
        return markov
    tau, step = np.arange(1, 2 * pairs + 1) / (2 * pairs), 1 / (2 * pairs)
    first = min(0.5 + theta**2, 0.5 + step + 0.75 * theta**2)
    with np.errstate(divide="ignore"):
        lower = 1 / (2 * (2 * tau - 1 - step))
    constant = np.where(tau <= 0.75, lower, 4 * (1 - tau + step) / (1 + 2 * step))
    holds = (tau > first) & (tau > 0.5 + step * 1.5)
    return np.asarray(np.where(holds, np.minimum(constant * theta**2, markov), markov))


def _r_concave(theta: float, pairs: int) -> Floats:
    """Return eq 8 of Shah and Samworth: what both halves at once say beyond .5, and each half alone everywhere.

    What is r-concave is unimodal, whose bound is the smaller one for large theta.
    """
    both = np.append(np.ones(pairs), r_concave_tail(theta**2, pairs, -1 / 2))
    return np.asarray(np.minimum.reduce([both, r_concave_tail(theta, 2 * pairs, -1 / 4), _unimodal(theta, pairs)]))


_PROBABILITIES: dict[str, Callable[[float, int], Floats]] = {
    "none": _markov,
    "unimodal": _unimodal,
    "r-concave": _r_concave,
}


def r_concave_tail(mean: float, size: int, r: float) -> Floats:
    """Return the largest tail probabilities of r-concave distributions on 0, 1/size, ..., 1 with a mean.

    A distribution is r-concave, for negative r, if its probabilities to the power r are convex. Of t / size and more,
    for t = 1, ..., size; taken as 1 where t / size is at most twice the mean, rounded up to the next multiple of 1 /
    size.

    Notes
    -----
    R. Shah and R. Samworth, Variable selection with error control, 2013, section 3.3 and appendix A.4: the largest
    probabilities are those of distributions whose probabilities of 0, ..., k are proportional to (a + i)^(1/r), with
    what is left at k + 1, where a lies between its values for no rest with k + 1 and with k as the last.

    Examples
    --------
    >>> from pyrrf.selectors.stability import r_concave_tail
    >>> r_concave_tail(0.1, 5, -0.5).round(3)
    array([1.   , 0.133, 0.065, 0.033, 0.014])
    """
    n = count(size, "size")
    centre, power = share(mean, "mean") * n, number(r, "r")
    if power >= 0:
        raise ValueError(f"r must be below 0, not {r!r}")
    tail, start = np.ones(n), int(np.ceil(2 * centre - _ROUNDING))
    if centre == 0:
        return np.zeros(n)
    if start >= n:
        return tail
    last = np.arange(start, n + 1)
    logs = _logs_without_rest(last, centre, 1 / power)
    # There is no point beyond n for a rest, so that the widest support has one shape.
    low = np.append(logs[1:], logs[-1])
    grid = np.linspace(low, logs, _GRID, axis=1)
    found = _tails(grid, last, n, centre, 1 / power)
    tail[start:] = _largest(found, grid, last, centre, 1 / power)[start:]
    return tail


def _logs_without_rest(last: Positions, centre: float, s: float) -> Floats:
    """Return log a for which (a + i)^s, i = 0, ..., last, has the mean `centre`: the flatter, the larger the mean."""
    i = np.arange(last[-1] + 1)
    low, high = (np.full(len(last), np.log(border)) for border in (_STEEPEST, _FLATTEST))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        weight = (np.exp(middle)[:, None] + i) ** s * (i <= last[:, None])
        flat = weight @ i > centre * weight.sum(axis=1)
        low, high = np.where(flat, low, middle), np.where(flat, middle, high)
    return np.asarray((low + high) / 2)


def _tails(logs: Floats, last: Positions, n: int, centre: float, s: float) -> Floats:
    """Return the probabilities of t = 1, ..., n and more; logs of shape (m, g) and last of shape (m,): (m, g, n)."""
    i, support = np.arange(n + 1), last[:, None, None]
    weight = (np.exp(logs)[..., None] + i) ** s * (i <= support)
    scale = (last[:, None] + 1 - centre) / ((support + 1 - i) * weight).sum(axis=2)
    below = scale[..., None] * weight.cumsum(axis=2)[..., :-1]
    return np.where(i[1:] <= support + 1, np.maximum(1 - below, 0.0), 0.0)


def _largest(found: Floats, grid: Floats, last: Positions, centre: float, s: float) -> Floats:
    """Return the largest of each tail, looked for closer and closer around the largest of a grid."""
    n = found.shape[2]
    row, at = np.divmod(found.reshape(-1, n).argmax(axis=0), _GRID)
    each, logs = np.arange(n), grid[row]
    best = found.max(axis=(0, 1))
    for _ in range(_ZOOMS):
        logs = np.linspace(logs[each, np.maximum(at - 1, 0)], logs[each, np.minimum(at + 1, _GRID - 1)], _GRID, axis=1)
        closer = _tails(logs, last[row], n, centre, s)[each, :, each]
        at = closer.argmax(axis=1)
        best = np.maximum(best, closer.max(axis=1))
    return np.asarray(best)
