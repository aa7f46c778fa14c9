"""grrf_path: one guide, and a regularized forest for each gamma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pyrrf.checks import array_of, count, numbers, reject_unknown
from pyrrf.errors import bad
from pyrrf.fit.fitting import SharedData
from pyrrf.fit.path import RRFPath, features_split
from pyrrf.result.rrf import RRFResult
from pyrrf.sklearn.calls import shared_data
from pyrrf.sklearn.guided import GRRFSelector, Guidance, consult, guided_fit
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import r_seed
from pyrrf.types import Floats, RowsLike, VectorLike


def grrf_path(
    X: RowsLike,
    y: VectorLike,
    *,
    gammas: ArrayLike = 10,
    guide: Any = None,
    sample_weight: VectorLike | None = None,
    **parameters: Any,
) -> RRFPath:
    """Grow one guide, and a regularized forest for each gamma.

    Each forest is, bit for bit, that of a `GRRFSelector` with this gamma, the same parameters and an int as
    `random_state`. The guide is grown, and the columns are sorted, only once.

    Parameters
    ----------
    X : array_like, table or sparse matrix, shape (n, p)
        Predictors, as in `GRRFSelector`.
    y : array_like, shape (n,)
        Classes, or numbers.
    gammas : int or array_like of float, default 10
        Values from 0 to 1, or the number of values, evenly spaced from 0 to 1.
    guide : int, array_like, dict, Series, estimator, callable or None, default None
        As in `GRRFSelector`.
    sample_weight : array_like of float, shape (n,), optional
        Weight of each row.
    **parameters
        Other parameters of `GRRFSelector`, except gamma. With `n_jobs` the gammas run in parallel by joblib, in threads
        or as its ``parallel_config`` says. Results do not depend on it.

    Returns
    -------
    RRFPath

    Raises
    ------
    TypeError, ValueError
        An argument is not as described; the message names it.

    See Also
    --------
    PathDisplay : Its picture.
    GRRFSelectorCV : The choice of gamma.
    pyrrf.rrf_path : The same with R's arguments.

    Notes
    -----
    H. Deng and G. Runger, Gene selection with guided regularized random forest, 2013, section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pyrrf.sklearn import grrf_path
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> path = grrf_path(X, y, gammas=[0, 0.5, 1], guide=100, n_estimators=50, random_state=1)
    >>> path.gammas, path.n_features
    (array([0. , 0.5, 1. ]), array([30,  4,  3]))
    """
    known = ["gammas", *(name for name in GRRFSelector().get_params() if name != "gamma")]
    reject_unknown("grrf_path", {name: value for name, value in parameters.items() if name not in known}, known)
    grid = gamma_grid(gammas)
    selector = GRRFSelector(guide, **parameters)
    sample, data = selector._read(X, y, sample_weight)
    shared = shared_data(selector._forest_for(data.labels is None), data)
    guidance = consult(selector, shared, sample.rows, sample.y, r_seed(selector.random_state))
    fits = guided_fits(shared, guidance, grid.tolist(), selector.n_jobs)
    for gamma, fit in zip(grid.tolist(), fits, strict=True):
        fit.call = " ".join(repr(GRRFSelector(guide, gamma=gamma, **parameters)).split())
    kept = np.array([features_split(fit).sum() for fit in fits])
    return RRFPath(grid, kept, fits, guidance.shares, getattr(selector, "feature_names_in_", None))


def guided_fits(shared: SharedData, guidance: Guidance, gammas: Sequence[float], n_jobs: int | None) -> list[RRFResult]:
    """Return the fit for each gamma; joblib shares them out, and each is grown on one thread."""
    return share_out(guided_fit, (shared.with_jobs(1), guidance), [(gamma,) for gamma in gammas], n_jobs)


def gamma_grid(gammas: ArrayLike) -> Floats:
    """Return gammas, float64, shape (k,): those given, or as many, at least 2, evenly spaced from 0 to 1.

    Examples
    --------
    >>> from pyrrf.sklearn.path import gamma_grid
    >>> gamma_grid(3), gamma_grid([0.9, 0.1])
    (array([0. , 0.5, 1. ]), array([0.9, 0.1]))
    """
    if isinstance(gammas, int | np.integer):
        return np.linspace(0.0, 1.0, count(gammas, "gammas", 2))
    if array_of(gammas, "gammas").ndim != 1:
        raise bad.range(f"gammas must be an int of at least 2, or a list of values from 0 to 1, not {gammas!r}")
    grid = numbers(gammas, "gammas")
    if grid.min() < 0 or grid.max() > 1:
        raise bad.range(f"gammas must be from 0 to 1, not {grid.tolist()}")
    if len(np.unique(grid)) < len(grid):
        raise bad.duplicate(f"gammas must not contain duplicates, but is {grid.tolist()}")
    return grid
