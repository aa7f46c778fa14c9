"""The intervals of R's cut(): limits, places and names; arrays are of float64."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from pyrrf.rbase.arithmetic import spread_points


def equal_limits(values: np.ndarray, count: int) -> np.ndarray:
    """Return the limits of equally wide intervals, the outermost a thousandth beyond the data."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        beyond = (abs(low) if low != 0 else 1.0) / 1000
        return spread_points(low - beyond, high + beyond, count + 1)
    beyond = (high - low) / 1000
    out = spread_points(low, high, count + 1)
    out[0], out[-1] = low - beyond, high + beyond
    return out


def places(values: np.ndarray, limits: np.ndarray, right: bool, lowest: bool) -> np.ndarray:
    """Return the interval of each value between sorted distinct limits, from 1, NaN outside.

    They are closed on the `right`, or on the left; with `lowest` the outermost open limit belongs to its interval.
    """
    numbers = np.searchsorted(limits, values, side="left" if right else "right").astype(np.float64)
    if lowest:
        edge, interval = (limits[0], 1) if right else (limits[-1], len(limits) - 1)
        numbers = np.where(values == edge, interval, numbers)
    return np.where((numbers < 1) | (numbers >= len(limits)) | np.isnan(values), math.nan, numbers)


def interval_names(limits: np.ndarray, right: bool, lowest: bool, digits: int) -> list[str]:
    """Return the names of intervals, such as "(1,2]", with more digits where they would be equal."""
    shown: list[str] = []
    for more in range(digits, max(12, digits) + 1):
        shown = [f"{limit + 0.0:.{max(more, 1)}g}" for limit in limits.tolist()]
        if all(a != b for a, b in pairwise(shown)):
            break
    else:
        return [f"Range_{i + 1}" for i in range(len(limits) - 1)]
    if "-inf" in shown:
        # R writes all that is infinite in one width.
        shown = [text.rjust(4) if text == "inf" else text for text in shown]
    shown = [text.replace("inf", "Inf") for text in shown]
    ends = ("(", "]") if right else ("[", ")")
    names = [f"{ends[0]}{a},{b}{ends[1]}" for a, b in pairwise(shown)]
    if lowest and right:
        names[0] = "[" + names[0][1:]
    elif lowest:
        names[-1] = names[-1][:-1] + "]"
    return names
