"""Displays: the numbers that they show, what the axes say, and what is refused."""

from __future__ import annotations

import sys
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from pyrrf.papers import LESSClassifier, MIFSSelector
from pyrrf.plots.panels import plain_text
from pyrrf.plots.selection import draw_boxes, draw_correlations
from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    ForestErrorDisplay,
    GRRFSelector,
    GRRFSelectorCV,
    ImportanceDisplay,
    PathDisplay,
    RedundancyDisplay,
    RRFClassifier,
    RRFRegressor,
    StabilityDisplay,
    StabilitySelector,
    grrf_path,
)
from tests.refusals import refused

X, Y = load_wine(return_X_y=True, as_frame=True)
SMALL: dict[str, Any] = {"guide": 15, "n_estimators": 8, "random_state": 1}


@pytest.fixture(autouse=True)
def _no_window() -> None:
    mpl.use("agg")


@pytest.fixture(scope="module")
def chosen() -> Any:
    return GRRFSelectorCV(gammas=[0.9, 0.1, 0.5], cv=3, **SMALL).fit(X, Y)


@pytest.fixture(scope="module")
def guided() -> Any:
    return GRRFSelector(gamma=0.9, **SMALL).fit(X, Y)


@pytest.fixture(scope="module")
def stable() -> Any:
    few = GRRFSelector(gamma=0.9, guide=10, n_estimators=5)
    return StabilitySelector(few, n_pairs=4, threshold=0.5, n_removals=1, random_state=1).fit(X, Y)


def texts(labels: Any) -> list[str]:
    return [label.get_text() for label in labels]


# ---- path ----------------------------------------------------------------------------------------


def test_path_of_forests() -> None:
    path = grrf_path(X, Y, gammas=3, **SMALL)
    display = PathDisplay.from_path(path)
    (line,) = display.ax_.lines
    assert line.get_xdata().tolist() == [0.0, 0.5, 1.0]
    assert line.get_ydata().tolist() == path.n_features.tolist()
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("gamma", "selected features")
    assert display.figure_ is display.ax_.figure


def test_path_of_a_choice(chosen: Any) -> None:
    display = PathDisplay.from_estimator(chosen)
    # Accuracies are shown as errors, in the order of gamma.
    order = np.argsort(chosen.cv_results_["param_gamma"])
    line = display.ax_.lines[0]
    np.testing.assert_allclose(line.get_ydata(), 1 - chosen.cv_results_["mean_test_score"][order])
    np.testing.assert_allclose(line.get_xdata(), chosen.cv_results_["n_features"][order])
    assert display.ax_.get_ylabel() == "error (misclassification rate)"
    assert display.nested_scores is not None
    np.testing.assert_allclose(display.nested_scores.mean(), 1 - chosen.nested_score_)
    assert f"chosen gamma: {chosen.gamma_:g}" in texts(display.ax_.get_legend().get_texts())
    dashed = [line for line in display.ax_.lines if line.get_linestyle() == "--"]
    np.testing.assert_allclose(dashed[0].get_ydata(), [1 - chosen.nested_score_] * 2)


@pytest.mark.parametrize(
    ("scoring", "name"), [("accuracy", "error"), ("balanced_accuracy", "balanced accuracy"), (lambda *a: 0.0, "score")]
)
def test_names_of_scores(chosen: Any, scoring: Any, name: str) -> None:
    other = clone(chosen).set_params(scoring=scoring)
    other.__dict__ = {**chosen.__dict__, "scoring": scoring}
    display = PathDisplay.from_estimator(other)
    assert display.score_name == name
    assert display.scores is not None
    first = chosen.cv_results_["split0_test_score"]
    np.testing.assert_array_equal(display.scores[:, 0], 1 - first if name == "error" else first)


def test_a_choice_of_numbers_that_was_not_judged() -> None:
    x = np.random.default_rng(1).random((60, 40))
    y = x[:, 0] + x[:, 1] / 2
    linear = GRRFSelectorCV(judge=LinearRegression(), gammas=[0.0, 1.0], cv=2, nested=False, **SMALL).fit(x, y)
    display = PathDisplay.from_estimator(linear)
    assert (display.score_name, display.nested_scores) == ("R²", None)
    assert not [line for line in display.ax_.lines if line.get_linestyle() == "--"]
    # 40 features and few: the axis is logarithmic, and its numbers are plain.
    wide = PathDisplay(gammas=np.array([0.0, 1.0]), n_features=np.array([400.0, 5.0])).plot()
    assert wide.ax_.get_yscale() == "log"
    wide.figure_.canvas.draw()
    assert "100" in texts(wide.ax_.get_yticklabels())


# ---- stability -----------------------------------------------------------------------------------


def test_frequencies(stable: Any) -> None:
    display = StabilityDisplay.from_estimator(stable, max_features=6)
    shares = np.sort(stable.selection_frequencies_)[::-1]
    shown = min(6, int((shares > 0).sum()))
    assert display.frequencies.tolist() == shares[:shown].tolist()
    place = dict(zip(texts(display.ax_.get_yticklabels()), display.ax_.get_yticks(), strict=True))
    found = dict(zip(X.columns, stable.selection_frequencies_, strict=True))
    # The most frequent feature stands at the top.
    assert place[display.feature_names[0]] == max(place.values())
    dots = [line for line in display.ax_.lines if line.get_marker() == "o"]
    drawn = {float(at): value for line in dots for value, at in zip(line.get_xdata(), line.get_ydata(), strict=True)}
    assert {name: drawn[at] for name, at in place.items()} == {name: found[name] for name in place}
    assert display.kept.sum() == min(stable.support_.sum(), 6)


# ---- importance ----------------------------------------------------------------------------------


def test_importance_over_trees(guided: Any) -> None:
    display = ImportanceDisplay.from_estimator(guided, X, Y)
    assert display.importances.shape == (8, guided.n_features_)
    np.testing.assert_allclose(display.importances.mean(axis=0).sum(), 1.0)
    assert (np.diff(display.importances.mean(axis=0)) <= 0).all()
    assert sorted(display.feature_names) == sorted(X.columns[guided.support_])
    # Close to what the fit says of its bags.
    fitted = dict(zip(X.columns, guided.feature_importances_, strict=True))
    wanted = [fitted[name] for name in display.feature_names]
    np.testing.assert_allclose(display.importances.mean(axis=0), wanted, atol=0.1)


def test_importance_over_seeds() -> None:
    forest = RRFClassifier(5, coef_reg=0.5, random_state=1).fit(X, Y)
    display = ImportanceDisplay.from_estimator(forest, X, Y, over="seeds", n_seeds=3, max_features=4, random_state=7)
    assert display.importances.shape[0] == 3
    assert display.importances.shape[1] <= 4
    again = ImportanceDisplay.from_estimator(forest, X, Y, over="seeds", n_seeds=3, n_jobs=2, random_state=7)
    np.testing.assert_array_equal(again.importances[:, : display.importances.shape[1]], display.importances)
    assert display.ax_.get_xlabel() == "importance per fit (one per seed)"


def test_importance_of_numbers_and_categories() -> None:
    table = pd.DataFrame({"a": np.resize([1.0, 2.0, 3.0], 60), "b": pd.Categorical(np.resize(["x", "y"], 60))})
    y = table["a"] * 2 + (table["b"] == "x")
    forest = RRFRegressor(6, coef_reg=1.0, max_features=None, random_state=1).fit(table, y)
    display = ImportanceDisplay.from_estimator(forest, table, y)
    assert display.feature_names == ["a", "b"]


def test_boxes_are_quartiles() -> None:
    axes = draw_boxes(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0], [50.0, 0.0]]), ["a", "b"], "label")
    box = axes.patches[0]
    assert (box.get_x(), box.get_width(), box.get_y()) == (2.0, 2.0, 0.7)
    (beyond,) = axes.lines
    assert beyond.get_xdata().tolist() == [50.0]
    whiskers = axes.collections[0].get_segments()
    assert whiskers[0][:, 0].tolist() == [1.0, 4.0]


def test_importance_of_a_fit_alone(guided: Any, chosen: Any, stable: Any) -> None:
    less = LESSClassifier(random_state=1).fit(X.to_numpy(), Y)
    for fit in (fitted(), guided, chosen, stable, less):
        display = ImportanceDisplay.from_estimator(fit, max_features=5)
        named = getattr(fit, "feature_importances_", getattr(fit, "selection_frequencies_", None))
        order = np.argsort(-named, kind="stable")[:5]
        order = order[named[order] > 0]
        assert display.feature_names == list(getattr(fit, "feature_names_in_", np.arange(13))[order])
        assert display.importances.tolist() == [named[order].tolist()]
        assert [bar.get_width() for bar in display.ax_.patches] == named[order].tolist()
        assert display.ax_.get_xlabel() == ("frequency" if fit is stable else "importance")


def test_credits_of_an_elimination() -> None:
    few = EliminationSelector(3, n_estimators=5, random_state=1).fit(X, Y)
    table = few.credits_of_kept()
    # Rows are not needed, and do no harm.
    for display in (ImportanceDisplay.from_estimator(few), ImportanceDisplay.from_estimator(few, X, Y)):
        assert display.feature_names == table["feature"].tolist()
        assert display.importances.tolist() == [table["credit"].tolist()]
        assert (display.over, display.ax_.get_xlabel()) == ("fit", "credit")


def test_importance_where_there_is_none(stable: Any) -> None:
    none = StabilitySelector(stable.selector)
    none.__dict__ |= stable.__dict__ | {"selection_frequencies_": np.zeros(13)}
    display = ImportanceDisplay.from_estimator(none)
    display.figure_.canvas.draw()
    assert (display.feature_names, display.importances.shape) == ([], (1, 0))


def test_importance_over_rounds() -> None:
    noise = X.assign(noise=np.random.default_rng(1).standard_normal(len(X)))
    selector = BorutaSelector(n_estimators=10, max_iter=20, random_state=1).fit(noise, Y)
    history = selector.importance_history_
    gone = history.columns[history.isna().any()].tolist()
    assert "noise" in gone
    display = ImportanceDisplay.from_estimator(selector)
    assert display.feature_names == history.mean().sort_values(ascending=False).index.tolist()
    np.testing.assert_array_equal(display.importances, history[display.feature_names])
    assert display.ax_.get_xlabel() == "importance per round"
    # A box of a feature that was rejected is that of the rounds before.
    boxes = {
        name: (bar.get_x(), bar.get_width())
        for name, bar in zip(display.feature_names, display.ax_.patches, strict=True)
    }
    low, high = history["noise"].quantile([0.25, 0.75])
    np.testing.assert_allclose(boxes["noise"], (low, high - low))


# ---- redundancy ----------------------------------------------------------------------------------


def test_substitutes_of_a_stable_set(stable: Any) -> None:
    display = RedundancyDisplay.from_estimator(stable)
    table = stable.substitutes_
    assert len(table)
    for line in table.itertuples():
        cell = display.substitutes.index(line.substitute), display.feature_names.index(line.feature)
        assert display.correlations[cell] == line.correlation
        assert display.replaces[cell] == (line.replaces >= 0.4)
    assert np.isfinite(display.correlations).sum() == len(table)
    assert texts(display.ax_.get_yticklabels()) == display.substitutes
    assert texts(display.ax_.get_xticklabels()) == display.feature_names


def test_substitutes_by_rows(guided: Any) -> None:
    display = RedundancyDisplay.from_estimator(guided, X, max_features=1, max_substitutes=2)
    ranks = X.rank().corr()
    assert len(display.feature_names) == 1
    assert len(display.substitutes) <= 2
    np.testing.assert_allclose(display.correlations, ranks.loc[display.substitutes, display.feature_names], atol=1e-9)
    assert not display.replaces.any()
    (cells,) = (part for part in display.ax_.collections if part.get_array() is not None)
    # From the bottom up, and as wide as they should be.
    np.testing.assert_array_equal(cells.get_array(), display.correlations[::-1])
    assert display.ax_.get_xlim() == (-0.5, 0.5)


def test_no_substitutes() -> None:
    x = np.random.default_rng(1).random((40, 4))
    lone = RRFClassifier(5, random_state=1).fit(x, x[:, 0] > 0.5)
    assert RedundancyDisplay.from_estimator(lone, x).correlations.shape == (0, 0)


# ---- errors of forests -----------------------------------------------------------------------------


@pytest.mark.parametrize(("coef_reg", "said"), [(0.8, True), (None, False)])
def test_errors_come_with_their_caveat(coef_reg: Any, said: bool) -> None:
    forest = RRFClassifier(5, coef_reg=coef_reg, random_state=1).fit(X, Y)
    display = ForestErrorDisplay.from_estimator(forest)
    pd.testing.assert_frame_equal(display.errors, forest.result_.err_rate)
    assert display.ax_.get_title().startswith("optimistic") == said
    assert texts(display.ax_.get_legend().get_texts()) == ["OOB", "0", "1", "2"]


def test_errors_of_numbers(guided: Any) -> None:
    forest = RRFRegressor(5, random_state=1).fit(X, X["ash"])
    assert ForestErrorDisplay.from_estimator(forest).errors["OOB"].tolist() == forest.result_.mse.tolist()
    assert ForestErrorDisplay.from_estimator(guided).regularized


# ---- what all have, and what is refused -------------------------------------------------------------


def test_given_axes(chosen: Any, guided: Any, stable: Any) -> None:
    for make in (
        lambda ax: PathDisplay.from_estimator(chosen, ax=ax),
        lambda ax: StabilityDisplay.from_estimator(stable, ax=ax),
        lambda ax: ImportanceDisplay.from_estimator(guided, X, Y, ax=ax),
        lambda ax: RedundancyDisplay.from_estimator(guided, X, ax=ax),
        lambda ax: ForestErrorDisplay.from_estimator(guided, ax=ax),
    ):
        figure, axes = plt.subplots()
        display = make(axes)
        assert display.ax_ is axes
        assert display.figure_ is figure
        other = display.plot()
        assert other is display
        assert display.ax_ is not axes


def test_names_are_shown_as_they_are() -> None:
    display = StabilityDisplay(
        frequencies=np.array([1.0, 0.5]),
        feature_names=["$x_", "a$b$c\n\x07"],
        kept=np.array([True, False]),
        threshold=0.6,
    ).plot()
    display.figure_.canvas.draw()
    assert texts(display.ax_.get_yticklabels()) == ["$x_", "a$b$c "]
    assert [label.get_parse_math() for label in display.ax_.get_yticklabels()] == [False, False]
    assert plain_text("a" * 40) == "a" * 14 + "…" + "a" * 13


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: PathDisplay.from_path("path"), TypeError, "path must be the result of grrf_path"),
        (lambda: PathDisplay.from_estimator(GRRFSelector()), NotFittedError, "not fitted"),
        (lambda: PathDisplay.from_estimator(3), TypeError, "estimator must be a fitted selector"),
        (
            lambda: PathDisplay.from_estimator(GRRFSelector),
            TypeError,
            r"a fitted instance, GRRFSelector\(\.\.\.\)\.fit",
        ),
        (lambda: StabilityDisplay.from_estimator(make_pipeline(GRRFSelector())), TypeError, r"pass its step"),
        (lambda: StabilityDisplay.from_estimator(fitted()), TypeError, "estimator must be a StabilitySelector"),
        (lambda: RedundancyDisplay.from_estimator(fitted()), TypeError, "X is needed"),
        (lambda: RedundancyDisplay.from_estimator(fitted(), X.iloc[:, :3]), ValueError, "the 13 columns seen in fit"),
        (lambda: RedundancyDisplay.from_estimator(fitted(), X.iloc[:, ::-1]), ValueError, "in the same order"),
        (lambda: ImportanceDisplay.from_estimator(fitted(), X, Y, over="rows"), ValueError, "over must be one of"),
        (
            lambda: ImportanceDisplay.from_estimator(fitted(), X, Y + 1),
            ValueError,
            "contains 3, a class not seen in fit",
        ),
        (lambda: ImportanceDisplay.from_estimator(fitted(), X), TypeError, "y is missing; pass X and y, or neither"),
        (lambda: ImportanceDisplay.from_estimator(fitted(), over="seeds"), TypeError, "over=.seeds. needs X and y"),
        (lambda: ImportanceDisplay.from_estimator(EliminationSelector()), NotFittedError, "not fitted"),
        (lambda: ImportanceDisplay.from_estimator(BorutaSelector), TypeError, "pass a fitted instance, "),
        (
            lambda: ImportanceDisplay.from_estimator(MIFSSelector().fit(X, Y)),
            TypeError,
            "must be a forest or a selector with importances or credits",
        ),
        (lambda: ForestErrorDisplay.from_estimator(LinearRegression().fit(X, Y)), TypeError, "must have get_support"),
    ],
)
def test_what_is_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def fitted() -> Any:
    return RRFClassifier(3, random_state=1).fit(X, Y)


def test_a_search_is_refused() -> None:
    search = GridSearchCV(RRFClassifier(2, random_state=1), {"coef_reg": [0.5]}, cv=2).fit(X, Y)
    with refused("estimator", "type"):
        ForestErrorDisplay.from_estimator(search)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, guided: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pyrrf\[plot\]"):
        ForestErrorDisplay.from_estimator(guided)


def test_where_nothing_is_alike_the_picture_says_so() -> None:
    none = np.zeros((0, 0))
    axes = draw_correlations(none, [], [], none.astype(np.bool_))
    said = "no other feature has a rank correlation\nof at least 0.7 with a selected one"
    assert [text.get_text() for text in axes.texts] == [said]
