"""Deparser of R's calls and formulas; nothing is evaluated."""

from __future__ import annotations

import re
from typing import Any

from pyrrf.rbase.numbers import number_text
from pyrrf.rds.objects import CALL, NULL, SYMBOL, TEXT
from pyrrf.rds.parsed import attributes, kind, pairs, symbol, texts, values
from pyrrf.rlang import deparse as text
from pyrrf.rlang.tree import STRENGTH, UNARY, Node, fold

# R's assignments are written as calls, so that the call of a fit can be parsed again.
_BINARY = {*STRENGTH, "$", "@"} - {"sign", "//", "**"}
# Longest vector that is written value by value, where a call holds a whole vector as from do.call().
_SHOWN = 10


def deparse(obj: Any) -> str:
    """Return an expression as R's deparse() writes it, in one line.

    Longer data inside a call become dots.
    """
    return text.deparse(fold(obj, _node, _operands))


def _operands(expression: Any) -> list[Any]:
    return [value for _, value in pairs(expression)] if kind(expression) == CALL else []


def _node(obj: Any, operands: list[Node]) -> Node:
    r_type = kind(obj)
    if r_type == CALL:
        return _call(obj, operands)
    if r_type == SYMBOL:
        return Node("quoted", symbol(obj))
    if r_type == "MISSINGARG":
        return Node("empty")
    if r_type == NULL:
        return Node("name", "NULL")
    return Node("name", _vector(obj) if r_type in (TEXT, "LGL", "INT", "REAL") else "...")


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
        items = ["NA" if t is None else text.string_text(t) for t in texts(obj)]
    else:
        items = [_number(value, kind(obj)) for value in values(obj).tolist()]
    if len(items) == 1 and not attributes(obj):
        return items[0]
    if "names" in attributes(obj):
        labels = [text.quote_name(label or "") for label in texts(attributes(obj)["names"])]
        items = [f"{label} = {item}" for label, item in zip(labels, items, strict=True)]
    return f"c({', '.join(items)})"


def _number(value: Any, r_type: str) -> str:
    """Return a number with at most 15 digits, as R deparses it."""
    if value is None:
        return "NA"
    if r_type == "LGL":
        return "TRUE" if value else "FALSE"
    if r_type == "INT":
        return f"{value}L"
    return "NaN" if value != value else number_text(value)
