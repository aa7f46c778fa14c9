"""Pieces of R compared with their translation by ``pyrrf migrate``: variables by ``identical()``, and the printed text.

``python -m parity.pieces AREA...`` runs ``parity/pieces/AREA.txt``, pieces between lines of ``==``, in one process of R
and here, and prints what differs, what is refused and why. ``--record`` stores R's answers for the tests without R.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import os
import shutil
import signal
import subprocess
import tempfile
import traceback
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

HERE = Path(__file__).parent
VALUES = HERE.parent / "pyrrf" / "r" / "bridge" / "values.R"
PIECES = HERE / "pieces"
RECORDED = HERE / "recorded" / "pieces"
AREAS = sorted(path.stem for path in PIECES.glob("*.txt"))
SECONDS = 10.0
FUNCTION = "pyrrf_function"
ABOVE = 4
"""Folders above the working folder that are made and removed with it: a script may write there."""


@dataclass
class Answer:
    """The result of a piece: R's values, the text that it printed, the error that ended it, and whether it drew."""

    values: dict[str, Any]
    output: str = ""
    error: str | None = None
    drew: bool = False


@dataclass
class Outcome:
    """Outcome of a piece: "equal", "failed" (on both sides), "refused", "broken" or "differs", and the reason."""

    kind: str
    why: str = ""
    details: list[str] = field(default_factory=list)


# ---- R -------------------------------------------------------------------------------------------


def pieces(area: str) -> list[str]:
    """Return the pieces of an area."""
    return [part for part in (PIECES / f"{area}.txt").read_text().removesuffix("\n").split("\n==\n") if part.strip()]


def digest(piece: str) -> str:
    """Return the name under which R's answer to a piece is stored."""
    return hashlib.sha256(piece.encode()).hexdigest()[:16]


def _write(files: Mapping[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def raw_answers(
    texts: list[str],
    how: str = "whole",
    seconds: float = 600.0,
    locale: str = "C",
    files: Mapping[str, str] = MappingProxyType({}),
    place: Path | None = None,
) -> list[bytes | None]:
    """Return R's answer to each text, as the bytes of an .rds file; None where R ended or hung.

    Each text runs in a folder of its own with the same files, by their names; all of them at the same `place`, if one
    is given, which a text may ask for.
    """
    with tempfile.TemporaryDirectory() as folder:
        _write(files, Path(folder) / "files")
        for number, text in enumerate(texts):
            (Path(folder) / f"{number}.R").write_text(text + "\n")
        command = ["Rscript", "--no-save", "--no-restore", str(HERE / "pieces.R"), folder, how, str(VALUES)]
        command += [] if place is None else [str(place)]
        # Without TZ R asks the system for its time zone; where nothing answers, caret's warning ends a piece.
        environment = {"TZ": "UTC", **os.environ, "LC_COLLATE": locale, "R_MAX_VSIZE": "3Gb"}
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=seconds, check=False
            )
            if done.returncode:
                print(f"R ended with {done.returncode}: {done.stderr[-500:]}")
        files = [Path(folder) / f"{number}.rds" for number in range(len(texts))]
        return [file.read_bytes() if file.exists() else None for file in files]


def answer(content: bytes) -> Answer:
    """Return R's answer from the bytes of an .rds file."""
    return _answer(_read(content))


def step_answers(content: bytes) -> list[Answer]:
    """Return R's answers to the expressions of a text, one after another."""
    value = _read(content)
    names = value._attributes.get("names")
    if names is not None and "output" in names._data:  # It could not be parsed.
        return [_answer(value)]
    return [_answer(part) for part in value._data]


def _read(content: bytes) -> Any:
    from pyrrf.r.files.robjects import from_robject
    from pyrrf.rds.parsed import parse

    return from_robject(parse(content))


def _with_functions(x: Any) -> Any:
    """Return a value of R with what stands for functions in it as opaque."""
    from pyrrf.r.values.vector import Value, objects

    if x._kind == "language" and x._data[0] == FUNCTION:
        return Value("opaque", objects(["CLO"]))
    about = {name: _with_functions(part) for name, part in x._attributes.items()}
    return Value(x._kind, objects(map(_with_functions, x._data)) if x._kind == "list" else x._data, about)


def _answer(value: Any) -> Answer:
    parts = dict(zip(value._attributes["names"]._data, value._data, strict=True))
    values = parts["values"]
    names = values._attributes["names"]._data if "names" in values._attributes else []
    errors = parts["error"]._data
    return Answer(
        dict(zip(names, map(_with_functions, values._data), strict=True)),
        str(parts["output"]._data[0]),
        errors[0] if len(errors) else None,
        "drew" in parts and bool(parts["drew"]._data[0]),
    )


def recorded(area: str) -> dict[str, bytes]:
    """Return R's stored answers by the digest of the piece."""
    if not (RECORDED / f"{area}.zip").exists():
        return {}
    with zipfile.ZipFile(RECORDED / f"{area}.zip") as file:
        return {name.removesuffix(".rds"): file.read(name) for name in file.namelist()}


def _without_package(content: bytes | None) -> bool:
    """Return whether a piece ended because R does not have a package that it loads."""
    return content is not None and (answer(content).error or "").startswith("there is no package called")


def answers(area: str, stored: bool = False) -> list[bytes | None]:
    """Return R's answers to the pieces of an area, live or stored.

    Where this machine's R does not have a package that a piece loads, the stored answer stands for the live one.
    """
    texts = pieces(area)
    known = recorded(area)
    before = [known.get(digest(text)) for text in texts]
    if stored:
        return before
    live = raw_answers(texts)
    lacking = [_without_package(content) for content in live]
    if any(lacking):
        warnings.warn(f"{area}: {sum(lacking)} pieces by stored answers, R lacks their packages", stacklevel=2)
    return [old if lacks else new for old, new, lacks in zip(before, live, lacking, strict=True)]


def record(area: str) -> None:
    """Store R's answers to the pieces of an area."""
    RECORDED.mkdir(parents=True, exist_ok=True)
    contents = answers(area)
    with zipfile.ZipFile(RECORDED / f"{area}.zip", "w", zipfile.ZIP_LZMA) as file:
        for text, content in zip(pieces(area), contents, strict=True):
            if content is not None:
                file.writestr(zipfile.ZipInfo(f"{digest(text)}.rds"), content, zipfile.ZIP_LZMA)


# ---- here ----------------------------------------------------------------------------------------


class TooLong(BaseException):
    """A piece takes longer than it may."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong(f"longer than {SECONDS:.0f} s")


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Stop what takes longer, in seconds of the processor, which a busy machine does not make more, as in pieces.R."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def _folder(place: Path | None) -> Iterator[Path]:
    """Make an empty folder, for a while: at a place, or elsewhere."""
    if place is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    place.mkdir(parents=True)
    try:
        yield place
    finally:
        shutil.rmtree(place.parents[ABOVE - 1])


@contextlib.contextmanager
def prepared(files: Mapping[str, str] = MappingProxyType({}), place: Path | None = None) -> Iterator[io.StringIO]:
    """Go to a folder of files, at a `place`, with R's first seed and options and no chart; give what is printed."""
    import pyrrf
    from pyrrf.r.base.control import reset_options
    from pyrrf.r.graphics.devices import graphics_off

    reset_options()
    graphics_off()
    before, shown = Path.cwd(), io.StringIO()
    with _folder(place) as folder, contextlib.redirect_stdout(shown), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        _write(files, folder)
        pyrrf.random.RNGkind("Mersenne-Twister", "Inversion", "Rejection")
        pyrrf.set_seed(1)
        try:
            yield shown
        finally:
            os.chdir(before)


def run_here(piece: str) -> tuple[Answer, str, str]:
    """Run a piece here; return its variables and printed text, the kind of its end, and the reason.

    The kind is "" for a good end, "left" for a piece that could not be translated, "NotSupportedError", "RError", or
    that of another exception, which is a mistake of ours.
    """
    from pyrrf.migrate.translation import translate

    with prepared() as shown:
        space: dict[str, Any] = {"__name__": "piece"}
        names: dict[str, str] = {}
        kind, why = "", ""
        try:
            with limited():
                translated = translate(piece, "piece.R", ".")
                names = translated.names
                if translated.left:
                    return Answer({}), "left", "; ".join(part.reason for part in translated.left[:2])
                exec(compile(translated.code, "piece.py", "exec"), space)
        except (Exception, TooLong) as error:
            kind, why = type(error).__name__, error_text(error)
    values = {theirs: space[ours] for theirs, ours in names.items() if ours in space}
    return Answer(values, shown.getvalue().removesuffix("\n"), why or kind or None), kind, why


def error_text(error: BaseException) -> str:
    """Return the message of an exception; for an error of ours also its file and line."""
    text = f"{error}".split("\n")[0][:200]
    if type(error).__name__ in ("RError", "NotSupportedError", "TooLong"):
        return text
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "pyrrf" in frame.filename]
    return f"{text} ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else text


# ---- both ----------------------------------------------------------------------------------------


def compared(theirs: Answer, piece: str) -> Outcome:
    """Return the outcome of a piece, compared with R's answer."""
    ours, kind, why = run_here(piece)
    if theirs.error is not None:
        if kind in ("left", "NotSupportedError", "RError"):
            return Outcome("failed", f"R: {theirs.error} | {kind}: {why}")
        if kind:
            return Outcome("broken", f"{kind}: {why}", [f"R failed, too: {theirs.error}"])
        return Outcome("differs", "R alone fails", [f"R: {theirs.error}", "pyrrf: no error"])
    if kind in ("left", "NotSupportedError", "RError"):
        return Outcome("refused", f"{kind}: {why}")
    if kind:
        return Outcome("broken", f"{kind}: {why}")
    details = differences(ours.values, theirs.values)
    if ours.output != theirs.output:
        details.append(f"printed:\n{show_beside(ours.output, theirs.output)}")
    return Outcome("differs", details[0].split("\n")[0], details) if details else Outcome("equal")


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Return the variables that differ, each with the first place where it does and both values."""
    from pyrrf.r.values.kinds import is_null

    out = []
    for name in sorted({*ours, *theirs}):
        if name not in ours and is_null(theirs[name]):
            continue  # the variable of a loop over nothing, which no line reads
        if name not in ours:
            out.append(f"{name}: R alone has it")
        elif name not in theirs:
            out.append(f"{name}: pyrrf alone has it")
        elif difference := first_difference(ours[name], theirs[name]):
            out.append(f"{name}{difference}\n      ours:   {show(ours[name])}\n      theirs: {show(theirs[name])}")
    return out


def show_beside(ours: str, theirs: str) -> str:
    """Return the lines from the first one that differs on."""
    mine, other = ours.split("\n"), theirs.split("\n")
    n = next((i for i, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), min(len(mine), len(other)))
    window = slice(max(n - 1, 0), n + 3)
    return "\n".join(
        [f"      ours   {line!r}" for line in mine[window]] + [f"      theirs {line!r}" for line in other[window]]
    )


def first_difference(ours: Any, theirs: Any) -> str:
    """Return where and how two values differ by the rules of ``identical()``; "" where they do not."""
    from pyrrf.r.values import same

    difference = same.first_difference(ours, theirs, "")
    return "" if difference is None else f": {difference}"


def _number(x: float) -> str:
    return "NaN" if x != x else repr(float(x))


def show(x: Any, most: int = 400) -> str:
    """Return a value in one line, with its attributes."""
    from pyrrf.r.values.partial import Partial
    from pyrrf.r.values.vector import NUMBERS, Value

    if not isinstance(x, Value) or isinstance(x, Partial) or x._kind == "opaque":
        return f"<{type(x).__name__}>"
    if x._kind == "list":
        inner = ", ".join(show(item, 80) for item in x._data[:8])
    elif x._kind in NUMBERS:
        inner = ", ".join(map(_number, x._data[:12]))
    else:
        inner = ", ".join(map(repr, x._data[:12]))
    about = "".join(f" @{name}={show(part, 80)}" for name, part in x._attributes.items())
    return f"{x._kind}({inner}){about}"[:most]


def run(
    area: str, stored: bool = False, chosen: Callable[[str], bool] = lambda piece: True
) -> Iterator[tuple[int, str, Outcome]]:
    """Yield each chosen piece of an area with its number and how it comes out."""
    for number, (text, content) in enumerate(zip(pieces(area), answers(area, stored), strict=True)):
        if not chosen(text):
            continue
        if content is None:
            yield number, text, Outcome("no answer", "R did not answer; record the pieces anew")
        else:
            yield number, text, compared(answer(content), text)


# ---- command -------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m parity.pieces", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help="files of parity/pieces; all by default")
    parser.add_argument("--record", action="store_true", help="store R's answers")
    parser.add_argument("--recorded", action="store_true", help="take R's stored answers")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of pieces")
    parser.add_argument(
        "--kinds", nargs="*", default=["differs", "broken", "refused", "no answer"], help="what is shown"
    )
    parser.add_argument("--code", action="store_true", help="show the Python")
    given = parser.parse_args()
    for area in given.areas or AREAS:
        if given.record:
            record(area)
        report(area, given)


def report(area: str, given: Any) -> None:
    """Print the outcomes of an area."""
    counts, reasons = Counter[str](), Counter[str]()
    for number, text, outcome in run(area, given.recorded):
        counts[outcome.kind] += 1
        if outcome.kind in ("refused", "broken"):
            reasons[outcome.why] += 1
        if (given.only is None and outcome.kind in given.kinds) or (given.only and number in given.only):
            print(f"--- {area} {number}: {outcome.kind}: {outcome.why}")
            print("\n".join(f"    | {line}" for line in text.split("\n")))
            for detail in outcome.details:
                print(f"    {detail}")
            if given.code:
                print(code(text))
    total = sum(counts.values())
    print(f"{area}: {total} pieces: " + ", ".join(f"{many} {kind}" for kind, many in counts.most_common()))
    for reason, many in reasons.most_common(30):
        print(f"{many:5d} {reason}")


def code(piece: str) -> str:
    """Return the Python of a piece."""
    from pyrrf.migrate.translation import translate

    return "\n".join(f"    > {line}" for line in translate(piece, "piece.R", ".").code.splitlines() if line)


if __name__ == "__main__":
    main()
