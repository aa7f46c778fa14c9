"""The table of cases, read from the .txt files here; names are unique over all files."""

from __future__ import annotations

from pathlib import Path

from parity.case_text import read_cases
from parity.steps import Case

GROUPS: dict[str, list[Case]] = {
    path.stem: list(read_cases(path)) for path in sorted(Path(__file__).parent.glob("*.txt"))
}
"""The cases by the name of their file."""

CASES: dict[str, Case] = {case.name: case for cases in GROUPS.values() for case in cases}

if len(CASES) != sum(map(len, GROUPS.values())):
    raise RuntimeError("two cases have the same name")
