"""The search of caret's train(): every set of parameters on every resample, and the best one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.arithmetic.mathematics import sqrt
from pyrrf.r.base import chance
from pyrrf.r.base.factors import factor
from pyrrf.r.base.frames import as_data_frame
from pyrrf.r.base.grouping import table
from pyrrf.r.base.joining import merge
from pyrrf.r.base.matrices import colMeans
from pyrrf.r.base.ordering import order, which_max, which_min
from pyrrf.r.caret.confusion import postResample
from pyrrf.r.caret.control import changed, seed_stream, seeds_of
from pyrrf.r.caret.methods import out_of_bag
from pyrrf.r.caret.task import Task, columns_of, frame_from, marks_of
from pyrrf.r.forests.predictions import predict
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import ALL, made_unique, taken
from pyrrf.r.printing.printing import cat
from pyrrf.r.stats.statistics import sd
from pyrrf.r.values.arguments import flag, text
from pyrrf.r.values.attributes import factor_levels, inherits, is_factor, known_names, names_of, row_count
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.vector import NotMovedError, RError, Value, doubles, integers, is_null, logicals, null, strings

_FEWEST_SHOWN = 10
_MOST_CLASSES = 50
_AT_ONCE = 100
_SMALL_IS_GOOD = ("RMSE", "logLoss", "MAE")


@dataclass
class Found:
    """What a search leaves."""

    results: Value
    best: Value
    measures: list[str]
    resample: Value
    cells: Value
    predictions: Value


def searched(task: Task) -> Found:
    """Return the best parameters by the errors on resamples, or out of bag."""
    oob = task.resampling == "oob"
    resamples = 1 if oob else len(task.control[["index"]])
    task.seeds = seeds_of(task.control, resamples, row_count(task.grid))
    task.control = changed(task.control, seeds=task.seeds)
    measures = task.measures
    if not oob:
        _draw_for_summary(task)
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
    if task.verbose:
        cat("Aggregating results\n")
        cat("Selecting tuning parameters\n" if row_count(ranked) > 1 else "")
    best = taken(ranked, _chosen(task, ranked), strings(task.how.parameters), drop=False)
    ordered = taken(ranked, order(*[ranked[[name]] for name in task.how.parameters]), ALL, drop=False)
    return Found(ordered, best, measures, _final_resample(task, best, resample), cells, _kept(task, best, predictions))


def _chosen(task: Task, ranked: Value) -> Value:
    """Return the row of the best parameters; with the rule of one standard error the first that is near the best."""
    scores, most = ranked[[task.metric]], maximizes(task)
    at = which_max(scores) if most else which_min(scores)
    if text(task.control[["selectionFunction"]]) != "oneSE":
        return Value("integer", at._data)
    if f"{task.metric}SD" not in known_names(ranked):
        raise NotMovedError("train() with oneSE and without deviations of the measure")
    reach = ranked[[f"{task.metric}SD"]][at] / sqrt(len(task.control[["index"]]))
    limit = scores[at] - reach if most else scores[at] + reach
    near = scores._data >= limit._data[0] if most else scores._data <= limit._data[0]
    if np.isnan(limit._data[0]) or np.isnan(scores._data).any():
        raise NotMovedError("train() with oneSE and missing values")
    return integers(int(np.flatnonzero(near)[0]) + 1)


def tell_fit(task: Task, which: int, label: str, begins: bool) -> None:
    """Print which fit begins or ends, where the script wants to see it."""
    if task.verbose:
        cells = [f"{name}={formatted(c, digits=4)._data[which]}" for name, c in columns_of(task.grid)]
        cat(f"{'+' if begins else '-'} {label}: {', '.join(cells)}", "\n")


def maximizes(task: Task) -> bool:
    """Whether the largest value of the measure is the best."""
    return task.metric not in _SMALL_IS_GOOD if is_null(task.maximize) else flag(task.maximize)


def _draw_for_summary(task: Task) -> None:
    """Draw what caret does to see which measures its summary gives."""
    size = min(_FEWEST_SHOWN, len(task.y))
    n = size if task.classes else len(task.y)
    for _ in range(2):
        chance.sample_int(n, size)
    if task.probabilities:
        chance.runif(size * len(factor_levels(task.y)))
    chance.sample_int(len(task.y), size)


@dataclass
class _Rows:
    """What fits on resamples came to: a line of measures and cells for each, and the predictions of each."""

    measures: list[list[float]]
    cells: list[list[float]]
    params: list[int]
    names: list[str]
    predictions: list[Value]

    def results(self, task: Task, measures: list[str]) -> tuple[Value, Value, Value, Value]:
        """Return the means by parameters; the measures, the cells and the predictions of each resample."""
        n = len(self.params)
        grid = [(name, Value(c._kind, c._data[self.params])) for name, c in columns_of(task.grid)]
        labels = ("Resample", strings(self.names))
        lines = np.array(self.measures, dtype=np.float64).reshape(n, len(measures))
        given = [(name, doubles(lines[:, j])) for j, name in enumerate(measures)]
        resample = frame_from([*given, *grid, labels])
        cells = null()
        if self.cells:
            counts = np.array(self.cells)
            cells = frame_from(
                [(f"cell{j + 1}", doubles(counts[:, j])) for j in range(counts.shape[1])] + [*grid, labels]
            )
        if np.isnan(lines).any():
            warn("There were missing values in resampled performance measures.")
        return _means(task, resample, measures), resample, cells, _stacked(self.predictions)


@dataclass
class _Whole:
    """Results without resamples."""

    table: Value
    predictions: Value

    def results(self, task: Task, measures: list[str]) -> tuple[Value, Value, Value, Value]:
        """Return the measures by parameters, and the predictions."""
        return self.table, null(), null(), self.predictions


def _means(task: Task, resample: Value, measures: list[str]) -> Value:
    """Return mean and standard deviation of each measure, by parameters in their order."""
    names = [name for name, _ in columns_of(task.grid)]
    keys = [order(*[column for _, column in columns_of(task.grid)])._data.astype(int) - 1]
    out = []
    for at in keys[0]:
        row = task.row(int(at))
        same = np.all([resample[[name]]._data == row[[name]]._data[0] for name in names], axis=0)
        part = taken(resample, logicals(same.astype(float)), strings(measures), drop=False)
        out.append([*colMeans(part, na_rm=True)._data, *(sd(c, na_rm=True)._data[0] for _, c in columns_of(part))])
    grid = [(name, Value(c._kind, c._data[keys[0]])) for name, c in columns_of(task.grid)]
    values = np.array(out)
    labels = [*measures, *(f"{name}SD" for name in measures)]
    return frame_from([*grid, *((name, doubles(values[:, j])) for j, name in enumerate(labels))])


def _stacked(parts: list[Value]) -> Value:
    """Return data frames with the same columns below each other."""
    if not parts:
        return null()
    columns = []
    for j, (name, first) in enumerate(columns_of(parts[0])):
        data = np.concatenate([part._data[j]._data for part in parts])
        columns.append((name, Value(first._kind, data, marks_of(first))))
    return frame_from(columns)


def _by_resample(task: Task) -> _Rows | _Whole:
    index, tests = task.control[["index"]], task.control[["indexOut"]]
    rows = _Rows([], [], [], [], [])
    alone = task.resampling == "LOOCV"
    for at, (inside, outside) in enumerate(zip(index._data, tests._data, strict=True)):
        label = str(known_names(index)[at])
        for which in range(row_count(task.grid)):
            assert task.seeds is not None
            seed_stream(task.seeds, at, which)
            tell_fit(task, which, label, True)
            found, name = _tested(task, which, inside, outside)
            rows.names.append(name if alone else label)
            rows.params.append(which)
            if alone:
                rows.predictions.append(found)
            else:
                _note(task, rows, found)
            tell_fit(task, which, label, False)
    return _left_out(task, _stacked(rows.predictions), rows.names) if alone else rows


def _tested(task: Task, which: int, inside: Value, outside: Value) -> tuple[Value, str]:
    """Return the predictions for the rows that a fit has not seen, and the name that R gives the first row."""
    row, new = task.row(which), _part(task.x, outside)
    fit = grown(task, _part(task.x, inside), _part_of(task.y, inside), row)
    given = predict(fit, new)
    columns = [("pred", predicted(given, task.y)), ("obs", _part_of(task.y, outside))]
    if task.probabilities:
        columns += columns_of(as_data_frame(predict(fit, new, type="prob")))
    columns += [("rowIndex", outside), *_repeated(row, len(outside))]
    named = task.probabilities or not task.classes
    return frame_from(columns), str((names_of(given) or [""])[0]) if named else ""


def _note(task: Task, rows: _Rows, found: Value) -> None:
    """Add the measures of a fit, its table of errors, and its predictions where they are kept."""
    guess, truth = found[["pred"]], found[["obs"]]
    if text(task.control[["savePredictions"]]) in ("all", "final"):
        rows.predictions.append(_with_label(found, rows.names[-1]))
    rows.measures.append(postResample(guess, truth)._data.tolist())
    if 1 < len(factor_levels(task.y)) <= _MOST_CLASSES:
        rows.cells.append(table(guess, truth)._data.tolist())


def _repeated(row: Value, n: int) -> list[tuple[str, Value]]:
    return [(name, Value(c._kind, np.repeat(c._data, n))) for name, c in columns_of(row)]


def _with_label(frame: Value, label: str) -> Value:
    return frame_from([*columns_of(frame), ("Resample", strings([label] * row_count(frame)))])


def _left_out(task: Task, predictions: Value, names: list[str]) -> _Whole:
    """Return the measures over all rows, each predicted without itself."""
    at = order(*[column for _, column in columns_of(task.grid)])._data.astype(int) - 1
    lines = []
    for which in at:
        row = task.row(int(which))
        same = np.all([predictions[[name]]._data == c._data[0] for name, c in columns_of(row)], axis=0)
        part = taken(predictions, logicals(same.astype(float)), ALL, drop=False)
        lines.append(postResample(part[["pred"]], part[["obs"]])._data.tolist())
    grid = [(name, Value(c._kind, c._data[at])) for name, c in columns_of(task.grid)]
    values = np.array(lines)
    table_ = frame_from([*grid, *((name, doubles(values[:, j])) for j, name in enumerate(task.measures))])
    return _Whole(table_, _with_rows(predictions, names, len(at)))


def _with_rows(predictions: Value, names: list[str], fits: int) -> Value:
    """Return the predictions with names of rows as R's rbind() makes them, in steps of a hundred resamples."""
    if not all(names):
        return predictions
    parts = [made_unique([name] * fits, "") for name in names[::fits]]
    found: list[str] = []
    while parts:
        most = _AT_ONCE - bool(found)
        found = made_unique([*found, *(name for part in parts[:most] for name in part)], "")
        parts = parts[most:]
    return Value("list", predictions._data, predictions._attributes | {"row.names": strings(found)})


def _out_of_bag(task: Task) -> _Whole:
    if task.method != "rf":
        raise RError("Out of bag estimates are not implemented for this model")
    lines = []
    for which in range(row_count(task.grid)):
        assert task.seeds is not None
        tell_fit(task, which, "", True)
        seed_stream(task.seeds, 0, which)
        lines.append(out_of_bag(grown(task, task.x, task.y, task.row(which)))._data.tolist())
        tell_fit(task, which, "", False)
    values = np.array(lines)
    found = [(name, doubles(values[:, j])) for j, name in enumerate(task.measures[:2])]
    return _Whole(frame_from([*found, *((name, Value(c._kind, c._data)) for name, c in columns_of(task.grid))]), null())


def _part(x: Value, rows: Value) -> Value:
    found: Value = taken(x, rows, ALL, drop=False)
    return found


def _part_of(y: Value, rows: Value) -> Value:
    found: Value = taken(y, rows)
    return Value(found._kind, found._data, marks_of(found))


def grown(task: Task, x: Value, y: Value, row: Value, call: str | None = None) -> Value:
    """Return one fit."""
    try:
        return task.how.grow(x, y, row, task.dots, call)
    except RError as error:
        raise NotMovedError(f"a fit of train() that fails: {error}") from None


def predicted(found: Value, y: Value) -> Value:
    """Return predictions as caret keeps them: classes as a factor with the levels of `y`."""
    if not is_factor(y):
        return Value(found._kind, found._data)
    bare = Value(found._kind, found._data, marks_of(found))
    return factor(coerced(bare, "character"), levels=strings(factor_levels(y)), ordered=inherits(y, "ordered"))


def _final_resample(task: Task, best: Value, resample: Value) -> Value:
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


def _kept(task: Task, best: Value, predictions: Value) -> Value:
    if is_null(predictions) or not _only_final(task):
        return predictions
    return merge(best, predictions)


def _only_final(task: Task) -> bool:
    return text(task.control[["savePredictions"]]) == "final"


def not_searched(task: Task) -> Found:
    """Return the only parameters there are, and no results."""
    _draw_for_summary(task)
    empty = [(name, Value("double", np.zeros(0))) for name in task.measures]
    empty += [(name, Value(c._kind, c._data[:0])) for name, c in columns_of(task.grid)]
    return Found(frame_from(empty), task.grid, task.measures, null(), null(), null())
