"""Pieces of R moved: each variable and what is printed as R has it, by answers of R that are recorded."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("rdata")

from parity.pieces import AREAS, pieces, recorded, run, run_here
from parity.traced import Seen, traced
from pyrrf import r
from pyrrf.migrate.library import facts
from pyrrf.r.values.functions import facts_of

MOST_REFUSED = 0.3
# Their pieces need packages of R that are not everywhere.
ELSEWHERE = {"sample_split", "selectRuleRRF"}


@pytest.mark.parametrize("area", AREAS)
def test_pieces_leave_what_r_left(area: str) -> None:
    with traced() as seen:
        found = [(number, text, outcome) for number, text, outcome in run(area, stored=True)]
    wrong = [
        f"{area} {number}: {outcome.kind}: {outcome.why}\n{text}"
        for number, text, outcome in found
        if outcome.kind not in ("equal", "failed", "refused")
    ]
    assert wrong == [], "\n".join(wrong)
    assert len(recorded(area)) >= len({text for _, text, _ in found})
    refused = sum(outcome.kind == "refused" for _, _, outcome in found)
    assert refused <= MOST_REFUSED * len(found)
    _functions_do_what_is_said(seen)


def _functions_do_what_is_said(seen: Seen) -> None:
    """Hold each function that ran to what is said of it at its definition; none changes what it is given."""
    unsaid = {(name, word) for name, words in seen.items() for word in words if not _is_said(name, word)}
    assert unsaid == set()


def _is_said(name: str, word: str) -> bool:
    return word != "assigns" and bool(getattr(facts_of(getattr(r, name)), word))


def test_what_is_said_to_draw_draws() -> None:
    with traced() as seen:
        for piece in pieces("effects"):
            run_here(piece)
    said = {name for name in r.__all__ if facts_of(getattr(r, name)).draws}
    assert said - ELSEWHERE == {name for name, words in seen.items() if "draws" in words}


@pytest.mark.parametrize("name", ["max.col", "rlogis", "RNGkind", "createResample", "combine", "classCenter"])
def test_facts_are_found_by_the_name_in_r(name: str) -> None:
    assert facts(name).draws
