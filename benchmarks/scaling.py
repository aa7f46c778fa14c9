"""How cost grows with rows, columns, trees and threads: a table and a picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path

from benchmarks.markdown import table
from benchmarks.peers import PARALLEL, RANGER, Peer, threads_compared
from benchmarks.runner import measure
from benchmarks.shapes import Case, Shape
from benchmarks.tables import Results, show

REPEATS = 2
BUDGET = 2.0  # seconds: a peer that has spent more on a size is not called again


@dataclass(frozen=True)
class Panel:
    """One thing that is varied: a field of the shape, or the number of threads."""

    varied: str
    base: Shape
    values: tuple[int, ...]

    def points(self) -> Iterator[tuple[int, Shape, int]]:
        """Yield each value with its shape and its number of threads."""
        for value in self.values:
            if self.varied == "threads":
                yield value, self.base, value
            else:
                yield value, replace(self.base, **{self.varied: value}), 1


@dataclass
class Curve:
    """Seconds of a family by the value that is varied."""

    panel: Panel
    family: str
    seconds: dict[int, float] = field(default_factory=dict)

    @property
    def exponent(self) -> float | None:
        """The power of the varied value by which time grows, from the second value to the last."""
        values = sorted(self.seconds)
        if len(values) < 3:
            return None
        first, last = values[1], values[-1]
        return log(self.seconds[last] / self.seconds[first]) / log(last / first)


def panels(quick: bool) -> list[Panel]:
    """Return what is varied; `quick` takes tiny sizes."""
    if quick:
        return [Panel("rows", Shape(0, 10, 5), (50, 100, 200)), Panel("threads", Shape(60, 30, 20), (1, 2))]
    return [
        Panel("rows", Shape(rows=0, columns=20, trees=20), (500, 2_000, 8_000, 32_000)),
        Panel("columns", Shape(rows=100, columns=0, trees=100), (300, 1_000, 3_000, 10_000, 30_000)),
        Panel("trees", Shape(rows=1_000, columns=100, trees=0), (10, 30, 100, 300, 1_000)),
        Panel("threads", Shape(rows=10_000, columns=50, trees=50), tuple(threads_compared())),
    ]


def run(families: list[str], quick: bool) -> tuple[list[Curve], Results]:
    """Measure every panel for the parallel engine and ranger, regularized forests."""
    curves: list[Curve] = []
    results: Results = {}
    for panel in panels(quick):
        here = {family: Curve(panel, family) for family in (PARALLEL, RANGER) if family in families}
        for shape in dict.fromkeys(shape for _, shape, _ in panel.points()):
            wanted = [(value, count) for value, of, count in panel.points() if of == shape]
            peers = [Peer(family, True, count) for family in here for _, count in wanted]
            print(f"scaling, {panel.varied}: {shape} ...", file=sys.stderr)
            result = measure(Case(shape, "growth"), peers, REPEATS, BUDGET)
            results[f"growth with {panel.varied}, {shape}"] = result
            for family, curve in here.items():
                medians = {value: result.median(Peer(family, True, count)) for value, count in wanted}
                curve.seconds |= {value: median for value, median in medians.items() if median is not None}
        curves += [curve for curve in here.values() if curve.seconds]
    return curves, results


def measure_growth(families: list[str], quick: bool, folder: Path, output: Path | None) -> bool:
    """Measure, draw beside the report, and keep the text in `folder`; say whether all answers agreed."""
    curves, results = run(families, quick)
    picture = output and output.with_name("scaling.svg")
    drawn = "scaling.svg" if picture and draw(curves, picture) else None
    bad = [f"\n- FAILED or DIFFERENT: {name}." for name, result in results.items() if not result.sound]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.md").write_text("\n".join([describe(curves, drawn), *bad]))
    return not bad


def describe(curves: list[Curve], picture: str | None) -> str:
    """Return the picture's link and the table of the curves."""
    lines = [f"![Seconds by rows, columns, trees and threads]({picture})", ""] if picture else []
    lines += [
        f"Regularized forests, classes, coefReg 0.9, 1 thread unless threads are varied; medians of {REPEATS} repeats.",
        "exponent: power of the varied value by which time grows, from its second value to its last.",
        "",
    ]
    rows = []
    for curve in curves:
        pairs = ", ".join(f"{value:,}: {show(seconds)}" for value, seconds in curve.seconds.items())
        rows.append([curve.panel.varied, _others(curve.panel), curve.family, pairs, show(curve.exponent, ".2f")])
    return "\n".join([*lines, table(["varied", "others", "peer", "value: seconds", "exponent"], rows)])


def _others(panel: Panel) -> str:
    sizes = {"rows": panel.base.rows, "columns": panel.base.columns, "trees": panel.base.trees}
    return ", ".join(f"{size:,} {name}" for name, size in sizes.items() if name != panel.varied)


def draw(curves: list[Curve], file: Path) -> bool:
    """Draw a panel for each thing varied, both axes logarithmic; say whether there is a picture now."""
    if not curves:
        return False
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        print("matplotlib is not here: no picture; pip install matplotlib.", file=sys.stderr)
        return False
    shown = list(dict.fromkeys(curve.panel for curve in curves))
    with rc_context({"svg.hashsalt": "pyrrf", "font.size": 9}):
        figure = Figure(figsize=(3 * len(shown), 2.8), layout="tight")
        grid = figure.subplots(1, len(shown), squeeze=False)
        for axes, panel in zip(grid[0], shown, strict=True):
            _draw_panel(axes, panel, [curve for curve in curves if curve.panel == panel])
        grid[0][0].set_ylabel("seconds")
        grid[0][0].legend(frameon=False)
        figure.savefig(file, format="svg", metadata={"Date": None})
    return True


def _draw_panel(axes: object, panel: Panel, curves: list[Curve]) -> None:
    for curve in curves:
        marker = "o" if curve.family == PARALLEL else "s"
        axes.plot(list(curve.seconds), list(curve.seconds.values()), marker=marker, markersize=3, label=curve.family)
    axes.set_xscale("log", base=2 if panel.varied == "threads" else 10)
    axes.set_yscale("log")
    axes.set_title(f"{panel.varied}\n({_others(panel)})", fontsize=8)
    axes.grid(True, which="major", linewidth=0.3)
    if panel.varied == "threads":
        axes.set_xticks(panel.values, [str(value) for value in panel.values])
        axes.minorticks_off()
