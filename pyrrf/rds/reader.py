"""rdata's parsers, mended: functions in byte code, raw bytes, numbers by 16, files that are cut short."""

from __future__ import annotations

import codecs
import importlib
import re
import struct
from functools import cache
from typing import Any

import numpy as np

from pyrrf.rds.altrep import OBJECT, constructors
from pyrrf.rds.content import Budget

INT_NA = np.int32(-(2**31))
REAL_NA = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
# R's NaN in a column of pandas, where any other NaN is a missing value; its bits are kept when values are copied.
REAL_NAN = np.array([0x7FF80000004E614E], dtype=np.uint64).view(np.float64)[0]
# What the three forms of R's code begin with, and rdata's parsers of them.
_FORMS = {b"X\n": "_xdr.ParserXDR", b"B\n": "_binary.ParserBinary", b"A\n": "_ascii.ParserASCII"}
_FORMS[b"A\r\n"] = _FORMS[b"A\n"]
_HAS_ATTRIBUTES = 1 << 9
# The number of an object without its encoding; R's types.
_TYPE_AND_MARKS, _TEXT, _DOUBLES, _TEXTS = 0xFFF, 9, 14, 16
# So many are read before the budget is asked.
_AT_ONCE = 1024
# Bit of a text that R marked as Latin-1.
_LATIN1 = 4
# How rdata says that it does not know a type, by its number or by its name.
_UNKNOWN = re.compile(r"(\d+) is not a valid RObjectType|Type RObjectType\.(\w+) not implemented")
# R's namespace of base and its unbound value have no parts. Packages, and what a refhook of saveRDS() stores elsewhere,
# have names, and may be referred to.
_BARE, _BY_NAME = {"250", "252"}, {"248": "NAMESPACE", "247": "ANY"}
# In byte code, a list with attributes has the parts of a call with attributes, which rdata knows.
_PLAIN = {239: 240}


def read_object(rdata: Any, content: bytes | bytearray, budget: Budget) -> Any:
    """Return the object in unpacked bytes, as rdata's RObject.

    Raises
    ------
    LimitError
        It takes more than the budget.
    Exception
        Of any kind, where the bytes are not what R writes.
    """
    form = next((form for form in _FORMS if content.startswith(form)), None)
    if form is None:
        raise NotImplementedError("it begins as none of R's formats")
    make, rules = _parser_class(_FORMS[form]), constructors(rdata.parser, budget)
    parser = make(memoryview(content)[len(form) :], expand_altrep=True, altrep_constructor_dict=rules)
    parser.budget = budget
    found = parser.parse_all().object
    parser.check_complete()
    return found


@cache
def _parser_class(name: str) -> Any:
    """Return rdata's parser of one form of files, mended."""
    module, parent = name.split(".")
    common = importlib.import_module("rdata.parser._parser")
    base = getattr(importlib.import_module(f"rdata.parser.{module}"), parent)
    return type(parent, (_Text if module == "_ascii" else _Binary, base), {"common": common})


_Parser: Any = object


class _Mended(_Parser):  # type: ignore[misc]
    """What stands before rdata's class of a parser."""

    common: Any
    budget: Budget
    # The last number read: of an object, its type and marks.
    flags = 0

    def parse_int(self) -> int:
        self.flags = int(self._parse_array_values(np.int32, 1)[0])
        return self.flags

    def parse_R_object(self, references: Any = None, repeated: Any = None, info_int: Any = None) -> Any:
        self.budget.spend(OBJECT)
        references = [] if references is None else references
        # An ordinary object inside byte code knows nothing of the parts that this byte code repeats.
        special = info_int is not None and self.common.RObjectType(info_int) in self.common.BYTECODE_SPECIAL_SET
        try:
            found = super().parse_R_object(references, repeated if special else None, _PLAIN.get(info_int, info_int))
        except (NotImplementedError, ValueError) as error:
            found = self.unknown(_UNKNOWN.match(str(error)), self.flags, references)
            if found is None:
                raise
        return found.referenced_object or found

    def _parse_bytecode(self, references: Any, repeated: Any = None) -> Any:
        if repeated is None:
            parts = self.parse_int()
            self.budget.spend(parts * OBJECT)
            repeated = [None] * parts
        return super()._parse_bytecode(references, repeated)

    def unknown(self, type_: re.Match[str] | None, flags: int, references: Any) -> Any:
        """Read an object whose type rdata does not know; None if its parts are not known here, either."""
        what = "" if type_ is None else type_[1] or type_[2]
        if what in _BARE:
            return self._object("BASEENV", None)
        if what in _BY_NAME:
            self.parse_int()
            references.append(self._object(_BY_NAME[what], self._parse_vector_value(references)))
            return references[-1]
        if what not in ("RAW", "WEAKREF"):
            return None
        found = self._object(what, None)
        if what == "WEAKREF":
            references.append(found)
        else:
            found.value = self.raw_bytes(self.parse_int())
        found.attributes = self.parse_R_object(references) if flags & _HAS_ATTRIBUTES else None
        return found

    def _object(self, type_: str, value: Any) -> Any:
        common = self.common
        return common.RObject(common.RObjectInfo(common.RObjectType[type_], False, False, False, 0, 0), value, None)


class _Binary(_Mended):
    """Numbers as bytes."""

    def __init__(self, data: memoryview, **more: Any) -> None:
        super().__init__(data, **more)
        self.order = getattr(self, "byteorder", ">")
        self.one, self.two = struct.Struct(self.order + "i"), struct.Struct(self.order + "ii")
        self.kind = np.dtype(f"{self.order}f8")

    def parse_int(self) -> int:
        (self.flags,) = self.one.unpack(self.parse_string(4))
        return self.flags

    def _parse_array_values(self, dtype: Any, length: int) -> Any:
        kind = np.dtype(dtype)
        content = self.parse_string(length * kind.itemsize)
        return np.frombuffer(content, kind.newbyteorder(self.order)).astype(kind)

    def _parse_vector_value(self, references: Any, repeated: Any = None) -> list[Any]:
        read = self._texts if self.flags & 0xFF == _TEXTS else self._doubles
        length = self.parse_int()
        found: list[Any] = []
        while len(found) < length:
            simple = read(min(length - len(found), _AT_ONCE))
            self.budget.spend(OBJECT * len(simple))
            found += simple or [self.parse_R_object(references, repeated)]
        return found

    def _texts(self, most: int) -> list[Any]:
        """Read the next texts: a fit has thousands of them. What has more to it than a text is left to rdata."""
        content, at, unpack = self.file.getvalue(), self.file.tell(), self.two.unpack_from
        found: list[str | None] = []
        while len(found) < most and at + 8 <= len(content):
            flags, size = unpack(content, at)
            end = at + 8 + max(size, 0)
            if flags & _TYPE_AND_MARKS != _TEXT or size < -1 or end > len(content):
                break
            part = content[at + 8 : end]
            text = part.decode() if part.isascii() else decoded(part, flags >> 12)
            found.append(text if size >= 0 else None)
            at = end
        self.file.seek(at)
        return found

    def _doubles(self, most: int) -> list[Any]:
        """Read the next vectors of doubles without attributes, of which a fit has one for each feature."""
        content, at = self.file.getvalue(), self.file.tell()
        make, info = self.common.RObject, self._object("REAL", None).info  # one for all: nothing changes it
        found: list[Any] = []
        while len(found) < most and at + 8 <= len(content):
            flags, size = self.two.unpack_from(content, at)
            end = at + 8 + 8 * size
            if flags != _DOUBLES or size < 0 or end > len(content):
                break
            found.append(make(info, np.frombuffer(content[at + 8 : end], self.kind).astype(np.float64), None))
            at = end
        self.file.seek(at)
        return found

    def parse_string(self, length: int) -> bytes:
        found: bytes = self.file.read(length) if length >= 0 else b""
        if len(found) != length:
            raise ValueError("it ends too early")
        return found

    def raw_bytes(self, length: int) -> Any:
        return self._parse_array_values(np.uint8, length)


class _Text(_Mended):
    """Numbers as lines."""

    def _parse_array_values(self, dtype: Any, length: int) -> Any:
        kind = np.dtype(dtype)
        if kind.kind == "c":
            return self._parse_array_values(np.float64, 2 * length).view(kind)
        read = _integer if kind.kind == "i" else _double
        return np.array([read(self._readline()) for _ in range(length)], dtype=kind)

    def raw_bytes(self, length: int) -> Any:
        return np.array([int(self._readline(), 16) for _ in range(length)], dtype=np.uint8)


def _integer(line: str) -> int:
    return int(INT_NA) if line.strip() == "NA" else int(line)


def _double(line: str) -> float:
    if "x" in line:
        return float.fromhex(line)
    return float(REAL_NA) if line.strip() == "NA" else float(line)


def decoded(content: bytes, gp: int) -> str:
    """Return a text by R's marks of its encoding."""
    if gp & _LATIN1:
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
