"""Searches for a set of features by trying sets: forward, and floating backward."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from pyrrf.errors import bad
from pyrrf.types import Floats

Subset: TypeAlias = tuple[int, ...]
# From sets of features, each in ascending order, to their losses.
Losses: TypeAlias = Callable[[list[Subset]], Sequence[float]]


@dataclass(frozen=True)
class Round:
    """One round of a search: the sets tried, and the choice among them."""

    direction: str  # {"forward", "backward"}: candidates were added to the features taken, or left out of them
    selected: Subset  # the features taken before the round, in the order in which they were taken
    candidates: Subset  # the features tried, in ascending order
    losses: tuple[float, ...]  # the loss with each of them, or without
    best: int | None  # the feature taken or left out; None if nothing was gained
    redundant: Subset = ()  # candidates that did not lower the loss enough; empty in a backward round

    @classmethod
    def forward(cls, search: Search, candidates: Sequence[int], losses: Losses, epsilon: float) -> Round:
        """Try each candidate together with the features taken (paper 002, algorithm 2)."""
        tried = _losses_of([(*search.selected, feature) for feature in candidates], losses)
        improves = tried + epsilon < search.loss
        best = int(candidates[int(tried.argmin())]) if improves.any() else None
        redundant = tuple(np.asarray(candidates)[~improves].tolist())
        return cls("forward", search.selected, tuple(candidates), tuple(tried.tolist()), best, redundant)

    @classmethod
    def backward(cls, search: Search, losses: Losses, epsilon: float) -> Round:
        """Try to leave out each feature taken."""
        candidates = sorted(search.selected)
        tried = _losses_of([_without(search.selected, feature) for feature in candidates], losses)
        best = candidates[int(tried.argmin())] if tried.min() <= search.loss + epsilon else None
        return cls("backward", search.selected, tuple(candidates), tuple(tried.tolist()), best)

    @property
    def best_loss(self) -> float:
        """The least loss of the round."""
        return min(self.losses)


@dataclass(frozen=True)
class Search:
    """State of a search."""

    selected: Subset  # the features taken, in the order in which they were taken
    loss: float  # the loss with them
    redundant: Subset = ()  # features that did not lower the loss enough, or were left out later, in that order
    rounds: tuple[Round, ...] = ()

    @property
    def n_evaluations(self) -> int:
        """Number of sets tried."""
        return sum(len(each.candidates) for each in self.rounds)

    def after(self, step: Round) -> Search:
        """Return the search after one more round."""
        redundant = (*self.redundant, *step.redundant)
        if step.best is None:
            return replace(self, redundant=redundant, rounds=(*self.rounds, step))
        if step.direction == "forward":
            selected, redundant = (*self.selected, step.best), _without(redundant, step.best)
        else:
            selected, redundant = _without(self.selected, step.best), (*redundant, step.best)
        return Search(selected, step.best_loss, redundant, (*self.rounds, step))


def _without(features: Subset, feature: int) -> Subset:
    return tuple(each for each in features if each != feature)


def _losses_of(subsets: list[Subset], losses: Losses) -> Floats:
    """Return the losses of subsets, which are tried in ascending order of their features."""
    ordered = [tuple(sorted(subset)) for subset in subsets]
    tried = np.asarray(losses(ordered), dtype=np.float64)
    if np.isnan(tried).any():
        raise bad.undefined(f"the loss with features {list(ordered[int(np.isnan(tried).argmax())])} is NaN", None)
    return tried


# ---- forward -------------------------------------------------------------------------------------


def forward_search(n_features: int, losses: Losses, empty_loss: float, epsilon: float = 0.0) -> Search:
    """Take the best feature as long as the loss falls by more than `epsilon` (paper 002, algorithm 2): SFS.

    Every feature not taken is tried in every round, the last one included, which takes none: with k of p features taken
    that are (p - 0) + ... + (p - k) sets, the most that the guided search can need (eq 5).

    Examples
    --------
    >>> from pyrrf.papers.chow_liu.search import forward_search
    >>> search = forward_search(3, lambda subsets: [-len({0, 2} & set(subset)) for subset in subsets], 0.0)
    >>> search.selected, search.n_evaluations
    ((0, 2), 6)
    """
    return _take_in(Search((), empty_loss), range(n_features), losses, epsilon)


def _take_in(search: Search, features: Iterable[int], losses: Losses, epsilon: float) -> Search:
    """Take in the best of some features as long as that lowers the loss."""
    while rest := sorted(set(features) - set(search.selected)):
        # A feature that is redundant with few others may be useful with more: it is tried again.
        step = replace(Round.forward(search, rest, losses, epsilon), redundant=())
        search = search.after(step)
        if step.best is None:
            break
    return search


# ---- backward ------------------------------------------------------------------------------------


def floating_search(start: Search, n_features: int, losses: Losses, epsilon: float = 0.0) -> Search:
    """Go on from a search by floating backward search (paper 002, section 4).

    A feature is left out if the loss grows by no more than `epsilon`. After that, as long as the loss falls by more
    than `epsilon`, features outside are taken in, any but the one just left out. So loss + epsilon x (number of
    features) never grows, and falls whenever a feature is taken in; hence the search ends. Paper 002 says neither when
    a feature is left out nor when the search ends. The last feature stays.

    Examples
    --------
    >>> from pyrrf.papers.chow_liu.search import Search, floating_search
    >>> needed = lambda subsets: [-len({0, 2} & set(subset)) for subset in subsets]
    >>> floating_search(Search(selected=(1, 0, 2), loss=-2.0), 3, needed).selected
    (0, 2)
    """
    search = start
    while len(search.selected) > 1:
        step = Round.backward(search, losses, epsilon)
        search = search.after(step)
        if step.best is None:
            break
        search = _take_in(search, set(range(n_features)) - {step.best}, losses, epsilon)
    return search
