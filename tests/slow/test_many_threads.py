"""10,000 calls with a seed on four threads, run in each common way: every answer is that of one thread."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import dask
import joblib
import pytest
from distributed import Client, LocalCluster

from tests.test_threads import CALLS

SEEDS = 7
# Of each of four ways, with slow switches and quick ones.
CALLS_IN_ALL = 1_250
Task = tuple[str, int]


def answer(task: Task) -> Any:
    name, seed = task
    return CALLS[name](seed=seed)


def with_pool(tasks: list[Task]) -> list[Any]:
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(answer, tasks))


def with_joblib(tasks: list[Task]) -> list[Any]:
    return list(joblib.Parallel(4, backend="threading")(joblib.delayed(answer)(task) for task in tasks))


def with_dask(tasks: list[Task], processes: bool) -> list[Any]:
    # Its profiler reads the frames of running threads, which has crashed CPython 3.11.
    dask.config.set({"distributed.worker.profile.enabled": False})
    cluster = LocalCluster(n_workers=1, threads_per_worker=4, processes=processes, dashboard_address=None)
    with cluster, Client(cluster) as client:
        client.run(sys.setswitchinterval, sys.getswitchinterval())
        return list(client.gather(client.map(answer, tasks, pure=False)))


RUNNERS = {
    "ThreadPoolExecutor": with_pool,
    "joblib": with_joblib,
    "Dask, threads": lambda tasks: with_dask(tasks, False),
    "Dask, one worker": lambda tasks: with_dask(tasks, True),
}


@pytest.fixture(params=[5e-3, 1e-5], ids=["switches as usual", "quick switches"])
def switches(request: pytest.FixtureRequest) -> Iterator[None]:
    """How often Python changes threads, in seconds; rrfImpute prints."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(request.param)
    with redirect_stdout(StringIO()):
        yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("switches")
# Dask itself leaves sockets and loops to the collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("runner", RUNNERS)
def test_every_call_gives_the_answer_of_its_seed(runner: str) -> None:
    kinds = [(name, seed) for seed in range(SEEDS) for name in CALLS]
    expected = {task: answer(task) for task in kinds}
    tasks = [kinds[at % len(kinds)] for at in range(CALLS_IN_ALL)]
    answers = RUNNERS[runner](tasks)
    assert [task for task, found in zip(tasks, answers, strict=True) if found != expected[task]] == []
