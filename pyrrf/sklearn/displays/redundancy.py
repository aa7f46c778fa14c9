"""RedundancyDisplay: the kept features and their substitutes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import count
from pyrrf.errors import bad
from pyrrf.plots.selection import draw_correlations
from pyrrf.selectors.substitutes import REPLACES, rank_correlations, substitutes_table
from pyrrf.sklearn.displays.base import Display, checked_rows, feature_labels, fitted_support
from pyrrf.types import Floats, RowsLike


@dataclass(eq=False, kw_only=True)
class RedundancyDisplay(Display):
    """A heat map of the rank correlations of selected features with features that could replace them.

    A star marks a feature that is selected when the selected one is removed, as far as a StabilitySelector has tried
    that.

    Parameters
    ----------
    correlations : ndarray of float64, shape (m, k)
        Spearman's, of each substitute with each kept feature; NaN where it is not known.
    substitutes, feature_names : list
        Names or positions of the rows, and of the columns, which are kept features.
    replaces : ndarray of bool, shape (m, k)
        Cells with a star.

    Attributes
    ----------
    ax_ : Axes
        Of matplotlib, once the display is drawn.
    figure_ : Figure

    See Also
    --------
    StabilitySelector

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pyrrf.sklearn import GRRFSelector, RedundancyDisplay
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> few = GRRFSelector(50, gamma=1.0, n_estimators=10, random_state=1).fit(X, y)
    >>> display = RedundancyDisplay.from_estimator(few, X, max_substitutes=2)
    >>> display.feature_names, display.substitutes
    (['mean concave points', 'worst perimeter', 'worst area'], ['worst radius', 'mean perimeter'])
    """

    correlations: Floats
    substitutes: list[Any]
    feature_names: list[Any]
    replaces: np.ndarray

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: RowsLike | None = None,
        *,
        max_features: int = 15,
        max_substitutes: int = 25,
        ax: Any = None,
    ) -> RedundancyDisplay:
        """Draw the substitutes of the selected features, the most strongly correlated first.

        Parameters
        ----------
        estimator : selector or forest
            Fitted.
        X : array_like, table or sparse matrix, shape (n, p), optional
            Rows to correlate; those of the fit, or others. A StabilitySelector or an EliminationSelector needs none:
            what its ``substitutes_`` does not list is blank then.
        max_features, max_substitutes : int, default 15 and 25
            Kept features and substitutes shown at most.
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        RedundancyDisplay

        Raises
        ------
        ImportError
            matplotlib is not installed.
        TypeError, ValueError
            X is needed, or is not as described.
        """
        columns, lines = count(max_features, "max_features"), count(max_substitutes, "max_substitutes")
        table = substitutes_of(estimator, X)
        table = table[table["feature"].isin(table["feature"].drop_duplicates()[:columns])]
        strength = table["correlation"].abs().groupby(table["substitute"], sort=False).max()
        others = strength.sort_values(ascending=False, kind="stable").index[:lines].tolist()
        table = table[table["substitute"].isin(others)]
        kept = table["feature"].drop_duplicates().tolist()
        cells = pd.Index(others).get_indexer(table["substitute"]), pd.Index(kept).get_indexer(table["feature"])
        correlations, replaces = np.full((len(others), len(kept)), np.nan), np.zeros((len(others), len(kept)), np.bool_)
        correlations[cells], replaces[cells] = table["correlation"], table["replaces"] >= REPLACES
        if X is not None:
            correlations = _correlations(estimator, X, kept, others)
        return cls(correlations=correlations, substitutes=others, feature_names=kept, replaces=replaces).plot(ax)

    def _draw(self, ax: Any) -> Any:
        return draw_correlations(self.correlations, self.substitutes, self.feature_names, self.replaces, ax)


def substitutes_of(estimator: Any, X: Any = None) -> pd.DataFrame:
    """Return the dropped features that could stand for kept ones, as a StabilitySelector lists them.

    It has them itself; for other estimators X is needed, and ``replaces`` is NaN, since nothing was removed.
    """
    kept = np.flatnonzero(fitted_support(estimator))
    if hasattr(estimator, "substitutes_"):
        table: pd.DataFrame = estimator.substitutes_
        return table
    if X is None:
        raise bad.absent(f"X is needed, because {type(estimator).__name__} has no substitutes_; pass X", kind=TypeError)
    labels = feature_labels(estimator)
    rows = checked_rows(X, labels, hasattr(estimator, "feature_names_in_"))
    correlations = rank_correlations(rows, kept)
    table = substitutes_table(kept, correlations, np.zeros_like(correlations), np.array(labels, dtype=object))
    return table.assign(replaces=np.nan)


def _correlations(estimator: Any, X: Any, kept: list[Any], others: list[Any]) -> Floats:
    """Return the correlations of dropped features with kept ones, all of them known."""
    labels = feature_labels(estimator)
    place = {label: index for index, label in enumerate(labels)}
    rows = checked_rows(X, labels, hasattr(estimator, "feature_names_in_"))
    correlations = rank_correlations(rows, np.array([place[label] for label in kept], np.int64))
    return np.asarray(correlations[:, [place[label] for label in others]].T)
