"""ForestErrorDisplay: the out-of-bag error against the number of trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from pyrrf.checks import warn
from pyrrf.plots.charts import error_table
from pyrrf.plots.drawing import draw_errors
from pyrrf.sklearn.displays.base import Display, fitted_part

# In two lines, for narrow pictures.
_CAVEAT = "optimistic: features were selected on all rows,\nout-of-bag rows too"


@dataclass(eq=False, kw_only=True)
class ForestErrorDisplay(Display):
    """The out-of-bag error against the number of trees.

    It shows whether there are enough trees. That of a regularized forest is optimistically biased, because its features
    were selected on all rows, and the title says so: on 60 rows of 2,000 random columns it is about .3, and the true
    error is .5.

    Parameters
    ----------
    errors : DataFrame, shape (n_trees, k)
        Rows are trees, counted from 1. For classes the columns are all rows, then each class; for regression there is
        one column, the mean squared error.
    regularized : bool
        Whether the forest chose its features.

    Attributes
    ----------
    ax_ : Axes
        Of matplotlib, once the display is drawn.
    figure_ : Figure

    See Also
    --------
    pyrrf.plot : R's picture of a fit.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import ForestErrorDisplay, RRFClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> display = ForestErrorDisplay.from_estimator(RRFClassifier(20, random_state=1).fit(X, y))
    >>> display.errors.shape, display.ax_.get_title().partition(":")[0]
    ((20, 4), 'optimistic')
    """

    errors: pd.DataFrame
    regularized: bool

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> ForestErrorDisplay:
        """Draw the out-of-bag error of a forest.

        Parameters
        ----------
        estimator : RRFClassifier, RRFRegressor, GRRFSelector or GRRFSelectorCV
            Fitted; of a selector, the regularized forest is drawn.
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ForestErrorDisplay

        Raises
        ------
        ImportError
            matplotlib is not installed.
        TypeError
            It has no forest.
        """
        fit = fitted_part(estimator, "result_", "a forest or a guided selector")
        regularized = getattr(estimator, "coef_reg", 1.0) is not None
        errors = error_table(fit)
        if errors.isna().all(axis=None):
            warn("each tree was grown on all rows, so there is no out-of-bag error to draw; fit with bootstrap=True")
        return cls(errors=errors, regularized=regularized).plot(ax)

    def _draw(self, ax: Any) -> Any:
        axes = draw_errors(self.errors, "", ax)
        measure = "misclassification rate" if self.errors.shape[1] > 1 else "mean squared error"
        axes.set_xlabel("number of trees")
        axes.set_ylabel(f"out-of-bag error ({measure})")
        if self.regularized:
            axes.set_title(_CAVEAT, fontsize="medium")
        return axes
