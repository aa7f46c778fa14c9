"""The table of cases. A module lists its cases in CASES; names are unique over all modules."""

from __future__ import annotations

from parity.cases import (
    arguments,
    collating,
    combining,
    companions,
    companions_formula,
    companions_regression,
    draws,
    empty_leaves,
    forest,
    forest_numbers,
    forest_own,
    formulas,
    imputing,
    maps,
    predictions,
    real,
    refusals,
    regression,
    regression_calls,
    selecting,
    shapes,
    showing,
    streams,
    unsupervised,
)
from parity.steps import Case

MODULES = (
    real,
    shapes,
    arguments,
    predictions,
    companions,
    companions_formula,
    companions_regression,
    combining,
    imputing,
    selecting,
    showing,
    streams,
    draws,
    empty_leaves,
    collating,
    refusals,
    regression,
    regression_calls,
    unsupervised,
    formulas,
    maps,
    forest,
    forest_numbers,
    forest_own,
)

CASES: dict[str, Case] = {case.name: case for module in MODULES for case in module.CASES}

if len(CASES) != sum(len(module.CASES) for module in MODULES):
    raise RuntimeError("two cases have the same name")
