"""Smaller versions of a program: fewer steps, arguments, rows and columns; simpler values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from parity.steps import Column, Positions, Step

Version = tuple[dict[str, Any], list[Step]]
TRAINING = ("x", "y", "weights", "strata", "data", "gaps")


def smaller_programs(parts: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[Version]:
    """Yield smaller versions of a program, those that lose most first."""
    yield from _fewer_steps(parts, list(steps))
    yield from _fewer_rows(parts, list(steps))
    yield from _fewer_columns(parts, list(steps))
    yield from _fewer_arguments(parts, list(steps))
    yield from _simpler_values(parts, list(steps))


def _fewer_steps(parts: dict[str, Any], steps: list[Step]) -> Iterator[Version]:
    for index in reversed(range(len(steps))):
        if steps[index].verb != "set_seed":
            yield parts, steps[:index] + steps[index + 1 :]


def _fewer_arguments(parts: dict[str, Any], steps: list[Step]) -> Iterator[Version]:
    for index, step in enumerate(steps):
        if step.verb == "set_seed":
            continue
        for name, value in step.args.items():
            args = {key: kept for key, kept in step.args.items() if key != name}
            if name not in ("ntree", "ntreeTry", "what"):  # R's defaults are slow.
                yield parts, [*steps[:index], dataclasses.replace(step, args=args), *steps[index + 1 :]]
            if isinstance(value, int) and not isinstance(value, bool) and value > 1:
                for less in {1, value // 2, value - 1}:
                    changed = dataclasses.replace(step, args=step.args | {name: less})
                    yield parts, [*steps[:index], changed, *steps[index + 1 :]]


def _take(part: Any, kept: np.ndarray) -> Any:
    if isinstance(part, pd.DataFrame):
        made = part.iloc[kept]
        return made.reset_index(drop=True) if isinstance(part.index, pd.RangeIndex) else made
    return part[kept]


def _fewer_rows(parts: dict[str, Any], steps: list[Step]) -> Iterator[Version]:
    """Halves, quarters, ... of the training rows and of new rows; then single ones."""
    new = [name for name in parts if name not in TRAINING]
    for group in (new, [name for name in parts if name in TRAINING]):
        n = len(parts[group[0]]) if group else 0
        size = n // 2
        while size >= 1:
            for start in range(0, n, size):
                kept = np.array([i for i in range(n) if not start <= i < start + size], dtype=int)
                if len(kept):
                    yield parts | {name: _take(parts[name], kept) for name in group if len(parts[name]) == n}, steps
            size //= 2


def _fewer_columns(parts: dict[str, Any], steps: list[Step]) -> Iterator[Version]:
    tables = {name: part for name, part in parts.items() if getattr(part, "ndim", 1) == 2}
    p = max((part.shape[1] for part in tables.values()), default=0)
    if p < 2:
        return
    for j in reversed(range(p)):
        fewer = {name: _without(part, j, p) for name, part in tables.items()}
        yield parts | fewer, [_with_fewer(step, j, p) for step in steps]


def _without(part: Any, at: int, p: int) -> Any:
    if part.shape[1] <= at:
        return part
    kept = [j for j in range(part.shape[1]) if j != at]
    return part.iloc[:, kept] if isinstance(part, pd.DataFrame) else part[:, kept]


def _with_fewer(step: Step, at: int, p: int) -> Step:
    """The step without what belongs to a column."""
    args = dict(step.args)
    value = args.get("coefReg")
    if isinstance(value, list) and len(value) == p:
        args["coefReg"] = value[:at] + value[at + 1 :]
    elif isinstance(value, Column):
        args["coefReg"] = Column(value.values[:at] + value.values[at + 1 :])
    elif isinstance(value, pd.Series):
        args["coefReg"] = value.drop(value.index[at])
    if isinstance(args.get("feaIni"), Positions):
        args["feaIni"] = Positions(tuple(j - (j > at) for j in args["feaIni"].values if j != at))
    return dataclasses.replace(step, args=args)


def _simpler_values(parts: dict[str, Any], steps: list[Step]) -> Iterator[Version]:
    """Columns of numbers rounded, or replaced by the ranks of their values; lists of numbers rounded."""
    x = parts.get("x")
    if x is not None:
        for index in range(x.shape[1]):
            column = x.iloc[:, index].to_numpy() if isinstance(x, pd.DataFrame) else x[:, index]
            if getattr(column, "dtype", None) is None or column.dtype.kind != "f":
                continue
            ranks = np.unique(column, return_inverse=True)[1] * 1.0
            for changed in (ranks, np.round(column, 1) + 0.0):
                if not np.array_equal(changed, column):
                    yield parts | {"x": _put(x, index, changed)}, steps
    y = parts.get("y")
    if isinstance(y, np.ndarray) and y.dtype.kind == "f" and not np.array_equal(np.round(y), y):
        yield parts | {"y": np.round(y) + 0.0}, steps
    for index, step in enumerate(steps):
        for name, value in step.args.items():
            if isinstance(value, list) and value != (rounded := [round(v, 1) for v in value]):
                yield (
                    parts,
                    [*steps[:index], dataclasses.replace(step, args=step.args | {name: rounded}), *steps[index + 1 :]],
                )


def _put(x: Any, at: int, column: np.ndarray) -> Any:
    made = x.copy()
    if isinstance(made, pd.DataFrame):
        made.isetitem(at, column)
    else:
        made[:, at] = column
    return made
