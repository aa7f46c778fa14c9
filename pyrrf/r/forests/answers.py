"""Functions of a fit: importance, trees, margins, proximities, combined fits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

import pyrrf
from pyrrf.r.base.frames import make_frame
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.files.cells import as_levels
from pyrrf.r.forests.fits import Changes, Fit, Grown, fit_of, is_fit, part
from pyrrf.r.forests.forests import check_trees
from pyrrf.r.stats.predictors import call_port, table_of
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.coercion import cells_of, coerce, factor_labels
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Flag, Number, Whole, r_function
from pyrrf.r.values.kinds import factor_levels, is_factor, is_frame
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix
from pyrrf.r.values.labels import matrix_of as matrix
from pyrrf.r.values.vector import Value, as_value, doubles, integers, objects, strings
from pyrrf.result.result import ForestResult
from pyrrf.result.summaries import joined_positions, margins, positions_by_tree, require_forest


def _require_part(x: Value, name: str) -> Value:
    """Return a required part of a fit or a forest."""
    component = part(x, name)
    assert component is not None, name
    return component


def _forest(x: Value, message: str) -> Value:
    forest = part(x, "forest")
    if forest is None:
        raise RError(message)
    return forest


# ---- importance ----------------------------------------------------------------------------------


@r_function()
def importance(
    x: Value,
    type: Number | None = None,
    class_: Value | None = None,
    scale: object = True,
    *dots: object,
    **ignored: object,
) -> Value:
    """Return the importance of the features: R's ``importance``."""
    if not is_fit(x):
        raise RError("x is not of class RRF")
    table = part(x, "importance")
    if table is None:
        raise NotSupportedError("importance() of a fit without importances")
    if type not in (None, 1, 2):
        raise RError("Wrong type specified")
    if type == 2 and class_ is not None:
        raise RError("No class-specific measure for that type")
    rows, columns = dimnames_of(table)
    label = None
    if type == 1:
        if len(columns or []) < 2:
            return matrix("double", np.zeros((len(cells_of(table)), 0)), (rows, None))
        label = None if class_ is None or text(part(x, "type")) == "regression" else text(class_)
        if label is not None and label not in (columns or []):
            raise RError(f"Class {label} not found.")
    table_of_measures = pyrrf.importance(fit_of(x), None if type is None else int(type), label, flag(scale))
    return matrix("double", table_of_measures.to_numpy(), (rows, [str(name) for name in table_of_measures.columns]))


# ---- trees ---------------------------------------------------------------------------------------


@r_function()
def treesize(x: Value, terminal: Flag = True) -> Value:
    """Return the size of each tree: R's ``treesize``."""
    if not is_fit(x):
        raise RError("This function only works for objects of class `randomForest'")
    nodes = _require_part(_forest(x, "The object must contain the forest component"), "ndbigtree")
    return doubles(pyrrf.treesize(fit_of(x)), nodes._attributes) if terminal else nodes.copy()


@r_function()
def varUsed(x: Value, by_tree: Flag = False, count: Flag = True) -> Value:
    """Return the features that the trees split on: R's ``varUsed``."""
    if not is_fit(x):
        raise RError("x is not a randomForest object")
    kind = _require_part(_forest(x, "x does not contain forest"), "bestvar")._kind
    if not count:
        return _positions([used + 1 for used in positions_by_tree(require_forest(fit_of(x), "x"))], by_tree, kind)
    table = np.asarray(pyrrf.varUsed(fit_of(x), by_tree), np.float64)
    return matrix("double", table) if by_tree else doubles(table)


def _positions(used: list[np.ndarray], separate: bool, kind: str) -> Value:
    """Return positions by tree as R's apply() does: a matrix where all trees have equally many."""
    sizes = {len(places) for places in used}
    if separate and len(sizes) == 1 and max(sizes) > 1:
        return matrix(kind, np.stack(used, axis=1).astype(np.float64))
    if separate and sizes != {1}:
        return Value("list", objects([Value(kind, places.astype(np.float64)) for places in used]))
    return Value(kind, (np.concatenate(used) if separate else joined_positions(used)).astype(np.float64))


@r_function()
def getTree(rfobj: Value, k: Number = 1, labelVar: Flag = False) -> Value:
    """Return one tree: R's ``getTree``, a matrix or, with labels, a data frame."""
    _forest(rfobj, "No forest component in rfobj")
    total = part(rfobj, "ntree")
    if k < 0:
        raise RError("length of 'dimnames' [2] not equal to array extent")
    if k < 1:
        raise RError("argument of length 0")
    if k != k or (total is not None and k > number(total)):
        raise RError(f"There are fewer than {text(k)}trees in the forest")
    tree = pyrrf.getTree(fit_of(rfobj), int(k))
    if len(tree) == 1:
        raise NotSupportedError("getTree() of a tree of one node, where R fails")
    rows = [str(i + 1) for i in range(len(tree))]
    if labelVar:
        return _labelled_tree(rfobj, tree, rows)
    return matrix("double", tree.to_numpy(np.float64), (rows, [*tree.columns]))


def _labelled_tree(fit: Value, tree: pd.DataFrame, rows: list[str]) -> Value:
    columns = [*tree.to_numpy(np.float64).T]
    parts = [doubles(column) for column in columns]
    table = part(fit, "importance")
    labels = [] if table is None else dimnames_of(table)[0] or []
    parts[2] = as_levels([None if not v else str(labels[int(v) - 1]) for v in columns[2]])
    if text(part(fit, "type")) == "classification":
        levels = factor_levels(_require_part(fit, "y"))
        parts[5] = strings([levels[int(v) - 1] if 1 <= v <= len(levels) else None for v in columns[5]])
    return make_frame(parts, tree.columns, strings(rows))


# ---- votes and proximities -----------------------------------------------------------------------


@r_function()
def margin(x: Value, observed: Value | None = None, *dots: object, **ignored: object) -> Value:
    """Return the margin of each row: R's ``margin``."""
    votes: Value | None = x
    if is_fit(x):
        if text(part(x, "type")) == "regression":
            raise RError("margin not defined for regression Random Forests")
        votes, observed = part(x, "votes"), part(x, "y")
        if observed is None and votes is not None:
            raise RError("x$y is not a factor")
    if votes is None:
        raise RError("margin is only defined if votes are present")
    if observed is None or not is_factor(observed):
        raise RError("observed is not a factor")
    columns = dimnames_of(votes)[1] or []
    levels = factor_levels(observed)
    if len(columns) != len(levels):
        raise RError("number of columns in x must equal the number of levels in observed")
    if set(columns) != set(levels):
        raise RError("column names of x must match levels of observed")
    shares = cells_of(votes)
    if np.isnan(shares).any() and not (shares > 1).any():
        raise RError("missing value where TRUE/FALSE needed")
    places = [columns.index(level) for level in levels]
    names = strings(factor_labels(observed)._data)
    values = margins(shares[:, places], observed._data.astype(np.int64) - 1)
    return doubles(values, {"names": names, "class": strings("margin")})


@r_function()
def outlier(x: Value, cls: Value | None = None, *dots: object, **ignored: object) -> Value:
    """Return the outlyingness of each row within its class: R's ``outlier``."""
    near: Value | None = x
    if is_fit(x):
        if text(part(x, "type")) == "regression":
            raise RError("no outlier measure for regression")
        near, cls = part(x, "proximity"), part(x, "y")
        if near is None:
            raise RError("no proximity measures available")
    if near is None or not (is_matrix(near) or is_frame(near)):
        raise NotSupportedError("outlier() of something else than a fit or a matrix")
    if len({*(dim_of(near) or ())}) > 1:
        raise RError("x must be a square matrix")
    grid = cells_of(as_matrix(near))
    measures = call_port(pyrrf.outlier, grid, None if cls is None else list(coerce(cls, "character")._data))
    names = dimnames_of(near)[0] or [str(i + 1) for i in range(len(grid))]
    return doubles(measures.to_numpy(), {"names": strings(names)})


@r_function(does="draws")
def classCenter(x: Value, label: Value, prox: Value, nNbr: Whole | None = None) -> Value:
    """Return the prototypes of the classes: R's ``classCenter``."""
    table = table_of(x, "x")
    if not is_matrix(prox) and not is_frame(prox):
        raise RError("dim(X) must have a positive length")
    near = cells_of(as_matrix(prox))
    centres = call_port(pyrrf.classCenter, table.values, list(coerce(label, "character")._data), near, nNbr)
    return matrix("double", centres.to_numpy(np.float64), ([str(row) for row in centres.index], table.columns))


# ---- fits put together ---------------------------------------------------------------------------


@r_function(does="draws")
def combine(*dots: Value) -> Value:
    """Put the trees of several fits into one: R's ``combine``."""
    if not dots or not all(map(is_fit, dots)):
        raise RError("Argument must be a list of RRF objects")
    return _fit_of_trees(call_port(pyrrf.combine, *map(fit_of, dots)), dots[0], [part(fit, "ntree") for fit in dots])


@r_function(does="draws")
def grow(x: Value, how_many: Value | None = None, *dots: object, **ignored: object) -> Value:
    """Add trees to a fit: R's ``grow``, on the data that the fit was grown on."""
    if not is_fit(x):
        raise RError("grow has not been implemented for this class of object")
    fit = fit_of(x)
    if not fit.arguments:
        raise NotSupportedError("grow() of a fit that was read from a file: its data are not at hand")
    check_trees(coerce(as_value(how_many), "double"))
    return _fit_of_trees(call_port(pyrrf.grow, fit, int(number(how_many))), x, [part(x, "ntree"), how_many])


def _fit_of_trees(fit: ForestResult, first: Value, trees: Sequence[Value | None]) -> Value:
    parts = {name: part(first, name) for name in ("call", "y", "terms", "na.action")}
    cutoff = part(first, "forest", "cutoff")
    changes: Changes = {name: component for name, component in parts.items() if component is not None}
    if cutoff is not None:
        changes["forest$cutoff"] = cutoff
    if all(count is not None and count._kind == "integer" for count in trees):
        changes["ntree"] = changes["forest$ntree"] = integers(sum(number(count) for count in trees))
    each = {number(count) for count in trees if count is not None}
    if cutoff is not None and fit.forest is not None and len(each) == 1 and max(each) > 1:
        # A matrix, as sapply() makes of vectors of one length.
        shape = integers([int(max(each)), len(trees)])
        changes["forest$ndbigtree"] = integers(fit.forest.ndbigtree, {"dim": shape})
    return Fit(Grown(fit, changes))
