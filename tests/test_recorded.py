"""R's recorded answers (`make record`), replayed without R and compared exactly."""

from __future__ import annotations

from typing import Any

import pytest

from parity.cases import CASES
from parity.compare import compare_answers
from parity.python_side import run
from parity.steps import Step
from parity.store import digest, read_answers, read_manifest
from pyrrf.result.result import ForestResult
from tests.held import KEEPER


def seen(step: Step, answer: Any) -> Any:
    """An answer; also what combine() and grow() return is held to what all fits hold."""
    if isinstance(answer, ForestResult):
        KEEPER.see(answer)
    return answer


@pytest.mark.parametrize("name", CASES)
def test_identical_to_recorded(name: str) -> None:
    case = CASES[name]
    assert read_manifest()["cases"].get(name) == digest(case), "case or data changed: run make record"
    differences = compare_answers(read_answers(case), run(case, seen), case.steps)
    assert not differences, "\n".join(differences)


def test_answers_are_those_of_cran_rrf() -> None:
    assert read_manifest()["versions"]["RRF"] == "1.9.4.1"


# All of them on 2, 4 and 16 threads: tests/slow/test_r_threads.py.
@pytest.mark.parametrize("name", sorted(CASES)[::40])
def test_threads_do_not_show(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyrrf.fit.engine.resolve_jobs", lambda n_jobs: 4)
    test_identical_to_recorded(name)
