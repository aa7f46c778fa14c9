"""selectRuleRRF: a regularized forest whose features are rules says which rules are needed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pyrrf.fit.rrf import RRF
from pyrrf.rules.columns import Columns
from pyrrf.rules.conditions import through_text
from pyrrf.rules.matches import Matches, unpack
from pyrrf.rules.measure import check_columns, read_some
from pyrrf.rules.target import read_classes
from pyrrf.types import Floats, TableLike, VectorLike

# The forest of inTrees: the longest rule has coefficient 0.94, a rule of length 0 would have 0.95.
_COEFFICIENT, _PER_LENGTH = 0.95, 0.01
_NTREE, _MAXNODES = 50, 10
# Rules of a smaller share of the largest importance are dropped.
_LEAST = 0.01


def selectRuleRRF(ruleMetric: pd.DataFrame, X: TableLike, target: VectorLike, seed: int | None = None) -> pd.DataFrame:
    """Select rules by a regularized random forest (R's ``selectRuleRRF`` of inTrees).

    Parameters
    ----------
    ruleMetric : DataFrame
        What `getRuleMetric` or `pruneRule` returned.
    X : array_like or DataFrame, shape (n, p)
        Predictors.
    target : array_like, Series or Categorical, shape (n,)
        Classes; numbers count as classes, too, so discretize them before (`dicretizeVector`).
    seed : int, optional
        Seed of the forest; the stream of the process by default.

    Returns
    -------
    DataFrame
        The selected rules, the most important first, equal ones by "err" and "len". A column "impRRF" holds the
        importance as a share of the largest one; it is above 0.01.

    Raises
    ------
    TypeError
        `ruleMetric` lacks a column, or the data cannot be read.
    ValueError
        A rule has not the form of `extractRules`, or `target` has fewer than two classes.

    Notes
    -----
    The forest is ``RRF(indicators, target, coefReg=0.95 - 0.01 * len / max(len), mtry=rules / 2, ntree=50,
    maxnodes=10, replace=False)``.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf import rules
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> y = x[:, 0] > 0.5
    >>> metric = rules.getRuleMetric(["X[,1]<=0.5", "X[,2]<=0.5"], x, y)
    >>> rules.selectRuleRRF(metric, x, y, seed=1).condition.tolist()
    ['X[,1]<=0.5']
    """
    check_columns(ruleMetric, "ruleMetric", ("condition", "len", "err"))
    conditions = read_some(ruleMetric, "ruleMetric")
    columns = Columns(X)
    factor = read_classes(target, columns.table).factor
    indicators = unpack(Matches(conditions, columns).all(), columns.n).T.astype(np.float64)
    lengths = ruleMetric["len"].to_numpy(dtype=np.float64)
    fit = RRF(
        indicators,
        factor.series(pd.RangeIndex(columns.n)),
        flagReg=1,
        coefReg=_COEFFICIENT - _PER_LENGTH * lengths / lengths.max(),
        mtry=len(conditions) / 2,
        ntree=_NTREE,
        maxnodes=_MAXNODES,
        replace=False,
        seed=seed,
    )
    return _by_importance(ruleMetric, fit.importance.to_numpy()[:, 0])


def _by_importance(rules: pd.DataFrame, importance: Floats) -> pd.DataFrame:
    """Return the rules that matter, the most important first."""
    largest = importance.max()
    shares = importance / largest if largest > 0 else np.zeros_like(importance)
    chosen = np.flatnonzero(shares > _LEAST)
    kept = rules.iloc[chosen].assign(impRRF=through_text(shares[chosen]))
    sizes = [kept[name].to_numpy(dtype=np.float64) for name in ("len", "err", "impRRF")]
    order = np.lexsort((sizes[0], sizes[1], -sizes[2]))
    return kept.iloc[order].reset_index(drop=True)
