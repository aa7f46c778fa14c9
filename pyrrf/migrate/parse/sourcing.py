"""Files that a script sources: permitted paths, and limits of number and size."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pyrrf.migrate.parse import rast
from pyrrf.migrate.parse.parser import parse

FLAG = "--source-outside"
"""The option of the command that lets files outside of the script's folder be read."""
MOST_FILES, MOST_BYTES, MOST_DEPTH = 100, 1_000_000, 10
"""Limits of sourced files: their number, their length together, their depth in others."""
_READING = ("source", "file.exists", "setwd")
_NOT_AT_HAND = "source() of a file that is not at hand; put its lines here, or translate it, too"


@dataclass
class Sources:
    """The files that a script sources.

    Parameters
    ----------
    folder : Path or None
        Where the script begins; None if that is not known, and then no file is read.
    outside : bool
        Whether files outside of it may be read.
    bound : frozenset of str
        The names among T and F that the script and its files assign.

    Attributes
    ----------
    place : Path or None
        The folder to which the script has gone; None before, and where that is not known.
    changed : bool
        Whether the script may have gone elsewhere, or written files.
    named : set of str
        Names of files that it has, other than of those that it sources.
    """

    folder: Path | None
    outside: bool = False
    bound: frozenset[str] = frozenset()
    read: dict[Path, rast.Script] = field(default_factory=dict)
    parsed: dict[Path, rast.Script] = field(default_factory=dict)
    depth: int = 0
    room: int = MOST_BYTES
    place: Path | None = None
    changed: bool = False
    named: set[str] = field(default_factory=set)

    def find(self, name: str) -> Path:
        """Return the file that a script sources.

        Raises
        ------
        UntranslatedError
            It is not there, or outside of the folder.
        """
        if self.folder is None or not name or "\0" in name:
            raise rast.UntranslatedError(_NOT_AT_HAND)
        try:
            there = self.place / name if self.place is not None else None
            folder = self.folder.resolve()
            file = (there if there is not None and there.exists() else self.folder / name).resolve()
            if not self.outside and not file.is_relative_to(folder):
                raise rast.UntranslatedError(
                    f"source() of a file outside of the script's folder; {FLAG} lets it be read"
                )
            if not file.exists():
                raise rast.UntranslatedError(_NOT_AT_HAND)
        except (OSError, RuntimeError, ValueError):  # a circle of links, or no name for a file
            raise rast.UntranslatedError(_NOT_AT_HAND) from None
        return file

    def pass_by(self, node: rast.Node, acts: Callable[[rast.Call], bool], surely: bool) -> None:
        """Note the working directory behind a statement, and the files that it may write.

        Parameters
        ----------
        node : Node
        acts : callable
            Whether a call may write files or go to another folder.
        surely : bool
            Whether it runs for sure.
        """
        target = rast.first_value(node) if isinstance(node, rast.Call) else None
        if rast.function_name(node) == "setwd" and surely and isinstance(target, rast.Text) and self.folder is not None:
            self.place = (self.place or self.folder) / target.value
        calls = [inner for inner in rast.walk(node) if isinstance(inner, rast.Call)]
        self.changed = self.changed or any(map(acts, calls))
        reading = {id(call.args[0].value) for call in calls if call.args and rast.function_name(call) in _READING}
        texts = [inner for inner in rast.walk(node) if isinstance(inner, rast.Text) and id(inner) not in reading]
        self.named |= {text.value.rpartition("/")[2] for text in texts}

    def script(self, file: Path) -> rast.Script:
        """Read a file that was not read before.

        Raises
        ------
        UntranslatedError
            It is no script of R, or one too many.
        """
        self.read[file] = self._parse_file(file)
        return self.read[file]

    def _parse_file(self, file: Path) -> rast.Script:
        if file in self.parsed:
            return self.parsed[file]
        if len(self.parsed) >= MOST_FILES:
            raise rast.UntranslatedError(f"source() of more than {MOST_FILES} files")
        text = _text(file, self.room)
        self.room -= len(text.encode())
        script = parse(text, self.bound)
        if script.damaged:
            raise rast.UntranslatedError("source() of a file that is not R as far as its grammar is known here")
        self.parsed[file] = script
        return script

    def expand_sources(self, body: Sequence[rast.Node], seen: set[Path] | None = None) -> list[rast.Node]:
        """Return the statements of a script, with the files that it sources in place of the calls."""
        statements: list[rast.Node] = []
        seen, before = set() if seen is None else seen, self.place
        for node in body:
            first = rast.first_value(node) if isinstance(node, rast.Call) else None
            inner: list[rast.Node] | None = None
            if rast.function_name(node) == "setwd":
                self.pass_by(node, lambda call: False, surely=True)
            if rast.function_name(node) == "source" and isinstance(first, rast.Text):
                with suppress(rast.UntranslatedError):
                    file = self.find(first.value)
                    again = file in seen
                    seen.add(file)
                    inner = [] if again else self.expand_sources(self._parse_file(file).body, seen)
            statements += [node] if inner is None else inner
        self.place = before
        return statements

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be inside of a file that is sourced; rast.UntranslatedError where too many lie around it."""
        if self.depth >= MOST_DEPTH:
            raise rast.UntranslatedError(f"source() inside of {MOST_DEPTH} files that source each other")
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


def _text(file: Path, room: int) -> str:
    """Return the text of a file: UTF-8, not too long, and a regular file."""
    try:
        content = read_regular(file, room)
    except OSError as error:
        raise rast.UntranslatedError(f"source() of a file that cannot be read: {error.strerror or error}") from None
    try:
        text = decode_script(content)
    except UnicodeDecodeError:
        raise rast.UntranslatedError("source() of a file that is not UTF-8") from None
    if "\0" in text:
        raise rast.UntranslatedError("source() of a file that is no text")
    return text


def digest_of(file: Path) -> str:
    """Return a hash of the text of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def decode_script(content: bytes) -> str:
    """Return the text of a script, its lines ended by line feeds; UnicodeDecodeError if it is not UTF-8."""
    return re.sub("\r\n?", "\n", content.decode("utf-8-sig"))


def read_regular(file: Path, most: int) -> bytes:
    """Return the content of a file.

    Raises
    ------
    OSError
        It is no regular file, such as a pipe or a device, or longer than `most`.
    """
    # A pipe that nobody writes to would hold up the opening, too.
    number = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as stream:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError("it is no regular file")
        content = stream.read(most + 1)
    if content is None:
        raise OSError("it has nothing to read yet")
    if len(content) > most:
        raise OSError(f"it is too large, or those above are: {MOST_BYTES:,} bytes are read of all files")
    return content
