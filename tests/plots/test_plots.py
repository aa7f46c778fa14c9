"""varImpPlot, partialPlot, MDSplot, plot and rrfNews: the numbers, and what the axes show."""

from __future__ import annotations

import sys
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import same_color

import pyrrf
from pyrrf.plots import partial
from pyrrf.random import process_stream
from pyrrf.rbase.scaling import scale_proximities
from tests.refusals import refused


@pytest.fixture(autouse=True)
def _no_window() -> None:
    mpl.use("agg")


@pytest.fixture
def fit(frame: pd.DataFrame, y: np.ndarray) -> Any:
    return pyrrf.RRF(frame, y, ntree=12, importance=True, proximity=True, flagReg=0, seed=1)


@pytest.fixture
def regression(frame: pd.DataFrame, x: np.ndarray) -> Any:
    return pyrrf.RRF(frame, x[:, 0] * 3 + x[:, 2], ntree=10, importance=True, flagReg=0, seed=1)


def texts(labels: Any) -> list[str]:
    return [label.get_text() for label in labels]


# ---- varImpPlot ----------------------------------------------------------------------------------


def test_dot_charts_side_by_side(fit: Any) -> None:
    chart = pyrrf.varImpPlot(fit)
    pd.testing.assert_frame_equal(chart.data, pyrrf.importance(fit).iloc[:, -2:])
    assert [a.get_xlabel() for a in chart.axes] == ["MeanDecreaseAccuracy", "MeanDecreaseGini"]
    for axes in chart.axes:
        ordered = chart.data[axes.get_xlabel()].sort_values()
        assert texts(axes.get_yticklabels()) == ordered.index.tolist()
        assert axes.lines[0].get_xdata().tolist() == ordered.tolist()
    # Impurity starts at 0, accuracy at its smallest value; 4 % are free.
    low, high = chart.axes[1].get_xlim()
    top = chart.data["MeanDecreaseGini"].max()
    np.testing.assert_allclose([low, high], [-0.04 * top, 1.04 * top])
    assert chart.axes[0].get_xlim()[0] < chart.data["MeanDecreaseAccuracy"].min()
    assert chart.axes[0].figure.get_suptitle() == "RRF"


def test_part_of_the_features(fit: Any) -> None:
    (axes,) = pyrrf.varImpPlot(fit, n_var=2, type=2, main="Two").axes
    best = fit.importance["MeanDecreaseGini"].nlargest(2)
    assert texts(axes.get_yticklabels()) == best.index.tolist()[::-1]
    assert axes.get_title() == "Two"
    (axes,) = pyrrf.varImpPlot(fit, sort=False, n_var=3, type=1, class_="low").axes
    assert texts(axes.get_yticklabels()) == ["number", "colour", "size"]


def test_measures_of_a_regression(regression: Any) -> None:
    chart = pyrrf.varImpPlot(regression)
    assert [a.get_xlabel() for a in chart.axes] == ["%IncMSE", "IncNodePurity"]
    assert chart.axes[1].get_xlim()[0] < 0


def test_given_axes(fit: Any) -> None:
    _, panels = plt.subplots(2)
    assert pyrrf.varImpPlot(fit, ax=panels).axes == list(panels)
    with pytest.raises(ValueError, match="ax has 1 axes; pass 2, one per measure"):
        pyrrf.varImpPlot(fit, ax=panels[0])


def test_constant_importance(y: np.ndarray) -> None:
    one = pyrrf.RRF(np.arange(40.0)[:, None], y, ntree=2)
    (axes,) = pyrrf.varImpPlot(one).axes
    assert axes.get_xlim()[0] < axes.get_xlim()[1]


def test_varimp_errors(fit: Any) -> None:
    with refused("x", "type"):
        pyrrf.varImpPlot("fit")  # type: ignore[arg-type]
    with refused("n_var", "range"):
        pyrrf.varImpPlot(fit, n_var=6)
    with refused("sort", "type"):
        pyrrf.varImpPlot(fit, sort=None)  # type: ignore[arg-type]


# ---- partialPlot ---------------------------------------------------------------------------------


def dependence(fit: Any, table: pd.DataFrame, name: str, points: Any, focus: int, weights: np.ndarray) -> list[float]:
    """One call of predict() a point."""
    out = []
    for point in points:
        taken = table.copy()
        taken[name] = pd.Categorical([point] * len(table), dtype=table[name].dtype) if isinstance(point, str) else point
        if fit.type == "regression":
            values = np.asarray(pyrrf.predict(fit, taken))
        else:
            shares = pyrrf.predict(fit, taken, type="prob").to_numpy()
            logs = np.log(np.where(shares == 0, np.finfo(float).eps, shares))
            values = logs[:, focus] - logs.mean(axis=1)
        out.append(np.average(values, weights=weights))
    return out


@pytest.mark.filterwarnings("ignore:column 'size' of newdata holds numbers, which count as codes")
@pytest.mark.parametrize("name", ["number", "colour", "size", "flag", "count"])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_curve_is_the_mean_prediction(fit: Any, regression: Any, frame: pd.DataFrame, name: str, kind: str) -> None:
    which = fit if kind == "classes" else regression
    weights = np.arange(1.0, 41)
    curve = pyrrf.partialPlot(which, frame, name, "low", w=weights, n_pt=5, plot=False)
    expected = dependence(which, frame, name, curve.x, 1, weights)
    # NumPy's logarithm and its sums round otherwise.
    np.testing.assert_allclose(curve.y, expected, rtol=1e-12, atol=1e-12)
    assert curve.axes is None


def test_points(fit: Any, frame: pd.DataFrame) -> None:
    assert pyrrf.partialPlot(fit, frame, "colour", plot=False).x == ["blue", "green", "red"]
    assert pyrrf.partialPlot(fit, frame, "flag", plot=False).x.tolist() == [0, 1]
    assert pyrrf.partialPlot(fit, frame, "size", plot=False).x.tolist() == [1, 2]
    assert len(pyrrf.partialPlot(fit, frame, "number", plot=False).x) == 40
    many = frame.iloc[np.arange(80) % 40].reset_index(drop=True).assign(number=np.arange(80.0))
    assert len(pyrrf.partialPlot(fit, many, "number", plot=False).x) == 51


def test_class_by_the_start_of_its_label(fit: Any, frame: pd.DataFrame) -> None:
    short, whole = (pyrrf.partialPlot(fit, frame, "flag", name, plot=False).y.tolist() for name in ("l", "low"))
    assert short == whole
    assert short != pyrrf.partialPlot(fit, frame, "flag", plot=False).y.tolist()


def test_blocks_do_not_change_the_answer(fit: Any, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    answers, states = [], []
    for cells in (partial._BLOCK, 500, 1):
        monkeypatch.setattr(partial, "_BLOCK", cells)
        pyrrf.set_seed(1)
        process_stream().load()
        answers.append(pyrrf.partialPlot(fit, frame, "number", n_pt=7, plot=False).y.tolist())
        states.append(process_stream().get_state()[1].tolist())
    assert answers[0] == answers[1] == answers[2]
    assert states[0] == states[1] == states[2]


def test_stream_moves_as_in_one_call_a_point(frame: pd.DataFrame, y: np.ndarray) -> None:
    fit = pyrrf.RRF(frame, y, ntree=2, flagReg=0, seed=1)
    states = []
    for way in (lambda: pyrrf.partialPlot(fit, frame, "count", plot=False), lambda: by_point(fit, frame)):
        pyrrf.set_seed(1)
        process_stream().load()
        before = process_stream().get_state()[1].tolist()
        way()
        states.append(process_stream().get_state()[1].tolist())
        assert states[-1] != before
    assert states[0] == states[1]


def by_point(fit: Any, frame: pd.DataFrame) -> None:
    count = frame["count"]
    for value in np.linspace(count.min(), count.max(), count.nunique()):
        pyrrf.predict(fit, frame.assign(count=value), type="prob")


def test_line_with_a_rug_of_deciles(fit: Any, frame: pd.DataFrame) -> None:
    curve = pyrrf.partialPlot(fit, frame, "number")
    assert curve.axes.get_title() == "Partial Dependence on number"
    assert curve.axes.get_xlabel() == "number"
    assert curve.axes.lines[0].get_xydata().tolist() == np.column_stack([curve.x, curve.y]).tolist()
    (rug,) = curve.axes.collections
    places = [segment[0][0] for segment in rug.get_segments()]
    np.testing.assert_allclose(places, frame["number"].quantile(np.arange(1, 10) / 10), rtol=1e-14)


def test_rug_of_values_with_few_points(fit: Any, frame: pd.DataFrame) -> None:
    curve = pyrrf.partialPlot(fit, frame, "flag", xlab="Flag", ylab="log odds", main="")
    assert [segment[0][0] for segment in curve.axes.collections[0].get_segments()] == [0, 1]
    assert (curve.axes.get_xlabel(), curve.axes.get_ylabel(), curve.axes.get_title()) == ("Flag", "log odds", "")
    assert not pyrrf.partialPlot(fit, frame, "flag", rug=False).axes.collections


def test_bars_for_a_factor(fit: Any, frame: pd.DataFrame) -> None:
    curve = pyrrf.partialPlot(fit, frame, "colour")
    assert [bar.get_height() for bar in curve.axes.patches] == curve.y.tolist()
    assert texts(curve.axes.get_xticklabels()) == ["blue", "green", "red"]
    assert all(same_color(bar.get_facecolor(), "blue") for bar in curve.axes.patches)


def test_add_to_the_current_axes(fit: Any, frame: pd.DataFrame) -> None:
    first = pyrrf.partialPlot(fit, frame, "number")
    second = pyrrf.partialPlot(fit, frame, "number", "low", add=True, color="red")
    assert second.axes is first.axes
    assert same_color(first.axes.lines[1].get_color(), "red")
    bars = pyrrf.partialPlot(fit, frame, "colour")
    added = pyrrf.partialPlot(fit, frame, "colour", "low", add=True)
    assert added.axes is bars.axes
    assert [s[1][1] for s in added.axes.collections[0].get_segments()] == added.y.tolist()


def test_columns_of_an_array(x: np.ndarray, y: np.ndarray) -> None:
    fit = pyrrf.RRF(x, y, ntree=10, seed=1)
    curve = pyrrf.partialPlot(fit, x, 2, n_pt=4, plot=False)
    named = pd.DataFrame(x)
    again = pyrrf.partialPlot(pyrrf.RRF(named, y, ntree=10, seed=1), named, 2, n_pt=4, plot=False)
    assert curve.y.tolist() == again.y.tolist()


def test_formula_fit(frame: pd.DataFrame, y: np.ndarray) -> None:
    data = frame.assign(y=y)
    fit = pyrrf.RRF("y ~ log(number) + colour", data=data, ntree=8, seed=1)
    curve = pyrrf.partialPlot(fit, data, "number", n_pt=3, plot=False)
    expected = dependence(fit, data, "number", curve.x, 0, np.ones(40))
    np.testing.assert_allclose(curve.y, expected, rtol=1e-12)


def test_ordered_factor_without_quirks(frame: pd.DataFrame, y: np.ndarray) -> None:
    fit = pyrrf.RRF(frame, y, ntree=8, seed=1, quirks=False)
    curve = pyrrf.partialPlot(fit, frame, "size", n_pt=7, plot=False)
    assert curve.x.tolist() == [1, 2]
    assert np.isfinite(curve.y).all()


@pytest.mark.parametrize(
    ("arguments", "argument", "code"),
    [
        ({"x": "fit"}, "x", "type"),
        ({"x_var": "weight"}, "x_var", "unknown"),
        ({"pred_data": np.ones((4, 5))}, "x_var", "unknown"),
        ({"pred_data": np.ones(4)}, "pred_data", "shape"),
        ({"which_class": "medium"}, "which_class", "unknown"),
        ({"which_class": ""}, "which_class", "unknown"),
        ({"w": [1.0, 2.0]}, "w", "length"),
        ({"w": ["a"] * 40}, "w", "type"),
        ({"n_pt": 0}, "n_pt", "range"),
        ({"plot": "yes"}, "plot", "type"),
        ({"add": 2}, "add", "type"),
        ({"rug": 2}, "rug", "type"),
    ],
)
def test_partial_errors(fit: Any, frame: pd.DataFrame, arguments: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        pyrrf.partialPlot(**{"x": fit, "pred_data": frame, "x_var": "number", **arguments})


def test_predictors_that_have_no_points(fit: Any, frame: pd.DataFrame, x: np.ndarray, y: np.ndarray) -> None:
    with refused("pred_data", "missing"):
        pyrrf.partialPlot(fit, frame.assign(number=np.nan), "number", plot=False)
    with refused("pred_data", "type"):
        pyrrf.partialPlot(fit, frame.assign(number="a"), "number", plot=False)
    with refused("x", "fit"):
        pyrrf.partialPlot(pyrrf.RRF(x, y, ntree=2, keep_forest=False), x, 0, plot=False)


# ---- MDSplot -------------------------------------------------------------------------------------


def test_two_dimensions(fit: Any, y: np.ndarray) -> None:
    scaling = pyrrf.MDSplot(fit, y)
    points = scaling.points.to_numpy()
    # Distances in all dimensions with a positive eigenvalue approach 1 - proximity; two keep the centre.
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-14)
    np.testing.assert_allclose((points**2).sum(axis=0), scaling.eig[:2], rtol=1e-12)
    lines = scaling.axes.lines
    assert [line.get_label() for line in lines] == ["high", "low"]
    for line, level in zip(lines, ("high", "low"), strict=True):
        assert line.get_xydata().tolist() == points[y == level].tolist()
    assert (scaling.axes.get_xlabel(), scaling.axes.get_ylabel()) == ("Dim 1", "Dim 2")


def test_pairs_of_dimensions(fit: Any, y: np.ndarray) -> None:
    scaling = pyrrf.MDSplot(fit, y, k=3, palette=["orange", "navy", "unused"], pch="x")
    assert scaling.axes.shape == (3, 3)
    panel = scaling.axes[0, 2]
    assert panel.lines[0].get_xydata().tolist() == scaling.points.to_numpy()[y == "high"][:, [2, 0]].tolist()
    assert same_color(panel.lines[1].get_color(), "navy")
    assert [scaling.axes[i, i].texts[0].get_text() for i in range(3)] == ["Dim 1", "Dim 2", "Dim 3"]


def test_one_dimension(fit: Any, y: np.ndarray) -> None:
    axes = pyrrf.MDSplot(fit, y, k=1, pch=1).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Index", "Dim 1")
    assert axes.lines[0].get_markerfacecolor() == "none"


def test_rainbow_for_many_classes(fit: Any) -> None:
    axes = pyrrf.MDSplot(fit, np.arange(40) % 12).axes
    assert len({line.get_color() for line in axes.lines}) == 12
    assert same_color(axes.lines[0].get_color(), "red")


def test_mds_errors(fit: Any, regression: Any, y: np.ndarray) -> None:
    with refused("rf", "type"):
        pyrrf.MDSplot(None, y)  # type: ignore[arg-type]
    with refused("rf", "fit"):
        pyrrf.MDSplot(regression, y)
    with pytest.raises(ValueError, match="fac has 3 values, but rf has 40 rows"):
        pyrrf.MDSplot(fit, ["a", "b", "c"])
    with refused("palette", "length"):
        pyrrf.MDSplot(fit, y, palette=["red"])
    with refused("pch", "choice"):
        pyrrf.MDSplot(fit, y, pch=77)
    with pytest.raises(ValueError, match="ax must be None with k=3"):
        pyrrf.MDSplot(fit, y, k=3, ax=plt.gca())


# ---- plot ----------------------------------------------------------------------------------------


def test_one_line_a_class(fit: Any) -> None:
    chart = pyrrf.plot(fit)
    pd.testing.assert_frame_equal(chart.data, fit.err_rate)
    lines = chart.axes.lines
    assert [line.get_label() for line in lines] == ["OOB", "high", "low"]
    assert [same_color(line.get_color(), c) for line, c in zip(lines, ("black", "#DF536B", "#61D04F"), strict=True)]
    assert lines[0].get_linestyle() == "-"
    assert {line.get_linestyle() for line in lines[1:]} != {"-"}
    assert lines[1].get_xydata().tolist() == list(map(list, fit.err_rate["high"].items()))
    assert (chart.axes.get_xlabel(), chart.axes.get_ylabel(), chart.axes.get_title()) == ("trees", "Error", "RRF")


def test_errors_of_a_regression(regression: Any) -> None:
    chart = pyrrf.plot(regression, main="Error", color="red", linewidth=2)
    assert chart.data.iloc[:, 0].tolist() == regression.mse.tolist()
    (line,) = chart.axes.lines
    assert same_color(line.get_color(), "red")


def test_errors_of_the_test_set_without_quirks(x: np.ndarray, y: np.ndarray) -> None:
    for quirks, columns in ((True, 3), (False, 6)):
        fit = pyrrf.RRF(x, y, x[:9], pd.Categorical(y[:9], ["high", "low"]), ntree=4, quirks=quirks)
        assert pyrrf.plot(fit).data.shape == (4, columns)
    fit = pyrrf.RRF(x, x[:, 0], x[:9], x[:9, 0], ntree=4, quirks=False)
    assert pyrrf.plot(fit).data.columns.tolist() == ["OOB", "Test"]


def test_margins_sorted_and_coloured(fit: Any, y: np.ndarray) -> None:
    margins = pyrrf.margin(fit)
    chart = pyrrf.plot(margins)
    assert chart.data.tolist() == sorted(margins.dropna())
    shown = {line.get_label(): line.get_ydata() for line in chart.axes.lines}
    assert sorted(shown["low"]) == sorted(margins["low"])
    unsorted = pyrrf.plot(margins, sort=False, main="Margins")
    pd.testing.assert_series_equal(unsorted.data, margins)
    assert unsorted.axes.get_title() == "Margins"


def test_plot_errors(x: np.ndarray, fit: Any) -> None:
    with refused("x", "type"):
        pyrrf.plot(x)
    with refused("x", "fit"):
        pyrrf.plot(pyrrf.combine(fit, fit))
    with pytest.warns(UserWarning, match="quirks=False"):
        unsupervised = pyrrf.RRF(x, ntree=2)
    with refused("x", "fit"):
        pyrrf.plot(unsupervised)


# ---- tuneRRF, axes, matplotlib, news -------------------------------------------------------------


def test_tuning_is_drawn_on_a_logarithmic_scale(x: np.ndarray, y: np.ndarray, capsys: Any) -> None:
    noisy = np.where(x[:, 0] + x[:, 1] > 1, "a", "b")
    tried = pyrrf.tuneRRF(x, noisy, ntreeTry=4, seed=1)
    axes = plt.gca()
    assert axes.get_xscale() == "log"
    assert axes.lines[0].get_xydata().tolist() == tried.to_numpy().tolist()
    assert texts(axes.get_xticklabels()) == [f"{m:g}" for m in tried["mtry"]]


def test_every_plot_takes_axes(fit: Any, frame: pd.DataFrame, y: np.ndarray) -> None:
    _, panels = plt.subplots(1, 5)
    drawn = [
        pyrrf.plot(fit, ax=panels[0]),
        pyrrf.plot(pyrrf.margin(fit), ax=panels[1]),
        pyrrf.partialPlot(fit, frame, "number", ax=panels[2]),
        pyrrf.partialPlot(fit, frame, "colour", ax=panels[3]),
        pyrrf.MDSplot(fit, y, ax=panels[4]),
    ]
    assert [d.axes for d in drawn] == list(panels)
    assert plt.get_fignums() == [1]


@pytest.mark.parametrize(
    "call",
    [
        lambda fit, frame, y: pyrrf.varImpPlot(fit),
        lambda fit, frame, y: pyrrf.partialPlot(fit, frame, "number"),
        lambda fit, frame, y: pyrrf.MDSplot(fit, y),
        lambda fit, frame, y: pyrrf.plot(fit),
        lambda fit, frame, y: pyrrf.plot(fit, col="red"),
        lambda fit, frame, y: pyrrf.tuneRRF(frame, y),
    ],
    ids=["varImpPlot", "partialPlot", "MDSplot", "plot", "a colour", "tuneRRF"],
)
def test_plots_say_what_to_install(
    fit: Any, frame: pd.DataFrame, y: np.ndarray, monkeypatch: pytest.MonkeyPatch, call: Any
) -> None:
    for part in ("pyplot", "colors"):
        monkeypatch.setitem(sys.modules, f"matplotlib.{part}", None)
    with pytest.raises(ImportError, match="plots need matplotlib; install it with:"):
        call(fit, frame, y)


def test_numbers_need_no_matplotlib(fit: Any, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    assert len(pyrrf.partialPlot(fit, frame, "colour", plot=False).y) == 3


def test_news(capsys: Any) -> None:
    news = pyrrf.rrfNews()
    assert capsys.readouterr().out == news + "\n"
    assert news.startswith("# Changelog")
    assert "`combine`" in news


# ---- what messages call the data -----------------------------------------------------------------


def wrong_tables(x: np.ndarray, y: np.ndarray) -> dict[str, tuple[Any, Any, str]]:
    table = pd.DataFrame(x, columns=list("abcde")).assign(y=y)
    named = pyrrf.RRF(table[list("abcde")], y, ntree=3, seed=1)
    plain, formula = pyrrf.RRF(x, y, ntree=3, seed=1), pyrrf.RRF("y ~ .", table, ntree=3, seed=1)
    holes = x.copy()
    holes[0, 1] = np.nan
    return {
        "too few": (plain, x[:, :3], "pred_data has 3 columns"),
        "missing values": (plain, holes, "pred_data holds missing values"),
        "lacking": (named, table[list("abcd")], "pred_data lacks column"),
        "lacking for a formula": (formula, table[list("abcd")], "pred_data lacks column"),
        "unsupervised": (pyrrf.RRF(x, ntree=3, quirks=False, keep_forest=True, seed=1), x, "x is an unsupervised"),
    }


@pytest.mark.parametrize("name", ["too few", "missing values", "lacking", "lacking for a formula", "unsupervised"])
def test_partial_plot_names_its_own_arguments(x: np.ndarray, y: np.ndarray, name: str) -> None:
    fit, table, message = wrong_tables(x, y)[name]
    with pytest.raises(ValueError, match=f"^{message}"):
        pyrrf.partialPlot(fit, table, table.columns[0] if isinstance(table, pd.DataFrame) else 0, plot=False)


def test_coordinates_of_equal_eigenvalues_keep_the_distances() -> None:
    near = pd.DataFrame(np.eye(4))
    points = scale_proximities(near, 3)[0].to_numpy()
    between = np.sqrt(((points[:, np.newaxis] - points) ** 2).sum(axis=2))
    np.testing.assert_allclose(between, 1 - near, atol=1e-12)
