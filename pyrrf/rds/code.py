"""Text as R's calls and formulas; nothing is evaluated."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from typing import Any

from pyrrf.formula.grammar import Token, double_of, is_integer, scan, unquoted
from pyrrf.rds import build

# How tightly operators bind, the loosest first; `^` alone joins from the right.
_LEVELS = [level.split() for level in ("~", "| ||", "& &&", "!", "< > <= >= == !=", "+ -", "* /", "%", ":")]
_STRENGTH = {operator: at for at, level in enumerate(_LEVELS, start=1) for operator in level}
_SIGN, _POWER = len(_LEVELS) + 1, len(_LEVELS) + 2
_WORDS = {"TRUE": True, "FALSE": False, "NA": -(2**31)}
_NUMBERS = {"Inf": math.inf, "NaN": math.nan}
# pyrrf's arguments, where R has a dot.
_DOTTED = {"na_action", "oob_prox", "norm_votes", "do_trace", "keep_forest", "corr_bias", "keep_inbag"}
# Arguments that hold code of R as a string of Python.
_CODE = {"x", "formula", "subset"}


def parse_code(text: str) -> Any:
    """Return an expression of R as an object of R.

    Raises
    ------
    ValueError
        The text is no expression that is read here.
    """
    reader = _Reader(scan(text), text)
    found = reader.expression(0)
    if reader.at < len(reader.tokens):
        raise reader.trouble()
    return found


class _Reader:
    """Reads tokens from left to right, by how tightly operators bind."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self.tokens, self.text, self.at = tokens, text, 0

    def trouble(self) -> ValueError:
        return ValueError(f"{self.text!r} cannot be read as code of R")

    def peek(self) -> str:
        """Return the operator that comes next, or ''."""
        here = self.tokens[self.at : self.at + 1]
        return here[0].text if here and here[0].kind == "operator" else ""

    def take(self, text: str) -> None:
        if self.peek() != text:
            raise self.trouble()
        self.at += 1

    def expression(self, least: int) -> Any:
        """Read as far as operators bind at least as tightly as `least`."""
        left = self.prefix()
        while self.peek():
            operator = self.peek()
            if operator == "(" or operator == "[":
                left = self.call(left, operator)
                continue
            if operator in ("$", "@"):
                self.at += 1
                left = build.call(operator, [("", left), ("", self.prefix())])
                continue
            power = operator in ("^", "**")
            strength = _POWER if power else _STRENGTH.get("%" if operator.startswith("%") else operator, -1)
            if strength < max(least, 0) or operator == "!":
                return left
            self.at += 1
            right = self.expression(_SIGN if power else strength + 1)
            left = build.call("^" if power else operator, [("", left), ("", right)])
        return left

    def prefix(self) -> Any:
        """Read a name, a constant, a sign, or what is in brackets."""
        if self.at >= len(self.tokens):
            raise self.trouble()
        token = self.tokens[self.at]
        self.at += 1
        if token.kind == "operator":
            return self.sign(token.text)
        if token.kind == "number":
            value = double_of(token.text)
            return build.integers([int(value)]) if is_integer(token.text) else build.doubles([value])
        if token.kind == "string":
            return build.texts([unquoted(token.text)])
        if token.kind == "name" and token.text in _WORDS:
            return build.logicals([_WORDS[token.text]])
        if token.kind == "name" and token.text in _NUMBERS:
            return build.doubles([_NUMBERS[token.text]])
        return build.null() if token == Token("name", "NULL") else build.symbol(token.text)

    def sign(self, operator: str) -> Any:
        if operator == "(":
            inner = self.expression(0)
            self.take(")")
            return build.call("(", [("", inner)])
        if operator == ".":
            return build.symbol(".")
        if operator not in ("+", "-", "!", "~"):
            raise self.trouble()
        return build.call(operator, [("", self.expression(_SIGN if operator in "+-" else _STRENGTH[operator]))])

    def call(self, function: Any, bracket: str) -> Any:
        """Read the arguments of a call or an index."""
        self.at += 1
        close, arguments = {"(": ")", "[": "]"}[bracket], []
        while self.peek() != close:
            name = ""
            if [t.text for t in self.tokens[self.at + 1 : self.at + 2]] == ["="]:
                name, self.at = self.tokens[self.at].text, self.at + 2
            missing = self.peek() in (",", close)
            arguments.append((name, build.make("MISSINGARG") if missing else self.expression(0)))
            if self.peek() != close:
                self.take(",")
                if self.peek() == close:
                    arguments.append(("", build.make("MISSINGARG")))
        self.at += 1
        if bracket == "[":
            return build.call("[", [("", function), *arguments])
        return build.pairlist([("", function), *arguments], "LANG")


# ---- calls of pyrrf ------------------------------------------------------------------------------


def call_of(text: str, function: str) -> Any:
    """Return the call of a fit, which is text of Python or, of a fit from R, of R.

    A value that the text does not show whole becomes the name of its argument.
    """
    try:
        (statement,) = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return _r_call(text, function)
    found = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(found, ast.Call):
        return _r_call(text, function)
    places = ["formula" if _is_code(found.args) else "x", "y"]
    given = [*zip(places, found.args, strict=False), *((part.arg or "", part.value) for part in found.keywords)]
    try:
        arguments = [(_r_name(name), _argument(name, node)) for name, node in given]
    except ValueError:
        return _r_call(text, function)
    return build.call(function, arguments)


def _is_code(nodes: Sequence[ast.expr]) -> bool:
    return bool(nodes) and isinstance(nodes[0], ast.Constant) and isinstance(nodes[0].value, str)


def _r_name(name: str) -> str:
    return name.replace("_", ".") if name in _DOTTED else name


def _r_call(text: str, function: str) -> Any:
    try:
        return parse_code(text)
    except ValueError:
        return build.call(function, [])


def _argument(name: str, node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return build.logicals([_WORDS[node.id]]) if node.id in _WORDS else build.symbol(node.id)
    value = ast.literal_eval(node)
    if name in _CODE and isinstance(value, str):
        return parse_code(value)
    if name == "na_action" and isinstance(value, str):
        return build.symbol(value.replace("_", "."))
    if name == "feaIni" and isinstance(value, list) and all(isinstance(part, int) for part in value):
        value = [part + 1 for part in value]
    return _constant(name, value)


def _constant(name: str, value: Any) -> Any:
    """Return a constant, or a call of c() for several."""
    if value is None:
        return build.null()
    if isinstance(value, bool):
        return build.logicals([value])
    if isinstance(value, int | float):
        return build.doubles([value])
    if isinstance(value, str):
        return build.texts([value])
    if value is Ellipsis:
        return build.symbol(re.sub(r"\W", ".", _r_name(name)))
    parts = list(value.items()) if isinstance(value, dict) else [("", part) for part in value]
    if any(part is Ellipsis for _, part in parts):
        return build.symbol(re.sub(r"\W", ".", _r_name(name)))
    return build.call("c", [(str(label), _constant(name, part)) for label, part in parts])
