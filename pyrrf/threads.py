"""Number of threads of a call, from affinity, cgroups and joblib; cancellation of threads whose call has ended."""

from __future__ import annotations

import math
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from numbers import Real
from pathlib import Path
from typing import Any

from pyrrf.checks import count
from pyrrf.errors import bad

# Folders where Linux mounts the controllers: version 2 alone, version 2 together with version 1, version 1.
_MOUNTS_V2 = ("", "unified")
_MOUNTS_V1 = ("cpu", "cpu,cpuacct", "cpuacct,cpu")
# Limit of threads per core: more would wait for each other, and each needs memory.
_MOST_FOR_A_CORE = 2
# Variables that loky sets for its workers, by priority.
_LOKY_LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def resolve_jobs(n_jobs: object) -> int:
    """Return the number of threads that `n_jobs` asks for.

    Parameters
    ----------
    n_jobs : int or None
        None is 1; -1 is every core that this process may use, according to its affinity, the quota of
        its cgroups and, in a worker of joblib, its share. Other numbers are limited to two threads for
        each core that affinity and quota allow.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    TypeError
        It is not a number.
    ValueError
        It is neither -1 nor a whole number of at least 1.
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, Real) and not isinstance(n_jobs, bool) and n_jobs == -1:
        return available_cores()
    try:
        threads = count(n_jobs, "n_jobs")
    except ValueError:
        raise bad.range(f"n_jobs must be a number of threads, at least 1, or -1 for all, not {n_jobs!r}") from None
    # To read the quota takes longer than a small fit.
    return 1 if threads == 1 else min(threads, _MOST_FOR_A_CORE * _own_cores())


def available_cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    share = joblib_share()
    return max(1, _own_cores() if share is None else min(_own_cores(), share))


def _own_cores() -> int:
    """Return the number of cores that affinity and quota allow, without the share of joblib."""
    limit = cgroup_quota()
    return max(1, _affinity() if limit is None else min(_affinity(), limit))


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---- cgroups -------------------------------------------------------------------------------------


def cgroup_quota(membership: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return the cores that the cgroups of this process may use, rounded up; None without a quota.

    Parameters
    ----------
    membership, root : Path
        The file that lists the groups of this process; the folder where the groups are mounted.

    Returns
    -------
    int or None
    """
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return None
    quotas = [quota for line in lines for quota in _quotas(line, root)]
    return math.ceil(min(quotas)) if quotas else None


def _quotas(line: str, root: Path) -> Iterator[float]:
    """Yield the quotas for one line `id:controllers:path`: those of the group and of its parents."""
    _, _, rest = line.partition(":")
    controllers, _, path = rest.partition(":")
    if controllers and "cpu" not in controllers.split(","):
        return
    read = _quota_v1 if controllers else _quota_v2
    for mount in _MOUNTS_V1 if controllers else _MOUNTS_V2:
        top = root / mount
        # In a container the path may be that of the host; then the mount itself is the group.
        group = top / path.lstrip("/")
        for folder in (group, *group.parents):
            quota = read(folder)
            if quota is not None:
                yield quota
            if folder == top:
                break


def _quota_v2(folder: Path) -> float | None:
    return _ratio(_read_words(folder / "cpu.max"))


def _quota_v1(folder: Path) -> float | None:
    return _ratio(_read_words(folder / "cpu.cfs_quota_us") + _read_words(folder / "cpu.cfs_period_us"))


def _read_words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []


def _ratio(words: list[str]) -> float | None:
    """Return quota / period, in cores; None without a quota ("max", -1) or if it cannot be read."""
    try:
        used, period = (int(word) for word in words)
    except ValueError:
        return None
    return used / period if used > 0 and period > 0 else None


# ---- joblib and Dask -----------------------------------------------------------------------------


def joblib_share() -> int | None:
    """Return the number of threads that joblib and Dask leave to this process or thread; None outside of both."""
    limits = []
    joblib, process = sys.modules.get("joblib"), multiprocessing.current_process()
    if joblib is not None:
        # A daemon has one thread; joblib would warn there.
        limits.append(1 if process.daemon else int(joblib.effective_n_jobs(-1)))
    # loky divides the cores among its workers, and sets these variables for libraries with their own threads.
    if type(process).__name__ == "LokyProcess":
        words = [os.environ[name] for name in _LOKY_LIMITS if name in os.environ]
        limits += [int(word) for word in words[:1] if word.isdigit() and int(word) > 0]
    if in_dask():
        limits.append(1)
    return min(limits) if limits else None


def in_dask() -> bool:
    """Return whether this code runs in a task of Dask, which has one thread."""
    distributed = sys.modules.get("distributed")
    try:
        return distributed is not None and distributed.get_worker() is not None
    except ValueError:
        return False


# ---- cancellation of threads ---------------------------------------------------------------------


class CallEndedError(RuntimeError):
    """The call that a thread works for has ended, so its answer is not needed."""


class SharedCall:
    """A call that other threads work for, which ask whether it has ended.

    Python raises KeyboardInterrupt in the main thread only, and joblib does not stop the others.
    """

    def __init__(self) -> None:
        self.outer, self.ended = current_call(), False

    def has_ended(self) -> bool:
        """Return whether the call has ended, or an outer call that it works for."""
        return self.ended or (self.outer is not None and self.outer.has_ended())

    def raise_if_ended(self) -> None:
        """Raise CallEndedError if the call has ended."""
        if self.has_ended():
            raise CallEndedError("the call that this thread works for is over")

    def work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in a thread that works for this call."""
        previous = current_call()
        _THREAD.call = self
        try:
            return function(*arguments)
        finally:
            _THREAD.call = previous


_THREAD = threading.local()


def current_call() -> SharedCall | None:
    """Return the call of another thread that this thread works for, or None."""
    return getattr(_THREAD, "call", None)


def raise_if_ended() -> None:
    """Raise CallEndedError in a thread whose call has ended; for loops in Python, as the compiled core asks itself."""
    call = current_call()
    if call is not None:
        call.raise_if_ended()
