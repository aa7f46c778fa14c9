"""Tables of other libraries converted to pandas: Arrow, polars, and objects with a conversion method.

The module imports only the library of an object, and a library that the object needs to export its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.data.sparse import check_sparse_matrix, outside, sparse_column_trouble
from pyrrf.errors import bad
from pyrrf.types import Column, Positions


def as_table(x: Any, name: str, row: bool = False) -> Any:
    """Return a table of pandas for a table of another library, and anything else as it is.

    Parameters
    ----------
    x : object
        A table of polars or Arrow (or one with ``to_pandas`` or ``__arrow_c_stream__``), or a structured
        array, becomes a DataFrame with the same columns; dictionaries and polars' Categorical become categoricals, and
        polars' Enum, which has an order, an ordered one.
    name : str
        Argument that messages show.
    row : bool, default False
        Whether a Series is one row, and becomes a DataFrame.

    Raises
    ------
    TypeError
        `x` is a lazy query, a dict or a list of dicts, or cannot be converted to a DataFrame.
    ValueError
        A column has no counterpart in pandas, such as a dictionary that holds a value twice.
    ImportError
        A library that the conversion needs is not installed.
    """
    x = _as_pandas(x, name)
    return x.to_frame().T.infer_objects() if row and isinstance(x, pd.Series) else x


def frame_or_array(x: Any, name: str) -> pd.DataFrame | np.ndarray:
    """Return a table of any library as a DataFrame, and anything else as an array."""
    x = as_table(x, name)
    return x if isinstance(x, pd.DataFrame) else np.asarray(x)


def _as_pandas(x: Any, name: str) -> Any:
    if isinstance(x, pd.DataFrame | pd.Series):
        check_stored(x, name)
        return x
    # A sparse matrix of scipy may be a mapping, too; its readers refuse it where they must.
    if hasattr(x, "toarray"):
        check_sparse_matrix(x, name)
        return x
    if isinstance(x, np.ndarray):
        return pd.DataFrame(_same_order(x)) if x.dtype.names and x.ndim == 1 else x
    if callable(getattr(x, "collect", None)) and not hasattr(x, "to_pandas"):
        raise bad.type(f"{name} is a {type(x).__name__}, which holds no rows yet; pass {name}.collect()")
    if isinstance(x, Mapping) or (isinstance(x, list) and x and isinstance(x[0], Mapping)):
        raise bad.type(f"{name} is a {type(x).__name__}, not a table; pass pd.DataFrame({name})")
    converts = getattr(x, "to_pandas", None)
    if not converts and not hasattr(x, "__arrow_c_stream__"):
        return x
    check_stored(x, name)
    try:
        return converts() if converts else _from_arrow(x, name)
    except ImportError as error:
        if callable(getattr(x, "get_columns", None)):
            return _from_polars(x)
        raise ImportError(
            f"{name} is a {type(x).__name__}, which needs {error.name or 'another library'} to become a DataFrame; "
            f"pip install {error.name or 'it'}, or pass {name}.to_numpy()"
        ) from error
    except (ValueError, NotImplementedError) as error:
        raise bad.type(
            f"{name} is a {type(x).__name__} with a column that does not become one of pandas ({error}); convert the "
            "column, or drop it",
            kind=ValueError,
        ) from error


def _from_arrow(x: Any, name: str) -> pd.DataFrame:
    """Return a stream of Arrow as a DataFrame."""
    import pyarrow

    table = pyarrow.table(x)
    check_stored(table, name)
    frame: pd.DataFrame = table.to_pandas()
    return frame


def check_stored(x: Any, name: str) -> None:
    """Raise ValueError for a table or column of pandas or Arrow whose codes or offsets point outside of its memory."""
    if isinstance(x, pd.DataFrame):
        for place in np.flatnonzero([not isinstance(dtype, np.dtype) for dtype in x.dtypes]).tolist():
            column: Column = x.iloc[:, place]
            _check_column(column, f"column {column.name!r} of {name}")
    elif isinstance(x, pd.Series):
        _check_column(x, name)
    elif type(x).__module__.partition(".")[0] == "pyarrow" and hasattr(x, "validate"):
        _validate_arrow(x, name)


def _check_column(column: Column, what: str) -> None:
    values, trouble = column.array, None
    if isinstance(values, pd.Categorical):
        trouble = outside(values.codes, len(values.categories), "codes", least=-1)
    elif isinstance(values, pd.arrays.SparseArray):
        trouble = sparse_column_trouble(values, len(column))
    elif isinstance(values, pd.arrays.ArrowExtensionArray):
        _validate_arrow(values.__arrow_array__(), what)
    if trouble:
        raise bad.damaged(f"{what} is damaged: {trouble}; make it anew")


def _validate_arrow(x: Any, what: str) -> None:
    """Raise ValueError for an array or table of Arrow whose offsets point outside of its memory."""
    try:
        x.validate(full=True)
    except ValueError as error:
        raise bad.damaged(f"{what} is damaged: {error}; make it anew") from None


def _from_polars(x: Any) -> pd.DataFrame:
    """Convert a table of polars to the same DataFrame as polars' own conversion, which needs pyarrow."""
    return pd.DataFrame({column.name: _from_polars_column(column) for column in x.get_columns()})


def _from_polars_column(column: Any) -> Any:
    kind = type(column.dtype).__name__
    if kind == "Null":
        return np.full(len(column), None)
    if kind not in ("Categorical", "Enum"):
        return column.to_numpy()
    # Categories without an order are listed in the order of their first occurrence.
    levels = column.dtype.categories if kind == "Enum" else column.drop_nulls().unique(maintain_order=True)
    return pd.Categorical(column.to_list(), levels.to_list(), ordered=kind == "Enum")


def _same_order(x: np.ndarray) -> np.ndarray:
    """Return a structured array with the byte order of this machine, which pandas asks for."""
    return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))


def some_columns(source: Any, frame: pd.DataFrame, kept: Positions, library: str) -> Any:
    """Return some columns of a table as a table of `library`, "pandas" or "polars", unchanged if it is one already.

    `frame` is the table as `as_table` returns it. Raise TypeError if polars does not support the categories.
    """
    if isinstance(source, pd.DataFrame) or library == "pandas":
        source = frame.iloc[:, kept]
        return source if library == "pandas" else _as_polars(source, source)
    if callable(getattr(source, "get_columns", None)):
        return source[:, kept.tolist()]
    arrow = hasattr(source, "select") and hasattr(source, "schema")
    return _as_polars(source.select(kept.tolist()) if arrow else frame.iloc[:, kept], frame.iloc[:, kept])


def _as_polars(table: Any, frame: pd.DataFrame) -> Any:
    """Return a table of pandas or Arrow as one of polars, whose Enum has the order that a category has."""
    import polars

    converted = polars.DataFrame(table)
    for position, name in enumerate(frame.columns):
        dtype = plain_column(frame.iloc[:, position]).dtype
        if not isinstance(dtype, pd.CategoricalDtype):
            continue
        if not all(isinstance(level, str) for level in dtype.categories):
            raise bad.type(
                f"column {name!r} of X holds categories that are no words, which polars does not have; pass "
                "set_output(transform='pandas')",
                "X",
            )
        if dtype.ordered:
            converted = converted.with_columns(converted[:, position].cast(polars.Enum(dtype.categories.tolist())))
    return converted


def plain_column(column: Column) -> Column:
    """Convert Arrow's dictionary to a categorical, and Arrow's nulls to None; return any other column unchanged."""
    arrow = getattr(column.dtype, "pyarrow_dtype", None)
    if str(arrow) == "null":
        return column.astype(object)
    if arrow is None or not str(arrow).startswith("dictionary"):
        return column
    values = column.array.__arrow_array__()  # type: ignore[attr-defined]
    # Parts of a column may have dictionaries of their own.
    values = values.unify_dictionaries() if hasattr(values, "unify_dictionaries") else values
    plain: Column = values.to_pandas().set_axis(column.index).rename(column.name)
    return plain


def only_numbers(frame: pd.DataFrame) -> bool:
    """Whether all columns are numbers of NumPy's types."""
    return all(map(is_number, frame.dtypes))


def is_number(dtype: Any) -> bool:
    """Whether a column of this dtype can be converted to float64 in one block."""
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def as_array(frame: pd.DataFrame) -> np.ndarray:
    """Return a table as float64 if its columns are numbers, of pandas' or Arrow's types too, otherwise as objects.

    NaN where a value is missing.
    """
    numeric = all(pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes)
    return frame.to_numpy(np.float64 if numeric else object, na_value=np.nan)


def to_categories(x: Any) -> str:
    """Return the code that makes a column categorical in the library of its table, for messages."""
    library = type(x).__module__.partition(".")[0]
    return _TO_CATEGORIES.get(library, "astype('category')")


# Advice for arrays: their columns have no types of their own.
_OF_ARRAYS = "astype('category') of a DataFrame, in a pipeline set_output(transform='pandas') of the step before,"
_TO_CATEGORIES = {
    "polars": "cast(pl.Categorical)", "pyarrow": "dictionary_encode()", "numpy": _OF_ARRAYS, "builtins": _OF_ARRAYS,
}  # fmt: skip
