"""Parameters of estimators: kept as they are given, and read when a fit needs them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import check_random_state

from pyrrf.checks import choice
from pyrrf.data.response import holds_numbers
from pyrrf.errors import bad
from pyrrf.types import RandomState

TASKS = ("auto", "classification", "regression")
_HALF = 32
# Seeds of RRF() are below this.
_SEEDS = 1 << 31


def new_seed(random_state: RandomState) -> int:
    """Draw a seed of 64 bits."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 2 * _HALF, dtype=np.uint64))
    high, low = _stream(random_state).randint(1 << _HALF, size=2, dtype=np.uint64).tolist()
    return int(high << _HALF | low)


def r_seed(random_state: RandomState) -> int:
    """Return a seed of `RRF`: a whole number as it is, and 31 bits drawn from anything else."""
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(_SEEDS))
    stream = _stream(random_state)
    if isinstance(random_state, int | np.integer) and random_state < _SEEDS:
        return int(random_state)
    return int(stream.randint(_SEEDS))


def _stream(random_state: Any) -> np.random.RandomState:
    """Return scikit-learn's stream; a ValueError shows the name of the parameter."""
    try:
        stream: np.random.RandomState = check_random_state(random_state)
        return stream
    except ValueError:
        raise bad.choice(
            f"random_state must be a whole number from 0 to 2**32 - 1, a RandomState, a Generator or None, not "
            f"{random_state!r}"
        ) from None


def resolve_max_features(value: Any, p: int, name: str = "max_features") -> int:
    """Return the number of p features that a node draws, at least 1; messages show the argument's `name`.

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
    raise bad.range(
        f"{name} must be an int from 1 to {p}, a float above 0 and at most 1.0 (fraction), 'sqrt', 'ceil-sqrt', 'log2' "
        f"or None, not {value!r}"
    )


def is_regression(y: Any, task: str, **said: tuple[Any, bool | None]) -> bool:
    """Return whether a selector is asked for regression: `task` decides, or other parameters, or else y.

    Parameters
    ----------
    y : array_like, shape (n,)
    task : {"auto", "classification", "regression"}
    **said : tuple of object and (bool or None)
        Other parameters: what was passed, and whether it means regression.

    Raises
    ------
    TypeError, ValueError
        The task is another word, or two parameters contradict each other.
    """
    chosen = choice(task, "task", TASKS)
    said = {"task": (task, None if chosen == "auto" else chosen == "regression"), **said}
    known = {f"{name}={value!r}": numeric for name, (value, numeric) in said.items() if numeric is not None}
    if len(set(known.values())) > 1:
        raise bad.conflict(f"{' and '.join(known)} contradict each other; omit one")
    if known:
        return next(iter(known.values()))
    return holds_numbers(y, "pass task='regression' or task='classification' to decide")


def predicts_numbers(estimator: Any, name: str) -> bool | None:
    """Return whether an estimator is a regressor; None where there is none, or it is neither that nor a classifier.

    `name`: the parameter, in messages.
    """
    if isinstance(estimator, type) or not (estimator is None or hasattr(estimator, "fit")):
        raise bad.type(f"{name} must be a classifier or a regressor, not {estimator!r}", name)
    if estimator is None:
        return None
    try:
        return bool(is_regressor(estimator)) if is_regressor(estimator) or is_classifier(estimator) else None
    except AttributeError as error:  # no tags
        raise bad.type(
            f"{name} must be an estimator of scikit-learn, derived from BaseEstimator, not {estimator!r}", name
        ) from error
