"""Usage: python -m benchmarks.amdahl: threads that this machine does not have, simulated from the times of tasks.

An ordinary forest of engine parallel is grown on one thread, and the processor time of each tree is recorded.
Its tasks are then dealt to 1 to 16 threads as the engine deals them; the rest of the call is taken as serial.
What is not in it: the bandwidth of memory, the waiting for the lock, and what each further thread makes for itself.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from statistics import median
from typing import ClassVar

import numpy as np
import pandas as pd

import pyrrf
from benchmarks import markdown
from benchmarks.shapes import SHAPES, Shape, make_data
from pyrrf._core.ranks import Ranks
from pyrrf.fit import progress

THREADS = (1, 2, 4, 8, 16)
CELLS_PER_RANGE = 1 << 17  # as src_c/tree/ranking.c has it


@dataclass(frozen=True)
class Record:
    """Seconds on one thread: the whole call, ranking the columns, and each tree with its votes."""

    shape: Shape
    whole: float
    ranking: float
    trees: list[float]

    @property
    def serial(self) -> float:
        """What is neither ranking nor a tree."""
        return max(0.0, self.whole - self.ranking - sum(self.trees))

    def on(self, threads: int) -> float:
        """Return the seconds on so many threads."""
        shape = self.shape
        ranges = (shape.columns - 1) // (1 + CELLS_PER_RANGE // shape.rows) + 1
        ahead = 4 if shape.rows < 5_000 else 2
        ranking = deal([self.ranking / ranges] * ranges, threads, 4)
        return self.serial + ranking + deal(self.trees, threads, ahead)


def deal(tasks: list[float], threads: int, ahead: int) -> float:
    """Return when the last task ends. A free thread takes the next; `ahead` a thread may be begun and not handed in."""
    free, ends, handed_in = [0.0] * threads, list[float](), list[float]()
    for number, seconds in enumerate(tasks):
        behind = number - ahead * threads
        thread = free.index(min(free))
        begun = max(free[thread], handed_in[behind] if behind >= 0 and threads > 1 else 0.0)
        free[thread] = begun + seconds
        ends.append(free[thread])
        handed_in.append(max(handed_in[-1], ends[-1]) if handed_in else ends[-1])
    return max(ends)


class _Clock:
    """Stands in for the bar of a fit: notes the processor time at which trees are handed in."""

    seconds: ClassVar[list[float]] = []  # of the fit that runs

    def __init__(self, ntree: int, delay: float) -> None:
        _Clock.seconds = []

    def __call__(self, tree: int, *errors: object) -> None:
        _Clock.seconds.append(time.process_time())

    def close(self) -> None:
        """There is no bar."""


def record(shape: Shape, repeats: int = 3) -> Record:
    """Grow the forest of a shape a few times, and keep the fastest."""
    x, y = make_data(shape)
    response = y if shape.numbers else pd.Categorical(y)
    fits = [_record_fit(shape, x, response) for _ in range(repeats)]
    whole, trees = min(fits)
    return Record(shape, whole, min(_record_ranking(shape, x, y) for _ in range(repeats)), trees)


def _record_fit(shape: Shape, x: np.ndarray, response: object) -> tuple[float, list[float]]:
    bar, progress.Progress = progress.Progress, _Clock  # type: ignore[misc, assignment]
    try:
        with progress.bars(True):
            started = time.process_time()
            pyrrf.RRF(x, response, ntree=shape.trees, mtry=shape.mtry, nodesize=shape.nodesize, flagReg=0, seed=1,
                      engine="parallel", n_jobs=1)  # fmt: skip
            whole = time.process_time() - started
    finally:
        progress.Progress = bar  # type: ignore[misc]
    later = np.diff(_Clock.seconds).tolist()
    # The first tree ends after all that comes before the trees: it is taken for one like the others.
    return whole, [median(later), *later]


def _record_ranking(shape: Shape, x: np.ndarray, y: np.ndarray) -> float:
    started = time.process_time()
    codes = y if shape.numbers else y.astype(np.int32)
    ncat, size = np.ones(shape.columns, np.int32), np.array([shape.rows], np.int32)
    Ranks(x, ncat, codes, 1 if shape.numbers else shape.classes, parallel=True, sampsize=size)
    return time.process_time() - started


def table(records: list[Record]) -> str:
    """Return how many times faster each forest is on more threads, simulated."""
    rows = []
    for r in records:
        shares = [part / r.whole for part in (r.ranking, sum(r.trees), r.serial)]
        faster = [r.on(1) / r.on(threads) for threads in THREADS]
        rows.append([str(r.shape), f"{r.whole:.3f}", *(f"{s:.1%}" for s in shares), *(f"{f:.2f}" for f in faster)])
    head = ["ordinary forest", "s", "ranking", "trees", "serial", *map(str, THREADS)]
    return "Simulated from tasks recorded on one thread; the bandwidth of memory is not in it.\n\n" + markdown.table(
        head, rows, words=1
    )


def main() -> None:
    """Print the table."""
    shapes = [SHAPES["b"], SHAPES["e"], SHAPES["c"], SHAPES["g"], replace(SHAPES["a"], trees=100)]
    shapes += [replace(SHAPES["b"], trees=100), replace(SHAPES["e"], trees=100), replace(SHAPES["f"], rows=50_000)]
    print(table([record(shape) for shape in shapes]))


if __name__ == "__main__":
    main()
