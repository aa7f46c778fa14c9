"""R's graphical parameters as settings of matplotlib."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from pyrrf.escapes import escape_control_chars
from pyrrf.plots.colours import read_colour
from pyrrf.r.graphics.devices import Axes
from pyrrf.r.values.coercion import coerce
from pyrrf.r.values.kinds import is_factor, is_null
from pyrrf.r.values.vector import Value, as_value, doubles

Settings = Mapping[str, Value]
_LINES: dict[str | int, Any] = {
    0: "none", 1: "-", 2: "--", 3: ":", 4: "-.", 5: (0, (7, 3)), 6: (0, (2, 2, 6, 2)), "blank": "none", "solid": "-",
    "dashed": "--", "dotted": ":", "dotdash": "-.", "longdash": (0, (7, 3)), "twodash": (0, (2, 2, 6, 2)),
}  # fmt: skip
_MARKS: dict[int, str] = {
    0: "s", 1: "o", 2: "^", 3: "+", 4: "x", 5: "D", 6: "v", 8: "*", 15: "s", 16: "o", 17: "^", 18: "D", 19: "o",
    20: ".", 21: "o",
}  # fmt: skip
_FULL = {15, 16, 17, 18, 19, 20}


def settings_of(named: Mapping[str, object]) -> dict[str, Value]:
    """Return arguments by R's names with underscores; functions and NULL are left out."""
    settings = {name.replace(".", "_"): as_value(value) for name, value in named.items()}
    return {name: value for name, value in settings.items() if isinstance(value, Value) and not is_null(value)}


def colours_of(value: Value | None, *usual: str) -> list[str]:
    """Return colours for matplotlib, the usual ones if none are asked for."""
    if value is None or not len(value):
        return [*usual]
    colors = []
    for item in (doubles(value._data) if is_factor(value) else value)._data.tolist():
        try:
            colors.append(read_colour(item if isinstance(item, str) else float(item) if item is not None else math.nan))
        except ValueError:
            colors.append("black")
    return colors


def style_of(how: Settings, kind: str) -> dict[str, Any]:
    """Return the settings of a line, or of points of one style."""
    style: dict[str, Any] = {"color": colours_of(how.get("col"), "black")[0]}
    if kind in ("p", "b", "o"):
        mark = how["pch"]._data[0] if "pch" in how else 1
        style["marker"] = f"${mark}$" if isinstance(mark, str) else mark_of(mark)
        if not isinstance(mark, str) and int(mark) not in _FULL:
            style["markerfacecolor"] = "none"
        if "cex" in how:
            style["markersize"] = 6 * float(how["cex"]._data[0])
    style["linestyle"] = "none" if kind == "p" else line_of(how["lty"]._data[0] if "lty" in how else 1)
    if "lwd" in how:
        style["linewidth"] = float(how["lwd"]._data[0])
    if kind in ("s", "S"):
        style["drawstyle"] = "steps-post" if kind == "s" else "steps-pre"
    return style


def line_of(lty: str | float) -> Any:
    """Return a type of lines for matplotlib."""
    return _LINES.get(lty if isinstance(lty, str) else int(lty), "-")


def mark_of(pch: str | float) -> str:
    """Return a mark of a point for matplotlib."""
    return "o" if isinstance(pch, str) else _MARKS.get(int(pch), "o")


def words_of(value: Value | None) -> str | None:
    """Return a text; None for a plotmath expression."""
    return None if value is None or value._kind == "language" else str(coerce(value, "character")._data[0])


def words_of_ticks(labels: Iterable[object]) -> dict[str, Any]:
    """Return matplotlib's settings for the names at an axis: they are not read as mathematics, as in R."""
    return {"labels": [escape_control_chars(str(label), "\n") for label in labels], "parse_math": False}


def finish(axes: Axes, how: Settings, xlab: str = "", ylab: str = "", main: str = "") -> None:
    """Set texts, limits and scales of axes."""
    axes.set_title(words_of(how.get("main")) or main, fontweight="bold")
    for side, usual in (("x", xlab), ("y", ylab)):
        label = f"{side}lab"
        getattr(axes, f"set_{side}label")(words_of(how[label]) if label in how else usual)
        if side in (words_of(how.get("log")) or ""):
            getattr(axes, f"set_{side}scale")("log")
        if f"{side}lim" in how:
            getattr(axes, f"set_{side}lim")(*how[f"{side}lim"]._data[:2])
        if words_of(how.get(f"{side}axt")) == "n":
            getattr(axes, f"set_{side}ticks")([])
    if "axes" in how and not how["axes"]._data[0]:
        axes.set_axis_off()
