"""Random calls against R's RRF and randomForest, live; PARITY_CALLS says how many of each kind (200 by default)."""

from __future__ import annotations

import os

import pytest

from parity.compare import compare_answers
from parity.python_side import run
from parity.r_side import RSide
from parity.random_calls import random_case
from parity.random_companions import random_forest_companion
from parity.random_forests import random_forest_case, random_forest_regression, random_forest_unsupervised
from parity.random_regression import random_regression, random_unsupervised

CALLS = int(os.environ.get("PARITY_CALLS", "200"))


@pytest.mark.parametrize("number", range(CALLS))
def test_random_call_identical_to_rrf(number: int, rrf: RSide) -> None:
    item = random_case(number)
    differences = compare_answers(rrf.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])


@pytest.mark.parametrize("number", range(CALLS))
def test_random_regression_identical_to_rrf(number: int, rrf: RSide) -> None:
    item = random_regression(number)
    differences = compare_answers(rrf.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])


@pytest.mark.parametrize("number", range(CALLS))
def test_random_unsupervised_call_identical_to_rrf(number: int, rrf: RSide) -> None:
    item = random_unsupervised(number)
    differences = compare_answers(rrf.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])


@pytest.mark.parametrize("number", range(CALLS))
def test_random_call_identical_to_random_forest(number: int, random_forest: RSide) -> None:
    item = random_forest_case(number)
    differences = compare_answers(random_forest.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])


@pytest.mark.parametrize("number", range(CALLS))
def test_random_unsupervised_call_identical_to_random_forest(number: int, random_forest: RSide) -> None:
    item = random_forest_unsupervised(number)
    differences = compare_answers(random_forest.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])


@pytest.mark.parametrize("number", range(CALLS))
def test_random_regression_identical_to_random_forest(number: int, random_forest: RSide) -> None:
    item = random_forest_regression(number)
    differences = compare_answers(random_forest.run(item), run(item), item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])


@pytest.mark.parametrize("number", range(CALLS))
def test_random_companion_identical_to_random_forest(number: int, random_forest: RSide) -> None:
    item = random_forest_companion(number)
    theirs, ours = random_forest.run(item), run(item)
    if theirs[1].failed and ours[1].failed:
        pytest.skip(f"both refuse: {theirs[1].failed}")
    differences = compare_answers(theirs, ours, item.steps)
    assert not differences, "\n".join([repr(item.steps), *differences])
