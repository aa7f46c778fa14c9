"""Lines of R and of Python with R's answers, kept for machines without R.

The lines are kept, too, so that a generator may change: what was recorded stays what it was.
"""

from __future__ import annotations

import json
from pathlib import Path

from parity.function_calls import GENERATORS, make_call
from parity.functions import Answer, r_answer
from parity.r_side import RSide
from parity.store import RECORDED

FOLDER = RECORDED / "functions"
EXPRESSIONS = (Path(__file__).parent / "expressions.txt").read_text().splitlines()
KEPT = 6
"""Calls of each function that are kept: the first that are short."""

LONGEST = 900
"""Letters of what is kept of a call."""


def write_functions(r: RSide) -> None:
    """Store R's answers: a file for each function, a line for each call; one more for `expressions.txt`."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name in GENERATORS:
        calls = [make_call(name, number) for number in range(60)]
        _write(r, name, [(call.r(), call.python()) for call in calls], KEPT)
    pairs = [line.split(" !! " if " !! " in line else " ;; ") for line in EXPRESSIONS]
    _write(r, "expressions", [(left, right) for left, right in pairs], len(pairs))


def _write(r: RSide, name: str, pairs: list[tuple[str, str]], most: int) -> None:
    answers = r.ro.r["pyrrf_answers"](r.ro.StrVector([left for left, _ in pairs]))
    lines = [
        f"[{json.dumps(left)}, {json.dumps(right)}, {answer}]"
        for (left, right), answer in zip(pairs, answers, strict=True)
    ]
    kept = [line for line in lines if len(line) <= LONGEST or name == "expressions"][:most]
    (FOLDER / f"{name}.json").write_text("[\n" + ",\n".join(kept) + "\n]\n")


def read_functions(name: str) -> list[tuple[str, str, Answer]]:
    """The line of R, that of Python, and R's answer."""
    return [(left, right, r_answer(found)) for left, right, found in json.loads((FOLDER / f"{name}.json").read_text())]


if __name__ == "__main__":
    write_functions(RSide())
