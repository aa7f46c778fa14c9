"""R's factors as pandas' Categorical: levels, codes, intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import warn
from pyrrf.rbase.arithmetic import spread_points
from pyrrf.rbase.collate import sorted_strings
from pyrrf.rbase.numbers import number_text, read_numbers
from pyrrf.rbase.text import texts
from pyrrf.rbase.vectors import MOST_INTEGER, Atomic, atomic, double, labelled, missing, numeric


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
    >>> import pyrrf.r as r
    >>> list(r.factor([2, 1, 2]).categories)
    [1, 2]
    >>> list(r.factor([0, 1], labels=["no", "yes"]))
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
    joined = list(dict.fromkeys(names))
    place = np.array([joined.index(name) for name in names] + [-1])
    return joined, place[found]


def as_factor(x: Any) -> pd.Categorical:
    """Values as a factor; a factor stays as it is (R's ``as.factor``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    Categorical

    Examples
    --------
    >>> import pyrrf.r as r
    >>> list(r.as_factor(["b", "a"]).categories)
    ['a', 'b']
    """
    values = atomic(x)
    return values if isinstance(values, pd.Categorical) else factor(x)


def droplevels(x: Any) -> Any:
    """Drop the levels that do not occur (R's ``droplevels``).

    Parameters
    ----------
    x : Categorical, Series or DataFrame

    Returns
    -------
    Categorical or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> list(r.droplevels(r.factor(["a"], levels=["a", "b"])).categories)
    ['a']
    """
    if isinstance(x, pd.DataFrame):
        kinds = {name: isinstance(x[name].dtype, pd.CategoricalDtype) for name in x}
        dropped: dict[Any, Any] = {name: droplevels(x[name]) for name, is_factor in kinds.items() if is_factor}
        return x.assign(**dropped)
    if not isinstance(atomic(x), pd.Categorical):
        raise TypeError("x is no factor; pass factor(x)")
    return factor(as_factor(x))


def relevel(x: Any, ref: Any) -> pd.Categorical:
    """Make another level the first (R's ``relevel``).

    Parameters
    ----------
    x : Categorical or Series
    ref : object
        The level that becomes the first.

    Returns
    -------
    Categorical

    Raises
    ------
    ValueError
        `ref` is no level, or the levels are ordered.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> list(r.relevel(r.factor(["a", "b"]), "b").categories)
    ['b', 'a']
    """
    found = as_factor(x)
    if found.ordered:
        raise ValueError("x has ordered levels, for which R has no relevel(); pass factor(x, levels, ordered=True)")
    if ref not in found.categories:
        raise ValueError(f"ref is {ref!r}, which is no level; the levels are {list(found.categories)}")
    return found.reorder_categories([ref, *(level for level in found.categories if level != ref)])


def levels(x: Any) -> np.ndarray | None:
    """Levels of a factor, in their order (R's ``levels``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray or None
        None where `x` is no factor.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.levels(r.factor(["b", "a"])).tolist()
    ['a', 'b']
    """
    found = atomic(x)
    return found.categories.to_numpy() if isinstance(found, pd.Categorical) else None


def nlevels(x: Any) -> int:
    """Count the levels (R's ``nlevels``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    int

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.nlevels(r.factor(["b", "a"]))
    2
    """
    found = levels(x)
    return 0 if found is None else len(found)


def as_numeric(x: Any) -> np.ndarray:
    """Values as doubles; of a factor the codes, from 1 (R's ``as.numeric``).

    Parameters
    ----------
    x : array_like
        Strings are read as numbers, to the bits that R reads; what is none becomes NaN.

    Returns
    -------
    ndarray of float64, shape (n,)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.as_numeric(r.factor([10, 20, 10]))
    array([1., 2., 1.])
    """
    found = atomic(x)
    if isinstance(found, pd.Categorical):
        return np.where(found.codes < 0, math.nan, found.codes + 1.0)
    if found.dtype == object:
        numbers, is_number = read_numbers(found.tolist())
        is_number &= found != "NA"
        if not is_number.all():
            warn(f"{int((~is_number).sum())} of {len(found)} texts in x are no numbers; they become NaN")
        return numbers
    return found.astype(np.float64)


def as_integer(x: Any) -> np.ndarray:
    """Values as whole numbers, cut off towards 0; of a factor the codes, from 1 (R's ``as.integer``).

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray of int64, or of float64 where values are missing

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.as_integer([1.9, -1.9])
    array([ 1, -1])
    """
    cut_off: np.ndarray = np.trunc(as_numeric(x)) + 0.0
    beyond = ~(np.abs(cut_off) < 2.0**31)
    if (beyond & ~np.isnan(cut_off)).any():
        warn(f"numbers in x are beyond {MOST_INTEGER}, which is NA in R; pass them as floats")
    cut_off[beyond] = math.nan
    return cut_off if np.isnan(cut_off).any() else cut_off.astype(np.int64)


def counts(found: pd.Categorical) -> np.ndarray:
    """How often each level occurs, int64, shape (k,)."""
    return np.bincount(found.codes[found.codes >= 0], minlength=len(found.categories)).astype(np.int64)


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
    >>> import pyrrf.r as r
    >>> list(r.cut([1, 5, 9], [0, 5, 10]))
    ['(0,5]', '(0,5]', '(5,10]']
    """
    if isinstance(labelled(x), pd.Categorical) or numeric(x).dtype.kind == "b":
        raise TypeError("x is a condition; pass numbers, or as_numeric(x)")
    values = double(x)
    limits = _limits(values, breaks)
    if len(limits) < 2:
        raise ValueError("breaks are fewer than two limits; pass at least two")
    if np.ndim(breaks) == 0 and numeric(x).dtype.kind == "i" and np.ptp(values[~np.isnan(values)]) > MOST_INTEGER:
        raise ValueError("x holds integers so far apart that R has no range of them; pass floats")
    if len(np.unique(limits)) < len(limits):
        raise ValueError(f"breaks must be distinct, not {limits.tolist()}; pass unique(breaks)")
    found = _interval(values, limits, right, include_lowest)
    if labels is False:
        return np.where(found < 0, math.nan, found + 1.0) if (found < 0).any() else found + 1
    names = _interval_names(limits, right, include_lowest, dig_lab) if labels is None else list(atomic(labels))
    if len(names) != len(limits) - 1:
        raise ValueError(f"labels has {len(names)} names for {len(limits) - 1} intervals; pass one for each")
    joined = list(dict.fromkeys(names))
    place = np.array([joined.index(name) for name in names] + [-1])
    return from_codes(place[found], joined, ordered_result)


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


def findInterval(
    x: Any, vec: Any, rightmost_closed: bool = False, all_inside: bool = False, left_open: bool = False
) -> np.ndarray:
    """How many limits are at most as large as each number (R's ``findInterval``).

    Parameters
    ----------
    x : array_like
    vec : array_like
        The limits, sorted.
    rightmost_closed : bool, default False
        Whether the last limit belongs to the last interval (with `left_open`, the first to the first).
    all_inside : bool, default False
        Count numbers outside to the outermost intervals.
    left_open : bool, default False
        Whether intervals are open on the left, so that only smaller limits count.

    Returns
    -------
    ndarray of int64, or of float64 where numbers are missing
        From 0, as many as limits.

    Raises
    ------
    ValueError
        `vec` is not sorted.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.findInterval([0.5, 1.0, 9.0], [1, 2, 3])
    array([0, 1, 3])
    """
    values, limits = double(x), double(vec, "vec")
    if np.isnan(limits).any() or (np.diff(limits) < 0).any():
        raise ValueError("vec must be sorted and without missing values; pass sort(vec)")
    n = len(limits)
    found = np.searchsorted(limits, values, side="left" if left_open else "right")
    if n:
        below, above = found == 0, found == n
        found = np.where(below & (all_inside | (rightmost_closed & (values == limits[0]))), 1, found)
        found = np.where(above & (all_inside | (rightmost_closed & (values == limits[-1]))), n - 1, found)
    gaps = np.isnan(values)
    return np.where(gaps, math.nan, found) if gaps.any() else found.astype(np.int64)


def interaction_codes(found: list[pd.Categorical]) -> np.ndarray:
    """One code for the levels of several factors, the first varying fastest; -1 where one is missing."""
    out, size = np.zeros(len(found[0]), dtype=np.int64), 1
    gaps = np.zeros(len(out), dtype=bool)
    for one in found:
        out += one.codes.astype(np.int64) * size
        gaps |= one.codes < 0
        size *= len(one.categories)
    out[gaps] = -1
    return out
