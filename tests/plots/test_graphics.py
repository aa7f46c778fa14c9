"""R's graphics arguments: what is drawn by them, and what is refused with a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.plots.graphics import read_graphics

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")


@pytest.fixture(scope="module")
def x() -> pd.DataFrame:
    pyrrf.set_seed(1)
    return pd.DataFrame(pyrrf.runif(300).reshape(60, 5, order="F")).rename(columns="g{}".format)


@pytest.fixture(scope="module")
def fit(x: pd.DataFrame) -> Any:
    return pyrrf.GRRF(x, pd.Categorical(np.where(x["g0"] > 0.5, "u", "v")), ntree=9, seed=1, proximity=True)


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    matplotlib.pyplot.close("all")


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
    assert (line.get_marker(), line.get_markersize(), line.get_color()) == ("^", 12, "0.5")
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
    with pytest.raises(ValueError, match="selected features"):
        pyrrf.varImpPlot(fit, selected=True, n_var=5 if len(fit.feaSet) < 5 else 6)


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"las": 1}, TypeError, "plot\\(\\) has no argument 'las'; draw, then call chart.axes.tick_params"),
        ({"cex.axis": 2}, TypeError, "labelsize"),
        ({"bty": "n"}, TypeError, "spines"),
        ({"col": "red3"}, ValueError, "col 'red3' is no colour"),
        ({"col": []}, ValueError, "col is empty"),
        ({"pch": 99}, ValueError, "pch must be"),
        ({"lty": -1}, ValueError, "lty must be"),
        ({"type": "z"}, ValueError, "type must be"),
        ({"log": "z"}, ValueError, "log must be"),
    ],
)
def test_what_has_no_counterpart(fit: Any, given: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        pyrrf.plot(fit, **given)


def test_numbers_of_colours_and_lines() -> None:
    assert read_graphics("plot", {"col": 0, "lty": 7}).over({}) == {"color": "white", "linestyle": "solid"}
    assert read_graphics("plot", {"color": "red", "alpha": 0.5}).artist == {"color": "red", "alpha": 0.5}
