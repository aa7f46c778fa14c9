"""The steps that compute an expression, operands before what is computed from them.

The steps are those of a stack: they nest no deeper for a long sum, and nothing of the text reaches Python's own parser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyrrf.errors import bad
from pyrrf.rlang.tree import Node, fold, postorder

SIGNS = frozenset("+ - * / ^ %% %/% // ! & | == != < <= > >= %in%".split())
"""All operators of a term."""
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


Leaf = Callable[[Node, bool], list[Step]]
"""Gives the steps of a name; whether it is called is the second argument."""


def steps_of(tree: Node, leaf: Leaf) -> tuple[Step, ...]:
    """Return the steps that compute an expression.

    Parameters
    ----------
    tree : Node
    leaf : callable
        What a name stands for. The last step of a name that is called becomes the call.

    Raises
    ------
    ValueError
        It holds what terms do not take.
    """
    called = {id(node.parts[0]) for node in postorder(tree) if node.kind == "call"}

    def make(node: Node, parts: list[list[Step]]) -> list[Step]:
        if node.kind in ("name", "quoted"):
            return leaf(node, id(node) in called)
        if node.kind in ("number", "string"):
            return [Step(node.kind, node.text)]
        return _joined(node, parts)

    # What stands in the brackets of an index is read, and not computed.
    found: list[Step] = fold(tree, make, lambda node: node.parts[:1] if node.kind == "index" else node.parts)
    return tuple(found)


def _joined(node: Node, parts: list[list[Step]]) -> list[Step]:
    steps = [step for part in parts for step in part]
    if node.kind == "call":
        return _call(node, parts[0], steps[len(parts[0]) :])
    if node.kind == "sign":
        _given(node.parts)
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
    """Return arguments, of which the last may be left out behind a comma."""
    return _given(nodes[:-1] if len(nodes) > 1 and nodes[-1].kind == "empty" else nodes)


def _given(nodes: Sequence[Node]) -> Sequence[Node]:
    if any(node.kind == "empty" for node in nodes):
        raise bad.formula("an argument is left out; write it")
    return nodes


def _index(nodes: Sequence[Node]) -> Any:
    """Return what stands in ``[ ]``: one number, one text, or limits with ``:`` between them."""
    limits = list(nodes[:1])
    while limits and limits[0].kind == "sign" and limits[0].text == ":":
        limits[:1] = limits[0].parts
    if [node.kind for node in nodes] == ["string"]:
        return nodes[0].text
    found = [_limit(node) for node in limits]
    if len(nodes) != 1 or not 1 <= len(limits) <= 3 or found == [None]:
        raise _no_index()
    return found[0] if len(found) == 1 else slice(*found)


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
