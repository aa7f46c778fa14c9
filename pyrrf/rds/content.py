"""The bytes of a file, unpacked, and a bound on what they may make."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable
from typing import Any

_GZIP, _BZIP2, _XZ, _ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_UNPACKERS: dict[bytes, Callable[[io.BytesIO], Any]] = {_GZIP: gzip.open, _BZIP2: bz2.open, _XZ: lzma.open}
# What is unpacked at a time.
_BLOCK = 1 << 20
# What R's save() begins with, in any of its forms.
_SAVED = re.compile(rb"RD[XAB]\d\n")


class LimitError(ValueError):
    """A file that makes more than it may."""


class Budget:
    """The bytes that a file may still make.

    Parameters
    ----------
    most : int
    option : str, default 'max_bytes'
        What the user raises it by.
    """

    def __init__(self, most: int, option: str = "max_bytes") -> None:
        self.most, self.left, self.option = most, most, option

    def spend(self, size: float) -> None:
        """Take a number of bytes before they are made.

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


def unpack(content: bytes, budget: Budget) -> bytes | bytearray:
    """Return what saveRDS() wrote before it was compressed.

    Raises
    ------
    ValueError
        It cannot be unpacked, it is larger than it may be, or R's save() wrote it.
    """
    if content.startswith(_ZSTD):
        raise ValueError("it is compressed by zstd, which is not read here; in R: saveRDS(object, file)")
    found = next((unpacker for magic, unpacker in _UNPACKERS.items() if content.startswith(magic)), None)
    plain: bytes | bytearray = content
    if found is not None:
        try:
            plain = unpacked(found(io.BytesIO(content)), budget)
        except (OSError, EOFError, zlib.error, lzma.LZMAError):
            raise ValueError("it cannot be read as .rds: its compression is damaged, or cut short") from None
    if _SAVED.match(plain):
        raise ValueError("R's save() wrote it, with the names of objects; in R: saveRDS(object, file)")
    return plain


def unpacked(stream: Any, budget: Budget) -> bytearray:
    """Return what a stream unpacks, block by block, so that it ends at the budget."""
    plain = bytearray()
    while block := stream.read(_BLOCK):
        budget.spend(len(block))
        plain += block
    return plain
