"""Places of the parts of an object of R, and the search for fits among them."""

from __future__ import annotations

import ast
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyrrf.errors import bad
from pyrrf.escapes import escape_control_chars
from pyrrf.rds.content import POINTER
from pyrrf.rds.objects import ATOMIC, CALL, LIST, NULL, PAIRLIST, TEXT
from pyrrf.rds.parsed import attributes, classes, kind, names, pairs

FITS = {"RRF", "randomForest"}
# Most texts that a message lists, and the longest of them.
_LISTED, _LONGEST = 5, 300
# Names of the two parts of objects of these types.
_HALVES = {"CLO": ("formals", "body"), "PROM": ("value", "code"), "EXTPTR": ("protected", "tag")}


@dataclass(frozen=True, eq=False)
class Place:
    """A path to a part of the object in a file, written as Python code on `fit`.

    Parameters
    ----------
    step : str
        From the object above to this one.
    above : Place, optional
    """

    step: str = "fit"
    above: Place | None = None

    def __str__(self) -> str:
        steps, place = [], self
        while place.above is not None:
            steps.append(place.step)
            place = place.above
        return "".join([place.step, *reversed(steps)])


def abbreviate(texts: list[str]) -> str:
    """Return the first of several texts and the number of the others."""
    first = [text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..." for text in texts[:_LISTED]]
    return ", ".join(first) + (f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else "")


# ---- from an object to its parts -----------------------------------------------------------------


def keys(obj: Any) -> list[str] | None:
    """Return the keys of a list that becomes a dict; None if names are missing or occur twice."""
    labels = names(obj)
    return labels if labels is not None and all(labels) and len(set(labels)) == len(labels) else None


def parts(obj: Any) -> Iterator[tuple[str, Any]]:
    """Yield the step to each element of a list, and the element."""
    if kind(obj) == LIST:
        labels: Iterable[str | int] | None = keys(obj)
        for key, element in zip(range(len(obj.value)) if labels is None else labels, obj.value, strict=True):
            yield step(key), element


def step(key: str | int) -> str:
    """Return the subscript of a name or a position."""
    return f"[{escape_control_chars(json.dumps(key, ensure_ascii=False))}]"


def all_parts(obj: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of any object, also variables, attributes and constants, which only R can reach."""
    r_type, value = kind(obj), obj.value
    yield from parts(obj)
    if r_type in (PAIRLIST, CALL):
        yield from _tagged_values(obj)
    elif r_type == "ENV":
        frame, table, around = value
        yield from _tagged_values(frame)
        for chain in table.value if kind(table) == LIST else ():
            yield from _tagged_values(chain)
        yield ".parent", around
    elif r_type in _HALVES:
        yield from ((f".{name}", half) for name, half in zip(_HALVES[r_type], value, strict=True))
        if obj.tag is not None:
            yield ".environment", obj.tag
    elif r_type in ("EXPR", "BCODE"):
        yield from (
            (step(position), element) for position, element in enumerate(value if r_type == "EXPR" else value[1])
        )
    yield from ((f".attributes{step(name)}", element) for name, element in attributes(obj).items())


def _tagged_values(obj: Any) -> Iterator[tuple[str, Any]]:
    yield from ((step(name or position), value) for position, (name, value) in enumerate(pairs(obj)))


# Bytes of memory of a conversion, with temporary copies: for an object, for its attributes (it may become a Series or a
# DataFrame), for each number, and for each text or part of a call.
_OBJECT, _WITH_ATTRIBUTES, _NUMBER, _TEXT = 256, 8192, 48, 192


def conversion_memory(obj: Any, whole: bool = True) -> int:
    """Return the bytes of memory of a converted object, with its attributes and, if `whole`, its parts."""
    r_type, inside = obj.type, obj.attributes.values()
    if r_type == NULL:
        return POINTER
    own = _OBJECT + (len(obj.value) * _SIZES[r_type] if r_type in _SIZES else 0)
    if inside:
        own += _WITH_ATTRIBUTES + sum(map(conversion_memory, inside))
    if whole and r_type in (LIST, PAIRLIST, CALL):
        own += sum(map(conversion_memory, obj.value if r_type == LIST else [value for _, value in obj.value]))
    return own


_SIZES = {**dict.fromkeys(ATOMIC, _NUMBER), TEXT: _TEXT, CALL: _TEXT, LIST: POINTER}


# ---- search ----------------------------------------------------------------------------------------


def find_fits(obj: Any) -> list[tuple[Place, Any]]:
    """Return the fits in lists or, without any, those that only R can reach; the least nested come first."""
    return _search(obj, parts) or _search(obj, all_parts)


def _search(obj: Any, inside: Callable[[Any], Iterator[tuple[str, Any]]]) -> list[tuple[Place, Any]]:
    waiting, seen, fits = deque([(Place(), obj)]), set(), []
    while waiting:
        place, candidate = waiting.popleft()
        if id(candidate) in seen:
            continue
        seen.add(id(candidate))
        if is_fit(candidate):
            fits.append((place, candidate))
        else:
            waiting.extend((Place(next_step, place), inner) for next_step, inner in inside(candidate))
    return fits


def is_fit(obj: Any) -> bool:
    """Return whether an object is a fit of RRF or randomForest."""
    return kind(obj) == LIST and not FITS.isdisjoint(classes(obj))


def find_part(obj: Any, text: str) -> tuple[Place, Any]:
    """Return the place that a text names, and the part there.

    ValueError if there is no such part, or the text is not a place.
    """
    place = Place()
    for next_step in _steps(text):
        inside = dict(all_parts(obj))
        if next_step not in inside:
            there = [name for name, _ in parts(obj)] or list(inside)
            raise bad.unknown(f"only={text!r}: {place} has no part {next_step}; it has {abbreviate(there) or 'none'}")
        place, obj = Place(next_step, place), inside[next_step]
    return place, obj


def _steps(text: str) -> list[str]:
    """Return the steps of a place; the whole may have any name. ValueError if the text is not a place."""
    steps: list[str] = []
    try:
        node: ast.expr | None = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        node = None
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Subscript) and isinstance(key := getattr(node.slice, "value", None), str | int):
            steps.append(step(key))
        elif isinstance(node, ast.Attribute):
            steps.append(f".{node.attr}")
        else:
            raise bad.choice(f"only must be 'forest' or a place such as 'fit[\"finalModel\"]', not {text!r}")
        node = node.value
    return steps[::-1]
