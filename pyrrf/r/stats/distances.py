"""Distances between the rows of a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.values.attributes import cells_of, dimnames_of, made
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.vector import NotMovedError, Value, integers, logicals, objects, strings
from pyrrf.rbase.vectors import REAL_NA


@r_function()
def dist(x: Value, method: Text = "euclidean", diag: Flag = False, upper: Flag = False, p: object = 2) -> Value:
    """Return the distances between rows.

    Those of "euclidean", "manhattan" and "maximum"; other methods are refused.
    """
    how = [name for name in _DISTANCES if name.startswith(method)]
    if len(how) != 1 or method == "m":
        raise NotMovedError(f"dist() with the method {method}")
    table = as_matrix(x)
    grid = cells_of(coerced(table, "double", keep=True))
    n, q = grid.shape
    if n == 0:
        raise NotMovedError("dist() without rows")
    first, second = np.triu_indices(n, 1)
    total = np.full(len(first), -np.inf if how[0] == "maximum" else 0.0)
    count = np.zeros(len(first))
    for column in grid.T:
        with np.errstate(all="ignore"):
            step = column[second] - column[first]
        known = ~np.isnan(step)
        count += known
        total = np.where(known, _DISTANCES[how[0]](total, np.abs(step)), total)
    with np.errstate(all="ignore"):
        if how[0] != "maximum":
            total = np.where(count == q, total, total / (count / q))
        found = np.where(count == 0, REAL_NA, np.sqrt(total) if how[0] == "euclidean" else total)
    labels = dimnames_of(table)[0]
    about = {"Size": integers(n)} | ({} if labels is None else {"Labels": strings(labels)})
    about |= {"Diag": logicals(diag), "Upper": logicals(upper), "method": strings(how)}
    return Value("double", found, about | {"call": Value("opaque", objects(["call"])), "class": strings("dist")})


_DISTANCES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "euclidean": lambda total, step: total + step * step,
    "manhattan": lambda total, step: total + step,
    "maximum": np.maximum,
}


def as_matrix_dist(x: Value) -> Value:
    """Return distances as a matrix."""
    n = int(x._attributes["Size"])
    grid = np.zeros((n, n))
    first, second = np.triu_indices(n, 1)
    grid[first, second] = grid[second, first] = x._data
    found = x._attributes.get("Labels")
    labels = [str(i + 1) for i in range(n)] if found is None else list(found._data)
    return made("double", grid, (labels, labels))
