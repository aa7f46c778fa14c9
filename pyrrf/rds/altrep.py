"""Vectors that R stores by a rule: sequences by their ends, and texts of numbers by the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.rbase.numbers import number_text
from pyrrf.rds.content import Budget

# The bytes that an object of rdata takes, about, and a number.
OBJECT, _NUMBER = 256, 8


class _Rules(dict[bytes, Any]):
    """What makes a vector, by the name of its rule; for a name that is not known, an object that holds the name."""

    def __init__(self, known: dict[bytes, Any], info: Any) -> None:
        super().__init__(known)
        self.info = info

    def __missing__(self, name: bytes) -> Any:
        return lambda state: (self.info("ALTREP"), name.decode(errors="replace"))


def constructors(parser: Any, budget: Budget) -> dict[bytes, Any]:
    """Return how rdata is to make each kind of them, a few bytes of which stand for any length.

    Parameters
    ----------
    parser : module
        That of rdata.
    budget : Budget
        What they may take.
    """

    def info(type_: str) -> Any:
        return parser.RObjectInfo(parser.RObjectType[type_], False, False, False, 0, 0)

    def texts(state: Any) -> tuple[Any, Any]:
        numbers = state.value[0].value
        budget.spend(len(numbers) * OBJECT)
        return info("STR"), _texts(numbers)

    def sequence(state: Any) -> np.ndarray:
        n, first, step = np.asarray(state.value, dtype=np.float64).tolist()
        if not (0 <= n == int(n)) or abs(step) != 1:
            raise ValueError("an invalid sequence")
        budget.spend(n * _NUMBER)
        return np.asarray(first + step * np.arange(int(n)))

    def wrapped(state: Any) -> tuple[Any, Any]:
        inner = state.value[0]
        return info(inner.info.type.name), inner.value

    known = {f"wrap_{kind}".encode(): wrapped for kind in ("list", *_WRAPPED)}
    known |= {
        b"compact_intseq": lambda state: (info("INT"), sequence(state).astype(np.int32)),
        b"compact_realseq": lambda state: (info("REAL"), sequence(state)),
        b"deferred_string": texts,
    }
    return _Rules(known, info)


_WRAPPED = ("real", "string", "logical", "integer", "complex", "raw")


def _texts(values: np.ndarray) -> list[str | None]:
    """Return numbers as R's as.character() writes them."""
    if isinstance(values, np.ma.MaskedArray) or values.dtype.kind == "i":
        return [None if value is None else str(value) for value in np.ma.masked_array(values).tolist()]
    missing = are_na(values).tolist()
    return [None if gone else _text(value) for value, gone in zip(values.tolist(), missing, strict=True)]


def _text(value: float) -> str:
    return "NaN" if value != value else number_text(value)


def are_na(values: np.ndarray) -> np.ndarray:
    """Say which NaN are R's NA: those whose lower half is 1954."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    return np.asarray(np.isnan(values) & ((bits & np.uint64(0xFFFFFFFF)) == np.uint64(1954)))
