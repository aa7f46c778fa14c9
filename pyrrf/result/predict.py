"""Predictions of a fit, for new data or out of bag."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, overload

import numpy as np
import pandas as pd

from pyrrf import _core
from pyrrf._core.records import RowPrediction
from pyrrf.checks import flag, reject_unknown, warn
from pyrrf.data.inputs import Factor
from pyrrf.data.labelled import resolve_cutoff
from pyrrf.data.match import Training, match_new_data
from pyrrf.data.predictors import Predictors, is_borrowed
from pyrrf.errors import bad
from pyrrf.formula.terms import CompleteRows, read_new_data
from pyrrf.random import call_stream
from pyrrf.rbase.collate import collating
from pyrrf.result.brief import Brief
from pyrrf.result.forest import Forest
from pyrrf.result.record import class_index, frame_or_none, one_based
from pyrrf.result.regression import RegressionResult
from pyrrf.result.result import ForestResult, UnsupervisedResult, VotesResult, class_frame, to_shares
from pyrrf.result.summaries import require_forest
from pyrrf.threads import resolve_jobs
from pyrrf.types import Column, Floats, Labels, PerLabel, TableLike

# A table, or an iterator of them.
NewRows = TableLike | Column | Iterator[Any]

_ARGUMENTS = ["object", "newdata", "type", "norm_votes", "predict_all", "proximity", "nodes", "cutoff", "n_jobs"]
_TYPES = ("response", "prob", "vote", "class")


@dataclass(frozen=True, eq=False, repr=False)
class Prediction(Brief):
    """Predictions, with further results that were asked for.

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

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=3, seed=1)
    >>> found = pyrrf.predict(fit, x[:2], nodes=True)
    >>> found
    <Prediction: predicted Series (2,), nodes DataFrame (2, 3)>
    >>> found.nodes
       1  2  3
    0  2  2  2
    1  2  2  2
    """

    predicted: Column | pd.DataFrame
    individual: pd.DataFrame | None = None
    proximity: pd.DataFrame | None = None
    nodes: pd.DataFrame | None = None

    @property
    def aggregate(self) -> Column | pd.DataFrame:
        """The prediction of the forest."""
        return self.predicted

    @property
    def pred(self) -> Column | pd.DataFrame:
        """The prediction of the forest."""
        return self.predicted


_Answer = Column | pd.DataFrame | Prediction


@overload
def predict(
    object: ForestResult,
    newdata: NewRows,
    type: Literal["response", "class"] = "response",
    norm_votes: bool = True,
    *,
    cutoff: PerLabel | None = None,
    n_jobs: int | None = None,
) -> Column: ...


@overload
def predict(
    object: ForestResult,
    newdata: NewRows,
    type: Literal["prob", "vote"],
    norm_votes: bool = True,
    *,
    cutoff: PerLabel | None = None,
    n_jobs: int | None = None,
) -> pd.DataFrame: ...


@overload
def predict(
    object: ForestResult,
    newdata: NewRows | None = None,
    type: str = "response",
    norm_votes: bool = True,
    predict_all: bool = False,
    proximity: bool = False,
    nodes: bool = False,
    cutoff: PerLabel | None = None,
    n_jobs: int | None = None,
) -> Column | pd.DataFrame | Prediction | None: ...


def predict(
    object: ForestResult,
    newdata: NewRows | None = None,
    type: str = "response",
    norm_votes: bool = True,
    predict_all: bool = False,
    proximity: bool = False,
    nodes: bool = False,
    cutoff: PerLabel | None = None,
    n_jobs: int | None = None,
    **unknown: object,
) -> Column | pd.DataFrame | Prediction | None:
    """Predict with a fitted forest (R's ``predict``).

    Ties between classes are broken at random. As in CRAN RRF the draws come from the stream's memory
    and are not stored; if several threads predict classes with engine 'r', one runs at a time.
    Regression and fits of engine 'parallel' draw nothing.

    Parameters
    ----------
    object : ForestResult
        Fit with a forest.
    newdata : array_like, DataFrame, Series or iterator of these, optional
        Rows to predict; columns of a DataFrame are matched by name. Without it, the out-of-bag
        predictions of the fit are returned. A fit from a formula computes its terms from the columns;
        a row in which one of these is missing gets a missing prediction. A fit of engine 'parallel'
        also predicts rows with missing values. Arrays of float32 and float64, memory maps among them, are not
        copied. An iterator gives batches of rows, of which one is held at a time and each is read as a table of its
        own; the predictions are returned as those of one table.
    type : str, default 'response'
        'response' (or 'class'), 'prob' or 'vote', or an abbreviation; 'response' only for regression.
    norm_votes : bool, default True
        Whether votes are shares; counts otherwise.
    predict_all : bool, default False
        Whether to return the prediction of each tree too.
    proximity : bool, default False
        Whether to return the proximities of the rows too.
    nodes : bool, default False
        Whether to return the leaf of each row in each tree too.
    cutoff : array_like, dict or Series, shape (nclass,), optional
        As in `RRF`; the fit's cutoff by default.
    n_jobs : int, optional
        Threads, as in `RRF`; 1 by default. Neither the answer nor the draws for ties depend on it.
    **unknown
        Refused, with the nearest argument named.

    Returns
    -------
    Series, DataFrame, Prediction or None
        Numbers for regression. For classes, categories with `type` 'response', and one column per class
        with other types. With `predict_all`, `proximity` or `nodes` a `Prediction` with all of these;
        bias correction (``corr_bias=True``) applies to `predicted` only. None for the 'response' of an
        unsupervised forest without `newdata`.

    Raises
    ------
    TypeError
        `object` is not a fit, or an argument or a column has a wrong type.
    ValueError
        The fit has no forest or is unsupervised; columns or levels do not match; an iterator gives no batch, or
        `proximity` is asked for with one; the fit is of engine 'r', and
        values are missing, or a split point or the mean of a node is infinite; or the fit is a regression and
        `type` or `cutoff` is for classes.

    See Also
    --------
    RRF, GRRF, randomForest : What grows the fit.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x[::2], species[::2], ntree=50, seed=1)
    >>> pyrrf.predict(fit, x[1::2]).value_counts().to_dict()
    {'versicolor': 26, 'setosa': 25, 'virginica': 24}
    >>> pyrrf.predict(fit, x[1::2], type="prob").iloc[[30, 60]].round(2)
         setosa  versicolor  virginica
    61      0.0        1.00       0.00
    121     0.0        0.26       0.74
    """
    reject_unknown("predict", unknown, _ARGUMENTS)
    kind = _match_type(type)
    asked = {"norm_votes": norm_votes, "predict_all": predict_all, "proximity": proximity, "nodes": nodes}
    wants = {name: flag(value, name) for name, value in asked.items()}
    if not isinstance(object, ForestResult):
        raise bad.type(f"object must be a fit of RRF() or randomForest(), not {object!r}")
    forest = require_forest(object, "object")
    if isinstance(object, RegressionResult) and kind != "response":
        raise bad.choice(f"type={type!r} has no meaning for regression; pass type='response'")
    request = _Request(kind, wants["norm_votes"] or kind == "prob", wants, cutoff, resolve_jobs(n_jobs))
    if newdata is None:
        return _out_of_bag(object, request)
    if isinstance(object, UnsupervisedResult):
        raise bad.fit("object is an unsupervised forest, which cannot predict newdata")
    if isinstance(newdata, Iterator):
        return _batches(object, forest, newdata, request)
    return _new_data(object, forest, newdata, request)


def predict_table(fit: ForestResult, pred_data: Any, type: str) -> _Answer:
    """Return ``predict(fit, pred_data, type)``; errors name the argument of `partialPlot`."""
    assert fit.forest is not None
    wants = dict.fromkeys(("norm_votes", "predict_all", "proximity", "nodes"), False)
    return _new_data(fit, fit.forest, pred_data, _Request(type, True, wants, None, 1, "pred_data"))


def _new_data(fit: ForestResult, forest: Forest, newdata: Any, request: _Request) -> _Answer:
    """Return the prediction of new data; a formula first computes its terms from them."""
    check_numbers(fit, forest)
    limits = _limits(fit, forest, request.cutoff)
    if fit.terms is None:
        parts = [_predict_rows(fit, forest, rows, request, limits) for rows in _at_once(fit, forest, newdata, request)]
        return _join_batches(parts) if len(parts) > 1 else parts[0]
    own_codes = fit.function == "randomForest"
    frame, kept = read_new_data(fit.terms, newdata, fit.engine == "parallel", request.name, own_codes)
    if len(frame) == 0:
        return _all_missing(fit, request, kept)
    return _spread(_predict_rows(fit, forest, frame, request, limits), kept, fit)


# Values that are brought to another type at a time, where the core cannot read an array as it is.
_CONVERTED_AT_ONCE = 1 << 22


def _batches(fit: ForestResult, forest: Forest, batches: Iterator[Any], request: _Request) -> _Answer:
    """Return the prediction of rows that come in batches, as of all rows at once; no batch is kept."""
    if request.wants["proximity"]:
        raise bad.unsupported(
            "proximity compares each row of newdata with all others; pass them as one table, not in batches"
        )
    parts = []
    # Draws for ties go on from batch to batch, and no other thread draws in between.
    with call_stream() if _draws(fit) else nullcontext():
        for number, batch in enumerate(batches, start=1):
            parts.append(_new_data(fit, forest, batch, replace(request, name=f"batch {number} of {request.name}")))
    if not parts:
        raise bad.empty(f"{request.name} is an iterator without a batch, or was read before; pass one batch or more")
    return _join_batches(parts)


def _at_once(fit: ForestResult, forest: Forest, newdata: Any, request: _Request) -> Iterator[Any]:
    """Yield the rows that are read together: all of them, or parts of an array that would have to be copied."""
    numbers = isinstance(newdata, np.ndarray) and newdata.ndim == 2 and newdata.dtype.kind in "biuf"
    whole = not numbers or (is_borrowed(newdata) and not forest.coded) or _draws(fit) or request.wants["proximity"]
    if whole or newdata.size <= _CONVERTED_AT_ONCE:
        yield newdata
        return
    step = max(1, _CONVERTED_AT_ONCE // newdata.shape[1])
    for start in range(0, len(newdata), step):
        yield newdata[start : start + step]


def _join_batches(parts: list[Any]) -> _Answer:
    """Return the predictions of batches as one; rows without labels of their own are counted on."""
    if isinstance(parts[0], Prediction):
        given = [item.name for item in fields(Prediction) if getattr(parts[0], item.name) is not None]
        each: dict[str, Any] = {name: _join_batches([getattr(batch, name) for batch in parts]) for name in given}
        return Prediction(**each)
    counted = all(batch.index.equals(pd.RangeIndex(len(batch))) for batch in parts)
    joined: _Answer = pd.concat(parts, ignore_index=counted)
    return joined


def _draws(fit: ForestResult) -> bool:
    """Whether ties of votes draw from the stream, as in R; with engine parallel a hash breaks them."""
    return isinstance(fit, VotesResult) and fit.engine != "parallel"


@dataclass(frozen=True)
class _Request:
    """Arguments of predict(): type, votes as shares, parts wanted, cutoff, threads, name of the data."""

    kind: str
    shares: bool
    wants: dict[str, bool]
    cutoff: PerLabel | None
    n_jobs: int
    name: str = "newdata"

    @property
    def parts(self) -> dict[str, bool]:
        """The parts other than the prediction itself."""
        return {name: self.wants[name] for name in ("predict_all", "proximity", "nodes")}


def check_numbers(fit: ForestResult, forest: Forest) -> None:
    """Raise ValueError if a split point or a mean is infinite, where R's predict() stops too."""
    if fit.engine == "r" and forest.overflowed:
        raise bad.scale(
            "object cannot predict: a split point is infinite, because the training data hold numbers in column(s) "
            f"{fit.columns[forest.overflowed].tolist()} that are too large for the mean of two; divide the "
            "column(s) by a constant, or fit with RRF's engine='parallel'",
            "object",
        )
    if fit.engine == "r" and not forest.has_finite_means:
        raise bad.scale(
            "object cannot predict: the mean of a node is infinite, because responses are too large for the sum of "
            "some; divide y by a power of ten",
            "object",
        )


def _spread(result: _Answer, kept: CompleteRows, fit: ForestResult) -> _Answer:
    """Return a prediction with missing values in the rows that were left out.

    As in R, further results have the kept rows only, except for predictions by the trees of a regression.
    """
    if not isinstance(result, Prediction):
        return kept.spread(result)
    individual = result.individual
    if fit.type == "regression" and individual is not None:
        individual = kept.spread(individual)
    return replace(result, predicted=kept.spread(result.predicted), individual=individual)


def _all_missing(fit: Any, request: _Request, kept: CompleteRows) -> _Answer:
    """Return the prediction of rows that all have missing values."""
    rows = kept.rows
    predicted: Column | pd.DataFrame = pd.Series(np.nan, index=rows)
    if request.kind != "response":
        predicted = pd.DataFrame(np.nan, index=rows, columns=class_index(*fit.classes))
    elif fit.type != "regression":
        predicted = Factor(np.full(len(rows), -1, dtype=np.int32), fit.classes).series(rows)
    if not any(request.parts.values()):
        return predicted
    # As in R, nodes have a column for each tree all the same, and a regression's trees predict a missing value.
    none = {name: pd.DataFrame(index=rows[:0], dtype=np.float64) for name in request.parts}
    trees = one_based(fit.forest.ntree)
    none["nodes"] = none["nodes"].reindex(columns=trees)
    if fit.type == "regression":
        none["predict_all"] = pd.DataFrame(np.nan, index=rows, columns=trees)
    return Prediction(predicted, *(none[name] if wanted else None for name, wanted in request.parts.items()))


def _match_type(type_: object) -> str:
    """Return the type whose name starts with the given text; 'class' means 'response'."""
    matches = [t for t in _TYPES if type_ and t.startswith(type_.lower())] if isinstance(type_, str) else []
    if len(matches) != 1:
        kind = ValueError if isinstance(type_, str) else TypeError
        raise bad.choice(f"type must be 'response', 'prob' or 'vote', not {type_!r}", kind=kind)
    return "response" if matches[0] == "class" else matches[0]


def _out_of_bag(fit: Any, request: _Request) -> _Answer | None:
    """Return the prediction without new data, as R does."""
    if isinstance(fit, RegressionResult):
        return fit.predicted
    predicted: Column | pd.DataFrame = fit.predicted
    if request.kind != "response":
        votes = fit.votes.to_numpy()
        predicted = class_frame(to_shares(votes), fit.rows, *fit.classes) if request.shares else fit.votes
    if not request.wants["proximity"]:
        return predicted
    if fit.proximity is None:
        warn("proximity without newdata needs a fit with proximity=True; None is returned for it")
    return Prediction(predicted, proximity=fit.proximity)


def _limits(fit: Any, forest: Forest, cutoff: PerLabel | None) -> Floats:
    """Return the cutoff of each class, by which its votes are divided; none in regression."""
    if not isinstance(fit, RegressionResult):
        return np.asarray(forest.cutoff) if cutoff is None else resolve_cutoff(cutoff, fit.classes)
    if cutoff is not None:
        raise bad.conflict("cutoff is for classes; object is a regression forest")
    return np.zeros(0)


def _predict_rows(fit: ForestResult, forest: Forest, newdata: Any, request: _Request, limits: Floats) -> _Answer:
    """Return the prediction of new data, with the parts that were asked for."""
    table = read_rows(fit, forest, newdata, request.name)
    answer = _ask_core(fit, forest, table, request, limits)
    predicted = _label_prediction(fit, answer, table.rows, request)
    if not any(request.parts.values()):
        return predicted
    rows, trees, individual = table.rows, one_based(forest.ntree), answer.individual
    if individual is not None and isinstance(fit, VotesResult):
        individual = np.array([*fit.classes, None], dtype=object)[individual]
    return Prediction(
        predicted,
        frame_or_none(individual, rows, trees),
        frame_or_none(answer.proximity, rows, rows),
        frame_or_none(answer.nodes, rows, trees),
    )


def read_rows(fit: ForestResult, forest: Forest, newdata: Any, name: str) -> Predictors:
    """Read new rows, which messages call `name`, with the columns and codes of the training data."""
    parallel, of_random_forest = fit.engine == "parallel", fit.function == "randomForest"
    training = Training(fit.columns, fit.named, forest.ncat, forest.coded, fit.quirks, parallel, of_random_forest)
    # Strings are in the order of the call.
    with collating(fit.arguments.get("collate")):
        return match_new_data(newdata, training, name)


def _ask_core(fit: ForestResult, forest: Forest, table: Predictors, request: _Request, limits: Floats) -> RowPrediction:
    """Call the core."""
    with call_stream() if _draws(fit) else nullcontext() as stream:
        return _core.predict(
            forest.trees,
            table.values,
            forest.ncat,
            forest.nclass or 1,
            cutoff=limits,
            stream=stream,
            ties=fit.ties,
            # More threads than rows would have nothing to do.
            n_jobs=min(request.n_jobs, len(table.rows)),
            individual=request.wants["predict_all"],
            nodes=request.wants["nodes"],
            proximity=request.wants["proximity"],
        )


def _label_prediction(
    fit: ForestResult, answer: RowPrediction, rows: Labels, request: _Request
) -> Column | pd.DataFrame:
    """Return the prediction of the core as corrected numbers, as classes or as votes."""
    if isinstance(fit, RegressionResult):
        slope = fit.coefs
        values = answer.predicted if slope is None else slope[0] + slope[1] * answer.predicted
        return pd.Series(values, index=rows, copy=False)
    assert isinstance(fit, VotesResult)
    if request.kind == "response":
        return Factor(answer.predicted, fit.classes).series(rows)
    assert answer.votes is not None
    votes = answer.votes.astype(np.float64)
    return class_frame(to_shares(votes) if request.shares else votes, rows, *fit.classes)
