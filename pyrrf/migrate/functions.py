"""Functions of the script: ``def`` for those with a name or with statements, ``lambda`` for the others."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant, dotted
from pyrrf.migrate.defaults import Param, write_body
from pyrrf.migrate.flow import may_be_read_before
from pyrrf.migrate.later import declare_outer
from pyrrf.migrate.library import UnmovedError
from pyrrf.migrate.lines import define, when
from pyrrf.migrate.scopes import (
    Scope,
    asked_for,
    function_scope,
    has_statements,
    names_in,
    only_expression,
    target_name,
)
from pyrrf.migrate.tree import (
    Assign,
    For,
    Function,
    Node,
    While,
    function_name,
    walk,
)


def function_value(ctx: Context, node: Function) -> ast.expr:
    """Return a function without a name: a lambda, or the name of a function written before this statement."""
    body = only_expression(node.body)
    if body is not None and not _needs_lines(node, body):
        return _lambda(ctx, node, body)
    if ctx.in_lambda or ctx.masks:
        raise UnmovedError("a function of several statements inside of an expression that is evaluated later")
    name = ctx.names.fresh("function")
    write_function(ctx, name, node)
    return ast.Name(name, ast.Load())


def _needs_lines(node: Function, body: Node) -> bool:
    if any(param.default_is_computed for param in map(Param, node.params)):
        return True
    return has_statements(body)


def _lambda(ctx: Context, node: Function, body: Node) -> ast.expr:

    scope = function_scope(node)
    ctx.enter(scope)
    ctx.in_lambda += 1
    arguments = _arguments(ctx, node, scope)
    found = ctx.value(body)
    ctx.in_lambda -= 1
    ctx.scopes.pop()
    return ast.Lambda(arguments, found)


def _arguments(ctx: Context, node: Function, scope: Scope) -> ast.arguments:
    """Return the parameters in Python: those behind ``...`` by name alone; None stands for a default."""
    asked = asked_for(node)
    if len({param.name for param in node.params}) < len(node.params):
        raise UnmovedError("a function with two parameters of one name")
    made = ast.arguments([], [], None, [], [], None, [])
    behind = False
    for param in map(Param, node.params):
        if param.name == "...":
            made.vararg, made.kwarg, behind = ast.arg("dots"), ast.arg("named"), True
            continue
        later = param.default is not None and (param.default_is_computed or param.name in asked)
        default = constant(None) if later else _default(ctx, param)
        if default is None and param.name in asked:
            default = absent(ctx, scope, param.name)
        if behind:
            made.kwonlyargs.append(ast.arg(ctx.names[param.name]))
            made.kw_defaults.append(default)
        else:
            made.args.append(ast.arg(ctx.names[param.name]))
            if default is None and made.defaults:
                default = absent(ctx, scope, param.name)
            if default is not None:
                made.defaults.append(default)
    return made


def absent(ctx: Context, scope: Scope, name: str) -> ast.expr:
    """Return what stands for a parameter that is not given and has no default: to use it is an error."""
    ctx.unsure.add((id(scope), name))
    return dotted("r.absent")


def _default(ctx: Context, param: Param) -> ast.expr | None:

    return None if param.default is None else ctx.value(param.default)


def write_function(ctx: Context, name: str, node: Function) -> None:
    """Write a function with its statements."""
    scope = function_scope(node)
    if scope.outer & (scope.assigned.keys() | set(scope.params)):
        raise UnmovedError("a function that assigns one name both by <- and by <<-")
    ctx.enter(scope)
    masks, ctx.masks = ctx.masks, []
    loops, ctx.loops = ctx.loops, []
    ctx.emit(define(name, _arguments(ctx, node, scope)))
    with ctx.inner():
        write_body(ctx, node.body, _begin(ctx, node, scope))
    ctx.masks, ctx.loops = masks, loops
    ctx.scopes.pop()


def _begin(ctx: Context, node: Function, scope: Scope) -> list[Param]:
    """Write what comes before the body: names from outside, copies. Return the parameters whose default comes later."""
    declare_outer(ctx, scope.outer)
    asked = asked_for(node)
    ctx.defaults |= {(id(scope), p.name or ""): p.value for p in node.params if p.value is not None}
    params = [param for param in map(Param, node.params) if param.name != "..."]
    later = [
        param for param in params if param.default is not None and (param.default_is_computed or param.name in asked)
    ]
    for param in later:
        if param.name in asked:
            made = ctx.names.fresh("missing")
            absent = ast.Compare(ctx.name(param.name), [ast.Is()], [constant(None)])
            ctx.emit(ast.Assign([ast.Name(made, ast.Store())], absent, lineno=0))
            ctx.missing[id(scope), param.name] = made
            if _asked_after_assignment(node.body, param.name):
                ctx.given_later[id(scope), param.name] = made
    for param in params:
        if param.name in scope.changed:
            _own_copy(ctx, param.name)
    for outer in _read_first(node, scope):
        _fetch(ctx, outer)
    return later


def _own_copy(ctx: Context, name: str) -> None:
    """Write that a parameter holds a value of its own, if it is given: what a caller has does not change."""
    made = ast.Assign([ast.Name(ctx.names[name], ast.Store())], call("r.copy", ctx.name(name)), lineno=0)
    if (id(ctx.scope), name) not in ctx.unsure:
        ctx.emit(made)
        return
    ctx.emit(when(ast.Compare(ctx.name(name), [ast.IsNot()], [dotted("r.absent")])))
    with ctx.inner():
        ctx.emit(made)


def _asked_after_assignment(body: Node, name: str) -> bool:
    """Whether ``missing()`` may ask for a parameter that the function has assigned: it is not missing then."""
    nodes = walk(body)
    assigned = [at for at, inner in enumerate(nodes) if isinstance(inner, Assign) and target_name(inner.target) == name]
    asked = [at for at, inner in enumerate(nodes) if function_name(inner) == "missing" and name in names_in(inner)]
    loops = any(isinstance(inner, For | While) for inner in nodes)
    return bool(assigned and asked) and (loops or min(assigned) < max(asked))


def _read_first(node: Function, scope: Scope) -> list[str]:
    """Return names that the function assigns, but may read before: R finds those outside of it then."""
    found: list[str] = []
    for name, _ in scope.assigned.items():
        if name not in scope.params and name not in scope.outer and may_be_read_before(node.body, name):
            found.append(name)
    return found


def _fetch(ctx: Context, name: str) -> None:
    """Write that a local name begins as the one outside."""
    owner = next((scope for scope in reversed(ctx.scopes[:-1]) if scope.has(name)), None)
    if owner is None:
        return
    if owner is not ctx.scopes[0]:
        raise UnmovedError(f"{name} is read from the function around this one, then assigned in it")
    made = ctx.names[name]
    ctx.emit(when(ast.Compare(constant(made), [ast.In()], [call("globals")])))
    with ctx.inner():
        ctx.set(name, call("r.copy", ast.Subscript(call("globals"), constant(made), ast.Load())))
