"""Results of pyrrf as plain values: arrays and tables, fits, forests, results on test sets.

What is renamed or counted otherwise in Python is brought back to R here and in `python_side.py`, so these
files are also the list of those differences: positions from 0, underscores for dots, labels on rows that
R leaves bare.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from parity.datasets.tables import only_counts
from parity.steps import Step
from parity.values import NOTHING, Value, factor, numbers, record, text

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
    return plain_text(array) if array.dtype.kind in "OUS" else numbers(array)


def _plain_frame(frame: pd.DataFrame, rows: bool) -> Value:
    names = [index_names(frame.index) if rows else None, index_names(frame.columns)]
    if all(pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes):
        return numbers(frame.to_numpy(), names)
    return plain_text(frame.to_numpy(dtype=object), names)


def plain_text(array: np.ndarray, names: list[list[str] | None] | None = None) -> Value:
    flat = np.array([None if pd.isna(v) else r_label(v) for v in array.ravel()], dtype=object)
    return text(flat.reshape(array.shape), names)


# ---- fits ----------------------------------------------------------------------------------------


_CLASS_FIT = """type predicted err.rate confusion votes oob.times classes importance importanceSD localImportance
proximity ntree mtry forest y test inbag feaSet coefReg""".split()
_REGRESSION_FIT = """type predicted mse rsq oob.times importance importanceSD localImportance proximity ntree mtry
forest coefs y test inbag feaSet coefReg""".split()
_OF_RRF = ("feaSet", "coefReg")


def plain_fit(fit: Any, step: Step) -> Value:
    """Components of a fit in R's order, by R's names, without the call."""
    order = _REGRESSION_FIT if fit.type == "regression" else _CLASS_FIT
    own = () if isinstance(fit, pyrrf.RRFResult) else _OF_RRF
    return record({name: _component(fit, name) for name in step.keep or order if name not in own})


def _component(fit: Any, name: str) -> Value:
    value = getattr(fit, name.replace(".", "_"))
    if name in ("type", "classes"):
        return plain_text(np.atleast_1d(np.array(value, dtype=object)))
    if name in ("forest", "test"):
        return plain_forest(value) if name == "forest" else plain_test(value)
    if name == "feaSet":
        return numbers(value + 1)
    # In R only a formula labels the rows of y; those of inbag only randomForest and a regression do.
    labels_bags = fit.type == "regression" or not isinstance(fit, pyrrf.RRFResult)
    bare = {"oob.times": True, "y": fit.terms is None, "inbag": not labels_bags}.get(name, False)
    return plain(value, rows=not bare)


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
    levels = [text([r_label(v) for v in own]) if own != 0 else NOTHING for own in forest.xlevels]
    arrays = ("nodestatus", "bestvar", "xbestsplit", "leftDaughter", "rightDaughter")
    parts = {name: _pack(getattr(forest, name), sizes) for name in arrays} | {
        "nodepred": _pack_predictions(forest.nodepred, sizes),
        "ndbigtree": plain(sizes),
        "pid": plain(forest.pid),
        "cutoff": plain(forest.cutoff),
        "ncat": plain(forest.ncat),
        "maxcat": plain(forest.maxcat),
        "nrnodes": plain(forest.nrnodes),
        "ntree": plain(forest.ntree),
        "nclass": plain(forest.nclass),
        "xlevels": record({str(i + 1): own for i, own in enumerate(levels)}),
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


def _pack_predictions(nodes: np.ndarray, sizes: np.ndarray) -> Value:
    """The same of node predictions; what stands beyond the trees' ends comes last, unless it is 0."""
    inside = np.arange(len(nodes))[:, None] < sizes
    # In the order of the array, as R's unique().
    beyond = np.array([*dict.fromkeys(nodes.T[~inside.T].tolist())])
    packed = _pack(np.where(inside, nodes, np.zeros((), nodes.dtype)), sizes)
    return numbers(np.concatenate([packed.data, beyond])) if (beyond != 0).any() else packed
