"""The order of a factor's levels along the first principal component of their shares of the classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

STEPS = 16  # of the power method


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


def along_component(
    totals: Mapping[int, Sequence[float]], weights: Mapping[int, float], share: Sequence[float]
) -> list[int]:
    """The levels in order; totals, weights: by level; share: the node's of each class."""
    levels = sorted(totals)
    deviation = {at: [t / weights[at] - s for t, s in zip(totals[at], share, strict=True)] for at in levels}
    spread = {at: dot(deviation[at], deviation[at]) * weights[at] for at in levels}
    axis = list(deviation[max(levels, key=lambda at: (spread[at], -at))])
    for _ in range(STEPS):
        change = [0.0] * len(share)
        for at in levels:
            along = weights[at] * dot(deviation[at], axis)
            change = [c + along * d for c, d in zip(change, deviation[at], strict=True)]
        largest = max(abs(c) for c in change)
        if largest == 0:
            break
        axis = [c / largest for c in change]
    return sorted(levels, key=lambda at: (dot(deviation[at], axis), at))
