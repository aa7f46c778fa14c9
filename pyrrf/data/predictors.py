"""Predictors: a table of any kind as numbers for the core, coded as by R's data.matrix()."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from pyrrf._core.records import SparseColumns
from pyrrf.checks import quote, warn
from pyrrf.data.inputs import TOO_LARGE, Coded, as_floats, codes_from_one, factor_from_strings, infer
from pyrrf.data.sparse import sparse_columns
from pyrrf.data.tables import as_table, is_number, plain_column
from pyrrf.errors import bad, input_error
from pyrrf.rbase.collate import collating
from pyrrf.types import Column, Labels, Positions

MAX_CATEGORIES = 32
# Maximum levels of a factor in randomForest.
MAX_PACKED = 53
# Values of x per pass; few, because the first pass usually decides whether a column varies.
_VALUES_AT_ONCE = 1 << 16
# Values examined at a time, so that masks of them take little memory.
_FLAGS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class Predictors:
    """A table of predictors as the core reads it, here an array."""

    sparse: ClassVar[bool] = False

    # float64, shape (n, p), Fortran order: numbers, or codes 1..k for the columns in `coded`. Engine parallel and rows
    # to predict allow float32 or float64 in any layout; engine parallel also allows NaN for missing values.
    values: Any
    # rows, columns: labels; positions from 0 for an array
    rows: Labels
    columns: Labels
    named: bool  # whether the columns have names of their own (a DataFrame)
    coded: dict[int, Coded] = field(default_factory=dict)  # the columns that hold codes, by position

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
        return np.asarray(self.values)

    @property
    def stored_values(self) -> np.ndarray:
        """The values that are stored; all others are 0."""
        return np.asarray(self.values)

    def columns_where(self, holds: Callable[[np.ndarray], np.ndarray]) -> Positions:
        """Return the columns with a stored value for which `holds` is true, each column once, in ascending order."""
        n, p = self.values.shape
        marked, step = np.zeros(p, bool), max(1, _FLAGS_AT_ONCE // p)
        for start in range(0, n, step):
            marked |= holds(self.values[start : start + step]).any(axis=0)
        return np.flatnonzero(marked)

    def writable(self) -> Predictors:
        """Return the table as an array of its own; without codes it is copied, as it may be the caller's."""
        return self if self.coded else replace(self, values=self.values.copy(order="F"))

    def select(self, columns: Positions) -> Self:
        """Return the same rows with these columns, counted from 0, in this order."""
        coded = {new: self.coded[old] for new, old in enumerate(columns.tolist()) if old in self.coded}
        labels = self.columns[columns] if self.named else pd.RangeIndex(len(columns))
        return replace(self, values=self._part(slice(None), columns), columns=labels, coded=coded)

    def take(self, rows: Positions) -> Self:
        """Return some rows, counted from 0, in this order; without a copy if they are all rows as they stand."""
        if np.array_equal(rows, np.arange(len(self.rows))):
            return self
        return replace(self, values=self._part(rows, slice(None)), rows=self.rows[rows])

    def _part(self, rows: Positions | slice, columns: Positions | slice) -> Any:
        """Return some of the values in the memory layout of the table."""
        values = self.values[rows, columns]
        return np.asfortranarray(values) if self.values.flags.f_contiguous else values

    def varies(self) -> bool:
        """Whether a column has more than one value, so that a split exists."""
        n, p = self.values.shape
        step = max(1, _VALUES_AT_ONCE // n)
        return any(_varies(self.values[:, start : start + step]) for start in range(0, p, step))

    def varying(self) -> np.ndarray:
        """Return a mask of the columns with more than one value, bool, shape (p,)."""
        n, p = self.values.shape
        step = max(1, _VALUES_AT_ONCE // n)
        return np.concatenate([varying(self._block(start, start + step)) for start in range(0, p, step)])

    def _block(self, start: int, end: int) -> np.ndarray:
        """Return the values of some neighbouring columns as an array."""
        return np.asarray(self.values[:, start:end])


class SparsePredictors(Predictors):
    """A sparse matrix of scipy, which is read column by column and is never made dense."""

    sparse = True
    values: SparseColumns

    @property
    def _matrix(self) -> Any:
        """The columns as a sparse array of scipy, without a copy."""
        from scipy.sparse import csc_array

        return csc_array((self.values.values, self.values.rows, self.values.start), shape=self.values.shape)

    @property
    def dense(self) -> np.ndarray:
        """A copy of the values as an array."""
        return np.asarray(self._matrix.toarray(order="F"))

    @property
    def stored_values(self) -> np.ndarray:
        """The values that are stored, column by column."""
        return self.values.values

    def columns_where(self, holds: Callable[[np.ndarray], np.ndarray]) -> Positions:
        """Return the columns with a stored value for which `holds` is true."""
        places = np.flatnonzero(holds(self.stored_values))
        return np.unique(np.searchsorted(self.values.start, places, side="right") - 1)

    def _block(self, start: int, end: int) -> np.ndarray:
        return np.asarray(self._matrix[:, start:end].toarray())

    def writable(self) -> Predictors:
        """Return the table as an array."""
        return Predictors(self.dense, self.rows, self.columns, self.named)

    def _part(self, rows: Positions | slice, columns: Positions | slice) -> SparseColumns:
        return sparse_columns(self._matrix[rows, columns])

    def varies(self) -> bool:
        """Whether a column has more than one value, so that a split exists."""
        stored, start = self.values.values, self.values.start
        sizes = np.diff(start)
        full = sizes == self.values.shape[0]
        # A column that is not full holds a 0, so it varies if a stored value is not 0.
        if (np.repeat(~full, sizes) & (stored != 0)).any():
            return True
        return any(_varies(stored[start[j] : start[j + 1], None]) for j in np.flatnonzero(full))


class ConstantFeaturesError(ValueError):
    """All columns are constant: no split exists, and no feature can be selected."""


def check_varies(table: Predictors, name: str) -> None:
    """Raise ConstantFeaturesError if all columns are constant."""
    if not table.varies():
        raise bad.constant(
            f"all features in {name} are constant, so no tree can split; pass features that vary",
            name,
            kind=ConstantFeaturesError,
        )


def varying(columns: np.ndarray) -> np.ndarray:
    """Return a mask of the columns with more than one value, bool, shape (p,); NaN counts as a value."""
    first = columns[0]
    return np.asarray(((columns != first) & ~(np.isnan(columns) & np.isnan(first))).any(axis=0))


def _varies(columns: np.ndarray) -> bool:
    """Whether a column has more than one value."""
    return bool(varying(columns).any())


def of_numbers(values: Any, source: Any = None) -> Predictors:
    """Return an array or a sparse matrix of numbers as predictors, with the labels of the DataFrame they came from."""
    n, p = values.shape
    named = isinstance(source, pd.DataFrame)
    rows, columns = (source.index, source.columns) if named else (pd.RangeIndex(n), pd.RangeIndex(p))
    if hasattr(values, "tocsc"):
        return SparsePredictors(sparse_columns(values), rows, columns, named)
    return Predictors(values, rows, columns, named)


# ---- one reader ----------------------------------------------------------------------------------


def read_predictors(x: Any, name: str, parallel: bool = False, training: bool = True) -> Predictors:
    """Check and code a table of predictors.

    Parameters
    ----------
    x : array_like, table or sparse matrix of scipy, shape (n, p)
        A table is a DataFrame, or an object that `as_table` converts to a DataFrame.
        Categoricals become codes 1..k, ordered ones codes that count as numbers, booleans 0 and 1,
        strings codes of their sorted values that count as numbers (with a warning).
    name : str
        Argument that messages show.
    parallel : bool, default False
        Whether the table is for engine parallel, which accepts missing values and reads arrays of
        float32 and float64 without a copy.
    training : bool, default True
        Whether the codes of strings are final; a warning then mentions them. In test and new data they are
        matched to the training data later, so strings are sorted by code points here.

    Raises
    ------
    TypeError
        A column has a type that is neither a number, a category, a boolean nor a string.
    ValueError
        There are no rows or columns, values are infinite, or values are missing and the engine is r.
    """
    return read_plain(as_table(x, name), name, parallel, training)


def read_plain(x: Any, name: str, parallel: bool, training: bool, borrows: bool = False) -> Predictors:
    """Read, check and code a table of `as_table`, as `read_predictors` does.

    `borrows`: whether arrays of float32 and float64 are read without a copy for engine r, too, as in rows to predict.
    """
    with collating(None if training else "C"):
        if isinstance(x, pd.DataFrame):
            table = _read_frame(x, name, parallel)
        elif hasattr(x, "toarray"):
            table = _read_sparse(x, name)
        else:
            table = _read_array(x, name, parallel, parallel or borrows)
    for size, what in zip(table.values.shape, ("rows", "columns"), strict=True):
        if size == 0:
            raise bad.empty(f"{name} has 0 {what}; pass at least one")
    _check_finite(table, name, parallel)
    if training:
        _warn_strings(table, name)
    return table


def _read_sparse(x: Any, name: str) -> Predictors:
    """Return a sparse matrix of scipy by its columns; duplicate entries are summed."""
    if not callable(getattr(x, "tocsc", None)):
        raise bad.type(f"{name} is a sparse matrix; pass {name}.toarray()")
    if x.dtype.kind not in "biuf":
        raise bad.type(f"{name} is a sparse matrix of dtype {x.dtype}, not of numbers")
    return of_numbers(x)


def _read_array(x: Any, name: str, parallel: bool, borrows: bool) -> Predictors:
    """Return the numbers of an array, or of an object that numpy converts to one."""
    if isinstance(x, str):
        raise bad.type(f"{name} must be an array or a DataFrame, not a string")
    array = _as_array(x, name)
    if array.ndim != 2:
        raise bad.shape(
            f"{name} must have 2 dimensions (rows, columns), not {array.ndim}; pass a table, or one column as (n, 1)"
        )
    if array.dtype == object:
        array = _numbers_of_objects(array, name, parallel)
    if array.dtype.kind not in "biuf":
        raise bad.type(
            f"{name} is an array of dtype {np.asarray(x).dtype}, not of numbers; pass a DataFrame if columns differ in "
            "type"
        )
    # Values of a longer float beyond float64 become infinite, and are refused as such.
    with np.errstate(over="ignore"):
        # Arrays that came out of another process need not be aligned.
        borrowed = borrows and is_borrowed(array)
        return of_numbers(array if borrowed else np.require(array, np.float64, ["F", "A"]))


def _as_array(x: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(np.ma.filled(x.astype(np.float64), np.nan) if np.ma.isMaskedArray(x) else x)
    except ValueError as error:
        raise bad.shape(f"{name} is not a table of numbers ({error}); pass rows of one length") from None


def _numbers_of_objects(array: np.ndarray, name: str, parallel: bool) -> np.ndarray:
    """Return objects as float64, or as strings if they are not numbers."""
    try:
        return pd.DataFrame(array).to_numpy(np.float64, na_value=np.nan) if parallel else array.astype(np.float64)
    except (TypeError, ValueError):
        return array.astype(str)
    except OverflowError:
        raise bad.scale(TOO_LARGE.format(name), name) from None


def is_borrowed(array: np.ndarray) -> bool:
    """Whether engine parallel, and predictions of either engine, can read the array without a copy."""
    whole_steps = all(step % array.itemsize == 0 for step in array.strides)
    # In C, two strides of 0 mean R's layout (column-major).
    return array.dtype in (np.float32, np.float64) and array.flags.aligned and whole_steps and any(array.strides)


def _read_frame(x: pd.DataFrame, name: str, parallel: bool) -> Predictors:
    """Return the numbers and codes of a table; TypeError for a column of another type."""
    dtypes = x.dtypes.to_numpy()
    plain = {dtype for dtype in set(dtypes) if is_number(dtype)}
    special = [] if plain == set(dtypes) else [index for index, dtype in enumerate(dtypes) if dtype not in plain]
    if not special:
        values = x.to_numpy(dtype=np.float32 if parallel and plain == {np.dtype(np.float32)} else np.float64)
        return of_numbers(np.require(values, requirements=["A"] if parallel else ["F", "A"]), x)
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


def _read_column(column: Column, what: str, parallel: bool) -> tuple[np.ndarray, Coded | None]:
    """Return float64 values and, if they are codes, their levels."""
    column = plain_column(column)
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = codes_from_one(column.cat.codes.to_numpy())
        if dtype.ordered:
            return codes, Coded("ordered", tuple(dtype.categories.tolist()))
        factor = Coded("factor", tuple(dtype.categories.tolist()), missing=parallel and bool(np.isnan(codes).any()))
        return factor.place(codes) if parallel else codes, factor
    inferred = infer(column)
    if inferred in ("integer", "floating", "mixed-integer-float", "boolean") or (parallel and inferred == "empty"):
        return as_floats(column, what), None
    if inferred == "string":
        strings = factor_from_strings(column, what)
        return codes_from_one(strings.codes), Coded("string", tuple(strings.levels))
    raise bad.type(f"{what} holds {inferred} values; convert it to numbers, or to categories with astype('category')")


# ---- checks --------------------------------------------------------------------------------------


def _warn_strings(table: Predictors, name: str) -> None:
    strings = [table.columns[j] for j, column in table.coded.items() if column.kind == "string"]
    if strings:
        warn(
            f"string column(s) {quote(strings)} of {name} become integer codes that count as numbers, as in "
            "R; use astype('category') for categories"
        )


def _check_finite(table: Predictors, name: str, parallel: bool) -> None:
    """Raise ValueError for infinite values and, with engine r, for missing ones; name the columns."""
    # A finite sum proves that all values are finite, and needs no array of flags.
    values = table.stored_values
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return
    columns = table.columns[table.columns_where(np.isinf if parallel else _is_not_finite)].tolist()
    if not columns:
        return
    what, remedy = "infinite", ""
    if not parallel and np.isnan(values).any():
        what, remedy = "missing", ", or fit with RRF's engine='parallel'"
    raise input_error(what, f"{name} holds {what} values in column(s) {quote(columns)}; impute or drop them{remedy}")


def _is_not_finite(values: np.ndarray) -> np.ndarray:
    return np.asarray(~np.isfinite(values))


def check_categories(table: Predictors, name: str, *, packed: bool = False) -> None:
    """Raise ValueError if a categorical column has too many levels for a split; packed: the limit of `randomForest`."""
    most, function = (MAX_PACKED, "RRF() with ") if packed else (MAX_CATEGORIES, "")
    for position, column in table.coded.items():
        if column.ncat > most:
            raise bad.levels(
                f"column {table.columns[position]!r} of {name} has {column.ncat} categories, more "
                f"than {most}; merge categories, make it ordered or numeric, or pass {function}engine='parallel', "
                "which needs a y",
                name,
            )
