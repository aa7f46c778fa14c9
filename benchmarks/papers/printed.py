"""Figures that the papers print, as `printed.txt` has them: a title, then a name and its figures a line."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).with_name("printed.txt")


def printed(title: str) -> dict[str, tuple[float, ...]]:
    """Return the rows of a table, by name; figures with a point are floats, others whole numbers."""
    blocks = (block.splitlines() for block in FILE.read_text().split("\n\n"))
    rows = next(rows for first, *rows in blocks if first == title)
    return {name: tuple(map(_number, figures)) for name, *figures in map(str.split, rows)}


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)
