"""Expressions: the Python for each kind of R's syntax."""

from __future__ import annotations

import ast

from pyrrf.migrate.decide.laziness import check_operator
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import facts, has_function
from pyrrf.migrate.scopes.names import is_word
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.lines import call, constant, dotted_name, lambda_of
from pyrrf.migrate.write.lookup import name_value
from pyrrf.migrate.write.special import call_of

OPERATORS: dict[str, ast.operator] = {
    "+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "^": ast.Pow(), "%%": ast.Mod(),
    "%/%": ast.FloorDiv(), "%*%": ast.MatMult(), "&": ast.BitAnd(), "|": ast.BitOr(),
}  # fmt: skip
COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE(),
}  # fmt: skip
_FUNCTIONS = {":": "r.colon", "%in%": "r.contained", "%o%": "r.outer"}
_CONSTANTS: dict[str, object] = {"TRUE": True, "FALSE": False}


def read(ctx: Context, node: rast.Node) -> ast.expr:
    """Return the Python of an expression: a literal, or an expression whose value is one of R."""
    if isinstance(node, rast.Number):
        return call("r.L", constant(node.value)) if node.whole else constant(node.value)
    if isinstance(node, rast.Text):
        return constant(node.value)
    if isinstance(node, rast.Constant):
        return _constant(node)
    if isinstance(node, rast.Name):
        return name_value(ctx, node.name)
    if isinstance(node, rast.Call):
        return call_of(ctx, node)
    if isinstance(node, rast.Index):
        return element_of(ctx, node) if node.double else index_of(ctx, node)
    if isinstance(node, rast.Member):
        return member(ctx.value(node.of), node.name, ast.Load())
    if isinstance(node, rast.Unary):
        return _unary(ctx, node)
    if isinstance(node, rast.Binary):
        return _binary(ctx, node)
    return _structure(ctx, node)


def _constant(node: rast.Constant) -> ast.expr:
    if node.name == "NA_complex_":
        raise rast.UntranslatedError("complex numbers")
    return constant(_CONSTANTS[node.name]) if node.name in _CONSTANTS else dotted_name(f"r.{node.name}")


def value(ctx: Context, node: rast.Node) -> ast.expr:
    """Return an expression whose value is one of R, not a literal, so that a name can hold it."""
    return wrap_literal(read(ctx, node), node)


def wrap_literal(tree: ast.expr, node: rast.Node) -> ast.expr:
    """Return a literal as a value of R; other expressions stay."""
    if isinstance(node, rast.Constant) and node.name == "NULL":
        return call("r.c")
    if isinstance(node, rast.Constant) and node.name not in _CONSTANTS:
        return call("r.copy", tree)
    if is_literal(tree):
        return call("r.c", tree)
    return tree


def is_literal(tree: ast.expr) -> bool:
    """Whether an expression is one of Python's own values, with a sign or without."""
    return isinstance(tree, ast.Constant) or (isinstance(tree, ast.UnaryOp) and is_literal(tree.operand))


# ---- operators -----------------------------------------------------------------------------------


def _unary(ctx: Context, node: rast.Unary) -> ast.expr:
    if node.operator == "~":
        return formula(ctx, node)
    inner = read(ctx, node.operand)
    if node.operator == "!":
        return ast.UnaryOp(ast.Invert(), wrap_literal(inner, node.operand))
    if node.operator not in "+-":
        raise rast.UntranslatedError(f"the operator {node.operator}")
    if isinstance(inner, ast.Constant) and (isinstance(inner.value, bool) or not isinstance(inner.value, int | float)):
        inner = wrap_literal(inner, node.operand)
    if isinstance(inner, ast.Constant) and inner.value == 0:
        inner = ast.Constant(0.0)  # Python's whole 0 has no sign
    return ast.UnaryOp(ast.USub() if node.operator == "-" else ast.UAdd(), inner)


def _binary(ctx: Context, node: rast.Binary) -> ast.expr:
    sign = node.operator
    if sign == "~":
        return formula(ctx, node)
    left = read(ctx, node.left)
    if sign in ("&&", "||"):
        with ctx.evaluated_later():
            right = value(ctx, node.right)
        return call("r.and_" if sign == "&&" else "r.or_", left, lambda_of(right))
    right = read(ctx, node.right)
    if sign in _FUNCTIONS:
        return call(_FUNCTIONS[sign], left, right)
    if is_literal(left) and (is_literal(right) or sign == "%%"):  # a text of Python's own has another %
        left = wrap_literal(left, node.left)
    if sign in COMPARISONS:
        return ast.Compare(left, [COMPARISONS[sign]], [right])
    if sign in OPERATORS:
        return ast.BinOp(left, OPERATORS[sign], right)
    if ctx.owner(sign) is not None:
        check_operator(ctx, node)
        return ast.Call(ctx.name(sign), [left, right], [])
    raise rast.UntranslatedError(f"the operator {sign}")


def formula(ctx: Context, node: rast.Node) -> ast.expr:
    """Return a formula, its text with single blanks."""
    return call("r.formula", constant(" ".join(node.text.split())))


def condition(ctx: Context, node: rast.Node) -> ast.expr:
    """Return the condition of ``if`` and ``while``, with Python's operators where no value can be missing."""
    if isinstance(node, rast.Constant) and node.name in _CONSTANTS:
        return constant(_CONSTANTS[node.name])
    if isinstance(node, rast.Unary) and node.operator == "!" and _certain(node.operand):
        return ast.UnaryOp(ast.Not(), condition(ctx, node.operand))
    if isinstance(node, rast.Binary) and node.operator in ("&&", "||") and _certain(node.left) and _certain(node.right):
        word: ast.boolop = ast.And() if node.operator == "&&" else ast.Or()
        return ast.BoolOp(word, [condition(ctx, node.left), condition(ctx, node.right)])
    tree = value(ctx, node)
    if isinstance(node, rast.Call) and node.function.text == "missing" and isinstance(tree, ast.Call):
        return tree.args[0]
    return tree


def _certain(node: rast.Node) -> bool:
    """Whether an expression is TRUE or FALSE, one item, never missing."""
    if isinstance(node, rast.Constant):
        return node.name in _CONSTANTS
    if isinstance(node, rast.Unary):
        return node.operator == "!" and _certain(node.operand)
    if isinstance(node, rast.Binary):
        return node.operator in ("&&", "||") and _certain(node.left) and _certain(node.right)
    name = rast.function_name(node)
    return facts(name).certain or (name.startswith("is.") and not has_function(name))


# ---- structures ----------------------------------------------------------------------------------


def _branch(ctx: Context, node: rast.Node) -> ast.expr:
    """Return the value of one side of a choice, as a copy where it may be a missing parameter."""
    return call("r.copy", value(ctx, node)) if ctx.unsure_scope(node) else value(ctx, node)


def _structure(ctx: Context, node: rast.Node) -> ast.expr:
    if isinstance(node, rast.If):
        then = _branch(ctx, node.then)
        otherwise = call("r.c") if node.otherwise is None else _branch(ctx, node.otherwise)
        return ast.IfExp(condition(ctx, node.condition), then, otherwise)
    if isinstance(node, rast.Block) and len(node.body) == 1:
        return read(ctx, node.body[0])
    if isinstance(node, rast.Block) and not node.body:
        return call("r.c")
    if isinstance(node, rast.Function):
        return ctx.function(node)
    if isinstance(node, rast.Assign) and isinstance(node.target, rast.Name) and not node.outer:
        if ctx.in_lambda or ctx.masks:
            raise rast.UntranslatedError("an assignment inside of an expression that is evaluated later")
        return ast.NamedExpr(ast.Name(ctx.names[node.target.name], ast.Store()), value(ctx, node.value))
    raise rast.UntranslatedError("this piece of syntax is not supported")


# ---- parts of values ------------------------------------------------------------------------------

# Methods of a value.
_OWN = {"copy"}


def index_of(ctx: Context, node: rast.Index) -> ast.expr:
    """Return ``x[i]`` or ``x[i, j]``."""
    of = ctx.value(node.of)
    drop = next((arg for arg in node.args if arg.name == "drop"), None)
    args = [arg for arg in node.args if arg.name not in ("drop", "exact")]
    if any(arg.name not in (None, "i", "j") for arg in args):
        raise rast.UntranslatedError("a subscript with a name")
    if drop is None:
        return ast.Subscript(of, subscript(ctx, args), ast.Load())
    places = [constant(...) if arg.value is None else ctx.read(arg.value) for arg in args]
    return call("r.taken", of, *places, drop=ctx.read(drop.value) if drop.value else constant(None))


def subscript(ctx: Context, args: list[rast.Arg]) -> ast.expr:
    """Return the subscript in brackets: a colon where R has nothing."""
    if not args:
        return ast.Slice()
    parts = [ast.Slice() if arg.value is None else ctx.read(arg.value) for arg in args]
    return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())


def element_of(ctx: Context, node: rast.Index) -> ast.expr:
    """Return ``x[[i]]``."""
    return ast.Subscript(ctx.value(node.of), double_subscript(ctx, node), ast.Load())


def double_subscript(ctx: Context, node: rast.Index) -> ast.expr:
    """Return the subscript in double brackets: a list of Python in single ones."""
    values = rast.values(node.args)
    if len(values) != len(node.args) or not 1 <= len(values) <= 2 or any(arg.name for arg in node.args):
        raise rast.UntranslatedError("double brackets with these arguments")
    return ast.List(list(map(ctx.read, values)), ast.Load())


def member(of: ast.expr, name: str, how: ast.expr_context) -> ast.expr:
    """Return ``x.name``, or ``x[["name"]]`` where Python has no such name."""
    if is_word(name) and not name.startswith("_"):
        if name not in _OWN:
            return ast.Attribute(of, name, how)
    elif not name:
        raise rast.UntranslatedError("$ without a name")
    return ast.Subscript(of, ast.List([constant(name)], ast.Load()), how)
