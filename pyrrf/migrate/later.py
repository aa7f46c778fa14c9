"""Arguments that R evaluates later, or among the columns of a table: lambdas, or functions written before."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, assigned_by, call, constant
from pyrrf.migrate.effects import of_this_frame
from pyrrf.migrate.library import UnmovedError
from pyrrf.migrate.lines import define
from pyrrf.migrate.scopes import has_statements, target_name
from pyrrf.migrate.tree import Assign, Node


def masked(ctx: Context, node: Node) -> ast.expr:
    """Return a lambda over the columns of a table."""
    name = ctx.names.fresh("m") if ctx.masks else "m"
    ctx.masks.append(name)
    ctx.in_lambda += 1
    try:
        found = ctx.value(node)
    finally:
        ctx.in_lambda -= 1
        ctx.masks.pop()
    return ast.Lambda(ast.arguments([], [ast.arg(name)], None, [], [], None, []), found)


def later(ctx: Context, node: Node) -> ast.expr:
    """Return a lambda without parameters, or a function that is written before the statement."""
    if not has_statements(node):
        ctx.in_lambda += 1
        found = ctx.value(node)
        ctx.in_lambda -= 1
        return ast.Lambda(ast.arguments([], [], None, [], [], None, []), found)
    return _written_before(ctx, node)


def declare_outer(ctx: Context, outer: set[str]) -> None:
    """Write ``global`` and ``nonlocal`` for what ``<<-`` assigns."""
    for name in sorted(outer):
        owner = next((scope for scope in reversed(ctx.scopes[:-1]) if scope.has(name)), ctx.scopes[0])
        made: ast.stmt = (ast.Global if owner is ctx.scopes[0] else ast.Nonlocal)([ctx.names[name]])
        ctx.emit(made)


def _written_before(ctx: Context, node: Node) -> ast.expr:
    """Write statements as a function that assigns the names of the scope around it."""
    if ctx.in_lambda or ctx.masks:
        raise UnmovedError("statements inside of an expression that is evaluated later")
    name = ctx.names.fresh("attempt")
    targets = [inner for inner in of_this_frame(node) if isinstance(inner, Assign)]
    outer = {target_name(inner.target) or "" for inner in targets if inner.outer}
    if outer & {target_name(inner.target) for inner in targets if not inner.outer}:
        raise UnmovedError("one name assigned both by <- and by <<-")
    assigned = sorted(set(assigned_by(node)) - outer)
    if not ctx.at_top:
        for each in assigned:
            known = ast.Compare(constant(ctx.names[each]), [ast.In()], [call("locals")])
            ctx.set(each, ast.IfExp(known, ctx.name(each), constant(None)))
    ctx.emit(define(name, ast.arguments([], [], None, [], [], None, [])))
    ctx.blocks += 1
    with ctx.inner():
        declare_outer(ctx, outer)
        if assigned:
            ctx.emit((ast.Global if ctx.at_top else ast.Nonlocal)([ctx.names[each] for each in assigned]))
        ctx.run_to(node, "return")
    ctx.blocks -= 1
    return ast.Name(name, ast.Load())
