"""Functions that the displays share: the features that an estimator keeps, and their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from pyrrf.data.columns import as_rows
from pyrrf.errors import bad
from pyrrf.result.result import ForestResult
from pyrrf.result.rrf import RRFResult

Shown = TypeVar("Shown", bound="Display")


class Display:
    """A picture: its numbers, and, once it is drawn, its axes and figure.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure
    """

    ax_: Any
    figure_: Any

    def plot(self: Shown, ax: Any = None) -> Shown:
        """Draw.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        Display
            Itself.

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        self.ax_ = self._draw(ax)
        self.figure_ = self.ax_.figure
        return self

    def _draw(self, ax: Any) -> Any:
        """Draw into axes, or new ones, and return them."""
        raise NotImplementedError


def fitted_support(estimator: Any) -> np.ndarray:
    """Return the mask of features kept by a fitted estimator, bool, shape (p,), by ``get_support`` or ``support_``."""
    if isinstance(estimator, Pipeline) or hasattr(estimator, "best_estimator_"):
        inner = "its step, as pipeline[-1]" if isinstance(estimator, Pipeline) else "its best_estimator_"
        raise bad.type(f"estimator must be a selector or a forest, not {type(estimator).__name__}; pass {inner}")
    if isinstance(estimator, type) or not (hasattr(estimator, "get_support") or hasattr(estimator, "n_features_")):
        tells = not isinstance(estimator, type) and hasattr(estimator, "fit")
        if not tells:
            raise bad.fit(
                f"estimator must be a fitted selector or forest of pyrrf.sklearn, not {_describe(estimator)}",
                kind=TypeError,
            )
    check_is_fitted(estimator)
    support = estimator.get_support() if hasattr(estimator, "get_support") else getattr(estimator, "support_", None)
    # The support of an SVC is positions of rows.
    if support is None or np.asarray(support).dtype != np.bool_:
        raise bad.type(f"estimator must have get_support() or a mask support_; {estimator!r} does not")
    return np.asarray(support)


def _describe(given: Any) -> str:
    """Describe an argument that is no fitted estimator, with a remedy where there is one."""
    if isinstance(given, type):
        return f"the class {given.__name__}; pass a fitted instance, {given.__name__}(...).fit(X, y)"
    if isinstance(given, ForestResult):
        guided = isinstance(given, RRFResult) and given.ordinary is not None
        return f"a result of pyrrf.{'GRRF' if guided else given.function}(); fit an estimator of pyrrf.sklearn instead"
    return repr(given)


def feature_labels(estimator: Any) -> list[Any]:
    """Return the names of the features of a fitted estimator, or their positions."""
    named = getattr(estimator, "feature_names_in_", None)
    return list(range(len(fitted_support(estimator)))) if named is None else list(named)


def fitted_part(estimator: Any, name: str, whose: str) -> Any:
    """Return an attribute of a fitted estimator; `whose`: who has it, for the message."""
    fitted_support(estimator)
    if not hasattr(estimator, name):
        raise bad.type(f"estimator must be {whose}; this {type(estimator).__name__} has no {name}")
    return getattr(estimator, name)


def checked_rows(X: Any, labels: Sequence[Any], named: bool) -> Any:
    """Return X as an array, a sparse matrix or a DataFrame whose columns are those of the fit.

    `labels` are the features of the fit; `named`: whether they are names.
    """
    rows = as_rows(X)
    rows = rows.tocsc() if hasattr(rows, "tocsc") else rows if hasattr(rows, "shape") else np.asarray(rows)
    if len(rows.shape) != 2 or rows.shape[1] != len(labels):
        raise bad.columns(f"X must have the {len(labels)} columns seen in fit, not shape {rows.shape}")
    if named and hasattr(rows, "columns") and list(rows.columns) != list(labels):
        raise bad.columns("X must have the columns seen in fit, in the same order; pass X[estimator.feature_names_in_]")
    return rows
