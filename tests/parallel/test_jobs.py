"""n_jobs: the cores that this process may use, and what a surrounding joblib leaves of them."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf import threads
from pyrrf.threads import available_cores, cgroup_quota, resolve_jobs
from tests.refusals import refused


@pytest.mark.parametrize(("n_jobs", "threads"), [(None, 1), (1, 1), (3, 3), (np.int64(2), 2), (4.0, 4), (16, 16)])
@pytest.mark.usefixtures("alone")
def test_numbers_are_taken_as_given(n_jobs: Any, threads: int) -> None:
    assert resolve_jobs(n_jobs) == threads


@pytest.mark.parametrize("n_jobs", [0, -2, 1.5])
def test_other_numbers_are_refused(n_jobs: float) -> None:
    with refused("n_jobs", "range"):
        resolve_jobs(n_jobs)


@pytest.mark.parametrize("n_jobs", [True, "2", [1], float("nan")])
def test_what_is_no_number_is_refused(n_jobs: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="n_jobs must be a"):
        resolve_jobs(n_jobs)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Eight cores, no quota, no joblib."""
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(threads, "cgroup_quota", lambda: None)
    monkeypatch.delitem(sys.modules, "joblib", raising=False)
    return monkeypatch


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("n_jobs", [17, 5000])
def test_no_more_than_two_for_each_core(n_jobs: int) -> None:
    assert resolve_jobs(n_jobs) == 16


def test_the_quota_counts_for_numbers_too(alone: pytest.MonkeyPatch) -> None:
    alone.setattr(threads, "cgroup_quota", lambda: 3)
    assert resolve_jobs(5000) == 6


X = np.random.default_rng(1).standard_normal((400, 6))
Y = np.where(X[:, 0] > 0, "high", "low")
STARTED = {
    "fit": lambda: pyrrf.RRF(X, Y, ntree=300, engine="parallel", n_jobs=5000, seed=1),
    "fit of engine r": lambda: pyrrf.RRF(X, Y, ntree=300, n_jobs=5000, seed=1),
    "predict": lambda: pyrrf.predict(pyrrf.RRF(X, Y, ntree=300, seed=1), np.repeat(X, 50, axis=0), n_jobs=5000),
}


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize("call", STARTED)
def test_threads_that_are_started(call: str) -> None:
    # Threads of earlier tests may end meanwhile.
    before, most = {*os.listdir("/proc/self/task")}, [0]
    begun, done = threading.Event(), threading.Event()

    def count() -> None:
        while not done.is_set():
            most[0] = max(most[0], len({*os.listdir("/proc/self/task")} - before))
            begun.set()
            done.wait(0.0005)

    counter = threading.Thread(target=count)
    counter.start()
    begun.wait()  # on a busy machine, the call may end before the counter begins
    STARTED[call]()
    done.set()
    counter.join()
    cores = len(os.sched_getaffinity(0))
    assert 0 < most[0] <= 1 + 2 * cores, "the counter is one of them"


@pytest.mark.usefixtures("alone")
def test_all_is_the_affinity() -> None:
    assert resolve_jobs(-1) == available_cores() == 8


@pytest.mark.parametrize(("limit", "cores"), [(3, 3), (1, 1), (64, 8)])
def test_all_is_held_within_the_quota(alone: pytest.MonkeyPatch, limit: int, cores: int) -> None:
    alone.setattr(threads, "cgroup_quota", lambda: limit)
    assert resolve_jobs(-1) == cores


def test_without_affinity_all_cores_count(alone: pytest.MonkeyPatch) -> None:
    alone.delattr(threads.os, "sched_getaffinity", raising=False)
    alone.setattr(threads.os, "cpu_count", lambda: 5)
    assert resolve_jobs(-1) == 5


# ---- cgroups -------------------------------------------------------------------------------------


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text + "\n")


def membership(folder: Path, *lines: str) -> Path:
    file = folder / "membership"
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.mark.parametrize(
    ("text", "cores"),
    [("200000 100000", 2), ("150000 100000", 2), ("50000 100000", 1), ("max 100000", None), ("", None)],
)
def test_quota_of_version_2(tmp_path: Path, text: str, cores: int | None) -> None:
    write(tmp_path / "box", cpu__max=text)
    assert cgroup_quota(membership(tmp_path, "0::/box"), tmp_path) == cores


def test_the_tightest_of_the_groups_above_counts(tmp_path: Path) -> None:
    write(tmp_path / "outer", cpu__max="300000 100000")
    write(tmp_path / "outer" / "inner", cpu__max="max 100000")
    write(tmp_path / "beside", cpu__max="100000 100000")
    assert cgroup_quota(membership(tmp_path, "0::/outer/inner"), tmp_path) == 3


def test_in_a_container_the_mount_is_the_group(tmp_path: Path) -> None:
    write(tmp_path, cpu__max="400000 100000")
    assert cgroup_quota(membership(tmp_path, "0::/not/visible/here"), tmp_path) == 4


@pytest.mark.parametrize(("used", "cores"), [("250000", 3), ("-1", None)])
def test_quota_of_version_1(tmp_path: Path, used: str, cores: int | None) -> None:
    write(tmp_path / "cpu,cpuacct" / "box", cpu__cfs_quota_us=used, cpu__cfs_period_us="100000")
    lines = ("4:cpu,cpuacct:/box", "3:memory:/other", "0::/")
    assert cgroup_quota(membership(tmp_path, *lines), tmp_path) == cores


def test_version_1_beside_version_2(tmp_path: Path) -> None:
    write(tmp_path / "cpu", cpu__cfs_quota_us="500000", cpu__cfs_period_us="100000")
    write(tmp_path / "unified", cpu__max="200000 100000")
    assert cgroup_quota(membership(tmp_path, "1:cpu:/", "0::/"), tmp_path) == 2


def test_no_cgroups(tmp_path: Path) -> None:
    assert cgroup_quota(tmp_path / "missing", tmp_path) is None
    assert cgroup_quota(membership(tmp_path, "no colons"), tmp_path) is None


# ---- joblib --------------------------------------------------------------------------------------


def cores_and_environment(_: int) -> tuple[int, str]:
    return resolve_jobs(-1), os.environ.get("OMP_NUM_THREADS", "")


def test_a_worker_of_joblib_takes_its_share() -> None:
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config("loky", inner_max_num_threads=1):
        answers = joblib.Parallel(n_jobs=2)(joblib.delayed(cores_and_environment)(i) for i in range(2))
    assert answers == [(1, "1")] * 2


def test_a_daemon_of_joblib_takes_one_and_is_silent() -> None:
    joblib = pytest.importorskip("joblib")
    with joblib.parallel_config("multiprocessing"):
        answers = joblib.Parallel(n_jobs=2)(joblib.delayed(cores_and_environment)(i) for i in range(2))
    assert [cores for cores, _ in answers] == [1, 1]


def test_joblib_is_asked_if_it_is_loaded(alone: pytest.MonkeyPatch) -> None:
    class Joblib:
        @staticmethod
        def effective_n_jobs(n_jobs: int) -> int:
            assert n_jobs == -1
            return 3

    alone.setitem(sys.modules, "joblib", Joblib)
    assert resolve_jobs(-1) == 3


def test_limits_of_libraries_do_not_count_outside_of_workers(alone: pytest.MonkeyPatch) -> None:
    alone.setenv("OMP_NUM_THREADS", "1")
    assert resolve_jobs(-1) == 8


def test_joblib_is_not_needed() -> None:
    assert "import joblib" not in Path(threads.__file__).read_text()


# ---- in RRF() and predict() ----------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 5, -1, 1000])
def test_the_answer_does_not_depend_on_it(x: np.ndarray, y: np.ndarray, n_jobs: int | None) -> None:
    one = pyrrf.RRF(x, y, ntree=30, seed=1, engine="parallel")
    many = pyrrf.RRF(x, y, ntree=30, seed=1, engine="parallel", n_jobs=n_jobs)
    assert many == one
    new = np.random.default_rng(0).random((300, x.shape[1]))
    expected = pyrrf.predict(one, new, type="vote", norm_votes=False)
    assert pyrrf.predict(many, new, type="vote", norm_votes=False, n_jobs=n_jobs).equals(expected)


@pytest.mark.parametrize("n_jobs", [0, "all", 1.5])
def test_engine_r_checks_it_too(x: np.ndarray, y: np.ndarray, n_jobs: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="n_jobs must be a"):
        pyrrf.RRF(x, y, n_jobs=n_jobs)
