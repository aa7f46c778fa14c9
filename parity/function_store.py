"""R's answers to calls of the functions of pyrrf.r, kept for machines without R."""

from __future__ import annotations

import json

from parity.function_calls import GENERATORS, make_call
from parity.functions import run_r
from parity.r_side import RSide
from parity.store import RECORDED
from parity.values import Value, from_json, to_json

FOLDER = RECORDED / "functions"
KEPT = 10
"""Calls of each function that are kept: the first with short answers."""

LONGEST = 1200
"""Letters of a short answer."""


def write_functions(r: RSide) -> None:
    """Store R's answers, a file for each function, a line for each call."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name in GENERATORS:
        lines: list[str] = []
        for number in range(200):
            answer = run_r(r, make_call(name, number), number)
            plain = None if answer is None else to_json(answer)
            line = f'"{number}": {json.dumps(plain, separators=(",", ":"))}'
            lines += [line] if len(line) <= LONGEST else []
            if len(lines) == KEPT:
                break
        (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def read_functions(name: str) -> dict[int, Value | None]:
    """R's answers by the number of the call; None where R refused it."""
    plain = json.loads((FOLDER / f"{name}.json").read_text())
    return {int(number): None if answer is None else from_json(answer) for number, answer in plain.items()}


if __name__ == "__main__":
    write_functions(RSide())
