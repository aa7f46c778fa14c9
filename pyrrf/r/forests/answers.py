"""What R computes from a fit: importance, trees, margins, proximities, fits put together."""

from __future__ import annotations

from typing import Any

import numpy as np

import pyrrf
from pyrrf.r.files.cells import as_levels
from pyrrf.r.forests.fits import Fit, Grown, fit_of, is_fit, part
from pyrrf.r.stats.predictors import asked, table_of
from pyrrf.r.values.arguments import flag, number, text
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_labels,
    factor_levels,
    is_factor,
    is_matrix,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    objects,
    strings,
)
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.result.result import normalised

_EPS = np.finfo(np.float64).eps


def _matrix(values: Any, rows: Any, columns: Any, kind: str = "double") -> Value:
    flat = np.asarray(values, dtype=np.float64)
    about = {"dim": integers(flat.shape)}
    if rows is not None or columns is not None:
        about["dimnames"] = dimnames_value([rows, columns])
    return Value(kind, flat.ravel(order="F"), about)


def _shaped(x: Value) -> np.ndarray:
    return x._data.reshape(dim_of(x) or (len(x),), order="F")


def _forest(x: Any, message: str) -> Value:
    found = part(x, "forest")
    if found is None:
        raise RError(message)
    return found


# ---- importance ----------------------------------------------------------------------------------


def importance(x: Any, type: Any = None, class_: Any = None, scale: Any = True, *dots: Any, **ignored: Any) -> Value:
    """Return the importance of the features: R's ``importance``."""
    if not is_fit(x):
        raise RError("x is not of class RRF")
    table = part(x, "importance")
    if table is None:
        raise NotMovedError("importance() of a fit without importances")
    kind = _measure_kind(type, class_)
    values, (rows, columns) = _shaped(table).copy(), dimnames_of(table)
    columns = columns or []
    if kind == 2:
        return _matrix(values[:, -1:], rows, columns[-1:])
    if flag(scale):
        values = _scaled(values, part(x, "importanceSD"))
    if kind is None:
        return _matrix(values, rows, columns)
    at = values.shape[1] - 2
    if not is_null(class_):
        label = text(class_)
        at = 0 if text(part(x, "type")) == "regression" else columns.index(label) if label in columns else -1
        if at < 0:
            raise RError(f"Class {label} not found.")
    if at < 0:
        return _matrix(values[:, :0], rows, None)
    return _matrix(values[:, at : at + 1], rows, columns[at : at + 1])


def _measure_kind(type: Any, class_: Any) -> float | None:
    kind = None if is_null(type) else number(type)
    if kind is not None and kind not in (1, 2):
        raise RError("Wrong type specified")
    if kind == 2 and not is_null(class_):
        raise RError("No class-specific measure for that type")
    return kind


def _scaled(values: np.ndarray, deviations: Value | None) -> np.ndarray:
    """Return importances divided by their standard errors, where those are not 0."""
    if deviations is None or values.shape[1] < 2:
        return values
    errors = _shaped(deviations).reshape(len(values), -1)
    with np.errstate(invalid="ignore"):
        errors = np.where(errors < _EPS, 1.0, errors)
        errors = np.where(np.isnan(errors), REAL_NA, errors)
        return np.column_stack([values[:, :-1] / errors, values[:, -1]])


# ---- trees ---------------------------------------------------------------------------------------


def treesize(x: Any, terminal: Any = True) -> Value:
    """Return the size of each tree: R's ``treesize``."""
    if not is_fit(x):
        raise RError("This function only works for objects of class `randomForest'")
    nodes = part(_forest(x, "The object must contain the forest component"), "ndbigtree")
    assert nodes is not None
    return doubles((nodes._data + 1) / 2, dict(nodes._attributes)) if flag(terminal) else nodes.copy()


def varUsed(x: Any, by_tree: Any = False, count: Any = True) -> Value:
    """Return which features the trees split on: R's ``varUsed``."""
    if not is_fit(x):
        raise RError("x is not a randomForest object")
    forest = _forest(x, "x does not contain forest")
    splits, counts = part(forest, "bestvar"), part(forest, "ncat")
    assert splits is not None
    assert counts is not None
    p, trees = len(counts), _shaped(splits).astype(np.int64).T
    if flag(count):
        if not flag(by_tree):
            return doubles(np.bincount(trees[trees > 0], minlength=p + 1)[1:])
        return _matrix(
            np.stack([np.bincount(tree[tree > 0], minlength=p + 1)[1:] for tree in trees], axis=1), None, None
        )
    used = [np.unique(tree[tree > 0]) for tree in trees]
    return _joined(used, flag(by_tree), splits._kind)


def _joined(used: list[np.ndarray], separate: bool, kind: str) -> Value:
    """Return positions by tree as R's apply() does: a matrix where all trees have equally many."""
    sizes = {len(places) for places in used}
    even = len(sizes) == 1 and max(sizes) > 1
    if not separate:
        found = np.concatenate(used)
        return Value(kind, np.sort(found).astype(np.float64) if even else np.unique(found).astype(np.float64))
    if even:
        return _matrix(np.stack(used, axis=1), None, None, kind)
    if sizes == {1}:
        return Value(kind, np.concatenate(used).astype(np.float64))
    return Value("list", objects([Value(kind, places.astype(np.float64)) for places in used]))


def getTree(rfobj: Any, k: Any = 1, labelVar: Any = False) -> Value:
    """Return one tree: R's ``getTree``, a matrix or, with labels, a data frame."""
    forest = _forest(rfobj, "No forest component in rfobj")
    which, total = number(k), part(rfobj, "ntree")
    if total is not None and which > number(total):
        raise RError(f"There are fewer than {text(k)}trees in the forest")
    at = int(which) - 1
    sizes = part(forest, "ndbigtree")
    assert sizes is not None
    n = int(sizes._data[at])
    names = ["left daughter", "right daughter", "split var", "split point", "status", "prediction"]
    if part(forest, "treemap") is not None:
        daughters = [_shaped(part(forest, "treemap"))[:n, side, at] for side in (0, 1)]  # type: ignore[arg-type]
    else:
        daughters = [_shaped(part(forest, side))[:n, at] for side in ("leftDaughter", "rightDaughter")]  # type: ignore[arg-type]
    rest = [_shaped(part(forest, name))[:n, at] for name in ("bestvar", "xbestsplit", "nodestatus", "nodepred")]  # type: ignore[arg-type]
    if n == 1:
        raise NotMovedError("getTree() of a tree of one node, where R fails")
    columns = [*daughters, *rest]
    if flag(labelVar):
        return _labelled_tree(rfobj, columns, names, n)
    return _matrix(np.column_stack(columns), [str(i + 1) for i in range(n)], names)


def _labelled_tree(fit: Value, columns: list[np.ndarray], names: list[str], n: int) -> Value:
    parts: list[Value] = [doubles(column) for column in columns]
    table = part(fit, "importance")
    labels = [] if table is None else dimnames_of(table)[0] or []
    split = [None if not v else str(labels[int(v) - 1]) for v in columns[2]]
    parts[2] = _factor(split)
    if text(part(fit, "type")) == "classification":
        levels = factor_levels(part(fit, "y"))  # type: ignore[arg-type]
        parts[5] = strings([levels[int(v) - 1] if 1 <= v <= len(levels) else None for v in columns[5]])
    rows = strings([str(i + 1) for i in range(n)])
    return Value("list", objects(parts), {"names": strings(names), "class": strings("data.frame"), "row.names": rows})


def _factor(cells: list[str | None]) -> Value:
    return as_levels(cells)


# ---- votes and proximities -----------------------------------------------------------------------


def margin(x: Any, observed: Any = None, *dots: Any, **ignored: Any) -> Value:
    """Return the margin of each row: R's ``margin``."""
    x = as_value(x)
    if is_fit(x):
        if text(part(x, "type")) == "regression":
            raise RError("margin not defined for regression Random Forests")
        votes, found = part(x, "votes"), part(x, "y")
        if votes is None:
            raise RError("margin is only defined if votes are present")
        if found is None:
            raise RError("x$y is not a factor")
    else:
        votes, found = x, as_value(observed)
    assert found is not None
    if not is_factor(found):
        raise RError("observed is not a factor")
    columns = dimnames_of(votes)[1] or []
    levels = factor_levels(found)
    if len(columns) != len(levels):
        raise RError("number of columns in x must equal the number of levels in observed")
    if set(columns) != set(levels):
        raise RError("column names of x must match levels of observed")
    shares = _shaped(votes).astype(np.float64)
    if (shares > 1).any():
        shares = normalised(shares)
    elif np.isnan(shares).any():
        raise RError("missing value where TRUE/FALSE needed")
    places = np.array([columns.index(levels[int(code) - 1]) for code in found._data])
    rows = np.arange(len(shares))
    own, others = shares[rows, places], shares.copy()
    others[rows, places] = -np.inf
    values = own - others.max(axis=1)
    return Value("double", values, {"names": strings(factor_labels(found)._data), "class": strings("margin")})


def outlier(x: Any, cls: Any = None, *dots: Any, **ignored: Any) -> Value:
    """Return how far each row lies from those of its class: R's ``outlier``."""
    x = as_value(x)
    if is_fit(x):
        if text(part(x, "type")) == "regression":
            raise RError("no outlier measure for regression")
        near, of = part(x, "proximity"), part(x, "y")
        if near is None:
            raise RError("no proximity measures available")
    else:
        near, of = x, None if is_null(cls) else as_value(cls)
    if not is_matrix(near):
        raise NotMovedError("outlier() of something else than a fit or a matrix")
    shape = dim_of(near) or (0, 0)
    if shape[0] != shape[1]:
        raise RError("x must be a square matrix")
    labels = None if of is None else list(coerced(of, "character")._data)
    found = asked(pyrrf.outlier, _shaped(near), labels)
    names = dimnames_of(near)[0] or [str(i + 1) for i in range(shape[0])]
    return doubles(found.to_numpy(), {"names": strings(names)})


@r_function(draws=True)
def classCenter(x: Any, label: Any, prox: Any, nNbr: Any = None) -> Value:
    """Return the prototypes of the classes: R's ``classCenter``."""
    table = table_of(x, "x")
    labels = list(coerced(label, "character")._data)
    found = asked(
        pyrrf.classCenter, table.values, labels, _shaped(as_value(prox)), None if is_null(nNbr) else int(number(nNbr))
    )
    rows = [str(row) for row in found.index]
    return _matrix(found.to_numpy(np.float64), rows, table.columns)


# ---- fits put together ---------------------------------------------------------------------------


@r_function(draws=True)
def combine(*dots: Any) -> Value:
    """Put the trees of several fits into one: R's ``combine``."""
    fits = [as_value(item) for item in dots]
    if not fits or not all(map(is_fit, fits)):
        raise RError("Argument must be a list of RRF objects")
    return _put_together(asked(pyrrf.combine, *map(fit_of, fits)), fits[0], [part(fit, "ntree") for fit in fits])


@r_function(draws=True)
def grow(x: Any, how_many: Any = None, *dots: Any, **ignored: Any) -> Value:
    """Add trees to a fit: R's ``grow``, on the data that the fit was grown on."""
    if not is_fit(x):
        raise RError("grow has not been implemented for this class of object")
    fit = fit_of(x)
    if not fit.arguments:
        raise NotMovedError("grow() of a fit that was read from a file: its data are not at hand")
    return _put_together(asked(pyrrf.grow, fit, int(number(how_many))), x, [part(x, "ntree"), as_value(how_many)])


def _put_together(made: Any, first: Value, trees: list[Value | None]) -> Value:
    changes: dict[str, Any] = {}
    for name in ("call", "y", "terms", "na.action"):
        found = part(first, name)
        if found is not None:
            changes[name] = found
    cutoff = part(first, "forest", "cutoff") if part(first, "forest") is not None else None
    if cutoff is not None:
        changes["forest$cutoff"] = cutoff
    if all(count is not None and count._kind == "integer" for count in trees):
        changes["ntree"] = changes["forest$ntree"] = integers(sum(number(count) for count in trees))
    each = {number(count) for count in trees if count is not None}
    if cutoff is not None and len(each) == 1 and max(each) > 1:
        # What sapply() makes of vectors of one length.
        shape = integers([int(max(each)), len(trees)])
        changes["forest$ndbigtree"] = integers(made.forest.ndbigtree, {"dim": shape})
    return Fit(Grown(made, changes))
