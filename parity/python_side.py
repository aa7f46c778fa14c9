"""Runs the steps of a case in pyrrf and turns the results into plain values.

`plain.py` has the plain form of arrays and fits; here are those of the other verbs.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from parity import companions, draws
from parity.answers import Answer, StreamState
from parity.datasets import load
from parity.plain import plain, plain_fit, plain_text
from parity.scripts import SCRIPTS
from parity.steps import Bare, Case, Column, Labels, Named, Part, Positions, Ref, Step
from parity.values import NOTHING, Value, numbers, record, text
from pyrrf.random import process_stream
from pyrrf.rbase.collate import collating

Swap = Callable[[Step, Any], Any]


def run(item: Case, swap: Swap = lambda step, value: value) -> list[Answer]:
    """Answers of pyrrf to the steps of a case; `swap` may put another object in the place of a step's result."""
    return list(answers(item, load(item.data).parts, swap))


def answers(item: Case, parts: dict[str, Any], swap: Swap = lambda step, value: value) -> Iterator[Answer]:
    """Yield the answers one by one; the parts of the data are given."""
    kept: dict[str, Any] = {}
    pyrrf.random.RNGkind(sample_kind="default")
    for step in item.steps:
        with collating(item.collate):
            answer = _step(step, parts, kept, swap)
        yield answer


def _step(step: Step, parts: dict[str, Any], kept: dict[str, Any], swap: Swap) -> Answer:
    printed = io.StringIO()
    value, failed, kind = NOTHING, None, None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            args = {key: _argument(value, parts, kept) for key, value in step.args.items()}
            kept[step.name] = swap(step, _call(step, args))
        except Exception as error:  # Of any class: the comparer says which are refusals.
            failed, kind = str(error), _usual_class(error)
        stream = StreamState.of(process_stream().get_state()[0])
    if failed is None:
        value = PLAIN.get(step.verb, _plain_other)(kept[step.name], step)
    lines = printed.getvalue().splitlines()
    return Answer(value, stream, lines, [str(w.message) for w in caught], failed, kind)


def _usual_class(error: Exception) -> str:
    """Return the class of Python's own that an error is of: pyrrf's ConstantFeaturesError is a ValueError."""
    return next((usual for usual in (ValueError, TypeError) if isinstance(error, usual)), type(error)).__name__


def _argument(value: Any, parts: dict[str, Any], kept: dict[str, Any]) -> Any:
    if isinstance(value, Part):
        return parts[value.name]
    if isinstance(value, Ref):
        if value.name not in kept:
            raise ValueError(f"the step that makes {value.name} failed")
        return kept[value.name]
    if isinstance(value, Positions):
        return list(value.values)
    if isinstance(value, Named):
        return dict(value.values)
    if isinstance(value, Column):
        return np.array(value.values)[:, None]
    if isinstance(value, Bare):
        return value.text
    if isinstance(value, Labels):
        return pd.Categorical(value.values, categories=value.levels)
    return value


def _call(step: Step, args: dict[str, Any]) -> Any:
    if step.verb == "compute":
        return (SCRIPTS | companions.SCRIPTS)[args.pop("what")](**args)
    if step.verb in companions.FUNCTIONS:
        return companions.call(step.verb, args)
    if step.verb == "print":
        return str(args["x"])
    if step.verb == "read_from_r":
        return pyrrf.read_rds(args["file"])
    if step.verb == "write_to_r":
        pyrrf.write_rds(args["x"], args["file"])
        return args["x"]
    if step.verb == "ordinary":
        return pyrrf.RRF(flagReg=0, mtry=args["x"].shape[1], **args)
    if step.verb in draws.FUNCTIONS:
        return draws.call(step.verb, args)
    return getattr(pyrrf, step.verb)(**args)


# ---- other verbs ---------------------------------------------------------------------------------


def plain_prediction(result: Any, step: Step) -> Value:
    """A prediction as R's list: aggregate and individual, then proximity, then nodes as attribute."""
    if not isinstance(result, pyrrf.Prediction):
        return _plain_predicted(result) if "newdata" in step.args else plain(result)
    if "newdata" not in step.args:
        return record({"pred": plain(result.predicted), "proximity": plain(result.proximity)})
    out = _plain_predicted(result.predicted)
    # R's regression leaves out the trees where it answers proximities.
    dropped = out.kind == "numbers" and out.data.ndim == 1 and result.proximity is not None
    if result.individual is not None and not dropped:
        out = record({"aggregate": out, "individual": plain(result.individual)})
    if result.proximity is not None:
        out = record({"predicted": out, "proximity": plain(result.proximity)})
    if result.nodes is not None:
        out = record({"result": out, "nodes": plain(result.nodes)})
    return out


def _plain_predicted(predicted: Any) -> Value:
    """Predictions; R does not label a class that is missing for want of values in new data."""
    out = plain(predicted)
    if out.kind == "factor" and (out.data < 0).any() and out.names[0] is not None:
        names = ["NA" if code < 0 else name for code, name in zip(out.data, out.names[0], strict=True)]
        out.names[0] = None if set(names) == {"NA"} else names
    return out


def plain_tree(table: pd.DataFrame, step: Step) -> Value:
    """A tree: a matrix in R, a data frame with labels."""
    table = table.reset_index(drop=True)
    if not step.args.get("labelVar"):
        return plain(table)
    return record({str(name): _plain_labels(table[name]) for name in table})


def _plain_labels(column: pd.Series) -> Value:
    """A column of a tree; features without a name are shown by their position."""
    if pd.api.types.is_numeric_dtype(column.dtype) and column.name != "split var":
        return plain(column)
    labels = [v + 1 if isinstance(v, int) and not isinstance(v, bool) else v for v in column]
    return plain_text(np.array(labels, dtype=object))


def plain_used(used: Any, step: Step) -> Value:
    """varUsed: positions count from 1 again."""
    if isinstance(used, list):
        return record({str(k + 1): numbers(tree + 1) for k, tree in enumerate(used)})
    if isinstance(used, np.ndarray):
        return numbers(used + 1)
    return plain(used, rows=False)


def _plain_nothing(result: Any, step: Step) -> Value:
    return NOTHING


def _plain_other(result: Any, step: Step) -> Value:
    return plain(result)


def _plain_print(shown: str, step: Step) -> Value:
    """Lines from the one that names the type; those before it quote the call."""
    lines = f"{shown}\n".splitlines()
    start = next(at for at, line in enumerate(lines) if "Type of random forest" in line)
    return text(lines[start:])


PLAIN: dict[str, Callable[[Any, Step], Value]] = {
    "RRF": plain_fit,
    "GRRF": plain_fit,
    "randomForest": plain_fit,
    "ordinary": plain_fit,
    "read_from_r": plain_fit,
    "write_to_r": plain_fit,
    "predict": plain_prediction,
    "getTree": plain_tree,
    "varUsed": plain_used,
    "set_seed": _plain_nothing,
    "print": _plain_print,
} | companions.PLAIN
