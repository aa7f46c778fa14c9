"""Costs of features: the first split of trees that are small enough to be worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.result.record import equal_parts
from tests.refusals import refused

CHEAP, DEAR = 0, 1
CLASSES = np.repeat(["low", "high"], 4)
# DEAR parts the responses; CHEAP takes one row of the first four for one of the others.
TABLE = np.array([[0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]], float).T
ALL_ROWS = {"replace": False, "sampsize": 8, "mtry": 2, "ntree": 1, "maxnodes": 2, "coefReg": 1, "seed": 1}


def chosen(y: Any, **arguments: Any) -> list[int]:
    return pyrrf.RRF(TABLE, y, **(ALL_ROWS | arguments)).feaSet.tolist()


# Squares of the classes over the rows: 4 + 4 = 8, or 9 / 3 + 17 / 5 = 6.4; that of the root is 4.
@pytest.mark.parametrize(("cost", "winner"), [(1.2, DEAR), (1.3, CHEAP)])
@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_the_criterion_is_divided(engine: str, cost: float, winner: int) -> None:
    assert chosen(CLASSES, feature_cost=[1, cost], engine=engine) == [winner]


@pytest.mark.parametrize(("cost", "winner"), [(1.6, DEAR), (1.7, CHEAP)])
def test_the_gain_is_divided(cost: float, winner: int) -> None:
    """4 / 1.6 = 2.5 is more than 6.4 - 4, and 4 / 1.7 = 2.35 is less."""
    assert chosen(CLASSES, feature_cost=[1, cost], engine="parallel", penalty="gain") == [winner]


# The sum of squares falls by 16 / 4 - 16 / 8 = 2, or by 16 / 5 - 2 = 1.2.
@pytest.mark.filterwarnings("ignore:y holds five or fewer")
@pytest.mark.parametrize(("cost", "winner"), [(1.6, DEAR), (1.7, CHEAP)])
@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_the_decrease_of_numbers_is_divided(engine: str, cost: float, winner: int) -> None:
    assert chosen((CLASSES == "high") * 1.0, feature_cost=[1, cost], engine=engine) == [winner]


@pytest.mark.parametrize(
    "costs",
    [
        [1, 4, 2.5, 1, 1],
        np.array([[1], [4], [2.5], [1], [1]]),
        {"c": 2.5, "b": 4},
        pd.Series([2.5, 4], ["c", "b"]),
        pd.Series([1, 4, 2.5, 1, 1]),
    ],
    ids=["list", "column", "dict", "series", "series without names"],
)
def test_costs_are_given_by_position_or_by_name(x: np.ndarray, y: np.ndarray, sent: dict[str, Any], costs: Any) -> None:
    fit = pyrrf.RRF(pd.DataFrame(x, columns=list("abcde")), y, ntree=2, coefReg=0.5, feature_cost=costs)
    assert sent["coef_reg"].tolist() == [0.5, 0.125, 0.2, 0.5, 0.5]
    assert fit.coefReg.tolist() == sent["coef_reg"].tolist()


def test_columns_without_names_go_by_position(x: np.ndarray, y: np.ndarray, sent: dict[str, Any]) -> None:
    pyrrf.RRF(x, y, ntree=2, coefReg=1, feature_cost={4: 2})
    assert sent["coef_reg"].tolist() == [1, 1, 1, 1, 0.5]


def test_the_index_of_a_reversed_series_names_columns(x: np.ndarray, y: np.ndarray, sent: dict[str, Any]) -> None:
    pyrrf.RRF(x, y, ntree=2, coefReg=1, feature_cost=pd.Series([1, 1, 1, 1, 2])[::-1])
    assert sent["coef_reg"].tolist() == [1, 1, 1, 1, 0.5]


def test_a_guided_forest_pays_and_its_guide_does_not(x: np.ndarray, y: np.ndarray) -> None:
    costs = np.array([3.0, 1, 1, 2, 1])
    fit, free = (pyrrf.GRRF(x, y, gamma=0.7, ntree=10, seed=2, feature_cost=given) for given in (costs, None))
    assert fit.ordinary == free.ordinary
    np.testing.assert_array_equal(fit.coefReg, free.coefReg / costs)
    assert not equal_parts(fit.outcome, free.outcome)


@pytest.mark.parametrize("engine", ["r", "parallel"])
def test_costs_of_one_change_nothing(x: np.ndarray, y: np.ndarray, engine: str) -> None:
    fit, free = (pyrrf.RRF(x, y, ntree=10, seed=2, engine=engine, feature_cost=given) for given in (np.ones(5), None))
    assert equal_parts(fit.outcome, free.outcome)


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "below one": ({"feature_cost": [1, 0.5]}, "feature_cost", "range"),
    "missing": ({"feature_cost": [1, np.nan]}, "feature_cost", "missing"),
    "infinite": ({"feature_cost": {0: np.inf}}, "feature_cost", "infinite"),
    "text": ({"feature_cost": ["high", "low"]}, "feature_cost", "type"),
    "one number": ({"feature_cost": 2}, "feature_cost", "length"),
    "too few": ({"feature_cost": [2]}, "feature_cost", "length"),
    "no column": ({"feature_cost": {"a": 2}}, "feature_cost", "unknown"),
    "twice": ({"feature_cost": pd.Series([2, 3], [1, 1])}, "feature_cost", "duplicate"),
    "ordinary forest": ({"feature_cost": [1, 2], "flagReg": 0}, "feature_cost", "conflict"),
    "reward": ({"feature_cost": [1, 2], "coefReg": [-1, 1]}, "coefReg", "range"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    arguments, argument, code = REFUSED[name]
    with refused(argument, code):
        pyrrf.RRF(TABLE, CLASSES, **(ALL_ROWS | arguments))


def test_the_nearest_name_is_shown() -> None:
    with refused("feature_cost", "unknown"):
        pyrrf.RRF(pd.DataFrame(TABLE, columns=["price", "size"]), CLASSES, ntree=1, feature_cost={"prise": 2})


def test_a_guided_forest_refuses_before_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyrrf.fit.fitting.grow", lambda task: pytest.fail("a forest was grown"))
    with pytest.raises(ValueError, match="feature_cost must be at least 1"):
        pyrrf.GRRF(TABLE, CLASSES, feature_cost=[0, 1])
