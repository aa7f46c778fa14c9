"""Pieces of R's code: names, numbers, strings and operators."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pyrrf.errors import bad
from pyrrf.rbase.numbers import read_number
from pyrrf.rbase.vectors import MOST_INTEGER

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)
    |`(?P<quoted>[^`]+)`
    |(?P<number>0[xX][0-9a-fA-F]+L?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?)
    |(?P<name>(?:[^\W\d]|\.(?=[^\W\d]|\.+\w))[\w.]*)
    |(?P<operator>%[^%\n]*%|\*\*|<<-|<-|->|<=|>=|==|!=|&&|\|\||//|.)""",
    re.VERBOSE | re.DOTALL,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", '"': '"'}
_UNESCAPED = ESCAPES | {c: c for c in "'` "}


@dataclass(frozen=True)
class Token:
    """A piece of code: a name, a quoted name, a number, a string or an operator."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"`{self.text}`" if self.kind == "quoted" else self.text


def scan(text: str) -> list[Token]:
    """Split a text into tokens, without spaces; dots belong to names, as in R. ValueError if a quote is not closed."""
    tokens = [Token(str(m.lastgroup), m[str(m.lastgroup)]) for m in _TOKEN.finditer(text)]
    if any(t.kind == "string" and (len(t.text) == 1 or t.text[-1] != t.text[0]) for t in tokens):
        raise bad.formula("the formula has a quote that is not closed; close it")
    return [token for token in tokens if token.kind != "space"]


def is_integer(text: str) -> bool:
    """Return whether a number is one of R's integers: ``1L``, but not ``1.5L`` or ``3e9L``."""
    return text.endswith("L") and (value := double_of(text)) == math.floor(value) and value <= MOST_INTEGER


def double_of(text: str) -> float:
    """Return the double that R reads; ValueError if it is beyond a double."""
    try:
        value = read_number(text.removesuffix("L"))
    except (OverflowError, ValueError):
        value = None  # Python reads no more than some thousands of digits
    if value is None or math.isinf(value):
        raise bad.formula(f"the formula holds the number {text[:20]}..., which is too large; write a smaller one")
    return value


def unquote(text: str) -> str:
    """Return the text of a string literal; ValueError if a backslash sequence is unknown."""
    for escaped in re.findall(r"\\(.)", text[1:-1], flags=re.DOTALL):
        if escaped not in _UNESCAPED:
            raise bad.formula(f"the text {text} has a backslash before {escaped!r}; write the letter itself")
    return re.sub(r"\\(.)", lambda m: _UNESCAPED[m[1]], text[1:-1], flags=re.DOTALL)
