"""`python -m benchmarks.selection.pictures`: two pictures of what CONFIRMATION.md says, for README and the pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.markdown import rows_of
from benchmarks.selection.confirmation import PAGE

SIZES = ("2", "5", "12", "30")
OURS = "elimination"
COLOURS = {OURS: "#0b62a4", "RFE, pyrrf": "#b3541e", "LightGBM, RFE": "#5f8a3c"}
OTHERS = "#9a9a9a"


@dataclass(frozen=True)
class Curves:
    """Mean losses of a forest on new rows, over the cases where each method has each size."""

    cases: int
    all_features: float
    by_method: dict[str, list[float]]  # at SIZES


def mean_errors(text: str) -> Curves:
    """Return what the page says of some methods by size."""
    found = re.search(r"over the (\d+) cases that have all .*? All features: (\S+)\.\n", text, re.S)
    assert found
    rows = rows_of(text, "## By size")
    return Curves(
        int(found[1]), float(found[2]), {name: [float(rows[name][size]) for size in SIZES] for name in COLOURS}
    )


def regrets_and_seconds(text: str) -> dict[str, tuple[float, float]]:
    """Return the mean regret of each method, and the median seconds of a fit."""
    rows = rows_of(text, "## Of a given size")
    known = {name: row for name, row in rows.items() if row["mean regret"] != "-"}
    return {name: (float(row["mean regret"].split()[0]), float(row["s"])) for name, row in known.items()}


def draw_errors(axes: Any, curves: Curves) -> None:
    """Draw the mean error against the number of features."""
    sizes = [int(size) for size in SIZES]
    axes.axhline(curves.all_features, color="black", linewidth=1, linestyle="--", label="all features")
    for name, errors in curves.by_method.items():
        label = "EliminationSelector" if name == OURS else name.removesuffix(", pyrrf")
        axes.plot(sizes, errors, marker="o", markersize=4, color=COLOURS[name], label=label)
    axes.set_xscale("log")
    axes.set_xticks(sizes, SIZES)
    axes.minorticks_off()
    axes.set_xlabel("number of features kept")
    axes.set_ylabel(f"loss on new rows beside a guess,\nmean over {curves.cases} cases")
    axes.legend(frameon=False)


def draw_bars(left: Any, right: Any, methods: dict[str, tuple[float, float]]) -> None:
    """Draw regret and seconds of each method, the least regret first."""
    names = sorted(methods, key=lambda name: -methods[name][0])
    colours = [COLOURS[OURS] if name.startswith(OURS) else OTHERS for name in names]
    for axes, at, title in ((left, 0, "mean regret"), (right, 1, "seconds of a fit, median")):
        values = [methods[name][at] for name in names]
        axes.barh(names, values, color=colours)
        for row, value in enumerate(values):
            text = f"{value:.3f}" if axes is left else f"{value:.2g}"
            axes.annotate(text, (max(value, 0), row), (3, 0), textcoords="offset points", va="center", fontsize=8)
        axes.axvline(0, color="black", linewidth=0.6)
        axes.set_title(title, fontsize=9)
        axes.margins(x=0.18)
        axes.set_xticks([])
        axes.tick_params(length=0)
        axes.spines[["top", "right", "bottom", "left"]].set_visible(False)


def draw(text: str, folder: Path) -> None:
    """Write both pictures."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "pyrrf", "font.size": 9}):
        errors, bars = (Figure(figsize=size, layout="tight", facecolor="white") for size in ((5.2, 3), (6.4, 2.8)))
        draw_errors(errors.subplots(), mean_errors(text))
        draw_bars(*bars.subplots(1, 2, sharey=True), regrets_and_seconds(text))
        for figure, name in ((errors, "error_by_size"), (bars, "regret_and_time")):
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    draw(PAGE.read_text(), PAGE.parent)
