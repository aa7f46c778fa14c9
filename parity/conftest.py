"""R for the live tests, started once; a plain word when it is not there; the report at the end."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from parity.answers import Answer
from parity.cases import CASES
from parity.r_side import RSide
from parity.report import is_complete, write
from parity.shrinking import SEED
from parity.steps import packages

OUTCOMES: Counter[tuple[str, str]] = Counter()
SESSIONS: list[RSide] = []


@cache
def missing(package: str) -> str:
    """Return the reason why an R package cannot be tested live; empty if it can."""
    if shutil.which("Rscript") is None:
        return "R is not installed: nothing to compare with live"
    try:
        import rpy2  # noqa: F401
    except ImportError:
        return "rpy2 is not installed: pip install rpy2 (3.6 for R 4.5, 3.5.17 for older R)"
    asked = ["Rscript", "-e", f"cat(requireNamespace('{package}', quietly = TRUE))"]
    if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() != "TRUE":
        return f"R has no package {package}: no live comparison with it"
    return ""


def start(package: str) -> RSide:
    """R with the package attached; the test is skipped when that cannot be."""
    if missing(package):
        pytest.skip(missing(package))
    return RSide((package,))


@pytest.fixture(scope="session")
def rrf() -> RSide:
    """R with RRF."""
    SESSIONS.append(start("RRF"))
    return SESSIONS[-1]


@pytest.fixture(scope="session")
def random_forest() -> RSide:
    """R with randomForest."""
    return start("randomForest")


@pytest.fixture(scope="session")
def r_answers(request: pytest.FixtureRequest) -> Callable[[str], list[Answer]]:
    """R's answers to a case of the table; each case is run once."""

    @cache
    def answers(name: str) -> list[Answer]:
        needed = packages(CASES[name])
        if "randomForest" in needed and missing("randomForest"):
            pytest.skip(missing("randomForest"))
        r: RSide = request.getfixturevalue("rrf" if "RRF" in needed else "random_forest")
        return r.run(CASES[name])

    return answers


def pytest_report_header() -> str:
    """The seed of the random calls, formulas and programs."""
    return f"PARITY_SEED={SEED}"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the outcomes of each test for RESULTS.md."""
    if report.when == "call":
        OUTCOMES[report.nodeid.split("::")[-1].split("[")[0], report.outcome] += 1


def pytest_sessionfinish() -> None:
    """Write RESULTS.md after a complete run."""
    if SESSIONS and is_complete(OUTCOMES):
        write(OUTCOMES, SESSIONS[0].versions())
