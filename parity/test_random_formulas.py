"""Random formulas against R, live: model frames, and every tenth a forest.

PARITY_FORMULAS says how many (200), PARITY_SEED which; without one each run has its own, which is printed. A formula
that differs is shrunk and printed for both sides.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from parity.formula_sides import Frame, differences, explanation, forests, in_python, in_r
from parity.r_side import RSide
from parity.random_formulas import Program, random_program
from parity.shrinking import SEED, shrink

FORMULAS = int(os.environ.get("PARITY_FORMULAS", "200"))
BATCH = 50
_FOREST = 10
# Both refuse what R warns away, or one side alone by a line of DIFFERENCES.md; more than this share proves too little.
_MOST_REFUSED = 0.6


def compared(r: RSide, program: Program, grows: bool) -> tuple[str, list[str]]:
    """Return the outcome of the formula, and its differences, without those of DIFFERENCES.md."""
    theirs, ours = in_r(r, program), in_python(program)
    unequal = [] if explanation(program, theirs, ours) else differences(theirs, ours)
    if unequal or not grows or theirs.failed or ours.failed or not _grows_alike(program, theirs):
        return "refused" if theirs.failed else "answered", unequal
    return forests(r, program)


def wrong(r: RSide, program: Program, grows: bool) -> list[str]:
    """Return the differences."""
    return compared(r, program, grows)[1]


def _grows_alike(program: Program, frame: Frame) -> bool:
    """Whether the response is of a type that R and pyrrf take alike: logicals and strings are classes here."""
    return bool(program.response) and frame.columns[""][0] not in ("logical", "character")


@pytest.mark.parametrize("part", range(-(-FORMULAS // BATCH)))
def test_random_formulas_identical(part: int, rrf: RSide) -> None:
    counted: Counter[str] = Counter()
    for number in range(part * BATCH, min(FORMULAS, (part + 1) * BATCH)):
        program, grows = random_program(SEED, number), number % _FOREST == 0
        outcome, unequal = compared(rrf, program, grows)
        if unequal:
            least = shrink(program, lambda other, grows=grows: bool(wrong(rrf, other, grows)))
            unequal = wrong(rrf, least, grows)
            lines = "\n".join(unequal)
            pytest.fail(f"PARITY_SEED={SEED}, formula {number}: {lines}\n{least.script()}", pytrace=False)
        counted[outcome] += 1
    print(f"PARITY_SEED={SEED}, part {part}: {dict(counted)}")
    assert counted["refused"] < _MOST_REFUSED * BATCH


def test_r_that_does_not_return_is_counted(rrf: RSide) -> None:
    program = random_program(839217, 50)
    assert not in_r(rrf, program).failed
    assert forests(rrf, program, limit=5) == ("R hung, pyrrf refuses", [])
