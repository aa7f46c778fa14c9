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

_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
# What is unpacked at a time, and what a byte of gzip makes at most.
_BLOCK, _MOST_PACKED = 1 << 20, 1032
# How zlib is told that a stream has the head of gzip.
_WITH_HEAD = 31
# What R's save() begins with, in any of its forms.
_SAVED = re.compile(rb"RD[XAB]\d\n")


class DamagedError(ValueError):
    """A file that does not hold what it says, or not what is read here."""


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


def unpack(content: bytes, budget: Budget) -> bytes:
    """Return what saveRDS() wrote before it was compressed.

    Raises
    ------
    ValueError
        It cannot be unpacked, it is larger than it may be, or R's save() wrote it.
    """
    if content.startswith(_ZSTD):
        raise ValueError("it is compressed by zstd, which is not read here; in R: saveRDS(object, file)")
    found = next((unpacker for magic, unpacker in _UNPACKERS.items() if content.startswith(magic)), None)
    try:
        plain = content if found is None else found(content, budget)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        raise ValueError("it cannot be read as .rds: its compression is damaged, or cut short") from None
    if _SAVED.match(plain):
        raise ValueError("R's save() wrote it, with the names of objects; in R: saveRDS(object, file)")
    return plain


def unpacked(stream: Any, budget: Budget) -> bytes:
    """Return what a stream unpacks, block by block, so that it ends at the budget."""
    found: list[bytes] = []
    while block := stream.read(_BLOCK):
        budget.spend(len(block))
        found.append(block)
    return b"".join(found)


def _read_by(reader: Callable[..., Any]) -> Callable[[bytes, Budget], bytes]:
    def read(content: bytes, budget: Budget) -> bytes:
        with reader(io.BytesIO(content)) as stream:
            return unpacked(stream, budget)

    return read


_read_gzip = _read_by(gzip.open)


def _gunzipped(content: bytes, budget: Budget) -> bytes:
    """Return what gzip packed: at once where this cannot go beyond the budget and there is but one stream.

    The last bytes of a stream say how much it makes, so that zlib need not join parts, which takes as long again, and
    what its check sum is, so that these are known to be those of the first stream.
    """
    said = int.from_bytes(content[-4:], "little")
    if max(said, len(content) * _MOST_PACKED) <= budget.left:
        plain = zlib.decompress(content, _WITH_HEAD, max(said, 1))
        if len(plain) == said and zlib.crc32(plain) == int.from_bytes(content[-8:-4], "little"):
            budget.spend(said)
            return plain
    return _read_gzip(content, budget)


# By the bytes that a file begins with.
_UNPACKERS: dict[bytes, Callable[[bytes, Budget], bytes]] = {
    _GZIP: _gunzipped,
    b"BZh": _read_by(bz2.open),
    b"\xfd7zXZ\x00": _read_by(lzma.open),
}
