"""Answers to the steps of a case compared: values, errors, warnings, what is printed, the random stream."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from parity.answers import Answer, StreamState
from parity.companions import PRINTING
from parity.steps import Refusal, Step
from parity.values import Value
from pyrrf.testing.comparer import first_difference


def compare_answers(theirs: Sequence[Answer], ours: Sequence[Answer], steps: Sequence[Step]) -> list[str]:
    """Differences between R's answers and pyrrf's to the same steps; empty when identical.

    Each line names the step, the component, the first index that differs and both values. An error is
    the same only if it is the one that the step states. `ours` may be R's answers too, as recorded.
    """
    if not len(theirs) == len(ours) == len(steps):
        return [f"{len(steps)} steps, but {len(theirs)} answers from R and {len(ours)} from pyrrf"]
    lines: list[str] = []
    for number, (step, r, py) in enumerate(zip(steps, theirs, ours, strict=True), start=1):
        where = f"step {number} ({step.verb} -> {step.name})"
        lines += [f"{where}: {line}" for line in _errors(step.refusal, r, py)]
        lines += [f"{where}: {line}" for line in _differences(r, py, _prints(step))]
    return lines


def _prints(step: Step) -> bool:
    """Whether the lines that a step prints are part of its answer."""
    return bool(step.args.get("do_trace")) or step.verb in PRINTING


def _differences(r: Answer, py: Answer, traced: bool) -> Iterator[str]:
    yield from compare(r.value, py.value, "value")
    if len(r.warned) > len(py.warned):
        yield f"R warned {r.warned}, pyrrf {py.warned}"
    if traced and r.printed != py.printed:
        yield from _data_difference(r.printed, py.printed, "printed")
    yield from _stream_difference(r.stream, py.stream)


def _errors(refusal: Refusal | None, r: Answer, py: Answer) -> Iterator[str]:
    """Sides that do not end as the step states."""
    for side, answer in (("R", r), ("pyrrf", py)):
        if not _as_stated(refusal, answer):
            outcome = (
                "went through" if answer.failed is None else f"failed with {answer.kind or 'error'} {answer.failed!r}"
            )
            yield f"{side} {outcome}, but the step states {refusal or 'no error'}"


def _as_stated(refusal: Refusal | None, answer: Answer) -> bool:
    if refusal is None or answer.failed is None:
        return refusal is None and answer.failed is None
    if answer.kind is None:
        return refusal.r in answer.failed
    return answer.kind == refusal.kind and names_argument(answer.failed, refusal.argument)


def names_argument(message: str, argument: str) -> bool:
    """Whether an error message of pyrrf is about the argument: "coefReg ...", "column 'a' of newdata ..."."""
    return re.match(rf"(the |column '[^']*' of )?{re.escape(argument)}\b", message) is not None


def _stream_difference(r: StreamState, py: StreamState) -> Iterator[str]:
    if r.position != py.position:
        yield f"stream: position R {r.position}, pyrrf {py.position}"
    if r.digest == py.digest:
        return
    if r.words is None or py.words is None:
        yield f"stream: digest of the 624 words R {r.digest[:16]}.., pyrrf {py.digest[:16]}.."
    else:
        yield from _data_difference(r.words, py.words, "stream: word")


def compare(r: Value, py: Value, path: str) -> Iterator[str]:
    """Differences between two values, component by component."""
    # A matrix of text without columns is a table of pandas without a type.
    typeless = {r.kind, py.kind} == {"text", "numbers"} and np.shape(r.data)[1:] == np.shape(py.data)[1:] == (0,)
    if r.kind != py.kind and not typeless:
        yield f"{path}: R has {r.kind}, pyrrf {py.kind}"
    elif r.kind == "record":
        yield from _compare_records(r, py, path)
    elif r.kind != "nothing":
        yield from _compare_arrays(r, py, path)


def _compare_records(r: Value, py: Value, path: str) -> Iterator[str]:
    if list(r.data) != list(py.data):
        yield f"{path}: R's components {list(r.data)}, pyrrf's {list(py.data)}"
    for key in r.data:
        if key in py.data:
            yield from compare(r.data[key], py.data[key], f"{path}${key}")


def _compare_arrays(r: Value, py: Value, path: str) -> Iterator[str]:
    if r.levels != py.levels:
        yield f"{path}: levels R {r.levels}, pyrrf {py.levels}"
    for axis, (left, right) in enumerate(zip(r.names, py.names, strict=False)):
        if left != right:
            yield f"{path}: names of dimension {axis + 1} R {_short(left)}, pyrrf {_short(right)}"
    yield from _data_difference(r.data, py.data, path)


def _data_difference(r: Any, py: Any, path: str) -> Iterator[str]:
    difference = first_difference(path, py, r)
    if difference is not None:
        count = f"; {difference.count} of {len(np.ravel(r))} differ" if difference.count else ""
        yield f"{difference.where}: R {difference.theirs!r}, pyrrf {difference.ours!r}{count}"


def _short(labels: list[str] | None) -> str:
    if labels is None:
        return "none"
    shown = ", ".join(labels[:4])
    return f"[{shown}{', ..' if len(labels) > 4 else ''}]"
