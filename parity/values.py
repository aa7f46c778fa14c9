"""Plain answers: one shape for what R and what pyrrf return, and its JSON form.

R's and pyrrf's results are both turned into a tree of `Value` objects; `compare.py` sees nothing else.
Positions are R's: a value that R counts from 1 is counted from 1 here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

R_NA_BITS = 0x7FF00000000007A2
"""The double that R calls NA (a NaN whose low word is 1954)."""

R_NA = np.array([R_NA_BITS], dtype=np.uint64).view(np.float64)[0]

_SPECIAL = {"NA": R_NA, "NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}


@dataclass
class Value:
    """One answer: an array with names, or a record of further values.

    Parameters
    ----------
    kind : {"numbers", "text", "factor", "record", "nothing"}
    data : ndarray, list or dict
        numbers: float64 array of any shape; text: object array of str or None;
        factor: int array of codes, 0-based, -1 for missing; record: dict of Value; nothing: None.
    names : list of (list of str or None), optional
        One entry for each dimension; None where rows are only counted
        (R's NULL or "1".."n", a RangeIndex in pandas).
    levels : list of str, optional
        Labels of a factor.
    """

    kind: str
    data: Any = None
    names: list[list[str] | None] = field(default_factory=list)
    levels: list[str] | None = None


NOTHING = Value("nothing")


def numbers(data: Any, names: list[list[str] | None] | None = None) -> Value:
    """Numeric array of any shape (R's doubles, integers and logicals alike)."""
    array = np.array(data, dtype=np.float64)
    return Value("numbers", array, tidy_names(names, array.shape))


def text(data: Any, names: list[list[str] | None] | None = None) -> Value:
    """Array of strings; None is R's NA_character_."""
    array = np.array(data, dtype=object)
    return Value("text", array, tidy_names(names, array.shape))


def factor(codes: Any, levels: list[str], names: list[str] | None = None) -> Value:
    """Labels as 0-based codes into `levels`, -1 for missing."""
    array = np.array(codes, dtype=np.int64)
    return Value("factor", array, tidy_names([names], array.shape), [str(level) for level in levels])


def record(parts: dict[str, Value]) -> Value:
    """Named parts in a fixed order (an R list)."""
    return Value("record", dict(parts))


def tidy_names(names: list[list[str] | None] | None, shape: tuple[int, ...]) -> list[list[str] | None]:
    """Names by dimension; names that only count rows say no more than none, so both become None."""
    if names is None:
        return [None] * len(shape)
    tidy: list[list[str] | None] = []
    for labels, length in zip(names, shape, strict=True):
        if labels is not None and len(labels) != length:
            raise ValueError(f"{len(labels)} names for {length} entries")
        tidy.append(None if labels is None or _only_counts(labels) else labels)
    return tidy


def _only_counts(labels: list[str]) -> bool:
    """Whether labels are "1", "2", .. or runs of them (test rows, then training rows)."""
    expected = 1
    for label in labels:
        if label not in ("1", str(expected)):
            return False
        expected = int(label) + 1
    return True


def is_na(array: np.ndarray) -> np.ndarray:
    """True where a double is R's NA rather than another NaN."""
    low = array.view(np.uint64) & np.uint64(0xFFFFFFFF)
    return np.isnan(array) & (low == np.uint64(R_NA_BITS & 0xFFFFFFFF))


def _plain_number(x: float, na: bool) -> int | float | str:
    if na:
        return "NA"
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Inf" if x > 0 else "-Inf"
    if x.is_integer() and abs(x) < 2**53 and not (x == 0 and math.copysign(1, x) < 0):
        return int(x)
    return x


def to_json(value: Value) -> Any:
    """JSON form of a value; a double is written with the digits that read back to the same double."""
    if value.kind == "nothing":
        return None
    if value.kind == "record":
        return {"record": {key: to_json(part) for key, part in value.data.items()}}
    flat = value.data.ravel()
    if value.kind == "numbers":
        data = [_plain_number(x, na) for x, na in zip(flat.tolist(), is_na(flat).tolist(), strict=True)]
    else:
        data = flat.tolist()
    out: dict[str, Any] = {value.kind: data}
    if value.data.ndim != 1:
        out["dim"] = list(value.data.shape)
    if any(labels is not None for labels in value.names):
        out["names"] = value.names
    if value.levels is not None:
        out["levels"] = value.levels
    return out


def from_json(plain: Any) -> Value:
    """Value from its JSON form; the inverse of `to_json`."""
    if plain is None:
        return NOTHING
    if "record" in plain:
        return record({key: from_json(part) for key, part in plain["record"].items()})
    kind = next(k for k in ("numbers", "text", "factor") if k in plain)
    data = plain[kind]
    shape = tuple(plain.get("dim", [len(data)]))
    if kind == "numbers":
        array = np.array([_SPECIAL[x] if isinstance(x, str) else x for x in data], dtype=np.float64)
    elif kind == "factor":
        array = np.array(data, dtype=np.int64)
    else:
        array = np.array(data, dtype=object)
    names = plain.get("names", [None] * len(shape))
    return Value(kind, array.reshape(shape), names, plain.get("levels"))
