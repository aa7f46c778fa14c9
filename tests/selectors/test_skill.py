"""Weights of two predictions: by hand, beside a general program, and nothing for what adds nothing."""

from __future__ import annotations

import numpy as np
import pytest

from pyrrf.selectors.skill import nearest, skill


def test_weights_by_hand() -> None:
    target = np.array([[0.0], [1], [2], [3]])
    exact, wrong = target, 3 - target
    assert np.allclose(skill(exact, wrong, target), (1, 0))
    assert np.allclose(skill(wrong, exact, target), (0, 1))
    assert skill(wrong, wrong, target) == (1, 0)
    # The forest alone has the weight 1 and leaves 4, 1 a row; beside it the other one is exact in half of the rows.
    target = np.array([[2.0], [-2], [2], [-2], [2], [-2], [2], [-2]])
    forest, ridge = target / 2, np.array([[1.0], [-1], [1], [-1], [0], [0], [0], [0]])
    assert skill(forest, forest, target) == (2, 0)
    noisy = forest + np.array([[1.0], [1], [-1], [-1]] * 2)
    # wanted 2s, noisy s + e with e across s: alone 1, error 8 (2 - 1)^2 + 8 = 16; ridge s in half of the rows.
    both = nearest(np.stack([noisy.ravel(), ridge.ravel()]), target.ravel())
    after = ((target.ravel() - both[0] * noisy.ravel() - both[1] * ridge.ravel()) ** 2).sum()
    share = 1 - 4 * after / ((16 - after) * 6)
    assert np.allclose(skill(noisy, ridge, target), np.array([1, 0]) + max(0, share) * (both - [1, 0]))


@pytest.mark.parametrize("weighted", [False, True])
def test_a_ridge_that_adds_nothing_rarely_counts(weighted: bool) -> None:
    counted = []
    for number in range(300):
        chance = np.random.default_rng(number)
        target, noise = chance.standard_normal((2, 100, 1))
        weight = chance.uniform(0.5, 1.5, 100) if weighted else None
        counted.append(skill(target + chance.standard_normal((100, 1)), noise, target, weight)[1])
    assert np.mean(np.array(counted) > 0) < 0.06
    assert max(counted) < 0.2


def test_nearest_beside_a_general_program() -> None:
    nnls = pytest.importorskip("scipy.optimize").nnls
    for number in range(200):
        chance = np.random.default_rng(number)
        wanted = chance.standard_normal(40)
        sides = np.stack([wanted * chance.uniform(-1, 1) + chance.standard_normal(40) for _ in range(2)])
        assert np.allclose(nearest(sides, wanted), nnls(sides.T, wanted)[0], rtol=0, atol=1e-10)
