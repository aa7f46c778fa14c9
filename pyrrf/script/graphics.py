"""R's graphics on matplotlib: devices, plots and what is added to them; what R returns is returned.

A picture is drawn as near to R's as matplotlib allows, and graphical parameters that it has not are left out. Without
matplotlib nothing is drawn.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import pyrrf
from pyrrf.plots.colours import read_colour
from pyrrf.script import charts
from pyrrf.script.fits import asked, fit_of, is_fit, part
from pyrrf.script.values import (
    NUMBERS,
    Mask,
    NotMovedError,
    RError,
    Value,
    as_value,
    coerced,
    dim_of,
    dimnames_of,
    doubles,
    factor_labels,
    factor_levels,
    flag,
    inherits,
    integers,
    is_factor,
    is_frame,
    is_list,
    is_matrix,
    is_null,
    listed,
    names_of,
    null,
    number,
    strings,
    text as _text,
)

_LINES: dict[Any, Any] = {
    0: "none", 1: "-", 2: "--", 3: ":", 4: "-.", 5: (0, (7, 3)), 6: (0, (2, 2, 6, 2)), "blank": "none", "solid": "-",
    "dashed": "--", "dotted": ":", "dotdash": "-.", "longdash": (0, (7, 3)), "twodash": (0, (2, 2, 6, 2)),
}  # fmt: skip
_MARKS = {
    0: "s",
    1: "o",
    2: "^",
    3: "+",
    4: "x",
    5: "D",
    6: "v",
    8: "*",
    15: "s",
    16: "o",
    17: "^",
    18: "D",
    19: "o",
    20: ".",
    21: "o",
}
_FULL = {15, 16, 17, 18, 19, 20}
_PLACES = {
    "topright": "upper right", "topleft": "upper left", "bottomright": "lower right", "bottomleft": "lower left",
    "top": "upper center", "bottom": "lower center", "left": "center left", "right": "center right", "center": "center",
}  # fmt: skip
# What par() says of what has not been set.
_USUAL = {
    "mfrow": integers([1, 1]), "mfcol": integers([1, 1]), "mar": doubles([5.1, 4.1, 4.1, 2.1]),
    "oma": doubles([0, 0, 0, 0]), "mgp": doubles([3, 1, 0]), "las": integers(0), "cex": doubles(1), "pch": integers(1),
    "bty": strings("o"), "pty": strings("m"), "xpd": as_value(False), "lwd": doubles(1), "lty": strings("solid"),
    "col": strings("black"), "bg": strings("white"), "fg": strings("black"), "family": strings(""), "tck": doubles(math.nan),
    "cex.axis": doubles(1), "cex.lab": doubles(1), "cex.main": doubles(1.2), "ask": as_value(False), "new": as_value(False),
    "mai": doubles([1.02, 0.82, 0.82, 0.42]), "font": integers(1), "ps": integers(12), "tcl": doubles(-0.5),
}  # fmt: skip


# ---- devices -------------------------------------------------------------------------------------


class _Device:
    """A file that pictures go to: its figure, and the place of the next one."""

    def __init__(self, kind: str, file: str | None, size: tuple[float, float]) -> None:
        self.kind, self.file, self.size = kind, file, size
        self.figure: Any = None
        self.pages = 0
        self.grid, self.at = (1, 1), 0
        self.settings = dict(_USUAL)

    def next_axes(self, plt: Any) -> Any:
        """Return axes for a new plot, on a new page where one is full."""
        rows, columns = self.grid
        if self.figure is None or self.at >= rows * columns:
            self.write()
            self.figure, self.at = plt.figure(figsize=self.size, layout="constrained"), 0
        self.at += 1
        return self.figure.add_subplot(rows, columns, self.at)

    def write(self) -> None:
        """Write the page, and close it."""
        if self.figure is None:
            return
        if self.file is not None:
            self.pages += 1
            name = self.file % self.pages if "%" in self.file else self.file
            # Of several pages a picture is kept for each, unless the name has a number.
            if self.pages == 1 or "%" in self.file:
                self.figure.savefig(name)
            else:
                stem, dot, end = name.rpartition(".")
                self.figure.savefig(f"{stem}-{self.pages}{dot}{end}")
        with contextlib.suppress(ImportError):
            import matplotlib.pyplot as plt

            plt.close(self.figure)
        self.figure = None


_OPEN: list[_Device] = []


def _device() -> _Device:
    if not _OPEN:
        _OPEN.append(_Device("pdf", None, (7.0, 7.0)))
    return _OPEN[-1]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return None
    return plt


@contextlib.contextmanager
def _drawing(new: bool = False) -> Iterator[Any]:
    """Yield axes to draw on, None without matplotlib; what matplotlib refuses is left out."""
    plt, device = _pyplot(), _device()
    if plt is None:
        yield None
        return
    try:
        if new or device.figure is None or not device.figure.axes:
            yield device.next_axes(plt)
        else:
            yield device.figure.axes[-1]
    except (ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError, OSError) as error:
        if isinstance(error, RError | NotMovedError):
            raise


def _opened(kind: str, file: Any, width: Any, height: Any, unit: float) -> Value:
    name = None if is_null(file) else _text(file)
    sides = [7.0 if is_null(side) else number(side) * unit for side in (width, height)]
    _OPEN.append(_Device(kind, name, (max(sides[0], 0.5), max(sides[1], 0.5))))
    return null()


def pdf(file: Any = "Rplots.pdf", width: Any = None, height: Any = None, *dots: Any, **more: Any) -> Value:
    """Open a file for pictures: R's ``pdf``."""
    return _opened("pdf", file, width, height, 1.0)


def svg(filename: Any = "Rplot%03d.svg", width: Any = None, height: Any = None, *dots: Any, **more: Any) -> Value:
    """Open a file for pictures: R's ``svg``."""
    return _opened("svg", filename, width, height, 1.0)


def _bitmap(kind: str, filename: Any, width: Any, height: Any, units: Any, res: Any) -> Value:
    dots = 72.0 if is_null(res) or number(res) != number(res) else number(res)
    unit = {"px": 1 / dots, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}[_text(units)]
    wide, high = (480 if is_null(side) else side for side in (width, height))
    return _opened(kind, filename, wide, high, unit)


def png(
    filename: Any = "Rplot%03d.png", width: Any = 480, height: Any = 480, units: Any = "px", pointsize: Any = 12,
    bg: Any = "white", res: Any = None, *dots: Any, **more: Any,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``png``."""
    return _bitmap("png", more.get("file", filename), width, height, units, res)


def jpeg(
    filename: Any = "Rplot%03d.jpeg", width: Any = 480, height: Any = 480, units: Any = "px", pointsize: Any = 12,
    quality: Any = 75, bg: Any = "white", res: Any = None, *dots: Any, **more: Any,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``jpeg``."""
    return _bitmap("jpeg", more.get("file", filename), width, height, units, res)


def tiff(
    filename: Any = "Rplot%03d.tiff", width: Any = 480, height: Any = 480, units: Any = "px", pointsize: Any = 12,
    compression: Any = None, bg: Any = "white", res: Any = None, *dots: Any, **more: Any,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``tiff``."""
    return _bitmap("tiff", more.get("file", filename), width, height, units, res)


def dev_new(*dots: Any, **more: Any) -> Value:
    """Open a device: R's ``dev.new``."""
    return _opened("pdf", None, None, None, 1.0)


def dev_off(which: Any = None) -> Value:
    """Close a device and write its picture: R's ``dev.off``."""
    if not _OPEN:
        raise RError("cannot shut down device 1 (the null device)")
    with contextlib.suppress(ValueError, TypeError, RuntimeError):
        _OPEN.pop().write()
    if not _OPEN:
        return integers(1, {"names": strings("null device")})
    return integers(len(_OPEN) + 1, {"names": strings(_OPEN[-1].kind)})


def graphics_off() -> Value:
    """Close all devices: R's ``graphics.off``."""
    while _OPEN:
        dev_off()
    return null()


def par(*dots: Any, **named: Any) -> Value:
    """Set or ask graphical parameters: R's ``par``; those that are not known here are remembered."""
    device = _device()
    whole = not dots and set(named) <= {"no.readonly", "no_readonly"}
    if whole:
        return listed(device.settings.values(), device.settings)
    wanted: dict[str, Any] = {name: as_value(value) for name, value in named.items()}
    asked_for = []
    for item in map(as_value, dots):
        if is_list(item):
            wanted |= dict(zip(names_of(item) or [], item._data, strict=True))
        elif isinstance(item, Value) and item._kind == "character":
            asked_for += list(item._data)
    if asked_for:
        unknown = [name for name in asked_for if name not in device.settings]
        if unknown:
            raise NotMovedError(f"par('{unknown[0]}') asks for what matplotlib decides")
        found = [device.settings[name] for name in asked_for]
        return found[0].copy() if len(found) == 1 else listed(found, asked_for)
    before = {name: device.settings.get(name, null()) for name in wanted}
    for name, value in wanted.items():
        device.settings[name] = value
        if name in ("mfrow", "mfcol") and isinstance(value, Value):
            _divide(device, int(value._data[0]), int(value._data[1]))
    return listed(before.values(), before)


def _divide(device: _Device, rows: int, columns: int) -> None:
    device.write()
    device.grid, device.at = (max(rows, 1), max(columns, 1)), 0


def layout(mat: Any, *dots: Any, **more: Any) -> Value:
    """Divide the page: R's ``layout``; parts of unequal size are drawn as equal ones."""
    places = as_value(mat)
    rows, columns = dim_of(places) or (1, len(places))
    _divide(_device(), rows, columns)
    return integers(places._data.max())


# ---- settings ------------------------------------------------------------------------------------


def _plain(named: Mapping[str, Any]) -> dict[str, Value]:
    """Return arguments by R's names with underscores; functions and NULL are left out."""
    found = {name.replace(".", "_"): as_value(value) for name, value in named.items()}
    return {name: value for name, value in found.items() if isinstance(value, Value) and not is_null(value)}


def _colours(value: Value | None) -> list[Any]:
    if value is None:
        return []
    if is_factor(value):
        value = doubles(value._data)
    found = []
    for item in value._data.tolist():
        try:
            found.append(read_colour(item if isinstance(item, str) else float(item) if item is not None else math.nan))
        except ValueError:
            found.append("black")
    return found


def _style(how: Mapping[str, Value], kind: str) -> dict[str, Any]:
    """Return settings of a line or of points that all have the same."""
    style: dict[str, Any] = {}
    colours = _colours(how.get("col"))
    style["color"] = colours[0] if colours else "black"
    if kind in ("p", "b", "o"):
        mark = how["pch"]._data[0] if "pch" in how else 1
        style["marker"] = f"${mark}$" if isinstance(mark, str) else _MARKS.get(int(mark), "o")
        if not isinstance(mark, str) and int(mark) not in _FULL:
            style["markerfacecolor"] = "none"
        if "cex" in how:
            style["markersize"] = 6 * float(how["cex"]._data[0])
    style["linestyle"] = "none" if kind == "p" else _LINES.get(_first(how.get("lty"), 1), "-")
    if "lwd" in how:
        style["linewidth"] = float(how["lwd"]._data[0])
    if kind in ("s", "S"):
        style["drawstyle"] = "steps-post" if kind == "s" else "steps-pre"
    return style


def _first(value: Value | None, usual: Any) -> Any:
    if value is None:
        return usual
    found = value._data[0]
    return found if isinstance(found, str) else int(found)


def _words(value: Value | None) -> str | None:
    return None if value is None or value._kind == "language" else str(coerced(value, "character")._data[0])


def _finish(axes: Any, how: Mapping[str, Value], xlab: str = "", ylab: str = "", main: str = "") -> None:
    """Set texts, limits and scales of axes."""
    axes.set_title(_words(how.get("main")) or main, fontweight="bold")
    axes.set_xlabel(_words(how.get("xlab")) if "xlab" in how else xlab)
    axes.set_ylabel(_words(how.get("ylab")) if "ylab" in how else ylab)
    for axis in _words(how.get("log")) or "":
        getattr(axes, f"set_{axis}scale")("log")
    if "xlim" in how:
        axes.set_xlim(*how["xlim"]._data[:2])
    if "ylim" in how:
        axes.set_ylim(*how["ylim"]._data[:2])
    if "axes" in how and not how["axes"]._data[0]:
        axes.set_axis_off()
    for side in "xy":
        if _words(how.get(f"{side}axt")) == "n":
            getattr(axes, f"set_{side}ticks")([])


# ---- plots ---------------------------------------------------------------------------------------


def plot(
    x: Any, y: Any = None, *dots: Any, data: Any = None, scope: Mapping[str, Any] | None = None, **named: Any
) -> Value:
    """Draw points or lines, a fit, margins, a table or pairs of columns: R's ``plot``."""
    how = _plain(named)
    if callable(x) and not isinstance(x, Value):
        return curve(x, *(() if is_null(y) else (y, *dots)), **named)
    x, y = as_value(x), as_value(y)
    if is_fit(x) or inherits(x, "margin"):
        return _plot_result(x, how)
    if inherits(x, "histogram"):
        return _plot_histogram(x, how)
    if x._kind == "language":
        return _plot_formula(str(x._data[0]), y if is_null(data) else as_value(data), scope, how)
    if is_frame(x) and len(x) > 2:
        return pairs(x, **named)
    if is_factor(x) and is_null(y):
        barplot(
            doubles(np.bincount(x._data[~np.isnan(x._data)].astype(int), minlength=len(factor_levels(x)) + 1)[1:]),
            **named,
        )
        return null()
    if is_factor(x) and not is_null(y):
        boxplot(
            Value("list", np.array([*_group(y, x), None], dtype=object)[:-1], {"names": x._attributes["levels"]}),
            **named,
        )
        return null()
    first, second = _points(x, y)
    with _drawing(new=True) as axes:
        if axes is not None:
            _curve(axes, first, second, how, _words(how.get("type")) or "p")
            _finish(axes, how, "x" if is_null(y) else "", "")
    return null()


def _group(values: Value, by: Value) -> list[Value]:
    parts, _ = charts.split_by(values, by)
    return [doubles(part_) for part_ in parts]


def _points(x: Value, y: Value) -> tuple[np.ndarray, np.ndarray]:
    """Return the coordinates that plot(), lines() and points() see."""
    if is_null(y) and is_frame(x) and len(x) == 2:
        return x._data[0]._data, x._data[1]._data
    if is_null(y) and is_matrix(x):
        n = (dim_of(x) or (0,))[0]
        return x._data[:n], x._data[n : 2 * n]
    if is_null(y) and is_list(x):
        names = names_of(x) or []
        if "x" in names and "y" in names:
            return _numbers(x._data[names.index("x")]), _numbers(x._data[names.index("y")])
        raise RError("'x' is a list, but does not have components 'x' and 'y'")
    if is_null(y):
        values = _numbers(x)
        return np.arange(1.0, len(values) + 1), values
    first, second = _numbers(x), _numbers(y)
    if len(first) != len(second):
        raise RError("'x' and 'y' lengths differ")
    return first, second


def _numbers(x: Value) -> np.ndarray:
    return x._data if x._kind in NUMBERS else coerced(x, "double")._data


def _curve(axes: Any, x: np.ndarray, y: np.ndarray, how: Mapping[str, Value], kind: str) -> None:
    if kind == "n":
        axes.plot(x, y, linestyle="none")
        return
    if kind == "h":
        axes.vlines(x, 0, y, colors=(_colours(how.get("col")) or ["black"])[0])
        return
    style = _style(how, "p" if kind == "p" else kind)
    colours = _colours(how.get("col"))
    if kind == "p" and len(colours) > 1:
        for at, (a, b) in enumerate(zip(x, y, strict=True)):
            axes.plot([a], [b], **(style | {"color": colours[at % len(colours)]}))
        return
    axes.plot(x, y, **style)


def _plot_result(x: Value, how: Mapping[str, Value]) -> Value:
    main = _words(how.get("main"))
    with _drawing(new=True) as axes:
        if axes is None:
            return null()
        if is_fit(x):
            fit = fit_of(x)
            if fit.type == "unsupervised":
                raise RError("No plot method for unsupervised randomForest.")
            pyrrf.plot(fit, main=main, ax=axes)
        else:
            import pandas as pd

            pyrrf.plot(pd.Series(x._data, index=pd.Index(names_of(x) or [], dtype=object)), main=main, ax=axes)
    return null()


def _plot_formula(formula: str, data: Value, scope: Mapping[str, Any] | None, how: dict[str, Value]) -> Value:
    left, right = _sides(formula, data, scope)
    if is_factor(right):
        boxplot(
            Value(
                "list",
                np.array([*_group(left, right), None], dtype=object)[:-1],
                {"names": right._attributes["levels"]},
            )
        )
        return null()
    with _drawing(new=True) as axes:
        if axes is not None:
            _curve(axes, _numbers(right), _numbers(left), how, _words(how.get("type")) or "p")
            _finish(axes, how, formula.partition("~")[2].strip(), formula.partition("~")[0].strip())
    return null()


def _sides(formula: str, data: Value, scope: Mapping[str, Any] | None) -> tuple[Value, Value]:
    left, _, right = formula.partition("~")
    return _named(left.strip(), data, scope), _named(right.strip(), data, scope)


def _named(name: str, data: Value, scope: Mapping[str, Any] | None) -> Value:
    whole, _, inner = name.partition("$")
    columns = {} if is_null(data) else dict(zip(names_of(data) or [], data._data, strict=True))
    found = columns[name] if name in columns else (scope or {}).get(whole)
    if inner and isinstance(found, Value):
        from pyrrf.script.subscripts import component

        found = component(found, inner)
    if not isinstance(found, Value):
        raise NotMovedError(f"{name} in the formula of a picture")
    return found


def lines(x: Any, y: Any = None, *dots: Any, **named: Any) -> Value:
    """Add lines: R's ``lines``."""
    return _added(x, y, named, "l")


def points(x: Any, y: Any = None, *dots: Any, **named: Any) -> Value:
    """Add points: R's ``points``."""
    return _added(x, y, named, "p")


def _added(x: Any, y: Any, named: Mapping[str, Any], kind: str) -> Value:
    how = _plain(named)
    first, second = _points(as_value(x), as_value(y))
    with _drawing() as axes:
        if axes is not None:
            _curve(axes, first, second, how, _words(how.get("type")) or kind)
    return null()


def abline(a: Any = None, b: Any = None, h: Any = None, v: Any = None, *dots: Any, **named: Any) -> Value:
    """Add straight lines: R's ``abline``."""
    style = _style(_plain(named), "l")
    with _drawing() as axes:
        if axes is None:
            return null()
        for value in [] if is_null(h) else coerced(h, "double")._data:
            axes.axhline(value, **style)
        for value in [] if is_null(v) else coerced(v, "double")._data:
            axes.axvline(value, **style)
        if not is_null(a) and isinstance(as_value(a), Value) and not is_list(as_value(a)):
            start = coerced(a, "double")._data
            slope = start[1] if len(start) > 1 else number(b)
            axes.axline((0.0, start[0]), slope=slope, **style)
    return null()


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
    how = _plain(named)
    with _drawing(new=not flag(add)) as axes:
        if axes is not None:
            _curve(axes, xs, _numbers(ys), how, _words(how.get("type")) or "l")
            if not flag(add):
                _finish(axes, how, "x", "")
    return listed([doubles(xs), ys], ["x", "y"])


def _values_of(expr: Callable[..., Any], xs: Value) -> Value:
    """Return what an expression in x, or a function, gives."""
    mask = Mask(Value("list", np.array([xs, None], dtype=object)[:1], {"names": strings("x")}))
    try:
        found = expr(mask)
    except (TypeError, AttributeError, RError, NotMovedError):
        found = expr
    return as_value(found(xs) if callable(found) and not isinstance(found, Value) else found)  # type: ignore[no-any-return]


# ---- charts --------------------------------------------------------------------------------------


def hist(
    x: Any, breaks: Any = "Sturges", freq: Any = None, probability: Any = None, include_lowest: Any = True,
    right: Any = True, *dots: Any, plot: Any = True, nclass: Any = None, call: str | None = None, **named: Any,
) -> Value:  # fmt: skip
    """Count values in classes, and draw them: R's ``hist``."""
    given = nclass if not is_null(nclass) and isinstance(breaks, str) else breaks
    found = charts.histogram(x, given, flag(right), flag(include_lowest), _argument_text(call))
    if flag(plot):
        shares = (not is_null(freq) and not flag(freq)) or (not is_null(probability) and flag(probability))
        _plot_histogram(found, _plain(named), shares)
    return found


def _argument_text(call: str | None) -> str:
    """Return the first argument of a call as it was written."""
    inside = re.fullmatch(r"\w+\(\s*(?:x\s*=\s*)?([^,()]+(?:\([^()]*\))?)\s*(?:,.*)?\)", call or "", re.DOTALL)
    return inside[1].strip() if inside else "x"


def _plot_histogram(found: Value, how: Mapping[str, Value], shares: bool = False) -> Value:
    edges, counts, density = (found._data[i]._data for i in range(3))
    name = _words(found._data[4]) or ""
    with _drawing(new=True) as axes:
        if axes is not None:
            colour = (_colours(how.get("col")) or ["lightgray"])[0]
            axes.bar(
                edges[:-1], density if shares else counts, np.diff(edges), align="edge", color=colour, edgecolor="black"
            )
            _finish(axes, how, name, "Density" if shares else "Frequency", f"Histogram of {name}")
    return null()


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
        _draw_bars(heights, found._data, labels, flag(beside), flag(horiz), _plain(named))
    return found


def _draw_bars(x: Value, middles: np.ndarray, labels: Any, beside: bool, horiz: bool, how: Mapping[str, Value]) -> None:
    with _drawing(new=True) as axes:
        if axes is None:
            return
        draw = axes.barh if horiz else axes.bar
        colours = _colours(how.get("col")) or ["gray"]
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
            (axes.set_yticks if horiz else axes.set_xticks)(at, [str(label) for label in labels])
        _finish(axes, how)


def boxplot(
    x: Any = None, *dots: Any, range: Any = 1.5, names: Any = None, plot: Any = True, horizontal: Any = False,
    formula: Any = None, data: Any = None, scope: Mapping[str, Any] | None = None, **named: Any,
) -> Value:  # fmt: skip
    """Draw boxes, and return their statistics: R's ``boxplot``."""
    first = as_value(formula if is_null(x) else x)
    if first._kind == "language":
        table = as_value(dots[0]) if dots and is_null(data) else as_value(data)
        groups, labels = charts.split_by(*_sides(str(first._data[0]), table, scope))
    else:
        groups, labels = charts.groups_of(first, [as_value(item) for item in dots])
    if not is_null(names):
        labels = [str(label) for label in coerced(names, "character")._data]
    found = charts.box_statistics(groups, labels, number(range))
    if flag(plot):
        how = _plain(named)
        with _drawing(new=True) as axes:
            if axes is not None:
                axes.boxplot(
                    [g[~np.isnan(g)] for g in groups], orientation="horizontal" if flag(horizontal) else "vertical"
                )
                (axes.set_yticklabels if flag(horizontal) else axes.set_xticklabels)(labels)
                _finish(axes, how)
    return found


def pairs(x: Any, *dots: Any, **named: Any) -> Value:
    """Draw each column against each: R's ``pairs``."""
    x, how = as_value(x), _plain(named)
    if is_frame(x):
        columns, names = [_numbers(column) for column in x._data], names_of(x) or []
    else:
        n, p = dim_of(x) or (len(x), 1)
        columns = list(x._data.reshape((n, p), order="F").T)
        names = dimnames_of(x)[1] or [f"var {j + 1}" for j in range(p)]
    plt, device = _pyplot(), _device()
    if plt is None:
        return null()
    with contextlib.suppress(ValueError, TypeError):
        device.write()
        k = len(columns)
        device.figure, device.at = plt.figure(figsize=device.size), device.grid[0] * device.grid[1]
        for i, j in np.ndindex(k, k):
            axes = device.figure.add_subplot(k, k, i * k + j + 1)
            if i == j:
                axes.text(0.5, 0.5, str(names[i]), ha="center", va="center", transform=axes.transAxes)
            else:
                axes.scatter(columns[j], columns[i], s=6, c=_colours(how.get("col")) or "black")
    return null()


def matplot(x: Any, y: Any = None, *dots: Any, add: Any = False, **named: Any) -> Value:
    """Draw the columns of a matrix: R's ``matplot``."""
    how, x, y = _plain(named), as_value(x), as_value(y)
    table = x if is_null(y) else y
    n, p = dim_of(table) or (len(table), 1)
    columns = (
        table._data.reshape((n, p), order="F")
        if not is_frame(table)
        else np.column_stack([c._data for c in table._data])
    )
    xs = np.arange(1.0, n + 1) if is_null(y) else np.resize(_numbers(x), n)
    kind = _words(how.get("type")) or "p"
    with _drawing(new=not flag(add)) as axes:
        if axes is not None:
            colours = _colours(how.get("col")) or [read_colour(k) for k in np.arange(1, 7).tolist()]
            for j in np.arange(p):
                style = _style(how, kind) | {"color": colours[j % len(colours)]}
                axes.plot(xs, columns[:, j], **style)
            _finish(axes, how)
    return null()


def matlines(x: Any, y: Any = None, *dots: Any, **named: Any) -> Value:
    """Add the columns of a matrix as lines: R's ``matlines``."""
    return matplot(x, y, add=True, **({"type": "l"} | named))


def pie(x: Any, labels: Any = None, *dots: Any, **named: Any) -> Value:
    """Draw a pie: R's ``pie``."""
    x, how = as_value(x), _plain(named)
    names = names_of(x) if is_null(labels) else list(coerced(labels, "character")._data)
    with _drawing(new=True) as axes:
        if axes is not None:
            axes.pie(
                x._data,
                labels=names or [str(i + 1) for i in np.arange(len(x))],
                colors=_colours(how.get("col")) or None,
            )
            axes.set_title(_words(how.get("main")) or "")
    return null()


def dotchart(x: Any, labels: Any = None, *dots: Any, **named: Any) -> Value:
    """Draw dots beside names: R's ``dotchart``."""
    x, how = as_value(x), _plain(named)
    names = names_of(x) if is_null(labels) else list(coerced(labels, "character")._data)
    with _drawing(new=True) as axes:
        if axes is not None:
            at = np.arange(len(x))
            axes.plot(x._data, at, **_style(how, "p"))
            if names:
                axes.set_yticks(at, [str(name) for name in names])
            _finish(axes, how)
    return null()


# ---- what is added -------------------------------------------------------------------------------


def legend(x: Any = None, y: Any = None, legend: Any = None, *dots: Any, **named: Any) -> Value:
    """Add a legend: R's ``legend``; the places that R returns are not known here."""
    how = _plain(named)
    labels = legend if not is_null(legend) else y
    names = [] if is_null(labels) else [str(label) for label in coerced(labels, "character")._data]
    where = as_value(x)
    with _drawing() as axes:
        if axes is None:
            return null()
        from matplotlib.lines import Line2D

        colours = _colours(how.get("col")) or _colours(how.get("fill")) or ["black"]
        kinds = (
            [_LINES.get(v if isinstance(v, str) else int(v), "-") for v in how["lty"]._data]
            if "lty" in how
            else ["none"]
        )
        filled = "fill" in how
        mark = "s" if filled else _MARKS.get(_first(how.get("pch"), 1), "o") if "pch" in how else None
        marks = [
            Line2D([], [], color=colours[i % len(colours)], linestyle=kinds[i % len(kinds)], marker=mark)
            for i in np.arange(len(names))
        ]
        place = _PLACES.get(_text(where), "best") if where._kind == "character" else "best"
        axes.legend(marks, names, loc=place, title=_words(how.get("title")))
    return null()


def text(x: Any, y: Any = None, labels: Any = None, *dots: Any, **named: Any) -> Value:
    """Add text: R's ``text``."""
    first, second = _points(as_value(x), as_value(y))
    words = [str(i + 1) for i in np.arange(len(first))] if is_null(labels) else list(coerced(labels, "character")._data)
    with _drawing() as axes:
        if axes is not None and words:
            for at, (a, b) in enumerate(zip(first, second, strict=True)):
                axes.text(a, b, str(words[at % len(words)]), ha="center", va="center")
    return null()


def axis(side: Any, at: Any = None, labels: Any = True, *dots: Any, **named: Any) -> Value:
    """Add an axis: R's ``axis``."""
    places = as_value(at)
    with _drawing() as axes:
        if axes is not None and not is_null(places):
            shown = as_value(labels)
            names = list(coerced(shown, "character")._data) if shown._kind == "character" else None
            which = axes.xaxis if int(number(side)) in (1, 3) else axes.yaxis
            which.set_ticks(places._data, names)
    return null() if is_null(places) else places.copy()


def title(main: Any = None, sub: Any = None, xlab: Any = None, ylab: Any = None, *dots: Any, **named: Any) -> Value:
    """Add titles: R's ``title``."""
    with _drawing() as axes:
        if axes is not None:
            for value, put in ((main, axes.set_title), (xlab, axes.set_xlabel), (ylab, axes.set_ylabel)):
                if not is_null(value):
                    put(_words(as_value(value)) or "")
    return null()


def mtext(text: Any, side: Any = 3, *dots: Any, **named: Any) -> Value:
    """Add text in the margin: R's ``mtext``."""
    with _drawing() as axes:
        if axes is not None:
            axes.figure.supxlabel(_words(as_value(text)) or "") if int(number(side)) == 1 else axes.set_title(
                _words(as_value(text)) or ""
            )
    return null()


def grid(*dots: Any, **named: Any) -> Value:
    """Add a grid: R's ``grid``."""
    with _drawing() as axes:
        if axes is not None:
            axes.grid(visible=True, linestyle=":", color="lightgray")
    return null()


def _shape(draw: str) -> Callable[..., Value]:
    def add(*dots: Any, **named: Any) -> Value:
        """Add a shape; without its counterpart the frame is left as it is."""
        values = [coerced(item, "double")._data for item in dots if not is_null(item)]
        colours = _colours(_plain(named).get("col"))
        with _drawing() as axes:
            if axes is None:
                return null()
            if draw == "polygon":
                axes.fill(values[0], values[1], color=(colours or ["none"])[0], edgecolor="black")
            elif draw in ("segments", "arrows"):
                n = max(map(len, values[:4]))
                x0, y0, x1, y1 = (np.resize(v, n) for v in values[:4])
                axes.plot([x0, x1], [y0, y1], color=(colours or ["black"])[0])
            elif draw == "rect":
                x0, y0, x1, y1 = values[:4]
                axes.bar(x0, y1 - y0, x1 - x0, y0, align="edge", color=(colours or ["none"])[0], edgecolor="black")
        return null()

    add.__name__ = draw
    return add


polygon, segments, arrows, rect = map(_shape, ("polygon", "segments", "arrows", "rect"))


def rug(x: Any, *dots: Any, **named: Any) -> Value:
    """Mark values on an axis: R's ``rug``."""
    values = as_value(x)
    with _drawing() as axes:
        if axes is not None:
            axes.plot(values._data, np.zeros(len(values)), "|", color="black", transform=axes.get_xaxis_transform())
    return values.copy()


def box(*dots: Any, **named: Any) -> Value:
    """Draw the frame, which is there anyway: R's ``box``."""
    return null()


def plot_new() -> Value:
    """Begin a plot: R's ``plot.new``."""
    with _drawing(new=True) as axes:
        if axes is not None:
            axes.set_axis_off()
    return null()


# ---- pictures of fits ----------------------------------------------------------------------------


def varImpPlot(
    x: Any, sort: Any = True, n_var: Any = None, type: Any = None, class_: Any = None, scale: Any = True, main: Any = None,
    *dots: Any, **named: Any,
) -> Value:  # fmt: skip
    """Draw the importance of the features, and return it: R's ``varImpPlot``."""
    from pyrrf.script.forest_answers import importance

    if not is_fit(x):
        raise RError("This function only works for objects of class `randomForest'")
    table = importance(x, type, class_, scale)
    n, p = dim_of(table) or (0, 0)
    if p > 2:
        rows, columns = dimnames_of(table)
        labels = listed([null() if rows is None else strings(rows), strings((columns or [])[-2:])])
        table = doubles(table._data[(p - 2) * n :], {"dim": integers([n, 2]), "dimnames": labels})
    plt = _pyplot()
    if plt is not None:
        device = _device()
        with contextlib.suppress(ValueError, TypeError, NotMovedError):
            device.write()
            settings = {"type": None if is_null(type) else int(number(type)), "scale": flag(scale), "sort": flag(sort)}
            chart = pyrrf.varImpPlot(
                fit_of(x),
                n_var=None if is_null(n_var) else min(int(number(n_var)), n),
                main=None if is_null(main) else _text(main),
                class_=None if is_null(class_) else _text(class_),
                **settings,
            )
            axes = chart.axes[0] if isinstance(chart.axes, list | tuple | np.ndarray) else chart.axes
            device.figure, device.at = axes.figure, device.grid[0] * device.grid[1]
    return table


def MDSplot(rf: Any, fac: Any, k: Any = 2, palette: Any = None, pch: Any = 20, *dots: Any, **named: Any) -> Value:
    """Draw the scaling of the proximities; its coordinates, which depend on LAPACK, are refused when they are used."""
    if not is_fit(rf):
        raise RError("rf must be a RRF object")
    if part(rf, "proximity") is None:
        raise RError("rf does not contain a proximity matrix")
    plt = _pyplot()
    if plt is not None:
        device = _device()
        labels = [str(label) for label in factor_labels(as_value(fac))._data]
        with contextlib.suppress(NotMovedError):
            device.write()
            found = asked(pyrrf.MDSplot, fit_of(rf), labels, int(number(k)))
            axes = np.ravel(found.axes)[0]
            device.figure, device.at = axes.figure, device.grid[0] * device.grid[1]
    return Value("opaque", np.array(["the coordinates of MDSplot()"], dtype=object))


# ---- colours -------------------------------------------------------------------------------------


def rainbow(n: Any, *dots: Any, **named: Any) -> Value:
    """Return colours of the rainbow: R's ``rainbow`` with its defaults."""
    if dots or named:
        raise NotMovedError("rainbow() with further arguments")
    count = int(number(n))
    top = max(1, count - 1) / count if count else 0.0
    steps = [top * i / (count - 1) if count > 1 else 0.0 for i in np.arange(count)]
    return strings([_hue(h) for h in steps])


def _hue(h: float) -> str:
    import colorsys

    return "#" + "".join(f"{int(255 * part_ + 0.5):02X}" for part_ in colorsys.hsv_to_rgb(h, 1.0, 1.0))


def rgb(red: Any, green: Any, blue: Any, alpha: Any = None, names: Any = None, maxColorValue: Any = 1) -> Value:
    """Return colours by their parts: R's ``rgb``."""
    top = number(maxColorValue)
    parts = [coerced(p, "double")._data for p in (red, green, blue, *(() if is_null(alpha) else (alpha,)))]
    n = max(map(len, parts))
    wide = [np.resize(p, n) / top for p in parts]
    return strings(["#" + "".join(f"{int(255 * float(p[i]) + 0.5):02X}" for p in wide) for i in np.arange(n)])


def gray(level: Any, alpha: Any = None) -> Value:
    """Return grey colours: R's ``gray``."""
    if not is_null(alpha):
        raise NotMovedError("gray() with alpha")
    return strings(["#" + f"{int(255 * v + 0.5):02X}" * 3 for v in coerced(level, "double")._data])


grey = gray
