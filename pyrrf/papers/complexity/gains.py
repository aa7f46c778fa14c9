"""Rogers and Gunn's importance of features: gains weighted by node complexity, intervals, chances of a draw."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrrf.errors import bad
from pyrrf.papers.complexity.expected_gain import expected_gain, gain_moments
from pyrrf.types import Floats, Ints

# Stirling's series is exact to double precision from here on.
_SMALL = 32
# Beyond this, floating-point numbers are not every whole number.
_WHOLE = 2**53


def node_complexity(counts: ArrayLike) -> Floats:
    """Return the information that the split of each node carries, if all arrangements of its rows are equally likely.

    Along one feature the rows of a node stand in one of ``n! / prod(counts!)`` arrangements of the classes. An
    arrangement and its mirror image have the same best cut, so that only the palindromes stand alone.

    Parameters
    ----------
    counts : array_like of int, shape (..., k)
        Rows of each class in each node, not negative; k classes, two or more.

    Returns
    -------
    ndarray of float64, shape (...)
        Bits; 0 for pure and empty nodes and for one row of each of two classes.

    Raises
    ------
    TypeError, ValueError
        `counts` does not hold numbers; a count is negative, not whole, or above 2**53.

    Notes
    -----
    ``log2(m) - (1 - a / m)``, with m arrangements, a of them palindromes. None is one with two or more odd counts; else
    half of the rows decide, ``a = (n // 2)! / prod((counts // 2)!)``, which for two classes is the paper's table 1.
    Nothing large is subtracted from something large, so the relative error is below 1e-13 for any n.

    References
    ----------
    Rogers and Gunn, Ensemble Algorithms for Feature Selection, section 2.2, eqs 6 to 10 and table 1, which have two
    classes.

    Examples
    --------
    >>> from pyrrf.papers import node_complexity
    >>> node_complexity([[1, 1], [2, 1], [5, 0], [300, 400]]).round(4).tolist()
    [0.0, 0.9183, 0.0, 683.6227]
    """
    table = np.asarray(counts)
    if table.dtype.kind not in "biuf":
        raise bad.type(f"counts must hold numbers, not dtype {table.dtype}")
    if table.ndim == 0 or not ((table >= 0) & (table <= _WHOLE) & (table == np.floor(table))).all():
        raise bad.range("counts: pass whole numbers from 0, one for each class along the last axis")
    table = table.astype(np.int64)
    bits = _log2_arrangements(table)
    mirrored = (table % 2).sum(axis=-1) < 2
    palindromes = np.where(mirrored, np.exp2(_log2_arrangements(table // 2) - bits), 0.0)
    return np.where(table.sum(axis=-1) > 2, bits - (1 - palindromes), 0.0)


def node_gains(left: Ints, counts: ArrayLike) -> Floats:
    """Return the information gain of each split of a tree in bits, 0 for a leaf (Rogers and Gunn, section 2.1, eq 5).

    `left` is the left daughter of each node, from 1, as in ``getTree``; `counts` are the rows of each class in each
    node, shape (nodes, k).

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.complexity.gains import node_gains
    >>> node_gains(np.array([2, 0, 0]), [[2, 2], [2, 0], [0, 2]]).tolist()
    [1.0, 0.0, 0.0]
    """
    table = np.asarray(counts, np.float64)
    total = table.sum(axis=1)
    share = table / np.maximum(total, 1)[:, None]
    bits = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    gain, parents = np.zeros(total.size), np.flatnonzero(left)
    first = left[parents] - 1
    below = total[first] * bits[first] + total[first + 1] * bits[first + 1]
    gain[parents] = np.maximum(bits[parents] - below / total[parents], 0.0)
    return gain


def gain_interval(
    mean: Floats, variance: Floats, size: Floats, quantile: Floats, highest: float = 1.0
) -> tuple[Floats, Floats]:
    """Return the confidence interval of each feature's expected gain (Rogers and Gunn, section 3.1, eqs 12 to 14).

    ``mean +- quantile * sqrt(variance / size)``, cut off at 0 and `highest`, the largest gain there can be, in bits.
    `size` is the paper's sample size m in units of weight, which need not be whole; `quantile` is that of Student's t
    with ``size - 1`` degrees of freedom at (1 + confidence) / 2. A variance that is not known is infinite. A feature
    with one unit or less has the interval 0 to `highest`. The paper has neither of these two rules.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.complexity.gains import gain_interval
    >>> mean, variance, size = np.array([0.5, 0.2]), np.array([0.04, 0.0]), np.array([5.0, 1.0])
    >>> lower, upper = gain_interval(mean, variance, size, np.full(2, 2.776))
    >>> lower.round(4).tolist(), upper.round(4).tolist()
    ([0.2517, 0.0], [0.7483, 1.0])
    """
    error = np.sqrt(variance / np.maximum(size, 1.0))
    half = np.where(size > 1, np.where(error > 0, quantile, 0.0) * error, np.inf)
    return np.maximum(mean - half, 0.0), np.minimum(mean + half, highest)


def interval_probabilities(lower: Floats, upper: Floats) -> Floats:
    """Return the most even chances of the features that their intervals allow (Rogers and Gunn, section 3.1).

    The centre is half way between the largest lower end and the smallest upper end; each feature takes the value of its
    interval that is nearest to the centre, and the values are divided by their sum. They are equal where all intervals
    share a point, and where no feature gains anything.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.complexity.gains import interval_probabilities
    >>> interval_probabilities(np.array([0.5, 0.1, 0.0]), np.array([0.7, 0.3, 1.0])).round(4).tolist()
    [0.4167, 0.25, 0.3333]
    """
    centre = (lower.max() + upper.min()) / 2
    return shares_of(np.clip(centre, lower, upper))


class GainRecord:
    """The gains of features in trees, weighted by node complexity, and the expected gains of irrelevant ones.

    `threshold` says which expected gain of an irrelevant feature is summed up, "midpoint" or "exact"; none by default.
    A split weighs as much as the complexity of its node. `sums`, shape (4, n_features), are those of weight, weight *
    gain, weight * gain ** 2 and weight ** 2 over the splits of each feature; `expected` is the sum of weight * expected
    gain over the nodes that a feature was measured at; `spread` the sum over the trees of the standard deviation of a
    tree's weighted gains, 0 for "midpoint" (Rogers and Gunn, sections 2.2 and 4).
    """

    def __init__(self, n_features: int, threshold: str | None = None) -> None:
        self.threshold = threshold
        self.sums = np.zeros((4, n_features))
        self.expected, self.spread = np.zeros(n_features), np.zeros(n_features)

    def add(self, feature: Ints, gain: Floats, counts: Floats) -> None:
        """Add the measurements of one tree: feature, gain in bits and the node's rows by class, shape (m, k)."""
        weight, p = node_complexity(counts), self.expected.size
        terms = (weight, weight * gain, weight * gain**2, weight**2)
        self.sums += [np.bincount(feature, term, p) for term in terms]
        if self.threshold is None:
            return
        n, i = counts.sum(axis=1), counts[:, 0]
        if self.threshold == "midpoint":
            self.expected += np.bincount(feature, weight * expected_gain(n, i), p)
            return
        mean, variance = gain_moments(n, i)
        self.expected += np.bincount(feature, weight * mean, p)
        self.spread += np.sqrt(np.bincount(feature, weight**2 * variance, p))

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Mask of the features with a mean: those measured at a node that carries information."""
        return np.asarray(self.sums[0] > 0)

    @property
    def mean(self) -> Floats:
        """Weighted mean of the gains of each feature; 0 for one that was not measured."""
        return np.asarray(self.sums[1] / np.where(self.seen, self.sums[0], 1.0))

    @property
    def variance(self) -> Floats:
        """Sample variance of the gains, unbiased for weights; infinite for a feature with fewer than two of them.

        With equal weights it is the usual one. A split of the root weighs several units: only the squares of the
        weights show that it is one observation.
        """
        total = np.where(self.seen, self.sums[0], 1.0)
        square = np.maximum(self.sums[2] / total - self.mean**2, 0.0)
        others = 1 - self.sums[3] / total**2
        several = self.seen & (others > 1e-9)
        return np.asarray(np.where(several, square / np.where(several, others, 1.0), np.inf))

    def bound(self, quantile: float = 0.0) -> Floats:
        """Return the expected mean of an irrelevant feature, plus `quantile` standard deviations.

        The order in which an irrelevant feature puts the rows of a node does not depend on the nodes above it, so that
        the gains of one tree are uncorrelated. Those of different trees, grown on the same rows, are taken to be fully
        correlated, which makes the deviation too large rather than too small. NaN for features not measured.
        """
        total = np.where(self.seen, self.sums[0], np.nan)
        return np.asarray((self.expected + quantile * self.spread) / total)


def shares_of(values: Floats) -> Floats:
    """Return values divided by their sum; equal ones where all are 0."""
    total = values.sum()
    return np.asarray(values / total) if total > 0 else np.full(values.size, 1 / values.size)


def accumulated_gains(impurity: float, gains: Floats, constant: float) -> Floats:
    """Return Borisov's chances of the features, from the gains of each in the trees so far (Rogers and Gunn, eq 11).

    ``C * I(X_i, 0) + sum over trees of I(X_i, j)``, divided by their sum; the paper prints w on both sides where the
    sum of the gains is meant. `impurity` is that of the whole data, and `gains` is the sum over the trees, shape (p,).
    The larger `constant`, the slower the chances become uneven.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers.complexity.gains import accumulated_gains
    >>> accumulated_gains(1.0, np.array([4.0, 1.0]), constant=0.5).round(4).tolist()
    [0.75, 0.25]
    """
    return shares_of(constant * impurity + gains)


def _log2_arrangements(counts: np.ndarray) -> Floats:
    """Return log2 of n! / prod(counts!), the counts along the last axis."""
    rows = counts.sum(axis=-1)
    # The main parts of Stirling's formula join into c log(n / c), of which no digits are lost.
    safe = np.maximum(counts, 1)
    main = (counts * np.log1p((rows[..., None] - counts) / safe)).sum(axis=-1) / math.log(2)
    return np.asarray(main + _rest_of_factorial(rows) - _rest_of_factorial(counts).sum(axis=-1))


def _rest_of_factorial(counts: np.ndarray) -> Floats:
    """Return log2(c!) - c log2(c) + c log2(e)."""
    large = np.maximum(counts, _SMALL).astype(np.float64)
    square = large * large
    series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / large
    stirling = (0.5 * np.log(2 * np.pi * large) + series) / math.log(2)
    return np.asarray(np.where(counts < _SMALL, _SMALL_RESTS[np.minimum(counts, _SMALL - 1)], stirling))


_SMALL_RESTS = np.array(
    [0.0] + [math.log2(math.factorial(c)) - c * math.log2(c) + c * math.log2(math.e) for c in range(1, _SMALL)]
)
