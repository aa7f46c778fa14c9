"""The runner of the papers' tables: intervals, Markdown, resumption, failures. Run: pytest benchmarks."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks.jobs import store
from benchmarks.jobs.intervals import number
from benchmarks.jobs.job import Answers, Job, Options, seed_of
from benchmarks.jobs.run import Run, clock
from benchmarks.jobs.sets import read_set
from benchmarks.papers import __main__ as command
from benchmarks.papers import section
from benchmarks.papers.grid import Cell, Grid, count, largest
from benchmarks.papers.table import Table

MADE = {"commit": "commit 1", "machine": "a machine"}


# ---- jobs of the tests ---------------------------------------------------------------------------------------------


def square(options: Options, value: float) -> float:
    return value * value


def total(options: Options, first: float, *needed: float) -> float:
    return first + sum(needed)


def fail(options: Options) -> None:
    raise ValueError("no such thing")


def die(options: Options) -> None:
    os._exit(1)


def sleep(options: Options, folder: str, seconds: float) -> None:
    (Path(folder) / f"begun-{os.getpid()}").touch()
    time.sleep(seconds)


def jobs_of(options: Options) -> list[Job]:
    return [Job(f"row/{i}", square, (i,)) for i in range(1, options.count(4) + 1)]


def report_of(answers: Answers) -> list[Grid]:
    cells = [[Cell.over(answers.below("row"), 7.0), Cell.over(answers.below("row"), 40.0)]]
    return [Grid("Squares: of the first numbers", ["row"], ["near", "far"], cells, step=1)]


TABLE = Table("009-squares", "Squares", jobs_of, report_of)


def wait_until(reached: Callable[[], object]) -> None:
    deadline = time.monotonic() + 600
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def answers_of(jobs: list[Job], folder: Path) -> dict[str, object]:
    return dict(store.load_all(folder, jobs)[0])


# ---- figures -------------------------------------------------------------------------------------------------------


def test_interval_of_a_mean() -> None:
    # Student's t of 3 degrees of freedom at .975 is 3.182446; the standard deviation of 1, 2, 3, 4 is 1.290994.
    cell = Cell.over([1, 2, 3, 4, None, float("nan")], paper=2.0)
    assert cell.mean == 2.5
    assert cell.count == 4
    assert cell.half == pytest.approx(3.182446 * 1.290994 / 2, rel=1e-6)


def test_no_interval_of_one_value_and_none_of_nothing() -> None:
    assert Cell.over([3.0], paper=3).half == np.inf
    assert not Cell.over([3.0], paper=3).is_judged()
    assert Cell.over([None], paper=3).markdown(1) == "- (3)"


@pytest.mark.parametrize(
    ("mean", "half", "paper", "inside"),
    [(27.0, 0.1, 27, True), (27.6, 0.2, 27, True), (27.6, 0.05, 27, False), (26.5, 0.0, 27, True), (30, 2, 27, False)],
)
def test_the_papers_figure_is_rounded(mean: float, half: float, paper: float, inside: bool) -> None:
    assert Cell(mean=mean, half=half, paper=paper).is_inside(step=1) == inside


def test_markdown_of_a_grid() -> None:
    cells = [
        [Cell(mean=29.61, half=3.31, paper=27), Cell(mean=0.1234, half=0.01), Cell(text="1-9-0", paper_text="2-8-0")]
    ]
    cells += [[Cell(mean=9.0, half=0.25, paper=27), None, Cell()]]
    grid = Grid("Sizes", ["colon", "nci"], ["a", "b", "c"], cells, step=1, corner="set")
    assert grid.markdown() == (
        "**Sizes**\n\n| set | a | b | c |\n| --- | --- | --- | --- |\n"
        "| colon | 29.6 ± 3.3 (27) | .1 ± .0 | 1-9-0 (2-8-0) |\n"
        "| nci | **9.0 ± .2 (27)** |  | - |\n"
    )
    counted = count([grid])
    assert (counted.inside, counted.outside, counted.own) == (1, 1, 1)
    assert largest([grid]) == ["Sizes, nci a: 9.0 ± .2 (27), 70.0 half-widths off"]


@pytest.mark.parametrize(("value", "step", "text"), [(0.175, 0.001, ".175"), (-0.5, 0.1, "-.5"), (27.4, 1, "27")])
def test_numbers(value: float, step: float, text: str) -> None:
    assert number(value, step) == text


def test_times_in_words() -> None:
    assert [clock(seconds) for seconds in (40, 600, 3900)] == ["40 s", "10 min", "1 h 05 min"]


def test_seeds_are_for_ever() -> None:
    assert seed_of("colon", 1) == 634384348
    assert len({seed_of("colon", split) for split in range(1000)}) == 1000


# ---- runs ----------------------------------------------------------------------------------------------------------


def test_a_job_gets_the_answers_that_it_needs(tmp_path: Path) -> None:
    jobs = [Job("sum", total, (1,), needs=("b", "a")), Job("a", square, (2,)), Job("b", square, (3,))]
    assert Run("t", jobs, tmp_path, Options(), MADE).go(1) == {}
    assert answers_of(jobs, tmp_path) == {"sum": 14, "a": 4, "b": 9}


def test_a_failure_is_named_and_the_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [Job("bad", fail), Job("after", total, (1,), needs=("bad",)), Job("good", square, (2,))]
    failed = Run("t", jobs, tmp_path, Options(), MADE).go(1)
    assert failed == {"bad": "ValueError: no such thing", "after": "needs bad, which failed"}
    assert answers_of(jobs, tmp_path) == {"good": 4}
    assert "FAILED: bad: ValueError: no such thing" in capsys.readouterr().err


def test_a_process_that_dies_takes_no_other_job_with_it(tmp_path: Path) -> None:
    jobs = [Job("dead", die), Job("good", square, (2,))]
    assert list(Run("t", jobs, tmp_path, Options(), MADE).go(1)) == ["dead"]
    assert answers_of(jobs, tmp_path) == {"good": 4}


def test_other_arguments_are_another_job(tmp_path: Path) -> None:
    store.save(tmp_path, Job("a", square, (2, [1])), 4, 0.5, MADE)
    assert store.load(tmp_path, Job("a", square, (2, (1,))))["answer"] == 4
    assert store.load(tmp_path, Job("a", square, (3, [1]))) is None


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    program = (
        "from benchmarks.test_papers import *\n"
        "if __name__ == '__main__':\n"
        f"    jobs = [Job('a', square, (2,)), Job('b', sleep, ({str(tmp_path)!r}, 3600))]\n"
        f"    Run('t', jobs, Path({str(tmp_path)!r}), Options(), MADE).go(1)\n"
    )
    file = tmp_path / "program.py"
    file.write_text(program)
    root = Path(__file__).parents[1]
    process = subprocess.Popen([sys.executable, file], env=os.environ | {"PYTHONPATH": str(root)})
    wait_until(lambda: list(tmp_path.glob("begun-*")))
    process.send_signal(signal.SIGKILL)
    process.wait()
    worker = next(tmp_path.glob("begun-*")).name.split("-")[1]
    # It does not outlive the process that handed it its job.
    wait_until(lambda: not Path("/proc", worker).exists())
    jobs = [Job("a", fail, (2,)), Job("b", sleep, (str(tmp_path), 3600)), Job("c", square, (3,))]
    rest = Run("t", jobs, tmp_path, Options(), MADE)
    # What was answered is not asked again: "a" would fail.
    assert [job.key for job in rest.waiting] == ["b", "c"]


# ---- sections ------------------------------------------------------------------------------------------------------


def run_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, Path]:
    monkeypatch.setattr(command, "find_tables", lambda: [TABLE.name])
    monkeypatch.setattr(command, "load_table", {TABLE.name: TABLE}.__getitem__)
    output = tmp_path / "PAPERS.md"
    where = ["--store", str(tmp_path / "store"), "--output", str(output), "--jobs", "1"]
    return command.main([*arguments, *where]), output


def test_a_run_writes_its_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, output = run_table(tmp_path, monkeypatch, "009-squares")
    assert status == 0
    text = output.read_text()
    assert "| 009-squares | 1 | 1 | 0 | 4 | " in text
    assert "## 009-squares: Squares\n" in text
    assert "| row | 7.5 ± 10.4 (7) | **7.5 ± 10.4 (40)** |" in text
    assert "**Of 2 comparisons with the paper's figures 1 lie in our intervals.**" in text
    # A section of another table stays; this one is replaced.
    output.write_text(text.replace("009-squares", "008-other"))
    run_table(tmp_path, monkeypatch, "009-squares", "--report")
    again = output.read_text()
    assert text.split("<!-- begin")[1] in again
    assert again.count("<!-- begin") == 2
    assert "| 008-other | 1 | 1 | 0 | 4 | " in again
    run_table(tmp_path, monkeypatch, "--report")
    assert output.read_text() == again


def test_a_run_keeps_the_note_at_the_end_of_its_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, output = run_table(tmp_path, monkeypatch, "009-squares")
    text = output.read_text().replace("note of 009-squares -->\n", "note of 009-squares -->\nA note.\n\nIts end.\n")
    output.write_text(text)
    run_table(tmp_path, monkeypatch, "009-squares", "--report")
    assert output.read_text() == text


def test_a_trial_is_printed_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, output = run_table(tmp_path, monkeypatch, "009-squares", "--splits", "2")
    assert status == 0
    assert not output.exists()
    assert "Squares, trial of 2 splits" in capsys.readouterr().out
    run_table(tmp_path, monkeypatch, "009-squares", "--report")
    assert "## 009-squares: Squares, partial: 2 of 4 jobs" in output.read_text()


def test_unknown_tables_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["009-squares"])
    assert "009-squares: choose of " in capsys.readouterr().err


def test_every_module_of_a_table_is_found(tmp_path: Path) -> None:
    names = command.find_tables()
    assert len(names) == len(list((Path(__file__).parent / "papers").glob("p0*.py")))
    for table in map(command.load_table, names):
        # A section of nothing is no error: it is what a run that fails at once writes.
        jobs = table.jobs(Options(splits=1))
        assert f"partial: 0 of {len(jobs)} jobs" in section.render(table, jobs, tmp_path, Options(), None)


def test_data_sets(tmp_path: Path) -> None:
    (tmp_path / "made.csv").write_text("one,two,class\n1,a,class1\n,b,class2\n")
    (tmp_path / "made.csv.gz").write_bytes(gzip.compress((tmp_path / "made.csv").read_bytes()))
    data = read_set(tmp_path, "made")
    assert list(data.y) == ["class1", "class2"]
    assert np.isnan(data.x["one"][1])
    assert data.x["two"].dtype == "category"
    with pytest.raises(FileNotFoundError, match=r"other.csv.gz is not in"):
        read_set(tmp_path, "other")
