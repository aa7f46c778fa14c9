"""The benchmark of the guide's trees runs."""

from __future__ import annotations

import pytest

from benchmarks import guides


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert guides.main(["--quick"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| diabetes |")]
    assert len(rows) == 1
    assert "±" in rows[0]
