"""R's order, sort and rank; what is equal, repeated or where. Positions count from 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import random as _random
from pyrrf.checks import choice
from pyrrf.rbase.collate import coded_strings, collating
from pyrrf.rbase.text import as_character
from pyrrf.rbase.vectors import Atomic, atomic, labelled, missing, named, names, numeric, one_vector, taken

_TIES = ("average", "first", "last", "random", "max", "min")


def codes(values: Atomic) -> tuple[np.ndarray, np.ndarray]:
    """Return ranks of the distinct values from 0, and where values are missing; 0 and -0 are equal.

    Strings are in the order of `pyrrf.set_collate`, levels in the order of the factor.
    """
    gaps = missing(values)
    if isinstance(values, pd.Categorical):
        return values.codes.astype(np.int64), gaps
    out = np.full(len(values), -1, dtype=np.int64)
    known = values[~gaps]
    is_number = known.dtype.kind in "biuf"
    out[~gaps] = np.unique(known, return_inverse=True)[1] if is_number else coded_strings(known, "x")[0]
    return out, gaps


def order(
    *keys: Any, decreasing: bool | Sequence[bool] = False, na_last: bool | None = True, method: str | None = None
) -> np.ndarray:
    """Positions that sort by one key or by several (R's ``order``); ties keep their order.

    Parameters
    ----------
    *keys : array_like
        The later ones decide among equal values of the earlier.
    decreasing : bool or sequence of bool, default False
        For all keys, or one for each.
    na_last : bool or None, default True
        Missing values come last, first, or (None) not at all.
    method : str, optional
        R's name of an algorithm. "radix" sorts strings by code point; otherwise all give the same order.

    Returns
    -------
    ndarray of int64
        From 0.

    Raises
    ------
    ValueError
        There is no key, keys differ in length, or `decreasing` has another length.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.order([2, 1, 2], [3, 1, 1])
    array([1, 2, 0])
    """
    for key in keys:
        one_vector(key, "pass its columns")
    with collating("C" if method == "radix" else None):
        found = [codes(atomic(key, f"key {i + 1}")) for i, key in enumerate(keys)]
    if not found or len({len(c) for c, _ in found}) > 1:
        raise ValueError(f"order() needs keys of one length, not {[len(c) for c, _ in found]}")
    down = [bool(decreasing)] * len(found) if np.ndim(decreasing) == 0 else list(decreasing)  # type: ignore[arg-type]
    if len(down) != len(found):
        raise ValueError(f"decreasing has {len(down)} flags for {len(found)} keys; pass one for each")
    columns = []
    for (ranks, gaps), falls in zip(found, down, strict=True):
        ranked = -ranks if falls else ranks
        columns.append(np.where(gaps, math.inf if na_last is not False else -math.inf, ranked))
    places = np.lexsort(columns[::-1])
    if na_last is None:
        places = places[~np.any([gaps for _, gaps in found], axis=0)[places]]
    return places.astype(np.int64)


def sort(x: Any, decreasing: bool = False, na_last: bool | None = None) -> Any:
    """Sort a vector (R's ``sort``); missing values are dropped unless `na_last` says where they go.

    Parameters
    ----------
    x : array_like
    decreasing : bool, default False
    na_last : bool, optional
        True or False puts missing values last or first.

    Returns
    -------
    ndarray, Series or Categorical
        A Series keeps its labels with the values.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sort([3.0, float("nan"), 1.0])
    array([1., 3.])
    """
    one_vector(x, "pass a column; x.iloc[order(x[...])] sorts its rows")
    return taken(x, order(x, decreasing=decreasing, na_last=na_last))


def rank(x: Any, na_last: bool | str | None = True, ties_method: str = "average") -> Any:
    """Ranks from 1 (R's ``rank``).

    Parameters
    ----------
    x : array_like
    na_last : bool, 'keep' or None, default True
        Missing values rank last, first, stay missing, or (None) are left out.
    ties_method : str, default 'average'
        'first', 'last', 'max' and 'min', or 'random', which draws from R's stream.

    Returns
    -------
    ndarray or Series
        float64 for averages or where a rank is missing, else int64.

    Raises
    ------
    ValueError
        `ties_method` is another word.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.rank([10, 20, 10])
    array([1.5, 3. , 1.5])
    """
    choice(ties_method, "ties_method", _TIES)
    ranks, gaps = codes(atomic(x))
    found = _ranks(ranks[~gaps], ties_method)
    if na_last is None:
        labels = names(x)
        return named(found, None if labels is None else labels[~gaps])
    out = np.empty(len(ranks), dtype=np.float64 if na_last == "keep" and gaps.any() else found.dtype)
    ahead = int(gaps.sum()) if na_last is False else 0
    out[~gaps] = found + ahead
    if na_last == "keep" and gaps.any():
        out[gaps] = math.nan
    else:
        out[gaps] = np.arange(1, gaps.sum() + 1) + (0 if na_last is False else len(found))
    return named(out, names(x))


def _ranks(ranks: np.ndarray, ties_method: str) -> np.ndarray:
    """Ranks of known values, given by codes that order them."""
    n = len(ranks)
    if ties_method in ("first", "last", "random"):
        turned = ranks[::-1] if ties_method == "last" else ranks
        keys = (_random.runif(n), turned) if ties_method == "random" else (turned,)
        out = np.empty(n, dtype=np.int64)
        out[np.lexsort(keys)] = np.arange(1, n + 1)
        return out[::-1] if ties_method == "last" else out
    ends = np.cumsum(np.bincount(ranks)) if n else np.zeros(0, dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]])[: len(ends)] + 1
    if ties_method == "average":
        return np.asarray(((starts + ends) / 2)[ranks])
    return np.asarray((starts if ties_method == "min" else ends)[ranks], dtype=np.int64)


def rev(x: Any) -> Any:
    """Turn a vector round (R's ``rev``).

    Parameters
    ----------
    x : array_like
        Of a data frame, the columns turn round.

    Returns
    -------
    ndarray, Series, Categorical or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.rev([1, 2, 3])
    array([3, 2, 1])
    """
    if isinstance(x, pd.DataFrame) and x.shape[1] > 1:
        return x.iloc[:, ::-1]
    return taken(x, np.arange(len(atomic(x)))[::-1])


# ---- where ---------------------------------------------------------------------------------------


def which(x: Any) -> Any:
    """Positions where a condition holds (R's ``which``); a missing one does not.

    Parameters
    ----------
    x : array_like of bool
        Where it is missing, it does not hold.

    Returns
    -------
    ndarray of int64, or Series
        From 0, in a matrix down the columns. A Series with the names where `x` is one that is labelled by text.

    Raises
    ------
    TypeError
        `x` is no condition.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.which([False, True, True])
    array([1, 2])
    """
    found = labelled(x)
    if isinstance(found, pd.Categorical) and found.categories.dtype.kind == "b":
        found = found.codes == 1
    elif not isinstance(found, pd.Categorical) and found.dtype.kind == "f" and np.isnan(found).any():
        flags = found[~np.isnan(found)]  # a comparison with what is missing, as compare() answers
        found = found == 1 if np.isin(flags, (0, 1)).all() else found
    if isinstance(found, pd.Categorical) or found.dtype.kind != "b":
        raise TypeError("x is not a condition; compare it with something first, such as x > 0")
    places = np.flatnonzero(found).astype(np.int64)
    labels = names(x)
    return named(places, None if labels is None else labels[places])


def _which_extreme(x: Any, largest: bool) -> int:
    values = numeric(one_vector(x, "pass a column")).astype(np.float64)
    if not len(values) or np.isnan(values).all():
        raise ValueError("x holds no known value, for which R answers integer(0)")
    return int(np.nanargmax(values) if largest else np.nanargmin(values))


def which_max(x: Any) -> int:
    """Position of the first largest value (R's ``which.max``).

    Parameters
    ----------
    x : array_like
        Missing values do not count.

    Returns
    -------
    int
        From 0.

    Raises
    ------
    ValueError
        `x` holds no known value.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.which_max([1, 3, 3])
    1
    """
    return _which_extreme(x, True)


def which_min(x: Any) -> int:
    """Position of the first smallest value (R's ``which.min``).

    Parameters
    ----------
    x : array_like
        Missing values do not count.

    Returns
    -------
    int
        From 0.

    Raises
    ------
    ValueError
        `x` holds no known value.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.which_min([1, 3, 1])
    0
    """
    return _which_extreme(x, False)


# ---- equal or not --------------------------------------------------------------------------------


def duplicated(x: Any, fromLast: bool = False) -> np.ndarray:
    """Whether an item, or a row of a matrix or data frame, has come before (R's ``duplicated``).

    Parameters
    ----------
    x : array_like or DataFrame
    fromLast : bool, default False
        Count from the end.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.duplicated([1, 2, 1])
    array([False, False,  True])
    """
    keep: Any = "last" if fromLast else "first"
    if np.ndim(x) == 2:
        return pd.DataFrame(x).duplicated(keep=keep).to_numpy()
    with collating("C"):
        return pd.Series(codes(atomic(x))[0]).duplicated(keep=keep).to_numpy()


def unique(x: Any, fromLast: bool = False) -> Any:
    """Items without repetitions, in the order in which they come (R's ``unique``).

    Parameters
    ----------
    x : array_like or DataFrame
        Of a matrix or a data frame, the distinct rows.
    fromLast : bool, default False
        Keep the last of equal items.

    Returns
    -------
    ndarray, Categorical or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.unique([3, 1, 3])
    array([3, 1])
    """
    first = ~duplicated(x, fromLast)
    if np.ndim(x) == 2:
        return x[first] if isinstance(x, pd.DataFrame) else np.asarray(x)[first]
    return atomic(x)[first]


def match(x: Any, table: Any, nomatch: int | None = -1) -> np.ndarray:
    """Position in `table` of the first item that equals each of `x` (R's ``match``).

    Parameters
    ----------
    x, table : array_like
        A factor counts by its labels.
    nomatch : int or None, default -1
        The answer where there is none, NA in R; None for an error.

    Returns
    -------
    ndarray of int64, shape (n,)
        From 0.

    Raises
    ------
    LookupError
        An item is not there, and `nomatch` is None.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.match(["b", "z"], ["a", "b"])
    array([ 1, -1])
    """
    wanted, known = _comparable(x, table)
    first: dict[Any, int] = {}
    for place, item in enumerate(known):
        first.setdefault(item, place)
    gone = next((item for item in wanted if item not in first), None) if nomatch is None else None
    if gone is not None:
        raise LookupError(f"{gone!r} is not in table, where R has NA")
    return np.array([first.get(item, nomatch) for item in wanted], dtype=np.int64)


def _comparable(x: Any, table: Any) -> tuple[list[Any], list[Any]]:
    """Both sides as numbers, or as strings if one holds strings; missing is equal to missing."""
    sides = [atomic(x, "x"), atomic(table, "table")]
    if any(isinstance(side, pd.Categorical) or side.dtype == object for side in sides):
        left, right = (as_character(side).tolist() for side in (x, table))
        return left, right
    left, right = ([None if v != v else v for v in side.tolist()] for side in sides)
    return left, right


def in_(x: Any, table: Any) -> np.ndarray:
    """Whether each item is one of `table` (R's ``%in%``).

    Parameters
    ----------
    x, table : array_like

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.in_(["b", "z"], ["a", "b"])
    array([ True, False])
    """
    return match(x, table) >= 0
