"""Random functions beside R; PARITY_FUNCTIONS says how many scripts (400), PARITY_SEED repeats a run."""

from __future__ import annotations

import os

import pytest

from parity.conftest import missing
from parity.random_functions import MOST_REFUSED, run
from parity.shrinking import SEED

SCRIPTS = int(os.environ.get("PARITY_FUNCTIONS", "400"))


def test_functions_evaluate_their_arguments_as_in_r() -> None:
    if missing("RRF"):
        pytest.skip(missing("RRF"))
    summary = run(1000 * SEED, SCRIPTS, most_shown=5)
    shown = ["\n".join([result.kind, *script, *result.details]) for script, result in summary.differences]
    assert shown == [], "\n\n".join([f"PARITY_SEED={SEED}", *shown])
    assert summary.counts["equal"] > SCRIPTS // 4
    assert summary.share_refused < MOST_REFUSED, summary.reasons.most_common(20)
