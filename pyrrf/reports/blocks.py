"""The blocks of a page: sections of texts, tables and pictures. The template escapes all but the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

# Most digits after the decimal point.
_MOST_PLACES = 6


@dataclass(frozen=True)
class Text:
    """A paragraph, or a highlighted note."""

    words: str
    note: bool = False
    kind: ClassVar[str] = "text"


@dataclass(frozen=True)
class Lines:
    """A list."""

    lines: Sequence[str]
    kind: ClassVar[str] = "list"


@dataclass(frozen=True)
class Code:
    """Lines of code."""

    label: str
    text: str
    kind: ClassVar[str] = "code"


@dataclass(frozen=True)
class Bar:
    """A number with a bar, whose length is a share from 0 to 1."""

    text: str
    share: float

    @property
    def percent(self) -> str:
        """The length of the bar."""
        return f"{100 * min(max(self.share, 0.0), 1.0):.1f}"


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table with names in the first column, and numbers or, in the columns `words`, texts; one row may be marked."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str | Bar]]
    marked: int | None = None
    words: Sequence[int] = ()
    kind: ClassVar[str] = "table"


@dataclass(frozen=True)
class Figure:
    """A picture as SVG, with a caption."""

    svg: Any
    caption: str
    kind: ClassVar[str] = "figure"


Block: TypeAlias = Text | Lines | Code | Table | Figure


@dataclass(frozen=True)
class Section:
    """A section of the page; `name` is the target of links."""

    name: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Tile:
    """A key figure at the top of the page."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of HTML."""

    title: str
    lead: str
    tiles: Sequence[Tile]
    sections: Sequence[Section] = field(default_factory=list)
    version: str


def format_short(value: float, digits: int = 3) -> str:
    """Return a number with few digits; a dash for NaN or infinity.

    Examples
    --------
    >>> from pyrrf.reports.blocks import format_short
    >>> format_short(0.12345), format_short(1234567.0), format_short(float("nan"))
    ('0.123', '1,234,567', '-')
    """
    if not np.isfinite(value):
        return "-"
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def align_numbers(values: ArrayLike) -> list[str]:
    """Return numbers with the same number of decimals, three digits in the largest; whole numbers without decimals.

    Examples
    --------
    >>> from pyrrf.reports.blocks import align_numbers
    >>> align_numbers([0.5, 0.1234]), align_numbers([1.0, 20.0]), align_numbers([0.01, float("nan")])
    (['0.500', '0.123'], ['1', '20'], ['0.0100', '-'])
    """
    array = np.asarray(values, np.float64)
    known = array[np.isfinite(array)]
    largest = float(np.abs(known).max(initial=0.0))
    whole = largest >= 1000 or bool((known == np.round(known)).all())
    places = 0 if whole else min(max(2 - int(np.floor(np.log10(largest))), 0), _MOST_PLACES)
    return [f"{value:,.{places}f}" if np.isfinite(value) else "-" for value in array.tolist()]


def count_noun(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun; the plural has an s unless `several` is given.

    Examples
    --------
    >>> from pyrrf.reports.blocks import count_noun
    >>> count_noun(1, "feature"), count_noun(2, "feature"), count_noun(2, "half", "halves")
    ('1 feature', '2 features', '2 halves')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"
