"""R's calls and formulas as text. Nothing is evaluated."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from pyrrf.formula.grammar import Token, r_label
from pyrrf.rds.parsed import CALL, NULL, TEXT, attributes, kind, pairs, symbol, texts, values

BINARY = {
    "^",
    "*",
    "/",
    "+",
    "-",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "&",
    "&&",
    "|",
    "||",
    "~",
    ":",
    "=",
    "<-",
    "$",
    "@",
}
UNARY = {"-", "+", "!", "~"}
_TIGHT = {"^", "/", ":", "$", "@"}
# Of a vector that a call holds as a whole, as do.call() puts it there, this many values are shown.
_SHOWN = 10
_NAME = re.compile(r"(?:[^\W\d_]|\.(?!\d))[\w.]*")


def deparse(obj: Any) -> str:
    """Return an expression as R's deparse() writes it, in one line.

    Data that a call holds as a whole are shown by dots.
    """
    what = kind(obj)
    if what == CALL:
        return _call(obj)
    if what in ("SYM", "REF"):
        return quoted(symbol(obj))
    if what == NULL:
        return "NULL"
    if what == "MISSINGARG":
        return ""
    if what == TEXT or what in ("LGL", "INT", "REAL"):
        return _vector(obj)
    return "..."


def quoted(name: str) -> str:
    """Return a name as R writes it in code."""
    return name if _NAME.fullmatch(name) else f"`{name}`"


def _call(obj: Any) -> str:
    (_, function), *rest = pairs(obj)
    named = kind(function) in ("SYM", "REF")
    name = symbol(function) if named else ""
    shown = [deparse(value) for _, value in rest]
    if name == "(" and len(shown) == 1:
        return f"({shown[0]})"
    if len(shown) == 2 and (name in BINARY or re.fullmatch(r"%.*%", name)):
        return name.join(shown) if name in _TIGHT else f" {name} ".join(shown)
    if len(shown) == 1 and name in UNARY:
        return name + shown[0]
    if name in ("[", "[[") and shown:
        return shown[0] + name + ", ".join(shown[1:]) + {"[": "]", "[[": "]]"}[name]
    listed = [f"{quoted(tag)} = {text}" if tag else text for (tag, _), text in zip(rest, shown, strict=True)]
    return f"{quoted(name) if named else deparse(function)}({', '.join(listed)})"


def _vector(obj: Any) -> str:
    if kind(obj) == TEXT:
        parts = ["NA" if text is None else json.dumps(text, ensure_ascii=False) for text in texts(obj)]
    else:
        parts = [_number(value, kind(obj)) for value in np.ma.masked_array(values(obj)).tolist()]
    plain = not set(attributes(obj)) - {"names"}
    if not plain or len(parts) > _SHOWN:
        return "..."
    if len(parts) == 1 and not attributes(obj):
        return parts[0]
    if "names" in attributes(obj):
        labels = [quoted(label or "") for label in texts(attributes(obj)["names"])]
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
    if not np.isfinite(value):
        return {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}[str(value)]
    sign = "-" if value < 0 else ""
    return sign + r_label([Token("number", repr(abs(value)))])
