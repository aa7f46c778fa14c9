"""Encoder of R's objects: the bytes that saveRDS() writes before compression (XDR in R's manual)."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import groupby

import numpy as np

from pyrrf.rds.objects import (
    CALL,
    HAS_ATTRIBUTES,
    HAS_CLASS,
    HAS_TAG,
    INT_NA,
    LIST,
    NO_ATTRIBUTES,
    NULL,
    NUMBERS,
    PAIRLIST,
    SYMBOL,
    TEXT,
    RObject,
)

_ONE, _TWO = struct.Struct(">i"), struct.Struct(">ii")
# Format 3, written by R 4.2.2, for R 3.5 and later, and the encoding of texts without a mark.
_BEGIN = b"X\n" + struct.pack(">iiii", 3, 0x40202, 0x30500, 5) + b"UTF-8"
# Type numbers of a text: without a mark, marked as ASCII, marked as UTF-8.
_TEXT = NUMBERS["CHAR"]
_ASCII, _UTF8 = _TEXT | 64 << 12, _TEXT | 8 << 12
_STORED = {"LGL": ">i4", "INT": ">i4", "REAL": ">f8", "CPLX": ">c16", "RAW": "u1"}


def encode(obj: RObject) -> bytes:
    """Return the content of a file for an object."""
    out, texts = [_BEGIN], _Texts()
    _put(obj, out, texts)
    return b"".join(out)


class _Texts(dict[str | None, bytes]):
    """Cache of encoded texts by text; None is NA. A fit repeats the names of its features, which are encoded once."""

    def __init__(self) -> None:
        super().__init__()
        self.vectors: dict[int, bytes] = {}

    def __missing__(self, text: str | None) -> bytes:
        if text is None:
            encoded = _TWO.pack(_TEXT, -1)
        else:
            content = text.encode()
            encoded = _TWO.pack(_ASCII if text.isascii() else _UTF8, len(content)) + content
        self[text] = encoded
        return encoded

    def vector(self, texts: list[str | None]) -> bytes:
        """Return a list of texts, encoded; the same list is joined once."""
        if id(texts) not in self.vectors:
            self.vectors[id(texts)] = b"".join(map(self.__getitem__, texts))
        return self.vectors[id(texts)]


def _put(obj: RObject, out: list[bytes], texts: _Texts) -> None:
    """Append an object and its attributes."""
    type_, value = obj.type, obj.value
    head = NUMBERS[type_]
    if obj.attributes:
        head |= HAS_ATTRIBUTES | ("class" in obj.attributes and HAS_CLASS)
    if type_ in (PAIRLIST, CALL):
        _put_cells(obj, head, out, texts)
        return
    if type_ == SYMBOL:
        out += _ONE.pack(head), texts[value]
    elif type_ == TEXT:
        out += _TWO.pack(head, len(value)), texts.vector(value)
    elif type_ == LIST:
        out.append(_TWO.pack(head, len(value)))
        _put_all(value, out, texts)
    elif type_ in _STORED:
        numbers = value.astype(_STORED[type_])  # only of integers and logicals are values masked
        out += _TWO.pack(head, len(numbers)), np.ma.filled(numbers, INT_NA).tobytes()
    else:
        out.append(_ONE.pack(head))
    if obj.attributes:
        _put_cells(RObject(PAIRLIST, list(obj.attributes.items())), NUMBERS[PAIRLIST], out, texts)


def _put_cells(obj: RObject, head: int, out: list[bytes], texts: _Texts) -> None:
    """Append a pairlist or a call cell by cell, the first with the head and the attributes of the whole."""
    about = obj.attributes
    for name, element in obj.value:
        out.append(_ONE.pack(head | (HAS_TAG if name else 0)))
        if about:
            _put_cells(RObject(PAIRLIST, list(about.items())), NUMBERS[PAIRLIST], out, texts)
        if name:
            out += _ONE.pack(NUMBERS[SYMBOL]), texts[name]
        _put(element, out, texts)
        head, about = NUMBERS[PAIRLIST], NO_ATTRIBUTES
    out.append(_ONE.pack(NUMBERS[NULL]))


def _put_all(objects: Iterable[RObject], out: list[bytes], texts: _Texts) -> None:
    """Append objects; a run of the same object is encoded once."""
    for _, group in groupby(objects, key=id):
        same = list(group)
        begin = len(out)
        _put(same[0], out, texts)
        out += out[begin:] * (len(same) - 1)
