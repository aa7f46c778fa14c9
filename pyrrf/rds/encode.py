"""R's objects as the bytes that saveRDS() writes before it compresses them; R's manual calls the form XDR."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import groupby
from typing import Any

import numpy as np

from pyrrf.rds.reader import INT_NA

_ONE, _TWO = struct.Struct(">i"), struct.Struct(">ii")
# Format 3, written by R 4.2.2, for R 3.5 and later, and the encoding of what has no mark.
_BEGIN = b"X\n" + struct.pack(">iiii", 3, 0x40202, 0x30500, 5) + b"UTF-8"
_ASCII, _UTF8 = 64, 8
_CHARACTER = 9  # R's number of the type of one text
_STORED = {"LGL": ">i4", "INT": ">i4", "REAL": ">f8", "CPLX": ">c16", "RAW": "u1"}
_BARE = {"NILVALUE", "GLOBALENV", "MISSINGARG"}


def encode(obj: Any) -> bytes:
    """Return the content of a file that holds an object."""
    out, texts = [_BEGIN], _Texts()
    _put(obj, out, texts)
    return b"".join(out)


class _Texts(dict[str | None, bytes]):
    """One text each; None is NA. The names of features stand in a fit several times, and are encoded once."""

    def __missing__(self, text: str | None) -> bytes:
        content = b"" if text is None else text.encode()
        encoding = 0 if text is None else _ASCII if len(content) == len(text) else _UTF8
        size = -1 if text is None else len(content)
        self[text] = found = _TWO.pack(_CHARACTER | encoding << 12, size) + content
        return found


def _put(obj: Any, out: list[bytes], texts: _Texts) -> None:
    """Append an object, and what belongs to it."""
    type_, number = obj.info.type.name, obj.info.type.value
    if type_ in _BARE:
        out.append(_ONE.pack(number))
        return
    has_attributes, has_tag = obj.attributes is not None, obj.tag is not None
    head = number | obj.info.object << 8 | has_attributes << 9 | has_tag << 10
    if type_ in ("LIST", "LANG"):
        out.append(_ONE.pack(head))
        for part in (obj.attributes, obj.tag, *obj.value):
            if part is not None:
                _put(part, out, texts)
        return
    if type_ == "SYM":
        out += _ONE.pack(head), texts[obj.value]
    elif type_ == "STR":
        out.append(_TWO.pack(head, len(obj.value)))
        out += map(texts.__getitem__, obj.value)
    elif type_ == "VEC":
        out.append(_TWO.pack(head, len(obj.value)))
        _put_all(obj.value, out, texts)
    else:
        numbers = obj.value.astype(_STORED[type_])  # only of integers and logicals are values masked
        out += _TWO.pack(head, len(numbers)), np.ma.filled(numbers, INT_NA).tobytes()
    if has_attributes:
        _put(obj.attributes, out, texts)


def _put_all(objects: Iterable[Any], out: list[bytes], texts: _Texts) -> None:
    """Append objects; one that stands there many times in a row is encoded once."""
    for _, group in groupby(objects, key=id):
        same = list(group)
        begin = len(out)
        _put(same[0], out, texts)
        out += out[begin:] * (len(same) - 1)
