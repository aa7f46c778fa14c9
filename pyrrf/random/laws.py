"""Draws of a distribution: the number of draws, the parameters, the warning where there is no distribution."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc
from typing import Any, TypeVar

import numpy as np

from pyrrf.checks import warn
from pyrrf.errors import bad
from pyrrf.random.stream import drawing
from pyrrf.types import Floats

# The second parameter of a distribution that has only one.
_UNUSED = np.zeros(1)
R_INT_MAX = 2**31 - 1
_Law = TypeVar("_Law", bound=Callable[..., Any])
_SECTIONS = """{summary}

Parameters
----------
n : int
    Number of draws, or a vector of this length.
{parameters}

Returns
-------
ndarray of {kind}, shape (n,)

Raises
------
TypeError, ValueError
    As for `runif`.

Examples
--------
>>> from pyrrf.random import {name}, set_seed
>>> set_seed(1)
{example}
"""


def describe_law(kind: str = "float64") -> Callable[[_Law], _Law]:
    """Complete the docstring of a distribution, which holds a summary, its parameters and an example."""

    def describe(function: _Law) -> _Law:
        if function.__doc__:  # there is none under python -OO
            summary, parameters, example = cleandoc(function.__doc__).split("\n\n")
            parts = {"summary": summary, "parameters": parameters, "example": example, "name": function.__name__}
            function.__doc__ = _SECTIONS.format(kind=kind, **parts)
        return function

    return describe


def number_of_draws(n: Any) -> int:
    """Return the number of draws; as in R fractions are cut off, and a vector means its length."""
    if np.ndim(n) == 1 and len(n) != 1:
        return len(n)
    return whole(n[0] if isinstance(n, np.ndarray | list | tuple) and len(n) else n, "n")


def whole(value: Any, name: str) -> int:
    """Return a number of 0 or more; as in R its fraction is cut off."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise bad.type(f"{name} must be a number, not {value!r}")
    if not np.isfinite(value) or value < 0:
        raise bad.range(f"{name} must be 0 or more, not {value!r}")
    return int(value)


def parameter(value: Any, name: str) -> Floats:
    """Return an argument of a distribution as float64, shape (k,)."""
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or array.ndim > 1 or array.size == 0:
        raise bad.type(f"{name} must be a number or a vector of numbers, not {value!r}")
    return np.ascontiguousarray(np.atleast_1d(array), dtype=np.float64)


def draw(law: str, n: Any, first: Floats, second: Floats = _UNUSED) -> Floats:
    """Draw real numbers.

    `law` is the name in `Stream.draw`; parameters are recycled as in R. The result is NaN, with a warning, where they
    describe no distribution.
    """
    size = number_of_draws(n)
    if size == 0:
        return np.empty(0)
    with drawing() as stream:
        values = stream.draw(law, size, first, second)
    if np.isnan(values).any():
        warn("NaNs produced: the arguments describe no distribution")
    return values


def count(law: str, n: Any, first: Floats, second: Floats = _UNUSED) -> np.ndarray:
    """Draw whole numbers: int64, or float64 if there is a NaN or a number that is no R integer."""
    values = draw(law, n, first, second)
    return values.astype(np.int64) if (values <= R_INT_MAX).all() else values
