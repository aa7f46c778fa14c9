"""Responses far from 0: trees and their quality are those of the same responses near 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf._core import TreeGrower
from tests.refusals import refused

OFFSETS = [1e7, 3e7, -1e9]
CENTRED: dict[str, dict[str, Any]] = {
    "engine r, quirks=False": {"quirks": False},
    "engine parallel": {"engine": "parallel"},
    "engine parallel, ordinary": {"engine": "parallel", "flagReg": 0},
}


def near() -> tuple[np.ndarray, np.ndarray]:
    """Responses that stay exact when an offset is added."""
    generator = np.random.default_rng(4)
    x = generator.standard_normal((400, 5))
    return x, np.round((x[:, 0] * 2 + x[:, 1] + 0.3 * generator.standard_normal(400)) * 2**12) / 2**12


def grow(x: np.ndarray, y: np.ndarray, **arguments: Any) -> pyrrf.RRFResult:
    return pyrrf.RRF(x, y, **{"ntree": 20, "seed": 3, "importance": True, **arguments})


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("arguments", CENTRED.values(), ids=CENTRED)
def test_an_offset_changes_no_split(arguments: dict[str, Any], offset: float) -> None:
    x, y = near()
    fit, far = grow(x, y, **arguments), grow(x, y + offset, **arguments)
    for name in ("left", "split_var", "split_point", "status"):
        np.testing.assert_array_equal(getattr(fit.forest.trees, name), getattr(far.forest.trees, name))
    # A prediction keeps as many digits as fit beside the offset.
    ulp = np.spacing(abs(offset))
    np.testing.assert_allclose(far.forest.trees.prediction - offset, fit.forest.trees.prediction, rtol=0, atol=2 * ulp)
    np.testing.assert_allclose(far.predicted - offset, fit.predicted, rtol=0, atol=40 * ulp)
    np.testing.assert_allclose(pyrrf.predict(far, x) - offset, pyrrf.predict(fit, x), rtol=0, atol=40 * ulp)
    np.testing.assert_allclose(far.rsq, fit.rsq, rtol=0, atol=1e-6)
    np.testing.assert_allclose(far.importance, fit.importance, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("arguments", CENTRED.values(), ids=CENTRED)
def test_test_sets_are_predicted_far_from_0(arguments: dict[str, Any]) -> None:
    x, y = near()
    fit, far = (grow(x, y + to, xtest=x, ytest=y + to, **arguments) for to in (0.0, 1e9))
    np.testing.assert_allclose(far.test.predicted - 1e9, fit.test.predicted, rtol=0, atol=1e-5)
    np.testing.assert_allclose(far.test.mse, fit.test.mse, rtol=1e-4)


def test_engine_r_with_quirks_loses_its_digits_as_r_does() -> None:
    x, y = near()
    assert grow(x, y).rsq.iloc[-1] > 0.7
    assert grow(x, y + 1e9).rsq.iloc[-1] < 0.5


@pytest.mark.parametrize("engine", [{"quirks": False}, {"engine": "parallel"}], ids=str)
def test_a_response_without_variance_is_not_split(engine: dict[str, Any]) -> None:
    x, _ = near()
    with pytest.warns(UserWarning, match="five or fewer"):
        fit = grow(x, np.full(len(x), 1e9 + 0.1), **engine)
    assert pyrrf.treesize(fit).tolist() == [1] * 20
    assert set(pyrrf.predict(fit, x).tolist()) == {1e9 + 0.1}


@pytest.mark.parametrize("of_request", [False, True])
def test_trees_grown_one_at_a_time(of_request: bool) -> None:
    x, y = near()

    def tree(offset: float) -> Any:
        made = y * 0 if of_request else y + offset
        grower = TreeGrower(x, np.ones(5, np.int32), made, 1, mtry=2, coef_reg=np.full(5, 0.8))
        used = np.zeros(5, np.int32)
        return grower.grow(used, seed=1, response=y + offset if of_request else None)

    near_tree, far = tree(0.0), tree(1e9)
    np.testing.assert_array_equal(far.tree.split_point, near_tree.tree.split_point)
    np.testing.assert_allclose(far.total[:, 1] / far.total[:, 0], far.tree.prediction, rtol=1e-15)
    np.testing.assert_array_equal(far.total[:, 0], near_tree.total[:, 0])


@pytest.mark.parametrize(("power", "remedy"), [(-130, "multiply"), (130, "divide")])
def test_a_response_whose_squares_are_out_of_range_is_refused(power: int, remedy: str) -> None:
    x, y = near()
    with refused("y", "scale"):
        grow(x, y * 10.0**power, engine="parallel")
    with pytest.warns(UserWarning, match="y has a largest absolute value of .*as"):
        grow(x, y * 10.0**power)


def test_a_response_of_zeros_is_grown() -> None:
    x, y = near()
    with pytest.warns(UserWarning, match="five or fewer"):
        fit = grow(x, 0 * y, engine="parallel")
    assert (fit.predicted == 0).all()
