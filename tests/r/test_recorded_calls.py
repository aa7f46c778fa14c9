"""R's recorded answers to calls of the functions of pyrrf.r, compared bit by bit."""

from __future__ import annotations

import pytest

import pyrrf.r as r
from parity.function_calls import GENERATORS
from parity.function_store import EXPRESSIONS, FOLDER, read_functions
from parity.functions import differences, run_python
from parity.known_calls import known

NO_FUNCTIONS = {"ConfusionMatrix", "LongDoubleWarning"}


def test_every_public_function_is_drawn() -> None:
    assert set(GENERATORS) == set(r.__all__) - NO_FUNCTIONS
    assert {path.stem for path in FOLDER.glob("*.json")} == {*GENERATORS, "expressions"}


@pytest.mark.parametrize("name", GENERATORS)
def test_identical_to_recorded(name: str) -> None:
    answers = read_functions(name)
    assert len(answers) >= 5
    assert sum(answer.failed is None for _, _, answer in answers) >= 2
    for left, right, theirs in answers:
        found = [line for line in differences(theirs, run_python(right)) if not known(right, line)]
        assert not found, f"{left}\n{right}\n{found[0]}"


@pytest.mark.parametrize("part", range(4))
def test_expressions_are_those_of_r(part: int) -> None:
    answers = read_functions("expressions")
    assert len(answers) == len(EXPRESSIONS)
    for (left, right, theirs), line in list(zip(answers, EXPRESSIONS, strict=True))[part::4]:
        assert (theirs.failed is not None) == (" !! " in line), left
        found = differences(theirs, run_python(right), names=False)
        assert not found, f"{left}\n{right}\n{found[0]}"
