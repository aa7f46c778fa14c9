"""Records that cross the border of the core: rows and rules of a fit go in, outcomes and trees come out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pyrrf._core.criteria import Criterion, Penalty
from pyrrf.types import Floats, Ints, Positions

# ---- into the core -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """A matrix of numbers most of which are 0, column after column."""

    values: Floats  # float64, shape (k,): what is stored; NaN is a missing number
    rows: Ints  # int32, shape (k,): the row of each value; within a column they ascend
    start: Positions  # int64, shape (p + 1,): where the values of each column begin; the last one is k
    shape: tuple[int, int]  # rows and columns

    def dense(self, features: Positions) -> np.ndarray:
        """Return some columns, counted from 0, as an array, float64, shape (n, k), column-major."""
        found = np.zeros((self.shape[0], len(features)), order="F")
        for at, feature in enumerate(features.tolist()):
            stored = slice(self.start[feature], self.start[feature + 1])
            found[self.rows[stored], at] = self.values[stored]
        return found

    def take(self, rows: Positions) -> SparseColumns:
        """Return some rows, counted from 0 and ascending."""
        place = np.full(self.shape[0], -1, np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        at = place[self.rows]
        kept = at >= 0
        start = np.concatenate([[0], np.cumsum(kept)])[self.start].astype(np.int64)
        return SparseColumns(self.values[kept], at[kept], start, (len(rows), self.shape[1]))


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows:
    """The rows that a forest is grown on, and those of a test set."""

    # float64, shape (n, p), column-major: numbers; level k of a factor (from 1) as the number k. Engine parallel takes
    # float32 and any strides too, NaN for a missing number, and no synthetic rows. Or SparseColumns, in regression for
    # engine parallel only.
    values: np.ndarray | SparseColumns
    ncat: Ints  # int32, shape (p,): 1 for a number, otherwise the categories of a factor
    response: np.ndarray  # int32 or float64, shape (n,): classes from 0, all `nclass` present, or numbers
    nclass: int  # 1 for regression
    # test_values, test_response: the test set, as `values` and `response`; either may be None
    test_values: np.ndarray | SparseColumns | None = None
    test_response: np.ndarray | None = None
    # Unsupervised mode of engine r: `values` holds the rows twice, `response` is 0 for the first half and 1 for the
    # second, which the core fills for each tree. Results per row then cover the first half only.
    synthetic: bool = False

    @property
    def numbers(self) -> bool:
        """Whether the response holds numbers."""
        return self.nclass == 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Growing:
    """How the trees are grown, and which results are kept."""

    ntree: int  # number of trees
    mtry: int  # candidates drawn at a node
    nodesize: int  # a node with at most this many rows is not split
    max_nodes: int  # R's nrnodes: the largest number of nodes of a tree
    sampsize: Ints  # int32, shape (1,) or (nstrata,): rows drawn for a tree, or from each stratum
    coef_reg: Floats  # float64, shape (p,): coefficient of regularization of each feature
    used: Ints  # int32, shape (p,): 1 for a feature in the selected set F at the start
    # int32, shape (p,): labels from 0 to p - 1; features of one label enter F together. None = each is a group of its
    # own. With `flag_reg` 1 only.
    feature_group: Ints | None = None
    flag_reg: int = 1  # 1 = regularized, 0 = ordinary forest
    replace: bool = True  # whether rows are drawn with replacement
    strata: Ints | None = None  # int32, shape (n,): stratum of each row, from 0
    # classwt, cutoff: float64, shape (nclass,): for classes; the cutoff is then needed
    classwt: Floats | None = None
    cutoff: Floats | None = None
    n_perm: int = 1  # permutations for each tree and feature
    corr_bias: bool = False  # whether a regression of engine r corrects its predictions
    quirks: bool = True  # whether engine r does as CRAN RRF does where that was not intended
    # Whether engine r grows the forest of CRAN randomForest; `quirks` is then True, `flag_reg` 0, and `coef_reg` and
    # `used` are not read
    random_forest: bool = False
    # float64, shape (n,): chances of the rows to be drawn, with `random_forest` only; they are positive and add up to 1
    case_weight: Floats | None = None
    # importance, local_importance, proximity, oob_proximity, keep_inbag: which further results are computed;
    # `local_importance` needs `importance`
    importance: bool = False
    local_importance: bool = False
    proximity: bool = False
    oob_proximity: bool = False
    keep_forest: bool = True  # whether the trees are returned
    keep_inbag: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class ParallelRule:
    """How engine parallel draws candidates and judges their splits."""

    criterion: Criterion = Criterion.OF_R
    penalty: Penalty = Penalty.CRITERION  # what `coef_reg` multiplies with the Gini index; otherwise always the gain
    # True = the candidates are mtry of all features; False = all features in F and mtry of the others
    draw_from_all: bool = False
    max_depth: int = 0  # largest depth of a tree; 0 = no bound
    use_depth: bool = False  # whether `coef_reg` is raised to the depth of the node
    # Whether the lowest feature, cut and class win where splits of a node, or classes of a leaf, are equal; chance
    # decides otherwise
    ties_first: bool = False
    # Whether a left daughter is finished before her sister is begun; breadth first otherwise, node by node
    depth_first: bool = False
    row_weight: Floats | None = None  # float64, shape (n,): weight of each drawn row; the sum is positive


# ---- out of the core -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Work:
    """How much work the threads of engine parallel did. It depends on their number; the answer does not."""

    regrown: int  # trees that were partly grown again because an earlier tree had added features to F
    searched: int  # node searches, repeated ones included
    repeated: int  # searches of a node that had been searched before


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Results of a fit that all kinds of response have; None for a result that was not asked for."""

    oob_times: Ints  # int32, shape (n,): how often each row was out of bag
    # float64, shape (p, k): permutation importances if asked for; the last column is the decrease in impurity
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
    # float64, shape (ntree, nclass + 1): error after each tree; None where the classes are not known
    err_rate: Floats | None
    proximity: Floats | None  # float64, shape (ntest, ntest + n)


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionTest:
    """Results of a regression forest on a test set."""

    predicted: Floats  # float64, shape (ntest,)
    # float64, shape (ntree,): mean squared error after each tree; None where the responses are not known
    mse: Floats | None
    proximity: Floats | None  # float64, shape (ntest, ntest + n)


@dataclass(frozen=True, eq=False, kw_only=True)
class Trees:
    """Trees, packed one after the other."""

    # int64, shape (ntree + 1,): position of each tree's first node; the last number is that of all nodes
    offset: Positions
    left: Ints  # int32, shape (nodes,): left daughter from 1 within the tree; 0 for a leaf
    split_var: Ints  # int32, shape (nodes,): feature from 1; 0 for a leaf
    # float64, shape (nodes,): split point of a number; for a factor, the levels that go left, as bits; for one with
    # more than 32 levels, where in the tree's part of `level_set` its bits begin
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
        """Right daughter, which always comes after the left one; 0 for a leaf."""
        return self.left + (self.left > 0).astype(np.int32)


@dataclass(frozen=True, eq=False, kw_only=True)
class GrownTree:
    """One tree, with the gain and the totals of each node."""

    tree: Trees
    decrease: Floats  # float64, shape (nodes,): decrease in impurity by the node's split; 0 for a leaf
    # float64, shape (nodes, nclass), or (nodes, 2) for regression: weight of each class; for regression the weight and
    # the weighted sum of the responses
    total: Floats
    # int32, shape (nodes, nclass): in-bag rows of each class, however often they were drawn; of all of them for
    # numbers, whose `nclass` is 1. Rows of no weight do not count.
    distinct: Ints | None
    leaves: Ints | None  # int32, shape (n,): leaf of each row, in the bag or not: the number of its node, from 1
    outside: Floats | None  # like total, of the rows out of the bag
    gains: CandidateGains | None


@dataclass(frozen=True, eq=False, kw_only=True)
class CandidateGains:
    """The best gain of each feature that a node looked at, whether or not it won.

    The candidates of node i, from 0, stand at ``offset[i]`` to ``offset[i + 1] - 1``, the highest gain first and equal
    ones by feature. A node that was not searched has none: below the root a pure, small or deep one, and any for whose
    daughters `max_nodes` has no room.
    """

    offset: Positions  # int64, shape (nodes + 1,)
    feature: Ints  # int32, shape (candidates,): from 0
    # float64, shape (candidates,): by how much the feature's best split lowers the impurity, before `coef_reg`, in the
    # unit of ``GrownTree.decrease``; 0 for a feature that cannot split the node
    gain: Floats


@dataclass(frozen=True, eq=False)
class Splits:
    """The splits of trees, one after the other: tree by tree and, within a tree, node by node."""

    feature: Ints  # int32, shape (k,): from 0
    decrease: Floats  # float64, shape (k,): by how much each lowers the impurity, after regularization


@dataclass(frozen=True, eq=False)
class Grown:
    """A forest as the core returns it."""

    outcome: ClassOutcome | RegressionOutcome
    test: ClassTest | RegressionTest | None
    trees: Trees | None
    splits: Splits | None = None  # of engine parallel, where they were asked for


@dataclass(frozen=True, eq=False, kw_only=True)
class RowPrediction:
    """Predictions of a forest for new rows; None for a result that was not asked for."""

    # int32 or float64, shape (n,), or (0,) if not wanted: classes from 0, or numbers before any bias correction
    predicted: np.ndarray
    votes: Ints | None  # int32, shape (n, nclass): counts; None for regression
    individual: np.ndarray | None  # int32 or float64, shape (n, ntree): prediction of each tree
    nodes: Ints | None  # int32, shape (n, ntree): leaves from 1
    proximity: Floats | None  # float64, shape (n, n)
