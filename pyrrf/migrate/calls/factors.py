"""Factors and tables."""

from __future__ import annotations

from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, forwarded, is_true, value_of
from pyrrf.migrate.calls.vectors import as_vector
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.operators import as_array
from pyrrf.migrate.tree import Node
from pyrrf.migrate.types import FACTOR, INT, INTS, STRS, Type


@value_of("factor", "as.factor")
def _factor(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "levels", "labels", "exclude", "ordered")
    found = as_vector(ctx.value(bound["x"]))
    rest = {name: py.unwrapped(ctx.value(node).py) for name, node in bound.items() if name != "x"}
    type_ = replace(FACTOR, missing=found.type.missing, full=found.type.full)
    if not rest and found.type.kind == "factor" and args.name == "as.factor":
        return found
    labels = ctx.value(bound["labels"]).type.elem if "labels" in bound else found.type.elem
    tree = py.call("r.factor", as_array(found).py if found.type.kind == "vector" else found.py, **rest)
    if labels == "str" or found.type.kind == "factor":
        return Value(tree, type_)
    # R's labels are strings, and the rest of the script compares them with strings.
    name = "str" if labels == "int" else "r.label"
    return Value(py.fill(f"_0.rename_categories({name})", tree), type_)


@value_of("levels")
def _levels(ctx: Context, args: Args) -> Value:
    return Value(py.call("r.levels", args.one().py), replace(STRS, full=True))


@value_of("nlevels")
def _nlevels(ctx: Context, args: Args) -> Value:
    return Value(py.call("r.nlevels", args.one().py), replace(INT, positive=True))


@value_of("droplevels", "relevel")
def _relevel(ctx: Context, args: Args) -> Value:
    if ctx.value(args.bound("x", "ref")["x"]).type.kind != "factor":
        raise UnmovedError(f"{args.name}() of a value that may not be a factor")
    return Value(forwarded(ctx, f"r.{args.name}", args), FACTOR)


@value_of("cut")
def _cut(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.bound("x", "breaks", "labels", "include.lowest", "right", "dig.lab", "ordered_result")["x"])
    keywords = {a.name: a.value for a in args.given if a.name}
    numbers = "labels" in keywords and not is_true_or_other(keywords["labels"])
    tree = forwarded(ctx, "r.cut", args)
    return Value(tree, replace(INTS, full=found.type.full) if numbers else replace(FACTOR, full=found.type.full))


def is_true_or_other(node: Node | None) -> bool:
    """Return False only for FALSE as it stands."""
    try:
        return is_true(node, True)
    except UnmovedError:
        return True


@value_of("findInterval")
def _intervals(ctx: Context, args: Args) -> Value:
    return Value(forwarded(ctx, "r.findInterval", args), INTS)


@value_of("table")
def _table(ctx: Context, args: Args) -> Value:
    names = [arg.name for arg in args.given if arg.name not in _TABLE_SETTINGS]
    nodes = [arg.value for arg in args.given if arg.name not in _TABLE_SETTINGS]
    values = [ctx.value(node) for node in nodes if node is not None]
    if not 1 <= len(values) <= 2 or any(v.type.kind not in ("vector", "factor") for v in values):
        raise UnmovedError("table() of something else than one or two vectors")
    settings = {str(a.name): ctx.value(a.value).py for a in args.given if a.name in _TABLE_SETTINGS and a.value}
    if any(names):
        settings["dnn"] = py.listing([py.constant(name) for name in names])
    if any(v.type.kind == "vector" and v.type.elem != "str" for v in values):
        settings["labels"] = py.constant("str")  # R's labels are strings
    kind = "vector" if len(values) == 1 else "matrix"
    tree = py.call("r.table", *(v.py for v in values), **settings)
    return Value(tree, Type(kind, "int", series=True, full=True, what="table"))


_TABLE_SETTINGS = ("useNA", "dnn")


@value_of("prop.table")
def _shares(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.bound("x", "margin")["x"])
    return Value(forwarded(ctx, "r.prop_table", args), replace(found.type, elem="float"))


@value_of("split")
def _split(ctx: Context, args: Args) -> Value:
    values, groups = (ctx.value(node) for node in args.plain())
    if values.type.kind != "vector" or groups.type.kind not in ("factor", "vector"):
        raise UnmovedError(f"split() of a {values.type.kind}")
    item = replace(values.type, full=False, rows=None)
    if groups.type.kind == "vector" and groups.type.elem != "str":
        name = "str" if groups.type.elem == "int" else "r.label"  # R's names are strings
        groups = Value(py.fill(f"r.factor(_0).rename_categories({name})", as_array(groups).py), groups.type)
    return Value(py.call("r.split", values.py, groups.py), Type("dict", item=item, full=True))
