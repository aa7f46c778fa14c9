"""Choice of a setting of a path, by scores of cross-validation and by the number of features kept."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import check_finite, number
from pyrrf.errors import bad
from pyrrf.types import Floats

# Means of the same scores may differ by this share of the best one.
_ROUNDING = 1e-12
# Allowance of "paired": so many standard errors of the difference, between two shares of the best gain over a
# guess. How they were chosen: benchmarks/SIZES.md.
_ERRORS, _WORTH = 1.0, (0.01, 0.02)
_RULES = ("best", "1se", "paired")


def choose_by_rule(
    scores: ArrayLike,
    n_features: ArrayLike,
    strength: ArrayLike,
    rule: str | float = "1se",
    guess: ArrayLike | None = None,
) -> int:
    """Return the setting that keeps the fewest features among those whose score is good enough.

    Parameters
    ----------
    scores : array_like of float, shape (k, n_folds)
        Score of each setting on each fold, or what each row gains by it; more is better.
    n_features : array_like of float, shape (k,)
        Features that each setting keeps, averaged over the folds.
    strength : array_like of float, shape (k,)
        How strongly each setting regularizes; of those with as few features the largest is taken.
    rule : "best", "1se", "paired" or float, default '1se'
        How much less than the largest mean score is good enough. "best": nothing. "1se": one standard error of that
        mean, which is the standard deviation of its scores, with divisor n_folds - 1, over the square root of n_folds.
        "paired": one standard error of the difference, that is, of the best's scores less the setting's, fold by fold;
        but at least .01 and at most .02 of what the best has more than `guess`. A number: so much.
    guess : array_like of float, shape (n_folds,), optional
        Score on each fold of what needs no feature. Without it, or where it holds NaN or is better than all, "paired"
        knows the standard error alone.

    Returns
    -------
    int
        Position of the setting.

    Raises
    ------
    TypeError, ValueError
        The rule is not one of these, the shapes do not agree, a score is not finite, or there is one fold only and the
        rule is "1se" or "paired".

    Notes
    -----
    L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and regression trees, 1984, section 3.4.3.

    Examples
    --------
    The means are .8, .9 and .7, and the standard error of .9 is .1, so that .8 is good enough, but keeps more features:

    >>> from pyrrf.selectors.rules import choose_by_rule
    >>> scores = [[0.8, 0.8], [0.8, 1.0], [0.7, 0.7]]
    >>> [choose_by_rule(scores, [9, 5, 2], [0.1, 0.5, 0.9], rule) for rule in ("best", "1se", 0.2)]
    [1, 1, 2]

    Fold by fold the second one has 0 and .2 more than the first, .1 with a standard error of .1, but .2 more than a
    guess:

    >>> [choose_by_rule(scores, [2, 5, 9], [0.1, 0.5, 0.9], "paired", guess) for guess in (None, [0.7, 0.7])]
    [0, 1]
    """
    table, sizes, strong = _read(scores, n_features, strength)
    means = table.mean(axis=1)
    best = int(means.argmax())
    loss = _loss(table, best, rule)
    if rule == "paired" and guess is not None:
        more = float(means[best] - np.asarray(guess, np.float64).mean())
        loss = np.clip(loss, _WORTH[0] * more, _WORTH[1] * more) if more > 0 else loss
    enough = means >= means[best] - loss - _ROUNDING * max(1.0, abs(float(means[best])))
    return int(np.lexsort((-strong, sizes, ~enough))[0])


def check_rule(rule: str | float, n_folds: int) -> None:
    """Raise TypeError or ValueError unless `choose_by_rule` takes a rule for scores of so many folds."""
    known = ", ".join(map(repr, _RULES))
    if not isinstance(rule, str):
        number(rule, "rule", least=0)
    elif rule not in _RULES:
        raise bad.choice(f"rule must be one of {known}, or a number of at least 0, not {rule!r}")
    elif rule != "best" and n_folds < 2:
        raise bad.rows(f"rule={rule!r} needs at least two folds; pass rule='best' or a number")


def _loss(table: Floats, best: int, rule: str | float) -> Floats:
    """Return the loss against the best mean that is good enough for each setting."""
    folds = table.shape[1]
    check_rule(rule, folds)
    if rule == "paired":
        return np.asarray(_ERRORS * (table[best] - table).std(axis=1, ddof=1) / np.sqrt(folds))
    if rule == "1se":
        return np.full(len(table), table[best].std(ddof=1) / np.sqrt(folds))
    return np.full(len(table), 0.0 if rule == "best" else float(rule))


def _read(scores: ArrayLike, n_features: ArrayLike, strength: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table, sizes, strong = (np.asarray(each, np.float64) for each in (scores, n_features, strength))
    if table.ndim != 2 or not table.size or sizes.shape != table.shape[:1] or strong.shape != sizes.shape:
        raise bad.shape(
            f"scores must be of shape (k, n_folds), and n_features and strength of shape (k,), not {table.shape}, "
            f"{sizes.shape} and {strong.shape}"
        )
    check_finite(table, "scores", "pass a scoring that is defined on every fold")
    return table, sizes, strong
