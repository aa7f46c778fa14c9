"""Expressions: names, constants, operators, and what each node is turned into."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.branches import condition
from pyrrf.migrate.calls.files import dataset_type, is_dataset
from pyrrf.migrate.calls.registry import call_value
from pyrrf.migrate.context import Context, Line, UnmovedError, Value, counted
from pyrrf.migrate.functions import lambda_value
from pyrrf.migrate.operators import (
    COMPARISONS,
    arithmetic,
    as_array,
    compared,
    count_up,
    labels_of,
    on_same_rows,
    shape_of,
)
from pyrrf.migrate.subscripts import component, index_value, member_value
from pyrrf.migrate.tree import (
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
from pyrrf.migrate.types import BOOL, FLOAT, NONE, STR, Type, join, number

_BITS = {"&": ast.BitAnd, "|": ast.BitOr}
_LOGIC = {"&&": ast.And, "||": ast.Or}
_CONSTANTS: dict[str, tuple[str, Type]] = {
    "TRUE": ("True", BOOL),
    "FALSE": ("False", BOOL),
    "NULL": ("None", NONE),
    "NA": ("np.nan", replace(FLOAT, missing=True)),
    "NaN": ("np.nan", replace(FLOAT, missing=True)),
    "Inf": ("np.inf", FLOAT),
}
_LETTERS = "np.array(list(string.ascii_{}case))"
_KNOWN = {
    "pi": ("np.pi", FLOAT),
    "LETTERS": (_LETTERS.format("upper"), None),
    "letters": (_LETTERS.format("lower"), None),
}


def raw(ctx: Context, node: Node) -> Value:
    """Return what an expression becomes; positions stay positions."""
    if isinstance(node, Number):
        integer = "integer" if node.text.endswith("L") else ""
        return Value(py.constant(node.value), replace(number(node.value), what=integer))
    if isinstance(node, Text):
        return Value(py.constant(node.value), STR)
    if isinstance(node, Constant):
        code, type_ = _CONSTANTS[node.name]
        return Value(py.fill(code), type_)
    if isinstance(node, Name):
        return _name(ctx, node.name)
    if isinstance(node, Unary):
        return _unary(ctx, node)
    if isinstance(node, Binary):
        return _binary(ctx, node)
    if isinstance(node, Call):
        return call_value(ctx, node)
    if isinstance(node, Index):
        return index_value(ctx, node)
    if isinstance(node, Member):
        return member_value(ctx, node)
    return _structure(ctx, node)


def _name(ctx: Context, name: str) -> Value:
    for owner, members in reversed(ctx.members):
        if name in members:
            return component(ctx, owner, name)
    found = ctx.find(name)
    if found is None and name in ctx.lost:
        raise UnmovedError(f"needs {name}, which was not moved (line {ctx.lost[name]})")
    if found is None and name in _KNOWN:
        code, type_ = _KNOWN[name]
        return Value(py.fill(code), type_ or Type("vector", "str", full=True))
    if found is None and is_dataset(name):
        return Value(py.name(py.python_name(name)), _loaded(ctx, name))
    if found is None:
        raise UnmovedError(f"{name} is not assigned above")
    return Value(py.name(py.python_name(name)), found)


def _loaded(ctx: Context, name: str) -> Type:
    """Load data of R before the statement at the top that uses them first."""
    found = dataset_type(ctx, name)
    line = ast.Assign([ast.Name(py.python_name(name), ast.Store())], py.call(f"datasets.load_{name}"), lineno=0)
    top = ctx.lines[ctx.start] if ctx.start < len(ctx.lines) else None
    first = ctx.place[0] if top is None else top.first
    ctx.lines.insert(ctx.start, Line(0, line, first, first))
    (ctx.outer[0] if ctx.outer else ctx.names)[name] = found
    ctx.loaded.append(ctx.start)
    return found


def _structure(ctx: Context, node: Node) -> Value:
    if isinstance(node, If) and node.otherwise is not None:
        then, otherwise = ctx.value(node.then), ctx.value(node.otherwise)
        test = condition(ctx, node.condition)
        return Value(ast.IfExp(test, then.py, otherwise.py), join(then.type, otherwise.type))
    if isinstance(node, Block) and len(node.body) == 1:
        return ctx.raw(node.body[0])
    if isinstance(node, Function):
        return lambda_value(ctx, node)
    raise UnmovedError("this piece of syntax is not moved")


def _unary(ctx: Context, node: Unary) -> Value:
    if node.operator == "~":
        return Value(py.constant(node.text), Type("object", what="formula"))
    found = ctx.value(node.operand)
    if node.operator == "!":
        scalar = found.type.single
        negated = ast.UnaryOp(ast.Not() if scalar else ast.Invert(), found.py)
        if found.type.missing or (not scalar and found.type.elem != "bool"):
            raise UnmovedError("! of a value that may be NA, or not logical")
        return Value(_not_of(found.py) if scalar else negated, replace(found.type, elem="bool"))
    if found.type.elem == "bool" and not found.type.single:
        found = Value(py.fill("_0.astype(int)", found.py), replace(found.type, elem="int"))
    known = found.type.constant
    type_ = replace(found.type, constant=None if known is None else -known, positive=False)
    return found if node.operator == "+" else Value(ast.UnaryOp(ast.USub(), found.py), type_)


def _not_of(tree: ast.expr) -> ast.expr:
    """Return ``not x``, written ``x is not None`` and ``a not in b`` where Python has words for it."""
    opposite = {ast.Is: ast.IsNot, ast.In: ast.NotIn, ast.Eq: ast.NotEq}
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and type(tree.ops[0]) in opposite:
        return ast.Compare(tree.left, [opposite[type(tree.ops[0])]()], tree.comparators)
    return ast.UnaryOp(ast.Not(), tree)


def _binary(ctx: Context, node: Binary) -> Value:
    operator = node.operator
    if operator == "~":
        return Value(py.constant(" ".join(node.text.split())), Type("object", what="formula"))
    if operator == "%in%":
        return _contained(ctx, node)
    left, right = ctx.value(node.left), ctx.value(node.right)
    if operator == ":":
        return count_up(left, right)
    if operator in _LOGIC:
        if left.type.missing or right.type.missing:
            raise UnmovedError(f"{operator} of values that may be NA")
        return Value(ast.BoolOp(_LOGIC[operator](), [_true(left), _true(right)]), BOOL)
    if operator in COMPARISONS:
        return compared(left, right, operator)
    if operator in _BITS:
        return _each_of_both(left, right, operator)
    if operator in ("%*%", "%o%"):
        return _product(left, right, operator)
    return arithmetic(left, right, operator)


def _each_of_both(left: Value, right: Value, operator: str) -> Value:
    """Return ``&`` or ``|``."""
    if left.type.missing or right.type.missing:
        raise UnmovedError(f"{operator} of values that may be NA; fill or drop missing values first")
    left, right = on_same_rows(left, right)
    type_ = shape_of(left.type, right.type)
    return Value(ast.BinOp(left.py, _BITS[operator](), right.py), replace(type_, elem="bool"))


def _product(left: Value, right: Value, operator: str) -> Value:
    """Return a product of matrices, or the outer one of vectors."""
    kinds = {left.type.kind, right.type.kind}
    if operator == "%o%" and kinds == {"vector"}:
        elem = "float" if "float" in (left.type.elem, right.type.elem) else left.type.elem
        return Value(py.call("np.outer", left.py, right.py), Type("matrix", elem, full=True))
    if operator == "%o%" or not kinds <= {"vector", "matrix"}:
        raise UnmovedError(f"{operator} of something else than matrices and vectors")
    names = right.type.kind == "matrix" and right.type.series
    if left.type.series and not names:
        left = Value(py.fill("_0.to_numpy()", left.py), left.type)
    return Value(py.call("r.matmul", left.py, right.py), Type("matrix", "float", series=names, full=True))


def _true(found: Value) -> ast.expr:
    """Return a logical; Python's `and` and `or` would give a number itself."""
    if found.type.elem == "bool":
        return found.py
    if found.type.single and found.type.elem in ("int", "float"):
        return ast.Compare(found.py, [ast.NotEq()], [ast.Constant(0)])
    return py.call("bool", found.py)


def _contained(ctx: Context, node: Binary) -> Value:
    """Return ``x %in% y``."""
    left, right = ctx.raw(node.left), ctx.raw(node.right)
    if not (left.type.zero and right.type.zero):
        left, right = counted(left), counted(right)
    if left.type.single:
        return Value(ast.Compare(left.py, [ast.In()], [_plain_list(right)]), BOOL)
    tree = py.call("np.isin", left.py if left.type.kind != "factor" else labels_of(left), _plain_list(right))
    return Value(tree, Type("vector", "bool", full=left.type.full))


def _membership(found: Value) -> ast.expr:
    return as_array(found).py if found.type.kind != "factor" else labels_of(found)


def _plain_list(found: Value) -> ast.expr:
    tree = py.unwrapped(found.py)
    return tree if isinstance(tree, ast.List) else _membership(found)
