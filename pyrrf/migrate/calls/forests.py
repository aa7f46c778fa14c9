"""Forests: RRF, randomForest, predict, importance, and the functions around them."""

from __future__ import annotations

import ast
import inspect
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, done_by, dots_of, is_dots, text_of, value_of
from pyrrf.migrate.calls.vectors import pairs_of
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.operators import COMPARISONS
from pyrrf.migrate.tree import Arg, Binary, Call, Constant, Name, Node
from pyrrf.migrate.types import TABLE, UNKNOWN, Type
from pyrrf.plots import charts as plots

_FITS = ["RRF", "GRRF", "randomForest"]
# Arguments that the functions here have under the names of R, dots as underscores.
_CONSTANTS = {"na.action": {"na.omit": "na_omit", "na.fail": "na_fail", "na.roughfix": "na_roughfix"}}


def _argument(ctx: Context, name: str, node: Node) -> ast.expr:
    """Return an argument of a forest."""
    pairs = pairs_of(ctx, node)
    if pairs is not None:
        return pairs
    if name == "na.action" and isinstance(node, Name) and node.name in _CONSTANTS[name]:
        return py.constant(_CONSTANTS[name][node.name])
    if name == "subset" and isinstance(node, Binary) and node.operator in COMPARISONS:
        return py.constant(" ".join(node.text.split()))
    found = ctx.raw(node)
    if name == "subset":
        return _rows(found)
    return py.unwrapped(ctx.value(node).py)


def _rows(found: Value) -> ast.expr:
    if found.type.zero or found.type.elem == "bool":
        return found.py
    if found.type.positive and found.type.elem == "int":
        return py.shifted(found.py, -1)
    raise UnmovedError("subset by a subscript of unknown kind")


def formula_parts(ctx: Context, args: Args) -> tuple[dict[str, ast.expr], list[Arg]] | None:
    """Return formula and data of a call with a formula, and the other arguments; None without a formula."""
    first = args.given[0] if args.given else Arg(None, None)
    named = next((a for a in args.given if a.name == "formula"), None)
    arg = named or (first if first.name is None else None)
    if arg is None or arg.value is None:
        return None
    formula: ast.expr
    if isinstance(arg.value, Binary) and arg.value.operator == "~":
        formula = py.constant(" ".join(arg.value.text.split()))
    elif isinstance(arg.value, Call) and arg.value.function.text in ("as.formula", "formula"):
        formula = ctx.value(arg.value).py
    else:
        if not isinstance(arg.value, Name):
            return None
        own = ctx.find(arg.value.name)
        if own is None or own.what != "formula":
            return None
        formula = py.name(py.python_name(arg.value.name))
    rest = [a for a in args.given if a is not arg]
    data = next((a for a in rest if a.name == "data"), None) or next((a for a in rest if a.name is None), None)
    found = {"formula": formula}
    if data is not None and data.value is not None:
        found["data"] = ctx.value(data.value).py
        rest.remove(data)
    return found, rest


def _response(ctx: Context, args: Args) -> str:
    """Return what the response holds: "str" for classes, "float" for numbers."""
    named = {a.name: a.value for a in args.given if a.name}
    plain = [a.value for a in args.given if a.name is None]
    parts = formula_parts(ctx, args)
    if parts is None:
        node = named.get("y") or (plain[1 - ("x" in named)] if len(plain) > 1 - ("x" in named) else None)
        return "" if node is None else _kind(ctx.value(node).type)
    formula = named.get("formula") or (plain[0] if plain else None)
    if not isinstance(formula, Binary):
        return "unknown"
    if isinstance(formula, Binary) and isinstance(formula.left, Name):
        data = named.get("data") or (plain[1] if len(plain) > 1 else None)
        column = ctx.value(data).type.part(formula.left.name) if data is not None else None
        return _kind(column) if column else "unknown"
    return "float"


def _kind(type_: Type) -> str:
    if type_.kind == "factor":
        return "str"
    return "float" if type_.numeric else "unknown"


@value_of("as.formula", "formula")
def _formula(ctx: Context, args: Args) -> Value:
    """Return a formula: here the text itself."""
    found = args.one()
    if found.type.what != "formula" and not (found.type.single and found.type.elem == "str"):
        raise UnmovedError(f"{args.name}() of something else than a string")
    return Value(found.py, Type("object", what="formula"))


@value_of(*_FITS)
def _fit(ctx: Context, args: Args) -> Value:
    response = _response(ctx, args)
    parts = formula_parts(ctx, args)
    positional: list[ast.expr] = []
    keywords, rest = parts if parts is not None else ({}, args.given)
    for arg in rest:
        if arg.value is None:
            raise UnmovedError(f"an argument of {args.name}() is empty")
        if is_dots(arg):
            continue
        if arg.name is None:
            if len(positional) >= 4 or parts is not None:
                raise UnmovedError(f"an argument of {args.name}() without its name")
            positional.append(_argument(ctx, "", arg.value))
        else:
            keywords[py.keyword_name(arg.name)] = _argument(ctx, arg.name, arg.value)
    what = "RRF" if args.name == "GRRF" else args.name
    tree = py.call(f"pyrrf.{args.name}", *positional, **keywords)
    tree.keywords += dots_of(ctx, args)  # type: ignore[attr-defined]
    return Value(tree, Type("fit", response or "none", what=what))


@value_of("predict")
def _predict(ctx: Context, args: Args) -> Value:
    bound = args.bound("object", "newdata", "type", "norm.votes", "predict.all", "proximity", "nodes", "cutoff")
    fit = ctx.value(bound["object"])
    if fit.type.kind not in ("fit", "unknown"):
        raise UnmovedError(f"predict() of a {fit.type.kind}")
    new = ctx.value(bound["newdata"]) if "newdata" in bound else None
    keywords = {py.keyword_name(n): _argument(ctx, n, v) for n, v in bound.items() if n not in ("object", "newdata")}
    if keywords.keys() & {"predict_all", "proximity", "nodes"}:
        raise UnmovedError("predict() with predict.all, proximity or nodes")
    tree = py.call("pyrrf.predict", fit.py, *([new.py] if new else []), **keywords)
    rows = new.type.rows if new is not None else None
    full = new.type.full if new is not None else True
    kind = text_of(bound.get("type"))
    if "type" in bound and kind is None:
        return Value(tree, UNKNOWN)
    if kind in ("prob", "vote"):
        return Value(tree, replace(TABLE, rows=rows, full=full))
    if fit.type.elem == "str":
        return Value(tree, Type("factor", "str", series=True, rows=rows, full=full))
    if fit.type.elem == "float":
        return Value(tree, Type("vector", "float", series=True, rows=rows, full=full))
    return Value(tree, UNKNOWN)


@value_of("importance")
def _importance(ctx: Context, args: Args) -> Value:
    return Value(_with_names(ctx, "pyrrf.importance", args), TABLE)


@value_of("margin", "outlier", "treesize", "varUsed", "getTree")
def _answers(ctx: Context, args: Args) -> Value:
    tree = _with_names(ctx, f"pyrrf.{args.name}", args)
    series = args.name in ("margin", "outlier", "varUsed")
    elem = "int" if args.name in ("treesize", "varUsed") else "float"
    if args.name == "getTree":
        return Value(tree, replace(TABLE, elem="unknown"))
    if args.name == "varUsed" and any(a.name == "by.tree" for a in args.given):
        raise UnmovedError("varUsed() by tree")
    return Value(tree, Type("vector", elem, series=series, full=True))


@value_of("rrfcv", "rfcv")
def _validated(ctx: Context, args: Args) -> Value:
    return Value(_with_names(ctx, f"pyrrf.{args.name}", args), Type("object", what="rrfcv"))


@value_of("tuneRRF", "tuneRF")
def _tuned(ctx: Context, args: Args) -> Value:
    best = next((a.value for a in args.given if a.name == "doBest"), None)
    if best is not None and not (isinstance(best, Constant) and best.name == "FALSE"):
        return Value(_with_names(ctx, f"pyrrf.{args.name}", args), Type("fit", "unknown", what="RRF"))
    return Value(_with_names(ctx, f"pyrrf.{args.name}", args), TABLE)


@value_of("combine", "grow")
def _grown(ctx: Context, args: Args) -> Value:
    first = args.given[0].value
    assert first is not None
    return Value(_with_names(ctx, f"pyrrf.{args.name}", args), ctx.value(first).type)


@value_of("rrfImpute", "rfImpute")
def _imputed(ctx: Context, args: Args) -> Value:
    """Return the table that is filled; the response comes first, as in R."""
    parts = formula_parts(ctx, args)
    if parts is None or "data" not in parts[0]:
        raise UnmovedError(f"{args.name}() without a formula and data")
    keywords = {py.keyword_name(str(arg.name)): ctx.value(arg.value).py for arg in parts[1] if arg.value}
    tree = py.call(f"pyrrf.{args.name}", parts[0]["formula"], parts[0]["data"], **keywords)
    named = {a.name: a.value for a in args.given}
    data = named.get("data") or [a.value for a in args.given if a.name is None][-1]
    known = ctx.value(data).type if data is not None else UNKNOWN
    columns = tuple((name, replace(part, missing=False)) for name, part in known.parts)
    formula = next((a.value for a in args.given if isinstance(a.value, Binary)), None)
    if formula is None or not isinstance(formula.left, Name) or formula.right.text != ".":
        return Value(tree, Type("frame", rows=ctx.fresh_rows(), full=True))
    first = formula.left.name
    ordered = sorted(columns, key=lambda pair: pair[0] != first)
    return Value(tree, Type("frame", rows=known.rows, full=True, counted=known.counted, parts=tuple(ordered)))


def _with_names(ctx: Context, function: str, args: Args) -> ast.expr:
    """Return a call with the same arguments."""
    positional: list[ast.expr] = []
    keywords: dict[str, ast.expr] = {}
    for arg in args.given:
        if arg.value is None:
            raise UnmovedError(f"an argument of {args.name}() is empty")
        found = _argument(ctx, arg.name or "", arg.value)
        if arg.name is None:
            positional.append(found)
        else:
            keywords[py.keyword_name(arg.name)] = found
    return py.call(function, *positional, **keywords)


@done_by("varImpPlot", "MDSplot")
def _drawn(ctx: Context, args: Args) -> None:
    ctx.emit(drawn(ctx, args, args.given))


def drawn(ctx: Context, args: Args, given: list[Arg]) -> ast.expr:
    """Return a call of a plot with the arguments that it takes here; a comment says which are left out."""
    taken = inspect.signature(getattr(plots, args.name)).parameters
    open_ended = any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values())
    left = [a.name for a in given if a.name and not open_ended and py.keyword_name(a.name) not in taken]
    if left:
        ctx.emit(f"# without {', '.join(left)}: how R draws it")
    return _with_names(ctx, f"pyrrf.{args.name}", Args(args.name, [a for a in given if a.name not in left], ctx))


@done_by("partialPlot")
def _partial(ctx: Context, args: Args) -> None:
    ctx.emit(_dependence(ctx, args).py)


@value_of("partialPlot")
def _dependence(ctx: Context, args: Args) -> Value:
    """Return partialPlot(fit, data, column): R takes the column without quotes."""
    bound = args.bound("x", "pred.data", "x.var", "which.class", "w", "plot", "n.pt", "main", "xlab", "ylab")
    column = bound["x.var"]
    label = (
        py.constant(column.name) if isinstance(column, Name) and ctx.find(column.name) is None else ctx.value(column).py
    )
    rest = {py.keyword_name(n): ctx.value(v).py for n, v in bound.items() if n not in ("x", "pred.data", "x.var")}
    tree = py.call("pyrrf.partialPlot", ctx.value(bound["x"]).py, ctx.value(bound["pred.data"]).py, label, **rest)
    return Value(tree, Type("object", what="partial"))
