"""Expressions: what each piece of R's syntax is in Python."""

from __future__ import annotations

import ast

from pyrrf.migrate.context import Context, call, constant, dotted
from pyrrf.migrate.laziness import check_operator
from pyrrf.migrate.library import UnmovedError, facts, has_function
from pyrrf.migrate.lookup import name_value
from pyrrf.migrate.special import call_of
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


def read(ctx: Context, node: Node) -> ast.expr:
    """Return what an expression becomes: a literal of Python, or an expression whose value is one of R."""
    if isinstance(node, Number):
        return call("r.L", constant(node.value)) if node.text.rstrip("\t\n )").endswith("L") else constant(node.value)
    if isinstance(node, Text):
        return constant(node.value)
    if isinstance(node, Constant):
        return _constant(node)
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


def _constant(node: Constant) -> ast.expr:
    if node.name == "NA_complex_":
        raise UnmovedError("complex numbers")
    return constant(_CONSTANTS[node.name]) if node.name in _CONSTANTS else dotted(f"r.{node.name}")


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
    if is_literal(left) and (is_literal(right) or sign == "%%"):  # a text of Python's own has another %
        left = wrapped(left, node.left)
    if sign in COMPARISONS:
        return ast.Compare(left, [COMPARISONS[sign]], [right])
    if sign in OPERATORS:
        return ast.BinOp(left, OPERATORS[sign], right)
    if ctx.owner(sign) is not None:
        check_operator(ctx, node)
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
    return facts(name).certain or (name.startswith("is.") and not has_function(name))


# ---- structures ----------------------------------------------------------------------------------


def _branch(ctx: Context, node: Node) -> ast.expr:
    """Return what one side of a choice gives; a parameter that is not given goes no further."""
    tree = value(ctx, node)
    unsure = isinstance(node, Name) and (id(ctx.owner(node.name)), node.name) in ctx.unsure
    return call("r.copy", tree) if unsure else tree


def _structure(ctx: Context, node: Node) -> ast.expr:
    if isinstance(node, If):
        then = _branch(ctx, node.then)
        otherwise = call("r.c") if node.otherwise is None else _branch(ctx, node.otherwise)
        return ast.IfExp(condition(ctx, node.condition), then, otherwise)
    if isinstance(node, Block) and len(node.body) == 1:
        return read(ctx, node.body[0])
    if isinstance(node, Block) and not node.body:
        return call("r.c")
    if isinstance(node, Function):
        return ctx.function(node)
    if isinstance(node, Assign) and isinstance(node.target, Name) and not node.outer:
        if ctx.in_lambda or ctx.masks:
            raise UnmovedError("an assignment inside of an expression that is evaluated later")
        return ast.NamedExpr(ast.Name(ctx.names[node.target.name], ast.Store()), value(ctx, node.value))
    raise UnmovedError("this piece of syntax is not moved")
