"""R's factors as pandas' Categorical: levels, codes, intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase.arithmetic import spread_points
from pyrrf.rbase.collate import sorted_strings
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.text import texts
from pyrrf.rbase.vectors import MOST_INTEGER, Atomic, atomic, double, labelled, missing, vector


def factor(
    x: Any, levels: Any = None, labels: Any = None, ordered: bool | None = None, exclude: Any = None
) -> pd.Categorical:
    """Values as a factor (R's ``factor``).

    Parameters
    ----------
    x : array_like
    levels : array_like, optional
        The values in the order of the levels; by default those that occur, sorted, strings as `pyrrf.set_collate`
        says. Other values become missing.
    labels : array_like, optional
        Names for the levels; equal ones are joined.
    ordered : bool, optional
        Whether the levels are ordered; as in `x` by default.
    exclude : array_like, optional
        Values that become missing, NaN among them as long as it is not said otherwise; see Raises.

    Returns
    -------
    Categorical
        Its categories keep the type of `x`, where R has strings, so that they compare with the data.

    Raises
    ------
    ValueError
        There is not one label for each level, a level is named twice, or `exclude` leaves NaN as a level.

    Examples
    --------
    >>> from pyrrf.rbase.factors import factor
    >>> list(factor([2, 1, 2]).categories)
    [1, 2]
    >>> list(factor([0, 1], labels=["no", "yes"]))
    ['no', 'yes']
    """
    values = labelled(x)
    given = None if levels is None else labelled(levels, "levels")
    _check_levels(values, given, exclude)
    kept = _usual_levels(values) if given is None else list(given[~missing(given)])
    if exclude is not None:
        out = set(texts(atomic(exclude, "exclude")))
        kept = [level for level, text in zip(kept, _texts(kept), strict=True) if text not in out]
    place = {text: i for i, text in reversed(list(enumerate(_texts(kept))))}
    found = np.array([place.get(text, -1) if text is not None else -1 for text in texts(values)], dtype=np.int64)
    ordered = bool(getattr(values, "ordered", False)) if ordered is None else ordered
    if labels is not None:
        kept, found = _labelled(kept, found, atomic(labels, "labels"))
    return from_codes(found, kept, ordered)


def _check_levels(values: Atomic, levels: Atomic | None, exclude: Any) -> None:
    """Refuse what pandas has no categories for: a missing value as a level, a level twice."""
    if exclude is not None:
        out = atomic(exclude, "exclude")
        asked = values if levels is None else levels
        if missing(asked).any() and not missing(out).any():
            raise ValueError("exclude does not name NaN, so that it is a level in R; pandas has no such category")
    if levels is not None:
        known = [text for text in texts(levels) if text is not None]
        twice = [text for text in dict.fromkeys(known) if known.count(text) > 1]
        if twice:
            raise ValueError(f"levels holds {twice[0]!r} twice; pass unique(levels)")


def from_codes(codes: np.ndarray, levels: Sequence[Any], ordered: bool) -> pd.Categorical:
    """Return a factor of codes from 0, -1 where a value is missing."""
    categories = pd.Index([level.item() if isinstance(level, np.generic) else level for level in levels])
    return pd.Categorical.from_codes(codes.astype(np.int64), categories=categories, ordered=ordered)


def _texts(levels: Sequence[Any]) -> list[str | None]:
    return texts(atomic(levels))


def _usual_levels(values: Atomic) -> list[Any]:
    """Return the distinct values, sorted; numbers that R writes alike are one level."""
    if isinstance(values, pd.Categorical):
        used = set(values.codes)
        return [level for code, level in enumerate(values.categories) if code in used]
    known = values[~missing(values)]
    if known.dtype.kind not in "biuf":
        return sorted_strings(list(dict.fromkeys(known.tolist())), "x")
    levels: list[Any] = sorted(set(known.tolist()))
    if known.dtype.kind == "f":
        levels = list({number_text(level): level for level in reversed(levels)}.values())[::-1]
    return levels


def _labelled(levels: list[Any], found: np.ndarray, labels: Atomic) -> tuple[list[Any], np.ndarray]:
    """Levels under new names; one name for several levels is numbered, equal names are joined."""
    names = list(labels)
    if len(names) == 1 and len(levels) > 1:
        names = [f"{texts(labels)[0]}{i + 1}" for i in range(len(levels))]
    if len(names) != len(levels):
        raise ValueError(f"labels has {len(names)} names for {len(levels)} levels; pass one for each")
    return _renamed(names, found)


def _renamed(names: list[Any], found: np.ndarray) -> tuple[list[Any], np.ndarray]:
    """Return names, of which equal ones are joined, and the codes among them."""
    joined = list(dict.fromkeys(names))
    place = np.array([joined.index(name) for name in names] + [-1])
    return joined, place[found]


# ---- intervals -----------------------------------------------------------------------------------


def cut(
    x: Any,
    breaks: Any,
    labels: Any = None,
    include_lowest: bool = False,
    right: bool = True,
    dig_lab: int = 3,
    ordered_result: bool = False,
) -> Any:
    """Numbers as intervals (R's ``cut``).

    Parameters
    ----------
    x : array_like
    breaks : int or array_like
        The limits, or the number of equally wide intervals.
    labels : array_like or False, optional
        Names of the intervals; "(a,b]" by default. False gives codes, from 1.
    include_lowest : bool, default False
        Whether the outermost open limit belongs to its interval.
    right : bool, default True
        Whether intervals are closed on the right.
    dig_lab : int, default 3
        Significant digits of the limits in the labels; more where labels would be equal.
    ordered_result : bool, default False

    Returns
    -------
    Categorical, or ndarray of int64 or float64

    Raises
    ------
    ValueError
        `breaks` are fewer than 2 intervals or not distinct, or there is not one label for each interval.

    Examples
    --------
    >>> from pyrrf.rbase.factors import cut
    >>> list(cut([1, 5, 9], [0, 5, 10]))
    ['(0,5]', '(0,5]', '(5,10]']
    """
    kind = vector(x).kind
    if kind in ("logical", "factor"):
        raise TypeError("x is a condition; pass numbers, or as_numeric(x)")
    values = double(x)
    limits = _limits(values, breaks)
    if len(limits) < 2:
        raise ValueError("breaks are fewer than two limits; pass at least two")
    if np.ndim(breaks) == 0 and kind == "integer" and np.ptp(values[~np.isnan(values)]) > MOST_INTEGER:
        raise ValueError("x holds integers so far apart that R has no range of them; pass floats")
    if len(np.unique(limits)) < len(limits):
        raise ValueError(f"breaks must be distinct, not {limits.tolist()}; pass unique(breaks)")
    found = _interval(values, limits, right, include_lowest)
    if labels is False:
        return np.where(found < 0, math.nan, found + 1.0) if (found < 0).any() else found + 1
    names = _interval_names(limits, right, include_lowest, dig_lab) if labels is None else list(atomic(labels))
    if len(names) != len(limits) - 1:
        raise ValueError(f"labels has {len(names)} names for {len(limits) - 1} intervals; pass one for each")
    joined, found = _renamed(names, found)
    return from_codes(found, joined, ordered_result)


def _limits(values: np.ndarray, breaks: Any) -> np.ndarray:
    """Return the limits as given, sorted, or of equally wide intervals, the outermost a thousandth beyond the data."""
    given = double(breaks, "breaks")
    if len(given) != 1:
        return np.sort(given[~np.isnan(given)])
    if not 2 <= given[0] < MOST_INTEGER:
        raise ValueError(f"breaks must be at least 2 intervals, not {breaks!r}")
    number = int(given[0] + 1)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not math.isfinite(low) or not math.isfinite(high):
        raise ValueError("x has no finite range to be cut into intervals of one width; pass the limits as breaks")
    if low == high:
        beyond = (abs(low) if low != 0 else 1.0) / 1000
        return spread_points(low - beyond, high + beyond, number)
    beyond = (high - low) / 1000
    out = spread_points(low, high, number)
    out[0], out[-1] = low - beyond, high + beyond
    return out


def _interval(values: np.ndarray, limits: np.ndarray, right: bool, lowest: bool) -> np.ndarray:
    """Return the interval of each value from 0, -1 outside."""
    found = np.searchsorted(limits, values, side="left" if right else "right") - 1
    edge, last = (limits[0], 0) if right else (limits[-1], len(limits) - 2)
    if lowest:
        found = np.where(values == edge, last, found)
    return np.asarray(np.where((found >= len(limits) - 1) | np.isnan(values), -1, found), dtype=np.int64)


def _interval_names(limits: np.ndarray, right: bool, lowest: bool, digits: int) -> list[str]:
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


def as_factor(x: Any) -> pd.Categorical:
    """Return values as a factor; a factor stays as it is (R's ``as.factor``)."""
    values = atomic(x)
    return values if isinstance(values, pd.Categorical) else factor(x)


def counts(found: pd.Categorical) -> np.ndarray:
    """Return how often each level occurs, int64, shape (k,)."""
    return np.bincount(found.codes[found.codes >= 0], minlength=len(found.categories)).astype(np.int64)
