"""Calls as R's match.call() and deparse() spell them, from the text of a script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pyrrf.r.values.vector import Value, objects
from pyrrf.rbase.numbers import number_text
from pyrrf.rlang.deparse import string_text
from pyrrf.rlang.tokens import Token, double_of, scan, unquote

_WIDTH = 60
# With blanks around; the others have none.
_WIDE = {"+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "&", "|", "&&", "||", "~", "<-", "<<-", "->", "=", "?"}
_OPEN, _CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
_WORDS = {"if", "else", "for", "while", "in", "function", "repeat"}
# A string or a quoted name, which stays, or a comment.
_COMMENT = re.compile(r"""("[^"\n]*"?|'[^'\n]*'?|`[^`\n]*`?)|#[^\n]*""")


@dataclass
class _Bit:
    """A piece of a call, and whether a line may end behind it: at a comma or at an operator."""

    text: str
    ends: str = ""


def matched_call(function: str, text: str, formals: Iterable[str], after: Iterable[str] = ()) -> Value:
    """Return a call as R's match.call() gives it: arguments with their names, in the order of the function.

    `formals` and `after` are the arguments before and behind ``...``.
    """
    given = arguments_of(text)
    first, last = list(formals), list(after)
    matched: dict[str, list[Token]] = {}
    waiting: list[tuple[str, list[Token]]] = []
    for name, tokens in given:
        full = _complete_name(name, first, last)
        if full and full not in matched:
            matched[full] = tokens
        else:
            waiting.append((name, tokens))
    rest: list[tuple[str, list[Token]]] = []
    free = [name for name in first if name not in matched]
    for name, tokens in waiting:
        if not name and free:
            matched[free.pop(0)] = tokens
        else:
            rest.append((name, tokens))
    ordered = [(n, matched[n]) for n in first if n in matched] + rest + [(n, matched[n]) for n in last if n in matched]
    parts = [f"{_name_code(name)}{join_tokens(tokens)}" for name, tokens in ordered]
    return Value("language", objects([f"{function}({', '.join(parts)})"]))


def _name_code(name: str) -> str:
    if not name:
        return ""
    plain = scan(name) == [Token("name", name)]
    return f"{name} = " if plain else f"`{name}` = "


def _complete_name(name: str, first: list[str], last: list[str]) -> str:
    """Return the argument that a name or the beginning of one means; '' if it means none."""
    if name in first or name in last:
        return name
    near = [formal for formal in first if name and formal.startswith(name)]
    return near[0] if len(near) == 1 else ""


def arguments_of(text: str) -> list[tuple[str, list[Token]]]:
    """Return the arguments of a call as it is written: their names, '' without one, and their tokens."""
    tokens = scan(_COMMENT.sub(lambda match: match[1] or "", text))
    start = next((i for i, token in enumerate(tokens) if token.text == "("), len(tokens))
    arguments: list[tuple[str, list[Token]]] = []
    depth = 0
    item: list[Token] = []
    for token in tokens[start + 1 :]:
        if token.kind == "operator" and token.text in _CLOSE and depth == 0:
            break
        if token.kind == "operator":
            depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if token.text == "," and depth == 0 and token.kind == "operator":
            arguments.append(_argument(item))
            item = []
        else:
            item.append(token)
    if item:
        arguments.append(_argument(item))
    return arguments


def _argument(tokens: list[Token]) -> tuple[str, list[Token]]:
    if len(tokens) > 1 and tokens[1] == Token("operator", "=") and tokens[0].kind in ("name", "quoted", "string"):
        name = tokens[0].text
        return unquote(name) if tokens[0].kind == "string" else name, tokens[2:]
    return "", tokens


# ---- spelling ------------------------------------------------------------------------------------


def join_tokens(tokens: list[Token]) -> str:
    """Return code in one line."""
    return "".join(bit.text for bit in _bits(tokens))


def deparsed_lines(text: str) -> list[str]:
    """Return a call in the lines that R's deparse() breaks it into."""
    lines, line, indents, extra = [], "", [0], 0
    for bit in _bits(scan(text)):
        if not line:
            line = "    " * min(4, sum(indents) + extra)
            extra = 0
        line += bit.text
        if bit.text.endswith(("(", "[")):
            indents.append(0)
        elif bit.text.startswith((")", "]")) and len(indents) > 1:
            indents.pop()
        if bit.ends and len(line) > _WIDTH:
            if bit.ends == ",":
                indents[-1] = 1
            else:
                extra = 1
            lines.append(line)
            line = ""
    return [*lines, line]


def _bits(tokens: list[Token]) -> list[_Bit]:
    out: list[_Bit] = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else None
        named = token.kind == "string" and i + 1 < len(tokens) and tokens[i + 1] == Token("operator", "=")
        out.append(_Bit(_name_code(unquote(token.text)).removesuffix(" = ")) if named else _bit(token, before))
    return out


def _bit(token: Token, before: Token | None) -> _Bit:
    if token.kind == "string":
        return _Bit(string_text(unquote(token.text)))
    if token.kind == "number":
        whole = token.text.endswith("L")
        return _Bit(token.text if whole else number_text(double_of(token.text)))
    if token.kind != "operator":
        return _Bit(f"{token} " if token.text in _WORDS and token.text != "function" else str(token))
    if token.text == ",":
        return _Bit(", ", ",")
    if token.text == "**":
        return _Bit("^")
    if token.text.startswith("%"):
        return _Bit(f" {token.text} ", "o")
    if token.text not in _WIDE:
        return _Bit(token.text)
    if token.text in ("+", "-", "~", "!", "?") and _is_prefix(before):
        return _Bit(token.text)
    return _Bit(f" {token.text} ", "" if token.text == "=" else "o")


def _is_prefix(before: Token | None) -> bool:
    """Return whether an operator behind this has no left side."""
    return before is None or (before.kind == "operator" and before.text not in {*_CLOSE, "."})
