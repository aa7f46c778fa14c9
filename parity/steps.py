"""Cases: named lists of steps on one random stream, written once for R and for Python.

Arguments carry pyrrf's names (`oob_prox` is R's `oob.prox`). Column positions are given from 0
(`Positions`) and passed to R from 1.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

FITS = ("RRF", "GRRF", "randomForest", "ordinary")
"""Verbs whose result is a fit."""

OF_RANDOM_FOREST = ("randomForest", "rfcv", "tuneRF", "rfImpute")
"""Functions of the package randomForest that RRF has not under these names."""


@dataclass(frozen=True)
class Part:
    """A part of the case's data set: "x", "y", "xtest", ..."""

    name: str


@dataclass(frozen=True)
class Ref:
    """The result of an earlier step."""

    name: str


@dataclass(frozen=True)
class Positions:
    """Column positions from 0; R gets them from 1."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Named:
    """A vector with names: R's c(a = 1, b = 2)."""

    values: dict[str, float]


@dataclass(frozen=True)
class Column:
    """A matrix of one column."""

    values: tuple[float, ...]


@dataclass(frozen=True)
class Bare:
    """Text that is code in R and a string in Python: a formula, a condition, a function's name."""

    text: str


@dataclass(frozen=True)
class Labels:
    """A factor given in the call; `levels` fixes the order."""

    values: tuple[str, ...]
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Refusal:
    """The error that a step must end with on both sides.

    Parameters
    ----------
    argument : str
        What pyrrf's message is about: it starts with this name, or with "the" or "column '...' of" and the name.
    r : str
        Part of R's message.
    kind : str, optional
        Class of pyrrf's error.
    """

    argument: str
    r: str
    kind: str = "ValueError"


@dataclass(frozen=True)
class Step:
    """One call. Its result is kept under `name` for later steps.

    Parameters
    ----------
    verb : str
        A key of `r_side.VERBS` and `python_side.VERBS`.
    args : dict
        Arguments by pyrrf's names.
    name : str
    keep : tuple of str, optional
        For a fit, the components that are answered; all by default.
    refusal : Refusal, optional
        The error that the step must end with. A step without one must go through.
    """

    verb: str
    args: dict[str, Any] = field(default_factory=dict)
    name: str = "value"
    keep: tuple[str, ...] | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Case:
    """A named list of steps on one data set; `collate` is the order of strings, "C" or "en_US"."""

    name: str
    data: str
    steps: tuple[Step, ...]
    collate: str = "C"


def packages(item: Case) -> frozenset[str]:
    """The packages of R that a case needs."""
    verbs = {step.verb for step in item.steps}
    needed = {"randomForest" if verb in OF_RANDOM_FOREST else "RRF" for verb in verbs if verb in FITS}
    if verbs & set(OF_RANDOM_FOREST):
        needed.add("randomForest")
    if any(step.args.get("what") == "folds" for step in item.steps):
        needed |= {"RRF", "randomForest"}
    return frozenset(needed) or frozenset({"RRF"})


def case_digest(item: Case, data_digest: str) -> str:
    """Hash of a case's definition and data; a recorded answer belongs to one digest."""
    plain = [item.name, data_digest, [_plain_step(step) for step in item.steps]]
    plain += [] if item.collate == "C" else [item.collate]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _plain_step(step: Step) -> list[Any]:
    args = {key: _plain_argument(value) for key, value in step.args.items()}
    return [step.verb, step.name, step.keep, args]


def _plain_argument(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, dataclasses.asdict(value)]
    return value
