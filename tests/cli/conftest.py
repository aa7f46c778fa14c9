"""Tables of wines as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import FEW, WINE


@pytest.fixture
def wine(tmp_path: Path) -> str:
    WINE.to_csv(tmp_path / "wine.csv", index=False)
    return str(tmp_path / "wine.csv")


@pytest.fixture
def few(tmp_path: Path) -> str:
    FEW.to_csv(tmp_path / "few.csv", index=False)
    return str(tmp_path / "few.csv")
