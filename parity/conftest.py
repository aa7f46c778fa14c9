"""R for the live tests: started once, and a plain word when it is not there."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest

from parity.r_side import RSide


@cache
def missing(package: str) -> str:
    """What stands in the way of live tests with an R package; empty when nothing does."""
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


@cache
def start(package: str) -> RSide:
    return RSide((package,))


@pytest.fixture(scope="session")
def rrf() -> RSide:
    """R with RRF attached."""
    if missing("RRF"):
        pytest.skip(missing("RRF"))
    return start("RRF")


@pytest.fixture(scope="session")
def random_forest() -> RSide:
    """R with randomForest at hand."""
    if missing("randomForest"):
        pytest.skip(missing("randomForest"))
    return start("randomForest")
