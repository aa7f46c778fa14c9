"""Random calls of the functions of pyrrf.r, the same for the same number; both sides run them.

Each generator makes the arguments of one call. Positions count from 0 in Python; they are brought to R's here.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import pyrrf.r as rr
from parity.compare import compare
from parity.plain import index_names, plain
from parity.r_side import RSide
from parity.values import Value, factor, numbers, record

R_NAMES = {
    "apply": "apply", "as_character": "as.character", "as_factor": "as.factor", "as_integer": "as.integer",
    "as_numeric": "as.numeric", "colon": "`:`", "expand_grid": "expand.grid", "in_": "`%in%`", "power": "`^`",
    "prop_table": "prop.table", "weighted_mean": "weighted.mean", "which_max": "which.max", "which_min": "which.min",
    "createFolds": "caret::createFolds", "createDataPartition": "caret::createDataPartition",
    "createMultiFolds": "caret::createMultiFolds", "createResample": "caret::createResample",
    "confusionMatrix": "pyrrf_confusion",
}  # fmt: skip
"""Functions of R by the names of pyrrf.r where they differ."""

POSITIONS = ("order", "which", "which_max", "which_min", "match")
ROWS = ("createFolds", "createDataPartition", "createMultiFolds", "createResample")
OF_CARET = (*ROWS, "confusionMatrix")
ARGUMENTS = {"include_lowest": "include.lowest", "na_last": "na.last", "ties_method": "ties.method", "from_": "from"}
KEPT = ("stringsAsFactors", "ordered_result", "useNA", "fromLast", "returnTrain")


@dataclass(frozen=True)
class Function:
    """A function that is passed on, by its name in pyrrf.r."""

    name: str


@dataclass
class Call:
    """One call of a function."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


# ---- both sides ----------------------------------------------------------------------------------


def run_r(r: RSide, call: Call, number: int) -> Value | None:
    """R's answer; None if R refuses the call."""
    ro = r.ro
    shown = [_bind(r, f"arg.{i}", a) for i, a in enumerate(call.args)]
    shown += [f"{_r_argument(key)} = {_bind(r, f'arg.{key}', a)}" for key, a in call.kwargs.items()]
    ro.r(f"set.seed({number})")
    # R would name unnamed columns after the harness's variables.
    shown += ["deparse.level = 0"] if call.name in ("cbind", "rbind") else []
    line = f"{R_NAMES.get(call.name, call.name)}({', '.join(shown)})"
    answer = ro.r["pyrrf_step"](f"it <- {line}")
    if answer.rx2("failed") is not ro.NULL:
        return None
    return _with_draw(r.from_r(ro.r("pyrrf_bare(it)")), float(ro.r("runif(1)")[0]))


def _r_argument(name: str) -> str:
    return name if name in KEPT else ARGUMENTS.get(name, name.rstrip("_").replace("_", "."))


def _bind(r: RSide, name: str, value: Any) -> str:
    if isinstance(value, Function):
        return R_NAMES.get(value.name, value.name)
    if value is None:
        return "NULL"
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray | pd.Categorical):
        return f"list({', '.join(_bind(r, f'{name}.{i}', v) for i, v in enumerate(value))})"
    made = value if np.ndim(value) or isinstance(value, pd.Categorical) else np.array([value])
    r.ro.globalenv[name] = r.to_r(made)
    return name


def run_python(call: Call, number: int) -> Value | None:
    """The answer of pyrrf.r in R's form; None if it refuses the call."""
    function = getattr(rr, call.name)
    args = [getattr(rr, a.name) if isinstance(a, Function) else a for a in call.args]
    rr.set_seed(number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(*args, **call.kwargs)
        except (ValueError, TypeError):
            return None
    return _with_draw(as_value(call, found), float(rr.runif(1)[0]))


def _with_draw(value: Value, draw: float) -> Value:
    """The answer, and the next number of the stream."""
    return record({"value": value, "draw": numbers([draw])})


def as_value(call: Call, found: Any) -> Value:
    """Plain value of an answer."""
    shift = call.name in POSITIONS or (call.name in ROWS and call.kwargs.get("list", True))
    shift |= call.name == "createDataPartition" or call.name == "createResample"
    if call.name == "match":
        found = np.where(found < 0, np.nan, found)
    if isinstance(found, dict):
        return record({str(key): as_value(call, part) for key, part in found.items()})
    if isinstance(found, rr.ConfusionMatrix):
        return record({"table": as_value(call, found.table), "overall": plain(found.overall)})
    if isinstance(found, pd.DataFrame):
        return _frame(call, found)
    if isinstance(found, pd.Series) and call.name in ("table", "tapply", "summary"):
        return numbers(found.to_numpy(), [_labels(found.index)])
    if isinstance(found, pd.Categorical):
        return factor(found.codes, list(rr.as_character(found.categories)))
    if call.name in ("createDataPartition", "createResample") and not call.kwargs.get("list", True):
        columns = found[:, None] if found.ndim == 1 else found
        names = [f"Resample{i + 1}" for i in range(columns.shape[1])]
        return numbers(columns + 1, [None, names])
    return plain(found + 1 if shift else found)


def _labels(index: pd.Index) -> list[str]:
    """Labels as R writes each."""
    return ["NA" if pd.isna(v) else str(rr.as_character([v])[0]) for v in index]


def _frame(call: Call, found: pd.DataFrame) -> Value:
    if call.name in ("aggregate", "sweep", "expand_grid", "cbind", "rbind", "head", "tail"):
        return record({str(name): as_value(call, found[name].array) for name in found})
    if call.name == "scale":
        extra = {key: plain(np.array(list(value.values()))) for key, value in found.attrs.items()}
        return record({"x": plain(found), **extra}) if extra else plain(found)
    if call.name in ("table", "confusionMatrix"):
        return numbers(found.to_numpy(), [_labels(found.index), _labels(found.columns)])
    return numbers(found.to_numpy(), [index_names(found.index), index_names(found.columns)])


def differences(theirs: Value | None, ours: Value | None) -> list[str]:
    """What differs between the two sides of a call."""
    if theirs is None or ours is None:
        return [] if theirs is ours else [f"{'R' if theirs is None else 'pyrrf'} refuses, the other side answers"]
    return list(compare(theirs, ours, "value"))
