"""A Python file that was edited, checked as it stands."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyrrf.migrate.check.account import lines_of, short
from pyrrf.migrate.check.alignment import Edited, align
from pyrrf.migrate.check.job import Block, Outcome
from pyrrf.migrate.check.recording import CheckError
from pyrrf.migrate.check.task import CheckedScript
from pyrrf.migrate.check.written import IMPORT

_AS_BEFORE = "as it was written, with R's values"
_FROZEN = {"frozen", "failed"}


@dataclass(frozen=True)
class Verdict:
    """Result of a check for a piece of an edited file.

    Attributes
    ----------
    lines : list of int
        Where its statements begin in R.
    python_line : int
        Its line in the Python file; 0 without one.
    status : str
        "equal", "frozen" as before, "differs" or "unreached".
    thawed : bool
        Whether it is equal and was not before.
    reason : str
    """

    lines: list[int]
    python_line: int
    status: str
    thawed: bool
    reason: str


@dataclass(frozen=True)
class Verdicts:
    """Result of a check for an edited file.

    Attributes
    ----------
    pieces : list of Verdict
    codes : list of str or None
        What had been written for each statement.
    statuses : list of str
        How each came out now.
    name : str
        Of the file.
    ending : str
        Why R did not come to the end.
    """

    pieces: list[Verdict]
    codes: list[str | None]
    statuses: list[str]
    name: str
    ending: str

    @property
    def worse(self) -> list[Verdict]:
        """The pieces that differ."""
        return [piece for piece in self.pieces if piece.status == "differs"]

    @property
    def clean(self) -> bool:
        """Whether all is equal."""
        return all(piece.status == "equal" for piece in self.pieces)

    @property
    def summary(self) -> str:
        """Counts of pieces by status, as text."""
        counts = {word: sum(piece.status == word for piece in self.pieces) for word in ("equal", "frozen", "differs")}
        return f"of {len(self.pieces)} statements {', '.join(f'{count} {word}' for word, count in counts.items())}"

    @property
    def report(self) -> list[str]:
        """Lines of the report."""
        thawed = [line for piece in self.pieces if piece.thawed for line in piece.lines]
        frozen = [line for piece in self.pieces if piece.status == "frozen" for line in piece.lines]
        unreached = [line for piece in self.pieces if piece.status == "unreached" for line in piece.lines]
        out = [f"equal now: {lines_of(thawed)}"] if thawed else []
        out += [f"not equal: {self.describe(piece)}" for piece in self.worse]
        out += [f"frozen, as before: {lines_of(frozen)}"] if frozen else []
        out += [f"not checked, since {self.ending or 'R had ended'}: {lines_of(unreached)}"] if unreached else []
        return out

    @property
    def first(self) -> str:
        """The first piece that differs, with both values and the likely cause; empty if none does."""
        if not self.worse:
            return ""
        cause = likely_cause(self.worse[0].reason)
        return self.describe(self.worse[0]) + (f"\n  {cause}" if cause else "")

    def describe(self, piece: Verdict) -> str:
        """Return the place of a piece in both files, and its difference."""
        there = f"line {piece.python_line} of {self.name}" if piece.python_line else f"nothing in {self.name}"
        return f"{lines_of(piece.lines)} of R, {there}: {short(piece.reason)}"


_CAUSES = (
    (
        r"random stream",
        "it draws other numbers than R, or more or fewer; each draw has to be one of pyrrf's",
    ),
    (r"^it prints", "the values are the same; only what is shown of them is not"),
    (r"^it stops here|Error: ", "the Python fails where R does not"),
    (r"(levels|names)\(|: '.*' here", "strings in another order (pyrrf.set_collate), or levels given otherwise"),
    (r"(length|dim)\(", "a subscript from 0 instead of 1, a negative one, or a value that R recycles"),
    (
        r": (integer|double|logical|character|list|NULL|function) here",
        "5 is a double in R, 5L an integer",
    ),
    (r"nothing here", "the variable has another name here, or is not made"),
)
# A relative difference that only the order of sums makes.
_ROUNDING = 1e-9
_NUMBERS = re.compile(r": (-?[\d.]+(?:e[-+]?\d+)?) here, (-?[\d.]+(?:e[-+]?\d+)?) in R")


def likely_cause(reason: str) -> str:
    """Return the likely cause of a difference; empty if none is known."""
    numbers = _NUMBERS.search(reason)
    if numbers is not None:
        ours, theirs = float(numbers[1]), float(numbers[2])
        if abs(ours - theirs) <= _ROUNDING * max(abs(ours), abs(theirs)):
            return "rounded otherwise: take R's functions, such as r.sum and r.mean, where NumPy adds in another order"
    return next((cause for pattern, cause in _CAUSES if re.search(pattern, reason)), "")


def compare_edited(task: CheckedScript, code: str) -> Verdicts:
    """Run an edited file in step with R.

    Raises
    ------
    CheckError
        It is not Python.
    """
    codes, before = written_codes(task)
    try:
        edited = align(code, task.statements, codes, IMPORT if task.old is None else task.old.preamble)
    except SyntaxError as error:
        raise CheckError(f"{task.output}: line {error.lineno}: {error.msg}") from None
    blocks = [_left_alone(edited, k, before) for k in range(len(edited.blocks))]
    outcomes = task.step(blocks, edited.preamble)
    statuses = list(before)
    pieces = []
    for block, outcome in zip(edited.blocks, outcomes, strict=True):
        mine = slice(block.first, block.end)
        pieces.append(_verdict(task, block, outcome, before[mine]))
        statuses[mine] = [outcome.status] * (block.end - block.first)
    return Verdicts(pieces, codes, statuses, task.output.name, task.ending)


def written_codes(task: CheckedScript) -> tuple[list[str | None], list[str]]:
    """Return the Python code last written for each statement, and its status then.

    The script may have been edited, too: a statement that was not there has no code.
    """
    statements, old = task.statements, task.old
    if old is None:
        return [statement.code for statement in statements], [""] * len(statements)
    codes: list[str | None] = [None] * len(statements)
    statuses = [""] * len(statements)
    texts = [statement.text for statement in statements]
    for a, b, size in difflib.SequenceMatcher(None, old.texts, texts, autojunk=False).get_matching_blocks():
        codes[b : b + size] = old.codes[a : a + size]
        statuses[b : b + size] = old.statuses[a : a + size]
    return codes, statuses


def _left_alone(edited: Edited, number: int, before: Sequence[str]) -> Block:
    """Return a block, not to be run if it is as it was written, with R's values."""
    block = edited.blocks[number]
    return replace(block, skip=_AS_BEFORE) if edited.intact[number] and before[block.first] in _FROZEN else block


def _verdict(task: CheckedScript, block: Block, outcome: Outcome, before: Sequence[str]) -> Verdict:
    lines = [task.statements[k].first for k in range(block.first, block.end)]
    if outcome.status == "unreached":
        return Verdict(lines, block.python_line, "unreached", False, "")
    if outcome.reason == _AS_BEFORE or (outcome.status == "failed" and set(before) <= {"failed"}):
        return Verdict(lines, block.python_line, "frozen", False, outcome.reason)
    if outcome.status in _FROZEN:
        reason = f"R fails here: {outcome.reason}" if outcome.status == "failed" else outcome.reason
        return Verdict(lines, block.python_line, "differs", False, reason)
    return Verdict(lines, block.python_line, "equal", bool(_FROZEN & set(before)), outcome.reason)
