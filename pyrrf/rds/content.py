"""The bytes of a file, unpacked, and the memory that reading them may take."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable
from typing import IO, Any

_ZSTD = b"\x28\xb5\x2f\xfd"
# The modules that unpack, by the bytes that a file begins with.
_UNPACKERS: dict[bytes, Any] = {b"\x1f\x8b\x08": gzip, b"BZh": bz2, b"\xfd7zXZ\x00": lzma}
# What reading a file may take unless more is asked for: so many bytes, and so many more for each byte of the file. zlib
# makes up to 1,032 bytes of one.
_LEAST, _RATIO = 2**30, 1000
# Bytes that are read at a time.
_BLOCK = 1 << 20
# What a small object takes with its place in a list, and such a place alone, which grows ahead.
OBJECT, POINTER = 256, 16
# What R's save() begins with, in any of its forms.
_SAVED = re.compile(rb"RD[XAB]\d\n")


class DamagedError(ValueError):
    """A file that does not hold what it says, or not what is read here."""

    argument, code = "path", "damaged"


class LimitError(DamagedError):
    """A file that takes more memory than it may."""

    argument, code = "max_bytes", "range"


class Budget:
    """The bytes of memory that reading a file may still take.

    Parameters
    ----------
    most : int
    option : str, default 'max_bytes'
        What the user raises it by.
    """

    def __init__(self, most: int, option: str = "max_bytes") -> None:
        self.most, self.left, self.option = most, most, option

    def spend(self, size: float) -> None:
        """Take a number of bytes before they are allocated.

        Raises
        ------
        LimitError
            So many are not left.
        """
        self.left -= int(size)
        if self.left < 0:
            raise LimitError(
                f"what it holds takes more than {self.option}={self.most} bytes; if the file is to be trusted, "
                f"pass a larger {self.option}"
            )


def default_budget(size: int, option: str = "max_bytes") -> Budget:
    """Return what a file of some bytes may take unless the user says more."""
    return Budget(_LEAST + _RATIO * size, option)


def load(
    stream: IO[bytes],
    max_bytes: int | None,
    option: str = "max_bytes",
    default: Callable[[int], Budget] = default_budget,
) -> tuple[bytes, Budget]:
    """Return the bytes of a file, and what is left of the budget for what they hold."""
    if max_bytes is None:
        content = stream.read()
        return content, default(len(content))
    budget = Budget(max_bytes, option)
    return read_all(stream, budget), budget


def unpack(content: bytes, budget: Budget) -> bytes:
    """Return what saveRDS() wrote before it was compressed.

    Raises
    ------
    DamagedError
        It cannot be unpacked, it is larger than it may be, or R's save() wrote it.
    """
    if content.startswith(_ZSTD):
        raise DamagedError("it is compressed by zstd, which is not read here; in R: saveRDS(object, file)")
    module = next((module for magic, module in _UNPACKERS.items() if content.startswith(magic)), None)
    try:
        plain = content if module is None else unpacked(module, content, budget)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise DamagedError("it cannot be read as .rds: its compression is damaged, or cut short") from None
    if _SAVED.match(plain):
        raise DamagedError("R's save() wrote it, with the names of objects; in R: saveRDS(object, file)")
    return plain


def unpacked(module: Any, content: bytes, budget: Budget) -> bytes:
    """Return what a module of compression unpacks."""
    # xz refers to bytes as far back as the file says, and keeps a copy of them.
    copies = 2 if module is lzma else 1
    with module.open(io.BytesIO(content)) as stream:
        return read_all(stream, budget, copies)


def read_all(stream: IO[bytes], budget: Budget, copies: int = 1) -> bytes:
    """Return what a stream gives, block by block, so that it ends at the budget."""
    found = io.BytesIO()
    while block := stream.read(_BLOCK):
        budget.spend(copies * len(block))
        found.write(block)
    return found.getvalue()  # its own bytes, not a copy
