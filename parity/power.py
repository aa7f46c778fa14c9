"""Power of the statistical comparison: how often it rejects a fault, and how often no fault.

A fault is an argument that pyrrf is given and R was not. pyrrf grows `FAULT_BLOCKS` blocks of seeds with it, and from
these forests blocks are drawn: the share of them that is rejected is the chance of rejection. Without a fault, blocks
of other seeds are grown.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import pyrrf
from parity.bits import Bits
from parity.statistics import LIMIT, RUNS, SEEDS, block, data, differences

BLOCKS = 20
"""Blocks of other seeds that an unchanged pyrrf grows."""

POWER = 0.9
FAULT_BLOCKS = 2
DRAWS = 500
Changed = dict[str, Any]

# ---- faults --------------------------------------------------------------------------------------


@cache
def _small(name: str) -> Any:
    """One tree of the run, which knows the defaults of its arguments."""
    run = RUNS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return getattr(pyrrf, run.call)(*data(name).values(), seed=1, **{**run.arguments, "ntree": 1})


def _coefficients(factor: float) -> Callable[[str], Changed]:
    """All coefficients times a factor; of a guided run `lambda0`, which is 1 and can only be made smaller."""

    def arguments(name: str) -> Changed:
        run = RUNS[name]
        if run.call == "RRF":
            return {"coefReg": run.arguments.get("coefReg", 0.8) * factor}
        return {"lambda0": factor} if run.call == "GRRF" and factor < 1 else {}

    return arguments


def _first_coefficient(name: str) -> Changed:
    run = RUNS[name]
    coefficients = np.full(data(name)["x"].shape[1], run.arguments.get("coefReg", 0.8))
    coefficients[0] *= 1.05
    return {"coefReg": coefficients} if run.call == "RRF" else {}


def _gamma(factor: float) -> Callable[[str], Changed]:
    return lambda name: {"gamma": RUNS[name].arguments["gamma"] * factor} if RUNS[name].call == "GRRF" else {}


def _smaller_bags(name: str) -> Changed:
    rows = len(data(name)["x"])
    return {"sampsize": (rows if RUNS[name].arguments.get("replace", True) else math.ceil(0.632 * rows)) - 1}


def _by_class(argument: str) -> Callable[[str], Changed]:
    """A share of each class, 2 % more for the first."""

    def arguments(name: str) -> Changed:
        if _small(name).type != "classification":
            return {}
        classes = len(_small(name).classes)
        rest = (1 - 1.02 / classes) / (classes - 1)
        return {argument: [1.02 / classes] + [rest] * (classes - 1)}

    return arguments


FAULTS: dict[str, Callable[[str], Changed]] = {
    "coefReg 2 % up": _coefficients(1.02),
    "coefReg 2 % down": _coefficients(0.98),
    "mtry + 1": lambda name: {"mtry": _small(name).mtry + 1},
    "nodesize + 1": lambda name: {"nodesize": 6 if _small(name).type == "regression" else 2},
    "30 trees for 40": lambda name: {"ntree": 30},
    "coefReg 1 % up": _coefficients(1.01),
    "coefReg 0.5 % up": _coefficients(1.005),
    "coefReg of one feature 5 % up": _first_coefficient,
    "gamma 2 % up": _gamma(1.02),
    "gamma 10 % up": _gamma(1.1),
    "39 trees for 40": lambda name: {"ntree": 39},
    "a row fewer in each bag": _smaller_bags,
    "classwt of one class 2 % up": _by_class("classwt"),
    "cutoff of one class 2 % up": _by_class("cutoff"),
}
"""Changed arguments of a run; none where the fault does not apply. The first five must be seen."""

NEEDED = list(FAULTS)[:5]
SMALLER_IN = ("classes", "randomForest", "unsupervised")
"""Runs in which the other faults are grown, to save time; those of gamma in the guided run."""

OF_ENGINE: dict[str, dict[str, Callable[[str], Changed]]] = {
    "r": {"quirks=False": lambda name: {"quirks": False} if RUNS[name].call != "randomForest" else {}},
    "parallel": {"ties='first'": lambda name: {"ties": "first"}},
}

# ---- measuring -----------------------------------------------------------------------------------


def chance(name: str, grown: np.ndarray) -> float:
    """Share of blocks, drawn from faulty forests, that are rejected."""
    bits = Bits(203)
    drawn = (grown[bits.integers(len(grown), SEEDS)] for _ in range(DRAWS))
    return float(np.mean([largest(name, part) > LIMIT for part in drawn]))


def largest(name: str, grown: np.ndarray) -> float:
    """Largest difference from R, in SD."""
    return float(np.abs(differences(name, grown)).max())


def measure(name: str, engine: str) -> dict[str, Any]:
    """Largest difference in each block without a fault, and the chance of rejection by fault."""
    faults = {}
    for number, (fault, changed) in enumerate((FAULTS | OF_ENGINE[engine]).items()):
        first = 1 + BLOCKS + number * FAULT_BLOCKS
        if changed(name) and (fault in NEEDED or name in SMALLER_IN or fault.startswith("gamma")):
            grown = [block(name, engine, at, **changed(name)) for at in range(first, first + FAULT_BLOCKS)]
            faults[fault] = chance(name, np.vstack(grown))
    unchanged = [largest(name, block(name, engine, number)) for number in range(1, 1 + BLOCKS)]
    return {"unchanged": unchanged, "faults": faults}
