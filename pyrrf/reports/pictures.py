"""Pictures as inline SVG, with the colours and fonts of the page, unique names and no external links."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from pyrrf.plots.colours import AGAINST, DROPPED, KEPT
from pyrrf.plots.drawing import MATPLOT_COLOURS
from pyrrf.plots.panels import render_svg

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
# Width that a phone shows without scaling, and font size.
_INCHES, _LETTERS = 4.9, 11.5
# Placeholder for the text colour of the page; black is the colour of R's lines.
_INK = "#010203"
_VARIABLES = {colour: f"--line-{position}" for position, colour in enumerate(MATPLOT_COLOURS) if colour.startswith("#")}
_VARIABLES |= {_INK: "--ink", "#000000": "--ink", KEPT: "--kept", DROPPED: "--dropped", AGAINST: "--against"}
_COLOURS = {colour.lower(): f"var({name})" for colour, name in _VARIABLES.items()}
_PARTS = ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color")
_SETTINGS: dict[str, Any] = {
    **dict.fromkeys(_PARTS, _INK),
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "font.size": _LETTERS,
    "svg.fonttype": "none",
    "svg.hashsalt": "pyrrf",
    "text.usetex": False,
}
_FONT = re.compile(r"font: [^;]*?([\d.]+px)[^;]*")


def picture(draw: Callable[[Any], Any], height: float, name: str, description: str) -> str:
    """Return a picture as an element of HTML.

    `height` is in inches; names inside begin with `name`, so that two pictures share none; `description` is for
    screen readers. Colours are variables of the page, so that they follow its dark mode.
    """
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context(_SETTINGS, after_reset=True), warnings.catch_warnings():
        # The browser has glyphs that matplotlib's font lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure = Figure(figsize=(_INCHES, height), layout="constrained")
        draw(figure.subplots())
        text = render_svg(figure, metadata={"Date": None})
    return _inline_svg(text, name, description)


def _inline_svg(text: str, name: str, description: str) -> str:
    """Return a picture without XML header and metadata, with its own names and the colours of the page."""
    root = ElementTree.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{{{_SVG}}}metadata":
                parent.remove(child)
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            element.attrib[key] = _attribute(key, value, name)
        if _LINK in element.attrib:
            element.attrib["href"] = element.attrib.pop(_LINK)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"role": "img", "aria-label": description}
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _attribute(key: str, value: str, name: str) -> str:
    """Return the value of an attribute with the names and colours of the page."""
    if key == "id":
        return f"{name}-{value}"
    if key in (_LINK, "href"):
        return value.replace("#", f"#{name}-")
    value = value.replace("url(#", f"url(#{name}-")
    if key != "style":
        return value
    value = _FONT.sub(r"font-size: \1", value)
    return re.sub(r"#[0-9a-f]{6}\b", lambda match: _COLOURS.get(match[0], match[0]), value)
