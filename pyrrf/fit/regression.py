"""Regression forests."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pyrrf._core.records import CoreResult, RegressionOutcome, RegressionTest
from pyrrf.checks import MOST_COUNT, array_of, scale_trouble, warn
from pyrrf.data.predictors import MAX_CATEGORIES
from pyrrf.errors import bad
from pyrrf.fit.arguments import (
    read_flags,
    resolve_free_nodesize,
    resolve_growing,
    resolve_max_nodes,
    resolve_n_perm,
    resolve_trace,
)
from pyrrf.fit.call import Call
from pyrrf.fit.engine import Engine
from pyrrf.fit.reading import Data
from pyrrf.fit.sampling import resolve_bag_size
from pyrrf.fit.task import Task
from pyrrf.fit.trace import RegressionTrace
from pyrrf.rbase.arithmetic import mean, total
from pyrrf.result.forest import Filler, Forest
from pyrrf.result.random_forest import RandomForestRegression
from pyrrf.result.regression import RegressionResult, RRFRegressionTestSet
from pyrrf.result.rrf import RRFRegression
from pyrrf.types import Floats

# With at most this many different numbers in y, R asks whether regression is meant.
_FEW_VALUES = 5
# Of whole numbers pyrrf asks for more of them: up to this share of the rows, and no more than a factor has levels.
_FEW_OF_ROWS = 0.1


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionTask(Task):
    """A regression forest."""

    # Number subtracted from the responses. CRAN randomForest grows trees on their distances from the mean.
    location: float = 0.0

    def printer(self) -> RegressionTrace:
        """Return the function that prints a line of R's table."""
        return RegressionTrace(self.rows.response, self.rows.test_response, self.data.test is not None)

    def result(self, grown: CoreResult) -> RegressionResult:
        """Return the fit of a forest that the core has grown."""
        outcome, x = grown.outcome, self.data.x
        assert isinstance(outcome, RegressionOutcome)
        outcome = replace(outcome, predicted=np.where(outcome.oob_times == 0, np.nan, outcome.predicted))
        if self.call.random_forest:
            return self._of_random_forest(grown, outcome)
        fit = RRFRegression(
            about=self.about(),
            response=self.rows.response,
            outcome=outcome,
            forest=None if grown.trees is None else Forest(grown.trees, x.ncat, x.coded),
            test=self._test(grown),
        )
        fit.whole_y = self.data.whole
        return fit

    def _of_random_forest(self, grown: CoreResult, outcome: RegressionOutcome) -> RandomForestRegression:
        """Return the fit with the mean put back; the errors and their shares of the variance are without it."""
        trees, x, mean = grown.trees, self.data.x, self.location
        forest = None
        if trees is not None:
            trees = replace(trees, prediction=trees.prediction + mean)
            filler = Filler(len(trees.offset) - 1, int(np.diff(trees.offset).max()), mean)
            forest = Forest(trees, x.ncat, x.coded, fillers=(filler,))
        return RandomForestRegression(
            about=self.about(),
            response=self.rows.response + mean,
            centred=self.rows.response,
            outcome=replace(outcome, predicted=outcome.predicted + mean),
            forest=forest,
            test=self._test(grown),
        )

    def _test(self, grown: CoreResult) -> RRFRegressionTestSet | None:
        test, outcome, n = self.data.test, grown.test, self.data.shape[0]
        if test is None:
            return None
        assert isinstance(outcome, RegressionTest)
        # R takes the number of training rows for the variance of the test set too.
        divisor = n if self.engine.quirks else len(test.rows)
        outcome = replace(outcome, predicted=outcome.predicted + self.location)
        return RRFRegressionTestSet(outcome, test.rows, self.data.x.rows, self.rows.test_response, divisor)


def regression(call: Call, engine: Engine, data: Data) -> RegressionTask:
    """Return the task of a forest for the numbers of the response."""
    response = data.numbers
    assert response is not None
    if not data.meant:
        _warn_few_values(response, data.whole)
    _check_scale(response, engine)
    _warn_ignored(call, engine)
    flags, (n, p) = read_flags(call, data), data.shape
    sampling = resolve_bag_size(call.sampsize, flags["replace"], n, "regression", minimum=1)
    nodesize = resolve_free_nodesize(call.nodesize, 5)
    leaf_size = 1.0 if call.random_forest else max(1.0, nodesize - 4)
    location = _mean_of(response, data.whole) if call.random_forest else 0.0
    return RegressionTask(
        call=call,
        engine=engine,
        data=data,
        rows=data.rows(
            _subtract(location, response, "y"),
            1,
            None if data.observed is None else _subtract(location, data.observed, "ytest"),
        ),
        growing=resolve_growing(
            call,
            engine,
            data,
            flags,
            sampling,
            nodesize=nodesize,
            max_nodes=resolve_max_nodes(call.maxnodes, sampling.total, leaf_size, engine, least=1),
            mtry=max(p // 3, 1),
            n_perm=resolve_n_perm(call.nPerm),
        ),
        trace=resolve_trace(call.do_trace),
        location=location,
    )


def _mean_of(response: Floats, whole: bool) -> float:
    """Return R's mean(), which for integers is not corrected by the residuals."""
    if whole and np.abs(response).max() <= MOST_COUNT:
        return float(np.longdouble(total(response)) / len(response))
    return mean(response)


def _subtract(location: float, values: Floats, name: str) -> Floats:
    """Return values minus the mean of y; ValueError if one of them is infinite, with which R stops."""
    with np.errstate(over="ignore"):
        centred = values - location
    if not np.isfinite(centred).all():
        raise bad.scale(f"{name} minus the mean of y is infinite; divide y and ytest by a power of ten, to be near 1")
    return centred


def _check_scale(response: Floats, engine: Engine) -> None:
    """Raise ValueError where no split would be the best of a node; with engine r warn, since R answers."""
    trouble = scale_trouble(response)
    if trouble and engine.parallel:
        raise bad.scale(trouble, "y")
    if trouble:
        warn(f"{trouble}: as in R, sums of squares may be infinite or 0, and such nodes are not split")


def _warn_few_values(response: Floats, whole: bool) -> None:
    """Warn where the numbers may have been meant as classes; whole: they came as a type of whole numbers."""
    most = max(_FEW_VALUES, min(MAX_CATEGORIES, int(len(response) * _FEW_OF_ROWS)) if whole else 0)
    # The first 100 values mostly decide, and are quickly counted.
    if any(len(np.unique(values)) > most for values in (response[:100], response)):
        return
    n_values = len(np.unique(response))
    if n_values <= _FEW_VALUES:
        warn(
            "y holds five or fewer different numbers; as in R they mean regression; for classes pass pd.Categorical(y)"
        )
    else:
        warn(
            f"y holds {n_values} different whole numbers, few for {len(response)} rows; they mean regression; "
            "for classes pass pd.Categorical(y), for regression y.astype(float)"
        )


def _warn_ignored(call: Call, engine: Engine) -> None:
    """Warn of arguments that a regression does not use."""
    for name, value in (("strata", call.strata), ("classwt", call.classwt), ("cutoff", call.cutoff)):
        if value is not None:
            warn(f"{name} has no effect in regression")
    if not engine.quirks:
        return
    if call.feaIni is not None and array_of(call.feaIni, "feaIni").size:
        warn("feaIni has no effect in regression, as in R; pass quirks=False to start from these features")
    if call.coefReg is not None and call.flagReg == 0:
        warn("coefReg has no effect in regression with flagReg=0, as in R; pass quirks=False to use it")
