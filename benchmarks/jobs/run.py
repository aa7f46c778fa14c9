"""Runs jobs on processes of their own and keeps what they answer."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from benchmarks.jobs import store
from benchmarks.jobs.job import Job, Options

# One thread a process: the jobs are what runs in parallel.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
NICE = 10
WATCHED_EVERY = 1.0  # seconds
SHOWN_EVERY = 10.0  # seconds between two lines where nobody looks on


def work(folder: Path, job: Job, needed: list[Job], options: Options, made: dict[str, str]) -> None:
    """Run a job and keep its answer; in a process of the pool."""
    answers = []
    for need in needed:
        kept = store.load(folder, need)
        if kept is None:
            raise RuntimeError(f"{need.key}, which {job.key} needs, has no answer")
        answers.append(kept["answer"])
    begun = sum(os.times()[:4])
    answer = job.function(options, *job.args, *answers)
    store.save(folder, job, answer, sum(os.times()[:4]) - begun, made)


def begin_process(parent: int) -> None:
    """Give way to others, and end when the process that hands out the jobs is killed."""
    os.nice(NICE)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCHED_EVERY)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def open_pool(jobs: int) -> ProcessPoolExecutor:
    """Return processes that begin with nothing but their environment."""
    os.environ.update(ONE_THREAD)
    return ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=begin_process, initargs=(os.getpid(),)
    )


@dataclass
class Progress:
    """What is done, shown on stderr: each step on a terminal, now and then elsewhere."""

    name: str
    total: int
    cost: float
    done: int = 0
    spent: float = 0.0
    begun: float = field(default_factory=time.monotonic)
    shown: float = -SHOWN_EVERY

    def step(self, job: Job) -> None:
        """Count a job that has ended."""
        self.done, self.spent = self.done + 1, self.spent + job.cost
        now, terminal = time.monotonic(), sys.stderr.isatty()
        if not (terminal or now - self.shown >= SHOWN_EVERY or self.done == self.total):
            return
        self.shown = now
        left = (now - self.begun) * max(self.cost - self.spent, 0) / self.spent
        line = f"{self.name}: {self.done} of {self.total} jobs, {clock(left)} left, last {job.key}"
        print(f"\r\033[K{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    """Return a time in words: "3 h 05 min", "12 min", "40 s"."""
    minutes = round(seconds / 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    return f"{minutes} min" if seconds >= 60 else f"{seconds:.0f} s"


def hours(seconds: float) -> str:
    """Return a time of the processor in words."""
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"


class Run:
    """The jobs of one benchmark that have no answer yet, in their order, each after those it needs."""

    def __init__(self, name: str, jobs: list[Job], folder: Path, options: Options, made: dict[str, str]) -> None:
        self.known = {job.key: job for job in jobs}
        if len(self.known) != len(jobs):
            raise ValueError(f"two jobs of {name} have one key")
        self.folder, self.options, self.made = folder, options, made
        self.waiting = [job for job in jobs if store.load(folder, job) is None]
        self.failed: dict[str, str] = {}
        self.missing = {job.key for job in self.waiting}
        self.progress = Progress(name, len(self.waiting), sum(job.cost for job in self.waiting))

    def next(self) -> Job | None:
        """Return a job that can be begun; one that needs a failed one fails with it."""
        for job in list(self.waiting):
            failed = [need for need in job.needs if need in self.failed]
            if failed:
                self.waiting.remove(job)
                self.end(job, f"needs {failed[0]}, which failed")
            elif not self.missing.intersection(job.needs):
                self.waiting.remove(job)
                return job
        return None

    def end(self, job: Job, trouble: str = "") -> None:
        """Take note of a job that has ended."""
        if trouble:
            self.failed[job.key] = trouble
            print(f"\nFAILED: {job.key}: {trouble}", file=sys.stderr, flush=True)
        else:
            self.missing.discard(job.key)
        self.progress.step(job)

    def submit(self, pool: ProcessPoolExecutor, job: Job) -> Future[None]:
        """Hand a job to the pool."""
        needed = [self.known[key] for key in job.needs]
        return pool.submit(work, self.folder, job, needed, self.options, self.made)

    def go(self, processes: int) -> dict[str, str]:
        """Run them; return what failed and why. What is in flight when a process dies fails with it."""
        pool, flying = open_pool(processes), dict[Future[None], Job]()
        try:
            while True:
                while len(flying) < processes and (job := self.next()):
                    flying[self.submit(pool, job)] = job
                if not flying:
                    return self.failed
                ended = wait(flying, return_when=FIRST_COMPLETED).done
                broken = self.take(ended, flying)
                if broken:
                    for job in flying.values():
                        self.end(job, "its process died, or another one's beside it")
                    flying.clear()
                    pool.shutdown(wait=False)
                    pool = open_pool(processes)
        finally:
            stop(pool)

    def take(self, ended: Iterable[Future[None]], flying: dict[Future[None], Job]) -> bool:
        """Note what has ended; say whether a process died."""
        broken = False
        for future in ended:
            job, error = flying.pop(future), future.exception()
            broken |= isinstance(error, BrokenProcessPool)
            self.end(job, f"{type(error).__name__}: {error}" if error else "")
        return broken


def stop(pool: ProcessPoolExecutor) -> None:
    """End the processes at once, at Ctrl-C too; what they have not answered is lost."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
