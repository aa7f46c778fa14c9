"""The table itself: enough cases, and every argument at least twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from parity.cases import CASES, GROUPS
from parity.steps import Case

ARGUMENTS = """xtest ytest ntree mtry replace classwt cutoff strata sampsize nodesize maxnodes importance
localImp nPerm proximity oob_prox norm_votes do_trace keep_forest corr_bias keep_inbag coefReg flagReg
feaIni""".split()


UNUSED_WITHOUT_RESPONSE = ("localImp", "strata", "corr_bias", "nPerm")
"""Arguments that have no effect without response, or crash CRAN RRF."""


def uses(cases: Iterable[Case] = tuple(CASES.values())) -> Counter[tuple[str, str]]:
    """Count the cases that give an argument to a function."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in cases:
        counts.update({(step.verb, key) for step in item.steps for key in step.args})
    return counts


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_argument_of_rrf_is_used_twice(argument: str) -> None:
    assert uses()["RRF", argument] >= 2


@pytest.mark.parametrize("argument", "newdata type norm_votes predict_all proximity nodes cutoff".split())
def test_argument_of_predict_is_used_twice(argument: str) -> None:
    assert uses()["predict", argument] >= 2


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_argument_is_used_in_regression(argument: str) -> None:
    assert uses([*GROUPS["regression"], *GROUPS["regression_calls"]])["RRF", argument] >= 1


@pytest.mark.parametrize("argument", [a for a in ARGUMENTS if a not in UNUSED_WITHOUT_RESPONSE])
def test_argument_is_used_without_response(argument: str) -> None:
    assert uses(GROUPS["unsupervised"])["RRF", argument] >= 1


def test_there_are_sixty_cases() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", CASES)
def test_case_starts_with_a_seed(name: str) -> None:
    assert CASES[name].steps[0].verb == "set_seed"
