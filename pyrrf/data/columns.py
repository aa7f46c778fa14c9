"""Tables of estimators and of the command: kinds of columns, refusals, and words as categories.

docs/input.md has the rule. R's functions have R's own, `pyrrf.data.predictors`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import check_text, quote, whole_letters
from pyrrf.data.alignment import column_positions
from pyrrf.data.identifiers import check_wide_factors, warn_identifiers, warn_once
from pyrrf.data.inputs import as_floats, infer
from pyrrf.data.match import Training
from pyrrf.data.predictors import read_predictors
from pyrrf.data.tables import as_table, is_number, only_numbers, plain_column, to_categories
from pyrrf.errors import bad
from pyrrf.types import Column

_ARRAYS = (np.ndarray, list, tuple)
# Kinds of arrays that may hold words: objects, and NumPy's two kinds of text.
_MAY_HOLD_WORDS = "OUT"
# pandas' names for kinds of values: numbers or missing ones, and points or lengths of time.
_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "empty")
_TIMES = ("datetime64", "datetime", "date", "time", "timedelta64", "timedelta", "period")
_DAY = r"(?:\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2\d{4})"
_TIME = r"\d\d?:\d\d(?::\d\d\S*)?"
_TIME_AS_TEXT = re.compile(rf"\s*(?:{_DAY}(?:[T ]\s*{_TIME}.*)?|{_TIME})\s*")
# From this number of rows, words name rows if over half of the rows have a word of their own; below it, if all have.
_ENOUGH = 20


def as_rows(X: Any) -> Any:
    """Return a table of any library, or an array with words, as a table of pandas; other arrays as they are.

    NaN stands for masked values, since scikit-learn reads what is under the mask.
    """
    X = as_table(X, "X")
    if isinstance(X, pd.DataFrame):
        if not X.columns.is_unique:
            name = X.columns[X.columns.duplicated()][0]
            places = X.columns.get_indexer_for(pd.Index([name])) + 1
            raise bad.duplicate(
                f"columns {places[0]} and {places[1]} of X have the same name, {name!r}; rename one", "X"
            )
        check_text(X.columns, "a column name of X")
        return X
    if np.ma.isMaskedArray(X):
        return np.ma.filled(X.astype(np.float64), np.nan)
    return _words_as_table(X)


def read_columns(X: Any, categorical: Any) -> tuple[Any, pd.DataFrame | None]:
    """Return X as `as_rows` does, and as a table with its categories, or None if all columns are numbers.

    `categorical` is the estimators' `categorical_features`; None leaves X unchanged. Raise TypeError or ValueError for
    a column that is refused.
    """
    rows = as_rows(X)
    frame = _with_listed(rows, categorical)
    return rows, None if frame is None else _read_each(frame, X)


def read_new_columns(rows: Any, source: Any, training: Training, listed: bool) -> Any:
    """Return new rows as a table with the columns of a fit; arrays of numbers as they are.

    Parameters
    ----------
    rows : DataFrame, array_like or sparse matrix
        The table that `as_rows` returns for `source`, with as many columns as the fit had.
    source : object
    training : Training
    listed : bool
        Whether `categorical_features` lists columns. In these, and in an array, categories are matched by value.
    """
    array = isinstance(source, _ARRAYS)
    if not isinstance(rows, pd.DataFrame):
        if hasattr(rows, "toarray") or np.asarray(rows).dtype.kind in "biuf":
            return rows
        rows = pd.DataFrame(np.asarray(rows))
    frame = rows.set_axis(training.columns, axis=1)
    for position, coded in training.coded.items() if listed or array else ():
        if not isinstance(frame.dtypes.iloc[position], pd.CategoricalDtype):
            codes, levels = pd.factorize(frame.iloc[:, position])
            frame.isetitem(position, pd.Categorical.from_codes(codes, levels, ordered=coded.kind == "ordered"))
    return _read_each(frame, source, new=True)


def warn_before_parts(rows: Any) -> None:
    """Warn of columns that look like names or numbers of rows, before a selector reads only parts of the rows.

    Other columns are not checked. Unreadable columns are not refused here: the selector may not need them.
    """
    if isinstance(rows, pd.DataFrame):
        with suppress(TypeError, ValueError):
            table = read_predictors(rows.select_dtypes(["number", "category"]), "X", parallel=True)
            check_wide_factors(table, "X")
            warn_identifiers(table, "X")


def _with_listed(rows: Any, categorical: Any) -> pd.DataFrame | None:
    """Return a table whose listed columns are categories; None for data that have only numbers."""
    if categorical is None:
        return None
    if isinstance(categorical, str):
        if categorical != "from_dtype":
            raise bad.choice(
                f"categorical_features must be 'from_dtype', None or a list of columns, not {categorical!r}"
            )
        return rows if isinstance(rows, pd.DataFrame) and not only_numbers(rows) else None
    if hasattr(rows, "toarray"):
        raise bad.unsupported("categorical_features cannot be used with a sparse X; pass X.toarray(), or None")
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(np.asarray(rows))
    chosen = column_positions(frame.columns, categorical, "categorical_features")
    if not chosen and only_numbers(frame):
        return None
    return frame.astype({frame.columns[position]: "category" for position in chosen})


def _read_each(frame: pd.DataFrame, source: Any, new: bool = False) -> pd.DataFrame:
    """Return a table with words as categories, with one warning, and decimals as float64.

    Words of new rows stay words: the fit has their categories. Raise TypeError or ValueError for a refused column.
    """
    category, read, words = to_categories(source), frame.copy(deep=False), []
    for name in frame.columns[[not is_number(dtype) for dtype in frame.dtypes]]:
        column = plain_column(frame[name])
        kind = kind_of(column)
        trouble = None if new and kind == "words" else refusal(column, kind, "drop it", category)
        if trouble:
            raise (ValueError if kind == "words" else TypeError)(f"column {name!r} of X {trouble}")
        if kind == "words" and not new:
            check_text(column.dropna().unique(), f"column {name!r} of X")
            words.append(name)
        if kind == "numbers" or (kind == "words" and not new):
            read[name] = read_column(column, kind)
    if words:
        warn_once(
            f"column(s) {quote(words)} of X hold words and become categories; {category} says so without this warning"
        )
    return read


def _words_as_table(X: Any) -> Any:
    """Return an array or a list of rows as a table if one of its columns holds words; return other objects unchanged.

    In an array of text, text that holds a number is a number, as in scikit-learn; in an array of objects it is a word.
    """
    array = X
    if isinstance(X, list | tuple):
        try:
            array = np.asarray(X)
        except ValueError:  # rows of several lengths
            return X
        array = np.array(X, dtype=object) if array.dtype.kind == "U" else array
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in _MAY_HOLD_WORDS:
        return X
    with whole_letters("X"):
        frame = pd.DataFrame(array.astype(object)).infer_objects()
    if array.dtype.kind != "O":
        frame = frame.apply(_numbers_of_text)
    return frame if any(infer(frame[name]) == "string" for name in frame) else X


def _numbers_of_text(column: Column) -> Column:
    """Return text that holds numbers alone as float64, and any other text as it is."""
    try:
        return column.astype(np.float64)
    except ValueError:
        return column


# ---- one column ----------------------------------------------------------------------------------


def kind_of(column: Column) -> str:
    """Return "categories", "numbers", "truth values", "words", "dates or times", or pandas' name of other kinds.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf.data.columns import kind_of
    >>> kind_of(pd.Series(["a", None])), kind_of(pd.Series(["2024-05-31"])), kind_of(pd.Series([b"a"]))
    ('words', 'dates or times', 'bytes')
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "categories"
    # The dtype suffices for most columns of a wide table; checking each value is slow.
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return "numbers"
    inferred = infer(plain_column(column))
    if inferred in _NUMBERS or (inferred == "string" and column.isna().all()):
        return "numbers"
    if inferred == "string":
        return "dates or times" if _are_times(column) else "words"
    if inferred in _TIMES:
        return "dates or times"
    return "truth values" if inferred == "boolean" else inferred


def _are_times(words: Column) -> bool:
    """Whether all words are dates or times."""
    return all(_TIME_AS_TEXT.fullmatch(one) for one in words.dropna().unique())


def as_float_column(column: Column) -> Column:
    """Return decimals, and missing values alone, as float64 with NaN; any other column as it is."""
    plain = isinstance(column.dtype, np.dtype) and column.dtype.kind != "O"
    if plain or not (infer(column) == "decimal" or column.isna().all()):
        return column
    return pd.Series(as_floats(column, str(column.name)), index=column.index, name=column.name)


def read_column(column: Column, kind: str) -> Column:
    """Return a column of a kind of `kind_of` as it is read: words as categories, decimals as float64."""
    if kind == "words":
        return column.astype("category")
    return as_float_column(column) if kind == "numbers" else column


def refusal(column: Column, kind: str, drop: str, category: str = "") -> str | None:
    """Return the reason to refuse a column, with a remedy; None if it is read.

    Parameters
    ----------
    column : Series
    kind : str
        As of `kind_of`.
    drop, category : str
        Code to drop the column, and code to make it categorical, in the library of the table; empty if it cannot be
        categorical.
    """
    if kind in ("categories", "numbers", "truth values"):
        return None
    if kind == "words":
        return _names_rows(column, drop, category)
    if kind == "dates or times":
        text = f"; text that names categories: {category}" if category and infer(column) == "string" else ""
        return f"holds {kind}; make numbers of them, such as days since a date, or {drop}{text}"
    if kind == "bytes":
        return f"holds bytes; decode them to words, or {drop}"
    text = f"; values that name categories: {category}" if category else ""
    return f"holds {kind} values, which are not read; make them all numbers or all words, or {drop}{text}"


def _names_rows(words: Column, drop: str, category: str) -> str | None:
    """Return the refusal of words that name rows, with a remedy; None for other words."""
    sizes = words.value_counts()
    rows, once = int(sizes.sum()), int((sizes == 1).sum())
    if len(sizes) < 2 or (once < len(sizes) if rows < _ENOUGH else 2 * once <= rows):
        return None
    message = f"holds {len(sizes)} words in {rows} rows, {once} of them once, so it names rows; {drop}"
    if pd.to_numeric(sizes.index.to_series(), errors="coerce").notna().all():
        message += ", or make numbers of it"
    return message + (f", or, if it holds categories, {category}" if category else "")
