"""Functions on a fit: summary, importance, getTree, treesize, varUsed, margin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf._core.records import Trees
from pyrrf.checks import count, flag, reject_unknown, type_name, warn
from pyrrf.data.alignment import check_rows
from pyrrf.data.inputs import Factor, as_factor, check_length
from pyrrf.data.predictors import MAX_CATEGORIES
from pyrrf.errors import bad
from pyrrf.rbase.collate import collating
from pyrrf.rbase.vectors import REAL_NA
from pyrrf.result.forest import Forest
from pyrrf.result.overview import Summary
from pyrrf.result.result import ClassificationResult, ForestResult, to_shares
from pyrrf.types import Column, Floats, Labels


def require_fit(x: Any, name: str) -> ForestResult:
    """Return a fit; TypeError for anything else."""
    if not isinstance(x, ForestResult):
        raise bad.type(f"{name} must be a fit of RRF() or randomForest(), not {type_name(x)}")
    return x


def require_forest(x: Any, name: str) -> Forest:
    """Return the trees of a fit; ValueError, with the remedy, if it did not keep them."""
    fit = require_fit(x, name)
    if fit.forest is None:
        raise bad.fit(f"{name} has no forest; fit with keep_forest=True")
    return fit.forest


def require_proximity(fit: ForestResult, name: str) -> pd.DataFrame:
    """Return the proximities of a fit; ValueError, with the remedy, if there are none."""
    if fit.proximity is None:
        raise bad.fit(f"{name} has no proximities; fit with proximity=True")
    return fit.proximity


def importance(
    x: ForestResult,
    type: int | None = None,
    class_: Any = None,
    scale: bool = True,
    **unknown: object,
) -> pd.DataFrame:
    """Return the importance of the features (R's ``importance``).

    Parameters
    ----------
    x : ForestResult
        Fit.
    type : int, optional
        1 = mean decrease in accuracy (in regression, increase of the squared error), 2 = mean
        decrease in impurity; all by default.
    class_ : optional
        Class whose decrease in accuracy is returned. As in R it is ignored without `type` and in
        regression, unless the fit was made with ``quirks=False``.
    scale : bool, default True
        Whether to divide the first measure by its standard error.
    **unknown
        Refused, with the nearest argument named.

    Returns
    -------
    DataFrame, shape (p, k)
        One row per feature, one column per measure.

    Raises
    ------
    TypeError
        `x` is no fit, or there is no such argument; the message names the nearest one.
    ValueError
        The measure does not exist or was not computed.

    See Also
    --------
    varImpPlot : Its picture.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, importance=True, seed=1)
    >>> pyrrf.importance(fit).iloc[:, -2:].round(1)
                  MeanDecreaseAccuracy  MeanDecreaseGini
    Sepal.Length                   0.4               1.2
    Sepal.Width                    0.2               1.3
    Petal.Length                   0.8              48.8
    Petal.Width                    0.8              47.8
    """
    reject_unknown("importance", unknown, ("x", "type", "class_", "scale"))
    fit, scaled = require_fit(x, "x"), flag(scale, "scale")
    if type is not None and not (np.isscalar(type) and type in (1, 2)):
        raise bad.choice(f"type must be 1 (accuracy) or 2 (impurity), not {type!r}")
    if type == 2 and class_ is not None:
        raise bad.conflict("class_ needs type=1: impurity has no measure for one class")
    table: pd.DataFrame = fit.importance
    if fit.type == "regression" and class_ is not None:
        if not fit.quirks:
            raise bad.fit("class_ is for classes; x is a regression forest")
        class_ = None
    permuted = table.shape[1] > 1
    by_class = type == 1 or (class_ is not None and not fit.quirks)
    if by_class and not permuted:
        raise bad.fit("the decrease in accuracy was not computed; fit with importance=True", "x")
    if type == 2:
        return table.iloc[:, [-1]].copy()
    table = _importance_over_error(fit) if scaled and permuted else table.copy()
    return table.iloc[:, [_measure(table, class_)]] if by_class else table


def _importance_over_error(fit: Any) -> pd.DataFrame:
    """Return the importance divided by its standard error, where that is not 0."""
    error = fit.importanceSD.to_numpy().reshape(len(fit.columns), -1).copy()
    error[error < np.finfo(float).eps] = 1.0
    error[np.isnan(error)] = REAL_NA  # as of R's ifelse()
    values = fit.importance.to_numpy().copy()
    values[:, :-1] /= error
    return pd.DataFrame(values, index=fit.importance.index, columns=fit.importance.columns)


def _measure(table: pd.DataFrame, class_: Any) -> int:
    if class_ is None:
        return table.shape[1] - 2
    names = table.columns.tolist()
    if class_ not in names:
        raise bad.unknown(f"class_ {class_!r} is not among the classes {names[:-2]}; pass one of them")
    return names.index(class_)


def summary(object: ForestResult) -> Summary:
    """Return the selected features with importances, the error and its limits (R has no such ``summary``).

    Parameters
    ----------
    object : ForestResult
        Fit.

    Returns
    -------
    Summary

    Raises
    ------
    TypeError
        `object` is no fit.

    Notes
    -----
    R's ``summary`` of a fit counts the parts of a list; R has no such function.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> found = pyrrf.summary(pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1))
    >>> found.title
    'RRF, classification: 3 of 4 features kept, 50 trees'
    >>> found.table.round(1)
            feature  position  importance  coefficient
    0  Petal.Length         2        90.7          0.5
    1  Sepal.Length         0         5.4          0.5
    2   Sepal.Width         1         2.4          0.5
    """
    return require_fit(object, "object").summary()


def getTree(rfobj: ForestResult, k: int = 1, labelVar: bool = False) -> pd.DataFrame:
    """Return one tree as a table (R's ``getTree``).

    Parameters
    ----------
    rfobj : ForestResult
        Fit with a forest.
    k : int, default 1
        Number of the tree, from 1. A fraction is refused; R cuts it off.
    labelVar : bool, default False
        Whether to show features and classes by their labels.

    Returns
    -------
    DataFrame, shape (nodes, 6)
        One row per node, counted from 1. "left daughter" and "right daughter" are nodes, 0 for a leaf.
        "split var" counts features from 1, 0 for a leaf. "split point" is a number or, for a factor,
        the levels that go left, as bits. "status" is 1 for a split (-3 in regression) and -1 for a leaf.
        "prediction" counts classes from 1, 0 for a split; in regression it is the mean response of the
        node. With `labelVar`, "split var" and, for classes, "prediction" hold labels, None where there
        are none. Trees of engine 'parallel' have a seventh column, "missing left": 1 where missing
        values go left. Trees that split factors with more than 32 levels have an eighth, "levels left":
        the levels from 1 that go left at these splits; the split point there is of no use.

    Raises
    ------
    TypeError
        `rfobj` is no fit.
    ValueError
        There is no forest or no such tree.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, maxnodes=3, seed=1)
    >>> pyrrf.getTree(fit, 1).iloc[:, :4]
       left daughter  right daughter  split var  split point
    1              2               3          3         2.45
    2              0               0          0         0.00
    3              4               5          3         4.95
    4              0               0          0         0.00
    5              0               0          0         0.00
    """
    forest, labelled = require_forest(rfobj, "rfobj"), flag(labelVar, "labelVar")
    number = count(k, "k")
    if number > forest.ntree:
        raise bad.range(f"k is {number}, but the forest has {forest.ntree} trees; pass 1 to {forest.ntree}")
    tree = forest.tree(number)
    rows = pd.RangeIndex(1, len(tree.status) + 1)
    columns: dict[str, Any] = {
        "left daughter": tree.left,
        "right daughter": tree.right,
        "split var": _lookup(tree.split_var, rfobj.columns, rows) if labelled else tree.split_var,
        "split point": tree.split_point,
        "status": tree.status,
        "prediction": tree.prediction,
    }
    if labelled and isinstance(rfobj, ClassificationResult):
        columns["prediction"] = _lookup(tree.prediction, rfobj.classes, rows)
    if tree.missing_left is not None:
        columns["missing left"] = tree.missing_left
    if tree.level_set is not None and len(tree.level_set):
        columns["levels left"] = pd.Series(_levels_left(tree, forest.ncat), index=rows, dtype=object)
    return pd.DataFrame(columns, index=rows)


def _levels_left(tree: Trees, ncat: np.ndarray) -> list[tuple[int, ...] | None]:
    """Return the levels from 1 that go left at the splits of factors with more than 32 levels, otherwise None."""
    assert tree.level_set is not None
    bits = np.unpackbits(tree.level_set.astype("<u4").view(np.uint8), bitorder="little")
    level_sets: list[tuple[int, ...] | None] = [None] * len(tree.left)
    for node in np.flatnonzero(tree.left):
        n_levels = int(ncat[tree.split_var[node] - 1])
        if n_levels > MAX_CATEGORIES:
            first = 32 * int(tree.split_point[node])
            level_sets[node] = tuple((np.flatnonzero(bits[first : first + n_levels]) + 1).tolist())
    return level_sets


def _lookup(codes: np.ndarray, labels: Labels | list[Any], rows: Labels) -> Column:
    """Return the labels of codes from 1; None for 0."""
    used = np.unique(codes[codes > 0])
    shown = labels[used - 1].tolist() if isinstance(labels, pd.Index) else [labels[code - 1] for code in used.tolist()]
    known = dict(zip(used.tolist(), shown, strict=True))
    return pd.Series([known.get(code) for code in codes.tolist()], index=rows, dtype=object)


def treesize(x: ForestResult, terminal: bool = True) -> np.ndarray:
    """Return the size of each tree (R's ``treesize``).

    Parameters
    ----------
    x : ForestResult
        Fit with a forest.
    terminal : bool, default True
        Whether to count leaves only; all nodes otherwise.

    Returns
    -------
    ndarray of int64, shape (ntree,)

    Raises
    ------
    TypeError
        `x` is no fit.
    ValueError
        There is no forest.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=5, seed=1)
    >>> pyrrf.treesize(fit)
    array([9, 7, 4, 8, 6])
    """
    nodes = require_forest(x, "x").ndbigtree
    return (nodes + 1) // 2 if flag(terminal, "terminal") else nodes


def varUsed(
    x: ForestResult, by_tree: bool = False, count: bool = True
) -> Column | pd.DataFrame | np.ndarray | list[np.ndarray]:
    """Count the splits of the trees by each feature (R's ``varUsed``).

    Parameters
    ----------
    x : ForestResult
        Fit with a forest.
    by_tree : bool, default False
        Whether to answer for each tree.
    count : bool, default True
        Whether to return how often; positions otherwise.

    Returns
    -------
    Series, DataFrame, ndarray or list
        Counts per feature, shape (p,), or per feature and tree, shape (p, ntree). With ``count=False``
        the positions from 0 of the features used, as one array or as a list with one array per tree;
        R turns the list into a matrix if all trees use equally many features. As in R the one array
        then has a position once per tree, if they use two or more, unless ``quirks=False``.

    Raises
    ------
    TypeError
        `x` is no fit.
    ValueError
        There is no forest.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1)
    >>> pyrrf.varUsed(fit)
    Sepal.Length    154
    Sepal.Width      85
    Petal.Length    203
    Petal.Width       0
    dtype: int64
    """
    forest = require_forest(x, "x")
    separate, counted = flag(by_tree, "by_tree"), flag(count, "count")
    used, p = forest.trees.split_var, len(forest.ncat)
    if not separate and counted:
        return pd.Series(np.bincount(used, minlength=p + 1)[1:], index=x.columns)
    if not counted:
        positions = positions_by_tree(forest)
        if separate:
            return positions
        joined = joined_positions(positions, x.quirks)
        if len(np.unique(joined)) < len(joined):
            warn(
                "all trees use equally many features, so that R returns each position as often as trees use it; "
                "pass np.unique() of it, or fit with RRF's quirks=False"
            )
        return joined
    totals = np.stack([np.bincount(tree, minlength=p + 1)[1:] for tree in _splits_by_tree(forest)], axis=1)
    return pd.DataFrame(totals, index=x.columns, columns=pd.RangeIndex(1, forest.ntree + 1))


def _splits_by_tree(forest: Forest) -> list[np.ndarray]:
    return [forest.tree(k).split_var for k in range(1, forest.ntree + 1)]


def positions_by_tree(forest: Forest) -> list[np.ndarray]:
    """Return the features that each tree splits on, counted from 0."""
    return [np.unique(splits[splits > 0]) - 1 for splits in _splits_by_tree(forest)]


def joined_positions(by_tree: list[np.ndarray], quirks: bool = True) -> np.ndarray:
    """Return the positions that any tree uses; where all use equally many, R has a matrix, and keeps all of it."""
    positions = np.concatenate(by_tree)
    sizes = {len(used) for used in by_tree}
    if not quirks or len(sizes) > 1 or len(by_tree) == 1 or max(sizes) < 2:
        return np.unique(positions)
    return np.sort(positions)


def margin(x: Any, observed: Any = None) -> Column:
    """Return the margin of each row (R's ``margin``).

    The margin is the share of votes for the observed class minus the largest share of another.

    Parameters
    ----------
    x : ForestResult or DataFrame, shape (n, nclass)
        Fit, or votes with the class labels as columns.
    observed : array_like, shape (n,), optional
        Observed classes; needed if `x` is a table of votes.

    Returns
    -------
    Series of float, shape (n,)
        The index holds the observed classes; NaN for a row without votes.

    Raises
    ------
    TypeError
        `x` is neither a fit for classes nor a DataFrame.
    ValueError
        `observed` is missing or does not match the table.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> fit = pyrrf.RRF(x, species, ntree=50, coefReg=0.5, seed=1)
    >>> pyrrf.margin(fit).groupby(level=0).mean().round(2).to_dict()
    {'setosa': 1.0, 'versicolor': 0.76, 'virginica': 0.8}
    """
    if isinstance(x, ClassificationResult):
        if observed is not None:
            raise bad.conflict("observed is only for a table of votes; a fit has its own classes")
        return _label_margins(margins(x.votes.to_numpy(), x.response.codes), x.response)
    if isinstance(x, ForestResult):
        raise bad.fit(f"x must be a fit for classes, not for {x.type}", kind=TypeError)
    if not isinstance(x, pd.DataFrame):
        raise bad.type(f"x must be a fit or a DataFrame of votes, not {type_name(x)}")
    if observed is None:
        raise bad.absent("observed is missing; pass the observed classes")
    with collating("C"):  # The rest goes by label.
        factor = as_factor(observed, "observed")
    check_length(len(factor.codes), len(x), "observed", "x")
    check_rows(observed, "observed", x.index)
    if len(factor.levels) != x.shape[1] or set(factor.levels) != set(x.columns):
        raise bad.columns(
            f"columns of x are {x.columns.tolist()}, but the classes of observed are "
            f"{factor.levels}; give x one column per class",
            "x",
        )
    # By position, because the labels True and False would select rows.
    labels = x.columns.tolist()
    places = [labels.index(level) for level in factor.levels]
    return _label_margins(margins(x.iloc[:, places].to_numpy(dtype=np.float64), factor.codes), factor)


def margins(votes: np.ndarray, codes: np.ndarray) -> Floats:
    """Return the margin of each row of votes, whose columns are in the order of the codes; NaN without votes."""
    shares = to_shares(votes) if (votes > 1).any() else votes
    rows = np.arange(len(shares))
    own = shares[rows, codes]
    others = shares.astype(np.float64, copy=True)
    others[rows, codes] = -np.inf
    values = np.asarray(own - others.max(axis=1))
    values[np.isnan(own)] = np.nan
    return values


def _label_margins(values: Floats, observed: Factor) -> Column:
    labels = np.array([*observed.levels, None], dtype=object)[observed.codes]
    return pd.Series(values, index=pd.Index(labels, dtype=object))
