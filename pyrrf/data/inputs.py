"""Columns of labels and of numbers: a response as of R's factor(), and codes of a predictor."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from pyrrf.checks import array_of, check_finite, check_text, quote, whole_letters
from pyrrf.data.tables import check_stored, plain_column
from pyrrf.errors import bad
from pyrrf.rbase.collate import coded_strings, collating
from pyrrf.types import Column, Labels, Positions

TOO_LARGE = "{} holds a whole number that is too large for float64; divide it, or take its logarithm"
# Kinds of values that a response may hold, by pandas' names.
_READABLE = ("string", "boolean", "categorical", "integer", "floating", "mixed-integer-float")

Kind = Literal["factor", "ordered", "string"]


@dataclass(frozen=True)
class Coded:
    """A column that is stored as codes 1..k of its levels."""

    kind: Kind  # {"factor", "ordered", "string"}
    levels: tuple[Hashable, ...]
    missing: bool = False  # whether missing values are one more category of a factor, k + 1 (engine parallel)

    @property
    def ncat(self) -> int:
        """Categories as the core counts them; 1 means the codes are numbers."""
        return len(self.levels) + self.missing if self.kind == "factor" else 1

    def place(self, codes: np.ndarray) -> np.ndarray:
        """Turn codes 1..k, with NaN for missing values, into the numbers that the core reads.

        A missing value of a factor becomes category k + 1 if the training data had missing values; otherwise
        it stays NaN.
        """
        known = ~np.isnan(codes)
        if self.kind != "factor":
            return codes
        return np.where(known, codes, len(self.levels) + 1.0) if self.missing else codes


@dataclass(frozen=True)
class Factor:
    """R's factor: codes from 0, and the levels that they point to."""

    codes: np.ndarray
    levels: list[Any]
    ordered: bool = False

    def series(self, index: Labels, codes: np.ndarray | None = None) -> Column:
        """Return a categorical Series of these codes, or of other codes; -1 is missing."""
        dtype = pd.CategoricalDtype(self.levels, ordered=self.ordered)
        values = pd.Categorical.from_codes(self.codes if codes is None else codes, dtype=dtype)
        return pd.Series(values, index=index)

    def take(self, rows: Positions) -> Factor:
        """Return some rows, counted from 0, in this order, with the levels that they have."""
        kept, codes = np.unique(self.codes[rows], return_inverse=True)
        return replace(self, codes=codes.astype(self.codes.dtype), levels=[self.levels[code] for code in kept])


def as_floats(column: Column, what: str) -> np.ndarray:
    """Return a column of numbers as float64, NaN where one is missing."""
    try:
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except OverflowError:
        raise bad.scale(TOO_LARGE.format(what)) from None


def infer(column: Column | Labels) -> str:
    """Return pandas' name for the kind of values; missing values do not count."""
    return pd.api.types.infer_dtype(column, skipna=True)


def codes_from_one(codes: np.ndarray) -> np.ndarray:
    """Codes 1..k as float64; NaN where missing."""
    return np.where(codes < 0, np.nan, codes + 1.0)


def factor_from_strings(values: Any, name: str) -> Factor:
    """R's factor() of strings: levels in the order that holds for strings; -1 = missing."""
    return Factor(*coded_strings(values, name))


def factor_from_numbers(values: np.ndarray) -> Factor:
    """R's as.factor() of numbers: levels sorted by value."""
    uniques, codes = np.unique(values, return_inverse=True)
    return Factor(codes.astype(np.int32), uniques.tolist())


def read_labels(values: Any, name: str) -> Factor | np.ndarray:
    """Read a vector: a Factor if it holds labels, float64 if it is numeric.

    Parameters
    ----------
    values : array_like, Series or Categorical, shape (n,)
        Categories keep their order; strings have that of `set_collate`; False comes before True.
    name : str
        Argument that messages show.

    Returns
    -------
    Factor or ndarray of float64

    Raises
    ------
    TypeError
        The values are neither categories, strings, booleans nor numbers, or they are mixed.
    ValueError
        There is more than one dimension, a value is missing or infinite, or a text has a lone surrogate.
    """
    with whole_letters(name):
        series = _as_series(values, name)
    inferred = "categorical" if isinstance(series.dtype, pd.CategoricalDtype) else infer(series)
    check_readable(inferred, name)
    if inferred in ("integer", "floating", "mixed-integer-float"):
        # The values of a table's column need not be contiguous.
        numbers = np.require(as_floats(series, name), requirements=["C", "A"])
        check_finite(numbers, name, "drop those rows first")
        return numbers
    factor = _labels(series, inferred, name)
    if (factor.codes < 0).any():
        raise bad.missing(f"{name} holds missing values; drop those rows first")
    return factor


def check_readable(kind: str, name: str) -> None:
    """Raise TypeError unless a kind of values, as `infer` names it, is one of labels or numbers."""
    if kind not in _READABLE:
        raise bad.type(f"{name} holds {kind} values; pass categories, strings, booleans or numbers")


def holds_whole_numbers(values: Any) -> bool:
    """Whether a vector of numbers is of a type of whole numbers, or holds such objects; 1.0 is none."""
    return infer(_as_series(values, "y")) == "integer"


def _labels(series: Column, inferred: str, name: str) -> Factor:
    if inferred == "categorical":
        dtype = series.cat
        codes = dtype.codes.to_numpy().astype(np.int32)
        check_text(dtype.categories, name)
        return Factor(codes, dtype.categories.tolist(), ordered=bool(dtype.ordered))
    if inferred == "string":
        return factor_from_strings(series, name)
    missing = series.isna().to_numpy()
    flags = series.to_numpy(dtype=bool, na_value=False)
    present = [value for value in (False, True) if (flags[~missing] == value).any()]
    # If only one of them occurs, it is level 0.
    codes = np.where(missing, -1, flags & (len(present) == 2)).astype(np.int32)
    return Factor(codes, present)


def _as_series(values: Any, name: str) -> Column:
    check_stored(values, name)
    if isinstance(values, pd.Series):
        return plain_column(values)
    if isinstance(values, pd.DataFrame) or array_of(values, name).ndim != 1:
        raise bad.shape(
            f"{name} must be one-dimensional, not of shape {np.shape(values)}; "
            "pass one column (a Series) or .ravel() an array"
        )
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        # Without a dtype pandas would look at every string to infer one.
        return pd.Series(values.astype(object), dtype=object)
    try:
        return pd.Series(values)
    except OverflowError:  # pandas 2 makes float64 of whole numbers in a list
        raise bad.scale(TOO_LARGE.format(name), name) from None


def as_factor(values: Any, name: str) -> Factor:
    """Read labels of any kind as a factor, numbers too (R's as.factor)."""
    labels = read_labels(values, name)
    return labels if isinstance(labels, Factor) else factor_from_numbers(labels)


def check_length(found: int, wanted: int, name: str, other: str, in_r: str = "") -> None:
    """Raise ValueError if two arguments differ in their number of rows, which R says in the words `in_r`."""
    if found != wanted:
        raise bad.length(f"{name} has {found} values, but {other} has {wanted} rows; pass one value per row", in_r=in_r)


def check_classes(factor: Factor, name: str) -> None:
    """Raise ValueError for a class without cases or for fewer than two classes."""
    counts = np.bincount(factor.codes, minlength=len(factor.levels))
    if np.count_nonzero(counts) < 2:
        raise bad.constant(f"{name} holds one class; classification needs at least two")
    empty = [level for level, size in zip(factor.levels, counts, strict=True) if size == 0]
    if empty:
        raise bad.levels(
            f"{name} has class(es) without rows: {quote(empty, len(empty))}; "
            f"drop them with {name}.cat.remove_unused_categories()"
        )


def match_labels(values: Any, levels: Sequence[Any], name: str, other: str) -> np.ndarray:
    """Codes from 0 of labels among given levels, int32.

    Raises
    ------
    ValueError
        A label is not among the levels.
    """
    with collating("C"):
        factor = as_factor(values, name)
    place = {level: code for code, level in enumerate(levels)}
    used = np.unique(factor.codes)
    unseen = [factor.levels[c] for c in used if factor.levels[c] not in place]
    if unseen:
        raise bad.levels(f"{name} has class(es) that {other} does not have: {quote(unseen, len(unseen))}")
    lookup = np.array([place.get(level, -1) for level in factor.levels], dtype=np.int32)
    return np.asarray(lookup[factor.codes])
