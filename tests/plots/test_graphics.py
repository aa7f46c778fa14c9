"""R's graphics arguments: what is drawn by them, and what is refused with a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf import r
from pyrrf.plots.colours import read_colour
from pyrrf.plots.graphics import read_graphics
from pyrrf.plots.symbols import check_symbol, symbol

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

from matplotlib.colors import to_rgba  # noqa: E402

from tests.refusals import refused  # noqa: E402


@pytest.fixture(scope="module")
def x() -> pd.DataFrame:
    pyrrf.set_seed(1)
    return pd.DataFrame(pyrrf.runif(300).reshape(60, 5, order="F")).rename(columns="g{}".format)


@pytest.fixture(scope="module")
def fit(x: pd.DataFrame) -> Any:
    return pyrrf.GRRF(x, pd.Categorical(np.where(x["g0"] > 0.5, "u", "v")), ntree=9, seed=1, proximity=True)


def test_lines_take_their_turns(fit: Any) -> None:
    axes = pyrrf.plot(fit, col=["red", 2], lwd=3, lty=["dashed", 1, 0], xlim=(0, 5), log="y", ylab="e").axes
    lines = axes.get_lines()
    assert [line.get_color() for line in lines] == ["red", "#DF536B", "red"]
    assert [line.get_linewidth() for line in lines] == [3, 3, 3]
    assert [line.get_linestyle() for line in lines] == ["--", "-", "None"]
    assert (axes.get_xlim(), axes.get_yscale(), axes.get_ylabel()) == ((0, 5), "log", "e")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["OOB", "u", "v"]


def test_points(fit: Any, x: pd.DataFrame) -> None:
    axes = pyrrf.partialPlot(fit, x, "g0", type="b", pch=17, cex=2, col="gray50", main="m").axes
    (line,) = axes.get_lines()
    assert (line.get_marker(), line.get_markersize(), line.get_color()) == ("^", 12, "#7F7F7F")
    assert (line.get_linestyle(), axes.get_title()) == ("-", "m")
    points = pyrrf.MDSplot(fit, fit.y, cex=3, ylim=(-1, 1)).axes
    assert {line.get_markersize() for line in points.get_lines()} == {12}
    assert points.get_ylim() == (-1, 1)


@pytest.mark.parametrize(
    ("given", "line", "marker"),
    [({"type": "p"}, "None", "o"), ({"type": "l"}, "-", "None"), ({"type": "n"}, "None", "None")],
)
def test_types(fit: Any, x: pd.DataFrame, given: dict[str, Any], line: str, marker: str) -> None:
    (drawn,) = pyrrf.partialPlot(fit, x, "g0", **given).axes.get_lines()
    assert (drawn.get_linestyle().title(), drawn.get_marker().title()) == (line.title(), marker.title())


def test_the_selected_alone(fit: Any) -> None:
    chart = pyrrf.varImpPlot(fit, selected=True, pch=19, col=4)
    assert chart.data.index.tolist() == fit.feature_names
    assert chart.axes[0].get_lines()[0].get_markerfacecolor() == "#2297E6"
    with refused("n_var", "range"):
        pyrrf.varImpPlot(fit, selected=True, n_var=5 if len(fit.feaSet) < 5 else 6)


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"tck": 1}, TypeError, "plot\\(\\) has no argument 'tck'; draw, then call chart.axes.tick_params"),
        ({"font.main": 2}, TypeError, "set_fontweight"),
        ({"colour": "red"}, TypeError, "did you mean 'col'"),
        ({"col": "redd"}, ValueError, "col 'redd' is not a colour"),
        ({"col": []}, ValueError, "col is empty"),
        ({"pch": 26}, ValueError, "pch must be"),
        ({"lty": -1}, ValueError, "lty must be"),
        ({"lty": "striped"}, ValueError, "lty must be"),
        ({"type": "z"}, ValueError, "type must be"),
        ({"log": "z"}, ValueError, "log must be"),
        ({"xlim": 3}, ValueError, "xlim must be two numbers"),
        ({"las": 4}, ValueError, "las must be"),
    ],
)
def test_what_has_no_counterpart(fit: Any, given: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        pyrrf.plot(fit, **given)


def test_own_arguments_are_meant_too(fit: Any) -> None:
    with pytest.raises(TypeError, match="did you mean 'n_var'"):
        pyrrf.varImpPlot(fit, **{"n.var": 3})
    with pytest.raises(TypeError, match="did you mean 'which_class'"):
        pyrrf.partialPlot(fit, None, 0, **{"which.class": "a"})


def test_numbers_of_colours_and_lines() -> None:
    assert read_graphics("plot", {"col": 0, "lty": 7, "lwd": None}).override({}) == {
        "color": "white",
        "linestyle": "solid",
    }
    assert read_graphics("plot", {"color": "red", "alpha": 0.5}).artist == {"color": "red", "alpha": 0.5}
    assert read_graphics("plot", {"c": "red", "lw": 2}).override({"color": "black"}) == {"color": "red", "linewidth": 2}
    assert read_graphics("plot", {"lty": "44", "col": 2.0}).override({}) == {
        "linestyle": (0, (4, 4)),
        "color": "#DF536B",
    }


# What R's col2rgb() answers; matplotlib has another green, gray, maroon and purple, and no name with a number.
@pytest.mark.parametrize(
    ("name", "colour"),
    [
        ("green", "#00FF00"),
        ("Gray", "#BEBEBE"),
        ("maroon", "#B03060"),
        ("purple", "#A020F0"),
        ("violet red", "#D02090"),
        ("grey50", "#7F7F7F"),
        ("gray90", "#E5E5E5"),
        ("red3", "#CD0000"),
        ("steelblue4", "#36648B"),
        ("hotpink2", "#EE6AA7"),
        ("dark orange", "darkorange"),
        ("transparent", "none"),
        (float("nan"), "none"),
    ],
)
def test_colours_of_r(name: Any, colour: str) -> None:
    assert read_colour(name) == colour


def test_a_list_has_a_value_for_each_point(fit: Any, x: pd.DataFrame) -> None:
    dots = pyrrf.varImpPlot(fit, n_var=3, col=["red", 2], pch=[21, 19], bg="yellow").axes[0].get_lines()
    assert [dot.get_color() for dot in dots] == ["red", "#DF536B", "red"]
    assert [dot.get_markerfacecolor() for dot in dots] == ["yellow", "#DF536B", "yellow"]
    points = pyrrf.MDSplot(fit, fit.y, pch=[3, 4], cex=[1, 2]).axes
    assert {(line.get_marker(), line.get_markersize()) for line in points.get_lines()} == {("+", 7), ("x", 12)}
    assert sum(len(line.get_xdata()) for line in points.get_lines()) == 60


def test_bars_have_no_symbols(x: pd.DataFrame) -> None:
    table = x.assign(level=pd.Categorical(np.resize(["a_$1$", "b", "c"], 60)))
    fit = pyrrf.RRF(table, x["g0"], ntree=9, seed=1)
    axes = pyrrf.partialPlot(fit, table, "level", col=["red", 3], pch=2, cex=2, lwd=2).axes
    assert [bar.get_facecolor() for bar in axes.patches] == [(1, 0, 0, 1), to_rgba("#61D04F"), (1, 0, 0, 1)]
    pyrrf.partialPlot(fit, table, "level", add=True, ax=axes, col="blue", pch=3)
    assert axes.get_xticklabels()[0].get_text() == "a_$1$"


def test_pairs_have_a_title_and_a_legend(fit: Any) -> None:
    grid = pyrrf.MDSplot(fit, fit.y, k=3, main="Pairs", xlim=(-1, 1)).axes
    assert grid[0, 0].figure.get_suptitle() == "Pairs"
    assert grid[0, 1].get_xlim() == (-1, 1)
    (legend,) = grid[0, 0].figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["u", "v"]


def test_names_are_shown_as_they_are(x: pd.DataFrame) -> None:
    y = pd.Categorical(np.where(x["g0"] > 0.5, "_a", "$b$"))
    table = x.rename(columns={"g0": "$x$ and " + "y" * 80})
    fit = pyrrf.RRF(table, y, ntree=9, seed=1)
    assert [text.get_text() for text in pyrrf.plot(fit).axes.get_legend().get_texts()] == ["OOB", "$b$", "_a"]
    shown = pyrrf.varImpPlot(fit).axes[0]
    assert max(len(label.get_text()) for label in shown.get_yticklabels()) == 48
    assert not any(label.get_parse_math() for label in shown.get_yticklabels())
    assert pyrrf.partialPlot(fit, table, table.columns[0]).axes.get_xlabel().startswith("\\$x\\$ and yyy")


def test_many_classes_stand_beside_the_axes(x: pd.DataFrame) -> None:
    fit = pyrrf.RRF(x, pd.Categorical(np.arange(60) % 30), ntree=9, seed=1)
    axes = pyrrf.plot(fit).axes
    axes.figure.canvas.draw()
    assert axes.get_legend().get_window_extent().x0 > axes.get_window_extent().x1


def test_symbols_of_r() -> None:
    assert [symbol(check_symbol(pch))["marker"] for pch in (3, 19.0, "+", "a")] == ["+", "o", "+", r"$\mathrm{a}$"]
    assert symbol(21, "red")["markerfacecolor"] == "red"
    assert symbol(1, "red")["markerfacecolor"] == "none"
    assert all(len(symbol(pch)["marker"].vertices) > 5 for pch in range(7, 15))


def test_a_legend_of_numbers_is_an_error_as_in_r() -> None:
    with pytest.raises(r.RError, match='"legend" is missing'):
        r.legend("top", r.c(1, 2, 3))
