"""Random scripts beside R, and scripts of functions.

Of the other kinds of `parity.random_scripts` differences are known; they are run by hand.

PARITY_SCRIPTS (200) and PARITY_FUNCTIONS (400) say how many.

PARITY_SEED repeats a run.
"""

from __future__ import annotations

import os

import pytest

from parity.conftest import missing
from parity.random_scripts import KINDS, run
from parity.shrinking import SEED

SCRIPTS = int(os.environ.get("PARITY_SCRIPTS", "200"))
FUNCTIONS = int(os.environ.get("PARITY_FUNCTIONS", "400"))


# Of a script of functions one result counts: how it ended.
@pytest.mark.parametrize(
    ("kind", "count", "least_equal"),
    [
        ("scripts", SCRIPTS, 2 * SCRIPTS),
        ("functions", FUNCTIONS, FUNCTIONS // 4),
    ],
)
def test_random_scripts_are_as_in_r(kind: str, count: int, least_equal: int) -> None:
    if missing("RRF"):
        pytest.skip(missing("RRF"))
    summary = run(1000 * SEED, count, most_shown=5, kind=KINDS[kind])
    shown = ["\n".join([result.kind, *script, *result.details]) for script, result in summary.differences]
    assert shown == [], "\n\n".join([f"PARITY_SEED={SEED}", *shown])
    assert summary.counts["equal"] > least_equal
    assert summary.share_refused < KINDS[kind].most_refused, summary.reasons.most_common(20)
