"""`pyrrf migrate`: from a script of R to one of Python."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from pyrrf.cli.files import check_target, write_all
from pyrrf.cli.messages import DataError, DifferenceError, UsageError, count_text, note
from pyrrf.migrate.parse.sourcing import decode_script
from pyrrf.migrate.translation import Translation, translate
from pyrrf.migrate.write.writer import DisagreementError

_MOST = 20_000_000


def migrate(
    script: str,
    output: str | None,
    check: bool = False,
    limit: float = 600.0,
    force: bool = False,
    outside: bool = False,
    with_r: bool = False,
) -> None:
    """Translate an R script into Python; with `check`, R and Python run side by side, statement by statement.

    `-` is standard input; output None is standard output. `outside` allows the script to source files outside of its
    folder; `with_r` lets R run untranslated lines. Raise DifferenceError if lines stay untranslated.
    """
    if check and with_r:
        raise UsageError("--check has R's values now, and --with-r computes them later; give one of the two")
    if check and (output is None or script == "-"):
        raise UsageError(
            "--check needs a script in a file, and -o FILE for the Python: R's values are written next to it"
        )
    if output is not None:
        check_target(output)
    if check and output is not None:
        _check(script, output, limit, force, outside)
        return
    if output is not None and not force:
        _keep_edits(output)
    text, folder = _read(script)
    if re.search(r"^\s*```\s*\{r", text, re.M):
        raise DataError(f"{script}: R Markdown, not a script; knitr::purl() in R takes the code out of it")
    with _name_script(script):
        translated = translate(text, "standard input" if script == "-" else Path(script).name, folder, outside, with_r)
    if output is None:
        _show(translated.code)
    else:
        write_all({output: lambda target: target.write_text(translated.code, encoding="utf-8")})
    _report_lines(translated, with_r)


@contextmanager
def _name_script(script: str) -> Iterator[None]:
    """Convert errors that stop a translation to an error that names the script; no file is written then."""
    try:
        yield
    except RecursionError:
        raise DataError(f"{script}: an expression is nested too deeply to be read") from None
    except DisagreementError as error:
        raise DataError(
            f"{script}: no file is written, since Python would read in it what was not meant ({error}); "
            "please report the script"
        ) from None


def _show(code: str) -> None:
    """Write Python to standard output in UTF-8, as Python reads it, whatever the encoding of the terminal."""
    if sys.stdout is None:
        raise DataError("standard output is closed")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict")
    sys.stdout.write(code)


def _read(script: str) -> tuple[str, Path | None]:
    """Return the text of the script, and its folder."""
    if script == "-" and sys.stdin is None:
        raise DataError("standard input is closed")
    try:
        with nullcontext(sys.stdin.buffer) if script == "-" else Path(script).open("rb") as stream:
            content = stream.read(_MOST + 1)
        text = decode_script(content)
    except UnicodeDecodeError:
        raise DataError(f"{script}: not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise DataError(f"{script}: {error.strerror}") from None
    if len(content) > _MOST:
        raise DataError(f"{script}: larger than {_MOST:,} bytes, the limit for a script")
    return text, None if script == "-" else Path(script).parent


def _check(script: str, output: str, limit: float, force: bool, outside: bool) -> None:
    """Run both sides, write the Python, and report the comparison."""
    from pyrrf.migrate.check.checking import check
    from pyrrf.migrate.check.recording import CheckError

    _read(script)
    try:
        with _name_script(script):
            outcome = check(Path(script), Path(output), limit, force, note, outside)
    except CheckError as error:
        raise DataError(str(error)) from None
    except OSError as error:
        raise DataError(str(error)) from None
    for line in outcome.report:
        note(line)
    if not outcome.clean:
        raise DifferenceError(outcome.summary)
    note(outcome.summary)


def _keep_edits(output: str) -> None:
    """Refuse to replace a file that was checked, and edited since."""
    from pyrrf.migrate.check.written import digest, read_written

    old = read_written(Path(output))
    if old is not None and Path(output).is_file():
        code = Path(output).read_text(encoding="utf-8", errors="replace")
        if digest(code) != old.digest:
            raise DataError(f"{output}: it was edited since it was checked; --force overwrites it")


def _report_lines(translated: Translation, with_r: bool) -> None:
    """Report the number of translated lines, and the reasons for the others."""
    if with_r and translated.left:
        for line in translated.by_r:
            note(f"by R, {line}")
        note(f"{translated.summary}; R computes the others when the Python runs")
        return
    for item in translated.left:
        note(f"line {item.first}: {item.reason}")
    if translated.left:
        raise DifferenceError(
            f"{translated.summary}; {count_text(translated.left_lines, 'line')} left over, as comments with the reason"
        )
    note(translated.summary)
