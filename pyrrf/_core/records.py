"""Data classes at the interface of the core: arrays and options of a fit as input, outcomes and trees as output."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from pyrrf._core.criteria import Criterion, Penalty

if TYPE_CHECKING:  # they need pandas, which takes longer to import than the rest of pyrrf
    from pyrrf.types import Floats, Ints, Positions

# ---- input ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """A sparse matrix by columns."""

    values: Floats  # float64, shape (k,): stored values; NaN is missing
    rows: Ints  # int32, shape (k,): the row of each value, ascending within a column
    start: Positions  # int64, shape (p + 1,): start of each column in `values`; the last one is k
    shape: tuple[int, int]  # rows and columns

    def dense(self, features: Positions) -> np.ndarray:
        """Return some columns, counted from 0, as an array, float64, shape (n, k), column-major."""
        matrix = np.zeros((self.shape[0], len(features)), order="F")
        for column, feature in enumerate(features.tolist()):
            stored = slice(self.start[feature], self.start[feature + 1])
            matrix[self.rows[stored], column] = self.values[stored]
        return matrix

    def take(self, rows: Positions) -> SparseColumns:
        """Return some rows, counted from 0 and ascending."""
        new_row = np.full(self.shape[0], -1, np.int32)
        new_row[rows] = np.arange(len(rows), dtype=np.int32)
        new_rows = new_row[self.rows]
        is_taken = new_rows >= 0
        start = np.concatenate([[0], np.cumsum(is_taken)])[self.start].astype(np.int64)
        return SparseColumns(self.values[is_taken], new_rows[is_taken], start, (len(rows), self.shape[1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainingArrays:
    """Arrays of the training data and of the test set."""

    # float64, shape (n, p), column-major: numbers; level k of a factor (from 1) as the number k. Engine parallel also
    # accepts float32, any strides, and NaN for a missing number, but no synthetic rows. Or SparseColumns, in regression
    # for engine parallel only.
    values: np.ndarray | SparseColumns
    ncat: Ints  # int32, shape (p,): 1 for a number, otherwise the categories of a factor
    response: np.ndarray  # int32 or float64, shape (n,): classes from 0, all `nclass` present, or numbers
    nclass: int  # 1 for regression
    # test_values, test_response: the test set, as `values` and `response`; either may be None
    test_values: np.ndarray | SparseColumns | None = None
    test_response: np.ndarray | None = None
    # Unsupervised mode of engine r: `values` holds the rows twice, `response` is 0 for the first half and 1 for the
    # second, which the core fills for each tree. Results per row are then for the first half only.
    synthetic: bool = False

    @property
    def numbers(self) -> bool:
        """Whether the response is numeric (regression)."""
        return self.nclass == 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Growing:
    """Options of growing trees, and of optional results."""

    ntree: int  # number of trees
    mtry: int  # candidates drawn at a node
    nodesize: int  # a node with at most this many rows is not split
    max_nodes: int  # R's nrnodes: the largest number of nodes of a tree
    sampsize: Ints  # int32, shape (1,) or (nstrata,): rows drawn for a tree, or from each stratum
    coef_reg: Floats  # float64, shape (p,): coefficient of regularization of each feature
    used: Ints  # int32, shape (p,): 1 for a feature in the selected set F at the start
    # int32, shape (p,): labels from 0 to p - 1; features with the same label enter F together. None = each feature is a
    # group. With `flag_reg` 1 only.
    feature_group: Ints | None = None
    flag_reg: int = 1  # 1 = regularized, 0 = ordinary forest
    replace: bool = True  # whether rows are drawn with replacement
    strata: Ints | None = None  # int32, shape (n,): stratum of each row, from 0
    # classwt, cutoff: float64, shape (nclass,): for classification, which requires the cutoff
    classwt: Floats | None = None
    cutoff: Floats | None = None
    n_perm: int = 1  # permutations for each tree and feature
    corr_bias: bool = False  # whether engine r corrects the bias of predictions in regression
    quirks: bool = True  # whether engine r reproduces unintended behaviour of CRAN RRF
    # Whether engine r grows the forest of CRAN randomForest; `quirks` is then True, `flag_reg` 0, and `coef_reg` and
    # `used` are not read
    random_forest: bool = False
    # float64, shape (n,): probabilities of drawing the rows, positive, with a sum of 1; with `random_forest` only
    case_weight: Floats | None = None
    # importance, local_importance, proximity, oob_proximity, keep_inbag: whether these results are computed;
    # `local_importance` needs `importance`
    importance: bool = False
    local_importance: bool = False
    proximity: bool = False
    oob_proximity: bool = False
    keep_forest: bool = True  # whether the trees are returned
    keep_inbag: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class ParallelRule:
    """Rules of engine parallel for candidates, splits and the order of nodes."""

    criterion: Criterion = Criterion.OF_R
    penalty: Penalty = Penalty.CRITERION  # factor of `coef_reg` with the Gini index; otherwise always the gain
    # True = the candidates are mtry of all features; False = all features in F and mtry of the others
    draw_from_all: bool = False
    max_depth: int = 0  # largest depth of a tree; 0 = unlimited
    use_depth: bool = False  # whether `coef_reg` is raised to the depth of the node
    # Whether ties between splits of a node, or classes of a leaf, go to the lowest feature, cut and class; otherwise
    # they are broken at random
    ties_first: bool = False
    # Whether trees grow depth first, left daughters before right ones; otherwise breadth first
    depth_first: bool = False
    row_weight: Floats | None = None  # float64, shape (n,): weight of each drawn row; the sum is positive


# ---- output --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Work:
    """Counts of the work of engine parallel, which depend on the number of threads, unlike the results."""

    regrown: int  # trees that were partly regrown because an earlier tree had added features to F
    searched: int  # node searches, repeated ones included
    repeated: int  # searches of a node that had been searched before


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Results of a fit for any type of response; None for a result that was not requested."""

    oob_times: Ints  # int32, shape (n,): number of trees for which each row was out of bag
    # float64, shape (p, k): permutation importances if requested; the last column is the decrease in impurity
    importance: Floats
    # float64: standard errors of all columns but the last: shape (p, k - 1) for classes, (p,) for regression
    importance_sd: Floats | None
    local_importance: Floats | None  # float64, shape (p, n)
    proximity: Floats | None  # float64, shape (n, n)
    inbag: Ints | None  # int32, shape (n, ntree)
    used: Ints  # int32, shape (p,): 1 for the features in F at the end
    work: Work | None = field(default=None, compare=False)  # of engine parallel


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassOutcome(Outcome):
    """Out-of-bag results of a forest for classes."""

    votes: np.ndarray  # shape (n, nclass): counts
    # int32, shape (n,): classes from 0, -1 for a row that was in every bag. None in unsupervised mode.
    predicted: Ints | None
    # float64, shape (ntree, nclass + 1): error after each tree: all rows, then each class. None in unsupervised mode
    # and after `combine`.
    err_rate: Floats | None
    classwt: Floats  # float64, shape (nclass,): class weights that add up to 1


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionOutcome(Outcome):
    """Out-of-bag results of a regression forest."""

    predicted: Floats  # float64, shape (n,): 0 for a row that was in every bag
    mse: Floats | None  # float64, shape (ntree,): mean squared error after each tree. None after `combine`.
    coef: Floats | None  # float64, shape (2,): intercept and slope of the bias correction


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassTest:
    """Results of a forest for classes on a test set."""

    predicted: Ints  # int32, shape (ntest,): classes from 0
    votes: Floats  # float64, shape (ntest, nclass): counts
    # float64, shape (ntree, nclass + 1): error after each tree; None if the classes are unknown
    err_rate: Floats | None
    proximity: Floats | None  # float64, shape (ntest, ntest + n)


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionTest:
    """Results of a regression forest on a test set."""

    predicted: Floats  # float64, shape (ntest,)
    # float64, shape (ntree,): mean squared error after each tree; None if the responses are unknown
    mse: Floats | None
    proximity: Floats | None  # float64, shape (ntest, ntest + n)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trees:
    """Trees in one array per field, tree after tree."""

    # int64, shape (ntree + 1,): position of each tree's first node; the last number is that of all nodes
    offset: Positions
    left: Ints  # int32, shape (nodes,): left daughter from 1 within the tree; 0 for a leaf
    split_var: Ints  # int32, shape (nodes,): feature from 1; 0 for a leaf
    # float64, shape (nodes,): split point of a number; for a factor, the levels that go left, as bits; for one with
    # more than 32 levels, the offset of its bits in the tree's part of `level_set`
    split_point: Floats
    status: Ints  # int32, shape (nodes,): 1 = split (-3 in regression), -1 = leaf
    prediction: Floats  # float64, shape (nodes,): class of a leaf, from 1; in regression the mean response of a node
    missing_left: np.ndarray | None = None  # uint8, shape (nodes,): whether missing values go left (engine parallel)
    set_offset: Positions | None = None  # int64, shape (ntree + 1,): position of each tree's first word in `level_set`
    # uint32, shape (words,): levels that go left at the splits of factors with more than 32 levels: level k, from 0, is
    # bit k % 32 of word k // 32. None if there is no such split.
    level_set: np.ndarray | None = None

    @property
    def right(self) -> Ints:
        """Right daughter, always the node after the left one; 0 for a leaf."""
        return self.left + (self.left > 0).astype(np.int32)


@dataclass(frozen=True, eq=False, kw_only=True)
class GrownTree:
    """One tree, with the gain and the totals of each node."""

    tree: Trees
    decrease: Floats  # float64, shape (nodes,): decrease in impurity by the node's split; 0 for a leaf
    # float64, shape (nodes, nclass), or (nodes, 2) for regression: weight of each class; for regression the weight and
    # the weighted sum of the responses
    total: Floats
    # int32, shape (nodes, nclass): number of distinct in-bag rows of each class; in regression `nclass` is 1, and all
    # rows count. Rows of weight 0 do not count.
    distinct: Ints | None
    leaves: Ints | None  # int32, shape (n,): node number of the leaf of each row, in the bag or not, from 1
    outside: Floats | None  # like `total`, for the rows out of the bag
    gains: CandidateGains | None


@dataclass(frozen=True, eq=False, kw_only=True)
class CandidateGains:
    """The best gain of each candidate feature of each node.

    The candidates of node i, from 0, are at ``offset[i]`` to ``offset[i + 1] - 1``, sorted by decreasing gain, then by
    feature. A node that was not searched has no candidates: below the root a pure, small or deep one, and any whose
    daughters would exceed `max_nodes`.
    """

    offset: Positions  # int64, shape (nodes + 1,)
    feature: Ints  # int32, shape (candidates,): from 0
    # float64, shape (candidates,): decrease in impurity by the feature's best split, before `coef_reg`, in the unit of
    # ``GrownTree.decrease``; 0 for a feature that cannot split the node
    gain: Floats


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of trees in the order of trees and nodes."""

    feature: Ints  # int32, shape (k,): from 0
    decrease: Floats  # float64, shape (k,): decrease in impurity by each split, after regularization


@dataclass(frozen=True, eq=False)
class CoreResult:
    """A forest and its results from the core."""

    outcome: ClassOutcome | RegressionOutcome
    test: ClassTest | RegressionTest | None
    trees: Trees | None
    splits: Splits | None = None  # of engine parallel, if requested


@dataclass(frozen=True, eq=False, kw_only=True)
class RowPrediction:
    """Predictions of a forest for new rows; None for a result that was not requested."""

    # int32 or float64, shape (n,), or (0,) if not requested: classes from 0, or numbers before any bias correction
    predicted: np.ndarray
    votes: Ints | None  # int32, shape (n, nclass): counts; None for regression
    individual: np.ndarray | None  # int32 or float64, shape (n, ntree): prediction of each tree
    nodes: Ints | None  # int32, shape (n, ntree): leaves from 1
    proximity: Floats | None  # float64, shape (n, n)
