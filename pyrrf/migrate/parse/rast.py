"""Syntax tree of R, like `ast` for Python: the grammar's tree without brackets, commas and fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace

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
    """A number; `whole` if R holds it as an integer: ``1L``, but not ``1.5L`` or ``3e9L``."""

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
    """An argument of a call or of brackets; `value` is None where nothing stands. R has a dot for one that is piped."""

    name: str | None
    value: Node | None
    piped: bool = False


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

    @property
    def words(self) -> list[str]:
        """The names of its parameters."""
        return [param.name or "" for param in self.params]

    @property
    def before_dots(self) -> list[str]:
        """Parameters before ``...``, matched by position and by the beginning of their names."""
        return self.words[: self.words.index("...")] if "..." in self.words else self.words

    @property
    def defaults(self) -> dict[str, Node]:
        """The defaults of its parameters, by name."""
        return {param.name or "": param.value for param in self.params if param.value is not None}

    @property
    def code(self) -> list[Node]:
        """The body and the defaults."""
        return [self.body, *self.defaults.values()]


@dataclass(frozen=True, eq=False)
class Damaged(Node):
    """Code that the grammar does not know."""


@dataclass(frozen=True)
class Script:
    """A script: its statements, its comments by line, lines with code, and whether a part is not in the grammar."""

    body: list[Node]
    comments: dict[int, str]
    alone: set[int]
    code: set[int] = field(default_factory=set)
    damaged: bool = False


class UntranslatedError(Exception):
    """A piece of R that has no Python here; the message is the reason."""


# ---- what is asked of nodes ------------------------------------------------------------------------


def children(node: Node) -> list[Node]:
    """Return the nodes directly under a node."""
    nodes: list[Node | None] = []
    for name in _PARTS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, list):
            nodes += [item.value if isinstance(item, Arg) else item for item in value]
        else:
            nodes.append(value)
    return [child for child in nodes if child is not None]


# The fields that hold nodes.
_PARTS: dict[type, list[str]] = {
    kind: [each.name for each in fields(kind) if re.search(r"\b(Node|Arg)\b", str(each.type))]
    for kind in Node.__subclasses__()
}


def walk(*nodes: Node) -> list[Node]:
    """Return nodes and all nodes under them."""
    order, waiting = [], [*reversed(nodes)]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(children(order[-1]))
    return order


def walk_frame(node: Node) -> list[Node]:
    """Return the nodes of a piece of code; of a function written there, the function alone."""
    if isinstance(node, Function):
        return [node]
    return [node] + [inner for child in children(node) for inner in walk_frame(child)]


def assigned_names(node: Node) -> list[str]:
    """Return the names that code assigns, in order, without those in its functions."""
    names: dict[str, None] = {}
    for inner in walk_frame(node):
        if isinstance(inner, Assign):
            names.setdefault(target_name(inner.target))
        elif isinstance(inner, For):
            names.setdefault(inner.variable)
    names.pop("", None)
    return list(names)


def rewrite(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return code with each node replaced by `change`, from the leaves up."""
    parts: dict[str, object] = {}
    for key, value in vars(node).items():
        if isinstance(value, Node):
            parts[key] = rewrite(value, change)
        elif isinstance(value, list):
            parts[key] = [_rewrite_item(item, change) for item in value]
    return change(replace(node, **parts))  # type: ignore[arg-type]


def _rewrite_item(item: Arg | Node, change: Callable[[Node], Node]) -> Arg | Node:
    if isinstance(item, Node):
        return rewrite(item, change)
    return replace(item, value=None if item.value is None else rewrite(item.value, change))


def values(args: Iterable[Arg]) -> list[Node]:
    """Return the values of arguments; of an empty one there is none."""
    return [arg.value for arg in args if arg.value is not None]


def first_value(node: Call) -> Node | None:
    """Return the value of the first argument of a call."""
    return node.args[0].value if node.args else None


def word(node: Node | None) -> str:
    """Return the text of a name or a string; empty for other code."""
    return node.name if isinstance(node, Name) else node.value if isinstance(node, Text) else ""


def free_names(node: Node) -> set[str]:
    """Return the names in code but parameters and variables of the functions in it."""
    names = set().union(*map(free_names, children(node)), {node.name} if isinstance(node, Name) else ())
    return names - {*node.words, *assigned_names(node.body)} if isinstance(node, Function) else names


def names_in(*nodes: Node) -> set[str]:
    """Return the names that stand in pieces of code."""
    return {inner.name for inner in walk(*nodes) if isinstance(inner, Name)}


def function_name(node: Node | None) -> str:
    """Return the name of the function that a call is of; empty if it is no name."""
    return node.function.name if isinstance(node, Call) and isinstance(node.function, Name) else ""


def bare(name: str) -> str:
    """Return a name without the package that stands before it."""
    return name.rpartition("::")[2] or name


def is_formula(node: Node | None) -> bool:
    """Whether code is a formula."""
    return isinstance(node, Binary | Unary) and node.operator == "~"


def is_dots(node: Node | None) -> bool:
    """Whether code is ``...``."""
    return isinstance(node, Name) and node.name == "..."


def last_values(node: Node) -> list[Node]:
    """Return the nodes whose value may be the value of a piece of code."""
    if isinstance(node, If):
        return last_values(node.then) + ([] if node.otherwise is None else last_values(node.otherwise))
    if isinstance(node, Block):
        return last_values(node.body[-1]) if node.body else []
    return [node]


def defines(node: Node) -> bool:
    """Whether a statement gives a name a function that is written there."""
    return isinstance(node, Assign) and isinstance(node.target, Name) and isinstance(node.value, Function)


def targets(target: Node | None) -> list[Index | Member | Call]:
    """Return the parts of parts that an assignment goes through, the outermost first."""
    parts: list[Index | Member | Call] = []
    while isinstance(target, Index | Member | Call):
        parts.append(target)
        target = first_value(target) if isinstance(target, Call) else target.of
    return parts


def root(target: Node) -> Node:
    """Return the innermost object that an assignment changes."""
    parts = targets(target)
    if not parts:
        return target
    last = parts[-1]
    return (first_value(last) or last) if isinstance(last, Call) else last.of


def target_name(target: Node) -> str:
    """Return the name whose value an assignment changes; empty without one."""
    return word(root(target))
