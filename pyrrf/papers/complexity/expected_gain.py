"""Gains of an irrelevant feature at a node: Rogers and Gunn's bounds, and the exact distribution.

At a node of n rows, i of them of one class, an irrelevant feature puts the rows in a random order. Reading the order
from its low end is a walk from (0, 0) to (n, i), where (k, j) says that j of the first k rows are of that class, and
all C(n, i) walks are equally likely. A cut after k rows gains an amount that (k, j) alone decides, so the best cut
gains at most t when the walk keeps to the points that gain at most t. Counting such walks takes n * i steps, not C(n,
i).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import choice, count, inner_share, number
from pyrrf.errors import bad
from pyrrf.types import Floats

_KINDS = ("lower", "upper", "midpoint", "exact")
# Up to this many rows, moments are exact; beyond, they are interpolated.
_EXACT_ROWS = 50
# The largest node of the grid has 50 * 2 ** (18 / 3) = 3,200 rows.
_LAST_STEP = 18
# Up to this many rows, the gain that `gamma_threshold` compares with is exact.
_EXACT_QUANTILE = 100
# Distinct gains are put into this many groups where there are many more.
_GROUPS = 128
# Cells of the largest table of walks: 400 MB.
_MOST_CELLS = 50_000_000
# No node has more rows, and numbers up to this are whole in every type.
_ROWS = 2**53


def expected_gain(n: ArrayLike, i: ArrayLike, kind: str = "midpoint") -> Floats:
    """Return the information gain to be expected of the best cut of an irrelevant feature at nodes of two classes.

    Parameters
    ----------
    n : array_like of int
        Rows of each node.
    i : array_like of int
        Rows of one of the classes, 0 to `n`; broadcast with `n`. The bounds do not look at it, but that a pure node
        gains 0.
    kind : {"lower", "upper", "midpoint", "exact"}, default 'midpoint'
        "lower" is the paper's bound E(IG_L), which is exact for even `n` and ``i = 1``; "upper" its approximation
        E(IG_U) of what nodes with equal classes gain; "midpoint" is half their sum, the paper's threshold. "exact"
        counts walks.

    Returns
    -------
    ndarray of float64, shape as `n` and `i` broadcast
        Bits; 0 where all rows are of one class.

    Raises
    ------
    ValueError
        `kind` is unknown, or `i` is not within 0 to `n`.

    Notes
    -----
    "upper" is no bound: at n = 10, i = 5 the expected gain is .2710 and "upper" is .2672. From n = 100 on it is too
    large, by 40 % at n = 1,000. Nor do nodes with equal classes always gain most: at n = 4, i = 1 gains .5613, i = 2
    .5409.

    "exact" is exact up to 50 rows. Above, it is interpolated between nodes whose distinct gains are put into 128
    groups, with a relative error below .5 %.

    References
    ----------
    Rogers and Gunn, Ensemble Algorithms for Feature Selection, section 4, eqs 21 and 22.

    Examples
    --------
    >>> from pyrrf.papers import expected_gain
    >>> expected_gain([10, 10, 10], [1, 5, 10], "exact").round(4).tolist()
    [0.2368, 0.271, 0.0]
    >>> expected_gain(10, 5, "upper").round(4).item()
    0.2672
    """
    if choice(kind, "kind", _KINDS) == "exact":
        return gain_moments(n, i)[0]
    n, i = _checked_nodes(n, i)
    mixed = (i > 0) & (i < n)
    size = np.where(mixed, n, 2).astype(np.float64)
    # Eq 21 and eq 22.
    lower = 1 / size - (size - 1) / size * np.log2((size - 1) / size)
    upper = (size / 2) ** -0.82
    gain = {"lower": lower, "upper": upper, "midpoint": (lower + upper) / 2}[kind]
    return np.where(mixed, gain, 0.0)


def gain_moments(n: ArrayLike, i: ArrayLike) -> tuple[Floats, Floats]:
    """Return mean and variance of the gain of the best cut of an irrelevant feature at nodes of two classes.

    Nodes are given as for `expected_gain`; gains are bits. Exact up to 50 rows; above, the mean is within .5 % and the
    variance within 5 %; above 3,200 rows, extrapolated.

    Notes
    -----
    In units of one chi-square of a cut the moments change slowly: with log log n, and with log i for small i. Large
    nodes are interpolated between those of 50 * 2 ** (k / 3) rows and of i = 1, 2, 3, 4, 6, 8, 12, ... Nodes of
    more than 3,200 rows are extrapolated with log n, which is 0 to 4 % too high at 25,000.

    References
    ----------
    Rogers and Gunn, section 4, who give the expectation for small nodes (figure 2) and leave the variance out.

    Examples
    --------
    >>> from pyrrf.papers.complexity.expected_gain import gain_moments
    >>> mean, variance = gain_moments([2, 4], [1, 1])
    >>> mean.round(4).tolist(), variance.round(4).tolist()
    ([1.0, 0.5613], [0.0, 0.0625])
    """
    n, i = _checked_nodes(n, i)
    pairs, back = np.unique(np.stack([n.ravel(), np.minimum(i, n - i).ravel()]), axis=1, return_inverse=True)
    moments = np.array([_node_moments(int(rows), int(few)) for rows, few in pairs.T]).reshape(-1, 2)
    mean, variance = moments[back.ravel()].T.reshape(2, *n.shape)
    return mean, variance


def gain_distribution(n: int, i: int, criterion: str = "entropy", groups: int | None = None) -> tuple[Floats, Floats]:
    """Return the distribution of the gain of the best cut of an irrelevant feature at a node of two classes.

    The gains, ascending, and their probabilities, for n rows, i of them of one class. Gains that are near each other
    are put together where there are more than `groups` of them; exact by default.

    Notes
    -----
    O(m n i) operations, where m is the number of distinct gains, at most n * i / 2, or `groups`. Neither n i nor m i
    may be above 50 million.

    References
    ----------
    Rogers and Gunn, section 4, who list all arrangements.

    Examples
    --------
    >>> from pyrrf.papers.complexity.expected_gain import gain_distribution
    >>> gain, probability = gain_distribution(4, 2)
    >>> gain.round(4).tolist(), probability.round(4).tolist()
    ([0.3113, 1.0], [0.6667, 0.3333])
    """
    n, i = count(n, "n", 0), count(i, "i", 0)
    if not 0 < i < n:
        raise bad.range(f"i: {i} is not within 1 to n - 1 = {n - 1}; pass a node of two classes")
    i = min(i, n - i)
    if n * i > _MOST_CELLS:
        raise bad.range(f"n and i: {n} rows, {i} of a class, need a table of gigabytes; pass a smaller node", "n")
    gain = _cut_gains(n, i, criterion)
    # Cuts that gain the same but for rounding count as one gain.
    values = np.unique(np.round(gain[1:n][np.isfinite(gain[1:n])], 13))
    ends, means = _group_neighbours(values, _chi_square_unit(n, i, criterion), groups)
    if ends.size * i > _MOST_CELLS:
        raise bad.range(f"groups: {ends.size} distinct gains need a table of gigabytes; pass groups=128")
    probability = np.diff(_share_below(gain, ends + 1e-12), prepend=0.0)
    possible = probability > 0
    return means[possible], probability[possible]


def gamma_threshold(
    n: int, i: int, *, candidates: int = 1, level: float = 0.05, importance: float = 0.0, base: float = 1.0
) -> float:
    """Return the least `gamma` of GRRF with which irrelevant features cannot pay to enter F at a node.

    Parameters
    ----------
    n, i : int
        Rows of the node, and those of one of its two classes, 1 to ``n - 1``.
    candidates : int, default 1
        Irrelevant features that the node looks at, independent of each other.
    level : float, default 0.05
        Chance that one of them pays, nevertheless, above 0 and below 1.
    importance : float, default 0.0
        Importance of an irrelevant feature in the guiding forest, as a share of the largest one.
    base : float, default 1.0
        GRRF's ``lambda_0``, above `importance`.

    Returns
    -------
    float
        0 to 1; 1 where none is large enough.

    Raises
    ------
    TypeError, ValueError
        An argument is not a number, or out of its range.

    Notes
    -----
    A split by a new feature is worth ``lambda * (c + g)``, where c is the sum of the squared shares of the classes and
    g the decrease of the Gini index; one by a feature in F is worth c or more, as long as that splits the node at all
    (``penalty="criterion"``). With q the quantile ``1 - level`` of the largest g of the candidates, the feature cannot
    pay if ``lambda <= c / (c + q)``, and ``lambda = (1 - gamma) * base + gamma * importance``. Above 100 rows q is one
    of 128 grouped gains. Where no feature in F splits the node, as at the first node of all, nothing has to be beaten,
    and the best feature enters F whatever `gamma` is.

    Means of 10 splits of gene sets with as many columns of noise as genes, 300 trees, compared with the choice of gamma
    by cross-validation, which takes 80 times as many fits. Deeper nodes than the root let some noise in. None of the
    three differences between errors is larger than chance makes them:

    ========  =========  =====  ========  =================  =====
    set       gamma by   gamma  features  noise among them   error
    ========  =========  =====  ========  =================  =====
    colon     threshold  .24    9.7       1.6                .175
    colon     5 folds    .21    39.5      15.8               .200
    leukemia  threshold  .29    3.7       .1                 .083
    leukemia  5 folds    .40    8.9       .8                 .058
    prostate  threshold  .19    13.6      5.1                .109
    prostate  5 folds    .15    27.0      12.1               .100
    ========  =========  =====  ========  =================  =====

    No paper has this: it is the threshold of Rogers and Gunn, section 4, put to the penalty of Deng and Runger, Gene
    selection with guided regularized random forest, eq 4.

    Examples
    --------
    >>> from pyrrf.papers import gamma_threshold
    >>> round(gamma_threshold(62, 22, candidates=44), 3)
    0.174
    """
    inner_share(level, "level")
    count(candidates, "candidates")
    if not 0 <= number(importance, "importance") < number(base, "base") <= 1:
        raise bad.range(f"importance and base: pass 0 <= importance < base <= 1, not {importance} and {base}")
    gain, probability = gain_distribution(n, i, "gini", None if n <= _EXACT_QUANTILE else _GROUPS)
    below = np.cumsum(probability) ** candidates
    highest = gain[min(int(np.searchsorted(below, 1 - level)), gain.size - 1)]
    purity = 1 - 2 * i * (n - i) / n**2
    paid = purity / (purity + highest)
    return float(np.clip((base - paid) / (base - importance), 0.0, 1.0))


def _checked_nodes(n: ArrayLike, i: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    n, i = np.broadcast_arrays(_whole(n, "n"), _whole(i, "i"))
    if ((i < 0) | (i > n)).any():
        raise bad.range("i: a node has fewer than 0 rows of a class, or more than n; pass 0 to n")
    return n, i


def _whole(values: ArrayLike, name: str) -> np.ndarray:
    array = np.asarray(values)
    if array.size and (array.dtype.kind not in "biuf" or not (np.abs(array) <= _ROWS).all()):
        raise bad.range(f"{name} must hold numbers of rows, not {values!r}")
    whole = array.astype(np.int64)
    if (whole != array).any():
        raise bad.range(f"{name} must hold whole numbers, not {values!r}")
    return whole


def _impurity(share: Floats, criterion: str) -> Floats:
    if criterion == "gini":
        return 2 * share * (1 - share)
    inner = np.where((share > 0) & (share < 1), share, 0.5)
    bits = -inner * np.log2(inner) - (1 - inner) * np.log2(1 - inner)
    return np.where(inner == share, bits, 0.0)


def _cut_gains(n: int, i: int, criterion: str) -> Floats:
    """Return the gain of a cut after k rows, j of them of the class: shape (n + 1, i + 1), infinite off all walks."""
    k, j = np.arange(n + 1)[:, None], np.arange(i + 1)[None, :]
    left = k / n * _impurity(j / np.maximum(k, 1), criterion)
    right = (n - k) / n * _impurity((i - j) / np.maximum(n - k, 1), criterion)
    reached = (j <= k) & (i - j <= n - k)
    gain = np.where(reached, _impurity(np.array(i / n), criterion) - left - right, np.inf)
    return np.asarray(gain, np.float64)


def _chi_square_unit(n: int, i: int, criterion: str) -> float:
    """Return the gain of a cut in a large node whose test of independence is a chi-square of 1."""
    return 1 / (2 * n * np.log(2)) if criterion == "entropy" else 2 * i * (n - i) / n**3


def _group_neighbours(values: Floats, unit: float, groups: int | None) -> tuple[Floats, Floats]:
    """Return the largest and the mean value of each group of neighbours; each value is its own group where few are."""
    if groups is None or values.size <= groups:
        return values, values
    # Even steps of the root of chi-square hold nearly all of the distribution; a quarter of the groups is for its tail.
    body = 7.0
    root = np.sqrt(np.maximum(values, 0) / unit)
    tail = np.geomspace(body, max(root[-1], body) * 1.01, groups // 4 + 1)
    edges = np.concatenate([np.linspace(0, body, groups - groups // 4 + 1)[1:], tail[1:]])
    starts = np.flatnonzero(np.diff(np.searchsorted(edges, root), prepend=-1))
    sizes = np.diff(starts, append=values.size)
    return values[starts + sizes - 1], np.add.reduceat(values, starts) / sizes


def _share_below(gain: Floats, bound: Floats) -> Floats:
    """Return the share of walks from (0, 0) to (n, i) whose points all gain at most each bound."""
    n, i = gain.shape[0] - 1, gain.shape[1] - 1
    half = n // 2
    first = _chances_below(gain, bound, half)
    # Seen from (n, i) the second half of a walk is the first part of another one, since gains are symmetric.
    second = first if 2 * half == n else _chances_below(gain, bound, half + 1)
    return np.asarray((first * (second[:, ::-1] / _chances_at(n, i, half))).sum(axis=1))


def _chances_below(gain: Floats, bound: Floats, rows: int) -> Floats:
    """Return the chances to be at (rows, j) without a point that gains more than each bound: shape (m, i + 1)."""
    n, i = gain.shape[0] - 1, gain.shape[1] - 1
    # Column j + 1 is for j; column 0 stays 0.
    chance = np.zeros((bound.size, i + 2))
    chance[:, 1] = 1.0
    low = 0
    for k in range(1, rows + 1):
        # Allowed points are a convex set, so that the first and the last one only move up.
        first, last = np.flatnonzero(gain[k] <= bound[-1])[[0, -1]]
        j = np.arange(first, last + 1)
        # The next row is of the class with chance (rows of the class left) / (rows left).
        stay, step = 1 - (i - j) / (n - k + 1), (i - j + 1) / (n - k + 1)
        moved = chance[:, first + 1 : last + 2] * stay + chance[:, first : last + 1] * step
        moved *= gain[k, first : last + 1] <= bound[:, None]
        chance[:, low + 1 : first + 1] = 0.0
        chance[:, first + 1 : last + 2] = moved
        low = first
    return chance[:, 1:]


def _chances_at(n: int, i: int, rows: int) -> Floats:
    """Return the chances that j of the first `rows` rows are of the class, shape (i + 1,); infinite off all walks."""
    j = np.arange(max(0, rows - (n - i)), min(i, rows) + 1)
    ratio = (i - j) * (rows - j) / ((j + 1.0) * (n - i - rows + j + 1))
    logs = np.cumsum(np.log(ratio[:-1])) if j.size > 1 else np.zeros(0)
    weight = np.exp(np.concatenate([[0.0], logs]) - max(0.0, logs.max(initial=0.0)))
    chance = np.full(i + 1, np.inf)
    chance[j] = np.maximum(weight / weight.sum(), np.finfo(np.float64).tiny)
    return chance


def _moments(n: int, i: int) -> tuple[float, float]:
    gain, probability = gain_distribution(n, i, groups=None if n <= _EXACT_ROWS else _GROUPS)
    mean = float(gain @ probability)
    return mean, float((gain - mean) ** 2 @ probability)


@cache
def _node_moments(n: int, i: int) -> tuple[float, float]:
    """Return mean and variance at a node of n rows, i <= n / 2 of them of one class."""
    if i == 0:
        return 0.0, 0.0
    if n <= _EXACT_ROWS:
        return _moments(n, i)
    step = math.floor(3 * math.log2(n / _EXACT_ROWS))
    # Beyond the last knot, whose walks take megabytes, the line through it and the one of half as many rows goes on.
    steps = (step, step + 1) if step < _LAST_STEP else (_LAST_STEP - 3, _LAST_STEP)
    few, many = (round(_EXACT_ROWS * 2 ** (k / 3)) for k in steps)
    scaled = _between(n, few, many, lambda rows: _scaled_moments(rows, min(i, rows // 2)))
    unit = _chi_square_unit(n, i, "entropy")
    return float(scaled[0]) * unit, float(scaled[1]) * unit**2


def _scaled_moments(n: int, i: int) -> Floats:
    """Return mean and variance in units of one chi-square, interpolated between the knots of i next to it."""
    octave = 2 ** (i.bit_length() - 1)
    few, many = (octave, 3 * octave // 2) if 2 * i < 3 * octave else (3 * octave // 2, 2 * octave)
    return _between(i, few, min(many, n // 2), lambda knot: _knot_moments(n, knot))


@cache
def _knot_moments(n: int, i: int) -> Floats:
    unit = _chi_square_unit(n, i, "entropy")
    mean, variance = _moments(n, i)
    return np.array([mean / unit, variance / unit**2])


def _between(at: int, low: int, high: int, values: Callable[[int], Floats]) -> Floats:
    """Return `values` interpolated between low and high by log(at)."""
    if at <= low or high <= low:
        return values(low)
    share = math.log(at / low) / math.log(high / low)
    return (1 - share) * values(low) + share * values(high)
