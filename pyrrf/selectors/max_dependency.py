"""The Max-Dependency scheme of Deng and Runger, section III: one feature for all nodes of a tree's level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyrrf.selectors.information import conditional_mutual_information
from pyrrf.types import Floats, Ints, Positions

# Bits. Measures that are nearer than this are equal but for rounding.
_EQUAL = 1e-10


@dataclass(frozen=True, eq=False, kw_only=True)
class Level:
    """A level of a Max-Dependency tree: the feature that splits all its nodes, and the nodes that come of it."""

    feature: int  # from 0
    information: float  # I(feature; y | features of the levels above), in bits
    width: int  # codes of features lie below it
    # int64, shape (cells,): ``parent * (width + 1) + code`` of each cell, ascending: the cells' numbers are their
    # places here
    keys: Positions
    counts: Positions  # int64, shape (cells, nclass): training rows of each class


def max_dependency_levels(codes: Ints, response: Ints) -> Iterator[Level]:
    """Choose features one by one, each the one that tells most of the classes beside those before.

    `codes` and `response` are categories and classes from 0. Step j takes argmax I(X_m; Y | F(j-1)). That is the sum
    over the nodes v of a tree's level of w_v I(X_m; Y | S_v), where w_v is the node's share of the rows and S_v what
    leads to it, because the nodes of level j are the cells of the table of F(j-1). The last level leaves nothing to
    tell: every cell has one class, or no feature splits a cell that has more. A step may tell nothing yet and be
    needed, as with XOR; of equal features it takes the first.

    Notes
    -----
    Deng and Runger, Feature selection via regularized trees, 2012, equations 2, 3 and 5. They do not say when to stop.
    Shares of rows stand for probabilities: with few rows in each cell most of what a feature seems to tell is chance.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.selectors.max_dependency import max_dependency_levels
    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    >>> exclusive_or = np.array([0, 1, 1, 0], np.int32)
    >>> [(level.feature, level.information) for level in max_dependency_levels(codes, exclusive_or)]
    [(0, 0.0), (1, 1.0)]
    """
    n, p = codes.shape
    width, nclass = int(codes.max()) + 1, int(response.max()) + 1
    cell = np.zeros(n, np.int64)
    counts = np.bincount(response, minlength=nclass)[None]
    left = list(range(p))
    while True:
        mixed = (counts > 0).sum(axis=1) > 1
        found = _best(codes, response, cell, mixed[cell], left)
        if found is None:
            return
        feature, information = found
        left.remove(feature)
        keys, cell = np.unique(cell * (width + 1) + codes[:, feature], return_inverse=True)
        counts = np.bincount(cell * nclass + response, minlength=len(keys) * nclass).reshape(-1, nclass)
        yield Level(feature=feature, information=information, width=width, keys=keys, counts=counts)


def deepest_counts(levels: Sequence[Level], root: Positions, codes: Ints) -> Positions:
    """Return the training rows of each class in the deepest cell that each row reaches.

    `root` counts all training rows. A row stops above the first cell that no training row was in.
    """
    found = np.tile(root, (len(codes), 1))
    rows, cell = np.arange(len(codes)), np.zeros(len(codes), np.int64)
    for level in levels:
        # A code that training rows do not have must not lead to the cells of another parent.
        wanted = cell * (level.width + 1) + np.minimum(codes[rows, level.feature], level.width)
        place = np.minimum(np.searchsorted(level.keys, wanted), len(level.keys) - 1)
        known = level.keys[place] == wanted
        rows, cell = rows[known], place[known]
        found[rows] = level.counts[cell]
    return found


def _best(
    codes: Ints, response: Ints, cell: Positions, mixed: np.ndarray, left: Sequence[int]
) -> tuple[int, float] | None:
    """Return the feature of those left that tells most, and what it tells; None if none can tell anything any more."""
    if not mixed.any() or not left:
        return None
    # Cells of one class add nothing.
    y, given = response[mixed], cell[mixed]
    told: Floats = np.array([conditional_mutual_information(codes[mixed, m], y, given) for m in left])
    best = int((told >= told.max() - _EQUAL).argmax())
    if told[best] > _EQUAL:
        return left[best], float(told[best] * mixed.mean())
    n_cells = len(np.unique(given))
    splitting = (m for m in left if len(np.unique(np.stack([given, codes[mixed, m]]), axis=1).T) > n_cells)
    first = next(splitting, None)
    return None if first is None else (first, 0.0)
