"""A progress bar for long fits in a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

# Seconds before a bar is shown, and the number of steps in which it moves.
_DELAY = 5.0
_STEPS = 100

OnTree = Callable[..., None]

# Whether fits show a bar; None = long fits in a terminal.
_SHOWN: ContextVar[bool | None] = ContextVar("shown", default=None)


class Progress:
    """Counts trees, and shows a bar in the terminal after `delay` seconds.

    Parameters
    ----------
    ntree : int
    delay : float, default 5.0
        Seconds.
    unit : str, default 'tree'
        What is counted in place of trees.
    name : str, optional
        What stands before the bar; by default the plural of `unit`.
    """

    def __init__(self, ntree: int, delay: float = _DELAY, unit: str = "tree", name: str = "") -> None:
        self.ntree = ntree
        self.unit, self.name = unit, name or f"{unit}s"
        self.due = time.monotonic() + delay
        self.bar: Any = None
        self.off = False

    def __call__(self, tree: int, *errors: Any) -> None:
        """Note that `tree` trees are grown."""
        if self.off or time.monotonic() < self.due:
            return
        if self.bar is None and not self._show(tree):
            return
        self.bar.update(tree - self.bar.n)

    def _show(self, tree: int) -> bool:
        """Show the bar if tqdm is installed, and return whether it is."""
        try:
            from tqdm import tqdm
        except ImportError:
            self.off = True
            return False
        self.bar = tqdm(total=self.ntree, initial=tree, desc=self.name, unit=self.unit, leave=False, file=sys.stderr)
        return True

    def close(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.close()


@contextmanager
def bars(shown: bool) -> Iterator[None]:
    """Show a bar for each fit inside the block, at once and wherever it is, or show none."""
    before = _SHOWN.set(shown)
    try:
        yield
    finally:
        _SHOWN.reset(before)


def _in_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def monitor(ntree: int, trace: int, printer: Callable[[], OnTree]) -> Iterator[tuple[int, OnTree | None]]:
    """Yield the core's `trace` and `on_tree`: R's table if asked for, otherwise a bar in a terminal.

    Parameters
    ----------
    ntree : int
    trace : int
        Trees between two lines of R's table; 0 = no table.
    printer : callable
        Returns the function that prints a line of the table.

    Yields
    ------
    trace : int
    on_tree : callable or None
    """
    shown = _SHOWN.get()
    if trace or not (_in_terminal() if shown is None else shown):
        yield trace, printer() if trace else None
        return
    progress = Progress(ntree) if shown is None else Progress(ntree, delay=0.0)
    try:
        yield max(1, ntree // _STEPS), progress
    finally:
        progress.close()
