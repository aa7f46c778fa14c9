"""docs/papers/everything.md: names and files are there, no row is without an answer, no number is left out."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/papers/everything.md"
TEXT = PAGE.read_text()
# The rows of each paper by its number.
PARTS = re.split(r"^## (\d{3}): .*\n", TEXT, flags=re.M)
ROWS = {
    paper: [[cell.strip() for cell in line[1:-1].split("|")] for line in re.findall(r"^\|.*\|$", part, re.M)][2:]
    for paper, part in zip(PARTS[1::2], PARTS[2::2], strict=True)
}
ROMAN = {"I": 1, "II": 2, "III": 3}
# The highest number that each paper prints.
LAST = {
    "000": {"eq": 6, "Definition": 2, "Algorithm": 2, "Table": 3, "Figure": 4},
    "001": {"eq": 1, "Definition": 1, "Algorithm": 1, "Table": 1, "Figure": 2},
    "002": {"eq": 7, "Algorithm": 3, "Table": 1, "Figure": 2},
    "003": {"eq": 6, "Algorithm": 1, "Lemma": 3, "Theorem": 1, "Table": 6, "Figure": 3},
    "004": {"eq": 24, "Example": 1, "Table": 4, "Figure": 6},
}


def numbers(paper: str) -> dict[str, list[int]]:
    """The numbers of each kind, in the order of the rows."""
    found: dict[str, list[int]] = {}
    for what, *_ in ROWS[paper]:
        if match := re.fullmatch(r"([A-Za-z]+) \(?(\d+|I+)\)?", what):
            found.setdefault(match[1], []).append(ROMAN.get(match[2]) or int(match[2]))
    return found


@pytest.mark.parametrize("paper", LAST)
def test_no_number_is_left_out(paper: str) -> None:
    assert numbers(paper) == {kind: list(range(1, last + 1)) for kind, last in LAST[paper].items()}


@pytest.mark.parametrize("paper", LAST)
def test_every_row_has_an_answer(paper: str) -> None:
    answer = re.compile(r"`|\d{3}-\w|^no: |^not yet|^background|^a step to eq \(\d+\)$|^eq \(10\)")
    assert [row for row in ROWS[paper] if len(row) != 3 or not all(row) or not answer.search(row[2])] == []


def test_names_are_there() -> None:
    names = set(re.findall(r"`(pyrrf\.[\w.]+)`", TEXT))
    assert len(names) > 30
    for name in names:
        resolve_name(name)


def test_files_are_there() -> None:
    files = set(re.findall(r"`(\w+/[\w./]+)`", TEXT))
    assert len(files) > 20
    assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []
    assert [link for link in re.findall(r"\]\(([^)]+)\)", TEXT) if not (PAGE.parent / link).is_file()] == []


def test_names_in_files_are_there() -> None:
    """`name` in `file`, and `file`, `test`."""
    pairs = [(file, name) for name, file in re.findall(r"`(\w+)` in `(\w+/[\w./]+)`", TEXT)]
    pairs += re.findall(r"`(tests/[\w./]+)`, `(test_\w+)`", TEXT)
    assert len(pairs) > 8
    wrong = [pair for pair in pairs if not re.search(rf"^(?:def )?{pair[1]}\b", (ROOT / pair[0]).read_text(), re.M)]
    assert wrong == []


def test_sections_of_the_tables_are_there() -> None:
    known = set(re.findall(r"<!-- begin (\S+):", (ROOT / "benchmarks/PAPERS.md").read_text()))
    named = set(re.findall(r"(?<![\w/])(00\d-(?:fig|table|madelon|cran|theorem|stratified|outside)\w*)", TEXT))
    assert named - known == set()
    # One goes beyond its paper.
    assert known - named == {"004-threshold"}
