"""What a method is, what it keeps, and how long it may take."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from benchmarks.selection.cases import SPLITS, Part

SIZES = (2.0, 5.0, 12.0, 30.0)
LIMIT = 200  # seconds of the processor that a method may take for one split, all settings together


@dataclass(frozen=True, eq=False)
class Kept:
    """What a method keeps with one setting."""

    columns: np.ndarray  # positions, ascending
    seconds: float  # of the processor, for this setting alone: what settings share counts in each


Select = Callable[[Part, Sequence[float], int], Iterator[tuple[float, Kept]]]


@dataclass(frozen=True)
class Method:
    """A selector and the settings of its knob."""

    select: Select
    knob: str  # what the settings are values of
    settings: tuple[float, ...]  # SIZES: the method keeps as many features as it is told
    details: str  # what else it is given, in words for the page
    package: str = ""  # that it needs, besides those of the extra `bench` that all need; "R: ..." for one of R
    cost: float = 1.0  # seconds of a split of the first case, roughly
    splits: int = SPLITS  # fewer of slow ones; 0 of those that run only on the cases that confirm

    @property
    def exact(self) -> bool:
        """Whether it keeps as many features as it is told."""
        return self.settings == SIZES


class PastLimit(BaseException):
    """The processor time is over; no `except Exception` of a package holds it up."""


@contextmanager
def processor_limit(seconds: float) -> Iterator[None]:
    """Raise PastLimit in the main thread when this process has used so much time of the processor.

    A step that is one call of a compiled function ends before.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise PastLimit

    before: Any = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Clock:
    """Processor seconds since it was made, or set back."""

    def __init__(self) -> None:
        self.begun = time.process_time()

    def lap(self) -> float:
        """Return the seconds, and begin anew."""
        now = time.process_time()
        passed, self.begun = now - self.begun, now
        return passed
