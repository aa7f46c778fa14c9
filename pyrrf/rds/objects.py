"""R's objects: types, type numbers and the class of an object."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

INT_NA = np.int32(-(2**31))
REAL_NA = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]
# The bits that mark R's NaN in a column of pandas, where any other NaN is a missing value; copies preserve them.
REAL_NAN = np.array([0x7FF80000004E614E], dtype=np.uint64).view(np.float64)[0]

NULL, SYMBOL, PAIRLIST, CALL, TEXT, LIST = "NILVALUE", "SYM", "LIST", "LANG", "STR", "VEC"
ATOMIC = ("LGL", "INT", "REAL", "CPLX", "RAW")
# A vector that R stores by an unsupported rule; its value is the name of the rule.
UNKNOWN_RULE = "ALTREP"
# Type numbers of R's serialization format.
NUMBERS = {
    "SYM": 1, "LIST": 2, "CLO": 3, "ENV": 4, "PROM": 5, "LANG": 6, "SPECIAL": 7, "BUILTIN": 8, "CHAR": 9, "LGL": 10,
    "INT": 13, "REAL": 14, "CPLX": 15, "STR": 16, "DOT": 17, "VEC": 19, "EXPR": 20, "BCODE": 21, "EXTPTR": 22,
    "WEAKREF": 23, "RAW": 24, "S4": 25, "ALTREP": 238, "BASEENV": 241, "EMPTYENV": 242, "NAMESPACE": 249,
    "MISSINGARG": 251, "GLOBALENV": 253, "NILVALUE": 254,
}  # fmt: skip
# Bits beside the number of a type.
HAS_CLASS, HAS_ATTRIBUTES, HAS_TAG = 1 << 8, 1 << 9, 1 << 10

# Shared by all objects without attributes.
NO_ATTRIBUTES: Mapping[str, Any] = MappingProxyType({})


class RObject:
    """An object of R.

    Parameters
    ----------
    type_ : str
        R's type, without its end SXP.
    value : object, optional
        Numbers: an array, masked where an integer or a logical is NA. Text: a list of str, None for NA. A list: a list
        of objects. A pairlist or call: a list of names, '' for none, and objects. A name: its text. A function: its
        arguments and body. An environment: its frame, its hash table and its parent.
    attributes : dict of str to RObject
    tag : RObject, optional
        The environment of a function.
    """

    __slots__ = ("attributes", "tag", "type", "value")

    def __init__(
        self,
        type_: str,
        value: Any = None,
        attributes: Mapping[str, RObject] = NO_ATTRIBUTES,
        tag: RObject | None = None,
    ) -> None:
        self.type, self.value, self.attributes, self.tag = type_, value, attributes, tag
