"""Predictions of a fit for new data or out of bag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import _core
from pyrrf import random as _random
from pyrrf._arguments import resolve_cutoff, resolve_flags
from pyrrf._checks import reject_unknown, warn
from pyrrf._fit import RRFClassification, RRFResult, class_index, normalised, one_based
from pyrrf._forest import Forest
from pyrrf._formula import Kept, read_new_data
from pyrrf._inputs import Factor, Predictors
from pyrrf._match import Training, match_new_data

_ARGUMENTS = ["object", "newdata", "type", "norm_votes", "predict_all", "proximity", "nodes", "cutoff"]
_TYPES = ("response", "prob", "vote", "class")


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predictions with what else was asked for.

    Attributes
    ----------
    predicted : Series or DataFrame
        What `predict` returns on its own; `aggregate` and `pred` are R's other names for it.
    individual : DataFrame or None
        Prediction of each tree, shape (n, ntree); trees are counted from 1.
    proximity : DataFrame or None
        Shape (n, n).
    nodes : DataFrame or None
        Leaf of each row in each tree, from 1, shape (n, ntree).
    """

    predicted: Any
    individual: pd.DataFrame | None = None
    proximity: pd.DataFrame | None = None
    nodes: pd.DataFrame | None = None

    @property
    def aggregate(self) -> Any:
        """The prediction of the forest."""
        return self.predicted

    @property
    def pred(self) -> Any:
        """The prediction of the forest."""
        return self.predicted


def predict(
    object: RRFResult,
    newdata: Any = None,
    type: str = "response",
    norm_votes: bool = True,
    predict_all: bool = False,
    proximity: bool = False,
    nodes: bool = False,
    cutoff: Any = None,
    **unknown: Any,
) -> Any:
    """Predict with a fitted forest (R's ``predict``).

    Ties are broken at random: as in CRAN RRF the draws come from the stream's memory, which they
    do not store.

    Parameters
    ----------
    object : RRFResult
        Fit with a forest.
    newdata : array_like, DataFrame or Series, optional
        Rows to predict; columns of a DataFrame are matched by name. Without it, the out-of-bag
        answer of the fit is returned. A fit from a formula computes its terms from the columns;
        rows in which one of them is missing get a missing prediction.
    type : str, default 'response'
        'response' (or 'class'), 'prob' or 'vote', or an abbreviation.
    norm_votes : bool, default True
        Whether votes are shares; counts otherwise.
    predict_all : bool, default False
        Whether to return the prediction of each tree too.
    proximity : bool, default False
        Whether to return the proximities of the rows too.
    nodes : bool, default False
        Whether to return the leaf of each row in each tree too.
    cutoff : array_like, dict or Series, shape (nclass,), optional
        As in `RRF`; that of the fit by default.
    **unknown
        Refused, with the nearest argument named.

    Returns
    -------
    Series, DataFrame or Prediction
        Categories with `type` 'response', else one column a class; with `predict_all`,
        `proximity` or `nodes` a `Prediction` that holds all that was asked for.

    Raises
    ------
    TypeError
        `object` is no fit, or an argument or a column has a wrong type.
    ValueError
        The fit has no forest, columns or levels do not match, or values are missing.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> fit = pyrrf.RRF(x, x[:, 0] > 0.5, ntree=25)
    >>> pyrrf.predict(fit, [[0.1, 0.5, 0.5, 0.5], [0.9, 0.5, 0.5, 0.5]]).tolist()
    [False, True]
    """
    reject_unknown("predict", unknown, _ARGUMENTS)
    kind = _match_type(type)
    wants = resolve_flags(norm_votes=norm_votes, predict_all=predict_all, proximity=proximity, nodes=nodes)
    if not isinstance(object, RRFResult):
        raise TypeError(f"object must be a fit that RRF() returned, not {object!r}")
    if object.forest is None:
        raise ValueError("object has no forest; fit with keep_forest=True")
    if not isinstance(object, RRFClassification):
        raise NotImplementedError(f"predict() does not know forests of type {object.type!r} yet")
    shares = wants["norm_votes"] or kind == "prob"
    if newdata is None:
        return _out_of_bag(object, kind, shares, wants["proximity"])
    if object.terms is None:
        return _predict_classes(object, object.forest, newdata, kind, shares, wants, cutoff)
    newdata, kept = read_new_data(object.terms, newdata)
    if len(newdata) == 0:
        return _all_missing(object, kind, wants, kept)
    return _spread(_predict_classes(object, object.forest, newdata, kind, shares, wants, cutoff), kept, object)


def _spread(result: Any, kept: Kept, fit: RRFResult) -> Any:
    """Return a prediction with missing values in the rows that were left out.

    As in R, what else was asked for has the kept rows only, except for the trees of a regression.
    """
    if not isinstance(result, Prediction):
        return kept.spread(result)
    individual = result.individual
    if fit.type == "regression" and individual is not None:
        individual = kept.spread(individual)
    return Prediction(kept.spread(result.predicted), individual, result.proximity, result.nodes)


def _all_missing(fit: RRFClassification, kind: str, wants: dict[str, bool], kept: Kept) -> Any:
    """Return the prediction of rows that all have missing values."""
    rows = kept.rows
    predicted: Any = pd.Series(np.nan, index=rows)
    if kind != "response":
        predicted = pd.DataFrame(np.nan, index=rows, columns=class_index(*fit.classes))
    elif fit.type != "regression":
        predicted = Factor(np.full(len(rows), -1, dtype=np.int32), fit.classes).series(rows)
    parts = ("predict_all", "proximity", "nodes")
    if not any(wants[part] for part in parts):
        return predicted
    none = pd.DataFrame(index=rows[:0], dtype=np.float64)
    return Prediction(predicted, *(none if wants[part] else None for part in parts))


def _match_type(type_: Any) -> str:
    """Return the type whose name starts with the given text; 'class' means 'response'."""
    if not isinstance(type_, str):
        raise TypeError(f"type must be 'response', 'prob' or 'vote', not {type_!r}")
    matches = [t for t in _TYPES if type_ and t.startswith(type_.lower())]
    if len(matches) != 1:
        raise ValueError(f"type must be 'response', 'prob' or 'vote', not {type_!r}")
    return "response" if matches[0] == "class" else matches[0]


def _out_of_bag(fit: RRFClassification, kind: str, shares: bool, proximity: bool) -> Any:
    """Return what R returns without new data."""
    predicted: Any = fit.predicted
    if kind != "response":
        predicted = fit.votes
        if shares:
            values = normalised(fit.votes.to_numpy())
            predicted = pd.DataFrame(values, index=fit.rows, columns=fit.votes.columns)
    if not proximity:
        return predicted
    if fit.proximity is None:
        warn("proximity without newdata needs a fit with proximity=True; None is returned for it")
    return Prediction(predicted, proximity=fit.proximity)


def _predict_classes(
    fit: RRFClassification,
    forest: Forest,
    newdata: Any,
    kind: str,
    shares: bool,
    wants: dict[str, bool],
    cutoff: Any,
) -> Any:
    limits = forest.cutoff if cutoff is None else resolve_cutoff(cutoff, fit.classes)
    training = Training(fit.columns, fit.named, forest.ncat, forest.coded, fit.quirks)
    table = match_new_data(newdata, training)
    raw = _core.predict_classification(
        forest.trees,
        forest.ncat,
        forest.nclass,
        table.values,
        limits,
        stream=_random._STREAM,
        predict_all=wants["predict_all"],
        proximity=wants["proximity"],
        nodes=wants["nodes"],
        quirks=fit.quirks,
    )
    predicted: Any
    if kind == "response":
        predicted = Factor(raw["predicted"], fit.classes).series(table.rows)
    else:
        votes = normalised(raw["votes"]) if shares else raw["votes"]
        predicted = pd.DataFrame(votes, index=table.rows, columns=class_index(*fit.classes))
    if not (wants["predict_all"] or wants["proximity"] or wants["nodes"]):
        return predicted
    return _with_parts(predicted, raw, table, forest.ntree, fit.classes)


def _with_parts(predicted: Any, raw: dict[str, Any], table: Predictors, ntree: int, classes: list[Any]) -> Prediction:
    individual, proximity, nodes = raw["individual"], raw["proximity"], raw["nodes"]
    rows, trees = table.rows, one_based(ntree)
    if individual is not None:
        labels = np.array([*classes, None], dtype=object)[:-1]
        individual = pd.DataFrame(labels[individual], index=rows, columns=trees)
    if proximity is not None:
        proximity = pd.DataFrame(proximity, index=rows, columns=rows)
    if nodes is not None:
        nodes = pd.DataFrame(nodes, index=rows, columns=trees)
    return Prediction(predicted, individual, proximity, nodes)
