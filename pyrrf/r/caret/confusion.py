"""caret's tables of errors and measures of predictions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyrrf.r.arithmetic.mathematics import abs as absolute
from pyrrf.r.arithmetic.mathematics import sqrt
from pyrrf.r.base.sums import mean
from pyrrf.r.caret import folds as _rows
from pyrrf.r.stats.covariances import cor
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_labels,
    factor_levels,
    inherits,
    is_factor,
    is_missing,
)
from pyrrf.r.values.coercion import coerced, one
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.partial import Partial
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    strings,
)
from pyrrf.rbase import arithmetic
from pyrrf.rbase.vectors import REAL_NA

_MEASURES = [
    "Sensitivity", "Specificity", "Pos Pred Value", "Neg Pred Value", "Precision", "Recall", "F1", "Prevalence",
    "Detection Rate", "Detection Prevalence", "Balanced Accuracy",
]  # fmt: skip
_OVERALL = ["Accuracy", "Kappa", "AccuracyLower", "AccuracyUpper", "AccuracyNull", "AccuracyPValue", "McnemarPValue"]
_UNKNOWN = "its tests and intervals, which take R's binom.test() and mcnemar.test(), are not here"


# ---- rows ----------------------------------------------------------------------------------------


def _rows_of(found: Any, as_list: bool) -> Value:
    """Return rows from 1: a list of them by name, or a matrix."""
    if as_list:
        return listed([integers(rows + 1) for rows in found.values()], found)
    grid = np.column_stack([found]) if isinstance(found, np.ndarray) else np.column_stack([*found.values()])
    p = grid.shape[1]
    names = [f"Resample{j + 1:0{len(str(p))}d}" for j in range(p)]
    shape = {"dim": integers(grid.shape), "dimnames": dimnames_value([None, names])}
    return Value("integer", (grid + 1).ravel(order="F").astype(np.float64), shape)


@r_function(draws=True)
def createFolds(y: Any, k: Any = 10, list: Any = True, returnTrain: Any = False) -> Value:
    """Return folds of rows with the classes of `y` spread over them, as caret draws them."""
    as_list = flag(list)
    found = _rows.createFolds(as_value(y), int(number(k)), as_list, flag(returnTrain))
    return _rows_of(found, True) if as_list else integers(found)


@r_function(draws=True)
def createMultiFolds(y: Any, k: Any = 10, times: Any = 5) -> Value:
    """Return the training rows of repeated folds."""
    return _rows_of(_rows.createMultiFolds(as_value(y), int(number(k)), int(number(times))), True)


@r_function(draws=True)
def createDataPartition(y: Any, times: Any = 1, p: Any = 0.5, list: Any = True, groups: Any = None) -> Value:
    """Return random parts of the rows, class by class."""
    share = None if is_null(groups) else int(number(groups))
    found = _rows.createDataPartition(as_value(y), int(number(times)), number(p), flag(list), share)
    return _rows_of(found, flag(list))


@r_function(draws=True)
def createResample(y: Any, times: Any = 10, list: Any = True) -> Value:
    """Return bootstrap samples of the rows."""
    return _rows_of(_rows.createResample(as_value(y), int(number(times)), flag(list)), flag(list))


# ---- errors --------------------------------------------------------------------------------------


@r_function(in_order=True)
def confusionMatrix(
    data: Any,
    reference: Any = None,
    positive: Any = None,
    dnn: Any = None,
    prevalence: Any = None,
    mode: Any = "sens_spec",
) -> Value:
    """Return the table of predictions and truth, and what follows from it.

    The intervals and tests of `overall` are not computed: asking for one of them, or printing all, is refused.

    Raises
    ------
    RError
        `data` or `reference` is no factor, or their levels do not fit.
    NotMovedError
        A prevalence is given.
    """
    if not is_null(prevalence):
        raise NotMovedError("confusionMatrix() with a prevalence")
    given = as_value(data)
    if inherits(given, "train"):
        raise NotMovedError("confusionMatrix() of a fit of train()")
    labels = ["Prediction", "Reference"] if is_null(dnn) else [str(name) for name in coerced(dnn, "character")._data]
    table = given if is_null(reference) and dim_of(given) else _crossed(given, as_value(reference), labels)
    levels = [str(level) for level in dimnames_of(table)[0] or []]
    cells = table._data.reshape(dim_of(table), order="F")
    if len(levels) < 2:
        raise RError("there must be at least 2 factors levels in the data")
    chosen = levels[0] if is_null(positive) else str(one(positive, "character"))
    by_class = _two_classes(cells, levels.index(chosen)) if len(levels) == 2 else _classes(cells, levels)
    parts = [
        strings(chosen) if len(levels) == 2 else as_value(positive),
        table,
        _overall(cells),
        by_class,
        as_value(mode),
        listed([]),
    ]
    return listed(parts, ["positive", "table", "overall", "byClass", "mode", "dots"], "confusionMatrix")


def _crossed(data: Value, reference: Value, dnn: list[str]) -> Value:
    if not (is_factor(data) and is_factor(reference)):
        raise RError("`data` and `reference` should be factors with the same levels.")
    levels = [str(level) for level in factor_levels(reference)]
    own = [str(level) for level in factor_levels(data)]
    if len(own) > len(levels):
        raise RError("the data cannot have more levels than the reference")
    used = {label for label in factor_labels(data)._data if label is not None}
    if not set(own) & set(levels) or used - set(levels):
        raise RError("The data contain levels not found in the data.")
    place = {level: at for at, level in enumerate(levels)}
    cells = np.zeros((len(levels), len(levels)))
    for guess, truth in zip(factor_labels(data)._data, factor_labels(reference)._data, strict=True):
        if guess is not None and truth is not None:
            cells[place[guess], place[truth]] += 1
    about = {
        "dim": integers(cells.shape),
        "dimnames": dimnames_value([levels, levels], strings(dnn)),
        "class": strings("table"),
    }
    return Value("integer", cells.ravel(order="F"), about)


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def _two_classes(cells: np.ndarray, pos: int) -> Value:
    return doubles(_measures(cells, pos, np.array([1 - pos])), {"names": strings(_MEASURES)})


def _classes(cells: np.ndarray, levels: list[str]) -> Value:
    n = len(levels)
    rows = [_measures(cells, at, np.array([j for j in range(n) if j != at])) for at in range(n)]
    labels = dimnames_value([[f"Class: {level}" for level in levels], [*_MEASURES]])
    return Value("double", np.array(rows).ravel(order="F"), {"dim": integers([n, 11]), "dimnames": labels})


def _measures(cells: np.ndarray, pos: int, neg: np.ndarray) -> list[float]:
    """Return sensitivity and the other measures of one class against the rest."""
    n = cells.sum()
    sens = _share(cells[pos, pos], cells[:, pos].sum())
    spec = _share(cells[np.ix_(neg, neg)].sum(), cells[:, neg].sum())
    prevalence = cells[:, pos].sum() / n
    precision = _share(cells[pos, pos], cells[pos].sum())
    with np.errstate(all="ignore"):
        ppv = np.float64(sens * prevalence) / ((sens * prevalence) + ((1 - spec) * (1 - prevalence)))
        npv = np.float64(spec * (1 - prevalence)) / (((1 - sens) * prevalence) + (spec * (1 - prevalence)))
        f1 = np.float64(2 * precision * sens) / (precision + sens)
    detected = [prevalence, cells[pos, pos] / n, cells[pos].sum() / n]
    return [sens, spec, float(ppv), float(npv), precision, sens, float(f1), *detected, (sens + spec) / 2]


def _overall(cells: np.ndarray) -> Partial:
    n = cells.sum()
    agreed = np.trace(cells) / n
    expected = arithmetic.total((cells.sum(axis=1) / n) * (cells.sum(axis=0) / n))
    kappa = float(np.float64(agreed - expected) / np.float64(1 - expected)) if expected != 1 else math.nan
    null = (cells.sum(axis=0) / n).max()
    known = {"Accuracy": agreed, "Kappa": kappa, "AccuracyNull": null}
    return Partial(_OVERALL, known, _UNKNOWN)


@r_function(in_order=True)
def postResample(pred: Any, obs: Any) -> Value:
    """Return accuracy and kappa of classes, or RMSE, R2 and MAE of numbers; missing predictions are left out."""
    guess, truth = as_value(pred), as_value(obs)
    if is_factor(truth):
        levels = strings(factor_levels(truth))
        both = [_as_levels(value, levels) for value in (guess, truth)]
        found = _overall(
            _crossed(both[0], both[1], ["pred", "obs"])._data.reshape((len(levels), len(levels)), order="F")
        )
        return _named_measures([found._known[name] for name in ("Accuracy", "Kappa")], ["Accuracy", "Kappa"])
    if is_missing(truth).any() or len(guess) != len(truth) or truth._kind not in NUMBERS or guess._kind not in NUMBERS:
        raise NotMovedError("postResample() with missing values in obs, other lengths, or values that are no numbers")
    kept = ~is_missing(guess)
    guess, truth = (Value("double", side._data[kept]) for side in (guess, truth))
    if not kept.any():
        raise NotMovedError("postResample() without predictions")
    constant = len({*guess._data.tolist()}) < 2 or len({*truth._data.tolist()}) < 2
    shared = math.nan if constant else _pairwise(guess._data, truth._data) ** 2
    return _named_measures([float(RMSE(guess, truth)), shared, float(MAE(guess, truth))], ["RMSE", "Rsquared", "MAE"])


def defaultSummary(data: Any, lev: Any = None, model: Any = None) -> Value:
    """Return what postResample() says of the columns pred and obs of a data frame."""
    frame = as_value(data)
    return postResample(frame[["pred"]], frame[["obs"]])


def _pairwise(x: np.ndarray, y: np.ndarray) -> float:
    """Return the correlation as R's cor() with pairwise.complete.obs has it: all in long doubles, in order."""
    n = np.longdouble(len(x))
    u, v = (side.astype(np.longdouble) - np.cumsum(side.astype(np.longdouble))[-1] / n for side in (x, y))
    uv, uu, vv = (np.cumsum(part)[-1] / (n - 1) for part in (u * v, u * u, v * v))
    found = uv / (np.sqrt(uu) * np.sqrt(vv))
    return float(max(min(found, np.longdouble(1)), np.longdouble(-1)))


def _named_measures(values: Any, names: Any) -> Value:
    found = np.asarray(values, dtype=np.float64)
    return doubles(np.where(np.isnan(found), REAL_NA, found), {"names": strings(names)})


def _as_levels(x: Value, levels: Value) -> Value:
    place = {level: at + 1.0 for at, level in enumerate(levels._data)}
    labels = factor_labels(x) if is_factor(x) else coerced(x, "character")
    codes = np.array([place.get(label, np.nan) for label in labels._data])
    return Value("integer", codes, {"levels": levels, "class": strings("factor")})


def RMSE(pred: Any, obs: Any, na_rm: Any = False) -> Value:
    """Return the root of the mean squared error."""
    error = as_value(pred) - as_value(obs)
    found: Value = sqrt(mean(error * error, na_rm=na_rm))
    return found


def MAE(pred: Any, obs: Any, na_rm: Any = False) -> Value:
    """Return the mean absolute error."""
    found: Value = mean(absolute(as_value(pred) - as_value(obs)), na_rm=na_rm)
    return found


# ---- single measures of two classes --------------------------------------------------------------


def _measure(at: int, data: Any, reference: Any, positive: Any) -> Value:
    guess, truth = as_value(data), as_value(reference)
    if not (is_factor(guess) and is_factor(truth)):
        raise NotMovedError("measures of something else than two factors; confusionMatrix() takes tables")
    levels = [str(level) for level in factor_levels(truth)]
    if len(levels) != 2 or sorted(map(str, factor_levels(guess))) != sorted(levels):
        raise NotMovedError("measures of other than two classes that both factors have")
    if np.isnan(guess._data).any() or np.isnan(truth._data).any():
        raise NotMovedError("measures of factors with missing values")
    pos = levels.index(text(positive))
    cells = _crossed(guess, truth, ["a", "b"])._data.reshape((2, 2), order="F")
    if not cells.sum(axis=0).all() or not cells.sum(axis=1).all():
        raise NotMovedError("measures where a class is never there or never predicted")
    return doubles([_measures(cells, pos, np.array([1 - pos]))[at]])


def _first(reference: Any, given: Any, other: bool = False) -> Any:
    """Return the class that counts as positive: the first one, or the one that is not `given` as negative."""
    levels = factor_levels(as_value(reference)) if is_factor(as_value(reference)) else []
    if is_null(given) or len(levels) != 2:
        return levels[0] if levels else ""
    chosen = text(given)
    if chosen not in levels:
        raise NotMovedError(f"measures for {chosen}, which is no class")
    return levels[1 - levels.index(chosen)] if other else chosen


def sensitivity(data: Any, reference: Any, positive: Any = None) -> Value:
    """Return the share of the positive class that is found; two classes without missing values."""
    return _measure(0, data, reference, _first(reference, positive))


def specificity(data: Any, reference: Any, negative: Any = None) -> Value:
    """Return the share of the negative class that is found; two classes without missing values."""
    return _measure(1, data, reference, _first(reference, negative, True))


def posPredValue(data: Any, reference: Any, positive: Any = None) -> Value:
    """Return the share of positive predictions that are right; two classes without missing values."""
    return _measure(2, data, reference, _first(reference, positive))


def negPredValue(data: Any, reference: Any, negative: Any = None) -> Value:
    """Return the share of negative predictions that are right; two classes without missing values."""
    return _measure(3, data, reference, _first(reference, negative, True))


def R2(pred: Any, obs: Any, formula: Any = "corr", na_rm: Any = False) -> Value:
    """Return the squared correlation of predictions and truth."""
    if text(formula) != "corr" or flag(na_rm):
        raise NotMovedError("R2() with another formula than 'corr', or with na.rm")

    found: Value = cor(obs, pred) ** 2
    return found
