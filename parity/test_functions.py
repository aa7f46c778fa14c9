"""Random calls of all functions of pyrrf.r beside R's, live: those of a fresh seed, and expressions written by hand.

`PARITY_SEED` repeats a run, `FUNCTION_CALLS` says how many calls (3,000 by default). A call that fails is shrunk, and
printed as a line for either side.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest

from parity.awkward import Draw
from parity.conftest import missing
from parity.function_calls import GENERATORS
from parity.function_store import FOLDER, read_functions
from parity.functions import OF_CARET, differences, run_python, run_r, shrunk
from parity.known_calls import known
from parity.lines import Call
from parity.r_side import RSide
from parity.shrinking import SEED

CALLS = int(os.environ.get("FUNCTION_CALLS", "3000"))
TOLD: Counter[str] = Counter()


def fails(r: RSide, call: Call) -> str | None:
    """The first difference of a call that is not meant."""
    with np.errstate(all="ignore"):
        found = differences(run_r(r, [call.r()])[0], run_python(call.python()))
    return next((line for line in found if not known(call.python(), line)), None)


@pytest.mark.parametrize("name", GENERATORS)
def test_function_identical_to_r(name: str, rrf: RSide) -> None:
    if name in OF_CARET and missing("caret"):
        pytest.skip(missing("caret"))
    place = list(GENERATORS).index(name)
    with np.errstate(all="ignore"):
        count = -(-CALLS // len(GENERATORS))
        calls = [GENERATORS[name](Draw(SEED + 1_000_003 * place + number)) for number in range(count)]
    for call, theirs in zip(calls, run_r(rrf, [call.r() for call in calls]), strict=True):
        ours = run_python(call.python())
        TOLD["refused by both"] += theirs.failed is not None and ours.failed is not None
        found = differences(theirs, ours)
        meant = [known(call.python(), line) for line in found]
        TOLD.update(why for why in meant[:1] if why)
        if not all(meant):
            small = shrunk(call, lambda smaller: fails(rrf, smaller))
            said = fails(rrf, small) or found[0]
            pytest.fail(f"PARITY_SEED={SEED}\nR:      {small.r()}\nPython: {small.python()}\n{said}", pytrace=False)


def test_the_seed_and_what_differs_on_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{CALLS} calls of pyrrf.r, PARITY_SEED={SEED}: {dict(TOLD.most_common())}")


@pytest.mark.parametrize("name", [path.stem for path in FOLDER.glob("*.json")])
def test_recording_is_what_r_answers(name: str, rrf: RSide) -> None:
    if name in OF_CARET and missing("caret"):
        pytest.skip(missing("caret"))
    answers = read_functions(name)
    for (left, _, kept), now in zip(answers, run_r(rrf, [left for left, _, _ in answers]), strict=True):
        assert differences(kept, now) == [], left
