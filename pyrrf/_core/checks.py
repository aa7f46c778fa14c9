"""Checks of arrays before they are passed to C: type, length, layout, and whether C may write to them."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

# The largest C int.
INT_MAX = 2**31 - 1
# The largest seed or stream number of engine parallel.
WORD_MAX = 2**64 - 1
# Levels of a factor of engine parallel.
MAX_LEVELS = 65536


# For each field of C the argument of RRF(), and the remedy.
_REMEDIES = {
    "x": ("x", "pass finite numbers, and levels of a factor from 1 to their number"),
    "n": ("x", "pass 1 to 2**30 rows, half as many in unsupervised mode"),
    "p": ("x", "pass a column or more"),
    "ncat": ("x", "pass factors of 2 to 32 levels"),
    "y": ("y", "pass classes from 0 that are below their number"),
    "nclass": ("y", "pass two classes or more, or numbers"),
    "response": (
        "y",
        "pass finite numbers; with engine='parallel' their sum over a bag must not come near 1e308: divide y by a "
        "power of ten",
    ),
    "ntree": ("ntree", "pass 1 or more"),
    "mtry": ("mtry", "pass 1 to the number of columns"),
    "nodesize": ("nodesize", "pass 0 or more"),
    "max_nodes": ("maxnodes", "pass 1 or more"),
    "sampsize": ("sampsize", "pass 1 or more; without replacement no more than the rows of the data or the stratum"),
    "strata": ("strata", "pass a stratum for each row, of those that sampsize has numbers for"),
    "nstrata": ("strata", "pass no more strata than rows"),
    "classwt": ("classwt", "pass positive numbers"),
    "cutoff": ("cutoff", "pass positive numbers"),
    "row_weight": ("sample_weight", "pass finite numbers that are not negative"),
    "coef_reg": ("coefReg", "pass finite numbers, with engine='parallel' from 0 to 1"),
    "feature_group": ("feature_groups", "pass labels from 0 that are below the number of columns, with flagReg=1"),
    "case_weight": ("weights", "pass positive numbers that add up to 1, in a forest with a response"),
    "n_perm": ("nPerm", "pass 1 or more"),
    "n_jobs": ("n_jobs", "pass 1 or more"),
    "max_depth": ("max_depth", "pass 0 or more"),
    "criterion": ("criterion", "pass one for classes or one for regression, as the response requires"),
}


def out_of_range(field: str) -> str:
    """Return the message for a field that `rrf_params_check` rejects: the argument, and the remedy."""
    name, remedy = _REMEDIES.get(field, (field, "see RRF()"))
    return f"{name}: a value is out of its range; {remedy}"


def new_result(name: str, shape: tuple[int, int], dtype: DTypeLike = np.float64) -> np.ndarray:
    """Return an empty column-major array for an optional result.

    Raise MemoryError with the name of the argument if it is too large.
    """
    try:
        return np.empty(shape, dtype, order="F")
    except (MemoryError, ValueError):
        size = math.prod(shape) * np.dtype(dtype).itemsize / 1e9
        raise MemoryError(
            f"{name} takes {size:,.0f} GB, more than there is; pass {name}=False, or fewer rows"
        ) from None


def vector(name: str, values: Any, dtype: DTypeLike, size: int | None = None, *, writable: bool = False) -> np.ndarray:
    """Return an array after a check that C can read it without a copy.

    Parameters
    ----------
    name : str
        The argument, for messages.
    values : ndarray
    dtype : dtype
        Required type.
    size : int, optional
        Required length; any by default.
    writable : bool, default False
        Whether C writes to it.

    Returns
    -------
    ndarray, shape (size,)
        `values`.

    Raises
    ------
    TypeError
        `values` is not an array, or of another dtype.
    ValueError
        `values` has another shape, is not contiguous, or is read-only although C writes to it.
    """
    required = np.dtype(dtype)
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name}: {type(values).__name__} is not an array; pass an ndarray of {required}")
    if values.dtype != required:
        raise TypeError(f"{name}: dtype {values.dtype} is not {required}; pass {name}.astype(np.{required})")
    if values.ndim != 1 or (size is not None and len(values) != size):
        raise ValueError(
            f"{name}: shape {values.shape} is not ({'n' if size is None else size},); pass one number per item"
        )
    if not values.flags.c_contiguous or not values.flags.aligned:
        raise ValueError(f"{name}: the array is not contiguous; pass np.ascontiguousarray({name})")
    if writable and not values.flags.writeable:
        raise ValueError(f"{name}: the array is read-only, but results are written to it; pass a copy")
    return values


def in_range(name: str, values: np.ndarray, least: float, most: float) -> np.ndarray:
    """Return `values` if all are finite and from `least` to `most`; ValueError otherwise."""
    is_outside = ~((values >= least) & (values <= most) & np.isfinite(values))
    if is_outside.any():
        position = int(is_outside.argmax())
        bound = f"{least} or more" if most == np.inf else f"{least} to {most}"
        if least == -np.inf:
            bound = "finite"
        raise ValueError(
            f"{name}: {values[position]} at position {position} is out of range; pass numbers that are {bound}"
        )
    return values


def integer(name: str, value: Any, least: int, most: int = INT_MAX) -> int:
    """Return `value` as an int from `least` to `most`; TypeError or ValueError otherwise."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not an integer; pass an int") from None
    if not least <= number <= most:
        raise ValueError(f"{name}: {number} is out of range; pass {least} to {most}")
    return number


def matrix(name: str, values: Any) -> np.ndarray:
    """Return a matrix after a check that C can read it: float64 or float32, aligned, not empty."""
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name}: {type(values).__name__} is not an array; pass an ndarray of float64 or float32")
    if values.dtype not in (np.float64, np.float32):
        raise TypeError(f"{name}: dtype {values.dtype} is neither float64 nor float32; pass {name}.astype(np.float64)")
    if values.ndim != 2 or 0 in values.shape or max(values.shape) > INT_MAX:
        raise ValueError(
            f"{name}: shape {values.shape} is not (rows, columns); pass a matrix with at least one of each"
        )
    if not values.flags.aligned or any(step % values.itemsize for step in values.strides):
        raise ValueError(f"{name}: its numbers do not lie one item apart; pass a copy")
    return values


def with_distinct_strides(x: Any) -> Any:
    """Return a matrix, copied if both strides are 0, which in C mean column-major layout."""
    return x.copy() if isinstance(x, np.ndarray) and not any(x.strides) else x
