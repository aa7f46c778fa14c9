"""The benchmark of predictions: it runs with the packages that are here, and counts turn by turn."""

from __future__ import annotations

import importlib.util

import pytest

from benchmarks import prediction


@pytest.mark.parametrize("here", [True, False])
def test_a_package_that_is_not_here_is_left_out(
    here: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if here:
        pytest.importorskip("sklearnex")
    else:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert prediction.main(["--quick"]) == 0
    told = capsys.readouterr()
    assert told.out.count("| 50 x 5, ") == 4
    assert ("scikit-learn-intelex is left out" in told.err) != here


def test_ratios_are_those_of_turns() -> None:
    cells = prediction.row_of({"pyrrf": [0.01, 0.01, 0.04], "scikit-learn": [0.02, 0.08, 0.04]})
    assert cells == ["10", "40", "", "2.0", ""]
