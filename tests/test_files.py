"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyrrf.files import write_whole


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert write_whole(path, "é\n") == path
    assert path.read_bytes() == "é\n".encode()
    write_whole(str(path), "again")
    assert path.read_text() == "again"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_nothing_is_left_of_what_fails(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a.txt", "before")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half" * 10_000 + "\ud800")
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_whole(tmp_path / "link.txt", "after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"


@pytest.mark.parametrize("path", ["none/a.txt", "."])
def test_what_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(OSError, match=r"make it first|is no file but a folder"):
        write_whole(tmp_path / path, "text")


def test_a_device_is_refused() -> None:
    with pytest.raises(OSError, match="is no file but a folder or a device"):
        write_whole(os.devnull, "text")
