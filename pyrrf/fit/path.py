"""rrf_path: several gammas with one guide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import numbers, reject_unknown, share
from pyrrf.fit.call import OF_GUIDED, Call
from pyrrf.fit.fitting import fit_guided
from pyrrf.fit.guide import weight
from pyrrf.result.brief import Brief
from pyrrf.result.rrf import RRFResult


@dataclass(frozen=True, eq=False, repr=False)
class RRFPath(Brief):
    """Regularized forests by gamma, which one guide guides.

    Attributes
    ----------
    gammas : ndarray of float64, shape (k,)
    n_features : ndarray of int64, shape (k,)
        How many features each forest kept.
    fits : list of RRFResult
        As `GRRF` returns them.
    selected : DataFrame of bool, shape (p, k)
        Which features each forest kept; one column for each gamma.
    """

    gammas: np.ndarray
    n_features: np.ndarray
    fits: list[RRFResult]

    @property
    def selected(self) -> pd.DataFrame:
        """Which features each forest kept."""
        kept = np.stack([fit.outcome.used > 0 for fit in self.fits], axis=1)
        return pd.DataFrame(kept, index=self.fits[0].columns, columns=pd.Index(self.gammas))


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

    Each forest is that of `GRRF` with this gamma and the same `seed`: all start from the stream as the guide leaves it.

    Parameters
    ----------
    x, y : as in `GRRF`, optional
    gammas : sequence of float, default (0.0, 0.25, 0.5, 0.75, 1.0)
        Weights of the importances.
    lambda0 : float, default 1.0
    guide : as in `GRRF`, optional
    normalize : {'max', 'minmax'} or float, default 'max'
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

    Examples
    --------
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> path = pyrrf.rrf_path(x, x[:, 0] > 0.5, gammas=[0.0, 1.0], ntree=25, seed=1)
    >>> path.selected.shape, path.fits[1] == pyrrf.GRRF(x, x[:, 0] > 0.5, gamma=1.0, ntree=25, seed=1)
    ((4, 2), True)
    """
    unknown = {name: value for name, value in arguments.items() if name not in OF_GUIDED}
    reject_unknown("rrf_path", unknown, ["gammas", "lambda0", "guide", "normalize", *OF_GUIDED])
    grid = numbers(gammas, "gammas")
    weights, call = [weight(gamma) for gamma in grid.tolist()], Call(x=x, y=y, **arguments)
    fits = fit_guided(call, weights, share(lambda0, "lambda0"), guide, normalize)
    return RRFPath(grid, np.array([len(fit.feaSet) for fit in fits]), fits)
