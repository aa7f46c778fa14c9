"""Assignments to a name, to parts of a value, to a function such as ``names()``."""

from __future__ import annotations

import ast

from pyrrf.migrate.decide.effects import names_written
from pyrrf.migrate.decide.laziness import acting
from pyrrf.migrate.decide.methods import check_class, sets_class
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import facts, has_function
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.expressions import double_subscript, member, subscript
from pyrrf.migrate.write.lines import call, constant
from pyrrf.migrate.write.lookup import is_constant, is_locked, may_be_invisible, of_r


def assign(ctx: Context, node: rast.Assign) -> None:
    """Write an assignment."""
    target, value = node.target, node.value
    if isinstance(value, rast.Assign):
        assign(ctx, value)
        value = value.target if isinstance(value.target, rast.Name) else _refuse_chain()
    if isinstance(target, rast.Text):
        target = rast.Name(target.first, target.last, target.text, target.value)
    if sets_class(target):
        check_class(ctx, value)
    if node.outer and ctx.waits(rast.target_name(target)) and is_locked(rast.target_name(target)):
        raise rast.UntranslatedError(f"<<- to {rast.target_name(target)}, which R has itself")
    if not isinstance(target, rast.Name):
        assign_part(ctx, target, ctx.read(value))
        return
    if isinstance(value, rast.Function):
        ctx.write_function(ctx.names[target.name], value)
        return
    ctx.set(target.name, held_value(ctx, value, target.name))


def _refuse_chain() -> rast.Node:
    raise rast.UntranslatedError("a chain of assignments to parts of values")


def held_value(ctx: Context, value: rast.Node, name: str = "") -> ast.expr:
    """Return a value that a name is to hold: a copy where parts of this or of another name are assigned."""
    tree = ctx.value(value)
    sources = rast.names_in(value) | {name}
    if ctx.unsure_scope(value):
        return call("r.copy", tree)
    if may_share(ctx, value) and (sources & ctx.changed or (isinstance(value, rast.Call) and ctx.changed)):
        return call("r.copy", tree)
    return tree


def return_value(ctx: Context, node: rast.Node) -> ast.expr:
    """Return a value that a function returns: a call's may be invisible, a name's is not."""
    if rast.function_name(node) == "(" or may_be_invisible(ctx, node):
        return call("r.copy", ctx.value(node))
    return ctx.value(node) if isinstance(node, rast.Call) else held_value(ctx, node)


def may_share(ctx: Context, node: rast.Node) -> bool:
    """Whether the value of an expression may be that of a name."""
    if isinstance(node, rast.Call):
        name = rast.function_name(node)
        return not has_function(name) or facts(name).hands_on or ctx.owner(name) is not None
    other = rast.Index | rast.Member | rast.Binary | rast.Unary | rast.Number | rast.Text
    return not isinstance(node, other)


def assign_part(ctx: Context, target: rast.Node, made: ast.expr) -> None:
    """Write ``x[i] <- v`` and its like."""
    root = rast.target_name(target)
    if ctx.owner(root) is None:
        raise rast.UntranslatedError("an assignment to a part of an expression that is not a name")
    _check_target(ctx, target)
    if ctx.waits(root) and is_constant(root):
        ctx.put(root, call("r.copy", ctx.value(rast.Name(target.first, target.last, root, root))))
    if isinstance(target, rast.Index | rast.Member) and isinstance(target.of, rast.Name):
        ctx.emit(ast.Assign([_place(ctx, target, ctx.name(root))], made, lineno=0))
        ctx.note_given(root)
        return
    ctx.set(root, _value_after(ctx, target, made))


def _check_target(ctx: Context, target: rast.Node) -> None:
    """Refuse side effects inside of a target: R evaluates it once to read the parts around, and again to write them."""
    root = rast.target_name(target)
    for depth, piece in enumerate(rast.targets(target)):
        own = isinstance(piece, rast.Call) and ctx.owner(f"{rast.function_name(piece)}<-") is not None
        args = [] if isinstance(piece, rast.Member) else piece.args[isinstance(piece, rast.Call) :]
        inner = [value for value in rast.values(args) if acting(ctx, value)]
        if inner and (depth or own or any(root in names_written(ctx.around, value, ctx.outer) for value in inner)):
            raise rast.UntranslatedError(
                "an assignment to a part whose position draws or prints; assign the position to a variable first"
            )


def _place(ctx: Context, target: rast.Index | rast.Member, of: ast.expr) -> ast.expr:
    """Return ``x[i]``, ``x[[i]]`` or ``x.name`` to be assigned."""
    if isinstance(target, rast.Member):
        return member(of, target.name, ast.Store())
    _refuse_names(target)
    inner = double_subscript(ctx, target) if target.double else subscript(ctx, target.args)
    return ast.Subscript(of, inner, ast.Store())


def _refuse_names(target: rast.Index) -> None:
    if any(arg.name is not None for arg in target.args):
        raise rast.UntranslatedError("an assignment to a subscript with a name")


def _value_after(ctx: Context, target: rast.Node, made: ast.expr) -> ast.expr:
    """Return the value of the innermost name after an assignment to a part of a part of it, as R expands it."""
    if isinstance(target, rast.Name | rast.Text):
        return made
    if isinstance(target, rast.Member):
        changed = call("r.put_component", ctx.value(target.of), made, constant(target.name))
        return _value_after(ctx, target.of, changed)
    if isinstance(target, rast.Index):
        function = "r.put_element" if target.double else "r.put"
        args = [constant(...) if arg.value is None else ctx.read(arg.value) for arg in target.args]
        _refuse_names(target)
        return _value_after(ctx, target.of, call(function, ctx.value(target.of), made, *args))
    first = rast.first_value(target) if isinstance(target, rast.Call) else None
    if isinstance(target, rast.Call) and isinstance(target.function, rast.Name) and first is not None:
        return _value_after(ctx, first, _by_function(ctx, target, first, made))
    raise rast.UntranslatedError("an assignment to this")


def _by_function(ctx: Context, target: rast.Call, first: rast.Node, made: ast.expr) -> ast.expr:
    """Return ``names(x) <- v`` as ``r.put_names(x, v)``."""
    name, rest = rast.function_name(target), target.args[1:]
    own = f"{name}<-"
    if ctx.owner(own) is not None:
        return ast.Call(ctx.name(own), [ctx.value(first), *_read_all(ctx, rest), made], [])
    if not has_function(own):
        raise rast.UntranslatedError(f"an assignment to {name}()")
    return ast.Call(of_r(ctx, own), [ctx.value(first), made, *_read_all(ctx, rest)], [])


def _read_all(ctx: Context, args: list[rast.Arg]) -> list[ast.expr]:
    if any(arg.value is None for arg in args):
        raise rast.UntranslatedError("an empty argument in an assignment")
    return list(map(ctx.read, rast.values(args)))
