"""Pieces of R translated: each variable and what is printed as R has it, by answers of R that are recorded.

Pieces stand in `parity/pieces` by what they are about. ``pytest tests/r --room stats/groups`` runs those that call a
function of `pyrrf/r/stats/groups.py`, and ``--room stats`` those that call one of the folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter, isfunction, signature

import pytest

pytest.importorskip("tree_sitter_language_pack")
from parity.pieces import AREAS, pieces, recorded, run, run_here
from parity.traced import Seen, traced
from pyrrf import r
from pyrrf.migrate.scopes.library import facts
from pyrrf.r.values.functions import facts_of

MOST_REFUSED = 0.3
# Their pieces need R or packages of R that are not everywhere; messages go to another stream.
ELSEWHERE = {"file_choose", "sample_split", "selectRuleRRF", "message", "by_r", "by_r_inside"}
# What migrate writes for R's syntax; functions of any value.
WRITTEN = {"and_", "or_", "named", "copy", "is_function"}
DOTS = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


@pytest.fixture
def calls_the_room(request: pytest.FixtureRequest) -> Callable[[str], bool]:
    """Return a check of whether a piece calls a function of the room that the command line names; all do without."""
    room = request.config.getoption("room")
    modules = [module for module in r._HOMES if not room or f"{module}.".startswith(room.replace("/", ".") + ".")]
    assert modules, f"pyrrf/r has no room {room}"
    names = "|".join(name.rstrip("_").replace("_", "[._]") for module in modules for name in r._HOMES[module].split())
    call = re.compile(rf"(?<![\w.])({names})\s*\(")
    return lambda piece: not room or call.search(piece) is not None


@pytest.mark.parametrize("area", AREAS)
def test_pieces_leave_what_r_left(area: str, calls_the_room: Callable[[str], bool]) -> None:
    with traced() as seen:
        answers = [*run(area, stored=True, chosen=calls_the_room)]
    wrong = [
        f"{area} {number}: {outcome.kind}: {outcome.why}\n{text}"
        for number, text, outcome in answers
        if outcome.kind not in ("equal", "failed", "refused")
    ]
    assert wrong == [], "\n".join(wrong)
    assert len(recorded(area)) >= len({text for _, text, _ in answers})
    refused = sum(outcome.kind == "refused" for _, _, outcome in answers)
    assert refused <= MOST_REFUSED * len(pieces(area))
    _functions_do_what_is_said(seen)


def _functions_do_what_is_said(seen: Seen) -> None:
    """Hold each function that ran to what is said of it at its definition; none changes what it is given."""
    unsaid = {(name, word) for name, words in seen.items() for word in words if not _is_said(name, word)}
    assert unsaid == set()


def _is_said(name: str, word: str) -> bool:
    told = facts_of(getattr(r, name))
    if word.startswith("takes "):
        said = {*told.later, *told.masked, *told.called, "..."}
        return told.keeps or name in WRITTEN or word.removeprefix("takes ") in said
    if word == "uncertain":
        return not told.certain
    return word in told.does.split()


def test_what_is_said_to_draw_and_print_does() -> None:
    with traced() as seen:
        for piece in pieces("effects"):
            run_here(piece)
    for word in ("draws", "prints"):
        said = {name for name in r.__all__ if word in facts_of(getattr(r, name)).does}
        assert said - ELSEWHERE == {name for name, words in seen.items() if word in words}


def test_names_in_facts_are_parameters() -> None:
    for name in r.__all__:
        function = getattr(r, name)
        if not isfunction(function):
            continue
        params = {"..." if param.kind in DOTS else key for key, param in signature(function).parameters.items()}
        further = {key for key, param in signature(function).parameters.items() if param.kind in DOTS}
        said = facts_of(function)
        named = {word for about in vars(said).values() if isinstance(about, tuple) for word in about}
        assert named <= params, name
        assert {*said.unsupported.split()} <= params | further, name


@pytest.mark.parametrize("name", ["max.col", "rlogis", "RNGkind", "createResample", "combine", "classCenter"])
def test_facts_are_found_by_the_name_in_r(name: str) -> None:
    assert "draws" in facts(name).does
