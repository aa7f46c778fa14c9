"""Functions of the script: definitions, and functions without a name."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.branches import choose
from pyrrf.migrate.context import DRAWS, Context, UnmovedError, Value, assigned_names
from pyrrf.migrate.tree import Arg, Assign, Block, Call, For, Function, If, Name, Node, While, walk
from pyrrf.migrate.types import NONE, UNKNOWN, Type, join

# Calls whose value is the same whenever they are made.
_FIXED = ("c", "seq", "rep", "list")


def function_type(node: Function, known: Type | None) -> Type:
    """Return the type of a function: what it returns, as far as the last pass found out."""
    return Type("function", item=known or UNKNOWN, what=str(id(node)))


def define(ctx: Context, name: str, node: Function) -> Type:
    """Write a function under a name of R and return its type."""
    ctx.functions[str(id(node))] = node
    # It may call itself.
    ctx.assign(name, function_type(node, ctx.facts.results.get(id(node))))
    _write(ctx, py.python_name(name), node)
    return function_type(node, ctx.learned.results.get(id(node)))


def _write(ctx: Context, name: str, node: Function) -> None:
    header = f"def {name}({ast.unparse(_arguments(ctx, node))}):"
    ctx.emit(header)
    given = ctx.facts.params.get(id(node), {})
    with ctx.function(), ctx.inner():
        ctx.inside.append(str(id(node)))
        _declare(ctx, node)
        for param in node.params:
            if param.name != "...":
                _enter(ctx, param, given)
        for param in node.params:
            _fill_in(ctx, node, param)
        ctx.results.append(None)
        last = _statements(node.body)[-1:] if _statements(node.body) else []
        for statement in _statements(node.body)[:-1]:
            ctx.run(statement)
        for statement in last:
            give_back(ctx, statement)
        ctx.learned.results[id(node)] = ctx.results.pop() or NONE
        ctx.inside.pop()


def _declare(ctx: Context, node: Function) -> None:
    """Write which names ``<<-`` assigns outside of the function, as Python wants to know them at its beginning."""
    inside = {
        n.target.name for n in walk(node.body) if isinstance(n, Assign) and not n.outer and isinstance(n.target, Name)
    }
    inside |= {param.name or "" for param in node.params}
    names = {name for n in walk(node.body) if isinstance(n, Assign) and n.outer for name in assigned_names(n)} - inside
    for word, scopes in (("global", ctx.outer[:1]), ("nonlocal", ctx.outer[1:])):
        known = {name for name in names if any(name in scope for scope in scopes)}
        known -= {name for name in names if word == "global" and any(name in scope for scope in ctx.outer[1:])}
        if known:
            ctx.emit(f"{word} {', '.join(sorted(map(py.python_name, known)))}")
            ctx.declared[-1] |= known


def _depends(ctx: Context, node: Function, param: Arg) -> bool:
    """Whether the default of a parameter is computed in each call: from other parameters, or names that change."""
    if param.value is None:
        return False
    inner = walk(param.value)
    names = {other.name for other in node.params} | ctx.usage.varying
    computed = any(isinstance(n, Call) and n.function.text not in _FIXED for n in inner)
    return computed or any(isinstance(n, Name) and n.name in names for n in inner)


def _fill_in(ctx: Context, node: Function, param: Arg) -> None:
    """Write a default that is computed from other parameters; R computes it when it is first used."""
    if param.value is None or not _depends(ctx, node, param):
        return
    used = {n.name for n in walk(param.value) if isinstance(n, Name)}
    if any(isinstance(n, Call) and n.function.text in DRAWS for n in walk(param.value)):
        raise UnmovedError(f"the default of {param.name} draws random numbers when it is first used")
    if any(isinstance(n, Assign) and isinstance(n.target, Name) and n.target.name in used for n in walk(node.body)):
        raise UnmovedError(f"the default of {param.name} depends on a name that changes")
    name = py.python_name(param.name or "")
    found = ctx.value(param.value)
    ctx.emit(f"if {name} is None:")
    with ctx.inner():
        ctx.set(param.name or "", found.py)
    known = ctx.names.get(param.name or "", UNKNOWN)
    if known.kind in ("unknown", "none"):
        ctx.assign(param.name or "", replace(found.type, constant=None))


def _enter(ctx: Context, param: Arg, given: dict[str, Type]) -> None:
    """Note a parameter with the types that the calls give it; one whose items are assigned is copied."""
    name = param.name or ""
    type_ = given.get(name) or _usual(ctx, param)
    ctx.assign(name, replace(type_, constant=None))
    if name in ctx.facts.doubles and type_.kind in ("vector", "matrix", "unknown") and type_.elem != "str":
        known = type_.kind != "unknown" and type_.numeric
        ctx.set(name, py.fill("_0.astype(float)" if known else "r.widened(_0)", py.name(py.python_name(name))))
        ctx.assign(name, replace(type_, constant=None, elem="float" if known else type_.elem, positive=False))
    elif name in ctx.usage.changed and not type_.single:
        copied = "list(_0)" if type_.kind == "list" else "dict(_0)" if type_.kind == "dict" else "_0.copy()"
        if type_.kind in ("list", "dict") and name in ctx.usage.deep:
            copied = "copy.deepcopy(_0)"
        ctx.set(name, py.fill(copied, py.name(py.python_name(name))))


def _usual(ctx: Context, param: Arg) -> Type:
    """Return the type of a default, as far as it does not depend on other parameters."""
    try:
        return ctx.value(param.value).type if param.value is not None else UNKNOWN
    except UnmovedError:
        return UNKNOWN


def _statements(body: Node) -> list[Node]:
    return body.body if isinstance(body, Block) else [body]


def _arguments(ctx: Context, node: Function) -> ast.arguments:
    """Return the parameters; R's may stand without a default after others with one, Python's not."""
    params = node.params
    dots = next((at for at, param in enumerate(params) if param.name == "..."), None)
    if dots is not None:
        return _with_dots(ctx, node, dots)
    names = [ast.arg(py.python_name(param.name or "")) for param in params]
    defaults: list[ast.expr] = []
    for param in params:
        if param.value is not None and not _depends(ctx, node, param):
            defaults.append(ctx.value(param.value).py)
        elif param.value is not None or defaults:
            defaults.append(py.constant(None))
    return ast.arguments([], names, None, [], [], None, defaults)


def _with_dots(ctx: Context, node: Function, dots: int) -> ast.arguments:
    """Return parameters of which one is ``...``: what follows it goes by name alone, in R as in Python."""
    before = _arguments(ctx, replace(node, params=node.params[:dots]))
    after = node.params[dots + 1 :]
    given = [
        None if p.value is None else py.constant(None) if _depends(ctx, node, p) else ctx.value(p.value).py
        for p in after
    ]
    names = [ast.arg(py.python_name(param.name or "")) for param in after]
    return ast.arguments([], before.args, ast.arg("dots"), names, given, ast.arg("options"), before.defaults)


def give_back(ctx: Context, node: Node) -> None:
    """Move the last statement of a function, whose value R returns."""
    if isinstance(node, Block):
        for statement in node.body[:-1]:
            ctx.run(statement)
        for statement in node.body[-1:]:
            give_back(ctx, statement)
    elif isinstance(node, Call) and node.function.text == "invisible" and len(node.args) == 1 and node.args[0].value:
        give_back(ctx, node.args[0].value)
    elif isinstance(node, If) and not _is_plain_choice(node):
        choose(ctx, node, give_back)
    elif isinstance(node, Assign | For | While) or _is_return(node) or _is_silent(node):
        ctx.run(node)
        moved = not (ctx.left and ctx.left[-1].node is node)
        if isinstance(node, Assign) and isinstance(node.target, Name) and moved:
            ctx.give(ctx.raw(node.target))
    else:
        ctx.attempt(node, lambda: ctx.give(ctx.raw(node)))


def _is_plain_choice(node: If) -> bool:
    simple = (node.then, node.otherwise)
    return node.otherwise is not None and not any(isinstance(part, Block | If | Assign) for part in simple)


def _is_return(node: Node) -> bool:
    return isinstance(node, Call) and node.function.text == "return"


def _is_silent(node: Node) -> bool:
    return isinstance(node, Call) and node.function.text in ("cat", "print", "message", "stop", "invisible", "warning")


def lambda_value(ctx: Context, node: Function) -> Value:
    """Return a function without a name: a lambda, or the name of a function that is written before."""
    ctx.functions[str(id(node))] = node
    body = _statements(node.body)
    if len(body) == 1 and not any(isinstance(inner, Assign | If | For | While) for inner in walk(body[0])):
        before, loaded = len(ctx.lines), len(ctx.loaded)
        with ctx.function():
            given = ctx.facts.params.get(id(node), {})
            for param in node.params:
                ctx.assign(param.name or "", given.get(param.name or "", UNKNOWN))
            inside = body[0]
            if isinstance(inside, Call) and inside.function.text == "return" and inside.args:
                inside = inside.args[0].value or inside
            result = ctx.value(inside)
        before += len(ctx.loaded) - loaded
        if len(ctx.lines) == before:
            ctx.learned.results[id(node)] = result.type
            tree = ast.Lambda(_arguments(ctx, node), result.py)
            return Value(tree, function_type(node, result.type))
        del ctx.lines[before:]
    name = ctx.fresh_name("step")
    _write(ctx, name, node)
    return Value(py.name(name), function_type(node, ctx.learned.results.get(id(node))))


def learn_call(ctx: Context, type_: Type, given: dict[str, Type]) -> None:
    """Note which types a call gives to the parameters of a function."""
    node = ctx.functions.get(type_.what)
    if node is None:
        return
    known = ctx.learned.params.setdefault(id(node), {})
    for name, found in given.items():
        plain = replace(found, constant=None, rows=None)
        before = known.get(name)
        if before is not None and before.zero != plain.zero:
            ctx.learned.numbers.add(f"{type_.what}:{name}")
        known[name] = join(before, plain)
    for param in node.params:
        if param.value is not None and param.name not in given and not _depends(ctx, node, param):
            known.setdefault(param.name or "", _usual(ctx, param))


def parameter_names(ctx: Context, type_: Type) -> list[str]:
    """Return the names of the parameters of a function of the script."""
    node = ctx.functions.get(type_.what)
    return [param.name or "" for param in node.params] if node else []


def counts_from_one(ctx: Context, type_: Type, name: str) -> bool:
    """Whether a parameter gets numbers as R counts, because some call cannot give it positions."""
    return f"{type_.what}:{name}" in ctx.facts.numbers
