"""No file is longer than 800 lines, except recorded data and what a program has measured."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("pyrrf", "src_c", "tests", "parity", "benchmarks", "examples", "tools", "docs")
ENDINGS = (".py", ".pyx", ".pxd", ".pyi", ".c", ".h", ".R", ".sh", ".md", ".rst")
LONGEST = 800
# Programs write them, a section for each table or case: measured data, looked up and not read.
MEASURED = ("benchmarks/PAPERS.md", "benchmarks/RESULTS.md", "benchmarks/SELECTION.md")
FILES = [
    file.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for file in sorted((ROOT / folder).rglob("*"))
    if file.suffix in ENDINGS and "_generated" not in file.parts and file.relative_to(ROOT).as_posix() not in MEASURED
]


def test_each_file_is_read_in_one_sitting() -> None:
    assert [file for file in FILES if len((ROOT / file).read_text().splitlines()) > LONGEST] == []
