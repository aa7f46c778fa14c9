"""Rows parted by chance, class by class: caTools' `sample.split`."""

from __future__ import annotations

import numpy as np

from pyrrf.r.base.chance import runif, sample
from pyrrf.r.base.sets import duplicated
from pyrrf.r.values.errors import RError, refuse_if
from pyrrf.r.values.functions import Number, r_function
from pyrrf.r.values.kinds import is_list, is_missing
from pyrrf.r.values.labels import dim_of
from pyrrf.r.values.vector import Value, integers, logicals


@r_function(does="draws", unsupported="group")
def sample_split(Y: Value, SplitRatio: Number = 2 / 3, group: Value | None = None) -> Value:
    """Return TRUE for each item of the first part; classes have about the same share in both parts."""
    refuse_if(is_list(Y) or not len(Y) or dim_of(Y) is not None, "sample.split() of something other than a vector")
    refuse_if(is_missing(Y).any(), "sample.split() of missing values")
    n, ratio = len(Y), abs(SplitRatio)
    if ratio >= n:
        raise RError("Error in sample.split: 'SplitRatio' parameter has to be i [0, 1] range or [1, length(Y)] range")
    first = np.flatnonzero(duplicated(Y)._data == 0)
    chosen = np.zeros(n, dtype=bool)
    if 2 * len(first) > n or len(first) == 1:
        _draw(chosen, np.arange(n), ratio if ratio >= 1 else ratio * n)
    else:
        share = ratio / n if ratio >= 1 else ratio
        for i in first:
            alike = np.flatnonzero(Y._data == Y._data[i])
            _draw(chosen, alike, float(np.rint(len(alike) * share)))
    if ratio >= 1:
        _correct_count(chosen, ratio)
    return logicals(chosen)


def _draw(chosen: np.ndarray, places: np.ndarray, count: float) -> None:
    """Choose some places, at least one, by numbers drawn for all."""
    ranks = np.argsort(runif(float(len(places)))._data, kind="stable")
    chosen[places[ranks[: max(int(count + 1e-10), 1)]]] = True


def _correct_count(chosen: np.ndarray, wanted: float) -> None:
    """Draw as many places as are too many or too few."""
    more = float(chosen.sum()) - wanted
    refuse_if(more != int(more), "sample.split() of a number that is not whole")
    if more:
        places = integers(np.flatnonzero(chosen if more > 0 else ~chosen) + 1.0)
        drawn = sample(places, abs(more))._data.astype(np.int64) - 1
        chosen[drawn] = more < 0
