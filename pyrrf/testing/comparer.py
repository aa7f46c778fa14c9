"""The comparer of the project: arrays, lists and tables bit by bit, mappings by name, fits by component."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.result.result import ForestResult

# R's names; components that a type of forest lacks are None on both sides.
COMPONENTS = (
    "feaSet", "importance", "importanceSD", "predicted", "votes", "err_rate", "mse", "rsq", "oob_times", "confusion",
    "localImportance", "proximity", "inbag",
)  # fmt: skip
TEST = ("predicted", "votes", "err_rate", "mse", "rsq", "proximity")
FOREST = ("ndbigtree", "nodestatus", "bestvar", "leftDaughter", "nodepred", "xbestsplit")


@dataclass(frozen=True)
class Difference:
    """The first difference between two results.

    Attributes
    ----------
    where : str
        Component and position, as ``importance[3, 0]``; positions from 0.
    ours, theirs : object
        The value here, and R's.
    cause : str
        The likely cause, and the remedy; may be empty.
    count : int
        Number of values of the component that differ; 0 if the shapes differ.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.testing import compare_fits
    >>> x, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> one, two = (pyrrf.RRF(x, y, ntree=ntree, seed=1) for ntree in (5, 6))
    >>> difference = compare_fits(one, two)
    >>> difference.where, difference.count
    ('importance[0, 0]', 1)
    >>> print(difference)
    importance[0, 0]: 1.54 here, 1.5333333333333332 in R
    """

    where: str
    ours: Any
    theirs: Any
    cause: str = ""
    count: int = 0

    def __str__(self) -> str:
        text = f"{self.where}: {_format_value(self.ours)} here, {_format_value(self.theirs)} in R"
        return f"{text}\n  {self.cause}" if self.cause else text


def _format_value(value: Any) -> str:
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def values(component: Any) -> np.ndarray | None:
    """Return the values of a component as an array: codes of categories, numbers, texts, or the items of a list."""
    if component is None:
        return None
    if isinstance(component, list):
        items = np.empty(len(component), dtype=object)
        items[:] = component
        return items
    if isinstance(component, pd.Series) and isinstance(component.dtype, pd.CategoricalDtype):
        return np.asarray(component.cat.codes)
    if isinstance(component, pd.Categorical):
        return np.asarray(component.codes)
    return np.asarray(component)


def equal_bits(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs of values that are the same: equal numbers of one sign, equal texts, both missing."""
    kinds = ours.dtype.kind + theirs.dtype.kind
    if "O" in kinds:
        pairs = zip(ours.ravel().tolist(), theirs.ravel().tolist(), strict=True)
        return np.array([_equal_items(*pair) for pair in pairs], dtype=bool).reshape(ours.shape)
    if "f" in kinds or "c" in kinds:
        a, b = ours.astype(np.float64), theirs.astype(np.float64)
        equal: np.ndarray = ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))
        return equal
    return np.asarray(ours == theirs)


def _equal_items(ours: Any, theirs: Any) -> bool:
    if not (isinstance(ours, float) and isinstance(theirs, float)):
        return bool(ours == theirs)
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return ours == theirs and math.copysign(1, ours) == math.copysign(1, theirs)


def first_difference(name: str, ours: Any, theirs: Any) -> Difference | None:
    """Return the first difference of two components, or None.

    Parameters
    ----------
    name : str
        Name of the component.
    ours, theirs : object
        Tables, columns, arrays, lists or None.

    Returns
    -------
    Difference or None
    """
    a, b = values(ours), values(theirs)
    if a is None or b is None:
        contents = ["nothing" if side is None else "values" for side in (a, b)]
        return None if a is b else Difference(name, contents[0], contents[1])
    if a.shape != b.shape:
        return Difference(f"{name}: its shape", a.shape, b.shape)
    unequal = np.argwhere(~equal_bits(a, b))
    if not len(unequal):
        return None
    position = tuple(int(index) for index in unequal[0])
    where = f"{name}[{', '.join(map(str, position))}]" if position else name
    our_value, their_value = (side[position] if side.dtype == object else side[position].item() for side in (a, b))
    return Difference(where, our_value, their_value, count=len(unequal))


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield the first difference of each component that R has.

    Parameters
    ----------
    ours, theirs : mapping
        Components by name, of the types of `first_difference`.

    Yields
    ------
    Difference
    """
    differences_by_part = (first_difference(name, ours.get(name), component) for name, component in theirs.items())
    return (difference for difference in differences_by_part if difference is not None)


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
    """Return the compared components of a fit by name."""
    parts = {name: getattr(fit, name, None) for name in COMPONENTS}
    parts |= {f"test.{name}": getattr(getattr(fit, "test", None), name, None) for name in TEST}
    return parts | {f"forest.{name}": getattr(fit.forest, name) for name in FOREST if trees}


def count_values(fit: ForestResult) -> int:
    """Return the number of values that `compare_fits` compares."""
    parts = _components(fit, trees=fit.forest is not None).values()
    return sum(array.size for array in map(values, parts) if array is not None)
