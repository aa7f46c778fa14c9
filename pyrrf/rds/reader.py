"""Parser of R's serialization format; nothing of an object is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyrrf.rds.altrep import expand_rule
from pyrrf.rds.content import OBJECT, POINTER, Budget, DamagedError
from pyrrf.rds.decoders import Decoder, open_decoder
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
# Types without parts; 250 (the namespace of base) and 252 (a variable without a value) are read as others of them.
_BARE = {NUMBERS[name]: RObject(name) for name in ("BASEENV", "EMPTYENV", "MISSINGARG", "GLOBALENV", NULL)}
_BARE |= {0: _BARE[NUMBERS[NULL]], 250: _BARE[NUMBERS["BASEENV"]], 252: _BARE[NUMBERS["MISSINGARG"]]}
_KINDS = {
    name: np.dtype(kind) for name, kind in {"LGL": "i4", "INT": "i4", "REAL": "f8", "CPLX": "c16", "RAW": "u1"}.items()
}
_REFERENCE, _CELLS = 255, {NUMBERS[PAIRLIST], NUMBERS[CALL], NUMBERS["DOT"]}
# Numbers in byte code: a repeated object, its first occurrence, a list or call with attributes, byte code.
_AGAIN, _FIRST, _MARKED, _CODE = 243, 244, {239: PAIRLIST, 240: CALL}, NUMBERS["BCODE"]
_IN_CODE = {NUMBERS[PAIRLIST]: PAIRLIST, NUMBERS[CALL]: CALL}


def read_object(content: bytes, budget: Budget) -> RObject:
    """Return the object in decompressed bytes.

    Raises
    ------
    LimitError
        It takes more than the budget.
    Exception
        Of any class, if the bytes are not in R's format.
    """
    decoder = open_decoder(content, budget)
    obj = _Reader(decoder, budget).read()
    if content[decoder.position :].strip():
        raise ValueError("it goes on behind its end")
    return obj


class _Reader:
    """Parser of a sequence of objects; later ones refer to those in `known` by their number from 1."""

    def __init__(self, decoder: Decoder, budget: Budget) -> None:
        self.decoder, self.budget = decoder, budget
        self.known: list[RObject] = []

    def read(self, flags: int | None = None) -> RObject:
        """Return the next object; `flags` are its number and marks if they were read before."""
        flags = self.decoder.integer() if flags is None else flags
        type_ = flags & _TYPE
        if type_ in _BARE:
            self.budget.spend(POINTER)
            return _BARE[type_]
        self.budget.spend(OBJECT)
        if type_ not in _READ:
            raise DamagedError(f"it cannot be read as .rds: it has an object of type {type_}, which R's format has not")
        obj: RObject = _READ[type_](self, flags)
        if flags & HAS_ATTRIBUTES and type_ in _ATTRIBUTES_LAST:
            obj.attributes = self.attributes()
        return obj

    def attributes(self) -> Mapping[str, RObject]:
        about = self.read()
        attributes = dict(about.value) if about.type == PAIRLIST else NO_ATTRIBUTES
        if "" in attributes:
            raise ValueError("an attribute without a name")
        return attributes

    def length(self) -> int:
        """Return a number of objects, whose memory is charged when they are read."""
        n = self.decoder.integer()
        self.decoder.claim(n * self.decoder.least, 0)
        return n

    # ---- vectors ---------------------------------------------------------------------------------

    def numbers(self, flags: int) -> RObject:
        type_ = _TYPES[flags & _TYPE]
        values = self.decoder.numbers(_KINDS[type_], self.decoder.integer())
        if type_ not in ("LGL", "INT"):
            return RObject(type_, values)
        self.budget.spend(2 * len(values))
        vector = values.astype(bool) if type_ == "LGL" else values
        if values.min(initial=0) == INT_NA:
            self.budget.spend(_MASKED)
            vector = np.ma.masked_array(vector, values == INT_NA)
        return RObject(type_, vector)

    def text(self, flags: int) -> RObject:
        return RObject("CHAR", self.decoder.text(flags))

    def texts(self, flags: int) -> RObject:
        return RObject(TEXT, self.read_texts())

    def read_texts(self) -> list[str | None]:
        return self.decoder.texts(self.decoder.integer())

    def parts(self, flags: int) -> RObject:
        """Read a list. A run of equal numbers becomes one shared object, which is read-only."""
        n = self.length()
        elements: list[RObject] = []
        while len(elements) < n:
            begin = self.decoder.position
            elements.append(self.read())
            if elements[-1].type == "REAL" and not elements[-1].attributes:
                more = self.decoder.repeats(begin, n - len(elements))
                self.budget.spend(more * OBJECT)
                elements[-1].value.flags.writeable = not more
                elements += elements[-1:] * more
        return RObject(_TYPES[flags & _TYPE], elements)

    def by_rule(self, flags: int) -> RObject:
        """Read a vector that R stores by a rule."""
        rule, state = self.read(), self.read()
        vector = expand_rule(rule.value[0][1].value, state, self.budget)
        vector.attributes = self.attributes()
        return vector

    # ---- objects that others refer to ------------------------------------------------------------

    def reference(self, flags: int) -> RObject:
        number = flags >> 8 & 0xFFFFFF or self.decoder.integer()
        if number < 1:
            raise ValueError(f"a reference to object {number}")
        return self.known[number - 1]

    def register(self, obj: RObject) -> RObject:
        self.known.append(obj)
        return obj

    def symbol(self, flags: int) -> RObject:
        (name,) = self.decoder.texts(1)
        return self.register(RObject(SYMBOL, name))

    def namespace(self, flags: int) -> RObject:
        """Read the name of a package or namespace, or of an object that a refhook of saveRDS() stored elsewhere."""
        if self.decoder.integer():
            raise ValueError("a package whose names have names")
        return self.register(RObject("ANY" if flags & _TYPE == 247 else "NAMESPACE", self.read_texts()))

    def environment(self, flags: int) -> RObject:
        environment = self.register(RObject("ENV"))
        self.decoder.integer()  # whether it is locked
        around, *variables = self.read(), self.read(), self.read()
        environment.value = (*variables, around)
        environment.attributes = self.attributes()
        return environment

    def pointer(self, flags: int) -> RObject:
        pointer = self.register(RObject("EXTPTR"))
        pointer.value = (self.read(), self.read())
        return pointer

    def weak(self, flags: int) -> RObject:
        return self.register(RObject("WEAKREF"))

    # ---- calls and functions ---------------------------------------------------------------------

    def cells(self, flags: int) -> RObject:
        """Read a pairlist or a call, cell by cell."""
        cells = RObject(_TYPES[flags & _TYPE], [])
        if flags & HAS_ATTRIBUTES:
            cells.attributes = self.attributes()
        while True:
            name = self.tag() if flags & HAS_TAG else ""
            cells.value.append((name, self.read()))
            flags = self.decoder.integer()
            if flags & _TYPE not in _CELLS:
                self.read(flags)  # the end, which is NULL
                return cells
            self.budget.spend(OBJECT)
            if flags & HAS_ATTRIBUTES:
                self.attributes()

    def tag(self) -> str:
        name = self.read()
        return name.value or "" if name.type == SYMBOL else ""

    def function(self, flags: int) -> RObject:
        about = self.attributes() if flags & HAS_ATTRIBUTES else NO_ATTRIBUTES
        around = self.read() if flags & HAS_TAG else None
        return RObject(_TYPES[flags & _TYPE], (self.read(), self.read()), about, around)

    def built_in(self, flags: int) -> RObject:
        return RObject(_TYPES[flags & _TYPE], self.decoder.string(self.decoder.integer()))

    def bare(self, flags: int) -> RObject:
        return RObject(_TYPES[flags & _TYPE])

    # ---- byte code -------------------------------------------------------------------------------

    def code(self, flags: int) -> RObject:
        n = self.decoder.integer()
        if n < 0:
            raise ValueError(f"byte code with {n} parts that come again")
        self.budget.spend(n * OBJECT)
        return self.inner_code([None] * n)

    def inner_code(self, shared: list[RObject | None]) -> RObject:
        instructions, n = self.read(), self.length()
        return RObject("BCODE", (instructions, [self.constant(shared) for _ in range(n)]))

    def constant(self, shared: list[RObject | None]) -> RObject:
        type_ = self.decoder.integer()
        return self.inner_code(shared) if type_ == _CODE else self.code_part(type_, shared)

    def code_part(self, type_: int, shared: list[RObject | None]) -> RObject:
        """Read a part of byte code: a list or call in its own format, which may be shared, or an ordinary object."""
        if type_ == _AGAIN:
            known = shared[self.decoder.integer()]
            if known is None:
                raise ValueError("byte code refers to what was not there")
            return known
        place = self.decoder.integer() if type_ == _FIRST else None
        type_ = type_ if place is None else self.decoder.integer()
        if type_ not in _IN_CODE and type_ not in _MARKED:
            return self.read()
        cells = RObject(_IN_CODE.get(type_) or _MARKED[type_], [])
        if place is not None:
            shared[place] = cells
        if type_ in _MARKED:
            cells.attributes = self.attributes()
        self.code_cells(cells, shared)
        return cells

    def code_cells(self, cells: RObject, shared: list[RObject | None]) -> None:
        type_ = NUMBERS[PAIRLIST]
        while type_ in _IN_CODE:
            self.budget.spend(OBJECT)
            cells.value.append((self.tag(), self.code_part(self.decoder.integer(), shared)))
            type_ = self.decoder.integer()
        rest = self.code_part(type_, shared)
        if rest.type in (PAIRLIST, CALL):
            self.budget.spend(len(rest.value) * OBJECT)
            cells.value += rest.value


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
    _Reader.namespace: ("NAMESPACE",),
}
_READ: dict[int, Any] = {NUMBERS[name]: method for method, names in _METHODS.items() for name in names}
_READ |= {247: _Reader.namespace, 248: _Reader.namespace, _REFERENCE: _Reader.reference}
_ATTRIBUTES_LAST = {
    NUMBERS[name] for name in (*_KINDS, "CHAR", TEXT, "VEC", "EXPR", "BCODE", "EXTPTR", "WEAKREF", "S4")
}
