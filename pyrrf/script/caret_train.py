"""caret's train() of forests: every set of parameters on every resample, the best set, and the last fit with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.script import chance
from pyrrf.script.arguments import flag, number, text
from pyrrf.script.attributed import put_rownames
from pyrrf.script.call_text import arguments_of
from pyrrf.script.caret import defaultSummary, postResample
from pyrrf.script.caret_control import changed, resampled, seed_stream, seeds_of, trainControl
from pyrrf.script.caret_formula import by_formula
from pyrrf.script.caret_methods import METHODS, Dots, Method, out_of_bag
from pyrrf.script.coercion import coerced
from pyrrf.script.control import proc_time
from pyrrf.script.factors import as_factor, factor
from pyrrf.script.forests import DRAWING, FORMALS
from pyrrf.script.frames import as_data_frame, counted, framed, make_names
from pyrrf.script.grouping import colMeans
from pyrrf.script.joining import merge
from pyrrf.script.looking import (
    dim_of,
    dimnames_of,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    known_names,
    row_count,
    row_names,
)
from pyrrf.script.model_frames import is_formula
from pyrrf.script.ordering import duplicated, order, which_max, which_min
from pyrrf.script.partial import Absent
from pyrrf.script.places import ALL
from pyrrf.script.predictions import predict
from pyrrf.script.statistics import sd
from pyrrf.script.subscripts import taken
from pyrrf.script.tables import table
from pyrrf.script.values import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    logicals,
    null,
    objects,
    strings,
)

_FEWEST_SHOWN = 10
_MOST_CLASSES = 50
_OF_CLASSES, _OF_NUMBERS = ["Accuracy", "Kappa"], ["RMSE", "Rsquared", "MAE"]
_SMALL_IS_GOOD = ("RMSE", "logLoss", "MAE")
_CONSTANTS = ("TRUE", "FALSE", "NULL", "NA", "Inf", "NaN")
_R_NAMES = {name.replace(".", "_"): name for names in FORMALS.values() for name in names}


@dataclass
class _Task:
    """What train() was asked."""

    method: str
    how: Method
    x: Value
    y: Value
    control: Value
    grid: Value
    dots: Dots
    metric: str
    maximize: Any
    call: str | None
    start: Value
    seeds: Value | None = None

    @property
    def classes(self) -> bool:
        return is_factor(self.y)

    @property
    def resampling(self) -> str:
        return text(self.control[["method"]])

    @property
    def measures(self) -> list[str]:
        return _OF_CLASSES if self.classes else _OF_NUMBERS

    def row(self, at: int) -> Value:
        """Return one set of parameters."""
        found: Value = taken(self.grid, integers(at + 1), ALL, drop=False)
        return found

    @property
    def levels(self) -> Value:
        """Return the classes as caret keeps them."""
        if not self.classes:
            return logicals(np.nan)
        return strings(factor_levels(self.y), {"ordered": logicals(float(inherits(self.y, "ordered")))})


def train(
    x: Any = None,
    y: Any = None,
    method: Any = "rf",
    preProcess: Any = None,
    *dots: Any,
    weights: Any = None,
    metric: Any = None,
    maximize: Any = None,
    trControl: Any = None,
    tuneGrid: Any = None,
    tuneLength: Any = None,
    form: Any = None,
    data: Any = None,
    subset: Any = None,
    na_action: Any = None,
    contrasts: Any = None,
    scope: Mapping[str, Any] | None = None,
    call: str | None = None,
    **named: Any,
) -> Value:
    """Grow forests on resamples for each set of parameters, and one with the best: caret's ``train``.

    The methods "rf", "RRF" and "RRFglobal", with x and y or a formula.

    Raises
    ------
    NotMovedError
        Another method, preprocessing, weights, or a summary that is not caret's default one.
    """
    if call and re.search(rf"\b({DRAWING})\(", call):
        raise NotMovedError("train() with arguments that draw: R draws for the seed before it looks at them")
    start = proc_time()
    formula = form if not is_null(form) else x
    asked = {
        "method": method, "preProcess": preProcess, "weights": weights, "metric": metric, "maximize": maximize,
        "trControl": trControl, "tuneGrid": tuneGrid, "tuneLength": tuneLength, "dots": dots, "named": named,
        "call": call, "start": start,
    }  # fmt: skip
    if not is_formula(formula):
        if any(not is_null(part) for part in (data, subset, na_action, contrasts)):
            raise NotMovedError("train() with data, subset or na.action, but without a formula")
        return _trained(as_value(x), as_value(y), asked)
    if not is_null(contrasts):
        raise NotMovedError("train() with contrasts")
    table_ = data if not is_null(data) else (y if is_null(form) else x)
    made = by_formula(as_value(formula), as_value(table_), subset, na_action, scope)
    return made.noted(_trained(made.x, made.y, asked))


def _trained(x: Value, y: Value, asked: Mapping[str, Any]) -> Value:
    seed = chance.sample_int(2147483647, 1)
    task = _task(x, as_factor(y) if y._kind == "character" else y, asked)
    task.control = resampled(task.control, task.y, seed)
    saved = task.control[["savePredictions"]]
    if saved._kind == "logical":
        saved = strings("all" if flag(saved) else "none")
    if text(saved) not in ("all", "final", "none"):
        raise RError('`savePredictions` should be either logical or "all", "final" or "none"')
    task.control = changed(task.control, savePredictions=saved)
    task.grid = _grid(task, asked["tuneGrid"], asked["tuneLength"])
    if not task.classes:
        task.control = changed(task.control, yLimits=_extended(task.y))
    found = _searched(task) if task.resampling != "none" else _not_searched(task)
    return _result(task, found)


def _task(x: Value, y: Value, asked: Mapping[str, Any]) -> _Task:
    """Return what was asked, checked."""
    name = text(asked["method"]) if not callable(asked["method"]) else "custom"
    if name not in METHODS:
        raise NotMovedError(f"train() with the method {name}")
    control = as_value(asked["trControl"]) if not is_null(asked["trControl"]) else trainControl()
    _check(x, y, asked)
    _check_control(control)
    given = asked["metric"]
    metric = ("Accuracy" if is_factor(y) else "RMSE") if is_null(given) else text(given)
    wrong = _OF_NUMBERS[:2] if is_factor(y) else _OF_CLASSES
    if metric in wrong:
        raise RError(f"Metric {metric} not applicable for {'classification' if is_factor(y) else 'regression'} models")
    dots = {_R_NAMES.get(key, key): part for key, part in asked["named"].items()}
    if asked["dots"] or "mtry" in dots or any("_" in key for key in dots):
        raise NotMovedError("train() with further arguments that have no names of randomForest() or RRF()")
    how = METHODS[name]
    return _Task(
        name, how, x, y, control, null(), asked["named"], metric, asked["maximize"], asked["call"], asked["start"]
    )


def _check(x: Value, y: Value, asked: Mapping[str, Any]) -> None:
    if any(not is_null(asked[name]) for name in ("preProcess", "weights")):
        raise NotMovedError("train() with preProcess or weights")
    shape = dim_of(x)
    if shape is None or len(shape) != 2 or dimnames_of(x)[1] is None:
        raise RError("Please use column names for `x`")
    if inherits(x, "tbl_df") or inherits(x, "data.table"):
        raise NotMovedError("train() of a tibble or a data.table")
    if not is_factor(y) and y._kind not in NUMBERS[1:]:
        raise RError("Please make sure that the outcome column is a factor or numeric.")
    if shape[0] < 2 or shape[0] != len(y):
        raise RError("nrow(x) == n is not TRUE")
    if is_factor(y) and set(range(1, len(factor_levels(y)) + 1)) - set(y._data.tolist()):
        raise RError("One or more factor levels in the outcome has no data")
    if not is_factor(y) and len(set(y._data.tolist())) == 2:
        warn(
            "You are trying to do regression and your outcome only has two possible values "
            "Are you trying to do classification? If so, use a 2 level factor as your outcome column."
        )


def _check_control(control: Value) -> None:
    summary = control[["summaryFunction"]]
    if summary is not defaultSummary and getattr(summary, "__wrapped__", None) is not defaultSummary:
        raise NotMovedError("train() with another summaryFunction")
    if flag(control[["classProbs"]]) or not is_null(control[["sampling"]]) or flag(control[["trim"]]):
        raise NotMovedError("train() with classProbs, sampling or trim")
    best = control[["selectionFunction"]]
    plain = isinstance(best, Value) and best._kind == "character" and text(best) == "best"
    bounds = coerced(control[["predictionBounds"]], "double")._data
    if not plain or text(control[["search"]]) != "grid" or ((bounds == bounds).any() and bounds.any()):
        raise NotMovedError("train() with another selection, a random search or bounds of predictions")
    if number(control[["timingSamps"]]) or flag(control[["verboseIter"]]) or not is_null(control[["indexFinal"]]):
        raise NotMovedError("train() with verboseIter, timingSamps or indexFinal")


def _extended(y: Value) -> Value:
    low, high = float(y._data.min()), float(y._data.max())
    step = 0.05 * (high - low)
    return doubles([low - step, high + step])


def _grid(task: _Task, given: Any, length: Any) -> Value:
    """Return the sets of parameters to try, each once."""
    if is_null(given):
        many = (1 if task.resampling == "none" else 3) if is_null(length) else int(number(length))
        found = task.how.grid(task.x, task.y, many)
    else:
        found = as_value(given)
        names = [str(name).removeprefix(".") for name in known_names(found)]
        found = Value(found._kind, found._data, found._attributes | {"names": strings(names)})
    if not is_frame(found) or sorted(known_names(found)) != sorted(task.how.parameters):
        raise RError(f"The tuning parameter grid should have columns {', '.join(task.how.parameters)}")
    found = taken(found, ~duplicated(found), ALL, drop=False)
    if task.resampling == "none" and row_count(found) != 1:
        raise RError("Only one model should be specified in tuneGrid with no resampling")
    return found


# ---- the search ----------------------------------------------------------------------------------


@dataclass
class _Found:
    """What a search leaves."""

    results: Value
    best: Value
    measures: list[str]
    resample: Value
    cells: Value
    predictions: Value


def _searched(task: _Task) -> _Found:
    """Return the best parameters by the errors on resamples, or out of bag."""
    oob = task.resampling == "oob"
    resamples = 1 if oob else len(task.control[["index"]])
    task.seeds = seeds_of(task.control, resamples, row_count(task.grid))
    task.control = changed(task.control, seeds=task.seeds)
    measures = task.measures
    if not oob:
        _draw_for_summary(task.y)
    rows = _out_of_bag(task) if oob else _by_resample(task)
    if oob:
        measures = measures[:2]
    if task.metric not in measures:
        warn(f'The metric "{task.metric}" was not in the result set. {measures[0]} will be used instead.')
        task.metric = measures[0]
    results, resample, cells, predictions = rows.results(task, measures)
    ranked = taken(results, order(results[[task.how.first]]), ALL, drop=False)
    scores = ranked[[task.metric]]
    if np.isnan(scores._data).all():
        raise RError("Stopping")
    if np.isnan(scores._data).any():
        warn("missing values found in aggregated results")
    at = which_max(scores) if _maximizes(task) else which_min(scores)
    best = taken(ranked, at, strings(task.how.parameters), drop=False)
    ordered = taken(ranked, order(*[ranked[[name]] for name in task.how.parameters]), ALL, drop=False)
    return _Found(ordered, best, measures, _final_resample(task, best, resample), cells, _kept(task, best, predictions))


def _maximizes(task: _Task) -> bool:
    return task.metric not in _SMALL_IS_GOOD if is_null(task.maximize) else flag(task.maximize)


def _draw_for_summary(y: Value) -> None:
    """Draw what caret does to see which measures its summary gives."""
    size = min(_FEWEST_SHOWN, len(y))
    n = size if is_factor(y) else len(y)
    for _ in range(2):
        chance.sample_int(n, size)
    chance.sample_int(len(y), size)


@dataclass
class _Rows:
    """What fits on resamples came to: a line of measures and cells for each, and the predictions of each."""

    measures: list[list[float]]
    cells: list[list[float]]
    params: list[int]
    names: list[str]
    predictions: list[Value]

    def results(self, task: _Task, measures: list[str]) -> tuple[Value, Value, Value, Value]:
        """Return the means by parameters; the measures, the cells and the predictions of each resample."""
        n = len(self.params)
        grid = [(name, Value(c._kind, c._data[self.params])) for name, c in _columns(task.grid)]
        labels = ("Resample", strings(self.names))
        lines = np.array(self.measures, dtype=np.float64).reshape(n, len(measures))
        given = [(name, doubles(lines[:, j])) for j, name in enumerate(measures)]
        resample = _frame([*given, *grid, labels])
        cells = null()
        if self.cells:
            counts = np.array(self.cells)
            cells = _frame([(f"cell{j + 1}", doubles(counts[:, j])) for j in range(counts.shape[1])] + [*grid, labels])
        if np.isnan(lines).any():
            warn("There were missing values in resampled performance measures.")
        return _means(task, resample, measures), resample, cells, _stacked(self.predictions)


@dataclass
class _Whole:
    """Results without resamples."""

    table: Value
    predictions: Value

    def results(self, task: _Task, measures: list[str]) -> tuple[Value, Value, Value, Value]:
        """Return the measures by parameters, and the predictions."""
        return self.table, null(), null(), self.predictions


def _columns(frame: Value) -> list[tuple[str, Value]]:
    return [(str(name), column) for name, column in zip(known_names(frame), frame._data, strict=True)]


def _frame(columns: list[tuple[str, Value]]) -> Value:
    return framed([column for _, column in columns], [name for name, _ in columns], counted(len(columns[0][1])))


def _means(task: _Task, resample: Value, measures: list[str]) -> Value:
    """Return mean and standard deviation of each measure, by parameters in their order."""
    names = [name for name, _ in _columns(task.grid)]
    keys = [order(*[column for _, column in _columns(task.grid)])._data.astype(int) - 1]
    out = []
    for at in keys[0]:
        row = task.row(int(at))
        same = np.all([resample[[name]]._data == row[[name]]._data[0] for name in names], axis=0)
        part = taken(resample, logicals(same.astype(float)), strings(measures), drop=False)
        out.append([*colMeans(part, na_rm=True)._data, *(sd(c, na_rm=True)._data[0] for _, c in _columns(part))])
    grid = [(name, Value(c._kind, c._data[keys[0]])) for name, c in _columns(task.grid)]
    values = np.array(out)
    labels = [*measures, *(f"{name}SD" for name in measures)]
    return _frame([*grid, *((name, doubles(values[:, j])) for j, name in enumerate(labels))])


def _stacked(parts: list[Value]) -> Value:
    """Return data frames with the same columns below each other."""
    if not parts:
        return null()
    columns = []
    for j, (name, first) in enumerate(_columns(parts[0])):
        data = np.concatenate([part._data[j]._data for part in parts])
        columns.append((name, Value(first._kind, data, _marks(first))))
    return _frame(columns)


def _marks(x: Value) -> dict[str, Value]:
    return {name: part for name, part in x._attributes.items() if name in ("levels", "class")}


def _by_resample(task: _Task) -> _Rows | _Whole:
    index, tests = task.control[["index"]], task.control[["indexOut"]]
    rows = _Rows([], [], [], [], [])
    keep = text(task.control[["savePredictions"]]) in ("all", "final")
    alone = task.resampling == "LOOCV"
    for at, (inside, outside) in enumerate(zip(index._data, tests._data, strict=True)):
        label = str(known_names(index)[at])
        for which in range(row_count(task.grid)):
            assert task.seeds is not None
            seed_stream(task.seeds, at, which)
            row = task.row(which)
            fit = _grown(task, _part(task.x, inside), _part_of(task.y, inside), row)
            guess = predicted(predict(fit, _part(task.x, outside)), task.y)
            truth = _part_of(task.y, outside)
            table_ = _frame([("pred", guess), ("obs", truth), ("rowIndex", outside), *_repeated(row, len(outside))])
            if keep or alone:
                rows.predictions.append(table_ if alone else _with_label(table_, label))
            if alone:
                continue
            rows.measures.append(postResample(guess, truth)._data.tolist())
            if 1 < len(factor_levels(task.y)) <= _MOST_CLASSES:
                rows.cells.append(table(guess, truth)._data.tolist())
            rows.params.append(which)
            rows.names.append(label)
    return _left_out(task, _stacked(rows.predictions)) if alone else rows


def _repeated(row: Value, n: int) -> list[tuple[str, Value]]:
    return [(name, Value(c._kind, np.repeat(c._data, n))) for name, c in _columns(row)]


def _with_label(frame: Value, label: str) -> Value:
    return _frame([*_columns(frame), ("Resample", strings([label] * row_count(frame)))])


def _left_out(task: _Task, predictions: Value) -> _Whole:
    """Return the measures over all rows, each predicted without itself."""
    at = order(*[column for _, column in _columns(task.grid)])._data.astype(int) - 1
    lines = []
    for which in at:
        row = task.row(int(which))
        same = np.all([predictions[[name]]._data == c._data[0] for name, c in _columns(row)], axis=0)
        part = taken(predictions, logicals(same.astype(float)), ALL, drop=False)
        lines.append(postResample(part[["pred"]], part[["obs"]])._data.tolist())
    grid = [(name, Value(c._kind, c._data[at])) for name, c in _columns(task.grid)]
    values = np.array(lines)
    table_ = _frame([*grid, *((name, doubles(values[:, j])) for j, name in enumerate(task.measures))])
    return _Whole(table_, predictions)


def _out_of_bag(task: _Task) -> _Whole:
    if task.method != "rf":
        raise RError("Out of bag estimates are not implemented for this model")
    lines = []
    for which in range(row_count(task.grid)):
        assert task.seeds is not None
        seed_stream(task.seeds, 0, which)
        lines.append(out_of_bag(_grown(task, task.x, task.y, task.row(which)))._data.tolist())
    values = np.array(lines)
    found = [(name, doubles(values[:, j])) for j, name in enumerate(task.measures[:2])]
    return _Whole(_frame([*found, *((name, Value(c._kind, c._data)) for name, c in _columns(task.grid))]), null())


def _part(x: Value, rows: Value) -> Value:
    found: Value = taken(x, rows, ALL, drop=False)
    return found


def _part_of(y: Value, rows: Value) -> Value:
    found: Value = taken(y, rows)
    return Value(found._kind, found._data, _marks(found))


def _grown(task: _Task, x: Value, y: Value, row: Value, call: str | None = None) -> Value:
    try:
        return task.how.grow(x, y, row, task.dots, call)
    except RError as error:
        raise NotMovedError(f"a fit of train() that fails: {error}") from None


def predicted(found: Value, y: Value) -> Value:
    """Return predictions as caret keeps them: classes as a factor with the levels of `y`."""
    if not is_factor(y):
        return Value(found._kind, found._data)
    bare = Value(found._kind, found._data, _marks(found))
    return factor(coerced(bare, "character"), levels=strings(factor_levels(y)), ordered=inherits(y, "ordered"))


def _final_resample(task: _Task, best: Value, resample: Value) -> Value:
    """Return the measures of each resample with the best parameters, in the order of R's merge()."""
    kept = text(task.control[["returnResamp"]])
    if is_null(resample) or kept == "none":
        return null()
    if kept == "all":
        return resample
    found = merge(best, resample)
    left = [name for name in known_names(found) if name not in task.how.parameters]
    out: Value = taken(found, ALL, strings(left), drop=False)
    return out


def _kept(task: _Task, best: Value, predictions: Value) -> Value:
    if is_null(predictions) or text(task.control[["savePredictions"]]) != "final":
        return predictions
    return merge(best, predictions)


def _not_searched(task: _Task) -> _Found:
    """Return the only parameters there are, and no results."""
    _draw_for_summary(task.y)
    empty = [(name, Value("double", np.zeros(0))) for name in task.measures]
    empty += [(name, Value(c._kind, c._data[:0])) for name, c in _columns(task.grid)]
    return _Found(_frame(empty), task.grid, task.measures, null(), null(), null())


# ---- the result ----------------------------------------------------------------------------------


def _result(task: _Task, found: _Found) -> Value:
    """Return the list of class train, with the last fit."""
    seeds = task.control[["seeds"]]
    if task.seeds is not None:
        seed_stream(seeds, len(seeds) - 1, 0)
    began = proc_time()
    fit = _last_fit(task, found.best)
    ended = proc_time()
    times = [_between(task.start, ended), _between(began, ended), logicals([np.nan] * 3)]
    parts = {
        "method": strings(task.method),
        "modelInfo": Absent("the functions of a method of caret are not here"),
        "modelType": strings("Classification" if task.classes else "Regression"),
        "results": found.results,
        "pred": found.predictions,
        "bestTune": found.best,
        "call": Value("opaque", objects(["call"])),
        "dots": _dots(task.dots),
        "metric": strings(task.metric),
        "control": task.control,
        "finalModel": fit,
        "preProcess": null(),
        "trainingData": _training(task) if flag(task.control[["returnData"]]) else null(),
        "ptype": taken(task.x, integers(0), ALL, drop=False),
        "resample": found.resample,
        "resampledCM": found.cells,
        "perfNames": strings(found.measures),
        "maximize": logicals(float(_maximizes(task))),
        "yLimits": null() if task.classes else task.control[["yLimits"]],
        "times": listed(times, ["everything", "final", "prediction"]),
        "levels": task.levels,
    }
    return Value("list", objects(parts.values()), {"names": strings(parts), "class": strings("train")})


def _between(begin: Value, end: Value) -> Value:
    return Value(end._kind, end._data - begin._data, end._attributes, end._hidden)


def _dots(dots: Dots) -> Value:
    if not dots:
        return Value("list", objects([]))
    return listed(dots.values(), [_R_NAMES.get(name, name) for name in dots])


def _last_fit(task: _Task, best: Value) -> Value:
    x = task.x
    labels = dimnames_of(x)[0] if not is_frame(x) else row_names(x)
    names = make_names(strings(labels or []), True)
    x = put_rownames(x, names)
    fit = _grown(task, x, task.y, best, _shown_dots(task))
    more = {
        "xNames": strings(dimnames_of(x)[1] or []),
        "problemType": strings("Classification" if task.classes else "Regression"),
        "tuneValue": best,
        "obsLevels": task.levels,
        "param": _dots(task.dots),
    }
    names = strings([*known_names(fit), *more])
    return Value("list", objects([*fit._data, *more.values()]), fit._attributes | {"names": names})


def _shown_dots(task: _Task) -> str:
    """Return further arguments as R shows them in the call of the last fit: what is computed has a number."""
    given = {name: tokens for name, tokens in arguments_of(task.call or "") if name}
    out = ""
    for at, name in enumerate(task.dots):
        label = _R_NAMES.get(name, name)
        tokens = given.get(label, [])
        plain = len(tokens) == 1 and (tokens[0].kind in ("number", "string") or tokens[0].text in _CONSTANTS)
        out += f", {label} = {tokens[0] if plain else f'..{at + 1}'}"
    return out


def _training(task: _Task) -> Value:
    """Return the predictors and the response in one data frame."""
    frame = task.x if is_frame(task.x) else as_data_frame(task.x)
    columns = [*_columns(frame), (".outcome", task.y)]
    about = frame._attributes | {"names": strings([name for name, _ in columns])}
    return Value("list", objects([column for _, column in columns]), about)
