"""Vectors that R stores by a rule: sequences by their ends, and texts of numbers by the numbers."""

from __future__ import annotations

import numpy as np

from pyrrf.rbase.numbers import number_text
from pyrrf.rds.content import Budget
from pyrrf.rds.objects import PAIRLIST, TEXT, UNKNOWN_RULE, RObject

# The bytes that an object takes, about, and a number.
OBJECT, _NUMBER = 256, 8


def expanded(rule: str, state: RObject, budget: Budget) -> RObject:
    """Return the vector that a rule makes, a few bytes of which stand for any length.

    Of a rule that is not known, an object that holds its name.
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
    n, first, step = np.asarray(state.value, dtype=np.float64).tolist()
    if not (0 <= n == int(n)) or abs(step) != 1:
        raise ValueError("an invalid sequence")
    budget.spend(n * _NUMBER)
    type_, kind = _SEQUENCES[rule]
    return RObject(type_, np.asarray(first + step * np.arange(int(n))).astype(kind))


_WRAPPED = {f"wrap_{kind}" for kind in ("list", "real", "string", "logical", "integer", "complex", "raw")}
_SEQUENCES = {"compact_intseq": ("INT", np.int32), "compact_realseq": ("REAL", np.float64)}


def _first(state: RObject) -> RObject:
    """Return the vector that a rule is of, the first of a pairlist or a list."""
    found: RObject = state.value[0][1] if state.type == PAIRLIST else state.value[0]
    return found


def _texts(values: np.ndarray) -> list[str | None]:
    """Return numbers as R's as.character() writes them."""
    if isinstance(values, np.ma.MaskedArray) or values.dtype.kind == "i":
        return [None if value is None else str(value) for value in values.tolist()]
    missing = are_na(values).tolist()
    return [None if gone else _text(value) for value, gone in zip(values.tolist(), missing, strict=True)]


def _text(value: float) -> str:
    return "NaN" if value != value else number_text(value)


def are_na(values: np.ndarray) -> np.ndarray:
    """Say which NaN are R's NA: those whose lower half is 1954."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    return np.asarray(np.isnan(values) & ((bits & np.uint64(0xFFFFFFFF)) == np.uint64(1954)))
