"""caret and inTrees."""

from __future__ import annotations

from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, forwarded, is_true, value_of
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.types import FLOATS, INTS, POSITIONS, STRS, Type

_METRIC = tuple((name, replace(FLOATS, full=True)) for name in ("len", "freq", "err"))
_RULE_TABLE = Type("frame", parts=(*_METRIC, ("condition", STRS), ("pred", STRS)))


@value_of("createFolds", "createDataPartition", "createResample", "createMultiFolds")
def _folds(ctx: Context, args: Args) -> Value:
    """Rows of folds count from 0; `list = FALSE` of createFolds gives the number of each row's fold."""
    named = {arg.name: arg.value for arg in args.given if arg.name}
    listed = is_true(named.get("list"), True)
    positions = replace(POSITIONS, full=True)
    tree = forwarded(ctx, f"r.{args.name}", args)
    if listed:
        return Value(tree, Type("dict", item=positions, full=True))
    if args.name == "createFolds":
        return Value(tree, replace(INTS, positive=True, full=True))
    times = named.get("times")
    if args.name != "createDataPartition" or times is not None:
        raise UnmovedError(f"{args.name}() as a matrix")
    # R has a matrix of one column here, which is used as a vector of rows.
    return Value(tree, positions)


@value_of("confusionMatrix")
def _confusion(ctx: Context, args: Args) -> Value:
    bound = args.bound("data", "reference", "positive")
    if "positive" in bound:
        raise UnmovedError("the argument positive of confusionMatrix()")
    return Value(forwarded(ctx, "r.confusionMatrix", args), Type("object", what="confusionMatrix"))


@value_of("RF2List", "GBM2List")
def _trees(ctx: Context, args: Args) -> Value:
    if args.name != "RF2List":
        raise UnmovedError("rules of gbm")
    return Value(py.call("rules.RF2List", args.one().py), Type("object", what="trees"))


@value_of("extractRules", "getRuleMetric", "pruneRule", "selectRuleRRF", "buildLearner", "presentRules", "sortRule")
def _rules(ctx: Context, args: Args) -> Value:
    tree = forwarded(ctx, f"rules.{args.name}", args)
    if args.name == "extractRules":
        return Value(tree, Type("frame", rows=ctx.fresh_rows(), full=True, parts=(("condition", STRS),)))
    return Value(tree, replace(_RULE_TABLE, rows=ctx.fresh_rows()))


@value_of("applyLearner")
def _applied(ctx: Context, args: Args) -> Value:
    return Value(forwarded(ctx, "rules.applyLearner", args), replace(STRS, full=True))
