"""What the columns of a table hold, and which of them are refused: one rule for estimators and command, docs/input.md.

R's functions have R's own rule, `pyrrf.data.predictors`.
"""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from pyrrf.data.inputs import as_floats, infer
from pyrrf.data.tables import plain_column
from pyrrf.types import Column

# What pandas calls values that are numbers or missing, and those that are points or lengths of time.
_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "empty")
_TIMES = ("datetime64", "datetime", "date", "time", "timedelta64", "timedelta", "period")
_DAY = r"(?:\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2\d{4})"
_TIME = r"\d\d?:\d\d(?::\d\d\S*)?"
_TIME_AS_TEXT = re.compile(rf"\s*(?:{_DAY}(?:[T ]\s*{_TIME}.*)?|{_TIME})\s*")
# Of so many rows and more, words name rows if over half of the rows have one of their own; of fewer, if all have.
_ENOUGH = 20


def kind_of(column: Column) -> str:
    """Return "categories", "numbers", "truth values", "words", "dates or times", or what pandas calls other values.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf.data.kinds import kind_of
    >>> kind_of(pd.Series(["a", None])), kind_of(pd.Series(["2024-05-31"])), kind_of(pd.Series([b"a"]))
    ('words', 'dates or times', 'bytes')
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "categories"
    # Most columns of a wide table; to look at each value takes long.
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


def refusal(column: Column, kind: str, drop: str, category: str = "") -> str | None:
    """Return why a column is refused, and what to do; None if it is read.

    Parameters
    ----------
    column : Series
    kind : str
        As of `kind_of`.
    drop, category : str
        How the column is left out, and how it is made one of categories, in the words of the library; nothing if it
        cannot be made one.
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
    return f"holds {kind} values, which are not read; make them all numbers or all words, or {drop}"


def _names_rows(words: Column, drop: str, category: str) -> str | None:
    """Return what is wrong with words that name rows, and what to do; None if they do not."""
    sizes = words.value_counts()
    rows, once = int(sizes.sum()), int((sizes == 1).sum())
    if len(sizes) < 2 or (once < len(sizes) if rows < _ENOUGH else 2 * once <= rows):
        return None
    found = f"holds {len(sizes)} words in {rows} rows, {once} of them once, so it names rows; {drop}"
    if pd.to_numeric(sizes.index.to_series(), errors="coerce").notna().all():
        found += ", or make numbers of it"
    return found + (f", or, if it holds categories, {category}" if category else "")
