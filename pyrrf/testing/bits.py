"""Two arrays compared bit by bit, and two fits component by component."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.result.result import ForestResult

# R's names; what a kind of forest does not have is None on both sides.
COMPONENTS = (
    "feaSet", "importance", "importanceSD", "predicted", "votes", "err_rate", "mse", "rsq", "oob_times", "confusion",
    "localImportance", "proximity", "inbag",
)  # fmt: skip
TEST = ("predicted", "votes", "err_rate", "mse", "rsq", "proximity")
FOREST = ("ndbigtree", "nodestatus", "bestvar", "leftDaughter", "nodepred", "xbestsplit")


@dataclass(frozen=True)
class Difference:
    """The first value that is not the same.

    Attributes
    ----------
    where : str
        Component and position, as ``importance[3, 0]``; positions from 0.
    ours, theirs : object
        The value here, and R's.
    cause : str
        What is likely to have brought it about, and the remedy; may be empty.
    """

    where: str
    ours: Any
    theirs: Any
    cause: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {_shown(self.ours)} here, {_shown(self.theirs)} in R"
        return f"{text}\n  {self.cause}" if self.cause else text


def _shown(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def values(part: Any) -> np.ndarray | None:
    """Return what a component holds as an array: codes of categories, numbers, or texts."""
    if part is None:
        return None
    if isinstance(part, pd.Series) and isinstance(part.dtype, pd.CategoricalDtype):
        return np.asarray(part.cat.codes)
    if isinstance(part, pd.Categorical):
        return np.asarray(part.codes)
    return np.asarray(part)


def same(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Say for each pair of values whether they are the same: equal numbers of one sign, or both missing."""
    if ours.dtype.kind in "fc" or theirs.dtype.kind in "fc":
        a, b = ours.astype(np.float64), theirs.astype(np.float64)
        equal: np.ndarray = ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))
        return equal
    return np.asarray(ours == theirs)


def first_difference(name: str, ours: Any, theirs: Any) -> Difference | None:
    """Return the first place where two components differ, or None.

    Parameters
    ----------
    name : str
        Of the component.
    ours, theirs : object
        Tables, columns, arrays or None.

    Returns
    -------
    Difference or None
    """
    a, b = values(ours), values(theirs)
    if a is None or b is None:
        return (
            None
            if a is b
            else Difference(name, "nothing" if a is None else "values", "nothing" if b is None else "values")
        )
    if a.shape != b.shape:
        return Difference(f"{name}: its shape", a.shape, b.shape)
    unequal = np.argwhere(~same(a, b))
    if not len(unequal):
        return None
    place = tuple(int(at) for at in unequal[0])
    where = f"{name}[{', '.join(map(str, place))}]" if place else name
    return Difference(where, a[place].item(), b[place].item())


def compare_fits(ours: ForestResult, theirs: ForestResult) -> Difference | None:
    """Return the first component in which two fits differ, bit by bit, or None.

    Parameters
    ----------
    ours, theirs : ForestResult
        Trees are compared where both have them.

    Returns
    -------
    Difference or None

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.testing import compare_fits
    >>> iris = pyrrf.datasets.load_iris()
    >>> one, two = (pyrrf.RRF(iris.iloc[:, :4], iris["Species"], ntree=5, seed=seed) for seed in (1, 2))
    >>> compare_fits(one, one) is None, compare_fits(one, two).where
    (True, 'importance[0, 0]')
    """
    pairs = [(name, getattr(ours, name, None), getattr(theirs, name, None)) for name in COMPONENTS]
    test, their_test = getattr(ours, "test", None), getattr(theirs, "test", None)
    pairs += [(f"test.{name}", getattr(test, name, None), getattr(their_test, name, None)) for name in TEST]
    if ours.forest is not None and theirs.forest is not None:
        pairs += [(f"forest.{name}", getattr(ours.forest, name), getattr(theirs.forest, name)) for name in FOREST]
    found = (first_difference(*pair) for pair in pairs)
    return next((difference for difference in found if difference is not None), None)


def count_values(fit: ForestResult) -> int:
    """Return how many values `compare_fits` looks at."""
    parts = [getattr(fit, name, None) for name in COMPONENTS]
    parts += [getattr(getattr(fit, "test", None), name, None) for name in TEST]
    if fit.forest is not None:
        parts += [getattr(fit.forest, name) for name in FOREST]
    return sum(array.size for array in map(values, parts) if array is not None)
