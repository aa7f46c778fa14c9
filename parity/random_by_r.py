"""Random scripts of which R computes a part, and R: ``pyrrf migrate --with-r``, a third of the functions unknown.

``python -m parity.random_by_r --seed S --count N`` makes scripts of the makers of `parity.random_scripts` and of lines
that pyrrf does not know, drops the statements at which R stops, runs the rest in R and as a file of Python, compares
what is printed and the stream at the end, and sums up: equal, differs silently, stopped (and why).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parity.by_r_templates import LINES, OBJECTS, USES
from parity.function_maker import FunctionMaker
from parity.name_maker import NameMaker
from parity.pieces import raw_answers, show_beside, step_answers
from parity.script_maker import Maker

AT_ONCE = 40
END = "runif(1)"
_KEPT = frozenset("RRF randomForest grow set.seed function tryCatch match.arg missing requireNamespace".split())
"""Functions that stay known: of forests, and those for which the translator has rules of its own."""


class ByRMaker(Maker):
    """Makes scripts with lines among them that pyrrf does not know; type "obj" is what R alone may hold."""

    def statement(self) -> str | None:
        """Return a statement."""
        if self.chance(0.6):
            return super().statement()
        if self.chance(0.4):
            text = self._filled_line(str(self.one_of(*OBJECTS)))
            return f"{self.new('obj')} <- {text}"
        name = self.variable_of("obj")
        if name is not None and self.chance(0.5):
            return self._filled_line(str(self.one_of(*USES)).replace("OBJ", name))
        return self._filled_line(str(self.one_of(*LINES)))

    def _filled_line(self, text: str) -> str:
        text = re.sub(r"\{(lgl|int|dbl|chr|fct|mat|df|lst)\}", lambda m: self.value(m.group(1), 1), text)
        return re.sub(r"NEW:(\w+)", lambda m: self.new(m.group(1)), text)


def script_of(number: int) -> list[str]:
    """Return the statements of the script of a number."""
    kind = number % 5
    if kind == 3:
        return FunctionMaker(number).script()
    script = NameMaker(number).script() if kind == 4 else ByRMaker(number).script()
    return [statement for line in script for statement in _statements(line)]


def _statements(line: str) -> list[str]:
    """Return the statements of a line."""
    from pyrrf.migrate.parse.parser import parse

    return [node.text for node in parse(line).body]


def unknown_in(script: list[str], number: int) -> list[str]:
    """Return a random third of the functions that a script calls."""
    from pyrrf import r

    called = sorted({*re.findall(r"([A-Za-z.][\w.]*)\(", "\n".join(script))} & r._KNOWN.keys() - _KEPT)
    return random.Random(number).sample(called, len(called) // 3)


# ---- both sides ----------------------------------------------------------------------------------


@dataclass
class Case:
    """A script, the functions of it that pyrrf is to know nothing of, and what R prints."""

    number: int
    script: list[str]
    unknown: list[str]
    output: str


def cases(numbers: list[int]) -> list[Case]:
    """Return the scripts of some numbers without the statements at which R stops."""
    scripts = [[*script_of(number), END] for number in numbers]
    for _ in range(2):
        contents = raw_answers(["\n".join(script) for script in scripts], "steps")
        steps = [[] if content is None else step_answers(content) for content in contents]
        whole = [len(theirs) == len(script) for theirs, script in zip(steps, scripts, strict=True)]
        scripts = [
            [text for text, answer in zip(script, theirs, strict=True) if answer.error is None] if good else []
            for script, theirs, good in zip(scripts, steps, whole, strict=True)
        ]
    out = []
    for number, script, theirs in zip(numbers, scripts, steps, strict=True):
        if len(script) > 1 and len(theirs) == len(script):
            shown = "".join(f"{answer.output}\n" for answer in theirs if answer.output)
            out.append(Case(number, script, unknown_in(script, number), shown))
    return out


@contextlib.contextmanager
def unknown(names: list[str]) -> Iterator[None]:
    """Let the translator know nothing of some functions."""
    from pyrrf import r

    kept = {name: r._KNOWN.pop(name) for name in names if name in r._KNOWN}
    try:
        yield
    finally:
        r._KNOWN.update(kept)


def python_of(case: Case) -> str:
    """Return the file of a script."""
    from pyrrf.migrate.scopes import library
    from pyrrf.migrate.translation import translate

    library.facts.cache_clear()
    with unknown(case.unknown):
        code = translate("\n".join(case.script), "script.R", with_r=True).code
    library.facts.cache_clear()
    return code


def run_all(them: list[Case]) -> list[tuple[str, str, str]]:
    """Run each script in a process of its own; return its end, the reason for it, and the text that it prints."""
    with tempfile.TemporaryDirectory() as folder:
        for index, case in enumerate(them):
            place = Path(folder, str(index))
            place.mkdir()
            try:
                (place / "script.py").write_text(python_of(case), encoding="utf-8")
            except Exception as error:
                (place / "end").write_text(f"broken\n{type(error).__name__}: {error}")
        worker = [sys.executable, "-m", "parity.random_by_r", "--worker", folder]
        environment = {"TZ": "UTC", **os.environ, "LC_COLLATE": "C"}
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(worker, env=environment, timeout=60 + 20 * len(them), check=False, capture_output=True)
        return [_end(Path(folder, str(index))) for index in range(len(them))]


def _end(place: Path) -> tuple[str, str, str]:
    if not (place / "end").exists():
        return "broken", "no end", ""
    kind, _, why = (place / "end").read_text().partition("\n")
    output = place / "output"
    return kind, why, output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""


def work(folder: Path) -> None:
    """Run the scripts of a folder, one after another on one session of R, which is emptied in between."""
    import pyrrf
    from parity.pieces import error_text, limited, prepared

    for index in range(len([*folder.iterdir()])):
        place = folder / str(index)
        if (place / "end").exists():
            continue
        kind, why = "ended", ""
        with prepared() as shown:
            pyrrf.set_seed(1)
            try:
                code = (place / "script.py").read_text(encoding="utf-8")
                with limited(20.0):
                    exec(compile(code, "script.py", "exec"), {"__name__": "script"})
            except BaseException as error:
                kind, why = type(error).__name__, error_text(error)
            _empty()
        (place / "output").write_text(shown.getvalue(), encoding="utf-8")
        (place / "end").write_text(f"{kind}\n{why}")


_EMPTY = """rm(list = ls(globalenv(), all.names = TRUE), envir = globalenv())
usual <- paste0("package:", c("base", getOption("defaultPackages")))
for (name in setdiff(search(), c(".GlobalEnv", "Autoloads", usual)))
    try(detach(name, character.only = TRUE), silent = TRUE)"""


def _empty() -> None:
    """Empty the session of R, of which the next script must see nothing."""
    from pyrrf.r.base.control import reset_options
    from pyrrf.r.bridge import by_r, link, session
    from pyrrf.r.values.functions import AWAY, REST

    REST.clear()
    AWAY.clear()
    reset_options()
    if any(running.is_alive for running in session._RUNNING):
        link.link().forget()
        by_r.by_r_inside(_EMPTY)
        link.link().forget()


# R compiles a function that it has called twice, and then prints where its code lies.
_ADDRESS = re.compile(r"\b0x[0-9a-f]+\b|^<bytecode: .*>\n", re.MULTILINE)


def outcome(case: Case, ours: tuple[str, str, str]) -> tuple[str, str]:
    """Return "equal", "differs", "stopped" or "broken" and the reason."""
    kind, why, output = ours
    if kind == "ended":
        return (
            ("equal", "")
            if _ADDRESS.sub("", output) == _ADDRESS.sub("", case.output)
            else ("differs", show_beside(output, case.output))
        )
    told = kind in ("NotSupportedError", "RError", "RSessionError")
    if not case.output.startswith(output.rstrip("\n")):
        return "differs", f"before {kind}: {why}\n" + show_beside(output, case.output)
    return ("stopped" if told else "broken"), f"{kind}: {why}"


# ---- command -------------------------------------------------------------------------------------


def shrunk(case: Case, kind: str) -> tuple[Case, str]:
    """Return the fewest statements that still come out so, and how."""
    why = ""
    for _ in range(12):
        texts = [case.script[:i] + case.script[i + 1 :] for i in range(len(case.script) - 1)]
        answers = raw_answers(["\n".join(text) for text in texts], "steps") if texts else []
        smaller = []
        for text, content in zip(texts, answers, strict=True):
            steps = [] if content is None else step_answers(content)
            if len(steps) == len(text) and all(step.error is None for step in steps):
                shown = "".join(f"{step.output}\n" for step in steps if step.output)
                smaller.append(Case(case.number, text, case.unknown, shown))
        ends = [outcome(one, ours) for one, ours in zip(smaller, run_all(smaller), strict=True)]
        better = next((i for i, end in enumerate(ends) if end[0] == kind), None)
        if better is None:
            break
        case, why = smaller[better], ends[better][1]
    return case, why


def run(seed: int, count: int, most_shown: int = 10) -> tuple[Counter[str], Counter[str], list[Any]]:
    """Run random scripts; return a count of each outcome, the reasons of those that stop, and those that differ."""
    counts, reasons, shown = Counter[str](), Counter[str](), list[Any]()
    for first in range(seed, seed + count, AT_ONCE):
        them = cases([*range(first, min(first + AT_ONCE, seed + count))])
        for case, ours in zip(them, run_all(them), strict=True):
            kind, why = outcome(case, ours)
            counts[kind] += 1
            if kind == "stopped":
                print(case.number, why, flush=True)
                reasons[re.sub(r"\d+", "#", why)[:110]] += 1
            if kind in ("differs", "broken"):
                small = shrunk(case, kind) if len(shown) < most_shown else (case, "")
                shown.append((kind, small[0], small[1] or why))
                show(*shown[-1])
    return counts, reasons, shown


def show(kind: str, case: Case, why: str) -> None:
    """Print a script that came out otherwise than in R."""
    print(f"--- {kind}, script {case.number}, unknown: {' '.join(case.unknown)}")
    print("\n".join(f"    | {line}" for line in case.script))
    print(why, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m parity.random_by_r", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="number of the first script")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--shown", type=int, default=0, help="how many that differ are made smaller")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--script", type=int, help="print the script of a number, the Python, and what comes of it")
    given = parser.parse_args()
    if given.worker is not None:
        work(given.worker)
        return
    if given.script is not None:
        (case,) = cases([given.script])
        print("\n".join(case.script), python_of(case), *outcome(case, run_all([case])[0]), sep="\n----\n")
        return
    counts, reasons, _ = run(given.seed, given.count, given.shown)
    print(", ".join(f"{many} {kind}" for kind, many in counts.most_common()))
    for reason, many in reasons.most_common(40):
        print(f"{many:6d} {reason}")


if __name__ == "__main__":
    main()
