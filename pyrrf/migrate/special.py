"""Calls by the name of the function: those with rules of their own, and the way to the others."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pyrrf.migrate.calls import call_of_value, library_call, own_call
from pyrrf.migrate.context import Context, call, constant, dotted
from pyrrf.migrate.later import later, masked
from pyrrf.migrate.library import REFUSED, UnmovedError, has_function
from pyrrf.migrate.lookup import holds_function, may_call_own, may_hold_function, name_value
from pyrrf.migrate.names import is_word
from pyrrf.migrate.scopes import Scope
from pyrrf.migrate.tidyverse import TIDY
from pyrrf.migrate.tree import Assign, Block, Call, Constant, Name, Text, function_name

Maker = Callable[[Context, Call], ast.expr]


def call_of(ctx: Context, node: Call) -> ast.expr:
    """Return what a call becomes.

    Raises
    ------
    UnmovedError
        The function is not known, or has no counterpart for these arguments.
    """
    name = function_name(node)
    if not name:
        return call_of_value(ctx, node)
    owner = ctx.owner(name)
    if owner is not None and may_call_own(ctx, name):
        if not (has_function(name) or name in _SPECIAL or name in REFUSED):
            return own_call(ctx, node, name, owner)
        return _own_or_library(ctx, node, name, owner)
    hidden = [scope for scope in ctx.scopes if scope is not owner and may_hold_function(scope, name)]
    if owner is not None and hidden:
        raise UnmovedError(f"{name}() of the script, which a variable of this name hides")
    return _of_library(ctx, node, name)


def _own_or_library(ctx: Context, node: Call, name: str, owner: Scope) -> ast.expr:
    """Return a call of what the script calls as a function of R: of that one, where no function hides it by then."""
    if ctx.waits(name) and ctx.at_top and not ctx.depth:
        return _of_library(ctx, node, name)
    tests = holds_function(ctx, name, owner)
    own = own_call(ctx, node, name, owner)
    if not tests:
        return own
    try:
        other = _of_library(ctx, node, name)
    except UnmovedError:
        if name in owner.params:
            return own
        raise
    return ast.IfExp(tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests), own, other)


def _of_library(ctx: Context, node: Call, name: str) -> ast.expr:
    """Return a call of a function of R."""
    if name in _SPECIAL:
        return _SPECIAL[name](ctx, node)
    if name in REFUSED:
        raise UnmovedError(f"{name}() is not moved")
    if has_function(name):
        return library_call(ctx, name, node.args, node)
    raise UnmovedError(f"{name}() is not known here")


# ---- functions of a kind of their own ------------------------------------------------------------


def _missing(ctx: Context, node: Call) -> ast.expr:
    name = node.args[0].value if len(node.args) == 1 else None
    if not isinstance(name, Name) or name.name not in ctx.scope.params:
        raise UnmovedError("missing() of what is no parameter")
    noted = ctx.missing.get((id(ctx.scope), name.name))
    absent = ast.Compare(ctx.name(name.name), [ast.Is()], [dotted("r.absent")]) if noted is None else dotted(noted)
    return call("r.c", absent)


def _true(ctx: Context, node: Call) -> ast.expr:
    found = call("r.c", constant(True))
    return call("r.invisible", found) if function_name(node) == "library" else found


def _exists(ctx: Context, node: Call) -> ast.expr:
    first, rest = node.args[0].value if node.args else None, node.args[1:]
    inherits = not rest or (isinstance(rest[0].value, Constant) and rest[0].value.name == "TRUE")
    if not isinstance(first, Text) or len(rest) > 1 or (rest and rest[0].name != "inherits"):
        raise UnmovedError("exists() of a computed name")
    owner = ctx.owner(first.value)
    if ctx.in_lambda or (rest and not isinstance(rest[0].value, Constant)):
        raise UnmovedError("exists() with these arguments")
    if inherits and has_function(first.value):
        return call("r.c", constant(True))
    if inherits and owner not in (None, ctx.scope, ctx.scopes[0]):
        raise UnmovedError("exists() of a name of the function around this one")
    places = ["globals"] if ctx.at_top else ["locals", "globals"] if inherits else ["locals"]
    made = [ast.Compare(constant(ctx.names[first.value]), [ast.In()], [call(place)]) for place in places]
    return call("r.c", made[0] if len(made) == 1 else ast.BoolOp(ast.Or(), list(made)))


def _get(ctx: Context, node: Call) -> ast.expr:
    first = node.args[0].value if node.args else None
    if not isinstance(first, Text) or len(node.args) > 1:
        raise UnmovedError("get() of a computed name")
    return name_value(ctx, first.value)


def _match_arg(ctx: Context, node: Call) -> ast.expr:
    if len(node.args) == 1 and isinstance(node.args[0].value, Name):
        name = node.args[0].value.name
        default = ctx.defaults.get((id(ctx.scope), name))
        if default is not None:
            return call("r.match_arg", ctx.name(name), ctx.read(default))
    return library_call(ctx, "match.arg", node.args)


def _bracket(ctx: Context, node: Call) -> ast.expr:

    inner = node.args[0].value
    assert inner is not None
    return ctx.value(inner)


def _switch(ctx: Context, node: Call) -> ast.expr:
    """Return a switch whose alternatives are lambdas; one that is empty falls through to the next."""
    first, *rest = node.args
    if first.value is None or any(arg.value is None and arg.name is None for arg in rest):
        raise UnmovedError("switch() with these arguments")
    made = call("r.switch", ctx.read(first.value))
    assert isinstance(made, ast.Call)
    last_bare = max((at for at, arg in enumerate(rest) if arg.name is None), default=-1)
    for at, arg in enumerate(rest):
        tree = constant(None) if arg.value is None else later(ctx, arg.value)
        if arg.name is None:
            made.args.append(tree)
        elif at < last_bare or not is_word(arg.name) or arg.name == "EXPR":
            made.args.append(call("r.named", constant(arg.name), tree))
        else:
            made.keywords.append(ast.keyword(arg.name, tree))
    return made


def _within(ctx: Context, node: Call) -> ast.expr:
    """Return ``within(d, {...})``: its assignments make columns, the last one first, as R has them."""
    if len(node.args) != 2 or any(arg.name or arg.value is None for arg in node.args):
        raise UnmovedError("within() with these arguments")
    data, body = node.args[0].value, node.args[1].value
    assert data is not None
    steps = body.body if isinstance(body, Block) else [body]
    made = call("r.within", ctx.read(data))
    assert isinstance(made, ast.Call)
    for step in steps:
        if not isinstance(step, Assign) or not isinstance(step.target, Name):
            raise UnmovedError("within() of other than assignments to names")
        made.args.append(call("r.named", constant(step.target.name), masked(ctx, step.value)))
    return made


def _invisible(ctx: Context, node: Call) -> ast.expr:

    value = node.args[0].value if node.args else None
    return call("r.invisible", *([] if value is None else [ctx.kept(value)]))


def _data_value(ctx: Context, node: Call) -> ast.expr:
    raise UnmovedError("the value of data()")


def _transform(ctx: Context, node: Call) -> ast.expr:
    return library_call(ctx, "transform", node.args)


def _false(ctx: Context, node: Call) -> ast.expr:
    return call("r.c", constant(False))


_SPECIAL: dict[str, Maker] = {
    "missing": _missing,
    **dict.fromkeys(("require", "requireNamespace", "library"), _true),
    "interactive": _false,
    "exists": _exists,
    "get": _get,
    "match.arg": _match_arg,
    "(": _bracket,
    "switch": _switch,
    "invisible": _invisible,
    "data": _data_value,
    "within": _within,
    **TIDY,
}
