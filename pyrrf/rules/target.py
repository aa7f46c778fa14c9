"""The response that rules are measured by: classes, or numbers, which may be made classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.checks import count, numbers
from pyrrf.data.alignment import check_rows
from pyrrf.data.inputs import Factor, check_length, factor_from_numbers, holds_whole_numbers, read_labels
from pyrrf.data.predictors import Predictors
from pyrrf.rbase.arithmetic import quantile
from pyrrf.rbase.numbers import label as label_text
from pyrrf.rules.matches import Words, pack
from pyrrf.types import Floats, VectorLike


@dataclass(frozen=True, eq=False)
class Classes:
    """A response of classes."""

    factor: Factor

    @property
    def labels(self) -> list[Any]:
        """The classes in R's order."""
        return self.factor.levels

    @property
    def texts(self) -> list[str]:
        """The classes as R shows them."""
        return [label_text(label) for label in self.factor.levels]

    def masks(self) -> Words:
        """Return the rows of each class as bits, shape (classes, words)."""
        return pack(self.factor.codes == np.arange(len(self.labels))[:, np.newaxis])

    def codes_of(self, labels: Any) -> np.ndarray:
        """Return the code of each label by its text, -1 for a label that is no class."""
        place = {text: code for code, text in enumerate(self.texts)}
        return np.array([place.get(label_text(label), -1) for label in labels], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Numbers:
    """A numeric response.

    `whole`: they are of a type of whole numbers, whose mean R takes in one pass.
    """

    values: Floats
    whole: bool


def read_target(target: Any, table: Predictors) -> Classes | Numbers:
    """Read a response for the rows of X: numbers stay numbers, anything else is classes."""
    labels, n = read_labels(target, "target"), len(table.rows)
    check_rows(target, "target", table.rows if table.named else None, "X")
    if isinstance(labels, Factor):
        check_length(len(labels.codes), n, "target", "X")
        return Classes(labels)
    check_length(len(labels), n, "target", "X")
    return Numbers(labels, holds_whole_numbers(target))


def read_classes(target: Any, table: Predictors) -> Classes:
    """Read a response as classes, numbers too (R's as.factor())."""
    response = read_target(target, table)
    return Classes(factor_from_numbers(response.values)) if isinstance(response, Numbers) else response


def dicretizeVector(v: VectorLike, K: int = 3) -> np.ndarray:
    """Turn numbers into classes of about equally many (R's ``dicretizeVector`` of inTrees).

    Parameters
    ----------
    v : array_like, shape (n,)
        Numbers.
    K : int, default 3
        Number of classes, at least 2. Where many numbers are equal there may be fewer.

    Returns
    -------
    ndarray of object, shape (n,)
        "L1", "L2", ...; the bounds are R's quantiles of type 3 and belong to the class below.

    Raises
    ------
    TypeError
        `v` does not hold numbers.
    ValueError
        `v` holds missing or infinite values, or `K` is out of range.

    Examples
    --------
    >>> from pyrrf import rules
    >>> rules.dicretizeVector([5, 1, 4, 2, 6, 3]).tolist()
    ['L3', 'L1', 'L2', 'L1', 'L3', 'L2']
    """
    values, classes = numbers(v, "v"), count(K, "K", minimum=2)
    bounds = quantile(values, np.arange(1, classes) * (1 / classes), 3)
    names = np.array([f"L{place}" for place in range(1, classes + 1)], dtype=object)
    return np.asarray(names[np.searchsorted(bounds, values, side="left")])
