"""GRRF() is R's idiom of two calls on one stream."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.result.record import equal_parts


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
