"""Measure time and memory by rows, columns and trees; write a table and draw a picture."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path

from benchmarks import store
from benchmarks.markdown import table
from benchmarks.peers import INTELEX, PARALLEL, PYRRF, RANGER, Peer
from benchmarks.runner import Call, measure
from benchmarks.shapes import Case, Shape
from benchmarks.tables import Results, show

REPEATS = 3
BUDGET = 2.0  # seconds: a peer that has spent more on a size is not called on it again
LONGEST = 10.0  # seconds: a peer that took longer is not called at the next size
# Both engines, and the fastest other package with a penalty and without.
PEERS = (Peer(PARALLEL, True, 1), Peer(PYRRF, True, 1), Peer(RANGER, True, 1), Peer(INTELEX, False, 1))
MEASURES: dict[str, Callable[[Call], float]] = {"seconds": lambda call: call.seconds, "MiB": lambda call: call.peak}


@dataclass(frozen=True)
class Panel:
    """One field of the shape that is varied, and its values."""

    varied: str
    base: Shape
    values: tuple[int, ...]

    @property
    def fixed(self) -> str:
        """Sizes that are not varied, as text."""
        sizes = {"rows": self.base.rows, "columns": self.base.columns, "trees": self.base.trees}
        return ", ".join(f"{size:,} {name}" for name, size in sizes.items() if name != self.varied)


@dataclass
class Curve:
    """Seconds and memory of a peer by the value that is varied."""

    panel: Panel
    peer: Peer
    found: dict[str, dict[int, float]] = field(default_factory=lambda: {name: {} for name in MEASURES})

    def add(self, value: int, seconds: float | None, memory: float | None) -> bool:
        """Keep what a size took; say whether the peer is called at the next size."""
        if seconds is None or memory is None:
            return False
        for name, number in zip(MEASURES, (seconds, memory), strict=True):
            self.found[name][value] = number
        return seconds <= LONGEST

    def exponent(self, name: str) -> float | None:
        """Return the power of the varied value by which a measure grows, from the last value but one to the last."""
        points = list(self.found[name].items())[-2:]
        if len(points) < 2 or not all(number for _, number in points):
            return None
        (value, before), (last, after) = points
        return round(log(after / before) / log(last / value), 2) + 0.0  # no -0.0

    def cells(self, name: str) -> list[str]:
        """Return a measure at each value, and its exponent."""
        pairs = (f"{value:,}: {show(self.found[name].get(value))}" for value in self.panel.values)
        return [", ".join(pairs), show(self.exponent(name), ".2f")]


def panels(quick: bool) -> list[Panel]:
    """Return what is varied; `quick` takes tiny sizes."""
    if quick:
        return [Panel("rows", Shape(0, 10, 5), (50, 100, 200)), Panel("columns", Shape(60, 0, 5), (10, 30))]
    return [
        Panel("rows", Shape(rows=0, columns=20, trees=2), tuple(10**power for power in range(3, 8))),
        Panel("columns", Shape(rows=100, columns=0, trees=100), tuple(10**power for power in range(1, 7))),
        Panel("trees", Shape(rows=1_000, columns=100, trees=0), (10, 100, 1_000)),
    ]


def measure_panel(panel: Panel, peers: list[Peer], repeats: int) -> tuple[list[Curve], Results]:
    """Measure each value from the least on, for the peers that were not too slow at the one before."""
    called = curves = [Curve(panel, peer) for peer in peers]
    results: Results = {}
    for value in panel.values:
        shape = replace(panel.base, **{panel.varied: value})
        print(f"growth with {panel.varied}: {shape} ...", file=sys.stderr)
        result = measure(Case(shape, "growth", memory=True), [curve.peer for curve in called], repeats, BUDGET)
        results[f"growth with {panel.varied}, {shape}"] = result
        print(f"  {result.wall:.0f} s", file=sys.stderr)
        medians = [[result.median(curve.peer, what) for what in MEASURES.values()] for curve in called]
        called = [curve for curve, both in zip(called, medians, strict=True) if curve.add(value, *both)]
        if not called:
            break
    return [curve for curve in curves if curve.found["seconds"]], results


def measure_growth(families: list[str], quick: bool, folder: Path) -> bool:
    """Measure, and keep text and picture in `folder`; say whether all answers agreed."""
    curves: list[Curve] = []
    results: Results = {}
    for panel in panels(quick):
        peers = [peer for peer in PEERS if peer.family in families]
        drawn, told = measure_panel(panel, peers, 1 if quick else REPEATS)
        curves += drawn
        results |= told
    folder.mkdir(parents=True, exist_ok=True)
    shown = store.PICTURE if draw(curves, folder / store.PICTURE) else None
    bad = [f"\n- FAILED or DIFFERENT: {name}." for name, result in results.items() if not result.sound]
    (folder / store.GROWTH).write_text("\n".join([describe(curves, shown), *bad]))
    return not bad


def describe(curves: list[Curve], picture: str | None) -> str:
    """Return the picture's link and the table of the curves."""
    lines = [f"![Seconds and memory by rows, columns and trees]({picture})", ""] if picture else []
    lines += [
        "Classes, coefReg 0.9, one thread. The forests of scikit-learn-intelex are ordinary ones, and see 256 bins of",
        f"a column. Medians of up to {REPEATS} calls, each in a process of its own. MiB: the largest resident memory",
        "of the whole process, with its data. exponent: power of the varied value by which time or memory grows, from",
        f"the last value but one to the last. -: not called, since the peer took more than {LONGEST:g} s at the value",
        "before, or failed.",
        "",
    ]
    head = ["varied", "others", "peer", *(part for name in MEASURES for part in (f"value: {name}", "exponent"))]
    rows = []
    for curve in curves:
        cells = [cell for name in MEASURES for cell in curve.cells(name)]
        rows.append([curve.panel.varied, curve.panel.fixed, curve.peer.family, *cells])
    return "\n".join([*lines, table(head, rows)])


def draw(curves: list[Curve], file: Path) -> bool:
    """Draw seconds above memory for each thing varied, all axes logarithmic; say whether there is a picture now."""
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
        figure = Figure(figsize=(3.4 * len(shown), 5), layout="constrained")
        grid = figure.subplots(len(MEASURES), len(shown), squeeze=False, sharex="col", sharey="row")
        for name, line in zip(MEASURES, grid, strict=True):
            line[0].set_ylabel(name)
            for axes, panel in zip(line, shown, strict=True):
                _draw_panel(axes, name, [curve for curve in curves if curve.panel == panel])
        for axes, panel in zip(grid[0], shown, strict=True):
            axes.set_title(f"{panel.varied}\n({panel.fixed})", fontsize=8)
        figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
        figure.savefig(file, format="svg", metadata={"Date": None})
    return True


def _draw_panel(axes: object, name: str, curves: list[Curve]) -> None:
    for curve in curves:
        marker = "o" if curve.peer.family in (PARALLEL, PYRRF) else "s"
        points, label = curve.found[name], curve.peer.family
        axes.plot(list(points), list(points.values()), marker=marker, markersize=3, label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", linewidth=0.3)
