"""source(): which files are read, how often, and what never ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("tree_sitter_language_pack")

from typer.testing import CliRunner

from pyrrf.migrate.parse.sourcing import FLAG, MOST_BYTES, MOST_DEPTH, MOST_FILES
from pyrrf.migrate.translation import translate

runner = CliRunner()

SECRET = "sesame"


def translate_in(folder: Path, script: str, **how: Any) -> Any:
    """A script translated in a folder."""
    return translate(script, "a.R", folder, **how)


def reasons(translation: Any) -> list[str]:
    """Why statements were left over."""
    return [item.reason for item in translation.left]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a script, next to a file outside of it."""
    (tmp_path / "secret.R").write_text(f"{SECRET} <- 1\n")
    (tmp_path / "project" / "R").mkdir(parents=True)
    (tmp_path / "project" / "R" / "b.R").write_text("twice <- function(x) 2 * x\n")
    return tmp_path / "project"


def outsiders(project: Path) -> list[str]:
    """Paths that lead out of the folder."""
    (project / "link.R").symlink_to(project.parent / "secret.R")
    (project / "up").symlink_to(project.parent)
    return ["../secret.R", str(project.parent / "secret.R"), "link.R", "up/secret.R", "R/../../secret.R", "/dev/zero"]


def test_files_outside_are_not_read(project: Path) -> None:
    for path in outsiders(project):
        translation = translate_in(project, f'source("{path}")\ny <- 1\n')
        assert FLAG in reasons(translation)[0], path
        assert SECRET not in translation.code, path


def test_the_flag_lets_them_be_read(project: Path) -> None:
    for path in outsiders(project)[:-1]:
        assert f"{SECRET} = r.c(1)" in translate_in(project, f'source("{path}")\n', outside=True).code, path


def test_the_command_has_the_flag(project: Path) -> None:
    from pyrrf.cli.app import app

    (project / "a.R").write_text('source("../secret.R")\n')
    refused = runner.invoke(app, ["migrate", str(project / "a.R")])
    assert (refused.exit_code, FLAG in refused.stderr, SECRET in refused.output) == (1, True, False)
    allowed = runner.invoke(app, ["migrate", str(project / "a.R"), FLAG])
    assert (allowed.exit_code, SECRET in allowed.stdout) == (0, True)


def test_a_folder_that_is_a_link_is_the_folder(project: Path) -> None:
    (project.parent / "other").symlink_to(project)
    assert translate_in(project.parent / "other", 'source("R/b.R")\ny <- twice(2)\n').left == []


def _pipe(file: Path) -> None:
    os.mkfifo(file)


NO_SCRIPTS: dict[str, Callable[[Path], object]] = {
    "pipe": _pipe,
    "folder": lambda file: file.mkdir(),
    "binary": lambda file: file.write_bytes(b"\x7fELF\x00\xff" + SECRET.encode()),
    "zeros": lambda file: file.write_bytes(b"x <- 1\x00" + SECRET.encode()),
    "latin": lambda file: file.write_bytes(f"# {SECRET} \xe9\n".encode("latin-1")),
    "text": lambda file: file.write_text(f"root:x:0:0:{SECRET}:/root:/bin/bash\nuser:{SECRET} said so\n"),
    "large": lambda file: file.write_text(f"# {SECRET}\n" + "x <- 1\n" * (MOST_BYTES // 7)),
    "circle": lambda file: file.symlink_to(file),
    "nothing": lambda file: None,
}


@pytest.mark.parametrize("kind", NO_SCRIPTS)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no such files")
def test_what_is_no_script_is_refused_at_once(project: Path, kind: str) -> None:
    NO_SCRIPTS[kind](project / "b.R")
    translation = translate_in(project, 'source("b.R")\ny <- 1\n')
    assert len(translation.left) == 1
    assert "source() of a file" in reasons(translation)[0]
    assert SECRET not in translation.code
    assert "y = r.c(1)" in translation.code


def test_devices_never_end_even_with_the_flag(project: Path) -> None:
    for path in ("/dev/zero", "/dev/urandom", "/dev/stdin", "/proc/self/mem", "/", "/proc/kmsg"):
        if Path(path).exists():
            translation = translate_in(project, f'source("{path}")\n', outside=True)
            assert len(translation.left) == 1, path


def test_a_chain_that_doubles_ends(project: Path) -> None:
    """Each file sources the next two times, and that draws."""
    for index in range(30):
        (project / f"{index}.R").write_text(f'x{index} <- rnorm(1)\nsource("{index + 1}.R")\nsource("{index + 1}.R")\n')
    translation = translate_in(project, 'source("0.R")\n')
    assert any(f"inside of {MOST_DEPTH} files" in reason for reason in reasons(translation))
    assert len(translation.code) < 50_000


def test_a_circle_ends(project: Path) -> None:
    (project / "b.R").write_text('source("a.R")\n')
    (project / "a.R").write_text('x <- 1\nsource("b.R")\n')
    translation = translate_in(project, (project / "a.R").read_text())
    assert translation.code.count("x = r.c(1)") == 2
    assert any("stands above already" in reason for reason in reasons(translation))


def test_too_many_files(project: Path) -> None:
    for index in range(MOST_FILES + 1):
        (project / f"{index}.R").write_text(f"x{index} <- {index}\n")
    translation = translate_in(project, "".join(f'source("{index}.R")\n' for index in range(MOST_FILES + 1)))
    assert reasons(translation) == [f"source() of more than {MOST_FILES} files"]


def test_functions_that_two_files_need_stand_once(project: Path) -> None:
    """As in R, where they are defined again; a file that draws is another matter."""
    (project / "b.R").write_text('source("R/b.R")\ny <- twice(1)\n')
    translation = translate_in(project, 'source("R/b.R")\nsource("b.R")\nz <- twice(y)\n')
    assert (translation.left, translation.code.count("def twice")) == ([], 1)


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("x <- rnorm(1)\n", "y <- 2\n"),
        ("f <- function() 1\n", "f <- function() 2\n"),
        ("f <- function() 1\n", "f$a <- 2\n"),
    ],
)
def test_what_is_another_the_second_time_is_left(project: Path, inner: str, outer: str) -> None:
    (project / "b.R").write_text(inner)
    translation = translate_in(project, f'source("b.R")\n{outer}source("b.R")\n')
    assert any("stands above already" in reason for reason in reasons(translation))


def test_lines_after_a_file_inside_of_a_file_are_of_the_script(project: Path) -> None:
    (project / "b.R").write_text('source("R/b.R")\n\n\n\n\nnosuch(1)\nz <- nosuch(2)\n')
    translation = translate_in(project, 'source("b.R")\n# after\ny <- twice(1)\n')
    assert translation.code.splitlines()[-2:] == ["# after", "y = twice(r.c(1))"]


def test_what_one_file_calls_T_the_others_do_too(project: Path) -> None:
    (project / "b.R").write_text("T <- 0\n")
    assert translate_in(project, 'source("b.R")\nx <- T\n').code.splitlines()[-2:] == ["T = r.c(0)", "x = T"]
    (project / "b.R").write_text("x <- T\n")
    assert translate_in(project, 'T <- 0\nsource("b.R")\n').code.splitlines()[-2:] == ["T = r.c(0)", "x = T"]


def test_a_file_is_sourced_before_the_script_has_its_own_source(project: Path) -> None:
    translation = translate_in(project, 'source("R/b.R")\nsource <- function(x) 1\ny <- source("R/b.R")\n')
    assert (translation.left, translation.code.splitlines()[-1]) == ([], 'y = source(r.c("R/b.R"))')
    unsure = translate_in(project, 'if (pi > 3) source <- function(x) 1\nsource("R/b.R")\n')
    assert reasons(unsure) == ["source() of R or of the script, as it comes"]
