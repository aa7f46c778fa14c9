"""Statements: assignments, loops, choices, and expressions whose value R prints."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.assignments import assign
from pyrrf.migrate.branches import choose, condition
from pyrrf.migrate.calls.registry import run_call
from pyrrf.migrate.context import Context, UnmovedError, Value, assigned_names
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Block,
    Call,
    Constant,
    For,
    Function,
    If,
    Jump,
    Name,
    Node,
    While,
    walk,
)
from pyrrf.migrate.types import POSITION, UNKNOWN, Type, join, scalar_of


def run(ctx: Context, node: Node) -> None:
    """Move a statement, or those in braces, one by one."""
    if not ctx.depth and not ctx.outer:
        ctx.start = len(ctx.lines)
    if isinstance(node, Block):
        for statement in node.body:
            run(ctx, statement)
        return
    ctx.attempt(node, lambda: _move(ctx, node))


def _move(ctx: Context, node: Node) -> None:
    if isinstance(node, Assign):
        assign(ctx, node)
    elif isinstance(node, If):
        choose(ctx, node, run)
    elif isinstance(node, For):
        _for(ctx, node)
    elif isinstance(node, While):
        _while(ctx, node)
    elif isinstance(node, Jump):
        ctx.emit(ast.Break() if node.word == "break" else ast.Continue())
    elif isinstance(node, Call) and run_call(ctx, node):
        return
    elif isinstance(node, Constant | Function):
        raise UnmovedError("a value that is not used")
    else:
        _shown(ctx, node)


def _shown(ctx: Context, node: Node) -> None:
    """Move an expression; R prints its value at the top of a script, and drops it elsewhere."""
    found = ctx.value(node)
    if found.type.kind == "none" or ctx.outer or ctx.depth:
        ctx.emit(found.py)
    else:
        ctx.emit(py.call("print", found.py))


def _assigned(body: Node) -> set[str]:
    return {n.target.name for n in walk(body) if isinstance(n, Assign) and isinstance(n.target, Name)}


def _enter_loop(ctx: Context, node: Node) -> None:
    """Widen what the names hold by what the body leaves in them, as the last pass found it."""
    ends = ctx.facts.loops.get(id(node), {})
    changed = {name for inner in walk(node) for name in assigned_names(inner)} & ctx.names.keys() & ends.keys()
    ctx.merge(dict(ctx.names), {name: ends[name] for name in changed})


def _leave_loop(ctx: Context, node: Node, before: dict[str, Type]) -> None:
    ctx.learned.loops[id(node)] = dict(ctx.names)
    ctx.merge(before, ctx.names)


def _while(ctx: Context, node: While) -> None:
    before = dict(ctx.names)
    _enter_loop(ctx, node)
    ctx.loop_names |= _assigned(node.body)
    for name in _assigned(node.body) & ctx.names.keys():
        ctx.names[name] = replace(ctx.names[name], constant=None)
    test = "True" if node.condition is None else ast.unparse(condition(ctx, node.condition))
    ctx.emit(f"while {test}:")
    with ctx.inner():
        run(ctx, node.body)
    _leave_loop(ctx, node, before)


def _for(ctx: Context, node: For) -> None:
    before = dict(ctx.names)
    _enter_loop(ctx, node)
    changed = _assigned(node.body)
    ctx.loop_names |= changed
    for name in changed & ctx.names.keys():
        ctx.names[name] = replace(ctx.names[name], constant=None)
    tree, type_ = _sequence(ctx, node)
    if isinstance(node.sequence, Name) and node.sequence.name in ctx.usage.changed and type_.kind == "scalar":
        tree = py.fill("_0.copy()", tree)  # R loops over what it was
    ctx.assign(node.variable, type_)
    target = py.python_name(node.variable)
    ctx.emit(f"for {target} in {ast.unparse(tree)}:")
    with ctx.inner():
        run(ctx, node.body)
    _leave_loop(ctx, node, before)


def _sequence(ctx: Context, node: For) -> tuple[ast.expr, Type]:
    """Return what is looped over and the type of its items; positions from 0 if the name stands in brackets."""
    positions = ctx.wants_positions(node.variable)
    sequence = node.sequence
    if isinstance(sequence, Call) and sequence.function.text in ("seq_along", "seq_len") and len(sequence.args) == 1:
        inner = sequence.args[0].value
        assert inner is not None
        found = ctx.value(inner)
        length = py.call("len", found.py) if sequence.function.text == "seq_along" else found.py
        return _range(Value(py.constant(1), Type("scalar", "int", constant=1)), length, positions)
    if isinstance(sequence, Binary) and sequence.operator == ":":
        start, stop = ctx.value(sequence.left), ctx.value(sequence.right)
        if _counts_up(start, stop):
            return _range(start, stop.py, positions and start.type.positive)
    found = ctx.raw(sequence)
    return _over(found, positions)


def _counts_up(start: Value, stop: Value) -> bool:
    a, b = start.type.constant, stop.type.constant
    if a is None or start.type.elem != "int" or stop.type.elem != "int":
        return False
    return (b is not None and a <= b) or (a <= 1 and stop.type.positive)


def _range(start: Value, stop: ast.expr, positions: bool) -> tuple[ast.expr, Type]:
    first = start.type.constant or 0
    if positions:
        begin = py.shifted(start.py, -1)
        args = [stop] if py.constant_of(begin) == 0 else [begin, stop]
        return py.call("range", *args), POSITION
    type_ = Type("scalar", "int", positive=first >= 1, full=True)
    return py.call("range", start.py, py.shifted(stop, 1)), type_


def _over(found: Value, positions: bool) -> tuple[ast.expr, Type]:
    """Return a vector or a list that is looped over."""
    type_ = found.type
    if type_.kind == "dict":
        return py.fill("_0.values()", found.py), type_.item or UNKNOWN
    if type_.kind == "list":
        return found.py, type_.item or UNKNOWN
    if type_.kind == "frame":
        item = join(*(t for _, t in type_.parts)) if len(type_.parts) == 2 else Type("vector", type_.elem)
        return py.fill("(_0[column] for column in _0)", found.py), replace(item, series=True)
    if type_.kind not in ("vector", "matrix"):
        raise UnmovedError(f"a loop over a {type_.kind}")
    item = scalar_of(type_)
    if positions and item.positive and not item.zero:
        return py.shifted(found.py, -1), replace(item, zero=True, positive=False)
    tree = found.py
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "np.array" and isinstance(tree.args[0], ast.List):
        return ast.Tuple(tree.args[0].elts, ast.Load()), item
    if type_.kind == "matrix":
        raise UnmovedError("a loop over the cells of a matrix")
    return tree, item
