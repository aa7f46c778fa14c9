"""GRRF() is R's idiom of two calls on one stream."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.result.record import equal_parts
from tests.refusals import refused


def idiom(x: Any, y: Any, gamma: float, lambda0: float, **arguments: Any) -> tuple[Any, Any]:
    """The two calls as the help page of R has them."""
    ordinary = pyrrf.RRF(x, y, flagReg=0, **arguments)
    imp = ordinary.importance["MeanDecreaseGini"].to_numpy()
    imp = imp / imp.max()
    return ordinary, pyrrf.RRF(x, y, flagReg=1, coefReg=(1 - gamma) * lambda0 + gamma * imp, **arguments)


@pytest.mark.parametrize(
    ("gamma", "lambda0", "arguments"),
    [
        (0.5, 1.0, {}),
        (0.9, 0.7, {"mtry": 3}),
        (1.0, 1.0, {"importance": True}),
        (0.0, 0.8, {"replace": False, "nodesize": 3}),
        (1.0, 0.0, {"keep_inbag": True}),
    ],
)
def test_equals_the_two_calls(
    frame: pd.DataFrame, y: np.ndarray, gamma: float, lambda0: float, arguments: dict[str, Any]
) -> None:
    pyrrf.set_seed(11)
    ordinary, guided = idiom(frame, y, gamma, lambda0, ntree=20, **arguments)
    after = pyrrf.runif(1)
    pyrrf.set_seed(11)
    fit = pyrrf.GRRF(frame, y, gamma=gamma, lambda0=lambda0, ntree=20, **arguments)
    assert fit.ordinary == ordinary
    np.testing.assert_array_equal(fit.coefReg, guided.coefReg)
    assert equal_parts(fit.outcome, guided.outcome)
    np.testing.assert_array_equal(fit.importance, guided.importance)
    pd.testing.assert_frame_equal(fit.votes, guided.votes)
    assert pyrrf.runif(1) == after


def test_seed_is_set_once(frame: pd.DataFrame, y: np.ndarray) -> None:
    pyrrf.set_seed(3)
    assert pyrrf.GRRF(frame, y, ntree=5) == pyrrf.GRRF(frame, y, ntree=5, seed=3)


def test_defaults_are_those_of_the_help_page(frame: pd.DataFrame, y: np.ndarray) -> None:
    one = pyrrf.GRRF(frame, y, ntree=5, seed=3)
    assert one == pyrrf.GRRF(frame, y, 0.5, 1.0, ntree=5, seed=3)


def test_call_shows_what_was_asked_for(frame: pd.DataFrame, y: np.ndarray) -> None:
    fit = pyrrf.GRRF(frame, y, gamma=0.9, ntree=5)
    assert fit.call == "GRRF(x, y, gamma=0.9, ntree=5)"
    assert fit.ordinary is not None
    assert fit.ordinary.call == "RRF(x, y, ntree=5, flagReg=0)"


def test_guide_makes_a_difference(frame: pd.DataFrame, y: np.ndarray) -> None:
    fit = pyrrf.GRRF(frame, y, gamma=1.0, ntree=20, seed=1)
    assert fit.ordinary is not None
    assert len(fit.feaSet) < len(fit.ordinary.feaSet)


# ---- other guides --------------------------------------------------------------------------------


def by_hand(x: Any, y: Any, shares: np.ndarray, gamma: float, **arguments: Any) -> Any:
    return pyrrf.RRF(x, y, flagReg=1, coefReg=(1 - gamma) + gamma * shares, **arguments)


def test_a_guide_by_permutation_or_by_a_power(frame: pd.DataFrame, y: np.ndarray) -> None:
    pyrrf.set_seed(3)
    ordinary = pyrrf.RRF(frame, y, ntree=20, flagReg=0, importance=True)
    wanted = ordinary.importance["MeanDecreaseAccuracy"].to_numpy()
    low, high = wanted.min(), wanted.max()
    hand = by_hand(frame, y, (wanted - low) / (high - low), 0.7, ntree=20)
    pyrrf.set_seed(3)
    fit = pyrrf.GRRF(frame, y, 0.7, guide="MeanDecreaseAccuracy", normalize="minmax", ntree=20)
    assert fit.coefReg.tolist() == hand.coefReg.tolist()
    assert fit.importance.equals(hand.importance)
    assert fit.importanceSD is None
    assert fit.call == "GRRF(x, y, gamma=0.7, guide='MeanDecreaseAccuracy', normalize='minmax', ntree=20)"


def test_an_importance_of_0_can_be_raised_to_a_power(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.GRRF(x, y, gamma=1, guide=[0.0, 1, 4, 2, 4], normalize=2, ntree=3, seed=1)
    assert fit.coefReg.tolist() == [0, 1 / 16, 1, 1 / 4, 1]


def test_a_fit_and_importances_guide_without_a_forest(frame: pd.DataFrame, y: np.ndarray) -> None:
    ordinary = pyrrf.RRF(frame, y, ntree=20, flagReg=0, seed=2)
    values = ordinary.importance.iloc[:, -1]
    wanted = by_hand(frame, y, (values / values.max()).to_numpy(), 0.4, ntree=20, seed=5)
    for guide in (ordinary, values, values.to_dict(), values.to_numpy(), ordinary.importance):
        fit = pyrrf.GRRF(frame, y, 0.4, guide=guide, ntree=20, seed=5)
        fit.ordinary = None
        assert fit == wanted
    squared = pyrrf.GRRF(frame, y, 0.4, guide=values, normalize=2, ntree=5, seed=5)
    assert np.allclose(squared.coefReg, 0.6 + 0.4 * (values / values.max()) ** 2, rtol=1e-15)


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"guide": "Gini"}, "guide", "choice"),
        ({"guide": [1.0]}, "guide", "length"),
        ({"normalize": "sum"}, "normalize", "choice"),
        ({"normalize": -1}, "normalize", "range"),
    ],
)
def test_what_is_no_guide(
    frame: pd.DataFrame, y: np.ndarray, arguments: dict[str, Any], argument: str, code: str
) -> None:
    with refused(argument, code):
        pyrrf.GRRF(frame, y, ntree=2, seed=1, **arguments)


def test_a_path_is_a_fit_for_each_gamma(frame: pd.DataFrame, y: np.ndarray) -> None:
    path = pyrrf.rrf_path(frame, y, [0.2, 0.9], 0.8, ntree=9, seed=4, normalize="minmax")
    assert np.array_equal(path.supports.T, path.selected)
    np.testing.assert_allclose(path.feature_importances.sum(axis=1), 1.0)
    for gamma, fit in zip(path.gammas.tolist(), path.fits, strict=True):
        assert fit == pyrrf.GRRF(frame, y, gamma, 0.8, ntree=9, seed=4, normalize="minmax")
    assert path.selected.sum().tolist() == path.n_features.tolist()
    with pytest.raises(TypeError, match="rrf_path\\(\\) has no argument 'gama'"):
        pyrrf.rrf_path(frame, y, gama=[1])
    with refused("gammas", "shape"):
        pyrrf.rrf_path(frame, y, [])
