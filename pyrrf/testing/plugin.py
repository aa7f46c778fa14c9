"""For `pytest_plugins`: a recording that lies beside the test that reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrrf.testing.recording import Recording, read_recording


@pytest.fixture
def r_recording(request: pytest.FixtureRequest) -> Callable[[str], Recording]:
    """Read a recording by its path from the folder of the test."""
    folder = Path(request.path).parent
    return lambda name: read_recording(folder / name)
