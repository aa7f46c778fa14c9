"""Comparison of a script of R and one of Python, forest by forest."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from pyrrf.fit.callbacks import GrownForest
from pyrrf.testing.causes import compare_grown
from pyrrf.testing.comparer import Difference, compare_fits, count_values
from pyrrf.testing.recording import RECORDER, RecordedCall, Recording

_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
# R's "[1]" before a printed vector.
_POSITION = re.compile(r"^\s*\[\d+\]", re.MULTILINE)
# Output of dev.off().
_CLOSED = re.compile(r"^(?:null device|RStudioGD|pdf|png|jpeg|X11cairo) *\n +\d+ *$", re.M)

# R prints seven digits. A shorter number than this is not accepted as the rounded form of a longer one.
_TELLING_DIGITS = 4


class ScriptError(Exception):
    """A script failed, did not end in time, or cannot be run here."""


@dataclass(frozen=True)
class Comparison:
    """Result of a comparison of forests."""

    forests: int  # number of identical forests
    values: int  # number of values in these
    difference: Difference | None  # the first one


@dataclass(frozen=True)
class PrintedNumbers:
    """Result of a comparison of printed numbers."""

    identical: int  # number of identical values before the first difference
    rounded: int  # number of values that are equal after rounding to fewer digits
    difference: Difference | None  # the first one


def record(script: str, file: str | os.PathLike[str], limit: float) -> str:
    """Run a script of R and record its forests.

    Parameters
    ----------
    script : str
    file : str or path
        The recording, .rds.
    limit : float
        Limit of time in seconds.

    Returns
    -------
    str
        Output of the script.

    Raises
    ------
    ScriptError
        R is not installed, the script failed or took too long.
    """
    if shutil.which("Rscript") is None:
        raise ScriptError(
            f'R is not installed; on a machine with R, run Rscript -e \'source("{RECORDER.name}"); '
            f'pyrrf_record("{script}", "calls.rds")\' with {RECORDER}, and compare calls.rds here'
        )
    code = "a <- commandArgs(TRUE); source(a[1]); pyrrf_record(a[2], a[3])"
    return _run(["Rscript", "-e", code, str(RECORDER), script, str(file)], script, limit)


def trace(script: str, limit: float) -> tuple[list[GrownForest], str]:
    """Run a script of Python; return its forests and its output.

    Raises
    ------
    ScriptError
        The script failed or took too long.
    """
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "grown")
        printed = _run([sys.executable, "-m", "pyrrf.testing.trace", script, str(result)], script, limit)
        return pickle.loads(result.read_bytes()), printed


def _run(command: list[str], script: str, limit: float) -> str:
    if not Path(script).is_file():
        raise ScriptError(f"{script}: there is no such file")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True
    ) as process:
        try:
            printed, complaints = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            hint = (
                "" if script.endswith(".py") else "; CRAN RRF does not return on some input, such as constant columns"
            )
            raise ScriptError(f"{script}: not done after {limit:g} s{hint}; --limit gives more time") from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        last = "\n".join(complaints.strip().splitlines()[-5:])
        raise ScriptError(f"{script}: ended with status {process.returncode}\n{last}")
    return printed


# ---- comparison ----------------------------------------------------------------------------------


def replay(recording: Recording) -> Comparison:
    """Replay all calls of a recording and compare each with R's answer."""
    return _compare_calls([None] * len(recording), recording)


def compare(grown: list[GrownForest], recording: Recording) -> Comparison:
    """Compare the forests of a script of Python with those that R recorded, in their order."""
    comparison = _compare_calls(grown, recording)
    if comparison.difference is not None or len(grown) == len(recording):
        return comparison
    cause = "a call is missing on one side, or a loop runs once more: seq() has its end, range() does not"
    return replace(comparison, difference=Difference("forests grown", len(grown), len(recording), cause))


def _compare_calls(grown: Sequence[GrownForest | None], recording: Recording) -> Comparison:
    """Compare calls up to the shorter list; None stands for a replay without a script."""
    values = 0
    for index, (ours, call) in enumerate(zip(grown, recording.calls, strict=False)):
        theirs = call.replay_forest()
        difference = None if ours is None else compare_grown(ours, theirs)
        difference = difference or _port_difference(call, theirs)
        if difference is not None:
            return Comparison(index, values, _add_place(index, call, difference))
        values += count_values(call.result)
    return Comparison(min(len(grown), len(recording)), values, None)


def _port_difference(call: RecordedCall, theirs: GrownForest) -> Difference | None:
    """Return the first difference between R's fit and the replay with the same arguments."""
    difference = compare_fits(theirs.result, call.result)
    if difference is None:
        return None
    return replace(
        difference, cause="pyrrf answers otherwise than R on the same arguments and the same stream: report it"
    )


def _add_place(index: int, call: RecordedCall, difference: Difference) -> Difference:
    return replace(difference, where=f"forest {index + 1} ({call.name}), {difference.where}")


def compare_printed(ours: str, theirs: str) -> PrintedNumbers:
    """Compare the numbers that two scripts printed, in their order."""
    pairs = _NUMBER.findall(ours), _NUMBER.findall(_POSITION.sub("", _CLOSED.sub("", theirs)))
    rounded = 0
    for index, (a, b) in enumerate(zip(*pairs, strict=False)):
        if float(a) == float(b):
            continue
        if not _equal_when_rounded(a, b):
            cause = "computed after the forests, or rounded to few digits on one side only"
            return PrintedNumbers(index - rounded, rounded, Difference(f"printed number {index + 1}", a, b, cause))
        rounded += 1
    our_count, their_count = map(len, pairs)
    difference = Difference("printed numbers", our_count, their_count) if our_count != their_count else None
    return PrintedNumbers(min(our_count, their_count) - rounded, rounded, difference)


def _equal_when_rounded(a: str, b: str) -> bool:
    """Return whether the number with fewer decimals is the other one rounded, and has enough digits."""
    longer, shorter = sorted(map(Decimal, (a, b)), key=_last_place)
    half = Decimal(5).scaleb(_last_place(shorter) - 1)
    return len(shorter.as_tuple().digits) >= _TELLING_DIGITS and abs(longer - shorter) <= half


def _last_place(number: Decimal) -> int:
    """Return the power of ten of the last digit shown."""
    return int(number.as_tuple().exponent)
