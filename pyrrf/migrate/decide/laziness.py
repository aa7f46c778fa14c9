"""When arguments are evaluated: R does it when a function uses them, if it does, Python before the call.

Where that makes another value, other output or another order of draws, the call is left.
"""

from __future__ import annotations

from pyrrf.migrate.decide.effects import (
    Scopes,
    find_name,
    find_strangers,
    has_effect,
    names_read,
    names_written,
    written_outside,
)
from pyrrf.migrate.decide.uses import sure_uses
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import Bound, facts, has_function, may_give, parameters
from pyrrf.migrate.scopes.scopes import Known, Scope, function_scope

_LATER = "which R does when the function uses them; assign them to variables first"
_CHANGED = "which are changed before the function uses it; assign it to a variable first"


def acting(known: Known, node: rast.Node) -> bool:
    """Whether the value of an expression draws, prints or assigns on its way."""
    return has_effect(known.around, node)


# ---- functions of the script ---------------------------------------------------------------------


def check_own(known: Known, name: str, place: Scopes, function: rast.Function, bound: Bound) -> None:
    """Refuse arguments whose value, or whose effect, depends on when a function of the script uses them.

    Parameters
    ----------
    known : Known
    name : str
        Of the function.
    place : tuple of Scope
        Where it is defined.
    function : Function
    bound : Bound
    """
    if any(acting(known, node) for _, node in bound.dots):
        raise rast.UntranslatedError(f"{name}() of an argument that draws or prints, {_LATER}")
    scopes = known.around
    plain = rast.Number | rast.Text | rast.Constant
    given = {param: node for param, node in bound.given.items() if not isinstance(node, plain)}
    order = [word for word in function.words if word in bound.given]  # in which Python evaluates them
    does = [param for param in order if param in given and acting(known, given[param])]
    reads = {param: names_read(scopes, node, known.outer) for param, node in given.items()}
    writes = {param: names_written(scopes, given[param], known.outer) for param in does}
    own = written_outside((place, function), known.outer)
    late = [param for param, read in reads.items() if param not in does and read & own]
    both = [(p, q) for p, read in reads.items() for q, write in writes.items() if p != q and read & write]
    asked = {*does, *late, *(param for pair in both for param in pair)}
    used = sure_uses(place, function, asked, set(bound.given)) if asked else []
    if [param for param in used if param in does] != does:
        raise rast.UntranslatedError(f"{name}() of an argument that draws or prints, {_LATER}")
    ordered = [param for param in order if param in used]
    wrong = next((p for pair in both for p in pair if p not in used or ordered != used), None)
    wrong = wrong or next((param for param in late if param not in used), None)
    free = names_read(place, function, known.outer) - {*function_scope(function).assigned, *function.words}
    wrong = wrong or next((param for param, write in writes.items() if write & free), None)
    escaping = _escaping_names(function)
    wrong = wrong or next(
        (p for p, read in reads.items() if p in escaping and read & known.changing and _waits(place, function, p)), None
    )
    if wrong is not None:
        raise rast.UntranslatedError(f"{name}() of the argument {wrong}, which reads variables {_CHANGED}")
    if any(names_read(scopes, node, known.outer) & own for _, node in bound.dots):
        raise rast.UntranslatedError(f"{name}() of arguments for ..., which read variables {_CHANGED}")


def _waits(place: Scopes, function: rast.Function, param: str) -> bool:
    return param not in sure_uses(place, function, {param}, {param})


def _escaping_names(function: rast.Function) -> set[str]:
    """Return the names in functions that a function may return, or keep."""
    return rast.names_in(*_escaping_functions(function.body, {}, last=True))


def _escaping_functions(node: rast.Node, made: dict[str, rast.Function], last: bool) -> list[rast.Function]:
    """Return the functions written in a piece of code whose value goes on from there."""
    if isinstance(node, rast.Function):
        return [node] if last else []
    if isinstance(node, rast.Name):
        return [made[node.name]] if last and node.name in made else []
    if isinstance(node, rast.Block):
        end = len(node.body) - 1
        return [f for i, child in enumerate(node.body) for f in _escaping_functions(child, made, last and i == end)]
    if isinstance(node, rast.Assign) and isinstance(node.value, rast.Function) and isinstance(node.target, rast.Name):
        made[node.target.name] = node.value
        return _escaping_functions(node.value, made, last or node.outer)
    parts = [child for child in rast.children(node) if not (isinstance(node, rast.Call) and child is node.function)]
    if not isinstance(node, rast.If):
        name = rast.function_name(node)
        last = not has_function(name) or facts(name).keeps
    return [function for child in parts for function in _escaping_functions(child, made, last)]


def check_operator(known: Known, node: rast.Binary) -> None:
    """Refuse operands of an operator of the script as `check_own` does."""
    definition = find_name(known.around, node.operator)
    if definition is None or definition[1] is None or len(definition[1].params) != 2:
        check_unknown(known, [rast.Arg(None, node.left), rast.Arg(None, node.right)])
        return
    given = dict(zip(definition[1].words, (node.left, node.right), strict=True))
    check_own(known, node.operator, definition[0], definition[1], Bound(given, [], False))


def check_unknown(known: Known, args: list[rast.Arg]) -> None:
    """Refuse arguments that act, of a function that is not known, unless each that it may be uses them at once."""
    values = rast.values(args)
    does = [node for node in values if acting(known, node)]
    sure = known.scopes[0].first_at_once and all(arg.name is None for arg in args)
    if does not in ([], [arg.value for arg in args[:1]]) or (does and not sure):
        raise rast.UntranslatedError(
            f"a function that is not known here, of an argument that draws or prints, {_LATER}"
        )
    read = {name for node in values for name in names_read(known.around, node, set())}
    if (does and _reads_written(known, values, values[:1])) or read & known.outer:
        raise rast.UntranslatedError(f"a function that is not known here, of variables {_CHANGED}")


def look_at_strangers(scope: Scope, body: list[rast.Node]) -> None:
    """Note the facts that hold for all functions that a variable of a script may hold."""
    strangers = find_strangers(scope, body)
    scope.first_at_once = True
    scope.first_at_once = all(_first_at_once(scopes, node) for scopes, node in strangers)


def _first_at_once(scopes: Scopes, node: rast.Node) -> bool:
    """Whether a function surely uses its first argument before it does anything else."""
    function: rast.Node | None = node
    if isinstance(node, rast.Name | rast.Text):
        name = rast.word(node)
        definition = find_name(scopes, name)
        if definition is None:
            traits = facts(name)
            return not (traits.evaluates or traits.effect or next(iter(parameters(name)), "") in traits.may_skip)
        scopes, function = definition
    if not isinstance(function, rast.Function):
        return False
    first = next(iter(function.words), "")
    return not function.params or sure_uses(scopes, function, {first}, {first}) == [first]


# ---- functions of R ------------------------------------------------------------------------------


def check_library(known: Known, name: str, args: list[rast.Arg], bound: Bound) -> None:
    """Refuse arguments that act where R may use them in another order, not at all, or twice."""
    _check_twice(known, name, bound)
    traits = facts(name)
    if traits.repeats and traits.later and "..." in rast.names_in(*bound.given.values()):
        raise rast.UntranslatedError(f"{name}() of ..., which are those of a function of its own")
    words = [param for param in parameters(name) if param in bound.given]
    given = [*((word, bound.given[word]) for word in words), *(("...", node) for _, node in bound.dots)]
    does = [(param, node) for param, node in given if acting(known, node)]
    if any(param in traits.may_skip and param not in traits.later for param, _ in does):
        raise rast.UntranslatedError(f"{name}() of arguments that draw or print, {_LATER}")
    if traits.evaluates or not does:
        return  # the former have rules of their own
    first = next((param for param in parameters(name) if param not in traits.called), "")
    inner = traits.repeats and any(param != first and (param, first) != ("...", "dots") for param, _ in does)
    ordered = traits.in_order is True or (traits.in_order and all(param in traits.in_order for param, _ in does))
    acts = [node for _, node in does]
    if not ordered or [value for value in rast.values(args) if value in acts] != acts:
        inner = inner or len(does) > 1 or _reads_written(known, [node for _, node in given], acts)
    if inner:
        raise rast.UntranslatedError(f"{name}() of arguments that draw or print, {_LATER}")


def _reads_written(known: Known, given: list[rast.Node], does: list[rast.Node]) -> bool:
    """Whether one argument reads a name that another one assigns."""
    written = [(node, names_written(known.around, node, known.outer)) for node in does]
    read = [(node, names_read(known.around, node, known.outer)) for node in given]
    return any(names & others and node is not other for node, names in read for other, others in written)


def _check_twice(known: Known, name: str, bound: Bound) -> None:
    """Refuse data of a formula that act: R evaluates them for ``is.matrix`` and again for the model frame."""
    if not facts(name).formula:
        return
    bare = [node for _, node in bound.dots]
    first, second = [*map(bound.given.get, list(parameters(name))[:2])]
    formula = bound.given.get("formula") or first or next(iter(bare), None)
    if formula is None or not _may_be_formula(known, formula):
        return
    data = [bound.given.get("data"), second, *bare]
    twice = [formula, *(node for node in data if node is not None and node is not formula)]
    if any(acting(known, node) for node in twice):
        raise rast.UntranslatedError(
            f"{name}() of data that are made in the call, which R does twice; give them a name before"
        )


def _may_be_formula(known: Known, node: rast.Node) -> bool:
    if isinstance(node, rast.Name):
        scope = known.owner(node.name)
        if scope is None:
            return False
        made = any(may_give(maker, "formula") for maker in scope.made_by.get(node.name, ()))
        return made or node.name in known.formulas or node.name in scope.params
    return rast.is_formula(node) or (isinstance(node, rast.Call) and may_give(rast.function_name(node), "formula"))
