"""The benchmark of paths: it runs, and its table holds what was measured."""

from __future__ import annotations

import pytest

from benchmarks import paths


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert paths.main(["--quick"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| made, 60 x 8 |")]
    assert [line.split("|")[2].strip() for line in lines] == ["parallel", "r"]
    for line in lines:
        alone, together = (float(cell) for cell in line.split("|")[4:6])
        assert 0 < together < alone
