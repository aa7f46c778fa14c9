"""Access to the parts of an R fit by name, with checks of type and shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.rds.content import DamagedError
from pyrrf.rds.parsed import array, attributes, dimnames, fields, kind, names, shape, texts, values, words
from pyrrf.types import Floats, Ints


@dataclass(frozen=True)
class Table:
    """A matrix with its labels.

    Parameters
    ----------
    values : ndarray of float64, shape (n, p)
    rows, columns : list of str or None
    """

    values: Floats
    rows: list[str] | None
    columns: list[str] | None


class Parts:
    """The parts of a named list of R, without those that are NULL.

    Parameters
    ----------
    obj : RObject
        The list.
    name : str
        Name of the list in messages.
    """

    def __init__(self, obj: Any, name: str) -> None:
        self.parts, self.name = fields(obj), name
        self.tables: dict[str, Table] = {}

    def __contains__(self, name: str) -> bool:
        return name in self.parts

    def __getitem__(self, name: str) -> Any:
        if name not in self.parts:
            raise DamagedError(f"the {self.name} has no {name!r}; store it in R as it was fitted")
        return self.parts[name]

    def doubles(self, name: str) -> Floats:
        """Return a vector or array as float64; NaN where NA."""
        values = array(self[name])
        if isinstance(values, np.ma.MaskedArray):
            return np.ma.filled(values.astype(np.float64), np.nan)
        return np.require(values, np.float64, "W")

    def integers(self, name: str) -> Ints:
        """Return a vector or array as int32."""
        if self[name].type == "INT" and not isinstance(self[name].value, np.ma.MaskedArray):
            return array(self[name])
        values = self.doubles(name)
        if not np.array_equal(values, np.trunc(values)) or np.abs(values).max(initial=0) >= 2**31:
            raise self.damage(name, "holds no whole numbers")
        return values.astype(np.int32)

    def whole(self, name: str) -> int:
        """Return one whole number."""
        values = self.integers(name)
        if values.shape != (1,):
            raise self.damage(name, "is not a single number")
        return int(values[0])

    def table(self, name: str) -> Table:
        """Return a matrix with its labels."""
        if name not in self.tables:
            if len(shape(self[name]) or ()) != 2:
                raise self.damage(name, "is not a matrix")
            self.tables[name] = Table(self.doubles(name), *dimnames(self[name]))
        return self.tables[name]

    def matrix(self, name: str) -> Floats | None:
        """Return a matrix without its labels; None if it is missing, or empty as combine() leaves it."""
        return self.table(name).values if self._has_values(name) else None

    def vector(self, name: str) -> Floats | None:
        """Return numbers as a vector; None if there are none."""
        return self.doubles(name).ravel("F") if self._has_values(name) else None

    def _has_values(self, name: str) -> bool:
        return name in self and len(values(self[name])) > 0

    def texts(self, name: str) -> list[str]:
        """Return a character vector."""
        return words(self[name])

    def labels(self, name: str) -> list[str] | None:
        """Return the names of a vector or the row names of a matrix; None if there are none."""
        if name not in self:
            return None
        obj = self[name]
        return dimnames(obj)[0] if shape(obj) else names(obj)

    def codes(self, name: str) -> tuple[Ints, list[str], bool]:
        """Return a factor: codes from 0 with -1 for NA, levels, and whether they are ordered."""
        about = attributes(self[name])
        if "levels" not in about or kind(self[name]) != "INT":
            raise self.damage(name, "is not a factor")
        codes = np.ma.filled(array(self[name]), 0).astype(np.int32) - 1
        levels = words(about["levels"])
        if len(codes) and codes.max() >= len(levels):
            raise self.damage(name, "has codes beyond its levels")
        ordered = "class" in about and "ordered" in texts(about["class"])
        return codes.astype(np.int32), levels, ordered

    def check_shape(self, name: str, values: np.ndarray | None, wanted: tuple[int, ...]) -> None:
        """Raise DamagedError if a part exists and has another shape."""
        if values is not None and values.shape != wanted:
            raise self.damage(name, f"has shape {values.shape}, not {wanted}")

    def damage(self, name: str, problem: str) -> DamagedError:
        """Return the error for an invalid part."""
        return DamagedError(f"the {self.name} is damaged: its {name!r} {problem}")
