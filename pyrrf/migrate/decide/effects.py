"""Side effects of code: whether it may draw, print or assign; the names that it reads and writes.

What a function of R does is said at its definition in `pyrrf.r`; what one of the script does is seen in its body.
What neither says is assumed to act.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import SYNTAX, bind, facts, has_function
from pyrrf.migrate.scopes.scopes import Scope, function_scope

Scopes = tuple[Scope, ...]
Place = tuple[Scopes, rast.Function]
"""A function, and the scopes in which it is defined."""
Definition = tuple[Scopes, rast.Function | None]
"""The scopes in which a name is defined, and its function if that is known."""


def find_name(scopes: Scopes, name: str) -> Definition | None:
    """Return the scopes in which a name of the script is defined, and its function if that is known."""
    for depth in range(len(scopes), 0, -1):
        if scopes[depth - 1].has(name):
            return scopes[:depth], scopes[depth - 1].functions.get(name)
    return None


def find_callee(scopes: Scopes, node: rast.Node) -> Definition | None:
    """Return the definition of the function of a call; None for a function of R, or an unknown one."""
    if isinstance(node, rast.Call) and isinstance(node.function, rast.Function):
        return scopes, node.function
    name = call_name(node)
    # R looks for a function where one is called: what cannot hold one is passed over.
    place = next((n for n in range(len(scopes), 0, -1) if scopes[n - 1].may_hold_function(name)), 0)
    return (scopes[:place], scopes[place - 1].functions.get(name)) if name and place else None


def call_name(node: rast.Node) -> str:
    """Return the name that is called; that of an operator between percent signs, too."""
    return node.operator if isinstance(node, rast.Binary) else rast.function_name(node)


# ---- functions of the script ---------------------------------------------------------------------


@dataclass
class Effects:
    """Effects of a call of a function of the script, with those of the functions that it calls.

    Attributes
    ----------
    acts : bool
        Whether it draws, prints or assigns outside.
    reads, writes : set of str
        The names of variables that it may read; those that it may assign by ``<<-``.
    """

    acts: bool
    reads: set[str]
    writes: set[str]


def effects_of(scopes: Scopes, function: rast.Function) -> Effects:
    """Return the effects of a function defined in some scopes; each function is analysed once."""
    top = scopes[0]
    if top.summaries is None:
        top.summaries = _summaries(top)
    entry: Effects | None = top.summaries.get(id(function))
    if entry is None:  # one that is made while a script is translated
        own = _own_effects(scopes, function)
        inner = [effects_of(*place) for place in own.callees]
        return Effects(
            own.acts or any(other.acts for other in inner),
            own.reads.union(*(other.reads for other in inner)),
            own.writes.union(*(other.writes for other in inner)),
        )
    return entry


@dataclass
class _OwnEffects(Effects):
    """Effects of a function's own code, and the functions that it may run, read names in, and let assign names."""

    run: list[Place]
    read: list[Place]
    write: list[Place]

    @property
    def callees(self) -> list[Place]:
        return [*self.run, *self.read, *self.write]


def _own_effects(scopes: Scopes, function: rast.Function) -> _OwnEffects:
    top, inner = scopes[0], (*scopes, function_scope(function))
    before, top.noted = top.noted, []
    acts_itself = any(has_effect(inner, node, inside=True) for node in function.code)
    run, top.noted = [*top.noted], before
    reads, read = _reading(inner, function, top.escaping)
    written = [_writing(inner, node, top.escaping) for node in function.code]
    places = [(name, find_name(inner, name)) for name in reads]
    changing = {name for name, place in places if place is not None and place[1] is None}
    write = [place for _, others in written for place in others]
    return _OwnEffects(acts_itself, changing, {name for names, _ in written for name in names}, run, read, write)


def _summaries(top: Scope) -> dict[int, Effects]:
    """Return the effects of each function of a script, by the `id` of its node."""
    looks = {id(function): _own_effects(scopes, function) for scopes, function in _functions((top,), top.code)}
    acting = {key: {"acts"} if look.acts else set() for key, look in looks.items()}
    _spread({key: look.run for key, look in looks.items()}, acting)
    reads, writes = ({key: getattr(look, field) for key, look in looks.items()} for field in ("reads", "writes"))
    _spread({key: look.read for key, look in looks.items()}, reads)
    _spread({key: look.write for key, look in looks.items()}, writes)
    return {key: Effects(bool(acting[key]), reads[key], writes[key]) for key in looks}


def _functions(scopes: Scopes, nodes: list[rast.Node]) -> Iterator[Place]:
    """Yield all functions in pieces of code, each with the scopes around it."""
    for node in nodes:
        inner = scopes
        if isinstance(node, rast.Function):
            yield scopes, node
            inner = (*scopes, function_scope(node))
        yield from _functions(inner, rast.children(node))


def _spread(links: dict[int, list[Place]], values: dict[int, set[str]]) -> None:
    """Add to the facts of each function the facts of the functions that it calls."""
    order = _callees_first({key: [id(function) for _, function in places] for key, places in links.items()})
    grown = True
    while grown:
        grown = False
        for key in order:
            size = len(values[key])
            values[key].update(*(values.get(id(function), ()) for _, function in links[key]))
            grown = grown or len(values[key]) > size


def _callees_first(links: dict[int, list[int]]) -> list[int]:
    """Return the functions in an order that has callees first, as far as there is no recursion."""
    order: dict[int, None] = {}
    begun: set[int] = set()
    waiting = [*reversed(links)]
    while waiting:
        key = waiting[-1]
        inner = [other for other in links[key] if other in links and other not in begun]
        if key not in begun and inner:
            begun.add(key)
            waiting += inner
            continue
        begun.add(key)
        order.setdefault(waiting.pop())
    return [*order]


# ---- whether it acts -----------------------------------------------------------------------------


def has_effect(scopes: Scopes, node: rast.Node, inside: bool = False) -> bool:
    """Whether the value of an expression draws, prints or assigns on its way.

    Parameters
    ----------
    scopes : tuple of Scope
        Where it stands, the innermost last.
    node : Node
    inside : bool
        Whether it is the body of a function that is called: its own assignments are no effect.
    """
    if isinstance(node, rast.Function) or (isinstance(node, rast.Binary) and rast.is_formula(node)):
        return False
    if isinstance(node, rast.Assign) and (node.outer or not inside or _replaces(scopes, node.target)):
        return True
    if isinstance(node, rast.For) and not inside:
        return True
    if isinstance(node, rast.Call | rast.Binary) and acts(scopes, node):
        return True
    return any(has_effect(scopes, child, inside) for child in rast.children(node))


def _replaces(scopes: Scopes, target: rast.Node) -> bool:
    """Whether an assignment calls a function of the script, as ``f(x) <- 1`` does."""
    names = filter(None, map(rast.function_name, rast.walk(target)))
    return any(find_name(scopes, f"{name}<-") for name in names)


def acts(scopes: Scopes, node: rast.Call | rast.Binary) -> bool:
    """Whether a call itself, without its arguments, draws, prints or assigns."""
    name = call_name(node)
    callee = find_callee(scopes, node)
    if callee is not None:
        # A function of R of this name is called where the script has not defined its own, or holds no function.
        return runs(callee) or facts(name).effect
    if isinstance(node, rast.Binary):
        return False
    if not name:
        return not scopes[0].calm  # a component of a list, or a value of a function
    if not has_function(name):
        return name not in SYNTAX
    return facts(name).effect or any(_runs_argument(scopes, argument) for argument in _functions_given(name, node))


def runs(definition: Definition) -> bool:
    """Whether a function acts when it is called; one that is not known may."""
    scopes, function = definition
    if function is None:
        return not scopes[0].calm
    if scopes[0].noted is not None:  # it is looked at later
        scopes[0].noted.append((scopes, function))
        return False
    return effects_of(scopes, function).acts


def _functions_given(name: str, node: rast.Call) -> list[rast.Node]:
    """Return the arguments that a function of R calls."""
    literal: list[rast.Node] = [value for value in rast.values(node.args) if isinstance(value, rast.Function)]
    try:
        bound = bind(name, node.args)
    except rast.UntranslatedError:
        return literal
    return [*literal, *(argument for param, argument in bound.given.items() if param in facts(name).called)]


def _runs_argument(scopes: Scopes, node: rast.Node) -> bool:
    """Whether a function that is handed over acts when it is called."""
    if isinstance(node, rast.Function):
        return runs((scopes, node))
    if not isinstance(node, rast.Name | rast.Text):
        return not isinstance(node, rast.Binary)
    name = rast.word(node)
    definition = find_name(scopes, name)
    if definition is not None:
        return runs(definition) or facts(name).effect
    return facts(name).effect if has_function(name) else name.isidentifier() and isinstance(node, rast.Name)


def find_strangers(scope: Scope, body: list[rast.Node]) -> list[tuple[Scopes, rast.Node]]:
    """Find the functions that a variable may hold, and note whether all of them are free of side effects."""
    scope.forget(calm=True)
    strangers = list(_strangers((scope,), body))
    scope.forget(calm=not any(_runs_argument(scopes, node) for scopes, node in strangers))
    return strangers


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
            known = find_name(scopes, rast.word(node.target))
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
    if not name or find_name(scopes, name) is not None or not has_function(name):
        return {}
    given = rast.values(node.args)
    if facts(name).repeats:
        given = _functions_given(name, node)
    return {} if facts(name).keeps and not facts(name).repeats else {id(argument): argument for argument in given}


def _may_be_function(scopes: Scopes, node: rast.Node) -> bool:
    """Whether code is a function, or the name of one."""
    name = rast.word(node)
    place = find_name(scopes, name)
    return isinstance(node, rast.Function) or has_function(name) or (place is not None and place[1] is not None)


# ---- names ---------------------------------------------------------------------------------------


def names_read(scopes: Scopes, node: rast.Node, outer: set[str]) -> set[str]:
    """Return the names that an expression may read, also in the functions of the script that it calls.

    Parameters
    ----------
    outer : set of str
        The names that ``<<-`` assigns anywhere: a function that is not known may read these.
    """
    names, functions = _reading(scopes, node, outer)
    return names.union(*(effects_of(*place).reads for place in functions))


def _reading(scopes: Scopes, node: rast.Node, outer: set[str]) -> tuple[set[str], list[Place]]:
    """Return the names that the code alone may read, and the functions that it names."""
    names = free_names(node)
    handed: set[str] = set()
    for inner in rast.walk(node):
        if isinstance(inner, rast.Call):
            handed |= {child.name for child in rast.children(inner) if isinstance(child, rast.Name)}
            names |= set() if isinstance(inner.function, rast.Name | rast.Function) else outer
    functions: list[Place] = []
    for name in names | handed:
        definition = find_name(scopes, name)
        if definition is not None and definition[1] is not None:
            functions.append((definition[0], definition[1]))
        elif definition is not None and name in definition[0][-1].params and name in handed:
            names = names | outer
    return names, functions


def free_names(node: rast.Node) -> set[str]:
    """Return the names in a piece of code but for the parameters of the functions written there."""
    if isinstance(node, rast.Name):
        return {node.name}
    names = {name for child in rast.children(node) for name in free_names(child)}
    return names - {*node.words} if isinstance(node, rast.Function) else names


def names_written(scopes: Scopes, node: rast.Node, outer: set[str]) -> set[str]:
    """Return the names that an expression may assign, also outside of the functions that it calls."""
    names, functions = _writing(scopes, node, outer)
    return names.union(rast.assigned_names(node), *(effects_of(*place).writes for place in functions))


def written_outside(definition: Definition, outer: set[str]) -> set[str]:
    """Return the names that a function may assign by ``<<-`` when it is called; all of them, if it is not known."""
    scopes, function = definition
    return set(outer) if function is None else effects_of(scopes, function).writes


def _writing(scopes: Scopes, node: rast.Node, outer: set[str]) -> tuple[set[str], list[Place]]:
    """Return the names that the code alone may assign by ``<<-``, and the functions that it calls."""
    names: set[str] = set()
    functions: list[Definition] = []
    for inner in rast.walk_frame(node) if outer else []:
        if isinstance(inner, rast.Assign) and inner.outer:
            names.add(rast.target_name(inner.target))
        if isinstance(inner, rast.Call | rast.Binary):
            callee, name = find_callee(scopes, inner), call_name(inner)
            if callee is not None:
                functions.append(callee)
            elif not name:
                names |= outer
            elif isinstance(inner, rast.Call) and has_function(name):
                given = [_argument(scopes, argument) for argument in _functions_given(name, inner)]
                functions += [place for place in given if place is not None]
    names |= outer if any(function is None for _, function in functions) else set()
    return names, [(place, function) for place, function in functions if function is not None]


def _argument(scopes: Scopes, node: rast.Node) -> Definition | None:
    """Return a function that is handed over; None for one of R, which assigns nothing."""
    if isinstance(node, rast.Function):
        return scopes, node
    if not isinstance(node, rast.Name | rast.Text):
        return scopes, None
    return find_name(scopes, rast.word(node))
