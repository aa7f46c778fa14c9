"""Charts of a selection: sizes, scores, frequencies, importances, correlated features."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyrrf.plots.colours import AGAINST, DROPPED, KEPT
from pyrrf.plots.library import pyplot
from pyrrf.plots.panels import plain_text, plain_ticks
from pyrrf.types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 6.4
# Inches of height per line of a chart, and around the lines.
_LINE, _AROUND = 0.22, 1.2
# An axis is logarithmic if its largest number is at least this multiple of its smallest.
_WIDE = 20
# Number of colours of a heat map, and the opacity of the strongest one, on which numbers must be readable.
_STEPS, _STRONGEST = 20, 0.7
# Largest number of columns for which a heat map has numbers.
_MOST_NUMBERS = 8


def chart_height(lines: int) -> float:
    """Return the height of a chart with `lines` lines, in inches."""
    return _AROUND + _LINE * max(lines, 3)


def _axes(ax: Any, height: float = 4.0, width: float = _WIDTH) -> Axes:
    """Return the given axes, or new ones, without a frame at the top and on the right."""
    if ax is None:
        _, ax = pyplot().subplots(figsize=(width, height), layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax  # type: ignore[no-any-return]


def _names(axes: Axes, names: Iterable[Any]) -> Floats:
    """Write a name at each line, from the top down, and return the positions of the lines."""
    shown = [plain_text(name) for name in names]
    place = np.arange(len(shown), dtype=np.float64)[::-1]
    # A name may look like a formula of TeX.
    axes.set_yticks(place, shown, parse_math=False)
    axes.set_ylim(-0.7, max(len(shown), 1) - 0.3)
    axes.tick_params(axis="y", length=0)
    return place


def _legend(axes: Axes) -> None:
    """Draw the legend above the axes."""
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), frameon=False, fontsize="small", borderaxespad=0.2)


def draw_sizes(gammas: Floats, sizes: Floats, ax: Any = None) -> Axes:
    """Draw the number of features against gamma."""
    axes = _axes(ax)
    order = np.argsort(gammas)
    axes.plot(gammas[order], sizes[order], "o-", color=KEPT)
    axes.set_xlabel("gamma")
    axes.set_ylabel("selected features")
    _spread(axes, "y", sizes)
    return axes


def _spread(axes: Axes, side: str, sizes: Floats) -> None:
    """Make an axis logarithmic, with plain numbers, if the sizes have a wide range."""
    if 0 < sizes.min() * _WIDE <= sizes.max():
        getattr(axes, f"set_{side}scale")("log")
        plain_ticks(getattr(axes, f"{side}axis"))


def draw_scores(
    sizes: Floats,
    scores: Floats,
    errors: Floats,
    gammas: Floats | None,
    chosen: int,
    nested: tuple[float, float] | None,
    name: str,
    ax: Any = None,
) -> Axes:
    """Draw scores against the number of features.

    `errors` are half the lengths of the error bars, `chosen` the position of the chosen gamma or size; `nested` is the
    score of nested cross-validation, and half the width of its band.
    """
    axes = _axes(ax)
    by, values = ("size", sizes) if gammas is None else ("gamma", gammas)
    order = np.argsort(values)
    bars: dict[str, Any] = {"ecolor": DROPPED, "elinewidth": 1.0, "capsize": 2.0}
    label = f"cross-validated {name}, ± one standard error"
    axes.errorbar(sizes[order], scores[order], errors[order], fmt="o-", color=DROPPED, label=label, **bars)
    label = f"chosen {by}: {values[chosen]:.3g}"
    axes.plot(sizes[chosen], scores[chosen], "o", color=KEPT, markersize=9, label=label, zorder=4)
    if nested is not None:
        score, half = nested
        label = f"nested cross-validation: {score:.3g}" + ", ± one standard error" * bool(np.isfinite(half))
        axes.axhline(score, color=KEPT, linestyle="dashed", linewidth=1.2, label=label)
        if np.isfinite(half):
            axes.axhspan(score - half, score + half, color=KEPT, alpha=0.15, linewidth=0)
    axes.set_xlabel("subset size" if gammas is None else "selected features (mean over folds)")
    axes.set_ylabel("error (misclassification rate)" if name == "error" else name)
    _spread(axes, "x", sizes)
    _legend(axes)
    return axes


def draw_frequencies(values: Floats, names: Sequence[Any], kept: np.ndarray, threshold: float, ax: Any = None) -> Axes:
    """Draw the selection frequency of each feature, and the threshold of the selection.

    Features are listed in their order from the top down.
    """
    axes = _axes(ax, chart_height(len(values)))
    place = _names(axes, names)
    for members, colour, word, face in ((kept, KEPT, "selected", KEPT), (~kept, DROPPED, "not selected", "none")):
        axes.hlines(place[members], 0, values[members], colors=colour, linewidth=1.0)
        axes.plot(values[members], place[members], "o", color=colour, markerfacecolor=face, label=word)
    axes.axvline(threshold, color=AGAINST, linestyle="dashed", linewidth=1.2, label=f"threshold {threshold:.3g}")
    axes.set_xlim(0, 1.02)
    axes.set_xlabel("selection frequency (share of half-samples)")
    _legend(axes)
    return axes


def draw_bars(table: Floats, names: Sequence[Any], labels: Sequence[str], ax: Any = None) -> Axes:
    """Draw bars for each feature, from the top down: one for each column of a table."""
    axes = _axes(ax, chart_height(len(table)))
    place, height = _names(axes, names), 0.8 / max(table.shape[1], 1)
    colours = (KEPT, DROPPED, AGAINST)
    for column, (values, label) in enumerate(zip(table.T, labels, strict=True)):
        axes.barh(
            place + 0.4 - height * (column + 0.5), values, height, color=colours[column % len(colours)], label=label
        )
    axes.set_xlabel(labels[0] if len(labels) == 1 else "contribution to the credit")
    if len(labels) > 1:
        _legend(axes)
    return axes


def draw_boxes(table: Floats, names: Sequence[Any], label: str, ax: Any = None) -> Axes:
    """Draw a box for each feature: quartiles, whiskers of at most 1.5 interquartile ranges, and points beyond them.

    Each column of the table is a feature, from the top down; NaN is ignored.
    """
    axes = _axes(ax, chart_height(table.shape[1]))
    place = _names(axes, names)
    if table.size:
        low, middle, high = np.nanquantile(table, [0.25, 0.5, 0.75], axis=0)
        whisker = 1.5 * (high - low)
        inside = (table >= low - whisker) & (table <= high + whisker)
        least = np.where(inside, table, np.inf).min(axis=0)
        most = np.where(inside, table, -np.inf).max(axis=0)
        axes.hlines(place, least, most, colors=DROPPED, linewidth=1.0)
        axes.barh(place, high - low, left=low, height=0.6, color=KEPT, alpha=0.5)
        axes.vlines(middle, place - 0.3, place + 0.3, colors=KEPT, linewidth=2.0)
        rows, columns = np.nonzero(~inside & ~np.isnan(table))
        axes.plot(table[rows, columns], place[columns], ".", color=DROPPED, markersize=3, alpha=0.6)
    axes.set_xlabel(label)
    return axes


def draw_correlations(
    table: Floats, rows: Sequence[Any], columns: Sequence[Any], marked: np.ndarray, ax: Any = None
) -> Axes:
    """Draw correlations as a heat map.

    Rows are listed from the top down; NaN is blank, and marked cells have a star.
    """
    from matplotlib.colors import ListedColormap, to_rgb

    if not table.size:
        return _draw_note(_axes(ax, chart_height(0)))
    axes = _axes(ax, chart_height(len(rows)) + 1.2, width=max(_WIDTH, 3.0 + 0.35 * len(columns)))
    strength = np.linspace(-_STRONGEST, _STRONGEST, _STEPS)
    colours = ListedColormap([(*to_rgb(AGAINST if share < 0 else KEPT), abs(share)) for share in strength])
    place = _names(axes, rows)
    _cell_texts(axes, table, place, marked)
    shown = [plain_text(name) for name in columns]
    axes.set_xticks(np.arange(len(columns)), shown, rotation=90, parse_math=False)
    axes.tick_params(axis="x", length=0)
    edges = (np.arange(size + 1) - 0.5 for size in table.shape[::-1])
    cells = axes.pcolormesh(*edges, np.ma.masked_invalid(table[::-1]), cmap=colours, vmin=-1, vmax=1)
    bar = axes.figure.colorbar(cells, ax=axes, location="top", shrink=0.8, aspect=30)
    bar.set_label("Spearman correlation" + " (* selected in its place)" * bool(marked.any()))
    axes.set_xlabel("selected feature")
    axes.set_ylabel("feature not selected")
    return axes


def _draw_note(axes: Axes) -> Axes:
    """Write a note in place of an empty heat map."""
    axes.set_axis_off()
    note = "no other feature has a rank correlation\nof at least 0.7 with a selected one"
    axes.text(0.5, 0.5, note, transform=axes.transAxes, ha="center", va="center")
    return axes


def _cell_texts(axes: Axes, table: Floats, place: Floats, marked: np.ndarray) -> None:
    """Write correlations into their cells if there are few columns, and a star into the marked ones."""
    roomy = table.shape[1] <= _MOST_NUMBERS
    for down, across in np.argwhere(np.isfinite(table) & (roomy | marked)).tolist():
        number = f"{table[down, across]:.2f}" if roomy else ""
        text = number + " *" * bool(marked[down, across])
        axes.text(across, place[down], text.strip(), ha="center", va="center", fontsize="small")
