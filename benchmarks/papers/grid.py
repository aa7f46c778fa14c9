"""Ours beside the paper's: means with their 95 % intervals, and Markdown of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.jobs.intervals import difference, half_width, number
from benchmarks.markdown import ABSENT, table


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One figure of ours, and the paper's where it prints one."""

    mean: float = math.nan
    half: float = math.inf  # half the width of the 95 % interval
    paper: float | None = None
    text: str | None = None  # printed in place of the mean, and not counted
    paper_text: str | None = None
    count: int = 0  # replicates

    @classmethod
    def over(cls, values: Iterable[float | None], paper: float | None = None) -> Cell:
        """Return the mean of replicates; those that failed (None, NaN) are left out."""
        kept = [float(value) for value in values if value is not None and not math.isnan(value)]
        if not kept:
            return cls(paper=paper)
        return cls(mean=float(np.mean(kept)), half=half_width(kept), paper=paper, count=len(kept))

    @classmethod
    def less(cls, values: Sequence[float], paper: float, variance: float, trials: int, step: float) -> Cell:
        """Return the mean less the paper's, whose trials have a variance; bold where the interval does not hold 0."""
        if len(values) < 2:
            return cls()
        gap, half = difference(values, paper, variance, trials)
        told = f"{number(gap, step)} ± {number(half, step)}"
        return cls(text=told if abs(gap) - step / 2 <= half else f"**{told}**")

    def is_judged(self) -> bool:
        """Whether there are a mean with an interval and a figure of the paper."""
        return self.text is None and self.paper is not None and math.isfinite(self.mean) and math.isfinite(self.half)

    def is_inside(self, step: float) -> bool:
        """Whether a number that the paper prints so lies in our interval."""
        return self.distance(step) <= self.half

    def distance(self, step: float) -> float:
        """Return how far our mean is from the numbers that the paper rounds to what it prints."""
        # A number on the edge of both must not fall out by the last bit.
        return max(abs(self.mean - (self.paper or 0.0)) - step / 2 - 1e-12, 0.0)

    def markdown(self, step: float) -> str:
        """Return "ours ± half (paper)"; bold where the paper's lies outside."""
        if self.text is not None:
            return self.text + (f" ({self.paper_text})" if self.paper_text else "")
        if math.isnan(self.mean):
            return ABSENT + (f" ({number(self.paper, step)})" if self.paper is not None else "")
        ours = number(self.mean, step / 10)
        if math.isfinite(self.half):
            ours += f" ± {number(self.half, step / 10)}"
        if self.paper is None:
            return ours
        printed = f"{ours} ({number(self.paper, step)})"
        return f"**{printed}**" if self.is_judged() and not self.is_inside(step) else printed


@dataclass(frozen=True)
class Grid:
    """A table of cells; None leaves one empty."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell | None]]
    step: float = 0.001  # the last digit that the paper prints
    corner: str = ""  # the heading of the rows

    def judged(self) -> list[tuple[str, Cell]]:
        """Return the cells that the paper has too, with their names."""
        return [
            (f"{row} {column}", cell)
            for row, line in zip(self.rows, self.cells, strict=True)
            for column, cell in zip(self.columns, line, strict=True)
            if cell is not None and cell.is_judged()
        ]

    def markdown(self) -> str:
        """Return the title and the table."""
        rows = [
            [row, *("" if cell is None else cell.markdown(self.step) for cell in line)]
            for row, line in zip(self.rows, self.cells, strict=True)
        ]
        return f"**{self.title}**\n\n{table([self.corner, *self.columns], rows)}\n"


@dataclass(frozen=True)
class Count:
    """How many of the paper's figures lie in our intervals."""

    inside: int
    outside: int
    own: int  # figures of ours that the paper does not have


def count(grids: Iterable[Grid]) -> Count:
    """Count the cells of several grids."""
    inside = outside = own = 0
    for grid in grids:
        judged = grid.judged()
        within = sum(cell.is_inside(grid.step) for _, cell in judged)
        inside, outside = inside + within, outside + len(judged) - within
        cells = [cell for line in grid.cells for cell in line if cell is not None]
        own += sum(cell.paper is None and cell.text is None and math.isfinite(cell.mean) for cell in cells)
    return Count(inside, outside, own)


def largest(grids: Iterable[Grid], most: int = 3) -> list[str]:
    """Return the cells farthest outside, in half-widths of our intervals, in words."""
    found = []
    for grid in grids:
        for name, cell in grid.judged():
            if not cell.is_inside(grid.step):
                far = cell.distance(grid.step) / cell.half if cell.half else math.inf
                found.append((far, f"{grid.title.split(':')[0]}, {name}: {cell.markdown(grid.step).strip('*')}"))
    found.sort(key=lambda pair: -pair[0])
    return [
        f"{text}, {f'{far:.1f} half-widths off' if math.isfinite(far) else 'all replicates alike'}"
        for far, text in found[:most]
    ]
