"""Writer of NumPy's and pandas' values as objects of R."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.errors import bad
from pyrrf.rbase.numbers import label
from pyrrf.rds import build
from pyrrf.types import Labels
from pyrrf.unsupported_object import UnsupportedObject

_KNOWN = "fits, DataFrames, Series, Categoricals, arrays, numbers, text, lists and dicts"


def write_value(value: Any) -> Any:
    """Return a value other than a fit, a list or a dict as an object of R.

    Raises
    ------
    TypeError
        R has no such value.
    ValueError
        Names of rows occur twice, or a whole number is too large for a double.
    """
    _check_read(value)
    if value is None:
        return build.null()
    if isinstance(value, pd.DataFrame):
        return _frame(value)
    if isinstance(value, pd.Series):
        return _column(value, _names(value.index))
    if isinstance(value, pd.Index | pd.api.extensions.ExtensionArray):
        return _column(pd.Series(value))
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, bool | int | float | complex | str | np.generic):
        return _array(np.array([value], dtype=object if isinstance(value, str) else None))
    raise bad.type(f"object holds {type(value).__name__}, which R has not; pass {_KNOWN}")


def _check_read(*values: Any) -> None:
    for value in values:
        if isinstance(value, UnsupportedObject):
            raise value.error()


def row_names(index: Labels) -> list[str] | None:
    """Return labels as R writes them; None for a range that starts at 0 or 1."""
    return None if _only_counts(index) else [label(value) for value in index.tolist()]


def _only_counts(index: Labels) -> bool:
    counted = isinstance(index, pd.RangeIndex) and index.step == 1 and index.start in (0, 1)
    return counted or len(index) == 0


def _names(index: Labels) -> dict[str, Any]:
    """Return the names attribute of a vector; also for an empty index of labels."""
    if isinstance(index, pd.RangeIndex):
        return build.vector_names(row_names(index))
    missing = pd.isna(index.to_numpy())
    return build.vector_names(
        [None if is_missing else label(value) for value, is_missing in zip(index.tolist(), missing, strict=True)]
    )


def _frame(frame: pd.DataFrame) -> Any:
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        raise bad.unsupported("object has labels of more than one level; pass object.reset_index(), with single names")
    columns = [_column(frame.iloc[:, position]) for position in range(frame.shape[1])]
    about = {
        "names": build.texts([str(name) for name in frame.columns]),
        "class": build.texts(["data.frame"]),
        "row.names": _frame_rows(frame.index),
    }
    return build.make("VEC", columns, about)


def _frame_rows(index: Labels) -> Any:
    if _only_counts(index):
        return build.integers([build.INT_NA, -len(index)])
    if not index.is_unique:
        raise bad.duplicate(
            f"row label {index[index.duplicated()][0]!r} stands twice, which R refuses; reset_index()", "object"
        )
    if index.dtype.kind in "iu" and index.min() > build.INT_NA and index.max() < 2**31:
        return build.integers(index.to_numpy())
    return build.texts(row_names(index) or [])


def _column(series: pd.Series[Any], about: dict[str, Any] | None = None) -> Any:
    """Return a column of pandas as a vector; missing values are NA, as is every NaN without the mark of R's NaN."""
    dtype, missing = series.dtype, series.isna().to_numpy()
    if isinstance(dtype, pd.CategoricalDtype):
        levels = [label(level) for level in dtype.categories.tolist()]
        names = about["names"].value if about else None
        return build.factor(series.cat.codes.to_numpy(), levels, bool(dtype.ordered), names)
    if dtype.kind == "M":
        return _times(series, missing, about)
    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "empty" and len(series):
        kind = _EMPTY.get(dtype.kind, "string")
    if kind == "boolean":
        return build.logicals(np.where(missing, build.INT_NA, series.to_numpy(dtype=object, na_value=False)), about)
    if kind == "integer":
        known = series[~missing].to_numpy()
        if len(known) == 0 or (known.min() > build.INT_NA and known.max() < 2**31):
            return build.integers(series.to_numpy(dtype=object, na_value=build.INT_NA).astype(np.int64), about)
        _check_exact(known)
    if kind in ("integer", "floating", "mixed-integer-float"):
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return build.doubles(np.where(missing & ~_were_nan(values), build.REAL_NA, values), about)
    if kind == "string" or (kind == "empty" and dtype.kind == "O"):
        return build.texts(
            [None if is_missing else str(v) for v, is_missing in zip(series, missing, strict=True)], about
        )
    if kind == "complex":
        return build.make("CPLX", series.to_numpy(dtype=np.complex128), about)
    _check_read(*series)
    raise bad.type(
        f"column {series.name!r} of object holds {kind} values; pass numbers, text, booleans or categories", "object"
    )


def _were_nan(values: np.ndarray) -> np.ndarray:
    """Return a mask of the values that `read_rds` marked as R's NaN, which is not a missing value."""
    return np.asarray(values.view(np.uint64) == build.REAL_NAN.view(np.uint64))


# Type of a column without values, by the kind of its dtype; a column of None is text, as from read_rds().
_EMPTY = {"b": "boolean", "i": "integer", "u": "integer"}


def _times(series: pd.Series[Any], missing: np.ndarray, about: dict[str, Any] | None) -> Any:
    """Return times as seconds since 1970, R's POSIXct."""
    zone = getattr(series.dtype, "tz", None)
    known = series if zone is None else series.dt.tz_convert("UTC").dt.tz_localize(None)
    unit, _ = np.datetime_data(known.to_numpy().dtype)
    seconds = known.to_numpy().astype(np.int64) / _PARTS[unit]
    marks = {"class": build.texts(["POSIXct", "POSIXt"]), "tzone": build.texts([str(zone or "UTC")])}
    return build.doubles(np.where(missing, build.REAL_NA, seconds), {**(about or {}), **marks})


# Units of a second.
_PARTS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def _check_exact(values: np.ndarray) -> None:
    if any(int(float(value)) != int(value) for value in values.tolist()):
        raise bad.unsupported("object holds whole numbers that no double holds, nor R's integers; pass them as text")


def _array(values: np.ndarray) -> Any:
    """Return an array in its shape: of integers and logicals the masked values are NA, of doubles every NaN stays."""
    if values.ndim == 0:
        values = values.reshape(1)
    masked = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    plain = np.ma.getdata(values)
    if plain.dtype.kind == "f":
        doubles = plain.astype(np.float64)
        return build.doubles(doubles if masked is None else np.where(masked, build.REAL_NA, doubles))
    flat = _flat(plain.ravel(order="F"), None if masked is None else masked.ravel(order="F"))
    shape = {} if plain.ndim == 1 else {"dim": build.integers(plain.shape)}
    return _column(flat, shape or None)


def _flat(values: np.ndarray, masked: np.ndarray | None) -> pd.Series[Any]:
    """Return values as a column, of a type that has missing values where some are masked."""
    if masked is None:
        return pd.Series(values)
    if values.dtype.kind == "b":
        return pd.Series(pd.arrays.BooleanArray(values, masked))
    if values.dtype.kind in "iu":
        return pd.Series(pd.arrays.IntegerArray(values, masked))
    return pd.Series(values).astype(object).mask(masked)


def write_parts(value: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the parts of a dict by R's names. TypeError if a key is not text."""
    wrong = [key for key in value if not isinstance(key, str)]
    if wrong:
        raise bad.type(f"object has the key {wrong[0]!r}, which is not text; a list of R has names")
    return dict(value)
