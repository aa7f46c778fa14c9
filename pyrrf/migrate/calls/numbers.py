"""Arithmetic and statistics: `pyrrf.r` has R's bits."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, forwarded, value_of
from pyrrf.migrate.calls.vectors import as_vector
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.tree import Call
from pyrrf.migrate.types import BOOL, FLOAT, FLOATS, INTS, Type

# One number, whatever the vector is.
_SINGLE = ["mean", "sd", "var", "median", "mad", "prod", "IQR"]
# As long as the vector; its names stay.
_EACH = ["exp", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "tanh", "cumsum", "cumprod", "cummax", "cummin"]
_ROUNDED = ["round", "signif"]


def _known(found: Value, name: str) -> None:
    if found.type.kind in ("list", "dict", "fit", "function", "factor") or found.type.elem == "str":
        raise UnmovedError(f"{name}() of a {found.type.kind}")


@value_of(*_SINGLE)
def _single(ctx: Context, args: Args) -> Value:
    first = args.given[0].value if args.given else None
    type_, found = FLOAT, None
    if first is not None:
        found = ctx.value(first)
        _known(found, args.name)
        if args.name == "var" and found.type.kind in ("matrix", "frame"):
            type_ = Type("matrix", "float", series=found.type.series or found.type.kind == "frame", full=True)
        missing = found.type.missing and not any(arg.name == "na.rm" for arg in args.given)
        type_ = replace(type_, missing=missing)
    tree = forwarded(ctx, f"r.{args.name}", args)
    if found is not None and found.type.kind == "matrix" and args.name != "var":
        # A table of a fit is a matrix in R, whose values are taken as one vector.
        if not (isinstance(tree, ast.Call) and tree.args):
            raise UnmovedError(f"{args.name}() of a matrix by name")
        tree.args[0] = as_vector(found).py
    return Value(tree, type_)


@value_of("sum", "max", "min")
def _total(ctx: Context, args: Args) -> Value:
    plain = [arg.value for arg in args.given if arg.name is None and arg.value is not None]
    rest = {py.keyword_name(arg.name): ctx.value(arg.value).py for arg in args.given if arg.name and arg.value}
    values = [ctx.value(node) for node in plain]
    if not values:
        raise UnmovedError(f"{args.name}() of nothing")
    for found in values:
        _known(found, args.name)
    elem = values[0].type.elem
    for found in values[1:]:
        elem = found.type.elem if elem == "bool" else elem
        elem = "float" if "float" in (elem, found.type.elem) else elem
    missing = any(found.type.missing for found in values) and "na_rm" not in rest
    positive = all(found.type.positive for found in values)
    type_ = Type("scalar", "int" if elem == "bool" else elem, full=True, missing=missing, positive=positive)
    if args.name != "sum" and len(values) > 1 and all(found.type.single for found in values) and not missing:
        return Value(py.call(args.name, *(found.py for found in values)), type_)
    tree = values[0].py if len(values) == 1 else py.call("r.c", *(found.py for found in values))
    return Value(py.call(f"r.{args.name}", tree, **rest), type_)


@value_of(*_EACH)
def _each(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.plain()[0])
    _known(found, args.name)
    elem = found.type.elem if args.name.startswith("cum") and args.name != "cumprod" else "float"
    type_ = replace(found.type, elem="int" if elem == "bool" else elem, constant=None, positive=False)
    return Value(forwarded(ctx, f"r.{args.name}", args), type_)


@value_of("log")
def _log(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "base")
    found = ctx.value(bound["x"])
    _known(found, "log")
    type_ = replace(found.type, elem="float", constant=None, positive=False)
    rest = [ctx.value(bound["base"]).py] if "base" in bound else []
    return Value(py.call("r.log", found.py, *rest), type_)


@value_of("sqrt", "abs")
def _exact(ctx: Context, args: Args) -> Value:
    """NumPy gives what R does."""
    found = args.one()
    _known(found, args.name)
    elem = "float" if args.name == "sqrt" else found.type.elem
    type_ = replace(found.type, elem=elem, constant=None, positive=False)
    if args.name == "abs":
        return Value(py.call("abs", found.py), type_)
    return Value(py.call("np.sqrt", found.py), type_)


@value_of("floor", "ceiling", "trunc")
def _whole(ctx: Context, args: Args) -> Value:
    found = args.one()
    _known(found, args.name)
    function = {"floor": "np.floor", "ceiling": "np.ceil", "trunc": "np.trunc"}[args.name]
    if found.type.single and args.name != "trunc":
        whole = {"floor": "math.floor", "ceiling": "math.ceil"}[args.name]
        return Value(py.call(whole, found.py), replace(found.type, elem="int", constant=None, positive=False))
    return Value(py.call(function, found.py), replace(found.type, elem="float", constant=None, positive=False))


@value_of(*_ROUNDED)
def _rounded(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "digits")
    found = ctx.value(bound["x"])
    _known(found, args.name)
    digits = [ctx.value(bound["digits"]).py] if "digits" in bound else []
    type_ = replace(found.type, elem="float", constant=None, positive=False)
    return Value(py.call(f"r.{args.name}", found.py, *digits), type_)


@value_of("pmin", "pmax")
def _parallel(ctx: Context, args: Args) -> Value:
    found = next((v for v in map(ctx.value, args.plain()) if not v.type.single), None)
    if found is None:
        raise UnmovedError(f"{args.name}() of single values")
    return Value(forwarded(ctx, f"r.{args.name}", args), replace(found.type, elem="float", constant=None))


@value_of("range", "fivenum")
def _ends(ctx: Context, args: Args) -> Value:
    return Value(forwarded(ctx, f"r.{args.name}", args), replace(FLOATS, full=True))


@value_of("diff")
def _diff(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.plain()[0])
    _known(found, "diff")
    type_ = replace(found.type, rows=None, full=False, positive=False, constant=None)
    return Value(forwarded(ctx, "r.diff", args), type_)


@value_of("quantile")
def _quantile(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "probs", "na.rm", "names", "type")
    found = ctx.value(bound["x"])
    named = {py.keyword_name(n): ctx.value(v).py for n, v in bound.items() if n not in ("x", "probs")}
    if "probs" not in bound:
        return Value(py.call("r.quantile", found.py, **named), Type("vector", "float", series=True, full=True))
    probs = ctx.value(bound["probs"])
    tree = py.call("r.quantile", found.py, probs.py, **named)
    if probs.type.single and "names" not in bound:
        return Value(py.fill("_0.iloc[0]", py.call("r.quantile", found.py, py.listing([probs.py]), **named)), FLOAT)
    series = "names" not in bound
    return Value(tree, Type("vector", "float", series=series, full=True))


@value_of("cor", "cov")
def _related(ctx: Context, args: Args) -> Value:
    first = ctx.value(args.bound("x", "y", "use", "method")["x"])
    tree = forwarded(ctx, f"r.{args.name}", args)
    if first.type.kind in ("matrix", "frame"):
        return Value(tree, Type("matrix", "float", series=first.type.series or first.type.kind == "frame", full=True))
    return Value(tree, FLOAT)


@value_of("scale")
def _scale(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.bound("x", "center", "scale")["x"])
    tree = forwarded(ctx, "r.scale", args)
    if found.type.kind == "vector":
        return Value(
            tree, Type("matrix", "float", series=found.type.series, rows=found.type.rows, full=found.type.full)
        )
    series = found.type.series or found.type.kind == "frame"
    type_ = Type(
        "matrix", "float", series=series, rows=found.type.rows, full=found.type.full, missing=found.type.missing
    )
    return Value(tree, type_)


@value_of("rowMeans", "colMeans", "rowSums", "colSums")
def _margins(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.bound("x", "na.rm")["x"])
    if found.type.kind not in ("matrix", "frame"):
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    series = found.type.series or found.type.kind == "frame"
    elem = "int" if found.type.elem in ("bool", "int") and args.name.endswith("Sums") else "float"
    rows = found.type.rows if args.name.startswith("row") else None
    return Value(forwarded(ctx, f"r.{args.name}", args), Type("vector", elem, series=series, full=True, rows=rows))


@value_of("rank")
def _rank(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.bound("x", "na.last", "ties.method")["x"])
    return Value(
        forwarded(ctx, "r.rank", args), replace(found.type, kind="vector", elem="float", constant=None, zero=False)
    )


@value_of("qnorm")
def _normal(ctx: Context, args: Args) -> Value:
    found = ctx.value(args.bound("p", "mean", "sd")["p"])
    return Value(forwarded(ctx, "r.qnorm", args), replace(found.type, elem="float", constant=None, positive=False))


@value_of("pnorm", "dnorm", "qt", "pt", "choose", "factorial", "gamma", "lgamma")
def _distribution(ctx: Context, args: Args) -> Value:
    raise UnmovedError(f"{args.name}() is not in pyrrf.r; SciPy's differs in the last bits")


@value_of("is.na", "is.nan", "is.finite")
def _missing(ctx: Context, args: Args) -> Value:
    asked = args.given[0].value if args.given else None
    if isinstance(asked, Call) and asked.function.text == "match" and len(asked.args) == 2:
        return _not_found(ctx, asked)
    found = args.one()
    if found.type.kind in ("list", "dict"):
        raise UnmovedError(f"{args.name}() of a list")
    function = {"is.na": "pd.isna", "is.nan": "np.isnan", "is.finite": "np.isfinite"}[args.name]
    kind = "matrix" if found.type.kind == "frame" else found.type.kind
    series = found.type.series or found.type.kind == "frame"
    kind = "vector" if kind == "factor" else kind
    type_ = replace(found.type, kind=kind, elem="bool", missing=False, constant=None, series=series, positive=False)
    return Value(py.call(function, found.py), type_)


def _not_found(ctx: Context, asked: Call) -> Value:
    """Return is.na(match(x, table)): what is not in the table."""
    sides = [ctx.value(node) for node in Args("match", asked.args, ctx).plain()]
    if sides[0].type.single:
        return Value(py.fill("not r.in_([_0], _1)[0]", *(side.py for side in sides)), BOOL)
    return Value(py.fill("~r.in_(_0, _1)", *(side.py for side in sides)), Type("vector", "bool"))


@value_of("any", "all")
def _quantified(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.elem != "bool":
        raise UnmovedError(f"{args.name}() of a value that may not be logical")
    tree = found.py if not (found.type.kind == "matrix" and found.type.series) else py.fill("_0.to_numpy()", found.py)
    return Value(py.call(f"np.{args.name}", tree), Type("scalar", "bool", full=True))


@value_of("tabulate")
def _tabulate(ctx: Context, args: Args) -> Value:
    return Value(forwarded(ctx, "r.tabulate", args), replace(INTS, full=True))


@value_of("diag")
def _diag(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind != "matrix":
        raise UnmovedError("diag() of a value that may not be a matrix")
    return Value(py.call("np.diag", found.py), Type("vector", found.type.elem, full=True))


@value_of("upper.tri", "lower.tri")
def _triangle(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "diag")
    found = ctx.value(bound["x"])
    if found.type.kind != "matrix":
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    options = {"diag": ctx.value(bound["diag"]).py} if "diag" in bound else {}
    tree = py.call(f"r.{py.python_name(args.name)}", found.py, **options)
    return Value(tree, Type("matrix", "bool", full=True))


@value_of("crossprod")
def _crossed(ctx: Context, args: Args) -> Value:
    sides = [ctx.value(node) for node in args.plain()]
    if any(side.type.kind != "matrix" for side in sides):
        raise UnmovedError("crossprod() of something else than matrices")
    series = any(side.type.series for side in sides)
    return Value(
        py.call("r.crossprod", *(side.py for side in sides)), Type("matrix", "float", series=series, full=True)
    )


@value_of("t")
def _transposed(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind != "matrix":
        raise UnmovedError(f"t() of a {found.type.kind}")
    return Value(py.fill("_0.T", found.py), replace(found.type, rows=None))


@value_of("attr")
def _attribute(ctx: Context, args: Args) -> Value:
    """Return what scale() has taken off and divided by."""
    found, name = (ctx.value(node) for node in args.plain())
    label = name.py.value if isinstance(name.py, ast.Constant) else None
    if found.type.kind != "matrix" or not found.type.series or label not in ("scaled:center", "scaled:scale"):
        raise UnmovedError("attr() of something else than the centre and scale of scale()")
    return Value(py.fill("_0.attrs[_1]", found.py, name.py), Type("vector", "float", full=True))
