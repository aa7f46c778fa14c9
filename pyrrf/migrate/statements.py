"""Statements: assignments, loops, choices, and where their values go."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.doers import is_quiet, run_call
from pyrrf.migrate.expressions import condition
from pyrrf.migrate.library import UnmovedError
from pyrrf.migrate.lines import Otherwise, when
from pyrrf.migrate.lookup import is_dataset
from pyrrf.migrate.methods import check_generic
from pyrrf.migrate.scopes import names_in, script_scope
from pyrrf.migrate.targets import assign, assign_part, returned
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Block,
    Call,
    Constant,
    Damaged,
    For,
    Function,
    If,
    Jump,
    Name,
    Node,
    Unary,
    While,
    function_name,
)


def run(ctx: Context, node: Node) -> None:
    """Move a statement, or those in braces, one by one."""
    top = ctx.at_top and not ctx.depth
    run_to(ctx, node, "show" if top else "")
    ctx.done |= script_scope([node]).assigned.keys() if top else set()


def load_datasets(ctx: Context, node: Node) -> None:
    """Write the loading of R's data sets that a statement changes, or reads before the script assigns their names."""
    for name in sorted(names_in(node) & ctx.scopes[0].assigned.keys() - ctx.datasets):
        if is_dataset(name):
            ctx.datasets.add(name)
            if not (isinstance(node, Assign) and isinstance(node.target, Name) and node.target.name == name):
                ctx.place = (node.first, node.first)
                ctx.set(name, call("r.dataset", constant(name)))


def run_to(ctx: Context, node: Node, to: str) -> None:
    """Move what stands in braces or behind a condition, its value to be returned, shown or dropped.

    Parameters
    ----------
    ctx : Context
    node : Node
    to : {"return", "show", ""} or a name behind "="
    """
    if isinstance(node, Block):
        for statement in node.body[:-1]:
            run_to(ctx, statement, "")
        if node.body:
            run_to(ctx, node.body[-1], to)
        elif to:
            _give(ctx, call("r.c"), to)
        return
    ctx.attempt(node, lambda: _move(ctx, node, to), to[1:] if to.startswith("=") else "")


def _move(ctx: Context, node: Node, to: str) -> None:
    if isinstance(node, Assign):
        _assign(ctx, node, to)
    elif isinstance(node, If):
        _choose(ctx, node, to)
    elif isinstance(node, For):
        _for(ctx, node)
        _nothing(ctx, to)
    elif isinstance(node, While):
        _while(ctx, node)
        _nothing(ctx, to)
    elif (jump := _jump(node)) is not None:
        _leave_turn(ctx, jump)
    elif isinstance(node, Damaged):
        raise UnmovedError("R's grammar does not know this")
    elif isinstance(node, Function) and to == "return":
        _return_function(ctx, node)
    elif isinstance(node, Call) and run_call(ctx, node, to):
        return
    elif isinstance(node, Unary) and node.operator == "?" and to in ("", "show"):
        return  # a page of help
    else:
        _give(ctx, _value_of(ctx, node, to), to, node)


def _value_of(ctx: Context, node: Node, to: str) -> ast.expr:
    if to == "return":
        return returned(ctx, node)
    if to not in ("", "show"):
        return ctx.kept(node, to.removeprefix("="))
    ctx.whole, ctx.target = _printed(node), ""
    return ctx.value(node)


def _printed(node: Node) -> Node:
    """Return what a statement prints: a fit is shown with its call."""
    if function_name(node) in ("print", "show", "(") and isinstance(node, Call) and len(node.args) == 1:
        inner = node.args[0].value or node
        return inner.value if isinstance(inner, Assign) else inner
    return node


def _jump(node: Node) -> Jump | None:
    """Return what leaves a loop or a turn of it: ``break``, also written ``break()``."""
    if isinstance(node, Call) and not node.args:
        node = node.function
    return node if isinstance(node, Jump) else None


def _leave_turn(ctx: Context, jump: Jump) -> None:
    """Write what leaves a loop or a turn of it, if that stands around it in Python, too."""
    if ctx.loops[-1:] != [ctx.blocks]:
        raise UnmovedError(f"{jump.word} without a loop, or in what is evaluated later")
    ctx.emit(ast.Break() if jump.word == "break" else ast.Continue())


def _nothing(ctx: Context, to: str) -> None:
    """Give NULL, as a loop does; it is not printed."""
    if to not in ("", "show"):
        _give(ctx, _unseen(to), to)


def _unseen(to: str) -> ast.expr:
    """Return NULL, marked as not to be printed where a function returns it."""
    return call("r.invisible", call("r.c")) if to == "return" else call("r.c")


def _give(ctx: Context, tree: ast.expr, to: str, node: Node | None = None) -> None:
    """Write what becomes of a value."""
    if to == "return":
        ctx.emit(ast.Return(tree))
    elif to.startswith("="):
        ctx.set(to[1:], tree)
    elif to == "show" and not is_quiet(ctx, node):
        check_generic(ctx, "print", "format")
        always = isinstance(node, Name | Constant) or (node is not None and function_name(node) == "(")
        ctx.emit(call("r.print" if always else "r.show", tree))
    else:
        ctx.emit(tree)


def _return_function(ctx: Context, node: Function) -> None:
    name = ctx.names.fresh("function")
    ctx.write_function(name, node)
    ctx.emit(ast.Return(ast.Name(name, ast.Load())))


def _assign(ctx: Context, node: Assign, to: str) -> None:
    target = node.target
    whole = isinstance(target, Name)
    if to in ("", "show"):
        if isinstance(node.value, If | Block) and whole and isinstance(target, Name) and _has_lines(node.value):
            run_to(ctx, node.value, f"={target.name}")
        else:
            assign(ctx, node)
        return
    if whole and isinstance(target, Name):
        _assign(ctx, node, "")
        _give(ctx, call("r.invisible", ctx.name(target.name)), to)
        return
    # What is assigned is the value of the assignment, too.
    made = ctx.names.fresh("value")
    ctx.emit(ast.Assign([ast.Name(made, ast.Store())], ctx.value(node.value), lineno=0))
    assign_part(ctx, target, ast.Name(made, ast.Load()))
    _give(ctx, call("r.invisible", ast.Name(made, ast.Load())), to)


def _has_lines(node: Node) -> bool:
    """Whether a choice or braces hold more than expressions."""
    if isinstance(node, Block):
        return len(node.body) > 1 or any(
            isinstance(inner, Assign | For | While) or _has_lines(inner) for inner in node.body
        )
    if isinstance(node, If):
        return any(_has_lines(part) for part in (node.then, node.otherwise) if part is not None)
    return isinstance(node, Assign | For | While | Jump) or (
        isinstance(node, Call) and node.function.text in ("return", "stop", "next")
    )


def _choose(ctx: Context, node: If, to: str) -> None:
    """Write ``if``, ``elif`` and ``else``."""
    current: Node = node
    while isinstance(current, If):
        written = len(ctx.lines)
        test = condition(ctx, current.condition)
        if current is not node and len(ctx.lines) > written:
            raise UnmovedError("a function of several statements in the condition of else if")
        ctx.emit(when(test) if current is node else Otherwise(test))
        with ctx.inner():
            run_to(ctx, current.then, to)
        if current.otherwise is None:
            _otherwise_nothing(ctx, to)
            return
        current = current.otherwise
        if isinstance(current, Block) and len(current.body) == 1 and isinstance(current.body[0], If):
            current = current.body[0]
    ctx.emit(Otherwise())
    with ctx.inner():
        run_to(ctx, current, to)


def _otherwise_nothing(ctx: Context, to: str) -> None:
    if to not in ("", "show"):
        ctx.emit(Otherwise())
        with ctx.inner():
            _give(ctx, _unseen(to), to)


def _while(ctx: Context, node: While) -> None:
    test = constant(True) if node.condition is None else condition(ctx, node.condition)
    ctx.emit(ast.While(test, [], []))
    _turns(ctx, node.body)


def _for(ctx: Context, node: For) -> None:
    sequence = ctx.value(node.sequence)
    if _is_read_outside(ctx, node):
        ctx.set(node.variable, call("r.c"))
    ctx.emit(ast.For(ast.Name(ctx.names[node.variable], ast.Store()), sequence, [], []))
    _turns(ctx, node.body)


def _turns(ctx: Context, body: Node) -> None:
    """Write what a loop does in each turn."""
    ctx.loops.append(ctx.blocks)
    with ctx.inner():
        run_to(ctx, body, "")
    ctx.loops.pop()


def _is_read_outside(ctx: Context, node: For) -> bool:
    """Whether the loop's variable is read elsewhere: it is NULL after a loop over nothing."""
    if node.variable not in ctx.read_outside_loops or node.variable in names_in(node.sequence):
        return False
    return not (isinstance(node.sequence, Binary) and node.sequence.operator == ":")
