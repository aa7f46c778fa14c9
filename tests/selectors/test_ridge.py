"""The ridge regression without rows and columns, beside one that is fitted anew without them."""

from __future__ import annotations

import numpy as np
import pytest

from pyrrf.selectors.ridge import Ridge


def error_without_each_row(
    z: np.ndarray, target: np.ndarray, weight: np.ndarray, penalty: float
) -> tuple[float, np.ndarray]:
    """Return the mean squared error of the rows left out, and their predictions."""
    n, predicted = len(z), np.zeros(target.shape)
    for row in range(n):
        kept = np.arange(n) != row
        rows = np.c_[np.ones(n - 1), z[kept]]
        heavy = rows * weight[kept, None]
        slopes = np.linalg.solve(rows.T @ heavy + np.diag([0.0] + [penalty] * z.shape[1]), heavy.T @ target[kept])
        predicted[row] = slopes[0] + z[row] @ slopes[1:]
    return float((weight[:, None] * (target - predicted) ** 2).sum() / n), predicted


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "p", "k"), [(30, 6, 1), (30, 6, 3), (12, 20, 2), (40, 1, 1)])
def test_beside_fits_without_each_row_and_block(n: int, p: int, k: int, weighted: bool) -> None:
    chance = np.random.default_rng(n + p)
    x = chance.standard_normal((n, p))
    target = chance.standard_normal((n, k)) + x[:, :1]
    weight = chance.uniform(0.3, 2, n) if weighted else np.ones(n)
    weight *= n / weight.sum()
    block = np.arange(p)
    if p > 4:
        x[:, 2] = 1.0  # a constant one
        block[[1, 4]] = 0, 3
    centre = weight / n @ x
    spread = np.sqrt(weight / n @ (x - centre) ** 2)
    z = (x - centre) / np.where(spread > 1e-9, spread, 1) * (spread > 1e-9)
    columns = np.arange(p)
    fits = [(*error_without_each_row(z, target, weight, each), each) for each in np.geomspace(1e-2, 1e4, 13)]
    _, predicted, penalty = min(fits, key=lambda fit: fit[0])

    def expected(left: np.ndarray) -> list[float]:
        whole = error_without_each_row(z[:, left], target, weight, penalty)[0]
        without = [left[block[left] != each] for each in np.unique(block[left])]
        return [error_without_each_row(z[:, kept], target, weight, penalty)[0] - whole for kept in without]

    ridge = Ridge(x, target, block, weight if weighted else None)
    assert np.allclose(ridge.prediction, predicted, rtol=0, atol=1e-9)
    assert np.allclose(ridge.credit(), expected(columns), rtol=0, atol=1e-9)
    for gone in (3, 0) if p > 4 else ():
        ridge.drop(gone)
        columns = columns[block[columns] != gone]
        assert ridge.blocks.tolist() == np.unique(block[columns]).tolist()
        assert np.allclose(ridge.credit(), expected(columns), rtol=0, atol=1e-9)


def test_a_column_that_takes_noise_out_of_another_has_credit() -> None:
    chance = np.random.default_rng(1)
    signal, noise, other = chance.standard_normal((3, 200))
    credit = Ridge(np.column_stack([signal + 2 * noise, noise, other]), signal[:, None]).credit()
    assert credit[1] > 0.3 > 0.01 > abs(credit[2])


def test_all_columns_gone() -> None:
    ridge = Ridge(np.arange(6.0)[:, None], np.array([[0.0], [1], [0], [1], [1], [1]]))
    ridge.drop(0)
    assert ridge.blocks.size == ridge.credit().size == 0
    assert ridge.prediction.shape == (6, 1)


def test_features_chosen_by_the_same_rows_have_less_credit() -> None:
    """Of many features of noise the best look useful, on rows left out of the fit but not of the choice."""
    chance = np.random.default_rng(5)
    x, y = chance.standard_normal((80, 1000)), chance.standard_normal((80, 1))
    best = np.argsort(-np.abs(x.T @ y)[:, 0])[:10]
    every, chosen = (Ridge(x[:, best], y, chosen_from=m) for m in (10, 1000))
    plain, less = every.credit(), chosen.credit()
    assert (plain > 0).sum() >= 8
    error = float(((chosen.prediction - y) ** 2).mean())
    assert np.allclose(
        less, np.sign(plain) * np.maximum(np.abs(plain) - 2 * np.log(100) * error / 80, 0), rtol=1e-12, atol=0
    )
    assert (less > 0).sum() <= 3
    y += 2 * x[:, [7]]
    assert Ridge(x[:, [*best[:3], 7]], y, chosen_from=1000).credit().argmax() == 3


def test_rows_that_count_more_do_not_make_noise_look_useful() -> None:
    """The squared t of noise grows with the spread of the weights; so does what is taken off."""
    useful = []
    y = np.repeat([1.0, 0.0], [6, 294])[:, None]
    weight = np.where(y[:, 0] > 0, 7.0, 1.0)
    for seed in range(30):
        x = np.random.default_rng(seed).standard_normal((300, 30))
        useful.append((Ridge(x, y, weight=weight / weight.mean(), chosen_from=60).credit() > 0).mean())
    assert np.mean(useful) < 0.04  # .08 by the squared error alone; .01 where all rows count alike
