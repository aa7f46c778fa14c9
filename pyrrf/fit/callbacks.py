"""Callbacks for each forest that is grown; the comparison of whole scripts with R uses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pyrrf.fit.task import Task
from pyrrf.random import get_random_seed
from pyrrf.result.result import ForestResult
from pyrrf.types import Ints


@dataclass(frozen=True, eq=False)
class GrownForest:
    """A forest that was grown while somebody watched."""

    task: Task
    before: Ints  # int32, shape (626,): the state of the stream before it, as R's ``.Random.seed``
    result: ForestResult


_WATCHERS: list[Callable[[GrownForest], None]] = []


@contextmanager
def watching(tell: Callable[[GrownForest], None]) -> Iterator[None]:
    """Tell of each forest that any thread grows inside the block."""
    _WATCHERS.append(tell)
    try:
        yield
    finally:
        _WATCHERS.remove(tell)


def grow_and_notify(task: Task, grow: Callable[[Task], ForestResult]) -> ForestResult:
    """Grow the forest of a task, and call the watchers."""
    if not _WATCHERS:
        return grow(task)
    before = get_random_seed()
    result = grow(task)
    for tell in _WATCHERS:
        tell(GrownForest(task, before, result))
    return result
