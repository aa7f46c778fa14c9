"""The parallel engine against a slow sequential forest: same trees, votes and features on any number of threads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pyrrf import _core
from pyrrf._core.records import CoreResult, Growing, GrownTree, ParallelRule, TrainingArrays
from tests.parallel.oracle import Forest, Node, Rule, grow_forest, leaf_of, lower_median, packed, root_key
from tests.parallel.oracle_bag import Task, draw_bag, fill_bag

Draw = np.random.Generator

# ---- random tasks ----------------------------------------------------------------------------------------------------


def column(draw: Draw, n: int, kind: str) -> np.ndarray:
    """Numbers of many or few values, or the codes of a factor of which some levels may be absent."""
    if kind == "ties":
        return draw.choice([-2.5, -0.0, 0.0, 0.1, 0.2, 3.0], n)
    if kind == "huge":
        return draw.choice([-1.7e308, 1.0, np.nextafter(1.0, 2), 1.6e308, 1.7e308], n)
    if kind == "numbers":
        return draw.standard_normal(n)
    if kind == "rare":
        return np.where(draw.random(n) < 0.06, draw.choice([-2.5, -1.0, 0.1, 3.0], n), 0.0)
    return draw.integers(1, int(kind) + 1, n).astype(float)


def response(draw: Draw, n: int, target: str, signal: np.ndarray) -> tuple[np.ndarray, int]:
    if target in ("numbers", "ranks"):
        return (np.round(signal) if target == "ranks" else signal), 1
    nclass = int(target)
    codes = np.digitize(signal, np.quantile(signal, np.arange(1, nclass) / nclass)).astype(np.int32)
    codes[:nclass] = np.arange(nclass)
    return codes, nclass


def bare_task(draw: Draw, target: str, n: int, kinds: list[str]) -> Task:
    x = np.asfortranarray(np.column_stack([column(draw, n, kind) for kind in kinds]))
    signal = np.sign(x[:, 0]) + (x[:, -1] > np.median(x[:, -1])) + draw.standard_normal(n)
    y, nclass = response(draw, n, target, signal)
    p = len(kinds)
    return Task(
        x=x,
        ncat=np.array([int(kind) if kind.isdigit() else 1 for kind in kinds], np.int32),
        y=y,
        nclass=nclass,
        mtry=int(draw.integers(1, p)),
        coef_reg=np.full(p, 0.8) if draw.random() < 0.5 else draw.choice([1.0, 0.9, 0.5, 0.01], p),
        nodesize=5 if nclass == 1 else 1,
        max_nodes=2 * n + 1,
        ntree=5,
        sampsize=[n],
        cutoff=np.full(nclass, 1 / nclass),
    )


def with_holes(task: Task, draw: Draw) -> dict[str, Any]:
    holes = (draw.random(task.x.shape) < draw.choice([0.1, 0.6])) & (task.ncat == 1)
    return {"x": np.where(holes, np.nan, task.x)}


def with_strata(task: Task, draw: Draw) -> dict[str, Any]:
    strata = np.resize(np.arange(3, dtype=np.int32), len(task.y))
    return {"strata": strata, "sampsize": draw.integers(3, np.bincount(strata).min() + 1, 3).tolist()}


def with_weights(task: Task, draw: Draw) -> dict[str, Any]:
    """Some of 0; whole ones, whose sums are exact, or any."""
    n = len(task.y)
    return {"row_weight": draw.integers(0, 4, n) * (1.0 if draw.random() < 0.5 else draw.random(n))}


def with_groups(task: Task, draw: Draw) -> dict[str, Any]:
    p = len(task.ncat)
    return {"feature_group": draw.integers(0, max(2, p // 2), p).astype(np.int32) if task.flag_reg else None}


def with_coefficients(task: Task, draw: Draw) -> dict[str, Any]:
    """Below 0 only of criteria: of gains it would turn rounding errors below 0 into gains."""
    return {"coef_reg": draw.choice([0.0 if task.gains else -0.5, 0.0, 0.3, 0.9, 1.0], len(task.ncat))}


# What an option makes of a task. Those for classes only leave numbers alone.
OPTIONS: dict[str, Any] = {
    "missing": with_holes,
    "weights": with_weights,
    "entropy": lambda task, draw: {"entropy": task.nclass > 1},
    "penalize_gain": lambda task, draw: {"penalize_gain": task.nclass > 1},
    "draw_from_all": lambda task, draw: {"draw_from_all": True},
    "max_depth": lambda task, draw: {"max_depth": int(draw.integers(1, 5))},
    "use_depth": lambda task, draw: {"use_depth": True},
    "ties_first": lambda task, draw: {"ties_first": True},
    "depth_first": lambda task, draw: {"depth_first": True},
    "guided": lambda task, draw: {"flag_reg": 0},
    "own_coefficients": with_coefficients,
    "max_nodes": lambda task, draw: {"max_nodes": int(draw.choice([3, 5, 9, 15]))},
    "without_replacement": lambda task, draw: {"replace": False, "sampsize": [int(draw.integers(4, len(task.y)))]},
    "strata": with_strata,
    "all_candidates": lambda task, draw: {"mtry": len(task.ncat) + int(draw.integers(2))},
    "class_weights": lambda task, draw: (
        {"classwt": draw.choice([1.0, 2.0, 3.0], task.nclass)} if task.nclass > 1 else {}
    ),
    "cutoff": lambda task, draw: {"cutoff": draw.dirichlet(np.full(task.nclass, 9.0))},
    "groups": with_groups,
    "nodesize": lambda task, draw: {"nodesize": int(draw.integers(2, 12))},
    "single_precision": lambda task, draw: {"x": np.ascontiguousarray(task.x, np.float32)},
    "strides": lambda task, draw: {"x": np.repeat(task.x, 2, axis=0)[::-2][::-1]},
}
TARGETS = ["2", "3", "numbers", "2", "ranks", "4"]


def random_task(number: int) -> tuple[Task, np.ndarray]:
    """A task with one option for sure and others by chance, and F at its start."""
    draw = np.random.default_rng(number)
    n, p = int(draw.integers(12, 50)), int(draw.integers(2, 9))
    kinds = ["numbers", *draw.choice(["numbers", "ties", "ties", "2", "3", "5"], p).tolist()]
    task = bare_task(draw, TARGETS[number % len(TARGETS)], n, kinds)
    always = list(OPTIONS)[number // 3 % len(OPTIONS)]
    for name, option in OPTIONS.items():
        if name == always or draw.random() < 0.12:
            task = replace(task, **option(task, draw))
    return task, (draw.random(len(task.ncat)) < draw.choice([0.0, 0.3])).astype(np.int32)


# ---- comparison ------------------------------------------------------------------------------------------------------


def fit(task: Task, used: np.ndarray, seed: int, n_jobs: int) -> CoreResult:
    rows = TrainingArrays(values=task.x, ncat=task.ncat, response=task.y, nclass=task.nclass)
    growing = Growing(
        ntree=task.ntree,
        mtry=task.mtry,
        nodesize=task.nodesize,
        max_nodes=task.max_nodes,
        replace=task.replace,
        sampsize=np.array(task.sampsize, np.int32),
        strata=task.strata,
        classwt=task.classwt,
        cutoff=task.cutoff,
        flag_reg=task.flag_reg,
        coef_reg=task.coef_reg,
        used=used,
        feature_group=task.feature_group,
        keep_inbag=True,
    )
    rule = ParallelRule(**parallel_options(task), depth_first=task.depth_first)
    return _core.fit_parallel(rows, growing, rule, seed, n_jobs=n_jobs)


def parallel_options(task: Task) -> dict[str, Any]:
    names = ("criterion", "penalty", "draw_from_all", "max_depth", "use_depth", "ties_first", "row_weight")
    return {name: getattr(task, name) for name in names}


def assert_same(core: CoreResult, oracle: Forest) -> None:
    for part, values in packed(oracle.task, oracle.trees).items():
        np.testing.assert_array_equal(getattr(core.trees, part), values, err_msg=part)
    assert core.outcome.used.tolist() == oracle.used
    np.testing.assert_array_equal(core.outcome.inbag, oracle.inbag)
    np.testing.assert_allclose(core.outcome.importance[:, -1], oracle.decrease(), rtol=1e-9, atol=1e-12)
    assert core.outcome.oob_times.tolist() == [len(said) for said in oracle.said]
    if oracle.task.numbers:
        np.testing.assert_allclose(core.outcome.predicted, oracle.means(), rtol=1e-12, atol=1e-12)
    else:
        np.testing.assert_array_equal(core.outcome.votes, oracle.votes())
        assert core.outcome.predicted.tolist() == oracle.winners()


def check(task: Task, used: np.ndarray, seed: int) -> Forest:
    oracle = grow_forest(task, used, seed)
    for n_jobs in (1, 3):
        assert_same(fit(task, used, seed, n_jobs), oracle)
    return oracle


@pytest.mark.parametrize("number", range(108))
def test_forests_equal_the_oracles(number: int) -> None:
    task, used = random_task(number)
    check(task, used, seed=2**63 + number)


# ---- what small random tasks miss ------------------------------------------------------------------------------------


@pytest.mark.parametrize("levels", ["10", "11", "32"])
@pytest.mark.parametrize("target", ["2", "3", "numbers"])
@pytest.mark.parametrize("entropy", [False, True])
def test_factors_of_many_levels(target: str, levels: str, entropy: bool) -> None:
    draw = np.random.default_rng(int(levels))
    task = bare_task(draw, target, 45, ["numbers", levels, "2", levels])
    forest = check(replace(task, mtry=2, ntree=2, entropy=entropy and target != "numbers"), np.zeros(4, np.int32), 5)
    assert {1, 3} & {node.feature for tree in forest.trees for node in tree}


@pytest.mark.parametrize("levels", ["33", "64", "300"])
@pytest.mark.parametrize("target", ["2", "3", "numbers"])
@pytest.mark.parametrize("weighted", [False, True])
def test_factors_of_more_levels_than_a_word_holds(target: str, levels: str, weighted: bool) -> None:
    draw = np.random.default_rng(int(levels))
    task = bare_task(draw, target, 80, ["numbers", levels, "40", "ties"])
    task = replace(task, mtry=3, ntree=3, row_weight=draw.random(80) if weighted else None)
    forest = check(task, np.zeros(4, np.int32), seed=6)
    assert {1, 2} & {node.feature for tree in forest.trees for node in tree}


@pytest.mark.parametrize("target", ["2", "3", "numbers"])
@pytest.mark.parametrize("kinds", [["ties"], ["2"], ["huge"]])
@pytest.mark.parametrize("ties_first", [False, True])
def test_columns_that_are_all_alike(target: str, kinds: list[str], ties_first: bool) -> None:
    """Every split is tied with one of another feature."""
    draw = np.random.default_rng(8)
    task = bare_task(draw, target, 25, ["numbers", *kinds])
    task = replace(task, x=task.x[:, np.ones(8, int)], ncat=task.ncat[np.ones(8, int)], coef_reg=np.ones(8), mtry=4)
    forest = check(replace(task, ntree=8, ties_first=ties_first), np.zeros(8, np.int32), seed=0)
    # Members of F are looked at in every node: the lowest one of those drawn so far wins.
    assert (len({node.feature for tree in forest.trees for node in tree if node.left}) > 2) != ties_first


@pytest.mark.parametrize("target", ["2", "3", "numbers"])
@pytest.mark.parametrize("holes", [0.0, 0.1])
def test_more_rows(target: str, holes: float) -> None:
    """Enough for ranks, and for F to be kept sorted."""
    draw = np.random.default_rng(4)
    task = bare_task(draw, target, 440, ["numbers", "ties", "numbers", "5", "ties"])
    x = np.where((draw.random(task.x.shape) < holes) & (task.ncat == 1), np.nan, task.x)
    check(replace(task, x=x, mtry=1, ntree=2, nodesize=3), np.array([1, 1, 0, 0, 0], np.int32), seed=11)


@pytest.mark.parametrize("target", ["2", "3", "7", "numbers"])
@pytest.mark.parametrize("holes", [0.0, 0.03, 0.95])
@pytest.mark.parametrize("flag_reg", [0, 1])
def test_columns_of_which_most_rows_hold_one_value(target: str, holes: float, flag_reg: int) -> None:
    """The others lie on either side of it; with so many holes the common one is missing."""
    draw = np.random.default_rng(int(100 * holes) + flag_reg)
    task = bare_task(draw, target, 300, ["rare"] * 7)
    x = np.where(draw.random(task.x.shape) < holes, np.nan, task.x)
    task = replace(task, x=x, mtry=3, ntree=3, nodesize=1, flag_reg=flag_reg, entropy=target == "3")
    forest = check(task, np.array([flag_reg, 0, 0, 0, 0, 0, 0], np.int32), seed=12)
    assert len({node.feature for tree in forest.trees for node in tree if node.left}) > 3


@pytest.mark.parametrize("shares", [(1, 2), (1, 6), (3, 4)])
def test_a_number_without_information_is_no_split(shares: tuple[int, int]) -> None:
    """The classes have the same shares at each of its values, so that a gain is a rounding error."""
    codes = np.repeat([0, 1], shares).astype(np.int32)
    y, x = np.tile(codes, 3), np.repeat([0.0, 1.0, 2.0], len(codes))[:, None]
    task = Task(x, np.ones(1, np.int32), y, 2, mtry=1, coef_reg=np.ones(1), entropy=True)
    wishes = {"count": np.ones(len(y), np.int32), "row_weight": None, "probability": None, "response": None}
    assert len(grow_one(task, set(), 1, 0, wishes)) == 1
    assert grower_of(replace(task, max_nodes=9)).grow(np.zeros(1, np.int32), seed=1, **wishes).tree.left.tolist() == [0]


@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("n", [30, 600])
def test_more_draws_than_packed_counts_hold(n: int, holes: float) -> None:
    draw = np.random.default_rng(9)
    task = bare_task(draw, "2", n, ["numbers", "ties", "3"])
    x = np.where((draw.random(task.x.shape) < holes) & (task.ncat == 1), np.nan, task.x)
    task = replace(task, x=x, sampsize=[40_000], mtry=2, ntree=1, max_nodes=15)
    check(task, np.array([1, 0, 0], np.int32), seed=3)


# ---- one tree at a time ----------------------------------------------------------------------------------------------

REQUESTS = ["counts", "weights", "probabilities", "response", "drawn"]


def request(task: Task, draw: Draw, wish: str) -> dict[str, Any]:
    """What a tree is asked to be grown with."""
    n, p = len(task.y), len(task.ncat)
    count = None if wish == "drawn" else draw.integers(0, 3, n).astype(np.int32)
    wishes = {"count": count, "row_weight": None, "probability": None, "response": None}
    if wish == "weights":
        wishes["row_weight"] = draw.random(n) + 0.1
    if wish == "probabilities":
        wishes["probability"] = draw.choice([0.0, 0.5, 2.0, 1e4], p) + (np.arange(p) == 0)
    if wish == "response" and task.numbers:
        wishes["response"] = draw.standard_normal(n)
    return wishes


def grower_of(task: Task) -> _core.TreeGrower:
    return _core.TreeGrower(
        task.x,
        task.ncat,
        task.y,
        task.nclass,
        mtry=task.mtry,
        coef_reg=task.coef_reg,
        nodesize=task.nodesize,
        max_nodes=task.max_nodes,
        flag_reg=task.flag_reg,
        weighted=task.row_weight is not None,
        draw_until_split=task.draw_until_split,
        feature_group=task.feature_group,
        **{name: value for name, value in parallel_options(task).items() if name != "row_weight"},
    )


def totals(task: Task, node: Node, response: np.ndarray | None) -> list[float]:
    """Of numbers with the median that the responses are grown without."""
    if not task.numbers:
        return node.total
    weight, of_rest = node.total
    return [weight, of_rest + weight * lower_median(task.y if response is None else response)]


@pytest.mark.parametrize("number", range(30))
def test_grown_trees_equal_the_oracles(number: int) -> None:
    """Three trees of one grower, each with wishes of its own, F handed on."""
    draw, wish = np.random.default_rng(1000 + number), REQUESTS[number % len(REQUESTS)]
    task, used = random_task(500 + number)
    n = len(task.y)
    weights = np.ones(n) if wish == "weights" else None
    task = replace(task, replace=True, sampsize=[n], strata=None, classwt=None, row_weight=weights)
    task = replace(task, draw_until_split=number % 2 == 1, depth_first=False)
    grower, in_f = grower_of(task), task.groups_of(np.flatnonzero(used).tolist())
    for stream in range(3):
        wishes = request(task, draw, wish)
        report = {"distinct": True, "leaves": True, "most_gains": 1 + stream}
        grown = grower.grow(used, seed=number, stream=stream, **report, **wishes)
        nodes = grow_one(task, in_f, number, stream, wishes)
        for part, values in packed(task, [nodes]).items():
            np.testing.assert_array_equal(getattr(grown.tree, part), values, err_msg=part)
        np.testing.assert_array_equal(grown.total, [totals(task, node, wishes["response"]) for node in nodes])
        np.testing.assert_allclose(grown.decrease, [node.decrease for node in nodes], rtol=1e-9, atol=1e-12)
        assert set(np.flatnonzero(used).tolist()) == in_f
        assert_same_report(grown, task, nodes, 1 + stream)


@pytest.mark.parametrize("until_split", [False, True])
@pytest.mark.parametrize("target", ["2", "3", "ranks"])
def test_probabilities_of_which_f_has_most(target: str, until_split: bool) -> None:
    """F is drawn in vain at first; with columns that are often alike the turns of its features count, too."""
    draw, p = np.random.default_rng(len(target) + until_split), 12
    task = bare_task(draw, target, 50, ["ties"] * p)
    twins = np.asfortranarray(task.x[:, draw.integers(0, 4, p)])
    task = replace(task, x=twins, mtry=2, coef_reg=np.ones(p), draw_until_split=until_split)
    grower = grower_of(task)
    for stream in range(12):
        wishes = request(task, draw, "counts") | {"probability": 10.0 ** draw.integers(0, 4, p)}
        used = (wishes["probability"] == 1000).astype(np.int32)
        in_f = set(np.flatnonzero(used).tolist())
        grown = grower.grow(used, seed=1, stream=stream, **wishes)
        for part, values in packed(task, [grow_one(task, in_f, 1, stream, wishes)]).items():
            np.testing.assert_array_equal(getattr(grown.tree, part), values, err_msg=part)
        assert set(np.flatnonzero(used).tolist()) == in_f


def assert_same_report(grown: GrownTree, task: Task, nodes: list[Node], most: int) -> None:
    """Distinct rows, leaves, and the `most` best candidates of each node."""
    assert grown.distinct is not None
    assert grown.leaves is not None
    assert grown.gains is not None
    distinct = [[sum(task.codes[row] == k for row in node.rows) for k in range(task.nclass)] for node in nodes]
    np.testing.assert_array_equal(grown.distinct, distinct)
    x = task.x.astype(float)
    assert [nodes[leaf - 1] for leaf in grown.leaves] == [leaf_of(nodes, task, row) for row in x]
    best = [sorted(node.gains.items(), key=lambda item: (-item[1], item[0]))[:most] for node in nodes]
    np.testing.assert_array_equal(np.diff(grown.gains.offset), [len(gains) for gains in best])
    assert grown.gains.feature.tolist() == [feature for gains in best for feature, _ in gains]
    np.testing.assert_allclose(grown.gains.gain, [gain for gains in best for _, gain in gains], rtol=1e-9, atol=1e-12)


def grow_one(task: Task, in_f: set[int], seed: int, stream: int, wishes: dict[str, Any]) -> list[Node]:
    if wishes["response"] is not None:
        task = replace(task, y=wishes["response"])
    if wishes["count"] is None:
        bag = draw_bag(task, seed, stream)
    else:
        bag = fill_bag(task, np.repeat(np.arange(len(task.y)), wishes["count"]), wishes["row_weight"])
    return Rule(task, wishes["probability"]).grow(bag, root_key(seed, stream), in_f)
