"""StabilityDisplay: how often each feature is selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.checks import count
from pyrrf.plots.selection import draw_frequencies
from pyrrf.sklearn.displays.base import Display, feature_labels, fitted_part
from pyrrf.types import Floats


@dataclass(eq=False, kw_only=True)
class StabilityDisplay(Display):
    """The selection frequency of each feature over the half-samples, and the threshold.

    Parameters
    ----------
    frequencies : ndarray of float64, shape (k,)
        Shares, in the order in which they are drawn, from the top down.
    feature_names : list
        Names or positions, as many.
    kept : ndarray of bool, shape (k,)
        Whether each is selected.
    threshold : float
        Smallest frequency of a selected feature, drawn as a line.

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
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import GRRFSelector, StabilityDisplay, StabilitySelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> few = GRRFSelector(20, gamma=0.9, n_estimators=10)
    >>> stable = StabilitySelector(few, n_pairs=5, threshold=0.5, n_removals=0, random_state=1).fit(X, y)
    >>> display = StabilityDisplay.from_estimator(stable, max_features=2)
    >>> display.feature_names, display.kept.tolist()
    (['color_intensity', 'proline'], [True, True])
    """

    frequencies: Floats
    feature_names: list[Any]
    kept: np.ndarray
    threshold: float

    @classmethod
    def from_estimator(cls, estimator: Any, *, max_features: int = 30, ax: Any = None) -> StabilityDisplay:
        """Draw the selection frequencies, the largest first; features that are never selected are left out.

        Parameters
        ----------
        estimator : StabilitySelector
            Fitted.
        max_features : int, default 30
            Features shown at most.
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        StabilityDisplay

        Raises
        ------
        ImportError
            matplotlib is not installed.
        TypeError, ValueError
            It is no StabilitySelector, or an argument is not as described.
        """
        shares = fitted_part(estimator, "selection_frequencies_", "a StabilitySelector")
        labels = feature_labels(estimator)
        most = np.argsort(-shares, kind="stable")[: count(max_features, "max_features")]
        shown = most[shares[most] > 0]
        return cls(
            frequencies=shares[shown],
            feature_names=[labels[j] for j in shown],
            kept=estimator.support_[shown],
            threshold=estimator.threshold_,
        ).plot(ax)

    def _draw(self, ax: Any) -> Any:
        return draw_frequencies(self.frequencies, self.feature_names, self.kept, self.threshold, ax)
