"""ImportanceDisplay: how the importance of each feature varies, from tree to tree or from seed to seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length, column_or_1d

from pyrrf import _core
from pyrrf.checks import choice, count
from pyrrf.plots.selection import draw_boxes
from pyrrf.result.by_tree import decrease_by_tree
from pyrrf.sklearn.displays.base import Display, feature_labels, fitted_part
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import new_seed
from pyrrf.sklearn.stability import seeded
from pyrrf.types import Floats, RandomState, RowsLike, VectorLike

_LABELS = {
    "trees": "importance in each tree",
    "seeds": "importance in each fit",
}
_SEEDS = 1 << 31


@dataclass(eq=False, kw_only=True)
class ImportanceDisplay(Display):
    """A box for each feature: how much its importance varies over the trees, or over seeds.

    Parameters
    ----------
    importances : ndarray of float64, shape (m, k)
        A row for each tree or seed; the columns in the order in which they are drawn, from the top down.
    feature_names : list
        Names or positions, k of them.
    over : {"trees", "seeds"}
        What the rows are.

    Attributes
    ----------
    ax_ : Axes
        Of matplotlib, once the display is drawn.
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import ImportanceDisplay, RRFClassifier
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> forest = RRFClassifier(50, coef_reg=0.5, random_state=1).fit(X, y)
    >>> display = ImportanceDisplay.from_estimator(forest, X, y)
    >>> display.feature_names, display.importances.mean(axis=0).round(2).tolist()
    (['flavanoids', 'alcalinity_of_ash'], [0.81, 0.19])
    """

    importances: Floats
    feature_names: list[Any]
    over: str

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: RowsLike,
        y: VectorLike,
        *,
        over: str = "trees",
        n_seeds: int = 10,
        max_features: int = 20,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        ax: Any = None,
    ) -> ImportanceDisplay:
        """Draw the importances, the features with the largest means first; features without any are left out.

        Parameters
        ----------
        estimator : RRFClassifier, RRFRegressor, GRRFSelector or GRRFSelectorCV
            Fitted. For seeds, any estimator with ``feature_importances_``.
        X : array_like, table or sparse matrix, shape (n, p)
            For trees, the rows on which splits are judged: those of the fit, or others. For seeds, what is fitted to.
        y : array_like, shape (n,)
        over : {"trees", "seeds"}, default 'trees'
            "trees": by how much the splits of each tree lower the impurity of the rows, divided by what the splits of a
            tree do on average, so that the means over the trees add up to 1. "seeds": the importances of clones with
            other seeds.
        n_seeds : int, default 10
        max_features : int, default 20
            Features shown at most.
        n_jobs : int, optional
            Clones that joblib has fitted at a time.
        random_state : int, RandomState, Generator or None, default None
            Of the seeds.
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        ImportanceDisplay

        Raises
        ------
        ImportError
            matplotlib is not installed.
        TypeError, ValueError
            The estimator has no trees, or no importances; X or y are not as described.
        """
        most = count(max_features, "max_features")
        if choice(over, "over", _LABELS) == "trees":
            table = tree_shares(estimator, X, y)
        else:
            fitted_part(estimator, "feature_importances_", "an estimator with importances")
            random = np.random.default_rng(new_seed(random_state))
            seeds = random.integers(_SEEDS, size=count(n_seeds, "n_seeds", 2)).tolist()
            table = np.array(share_out(_importances, (estimator, X, y), [(seed,) for seed in seeds], n_jobs))
        means = table.mean(axis=0)
        shown = [at for at in np.argsort(-means, kind="stable")[:most] if table[:, at].any()]
        labels = feature_labels(estimator)
        return cls(importances=table[:, shown], feature_names=[labels[at] for at in shown], over=over).plot(ax)

    def _draw(self, ax: Any) -> Any:
        return draw_boxes(self.importances, self.feature_names, _LABELS[self.over], ax)


def tree_shares(estimator: Any, X: Any, y: Any) -> Floats:
    """Return what the splits of each tree are worth on some rows, float64, shape (ntree, p)."""
    fit = fitted_part(estimator, "result_", "a forest or a guided selector")
    table, ncat = estimator._read_new(X)
    y = column_or_1d(y)
    check_consistent_length(table.rows, y)
    if fit.type == "regression":
        response, nclass = np.asarray(y, np.float64), 1
    else:
        response, nclass = pd.Index(fit.classes).get_indexer(pd.Index(y)), len(fit.classes)
        if (response < 0).any():
            raise ValueError(f"y holds {y[response < 0].tolist()[0]!r}, which is not a class of the fit")
    trees = fit.forest.trees
    leaves = _core.predict(trees, table.values, ncat, nclass, nodes=True).nodes
    assert leaves is not None
    decrease = decrease_by_tree(trees, leaves, response, nclass, len(fit.columns))
    return np.asarray(decrease / (decrease.sum() / len(decrease) or 1.0))


def _importances(estimator: Any, X: Any, y: Any, seed: int) -> Floats:
    return np.asarray(seeded(clone(estimator), seed).fit(X, y).feature_importances_)
