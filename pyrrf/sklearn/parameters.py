"""Parameters of estimators: kept as they are given, and read when a fit needs them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from pyrrf._core.criteria import default_criterion
from pyrrf.checks import choice
from pyrrf.data.response import holds_numbers
from pyrrf.types import RandomState

# For classes, and for regression (True).
_CRITERIA = (default_criterion(False), default_criterion(True))
_HALF = 32
# Seeds of RRF() are below this.
_SEEDS = 1 << 31


def new_seed(random_state: RandomState) -> int:
    """Draw a seed of 64 bits."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 2 * _HALF, dtype=np.uint64))
    try:
        stream = check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state must be a whole number from 0 to 2**32 - 1, a RandomState, a Generator or None, not "
            f"{random_state!r}"
        ) from None
    high, low = stream.randint(1 << _HALF, size=2, dtype=np.uint64).tolist()
    return int(high << _HALF | low)


def r_seed(random_state: RandomState) -> int:
    """Return a seed of `RRF`: a whole number as it is, and 31 bits drawn from anything else."""
    if isinstance(random_state, int | np.integer) and abs(int(random_state)) < _SEEDS:
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_SEEDS))
    return int(check_random_state(random_state).randint(_SEEDS))


def resolve_max_features(value: Any, p: int, name: str = "max_features") -> int:
    """Return how many of p features a node draws, at least 1; messages show the argument's `name`.

    The value is a number; a share of the features, above 0 and at most 1; "sqrt" or "log2", rounded down; "ceil-sqrt",
    rounded up; or None for all.

    Examples
    --------
    >>> from pyrrf.sklearn.parameters import resolve_max_features
    >>> [resolve_max_features(value, 10) for value in ("sqrt", "ceil-sqrt", "log2", 0.5, 4, None)]
    [3, 4, 3, 5, 4, 10]
    """
    words = {"sqrt": np.sqrt(p), "log2": np.log2(p), "ceil-sqrt": np.ceil(np.sqrt(p))}
    if value is None:
        return p
    if isinstance(value, str) and value in words:
        return max(1, int(words[value]))
    if isinstance(value, float | np.floating) and 0 < value <= 1:
        return max(1, int(value * p))
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and 1 <= value <= p:
        return int(value)
    raise ValueError(
        f"{name} must be a number from 1 to {p}, a share above 0 and at most 1.0, 'sqrt', 'ceil-sqrt', 'log2' or None, "
        f"not {value!r}"
    )


def is_regression(y: Any, criterion: str | None = None) -> bool:
    """Return whether a selector is asked for regression: `criterion` decides, or else y.

    Raises
    ------
    TypeError, ValueError
        The criterion is neither "gini" nor "variance".
    """
    if criterion is not None:
        return choice(criterion, "criterion", _CRITERIA) == _CRITERIA[True]
    return holds_numbers(y, "pass criterion='variance' if they are numbers, 'gini' if they are classes")
