"""combine() and grow(): several fits as one, more trees for a fit."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused


@pytest.fixture
def test_set(x: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    return {"xtest": x[::3], "ytest": pd.Categorical(y[::3], ["high", "low"])}


def fits(x: Any, y: Any, *trees: int, **arguments: Any) -> list[Any]:
    """Fits on one stream."""
    pyrrf.set_seed(1)
    return [pyrrf.RRF(x, y, ntree=n, **arguments) for n in trees]


def test_votes_are_sums_of_shares(x: np.ndarray, y: np.ndarray) -> None:
    parts = fits(x, y, 5, 8)
    both = pyrrf.combine(*parts)
    shares = [fit.votes.fillna(0.0) for fit in parts]
    pd.testing.assert_frame_equal(both.votes, shares[0] + shares[1])
    assert (both.oob_times == parts[0].oob_times + parts[1].oob_times).all()
    assert both.ntree == 13
    assert both.err_rate is None
    assert both.confusion is None


def test_trees_stand_one_after_the_other(x: np.ndarray, y: np.ndarray) -> None:
    parts = fits(x, y, 3, 4)
    both = pyrrf.combine(*parts)
    pd.testing.assert_frame_equal(pyrrf.getTree(both, 5), pyrrf.getTree(parts[1], 2))
    assert pyrrf.treesize(both).tolist() == [*pyrrf.treesize(parts[0]), *pyrrf.treesize(parts[1])]
    assert both.forest.nodestatus.shape == (max(p.forest.nrnodes for p in parts), 7)


def test_prediction_counts_the_votes_of_all_trees(x: np.ndarray, y: np.ndarray) -> None:
    parts = fits(x, y, 3, 4)
    votes = [pyrrf.predict(p, x, type="vote", norm_votes=False) for p in parts]
    both = pyrrf.predict(pyrrf.combine(*parts), x, type="vote", norm_votes=False)
    pd.testing.assert_frame_equal(both, votes[0] + votes[1])


def test_measures_are_weighted_by_the_number_of_trees(x: np.ndarray, y: np.ndarray) -> None:
    one, two = fits(x, y, 2, 6, localImp=True, proximity=True)
    both = pyrrf.combine(one, two)
    for part in ("importance", "localImportance", "proximity"):
        a, b = getattr(one, part), getattr(two, part)
        pd.testing.assert_frame_equal(getattr(both, part), (a * 2 + b * 6) / 8)
    expected = ((one.importanceSD**2 * 2 + two.importanceSD**2 * 6) / 8) ** 0.5
    pd.testing.assert_frame_equal(both.importanceSD, expected)


def test_what_only_some_fits_have_is_that_of_the_first(x: np.ndarray, y: np.ndarray, test_set: dict[str, Any]) -> None:
    (full,) = fits(x, y, 3, proximity=True, keep_inbag=True, **test_set)
    plain = pyrrf.RRF(x, y, ntree=2)
    both = pyrrf.combine(full, plain)
    pd.testing.assert_frame_equal(both.proximity, full.proximity)
    pd.testing.assert_frame_equal(both.inbag, full.inbag)
    pd.testing.assert_frame_equal(both.test.votes, full.test.votes)
    assert both.forest is None
    other = pyrrf.combine(plain, full)
    assert (other.proximity, other.inbag, other.test, other.forest) == (None,) * 4


def test_votes_on_the_test_set(x: np.ndarray, y: np.ndarray, test_set: dict[str, Any]) -> None:
    one, two = fits(x, y, 3, 5, **test_set)
    both = pyrrf.combine(one, two)
    pd.testing.assert_frame_equal(both.test.votes, one.test.votes * 3 + two.test.votes * 5)
    assert both.test.confusion is None
    # CRAN RRF drops err.rate of the fit twice instead.
    pd.testing.assert_frame_equal(both.test.err_rate, one.test.err_rate)


def test_inputs_are_left_alone(x: np.ndarray, y: np.ndarray, test_set: dict[str, Any]) -> None:
    parts = fits(x, y, 3, 5, proximity=True, **test_set)
    before = [pickle.dumps(p.__getstate__()) for p in parts]
    pyrrf.combine(*parts)
    assert [pickle.dumps(p.__getstate__()) for p in parts] == before


def test_regressions(x: np.ndarray) -> None:
    one, two = fits(x, x[:, 0] * 3 + x[:, 1], 30, 60, importance=True)
    both = pyrrf.combine(one, two)
    pd.testing.assert_series_equal(both.predicted, (one.predicted * 30 + two.predicted * 60) / 90)
    assert both.mse is None
    assert both.rsq is None
    # R combines the times out of bag for classes only.
    assert (both.oob_times == one.oob_times).all()
    expected = (pyrrf.predict(one, x) * 30 + pyrrf.predict(two, x) * 60) / 90
    # The same predictions are added up in another order.
    np.testing.assert_allclose(pyrrf.predict(both, x), expected, rtol=1e-13)
    assert "squared residuals" not in repr(both)


def test_regressions_with_a_test_set(x: np.ndarray) -> None:
    y = x[:, 0] * 3 + x[:, 1]
    one, two = fits(x, y, 10, 30, xtest=x[:7], ytest=y[:7])
    both = pyrrf.combine(one, two)
    pd.testing.assert_series_equal(both.test.predicted, (one.test.predicted * 10 + two.test.predicted * 30) / 40)
    assert (both.test.mse, both.test.rsq) == (None, None)
    assert one.test.mse is not None


def test_unsupervised(x: np.ndarray) -> None:
    with pytest.warns(UserWarning, match="quirks=False"):
        one, two = fits(x, None, 4, 6)
    both = pyrrf.combine(one, two)
    pd.testing.assert_frame_equal(both.proximity, (one.proximity * 4 + two.proximity * 6) / 10)
    pd.testing.assert_frame_equal(both.votes, one.votes)


# ---- what was intended ---------------------------------------------------------------------------


def test_shares_are_weighted_without_quirks(x: np.ndarray, y: np.ndarray) -> None:
    shares = fits(x, y, 5, 8, quirks=False)
    counts = fits(x, y, 5, 8, quirks=False, norm_votes=False)
    both, counted = pyrrf.combine(*shares), pyrrf.combine(*counts)
    total = counts[0].votes + counts[1].votes
    pd.testing.assert_frame_equal(counted.votes, total.astype(float))
    # Counts come back from shares by a product that rounds.
    np.testing.assert_allclose(both.votes, total.div(total.sum(axis=1), axis=0), rtol=1e-14)
    mixed = pyrrf.combine(shares[0], counts[1])
    np.testing.assert_allclose(mixed.votes, both.votes, rtol=1e-14)


def test_row_in_every_bag_is_missing_without_quirks(x: np.ndarray, y: np.ndarray) -> None:
    parts = fits(x, y, 1, 1, quirks=False)
    both = pyrrf.combine(*parts)
    never = both.oob_times == 0
    assert never.any()
    assert (both.predicted.isna() == never).all()
    assert pyrrf.combine(*fits(x, y, 1, 1)).predicted.notna().all()


def test_bags_and_features_of_all_fits_without_quirks(x: np.ndarray, y: np.ndarray) -> None:
    one, two = fits(x, y, 1, 2, quirks=False, keep_inbag=True, maxnodes=2)
    both = pyrrf.combine(one, two)
    assert both.inbag.shape == (40, 3)
    assert both.feaSet.tolist() == sorted({*one.feaSet, *two.feaSet})
    regressions = fits(x, x[:, 0] + 0.0, 3, 4, quirks=False)
    assert (pyrrf.combine(*regressions).oob_times == regressions[0].oob_times + regressions[1].oob_times).all()


def test_test_set_without_quirks(x: np.ndarray, y: np.ndarray, test_set: dict[str, Any]) -> None:
    one, two = fits(x, y, 3, 5, quirks=False, **test_set)
    both = pyrrf.combine(one, two)
    pd.testing.assert_frame_equal(both.test.votes, (one.test.votes * 3 + two.test.votes * 5) / 8)
    assert both.test.err_rate is None
    one, two = fits(x, y, 3, 5, quirks=False, norm_votes=False, **test_set)
    assert (pyrrf.combine(one, two).test.votes.sum(axis=1) == 8).all()
    assert pyrrf.combine(one, pyrrf.RRF(x, y, ntree=2, quirks=False)).test is None


# ---- grow ----------------------------------------------------------------------------------------


def test_grow_is_a_second_fit_on_the_stream(x: np.ndarray, y: np.ndarray) -> None:
    arguments: dict[str, Any] = {"importance": True, "mtry": 2, "classwt": [1, 2], "coefReg": 0.9}
    pyrrf.set_seed(4)
    first = pyrrf.RRF(x, y, ntree=3, **arguments)
    grown = pyrrf.grow(first, 4)
    pyrrf.set_seed(4)
    parts = [pyrrf.RRF(x, y, ntree=n, **arguments) for n in (3, 4)]
    assert grown == pyrrf.combine(*parts)


def test_grow_does_not_set_the_seed_again(x: np.ndarray, y: np.ndarray) -> None:
    grown = pyrrf.grow(pyrrf.RRF(x, y, ntree=4, seed=9), 4)
    trees = [pyrrf.getTree(grown, k) for k in (1, 5)]
    assert not trees[0].equals(trees[1])


def test_grow_a_guided_fit(x: np.ndarray, y: np.ndarray) -> None:
    pyrrf.set_seed(4)
    guided = pyrrf.GRRF(x, y, gamma=0.8, ntree=5)
    grown = pyrrf.grow(guided, 2)
    pyrrf.set_seed(4)
    again = pyrrf.GRRF(x, y, gamma=0.8, ntree=5)
    assert grown == pyrrf.combine(again, pyrrf.RRF(x, y, ntree=2, coefReg=again.coefReg))


def test_grow_a_formula_fit(frame: pd.DataFrame, y: np.ndarray) -> None:
    pyrrf.set_seed(1)
    grown = pyrrf.grow(pyrrf.RRF("y ~ number + colour", data=frame.assign(y=y), ntree=3), 2)
    assert grown.forest.ntree == 5
    assert len(pyrrf.predict(grown, frame.assign(y=y))) == 40


@pytest.mark.parametrize("way", [lambda f: pickle.loads(pickle.dumps(f)), copy.copy, copy.deepcopy])
def test_loaded_fits_combine_and_grow(x: np.ndarray, y: np.ndarray, way: Any) -> None:
    (fit,) = fits(x, y, 3)
    pyrrf.set_seed(2)
    expected = pyrrf.grow(fit, 2)
    pyrrf.set_seed(2)
    assert pyrrf.grow(way(fit), 2) == expected
    assert way(expected) == expected
    pyrrf.set_seed(3)
    again = pyrrf.combine(expected, fit)
    pyrrf.set_seed(3)
    assert pyrrf.combine(way(expected), way(fit)) == again


# ---- errors --------------------------------------------------------------------------------------


def test_arguments_must_be_fits(x: np.ndarray, y: np.ndarray) -> None:
    (fit,) = fits(x, y, 2)
    with refused("fits", "absent", TypeError):
        pyrrf.combine()
    with refused("fits", "type"):
        pyrrf.combine(fit, x)
    with refused("x", "type"):
        pyrrf.grow(x, 3)
    with refused("how_many", "range"):
        pyrrf.grow(fit, 0)


@pytest.mark.parametrize(
    ("change", "argument", "code"),
    [
        (lambda x, y: {"y": x[:, 0]}, "fits", "conflict"),
        (lambda x, y: {"x": x[:, :4]}, "fits", "columns"),
        (lambda x, y: {"x": x[:30], "y": y[:30]}, "fits", "length"),
        (lambda x, y: {"y": np.where(y == "low", "a", "b")}, "fits", "levels"),
        (lambda x, y: {"importance": True}, "fits", "conflict"),
    ],
    ids=["type", "columns", "rows", "classes", "importance"],
)
def test_fits_must_be_alike(x: np.ndarray, y: np.ndarray, change: Any, argument: str, code: str) -> None:
    first = pyrrf.RRF(x, y, ntree=2)
    second = pyrrf.RRF(**{"x": x, "y": y, "ntree": 2, **change(x, y)})
    with refused(argument, code):
        pyrrf.combine(first, second)


@pytest.mark.filterwarnings("ignore:y has a largest absolute value")
@pytest.mark.parametrize("quirks", [True, False])
def test_sums_beyond_the_largest_double_are_infinite(x: np.ndarray, quirks: bool) -> None:
    fit = pyrrf.RRF(x, (x[:, 0] + 1) * 1e306, ntree=120, quirks=quirks, seed=1)
    assert np.isfinite(fit.predicted).all()
    for more in (pyrrf.combine(fit, fit), pyrrf.grow(fit, 3)):
        assert np.isinf(more.predicted).any()
