"""Rogers and Gunn's forest, which draws a feature at a node by its gains so far, weighted by node complexity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyrrf.errors import bad

from pyrrf.sklearn.base import FeatureSelector, TreeClassifier  # isort: skip, says which extra is missing

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from pyrrf._core.criteria import Criterion
from pyrrf._core.records import GrownTree
from pyrrf.checks import choice, count, flag, inner_share, number, warn
from pyrrf.papers.complexity.gains import (
    GainRecord,
    accumulated_gains,
    gain_interval,
    interval_probabilities,
    node_complexity,
    node_gains,
    shares_of,
)
from pyrrf.papers.fitting import SharedFit
from pyrrf.result.forest import join_trees
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest, TreeRule
from pyrrf.types import Floats, Ints, RandomState

_SAMPLING = ("parallel", "threshold", "cart", "measured", "uniform")
_THRESHOLDS = ("midpoint", "exact")
# Streams of the trees that measure and do not vote.
_MEASURING = 1 << 63


class ComplexityForestClassifier(SharedFit, FeatureSelector, TreeClassifier):
    """Random forest that draws features by their average information gain, and drops those that gain by chance only.

    A node draws one feature and is split by its best cut; if the feature cannot split it, it draws again. The average
    gain of a feature is weighted by the complexity of the nodes that it split: small nodes are easily split by
    anything, and are uninformative.

    Parameters
    ----------
    n_estimators : int, default 100
        Trees that vote, each grown on a bag drawn with replacement.
    sampling : {"parallel", "threshold", "cart", "measured", "uniform"}, default 'parallel'
        Where the chances of the features come from.

        - "parallel": the gains of the trees so far. As long as their confidence intervals have a point in common,
          chances are equal.
        - "threshold": the gains of the trees so far, as Borisov has them: what a feature gained in each tree is added
          to `constant` times the impurity of all rows, so that chances stay even until gains have passed that.
        - "cart": the gains of every feature at every node of one tree that takes the best split of all features.
        - "measured": the gains of `n_measuring` trees that draw features evenly and do not vote.
        - "uniform": chances are equal. With `threshold` gains are measured as for "measured".
    confidence : float, default 0.95
        Of the intervals, above 0 and below 1.
    unit : float, default 0.5
        Weight that counts as one observation, as a share of the node complexity of all rows; above 0. The paper takes
        "a fraction".
    constant : float, default 1.0
        Of "threshold": how often the impurity of all rows is in the weight that every feature begins with, from 0. As
        a tree's features together gain the impurity of its rows, the gains of `constant` times the number of features
        trees weigh as much. 0 draws from the second tree on only features that have split a node.
    threshold : {"midpoint", "exact"}, optional
        Selection: a feature is kept if its average gain is larger than what an irrelevant feature gains at the same
        nodes. "midpoint" compares with the mid-point of the paper's bounds; "exact" is a test with the exact mean and
        variance. Two classes only. None keeps all features.
    level : float or None, default 0.05
        Chance that "exact" keeps an irrelevant feature, for each of them, above 0 and below 1. None compares with the
        mean alone, as the paper does, which keeps about every second one.
    n_measuring : int, default 100
        Trees of "measured".
    evaluation_bootstrap : bool, default False
        False: nodes are measured on distinct rows; trees that do not vote are grown on all rows. True: on rows as
        often as they were drawn, and every tree has a bag. A row that is drawn twice can be told from no other, so with
        True irrelevant features gain more than `threshold` expects.
    update_every : int, default 1
        Trees after which "parallel" and "threshold" update the chances; that many can be grown at once. The paper's is
        1.
    max_depth : int, optional
        Maximum tree depth; no bound by default.
    categorical_features : "from_dtype", None, or array_like of int, str or bool, default 'from_dtype'
        Columns whose values are categories: those of a table with a categorical dtype, none, or these.
    n_jobs : int, optional
        Threads; 1 by default. The answer does not depend on it.
    random_state : int, RandomState, Generator or None, default None
        Seed; an int makes a fit repeatable.
    verbose : int, default 0
        1 shows a progress bar, with tqdm, which is an extra.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    mean_gain_ : ndarray of float64, shape (n_features,)
        Average gain in bits, weighted by node complexity; 0 for a feature that was never measured. "uniform" without
        `threshold` has it of the trees that vote.
    interval_ : ndarray of float64, shape (n_features, 2)
        Confidence interval of the expected gain; from 0 to the entropy of equal classes where a feature was measured
        with no more than one unit.
    feature_probabilities_ : ndarray of float64, shape (n_features,)
        Chances of the last tree.
    interval_width_path_ : ndarray of float64, shape (n_updates,)
        Mean width of the intervals after each update of "parallel" or "threshold", in bits: how fast it converges
        (figure 5). Empty otherwise.
    threshold_ : ndarray of float64, shape (n_features,), or None
        What `mean_gain_` is compared with; NaN where nothing was measured. None without `threshold`.
    support_ : ndarray of bool, shape (n_features,)
        Features kept.
    n_features_ : int
        Number of features kept.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only if X had names.

    Warns
    -----
    UserWarning
        No feature gains more than `threshold`: the forest has all features, and ``support_`` none.

    Notes
    -----
    J. D. Rogers and S. R. Gunn, Ensemble algorithms for feature selection, 2005: sections 2.2, 3.1 and 4. What the
    paper leaves open, besides regression:

    - S², the variance of weighted gains, is Σ w (g - mean)² / Σ w, divided by 1 - Σ w² / (Σ w)², which makes it
      unbiased. m is Σ w in units; one split of a large node may weigh several.
    - Intervals end at 0 and at the largest entropy.
    - A feature that was never measured has the average chance where chances are gains ("measured").
    - The threshold of a feature is the expected gain at the nodes that it split, each weighted by its complexity.
    - "parallel" and "threshold" with `threshold`: a feature is not drawn while its interval is below its threshold.
    - I(X_i, j) of eq 11, what a feature gains in a tree, is the sum of the gains of the nodes that it split, each
      weighted by the node's share of the tree's rows: a tree that separates the classes gains their entropy.

    "exact" errs on the side of keeping less: it takes the gains of different trees to be fully correlated, and a
    feature gains less than expected below a node that it has split (11 % with 3 features, nothing with 300). Of
    features that are noise it kept 0 to 1.2 % at level .05, "midpoint" 62 to 68 % (100 to 300 rows, 9 to 50 features).
    With "cart" it kept 8 to 12 %, since nodes of best splits have been chosen with a look at every feature. Columns of
    few values gain less than expected, categories of many levels and missing values more.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers import ComplexityForestClassifier
    >>> rng = np.random.default_rng(1)
    >>> x = rng.random((200, 6))
    >>> y = x[:, 0] ** 2 + 2 * x[:, 1] > 1.3
    >>> forest = ComplexityForestClassifier(sampling="measured", threshold="exact", random_state=1).fit(x, y)
    >>> forest.get_support(indices=True).tolist()
    [0, 1]
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        sampling: str = "parallel",
        confidence: float = 0.95,
        unit: float = 0.5,
        constant: float = 1.0,
        threshold: str | None = None,
        level: float | None = 0.05,
        n_measuring: int = 100,
        evaluation_bootstrap: bool = False,
        update_every: int = 1,
        max_depth: int | None = None,
        categorical_features: ArrayLike | None = "from_dtype",
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.sampling = sampling
        self.confidence = confidence
        self.unit = unit
        self.constant = constant
        self.threshold = threshold
        self.level = level
        self.n_measuring = n_measuring
        self.evaluation_bootstrap = evaluation_bootstrap
        self.update_every = update_every
        self.max_depth = max_depth
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _fit(self, X: Any, y: Any) -> None:
        _, data = self._read_training(X, y)
        self._check_parameters(data.nclass)
        growth = _Growth(self, data, self._new_seed())
        trees = [grown.tree for grown in self._with_progress(growth.voting_trees(), growth.n_voting)]
        self._trees = join_trees(trees)
        self.mean_gain_ = growth.record.mean
        self.interval_ = np.stack(growth.intervals(), axis=1)
        self.interval_width_path_ = np.array(growth.widths)
        self.feature_probabilities_ = growth.chances
        self.threshold_ = growth.bound() if self.threshold else None
        self.support_ = growth.mask_of_kept()
        if not self.support_.any():
            warn("no feature gains more than threshold; the forest has all features, support_ has none")

    def _check_parameters(self, nclass: int) -> None:
        count(self.n_estimators, "n_estimators")
        count(self.n_measuring, "n_measuring")
        count(self.update_every, "update_every")
        if self.max_depth is not None:
            count(self.max_depth, "max_depth")
        choice(self.sampling, "sampling", _SAMPLING)
        flag(self.evaluation_bootstrap, "evaluation_bootstrap")
        inner_share(self.confidence, "confidence")
        number(self.unit, "unit", above=0)
        number(self.constant, "constant", least=0)
        if self.level is not None:
            inner_share(self.level, "level")
        if self.threshold is None:
            return
        choice(self.threshold, "threshold", _THRESHOLDS)
        if nclass > 2:
            raise bad.unsupported(f"threshold is for two classes, and y has {nclass}; pass threshold=None")


class _Growth:
    """One fit: trees are grown, measured, and change the chances of the features."""

    def __init__(self, options: ComplexityForestClassifier, data: TreeData, seed: int) -> None:
        self.options, self.data, self.seed = options, data, seed
        # Whole numbers may come as 100.0.
        self.n_voting, self.n_measuring = int(options.n_estimators), int(options.n_measuring)
        self.block = int(options.update_every)
        p = data.shape[1]
        self.record = GainRecord(p, options.threshold)
        self.chances = np.full(p, 1 / p)
        self.widths: list[float] = []
        everything = np.bincount(data.response, minlength=data.nclass)
        self.unit = options.unit * float(node_complexity(everything))
        self.impurity = float(stats.entropy(everything, base=2))
        self.gained = np.zeros(p)
        self.quantile = 0.0
        if options.threshold == "exact" and options.level is not None:
            self.quantile = float(stats.norm.ppf(1 - options.level))
        self.maker = self.new_maker(mtry=1, draw_until_split=True)

    def new_maker(self, **rule: Any) -> TreeMaker:
        # draw_from_all, because features that split other nodes have no better chance.
        depth = int(self.options.max_depth or 0)
        full = TreeRule(criterion=Criterion.ENTROPY, draw_from_all=True, max_depth=depth, **rule)
        return TreeMaker(self.data, full, self.options.n_jobs)

    # ---- trees ------------------------------------------------------------------------------------

    def voting_trees(self) -> Iterator[GrownTree]:
        """Grow the trees of the forest; measure gains before or meanwhile, as the options need."""
        options = self.options
        if options.sampling in ("parallel", "threshold"):
            yield from self.trees_in_blocks()
            return
        if options.sampling == "cart":
            self.measure_candidates()
        elif options.sampling == "measured" or options.threshold:
            for grown in self.maker.grow_all(map(self.measuring, range(self.n_measuring))):
                self.measure(grown)
        self.chances = self.fixed_chances()
        measured = self.record.seen.any()
        for grown in self.maker.grow_all(map(self.voting, range(self.n_voting))):
            if not measured:
                self.measure(grown)
            yield grown

    def trees_in_blocks(self) -> Iterator[GrownTree]:
        """Grow `update_every` trees, then update the chances, and so on."""
        n, block = self.n_voting, self.block
        for start in range(0, n, block):
            self.chances = self.updated_chances()
            requests = [self.voting(tree) for tree in range(start, min(start + block, n))]
            for grown in self.maker.grow_all(requests) if block > 1 else map(self.maker.grow, requests):
                self.measure(grown)
                yield grown
            lower, upper = self.intervals()
            self.widths.append(float((upper - lower).mean()))

    def voting(self, tree: int) -> TreeRequest:
        return TreeRequest(seed=self.seed, stream=tree, probability=self.chances, distinct=True)

    def measuring(self, tree: int) -> TreeRequest:
        return TreeRequest(seed=self.seed, stream=_MEASURING + tree, count=self.measured_bag(), distinct=True)

    def measured_bag(self) -> Ints | None:
        return None if self.options.evaluation_bootstrap else np.ones(self.data.shape[0], np.int32)

    # ---- gains ------------------------------------------------------------------------------------

    def counts(self, grown: GrownTree) -> Floats:
        """Return the rows by class of each node, as they are measured."""
        if self.options.evaluation_bootstrap or grown.distinct is None:
            return grown.total
        return grown.distinct.astype(np.float64)

    def measure(self, grown: GrownTree) -> None:
        """Record the gain of each split."""
        counts, splits = self.counts(grown), np.flatnonzero(grown.tree.left)
        gain = node_gains(grown.tree.left, counts)[splits]
        feature, rows = grown.tree.split_var[splits] - 1, counts.sum(axis=1)
        self.record.add(feature, gain, counts[splits])
        self.gained += np.bincount(feature, gain * rows[splits] / rows[0], self.gained.size)

    def measure_candidates(self) -> None:
        """Record the gain of every feature at every split of one tree that takes the best of all."""
        p = self.data.shape[1]
        request = TreeRequest(seed=self.seed, stream=_MEASURING, count=self.measured_bag(), distinct=True, most_gains=p)
        grown = self.new_maker(mtry=p).grow(request)
        assert grown.gains is not None
        node = np.repeat(np.arange(grown.tree.left.size), np.diff(grown.gains.offset))
        split = grown.tree.left[node] > 0
        gain = grown.gains.gain / grown.total[node].sum(axis=1)
        self.record.add(grown.gains.feature[split], gain[split], self.counts(grown)[node[split]])

    # ---- chances of features ------------------------------------------------------------------------

    def intervals(self) -> tuple[Floats, Floats]:
        """Return the confidence interval of each feature's gain."""
        # Of two rows, one of each class, even the root has no complexity; nor has any node then.
        size = self.record.sums[0] / (self.unit or 1.0)
        quantile = stats.t.ppf((1 + self.options.confidence) / 2, np.maximum(size - 1, 1e-2))
        highest = float(np.log2(self.data.nclass))
        return gain_interval(self.record.mean, self.record.variance, size, quantile, highest)

    def bound(self) -> Floats:
        """Return a gain that an irrelevant feature in each feature's place would hardly reach; NaN if not measured."""
        return self.record.bound(self.quantile)

    def mask_of_kept(self) -> np.ndarray:
        """Return a mask of the features that gain more than `bound`."""
        if self.options.threshold is None:
            return np.ones(self.record.seen.size, np.bool_)
        return np.asarray(self.record.mean > self.bound())

    def updated_chances(self) -> Floats:
        """Return chances by the gains of the trees so far: as even as the intervals allow, or Borisov's."""
        lower, upper = self.intervals()
        if self.options.sampling == "threshold":
            chances = accumulated_gains(self.impurity, self.gained, self.options.constant)
        else:
            chances = interval_probabilities(lower, upper)
        if self.options.threshold:
            chances[upper < self.bound()] = 0.0
        return shares_of(chances)

    def fixed_chances(self) -> Floats:
        """Return the average gains of the features kept as chances, or equal ones."""
        mean, seen = self.record.mean, self.record.seen
        if self.options.sampling == "uniform" or not seen.any():
            return shares_of(self.mask_of_kept().astype(np.float64))
        gains = np.where(seen, mean, mean[seen].mean())
        return shares_of(np.where(self.mask_of_kept(), gains, 0.0))
