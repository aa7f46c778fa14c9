"""Pieces of R live, compared with their translation; the recorded ones are held by tests/r/test_pieces.py."""

from __future__ import annotations

import pytest

from parity.conftest import missing
from parity.pieces import AREAS, run


# The count of pieces that R here has no packages for is shown, and stops nothing.
@pytest.mark.filterwarnings("default:.*by stored answers")
@pytest.mark.parametrize("area", AREAS)
def test_pieces_are_as_in_r(area: str) -> None:
    if missing("base"):
        pytest.skip(missing("base"))
    wrong = [
        f"{area} {number}: {outcome.why}\n{text}"
        for number, text, outcome in run(area)
        if outcome.kind not in ("equal", "failed", "refused")
    ]
    assert wrong == [], "\n".join(wrong)
