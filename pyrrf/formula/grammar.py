"""R's grammar of an expression: pieces of text, the name that R gives it, and its steps in the order of computation.

The steps are those of a stack: operands come before what is computed from them. They nest no deeper for a long sum, and
nothing of the text reaches Python's own parser.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyrrf.rbase.numbers import read_number
from pyrrf.rbase.vectors import MOST_INTEGER

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)
    |`(?P<quoted>[^`]+)`
    |(?P<number>0[xX][0-9a-fA-F]+L?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?)
    |(?P<name>(?:[^\W\d]|\.(?=[^\W\d]))[\w.]*)
    |(?P<operator>%[^%\n]*%|\*\*|<<-|<-|->|<=|>=|==|!=|&&|\|\||//|.)""",
    re.VERBOSE | re.DOTALL,
)
_TIGHT = ("^", "/", ":", "%%", "%/%")
# How tightly operators bind, the loosest first. Comparisons do not chain, `^` joins from the right.
_LEVELS = ["|", "&", "!", "== != < > <= >=", "+ -", "* / //", "%%", ":", "sign", "^ **"]
_STRENGTH = {sign: at for at, level in enumerate(_LEVELS, start=1) for sign in level.split()}
_NOT, _COMPARISON, _SPECIAL, _SIGN, _POWER = (_STRENGTH[sign] for sign in ("!", "==", "%%", "sign", "^"))
_DEEPEST = 100
_INSTEAD = {"&&": "&", "||": "|", "and": "&", "or": "|", "in": "%in%", "%": "%%", "~": "!"}
_INSTEAD |= dict.fromkeys("$@", "the name of the column")
TYPED_NA = ("NA_integer_", "NA_real_", "NA_character_")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"} | {c: c for c in "\\\"'` "}


@dataclass(frozen=True)
class Token:
    """A piece of a formula: a name, a quoted name, a number, a string or an operator."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"`{self.text}`" if self.kind == "quoted" else self.text


END = Token("end", "")


def scan(text: str) -> list[Token]:
    """Split a text into tokens, without spaces; dots belong to names, as in R.

    Raises
    ------
    ValueError
        A quote is not closed.
    """
    found = [Token(str(m.lastgroup), m[str(m.lastgroup)]) for m in _TOKEN.finditer(text)]
    if any(t.kind == "string" and (len(t.text) == 1 or t.text[-1] != t.text[0]) for t in found):
        raise ValueError("the formula has a quote that is not closed; close it")
    return [token for token in found if token.kind != "space"]


# ---- names in R's spelling -----------------------------------------------------------------------


def r_label(tokens: Sequence[Token], integers: bool = False) -> str:
    """Return the expression as R names it: numbers have 15 digits, and no type but with `integers`."""
    out, before = "", Token("operator", "(")
    for token in tokens:
        out += _r_text(token, before, integers)
        before = token
    return out.strip()


def _r_text(token: Token, before: Token, integers: bool) -> str:
    text = token.text
    if token.kind == "number":
        return f"{double_of(text):.0f}L" if integers and is_integer(text) else number_text(text)
    if token.kind == "string":
        return '"' + text[1:-1].replace("\\'", "'").replace('\\"', '"').replace('"', '\\"') + '"'
    if token.kind == "quoted":
        return text if re.fullmatch(r"[^\W\d][\w.]*", text) else str(token)
    if token.kind == "name":
        return "NA" if text in TYPED_NA and not integers else text
    unary = before.kind == "operator" and before.text not in (")", "]")
    if text == ",":
        return ", "
    if (
        (text in _STRENGTH or text[0] == "%" or text in ("=", "~", "&&", "||"))
        and not unary
        and text not in (*_TIGHT, "**", "!")
    ):
        return f" {text} "
    return "^" if text == "**" else text


def number_text(text: str) -> str:
    """Return a number with 15 digits, in fixed or scientific notation, whichever is shorter."""
    value = double_of(text)
    mantissa, _, exponent = f"{value:.14e}".partition("e")
    digits = mantissa.rstrip("0").rstrip(".")
    scientific = f"{digits}e{int(exponent):+03d}"
    decimals = max(0, len(digits.replace(".", "")) - 1 - int(exponent))
    fixed = f"{value:.{decimals}f}"
    return fixed if len(fixed) <= len(scientific) else scientific


def is_integer(text: str) -> bool:
    """Whether a number is one of R's integers: ``1L``, but not ``1.5L`` or ``3e9L``."""
    return text.endswith("L") and (value := double_of(text)) == math.floor(value) and value <= MOST_INTEGER


def double_of(text: str) -> float:
    """Return the double that R reads.

    Raises
    ------
    ValueError
        It is beyond a double.
    """
    plain = text.removesuffix("L")
    try:
        value = float(int(plain, 16)) if plain[:2] in ("0x", "0X") else read_number(plain)
    except OverflowError:
        value = math.inf
    if value is None or math.isinf(value):
        raise ValueError(f"the formula holds the number {text[:20]}..., which is too large; write a smaller one")
    return value


# ---- steps ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One step of a computation.

    Parameters
    ----------
    kind : str
        "number", "string", "sign" (an operator), "attribute", "method", "index" or "list"; for names "column",
        "constant", "object", and where they are called "call" for functions of R and "own" for those of the caller.
    value : object
        What is written: the name, the text of the number, the operator; the item or slice of an index.
    count : int, default 0
        How many operands it takes, without the object of a method.
    keywords : tuple of str, default ()
        Names of the last operands.
    """

    kind: str
    value: Any
    count: int = 0
    keywords: tuple[str, ...] = ()


Leaf = Callable[[Token, bool], list[Step]]
"""Gives the steps of a name; whether it is called is the second argument."""


class Parser:
    """Reads the tokens of an expression by how tightly R's operators bind.

    Parameters
    ----------
    tokens : sequence of Token
    leaf : callable
        What a name stands for. The last step of a name that is called becomes the call.
    """

    def __init__(self, tokens: Sequence[Token], leaf: Leaf) -> None:
        self.tokens, self.leaf, self.at, self.depth = tokens, leaf, 0, 0
        self.steps: list[Step] = []

    def parse(self) -> tuple[Step, ...]:
        """Return the steps of all tokens.

        Raises
        ------
        ValueError
            They are no expression.
        """
        self._expression(0)
        if self._peek() is not END:
            raise self._trouble()
        return tuple(self.steps)

    def _peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else END

    def _is(self, *signs: str) -> bool:
        here = self._peek()
        return here.kind == "operator" and here.text in signs

    def _take(self, sign: str) -> None:
        if not self._is(sign):
            raise self._trouble()
        self.at += 1

    def _trouble(self) -> ValueError:
        here = self._peek()
        if here.kind in ("name", "operator") and here.text in _INSTEAD:
            return ValueError(_not_understood(here.text))
        place = f"at {str(here)!r}" if here is not END else "at its end"
        return ValueError(f"the text cannot be read {place}")

    def _expression(self, least: int) -> None:
        """Read as far as operators bind at least as tightly as `least`."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError("the formula has too many brackets in brackets; take some away")
        self._operand()
        compared = False
        while self._peek().kind == "operator":
            sign = self._peek().text
            strength = _strength(sign)
            if strength == 0 or sign == "!" or strength < least:
                break
            if strength == _COMPARISON and compared:
                raise ValueError("two comparisons in a row; write (a < b) & (b < c)")
            compared = strength == _COMPARISON
            self.at += 1
            self._expression(_SIGN if strength == _POWER else strength + 1)
            self.steps.append(Step("sign", "^" if sign == "**" else sign, 2))
        self.depth -= 1

    def _operand(self) -> None:
        token = self._peek()
        self.at += 1
        if token.kind == "operator" and token.text in ("-", "+", "!"):
            self._expression(_NOT if token.text == "!" else _SIGN)
            self.steps.append(Step("sign", token.text, 1))
            return
        if token.kind == "operator":
            self._bracketed(token.text)
        elif token.kind in ("number", "string"):
            self.steps.append(Step(token.kind, token.text if token.kind == "number" else unquoted(token.text)))
        elif token.kind in ("name", "quoted"):
            self.steps += self.leaf(token, self._is("("))
            if self._is("("):
                self._call()
        else:
            self.at -= 1
            raise self._trouble()
        self._what_follows()

    def _bracketed(self, sign: str) -> None:
        if sign == "(":
            self._expression(0)
            self._take(")")
        elif sign == "[":
            count, keywords = self._arguments("]")
            if keywords:
                raise self._trouble()
            self.steps.append(Step("list", None, count))
        else:
            self.at -= 1
            raise self._trouble()

    def _what_follows(self) -> None:
        """Read attributes, calls of them and indices, which stand right behind an operand."""
        while True:
            token = self._peek()
            if token.kind == "name" and token.text.startswith("."):
                self.at += 1
                self.steps += [Step("attribute", part) for part in token.text[1:].split(".")]
                if self._is("("):
                    self._call()
            elif self._is("["):
                self.at += 1
                self.steps.append(Step("index", self._index()))
            elif self._is("("):
                raise ValueError("a call of what is not named, which terms do not take")
            else:
                return

    def _call(self) -> None:
        self.at += 1
        called = self.steps.pop()
        count, keywords = self._arguments(")")
        if called.kind not in ("call", "own", "attribute"):
            raise ValueError(f"{called.value!r} is no function")
        kind = "method" if called.kind == "attribute" else called.kind
        self.steps.append(Step(kind, called.value, count, keywords))

    def _arguments(self, close: str) -> tuple[int, tuple[str, ...]]:
        count, keywords = 0, []
        while not self._is(close):
            if self._peek().kind in ("name", "quoted", "string") and self._peek(1) == Token("operator", "="):
                keywords.append(self._peek().text)
                self.at += 2
            elif keywords:
                raise ValueError(f"an argument without a name comes after {keywords[-1]!r}; write it before")
            self._expression(0)
            count += 1
            if not self._is(close):
                self._take(",")
        self.at += 1
        return count, tuple(keywords)

    def _index(self) -> Any:
        """Read what stands in ``[ ]``: one number, one text, or limits with ``:`` between them."""
        parts: list[Any] = [None]
        while not self._is("]"):
            token, sign = self._peek(), 1
            if self._is("-"):
                self.at += 1
                token, sign = self._peek(), -1
            if token == Token("operator", ":"):
                parts.append(None)
            elif parts[-1] is None and token.kind == "number" and token.text.isdecimal():
                parts[-1] = sign * int(token.text)
            elif parts == [None] and token.kind == "string":
                parts[-1] = unquoted(token.text)
            else:
                raise ValueError("an index that is not one number or one text, which terms do not take")
            self.at += 1
        self.at += 1
        return parts[0] if len(parts) == 1 else slice(*parts)


def _strength(sign: str) -> int:
    if sign.startswith("%") and len(sign) > 1:
        return _SPECIAL
    if sign in _INSTEAD:
        raise ValueError(_not_understood(sign))
    if sign in ("<-", "<<-", "->", "="):
        raise ValueError(f"R reads {sign!r} as an assignment; write a space, as in 'a < -1', or '=='")
    return _STRENGTH.get(sign, 0) if sign != "sign" else 0


def _not_understood(sign: str) -> str:
    return f"{sign!r} is not understood inside a term; use {_INSTEAD[sign]}"


def unquoted(text: str) -> str:
    """Return the text of a string literal.

    Raises
    ------
    ValueError
        A backslash says what is not known here.
    """
    for escaped in re.findall(r"\\(.)", text[1:-1], flags=re.DOTALL):
        if escaped not in _ESCAPES:
            raise ValueError(f"the text {text} has a backslash before {escaped!r}; write the letter that is meant")
    return re.sub(r"\\(.)", lambda m: _ESCAPES[m[1]], text[1:-1], flags=re.DOTALL)
