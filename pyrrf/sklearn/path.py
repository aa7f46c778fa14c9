"""grrf_path: one guide, and a regularized forest for each gamma."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.checks import count, numbers, reject_unknown
from pyrrf.fit.fitting import SharedData
from pyrrf.result.brief import Brief
from pyrrf.result.rrf import RRFResult
from pyrrf.sklearn.base import r_seed
from pyrrf.sklearn.calls import shared_data
from pyrrf.sklearn.forests import features_split, importance_shares
from pyrrf.sklearn.guided import GRRFSelector, Guidance, consult, guided_fit
from pyrrf.sklearn.jobs import share_out
from pyrrf.types import Floats


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GRRFPath(Brief):
    """Regularized forests by gamma, which one guide guides.

    Attributes
    ----------
    gammas : ndarray of float64, shape (k,)
    supports : ndarray of bool, shape (k, p)
        The features that the trees of each forest split by.
    n_features : ndarray of int64, shape (k,)
        Their numbers.
    feature_importances : ndarray of float64, shape (k, p)
        Share of each feature in the decrease of impurity in each forest.
    guide_importances : ndarray of float64, shape (p,)
        Importances by the guide, divided by the largest.
    feature_names : ndarray of str, shape (p,), or None
        None if X had no names.
    fits : list of RRFClassification or RRFRegression
        The forests as `pyrrf.RRF` returns them. Their errors out of bag are no estimates of the error.

    Examples
    --------
    >>> from pyrrf.sklearn import GRRFPath, grrf_path
    >>> isinstance(grrf_path([[0.0], [1.0]] * 9, [0, 1] * 9, gammas=2, guide_n_estimators=9), GRRFPath)
    True
    """

    gammas: Floats
    supports: np.ndarray
    n_features: np.ndarray
    feature_importances: Floats
    guide_importances: Floats
    feature_names: np.ndarray | None
    fits: list[RRFResult]


def grrf_path(
    X: Any, y: Any, *, gammas: Any = 10, guide: Any = None, sample_weight: Any = None, **parameters: Any
) -> GRRFPath:
    """Grow a guide, and a regularized forest for each gamma.

    Each forest is, bit for bit, that of a `GRRFSelector` with this gamma, the same parameters and a whole number as
    `random_state`. The guide is grown once, and the columns are ranked once.

    Parameters
    ----------
    X : array_like, table or sparse matrix, shape (n, p)
    y : array_like, shape (n,)
        Classes, or numbers.
    gammas : int or array_like of float, default 10
        Numbers from 0 to 1, or how many of them, evenly spaced from 0 to 1.
    guide : array_like, dict, Series, estimator, callable or None, default None
        As in `GRRFSelector`.
    sample_weight : array_like of float, shape (n,), optional
    **parameters
        Other parameters of `GRRFSelector`, but gamma. With `n_jobs` the gammas are shared out, by joblib, to threads or
        to what its ``parallel_config`` says. The answer does not depend on it.

    Returns
    -------
    GRRFPath

    Raises
    ------
    TypeError, ValueError
        An argument is not as described; the message names it.

    Notes
    -----
    H. Deng and G. Runger, Gene selection with guided regularized random forest, 2013, section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pyrrf.sklearn import grrf_path
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> path = grrf_path(X, y, gammas=[0, 0.5, 1], guide_n_estimators=100, n_estimators=50, random_state=1)
    >>> path.gammas, path.n_features
    (array([0. , 0.5, 1. ]), array([30,  4,  3]))
    """
    known = ["gammas", *(name for name in GRRFSelector().get_params() if name != "gamma")]
    reject_unknown("grrf_path", {name: value for name, value in parameters.items() if name not in known}, known)
    grid = gamma_grid(gammas)
    selector = GRRFSelector(guide, **parameters)
    sample, data = selector._read(X, y, sample_weight)
    shared = shared_data(selector, data)
    guidance = consult(selector, shared, sample.rows, sample.y, r_seed(selector.random_state))
    fits = guided_fits(shared, guidance, grid.tolist(), selector.n_jobs)
    for gamma, fit in zip(grid.tolist(), fits, strict=True):
        fit.call = " ".join(repr(GRRFSelector(guide, gamma=gamma, **parameters)).split())
    supports = np.array([features_split(fit) for fit in fits])
    return GRRFPath(
        gammas=grid,
        supports=supports,
        n_features=supports.sum(axis=1),
        feature_importances=np.array([importance_shares(fit) for fit in fits]),
        guide_importances=guidance.shares,
        feature_names=getattr(selector, "feature_names_in_", None),
        fits=fits,
    )


def guided_fits(shared: SharedData, guidance: Guidance, gammas: Sequence[float], n_jobs: int | None) -> list[RRFResult]:
    """Return the fit for each gamma; joblib shares them out, and each is grown on one thread."""
    return share_out(guided_fit, (shared.with_jobs(1), guidance), [(gamma,) for gamma in gammas], n_jobs)


def gamma_grid(gammas: Any) -> Floats:
    """Return gammas, float64, shape (k,).

    Parameters
    ----------
    gammas : int or array_like of float
        Numbers from 0 to 1, or how many of them, at least 2, evenly spaced.

    Raises
    ------
    TypeError, ValueError
        They are neither, or one of them occurs twice.

    Examples
    --------
    >>> from pyrrf.sklearn.path import gamma_grid
    >>> gamma_grid(3), gamma_grid([0.9, 0.1])
    (array([0. , 0.5, 1. ]), array([0.9, 0.1]))
    """
    if isinstance(gammas, int | np.integer):
        return np.linspace(0.0, 1.0, count(gammas, "gammas", 2))
    if np.ndim(gammas) != 1:
        raise ValueError(f"gammas must be how many there are, at least 2, or a list of them, not {gammas!r}")
    grid = numbers(gammas, "gammas")
    if grid.min() < 0 or grid.max() > 1:
        raise ValueError(f"gammas must be from 0 to 1, not {grid.tolist()}")
    if len(np.unique(grid)) < len(grid):
        raise ValueError(f"gammas must hold each value once, not {grid.tolist()}")
    return grid
