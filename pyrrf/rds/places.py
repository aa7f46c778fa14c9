"""Where the parts of an object of R are, and which of them are fits."""

from __future__ import annotations

import ast
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyrrf.errors import bad
from pyrrf.rds.content import POINTER
from pyrrf.rds.objects import ATOMIC, CALL, LIST, NULL, PAIRLIST, TEXT
from pyrrf.rds.parsed import attributes, classes, kind, names, pairs
from pyrrf.visible import visible

FITS = {"RRF", "randomForest"}
# What a message lists, and how long each text in it may be.
_LISTED, _LONGEST = 5, 300
# The two parts of which R makes these objects.
_HALVES = {"CLO": ("formals", "body"), "PROM": ("value", "code"), "EXTPTR": ("protected", "tag")}


@dataclass(frozen=True, eq=False)
class Place:
    """How code of Python reaches a part of what a file holds, which is called `fit`.

    Parameters
    ----------
    step : str
        From the object above to this one.
    above : Place, optional
    """

    step: str = "fit"
    above: Place | None = None

    def __str__(self) -> str:
        steps, at = [], self
        while at.above is not None:
            steps.append(at.step)
            at = at.above
        return "".join([at.step, *reversed(steps)])


def brief(found: list[str]) -> str:
    """Return the first of several texts and the number of the others."""
    first = [text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..." for text in found[:_LISTED]]
    return ", ".join(first) + (f" and {len(found) - _LISTED} more" if len(found) > _LISTED else "")


# ---- from an object to its parts -----------------------------------------------------------------


def keys(obj: Any) -> list[str] | None:
    """Return the names by which a list is read as a dict; None for a list, of which some names are missing."""
    found = names(obj)
    return found if found is not None and all(found) and len(set(found)) == len(found) else None


def parts(obj: Any) -> Iterator[tuple[str, Any]]:
    """Yield the step to each part of a list, and the part."""
    if kind(obj) == LIST:
        found: Iterable[str | int] | None = keys(obj)
        for key, part in zip(range(len(obj.value)) if found is None else found, obj.value, strict=True):
            yield step(key), part


def step(key: str | int) -> str:
    """Return the code of a name or a position."""
    return f"[{visible(json.dumps(key, ensure_ascii=False))}]"


def all_parts(obj: Any) -> Iterator[tuple[str, Any]]:
    """Yield the same, and what stands where only R looks: variables, attributes, constants."""
    what, value = kind(obj), obj.value
    yield from parts(obj)
    if what in (PAIRLIST, CALL):
        yield from _paired(obj)
    elif what == "ENV":
        frame, table, around = value
        yield from _paired(frame)
        for chain in table.value if kind(table) == LIST else ():
            yield from _paired(chain)
        yield ".parent", around
    elif what in _HALVES:
        yield from ((f".{name}", half) for name, half in zip(_HALVES[what], value, strict=True))
        if obj.tag is not None:
            yield ".environment", obj.tag
    elif what in ("EXPR", "BCODE"):
        yield from ((step(at), part) for at, part in enumerate(value if what == "EXPR" else value[1]))
    yield from ((f".attributes{step(name)}", part) for name, part in attributes(obj).items())


def _paired(obj: Any) -> Iterator[tuple[str, Any]]:
    yield from ((step(name or at), part) for at, (name, part) in enumerate(pairs(obj)))


# Bytes of memory that conversion takes, copies on the way among them: for an object, for one with attributes, which may
# become a Series or a DataFrame, for each number, for each text or part of a call, and for each part of a list.
_OBJECT, _WITH_ATTRIBUTES, _NUMBER, _TEXT = 256, 8192, 48, 192


def conversion_memory(obj: Any, whole: bool = True) -> int:
    """Return the bytes that an object takes as one of Python, with its attributes and, if `whole`, its parts."""
    what, inside = kind(obj), list(obj.attributes.values())
    if what == NULL:
        return POINTER
    if whole:
        inside += obj.value if what == LIST else [part for _, part in pairs(obj)]
    here = len(obj.value) * _SIZES[what] if what in _SIZES else 0
    return _OBJECT + (_WITH_ATTRIBUTES if obj.attributes else 0) + here + sum(map(conversion_memory, inside))


_SIZES = {**dict.fromkeys(ATOMIC, _NUMBER), TEXT: _TEXT, CALL: _TEXT, LIST: POINTER}


# ---- the part that is asked for ------------------------------------------------------------------


def find_fits(obj: Any) -> list[tuple[Place, Any]]:
    """Return the fits in lists or, where these have none, those that only R reaches; the least deep come first."""
    return _search(obj, parts) or _search(obj, all_parts)


def _search(obj: Any, inside: Callable[[Any], Iterator[tuple[str, Any]]]) -> list[tuple[Place, Any]]:
    waiting, seen, found = deque([(Place(), obj)]), set(), []
    while waiting:
        place, part = waiting.popleft()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if is_fit(part):
            found.append((place, part))
        else:
            waiting.extend((Place(to, place), inner) for to, inner in inside(part))
    return found


def is_fit(obj: Any) -> bool:
    """Say whether an object is a fit of RRF or randomForest."""
    return kind(obj) == LIST and not FITS.isdisjoint(classes(obj))


def part_at(obj: Any, text: str) -> tuple[Place, Any]:
    """Return the part whose place is a text, and the place.

    Raises
    ------
    ValueError
        There is no such part, or the text is no place.
    """
    place = Place()
    for to in _steps(text):
        inside = dict(all_parts(obj))
        if to not in inside:
            there = [name for name, _ in parts(obj)] or list(inside)
            raise bad.unknown(f"only={text!r}: {place} has no part {to}; it has {brief(there) or 'none'}")
        place, obj = Place(to, place), inside[to]
    return place, obj


def _steps(text: str) -> list[str]:
    """Return the steps of a place; the name of the whole may be any.

    Raises
    ------
    ValueError
        The text is no place.
    """
    found: list[str] = []
    try:
        node: ast.expr | None = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        node = None
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript) and isinstance(key := getattr(node.slice, "value", None), str | int):
            found.append(step(key))
        elif isinstance(node, ast.Attribute):
            found.append(f".{node.attr}")
        else:
            raise bad.choice(f"only must be 'forest' or a place such as 'fit[\"finalModel\"]', not {text!r}")
        node = node.value
    return found[::-1]
