"""rrf_path: several gammas with one guide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import numbers, reject_unknown
from pyrrf.fit.call import OF_GUIDED, Call
from pyrrf.fit.fitting import fit_guided
from pyrrf.result.brief import Brief
from pyrrf.result.rrf import RRFResult
from pyrrf.types import Floats


@dataclass(frozen=True, eq=False, repr=False)
class RRFPath(Brief):
    """Regularized forests for several values of gamma, with one guide.

    Attributes
    ----------
    gammas : ndarray of float64, shape (k,)
    n_features : ndarray of int64, shape (k,)
        Number of features that each forest kept. `rrf_path` counts `selected`, `grrf_path` counts `supports`. The two
        differ only with initial features and groups.
    fits : list of RRFResult
        One fit for each gamma, as `GRRF` or `RRF` returns it. Their out-of-bag errors do not estimate the error.
    guide_importances : ndarray of float64, shape (p,), or None
        Importances by the guide, divided by the largest; None from `rrf_path`.
    feature_names : ndarray of str, shape (p,), or None
        Names of the columns of X in `grrf_path`, if it had any.
    selected : DataFrame of bool, shape (p, k)
        Mask of the features that each forest kept; one column for each gamma.
    supports : ndarray of bool, shape (k, p)
        The features that the trees of each forest split by.
    feature_importances : ndarray of float64, shape (k, p)
        Share of each feature in the decrease of impurity in each forest.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> path = pyrrf.rrf_path(x, species, ntree=20, seed=1)
    >>> path
    <RRFPath: gammas float64 (5,), n_features int64 (5,), fits list of 5>
    >>> path.selected
                  0.00  0.25   0.50   0.75   1.00
    Sepal.Length  True  True   True   True   True
    Sepal.Width   True  True  False  False  False
    Petal.Length  True  True   True   True   True
    Petal.Width   True  True   True   True   True
    """

    gammas: Floats
    n_features: np.ndarray
    fits: list[RRFResult]
    guide_importances: Floats | None = None
    feature_names: np.ndarray | None = None

    @property
    def selected(self) -> pd.DataFrame:
        """Table of the features that each forest selected."""
        kept = np.stack([fit.outcome.used > 0 for fit in self.fits], axis=1)
        return pd.DataFrame(kept, index=self.fits[0].columns, columns=pd.Index(self.gammas))

    @property
    def supports(self) -> np.ndarray:
        """The features that the trees of each forest split by."""
        return np.array([features_split(fit) for fit in self.fits])

    @property
    def feature_importances(self) -> Floats:
        """Share of each feature in the decrease of impurity in each forest."""
        return np.array([importance_shares(fit) for fit in self.fits])


def rrf_path(
    x: Any = None,
    y: Any = None,
    gammas: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0),
    lambda0: float = 1.0,
    *,
    guide: Any = None,
    normalize: str | float = "max",
    **arguments: Any,
) -> RRFPath:
    """Grow a guide once, and a regularized forest for each gamma (R has no such function).

    Each forest equals the forest of `GRRF` with this gamma and the same `seed`. All forests start from the state of the
    random stream after the guide.

    Parameters
    ----------
    x, y : as in `GRRF`, optional
        Predictors and response, as in `GRRF`.
    gammas : sequence of float, default (0.0, 0.25, 0.5, 0.75, 1.0)
        Weights of the importances.
    lambda0 : float, default 1.0
        Coefficient of every feature where gamma is 0; 0 to 1.
    guide : as in `GRRF`, optional
        Source of the importances.
    normalize : {'max', 'minmax'} or float, default 'max'
        Importances are divided by the largest, brought to 0 to 1, or divided and raised to a power.
    **arguments
        Other arguments of `GRRF`.

    Returns
    -------
    RRFPath

    Raises
    ------
    TypeError
        An argument has a wrong type or does not exist.
    ValueError
        There is no gamma, or as for `GRRF`.

    See Also
    --------
    GRRF : The forest for one gamma.
    pyrrf.sklearn.PathDisplay : The picture of a path.

    Examples
    --------
    >>> import pyrrf
    >>> from pyrrf.datasets import load_iris
    >>> iris = load_iris()
    >>> x, species = iris.drop(columns="Species"), iris["Species"]
    >>> path = pyrrf.rrf_path(x, species, gammas=[0.0, 0.5, 1.0], ntree=50, seed=1)
    >>> path.selected
                   0.0    0.5    1.0
    Sepal.Length  True   True   True
    Sepal.Width   True  False  False
    Petal.Length  True   True   True
    Petal.Width   True   True   True
    >>> path.fits[1] == pyrrf.GRRF(x, species, gamma=0.5, ntree=50, seed=1)
    True
    """
    unknown = {name: value for name, value in arguments.items() if name not in OF_GUIDED}
    reject_unknown("rrf_path", unknown, ["gammas", "lambda0", "guide", "normalize", *OF_GUIDED])
    grid = numbers(gammas, "gammas")
    fits = fit_guided(Call(x=x, y=y, **arguments), grid.tolist(), lambda0, guide, normalize)
    return RRFPath(grid, np.array([len(fit.feaSet) for fit in fits]), fits)


def features_split(fit: RRFResult) -> np.ndarray:
    """Return a mask of the features that the trees of a fit split by, bool, shape (p,)."""
    assert fit.forest is not None
    split = fit.forest.trees.split_var
    kept = np.zeros(len(fit.columns), np.bool_)
    kept[split[split > 0] - 1] = True
    return kept


def importance_shares(fit: RRFResult) -> Floats:
    """Return each feature's share of the decrease of impurity, shape (p,); they add up to 1 unless all are 0."""
    decrease = np.asarray(fit.outcome.importance[:, -1])
    return decrease / decrease.sum() if decrease.any() else decrease
