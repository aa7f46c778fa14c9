"""R read by tree-sitter's grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pyrrf.migrate.parse import rast
from pyrrf.rbase.numbers import read_number
from pyrrf.rbase.vectors import MOST_INTEGER
from pyrrf.rlang.tokens import ESCAPES

if TYPE_CHECKING:
    from tree_sitter import Node as Raw

_CONSTANTS = {"true": "TRUE", "false": "FALSE", "null": "NULL", "na": "NA", "nan": "NaN", "inf": "Inf"}
_WORDS = {name: str(value).upper() for name, value in rast.WORDS.items()}
# An error inside of these damages one statement of theirs, not all.
_OUTER = ("program", "braced_expression", "for_statement", "while_statement", "repeat_statement", "if_statement")
_LEFT, _RIGHT = ("<-", "<<-", "=", ":="), ("->", "->>")


def parse(text: str, bound: frozenset[str] = frozenset()) -> rast.Script:
    """Read a script.

    Parameters
    ----------
    text : str
    bound : frozenset of str, optional
        The names among T and F that other files assign.

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
    body = _with_assignments(body)
    free = frozenset(_WORDS.keys() & rast.names_in(*body) - bound_words(body) - bound)
    body = [_with_constants(node, free) for node in body] if free else body
    return rast.Script(body, comments, set(comments) - code, code, root.has_error)


def bound_words(body: Sequence[rast.Node]) -> frozenset[str]:
    """Return the names among T and F that statements assign; R allows that."""
    return frozenset(name for inner in rast.walk(*body) for name in _bound(inner)) & _WORDS.keys()


def _bound(node: rast.Node) -> Sequence[str]:
    """Return the names that a piece of code itself binds."""
    if isinstance(node, rast.Assign):
        return [rast.target_name(node.target)]
    if isinstance(node, rast.For):
        return [node.variable]
    return node.words if isinstance(node, rast.Function) else []


def _with_assignments(body: list[rast.Node]) -> list[rast.Node]:
    """Return statements in which ``assign("x", value)`` is ``x <- value``, unless the script has its own `assign`."""
    inner = rast.walk(*body)
    calls = [node for node in inner if rast.function_name(node) == "assign"]
    own = any("assign" in _bound(node) for node in inner)
    return [rast.rewrite(node, _as_assignment) for node in body] if calls and not own else body


def _as_assignment(node: rast.Node) -> rast.Node:
    if not isinstance(node, rast.Call) or rast.function_name(node) != "assign" or len(node.args) != 2:
        return node
    (first, name), (second, value) = ((arg.name, arg.value) for arg in node.args)
    if not isinstance(name, rast.Text) or value is None or first not in (None, "x") or second not in (None, "value"):
        return node
    target = rast.Name(name.first, name.last, name.text, name.value)
    return rast.Assign(node.first, node.last, node.text, target, value, outer=False)


def _with_constants(node: rast.Node, words: frozenset[str]) -> rast.Node:
    """Return code in which T or F is a constant."""

    def change(node: rast.Node) -> rast.Node:
        if not isinstance(node, rast.Name) or node.name not in words:
            return node
        return rast.Constant(node.first, node.last, node.text, _WORDS[node.name])

    return rast.rewrite(node, change)


def _scan(raw: Raw, comments: dict[int, str], code: set[int]) -> None:
    """Collect comments, and the lines on which code stands."""
    if raw.type == "comment":
        comments[_first(raw)] = _text(raw)
    elif raw.child_count == 0 or raw.type == "string":
        if raw.end_byte > raw.start_byte:
            code.update(range(_first(raw), _last(raw) + 1))
    else:
        for child in raw.children:
            _scan(child, comments, code)


def _text(raw: Raw) -> str:
    return (raw.text or b"").decode()


def _first(raw: Raw) -> int:
    return raw.start_point[0] + 1


def _last(raw: Raw) -> int:
    return raw.end_point[0] + 1


def _place(raw: Raw) -> tuple[int, int, str]:
    return _first(raw), _last(raw), _text(raw)


def _damaged_node(raw: Raw) -> rast.Node:
    return rast.Damaged(*_place(raw))


def _statements(raw: Raw) -> list[rast.Node]:
    """Read statements one by one; a statement on a damaged line is damaged."""
    inner = [child for child in raw.children if child.is_named and child.type not in ("comment", "comma")]
    damaged = {line for child in inner if child.type == "ERROR" for line in range(_first(child), _last(child) + 1)}
    return [
        rast.Damaged(*_place(child)) if damaged & {*range(_first(child), _last(child) + 1)} else _node(child)
        for child in inner
    ]


def _node(raw: Raw) -> rast.Node:
    """Turn a node of the grammar into one of ours."""
    if raw.has_error and raw.type not in _OUTER:
        return _damaged_node(raw)
    reader = _READERS.get(raw.type, _damaged_node)
    try:
        return reader(raw)
    except LookupError:  # the script ends where something is to follow
        return _damaged_node(raw)


def _part(raw: Raw, name: str) -> Raw:
    child = raw.child_by_field_name(name)
    if child is None:
        raise LookupError(name)
    return child


def _field(raw: Raw, name: str) -> rast.Node:
    return _node(_part(raw, name))


def _optional(raw: Raw, name: str) -> rast.Node | None:
    child = raw.child_by_field_name(name)
    return None if child is None else _node(child)


def _number(raw: Raw) -> rast.Node:
    text = _text(raw)
    value = read_number(text.rstrip("L"))
    if value is None:
        return _damaged_node(raw)
    return rast.Number(*_place(raw), value, text.endswith("L") and abs(value) <= MOST_INTEGER and value == int(value))


_RAW = re.compile(r"[rR][\"'](-*)[\[({](.*)[\])}]\1[\"']", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u\{?[0-9a-fA-F]{1,4}\}?|U\{?[0-9a-fA-F]{1,8}\}?|.)", re.DOTALL)


def _string(raw: Raw) -> rast.Node:
    text = _text(raw)
    bare = _RAW.fullmatch(text)
    if bare:
        return rast.Text(*_place(raw), bare[2])
    try:
        return rast.Text(*_place(raw), _ESCAPE.sub(_unescape, text[1:-1]))
    except ValueError:
        return _damaged_node(raw)


def _unescape(match: re.Match[str]) -> str:
    """Return the letter of an escape: a backslash and the characters behind it."""
    code = match[1]
    if code[0] in "xuU" and len(code) > 1:
        return chr(int(code[1:].strip("{}"), 16))
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code not in ESCAPES and code not in "'` \n":
        raise ValueError(code)
    return ESCAPES.get(code, code)


def _name(raw: Raw) -> rast.Node:
    return rast.Name(*_place(raw), _bare(_text(raw)))


def _constant(raw: Raw) -> rast.Node:
    text = _text(raw)
    return rast.Constant(*_place(raw), text if text.startswith("NA_") else _CONSTANTS[raw.type])


def _bare(name: str) -> str:
    """Return a name without its quotes."""
    return name[1:-1] if len(name) > 1 and name[0] in "`\"'" and name[-1] == name[0] else name


def _args(raw: Raw) -> list[rast.Arg]:
    """Read arguments; between two commas may be nothing."""
    args: list[rast.Arg] = []
    empty = True
    for child in raw.children[1:-1]:
        if child.type == "comma":
            if empty:
                args.append(rast.Arg(None, None))
            empty = True
        elif child.type == "argument":
            name = child.child_by_field_name("name")
            args.append(rast.Arg(None if name is None else _bare(_text(name)), _optional(child, "value")))
            empty = False
    if empty and args:
        args.append(rast.Arg(None, None))
    return args


def _call(raw: Raw) -> rast.Node:
    return rast.Call(*_place(raw), _field(raw, "function"), _args(_part(raw, "arguments")))


def _index(raw: Raw) -> rast.Node:
    args = _args(_part(raw, "arguments"))
    return rast.Index(*_place(raw), _field(raw, "function"), args, raw.type == "subset2")


def _member(raw: Raw) -> rast.Node:
    name = _bare(_text(_part(raw, "rhs")))
    operator = _text(_part(raw, "operator"))
    if operator == "@":  # a call of it: a slot is no component
        slot = rast.Text(*_place(_part(raw, "rhs")), name)
        function = rast.Name(*_place(_part(raw, "operator")), "@")
        return rast.Call(*_place(raw), function, [rast.Arg(None, _field(raw, "lhs")), rast.Arg(None, slot)])
    return rast.Member(*_place(raw), _field(raw, "lhs"), name)


def _binary(raw: Raw) -> rast.Node:
    operator = _text(_part(raw, "operator"))
    left, right = _field(raw, "lhs"), _field(raw, "rhs")
    if operator in _LEFT:
        return rast.Assign(*_place(raw), left, right, operator == "<<-")
    if operator in _RIGHT:
        return rast.Assign(*_place(raw), right, left, operator == "->>")
    if operator in ("|>", "%>%"):
        return _pipe_call(raw, left, right)
    return rast.Binary(*_place(raw), "^" if operator == "**" else operator, left, right)


def _pipe_call(raw: Raw, left: rast.Node, right: rast.Node) -> rast.Node:
    """Return ``left %>% right``: `left` in the place of a dot, or else as the first argument."""
    piped = _text(_part(raw, "operator")) == "%>%"
    if isinstance(right, rast.Member) and rast.word(right.of) == ".":
        return rast.Member(*_place(raw), left, right.name)
    if isinstance(right, rast.Name):
        return rast.Call(*_place(raw), right, [rast.Arg(None, left, piped)])
    if not isinstance(right, rast.Call):
        return _damaged_node(raw)
    dots = [arg for arg in right.args if isinstance(arg.value, rast.Name) and arg.value.name in (".", "_")]
    if not dots and any(map(_names_dot, rast.values(right.args))):
        return _damaged_node(raw)
    args = [rast.Arg(arg.name, left, piped) if arg in dots else arg for arg in right.args]
    return rast.Call(*_place(raw), right.function, args if dots else [rast.Arg(None, left, piped), *args])


def _names_dot(node: rast.Node) -> bool:
    """Whether the dot of a pipe stands in code; dots of formulas and of funs() do not count."""
    if isinstance(node, rast.Name):
        return node.name == "."
    own = rast.is_formula(node) or rast.function_name(node) == "funs"
    return not own and any(map(_names_dot, rast.children(node)))


def _unary(raw: Raw) -> rast.Node:
    return rast.Unary(*_place(raw), _text(_part(raw, "operator")), _field(raw, "rhs"))


def _read_brackets(raw: Raw) -> rast.Node:
    inner = [child for child in raw.children if child.is_named and child.type != "comment"]
    node = _node(inner[0]) if len(inner) == 1 else _damaged_node(raw)
    # Brackets print a value that R would not print.
    if isinstance(node, rast.Assign | rast.Call):
        return rast.Call(*_place(raw), rast.Name(*_place(raw)[:2], "(", "("), [rast.Arg(None, node)])
    return replace(node, text=_text(raw))


def _block(raw: Raw) -> rast.Node:
    return rast.Block(*_place(raw), _statements(raw))


def _if(raw: Raw) -> rast.Node:
    return rast.If(*_place(raw), _field(raw, "condition"), _field(raw, "consequence"), _optional(raw, "alternative"))


def _for(raw: Raw) -> rast.Node:
    variable = _bare(_text(_part(raw, "variable")))
    return rast.For(*_place(raw), variable, _field(raw, "sequence"), _field(raw, "body"))


def _while(raw: Raw) -> rast.Node:
    return rast.While(*_place(raw), _optional(raw, "condition"), _field(raw, "body"))


def _jump(raw: Raw) -> rast.Node:
    return rast.Jump(*_place(raw), raw.type)


def _function(raw: Raw) -> rast.Node:
    params = [
        rast.Arg(_bare(_text(_part(child, "name"))), _optional(child, "default"))
        for child in _part(raw, "parameters").children
        if child.type == "parameter"
    ]
    return rast.Function(*_place(raw), params, _field(raw, "body"))


def _qualified_name(raw: Raw) -> rast.Node:
    """Read pkg::name as one name."""
    package, name = (_bare(_text(_part(raw, side))) for side in ("lhs", "rhs"))
    return rast.Name(*_place(raw), f"{package}::{name}")


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
    "parenthesized_expression": _read_brackets,
    "braced_expression": _block,
    "if_statement": _if,
    "for_statement": _for,
    "while_statement": _while,
    "repeat_statement": _while,
    "break": _jump,
    "next": _jump,
    "function_definition": _function,
    "namespace_operator": _qualified_name,
}
