"""Calls of rfcv, tuneRF and rfImpute, and varUsed, with random data and arguments, for live comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity import random_calls, random_regression
from parity.datasets.registry import MAKERS
from parity.random_calls import Chooser
from parity.steps import Case, Part, Ref, Step, case, runif, seed


def random_forest_companion(number: int) -> Case:
    """A companion of randomForest(), for classes or numbers, and draws; the same for the same number."""
    choose = Chooser(600_000 + number)
    kind = choose.one_of(random_calls, random_calls, random_regression)
    parts = kind.random_parts(choose)
    verb, args = choose.one_of(_folds, _tuning, _imputation)(choose, parts)
    shared = _shared(choose, len(parts["x"]))
    used = Step("varUsed", {"x": Ref("fit"), "count": False, "by_tree": choose.chance(0.3)}, "used")
    forest = Step("randomForest", {"x": Part("full"), "y": Part("y"), "ntree": choose.between(1, 4), **shared}, "fit")
    name = f"random_forest_companion_{number}"
    MAKERS[name] = lambda: parts
    return case(name, name, seed(number), Step(verb, args | shared, "answer"), forest, used, runif(2))


def _shared(choose: Chooser, n: int) -> dict[str, Any]:
    """Arguments that all of them pass on."""
    args: dict[str, Any] = {"replace": choose.chance(0.7)}
    if choose.chance(0.3):
        args["nodesize"] = choose.between(0, 12)
    if choose.chance(0.2):
        args["maxnodes"] = choose.between(2, 12)
    if choose.chance(0.2):
        args["sampsize"] = choose.between(n // 4, n // 2)
    return args


def _folds(choose: Chooser, parts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Folds of a table of two columns at least."""
    _widen(choose, parts)
    args: dict[str, Any] = {"trainx": Part("x"), "trainy": Part("y"), "ntree": choose.between(1, 6)}
    args |= {"cv_fold": choose.between(2, 6), "recursive": choose.chance(0.3)}
    if choose.chance(0.3):
        args |= {"scale": "linear", "step": choose.one_of(-1, -0.5)}
    elif choose.chance(0.5):
        args["step"] = choose.one_of(0.6, 0.75, 0.9)
    return "rfcv", args


def _tuning(choose: Chooser, parts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A search without a plot."""
    _widen(choose, parts)
    args: dict[str, Any] = {"x": Part("x"), "y": Part("y"), "ntreeTry": choose.between(5, 20), "plot": False}
    args |= {"stepFactor": choose.one_of(1.2, 1.5, 2, 3), "improve": choose.one_of(0, 0.01, 0.2)}
    args |= {"doBest": choose.chance(0.3), "trace": choose.chance(0.6)}
    if choose.chance(0.5):
        args["mtryStart"] = choose.between(1, parts["x"].shape[1])
    return "tuneRF", args


def _imputation(choose: Chooser, parts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Missing values in every column, few or many; a value of each column is known."""
    _widen(choose, parts)
    parts["x"] = _holed(choose, parts["x"], choose.one_of(0.02, 0.15, 0.4))
    return "rfImpute", {"x": Part("x"), "y": Part("y"), "iter": choose.between(1, 3), "ntree": choose.between(4, 20)}


def _widen(choose: Chooser, parts: dict[str, Any]) -> None:
    """Add a column, so that there are two; `full` is the table as it was made."""
    extra = choose.bits.normal(len(parts["x"]))
    x = parts["x"]
    parts["x"] = x.assign(extra=extra) if isinstance(x, pd.DataFrame) else np.column_stack([x, extra])
    parts["full"] = parts["x"]


def _holed(choose: Chooser, x: Any, share: float) -> Any:
    """The table with about this share of its values missing; the first row is whole."""
    holes = choose.bits.uniform(x.shape[0] * x.shape[1]).reshape(x.shape) < share
    holes[0], holes[1, 0] = False, True
    if isinstance(x, pd.DataFrame):
        return pd.DataFrame({name: x[name].where(~holes[:, at]) for at, name in enumerate(x)})
    return np.where(holes, np.nan, x)
