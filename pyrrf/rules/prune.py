"""pruneRule: pieces of a rule are left out, from the last to the first, where it hardly errs more without them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pyrrf.checks import number
from pyrrf.errors import bad
from pyrrf.rules.conditions import AND
from pyrrf.rules.matches import Words, pack
from pyrrf.rules.measure import Bench, Measured, check_columns, labels_of, measure, metric_table
from pyrrf.rules.target import Classes
from pyrrf.types import Positions, TableLike, VectorLike

# Below this an error counts as this where increases are relative.
_LEAST = 0.000001


def pruneRule(
    rules: pd.DataFrame, X: TableLike, target: VectorLike, maxDecay: float = 0.05, typeDecay: int = 2
) -> pd.DataFrame:
    """Shorten rules (R's ``pruneRule`` of inTrees).

    Parameters
    ----------
    rules : DataFrame
        Table of `getRuleMetric`.
    X : array_like or DataFrame, shape (n, p)
        Predictors.
    target : array_like, Series or Categorical, shape (n,)
        The response.
    maxDecay : float, default 0.05
        Largest increase of the error of a rule when a piece is left out.
    typeDecay : int, default 2
        1 = relative to the error of the whole rule, 2 = absolute.

    Returns
    -------
    DataFrame
        The rules in their order with the columns of `getRuleMetric`; those that match no row are left out. Rules may
        have become equal;
        ``.drop_duplicates()`` (R's ``unique``) keeps the first ones.

    Raises
    ------
    TypeError
        `rules` has no column "condition" or "pred", or the data cannot be read.
    ValueError
        An argument is out of range, or a rule has not the form of `extractRules`.

    Notes
    -----
    An error is always compared with that of the whole rule, so that small increases do not add up. A rule keeps at
    least one piece. While classes are pruned the class that a rule predicts stays; a mean is taken anew.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf import rules
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> y = x[:, 0] > 0.5
    >>> metric = rules.getRuleMetric(["X[,1]<=0.5 & X[,2]<=0.9"], x, y)
    >>> rules.pruneRule(metric, x, y).condition.tolist()
    ['X[,1]<=0.5']
    """
    check_columns(rules, "rules", ("condition", "pred"))
    decay, kind = number(maxDecay, "maxDecay"), number(typeDecay, "typeDecay")
    if kind not in (1, 2):
        raise bad.choice(f"typeDecay must be 1 (relative) or 2 (absolute), not {typeDecay!r}")
    bench = Bench(rules, X, target, "rules")
    given = rules["pred"].to_numpy(dtype=object)
    parts = [_Pruning(bench, some, given[some]).run(decay, kind == 1) for some in bench.parts()]
    return pd.concat(parts, ignore_index=True)


class _Pruning:
    """Rules that are pruned side by side."""

    def __init__(self, bench: Bench, part: slice, given: np.ndarray) -> None:
        matches = self.matches = bench.matches
        self.target = bench.target
        self.given = given
        self.wanted = bench.target.codes_of(given) if isinstance(bench.target, Classes) else None
        self.texts = matches.texts[part]
        self.lengths = matches.lengths[part]
        self.start = matches.start[part]
        self.whole = matches.of(part)
        self.now = measure(self.whole, self.target, matches.n)
        # The pieces that are left, as flags by position.
        self.left = np.arange(int(self.lengths.max(initial=0))) < self.lengths[:, np.newaxis]

    def run(self, most: float, relative: bool) -> pd.DataFrame:
        """Return the table of the rules as pruned."""
        before = self.now.err.copy()
        base = np.maximum(before, _LEAST) if relative else np.ones_like(before)
        heads = self._heads()
        tail = np.full_like(self.whole, np.iinfo(np.uint64).max)
        for position in range(self.left.shape[1] - 1, -1, -1):
            tried = np.flatnonzero(self.left[:, position] & (self.left.sum(axis=1) > 1))
            mine = self.matches.masks[self.matches.piece[self.start[tried] + position]]
            without = measure(
                heads[position][tried] & tail[tried], self.target, self.matches.n, self._predictions_to_keep(tried)
            )
            dropped = (without.err - before[tried]) / base[tried] <= most
            self._take(tried[dropped], without, dropped)
            self.left[tried[dropped], position] = False
            kept = tried[~dropped]
            tail[kept] &= mine[~dropped]
        return self._table()

    def _heads(self) -> list[Words]:
        """Return for each position the rows that match all pieces before it."""
        heads = [np.repeat(pack(np.ones((1, self.matches.n), dtype=bool)), len(self.whole), axis=0)]
        for position in range(self.left.shape[1] - 1):
            mine = np.flatnonzero(self.lengths > position)
            joined = heads[-1].copy()
            joined[mine] &= self.matches.masks[self.matches.piece[self.start[mine] + position]]
            heads.append(joined)
        return heads

    def _predictions_to_keep(self, rows: Positions) -> np.ndarray | None:
        return None if self.wanted is None else self.wanted[rows]

    def _take(self, rows: Positions, measured: Measured, chosen: np.ndarray) -> None:
        """Put the measures of shortened rules in the place of those before."""
        for name in ("size", "err", "pred"):
            getattr(self.now, name)[rows] = getattr(measured, name)[chosen]

    def _table(self) -> pd.DataFrame:
        conditions = [
            AND.join(text for text, left in zip(texts, row, strict=False) if left)
            for texts, row in zip(self.texts, self.left.tolist(), strict=True)
        ]
        pred = labels_of(self.target, self.now.pred)
        if self.wanted is not None:
            pred = np.where(self.now.pred < 0, self.given, pred)
        table = metric_table(self.left.sum(axis=1), self.now, self.matches.n, conditions, pred)
        return table[self.now.size > 0]
