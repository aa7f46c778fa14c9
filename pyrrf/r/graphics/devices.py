"""R's graphics devices: picture files, and the layout of a page."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from pyrrf.escapes import escape_control_chars
from pyrrf.plots.panels import render_svg
from pyrrf.r.values.errors import NotSupportedError, stop_if
from pyrrf.r.values.functions import Number, Text, r_function
from pyrrf.r.values.kinds import is_list
from pyrrf.r.values.labels import dim_of, known_names
from pyrrf.r.values.vector import Value, as_value, doubles, integers, list_of, null, strings
from pyrrf.r.values.visibility import invisible

# Types of matplotlib, an optional dependency.
Axes = Any
Figure = Any
# Defaults of par().
_USUAL = {
    "mfrow": integers([1, 1]), "mfcol": integers([1, 1]), "mar": doubles([5.1, 4.1, 4.1, 2.1]),
    "oma": doubles([0, 0, 0, 0]), "mgp": doubles([3, 1, 0]), "las": integers(0), "cex": doubles(1), "pch": integers(1),
    "bty": strings("o"), "pty": strings("m"), "xpd": as_value(False), "lwd": doubles(1), "lty": strings("solid"),
    "col": strings("black"), "bg": strings("white"), "fg": strings("black"), "family": strings(""),
    "tck": doubles(math.nan), "cex.axis": doubles(1), "cex.lab": doubles(1), "cex.main": doubles(1.2),
    "ask": as_value(False), "new": as_value(False),
    "mai": doubles([1.02, 0.82, 0.82, 0.42]), "font": integers(1), "ps": integers(12), "tcl": doubles(-0.5),
}  # fmt: skip


class Device:
    """A picture file: its figure, and the position of the next plot."""

    def __init__(self, kind: str, file: str | None, size: tuple[float, float]) -> None:
        self.kind, self.file, self.size = kind, file, size
        self.figure: Figure = None
        self.pages = 0
        self.grid, self.at = (1, 1), 0
        self.has_plot = False
        self.settings = dict(_USUAL)

    def next_axes(self, plt: ModuleType) -> Axes:
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
            stem, dot, end = name.rpartition(".")
            _save(self.figure, name if self.pages == 1 or "%" in self.file else f"{stem}-{self.pages}{dot}{end}")
        with contextlib.suppress(ImportError):
            import matplotlib.pyplot as plt

            plt.close(self.figure)
        self.figure = None


def _save(figure: Figure, name: str) -> None:
    """Write a figure to a file; dollar signs are no mathematics, as in R."""
    sides = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    ticks = {label for axis in sides for label in axis.get_ticklabels(which="both")}
    for words in figure.findobj(lambda artist: hasattr(artist, "set_parse_math") and artist not in ticks):
        words.set_parse_math(False)
        words.set_text(escape_control_chars(words.get_text(), "\n"))
    if name.lower().endswith(".svg"):
        Path(name).write_text(render_svg(figure), encoding="utf-8")
    else:
        figure.savefig(name)


_OPEN: list[Device] = []


def is_device_open() -> bool:
    """Whether a device is open."""
    return bool(_OPEN)


def device_now() -> Device:
    """Return the current device; one without a file if none is open."""
    if not _OPEN:
        _OPEN.append(Device("pdf", None, (7.0, 7.0)))
    return _OPEN[-1]


def pyplot_if_any() -> ModuleType | None:
    """Return matplotlib.pyplot; None where it is not installed."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return None
    return plt


class _NoAxes:
    """Replacement for axes without matplotlib: drawing on them does nothing."""

    def __getattr__(self, name: str) -> _NoAxes:
        return self

    def __call__(self, *args: object, **named: object) -> _NoAxes:
        return self


@contextlib.contextmanager
def drawing(new: bool = False) -> Iterator[Axes]:
    """Yield axes to draw on; drawing that matplotlib rejects, or all without it, is left out."""
    plt, device = pyplot_if_any(), device_now()
    stop_if(not (new or device.has_plot), "plot.new has not been called yet")
    device.has_plot = True
    refused = (ImportError, ValueError, TypeError, AttributeError, IndexError, KeyError, RuntimeError, OSError)
    with contextlib.suppress(*refused):
        if plt is None:
            yield _NoAxes()
        elif new or device.figure is None or not device.figure.axes:
            yield device.next_axes(plt)
        else:
            yield device.figure.axes[-1]


def _open_in_inches(kind: str, file: str | None, width: float | None, height: float | None) -> Value:
    """Open a device whose sides are given in inches."""
    sides = [7.0 if side is None else max(side, 0.5) for side in (width, height)]
    _OPEN.append(Device(kind, file, (sides[0], sides[1])))
    return invisible()


@r_function(quiet=True)
def pdf(
    file: Text | None = "Rplots.pdf", width: Number | None = None, height: Number | None = None, *dots: object,
    **more: object,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``pdf``."""
    return _open_in_inches("pdf", file, width, height)


@r_function(quiet=True)
def svg(
    filename: Text = "Rplot%03d.svg", width: Number | None = None, height: Number | None = None, *dots: object,
    **more: object,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``svg``."""
    return _open_in_inches("svg", filename, width, height)


def _bitmap(kind: str) -> Callable[..., Value]:
    def open_bitmap(
        filename: Text = f"Rplot%03d.{kind}", width: Number | None = 480, height: Number | None = 480,
        units: Text = "px", pointsize: object = 12, *dots: object, file: Text | None = None, res: Number | None = None,
        **more: object,
    ) -> Value:  # fmt: skip
        density = 72.0 if res is None or math.isnan(res) else res
        unit = {"px": 1 / density, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}[units]
        wide, high = ((480 if side is None else side) * unit for side in (width, height))
        return _open_in_inches(kind, filename if file is None else file, wide, high)

    return r_function(kind, f"Open a file for pictures: R's ``{kind}``.", quiet=True)(open_bitmap)


png, jpeg, tiff = map(_bitmap, ("png", "jpeg", "tiff"))


@r_function()
def dev_new(*dots: object, **more: object) -> Value:
    """Open a device: R's ``dev.new``."""
    return _open_in_inches("pdf", None, None, None)


@r_function()
def dev_off(which: object = None) -> Value:
    """Close a device and write its picture: R's ``dev.off``."""
    stop_if(not _OPEN, "cannot shut down device 1 (the null device)")
    with contextlib.suppress(ValueError, TypeError, RuntimeError):
        _OPEN.pop().write()
    if not _OPEN:
        return integers(1, {"names": strings("null device")})
    return integers(len(_OPEN) + 1, {"names": strings(_OPEN[-1].kind)})


@r_function()
def graphics_off() -> Value:
    """Close all devices: R's ``graphics.off``."""
    while _OPEN:
        dev_off()
    return null()


@r_function(quiet=True)
def par(*dots: Value, **named: Value) -> Value:
    """Set or ask graphical parameters: R's ``par``; those that are not known here are remembered."""
    device = device_now()
    if not dots and set(named) <= {"no.readonly", "no_readonly"}:
        return list_of(device.settings.values(), device.settings)
    wanted: dict[str, Value] = dict(named)
    asked_for: list[str] = []
    for item in dots:
        if is_list(item):
            wanted |= dict(zip(known_names(item), item._data, strict=True))
        elif item._kind == "character":
            asked_for += item._data.tolist()
    if asked_for:
        unknown = [name for name in asked_for if name not in device.settings]
        if unknown:
            raise NotSupportedError(f"par('{unknown[0]}') asks for what matplotlib decides")
        values = [device.settings[name] for name in asked_for]
        return values[0].copy() if len(values) == 1 else list_of(values, asked_for)
    before = {name: device.settings.get(name, null()) for name in wanted}
    device.settings |= wanted
    for name in ("mfrow", "mfcol"):
        if name in wanted:
            _divide(device, *map(int, wanted[name]._data[:2]))
    return invisible(list_of(before.values(), before))


def _divide(device: Device, rows: int, columns: int) -> None:
    device.write()
    device.grid, device.at = (max(rows, 1), max(columns, 1)), 0


@r_function(quiet=True)
def layout(mat: Value, *dots: object, **more: object) -> Value:
    """Divide the page: R's ``layout``; parts of unequal size are drawn as equal ones."""
    rows, columns = dim_of(mat) or (1, len(mat))
    _divide(device_now(), rows, columns)
    return integers(mat._data.max())
