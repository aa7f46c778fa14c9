"""Expressions: what each piece of R's syntax is in Python."""

from __future__ import annotations

import ast
import keyword

from pyrrf.migrate.calls import call_of
from pyrrf.migrate.context import Context, call, constant, dotted
from pyrrf.migrate.functions import function_value
from pyrrf.migrate.library import UnmovedError, has_function, has_value, python_word
from pyrrf.migrate.scopes import names_in
from pyrrf.migrate.subscripts import element_of, index_of, member_of
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Block,
    Call,
    Constant,
    Function,
    If,
    Index,
    Member,
    Name,
    Node,
    Number,
    Text,
    Unary,
)

OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "^": ast.Pow(), "%%": ast.Mod(),
    "%/%": ast.FloorDiv(), "%*%": ast.MatMult(), "&": ast.BitAnd(), "|": ast.BitOr(),
}  # fmt: skip
COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
}  # fmt: skip
_FUNCTIONS = {":": "r.colon", "%in%": "r.contained", "%o%": "r.outer"}
_CONSTANTS: dict[str, object] = {"TRUE": True, "FALSE": False}
# What backticks make a function of: those that take functions take their names, too.
_AS_FUNCTIONS = {*OPERATORS, *COMPARISONS, *_FUNCTIONS, "!", "[", "[[", "$"}
_NEVER_MISSING = (
    "is.",
    "inherits",
    "exists",
    "identical",
    "isTRUE",
    "isFALSE",
    "missing",
    "file.exists",
    "require",
    "interactive",
)


def read(ctx: Context, node: Node) -> ast.expr:
    """Return what an expression becomes: a literal of Python, or an expression whose value is one of R."""
    if isinstance(node, Number):
        return call("r.L", constant(node.value)) if node.text.endswith("L") else constant(node.value)
    if isinstance(node, Text):
        return constant(node.value)
    if isinstance(node, Constant):
        return constant(_CONSTANTS[node.name]) if node.name in _CONSTANTS else dotted(f"r.{node.name}")
    if isinstance(node, Name):
        return name_value(ctx, node.name)
    if isinstance(node, Call):
        return call_of(ctx, node)
    if isinstance(node, Index):
        return element_of(ctx, node) if node.double else index_of(ctx, node)
    if isinstance(node, Member):
        return member_of(ctx, node)
    if isinstance(node, Unary):
        return _unary(ctx, node)
    if isinstance(node, Binary):
        return _binary(ctx, node)
    return _structure(ctx, node)


def value(ctx: Context, node: Node) -> ast.expr:
    """Return an expression whose value is one of R, not a literal: what a name is to hold."""
    return wrapped(read(ctx, node), node)


def wrapped(tree: ast.expr, node: Node) -> ast.expr:
    """Return a literal as a value of R; other expressions stay."""
    if isinstance(node, Constant) and node.name == "NULL":
        return call("r.c")
    if isinstance(node, Constant) and node.name not in _CONSTANTS:
        return call("r.copy", tree)
    if is_literal(tree):
        return call("r.c", tree)
    return tree


def is_literal(tree: ast.expr) -> bool:
    """Whether an expression is one of Python's own values, with a sign or without."""
    return isinstance(tree, ast.Constant) or (isinstance(tree, ast.UnaryOp) and is_literal(tree.operand))


def name_value(ctx: Context, name: str) -> ast.expr:
    """Return what a name stands for.

    Raises
    ------
    UnmovedError
        Nothing of this name is known.
    """
    if name in _AS_FUNCTIONS:
        return constant(name)
    if name == "...":
        raise UnmovedError("... is used in a way that is not moved")
    owner = ctx.owner(name)
    if ctx.masks and not (owner is not None and owner is not ctx.scopes[0] and name in owner.params):
        return _masked(ctx, name)
    return _outside(ctx, name)


def _masked(ctx: Context, name: str) -> ast.expr:
    """Return a name inside of ``with(data, ...)``: a column, or else what it is outside."""
    mask = ctx.masks[-1]
    try:
        outside = _outside(ctx, name)
    except UnmovedError:
        if name.isidentifier() and name.isascii() and not keyword.iskeyword(name) and not name.startswith("_"):
            return ast.Attribute(dotted(mask), name, ast.Load())
        return ast.Subscript(dotted(mask), constant(name), ast.Load())
    bare = ast.arguments([], [], None, [], [], None, [])
    return ast.Call(dotted(mask), [constant(name), ast.Lambda(bare, outside)], [])


def _outside(ctx: Context, name: str) -> ast.expr:
    if ctx.owner(name) is not None:
        return ctx.name(name)
    if ctx.attached and not has_function(name):
        return ast.Subscript(dotted(ctx.attached[-1]), ast.List([constant(name)], ast.Load()), ast.Load())
    if has_value(name):
        return dotted(f"r.{name}")
    if is_dataset(name):
        ctx.datasets.add(name)
        return call("r.dataset", constant(name))
    if has_function(name):
        return dotted(f"r.{python_word(name)}")
    raise UnmovedError(f"{name} is not assigned in the script, and no function that is known here")


def is_dataset(name: str) -> bool:
    """Whether a data set of R has this name."""
    from pyrrf import datasets

    return f"load_{name}" in datasets.__all__


# ---- operators -----------------------------------------------------------------------------------


def _unary(ctx: Context, node: Unary) -> ast.expr:
    if node.operator == "~":
        return formula(ctx, node)
    inner = read(ctx, node.operand)
    if node.operator == "!":
        return ast.UnaryOp(ast.Invert(), wrapped(inner, node.operand))
    if node.operator not in "+-":
        raise UnmovedError(f"the operator {node.operator}")
    if isinstance(inner, ast.Constant) and (isinstance(inner.value, bool) or not isinstance(inner.value, int | float)):
        inner = wrapped(inner, node.operand)
    if isinstance(inner, ast.Constant) and inner.value == 0:
        inner = ast.Constant(0.0)  # Python's whole 0 has no sign
    return ast.UnaryOp(ast.USub() if node.operator == "-" else ast.UAdd(), inner)


def _binary(ctx: Context, node: Binary) -> ast.expr:
    sign = node.operator
    if sign == "~":
        return formula(ctx, node)
    left = read(ctx, node.left)
    if sign in ("&&", "||"):
        bare = ast.arguments([], [], None, [], [], None, [])
        ctx.in_lambda += 1
        right = value(ctx, node.right)
        ctx.in_lambda -= 1
        return call("r.and_" if sign == "&&" else "r.or_", left, ast.Lambda(bare, right))
    right = read(ctx, node.right)
    if sign in _FUNCTIONS:
        return call(_FUNCTIONS[sign], left, right)
    if is_literal(left) and is_literal(right):
        left = wrapped(left, node.left)
    if sign in COMPARISONS:
        return ast.Compare(left, [COMPARISONS[sign]], [right])
    if sign in OPERATORS:
        return ast.BinOp(left, OPERATORS[sign], right)
    if ctx.owner(sign) is not None:
        return ast.Call(ctx.name(sign), [left, right], [])
    raise UnmovedError(f"the operator {sign}")


def formula(ctx: Context, node: Node) -> ast.expr:
    """Return a formula, its text with single blanks."""
    return call("r.formula", constant(" ".join(node.text.split())))


def condition(ctx: Context, node: Node) -> ast.expr:
    """Return what stands after ``if`` and ``while``: with Python's words where nothing can be missing."""
    if isinstance(node, Constant) and node.name in _CONSTANTS:
        return constant(_CONSTANTS[node.name])
    if isinstance(node, Unary) and node.operator == "!" and _certain(node.operand):
        return ast.UnaryOp(ast.Not(), condition(ctx, node.operand))
    if isinstance(node, Binary) and node.operator in ("&&", "||") and _certain(node.left) and _certain(node.right):
        word: ast.boolop = ast.And() if node.operator == "&&" else ast.Or()
        return ast.BoolOp(word, [condition(ctx, node.left), condition(ctx, node.right)])
    found = value(ctx, node)
    if isinstance(node, Call) and node.function.text == "missing" and isinstance(found, ast.Call):
        return found.args[0]
    return found


def _certain(node: Node) -> bool:
    """Whether an expression is TRUE or FALSE, one item, never missing."""
    if isinstance(node, Constant):
        return node.name in _CONSTANTS
    if isinstance(node, Unary):
        return node.operator == "!" and _certain(node.operand)
    if isinstance(node, Binary):
        return node.operator in ("&&", "||") and _certain(node.left) and _certain(node.right)
    name = node.function.name if isinstance(node, Call) and isinstance(node.function, Name) else ""
    return name.startswith(_NEVER_MISSING) and name not in ("is.na", "is.nan", "is.finite", "is.infinite", "is.element")


# ---- structures ----------------------------------------------------------------------------------


def _structure(ctx: Context, node: Node) -> ast.expr:
    if isinstance(node, If):
        then = value(ctx, node.then)
        otherwise = call("r.c") if node.otherwise is None else value(ctx, node.otherwise)
        return ast.IfExp(condition(ctx, node.condition), then, otherwise)
    if isinstance(node, Block) and len(node.body) == 1:
        return read(ctx, node.body[0])
    if isinstance(node, Block) and not node.body:
        return call("r.c")
    if isinstance(node, Function):
        return function_value(ctx, node)
    if isinstance(node, Assign) and isinstance(node.target, Name) and not node.outer:
        if ctx.in_lambda or ctx.masks:
            raise UnmovedError("an assignment inside of an expression that is evaluated later")
        return ast.NamedExpr(ast.Name(ctx.names[node.target.name], ast.Store()), value(ctx, node.value))
    raise UnmovedError("this piece of syntax is not moved")


def scope_of(ctx: Context, node: Node) -> ast.expr | None:
    """Return a dict of the script's variables that a formula names; None if it names none."""
    used = sorted(name for name in names_in(node) if ctx.owner(name) is not None and name not in _functions(ctx))
    if not used:
        return None
    return ast.Dict([constant(name) for name in used], [ctx.name(name) for name in used])


def _functions(ctx: Context) -> set[str]:
    return {name for scope in ctx.scopes for name, function in scope.functions.items() if function is not None}
