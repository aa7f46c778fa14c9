"""R's partial sort and its quicksort.

They only show where 0 and -0 meet: which of the two comes to a place depends on the algorithm.
"""

from __future__ import annotations

import numpy as np

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
    out = values.tolist()
    if len(wanted) > _FEW:
        _sort_all(out)
    else:
        _sort_places(out, 0, len(out) - 1, wanted)
    return np.array(out)


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


def _sort_all(x: list[float]) -> None:
    """Sort by Singleton's quicksort (CACM 347) with Peto's remark, as R does."""
    low, high, share = 0, len(x) - 1, 0.375
    later: list[tuple[int, int]] = []
    begins = True
    while True:
        if high - low > _FEW and not begins:
            low, high = _part(x, low, high, share, later)
        elif low == 0 and low < high:
            # The place of the pivot moves from one part to the next at the left end.
            share = share + 0.0390625 if share < 0.5898437 else share - 0.21875
            low, high = _part(x, low, high, share, later)
        else:
            _insert(x, low, high)
            if not later:
                return
            low, high = later.pop()
        begins = False


def _part(x: list[float], low: int, high: int, share: float, later: list[tuple[int, int]]) -> tuple[int, int]:
    """Part numbers by the median of three; the longer side waits, the shorter one is returned."""
    middle = low + int((high - low) * share)
    for a, b in ((low, middle), (middle, high), (low, middle)):
        if x[b] < x[a]:
            x[a], x[b] = x[b], x[a]
    pivot, i, j = x[middle], low, high
    while True:
        j -= 1
        while x[j] > pivot:
            j -= 1
        i += 1
        while x[i] < pivot:
            i += 1
        if i > j:
            break
        x[i], x[j] = x[j], x[i]
    if j - low <= high - i:
        later.append((i, high))
        return low, j
    later.append((low, j))
    return i, high


def _insert(x: list[float], low: int, high: int) -> None:
    """Sort a few numbers by insertion; what stands before them is smaller."""
    for at in range(low + 1, high + 1):
        value, place = x[at], at
        while place > low and value < x[place - 1]:
            x[place] = x[place - 1]
            place -= 1
        x[place] = value
