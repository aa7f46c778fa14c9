"""The benchmark of overlaps: by hand, and that it runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import overlap


def test_overlaps_by_hand() -> None:
    # 1 of 3, 2 of 2 and 1 of 3.
    supports = np.array([[1, 1, 0], [1, 0, 1], [1, 1, 0]], np.bool_)
    assert overlap.overlap(supports) == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert overlap.main(["--quick"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "Selector" in line and line.startswith("|")]
    one, frequent, _ = [line.split("|") for line in lines]
    assert 0 < float(one[5]) <= 1
    assert 0 < float(frequent[5]) <= 1
    assert frequent[3].strip() == f"{round(float(one[3])):.1f}"


def test_subsets_without_features_have_no_overlap() -> None:
    assert overlap.row("none", np.zeros((3, 4), np.bool_))[-1] == "-"
