"""The files that a check writes: the Python, R's records next to it, and the account of both."""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pyrrf.files import write_all
from pyrrf.migrate.check.account import reason_of
from pyrrf.migrate.check.job import Outcome, definitions
from pyrrf.migrate.check.recording import Recording
from pyrrf.migrate.translation import Statement, Translation
from pyrrf.migrate.write.lines import Comment, Line, call, code_of_r, constant
from pyrrf.migrate.write.writer import preamble_code

IMPORT = preamble_code(())
"""Start of every file."""
_VERSION = 1
START = "000.rds"
"""The record of how R began."""
_GZIP = b"\x1f\x8b"
_SEED = re.compile(r"\bset\.seed\s*\(|\bRNGkind\s*\(")


@dataclass(frozen=True)
class Written:
    """Contents of ``script.left/check.json``: the file as written, and the status of each statement.

    Attributes
    ----------
    digest : str
        Of the Python file.
    preamble : str
        The Python before the first statement.
    names : dict of str to str
    texts, codes, statuses : list
        Of each statement: its R, the Python written for it, how it came out.
    files : list of str
        The records that were written.
    """

    digest: str
    preamble: str
    names: dict[str, str]
    texts: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def text(self) -> str:
        """Return it as JSON."""
        return json.dumps({"version": _VERSION} | asdict(self), indent=1) + "\n"


def left_folder(output: Path) -> Path:
    """Return the folder next to a Python file: ``script.left``."""
    return output.with_suffix(".left")


def read_written(output: Path) -> Written | None:
    """Return the contents of the file of the last check; None if there is none."""
    try:
        content: dict[str, Any] = json.loads((left_folder(output) / "check.json").read_text(encoding="utf-8"))
        if content.pop("version") != _VERSION:
            return None
        return Written(**content)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def digest(code: str) -> str:
    """Return the hash by which an edited file is recognized."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()


# ---- the Python ----------------------------------------------------------------------------------


def stems(statements: Sequence[Statement]) -> list[str]:
    """Return the name of each statement's file: its line; further ones on that line have letters."""
    out: list[str] = []
    seen: dict[int, int] = {}
    for statement in statements:
        count = seen[statement.first] = seen.get(statement.first, -1) + 1
        out.append(f"{statement.first:03d}" + (f"_{count + 1}" if count else ""))
    return out


def preamble_of(recording: Recording, translated: Translation, outcomes: Sequence[Outcome], folder: str) -> list[Line]:
    """Return the lines that start Python as R: the order of strings, and a stream that the script does not set."""
    out = []
    collate = recording.start.collate
    if collate != "C":
        setting = ast.Expr(call("pyrrf.set_collate", constant(collate)))
        out.append(Line(0, setting, 0, 0, Comment("the order of strings in this R")))
    first = next((k for k, outcome in enumerate(outcomes) if outcome.drew), None)
    if first is not None and not _SEED.search(translated.statements[first].text):
        reading = ast.Expr(call("r.left", constant(f"{folder}/{START}")))
        line = translated.statements[first].first
        why = f"the random stream of this run: line {line} draws, and no seed was set"
        out.append(Line(0, reading, 0, 0, Comment(why)))
    return out


def frozen_lines(translated: Translation, outcomes: Sequence[Outcome], folder: str) -> dict[int, list[Line]]:
    """Return the Python for the statements that stay as R left them, by their number."""
    names = stems(translated.statements)
    return {
        k: [
            Line(0, code, statement.first, statement.last)
            for code in _frozen(statement, outcome, translated.names, f"{folder}/{names[k]}.rds")
        ]
        for k, (statement, outcome) in enumerate(zip(translated.statements, outcomes, strict=True))
        if outcome.status in ("frozen", "failed")
    }


def _frozen(
    statement: Statement, outcome: Outcome, names: Mapping[str, str], file: str
) -> Iterator[ast.stmt | Comment]:
    line, reason = reason_of(statement, outcome)
    place = f"line {statement.first}" if line == statement.first else f"line {statement.first}, because of line {line}"
    word = "R fails here" if outcome.status == "failed" else "as R left it"
    yield Comment(f"{place}, {word}: {reason}")
    yield from code_of_r(statement.text)
    yield from definitions(statement.code, {names[name] for name in outcome.defined})
    read = [*outcome.changed, *(name for name in outcome.notes if name not in outcome.defined)]
    if outcome.reads:
        yield _assignment([names[name] for name in read], call("r.left", *map(constant, [file, *read])))
    for name in outcome.removed:
        gone = call("r.not_translated", constant(name), constant(f"line {statement.first} removes it"))
        yield _assignment([names[name]], gone)
    if outcome.quit:
        yield ast.Raise(ast.Name("SystemExit", ast.Load()), None)


def _assignment(targets: Sequence[str], value: ast.expr) -> ast.stmt:
    """Return the assignment of a value to one name, or of its parts to several."""
    if not targets:
        return ast.Expr(value)
    names: list[ast.expr] = [ast.Name(name, ast.Store()) for name in targets]
    return ast.Assign(names if len(names) == 1 else [ast.Tuple(names, ast.Store())], value, lineno=0)


def head(name: str, recording: Recording, summary: str, told: Sequence[str]) -> list[str]:
    """Return the lines of the docstring."""
    version = re.sub(r" *\(.*", "", recording.start.r)
    return [f"Translated from {name} by pyrrf migrate, checked with {version}: {summary}.", *told]


# ---- files ---------------------------------------------------------------------------------------


def pack(record: Path) -> bytes:
    """Return a record as the file that lies next to the Python."""
    content = record.read_bytes()
    return content if content.startswith(_GZIP) else gzip.compress(content, mtime=0)


def write_files(
    output: Path, code: str | None, records: Mapping[str, Path], about: Written, old: Written | None
) -> None:
    """Write the Python, if there is any, the records by name and the account; delete records without use.

    Raises
    ------
    OSError
        A file cannot be written.
    """
    folder = left_folder(output)
    folder.mkdir(exist_ok=True)
    text = about.text()
    write_all(
        {
            **({} if code is None else {str(output): lambda path: path.write_text(code, encoding="utf-8")}),
            **{str(folder / name): _writer(record) for name, record in records.items()},
            str(folder / "check.json"): lambda path: path.write_text(text, encoding="utf-8"),
        }
    )
    for name in set(old.files if old else []) - {*about.files}:
        if re.fullmatch(r"\d{3,}(_\d+)?\.rds", name):
            (folder / name).unlink(missing_ok=True)


def _writer(record: Path) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(pack(record))
