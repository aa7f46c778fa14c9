"""Leverage scores against singular vectors worked out by hand, their properties, and the bound of their error."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from pyrrf.papers.less.leverage import norm_scores, right_vectors, uniform_scores
from pyrrf.selectors import leverage_scores


def make(n: int, p: int, seed: int = 1, decay: float = 0.8) -> np.ndarray:
    """A table whose singular values fall by about `decay` from one to the next."""
    rng = np.random.default_rng(seed)
    k = min(n, p)
    left, right = (np.linalg.qr(rng.normal(size=(size, k)))[0] for size in (n, p))
    return left * 100 * decay ** np.arange(k) @ right.T


# ---- by hand -------------------------------------------------------------------------------------

# X'X of [[2, 1], [1, 2]] has the vectors (1, 1) and (1, -1), and so has that of [[3, 0], [4, 5]]: [[25, 20], [20, 25]].
# That of [[1, 0], [0, 2], [0, 0]] is diagonal. Of [[1, 2], [0, 2], [2, 1]] it is [[5, 4], [4, 9]], with the eigenvalue
# 7 + √20 and the vector (4, 2 + √20).
SECOND = (2 + np.sqrt(20)) ** 2
BY_HAND = {
    "symmetric": ([[2, 1], [1, 2]], 1, [0.5, 0.5]),
    "two-by-two": ([[3, 0], [4, 5]], 1, [0.5, 0.5]),
    "triangle": ([[1, 1], [0, 1]], 1, [(5 - np.sqrt(5)) / 10, (5 + np.sqrt(5)) / 10]),
    "diagonal": ([[1, 0], [0, 2], [0, 0]], 1, [0, 1]),
    "three-by-two": ([[1, 2], [0, 2], [2, 1]], 1, [16 / (16 + SECOND), SECOND / (16 + SECOND)]),
    "three-by-two, both": ([[1, 2], [0, 2], [2, 1]], 2, [0.5, 0.5]),
    "two-by-three": ([[1, 1, 0], [1, 0, 1]], 1, [2 / 3, 1 / 6, 1 / 6]),
    "two-by-three, both": ([[3, 0, 0], [0, 1, 1]], 2, [0.5, 0.25, 0.25]),
}


@pytest.mark.parametrize("svd", ["full", "randomized"])
@pytest.mark.parametrize(("x", "rank", "wanted"), BY_HAND.values(), ids=BY_HAND)
def test_by_hand(x: list[list[float]], rank: int, wanted: list[float], svd: str) -> None:
    np.testing.assert_allclose(leverage_scores(x, rank, svd=svd), wanted, atol=1e-14)


def test_centred_by_hand() -> None:
    # Less the means 2 and 5 the rows are ±(1, 2).
    np.testing.assert_allclose(leverage_scores([[1, 3], [3, 7]], 1, center=True), [0.2, 0.8], atol=1e-14)
    np.testing.assert_allclose(norm_scores([[1, 3], [3, 7]], center=True), [0.2, 0.8])
    np.testing.assert_allclose(norm_scores([[1, 3], [3, 7]]), [10 / 68, 58 / 68])


def test_uniform() -> None:
    np.testing.assert_array_equal(uniform_scores(4), [0.25] * 4)


# ---- properties ----------------------------------------------------------------------------------


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("svd", ["full", "randomized"])
@pytest.mark.parametrize(("n", "p", "rank"), [(30, 8, 3), (8, 30, 3), (8, 30, 7), (12, 12, 1)])
def test_they_are_a_distribution(n: int, p: int, rank: int, svd: str, center: bool) -> None:
    scores = leverage_scores(make(n, p), rank, svd=svd, center=center)
    assert scores.shape == (p,)
    assert (scores >= 0).all()
    # A projection has no entry above 1.
    assert scores.max() <= 1 / rank + 1e-12
    assert scores.sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("p", [1, 5, 20])
def test_all_vectors_give_equal_scores(p: int) -> None:
    np.testing.assert_allclose(leverage_scores(make(25, p), p), uniform_scores(p), atol=1e-13)


@pytest.mark.parametrize("rank", [1, 4])
def test_what_does_not_change_them(rank: int) -> None:
    x, rng = make(20, 9), np.random.default_rng(2)
    wanted = leverage_scores(x, rank)
    turned = np.linalg.qr(rng.normal(size=(20, 20)))[0] @ x
    for same in (-3 * x, x[::-1], turned, np.vstack([x, x])):
        np.testing.assert_allclose(leverage_scores(same, rank), wanted, atol=1e-12)
    order = rng.permutation(9)
    np.testing.assert_allclose(leverage_scores(x[:, order], rank), wanted[order], atol=1e-12)


def test_centring_makes_shifts_harmless() -> None:
    x, shift = make(20, 9), np.arange(9.0)
    for scores in (lambda x: leverage_scores(x, 3, center=True), lambda x: norm_scores(x, center=True)):
        np.testing.assert_allclose(scores(x + shift), scores(x), atol=1e-12)
    assert abs(leverage_scores(x + shift, 3) - leverage_scores(x, 3)).max() > 0.01


# ---- randomized ----------------------------------------------------------------------------------


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("steps", [0, 1, 2, 4])
@pytest.mark.parametrize(("n", "p", "rank"), [(200, 80, 4), (60, 400, 4), (60, 400, 12)])
def test_randomized_is_within_its_bound(n: int, p: int, rank: int, steps: int, center: bool) -> None:
    x = make(n, p, decay=0.85) + 1.0
    exact = leverage_scores(x, rank, center=center)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = right_vectors(
            x, rank, svd="randomized", center=center, oversampling=4, power_iterations=steps, seed=steps
        )
    error = abs(found.scores - exact).sum() / 2
    assert error <= found.error_bound
    if steps == 4:
        assert found.error_bound < 0.05


def test_the_bound_is_not_far_from_the_error() -> None:
    x = make(300, 100, decay=0.7)
    for steps in (2, 3, 4):
        found = right_vectors(x, 3, svd="randomized", oversampling=2, power_iterations=steps)
        error = abs(found.scores - leverage_scores(x, 3)).sum() / 2
        assert error <= found.error_bound <= 300 * error


def test_more_iterations_are_nearer() -> None:
    x = make(100, 60, decay=0.9)
    bounds = [right_vectors(x, 5, svd="randomized", power_iterations=steps).error_bound for steps in (4, 8, 16)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < bounds[0] / 100


def test_one_seed_is_one_answer() -> None:
    x = make(100, 60)
    first, again, other = (leverage_scores(x, 5, svd="randomized", power_iterations=2, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


@pytest.mark.parametrize("center", [False, True])
def test_sparse_is_dense(center: bool) -> None:
    rng = np.random.default_rng(3)
    # Rows of very different lengths, so that there is a gap to find.
    x = rng.normal(size=(60, 90)) * (rng.random((60, 90)) < 0.2) * 0.7 ** np.arange(60)[:, None]
    for kind in (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_array):
        sparse = right_vectors(kind(x), 3, svd="randomized", center=center)
        dense = right_vectors(x, 3, svd="randomized", center=center)
        np.testing.assert_allclose(sparse.scores, dense.scores, atol=1e-10)
        assert abs(sparse.scores - leverage_scores(x, 3, center=center)).sum() / 2 <= sparse.error_bound < 1e-3
        np.testing.assert_allclose(norm_scores(kind(x), center=center), norm_scores(x, center=center), atol=1e-12)


def test_very_wide_and_sparse() -> None:
    # A table of p x p numbers would have 3.2 GB.
    rng, p = np.random.default_rng(4), 20_000
    topics = scipy.sparse.random_array((200, p), density=0.01, rng=rng).tolil()
    topics[:100, :10] = 5.0
    found = right_vectors(topics, 1, svd="randomized")
    assert found.error_bound < 1e-3
    assert found.scores[:10].sum() > 0.9


# ---- what is not told, or refused ----------------------------------------------------------------


@pytest.mark.parametrize("svd", ["full", "randomized"])
def test_equal_singular_values_are_reported(svd: str) -> None:
    with pytest.warns(UserWarning, match="rank: the scores are undefined"):
        assert right_vectors(np.eye(6), 2, svd=svd).error_bound == 1


def test_the_bound_of_rounding() -> None:
    assert right_vectors(make(30, 8), 3).error_bound < 1e-12
    near = right_vectors(np.diag([1.0, 1.0 - 1e-10, 0.5]), 1)
    assert 1e-7 < near.error_bound < 1e-4


REFUSED = {
    "above the smaller side": ((np.ones((3, 5)), 4), {}, ValueError, "rank: 4 is above 3"),
    "above the numerical rank": ((np.ones((3, 5)), 2), {}, ValueError, "rank: 2 is above the numerical rank of X, 1"),
    "randomized": ((np.ones((3, 5)), 2), {"svd": "randomized"}, ValueError, "above the numerical rank of X, 1"),
    "zeros": ((np.zeros((3, 5)), 1), {}, ValueError, "numerical rank of X, 0"),
    "zeros, randomized": ((np.zeros((3, 5)), 1), {"svd": "randomized"}, ValueError, "numerical rank of X, 0"),
    "one row, centred": ((np.ones((1, 5)), 1), {"center": True}, ValueError, "numerical rank of X, 0"),
    "no rank": ((np.ones((3, 5)), 0), {}, ValueError, "rank must be"),
    "half a rank": ((np.ones((3, 5)), 1.5), {}, ValueError, "rank must be"),
    "a name": ((np.ones((3, 5)), "1"), {}, TypeError, "rank must be"),
    "svd": ((np.ones((3, 5)), 1), {"svd": "thin"}, ValueError, "svd must be one of 'full', 'randomized'"),
    "center": ((np.ones((3, 5)), 1), {"center": "yes"}, TypeError, "center must be"),
    "oversampling": ((np.ones((3, 5)), 1), {"svd": "randomized", "oversampling": -1}, ValueError, "oversampling"),
    "power": ((np.ones((3, 5)), 1), {"svd": "randomized", "power_iterations": -1}, ValueError, "power_iterations"),
    "seed": ((np.ones((3, 5)), 1), {"svd": "randomized", "seed": -1}, ValueError, "seed"),
    "missing": (([[1, np.nan]], 1), {}, ValueError, "X holds NaN"),
    "words": (([["a", "b"]], 1), {}, TypeError, "X must hold numbers"),
    "words of digits": (([["1", "2"]], 1), {}, TypeError, "X must hold numbers"),
    "dates": ((np.array([["2020", "2021"]], "M8[Y]"), 1), {}, TypeError, "X must hold numbers"),
    "complex": ((np.eye(3) * 1j, 1), {}, TypeError, "X must hold numbers"),
    "complex, sparse": ((scipy.sparse.eye_array(3) * 1j, 1), {"svd": "randomized"}, TypeError, "X must hold numbers"),
    "masked": ((np.ma.masked_equal([[1.0, 2.0]], 2.0), 1), {}, ValueError, "X holds NaN"),
    "a vector": (([1, 2], 1), {}, ValueError, "X must be a table"),
    "no rows": ((np.ones((0, 5)), 1), {}, ValueError, "X must have rows"),
    "sparse": ((scipy.sparse.eye_array(3), 1), {}, ValueError, "takes no sparse X"),
}


@pytest.mark.parametrize(("arguments", "options", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(arguments: tuple, options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        leverage_scores(*arguments, **options)


@pytest.mark.parametrize("kind", [np.array, scipy.sparse.csr_array])
@pytest.mark.parametrize("value", [1.0, 0.1, 1e9 / 3])
def test_constant_columns_are_nothing_once_centred(kind: Any, value: float) -> None:
    # Their mean is not always the number that they hold.
    x = kind(np.full((7, 5), value))
    with pytest.raises(ValueError, match="norm of 0"):
        norm_scores(x, center=True)
    with pytest.raises(ValueError, match="numerical rank of X, 0"):
        leverage_scores(x, 1, center=True, svd="randomized")
    assert norm_scores(x).tolist() == pytest.approx([0.2] * 5)


@pytest.mark.parametrize("exponent", [-1000, -400, 400, 1000])
@pytest.mark.parametrize("center", [False, True])
def test_scores_of_any_size(exponent: int, center: bool) -> None:
    # Squares of such entries are infinite, or 0.
    x = np.random.default_rng(1).random((12, 5))
    scaled = np.ldexp(x, exponent)
    assert (norm_scores(scaled, center=center) == norm_scores(x, center=center)).all()
    tables = [("full", x, scaled), ("randomized", *map(scipy.sparse.csr_array, (x, scaled)))]
    for svd, table, other in tables:
        found, expected = (right_vectors(each, 2, svd=svd, center=center) for each in (other, table))
        assert np.allclose(found.scores, expected.scores, rtol=1e-12)
        assert np.allclose(found.singular_values, np.ldexp(expected.singular_values, exponent), rtol=1e-12, atol=0)
        assert found.numerical_rank == expected.numerical_rank
