"""What both sides answer to the lines of a call, compared; a call that differs is made smaller.

Positions count from 0 in Python; they are brought to R's here.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

import pyrrf.r as rr
from parity.compare import compare
from parity.lines import R_LINES, Call
from parity.plain import index_names, plain, plain_text
from parity.r_side import RSide
from parity.values import NOTHING, Value, factor, numbers, record
from pyrrf.rbase.collate import collating

POSITIONS = ("grep", "order", "which", "which_max", "which_min")
ROWS = ("createFolds", "createDataPartition", "createMultiFolds", "createResample")
OF_CARET = (*ROWS, "confusionMatrix")
BY_COLUMN = (
    "aggregate sweep expand_grid cbind rbind head tail read_csv as_data_frame put_cells split droplevels unique index "
    "rev"
).split()

# ---- both sides ----------------------------------------------------------------------------------


@dataclass
class Answer:
    """What came out: a value, its types, the next draw, what was warned; or why there is none."""

    value: Any = None
    types: tuple[str, ...] = ()
    draw: float = 0.0
    warned: tuple[str, ...] = ()
    failed: str | None = None


def run_r(r: RSide, lines: Sequence[str]) -> list[Answer]:
    """R's answers to lines."""
    return [r_answer(json.loads(text)) for text in r.ro.r["pyrrf_answers"](r.ro.StrVector(list(lines)))]


def r_answer(found: dict[str, Any]) -> Answer:
    """An answer from R's JSON."""
    if "failed" in found:
        return Answer(failed=found["failed"])
    value, types = _decoded(found["value"])
    return Answer(value, types, float(_decoded(found["draw"])[0].data[0]), tuple(found["warned"]))


def _decoded(found: Any) -> tuple[Value, tuple[str, ...]]:
    if found is None:
        return NOTHING, ()
    if "record" in found:
        parts = {key: _decoded(part) for key, part in found["record"].items()}
        return record({key: part[0] for key, part in parts.items()}), tuple(
            t for part in parts.values() for t in part[1]
        )
    types = (found.pop("type"),)
    names = found["names"]
    shape = found["dim"]
    if "numbers" in found:
        data = [
            np.nan if text in ("NA", "NaN") else float.fromhex(text) if "x" in text else float(text)
            for text in found["numbers"]
        ]
        made = np.empty(len(data))
        made[:] = data
        return numbers(made.reshape(shape, order="F"), names), types
    kind = "text" if "text" in found else "factor"
    flat = np.empty(len(found[kind]), dtype=object if kind == "text" else np.int64)
    flat[:] = found[kind]
    return Value(
        kind, flat.reshape(shape, order="F"), numbers(np.zeros(shape), names).names, found.get("levels")
    ), types


def printed(function: Any, *args: Any, **kwargs: Any) -> np.ndarray:
    """The lines that a function prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*args, **kwargs)
    return np.array(out.getvalue().removesuffix("\n").split("\n") if out.getvalue() else [], dtype=object)


def changed(function: Any, first: Any, *args: Any) -> Any:
    """The first argument as a function leaves it."""
    function(first, *args)
    return first


def state_again(seed: int) -> Any:
    """Draws from a state that was set again."""
    rr.set_seed(seed)
    state = rr.get_random_seed()
    rr.runif(3)
    rr.set_random_seed(state)
    return rr.runif(2)


NAMES: dict[str, Any] = {name: getattr(rr, name) for name in rr.__all__}
NAMES |= {"r": rr, "np": np, "pd": pd, "io": io, "nan": np.nan, "inf": np.inf}
NAMES |= {"printed": printed, "changed": changed, "state_again": state_again}


def run_python(line: str, collate: str = "C") -> Answer:
    """The answer of pyrrf.r to a line, in R's form."""
    rr.RNGkind("default", "default", "default")
    rr.set_seed(1)
    with warnings.catch_warnings(record=True) as told, collating(collate), np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            found = eval(line, dict(NAMES))
        except (ValueError, TypeError, LookupError) as error:
            return Answer(failed=f"{type(error).__name__}: {error}")
    call = _called(line)
    types = () if "Int64" in line or "boolean" in line else _types(found)
    value = as_value(call, found)
    # R's lists and data frames may be tables here.
    if isinstance(found, pd.DataFrame) and value.kind != "record":
        columns = record({str(found.columns[j]): as_value(call, found.iloc[:, j].array) for j in range(found.shape[1])})
        value = {"record": columns, "other": value}
    return Answer(value, types, float(rr.runif(1)[0]), tuple(str(w.message) for w in told))


def _called(line: str) -> Call:
    """The function and the flags of a line: they say how its answer is counted."""
    name = re.search(r"r\.(\w+)", line)
    listed = "list=False" not in line and "value=True" not in line
    return Call(name[1] if name else "", (), {"list": listed})


def _types(found: Any) -> tuple[str, ...]:
    """R's types of an answer; "" where a missing value leaves them open."""
    if isinstance(found, dict | list | tuple | pd.DataFrame | pd.Categorical | rr.ConfusionMatrix) or found is None:
        return ()
    array = np.asarray(found)
    if array.dtype.kind == "f":
        return ("",) if np.isnan(array).any() else ("double",)
    return ({"b": "logical", "i": "integer"}.get(array.dtype.kind, ""),)


def as_value(call: Call, found: Any) -> Value:
    """Plain value of an answer."""
    found = _as_array(found)
    if isinstance(found, dict):
        return record({str(rr.as_character([key])[0]): as_value(call, part) for key, part in found.items()})
    if isinstance(found, rr.ConfusionMatrix):
        return record({"table": as_value(call, found.table), "overall": plain(found.overall)})
    if isinstance(found, pd.DataFrame):
        return _frame(call, found)
    if isinstance(found, pd.Series):
        return _series(call, found)
    if isinstance(found, pd.Categorical):
        return factor(found.codes, list(rr.as_character(found.categories)))
    return _counted(call, found)


def _as_array(found: Any) -> Any:
    """Lists as dictionaries, pandas' own arrays as NumPy's; logicals of which some are missing as numbers."""
    if isinstance(found, list):
        return {str(i + 1): part for i, part in enumerate(found)}
    if isinstance(found, tuple) and not isinstance(found, rr.ConfusionMatrix):
        return np.array(found)
    if isinstance(found, pd.arrays.NumpyExtensionArray):
        found = np.asarray(found)
    if str(getattr(found, "dtype", "")) in ("Int64", "boolean", "Float64"):
        return found.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(found, np.ndarray) and found.dtype == object and any(isinstance(v, bool) for v in found.ravel()):
        flat = [np.nan if pd.isna(v) else v for v in found.ravel()]
        return found if any(isinstance(v, str) for v in flat) else np.array(flat, dtype=float).reshape(found.shape)
    return found


def _series(call: Call, found: pd.Series[Any]) -> Value:
    if call.name in ("table", "tapply", "summary", "sapply"):
        return numbers(found.to_numpy(), [_labels(found.index)])
    if isinstance(found.dtype, pd.CategoricalDtype) or found.dtype.kind in "biuf":
        return _counted(call, found)
    return plain_text(found.to_numpy(dtype=object), [index_names(found.index)])


def _counted(call: Call, found: Any) -> Value:
    """Positions from 1, as R counts."""
    listed = call.kwargs.get("list", True)
    if call.name in ("createDataPartition", "createResample") and not listed:
        columns = found[:, None] if found.ndim == 1 else found
        return numbers(columns + 1, [None, [f"Resample{i + 1}" for i in range(columns.shape[1])]])
    if call.name == "match":
        return plain(np.where(found < 0, np.nan, found + 1.0))
    return plain(found + 1 if call.name in (*POSITIONS, *ROWS) and listed else found)


def _labels(index: pd.Index) -> list[str]:
    """Labels as R writes each."""
    return ["NA" if pd.isna(v) else str(rr.as_character([v])[0]) for v in index]


def _frame(call: Call, found: pd.DataFrame) -> Value:
    if call.name in BY_COLUMN or not all(pd.api.types.is_numeric_dtype(kind) for kind in found.dtypes):
        return record({str(found.columns[j]): as_value(call, found.iloc[:, j].array) for j in range(found.shape[1])})
    if call.name == "scale":
        extra = {key: plain(np.array(list(value.values()))) for key, value in found.attrs.items()}
        return record({"x": plain(found), **extra}) if extra else plain(found)
    if call.name in ("table", "confusionMatrix"):
        return numbers(found.to_numpy(), [_labels(found.index), _labels(found.columns)])
    return numbers(found.to_numpy(), [index_names(found.index), index_names(found.columns)])


# ---- compared ------------------------------------------------------------------------------------


def differences(theirs: Answer, ours: Answer, names: bool = True) -> list[str]:
    """What differs between the two sides of a call, with names or without; types count where no value is missing."""
    if theirs.failed is not None or ours.failed is not None:
        if theirs.failed is not None and ours.failed is not None:
            return []
        return [f"R refuses: {theirs.failed}" if theirs.failed else f"pyrrf refuses: {ours.failed}"]
    value = ours.value
    if isinstance(value, dict):
        value = value["record" if theirs.value.kind == "record" else "other"]
    sides = [theirs.value, _aligned(theirs.value, value)]
    sides = sides if names else [_bare(side) for side in sides]
    found = list(compare(record({"value": sides[0]}), record({"value": sides[1]}), ""))
    if theirs.draw != ours.draw:
        found.append("the next draw differs")
    if (
        names
        and len(theirs.types) == len(ours.types) == 1
        and ours.types != ("",)
        and theirs.types[0] not in (ours.types[0], "character")
    ):
        found.append(f"type: R {theirs.types[0]}, pyrrf {ours.types[0]}")
    if names and theirs.warned and not ours.warned:
        found.append(f"R warns: {theirs.warned[0]}")
    return found


def _bare(value: Value) -> Value:
    """A value without names; a single number of Python has none."""
    if value.kind == "record":
        return record({key: _bare(part) for key, part in value.data.items()})
    return replace(value, names=[None] * len(value.names))


def _aligned(theirs: Value, ours: Value) -> Value:
    """Our value; what is missing throughout has R's kind."""
    if theirs.kind == ours.kind == "record" and list(theirs.data) == list(ours.data):
        return record({key: _aligned(theirs.data[key], part) for key, part in ours.data.items()})
    if {theirs.kind, ours.kind} != {"numbers", "text"}:
        return ours
    gone = pd.isna(ours.data).all()
    other = (
        np.full(ours.data.shape, np.nan) if theirs.kind == "numbers" else np.full(ours.data.shape, None, dtype=object)
    )
    return replace(ours, kind=theirs.kind, data=other) if gone else ours


def shrunk(call: Call, fails: Callable[[Call], object]) -> Call:
    """The smallest call that still fails, by leaving out arguments and items."""
    smaller = next((c for c in _smaller(call) if fails(c)), None)
    return call if smaller is None else shrunk(smaller, fails)


def _smaller(call: Call) -> Iterator[Call]:
    for key in call.kwargs:
        yield replace(call, kwargs={k: v for k, v in call.kwargs.items() if k != key})
    if len(call.args) > 1 and call.name not in R_LINES:
        yield replace(call, args=call.args[:-1])
    for i, arg in enumerate(call.args):
        for less in _less(arg):
            yield replace(call, args=(*call.args[:i], less, *call.args[i + 1 :]))
    for key, value in call.kwargs.items():
        for less in _less(value):
            yield replace(call, kwargs=call.kwargs | {key: less})


def _less(value: Any) -> Iterator[Any]:
    """Values with fewer items, rows or columns, or without names."""
    if isinstance(value, pd.Series):
        yield value.to_numpy()
    if isinstance(value, list | dict) or not np.ndim(value):
        return
    table = isinstance(value, pd.DataFrame)
    for axis, size in enumerate(np.shape(value)):
        half = (size + 1) // 2
        # Halves of what is long, then all but one of what is short.
        parts = [np.arange(half), np.arange(half, size)] if size > 3 else []
        parts += [np.delete(np.arange(size), i) for i in range(size)] if size <= 8 else []
        for part in parts if size > 1 or np.ndim(value) == 1 else []:
            if table or isinstance(value, pd.Series):
                yield value.iloc[part] if axis == 0 else value.iloc[:, part]
            else:
                yield value[part] if axis == 0 else value[:, part]
