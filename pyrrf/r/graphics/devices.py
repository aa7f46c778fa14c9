"""R's graphics devices: files that pictures go to, and how a page is divided."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyrrf.plots.panels import svg_of
from pyrrf.r.values.arguments import number
from pyrrf.r.values.arguments import text as _text
from pyrrf.r.values.attributes import dim_of, is_list, names_of
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    listed,
    null,
    strings,
)
from pyrrf.r.values.visibility import invisible
from pyrrf.visible import visible

# What par() says of what has not been set.
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
            stem, dot, end = name.rpartition(".")
            self._save(name if self.pages == 1 or "%" in self.file else f"{stem}-{self.pages}{dot}{end}")
        with contextlib.suppress(ImportError):
            import matplotlib.pyplot as plt

            plt.close(self.figure)
        self.figure = None

    def _save(self, name: str) -> None:
        """Write the figure to a file; its words are no mathematics, as in R."""
        sides = [axis for axes in self.figure.axes for axis in (axes.xaxis, axes.yaxis)]
        ticks = {label for axis in sides for label in axis.get_ticklabels(which="both")}
        for words in self.figure.findobj(lambda artist: hasattr(artist, "set_parse_math") and artist not in ticks):
            words.set_parse_math(False)
            words.set_text(visible(words.get_text(), "\n"))
        if name.lower().endswith(".svg"):
            Path(name).write_text(svg_of(self.figure), encoding="utf-8")
        else:
            self.figure.savefig(name)


_OPEN: list[Device] = []


def device_now() -> Device:
    """Return the device that draws; one without a file if none is open."""
    if not _OPEN:
        _OPEN.append(Device("pdf", None, (7.0, 7.0)))
    return _OPEN[-1]


def pyplot_if_any() -> Any:
    """Return matplotlib.pyplot; None where it is not installed."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return None
    return plt


@contextlib.contextmanager
def drawing(new: bool = False) -> Iterator[Any]:
    """Yield axes to draw on, None without matplotlib; what matplotlib refuses is left out."""
    plt, device = pyplot_if_any(), device_now()
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
    _OPEN.append(Device(kind, name, (max(sides[0], 0.5), max(sides[1], 0.5))))
    return invisible()


@r_function(quiet=True)
def pdf(file: Any = "Rplots.pdf", width: Any = None, height: Any = None, *dots: Any, **more: Any) -> Value:
    """Open a file for pictures: R's ``pdf``."""
    return _opened("pdf", file, width, height, 1.0)


@r_function(quiet=True)
def svg(filename: Any = "Rplot%03d.svg", width: Any = None, height: Any = None, *dots: Any, **more: Any) -> Value:
    """Open a file for pictures: R's ``svg``."""
    return _opened("svg", filename, width, height, 1.0)


def _bitmap(kind: str, filename: Any, width: Any, height: Any, units: Any, res: Any) -> Value:
    dots = 72.0 if is_null(res) or number(res) != number(res) else number(res)
    unit = {"px": 1 / dots, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}[_text(units)]
    wide, high = (480 if is_null(side) else side for side in (width, height))
    return _opened(kind, filename, wide, high, unit)


@r_function(quiet=True)
def png(
    filename: Any = "Rplot%03d.png", width: Any = 480, height: Any = 480, units: Any = "px", pointsize: Any = 12,
    bg: Any = "white", res: Any = None, *dots: Any, **more: Any,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``png``."""
    return _bitmap("png", more.get("file", filename), width, height, units, res)


@r_function(quiet=True)
def jpeg(
    filename: Any = "Rplot%03d.jpeg", width: Any = 480, height: Any = 480, units: Any = "px", pointsize: Any = 12,
    quality: Any = 75, bg: Any = "white", res: Any = None, *dots: Any, **more: Any,
) -> Value:  # fmt: skip
    """Open a file for pictures: R's ``jpeg``."""
    return _bitmap("jpeg", more.get("file", filename), width, height, units, res)


@r_function(quiet=True)
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


@r_function(quiet=True)
def par(*dots: Any, **named: Any) -> Value:
    """Set or ask graphical parameters: R's ``par``; those that are not known here are remembered."""
    device = device_now()
    whole = not dots and set(named) <= {"no.readonly", "no_readonly"}
    if whole:
        return listed(device.settings.values(), device.settings)
    wanted: dict[str, Any] = {name: as_value(value) for name, value in named.items()}
    asked_for = []
    for item in map(as_value, dots):
        if is_list(item):
            wanted |= dict(zip(map(str, names_of(item) or []), item._data, strict=True))
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
    return invisible(listed(before.values(), before))


def _divide(device: Device, rows: int, columns: int) -> None:
    device.write()
    device.grid, device.at = (max(rows, 1), max(columns, 1)), 0


@r_function(quiet=True)
def layout(mat: Any, *dots: Any, **more: Any) -> Value:
    """Divide the page: R's ``layout``; parts of unequal size are drawn as equal ones."""
    places = as_value(mat)
    rows, columns = dim_of(places) or (1, len(places))
    _divide(device_now(), rows, columns)
    return integers(places._data.max())
