"""R's graphics arguments for axes; labels and legends with names from data."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyrrf.checks import number
from pyrrf.errors import bad

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Longest name, in letters.
_LONGEST = 28
# Most lines of a legend inside the axes, and of a column of one outside.
_MOST_INSIDE, _MOST_LINES = 8, 24
# Characters that XML forbids.
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# The sides of the frame that R's bty hides.
_OPEN = {
    "o": (),
    "n": ("left", "bottom", "top", "right"),
    "l": ("top", "right"),
    "7": ("left", "bottom"),
    "c": ("right",),
    "u": ("top",),
    "]": ("left",),
}


def plain_text(value: Any, longest: int = _LONGEST) -> str:
    r"""Return a label as one line without control characters, cut in the middle if it is long.

    Examples
    --------
    >>> from pyrrf.plots.panels import plain_text
    >>> plain_text("a\nb"), plain_text("abcdefghij", 5)
    ('a b', 'ab…ij')
    """
    text = "".join(letter for letter in re.sub(r"\s+", " ", str(value)) if letter.isprintable())
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"


def literal(text: str) -> str:
    """Return a text with escaped dollar signs, which matplotlib would parse as formulas."""
    return text.replace("$", r"\$")


def render_svg(figure: Any, **options: Any) -> str:
    """Return a figure as SVG, well-formed XML for any labels; arguments are those of ``savefig``."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", **options)
    return _NOT_XML.sub("\ufffd", stream.getvalue())


def draw_legend(axes: Axes, names: Sequence[Any], handles: Sequence[Any] | None = None, **options: Any) -> Any:
    """Draw a legend of literal names, also of those with an underscore or a dollar sign.

    A long legend is outside the axes, in columns.
    """
    shown = axes.get_lines() if handles is None else handles
    if len(names) > _MOST_INSIDE:
        options = {
            "loc": "upper left",
            "bbox_to_anchor": (1.01, 1.0),
            "borderaxespad": 0.0,
            "ncols": -(-len(names) // _MOST_LINES),
            "fontsize": "small",
        } | options
    legend = axes.legend(list(shown), [" "] * len(names), frameon=False, **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_parse_math(False)
        text.set_text(plain_text(name))
    return legend


def check_axes_argument(name: str, value: Any) -> Any:
    """Return the value of an argument for the axes, after a check."""
    if name in ("xlim", "ylim"):
        limits = np.asarray(value, dtype=np.float64).ravel()
        if len(limits) != 2 or not np.isfinite(limits).all():
            raise bad.shape(f"{name} must be two numbers, not {value!r}")
        return tuple(limits.tolist())
    if name.startswith("cex"):
        return number(value, name)
    if name in _ALLOWED and value not in _ALLOWED[name]:
        allowed = ", ".join(repr(each) for each in _ALLOWED[name])
        raise bad.choice(f"{name} must be one of {allowed}, not {value!r}")
    return value


_ALLOWED: Mapping[str, tuple[Any, ...]] = {
    "log": ("", "x", "y", "xy", "yx"),
    "las": (0, 1, 2, 3),
    "bty": tuple(_OPEN),
    "xaxt": ("s", "l", "t", "n"),
    "yaxt": ("s", "l", "t", "n"),
}


def _log(axes: Any, value: str, names: bool) -> None:
    """Make axes logarithmic, with plain numbers as in R."""
    for side in value:
        if side == "y" and names:
            continue
        getattr(axes, f"set_{side}scale")("log")
        axis = getattr(axes, f"{side}axis")
        low, high = axis.get_view_interval()
        if low > 0 and high < 1e3 * low:
            plain_ticks(axis)


def plain_ticks(axis: Any) -> None:
    """Set the ticks of a logarithmic axis to plain numbers: 1, 2 and 5 times the powers of ten."""
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    axis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))


def _las(axes: Any, value: int, names: bool) -> None:
    axes.tick_params(axis="x", labelrotation=90 if value in (2, 3) else 0)
    if not names:
        axes.tick_params(axis="y", labelrotation=90 if value in (0, 3) else 0)


def _bty(axes: Any, value: str, names: bool) -> None:
    for side in _OPEN[value]:
        axes.spines[side].set_visible(False)


def _no_ticks(axis: str) -> Any:
    def setter(axes: Any, value: str, names: bool) -> None:
        if value == "n":
            getattr(axes, f"set_{axis}ticks")([])

    return setter


def _axes(axes: Any, value: bool, names: bool) -> None:
    if not value:
        axes.set_xticks([])
        axes.set_yticks([])
        _bty(axes, "n", names)


def _ann(axes: Any, value: bool, names: bool) -> None:
    if not value:
        for text in (axes.xaxis.label, axes.yaxis.label, axes.title):
            text.set_visible(False)


def _enlarge(text: Any, factor: float) -> None:
    text.set_fontsize(text.get_fontsize() * factor)


def scale_ticks(axis: Any, factor: float) -> None:
    """Scale the font of the numbers or names of an axis."""
    for label in axis.get_ticklabels()[:1]:
        axis.set_tick_params(labelsize=label.get_fontsize() * factor)


def _cex_axis(axes: Any, value: float, names: bool) -> None:
    scale_ticks(axes.xaxis, value)
    scale_ticks(axes.yaxis, value)


def _cex_lab(axes: Any, value: float, names: bool) -> None:
    _enlarge(axes.xaxis.label, value)
    _enlarge(axes.yaxis.label, value)


# Functions that apply R's arguments to axes; their last argument is whether the y axis has names.
SETTERS: dict[str, Any] = {
    "xlim": lambda axes, value, names: axes.set_xlim(value),
    "ylim": lambda axes, value, names: axes.set_ylim(value),
    "log": _log,
    "xlab": lambda axes, value, names: axes.set_xlabel(value),
    "ylab": lambda axes, value, names: axes.set_ylabel(value),
    "main": lambda axes, value, names: axes.set_title(value, fontweight="bold", pad=14),
    "las": _las,
    "bty": _bty,
    "xaxt": _no_ticks("x"),
    "yaxt": _no_ticks("y"),
    "axes": _axes,
    "ann": _ann,
    "cex_axis": _cex_axis,
    "cex_lab": _cex_lab,
    "cex_main": lambda axes, value, names: _enlarge(axes.title, value),
}
