"""The benchmarks run and judge rightly; no time is asserted. Run: pytest benchmarks."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import bench, tables
from benchmarks.peers import PARALLEL, RANGER, Peer, make_peers
from benchmarks.runner import Call, Result, compare_answers
from benchmarks.shapes import QUICK_SHAPES, SHAPES


def result(times: dict[Peer, list[float]], key: str = "b") -> dict[str, Result]:
    calls = {peer: [Call(t, 100.0 + t, 90.0, "p", []) for t in values] for peer, values in times.items()}
    return {key: Result(SHAPES[key], calls)}


def test_quick_run_writes_report_and_picture(tmp_path: Path) -> None:
    file = tmp_path / "RESULTS.md"
    assert bench.main(["--quick", "--peer", "pyrrf", "--peer", PARALLEL, "--output", str(file)]) == 0
    text = file.read_text()
    for comparison in ("parallel threads", "parallel threads, ordinary"):
        assert f"- {comparison}: identical (shapes {', '.join(QUICK_SHAPES)}" in text
    assert "FAILED" not in text
    assert "<svg" in (tmp_path / "scaling.svg").read_text()


def test_a_failed_call_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "make_peers", lambda *_: [Peer(PARALLEL, True, 0)])
    file = tmp_path / "RESULTS.md"
    monkeypatch.setattr(bench.scaling, "run", lambda *_: ([], {}))
    assert bench.main(["--quick", "--peer", PARALLEL, "--output", str(file)]) == 1
    assert "FAILED: tiny: pyrrf parallel, regularized, 0 threads, seed 1." in file.read_text()


@pytest.mark.parametrize(("second", "same"), [(b"12", True), (b"13", False)])
def test_answers_are_compared_across_threads(tmp_path: Path, second: bytes, same: bool) -> None:
    peers = make_peers([PARALLEL], [1, 2])
    for peer in peers:
        (tmp_path / f"{peer}.answer").write_bytes(second if peer == Peer(PARALLEL, True, 2) else b"12")
    equal = {}
    compare_answers(tmp_path, peers, equal)
    assert equal == {"parallel threads": same, "parallel threads, ordinary": True}
    assert not Result(SHAPES["a"], {}, equal).sound or same


def test_a_difference_is_not_forgotten(tmp_path: Path) -> None:
    equal = {"parallel threads": False}
    peers = [Peer(PARALLEL, True, 1), Peer(PARALLEL, True, 2)]
    for peer in peers:
        (tmp_path / f"{peer}.answer").write_bytes(b"12")
    compare_answers(tmp_path, peers, equal)
    assert equal == {"parallel threads": False}


def test_goals_are_met_or_missed() -> None:
    times = {Peer(PARALLEL, True, 1): [1.0, 2.0, 9.0], Peer(PARALLEL, True, 2): [1.0], Peer(RANGER, True, 1): [7.0]}
    line = tables.goals(result(times), True).splitlines()[-1]
    assert "3.50, goal ≥ 4: MISSED by 12%" in line
    assert "2.00, goal ≥ 1.8: met" in line


def test_unmeasured_peers_have_no_columns() -> None:
    text = tables.ordinary(result({Peer(PARALLEL, False, 1): [1.0], Peer(PARALLEL, False, 2): [0.5]}))
    assert "scikit-learn" not in text
    assert "| 2.00 |" in text
