"""R's graphics on matplotlib: plots; what R returns is returned.

A picture is drawn as near to R's as matplotlib allows, and graphical parameters that it has not are left out. Without
matplotlib nothing is drawn.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyrrf.plots.colours import read_colour
from pyrrf.r.graphics import charts
from pyrrf.r.graphics.devices import device_now, drawing, pyplot_if_any
from pyrrf.r.graphics.style import colours_of, finish, settings_of, style_of, words_of, words_of_ticks
from pyrrf.r.indexing.subscripts import component
from pyrrf.r.values.arguments import Mask, flag, number
from pyrrf.r.values.attributes import (
    classes,
    dim_of,
    dimnames_of,
    factor_levels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_matrix,
    names_of,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import NUMBERS, NotMovedError, RError, Value, as_value, doubles, is_null, listed, strings
from pyrrf.r.values.visibility import invisible

# ---- plots ---------------------------------------------------------------------------------------


@r_function(formula=True, quiet=True)
def plot(
    x: Any, y: Any = None, *dots: Any, data: Any = None, scope: Mapping[str, Any] | None = None, **named: Any
) -> Value:
    """Draw points or lines, a fit, margins, a table or pairs of columns: R's ``plot``."""
    how = settings_of(named)
    if callable(x) and not isinstance(x, Value):
        return curve(x, *(() if is_null(y) else (y, *dots)), **named)
    x, y = as_value(x), as_value(y)
    of_class = method("plot", classes(x))
    if of_class is not None:
        return of_class(x, how)
    if inherits(x, "histogram"):
        return draw_histogram(x, how)
    strange = [
        name for name in classes(x) if name not in ("data.frame", "factor", "ordered", "table", "matrix", "array")
    ]
    if x._kind != "language" and (strange or inherits(x, "table")):
        raise NotMovedError(f"plot() of an object of class {(strange or ['table'])[0]}")
    if x._kind == "language":
        return _plot_formula(str(x._data[0]), y if is_null(data) else as_value(data), scope, how)
    if is_frame(x) and len(x) > 2:
        return pairs(x, **named)
    if is_factor(x) and is_null(y):
        barplot(
            doubles(np.bincount(x._data[~np.isnan(x._data)].astype(int), minlength=len(factor_levels(x)) + 1)[1:]),
            **named,
        )
        return invisible()
    if is_factor(x) and not is_null(y):
        boxplot(
            Value("list", np.array([*_group(y, x), None], dtype=object)[:-1], {"names": x._attributes["levels"]}),
            **named,
        )
        return invisible()
    first, second = coordinates(x, y)
    with drawing(new=True) as axes:
        if axes is not None:
            draw_curve(axes, first, second, how, words_of(how.get("type")) or "p")
            finish(axes, how, "x" if is_null(y) else "", "")
    return invisible()


def _group(values: Value, by: Value) -> list[Value]:
    parts, _ = charts.split_by(values, by)
    return [doubles(part_) for part_ in parts]


def coordinates(x: Value, y: Value, recycle: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates that plot(), lines() and points() see; with `recycle`, those of text()."""
    if is_null(y) and is_frame(x) and len(x) == 2:
        return x._data[0]._data, x._data[1]._data
    if is_null(y) and is_matrix(x):
        n = (dim_of(x) or (0,))[0]
        return x._data[:n], x._data[n : 2 * n]
    if is_null(y) and is_list(x):
        names = names_of(x) or []
        if "x" in names and "y" in names:
            return numbers_of(x._data[names.index("x")]), numbers_of(x._data[names.index("y")])
        raise RError("'x' is a list, but does not have components 'x' and 'y'")
    if is_null(y):
        values = numbers_of(x)
        return np.arange(1.0, len(values) + 1), values
    first, second = numbers_of(x), numbers_of(y)
    if recycle and len(first) and len(second):
        n = max(len(first), len(second))
        return np.resize(first, n), np.resize(second, n)
    if len(first) != len(second):
        raise RError("'x' and 'y' lengths differ")
    return first, second


def numbers_of(x: Value) -> np.ndarray:
    """Return a vector as numbers."""
    return x._data if x._kind in NUMBERS else coerced(x, "double")._data


def draw_curve(axes: Any, x: np.ndarray, y: np.ndarray, how: Mapping[str, Value], kind: str) -> None:
    """Draw points, lines or both."""
    if kind == "n":
        axes.plot(x, y, linestyle="none")
        return
    if kind == "h":
        axes.vlines(x, 0, y, colors=(colours_of(how.get("col")) or ["black"])[0])
        return
    style = style_of(how, "p" if kind == "p" else kind)
    colours = colours_of(how.get("col"))
    if kind == "p" and len(colours) > 1:
        for at, (a, b) in enumerate(zip(x, y, strict=True)):
            axes.plot([a], [b], **(style | {"color": colours[at % len(colours)]}))
        return
    axes.plot(x, y, **style)


def _plot_formula(formula: str, data: Value, scope: Mapping[str, Any] | None, how: dict[str, Value]) -> Value:
    left, right = sides_of(formula, data, scope)
    if is_factor(right):
        boxplot(
            Value(
                "list",
                np.array([*_group(left, right), None], dtype=object)[:-1],
                {"names": right._attributes["levels"]},
            )
        )
        return invisible()
    with drawing(new=True) as axes:
        if axes is not None:
            draw_curve(axes, numbers_of(right), numbers_of(left), how, words_of(how.get("type")) or "p")
            finish(axes, how, formula.partition("~")[2].strip(), formula.partition("~")[0].strip())
    return invisible()


def sides_of(formula: str, data: Value, scope: Mapping[str, Any] | None) -> tuple[Value, Value]:
    """Return the two variables of a formula."""
    left, _, right = formula.partition("~")
    return _named(left.strip(), data, scope), _named(right.strip(), data, scope)


def _named(name: str, data: Value, scope: Mapping[str, Any] | None) -> Value:
    whole, _, inner = name.partition("$")
    columns = {} if is_null(data) else dict(zip(names_of(data) or [], data._data, strict=True))
    found = columns[name] if name in columns else (scope or {}).get(whole)
    if inner and isinstance(found, Value):
        found = component(found, inner)
    if not isinstance(found, Value):
        raise NotMovedError(f"{name} in the formula of a picture")
    return found


@r_function(formula=True, quiet=True)
def lines(x: Any, y: Any = None, *dots: Any, **named: Any) -> Value:
    """Add lines: R's ``lines``."""
    return _added(x, y, named, "l")


@r_function(formula=True, quiet=True)
def points(x: Any, y: Any = None, *dots: Any, **named: Any) -> Value:
    """Add points: R's ``points``."""
    return _added(x, y, named, "p")


def _added(x: Any, y: Any, named: Mapping[str, Any], kind: str) -> Value:
    how = settings_of(named)
    first, second = coordinates(as_value(x), as_value(y))
    with drawing() as axes:
        if axes is not None:
            draw_curve(axes, first, second, how, words_of(how.get("type")) or kind)
    return invisible()


@r_function(quiet=True)
def abline(a: Any = None, b: Any = None, h: Any = None, v: Any = None, *dots: Any, **named: Any) -> Value:
    """Add straight lines: R's ``abline``."""
    style = style_of(settings_of(named), "l")
    with drawing() as axes:
        if axes is None:
            return invisible()
        for value in [] if is_null(h) else coerced(h, "double")._data:
            axes.axhline(value, **style)
        for value in [] if is_null(v) else coerced(v, "double")._data:
            axes.axvline(value, **style)
        if not is_null(a) and isinstance(as_value(a), Value) and not is_list(as_value(a)):
            start = coerced(a, "double")._data
            slope = start[1] if len(start) > 1 else number(b)
            axes.axline((0.0, start[0]), slope=slope, **style)
    return invisible()


@r_function(quiet=True, masked=("expr",))
def curve(
    expr: Any, from_: Any = None, to: Any = None, n: Any = 101, add: Any = False, *dots: Any, **named: Any
) -> Value:
    """Draw a function: R's ``curve``."""
    low = 0.0 if is_null(from_) else number(from_)
    high = 1.0 if is_null(to) else number(to)
    count = int(number(n))
    xs = low + np.arange(count) * ((high - low) / max(count - 1, 1))
    if count > 1:
        xs[-1] = high
    ys = _values_of(expr, doubles(xs))
    how = settings_of(named)
    with drawing(new=not flag(add)) as axes:
        if axes is not None:
            draw_curve(axes, xs, numbers_of(ys), how, words_of(how.get("type")) or "l")
            if not flag(add):
                finish(axes, how, "x", "")
    return invisible(listed([doubles(xs), ys], ["x", "y"]))


def _values_of(expr: Callable[..., Any], xs: Value) -> Value:
    """Return what an expression in x, or a function, gives."""
    mask = Mask(Value("list", np.array([xs, None], dtype=object)[:1], {"names": strings("x")}))
    try:
        found = expr(mask)
    except (TypeError, AttributeError, RError, NotMovedError):
        found = expr
    return as_value(found(xs) if callable(found) and not isinstance(found, Value) else found)


# ---- charts --------------------------------------------------------------------------------------


@r_function(quiet=True, keeps_call=True)
def hist(
    x: Any, breaks: Any = "Sturges", freq: Any = None, probability: Any = None, include_lowest: Any = True,
    right: Any = True, *dots: Any, plot: Any = True, nclass: Any = None, call: str | None = None, **named: Any,
) -> Value:  # fmt: skip
    """Count values in classes, and draw them: R's ``hist``."""
    given = nclass if not is_null(nclass) and isinstance(breaks, str) else breaks
    found = charts.histogram(x, given, flag(right), flag(include_lowest), _argument_text(call))
    if flag(plot):
        shares = (not is_null(freq) and not flag(freq)) or (not is_null(probability) and flag(probability))
        draw_histogram(found, settings_of(named), shares)
    return invisible(found)


def _argument_text(call: str | None) -> str:
    """Return the first argument of a call as it was written."""
    inside = re.fullmatch(r"\w+\(\s*(?:x\s*=\s*)?([^,()]+(?:\([^()]*\))?)\s*(?:,.*)?\)", call or "", re.DOTALL)
    return inside[1].strip() if inside else "x"


def draw_histogram(found: Value, how: Mapping[str, Value], shares: bool = False) -> Value:
    """Draw what hist() computed."""
    edges, counts, density = (found._data[i]._data for i in range(3))
    name = words_of(found._data[4]) or ""
    with drawing(new=True) as axes:
        if axes is not None:
            colour = (colours_of(how.get("col")) or ["lightgray"])[0]
            axes.bar(
                edges[:-1], density if shares else counts, np.diff(edges), align="edge", color=colour, edgecolor="black"
            )
            finish(axes, how, name, "Density" if shares else "Frequency", f"Histogram of {name}")
    return invisible()


@r_function(formula=True, quiet=True)
def barplot(
    height: Any, width: Any = 1, space: Any = None, names_arg: Any = None, legend_text: Any = None, beside: Any = False,
    horiz: Any = False, *dots: Any, plot: Any = True, **named: Any,
) -> Value:  # fmt: skip
    """Draw bars, and return their middles: R's ``barplot``."""
    heights = as_value(height)
    if is_list(heights) or heights._kind not in NUMBERS or heights._kind == "language":
        raise NotMovedError("barplot() of something else than numbers")
    found = charts.bar_middles(heights, width, space, flag(beside))
    if flag(plot):
        labels = None if is_null(names_arg) else coerced(names_arg, "character")._data
        _draw_bars(heights, found._data, labels, flag(beside), flag(horiz), settings_of(named))
    return invisible(found)


def _draw_bars(x: Value, middles: np.ndarray, labels: Any, beside: bool, horiz: bool, how: Mapping[str, Value]) -> None:
    with drawing(new=True) as axes:
        if axes is None:
            return
        draw = axes.barh if horiz else axes.bar
        colours = colours_of(how.get("col")) or ["gray"]
        shape = dim_of(x) if is_matrix(x) else None
        names = names_of(x) if shape is None else dimnames_of(x)[1]
        labels = names if labels is None else labels
        at = middles
        if shape is None or beside:
            cycle = [colours[i % len(colours)] for i in range(len(x))]
            draw(middles, x._data, 1.0, color=cycle, edgecolor="black")
            at = middles if shape is None else middles.reshape(shape, order="F").mean(axis=0)
        else:
            table, base = x._data.reshape(shape, order="F"), np.zeros(shape[1])
            for i, row in enumerate(table):
                draw(middles, row, 1.0, base, color=colours[i % len(colours)], edgecolor="black")
                base = base + row
        if labels is not None:
            (axes.set_yticks if horiz else axes.set_xticks)(at, **words_of_ticks(labels))
        finish(axes, how)


@r_function(formula=True, quiet=True)
def boxplot(
    x: Any = None, *dots: Any, range: Any = 1.5, names: Any = None, plot: Any = True, horizontal: Any = False,
    formula: Any = None, data: Any = None, scope: Mapping[str, Any] | None = None, **named: Any,
) -> Value:  # fmt: skip
    """Draw boxes, and return their statistics: R's ``boxplot``."""
    first = as_value(formula if is_null(x) else x)
    if first._kind == "language":
        table = as_value(dots[0]) if dots and is_null(data) else as_value(data)
        groups, labels = charts.split_by(*sides_of(str(first._data[0]), table, scope))
    else:
        groups, labels = charts.groups_of(first, [as_value(item) for item in dots])
    if not is_null(names):
        labels = [str(label) for label in coerced(names, "character")._data]
    found = charts.box_statistics(groups, labels, number(range))
    if flag(plot):
        how = settings_of(named)
        with drawing(new=True) as axes:
            if axes is not None:
                axes.boxplot(
                    [g[~np.isnan(g)] for g in groups], orientation="horizontal" if flag(horizontal) else "vertical"
                )
                (axes.set_yticklabels if flag(horizontal) else axes.set_xticklabels)(**words_of_ticks(labels))
                finish(axes, how)
    return invisible(found)


@r_function(formula=True, quiet=True)
def pairs(x: Any, *dots: Any, **named: Any) -> Value:
    """Draw each column against each: R's ``pairs``."""
    x, how = as_value(x), settings_of(named)
    if is_frame(x):
        columns, names = [numbers_of(column) for column in x._data], names_of(x) or []
    else:
        n, p = dim_of(x) or (len(x), 1)
        columns = list(x._data.reshape((n, p), order="F").T)
        names = dimnames_of(x)[1] or [f"var {j + 1}" for j in range(p)]
    plt, device = pyplot_if_any(), device_now()
    if plt is None:
        return invisible()
    with contextlib.suppress(ValueError, TypeError):
        device.write()
        k = len(columns)
        device.figure, device.at = plt.figure(figsize=device.size), device.grid[0] * device.grid[1]
        for i, j in np.ndindex(k, k):
            axes = device.figure.add_subplot(k, k, i * k + j + 1)
            if i == j:
                axes.text(0.5, 0.5, str(names[i]), ha="center", va="center", transform=axes.transAxes)
            else:
                axes.scatter(columns[j], columns[i], s=6, c=colours_of(how.get("col")) or "black")
    return invisible()


@r_function(quiet=True)
def matplot(x: Any, y: Any = None, *dots: Any, add: Any = False, **named: Any) -> Value:
    """Draw the columns of a matrix: R's ``matplot``."""
    how, x, y = settings_of(named), as_value(x), as_value(y)
    table = x if is_null(y) else y
    n, p = dim_of(table) or (len(table), 1)
    columns = (
        table._data.reshape((n, p), order="F")
        if not is_frame(table)
        else np.column_stack([c._data for c in table._data])
    )
    xs = np.arange(1.0, n + 1) if is_null(y) else np.resize(numbers_of(x), n)
    kind = words_of(how.get("type")) or "p"
    with drawing(new=not flag(add)) as axes:
        if axes is not None:
            colours = colours_of(how.get("col")) or [read_colour(k) for k in np.arange(1, 7).tolist()]
            for j in np.arange(p):
                style = style_of(how, kind) | {"color": colours[j % len(colours)]}
                axes.plot(xs, columns[:, j], **style)
            finish(axes, how)
    return invisible()


def matlines(x: Any, y: Any = None, *dots: Any, **named: Any) -> Value:
    """Add the columns of a matrix as lines: R's ``matlines``."""
    return matplot(x, y, add=True, **({"type": "l"} | named))


@r_function(quiet=True)
def pie(x: Any, labels: Any = None, *dots: Any, **named: Any) -> Value:
    """Draw a pie: R's ``pie``."""
    x, how = as_value(x), settings_of(named)
    names = names_of(x) if is_null(labels) else list(coerced(labels, "character")._data)
    with drawing(new=True) as axes:
        if axes is not None:
            axes.pie(
                x._data,
                labels=names or [str(i + 1) for i in np.arange(len(x))],
                colors=colours_of(how.get("col")) or None,
            )
            axes.set_title(words_of(how.get("main")) or "")
    return invisible()


def dotchart(x: Any, labels: Any = None, *dots: Any, **named: Any) -> Value:
    """Draw dots beside names: R's ``dotchart``."""
    x, how = as_value(x), settings_of(named)
    names = names_of(x) if is_null(labels) else list(coerced(labels, "character")._data)
    with drawing(new=True) as axes:
        if axes is not None:
            at = np.arange(len(x))
            axes.plot(x._data, at, **style_of(how, "p"))
            if names:
                axes.set_yticks(at, **words_of_ticks(names))
            finish(axes, how)
    return invisible()
