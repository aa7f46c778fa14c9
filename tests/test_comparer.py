"""The comparer of the parity suite finds what differs, and an error is the same only if it is the stated one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parity.answers import Answer, StreamState
from parity.case_text import read_step
from parity.cases import CASES
from parity.compare import compare_answers
from parity.steps import Step
from parity.store import read_answers
from parity.values import NOTHING, numbers, text
from tests.offenders import offenders

STREAM = StreamState.of(np.arange(625))
PLAIN = read_step("RRF")
STATED = read_step("RRF coefReg=2 ! coefReg: can not be greater than 1")
OF_R = Answer(NOTHING, STREAM, failed="coefReg can not be greater than 1")
OF_PYRRF = Answer(NOTHING, STREAM, failed="coefReg must not exceed 1, but holds 2", kind="ValueError")
WENT_THROUGH = Answer(numbers([1.0]), STREAM)


def differ(r: Answer, py: Answer, step: Step = STATED) -> bool:
    return bool(compare_answers([r], [py], [step]))


def test_the_stated_error_is_the_same() -> None:
    assert not differ(OF_R, OF_PYRRF)


@pytest.mark.parametrize("opening", ["the ", "column 'a' of "])
def test_an_error_may_open_with_a_column(opening: str) -> None:
    assert not differ(OF_R, replace(OF_PYRRF, failed=f"{opening}coefReg is wrong"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "TypeError"},
        {"kind": None},
        {"failed": "cutoff must not exceed 1"},
        {"failed": "coefRegs must not exceed 1"},
        {"failed": "x and coefReg do not fit"},
        {"failed": None, "kind": None},
    ],
    ids=str,
)
def test_another_error_is_a_difference(wrong: dict[str, Any]) -> None:
    assert differ(OF_R, replace(OF_PYRRF, **wrong))


def test_another_error_of_r_is_a_difference() -> None:
    assert differ(replace(OF_R, failed="invalid argument"), OF_PYRRF)
    assert differ(replace(OF_R, failed=None), OF_PYRRF)


def test_an_error_that_no_step_states_is_a_difference() -> None:
    assert differ(OF_R, OF_PYRRF, read_step("RRF coefReg=2"))
    assert not differ(WENT_THROUGH, WENT_THROUGH, PLAIN)
    assert differ(WENT_THROUGH, WENT_THROUGH)


@pytest.mark.parametrize(
    "other",
    [
        {"value": numbers([np.nextafter(1, 2)])},
        {"value": numbers([-1.0])},
        {"value": numbers([1.0, 1.0])},
        {"value": numbers([1.0], [["a"]])},
        {"value": NOTHING},
        {"stream": StreamState.of(np.arange(1, 626))},
    ],
    ids=list("acrns_"),
)
def test_another_value_is_a_difference(other: dict[str, Any]) -> None:
    assert differ(WENT_THROUGH, replace(WENT_THROUGH, **other), PLAIN)


def test_only_a_matrix_without_columns_has_no_type() -> None:
    for shape, differs in ((0, 0), False), ((2, 0), False), ((0, 1), True), ((1, 1), True):
        words, zeros = Answer(text(np.full(shape, "a")), STREAM), Answer(numbers(np.zeros(shape)), STREAM)
        assert differ(words, zeros, PLAIN) == differs
    assert differ(Answer(text(np.empty((2, 0))), STREAM), Answer(numbers(np.empty((0, 0))), STREAM), PLAIN)


def test_a_warning_of_r_alone_is_a_difference() -> None:
    assert differ(replace(WENT_THROUGH, warned=["w"]), WENT_THROUGH, PLAIN)


def check_stated(name: str) -> None:
    failed = [answer.failed is not None for answer in read_answers(CASES[name])]
    assert failed == [step.refusal is not None for step in CASES[name].steps]


def test_a_step_states_an_error_if_r_answered_one() -> None:
    refusing = [name for name, case in CASES.items() if any(step.refusal for step in case.steps)]
    assert offenders(check_stated, refusing) == []
