"""Every case against R's RRF, live."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from parity.answers import Answer
from parity.cases import CASES
from parity.compare import compare_answers
from parity.python_side import run
from parity.store import read_answers

RAnswers = Callable[[str], list[Answer]]


@pytest.mark.parametrize("name", CASES)
def test_identical_to_rrf(name: str, r_answers: RAnswers) -> None:
    differences = compare_answers(r_answers(name), run(CASES[name]), CASES[name].steps)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", CASES)
def test_recording_is_what_rrf_answers(name: str, r_answers: RAnswers) -> None:
    differences = compare_answers(r_answers(name), read_answers(CASES[name]), CASES[name].steps)
    assert not differences, "\n".join(differences)
