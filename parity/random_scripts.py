"""Random scripts of R compared with their translation by ``pyrrf migrate``, statement by statement.

``python -m parity.random_scripts --seed S --count N`` makes them, runs 200 in one process of R, compares after each
statement every variable and the text printed, makes a script that differs smaller, prints it, and sums up: statements
that are equal, that fail on both sides, that are refused here and why, and silent differences.

``--kind changed`` takes the pieces of ``parity/pieces``, changed at random, and ``--kind functions`` scripts of
functions: when R evaluates arguments and defaults, in what order, how often, and whether at all; ``names`` those that
assign R's names and attach packages, ``files`` those that source files, ``caught`` errors in ``tryCatch``, ``classed``
calls on values with a class.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import resource
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from parity.awkward import classed
from parity.changed_pieces import change_piece
from parity.file_maker import FILES, FileMaker
from parity.function_maker import FunctionMaker
from parity.name_maker import NameMaker
from parity.pieces import (
    ABOVE,
    Answer,
    TooLong,
    differences,
    error_text,
    limited,
    prepared,
    raw_answers,
    show_beside,
    step_answers,
)
from parity.script_maker import Maker

AT_ONCE = 200
MOST_MEMORY = 6 << 30
REFUSALS = ("left", "NotSupportedError", "RError")


# ---- both sides ----------------------------------------------------------------------------------


@dataclass
class Result:
    """Outcome of one statement.

    Parameters
    ----------
    kind : str
        "equal", "failed" on both sides, "left", "NotSupportedError", "RError" (refused here alone), "depends" on a
        refused one, "broken", "differs".
    why : str
    details : list of str
    """

    kind: str
    why: str = ""
    details: list[str] = field(default_factory=list)


NO_FILES: Mapping[str, str] = MappingProxyType({})


def run_scripts(scripts: list[list[str]], files: Mapping[str, str] = NO_FILES) -> list[list[Result]]:
    """Return the results of the statements of each script; its folder gets the files."""
    texts = ["\n".join(script) for script in scripts]
    out = []
    with tempfile.TemporaryDirectory() as folder:
        # Both sides name the same folder, and there is nothing of other scripts above it.
        place = Path(folder).resolve().joinpath("top", *map(str, range(ABOVE)))
        contents = raw_answers(texts, "steps", files=files, place=place)
        for script, content in zip(scripts, contents, strict=True):
            theirs = step_answers(content) if content is not None else []
            if len(theirs) != len(script):
                out.append([Result("no answer")] * len(script))
                continue
            with prepared(files, place) as shown:
                out.append(beside(script, theirs, shown))
    return out


def beside(script: list[str], theirs: list[Answer], shown: io.StringIO) -> list[Result]:
    """Run a script here, in the folder where we are, one statement after another, each beside R's answer."""
    from pyrrf.migrate.translation import translate

    try:
        translated = translate("\n".join(script), "script.R", ".")
    except Exception as error:
        return [Result("broken", f"translate: {type(error).__name__}: {error_text(error)}")] * len(script)
    if len(translated.statements) != len(script):
        return [Result("broken", "translate: another number of statements")] * len(script)
    space: dict[str, Any] = {"__name__": "script"}
    head = [line for line in translated.code.splitlines() if line.startswith(("import ", "from "))]
    exec("\n".join(head), space)
    spoiled: set[str] = set()
    known: dict[str, Any] = {}
    out = []
    for text, statement, answer in zip(script, translated.statements, theirs, strict=True):
        known.update(answer.values)
        for name in _REMOVED.findall(text):
            known.pop(name, None)
        words = set(re.findall(r"[A-Za-z.][\w.]*", text))
        if words & spoiled or _ALL in spoiled:
            out.append(Result("depends"))
        else:
            shown.seek(0)
            shown.truncate(0)
            out.append(_one(statement, answer, known, space, translated.names, spoiled, shown))
        if out[-1].kind == "failed":
            spoiled |= set(answer.values) | set(_LOOP.findall(text))
        elif out[-1].kind != "equal":
            spoiled |= _assigned_names(text) | set(answer.values)
            # Effects of a file that is not read here, such as attaching packages, are not known.
            spoiled |= {_ALL} if statement.left and "source" in words else set()
        if out[-1].kind in (*REFUSALS, "failed") and answer.drew:
            spoiled.add(_ALL)  # the streams differ from here on
    return out


_ALL = "*"
_REMOVED = re.compile(r"\brm\(([\w.]+)\)")
_LOOP = re.compile(r"for \((\w+) in ")


@contextlib.contextmanager
def small(most: int) -> Iterator[None]:
    """Let what asks for more memory fail."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _assigned_names(text: str) -> set[str]:
    """Return the names that a statement assigns."""
    assigned = re.findall(r"(?:^|[{;(]\s*|\)\s|names\(|levels\(|dim\(|diag\()\s*([A-Za-z]\w*)[^;{}]*?<-", text)
    own = re.findall(r"\b([vf]\d+)\b[^;{}]*?<-", text)
    return {*assigned, *own, *_LOOP.findall(text)}


def _one(
    statement: Any,
    answer: Answer,
    known: dict[str, Any],
    space: dict[str, Any],
    names: dict[str, str],
    spoiled: set[str],
    shown: Any,
) -> Result:
    if statement.left:
        # A statement left as R names the packages that R may have attached.
        exec("\n".join(line for line in statement.code.splitlines() if line.startswith("r.unsure(")), space)
        return Result(
            "left" if answer.error is None else "failed", "; ".join(part.reason for part in statement.left[:1])
        )
    kind, why = "", ""
    try:
        # A subscript of 1e9 asks for 8 GB.
        with limited(5.0), small(MOST_MEMORY):
            exec(compile(statement.code, "script.py", "exec"), space)
    except (Exception, TooLong) as error:
        kind, why = type(error).__name__, error_text(error)
    if kind or answer.error is not None:
        return _ended(statement.text, kind, why, answer, known)
    ours = {r: space[py] for r, py in names.items() if py in space and r in known and r not in spoiled}
    theirs = {name: value for name, value in known.items() if name not in spoiled}
    for name, value in ours.items():
        if type(value).__name__ in ("Placeholder", "_Absent"):
            return Result("NotSupportedError", f"{name} has no value")
    details = differences(ours, theirs)
    if details and any(getattr(value, "_kind", "") == "opaque" for value in ours.values()):
        return Result("NotSupportedError", "a value that is not known here")
    printed = shown.getvalue().removesuffix("\n")
    if printed != answer.output:
        details.append("printed:\n" + show_beside(printed, answer.output))
    return Result("differs", details[0].split("\n")[0], details) if details else Result("equal")


def _ended(text: str, kind: str, why: str, answer: Answer, known: dict[str, Any]) -> Result:
    """Return the outcome of a statement that ended in an error on one side, or on both."""
    if kind == "TooLong" and answer.error in ("reached CPU time limit", "reached elapsed time limit"):
        return Result("failed", "R ran out of time, too")
    if kind == "RecursionError" and answer.error is not None:
        return Result("failed", why)
    if kind == "TypeError" and answer.error is not None:
        return Result("failed", why)  # An argument too many or too few: Python's own error.
    if kind == "NameError":
        # R does not look up what it does not need; Python stops.
        free = re.fullmatch(r"name '(v\d+)' is not defined.*", why)
        unknown = free and (free[1] not in known or free[1] in _assigned_names(text))
        kind = "RError" if answer.error is not None or unknown else kind
    if kind == "MemoryError":
        kind = "RError"  # as in R
    if kind and kind not in REFUSALS:
        return Result("broken", f"{kind}: {why}", [f"R: {answer.error or 'no error'}"])
    if answer.error is not None:
        return (
            Result("failed", why)
            if kind
            else Result("differs", "R alone fails", [f"R: {answer.error}", "pyrrf: no error"])
        )
    return Result(kind, why)


# ---- smaller -------------------------------------------------------------------------------------


def shrunk(script: list[str], k: int, result: Result, files: Mapping[str, str] = NO_FILES) -> tuple[list[str], Result]:
    """Return the fewest statements after which the one at a place still comes out so; all where it needs later ones."""
    text, sign = script[k], signature(script[k], result)

    def is_same(last: Result) -> bool:
        return last.kind == result.kind and signature(text, last) == sign

    begun = script[: k + 1]
    last = run_scripts([begun], files)[0][-1]
    if not is_same(last):
        return [*script, f"# here: {text}"], result
    while len(begun) > 1:
        smaller = [begun[:i] + begun[i + 1 :] for i in range(len(begun) - 1)]
        results = run_scripts(smaller, files)
        better = next((i for i, ends in enumerate(results) if is_same(ends[-1])), None)
        if better is None:
            break
        begun, last = smaller[better], results[better][-1]
    return begun, last


def signature(text: str, result: Result) -> str:
    """Return the kind of a difference, for which one example is enough."""
    target, _, rest = text.rpartition("<- ")
    call = re.search(r"[A-Za-z.][\w.]*\(", rest) if target.strip().isidentifier() or not target else None
    calls = call.group() if call else re.sub(r"v\d+|\d+", "#", target)
    what = re.sub(r"v\d+", "v", re.sub(r"\d+", "#", result.why))[:60]
    return f"{calls}: {what}"


# ---- command -------------------------------------------------------------------------------------


@dataclass
class Summary:
    """Outcome of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    differences: list[tuple[list[str], Result]] = field(default_factory=list)

    @property
    def share_refused(self) -> float:
        """Share of refused statements among those that R ran and that do not depend on a refused one."""
        refused = sum(self.counts[kind] for kind in REFUSALS)
        return refused / max(1, refused + self.counts["equal"] + self.counts["differs"] + self.counts["broken"])


@dataclass(frozen=True)
class Kind:
    """A kind of random scripts.

    Parameters
    ----------
    make : callable
        The statements of the script of a number.
    most_refused : float
        The share of results that may be refused; above it the check would say little.
    counted : callable
        The results of a script that count, by their places.
    shrinks : bool
        Whether a script that differs is made smaller.
    files : mapping of str to str
        Text of the files in the folder of each script, by name.
    """

    make: Callable[[int], list[str]]
    most_refused: float
    counted: Callable[[list[Result]], dict[int, Result]] = lambda results: dict(enumerate(results))
    shrinks: bool = True
    files: Mapping[str, str] = field(default_factory=dict)


def how_it_ended(results: list[Result]) -> dict[int, Result]:
    """Return the first result of a script that is not equal, or the last: from there on variables and stream differ."""
    index = next((index for index, result in enumerate(results) if result.kind != "equal"), len(results) - 1)
    return {index: _own_error(results[index])}


def _own_error(result: Result) -> Result:
    """Return an error of Python's own as what it is: a failure where R fails, too, or one that stops the script."""
    if result.kind != "broken" or not result.details:
        return result
    if result.details[0] != "R: no error":
        return Result("failed", result.why)
    own = "positional argument" in result.why or result.why.startswith(("RecursionError", "UnboundLocalError"))
    return Result("TypeError", result.why) if own else result


KINDS = {
    "scripts": Kind(lambda number: Maker(number).script(), 0.35),
    "changed": Kind(change_piece, 0.35),
    "names": Kind(lambda number: NameMaker(number).script(), 0.6),
    "files": Kind(lambda number: FileMaker(number).script(), 0.9, how_it_ended, files=FILES),
    "caught": Kind(lambda number: FileMaker(number).caught(), 0.6, files=FILES),
    "classed": Kind(classed, 0.6),
    "functions": Kind(lambda number: FunctionMaker(number).script(), 0.65, how_it_ended, shrinks=False),
}


def run(seed: int, count: int, most_shown: int = 40, kind: Kind = KINDS["scripts"]) -> Summary:
    """Run scripts from a seed on."""
    summary, seen = Summary(), Counter[str]()
    for first in range(seed, seed + count, AT_ONCE):
        scripts = [kind.make(number) for number in range(first, min(first + AT_ONCE, seed + count))]
        for script, results in zip(scripts, run_scripts(scripts, kind.files), strict=True):
            summary.counts["scripts"] += 1
            for index, result in kind.counted(results).items():
                text = script[index]
                summary.counts[result.kind] += 1
                if result.kind in REFUSALS:
                    reason = f"{result.kind}: " + re.sub(r"\d+", "#", result.why)[:90]
                    summary.reasons[reason] += 1
                    summary.examples.setdefault(reason, text)
                if result.kind in ("differs", "broken"):
                    sign = signature(text, result)
                    seen[sign] += 1
                    if seen[sign] == 1 and len(summary.differences) < most_shown:
                        whole = script[: index + 1], result
                        summary.differences.append(shrunk(script, index, result, kind.files) if kind.shrinks else whole)
    return summary


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m parity.random_scripts", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="number of the first script")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--shown", type=int, default=40, help="how many differences are made smaller and printed")
    parser.add_argument("--script", type=int, help="print the script of a number and what comes of it")
    parser.add_argument("--kind", choices=KINDS, default="scripts", help="what is made")
    given = parser.parse_args()
    kind = KINDS[given.kind]
    if given.script is not None:
        script = kind.make(given.script)
        for text, result in zip(script, run_scripts([script], kind.files)[0], strict=True):
            print(f"{result.kind:14} {text}   {result.why}")
        return
    summary = run(given.seed, given.count, given.shown, kind)
    for script, result in summary.differences:
        print(f"--- {result.kind}: {result.why}")
        print("\n".join(f"    | {line}" for line in script))
        print("\n".join(f"    {line}" for line in result.details))
    print(", ".join(f"{many} {kind}" for kind, many in summary.counts.most_common()))
    print(f"refused: {summary.share_refused:.1%}; at most {kind.most_refused:.0%} may be")
    for reason, many in summary.reasons.most_common(40):
        print(f"{many:6d} {reason}     {summary.examples[reason]}")


if __name__ == "__main__":
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
