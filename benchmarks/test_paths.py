"""The benchmark of paths: it runs, and its table holds what was measured."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from benchmarks import paths, study


def test_quick_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # What the clock says before and after the fits and the path, of each engine.
    said = iter([0.0, 6.0, 7.0, 10.0, 20.0, 24.0, 25.0, 26.0])
    monkeypatch.setattr(study, "time", SimpleNamespace(process_time=lambda: next(said)))
    assert paths.main(["--quick"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| made, 60 x 8 |")]
    measured = [[cell.strip() for cell in (line.split("|")[2], *line.split("|")[4:7])] for line in lines]
    assert measured == [["parallel", "6.00", "3.00", "0.50"], ["r", "4.00", "1.00", "0.25"]]
