"""Tibbles as pillar prints them."""

from __future__ import annotations

from pyrrf.script.values import NotMovedError, Value


def tibble_text(x: Value) -> str:
    """Return the text that R prints of a tibble."""
    raise NotMovedError("print() of a tibble; as.data.frame() can be printed")
