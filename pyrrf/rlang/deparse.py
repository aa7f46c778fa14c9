"""Expressions as R writes them."""

from __future__ import annotations

import re

from pyrrf.rbase.numbers import number_text
from pyrrf.rlang.tokens import ESCAPES, double_of, is_integer
from pyrrf.rlang.tree import Node, fold

TYPED_NA = ("NA_integer_", "NA_real_", "NA_character_")
_TIGHT = ("^", "/", ":", "%%", "%/%", "$", "@")
RESERVED = {
    *("if", "else", "repeat", "while", "function", "for", "next", "break", "in"),
    *("TRUE", "FALSE", "NULL", "Inf", "NaN", "NA", *TYPED_NA),
}
_NAME = re.compile(r"(?:[^\W\d_]|\.(?!\d))[\w.]*")
_ESCAPED = {value: f"\\{letter}" for letter, value in ESCAPES.items()}


def deparse(tree: Node, types: bool = True) -> str:
    """Return an expression as R's deparse() writes it, in one line; without `types`, integers as other numbers."""
    return fold(tree, lambda node, parts: _write(node, parts, types))


def quote_name(name: str) -> str:
    """Return a name as R writes it in code."""
    return name if _NAME.fullmatch(name) and name not in RESERVED else f"`{name}`"


def string_text(text: str) -> str:
    """Return a string as R writes it in code."""
    escaped = (_ESCAPED.get(c) or (c if c >= " " and c != "\x7f" else f"\\{ord(c):03o}") for c in text)
    return f'"{"".join(escaped)}"'


def _write(node: Node, parts: list[str], types: bool) -> str:
    if node.kind == "number":
        value = double_of(node.text)
        return f"{value:.0f}L" if types and is_integer(node.text) else number_text(value)
    if node.kind == "string":
        return string_text(node.text)
    if node.kind == "quoted":
        return quote_name(node.text)
    if node.kind == "name":
        return "NA" if node.text in TYPED_NA and not types else node.text
    if node.kind == "sign" and len(parts) == 2:
        return (node.text if node.text in _TIGHT else f" {node.text} ").join(parts)
    if node.kind in ("sign", "attribute"):
        return node.text + parts[0] if node.kind == "sign" else parts[0] + node.text
    if node.kind == "(":
        return f"({parts[0]})"
    function, arguments = ("", parts) if node.kind == "list" else (parts[0] if parts else "", parts[1:])
    named = [f"{quote_name(name)} = {code}" if name else code for name, code in zip(node.names, arguments, strict=True)]
    opened, closed = {"call": "()", "index": "[]", "list": "[]", "[[": ("[[", "]]"), "empty": ("", "")}[node.kind]
    return f"{function}{opened}{', '.join(named)}{closed}"
