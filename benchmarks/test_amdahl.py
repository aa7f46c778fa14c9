"""Simulated threads: how tasks are dealt, and that forests can be recorded."""

from __future__ import annotations

import pytest

from benchmarks.amdahl import THREADS, Record, deal, record, table
from benchmarks.shapes import Shape


def test_equal_tasks_take_rounds() -> None:
    assert deal([1.0] * 10, 1, 2) == 10
    assert deal([1.0] * 10, 2, 2) == 5
    assert deal([1.0] * 10, 4, 2) == 3
    assert deal([1.0] * 10, 16, 2) == 1


def test_no_task_begins_too_far_ahead() -> None:
    """A first task that takes long holds up those beyond the window."""
    assert deal([9.0, *[1.0] * 6], 2, 1) == 15 - 3
    assert deal([9.0, *[1.0] * 6], 2, 4) == 9


def test_serial_parts_stay() -> None:
    forest = Record(Shape(100, 10, 4), whole=6.0, ranking=0.0, trees=[1.0] * 4)
    assert [forest.on(threads) for threads in THREADS] == pytest.approx([6, 4, 3, 3, 3])


def test_forest_is_recorded() -> None:
    recorded = record(Shape(60, 5, 6), repeats=1)
    assert len(recorded.trees) == 6
    assert recorded.on(1) >= recorded.on(16)
    assert "| 60 x 5, 6 trees, classes |" in table([recorded])
