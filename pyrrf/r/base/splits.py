"""Rows parted by chance, class by class: caTools' `sample.split`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.base.chance import runif, sample
from pyrrf.r.base.sets import duplicated
from pyrrf.r.values.arguments import number
from pyrrf.r.values.attributes import dim_of, is_list, is_missing
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, RError, Value, as_value, integers, is_null, logicals


@r_function(draws=True)
def sample_split(Y: Any, SplitRatio: Any = 2 / 3, group: Any = None) -> Value:
    """Return which items belong to the first part; classes have about the same share in both parts.

    Raises
    ------
    NotMovedError
        Some of `Y` is missing, `Y` is no vector, or there are groups.
    """
    labels = as_value(Y)
    if is_list(labels) or not isinstance(labels, Value) or not len(labels) or dim_of(labels) is not None:
        raise NotMovedError("sample.split() of what is no vector")
    if not is_null(group) or is_missing(labels).any():
        raise NotMovedError("sample.split() with groups or missing values")
    n, ratio = len(labels), abs(number(SplitRatio))
    if ratio >= n:
        raise RError("Error in sample.split: 'SplitRatio' parameter has to be i [0, 1] range or [1, length(Y)] range")
    first = np.flatnonzero(duplicated(labels)._data == 0)
    chosen = np.zeros(n, dtype=bool)
    if 2 * len(first) > n or len(first) == 1:
        _draw(chosen, np.arange(n), ratio if ratio >= 1 else ratio * n)
    else:
        share = ratio / n if ratio >= 1 else ratio
        for at in first:
            alike = np.flatnonzero(labels._data == labels._data[at])
            _draw(chosen, alike, float(np.rint(len(alike) * share)))
    if ratio >= 1:
        _corrected(chosen, ratio)
    return logicals(chosen)


def _draw(chosen: np.ndarray, places: np.ndarray, count: float) -> None:
    """Choose some places, at least one, by numbers drawn for all."""
    ranks = np.argsort(runif(float(len(places)))._data, kind="stable")
    chosen[places[ranks[: max(int(count + 1e-10), 1)]]] = True


def _corrected(chosen: np.ndarray, wanted: float) -> None:
    """Draw as many places as are too many or too few."""
    more = float(chosen.sum()) - wanted
    if more != int(more):
        raise NotMovedError("sample.split() of a number that is not whole")
    if more:
        places = integers(np.flatnonzero(chosen if more > 0 else ~chosen) + 1.0)
        found = sample(places, abs(more))._data.astype(np.int64) - 1
        chosen[found] = more < 0
