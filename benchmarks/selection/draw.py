"""Curves of error against size, one picture for each case."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.selection.cases import CASES
from benchmarks.selection.methods import METHODS, OURS
from benchmarks.selection.summary import Cell, Results, known

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_SIZE = 0.5  # where nothing is kept, on a logarithmic axis
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MARKERS = dict(zip(METHODS, "ossv^<>DPX*.", strict=True))


def figure(case: str, cells: Mapping[str, Cell]) -> Figure:
    """Draw the mean error over the mean size, a line for each method."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullLocator

    drawing = Figure(figsize=(8, 4.5), layout="constrained")
    panel = drawing.subplots()
    for at, name in enumerate(METHODS):
        if name not in cells or name == "all":
            continue
        points = sorted(known(cells[name]), key=lambda point: point.size)
        sizes = [max(point.size, LEAST_SIZE) for point in points]
        width = 2.5 if name in OURS else 1
        panel.plot(
            sizes,
            [point.error for point in points],
            color=f"C{at % 10}",
            linestyle="-" if at < 10 else "--",
            linewidth=width,
            marker=MARKERS[name],
            markersize=3 + width,
            label=name,
        )
    if "all" in cells:
        panel.axhline(cells["all"].points[0].error, color="0.5", linestyle=":", label="all features")
    panel.set(xscale="log", xlabel="features kept", ylabel="error of one forest", title=CASES[case].title)
    most = max(point.size for cell in cells.values() for point in cell.points)
    panel.set_xticks([tick for tick in TICKS if tick <= most], [f"{tick:,}" for tick in TICKS if tick <= most])
    panel.xaxis.set_minor_locator(NullLocator())
    drawing.legend(loc="outside right center", frameon=False)
    return drawing


def draw(results: Results, folder: Path) -> list[str]:
    """Keep the pictures as SVG, the same bytes from the same answers; return the cases."""
    import matplotlib as mpl

    folder.mkdir(parents=True, exist_ok=True)
    tried = {case: [name for name, cell in results.get(case, {}).items() if known(cell)] for case in CASES}
    drawn = [case for case, names in tried.items() if names not in ([], ["all"])]
    with mpl.rc_context({"svg.hashsalt": "selection"}):
        for case in drawn:
            cells = {name: results[case][name] for name in tried[case]}
            figure(case, cells).savefig(folder / f"{case}.svg", metadata={"Date": None})
    return drawn
