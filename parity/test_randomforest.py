"""RRF(flagReg=0) against R's randomForest, live; also where R has no RRF.

RRF draws one number for every feature at a node and randomForest mtry numbers, so with mtry = p both
are on one stream and grow the same trees.
"""

from __future__ import annotations

import pytest

from parity.case_text import read_steps
from parity.compare import compare_answers
from parity.python_side import run
from parity.r_side import RSide
from parity.steps import Case

SHARED = "votes oob.times importance"
"""Components that randomForest computes as RRF does; it breaks ties between classes otherwise (predicted,
err.rate, confusion) and has another formula for importanceSD."""

SETS = """iris fgl glass sonar vehicle votes imports_aspiration ties_integers inexact3 inexact_factor duplicate_columns
sorted_columns classes7 factors_small factors_small3 factor11 factor11_3 wide_ties mixed_columns""".split()


def ordinary(data: str, number: int, more: str = "") -> Case:
    """An ordinary forest with mtry = p, then a draw."""
    return Case(data, data, read_steps(f"seed {number} | ordinary ntree=15 {more} -> {SHARED} | runif 2"))


@pytest.mark.parametrize("data", SETS)
def test_identical_to_randomforest_at_mtry_p(data: str, random_forest: RSide) -> None:
    item = ordinary(data, 1)
    differences = compare_answers(random_forest.run(item), run(item), item.steps)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("data", ["iris", "votes", "inexact3", "factors_small"])
def test_permutation_importance_identical_to_randomforest_at_mtry_p(data: str, random_forest: RSide) -> None:
    item = ordinary(data, 2, "importance")
    differences = compare_answers(random_forest.run(item), run(item), item.steps)
    assert not differences, "\n".join(differences)
