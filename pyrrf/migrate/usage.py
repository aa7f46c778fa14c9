"""What a script does with each name, looked up before it is moved."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyrrf.migrate.tree import Assign, Call, Index, Member, Name, Node, Text, Unary, walk


@dataclass
class Usage:
    """Names by what is done with them.

    Attributes
    ----------
    indices : set of str
        They stand in brackets, so they may hold positions.
    changed : set of str
        Items of them are assigned, so they must not share memory with others.
    named : set of str
        Items of them are assigned by name.
    deep : set of str
        Items of their items are assigned.
    varying : set of str
        They are assigned more than once, or in a loop or a function.
    """

    indices: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    varying: set[str] = field(default_factory=set)
    deep: set[str] = field(default_factory=set)


def usage(body: list[Node]) -> Usage:
    """Look through a script."""
    found = Usage()
    once: set[str] = set()
    for statement in body:
        if isinstance(statement, Assign) and isinstance(statement.target, Name) and statement.target.name not in once:
            once.add(statement.target.name)
            inner = walk(statement.value)
        else:
            inner = walk(statement)
        found.varying |= {n.target.name for n in inner if isinstance(n, Assign) and isinstance(n.target, Name)}
    for node in (inner for statement in body for inner in walk(statement)):
        if isinstance(node, Index):
            found.indices |= {name for arg in node.args for name in _as_index(arg.value)}
        elif isinstance(node, Assign):
            _look_at_target(node.target, found)
    return found


def _as_index(node: Node | None) -> set[str]:
    if isinstance(node, Unary) and node.operator == "-":
        return _as_index(node.operand)
    return {node.name} if isinstance(node, Name) else set()


def _look_at_target(target: Node, found: Usage) -> None:
    """See what an assignment changes: ``x[i]``, ``x$a``, ``x$a[i]``, ``names(x)[i]``."""
    deep = False
    steps = 0
    while isinstance(target, Index | Member | Call):
        steps += 1
        if isinstance(target, Member) or (isinstance(target, Index) and _by_name(target)):
            root = target.of
            if isinstance(root, Name):
                found.named.add(root.name)
        if isinstance(target, Call):
            first = target.args[0].value if target.args else None
            if first is None:
                return
            deep = True  # names(y) <- v must not rename x, of which y is a copy
            target = first
        else:
            deep = True
            target = target.of
    if deep and isinstance(target, Name):
        found.changed.add(target.name)
    if steps > 1 and isinstance(target, Name):
        found.deep.add(target.name)


def _by_name(index: Index) -> bool:
    return index.double and len(index.args) == 1 and isinstance(index.args[0].value, Text)
