"""R's recorded answers to calls of the functions of pyrrf.r, compared bit by bit."""

from __future__ import annotations

import pytest

from parity.function_calls import GENERATORS, make_call
from parity.function_store import read_functions
from parity.functions import differences, run_python


@pytest.mark.parametrize("name", GENERATORS)
def test_identical_to_recorded(name: str) -> None:
    answers = read_functions(name)
    assert len(answers) >= 5
    assert sum(answer is not None for answer in answers.values()) >= 3
    for number, theirs in answers.items():
        call = make_call(name, number)
        assert differences(theirs, run_python(call, number)) == [], f"call {number}: {call}"
