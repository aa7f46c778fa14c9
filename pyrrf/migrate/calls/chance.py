"""R's stream: draws and seeds."""

from __future__ import annotations

from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, done_by, forwarded, is_true, value_of
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.types import FLOAT, FLOATS, INTS, Type, scalar_of, vector_of

_REAL = ["runif", "rnorm", "rexp", "rgamma", "rbeta", "rt", "rchisq", "rweibull", "rlnorm", "rcauchy", "rlogis"]
_COUNTS = ["rpois", "rbinom", "rgeom", "rnbinom"]
_FIRST = ["runif", "rnorm"]


@done_by("set.seed")
def _seed(ctx: Context, args: Args) -> None:
    ctx.emit(forwarded(ctx, "pyrrf.set_seed", args, {"sample.kind": "sample_kind", "normal.kind": "normal_kind"}))


@done_by("RNGkind", "RNGversion")
def _kinds(ctx: Context, args: Args) -> None:
    if args.given:
        ctx.emit(forwarded(ctx, f"r.{args.name}", args))


@value_of(*_REAL, *_COUNTS)
def _draws(ctx: Context, args: Args) -> Value:
    first = args.given[0].value
    if first is None or args.given[0].name not in (None, "n"):
        raise UnmovedError(f"{args.name}() without its number first")
    n = ctx.value(first)
    if not n.type.single:
        raise UnmovedError(f"{args.name}() of as many draws as a vector has items")
    module = "pyrrf" if args.name in _FIRST else "r"
    tree = forwarded(ctx, f"{module}.{args.name}", args)
    type_ = replace(FLOATS if args.name in _REAL else INTS, full=n.type.positive)
    if n.type.constant == 1:
        return Value(py.fill("_0[0]", tree), FLOAT if args.name in _REAL else scalar_of(INTS))
    return Value(tree, type_)


@value_of("sample", "sample.int")
def _sample(ctx: Context, args: Args) -> Value:
    items = "x" if args.name == "sample" else "n"
    bound = args.bound(items, "size", "replace", "prob")
    found = ctx.raw(bound[items])
    again = is_true(bound.get("replace"), False)
    keywords = {name: ctx.value(bound[name]) for name in ("prob",) if name in bound}
    options = {name: py.unwrapped(value.py) for name, value in keywords.items()}
    if again:
        options["replace"] = py.constant(True)
    size = ctx.value(bound["size"]) if "size" in bound else None
    items_ = py.unwrapped(found.py)
    positional = [items_] if size is None else [items_, size.py]
    type_ = _drawn_type(found, size)
    tree = py.call("pyrrf.sample", *positional, **options)
    if size is not None and size.type.constant == 1:
        return Value(py.fill("_0[0]", tree), scalar_of(type_))
    return Value(tree, type_)


def _drawn_type(found: Value, size: Value | None) -> Type:
    type_ = found.type
    full = size.type.positive if size is not None else (type_.full or type_.positive)
    if type_.single and type_.elem in ("int", "float"):
        return replace(INTS, positive=True, full=full)
    if type_.kind == "factor":
        return replace(type_, series=False, rows=None, full=full)
    if type_.kind != "vector":
        raise UnmovedError(f"sample() of a {type_.kind}")
    return replace(vector_of(type_), series=False, zero=type_.zero, full=full)
