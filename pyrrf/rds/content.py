"""Decompression of files, and the limit of memory while reading."""

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
# The default limit of memory in bytes: a base, and a number per byte of the file. zlib expands one byte to up to 1,032.
_LEAST, _RATIO = 2**30, 1000
# Bytes that are read at a time.
_BLOCK = 1 << 20
# Bytes of a small object with its slot in a list, and of a slot alone (lists over-allocate).
OBJECT, POINTER = 256, 16
# The first bytes of files of R's save(), in each format.
_SAVED = re.compile(rb"RD[XAB]\d\n")


class DamagedError(ValueError):
    """A damaged file, or one of an unsupported format."""

    argument, code = "path", "damaged"


class LimitError(DamagedError):
    """A file that needs more memory than the limit."""

    argument, code = "max_bytes", "range"


class Budget:
    """The bytes of memory that reading a file may still take.

    Parameters
    ----------
    most : int
    option : str, default 'max_bytes'
        Name of the argument that raises the limit, for messages.
    """

    def __init__(self, most: int, option: str = "max_bytes") -> None:
        self.most, self.left, self.option = most, most, option

    def spend(self, size: float) -> None:
        """Charge a number of bytes before they are allocated. LimitError if the budget is exhausted."""
        self.left -= int(size)
        if self.left < 0:
            raise LimitError(
                f"what it holds takes more than {self.option}={self.most} bytes; if the file is to be trusted, "
                f"pass a larger {self.option}"
            )


def default_budget(size: int, option: str = "max_bytes") -> Budget:
    """Return the default limit of memory for a file of `size` bytes."""
    return Budget(_LEAST + _RATIO * size, option)


def load(
    stream: IO[bytes],
    max_bytes: int | None,
    option: str = "max_bytes",
    default: Callable[[int], Budget] = default_budget,
) -> tuple[bytes, Budget]:
    """Return the bytes of a file, and the budget that remains for its objects."""
    if max_bytes is None:
        content = stream.read()
        return content, default(len(content))
    budget = Budget(max_bytes, option)
    return read_all(stream, budget), budget


def unpack(content: bytes, budget: Budget) -> bytes:
    """Return the decompressed content of a file of saveRDS().

    DamagedError if decompression fails, the content exceeds the budget, or R's save() wrote the file.
    """
    if content.startswith(_ZSTD):
        raise DamagedError("it is compressed by zstd, which is not read here; in R: saveRDS(object, file)")
    module = next((module for magic, module in _UNPACKERS.items() if content.startswith(magic)), None)
    try:
        plain = content if module is None else decompress(module, content, budget)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise DamagedError("it cannot be read as .rds: its compression is damaged, or cut short") from None
    if _SAVED.match(plain):
        raise DamagedError("R's save() wrote it, with the names of objects; in R: saveRDS(object, file)")
    return plain


def decompress(module: Any, content: bytes, budget: Budget) -> bytes:
    """Return the content that a module such as `gzip` decompresses."""
    # xz refers to bytes as far back as the file says, and keeps a copy of them.
    copies = 2 if module is lzma else 1
    with module.open(io.BytesIO(content)) as stream:
        return read_all(stream, budget, copies)


def read_all(stream: IO[bytes], budget: Budget, copies: int = 1) -> bytes:
    """Return the content of a stream, read block by block so that the budget stops it early."""
    buffer = io.BytesIO()
    while block := stream.read(_BLOCK):
        budget.spend(copies * len(block))
        buffer.write(block)
    return buffer.getvalue()  # its own bytes, not a copy
