"""The benchmark of gamma for numbers: what is drawn, what is counted, and that it runs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import gammas
from benchmarks.gammas import Found


@pytest.mark.parametrize("name", gammas.CASES)
def test_rows_are_drawn_anew(name: str) -> None:
    case = gammas.CASES[name]
    (x, y), (other, _) = case.draw(1)
    again, _ = case.draw(1)[0]
    assert x.shape[1] == other.shape[1]
    assert len(x) == len(y)
    assert np.array_equal(np.asarray(x)[0].astype(str), np.asarray(again)[0].astype(str))
    assert not np.array_equal(y, case.draw(2)[0][1])


def test_the_summary_ranks_by_hand() -> None:
    one = {"a/0": Found(3, 1, 0.5), "a/1": Found(1, 0, 0.7)}
    two = {"a/0": Found(5, 3, 0.9), "a/1": Found(3, 0, 0.1)}
    assert gammas.summary({"x": one, "y": two}).splitlines()[2:] == [
        "| a | 0 | 4.0 | 2.0 | 0.700 | 1.5 |",
        "| a | 1 | 2.0 | 0.0 | 0.400 | 1.5 |",
    ]


def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert gammas.main(["--quick"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| friedman1 |")]
    assert len(rows) == len(gammas.WAYS)
    assert all("| 60.0 (55.0), 0." in row for row in rows)
