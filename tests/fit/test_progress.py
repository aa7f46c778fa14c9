"""The progress bar: shown in a terminal after a while, never elsewhere."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pyrrf
from pyrrf.fit import progress
from pyrrf.fit.progress import Progress, monitor


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def table() -> Any:
    """What prints a line of R's table."""
    return print


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    stream = Terminal()
    # pytest puts its own sys.stderr in place after the fixtures.
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
    return stream


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that `Progress` reads; tests move it."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_no_bar_before_the_delay(terminal: Terminal, clock: list[float]) -> None:
    progress = Progress(500)
    clock[0] += 4.9
    progress(499, np.zeros(3), None)
    progress.close()
    assert terminal.getvalue() == ""


def test_bar_after_the_delay(terminal: Terminal, clock: list[float]) -> None:
    progress = Progress(500)
    clock[0] += 5.1
    progress(120, np.zeros(3), None)
    progress(125, np.zeros(3), None)
    assert progress.bar.n == 125
    progress.close()
    assert "120/500" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r"), "the bar is removed at the end"


def test_silent_without_tqdm(terminal: Terminal, clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    progress = Progress(500)
    clock[0] += 6
    progress(120, np.zeros(3), None)
    progress(125, np.zeros(3), None)
    progress.close()
    assert progress.bar is None
    assert terminal.getvalue() == ""


def test_no_callback_outside_a_terminal() -> None:
    with monitor(500, 0, table) as given:
        assert given == (0, None)


def test_no_callback_without_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=None))
    with monitor(500, 0, table) as given:
        assert given == (0, None)


def test_table_comes_before_the_bar(terminal: Terminal) -> None:
    with monitor(500, 7, table) as given:
        assert given == (7, print)


@pytest.mark.parametrize(("ntree", "every"), [(1, 1), (99, 1), (500, 5), (1000, 10)])
def test_at_most_some_hundred_calls(ntree: int, every: int, terminal: Terminal) -> None:
    with monitor(ntree, 0, table) as (step, _):
        assert step == every


def test_bar_is_removed_after_an_error(terminal: Terminal, clock: list[float]) -> None:

    def fail() -> None:
        with monitor(50, 0, table) as (_, on_tree):
            clock[0] += 6
            on_tree(10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert terminal.getvalue().endswith("\r")


def test_fit_is_the_same_with_a_bar(
    x: np.ndarray, y: np.ndarray, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Progress.__init__, "__defaults__", (0.0, "tree", ""))
    shown: Any = pyrrf.RRF(x, y, ntree=20, seed=1)
    assert "/20" in terminal.getvalue()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=io.StringIO()))
    assert shown == pyrrf.RRF(x, y, ntree=20, seed=1)
