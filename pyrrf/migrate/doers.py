"""Calls that are statements: packages, data, what is removed or sourced."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.library import DROPPED, UnmovedError, facts
from pyrrf.migrate.lookup import is_dataset, may_call_own
from pyrrf.migrate.methods import defined_methods
from pyrrf.migrate.scopes import (
    assigned_outside,
    changed_anywhere,
    changing_names,
    formula_names,
    script_scope,
    target_name,
)
from pyrrf.migrate.targets import returned
from pyrrf.migrate.tree import Assign, Call, Function, Name, Node, Script, Text, function_name, walk


def is_quiet(ctx: Context, node: Node | None) -> bool:
    """Whether R prints nothing for the value of an expression at the top level."""
    name = "" if node is None else function_name(node)
    return facts(name).quiet and not may_call_own(ctx, name)


def run_call(ctx: Context, node: Call, to: str) -> bool:
    """Write a call that is a statement, if it is one of a kind of its own; whether it was."""
    name = function_name(node)
    if may_call_own(ctx, name):
        return False
    if name == "return":
        _return(ctx, node)
        return True
    if name in DROPPED or _is_dropped(node):
        return to in ("", "show")
    doer = _DOERS.get(name)
    if doer is None or to not in ("", "show"):
        return False
    return doer(ctx, node)


_AROUND = (
    "suppressPackageStartupMessages", "suppressMessages", "suppressWarnings", "invisible", "lapply", "sapply",
)  # fmt: skip


def _is_dropped(node: Call) -> bool:
    """Whether a call holds nothing but the loading of packages."""
    if function_name(node) not in _AROUND:
        return False
    inner = [arg.value for arg in node.args if arg.value is not None]
    loads = [n for value in inner for n in walk(value) if isinstance(n, Name) and n.name in ("library", "require")]
    return bool(loads)


def _return(ctx: Context, node: Call) -> None:

    if ctx.at_top and not ctx.blocks:
        raise UnmovedError("return outside of a function")
    if ctx.blocks and ctx.scopes[-1] is ctx.scopes[0]:
        raise UnmovedError("return outside of a function")
    if ctx.blocks:
        raise UnmovedError("return inside of what is evaluated later")
    value = node.args[0].value if node.args else None
    if value is None:
        ctx.emit(ast.Return(call("r.c")))
    elif isinstance(value, Assign):
        ctx.run_to(value, "return")
    else:
        ctx.emit(ast.Return(returned(ctx, value)))


def _remove(ctx: Context, node: Call) -> bool:
    names = [arg.value.name for arg in node.args if arg.name is None and isinstance(arg.value, Name)]
    if any(arg.name == "list" for arg in node.args):
        return ctx.place[0] <= ctx.first_work or _refuse("rm(list =) behind the first statements")
    known = [name for name in names if (ctx.owner(name) if ctx.at_top else ctx.scope.has(name))]
    if known:
        ctx.done -= {*known} if ctx.at_top else set()
        ctx.emit(ast.Delete([ast.Name(ctx.names[name], ast.Del()) for name in known]))
    return True


def _refuse(reason: str) -> bool:
    raise UnmovedError(reason)


def _data(ctx: Context, node: Call) -> bool:
    for arg in node.args:
        if arg.name is not None:
            continue
        name = arg.value.name if isinstance(arg.value, Name) else arg.value.value if isinstance(arg.value, Text) else ""
        if not is_dataset(name):
            raise UnmovedError(
                f"the data set {name} is not shipped; in R: saveRDS({name}, '{name}.rds'), then readRDS() it"
            )
        ctx.set(name, call("r.dataset", constant(name)))
    return True


def _attach(ctx: Context, node: Call) -> bool:

    if len(node.args) != 1 or node.args[0].value is None or not ctx.at_top:
        raise UnmovedError("attach() with these arguments")
    made = ctx.names.fresh("attached")
    ctx.emit(ast.Assign([ast.Name(made, ast.Store())], call("r.copy", ctx.value(node.args[0].value)), lineno=0))
    ctx.attached.append(made)
    return True


def _detach(ctx: Context, node: Call) -> bool:
    first = node.args[0].value if node.args else None
    if ctx.attached and isinstance(first, Name):
        ctx.attached.pop()
    return True


def _load(ctx: Context, node: Call) -> bool:
    if len(node.args) != 1 or node.args[0].value is None or not ctx.at_top:
        raise UnmovedError("load() with these arguments")
    # What the file holds is known when it is read: names that nothing else assigns are looked for there.
    ctx.loads = True
    ctx.scopes[0].calm = ctx.scopes[0].first_at_once = False
    update = ast.Attribute(call("globals"), "update", ast.Load())
    ctx.emit(ast.Call(update, [call("r.load", ctx.read(node.args[0].value))], []))
    return True


def _assign_by_name(ctx: Context, node: Call) -> bool:

    first, *rest = [arg.value for arg in node.args]
    if not isinstance(first, Text) or len(rest) != 1 or rest[0] is None:
        raise UnmovedError("assign() to a computed name")
    ctx.scope.assigned.setdefault(first.value, node.first)
    ctx.set(first.value, ctx.kept(rest[0]))
    return True


def _source(ctx: Context, node: Call) -> bool:
    first = node.args[0].value if node.args else None
    if not isinstance(first, Text) or not ctx.at_top:
        raise UnmovedError("source() inside of a function, or of a computed name")
    file = ctx.sources.find(first.value)
    if file in ctx.sources.read:
        return _is_same_again(ctx, ctx.sources.read[file]) or _refuse("source() of a file that stands above already")
    inner = ctx.sources.script(file)
    scope = script_scope(inner.body)
    ctx.scopes[0].assigned |= {
        name: place for name, place in scope.assigned.items() if name not in ctx.scopes[0].assigned
    }
    ctx.scopes[0].functions |= scope.functions
    ctx.changed |= changed_anywhere(inner.body)
    ctx.outer |= assigned_outside(inner.body)
    ctx.changing |= changing_names(inner.body)
    ctx.formulas |= formula_names(inner.body)
    ctx.methods |= defined_methods(inner.body)
    ctx.scopes[0].calm = ctx.scopes[0].first_at_once = False
    place, ctx.fixed_place = ctx.fixed_place, ctx.place
    try:
        with ctx.sources.inside():
            for statement in inner.body:
                ctx.run(statement)
    finally:
        ctx.fixed_place = place
    return True


def _is_same_again(ctx: Context, script: Script) -> bool:
    """Whether a script that was sourced changes nothing a second time: its functions are nowhere changed."""
    if not all(_defined(node) or function_name(node) in DROPPED for node in script.body):
        return False
    others = [other for other in (ctx.script, *ctx.sources.read.values()) if other is not script]
    elsewhere = script_scope([statement for other in others for statement in other.body])
    return not {_defined(node) for node in script.body} & (elsewhere.assigned.keys() | elsewhere.changed)


def _defined(node: Node) -> str:
    """Return the name of the function that a statement defines."""
    whole = isinstance(node, Assign) and isinstance(node.value, Function) and isinstance(node.target, Name)
    return target_name(node.target) or "" if whole and isinstance(node, Assign) else ""


_DOERS: dict[str, Callable[[Context, Call], bool]] = {
    "rm": _remove, "data": _data, "attach": _attach, "detach": _detach, "load": _load, "assign": _assign_by_name,
    "source": _source,
}  # fmt: skip
