"""R read by tree-sitter's grammar."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pyrrf.migrate.tree import (
    WORDS,
    Arg,
    Assign,
    Binary,
    Block,
    Call,
    Constant,
    Damaged,
    For,
    Function,
    If,
    Index,
    Jump,
    Member,
    Name,
    Node,
    Number,
    Script,
    Text,
    Unary,
    While,
    children,
    walk,
)
from pyrrf.rbase.numbers import read_number
from pyrrf.rlang.tokens import ESCAPES

_CONSTANTS = {"true": "TRUE", "false": "FALSE", "null": "NULL", "na": "NA", "nan": "NaN", "inf": "Inf"}
_WORDS = {name: str(value).upper() for name, value in WORDS.items()}
# An error inside of these damages one statement of theirs, not all.
_OUTER = ("program", "braced_expression", "for_statement", "while_statement", "repeat_statement", "if_statement")
_LEFT, _RIGHT = ("<-", "<<-", "=", ":="), ("->", "->>")


def parse(text: str) -> Script:
    """Read a script.

    Parameters
    ----------
    text : str

    Returns
    -------
    Script

    Raises
    ------
    ImportError
        tree-sitter-language-pack is not installed.
    """
    try:
        from tree_sitter_language_pack import get_parser
    except ImportError as error:
        raise ImportError('pyrrf migrate needs tree-sitter-language-pack; pip install "pyrrf[migrate]"') from error
    root = get_parser("r").parse(text.encode()).root_node
    comments: dict[int, str] = {}
    code: set[int] = set()
    _scan(root, comments, code)
    body = _statements(root)
    bound = {name for node in body for inner in walk(node) for name in _bound_words(inner)}
    body = [_with_names(node, bound) for node in body] if bound else body
    return Script(body, comments, set(comments) - code, code, root.has_error)


def _bound_words(node: Node) -> set[str]:
    """Return which of T and F, which R lets a script assign, a piece of code binds."""
    if isinstance(node, Assign):
        return {node.target.text} & _WORDS.keys()
    if isinstance(node, For):
        return {node.variable} & _WORDS.keys()
    return {param.name for param in node.params if param.name} & _WORDS.keys() if isinstance(node, Function) else set()


def _with_names(part: Any, words: set[str]) -> Any:
    """Return code in which T or F is a name."""
    if isinstance(part, Constant) and part.text in words:
        return Name(part.first, part.last, part.text, part.text)
    if isinstance(part, list):
        return [_with_names(item, words) for item in part]
    if not isinstance(part, Node | Arg):
        return part
    return replace(part, **{name: _with_names(value, words) for name, value in vars(part).items()})


def _scan(raw: Any, comments: dict[int, str], code: set[int]) -> None:
    """Collect comments, and the lines on which code stands."""
    if raw.type == "comment":
        comments[_first(raw)] = _text(raw)
    elif raw.child_count == 0 or raw.type == "string":
        if raw.end_byte > raw.start_byte:
            code.update(range(_first(raw), _last(raw) + 1))
    else:
        for child in raw.children:
            _scan(child, comments, code)


def _text(raw: Any) -> str:
    return str(raw.text.decode())


def _first(raw: Any) -> int:
    return int(raw.start_point[0]) + 1


def _last(raw: Any) -> int:
    return int(raw.end_point[0]) + 1


def _place(raw: Any) -> tuple[int, int, str]:
    return _first(raw), _last(raw), _text(raw)


def _statements(raw: Any) -> list[Node]:
    """Read statements one by one; what stands on a line that is damaged is damaged."""
    inner = [child for child in raw.children if child.is_named and child.type not in ("comment", "comma")]
    damaged = {line for child in inner if child.type == "ERROR" for line in range(_first(child), _last(child) + 1)}
    return [
        Damaged(*_place(child)) if damaged & {*range(_first(child), _last(child) + 1)} else _node(child)
        for child in inner
    ]


def _node(raw: Any) -> Node:
    """Turn a node of the grammar into one of ours."""
    if raw.has_error and raw.type not in _OUTER:
        return Damaged(*_place(raw))
    reader = _READERS.get(raw.type)
    return reader(raw) if reader else Damaged(*_place(raw))


def _field(raw: Any, name: str) -> Node:
    return _node(raw.child_by_field_name(name))


def _optional(raw: Any, name: str) -> Node | None:
    child = raw.child_by_field_name(name)
    return None if child is None else _node(child)


def _number(raw: Any) -> Node:
    text = _text(raw).rstrip("L")
    value = read_number(text)
    if value is None:
        return Damaged(*_place(raw))
    return Number(*_place(raw), value, value == int(value) if abs(value) < 2**53 else False)


_RAW = re.compile(r"[rR][\"'](-*)[\[({](.*)[\])}]\1[\"']", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u\{?[0-9a-fA-F]{1,4}\}?|U\{?[0-9a-fA-F]{1,8}\}?|.)", re.DOTALL)


def _string(raw: Any) -> Node:
    text = _text(raw)
    bare = _RAW.fullmatch(text)
    if bare:
        return Text(*_place(raw), bare[2])
    try:
        return Text(*_place(raw), _ESCAPE.sub(_unescaped, text[1:-1]))
    except ValueError:
        return Damaged(*_place(raw))


def _unescaped(found: re.Match[str]) -> str:
    """Return the letter that a backslash and what follows stand for."""
    code = found[1]
    if code[0] in "xuU" and len(code) > 1:
        return chr(int(code[1:].strip("{}"), 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code not in ESCAPES and code not in "'` \n":
        raise ValueError(code)
    return ESCAPES.get(code, code)


def _name(raw: Any) -> Node:
    text = _text(raw)
    return Constant(*_place(raw), _WORDS[text]) if text in _WORDS else Name(*_place(raw), _bare(text))


def _constant(raw: Any) -> Node:
    text = _text(raw)
    return Constant(*_place(raw), text if text.startswith("NA_") else _CONSTANTS[raw.type])


def _bare(name: str) -> str:
    """Return a name without its quotes."""
    return name[1:-1] if len(name) > 1 and name[0] in "`\"'" and name[-1] == name[0] else name


def _args(raw: Any) -> list[Arg]:
    """Read arguments; between two commas may be nothing."""
    found: list[Arg] = []
    empty = True
    for child in raw.children[1:-1]:
        if child.type == "comma":
            if empty:
                found.append(Arg(None, None))
            empty = True
        elif child.type == "argument":
            name = child.child_by_field_name("name")
            found.append(Arg(None if name is None else _bare(_text(name)), _optional(child, "value")))
            empty = False
    if empty and found:
        found.append(Arg(None, None))
    return found


def _call(raw: Any) -> Node:
    return Call(*_place(raw), _field(raw, "function"), _args(raw.child_by_field_name("arguments")))


def _index(raw: Any) -> Node:
    args = _args(raw.child_by_field_name("arguments"))
    return Index(*_place(raw), _field(raw, "function"), args, raw.type == "subset2")


def _member(raw: Any) -> Node:
    name = _bare(_text(raw.child_by_field_name("rhs")))
    operator = _text(raw.child_by_field_name("operator"))
    return Member(*_place(raw), _field(raw, "lhs"), name) if operator == "$" else Damaged(*_place(raw))


def _binary(raw: Any) -> Node:
    operator = _text(raw.child_by_field_name("operator"))
    left, right = _field(raw, "lhs"), _field(raw, "rhs")
    if operator in _LEFT:
        return Assign(*_place(raw), left, right, operator == "<<-")
    if operator in _RIGHT:
        return Assign(*_place(raw), right, left, operator == "->>")
    if operator in ("|>", "%>%"):
        return _piped(raw, left, right)
    return Binary(*_place(raw), "^" if operator == "**" else operator, left, right)


def _piped(raw: Any, left: Node, right: Node) -> Node:
    """Return ``left %>% right``: `left` in the place of a dot, or else as the first argument."""
    if isinstance(right, Member) and isinstance(right.of, Name) and right.of.name == ".":
        return Member(*_place(raw), left, right.name)
    if not isinstance(right, Call):
        return Call(*_place(raw), right, [Arg(None, left)]) if isinstance(right, Name) else Damaged(*_place(raw))
    dots = [arg for arg in right.args if isinstance(arg.value, Name) and arg.value.name in (".", "_")]
    if not dots:
        inside = any(arg.value is not None and _names_dot(arg.value) for arg in right.args)
        return Damaged(*_place(raw)) if inside else Call(*_place(raw), right.function, [Arg(None, left), *right.args])
    args = [Arg(arg.name, left) if arg in dots else arg for arg in right.args]
    return Call(*_place(raw), right.function, args)


def _names_dot(node: Node) -> bool:
    """Whether the dot of a pipe stands in code; those of formulas and of funs() are others."""
    if isinstance(node, Name):
        return node.name == "."
    own = isinstance(node, Unary | Binary) and node.operator == "~"
    if own or (isinstance(node, Call) and isinstance(node.function, Name) and node.function.name == "funs"):
        return False
    return any(_names_dot(child) for child in children(node))


def _unary(raw: Any) -> Node:
    return Unary(*_place(raw), _text(raw.child_by_field_name("operator")), _field(raw, "rhs"))


def _bracketed(raw: Any) -> Node:
    inner = [child for child in raw.children if child.is_named and child.type != "comment"]
    found = _node(inner[0]) if len(inner) == 1 else Damaged(*_place(raw))
    # What R does not print, it prints in brackets.
    if isinstance(found, Assign | Call):
        return Call(*_place(raw), Name(*_place(raw)[:2], "(", "("), [Arg(None, found)])
    return replace(found, text=_text(raw))


def _block(raw: Any) -> Node:
    return Block(*_place(raw), _statements(raw))


def _if(raw: Any) -> Node:
    return If(*_place(raw), _field(raw, "condition"), _field(raw, "consequence"), _optional(raw, "alternative"))


def _for(raw: Any) -> Node:
    variable = _bare(_text(raw.child_by_field_name("variable")))
    return For(*_place(raw), variable, _field(raw, "sequence"), _field(raw, "body"))


def _while(raw: Any) -> Node:
    return While(*_place(raw), _optional(raw, "condition"), _field(raw, "body"))


def _jump(raw: Any) -> Node:
    return Jump(*_place(raw), raw.type)


def _function(raw: Any) -> Node:
    params = [
        Arg(_bare(_text(child.child_by_field_name("name"))), _optional(child, "default"))
        for child in raw.child_by_field_name("parameters").children
        if child.type == "parameter"
    ]
    return Function(*_place(raw), params, _field(raw, "body"))


def _qualified(raw: Any) -> Node:
    """Read pkg::name as the name."""
    return _field(raw, "rhs")


_READERS = {
    "float": _number,
    "integer": _number,
    "string": _string,
    "identifier": _name,
    "return": _name,
    "dots": _name,
    **dict.fromkeys(_CONSTANTS, _constant),
    "call": _call,
    "subset": _index,
    "subset2": _index,
    "extract_operator": _member,
    "binary_operator": _binary,
    "unary_operator": _unary,
    "parenthesized_expression": _bracketed,
    "braced_expression": _block,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "repeat_statement": _while,
    "break": _jump,
    "next": _jump,
    "function_definition": _function,
    "namespace_operator": _qualified,
}
