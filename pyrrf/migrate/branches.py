"""if and else, as statements."""

from __future__ import annotations

import ast
from collections.abc import Callable

from pyrrf.migrate.context import Context, UnmovedError
from pyrrf.migrate.tree import Block, If, Node
from pyrrf.migrate.types import Type


def condition(ctx: Context, node: Node) -> ast.expr:
    """Return the condition of if or while."""
    found = ctx.value(node)
    if found.type.missing:
        raise UnmovedError("the condition may be NA, where R stops")
    return found.py


def choose(ctx: Context, node: If, run: Callable[[Context, Node], None]) -> None:
    """Move a choice; `run` moves the branches."""
    test = condition(ctx, node.condition)
    ends = []
    word = "if"
    rest: Node | None = node
    while isinstance(rest, If):
        if rest is not node:
            test = condition(ctx, rest.condition)
        ctx.emit(f"{word} {ast.unparse(test)}:")
        ends.append(_branch(ctx, rest.then, run))
        rest, word = _alone(rest.otherwise), "elif"
    if rest is not None:
        ctx.emit("else:")
        ends.append(_branch(ctx, rest, run))
    else:
        ends.append(dict(ctx.names))
    ctx.merge(*ends)


def _alone(node: Node | None) -> Node | None:
    """Return the statement in braces, if it is one and a choice itself."""
    if isinstance(node, Block) and len(node.body) == 1 and isinstance(node.body[0], If):
        return node.body[0]
    return node


def _branch(ctx: Context, body: Node, run: Callable[[Context, Node], None]) -> dict[str, Type]:
    with ctx.branch() as end, ctx.inner():
        run(ctx, body)
    return end
