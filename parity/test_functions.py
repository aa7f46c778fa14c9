"""Random calls of each function of pyrrf.r beside R's, live; FUNCTION_CALLS says how many (200 by default)."""

from __future__ import annotations

import os

import pytest

from parity.conftest import missing
from parity.function_calls import GENERATORS, make_call
from parity.functions import OF_CARET, differences, run_python, run_r
from parity.r_side import RSide

CALLS = int(os.environ.get("FUNCTION_CALLS", "200"))


@pytest.mark.parametrize("name", GENERATORS)
def test_function_identical_to_r(name: str, rrf: RSide) -> None:
    if name in OF_CARET and missing("caret"):
        pytest.skip(missing("caret"))
    answered = 0
    for number in range(CALLS):
        call = make_call(name, number)
        theirs = run_r(rrf, call, number)
        found = differences(theirs, run_python(call, number))
        assert not found, f"call {number}: {call}: {found[0]}"
        answered += theirs is not None
    assert answered > CALLS // 2
