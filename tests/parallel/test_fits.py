"""RRF(engine="parallel"): what each argument does, and that the parts of a fit agree with each other."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf import _core
from pyrrf import random as _random
from pyrrf._core.records import Work
from tests.fit.test_interrupt import MANY_TREES, interrupt_soon
from tests.parallel.problems import KINDS, data, fit, same
from tests.refusals import refused

# ---- seeds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_seed_decides(kind: str) -> None:
    x, y = data(kind)
    one = fit(x, y, seed=1)
    assert fit(x, y, seed=1) == one
    assert fit(x, y, seed=2) != one
    pyrrf.set_seed(1)
    assert fit(x, y, seed=None) == one
    assert fit(x, y, seed=None) != one


def test_the_stream_moves_by_two_draws() -> None:
    x, y = data("classes")
    fit(x, y, seed=4)
    after = pyrrf.runif(1)
    pyrrf.set_seed(4)
    pyrrf.runif(2)
    assert pyrrf.runif(1) == after


def test_the_stream_does_not_move_if_the_call_is_refused() -> None:
    x, y = data("classes")
    pyrrf.set_seed(4)
    with refused("ntree", "range"):
        fit(x, y, ntree=0, seed=9)
    found = pyrrf.runif(1)
    pyrrf.set_seed(4)
    assert pyrrf.runif(1) == found


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("arguments", [{}, {"importance": True}, {"proximity": True}], ids=str)
@pytest.mark.parametrize("shape", [(500, 10), (60, 2_000)], ids=str)
def test_interrupt_takes_the_draws_back(shape: tuple[int, int], arguments: dict[str, bool], n_jobs: int) -> None:
    pyrrf.set_seed(1)
    x = np.random.default_rng(1).standard_normal(shape)
    stored = _random.process_stream().get_state()[0]
    with pytest.raises(KeyboardInterrupt), interrupt_soon():
        fit(x, x[:, 0] > 0, ntree=MANY_TREES, seed=None, keep_forest=False, n_jobs=n_jobs, **arguments)
    np.testing.assert_array_equal(_random.process_stream().get_state()[0], stored)


# ---- data ----------------------------------------------------------------------------------------


LAYOUTS = {
    "float32": lambda x: x.astype(np.float32),
    "C order": np.ascontiguousarray,
    "Fortran order": np.asfortranarray,
    "float32 C order": lambda x: np.ascontiguousarray(x.astype(np.float32)),
    "every second row": lambda x: np.repeat(x, 2, axis=0)[::2],
    "rows backwards": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "columns of a wider table": lambda x: np.hstack([x, x])[:, : x.shape[1]],
    "big endian": lambda x: x.astype(">f8"),
    "read-only": lambda x: np.lib.stride_tricks.as_strided(x, writeable=False),
    "list": lambda x: x.tolist(),
    "DataFrame": pd.DataFrame,
    "DataFrame of float32": lambda x: pd.DataFrame(x.astype(np.float32)),
    "DataFrame of both": lambda x: pd.DataFrame(x).astype({0: np.float32}),
    "nullable": lambda x: pd.DataFrame(x).astype("Float64"),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_layouts_of_x_give_one_answer(kind: str, name: str) -> None:
    x, y = data(kind)
    # Values that float32 holds exactly.
    x = np.round(x * 64) / 64
    one, other = fit(x, y), fit(LAYOUTS[name](x), y)
    assert same(one, other)
    new = np.round(data(kind, seed=5)[0] * 64) / 64
    expected = pyrrf.predict(one, new, predict_all=True).individual
    found = pyrrf.predict(other, LAYOUTS[name](new), predict_all=True).individual
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["float32", "C order", "Fortran order", "every second row", "DataFrame"])
def test_floats_are_not_copied(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = data("classes")
    given, seen = LAYOUTS[name](x), []
    real = _core.fit_parallel
    monkeypatch.setattr(_core, "fit_parallel", lambda rows, *a, **k: (seen.append(rows.values), real(rows, *a, **k))[1])
    fit(given, y)
    memory = given.to_numpy() if isinstance(given, pd.DataFrame) else given
    assert np.shares_memory(seen[0], memory)
    assert seen[0].dtype == memory.dtype


def test_factors_are_split_by_subsets() -> None:
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 6, 200)
    x = pd.DataFrame({"f": pd.Categorical.from_codes(codes, list("abcdef")), "u": generator.random(200)})
    result = fit(x, np.isin(codes, [0, 3, 4]), mtry=2, max_depth=None)
    assert result.outcome.err_rate[-1, 0] == 0
    first = pyrrf.getTree(result, 1).iloc[0]
    assert first["split var"] == 1
    assert int(first["split point"]) in (0b011001, 0b100110)


# ---- parts of a fit agree ------------------------------------------------------------------------


def test_neighbouring_doubles_are_parted() -> None:
    eps = np.finfo(float).eps
    low, high = 1 + eps, 1 + 2 * eps
    assert (low + high) / 2 == high
    y = np.repeat(["a", "b"], 20)
    fit = pyrrf.RRF(np.repeat([low, high], 20)[:, None], y, engine="parallel", ntree=3, seed=1)
    assert list(pyrrf.predict(fit, np.array([[low], [high]]))) == ["a", "b"]


@pytest.mark.parametrize("kind", KINDS)
def test_out_of_bag_answers_are_those_of_the_trees(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, keep_inbag=True, norm_votes=False)
    out = result.inbag.to_numpy() == 0
    individual = pyrrf.predict(result, x, predict_all=True).individual.to_numpy()
    assert result.oob_times.tolist() == out.sum(axis=1).tolist()
    if kind == "numbers":
        means = np.array([row[o].astype(float).mean() for row, o in zip(individual, out, strict=True)])
        np.testing.assert_allclose(result.predicted, means)
        np.testing.assert_allclose(result.mse.iloc[-1], np.mean((y - means) ** 2))
        np.testing.assert_allclose(result.rsq.iloc[-1], 1 - np.mean((y - means) ** 2) / np.var(y))
        return
    votes = np.array([[np.sum(row[o] == c) for c in result.classes] for row, o in zip(individual, out, strict=True)])
    np.testing.assert_array_equal(result.votes, votes)
    clear = votes[:, 0] != votes[:, 1]
    winners = np.array(result.classes, object)[votes.argmax(axis=1)]
    assert (result.predicted.to_numpy()[clear] == winners[clear]).all()
    assert result.err_rate["OOB"].iloc[-1] == np.mean(result.predicted.to_numpy() != y)
    assert result.confusion.to_numpy()[:, :2].sum() == len(y)


@pytest.mark.parametrize("kind", KINDS)
def test_features_are_those_of_the_trees(kind: str) -> None:
    x, y = data(kind, p=30)
    result = fit(x, y, ntree=60)
    assert result.feaSet.tolist() == pyrrf.varUsed(result, count=False).tolist()
    assert (result.outcome.importance[:, -1] > 0).tolist() == (result.outcome.used > 0).tolist()
    assert {0, 1} <= set(result.feaSet.tolist())


def test_regularization_selects_fewer_features() -> None:
    x, y = data("classes", p=30)
    sizes = [len(fit(x, y, coefReg=c, ntree=60).feaSet) for c in (1.0, 0.9, 0.6)]
    assert sizes[0] > sizes[1] >= sizes[2]
    assert len(fit(x, y, flagReg=0, ntree=60).feaSet) == 30


@pytest.mark.parametrize("kind", KINDS)
def test_initial_features_are_in_the_set(kind: str) -> None:
    x, y = data(kind, p=30)
    assert {7, 9} <= set(fit(x, y, feaIni=[7, 9], coefReg=0.5).feaSet.tolist())


@pytest.mark.parametrize("kind", KINDS)
def test_pickle_and_equality(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, n_jobs=2)
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.engine == "parallel"
    assert again.outcome.work.regrown == result.outcome.work.regrown >= 0
    new = data(kind, seed=5)[0]
    assert pyrrf.predict(again, new).equals(pyrrf.predict(result, new))
    # How often a tree was grown again depends on the threads.
    again.outcome = replace(again.outcome, work=Work(regrown=-1, searched=0, repeated=0))
    assert again == result
    again.outcome = replace(again.outcome, used=1 - again.outcome.used)
    assert again != result
    assert pyrrf.RRF(x, y, ntree=3).engine == "r"


def test_keep_forest() -> None:
    x, y = data("classes")
    assert fit(x, y, keep_forest=False).forest is None
    assert fit(x, y, xtest=x[:5]).forest is None
    assert fit(x, y, xtest=x[:5], keep_forest=True).forest.ntree == 25


# ---- trees and bags ------------------------------------------------------------------------------


def depths(tree: pd.DataFrame) -> int:
    """Depth of a tree; 0 for a root alone."""
    depth = {1: 0}
    for node in tree.index:
        for side in ("left daughter", "right daughter"):
            if tree.loc[node, side] > 0:
                depth[int(tree.loc[node, side])] = depth[node] + 1
    return max(depth.values())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bound", [1, 2, 4])
def test_max_depth(kind: str, bound: int) -> None:
    x, y = data(kind)
    result = fit(x, y, max_depth=bound)
    found = [depths(pyrrf.getTree(result, k)) for k in range(1, 26)]
    assert max(found) == bound
    assert max(depths(pyrrf.getTree(fit(x, y), k)) for k in range(1, 26)) > 4


@pytest.mark.parametrize("kind", KINDS)
def test_growth_matters_where_f_grows(kind: str) -> None:
    """Otherwise a node's split does not depend on which nodes were split before it."""
    x, y = data(kind)
    assert fit(x, y, growth="depth", flagReg=0) == fit(x, y, flagReg=0)
    told = {"candidates": "selected", "coefReg": 0.7}
    deep, broad = (fit(x, y, growth=growth, **told) for growth in ("depth", "breadth"))
    assert deep != broad
    assert fit(x, y, growth="depth", n_jobs=3, **told) == deep


def test_depth_first_finishes_the_left_side() -> None:
    """With room for four leaves the left half is parted twice and, breadth first, either half once."""
    half, block, last = (np.arange(64) // size % 2 for size in (32, 16, 8))
    x = np.column_stack([half, block, last]).astype(float)
    y = pd.Categorical(4 * half + 2 * block + last)
    told = {"replace": False, "sampsize": 64, "ntree": 1, "mtry": 3, "maxnodes": 4, "ties": "first", "coefReg": 1.0}
    broad, deep = (pyrrf.getTree(fit(x, y, growth=growth, **told), 1) for growth in ("breadth", "depth"))
    assert broad["split var"].tolist() == [1, 2, 2, 0, 0, 0, 0]
    assert deep["split var"].tolist() == [1, 2, 0, 3, 0, 0, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_maxnodes_and_nodesize(kind: str) -> None:
    x, y = data(kind)
    assert pyrrf.treesize(fit(x, y, maxnodes=4)).max() <= 4
    assert pyrrf.treesize(fit(x, y, nodesize=30)).mean() < pyrrf.treesize(fit(x, y, nodesize=2)).mean()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("replace", "size"), [(True, None), (False, None), (False, 30), (True, 30)])
def test_bags_have_their_size(kind: str, replace: bool, size: int | None) -> None:
    x, y = data(kind)
    result = fit(x, y, replace=replace, sampsize=size, keep_inbag=True)
    counts = result.outcome.inbag
    assert counts.shape == (120, 25)
    assert (counts.sum(axis=0) == (size or (120 if replace else 76))).all()
    assert (counts.max() > 1) is np.bool_(replace)
    # In both engines it says which rows, not how often.
    np.testing.assert_array_equal(result.inbag, counts > 0)


def test_strata() -> None:
    x, y = data("classes")
    by_class = fit(x, y, sampsize={"high": 20, "low": 5}, replace=False, keep_inbag=True).inbag
    assert (by_class[y == "high"].sum() == 20).all()
    assert (by_class[y == "low"].sum() == 5).all()
    groups = np.resize(["g", "h", "i"], 120)
    by_group = fit(x, y, strata=groups, sampsize=[3, 9, 4], replace=False, keep_inbag=True).inbag
    assert [by_group[groups == g].sum().unique().tolist() for g in "ghi"] == [[3], [9], [4]]


def test_class_weights_and_cutoff_move_the_vote() -> None:
    x, y = data("classes")
    share = [np.mean(fit(x, y, cutoff=[c, 1 - c]).predicted == "high") for c in (0.05, 0.5, 0.95)]
    assert share[0] > share[1] > share[2]
    assert fit(x, y, classwt=[1, 20], nodesize=20) != fit(x, y, classwt=[20, 1], nodesize=20)


@pytest.mark.parametrize("candidates", [None, "selected", "mtry"])
@pytest.mark.parametrize("kind", KINDS)
def test_candidates(kind: str, candidates: str | None) -> None:
    """Either all of F is looked at, by default for classes, or F has no more chance to be drawn than the rest."""
    x, y = data(kind, p=30)
    x[:, 5] = np.unique(y, return_inverse=True)[1]
    result = fit(x, y, feaIni=[5], mtry=1, coefReg=0.5, ntree=200, max_depth=1, candidates=candidates)
    at_root = np.mean([pyrrf.getTree(result, k).loc[1, "split var"] == 6 for k in range(1, 201)])
    all_of_f = candidates == "selected" or (candidates is None and kind == "classes")
    assert at_root == 1 if all_of_f else 0 < at_root < 0.12


@pytest.mark.parametrize("kind", KINDS)
def test_candidates_by_default_are_those_of_r(kind: str) -> None:
    x, y = data(kind, p=30)
    of_r, other = ("mtry", "selected") if kind == "numbers" else ("selected", "mtry")
    assert same(fit(x, y, candidates=of_r), fit(x, y))
    assert not same(fit(x, y, candidates=other), fit(x, y))
    # An ordinary forest has no features that are looked at first.
    assert same(fit(x, y, flagReg=0, candidates=other), fit(x, y, flagReg=0))


def best_gain(column: np.ndarray, response: np.ndarray) -> float:
    """Largest decrease of the sum of squares; for two classes as 0 and 1 half of that of Gini's index."""
    order = np.argsort(column)
    cuts = [response[order[:i]] for i in range(1, len(order))], [response[order[i:]] for i in range(1, len(order))]
    after = min(left.var() * len(left) + right.var() * len(right) for left, right in zip(*cuts, strict=True))
    return float(response.var() * len(response) - after)


@pytest.mark.parametrize("kind", KINDS)
def test_rule_of_the_papers(kind: str) -> None:
    """A feature outside F wins when its gain times the coefficient exceeds the best gain in F."""
    x, y = data(kind, n=60, p=4)
    response = y if kind == "numbers" else (y == "low").astype(float)
    gains = np.array([best_gain(column, response) for column in x.T])
    first, second = np.argsort(gains)[::-1][:2]
    rule = {"penalty": "gain", "candidates": "selected", "feaIni": [second], "mtry": 4}
    whole = {"replace": False, "sampsize": 60, "ntree": 1, "max_depth": 1}
    for share, winner in ((0.999, second), (1.001, first)):
        result = fit(x, y, coefReg=share * gains[second] / gains[first], **rule, **whole)
        assert pyrrf.getTree(result, 1).loc[1, "split var"] == winner + 1


def test_ties_of_votes_go_by_the_row_itself() -> None:
    """A row has one class, alone or in a batch, wherever it stands; of many ties each class wins some."""
    generator = np.random.default_rng(4)
    result = fit(generator.standard_normal((80, 4)), generator.choice(["a", "b", "c"], 80), ntree=2)
    new = generator.standard_normal((3000, 4))
    batch = pyrrf.predict(result, new, n_jobs=2)
    assert pyrrf.predict(result, new[::-1]).tolist()[::-1] == batch.tolist()
    assert [pyrrf.predict(result, row).iloc[0] for row in new[-50:]] == batch.tolist()[-50:]
    votes = pyrrf.predict(result, new, type="vote", norm_votes=False)
    for absent in "abc":
        winners = batch[votes[absent] == 0][(votes == 1).sum(axis=1) == 2]
        assert winners.value_counts(normalize=True).drop(absent).between(0.3, 0.7).all()
    assert {len(set(batch[(votes == 1)[c]])) for c in "abc"} == {3}


def test_a_column_that_varies_is_found_wherever_it_stands() -> None:
    x, y = data("classes")
    wide = np.ones((120, 3000))
    wide[:, -1] = x[:, 0]
    assert fit(wide, y, mtry=3000, ntree=2).feaSet.tolist() == [2999]


# ---- measures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_importance(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, localImp=True, ntree=100)
    k = 1 if kind == "numbers" else 3
    assert result.importance.shape == (8, k + 1)
    assert np.shape(result.importanceSD) == ((8,) if kind == "numbers" else (8, 3))
    assert result.localImportance.shape == (8, 120)
    measure = pyrrf.importance(result, type=1).iloc[:, 0]
    assert set(measure.nlargest(2).index) == {0, 1}
    np.testing.assert_array_equal(result.importance.iloc[:, -1], fit(x, y, ntree=100).importance.iloc[:, -1])
    if kind == "classes":
        np.testing.assert_allclose(
            result.localImportance.mean(axis=1), result.importance["MeanDecreaseAccuracy"], atol=0.05
        )


def test_standard_error_of_equal_losses_is_zero() -> None:
    """Each of the three trees loses 0.09: the mean of the squares rounds to less than the square of the mean."""
    x = np.repeat([0.0, 1.0], 4)[:, np.newaxis]
    with pytest.warns(UserWarning, match="five or fewer"):
        result = fit(x, 0.3 * x[:, 0], ntree=3, seed=20, nodesize=1, importance=True)
    assert result.importance["%IncMSE"].tolist() == [pytest.approx(0.09)]
    assert result.importanceSD.tolist() == [0.0]


def test_permutations_are_averaged() -> None:
    x, y = data("numbers")
    one, many = (fit(x, y, importance=True, nPerm=k, ntree=50) for k in (1, 30))
    assert not np.array_equal(one.importance["%IncMSE"], many.importance["%IncMSE"])
    np.testing.assert_allclose(one.importance["%IncMSE"][:2], many.importance["%IncMSE"][:2], rtol=0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_proximity_is_the_share_of_common_leaves(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, proximity=True, oob_prox=False)
    nodes = pyrrf.predict(result, x, nodes=True, proximity=True)
    leaves = nodes.nodes.to_numpy()
    shared = (leaves[:, np.newaxis] == leaves[np.newaxis]).mean(axis=2)
    np.testing.assert_allclose(result.proximity, shared)
    np.testing.assert_allclose(nodes.proximity, shared)


@pytest.mark.parametrize("kind", KINDS)
def test_out_of_bag_proximity(kind: str) -> None:
    x, y = data(kind)
    result = fit(x, y, proximity=True, keep_inbag=True, ntree=60)
    leaves = pyrrf.predict(result, x, nodes=True).nodes.to_numpy()
    out = result.inbag.to_numpy() == 0
    both = out[:, np.newaxis] & out[np.newaxis]
    common = ((leaves[:, np.newaxis] == leaves[np.newaxis]) & both).sum(axis=2)
    counted = both.sum(axis=2)
    expected = np.where(counted > 0, common / np.maximum(counted, 1), 0.0)
    np.fill_diagonal(expected, 1)
    np.testing.assert_allclose(result.proximity, expected)


def test_do_trace_prints_the_errors(capsys: pytest.CaptureFixture[str]) -> None:
    x, y = data("classes")
    result = fit(x, y, do_trace=5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ntree      OOB      1      2"
    rates = result.err_rate.to_numpy()[4::5]
    assert [line.split() for line in lines[1:]] == [
        [f"{5 * i}:", *(f"{100 * r:.2f}%" for r in row)] for i, row in enumerate(rates, start=1)
    ]
    x, y = data("numbers")
    result = fit(x, y, do_trace=True)
    lines = capsys.readouterr().out.splitlines()
    assert [float(line.split()[2]) for line in lines[2:]] == [float(f"{m:.4g}") for m in result.mse]


# ---- unsupervised mode ---------------------------------------------------------------------------


def test_unsupervised() -> None:
    generator = np.random.default_rng(2)
    groups = np.repeat([0, 1], 40)
    x = np.column_stack([groups * 4 + generator.standard_normal(80) for _ in range(3)])
    result = fit(x, None, ntree=200, localImp=True, keep_inbag=True)
    assert result == fit(x, None, ntree=200, localImp=True, keep_inbag=True)
    assert result.votes.shape == (80, 2)
    assert result.proximity.shape == (80, 80)
    assert result.inbag.shape == (80, 200)
    assert result.localImportance.shape == (3, 80)
    near = result.proximity.to_numpy()
    within = np.mean([near[:40, :40].mean(), near[40:, 40:].mean()])
    assert within > 2 * near[:40, 40:].mean()
    assert np.nanmean(result.votes["1"]) > 0.5


# ---- GRRF ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_grrf_is_two_calls(kind: str) -> None:
    x, y = data(kind, p=30)
    guided = pyrrf.GRRF(x, y, gamma=0.7, ntree=25, seed=1, engine="parallel", n_jobs=2)
    ordinary = fit(x, y, flagReg=0)
    gini = ordinary.outcome.importance[:, -1]
    second = fit(x, y, coefReg=(1 - 0.7) * 1.0 + 0.7 * (gini / gini.max()), seed=None)
    assert guided.ordinary == ordinary
    assert same(guided, second)
    assert guided.engine == guided.ordinary.engine == "parallel"
    assert gini.argmax() in guided.feaSet


def test_errors_on_a_test_set_beyond_the_largest_double_are_infinite() -> None:
    x, y = data("numbers")
    assert (fit(x, y, xtest=x, ytest=y * 1e200).test.mse == np.inf).all()
