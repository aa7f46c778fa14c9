"""What happens first to a name in a piece of code: whether it is read or set."""

from __future__ import annotations

from pyrrf.migrate.scopes import names_in
from pyrrf.migrate.tree import Assign, For, Function, If, Name, Node, While, children


def may_be_read_before(body: Node, name: str) -> bool:
    """Whether a name may be read, or a part of it assigned, before it is surely assigned as a whole."""
    return flow(body, name) == "read"


def flow(node: Node, name: str) -> str:
    """Return what happens first to a name: "read", "set" or "" if nothing is sure."""
    if isinstance(node, Function):
        return ""
    if isinstance(node, Name):
        return "read" if node.name == name else ""
    if isinstance(node, Assign):
        return _flow_of_assignment(node, name)
    if isinstance(node, If):
        return _flow_of_choice(node, name)
    if isinstance(node, For):
        first = flow(node.sequence, name) or ("set" if node.variable == name else "")
        return first or _only_read(node.body, name)
    if isinstance(node, While):
        return "read" if any(_only_read(child, name) for child in children(node)) else ""
    return next((found for found in (flow(child, name) for child in children(node)) if found), "")


def _only_read(node: Node, name: str) -> str:
    """Return "read" if that is what happens first, in code that may not run at all."""
    return "read" if flow(node, name) == "read" else ""


def _flow_of_assignment(node: Assign, name: str) -> str:
    first = flow(node.value, name)
    if first:
        return first
    if isinstance(node.target, Name):
        return "set" if node.target.name == name and not node.outer else ""
    return "read" if name in names_in(node.target) else ""


def _flow_of_choice(node: If, name: str) -> str:
    first = flow(node.condition, name)
    branches = [flow(node.then, name), "" if node.otherwise is None else flow(node.otherwise, name)]
    if first or "read" in branches:
        return first or "read"
    return "set" if branches == ["set", "set"] else ""
