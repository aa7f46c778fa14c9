"""caret's trainControl(), and the rows that it resamples: folds and partitions, from R's stream."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from pyrrf import random as _random
from pyrrf.checks import count, share, warn
from pyrrf.r.base.chance import sample_int, set_seed
from pyrrf.r.base.factors import as_factor, cut, factor
from pyrrf.r.base.types import as_character
from pyrrf.r.caret.confusion import defaultSummary
from pyrrf.r.values.arguments import text
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Number, Whole, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_list, is_missing, is_null
from pyrrf.r.values.labels import known_names, matrix_of, names_of
from pyrrf.r.values.vector import (
    NA,
    NUMBERS,
    Value,
    as_value,
    doubles,
    integers,
    list_of,
    logicals,
    null,
    objects,
    strings,
)
from pyrrf.random import get_random_seed, set_random_seed
from pyrrf.rbase.quantiles import quantile

_RESAMPLING = ("cv", "repeatedcv", "boot", "LGOCV", "LOOCV", "oob", "none")


# ---- folds and partitions ------------------------------------------------------------------------


@r_function(does="draws", classes="any -difftime -POSIXct")
def createFolds(y: Value, k: Whole = 10, list: Flag = True, returnTrain: Flag = False) -> Value:
    """Return folds of rows with the classes of `y` spread over them, as caret draws them."""
    fold = _folds(y, count(k, "k"))
    if not list:
        return integers(fold)
    folds = _rows_by_fold(fold, returnTrain)
    return list_of(folds.values(), folds)


@r_function(does="draws", classes="any -difftime -POSIXct")
def createMultiFolds(y: Value, k: Whole = 10, times: Whole = 5) -> Value:
    """Return the training rows of repeated folds."""
    folds = {}
    for repetition in _number_words("Rep", count(times, "times")):
        rows = _rows_by_fold(_folds(y, count(k, "k")), True)
        folds.update({f"{name}.{repetition}": fold for name, fold in rows.items()})
    return list_of(folds.values(), folds)


@r_function(does="draws", classes="any -difftime -POSIXct")
def createDataPartition(
    y: Value, times: Whole = 1, p: Number = 0.5, list: Flag = True, groups: Whole | None = None
) -> Value:
    """Return random parts of the rows, class by class."""
    if len(y) < 2:
        raise ValueError(f"y has {len(y)} rows; pass at least 2")
    parts = _rows_by_class(_classes(y, groups))
    parts = [rows for rows in parts if len(rows)]
    size = share(p, "p")
    return _resamples([_draw_rows(parts, size) for _ in range(count(times, "times"))], list)


@r_function(does="draws", classes="any -difftime -POSIXct")
def createResample(y: Value, times: Whole = 10, list: Flag = True) -> Value:
    """Return bootstrap samples of the rows."""
    n = len(y)
    samples = [np.sort(_random.sample(n, n, replace=True)) - 1 for _ in range(count(times, "times"))]
    return _resamples(samples, list)


def _number_words(word: str, n: int) -> list[str]:
    """Return words numbered from 1, padded to one width with zeros."""
    return [f"{word}{i:0{len(str(n))}d}" for i in range(1, n + 1)]


def _is_numeric(y: Value) -> bool:
    return y._kind in NUMBERS[1:] and not inherits(y, "factor", "Date", "POSIXct", "difftime")


def _quantile_groups(y: Value, groups: int) -> Value:
    """Group numbers by their quantiles."""
    values = coerce(y, "double")._data
    stop_if(np.isnan(values).any(), "missing values and NaN's not allowed if 'na.rm' is FALSE")
    # A single limit is a number of intervals to cut().
    limits = np.unique(quantile(values, np.linspace(0, 1, groups)))
    return cut(doubles(values), doubles(limits), include_lowest=True)


def _rows_by_class(classes: Value) -> list[np.ndarray]:
    """Return the rows of each level, and those where it is missing."""
    codes = np.where(np.isnan(classes._data), 0, classes._data)
    return [np.flatnonzero(codes == code) for code in (*range(1, len(factor_levels(classes)) + 1), 0)]


def _folds(y: Value, k: int) -> np.ndarray:
    """Draw the fold of each row, from 1, class by class."""
    n = len(y)
    groups = _quantile_groups(y, min(max(n // k, 2), 5)) if _is_numeric(y) else y
    if k >= n:
        return np.arange(1, n + 1)
    fold = np.zeros(n, dtype=np.int64)
    for rows in _rows_by_class(factor(as_character(groups)))[:-1]:
        size = len(rows)
        if size < k:
            fold[rows] = _random.sample(k, size)
            continue
        places = np.tile(np.arange(1, k + 1), size // k)
        if size % k:
            places = np.concatenate([places, _random.sample(k, size % k)])
        fold[rows] = _random.sample(places)
    return fold


def _rows_by_fold(fold: np.ndarray, train: bool) -> dict[str, Value]:
    """Return the rows of each fold, or those of the others."""
    used = np.unique(fold)
    keep = np.not_equal if train else np.equal
    names = _number_words("Fold", len(used))
    return {name: integers(np.flatnonzero(keep(fold, f)) + 1) for name, f in zip(names, used, strict=True)}


def _classes(y: Value, groups: int | None) -> Value:
    if _is_numeric(y):
        return _quantile_groups(y, max(2, min(5, len(y)) if groups is None else groups))
    classes = as_factor(y)
    sizes = [*map(len, _rows_by_class(classes)[:-1])]
    if 0 in sizes:
        warn("classes of y have no rows and are ignored")
        classes = factor(as_character(classes))
    if 1 in sizes:
        warn("classes of y have a single row, which is in every partition")
    return classes


def _draw_rows(parts: list[np.ndarray], size: float) -> np.ndarray:
    chosen = [rows if len(rows) == 1 else _random.sample(rows, math.ceil(len(rows) * size)) for rows in parts]
    return np.sort(np.concatenate(chosen))


def _resamples(samples: list[np.ndarray], as_list: bool) -> Value:
    """Return rows from 1: a list of them by name, or a matrix."""
    names = _number_words("Resample", len(samples))
    if as_list:
        return list_of([integers(rows + 1) for rows in samples], names)
    return matrix_of("integer", np.column_stack(samples) + 1.0, (None, names))


# ---- trainControl() ------------------------------------------------------------------------------


@r_function(called=("summaryFunction",))
def trainControl(
    method: object = "boot",
    number: object = None,
    repeats: object = None,
    p: object = 0.75,
    search: object = "grid",
    initialWindow: object = None,
    horizon: object = 1,
    fixedWindow: object = True,
    skip: object = 0,
    verboseIter: object = False,
    returnData: object = True,
    returnResamp: object = "final",
    savePredictions: object = False,
    classProbs: object = False,
    summaryFunction: object = None,
    selectionFunction: object = "best",
    preProcOptions: object = None,
    sampling: object = None,
    index: object = None,
    indexOut: object = None,
    indexFinal: object = None,
    timingSamps: object = 0,
    predictionBounds: object = None,
    seeds: object = np.nan,
    adaptive: object = None,
    trim: object = False,
    allowParallel: object = True,
) -> Value:
    """Return the control list of train(): caret's ``trainControl``."""
    arguments, how = dict(locals()), text(method)
    usual: dict[str, object] = {
        "number": 10 if "cv" in how else 25,
        "repeats": 1 if how.endswith(("dcv", "_cv")) else NA,
        "preProcOptions": list_of(
            [0.95, 3, 5, 95 / 5, 10, 0.9], ["thresh", "ICAcomp", "k", "freqCut", "uniqueCut", "cutoff"]
        ),
        "predictionBounds": logicals([0.0, 0.0]),
        "adaptive": list_of([5, 0.05, "gls", True], ["min", "alpha", "method", "complete"]),
        "summaryFunction": defaultSummary,
    }
    stop_if(text(returnResamp) not in ("all", "final", "none"), "incorrect value of returnResamp")
    stop_if(text(search) not in ("grid", "random"), "`search` should be either 'grid' or 'random'")
    if how not in ("repeatedcv", "adaptive_cv") and repeats is not None and not is_missing(as_value(repeats))[0]:
        warn("`repeats` has no meaning for this resampling method.")
    parts = {name: arguments[name] for name in ("method", "number", "repeats", "search", *arguments)}
    for name, value in parts.items():
        if value is None:
            parts[name] = usual.get(name)
        elif isinstance(value, float) and value != value:
            parts[name] = NA
    return list_of(parts.values(), parts)


def parts_of(x: Value) -> dict[str, Value]:
    """Return the parts of a list by name."""
    return dict(zip(known_names(x), x._data, strict=True))


def with_parts(x: Value, parts: Mapping[str, Value]) -> Value:
    """Return a list of the same class with these parts."""
    return Value("list", objects(parts.values()), x._attributes | {"names": strings(parts)})


def replace_parts(control: Value, **parts: Value) -> Value:
    """Return a list with replaced parts; new ones are appended."""
    return with_parts(control, parts_of(control) | parts)


# ---- the rows of each resample -------------------------------------------------------------------


def draw_resamples(control: Value, y: Value, seed: Value) -> Value:
    """Return a control with the rows of each resample and of its test, drawn by a seed of their own."""
    how = text(control[["method"]])
    refuse_if(how not in _RESAMPLING, f"train() with the resampling {how}")
    before = get_random_seed()
    set_seed(seed)
    rows = control[["index"]] if not is_null(control[["index"]]) else _rows(how, control, y)
    set_random_seed(before)
    if how == "oob":
        return with_parts(control, {name: value for name, value in parts_of(control).items() if name != "index"})
    if not is_list(rows) or any(rows_inside._kind != "integer" for rows_inside in rows._data):
        raise RError("`index` should be lists of integers.")
    others = control[["indexOut"]]
    if is_null(others):
        every = np.arange(1, len(y) + 1)
        others = list_of(integers(every[~np.isin(every, rows_inside._data)]) for rows_inside in rows._data)
    return replace_parts(control, index=_label_rows(rows), indexOut=_label_rows(others))


def _label_rows(rows: Value) -> Value:
    return rows if names_of(rows) is not None else list_of(rows._data, _number_words("Resample", len(rows)))


def _rows(how: str, control: Value, y: Value) -> Value:
    times, share = control[["number"]], control[["p"]]
    if how == "cv":
        return createFolds(y, times, returnTrain=True)
    if how == "repeatedcv":
        return createMultiFolds(y, times, control[["repeats"]])
    if how == "LOOCV":
        return createFolds(y, len(y), returnTrain=True)
    if how == "boot":
        return createResample(y, times)
    if how == "LGOCV":
        return createDataPartition(y, times, share)
    return null() if how == "oob" else Value("list", objects([integers(np.arange(1, len(y) + 1))]))


def seeds_of(control: Value, resamples: int, fits: int) -> Value:
    """Return a seed for each fit and for the last one: those given, or drawn."""
    seeds_argument = control[["seeds"]]
    flat = seeds_argument if not is_list(seeds_argument) else None
    if is_null(seeds_argument) or (flat is not None and np.isnan(coerce(flat, "double")._data).all()):
        numbers = sample_int(1000000, resamples * fits + 1)._data
        parts = [integers(numbers[start : start + fits]) for start in range(0, resamples * fits, fits)]
        return Value("list", objects([*parts, integers(numbers[-1:])]))
    sizes = [] if flat is not None else [len(seeds) for seeds in seeds_argument._data]
    if len(sizes) < resamples + 1 or any(size < fits for size in sizes[:-1]) or sizes[-1] < 1:
        raise RError("Bad seeds: the seed object should be a list with a seed for each fit and one for the last")
    return seeds_argument


def seed_stream(seeds: Value, place: int, which: int) -> None:
    """Seed the stream with one of the seeds."""
    set_seed(doubles(coerce(seeds._data[place], "double")._data[which]))
