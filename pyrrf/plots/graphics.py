"""Translation of R's graphics arguments to matplotlib's: col, lwd, lty, pch, bg, cex, type, and those of axes."""

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
from pyrrf.plots.panels import SETTERS, check_axes_argument
from pyrrf.plots.symbols import check_symbol, symbol

# R's line types.
LINES: tuple[Any, ...] = ("none", "solid", (0, (4, 4)), (0, (1, 3)), (0, (1, 3, 4, 3)), (0, (7, 3)), (0, (2, 2, 6, 2)))
_LINE_NAMES = ("blank", "solid", "dashed", "dotted", "dotdash", "longdash", "twodash")
# Size of points whose symbol has no size.
_SIZE = 6
# For each type whether it has lines, and points.
_TYPES = {"l": (True, False), "p": (False, True), "b": (True, True), "o": (True, True), "n": (False, False)}
_STEPS = {"s": "steps-post", "S": "steps-pre"}
# Replacements on the axes for arguments that are not supported.
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
    """Translated graphics arguments."""

    # Settings of lines and points; a list has one value for each. ``pch``, ``bg``, ``cex`` and ``type`` are R's, the
    # others matplotlib's.
    artist: dict[str, Any]
    axes: dict[str, Any]  # settings of the axes, applied after drawing, by R's names

    @property
    def several(self) -> bool:
        """Whether a list has a value for each line or point."""
        return any(isinstance(value, list) for value in self.artist.values())

    def override(self, plain: Mapping[str, Any], position: int = 0) -> dict[str, Any]:
        """Return the settings of one line or point, which override `plain`; lists are recycled, as in R."""
        own = {
            name: value[position % len(value)] if isinstance(value, list) else value
            for name, value in self.artist.items()
        }
        pch, bg, cex, type_ = (own.pop(name, None) for name in ("pch", "bg", "cex", "type"))
        settings = dict(plain)
        points = plain.get("linestyle") == "none"
        if type_ is not None:
            settings |= _type_settings(type_, settings)
        if pch is not None:
            # A symbol of the caller has its own fill.
            settings.pop("markerfacecolor", None)
            if "marker" not in settings or settings["marker"] != "none":
                settings |= symbol(pch, bg)
        elif bg is not None and settings.get("markerfacecolor", "none") != "none":
            settings["markerfacecolor"] = bg
        if points and type_ not in ("l", "b", "o", *_STEPS):
            own.pop("linestyle", None)
        settings |= own
        if cex is not None:
            settings["markersize"] = cex * settings.get("markersize", _SIZE)
        return settings

    def shape(self, plain: Mapping[str, Any], position: int = 0) -> dict[str, Any]:
        """Return the settings of a bar or a segment, which has no symbol."""
        settings = self.override(plain, position)
        return {name: value for name, value in settings.items() if not name.startswith(("marker", "drawstyle"))}

    def finish(self, axes: Any, *, names: bool = False) -> None:
        """Set limits, scales, texts and frame of axes; with `names` the y axis has names, which are not changed."""
        for name in filter(self.axes.__contains__, SETTERS):
            SETTERS[name](axes, self.axes[name], names)

    def without(self, *names: str) -> Graphics:
        """Return the arguments without some settings of the axes."""
        return Graphics(self.artist, {name: value for name, value in self.axes.items() if name not in names})


def read_graphics(
    function: str, given: Mapping[str, Any], function_object: Callable[..., Any] | None = None
) -> Graphics:
    """Return graphics arguments of R and of matplotlib, translated to matplotlib.

    `drawer` is the function with that name; error messages also suggest its own arguments.

    Examples
    --------
    >>> from pyrrf.plots.graphics import read_graphics
    >>> read_graphics("plot", {"col": 2, "lwd": [1, 2], "log": "y"}).override({}, 1)
    {'color': '#DF536B', 'linewidth': 2.0}
    """
    if given:
        pyplot()  # the translation needs matplotlib
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
            axes[plain] = check_axes_argument(plain, value)
        elif plain in _READ:
            own, read = _READ[plain]
            artist[own] = _read_values(name, value, read)
        else:
            others[name] = value
    return Graphics({**_matplotlib_options(function, others, function_object), **artist}, axes)


def _read_values(name: str, value: Any, read: Any) -> Any:
    """Return the value of an argument after conversion by `read`, or a list for several values."""
    if not isinstance(value, list | tuple | np.ndarray | pd.Series | pd.Index | pd.Categorical):
        return read(value)
    if len(value) == 0:
        raise bad.empty(f"{name} is empty; pass one value, or one for each line")
    return [read(item) for item in value]


def _matplotlib_options(function: str, given: Mapping[str, Any], drawer: Callable[..., Any] | None) -> dict[str, Any]:
    """Return arguments of matplotlib's lines, points and bars by their full names."""
    if not given:
        return {}
    from matplotlib.artist import ArtistInspector
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

    options = normalize_kwargs(dict(given), Line2D)
    known = {*ArtistInspector(Line2D).get_setters(), *ArtistInspector(Rectangle).get_setters()}
    unknown = {name: value for name, value in options.items() if name not in known}
    own = [name for name in inspect.signature(drawer).parameters if name != "graphics"] if drawer and unknown else []
    reject_unknown(function, unknown, [*own, *_names()])
    return options


def _names() -> Iterable[str]:
    return (*_READ, *SETTERS)


def _line(value: Any) -> Any:
    """Return a line type of matplotlib; R has numbers, names, or lengths of dashes as hexadecimal digits."""
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


def _type_settings(value: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of R's `type`: lines, points or both; steps are lines."""
    line, points = _TYPES.get(value, (True, False))
    style = settings.get("linestyle", "solid") if line else "none"
    if line and style == "none":
        style = "solid"
    symbol_settings = {} if "marker" in settings else symbol(1)
    steps = {"drawstyle": _STEPS[value]} if value in _STEPS else {}
    return {"linestyle": style} | (symbol_settings if points else {"marker": "none"}) | steps


# For each of R's names the name of matplotlib, if there is one, and the function that converts a value.
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
