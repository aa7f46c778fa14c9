"""What caret computes from a fit of train(): predictions, importances, and the text of print()."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pyrrf.r.base.chance import runif
from pyrrf.r.base.frames import as_data_frame, counted, data_frame, framed
from pyrrf.r.base.joining import merge
from pyrrf.r.base.ordering import order, rank
from pyrrf.r.caret.formula import new_predictors
from pyrrf.r.caret.methods import METHODS
from pyrrf.r.caret.search import predicted
from pyrrf.r.forests.answers import importance
from pyrrf.r.forests.predictions import predict
from pyrrf.r.formatting.formats import Style
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.indexing.subscripts import ALL, taken
from pyrrf.r.printing.tables import print_data_frame
from pyrrf.r.values.arguments import flag, text
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    factor_levels,
    inherits,
    is_factor,
    known_names,
    names_of,
    row_count,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.options import option
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    refuse,
    strings,
)


def _has(x: Value, name: str) -> bool:
    return name in known_names(x) and not is_null(x[[name]])


def predict_train(object: Value, newdata: Any = None, type: Any = "raw") -> Value:
    """Return the predictions of the last fit of train(): classes, probabilities or numbers."""
    kind = text(type)
    if not is_null(object[["preProcess"]]):
        raise NotMovedError("predict() of a fit of train() with preProcess")
    if kind not in ("raw", "prob"):
        raise RError('type must be either "raw" or "prob"')
    new = _new_data(object, newdata)
    fit = object[["finalModel"]]
    if new is not None:
        names = dimnames_of(new)[1] or []
        wanted = set(fit[["xNames"]]._data)
        at = integers([j + 1 for j, name in enumerate(names) if name in wanted])
        new = taken(new, ALL, at, drop=False)
    if kind == "prob":
        found = as_data_frame(predict(fit, type="prob") if new is None else predict(fit, new, type="prob"))
        out: Value = taken(found, ALL, strings(object[["levels"]]._data), drop=False)
        return out
    found = predict(fit) if new is None else predict(fit, new)
    return predicted(found, _outcome(object)) if is_factor(found) else found


def _outcome(object: Value) -> Value:
    levels = object[["levels"]]
    ordered = bool(levels._attributes["ordered"]._data[0])
    names = strings(["ordered", "factor"] if ordered else ["factor"])
    return Value("integer", np.zeros(0), {"levels": strings(levels._data), "class": names})


def _new_data(object: Value, newdata: Any) -> Value | None:
    """Return the predictors to predict for: of the training data without new ones, except out of bag."""
    given = as_value(newdata)
    if is_null(given) and text(object[["control"]][["method"]]) == "oob":
        return None
    if is_null(given):
        frame = object[["trainingData"]]
        if is_null(frame):
            raise RError("please specify data via newdata")
        names = [name for name in known_names(frame) if name != ".outcome"]
        given = taken(frame, ALL, strings(names), drop=False)
        if inherits(object, "train.formula") and len(object[["xlevels"]]) + _logicals(given):
            return new_predictors(object, given)
        return given
    if inherits(object, "train.formula"):
        return new_predictors(object, given)
    return given


def _logicals(frame: Value) -> int:
    return sum(column._kind == "logical" for column in frame._data)


def getTrainPerf(x: Any) -> Value:
    """Return the measures of the best parameters of train(), and the method."""
    fit = as_value(x)
    found = merge(fit[["results"]], fit[["bestTune"]])
    kept = [name for name in known_names(found) if name in set(fit[["perfNames"]]._data)]
    columns = [found[[name]] for name in kept]
    return framed([*columns, fit[["method"]]], [*(f"Train{name}" for name in kept), "method"], counted(1))


# ---- importances ---------------------------------------------------------------------------------


def varImp(object: Any, useModel: Any = True, nonpara: Any = True, scale: Any = True, **named: Any) -> Value:
    """Return the importance of the predictors of a fit of train(), or of a forest."""
    given = as_value(object)
    if named or not flag(useModel):
        raise NotMovedError("varImp() with these arguments")
    if not inherits(given, "train"):
        return _importances(given)
    found = _importances(given[["finalModel"]])
    values = np.array([column._data for column in found._data])
    if flag(scale):
        values = values - np.nanmin(values)
        values = values / np.nanmax(values) * 100
    columns = [doubles(line) for line in values]
    scaled = Value("list", found._data.copy(), found._attributes)
    scaled._data[:] = columns
    about = {"class": strings("varImp.train")}
    made = listed([scaled, given[["method"]], strings("varImp")], ["importance", "model", "calledFrom"])
    return Value("list", made._data, made._attributes | about)


def _importances(fit: Value) -> Value:
    """Return the importances as caret takes them from a forest: of all classes, or the first measure."""
    measures = importance(fit)
    names = dimnames_of(measures)[1] or []
    levels = [] if text(fit[["type"]]) == "regression" else factor_levels(fit[["y"]])
    if levels and set(levels) <= set(names):
        found = as_data_frame(taken(measures, ALL, strings(levels), drop=False))
        if len(levels) == 2:
            mean = (found._data[0]._data + found._data[1]._data) / 2
            found = Value("list", found._data.copy(), found._attributes)
            found._data[:] = [doubles(mean), doubles(mean)]
        return found
    first = "%IncMSE" if not levels and "%IncMSE" in names else names[0]
    column = taken(measures, ALL, strings([str(first)]), drop=True)
    if names_of(column) is None:
        raise NotMovedError("varImp() of one predictor")
    return data_frame(Overall=column)


# ---- print() -------------------------------------------------------------------------------------


def train_text(x: Value, digits: int | None = None) -> str:
    """Return what print() shows of a fit of train(); `digits` are for its numbers."""
    if not is_null(x[["preProcess"]]) or text(x[["method"]]) not in METHODS:
        raise NotMovedError("print() of a fit of train() with preProcess, or by another package")
    lines = [METHODS[text(x[["method"]])].label + " ", "", *_sizes(x), "No pre-processing"]
    if _has(x[["control"]], "index"):
        lines += _resamples(x)
    if text(x[["control"]][["method"]]) != "none":
        lines += _results(x, digits)
    return "\n".join(lines)


def _sizes(x: Value) -> list[str]:
    if not _has(x, "trainingData"):
        return []
    data = x[["trainingData"]]
    n, p = dim_of(data) or (0, 0)
    classes = text(x[["modelType"]]) == "Classification"
    levels = [str(level) for level in x[["levels"]]._data] if classes else []
    counts = [str(c) for c in formatted(integers([n, p - 1, *([len(levels)] if classes else [])]))._data]
    many = flag(strings(counts[1]) > 1)
    lines = [f"{counts[0]} samples", f"{counts[1]} predictor{'s' if many else ''}"]
    if classes:
        named = ", ".join(f"'{level}'" for level in levels)
        lines.append(f"{counts[2]} classes: {named} ")
    return [*lines, ""]


def _resamples(x: Value) -> list[str]:
    control = x[["control"]]
    sizes = [str(len(part)) for part in control[["index"]]._data]
    number, repeats = (_number(control[[name]]) for name in ("number", "repeats"))
    kind = text(control[["method"]])
    share = _number(doubles(np.round(control[["p"]]._data[0] * 100, 1)))
    told = {
        "cv": f"Cross-Validated ({number} fold)",
        "repeatedcv": f"Cross-Validated ({number} fold, repeated {repeats} times)",
        "boot": f"Bootstrapped ({len(sizes)} reps)",
        "LGOCV": f"Repeated Train/Test Splits Estimated ({len(sizes)} reps, {share}%)",
        "LOOCV": "Leave-One-Out Cross-Validation",
        "none": "None",
    }[kind]
    lines = [f"Resampling: {told} "]
    if kind != "none":
        shown = [*sizes[:6], "..."] if len(sizes) > 5 else sizes
        lines.append(f"Summary of sample sizes: {', '.join(shown)} ")
    return lines


def _number(x: Value) -> str:
    return str(coerced(x, "character")._data[0])


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
        for name in params
        if name in constant
    ]
    shown = [name for name in known_names(results) if name not in constant]
    keys = [results[[name]] for name in shown if name in params]
    results = taken(results, order(*keys) if keys else ALL, strings(shown), drop=False)
    lines += _grid_lines(results, digits)
    lines.append("")
    if held:
        lines.append(_broken("\n".join(held)))
    if several:
        which = f"the {'largest' if x[['maximize']]._data[0] else 'smallest'} value."
        if text(x[["control"]][["selectionFunction"]]) == "oneSE":
            which = " the one SE rule."
        lines.append(_broken(f"{text(x[['metric']])} was used to select the optimal model using {which}"))
        lines.append(_broken(_chosen(best, digits)))
    return lines


def _chosen(best: Value, digits: int | None) -> str:
    params = known_names(best)
    values = [f"{name} = {formatted(best[[name]], digits=digits)._data[0]}" for name in params]
    if len(values) > 2:
        values = [*(f"{value}," for value in values[:-2]), f"{values[-2]} and", values[-1]]
        joined = " ".join(values)
    else:
        joined = " and ".join(values)
    return f"The final {'values' if len(params) > 1 else 'value'} used for the model {_were(params)} {joined}."


def _were(params: list[str]) -> str:
    return "were" if len(params) > 1 else "was"


def _grid_lines(frame: Value, digits: int | None) -> list[str]:
    """Return a data frame as print() shows a matrix of strings without quotes, two blanks between."""
    texts = [[str(name), *map(str, formatted(frame[[name]], digits=digits)._data)] for name in known_names(frame)]
    widths = [max(map(len, column)) for column in texts]
    if sum(widths) + 2 * len(widths) > int(option("width", 80)):
        raise NotMovedError("print() of results of train() that are wider than a line")
    rows = zip(*texts, strict=True)
    return ["".join("  " + cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _broken(line: str) -> str:
    """Return a text in lines that are no longer than the console, as caret breaks them."""
    width = int(option("width", 80))
    if len(line) <= width:
        return line
    out = [line]
    while any(len(part) > width for part in out):
        last = out[-1]
        spaces = [at for at, letter in enumerate(last[:width]) if letter.isspace()]
        if len(spaces) < 2:
            raise NotMovedError("print() of a text of train() without blanks")
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


def _importance_lines(x: Value) -> tuple[list[str], Value]:
    """Return what print() shows of the importances of a fit of train(): lines, and a data frame below them."""
    table = x[["importance"]]
    values = np.array([column._data for column in table._data])
    n = values.shape[1]
    top = min(20, n)
    at = order(doubles(_ranks(values.max(axis=0))))._data[:top]
    lines = [f"{text(x[['model']])} variable importance", ""]
    if len(table) > 2:
        lines.append("  variables are sorted by maximum importance across the classes")
    if top < n:
        lines += [f"  only {top} most important variables shown (out of {n})", ""]
    shown = taken(table, integers(at), ALL, drop=False)
    if len(table) == 2:
        shown = taken(shown, ALL, integers(1), drop=False)
        shown = Value("list", shown._data, shown._attributes | {"names": strings("Importance")})
    return lines, shown


def print_train(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of a fit of train()."""
    if more or set(changes) - {"digits"}:
        refuse("print() of a fit of train() with further arguments")
    return train_text(x, changes.get("digits"))


def print_varImp_train(x: Value, usual: Style, changes: dict[str, Any], more: dict[str, Any]) -> str:
    """Return what print() shows of the importances of a fit of train()."""
    head, table = _importance_lines(x)
    return "\n".join([*head, print_data_frame(table, replace(usual, digits=4), {"digits": 4}, {})])
