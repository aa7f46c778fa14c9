"""The process that runs the Python of a script in step with R's records: ``python -m pyrrf.migrate.check.stepper JOB``.

It writes a line of JSON for each block that it begins, and for each that came out.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TextIO

import numpy as np

from pyrrf.migrate.check.job import Block, Job, Outcome, definitions
from pyrrf.migrate.check.recording import record_file
from pyrrf.r.files.recorded import FUNCTION, Record, absent, read_record
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.placeholder import Placeholder
from pyrrf.r.values.same import first_difference
from pyrrf.r.values.vector import Value
from pyrrf.random import get_random_seed, set_random_seed
from pyrrf.rbase.collate import set_collate

# Functions whose value differs from call to call.
_CLOCK = re.compile(
    r"\b(Sys\.(time|Date|getpid)|proc\.time|system\.time|date|timestamp|tempfile|tempdir|tic|toc|object\.size|gc"
    r"|Sys\.info|sessionInfo)\s*\("
)
_MOST_OF_A_TIME = 10
_NO_PACKAGE = re.compile(r"there is no package called")
# Output of dev.off().
_CLOSED = re.compile(r"^(?:null device|RStudioGD|pdf|png|jpeg|X11cairo) *\n +\d+ *\n?", re.M)
_LONGEST = 1_000_000
# Room for a slow machine.
_SLOWER = 10.0


class TooLongError(BaseException):
    """A block takes longer than it may."""


class _CappedOutput(io.StringIO):
    """Collects printed text, at most as much as R's record has."""

    def write(self, text: str) -> int:
        if self.tell() < _LONGEST:
            super().write(text)
        return len(text)


@dataclass
class StateOfR:
    """State of R: the current value of each variable, and the stream."""

    values: dict[str, object] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    seed: np.ndarray | None = None

    def take(self, record: Record) -> None:
        """Update the state to the one behind a statement."""
        for name in [*record.removed, *record.values, *record.notes]:
            self.values.pop(name, None)
            self.notes.pop(name, None)
        self.values |= record.values
        self.notes |= record.notes
        if record.seed is not None:
            self.seed = record.seed


def merge_records(records: list[Record]) -> Record:
    """Return the records of several statements as one."""
    if len(records) == 1:
        return records[0]
    both = StateOfR()
    for record in records:
        both.take(record)
    removed = {name for record in records for name in record.removed} - {*both.values, *both.notes}
    return Record(
        values=both.values,
        notes=both.notes,
        removed=sorted(removed),
        text="".join(record.text for record in records),
        cut=any(record.cut for record in records),
        error=next((record.error for record in records if record.error), ""),
        seed=both.seed,
        collate=next((record.collate for record in reversed(records) if record.collate), ""),
        folder=next((record.folder for record in reversed(records) if record.folder), ""),
        quit=records[-1].quit,
        seconds=sum(record.seconds for record in records),
        problem=next((record.problem for record in records if record.problem), ""),
    )


class Stepper:
    """Runs blocks one after another in one namespace.

    Parameters
    ----------
    job : Job
    answers : text file
        Where the lines of JSON go.
    """

    def __init__(self, job: Job, answers: TextIO) -> None:
        self.job = job
        self.answers = answers
        self.space: dict[str, object] = {"__name__": "__main__", "__file__": job.file}
        self.theirs = StateOfR()
        self.of_r = {ours: theirs for theirs, ours in job.names.items()}

    def run(self) -> None:
        """Run all blocks."""
        start = read_record(Path(self.job.records, "00000.rds"))
        self.theirs.seed = start.seed
        self._set_stream()
        set_collate(start.collate)
        with _collecting():
            exec(compile(self.job.preamble, self.job.file, "exec"), self.space)
        self._set_stream()
        set_collate(start.collate)
        for number, block in enumerate(self.job.blocks):
            self._say({"begins": number, "limit": 0})
            outcome = self._block(number, block)
            self._say({"outcome": asdict(outcome)})
            if outcome.status == "unreached" or outcome.quit:
                break
        self._say({"done": True})

    def _say(self, what: dict[str, object]) -> None:
        self.answers.write(json.dumps(what) + "\n")
        self.answers.flush()

    # ---- one block -------------------------------------------------------------------------------

    def _block(self, number: int, block: Block) -> Outcome:
        files = [record_file(Path(self.job.records), i) for i in range(block.first, block.end)]
        if not all(file.exists() for file in files):
            return Outcome(number, "unreached")
        record = merge_records([read_record(file) for file in files])
        self.theirs.take(record)
        about = Outcome(
            number,
            "equal",
            changed=[name for name in record.values if name in self.job.names],
            notes={name: note for name, note in record.notes.items() if name in self.job.names},
            removed=[name for name in record.removed if name in self.job.names],
            printed=bool(record.text),
            drew=record.seed is not None and len(record.seed) > 0,
            quit=record.quit,
        )
        if record.error and not block.code.strip() and not about.reads and not _NO_PACKAGE.search(record.error):
            return about  # install.packages() without a mirror, View() without a screen: Python has nothing to do
        if record.error:
            return self._adopt(replace(about, status="failed", reason=record.error), block, record, None)
        if block.skip:
            return self._adopt(replace(about, status="frozen", reason=block.skip), block, record, None)
        return self._compare(about, block, record)

    def _compare(self, about: Outcome, block: Block, record: Record) -> Outcome:
        before = {name: value for name, value in self.space.items() if name in self.of_r}
        tokens = {name: _token(value) for name, value in before.items()}
        before = {name: value.copy() if isinstance(value, Value) else value for name, value in before.items()}
        limit = max(self.job.limit, _SLOWER * record.seconds)
        self._say({"begins": about.block, "limit": limit})
        shown, reason, ended = self._execute(block, limit)
        if not reason and ended != record.quit:
            reason = "it ends Python, and not R" if ended else "R ends here"
        if reason:
            return self._adopt(replace(about, status="frozen", reason=reason), block, record, before)
        changed = {
            name for name in self.of_r if name in self.space and not _same_token(tokens.get(name), self.space[name])
        }
        differences = self._differences(about, changed)
        stream = self._stream_differs()
        if _CLOCK.search(block.text) and not stream:
            differences = {name: reason for name, reason in differences.items() if not self._is_small(name)}
            timed = True
        else:
            timed = False
        if stream or differences:
            reason = f"it differs: {next(iter(differences.values()))}" if differences else stream
            return self._adopt(replace(about, status="frozen", reason=reason), block, record, before)
        about = replace(about, uncompared=[n for n, note in about.notes.items() if note != FUNCTION])
        text = _text_difference(shown, record)
        if timed:
            status = "clock" if text or self._differences(about, changed) else "equal"
            self._take_values(about)
            return replace(about, status=status)
        moves = about.changed or about.notes or about.removed or about.drew
        if text and (block.partial or not moves):
            return self._adopt(replace(about, status="frozen", reason=text), block, record, before)
        return replace(about, status="printed" if text else "equal", reason=text)

    def _execute(self, block: Block, limit: float) -> tuple[str, str, bool]:
        """Run a block; return its printed text, the reason of a failure, and whether it ends Python."""
        lines = "\n" * max(block.python_line - 1, 0)
        file = self.job.file if block.python_line else f"line {block.line}"
        with _collecting() as shown:
            try:
                code = compile(lines + block.code, file, "exec")
                with _time_limit(limit):
                    exec(code, self.space)
            except SystemExit:
                return shown.getvalue(), "", True
            except (Exception, TooLongError) as error:
                return shown.getvalue(), error_text(error), False
        return shown.getvalue(), "", False

    # ---- comparing -------------------------------------------------------------------------------

    def _differences(self, about: Outcome, changed: set[str]) -> dict[str, str]:
        """Return the differences by R's name of the variable, among those that R or Python changed."""
        differences = {}
        names = [*about.changed, *about.notes]
        for name in dict.fromkeys([*names, *sorted(self.of_r[ours] for ours in changed)]):
            difference = self._difference(name)
            if difference:
                differences[name] = difference
        return differences

    def _difference(self, name: str) -> str:
        ours = self.job.names[name]
        if name in self.theirs.notes:
            note = self.theirs.notes[name]
            here = self.space.get(ours)
            if here is None or isinstance(here, Placeholder) or (note == FUNCTION and not _is_function(here)):
                return f"{name}: nothing here, {note} in R"
            return ""
        if name not in self.theirs.values:
            return ""
        if ours not in self.space:
            return f"{name}: nothing here, {_kind(self.theirs.values[name])} in R"
        difference = first_difference(self.space[ours], self.theirs.values[name], name)
        return "" if difference is None else str(difference)

    def _stream_differs(self) -> str:
        if self.theirs.seed is None or not len(self.theirs.seed):
            return ""
        if np.array_equal(get_random_seed(), self.theirs.seed):
            return ""
        return "it leaves the random stream elsewhere than R"

    def _is_small(self, name: str) -> bool:
        """Whether a value may be a time or a fact about the machine."""
        ours, theirs = self.space.get(self.job.names[name]), self.theirs.values.get(name)
        sizes = [len(side) if isinstance(side, Value) else _MOST_OF_A_TIME + 1 for side in (ours, theirs)]
        return max(sizes) <= _MOST_OF_A_TIME and _kind(ours) == _kind(theirs) != "list"

    # ---- going on with R's values -----------------------------------------------------------------

    def _adopt(self, about: Outcome, block: Block, record: Record, before: dict[str, object] | None) -> Outcome:
        """Undo the changes of the code, and set R's values."""
        if before is not None:
            for name in [name for name in self.space if name in self.of_r and name not in before]:
                if self.of_r[name] not in self.theirs.notes:
                    del self.space[name]
            self.space.update(before)
        functions = {self.job.names[name]: name for name, note in about.notes.items() if note == FUNCTION}
        if functions:
            with _collecting(), contextlib.suppress(Exception):
                module = ast.Module(definitions(block.code, set(functions)), [])
                exec(compile(module, f"line {block.line}", "exec"), self.space)
        about = replace(about, defined=[name for ours, name in functions.items() if _is_function(self.space.get(ours))])
        for name, note in about.notes.items():
            if name not in about.defined:
                reason = about.reason if about.status == "failed" else _with_line(block.line, about.reason, note)
                self.space[self.job.names[name]] = absent(name, note, reason)
        for name in about.removed:
            self.space.pop(self.job.names[name], None)
        self._take_values(about)
        self._set_stream()
        if record.collate:
            set_collate(record.collate)
        if record.folder:
            with contextlib.suppress(OSError):
                os.chdir(record.folder)
        return about

    def _take_values(self, about: Outcome) -> None:
        for name in about.changed:
            if name in self.theirs.values:
                value = self.theirs.values[name]
                self.space[self.job.names[name]] = value.copy() if isinstance(value, Value) else value

    def _set_stream(self) -> None:
        with contextlib.suppress(ValueError, TypeError):
            if self.theirs.seed is not None and len(self.theirs.seed):
                set_random_seed(self.theirs.seed)


def _with_line(line: int, reason: str, note: str) -> str:
    """Return why a variable has no value, with the line that is at the root of it."""
    if re.search(r"\bline \d+: ", reason):
        return reason
    return f"line {line}: {reason}" if reason else f"line {line}: it is {note} in R"


def _token(value: object) -> tuple[object, ...]:
    """Return an object that differs after a change of the value; it holds the data, so that no copy is needed."""
    if not isinstance(value, Value):
        return (value,)
    return tuple(Value.__dict__[name].__get__(value) for name in ("_kind", "_data", "_attributes", "_hidden"))


def _same_token(before: tuple[object, ...] | None, value: object) -> bool:
    now = _token(value)
    return before is not None and len(before) == len(now) and all(a is b for a, b in zip(before, now, strict=True))


def _is_function(x: object) -> bool:
    return callable(x) and not isinstance(x, Value | Placeholder) and not hasattr(x, "absent")


def _kind(x: object) -> str:
    return x._kind if isinstance(x, Value) else type(x).__name__


def _text_difference(ours: str, record: Record) -> str:
    """Return the first difference of the printed text, without the output of a closed plot; empty if there is none."""
    mine, other = (_CLOSED.sub("", text).split("\n") for text in (ours, record.text))
    if mine == other or (record.cut and mine[:1000] == other[:1000]):
        return ""
    index = next((i for i, pair in enumerate(zip(mine, other, strict=False)) if pair[0] != pair[1]), -1)
    shorter = min(len(mine), len(other))
    index = shorter if index < 0 else index
    shown = [repr(side[index][:60]) if index < len(side) else "nothing" for side in (mine, other)]
    return f"it prints {shown[0]}, R {shown[1]}"


def error_text(error: BaseException) -> str:
    """Return the message of an exception; for an error in pyrrf also its file and line."""
    text = str(error).split("\n")[0][:300]
    if isinstance(error, NotSupportedError | TooLongError):
        return text
    if isinstance(error, RError):
        return f"it stops here, not in R: {text}"
    own = str(Path(__file__).parent)
    stack = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in stack if "pyrrf" in frame.filename and not frame.filename.startswith(own)]
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text}{place}"


@contextlib.contextmanager
def _collecting() -> Iterator[io.StringIO]:
    """Collect printed text."""
    shown = _CappedOutput()
    with contextlib.redirect_stdout(shown):
        yield shown


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Stop code that takes longer, where the system can; the parent process ends code that cannot be stopped."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError(f"it takes longer than {seconds:.0f} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def main() -> None:
    """Run the job in the file that is named."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warnings.simplefilter("ignore")
    sys.argv[:] = [job_file := sys.argv[1]]
    job = Job.read(job_file)
    sys.argv[:] = [job.file]
    sys.path.insert(0, os.path.dirname(job.file))
    os.chdir(job.place)
    Stepper(job, answers).run()


if __name__ == "__main__":
    main()
