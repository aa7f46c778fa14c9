"""Work that joblib shares out to threads or other processes, or Dask to the workers of a cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import joblib
from joblib.parallel import get_active_backend
from sklearn import config_context, get_config
from sklearn.utils.parallel import Parallel, delayed

from pyrrf.checks import MOST_COUNT, number
from pyrrf.errors import bad
from pyrrf.fit.progress import Progress
from pyrrf.threads import SharedCall, in_dask

Function = Callable[..., Any]
_WARN_OF_SIZE = "distributed.admin.large-graph-warning-threshold"


def other_processes(n_jobs: int | None) -> int:
    """Return the number of tasks at a time in other processes or on other machines; 1 if none does.

    joblib's ``parallel_config`` says where tasks run; a cluster runs as many as it has threads.
    """
    return 1 if _backend()[1] else int(joblib.effective_n_jobs(checked_jobs(n_jobs)))


def checked_jobs(n_jobs: Any) -> int | None:
    """Return a number of joblib's jobs; raise TypeError or ValueError if it is none."""
    if n_jobs is None:
        return None
    jobs = number(n_jobs, "n_jobs")
    if not jobs or jobs != int(jobs) or abs(jobs) > MOST_COUNT:
        raise bad.range(f"n_jobs must be a whole number of jobs, or -1 for one on each core, not {n_jobs!r}")
    return int(jobs)


def share_out(
    function: Function, common: tuple[Any, ...], tasks: Iterable[tuple[Any, ...]], n_jobs: int | None, unit: str = ""
) -> list[Any]:
    """Return ``function(*common, *task)`` for each task, in their order.

    The function is one of a module; `common` reaches each worker of a cluster once. Jobs are threads, unless joblib's
    ``parallel_config`` says otherwise. `unit` is what a progress bar counts; there is none by default. What the
    function raises is raised here, wherever it ran.
    """
    tasks, jobs = list(tasks), checked_jobs(n_jobs)
    backend, shares_memory = _backend()
    with _bar(len(tasks), unit) as progress:
        if hasattr(backend, "client"):
            return _on_cluster(backend.client, function, common, tasks, progress)
        # joblib starts all threads it is asked for, even for few tasks.
        parallel = _Watched(progress, jobs if jobs is None or jobs < 1 else min(jobs, max(len(tasks), 1)))
        if shares_memory:
            return _in_threads(parallel, function, common, tasks)
        return list(parallel(delayed(_alone)(function, common, task) for task in tasks))


def _backend() -> tuple[Any, bool]:
    """Return joblib's backend at work, and whether its tasks share the memory of this process."""
    backend, _ = get_active_backend(prefer="threads")
    # Backends that do not say so do not.
    return backend, getattr(backend, "supports_sharedmem", False)


def _in_threads(parallel: Any, function: Function, common: tuple[Any, ...], tasks: list[tuple[Any, ...]]) -> list[Any]:
    """Work on tasks in threads that end soon after the first error, or Ctrl-C."""
    call = SharedCall()
    try:
        return list(parallel(delayed(call.work)(function, *common, *task) for task in tasks))
    except BaseException:
        call.ended = True
        raise


def _alone(function: Function, common: tuple[Any, ...], task: tuple[Any, ...]) -> Any:
    """Work on a task in one thread: the other cores have tasks of their own."""
    with joblib.parallel_config(backend="sequential"):
        return function(*common, *task)


# ---- progress ------------------------------------------------------------------------------------


@contextmanager
def _bar(tasks: int, unit: str) -> Iterator[Progress | None]:
    progress = Progress(tasks, delay=0.0, unit=unit) if unit else None
    try:
        yield progress
    finally:
        if progress is not None:
            progress.close()


class _Watched(Parallel):  # type: ignore[misc]
    """joblib's `Parallel` that counts finished tasks in a bar of ours."""

    def __init__(self, progress: Progress | None, n_jobs: int | None) -> None:
        super().__init__(n_jobs=n_jobs, prefer="threads")
        self.progress = progress

    def print_progress(self) -> None:
        """Show how many are done; joblib calls it after each."""
        if self.progress is not None:
            self.progress(self.n_completed_tasks)


# ---- a cluster -----------------------------------------------------------------------------------


class Sent:
    """Message from one process to another.

    Dask takes arrays out of pickles and puts them back at any byte, where the core cannot read them; so it gets bytes.
    """

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __reduce__(self) -> tuple[Any, ...]:
        # Dask brings it.
        import cloudpickle

        return _unpickle, (cloudpickle.dumps(self.items),)


def _unpickle(items: bytes) -> Sent:
    return Sent(*pickle.loads(items))


def _on_cluster(
    client: Any, function: Function, common: tuple[Any, ...], tasks: list[tuple[Any, ...]], progress: Progress | None
) -> list[Any]:
    """Return the answers of tasks by the workers of a Dask cluster.

    joblib's own way would lose the work with a worker that alone holds the data, and wait forever for a scheduler that
    is gone. Here the data are the result of a task, which is sent once and which the scheduler has made again.
    """
    import dask

    config, futures = get_config(), list[Any]()
    try:
        with dask.config.set({_WARN_OF_SIZE: "1 PiB"}):
            held = client.submit(_same, Sent(*common), pure=False)
            futures.append(held)
        for task in tasks:
            futures.append(client.submit(_on_worker, function, held, Sent(*task), config, pure=False))
        with _aside():
            _watch(futures[1:], progress)
            answers = client.gather(futures[1:])
    except BaseException:
        # A traceback would keep them alive, and the workers at work.
        with suppress(Exception):
            client.cancel(futures, force=True)
        raise
    return [answer.items[0] for answer in answers]


def _same(common: Sent) -> Sent:
    return common


def _on_worker(function: Function, common: Sent, task: Sent, config: dict[str, Any]) -> Sent:
    with config_context(**config):
        return Sent(_alone(function, common.items, task.items))


def _watch(futures: list[Any], progress: Progress | None) -> None:
    """Show how many tasks are done, until all are or one of them fails."""
    from distributed import as_completed

    if progress is not None:
        for done, future in enumerate(as_completed(futures), 1):
            if future.status != "finished":
                return
            progress(done)


@contextmanager
def _aside() -> Iterator[None]:
    """Let other tasks have the thread of this one, if it is one, while it waits."""
    from distributed import rejoin, secede

    inside = in_dask()
    if inside:
        secede()
    try:
        yield
    finally:
        if inside:
            rejoin()
