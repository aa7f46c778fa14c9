"""Calls of randomForest() with random data and arguments: those of RRF's random calls that it shares, and its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from parity import random_calls, random_regression
from parity.datasets.registry import MAKERS
from parity.derived import OF_RRF
from parity.random_calls import LEVELS, Chooser
from parity.steps import Case, Part, Step, case, importance, printed, runif, seed

WIDE_LEVELS = (*LEVELS, 33, 40, 53)


def random_forest_case(number: int) -> Case:
    """A forest for classes, predictions and draws; the same for the same number."""
    choose = Chooser(300_000 + number, WIDE_LEVELS)
    parts = random_calls.random_parts(choose)
    args = _without(random_calls.random_arguments(choose, parts)) | _weights(choose, len(parts["x"]))
    steps = [_forest(**args), printed()]
    if args.get("keep_forest", "xtest" not in args):
        steps += random_calls.random_predictions(choose)
    return _case(f"random_forest_{number}", number, parts, steps)


def random_forest_unsupervised(number: int) -> Case:
    """A forest without response, its votes and draws; the same for the same number."""
    choose = Chooser(400_000 + number, WIDE_LEVELS)
    parts = random_regression.random_parts(choose)
    args = _without(random_regression.random_unsupervised_arguments(choose, parts))
    steps = [_forest(**args | {"y": None}), printed(), importance()]
    return _case(f"random_forest_unsupervised_{number}", number, parts, steps)


def random_forest_regression(number: int) -> Case:
    """A forest for numbers, predictions and draws; the same for the same number."""
    choose = Chooser(500_000 + number, WIDE_LEVELS)
    parts = random_regression.random_parts(choose)
    if choose.chance(0.2):
        parts |= {name: np.round(parts[name]).astype(np.int64) for name in ("y", "newy")}
    args = _without(random_regression.random_arguments(choose, parts)) | _weights(choose, len(parts["x"]))
    if args.get("proximity"):
        args["oob_prox"] = choose.chance(0.7)
    steps = [_forest(**args), printed(), importance(scale=choose.chance(0.7))]
    if args.get("keep_forest", "xtest" not in args):
        steps += random_regression.random_predictions(choose)
    return _case(f"random_forest_regression_{number}", number, parts, steps)


def _forest(**args: Any) -> Step:
    return Step("randomForest", {"x": Part("x"), "y": Part("y"), **args}, "fit")


def _case(name: str, number: int, parts: dict[str, Any], steps: list[Step]) -> Case:
    MAKERS[name] = lambda: parts
    return case(name, name, seed(number), *steps, runif(2))


def _without(args: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in args.items() if name not in OF_RRF}


def _weights(choose: Chooser, n: int) -> dict[str, Any]:
    """Weights of the rows, for some calls."""
    return {"weights": choose.vector(n, 0.05, 3.0)} if choose.chance(0.3) else {}
