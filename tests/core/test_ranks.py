"""Ranks: arrays that C could not read are refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pyrrf._core import Ranks


def make(**changed: Any) -> Ranks:
    """Ranks of six rows of two columns; an argument may be another one."""
    arguments: dict[str, Any] = {
        "x": np.asfortranarray(np.arange(12.0).reshape(6, 2)),
        "ncat": np.ones(2, np.int32),
        "y": np.array([0, 0, 0, 1, 1, 1], np.int32),
        "nclass": 2,
        "parallel": False,
        "sampsize": np.array([6], np.int32),
    }
    return Ranks(**{**arguments, **changed})


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"x": np.zeros((0, 2), order="F")}, ValueError, r"x: shape \(0, 2\)"),
        ({"x": np.zeros(6)}, ValueError, r"x: shape \(6,\)"),
        ({"x": [[1.0, 2.0]]}, TypeError, "x: list is not an array"),
        ({"ncat": np.ones(1, np.int32)}, ValueError, r"ncat: shape \(1,\)"),
        ({"y": np.zeros(6)}, TypeError, "y: dtype float64"),
        ({"y": np.zeros(3, np.int32)}, ValueError, r"y: shape \(3,\)"),
        ({"y": np.zeros(6, np.int32), "nclass": 1}, TypeError, "y: dtype int32"),
        ({"nclass": 0}, ValueError, "nclass: 0 is out of range"),
        ({"sampsize": np.zeros(0, np.int32)}, ValueError, r"sampsize: shape \(0,\)"),
        ({"sampsize": None}, TypeError, "sampsize: NoneType"),
        ({"strata": np.zeros(2, np.int32)}, ValueError, r"strata: shape \(2,\)"),
        ({"classwt": np.ones(1)}, ValueError, r"classwt: shape \(1,\)"),
        ({"classwt": np.ones(2, np.int32)}, TypeError, "classwt: dtype int32"),
    ],
    ids=str,
)
def test_arrays_that_cannot_be_read(changed: dict[str, Any], error: type, message: str, parallel: bool) -> None:
    with pytest.raises(error, match=message):
        make(parallel=parallel, **changed)


@pytest.mark.parametrize("features", [np.array([0.0]), [0], None], ids=str)
def test_columns_that_are_no_int32(features: Any) -> None:
    with pytest.raises(TypeError, match="features"):
        make().select(features)


@pytest.mark.parametrize("features", [[2], [-1], []], ids=str)
def test_columns_that_are_not_there(features: list[int]) -> None:
    with pytest.raises(ValueError, match="out of its range"):
        make().select(np.array(features, np.int32))
