"""A script run once by R, statement by statement: the records that `record.R` writes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyrrf.r.bridge.session import RSessionError, begin, end, ending, last_line
from pyrrf.r.files.recorded import Record, read_record

RECORDER = Path(__file__).with_name("record.R")
_MOST_TEXT = 2**30
_PAUSE = 0.05


class CheckError(Exception):
    """A script cannot be checked; the message gives the reason and a remedy."""


@dataclass(frozen=True)
class Recording:
    """Record of a run by R.

    Attributes
    ----------
    folder : Path
        Of the records.
    start : Record
        Its version, the first state of the stream, the order of strings.
    reached : int
        How many statements were run to their end, or until R quit.
    ending : str
        Why the others were not run; empty if all were.
    """

    folder: Path
    start: Record
    reached: int
    ending: str

    def file(self, number: int) -> Path:
        """Return the record of a statement, counted from 0."""
        return record_file(self.folder, number)


def record_file(folder: Path, number: int) -> Path:
    """Return the record of a statement, counted from 0."""
    return folder / f"{number + 1:05d}.rds"


def record(statements: Sequence[str], script: Path, folder: Path, limit: float, start: Path | None = None) -> Recording:
    """Run the statements of a script in R, in the folder of the script.

    Parameters
    ----------
    statements : sequence of str
    script : Path
        The name under which R runs the script.
    folder : Path
        An empty one, for the records.
    limit : float
        Seconds that all may take.
    start : Path, optional
        A record of an earlier start, whose random stream this one gets.

    Raises
    ------
    CheckError
        R is not there, or does not begin.
    """
    for number, text in enumerate(statements):
        record_file(folder, number).with_suffix(".R").write_text(text + "\n", encoding="utf-8", errors="replace")
    if start is not None and start.is_file():
        shutil.copyfile(start, folder / "start.rds")
    try:
        why = _run(script, folder, limit)
    except RSessionError as error:
        raise CheckError(str(error)) from None
    first = folder / "00000.rds"
    if not first.is_file():
        raise CheckError(f"R does not begin: {last_line(folder / 'stderr') or why}")
    reached = next((i for i in range(len(statements)) if not record_file(folder, i).is_file()), len(statements))
    return Recording(folder, read_record(first), reached, _why(folder, reached, len(statements), why))


def _run(script: Path, folder: Path, limit: float) -> str:
    """Run R; return why it did not come to an end by itself, or nothing."""
    told = {"PYRRF_RECORD": str(folder), "PYRRF_SCRIPT": script.name}
    shown = folder / "stdout"
    with (
        shown.open("wb") as stdout,
        (folder / "stderr").open("wb") as stderr,
        begin(RECORDER, told, stdout, stderr, script.parent) as process,
    ):
        last = time.monotonic() + limit
        try:
            while process.poll() is None:
                if time.monotonic() > last:
                    return f"R was not done after {limit:g} s (--limit gives more)"
                if shown.stat().st_size > _MOST_TEXT:
                    return "it printed more than a gigabyte"
                time.sleep(_PAUSE)
        finally:
            end(process)
    return ending(process.returncode) if process.returncode else ""


def _why(folder: Path, reached: int, count: int, why: str) -> str:
    if reached == count:
        return ""
    if reached and read_record(record_file(folder, reached - 1)).quit:
        return "R had ended"
    complaint = last_line(folder / "stderr") if why.startswith("R ended") else ""
    complaint = complaint and f": {complaint}"
    return (why or "R ended") + complaint
