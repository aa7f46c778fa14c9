"""The target and the predictors of a table: which columns are numbers, which are categories, which are refused."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import quote
from pyrrf.cli.messages import DataError, count_text, nearest, note, short
from pyrrf.cli.reading import Table
from pyrrf.cli.refusals import (
    RefusedError,
    collect,
    in_shell,
    is_option,
    reasons,
    refusal_text,
    refuse_words_among_numbers,
)
from pyrrf.data.columns import kind_of, read_column, refusal
from pyrrf.data.response import numbers_or_classes
from pyrrf.types import Column

# The start of a code, such as 007, at the start of a value; or within a name, or a part of a word.
_CODE = re.compile(r"(?:^|[^0-9.])0[0-9]", re.MULTILINE)
# A sign such as "?", which may mean a missing value.
_SIGN = re.compile(r"\W+")
_TASKS = ("regression", "classification")


@dataclass(frozen=True, eq=False, kw_only=True)
class Problem:
    """The target and the predictors; `dropped` by name, and with the reason those that cannot be read."""

    x: pd.DataFrame
    y: Column
    numeric: bool
    dropped: tuple[str, ...]
    unreadable: dict[str, str]


def read_problem(
    table: Table, target: str, drop: Sequence[str], numeric: bool | None, missing: bool, drop_unreadable: bool = False
) -> Problem:
    """Split a table into target and predictors; one error names all columns that cannot be used.

    `numeric` = None: the values of the target decide whether it is numeric; `missing`: whether the engine accepts
    missing values; `drop_unreadable`: whether to leave out predictors that cannot be used, unless none is left.
    """
    names = [str(name) for name in table.frame.columns]
    frame = table.frame.set_axis(names, axis=1)
    dropped = names_of(drop, names)
    for name, what in [(target, "--target"), *((one, "--drop") for one in dropped)]:
        if name not in frame.columns:
            raise DataError(f"{table.source}: {what}: there is no column {name!r}{_hint(name, names)}")
    if target in dropped:
        raise DataError(f"{table.source}: --drop: {target!r} is the target")
    predictors = {name: frame[name] for name in names if name != target and name not in dropped}
    if not predictors:
        raise DataError(f"{table.source}: no features are left besides the target; at least one is needed")
    refused: list[RefusedError] = []
    with collect(refused):
        y, holds_numbers = read_target(frame[target], table, numeric)
    read = {}
    for name, column in predictors.items():
        with collect(refused):
            read[name] = read_predictor(column, table, missing)
    needed = not read or any(one.drop is None for one in refused)
    if refused and (needed or not drop_unreadable):
        raise DataError(refusal_text(refused, table.source, table.text, left=bool(read)))
    unreadable = reasons(refused, table.text)
    note_unreadable(unreadable)
    x = pd.DataFrame(read)
    note_words({name: x[name] for name in read if _is_category(x[name]) and not _is_category(frame[name])})
    note_codes(table, [name for name in (target, *read) if pd.api.types.is_numeric_dtype(frame[name].dtype)])
    return Problem(x=x, y=y, numeric=holds_numbers, dropped=dropped, unreadable=unreadable)


def names_of(texts: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that an option names; the option may be repeated, or hold names separated by commas."""
    columns = []
    for one in texts:
        parts = [name if name in names else name.strip() for name in ([one] if one in names else one.split(","))]
        columns += [name for name in parts if name] or [one]
    return tuple(dict.fromkeys(columns))


# ---- the target ----------------------------------------------------------------------------------


def read_target(column: Column, table: Table, numeric: bool | None) -> tuple[Column, bool]:
    """Return the target, and whether it holds numbers.

    Words and truth values are classes; docs/input.md says which whole numbers are classes, too.
    """
    what = f"target {column.name!r}"
    missing = column.isna().to_numpy()
    if missing.any():
        raise RefusedError(
            what,
            f"is missing in {missing.sum()} of {len(column)} rows (the first is row {_first(missing)}); remove these "
            "rows, or fill in the values",
        )
    kind = _kind(column, table, what)
    if kind == "numbers":
        check_finite(column, what)
        column = read_column(column, kind)
    elif kind not in ("words", "categories", "truth values"):
        raise RefusedError(what, refusal(column, kind, "choose another target") or "")
    values = column.nunique()
    if values == 1:
        same = _plain(column.iloc[0])
        raise RefusedError(what, f"has the same value in all rows, {same!r}, so there is nothing to learn")
    if numeric and kind != "numbers":
        raise RefusedError(what, f"holds {kind}, not numbers; omit --task regression")
    numeric = kind == "numbers" and _as_numbers(column, numeric, what)
    if not numeric and values == len(column):
        raise RefusedError(what, f"has {values} classes in {values} rows, all different; check --target and --task")
    if kind == "words" and (sign := _missing_sign(column)):
        note(f"one class of {column.name!r} is {short(sign)}; if it means a missing value, {_as_missing(sign)}")
    return column, numeric


def _as_numbers(column: Column, numeric: bool | None, what: str) -> bool:
    """Return whether a column of numbers is a numeric target, and not classes."""
    values = column.to_numpy(np.float64)
    fractions = values != np.floor(values)
    if numeric is False and fractions.any():
        row = _first(fractions)
        raise RefusedError(
            what,
            f"has {values[row - 1]:g} in row {row}; numeric classes must be whole, so omit --task classification",
        )
    if numeric is not None:
        return numeric
    numeric, doubtful = numbers_or_classes(values)
    if doubtful:
        task, other = _TASKS if numeric else _TASKS[::-1]
        note(
            f"target {column.name!r} has {doubtful} distinct whole numbers, so {task} is assumed; give --task {other}, "
            f"or --task {task} to confirm"
        )
    return numeric


# ---- a predictor ---------------------------------------------------------------------------------


def read_predictor(column: Column, table: Table, missing: bool) -> Column:
    """Return numbers as they are, and words as categories."""
    what, name = f"column {column.name!r}", str(column.name)
    kind = _kind(column, table, what, name)
    if trouble := refusal(column, kind, "leave it out"):
        raise RefusedError(what, trouble, name)
    if kind == "numbers":
        check_finite(column, what, name)
    column = read_column(column, kind)
    if not missing and column.isna().any():
        row = _first(column.isna().to_numpy())
        raise RefusedError(
            what, f"is missing in row {row}; --engine r needs complete data: use --engine parallel, or impute", name
        )
    return column


def note_unreadable(unreadable: dict[str, str]) -> None:
    """Note each column that is left out, with the reason."""
    if unreadable:
        each = [f"  {name!r} {reason}" for name, reason in unreadable.items()]
        note("\n".join([f"{count_text(len(each), 'column')} left out, because not readable:", *each]))


def note_words(columns: dict[str, Column]) -> None:
    """Note the columns of words that became categories, and a sign among them that may mean missing."""
    if not columns:
        return
    signs = {name: sign for name, column in columns.items() if (sign := _missing_sign(column))}
    doubt = ""
    if signs:
        sign = next(iter(signs.values()))
        there = quote([name for name, one in signs.items() if one == sign])
        doubt = f", one of them {short(sign)} (in {there}); if it means a missing value, {_as_missing(sign)}"
    note(f"column(s) {quote(list(columns))} hold words and become categories{doubt}")


def _missing_sign(column: Column) -> str | None:
    """Return a sign among words, such as "?", that may mean a missing value; None if all are signs, or none is."""
    words = [str(word) for word in column.dropna().unique()]
    signs = [word for word in words if _SIGN.fullmatch(word)]
    return signs[0] if signs and len(signs) < len(words) else None


def _is_category(column: Column) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


def _as_missing(word: str) -> str:
    """Return the advice for a word that means a missing value."""
    return f"give --na {in_shell(word.strip())}" if is_option(word) else "leave it empty"


def check_finite(column: Column, what: str, drop: str | None = None) -> None:
    """Refuse infinite numbers, and integers beyond a float64."""
    try:
        infinite = np.isinf(column.to_numpy(np.float64, na_value=np.nan))
    except OverflowError:
        infinite = np.array([isinstance(value, int) and abs(value) > sys.float_info.max for value in column])
    if infinite.any():
        raise RefusedError(
            what,
            f"is infinite, or above {sys.float_info.max:.2g}, in row {_first(infinite)}; correct the value, or leave it"
            " empty",
            drop,
        )


def note_codes(table: Table, names: list[str]) -> None:
    """Note columns of numbers with leading zeros, which may be codes: as numbers, 007 and 7 are equal."""
    if table.text is None or not names or not _CODE.search(table.text.content):
        return
    texts = table.columns(names)
    zeros = {name: texts[name].str.fullmatch(r"\s*0[0-9]+\s*").to_numpy(np.bool_) for name in names}
    coded = [name for name in names if zeros[name].any()]
    if coded:
        row, others = _first(zeros[coded[0]]), len(coded) - 1
        note(
            f"column {coded[0]!r}{f' (and {others} more)' if others else ''} is read as numbers, so "
            f"{short(texts[coded[0]].iloc[row - 1])} in row {row} loses its leading zero; if these are codes, put a "
            "letter before each, and they are treated as categorical"
        )


# ---- kinds of columns ----------------------------------------------------------------------------


def _kind(column: Column, table: Table, what: str, drop: str | None = None) -> str:
    """Return the value of `kind_of`; refuse words among numbers, which may mean missing values."""
    kind = kind_of(column)
    if kind.startswith("mixed") and (words := [value for value in column if isinstance(value, str)]):
        trouble = f"holds {kind} values: numbers, and words such as {short(words[0])}; convert them all to one kind"
        raise RefusedError(what, trouble, drop, list(dict.fromkeys(words)))
    if kind == "words" and table.text is not None:
        refuse_words_among_numbers(column, what, table.text, drop)
    return kind


def _first(flags: np.ndarray) -> int:
    """Return the first flagged row, counted from 1 under the header."""
    return int(flags.argmax()) + 1


def _plain(value: Any) -> Any:
    """Convert a NumPy scalar to a Python number."""
    return value.item() if isinstance(value, np.generic) else value


def _hint(name: str, names: list[str]) -> str:
    """Return a similar name, or the available ones."""
    listing = ", ".join(repr(one) for one in names[:8]) + (", ..." if len(names) > 8 else "")
    return nearest(name, names) or f"; the columns are {listing}"
