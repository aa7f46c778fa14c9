"""predict() of a forest: R's vectors, matrices and lists."""

from __future__ import annotations

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.checks import warn
from pyrrf.data.match import CodedMatrix
from pyrrf.r.forests.fits import fit_of, has_missing, is_fit, part, vector_of
from pyrrf.r.stats.predictors import call_port, table_of
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.coercion import cells_of
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.kinds import classes, inherits
from pyrrf.r.values.labels import dim_of, matrix_of
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import Value, doubles, integers, list_of, null, strings
from pyrrf.rbase.numbers import label
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.result.predict import Prediction
from pyrrf.result.result import ForestResult, VotesResult, to_shares

_TYPES = ("response", "prob", "vote", "class")
_WRONG_SIZE = "number of variables in newdata does not match that in the training data"
_OF_VOTES = ["matrix", "array", "votes"]


@r_function(does="draws")
def predict(
    object: Value,
    newdata: Value | None = None,
    type: Text | None = None,
    norm_votes: Flag = True,
    predict_all: object = False,
    proximity: Flag = False,
    nodes: object = False,
    cutoff: Value | None = None,
    *dots: object,
    **ignored: object,
) -> Value:
    """Predict with a forest: R's ``predict``; other models are not supported."""
    of_class = method("predict", classes(object))
    if of_class is not None:
        predictions: Value = of_class(object, newdata, type or "raw")
        return predictions
    if not is_fit(object):
        raise NotSupportedError("predict() of something else than a fit of RRF() or randomForest()")
    fit = fit_of(object)
    if fit.forest is None:
        raise RError("No forest component in the object")
    kind = _kind("response" if type is None else type)
    regression = fit.type == "regression"
    if kind != "response" and regression:
        raise RError("'prob' or 'vote' not meaningful for regression")
    shares = norm_votes or kind == "prob"
    if newdata is None:
        return _out_of_bag(object, kind, shares, proximity, regression)
    if fit.type == "unsupervised":
        raise RError("Can't predict unsupervised forest.")
    values, rows = _table(newdata, fit)
    wants = {"predict_all": flag(predict_all), "proximity": proximity, "nodes": flag(nodes)}
    answer = call_port(pyrrf.predict, fit, values, kind, shares, **wants, cutoff=vector_of(cutoff))
    levels = [label(level) for level in fit.classes] if isinstance(fit, VotesResult) else None
    return _prediction_value(answer if isinstance(answer, Prediction) else Prediction(answer), rows, levels)


def _kind(word: str) -> str:
    matches = [name for name in _TYPES if name.startswith(word.lower())]
    if len(matches) != 1:
        raise RError("type must be one of 'response', 'prob', 'vote'")
    return "response" if matches[0] == "class" else matches[0]


# ---- out of bag ----------------------------------------------------------------------------------


def _out_of_bag(fit: Value, kind: str, shares: bool, proximity: bool, regression: bool) -> Value:
    omitted = part(fit, "na.action")
    if omitted is not None and inherits(omitted, "exclude"):
        raise NotSupportedError("predict() without newdata of a fit with na.exclude")
    predicted = part(fit, "predicted")
    answer = null() if predicted is None else predicted.copy()
    if regression:
        return answer
    if kind != "response":
        votes = part(fit, "votes")
        if votes is None:
            raise NotSupportedError("predict() of a fit without votes")
        answer = _shares(votes) if shares else votes.copy()
    if not proximity:
        return answer
    near = part(fit, "proximity")
    if near is None:
        warn("cannot return proximity without new data if random forest object does not already have proximity")
    return list_of([answer, near], ["pred", "proximity"])


def _shares(votes: Value) -> Value:
    about = {name: votes._attributes[name] for name in ("dim", "dimnames")}
    return doubles(to_shares(cells_of(votes)).ravel(order="F"), about | {"class": strings(_OF_VOTES)})


# ---- new data ------------------------------------------------------------------------------------


def _table(newdata: Value, fit: ForestResult) -> tuple[np.ndarray | pd.DataFrame | CodedMatrix, list[str]]:
    """Return new data for pyrrf, and R's names of the rows."""
    if dim_of(newdata) is None:
        return _row(newdata, fit), ["1"]
    table = table_of(newdata, "newdata")
    if fit.terms is None:
        if not table.labels:
            raise RError("newdata has 0 rows")
        if has_missing(newdata):
            raise RError("missing values in newdata")
        if table.columns is None and table.values.shape[1] != len(fit.columns):
            raise RError(_WRONG_SIZE)
        if table.columns is not None and fit.named and not set(map(str, fit.columns)) <= set(map(str, table.columns)):
            raise RError("variables in the training data missing in newdata")
    codes = CodedMatrix(table.values) if fit.terms is None and not table.frame else table.values
    return codes, table.labels


def _row(newdata: Value, fit: ForestResult) -> CodedMatrix:
    """Return a vector as the only row of new data."""
    if fit.terms is not None or newdata._kind == "list":
        raise NotSupportedError("predict() with newdata that is neither a data frame nor a matrix")
    if newdata._kind == "character":
        raise NotSupportedError("predict() with newdata of text")
    if has_missing(newdata):
        raise RError("missing values in newdata")
    if len(newdata) != len(fit.columns):
        raise RError(_WRONG_SIZE)
    return CodedMatrix(newdata._data.reshape(1, -1))


def _prediction_value(prediction: Prediction, rows: list[str], levels: list[str] | None) -> Value:
    """Return R's value of predict() for new rows, with nodes, proximity and single trees if requested."""
    out, complete = _values(prediction.predicted, rows, levels)
    if prediction.individual is not None and levels is not None:
        trees = prediction.individual.to_numpy(dtype=object)
        out = list_of([out, matrix_of("character", trees, (complete, None))], ["aggregate", "individual"])
    elif prediction.individual is not None and prediction.proximity is None:
        out = list_of([out, _matrix(prediction.individual, rows, None)], ["aggregate", "individual"])
    if prediction.proximity is not None:
        out = list_of([out, _matrix(prediction.proximity, complete, complete)], ["predicted", "proximity"])
    if prediction.nodes is not None:
        nodes = _matrix(prediction.nodes, complete, [str(k + 1) for k in range(prediction.nodes.shape[1])], "integer")
        out = Value(out._kind, out._data, out._attributes | {"nodes": nodes})
    return out


def _values(guesses: pd.Series | pd.DataFrame, rows: list[str], levels: list[str] | None) -> tuple[Value, list[str]]:
    """Return numbers, classes or shares of votes, and the names of the rows that have no gaps."""
    if levels is None:
        return doubles(_with_na(guesses.to_numpy(dtype=np.float64)), {"names": strings(rows)}), rows
    if isinstance(guesses, pd.DataFrame):
        gaps = np.isnan(guesses.to_numpy(dtype=np.float64)).all(axis=1)
        votes = _matrix(guesses, rows, levels)
        out = Value("double", votes._data, votes._attributes | {"class": strings(_OF_VOTES)})
    else:
        codes = np.asarray(guesses.cat.codes, dtype=np.float64)
        gaps = codes < 0
        labels = [None if gap else row for row, gap in zip(rows, gaps, strict=True)]
        about = {"levels": strings(levels), "class": strings("factor"), "names": strings(labels)}
        out = integers(np.where(gaps, np.nan, codes + 1), about)
    return out, [row for row, gap in zip(rows, gaps, strict=True) if not gap]


def _with_na(values: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(values), REAL_NA, values)


def _matrix(table: pd.DataFrame, rows: list[str], columns: list[str] | None, kind: str = "double") -> Value:
    return matrix_of(kind, _with_na(table.to_numpy(dtype=np.float64)), (rows, columns))
