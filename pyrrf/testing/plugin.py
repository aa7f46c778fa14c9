"""Plugin of pytest with a fixture that reads a recording in the folder of the test."""

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
    """Return a function that reads a recording by its path relative to the test."""
    folder = Path(request.path).parent
    return lambda name: read_recording(folder / name)
