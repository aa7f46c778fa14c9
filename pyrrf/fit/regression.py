"""Regression forests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pyrrf import _core
from pyrrf.checks import number, warn
from pyrrf.data.inputs import Factor, Predictors, check_length, read_labels
from pyrrf.fit import arguments as rules
from pyrrf.fit.call import Task, common_arguments, common_parts, read_test_rows
from pyrrf.fit.parallel import Rows, grow_parallel
from pyrrf.fit.progress import watch
from pyrrf.fit.trace import RegressionTrace
from pyrrf.r.numerics import variance
from pyrrf.random import call_stream
from pyrrf.result.forest import Forest
from pyrrf.result.regression import RRFRegression, RRFRegressionTestSet

# R doubts that a response of so few values is meant for regression.
_FEW_VALUES = 5


def fit_regression(task: Task, response: np.ndarray) -> RRFRegression:
    """Grow a forest for the numbers of `response`."""
    _, p = task.shape
    # The core wants neighbouring doubles, and the fit values that the caller cannot change.
    response = response.copy()
    # The first values mostly decide.
    if all(len(np.unique(part)) <= _FEW_VALUES for part in (response[:100], response)):
        warn(
            "y holds five or fewer different numbers, which mean regression, as in R; "
            "for classes pass pd.Categorical(y)"
        )
    _warn_ignored(task)
    common = common_arguments(task, default_mtry=max(p // 3, 1))
    sizes = _sizes(task)
    test = read_test_rows(task)
    observed = None if test is None else _read_observed(task, test)
    raw = _grow(task, response, common | sizes, test, observed)
    return _result(task, response, common, raw, test, observed)


def _warn_ignored(task: Task) -> None:
    """Warn of arguments that a regression does not use."""
    for name in ("strata", "classwt", "cutoff"):
        if task[name] is not None:
            warn(f"{name} has no effect in regression")
    if not task.flags["quirks"]:
        return
    if task["feaIni"] is not None and np.size(task["feaIni"]):
        warn("feaIni has no effect in regression, as in R; pass quirks=False to start from these features")
    if task["coefReg"] is not None and task["flagReg"] == 0:
        warn("coefReg has no effect in regression with flagReg=0, as in R; pass quirks=False to use it")


def _sizes(task: Task) -> dict[str, Any]:
    """Sizes of bags, nodes and trees."""
    n, _ = task.shape
    sampling = rules.resolve_bag_size(task["sampsize"], task.flags["replace"], n, "regression", minimum=1)
    nodesize = rules.resolve_regression_nodesize(task["nodesize"])
    largest = 2 * math.trunc(sampling.total / max(1.0, nodesize - 4)) + 1
    return {
        "sampsize": sampling.sizes,
        "nodesize": int(nodesize),
        "max_nodes": rules.resolve_max_nodes(task["maxnodes"], largest, least=1),
        "n_perm": max(1, int(number(task["nPerm"], "nPerm"))),
        "corr_bias": task.flags["corr_bias"],
    }


def _read_observed(task: Task, test: Predictors) -> np.ndarray | None:
    """Return `ytest` as float64, shape (ntest,)."""
    if task["ytest"] is None:
        return None
    observed = read_labels(task["ytest"], "ytest")
    if isinstance(observed, Factor):
        raise TypeError("ytest must hold numbers, as y does")
    check_length(len(observed), len(test.rows), "ytest", "xtest")
    return np.ascontiguousarray(observed)


def _grow(
    task: Task,
    response: np.ndarray,
    arguments: Mapping[str, Any],
    test: Predictors | None,
    observed: np.ndarray | None,
) -> dict[str, Any]:
    """Call the core."""
    trace = rules.resolve_trace(task["do_trace"])
    if task.engine.parallel:
        rows = Rows(task.x.values, response, 1, test, observed)
        # The test set has its turn when all trees are grown.
        printer = RegressionTrace(response, None, with_test=False) if trace else None
        return grow_parallel(task, rows, {**arguments, "classwt": None, "cutoff": np.ones(1)}, trace, printer)
    printer = RegressionTrace(response, observed, test is not None) if trace else None
    with call_stream() as stream, watch(arguments["ntree"], trace, printer) as (every, on_tree):
        raw: dict[str, Any] = _core.fit_regression(
            task.x.values,
            task.x.ncat,
            response,
            xtest=None if test is None else test.values,
            ytest=observed,
            **arguments,
            stream=stream,
            trace=every,
            on_tree=on_tree,
        )
    return raw


def _result(
    task: Task,
    response: np.ndarray,
    common: Mapping[str, Any],
    raw: dict[str, Any],
    test: Predictors | None,
    observed: np.ndarray | None,
) -> RRFRegression:
    n, _ = task.shape
    trees, raw_test, coefs = raw.pop("forest"), raw.pop("test"), raw.pop("coef")
    raw["predicted"][raw["oob_times"] == 0] = np.nan
    raw["rsq"] = explained(raw["mse"], response, n)
    test_set = None
    if test is not None:
        # R takes the number of training rows here too.
        rows = n if task.flags["quirks"] else len(test.rows)
        raw_test["rsq"] = None if observed is None else explained(raw_test["mse"], observed, rows)
        test_set = RRFRegressionTestSet(raw_test, test.rows, task.x.rows)
    forest = None if trees is None else Forest(trees, task.x.ncat, task.x.coded)
    parts = {"response": response, "coefs": coefs, "test": test_set, "raw": raw, "forest": forest}
    return RRFRegression(**common_parts(task, common), **parts)


def explained(errors: np.ndarray, response: np.ndarray, n: int) -> np.ndarray:
    """Return R's rsq: 1 minus mean squared errors over the variance with divisor n."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(1 - errors / np.float64(variance(response) * (n - 1) / n))
