"""The fit of the papers' estimators, all but RBoost's, which takes weights: one text, and undone where it fails."""

from __future__ import annotations

from typing import Any, Self

from pyrrf.sklearn.rollback import rollback_on_error
from pyrrf.types import RowsLike, VectorLike


class SharedFit:
    """Base of the estimators whose `_fit` sets their attributes."""

    @rollback_on_error
    def fit(self, X: RowsLike, y: VectorLike) -> Self:
        """Fit to some rows.

        Parameters
        ----------
        X : array_like or table, shape (n, p)
            NaN is a missing value; parameters say who takes none.
        y : array_like, shape (n,)
            Classes, or numbers for a regressor, and for a selector whose parameters say so.

        Returns
        -------
        self

        Raises
        ------
        TypeError, ValueError
            An argument is not what it should be; the message names it.
        """
        self._fit(X, y)
        return self

    def _fit(self, X: Any, y: Any) -> None:
        raise NotImplementedError
