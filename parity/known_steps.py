"""Differences that DIFFERENCES.md states, as conditions of a step and its answers on both sides."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pandas as pd

from parity.answers import Answer
from parity.compare import compare
from parity.steps import FITS, Part, Step
from parity.values import Value

GROWING = ("rrfcv", "rfcv", "tuneRRF", "tuneRF", "rrfImpute", "rfImpute", "GRRF", "grow")
"""Functions that grow several forests."""

Condition = Callable[[Step, Answer, Answer, dict[str, Any]], bool]


def known_difference(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> str:
    """Return the line of DIFFERENCES.md that explains the step's difference, or nothing."""
    return next((line for line, holds in KNOWN.items() if holds(step, r, py, parts)), "")


def alone(word: str, *verbs: str) -> Condition:
    """Only pyrrf refuses, and its message has the words."""
    return lambda step, r, py, parts: r.failed is None and word in (py.failed or "") and step.verb in (verbs or FITS)


def answered(word: str, *verbs: str) -> Condition:
    """Only R refuses, with these words."""
    return lambda step, r, py, parts: py.failed is None and word in (r.failed or "") and step.verb in (verbs or FITS)


def _no_variable(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return step.verb == "varUsed" and r.value.kind == "record" and not r.value.data and step.args.get("by_tree", False)


def _sizes_of_combined(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return step.verb == "treesize" and r.value.kind == "numbers" and r.value.data.ndim == 2


def _test_of_combined(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return step.verb in ("combine", "grow") and any("not meaningful for factors" in said for said in r.warned)


def _one_centre(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return step.args.get("what") == "centres" and "x" in parts and parts["x"].shape[1] == 1


def _thirty_one(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return step.verb == "randomForest" and "fewer than two classes" in (r.failed or "") and py.failed is not None


def _overrun(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return "makes R write outside its arrays" in (py.failed or "")


def _stopped_half_way(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    draws = step.verb in GROWING or step.args.get("what") == "centres"
    both_failed = r.failed is not None and py.failed is not None
    return draws and both_failed and _place(r) != _place(py)


def _place(answer: Answer) -> tuple[int, str]:
    return answer.stream.position, answer.stream.digest


def _empty_label(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    y = parts.get("y", parts["data"].get("y") if "data" in parts else None)
    return r.failed is not None and y is not None and "" in pd.Categorical(y).categories


def _names_of_missing(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    """Only names differ, in predictions of rows of which some miss values."""
    new = step.args.get("newdata")
    holed = isinstance(new, Part) and pd.DataFrame(parts[new.name]).isna().to_numpy().any()
    return step.verb == "predict" and bool(holed) and not [*compare(_bare(r.value), _bare(py.value), "value")]


def _names_of_combined(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    """Only names differ, in the out-of-bag classes of a fit; steps before it say whether it was a combined one."""
    names = step.verb == "predict" and "newdata" not in step.args and r.value.names == [None]
    return names and r.value.kind == "factor" and not [*compare(_bare(r.value), _bare(py.value), "value")]


def _bare(value: Value) -> Value:
    """A value without names."""
    data = {name: _bare(part) for name, part in value.data.items()} if value.kind == "record" else value.data
    return dataclasses.replace(value, data=data, names=[None] * len(value.names))


KNOWN: dict[str, Condition] = {
    "names of the predicted classes of rows with missing values": _names_of_missing,
    "names of the out-of-bag classes of a combined fit": _names_of_combined,
    "`varImpPlot` of an importance that is not a number": answered("need finite 'xlim' values", "varImpPlot"),
    "a date column": alone("datetime", *FITS, *GROWING),
    "`getTree` of a regression tree that is only a root": answered("argument of length 0", "getTree"),
    "regression with `sampsize` below 1": alone("sampsize is 0, but a tree needs"),
    "`importance(type=1)` without permutation": alone("the decrease in accuracy was not computed", "importance"),
    "unsupervised with `xtest` and proximity (its default), or with `localImp`": _overrun,
    "`varUsed(by.tree=TRUE, count=FALSE)` where all trees use equally many features": _no_variable,
    "`classCenter` of a frame with factors": alone("medians need numbers", "compute"),
    "`combine` of fits with equally many trees": _sizes_of_combined,
    "`combine` of unsupervised fits with forests": answered("invalid 'nrow' value", "combine", "grow"),
    "`combine` of unsupervised fits with a test set predicts NA": _test_of_combined,
    "proximities of new data with missing values, regression": answered("length of 'dimnames' [1]", "predict"),
    "the same of a companion that grows several forests, or of `classCenter`": _stopped_half_way,
    "a formula without a left side, where `na.action` leaves out rows": answered("set an attribute on NULL"),
    "`classCenter` of one column": _one_centre,
    "`partialPlot` of a column of strings": alone("pass numbers or categories", "partialPlot", "compute"),
    'a class whose label is `""`': _empty_label,
    "an ordered factor in new data, where it comes first in the formula": answered(
        "New factor levels", "predict", "partialPlot"
    ),
    "`classCenter` with `nNbr` 1, the default for a class of two": alone("nNbr", "compute"),
    "`classCenter` of other rows than those of `prox`": alone("prox has", "compute"),
    "fewer sizes in `sampsize` than strata": alone("or one for each of"),
    "31 bags in a row of a single class": _thirty_one,
    "`varImpPlot` of a fit of one feature": answered("argument is of length zero", "varImpPlot"),
    "`margin` of a fit in which a row was never out of bag": answered(
        "missing value where TRUE/FALSE needed", "margin"
    ),
}
"""Conditions by the text with which the line of DIFFERENCES.md begins."""
