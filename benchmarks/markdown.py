"""Tables in Markdown: how they are written, and read again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import dropwhile, takewhile

ABSENT = "-"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int | None = None) -> str:
    """Return a table; the columns after the first `words` ones are aligned to the right, none where that is None."""
    words = len(head) if words is None else words
    return "\n".join(map(line, [head, ["---"] * words + ["---:"] * (len(head) - words), *rows]))


def line(cells: Iterable[str]) -> str:
    """Return a row."""
    return "| " + " | ".join(cells) + " |"


def cells_of(text: str) -> list[list[str]]:
    """Return the cells of all tables of a text, row by row, heads included."""
    rows = [row.strip() for row in text.splitlines() if row.startswith("|") and not row.startswith("| ---")]
    return [[cell.strip() for cell in row.removeprefix("|").removesuffix("|").split("|")] for row in rows]


def rows_of(text: str, heading: str = "") -> dict[str, dict[str, str]]:
    """Return the rows of the first table below a heading by their first cell, and their others by the heads."""
    lines = text.partition(heading)[2].splitlines() if heading else text.splitlines()
    below = dropwhile(lambda row: not row.startswith("|"), lines)
    head, *rows = cells_of("\n".join(takewhile(lambda row: row.startswith("|"), below)))
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
