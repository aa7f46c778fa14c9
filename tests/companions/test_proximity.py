"""outlier, classCenter and the scaling behind MDSplot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.rbase.scaling import scale_proximities
from tests.refusals import refused

# 1 - dist() / 10 of five points in the plane.
PLACES = np.array([[1.0, 0], [2, 1], [4, 1], [8, 3], [9, 7]])
NEAR = 1 - np.sqrt(((PLACES[:, None] - PLACES[None]) ** 2).sum(axis=2)) / 10

# LAPACK's vectors are exact to some units in the last place over the gap between eigenvalues, 0.04.
EIGEN = 1e-13


@pytest.fixture
def y(x: np.ndarray) -> np.ndarray:
    """Two classes that no tree tells apart without error."""
    return np.where(x[:, 0] + x[:, 1] + x[:, 2] > 1.5, "high", "low")


@pytest.fixture
def fit(x: np.ndarray, y: np.ndarray) -> Any:
    return pyrrf.RRF(x, y, ntree=15, proximity=True, seed=1)


# ---- outlier -------------------------------------------------------------------------------------


def measure(near: np.ndarray, n: int) -> np.ndarray:
    raw = n / (near**2).sum(axis=1)
    return (raw - np.median(raw)) / (1.4826 * np.median(np.abs(raw - np.median(raw))))


def test_measure_by_class(fit: Any, y: np.ndarray) -> None:
    found = pyrrf.outlier(fit)
    near = fit.proximity.to_numpy()
    for level in ("high", "low"):
        mine = y == level
        # NumPy adds up in another order than R.
        np.testing.assert_allclose(found[mine], measure(near[np.ix_(mine, mine)], 40), rtol=1e-12)


def test_matrix(fit: Any, y: np.ndarray) -> None:
    pd.testing.assert_series_equal(pyrrf.outlier(fit.proximity, y), pyrrf.outlier(fit))
    np.testing.assert_allclose(
        pyrrf.outlier(fit.proximity.to_numpy()), measure(fit.proximity.to_numpy(), 40), rtol=1e-12
    )


def test_no_spread_gives_nan() -> None:
    assert pyrrf.outlier(np.ones((3, 3))).isna().all()


def test_sum_of_zero_counts_as_one() -> None:
    assert pyrrf.outlier(np.zeros((2, 2))).isna().all()
    near = np.diag([0.0, 1.0, 0.5])
    # n / 1, n / 1 and n / 0.25: median 3, mad 0.
    assert pyrrf.outlier(near).tolist()[2] == np.inf


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"x": "fit"}, "x", "type"),
        ({"x": np.ones((2, 3))}, "x", "shape"),
        ({"x": np.full((2, 2), np.nan)}, "x", "missing"),
        ({"x": np.ones((3, 3)), "cls": ["a", "b"]}, "cls", "length"),
        ({"x": np.ones((3, 3)), "cls": ["a", "a", "b"]}, "cls", "levels"),
    ],
    ids=["text", "shape", "missing", "length", "single"],
)
def test_outlier_errors(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        pyrrf.outlier(**arguments)


def test_outlier_of_fits_that_have_no_measure(x: np.ndarray, y: np.ndarray, fit: Any) -> None:
    with refused("x", "fit"):
        pyrrf.outlier(pyrrf.RRF(x, y, ntree=2))
    with refused("x", "type"):
        pyrrf.outlier(pyrrf.RRF(x, x[:, 0], ntree=2, proximity=True))
    with refused("cls", "conflict"):
        pyrrf.outlier(fit, y)


# ---- classCenter ---------------------------------------------------------------------------------


def test_prototypes_by_hand() -> None:
    label = np.array(["b", "a", "a", "b", "b"])
    # With 3 neighbours the counts of b are 1, 1, 1, 2, 2 and of a 2, 2, 2, 1, 1: ties in both.
    pyrrf.set_seed(4)
    found = pyrrf.classCenter(PLACES, label, NEAR, nNbr=3)
    assert found.index.tolist() == ["b", "a"]
    # The nearest of rows 3 and 4 are 3, 4, 2; of rows 0, 1 and 2 they are 0, 1, 2.
    assert found.loc["b"].tolist() == [8.5, 5]
    assert found.loc["a"].tolist() == [3, 1]


def test_default_number_of_neighbours(x: np.ndarray, y: np.ndarray, fit: Any) -> None:
    pyrrf.set_seed(1)
    found = pyrrf.classCenter(x, y, fit.proximity)
    pyrrf.set_seed(1)
    pd.testing.assert_frame_equal(
        found, pyrrf.classCenter(x, y, fit.proximity, nNbr=min((y == "high").sum(), (y == "low").sum()) - 1)
    )


def test_frame_keeps_its_columns(frame: pd.DataFrame, y: np.ndarray) -> None:
    numbers = frame[["number", "count", "flag"]]
    near = pyrrf.RRF(frame, y, ntree=15, proximity=True, seed=1).proximity
    found = pyrrf.classCenter(numbers, y, near)
    assert list(found) == ["number", "count", "flag"]
    assert found.index.tolist() == list(dict.fromkeys(y))


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"x": pd.DataFrame({"s": list("abcde")})}, "x", "type"),
        ({"x": PLACES[:, 0]}, "x", "type"),
        ({"label": list("ab")}, "label", "length"),
        ({"prox": np.ones((4, 4))}, "prox", "length"),
        ({"nNbr": 1}, "nNbr", "range"),
        ({"nNbr": 6}, "nNbr", "range"),
        ({"nNbr": None}, "nNbr", "range"),
    ],
    ids=["strings", "vector", "label", "prox", "one", "many", "default"],
)
def test_class_center_errors(arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        pyrrf.classCenter(**{"x": PLACES, "label": list("baabb"), "prox": NEAR, "nNbr": 3, **arguments})


# ---- scaling -------------------------------------------------------------------------------------


def test_scaling_is_that_of_r_up_to_the_sign() -> None:
    points, eig, fit = scale_proximities(pd.DataFrame(NEAR), 2)
    # print(cmdscale(1 - p, eig = TRUE, k = 2), digits = 16) in R 4.2.
    r_points = np.array(
        [
            [-0.44774246860217237, 0.039072775816834264],
            [-0.30760854823202227, 0.05811179789498544],
            [-0.1484356057837198, -0.06298310039701191],
            [0.29100517740488324, -0.14599995453270692],
            [0.6127814452130314, 0.11179848121789844],
        ]
    )
    signs = np.sign(points.to_numpy()[0] * r_points[0])
    np.testing.assert_allclose(points * signs, r_points, rtol=0, atol=EIGEN)
    np.testing.assert_allclose(eig[:2], [0.7773145790735785, 0.042685420926421566], rtol=0, atol=EIGEN)
    np.testing.assert_allclose(eig[2:], 0, atol=EIGEN)
    np.testing.assert_allclose(fit, 1, atol=EIGEN)
    assert list(points) == ["Dim 1", "Dim 2"]


def test_scaling_errors() -> None:
    near = pd.DataFrame(NEAR)
    with refused("k", "range"):
        scale_proximities(near, 5)
    with pytest.raises(ValueError, match="k must be a whole number of at least 1"):
        scale_proximities(near, 0)
    # The ends are far apart, all other pairs near: one positive eigenvalue, one of about 0, two negative.
    far = np.full((4, 4), 0.9) + np.diag([0.1] * 4)
    far[0, 3] = far[3, 0] = 0.0
    with refused("k", "range"):
        scale_proximities(pd.DataFrame(far), 3)
