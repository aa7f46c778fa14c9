"""Random scripts beside R: of all sorts, of functions, of names, of caught errors, of files.

Of `classed`, values with a class, differences are known; it is run by hand.

PARITY_SCRIPTS, PARITY_FUNCTIONS, PARITY_NAMES, PARITY_CAUGHT and PARITY_FILES say how many; by default as in COUNTS.

PARITY_SEED repeats a run.
"""

from __future__ import annotations

import os

import pytest

from parity.conftest import missing
from parity.random_scripts import KINDS, run
from parity.shrinking import SEED

# Number of scripts of each kind, and of equal results that one has at least; of a script of functions or of files one
# result counts: how it ended.
COUNTS = {
    "scripts": (200, 2.0),
    "functions": (400, 0.25),
    "names": (100, 8.0),
    "caught": (80, 5.0),
    "files": (150, 0.05),
}
# The packages of R that they attach, without which R fails where pyrrf does not.
PACKAGES = {
    "names": ("caret", "dplyr", "magrittr", "MASS", "ModelMetrics", "plyr", "purrr", "stringr", "tibble", "tidyr"),
    "caught": ("RRF", "caret", "randomForest"),
    "files": ("RRF", "dplyr"),
}


@pytest.mark.parametrize("kind", COUNTS)
def test_random_scripts_are_as_in_r(kind: str) -> None:
    for package in PACKAGES.get(kind, ("RRF",)):
        if lacking := missing(package):
            pytest.skip(lacking)
    usual, each = COUNTS[kind]
    count = int(os.environ.get(f"PARITY_{kind.upper()}", usual))
    summary = run(1000 * SEED, count, most_shown=5, kind=KINDS[kind])
    shown = ["\n".join([result.kind, *script, *result.details]) for script, result in summary.differences]
    assert shown == [], "\n\n".join([f"PARITY_SEED={SEED}", *shown])
    assert summary.counts["equal"] > each * count
    assert summary.share_refused < KINDS[kind].most_refused, summary.reasons.most_common(20)
