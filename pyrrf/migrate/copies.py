"""What R copies and Python shares, and whole numbers that must be stored as doubles."""

from __future__ import annotations

import ast
import builtins
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.context import Context, Value, counted
from pyrrf.migrate.tree import Index, Member, Name, Node, walk
from pyrrf.migrate.types import Type

# What returns a part of an array as it lies in memory, or an array as it is.
_VIEWS = (".to_numpy", ".reshape", ".ravel", "np.reshape", "np.asarray", "r.head", "r.tail", "r.rev", "np.diag")


def owned_by(ctx: Context, name: str, node: Node, found: Value) -> ast.expr:
    """Return the value, copied where R would copy it later: items of one of two names are assigned."""
    return owned(ctx, node, found) if not name or name not in ctx.usage.changed else _copied(ctx, {name}, node, found)


def owned(ctx: Context, node: Node, found: Value) -> ast.expr:
    """Return a value that is kept somewhere, copied if items of a name that it may share memory with are assigned."""
    sources = {inner.name for inner in walk(node) if isinstance(inner, Name)}
    return _copied(ctx, sources, node, found) if sources & ctx.usage.changed else found.py


def _copied(ctx: Context, names: set[str], node: Node, found: Value) -> ast.expr:
    if found.type.single or found.type.kind in ("fit", "object", "function", "none"):
        return found.py
    if not is_shared(found.py):
        return found.py
    if found.type.kind in ("list", "dict"):
        names = names | {inner.name for inner in walk(node) if isinstance(inner, Name)}
        return py.call("copy.deepcopy" if names & ctx.usage.deep else found.type.kind, found.py)
    return py.fill("_0.copy()" if found.type.kind != "unknown" else "copy.deepcopy(_0)", found.py)


def is_shared(tree: ast.expr) -> bool:
    """Whether an expression may share memory with a name."""
    if isinstance(tree, ast.Call):
        function = ast.unparse(tree.func)
        own = "." not in function and not hasattr(builtins, function)
        return own or function.endswith(_VIEWS) or function.startswith(("r.index",))
    if isinstance(tree, ast.IfExp):
        return is_shared(tree.body) or is_shared(tree.orelse)
    return isinstance(tree, ast.Name | ast.Attribute | ast.Subscript)


def as_doubles(ctx: Context, name: str, found: Value) -> Value:
    """Return a vector or matrix of doubles, as in R, if NumPy would cut off what is assigned to items later."""
    if name not in ctx.facts.doubles or found.type.kind not in ("vector", "matrix"):
        return found
    found = counted(found)
    if found.type.elem == "unknown":
        return Value(py.call("r.widened", found.py), found.type)
    if not found.type.numeric:
        return found
    double = replace(found.type, elem="float", positive=False)
    literal = py.unwrapped(found.py)
    if isinstance(literal, ast.List) and all(isinstance(item, ast.Constant) for item in literal.elts):
        items = [ast.Constant(float(item.value)) for item in literal.elts if isinstance(item, ast.Constant)]  # type: ignore[arg-type]
        return Value(py.call("np.array", py.listing(list(items))), double)
    if found.type.elem == "float" and _is_double(found.py):
        return Value(found.py, double)
    tree = found.py
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and tree.func.attr == "copy":
        tree = tree.func.value
    return Value(py.fill("_0.astype(float)", tree), double)


def _is_double(tree: ast.expr) -> bool:
    """Whether an expression that is said to hold doubles cannot hold whole numbers of NumPy."""
    return isinstance(tree, ast.Call) and ast.unparse(tree.func).startswith(
        ("np.zeros", "np.full", "np.sqrt", "pyrrf.r", "r.mean", "r.scale")
    )


def learn_doubles(ctx: Context, target: Node, owner: Type, found: Type) -> None:
    """Note that items get what whole numbers cannot hold."""
    while isinstance(target, Index | Member):
        target = target.of
    wider = found.elem in ("float", "unknown") or found.missing or (owner.elem == "bool" and found.elem == "int")
    if isinstance(target, Name) and wider and owner.kind in ("vector", "matrix", "unknown") and owner.elem != "str":
        ctx.learned.doubles.add(target.name)
