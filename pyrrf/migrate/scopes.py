"""What a function, or the script itself, does with names: looked up before it is moved."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyrrf.migrate.library import facts
from pyrrf.migrate.tree import (
    Arg,
    Assign,
    Binary,
    Block,
    Call,
    For,
    Function,
    If,
    Index,
    Jump,
    Member,
    Name,
    Node,
    Text,
    Unary,
    While,
    children,
    function_name,
    walk,
)


@dataclass
class Scope:
    """The names of a function, or of the script.

    Attributes
    ----------
    params : list of str
    assigned : dict of str to int
        Names that get a value in it, and the place in the text where they first do.
    changed : set of str
        Those of which parts are assigned.
    outer : set of str
        Those that ``<<-`` assigns.
    functions : dict of str to Function or None
        Names that hold a function; None where they hold different ones.
    calm : bool
        Whether a function that is not known, which a variable holds, surely does nothing but give a value.
    first_at_once : bool
        Whether such a function surely uses its first argument before it does anything else.
    made_by : dict of str to set of str
        The functions whose values names hold.
    taken : set of str
        Names that hold what another name, a list or one of several pieces of code holds: a function, perhaps.
    """

    params: list[str] = field(default_factory=list)
    assigned: dict[str, int] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    functions: dict[str, Function | None] = field(default_factory=dict)
    made_by: dict[str, set[str]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    calm: bool = False
    first_at_once: bool = False

    def has(self, name: str) -> bool:
        """Whether a name belongs to it."""
        return name in self.assigned or name in self.params


def script_scope(body: list[Node]) -> Scope:
    """Return the scope of a script."""
    scope = Scope()
    for node in body:
        _look(node, scope)
    for node in (inner for statement in body for inner in walk(statement)):
        if isinstance(node, Function):
            inner = function_scope(node)
            for name in inner.outer:
                scope.assigned.setdefault(name, node.first)
            scope.changed |= inner.outer & inner.changed
    return scope


def function_scope(function: Function) -> Scope:
    """Return the scope of a function."""
    scope = Scope(params=[param.name or "" for param in function.params])
    _look(function.body, scope)
    for node in walk(function.body):
        if isinstance(node, Assign) and node.outer and not isinstance(node.target, Name | Text):
            scope.changed |= {target_name(node.target) or ""} & {*scope.params}
    return scope


def _look(node: Node, scope: Scope) -> None:
    if isinstance(node, Function):
        return
    if isinstance(node, Assign):
        _look_at_assignment(node, scope)
    elif isinstance(node, For):
        scope.assigned.setdefault(node.variable, node.first)
    elif isinstance(node, Call) and isinstance(node.function, Name) and node.function.name in ("data", "load"):
        for name in _named_by_text(node.args):
            scope.assigned.setdefault(name, node.first)
    for child in children(node):
        _look(child, scope)


def _named_by_text(args: list[Arg]) -> list[str]:
    found = []
    for arg in args:
        if arg.name is None and isinstance(arg.value, Name | Text):
            found.append(arg.value.name if isinstance(arg.value, Name) else arg.value.value)
    return found


def _look_at_assignment(node: Assign, scope: Scope) -> None:
    name = target_name(node.target)
    if name is None:
        return
    if not isinstance(node.target, Name | Text):
        scope.changed.add(name)
    if node.outer:
        scope.outer.add(name)
        return
    if isinstance(node.target, Name | Text):
        if isinstance(node.value, Call):
            scope.made_by.setdefault(name, set()).add(node.value.function.text)
        elif isinstance(node.value, Index | Member | If | Block) or (
            isinstance(node.value, Name) and node.value.name.rpartition(":")[2] != name
        ):
            scope.taken.add(name)
        function = node.value if isinstance(node.value, Function) else None
        other = scope.functions.get(name, function) is not function or (name in scope.assigned and function is None)
        if function is not None or name in scope.functions:
            scope.functions[name] = None if other or name in scope.assigned else function
    scope.assigned.setdefault(name, node.first)


def target_name(target: Node) -> str | None:
    """Return the name whose value an assignment changes."""
    while isinstance(target, Index | Member | Call):
        if isinstance(target, Call):
            first = target.args[0].value if target.args else None
            if first is None:
                return None
            target = first
        else:
            target = target.of
    return target.name if isinstance(target, Name) else target.value if isinstance(target, Text) else None


def names_in(node: Node) -> set[str]:
    """Return the names that stand in a piece of code."""
    return {inner.name for inner in walk(node) if isinstance(inner, Name)}


def changed_anywhere(body: list[Node]) -> set[str]:
    """Return the names of which parts are assigned somewhere in a script."""
    nodes = [inner for statement in body for inner in walk(statement) if isinstance(inner, Assign)]
    return {target_name(node.target) or "" for node in nodes if not isinstance(node.target, Name | Text)}


def assigned_outside(body: list[Node]) -> set[str]:
    """Return the names that ``<<-`` assigns somewhere in a script."""
    nodes = [inner for statement in body for inner in walk(statement) if isinstance(inner, Assign) and inner.outer]
    return {target_name(node.target) or "" for node in nodes}


def changing_names(body: list[Node]) -> set[str]:
    """Return the names that get more than one value somewhere in a script: assigned twice, by ``<<-``, or in a loop."""
    found: dict[str, int] = {}
    for statement in body:
        _count(statement, found, 1)
    return {name for name, times in found.items() if times > 1}


def _count(node: Node, found: dict[str, int], times: int) -> None:
    if isinstance(node, Assign):
        name = target_name(node.target) or ""
        found[name] = found.get(name, 0) + times + node.outer
    elif isinstance(node, For):
        found[node.variable] = 2
    elif isinstance(node, Function):
        for param in node.params:
            found[param.name or ""] = found.get(param.name or "", 0) or 1
    times = 2 if isinstance(node, For | While) else times
    for child in children(node):
        _count(child, found, times)


def formula_names(body: list[Node]) -> set[str]:
    """Return the names that a formula is assigned to somewhere in a script."""
    nodes = [inner for statement in body for inner in walk(statement) if isinstance(inner, Assign)]
    made = [node for node in nodes if isinstance(node.value, Binary | Unary) and node.value.operator == "~"]
    return {target_name(node.target) or "" for node in made}


def asked_for(node: Function) -> set[str]:
    """Return the parameters that ``missing()`` asks for."""
    calls = [n for n in walk(node.body) if isinstance(n, Call) and n.function.text == "missing" and len(n.args) == 1]
    return {n.args[0].value.name for n in calls if isinstance(n.args[0].value, Name)}


def shown_names(body: list[Node]) -> set[str]:
    """Return the names that a script prints as a whole, or asks for their call."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, Name):
            found.add(statement.name)
        for node in walk(statement):
            if isinstance(node, Call) and facts(function_name(node)).shows:
                values = [arg.value.target if isinstance(arg.value, Assign) else arg.value for arg in node.args]
                found |= {value.name for value in values if isinstance(value, Name)}
            elif isinstance(node, Member) and node.name == "call" and isinstance(node.of, Name):
                found.add(node.of.name)
    return found


def read_outside_loops(body: list[Node]) -> set[str]:
    """Return the variables of loops that are read, or assigned, outside of the loops over them."""
    nodes = [inner for statement in body for inner in walk(statement)]
    variables = {node.variable for node in nodes if isinstance(node, For)}
    found = variables & {n.target.name for n in nodes if isinstance(n, Assign) and isinstance(n.target, Name)}
    loops = [node.variable for node in nodes if isinstance(node, For)]
    found |= {name for name in variables if loops.count(name) > 1}
    for statement in body:
        _reads(statement, variables, found)
    return found


def _reads(node: Node, variables: set[str], found: set[str]) -> None:
    if isinstance(node, Name) and node.name in variables:
        found.add(node.name)
    if isinstance(node, For):
        _reads(node.sequence, variables, found)
        _reads(node.body, variables - {node.variable}, found)
        return
    if isinstance(node, Function):
        variables = variables - {param.name or "" for param in node.params}
    if isinstance(node, Assign) and isinstance(node.target, Name):
        _reads(node.value, variables, found)
        return
    for child in children(node):
        _reads(child, variables, found)


def only_expression(body: Node) -> Node | None:
    """Return the one expression that a body is, None if it is more."""
    while isinstance(body, Block) and len(body.body) == 1:
        body = body.body[0]
    if isinstance(body, Call) and isinstance(body.function, Name) and body.function.name == "return":
        inner = body.args[0].value if len(body.args) == 1 else None
        return None if inner is None else only_expression(inner)
    return None if isinstance(body, Block | For | While | Jump | Assign) else body


def has_statements(node: Node) -> bool:
    """Whether an expression holds what Python has as statements only."""
    if isinstance(node, Function):
        return only_expression(node.body) is None
    if isinstance(node, Assign | For | While | Jump) or (isinstance(node, Block) and len(node.body) > 1):
        return True
    if isinstance(node, Call) and isinstance(node.function, Name) and node.function.name in ("return", "missing"):
        return True
    if isinstance(node, If) and node.otherwise is None:
        return False
    return any(has_statements(child) for child in children(node))
