"""R's side of a check, played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def process() -> None:
    """Let Python run in a process of its own, as it does."""


@pytest.fixture
def played(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let R have done some steps, and Python run in this process."""
    from pyrrf.migrate.check import task
    from tests.migrate.played import recorder, step_here

    def play(*steps: dict[str, Any], ending: str = "", collate: str = "C") -> None:
        monkeypatch.setattr(task, "record", recorder(steps, ending, collate))
        if "process" not in request.fixturenames:
            monkeypatch.setattr(task, "step", step_here)

    return play
