"""What is sent to a Dask cluster, and what it costs against one process; write benchmarks/CLUSTER.md.

The cluster is one of two processes with two threads each on this machine; its answers are those of one process, which
is checked. --data names the folder with colon.csv.gz; --quick sends tiny data once.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

import joblib
import numpy as np
from distributed import Client, LocalCluster

from benchmarks import study
from benchmarks.markdown import table
from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV, StabilitySelector, grrf_path, jobs

PAIRS = 20
HEAD = ["data", "work", "tasks", "sent once, MB", "tasks, kB", "one process, s", "cluster, s", "overhead, ms a task"]

Work = Callable[[np.ndarray, np.ndarray], Any]


def works(guide: int, trees: int) -> dict[str, Work]:
    """Return what is measured, by its name; each returns what shows that the answers are the same."""
    few: dict[str, Any] = {"guide": guide, "n_estimators": trees, "random_state": 1}
    alone = GRRFSelector(gamma=0.9, **few)
    return {
        "guide": lambda x, y: alone.fit(x, y).guide_importances_.tobytes(),
        "path": lambda x, y: grrf_path(x, y, **few).feature_importances.tobytes(),
        "choice": lambda x, y: GRRFSelectorCV(**few).fit(x, y).nested_scores_.tobytes(),
        "stability": lambda x, y: (
            StabilitySelector(alone, n_pairs=PAIRS, threshold=0.6, random_state=1)
            .fit(x, y)
            .selection_frequencies_.tobytes()
        ),
    }


class Meter:
    """Counts the tasks that joblib gets, and the bytes of what they share and of what they do not."""

    def __init__(self) -> None:
        self.tasks = self.shared = self.own = 0

    def share_out(self, function: Any, common: Any, tasks: Any, *others: Any) -> Any:
        """Stand in for that of the package."""
        tasks = list(tasks)
        self.tasks += len(tasks)
        self.shared += len(pickle.dumps((function, common)))
        self.own += sum(len(pickle.dumps(task)) for task in tasks)
        return SHARE_OUT(function, common, tasks, *others)


SHARE_OUT = jobs.share_out


def counted(meter: Meter, work: Callable[[], Any]) -> Any:
    """Return the answer of work whose tasks the meter counts."""
    with ExitStack() as patches:
        for name in [name for name in sys.modules if name.startswith("pyrrf.sklearn.")]:
            if getattr(sys.modules[name], "share_out", None) is SHARE_OUT:
                patches.enter_context(patch(f"{name}.share_out", meter.share_out))
        return work()


def seconds(client: Client) -> float:
    """Return the processor time of all processes: this one, which has the scheduler, and the workers."""
    return time.process_time() + sum(client.run(time.process_time).values())


def row(name: str, title: str, data: study.Rows, work: Work, client: Client) -> list[str]:
    """Return a row of the table."""
    print(f"{name}, {title} ...", file=sys.stderr)
    meter = Meter()
    alone, expected = study.timed(lambda: work(*data))
    with joblib.parallel_config(backend="dask"):
        counted(meter, lambda: work(*data))
        started = seconds(client)
        found = work(*data)
        together = seconds(client) - started
    assert found == expected
    cells = [f"{name}, {len(data[1]):,} x {data[0].shape[1]:,}", title, str(meter.tasks)]
    cells += [f"{meter.shared / 1e6:.2f}", f"{meter.own / 1e3:.1f}", f"{alone:.2f}", f"{together:.2f}"]
    return [*cells, f"{1e3 * (together - alone) / meter.tasks:.0f}"]


WORDS = """;
a `LocalCluster` of two processes with two threads each. Seconds are processor time, of the cluster that
of its scheduler and its workers together, after a first run in which the workers import the package.
The answers are those of one process, bit for bit.
{guide:,} trees in a guide, {trees:,} in a forest, else the defaults: ten gammas, five folds and one
more for each two of them, {pairs} pairs of halves."""


def run(options: argparse.Namespace) -> str:
    """Return the page."""
    guide, trees = (20, 10) if options.quick else (1_000, 200)
    with (
        LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        rows = [
            row(name, title, data, work, client)
            for name, data in study.made_and_colon(options).items()
            for title, work in works(guide, trees).items()
        ]
    words = WORDS.format(guide=guide, trees=trees, pairs=PAIRS)
    return study.page("A cluster against one process", "cluster", words, table(HEAD, rows, words=2))


main = study.command("cluster", run, __doc__, "tiny data, once", data="colon.csv.gz")


if __name__ == "__main__":
    sys.exit(main())
