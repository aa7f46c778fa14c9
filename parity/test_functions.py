"""Random calls of R's functions on odd arguments, live: those of a fresh seed, as pieces of scripts.

`PARITY_SEED` repeats a run, `FUNCTION_CALLS` says how many calls (3,000 by default). What is refused is counted.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from random import Random

import pytest

from parity import pieces
from parity.awkward import CALLS, random_call
from parity.conftest import missing
from parity.shrinking import SEED
from pyrrf.rbase.collate import collating

TIMES = -(-int(os.environ.get("FUNCTION_CALLS", "3000")) // len(CALLS))
AT_ONCE = 20
TOLD: Counter[str] = Counter()
# Functions whose answers depend on the order of strings.
SORTING = re.compile(r"(as\.factor|factor|order|rank|sort|split|table|tapply|unique)\(|.* \{sign\} ")


def check(calls: list[str], times: int, locale: str) -> None:
    """See that each call, made so many times, is equal, or refused on one side or both."""
    chance = Random(f"{SEED} {calls}")
    texts = [f"a <- {random_call(call, chance)}" for call in calls for _ in range(times)]
    for text, content in zip(texts, pieces.raw_answers(texts, locale=locale), strict=True):
        assert content is not None, f"R ended or hung: {text}"
        theirs = pieces.answer(content)
        outcome = pieces.compared(theirs, text)
        if (theirs.error or "").startswith("there is no package called") or "in en_US is not known" in outcome.why:
            continue  # letters beyond the tables of collate.py
        TOLD[outcome.kind] += 1
        assert outcome.kind in ("equal", "failed", "refused"), f"PARITY_SEED={SEED}\n{text}\n{outcome}"


@pytest.mark.parametrize("first", range(0, len(CALLS), AT_ONCE))
def test_function_identical_to_r(first: int) -> None:
    if missing("base"):
        pytest.skip(missing("base"))
    check(CALLS[first : first + AT_ONCE], TIMES, "C")


def test_functions_sort_as_in_r() -> None:
    if missing("base"):
        pytest.skip(missing("base"))
    with collating("en_US"):
        check([call for call in CALLS if SORTING.match(call)], 10 * TIMES, "C.UTF-8")


def test_the_seed_and_how_calls_came_out(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{TOLD.total()} calls of R's functions, PARITY_SEED={SEED}: {dict(TOLD.most_common())}")
    assert TOLD["refused"] < 0.05 * TOLD.total()
