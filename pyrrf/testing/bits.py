"""The one comparer: arrays, lists and tables bit by bit, what has parts part by part; also two fits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
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
    count : int
        How many values of the component differ; 0 where it is the shape.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.testing import compare_fits
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> one, two = (pyrrf.RRF(x, y, ntree=ntree, seed=1) for ntree in (5, 6))
    >>> found = compare_fits(one, two)
    >>> found.where, found.count
    ('importance[0, 0]', 1)
    >>> print(found)
    importance[0, 0]: 1.54 here, 1.5333333333333332 in R
    """

    where: str
    ours: Any
    theirs: Any
    cause: str = ""
    count: int = 0

    def __str__(self) -> str:
        text = f"{self.where}: {_shown(self.ours)} here, {_shown(self.theirs)} in R"
        return f"{text}\n  {self.cause}" if self.cause else text


def _shown(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def values(part: Any) -> np.ndarray | None:
    """Return what a component holds as an array: codes of categories, numbers, texts, or the items of a list."""
    if part is None:
        return None
    if isinstance(part, list):
        items = np.empty(len(part), dtype=object)
        items[:] = part
        return items
    if isinstance(part, pd.Series) and isinstance(part.dtype, pd.CategoricalDtype):
        return np.asarray(part.cat.codes)
    if isinstance(part, pd.Categorical):
        return np.asarray(part.codes)
    return np.asarray(part)


def same(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Say for each pair of values whether they are the same: equal numbers of one sign, equal texts, both missing."""
    kinds = ours.dtype.kind + theirs.dtype.kind
    if "O" in kinds:
        pairs = zip(ours.ravel().tolist(), theirs.ravel().tolist(), strict=True)
        return np.array([_same_item(*pair) for pair in pairs], dtype=bool).reshape(ours.shape)
    if "f" in kinds or "c" in kinds:
        a, b = ours.astype(np.float64), theirs.astype(np.float64)
        equal: np.ndarray = ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))
        return equal
    return np.asarray(ours == theirs)


def _same_item(ours: Any, theirs: Any) -> bool:
    if not (isinstance(ours, float) and isinstance(theirs, float)):
        return bool(ours == theirs)
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return ours == theirs and math.copysign(1, ours) == math.copysign(1, theirs)


def first_difference(name: str, ours: Any, theirs: Any) -> Difference | None:
    """Return the first place where two components differ, or None.

    Parameters
    ----------
    name : str
        Of the component.
    ours, theirs : object
        Tables, columns, arrays, lists or None.

    Returns
    -------
    Difference or None
    """
    a, b = values(ours), values(theirs)
    if a is None or b is None:
        held = ["nothing" if side is None else "values" for side in (a, b)]
        return None if a is b else Difference(name, held[0], held[1])
    if a.shape != b.shape:
        return Difference(f"{name}: its shape", a.shape, b.shape)
    unequal = np.argwhere(~same(a, b))
    if not len(unequal):
        return None
    place = tuple(int(at) for at in unequal[0])
    where = f"{name}[{', '.join(map(str, place))}]" if place else name
    here, there = (side[place] if side.dtype == object else side[place].item() for side in (a, b))
    return Difference(where, here, there, count=len(unequal))


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield the first difference of each part that R has.

    Parameters
    ----------
    ours, theirs : mapping
        Parts by their names, as `first_difference` takes them.

    Yields
    ------
    Difference
    """
    found = (first_difference(name, ours.get(name), part) for name, part in theirs.items())
    return (difference for difference in found if difference is not None)


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
    both = ours.forest is not None and theirs.forest is not None
    sides = (_components(fit, trees=both) for fit in (ours, theirs))
    return next(differences(*sides), None)


def _components(fit: ForestResult, trees: bool) -> dict[str, Any]:
    """Return what is compared of a fit, by names."""
    parts = {name: getattr(fit, name, None) for name in COMPONENTS}
    parts |= {f"test.{name}": getattr(getattr(fit, "test", None), name, None) for name in TEST}
    return parts | {f"forest.{name}": getattr(fit.forest, name) for name in FOREST if trees}


def count_values(fit: ForestResult) -> int:
    """Return how many values `compare_fits` looks at."""
    parts = _components(fit, trees=fit.forest is not None).values()
    return sum(array.size for array in map(values, parts) if array is not None)
