"""Calls with random data and arguments, for live comparison beyond the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.bits import Bits
from parity.datasets.registry import MAKERS
from parity.datasets.tables import labels
from parity.steps import Case, Column, Part, Positions, Step, case, fit, predict, printed, runif, seed

LEVELS = (2, 3, 5, 8, 10, 11, 13, 20, 31, 32)


class Chooser:
    """Random choices of a call, from `Bits`; `levels` are the sizes of its factors."""

    def __init__(self, number: int, levels: tuple[int, ...] = LEVELS) -> None:
        self.bits, self.levels = Bits(10_000 + number), levels

    def chance(self, share: float) -> bool:
        return bool(self.bits.uniform(1)[0] < share)

    def between(self, low: int, high: int) -> int:
        """Integer from low to high, both included."""
        return low + int(self.bits.integers(high - low + 1, 1)[0])

    def one_of(self, *items: Any) -> Any:
        return items[self.between(0, len(items) - 1)]

    def vector(self, length: int, low: float, high: float) -> list[float]:
        return (low + (high - low) * self.bits.uniform(length)).tolist()


def random_case(number: int) -> Case:
    """A fit, predictions and draws; the same for the same number."""
    choose = Chooser(number)
    parts = random_parts(choose)
    name = f"random_{number}"
    MAKERS[name] = lambda: parts
    args = random_arguments(choose, parts)
    steps = [seed(number), fit(**args), printed()]
    if args.get("keep_forest", "xtest" not in args):
        steps += random_predictions(choose)
    return case(name, name, *steps, runif(2))


# ---- data ----------------------------------------------------------------------------------------


def random_parts(choose: Chooser) -> dict[str, Any]:
    """x and y with two rows of each class at least; xtest and ytest from other rows."""
    classes, n = choose.between(2, 6), choose.between(24, 110)
    codes = np.concatenate([np.arange(classes)] * 2 + [choose.bits.integers(classes, n - 2 * classes)])
    codes = codes[choose.bits.order(n)]
    columns = random_columns(choose, codes)
    framed = choose.chance(0.5) or any(not isinstance(c, np.ndarray) for c in columns.values())
    x = pd.DataFrame(columns) if framed else np.column_stack(list(columns.values()))
    held = np.arange(n) >= n - choose.between(3, 8)
    new = x[held].reset_index(drop=True) if framed else x[held]
    return {"x": x, "y": labels(codes, count=classes), "new": new, "newy": labels(codes, count=classes)[held]}


def random_columns(choose: Chooser, codes: np.ndarray) -> dict[str, Any]:
    """Numeric columns with more or fewer ties, the first without, and factors."""
    n = len(codes)
    columns: dict[str, Any] = {}
    for at in range(choose.between(1, 12)):
        values = choose.bits.normal(n) + choose.one_of(0.0, 0.5, 1.5) * ((codes * (at + 1)) % 3)
        decimals = choose.one_of(None, 2, 1, 0) if at else None
        columns[f"x{at}"] = values if decimals is None else np.round(values, decimals) + 0.0
    for at in range(choose.one_of(0, 0, 1, 2, 3)):
        size = choose.one_of(*choose.levels)
        drawn = (choose.bits.integers(size, n) + choose.one_of(0, 1) * codes) % size
        categories = [f"L{i}" for i in range(size)]
        columns[f"f{at}"] = pd.Categorical.from_codes(drawn, categories=categories, ordered=choose.chance(0.2))
    return columns


# ---- arguments -----------------------------------------------------------------------------------


def random_arguments(choose: Chooser, parts: dict[str, Any]) -> dict[str, Any]:
    """Arguments of RRF; none on which CRAN RRF loops for ever or reads outside its arrays."""
    n, p = parts["x"].shape
    args: dict[str, Any] = {"ntree": choose.between(1, 12), "flagReg": choose.one_of(0, 1, 1, 1)}
    for name in ("importance", "localImp", "keep_inbag"):
        if choose.chance(0.25):
            args[name] = True
    if choose.chance(0.4):
        args["mtry"] = choose.between(1, p)
    if choose.chance(0.3):
        args["norm_votes"] = False
    if choose.chance(0.2):
        args["proximity"] = True
        args["oob_prox"] = choose.chance(0.5)
    return args | random_sizes(choose, parts, n) | random_penalty(choose, p) | random_weights(choose, parts)


def random_sizes(choose: Chooser, parts: dict[str, Any], n: int) -> dict[str, Any]:
    """Bags, nodes, trees and the test set."""
    args: dict[str, Any] = {"replace": choose.chance(0.7)}
    sizes = np.bincount(parts["y"].codes)
    kind = choose.between(0, 3)
    if kind == 1:
        args["sampsize"] = choose.between(n // 3, n - 1)
    elif kind == 2:
        args["sampsize"] = [choose.between(1 + (s > 2), int(s)) for s in sizes]
    if choose.chance(0.3):
        args["nodesize"] = choose.between(1, 4)
    if choose.chance(0.3):
        args["maxnodes"] = choose.between(2, 12)
    if choose.chance(0.3):
        args["xtest"] = Part("new")
        args |= {"ytest": Part("newy")} if choose.chance(0.6) else {}
        args |= {"keep_forest": True} if choose.chance(0.5) else {}
    if choose.chance(0.15):
        args["do_trace"] = choose.between(1, 4)
    return args


def random_penalty(choose: Chooser, p: int) -> dict[str, Any]:
    """coefReg and feaIni."""
    args: dict[str, Any] = {}
    kind = choose.between(0, 4)
    if kind == 1:
        args["coefReg"] = choose.one_of(0.3, 0.7, 0.95, 1)
    elif kind >= 2:
        vector = choose.vector(p, 0.2 if kind == 2 else -0.2, 1.0)
        vector[choose.between(0, p - 1)] = 1.0
        args["coefReg"] = Column(tuple(vector)) if kind == 4 else vector
    if choose.chance(0.2):
        args["feaIni"] = Positions(tuple({choose.between(0, p - 1) for _ in range(3)}))
    return args


def random_weights(choose: Chooser, parts: dict[str, Any]) -> dict[str, Any]:
    """classwt and cutoff."""
    args: dict[str, Any] = {}
    classes = len(parts["y"].categories)
    if choose.chance(0.25):
        args["classwt"] = choose.vector(classes, 0.1, 3.0)
    if choose.chance(0.25):
        cutoff = np.array(choose.vector(classes, 0.2, 1.0))
        args["cutoff"] = (cutoff / cutoff.sum() * 0.99).tolist()
    return args


def random_predictions(choose: Chooser) -> list[Step]:
    """Predictions with random arguments, one after the other."""
    steps = []
    for at in range(choose.between(1, 3)):
        args: dict[str, Any] = {"newdata": Part(choose.one_of("x", "new"))}
        args["type"] = choose.one_of("response", "prob", "vote")
        for name in ("predict_all", "nodes", "proximity"):
            if choose.chance(0.2):
                args[name] = True
        if choose.chance(0.3):
            args["norm_votes"] = False
        steps.append(predict(f"prediction{at}", **args))
    return steps
