"""Features left out of a forest: as of forests grown apart, copies, and losses that are uncertain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pyrrf.selectors.credit import forest_credit
from pyrrf.selectors.forest import OrdinaryForest, target_of
from pyrrf.selectors.growing import TreeData
from pyrrf.selectors.left_out import losses_without, shrunk


def table(seed: int, n: int, p: int, nclass: int) -> TreeData:
    chance = np.random.default_rng(seed)
    x = np.asfortranarray(chance.standard_normal((n, p)))
    x[:, 1] = x[:, 0]
    signal = 2 * x[:, 0] + x[:, 2] + 0.5 * x[:, 3]
    response = (signal > 0).astype(np.int32) if nclass == 2 else signal / signal.std()
    return TreeData(values=x, ncat=np.ones(p, np.int32), response=response, nclass=nclass)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("nclass", [1, 2])
@pytest.mark.parametrize("size", [1, 2])
def test_losses_are_those_of_forests_grown_apart(size: int, nclass: int, weighted: bool) -> None:
    data = table(3, 90, 8, nclass)  # a node has two candidates, of 8 features and of 6
    weight = np.random.default_rng(1).uniform(0.5, 1.5, 90) if weighted else None
    forest = OrdinaryForest(n_trees=70, seed=4, weight=weight)
    units = np.arange(8) // size

    def squares(part: TreeData) -> np.ndarray:
        return np.asarray(((forest_credit(part, forest).prediction - target_of(data)) ** 2).sum(axis=1))

    losses, errors = losses_without(data, units, forest, np.unique(units))
    again = losses_without(data, units, replace(forest, n_jobs=2), np.unique(units))
    assert np.array_equal([losses, errors], again)
    some = np.array([3, 1])[: 8 // size]
    assert np.allclose(losses_without(data, units, forest, some), [losses[some], errors[some]], rtol=0, atol=1e-15)
    for unit in range(8 // size):
        more = squares(data.columns(np.flatnonzero(units != unit))) - squares(data)
        assert np.isclose(losses[unit], np.average(more, weights=weight), rtol=0, atol=1e-14)
        if not weighted:
            assert np.isclose(errors[unit], more.std() / np.sqrt(90), rtol=1e-9, atol=0)


def test_copies_have_credit_but_nothing_is_lost_without_one() -> None:
    data, forest = table(1, 300, 4, 2), OrdinaryForest(n_trees=200, seed=1)
    earned, (losses, _) = forest_credit(data, forest).credit, losses_without(data, np.arange(4), forest, np.arange(4))
    assert earned[:2].min() > earned[2:].max()
    assert np.abs(losses[:2]).max() < 0.5 * losses[3] < 0.5 * losses[2]


def test_a_unit_may_leave_fewer_features_than_a_node_has_candidates() -> None:
    losses, _ = losses_without(
        table(1, 60, 16, 2), np.repeat([0, 1], [15, 1]), OrdinaryForest(n_trees=20, seed=1), np.arange(2)
    )
    assert losses[0] > 0


def test_losses_are_shrunk_as_far_as_they_are_uncertain() -> None:
    credit = np.array([0.1, 0.2, 0.3, 0.4])
    losses = credit + np.array([0.1, -0.1, 0.1, -0.1])
    assert np.allclose(shrunk(losses, np.zeros(4), credit), 0.8 * losses + 0.2 * credit, rtol=0, atol=1e-15)
    assert shrunk(losses, np.full(4, 0.2), credit).tolist() == credit.tolist()
    # The variance is .01 less .005 on average, so a third of the difference counts where the error is .1.
    errors = np.sqrt([0.0, 0.01, 0.0, 0.01])
    moved = np.array([0.1, -0.1 / 3, 0.1, -0.1 / 3])
    assert np.allclose(shrunk(losses, errors, credit), credit + 0.8 * moved, rtol=0, atol=1e-15)
    assert shrunk(credit, np.zeros(4), credit).tolist() == credit.tolist()
