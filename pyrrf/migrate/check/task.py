"""A script and its Python file, as one check has them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pyrrf.migrate.check.job import Block, Job, Outcome
from pyrrf.migrate.check.recording import Recording, record
from pyrrf.migrate.check.stepping import step
from pyrrf.migrate.check.written import Written, left_folder, read_written
from pyrrf.migrate.translation import Statement, Translation, translate

SECONDS = 60.0
"""Seconds for a statement in Python; or ten times its time in R."""


@dataclass(frozen=True)
class CheckedScript:
    """A script that R has run.

    Attributes
    ----------
    script, output : Path
    translated : Translation
    old : Written or None
        What was written at the last check.
    recording : Recording
    place : Path
        A folder for the files of the check.
    """

    script: Path
    output: Path
    translated: Translation
    old: Written | None
    recording: Recording
    place: Path

    @property
    def statements(self) -> list[Statement]:
        """The statements of the script."""
        return self.translated.statements

    @cached_property
    def records_folder(self) -> Path:
        """The folder next to the Python file."""
        return left_folder(self.output)

    @property
    def ending(self) -> str:
        """Why R did not come to the end, and where; empty if it did."""
        reached = self.recording.reached
        if not self.recording.ending or reached >= len(self.statements):
            return self.recording.ending
        return f"{self.recording.ending} in line {self.statements[reached].first}"

    def step(self, blocks: Sequence[Block], preamble: str) -> list[Outcome]:
        """Run some Python in step with R."""
        names = self.translated.names | (self.old.names if self.old is not None else {})
        folder = self.script.resolve().parent
        job = Job(list(blocks), names, preamble, str(self.output.resolve()), str(folder), "", SECONDS)
        return step(job, self.recording.folder, self.place)


def translated_of(script: Path, outside: bool = False) -> Translation:
    """Return a script's translation; `outside` lets it source files outside of its folder.

    Raises
    ------
    OSError
        It cannot be read.
    """
    return translate(script.read_text(encoding="utf-8-sig"), script.name, script.parent, outside)


@contextmanager
def record_run(script: Path, output: Path, translated: Translation, limit: float) -> Iterator[CheckedScript]:
    """Let R run a script; its records are there inside the block.

    Raises
    ------
    CheckError
        R is not there, or does not begin.
    """
    with tempfile.TemporaryDirectory() as name:
        place, records = Path(name), Path(name) / "r"
        records.mkdir()
        start = left_folder(output) / "000.rds"
        texts = [statement.text for statement in translated.statements]
        recording = record(texts, script.resolve(), records, limit, start)
        yield CheckedScript(script, output, translated, read_written(output), recording, place)
