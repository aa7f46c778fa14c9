"""R's syntax as small nodes: what the grammar's tree says, without brackets, commas and fields."""

from __future__ import annotations

from dataclasses import dataclass, field

# Names of R that hold what they seem to say, unless a script assigns them.
WORDS = {"T": True, "F": False}


@dataclass(frozen=True, eq=False)
class Node:
    """A piece of R code.

    Parameters
    ----------
    first, last : int
        Its lines, from 1.
    text : str
        As it stands in the script.
    """

    first: int
    last: int
    text: str


@dataclass(frozen=True, eq=False)
class Number(Node):
    """A number; `whole` after an L or without a fraction."""

    value: float
    whole: bool


@dataclass(frozen=True, eq=False)
class Text(Node):
    """A string."""

    value: str


@dataclass(frozen=True, eq=False)
class Constant(Node):
    """TRUE, FALSE, NULL, NA, NaN or Inf."""

    name: str


@dataclass(frozen=True, eq=False)
class Name(Node):
    """A name."""

    name: str


@dataclass(frozen=True, eq=False)
class Arg:
    """An argument of a call or of brackets; `value` is None where nothing stands."""

    name: str | None
    value: Node | None


@dataclass(frozen=True, eq=False)
class Call(Node):
    """A call."""

    function: Node
    args: list[Arg]


@dataclass(frozen=True, eq=False)
class Index(Node):
    """``of[args]`` or, `double`, ``of[[args]]``."""

    of: Node
    args: list[Arg]
    double: bool


@dataclass(frozen=True, eq=False)
class Member(Node):
    """``of$name``."""

    of: Node
    name: str


@dataclass(frozen=True, eq=False)
class Unary(Node):
    """An operator before its operand; ``~`` too."""

    operator: str
    operand: Node


@dataclass(frozen=True, eq=False)
class Binary(Node):
    """An operator between two operands."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, eq=False)
class Assign(Node):
    """``target <- value``; `outer` for ``<<-``."""

    target: Node
    value: Node
    outer: bool


@dataclass(frozen=True, eq=False)
class Block(Node):
    """Statements in braces."""

    body: list[Node]


@dataclass(frozen=True, eq=False)
class If(Node):
    """A condition, as a statement or for its value."""

    condition: Node
    then: Node
    otherwise: Node | None


@dataclass(frozen=True, eq=False)
class For(Node):
    """A loop over a sequence."""

    variable: str
    sequence: Node
    body: Node


@dataclass(frozen=True, eq=False)
class While(Node):
    """A loop; `condition` is None for ``repeat``."""

    condition: Node | None
    body: Node


@dataclass(frozen=True, eq=False)
class Jump(Node):
    """``break`` or ``next``."""

    word: str


@dataclass(frozen=True, eq=False)
class Function(Node):
    """A function: names of the parameters with their defaults, and the body."""

    params: list[Arg]
    body: Node


@dataclass(frozen=True, eq=False)
class Damaged(Node):
    """What the grammar does not know."""


@dataclass(frozen=True)
class Script:
    """A script: its statements, its comments by line, lines with code, and whether a part is not in the grammar."""

    body: list[Node]
    comments: dict[int, str]
    alone: set[int]
    code: set[int] = field(default_factory=set)
    damaged: bool = False


def children(node: Node) -> list[Node]:
    """Return the nodes directly under a node."""
    found: list[Node | None] = []
    for value in vars(node).values():
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, list):
            found += [item.value if isinstance(item, Arg) else item for item in value]
    return [child for child in found if child is not None]


def walk(node: Node) -> list[Node]:
    """Return a node and all nodes under it."""
    return [node] + [inner for child in children(node) for inner in walk(child)]


def function_name(node: Node) -> str:
    """Return the name of the function that a call is of; empty if it is no name."""
    return node.function.name if isinstance(node, Call) and isinstance(node.function, Name) else ""
