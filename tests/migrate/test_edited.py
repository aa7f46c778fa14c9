"""Python files that were edited, checked as they stand; the command; the same by `pyrrf parity`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("typer")

from typer.testing import CliRunner

from pyrrf.migrate.check import stepper
from pyrrf.migrate.check.account import lines_of
from pyrrf.migrate.check.alignment import align
from pyrrf.migrate.check.checking import check
from pyrrf.migrate.check.editing import likely_cause
from pyrrf.migrate.check.recording import CheckError
from pyrrf.migrate.check.written import IMPORT, left_folder
from pyrrf.migrate.translation import translate
from pyrrf.r.values.vector import doubles
from tests.migrate.played import SCRIPT, STEPS, check_edited, check_script, python

runner = CliRunner()

# ---- edited files --------------------------------------------------------------------------------


def test_a_line_that_was_thawed(tmp_path: Path, played: Callable[..., None]) -> None:
    result = check_edited(tmp_path, played, lambda code: code.replace('y = r.left("a.left/002.rds", "y")', "y = x + 2"))
    assert result.report[1:] == ["equal now: line 2", "frozen, as before: line 3"]
    assert result.summary == "of 4 statements 3 equal, 1 frozen, 0 differs"
    again = check(tmp_path / "a.R", tmp_path / "a.py")
    assert again.report[1:] == ["frozen, as before: line 3"]


def test_a_line_that_is_no_longer_equal(tmp_path: Path, played: Callable[..., None]) -> None:
    result = check_edited(tmp_path, played, lambda code: code.replace("w = x + 1", "w = x + 2"))
    line = (tmp_path / "a.py").read_text().split("\n").index("w = x + 2") + 1
    assert f"not equal: line 4 of R, line {line} of a.py: it differs: w[1]: 3 here, 2 in R" in result.report
    assert not result.clean


def test_an_edit_in_many_lines_with_imports(tmp_path: Path, played: Callable[..., None]) -> None:
    more = (
        "import numpy as np\n\n\n@np.vectorize\ndef add(a):\n    return a\n\n\ny = r.c(*[v + 2 for v in (1, 2)]); q = 1"
    )
    result = check_edited(tmp_path, played, lambda code: code.replace('y = r.left("a.left/002.rds", "y")', more))
    assert result.report[1:] == ["equal now: line 2", "frozen, as before: line 3"]


def test_lines_that_were_laid_out_otherwise(tmp_path: Path, played: Callable[..., None]) -> None:
    def change(code: str) -> str:
        return "#!/usr/bin/python\n" + code.replace("x = r.c(1", "x = r.c(\n  1")

    result = check_edited(tmp_path, played, change)
    assert result.report[1:] == ["frozen, as before: lines 2, 3"]


def test_two_lines_made_one(tmp_path: Path, played: Callable[..., None]) -> None:
    def change(code: str) -> str:
        start, end = code.index("# line 2"), code.index("w = x")
        return code[:start] + "y = x + 2\nz = r.c(5)\n" + code[end:]

    assert check_edited(tmp_path, played, change).report[1:] == ["equal now: lines 2, 3"]


def test_a_line_that_was_removed(tmp_path: Path, played: Callable[..., None]) -> None:
    result = check_edited(tmp_path, played, lambda code: code.replace("w = x + 1\n", ""))
    assert "not equal: line 4 of R, nothing in a.py: it differs: w: nothing here, double in R" in result.report


def test_what_no_longer_is_python(tmp_path: Path, played: Callable[..., None]) -> None:
    with pytest.raises(CheckError, match=r"a\.py: line \d+: "):
        check_edited(tmp_path, played, lambda code: code + "w = (\n")


def test_force_writes_anew(tmp_path: Path, played: Callable[..., None]) -> None:
    check_edited(tmp_path, played, lambda code: code.replace("w = x + 1", "w = x + 2"))
    played(*STEPS)
    _, code = check_script(tmp_path, SCRIPT, force=True)
    assert "w = x + 1" in code


def test_a_script_that_was_edited_too(tmp_path: Path, played: Callable[..., None]) -> None:
    check_edited(tmp_path, played, lambda code: code + "\n# mine\nprint\n")
    played(STEPS[0], {"values": {"v": doubles([1])}}, *STEPS[1:])
    (tmp_path / "a.R").write_text(SCRIPT.replace("y <-", "v <- 1\ny <-"))
    result = check(tmp_path / "a.R", tmp_path / "a.py")
    assert any(text.startswith("not equal: line 2 of R, nothing in a.py") for text in result.report), result.report


def test_files_that_migrate_has_not_written_stay(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    (tmp_path / "a.py").write_text("mine = 1\n")
    with pytest.raises(CheckError, match="has not written it; --force replaces it"):
        check_script(tmp_path, SCRIPT)
    (tmp_path / "a.py").write_bytes(b"\xff")
    with pytest.raises(CheckError, match="not UTF-8"):
        check_script(tmp_path, SCRIPT)


def test_a_file_that_was_moved_without_check(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    (tmp_path / "a.R").write_text(SCRIPT)
    code = translate(SCRIPT, "a.R", tmp_path).code.replace("w = x + 1", "w = 1 + x")
    (tmp_path / "a.py").write_text(code)
    result = check(tmp_path / "a.R", tmp_path / "a.py")
    assert sum(text.startswith("not equal: ") for text in result.report) == 2


def test_what_is_not_needed_any_more_is_removed(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    check_script(tmp_path, SCRIPT)
    (tmp_path / "a.left" / "notes.txt").write_text("mine")
    assert len(list(left_folder(tmp_path / "a.py").iterdir())) == 4
    played(STEPS[0])
    check_script(tmp_path, "x <- c(1, 2)\n")
    assert sorted(path.name for path in (tmp_path / "a.left").iterdir()) == ["check.json", "notes.txt"]


def test_alignment_of_equal_lines() -> None:
    translated = translate("x <- 1\nx <- 1\nlibrary(a)\nx <- 1\nf(x)\n")
    codes = [statement.code for statement in translated.statements]
    spans = align(translated.code.replace(python("x <- 1"), "x = r.c(2)", 1), translated.statements, codes, IMPORT)
    assert [(block.first, block.end) for block in spans.blocks] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert spans.intact == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("lines", "text"),
    [([3], "line 3"), ([3, 4], "lines 3, 4"), ([5, 3, 4, 9], "lines 3 to 5, 9"), (range(1, 99, 3), "and 25 more")],
)
def test_lines_in_words(lines: list[int], text: str) -> None:
    assert lines_of(lines).endswith(text)


def test_likely_causes() -> None:
    assert "rounded" in likely_cause("it differs: x[2]: 0.30000000000000004 here, 0.29999999999999999 in R")
    assert "strings" in likely_cause("it differs: levels(x)[1]: 'a' here, 'B' in R")
    assert "5L" in likely_cause("it differs: n: integer here, double in R")
    assert likely_cause("it differs: n: 1 here, 2 in R") == ""


def test_text_that_closing_a_plot_prints() -> None:
    from pyrrf.r.files.recorded import Record

    assert stepper._text_difference("", Record(text="null device \n          1 \n")) == ""
    assert stepper._text_difference("a\n", Record(text="b\n")) == "it prints 'a', R 'b'"


# ---- the command ---------------------------------------------------------------------------------


def migrate(*arguments: str, **how: Any) -> Any:
    """Run the command."""
    from pyrrf.cli.app import app

    return runner.invoke(app, ["migrate", *arguments], **how)


def test_the_command(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    (tmp_path / "a.R").write_text(SCRIPT)
    given = ("--check", str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    result = migrate(*given)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[1:] == [
        "note: Frozen, with what R left in a.left:",
        "note:     line 2: nosuch() is not known here (and line 3)",
        "pyrrf: 2 of 4 lines translated and equal",
    ]
    (tmp_path / "a.py").write_text((tmp_path / "a.py").read_text() + "# mine\n")
    result = migrate(str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    assert (result.exit_code, "edited since it was checked" in result.stderr) == (3, True)
    assert migrate(str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"), "--force").exit_code == 1


@pytest.mark.parametrize("given", [("--check", "a.R"), ("--check", "-", "-o", "a.py")])
def test_check_needs_files(given: tuple[str, ...]) -> None:
    assert migrate(*given, input="x <- 1").exit_code == 2


def test_without_r(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "a.R").write_text("x <- 1\n")
    result = migrate("--check", str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    assert result.exit_code == 3
    assert "R is not to be found; install R" in result.stderr
    assert not (tmp_path / "a.py").exists()


def test_parity_takes_the_same_instrument(tmp_path: Path, played: Callable[..., None]) -> None:
    from pyrrf.cli.app import app

    check_edited(tmp_path, played, lambda code: code.replace("w = x + 1", "w = x + 2"))
    result = runner.invoke(app, ["parity", str(tmp_path / "a.R"), str(tmp_path / "a.py")])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "identical: 1 statement, in all values and the random stream",
        "as R left them: 2 statements",
    ]
    assert lines[2].startswith("differs: line 4 of R, line ")
    assert lines[2].endswith("w[1]: 3 here, 2 in R")
