"""The pictures of the page on plots, drawn when the pages are built."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot as plt
from sklearn.datasets import load_iris

import pyrrf

FOLDER = Path(__file__).parent / "_pictures"


def draw() -> None:
    """Draw each function of R once, on the iris data."""
    FOLDER.mkdir(exist_ok=True)
    data = load_iris(as_frame=True)
    iris = data.frame.drop(columns="target").assign(kind=data.target_names[data.target])
    x, y = iris.drop(columns="kind"), iris["kind"]
    fit = pyrrf.RRF(x, y, ntree=200, importance=True, proximity=True, seed=1)
    shown = {
        "importance": lambda: pyrrf.varImpPlot(fit),
        "errors": lambda: pyrrf.plot(fit),
        "partial": lambda: pyrrf.partialPlot(fit, x, "petal width (cm)", which_class="virginica"),
        "map": lambda: pyrrf.MDSplot(fit, y),
        "margins": lambda: pyrrf.plot(pyrrf.margin(fit)),
    }
    for name, show in shown.items():
        plt.close("all")
        show()
        plt.gcf().savefig(FOLDER / f"{name}.png", dpi=110, bbox_inches="tight")
    plt.close("all")
