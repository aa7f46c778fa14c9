"""Random programs compared with R; PARITY_PROGRAMS says how many (1,000), PARITY_SEED repeats a run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.conftest import missing
from parity.known_steps import KNOWN
from parity.random_programs import random_program, run_both, shrunk
from parity.shrinking import SEED
from parity.worker import Worker

PROGRAMS = int(os.environ.get("PARITY_PROGRAMS", "1000"))
AT_ONCE = 50


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    for package in ("RRF", "randomForest"):
        if missing(package):
            pytest.skip(missing(package))
    made = Worker()
    yield made
    made.close()


@pytest.mark.parametrize("first", range(0, PROGRAMS, AT_ONCE))
def test_random_programs_identical(first: int, worker: Worker) -> None:
    for number in range(1000 * SEED + first, 1000 * SEED + min(first + AT_ONCE, PROGRAMS)):
        if run_both(worker, random_program(number)).differences:
            least = shrunk(worker, random_program(number))
            differences = run_both(worker, least).differences
            pytest.fail("\n".join([f"PARITY_SEED={SEED}, program {number}", *differences, least.scripts()]))


def test_known_differences_are_in_the_page() -> None:
    pages = (Path(__file__).parent.parent / "docs" / "differences").glob("*.md")
    page = "".join(path.read_text() for path in pages)
    assert [line for line in KNOWN if f"| {line}" not in page] == []
