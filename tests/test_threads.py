"""Calls on several threads: a seed decides the answer, and calls without one draw one after another."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, redirect_stdout
from functools import partial
from io import StringIO
from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf.random import process_stream

X = np.random.default_rng(1).standard_normal((60, 8))
Y = np.where(X[:, 0] + X[:, 1] > 0, "high", "low")
HOLES = np.where(np.random.default_rng(2).random(X.shape) < 0.05, np.nan, X)
VOTES = pyrrf.RRF(np.round(X), Y, ntree=4, seed=1)

Call = Callable[..., Any]

# What a call says of itself, as bytes that can be compared and sorted.
CALLS: dict[str, Call] = {
    "RRF": lambda **more: pyrrf.RRF(X, Y, ntree=15, **more).outcome.votes.tobytes(),
    "RRF, numbers": lambda **more: pyrrf.RRF(X, X[:, 0], ntree=15, **more).outcome.predicted.tobytes(),
    "RRF, unsupervised": lambda **more: pyrrf.RRF(X, ntree=8, quirks=False, **more).outcome.votes.tobytes(),
    "RRF, parallel": lambda **more: pyrrf.RRF(X, Y, ntree=15, engine="parallel", **more).outcome.votes.tobytes(),
    "GRRF": lambda **more: pyrrf.GRRF(X, Y, ntree=8, **more).outcome.votes.tobytes(),
    "GRRF, parallel": lambda **more: pyrrf.GRRF(X, Y, ntree=8, engine="parallel", **more).outcome.votes.tobytes(),
    "rrfcv": lambda **more: pyrrf.rrfcv(X, Y, cv_fold=2, step=0.2, ntree=4, **more).predicted.to_numpy(str).tobytes(),
    "tuneRRF": lambda **more: (
        pyrrf.tuneRRF(X, Y, ntreeTry=5, plot=False, trace=False, quirks=False, **more).to_numpy().tobytes()
    ),
    "rrfImpute": lambda **more: pyrrf.rrfImpute(HOLES, X[:, 0], iter=1, ntree=5, **more).tobytes(),
}

# Those that take no seed.
DRAWS: dict[str, Call] = {
    "runif": lambda: pyrrf.runif(500).tobytes(),
    "sample": lambda: pyrrf.sample(300).tobytes(),
    "grow": lambda: pyrrf.grow(VOTES, 6).outcome.votes.tobytes(),
    "combine": lambda: pyrrf.combine(VOTES, VOTES).outcome.predicted.tobytes(),
    "predict": lambda: pyrrf.predict(VOTES, X, type="response").cat.codes.to_numpy().tobytes(),
    "partialPlot": lambda: pyrrf.partialPlot(VOTES, X, 0, n_pt=3, plot=False).y.tobytes() + pyrrf.runif(2).tobytes(),
}


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Let Python change threads every 10 microseconds; rrfImpute prints."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    with redirect_stdout(StringIO()):
        yield
    sys.setswitchinterval(before)


def on_threads(calls: list[Callable[[], Any]]) -> list[Any]:
    """The answers of calls on four threads."""
    with ThreadPoolExecutor(4) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


@pytest.mark.usefixtures("quick_switches")
@pytest.mark.parametrize("name", CALLS)
def test_a_seed_decides_the_answer(name: str) -> None:
    calls = [partial(CALLS[name], seed=seed) for seed in range(4)] * 20
    expected = [call() for call in calls[:4]] * 20
    assert on_threads(calls) == expected


@pytest.mark.usefixtures("quick_switches")
@pytest.mark.parametrize("name", [*CALLS, *DRAWS])
def test_without_a_seed_one_call_draws_at_a_time(name: str) -> None:
    call = (CALLS | DRAWS)[name]
    pyrrf.set_seed(1)
    expected, after = [call() for _ in range(40)], pyrrf.runif(1)
    pyrrf.set_seed(1)
    assert sorted(on_threads([call] * 40)) == sorted(expected)
    assert pyrrf.runif(1) == after


# ---- the stream of the process -------------------------------------------------------------------


class RefusedError(Exception):
    """What a function that a call was given raises."""


def cross_validate(on_mtry: Callable[[], object], **arguments: Any) -> Any:
    """Cross-validation that calls a function before each forest, when folds have been drawn."""

    def mtry(p: float) -> int:
        on_mtry()
        return 1

    return pyrrf.rrfcv(X, Y, cv_fold=2, ntree=3, mtry=mtry, **arguments).predicted


def refuse() -> None:
    pyrrf.runif(3)
    raise RefusedError


def test_a_seeded_call_leaves_what_set_seed_and_the_call_leave() -> None:
    pyrrf.set_seed(3)
    cross_validate(lambda: None)
    expected = process_stream().get_state()
    pyrrf.set_seed(8)
    cross_validate(lambda: None, seed=3)
    for ours, theirs in zip(process_stream().get_state(), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("error", [RefusedError, KeyboardInterrupt])
def test_a_seeded_call_that_fails_leaves_the_stream_as_it_was(error: type[BaseException]) -> None:
    def fail() -> None:
        pyrrf.runif(3)
        raise error

    pyrrf.set_seed(8)
    before = process_stream().get_state()
    with pytest.raises(error):
        cross_validate(fail, seed=3)
    for ours, theirs in zip(process_stream().get_state(), before, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_what_a_call_is_given_draws_from_the_stream_of_the_call() -> None:
    drawn: list[float] = []
    pyrrf.set_seed(3)
    alone = cross_validate(lambda: drawn.extend(pyrrf.runif(1)))
    after = pyrrf.runif(1)
    pyrrf.set_seed(8)
    assert cross_validate(lambda: drawn.extend(pyrrf.runif(1)), seed=3).equals(alone)
    assert drawn[: len(drawn) // 2] == drawn[len(drawn) // 2 :]
    assert pyrrf.runif(1) == after


@pytest.mark.parametrize("seed", [None, 3])
def test_a_seed_inside_a_call_is_that_of_the_call_from_there_on(seed: int | None) -> None:
    drawn: list[float] = []

    def seeded_fit() -> None:
        pyrrf.RRF(X, Y, ntree=2, seed=5)
        drawn.extend(pyrrf.runif(1))

    cross_validate(seeded_fit, seed=seed)
    pyrrf.RRF(X, Y, ntree=2, seed=5)
    assert set(drawn) == set(pyrrf.runif(1))


@contextmanager
def held(**arguments: Any) -> Iterator[Any]:
    """A cross-validation on another thread that has drawn its folds and stands still."""
    reached, go_on = threading.Event(), threading.Event()

    def stand() -> None:
        reached.set()
        assert go_on.wait(600)

    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(cross_validate, stand, **arguments)
        try:
            assert reached.wait(600)
            yield call
        finally:
            go_on.set()


def test_a_call_without_a_seed_waits_for_another() -> None:
    pyrrf.set_seed(3)
    first, second = cross_validate(lambda: None), pyrrf.runif(2)
    pyrrf.set_seed(3)
    with ThreadPoolExecutor(1) as pool:
        with held() as call:
            drawn = pool.submit(pyrrf.runif, 2)
            assert not wait([drawn], timeout=0.2).done
        assert call.result().equals(first)
        assert drawn.result().tolist() == second.tolist()


def test_calls_with_a_seed_and_set_seed_wait_for_nobody() -> None:
    alone = cross_validate(lambda: None, seed=3)
    after = pyrrf.runif(2)
    pyrrf.set_seed(4)
    first = cross_validate(lambda: None)
    pyrrf.set_seed(4)
    with held() as call:
        assert cross_validate(lambda: None, seed=3).equals(alone)
        pyrrf.set_seed(9)
        assert cross_validate(lambda: None, seed=3).equals(alone)
    assert call.result().equals(first)
    # The call that began before counts as the first one.
    assert pyrrf.runif(2).tolist() == after.tolist()


def test_a_call_that_fails_lets_others_draw() -> None:
    with pytest.raises(RefusedError):
        cross_validate(refuse)
    assert on_threads([partial(pyrrf.runif, 1)] * 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_child_of_fork_can_draw_while_a_thread_of_the_parent_does() -> None:
    with held(), warnings.catch_warnings():
        # Python warns of every fork beside threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            signal.alarm(120)
            os._exit(int(len(pyrrf.runif(1)) != 1))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_joblib(backend: str) -> None:
    joblib = pytest.importorskip("joblib")
    expected = [CALLS["GRRF"](seed=seed) for seed in range(4)]
    with joblib.parallel_config(backend, n_jobs=2):
        assert joblib.Parallel()(joblib.delayed(grrf)(seed) for seed in range(4)) == expected


def grrf(seed: int) -> bytes:
    return CALLS["GRRF"](seed=seed)  # type: ignore[no-any-return]
