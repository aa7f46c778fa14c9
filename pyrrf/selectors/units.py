"""Units: features or groups of features that an elimination keeps or drops as a whole, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pyrrf.types import Floats, Ints, Positions


@dataclass(frozen=True, eq=False, kw_only=True)
class Units:
    """Features or groups of features, each kept or dropped as a whole."""

    of: Positions  # int64, shape (p,): the unit of each feature, from 0
    cost: Floats  # float64, shape (units,): by which the score of a unit is divided
    never_dropped: np.ndarray  # bool, shape (units,): units that are never dropped, before the others in order

    @classmethod
    def from_groups(
        cls, p: int, first: Ints | None = None, cost: Floats | None = None, never_dropped: Sequence[int] = ()
    ) -> Self:
        """Return the units of features.

        Parameters
        ----------
        p : int
        first : ndarray of int, shape (p,), optional
            The first feature of each one's group; a group for each feature by default.
        cost : ndarray of float64, shape (p,), optional
            Cost of each feature, 1 by default; a group costs as much as its dearest feature.
        never_dropped : sequence of int, default ()
            Features that are never dropped, nor is any of their groups.

        Returns
        -------
        Units
        """
        of = np.unique(np.arange(p) if first is None else first, return_inverse=True)[1].astype(np.int64)
        costs = np.ones(int(of.max()) + 1)
        if cost is not None:
            np.maximum.at(costs, of, cost)
        return cls(of=of, cost=costs, never_dropped=np.isin(np.arange(len(costs)), of[list(never_dropped)]))

    def __len__(self) -> int:
        return len(self.cost)

    def rank(
        self,
        features: Positions,
        scores: Floats,
        chance: np.random.Generator,
        varies: np.ndarray | None = None,
        dropped: Sequence[int] = (),
    ) -> tuple[Positions, Positions]:
        """Order features by the scores of their units, and within a unit by their own.

        Parameters
        ----------
        features : ndarray of int64, shape (m,)
            All features of some units.
        scores : ndarray of float64, shape (m,)
        chance : Generator
            Orders equal scores.
        varies : ndarray of bool, shape (m,), optional
            Features with more than one value, by default all. Units without any are last: their score of 0 is above
            that of a feature that misleads, but no forest can be grown on them.
        dropped : sequence of int, default ()
            Units that are dropped already, whatever their scores; the first of them is the last in order.

        Returns
        -------
        order : ndarray of int64, shape (m,)
            Places in `features`, the best first.
        ends : ndarray of int64, shape (units,)
            Number of features of the first unit, of the first two, and so on.
        """
        units, place, summed = self.sum_by_unit(features, scores, varies)
        per_cost = self.score_per_cost(units, summed)
        when = np.zeros(len(self), dtype=np.int64)
        when[list(dropped)] = np.arange(len(dropped), 0, -1)
        best = descending(per_cost, chance)
        best = best[np.lexsort((when[units[best]], ~self.never_dropped[units[best]]))]
        rank = np.empty(len(units), dtype=np.int64)
        rank[best] = np.arange(len(units))
        sizes = np.bincount(place, minlength=len(units))[best]
        return np.lexsort((-scores, rank[place])), np.cumsum(sizes).astype(np.int64)

    def sum_by_unit(
        self, features: Positions, scores: Floats, varies: np.ndarray | None = None
    ) -> tuple[Positions, Positions, Floats]:
        """Return the units of features, the place of each feature's unit among them, and the units' scores.

        The score of a unit is the sum of its features'; minus infinity if none of them varies.
        """
        units, place = np.unique(self.of[features], return_inverse=True)
        sums = np.bincount(place, scores, len(units)).astype(np.float64)
        if varies is not None:
            sums[np.bincount(place, varies, len(units)) == 0] = -np.inf
        return units, place, sums

    def score_per_cost(self, units: Positions, scores: Floats) -> Floats:
        """Return scores per cost; a unit that misleads does not gain by its cost."""
        cost = self.cost[units]
        return np.where(scores > 0, scores / cost, scores * cost)


def descending(scores: Floats, chance: np.random.Generator) -> Positions:
    """Return the places of scores, the largest first; equal ones in random order, not by their column.

    Parameters
    ----------
    scores : ndarray of float64, shape (p,)
    chance : Generator

    Returns
    -------
    ndarray of int64, shape (p,)
    """
    return np.lexsort((chance.random(len(scores)), -scores)).astype(np.int64)
