"""The likely cause of a difference: comparison of two calls, ours and R's, by data, arguments and random stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from pyrrf._core import Stream
from pyrrf.errors import bad
from pyrrf.fit.callbacks import GrownForest
from pyrrf.fit.task import Task
from pyrrf.rbase.numbers import label
from pyrrf.result.result import ForestResult
from pyrrf.testing.comparer import Difference, compare_fits, equal_bits, first_difference
from pyrrf.types import Ints

# Largest relative difference that is explained by another order of additions.
_LAST_DIGITS = 1e-9
# Largest difference near 0, relative to the largest number.
_NEAR_ZERO = 1e-14
# The term for "Rejection" in R's code of the kinds of generators.
_SAMPLE_KIND = 10_000
_MOST_DRAWS = 1_000_000
_LIKE_R = (
    "the last digits differ: mean(), sum(), sd(), scale(), seq(), read.csv() of R are not those of NumPy and pandas; "
    "pyrrf.r has R's"
)


def compare_grown(ours: GrownForest, theirs: GrownForest) -> Difference | None:
    """Return the first difference of two forests: of their data, their arguments, the stream, the answer.

    Parameters
    ----------
    ours : GrownForest
        The forest of a Python script.
    theirs : GrownForest
        The replayed call of R.

    Returns
    -------
    Difference or None
    """
    data = _compare_tables(ours.task, theirs.task) or _compare_responses(ours, theirs)
    if data is not None:
        return replace(data, cause=_with_stream(data.cause, _compare_streams(ours.before, theirs.before)))
    return (
        _compare_arguments(ours.task, theirs.task)
        or _compare_streams(ours.before, theirs.before)
        or compare_fits(ours.result, theirs.result)
    )


def _with_stream(cause: str, stream: Difference | None) -> str:
    """Return a cause with a note if the streams differ, too, which explains drawn data or sampled rows."""
    return cause if stream is None else f"{cause}; the random stream differs, too: {stream.cause}"


def compare_settings(ours: ForestResult, theirs: ForestResult) -> Difference | None:
    """Return the first difference of the calls of two fits, which explains all differences of their results."""
    kinds = _compare_kinds(ours, theirs)
    if kinds is not None:
        return kinds
    names = [[str(name) for name in fit.columns] for fit in (ours, theirs)]
    if len(names[0]) != len(names[1]) or (names[0] != names[1] and sorted(names[0]) == sorted(names[1])):
        return Difference("x: columns", names[0], names[1], "other columns, or the same in another order")
    for component in ("ntree", "mtry", "coefReg"):
        unequal = first_difference(component, getattr(ours, component, None), getattr(theirs, component, None))
        if unequal is not None:
            return replace(unequal, cause="the calls were given other arguments")
    return first_difference("y", _response(ours), _response(theirs))


def _response(fit: Any) -> Any:
    response = getattr(fit, "response", None)
    return getattr(response, "codes", response)


# ---- data ----------------------------------------------------------------------------------------


def _dense(task: Task) -> np.ndarray:
    values = task.rows.values
    if not isinstance(values, np.ndarray):
        raise bad.unsupported("sparse matrices have no counterpart in R; pass a dense one", None, kind=TypeError)
    return values


def _compare_tables(ours: Task, theirs: Task) -> Difference | None:
    a, b = _dense(ours), _dense(theirs)
    if a.shape != b.shape:
        cause = "other rows or columns were chosen: positions count from 0 here, and ranges leave out their end"
        return Difference("x: rows and columns", a.shape, b.shape, cause)
    names = [str(name) for name in ours.data.x.columns], [str(name) for name in theirs.data.x.columns]
    if sorted(names[0]) == sorted(names[1]) and names[0] != names[1]:
        return Difference("x: columns", names[0], names[1], "the same columns in another order")
    kinds = first_difference("x: categories of column", ours.rows.ncat, theirs.rows.ncat)
    if kinds is not None:
        cause = "a factor on one side is a number on the other, is ordered, or has other levels"
        return replace(kinds, cause=f"{cause}: pd.Categorical(column, levels)")
    unequal = first_difference("x", a, b)
    if unequal is None:
        return None
    levels = _compare_column_levels(ours, theirs)
    if levels is not None:
        return levels
    return replace(unequal, cause=_cause_of_values(a, b) + _columns_that_differ(a, b, names[0]))


def _compare_column_levels(ours: Task, theirs: Task) -> Difference | None:
    """Return the difference of the first factor whose levels have another order."""
    for position, column in sorted(ours.data.x.coded.items()):
        other = theirs.data.x.coded.get(position)
        a, b = (_texts([] if one is None else list(one.levels)) for one in (column, other))
        if a != b and sorted(a) == sorted(b):
            return Difference(
                f"x: levels of column {ours.data.x.columns[position]!r}", a, b, _cause_of_levels(a, b, "column")
            )
    return None


def _columns_that_differ(a: np.ndarray, b: np.ndarray, names: list[str]) -> str:
    """Return a note with the columns that differ, empty if all do."""
    differ = [name for name, unequal in zip(names, np.any(~equal_bits(a, b), axis=0), strict=True) if unequal]
    return "" if len(differ) == len(names) else f"; in the columns {', '.join(map(repr, differ[:5]))} alone"


def _cause_of_values(a: np.ndarray, b: np.ndarray) -> str:
    cells = int((~equal_bits(a, b)).sum())
    if np.array_equal(np.sort(a, axis=0), np.sort(b, axis=0)):
        return f"{cells} of {a.size} cells differ, but columns hold the same values: the rows stand in another order"
    if _close(a, b):
        return f"{cells} of {a.size} cells differ; {_LIKE_R}"
    return f"{cells} of {a.size} cells differ: other rows were chosen, or a column was changed on one side"


def _close(a: np.ndarray, b: np.ndarray) -> bool:
    size = float(np.abs(b[np.isfinite(b)]).max(initial=0))
    return bool(np.allclose(a, b, rtol=_LAST_DIGITS, atol=_NEAR_ZERO * size, equal_nan=True))


def _compare_responses(ours: GrownForest, theirs: GrownForest) -> Difference | None:
    kinds = _compare_kinds(ours.result, theirs.result)
    if kinds is not None:
        return kinds
    unequal = first_difference("y", ours.task.rows.response, theirs.task.rows.response)
    if unequal is None:
        return None
    close = ours.result.type == "regression" and _close(ours.task.rows.response, theirs.task.rows.response)
    return replace(unequal, cause=_LIKE_R if close else "other rows were chosen, or in another order")


def _compare_kinds(ours: ForestResult, theirs: ForestResult) -> Difference | None:
    kinds = ours.type, theirs.type
    if kinds[0] != kinds[1]:
        cause = "as.factor(y) of R is pd.Categorical(y) here; numeric labels mean regression in both"
        return Difference("kind of forest", kinds[0], kinds[1], cause)
    functions = ours.function, theirs.function
    if functions[0] != functions[1]:
        return Difference("function", functions[0], functions[1], "randomForest() is not RRF(flagReg=0)")
    levels = [_texts(getattr(fit, "classes", [])) for fit in (ours, theirs)]
    if levels[0] != levels[1]:
        return Difference("y: levels", levels[0], levels[1], _cause_of_levels(levels[0], levels[1]))
    return None


def _texts(labels: Sequence[Any]) -> list[str]:
    """Return labels as R writes them."""
    return [label(value.item() if isinstance(value, np.generic) else value) for value in labels]


def _cause_of_levels(ours: list[str], theirs: list[str], what: str = "y") -> str:
    if sorted(ours) == sorted(theirs):
        remedy = f"pass pd.Categorical({what}, {theirs!r}), or say collate='C' or 'en_US'"
        return f"the labels are sorted by another rule; {remedy}"
    return "other labels: a level without rows, or labels that were read as numbers on one side"


# ---- arguments and stream ------------------------------------------------------------------------


def _compare_arguments(ours: Task, theirs: Task) -> Difference | None:
    pairs = [(field, *(getattr(task.growing, field.name) for task in (ours, theirs))) for field in fields(ours.growing)]
    # Vectors come last because they depend on single values: coefReg of an ordinary forest is 1.
    for field, a, b in sorted(pairs, key=lambda pair: isinstance(pair[1], np.ndarray)):
        unequal = first_difference(_NAMES.get(field.name, field.name), a, b)
        if unequal is not None:
            return replace(unequal, cause=_cause_of_argument(a, b))
    return None


_NAMES = {
    "coef_reg": "coefReg",
    "flag_reg": "flagReg",
    "max_nodes": "maxnodes, in nodes",
    "used": "feaIni",
    "n_perm": "nPerm",
}


def _cause_of_argument(a: Any, b: Any) -> str:
    numbers = all(isinstance(value, np.ndarray) and value.dtype.kind == "f" for value in (a, b))
    if numbers and a.shape == b.shape and _close(a, b):
        return _LIKE_R
    return "the calls were given other arguments"


def _compare_streams(ours: Ints, theirs: Ints) -> Difference | None:
    if np.array_equal(ours, theirs):
        return None
    if ours[0] != theirs[0]:
        older = theirs[0] // _SAMPLE_KIND == 0
        cause = f"R samples items by another rule: set_seed(seed, sample_kind={'Rounding' if older else 'Rejection'!r})"
        return Difference("random stream: its kinds", int(ours[0]), int(theirs[0]), cause)
    for ahead, name, draws in (
        ("R", "Python", draws_between(ours, theirs)),
        ("Python", "R", draws_between(theirs, ours)),
    ):
        if draws is not None:
            cause = f"{ahead} has drawn {draws} numbers that {name} has not, since the forest before"
            return Difference("random stream: position", int(ours[1]), int(theirs[1]), cause)
    cause = "the streams have nothing to do with each other: another seed, or set.seed() on one side only"
    return Difference("random stream: state", int(ours[2]), int(theirs[2]), cause)


def draws_between(begin: Ints, end: Ints) -> int | None:
    """Return the number of draws from one state of R's stream to another; None if it exceeds a million.

    Parameters
    ----------
    begin, end : ndarray of int32, shape (626,)
        R's ``.Random.seed``.

    Returns
    -------
    int or None
    """
    stream, block, draws = Stream(), len(begin) - 2, 0
    stream.set_state(begin[1:], begin[1:])
    while draws <= _MOST_DRAWS:
        state = stream.get_state()[1]
        if np.array_equal(state[1:], end[2:]) and end[1] >= state[0]:
            return draws + int(end[1]) - int(state[0])
        # To the first number of the next block.
        step = block - int(state[0]) + 1
        stream.runif(step)
        draws += step
    return None
