"""What code does besides giving a value: whether it draws, prints, assigns, or may; which names it reads and writes.

What a function of R does is said at its definition in `pyrrf.r`; what one of the script does is seen in its body.
What neither says is assumed to act.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyrrf.migrate.library import SYNTAX, UnmovedError, bind, facts, has_function
from pyrrf.migrate.scopes import Scope, function_scope, target_name
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Block,
    Call,
    For,
    Function,
    If,
    Name,
    Node,
    Text,
    children,
    function_name,
    walk,
)

Scopes = tuple[Scope, ...]


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
        return name not in SYNTAX
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
    return [*literal, *(part for param, part in found.given.items() if param in facts(name).called)]


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


def find_strangers(scope: Scope, body: list[Node]) -> list[tuple[Scopes, Node]]:
    """Find the functions that a variable may hold, and note whether all of them surely do nothing but give a value."""
    scope.calm = True
    found = list(_strangers((scope,), body))
    scope.calm = not any(_runs_argument(scopes, node, frozenset()) for scopes, node in found)
    return found


def _strangers(scopes: Scopes, nodes: list[Node], passed: bool = True) -> Iterator[tuple[Scopes, Node]]:
    """Yield the functions, and the names of such, in pieces of code that a name or a list may come to hold.

    Those that are only called are not among them, unless they are `passed` on.
    """
    for node in nodes:
        if isinstance(node, Function):
            if passed:
                yield scopes, node
            inner = (*scopes, function_scope(node))
            yield from _strangers(inner, [node.body, *(arg.value for arg in node.params if arg.value is not None)])
            yield from ((inner, last.value) for last in _last(node.body) if isinstance(last, Assign))
        elif isinstance(node, Assign) and isinstance(node.value, Function) and isinstance(node.target, Name):
            known = found_in(scopes, node.target.name)
            yield from _strangers(scopes, [node.value], known is None or known[1] is None)
        elif isinstance(node, Name | Text):
            if passed and _is_function(scopes, node.name if isinstance(node, Name) else node.value):
                yield scopes, node
        elif isinstance(node, Call):
            only = _only_called(scopes, node)
            yield from _strangers(scopes, [arg.value for arg in node.args if arg.value and id(arg.value) not in only])
            yield from _strangers(scopes, [*only.values(), node.function], False)
        else:
            yield from _strangers(scopes, children(node))


def _last(node: Node) -> list[Node]:
    """Return what may be the value of a piece of code."""
    if isinstance(node, If):
        return _last(node.then) + ([] if node.otherwise is None else _last(node.otherwise))
    if isinstance(node, Block):
        return _last(node.body[-1]) if node.body else []
    return [node]


def _only_called(scopes: Scopes, node: Call) -> dict[int, Node]:
    """Return the arguments that a function of R calls and does not keep."""
    name = call_name(node)
    if not name or found_in(scopes, name) is not None or not has_function(name):
        return {}
    given = [arg.value for arg in node.args if arg.value is not None]
    if facts(name).repeats:
        given = _functions_given(name, node)
    return {} if facts(name).keeps and not facts(name).repeats else {id(part): part for part in given}


def _is_function(scopes: Scopes, name: str) -> bool:
    found = found_in(scopes, name)
    return has_function(name) or (found is not None and found[1] is not None)


# ---- names ---------------------------------------------------------------------------------------


def names_read(scopes: Scopes, node: Node, outer: set[str], seen: frozenset[int] = frozenset()) -> set[str]:
    """Return the names that an expression may read, those in the functions of the script that it calls among them.

    Parameters
    ----------
    outer : set of str
        The names that ``<<-`` assigns anywhere: a function that is not known may read these.
    """
    names = free_names(node)
    handed: set[str] = set()
    for inner in walk(node):
        if isinstance(inner, Call):
            parts = [inner.function, *(arg.value for arg in inner.args)]
            handed |= {part.name for part in parts if isinstance(part, Name)}
            names |= set() if isinstance(inner.function, Name | Function) else outer
    for name in names | handed:
        found = found_in(scopes, name)
        if found is None or id(found[1]) in seen:
            continue
        if found[1] is None:
            names |= outer if name in found[0][-1].params and name in handed else set()
        else:
            inside = (*found[0], function_scope(found[1]))
            names |= names_read(inside, found[1], outer, seen | {id(found[1])})
    return names


def free_names(node: Node) -> set[str]:
    """Return the names in a piece of code but for the parameters of the functions written there."""
    if isinstance(node, Name):
        return {node.name}
    names = {name for child in children(node) for name in free_names(child)}
    return names - {param.name for param in node.params} if isinstance(node, Function) else names


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
