"""Report of a check: lines that are equal, lines that are not, and the causes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pyrrf.migrate.check.job import Outcome
from pyrrf.migrate.translation import Statement
from pyrrf.r.files.recorded import FUNCTION

_ROOT = re.compile(r"\bline (\d+): (.*)", re.S)
_OBJECT = re.compile(r"^object '(.+)' not found")
_FUNCTION = re.compile(r"^could not find function ")
_PACKAGE = re.compile(r"there is no package called .(.+?).$", re.M)
_MOST_LINES = 8
_LONGEST = 200


@dataclass
class Cause:
    """Why lines are not as in R.

    Attributes
    ----------
    line : int
        Where it begins.
    reason : str
    others : list of int
        Lines that hang on it, or have the same reason.
    """

    line: int
    reason: str
    others: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        more = f" (and {lines_of(self.others)})" if self.others else ""
        return f"line {self.line}: {self.reason}{more}"


@dataclass(frozen=True)
class Account:
    """Results of a check for the lines of a script.

    Attributes
    ----------
    lines, equal : int
        Lines with code; those that are translated and equal.
    frozen, failed, left : list of Cause
        Lines where R's values are read; where R fails, too; that stay R without any effect on values.
    inner : list of Cause
        Lines inside of functions that stay R.
    printed : list of Cause
        Lines that print otherwise.
    clock, unreached, uncompared : list of int
        Lines whose values are times; that R did not come to; with values that R could not record.
    """

    lines: int
    equal: int
    frozen: list[Cause]
    failed: list[Cause]
    left: list[Cause]
    inner: list[Cause]
    printed: list[Cause]
    clock: list[int]
    unreached: list[int]
    uncompared: list[int]

    @property
    def clean(self) -> bool:
        """Whether every line is translated and equal, as far as that can be known."""
        return not (self.frozen or self.failed or self.left or self.inner or self.printed or self.unreached)

    @property
    def summary(self) -> str:
        """Count of equal lines, as text."""
        return f"{self.equal} of {self.lines} lines translated and equal"

    def report(self, folder: str, ending: str) -> list[str]:
        """Return the report as lines.

        Parameters
        ----------
        folder : str
            Where R's values are.
        ending : str
            Why R did not come to the end.
        """
        out: list[str] = []
        for title, causes in (
            (f"Frozen, with what R left in {folder}:", self.frozen),
            ("Lines that fail in R, too:", self.failed),
            ("Left over in functions, whose calls stop there:", self.inner),
            ("Left out, and no value depends on it:", self.left),
            ("Translated, but what is printed differs:", self.printed),
        ):
            out += [title, *(f"    {cause}" for cause in causes)] if causes else []
        for title, lines in (
            ("Translated, but not comparable, since they ask for the time or the machine", self.clock),
            ("Translated, but not compared, since R's values could not be recorded", self.uncompared),
            (f"Not checked, since {ending or 'R did not come to them'}", self.unreached),
        ):
            out += [f"{title}: {lines_of(lines)}."] if lines else []
        return out


def lines_of(lines: Sequence[int]) -> str:
    """Return lines in words: "lines 3, 5 to 8"."""
    runs: list[list[int]] = []
    for line in sorted(set(lines)):
        if runs and line == runs[-1][1] + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    texts = [f"{a}" if a == b else f"{a}, {b}" if b == a + 1 else f"{a} to {b}" for a, b in runs]
    if len(texts) > _MOST_LINES:
        count = len(set(lines)) - sum(b - a + 1 for a, b in runs[:_MOST_LINES])
        texts = [*texts[:_MOST_LINES], f"and {count} more"]
    return f"line{'s' if len(set(lines)) > 1 else ''} {', '.join(texts)}"


def account(statements: Sequence[Statement], outcomes: Sequence[Outcome], lines: int) -> Account:
    """Return the results of a check for the lines of a script.

    Parameters
    ----------
    statements, outcomes : sequences
        Side by side.
    lines : int
        Lines with code.
    """
    pairs = list(zip(statements, outcomes, strict=True))

    def of(*statuses: str) -> list[tuple[Statement, Outcome]]:
        return [pair for pair in pairs if pair[1].status in statuses]

    unreached = [line for statement, _ in of("unreached") for line in code_lines(statement)]
    left = [pair for pair in of("equal", "printed", "clock") if pair[0].left]
    over = {function: _left_over(left, function) for function in (False, True)}
    gone = {line for statement, _ in of("frozen", "failed") for line in code_lines(statement)} | set(unreached)
    gone |= {line for statement, _ in left for item in statement.left for line in range(item.first, item.last + 1)}
    return Account(
        lines=lines,
        equal=max(0, lines - len(gone)),
        frozen=causes(of("frozen")),
        failed=causes(of("failed")),
        left=over[False],
        inner=over[True],
        printed=_group_by_reason([(statement.first, outcome.reason) for statement, outcome in of("printed")]),
        clock=[statement.first for statement, _ in of("clock")],
        unreached=unreached,
        uncompared=[statement.first for statement, outcome in pairs if outcome.uncompared],
    )


def _left_over(pairs: Sequence[tuple[Statement, Outcome]], function: bool) -> list[Cause]:
    """Return the parts that stay R, inside of functions or elsewhere."""
    statements = [statement for statement, outcome in pairs if (FUNCTION in outcome.notes.values()) == function]
    return _group_by_reason([(item.first, item.reason) for statement in statements for item in statement.left])


def code_lines(statement: Statement) -> list[int]:
    """Return the lines of a statement that hold code."""
    texts = [text.strip() for text in statement.text.split("\n")]
    return [statement.first + i for i, text in enumerate(texts) if text and not text.startswith("#")]


def _group_by_reason(left_over: Sequence[tuple[int, str]]) -> list[Cause]:
    """Return the causes, each reason once."""
    by_reason: dict[str, Cause] = {}
    for line, reason in left_over:
        reason = short(reason)
        if reason in by_reason:
            by_reason[reason].others.append(line)
        else:
            by_reason[reason] = Cause(line, reason)
    return sorted(by_reason.values(), key=lambda cause: cause.line)


def short(reason: str) -> str:
    """Return the first line of a reason, not too long."""
    first = next((line.strip() for line in reason.splitlines() if line.strip()), "")
    return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 3]}..."


# ---- roots ---------------------------------------------------------------------------------------


def causes(pairs: Sequence[tuple[Statement, Outcome]]) -> list[Cause]:
    """Return the causes of the statements that are not equal, with the lines that depend on each."""
    lines_by_root: dict[tuple[int, str], list[int]] = {}
    roots: list[tuple[Statement, tuple[int, str]]] = []
    for statement, outcome in pairs:
        root = _failure(statement, outcome, roots) if outcome.status == "failed" else reason_of(statement, outcome)
        roots.append((statement, root))
        hanging = lines_by_root.setdefault(root, [])
        if statement.first != root[0]:
            hanging += code_lines(statement)
    joined = _with_packages(lines_by_root)
    by_reason: dict[str, Cause] = {}
    for (line, reason), others in joined.items():
        cause = by_reason.get(reason)
        if cause is None:
            by_reason[reason] = Cause(line, reason, sorted(set(others) - {line}))
        else:
            cause.others = sorted({*cause.others, line, *others} - {cause.line})
    return sorted(by_reason.values(), key=lambda cause: cause.line)


def reason_of(statement: Statement, outcome: Outcome) -> tuple[int, str]:
    """Return the line at the root of a difference, and the reason."""
    if statement.left and outcome.status != "failed":
        return statement.left[0].first, short(statement.left[0].reason)
    named = _ROOT.search(outcome.reason)
    if named is not None:
        return int(named[1]), short(named[2])
    return statement.first, short(outcome.reason)


def _failure(
    statement: Statement, outcome: Outcome, roots: Sequence[tuple[Statement, tuple[int, str]]]
) -> tuple[int, str]:
    """Return the same where R fails: an object is missing where the statement failed that would have made it."""
    missing = _OBJECT.match(outcome.reason)
    if missing is not None:
        name = re.escape(missing[1])
        assigned = re.compile(rf"(?<![\w.]){name}(?![\w.])[^=<]*?(<-|=)|->\s*{name}(?![\w.])")
        for other, root in roots:
            if assigned.search(other.text):
                return root
    if _FUNCTION.match(outcome.reason):
        for _, root in roots:
            if _PACKAGE.search(root[1]):
                return root
    return statement.first, short(outcome.reason)


def _with_packages(lines_by_root: dict[tuple[int, str], list[int]]) -> dict[tuple[int, str], list[int]]:
    """Name the packages that R lacks at once, since a missing function may be of any of them."""
    packages = {root: match[1] for root in lines_by_root if (match := _PACKAGE.search(root[1]))}
    if not packages:
        return lines_by_root
    names = list(dict.fromkeys(packages.values()))
    word = "package" if len(names) == 1 else "packages"
    first = min(line for line, _ in packages)
    others = [line for root in packages for line in [root[0], *lines_by_root[root]] if line != first]
    rest = {root: lines for root, lines in lines_by_root.items() if root not in packages}
    return {(first, f"R does not have the {word} {', '.join(names)}"): others} | rest
