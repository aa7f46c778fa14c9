"""caret's train() of forests, with x and y or a formula: its checks, and the list it returns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base import chance
from pyrrf.r.base.attributes import put_rownames
from pyrrf.r.base.control import proc_time
from pyrrf.r.base.factors import as_factor
from pyrrf.r.base.frames import as_data_frame, make_names
from pyrrf.r.base.sets import duplicated
from pyrrf.r.caret.confusion import defaultSummary
from pyrrf.r.caret.formula import by_formula
from pyrrf.r.caret.methods import METHODS, Dots
from pyrrf.r.caret.resampling import draw_resamples, parts_of, replace_parts, seed_stream, trainControl, with_parts
from pyrrf.r.caret.search import OF_CLASSES, OF_NUMBERS, Outcome, Request, columns_of, fit_once, grow_fit, search_grid
from pyrrf.r.forests.fits import call_of
from pyrrf.r.forests.forests import FORMALS
from pyrrf.r.formatting.deparse import arguments_of
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.printing.printing import cat
from pyrrf.r.stats.model_frames import is_formula
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_null
from pyrrf.r.values.labels import dim_of, dimnames_of, known_names, row_count
from pyrrf.r.values.partial import Absent
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, integers, list_of, logicals, null, objects, strings

_CONSTANTS = ("TRUE", "FALSE", "NULL", "NA", "Inf", "NaN")
_R_NAMES = {name.replace(".", "_"): name for names in FORMALS.values() for name in names}


@r_function(
    does="draws prints",
    formula=True,
    may_skip=("y", "method", "metric", "maximize", "trControl", "tuneGrid", "tuneLength", "na_action", "..."),
    later=("y", "trControl", "tuneGrid"),
    unsupported="preProcess dots weights subset contrasts",
    called=("na_action",),
)
def train(
    x: Item = None,
    y: Item = None,
    method: Item = "rf",
    preProcess: object = None,
    *dots: object,
    weights: object = None,
    metric: Text | None = None,
    maximize: Flag | None = None,
    trControl: Item | None = None,
    tuneGrid: Item | None = None,
    tuneLength: Value | None = None,
    form: Value | None = None,
    data: Item | None = None,
    subset: object = None,
    na_action: Item | None = None,
    contrasts: object = None,
    scope: Mapping[str, object] | None = None,
    call: str | None = None,
    **named: object,
) -> Value:
    """Grow forests on resamples for each set of parameters, and one with the best: caret's ``train``.

    The methods "rf", "RRF" and "RRFglobal", with x and y or a formula.
    """
    start, design = proc_time(), None
    formula = x if form is None else form
    if is_formula(formula):
        table = data if data is not None else y if form is None else x
        if callable(table):
            raise NotSupportedError(
                "train(): `data` calls a random generator, which R evaluates repeatedly; assign it to a variable first"
            )
        design = by_formula(formula, as_value(table), na_action, scope)
        x, y = design.x, design.y
    elif data is not None or na_action is not None:
        raise NotSupportedError("train() with data or na.action, but without a formula")
    seed = chance.sample_int(2147483647, 1)
    name = "custom" if callable(method) else text(method)
    y, control = _evaluate(y), _evaluate(trControl)
    y = as_factor(y) if y._kind == "character" else y
    control = trainControl() if is_null(control) else control
    usual = "Accuracy" if is_factor(y) else "RMSE"
    task = Request(name, as_value(x), y, control, named, usual if metric is None else metric, maximize, call, start)
    _check(task)
    task.control = _complete_control(task, seed)
    task.grid = _grid(task, _evaluate(tuneGrid), tuneLength)
    fit = _result(task, search_grid(task) if task.word("method") != "none" else fit_once(task))
    return fit if design is None else design.annotate(fit)


def _evaluate(x: Item) -> Value:
    """Return an argument, evaluated if it is a promise."""
    return as_value(x() if callable(x) else x)


# ---- checks --------------------------------------------------------------------------------------


def _check(task: Request) -> None:
    """Stop with caret's errors, and refuse unsupported arguments; translate names of arguments."""
    refuse_if(task.method not in METHODS, f"train() with the method {task.method}")
    _check_data(task.x, task.y)
    _check_control(task.control)
    if flag(task.control[["classProbs"]]):
        task.control = _with_probabilities(task.control, task.y)
    if task.metric in (OF_NUMBERS[:2] if task.classes else OF_CLASSES):
        kind = "classification" if task.classes else "regression"
        raise RError(f"Metric {task.metric} not applicable for {kind} models")
    task.dots = _forest_arguments(task.method, task.dots)


def _forest_arguments(method: str, dots: Dots) -> Dots:
    """Return the arguments for the forests, by their Python names."""
    arguments = {key.replace(".", "_"): value for key, value in dots.items()}
    taken_by_fit = {"x", "y", "mtry", "formula", "data"} | ({"coefReg"} if method != "rf" else set())
    refuse_if(len(arguments) < len(dots), "train(): an extra argument is given twice")
    for name in arguments:
        refuse_if(name not in _R_NAMES or name in taken_by_fit, f"train(): unsupported extra argument {name}")
    return arguments


def _check_data(x: Value, y: Value) -> None:
    shape = dim_of(x)
    if shape is None or len(shape) != 2 or dimnames_of(x)[1] is None:
        raise RError("Please use column names for `x`")
    refuse_if(inherits(x, "tbl_df") or inherits(x, "data.table"), "train() of a tibble or a data.table")
    if not is_factor(y) and y._kind not in NUMBERS[1:]:
        raise RError("Please make sure that the outcome column is a factor or numeric.")
    stop_if(shape[0] < 2 or shape[0] != len(y), "nrow(x) == n is not TRUE")
    if is_factor(y) and set(range(1, len(factor_levels(y)) + 1)) - set(y._data.tolist()):
        raise RError("One or more factor levels in the outcome has no data")
    if not is_factor(y) and len(set(y._data.tolist())) == 2:
        warn(
            "You are trying to do regression and your outcome only has two possible values "
            "Are you trying to do classification? If so, use a 2 level factor as your outcome column."
        )


def _with_probabilities(control: Value, y: Value) -> Value:
    """Return a control with class probabilities; without them in regression."""
    if not is_factor(y):
        warn("cannnot compute class probabilities for regression")
        return replace_parts(control, classProbs=logicals(0.0))
    levels = strings(factor_levels(y))
    if (make_names(levels)._data != levels._data).any():
        raise RError("At least one of the class levels is not a valid R variable name")
    if {"pred", "obs", "rowIndex", "mtry", "coefReg", "coefImp", "Resample"} & set(levels._data):
        raise NotSupportedError("train() with probabilities of classes that have the name of another column")
    return control


def _check_control(control: Value) -> None:
    summary = control[["summaryFunction"]]
    if summary is not defaultSummary and getattr(summary, "__wrapped__", None) is not defaultSummary:
        raise NotSupportedError("train() with another summaryFunction")
    refuse_if(not is_null(control[["sampling"]]) or flag(control[["trim"]]), "train() with sampling or trim")
    best = control[["selectionFunction"]]
    plain = isinstance(best, Value) and best._kind == "character" and text(best) in ("best", "oneSE")
    bounds = coerce(control[["predictionBounds"]], "double")._data
    if not plain or text(control[["search"]]) != "grid" or ((bounds == bounds).any() and bounds.any()):
        raise NotSupportedError("train() with another selection, a random search or bounds of predictions")
    if number(control[["timingSamps"]]) or not is_null(control[["indexFinal"]]):
        raise NotSupportedError("train() with timingSamps or indexFinal")


def _complete_control(task: Request, seed: Value) -> Value:
    """Return trainControl() with the rows of each resample, and caret's additions."""
    control = draw_resamples(task.control, task.y, seed)
    saved = control[["savePredictions"]]
    if saved._kind == "logical":
        saved = strings("all" if flag(saved) else "none")
    if text(saved) not in ("all", "final", "none"):
        raise RError('`savePredictions` should be either logical or "all", "final" or "none"')
    control = replace_parts(control, savePredictions=saved)
    if task.classes:
        return control
    low, high = float(task.y._data.min()), float(task.y._data.max())
    step = 0.05 * (high - low)
    return replace_parts(control, yLimits=doubles([low - step, high + step]))


def _grid(task: Request, tune_grid: Value, length: Value | None) -> Value:
    """Return the sets of parameters to try, each once."""
    alone = task.word("method") == "none"
    if is_null(tune_grid):
        usual = 1 if alone else 3
        grid = task.how.grid(task.x, task.y, usual if length is None else int(number(length)))
    else:
        names = [name.removeprefix(".") for name in known_names(tune_grid)]
        grid = Value(tune_grid._kind, tune_grid._data, tune_grid._attributes | {"names": strings(names)})
    if not is_frame(grid) or sorted(known_names(grid)) != sorted(task.how.parameters):
        raise RError(f"The tuning parameter grid should have columns {', '.join(task.how.parameters)}")
    grid = taken(grid, ~duplicated(grid), ALL, drop=False)
    stop_if(alone and row_count(grid) != 1, "Only one model should be specified in tuneGrid with no resampling")
    return grid


# ---- the result ----------------------------------------------------------------------------------


def _result(task: Request, outcome: Outcome) -> Value:
    """Return the list of class train, with the last fit."""
    seeds = task.control[["seeds"]]
    if not is_null(task.seeds):
        seed_stream(seeds, len(seeds) - 1, 0)
    if task.wants("verboseIter"):
        cat("Fitting", _describe_best(task, outcome), "on full training set\n")
    began = proc_time()
    fit = _last_fit(task, outcome.best)
    ended = proc_time()
    times = [_between(task.start, ended), _between(began, ended), logicals([np.nan] * 3)]
    parts = {
        "method": strings(task.method),
        "modelInfo": Absent("the functions of a method of caret are not here"),
        "modelType": strings("Classification" if task.classes else "Regression"),
        "results": outcome.results,
        "pred": outcome.predictions,
        "bestTune": outcome.best,
        "call": Value("opaque", objects(["call"])),
        "dots": _dots(task.dots),
        "metric": strings(task.metric),
        "control": task.control,
        "finalModel": fit,
        "preProcess": null(),
        "trainingData": _training_frame(task) if task.wants("returnData") else null(),
        "ptype": taken(task.x, integers(0), ALL, drop=False),
        "resample": outcome.resample,
        "resampledCM": outcome.cells,
        "perfNames": strings(outcome.measures),
        "maximize": logicals(task.maximizes),
        "yLimits": null() if task.classes else task.control[["yLimits"]],
        "times": list_of(times, ["everything", "final", "prediction"]),
        "levels": task.levels,
    }
    return Value("list", objects(parts.values()), {"names": strings(parts), "class": strings("train")})


def _describe_best(task: Request, outcome: Outcome) -> str:
    if row_count(outcome.results) == 1:
        return "final model"
    return ", ".join(f"{name} = {formatted(c, digits=3)._data[0]}" for name, c in columns_of(outcome.best))


def _between(begin: Value, end: Value) -> Value:
    return Value(end._kind, end._data - begin._data, end._attributes, end._hidden)


def _dots(dots: Dots) -> Value:
    if not dots:
        return Value("list", objects([]))
    return list_of(dots.values(), [_R_NAMES[name] for name in dots])


def _last_fit(task: Request, best: Value) -> Value:
    x = task.x
    x = put_rownames(x, make_names(strings(dimnames_of(x)[0] or []), True))
    fit = grow_fit(task, x, task.y, best, _dots_text(task))
    more = {
        "xNames": strings(dimnames_of(x)[1] or []),
        "problemType": strings("Classification" if task.classes else "Regression"),
        "tuneValue": best,
        "obsLevels": task.levels,
        "param": _dots(task.dots),
    }
    if task.call == "":
        more["call"] = call_of("", "", ())
    return with_parts(fit, parts_of(fit) | more)


def _dots_text(task: Request) -> str:
    """Return further arguments as in R's call of the last fit, with a number for computed values."""
    arguments = {name: tokens for name, tokens in arguments_of(task.call or "") if name}
    out = ""
    for place, name in enumerate(task.dots):
        label = _R_NAMES[name]
        tokens = arguments.get(label, [])
        plain = len(tokens) == 1 and (tokens[0].kind in ("number", "string") or tokens[0].text in _CONSTANTS)
        out += f", {label} = {tokens[0] if plain else f'..{place + 1}'}"
    return out


def _training_frame(task: Request) -> Value:
    """Return the predictors and the response in one data frame."""
    frame = task.x if is_frame(task.x) else as_data_frame(task.x)
    columns = [*columns_of(frame), (".outcome", task.y)]
    about = frame._attributes | {"names": strings([name for name, _ in columns])}
    return Value("list", objects([column for _, column in columns]), about)
