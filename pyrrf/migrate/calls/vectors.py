"""Vectors put together, counted, ordered and searched; factors and tables."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, forwarded, is_true, number_of, text_of, value_of
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.operators import COMPARISONS, arithmetic, as_array, compared, count_up
from pyrrf.migrate.tree import Arg, Call, Member, Node
from pyrrf.migrate.types import (
    BOOL,
    FACTOR,
    INT,
    INTS,
    NONE,
    POSITION,
    POSITIONS,
    UNKNOWN,
    Type,
    elem_of,
    scalar_of,
    vector_of,
)
from pyrrf.rbase.numbers import number_text


@value_of("c")
def _c(ctx: Context, args: Args) -> Value:
    """Return a vector; positions stay positions where all parts are."""
    if not args.given:
        return Value(py.constant(None), NONE)
    named = [arg for arg in args.given if arg.name is not None]
    parts = [_part(ctx, arg) for arg in args.given]
    if not (all(part.type.zero or part.type.kind == "none" for part in parts)):
        parts = [counted(part) for part in parts]
    kinds = {part.type.kind for part in parts}
    if kinds & {"list", "dict", "fit", "frame", "object", "function"}:
        raise UnmovedError("c() of lists or data frames")
    elem = parts[0].type.elem
    for part in parts[1:]:
        elem = elem_of(elem, part.type.elem) if part.type.kind != "none" else elem
    first = parts[0].type
    type_ = Type(
        "vector",
        elem,
        zero=all(part.type.zero or part.type.kind == "none" for part in parts) and first.zero,
        positive=all(part.type.positive for part in parts),
        full=any(part.type.full for part in parts),
        missing=any(part.type.missing for part in parts),
    )
    if named:
        return _named(parts, args, type_)
    if kinds == {"scalar"}:
        return Value(py.call("np.array", py.listing([part.py for part in _alike(parts, elem)])), type_)
    if kinds == {"factor"}:
        return Value(py.call("r.c", *(part.py for part in parts)), FACTOR)
    series = len(parts) > 1 and all(part.type.series and part.type.kind == "vector" for part in parts)
    plain = parts if series else [as_array(part) if part.type.kind == "vector" else part for part in parts]
    return Value(py.call("r.c", *(part.py for part in plain)), replace(type_, series=series))


def _part(ctx: Context, arg: Arg) -> Value:
    if arg.value is None:
        raise UnmovedError("an argument of c() is empty")
    return ctx.raw(arg.value)


def constant_text(type_: Type) -> str:
    """Return a number of the script as R writes it: 1e+05 for 100000, but not for 100000L."""
    known = type_.constant
    assert known is not None
    return f"{known:.0f}" if type_.what == "integer" else number_text(known)


def _alike(parts: list[Value], elem: str) -> list[Value]:
    """Return values of which some are strings as strings, as R does."""
    if elem == "unknown":
        raise UnmovedError("c() of values of unknown kind")
    if elem != "str":
        return parts
    texts = [p if p.type.elem == "str" else Value(py.fill("r.as_character(_0)[0]", p.py)) for p in parts]
    return [
        Value(py.constant(constant_text(p.type))) if p.type.constant is not None else t
        for p, t in zip(parts, texts, strict=True)
    ]


def _named(parts: list[Value], args: Args, type_: Type) -> Value:
    if not all(part.type.single for part in parts) or not all(arg.name for arg in args.given):
        raise UnmovedError("c() with names for some of its parts")
    keys: list[ast.expr | None] = [py.constant(arg.name) for arg in args.given]
    pairs = ast.Dict(keys, [part.py for part in _alike(parts, type_.elem)])
    return Value(py.call("pd.Series", pairs), replace(type_, series=True, zero=False))


def pairs_of(ctx: Context, node: Node) -> ast.expr | None:
    """Return ``c(a = 1, b = 2)`` as a dict, None if it is none."""
    if not isinstance(node, Call) or node.function.text != "c" or not node.args:
        return None
    if not all(arg.name and arg.value for arg in node.args):
        return None
    return ast.Dict([py.constant(a.name) for a in node.args], [ctx.value(a.value).py for a in node.args if a.value])


_EMPTY = {
    "numeric": ("np.zeros(_0)", "float"),
    "double": ("np.zeros(_0)", "float"),
    "integer": ("np.zeros(_0, dtype=int)", "int"),
    "logical": ("np.zeros(_0, dtype=bool)", "bool"),
    "character": ("np.full(_0, '', dtype=object)", "str"),
}


@value_of("numeric", "integer", "character", "logical", "vector")
def _empty(ctx: Context, args: Args) -> Value:
    bound = args.bound("mode", "length") if args.name == "vector" else args.bound("length")
    mode = args.name if args.name != "vector" else getattr(bound.get("mode"), "value", "logical")
    size = ctx.value(bound["length"]) if "length" in bound else Value(py.constant(0), INT)
    full = size.type.positive
    if mode == "list":
        tree = ast.BinOp(py.listing([py.constant(None)]), ast.Mult(), size.py)
        return Value(tree, Type("list", item=NONE, full=full))
    if mode not in _EMPTY:
        raise UnmovedError(f"a vector of mode {mode}")
    code, elem = _EMPTY[mode]
    return Value(py.fill(code, size.py), Type("vector", elem, full=full))


@value_of("rep")
def _rep(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "times", "each", "length.out")
    found = ctx.value(bound["x"])
    counts = [ctx.value(bound[n]) for n in ("times", "length.out") if n in bound]
    full = found.type.full and all(count.type.positive or not count.type.single for count in counts)
    if found.type.kind == "factor":
        return Value(forwarded(ctx, "r.rep", args), FACTOR)
    if found.type.kind not in ("scalar", "vector"):
        raise UnmovedError(f"rep() of a {found.type.kind}")
    type_ = vector_of(replace(found.type, series=False), full=full)
    alone = found.type.single and set(bound) == {"x", "times"} and counts[0].type.single
    if alone and found.type.elem in ("int", "float"):
        # A person's zeros may become fractions later, and NumPy's whole numbers would cut them off.
        if found.type.constant == 0:
            return Value(py.call("np.zeros", counts[0].py), replace(type_, elem="float", positive=False))
        if found.type.missing:
            return Value(py.call("np.full", counts[0].py, found.py), replace(type_, elem="float"))
    return Value(forwarded(ctx, "r.rep", args, {"times": "times", "len": "length_out"}), type_)


@value_of("seq")
def _seq(ctx: Context, args: Args) -> Value:
    bound = args.bound("from", "to", "by", "length.out", "along.with")
    found = {name: ctx.value(node) for name, node in bound.items()}
    if set(found) == {"from", "to"}:
        return count_up(found["from"], found["to"])
    if set(found) == {"from"} and not found["from"].type.single:
        return Value(py.call("r.seq_along", found["from"].py), replace(INTS, positive=True))
    start = found.get("from")
    whole = start is not None and start.type.elem == "int" and found.get("by", start).type.elem == "int"
    whole = whole and "by" in found
    positive = whole and start is not None and start.type.positive and found["by"].type.positive
    elem = "int" if whole else "float"
    type_ = Type("vector", elem, full=True, positive=positive)
    ordered = [found[n].py for n in ("from", "to") if n in found]
    if len(ordered) == 2 or "to" not in found:
        keywords = {py.keyword_name(n): v.py for n, v in found.items() if n not in ("from", "to")}
        return Value(py.call("r.seq", *ordered, **keywords), type_)
    raise UnmovedError("seq() without its start")


@value_of("seq_len", "seq_along")
def _seq_along(ctx: Context, args: Args) -> Value:
    found = args.one_raw()
    full = found.type.positive if args.name == "seq_len" else found.type.full
    type_ = replace(INTS, positive=True, full=full)
    length = counted(found).py if args.name == "seq_len" else py.call("len", found.py)
    return Value(py.call("np.arange", py.constant(1), py.shifted(length, 1)), type_)


@value_of("length")
def _length(ctx: Context, args: Args) -> Value:
    found = args.one_raw()
    if found.type.single or found.type.kind == "none":
        size = 1 if found.type.single else 0
        return Value(py.constant(size), replace(INT, constant=float(size), positive=bool(size)))
    type_ = replace(INT, positive=found.type.full)
    if found.type.kind == "frame":
        return Value(py.fill("_0.shape[1]", found.py), type_)
    if found.type.kind == "matrix":
        return Value(py.fill("_0.size", found.py), type_)
    if found.type.kind == "unknown":
        return Value(py.call("r.length", found.py), INT)
    return Value(py.call("len", found.py), type_)


@value_of("which")
def _which(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "arr.ind")
    found = ctx.value(bound["x"])
    if is_true(bound.get("arr.ind"), False) and found.type.kind == "matrix":
        cells = Type("matrix", "int", series=True, positive=True, rows=ctx.fresh_rows())
        return Value(py.call("r.which_cells", found.py), cells)
    if found.type.kind not in ("vector", "scalar", "unknown"):
        raise UnmovedError(f"which() of a {found.type.kind}")
    if found.type.series and found.type.rows is None and found.type.kind == "vector":
        return Value(py.call("r.which", found.py), replace(POSITIONS, series=True))  # with its names
    return Value(py.call("r.which", as_array(found).py), POSITIONS)


@value_of("which.max", "which.min")
def _extreme(ctx: Context, args: Args) -> Value:
    return Value(py.call(f"r.{py.python_name(args.name)}", args.one().py), POSITION)


@value_of("order")
def _order(ctx: Context, args: Args) -> Value:
    keys = [ctx.value(arg.value) for arg in args.given if arg.name is None and arg.value]
    full = bool(keys) and keys[0].type.full
    return Value(forwarded(ctx, "r.order", args), replace(POSITIONS, full=full))


@value_of("match")
def _match(ctx: Context, args: Args) -> Value:
    """Return positions; where R has NA, r.match() raises an error."""
    bound = args.bound("x", "table", "nomatch")
    sides = [as_array(ctx.value(bound[name])) for name in ("x", "table")]
    if any(side.type.kind not in ("scalar", "vector", "factor") for side in sides):
        raise UnmovedError("match() in something else than a vector")
    if "nomatch" in bound:
        if number_of(bound["nomatch"]) != 0:
            raise UnmovedError("match() with another nomatch than 0")
        tree: ast.expr = ast.BinOp(py.call("r.match", *(side.py for side in sides)), ast.Add(), ast.Constant(1))
        found = Value(tree, INTS)
    else:
        tree = py.call("r.match", *(side.py for side in sides), nomatch=py.constant(None))
        found = Value(tree, replace(POSITIONS, full=sides[0].type.full))
    if not sides[0].type.single:
        return found
    return Value(py.fill("(_0)[0]", found.py), replace(scalar_of(found.type), zero=found.type.zero))


@value_of("sort", "rev", "unique", "head", "tail")
def _reordered(ctx: Context, args: Args) -> Value:
    first = args.given[0].value
    assert first is not None
    found = ctx.raw(first)
    rest = {py.keyword_name(a.name): ctx.value(a.value).py for a in args.given[1:] if a.name and a.value}
    plain = [ctx.value(a.value).py for a in args.given[1:] if a.name is None and a.value]
    table = found.type.kind in ("frame", "matrix")
    if args.name == "unique" and table and not plain and not rest:
        if not (found.type.kind == "frame" or found.type.series):
            raise UnmovedError("unique() of a matrix")
        return Value(
            py.fill("_0.drop_duplicates()", found.py), replace(found.type, rows=ctx.fresh_rows(), counted=False)
        )
    if table and args.name not in ("head", "tail"):
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    if found.type.kind not in ("vector", "factor", "frame", "matrix"):
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    full = found.type.full and args.name not in ("head", "tail", "sort")
    if args.name == "unique" and not table:
        return Value(py.call("r.unique", found.py), replace(found.type, rows=None, series=False, counted=False))
    type_ = replace(found.type, rows=ctx.fresh_rows() if found.type.series or table else None, full=full, counted=False)
    if args.name in ("head", "tail") and [py.constant_of(n) for n in (*plain, *rest.values())] == [1] and not table:
        type_ = replace(type_, what="one")
    return Value(py.call(f"r.{args.name}", found.py, *plain, **rest), type_)


@value_of("setdiff", "union", "intersect")
def _sets(ctx: Context, args: Args) -> Value:
    sides = [ctx.raw(node) for node in args.plain()]
    if len(sides) != 2:
        raise UnmovedError(f"{args.name}() of {len(sides)} vectors")
    if not all(side.type.zero for side in sides):
        positions = [side.type.zero or side.type.positive for side in sides]
        sides = [counted(side) for side in sides]
        if all(positions) and all(side.type.elem == "int" for side in sides):
            sides = [side.typed(positive=True) for side in sides]
    type_ = Type(
        "vector", sides[0].type.elem, zero=all(s.type.zero for s in sides), positive=all(s.type.positive for s in sides)
    )
    return Value(py.call(f"r.{args.name}", *(as_array(side).py for side in sides)), type_)


@value_of("ifelse")
def _ifelse(ctx: Context, args: Args) -> Value:
    bound = args.bound("test", "yes", "no")
    test, yes, no = (ctx.value(bound[name]) for name in ("test", "yes", "no"))
    elem = elem_of(yes.type.elem, no.type.elem)
    missing = yes.type.missing or no.type.missing
    if test.type.single and yes.type.single and no.type.single:
        return Value(ast.IfExp(test.py, yes.py, no.py), Type("scalar", elem, full=True, missing=missing))
    if test.type.kind == "matrix" and not test.type.series and not missing and yes.type.single and no.type.single:
        return Value(py.call("np.where", test.py, yes.py, no.py), Type("matrix", elem, full=test.type.full))
    if test.type.kind not in ("vector", "unknown") or "factor" in (yes.type.kind, no.type.kind):
        raise UnmovedError("ifelse() of a factor or a table")
    if test.type.missing or test.type.kind == "unknown":
        type_ = Type("vector", elem, missing=True, series=test.type.series, rows=test.type.rows)
        return Value(py.call("r.ifelse", test.py, as_array(yes).py, as_array(no).py), type_)
    type_ = Type("vector", elem, missing=missing, full=test.type.full)
    return Value(py.call("np.where", test.py, as_array(yes).py, as_array(no).py), type_)


@value_of("as.character", "as.numeric", "as.integer", "as.double", "as.logical", "as.vector")
def _as(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind in ("list", "dict", "frame", "fit"):
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    if args.name == "as.vector" and found.type.kind != "factor":
        return as_array(as_vector(found))
    elem = {"as.character": "str", "as.vector": "str", "as.integer": "int", "as.logical": "bool"}.get(
        args.name, "float"
    )
    if args.name == "as.logical":
        raise UnmovedError("as.logical(); use a comparison")
    name = {"as.double": "as_numeric", "as.vector": "as_character"}.get(args.name, py.python_name(args.name))
    kind = "scalar" if found.type.single else "vector"
    known = found.type.constant
    tree = py.call(f"r.{name}", found.py if known is None or elem != "str" or found.type.what else ast.Constant(known))
    if found.type.single:
        tree = py.fill("_0[0]", tree)
    whole = found.type.kind == "factor" and elem != "str"
    missing = found.type.missing and elem != "str"
    return Value(tree, Type(kind, elem, full=found.type.full, missing=missing, positive=whole and elem == "int"))


def as_vector(found: Value) -> Value:
    """Return a matrix as R's as.vector() does, column by column; other values as they are."""
    if found.type.kind == "matrix":
        tree = py.fill("_0.to_numpy().ravel(order='F')" if found.type.series else "_0.ravel(order='F')", found.py)
        return Value(tree, Type("vector", found.type.elem, full=found.type.full, missing=found.type.missing))
    return found


@value_of("is.null")
def _is_null(ctx: Context, args: Args) -> Value:
    node = args.given[0].value if args.given else None
    if isinstance(node, Member) and ctx.raw(node.of).type.kind == "dict":
        asked = py.fill("_0.get(_1)", ctx.raw(node.of).py, py.constant(node.name))
        return Value(ast.Compare(asked, [ast.Is()], [py.constant(None)]), BOOL)
    return Value(ast.Compare(args.one_raw().py, [ast.Is()], [py.constant(None)]), BOOL)


@value_of("is.factor", "is.numeric", "is.character")
def _is_kind(ctx: Context, args: Args) -> Value:
    found = args.one_raw()
    if found.type.kind == "unknown" or (found.type.elem == "unknown" and found.type.kind != "factor"):
        raise UnmovedError(f"{args.name}() of a value of unknown kind")
    kind = found.type.kind == "factor"
    numeric = not kind and found.type.elem in ("int", "float")
    known = {"is.factor": kind, "is.numeric": numeric, "is.character": not kind and found.type.elem == "str"}
    return Value(py.constant(known[args.name]), BOOL)


@value_of("duplicated")
def _duplicated(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind not in ("vector", "factor"):
        raise UnmovedError(f"duplicated() of a {found.type.kind}")
    return Value(py.call("r.duplicated", found.py), Type("vector", "bool", full=found.type.full))


@value_of("xor")
def _xor(ctx: Context, args: Args) -> Value:
    sides = [ctx.value(node) for node in args.plain()]
    if len(sides) != 2 or any(side.type.elem != "bool" or not side.type.single for side in sides):
        raise UnmovedError("xor() of vectors")
    return Value(ast.Compare(sides[0].py, [ast.NotEq()], [sides[1].py]), BOOL)


@value_of("unname")
def _unnamed(ctx: Context, args: Args) -> Value:
    found = args.one_raw()
    if found.type.kind not in ("scalar", "vector"):
        raise UnmovedError(f"unname() of a {found.type.kind}")
    return as_array(found)


def _across(operator: str) -> Callable[[Value, Value], Value]:
    return lambda a, b: (compared if operator in COMPARISONS else arithmetic)(plain(a), plain(b), operator)


def plain(found: Value) -> Value:
    """Return a value whose shape NumPy knows better."""
    return found.typed(rows=None, series=False)


@value_of("outer")
def _outer(ctx: Context, args: Args) -> Value:
    nodes = [arg.value for arg in args.given if arg.name in (None, "X", "Y", "FUN") and arg.value]
    operator = text_of(nodes[2]) if len(nodes) == 3 else None
    if len(nodes) != len(args.given) or (len(nodes) == 3 and operator not in (*COMPARISONS, *"+-*/")):
        raise UnmovedError("outer() with a function")
    sides = [ctx.value(node) for node in nodes[:2]]
    if len(sides) != 2 or any(side.type.kind != "vector" for side in sides):
        raise UnmovedError("outer() of something else than two vectors")
    if operator is not None:
        found = _across(operator)(
            Value(py.fill("_0[:, None]", as_array(sides[0]).py), sides[0].type), as_array(sides[1])
        )
        return Value(found.py, Type("matrix", found.type.elem, full=True))
    elem = elem_of(sides[0].type.elem, sides[1].type.elem)
    return Value(py.call("np.outer", *(side.py for side in sides)), Type("matrix", elem, full=True))


@value_of("do.call")
def _applied(ctx: Context, args: Args) -> Value:
    """Move do.call(rbind, list); other functions are not known to take their arguments so."""
    bound = args.bound("what", "args")
    name = getattr(bound["what"], "name", getattr(bound["what"], "value", ""))
    found = ctx.raw(bound["args"])
    item = found.type.item or UNKNOWN
    if name == "rbind" and found.type.kind == "dict" and item.kind == "vector" and not item.zero:
        return _named_rows(ctx, found, item)
    if name not in ("rbind", "cbind") or found.type.kind != "list" or item.kind not in ("vector", "frame"):
        raise UnmovedError("do.call() of something else than rbind or cbind of a list")
    items = py.fill("[item + 1 for item in _0]", found.py) if item.zero else found.py
    if item.mixed:
        raise UnmovedError("a list with positions in some of its items and numbers in others")
    tree = ast.Call(py.fill(f"r.{name}"), [ast.Starred(items, ast.Load())], [])
    if item.kind == "frame":
        return Value(tree, replace(item, rows=ctx.fresh_rows(), full=found.type.full, what=""))
    return Value(tree, Type("matrix", item.elem, series=item.series, full=found.type.full, rows=ctx.fresh_rows()))


def _named_rows(ctx: Context, found: Value, item: Type) -> Value:
    """Return the vectors of a list with names as rows under these names."""
    rows = py.call("np.vstack", py.fill("list(_0.values())", found.py))
    columns = {"columns": py.fill("next(iter(_0.values())).index", found.py)} if item.series else {}
    tree = py.call("pd.DataFrame", rows, index=py.fill("list(_0)", found.py), **columns)
    return Value(tree, Type("matrix", item.elem, series=True, full=found.type.full, rows=ctx.fresh_rows()))


@value_of("array", "append", "solve")
def _others(ctx: Context, args: Args) -> Value:
    raise UnmovedError(f"{args.name}() is not moved")


def in_r_numbers(found: Value, item: Type) -> ast.expr:
    """Return a list with names whose positions are R's numbers."""
    return py.fill("{key: item + 1 for key, item in _0.items()}", found.py) if item.zero else found.py


@value_of("unlist")
def _unlist(ctx: Context, args: Args) -> Value:
    found = ctx.raw(args.bound("x", "use.names")["x"])
    item = found.type.item or UNKNOWN
    if found.type.kind not in ("list", "dict") or item.kind not in ("scalar", "vector") or item.series:
        raise UnmovedError("unlist() of a list of unknown items")
    if found.type.kind == "dict" and item.kind == "scalar" and "use.names" not in args.bound("x", "use.names"):
        labelled = replace(vector_of(item), series=True, full=found.type.full, rows=None)
        tree = in_r_numbers(found, item)
        return Value(py.call("pd.Series", tree), replace(labelled, zero=False))
    values = found.py if found.type.kind == "list" else py.fill("_0.values()", found.py)
    type_ = replace(vector_of(item), zero=item.zero, series=False)
    if item.kind == "scalar":
        return Value(py.call("np.array", values if found.type.kind == "list" else py.call("list", values)), type_)
    return Value(py.call("np.concatenate", values if found.type.kind == "list" else py.call("list", values)), type_)
