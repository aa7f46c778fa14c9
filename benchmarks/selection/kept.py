"""What a method is, what it keeps, and how long it may take."""

from __future__ import annotations

import contextlib
import math
import resource
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection

import numpy as np

from benchmarks.selection.cases import ENOUGH, Part

SIZES = (2.0, 5.0, 12.0, 30.0)
LIMIT = 60  # seconds of the processor that a method may take for one split, all settings together


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
    splits: int = ENOUGH  # more of those that cost little; 0 of those that run only on the cases that confirm

    @property
    def exact(self) -> bool:
        """Whether it keeps as many features as it is told."""
        return self.settings == SIZES


def keep_within(
    seconds: float, select: Select, part: Part, settings: Sequence[float], seed: int
) -> tuple[dict[float, Kept], str]:
    """Run a method in a process of its own; return what it kept by setting, and why there is no more.

    The system ends the process when it has used so many seconds of the processor, also within a compiled call.
    """
    receiver, sender = Pipe(duplex=False)
    process = get_context("fork").Process(target=_send, args=(sender, seconds, select, part, settings, seed))
    process.start()
    sender.close()
    found, trouble = dict[float, Kept](), ""
    with receiver, contextlib.suppress(EOFError):
        while True:
            setting, told = receiver.recv()
            if isinstance(told, str):
                trouble = told
            else:
                found[setting] = told
    process.join()
    if process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL):
        trouble = f"past {seconds:g} s"
    elif process.exitcode:
        trouble = f"ended with status {process.exitcode}"
    return found, trouble


def _send(sender: Connection, seconds: float, select: Select, part: Part, settings: Sequence[float], seed: int) -> None:
    """Send each setting with what was kept, and at last None with the words of an error, if there was one."""
    limit = max(1, math.ceil(seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for setting, kept in select(part, settings, seed):
                sender.send((setting, kept))
        except TimeoutError as error:
            sender.send((None, str(error)))
        except Exception as error:
            sender.send((None, f"{type(error).__name__}: {error}"[:300]))


class Clock:
    """Processor seconds since it was made, or set back."""

    def __init__(self) -> None:
        self.begun = time.process_time()

    def lap(self) -> float:
        """Return the seconds, and begin anew."""
        now = time.process_time()
        passed, self.begun = now - self.begun, now
        return passed
