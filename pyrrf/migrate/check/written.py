"""The files that a check writes: the Python, what R left beside it, and the account of both."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pyrrf.files import write_all
from pyrrf.migrate.check.account import reason_of
from pyrrf.migrate.check.job import Outcome, definitions
from pyrrf.migrate.check.recording import Recording
from pyrrf.migrate.translation import Statement, Translation
from pyrrf.migrate.writer import safe_comment, safe_line

IMPORT = "from pyrrf import script as r\n"
_VERSION = 1
_WIDTH = 100
_GZIP = b"\x1f\x8b"
_SEED = re.compile(r"\bset\.seed\s*\(|\bRNGkind\s*\(")


@dataclass(frozen=True)
class Written:
    """What stands in ``script.left/check.json``: the file as it was written, and how it came out.

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
        What was written beside.
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
    """Return the folder beside a Python file: ``script.left``."""
    return output.with_suffix(".left")


def read_written(output: Path) -> Written | None:
    """Return what was written at the last check; None if there was none."""
    try:
        found: dict[str, Any] = json.loads((left_folder(output) / "check.json").read_text(encoding="utf-8"))
        if found.pop("version") != _VERSION:
            return None
        return Written(**found)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def digest(code: str) -> str:
    """Return what tells whether a file was edited."""
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


def preamble_of(recording: Recording, moved: Translation, outcomes: Sequence[Outcome], folder: str) -> str:
    """Return what makes the Python start as R did: the order of strings, and a stream that the script does not set."""
    out = ""
    if recording.start.collate != "C":
        out += f'pyrrf.set_collate("{recording.start.collate}")  # the order of strings in this R\n'
    first = next((k for k, outcome in enumerate(outcomes) if outcome.drew), None)
    if first is not None and not _SEED.search(moved.statements[first].text):
        path = _quoted(f"{folder}/000.rds")
        line = moved.statements[first].first
        out += f"r.left({path})  # the random stream of this run: line {line} draws, and no seed was set\n"
    return out


def frozen_codes(moved: Translation, outcomes: Sequence[Outcome], folder: str) -> dict[int, str]:
    """Return the Python for the statements that stay as R left them, by their number."""
    names = stems(moved.statements)
    return {
        k: _frozen(statement, outcome, moved.names, f"{folder}/{names[k]}.rds")
        for k, (statement, outcome) in enumerate(zip(moved.statements, outcomes, strict=True))
        if outcome.status in ("frozen", "failed")
    }


def _frozen(statement: Statement, outcome: Outcome, names: Mapping[str, str], file: str) -> str:
    line, reason = reason_of(statement, outcome)
    place = f"line {statement.first}" if line == statement.first else f"line {statement.first}, because of line {line}"
    word = "R fails here" if outcome.status == "failed" else "as R left it"
    lines = [safe_comment(f"# {place}, {word}: {reason}")]
    lines += [safe_comment(f"#R {text.rstrip()}") for text in re.split(r"\r\n|\r|\n", statement.text)]
    defined = {names[name] for name in outcome.defined}
    made = definitions(statement.code, defined)
    lines += [made] if made else []
    read = [*outcome.changed, *(name for name in outcome.notes if name not in outcome.defined)]
    if outcome.reads:
        lines.append(_reading([names[name] for name in read], [file, *read]))
    for name in outcome.removed:
        lines.append(f"{names[name]} = r.not_moved({_quoted(name)}, {_quoted(f'line {statement.first} removes it')})")
    if outcome.quit:
        lines.append("raise SystemExit")
    return "\n".join(lines) + "\n"


def _reading(targets: Sequence[str], args: Sequence[str]) -> str:
    left = f"{', '.join(targets)} = " if targets else ""
    inner = ", ".join(map(_quoted, args))
    line = f"{left}r.left({inner})"
    return line if len(line) <= _WIDTH else f"{left}r.left(\n    {inner}\n)"


def _quoted(text: str) -> str:
    """Return a string of Python in double quotes, on one line and in ASCII where it could hide something."""
    plain = text.isprintable() and "\\" not in text and '"' not in text
    return f'"{text}"' if plain else ascii(text)


def head(name: str, recording: Recording, summary: str, told: Sequence[str]) -> list[str]:
    """Return the lines of the docstring."""
    version = re.sub(r" *\(.*", "", recording.start.r)
    first = f"Moved from {safe_line(name)} by pyrrf migrate, checked with {version}: {summary}."
    return [first, *map(safe_line, told)]


def with_preamble(code: str, preamble: str) -> str:
    """Return a file that begins with some more Python behind its import."""
    if not preamble:
        return code
    before, _, after = code.partition(f"\n{IMPORT}")
    package = "import pyrrf\n" if "pyrrf." in preamble else ""
    return f"{before}\n{package}{IMPORT}\n{preamble}{after}"


# ---- files ---------------------------------------------------------------------------------------


def packed(record: Path) -> bytes:
    """Return a record as the file that stands beside the Python."""
    content = record.read_bytes()
    return content if content.startswith(_GZIP) else gzip.compress(content, mtime=0)


def write_files(
    output: Path, code: str | None, records: Mapping[str, Path], about: Written, old: Written | None
) -> None:
    """Write the Python, if there is any, the records under their names, and the account; drop what is not needed.

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
            **({} if code is None else {str(output): lambda at: at.write_text(code, encoding="utf-8")}),
            **{str(folder / name): _writer(record) for name, record in records.items()},
            str(folder / "check.json"): lambda at: at.write_text(text, encoding="utf-8"),
        }
    )
    for name in set(old.files if old else []) - {*about.files}:
        if re.fullmatch(r"\d{3,}(_\d+)?\.rds", name):
            (folder / name).unlink(missing_ok=True)


def _writer(record: Path) -> Any:
    return lambda at: at.write_bytes(packed(record))
