"""Data that the tests of the Python layer share."""

from __future__ import annotations

import gc
import signal
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf import _core
from pyrrf._core.records import Growing, TrainingArrays
from pyrrf.fit.callbacks import watching
from tests.held import KEEPER

try:
    from hypothesis import HealthCheck, settings
except ImportError:
    pass  # a wheel is tried with the recorded answers alone, which need pytest and nothing else
else:
    # A machine that is busy with something else proves nothing wrong.
    settings.register_profile("pyrrf", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("pyrrf")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every", type=int, default=1, help="of each parametrized test the first of so many cases only")
    parser.addoption(
        "--room", default="", help="of the pieces in tests/r those of a room, such as stats or stats/groups"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out cases of parametrized tests, so that what remains is quick and holds each test; see `make quick`."""
    seen: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        (left if seen[test] % config.getoption("every") else kept).append(item)
        seen[test] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def pytest_collection_finish() -> None:
    """Keep the collector of garbage off the thousands of tests, which live to the end: it takes a sixth of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, Any, Any]:
    """A fit that does not hold what all fits do fails the test that made it."""
    with watching(KEEPER.tell):
        result = yield
    KEEPER.ask()
    return result


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Leave no figure open: matplotlib warns of the twenty-first, in a test that did not open the others."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture
def x() -> np.ndarray:
    """40 x 5 uniform numbers, R's set.seed(1); matrix(runif(200), 40)."""
    pyrrf.set_seed(1)
    return pyrrf.runif(200).reshape(40, 5, order="F")


@pytest.fixture
def y(x: np.ndarray) -> np.ndarray:
    """Two classes that depend on the first column: 24 and 16 cases."""
    return np.where(x[:, 0] > 0.5, "high", "low")


@pytest.fixture
def frame(x: np.ndarray) -> pd.DataFrame:
    """A column of each type, rows labelled r0, r1, ..."""
    n = len(x)
    return pd.DataFrame(
        {
            "number": x[:, 0],
            "colour": pd.Categorical(np.resize(["red", "green", "blue"], n), ["blue", "green", "red"]),
            "size": pd.Categorical(np.resize(["S", "M"], n), ["S", "M", "L"], ordered=True),
            "flag": x[:, 1] > 0.5,
            "count": (x[:, 2] * 10).astype(int),
        },
        index=[f"r{i}" for i in range(n)],
    )


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """SIGINT is answered, here and in what is started here; a shell has its jobs in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the last call of the core's fit was given."""
    calls: dict[str, Any] = {}
    real = _core.fit_r

    def spy(rows: TrainingArrays, growing: Growing, **named: Any) -> Any:
        calls.clear()
        calls.update({**vars(rows), **vars(growing), **named})
        return real(rows, growing, **named)

    monkeypatch.setattr(_core, "fit_r", spy)
    return calls
