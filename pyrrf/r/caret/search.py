"""The search of caret's train(): every set of parameters on every resample, and the best one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.mathematics import sqrt
from pyrrf.r.base import chance
from pyrrf.r.base.factors import factor
from pyrrf.r.base.frames import as_data_frame, make_frame, row_ids
from pyrrf.r.base.grouping import table
from pyrrf.r.base.joining import merge
from pyrrf.r.base.margins import colMeans
from pyrrf.r.base.ordering import order, which_max, which_min
from pyrrf.r.caret.confusion import postResample
from pyrrf.r.caret.methods import METHODS, Dots, Method, out_of_bag
from pyrrf.r.caret.resampling import replace_parts, seed_stream, seeds_of
from pyrrf.r.forests.predictions import predict
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import ALL, made_unique, taken
from pyrrf.r.printing.printing import cat
from pyrrf.r.stats.statistics import sd
from pyrrf.r.values.arguments import flag, text
from pyrrf.r.values.coercion import attrs, bare, coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_null
from pyrrf.r.values.labels import known_names, names_of, row_count
from pyrrf.r.values.vector import Value, doubles, integers, logicals, null, strings

OF_CLASSES, OF_NUMBERS = ["Accuracy", "Kappa"], ["RMSE", "Rsquared", "MAE"]
_FEWEST_SHOWN = 10
_MOST_CLASSES = 50
_AT_ONCE = 100
_SMALL_IS_GOOD = ("RMSE", "logLoss", "MAE")

Columns = list[tuple[str, Value]]


@dataclass
class Request:
    """The arguments of a call of train()."""

    method: str
    x: Value
    y: Value
    control: Value
    dots: Dots
    metric: str
    maximize: bool | None
    call: str | None
    start: Value
    grid: Value = field(default_factory=null)
    seeds: Value = field(default_factory=null)

    @property
    def how(self) -> Method:
        """Return caret's method."""
        return METHODS[self.method]

    @property
    def classes(self) -> bool:
        """Whether the response has classes."""
        return is_factor(self.y)

    @property
    def measures(self) -> list[str]:
        """Return the names of caret's usual measures."""
        return OF_CLASSES if self.classes else OF_NUMBERS

    @property
    def maximizes(self) -> bool:
        """Whether the largest value of the measure is the best."""
        return self.metric not in _SMALL_IS_GOOD if self.maximize is None else self.maximize

    @property
    def probabilities(self) -> bool:
        """Whether predictions are kept with the probabilities of the classes."""
        return self.classes and self.wants("classProbs")

    @property
    def levels(self) -> Value:
        """Return the classes as caret keeps them."""
        if not self.classes:
            return logicals(np.nan)
        return strings(factor_levels(self.y), {"ordered": logicals(float(inherits(self.y, "ordered")))})

    def word(self, name: str) -> str:
        """Return a part of trainControl() that is one string."""
        return text(self.control[[name]])

    def wants(self, name: str) -> bool:
        """Return a part of trainControl() that is one logical."""
        return flag(self.control[[name]])

    def parameters(self, rows: Iterable[int]) -> Columns:
        """Return the columns of some sets of parameters."""
        places = np.fromiter(rows, dtype=np.int64)
        return [(name, Value(c._kind, c._data[places])) for name, c in columns_of(self.grid)]

    def in_order(self) -> list[int]:
        """Return the indices that sort the sets of parameters."""
        return [int(place) - 1 for place in order(*[column for _, column in columns_of(self.grid)])._data]

    def of_fit(self, frame: Value, which: int, columns: Value | slice) -> Value:
        """Return the rows of a frame that belong to a set of parameters."""
        same = np.all([frame[[name]]._data == c._data[0] for name, c in self.parameters([which])], axis=0)
        own_rows: Value = taken(frame, logicals(same), columns, drop=False)
        return own_rows


@dataclass
class Outcome:
    """The outcome of a search: measures by parameters and by resample, confusion matrices, predictions."""

    results: Value
    measures: list[str]
    best: Value = field(default_factory=null)
    resample: Value = field(default_factory=null)
    cells: Value = field(default_factory=null)
    predictions: Value = field(default_factory=null)


# ---- data frames ---------------------------------------------------------------------------------


def columns_of(frame: Value) -> Columns:
    """Return the columns of a data frame with their names."""
    return list(zip(known_names(frame), frame._data, strict=True))


def _frame(columns: Columns) -> Value:
    return make_frame([column for _, column in columns], [name for name, _ in columns], row_ids(len(columns[0][1])))


def _columns_of_lines(lines: list[list[float]], names: list[str]) -> Columns:
    """Return lines of numbers as columns."""
    return [(name, doubles(column)) for name, column in zip(names, np.array(lines).T, strict=True)]


# ---- the best parameters -------------------------------------------------------------------------


def search_grid(task: Request) -> Outcome:
    """Return the best parameters by the errors on resamples, or out of bag."""
    how = task.word("method")
    resamples = 1 if how == "oob" else len(task.control[["index"]])
    task.seeds = seeds_of(task.control, resamples, row_count(task.grid))
    task.control = replace_parts(task.control, seeds=task.seeds)
    outcome = {"oob": _out_of_bag, "LOOCV": _leave_one_out}.get(how, _by_resample)(task)
    if task.metric not in outcome.measures:
        warn(f'The metric "{task.metric}" was not in the result set. {outcome.measures[0]} will be used instead.')
        task.metric = outcome.measures[0]
    if any(np.isnan(c._data).any() for name, c in columns_of(outcome.resample) if name in outcome.measures):
        warn("There were missing values in resampled performance measures.")
    results: Value = taken(outcome.results, order(outcome.results[[task.how.first]]), ALL, drop=False)
    gaps = np.isnan(results[[task.metric]]._data)
    stop_if(gaps.all(), "Stopping")
    if gaps.any():
        warn("missing values found in aggregated results")
    if task.wants("verboseIter"):
        cat("Aggregating results\n")
        cat("Selecting tuning parameters\n" if row_count(results) > 1 else "")
    outcome.best = taken(results, _best_row(task, results), strings(task.how.parameters), drop=False)
    outcome.results = taken(results, order(*[results[[name]] for name in task.how.parameters]), ALL, drop=False)
    outcome.resample = _final_resample(task, outcome.best, outcome.resample)
    if not is_null(outcome.predictions) and task.word("savePredictions") == "final":
        outcome.predictions = merge(outcome.best, outcome.predictions)
    return outcome


def fit_once(task: Request) -> Outcome:
    """Return the only set of parameters, without results."""
    _draw_for_summary(task)
    empty = [(name, doubles([])) for name in task.measures]
    return Outcome(_frame([*empty, *task.parameters([])]), task.measures, task.grid)


def _best_row(task: Request, ranked: Value) -> Value:
    """Return the row of the best parameters; by the one-standard-error rule the first near the best."""
    scores, most = ranked[[task.metric]], task.maximizes
    place = which_max(scores) if most else which_min(scores)
    if task.word("selectionFunction") != "oneSE":
        return bare(place)
    refuse_if(f"{task.metric}SD" not in known_names(ranked), "train() with oneSE and without deviations of the measure")
    reach = ranked[[f"{task.metric}SD"]][place] / sqrt(len(task.control[["index"]]))
    limit = scores[place] - reach if most else scores[place] + reach
    near = scores._data >= limit._data[0] if most else scores._data <= limit._data[0]
    refuse_if(np.isnan(limit._data[0]) or np.isnan(scores._data).any(), "train() with oneSE and missing values")
    return integers(int(np.flatnonzero(near)[0]) + 1)


def _final_resample(task: Request, best: Value, resample: Value) -> Value:
    """Return the measures of each resample with the best parameters, in the order of R's merge()."""
    which_resamples = task.word("returnResamp")
    if is_null(resample) or which_resamples == "none":
        return null()
    if which_resamples == "all":
        return resample
    merged = merge(best, resample)
    left = [name for name in known_names(merged) if name not in task.how.parameters]
    out: Value = taken(merged, ALL, strings(left), drop=False)
    return out


# ---- fits on resamples ---------------------------------------------------------------------------


def _draw_for_summary(task: Request) -> None:
    """Advance the random stream as caret does when it tries its summary function."""
    size = min(_FEWEST_SHOWN, len(task.y))
    n = size if task.classes else len(task.y)
    for _ in range(2):
        chance.sample_int(n, size)
    if task.probabilities:
        chance.runif(size * len(factor_levels(task.y)))
    chance.sample_int(len(task.y), size)


def _fits(task: Request, place: int, label: str) -> Iterator[int]:
    """Yield each set of parameters, with the seed of its fit set."""
    for which in range(row_count(task.grid)):
        _print_progress(task, which, f"+ {label}")
        seed_stream(task.seeds, place, which)
        yield which
        _print_progress(task, which, f"- {label}")


def _print_progress(task: Request, which: int, begin: str) -> None:
    """Print the fit that begins or ends, if `verboseIter`."""
    if task.wants("verboseIter"):
        cells = [f"{name}={formatted(c, digits=4)._data[which]}" for name, c in columns_of(task.grid)]
        cat(f"{begin}: {', '.join(cells)}", "\n")


def _each_fit(task: Request) -> Iterator[tuple[str, int, Value, str]]:
    """Yield for each fit the label of the resample, the parameters, the value of `_predict_outside`."""
    _draw_for_summary(task)
    index, tests = task.control[["index"]], task.control[["indexOut"]]
    parts = zip(known_names(index), index._data, tests._data, strict=True)
    for place, (label, inside, outside) in enumerate(parts):
        for which in _fits(task, place, label):
            yield label, which, *_predict_outside(task, which, inside, outside)


def _predict_outside(task: Request, which: int, inside: Value, outside: Value) -> tuple[Value, str]:
    """Return the predictions for the rows that a fit has not seen, and the name that R gives the first row."""
    row = task.parameters([which])
    fit = grow_fit(task, taken(task.x, inside, ALL, drop=False), _part(task.y, inside), _frame(row))
    new = taken(task.x, outside, ALL, drop=False)
    predictions = predict(fit, new)
    columns = [("pred", as_predictions(predictions, task.y)), ("obs", _part(task.y, outside))]
    if task.probabilities:
        columns += columns_of(as_data_frame(predict(fit, new, type="prob")))
    columns += [("rowIndex", outside), *task.parameters([which] * len(outside))]
    named = task.probabilities or not task.classes
    return _frame(columns), str((names_of(predictions) or [""])[0]) if named else ""


def _part(y: Value, rows: Value) -> Value:
    items = taken(y, rows)
    return Value(items._kind, items._data, attrs(items, "levels", "class"))


def grow_fit(task: Request, x: Value, y: Value, row: Value, call: str | None = None) -> Value:
    """Return one fit."""
    try:
        return task.how.grow(x, y, row, task.dots, call)
    except RError as error:
        raise NotSupportedError(f"a fit of train() that fails: {error}") from None


def as_predictions(predictions: Value, y: Value) -> Value:
    """Return predictions as caret keeps them: classes as a factor with the levels of `y`."""
    if not is_factor(y):
        return bare(predictions)
    return factor(coerce(predictions, "character"), levels=strings(factor_levels(y)), ordered=inherits(y, "ordered"))


def _by_resample(task: Request) -> Outcome:
    """Return the measures of each fit, their means by parameters, tables of errors, and predictions to keep."""
    lines, cells, params, labels, predictions = [], [], [], [], []
    saves = task.word("savePredictions") in ("all", "final")
    for label, which, frame, _ in _each_fit(task):
        guess, truth = frame[["pred"]], frame[["obs"]]
        params.append(which)
        labels.append(label)
        lines.append(postResample(guess, truth)._data.tolist())
        if saves:
            resample_names = strings([label] * row_count(frame))
            predictions.append(_frame([*columns_of(frame), ("Resample", resample_names)]))
        if 1 < len(factor_levels(task.y)) <= _MOST_CLASSES:
            cells.append(table(guess, truth)._data.tolist())
    about = [*task.parameters(params), ("Resample", strings(labels))]
    resample = _frame([*_columns_of_lines(lines, task.measures), *about])
    names = [f"cell{j + 1}" for j in range(len(cells[0]))] if cells else []
    counts = _frame([*_columns_of_lines(cells, names), *about]) if cells else null()
    means = _means(task, resample)
    return Outcome(means, task.measures, resample=resample, cells=counts, predictions=_stack(predictions))


def _means(task: Request, resample: Value) -> Value:
    """Return mean and standard deviation of each measure, by parameters in their order."""
    lines = []
    for which in task.in_order():
        measures = task.of_fit(resample, which, strings(task.measures))
        lines.append([*colMeans(measures, na_rm=True)._data, *(sd(c, na_rm=True)._data[0] for c in measures._data)])
    names = [*task.measures, *(f"{name}SD" for name in task.measures)]
    return _frame([*task.parameters(task.in_order()), *_columns_of_lines(lines, names)])


def _stack(parts: list[Value]) -> Value:
    """Return data frames with the same columns below each other."""
    if not parts:
        return null()
    columns = []
    for j, (name, first) in enumerate(columns_of(parts[0])):
        data = np.concatenate([frame._data[j]._data for frame in parts])
        columns.append((name, Value(first._kind, data, attrs(first, "levels", "class"))))
    return _frame(columns)


def _leave_one_out(task: Request) -> Outcome:
    """Return the measures over all rows, each predicted without itself, and the predictions."""
    fits = [(frame, name) for _, _, frame, name in _each_fit(task)]
    predictions = _stack([frame for frame, _ in fits])
    lines = []
    for which in task.in_order():
        own_rows = task.of_fit(predictions, which, ALL)
        lines.append(postResample(own_rows[["pred"]], own_rows[["obs"]])._data.tolist())
    results = _frame([*task.parameters(task.in_order()), *_columns_of_lines(lines, task.measures)])
    predictions = _with_rows(predictions, [name for _, name in fits], row_count(task.grid))
    return Outcome(results, task.measures, predictions=predictions)


def _with_rows(predictions: Value, names: list[str], fits: int) -> Value:
    """Return the predictions with names of rows as R's rbind() makes them, in steps of a hundred resamples."""
    if not all(names):
        return predictions
    parts = [made_unique([name] * fits, "") for name in names[::fits]]
    labels: list[str] = []
    while parts:
        most = _AT_ONCE - bool(labels)
        labels = made_unique([*labels, *(name for names_of_fit in parts[:most] for name in names_of_fit)], "")
        parts = parts[most:]
    return Value("list", predictions._data, predictions._attributes | {"row.names": strings(labels)})


def _out_of_bag(task: Request) -> Outcome:
    stop_if(task.method != "rf", "Out of bag estimates are not implemented for this model")
    lines = []
    for which in _fits(task, 0, ""):
        lines.append(out_of_bag(grow_fit(task, task.x, task.y, _frame(task.parameters([which]))))._data.tolist())
    measures = task.measures[:2]
    columns = [*_columns_of_lines(lines, measures), *task.parameters(range(row_count(task.grid)))]
    return Outcome(_frame(columns), measures)
