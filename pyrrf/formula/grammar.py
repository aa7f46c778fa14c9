"""Compilation of a syntax tree into steps of a stack machine, operands first.

The steps of a long sum are not nested, and no text is passed to Python's parser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyrrf.errors import bad
from pyrrf.rlang.tree import Node, fold, postorder

SIGNS = frozenset("+ - * / ^ %% %/% // ! & | == != < <= > >= %in%".split())
"""Operators that terms support."""
_INSTEAD = {"&&": "&", "||": "|", "and": "&", "or": "|", "in": "%in%", "%": "%%", "~": "!"}
_INSTEAD |= dict.fromkeys("$@", "the name of the column")
REFUSED = {sign: f"{sign!r} is not understood inside a term; use {other}" for sign, other in _INSTEAD.items()}
REFUSED |= {
    sign: f"R reads {sign!r} as an assignment; write a space, as in 'a < -1', or '=='"
    for sign in ("<-", "<<-", "->", "=")
}


@dataclass(frozen=True)
class Step:
    """One step of a computation.

    Parameters
    ----------
    kind : str
        "number", "string", "sign" (an operator), "attribute", "method", "index" or "list"; for names "column",
        "constant", "object", and where they are called "call" for functions of R and "own" for those of the caller.
    value : object
        The name, the text of the number, the operator; the item or slice of an index.
    count : int, default 0
        Number of operands, without the object of a method.
    keywords : tuple of str, default ()
        Names of the last operands.
    """

    kind: str
    value: Any
    count: int = 0
    keywords: tuple[str, ...] = ()


Leaf = Callable[[Node, bool], list[Step]]
"""A function that returns the steps of a name; its second argument is whether the name is called."""


def compile_steps(tree: Node, leaf: Leaf) -> tuple[Step, ...]:
    """Return the steps that compute an expression.

    Parameters
    ----------
    tree : Node
    leaf : callable
        Function for the steps of a name. The last step of a name that is called becomes the call.

    Raises
    ------
    ValueError
        The tree has syntax that terms do not support.
    """
    called = {id(node.parts[0]) for node in postorder(tree) if node.kind == "call"}

    def make(node: Node, parts: list[list[Step]]) -> list[Step]:
        if node.kind in ("name", "quoted"):
            return leaf(node, id(node) in called)
        if node.kind in ("number", "string"):
            return [Step(node.kind, node.text)]
        return _node_steps(node, parts)

    # The index in brackets is a constant, which has no steps.
    steps: list[Step] = fold(tree, make, lambda node: node.parts[:1] if node.kind == "index" else node.parts)
    return tuple(steps)


def _node_steps(node: Node, parts: list[list[Step]]) -> list[Step]:
    steps = [step for operand_steps in parts for step in operand_steps]
    if node.kind == "call":
        return _call(node, parts[0], steps[len(parts[0]) :])
    if node.kind == "sign":
        _check_not_empty(node.parts)
        return [*steps, Step("sign", node.text, len(parts))]
    if node.kind == "attribute":
        return steps + [Step("attribute", name) for name in node.text[1:].split(".")]
    if node.kind == "list":
        return [*steps, Step("list", None, len(_arguments(node.parts)))]
    return [*steps, Step("index", _index(node.parts[1:]))] if node.kind == "index" else steps


def _call(node: Node, function: list[Step], steps: list[Step]) -> list[Step]:
    called = function[-1]
    if node.parts[0].kind not in ("name", "quoted", "attribute"):
        raise bad.formula("a call of an unnamed function, which terms do not accept")
    if called.kind not in ("call", "own", "attribute"):
        raise bad.formula(f"{called.value!r} is not a function")
    count = len(_arguments(node.parts[1:]))
    names = node.names[:count]
    keywords = tuple(name for name in names if name)
    if any(names[: count - len(keywords)]):
        raise bad.formula(f"an argument without a name comes after {keywords[0]!r}; write it before")
    kind = "method" if called.kind == "attribute" else called.kind
    return [*function[:-1], *steps, Step(kind, called.value, count, keywords)]


def _arguments(nodes: Sequence[Node]) -> Sequence[Node]:
    """Return the arguments; the last may be empty behind a comma."""
    return _check_not_empty(nodes[:-1] if len(nodes) > 1 and nodes[-1].kind == "empty" else nodes)


def _check_not_empty(nodes: Sequence[Node]) -> Sequence[Node]:
    if any(node.kind == "empty" for node in nodes):
        raise bad.formula("an argument is left out; write it")
    return nodes


def _index(nodes: Sequence[Node]) -> Any:
    """Return the index in ``[ ]``: one number, one text, or a slice."""
    limits = list(nodes[:1])
    while limits and limits[0].kind == "sign" and limits[0].text == ":":
        limits[:1] = limits[0].parts
    if [node.kind for node in nodes] == ["string"]:
        return nodes[0].text
    numbers = [_limit(node) for node in limits]
    if len(nodes) != 1 or not 1 <= len(limits) <= 3 or numbers == [None]:
        raise _no_index()
    return numbers[0] if len(numbers) == 1 else slice(*numbers)


def _limit(node: Node) -> int | None:
    if node.kind == "empty":
        return None
    negative = node.kind == "sign" and node.text == "-" and len(node.parts) == 1
    number = node.parts[0] if negative else node
    if number.kind != "number" or not number.text.isdecimal():
        raise _no_index()
    return -int(number.text) if negative else int(number.text)


def _no_index() -> Exception:
    return bad.formula("an index that is not one number or one text, which terms do not take")
