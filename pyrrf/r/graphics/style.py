"""R's graphical parameters as settings of matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from pyrrf.plots.colours import read_colour
from pyrrf.r.values.attributes import is_factor
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.vector import Value, as_value, doubles, is_null
from pyrrf.visible import visible

LINES: dict[Any, Any] = {
    0: "none", 1: "-", 2: "--", 3: ":", 4: "-.", 5: (0, (7, 3)), 6: (0, (2, 2, 6, 2)), "blank": "none", "solid": "-",
    "dashed": "--", "dotted": ":", "dotdash": "-.", "longdash": (0, (7, 3)), "twodash": (0, (2, 2, 6, 2)),
}  # fmt: skip
MARKS = {
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


def settings_of(named: Mapping[str, Any]) -> dict[str, Value]:
    """Return arguments by R's names with underscores; functions and NULL are left out."""
    found = {name.replace(".", "_"): as_value(value) for name, value in named.items()}
    return {name: value for name, value in found.items() if isinstance(value, Value) and not is_null(value)}


def colours_of(value: Value | None) -> list[Any]:
    """Return colours for matplotlib."""
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


def style_of(how: Mapping[str, Value], kind: str) -> dict[str, Any]:
    """Return settings of a line or of points that all have the same."""
    style: dict[str, Any] = {}
    colours = colours_of(how.get("col"))
    style["color"] = colours[0] if colours else "black"
    if kind in ("p", "b", "o"):
        mark = how["pch"]._data[0] if "pch" in how else 1
        style["marker"] = f"${mark}$" if isinstance(mark, str) else MARKS.get(int(mark), "o")
        if not isinstance(mark, str) and int(mark) not in _FULL:
            style["markerfacecolor"] = "none"
        if "cex" in how:
            style["markersize"] = 6 * float(how["cex"]._data[0])
    style["linestyle"] = "none" if kind == "p" else LINES.get(first_of(how.get("lty"), 1), "-")
    if "lwd" in how:
        style["linewidth"] = float(how["lwd"]._data[0])
    if kind in ("s", "S"):
        style["drawstyle"] = "steps-post" if kind == "s" else "steps-pre"
    return style


def first_of(value: Value | None, usual: Any) -> Any:
    """Return the first value, or the usual one."""
    if value is None:
        return usual
    found = value._data[0]
    return found if isinstance(found, str) else int(found)


def words_of(value: Value | None) -> str | None:
    """Return a text; None for an expression of mathematics."""
    return None if value is None or value._kind == "language" else str(coerced(value, "character")._data[0])


def words_of_ticks(labels: Iterable[Any]) -> dict[str, Any]:
    """Return what matplotlib is told of the names at an axis: they are no mathematics, as in R."""
    return {"labels": [visible(str(label), "\n") for label in labels], "parse_math": False}


def finish(axes: Any, how: Mapping[str, Value], xlab: str = "", ylab: str = "", main: str = "") -> None:
    """Set texts, limits and scales of axes."""
    axes.set_title(words_of(how.get("main")) or main, fontweight="bold")
    axes.set_xlabel(words_of(how.get("xlab")) if "xlab" in how else xlab)
    axes.set_ylabel(words_of(how.get("ylab")) if "ylab" in how else ylab)
    for axis in words_of(how.get("log")) or "":
        getattr(axes, f"set_{axis}scale")("log")
    if "xlim" in how:
        axes.set_xlim(*how["xlim"]._data[:2])
    if "ylim" in how:
        axes.set_ylim(*how["ylim"]._data[:2])
    if "axes" in how and not how["axes"]._data[0]:
        axes.set_axis_off()
    for side in "xy":
        if words_of(how.get(f"{side}axt")) == "n":
            getattr(axes, f"set_{side}ticks")([])
