"""Costs and groups of features, from tables of two columns: a feature, and its cost or group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from pyrrf.cli.columns import Problem
from pyrrf.cli.messages import DataError, UsageError, count_text, nearest, short
from pyrrf.cli.reading import SEPARATORS, ending, read_bytes
from pyrrf.cli.text import cells, decode, split_separator_line

T = TypeVar("T")


def read_costs(path: str, problem: Problem, point: str = ".") -> dict[str, float]:
    """Read the costs of features; those that the file does not name cost 1.

    The file is a table of two columns, the first line their names; `point` is the decimal mark.
    """
    costs = {}
    for row, (feature, text) in _pairs(path, problem):
        try:
            cost = float(text.replace(point, "."))
        except ValueError:
            cost = math.nan
        if not 1 <= cost < math.inf:
            raise DataError(
                f"{path}: row {row}: the cost of {feature!r} must be a number of at least 1, not {short(text)}; if "
                "some are below 1, divide all by the lowest"
            )
        costs[feature] = cost
    return _of_predictors(costs, problem)


def read_groups(path: str, problem: Problem) -> dict[str, str]:
    """Read the groups of features; those that the file does not name, or gives no group, are each their own.

    The file is a table of two columns, the first line their names.
    """
    groups = {feature: label.strip() for _, (feature, label) in _pairs(path, problem)}
    return _of_predictors({feature: label for feature, label in groups.items() if label}, problem)


def _pairs(path: str, problem: Problem) -> list[tuple[int, Sequence[str]]]:
    """Return the rows, counted from 1, with a feature and a text each."""
    if ending(path) not in SEPARATORS:
        raise UsageError(f"{path}: the file extension must be one of {', '.join(SEPARATORS)}")
    known = {*problem.x.columns, *problem.dropped, *problem.unreadable}
    text, separator = split_separator_line(decode(read_bytes(path)[0], path), SEPARATORS[ending(path)], None, path)
    header, *rows = cells(text, separator, path)
    if len(header) != 2:
        columns = count_text(len(header), "column")
        raise DataError(f"{path}: it has {columns}, but must have two: a feature, and its cost or group")
    if header[0] in known:
        raise DataError(f"{path}: the header is missing (line 1 is feature {header[0]!r}); add names of both columns")
    seen: dict[str, int] = {}
    for row, (feature, _) in enumerate(rows, start=1):
        if not feature.strip():
            raise DataError(f"{path}: the feature name in row {row} is empty")
        if feature not in known:
            why = "the target" if feature == problem.y.name else "no column of the data"
            raise DataError(f"{path}: row {row}: {short(feature)} is {why}{nearest(feature, known)}")
        if feature in seen:
            raise DataError(f"{path}: rows {seen[feature]} and {row} name the same feature, {feature!r}")
        seen[feature] = row
    return list(enumerate(rows, start=1))


def _of_predictors(values: dict[str, T], problem: Problem) -> dict[str, T]:
    """Return the values without those of columns that are left out."""
    return {name: value for name, value in values.items() if name in problem.x.columns}
