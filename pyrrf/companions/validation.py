"""rrfcv and rfcv: how many predictors to keep."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import random as _random
from pyrrf.checks import count, flag, number
from pyrrf.companions.forwarded import Companion, companion_of, read_quirks, read_response, read_table, twin_of
from pyrrf.data.inputs import Factor
from pyrrf.errors import bad
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData, fit_task
from pyrrf.rbase.arithmetic import mean, order_decreasing, quantile, share
from pyrrf.rbase.collate import collating
from pyrrf.result.brief import Brief
from pyrrf.result.result import ForestResult
from pyrrf.result.summaries import importance
from pyrrf.types import Column


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Brief):
    """Result of `rrfcv` and `rfcv`.

    Attributes
    ----------
    n_var : ndarray
        Numbers of predictors, the largest first.
    error_cv : Series of float
        Share of wrong classes, or mean squared error, by number of predictors.
    predicted : DataFrame, shape (n, k)
        Prediction of each row by the forest that did not see it; one column per number of predictors.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> found = pyrrf.rrfcv(x, species, ntree=20, seed=1)
    >>> found.error_cv.round(3)
    4    0.053
    2    0.040
    1    0.047
    dtype: float64
    >>> found.predicted.head(2)
            4       2       1
    0  setosa  setosa  setosa
    1  setosa  setosa  setosa
    """

    n_var: np.ndarray
    error_cv: Column
    predicted: pd.DataFrame


@companion_of(Call)
def rrfcv(
    companion: Companion,
    /,
    trainx: Any,
    trainy: Any,
    cv_fold: int = 5,
    scale: str = "log",
    step: float = 0.5,
    mtry: Callable[[Any], float] | None = None,
    recursive: bool = False,
    **arguments: Any,
) -> CrossValidation:
    """Cross-validate forests on fewer and fewer predictors (R's ``rrfcv``).

    In each fold a forest is grown on all predictors, and the first column of its permutation
    importance ranks them.

    Parameters
    ----------
    trainx : array_like or DataFrame, shape (n, p)
        Predictors, at least two.
    trainy : array_like, shape (n,)
        Response.
    cv_fold : int, default 5
        Number of folds, stratified by class, or by a numeric response: `rrfcv` cuts it into fifths, `rfcv` gives each
        stratum small and large ones. As in R a fold is empty if no class, or no fifth, has that many rows; its forests
        predict nothing.
    scale : str, default 'log'
        With 'log' a share of the predictors is kept at each step; with any other text the number of
        predictors changes by `step`.
    step : float, default 0.5
        The share, between 0 and 1; or the change, which is negative as in R.
    mtry : callable, optional
        Function that turns the number of predictors into the candidates drawn per node; by default
        max(1, floor(sqrt(p))), for regression too, as in R.
    recursive : bool, default False
        Whether to rank again at each step. As in R positions among the predictors that are left are
        then used as positions among all predictors, unless RRF's
        ``quirks=False``.
    **arguments
        Further arguments of `RRF`; `seed` is the seed of the whole call. `x`, `y`, `xtest`,
        `ytest` and `importance` are set here.

    Returns
    -------
    CrossValidation

    Raises
    ------
    TypeError
        An argument has a wrong type, does not exist or is one that this function sets.
    ValueError
        An argument is out of range, all rows would be in one fold, or as for `RRF`.

    See Also
    --------
    rfcv : The same by `randomForest`.
    pyrrf.sklearn.EliminationSelector : A selector that chooses the number of features.

    Notes
    -----
    With ``quirks=False`` classes are ranked by MeanDecreaseAccuracy, where R takes the decrease in
    accuracy of the first class.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> pyrrf.rrfcv(x, species, ntree=20, seed=1).error_cv.round(3)
    4    0.053
    2    0.040
    1    0.047
    dtype: float64
    """
    companion.check_arguments(arguments, ("x", "y", "xtest", "ytest", "importance"))
    table = read_table(trainx, "trainx")
    n, p = table.shape
    with collating(arguments.get("collate")):
        response = read_response(trainy, "trainy", table, "trainx")
    folds, again = count(cv_fold, "cv_fold", minimum=2), flag(recursive, "recursive")
    sizes = _sizes(p, scale, step)
    seed, quirks = arguments.pop("seed", None), read_quirks(arguments)
    cv = _Validation(companion.kind, table, trainy, response, _read_mtry(mtry), again, quirks, arguments)
    predicted = np.empty((len(sizes), n))
    with _random.call_stream(seed):
        fold = _draw_folds(cv.strata(), folds)
        for i in range(1, folds + 1):
            predicted[:, fold == i] = cv.run(sizes, fold == i)
    return _summary(sizes, response, predicted, table)


rfcv = twin_of(
    rrfcv,
    "rfcv",
    """Cross-validate forests of `randomForest` on fewer and fewer predictors (R's ``rfcv``).

    In each fold a forest is grown on all predictors. The increase of the error when a predictor is
    permuted, divided by its standard error, ranks them.
    """,
    """
    See Also
    --------
    rrfcv : The same by `RRF`.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> pyrrf.rfcv(x, species, ntree=20, seed=1).error_cv.round(3)
    4    0.033
    2    0.047
    1    0.047
    dtype: float64
    """,
)


def _read_mtry(mtry: Any) -> Callable[[Any], float]:
    if mtry is None:
        return _square_root
    if not callable(mtry):
        raise bad.type(f"mtry must be a function of the number of predictors, such as lambda p: p // 3, not {mtry!r}")
    return mtry  # type: ignore[no-any-return]


def _square_root(p: float) -> float:
    return max(1, math.floor(math.sqrt(p)))


def _sizes(p: int, scale: Any, step: Any) -> np.ndarray:
    """Return R's n.var."""
    if not isinstance(scale, str):
        raise bad.type(f"scale must be 'log' or another text, not {scale!r}")
    if p < 2:
        raise bad.shape(f"trainx has {p} column(s); pass at least 2")
    change = number(step, "step")
    if scale == "log":
        return _geometric_sizes(p, change)
    if change >= 0:
        raise bad.range(f"step must be negative unless scale is 'log', not {step!r}")
    steps = int((1 - p) / change + 1e-10)
    sizes = np.maximum(p + np.arange(steps + 1) * change, 1.0)
    whole = bool((sizes == np.floor(sizes)).all())
    return np.asarray(sizes, dtype=np.int64 if whole else np.float64)


def _geometric_sizes(p: int, step: float) -> np.ndarray:
    base = 1 / step if 0 < step < 1 else math.inf
    if base == math.inf:
        raise bad.range(f"step must be between 0 and 1 with scale='log', not {step!r}")
    # R's log(p, base) is log2 or log10 for these bases.
    exact = {2.0: math.log2, 10.0: math.log10}.get(base)
    k = math.floor(exact(p) if exact else math.log(p) / math.log(base))
    # R computes a square as a product. If step is less than 1/p, k is 0, and R's 0:(k-1) is 0, -1.
    powers = [step * step if i == 2 else step**i for i in (range(k) if k else (0, -1))]
    sizes = [round(p * power) for power in powers]
    if max(sizes) > p:
        raise bad.range(f"step is {step!r}, too small for {p} columns; pass at least {1 / p:.3g}")
    sizes = [size for i, size in enumerate(sizes) if i + 1 == len(sizes) or sizes[i + 1] != size]
    return np.array(sizes if 1 in sizes else [*sizes, 1])


def _draw_folds(strata: np.ndarray, folds: int) -> np.ndarray:
    """Draw the fold of each row, counted from 1, stratum by stratum."""
    fold = np.zeros(len(strata), dtype=np.int64)
    for code in np.unique(strata):
        inside = strata == code
        fold[inside] = _random.sample(np.resize(np.arange(1, folds + 1), int(inside.sum())))
    if (fold == fold[0]).all():
        raise bad.rows(f"trainy has too few rows in each class or fifth for {folds} folds; pass more rows")
    return fold


def _fifths(values: np.ndarray) -> np.ndarray:
    """Return the fifth of the response that a row lies in, from 0."""
    limits = quantile(values, np.arange(1, 5) / 5)
    if len(np.unique(limits)) < len(limits):
        raise bad.levels(
            f"trainy has too few distinct values to be cut into fifths (limits {limits.tolist()}); "
            "pass pd.Categorical(trainy) for classes"
        )
    return np.asarray(np.searchsorted(limits, values, side="left"))


def _places_in_fives(values: np.ndarray) -> np.ndarray:
    """Return, from 0, which row of five a row is when rows are counted off by their response."""
    place = np.empty(len(values), dtype=np.int64)
    place[np.argsort(values, kind="stable")] = np.arange(len(values))
    return place % 5


@dataclass(frozen=True)
class _Validation:
    """The settings that all folds share."""

    kind: type[Call]
    x: Any
    y: Any
    response: Factor | np.ndarray
    mtry: Callable[[Any], float]
    recursive: bool
    quirks: bool
    arguments: Mapping[str, Any]

    def strata(self) -> np.ndarray:
        """Return the stratum of each row: its class, or the group of its number."""
        if isinstance(self.response, Factor):
            return self.response.codes
        return (_places_in_fives if self.kind.random_forest else _fifths)(self.response)

    def run(self, sizes: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return codes or numbers predicted for the held rows, shape (k, rows)."""
        p = self.x.shape[1]
        columns = np.arange(p)
        fold = self._read(held)
        fit = self._fit(fold, p, ranks=True)
        out, ranked = [_test_predictions(fit)], self._ranks(fit)
        for size in sizes[1:].tolist():
            columns = ranked[: int(size)]
            fit = self._fit(fold.select(columns), size, ranks=self.recursive)
            out.append(_test_predictions(fit))
            if self.recursive:
                ranked = self._ranks(fit) if self.quirks else columns[self._ranks(fit)]
        return np.array(out)

    def _read(self, held: np.ndarray) -> SharedData:
        """Read the rows of a fold, the held ones as test set."""
        x, y = self.x, self._labels()
        arguments = {"keep_forest": False, **self.arguments}
        if held.any():
            arguments |= {"xtest": x[held], "ytest": y[held]}
        # As in R, forests are grown for an empty fold too.
        return SharedData.read(self.kind(x=x[~held], y=y[~held], **arguments))

    def _fit(self, fold: SharedData, size: float, ranks: bool) -> ForestResult:
        """Grow a forest on a fold; `size` is its number of columns as `n_var` counts it."""
        return fit_task(fold.task(replace(fold.call, mtry=self.mtry(size), importance=ranks)))

    def _labels(self) -> Any:
        if isinstance(self.response, Factor):
            return self.response.series(pd.RangeIndex(len(self.response.codes))).array
        return self.response

    def _ranks(self, fit: ForestResult) -> np.ndarray:
        if self.kind.random_forest:
            return order_decreasing(importance(fit, type=1).to_numpy()[:, 0])
        measures = fit.outcome.importance
        classes = isinstance(self.response, Factor) and not self.quirks
        return order_decreasing(measures[:, -2 if classes else 0])


def _test_predictions(fit: Any) -> np.ndarray:
    """Return codes or numbers predicted for the test set; an empty array without one."""
    return np.empty(0) if fit.test is None else np.asarray(fit.test.outcome.predicted)


def _summary(sizes: np.ndarray, response: Any, predicted: np.ndarray, table: Any) -> CrossValidation:
    rows = table.index if isinstance(table, pd.DataFrame) else pd.RangeIndex(len(table))
    if isinstance(response, Factor):
        errors = [share(codes != response.codes) for codes in predicted]
        columns = [response.series(rows, codes.astype(np.int64)) for codes in predicted]
    else:
        with np.errstate(over="ignore"):
            errors = [mean((response - values) ** 2) for values in predicted]
        columns = [pd.Series(values, index=rows) for values in predicted]
    index = pd.Index(sizes)
    frame = pd.concat(columns, axis=1)
    frame.columns = index
    return CrossValidation(sizes, pd.Series(errors, index=index), frame)
