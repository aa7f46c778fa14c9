"""Calls by the name of the function: those with rules of their own, then all others."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from pyrrf.migrate.decide.laziness import acting
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import REFUSED, bind, entry_of, has_function
from pyrrf.migrate.scopes.names import is_word
from pyrrf.migrate.scopes.scopes import Scope
from pyrrf.migrate.write.arguments import later, mask_lambda
from pyrrf.migrate.write.calls import call_of_value, library_call, own_call
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.lines import all_of, call, constant, dotted_name, is_in, is_same
from pyrrf.migrate.write.lookup import holds_function, may_call_own, name_value
from pyrrf.migrate.write.packages import check_installed, package_arguments
from pyrrf.r.values.packages import INSTALLED

Maker = Callable[[Context, rast.Call], ast.expr]


def call_of(ctx: Context, node: rast.Call) -> ast.expr:
    """Return the Python of a call.

    Raises
    ------
    UntranslatedError
        The function is not known, or has no counterpart for these arguments.
    """
    if any(arg.piped for arg in node.args) and not _has_pipe(ctx):
        return all_of([call("r.found", constant("%>%")), _call_by_name(ctx, node)])
    return _call_by_name(ctx, node)


def _call_by_name(ctx: Context, node: rast.Call) -> ast.expr:
    """Return a call of the function that a name stands for."""
    name = rast.function_name(node)
    if not name:
        return call_of_value(ctx, node)
    owner = ctx.owner(name)
    if owner is not None and may_call_own(ctx, name) and not ctx.surely_waits(name):
        if not (has_function(name) or name in _SPECIAL or name in REFUSED):
            return own_call(ctx, node, name, owner)
        return _own_or_library(ctx, node, name, owner)
    hidden = [scope for scope in ctx.scopes if scope is not owner and scope.may_hold_function(name)]
    if owner is not None and hidden:
        raise rast.UntranslatedError(f"{name}() of the script, which a variable of this name hides")
    return _of_library(ctx, node, name)


def _has_pipe(ctx: Context) -> bool:
    if ctx.owner("%>%") is not None:
        raise rast.UntranslatedError("the operator %>% of the script")
    return ctx.search.has_pipe(not ctx.at_top)


def _own_or_library(ctx: Context, node: rast.Call, name: str, owner: Scope) -> ast.expr:
    """Return a call of the script's function, or of R's where the script has defined none by then."""
    tests = holds_function(ctx, name, owner)
    own = own_call(ctx, node, name, owner)
    if not tests:
        return own
    try:
        other = _of_library(ctx, node, name)
    except rast.UntranslatedError:
        if name in owner.params:
            return own
        raise
    return ast.IfExp(all_of(tests), own, other)


def _of_library(ctx: Context, node: rast.Call, name: str) -> ast.expr:
    """Return a call of a function of R."""
    if name in _SPECIAL:
        return _SPECIAL[name](ctx, node)
    if name in REFUSED:
        raise rast.UntranslatedError(f"{name}() is not supported")
    if has_function(name):
        return library_call(ctx, name, node.args, node)
    raise rast.UntranslatedError(f"{name}() is not known here")


# ---- functions of a kind of their own ------------------------------------------------------------


def _missing(ctx: Context, node: rast.Call) -> ast.expr:
    name = node.args[0].value if len(node.args) == 1 else None
    if not isinstance(name, rast.Name) or name.name not in ctx.scope.params:
        raise rast.UntranslatedError("missing() of a name that is not a parameter")
    noted = ctx.scope.missing.get(name.name)
    return call("r.c", is_same(ctx.name(name.name), dotted_name("r.absent")) if noted is None else dotted_name(noted))


def _whether_there(ctx: Context, node: rast.Call) -> ast.expr:
    """Return whether R has a package, where that is known."""
    name = rast.bare(rast.function_name(node))
    check_installed(ctx, node, name)
    if name == "requireNamespace":
        package = rast.first_value(node)
        if isinstance(package, rast.Text) and package.value not in INSTALLED:
            raise rast.UntranslatedError(f"whether R has the package {package.value} is not known here")
        return library_call(ctx, name, node.args, node)
    return call("r.require", *package_arguments(ctx, node))


def _attach(ctx: Context, node: rast.Call) -> ast.expr:
    return call("r.library", *package_arguments(ctx, node))


def _catching(ctx: Context, node: rast.Call) -> ast.expr:
    """Return a call behind whose errors the script goes on."""
    name = rast.function_name(node)
    check_installed(ctx, node, name)
    return library_call(ctx, name, node.args, node)


def _exists(ctx: Context, node: rast.Call) -> ast.expr:
    first, rest = rast.first_value(node), node.args[1:]
    inherits = not rest or (isinstance(rest[0].value, rast.Constant) and rest[0].value.name == "TRUE")
    if not isinstance(first, rast.Text) or len(rest) > 1 or (rest and rest[0].name != "inherits"):
        raise rast.UntranslatedError("exists() of a computed name")
    owner = ctx.owner(first.value)
    if ctx.in_lambda or (rest and not isinstance(rest[0].value, rast.Constant)):
        raise rast.UntranslatedError("exists() with these arguments")
    in_r = inherits and entry_of(first.value) is not None
    if in_r and _is_sure(ctx, first.value):
        return call("r.c", constant(True))
    if in_r and owner is None:
        return call("r.exists", constant(first.value), assigned=constant(False))
    if inherits and owner is None and not ctx.loads:
        raise rast.UntranslatedError(f"whether R itself has {first.value} is not known here")
    if inherits and owner not in (None, ctx.scope, ctx.scopes[0]):
        raise rast.UntranslatedError("exists() of a name of the function around this one")
    places = ["globals"] if ctx.at_top else ["locals", "globals"] if inherits else ["locals"]
    there = all_of([is_in(ctx.names[first.value], place) for place in places], ast.Or())
    if not inherits or first.value in ctx.done:
        return call("r.c", there)
    return call("r.exists", constant(first.value), assigned=there)


def _is_sure(ctx: Context, name: str) -> bool:
    """Whether R surely has a name that is known here."""
    home = ctx.search.home(name, not ctx.at_top, bool(ctx.masks))
    if home == "":
        raise rast.UntranslatedError(f"whether R has {name}, which depends on what is not translated")
    return home is not None


def _get(ctx: Context, node: rast.Call) -> ast.expr:
    first = rast.first_value(node)
    if not isinstance(first, rast.Text) or len(node.args) > 1:
        raise rast.UntranslatedError("get() of a computed name")
    return call("r.copy", name_value(ctx, first.value))


def _match_arg(ctx: Context, node: rast.Call) -> ast.expr:
    if len(node.args) == 1 and isinstance(node.args[0].value, rast.Name):
        name = node.args[0].value.name
        default = ctx.scope.defaults.get(name)
        if default is not None:
            return call("r.match_arg", ctx.name(name), ctx.read(default))
    return library_call(ctx, "match.arg", node.args)


def _bracket(ctx: Context, node: rast.Call) -> ast.expr:
    (inner,) = rast.values(node.args)
    return ctx.value(inner)


def _switch(ctx: Context, node: rast.Call) -> ast.expr:
    """Return a switch whose alternatives are lambdas; one that is empty falls through to the next."""
    first, *rest = node.args
    if first.value is None or any(arg.value is None and arg.name is None for arg in rest):
        raise rast.UntranslatedError("switch() with these arguments")
    made = call("r.switch", ctx.read(first.value))
    last_bare = max((index for index, arg in enumerate(rest) if arg.name is None), default=-1)
    for index, arg in enumerate(rest):
        tree = constant(None) if arg.value is None else later(ctx, arg.value)
        if arg.name is None:
            made.args.append(tree)
        elif index < last_bare or not is_word(arg.name) or arg.name == "EXPR":
            made.args.append(call("r.named", constant(arg.name), tree))
        else:
            made.keywords.append(ast.keyword(arg.name, tree))
    return made


def _within(ctx: Context, node: rast.Call) -> ast.expr:
    """Return ``within(d, {...})``: its assignments make columns, the last one first, as R has them."""
    given = rast.values(node.args)
    if not len(given) == len(node.args) == 2 or any(arg.name for arg in node.args):
        raise rast.UntranslatedError("within() with these arguments")
    data, body = given
    steps = body.body if isinstance(body, rast.Block) else [body]
    made = call("r.within", ctx.read(data))
    for step in steps:
        if not isinstance(step, rast.Assign) or not isinstance(step.target, rast.Name):
            raise rast.UntranslatedError("within() of other than assignments to names")
        made.args.append(call("r.named", constant(step.target.name), mask_lambda(ctx, step.value)))
    return made


def _invisible(ctx: Context, node: rast.Call) -> ast.expr:
    return call("r.invisible", *map(ctx.held_value, rast.values(node.args[:1])))


def _no_value(ctx: Context, node: rast.Call) -> ast.expr:
    raise rast.UntranslatedError(f"the value of {rast.bare(rast.function_name(node))}()")


def _false(ctx: Context, node: rast.Call) -> ast.expr:
    return call("r.c", constant(False))


def _case_when(ctx: Context, node: rast.Call) -> ast.expr:
    made = call("r.case_when")
    for arg in node.args:
        if arg.name or not isinstance(arg.value, rast.Binary) or arg.value.operator != "~":
            raise rast.UntranslatedError("case_when() with other than conditions and values")
        made.args.append(ast.Tuple([ctx.value(arg.value.left), ctx.value(arg.value.right)], ast.Load()))
    return made


# Columns that a function makes, of which the name stands there.
_NEW_COLUMNS = {"gather": ("key", "value"), "unite": ("col",)}


def _naming(ctx: Context, node: rast.Call) -> ast.expr:
    """Return a call in which a bare name is that of a new column."""
    name = rast.function_name(node)
    given = bind(name, node.args).given
    new = [given.get(param) for param in _NEW_COLUMNS[rast.bare(name)]]
    args = [replace(arg, value=_quote_name(arg.value)) if arg.value in new else arg for arg in node.args]
    return library_call(ctx, name, args, node)


def _quote_name(node: rast.Node | None) -> rast.Node | None:
    return rast.Text(node.first, node.last, node.text, node.name) if isinstance(node, rast.Name) else node


def _tribble(ctx: Context, node: rast.Call) -> ast.expr:
    values = rast.values(node.args)
    heads = [value.operand for value in values if isinstance(value, rast.Unary) and value.operator == "~"]
    if any(arg.name for arg in node.args) or not all(isinstance(head, rast.Name) for head in heads):
        raise rast.UntranslatedError("tribble() with these arguments")
    labels = call("r.c", *[constant(rast.word(head)) for head in heads])
    return call("r.tribble", *map(ctx.value, values[len(heads) :]), names=labels)


def _grow(ctx: Context, node: rast.Call) -> ast.expr:
    """Return ``grow(fit, n)``, where the call of the fit gives the same once more: R evaluates it in grow() itself."""
    fit = rast.word(rast.first_value(node))
    calls = ctx.fits.calls.get(fit, [])
    names = {name for name in rast.names_in(*calls) if ctx.owner(name) is not None}
    hidden = any(name in ("x", "how.many") or entry_of(name) is not None for name in names)
    changed = {fit, *names} & (ctx.changing | ctx.changed | ctx.outer)
    draws = any(acting(ctx, value) for call in calls for value in rast.values(call.args))
    if not ctx.at_top or len(calls) != 1 or hidden or changed or draws:
        raise rast.UntranslatedError("grow(), in which R evaluates the call of the fit once more")
    return library_call(ctx, rast.function_name(node), node.args, node)


_SPECIAL: dict[str, Maker] = {
    "missing": _missing,
    **dict.fromkeys(("require", "requireNamespace"), _whether_there),
    **dict.fromkeys(("try", "tryCatch"), _catching),
    "library": _attach,
    "grow": _grow,
    "interactive": _false,
    "exists": _exists,
    "get": _get,
    "match.arg": _match_arg,
    "(": _bracket,
    "switch": _switch,
    "invisible": _invisible,
    **dict.fromkeys(("data", "load"), _no_value),
    "within": _within,
    "case_when": _case_when,
    "tribble": _tribble,
    **dict.fromkeys(_NEW_COLUMNS, _naming),
}
_OF_PACKAGES = {
    "base": "exists get interactive match.arg missing switch within",
    "dplyr": "case_when",
    "tibble": "tribble",
    "tidyr": "gather unite",
}
for _package, _names in _OF_PACKAGES.items():
    _SPECIAL |= {f"{_package}::{_name}": _SPECIAL[_name] for _name in _names.split()}
