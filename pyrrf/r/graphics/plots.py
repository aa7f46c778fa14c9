"""R's plots and charts on matplotlib, with R's return values.

A picture is drawn as near to R's as matplotlib allows, and graphical parameters that it has not are left out. Without
matplotlib nothing is drawn.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence

import numpy as np

from pyrrf.checks import warn
from pyrrf.plots.colours import read_colour
from pyrrf.r.base.sums import tabulate
from pyrrf.r.graphics import charts
from pyrrf.r.graphics.devices import Axes, device_now, drawing, is_device_open, pyplot_if_any
from pyrrf.r.graphics.style import (
    Settings,
    colours_of,
    finish,
    settings_of,
    style_of,
    words_of,
    words_of_ticks,
)
from pyrrf.r.indexing.subscripts import component
from pyrrf.r.values.arguments import Mask, number
from pyrrf.r.values.coercion import cells_of, coerce
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Number, Whole, r_function
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_frame, is_list
from pyrrf.r.values.labels import dim_of, dimnames_of, is_matrix, names_of
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import NUMBERS, Value, as_value, doubles, list_of
from pyrrf.r.values.visibility import invisible

Scope = Mapping[str, object] | None

# ---- plots ---------------------------------------------------------------------------------------


@r_function(formula=True, quiet=True)
def plot(
    x: Item, y: Value | None = None, *dots: object, data: Value | None = None, scope: Scope = None, **named: object
) -> Value:
    """Draw points or lines, a fit, margins, a table or pairs of columns: R's ``plot``."""
    how = settings_of(named)
    if callable(x):
        return curve(x, *(() if y is None else (y, *dots)), **named)
    of_class = method("plot", classes(x))
    if of_class is not None:
        return of_class(x, how)
    if x._kind == "language":
        return _plot_formula(str(x._data[0]), y if data is None else data, scope, how)
    strange = [name for name in classes(x) if name not in ("data.frame", "factor", "ordered", "matrix", "array")]
    if strange:
        raise NotSupportedError(f"plot() of an object of class {strange[0]}")
    if is_frame(x) and len(x) > 2:
        return pairs(x, **named)
    if is_factor(x):
        heights, groups = (barplot, tabulate(x, len(x._attributes["levels"]))) if y is None else (boxplot, _split(y, x))
        return invisible(heights(groups, **named))
    _draw(coordinates(x, y), how, "p", "x" if y is None else "", "")
    return invisible()


def _split(values: Value, by: Value) -> Value:
    """Return groups as a list with names."""
    parts, labels = charts.split_by(values, by)
    return list_of(map(doubles, parts), labels)


def coordinates(x: Value, y: Value | None, recycle: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates that plot(), lines() and points() see; with `recycle`, those of text()."""
    if y is None:
        return _both_in(x)
    first, second = numbers_of(x), numbers_of(y)
    if recycle and len(first) and len(second):
        n = max(len(first), len(second))
        return np.resize(first, n), np.resize(second, n)
    stop_if(len(first) != len(second), "'x' and 'y' lengths differ")
    return first, second


def _both_in(x: Value) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates that one value holds."""
    if is_frame(x) and len(x) > 1:
        return numbers_of(x._data[0]), numbers_of(x._data[1])
    if is_matrix(x):
        n, _ = dim_of(x) or (0, 0)
        return x._data[:n], x._data[n : 2 * n]
    if is_list(x):
        parts = dict(zip(names_of(x) or [], x._data, strict=False))
        stop_if(not parts.keys() >= {"x", "y"}, "'x' is a list, but does not have components 'x' and 'y'")
        return numbers_of(parts["x"]), numbers_of(parts["y"])
    values = numbers_of(x)
    return np.arange(1.0, len(values) + 1), values


def numbers_of(x: Value) -> np.ndarray:
    """Return a vector as numbers."""
    return x._data if x._kind in NUMBERS else coerce(x, "double")._data


def _draw(points: tuple[np.ndarray, np.ndarray], how: Settings, kind: str, *labels: str, add: bool = False) -> None:
    """Draw points or lines of a default kind into a new plot or the last one."""
    with drawing(new=not add) as axes:
        _draw_curve(axes, *points, how, words_of(how.get("type")) or kind)
        if not add:
            finish(axes, how, *labels)


def _draw_curve(axes: Axes, x: np.ndarray, y: np.ndarray, how: Settings, kind: str) -> None:
    colours = colours_of(how.get("col"), "black")
    if kind == "n":
        axes.plot(x, y, linestyle="none")
    elif kind == "h":
        axes.vlines(x, 0, y, colors=colours[0])
    elif kind == "p" and len(colours) > 1:
        for index, (a, b) in enumerate(zip(x, y, strict=True)):
            axes.plot([a], [b], **(style_of(how, kind) | {"color": colours[index % len(colours)]}))
    else:
        axes.plot(x, y, **style_of(how, kind))


def _plot_formula(formula: str, data: Value | None, scope: Scope, how: Settings) -> Value:
    left, right = sides_of(formula, data, scope)
    if is_factor(right):
        boxplot(_split(left, right))
    else:
        name_y, _, name_x = formula.partition("~")
        _draw((numbers_of(right), numbers_of(left)), how, "p", name_x.strip(), name_y.strip())
    return invisible()


def sides_of(formula: str, data: Value | None, scope: Scope) -> tuple[Value, Value]:
    """Return the two variables of a formula."""
    left, _, right = formula.partition("~")
    return _look_up(left.strip(), data, scope), _look_up(right.strip(), data, scope)


def _look_up(name: str, data: Value | None, scope: Scope) -> Value:
    whole, _, inner = name.partition("$")
    columns = {} if data is None else dict(zip(names_of(data) or [], data._data, strict=True))
    value = columns[name] if name in columns else (scope or {}).get(whole)
    if inner and isinstance(value, Value):
        value = component(value, inner) if re.fullmatch(r"[\w.]+", inner) else None  # d$a * d$b is no component
    if not isinstance(value, Value):
        raise NotSupportedError(f"{name} in the formula of a picture")
    return value


@r_function(formula=True, quiet=True)
def lines(x: Value, y: Value | None = None, *dots: object, **named: object) -> Value:
    """Add lines: R's ``lines``."""
    _draw(coordinates(x, y), settings_of(named), "l", add=True)
    return invisible()


@r_function(formula=True, quiet=True)
def points(x: Value, y: Value | None = None, *dots: object, **named: object) -> Value:
    """Add points: R's ``points``."""
    _draw(coordinates(x, y), settings_of(named), "p", add=True)
    return invisible()


@r_function(quiet=True)
def abline(
    a: Value | None = None, b: object = None, h: Value | None = None, v: Value | None = None, *dots: object,
    **named: object,
) -> Value:  # fmt: skip
    """Add straight lines: R's ``abline``."""
    with drawing() as axes:
        style = style_of(settings_of(named), "l")
        for height in [] if h is None else numbers_of(h):
            axes.axhline(height, **style)
        for place in [] if v is None else numbers_of(v):
            axes.axvline(place, **style)
        if a is not None and not is_list(a):
            start = numbers_of(a)
            axes.axline((0.0, start[0]), slope=start[1] if len(start) > 1 else number(b), **style)
    return invisible()


@r_function(quiet=True, masked=("expr",))
def curve(
    expr: object, from_: Number | None = None, to: Number | None = None, n: Whole = 101, add: Flag = False,
    *dots: object, **named: object,
) -> Value:  # fmt: skip
    """Draw a function: R's ``curve``."""
    if add and not is_device_open():
        warn("'add' will be ignored as there is no existing plot")
        add = False
    low, high = 0.0 if from_ is None else from_, 1.0 if to is None else to
    xs = low + np.arange(n) * ((high - low) / max(n - 1, 1))
    if n > 1:
        xs[-1] = high
    ys = _values_of(expr, doubles(xs))
    _draw((xs, numbers_of(ys)), settings_of(named), "l", "x", "", add=add)
    return invisible(list_of([doubles(xs), ys], ["x", "y"]))


def _values_of(expr: object, xs: Value) -> Value:
    """Return the values of an expression in x, or of a function."""
    function = expr
    if callable(expr):
        with contextlib.suppress(TypeError, AttributeError, RError, NotSupportedError):
            function = expr(Mask(list_of([xs], ["x"])))
    return as_value(function(xs) if callable(function) else function)


@r_function()
def plot_new() -> Value:
    """Begin a plot: R's ``plot.new``."""
    with drawing(new=True) as axes:
        axes.set_axis_off()
    return invisible()


# ---- charts --------------------------------------------------------------------------------------


@r_function(quiet=True)
def hist(
    x: Value, breaks: object = "Sturges", freq: Flag | None = None, probability: Flag | None = None,
    include_lowest: Flag = True, right: Flag = True, *dots: object, plot: Flag = True, nclass: Value | None = None,
    call: str | None = None, **named: object,
) -> Value:  # fmt: skip
    """Count values in classes, and draw them: R's ``hist``."""
    class_limits = nclass if nclass is not None and isinstance(breaks, str) else breaks
    counts_of_classes = charts.histogram(x, class_limits, right, include_lowest, _argument_text(call))
    if plot:
        draw_histogram(counts_of_classes, settings_of(named), freq is False or probability is True)
    return invisible(counts_of_classes)


def _argument_text(call: str | None) -> str:
    """Return the first argument of a call as it was written."""
    inside = re.fullmatch(r"\w+\(\s*(?:x\s*=\s*)?([^,()]+(?:\([^()]*\))?)\s*(?:,.*)?\)", call or "", re.DOTALL)
    return inside[1].strip() if inside else "x"


def draw_histogram(histogram: Value, how: Settings, shares: bool = False) -> Value:
    """Draw the histogram that hist() computed."""
    edges, counts, density = (histogram._data[i]._data for i in range(3))
    name, heights = words_of(histogram._data[4]) or "", density if shares else counts
    with drawing(new=True) as axes:
        colour = colours_of(how.get("col"), "lightgray")[0]
        axes.bar(edges[:-1], heights, np.diff(edges), align="edge", color=colour, edgecolor="black")
        finish(axes, how, name, "Density" if shares else "Frequency", f"Histogram of {name}")
    return invisible()


@r_function(formula=True, quiet=True, classes="any -factor")
def barplot(
    height: Value, width: Item = 1, space: Value | None = None, names_arg: Value | None = None,
    legend_text: object = None, beside: Flag = False, horiz: Flag = False, *dots: object, plot: Flag = True,
    **named: object,
) -> Value:  # fmt: skip
    """Draw bars, and return their middles: R's ``barplot``."""
    refuse_if(height._kind not in NUMBERS, "barplot() of something else than numbers")
    middles = charts.bar_middles(height, coerce(width, "double")._data, space, beside)
    if plot:
        labels = dimnames_of(height)[1] if is_matrix(height) else names_of(height)
        labels = labels if names_arg is None else list(coerce(names_arg, "character")._data)
        _draw_bars(height, middles._data, labels, beside, horiz, settings_of(named))
    return invisible(middles)


def _draw_bars(
    x: Value, middles: np.ndarray, labels: Sequence[str | None] | None, beside: bool, horiz: bool, how: Settings
) -> None:
    with drawing(new=True) as axes:
        draw, put_labels = (axes.barh, axes.set_yticks) if horiz else (axes.bar, axes.set_xticks)
        colours = colours_of(how.get("col"), "gray")
        if beside or not is_matrix(x):
            cycle = [colours[i % len(colours)] for i in range(len(x))]
            draw(middles, x._data, 1.0, color=cycle, edgecolor="black")
        else:
            base = np.zeros(len(middles))
            for i, row in enumerate(cells_of(x)):
                draw(middles, row, 1.0, base, color=colours[i % len(colours)], edgecolor="black")
                base = base + row
        if labels is not None:
            put_labels(middles.reshape((-1, len(labels)), order="F").mean(axis=0), **words_of_ticks(labels))
        finish(axes, how)


@r_function(formula=True, quiet=True)
def boxplot(
    x: Value | None = None, *dots: Value, range: Number = 1.5, names: Value | None = None, plot: Flag = True,
    horizontal: Flag = False, formula: Value | None = None, data: Value | None = None, scope: Scope = None,
    **named: object,
) -> Value:  # fmt: skip
    """Draw boxes, and return their statistics: R's ``boxplot``."""
    first = as_value(formula if x is None else x)
    if first._kind == "language":
        table = dots[0] if dots and data is None else data
        groups, labels = charts.split_by(*sides_of(str(first._data[0]), table, scope))
    else:
        groups, labels = charts.groups_of(first, dots)
    if names is not None:
        labels = [str(label) for label in coerce(names, "character")._data]
    statistics = charts.box_statistics(groups, labels, range)
    if plot:
        with drawing(new=True) as axes:
            known = [group[~np.isnan(group)] for group in groups]
            axes.boxplot(known, orientation="horizontal" if horizontal else "vertical")
            (axes.set_yticklabels if horizontal else axes.set_xticklabels)(**words_of_ticks(labels))
            finish(axes, settings_of(named))
    return invisible(statistics)


def _columns_of(x: Value) -> list[np.ndarray]:
    """Return the columns of a data frame or a matrix; a vector is one."""
    if is_frame(x):
        return [numbers_of(column) for column in x._data]
    return list(cells_of(x).T) if is_matrix(x) else [x._data]


@r_function(quiet=True, formula=True)
def pairs(x: Value, *dots: object, **named: object) -> Value:
    """Draw each column against each: R's ``pairs``."""
    variables = x._data if is_frame(x) else [x]
    stop_if(any(column._kind not in NUMBERS for column in variables), "non-numeric argument to 'pairs'")
    how, columns = settings_of(named), _columns_of(x)
    k = len(columns)
    stop_if(k < 2, "only one column in the argument to 'pairs'")
    names = names_of(x) if is_frame(x) else dimnames_of(x)[1]
    labels = names or [f"var {j + 1}" for j in range(k)]
    plt, device = pyplot_if_any(), device_now()
    device.has_plot = True
    if plt is None:
        return invisible()
    with contextlib.suppress(ValueError, TypeError):
        device.write()
        device.figure, device.at = plt.figure(figsize=device.size), device.grid[0] * device.grid[1]
        for i, j in np.ndindex(k, k):
            axes = device.figure.add_subplot(k, k, i * k + j + 1)
            if i == j:
                axes.text(0.5, 0.5, str(labels[i]), ha="center", va="center", transform=axes.transAxes)
            else:
                axes.scatter(columns[j], columns[i], s=6, c=colours_of(how.get("col")) or "black")
    return invisible()


@r_function(quiet=True)
def matplot(x: Value, y: Value | None = None, *dots: object, add: Flag = False, **named: object) -> Value:
    """Draw the columns of a matrix: R's ``matplot``."""
    refuse_if(any(value._kind == "character" for value in (x, y) if value is not None), "matplot() of texts")
    how, columns = settings_of(named), _columns_of(x if y is None else y)
    n = len(columns[0])
    xs = np.arange(1.0, n + 1) if y is None else np.resize(numbers_of(x), n)
    with drawing(new=not add) as axes:
        colours = colours_of(how.get("col"), *map(read_colour, range(1, 7)))
        for j, column in enumerate(columns):
            style = style_of(how, words_of(how.get("type")) or "p")
            axes.plot(xs, column, **(style | {"color": colours[j % len(colours)]}))
        finish(axes, how)
    return invisible()


@r_function()
def matlines(x: object, y: object = None, *dots: object, **named: object) -> Value:
    """Add the columns of a matrix as lines: R's ``matlines``."""
    return matplot(x, y, add=True, **({"type": "l"} | named))


def _labels_of(x: Value, labels: Value | None) -> list[str | None] | None:
    return names_of(x) if labels is None else list(coerce(labels, "character")._data)


@r_function(quiet=True)
def pie(x: Value, labels: Value | None = None, *dots: object, **named: object) -> Value:
    """Draw a pie: R's ``pie``."""
    how = settings_of(named)
    names = _labels_of(x, labels) or [str(i + 1) for i in range(len(x))]
    no_numbers = x._kind not in NUMBERS[1:] or inherits(x, "factor", "Date", "POSIXct", "difftime")
    stop_if(no_numbers or not (x._data >= 0).all(), "'x' values must be positive.")
    stop_if(not x._data.sum(), "'length.out' must be a non-negative number")
    with drawing(new=True) as axes:
        axes.pie(x._data, labels=[str(name) for name in names], colors=colours_of(how.get("col")) or None)
        axes.set_title(words_of(how.get("main")) or "")
    return invisible()


@r_function()
def dotchart(x: Value, labels: Value | None = None, *dots: object, **named: object) -> Value:
    """Draw dots in rows with names: R's ``dotchart``."""
    how, names, heights = settings_of(named), _labels_of(x, labels), np.arange(len(x))
    with drawing(new=True) as axes:
        axes.plot(x._data, heights, **style_of(how, "p"))
        if names:
            axes.set_yticks(heights, **words_of_ticks(names))
        finish(axes, how)
    return invisible()
