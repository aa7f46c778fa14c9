"""rrfcv and tuneRRF: how many predictors to keep, and how many candidates to draw per node."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pyrrf import random as _random
from pyrrf.checks import count, flag, number
from pyrrf.companions.forwarded import check_arguments, read_quirks
from pyrrf.data.inputs import Factor, check_length, read_labels
from pyrrf.data.tables import as_table
from pyrrf.fit.call import Call
from pyrrf.fit.fitting import SharedData
from pyrrf.plots.drawing import draw_tuning, pyplot
from pyrrf.r.collate import collating
from pyrrf.r.format import format_number, round_half_even
from pyrrf.r.numerics import mean, order_decreasing, quantile, share
from pyrrf.result.brief import Brief
from pyrrf.result.result import ForestResult
from pyrrf.types import Column


def _read_response(y: Any, name: str, n: int, x_name: str) -> Factor | np.ndarray:
    if y is None:
        raise ValueError(f"{name} is missing; pass classes or numbers")
    response = read_labels(y, name)
    check_length(len(response.codes if isinstance(response, Factor) else response), n, name, x_name)
    return response


def _read_table(x: Any, name: str) -> Any:
    x = as_table(x, name)
    table = x if isinstance(x, pd.DataFrame) else np.asarray(x)
    if table.ndim != 2:
        raise ValueError(f"{name} must have 2 dimensions (rows, columns), not {table.ndim}")
    return table


# ---- rrfcv ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Brief):
    """What `rrfcv` returns.

    Attributes
    ----------
    n_var : ndarray
        Numbers of predictors, the largest first.
    error_cv : Series of float
        Share of wrong classes, or mean squared error, by number of predictors.
    predicted : DataFrame, shape (n, k)
        Prediction of each row by the forest that did not see it; one column per number of predictors.
    """

    n_var: np.ndarray
    error_cv: Column
    predicted: pd.DataFrame


def rrfcv(
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
        Number of folds, stratified by class, or by fifths of a numeric response. As in R a fold is
        empty if no class, or no fifth, has that many rows; its forests predict nothing.
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
        then used as positions among all predictors, unless ``quirks=False``.
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

    Notes
    -----
    With ``quirks=False`` classes are ranked by MeanDecreaseAccuracy, where R takes the decrease in
    accuracy of the first class.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(240).reshape(60, 4, order="F")
    >>> pyrrf.rrfcv(x, x[:, 0] > 0.5, ntree=10).n_var.tolist()
    [4, 2, 1]
    """
    check_arguments("rrfcv", arguments, ("x", "y", "xtest", "ytest", "importance"), rrfcv)
    table = _read_table(trainx, "trainx")
    n, p = table.shape
    with collating(arguments.get("collate")):
        response = _read_response(trainy, "trainy", n, "trainx")
    folds, again = count(cv_fold, "cv_fold", minimum=2), flag(recursive, "recursive")
    sizes = _sizes(p, scale, step)
    seed, quirks = arguments.pop("seed", None), read_quirks(arguments)
    cv = _Validation(table, trainy, response, mtry or _square_root, again, quirks, arguments)
    predicted = np.empty((len(sizes), n))
    with _random.call_stream(seed):
        fold = _draw_folds(response, folds)
        for i in range(1, folds + 1):
            predicted[:, fold == i] = cv.run(sizes, fold == i)
    return _summary(sizes, response, predicted, table)


def _square_root(p: float) -> float:
    return max(1, math.floor(math.sqrt(p)))


def _sizes(p: int, scale: Any, step: Any) -> np.ndarray:
    """Return R's n.var."""
    if not isinstance(scale, str):
        raise TypeError(f"scale must be 'log' or another text, not {scale!r}")
    if p < 2:
        raise ValueError(f"trainx has {p} column(s); pass at least 2")
    change = number(step, "step")
    if scale == "log":
        return _geometric_sizes(p, change)
    if change >= 0:
        raise ValueError(f"step must be negative unless scale is 'log', not {step!r}")
    steps = int((1 - p) / change + 1e-10)
    sizes = np.maximum(p + np.arange(steps + 1) * change, 1.0)
    whole = bool((sizes == np.floor(sizes)).all())
    return np.asarray(sizes, dtype=np.int64 if whole else np.float64)


def _geometric_sizes(p: int, step: float) -> np.ndarray:
    if not 0 < step < 1:
        raise ValueError(f"step must be between 0 and 1 with scale='log', not {step!r}")
    base = 1 / step
    # R's log(p, base) is log2 or log10 for these bases.
    exact = {2.0: math.log2, 10.0: math.log10}.get(base)
    k = math.floor(exact(p) if exact else math.log(p) / math.log(base))
    # R computes a square as a product. If step is less than 1/p, k is 0, and R's 0:(k-1) is 0, -1.
    powers = [step * step if i == 2 else step**i for i in (range(k) if k else (0, -1))]
    sizes = [round(p * power) for power in powers]
    if max(sizes) > p:
        raise ValueError(f"step is {step!r}, too small for {p} columns; pass at least {1 / p:.3g}")
    sizes = [size for at, size in enumerate(sizes) if at + 1 == len(sizes) or sizes[at + 1] != size]
    return np.array(sizes if 1 in sizes else [*sizes, 1])


def _draw_folds(response: Factor | np.ndarray, folds: int) -> np.ndarray:
    """Draw the fold of each row, counted from 1, stratum by stratum."""
    if isinstance(response, Factor):
        strata, k = response.codes, len(response.levels)
    else:
        strata, k = _fifths(response), 5
    fold = np.zeros(len(strata), dtype=np.int64)
    for code in range(k):
        inside = strata == code
        if inside.any():
            fold[inside] = _random.sample(np.resize(np.arange(1, folds + 1), int(inside.sum())))
    if (fold == fold[0]).all():
        raise ValueError("trainy has one row in each class or fifth, so that all rows are in one fold; pass more rows")
    return fold


def _fifths(values: np.ndarray) -> np.ndarray:
    """Return the fifth of the response that a row lies in, from 0."""
    limits = quantile(values, np.arange(1, 5) / 5)
    if len(np.unique(limits)) < len(limits):
        raise ValueError(
            f"trainy has too few distinct values to be cut into fifths (limits {limits.tolist()}); "
            "pass pd.Categorical(trainy) for classes"
        )
    return np.asarray(np.searchsorted(limits, values, side="left"))


@dataclass(frozen=True)
class _Validation:
    """The settings that all folds share."""

    x: Any
    y: Any
    response: Factor | np.ndarray
    mtry: Callable[[Any], float]
    recursive: bool
    quirks: bool
    arguments: Mapping[str, Any]

    def run(self, sizes: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Return codes or numbers predicted for the held rows, shape (k, rows)."""
        p = self.x.shape[1]
        columns = np.arange(p)
        fold = self._read(held)
        fit = self._fit(fold, p, importance=True)
        out, ranked = [_test_predictions(fit)], self._ranks(fit)
        for size in sizes[1:].tolist():
            columns = ranked[: int(size)]
            fit = self._fit(fold.select(columns), size, importance=self.recursive)
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
        return SharedData.read(Call(x=x[~held], y=y[~held], **arguments))

    def _fit(self, fold: SharedData, size: float, importance: bool) -> ForestResult:
        """Grow a forest on a fold; `size` is its number of columns as `n_var` counts it."""
        return fold.fit(replace(fold.call, mtry=self.mtry(size), importance=importance))

    def _labels(self) -> Any:
        if isinstance(self.response, Factor):
            return self.response.series(pd.RangeIndex(len(self.response.codes))).array
        return self.response

    def _ranks(self, fit: ForestResult) -> np.ndarray:
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


# ---- tuneRRF -------------------------------------------------------------------------------------


def tuneRRF(
    x: Any,
    y: Any,
    mtryStart: float | None = None,
    ntreeTry: int = 50,
    stepFactor: float = 2,
    improve: float = 0.05,
    trace: bool = True,
    plot: bool = True,
    doBest: bool = False,
    **arguments: Any,
) -> Any:
    """Search for the mtry with the smallest out-of-bag error (R's ``tuneRRF``).

    Parameters
    ----------
    x : array_like or DataFrame, shape (n, p)
        Predictors.
    y : array_like, shape (n,)
        Response.
    mtryStart : float, optional
        First mtry; floor(sqrt(p)), or floor(p / 3) for regression, by default.
    ntreeTry : int, default 50
        Trees of each forest that is tried.
    stepFactor : float, default 2
        Factor of at least 1: mtry is divided by it, step by step, then multiplied by it.
    improve : float, default 0.05
        Share by which the error must fall for the search to go on.
    trace : bool, default True
        Whether to print the search. The improvements are printed in any case, as in R, unless
        ``quirks=False``.
    plot : bool, default True
        Whether to plot the errors on new matplotlib axes.
    doBest : bool, default False
        Whether to grow and return a forest with the best mtry.
    **arguments
        Further arguments of `RRF`; `seed` is the seed of the whole call. `ntree`, `mtry` and
        `keep_forest` are set here.

    Returns
    -------
    DataFrame, shape (k, 2), or ForestResult
        Columns mtry and OOBError, sorted by mtry; with `doBest` the fit with the best mtry.

    Raises
    ------
    ImportError
        `plot` without matplotlib.
    TypeError
        An argument has a wrong type, does not exist or is one that this function sets.
    ValueError
        An argument is out of range; the error of two forests is 0, so that R's improvement is not
        defined; or as for `RRF`.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(400).reshape(100, 4, order="F")
    >>> y = pyrrf.runif(100) < x[:, 0]
    >>> tried = pyrrf.tuneRRF(x, y, plot=False)  # doctest: +NORMALIZE_WHITESPACE
    mtry = 2  OOB error = 26%
    Searching left ...
    mtry = 1  OOB error = 25%
    0.03846154 0.05
    Searching right ...
    mtry = 4  OOB error = 31%
    -0.1923077 0.05
    >>> tried["mtry"].tolist()
    [1.0, 2.0, 4.0]
    """
    check_arguments("tuneRRF", arguments, ("ntree", "mtry", "keep_forest"), tuneRRF)
    table = _read_table(x, "x")
    n, p = table.shape
    with collating(arguments.get("collate")):
        response = _read_response(y, "y", n, "x")
    classes, trees, traced = isinstance(response, Factor), count(ntreeTry, "ntreeTry"), flag(trace, "trace")
    default = float(math.floor(math.sqrt(p)) if classes else p // 3)
    start = default if mtryStart is None else number(mtryStart, "mtryStart")
    factor, least = _read_steps(stepFactor, improve)
    best = flag(doBest, "doBest")
    if flag(plot, "plot"):
        pyplot()
    seed, quirks = arguments.pop("seed", None), read_quirks(arguments)
    with _random.call_stream(seed):
        data = SharedData.read(Call(x=x, y=y, **arguments))
        search = _Search(data, p, classes, trees, traced, {})
        search.run(start, factor, least, quirks)
        result = search.table()
        if plot:
            draw_tuning(result)
        if not best:
            return result
        mtry = float(result["mtry"].iloc[int(np.argmin(result["OOBError"]))])
        return data.fit(replace(data.call, mtry=mtry))


def _read_steps(stepFactor: Any, improve: Any) -> tuple[float, float]:
    factor, least = number(stepFactor, "stepFactor"), number(improve, "improve")
    if factor < 1:
        raise ValueError(f"stepFactor must be at least 1, not {stepFactor!r}")
    if least < 0:
        raise ValueError(f"improve must be 0 or more, not {improve!r}")
    return factor, least


@dataclass(frozen=True)
class _Search:
    """The search of tuneRRF; `errors` holds the error by mtry."""

    data: SharedData
    p: int
    classes: bool
    ntree: int
    trace: bool
    errors: dict[float, float]

    def run(self, start: float, factor: float, improve: float, quirks: bool) -> None:
        """Go down, then up, as long as the error falls enough."""
        best = self._try(start, " ")
        for direction in ("left", "right"):
            self._say(self.trace, f"Searching {direction} ...")
            best = self._walk(direction, start, factor, improve, best, quirks)

    def _walk(self, direction: str, mtry: float, factor: float, improve: float, best: float, quirks: bool) -> float:
        gain = 1.1 * improve
        while gain >= improve:
            down = max(1.0, math.ceil(mtry / factor))
            up = min(float(self.p), math.floor(mtry * factor))
            mtry, old = (down if direction == "left" else up), mtry
            if mtry == old:
                break
            error = self._try(mtry, "\t")
            gain = self._gain(error, best, quirks)
            self._say(self.trace or quirks, f"{format_number(gain)} {format_number(improve)} ")
            if gain > improve:
                best = error
        return best

    def _gain(self, error: float, best: float, quirks: bool) -> float:
        if best == 0:
            if error > 0:
                return -math.inf
            if quirks:
                raise ValueError(
                    "the out-of-bag error is 0 for two values of mtry, so R's measure of improvement "
                    "is not defined; use one of them as mtry, or pass quirks=False"
                )
            return 0.0
        return 1 - error / best

    def _try(self, mtry: float, gap: str) -> float:
        """Grow a forest and return its last out-of-bag error."""
        fit: Any = self.data.fit(replace(self.data.call, mtry=mtry, ntree=self.ntree, keep_forest=False))
        error = float(fit.outcome.err_rate[-1, 0] if self.classes else fit.outcome.mse[-1])
        self.errors[mtry] = error
        shown = f"{100 * round_half_even(error, 4):.15g}%" if self.classes else format_number(error)
        self._say(self.trace, f"mtry = {format_number(mtry)} {gap}OOB error = {shown} ")
        return error

    def table(self) -> pd.DataFrame:
        """Errors by mtry."""
        tried = sorted(self.errors)
        return pd.DataFrame({"mtry": tried, "OOBError": [self.errors[m] for m in tried]}, index=pd.Index(tried))

    @staticmethod
    def _say(wanted: bool, line: str) -> None:
        if wanted:
            print(line, flush=True)  # noqa: T201
