"""Random calls of R's functions, made of the lines of `awkward.txt` (odd arguments) or `classed.txt` (with a class)."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

LENGTHS = (0, 1, 1, 2, 3, 4, 5, 7, 10, 13, 20, 33)
_PLACE = re.compile(r"(?<!\\U)\{([a-z_]+)\}")  # but not a letter such as \U{df}
_OPTION = re.compile("«([^»]*)»")
Kinds = dict[str, list[str]]


def _sections(name: str) -> Kinds:
    """Return the lines of a file by the [name] that stands above them."""
    sections: Kinds = {}
    for line in (Path(__file__).parent / name).read_text().splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            lines = sections.setdefault(heading[1], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


KINDS, CLASSED = _sections("awkward.txt"), _sections("classed.txt")
"""Values for a kind of argument."""

CALLS, CLASSED_CALLS = KINDS.pop("calls"), CLASSED.pop("calls")


def random_call(call: str, chance: Random, kinds: Kinds = KINDS) -> str:
    """Return a line of calls with values in its places, and some of its optional parts."""
    call = _OPTION.sub(lambda option: option[1] if chance.random() < 0.4 else "", call)
    return re.sub(r"\bN\b", str(chance.choice(LENGTHS)), _fill(call, chance, kinds)).replace("(, ", "(")


def _fill(text: str, chance: Random, kinds: Kinds) -> str:
    return _PLACE.sub(lambda place: _fill(chance.choice(kinds[place[1]]), chance, kinds), text)


def classed(number: int) -> list[str]:
    """Return a random call on values with a class, and its value alone on a line."""
    call = CLASSED_CALLS[number % len(CLASSED_CALLS)]
    return [f"a <- {random_call(call, Random(number), CLASSED)}", "a"]
