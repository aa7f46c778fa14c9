"""Arguments of functions: as Python's own values, in dots, among the columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pyrrf.r.values.coercion import one
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if
from pyrrf.r.values.labels import names_of
from pyrrf.r.values.vector import Value, as_value


def flag(x: Any, name: str = "argument") -> bool:
    """Return a logical that must not be missing."""
    value = one(x, "logical")
    if value != value:
        raise RError(f"{name} is NA")
    return bool(value)


def number(x: Any) -> float:
    """Return a number; NaN where it is missing."""
    return float(single(x, "double"))


def single(x: Any, kind: str) -> Any:
    """Return the only item of an argument; where there are more, R may take the first, or stop."""
    value = as_value(x)
    refuse_if(isinstance(value, Value) and len(value) > 1, "several values where one is needed")
    return one(value, kind)


def text(x: Any) -> str:
    """Return a string that must not be missing."""
    value = single(x, "character")
    value = refuse_none(value, "NA where a string is needed")
    return str(value)


class Named:
    """An argument with a name among arguments without: ``r.c(r.named("a", 1), 2)``."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value


def named(name: str, value: Any) -> Named:
    """Return an argument with a name, to stand before arguments without."""
    return Named(name, value)


def arguments(dots: Iterable[Any], keywords: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the arguments that R's ``...`` would hold: names ('' without one) and values, in order."""
    pairs = [(item.name, as_value(item.value)) if isinstance(item, Named) else ("", as_value(item)) for item in dots]
    return pairs + [(name, as_value(item)) for name, item in keywords.items()]


def only(named: dict[str, Any], *words: str) -> dict[str, Any]:
    """Return the named arguments that stand before unnamed ones; names other than `words` are refused."""
    refuse_if(set(named) - set(words), "arguments with names in ..., before arguments without names")
    return named


def absent() -> Any:
    """Refuse: the default of an argument that R evaluates late, and whose absence it reports only then."""
    raise NotSupportedError("an argument is missing, with no default")


Codes = Sequence[str] | None
"""Code of the arguments of a call, where it is known."""
UNKNOWN_CODE = "..."
"""Code of arguments that a function of the script passes on in its dots: not known."""


def codes(deparsed: Iterable[str] | None, dots: Sequence[Any]) -> list[str]:
    """Return the code of the arguments without names, where it is known."""
    texts = list(deparsed or [])
    return texts + texts[-1:] * len(dots) if UNKNOWN_CODE in texts else texts


class Mask:
    """Names inside of ``with(data, ...)``: ``m.age`` is a column, ``m("n", lambda: n)`` a column or else n.

    Columns whose names Python cannot spell are ``m["n.tree"]``.
    """

    def __init__(self, data: Value) -> None:
        names = names_of(data) or []
        # Of columns with one name R finds the first.
        self._items = dict(reversed([*zip(names, data._data, strict=False)]))

    def __getitem__(self, name: str) -> Any:
        stop_if(name not in self._items, f"object '{name}' not found")
        column = self._items[name]
        return column.copy() if isinstance(column, Value) else column

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __call__(self, name: str, otherwise: Callable[[], Any]) -> Any:
        """Return a column, or else the value that a name has outside."""
        return self[name] if name in self._items else otherwise()

    def __contains__(self, name: str) -> bool:
        return name in self._items
