"""The benchmark of a cluster: it runs, and its table holds what was measured."""

from __future__ import annotations

import pytest

from benchmarks import cluster


# Dask itself leaves sockets and loops to the collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_quick_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert cluster.main(["--quick"]) == 0
    lines = [line.split("|") for line in capsys.readouterr().out.splitlines() if line.startswith("| made, 60 x 8 |")]
    tasks = {cells[2].strip(): int(cells[3]) for cells in lines}
    # Two workers with two threads, four ranges for each; ten gammas beside; five folds, and one for each
    # two of them.
    assert tasks["guide"] == 16
    assert tasks["path"] == 16 + 10
    assert tasks["choice"] == 5 + 10 + 16
    assert tasks["stability"] >= 2 * cluster.PAIRS
    for cells in lines:
        assert 0 < float(cells[4]) < 1
