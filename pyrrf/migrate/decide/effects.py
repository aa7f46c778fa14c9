"""What code does besides giving a value: whether it draws, prints, assigns, or may; which names it reads and writes.

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


# ---- functions of the script ---------------------------------------------------------------------


@dataclass
class Summary:
    """What a function of the script does when it is called, by itself and by the functions that it calls.

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


def summary(scopes: Scopes, function: rast.Function) -> Summary:
    """Return what a function does that is defined in some scopes; each is looked at once."""
    top = scopes[0]
    if top.summaries is None:
        top.summaries = _summaries(top)
    found: Summary | None = top.summaries.get(id(function))
    if found is None:  # one that is made while a script is translated
        own = _look(scopes, function)
        inner = [summary(*place) for place in own.called]
        return Summary(
            own.acts or any(other.acts for other in inner),
            own.reads.union(*(other.reads for other in inner)),
            own.writes.union(*(other.writes for other in inner)),
        )
    return found


@dataclass
class _Look(Summary):
    """What a function does by itself, and the functions that it may run, read names in, and let assign names."""

    run: list[Place]
    read: list[Place]
    write: list[Place]

    @property
    def called(self) -> list[Place]:
        return [*self.run, *self.read, *self.write]


def _look(scopes: Scopes, function: rast.Function) -> _Look:
    top, inner = scopes[0], (*scopes, function_scope(function))
    before, top.noted = top.noted, []
    acts_itself = any(has_effect(inner, part, inside=True) for part in function.code)
    run, top.noted = [*top.noted], before
    reads, read = _reading(inner, function, top.escaping)
    written = [_writing(inner, part, top.escaping) for part in function.code]
    places = [(name, found_in(inner, name)) for name in reads]
    changing = {name for name, place in places if place is not None and place[1] is None}
    write = [place for _, others in written for place in others]
    return _Look(acts_itself, changing, {name for names, _ in written for name in names}, run, read, write)


def _summaries(top: Scope) -> dict[int, Summary]:
    """Return what each function of a script does, by the `id` of its node."""
    looks = {id(function): _look(scopes, function) for scopes, function in _functions((top,), top.code)}
    acting = {key: {"acts"} if look.acts else set() for key, look in looks.items()}
    _spread({key: look.run for key, look in looks.items()}, acting)
    reads, writes = ({key: getattr(look, part) for key, look in looks.items()} for part in ("reads", "writes"))
    _spread({key: look.read for key, look in looks.items()}, reads)
    _spread({key: look.write for key, look in looks.items()}, writes)
    return {key: Summary(bool(acting[key]), reads[key], writes[key]) for key in looks}


def _functions(scopes: Scopes, nodes: list[rast.Node]) -> Iterator[Place]:
    """Yield all functions in pieces of code, each with the scopes around it."""
    for node in nodes:
        inner = scopes
        if isinstance(node, rast.Function):
            yield scopes, node
            inner = (*scopes, function_scope(node))
        yield from _functions(inner, rast.children(node))


def _spread(links: dict[int, list[Place]], values: dict[int, set[str]]) -> None:
    """Add to what is known of each function what is known of those that it calls."""
    order = _callees_first({key: [id(function) for _, function in places] for key, places in links.items()})
    grown = True
    while grown:
        grown = False
        for key in order:
            size = len(values[key])
            values[key].update(*(values.get(id(function), ()) for _, function in links[key]))
            grown = grown or len(values[key]) > size


def _callees_first(links: dict[int, list[int]]) -> list[int]:
    """Return the functions, those that a function calls before it, as far as none calls itself."""
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
    return any(found_in(scopes, f"{name}<-") for name in names)


def acts(scopes: Scopes, node: rast.Call | rast.Binary) -> bool:
    """Whether a call itself, without its arguments, draws, prints or assigns."""
    name = call_name(node)
    found = called(scopes, node)
    if found is not None:
        # A function of R of this name is called where the script has not defined its own, or holds no function.
        return runs(found) or facts(name).effect
    if isinstance(node, rast.Binary):
        return False
    if not name:
        return not scopes[0].calm  # what a list holds, or a function returns
    if not has_function(name):
        return name not in SYNTAX
    return facts(name).effect or any(_runs_argument(scopes, part) for part in _functions_given(name, node))


def runs(found: Found) -> bool:
    """Whether a function acts when it is called; one that is not known may."""
    scopes, function = found
    if function is None:
        return not scopes[0].calm
    if scopes[0].noted is not None:  # it is looked at later
        scopes[0].noted.append((scopes, function))
        return False
    return summary(scopes, function).acts


def _functions_given(name: str, node: rast.Call) -> list[rast.Node]:
    """Return the arguments that a function of R calls."""
    literal: list[rast.Node] = [value for value in rast.values(node.args) if isinstance(value, rast.Function)]
    try:
        found = bind(name, node.args)
    except rast.UntranslatedError:
        return literal
    return [*literal, *(part for param, part in found.given.items() if param in facts(name).called)]


def _runs_argument(scopes: Scopes, node: rast.Node) -> bool:
    """Whether a function that is handed over acts when it is called."""
    if isinstance(node, rast.Function):
        return runs((scopes, node))
    if not isinstance(node, rast.Name | rast.Text):
        return not isinstance(node, rast.Binary)
    name = rast.word(node)
    found = found_in(scopes, name)
    if found is not None:
        return runs(found) or facts(name).effect
    return facts(name).effect if has_function(name) else name.isidentifier() and isinstance(node, rast.Name)


def find_strangers(scope: Scope, body: list[rast.Node]) -> list[tuple[Scopes, rast.Node]]:
    """Find the functions that a variable may hold, and note whether all of them surely do nothing but give a value."""
    scope.forget(calm=True)
    found = list(_strangers((scope,), body))
    scope.forget(calm=not any(_runs_argument(scopes, node) for scopes, node in found))
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


def names_read(scopes: Scopes, node: rast.Node, outer: set[str]) -> set[str]:
    """Return the names that an expression may read, those in the functions of the script that it calls among them.

    Parameters
    ----------
    outer : set of str
        The names that ``<<-`` assigns anywhere: a function that is not known may read these.
    """
    names, functions = _reading(scopes, node, outer)
    return names.union(*(summary(*place).reads for place in functions))


def _reading(scopes: Scopes, node: rast.Node, outer: set[str]) -> tuple[set[str], list[Place]]:
    """Return the names that code itself may read, and the functions that it names."""
    names = free_names(node)
    handed: set[str] = set()
    for inner in rast.walk(node):
        if isinstance(inner, rast.Call):
            handed |= {part.name for part in rast.children(inner) if isinstance(part, rast.Name)}
            names |= set() if isinstance(inner.function, rast.Name | rast.Function) else outer
    functions: list[Place] = []
    for name in names | handed:
        found = found_in(scopes, name)
        if found is not None and found[1] is not None:
            functions.append((found[0], found[1]))
        elif found is not None and name in found[0][-1].params and name in handed:
            names = names | outer
    return names, functions


def free_names(node: rast.Node) -> set[str]:
    """Return the names in a piece of code but for the parameters of the functions written there."""
    if isinstance(node, rast.Name):
        return {node.name}
    names = {name for child in rast.children(node) for name in free_names(child)}
    return names - {*node.words} if isinstance(node, rast.Function) else names


def names_written(scopes: Scopes, node: rast.Node, outer: set[str]) -> set[str]:
    """Return the names that an expression may assign, those that the functions it calls assign outside among them."""
    names, functions = _writing(scopes, node, outer)
    return names.union(rast.assigned_names(node), *(summary(*place).writes for place in functions))


def written_outside(found: Found, outer: set[str]) -> set[str]:
    """Return the names that a function may assign by ``<<-`` when it is called; all of them, if it is not known."""
    scopes, function = found
    return set(outer) if function is None else summary(scopes, function).writes


def _writing(scopes: Scopes, node: rast.Node, outer: set[str]) -> tuple[set[str], list[Place]]:
    """Return the names that code itself may assign by ``<<-``, and the functions that it calls."""
    names: set[str] = set()
    functions: list[Found] = []
    for inner in rast.walk_frame(node) if outer else []:
        if isinstance(inner, rast.Assign) and inner.outer:
            names.add(rast.target_name(inner.target))
        if isinstance(inner, rast.Call | rast.Binary):
            found, name = called(scopes, inner), call_name(inner)
            if found is not None:
                functions.append(found)
            elif not name:
                names |= outer
            elif isinstance(inner, rast.Call) and has_function(name):
                given = [_argument(scopes, part) for part in _functions_given(name, inner)]
                functions += [place for place in given if place is not None]
    names |= outer if any(function is None for _, function in functions) else set()
    return names, [(place, function) for place, function in functions if function is not None]


def _argument(scopes: Scopes, node: rast.Node) -> Found | None:
    """Return a function that is handed over; None for one of R, which assigns nothing."""
    if isinstance(node, rast.Function):
        return scopes, node
    if not isinstance(node, rast.Name | rast.Text):
        return scopes, None
    return found_in(scopes, rast.word(node))
