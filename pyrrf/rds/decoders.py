"""Decoders of numbers and texts in R's three encodings: big-endian (XDR), native byte order, and text lines."""

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

# Mask of an object's number without the marks of its encoding.
_TYPE_AND_MARKS = 0xFFF
# Bit of a text that R marked as Latin-1.
_LATIN1 = 4
_VERSIONS = {2, 3}
# Longest object that is searched for in blocks of repeats; longest line that the budget ignores.
_SHORT = 64
# Bytes of memory for each byte of a text: of one that is not ASCII, and while escapes are decoded.
_LETTER, _ESCAPE = 16, 64


def open_decoder(content: bytes, budget: Budget) -> Decoder:
    """Return the decoder of decompressed bytes, placed behind their header.

    DamagedError if the header is not one of R's formats.
    """
    if content.startswith((b"A\n", b"A\r\n")):
        decoder: Decoder = _TextDecoder(content, content.index(b"\n") + 1, budget)
    elif content.startswith((b"X\n", b"B\n")):
        little = content.startswith(b"B") and int.from_bytes(content[2:6], "little") in _VERSIONS
        decoder = _BinaryDecoder(content, 2, budget, "<" if little else ">")
    else:
        raise DamagedError("it cannot be read as .rds: it begins as none of R's formats")
    version, _, _ = (decoder.integer() for _ in range(3))
    if version not in _VERSIONS:
        raise DamagedError(f"it cannot be read as .rds: its version of R's format is {version}, not 2 or 3")
    if version == 3:
        decoder.string(decoder.integer())  # the encoding of R, which texts without a mark may have
    return decoder


class Decoder(abc.ABC):
    """Decoder of a sequence of numbers and texts.

    Parameters
    ----------
    content : bytes
    position : int
        Offset of the next number.
    budget : Budget
        Limit of memory.
    """

    # Smallest size of a number, or any object, in the file.
    least = 2

    def __init__(self, content: bytes, position: int, budget: Budget) -> None:
        self.content, self.position, self.budget = content, position, budget

    def claim(self, size: int, memory: int) -> None:
        """Charge memory for values that occupy `size` bytes of the file.

        Raises
        ------
        ValueError
            The file ends earlier.
        LimitError
            The budget is exhausted.
        """
        if not 0 <= size <= len(self.content) - self.position:
            raise ValueError("it ends too early")
        self.budget.spend(memory)

    @abc.abstractmethod
    def integer(self) -> int:
        """Read an integer."""

    @abc.abstractmethod
    def numbers(self, kind: np.dtype[Any], n: int) -> np.ndarray:
        """Read `n` numbers of type int32, float64, complex128 or uint8."""

    @abc.abstractmethod
    def string(self, size: int) -> bytes:
        """Read the `size` bytes of a text."""

    def texts(self, n: int) -> list[str | None]:
        """Read `n` texts."""
        self.claim(n * self.least, n * OBJECT)
        return self.claimed_texts(n)

    def claimed_texts(self, n: int) -> list[str | None]:
        """Read `n` texts whose memory was charged, except for that of their letters."""
        return [self.text(self.integer()) for _ in range(n)]

    def text(self, flags: int) -> str | None:
        """Read the length and letters of a text, behind its type number; None is NA."""
        size = self.integer()
        check_text(flags, size)
        if size < 0:
            return None
        content = self.string(size)
        self.budget.spend(size if content.isascii() else _LETTER * size)
        return decode_text(content, flags)

    def repeats(self, begin: int, most: int) -> int:
        """Skip repeats of the bytes from `begin` to here, at most `most`; return their number."""
        return 0


class _BinaryDecoder(Decoder):
    """Decoder of binary numbers."""

    least = 4

    def __init__(self, content: bytes, position: int, budget: Budget, order: Literal["<", ">"]) -> None:
        super().__init__(content, position, budget)
        self.order: Literal["<", ">"] = order
        self.one = struct.Struct(f"{order}i")
        # Begin, end and value of the last vector of each length: a fit repeats the names of its features.
        self.last: dict[int, tuple[int, int, list[str | None]]] = {}

    def integer(self) -> int:
        value: int
        (value,) = self.one.unpack_from(self.content, self.position)
        self.position += 4
        return value

    def numbers(self, kind: np.dtype[Any], n: int) -> np.ndarray:
        self.claim(n * kind.itemsize, n * kind.itemsize)
        values = np.frombuffer(self.content, kind.newbyteorder(self.order), n, self.position).astype(kind)
        self.position += n * kind.itemsize
        return values

    def string(self, size: int) -> bytes:
        self.claim(size, size)
        self.position += size
        return self.content[self.position - size : self.position]

    def claimed_texts(self, n: int) -> list[str | None]:
        begin, end, known = self.last.get(n, (0, 0, []))
        if end and self.content.startswith(memoryview(self.content)[begin:end], self.position):
            self.position += end - begin
            return known.copy()
        begin = self.position
        texts: list[str | None] = []
        while len(texts) < n:
            more, self.position, memory = _core.decode_texts(
                self.content, self.position, n - len(texts), self.order == ">", self.budget.left
            )
            self.budget.spend(memory)
            # The next text is long, or has another encoding than its mark.
            texts += more if more else [self.text(self.integer())]
        self.last[n] = begin, self.position, texts
        return texts.copy()

    def repeats(self, begin: int, most: int) -> int:
        piece, count = memoryview(self.content)[begin : self.position], 0
        for at_once in (256, 1) if len(piece) <= _SHORT else (1,):
            block = piece if at_once == 1 else bytes(piece) * at_once
            while count + at_once <= most and self.content.startswith(block, self.position):
                self.position += len(block)
                count += at_once
        return count


class _TextDecoder(Decoder):
    """Decoder of numbers written as lines of text."""

    def _line(self) -> bytes:
        end = self.content.find(b"\n", self.position)
        size = (len(self.content) if end < 0 else end) - self.position
        self.claim(1, size if size > _SHORT else 0)
        line = self.content[self.position : self.position + size]
        self.position += size + 1
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
        text = self._line()
        if size and b"\\" in text:
            self.budget.spend(_ESCAPE * len(text))
            text = _ESCAPED.sub(_unescape, text)
        if len(text) != size:
            raise ValueError(f"a text of {len(text)} bytes, not {size}")
        return text


def _integer(line: bytes) -> int:
    return int(INT_NA) if line == b"NA" else int(line)


def _double(line: bytes) -> float:
    if b"x" in line:
        return float.fromhex(line.decode())
    return float(REAL_NA) if line == b"NA" else float(line)


_READ: dict[str, Callable[[bytes], float]] = {"i": _integer, "f": _double, "u": lambda line: int(line, 16)}
# R escapes blanks and unprintable letters by octal numbers or these letters.
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)")
_ESCAPES = dict(zip(b"ntvbrfa", b"\n\t\v\b\r\f\a", strict=True))


def _unescape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    return bytes([int(escape, 8) & 0xFF if escape[:1].isdigit() else _ESCAPES.get(escape[0], escape[0])])


# ---- texts ---------------------------------------------------------------------------------------


def check_text(flags: int, size: int) -> None:
    """Raise DamagedError or ValueError unless flags and size are those of a text; size -1 is NA."""
    if flags & _TYPE_AND_MARKS != NUMBERS["CHAR"]:
        names = {number: name for name, number in NUMBERS.items()}
        raise DamagedError(f"it is damaged: a text was expected, not {names.get(flags & 0xFF, flags & 0xFF)}")
    if size < -1:
        raise ValueError(f"a text of {size} bytes")


def decode_text(content: bytes, flags: int) -> str:
    """Return a text decoded by R's mark of its encoding."""
    if flags >> 12 & _LATIN1:
        return _western(content)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _western(content)


def _western(content: bytes) -> str:
    return content.decode("cp1252", errors="pyrrf.rds")


def _in_brackets(error: UnicodeError) -> tuple[str, int]:
    """Return invalid bytes as R writes them, such as <81>."""
    failure: Any = error
    return "".join(f"<{byte:02x}>" for byte in failure.object[failure.start : failure.end]), failure.end


codecs.register_error("pyrrf.rds", _in_brackets)
