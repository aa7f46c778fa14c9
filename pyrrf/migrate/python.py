"""Pieces of Python as syntax trees, so that brackets are set where they are needed and nowhere else."""

from __future__ import annotations

import ast
import builtins
import copy
import keyword
from functools import cache

# Names that the Python script needs for itself.
_TAKEN = {"np", "pd", "plt", "pyrrf", "r", *keyword.kwlist, *keyword.softkwlist, *dir(builtins)}


def python_name(name: str) -> str:
    """Return the name in Python of a name in R: dots become underscores, taken names get one at the end.

    Examples
    --------
    >>> python_name("lambda.grid"), python_name("class")
    ('lambda_grid', 'class_')
    """
    plain = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    plain = f"x{plain}" if not plain or plain[0].isdigit() else plain
    return f"{plain}_" if plain in _TAKEN else plain


def keyword_name(name: str) -> str:
    """Return the name in Python of an argument of R; only Python's own words get an underscore.

    Examples
    --------
    >>> keyword_name("do.trace"), keyword_name("lambda"), keyword_name("type")
    ('do_trace', 'lambda_', 'type')
    """
    plain = name.replace(".", "_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def unwrapped(tree: ast.expr) -> ast.expr:
    """Return the list inside of ``np.array([...])``, for functions that take lists."""
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "np.array" and isinstance(tree.args[0], ast.List):
        return tree.args[0]
    return tree


@cache
def _template(code: str) -> ast.expr:
    return ast.parse(code, mode="eval").body


class _Filler(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.expr]) -> None:
        self.parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        part = self.parts.get(node.id)
        return node if part is None else copy.deepcopy(part)


def fill(code: str, *parts: ast.expr) -> ast.expr:
    """Return an expression in which _0, _1, ... stand for others.

    Examples
    --------
    >>> import ast
    >>> ast.unparse(fill("_0 * _1", fill("a + b"), fill("c")))
    '(a + b) * c'
    """
    tree = copy.deepcopy(_template(code))
    filled: ast.expr = _Filler({f"_{i}": part for i, part in enumerate(parts)}).visit(tree)
    return filled


def name(text: str) -> ast.expr:
    """Return a name."""
    return ast.Name(text, ast.Load())


def constant(value: str | float | None) -> ast.expr:
    """Return a constant; whole numbers without a point, negative ones with a sign before them."""
    if isinstance(value, float) and value == int(value) and abs(value) < 2**53:
        value = int(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def constant_of(tree: ast.expr) -> float | int | None:
    """Return the number that an expression is, None if it is none."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        inner = constant_of(tree.operand)
        return None if inner is None else -inner
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int | float) and not isinstance(tree.value, bool):
        return tree.value
    return None


def shifted(tree: ast.expr, by: int) -> ast.expr:
    """Return an expression plus a whole number, added up where that can be done."""
    value = constant_of(tree)
    if value is not None:
        return constant(value + by)
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub):
        right = constant_of(tree.right)
        if isinstance(right, int):
            total = by + (right if isinstance(tree.op, ast.Add) else -right)
            return tree.left if total == 0 else shifted(tree.left, total)
    if isinstance(tree, ast.List):
        return listing([shifted(item, by) for item in tree.elts])
    operator: ast.operator = ast.Add() if by >= 0 else ast.Sub()
    return tree if by == 0 else ast.BinOp(tree, operator, ast.Constant(abs(by)))


def listing(items: list[ast.expr]) -> ast.expr:
    """Return a list."""
    return ast.List(items, ast.Load())


def call(function: str, *args: ast.expr, **keywords: ast.expr) -> ast.expr:
    """Return a call of a function, which may have dots in its name."""
    return ast.Call(_template(function), list(args), [named(name, value) for name, value in keywords.items()])


def named(name: str, value: ast.expr) -> ast.keyword:
    """Return ``name=value``; a word of Python, such as lambda, goes by ``**{"lambda": value}``."""
    if keyword.iskeyword(name):
        return ast.keyword(None, ast.Dict([ast.Constant(name)], [value]))
    return ast.keyword(name, value)


def item(of: ast.expr, index: ast.expr) -> ast.expr:
    """Return ``of[index]``."""
    return ast.Subscript(of, index, ast.Load())


def attribute(of: ast.expr, name: str) -> ast.expr:
    """Return ``of.name``."""
    return ast.Attribute(of, name, ast.Load())


def between(start: ast.expr | None, stop: ast.expr | None) -> ast.expr:
    """Return ``start:stop`` inside of brackets."""
    return ast.Slice(None if start is not None and constant_of(start) == 0 else start, stop)


def same(a: ast.expr, b: ast.expr) -> bool:
    """Whether two expressions are the same text."""
    return ast.unparse(a) == ast.unparse(b)
