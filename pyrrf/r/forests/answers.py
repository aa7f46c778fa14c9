"""What R computes from a fit: importance, trees, margins, proximities, fits put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import pyrrf
from pyrrf.r.base.frames import framed
from pyrrf.r.base.matrices import as_matrix
from pyrrf.r.files.cells import as_levels
from pyrrf.r.forests.fits import Changes, Fit, Grown, fit_of, is_fit, part
from pyrrf.r.forests.forests import check_trees
from pyrrf.r.stats.predictors import asked, table_of
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.coercion import cells_of, coerced, factor_labels
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Flag, Number, Whole, r_function
from pyrrf.r.values.kinds import factor_levels, is_factor, is_frame
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix
from pyrrf.r.values.labels import made as matrix
from pyrrf.r.values.vector import Value, as_value, doubles, integers, objects, strings
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.result.result import ForestResult, normalised

_EPS = np.finfo(np.float64).eps
_OF_TREE = ["left daughter", "right daughter", "split var", "split point", "status", "prediction"]


def _there(x: Value, name: str) -> Value:
    """Return a part that each fit or forest has."""
    found = part(x, name)
    assert found is not None, name
    return found


def _cells(x: Value, name: str) -> np.ndarray:
    return cells_of(_there(x, name))


def _forest(x: Value, message: str) -> Value:
    found = part(x, "forest")
    if found is None:
        raise RError(message)
    return found


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
    values, (rows, columns) = cells_of(table), dimnames_of(table)
    columns = columns or []
    if type == 2:
        return matrix("double", values[:, -1:], (rows, columns[-1:]))
    if flag(scale):
        values = _scaled(values, part(x, "importanceSD"))
    if type is None:
        return matrix("double", values, (rows, columns))
    at = values.shape[1] - 2 if class_ is None else _place(x, text(class_), columns)
    if at < 0:
        return matrix("double", values[:, :0], (rows, None))
    return matrix("double", values[:, at : at + 1], (rows, columns[at : at + 1]))


def _place(x: Value, label: str, columns: Sequence[str | None]) -> int:
    """Return the column of a class's decrease of accuracy; there is one for a regression."""
    if text(part(x, "type")) == "regression":
        return 0
    if label not in columns:
        raise RError(f"Class {label} not found.")
    return columns.index(label)


def _scaled(values: np.ndarray, deviations: Value | None) -> np.ndarray:
    """Return importances divided by their standard errors, where those are not 0."""
    if deviations is None or values.shape[1] < 2:
        return values
    errors = deviations._data.reshape((len(values), -1), order="F")
    with np.errstate(invalid="ignore"):
        errors = np.where(errors < _EPS, 1.0, errors)
        errors = np.where(np.isnan(errors), REAL_NA, errors)
        return np.column_stack([values[:, :-1] / errors, values[:, -1]])


# ---- trees ---------------------------------------------------------------------------------------


@r_function()
def treesize(x: Value, terminal: Flag = True) -> Value:
    """Return the size of each tree: R's ``treesize``."""
    if not is_fit(x):
        raise RError("This function only works for objects of class `randomForest'")
    nodes = _there(_forest(x, "The object must contain the forest component"), "ndbigtree")
    return doubles((nodes._data + 1) / 2, nodes._attributes) if terminal else nodes.copy()


@r_function()
def varUsed(x: Value, by_tree: Flag = False, count: Flag = True) -> Value:
    """Return which features the trees split on: R's ``varUsed``."""
    if not is_fit(x):
        raise RError("x is not a randomForest object")
    forest = _forest(x, "x does not contain forest")
    splits = _there(forest, "bestvar")
    trees = [tree[tree > 0].astype(np.int64) for tree in cells_of(splits).T]
    if not count:
        return _joined([np.unique(tree) for tree in trees], by_tree, splits._kind)
    counts = [np.bincount(tree, minlength=len(_there(forest, "ncat")) + 1)[1:] for tree in trees]
    table = np.stack(counts, axis=1).astype(np.float64)
    return matrix("double", table) if by_tree else doubles(table.sum(axis=1))


def _joined(used: list[np.ndarray], separate: bool, kind: str) -> Value:
    """Return positions by tree as R's apply() does: a matrix where all trees have equally many."""
    sizes = {len(places) for places in used}
    even = len(sizes) == 1 and max(sizes) > 1
    if separate and even:
        return matrix(kind, np.stack(used, axis=1).astype(np.float64))
    if separate and sizes != {1}:
        return Value("list", objects([Value(kind, places.astype(np.float64)) for places in used]))
    found = np.concatenate(used).astype(np.float64)
    if not separate:
        found = np.sort(found) if even else np.unique(found)
    return Value(kind, found)


@r_function()
def getTree(rfobj: Value, k: Number = 1, labelVar: Flag = False) -> Value:
    """Return one tree: R's ``getTree``, a matrix or, with labels, a data frame."""
    forest = _forest(rfobj, "No forest component in rfobj")
    total = part(rfobj, "ntree")
    if k < 0:
        raise RError("length of 'dimnames' [2] not equal to array extent")
    if k < 1:
        raise RError("argument of length 0")
    if k != k or (total is not None and k > number(total)):
        raise RError(f"There are fewer than {text(k)}trees in the forest")
    at = int(k) - 1
    n = int(_there(forest, "ndbigtree")._data[at])
    if part(forest, "treemap") is not None:
        daughters = [*_cells(forest, "treemap")[:n, :, at].T]
    else:
        daughters = [_cells(forest, side)[:n, at] for side in ("leftDaughter", "rightDaughter")]
    rest = [_cells(forest, name)[:n, at] for name in ("bestvar", "xbestsplit", "nodestatus", "nodepred")]
    if n == 1:
        raise NotSupportedError("getTree() of a tree of one node, where R fails")
    rows = [str(i + 1) for i in range(n)]
    if labelVar:
        return _labelled_tree(rfobj, [*daughters, *rest], rows)
    return matrix("double", np.column_stack([*daughters, *rest]), (rows, _OF_TREE))


def _labelled_tree(fit: Value, columns: list[np.ndarray], rows: list[str]) -> Value:
    parts = [doubles(column) for column in columns]
    table = part(fit, "importance")
    labels = [] if table is None else dimnames_of(table)[0] or []
    parts[2] = as_levels([None if not v else str(labels[int(v) - 1]) for v in columns[2]])
    if text(part(fit, "type")) == "classification":
        levels = factor_levels(_there(fit, "y"))
        parts[5] = strings([levels[int(v) - 1] if 1 <= v <= len(levels) else None for v in columns[5]])
    return framed(parts, _OF_TREE, strings(rows))


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
    if (shares > 1).any():
        shares = normalised(shares)
    elif np.isnan(shares).any():
        raise RError("missing value where TRUE/FALSE needed")
    places = np.array([columns.index(levels[int(code) - 1]) for code in observed._data])
    rows = np.arange(len(shares))
    own, others = shares[rows, places], shares.copy()
    others[rows, places] = -np.inf
    names = strings(factor_labels(observed)._data)
    return doubles(own - others.max(axis=1), {"names": names, "class": strings("margin")})


@r_function()
def outlier(x: Value, cls: Value | None = None, *dots: object, **ignored: object) -> Value:
    """Return how far each row lies from those of its class: R's ``outlier``."""
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
    found = asked(pyrrf.outlier, grid, None if cls is None else list(coerced(cls, "character")._data))
    names = dimnames_of(near)[0] or [str(i + 1) for i in range(len(grid))]
    return doubles(found.to_numpy(), {"names": strings(names)})


@r_function(does="draws")
def classCenter(x: Value, label: Value, prox: Value, nNbr: Whole | None = None) -> Value:
    """Return the prototypes of the classes: R's ``classCenter``."""
    table = table_of(x, "x")
    if not is_matrix(prox) and not is_frame(prox):
        raise RError("dim(X) must have a positive length")
    near = cells_of(as_matrix(prox))
    found = asked(pyrrf.classCenter, table.values, list(coerced(label, "character")._data), near, nNbr)
    return matrix("double", found.to_numpy(np.float64), ([str(row) for row in found.index], table.columns))


# ---- fits put together ---------------------------------------------------------------------------


@r_function(does="draws")
def combine(*dots: Value) -> Value:
    """Put the trees of several fits into one: R's ``combine``."""
    if not dots or not all(map(is_fit, dots)):
        raise RError("Argument must be a list of RRF objects")
    return _put_together(asked(pyrrf.combine, *map(fit_of, dots)), dots[0], [part(fit, "ntree") for fit in dots])


@r_function(does="draws")
def grow(x: Value, how_many: Value | None = None, *dots: object, **ignored: object) -> Value:
    """Add trees to a fit: R's ``grow``, on the data that the fit was grown on."""
    if not is_fit(x):
        raise RError("grow has not been implemented for this class of object")
    fit = fit_of(x)
    if not fit.arguments:
        raise NotSupportedError("grow() of a fit that was read from a file: its data are not at hand")
    check_trees(coerced(as_value(how_many), "double"))
    return _put_together(asked(pyrrf.grow, fit, int(number(how_many))), x, [part(x, "ntree"), how_many])


def _put_together(made: ForestResult, first: Value, trees: Sequence[Value | None]) -> Value:
    given = {name: part(first, name) for name in ("call", "y", "terms", "na.action")}
    cutoff = part(first, "forest", "cutoff")
    changes: Changes = {name: found for name, found in given.items() if found is not None}
    if cutoff is not None:
        changes["forest$cutoff"] = cutoff
    if all(count is not None and count._kind == "integer" for count in trees):
        changes["ntree"] = changes["forest$ntree"] = integers(sum(number(count) for count in trees))
    each = {number(count) for count in trees if count is not None}
    if cutoff is not None and made.forest is not None and len(each) == 1 and max(each) > 1:
        # What sapply() makes of vectors of one length.
        shape = integers([int(max(each)), len(trees)])
        changes["forest$ndbigtree"] = integers(made.forest.ndbigtree, {"dim": shape})
    return Fit(Grown(made, changes))
