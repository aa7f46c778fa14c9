"""Numbers and texts in the three forms of R's files: bytes in XDR's order or the machine's own, and lines."""

from __future__ import annotations

import abc
import codecs
import re
import struct
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from pyrrf import _core
from pyrrf.rds.content import OBJECT, Budget, DamagedError
from pyrrf.rds.objects import INT_NA, NUMBERS, REAL_NA

# The number of an object without its encoding.
_TYPE_AND_MARKS = 0xFFF
# Bit of a text that R marked as Latin-1.
_LATIN1 = 4
_VERSIONS = {2, 3}
# Bytes of what is looked for many times at once, and of a line that takes nothing worth counting.
_SHORT = 64
# Bytes of memory for each byte of a text: where it has other letters than those of ASCII, or bytes that are no letters,
# and while its escapes are read.
_LETTER, _ESCAPE = 16, 64


def open_form(content: bytes, budget: Budget) -> Form:
    """Return what reads numbers and texts behind the head of unpacked bytes.

    Raises
    ------
    DamagedError
        They do not begin as R's files do.
    """
    if content.startswith((b"A\n", b"A\r\n")):
        form: Form = _Lines(content, content.index(b"\n") + 1, budget)
    elif content.startswith((b"X\n", b"B\n")):
        little = content.startswith(b"B") and int.from_bytes(content[2:6], "little") in _VERSIONS
        form = _Binary(content, 2, budget, "<" if little else ">")
    else:
        raise DamagedError("it cannot be read as .rds: it begins as none of R's formats")
    version, _, _ = (form.integer() for _ in range(3))
    if version not in _VERSIONS:
        raise DamagedError(f"it cannot be read as .rds: its version of R's format is {version}, not 2 or 3")
    if version == 3:
        form.string(form.integer())  # the encoding of R, which texts without a mark may have
    return form


class Form(abc.ABC):
    """What is read, and how far.

    Parameters
    ----------
    content : bytes
    at : int
        Where the next number begins.
    budget : Budget
        The memory that may be taken.
    """

    # Bytes of the file that a number, or any object, has at least.
    least = 2

    def __init__(self, content: bytes, at: int, budget: Budget) -> None:
        self.content, self.at, self.budget = content, at, budget

    def claim(self, size: int, memory: int) -> None:
        """Take memory for what has so many bytes in the file.

        Raises
        ------
        ValueError
            So many are not left.
        LimitError
            Nor is so much memory.
        """
        if not 0 <= size <= len(self.content) - self.at:
            raise ValueError("it ends too early")
        self.budget.spend(memory)

    @abc.abstractmethod
    def integer(self) -> int:
        """Read an integer."""

    @abc.abstractmethod
    def numbers(self, kind: np.dtype[Any], n: int) -> np.ndarray:
        """Read so many numbers, of type int32, float64, complex128 or uint8."""

    @abc.abstractmethod
    def string(self, size: int) -> bytes:
        """Read the bytes of a text."""

    def texts(self, n: int) -> list[str | None]:
        """Read so many texts."""
        self.claim(n * self.least, n * OBJECT)
        return self.some_texts(n)

    def some_texts(self, n: int) -> list[str | None]:
        """Read so many texts, for which the memory is taken but for that of their letters."""
        return [self.text(self.integer()) for _ in range(n)]

    def text(self, flags: int) -> str | None:
        """Read what follows the number of a text; None is NA."""
        size = self.integer()
        check_text(flags, size)
        if size < 0:
            return None
        content = self.string(size)
        self.budget.spend(size if content.isascii() else _LETTER * size)
        return decoded(content, flags)

    def repeats(self, begin: int, most: int) -> int:
        """Pass over what is the same as the bytes from `begin` on; return how many times it was there."""
        return 0


class _Binary(Form):
    """Numbers as bytes."""

    least = 4

    def __init__(self, content: bytes, at: int, budget: Budget, order: Literal["<", ">"]) -> None:
        super().__init__(content, at, budget)
        self.order: Literal["<", ">"] = order
        self.one = struct.Struct(f"{order}i")
        # Where the last vector of so many texts was, and what it holds: the names of features stand in a fit often.
        self.last: dict[int, tuple[int, int, list[str | None]]] = {}

    def integer(self) -> int:
        found: int
        (found,) = self.one.unpack_from(self.content, self.at)
        self.at += 4
        return found

    def numbers(self, kind: np.dtype[Any], n: int) -> np.ndarray:
        self.claim(n * kind.itemsize, n * kind.itemsize)
        found = np.frombuffer(self.content, kind.newbyteorder(self.order), n, self.at).astype(kind)
        self.at += n * kind.itemsize
        return found

    def string(self, size: int) -> bytes:
        self.claim(size, size)
        self.at += size
        return self.content[self.at - size : self.at]

    def some_texts(self, n: int) -> list[str | None]:
        begin, end, known = self.last.get(n, (0, 0, []))
        if end and self.content.startswith(memoryview(self.content)[begin:end], self.at):
            self.at += end - begin
            return known.copy()
        begin = self.at
        found: list[str | None] = []
        while len(found) < n:
            more, self.at, memory = _core.decode_texts(
                self.content, self.at, n - len(found), self.order == ">", self.budget.left
            )
            self.budget.spend(memory)
            # What is left is long, is not what its mark says, or has another.
            found += more if more else [self.text(self.integer())]
        self.last[n] = begin, self.at, found
        return found.copy()

    def repeats(self, begin: int, most: int) -> int:
        piece, found = memoryview(self.content)[begin : self.at], 0
        for at_once in (256, 1) if len(piece) <= _SHORT else (1,):
            block = piece if at_once == 1 else bytes(piece) * at_once
            while found + at_once <= most and self.content.startswith(block, self.at):
                self.at += len(block)
                found += at_once
        return found


class _Lines(Form):
    """Numbers as lines."""

    def _line(self) -> bytes:
        end = self.content.find(b"\n", self.at)
        size = (len(self.content) if end < 0 else end) - self.at
        self.claim(1, size if size > _SHORT else 0)
        line = self.content[self.at : self.at + size]
        self.at += size + 1
        return line.strip()

    def integer(self) -> int:
        return _integer(self._line())

    def numbers(self, kind: np.dtype[Any], n: int) -> np.ndarray:
        if kind.kind == "c":
            return self.numbers(np.dtype(np.float64), 2 * n).view(kind)
        self.claim(self.least * n, kind.itemsize * n)
        read = _READ[kind.kind]
        return np.fromiter((read(self._line()) for _ in range(n)), dtype=kind, count=n)

    def string(self, size: int) -> bytes:
        found = self._line()
        if size and b"\\" in found:
            self.budget.spend(_ESCAPE * len(found))
            found = _ESCAPED.sub(_unescaped, found)
        if len(found) != size:
            raise ValueError(f"a text of {len(found)} bytes, not {size}")
        return found


def _integer(line: bytes) -> int:
    return int(INT_NA) if line == b"NA" else int(line)


def _double(line: bytes) -> float:
    if b"x" in line:
        return float.fromhex(line.decode())
    return float(REAL_NA) if line == b"NA" else float(line)


_READ: dict[str, Callable[[bytes], float]] = {"i": _integer, "f": _double, "u": lambda line: int(line, 16)}
# R writes letters that are not printed, and blanks, by their octal numbers or these escapes.
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)")
_ESCAPES = dict(zip(b"ntvbrfa", b"\n\t\v\b\r\f\a", strict=True))


def _unescaped(match: re.Match[bytes]) -> bytes:
    what = match[1]
    return bytes([int(what, 8) & 0xFF if what[:1].isdigit() else _ESCAPES.get(what[0], what[0])])


# ---- texts ---------------------------------------------------------------------------------------


def check_text(flags: int, size: int) -> None:
    """Raise unless the number of an object is that of a text, and the size one that a text can have; -1 is NA."""
    if flags & _TYPE_AND_MARKS != NUMBERS["CHAR"]:
        names = {number: name for name, number in NUMBERS.items()}
        raise DamagedError(f"it is damaged: a text was expected, not {names.get(flags & 0xFF, flags & 0xFF)}")
    if size < -1:
        raise ValueError(f"a text of {size} bytes")


def decoded(content: bytes, flags: int) -> str:
    """Return a text by R's marks of its encoding."""
    if flags >> 12 & _LATIN1:
        return _western(content)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _western(content)


def _western(content: bytes) -> str:
    return content.decode("cp1252", errors="pyrrf.rds")


def _in_brackets(error: UnicodeError) -> tuple[str, int]:
    """Write bytes that are no letters as R does: <81>."""
    found: Any = error
    return "".join(f"<{byte:02x}>" for byte in found.object[found.start : found.end]), found.end


codecs.register_error("pyrrf.rds", _in_brackets)
