"""predict() of a forest: R's vectors, matrices and lists."""

from __future__ import annotations

from typing import Any

import numpy as np

import pyrrf
from pyrrf.checks import warn
from pyrrf.r.forests.fits import fit_of, has_missing, is_fit, part, vector_of
from pyrrf.r.stats.predictors import asked, table_of
from pyrrf.r.values.arguments import flag, text
from pyrrf.r.values.attributes import classes, dim_of, dimnames_value, inherits, is_frame
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    listed,
    null,
    strings,
)
from pyrrf.rbase.numbers import label
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.result.predict import Prediction
from pyrrf.result.result import normalised

_TYPES = ("response", "prob", "vote", "class")


@r_function(draws=True)
def predict(
    object: Any,
    newdata: Any = None,
    type: Any = None,
    norm_votes: Any = True,
    predict_all: Any = False,
    proximity: Any = False,
    nodes: Any = False,
    cutoff: Any = None,
    *dots: Any,
    **ignored: Any,
) -> Value:
    """Predict with a forest: R's ``predict``; other models are not moved."""
    of_class = method("predict", classes(object))
    if of_class is not None:
        return of_class(object, newdata, "raw" if is_null(type) else type)
    if not is_fit(object):
        raise NotMovedError("predict() of something else than a fit of RRF() or randomForest()")
    known = fit_of(object)
    if known.forest is None:
        raise RError("No forest component in the object")
    kind = _kind("response" if is_null(type) else text(type))
    regression = known.type == "regression"
    if kind != "response" and regression:
        raise RError("'prob' or 'vote' not meaningful for regression")
    shares = flag(norm_votes) or kind == "prob"
    if is_null(newdata):
        return _out_of_bag(object, kind, shares, flag(proximity), regression)
    if known.type == "unsupervised":
        raise RError("Can't predict unsupervised forest.")
    wants = {"predict_all": flag(predict_all), "proximity": flag(proximity), "nodes": flag(nodes)}
    return _new(known, as_value(newdata), kind, shares, wants, as_value(cutoff))


def _kind(given: str) -> str:
    found = [name for name in _TYPES if name.startswith(given.lower())]
    if len(found) != 1:
        raise RError("type must be one of 'response', 'prob', 'vote'")
    return "response" if found[0] == "class" else found[0]


# ---- out of bag ----------------------------------------------------------------------------------


def _out_of_bag(fit: Value, kind: str, shares: bool, proximity: bool, regression: bool) -> Value:
    gone = part(fit, "na.action")
    if gone is not None and inherits(gone, "exclude"):
        raise NotMovedError("predict() without newdata of a fit with na.exclude")
    predicted = part(fit, "predicted")
    found = null() if predicted is None else predicted.copy()
    if regression:
        return found
    if kind != "response":
        votes = part(fit, "votes")
        if votes is None:
            raise NotMovedError("predict() of a fit without votes")
        found = _shares(votes) if shares else votes.copy()
    if not proximity:
        return found
    near = part(fit, "proximity")
    if near is None:
        warn("cannot return proximity without new data if random forest object does not already have proximity")
    return listed([found, near], ["pred", "proximity"])


def _shares(votes: Value) -> Value:
    shape = dim_of(votes) or (0, 0)
    values = normalised(votes._data.reshape(shape, order="F").astype(np.float64))
    about = {
        "dim": integers(shape),
        "dimnames": votes._attributes["dimnames"],
        "class": strings(["matrix", "array", "votes"]),
    }
    return Value("double", values.ravel(order="F"), about)


# ---- new data ------------------------------------------------------------------------------------


def _new(known: Any, newdata: Value, kind: str, shares: bool, wants: dict[str, bool], cutoff: Value) -> Value:
    given, rows = _table(newdata, known)
    limits = None if is_null(cutoff) else vector_of(cutoff)
    found = asked(pyrrf.predict, known, given, kind, shares, **wants, cutoff=limits)
    whole = found if isinstance(found, Prediction) else Prediction(found)
    if known.type == "regression":
        return _numbers(whole, rows, wants)
    return _labels(whole, rows, wants, [label(level) for level in known.classes], kind)


def _table(newdata: Value, fit: Any) -> tuple[Any, list[str]]:
    """Return new data for pyrrf, and R's names of the rows."""
    of_formula = fit.terms is not None
    if is_frame(newdata) or dim_of(newdata) is not None:
        table = table_of(newdata, "newdata")
        if not of_formula and not table.labels:
            raise RError("newdata has 0 rows")
        if not of_formula and has_missing(newdata):
            raise RError("missing values in newdata")
        _check_columns(table.columns, table.values.shape[1], fit)
        return table.values, table.labels
    if of_formula or newdata._kind == "list":
        raise NotMovedError("predict() with newdata that is neither a data frame nor a matrix")
    if newdata._kind == "character":
        raise NotMovedError("predict() with newdata of text")
    if has_missing(newdata):
        raise RError("missing values in newdata")
    if len(newdata) != len(fit.columns):
        raise RError("number of variables in newdata does not match that in the training data")
    return newdata._data.reshape(1, -1), ["1"]


def _check_columns(columns: list[str | None] | None, count: int, fit: Any) -> None:
    if fit.terms is not None:
        return
    if columns is None:
        if count != len(fit.columns):
            raise RError("number of variables in newdata does not match that in the training data")
    elif fit.named and not set(map(str, fit.columns)) <= set(map(str, columns)):
        raise RError("variables in the training data missing in newdata")


def _numbers(found: Any, rows: list[str], wants: dict[str, bool]) -> Value:
    values = found.predicted.to_numpy(dtype=np.float64)
    made: Value = Value("double", np.where(np.isnan(values), REAL_NA, values), {"names": strings(rows)})
    if wants["proximity"]:
        made = listed([made, _matrix(found.proximity, rows, rows)], ["predicted", "proximity"])
    elif wants["predict_all"]:
        made = listed([made, _matrix(found.individual, rows, None)], ["aggregate", "individual"])
    return _with_nodes(made, found, rows, wants)


def _labels(found: Any, rows: list[str], wants: dict[str, bool], classes: list[str], kind: str) -> Value:
    kept = rows
    if kind == "response":
        codes = np.asarray(found.predicted.cat.codes, dtype=np.float64)
        gaps = codes < 0
        kept = [row for row, gap in zip(rows, gaps, strict=True) if not gap]
        labels = [None if gap else row for row, gap in zip(rows, gaps, strict=True)]
        about = {"levels": strings(classes), "class": strings("factor"), "names": strings(labels)}
        made = Value("integer", np.where(gaps, np.nan, codes + 1), about)
    else:
        values = found.predicted.to_numpy(dtype=np.float64)
        kept = [row for row, gap in zip(rows, np.isnan(values).all(axis=1), strict=True) if not gap]
        made = _matrix(found.predicted, rows, classes)
        made._attributes["class"] = strings(["matrix", "array", "votes"])
    if wants["predict_all"]:
        flat = found.individual.to_numpy()
        trees = strings(
            flat.ravel(order="F"), {"dim": integers(flat.shape), "dimnames": dimnames_value([[*kept], None])}
        )
        made = listed([made, trees], ["aggregate", "individual"])
    if wants["proximity"]:
        made = listed([made, _matrix(found.proximity, kept, kept)], ["predicted", "proximity"])
    return _with_nodes(made, found, kept, wants)


def _with_nodes(made: Value, found: Any, rows: list[str], wants: dict[str, bool]) -> Value:
    if not wants["nodes"]:
        return made
    trees = [str(k + 1) for k in range(found.nodes.shape[1])]
    nodes = _matrix(found.nodes, rows, trees)
    return Value(made._kind, made._data, made._attributes | {"nodes": Value("integer", nodes._data, nodes._attributes)})


def _matrix(values: Any, rows: Any, columns: Any) -> Value:
    flat = np.asarray(values, dtype=np.float64)
    data = flat.ravel(order="F")
    about = {"dim": integers(flat.shape), "dimnames": dimnames_value([rows, columns])}
    return Value("double", np.where(np.isnan(data), REAL_NA, data), about)
