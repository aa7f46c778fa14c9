"""Ctrl-C during a long call: an exception, and a stream as before the call."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf import random as _random
from pyrrf.companions import tuning, validation
from pyrrf.fit import fitting

# Without an answer to the signal these would run for minutes.
MANY_TREES = 200_000


@contextmanager
def interrupt_soon(seconds: float = 0.1) -> Iterator[None]:
    """SIGALRM raises KeyboardInterrupt soon, as Ctrl-C does."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("arguments", [{}, {"importance": True}, {"proximity": True}], ids=str)
@pytest.mark.parametrize("shape", [(500, 10), (60, 2_000)], ids=str)
def test_fit_can_be_interrupted(shape: tuple[int, int], arguments: dict[str, bool]) -> None:
    pyrrf.set_seed(1)
    x = np.random.default_rng(1).standard_normal(shape)
    y = np.where(x[:, 0] > 0, "high", "low")
    stored = _random.process_stream().get_state()[0]
    with pytest.raises(KeyboardInterrupt), interrupt_soon():
        pyrrf.RRF(x, y, ntree=MANY_TREES, keep_forest=False, **arguments)
    np.testing.assert_array_equal(_random.process_stream().get_state()[0], stored)


COMPANIONS = {
    "rrfcv": (validation, pyrrf.rrfcv),
    "rfcv": (validation, pyrrf.rfcv),
    "tuneRRF": (tuning, partial(pyrrf.tuneRRF, plot=False)),
    "tuneRF": (tuning, partial(pyrrf.tuneRF, plot=False)),
    "GRRF": (fitting, pyrrf.GRRF),
}


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("name", COMPANIONS)
def test_the_stream_after_some_of_many_forests(
    name: str, kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, call = COMPANIONS[name]
    grow, forests = module.fit_task, []

    def ends(task: Any) -> Any:
        if forests:
            raise kind
        forests.append(grow(task))
        return forests[-1]

    monkeypatch.setattr(module, "fit_task", ends)
    x = np.random.default_rng(1).standard_normal((60, 4))
    pyrrf.set_seed(1)
    stored = _random.get_random_seed()
    with pytest.raises(kind):
        call(x, np.where(x[:, 0] > 0, "high", "low"))
    np.testing.assert_array_equal(_random.get_random_seed(), stored)


@pytest.mark.parametrize("of", ["classes", "numbers"])
def test_a_bag_that_is_drawn_for_long_can_be_interrupted(of: str) -> None:
    # Without replacement all weights are summed again after each draw: this bag takes 10 s and more.
    x = np.random.default_rng(1).standard_normal((60_000, 2))
    y = x[:, 0] if of == "numbers" else np.where(x[:, 0] > 0, "high", "low")
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupt_soon(0.1):
        pyrrf.randomForest(x, y, weights=np.ones(60_000), replace=False, sampsize=50_000, ntree=1)
    assert time.monotonic() - begun < 3


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_a_large_tree_can_be_interrupted(n_jobs: int) -> None:
    x = np.random.default_rng(1).standard_normal((100_000, 20))
    y = np.where(x.sum(axis=1) > 0, "high", "low")
    with pytest.raises(KeyboardInterrupt), interrupt_soon(0.2):
        pyrrf.RRF(x, y, ntree=2_000, mtry=20, keep_forest=False, n_jobs=n_jobs)
