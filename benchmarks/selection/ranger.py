"""ranger's regularized forests, by R."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.jobs import r
from benchmarks.selection.cases import Part
from benchmarks.selection.kept import LIMIT, Kept

TREES = 500
SCRIPT = Path(__file__).with_name("ranger.R")


def ranger(part: Part, factors: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Ranger with its defaults, by regularization.factor; features that its trees split by."""
    asked = ",".join(map(str, factors))
    answers = r.select(SCRIPT, part.x, part.y, seed, TREES, asked, LIMIT, part.numeric).split(";")
    # There is one answer for each factor that was begun in time.
    for factor, answer in zip(factors, filter(None, answers), strict=False):
        seconds, columns = (field.split() for field in answer.split("|"))
        yield factor, Kept(np.array(columns, int), float(seconds[0]))
    if len(answers) < len(factors):
        raise TimeoutError(f"past {LIMIT} s")
