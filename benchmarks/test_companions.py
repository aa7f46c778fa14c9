"""The benchmark of the companions of RRF(): R and pyrrf have the same ones, and the page counts the slower."""

from __future__ import annotations

import pytest

from benchmarks import companions
from benchmarks.jobs.r import has_package
from benchmarks.markdown import rows_of


def test_grid_by_hand() -> None:
    shape = companions.Shape(150, 5, 3, 100)
    text = companions.grid(shape, {"predict": (0.003, 0.0015), "getTree": (0.00002, 0.0001)})
    assert text.startswith("## 150 rows x 5 features, 3 classes, 100 trees\n")
    assert rows_of(text)["predict"] == {"R, ms": "3", "pyrrf, ms": "1.5", "ratio": "2.00"}
    assert rows_of(text)["getTree"]["ratio"] == "0.20"


def test_the_least_of_the_repeats_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([0.08, 0.06, 0.07])
    monkeypatch.setattr(companions.study, "timed", lambda work: (next(taken), work()))
    assert companions.least(lambda: None, 3) == 0.06


@pytest.mark.skipif(not has_package("RRF"), reason="R with RRF is not here")
def test_quick_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It fails where R and pyrrf do not have the same functions."""
    monkeypatch.setattr(companions, "SECONDS", 0.0)
    assert companions.main(["--quick"]) == 0
    page = capsys.readouterr().out
    assert page.count("\n## ") == 3
    slower = sum(float(line.split("|")[4]) < 1 for line in page.splitlines() if line.startswith("| ") and "." in line)
    assert f"Slower than R: {slower} of " in page
