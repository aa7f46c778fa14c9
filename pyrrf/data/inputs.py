"""Predictors and responses: what R's data.matrix() and factor() make of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import pandas as pd

from pyrrf._core.records import SparseColumns
from pyrrf.checks import warn
from pyrrf.data.tables import as_table, plain_column
from pyrrf.data.values import columns_of, dense, read_sparse, stored, take_columns, take_rows
from pyrrf.rbase.collate import coded_strings, collating
from pyrrf.types import Column, Labels, Positions

MAX_CATEGORIES = 32
# In randomForest, and in engine parallel.
MAX_PACKED = 53
MAX_WIDE = 65536
# A factor whose levels have fewer rows than this, on average, draws a warning.
ROWS_PER_LEVEL = 10

_TOO_LARGE = "{} holds a whole number that is too large for float64; divide it, or take its logarithm"

Kind = Literal["factor", "ordered", "string"]


@dataclass(frozen=True)
class Coded:
    """A column that is stored as codes 1..k of its levels.

    Parameters
    ----------
    kind : {"factor", "ordered", "string"}
    levels : tuple
    missing : bool, default False
        Whether missing values are one more category of a factor, k + 1 (engine parallel).
    """

    kind: Kind
    levels: tuple[Hashable, ...]
    missing: bool = False

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
class Predictors:
    """A table of predictors as the core reads it.

    Parameters
    ----------
    values : ndarray of float64, shape (n, p), Fortran order
        Numbers, or codes 1..k for the columns in `coded`. For engine parallel float32 or float64 in
        any layout, with NaN for missing values. Or SparseColumns, of a sparse matrix.
    rows, columns : Index
        Labels; positions from 0 for an array.
    named : bool
        Whether the columns have names of their own (a DataFrame).
    coded : dict of int to Coded
        The columns that hold codes, by position.
    """

    values: np.ndarray | SparseColumns
    rows: Labels
    columns: Labels
    named: bool
    coded: dict[int, Coded] = field(default_factory=dict)

    @property
    def ncat(self) -> np.ndarray:
        """Number of categories of each column, int32, shape (p,); 1 = numeric."""
        ncat = np.ones(self.values.shape[1], dtype=np.int32)
        for position, column in self.coded.items():
            ncat[position] = column.ncat
        return ncat

    @property
    def dense(self) -> np.ndarray:
        """The values as an array; those of a sparse matrix are copied."""
        return dense(self.values)

    def select(self, columns: Positions) -> Predictors:
        """Return the same rows with these columns, counted from 0, in this order."""
        coded = {at: self.coded[old] for at, old in enumerate(columns.tolist()) if old in self.coded}
        labels = self.columns[columns] if self.named else pd.RangeIndex(len(columns))
        return replace(self, values=take_columns(self.values, columns), columns=labels, coded=coded)

    def take(self, rows: Positions) -> Predictors:
        """Return some rows, counted from 0, in this order."""
        return replace(self, values=take_rows(self.values, rows), rows=self.rows[rows])


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


# ---- predictors ----------------------------------------------------------------------------------


def read_predictors(x: Any, name: str, parallel: bool = False, training: bool = True) -> Predictors:
    """Check and code a table of predictors.

    Parameters
    ----------
    x : array_like, table or sparse matrix of scipy, shape (n, p)
        A table is a DataFrame or what `as_table` makes one.
        Categoricals become codes 1..k, ordered ones codes that count as numbers, booleans 0 and 1,
        strings codes of their sorted values that count as numbers (with a warning).
    name : str
        Argument that messages show.
    parallel : bool, default False
        Whether the table is for engine parallel, which accepts missing values and reads arrays of
        float32 and float64 without a copy.
    training : bool, default True
        Whether the codes of strings stay what they are here, of which a warning tells. Test and new data
        have theirs matched to those of the training data.

    Returns
    -------
    Predictors

    Raises
    ------
    TypeError
        A column has a type that is neither a number, a category, a boolean nor a string.
    ValueError
        There are no rows or columns, values are infinite, or values are missing and the engine is r.
    """
    x = as_table(x, name)
    if isinstance(x, pd.DataFrame):
        table = _read_frame(x, name, parallel)
    else:
        values = read_sparse(x, name) if hasattr(x, "toarray") else _read_array(x, name, parallel)
        n, p = values.shape
        table = Predictors(values, pd.RangeIndex(n), pd.RangeIndex(p), named=False)
    n, p = table.values.shape
    if n == 0:
        raise ValueError(f"{name} has 0 rows; pass at least one")
    if p == 0:
        raise ValueError(f"{name} has 0 columns; pass at least one")
    _check_finite(table, name, parallel)
    if training:
        _warn_strings(table, name)
    return table


def _read_array(x: Any, name: str, parallel: bool) -> np.ndarray:
    if isinstance(x, str):
        raise TypeError(f"{name} must be an array or a DataFrame, not a string")
    array = _as_array(x, name)
    if array.ndim != 2:
        raise ValueError(
            f"{name} must have 2 dimensions (rows, columns), not {array.ndim}; pass a table, or one column as (n, 1)"
        )
    if array.dtype == object:
        array = _numbers_of_objects(array, name, parallel)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} is an array of dtype {np.asarray(x).dtype}, not of numbers; "
            "pass a DataFrame if columns differ in type"
        )
    # What a longer float holds beyond float64 becomes infinite, and is refused as that.
    with np.errstate(over="ignore"):
        # Arrays that came out of another process need not be aligned.
        return array if parallel and _is_borrowed(array) else np.require(array, np.float64, ["F", "A"])


def _as_array(x: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(np.ma.filled(x.astype(np.float64), np.nan) if np.ma.isMaskedArray(x) else x)
    except ValueError as error:
        raise ValueError(f"{name} is not a table of numbers ({error}); pass rows of one length") from None


def _numbers_of_objects(array: np.ndarray, name: str, parallel: bool) -> np.ndarray:
    """Return objects as float64, or as strings where they are no numbers."""
    try:
        return pd.DataFrame(array).to_numpy(np.float64, na_value=np.nan) if parallel else array.astype(np.float64)
    except (TypeError, ValueError):
        return array.astype(str)
    except OverflowError:
        raise ValueError(_TOO_LARGE.format(name)) from None


def _is_borrowed(array: np.ndarray) -> bool:
    """Whether engine parallel can read the array without a copy."""
    whole_steps = all(step % array.itemsize == 0 for step in array.strides)
    # In C two steps of 0 stand for R's layout.
    return array.dtype in (np.float32, np.float64) and array.flags.aligned and whole_steps and any(array.strides)


def _read_frame(x: pd.DataFrame, name: str, parallel: bool) -> Predictors:
    dtypes = x.dtypes.to_numpy()
    plain = {dtype for dtype in set(dtypes) if _is_plain(dtype)}
    special = [] if len(plain) == len(set(dtypes)) else _positions_outside(dtypes, plain)
    if not special:
        single = parallel and plain == {np.dtype(np.float32)}
        values = x.to_numpy(dtype=np.float32 if single else np.float64)
        values = np.require(values, requirements=["A"] if parallel else ["F", "A"])
        return Predictors(values, x.index, x.columns, named=True)
    values = np.empty(x.shape, dtype=np.float64, order="F")
    # pandas does not copy a slice of neighbouring columns.
    for before, after in pairwise([-1, *special, x.shape[1]]):
        values[:, before + 1 : after] = x.iloc[:, before + 1 : after].to_numpy(dtype=np.float64)
    coded: dict[int, Coded] = {}
    for position in special:
        column = x.iloc[:, position]
        values[:, position], spec = _read_column(column, f"column {column.name!r} of {name}", parallel)
        if spec is not None:
            coded[position] = spec
    return Predictors(values, x.index, x.columns, named=True, coded=coded)


def _is_plain(dtype: Any) -> bool:
    """Whether columns of this dtype can be converted to float64 in one block."""
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def _positions_outside(dtypes: np.ndarray, plain: set[Any]) -> list[int]:
    return [j for j, dtype in enumerate(dtypes) if dtype not in plain]


def _read_column(column: Column, what: str, parallel: bool) -> tuple[np.ndarray, Coded | None]:
    """Return float64 values and, if they are codes, their levels."""
    column = plain_column(column)
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = _codes_from_one(column.cat.codes.to_numpy())
        if dtype.ordered:
            return codes, Coded("ordered", tuple(dtype.categories.tolist()))
        factor = Coded("factor", tuple(dtype.categories.tolist()), missing=parallel and bool(np.isnan(codes).any()))
        return factor.place(codes) if parallel else codes, factor
    inferred = _infer(column)
    if inferred in ("integer", "floating", "mixed-integer-float", "boolean") or (parallel and inferred == "empty"):
        return _as_floats(column, what), None
    if inferred == "string":
        strings = factor_from_strings(column, what)
        return _codes_from_one(strings.codes), Coded("string", tuple(strings.levels))
    raise TypeError(f"{what} holds {inferred} values; turn it into numbers or into categories with astype('category')")


def _as_floats(column: Column, what: str) -> np.ndarray:
    try:
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    except OverflowError:
        raise ValueError(_TOO_LARGE.format(what)) from None


def _infer(column: Column) -> str:
    """Return pandas' name for the kind of values; missing values do not count."""
    return pd.api.types.infer_dtype(column, skipna=True)


def _codes_from_one(codes: np.ndarray) -> np.ndarray:
    """Codes 1..k as float64; NaN where missing."""
    return np.where(codes < 0, np.nan, codes + 1.0)


def _warn_strings(table: Predictors, name: str) -> None:
    strings = [table.columns[j] for j, column in table.coded.items() if column.kind == "string"]
    if strings:
        shown = ", ".join(repr(s) for s in strings[:5]) + (", ..." if len(strings) > 5 else "")
        warn(
            f"string column(s) {shown} of {name} become integer codes that count as numbers, as in "
            "R; use astype('category') for categories"
        )


def _check_finite(table: Predictors, name: str, parallel: bool) -> None:
    """Raise ValueError for infinite values and, with engine r, for missing ones; name the columns."""
    # A finite sum proves that all values are finite, and needs no array of flags.
    values = stored(table.values)
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return
    wrong = np.isinf(values) if parallel else ~np.isfinite(values)
    bad = table.columns[columns_of(table.values, wrong)].tolist()
    if not bad:
        return
    shown = ", ".join(repr(b) for b in bad[:5]) + (", ..." if len(bad) > 5 else "")
    if parallel or not np.isnan(values).any():
        raise ValueError(f"{name} holds infinite values in column(s) {shown}; drop or impute them first")
    raise ValueError(
        f"{name} holds missing values in column(s) {shown}; drop or impute them first, "
        "or fit with RRF's engine='parallel'"
    )


def check_categories(table: Predictors, name: str, *, packed: bool = False) -> None:
    """Raise ValueError if a categorical column has more levels than a split can code; packed: of `randomForest`."""
    most, function = (MAX_PACKED, "RRF() with ") if packed else (MAX_CATEGORIES, "")
    for position, column in table.coded.items():
        if column.ncat > most:
            raise ValueError(
                f"column {table.columns[position]!r} of {name} has {column.ncat} categories, more "
                f"than {most}; merge levels, make it ordered or numeric, or, with a response, pass "
                f"{function}engine='parallel'"
            )


def check_wide_factors(table: Predictors, name: str) -> None:
    """Raise ValueError for a factor with too many levels, and warn of one with many for the number of rows."""
    for position, column in table.coded.items():
        what = f"column {table.columns[position]!r} of {name} has {column.ncat} categories"
        if column.ncat > MAX_WIDE:
            raise ValueError(f"{what}, more than {MAX_WIDE}; merge levels, or drop the column")
        if column.ncat > MAX_CATEGORIES and column.ncat * ROWS_PER_LEVEL > len(table.rows):
            warn(
                f"{what} in {len(table.rows)} rows, fewer than {ROWS_PER_LEVEL} rows each: splits between them follow "
                "chance, and impurity importance overrates the column; merge levels, or judge it by permutation "
                "importance (importance=True)"
            )


# ---- responses and other factors -----------------------------------------------------------------


def factor_from_strings(values: Any, name: str) -> Factor:
    """R's factor() of strings: levels in the order that holds for strings; -1 = missing."""
    return Factor(*coded_strings(values, name))


def factor_from_numbers(values: np.ndarray) -> Factor:
    """R's as.factor() of numbers: levels sorted by value."""
    uniques, codes = np.unique(values, return_inverse=True)
    return Factor(codes.astype(np.int32), uniques.tolist())


def read_labels(values: Any, name: str) -> Factor | np.ndarray:
    """Read a vector: a Factor for labels, float64 for numbers.

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
        There is more than one dimension, or a value is missing or infinite.
    """
    series = _as_series(values, name)
    inferred = "categorical" if isinstance(series.dtype, pd.CategoricalDtype) else _infer(series)
    readable = ("string", "boolean", "categorical", "integer", "floating", "mixed-integer-float")
    if inferred not in readable:
        raise TypeError(f"{name} holds {inferred} values; pass categories, strings, booleans or numbers")
    if inferred in ("integer", "floating", "mixed-integer-float"):
        # The values of a table's column need not be contiguous.
        numbers = np.require(_as_floats(series, name), requirements=["C", "A"])
        if not np.isfinite(numbers).all():
            raise ValueError(f"{name} holds NaN or infinite values; drop those rows first")
        return numbers
    factor = _labels(series, inferred, name)
    if (factor.codes < 0).any():
        raise ValueError(f"{name} holds missing values; drop those rows first")
    return factor


def holds_whole_numbers(values: Any) -> bool:
    """Whether a vector of numbers is of a type of whole numbers, or holds such objects; 1.0 is none."""
    return _infer(_as_series(values, "y")) == "integer"


def _labels(series: Column, inferred: str, name: str) -> Factor:
    if inferred == "categorical":
        dtype = series.cat
        codes = dtype.codes.to_numpy().astype(np.int32)
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
    if isinstance(values, pd.Series):
        return plain_column(values)
    if isinstance(values, pd.DataFrame) or np.ndim(values) != 1:
        raise ValueError(
            f"{name} must be one-dimensional, not of shape {np.shape(values)}; "
            "pass one column (a Series) or .ravel() an array"
        )
    if isinstance(values, np.ndarray) and values.dtype.kind == "U":
        # Without a dtype pandas would look at every string to infer one.
        return pd.Series(values.astype(object), dtype=object)
    return pd.Series(values)


def as_factor(values: Any, name: str) -> Factor:
    """Read labels of any kind as a factor, numbers too (R's as.factor)."""
    labels = read_labels(values, name)
    return labels if isinstance(labels, Factor) else factor_from_numbers(labels)


def check_length(found: int, wanted: int, name: str, other: str) -> None:
    """Raise ValueError if two arguments differ in their number of rows."""
    if found != wanted:
        raise ValueError(f"{name} has {found} values, but {other} has {wanted} rows; pass one value per row")


def check_classes(factor: Factor, name: str) -> None:
    """Raise ValueError for a class without cases or for fewer than two classes."""
    counts = np.bincount(factor.codes, minlength=len(factor.levels))
    if np.count_nonzero(counts) < 2:
        raise ValueError(f"{name} holds one class; classification needs at least two")
    empty = [level for level, size in zip(factor.levels, counts, strict=True) if size == 0]
    if empty:
        shown = ", ".join(repr(e) for e in empty)
        raise ValueError(
            f"{name} has class(es) without a case: {shown}; drop them with {name}.cat.remove_unused_categories()"
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
        shown = ", ".join(repr(u) for u in unseen)
        raise ValueError(f"{name} has class(es) that {other} does not have: {shown}")
    lookup = np.array([place.get(level, -1) for level in factor.levels], dtype=np.int32)
    return np.asarray(lookup[factor.codes])
