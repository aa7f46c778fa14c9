"""Random calls of R's functions on odd arguments, made of the lines of `awkward.txt`."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

LENGTHS = (0, 1, 1, 2, 3, 4, 5, 7, 10, 13, 20, 33)
_PLACE = re.compile(r"(?<!\\U)\{([a-z_]+)\}")  # but not a letter such as \U{df}
_OPTION = re.compile("«([^»]*)»")


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines of a text by the [name] that stands above them."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            lines = found.setdefault(heading[1], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


KINDS = _sections((Path(__file__).parent / "awkward.txt").read_text())
"""What may stand in the place of a kind of argument."""

CALLS = KINDS.pop("calls")


def random_call(call: str, chance: Random) -> str:
    """Return a line of `CALLS` with values in its places, and some of what may be left out."""
    call = _OPTION.sub(lambda option: option[1] if chance.random() < 0.4 else "", call)
    return re.sub(r"\bN\b", str(chance.choice(LENGTHS)), _filled(call, chance)).replace("(, ", "(")


def _filled(text: str, chance: Random) -> str:
    return _PLACE.sub(lambda place: _filled(chance.choice(KINDS[place[1]]), chance), text)
