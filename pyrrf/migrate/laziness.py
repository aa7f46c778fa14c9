"""When arguments are evaluated: R does it when a function uses them, if it does, Python before the call.

Where that makes another value, other output or another order of draws, the call is left.
"""

from __future__ import annotations

from pyrrf.migrate.context import Context
from pyrrf.migrate.effects import (
    Scopes,
    find_strangers,
    found_in,
    has_effect,
    names_read,
    names_written,
    written_outside,
)
from pyrrf.migrate.library import Bound, UnmovedError, facts, has_function, may_give, parameters
from pyrrf.migrate.scopes import Scope, function_scope, names_in
from pyrrf.migrate.tree import (
    Arg,
    Assign,
    Binary,
    Block,
    Call,
    Constant,
    Function,
    If,
    Name,
    Node,
    Number,
    Text,
    Unary,
    children,
    function_name,
)
from pyrrf.migrate.uses import sure_uses

_LATER = "which R does when the function uses them; give them names before"
_CHANGED = "which are changed before the function uses it; give it a name before"


def acting(ctx: Context, node: Node) -> bool:
    """Whether the value of an expression draws, prints or assigns on its way."""
    return has_effect(tuple(ctx.scopes), node)


# ---- functions of the script ---------------------------------------------------------------------


def check_own(ctx: Context, name: str, place: Scopes, known: Function, found: Bound) -> None:
    """Refuse arguments whose value, or whose effect, depends on when a function of the script uses them.

    Parameters
    ----------
    ctx : Context
    name : str
        Of the function.
    place : tuple of Scope
        Where it is defined.
    known : Function
    found : Bound
    """
    if any(acting(ctx, node) for _, node in found.dots):
        raise UnmovedError(f"{name}() of an argument that draws or prints, {_LATER}")
    scopes = tuple(ctx.scopes)
    given = {param: node for param, node in found.given.items() if not isinstance(node, Number | Text | Constant)}
    does = [param for param in _in_order(known, found) if param in given and acting(ctx, given[param])]
    reads = {param: names_read(scopes, node, ctx.outer) for param, node in given.items()}
    writes = {param: names_written(scopes, given[param], ctx.outer) for param in does}
    own = written_outside((place, known), ctx.outer)
    late = [param for param, read in reads.items() if param not in does and read & own]
    both = [(p, q) for p, read in reads.items() for q, write in writes.items() if p != q and read & write]
    asked = {*does, *late, *(param for pair in both for param in pair)}
    used = sure_uses(place, known, asked, set(found.given)) if asked else []
    if [param for param in used if param in does] != does:
        raise UnmovedError(f"{name}() of an argument that draws or prints, {_LATER}")
    ordered = [param for param in _in_order(known, found) if param in used]
    wrong = next((p for pair in both for p in pair if p not in used or ordered != used), None)
    wrong = wrong or next((param for param in late if param not in used), None)
    free = names_read(place, known, ctx.outer) - {*function_scope(known).assigned, *function_scope(known).params}
    wrong = wrong or next((param for param, write in writes.items() if write & free), None)
    kept = _kept(known)
    wrong = wrong or next(
        (p for p, read in reads.items() if p in kept and read & ctx.changing and _waits(place, known, p)), None
    )
    if wrong is not None:
        raise UnmovedError(f"{name}() of the argument {wrong}, which reads variables {_CHANGED}")
    if any(names_read(scopes, node, ctx.outer) & own for _, node in found.dots):
        raise UnmovedError(f"{name}() of arguments for ..., which read variables {_CHANGED}")


def _in_order(known: Function, found: Bound) -> list[str]:
    """Return the parameters given in the order in which Python evaluates them."""
    words = [param.name or "" for param in known.params]
    return [word for word in words if word in found.given]


def _waits(place: Scopes, known: Function, param: str) -> bool:
    return param not in sure_uses(place, known, {param}, {param})


def _kept(known: Function) -> set[str]:
    """Return the names in functions that a function may return, or keep."""
    made: dict[str, Function] = {}
    return {name for node in _going_on(known.body, made, last=True) for name in names_in(node)}


def _going_on(node: Node, made: dict[str, Function], last: bool) -> list[Function]:
    """Return the functions written in a piece of code whose value goes on from there."""
    if isinstance(node, Function):
        return [node] if last else []
    if isinstance(node, Name):
        return [made[node.name]] if last and node.name in made else []
    if isinstance(node, Block):
        end = len(node.body) - 1
        return [found for at, part in enumerate(node.body) for found in _going_on(part, made, last and at == end)]
    if isinstance(node, Assign) and isinstance(node.value, Function) and isinstance(node.target, Name):
        made[node.target.name] = node.value
        return _going_on(node.value, made, last or node.outer)
    parts = [part for part in children(node) if not (isinstance(node, Call) and part is node.function)]
    if not isinstance(node, If):
        name = function_name(node)
        last = not has_function(name) or facts(name).keeps
    return [found for part in parts for found in _going_on(part, made, last)]


def check_operator(ctx: Context, node: Binary) -> None:
    """Refuse operands of an operator of the script as `check_own` does."""
    found = found_in(tuple(ctx.scopes), node.operator)
    if found is None or found[1] is None or len(found[1].params) != 2:
        check_unknown(ctx, [Arg(None, node.left), Arg(None, node.right)])
        return
    words = [param.name or "" for param in found[1].params]
    check_own(
        ctx, node.operator, found[0], found[1], Bound(dict(zip(words, (node.left, node.right), strict=True)), [], False)
    )


def check_unknown(ctx: Context, args: list[Arg]) -> None:
    """Refuse arguments that act, of a function that is not known, unless each that it may be uses them at once."""
    scopes = tuple(ctx.scopes)
    does = [(at, arg) for at, arg in enumerate(args) if arg.value is not None and acting(ctx, arg.value)]
    values = [("", arg.value) for arg in args if arg.value is not None]
    sure = ctx.scopes[0].first_at_once and all(arg.name is None for arg in args)
    if [at for at, _ in does] not in ([], [0]) or (does and not sure):
        raise UnmovedError(f"a function that is not known here, of an argument that draws or prints, {_LATER}")
    if does and _reads_written(ctx, values, values[:1]):
        raise UnmovedError(f"a function that is not known here, of variables {_CHANGED}")
    if any(arg.value is not None and names_read(scopes, arg.value, set()) & ctx.outer for arg in args):
        raise UnmovedError(f"a function that is not known here, of variables {_CHANGED}")


def look_at_strangers(scope: Scope, body: list[Node]) -> None:
    """Note what is sure of all functions that a variable of a script may hold."""
    strangers = find_strangers(scope, body)
    scope.first_at_once = True
    scope.first_at_once = all(_first_at_once(scopes, node) for scopes, node in strangers)


def _first_at_once(scopes: Scopes, node: Node) -> bool:
    """Whether a function surely uses its first argument before it does anything else."""
    known: Node | None = node
    if isinstance(node, Name | Text):
        name = node.name if isinstance(node, Name) else node.value
        found = found_in(scopes, name)
        if found is None:
            first = next(iter(parameters(name)), "")
            told = facts(name)
            return not (told.evaluates or told.effect or first in told.may_skip)
        scopes, known = found
    if not isinstance(known, Function):
        return False
    first = next((param.name or "" for param in known.params), "")
    return not known.params or sure_uses(scopes, known, {first}, {first}) == [first]


# ---- functions of R ------------------------------------------------------------------------------


def check_library(ctx: Context, name: str, args: list[Arg], found: Bound) -> None:
    """Refuse arguments that act where R may use them in another order, not at all, or twice."""
    _check_twice(ctx, name, found)
    if facts(name).own_dots and any("..." in names_in(node) for node in found.given.values()):
        raise UnmovedError(f"{name}() of ..., which are those of a function of its own")
    told = facts(name)
    if told.evaluates:
        return  # they have rules of their own
    words = [param for param in parameters(name) if param in found.given]
    given = [*((word, found.given[word]) for word in words), *(("...", node) for _, node in found.dots)]
    does = [(param, node) for param, node in given if acting(ctx, node)]
    if not does:
        return
    conditional = any(param in told.may_skip for param, _ in does)
    first = next((param for param in parameters(name) if param not in told.called), "")
    inner = told.repeats and any(param != first and (param, first) != ("...", "dots") for param, _ in does)
    ordered = told.in_order is True or (told.in_order and all(param in told.in_order for param, _ in does))
    stand = [arg.value for arg in args if any(arg.value is node for _, node in does)]
    if not ordered or stand != [node for _, node in does]:
        inner = inner or len(does) > 1 or _reads_written(ctx, given, does)
    if conditional or inner:
        raise UnmovedError(f"{name}() of arguments that draw or print, {_LATER}")


def _reads_written(ctx: Context, given: list[tuple[str, Node]], does: list[tuple[str, Node]]) -> bool:
    """Whether one argument reads what another one assigns."""
    scopes = tuple(ctx.scopes)
    written = {id(node): names_written(scopes, node, ctx.outer) for _, node in does}
    return any(
        names_read(scopes, node, ctx.outer) & names
        for _, node in given
        for other, names in written.items()
        if other != id(node)
    )


def _check_twice(ctx: Context, name: str, found: Bound) -> None:
    """Refuse data of a formula that act: R evaluates them for ``is.matrix`` and again for the model frame."""
    if not facts(name).formula:
        return
    bare = [node for _, node in found.dots]
    first, second = [*map(found.given.get, list(parameters(name))[:2])]
    formula = found.given.get("formula") or first or next(iter(bare), None)
    if formula is None or not _may_be_formula(ctx, formula):
        return
    # What is handed over later is evaluated as often as in R.
    data = [] if facts(name).later_if_drawn else [found.given.get("data"), second, *bare]
    twice = [formula, *(node for node in data if node is not None and node is not formula)]
    if any(acting(ctx, node) for node in twice):
        raise UnmovedError(f"{name}() of data that are made in the call, which R does twice; give them a name before")


def _may_be_formula(ctx: Context, node: Node) -> bool:
    if isinstance(node, Binary | Unary):
        return node.operator == "~"
    if isinstance(node, Name):
        found = found_in(tuple(ctx.scopes), node.name)
        if found is None:
            return False
        makers = found[0][-1].made_by.get(node.name, set())
        return (
            any(may_give(maker, "formula") for maker in makers)
            or node.name in ctx.formulas
            or node.name in found[0][-1].params
        )
    return isinstance(node, Call) and may_give(function_name(node), "formula")
