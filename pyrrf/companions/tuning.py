"""tuneRRF and tuneRF: search for the number of candidates drawn at a node."""

from __future__ import annotations

import math
import sys
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
from pyrrf.plots.drawing import draw_tuning
from pyrrf.plots.library import pyplot
from pyrrf.rbase import numbers
from pyrrf.rbase.collate import collating
from pyrrf.rbase.numbers import format_number, number_text


@companion_of(Call)
def tuneRRF(
    companion: Companion,
    /,
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
        Not below 0. mtry is divided by it, step by step, then multiplied by it; below 1 the first steps go upwards,
        as in R, and beyond the number of columns `mtry` is reset with a warning.
    improve : float, default 0.05
        Share by which the error must fall for the search to go on.
    trace : bool, default True
        Whether to print the search. The improvements are printed in any case, as in R, unless
        RRF's ``quirks=False``.
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

    See Also
    --------
    tuneRF : The same by `randomForest`.

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
    companion.check_arguments(arguments, ("ntree", "mtry", "keep_forest"))
    table = read_table(x, "x")
    p = table.shape[1]
    with collating(arguments.get("collate")):
        response = read_response(y, "y", table, "x")
    classes, trees, traced = isinstance(response, Factor), count(ntreeTry, "ntreeTry"), flag(trace, "trace")
    default = float(math.floor(math.sqrt(p)) if classes else p // 3)
    start = default if mtryStart is None else number(mtryStart, "mtryStart")
    factor, least = number(stepFactor, "stepFactor", least=0), number(improve, "improve", least=0)
    best = flag(doBest, "doBest")
    if flag(plot, "plot"):
        pyplot()
    seed, quirks = arguments.pop("seed", None), read_quirks(arguments)
    with _random.call_stream(seed):
        data = SharedData.read(companion.kind(x=x, y=y, **arguments))
        search = _Search(data, p, classes, trees, traced, {})
        search.run(start, factor, least, quirks)
        result = search.table()
        if plot:
            draw_tuning(result)
        if not best:
            return result
        mtry = float(result["mtry"].iloc[int(np.argmin(result["OOBError"]))])
        return fit_task(data.task(replace(data.call, mtry=mtry)))


tuneRF = twin_of(
    tuneRRF,
    "tuneRF",
    "Search for the mtry with the smallest out-of-bag error of `randomForest` (R's ``tuneRF``).",
    """
    See Also
    --------
    tuneRRF : The same by `RRF`.

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(400).reshape(100, 4, order="F")
    >>> y = pyrrf.runif(100) < x[:, 0]
    >>> tried = pyrrf.tuneRF(x, y, trace=False, plot=False)  # doctest: +NORMALIZE_WHITESPACE
    -0.03703704 0.05
    -0.2222222 0.05
    >>> tried["mtry"].tolist()
    [1.0, 2.0, 4.0]
    """,
)


@dataclass(frozen=True)
class _Search:
    """The search; `errors` holds the error by mtry."""

    data: SharedData
    p: int
    classes: bool
    ntree: int
    trace: bool
    errors: dict[float, float]

    def run(self, start: float, factor: float, improve: float, quirks: bool) -> None:
        """Go down, then up, as long as the error falls enough."""
        best = self._try(start, " ")
        if math.isnan(best) and self.data.call.random_forest:
            raise bad.range("ntreeTry: no row was out of bag, and R stops there; pass more trees, or more rows")
        for direction in ("left", "right"):
            self._say(self.trace, f"Searching {direction} ...")
            best = self._walk(direction, start, factor, improve, best, quirks)

    def _walk(self, direction: str, mtry: float, factor: float, improve: float, best: float, quirks: bool) -> float:
        gain = 1.1 * improve
        while gain >= improve:
            mtry, old = self._next(direction, mtry, factor), mtry
            if mtry == old:
                break
            error = self._try(mtry, "\t")
            gain = self._gain(error, best, quirks)
            self._say(self.trace or quirks, f"{format_number(gain)} {format_number(improve)} ")
            if gain > improve:
                best = error
        return best

    def _next(self, direction: str, mtry: float, factor: float) -> float:
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            if direction == "left":
                return float(np.maximum(1, np.ceil(np.divide(mtry, factor))))
            return float(np.minimum(self.p, np.floor(np.multiply(mtry, factor))))

    def _gain(self, error: float, best: float, quirks: bool) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = float(1 - np.float64(error) / best)
        if math.isnan(gain) and quirks:
            other = "" if self.data.call.random_forest else ", or pass quirks=False"
            raise bad.undefined(
                f"the out-of-bag error is {format_number(error)} for two values of mtry, so R's measure of improvement "
                f"is not defined; use one of them as mtry{other}",
                None,
            )
        return 0.0 if math.isnan(gain) else gain

    def _try(self, mtry: float, gap: str) -> float:
        """Grow a forest and return its last out-of-bag error."""
        call = replace(self.data.call, mtry=min(mtry, sys.float_info.max), ntree=self.ntree, keep_forest=False)
        fit: Any = fit_task(self.data.task(call))
        error = float(fit.outcome.err_rate[-1, 0] if self.classes else fit.outcome.mse[-1])
        self.errors[float(number_text(mtry))] = error  # R keeps mtry as text
        shown = f"{_percent(error)}%" if self.classes else format_number(error)
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


def _percent(share: float) -> str:
    return "NaN" if math.isnan(share) else number_text(100 * float(numbers.round(share, 4)))
