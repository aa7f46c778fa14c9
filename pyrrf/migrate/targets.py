"""Assignments: to a name, to parts of a value, to what a function such as ``names()`` gives."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.effects import names_written
from pyrrf.migrate.laziness import acting
from pyrrf.migrate.library import UnmovedError, facts, has_function, python_word
from pyrrf.migrate.methods import check_class, sets_class
from pyrrf.migrate.scopes import target_name
from pyrrf.migrate.subscripts import double, member, subscript
from pyrrf.migrate.tree import (
    Arg,
    Assign,
    Binary,
    Call,
    Function,
    If,
    Index,
    Member,
    Name,
    Node,
    Number,
    Text,
    Unary,
    function_name,
    walk,
)


def assign(ctx: Context, node: Assign) -> None:
    """Write an assignment."""
    target, value = node.target, node.value
    if isinstance(value, Assign):
        assign(ctx, value)
        value = value.target if isinstance(value.target, Name) else _refuse_chain()
    if isinstance(target, Text):
        target = Name(target.first, target.last, target.text, target.value)
    if sets_class(target):
        check_class(ctx, value)
    if not isinstance(target, Name):
        assign_part(ctx, target, ctx.read(value))
        return
    if isinstance(value, Function):
        ctx.write_function(ctx.names[target.name], value)
        return
    ctx.set(target.name, kept(ctx, value, target.name))


def _refuse_chain() -> Node:
    raise UnmovedError("a chain of assignments to parts of values")


def kept(ctx: Context, value: Node, name: str = "") -> ast.expr:
    """Return a value that a name is to hold: a copy where parts of this or of another name are assigned."""
    ctx.whole, ctx.target = value, name
    tree = ctx.value(value)
    sources = {inner.name for inner in walk(value) if isinstance(inner, Name)} | {name}
    if isinstance(value, Name) and (id(ctx.owner(value.name)), value.name) in ctx.unsure:
        return call("r.copy", tree)
    if may_share(ctx, value) and (sources & ctx.changed or (isinstance(value, Call) and ctx.changed)):
        return call("r.copy", tree)
    return tree


def returned(ctx: Context, node: Node) -> ast.expr:
    """Return a value that a function returns: a call's may be invisible, a name's is not."""
    ctx.whole, ctx.target = node, ""
    name = function_name(node)
    if name == "load":
        raise UnmovedError("the value of load()")
    if name == "(" or (isinstance(node, Name) and _may_be_invisible(ctx, node)):
        return call("r.copy", ctx.value(node))
    if isinstance(node, Call):
        return call("r.invisible", ctx.value(node)) if name == "require" else ctx.value(node)
    return kept(ctx, node)


def _may_be_invisible(ctx: Context, node: Name) -> bool:
    """Whether a name may hold what invisible() gave; R shows it, as the value of a name."""
    owner = ctx.owner(node.name)
    if owner is None or ctx.at_top:
        return False
    if node.text.startswith("("):
        return True
    makers = owner.made_by.get(node.name, set())
    return any(facts(maker).hands_on or facts(maker).quiet or not has_function(maker) for maker in makers)


def may_share(ctx: Context, node: Node) -> bool:
    """Whether the value of an expression may be that of a name."""
    if isinstance(node, Name):
        return True
    if isinstance(node, If):
        return True
    if isinstance(node, Call):
        name = node.function.name if isinstance(node.function, Name) else ""
        return not has_function(name) or facts(name).hands_on or ctx.owner(name) is not None
    return not isinstance(node, Index | Member | Binary | Unary | Number | Text)


def assign_part(ctx: Context, target: Node, made: ast.expr) -> None:
    """Write ``x[i] <- v`` and its like."""
    root = target_name(target)
    owner = None if root is None else ctx.owner(root)
    if root is None or owner is None:
        raise UnmovedError("an assignment to a part of what is no name")
    _check_target(ctx, target)
    simple = isinstance(target, Index | Member) and isinstance(target.of, Name)
    if simple and isinstance(target, Index | Member):
        place = _place(ctx, target, ctx.name(root))
        if place is not None:
            ctx.emit(ast.Assign([place], made, lineno=0))
            ctx.note_given(root)
            return
    ctx.set(root, _after(ctx, target, made))


def _check_target(ctx: Context, target: Node) -> None:
    """Refuse what acts inside of a target: R evaluates it once to read the parts around, and again to write them."""
    outermost, root, scopes = True, target_name(target) or "", tuple(ctx.scopes)
    while isinstance(target, Index | Member | Call):
        own = isinstance(target, Call) and ctx.owner(f"{function_name(target)}<-") is not None
        args = [] if isinstance(target, Member) else target.args[isinstance(target, Call) :]
        inner = [arg.value for arg in args if arg.value is not None and acting(ctx, arg.value)]
        if inner and (not outermost or own or any(root in names_written(scopes, part, ctx.outer) for part in inner)):
            raise UnmovedError("an assignment to a part that is drawn or printed in it; give it a name before")
        outermost = False
        target = target.of if not isinstance(target, Call) else target.args[0].value or Name(0, 0, "", "")


def _place(ctx: Context, target: Index | Member, of: ast.expr) -> ast.expr | None:
    """Return ``x[i]``, ``x[[i]]`` or ``x.name`` to be assigned; None if Python cannot say it."""
    if isinstance(target, Member):
        return member(of, target.name, ast.Store())
    if any(arg.name is not None for arg in target.args):
        raise UnmovedError("an assignment to a subscript with a name")
    inner = double(ctx, target) if target.double else subscript(ctx, target.args)
    return ast.Subscript(of, inner, ast.Store())


def _after(ctx: Context, target: Node, made: ast.expr) -> ast.expr:
    """Return what the innermost name holds after an assignment to a part of a part of it, as R expands it."""
    if isinstance(target, Name):
        return made
    if isinstance(target, Text):
        return made
    if isinstance(target, Member):
        of, changed = target.of, call("r.put_component", _now(ctx, target.of), made, constant(target.name))
    elif isinstance(target, Index):
        function = "r.put_element" if target.double else "r.put"
        args = [constant(...) if arg.value is None else ctx.read(arg.value) for arg in target.args]
        if any(arg.name is not None for arg in target.args):
            raise UnmovedError("an assignment to a subscript with a name")
        of, changed = target.of, call(function, _now(ctx, target.of), made, *args)
    elif isinstance(target, Call) and isinstance(target.function, Name) and target.args and target.args[0].value:
        of, changed = target.args[0].value, _by_function(ctx, target, made)
    else:
        raise UnmovedError("an assignment to this")
    return _after(ctx, of, changed)


def _now(ctx: Context, of: Node) -> ast.expr:

    return ctx.value(of)


def _by_function(ctx: Context, target: Call, made: ast.expr) -> ast.expr:
    """Return ``names(x) <- v`` as ``r.put_names(x, v)``."""
    assert isinstance(target.function, Name)
    name = target.function.name
    own = f"{name}<-"
    first, rest = target.args[0].value, target.args[1:]
    assert first is not None
    if ctx.owner(own) is not None:
        return ast.Call(ctx.name(own), [_now(ctx, first), *_read_all(ctx, rest), made], [])
    if not has_function(f"put.{name}"):
        raise UnmovedError(f"an assignment to {name}()")
    return call(f"r.put_{python_word(name)}", _now(ctx, first), made, *_read_all(ctx, rest))


def _read_all(ctx: Context, args: list[Arg]) -> list[ast.expr]:
    if any(arg.value is None for arg in args):
        raise UnmovedError("an empty argument in an assignment")
    return [ctx.read(arg.value) for arg in args if arg.value]
