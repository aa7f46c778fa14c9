"""Pieces of R moved: each variable and what is printed as R has it, by answers of R that are recorded."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("rdata")

from parity.pieces import AREAS, recorded, run

MOST_REFUSED = 0.3


@pytest.mark.parametrize("area", AREAS)
def test_pieces_leave_what_r_left(area: str) -> None:
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
