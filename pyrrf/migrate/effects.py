"""What code does besides giving a value: whether it draws, prints, assigns, or may; which names it reads and writes.

What a function of R does is said at its definition in `pyrrf.script`; what one of the script does is seen in its body.
What neither says is assumed to act.
"""

from __future__ import annotations

from pyrrf.migrate.library import UnmovedError, bind, facts, has_function
from pyrrf.migrate.scopes import Scope, function_scope, names_in, target_name
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Call,
    For,
    Function,
    Name,
    Node,
    Text,
    children,
    function_name,
    walk,
)

Scopes = tuple[Scope, ...]
# Calls that are syntax here.
_SYNTAX = set("( function missing return UseMethod invisible library quote switch".split())
# Parameters that are functions, which are called.
CALLED = (
    "FUN f what fun Vectorize function _f _fns _funs _fn _p fn summaryFunction handler predicate _predicate".split()
)


def found_in(scopes: Scopes, name: str) -> tuple[Scopes, Function | None] | None:
    """Return the scopes in which a name of the script is defined, and its function if that is known."""
    for at in range(len(scopes), 0, -1):
        if scopes[at - 1].has(name):
            return scopes[:at], scopes[at - 1].functions.get(name)
    return None


def called(scopes: Scopes, node: Node) -> tuple[Scopes, Function | None] | None:
    """Return what a call calls as `found_in` does; None for a function of R, or one that is not known."""
    if isinstance(node, Call) and isinstance(node.function, Function):
        return scopes, node.function
    name = call_name(node)
    return found_in(scopes, name) if name else None


def call_name(node: Node) -> str:
    """Return the name that is called, without its package; that of an operator between percent signs, too."""
    return node.operator if isinstance(node, Binary) else function_name(node).rpartition(":")[2]


# ---- whether it acts -----------------------------------------------------------------------------


def has_effect(scopes: Scopes, node: Node, seen: frozenset[int] = frozenset(), inside: bool = False) -> bool:
    """Whether the value of an expression draws, prints or assigns on its way.

    Parameters
    ----------
    scopes : tuple of Scope
        Where it stands, the innermost last.
    node : Node
    seen : frozenset of int
        Functions that are being looked into.
    inside : bool
        Whether it is the body of a function that is called: its own assignments are no effect.
    """
    if isinstance(node, Function) or (isinstance(node, Binary) and node.operator == "~"):
        return False
    if isinstance(node, Assign) and (node.outer or not inside or _replaces(scopes, node.target)):
        return True
    if isinstance(node, For) and not inside:
        return True
    if isinstance(node, Call | Binary) and acts(scopes, node, seen):
        return True
    return any(has_effect(scopes, child, seen, inside) for child in children(node))


def _replaces(scopes: Scopes, target: Node) -> bool:
    """Whether an assignment calls a function of the script, as ``f(x) <- 1`` does."""
    return any(found_in(scopes, f"{function_name(inner)}<-") for inner in walk(target) if function_name(inner))


def acts(scopes: Scopes, node: Call | Binary, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a call itself, without its arguments, draws, prints or assigns."""
    name = call_name(node)
    found = called(scopes, node)
    if found is not None:
        # A function of R of this name is called where the script has not defined its own, or holds no function.
        return runs(found, seen) or (has_function(name) and facts(name).effect)
    if isinstance(node, Binary):
        return False
    if not name:
        return not scopes[0].calm  # what a list holds, or a function returns
    if not has_function(name):
        return name not in _SYNTAX
    return facts(name).effect or any(_runs_argument(scopes, part, seen) for part in _functions_given(name, node))


def runs(found: tuple[Scopes, Function | None], seen: frozenset[int] = frozenset()) -> bool:
    """Whether a function acts when it is called; one that is not known may."""
    scopes, function = found
    if function is None:
        return not scopes[0].calm
    if id(function) in seen:
        return False
    inner, seen = (*scopes, function_scope(function)), seen | {id(function)}
    parts = [function.body, *(param.value for param in function.params if param.value is not None)]
    return any(has_effect(inner, part, seen, inside=True) for part in parts)


def _functions_given(name: str, node: Call) -> list[Node]:
    """Return the arguments that a function of R calls."""
    literal = [arg.value for arg in node.args if isinstance(arg.value, Function)]
    try:
        found = bind(name, node.args)
    except UnmovedError:
        return [*literal]
    return [*literal, *(part for param, part in found.given.items() if param in CALLED)]


def _runs_argument(scopes: Scopes, node: Node, seen: frozenset[int]) -> bool:
    """Whether a function that is handed over acts when it is called."""
    if isinstance(node, Function):
        return runs((scopes, node), seen)
    if not isinstance(node, Name | Text):
        return not isinstance(node, Binary)
    name = node.name if isinstance(node, Name) else node.value
    found = found_in(scopes, name)
    if found is not None:
        return runs(found, seen) or (has_function(name) and facts(name).effect)
    return facts(name).effect if has_function(name) else name.isidentifier() and isinstance(node, Name)


def is_calm(scope: Scope, body: list[Node]) -> bool:
    """Whether no function of a script, or that it hands over by its name, can act: none that a variable holds does."""
    nodes = [inner for statement in body for inner in walk(statement)]
    called_here = {id(inner.function) for inner in nodes if isinstance(inner, Call)}
    inside = [part for inner in nodes if isinstance(inner, Function) for part in walk(inner)]
    names = {call_name(part) for part in inside if isinstance(part, Call)}
    own = {name for inner in nodes if isinstance(inner, Function) for name in _own_names(inner)} | scope.assigned.keys()
    handed = {inner.name for inner in nodes if isinstance(inner, Name) and id(inner) not in called_here}
    handed |= {inner.value for inner in nodes if isinstance(inner, Text)}
    return (
        not any(isinstance(part, Assign) and part.outer for part in inside)
        and not any(facts(name).effect for name in names | handed if has_function(name))
        and all(has_function(name) or name in own or name in _SYNTAX for name in names - {""})
    )


def _own_names(function: Function) -> set[str]:
    scope = function_scope(function)
    return {*scope.params, *scope.assigned}


# ---- names ---------------------------------------------------------------------------------------


def names_read(scopes: Scopes, node: Node, outer: set[str], seen: frozenset[int] = frozenset()) -> set[str]:
    """Return the names that an expression may read, those in the functions of the script that it calls among them.

    Parameters
    ----------
    outer : set of str
        The names that ``<<-`` assigns anywhere: a function that is not known may read these.
    """
    names = names_in(node)
    for inner in walk(node):
        if isinstance(inner, Call) and not isinstance(inner.function, Name | Function):
            names |= outer
    for name in list(names):
        found = found_in(scopes, name)
        if found is None or id(found[1]) in seen:
            continue
        if found[1] is None:
            names |= outer if name in found[0][-1].params else set()
        else:
            inside = (*found[0], function_scope(found[1]))
            names |= names_read(inside, found[1], outer, seen | {id(found[1])})
    return names


def names_written(scopes: Scopes, node: Node, outer: set[str]) -> set[str]:
    """Return the names that an expression may assign, those that the functions it calls assign outside among them."""
    names = _assigned_outside(scopes, node, outer, frozenset())
    for inner in of_this_frame(node):
        if isinstance(inner, Assign):
            names.add(target_name(inner.target) or "")
        elif isinstance(inner, For):
            names.add(inner.variable)
    return names


def written_outside(
    found: tuple[Scopes, Function | None], outer: set[str], seen: frozenset[int] = frozenset()
) -> set[str]:
    """Return the names that a function may assign by ``<<-`` when it is called; all of them, if it is not known."""
    scopes, function = found
    if function is None:
        return set(outer)
    if not outer or id(function) in seen:
        return set()
    inner, seen = (*scopes, function_scope(function)), seen | {id(function)}
    parts = [function.body, *(param.value for param in function.params if param.value is not None)]
    return {name for part in parts for name in _assigned_outside(inner, part, outer, seen)}


def _assigned_outside(scopes: Scopes, node: Node, outer: set[str], seen: frozenset[int]) -> set[str]:
    names: set[str] = set()
    for inner in of_this_frame(node) if outer else []:
        if isinstance(inner, Assign) and inner.outer:
            names.add(target_name(inner.target) or "")
        if isinstance(inner, Call | Binary):
            found = called(scopes, inner)
            if found is not None or isinstance(inner, Binary):
                names |= set() if found is None else written_outside(found, outer, seen)
                continue
            name = call_name(inner)
            if not name:
                names |= outer
            for part in _functions_given(name, inner) if has_function(name) else []:
                names |= _written_by_argument(scopes, part, outer, seen)
    return names


def _written_by_argument(scopes: Scopes, node: Node, outer: set[str], seen: frozenset[int]) -> set[str]:
    if isinstance(node, Function):
        return written_outside((scopes, node), outer, seen)
    if not isinstance(node, Name | Text):
        return set(outer)
    found = found_in(scopes, node.name if isinstance(node, Name) else node.value)
    return set() if found is None else written_outside(found, outer, seen)


def of_this_frame(node: Node) -> list[Node]:
    """Return the nodes of a piece of code, those in functions written there not among them."""
    if isinstance(node, Function):
        return [node]
    return [node] + [inner for child in children(node) for inner in of_this_frame(child)]
