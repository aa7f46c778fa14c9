"""``x[i]``, ``x[i, j]``, ``x[[i]]`` and ``x$name``."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.library import UnmovedError
from pyrrf.migrate.names import is_word
from pyrrf.migrate.tree import Arg, Constant, Index, Member, Text

# What a value has itself.
_OWN = {"copy"}


def index_of(ctx: Context, node: Index) -> ast.expr:
    """Return ``x[i]`` or ``x[i, j]``."""
    of = ctx.value(node.of)
    drop, args = _without_drop(node.args)
    if drop is None:
        return ast.Subscript(of, subscript(ctx, args), ast.Load())
    places = [constant(...) if arg.value is None else ctx.read(arg.value) for arg in args]
    return call("r.taken", of, *places, drop=ctx.read(drop.value) if drop.value else constant(None))


def _without_drop(args: list[Arg]) -> tuple[Arg | None, list[Arg]]:
    drop = next((arg for arg in args if arg.name == "drop"), None)
    if isinstance(drop, Arg) and isinstance(drop.value, Constant) and drop.value.name == "TRUE" and len(args) > 2:
        pass
    rest = [arg for arg in args if arg.name not in ("drop", "exact")]
    if any(arg.name is not None and arg.name not in ("i", "j") for arg in rest):
        raise UnmovedError("a subscript with a name")
    return drop, rest


def subscript(ctx: Context, args: list[Arg]) -> ast.expr:
    """Return what stands in the brackets: a colon where R has nothing."""
    if not args:
        return ast.Slice()
    parts = [ast.Slice() if arg.value is None else ctx.read(arg.value) for arg in args]
    return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())


def element_of(ctx: Context, node: Index) -> ast.expr:
    """Return ``x[[i]]``."""
    return ast.Subscript(ctx.value(node.of), double(ctx, node), ast.Load())


def double(ctx: Context, node: Index) -> ast.expr:
    """Return what stands in double brackets: a list of Python in single ones."""
    args = [arg for arg in node.args if arg.name != "exact"]
    if len(args) != len(node.args) or not 1 <= len(args) <= 2 or any(arg.value is None or arg.name for arg in args):
        raise UnmovedError("double brackets with these arguments")
    return ast.List([ctx.read(arg.value) for arg in args if arg.value], ast.Load())


def member_of(ctx: Context, node: Member) -> ast.expr:
    """Return ``x$name``."""
    return member(ctx.value(node.of), node.name, ast.Load())


def member(of: ast.expr, name: str, how: ast.expr_context) -> ast.expr:
    """Return ``x.name``, or ``x[["name"]]`` where Python has no such name."""
    if is_word(name) and not name.startswith("_"):
        if name not in _OWN:
            return ast.Attribute(of, name, how)
    elif not name:
        raise UnmovedError("$ without a name")
    return ast.Subscript(of, ast.List([constant(name)], ast.Load()), how)


def is_text(arg: Arg) -> bool:
    """Whether an argument is a string that stands in the script."""
    return isinstance(arg.value, Text)
