"""What R adds to a plot: legends, text, axes, shapes; and colours."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.graphics.devices import drawing
from pyrrf.r.graphics.plots import coordinates
from pyrrf.r.graphics.style import LINES, MARKS, colours_of, first_of, settings_of, words_of, words_of_ticks
from pyrrf.r.values.arguments import default_only, number
from pyrrf.r.values.arguments import text as _text
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import NotMovedError, Value, as_value, is_null, null, strings
from pyrrf.r.values.visibility import invisible

_PLACES = {
    "topright": "upper right", "topleft": "upper left", "bottomright": "lower right", "bottomleft": "lower left",
    "top": "upper center", "bottom": "lower center", "left": "center left", "right": "center right", "center": "center",
}  # fmt: skip


# ---- what is added -------------------------------------------------------------------------------


@r_function(quiet=True)
def legend(x: Any = None, y: Any = None, legend: Any = None, *dots: Any, **named: Any) -> Value:
    """Add a legend: R's ``legend``; the places that R returns are not known here."""
    how = settings_of(named)
    labels = legend if not is_null(legend) else y
    names = [] if is_null(labels) else [str(label) for label in coerced(labels, "character")._data]
    where = as_value(x)
    with drawing() as axes:
        if axes is None:
            return invisible()
        from matplotlib.lines import Line2D

        colours = colours_of(how.get("col")) or colours_of(how.get("fill")) or ["black"]
        kinds: list[Any] = (
            [LINES.get(v if isinstance(v, str) else int(v), "-") for v in how["lty"]._data]
            if "lty" in how
            else ["none"]
        )
        filled = "fill" in how
        mark = "s" if filled else MARKS.get(first_of(how.get("pch"), 1), "o") if "pch" in how else None
        marks = [
            Line2D([], [], color=colours[i % len(colours)], linestyle=kinds[i % len(kinds)], marker=mark)
            for i in np.arange(len(names))
        ]
        place = _PLACES.get(_text(where), "best") if where._kind == "character" else "best"
        axes.legend(marks, names, loc=place, title=words_of(how.get("title")))
    return invisible()


@r_function(quiet=True)
def text(x: Any, y: Any = None, labels: Any = None, *dots: Any, **named: Any) -> Value:
    """Add text: R's ``text``."""
    first, second = coordinates(as_value(x), as_value(y), recycle=True)
    words = [str(i + 1) for i in np.arange(len(first))] if is_null(labels) else list(coerced(labels, "character")._data)
    with drawing() as axes:
        if axes is not None and words:
            for at, (a, b) in enumerate(zip(first, second, strict=True)):
                axes.text(a, b, str(words[at % len(words)]), ha="center", va="center")
    return invisible()


@r_function(quiet=True)
def axis(side: Any, at: Any = None, labels: Any = True, *dots: Any, **named: Any) -> Value:
    """Add an axis: R's ``axis``."""
    places = as_value(at)
    with drawing() as axes:
        if axes is not None and not is_null(places):
            shown = as_value(labels)
            names = list(coerced(shown, "character")._data) if shown._kind == "character" else None
            which = axes.xaxis if int(number(side)) in (1, 3) else axes.yaxis
            which.set_ticks(places._data, **({} if names is None else words_of_ticks(names)))
    return invisible(null() if is_null(places) else places)


@r_function(quiet=True)
def title(main: Any = None, sub: Any = None, xlab: Any = None, ylab: Any = None, *dots: Any, **named: Any) -> Value:
    """Add titles: R's ``title``."""
    with drawing() as axes:
        if axes is not None:
            for value, put in ((main, axes.set_title), (xlab, axes.set_xlabel), (ylab, axes.set_ylabel)):
                if not is_null(value):
                    put(words_of(as_value(value)) or "")
    return invisible()


@r_function(quiet=True)
def mtext(text: Any, side: Any = 3, *dots: Any, **named: Any) -> Value:
    """Add text in the margin: R's ``mtext``."""
    with drawing() as axes:
        if axes is not None:
            axes.figure.supxlabel(words_of(as_value(text)) or "") if int(number(side)) == 1 else axes.set_title(
                words_of(as_value(text)) or ""
            )
    return invisible()


@r_function(quiet=True)
def grid(*dots: Any, **named: Any) -> Value:
    """Add a grid: R's ``grid``."""
    with drawing() as axes:
        if axes is not None:
            axes.grid(visible=True, linestyle=":", color="lightgray")
    return invisible()


def _shape(draw: str) -> Callable[..., Value]:
    def add(*dots: Any, **named: Any) -> Value:
        """Add a shape; without its counterpart the frame is left as it is."""
        values = [coerced(item, "double")._data for item in dots if not is_null(item)]
        colours = colours_of(settings_of(named).get("col"))
        with drawing() as axes:
            if axes is None:
                return invisible()
            if draw == "polygon":
                axes.fill(values[0], values[1], color=(colours or ["none"])[0], edgecolor="black")
            elif draw in ("segments", "arrows"):
                n = max(map(len, values[:4]))
                x0, y0, x1, y1 = (np.resize(v, n) for v in values[:4])
                axes.plot([x0, x1], [y0, y1], color=(colours or ["black"])[0])
            elif draw == "rect":
                x0, y0, x1, y1 = values[:4]
                axes.bar(x0, y1 - y0, x1 - x0, y0, align="edge", color=(colours or ["none"])[0], edgecolor="black")
        return invisible()

    add.__name__ = draw
    return add


polygon, segments, arrows, rect = map(_shape, ("polygon", "segments", "arrows", "rect"))


@r_function(quiet=True)
def rug(x: Any, *dots: Any, **named: Any) -> Value:
    """Mark values on an axis: R's ``rug``."""
    values: Value = as_value(x)
    with drawing() as axes:
        if axes is not None:
            axes.plot(values._data, np.zeros(len(values)), "|", color="black", transform=axes.get_xaxis_transform())
    return invisible(values)


def box(*dots: Any, **named: Any) -> Value:
    """Draw the frame, which is there anyway: R's ``box``."""
    return invisible()


def plot_new() -> Value:
    """Begin a plot: R's ``plot.new``."""
    with drawing(new=True) as axes:
        if axes is not None:
            axes.set_axis_off()
    return invisible()


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

    return "#" + "".join(f"{int(255 * part_ + 0.5):02X}" for part_ in colorsys.hsv_to_rgb(h, 1.0, 1.0))


@default_only("names")
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
