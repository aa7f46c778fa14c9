"""Selectors on a Dask cluster of two workers with two threads each, which are killed: the bits of one process."""

from __future__ import annotations

import os
import signal
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dask
import joblib
import numpy as np
import pytest
from distributed import Client, LocalCluster, get_worker
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV

import pyrrf
from pyrrf.fit.fitting import SharedData
from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV, RRFClassifier, StabilitySelector, grrf_path
from pyrrf.sklearn.jobs import Sent
from pyrrf.threads import available_cores

X, Y = load_breast_cancer(return_X_y=True)
THREADS = 2
# Dask itself leaves sockets and loops to the collector.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore:.*cannot be rejoined"
)


# ---- what runs -----------------------------------------------------------------------------------


def path(engine: str) -> Any:
    fits = grrf_path(
        X, Y, gammas=8, forest=RRFClassifier(engine=engine), guide=200, n_estimators=200, random_state=1
    ).fits
    return [fit.outcome.importance.tobytes() for fit in fits]


def chosen(**options: Any) -> Any:
    judge = RRFClassifier(20, coef_reg=None, random_state=1)
    few: dict[str, Any] = {"gammas": 3, "cv": 3, "guide": 200, "n_estimators": 50, "random_state": 1}
    cv = GRRFSelectorCV(judge=judge, **few | options).fit(X, Y)
    return cv.guide_importances_.tobytes(), cv.nested_scores_.tolist(), cv.support_.tolist()


def stable(selector: Any = None, n_pairs: int = 12) -> Any:
    selector = selector or GRRFSelector(gamma=0.9, guide=200, n_estimators=50)
    fitted = StabilitySelector(selector, n_pairs=n_pairs, threshold=0.6, random_state=1).fit(X, Y)
    return fitted.selection_frequencies_.tolist(), fitted.substitutes_.to_csv()


def guide() -> Any:
    fitted = GRRFSelector(gamma=0.9, guide=3_000, n_estimators=20, random_state=1).fit(X, Y)
    return fitted.guide_importances_.tobytes(), fitted.result_.outcome.importance.tobytes()


WORK: dict[str, Callable[[], Any]] = {
    "path, engine parallel": lambda: path("parallel"),
    "path, engine r": lambda: path("r"),
    "choice, engine parallel": lambda: chosen(),
    "choice, engine r": lambda: chosen(forest=RRFClassifier(engine="r")),
    "stability": lambda: stable(),
    "guide": guide,
}


# ---- the cluster ---------------------------------------------------------------------------------

SETTINGS = {
    # How long a worker tries to reach one that is dead; 30 s by default.
    "distributed.comm.timeouts.connect": "5s",
    # How long LocalCluster waits for a worker that its nanny starts again, before it closes the nanny and does without;
    # 15 s by default, which a busy machine takes.
    "distributed.deploy.lost-worker-timeout": "1h",
}
# Seconds after which what has not come is taken for lost: no machine is so slow.
PATIENCE = 600


@contextmanager
def running() -> Iterator[LocalCluster]:
    with (
        dask.config.set(SETTINGS),
        LocalCluster(n_workers=2, threads_per_worker=THREADS, dashboard_address=":0") as cluster,
        Client(cluster),
    ):
        yield cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with running() as found:
        yield found


@pytest.fixture
def at_work(cluster: LocalCluster) -> Iterator[LocalCluster]:
    """The cluster with both workers there, for what joblib shares out."""
    # Replaces what was given up.
    cluster.scale(2)
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
        with joblib.parallel_config(backend="dask"):
            yield cluster


def busy(cluster: LocalCluster) -> list[str]:
    """The workers that have tasks."""
    states = list(cluster.scheduler.workers.values())
    return [state.name for state in states if any("_on_worker" in str(task.key) for task in list(state.processing))]


class Attack(threading.Thread):
    """Waits until so many workers are at work, and does something then, unless the work is over before."""

    def __init__(self, cluster: LocalCluster, workers: int, act: Callable[[list[str]], None]) -> None:
        super().__init__(daemon=True)
        self.cluster, self.workers, self.act = cluster, workers, act
        self.over, self.done = threading.Event(), False

    def run(self) -> None:
        while not self.over.wait(0.01):
            names = busy(self.cluster)
            if len(names) >= self.workers:
                self.act(names[: self.workers])
                self.done = True
                return


@contextmanager
def attacked(cluster: LocalCluster, workers: int, act: Callable[[list[str]], None]) -> Iterator[None]:
    attack = Attack(cluster, workers, act)
    attack.start()
    try:
        yield
    finally:
        attack.over.set()
        attack.join()
    assert attack.done


def kill(cluster: LocalCluster, names: list[str]) -> None:
    for name in names:
        os.kill(cluster.workers[name].pid, signal.SIGKILL)


@pytest.mark.parametrize("work", WORK)
def test_a_worker_is_killed(at_work: LocalCluster, work: str) -> None:
    with joblib.parallel_config(backend="sequential"):
        expected = WORK[work]()
    assert WORK[work]() == expected
    with attacked(at_work, 1, lambda names: kill(at_work, names)):
        assert WORK[work]() == expected


def test_all_workers_are_killed(at_work: LocalCluster) -> None:
    """Nobody has the data then, but the scheduler."""
    with joblib.parallel_config(backend="sequential"):
        expected = path("parallel")
    with attacked(at_work, 2, lambda names: kill(at_work, names)):
        assert path("parallel") == expected


def test_the_data_are_sent_once(at_work: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[type] = []
    reduce = Sent.__reduce__
    monkeypatch.setattr(Sent, "__reduce__", lambda self: sent.append(type(self.items[0])) or reduce(self))
    guide()
    # To the scheduler, which is in this process here, and from there to a worker.
    assert sent.count(SharedData) == 2
    assert sent.count(int) >= 16


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted(at_work: LocalCluster) -> None:
    long = GRRFSelector(20_000, n_estimators=20, random_state=1)
    with pytest.raises(KeyboardInterrupt), attacked(at_work, 1, lambda _: interrupt_main()):
        long.fit(X, Y)
    deadline = time.monotonic() + PATIENCE
    while at_work.scheduler.tasks and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not at_work.scheduler.tasks
    with joblib.parallel_config(backend="sequential"):
        expected = guide()
    assert guide() == expected


def refused(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    raise ValueError(f"guide: {x.shape[1]} columns are too many")


def test_errors_name_the_argument(at_work: LocalCluster) -> None:
    with pytest.raises(ValueError, match="gamma=0 with lambda0=0"):
        grrf_path(X, Y, gammas=3, lambda0=0.0, guide=50, n_estimators=5, random_state=1)
    # Rows of both classes that no split parts; the others weigh nothing.
    counted = np.array([np.flatnonzero(label == Y)[0] for label in (0, 1)])
    alike, weight = X.copy(), np.zeros(len(Y))
    alike[counted], weight[counted] = X[0], 1.0
    with pytest.raises(ValueError, match="the guide gives importance 0 to all"):
        GRRFSelector(50).fit(alike, Y, sample_weight=weight)
    with pytest.raises(ValueError, match="guide: 30 columns are too many"):
        chosen(guide=refused)


# ---- tasks inside tasks --------------------------------------------------------------------------

ACTIVE: list[int] = []


def in_a_task() -> bool:
    try:
        return get_worker() is not None
    except ValueError:
        return False


def alone(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A guide that has one thread, beside at most one other task of its worker, and that draws from its own stream."""
    ACTIVE.append(1)
    time.sleep(0.02)
    active = len(ACTIVE)
    ACTIVE.pop()
    assert active <= THREADS
    if in_a_task():
        assert joblib.effective_n_jobs(-1) == available_cores() == 1
    return pyrrf.runif(x.shape[1])


def drawn(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return pyrrf.runif(x.shape[1])


def test_tasks_have_one_thread_each_and_their_own_streams(at_work: LocalCluster) -> None:
    for engine in ("r", "parallel"):
        with joblib.parallel_config(backend="sequential"):
            expected = chosen(guide=drawn, forest=RRFClassifier(engine=engine), n_estimators=5)
        assert chosen(guide=alone, forest=RRFClassifier(engine=engine), n_estimators=5)[1:] == expected[1:]
    inner = GRRFSelectorCV(alone, gammas=2, cv=2, nested=False, n_estimators=5, n_jobs=4)
    stable(inner, n_pairs=4)


def test_forests_that_come_back_predict(at_work: LocalCluster) -> None:
    fits = grrf_path(X, Y, gammas=2, guide=20, n_estimators=5, random_state=1).fits
    with joblib.parallel_config(backend="sequential"):
        expected = grrf_path(X, Y, gammas=2, guide=20, n_estimators=5, random_state=1).fits
    assert [pyrrf.predict(fit, X).tolist() for fit in fits] == [pyrrf.predict(fit, X).tolist() for fit in expected]


def test_in_the_tasks_of_others(at_work: LocalCluster) -> None:
    search = GridSearchCV(
        GRRFSelector(100, n_estimators=10, random_state=1, n_jobs=-1),
        {"gamma": [0.1, 0.9]},
        cv=2,
        scoring=lambda selector, x, y: float(selector.guide_importances_ @ np.arange(x.shape[1])),
        refit=False,
    )
    with joblib.parallel_config(backend="sequential"):
        expected = search.fit(X, Y).cv_results_
    found = search.fit(X, Y).cv_results_
    for name in ("split0_test_score", "split1_test_score"):
        assert found[name].tolist() == expected[name].tolist()


def test_a_task_of_dask_takes_one_core(cluster: LocalCluster) -> None:
    with Client(cluster) as client:
        assert client.submit(available_cores, pure=False).result() == 1


# Last: it has a cluster of its own.
def test_the_scheduler_is_gone() -> None:
    with (
        running() as own,
        joblib.parallel_config(backend="dask"),
        pytest.raises(Exception, match=r"cancel|clos|lost"),
        attacked(own, 1, lambda _: own.close()),
    ):
        guide()
