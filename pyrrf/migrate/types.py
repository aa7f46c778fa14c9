"""What is known of a value before the script runs: the types that decide which Python stands for it.

R's values are these in Python: a number, string or logical alone is Python's own; a vector is an array, and a Series
where R has names, or where it is a column of a data frame; a matrix is an array of two dimensions, and a DataFrame
where it has dimnames; a factor is a Categorical, or a Series of that kind; a list is a list, or a dict where it has
names; NULL is None. Positions count from 0 where R counts from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Type:
    """A type.

    Parameters
    ----------
    kind : str
        "scalar", "vector", "matrix", "frame", "factor", "list", "dict", "fit", "object", "function", "none", "unknown".
    elem : {"int", "float", "bool", "str", "unknown"}
        What a scalar, vector or matrix holds.
    series : bool
        Whether pandas holds it: a Series, or a DataFrame for a matrix.
    zero : bool
        Whether it holds positions, counted from 0.
    mixed : bool
        Whether it holds positions counted from 0 in some cases, and numbers in others.
    positive : bool
        Whether it holds whole numbers of at least 1.
    full : bool
        Whether it has at least one item, or a frame at least one row.
    missing : bool
        Whether it may hold NA.
    constant : float, optional
        The number itself.
    rows : int, optional
        Which rows a column or a frame has; equal numbers mean equal rows.
    counted : bool
        Whether the rows of a frame are labelled from 0 on.
    parts : tuple of (str, Type)
        Columns of a frame, items of a dict, components of an object.
    item : Type, optional
        What a list holds.
    what : str
        Which kind of fit, object or function it is.
    """

    kind: str = "unknown"
    elem: str = "unknown"
    series: bool = False
    zero: bool = False
    mixed: bool = False
    positive: bool = False
    full: bool = False
    missing: bool = False
    constant: float | None = None
    rows: int | None = None
    counted: bool = False
    parts: tuple[tuple[str, Type], ...] = ()
    item: Type | None = None
    what: str = ""

    def part(self, name: str) -> Type | None:
        """Return the type of a column or component, None if it is not known."""
        return dict(self.parts).get(name)

    def with_part(self, name: str, part: Type) -> Type:
        """Return the type with one column or component more, or another one."""
        return replace(self, parts=(*((n, t) for n, t in self.parts if n != name), (name, part)))

    @property
    def single(self) -> bool:
        """Whether it is one value."""
        return self.kind == "scalar"

    @property
    def numeric(self) -> bool:
        """Whether arithmetic is possible."""
        return self.elem in ("int", "float", "bool")


_NUMBERS = ("int", "float")
UNKNOWN = Type()
NONE = Type("none")
INT = Type("scalar", "int", full=True)
FLOAT = Type("scalar", "float", full=True)
BOOL = Type("scalar", "bool", full=True)
STR = Type("scalar", "str", full=True)
INTS = Type("vector", "int")
FLOATS = Type("vector", "float")
BOOLS = Type("vector", "bool")
STRS = Type("vector", "str")
POSITION = Type("scalar", "int", zero=True, full=True)
POSITIONS = Type("vector", "int", zero=True)
FACTOR = Type("factor", "str")
MATRIX = Type("matrix", "float", full=True)
TABLE = Type("matrix", "float", series=True, full=True)
FRAME = Type("frame")


def number(value: float) -> Type:
    """Return the type of a number that stands in the script."""
    whole = value == int(value) if abs(value) < 2**53 else False
    elem = "int" if whole else "float"
    return Type("scalar", elem, constant=value, positive=whole and value >= 1, full=True)


def vector_of(scalar: Type, full: bool = False) -> Type:
    """Return the type of a vector whose items have a type."""
    return replace(scalar, kind="vector", constant=None, rows=None, full=full)


def scalar_of(vector: Type) -> Type:
    """Return the type of one item of a vector."""
    return replace(vector, kind="scalar", series=False, full=True, rows=None, constant=None, parts=())


def join(a: Type | None, b: Type | None) -> Type:
    """Return the type of a value that is of one type here and of another there."""
    if a is None or b is None or a == b:
        return a or b or UNKNOWN
    if "none" in (a.kind, b.kind):
        known = b if a.kind == "none" else a
        return replace(known, full=False, constant=None)
    if a.kind != b.kind or a.series != b.series or a.what != b.what:
        return _wider(a, b)
    names = [name for name, _ in a.parts if b.part(name)]
    return replace(
        a,
        elem=a.elem if a.elem == b.elem else _either(a.elem, b.elem),
        zero=a.zero and b.zero,
        mixed=_mixed(a, b),
        positive=a.positive and b.positive,
        full=a.full and b.full,
        missing=a.missing or b.missing,
        constant=None,
        rows=a.rows if a.rows == b.rows else None,
        counted=a.counted and b.counted,
        parts=tuple((name, join(a.part(name), b.part(name))) for name in names),
        item=join(a.item, b.item) if a.item or b.item else None,
    )


def _wider(a: Type, b: Type) -> Type:
    """Return what is left of two types of different kinds."""
    zero = a.zero and b.zero
    return Type("unknown", _either(a.elem, b.elem), zero=zero, mixed=_mixed(a, b), missing=a.missing or b.missing)


def _mixed(a: Type, b: Type) -> bool:
    """Whether one of two types holds positions and the other numbers."""
    numbers = all(t.kind in ("scalar", "vector", "unknown") and t.elem in ("int", "float", "unknown") for t in (a, b))
    return a.mixed or b.mixed or (a.zero != b.zero and numbers)


def _either(a: str, b: str) -> str:
    """Return what a value holds that holds one thing or the other; nothing is widened."""
    return elem_of(a, b) if a in _NUMBERS and b in _NUMBERS else a if a == b else "unknown"


def elem_of(a: str, b: str) -> str:
    """Return what a vector holds that is put together of two: R widens logicals to numbers to strings."""
    order = ["bool", "int", "float", "str"]
    if a == b:
        return a
    return "unknown" if "unknown" in (a, b) else order[max(order.index(a), order.index(b))]
