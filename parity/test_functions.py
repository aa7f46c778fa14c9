"""Random calls of R's functions on odd arguments, live: those of a fresh seed, as pieces of scripts.

`PARITY_SEED` repeats a run, `FUNCTION_CALLS` says how many calls (3,000 by default). What is refused is counted.
"""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest

from parity import pieces
from parity.awkward import Draw
from parity.function_calls import GENERATORS
from parity.shrinking import SEED
from pyrrf.rbase.collate import collating

CALLS = int(os.environ.get("FUNCTION_CALLS", "3000"))
TOLD: Counter[str] = Counter()
# Functions whose answers depend on the order of strings.
SORTING = ("as.factor", "compare", "factor", "order", "rank", "sort", "split", "table", "tapply", "unique")


def lines(name: str, count: int) -> list[str]:
    """Some calls of a function, each as a piece."""
    first = SEED + 1_000_003 * list(GENERATORS).index(name)
    with np.errstate(all="ignore"):
        return [f"a <- {GENERATORS[name](Draw(first + number)).r()}" for number in range(count)]


def check(texts: list[str], locale: str) -> None:
    """See that each piece is equal, or refused on one side or both."""
    for text, content in zip(texts, pieces.raw_answers(texts, locale=locale), strict=True):
        assert content is not None, f"R ended or hung: {text}"
        theirs = pieces.answer(content)
        if (theirs.error or "").startswith("there is no package called"):
            pytest.skip(str(theirs.error))
        outcome = pieces.compared(theirs, text)
        if "whose order in en_US is not known" in str(outcome.why):
            continue  # letters beyond the tables of collate.py
        TOLD[outcome.kind] += 1
        assert outcome.kind in ("equal", "failed", "refused"), f"PARITY_SEED={SEED}\n{text}\n{outcome}"


@pytest.mark.parametrize("name", GENERATORS)
def test_function_identical_to_r(name: str) -> None:
    check(lines(name, -(-CALLS // len(GENERATORS))), "C")


@pytest.mark.parametrize("name", SORTING)
def test_functions_sort_as_in_r(name: str) -> None:
    with collating("en_US"):
        check(lines(name, 150), "C.UTF-8")


def test_the_seed_and_how_calls_came_out(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{TOLD.total()} calls of R's functions, PARITY_SEED={SEED}: {dict(TOLD.most_common())}")
    assert TOLD["refused"] < 0.05 * TOLD.total()
