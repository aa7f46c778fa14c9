"""Boruta: the tests by hand, shadows, importances that are fair to factors, one answer for one seed."""

from __future__ import annotations

import numpy as np
import pytest

from pyrrf.selectors.boruta import (
    CONFIRMED,
    REJECTED,
    TENTATIVE,
    BorutaRule,
    _with_shadows,
    boruta,
    importance,
    verdicts,
)
from pyrrf.selectors.credit import trees_credit
from pyrrf.selectors.forest import ordinary_rule
from pyrrf.selectors.growing import TreeData, TreeMaker, TreeRequest

RNG = np.random.default_rng(5)
X = RNG.standard_normal((150, 8))
Y = (X[:, 6] + X[:, 2] > 0).astype(np.int32)


def table(x: np.ndarray, response: np.ndarray, nclass: int = 2, ncat: np.ndarray | None = None) -> TreeData:
    ncat = np.ones(x.shape[1], np.int32) if ncat is None else ncat
    return TreeData(values=np.asfortranarray(x), ncat=ncat, response=response, nclass=nclass)


def test_two_step_correction_by_hand() -> None:
    # Of 10 rounds: P(10 hits) = 1 / 1024, P(9 or more) = 11 / 1024 = .0107, P(8 or more) = 56 / 1024 = .0547.
    # Bonferroni over the rounds asks for .05 / 10 = .005: 10 hits hold, 9 do not, and so at the other end.
    hits = np.array([10, 9, 5, 1, 0])
    assert verdicts(hits, 10, 5, BorutaRule()).tolist() == [CONFIRMED, TENTATIVE, TENTATIVE, TENTATIVE, REJECTED]
    # With a level of .2 Bonferroni asks for .02, which 9 hits have; Benjamini-Hochberg asks the second of five for
    # 2/5 * .2 = .08, but a feature that is alone at .0107 among 20 for .2 / 20 = .01.
    rule = BorutaRule(alpha=0.2)
    assert verdicts(hits, 10, 5, rule).tolist() == [CONFIRMED, CONFIRMED, TENTATIVE, REJECTED, REJECTED]
    alone = np.array([9] + [5] * 19)
    assert verdicts(alone, 10, 20, rule).tolist() == [TENTATIVE] * 20
    assert verdicts(alone[:19], 10, 20, rule).tolist() == [TENTATIVE] * 19  # .2 / 19 = .0105
    assert verdicts(alone[:18], 10, 20, rule)[0] == CONFIRMED  # .2 / 18 = .0111


def test_correction_of_r_by_hand() -> None:
    # Bonferroni over the features alone: .05 / 4 = .0125 lets 9 of 10 hits pass, .05 / 5 = .01 does not.
    rule, hits = BorutaRule(two_step=False), np.array([9, 5, 1])
    assert verdicts(hits, 10, 4, rule).tolist() == [CONFIRMED, TENTATIVE, REJECTED]
    assert verdicts(hits, 10, 5, rule).tolist() == [TENTATIVE] * 3


def test_the_fewest_rounds_that_decide() -> None:
    # 1 / 2**8 = .0039 is below .05 / 8 = .00625, and 1 / 2**7 = .0078 is not below .05 / 7 = .00714.
    assert BorutaRule().least_rounds(1000) == 8
    assert BorutaRule(two_step=False).least_rounds(1000) == 15  # 2**15 > 20,000 > 2**14
    for rule in (BorutaRule(), BorutaRule(two_step=False)):
        rounds = rule.least_rounds(6)
        assert verdicts(np.array([rounds] * 6), rounds, 6, rule).tolist() == [CONFIRMED] * 6
        assert verdicts(np.array([rounds - 1] * 6), rounds - 1, 6, rule).tolist() == [TENTATIVE] * 6


@pytest.mark.parametrize(("left", "copies"), [([3], 5), ([1, 4], 6), ([0, 1, 2, 3, 4, 5, 6], 7)])
def test_shadows_are_shuffled_copies(left: list[int], copies: int) -> None:
    data = table(X, Y)
    both = _with_shadows(data, np.array(left), np.random.default_rng(1)).dense
    assert np.array_equal(both[:, : len(left)], X[:, left])
    shadows = both[:, len(left) :]
    assert shadows.shape[1] == copies
    for at, shadow in enumerate(shadows.T):
        real = X[:, left[at % len(left)]]
        assert np.array_equal(np.sort(shadow), np.sort(real))
        assert not np.array_equal(shadow, real)
    assert np.array_equal(data.values, X)


def test_each_column_is_shuffled_by_itself() -> None:
    twice = np.repeat(X[:, :1], 6, axis=1)
    shadows = _with_shadows(table(twice, Y), np.arange(6), np.random.default_rng(1)).dense[:, 6:]
    assert np.abs(np.corrcoef(shadows.T)[np.triu_indices(6, 1)]).max() < 0.5


def test_a_tree_without_rows_out_of_the_bag_earns_nothing() -> None:
    data = table(X, Y)
    request = TreeRequest(seed=1, stream=0, outside=True, count=np.ones(150, np.int32))
    assert not trees_credit([TreeMaker(data, ordinary_rule(8)).grow(request)], 2, 8).any()


@pytest.mark.parametrize("nclass", [1, 2])
@pytest.mark.parametrize("levels", [2, 40, 200])
def test_a_factor_of_noise_is_worth_no_more_than_a_number(nclass: int, levels: int) -> None:
    n = 200
    draw = np.random.default_rng(2)
    found = []
    for seed in range(10):
        x = draw.standard_normal((n, 6))
        x[:, 5] = draw.permutation(np.arange(n) % levels) + 1
        ncat = np.array([1, 1, 1, 1, 1, levels], np.int32)
        response = draw.standard_normal(n) if nclass == 1 else draw.integers(2, size=n).astype(np.int32)
        found.append(importance(table(x, response, nclass, ncat), BorutaRule(), seed))
    differences = np.array([one[5] - one[:5].mean() for one in found])
    assert differences.mean() < 2 * differences.std(ddof=1) / np.sqrt(len(found))
    if levels == n:  # a row out of the bag has a level that no node has seen
        assert np.abs(np.array(found)[:, 5]).max() < 1e-12


@pytest.mark.parametrize("nclass", [1, 2])
def test_one_seed_is_one_answer(nclass: int) -> None:
    data, rule = table(X, Y if nclass == 2 else X[:, 3].copy(), nclass), BorutaRule(n_trees=20, max_rounds=15)
    first, again = (boruta(data, rule, seed=4, n_jobs=jobs) for jobs in (1, 3))
    other = boruta(data, rule, seed=5)
    assert np.array_equal(first.importances, again.importances, equal_nan=True)
    assert not np.array_equal(first.importances[0], other.importances[0])
    assert np.array_equal(first.decisions, again.decisions)


def test_what_is_rejected_leaves_the_forest() -> None:
    seen: list[int] = []
    found = boruta(table(X, Y), BorutaRule(), seed=1, watch=seen.append)
    assert seen == list(range(1, len(found.shadows) + 1))
    assert (found.decisions != TENTATIVE).all() or len(seen) == 100
    gone = np.isnan(found.importances)
    assert np.array_equal(gone.any(axis=0), (found.decisions == REJECTED) & gone.any(axis=0))
    assert (np.diff(gone.astype(int), axis=0) >= 0).all()
    hits = (found.importances > found.shadows[:, 3:]).sum(axis=0)
    assert hits.tolist() == found.hits.tolist()
    assert found.decisions[[2, 6]].tolist() == [CONFIRMED] * 2


def test_what_equals_the_shadows_is_no_hit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = TreeData(values=np.eye(8), ncat=np.ones(8, np.int32), response=np.arange(8.0), nclass=1)
    monkeypatch.setattr("pyrrf.selectors.boruta.importance", lambda both, *_: np.ones(both.shape[1]))
    found = boruta(data, BorutaRule(), seed=1)
    assert found.hits.tolist() == [0] * 8
    assert (found.decisions == REJECTED).all()


def test_importances_are_compared_in_units_of_the_own_shadows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What varies a hundred times as much by chance neither hides a relevant number, nor is relevant for it."""
    draw, scale, own = np.random.default_rng(1), np.array([1, 1, 1, 1, 1, 100, 0]), np.array([4, 4, 4, 4, 4, 30, 0])

    def made(both: TreeData, *_: object) -> np.ndarray:
        kinds = [int(np.ptp(column)) for column in both.dense.T]  # each column has a range of its own
        m = len(kinds) // 2
        return np.concatenate([own[kinds[:m]], draw.standard_normal(m) * scale[kinds[m:]]])

    monkeypatch.setattr("pyrrf.selectors.boruta.importance", made)
    monkeypatch.setattr("pyrrf.selectors.boruta._FEWEST", 1)
    found = boruta(table(np.outer(np.arange(9) % 2, np.arange(7.0)), Y[:9]), BorutaRule(), seed=1)
    assert found.decisions.tolist() == [CONFIRMED] * 5 + [REJECTED] * 2


def test_the_percentile_lowers_the_threshold() -> None:
    found = boruta(table(X, Y), BorutaRule(percentile=50, max_rounds=9), seed=1)
    least, mean, largest, threshold = found.shadows.T
    assert (threshold < largest).all()
    assert (least < mean).all()
    half, whole = (boruta(table(X, Y), BorutaRule(percentile=each, max_rounds=1), seed=1) for each in (50, 100))
    assert np.array_equal(whole.shadows[:, 2], whole.shadows[:, 3])
    assert np.array_equal(whole.shadows[0, :3], half.shadows[0, :3])
