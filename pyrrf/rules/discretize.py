"""discretize_vector: numbers as classes L1, L2, ..., for rules and learners of a numeric response."""

from __future__ import annotations

import numpy as np

from pyrrf.checks import count, numbers
from pyrrf.rbase.arithmetic import quantile
from pyrrf.types import VectorLike


def discretize_vector(v: VectorLike, K: int = 3) -> np.ndarray:
    """Turn numbers into classes of about equally many (R's ``dicretizeVector`` of inTrees).

    Parameters
    ----------
    v : array_like, shape (n,)
        Numbers.
    K : int, default 3
        Number of classes, at least 2. Where many numbers are equal there may be fewer.

    Returns
    -------
    ndarray of object, shape (n,)
        "L1", "L2", ...; the bounds are R's quantiles of type 3 and belong to the class below.

    Raises
    ------
    TypeError
        `v` does not hold numbers.
    ValueError
        `v` holds missing or infinite values, or `K` is out of range.

    Examples
    --------
    >>> from pyrrf import rules
    >>> rules.discretize_vector([5, 1, 4, 2, 6, 3]).tolist()
    ['L3', 'L1', 'L2', 'L1', 'L3', 'L2']
    """
    values, classes = numbers(v, "v"), count(K, "K", minimum=2)
    bounds = quantile(values, np.arange(1, classes) * (1 / classes), 3)
    names = np.array([f"L{place}" for place in range(1, classes + 1)], dtype=object)
    return np.asarray(names[np.searchsorted(bounds, values, side="left")])
