"""``pyrrf migrate --check``: R and Python run the script, and the written file has R's value of every variable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pyrrf.migrate.check.account import account
from pyrrf.migrate.check.editing import Verdicts, compare_edited
from pyrrf.migrate.check.job import Block
from pyrrf.migrate.check.recording import CheckError
from pyrrf.migrate.check.task import CheckedScript, record_run, translated_of
from pyrrf.migrate.check.written import (
    IMPORT,
    START,
    Written,
    digest,
    frozen_lines,
    head,
    preamble_of,
    read_written,
    stems,
    write_files,
)
from pyrrf.migrate.translation import Translation
from pyrrf.migrate.write.writer import preamble_code, statement_code


@dataclass(frozen=True)
class CheckResult:
    """Result of a check.

    Attributes
    ----------
    summary : str
    report : list of str
        The causes, line by line.
    clean : bool
        Whether all is translated and equal.
    """

    summary: str
    report: list[str] = field(default_factory=list)
    clean: bool = True


def check(
    script: Path,
    output: Path,
    limit: float = 600.0,
    force: bool = False,
    say: Callable[[str], None] | None = None,
    outside: bool = False,
) -> CheckResult:
    """Translate a script, run it in R and in Python, and write the Python, with R's values where they differ.

    A Python file that was edited since it was written is checked as it stands, and not written.

    Parameters
    ----------
    script, output : Path
        The R and the Python file.
    limit : float, default 600
        Seconds that R may take.
    force : bool, default False
        Whether an edited file is written anew.
    say : callable, optional
        Gets a line on what is being done.
    outside : bool, default False
        Whether files outside of the script's folder that it sources are translated along.

    Raises
    ------
    CheckError
        R is not there, or a file is not as it should be.
    OSError
        A file cannot be read or written.
    """
    translated = translated_of(script, outside)
    code = None if force else edited_code(output, translated)
    if say is not None:
        say(f"R runs {script}; it may take {limit:g} s")
    with record_run(script, output, translated, limit) as task:
        return _check_new(task) if code is None else _check_edited(task, code)


def edited_code(output: Path, translated: Translation) -> str | None:
    """Return a Python file that somebody edited; None if there is none, or it is as it was written.

    Raises
    ------
    CheckError
        It is a file that pyrrf migrate has not written.
    """
    if not output.exists():
        return None
    try:
        code = output.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CheckError(f"{output} is there, and not UTF-8; --force replaces it") from None
    old = read_written(output)
    if code == translated.code or (old is not None and digest(code) == old.digest):
        return None
    if old is None and "by pyrrf migrate" not in code[:2000]:
        raise CheckError(f"{output} is there, and pyrrf migrate has not written it; --force replaces it")
    return code


def _check_new(task: CheckedScript) -> CheckResult:
    """Check the translation and write it."""
    statements, folder = task.statements, task.records_folder.name
    blocks = [Block(k, k + 1, s.first, s.code, 0, s.text, partial=bool(s.left)) for k, s in enumerate(statements)]
    outcomes = task.step(blocks, IMPORT)
    result = account(statements, outcomes, task.translated.lines)
    frozen = frozen_lines(task.translated, outcomes, folder)
    report = result.report(folder, task.ending)
    preamble = preamble_of(task.recording, task.translated, outcomes, folder)
    lines = head(task.script.name, task.recording, result.summary, report)
    code = task.translated.compose(frozen, lines, preamble)
    begin, names = preamble_code(preamble), stems(statements)
    files = {f"{names[k]}.rds": task.recording.file(k) for k in frozen if outcomes[k].reads}
    files |= {START: task.recording.folder / "00000.rds"} if f"/{START}" in begin else {}
    about = Written(
        digest(code),
        begin,
        task.translated.names,
        [statement.text for statement in statements],
        [statement_code(frozen[k]) if k in frozen else s.code for k, s in enumerate(statements)],
        [outcome.status for outcome in outcomes],
        sorted(files),
    )
    write_files(task.output, code, files, about, task.old)
    return CheckResult(result.summary, report, result.clean)


def _check_edited(task: CheckedScript, code: str) -> CheckResult:
    """Check an edited file and report the changes."""
    verdicts = compare_edited(task, code)
    if task.old is not None:
        _renew(task, task.old, verdicts)
    note = f"{task.output.name} was edited: it is checked as it stands, and not written; --force writes it anew"
    return CheckResult(verdicts.summary, [note, *verdicts.report], verdicts.clean)


def _renew(task: CheckedScript, old: Written, verdicts: Verdicts) -> None:
    """Write R's new values of the statements that are still frozen, and the status of all."""
    names = stems(task.statements)
    files = {
        f"{names[k]}.rds": task.recording.file(k)
        for k, code in enumerate(verdicts.codes)
        if f"/{names[k]}.rds" in (code or "") and task.recording.file(k).exists()
    }
    texts = [statement.text for statement in task.statements]
    codes = [code or "" for code in verdicts.codes]
    about = Written(old.digest, old.preamble, old.names, texts, codes, verdicts.statuses, old.files)
    write_files(task.output, None, files, about, None)
