"""Random programs: data of every type, a fit with any arguments, companions in any order, on one stream, on both sides.

``python -m parity.random_programs --from SEED --count N`` runs them beside R, shrinks each one that differs, prints it
as a script for both sides, and sums up.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd

from parity import python_side
from parity.answers import Answer
from parity.chooser import LEVELS, Chooser
from parity.compare import compare_answers
from parity.known_steps import known_difference
from parity.random_arguments import random_arguments
from parity.random_data import random_parts
from parity.random_steps import after_fit, before_fit, draw
from parity.scripted import scripts
from parity.shrinking import SEED, shrink
from parity.smaller import smaller_programs
from parity.steps import Bare, Case, Part, Ref, Step
from parity.values import Value
from parity.worker import Worker

WIDE = (*LEVELS, 33, 40, 53)
FILES = ("read_from_r", "write_to_r")


@dataclass(frozen=True)
class Program:
    """Data by parts, and steps on one stream; as it was made, or made smaller."""

    number: int
    parts: dict[str, Any]
    steps: tuple[Step, ...]

    def smaller(self) -> Iterator[Program]:
        """Yield programs with less in them, those that lose most first."""
        for parts, steps in smaller_programs(self.parts, self.steps):
            yield dataclasses.replace(self, parts=_needed(parts, steps), steps=tuple(steps))

    def scripts(self) -> str:
        """The program as a script of R and one of Python, with their data."""
        return scripts(self.parts, self.steps)


def random_program(number: int) -> Program:
    """The program of a number; the same for the same number."""
    choose = Chooser(1_000_000 + number)
    package = choose.one_of("RRF", "RRF", "randomForest")
    choose.levels = LEVELS if package == "RRF" else WIDE
    kind = choose.one_of("classes", "classes", "classes", "numbers", "numbers", "alone")
    parts = random_parts(choose, kind)
    steps = [Step("set_seed", {"seed": choose.between(0, 10**6)}, "seed")]
    if kind != "alone" and choose.chance(0.15):
        steps.append(before_fit(choose, parts | {"gaps": None}, kind, package, 0))
    else:
        steps += _forest(choose, parts, kind, package)
    parts |= _gaps(choose, parts, steps)
    return Program(number, _needed(parts, steps), (*steps, draw(choose, 99)))


def _forest(choose: Chooser, parts: dict[str, Any], kind: str, package: str) -> list[Step]:
    steps = [_fit(choose, parts, kind, package)]
    fits = ["fit"]
    for k in range(choose.between(0, 5)):
        step = draw(choose, k) if choose.chance(0.25) else after_fit(choose, parts, kind, choose.one_of(*fits), k)
        if step.verb == "grow" and steps[0].verb == "GRRF":
            continue  # R looks for the data inside the function of the idiom.
        steps.append(step)
        if step.verb in ("combine", "grow"):
            fits.append(step.name)
    return steps


def _fit(choose: Chooser, parts: dict[str, Any], kind: str, package: str) -> Step:
    """RRF() or randomForest(), of x and y or of a formula; now and then the guided idiom."""
    args = random_arguments(choose, parts, kind, package)
    data: dict[str, Any] = {"x": Part("x"), "y": Part("y") if kind != "alone" else None}
    if package == "RRF" and kind == "classes" and choose.chance(0.1):
        guided = {name: value for name, value in args.items() if name not in ("coefReg", "flagReg", "importance")}
        return Step("GRRF", {**data, "gamma": choose.one_of(0, 0.5, 1, 0.3), **guided}, "fit")
    if _has_names(parts) and choose.chance(0.2):
        return _formula(choose, parts, kind, package, args)
    return Step(package, {**data, **args}, "fit")


def _has_names(parts: dict[str, Any]) -> bool:
    x = parts["x"]
    return isinstance(x, pd.DataFrame) and all(str(name).isidentifier() and str(name)[0] == "x" for name in x.columns)


def _formula(choose: Chooser, parts: dict[str, Any], kind: str, package: str, args: dict[str, Any]) -> Step:
    """The formula y ~ . or ~ . with an action for missing values."""
    # R counts rows from 1, pyrrf from 0: labels make those that are left over the same.
    data = parts["x"].set_axis([f"r{i}" for i in range(len(parts["x"]))])
    if kind != "alone":
        # R refuses strings and takes logicals for numbers.
        data["y"] = pd.Categorical(parts["y"]) if kind == "classes" else parts["y"]
    parts["data"] = data
    action = choose.one_of(None, "na.omit", "na.roughfix", "na.fail")
    given = {} if action is None else {"na_action": Bare(action)}
    rest = {name: value for name, value in args.items() if name not in ("xtest", "ytest", "weights", "strata")}
    text = "~ ." if kind == "alone" else "y ~ ."
    return Step(package, {"formula": Bare(text), "data": Part("data"), **given, **rest}, "fit")


def _gaps(choose: Chooser, parts: dict[str, Any], steps: list[Step]) -> dict[str, Any]:
    """`gaps`: x with missing values; so are, with an action for them, the data of a formula."""
    named = {value.name for step in steps for value in step.args.values() if isinstance(value, Part)}
    out: dict[str, Any] = {}
    if "gaps" in named:
        out["gaps"] = with_gaps(choose, parts["x"], choose.one_of(0.02, 0.15, 0.4))
    if "data" in named and choose.chance(0.6):
        out["data"] = with_gaps(choose, parts["data"], choose.one_of(0.02, 0.1))
    return out


def with_gaps(choose: Chooser, table: Any, share: float) -> Any:
    """The table with about this share of its values missing."""
    holes = choose.bits.uniform(table.shape[0] * table.shape[1]).reshape(table.shape) < share
    if not isinstance(table, pd.DataFrame):
        return np.where(holes, np.nan, table)
    columns = []
    for j in range(table.shape[1]):
        column = table.iloc[:, j]
        fits = column.dtype.kind == "f" or isinstance(column.dtype, pd.CategoricalDtype)
        columns.append(column.where(~holes[:, j]) if fits else column)
    made = pd.concat(columns, axis=1)
    made.columns = table.columns
    return made


def _needed(parts: dict[str, Any], steps: list[Step]) -> dict[str, Any]:
    named = {value.name for step in steps for value in step.args.values() if isinstance(value, Part)}
    return {name: part for name, part in parts.items() if name in named}


# ---- both sides ----------------------------------------------------------------------------------


@dataclass
class Outcome:
    """Results of a program on both sides.

    Parameters
    ----------
    differences : list of str
    counts : Counter
        Steps and values compared, and what both refuse, what R did not answer, what DIFFERENCES.md has.
    step : Step, optional
        The one that differs.
    lost : str
        The step in which R hung or crashed, and what pyrrf said.
    """

    differences: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    step: Step | None = None
    lost: str = ""

    def kind(self) -> str:
        """The kind of the difference, without numbers: the step's verb and what is compared."""
        if not self.differences or self.step is None:
            return ""
        said = self.differences[0].split("): ", 1)[-1]
        if not said.startswith(("R alone", "pyrrf alone")):
            said = said.split(": ", 1)[0].split("[")[0]
        return f"{self.step.verb}: {re.sub('[0-9]+', '#', said)[:80]}"


class _TooLong(BaseException):
    pass


def _stop(number: int, frame: FrameType | None) -> None:
    raise _TooLong("pyrrf takes longer than 20 s")


def run_both(worker: Worker, program: Program) -> Outcome:
    """Run a program on both sides; again in a new R where the sides differ or R crashes, because an earlier program may
    have made R write outside its arrays."""
    outcome = _run(worker, program)
    if outcome.differences or outcome.lost.endswith("answers"):
        worker.restart()
        outcome = _run(worker, program)
    return outcome


def _run(worker: Worker, program: Program) -> Outcome:
    """Run a program step by step, until both sides differ or one side answers no more."""
    outcome, failed = Outcome(), set()
    with tempfile.TemporaryDirectory() as folder:
        item = Case(f"program_{program.number}", "none", tuple(_placed(step, folder) for step in program.steps))
        worker.begin(item, program.parts)
        ours = python_side.answers(item, program.parts)
        signal.signal(signal.SIGALRM, _stop)
        for step in item.steps:
            r, py = _next(step, worker, ours)
            needs = {value.name for value in step.args.values() if isinstance(value, Ref)}
            if needs & failed:
                failed.add(step.name)
                continue
            outcome.step = step
            if not _agree(outcome, step, r, py, program, failed):
                break
    return outcome


def _placed(step: Step, folder: str) -> Step:
    """The step with the file through which a fit goes."""
    file = {"file": str(Path(folder) / f"{step.name}.rds")} if step.verb in FILES else {}
    return dataclasses.replace(step, args=step.args | file)


def _next(step: Step, worker: Worker, ours: Iterator[Answer]) -> tuple[Answer | str, Answer]:
    """Answers of both sides; pyrrf comes first, except where it reads a file of R. What it refuses may make R hang."""
    if step.verb == "read_from_r":
        return worker.answer(10.0), _ours(ours)
    py = _ours(ours)
    return worker.answer(10.0 if py.failed is None else 1.0), py


def _ours(ours: Iterator[Answer]) -> Answer:
    signal.setitimer(signal.ITIMER_REAL, 20.0)
    try:
        return next(ours)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _agree(outcome: Outcome, step: Step, r: Answer | str, py: Answer, program: Program, failed: set[str]) -> bool:
    """Whether both sides agree, so that the program goes on."""
    counts = outcome.counts
    if isinstance(r, str):
        counts[f"{r}, pyrrf {'answers' if py.failed is None else 'refuses'}: {step.verb}"] += 1
        outcome.lost = f"{r} in {step.verb}({', '.join(f'{k}={v}' for k, v in step.args.items())})"[:300]
        outcome.lost += f": pyrrf {py.failed or 'answers'}"
        return False
    if py.failed is not None and py.kind not in ("ValueError", "TypeError"):
        outcome.differences = [f"step ({step.verb} -> {step.name}): pyrrf failed with {py.kind}: {py.failed}"]
        return False
    both_refuse = r.failed is not None and py.failed is not None
    outcome.differences = _differences(step, r, py)
    line = known_difference(step, r, py, program.parts) if outcome.differences else ""
    if line:
        counts[f"DIFFERENCES.md: {line}"] += 1
        outcome.differences = []
        return False
    if both_refuse:
        failed.add(step.name)
        counts["steps that both refuse"] += 1
    if not outcome.differences:
        counts["steps"] += 1
        counts["values"] += 0 if both_refuse else _size(r.value)
    return not outcome.differences


def _differences(step: Step, r: Answer, py: Answer) -> list[str]:
    """Return the differences; where both refuse, only of the stream."""
    if (r.failed is None) != (py.failed is None):
        side = f"R alone refuses: {r.failed}" if py.failed is None else f"pyrrf alone refuses: {py.failed}"
        return [f"step ({step.verb} -> {step.name}): {side}"]
    if r.failed is not None:
        r, py = (dataclasses.replace(side, failed=None, warned=[], printed=[]) for side in (r, py))
    if step.verb == "GRRF":  # Two calls in R, of which each warns.
        r = dataclasses.replace(r, warned=list(dict.fromkeys(r.warned)))
    return compare_answers([r], [py], [step])


def _size(value: Value) -> int:
    """Numbers, codes and strings in a value."""
    if value.kind == "record":
        return sum(_size(part) for part in value.data.values())
    return 0 if value.kind == "nothing" else int(value.data.size)


def shrunk(worker: Worker, program: Program, seconds: float = 30.0) -> Program:
    """The smallest program found in this time that has a difference of the same kind."""
    kind, end = run_both(worker, program).kind(), time.monotonic() + seconds
    return shrink(program, lambda smaller: time.monotonic() < end and run_both(worker, smaller).kind() == kind, 1000)


# ---- command -------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--from", dest="first", type=int, default=None, help="number of the first program")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--shown", type=int, default=3, help="how many of each kind are shrunk and printed")
    given = parser.parse_args()
    first = 1_000 * SEED if given.first is None else given.first
    worker, counts, kinds = Worker(), Counter[str](), Counter[str]()
    started = time.monotonic()
    for number in range(first, first + given.count):
        outcome = run_both(worker, random_program(number))
        counts += outcome.counts
        if outcome.lost:
            print(f"    program {number}: {outcome.lost}", flush=True)
        if outcome.differences:
            kinds[outcome.kind()] += 1
            print(f"--- program {number}: {outcome.kind()}\n    {outcome.differences[0]}", flush=True)
            if kinds[outcome.kind()] <= given.shown:
                least = shrunk(worker, random_program(number))
                print("\n".join([*run_both(worker, least).differences, least.scripts()]), flush=True)
        if (number - first + 1) % 500 == 0:
            print(
                f"{number - first + 1} programs, {time.monotonic() - started:.0f} s, differences: {dict(kinds)}",
                flush=True,
            )
    print(summary(first, given.count, counts, kinds))
    worker.close()


def summary(first: int, count: int, counts: Counter[str], kinds: Counter[str]) -> str:
    """Return the runs and their outcomes, one line each."""
    lines = [f"{count} programs from {first}: {counts.total() and counts['steps']} steps, {counts['values']} values"]
    lines += [f"{many:7d} {what}" for what, many in sorted(counts.items()) if what not in ("steps", "values")]
    lines += [f"{many:7d} differences: {what}" for what, many in kinds.most_common()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
