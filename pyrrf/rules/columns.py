"""The columns that rules ask about: numbers, or levels by their texts."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from pyrrf.checks import quote
from pyrrf.data.inputs import Coded
from pyrrf.data.predictors import Predictors, read_predictors
from pyrrf.errors import bad
from pyrrf.rbase.numbers import label as label_text
from pyrrf.rbase.numbers import number_text, read_number
from pyrrf.rules.conditions import Piece, column_text
from pyrrf.types import Floats


class Columns:
    """The predictors of a call, read once."""

    def __init__(self, X: Any) -> None:
        if isinstance(X, Columns):
            self.table: Predictors = X.table
        else:
            self.table = read_predictors(X, "X", parallel=True, training=False)
        self.n, self.p = self.table.values.shape
        self._copies: dict[int, Floats] = {}

    @cached_property
    def _dense(self) -> np.ndarray:
        return self.table.dense

    def _values(self, position: int) -> Floats:
        """Return a column as float64, its values side by side; it is copied once."""
        if position not in self._copies:
            self._copies[position] = np.ascontiguousarray(self._dense[:, position], dtype=np.float64)
        return self._copies[position]

    def levels_of(self, position: int) -> Coded | None:
        """Return the levels of a column; None if it is numeric."""
        return self.table.coded.get(position)

    def levels(self, position: int) -> list[str]:
        """Return the texts of a column's levels."""
        column = self.table.coded[position]
        return [label_text(level) for level in column.levels]

    def has_missing(self, position: int) -> bool:
        """Whether a column has missing values."""
        return bool(self._missing(position).any())

    def name(self, position: int) -> str:
        """Return a column as messages show it."""
        return f"column {self.table.columns[position]!r} of X"

    def _missing(self, position: int) -> np.ndarray:
        values, column = self._values(position), self.levels_of(position)
        return np.asarray(np.isnan(values) | (values > len(column.levels) if column else False))

    def holds(self, piece: Piece) -> np.ndarray:
        """Return a mask of the rows that meet a piece of a rule, bool, shape (n,)."""
        if piece.sign == "always":
            return np.ones(self.n, dtype=bool)
        if piece.column >= self.p:
            raise bad.columns(
                f"a rule asks for {column_text(piece.column)}, but X has {self.p} columns; pass the columns that the "
                "rules come from, in their order",
                "X",
            )
        if piece.sign in ("known", "missing"):
            return np.asarray(self._missing(piece.column) == (piece.sign == "missing"))
        if piece.sign == "in":
            return self._is_among(piece)
        if self.levels_of(piece.column) is not None:
            raise bad.columns(
                f"{self.name(piece.column)} has levels, but a rule compares {column_text(piece.column)} with a number; "
                "pass the columns that the rules come from, in their order",
                "X",
                kind=TypeError,
            )
        values = self._values(piece.column)
        inside = values <= piece.number if piece.sign == "<=" else values > piece.number
        return inside | np.isnan(values) if piece.missing else inside

    def _is_among(self, piece: Piece) -> np.ndarray:
        values, column = self._values(piece.column), self.levels_of(piece.column)
        missing = self._missing(piece.column)
        if column is None:
            if any(piece.levels) and all(read_number(text) is None for text in piece.levels):
                raise bad.columns(
                    f"{self.name(piece.column)} holds numbers, but a rule asks for {quote(sorted(piece.levels))}; pass "
                    "the columns that the rules come from, in a DataFrame with their categories",
                    "X",
                    kind=TypeError,
                )
            distinct, place = np.unique(values, return_inverse=True)
            chosen = np.array([number_text(value) in piece.levels for value in distinct.tolist()], dtype=bool)
            return np.where(missing, piece.missing, chosen[place])
        chosen = np.array([*(text in piece.levels for text in self.levels(piece.column)), piece.missing], dtype=bool)
        codes = np.where(missing, len(column.levels) + 1.0, values).astype(np.int64)
        return np.asarray(chosen[codes - 1])
