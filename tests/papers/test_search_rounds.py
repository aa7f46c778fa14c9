"""Forward and floating search on losses made by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrrf.papers.chow_liu.search import Search, floating_search, forward_evaluations, forward_search
from pyrrf.papers.chow_liu.tree import guided_search
from pyrrf.selectors import chow_liu_tree


def random_losses(p: int, seed: int) -> Callable[[Any], list[float]]:
    """A loss between 0 and 1 for each set of features."""
    rng = np.random.default_rng(seed)
    sets = [each for size in range(p + 1) for each in combinations(range(p), size)]
    table = dict(zip(sets, rng.random(len(sets)).tolist(), strict=True))
    return lambda subsets: [table[subset] for subset in subsets]


def test_forward_by_hand() -> None:
    losses = {(0,): 0.4, (1,): 0.3, (2,): 0.3, (0, 1): 0.25, (1, 2): 0.2, (0, 1, 2): 0.195}
    search = forward_search(3, lambda subsets: [losses[each] for each in subsets], 0.5, 0.01)
    # The first one of equals; a gain of .005 is not enough.
    assert search.selected == (1, 2)
    assert [each.best for each in search.rounds] == [1, 2, None]
    assert search.loss == 0.2
    assert search.n_evaluations == 6


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10_000), st.sampled_from([0.0, 0.1]))
def test_forward_tries_what_equation_5_says(p: int, seed: int, epsilon: float) -> None:
    search = forward_search(p, random_losses(p, seed), 1.0, epsilon)
    assert search.n_evaluations == forward_evaluations(p, len(search.selected))
    found = [each.best_loss for each in search.rounds if each.best is not None]
    assert all(later + epsilon < earlier for earlier, later in zip([1.0, *found], found, strict=False))


@pytest.mark.parametrize(("p", "k", "tried"), [(34, 3, 130), (57, 8, 477), (24, 4, 110), (30, 4, 140), (3, 3, 6)])
def test_evaluations_of_table_1(p: int, k: int, tried: int) -> None:
    assert forward_evaluations(p, k) == tried


def test_more_features_than_there_are_is_refused() -> None:
    with pytest.raises(ValueError, match="n_selected must be a number from 0 to n_features = 3, not 4"):
        forward_evaluations(3, 4)


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the loss with features \[1\] is NaN"):
        forward_search(2, lambda subsets: [0.0, float("nan")], 1.0)


def test_floating_leaves_out_and_takes_in() -> None:
    # 0 was taken first; 1 and 2 together make it needless, and with it gone 3 is worth something.
    losses = {(0, 1, 2): 0.3, (1, 2): 0.3, (0, 1): 0.4, (0, 2): 0.4, (1, 2, 3): 0.1, (1, 3): 0.5, (2, 3): 0.5}
    start = Search(selected=(0, 1, 2), loss=0.3, redundant=(3,))
    search = floating_search(start, 4, lambda subsets: [losses.get(each, 0.9) for each in subsets])
    assert search.selected == (1, 2, 3)
    assert search.redundant == (0,)
    assert [(each.direction, each.best) for each in search.rounds] == [
        ("backward", 0),
        ("forward", 3),
        ("backward", None),
    ]
    # Three left out, then 3 beside (1, 2), then three left out again.
    assert search.n_evaluations == 3 + 1 + 3


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10_000), st.sampled_from([0.0, 0.1, 0.5]))
def test_floating_never_grows_loss_and_size(p: int, seed: int, epsilon: float) -> None:
    losses = random_losses(p, seed)
    start = forward_search(p, losses, 1.0, epsilon)
    search = floating_search(start, p, losses, epsilon)
    price = start.loss + epsilon * len(start.selected)
    assert search.loss + epsilon * len(search.selected) <= price + 1e-12
    assert not set(search.selected) & set(search.redundant)
    assert search.rounds[: len(start.rounds)] == start.rounds
    if len(search.selected) > 1:
        assert search.rounds[-1].direction == "backward"
        assert search.loss == losses([tuple(sorted(search.selected))])[0]


def test_the_last_feature_stays() -> None:
    search = floating_search(Search(selected=(0, 1), loss=0.5), 2, lambda subsets: [0.5] * len(subsets), 0.1)
    assert search.selected == (1,)


# ---- what no search can begin or end with ----------------------------------------------------------

TREE = chow_liu_tree([[0, 5, 3], [5, 0, 4], [3, 4, 0]])
SEARCHES: dict[str, Callable[..., Search]] = {
    "forward": lambda losses, loss, epsilon: forward_search(2, losses, loss, epsilon),
    "guided": lambda losses, loss, epsilon: guided_search(TREE, losses, loss, epsilon),
    "floating": lambda losses, loss, epsilon: floating_search(Search((0, 1), loss), 2, losses, epsilon),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_searches_that_could_not_end_or_begin_are_refused(search: Callable[..., Search]) -> None:
    for epsilon in (-0.5, np.nan):
        with pytest.raises(ValueError, match="epsilon must be at least 0"):
            search(lambda subsets: [0.0] * len(subsets), 1.0, epsilon)
    with pytest.raises(ValueError, match="empty_loss is NaN"):
        search(lambda subsets: [0.0] * len(subsets), np.nan, 0.0)
    with pytest.raises(ValueError, match="losses: 0 of them for"):
        search(lambda subsets: [], 1.0, 0.0)
