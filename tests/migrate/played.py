"""R's side of a check without R: what it would have recorded, and Python in this process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("typer")


import pyrrf
from pyrrf.migrate.check import checking, stepper
from pyrrf.migrate.check.checking import check
from pyrrf.migrate.check.job import Job, Outcome
from pyrrf.migrate.check.recording import Recording, record_file
from pyrrf.migrate.check.written import IMPORT
from pyrrf.migrate.translation import translate
from pyrrf.r.files.recorded import read_record
from pyrrf.r.files.robjects import object_of
from pyrrf.r.values.vector import doubles, integers, logicals, strings
from pyrrf.random import get_random_seed
from pyrrf.rds.build import named_list as r_list
from pyrrf.rds.build import write

# ---- R's side without R --------------------------------------------------------------------------

Step = dict[str, Any]


def write_record(file: Path, step: Step) -> None:
    """Write the record of `record.R` after a statement."""
    values = {name: object_of(value) for name, value in step.get("values", {}).items()}
    notes = step.get("notes", {})
    parts: dict[str, Any] = {
        "values": r_list(values),
        "notes": object_of(strings(notes.values(), {"names": strings(notes)}) if notes else strings([])),
        "seed": object_of(integers(step["seed"])) if "seed" in step else None,
        "cut": object_of(logicals(False)),
        "quit": object_of(logicals(step.get("quit", False))),
        "seconds": object_of(doubles(0.01)),
    }
    for name in ("removed", "text", "error", "warnings", "collate", "folder", "r"):
        parts[name] = object_of(strings(step.get(name, [])))
    write(r_list(parts), file)


def seed_after(draw: Callable[[], Any]) -> np.ndarray:
    """R's stream after some draws."""
    before = get_random_seed()
    try:
        draw()
        return get_random_seed()
    finally:
        pyrrf.random.set_random_seed(before)


def recorder(steps: tuple[Step, ...], ending: str, collate: str) -> Callable[..., Recording]:
    """Return a replacement of R that has done some steps."""

    def record(statements: Any, script: Path, folder: Path, limit: float, start: Path | None = None) -> Recording:
        assert len(statements) >= len(steps)
        first = {"r": ["R version 4.2.2 (2022-10-31)"], "collate": [collate], "seed": get_random_seed()}
        write_record(folder / "00000.rds", first)
        for number, step in enumerate(steps):
            write_record(record_file(folder, number), step)
        return Recording(folder, read_record(folder / "00000.rds"), len(steps), ending)

    return record


def check_script(tmp_path: Path, text: str, **how: Any) -> tuple[checking.CheckResult, str]:
    """Check a script; return the result and the Python."""
    (tmp_path / "a.R").write_text(text, encoding="utf-8")
    result = check(tmp_path / "a.R", tmp_path / "a.py", **how)
    return result, (tmp_path / "a.py").read_text(encoding="utf-8")


def body(code: str) -> list[str]:
    """The lines of a file behind its imports."""
    return code.split(IMPORT, 1)[1].strip("\n").split("\n")


def python(statement: str) -> str:
    """The Python of a statement of R, in one line."""
    return translate(statement).statements[0].code.strip()


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Restore the folder, the stream and the order of strings."""
    place, state, collate = Path.cwd(), get_random_seed(), pyrrf.set_collate(None)
    os.chdir("/")
    try:
        yield
    finally:
        os.chdir(place)
        pyrrf.random.set_random_seed(state)
        pyrrf.set_collate(collate)


def output_of(file: Path) -> str:
    """Return the printed text of a Python file, run from another folder."""
    with apart(), contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
        exec(compile(file.read_text(encoding="utf-8"), file, "exec"), {"__name__": "__main__", "__file__": str(file)})
    return shown.getvalue()


def step_here(job: Job, records: Path, folder: Path) -> list[Outcome]:
    """Run the blocks in this process, since another one takes a second to begin."""
    answers = io.StringIO()
    with apart(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(job.place)
        stepper.Stepper(replace(job, records=str(records)), answers).run()
    told = [json.loads(line) for line in answers.getvalue().splitlines()]
    outcomes = [Outcome(**line["outcome"]) for line in told if "outcome" in line]
    return outcomes + [Outcome(number, "unreached") for number in range(len(outcomes), len(job.blocks))]


def with_code(codes: dict[int, str]) -> Callable[..., Any]:
    """A translator with other code for some statements."""

    def translate_otherwise(*args: Any) -> Any:
        translation = translate(*args)
        for number, code in codes.items():
            object.__setattr__(translation.statements[number], "code", code)
        return translation

    return translate_otherwise


SCRIPT = "x <- c(1, 2)\ny <- nosuch(x)\nz <- nosuch(y)\nw <- x + 1\n"
STEPS = (
    {"values": {"x": doubles([1, 2])}},
    {"values": {"y": doubles([3, 4])}},
    {"values": {"z": doubles([5])}},
    {"values": {"w": doubles([2, 3])}},
)


def check_edited(tmp_path: Path, played: Callable[..., None], change: Callable[[str], str]) -> checking.CheckResult:
    """Check, edit, and check again."""
    played(*STEPS)
    _, code = check_script(tmp_path, SCRIPT)
    (tmp_path / "a.py").write_text(changed := change(code))
    assert changed != code
    result = check(tmp_path / "a.R", tmp_path / "a.py")
    assert (tmp_path / "a.py").read_text() == changed
    return result
