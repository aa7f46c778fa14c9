"""The bytes of an .rds file: unpacked, and with numbers as rdata reads them."""

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
_TEXT = (b"A\n", b"A\r\n")
_HEXADECIMAL = re.compile(rb"-?0x[0-9a-f]+(?:\.[0-9a-f]*)?p[-+]\d+")
# R's code of a piece of text, in the lowest eight bits of the line that begins it.
_CHAR = 9


def unpack(content: bytes) -> tuple[bytes, bool]:
    """Return what saveRDS() wrote before it was compressed, and whether it was.

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
    return (_decimal(plain) if plain.startswith(_TEXT) else plain), found is not None


def _decimal(text: bytes) -> bytes:
    """Return a file of text with the numbers that ``ascii = NA`` writes by 16 as those that rdata reads."""
    if b"0x" not in text:
        return text
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if _HEXADECIMAL.fullmatch(line.strip()) and not _is_text(lines, at):
            lines[at] = repr(float.fromhex(line.decode())).encode()
    return b"\n".join(lines)


def _is_text(lines: list[bytes], at: int) -> bool:
    """Whether a line is text that looks like a number: before it stand the code of text, and its length."""
    code, length = (line.strip() for line in lines[at - 2 : at])
    return code.isdigit() and int(code) & 0xFF == _CHAR and length == str(len(lines[at].strip())).encode()
