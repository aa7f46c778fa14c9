"""Each file has a first sentence fit for the map (tools/map.py); files that pages for developers name are there."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import map as the_map  # noqa: E402

# No longer than two lines of a terminal.
LONGEST = 180
# A file in a text: with a folder before it, or with its ending behind it; no pattern, no place for a name.
FILE = re.compile(r"`((?:[\w-]+/)*[\w-]+\.(?:py|pyx|pxd|c|h|md|toml|build|R)|(?:[\w-]+/)+)`")
PAGES = [
    "CONTRIBUTING.md",
    "src_c/README.md",
    *(f"docs/developing/{page.name}" for page in ROOT.glob("docs/developing/*.md")),
]


@pytest.mark.parametrize("top", the_map.SHOWN)
def test_every_file_says_what_it_is_for(top: str) -> None:
    folders = [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]
    said = {str(file): the_map.first_sentence(file) for folder in folders for file in the_map.modules(folder).values()}
    times = Counter(said.values())
    assert {file: text for file, text in said.items() if not 5 <= len(text) <= LONGEST or times[text] > 1} == {}


def test_every_folder_of_the_table_is_there() -> None:
    assert [folder for folder in the_map.FOLDERS if not (ROOT / folder).is_dir()] == []


@pytest.mark.parametrize("page", PAGES)
def test_files_that_pages_name_are_there(page: str) -> None:
    named = FILE.findall((ROOT / page).read_text()) if (ROOT / page).exists() else []
    found = {path.as_posix() + "/" * path.is_dir() for path in ROOT.glob("*/**/*")} if named else set()
    assert [
        name for name in named if not (ROOT / name).exists() and not any(at.endswith("/" + name) for at in found)
    ] == []
