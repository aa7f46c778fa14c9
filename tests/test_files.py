"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pandas as pd
import pytest

from pyrrf.files import check_target, write_all
from pyrrf.r import write_csv


def write(path: Path, text: str) -> None:
    check_target(path)
    write_all({str(path): lambda at: at.write_text(text)})


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write(path, "first")
    path.chmod(0o600)
    write(path, "again")
    assert path.read_text() == "again"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["a.txt"]


def test_nothing_is_left_of_what_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write(path, "before")
    with pytest.raises(UnicodeEncodeError):
        write(path, "half" * 10_000 + "\ud800")
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_threads_that_write_the_same_file(tmp_path: Path) -> None:
    """Each has a file of its own beside the place, which no other takes away."""
    path = tmp_path / "a.txt"
    beside: list[Path] = []

    def slowly(at: Path) -> None:
        at.write_text("first")
        beside.append(at)
        check_target(path)
        write_all({str(path): lambda own: own.write_text("second")})

    write_all({str(path): slowly})
    assert path.read_text() == "first"
    assert os.listdir(tmp_path) == ["a.txt"]
    write(tmp_path / ("n" * 251 + ".txt"), "a name as long as the system allows")


def test_all_or_none(tmp_path: Path) -> None:
    files = {
        str(tmp_path / "a"): lambda at: at.write_text("a"),
        str(tmp_path / "b"): lambda at: at.joinpath("c").mkdir(),
    }
    with pytest.raises(OSError, match=r"b: No such file"):
        write_all(files)
    assert os.listdir(tmp_path) == []


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write(tmp_path / "link.txt", "after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"


@pytest.mark.parametrize("target", ["real.gz", "real", "nothing.dat", "nothing"])
def test_the_format_is_that_of_the_requested_name(tmp_path: Path, target: str) -> None:
    """Libraries choose it by the extension of the path; a link may lead to another one, or nowhere."""
    if target.startswith("real"):
        (tmp_path / target).write_text("before")
    (tmp_path / "link.csv").symlink_to(target)
    check_target(tmp_path / "link.csv")
    write_all({str(tmp_path / "link.csv"): lambda at: pd.DataFrame({"x": [1]}).to_csv(at, index=False)})
    assert (tmp_path / target).read_text() == "x\n1\n"
    assert sorted(os.listdir(tmp_path)) == sorted(["link.csv", target])


def test_a_file_that_is_read_only_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("before")
    # The superuser, who may run the tests, may write to all.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "a.txt" or mode != os.W_OK)
    with pytest.raises(PermissionError, match=r"a\.txt: this file is read-only"):
        check_target(tmp_path / "a.txt")
    check_target(tmp_path / "b.txt")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("none/a.txt", "there is no folder"),
        (".", "exists and is not a file"),
        (os.devnull, "exists and is not a file"),
        ("a" * 252 + ".txt", "no file can be made in .*: File name too long"),
        pytest.param(
            "/proc/a.txt",
            "/proc/a.txt: no file can be made in '/proc'",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc"),
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, path: str, error: str) -> None:
    with pytest.raises(OSError, match=error):
        check_target(tmp_path / path)
    assert os.listdir(tmp_path) == []


def full_disk(at: Path, text: str = "half") -> None:
    """Write a part, and find the disk full, as a library tells it with the name that it was given."""
    at.write_bytes(text.encode())
    raise OSError(errno.ENOSPC, "No space left on device", str(at))


def test_a_full_disk_is_told_with_the_name_that_was_asked_for(tmp_path: Path) -> None:
    path = str(tmp_path / "a.txt")
    writers = [
        full_disk,
        # A writer that writes whole files itself, as the report of the command does.
        lambda at: write_all({str(at): full_disk}),
        # A library that has words of its own.
        lambda at: (_ for _ in ()).throw(OSError(f"cannot write {at}: No space left on device")),
    ]
    for writer in writers:
        with pytest.raises(OSError, match="No space left on device") as told:
            write_all({path: writer})
        assert str(told.value).startswith(f"{path}: ")
        assert f"{os.sep}." not in str(told.value)
        assert os.listdir(tmp_path) == []


def test_what_cannot_be_put_in_its_place_is_told_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match=r"a\.txt: ") as told:
        write_all({str(tmp_path / "a.txt"): lambda at: at.write_text("text")})
    assert f"{os.sep}." not in str(told.value)
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_table_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    monkeypatch.setattr(Path, "write_text", lambda at, text, **how: full_disk(at))
    with pytest.raises(OSError, match=r"a\.csv: No space left on device"):
        write_csv(pd.DataFrame({"x": [1, 2]}), path)
    monkeypatch.undo()
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    # A file in its place would take the device from the whole system.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_csv(pd.DataFrame({"x": [1, 2]}), pipe)
    assert os.read(reading, 100) == b'"","x"\n"1",1\n"2",2\n'
    os.close(reading)
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]
