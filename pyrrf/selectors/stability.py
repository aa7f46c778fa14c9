"""Stability selection: complementary pairs of halves, and bounds on the noise features that they select."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import choice, count, number
from pyrrf.errors import bad
from pyrrf.types import Floats, Positions

# Assumptions about how often both halves of a pair select noise.
ASSUMPTIONS = ("none", "unimodal")
# Frequencies are multiples of 1 / (2 * n_pairs); a product of floating point may miss them by this many steps.
_ROUNDING = 1e-9
# A feature of noise may be selected on this share of the halves, and the sum of the squares may be this share of the
# limit, which a threshold of about .6 then keeps.
_LARGEST_SHARE, _BUDGET = 0.25, 0.5
# Bounds that differ by this share are the same.
_EQUAL = 1e-12


class NoThresholdError(ValueError):
    """No threshold keeps the expected number of selected noise features within a limit."""


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
            raise bad.shape(f"classes must have shape ({rows},), not {given.shape}")
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


# ---- features of noise -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class NoiseLevel:
    """Scores of features that are noise, learned from shuffled ones."""

    cut: Floats  # float64, shape (p,): a half selects a feature if its score is above
    frequencies: Floats  # float64, shape (p,): how often a score of the shuffled feature is
    q: float  # features that a half would select if all were noise: p times the root mean square of the probabilities


def noise_level(shuffled: Floats, pfer: float) -> NoiseLevel:
    """Return the score that each feature must exceed, and how often it does so if it is noise.

    A selector may prefer some features, such as numbers of many values, even if they are noise. So each feature is
    compared with its own scores in fits for which its values were shuffled. Where these are above 0 too often, only
    scores above the (k + 1)-th largest of them count, with the largest k, up to a quarter of the fits, for which
    thresholds of about .6 bound the expected number of selected noise features by `pfer`.

    Parameters
    ----------
    shuffled : ndarray of float64, shape (m, p)
        The scores of each feature in m fits for which it was shuffled; 0 where it was not selected. If all are 0 or 1,
        there is no larger score to ask for.
    pfer : float

    Returns
    -------
    NoiseLevel

    Notes
    -----
    The bound needs the mean square of the probabilities to be selected by chance. Two new scores are both above the
    (k + 1)-th largest of m with probability (k + 1)(k + 2) / ((m + 1)(m + 2)), and for a feature with e of m scores
    above 0, e (e - 1) / (m (m - 1)) estimates its square without bias.

    Examples
    --------
    The first feature is selected whenever it is shuffled, the second one never.

    >>> import numpy as np
    >>> from pyrrf.selectors.stability import noise_level
    >>> level = noise_level(np.column_stack([np.arange(1, 21) / 20, np.zeros(20)]), pfer=1.0)
    >>> level.cut.tolist(), level.frequencies.tolist(), round(level.q, 2)
    ([0.8, 0.0], [0.2, 0.0], 0.36)
    """
    m, p = shuffled.shape
    often, limit = (shuffled > 0).sum(axis=0), number(pfer, "pfer", above=0)

    def squares(allowed: int) -> Floats:
        """Return the squared probability of each feature if `allowed` of its shuffled scores may be above the cut."""
        above = (allowed + 1) * (allowed + 2) / ((m + 1) * (m + 2))
        return np.asarray(np.where(often > allowed, above, often * (often - 1) / max(m * (m - 1), 1)))

    allowed = m
    if not np.isin(shuffled, (0.0, 1.0)).all():
        tried = range(int(_LARGEST_SHARE * (m + 1)) - 1, 0, -1)
        allowed = next((one for one in tried if squares(one).sum() <= _BUDGET * limit), 0)
    ordered = np.sort(shuffled, axis=0)[::-1]
    cut = np.where(often > allowed, ordered[min(allowed, m - 1)], 0.0)
    # Never less than if all features were selected with their mean probability: rare selections may not have come up.
    mean = (np.minimum(often, allowed + 1).sum() + 1) / (m * p + 1)
    return NoiseLevel(
        cut=cut,
        frequencies=np.minimum(often, allowed) / m,
        q=float(np.sqrt(p * max(squares(allowed).sum(), p * mean**2))),
    )


# ---- bounds --------------------------------------------------------------------------------------


def false_selection_bound(q: float, p: int, threshold: float, n_pairs: int = 50, assumption: str = "unimodal") -> float:
    """Return a bound on the expected number of features of noise that are selected.

    Selected is what at least `threshold` of the halves of complementary pairs select. Noise is a feature that one half
    selects with a probability of at most q / p.

    Parameters
    ----------
    q : float
        Features that one half selects on average if all are noise, above 0 and at most p.
    p : int
        Number of features.
    threshold : float
        Above 0 and at most 1.
    n_pairs : int, default 50
        Number of pairs of half-samples.
    assumption : {"none", "unimodal"}, default 'unimodal'
        What is assumed of the distribution, over samples, of how often both halves of a pair select a feature of noise:
        nothing, or that it has one mode.

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
    for all irrelevant features if these are exchangeable; "unimodal" is theorem 2. They bound no thresholds up to .5,
    and "unimodal" nothing more than "none" where q / p is above the square root of 1/3. Eq 8 of the former paper, for
    distributions that are r-concave, is left out: of 1,000 features of noise in 200 rows, of which a half selects the
    10 that are most correlated with y, 2.8 (standard error .2) were selected where it bounds their expected number by
    .9.

    Examples
    --------
    8 features out of 2,000 in each half; 8 * 8 / 2000 / (2 * 0.6 - 1) is .16:

    >>> from pyrrf.selectors import false_selection_bound
    >>> [round(false_selection_bound(8, 2000, 0.6, 50, each), 4) for each in ("none", "unimodal")]
    [0.16, 0.0842]
    """
    return float(_curve(q, p, n_pairs, assumption)[least_count(threshold, n_pairs) - 1])


def least_count(threshold: float, n_pairs: int) -> int:
    """Return the least number of the 2 * n_pairs halves that is at least the share `threshold` of them.

    Examples
    --------
    >>> from pyrrf.selectors.stability import least_count
    >>> least_count(0.6, 50), least_count(0.601, 50)
    (60, 61)
    """
    tau = number(threshold, "threshold", above=0, most=1)
    return int(np.ceil(tau * 2 * count(n_pairs, "n_pairs") - _ROUNDING))


def stability_threshold(q: float, p: int, pfer: float, n_pairs: int = 50, assumption: str = "unimodal") -> float:
    """Return the smallest threshold that keeps the expected number of selected noise features within a limit.

    Parameters
    ----------
    q : float
        Features that one half selects on average if all are noise, above 0 and at most p.
    p : int
        Number of features.
    pfer : float
        The limit, above 0: what `false_selection_bound` must not exceed, from the threshold on.
    n_pairs : int, default 50
        Number of pairs of half-samples.
    assumption : {"none", "unimodal"}, default 'unimodal'
        What is assumed of how often both halves of a pair select a feature of noise; as in `false_selection_bound`.

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
    >>> [stability_threshold(8, 2000, 0.16, 50, each) for each in ("none", "unimodal")]
    [0.6, 0.56]
    """
    limit = number(pfer, "pfer", above=0)
    curve = _curve(q, p, n_pairs, assumption)
    least = _rounded_up(float(curve[-1]))
    enough = curve <= limit * (1 + _EQUAL)
    if not enough[-1]:
        fewer = largest_selection(p, limit, n_pairs, assumption)
        few = np.floor(fewer * 100) / 100
        remedy = f"use a selector that selects at most {few:.4g} of them, or " if few >= 1 else ""
        raise bad.range(
            f"of {p} features of noise the selector would select {q:.4g} on a half-sample, which is too many to bound "
            f"the expected number of noise features by pfer={limit:.4g}; {remedy}pass pfer={least:.4g} or more",
            "pfer",
            kind=NoThresholdError,
        )
    return float(np.flatnonzero(~enough).max(initial=-1) + 2) / len(curve)


def largest_selection(p: int, pfer: float, n_pairs: int = 50, assumption: str = "unimodal") -> float:
    """Return the number of p noise features that a half may select on average so that some threshold keeps a limit.

    Parameters
    ----------
    p : int
        Number of features.
    pfer : float
        Largest expected number of selected noise features, above 0.
    n_pairs : int, default 50
        Number of pairs of half-samples.
    assumption : {"none", "unimodal"}, default 'unimodal'
        What is assumed of how often both halves of a pair select a feature of noise; as in `false_selection_bound`.

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
    features, limit = count(p, "p"), number(pfer, "pfer", above=0)
    low, high = 0.0, float(features)
    while high - low > 1e-3:
        middle = (low + high) / 2
        fits = _curve(middle, features, n_pairs, assumption)[-1] <= limit
        low, high = (middle, high) if fits else (low, middle)
    return low


def _rounded_up(value: float) -> float:
    """Return a value with two digits that is not smaller."""
    digit = 10.0 ** (np.floor(np.log10(value)) - 1)
    return float(np.ceil(value / digit * (1 - _EQUAL)) * digit)


# ---- the bounds by threshold ----------------------------------------------------------------------


def _curve(q: float, p: int, n_pairs: int, assumption: str) -> Floats:
    """Return the bound at the thresholds 1 / (2 * n_pairs), 2 / (2 * n_pairs), ..., 1; it nowhere grows."""
    features, pairs = count(p, "p"), count(n_pairs, "n_pairs")
    choice(assumption, "assumption", ASSUMPTIONS)
    selected = number(q, "q", above=0, most=features)
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


_PROBABILITIES: dict[str, Callable[[float, int], Floats]] = {
    "none": _markov,
    "unimodal": _unimodal,
}
