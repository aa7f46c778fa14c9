"""The benchmark beside CRAN randomForest: it runs where R has the package, and its page names the worst ratio."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from benchmarks import forests
from benchmarks.shapes import Shape


def has_random_forest() -> bool:
    """Whether R is here with the package."""
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(randomForest)"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_random_forest(), reason="R with randomForest is not here")
def test_answers_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shapes = [Shape(rows=30, columns=4, trees=3), Shape(rows=30, columns=4, trees=3, kind="factors of 5 and 25")]
    monkeypatch.setattr(forests, "SHAPES", shapes)
    monkeypatch.setattr(forests, "TARGETS", ("classes", "numbers"))
    assert forests.main(["--quick"]) == 0
    assert capsys.readouterr().out.count("| 40 x 4, 3 trees") == 4


def test_worst_and_best_are_named() -> None:
    slow, fast = Shape(rows=30, columns=4, trees=3), Shape(rows=50, columns=4, trees=3)
    page = forests.report({slow: (1.0, 0.5), fast: (3.0, 0.5)}, 1)
    assert "Worst: 2.0 (30 x 4, 3 trees, classes). Best: 6.0 (50 x 4, 3 trees, classes)." in page
