"""Which columns hold categories, and their codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import array_of, check_text, shown
from pyrrf.data.alignment import by_name
from pyrrf.data.identifiers import check_wide_factors, warn_identifiers, warn_once
from pyrrf.data.kinds import as_float_column, kind_of, refusal
from pyrrf.data.match import Training
from pyrrf.data.predictors import Predictors, check_categories, read_predictors
from pyrrf.data.tables import as_table, plain_column, to_categories
from pyrrf.errors import bad, input_error
from pyrrf.types import Labels


def as_rows(X: Any) -> Any:
    """Return a table of any library as that of pandas, a masked array with NaN for what is masked, others as is."""
    X = as_table(X, "X")
    if isinstance(X, pd.DataFrame) and not X.columns.is_unique:
        name = X.columns[X.columns.duplicated()][0]
        places = X.columns.get_indexer_for(pd.Index([name])) + 1
        raise bad.duplicate(f"columns {places[0]} and {places[1]} of X have the same name, {name!r}; rename one", "X")
    if isinstance(X, pd.DataFrame):
        check_text(X.columns, "a column name of X")
    # scikit-learn would read what stands under the mask.
    return np.ma.filled(X.astype(np.float64), np.nan) if np.ma.isMaskedArray(X) else X


def as_frame(X: Any, categorical: Any) -> pd.DataFrame | None:
    """Return a table with its categories as categoricals; None for data that have only numbers.

    `categorical` is as the estimators' `categorical_features`.
    """
    named = X if isinstance(X, pd.DataFrame) else None
    if categorical is None:
        return None
    if isinstance(categorical, str):
        if categorical != "from_dtype":
            raise bad.choice(
                f"categorical_features must be 'from_dtype', None or a list of columns, not {categorical!r}"
            )
        return None if named is None or only_numbers(named) else named
    if hasattr(X, "toarray"):
        raise bad.unsupported("categorical_features cannot be used with a sparse X; pass X.toarray(), or None")
    frame = pd.DataFrame(np.asarray(X)) if named is None else named
    chosen = column_positions(frame.columns, categorical, "categorical_features")
    return _with_categories(frame, chosen) if chosen or not only_numbers(frame) else None


def as_fitted(X: Any, training: Training, listed: bool) -> Any:
    """Return new rows as a table with the columns of the fit; arrays of numbers as they are.

    `listed`: whether `categorical_features` lists columns, which become categories here, too.
    """
    if not isinstance(X, pd.DataFrame):
        if not listed or hasattr(X, "toarray") or np.asarray(X).dtype.kind in "biuf":
            return X
        X = pd.DataFrame(np.asarray(X))
    frame = X.set_axis(training.columns, axis=1)
    plain = {training.columns[at]: one for at, one in training.coded.items() if listed and not _is_category(frame, at)}
    return frame.astype({name: pd.CategoricalDtype(ordered=one.kind == "ordered") for name, one in plain.items()})


def as_meant(frame: pd.DataFrame, source: Any, new: bool = False) -> pd.DataFrame:
    """Return a table with words as categories, of which one warning says so, and decimals as float64.

    Parameters
    ----------
    frame : DataFrame
    source : object
        What it came from; messages name what its library has.
    new : bool, default False
        Whether these are rows to predict, whose words are those of the fit.

    Raises
    ------
    TypeError, ValueError
        A column holds what is not read, or words that name rows.
    """
    category, found, words = to_categories(source), frame.copy(deep=False), []
    for name in frame.columns[[not _is_number(dtype) for dtype in frame.dtypes]]:
        column = plain_column(frame[name])
        kind = kind_of(column)
        trouble = None if new and kind == "words" else refusal(column, kind, "drop it", category)
        if trouble:
            raise input_error("levels" if kind == "words" else "type", f"column {name!r} of X {trouble}")
        if kind == "words" and not new:
            check_text(column.dropna().unique(), f"column {name!r} of X")
            words.append(name)
            found[name] = column.astype("category")
        elif kind == "numbers":
            found[name] = as_float_column(column)
    if words:
        warn_once(
            f"column(s) {shown(words)} of X hold words and become categories; {category} says so without this warning"
        )
    return found


@contextmanager
def refusals_explained(estimator: Any) -> Iterator[None]:
    """Say what to do with words in an array, or with missing values and engine r, where scikit-learn has no remedy."""
    try:
        yield
    except ValueError as error:
        if "could not convert string to float" in str(error):
            remedy = "pass a DataFrame, with categorical_features='from_dtype'"
            raise bad.type(
                f"X holds words, which are read from tables alone ({error}); {remedy}", "X", kind=ValueError
            ) from None
        if "Input X contains NaN" in str(error) and getattr(estimator, "engine", None) == "r":
            remedy = "impute X, or pass engine='parallel'"
            raise bad.missing(f"Input X contains NaN, which engine='r' does not accept; {remedy}", "X") from None
        raise


def read_table(frame: pd.DataFrame, parallel: bool = True) -> Predictors:
    """Return the numbers and codes of a table; engine parallel takes missing values and any number of categories."""
    table = read_predictors(frame, "X", parallel=parallel)
    if not parallel:
        check_categories(table, "X")
    check_wide_factors(table, "X")
    return table


def warn_before_parts(X: Any, categorical: Any) -> None:
    """Warn of columns that name or count the rows, where a selector is to read parts of the rows alone.

    Other columns are not looked at, and what cannot be read is not refused here: the selector may do without it.
    """
    try:
        frame = as_frame(X, categorical)
        frame = X if frame is None else frame
        if isinstance(frame, pd.DataFrame):
            table = read_predictors(frame.select_dtypes(["number", "category"]), "X", parallel=True)
            check_wide_factors(table, "X")
            warn_identifiers(table, "X")
    except (TypeError, ValueError):
        return


def only_numbers(frame: pd.DataFrame) -> bool:
    """Whether all columns are numbers of NumPy's types."""
    return all(map(_is_number, frame.dtypes))


def _is_category(frame: pd.DataFrame, at: int) -> bool:
    return isinstance(frame.dtypes.iloc[at], pd.CategoricalDtype)


def _is_number(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def as_array(frame: pd.DataFrame) -> np.ndarray:
    """Return a table as float64 if its columns are numbers, of pandas' or Arrow's types too, otherwise as objects.

    NaN where a value is missing.
    """
    numeric = all(pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes)
    return frame.to_numpy(np.float64 if numeric else object, na_value=np.nan)


def column_positions(columns: Labels, wanted: Any, name: str) -> list[int]:
    """Return the columns that a list of positions, names or flags chooses, sorted; messages show its `name`."""
    wanted, p = array_of(_flags(wanted, name, columns), name), len(columns)
    if wanted.ndim != 1:
        raise bad.shape(f"{name} must be a list of columns, not of shape {wanted.shape}")
    if wanted.dtype == bool:
        if len(wanted) != p:
            raise bad.length(f"{name} is a mask of {len(wanted)} values; pass one per column of X ({p})")
        return np.flatnonzero(wanted).tolist()
    if wanted.size == 0:
        return []
    if wanted.dtype.kind in "iu":
        if wanted.min() < 0 or wanted.max() >= p:
            raise bad.range(f"{name} must hold positions from 0 to {p - 1}, not {wanted.tolist()}")
        return sorted(set(wanted.tolist()))
    places = columns.get_indexer(pd.Index(wanted))
    if (places < 0).any():
        raise bad.unknown(f"{name} contains column(s) that are not in X: {wanted[places < 0].tolist()}")
    return sorted(set(places.tolist()))


def _flags(wanted: Any, name: str, columns: Labels) -> Any:
    """Return flags in the order of the columns where labels say whose they are; positions and names as they are."""
    table = pd.Series(dict(wanted)) if isinstance(wanted, Mapping) else wanted
    if isinstance(table, pd.DataFrame) and table.shape[1] == 1:
        table = table.iloc[:, 0]
    if not isinstance(table, pd.Series) or pd.api.types.infer_dtype(table, skipna=False) != "boolean":
        return wanted
    return np.array(by_name(wanted, name, columns), dtype=bool)


def _with_categories(frame: pd.DataFrame, chosen: list[int]) -> pd.DataFrame:
    return frame.astype({frame.columns[at]: "category" for at in chosen})
