"""The arithmetic of size against error, by hand; and that the command runs. Run: pytest benchmarks."""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.jobs.job import Options
from benchmarks.selection import __main__ as command
from benchmarks.selection import cases, methods, report, summary, truths
from benchmarks.selection.cases import Part
from benchmarks.selection.judge import judge
from benchmarks.selection.kept import Kept, Method, PastLimit, processor_limit
from benchmarks.selection.summary import Cell, Difference, Point, Tally


def point(setting: str, size: int, errors: Sequence[float]) -> Point:
    """Return a setting that keeps the first features on each split."""
    numbers = range(1, len(errors) + 1)
    return Point(setting, {n: list(range(size)) for n in numbers}, dict(zip(numbers, errors, strict=True)))


# ---- one setting -----------------------------------------------------------------------------------------------------


def test_overlap_by_hand() -> None:
    # 1 of 3, 2 of 2 and 1 of 3.
    assert summary.jaccard([[0, 1], [0, 2], [1, 0]]) == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert summary.jaccard([[], []]) == 1.0
    assert math.isnan(summary.jaccard([[1]]))


def test_recall_and_false_selections_go_by_block() -> None:
    block = np.array([0, 0, 1, -1, -1])
    assert truths.recall(np.array([0, 1, 3]), block) == 0.5
    assert truths.false_selections(np.array([0, 1, 3]), block) == 1
    assert truths.recall(np.array([], int), block) == 0.0


def test_a_cell_keeps_what_failed() -> None:
    one = {"columns": [1, 2], "error": 0.25, "own": None, "seconds": 2.0}
    answers = {1: {"found": {"0.5": one, "1": one}, "trouble": ""}, 2: {"found": {"0.5": one}, "trouble": "past 1 s"}}
    cell = summary.cell_of(answers, (0.5, 1.0, 2.0))
    assert [(p.setting, len(p.errors), p.size, p.error) for p in cell.points] == [
        ("0.5", 2, 2, 0.25),
        ("1", 1, 2, 0.25),
    ]
    assert (cell.splits, cell.troubles) == ([1, 2], {2: "past 1 s"})


# ---- two methods -----------------------------------------------------------------------------------------------------


def test_settings_are_matched_by_size() -> None:
    one = Cell([point("a", 4, [0.1] * 5), point("b", 7, [0.1] * 5), point("none", 0, [0.5] * 5)])
    other = Cell([point("c", 6, [0.2] * 5), point("d", 20, [0.2] * 5)])
    # About 5 are 3.3 to 7.5 features; 7 and 6 are nearer than 4 and 6, though 4 is nearer to 5.
    pair = summary.matched(one, other, 5)
    assert pair is not None
    assert (pair[0].setting, pair[1].setting) == ("b", "c")
    assert summary.matched(one, other, 30) is None


def test_sizes_too_far_apart_are_not_compared() -> None:
    assert summary.matched(Cell([point("a", 4, [0.1] * 5)]), Cell([point("c", 7, [0.1] * 5)]), 5) is None


def test_paired_intervals_by_hand() -> None:
    # Differences 0, .1, .2, .3, .4: mean .2, variance .025, Student's t of 4 degrees of freedom 2.776445.
    one, other = point("a", 5, [0.1, 0.3, 0.5, 0.7, 0.9, 0.9]), point("b", 5, [0.1, 0.2, 0.3, 0.4, 0.5])
    half = 2.776445 * math.sqrt(0.025 / 5)
    drawn, split = (summary.difference(one, other, case) for case in ("linear", "colon"))
    assert drawn is not None
    assert split is not None
    assert (drawn.mean, drawn.half, drawn.wide) == pytest.approx((0.2, half, half), rel=1e-6)
    # Nadeau and Bengio: the variance is 1 / 5 + 1 / 2 in place of 1 / 5.
    assert split.wide == pytest.approx(half * math.sqrt((1 / 5 + 1 / 2) * 5), rel=1e-6)
    assert summary.difference(point("a", 5, [0.2] * 4), other, "colon") is None


@pytest.mark.parametrize(("mean", "half", "verdict"), [(-0.2, 0.1, 1), (0.2, 0.1, -1), (0.1, 0.2, 0), (0.0, 0.0, 0)])
def test_who_errs_less(mean: float, half: float, verdict: int) -> None:
    assert Difference(mean, half, half).verdict(half) == verdict


def test_wins_ties_and_losses() -> None:
    results = {
        case: {
            "GRRF": Cell([point("a", 5, less), point("b", 30, more)]),
            "LASSO": Cell([point("c", 5, more), point("d", 30, less), point("e", 2, less)]),
        }
        for case, less, more in (("linear", [0.1] * 5, [0.2] * 5), ("colon", [0.1, 0.3] * 3, [0.3, 0.1] * 3))
    }
    assert summary.tallies(results, ["linear", "colon"], "GRRF", "LASSO")[0] == Tally(1, 2, 1)
    assert summary.tallies(results, ["linear"], "LASSO", "GRRF")[0].text() == "1-0-1"
    assert summary.tallies(results, ["linear"], "GRRF", "mRMR")[0] == Tally(0, 0, 0)


# ---- cases and the judge ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", truths.TRUTHS)
def test_what_tells_tells(name: str) -> None:
    told, truth = cases.part(None, name, 1), truths.TRUTHS[name]
    assert told.x.shape == (truth.rows, truth.columns)
    assert told.x_test.shape == (truths.TEST_ROWS, truth.columns)
    informative = np.flatnonzero(truth.block_of() >= 0)
    guess = float((told.y_test != np.bincount(told.y).argmax()).mean())
    assert judge(told, np.array([], int)) == guess
    assert judge(told, informative) < guess - 0.1
    assert judge(told, np.array([truth.columns - 1])) > guess - 0.1


def test_splits_differ_and_repeat() -> None:
    one, other = cases.part(None, "linear", 1), cases.part(None, "linear", 2)
    assert not np.array_equal(one.x, other.x)
    cases.part.cache_clear()
    np.testing.assert_array_equal(one.x, cases.part(None, "linear", 1).x)


def test_of_large_sets_each_split_draws_some_rows(tmp_path: Path) -> None:
    row = np.arange(3000)
    table = pd.DataFrame({"row": row, "again": row, "class": np.where(row % 3, "a", "b")})
    table.to_csv(tmp_path / "madelon.csv.gz", index=False)
    one, other = cases.part(tmp_path, "madelon", 1), cases.part(tmp_path, "madelon", 2)
    assert (len(one.x), len(one.x_test)) == (1000, 500)
    drawn = [{*part.x[:, 0], *part.x_test[:, 0]} for part in (one, other)]
    assert len(drawn[0]) == len(drawn[1]) == cases.MOST_ROWS
    assert drawn[0] != drawn[1]
    assert one.y.mean() == pytest.approx(1 / 3, abs=0.002)


# ---- jobs ------------------------------------------------------------------------------------------------------------


def first(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Keep the first features; 13 raises, 14 takes for ever."""
    for size in sizes:
        if size == 13:
            raise ValueError("no such size")
        while size == 14:
            pass
        yield size, Kept(np.arange(int(size)), 0.5, 0.25)


def test_time_of_the_processor_is_limited() -> None:
    def work() -> None:
        begun = time.process_time()
        while time.process_time() < begun + 30:
            pass

    with pytest.raises(PastLimit), processor_limit(0.1):
        work()
    # Work that ends in time does not meet it later.
    with processor_limit(0.1):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


@pytest.mark.parametrize(("last", "trouble"), [(13.0, "ValueError: no such size"), (14.0, "past 0.2 s")])
def test_failures_are_answers(monkeypatch: pytest.MonkeyPatch, last: float, trouble: str) -> None:
    monkeypatch.setitem(methods.METHODS, "LASSO", Method(first, "K", (2.0, last), ""))
    answer = methods.try_method(Options(), "interactions", 1, "LASSO", [2.0, last], 0.2)
    assert answer["trouble"] == trouble
    assert answer["found"]["2"]["columns"] == [0, 1]
    assert list(answer["found"]) == ["2"]
    json.dumps(answer, allow_nan=False)


@pytest.mark.parametrize("name", ["GRRF", "RRF", "consensus", "SelectFromModel", "LASSO", "all"])
def test_methods_that_are_always_here(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods.ours, "GUIDE_TREES", 20)
    monkeypatch.setattr(methods.ours, "PAIRS", 3)
    monkeypatch.setattr(methods.ours, "CONSENSUS_GUIDE", 20)
    method, told = methods.METHODS[name], cases.part(None, "interactions", 1)
    few = method.settings[:2]
    found = dict(method.select(told, few, 1))
    assert tuple(found) == few
    for kept in found.values():
        assert np.array_equal(kept.columns, np.unique(kept.columns))
        assert kept.own is None or 0 <= kept.own < 0.5


def test_absent_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "is_at_hand", lambda package: package != "boruta")
    assert report.absences({"linear": {}}) == ["**Absent here**, so not run: boruta_py (boruta)."]
    assert report.absences({"linear": {"boruta_py": Cell([])}}) == []
    assert not methods.is_at_hand("no_such_package_of_python")


def test_every_case_and_method_has_its_jobs() -> None:
    jobs = command.jobs_of(Options())
    assert len(jobs) == len(cases.CASES) * len(methods.METHODS) * cases.SPLITS
    assert sorted({job.cost for job in jobs}) == list(dict.fromkeys(job.cost for job in jobs))


def test_a_run_goes_on_and_writes_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--cases", "interactions", "--methods", "LASSO", "all", "--store", str(tmp_path / "store")]
    assert command.main([*asked, "--splits", "5"]) == 0
    text = capsys.readouterr().out
    assert "**Unfinished**: 10 of 600 jobs." in text
    assert "| LASSO | C / least C 3 | " in text
    files = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.json")}
    output = tmp_path / "SELECTION.md"
    assert command.main([*asked, "--report", "--output", str(output)]) == 0
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.json")} == files
    text = output.read_text()
    assert "**Unfinished**: 10 of 2,400 jobs." in text
    assert "| LASSO, 5 of 20 | C / least C 3 | " in text
    assert "<svg" in (tmp_path / "selection" / "interactions.svg").read_text()
