"""Elimination: nested subsets, one answer for one seed on any number of threads, ties at random, few and many."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from pyrrf.selectors.elimination import EliminationRule, eliminate, next_size, weigh_rare_classes
from pyrrf.selectors.forest import OrdinaryForest
from pyrrf.selectors.growing import TreeData
from pyrrf.selectors.left_out import losses_without
from pyrrf.selectors.units import Units, descending

RNG = np.random.default_rng(5)
X = RNG.standard_normal((90, 130))
Y = (X[:, 100] + X[:, 7] > 0).astype(np.int32)


def table(x: np.ndarray, response: np.ndarray, nclass: int) -> TreeData:
    return TreeData(values=np.asfortranarray(x), ncat=np.ones(x.shape[1], np.int32), response=response, nclass=nclass)


def test_the_path_holds_every_size() -> None:
    found = eliminate(table(X, Y, 2), EliminationRule(n_trees=30), seed=1)
    assert found.order.size == 100
    assert len(set(found.order.tolist())) == 100
    assert set(found.order[:2].tolist()) == {100, 7}
    sizes = [len(each.features) for each in found.rounds]
    assert (sizes[0], sizes[-1]) == (100, 1)
    assert all(a > b for a, b in pairwise(sizes))
    for each, after in zip(found.rounds, [*found.rounds[1:], None], strict=True):
        assert (np.diff(each.scores[: each.n_kept]) <= 0).all()
        assert np.allclose(each.scores, each.weights[0] * each.forest + each.weights[1] * each.ridge)
        if after is not None:
            assert set(after.features) == set(each.features[: each.n_kept])
            assert (
                len(after.features) == each.n_kept == max(1, min(len(each.features) - 1, int(0.7 * len(each.features))))
            )


@pytest.mark.parametrize("nclass", [1, 2])
def test_one_seed_is_one_answer(nclass: int) -> None:
    response = Y if nclass == 2 else (X[:, 3] - X[:, 3].mean()) / X[:, 3].std()
    first = eliminate(table(X, response, nclass), EliminationRule(n_trees=5), seed=4, n_jobs=1)
    again = eliminate(table(X, response, nclass), EliminationRule(n_trees=5), seed=4, n_jobs=3)
    other = eliminate(table(X, response, nclass), EliminationRule(n_trees=5), seed=5)
    assert first.order.tolist() == again.order.tolist() != other.order.tolist()
    assert all(np.array_equal(a.scores, b.scores) for a, b in zip(first.rounds, again.rounds, strict=True))
    if nclass == 1:
        assert first.order[0] == 3


def test_it_stops_at_the_smallest_size() -> None:
    seen: list[int] = []
    rule = EliminationRule(step=0.5, n_trees=10)
    found = eliminate(table(X[:, :20], Y, 2), rule, smallest=10, seed=1, watch=seen.append)
    assert seen == [20, 10]
    assert len(found.rounds) == 2


def test_a_round_drops_a_number_of_units() -> None:
    found = eliminate(table(X[:, :20], Y, 2), EliminationRule(step=6, n_trees=10), seed=1)
    assert [len(each.features) for each in found.rounds] == [20, 14, 8, 2, 1]
    assert [next_size(9, step) for step in (1, 8, 9, 0.01, 0.5)] == [8, 1, 1, 8, 4]


def test_a_factor_that_tells_is_first() -> None:
    x = X[:, :6].copy()
    x[:, 2] = np.random.default_rng(2).integers(1, 5, 90)
    ncat, response = np.array([1, 1, 4, 1, 1, 1], np.int32), np.isin(x[:, 2], [1, 4]).astype(np.int32)
    data = TreeData(values=np.asfortranarray(x), ncat=ncat, response=response, nclass=2)
    assert eliminate(data, EliminationRule(n_trees=20), seed=1).order[0] == 2


def test_factors_of_noise_are_not_kept_for_their_levels() -> None:
    kept = []
    for seed in range(6):
        chance = np.random.default_rng(seed)
        x = chance.standard_normal((100, 20))
        x[:, 10:] = chance.integers(1, 25, (100, 10))
        y = (x[:, 0] + 0.5 * chance.standard_normal(100) > 0).astype(np.int32)
        data = TreeData(values=np.asfortranarray(x), ncat=np.repeat([1, 24], 10).astype(np.int32), response=y, nclass=2)
        order = eliminate(data, EliminationRule(n_trees=20), seed=seed).order
        assert order[0] == 0
        kept.append((order[1:7] >= 10).mean())
    assert np.mean(kept) < 0.4


def test_classes_count_by_the_root_of_their_weight() -> None:
    y = np.repeat([0, 1, 3], [16, 4, 1]).astype(np.int32)  # no row has class 2
    weight = weigh_rare_classes(y, 4)
    assert weight is not None
    assert np.bincount(y, weight)[[0, 1, 3]] == pytest.approx(np.array([4, 2, 1]) * 3)
    balanced = 1 / np.bincount(y)[y]
    assert weigh_rare_classes(y, 4, balanced) is balanced
    assert weigh_rare_classes(y.astype(float), 1) is None


def test_units_are_kept_or_dropped_as_one() -> None:
    # 7 and 100 tell; 7 has five members of noise.
    first = np.arange(130)
    first[[20, 21, 22, 23, 24]] = 7
    units = Units.from_groups(130, first)
    assert len(units) == 125
    found = eliminate(table(X, Y, 2), EliminationRule(n_trees=40), units=units, seed=1)
    assert len(found.ends) == 100
    assert found.ends[-1] == found.order.size
    subsets = [set(found.order[:end].tolist()) for end in found.ends]
    group = {7, 20, 21, 22, 23, 24}
    assert subsets[1] == {100} | group
    assert all(not subset & group or group <= subset for subset in subsets)
    assert {len(each.ends) for each in found.rounds} >= {1, 2, 100}


def test_a_score_is_divided_by_the_cost() -> None:
    units = Units.from_groups(4, np.array([0, 0, 2, 3]), np.array([1.0, 4.0, 1.0, 2.0]))
    assert units.cost.tolist() == [4, 1, 2]
    # .8 + 1.2 over 4 is .5; .4; .9 over 2 is .45
    order, ends = units.rank(np.arange(4), np.array([0.8, 1.2, 0.4, 0.9]), np.random.default_rng(1))
    assert order.tolist() == [1, 0, 3, 2]
    assert ends.tolist() == [2, 3, 4]
    # Of two that mislead as much the dearer one goes first.
    order, _ = units.rank(np.array([2, 3]), np.array([-0.1, -0.1]), np.random.default_rng(1))
    assert order.tolist() == [0, 1]
    cost = np.where(np.arange(130) == 100, 50.0, 1.0)
    found = eliminate(table(X, Y, 2), EliminationRule(n_trees=40), units=Units.from_groups(130, cost=cost), seed=1)
    assert found.order[0] == 7
    assert 100 not in found.order[:2]


def test_weights_choose_what_is_told() -> None:
    y = np.where(np.arange(90) < 60, X[:, 5], X[:, 9])
    late = np.where(np.arange(90) < 60, 0.01, 3.0)
    paths = [eliminate(table(X, y, 1), EliminationRule(n_trees=10), weight=w, seed=1).order for w in (None, late)]
    assert [path[0] for path in paths] == [5, 9]


def test_equal_scores_have_no_order_of_columns() -> None:
    chance = np.random.default_rng(1)
    first = [int(descending(np.array([1.0, 1.0, 0.0, 1.0]), chance)[0]) for _ in range(300)]
    assert set(first) == {0, 1, 3}
    assert min(first.count(place) for place in (0, 1, 3)) > 60
    assert all(int(descending(np.array([1.0, 1.0, 0.0, 1.0]), chance)[-1]) == 2 for _ in range(20))


def test_of_many_rows_each_round_sees_some() -> None:
    chance = np.random.default_rng(2)
    x = chance.standard_normal((3000, 40))
    y = (x[:, 5] + x[:, 9] > 0).astype(np.int32)
    weight = chance.uniform(0.5, 1.5, 3000)
    for weights in (None, weight / weight.mean()):
        rule = EliminationRule(n_trees=8, max_samples=300)
        first, again = (eliminate(table(x, y, 2), rule, weight=weights, seed=1, n_jobs=jobs) for jobs in (1, 2))
        assert set(first.order[:2].tolist()) == {5, 9}
        assert first.order.tolist() == again.order.tolist()


def test_a_copy_is_dropped_and_not_both() -> None:
    """The ridge regression finds neither of two like columns needed, until one is gone."""
    chance = np.random.default_rng(6)
    x = chance.standard_normal((150, 12))
    x[:, 1] = x[:, 0] + 0.01 * chance.standard_normal(150)
    y = x[:, 0] + x[:, 2]
    found = eliminate(table(x, (y - y.mean()) / y.std(), 1), EliminationRule(n_trees=30, step=0.8), seed=1)
    assert {2} < set(found.order[:2].tolist()) <= {0, 1, 2}


def test_of_correlated_features_one_is_kept_before_the_others() -> None:
    kept = []
    for seed in range(5):
        x = np.random.default_rng(seed).standard_normal((250, 12))
        response = (2 * x[:, 0] + x[:, 4] - x[:, 5] + x[:, 6] > 0).astype(np.int32)
        x[:, 1:4] = x[:, [0]] + 0.2 * x[:, 1:4]
        found = eliminate(table(x, response, 2), EliminationRule(n_trees=20), seed=seed)
        kept.append(len({(0, 0, 0, 0, 4, 5, 6, -1, -1, -1, -1, -1)[at] for at in found.order[:4]} - {-1}))
    assert np.mean(kept) >= 3.8


def test_units_that_keep_enough_credit_are_not_left_out_of_a_forest(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(8)
    x = chance.standard_normal((200, 12))
    y = (3 * x[:, 3] + 3 * x[:, 7] + 0.3 * chance.standard_normal(200) > 0).astype(np.int32)
    tried = list[np.ndarray]()

    def see(data: TreeData, units: np.ndarray, forest: OrdinaryForest, some: np.ndarray) -> tuple[np.ndarray, ...]:
        tried.append(some)
        return losses_without(data, units, forest, some)

    monkeypatch.setattr("pyrrf.selectors.elimination.losses_without", see)
    found = eliminate(table(x, y, 2), EliminationRule(n_trees=50), seed=1)
    assert set(found.order[:2].tolist()) == {3, 7}
    for each, places in zip(found.rounds, tried, strict=False):  # there is no other unit in the last round
        some = set(np.sort(each.features)[places].tolist())
        assert set(each.features[each.n_kept :].tolist()) <= some  # of these data; no rule
        assert not some & {3, 7} or len(each.features) == 2
    tried.clear()
    always = Units.from_groups(12, never_dropped=[0, 1, 2])
    eliminate(table(x, y, 2), EliminationRule(n_trees=50), seed=1, units=always, smallest=12)
    eliminate(
        table(x[:, :3], y, 2), EliminationRule(n_trees=5), seed=1, units=Units.from_groups(3, never_dropped=[0, 1, 2])
    )
    assert len(tried) == 1
    assert tried[0].min() > 2


def test_each_loss_is_that_of_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = list[np.ndarray]()

    def lose(data: TreeData, units: np.ndarray, forest: OrdinaryForest, some: np.ndarray) -> tuple[np.ndarray, ...]:
        tried.append(some)
        return np.where(some == some.max(), -1.0, 1.0), np.full(len(some), 1e-9)

    monkeypatch.setattr("pyrrf.selectors.elimination.losses_without", lose)
    x = np.random.default_rng(9).standard_normal((90, 8))
    data, rule = table(x, (x[:, 2] > 0).astype(np.int32), 2), EliminationRule(n_trees=20, step=7)
    last = eliminate(data, rule, seed=1, smallest=8).rounds[0]
    assert 1 < len(tried[0]) < 8
    assert last.features[-1] == tried[0].max()
    assert last.forest[-1] < -0.7
    # Dear units are tried even if they have the most credit.
    dear = Units.from_groups(8, cost=np.where(np.arange(8) == 2, 1e9, 1.0))
    eliminate(data, rule, seed=1, units=dear, smallest=8)
    assert [2 in some for some in tried] == [False, True]


def test_a_round_may_drop_more_units_than_are_free() -> None:
    always = Units.from_groups(8, never_dropped=range(6))
    x = np.random.default_rng(9).standard_normal((60, 8))
    found = eliminate(table(x, Y[:60], 2), EliminationRule(n_trees=5, step=5), seed=1, units=always)
    assert set(found.order[:6].tolist()) == set(range(6))
