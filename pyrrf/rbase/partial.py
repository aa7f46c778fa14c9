"""R's partial sort.

It only shows where 0 and -0 meet: which of the two comes to a place depends on the algorithm.
"""

from __future__ import annotations

import numpy as np

from pyrrf._core import sort_like_r

# sort(partial = ) sorts everything if it is asked for more places.
_FEW = 10


def sorted_at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return numbers of which those at `places` are where a sort puts them (R's sort(partial = )).

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        Without NaN.
    places : ndarray of int64
        From 0.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    negative = np.signbit(values[values == 0])
    wanted = np.unique(places).tolist()
    if negative.all() or not negative.any():
        return np.sort(values)
    if len(wanted) > _FEW:
        out = values.astype(np.float64)
        sort_like_r(out)
        return out
    items = values.tolist()
    _sort_places(items, 0, len(items) - 1, wanted)
    return np.array(items)


def _sort_places(x: list[float], low: int, high: int, places: list[int]) -> None:
    """Bring the place nearest below the middle in order, then those on either side of it."""
    if not places or high - low < 1:
        return
    middle = (low + high) // 2
    chosen = max([i for i, place in enumerate(places) if place <= middle], default=0)
    place = places[chosen]
    _select(x, low, high, place)
    if len(places) > 1:
        _sort_places(x, low, place - 1, places[:chosen])
        _sort_places(x, place + 1, high, places[chosen + 1 :])


def _select(x: list[float], low: int, high: int, place: int) -> None:
    """Hoare's selection."""
    while low < high:
        pivot, i, j = x[place], low, high
        while i <= j:
            while x[i] < pivot:
                i += 1
            while pivot < x[j]:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i, j = i + 1, j - 1
        low, high = (i if j < place else low), (j if place < i else high)
