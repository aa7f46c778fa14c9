"""R's expressions as trees, read by how tightly operators bind.

Walks of a tree are loops: a sum of thousands of terms nests as deeply, and Python's functions do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pyrrf.errors import bad
from pyrrf.rlang.tokens import Token, scan, unquote

# Strength with which operators bind, the loosest first. Comparisons do not chain, `^` joins from the right.
_LEVELS = ["~", "| ||", "& &&", "!", "== != < > <= >=", "+ -", "* / //", "%%", ":", "sign", "^ **"]
STRENGTH = {sign: strength for strength, level in enumerate(_LEVELS, start=1) for sign in level.split()}
_COMPARISON, _SPECIAL, _SIGN, _POWER = (STRENGTH[sign] for sign in ("==", "%%", "sign", "^"))
UNARY = ("+", "-", "!", "~")
_DEEPEST = 100
_END = Token("end", "")
P = TypeVar("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Node:
    """A part of an expression.

    Parameters
    ----------
    kind : str
        "name", "quoted" (a name in backticks), "number", "string", "sign" (an operator), "(", "call" and "index" (the
        first part is what is called or indexed), "empty" (an argument that is left out); of Python "attribute" and
        "list".
    text : str, default ''
        The name, the number as it is written, the string without quotes, the operator.
    parts : tuple of Node, default ()
    names : tuple of str, default ()
        Names of the arguments of a call or an index, '' without one.
    """

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()
    names: tuple[str, ...] = ()


def _parts(node: Node) -> Sequence[Node]:
    return node.parts


def postorder(tree: P, inside: Callable[[Any], Sequence[Any]] = _parts) -> Iterator[P]:
    """Yield the parts of each node before the node, from left to right; `inside` says which parts count."""
    waiting, nodes = [tree], []
    while waiting:
        nodes.append(waiting.pop())
        waiting += inside(nodes[-1])
    return reversed(nodes)


def fold(tree: P, make: Callable[[P, list[T]], T], inside: Callable[[Any], Sequence[Any]] = _parts) -> T:
    """Fold a tree: `make` gets a node and the results of its parts."""
    done: list[T] = []
    for node in postorder(tree, inside):
        start = len(done) - len(inside(node))
        done[start:] = [make(node, done[start:])]
    return done[0]


def parse(code: str | Sequence[Token], instead: Mapping[str, str] | None = None) -> Node:
    """Return the tree of an expression; ValueError if it is none.

    `instead` maps operators and words that are refused to messages.
    """
    reader = _Reader(scan(code) if isinstance(code, str) else code, instead or {})
    tree = reader.expression(0)
    if reader.peek() is not _END:
        raise reader.trouble()
    return tree


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: Sequence[Token], instead: Mapping[str, str]) -> None:
        self.tokens, self.instead, self.at, self.depth = tokens, instead, 0, 0
        self.close = ""

    def peek(self, ahead: int = 0) -> Token:
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else _END

    def _is(self, *signs: str) -> bool:
        here = self.peek()
        return here.kind == "operator" and here.text in signs

    def _take(self, sign: str) -> None:
        if not self._is(sign):
            raise self.trouble()
        self.at += 1

    def trouble(self) -> Exception:
        here = self.peek()
        if here.kind in ("name", "operator") and here.text in self.instead:
            return bad.formula(self.instead[here.text])
        return bad.formula(f"the text cannot be read {'at its end' if here is _END else f'at {str(here)!r}'}")

    def expression(self, least: int) -> Node:
        """Read operators that bind at least as strongly as `least`."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise bad.formula("the formula has too many brackets in brackets; take some away")
        left, compared = self._operand(), False
        while self.peek().kind == "operator":
            sign = self.peek().text
            if sign in self.instead:
                raise self.trouble()
            strength = _SPECIAL if sign[0] == "%" and len(sign) > 1 else STRENGTH.get(sign, 0)
            if strength == 0 or sign == "!" or strength < least:
                break
            if strength == _COMPARISON and compared:
                raise bad.formula("two comparisons in a row; write (a < b) & (b < c)")
            compared = strength == _COMPARISON
            self.at += 1
            right = self.expression(_SIGN if strength == _POWER else strength + 1)
            left = Node("sign", "^" if sign == "**" else sign, (left, right))
        self.depth -= 1
        return left

    def _operand(self) -> Node:
        if self.close == "]" and self._is(":", "]"):
            return Node("empty")
        if self._is(*UNARY):
            if self.peek().text in self.instead:
                raise self.trouble()
            sign = self.peek().text
            self.at += 1
            return Node("sign", sign, (self.expression(_SIGN if sign in "+-" else STRENGTH[sign]),))
        return self._what_follows(self._single())

    def _single(self) -> Node:
        """Read a name, a constant, or an expression in brackets."""
        token = self.peek()
        if token.kind == "string":
            token = Token(token.kind, unquote(token.text))
        elif token.kind == "operator" and token.text == "[":
            parts, names = self._arguments("]")
            if any(names):
                raise self.trouble()
            return Node("list", "", parts, names)
        elif self._is("("):
            return Node("(", "", (self._brackets(),))
        elif token.kind in ("end", "operator") and token.text != ".":
            raise self.trouble()
        self.at += 1
        return Node("name" if token.kind == "operator" else token.kind, token.text)

    def _brackets(self) -> Node:
        self.at += 1
        before, self.close = self.close, ")"
        inner = self.expression(0)
        self._take(")")
        self.close = before
        return inner

    def _what_follows(self, node: Node) -> Node:
        """Read calls, indices, parts and Python's attributes, which stand right behind an operand."""
        while True:
            token = self.peek()
            if token.kind == "name" and token.text.startswith("."):
                self.at += 1
                node = Node("attribute", token.text, (node,))
            elif self._is("(", "["):
                parts, names = self._arguments(")" if token.text == "(" else "]")
                node = Node("call" if token.text == "(" else "index", "", (node, *parts), names)
            elif self._is("$", "@") and token.text not in self.instead:
                self.at += 1
                node = Node("sign", token.text, (node, self._single()))
            else:
                return node

    def _arguments(self, close: str) -> tuple[tuple[Node, ...], tuple[str, ...]]:
        """Read arguments; after a comma a last one that is left out counts."""
        self.at += 1
        before, self.close = self.close, close
        parts: list[Node] = []
        names: list[str] = []
        while not self._is(close) or parts:
            name = self.peek()
            named = name.kind in ("name", "quoted", "string") and self.peek(1) == Token("operator", "=")
            self.at += 2 * named
            names.append((unquote(name.text) if name.kind == "string" else name.text) if named else "")
            parts.append(Node("empty") if self._is(",", close) else self.expression(0))
            if self._is(close):
                break
            self._take(",")
        self.at += 1
        self.close = before
        return tuple(parts), tuple(names)
