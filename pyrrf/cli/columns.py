"""The target and the predictors of a table: which columns are numbers, which are categories, which are refused."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.cli.messages import DataError, nearest, note, short
from pyrrf.cli.reading import Table
from pyrrf.data.response import numbers_or_classes
from pyrrf.types import Column

# A value that begins as a code does, or else a name or a part of a word.
_CODE = re.compile(r"""(?:^|[,\t"])[ ]*0[0-9]""", re.MULTILINE)
# A sign that is no word, as "?", which may mean that a value is missing.
_SIGN = re.compile(r"\W+")
_DECIMAL_COMMA = r"\s*[-+]?[0-9]+,[0-9]+\s*"
# Longer texts are not repeated as an option.
_LONGEST_MARK = 20
# What pandas calls a column whose values are numbers or missing.
_NUMBERS = ("integer", "floating", "mixed-integer-float", "boolean", "empty")


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """What is to be learnt from what."""

    x: pd.DataFrame
    y: Column
    numeric: bool
    dropped: tuple[str, ...]


def read_problem(table: Table, target: str, drop: Sequence[str], numeric: bool | None, missing: bool) -> Problem:
    """Part a table in target and predictors.

    `numeric` = None: the target's values decide whether it holds numbers; `missing`: whether the engine takes missing
    values.
    """
    names = [str(name) for name in table.frame.columns]
    frame = table.frame.set_axis(names, axis=1)
    for name, what in [(target, "--target"), *((one, "--drop") for one in drop)]:
        if name not in frame.columns:
            raise DataError(f"{table.source}: {what}: there is no column {name!r}{_hint(name, names)}")
    if target in drop:
        raise DataError(f"{table.source}: --drop: {target!r} is the target")
    y, holds_numbers = read_target(frame[target], table, numeric)
    kept = {name: frame[name] for name in names if name != target and name not in drop}
    if not kept:
        raise DataError(f"{table.source}: there is no column except the target; at least one is needed")
    x = pd.DataFrame({name: read_predictor(column, table, missing) for name, column in kept.items()})
    note_codes(table, [name for name in (target, *kept) if pd.api.types.is_numeric_dtype(frame[name].dtype)])
    return Problem(x=x, y=y, numeric=holds_numbers, dropped=tuple(dict.fromkeys(drop)))


# ---- the target ----------------------------------------------------------------------------------


def read_target(column: Column, table: Table, numeric: bool | None) -> tuple[Column, bool]:
    """Return the target, and whether it holds numbers.

    Words, truth values and whole numbers of few values are classes; other numbers are numbers.
    """
    what = f"{table.source}: target {column.name!r}"
    missing = column.isna().to_numpy()
    if missing.any():
        raise DataError(
            f"{what} has no value in row {_first(missing)} ({missing.sum()} of {len(column)} rows); fill it "
            "in, or take these rows out"
        )
    kind = _kind(column, table)
    if kind == "numbers":
        _check_finite(column, what)
    values = column.nunique()
    if values == 1:
        same = _plain(column.iloc[0])
        raise DataError(f"{what} has the same value in all rows, {same!r}, so there is nothing to learn")
    if numeric and kind != "numbers":
        raise DataError(f"{what} holds {kind}, not numbers; omit --numbers")
    numeric = kind == "numbers" and _as_numbers(column, numeric, what)
    if not numeric and values == len(column):
        raise DataError(f"{what} holds {values} classes in {values} rows, all different; is it the right column?")
    return column, numeric


def _as_numbers(column: Column, numeric: bool | None, what: str) -> bool:
    """Return whether numbers are taken as such, and not as classes."""
    found = column.to_numpy(np.float64)
    fractions = found != np.floor(found)
    if numeric is False and fractions.any():
        row = _first(fractions)
        raise DataError(f"{what} has the number {found[row - 1]:g} in row {row}, which is not a class; omit --classes")
    if numeric is not None:
        return numeric
    numeric, doubtful = numbers_or_classes(found)
    if doubtful:
        note(f"the {doubtful} whole numbers of {column.name!r} mean regression; --classes makes them classes")
    return numeric


# ---- a predictor ---------------------------------------------------------------------------------


def read_predictor(column: Column, table: Table, missing: bool) -> Column:
    """Return numbers as they are, and words as categories."""
    what, kind = f"{table.source}: column {column.name!r}", _kind(column, table)
    if kind == "words":
        column = _as_categories(column, what)
    elif kind == "numbers":
        _check_finite(column, what)
    if not missing and column.isna().any():
        row = _first(column.isna().to_numpy())
        raise DataError(
            f"{what} has no value in row {row}, and engine r accepts no missing values; use --engine parallel"
        )
    return column


def _as_categories(column: Column, what: str) -> Column:
    """Return words as categories; refuse those that name rows."""
    rows, words = int(column.notna().sum()), int(column.nunique())
    if words == rows:
        raise DataError(
            f"{what} holds {words} words in {rows} rows, all different, so it only names rows; omit it with --drop "
            f"{_in_shell(str(column.name))}"
        )
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    doubt = _missing_doubt([str(word) for word in column.dropna().unique()])
    note(f"column {column.name!r} holds words and becomes {words} categories{doubt}")
    return column.astype("category")


def _missing_doubt(words: list[str]) -> str:
    """Return what to do if a sign among words means a missing value; nothing where all are signs, or none is."""
    signs = [word for word in words if _SIGN.fullmatch(word)]
    if not signs or len(signs) == len(words):
        return ""
    return f", one of them {short(signs[0])}; if it means a missing value, {_as_missing(signs[0])}"


def _as_missing(word: str) -> str:
    """Return what to do with a word that means a missing value."""
    plain = word.strip()
    named = plain and "," not in plain and len(plain) <= _LONGEST_MARK
    return f"give --na {_in_shell(plain)}" if named else "leave it empty"


def _in_shell(text: str) -> str:
    """Return a text in the words of a shell, on one line."""
    return shlex.quote(text) if text.isprintable() else f"${text!r}"


def _check_finite(column: Column, what: str) -> None:
    """Refuse infinite numbers, and whole ones that no double holds."""
    try:
        infinite = np.isinf(column.to_numpy(np.float64, na_value=np.nan))
    except OverflowError:
        infinite = np.array([isinstance(value, int) and abs(value) > sys.float_info.max for value in column])
    if infinite.any():
        raise DataError(
            f"{what} is infinite in row {_first(infinite)} (numbers end at {sys.float_info.max:.2g}); correct the "
            "value, or leave it empty"
        )


def note_codes(table: Table, names: list[str]) -> None:
    """Say which column of numbers is written with leading zeros, as codes are: 007 and 7 are one number."""
    if table.text is None or not names or not _CODE.search(table.text.content):
        return
    written = table.columns(names)
    zeros = {name: written[name].str.fullmatch(r"\s*0[0-9]+\s*").to_numpy(np.bool_) for name in names}
    coded = [name for name in names if zeros[name].any()]
    if coded:
        row, others = _first(zeros[coded[0]]), len(coded) - 1
        note(
            f"column {coded[0]!r}{f' (and {others} more)' if others else ''} is read as numbers, so that "
            f"{short(written[coded[0]].iloc[row - 1])} in row {row} has no leading zero; with a letter before each, "
            "codes are categories"
        )


# ---- kinds of columns ----------------------------------------------------------------------------


def _kind(column: Column, table: Table) -> str:
    """Return "numbers", "words" or "truth values"."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "words"
    # Most columns of a wide table; to look at each value takes long.
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        return "numbers"
    inferred = pd.api.types.infer_dtype(column, skipna=True)
    if inferred in _NUMBERS:
        return "truth values" if inferred == "boolean" else "numbers"
    what = f"{table.source}: column {column.name!r}"
    if inferred != "string":
        words = [value for value in column if isinstance(value, str)] if inferred.startswith("mixed") else []
        missing = f"{_as_missing(words[0])} if that means a missing value, " if words else ""
        raise DataError(
            f"{what} holds {inferred} values, which are not read; {missing}make them numbers or words, or --drop it"
        )
    if table.text is not None:
        _refuse_words_among_numbers(column, what)
    return "words"


def _refuse_words_among_numbers(column: Column, what: str) -> None:
    """Refuse a column of which at least half of the values are numbers, or are so with a decimal comma."""
    present = column.notna().to_numpy()
    words = present & pd.to_numeric(column, errors="coerce").isna().to_numpy()
    commas = column.astype(str).str.fullmatch(_DECIMAL_COMMA).to_numpy(np.bool_)
    if commas.any() and 2 * (words & ~commas).sum() <= present.sum():
        row = _first(commas)
        raise DataError(
            f"{what} has {short(column.iloc[row - 1])} in row {row}, a number with a decimal comma; write it with a "
            "point, or leave the column out with --drop"
        )
    if 2 * words.sum() <= present.sum() and words.any():
        row = _first(words)
        raise DataError(
            f"{what} holds numbers, but row {row} has {short(column.iloc[row - 1])} ({words.sum()} of {len(column)} "
            f"rows have words); correct it, {_as_missing(column.iloc[row - 1])} if it means a missing value, or "
            "leave the column out with --drop"
        )


def _first(flags: np.ndarray) -> int:
    """Return the first row that is flagged, counted from 1 under the header."""
    return int(flags.argmax()) + 1


def _plain(value: Any) -> Any:
    """Return a number of NumPy as one of Python, whose repr is plain."""
    return value.item() if isinstance(value, np.generic) else value


def _hint(name: str, names: list[str]) -> str:
    """Return what may have been meant, or what there is."""
    shown = ", ".join(repr(one) for one in names[:8]) + (", ..." if len(names) > 8 else "")
    return nearest(name, names) or f"; there are {shown}"
