"""R's graphics arguments as matplotlib's: col, lwd, lty, pch, bg, cex, type of what is drawn; those of the axes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import number, reject_unknown
from pyrrf.errors import bad
from pyrrf.plots.colours import read_colour
from pyrrf.plots.library import pyplot
from pyrrf.plots.panels import SETTERS, check_side
from pyrrf.plots.symbols import check_symbol, symbol

# R's line types.
LINES: tuple[Any, ...] = ("none", "solid", (0, (4, 4)), (0, (1, 3)), (0, (1, 3, 4, 3)), (0, (7, 3)), (0, (2, 2, 6, 2)))
_LINE_NAMES = ("blank", "solid", "dashed", "dotted", "dotdash", "longdash", "twodash")
# Of points, unless the symbol decides.
_SIZE = 6
# Whether there are lines, and points.
_TYPES = {"l": (True, False), "p": (False, True), "b": (True, True), "o": (True, True), "n": (False, False)}
_STEPS = {"s": "steps-post", "S": "steps-pre"}
# What R draws by other arguments is asked of the axes here.
_HINTS = {
    "sub": "chart.axes.figure.supxlabel(text)",
    "fg": "chart.axes.spines[:].set_color(colour)",
    "asp": "chart.axes.set_aspect(value)",
    "pty": "chart.axes.set_box_aspect(1)",
    "tck": "chart.axes.tick_params(length=points)",
    "tcl": "chart.axes.tick_params(length=points)",
    "mgp": "chart.axes.tick_params(pad=points)",
    "col_axis": "chart.axes.tick_params(colors=colour)",
    "col_lab": "chart.axes.xaxis.label.set_color(colour)",
    "col_main": "chart.axes.title.set_color(colour)",
    "font": "chart.axes.title.set_fontweight(weight)",
    "font_main": "chart.axes.title.set_fontweight(weight)",
    "font_lab": "chart.axes.xaxis.label.set_fontweight(weight)",
    "family": "matplotlib.rcParams['font.family'] = name",
    "mar": "chart.axes.figure.subplots_adjust(left=share)",
    "oma": "chart.axes.figure.subplots_adjust(left=share)",
    "mai": "chart.axes.figure.subplots_adjust(left=share)",
    "panel_first": "chart.axes.grid()",
    "lcolor": "chart.axes.collections[0].set_color(colour)",
    "legend": "chart.axes.get_legend().remove()",
}


@dataclass(frozen=True)
class Graphics:
    """Graphics arguments as they were read."""

    # settings of lines and points; a list has one for each. ``pch``, ``bg``, ``cex`` and ``type`` are R's, the others
    # matplotlib's.
    artist: dict[str, Any]
    axes: dict[str, Any]  # what is set on the axes when all is drawn, by R's names

    @property
    def several(self) -> bool:
        """Whether a list has a value for each line or point."""
        return any(isinstance(value, list) for value in self.artist.values())

    def over(self, plain: Mapping[str, Any], at: int = 0) -> dict[str, Any]:
        """Return the settings of a line or point over plain ones, by its place: lists take their turns, as in R."""
        own = {
            name: value[at % len(value)] if isinstance(value, list) else value for name, value in self.artist.items()
        }
        pch, bg, cex, drawn = (own.pop(name, None) for name in ("pch", "bg", "cex", "type"))
        settings = dict(plain)
        points = plain.get("linestyle") == "none"
        if drawn is not None:
            settings |= _drawn_as(drawn, settings)
        if pch is not None:
            # The user's own symbol has its own filling.
            settings.pop("markerfacecolor", None)
            if "marker" not in settings or settings["marker"] != "none":
                settings |= symbol(pch, bg)
        elif bg is not None and settings.get("markerfacecolor", "none") != "none":
            settings["markerfacecolor"] = bg
        if points and drawn not in ("l", "b", "o", *_STEPS):
            own.pop("linestyle", None)
        settings |= own
        if cex is not None:
            settings["markersize"] = cex * settings.get("markersize", _SIZE)
        return settings

    def shape(self, plain: Mapping[str, Any], at: int = 0) -> dict[str, Any]:
        """Return the settings of a bar or a segment, which has no symbol."""
        settings = self.over(plain, at)
        return {name: value for name, value in settings.items() if not name.startswith(("marker", "drawstyle"))}

    def finish(self, axes: Any, *, names: bool = False) -> None:
        """Set limits, scales, texts and frame of axes; with `names` the y axis has names, which stay as they are."""
        for name in filter(self.axes.__contains__, SETTERS):
            SETTERS[name](axes, self.axes[name], names)

    def without(self, *names: str) -> Graphics:
        """Return the same without some of what is set on the axes."""
        return Graphics(self.artist, {name: value for name, value in self.axes.items() if name not in names})


def read_graphics(function: str, given: Mapping[str, Any], drawer: Callable[..., Any] | None = None) -> Graphics:
    """Return graphics arguments of R and of matplotlib as those of matplotlib.

    `drawer` is the function itself, whose own arguments may be meant, too. TypeError and ValueError say what to pass.

    Examples
    --------
    >>> from pyrrf.plots.graphics import read_graphics
    >>> read_graphics("plot", {"col": 2, "lwd": [1, 2], "log": "y"}).over({}, 1)
    {'color': '#DF536B', 'linewidth': 2.0}
    """
    if given:
        pyplot()  # what is read below asks matplotlib
    artist: dict[str, Any] = {}
    axes: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, value in given.items():
        plain = name.replace(".", "_")
        if value is None:
            continue
        if plain in _HINTS:
            raise bad.keyword(f"{function}() has no argument {name!r}; draw, then call {_HINTS[plain]}", name)
        if plain in SETTERS:
            axes[plain] = check_side(plain, value)
        elif plain in _READ:
            own, read = _READ[plain]
            artist[own] = _each(name, value, read)
        else:
            others[name] = value
    return Graphics({**_of_matplotlib(function, others, drawer), **artist}, axes)


def _each(name: str, value: Any, read: Any) -> Any:
    """Return the value of an argument as it is read, or a list of several."""
    if not isinstance(value, list | tuple | np.ndarray | pd.Series | pd.Index | pd.Categorical):
        return read(value)
    if len(value) == 0:
        raise bad.empty(f"{name} is empty; pass one value, or one for each line")
    return [read(part) for part in value]


def _of_matplotlib(function: str, given: Mapping[str, Any], drawer: Callable[..., Any] | None) -> dict[str, Any]:
    """Return arguments of matplotlib's lines, points and bars by their full names."""
    if not given:
        return {}
    from matplotlib.artist import ArtistInspector
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    found = normalize_kwargs(dict(given), Line2D)
    known = {*ArtistInspector(Line2D).get_setters(), *ArtistInspector(Rectangle).get_setters()}
    unknown = {name: value for name, value in found.items() if name not in known}
    own = [name for name in inspect.signature(drawer).parameters if name != "graphics"] if drawer and unknown else []
    reject_unknown(function, unknown, [*own, *_names()])
    return found


def _names() -> Iterable[str]:
    return (*_READ, *SETTERS)


def _line(value: Any) -> Any:
    """Return a line type: a number of R, its name, its lengths of dashes, or one of matplotlib."""
    if isinstance(value, str) and value in _LINE_NAMES:
        return LINES[_LINE_NAMES.index(value)]
    if isinstance(value, str) and re.fullmatch(r"([1-9A-Fa-f]{2}){1,4}", value):
        return (0, tuple(int(digit, 16) for digit in value))
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        if value < 0 or value != int(value):
            raise bad.range(f"lty must be a whole number from 0, not {value}")
        return LINES[0 if value == 0 else (int(value) - 1) % 6 + 1]
    if value not in ("-", "--", "-.", ":", "solid", "dashed", "dashdot", "dotted", "none", "None"):
        raise bad.choice(f"lty must be 0 to 6, one of {', '.join(_LINE_NAMES)}, or a matplotlib style, not {value!r}")
    return value


def _type(value: Any) -> str:
    if not isinstance(value, str) or value not in (*_TYPES, *_STEPS):
        raise bad.choice(f"type must be one of {', '.join([*_TYPES, *_STEPS])}, not {value!r}")
    return value


def _drawn_as(value: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether lines, points or both are drawn; steps are lines."""
    line, points = _TYPES.get(value, (True, False))
    style = settings.get("linestyle", "solid") if line else "none"
    if line and style == "none":
        style = "solid"
    marked = {} if "marker" in settings else symbol(1)
    steps = {"drawstyle": _STEPS[value]} if value in _STEPS else {}
    return {"linestyle": style} | (marked if points else {"marker": "none"}) | steps


# R's name, matplotlib's where it has one, and how a value is read.
_READ: dict[str, tuple[str, Any]] = {
    "col": ("color", read_colour),
    "lwd": ("linewidth", lambda value: number(value, "lwd")),
    "lty": ("linestyle", _line),
    "pch": ("pch", check_symbol),
    "bg": ("bg", read_colour),
    "cex": ("cex", lambda value: number(value, "cex")),
    "pt_cex": ("cex", lambda value: number(value, "pt_cex")),
    "type": ("type", _type),
}
