"""Records that cross the border of the core: rows and rules of a fit go in, outcomes and trees come out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pyrrf.types import Floats, Ints, Positions

# ---- into the core -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """A matrix of numbers most of which are 0, column after column.

    Parameters
    ----------
    values : ndarray of float64, shape (k,)
        What is stored; NaN is a missing number.
    rows : ndarray of int32, shape (k,)
        The row of each value; within a column they ascend.
    start : ndarray of int64, shape (p + 1,)
        Where the values of each column begin; the last one is k.
    shape : tuple of int
        Rows and columns.
    """

    values: Floats
    rows: Ints
    start: Positions
    shape: tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """The rows that a forest is grown on, and those of a test set.

    Parameters
    ----------
    values : ndarray of float64, shape (n, p), column-major
        Numbers; level k of a factor (from 1) as the number k. Engine parallel takes float32 and any strides too, NaN
        for a missing number, and no synthetic rows. Or SparseColumns, in regression for engine parallel only.
    ncat : ndarray of int32, shape (p,)
        1 for a number, otherwise the categories of a factor.
    response : ndarray of int32 or float64, shape (n,)
        Classes from 0, all `nclass` present, or numbers.
    nclass : int
        1 for numbers.
    test_values, test_response : ndarray or None
        The test set, as `values` and `response`; either may be None.
    synthetic : bool
        Unsupervised mode of engine r: `values` holds the rows twice, `response` is 0 for the first half and 1 for the
        second, which the core fills for each tree. Results per row then cover the first half only.
    """

    values: np.ndarray | SparseColumns
    ncat: Ints
    response: np.ndarray
    nclass: int
    test_values: np.ndarray | SparseColumns | None = None
    test_response: np.ndarray | None = None
    synthetic: bool = False

    @property
    def numbers(self) -> bool:
        """Whether the response holds numbers."""
        return self.nclass == 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Growing:
    """How the trees are grown, and which results are kept.

    Parameters
    ----------
    ntree : int
        Number of trees.
    mtry : int
        Candidates drawn at a node.
    nodesize : int
        A node with at most this many rows is not split.
    max_nodes : int
        R's nrnodes: the largest number of nodes of a tree.
    sampsize : ndarray of int32, shape (1,) or (nstrata,)
        Rows drawn for a tree, or from each stratum.
    coef_reg : ndarray of float64, shape (p,)
        Coefficient of regularization of each feature.
    used : ndarray of int32, shape (p,)
        1 for a feature in the selected set F at the start.
    feature_group : ndarray of int32, shape (p,), or None
        Labels from 0 to p - 1; features of one label enter F together. None = each is a group of its own. With
        `flag_reg` 1 only.
    flag_reg : int, default 1
        1 = regularized, 0 = ordinary forest.
    replace : bool, default True
        Whether rows are drawn with replacement.
    strata : ndarray of int32, shape (n,), or None
        Stratum of each row, from 0.
    classwt, cutoff : ndarray of float64, shape (nclass,), or None
        For classes; the cutoff is then needed.
    n_perm : int, default 1
        Permutations for each tree and feature.
    corr_bias : bool, default False
        Whether a regression of engine r corrects its predictions.
    quirks : bool, default True
        Whether engine r does as CRAN RRF does where that was not intended.
    random_forest : bool, default False
        Whether engine r grows the forest of CRAN randomForest; `quirks` is then True, `flag_reg` 0, and `coef_reg` and
        `used` are not read.
    case_weight : ndarray of float64, shape (n,), or None
        Chances of the rows to be drawn, with `random_forest` only; they are positive and add up to 1.
    importance, local_importance, proximity, oob_proximity, keep_inbag : bool, default False
        Which further results are computed; `local_importance` needs `importance`.
    keep_forest : bool, default True
        Whether the trees are returned.
    """

    ntree: int
    mtry: int
    nodesize: int
    max_nodes: int
    sampsize: Ints
    coef_reg: Floats
    used: Ints
    feature_group: Ints | None = None
    flag_reg: int = 1
    replace: bool = True
    strata: Ints | None = None
    classwt: Floats | None = None
    cutoff: Floats | None = None
    n_perm: int = 1
    corr_bias: bool = False
    quirks: bool = True
    random_forest: bool = False
    case_weight: Floats | None = None
    importance: bool = False
    local_importance: bool = False
    proximity: bool = False
    oob_proximity: bool = False
    keep_forest: bool = True
    keep_inbag: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class ParallelRule:
    """How engine parallel draws candidates and judges their splits.

    Parameters
    ----------
    entropy : bool, default False
        Whether the impurity is entropy, for classes only; the Gini index or the variance otherwise.
    penalize_gain : bool, default False
        Whether `coef_reg` multiplies the gain of a split; its criterion otherwise, for classes only.
    draw_from_all : bool, default False
        True = the candidates are mtry of all features; False = all features in F and mtry of the others.
    max_depth : int, default 0
        Largest depth of a tree; 0 = no bound.
    use_depth : bool, default False
        Whether `coef_reg` is raised to the depth of the node.
    row_weight : ndarray of float64, shape (n,), or None
        Weight of each drawn row; the sum is positive.
    """

    entropy: bool = False
    penalize_gain: bool = False
    draw_from_all: bool = False
    max_depth: int = 0
    use_depth: bool = False
    row_weight: Floats | None = None


# ---- out of the core -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Work:
    """How much work the threads of engine parallel did. It depends on their number; the answer does not.

    Parameters
    ----------
    regrown : int
        Trees that were partly grown again because an earlier tree had added features to F.
    searched : int
        Node searches, repeated ones included.
    repeated : int
        Searches of a node that had been searched before.
    """

    regrown: int
    searched: int
    repeated: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Results of a fit that all kinds of response have; None for a result that was not asked for.

    Parameters
    ----------
    oob_times : ndarray of int32, shape (n,)
        How often each row was out of bag.
    importance : ndarray of float64, shape (p, k)
        Permutation importances if asked for; the last column is the decrease in impurity.
    importance_sd : ndarray of float64 or None
        Standard errors of all columns but the last: shape (p, k - 1) for classes, (p,) for numbers.
    local_importance : ndarray of float64, shape (p, n), or None
    proximity : ndarray of float64, shape (n, n), or None
    inbag : ndarray of int32, shape (n, ntree), or None
    used : ndarray of int32, shape (p,)
        1 for the features in F at the end.
    work : Work or None
        Of engine parallel.
    """

    oob_times: Ints
    importance: Floats
    importance_sd: Floats | None
    local_importance: Floats | None
    proximity: Floats | None
    inbag: Ints | None
    used: Ints
    work: Work | None = field(default=None, compare=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassOutcome(Outcome):
    """Out-of-bag results of a forest for classes.

    Parameters
    ----------
    votes : ndarray, shape (n, nclass)
        Counts.
    predicted : ndarray of int32, shape (n,), or None
        Classes from 0, -1 for a row that was in every bag. None in unsupervised mode.
    err_rate : ndarray of float64, shape (ntree, nclass + 1), or None
        Error after each tree: all rows, then each class. None in unsupervised mode and after `combine`.
    classwt : ndarray of float64, shape (nclass,)
        Class weights that add up to 1.
    """

    votes: np.ndarray
    predicted: Ints | None
    err_rate: Floats | None
    classwt: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionOutcome(Outcome):
    """Out-of-bag results of a regression forest.

    Parameters
    ----------
    predicted : ndarray of float64, shape (n,)
        0 for a row that was in every bag.
    mse : ndarray of float64, shape (ntree,), or None
        Mean squared error after each tree. None after `combine`.
    coef : ndarray of float64, shape (2,), or None
        Intercept and slope of the bias correction.
    """

    predicted: Floats
    mse: Floats | None
    coef: Floats | None


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassTest:
    """Results of a forest for classes on a test set.

    Parameters
    ----------
    predicted : ndarray of int32, shape (ntest,)
        Classes from 0.
    votes : ndarray of float64, shape (ntest, nclass)
        Counts.
    err_rate : ndarray of float64, shape (ntree, nclass + 1), or None
        Error after each tree; None where the classes are not known.
    proximity : ndarray of float64, shape (ntest, ntest + n), or None
    """

    predicted: Ints
    votes: Floats
    err_rate: Floats | None
    proximity: Floats | None


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionTest:
    """Results of a regression forest on a test set.

    Parameters
    ----------
    predicted : ndarray of float64, shape (ntest,)
    mse : ndarray of float64, shape (ntree,), or None
        Mean squared error after each tree; None where the responses are not known.
    proximity : ndarray of float64, shape (ntest, ntest + n), or None
    """

    predicted: Floats
    mse: Floats | None
    proximity: Floats | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Trees:
    """Trees, packed one after the other.

    Parameters
    ----------
    offset : ndarray of int64, shape (ntree + 1,)
        Position of each tree's first node; the last number is that of all nodes.
    left : ndarray of int32, shape (nodes,)
        Left daughter from 1 within the tree; 0 for a leaf.
    split_var : ndarray of int32, shape (nodes,)
        Feature from 1; 0 for a leaf.
    split_point : ndarray of float64, shape (nodes,)
        Split point of a number; for a factor, the levels that go left, as bits; for one with more than
        32 levels, where in the tree's part of `level_set` its bits begin.
    status : ndarray of int32, shape (nodes,)
        1 = split (-3 in regression), -1 = leaf.
    prediction : ndarray of float64, shape (nodes,)
        Class of a leaf, from 1; in regression the mean response of a node.
    missing_left : ndarray of uint8, shape (nodes,), or None
        Whether missing values go left (engine parallel).
    set_offset : ndarray of int64, shape (ntree + 1,), or None
        Position of each tree's first word in `level_set`.
    level_set : ndarray of uint32, shape (words,), or None
        Levels that go left at the splits of factors with more than 32 levels: level k, from 0, is bit
        k % 32 of word k // 32. None if there is no such split.
    """

    offset: Positions
    left: Ints
    split_var: Ints
    split_point: Floats
    status: Ints
    prediction: Floats
    missing_left: np.ndarray | None = None
    set_offset: Positions | None = None
    level_set: np.ndarray | None = None

    @property
    def right(self) -> Ints:
        """Right daughter, which always comes after the left one; 0 for a leaf."""
        return self.left + (self.left > 0).astype(np.int32)


@dataclass(frozen=True, eq=False, kw_only=True)
class GrownTree:
    """One tree, with the gain and the totals of each node.

    Parameters
    ----------
    tree : Trees
    decrease : ndarray of float64, shape (nodes,)
        Decrease in impurity by the node's split; 0 for a leaf.
    total : ndarray of float64, shape (nodes, nclass), or (nodes, 2) for numbers
        Weight of each class; for numbers the weight and the weighted sum of the responses.
    distinct : ndarray of int32, shape (nodes, nclass), or None
        In-bag rows of each class, however often they were drawn; of all of them for numbers, whose `nclass` is 1. Rows
        of no weight do not count.
    leaves : ndarray of int32, shape (n,), or None
        Leaf of each row, in the bag or not: the number of its node, from 1.
    gains : CandidateGains or None
    """

    tree: Trees
    decrease: Floats
    total: Floats
    distinct: Ints | None
    leaves: Ints | None
    gains: CandidateGains | None


@dataclass(frozen=True, eq=False, kw_only=True)
class CandidateGains:
    """The best gain of each feature that a node looked at, whether or not it won.

    The candidates of node i, from 0, stand at ``offset[i]`` to ``offset[i + 1] - 1``, the highest gain first and equal
    ones by feature. A node that was not searched has none: below the root a pure, small or deep one, and any for whose
    daughters `max_nodes` has no room.

    Parameters
    ----------
    offset : ndarray of int64, shape (nodes + 1,)
    feature : ndarray of int32, shape (candidates,)
        From 0.
    gain : ndarray of float64, shape (candidates,)
        By how much the feature's best split lowers the impurity, before `coef_reg`, in the unit of
        ``GrownTree.decrease``; 0 for a feature that cannot split the node.
    """

    offset: Positions
    feature: Ints
    gain: Floats


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of trees, one after the other: tree by tree and, within a tree, node by node.

    Parameters
    ----------
    feature : ndarray of int32, shape (k,)
        From 0.
    decrease : ndarray of float64, shape (k,)
        By how much each lowers the impurity, after regularization.
    """

    feature: Ints
    decrease: Floats


@dataclass(frozen=True, eq=False)
class Grown:
    """A forest as the core returns it.

    Parameters
    ----------
    outcome : ClassOutcome or RegressionOutcome
    test : ClassTest, RegressionTest or None
    trees : Trees or None
    splits : Splits or None
        Of engine parallel, where they were asked for.
    """

    outcome: ClassOutcome | RegressionOutcome
    test: ClassTest | RegressionTest | None
    trees: Trees | None
    splits: Splits | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class RowPrediction:
    """Predictions of a forest for new rows; None for a result that was not asked for.

    Parameters
    ----------
    predicted : ndarray of int32 or float64, shape (n,)
        Classes from 0, or numbers before any bias correction.
    votes : ndarray of float64, shape (n, nclass), or None
        Counts; None for numbers.
    individual : ndarray of int32 or float64, shape (n, ntree), or None
        Prediction of each tree.
    nodes : ndarray of int32, shape (n, ntree), or None
        Leaves from 1.
    proximity : ndarray of float64, shape (n, n), or None
    """

    predicted: np.ndarray
    votes: Floats | None
    individual: np.ndarray | None
    nodes: Ints | None
    proximity: Floats | None
