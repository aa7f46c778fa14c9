"""Calls of regression and unsupervised mode with random data and arguments, for live comparison beyond the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.datasets.registry import MAKERS
from parity.random_calls import Chooser, random_columns, random_penalty
from parity.steps import Case, Part, Step, case, fit, importance, predict, printed, runif


def random_regression(number: int) -> Case:
    """A regression, predictions and draws; the same for the same number."""
    choose = Chooser(100_000 + number)
    parts = random_parts(choose)
    name = f"random_regression_{number}"
    MAKERS[name] = lambda: parts
    args = random_arguments(choose, parts)
    steps = [fit(**args), printed(), importance(scale=choose.chance(0.7))]
    if args.get("keep_forest", "xtest" not in args):
        steps += random_predictions(choose)
    return case(name, name, Step("set_seed", {"seed": number}, "seed"), *steps, runif(2))


def random_unsupervised(number: int) -> Case:
    """A forest without response, its votes and draws; the same for the same number."""
    choose = Chooser(200_000 + number)
    parts = random_parts(choose)
    name = f"random_unsupervised_{number}"
    MAKERS[name] = lambda: parts
    args = random_unsupervised_arguments(choose, parts)
    steps = [fit(y=None, **args), printed(), importance()]
    return case(name, name, Step("set_seed", {"seed": number}, "seed"), *steps, runif(2))


# ---- data ----------------------------------------------------------------------------------------


def random_parts(choose: Chooser) -> dict[str, Any]:
    """x and y; y has more or fewer ties, an offset and a scale."""
    n = choose.between(12, 130)
    groups = choose.bits.integers(5, n)
    columns = random_columns(choose, groups)
    framed = choose.chance(0.5) or any(not isinstance(c, np.ndarray) for c in columns.values())
    x = pd.DataFrame(columns) if framed else np.column_stack(list(columns.values()))
    y = groups + choose.one_of(0.2, 1.0, 3.0) * choose.bits.normal(n)
    decimals = choose.one_of(None, None, 2, 0)
    y = y if decimals is None else np.round(y, decimals) + 0.0
    y = y * choose.one_of(1.0, 1e-3, 1e4) + choose.one_of(0.0, 0.0, -50.0, 1e7)
    held = np.arange(n) >= n - choose.between(3, 8)
    new = x[held].reset_index(drop=True) if framed else x[held]
    return {"x": x, "y": y, "new": new, "newy": y[held]}


# ---- arguments -----------------------------------------------------------------------------------


def random_arguments(choose: Chooser, parts: dict[str, Any]) -> dict[str, Any]:
    """Arguments of a regression; none on which CRAN RRF reads outside its arrays."""
    n, p = parts["x"].shape
    args = random_shared(choose, p)
    for name in ("localImp", "corr_bias"):
        if choose.chance(0.25):
            args[name] = True
    if choose.chance(0.3):
        args["nPerm"] = choose.between(1, 3)
    if choose.chance(0.25):
        args["proximity"] = True
    if choose.chance(0.3):
        args["sampsize"] = choose.between(1, n)
    if choose.chance(0.4):
        args["nodesize"] = choose.between(0, 15)
    if choose.chance(0.25):
        args["maxnodes"] = choose.between(1, 20)
    if choose.chance(0.35):
        args["xtest"] = Part("new")
        args |= {"ytest": Part("newy")} if choose.chance(0.6) else {}
        args |= {"keep_forest": True} if choose.chance(0.5) else {}
    return args


def random_shared(choose: Chooser, p: int) -> dict[str, Any]:
    """Arguments of both kinds."""
    args: dict[str, Any] = {"ntree": choose.between(1, 12), "flagReg": choose.one_of(0, 1, 1, 1)}
    args["replace"] = choose.chance(0.7)
    for name in ("importance", "keep_inbag"):
        if choose.chance(0.3):
            args[name] = True
    if choose.chance(0.4):
        args["mtry"] = choose.between(1, p)
    if choose.chance(0.15):
        args["do_trace"] = choose.between(1, 4)
    return args | random_penalty(choose, p)


def random_unsupervised_arguments(choose: Chooser, parts: dict[str, Any]) -> dict[str, Any]:
    """Arguments without response; none on which CRAN RRF loops for ever or writes outside its arrays."""
    n, p = parts["x"].shape
    args = random_shared(choose, p)
    if choose.chance(0.3):
        args["norm_votes"] = False
    kind = choose.between(0, 2)
    if kind:
        args["proximity"] = kind == 1
        args["oob_prox"] = choose.chance(0.5)
    if choose.chance(0.3):
        args["sampsize"] = choose.between(n, 2 * n - 1)
    if choose.chance(0.3):
        args["nodesize"] = choose.between(1, 4)
    if choose.chance(0.3):
        args["keep_forest"] = True
    if choose.chance(0.3):
        args |= {"xtest": Part("new"), "proximity": False}
    if choose.chance(0.2):
        args["classwt"] = choose.vector(2, 0.5, 2.0)
    return args


def random_predictions(choose: Chooser) -> list[Step]:
    """Predictions with random arguments, one after the other."""
    steps = []
    for at in range(choose.between(1, 3)):
        args: dict[str, Any] = {"newdata": Part(choose.one_of("x", "new"))}
        for name in ("predict_all", "nodes", "proximity"):
            if choose.chance(0.25):
                args[name] = True
        steps.append(predict(f"prediction{at}", **args))
    return steps
