"""ALTREP vectors: sequences stored by their ends, and texts of numbers stored as the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.rbase.numbers import number_text
from pyrrf.rds.content import OBJECT, Budget
from pyrrf.rds.objects import INT_NA, PAIRLIST, TEXT, UNKNOWN_RULE, RObject


def expand_rule(rule: str, state: RObject, budget: Budget) -> RObject:
    """Return the vector that R stored by a rule; of an unknown rule, an object that holds its name.

    A few bytes of a file may stand for a vector of any length, so the budget is charged first.
    """
    if rule in _WRAPPED:
        inner = _first(state)
        return RObject(inner.type, inner.value)
    if rule == "deferred_string":
        numbers = _first(state).value
        budget.spend(len(numbers) * OBJECT)
        return RObject(TEXT, _texts(numbers))
    if rule not in _SEQUENCES:
        return RObject(UNKNOWN_RULE, rule)
    if len(state.value) != _ENDS:
        raise ValueError(f"a sequence of {len(state.value)} ends")
    return _sequence(budget, *_SEQUENCES[rule], *np.asarray(state.value, dtype=np.float64).tolist())


def _sequence(budget: Budget, type_: str, kind: Any, n: float, first: float, step: float) -> RObject:
    """Return `n` numbers from the first one on."""
    beyond = type_ == "INT" and not max(abs(first), abs(first + step * (n - 1))) < -float(INT_NA)
    if not (0 <= n == int(n)) or abs(step) != 1 or beyond:
        raise ValueError("an invalid sequence")
    budget.spend(2 * n * np.dtype(np.float64).itemsize)
    sequence = np.arange(n)
    sequence *= step
    sequence += first
    return RObject(type_, sequence.astype(kind))


_WRAPPED = {f"wrap_{kind}" for kind in ("list", "real", "string", "logical", "integer", "complex", "raw")}
# Length, first number and step.
_ENDS = 3
_SEQUENCES = {"compact_intseq": ("INT", np.int32), "compact_realseq": ("REAL", np.float64)}


def _first(state: RObject) -> RObject:
    """Return the vector that a rule wraps: the first element of a pairlist or a list."""
    wrapped: RObject = state.value[0][1] if state.type == PAIRLIST else state.value[0]
    return wrapped


def _texts(values: np.ndarray) -> list[str | None]:
    """Return numbers as R's as.character() writes them."""
    if isinstance(values, np.ma.MaskedArray) or values.dtype.kind == "i":
        return [None if value is None else str(value) for value in values.tolist()]
    missing = are_na(values).tolist()
    return [None if is_missing else _text(value) for value, is_missing in zip(values.tolist(), missing, strict=True)]


def _text(value: float) -> str:
    return "NaN" if value != value else number_text(value)


def are_na(values: np.ndarray) -> np.ndarray:
    """Return a mask of the NaN that are R's NA, whose lower half is 1954."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    return np.asarray(np.isnan(values) & ((bits & np.uint64(0xFFFFFFFF)) == np.uint64(1954)))
