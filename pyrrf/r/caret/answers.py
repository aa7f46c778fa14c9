"""Functions of a fit of train(): predictions, importances, and the text of print()."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pyrrf.r.base.chance import runif
from pyrrf.r.base.frames import as_data_frame, data_frame, make_frame, row_ids
from pyrrf.r.base.joining import merge
from pyrrf.r.base.ordering import order, rank
from pyrrf.r.caret.formula import new_predictors
from pyrrf.r.caret.methods import METHODS
from pyrrf.r.caret.search import as_predictions, columns_of
from pyrrf.r.forests.answers import importance
from pyrrf.r.forests.predictions import predict
from pyrrf.r.formatting.formats import Style
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.printing.tables import print_data_frame
from pyrrf.r.values.arguments import text
from pyrrf.r.values.coercion import one
from pyrrf.r.values.errors import NotSupportedError, refuse, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, r_function
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_null
from pyrrf.r.values.labels import dim_of, dimnames_of, known_names, names_of, row_count
from pyrrf.r.values.options import option
from pyrrf.r.values.vector import Value, doubles, integers, list_of, objects, strings

# ---- predictions ---------------------------------------------------------------------------------


def predict_train(object: Value, newdata: Value | None, type: str) -> Value:
    """Return the predictions of the last fit of train(): classes, probabilities or numbers."""
    refuse_if(not is_null(object[["preProcess"]]), "predict() of a fit of train() with preProcess")
    stop_if(type not in ("raw", "prob"), 'type must be either "raw" or "prob"')
    new, fit, levels = _new_data(object, newdata), object[["finalModel"]], object[["levels"]]
    if new is not None:
        wanted = set(fit[["xNames"]]._data)
        places = [j + 1 for j, name in enumerate(dimnames_of(new)[1] or []) if name in wanted]
        new = taken(new, ALL, integers(places), drop=False)
    predictions = predict(fit, new, "prob" if type == "prob" else None)
    if type == "prob":
        out: Value = taken(as_data_frame(predictions), ALL, strings(levels._data), drop=False)
        return out
    if not is_factor(predictions):
        return predictions
    kinds = ["ordered", "factor"] if levels._attributes["ordered"]._data[0] else ["factor"]
    return as_predictions(predictions, integers([], {"levels": strings(levels._data), "class": strings(kinds)}))


def _new_data(fit: Value, data: Value | None) -> Value | None:
    """Return the predictors to predict for: the training data without new data, except out of bag."""
    by_formula = inherits(fit, "train.formula")
    if data is None:
        if text(fit[["control"]][["method"]]) == "oob":
            return None
        frame = fit[["trainingData"]]
        stop_if(is_null(frame), "please specify data via newdata")
        names = [name for name in known_names(frame) if name != ".outcome"]
        data = taken(frame, ALL, strings(names), drop=False)
        # Only numeric predictors are stored as the formula has them.
        by_formula = by_formula and (len(fit[["xlevels"]]) > 0 or any(c._kind == "logical" for c in data._data))
    return new_predictors(fit, data) if by_formula else data


@r_function()
def getTrainPerf(x: Value) -> Value:
    """Return the measures of the best parameters of train(), and the method."""
    best = merge(x[["results"]], x[["bestTune"]])
    names = [name for name in known_names(best) if name in set(x[["perfNames"]]._data)]
    columns = [*(best[[name]] for name in names), x[["method"]]]
    return make_frame(columns, [*(f"Train{name}" for name in names), "method"], row_ids(1))


# ---- importances ---------------------------------------------------------------------------------


@r_function(unsupported="useModel named")
def varImp(
    object: Value, useModel: object = True, nonpara: object = True, scale: Flag = True, **named: object
) -> Value:
    """Return the importance of the predictors of a fit of train(), or of a forest."""
    if not inherits(object, "train"):
        return _importances(object, scale)
    importances = _importances(object[["finalModel"]])
    values = np.array([column._data for column in importances._data])
    if scale:
        values = values - np.nanmin(values)
        values = values / np.nanmax(values) * 100
    scaled = Value("list", objects(map(doubles, values)), importances._attributes)
    return list_of([scaled, object[["method"]], "varImp"], ["importance", "model", "calledFrom"], "varImp.train")


def _importances(fit: Value, scale: bool = True) -> Value:
    """Return the importances as caret takes them from a forest: of all classes, or the first measure."""
    measures = importance(fit, scale=scale)
    names = dimnames_of(measures)[1] or []
    levels = [] if text(fit[["type"]]) == "regression" else factor_levels(fit[["y"]])
    if levels and set(levels) <= set(names):
        columns = as_data_frame(taken(measures, ALL, strings(levels), drop=False))
        if len(levels) == 2:
            mean = (columns._data[0]._data + columns._data[1]._data) / 2
            columns = Value("list", objects([doubles(mean), doubles(mean)]), columns._attributes)
        return columns
    first = "%IncMSE" if not levels and "%IncMSE" in names else names[0]
    column = taken(measures, ALL, strings([str(first)]), drop=True)
    refuse_if(names_of(column) is None, "varImp() of one predictor")
    return data_frame(Overall=column)


# ---- print() -------------------------------------------------------------------------------------


def print_train(x: Value, usual: Style, changes: Mapping[str, int], more: Mapping[str, object]) -> str:
    """Return the text of print() for a fit of train()."""
    if more or set(changes) - {"digits"}:
        refuse("print() of a fit of train() with further arguments")
    if not is_null(x[["preProcess"]]) or text(x[["method"]]) not in METHODS:
        raise NotSupportedError("print() of a fit of train() with preProcess, or by another package")
    lines = [METHODS[text(x[["method"]])].label + " ", "", *_sizes(x), "No pre-processing"]
    if _has(x[["control"]], "index"):
        lines += _resamples(x[["control"]])
    if text(x[["control"]][["method"]]) != "none":
        lines += _results(x, changes.get("digits"))
    return "\n".join(lines)


def _has(x: Value, name: str) -> bool:
    return name in known_names(x) and not is_null(x[[name]])


def _sizes(x: Value) -> list[str]:
    if not _has(x, "trainingData"):
        return []
    n, p = dim_of(x[["trainingData"]]) or (0, 0)
    levels = list(x[["levels"]]._data) if text(x[["modelType"]]) == "Classification" else []
    rows, columns, classes = map(str, formatted(integers([n, p - 1, len(levels)]))._data)
    # As caret does, compare a text with 1.
    lines = [f"{rows} samples", f"{columns} predictor{'s' if strings(columns) > 1 else ''}"]
    if levels:
        named = ", ".join(f"'{level}'" for level in levels)
        lines.append(f"{classes} classes: {named} ")
    return [*lines, ""]


def _resamples(control: Value) -> list[str]:
    sizes = [str(len(rows)) for rows in control[["index"]]._data]
    # A setting that the resampling method lacks is NA.
    number, repeats = (one(control[[name]], "character") for name in ("number", "repeats"))
    kind = text(control[["method"]])
    share = text(np.round(control[["p"]]._data[0] * 100, 1))
    description = {
        "cv": f"Cross-Validated ({number} fold)",
        "repeatedcv": f"Cross-Validated ({number} fold, repeated {repeats} times)",
        "boot": f"Bootstrapped ({len(sizes)} reps)",
        "LGOCV": f"Repeated Train/Test Splits Estimated ({len(sizes)} reps, {share}%)",
        "LOOCV": "Leave-One-Out Cross-Validation",
        "none": "None",
    }[kind]
    lines = [f"Resampling: {description} "]
    if kind != "none":
        sizes_in_text = [*sizes[:6], "..."] if len(sizes) > 5 else sizes
        lines.append(f"Summary of sample sizes: {', '.join(sizes_in_text)} ")
    return lines


def _results(x: Value, digits: int | None) -> list[str]:
    results, best = x[["results"]], x[["bestTune"]]
    params = known_names(best)
    several = row_count(results) > 1
    lines = ["Resampling results" + (" across tuning parameters" if several else "") + ":", ""]
    if several:
        results = merge(results, results[strings(params)])
    left = [name for name in known_names(results) if not name.endswith("SD")]
    results = taken(results, ALL, strings(left), drop=False)
    constant = [name for name in params if len(set(results[[name]]._data.tolist())) < 2]
    held = [
        f"Tuning parameter '{name}' was held constant at a value of {formatted(results[[name]][1])._data[0]}"
        for name in constant
    ]
    columns = [name for name in known_names(results) if name not in constant]
    keys = [results[[name]] for name in columns if name in params]
    results = taken(results, order(*keys) if keys else ALL, strings(columns), drop=False)
    lines += _grid_lines(results, digits)
    lines.append("")
    if held:
        lines.append(_wrap_text("\n".join(held)))
    if several:
        which = f"the {'largest' if x[['maximize']]._data[0] else 'smallest'} value."
        if text(x[["control"]][["selectionFunction"]]) == "oneSE":
            which = " the one SE rule."
        lines.append(_wrap_text(f"{text(x[['metric']])} was used to select the optimal model using {which}"))
        lines.append(_wrap_text(_best_text(best, digits)))
    return lines


def _best_text(best: Value, digits: int | None) -> str:
    *first, last = [f"{name} = {formatted(c, digits=digits)._data[0]}" for name, c in columns_of(best)]
    if not first:
        return f"The final value used for the model was {last}."
    return f"The final values used for the model were {', '.join(first)} and {last}."


def _grid_lines(frame: Value, digits: int | None) -> list[str]:
    """Return a data frame as print() shows a matrix of strings without quotes, two blanks between."""
    texts = [[name, *map(str, formatted(column, digits=digits)._data)] for name, column in columns_of(frame)]
    widths = [max(map(len, column)) for column in texts]
    refuse_if(sum(widths) + 2 * len(widths) > int(option("width", 80)), "print() of results wider than a line")
    rows = zip(*texts, strict=True)
    return ["".join("  " + cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _wrap_text(line: str) -> str:
    """Wrap a text at the width of the console, as caret does."""
    width = int(option("width", 80))
    if len(line) <= width:
        return line
    out = [line]
    while any(len(piece) > width for piece in out):
        last = out[-1]
        spaces = [position for position, letter in enumerate(last[:width]) if letter.isspace()]
        refuse_if(len(spaces) < 2, "print() of a text of train() without blanks")
        stop = spaces[-2]
        pieces = [last[:stop], last[stop:]]
        out = pieces if len(out) == 1 else [out[0], *pieces]
    return "\n".join(out)


def _ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of values, the largest first; caret draws the order of equal ones."""
    ranks = rank(doubles(-values))._data.copy()
    for tied in np.unique(ranks):
        same = np.flatnonzero(ranks == tied)
        if len(same) > 1:
            ranks[same] = tied + runif(len(same), 0.001, 0.999)._data
    return ranks


def print_varImp_train(x: Value, usual: Style, changes: Mapping[str, object], more: Mapping[str, object]) -> str:
    """Return the text of print() for the importances of a fit of train()."""
    table = x[["importance"]]
    values = np.array([column._data for column in table._data])
    n = values.shape[1]
    top = min(20, n)
    places = order(doubles(_ranks(values.max(axis=0))))._data[:top]
    lines = [f"{text(x[['model']])} variable importance", ""]
    if len(table) > 2:
        lines.append("  variables are sorted by maximum importance across the classes")
    if top < n:
        lines += [f"  only {top} most important variables shown (out of {n})", ""]
    top_rows = taken(table, integers(places), ALL, drop=False)
    if len(table) == 2:
        top_rows = taken(top_rows, ALL, integers(1), drop=False)
        top_rows = Value("list", top_rows._data, top_rows._attributes | {"names": strings("Importance")})
    return "\n".join([*lines, print_data_frame(top_rows, replace(usual, digits=4), {"digits": 4}, {})])
