"""Runs the steps of a case in pyrrf and turns the results into plain values.

What is renamed or counted otherwise in Python is brought back to R here, so this file is also the
list of those differences: positions from 0, underscores for dots, labels on rows that R leaves bare.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from parity import companions
from parity.answers import Answer, StreamState
from parity.datasets import load, only_counts
from parity.scripts import SCRIPTS
from parity.steps import Bare, Case, Column, Labels, Named, Part, Positions, Ref, Step
from parity.values import NOTHING, Value, factor, numbers, record, text
from pyrrf.random import _STREAM


def run(item: Case) -> list[Answer]:
    """Answers of pyrrf to the steps of a case."""
    kept: dict[str, Any] = {}
    parts = load(item.data).parts
    return [_step(step, parts, kept) for step in item.steps]


def _step(step: Step, parts: dict[str, Any], kept: dict[str, Any]) -> Answer:
    printed = io.StringIO()
    value, failed = NOTHING, None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            args = {key: _argument(value, parts, kept) for key, value in step.args.items()}
            kept[step.name] = _call(step, args)
        except (ValueError, TypeError) as error:
            failed = str(error)
        stream = StreamState.of(_STREAM.get_state()[0])
    if failed is None:
        value = PLAIN.get(step.verb, _plain_other)(kept[step.name], step)
    lines = printed.getvalue().splitlines()
    return Answer(value, stream, lines, [str(w.message) for w in caught], failed)


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
    if step.verb == "randomForest":
        return pyrrf.RRF(flagReg=0, mtry=args["x"].shape[1], **args)
    return getattr(pyrrf, step.verb)(**args)


# ---- names ---------------------------------------------------------------------------------------


def r_label(label: Any) -> str:
    """A label as R writes it."""
    if isinstance(label, bool | np.bool_):
        return "TRUE" if label else "FALSE"
    return str(label)


def index_names(index: pd.Index) -> list[str] | None:
    """Labels of an index, None where it only counts."""
    return None if only_counts(index) else [r_label(v) for v in index]


# ---- values --------------------------------------------------------------------------------------


def plain(obj: Any, *, rows: bool = True) -> Value:
    """Plain value of a NumPy or pandas object; `rows=False` drops row labels that R does not have."""
    if obj is None:
        return NOTHING
    if isinstance(obj, pd.DataFrame):
        return _plain_frame(obj, rows)
    if isinstance(obj, pd.Categorical):
        return factor(obj.codes, [r_label(v) for v in obj.categories])
    if isinstance(obj, pd.Series):
        names = index_names(obj.index) if rows else None
        if isinstance(obj.dtype, pd.CategoricalDtype):
            return factor(obj.cat.codes, [r_label(v) for v in obj.cat.categories], names)
        return numbers(obj.to_numpy(), [names])
    array = np.atleast_1d(np.asarray(obj))
    return _plain_text(array) if array.dtype.kind in "OUS" else numbers(array)


def _plain_frame(frame: pd.DataFrame, rows: bool) -> Value:
    names = [index_names(frame.index) if rows else None, index_names(frame.columns)]
    if all(pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes):
        return numbers(frame.to_numpy(), names)
    return _plain_text(frame.to_numpy(dtype=object), names)


def _plain_text(array: np.ndarray, names: list[list[str] | None] | None = None) -> Value:
    flat = np.array([None if pd.isna(v) else r_label(v) for v in array.ravel()], dtype=object)
    return text(flat.reshape(array.shape), names)


# ---- fits ----------------------------------------------------------------------------------------


_CLASS_FIT = """type predicted err.rate confusion votes oob.times classes importance importanceSD localImportance
proximity ntree mtry forest y test inbag feaSet coefReg""".split()
_REGRESSION_FIT = """type predicted mse rsq oob.times importance importanceSD localImportance proximity ntree mtry
forest coefs y test inbag feaSet coefReg""".split()


def plain_fit(fit: Any, step: Step) -> Value:
    """Components of a fit in R's order, by R's names, without the call."""
    order = _REGRESSION_FIT if fit.type == "regression" else _CLASS_FIT
    return record({name: _component(fit, name) for name in step.keep or order})


def _component(fit: Any, name: str) -> Value:
    found = getattr(fit, name.replace(".", "_"))
    if name in ("type", "classes"):
        return _plain_text(np.atleast_1d(np.array(found, dtype=object)))
    if name in ("forest", "test"):
        return plain_forest(found) if name == "forest" else plain_test(found)
    if name == "feaSet":
        return numbers(found + 1)
    # Only a regression labels the rows of inbag in R, and only a formula those of y.
    bare = {"oob.times": True, "y": fit.terms is None, "inbag": fit.type != "regression"}.get(name, False)
    return plain(found, rows=not bare)


def plain_test(test: Any) -> Value:
    """Results on the test set."""
    if test is None:
        return NOTHING
    proximity = plain(test.proximity)
    if test.proximity is not None and only_counts(test.rows):
        proximity.names[1] = None
    if isinstance(test, pyrrf.RRFRegressionTestSet):
        middle = {"mse": plain(test.mse), "rsq": plain(test.rsq)}
    else:
        middle = {
            "err.rate": plain(test.err_rate),
            "confusion": plain(test.confusion),
            "votes": plain(test.votes),
        }
    return record({"predicted": plain(test.predicted), **middle, "proximity": proximity})


def plain_forest(forest: Any) -> Value:
    """The R-shaped arrays of a forest, the nodes of each tree one after another (see `r_side.R`)."""
    if forest is None:
        return NOTHING
    sizes = forest.ndbigtree
    levels = [text([r_label(v) for v in found]) if found != 0 else NOTHING for found in forest.xlevels]
    arrays = ("nodestatus", "bestvar", "nodepred", "xbestsplit", "leftDaughter", "rightDaughter")
    parts = {name: _pack(getattr(forest, name), sizes) for name in arrays} | {
        "ndbigtree": plain(sizes),
        "pid": plain(forest.pid),
        "cutoff": plain(forest.cutoff),
        "ncat": plain(forest.ncat),
        "maxcat": plain(forest.maxcat),
        "nrnodes": plain(forest.nrnodes),
        "ntree": plain(forest.ntree),
        "nclass": plain(forest.nclass),
        "xlevels": record({str(i + 1): found for i, found in enumerate(levels)}),
    }
    order = _CLASS_FOREST if forest.nclass else _REGRESSION_FOREST
    return record({name: parts[name] for name in order})


_CLASS_FOREST = """ndbigtree nodestatus bestvar nodepred xbestsplit pid cutoff ncat maxcat nrnodes ntree nclass
xlevels leftDaughter rightDaughter""".split()
_REGRESSION_FOREST = """ndbigtree nodestatus leftDaughter rightDaughter nodepred bestvar xbestsplit ncat nrnodes
ntree xlevels""".split()


def _pack(nodes: np.ndarray, sizes: np.ndarray) -> Value:
    inside = np.arange(len(nodes))[:, None] < sizes
    if (nodes[~inside] != 0).any():
        raise RuntimeError("a padded array holds something beyond the end of a tree")
    return numbers(nodes.T[inside.T])


# ---- other verbs ---------------------------------------------------------------------------------


def plain_prediction(result: Any, step: Step) -> Value:
    """A prediction as R's list: aggregate and individual, then proximity, then nodes as attribute."""
    if not isinstance(result, pyrrf.Prediction):
        return _plain_predicted(result)
    out = _plain_predicted(result.predicted)
    if "newdata" not in step.args:
        return record({"pred": out, "proximity": plain(result.proximity)})
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
    labels = [v + 1 if isinstance(v, int) else v for v in column]
    return _plain_text(np.array(labels, dtype=object))


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
    "predict": plain_prediction,
    "getTree": plain_tree,
    "varUsed": plain_used,
    "set_seed": _plain_nothing,
    "print": _plain_print,
} | companions.PLAIN
