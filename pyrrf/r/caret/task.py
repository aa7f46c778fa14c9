"""What caret's train() was asked, and tables of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.r.base.frames import counted, framed
from pyrrf.r.caret.methods import Dots, Method
from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.values.arguments import flag, text
from pyrrf.r.values.attributes import factor_levels, inherits, is_factor, known_names
from pyrrf.r.values.vector import Value, integers, logicals, strings

OF_CLASSES, OF_NUMBERS = ["Accuracy", "Kappa"], ["RMSE", "Rsquared", "MAE"]


@dataclass
class Task:
    """What train() was asked."""

    method: str
    how: Method
    x: Value
    y: Value
    control: Value
    grid: Value
    dots: Dots
    metric: str
    maximize: Any
    call: str | None
    start: Value
    seeds: Value | None = None

    @property
    def classes(self) -> bool:
        """Whether the response has classes."""
        return is_factor(self.y)

    @property
    def resampling(self) -> str:
        """Return the method of trainControl()."""
        return text(self.control[["method"]])

    @property
    def measures(self) -> list[str]:
        """Return the names of caret's usual measures."""
        return OF_CLASSES if self.classes else OF_NUMBERS

    @property
    def probabilities(self) -> bool:
        """Whether predictions are kept with the probabilities of the classes."""
        return self.classes and flag(self.control[["classProbs"]])

    @property
    def verbose(self) -> bool:
        """Whether each fit is told."""
        return flag(self.control[["verboseIter"]])

    def row(self, at: int) -> Value:
        """Return one set of parameters."""
        found: Value = taken(self.grid, integers(at + 1), ALL, drop=False)
        return found

    @property
    def levels(self) -> Value:
        """Return the classes as caret keeps them."""
        if not self.classes:
            return logicals(np.nan)
        return strings(factor_levels(self.y), {"ordered": logicals(float(inherits(self.y, "ordered")))})


def columns_of(frame: Value) -> list[tuple[str, Value]]:
    """Return the columns of a data frame with their names."""
    return [(str(name), column) for name, column in zip(known_names(frame), frame._data, strict=True)]


def frame_from(columns: list[tuple[str, Value]]) -> Value:
    """Return a data frame with these columns."""
    return framed([column for _, column in columns], [name for name, _ in columns], counted(len(columns[0][1])))


def marks_of(x: Value) -> dict[str, Value]:
    """Return what makes a value a factor."""
    return {name: part for name, part in x._attributes.items() if name in ("levels", "class")}
