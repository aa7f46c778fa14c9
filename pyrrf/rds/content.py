"""The bytes of an .rds file, unpacked."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zlib

_GZIP, _BZIP2, _XZ, _ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_UNPACKERS = {_GZIP: gzip.decompress, _BZIP2: bz2.decompress, _XZ: lzma.decompress}
# What R's save() begins with, in any of its forms.
_SAVED = re.compile(rb"RD[XAB]\d\n")


def unpack(content: bytes) -> bytes:
    """Return what saveRDS() wrote before it was compressed.

    Raises
    ------
    ValueError
        It cannot be unpacked, or R's save() wrote it.
    """
    if content.startswith(_ZSTD):
        raise ValueError("it is compressed by zstd, which is not read here; in R: saveRDS(object, file)")
    found = next((unpacker for magic, unpacker in _UNPACKERS.items() if content.startswith(magic)), None)
    try:
        plain = content if found is None else found(content)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        raise ValueError("it cannot be read as .rds: its compression is damaged, or cut short") from None
    if _SAVED.match(plain):
        raise ValueError("R's save() wrote it, with the names of objects; in R: saveRDS(object, file)")
    return plain
