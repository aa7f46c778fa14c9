"""`pyrrf parity`: a script of R and one of Python compared, or a table in both."""

from __future__ import annotations

import csv
import shutil
import sys
import tempfile
from pathlib import Path

from pyrrf.cli.messages import DataError, DifferenceError, UsageError, count_text, note
from pyrrf.cli.order import ParityOrder
from pyrrf.cli.reading import ending
from pyrrf.files import resolve_path
from pyrrf.rlang.deparse import string_text
from pyrrf.testing.comparer import Difference
from pyrrf.testing.recording import Recording, read_recording
from pyrrf.testing.scripts import (
    Comparison,
    PrintedNumbers,
    ScriptError,
    compare,
    compare_printed,
    record,
    replay,
    trace,
)

_TABLES = {".csv": "read.csv", ".tsv": "read.delim"}


def parity(order: ParityOrder) -> None:
    """Compare, and print the outcome."""
    try:
        if order.target is not None:
            _compare_table(order)
        else:
            _compare_files(order)
    except ScriptError as error:
        raise DataError(str(error)) from None


def _compare_files(order: ParityOrder) -> None:
    kinds = {ending(file): file for file in order.files}
    theirs, ours = kinds.get(".r") or kinds.get(".rds"), kinds.get(".py")
    if theirs is None or len(kinds) != len(order.files) or (len(order.files) > 1 and ours is None):
        raise UsageError(
            "give an R script (.R) or a recording (.rds), and a Python script (.py); or a table and --target"
        )
    missing = next((file for file in order.files if not Path(file).is_file()), None)
    if missing is not None:
        raise DataError(f"{missing}: there is no such file")
    if ours is not None and ending(theirs) == ".r" and order.kept is None and _is_translated(ours):
        _compare_statements(theirs, ours, order)
        return
    recording, their_text = _read_or_record(theirs, order)
    if not len(recording):
        raise DataError(f"{theirs}: grows no forest by RRF() or randomForest()")
    if ours is None:
        _report("replayed", replay(recording))
        return
    grown, our_text = trace(ours, order.limit)
    _report("compared", compare(grown, recording))
    if their_text is not None:
        _report_printed(compare_printed(our_text, their_text))


def _is_translated(ours: str) -> bool:
    """Whether a script of Python is one that `pyrrf migrate` wrote."""
    return "by pyrrf migrate" in Path(ours).read_text(encoding="utf-8", errors="replace")[:2000]


def _compare_statements(theirs: str, ours: str, order: ParityOrder) -> None:
    """Compare a script with its translation, statement by statement."""
    from pyrrf.migrate.check.editing import compare_edited
    from pyrrf.migrate.check.recording import CheckError
    from pyrrf.migrate.check.task import record_run, translated_of
    from pyrrf.migrate.write.writer import DisagreementError

    try:
        with record_run(Path(theirs), Path(ours), translated_of(Path(theirs)), order.limit) as task:
            outcome = compare_edited(task, Path(ours).read_text(encoding="utf-8"))
    except (CheckError, DisagreementError, OSError, UnicodeDecodeError) as error:
        raise DataError(str(error)) from None
    counts = {word: sum(piece.status == word for piece in outcome.pieces) for word in ("equal", "frozen", "unreached")}
    _write(f"identical: {count_text(counts['equal'], 'statement')}, in all values and the random stream")
    if counts["frozen"]:
        _write(f"as R left them: {count_text(counts['frozen'], 'statement')}")
    if counts["unreached"]:
        _write(f"not compared, since {outcome.ending or 'R had ended'}: {count_text(counts['unreached'], 'statement')}")
    if outcome.worse:
        _write(f"differs: {outcome.first}")
        raise DifferenceError("the two sides differ")


def _read_or_record(theirs: str, order: ParityOrder) -> tuple[Recording, str | None]:
    """Return R's recorded calls, and its printed text if the script was run."""
    try:
        if ending(theirs) == ".rds":
            return read_recording(theirs), None
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "calls.rds")
            printed = record(theirs, file, order.limit)
            if order.kept is not None:
                shutil.copyfile(file, order.kept)
                note(f"R's calls are saved in {order.kept}; pyrrf.testing replays them without R")
            return read_recording(file), printed
    except ValueError as error:
        raise DataError(str(error)) from None


def _report(what: str, comparison: Comparison) -> None:
    if comparison.forests:
        _write(f"identical: {count_text(comparison.forests, 'forest')}, {comparison.values:,} values {what}")
    _fail(comparison.difference)


def _report_printed(numbers: PrintedNumbers) -> None:
    if numbers.identical:
        _write(f"identical: {count_text(numbers.identical, 'printed number')}")
    if numbers.rounded:
        _write(f"the same as far as shown: {count_text(numbers.rounded, 'printed number')}")
    _fail(numbers.difference)


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")


def _fail(difference: Difference | None) -> None:
    if difference is not None:
        _write(f"differs: {difference}")
        raise DifferenceError("the two sides differ")


# ---- tables --------------------------------------------------------------------------------------


def _compare_table(order: ParityOrder) -> None:
    """Write a script of each language for a table, and compare these."""
    if len(order.files) != 1 or ending(order.files[0]) not in _TABLES:
        raise UsageError("with --target give one table, .csv or .tsv, which both languages read")
    table = str(resolve_path(order.files[0]))
    if not Path(table).is_file():
        raise DataError(f"{order.files[0]}: there is no such file")
    _check_target(table, order)
    with tempfile.TemporaryDirectory() as folder:
        pair = Path(folder, "table.R"), Path(folder, "table.py")
        pair[0].write_text(_in_r(table, order))
        pair[1].write_text(_in_python(table, order))
        _compare_files(ParityOrder(tuple(map(str, pair)), limit=order.limit, kept=order.kept))


def _check_target(table: str, order: ParityOrder) -> None:
    try:
        with Path(table).open(encoding="utf-8-sig", newline="") as opened:
            names = next(csv.reader(opened, delimiter="," if ending(table) == ".csv" else "\t"), [])
    except (OSError, ValueError, csv.Error) as error:
        raise DataError(f"{order.files[0]}: {error}") from None
    if order.target not in names:
        raise DataError(
            f"{order.files[0]}: there is no column {order.target!r}; there are {', '.join(map(repr, names))}"
        )


def _in_r(table: str, order: ParityOrder) -> str:
    response = "as.factor(y)" if order.classes else "y"
    return f"""suppressPackageStartupMessages(library(RRF))
invisible(Sys.setlocale("LC_COLLATE", "C"))
d <- {_TABLES[ending(table)]}({string_text(table)}, stringsAsFactors = TRUE, check.names = FALSE)
y <- d[[{string_text(str(order.target))}]]
y <- {response}
X <- d[, names(d) != {string_text(str(order.target))}, drop = FALSE]
set.seed({order.seed})
rrf <- RRF(X, y, ntree = {order.trees}, coefReg = 0.8)
rf <- RRF(X, y, ntree = {order.trees}, flagReg = 0)
gini <- rf$importance[, ncol(rf$importance)]
grrf <- RRF(X, y, ntree = {order.trees}, coefReg = 0.5 + 0.5 * (gini / max(gini)))
"""


def _in_python(table: str, order: ParityOrder) -> str:
    separator = "," if ending(table) == ".csv" else "\\t"
    response = "r.factor(y)" if order.classes else "y"
    return f"""import pyrrf
from pyrrf import r
pyrrf.set_collate("C")
d = r.read_csv({table!r}, sep="{separator}", stringsAsFactors=True, check_names=False)
y = d[{order.target!r}]
y = {response}
X = d.drop(columns={order.target!r})
pyrrf.set_seed({order.seed})
rrf = pyrrf.RRF(X, y, ntree={order.trees}, coefReg=0.8)
grrf = pyrrf.GRRF(X, y, gamma=0.5, ntree={order.trees})
"""
