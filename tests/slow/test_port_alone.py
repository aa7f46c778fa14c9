"""The port without R's emulation: its tests pass in a copy from which `pyrrf/r` and `pyrrf/migrate` are deleted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = "fit result companions data sklearn selectors".split()
# Tests of what is computed in a formula, or of values of `pyrrf.r`.
MOST_WITHOUT = 0.02
# The editable installation of the checkout stands aside for the copy. A test that ends because `pyrrf.r` is missing is
# skipped; one that does not say so fails.
ASIDE = """
import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "MesonpyMetaFinder"]
"""
PLUGIN = """
import re
import pytest
MISSING = re.compile(r"No module named 'pyrrf\\.(r|migrate)\\b|cannot import name 'r' from 'pyrrf'")

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and MISSING.search(str(report.longrepr)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, "Skipped: needs pyrrf.r")
"""


def copy_port(place: Path) -> None:
    """Copy the package without R's emulation, with its tests and its compiled modules."""
    for folder in ("pyrrf", "tests", "parity", "docs"):
        shutil.copytree(ROOT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", place)
    for room in ("r", "migrate"):
        shutil.rmtree(place / "pyrrf" / room)
    for name in "arrays elementary fit grower monitor predict ranks stream sums texts".split():
        built = import_module(f"pyrrf._core.{name}").__file__
        assert built is not None
        shutil.copy(built, place / "pyrrf" / "_core")
    (place / "sitecustomize.py").write_text(ASIDE)
    (place / "without_r.py").write_text(PLUGIN)


def test_the_port_passes_its_tests_without_emulation(tmp_path: Path) -> None:
    copy_port(tmp_path)
    call = [sys.executable, "-m", "pytest", "-q", "-p", "without_r", "-p", "no:cacheprovider", "--every", "48"]
    ran = subprocess.run(
        [*call, *(f"tests/{room}" for room in ROOMS)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-4000:]
    passed, skipped = (int(n) for n in re.findall(r"(\d+) (?:passed|skipped)", ran.stdout.splitlines()[-1])[:2])
    assert passed > 100
    assert skipped <= MOST_WITHOUT * passed, ran.stdout[-4000:]
