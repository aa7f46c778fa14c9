"""Additions to a plot: legend, text, axes, titles, shapes and the like, as R's on matplotlib."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.r.graphics.devices import drawing
from pyrrf.r.graphics.plots import coordinates
from pyrrf.r.graphics.style import colours_of, line_of, mark_of, settings_of, words_of, words_of_ticks
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.errors import RError
from pyrrf.r.values.functions import Item, Whole, r_function
from pyrrf.r.values.vector import Value, as_value
from pyrrf.r.values.visibility import invisible

_PLACES = {
    "topright": "upper right", "topleft": "upper left", "bottomright": "lower right", "bottomleft": "lower left",
    "top": "upper center", "bottom": "lower center", "left": "center left", "right": "center right", "center": "center",
}  # fmt: skip


@r_function(quiet=True)
def legend(
    x: Value | None = None, y: Value | None = None, legend: Value | None = None, *dots: object, **named: object
) -> Value:
    """Add a legend: R's ``legend``; the places that R returns are not known here."""
    how = settings_of(named)
    if legend is None and (y is None or y._kind not in ("character", "language")):
        raise RError('argument "legend" is missing, with no default')
    labels = y if legend is None else legend
    names = [] if labels is None else [str(label) for label in coerce(labels, "character")._data]
    with drawing() as axes:
        from matplotlib.lines import Line2D

        colours = colours_of(how.get("col", how.get("fill")), "black")
        kinds = [line_of(item) for item in (how["lty"]._data if "lty" in how else ["blank"])]
        mark = "s" if "fill" in how else mark_of(how["pch"]._data[0]) if "pch" in how else None
        marks = [
            Line2D([], [], color=colours[i % len(colours)], linestyle=kinds[i % len(kinds)], marker=mark)
            for i in range(len(names))
        ]
        place = _PLACES.get(words_of(x) or "", "best")
        axes.legend(marks, names, loc=place, title=words_of(how.get("title")))
    return invisible()


@r_function(quiet=True)
def text(x: Value, y: Value | None = None, labels: Value | None = None, *dots: object, **named: object) -> Value:
    """Add text: R's ``text``."""
    first, second = coordinates(x, y, recycle=True)
    words = np.arange(1, len(first) + 1) if labels is None else coerce(labels, "character")._data
    with drawing() as axes:
        for a, b, word in zip(first, second, np.resize(words, len(first)) if len(words) else [], strict=False):
            axes.text(a, b, str(word), ha="center", va="center")
    return invisible()


@r_function(quiet=True)
def axis(side: Whole, at: Value | None = None, labels: Item = True, *dots: object, **named: object) -> Value:
    """Add an axis: R's ``axis``."""
    ticks = as_value(labels)
    with drawing() as axes:
        if at is not None:
            which = axes.xaxis if side in (1, 3) else axes.yaxis
            which.set_ticks(at._data, **(words_of_ticks(ticks._data) if ticks._kind == "character" else {}))
    return invisible(at)


@r_function(quiet=True)
def title(
    main: Value | None = None, sub: object = None, xlab: Value | None = None, ylab: Value | None = None, *dots: object,
    **named: object,
) -> Value:  # fmt: skip
    """Add titles: R's ``title``."""
    with drawing() as axes:
        for value, put in ((main, axes.set_title), (xlab, axes.set_xlabel), (ylab, axes.set_ylabel)):
            if value is not None:
                put(words_of(value) or "")
    return invisible()


@r_function(quiet=True)
def mtext(text: Value, side: Whole = 3, *dots: object, **named: object) -> Value:
    """Add text in the margin: R's ``mtext``."""
    with drawing() as axes:
        put = axes.figure.supxlabel if side == 1 else axes.set_title
        put(words_of(text) or "")
    return invisible()


@r_function(quiet=True)
def grid(*dots: object, **named: object) -> Value:
    """Add a grid: R's ``grid``."""
    with drawing() as axes:
        axes.grid(visible=True, linestyle=":", color="lightgray")
    return invisible()


def _shape(name: str) -> Callable[..., Value]:
    def add(*dots: Value | None, **named: object) -> Value:
        values = [coerce(item, "double")._data for item in dots if item is not None]
        how = settings_of(named)
        with drawing() as axes:
            colour = colours_of(how.get("col"), "black" if name in ("segments", "arrows") else "none")[0]
            if name == "polygon":
                axes.fill(values[0], values[1], color=colour, edgecolor="black")
            elif name == "rect":
                x0, y0, x1, y1 = values[:4]
                axes.bar(x0, y1 - y0, x1 - x0, y0, align="edge", color=colour, edgecolor="black")
            else:
                n = max(map(len, values[:4]))
                x0, y0, x1, y1 = (np.resize(v, n) for v in values[:4])
                axes.plot([x0, x1], [y0, y1], color=colour)
        return invisible()

    return r_function(name, f"Add a shape: R's ``{name}``.")(add)


polygon, segments, arrows, rect = map(_shape, ("polygon", "segments", "arrows", "rect"))


@r_function(quiet=True)
def rug(x: Value, *dots: object, **named: object) -> Value:
    """Mark values on an axis: R's ``rug``."""
    with drawing() as axes:
        axes.plot(x._data, np.zeros(len(x)), "|", color="black", transform=axes.get_xaxis_transform())
    return invisible(x)


@r_function()
def box(*dots: object, **named: object) -> Value:
    """Draw the frame, which axes always have: R's ``box``."""
    with drawing():
        return invisible()
