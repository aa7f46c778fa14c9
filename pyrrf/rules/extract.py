"""extractRules: each path from a root to a leaf, or to the deepest node allowed, as a rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count, flag, number
from pyrrf.errors import bad
from pyrrf.random import call_stream, sample
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.numbers import round as round_decimals
from pyrrf.rules.columns import Columns
from pyrrf.rules.conditions import AND, among, column_text, exact_text
from pyrrf.rules.trees import Tree, TreeList, read_trees
from pyrrf.types import Floats, TableLike

# A step of a path, its feature and condition: a text for a number, the levels as bits for a factor.
_Step = tuple[int, str | int]
_Path = tuple[_Step, ...]


def extractRules(
    treeList: Any,
    X: TableLike,
    ntree: int = 100,
    maxdepth: float = 6,
    random: bool = False,
    digits: float | None = None,
    verbose: bool = False,
    seed: int | None = None,
) -> pd.DataFrame:
    """Return the rules of a forest, one for each leaf (R's ``extractRules`` of inTrees).

    Parameters
    ----------
    treeList : TreeList, ForestResult or estimator
        What `RF2List` returned, or a model that it takes.
    X : array_like or DataFrame, shape (n, p)
        The predictors of the model: which columns are factors, with which levels, and which have missing values.
    ntree : int, default 100
        Number of trees that rules are taken from, the first ones; at most all.
    maxdepth : float, default 6
        Largest number of splits of a path, 1 or more; ``math.inf`` for no bound. A rule whose path is cut off there
        covers all leaves below.
    random : bool, default False
        Whether each tree has a depth of its own, drawn from 1 to `maxdepth`.
    digits : float, optional
        Decimals to which split points are rounded; as written by R, up to 15 digits, by default.
    verbose : bool, default False
        Whether to print the line that inTrees prints.
    seed : int, optional
        Seed of the draws; the stream of the process by default.

    Returns
    -------
    DataFrame
        One column, "condition": the rule as R text, such as ``X[,3]>2.45 & X[,4] %in% c('a','b')``. Columns count
        from 1. Rules may be equal; ``.drop_duplicates()`` (R's ``unique``) keeps the first ones.

    Raises
    ------
    TypeError
        `treeList` holds no trees that can be read, or a rule would compare strings with numbers.
    ValueError
        An argument is out of range, `X` has other columns than the model, or no tree has a split.

    Notes
    -----
    Pieces of a rule stand by column, and those of a column from the root downwards. Where `X` has missing values and
    the model says where they go, a piece says so: ``(X[,3]<=2.45|is.na(X[,3]))``.

    Trees of scikit-learn compare values as float32. Their rules are theirs on ``X.astype("float32")``; in float64 a
    value within about 6e-8 of a threshold, relative to it, may fall to the other side.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf import rules
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> fit = pyrrf.RRF(x, x[:, 0] > 0.5, ntree=5)
    >>> rules.extractRules(fit, x, digits=2).condition.iloc[0]
    'X[,1]<=0.54 & X[,4]<=0.72'
    """
    trees, columns = read_trees(treeList, "treeList"), Columns(X)
    if columns.p != trees.n_features:
        raise bad.columns(f"X has {columns.p} columns, but the model has {trees.n_features}; pass the same columns")
    used = trees.trees[: count(ntree, "ntree")]
    bounds = _bounds(len(used), maxdepth, flag(random, "random"), seed)
    writer = _Writer(trees, columns, None if digits is None else int(abs(number(digits, "digits"))))
    conditions: list[str] = []
    for tree, bound in zip(used, bounds, strict=True):
        conditions += writer.rules(tree, bound)
    if not conditions:
        raise bad.constant("treeList has no tree with a split, so no rules; grow trees on more rows or features")
    if flag(verbose, "verbose"):
        length = number_text(bounds[-1])
        print(f"{len(conditions)} rules (length<={length}) were extracted from the first {len(used)} trees.")  # noqa: T201
    return pd.DataFrame({"condition": conditions})


def _bounds(n_trees: int, maxdepth: float, random: bool, seed: int | None) -> list[float]:
    """Return the largest length of a path of each tree."""
    if isinstance(maxdepth, float) and maxdepth == math.inf and not random:
        return [math.inf] * n_trees
    deepest = count(maxdepth, "maxdepth")
    if not random:
        return [float(deepest)] * n_trees
    with call_stream(seed):
        return [float(sample(deepest, 1)[0]) for _ in range(n_trees)]


class _Writer:
    """Writes the rules of trees."""

    def __init__(self, trees: TreeList, columns: Columns, digits: int | None) -> None:
        self.trees = trees
        self.columns = columns
        self.digits = digits
        self.levels: dict[int, list[str]] = {}
        self.all_of = lru_cache(maxsize=None)(self._all_of)
        self.takes_missing = lru_cache(maxsize=None)(columns.has_missing)
        self.number = lru_cache(maxsize=None)(exact_text if trees.exact else number_text)

    def rules(self, tree: Tree, bound: float) -> Iterator[str]:
        """Yield the rules of a tree, its leaves from left to right; a tree without a split has none."""
        if tree.left[0] < 0:
            return
        left, right = tree.left.tolist(), tree.right.tolist()
        steps = self._steps(tree)
        waiting: list[tuple[int, int, _Path]] = [(0, 0, ())]
        while waiting:
            node, depth, path = waiting.pop()
            if left[node] < 0 or depth == bound:
                yield self._condition(path)
                continue
            to_left, to_right = steps[node]
            waiting.append((right[node], depth + 1, (*path, to_right)))
            waiting.append((left[node], depth + 1, (*path, to_left)))

    def _steps(self, tree: Tree) -> list[tuple[_Step, _Step]]:
        """Return the conditions of the left and the right daughter of each node; placeholders for a leaf."""
        points = self._points(tree.threshold)
        feature = tree.feature.tolist()
        steps: list[tuple[_Step, _Step]] = []
        for node, position in enumerate(feature):
            goes_left = tree.missing_left is not None and bool(tree.missing_left[node])
            if position < 0:
                steps.append(((-1, ""), (-1, "")))
            elif self.columns.levels_of(position) is not None:
                steps.append(self._step_of_levels(tree, node, position, points[node]))
            else:
                missing = tree.missing_left is not None and self.takes_missing(position)
                steps.append(self._step_of_numbers(position, points[node], missing, goes_left))
        return steps

    def _points(self, threshold: Floats) -> list[float]:
        values = threshold if self.digits is None else round_decimals(threshold, self.digits)
        points: list[float] = values.tolist()
        return points

    def _step_of_numbers(self, position: int, point: float, missing: bool, goes_left: bool) -> tuple[_Step, _Step]:
        column = column_text(position)
        if math.isinf(point):
            known, unknown = f"!is.na({column})", f"is.na({column})"
            return ((position, unknown), (position, known)) if goes_left else ((position, known), (position, unknown))
        text = self.number(point)
        sides = [f"{column}<={text}", f"{column}>{text}"]
        if missing:
            side = 0 if goes_left else 1
            sides[side] = f"({sides[side]}|is.na({column}))"
        return (position, sides[0]), (position, sides[1])

    def _step_of_levels(self, tree: Tree, node: int, position: int, point: float) -> tuple[_Step, _Step]:
        column = self.columns.levels_of(position)
        assert column is not None
        if column.kind == "string":
            raise bad.levels(
                f"{self.columns.name(position)} holds strings, whose codes the trees compare as numbers; turn it into "
                "categories with astype('category') and fit again",
                "X",
                kind=TypeError,
            )
        known = len(column.levels)
        if self.trees.as_intrees:
            bits = _bits_of_integer(point)
        elif column.kind == "factor":
            bits = tree.levels_left(node)
        else:
            bits = (1 << int(np.clip(tree.threshold[node], 0, known))) - 1
        if tree.missing_left is not None and position not in self.trees.codes_missing:
            bits = bits & ((1 << known) - 1) | (bool(tree.missing_left[node]) << known)
        everything = self.all_of(position)
        return (position, bits & everything), (position, ~bits & everything)

    def _all_of(self, position: int) -> int:
        """Return all levels of a factor as bits, with a bit for missing values where there are any."""
        self.levels[position] = self.columns.levels(position)
        known = len(self.levels[position])
        return (1 << (known + self.columns.has_missing(position))) - 1

    def _condition(self, path: _Path) -> str:
        """Return the rule of a path: its steps by feature; those of a factor leave the levels that all of them have."""
        texts: list[str] = []
        sets: dict[int, tuple[int, int]] = {}
        for position, step in sorted(path, key=_feature):
            if isinstance(step, str):
                texts.append(step)
            elif position in sets:
                place, bits = sets[position]
                sets[position] = place, bits & step
            else:
                sets[position] = len(texts), step
                texts.append("")
        for position, (place, bits) in sets.items():
            texts[place] = self._among(position, bits)
        return AND.join(texts)

    def _among(self, position: int, bits: int) -> str:
        levels = self.levels[position]
        chosen = [level for k, level in enumerate(levels) if bits >> k & 1]
        return among(position, chosen, missing=bool(bits >> len(levels) & 1))


def _bits_of_integer(point: float) -> int:
    """Return R's intToBits(as.integer()) of a split point; one that is too large is NA, with bit 31 alone."""
    return int(point) & 0xFFFFFFFF if abs(point) < 2**31 else 1 << 31


def _feature(step: _Step) -> int:
    return step[0]
