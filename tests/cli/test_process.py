"""The command as a process: pipes, Ctrl-C, exit codes, and what it says where its extras are not installed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

import pyrrf
from pyrrf.cli import entry, messages
from tests.cli.command import GOOD, run_on


def test_a_reader_that_has_seen_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in `pyrrf select ... | head -n 0`."""
    (tmp_path / "d.csv").write_text(GOOD)
    told = ["select", str(tmp_path / "d.csv"), "--target", "y", "--trees", "3", "--features", "1"]
    read, write = os.pipe()
    os.close(read)
    monkeypatch.setattr(sys, "argv", ["pyrrf", *told])
    with open(write, "w") as nobody_reads:
        monkeypatch.setattr(sys, "stdout", nobody_reads)
        with pytest.raises(SystemExit) as left:
            entry.main()
        # As Python does at the end; it would complain of a pipe that is closed.
        nobody_reads.flush()
    assert (left.value.code, capsys.readouterr().err) == (0, "")


def test_the_package_runs_as_the_command() -> None:
    command = [sys.executable, "-m", "pyrrf"]
    told = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert (told.stdout.split()[-1], told.stderr) == (version("pyrrf"), "")
    wrong = subprocess.run([*command, "select", "none.csv"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "Usage: pyrrf select" in wrong.stderr


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text(GOOD)
    told = [
        "d.csv",
        "--target",
        "y",
        "--method",
        "grrf",
        "--trees",
        "10000000",
        "--output",
        "kept.csv",
        "--plot",
        "p.png",
    ]
    command = [sys.executable, "-m", "pyrrf.cli.entry", "select", *told]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        assert process.stderr
        assert process.stderr.readline().startswith(b"note: gamma is 0.5")  # the forests are next
        process.send_signal(signal.SIGINT)
        shown, complaints = process.communicate(timeout=600)
    assert (process.returncode, shown, complaints) == (130, b"", b"pyrrf: stopped\n")
    assert [at.name for at in tmp_path.iterdir()] == ["d.csv"]


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_in_a_callback(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ignores a KeyboardInterrupt there; the next forest stops all the same."""

    class Callback:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def work() -> None:
        Callback()
        pyrrf.RRF(np.arange(8.0)[:, None], list("aabbabab"), ntree=10**7)

    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    assert messages.run_guarded(work) is messages.Exit.STOPPED
    assert capsys.readouterr().err == "pyrrf: stopped\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_script_that_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    module, function = project["scripts"]["pyrrf"].split(":")
    assert getattr(sys.modules[module], function) is entry.main


def test_it_exits_with_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, code in [(["--help"], 0), (["select"], 2), (["select", str(tmp_path / "no.csv"), "--target=y"], 3)]:
        monkeypatch.setattr(sys, "argv", ["pyrrf", *arguments])
        with pytest.raises(SystemExit) as left:
            entry.main()
        assert left.value.code == code


# ---- extras --------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["typer", "rich"])
def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module: str) -> None:
    monkeypatch.delitem(sys.modules, "pyrrf.cli.app", raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    assert entry.main() == 2
    assert capsys.readouterr().err == f'pyrrf: the command pyrrf needs {module}; pip install "pyrrf[cli]"\n'


@pytest.mark.parametrize(
    ("module", "name", "more", "extra"),
    [
        ("pyarrow", "d.parquet", [], "arrow"),
        ("openpyxl", "d.xlsx", [], "excel"),
        ("pyarrow", "d.csv", ["--output", "kept.feather"], "arrow"),
        ("matplotlib", "d.csv", ["--plot", "p.png"], "plot"),
        ("jinja2", "d.csv", ["--report", "r.html"], "report"),
    ],
)
def test_without_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, name: str, more: list[str], extra: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    result = run_on(tmp_path, GOOD, *more, name=name)
    assert result.exit_code == 2
    assert result.stderr.endswith(f'pip install "pyrrf[{extra}]"\n')
    assert [at.name for at in tmp_path.iterdir()] == [name]


# ---- faults --------------------------------------------------------------------------------------


def test_a_fault_of_ours_is_not_taken_for_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        raise ZeroDivisionError

    assert messages.run_guarded(work) == 70
    assert "this is a bug in pyrrf" in capsys.readouterr().err


def test_too_little_memory_is_no_fault_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        np.empty(2**50)

    assert messages.run_guarded(work) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("pyrrf: out of memory; use fewer rows")


def test_the_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["pyrrf", "--version"])
    with pytest.raises(SystemExit) as left:
        entry.main()
    assert (left.value.code, capsys.readouterr().out) == (0, f"pyrrf {version('pyrrf')}\n")
