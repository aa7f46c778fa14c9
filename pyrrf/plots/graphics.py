"""R's graphics arguments (col, lwd, lty, pch, cex, type, xlim, ylim, log, xlab, ylab, main) as matplotlib's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyrrf.checks import number

# R's palette("R4") and its line types.
PALETTE = ("black", "#DF536B", "#61D04F", "#2297E6", "#28E2E5", "#CD0BBC", "#F5C710", "#9E9E9E")
LINES: tuple[Any, ...] = ("none", "solid", (0, (4, 4)), (0, (1, 3)), (0, (1, 3, 4, 3)), (0, (7, 3)), (0, (2, 2, 6, 2)))
_LINE_NAMES = ("blank", "solid", "dashed", "dotted", "dotdash", "longdash", "twodash")
# R's plotting symbols: marker, size in points, filled.
SYMBOLS = {
    0: ("s", 6, False),
    1: ("o", 6, False),
    2: ("^", 6, False),
    3: ("+", 7, True),
    4: ("x", 6, True),
    5: ("D", 5, False),
    6: ("v", 6, False),
    15: ("s", 6, True),
    16: ("o", 6, True),
    17: ("^", 6, True),
    18: ("D", 5, True),
    19: ("o", 6, True),
    20: ("o", 4, True),
}
# Of points, where a symbol says nothing else.
_SIZE = 6
_TYPES = {"l": (True, False), "p": (False, True), "b": (True, True), "o": (True, True), "n": (False, False)}
_OF_AXES = ("xlim", "ylim", "log", "xlab", "ylab", "main")
# What R draws by other arguments is asked of the axes here.
_HINTS = {
    "las": "chart.axes.tick_params(axis='x', labelrotation=90)",
    "bty": "chart.axes.spines['top'].set_visible(False)",
    "sub": "chart.axes.figure.supxlabel(text)",
    "bg": "chart.axes.set_facecolor(colour)",
    "fg": "chart.axes.spines[:].set_color(colour)",
    "xaxt": "chart.axes.set_xticks([])",
    "yaxt": "chart.axes.set_yticks([])",
    "axes": "chart.axes.set_axis_off()",
    "asp": "chart.axes.set_aspect(value)",
    "cex_axis": "chart.axes.tick_params(labelsize=size)",
    "cex_lab": "chart.axes.xaxis.label.set_size(size)",
    "cex_main": "chart.axes.title.set_size(size)",
    "font_main": "chart.axes.title.set_fontweight(weight)",
    "mar": "chart.axes.figure.subplots_adjust(left=share)",
}


@dataclass(frozen=True)
class Graphics:
    """Graphics arguments as they were read.

    Parameters
    ----------
    artist : dict
        Settings of lines and points; a list has one for each line.
    axes : dict
        What is set on the axes when all is drawn, by R's names.
    cex : float, optional
        By how much points are larger.
    """

    artist: dict[str, Any]
    axes: dict[str, Any]
    cex: float | None = None

    def over(self, plain: Mapping[str, Any], at: int = 0) -> dict[str, Any]:
        """Return the settings of a line by its place over plain ones; values of lists take their turns, as in R."""
        own = {
            name: value[at % len(value)] if isinstance(value, list) else value for name, value in self.artist.items()
        }
        # A symbol of one's own is filled as it says.
        kept = {name: value for name, value in plain.items() if "marker" not in own or name != "markerfacecolor"}
        settings = {**kept, **own}
        if self.cex is not None:
            settings["markersize"] = self.cex * settings.get("markersize", _SIZE)
        return settings

    def finish(self, axes: Any) -> None:
        """Set limits, scales and titles of axes."""
        for name, value in self.axes.items():
            if name == "log":
                _set_scales(axes, value)
            elif name == "main":
                axes.set_title(value, fontweight="bold", pad=14)
            else:
                {"xlab": axes.set_xlabel, "ylab": axes.set_ylabel, "xlim": axes.set_xlim, "ylim": axes.set_ylim}[name](
                    value
                )


def read_graphics(function: str, given: Mapping[str, Any]) -> Graphics:
    """Return graphics arguments of R and of matplotlib as those of matplotlib.

    Parameters
    ----------
    function : str
        Name that messages show.
    given : dict
        Arguments; those of matplotlib stay as they are.

    Returns
    -------
    Graphics

    Raises
    ------
    TypeError
        An argument of R has no counterpart; the message says what to call.
    ValueError
        A value is none of R's.

    Examples
    --------
    >>> from pyrrf.plots.graphics import read_graphics
    >>> read_graphics("plot", {"col": 2, "lwd": [1, 2], "log": "y"}).over({}, 1)
    {'color': '#DF536B', 'linewidth': 2}
    """
    artist: dict[str, Any] = {}
    axes = {name: value for name, value in given.items() if name in _OF_AXES}
    for name, value in given.items():
        plain = name.replace(".", "_")
        if plain in _HINTS:
            raise TypeError(f"{function}() has no argument {name!r}; draw, then call {_HINTS[plain]}")
        if name in _READ:
            artist |= _each(name, value)
        elif name not in (*_OF_AXES, "cex", "type"):
            artist[name] = value
    if "type" in given:
        artist |= _drawn_as(given["type"], artist)
    return Graphics(artist, axes, None if given.get("cex") is None else number(given["cex"], "cex"))


def _each(name: str, value: Any) -> dict[str, Any]:
    """Return the settings of one argument, with lists where it has several values."""
    several = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
    if not several:
        one: dict[str, Any] = _READ[name](value)
        return one
    if len(value) == 0:
        raise ValueError(f"{name} is empty; pass one value, or one for each line")
    parts = [_READ[name](part) for part in value]
    return {key: [part.get(key) for part in parts] for key in parts[0]}


def symbol(pch: Any) -> dict[str, Any]:
    """Return marker settings for one of R's plotting symbols or a matplotlib marker."""
    if isinstance(pch, str):
        return {"marker": pch, "markersize": 6}
    if pch not in SYMBOLS:
        raise ValueError(f"pch must be one of R's symbols {sorted(SYMBOLS)} or a matplotlib marker, not {pch!r}")
    marker, size, filled = SYMBOLS[pch]
    return {"marker": marker, "markersize": size} | ({} if filled else {"markerfacecolor": "none"})


def _colour(value: Any) -> dict[str, Any]:
    """Return a colour: a number of R's palette, R's shades of gray, or one that matplotlib knows."""
    text = str(value)
    if re.fullmatch(r"\d+", text):
        return {"color": PALETTE[(int(text) - 1) % len(PALETTE)] if int(text) else "white"}
    shade = re.fullmatch(r"gr[ae]y(\d{1,3})", text)
    if shade and int(shade[1]) <= 100:
        return {"color": str(int(shade[1]) / 100)}
    from matplotlib.colors import is_color_like

    if not is_color_like(value):
        raise ValueError(f"col {value!r} is no colour of matplotlib; pass '#RRGGBB', as R's col2rgb() shows it")
    return {"color": value}


def _line(value: Any) -> dict[str, Any]:
    """Return a line type: a number of R, its name, or one of matplotlib."""
    if value in _LINE_NAMES:
        return {"linestyle": LINES[_LINE_NAMES.index(value)]}
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if value < 0:
            raise ValueError(f"lty must be 0 or more, not {value}")
        return {"linestyle": LINES[0 if value == 0 else (value - 1) % 6 + 1]}
    return {"linestyle": value}


def _drawn_as(value: Any, artist: Mapping[str, Any]) -> dict[str, Any]:
    """Return whether lines, points or both are drawn; steps are lines."""
    if value in ("s", "S"):
        return {"drawstyle": "steps-post" if value == "s" else "steps-pre"}
    if value not in _TYPES:
        raise ValueError(f"type must be one of {', '.join([*_TYPES, 's', 'S'])}, not {value!r}")
    line, points = _TYPES[value]
    marked = {} if "marker" in artist else symbol(1)
    return ({} if line else {"linestyle": "none"}) | (marked if points else {"marker": "none"})


def _set_scales(axes: Any, value: Any) -> None:
    if value not in ("", "x", "y", "xy", "yx"):
        raise ValueError(f"log must be '', 'x', 'y' or 'xy', not {value!r}")
    for side in value:
        getattr(axes, f"set_{side}scale")("log")


_READ: dict[str, Any] = {
    "col": _colour,
    "lwd": lambda value: {"linewidth": value},
    "lty": _line,
    "pch": symbol,
}
