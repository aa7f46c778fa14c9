"""Charts in R's style, drawn by matplotlib, which is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pyrrf.errors import bad
from pyrrf.plots.colours import PALETTE
from pyrrf.plots.graphics import LINES, Graphics
from pyrrf.plots.library import pyplot
from pyrrf.plots.panels import draw_legend, literal, plain_text, scale_ticks
from pyrrf.plots.symbols import symbol
from pyrrf.types import Column

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The colours and line types of R's matplot(): palette("R4") and lty 1 to 5.
MATPLOT_COLOURS = PALETTE[:6]
_MATPLOT_LINES = LINES[1:6]
# ColorBrewer's Set1, which R's plots use if RColorBrewer is installed.
_SET1 = ("#E41A1C", "#377EB8", "#4DAF4A", "#984EA3", "#FF7F00", "#FFFF33", "#A65628", "#F781BF", "#999999")
# Largest number of points that have numbers.
_MOST_NUMBERED = 60
# Longest names of features and levels at an axis, in letters.
_LONGEST_NAME, _LONGEST_LEVEL = 48, 24
# Above this number of letters the names of levels are vertical.
_MOST_LETTERS = 60
# Legend below pairs of dimensions: names per line, and inches per line.
_PAIR_COLUMNS, _LEGEND_LINE = 4, 0.22
# Free share of the range at each end of an axis, as in R.
_MARGIN = 0.04


def _panel(ax: Any) -> Axes:
    """Return the given axes, or new ones, with R's frame, margins and ticks."""
    if ax is None:
        plt = pyplot()
        _, ax = plt.subplots(figsize=(7.0, 7.0), layout="constrained")
    _style(ax)
    return ax  # type: ignore[no-any-return]


def _style(ax: Axes) -> None:
    ax.margins(_MARGIN)
    ax.tick_params(direction="out", length=6)
    ax.tick_params(axis="y", labelrotation=90)
    for label in ax.get_yticklabels():
        label.set_verticalalignment("center")


def _title(ax: Axes, main: str) -> None:
    ax.set_title(main, fontweight="bold", pad=14)


def _palette(palette: Sequence[Any] | None, k: int) -> list[Any]:
    """Return one colour per level: Set1 if it has enough, otherwise R's rainbow()."""
    if palette is None:
        if k <= len(_SET1):
            return list(_SET1[:k])
        from matplotlib.colors import hsv_to_rgb

        return [tuple(hsv_to_rgb((i / k, 1.0, 1.0))) for i in range(k)]
    if len(palette) < k:
        raise bad.length(f"palette has {len(palette)} colours, but there are {k} levels; pass one per level")
    return list(palette[:k])


def _scatter(
    ax: Axes,
    x: Any,
    y: Any,
    codes: np.ndarray,
    colours: Sequence[Any],
    names: Sequence[Any],
    plain: Any,
    graphics: Graphics,
) -> None:
    """Draw points in the colours of their levels; graphics arguments of the caller override them."""
    for code, (colour, name) in enumerate(zip(colours, names, strict=True)):
        settings = {"linestyle": "none", "color": colour, "label": str(name), **plain}
        members = np.flatnonzero(codes == code)
        if not graphics.several:
            ax.plot(x[members], y[members], **graphics.override(settings))
            continue
        rows_by_settings: dict[str, list[int]] = {}
        for row in members.tolist():
            rows_by_settings.setdefault(repr(graphics.override(settings, row)), []).append(row)
        for rows in rows_by_settings.values():
            ax.plot(x[rows], y[rows], **graphics.override(settings, rows[0]))


def _levels_legend(
    ax: Any,
    names: Sequence[Any],
    codes: np.ndarray,
    colours: Sequence[Any],
    plain: dict[str, Any],
    graphics: Graphics,
    **legend_options: Any,
) -> None:
    """Draw a legend of levels, each with its first symbol, unless the caller sets the colours of the points."""
    if "color" in graphics.artist or len(names) == 0:
        return
    from matplotlib.lines import Line2D

    first = [int(np.argmax(codes == code)) for code in range(len(names))]
    settings = [{"linestyle": "none", "color": colour, **plain} for colour in colours]
    marks = [Line2D([], [], **graphics.override(each, row)) for each, row in zip(settings, first, strict=True)]
    shown = [f"{name:g}" if isinstance(name, float) else str(name) for name in names]
    draw_legend(ax, shown, marks, **legend_options)


# ---- plots ---------------------------------------------------------------------------------------


def draw_errors(errors: pd.DataFrame, main: str, ax: Any, graphics: Graphics | None = None) -> Axes:
    """Draw one line per column against the number of trees, as R's matplot() does."""
    axes, graphics = _panel(ax), graphics or Graphics({}, {})
    for j, name in enumerate(errors.columns):
        colour, line = MATPLOT_COLOURS[j % len(MATPLOT_COLOURS)], _MATPLOT_LINES[j % len(_MATPLOT_LINES)]
        settings = graphics.override({"color": colour, "linestyle": line, "linewidth": 1.0, "label": str(name)}, j)
        axes.plot(errors.index.to_numpy(), errors.iloc[:, j].to_numpy(), **settings)
    axes.set_xlabel("trees")
    axes.set_ylabel("Error")
    _title(axes, main)
    if errors.shape[1] > 1:
        draw_legend(axes, list(errors.columns), axes.get_lines()[-errors.shape[1] :])
    graphics.finish(axes)
    return axes


def draw_margins(
    margins: Column, codes: np.ndarray, names: Sequence[Any], main: str, ax: Any, graphics: Graphics
) -> Axes:
    """Draw margins against their position, in the colours of the classes."""
    axes = _panel(ax)
    place = np.arange(1, len(margins) + 1)
    colours, plain = _palette(None, len(names)), symbol(20)
    _scatter(axes, place, margins.to_numpy(), codes, colours, names, plain, graphics)
    axes.set_xlabel("Index")
    axes.set_ylabel("margin")
    if main:
        _title(axes, main)
    _levels_legend(axes, names, codes, colours, plain, graphics)
    graphics.finish(axes)
    return axes


def draw_importance(
    dots: Sequence[tuple[str, list[Any], np.ndarray]],
    limits: Sequence[tuple[float, float]],
    main: str,
    ax: Any,
    graphics: Graphics,
) -> list[Axes]:
    """Draw dot charts side by side, one for each measure, of labels and their values from the bottom up."""
    names = [[plain_text(label, _LONGEST_NAME) for label in labels] for _, labels, _ in dots]
    letters = max(len(name) for shown in names for name in shown)
    panels = _importance_panels(len(dots), max(map(len, names)), letters, ax)
    for axes, (measure, _, values), shown, (low, high) in zip(panels, dots, names, limits, strict=True):
        _dots(axes, values, graphics)
        axes.set_yticks(np.arange(1, len(values) + 1), shown, parse_math=False)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(axis="x", direction="out", length=6)
        if not isinstance(graphics.artist.get("cex", 1.0), list):
            scale_ticks(axes.yaxis, graphics.artist.get("cex", 1.0))
        spare = _MARGIN * (high - low) if high > low else 1.0
        axes.set_xlim(low - spare, high + spare)
        axes.set_ylim(0, len(values) + 1)
        axes.set_xlabel(measure)
        graphics.finish(axes, names=True)
    if len(panels) == 1:
        _title(panels[0], main)
    elif ax is None:
        panels[0].figure.suptitle(main, fontsize="x-large")
    return panels


def _dots(axes: Axes, values: np.ndarray, graphics: Graphics) -> None:
    """Draw a dotted line and a dot for each value, from the bottom up."""
    place = np.arange(1, len(values) + 1)
    axes.hlines(place, 0, 1, transform=axes.get_yaxis_transform(), colors="gray", linestyles=(0, (1, 3)), linewidth=0.8)
    plain = {"color": "black", "marker": "o", "markerfacecolor": "white", "markersize": 6, "linestyle": "none"}
    if not graphics.several:
        axes.plot(values, place, **graphics.override(plain))
        return
    for row in range(len(values)):
        axes.plot(values[row : row + 1], place[row : row + 1], **graphics.override(plain, row))


def _importance_panels(k: int, rows: int, letters: int, ax: Any) -> list[Axes]:
    """Return the given axes, or new ones that are wide enough for names of `letters` letters."""
    if ax is not None:
        panels = list(np.atleast_1d(np.asarray(ax, dtype=object)))
        if len(panels) != k:
            raise bad.length(f"ax has {len(panels)} axes; pass {k}, one per measure")
        return panels
    height = min(max(4.0, 1.6 + 0.22 * rows), 12.0)
    width = 5.0 + 0.075 * max(letters - 20, 0)
    size = (width * k + (k == 1), height)
    _, panels_grid = pyplot().subplots(1, k, figsize=size, layout="constrained", squeeze=False)
    return list(panels_grid[0])


def draw_partial_line(x: np.ndarray, y: np.ndarray, labels: tuple[str, str, str], ax: Any, graphics: Graphics) -> Axes:
    """Draw the mean prediction against a number."""
    axes = _panel(ax)
    axes.plot(x, y, **graphics.override({"color": "black", "linewidth": 1.0}))
    _label(axes, labels)
    graphics.finish(axes)
    return axes


def draw_partial_bars(
    levels: Sequence[Any], y: np.ndarray, labels: tuple[str, str, str], ax: Any, graphics: Graphics
) -> Axes:
    """Draw the mean prediction at each level of a factor as a bar."""
    axes = _panel(ax)
    place = np.arange(1, len(y) + 1)
    plain = {"width": 5 / 6, "color": "blue", "edgecolor": "black", "linewidth": 0.8}
    for position in range(len(y)):
        axes.bar(place[position], y[position], **graphics.shape(plain, position))
    shown = [plain_text(level, _LONGEST_LEVEL) for level in levels]
    axes.set_xticks(place, shown, parse_math=False)
    crowded = sum(map(len, shown)) > _MOST_LETTERS
    axes.tick_params(axis="x", length=0, labelrotation=90 if crowded else 0)
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    _label(axes, labels)
    graphics.finish(axes)
    return axes


def add_partial(x: Any, y: np.ndarray, factor: bool, ax: Any, graphics: Graphics) -> Axes:
    """Add a line, or thick vertical lines for a factor, to existing axes."""
    axes: Axes = pyplot().gca() if ax is None else ax
    if factor:
        each = [graphics.shape({"color": "black", "linewidth": 2.0}, level) for level in range(len(y))]
        together: Any = {name: [settings[name] for settings in each] for name in each[0]}
        axes.vlines(np.arange(1, len(y) + 1), 0, y, **together)
    else:
        axes.plot(x, y, **graphics.override({"color": "black", "linewidth": 1.0}))
    graphics.finish(axes)
    return axes


def draw_rug(axes: Axes, places: np.ndarray) -> None:
    """Draw short lines inside the frame at the bottom, 3 % of its height."""
    axes.vlines(places, 0, 0.03, transform=axes.get_xaxis_transform(), colors="black", linewidth=0.8)


def _label(axes: Axes, labels: tuple[str, str, str]) -> None:
    xlab, ylab, main = labels
    axes.set_xlabel(xlab)
    axes.set_ylabel(ylab)
    _title(axes, main)


def draw_tuning(tried: pd.DataFrame) -> Axes:
    """Draw the error against mtry on a logarithmic scale, with ticks at the computed values."""
    axes = _panel(None)
    axes.plot(tried["mtry"], tried["OOBError"], color="black", linewidth=1.0, **(symbol(1) | {"markersize": 6}))
    axes.set_xscale("log")
    axes.set_xticks(tried["mtry"], [f"{m:g}" for m in tried["mtry"]])
    axes.minorticks_off()
    axes.set_xlabel("$m_{try}$")
    axes.set_ylabel("OOB Error")
    return axes


def draw_scaling(
    points: pd.DataFrame, codes: np.ndarray, names: Sequence[Any], palette: Any, ax: Any, graphics: Graphics
) -> Any:
    """Draw the points of a scaling: one panel for one or two dimensions, pairs of dimensions for more."""
    colours, plain = _palette(palette, len(names)), symbol(20)
    k = points.shape[1]
    if k > 2:
        return _draw_pairs(points, codes, names, colours, plain, ax, graphics)
    axes = _panel(ax)
    axes.set_box_aspect(1)
    place = np.arange(1, len(points) + 1) if k == 1 else points.iloc[:, 0].to_numpy()
    _scatter(axes, place, points.iloc[:, -1].to_numpy(), codes, colours, names, plain, graphics)
    axes.set_xlabel("Index" if k == 1 else "Dim 1")
    axes.set_ylabel(f"Dim {k}")
    _levels_legend(axes, names, codes, colours, plain, graphics)
    graphics.finish(axes)
    return axes


def _draw_pairs(
    points: pd.DataFrame, codes: np.ndarray, names: Any, colours: Any, plain: Any, ax: Any, graphics: Graphics
) -> np.ndarray:
    """Draw all pairs of dimensions, with their names on the diagonal (R's pairs())."""
    k = points.shape[1]
    if ax is not None:
        raise bad.conflict(f"ax must be None with k={k}: pairs are drawn on a new figure")
    figure, grid = pyplot().subplots(k, k, figsize=(7, 7), sharex="col")
    edges = {"left": 0.07, "right": 0.93, "bottom": 0.07, "top": 0.93, "wspace": 0.06, "hspace": 0.06}
    figure.subplots_adjust(**edges)
    panel_graphics = graphics.without("main", "xlab", "ylab")
    for i in range(k):
        for j in range(k):
            axes = grid[i, j]
            axes.set_box_aspect(1)
            _pair_ticks(axes, i, j, k)
            values = points.iloc[:, i].to_numpy()
            if i == j:
                axes.set_ylim(_limits(values))
                axes.set_xlim(_limits(values))
                axes.text(0.5, 0.5, points.columns[i], transform=axes.transAxes, ha="center", va="center", fontsize=16)
            else:
                _scatter(axes, points.iloc[:, j].to_numpy(), values, codes, colours, names, plain, graphics)
                axes.set_ylim(_limits(values))
                panel_graphics.finish(axes)
    _draw_pair_legend(figure, names, codes, colours, plain, graphics)
    return grid  # type: ignore[no-any-return]


def _draw_pair_legend(figure: Any, names: Any, codes: np.ndarray, colours: Any, plain: Any, graphics: Graphics) -> None:
    """Draw the title above pairs, and the legend below them."""
    if "main" in graphics.axes:
        figure.subplots_adjust(top=0.88)
        figure.suptitle(graphics.axes["main"], fontweight="bold")
    columns = min(len(names), _PAIR_COLUMNS)
    lines = -(-len(names) // columns) if columns else 0
    figure.set_figheight(7 + _LEGEND_LINE * lines)
    figure.subplots_adjust(bottom=(0.49 + _LEGEND_LINE * (lines + 1)) / figure.get_figheight())
    settings = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.0), "ncols": columns, "fontsize": "small"}
    _levels_legend(figure, names, codes, colours, plain, graphics, **settings)


def draw_rules(freq: np.ndarray, err: np.ndarray, size: np.ndarray, groups: Any, main: str, ax: Any) -> Axes:
    """Draw rules as numbered points: support against error, in the colours of their groups."""
    axes = _panel(ax)
    names = sorted(set(groups)) if groups else [""]
    codes = np.array([names.index(group) for group in groups] if groups else np.zeros(len(freq)), dtype=np.int64)
    colours = _palette(None, len(names)) if groups else ["black"]
    drawn = []
    for code, colour in enumerate(colours):
        members = codes == code
        drawn.append(axes.scatter(freq[members], err[members], s=18 * size[members] + 12, color=colour, alpha=0.7))
    if len(freq) <= _MOST_NUMBERED:
        for place, (x, y) in enumerate(zip(freq, err, strict=True), start=1):
            axes.annotate(str(place), (x, y), xytext=(5, 4), textcoords="offset points", fontsize="small")
    if groups:
        for handle in draw_legend(axes, names, drawn, title="predicts").legend_handles:
            handle.set_sizes([40])
    _label(axes, ("support (share of rows that match the rule)", "error among these rows", literal(main)))
    return axes


def _limits(values: np.ndarray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    spare = _MARGIN * (high - low) or 1.0
    return low - spare, high + spare


def _pair_ticks(axes: Axes, i: int, j: int, k: int) -> None:
    """Place tick labels outside, on alternate sides from panel to panel."""
    top, bottom = i == 0 and j % 2 == 1, i == k - 1 and j % 2 == 0
    left, right = j == 0 and i % 2 == 1, j == k - 1 and i % 2 == 0
    axes.locator_params(nbins=3)
    axes.tick_params(axis="both", labelsize="small")
    axes.tick_params(axis="x", top=top, labeltop=top, bottom=bottom, labelbottom=bottom)
    axes.tick_params(axis="y", left=left, labelleft=left, right=right, labelright=right, labelrotation=90)
    for label in axes.get_yticklabels():
        label.set_verticalalignment("center")
