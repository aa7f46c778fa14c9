"""Functions of the script: ``def`` for those with a name or with statements, ``lambda`` for the others."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.laziness import has_effect
from pyrrf.migrate.library import UnmovedError
from pyrrf.migrate.lines import define, when
from pyrrf.migrate.scopes import Scope, function_scope, has_statements, names_in, only_expression
from pyrrf.migrate.tree import (
    Arg,
    Assign,
    Call,
    Constant,
    For,
    Function,
    If,
    Name,
    Node,
    Number,
    Text,
    Unary,
    While,
    children,
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
    if any(param.default_is_computed for param in map(_Param, node.params)):
        return True
    return has_statements(body)


class _Param:
    """A parameter: its name, its default, and whether this can stand in the header."""

    def __init__(self, arg: Arg) -> None:
        self.name, self.default = arg.name or "", arg.value
        inner = arg.value.operand if isinstance(arg.value, Unary) else arg.value
        plain = isinstance(inner, Number | Text) or (isinstance(inner, Constant) and inner.name != "NULL")
        self.default_is_computed = arg.value is not None and not plain


def _lambda(ctx: Context, node: Function, body: Node) -> ast.expr:

    scope = function_scope(node)
    ctx.scopes.append(scope)
    ctx.in_lambda += 1
    arguments = _arguments(ctx, node, scope)
    found = ctx.value(body)
    ctx.in_lambda -= 1
    ctx.scopes.pop()
    return ast.Lambda(arguments, found)


def _arguments(ctx: Context, node: Function, scope: Scope) -> ast.arguments:
    """Return the parameters in Python: those behind ``...`` by name alone; None stands for one that is not given."""
    asked = _asked_for(node)
    made = ast.arguments([], [], None, [], [], None, [])
    behind = False
    for param in map(_Param, node.params):
        if param.name == "...":
            made.vararg, made.kwarg, behind = ast.arg("dots"), ast.arg("named"), True
            continue
        later = param.default_is_computed or param.name in asked
        default = constant(None) if later else _default(ctx, param)
        if behind:
            made.kwonlyargs.append(ast.arg(ctx.names[param.name]))
            made.kw_defaults.append(default)
        else:
            made.args.append(ast.arg(ctx.names[param.name]))
            if default is None and made.defaults:
                default = constant(None)
            if default is not None:
                made.defaults.append(default)
    return made


def _default(ctx: Context, param: _Param) -> ast.expr | None:

    return None if param.default is None else ctx.value(param.default)


def _asked_for(node: Function) -> set[str]:
    """Return the parameters that ``missing()`` asks for."""
    calls = [n for n in walk(node.body) if isinstance(n, Call) and n.function.text == "missing" and len(n.args) == 1]
    return {n.args[0].value.name for n in calls if isinstance(n.args[0].value, Name)}


def write_function(ctx: Context, name: str, node: Function) -> None:
    """Write a function with its statements."""
    scope = function_scope(node)
    if scope.outer & (scope.assigned.keys() | set(scope.params)):
        raise UnmovedError("a function that assigns one name both by <- and by <<-")
    ctx.scopes.append(scope)
    masks, ctx.masks = ctx.masks, []
    ctx.emit(define(name, _arguments(ctx, node, scope)))
    with ctx.inner():
        _begin(ctx, node, scope)
        ctx.run_to(node.body, "return")
    ctx.masks = masks
    ctx.scopes.pop()


def _begin(ctx: Context, node: Function, scope: Scope) -> None:
    """Write what comes before the body: names from outside, defaults that are computed, copies."""
    _declare(ctx, scope)
    asked = _asked_for(node)
    ctx.defaults |= {(id(scope), p.name or ""): p.value for p in node.params if p.value is not None}
    params = [param for param in map(_Param, node.params) if param.name != "..."]
    later = [
        param for param in params if param.default is not None and (param.default_is_computed or param.name in asked)
    ]
    for param in later:
        if param.name in asked:
            ctx.missing[id(scope), param.name] = made = ctx.names.fresh("missing")
            absent = ast.Compare(ctx.name(param.name), [ast.Is()], [constant(None)])
            ctx.emit(ast.Assign([ast.Name(made, ast.Store())], absent, lineno=0))
    for at, param in enumerate(later):
        _fill(ctx, scope, param, {other.name for other in later[at:]})
    for param in params:
        if param.name in scope.changed:
            ctx.set(param.name, call("r.copy", ctx.name(param.name)))
    for outer in _read_first(node, scope):
        _fetch(ctx, outer)


def _fill(ctx: Context, scope: Scope, param: _Param, not_yet: set[str]) -> None:

    assert param.default is not None
    used = names_in(param.default)
    ctx.emit(when(ast.Compare(ctx.name(param.name), [ast.Is()], [constant(None)])))
    with ctx.inner():
        acts = has_effect(ctx, param.default)
        if acts or used & (scope.assigned.keys() - set(scope.params)) or used & not_yet:
            does = "draws or prints when it is used" if acts else "uses what the function computes later"
            reason = f"its default, {' '.join(param.default.text.split())}, {does}"
            ctx.set(param.name, call("r.not_moved", constant(param.name), constant(reason)))
        else:
            ctx.set(param.name, ctx.value(param.default))


def _declare(ctx: Context, scope: Scope) -> None:
    """Write ``global`` and ``nonlocal`` for what ``<<-`` assigns."""
    for name in sorted(scope.outer):
        owner = next((outer for outer in reversed(ctx.scopes[:-1]) if outer.has(name)), ctx.scopes[0])
        made: ast.stmt = (ast.Global if owner is ctx.scopes[0] else ast.Nonlocal)([ctx.names[name]])
        ctx.emit(made)


def _read_first(node: Function, scope: Scope) -> list[str]:
    """Return names that the function assigns, but may read before: R finds those outside of it then."""
    found: list[str] = []
    for name, _ in scope.assigned.items():
        if name not in scope.params and name not in scope.outer and _may_be_read_before(node.body, name):
            found.append(name)
    return found


def _may_be_read_before(body: Node, name: str) -> bool:
    """Whether a name may be read, or a part of it assigned, before it is surely assigned as a whole."""
    return _flow(body, name) == "read"


def _flow(node: Node, name: str) -> str:
    """Return what happens first to a name: "read", "set" or "" if nothing is sure."""
    if isinstance(node, Function):
        return ""
    if isinstance(node, Name):
        return "read" if node.name == name else ""
    if isinstance(node, Assign):
        return _flow_of_assignment(node, name)
    if isinstance(node, If):
        return _flow_of_choice(node, name)
    if isinstance(node, For):
        first = _flow(node.sequence, name) or ("set" if node.variable == name else "")
        return first or _only_read(node.body, name)
    if isinstance(node, While):
        return "read" if any(_only_read(child, name) for child in children(node)) else ""
    return next((found for found in (_flow(child, name) for child in children(node)) if found), "")


def _only_read(node: Node, name: str) -> str:
    """Return "read" if that is what happens first, in code that may not run at all."""
    return "read" if _flow(node, name) == "read" else ""


def _flow_of_assignment(node: Assign, name: str) -> str:
    first = _flow(node.value, name)
    if first:
        return first
    if isinstance(node.target, Name):
        return "set" if node.target.name == name and not node.outer else ""
    return "read" if name in names_in(node.target) else ""


def _flow_of_choice(node: If, name: str) -> str:
    first = _flow(node.condition, name)
    branches = [_flow(node.then, name), "" if node.otherwise is None else _flow(node.otherwise, name)]
    if first or "read" in branches:
        return first or "read"
    return "set" if branches == ["set", "set"] else ""


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
