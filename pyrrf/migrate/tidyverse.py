"""What the tidyverse evaluates by rules of its own: formulas as functions, cases, tables row by row, bare names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from pyrrf.migrate.context import Context, call, constant
from pyrrf.migrate.library import UnmovedError, facts
from pyrrf.migrate.tree import Arg, Binary, Call, Function, Name, Node, Unary, function_name, walk


def tidy_argument(ctx: Context, name: str, param: str, node: Node) -> ast.expr | None:
    """Return an argument that is a formula for a function, or a bare name; None if it is neither."""
    told = facts(name)
    if param in told.symbols and isinstance(node, Name):
        return constant(node.name)
    if not told.tilde or param not in told.called:
        return None
    _refuse_columns(ctx, node)
    masks, ctx.masks = ctx.masks, []
    try:
        return ctx.value(_functions(node))
    finally:
        ctx.masks = masks


def _functions(node: Node) -> Node:
    """Return a formula as a function; those in a list, too."""
    if isinstance(node, Unary) and node.operator == "~":
        return _function(node.operand)
    if function_name(node) in ("list", "funs", "c") and isinstance(node, Call):
        bare = function_name(node) == "funs"
        if bare and len(node.args) > 1 and not all(arg.name for arg in node.args):
            raise UnmovedError("funs() of functions without names")
        parts = [Arg(arg.name, _of_list(arg.value, bare)) for arg in node.args]
        return replace(node, args=parts)
    return node


def _of_list(node: Node | None, bare: bool) -> Node | None:
    if node is None:
        return None
    if bare and not isinstance(node, Name | Unary):
        return _function(node)
    return _functions(node)


def _function(body: Node) -> Function:
    found = {inner.name for inner in walk(body) if isinstance(inner, Name)}
    if any(name in found for name in ("..1", "..2", "...")):
        raise UnmovedError("a formula with ..1")
    words = [".x", ".y"] if ".y" in found else [".x"]
    return Function(
        body.first,
        body.last,
        body.text,
        [Arg(word, None) for word in words],
        _without_dots(body) if "." in found else body,
    )


def _without_dots(node: Node) -> Node:
    """Return code with `.x` in the place of a dot."""
    if isinstance(node, Name):
        return replace(node, name=".x") if node.name == "." else node
    changes: dict[str, object] = {}
    for key, value in vars(node).items():
        if isinstance(value, Node):
            changes[key] = _without_dots(value)
        elif isinstance(value, list):
            changes[key] = [
                Arg(item.name, None if item.value is None else _without_dots(item.value))
                if isinstance(item, Arg)
                else _without_dots(item)
                for item in value
            ]
    return replace(node, **changes)  # type: ignore[arg-type]


def _refuse_columns(ctx: Context, node: Node) -> None:
    """Refuse a function in which a variable of the script may be a column of the table."""
    if not ctx.masks:
        return
    inner = walk(node)
    called = {id(each.function) for each in inner if isinstance(each, Call)}
    for each in inner:
        if isinstance(each, Name) and id(each) not in called:
            owner = ctx.owner(each.name)
            if owner is not None and each.name not in owner.functions:
                raise UnmovedError(f"{each.name} may be a column in a function of across()")


# ---- functions of a kind of their own ------------------------------------------------------------


def _case_when(ctx: Context, node: Call) -> ast.expr:
    made = call("r.case_when")
    assert isinstance(made, ast.Call)
    for arg in node.args:
        if arg.name or not isinstance(arg.value, Binary) or arg.value.operator != "~":
            raise UnmovedError("case_when() with other than conditions and values")
        made.args.append(ast.Tuple([ctx.value(arg.value.left), ctx.value(arg.value.right)], ast.Load()))
    return made


def _tribble(ctx: Context, node: Call) -> ast.expr:
    values = [arg.value for arg in node.args if arg.value is not None]
    heads = [value.operand for value in values if isinstance(value, Unary) and value.operator == "~"]
    if any(arg.name for arg in node.args) or not all(isinstance(head, Name) for head in heads):
        raise UnmovedError("tribble() with these arguments")
    made = call("r.tribble", *[ctx.value(value) for value in values[len(heads) :]])
    assert isinstance(made, ast.Call)
    labels = [constant(head.name) for head in heads if isinstance(head, Name)]
    made.keywords.append(ast.keyword("names", call("r.c", *labels)))
    return made


TIDY: dict[str, Callable[[Context, Call], ast.expr]] = {"case_when": _case_when, "tribble": _tribble}
