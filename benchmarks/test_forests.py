"""The benchmark beside CRAN randomForest: it runs where R has the package, and its page names the worst ratio."""

from __future__ import annotations

import pytest

from benchmarks import forests
from benchmarks.jobs.r import has_package
from benchmarks.shapes import Shape


@pytest.mark.skipif(not has_package("randomForest"), reason="R with randomForest is not here")
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
