"""For `pytest_plugins`: a recording that lies next to the test that reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

try:
    import pytest
except ImportError as error:
    raise ImportError('pyrrf.testing.plugin is for pytest; pip install pytest, or all of "pyrrf[test]"') from error

from pyrrf.testing.recording import Recording, read_recording


@pytest.fixture
def r_recording(request: pytest.FixtureRequest) -> Callable[[str], Recording]:
    """Read a recording by its path from the folder of the test."""
    folder = Path(request.path).parent
    return lambda name: read_recording(folder / name)
