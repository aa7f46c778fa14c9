"""PathDisplay: scores of each gamma, or of each size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from pyrrf.errors import bad
from pyrrf.fit.path import RRFPath
from pyrrf.plots.selection import draw_scores, draw_sizes
from pyrrf.sklearn.displays.base import Display, fitted_part
from pyrrf.types import Floats


@dataclass(eq=False, kw_only=True)
class PathDisplay(Display):
    """The number of selected features by gamma, or the cross-validated error by the number of features.

    Parameters
    ----------
    gammas : ndarray of float64, shape (k,), or None
        None for an `EliminationSelector`, which tries subset sizes.
    n_features : ndarray of float64, shape (k,)
        Number of features that each gamma selects, averaged over the folds if there are any; or the subset sizes.
    scores : ndarray of float64, shape (k, n_folds), or None, default None
        Score or error of each gamma or size on each fold.
    score_name : str, default 'score'
        Name of the score; 'error' is 1 - accuracy.
    taken : int or None, default None
        Position of the gamma or size that was chosen.
    nested_scores : ndarray of float64, shape (n_folds,), or None, default None
        Score or error of nested cross-validation on each fold.

    Attributes
    ----------
    ax_ : Axes
        Of matplotlib, once the display is drawn.
    figure_ : Figure

    See Also
    --------
    grrf_path : Forests by gamma.
    GRRFSelectorCV : The choice of gamma.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pyrrf.sklearn import PathDisplay, grrf_path
    >>> X, y = load_wine(return_X_y=True)
    >>> path = grrf_path(X, y, gammas=3, guide=50, n_estimators=20, random_state=1)
    >>> display = PathDisplay.from_path(path)
    >>> display.ax_.get_xlabel(), display.n_features.tolist()
    ('gamma', [13.0, 4.0, 3.0])
    """

    gammas: Floats | None
    n_features: Floats
    scores: Floats | None = None
    score_name: str = "score"
    taken: int | None = None
    nested_scores: Floats | None = None

    @classmethod
    def from_path(cls, path: RRFPath, *, ax: Any = None) -> PathDisplay:
        """Draw the number of features that each gamma of a path selects.

        Parameters
        ----------
        path : RRFPath
            From `grrf_path` or `rrf_path`.
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        PathDisplay

        Raises
        ------
        ImportError
            matplotlib is not installed.
        TypeError
            It is no path.
        """
        if not isinstance(path, RRFPath):
            raise bad.type(f"path must be the result of grrf_path() or rrf_path(), not {type(path).__name__}")
        return cls(gammas=path.gammas, n_features=path.n_features.astype(np.float64)).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> PathDisplay:
        """Draw the cross-validated error against the number of features, and the nested one.

        Parameters
        ----------
        estimator : GRRFSelectorCV or EliminationSelector
            Fitted; the latter with its size chosen on folds.
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        PathDisplay

        Raises
        ------
        ImportError
            matplotlib is not installed.
        TypeError
            It did not choose by folds.
        """
        results = fitted_part(
            estimator, "cv_results_", "a GRRFSelectorCV, or an EliminationSelector that chose its size"
        )
        folds = range(estimator.n_splits_)
        name = score_name(estimator)
        scores = np.stack([results[f"split{fold}_test_score"] for fold in folds], axis=1)
        nested = getattr(estimator, "nested_scores_", None)
        if name == "error":
            scores, nested = 1 - scores, None if nested is None else 1 - nested
        return cls(
            gammas=results.get("param_gamma"),
            n_features=np.asarray(results["n_features"], np.float64),
            scores=scores,
            score_name=name,
            taken=estimator.best_index_,
            nested_scores=nested,
        ).plot(ax)

    def _draw(self, ax: Any) -> Any:
        if self.gammas is not None and (self.scores is None or self.taken is None):
            return draw_sizes(self.gammas, self.n_features, ax)
        assert self.scores is not None
        assert self.taken is not None
        means, errors = self.scores.mean(axis=1), standard_error(self.scores)
        nested = None
        if self.nested_scores is not None:
            nested = float(self.nested_scores.mean()), float(standard_error(self.nested_scores))
        return draw_scores(self.n_features, means, errors, self.gammas, self.taken, nested, self.score_name, ax)


def standard_error(scores: Floats) -> Floats:
    """Return the standard errors of means over the last axis; NaN for one score."""
    n = scores.shape[-1]
    if n < 2:
        return np.full(scores.shape[:-1], np.nan)
    return np.asarray(scores.std(axis=-1, ddof=1) / np.sqrt(n))


def score_name(estimator: Any) -> str:
    """Return the name of the scores of a selector with folds: 'error' if they are accuracies."""
    scoring = estimator.scoring
    if scoring is None:
        return "error" if is_classifier(estimator.judge_) else "R²"
    if scoring == "accuracy":
        return "error"
    return scoring.replace("_", " ") if isinstance(scoring, str) else "score"
