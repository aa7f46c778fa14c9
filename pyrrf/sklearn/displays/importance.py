"""ImportanceDisplay: how important each feature is, and how that varies from tree to tree or from seed to seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length, column_or_1d

from pyrrf import _core
from pyrrf.checks import choice, count
from pyrrf.errors import bad
from pyrrf.plots.selection import draw_bars, draw_boxes
from pyrrf.result.by_tree import decrease_by_tree
from pyrrf.sklearn.displays.base import Display, fitted_part
from pyrrf.sklearn.jobs import share_out
from pyrrf.sklearn.parameters import new_seed
from pyrrf.sklearn.selection_report import columns_of
from pyrrf.sklearn.stability import set_seeds
from pyrrf.types import Floats, RandomState, RowsLike, VectorLike

# Text of the axis behind the name of the numbers.
_OVER = {
    "fit": "",
    "rounds": " per round",
    "trees": " per tree (share of the decrease of impurity)",
    "seeds": " per fit (one per seed)",
}
# Attributes of fits with numbers on each feature, for `columns_of`.
_SAID = ("importance_history_", "credits_of_kept", "selection_frequencies_", "feature_importances_")
_SEEDS = 1 << 31


@dataclass(eq=False, kw_only=True)
class ImportanceDisplay(Display):
    """The importance of each feature: a bar, or a box that shows how it varies over trees, rounds or seeds.

    Parameters
    ----------
    importances : ndarray of float64, shape (m, k)
        A row for each tree, round or seed, or one of the fit; the columns in the order in which they are drawn, from
        the top down.
    feature_names : list
        Names or positions, k of them.
    over : {"fit", "rounds", "trees", "seeds"}
        What the rows are.
    measure : {"importance", "credit", "frequency"}, default 'importance'
        What the numbers are.

    Attributes
    ----------
    ax_ : Axes
        Of matplotlib, once the display is drawn.
    figure_ : Figure

    See Also
    --------
    pyrrf.varImpPlot : R's picture of a fit.

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
    measure: str = "importance"

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: RowsLike | None = None,
        y: VectorLike | None = None,
        *,
        over: str | None = None,
        n_seeds: int = 10,
        max_features: int = 20,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        ax: Any = None,
    ) -> ImportanceDisplay:
        """Draw the importances, the largest means first; features whose importances are all 0 are left out.

        Parameters
        ----------
        estimator : selector or forest
            Fitted. For trees, an RRFClassifier, RRFRegressor, GRRFSelector or GRRFSelectorCV; for seeds, any estimator
            with ``feature_importances_``.
        X : array_like, table or sparse matrix, shape (n, p), optional
            For trees, the rows to evaluate the splits on: those of the fit, or others. For seeds, the training rows.
        y : array_like, shape (n,), optional
        over : {"fit", "trees", "seeds"}, optional
            By default "trees" where X and y are given and the estimator has trees, else "fit". "fit": the attributes of
            the fit, without X and y: importances; credits of an EliminationSelector; selection frequencies of a
            StabilitySelector; of a BorutaSelector, a box over its rounds. "trees": the decrease of impurity by each
            tree's splits on the rows given, scaled so that the means over the trees add up to 1. "seeds": the
            importances of clones with other seeds.
        n_seeds : int, default 10
        max_features : int, default 20
            Features shown at most.
        n_jobs : int, optional
            Number of clones fitted at a time, by joblib.
        random_state : int, RandomState, Generator or None, default None
            Draws the seeds of the clones.
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
            The estimator has no trees, or no importances; X or y is missing, or not as described.
        """
        most, measure = count(max_features, "max_features"), "importance"
        over = _resolved_over(estimator, X, y, over)
        if over == "fit":
            table, over, measure = fitted_table(estimator)
        elif over == "trees":
            table = tree_shares(estimator, X, y)
        else:
            fitted_part(estimator, "feature_importances_", "an estimator with importances")
            random = np.random.default_rng(new_seed(random_state))
            seeds = random.integers(_SEEDS, size=count(n_seeds, "n_seeds", 2)).tolist()
            table = np.array(share_out(_importances, (estimator, X, y), [(seed,) for seed in seeds], n_jobs))
        means = np.nanmean(table, axis=0)
        shown = [j for j in np.argsort(-means, kind="stable") if np.nan_to_num(table[:, j]).any()][:most]
        labels = list(getattr(estimator, "feature_names_in_", range(table.shape[1])))
        names = [labels[j] for j in shown]
        return cls(importances=table[:, shown], feature_names=names, over=over, measure=measure).plot(ax)

    def _draw(self, ax: Any) -> Any:
        label = self.measure + _OVER[self.over]
        if self.over == "fit":
            return draw_bars(self.importances.T, self.feature_names, [label], ax)
        return draw_boxes(self.importances, self.feature_names, label, ax)


def _resolved_over(estimator: Any, X: Any, y: Any, over: str | None) -> str:
    """Return the kind of data of each box; TypeError where rows are needed, or one of X and y is missing."""
    if (X is None) != (y is None):
        raise bad.absent(f"{'X' if X is None else 'y'} is missing; pass X and y, or neither", kind=TypeError)
    if over is None:
        return "fit" if X is None or not hasattr(estimator, "result_") else "trees"
    if choice(over, "over", ("fit", "trees", "seeds")) != "fit" and X is None:
        raise bad.absent(f"over={over!r} needs X and y; pass both", kind=TypeError)
    return over


def fitted_table(estimator: Any) -> tuple[Floats, str, str]:
    """Return the numbers of a fit on its features, float64, shape (m, p), the kind of its rows, and the measure."""
    if isinstance(estimator, type) or not any(hasattr(estimator, name) for name in _SAID):
        fitted_part(estimator, "feature_importances_", "a forest or a selector with importances or credits")
    if hasattr(estimator, "importance_history_"):
        return estimator.importance_history_.to_numpy(np.float64), "rounds", "importance"
    measure, values = next(iter(columns_of(estimator).items()))
    return np.nan_to_num(values)[None, :], "fit", measure


def tree_shares(estimator: Any, X: Any, y: Any) -> Floats:
    """Return each feature's share of the decrease in impurity by each tree on some rows, float64, shape (ntree, p)."""
    fit = fitted_part(estimator, "result_", "a forest or a guided selector")
    table, ncat = estimator._read_new(X)
    y = column_or_1d(y)
    check_consistent_length(table.rows, y)
    if fit.type == "regression":
        response, nclass = np.asarray(y, np.float64), 1
    else:
        response, nclass = pd.Index(fit.classes).get_indexer(pd.Index(y)), len(fit.classes)
        if (response < 0).any():
            raise bad.unknown(f"y contains {y[response < 0].tolist()[0]!r}, a class not seen in fit; drop these rows")
    trees = fit.forest.trees
    leaves = _core.predict(trees, table.values, ncat, nclass, nodes=True).nodes
    assert leaves is not None
    decrease = decrease_by_tree(trees, leaves, response, nclass, len(fit.columns))
    return np.asarray(decrease / (decrease.sum() / len(decrease) or 1.0))


def _importances(estimator: Any, X: Any, y: Any, seed: int) -> Floats:
    return np.asarray(set_seeds(clone(estimator), seed).fit(X, y).feature_importances_)
