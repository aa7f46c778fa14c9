"""What a table is: jobs that can be run in any order, and a report of their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.jobs.job import Answers, Job, Options

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from benchmarks.papers.grid import Grid

Pictures: TypeAlias = "dict[str, Figure]"


@dataclass(frozen=True, eq=False)
class Table:
    """A table or a figure of a paper."""

    name: str  # "003-table1"
    title: str
    jobs: Callable[[Options], list[Job]]
    report: Callable[[Answers], list[Grid]]
    engines: tuple[str, ...] = ()  # the first is the default
    store: str = ""  # the name by default
    draw: Callable[[Answers], Pictures] | None = None

    def folder(self, store: Path, engine: str) -> Path:
        """Return where its answers are kept."""
        return store / (self.store or self.name) / engine


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, of so many inches; a table that draws nothing needs no matplotlib."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")
