"""R's calls and formulas as text. Nothing is evaluated."""

from __future__ import annotations

import re
from typing import Any

from pyrrf.rbase.numbers import number_text
from pyrrf.rds.objects import CALL, NULL, SYMBOL, TEXT
from pyrrf.rds.parsed import attributes, kind, pairs, symbol, texts, values
from pyrrf.rlang import deparse as text
from pyrrf.rlang.tree import STRENGTH, UNARY, Node, fold

# Not R's assignments, which are written as calls: so the text is read again, and the call of a fit is kept.
_BINARY = {*STRENGTH, "$", "@"} - {"sign", "//", "**"}
# Of a vector that a call holds as a whole, as do.call() puts it there, this many values are shown.
_SHOWN = 10


def deparse(obj: Any) -> str:
    """Return an expression as R's deparse() writes it, in one line.

    Data that a call holds as a whole are shown by dots.
    """
    return text.deparse(fold(obj, _node, _inside))


def _inside(obj: Any) -> list[Any]:
    return [value for _, value in pairs(obj)] if kind(obj) == CALL else []


def _node(obj: Any, parts: list[Node]) -> Node:
    what = kind(obj)
    if what == CALL:
        return _call(obj, parts)
    if what == SYMBOL:
        return Node("quoted", symbol(obj))
    if what == "MISSINGARG":
        return Node("empty")
    if what == NULL:
        return Node("name", "NULL")
    return Node("name", _vector(obj) if what in (TEXT, "LGL", "INT", "REAL") else "...")


def _call(obj: Any, parts: list[Node]) -> Node:
    name, operands = parts[0].text if parts[0].kind == "quoted" else "", tuple(parts[1:])
    if name == "(" and len(operands) == 1:
        return Node("(", "", operands)
    binary = len(operands) == 2 and (name in _BINARY or re.fullmatch(r"%.*%", name))
    if binary or (len(operands) == 1 and name in UNARY):
        return Node("sign", name, operands)
    tags = tuple(tag for tag, _ in pairs(obj)[1:])
    if name in ("[", "[[") and operands:
        return Node("index" if name == "[" else "[[", "", operands, tags[1:])
    return Node("call", "", tuple(parts), tags)


def _vector(obj: Any) -> str:
    if len(obj.value) > _SHOWN or set(attributes(obj)) - {"names"}:
        return "..."
    if kind(obj) == TEXT:
        parts = ["NA" if t is None else text.string_text(t) for t in texts(obj)]
    else:
        parts = [_number(value, kind(obj)) for value in values(obj).tolist()]
    if len(parts) == 1 and not attributes(obj):
        return parts[0]
    if "names" in attributes(obj):
        labels = [text.quoted(label or "") for label in texts(attributes(obj)["names"])]
        parts = [f"{label} = {part}" for label, part in zip(labels, parts, strict=True)]
    return f"c({', '.join(parts)})"


def _number(value: Any, what: str) -> str:
    """Return a number with at most 15 digits, as R's code has it."""
    if value is None:
        return "NA"
    if what == "LGL":
        return "TRUE" if value else "FALSE"
    if what == "INT":
        return f"{value}L"
    return "NaN" if value != value else number_text(value)
