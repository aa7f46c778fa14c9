"""Handles of values that only R can hold, such as fits of ``glm``, environments and functions."""

from __future__ import annotations

from typing import Any

from pyrrf.r.values.vector import Value, objects, strings


class Handle:
    """A number under which R holds a value; when nobody has the handle any more, R forgets the value."""

    __slots__ = ("number", "owner")

    def __init__(self, number: int, owner: Any) -> None:
        self.number, self.owner = number, owner

    def __del__(self) -> None:
        self.owner.dropped.append(self.number)


def held_value(handle: Handle, classes: list[str], kind: str) -> Value:
    """Return a value for an object in R, with its classes and its type."""
    return Value("opaque", objects([kind]), {"class": strings(classes)}, handle)


def handle_of(x: object) -> Handle | None:
    """Return the handle of a value that R holds, or of a function of R; None for others."""
    if isinstance(x, Value):
        return x._hidden if isinstance(x._hidden, Handle) else None
    handle = getattr(x, "held_by_r", None) if callable(x) else None
    return handle if isinstance(handle, Handle) else None
