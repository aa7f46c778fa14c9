"""What code does besides giving a value: whether it draws, prints, assigns, or may; which names it reads and writes.

What a function of R does is said at its definition in `pyrrf.r`; what one of the script does is seen in its body.
What neither says is assumed to act.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import SYNTAX, bind, facts, has_function
from pyrrf.migrate.scopes.scopes import Scope, function_scope

Scopes = tuple[Scope, ...]
Found = tuple[Scopes, rast.Function | None]
"""The scopes in which a name is defined, and its function if that is known."""


def found_in(scopes: Scopes, name: str) -> Found | None:
    """Return the scopes in which a name of the script is defined, and its function if that is known."""
    for at in range(len(scopes), 0, -1):
        if scopes[at - 1].has(name):
            return scopes[:at], scopes[at - 1].functions.get(name)
    return None


def called(scopes: Scopes, node: rast.Node) -> Found | None:
    """Return what a call calls as `found_in` does; None for a function of R, or one that is not known."""
    if isinstance(node, rast.Call) and isinstance(node.function, rast.Function):
        return scopes, node.function
    name = call_name(node)
    # R looks for a function where one is called: what cannot hold one is passed over.
    place = next((n for n in range(len(scopes), 0, -1) if scopes[n - 1].may_hold_function(name)), 0)
    return (scopes[:place], scopes[place - 1].functions.get(name)) if name and place else None


def call_name(node: rast.Node) -> str:
    """Return the name that is called; that of an operator between percent signs, too."""
    return node.operator if isinstance(node, rast.Binary) else rast.function_name(node)


# ---- whether it acts -----------------------------------------------------------------------------


def has_effect(scopes: Scopes, node: rast.Node, seen: frozenset[int] = frozenset(), inside: bool = False) -> bool:
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
    if isinstance(node, rast.Function) or (isinstance(node, rast.Binary) and rast.is_formula(node)):
        return False
    if isinstance(node, rast.Assign) and (node.outer or not inside or _replaces(scopes, node.target)):
        return True
    if isinstance(node, rast.For) and not inside:
        return True
    if isinstance(node, rast.Call | rast.Binary) and acts(scopes, node, seen):
        return True
    return any(has_effect(scopes, child, seen, inside) for child in rast.children(node))


def _replaces(scopes: Scopes, target: rast.Node) -> bool:
    """Whether an assignment calls a function of the script, as ``f(x) <- 1`` does."""
    names = filter(None, map(rast.function_name, rast.walk(target)))
    return any(found_in(scopes, f"{name}<-") for name in names)


def acts(scopes: Scopes, node: rast.Call | rast.Binary, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a call itself, without its arguments, draws, prints or assigns."""
    name = call_name(node)
    found = called(scopes, node)
    if found is not None:
        # A function of R of this name is called where the script has not defined its own, or holds no function.
        return runs(found, seen) or facts(name).effect
    if isinstance(node, rast.Binary):
        return False
    if not name:
        return not scopes[0].calm  # what a list holds, or a function returns
    if not has_function(name):
        return name not in SYNTAX
    return facts(name).effect or any(_runs_argument(scopes, part, seen) for part in _functions_given(name, node))


def runs(found: Found, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a function acts when it is called; one that is not known may."""
    scopes, function = found
    if function is None:
        return not scopes[0].calm
    if id(function) in seen:
        return False
    inner, seen = (*scopes, function_scope(function)), seen | {id(function)}
    return any(has_effect(inner, part, seen, inside=True) for part in function.code)


def _functions_given(name: str, node: rast.Call) -> list[rast.Node]:
    """Return the arguments that a function of R calls."""
    literal: list[rast.Node] = [value for value in rast.values(node.args) if isinstance(value, rast.Function)]
    try:
        found = bind(name, node.args)
    except rast.UntranslatedError:
        return literal
    return [*literal, *(part for param, part in found.given.items() if param in facts(name).called)]


def _runs_argument(scopes: Scopes, node: rast.Node, seen: frozenset[int]) -> bool:
    """Whether a function that is handed over acts when it is called."""
    if isinstance(node, rast.Function):
        return runs((scopes, node), seen)
    if not isinstance(node, rast.Name | rast.Text):
        return not isinstance(node, rast.Binary)
    name = rast.word(node)
    found = found_in(scopes, name)
    if found is not None:
        return runs(found, seen) or facts(name).effect
    return facts(name).effect if has_function(name) else name.isidentifier() and isinstance(node, rast.Name)


def find_strangers(scope: Scope, body: list[rast.Node]) -> list[tuple[Scopes, rast.Node]]:
    """Find the functions that a variable may hold, and note whether all of them surely do nothing but give a value."""
    scope.calm = True
    found = list(_strangers((scope,), body))
    scope.calm = not any(_runs_argument(scopes, node, frozenset()) for scopes, node in found)
    return found


def _strangers(scopes: Scopes, nodes: list[rast.Node], passed: bool = True) -> Iterator[tuple[Scopes, rast.Node]]:
    """Yield the functions, and the names of such, in pieces of code that a name or a list may come to hold.

    Those that are only called are not among them, unless they are `passed` on.
    """
    for node in nodes:
        if isinstance(node, rast.Function):
            if passed:
                yield scopes, node
            inner = (*scopes, function_scope(node))
            yield from _strangers(inner, node.code)
            values = [last.value for last in rast.last_values(node.body) if isinstance(last, rast.Assign)]
            yield from ((inner, value) for value in values if _may_be_function(inner, value))
        elif isinstance(node, rast.Assign) and rast.defines(node):
            known = found_in(scopes, rast.word(node.target))
            yield from _strangers(scopes, [node.value], known is None or known[1] is None)
        elif isinstance(node, rast.Name | rast.Text):
            if passed and _may_be_function(scopes, node):
                yield scopes, node
        elif isinstance(node, rast.Call):
            only = _only_called(scopes, node)
            yield from _strangers(scopes, [value for value in rast.values(node.args) if id(value) not in only])
            yield from _strangers(scopes, [*only.values(), node.function], False)
        else:
            yield from _strangers(scopes, rast.children(node))


def _only_called(scopes: Scopes, node: rast.Call) -> dict[int, rast.Node]:
    """Return the arguments that a function of R calls and does not keep."""
    name = call_name(node)
    if not name or found_in(scopes, name) is not None or not has_function(name):
        return {}
    given = rast.values(node.args)
    if facts(name).repeats:
        given = _functions_given(name, node)
    return {} if facts(name).keeps and not facts(name).repeats else {id(part): part for part in given}


def _may_be_function(scopes: Scopes, node: rast.Node) -> bool:
    """Whether code is a function, or the name of one."""
    name = rast.word(node)
    found = found_in(scopes, name)
    return isinstance(node, rast.Function) or has_function(name) or (found is not None and found[1] is not None)


# ---- names ---------------------------------------------------------------------------------------


def names_read(scopes: Scopes, node: rast.Node, outer: set[str], seen: frozenset[int] = frozenset()) -> set[str]:
    """Return the names that an expression may read, those in the functions of the script that it calls among them.

    Parameters
    ----------
    outer : set of str
        The names that ``<<-`` assigns anywhere: a function that is not known may read these.
    """
    names = free_names(node)
    handed: set[str] = set()
    for inner in rast.walk(node):
        if isinstance(inner, rast.Call):
            handed |= {part.name for part in rast.children(inner) if isinstance(part, rast.Name)}
            names |= set() if isinstance(inner.function, rast.Name | rast.Function) else outer
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


def free_names(node: rast.Node) -> set[str]:
    """Return the names in a piece of code but for the parameters of the functions written there."""
    if isinstance(node, rast.Name):
        return {node.name}
    names = {name for child in rast.children(node) for name in free_names(child)}
    return names - {*node.words} if isinstance(node, rast.Function) else names


def names_written(scopes: Scopes, node: rast.Node, outer: set[str]) -> set[str]:
    """Return the names that an expression may assign, those that the functions it calls assign outside among them."""
    return _assigned_outside(scopes, node, outer, frozenset()) | {*rast.assigned_names(node)}


def written_outside(found: Found, outer: set[str], seen: frozenset[int] = frozenset()) -> set[str]:
    """Return the names that a function may assign by ``<<-`` when it is called; all of them, if it is not known."""
    scopes, function = found
    if function is None:
        return set(outer)
    if not outer or id(function) in seen:
        return set()
    inner, seen = (*scopes, function_scope(function)), seen | {id(function)}
    return {name for part in function.code for name in _assigned_outside(inner, part, outer, seen)}


def _assigned_outside(scopes: Scopes, node: rast.Node, outer: set[str], seen: frozenset[int]) -> set[str]:
    names: set[str] = set()
    for inner in rast.walk_frame(node) if outer else []:
        if isinstance(inner, rast.Assign) and inner.outer:
            names.add(rast.target_name(inner.target))
        if isinstance(inner, rast.Call | rast.Binary):
            found = called(scopes, inner)
            if found is not None or isinstance(inner, rast.Binary):
                names |= set() if found is None else written_outside(found, outer, seen)
                continue
            name = call_name(inner)
            if not name:
                names |= outer
            for part in _functions_given(name, inner) if has_function(name) else []:
                names |= _written_by_argument(scopes, part, outer, seen)
    return names


def _written_by_argument(scopes: Scopes, node: rast.Node, outer: set[str], seen: frozenset[int]) -> set[str]:
    if isinstance(node, rast.Function):
        return written_outside((scopes, node), outer, seen)
    if not isinstance(node, rast.Name | rast.Text):
        return set(outer)
    found = found_in(scopes, rast.word(node))
    return set() if found is None else written_outside(found, outer, seen)
