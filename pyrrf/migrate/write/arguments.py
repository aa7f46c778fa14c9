"""Arguments that R evaluates later, or among the columns of a table: lambdas, or functions written before."""

from __future__ import annotations

import ast

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import entry_of, facts
from pyrrf.migrate.scopes.scopes import has_statements
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.lines import arguments, call, constant, define, is_in, lambda_of
from pyrrf.migrate.write.lookup import may_be_invisible


def mask_lambda(ctx: Context, node: rast.Node) -> ast.expr:
    """Return a lambda over the columns of a table."""
    name = ctx.names.fresh("m") if ctx.masks else "m"
    with ctx.evaluated_later(name):
        return lambda_of(ctx.value(node), name)


def later(ctx: Context, node: rast.Node) -> ast.expr:
    """Return a lambda without parameters, or a function that is written before the statement."""
    if has_statements(node):
        return _written_before(ctx, node)
    with ctx.evaluated_later():
        tree = ctx.value(node)
        return lambda_of(call("r.copy", tree) if may_be_invisible(ctx, node) else tree)


def declare_outer(ctx: Context, outer: set[str]) -> None:
    """Write ``global`` and ``nonlocal`` for the names that ``<<-`` assigns."""
    for name in sorted(outer):
        owner = next((scope for scope in reversed(ctx.scopes[:-1]) if scope.has(name)), ctx.scopes[0])
        made: ast.stmt = (ast.Global if owner is ctx.scopes[0] else ast.Nonlocal)([ctx.names[name]])
        ctx.emit(made)


def _written_before(ctx: Context, node: rast.Node) -> ast.expr:
    """Write statements as a function that assigns the names of the scope around it."""
    if ctx.in_lambda or ctx.masks:
        raise rast.UntranslatedError("statements inside of an expression that is evaluated later")
    name = ctx.names.fresh("attempt")
    targets = [inner for inner in rast.walk_frame(node) if isinstance(inner, rast.Assign)]
    outer = {rast.target_name(inner.target) for inner in targets if inner.outer}
    if outer & {rast.target_name(inner.target) for inner in targets if not inner.outer}:
        raise rast.UntranslatedError("one name assigned both by <- and by <<-")
    assigned = sorted({*rast.assigned_names(node)} - outer)
    if not ctx.at_top:
        for each in assigned:
            ctx.set(each, ast.IfExp(is_in(ctx.names[each], "locals"), ctx.name(each), constant(None)))
    ctx.emit(define(name, arguments()))
    ctx.blocks += 1
    with ctx.inner():
        declare_outer(ctx, outer)
        if assigned:
            ctx.emit((ast.Global if ctx.at_top else ast.Nonlocal)([ctx.names[each] for each in assigned]))
        ctx.run_to(node, "return")
    ctx.blocks -= 1
    return ast.Name(name, ast.Load())


# ---- the tidyverse: formulas as functions ----------------------------------------------------------

_TIDY = frozenset(("dplyr", "purrr", "tidyselect"))
"""Packages whose functions take a formula in the place of a function."""


def tidy_argument(ctx: Context, name: str, param: str, node: rast.Node) -> ast.expr | None:
    """Return an argument that is a function, for which a formula may stand; None for others."""
    entry = entry_of(name)
    if param not in facts(name).called or entry is None or _TIDY.isdisjoint(entry.homes):
        return None
    _refuse_columns(ctx, node)
    masks, ctx.masks = ctx.masks, []
    try:
        return ctx.value(_functions(node))
    finally:
        ctx.masks = masks


def _functions(node: rast.Node) -> rast.Node:
    """Return a formula as a function; those in a list, too."""
    if isinstance(node, rast.Unary) and node.operator == "~":
        return _function(node.operand)
    if isinstance(node, rast.Call) and rast.function_name(node) in ("list", "funs", "c"):
        bare = rast.function_name(node) == "funs"
        if bare and len(node.args) > 1 and not all(arg.name for arg in node.args):
            raise rast.UntranslatedError("funs() of functions without names")
        parts = [rast.Arg(arg.name, _of_list(arg.value, bare)) for arg in node.args]
        return rast.Call(node.first, node.last, node.text, node.function, parts)
    return node


def _of_list(node: rast.Node | None, bare: bool) -> rast.Node | None:
    if node is None:
        return None
    return _function(node) if bare and not isinstance(node, rast.Name | rast.Unary) else _functions(node)


def _function(body: rast.Node) -> rast.Function:
    names = rast.names_in(body)
    if names & {"..1", "..2", "..."}:
        raise rast.UntranslatedError("a formula with ..1")
    params = [rast.Arg(word, None) for word in ([".x", ".y"] if ".y" in names else [".x"])]
    return rast.Function(body.first, body.last, body.text, params, rast.rewrite(body, _without_dot))


def _without_dot(node: rast.Node) -> rast.Node:
    """Return a name: `.x` in the place of a dot."""
    is_dot = isinstance(node, rast.Name) and node.name == "."
    return rast.Name(node.first, node.last, node.text, ".x") if is_dot else node


def _refuse_columns(ctx: Context, node: rast.Node) -> None:
    """Refuse a function in which a variable of the script may be a column of the table."""
    if not ctx.masks:
        return
    inner = rast.walk(node)
    called = {id(each.function) for each in inner if isinstance(each, rast.Call)}
    for each in inner:
        if isinstance(each, rast.Name) and id(each) not in called:
            owner = ctx.owner(each.name)
            if owner is not None and each.name not in owner.functions:
                raise rast.UntranslatedError(f"{each.name} may be a column in a function of across()")
