"""Mutual information feature selection, MIFS (paper 002, section 5; Battiti, 1994)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import count
from pyrrf.types import Floats


def mifs_order(
    relevance: ArrayLike, shared: Callable[[int], Floats], beta: float = 0.15, n_probes: int = 0
) -> tuple[list[int], list[float]]:
    """Rank features by what they share with the label less what they share with those before (paper 002, eq 6): MIFS.

    `relevance` is the mutual information of each feature with the label, I(f;y); `shared` is asked, for each feature
    taken, for that with all features. The order is that of max I(f;y) - beta x (sum over those before of I(f;g)), the
    first one of equals; the scores are these values. The last `n_probes` features are random columns: the ranking ends
    before the first of them.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.mifs import mifs_order
    >>> shared = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> mifs_order([0.8, 0.75, 0.7], lambda feature: shared[feature], beta=0.5)[0]
    [0, 2, 1]
    """
    score = np.array(relevance, dtype=np.float64)
    if score.ndim != 1:
        raise ValueError(f"relevance must be a vector, not of shape {score.shape}")
    if not (np.isfinite(score).all() and math.isfinite(beta)):
        raise ValueError("relevance and beta: pass finite numbers")
    if count(n_probes, "n_probes", 0) > len(score):
        raise ValueError(f"n_probes: {n_probes} of {len(score)} features; pass at most as many")
    order: list[int] = []
    scores: list[float] = []
    while len(order) < len(score) - n_probes:
        best = int(score.argmax())
        if best >= len(score) - n_probes:
            break
        order.append(best)
        scores.append(float(score[best]))
        score -= beta * shared(best)
        score[best] = -np.inf
    return order, scores
