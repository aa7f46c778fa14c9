"""R's distributions, samples and kinds with random parameters, live; PARITY_DRAWS says how many (300 by default)."""

from __future__ import annotations

import os

import pytest

from parity.compare import compare_answers
from parity.draws import random_draws
from parity.python_side import run
from parity.r_side import RSide

DRAWS = int(os.environ.get("PARITY_DRAWS", "300"))


@pytest.mark.parametrize("number", range(DRAWS))
def test_random_draws_identical_to_r(number: int, rrf: RSide) -> None:
    item = random_draws(number)
    differences = compare_answers(rrf.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])
