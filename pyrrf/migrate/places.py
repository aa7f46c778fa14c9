"""What stands in brackets: R's five kinds of subscripts, counted from 0."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from pyrrf.migrate import python as py
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.tree import Arg, Unary
from pyrrf.migrate.types import UNKNOWN, Type


@dataclass(frozen=True)
class Place:
    """A subscript of one dimension.

    Parameters
    ----------
    kind : {"all", "one", "many", "slice", "mask", "name", "names", "drop", "other"}
    py : expr
        Counted from 0; of "drop", the positions that go; of "other", R's own subscript, for `r.index`.
    type : Type
    """

    kind: str
    py: ast.expr
    type: Type = UNKNOWN

    @property
    def several(self) -> bool:
        """Whether an array stands here that NumPy would pair with another one."""
        return self.kind in ("many", "mask")


ALL = Place("all", ast.Slice(None, None))


def place_of(ctx: Context, arg: Arg) -> Place:
    """Return what an argument in brackets selects."""
    node = arg.value
    if node is None:
        return ALL
    if isinstance(node, Unary) and node.operator == "-":
        inner = _selected(ctx.raw(node.operand))
        if inner.kind in ("one", "many", "slice"):
            return Place("drop", _positions(inner), inner.type)
        return Place("other", ctx.value(node).py)
    return _selected(ctx.raw(node))


def _positions(place: Place) -> ast.expr:
    if place.kind == "one":
        return py.listing([place.py])
    if place.kind == "slice":
        assert isinstance(place.py, ast.Slice)
        assert place.py.upper is not None
        return py.call("np.arange", *([] if place.py.lower is None else [place.py.lower]), place.py.upper)
    return place.py


def _selected(found: Value) -> Place:
    """Return what a value selects as a subscript."""
    type_ = found.type
    if type_.mixed:
        counted(found)
    if type_.kind == "factor":
        raise UnmovedError("a factor as subscript means its codes in R; use as.character() or as.integer()")
    if type_.elem == "str":
        return Place("name" if type_.single else "names", py.unwrapped(found.py), type_)
    if type_.elem == "bool" and type_.missing:
        raise UnmovedError("a condition in brackets may be NA; fill or drop missing values first")
    if type_.elem == "bool" and not type_.single:
        return Place("mask", found.py, type_)
    if type_.zero and type_.series:
        return Place("many", py.call("np.asarray", found.py), replace(type_, series=False))
    if type_.zero:
        return Place("one" if type_.single else "many", found.py, type_)
    if type_.positive and type_.elem == "int":
        return _from_one(found)
    return Place("other", counted(found).py, type_)


def _from_one(found: Value) -> Place:
    """Return numbers counted from 1 as positions."""
    type_ = replace(found.type, zero=True, positive=False)
    tree = found.py
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "np.arange" and len(tree.args) == 2:
        start, stop = (py.shifted(arg, -1) for arg in tree.args)
        return Place("slice", py.between(start, stop), type_)
    tree = py.unwrapped(tree)
    if isinstance(tree, ast.List):
        return Place("many", py.listing([py.shifted(item, -1) for item in tree.elts]), type_)
    return Place("one" if type_.single else "many", py.shifted(tree, -1), type_)
