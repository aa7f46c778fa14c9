"""What C cannot see of an array: its type, length and layout, and whether C may write to it."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

# The largest C int.
INT_MAX = 2**31 - 1
# The largest seed or stream number of engine parallel.
WORD_MAX = 2**64 - 1
# A split stores the levels that go left as 32 bits.
MAX_LEVELS = 32


def vector(name: str, values: Any, dtype: DTypeLike, size: int | None = None, *, writable: bool = False) -> np.ndarray:
    """Return the array if C can read it as it is.

    Parameters
    ----------
    name : str
        The argument, for messages.
    values : ndarray
    dtype : dtype
        The type that it must have.
    size : int, optional
        The length that it must have; any by default.
    writable : bool, default False
        Whether C writes to it.

    Returns
    -------
    ndarray, shape (size,)
        `values`.

    Raises
    ------
    TypeError
        `values` is no array, or of another dtype.
    ValueError
        `values` has another shape, is not contiguous, or is read-only although C writes to it.
    """
    wanted = np.dtype(dtype)
    if not isinstance(values, np.ndarray):
        raise TypeError(f"{name}: {type(values).__name__} is not an array; pass an ndarray of {wanted}")
    if values.dtype != wanted:
        raise TypeError(f"{name}: dtype {values.dtype} is not {wanted}; pass {name}.astype(np.{wanted})")
    if values.ndim != 1 or (size is not None and len(values) != size):
        raise ValueError(
            f"{name}: shape {values.shape} is not ({'n' if size is None else size},); pass one number per item"
        )
    if not values.flags.c_contiguous or not values.flags.aligned:
        raise ValueError(f"{name}: the array is not contiguous; pass np.ascontiguousarray({name})")
    if writable and not values.flags.writeable:
        raise ValueError(f"{name}: the array is read-only, but results are written to it; pass a copy")
    return values


def within(name: str, values: np.ndarray, least: float, most: float) -> np.ndarray:
    """Return `values` if all are finite and from `least` to `most`; ValueError otherwise."""
    wrong = ~((values >= least) & (values <= most) & np.isfinite(values))
    if wrong.any():
        at = int(wrong.argmax())
        bound = f"{least} or more" if most == np.inf else f"{least} to {most}"
        if least == -np.inf:
            bound = "finite"
        raise ValueError(f"{name}: {values[at]} at position {at} is out of range; pass numbers that are {bound}")
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
    """Return a matrix that C can read: float64 or float32, aligned, with a row and a column."""
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
