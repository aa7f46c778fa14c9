"""The object in the unpacked bytes of a file, by R's documented format; nothing of it is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyrrf.rds.altrep import expanded
from pyrrf.rds.content import OBJECT, POINTER, Budget, DamagedError
from pyrrf.rds.forms import Form, open_form
from pyrrf.rds.objects import (
    CALL,
    HAS_ATTRIBUTES,
    HAS_TAG,
    INT_NA,
    NO_ATTRIBUTES,
    NULL,
    NUMBERS,
    PAIRLIST,
    SYMBOL,
    TEXT,
    RObject,
)

_TYPE = 0xFF
# Bytes that a masked array takes besides its values.
_MASKED = 2048
_TYPES = {number: name for name, number in NUMBERS.items()}
# R's types without parts, and two that are like others of them: the namespace of base, and a variable without a value.
_BARE = {NUMBERS[name]: RObject(name) for name in ("BASEENV", "EMPTYENV", "MISSINGARG", "GLOBALENV", NULL)}
_BARE |= {0: _BARE[NUMBERS[NULL]], 250: _BARE[NUMBERS["BASEENV"]], 252: _BARE[NUMBERS["MISSINGARG"]]}
_KINDS = {
    name: np.dtype(kind) for name, kind in {"LGL": "i4", "INT": "i4", "REAL": "f8", "CPLX": "c16", "RAW": "u1"}.items()
}
_REFERENCE, _CELLS = 255, {NUMBERS[PAIRLIST], NUMBERS[CALL], NUMBERS["DOT"]}
# What comes again in byte code; a list or call in it that has attributes; byte code.
_AGAIN, _FIRST, _MARKED, _CODE = 243, 244, {239: PAIRLIST, 240: CALL}, NUMBERS["BCODE"]
_IN_CODE = {NUMBERS[PAIRLIST]: PAIRLIST, NUMBERS[CALL]: CALL}


def read_object(content: bytes, budget: Budget) -> RObject:
    """Return the object in unpacked bytes.

    Raises
    ------
    LimitError
        It takes more than the budget.
    Exception
        Of any kind, where the bytes are not what R writes.
    """
    form = open_form(content, budget)
    found = _Reader(form, budget).read()
    if content[form.at :].strip():
        raise ValueError("it goes on behind its end")
    return found


class _Reader:
    """Reads objects one after the other; `known` are those that later ones may refer to, by their number from 1."""

    def __init__(self, form: Form, budget: Budget) -> None:
        self.form, self.budget = form, budget
        self.known: list[RObject] = []

    def read(self, flags: int | None = None) -> RObject:
        """Return the next object, whose number and marks may have been read before."""
        flags = self.form.integer() if flags is None else flags
        type_ = flags & _TYPE
        if type_ in _BARE:
            self.budget.spend(POINTER)
            return _BARE[type_]
        self.budget.spend(OBJECT)
        if type_ not in _READ:
            raise DamagedError(f"it cannot be read as .rds: it has an object of type {type_}, which R's format has not")
        found: RObject = _READ[type_](self, flags)
        if flags & HAS_ATTRIBUTES and type_ in _ATTRIBUTES_LAST:
            found.attributes = self.attributes()
        return found

    def attributes(self) -> Mapping[str, RObject]:
        about = self.read()
        found = dict(about.value) if about.type == PAIRLIST else NO_ATTRIBUTES
        if "" in found:
            raise ValueError("an attribute without a name")
        return found

    def length(self) -> int:
        """Return a number of objects, whose memory is taken when they are read."""
        n = self.form.integer()
        self.form.claim(n * self.form.least, 0)
        return n

    # ---- vectors ---------------------------------------------------------------------------------

    def numbers(self, flags: int) -> RObject:
        type_ = _TYPES[flags & _TYPE]
        values = self.form.numbers(_KINDS[type_], self.form.integer())
        if type_ not in ("LGL", "INT"):
            return RObject(type_, values)
        self.budget.spend(2 * len(values))
        found = values.astype(bool) if type_ == "LGL" else values
        if values.min(initial=0) == INT_NA:
            self.budget.spend(_MASKED)
            found = np.ma.masked_array(found, values == INT_NA)
        return RObject(type_, found)

    def text(self, flags: int) -> RObject:
        return RObject("CHAR", self.form.text(flags))

    def texts(self, flags: int) -> RObject:
        return RObject(TEXT, self.some_texts())

    def some_texts(self) -> list[str | None]:
        return self.form.texts(self.form.integer())

    def parts(self, flags: int) -> RObject:
        """Read a list. Numbers that stand in it many times in a row are one object, which cannot be written to."""
        n = self.length()
        found: list[RObject] = []
        while len(found) < n:
            begin = self.form.at
            found.append(self.read())
            if found[-1].type == "REAL" and not found[-1].attributes:
                more = self.form.repeats(begin, n - len(found))
                self.budget.spend(more * OBJECT)
                found[-1].value.flags.writeable = not more
                found += found[-1:] * more
        return RObject(_TYPES[flags & _TYPE], found)

    def by_rule(self, flags: int) -> RObject:
        """Read a vector that R stores by a rule."""
        rule, state = self.read(), self.read()
        found = expanded(rule.value[0][1].value, state, self.budget)
        found.attributes = self.attributes()
        return found

    # ---- what others refer to --------------------------------------------------------------------

    def reference(self, flags: int) -> RObject:
        at = flags >> 8 & 0xFFFFFF or self.form.integer()
        if at < 1:
            raise ValueError(f"a reference to object {at}")
        return self.known[at - 1]

    def keep(self, found: RObject) -> RObject:
        self.known.append(found)
        return found

    def symbol(self, flags: int) -> RObject:
        (name,) = self.form.texts(1)
        return self.keep(RObject(SYMBOL, name))

    def named(self, flags: int) -> RObject:
        """Read a package or namespace, or what a refhook of saveRDS() stores elsewhere; these have names."""
        if self.form.integer():
            raise ValueError("a package whose names have names")
        return self.keep(RObject("ANY" if flags & _TYPE == 247 else "NAMESPACE", self.some_texts()))

    def environment(self, flags: int) -> RObject:
        found = self.keep(RObject("ENV"))
        self.form.integer()  # whether it is locked
        around, *variables = self.read(), self.read(), self.read()
        found.value = (*variables, around)
        found.attributes = self.attributes()
        return found

    def pointer(self, flags: int) -> RObject:
        found = self.keep(RObject("EXTPTR"))
        found.value = (self.read(), self.read())
        return found

    def weak(self, flags: int) -> RObject:
        return self.keep(RObject("WEAKREF"))

    # ---- calls and functions ---------------------------------------------------------------------

    def cells(self, flags: int) -> RObject:
        """Read a pairlist or a call, cell by cell."""
        found = RObject(_TYPES[flags & _TYPE], [])
        if flags & HAS_ATTRIBUTES:
            found.attributes = self.attributes()
        while True:
            name = self.tag() if flags & HAS_TAG else ""
            found.value.append((name, self.read()))
            flags = self.form.integer()
            if flags & _TYPE not in _CELLS:
                self.read(flags)  # the end, which is NULL
                return found
            self.budget.spend(OBJECT)
            if flags & HAS_ATTRIBUTES:
                self.attributes()

    def tag(self) -> str:
        found = self.read()
        return found.value or "" if found.type == SYMBOL else ""

    def function(self, flags: int) -> RObject:
        about = self.attributes() if flags & HAS_ATTRIBUTES else NO_ATTRIBUTES
        around = self.read() if flags & HAS_TAG else None
        return RObject(_TYPES[flags & _TYPE], (self.read(), self.read()), about, around)

    def built_in(self, flags: int) -> RObject:
        return RObject(_TYPES[flags & _TYPE], self.form.string(self.form.integer()))

    def bare(self, flags: int) -> RObject:
        return RObject(_TYPES[flags & _TYPE])

    # ---- byte code -------------------------------------------------------------------------------

    def code(self, flags: int) -> RObject:
        n = self.form.integer()
        if n < 0:
            raise ValueError(f"byte code with {n} parts that come again")
        self.budget.spend(n * OBJECT)
        return self.inner_code([None] * n)

    def inner_code(self, again: list[RObject | None]) -> RObject:
        instructions, n = self.read(), self.length()
        return RObject("BCODE", (instructions, [self.constant(again) for _ in range(n)]))

    def constant(self, again: list[RObject | None]) -> RObject:
        type_ = self.form.integer()
        return self.inner_code(again) if type_ == _CODE else self.coded(type_, again)

    def coded(self, type_: int, again: list[RObject | None]) -> RObject:
        """Read a part of byte code: a list or call of its own form, which may come again, or an ordinary object."""
        if type_ == _AGAIN:
            known = again[self.form.integer()]
            if known is None:
                raise ValueError("byte code refers to what was not there")
            return known
        place = self.form.integer() if type_ == _FIRST else None
        type_ = type_ if place is None else self.form.integer()
        if type_ not in _IN_CODE and type_ not in _MARKED:
            return self.read()
        found = RObject(_IN_CODE.get(type_) or _MARKED[type_], [])
        if place is not None:
            again[place] = found
        if type_ in _MARKED:
            found.attributes = self.attributes()
        self.coded_cells(found, again)
        return found

    def coded_cells(self, found: RObject, again: list[RObject | None]) -> None:
        type_ = NUMBERS[PAIRLIST]
        while type_ in _IN_CODE:
            self.budget.spend(OBJECT)
            found.value.append((self.tag(), self.coded(self.form.integer(), again)))
            type_ = self.form.integer()
        rest = self.coded(type_, again)
        if rest.type in (PAIRLIST, CALL):
            self.budget.spend(len(rest.value) * OBJECT)
            found.value += rest.value


_METHODS: dict[Callable[[_Reader, int], RObject], tuple[str, ...]] = {
    _Reader.symbol: (SYMBOL,),
    _Reader.cells: (PAIRLIST, CALL, "DOT"),
    _Reader.function: ("CLO", "PROM"),
    _Reader.environment: ("ENV",),
    _Reader.built_in: ("SPECIAL", "BUILTIN"),
    _Reader.numbers: tuple(_KINDS),
    _Reader.text: ("CHAR",),
    _Reader.texts: (TEXT,),
    _Reader.parts: ("VEC", "EXPR"),
    _Reader.code: ("BCODE",),
    _Reader.pointer: ("EXTPTR",),
    _Reader.weak: ("WEAKREF",),
    _Reader.bare: ("S4",),
    _Reader.by_rule: ("ALTREP",),
    _Reader.named: ("NAMESPACE",),
}
_READ: dict[int, Any] = {NUMBERS[name]: method for method, names in _METHODS.items() for name in names}
_READ |= {247: _Reader.named, 248: _Reader.named, _REFERENCE: _Reader.reference}
_ATTRIBUTES_LAST = {
    NUMBERS[name] for name in (*_KINDS, "CHAR", TEXT, "VEC", "EXPR", "BCODE", "EXTPTR", "WEAKREF", "S4")
}
