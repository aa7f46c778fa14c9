"""`pyrrf migrate`: files, summary, exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

runner = pytest.importorskip("typer.testing").CliRunner()
pytest.importorskip("tree_sitter_language_pack")


def migrate(*arguments: str, **how: Any) -> Any:
    """What the command answers."""
    from pyrrf.cli.app import app

    return runner.invoke(app, ["migrate", *arguments], **how)


def test_all_lines_moved(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- rnorm(3)\nprint(mean(x))\n")
    result = migrate(str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "note: 2 of 2 lines translated\n")
    assert (tmp_path / "a.py").read_text().splitlines() == [
        '"""Translated from a.R by pyrrf migrate: 2 of 2 lines translated. Nothing was checked; --check does."""',
        "",
        "from pyrrf import r",
        "",
        "x = r.rnorm(3)",
        "r.print(r.mean(x))",
    ]


def test_lines_left_over() -> None:
    result = migrate("-", input="x <- nosuch()\ny <- 1\n")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "note: line 1: nosuch() is not known here",
        "pyrrf: 1 of 2 lines translated; 1 line left over, as comments with the reason",
    ]
    assert result.stdout.splitlines()[-4:] == [
        "# not translated: nosuch() is not known here; if it draws random numbers, what follows draws others than in R",
        "#R x <- nosuch()",
        'x = r.not_translated("x", "line 1: nosuch() is not known here")',
        "y = r.c(1)",
    ]


def test_lines_by_r(tmp_path: Path) -> None:
    result = migrate("-", "--with-r", input="x <- nosuch()\ny <- 1\n")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "note: by R, line 1: nosuch() is not known here",
        "note: 1 of 2 lines translated; R computes the others when the Python runs",
    ]
    assert result.stdout.splitlines()[-2:] == ['x = r.by_r("nosuch()")', "y = r.c(1)"]
    both = migrate(str(tmp_path / "a.R"), "--with-r", "--check", "-o", str(tmp_path / "a.py"))
    assert both.exit_code == 2
    assert "give one of the two" in both.stderr


@pytest.mark.parametrize(
    ("content", "output", "word"),
    [
        (None, "a.py", "No such file"),
        (b"\xff\xfe\xfd", "a.py", "UTF-8"),
        (b"x <- 1", "no/a.py", "no"),
        (b"Text\n```{r}\nx <- 1\n```\n", "a.py", "purl"),
        (b"x <- 1" + b"+1" * 3000, "a.py", "too deeply"),
    ],
)
def test_files_that_are_not_as_they_should_be(tmp_path: Path, content: bytes | None, output: str, word: str) -> None:
    if content is not None:
        (tmp_path / "a.R").write_bytes(content)
    result = migrate(str(tmp_path / "a.R"), "-o", str(tmp_path / output))
    assert result.exit_code == 3
    assert word in result.stderr
    assert not (tmp_path / "a.py").exists()


def test_scripts_that_are_sourced_are_moved_along(tmp_path: Path) -> None:
    (tmp_path / "b.R").write_text("twice <- function(x) 2 * x\n")
    (tmp_path / "a.R").write_text('source("b.R")\ny <- twice(3)\n')
    result = migrate(str(tmp_path / "a.R"))
    assert result.stdout.splitlines()[-5:] == ["def twice(x):", "    return 2 * x", "", "", "y = twice(r.c(3))"]
