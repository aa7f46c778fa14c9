"""Shares of the whole table that features explain: leverage scores, squared norms, and equal scores.

Source: A. Kyrillidis and A. Zouzias, "Non-uniform feature sampling for decision tree ensembles", section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrrf import checks
from pyrrf.checks import check_finite
from pyrrf.data.sparse import check_sparse_matrix
from pyrrf.errors import bad
from pyrrf.types import Floats

_EPS = float(np.finfo(np.float64).eps)
# Parameters of the error bound of a randomized decomposition: steps of Lanczos' method, probability of too few steps.
_STEPS = 40
_FAILURE = 1e-9
# Tables whose largest entry is outside of these limits are scaled by a power of 2, which changes no digit.
_LEAST, _MOST = 1e-100, 1e100


@dataclass(frozen=True, eq=False, kw_only=True)
class RightVectors:
    """The leading right singular vectors of a table."""

    vectors: Floats  # float64, shape (p, rank): one vector a column, that of the largest singular value first
    # float64, descending: all computed values; min(n, p) with ``svd="full"``, otherwise `rank` plus the oversampling
    singular_values: Floats
    numerical_rank: int  # number of singular values above rounding error, as in numpy's `matrix_rank`
    error_bound: float  # largest error of the sum of scores of any set of features; 1 gives no information

    @property
    def scores(self) -> Floats:
        """Leverage scores, float64 of shape (p,): the mean of the squared entries of each feature. They sum to 1."""
        return _shares(np.square(self.vectors).sum(axis=1))


def leverage_scores(
    X: Any, rank: int, *, svd: str = "full", center: bool = False, oversampling: int = 10, power_iterations: int = 8,
    seed: int = 0,
) -> Floats:  # fmt: skip
    """Return the leverage scores of the columns of a table.

    Parameters
    ----------
    X : array-like or sparse matrix of numbers, shape (n, p)
        Finite. A sparse one needs ``svd="randomized"``.
    rank : int
        Number of right singular vectors in the scores, at most the numerical rank. The scores depend strongly on it:
        with `rank` = p = numerical rank all scores are 1/p. The paper does not state its rank.
    svd : {"full", "randomized"}, default 'full'
        The exact decomposition, or a randomized one, which needs no more room than X and (n + p) * (rank +
        oversampling) numbers.
    center : bool, default False
        Whether the mean of each column is subtracted, in a sparse X implicitly. The paper did not: its scores by norms
        fail on Madelon; on centred columns they do not.
    oversampling : int, default 10
        Further vectors that a randomized decomposition starts with.
    power_iterations : int, default 8
        Number of multiplications of the vectors by X and its transpose. More iterations make the error smaller.
    seed : int, default 0
        Decides the numbers that a randomized decomposition draws.

    Returns
    -------
    ndarray of float64, shape (p,)
        Scores that sum to 1, l_j = (V_j1² + ... + V_j,rank²) / rank. `right_vectors` has their error, too.

    Raises
    ------
    TypeError, ValueError
        An argument is of another type or range than stated, X holds NaN, or `rank` is above the numerical rank.

    Notes
    -----
    A. Kyrillidis and A. Zouzias, Non-uniform feature sampling for decision tree ensembles, 2014: section 5, definition
    1, equation 1.

    Examples
    --------
    The first column is the sum of the two others; the table has rank 2.

    >>> from pyrrf.papers import leverage_scores
    >>> leverage_scores([[1, 1, 0], [1, 0, 1]], rank=2).round(4).tolist()
    [0.3333, 0.3333, 0.3333]
    >>> leverage_scores([[1, 1, 0], [1, 0, 1]], rank=1).round(4).tolist()
    [0.6667, 0.1667, 0.1667]
    """
    vectors = right_vectors(
        X, rank, svd=svd, center=center, oversampling=oversampling, power_iterations=power_iterations, seed=seed
    )
    return vectors.scores


def right_vectors(
    X: Any, rank: int, *, svd: str = "full", center: bool = False, oversampling: int = 10, power_iterations: int = 8,
    seed: int = 0,
) -> RightVectors:  # fmt: skip
    """Compute the singular vectors behind `leverage_scores`, and a bound of the error of the scores.

    Arguments and errors are those of `leverage_scores`. A warning says that the scores have no error bound, because the
    singular values number `rank` and `rank` + 1 are too close to each other.

    Notes
    -----
    The paper (section 5) names randomized decompositions, but no bound. Let V be the computed vectors, A = X'X, and
    R = AV - V(V'AV). By Davis and Kahan (1970) the sines of the angles between V and the exact vectors have a norm of
    at most ||R|| / gap, where gap is the least eigenvalue of V'AV less the largest of A orthogonal to V. That norm,
    divided by the root of `rank`, bounds half the sum of the absolute errors of the scores, hence the error of each
    score and of each sum of scores.

    The largest eigenvalue of A orthogonal to V is at most that of a 2 by 2 matrix. Its diagonal has the eigenvalue that
    the oversampling found, and a bound of A orthogonal to all computed vectors; off the diagonal are the residuals of
    the former. The bound is the trace, or 40 steps of Lanczos' method with an allowance that is too small with
    probability 1e-9 (Kuczynski and Wozniakowski 1992, theorem 4.2). For ``svd="full"`` the bound is that of rounding:
    max(n, p) units in the last place of the largest singular value, divided by the gap of the two singular values.

    Examples
    --------
    >>> import numpy as np
    >>> from pyrrf.papers import leverage_scores
    >>> from pyrrf.papers.less.leverage import right_vectors
    >>> x = np.random.default_rng(1).normal(size=(50, 30)) * np.linspace(3, 1, 30) ** 4
    >>> found = right_vectors(x, 2, svd="randomized")
    >>> error = abs(found.scores - leverage_scores(x, 2)).sum() / 2
    >>> bool(error <= found.error_bound <= 1e-3)
    True
    """
    rank, center = checks.count(rank, "rank"), checks.flag(center, "center")
    table = _Table.of(X, center)
    if rank > min(table.shape):
        raise bad.range(f"rank: {rank} is above {min(table.shape)}, the smaller side of X; pass a smaller rank")
    if checks.choice(svd, "svd", ("full", "randomized")) == "full":
        vectors = _full(table, rank)
    else:
        width = rank + checks.count(oversampling, "oversampling", 0)
        steps = checks.count(power_iterations, "power_iterations", 0)
        vectors = _decompose_randomly(table, rank, width, steps, np.random.default_rng(checks.count(seed, "seed", 0)))
    if rank > vectors.numerical_rank:
        raise bad.range(f"rank: {rank} is above the numerical rank of X, {vectors.numerical_rank}; pass a smaller rank")
    if vectors.error_bound >= 1:
        checks.warn(
            f"rank: the scores are undefined, because the singular values {rank} and {rank + 1} are too near to "
            "each other; pass another rank, or more power_iterations to a randomized decomposition"
        )
    return vectors


def norm_scores(X: Any, *, center: bool = False) -> Floats:
    """Return the squared column norms of a table, divided by their sum: "norm-based sampling", section 5 of the paper.

    X is a table or a sparse matrix of finite numbers, not all 0. With `center` the scores are those of the variances.

    Examples
    --------
    >>> from pyrrf.papers.less.leverage import norm_scores
    >>> norm_scores([[1, 3], [1, 3]]).tolist()
    [0.1, 0.9]
    """
    table = _Table.of(X, checks.flag(center, "center"))
    squares = table.squared_norms()
    if squares.max() <= table.rounding**2:
        raise bad.constant("X: every column has a norm of 0; pass other data, or use equal scores")
    return _shares(squares)


def _shares(squares: Floats) -> Floats:
    shares: Floats = squares / squares.sum()
    return shares


# ---- the table -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Table:
    """A dense or sparse table minus `mean` in each column; for a sparse table the differences are not stored.

    `size` is the largest column norm before centring; rounding errors are relative to it. The table is
    2 ** `exponent` times `values`; the exponent is 0 unless the squares might be infinite, or all 0.
    """

    values: Any
    mean: Floats
    sparse: bool
    size: float = 0.0
    exponent: int = 0

    @classmethod
    def of(cls, X: Any, center: bool) -> _Table:
        sparse = hasattr(X, "tocsr")
        values: Any = _sparse(X) if sparse else _dense(X)
        if 0 in values.shape:
            raise bad.shape(f"X must have rows and columns, not shape {values.shape}")
        check_finite(values.data if sparse else values, "X")
        values, exponent = _near_one(values, sparse)
        nothing = np.zeros(values.shape[1])
        size = math.sqrt(cls(values, nothing, sparse).squared_norms().max())
        mean = np.asarray(values.mean(axis=0), np.float64).ravel() if center else nothing
        if center and not sparse:
            values, mean = values - mean, nothing
        return cls(values, mean, sparse, size, exponent)

    @property
    def shape(self) -> tuple[int, int]:
        n, p = self.values.shape
        return n, p

    @property
    def rounding(self) -> float:
        """Largest error of a singular value."""
        return max(self.shape) * _EPS * self.size

    def times(self, right: Floats) -> Floats:
        """Multiply the table and `right`, a vector or a matrix."""
        return np.asarray(self.values @ right) - self.mean @ right

    def transposed_times(self, left: Floats) -> Floats:
        """Multiply the transposed table and `left`."""
        product: Floats = np.asarray(self.values.T @ left) - np.multiply.outer(self.mean, left.sum(axis=0))
        return product

    def squared_norms(self) -> Floats:
        """Return the squared norms of the columns."""
        if not self.sparse:
            return np.asarray(np.einsum("ij,ij->j", self.values, self.values))
        (n, p), column = self.shape, self.values.indices
        stored = np.bincount(column, np.square(self.values.data - self.mean[column]), minlength=p)
        return np.asarray(stored + (n - np.bincount(column, minlength=p)) * np.square(self.mean), np.float64)


def _sparse(X: Any) -> Any:
    check_sparse_matrix(X, "X")
    if X.dtype.kind not in "biuf":
        raise bad.type(f"X must hold numbers, not dtype {X.dtype}")
    values = X.tocsr().astype(np.float64)
    values.sum_duplicates()
    return values


def _near_one(values: Any, sparse: bool) -> tuple[Any, int]:
    """Return values and 0, or, if squares are out of range, values divided by a power of 2, and its exponent."""
    entries = values.data if sparse else values
    largest = max(float(entries.max(initial=0.0)), -float(entries.min(initial=0.0)))
    if largest == 0 or _LEAST < largest < _MOST:
        return values, 0
    exponent = math.frexp(largest)[1]
    if not sparse:
        return np.ldexp(values, -exponent), exponent
    scaled = values.copy()
    scaled.data = np.ldexp(values.data, -exponent)
    return scaled, exponent


def _dense(X: ArrayLike) -> Floats:
    values = np.ma.filled(X.astype(np.float64), np.nan) if np.ma.isMaskedArray(X) else np.asarray(X)
    try:
        if values.dtype.kind not in "biufO":
            raise TypeError
        values = values.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise bad.type("X must hold numbers; code its categories as numbers, or drop them") from None
    if values.ndim != 2:
        raise bad.shape(f"X must be a table with rows and columns, not shape {values.shape}")
    return values


# ---- decompositions ------------------------------------------------------------------------------


def _full(table: _Table, rank: int) -> RightVectors:
    if table.sparse:
        raise bad.unsupported("svd: 'full' takes no sparse X; pass svd='randomized'")
    _, values, transposed = np.linalg.svd(table.values, full_matrices=False)
    gap = values[rank - 1] - (values[rank] if rank < len(values) else 0.0)
    bound = min(1.0, _rounding(table, values) / gap) if gap > 0 else 1.0
    return _vectors(table, transposed[:rank].T, values, float(bound))


def _decompose_randomly(table: _Table, rank: int, width: int, steps: int, rng: np.random.Generator) -> RightVectors:
    """Run a subspace iteration with a random start (Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1).

    scikit-learn's `randomized_svd` does the same, but does not centre a sparse table, and returns no error bound.
    """
    n, p = table.shape
    basis = _orthonormal(table.transposed_times(rng.normal(size=(n, min(width, n, p)))))
    for _ in range(steps):
        basis = _orthonormal(table.transposed_times(_orthonormal(table.times(basis))))
    images = table.times(basis)
    _, values, turn = np.linalg.svd(images, full_matrices=False)
    ritz = basis @ turn.T
    bound = _bound(table, ritz, values, rank, rng) if values[rank - 1] > 0 else 1.0
    return _vectors(table, ritz[:, :rank], values, bound)


def _rounding(table: _Table, values: Floats) -> float:
    """Return the largest error of singular values; after centring all may be smaller than the norms before it."""
    return max(table.rounding, max(table.shape) * _EPS * float(values[0]))


def _vectors(table: _Table, vectors: Floats, values: Floats, bound: float) -> RightVectors:
    known = int((values > _rounding(table, values)).sum())
    with np.errstate(over="ignore"):  # a singular value may be larger than any entry
        values = np.ldexp(values, table.exponent)
    return RightVectors(vectors=vectors, singular_values=values, numerical_rank=known, error_bound=bound)


def _orthonormal(columns: Floats) -> Floats:
    return np.linalg.qr(columns)[0]


def _bound(table: _Table, ritz: Floats, values: Floats, rank: int, rng: np.random.Generator) -> float:
    """Return the largest error of a sum of scores; see the notes of `right_vectors`."""
    squares = np.square(values)
    rounding = _rounding(table, values) * max(float(values[0]), table.size)
    residuals = table.transposed_times(table.times(ritz)) - ritz * squares
    residual, coupling = (float(np.linalg.norm(half)) + rounding for half in np.split(residuals, [rank], axis=1))
    others = _largest_outside(table, ritz, rng) + rounding
    if rank < len(values):
        others = float(np.linalg.eigvalsh([[squares[rank], coupling], [coupling, others]])[-1])
    gap = float(squares[rank - 1]) - others
    return min(1.0, residual / (gap * math.sqrt(rank))) if gap > 0 else 1.0


def _largest_outside(table: _Table, vectors: Floats, rng: np.random.Generator) -> float:
    """Return a bound of the largest eigenvalue of X'X orthogonal to `vectors`; it fails with probability `_FAILURE`."""

    def outside(vector: Floats) -> Floats:
        return vector - vectors @ (vectors.T @ vector)

    p = len(vectors)
    basis, images = np.zeros((p, min(_STEPS, p))), np.zeros((p, min(_STEPS, p)))
    vector, seen = rng.normal(size=p), p <= _STEPS
    for step in range(basis.shape[1]):
        length = float(np.linalg.norm(vector))
        for _ in range(2):  # twice is enough (Parlett)
            vector = vector - basis @ (basis.T @ vector)
        left = float(np.linalg.norm(vector))
        if left <= p * _EPS * length:
            seen = True  # the Krylov space of the start is exhausted
            break
        basis[:, step] = vector / left
        vector = images[:, step] = outside(table.transposed_times(table.times(outside(basis[:, step]))))
    largest = float(np.linalg.eigvalsh((basis.T @ images + images.T @ basis) / 2)[-1])
    missed = 0.0 if seen else (math.log(1.648 * math.sqrt(p) / _FAILURE) / (2 * _STEPS - 1)) ** 2
    total = max(0.0, float(table.squared_norms().sum() - np.square(table.times(vectors)).sum()))
    return min(largest / (1 - missed), total)
