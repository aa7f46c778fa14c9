"""Functions of the script: ``def`` for those with a name or with statements, ``lambda`` for the others."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pyrrf.migrate.decide.effects import has_effect, names_read, names_written
from pyrrf.migrate.decide.uses import Uses, flow
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import has_function
from pyrrf.migrate.scopes.scopes import Scope, asked_for, function_scope, has_statements, only_expression
from pyrrf.migrate.write.arguments import declare_outer
from pyrrf.migrate.write.context import Context, LeftOver
from pyrrf.migrate.write.lines import (
    Otherwise,
    arguments,
    assignment,
    call,
    constant,
    define,
    dotted_name,
    is_in,
    is_same,
    when,
)
from pyrrf.migrate.write.lookup import is_constant, is_dataset, value_of_r


@dataclass(frozen=True)
class Param:
    """A parameter.

    Attributes
    ----------
    name : str
    default : Node, optional
    computed : bool
        Whether the default is more than a constant.
    asked : bool
        Whether ``missing()`` asks for it.
    """

    name: str
    default: rast.Node | None
    computed: bool
    asked: bool

    @property
    def later(self) -> bool:
        """Whether the default is written in the body."""
        return self.default is not None and (self.computed or self.asked)


def _params(node: rast.Function) -> list[Param]:
    asked = asked_for(node)
    return [
        Param(name, default, default is not None and not _is_plain(default), name in asked)
        for name, default in ((name, node.defaults.get(name)) for name in node.words)
    ]


def _is_plain(default: rast.Node) -> bool:
    """Whether a default can stand in the header: a constant, with a sign or without."""
    inner = default.operand if isinstance(default, rast.Unary) else default
    return isinstance(inner, rast.Number | rast.Text) or (isinstance(inner, rast.Constant) and inner.name != "NULL")


def function_value(ctx: Context, node: rast.Function) -> ast.expr:
    """Return a function without a name: a lambda, or the name of a function written before this statement."""
    body = only_expression(node.body)
    if body is not None and not has_statements(body) and not any(param.computed for param in _params(node)):
        return _lambda(ctx, node, body)
    if ctx.in_lambda or ctx.masks:
        raise rast.UntranslatedError("a function of several statements inside of an expression that is evaluated later")
    name = ctx.names.fresh("function")
    write_function(ctx, name, node)
    return ast.Name(name, ast.Load())


def _lambda(ctx: Context, node: rast.Function, body: rast.Node) -> ast.expr:
    scope = function_scope(node)
    ctx.scopes.append(scope)
    with ctx.evaluated_later():
        made = ast.Lambda(_header(ctx, node, scope), ctx.value(body))
    ctx.scopes.pop()
    return made


def _header(ctx: Context, node: rast.Function, scope: Scope) -> ast.arguments:
    """Return the parameters in Python: those behind ``...`` by name alone; None stands for a default."""
    if len({*node.words}) < len(node.words):
        raise rast.UntranslatedError("a function with two parameters of one name")
    made = arguments()
    for param in _params(node):
        if param.name == "...":
            made.vararg, made.kwarg = ast.arg("dots"), ast.arg("named")
            continue
        default: ast.expr | None = None
        if param.default is not None:
            default = constant(None) if param.later else ctx.value(param.default)
        elif param.asked or (made.defaults and not made.vararg):
            # To use it is an error, if it is not given.
            scope.unsure.add(param.name)
            default = dotted_name("r.absent")
        if made.vararg:
            made.kwonlyargs.append(ast.arg(ctx.names[param.name]))
            made.kw_defaults.append(default)
        else:
            made.args.append(ast.arg(ctx.names[param.name]))
            made.defaults += [default] if default is not None else []
    return made


def write_function(ctx: Context, name: str, node: rast.Function) -> None:
    """Write a function with its statements."""
    scope = function_scope(node)
    if scope.outer & (scope.assigned.keys() | set(scope.params)):
        raise rast.UntranslatedError("a function that assigns one name both by <- and by <<-")
    ctx.scopes.append(scope)
    masks, ctx.masks = ctx.masks, []
    loops, ctx.loops = ctx.loops, []
    ctx.emit(define(name, _header(ctx, node, scope)))
    with ctx.inner():
        _write_body(ctx, node.body, _begin(ctx, node, scope))
    ctx.masks, ctx.loops = masks, loops
    ctx.scopes.pop()


def _begin(ctx: Context, node: rast.Function, scope: Scope) -> dict[str, rast.Node]:
    """Write the lines before the body: names from outside, copies. Return the defaults that come later."""
    declare_outer(ctx, scope.outer)
    scope.defaults = node.defaults
    params = _params(node)
    for param in params:
        if param.later and param.asked:
            made = ctx.names.fresh("missing")
            ctx.emit(assignment(made, is_same(ctx.name(param.name), constant(None))))
            scope.missing[param.name] = made
            scope.given_later |= {param.name} if _asked_after_assignment(node.body, param.name) else set()
    for param in params:
        if param.name != "..." and param.name in scope.changed:
            _own_copy(ctx, param.name)
    for name in scope.assigned:
        if name not in scope.params and name not in scope.outer:
            _begin_name(ctx, node.body, name)
    return {param.name: param.default for param in params if param.later and param.default is not None}


def _own_copy(ctx: Context, name: str) -> None:
    """Write the copy of a parameter, if it is given, so that the caller's value does not change."""
    made = assignment(ctx.names[name], call("r.copy", ctx.name(name)))
    if name not in ctx.scope.unsure:
        ctx.emit(made)
        return
    ctx.emit(when(is_same(ctx.name(name), dotted_name("r.absent"), False)))
    with ctx.inner():
        ctx.emit(made)


def _asked_after_assignment(body: rast.Node, name: str) -> bool:
    """Whether ``missing()`` may ask for a parameter that the function has assigned: it is not missing then."""
    nodes = rast.walk(body)
    given = [i for i, n in enumerate(nodes) if isinstance(n, rast.Assign) and rast.target_name(n.target) == name]
    asked = [i for i, n in enumerate(nodes) if rast.function_name(n) == "missing" and name in rast.names_in(n)]
    loops = any(isinstance(inner, rast.For | rast.While) for inner in nodes)
    return bool(given and asked) and (loops or min(given) < max(asked))


def _begin_name(ctx: Context, body: rast.Node, name: str) -> None:
    """Write that a local name, which the function may read before it assigns it, begins as the one outside."""
    first = flow(body, name)
    inner = [node for node in rast.walk(body) if isinstance(node, rast.Function)] if not first else []
    if first == "set" or not (first or name in rast.names_in(*inner)):
        return
    owner = next((scope for scope in reversed(ctx.scopes[:-1]) if scope.has(name)), None)
    if inner and owner is None and has_function(name):
        raise rast.UntranslatedError(f"{name}, which is R's until the function assigns it")
    made, of_r = ctx.names[name], is_constant(name) or is_dataset(name)
    if inner and owner is not ctx.scopes[0] and not (owner is None and of_r):
        return
    if owner not in (None, ctx.scopes[0]):
        raise rast.UntranslatedError(f"{name} is read from the function around this one, then assigned in it")
    if owner is None and of_r:
        ctx.set(name, call("r.copy", value_of_r(ctx, name)))
    if owner is None:
        return
    ctx.emit(when(is_in(made, "globals")))
    with ctx.inner():
        ctx.set(name, call("r.copy", ast.Subscript(call("globals"), constant(made), ast.Load())))
    if of_r:
        ctx.emit(Otherwise())
        with ctx.inner():
            ctx.set(name, call("r.copy", value_of_r(ctx, name)))


# ---- defaults: R evaluates one when the function first uses it, among the function's own variables -----


def _write_body(ctx: Context, body: rast.Node, waiting: dict[str, rast.Node]) -> None:
    """Write the statements of a function, each default before the first statement that may use it."""
    statements = body.body if isinstance(body, rast.Block) and body.body else [body]
    for index, statement in enumerate(statements):
        for name in _used_here(ctx, statement, waiting) if waiting else []:
            _Filling(ctx, statements, index, waiting).fill(name)
            del waiting[name]
        if index < len(statements) - 1:
            ctx.run(statement)
        else:
            ctx.run_to(statement, "return")


def _used_here(ctx: Context, statement: rast.Node, waiting: dict[str, rast.Node]) -> list[str]:
    """Return the parameters that a statement names, the surely used ones first."""
    mentioned = _mentioned_names(statement)
    named = [name for name in waiting if name in mentioned]
    uses = Uses(ctx.around, set(named))
    uses.walk(statement)
    return [*uses.used, *(name for name in named if name not in uses.used)]


def _mentioned_names(node: rast.Node) -> set[str]:
    """Return the names in a piece of code; a string may be one, too."""
    return {rast.word(inner) for inner in rast.walk(node) if isinstance(inner, rast.Name | rast.Text)}


class _Filling:
    """Writes the default of a parameter before a statement.

    Parameters
    ----------
    ctx : Context
    statements : list of Node
        Those of the function.
    at : int
        The place of the one that follows.
    waiting : dict of str to Node
        Defaults that are not written yet.
    """

    def __init__(self, ctx: Context, statements: list[rast.Node], index: int, waiting: dict[str, rast.Node]) -> None:
        self.ctx, self.waiting = ctx, waiting
        self.before, self.statement, self.rest = statements[:index], statements[index], statements[index:]
        self.scopes = ctx.around
        self.path: list[str] = []

    def fill(self, name: str) -> None:
        """Write that a parameter that is not given has its default."""
        ctx, default = self.ctx, self.waiting[name]
        ctx.emit(when(is_same(ctx.name(name), constant(None))))
        self.path.append(name)
        with ctx.inner():
            reason = self._refusal(default)
            lines = len(ctx.lines)
            if not reason:
                try:
                    for other in sorted(_mentioned_names(default) & self.waiting.keys()):
                        self.fill(other)
                    ctx.put(name, ctx.held_value(default, name))
                except rast.UntranslatedError as error:
                    reason = str(error)
            if reason:
                del ctx.lines[lines:]
                text = " ".join(default.text.split())
                ctx.scope.refused.add(name)
                ctx.put(name, call("r.not_translated", constant(name), constant(f"its default, {text}, {reason}")))
                told = f"the default of {name}, {text}, {reason}"
                ctx.left.append(LeftOver(default.first, default.last, told, default.text))
        self.path.pop()

    def _refusal(self, default: rast.Node) -> str:
        """Return why the default may have another value, or effect, before the statement than where R uses it."""
        named = _mentioned_names(default)
        if named & set(self.path):
            return "uses itself"
        uses = Uses(self.scopes, {self.path[0]})
        uses.walk(self.statement)
        sure = bool(uses.used)
        if self._acts(default, frozenset(self.path)) and not (sure and self._leads_here(default)):
            return "draws or prints when it is used"
        if any(isinstance(inner, rast.Assign) for inner in rast.walk(default)):
            return "assigns"
        own = named & self.ctx.scope.assigned.keys() - set(self.ctx.scope.params)
        unset = any(flow(rast.Block(0, 0, "", self.before), name) != "set" for name in own)
        read = names_read(self.scopes, default, self.ctx.outer)
        return "uses what the function computes later" if unset or read & self._names_written_before(sure) else ""

    def _acts(self, default: rast.Node, path: frozenset[str]) -> bool:
        others = _mentioned_names(default) & self.waiting.keys() - path
        return has_effect(self.scopes, default) or any(self._acts(self.waiting[n], path | {n}) for n in others)

    def _leads_here(self, default: rast.Node) -> bool:
        """Whether the default above this one, if there is one, surely uses it first."""
        if has_effect(self.scopes, default) and _mentioned_names(default) & self.waiting.keys():
            return False
        if len(self.path) < 2:
            return True
        uses = Uses(self.scopes, {self.path[-1]})
        uses.walk(self.waiting[self.path[-2]])
        return uses.used == [self.path[-1]]

    def _names_written_before(self, sure: bool) -> set[str]:
        """Return the names that may be assigned before the parameter is used."""
        ctx, statement, name = self.ctx, self.statement, self.path[0]
        if any(isinstance(n, rast.Function) and name in _mentioned_names(n) for n in rast.walk(statement)):
            names = {name for node in self.rest for name in names_written(self.scopes, node, ctx.outer)}
            return names | (ctx.changing & {*ctx.scope.params, *ctx.scope.assigned, *ctx.outer})
        if isinstance(statement, rast.Assign) and isinstance(statement.target, rast.Name) and not statement.outer:
            statement = statement.value
        return names_written(self.scopes, statement, set() if sure else ctx.outer) - ({name} if sure else set())
