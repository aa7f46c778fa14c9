"""Random scripts beside R; PARITY_SCRIPTS says how many (200), PARITY_SEED repeats a run."""

from __future__ import annotations

import os

import pytest

from parity.conftest import missing
from parity.random_scripts import MOST_REFUSED, run
from parity.shrinking import SEED

SCRIPTS = int(os.environ.get("PARITY_SCRIPTS", "200"))


def test_random_scripts_are_as_in_r() -> None:
    if missing("base"):
        pytest.skip(missing("base"))
    summary = run(1000 * SEED, SCRIPTS, most_shown=5)
    shown = ["\n".join([result.kind, *script, *result.details]) for script, result in summary.differences]
    assert shown == [], "\n\n".join([f"PARITY_SEED={SEED}", *shown])
    assert summary.counts["equal"] > 2 * SCRIPTS
    assert summary.share_refused < MOST_REFUSED, summary.reasons.most_common(20)
