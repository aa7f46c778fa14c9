"""docs/pipeline.md names the checks of scikit-learn that estimators fail; tests `test_scikit_learn` run them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from pyrrf.sklearn import GRRFSelector, RRFClassifier
from tests.estimators import ESTIMATORS
from tests.sklearn.drawn import FAILURES, expected_failures

PAGE = (Path(__file__).parents[2] / "docs" / "pipeline.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "`check_" in line]
BY_R: dict[str, dict[str, Any]] = {
    "RRFClassifier": {"engine": "r"},
    "RRFRegressor": {"engine": "r", "candidates": "mtry"},
    "GRRFSelector": {"forest": RRFClassifier(engine="r")},
    "GRRFSelectorCV": {"forest": RRFClassifier(engine="r")},
}
NEEDED = {"StabilitySelector": [GRRFSelector()]}


def listed(name: str, engine: str) -> set[str]:
    """The checks that the page names for an estimator."""
    rows = [row for row in ROWS if f"`{name}`" in row[0] and ('`engine="r"`' not in row[0] or engine == "r")]
    return {check for row in rows for check in re.findall(r"`(check_\w+)`", row[1])}


@pytest.mark.parametrize(
    ("name", "engine"), [*((name, "parallel") for name in FAILURES), *((name, "r") for name in BY_R)]
)
def test_the_page_lists_the_checks_that_fail(name: str, engine: str) -> None:
    estimator = ESTIMATORS[name](*NEEDED.get(name, []), **(BY_R[name] if engine == "r" else {}))
    run = {check.func.__name__ for _, check in estimator_checks_generator(estimator)}
    assert listed(name, engine) & run == expected_failures(estimator).keys() & run != set()


def test_the_page_lists_no_other_estimator() -> None:
    named = {name for row in ROWS for name in re.findall(r"`([A-Z]\w+)`", row[0])}
    assert named == FAILURES.keys()
