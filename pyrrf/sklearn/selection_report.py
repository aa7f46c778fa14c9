"""Numbers of a fit on its features; warnings of an elimination, and losses of its other sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import quote, warn
from pyrrf.selectors.elimination import Elimination
from pyrrf.selectors.units import Units
from pyrrf.types import Floats, Positions


def tables_of(found: Elimination, names: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return ``credits_`` and ``weights_`` of an elimination; the names of all features, or their positions."""
    rounds = [
        pd.DataFrame(
            {
                "round": number,
                "n_features": len(one.features),
                "feature": names[one.features],
                "forest": one.forest,
                "ridge": one.ridge,
                "credit": one.scores,
            }
        )
        for number, one in enumerate(found.rounds, start=1)
    ]
    weights = [(len(one.features), *one.weights) for one in found.rounds]
    return pd.concat(rounds, ignore_index=True), pd.DataFrame(weights, columns=["n_features", "forest", "ridge"])


def parts_of_credit(selector: Any) -> dict[str, Floats]:
    """Return the columns ``credit``, ``forest`` and ``ridge`` of `credits_of_kept`, one number for each feature.

    Each float64, shape (p,), NaN for features that were dropped.
    """
    table, p = selector.credits_of_kept(), selector.n_features_in_
    names = getattr(selector, "feature_names_in_", np.arange(p))
    places, columns = pd.Index(names).get_indexer(pd.Index(table["feature"])), {}
    for column in ("credit", "forest", "ridge"):
        columns[column] = np.full(p, np.nan)
        columns[column][places] = table[column]
    return columns


def columns_of(selector: Any) -> dict[str, Floats]:
    """Return columns of numbers on each feature, by heading, each of shape (p,); the first decides the order."""
    if hasattr(selector, "credits_of_kept"):
        return parts_of_credit(selector)
    if hasattr(selector, "hits_"):
        return {"importance": selector.importance_history_.mean().to_numpy(np.float64)}
    if hasattr(selector, "selection_frequencies_"):
        return {"frequency": selector.selection_frequencies_}
    return {"importance": selector.feature_importances_}


def harmful_of(selector: Any, units: Units) -> Positions:
    """Return the features kept whose credit is below 0, by unit, except features that are never dropped."""
    scores = np.nan_to_num(parts_of_credit(selector)["credit"])
    below = np.bincount(units.of, scores) < 0
    return np.flatnonzero(selector.support_ & (below & ~units.never_dropped)[units.of])


def warn_of_doubtful_features(selector: Any, units: Units, enough: int) -> None:
    """Warn where nothing predicts y, or features kept have a credit below 0; of the size `enough` none has."""
    if not getattr(selector, "better_than_guess_", True):
        results = getattr(selector, "cv_results_", None)
        best = selector.nested_score_ if results is None else results["mean_test_score"].max()
        warn(
            "no subset predicts y significantly better (at level .01) than a baseline without features: a "
            f"cross-validated score of {best:.3g}, and {selector.guess_scores_.mean():.3g} of the baseline. Do not "
            f"rely on the {selector.n_features_} features {'requested' if results is None else 'chosen'}; pass more "
            "rows, or other features"
        )
        return
    harmful = harmful_of(selector, units)
    if len(harmful):
        names = getattr(selector, "feature_names_in_", np.arange(selector.n_features_in_))[harmful].tolist()
        fewer = enough < len(np.unique(units.of[selector.support_]))
        remedy = f"; support_at({enough}) is the subset without them" if fewer else ""
        warn(
            f"selected feature(s) {quote(names)} have a negative credit: held-out rows are predicted no better with "
            f"them{remedy}"
        )


def score_lost_at(selector: Any) -> dict[int, float]:
    """Return the loss of score of each size against the one that was taken, the largest size first.

    Of a selector that chose its size: mean scores over its folds.
    """
    results = selector.cv_results_
    loss = results["mean_test_score"][selector.best_index_] - results["mean_test_score"]
    return dict(zip(results["n_features"].tolist(), loss.tolist(), strict=True))
