"""Test and new data brought to the columns and codes that a forest was grown on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import array_of, quote, type_name, warn
from pyrrf.data.inputs import Coded
from pyrrf.data.portable import PandasStateMixin
from pyrrf.data.predictors import Predictors, read_plain
from pyrrf.data.tables import as_table
from pyrrf.errors import bad
from pyrrf.rbase.collate import sorted_strings
from pyrrf.rbase.numbers import label
from pyrrf.types import Labels

# float64 represents all whole numbers below this one exactly.
_WHOLE = 2**53


@dataclass(frozen=True)
class Training(PandasStateMixin):
    """The columns that a forest was grown on."""

    columns: Labels
    named: bool  # whether the columns had names of their own (a DataFrame)
    ncat: np.ndarray  # int32, shape (p,)
    coded: Mapping[int, Coded]
    quirks: bool
    parallel: bool = False  # whether the forest is one of engine parallel, which accepts missing values
    random_forest: bool = False  # whether it is one of `randomForest`
    unseen_missing: bool = False  # whether unseen levels become missing values, with a warning, instead of an error


# ---- xtest of RRF() ------------------------------------------------------------------------------


def match_test_set(xtest: Any, x: Predictors, quirks: bool, parallel: bool = False) -> Predictors:
    """Read `xtest` with the codes of `x`.

    Columns are matched by position, as in R; by name with ``quirks=False``.

    Parameters
    ----------
    xtest : array_like or DataFrame, shape (ntest, p)
    x : Predictors
    quirks, parallel : bool

    Raises
    ------
    TypeError
        `xtest` is not a DataFrame but x is, or a column has another type than in x.
    ValueError
        The number of columns differs, values are missing, or there are levels that x does not have.
    """
    training = Training(x.columns, x.named, x.ncat, x.coded, quirks, parallel)
    source = as_table(xtest, "xtest")
    if x.named and not isinstance(source, pd.DataFrame):
        raise bad.type(
            f"xtest must be a DataFrame because x is, not {type_name(xtest)}; pass a DataFrame with its columns"
        )
    if x.named and not source.columns.equals(x.columns):
        source = _test_columns(source, training)
    table = read_plain(source, "xtest", parallel, training=False)
    if table.values.shape[1] != len(x.columns):
        raise bad.columns(
            f"xtest has {table.values.shape[1]} columns, but x has {len(x.columns)}; pass the same columns"
        )
    return _recode(table, training, "xtest")


def _test_columns(xtest: pd.DataFrame, training: Training) -> pd.DataFrame:
    if training.quirks:
        if xtest.shape[1] == len(training.columns):
            warn(
                "columns of xtest have other names or another order than those of x and are matched "
                "by position, as in R; pass xtest[x.columns]"
            )
        return xtest
    return _select_columns(xtest, training, "xtest")


# ---- newdata of predict() ------------------------------------------------------------------------


@dataclass(frozen=True)
class CodedMatrix:
    """A matrix of R with codes from 1 in columns that were categories, as R's predict() reads it."""

    values: Any  # ndarray or DataFrame of numbers, shape (n, p)


def match_new_data(newdata: Any, training: Training, name: str = "newdata") -> Predictors:
    """Read `newdata` with the columns and codes of the training data.

    Parameters
    ----------
    newdata : array_like, table, Series or CodedMatrix
        One dimension is one row. Columns of a DataFrame are matched by name. An array's values in a
        categorical column are matched by value if the categories are numbers.
    training : Training
    name : str, default "newdata"
        Argument that messages show.

    Raises
    ------
    TypeError
        A column has another type than in the training data, or newdata is an array and categories are words.
    ValueError
        Columns are missing, values are missing, or levels are new.
    """
    are_codes = isinstance(newdata, CodedMatrix)
    source = as_table(newdata.values if are_codes else newdata, name, row=True)
    if isinstance(source, pd.DataFrame):
        source = _select_columns(source, training, name)
    elif not hasattr(source, "toarray") and array_of(source, name).ndim == 1:
        source = np.asarray(source)[np.newaxis, :]
    table = read_plain(source, name, training.parallel, training=False, borrows=True)
    p = len(training.columns)
    if table.values.shape[1] != p:
        raise bad.columns(
            f"{name} has {table.values.shape[1]} columns, but the forest was grown on {p}; pass the same columns"
        )
    return _recode(table, training, name, are_codes)


def _select_columns(frame: pd.DataFrame, training: Training, name: str) -> pd.DataFrame:
    """Return the training columns by name; of columns that share a name, the first one, as R does."""
    wanted = training.columns
    if frame.columns.equals(wanted) and (wanted.is_unique or not training.quirks):
        return frame
    first = np.flatnonzero(~frame.columns.duplicated())
    place = frame.columns[first].get_indexer(wanted)
    missing = wanted[place < 0].tolist()
    if missing:
        raise bad.columns(
            f"{name} lacks column(s) of the training data: {quote(missing)}; add them, "
            "or pass an array if the columns are in order"
        )
    return frame.iloc[:, first[place]]


# ---- codes ---------------------------------------------------------------------------------------


def _recode(table: Predictors, training: Training, name: str, are_codes: bool = False) -> Predictors:
    """Replace the codes of a table by those of the training data; `are_codes`: whether numbers are such codes."""
    positions = set(table.coded) | set(training.coded)
    if not positions:
        return table
    table = table.writable()
    values = table.values
    for position in sorted(positions):
        what = f"column {training.columns[position]!r} of {name}"
        own, trained, quirks = table.coded.get(position), training.coded.get(position), training.quirks
        by_itself = training.random_forest and name != "xtest" and own is not None and own.kind == "ordered"
        if own is None and trained and not table.named and not are_codes:
            own, values[:, position] = _by_value(trained, values[:, position], what)
            quirks = False
        if own is None:
            codes = values[:, position]
            _check_codes(codes, trained, table.named and not are_codes, quirks, (name, what))
        else:
            if training.unseen_missing and trained:
                own, values[:, position] = _without_unseen(own, trained, values[:, position], what)
            lookup = (_ordered_codes if by_itself else _lookup)(own, trained, name, quirks, what)
            codes = _translate_codes(values[:, position], own, lookup, what)
        values[:, position] = trained.place(codes) if trained and training.parallel else codes
    return table


def _by_value(trained: Coded, numbers: np.ndarray, what: str) -> tuple[Coded, np.ndarray]:
    """Convert a column of an array to categories; refuse it unless the training categories are numbers.

    R would read the numbers as codes from 1, which a user who passes an array does not expect.
    """
    are_numbers = all(isinstance(level, int | float) and abs(level) < _WHOLE for level in trained.levels)
    if not are_numbers and not np.isnan(numbers).all():
        raise bad.type(
            f"{what} is one of an array, but was {_kind_text(trained)} with the values {quote(trained.levels)} in the "
            "training data; pass a DataFrame with its columns"
        )
    levels, places = np.unique(numbers[~np.isnan(numbers)], return_inverse=True)
    codes = np.full(len(numbers), np.nan)
    codes[~np.isnan(numbers)] = places + 1.0
    return Coded(trained.kind, tuple(levels.tolist())), codes


def _without_unseen(own: Coded, trained: Coded, codes: np.ndarray, what: str) -> tuple[Coded, np.ndarray]:
    """Return a column and its codes with the training levels only; rows with other levels are missing.

    An order of the column's own levels is ignored.
    """
    own, levels = _as_text_levels(own, trained), set(trained.levels)
    seen = np.array([level in levels for level in own.levels], bool)
    known = codes <= len(seen)
    index = codes[known].astype(np.int64) - 1
    unseen = [own.levels[code] for code in np.unique(index) if not seen[code]]
    if unseen:
        warn(f"{what} has values that no row of the fit has, {quote(unseen)}; they count as missing")
    left = np.full(len(codes), np.nan)
    left[known] = np.where(seen, np.cumsum(seen), np.nan)[index]
    kind = own.kind if own.kind == "string" else trained.kind
    return Coded(kind, tuple(level for level in own.levels if level in levels)), left


def _translate_codes(codes: np.ndarray, own: Coded, lookup: np.ndarray, what: str) -> np.ndarray:
    """Translate the codes of a column into those of the training data; NaN where a value is missing."""
    out = np.full(len(codes), np.nan)
    known = codes <= len(own.levels)
    out[known] = lookup[codes[known].astype(np.int64) - 1]
    if np.isnan(out[known]).any():
        raise bad.levels(
            f"{what} has levels that R's predict() loses; give it the type of the training data "
            "(astype), or fit with RRF's quirks=False"
        )
    return out


def _check_codes(codes: np.ndarray, trained: Coded | None, named: bool, quirks: bool, place: tuple[str, str]) -> None:
    """Check a column of numbers where the training data had codes; NaN is a missing value."""
    known = codes[~np.isnan(codes)]
    if trained is None or len(known) == 0:
        return
    name, what = place
    if named and (trained.kind == "factor" or not quirks):
        raise _other_type(f"{what} must be {_kind_text(trained)}, as in the training data", trained, name)
    if named:
        warn_codes(what)
    k = len(trained.levels)
    if trained.kind == "factor" and k > 1 and not np.isin(known, np.arange(1, k + 1)).all():
        raise bad.levels(f"{what} must hold codes from 1 to {k}")


# R's messages about levels that no tree has seen.
_NEW_LEVELS = {
    "newdata": "New factor levels not present in the training data",
    "xtest": "New factor levels in xtest not present in x",
}


def _other_type(message: str, trained: Coded | None, name: str = "newdata") -> Exception:
    """Return the error of a column of another type than in training; R detects it by the number of levels."""
    counted = name == "newdata" and trained is not None and len(trained.levels) > 1
    in_r = "Type of predictors in new data do not match that of the training data." if counted else ""
    return bad.type(message, in_r=in_r)


def warn_codes(what: str) -> None:
    """Warn of numbers for an ordered category, or for strings."""
    warn(f"{what} holds numbers, which count as codes from 1, as in R; give it the type of the training data (astype)")


def _kind_text(column: Coded) -> str:
    return {"factor": "categorical", "ordered": "an ordered categorical", "string": "strings"}[column.kind]


def _lookup(own: Coded, trained: Coded | None, name: str, quirks: bool, what: str) -> np.ndarray:
    """Return the training code of each of the column's codes, float64; NaN for a level that R loses."""
    if own.kind == "string" and (quirks or trained is None):
        return _string_codes(own, trained, what)
    if trained is None or (trained.kind == "string" and own.kind != "string"):
        # R gives a column of numbers the level 0.
        in_r = _NEW_LEVELS.get(name, "") if set(own.levels) - {"0"} else ""
        raise bad.type(f"{what} is categorical, but was not in the training data", name, in_r=in_r)
    if own.kind != "string" and own.kind != trained.kind and name != "xtest":
        raise _other_type(f"{what} must be {_kind_text(trained)}, as in the training data", trained, name)
    own = _as_text_levels(own, trained)
    place = {level: code for code, level in enumerate(trained.levels, start=1)}
    unseen = [level for level in own.levels if level not in place]
    if unseen:
        raise bad.levels(
            f"{what} has categories that were not in the training data: {quote(unseen, len(unseen))}; merge them into "
            "known ones, or drop these rows",
            name,
            in_r=_NEW_LEVELS.get(name, ""),
        )
    if quirks and name != "xtest":
        return _predict_codes(own, trained, place, what)
    return np.array([place[level] for level in own.levels], dtype=np.float64)


def _as_text_levels(own: Coded, trained: Coded) -> Coded:
    """Return a column with its levels as text, spelled as in R, if the training levels are text, as always in R."""
    if all(isinstance(level, str) for level in own.levels) or not all(isinstance(v, str) for v in trained.levels):
        return own
    return replace(own, levels=tuple(label(level) for level in own.levels))


def _ordered_codes(own: Coded, trained: Coded | None, name: str, quirks: bool, what: str) -> np.ndarray:
    """Return codes by the column's own levels; randomForest uses them as if they were training codes."""
    if trained is None or trained.kind != "ordered":
        return _lookup(own, trained, name, quirks, what)
    if own.levels != trained.levels:
        warn(
            f"{what} has other levels than the training data, and its codes are those of its own levels, as in R; "
            "give it the type of the training data (astype)"
        )
    return np.arange(1.0, len(own.levels) + 1)


def _string_codes(own: Coded, trained: Coded | None, what: str) -> np.ndarray:
    """Return codes by the column's own sorted strings; R uses them as if they were training codes."""
    if trained is None or trained.kind == "factor":
        wanted = "numeric" if trained is None else _kind_text(trained)
        remedy = f"; pass astype(pd.CategoricalDtype([{quote(trained.levels, 6)}]))" if trained else ""
        raise _other_type(f"{what} holds strings, but must be {wanted}, as in the training data{remedy}", trained)
    levels = _sorted_as(own.levels, trained.levels, what)
    if levels != list(trained.levels):
        warn(
            f"{what} has other values than the training data, so its codes differ, as in R; use "
            "categories, or fit with RRF's quirks=False"
        )
    codes = {level: code for code, level in enumerate(levels, start=1)}
    return np.array([codes[level] for level in own.levels], dtype=np.float64)


def _sorted_as(strings: Sequence[Any], trained: Sequence[Any], what: str) -> list[Any]:
    """Return strings in the order of the training data; if one of them is new, in R's current order."""
    place = {level: index for index, level in enumerate(trained)}
    if all(text in place for text in strings):
        return sorted(strings, key=place.__getitem__)
    return sorted_strings(strings, what)


def _predict_codes(own: Coded, trained: Coded, place: Mapping[Any, int], what: str) -> np.ndarray:
    """Return the codes that R's predict() gives to the levels of a factor in new data.

    R re-orders the levels by their positions in the training levels. That is right if the levels have
    the same order or pairs are exchanged, and wrong for any other order.
    """
    k = len(own.levels)
    order = [place[level] - 1 for level in own.levels]
    new_levels = [own.levels[j] for j in order if j < k]
    if trained.kind == "factor" and len(new_levels) != len(trained.levels):
        raise bad.levels(
            f"{what} has {k} of the {len(trained.levels)} levels of the training data, which R "
            "refuses; give it the type of the training data (astype), or fit with RRF's quirks=False"
        )
    if new_levels != list(trained.levels):
        warn(
            f"{what} has its levels in another order than the training data, and R's predict() mixes "
            "them up; give it the type of the training data (astype), or fit with RRF's quirks=False"
        )
    codes = {level: code for code, level in enumerate(new_levels, start=1)}
    return np.array([codes.get(level, np.nan) for level in own.levels], dtype=np.float64)
