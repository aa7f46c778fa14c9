"""Every case against R's RRF, live."""

from __future__ import annotations

import pytest

from parity.cases import CASES
from parity.compare import compare_answers
from parity.python_side import run
from parity.r_side import RSide


@pytest.mark.parametrize("name", CASES)
def test_identical_to_rrf(name: str, rrf: RSide) -> None:
    item = CASES[name]
    differences = compare_answers(rrf.run(item), run(item), item.steps)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", CASES)
def test_recording_is_what_r_answers(name: str, rrf: RSide) -> None:
    from parity.store import read_answers

    item = CASES[name]
    differences = compare_answers(rrf.run(item), read_answers(item), item.steps)
    assert not differences, "\n".join(differences)
