"""Functions that take functions: sapply, lapply, apply, tapply."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.registry import Args, value_of
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.functions import counts_from_one, function_type, learn_call, parameter_names
from pyrrf.migrate.tree import Function, Name, Node, Text
from pyrrf.migrate.types import FLOAT, INT, POSITION, UNKNOWN, Type, scalar_of, vector_of

_ONE_NUMBER = {"mean", "sd", "var", "median", "sum", "min", "max", "prod", "mad", "IQR"}
_PLAIN = (
    "as.numeric", "as.character", "as.factor", "factor", "range", "table", "unique", "levels", "cumsum", "rev", "scale",
    "quantile",
)  # fmt: skip
_KNOWN = {
    "which.max": ("r.which_max", POSITION),
    "which.min": ("r.which_min", POSITION),
    "length": ("len", INT),
    "nrow": ("len", INT),
    "sqrt": ("np.sqrt", FLOAT),
    "abs": ("abs", FLOAT),
}


def function_of(ctx: Context, node: Node) -> Value:
    """Return a function that is an argument: one of the script, of R, or without a name."""
    if isinstance(node, Text):
        node = Name(node.first, node.last, node.value, node.value)
    if isinstance(node, Function):
        return ctx.raw(node)
    if not isinstance(node, Name):
        raise UnmovedError("a function that is computed")
    own = ctx.find(node.name)
    if own is not None and own.kind == "function":
        return Value(py.name(py.python_name(node.name)), own)
    if node.name in _KNOWN:
        code, result = _KNOWN[node.name]
        return Value(py.fill(code), Type("function", item=result))
    if node.name in _ONE_NUMBER:
        return Value(py.fill(f"r.{node.name}"), Type("function", item=FLOAT))
    if node.name in _PLAIN:
        return Value(py.fill(f"r.{py.keyword_name(node.name)}"), Type("function"))
    raise UnmovedError(f"{node.name} as an argument")


def in_numbers(function: Value) -> Value:
    """Return a function that gives R's numbers where the one that is given returns positions."""
    item = function.type.item or UNKNOWN
    if item.mixed:
        raise UnmovedError("a function that returns positions in some cases and numbers in others")
    if not item.zero:
        return function
    if isinstance(function.py, ast.Lambda):
        tree: ast.expr = ast.Lambda(function.py.args, py.shifted(function.py.body, 1))
    else:
        tree = py.fill("lambda *args, **named: _0(*args, **named) + 1", function.py)
    return Value(tree, replace(function.type, item=replace(item, zero=False, positive=True)))


def _given(ctx: Context, function: Value, item: Type, extra: dict[str, Value]) -> bool:
    """Note what the function is called with; whether it takes positions as they are."""
    params = parameter_names(ctx, function.type)
    if not params:
        return True
    given = {params[0]: item} | {name: value.type for name, value in extra.items() if name in params}
    learn_call(ctx, function.type, given)
    return not counts_from_one(ctx, function.type, params[0])


def _tell(ctx: Context, node: Node, item: Type) -> None:
    """Let a function without a name know what its first parameter gets, before it is moved."""
    if isinstance(node, Function) and node.params:
        ctx.functions[str(id(node))] = node
        learn_call(ctx, function_type(node, None), {node.params[0].name or "": item})
        ctx.facts.params.setdefault(id(node), {}).update(ctx.learned.params.get(id(node), {}))


@value_of("sapply", "lapply", "vapply")
def _each(ctx: Context, args: Args) -> Value:
    over, function_node = _pair(args)
    found = ctx.raw(over)
    item = _item(found.type)
    _tell(ctx, function_node, item)
    if isinstance(function_node, Name) and function_node.name in ("[", "[["):
        return _item_of_each(ctx, args, found)
    function = function_of(ctx, function_node)
    apart = ("FUN.VALUE", "simplify", "USE.NAMES")
    extra = {a.name: ctx.value(a.value) for a in args.given[2:] if a.name and a.value and a.name not in apart}
    if len(args.given) > 2 + len(extra) + (args.name == "vapply"):
        raise UnmovedError(f"more arguments of {args.name}() without names")
    if not _given(ctx, function, item, extra) and item.zero:
        raise UnmovedError("a function that gets positions here and numbers there")
    result = function.type.item or UNKNOWN
    if args.name == "lapply":
        return _listed(found, function, result, extra)
    return _simplified(ctx, found, function, result, extra)


def _item_of_each(ctx: Context, args: Args, found: Value) -> Value:
    """Return sapply(x, "[", 2): an item of each item."""
    wanted = [ctx.value(arg.value) for arg in args.given[2:] if arg.value is not None and arg.name is None]
    item = found.type.item or UNKNOWN
    if found.type.kind != "list" or args.name == "lapply" or len(wanted) != 1 or item.kind != "vector":
        raise UnmovedError("an item of each item of a value that may not be a list of vectors")
    tree = py.fill("np.array([r.index(item, _1) for item in _0], dtype=object)", found.py, wanted[0].py)
    if item.elem != "str":
        tree = py.fill("np.array([r.index(item, _1) for item in _0])", found.py, wanted[0].py)
    return Value(tree, Type("vector", item.elem, full=found.type.full, missing=item.missing))


def _pair(args: Args) -> tuple[Node, Node]:
    by_name = {a.name: a.value for a in args.given if a.name in ("X", "FUN") and a.value}
    rest = [a.value for a in args.given if a.name is None and a.value]
    over = by_name.get("X") or (rest.pop(0) if rest else None)
    function = by_name.get("FUN") or (rest.pop(0) if rest else None)
    if over is None or function is None:
        raise UnmovedError(f"{args.name}() without its function")
    return over, function


def _item(type_: Type) -> Type:
    if type_.kind == "frame":
        parts = {part for _, part in type_.parts}
        item = parts.pop() if len(parts) == 1 else Type("vector", type_.elem if not parts else "unknown")
        return replace(item, series=True, rows=type_.rows, full=type_.full, constant=None)
    if type_.kind in ("list", "dict"):
        return type_.item or UNKNOWN
    if type_.kind == "vector":
        return scalar_of(type_)
    if type_.single:
        return type_
    raise UnmovedError(f"a function applied to each item of a {type_.kind}")


def _call(function: Value, item: ast.expr, extra: dict[str, Value]) -> ast.expr:
    """Return the call for one item; a lambda is written out."""
    tree = function.py
    if isinstance(tree, ast.Lambda) and not extra and len(tree.args.args) == 1:
        filled: ast.expr = _Renamed(tree.args.args[0].arg, item).visit(tree.body)
        return filled
    keywords = [ast.keyword(py.keyword_name(name), value.py) for name, value in extra.items()]
    return ast.Call(tree, [item], keywords)


class _Renamed(ast.NodeTransformer):
    def __init__(self, name: str, item: ast.expr) -> None:
        self.name, self.item = name, item

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.item if node.id == self.name else node


def _variable(function: Value) -> str:
    tree = function.py
    return tree.args.args[0].arg if isinstance(tree, ast.Lambda) and tree.args.args else "item"


def _comprehension(
    function: Value, over: ast.expr, extra: dict[str, Value]
) -> tuple[ast.expr, list[ast.comprehension]]:
    name = _variable(function)
    call = _call(function, py.name(name), extra)
    return call, [ast.comprehension(ast.Name(name, ast.Store()), over, [], 0)]


def _listed(found: Value, function: Value, result: Type, extra: dict[str, Value]) -> Value:
    kind = found.type.kind
    if kind in ("dict", "frame"):
        name = _variable(function)
        pair = ast.Tuple([ast.Name("key", ast.Store()), ast.Name(name, ast.Store())], ast.Store())
        loop = ast.comprehension(pair, py.fill("_0.items()", found.py), [], 0)
        tree: ast.expr = ast.DictComp(py.name("key"), _call(function, py.name(name), extra), [loop])
        return Value(tree, Type("dict", item=result, full=found.type.full))
    if found.type.elem == "str" and kind == "vector":
        pass  # lapply over strings has no names in R
    call, loops = _comprehension(function, _plain(found), extra)
    return Value(ast.ListComp(call, loops), Type("list", item=result, full=found.type.full))


def _plain(found: Value) -> ast.expr:
    """Return what a loop runs over."""
    tree = found.py
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "np.arange":
        return ast.Call(py.name("range"), tree.args, [])
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "np.array" and isinstance(tree.args[0], ast.List):
        return ast.Tuple(tree.args[0].elts, ast.Load())
    return tree


def _simplified(ctx: Context, found: Value, function: Value, result: Type, extra: dict[str, Value]) -> Value:
    """Return the answers as a vector or, where each is a vector, a matrix."""
    labelled = (
        found.type.kind in ("dict", "frame")
        or found.type.elem == "str"
        or (found.type.series and found.type.kind == "vector")
    )
    keywords = {py.keyword_name(name): value.py for name, value in extra.items()}
    tree = py.call("r.sapply", found.py, function.py, **keywords)
    if result.single:
        type_ = vector_of(replace(result, series=False), full=found.type.full)
        if labelled:
            return Value(tree, replace(type_, series=True))
        call, loops = _comprehension(function, _plain(found), extra)
        return Value(py.call("np.array", ast.ListComp(call, loops)), type_)
    if result.kind == "vector" and result.zero:
        return Value(py.call("r.sapply", found.py, in_numbers(function).py, **keywords), UNKNOWN)
    if result.kind == "vector":
        return Value(
            tree, Type("matrix", result.elem, series=result.series or labelled, full=True, rows=ctx.fresh_rows())
        )
    if result.kind == "unknown":
        return Value(tree, UNKNOWN)
    raise UnmovedError(f"sapply() of a function that returns a {result.kind}")


@value_of("apply")
def _apply(ctx: Context, args: Args) -> Value:
    if len(args.given) < 3 or any(a.value is None for a in args.given):
        raise UnmovedError("apply() without its function")
    bound = Args("apply", args.given[:3], ctx).bound("X", "MARGIN", "FUN")
    table, margin = ctx.value(bound["X"]), ctx.value(bound["MARGIN"])
    if table.type.kind not in ("matrix", "frame") or margin.type.constant not in (1, 2):
        raise UnmovedError("apply() of a value that may not be a matrix")
    series = table.type.series or table.type.kind == "frame"
    item = Type("vector", table.type.elem, series=series, full=True, missing=table.type.missing)
    _tell(ctx, bound["FUN"], item)
    function = function_of(ctx, bound["FUN"])
    extra = {a.name: ctx.value(a.value) for a in args.given[3:] if a.name and a.value}
    if len(extra) != len(args.given) - 3:
        raise UnmovedError("more arguments of apply() without names")
    _given(ctx, function, item, extra)
    keywords = {py.keyword_name(name): value.py for name, value in extra.items()}
    if (function.type.item or UNKNOWN).kind != "scalar":
        function = in_numbers(function)
    tree = py.call("r.apply", table.py, margin.py, function.py, **keywords)
    result = function.type.item or UNKNOWN
    if result.single:
        return Value(tree, Type("vector", result.elem, series=series, full=True, zero=result.zero))
    if result.kind == "vector":
        return Value(tree, Type("matrix", result.elem, series=series or result.series, full=True))
    return Value(tree, UNKNOWN)


_OPERATORS = {"+": "_0 + _1", "*": "_0 * _1", "-": "_0 - _1"}
_SETS = ("union", "intersect", "setdiff")


@value_of("Reduce")
def _reduced(ctx: Context, args: Args) -> Value:
    """Return Reduce() as functools.reduce(); the first two items come first, as in R."""
    bound = args.bound("f", "x", "init", "right", "accumulate")
    if set(bound) != {"f", "x"}:
        raise UnmovedError("Reduce() with a beginning, from the right, or with all results")
    over = ctx.raw(bound["x"])
    item = _item(over.type)
    name = getattr(bound["f"], "name", getattr(bound["f"], "value", ""))
    if name in _SETS:
        tree = py.call("functools.reduce", py.fill(f"r.{name}"), over.py)
        return Value(tree, replace(item, kind="vector", full=False, rows=None))
    if item.zero or item.mixed:
        raise UnmovedError("Reduce() of positions")
    if name in _OPERATORS:
        tree = py.call(
            "functools.reduce",
            py.fill("lambda a, b: " + _OPERATORS[name].replace("_0", "a").replace("_1", "b")),
            over.py,
        )
        return Value(tree, replace(item, constant=None, positive=False, rows=None))
    if name in ("rbind", "cbind") and item.kind in ("frame", "matrix"):
        tree = py.call("functools.reduce", py.fill(f"r.{name}"), over.py)
        return Value(tree, replace(item, rows=ctx.fresh_rows(), parts=item.parts if name == "rbind" else ()))
    if isinstance(bound["f"], Function) and len(bound["f"].params) == 2:
        given = {param.name or "": replace(item, constant=None) for param in bound["f"].params}
        ctx.functions[str(id(bound["f"]))] = bound["f"]
        learn_call(ctx, function_type(bound["f"], None), given)
        ctx.facts.params.setdefault(id(bound["f"]), {}).update(ctx.learned.params.get(id(bound["f"]), {}))
        function = function_of(ctx, bound["f"])
        return Value(py.call("functools.reduce", function.py, over.py), replace(item, constant=None, positive=False))
    raise UnmovedError(f"Reduce() by {name or 'this function'}")


@value_of("Filter")
def _filtered(ctx: Context, args: Args) -> Value:
    bound = args.bound("f", "x")
    over = ctx.raw(bound["x"])
    item = _item(over.type)
    _tell(ctx, bound["f"], item)
    function = function_of(ctx, bound["f"])
    if over.type.kind not in ("list", "vector") or over.type.series or not _given(ctx, function, item, {}):
        raise UnmovedError(f"Filter() of a {over.type.kind}")
    kept = ast.ListComp(
        py.name("item"),
        [ast.comprehension(ast.Name("item", ast.Store()), over.py, [_call(function, py.name("item"), {})], 0)],
    )
    if over.type.kind == "list":
        return Value(kept, replace(over.type, full=False))
    return Value(py.call("np.array", kept), replace(over.type, full=False, rows=None))


@value_of("mapply", "Map")
def _side_by_side(ctx: Context, args: Args) -> Value:
    """Return a function of several vectors, item by item."""
    nodes = [arg.value for arg in args.given if arg.name in (None, "FUN", "f") and arg.value]
    if len(nodes) != len(args.given) or len(nodes) < 3 or not isinstance(nodes[0], Function | Name):
        raise UnmovedError(f"{args.name}() with these arguments")
    sides = [ctx.value(node) for node in nodes[1:]]
    items = [_item(side.type) for side in sides]
    if any(side.type.single or side.type.kind not in ("vector", "list") or side.type.series for side in sides):
        raise UnmovedError(f"{args.name}() of something else than vectors")
    if isinstance(nodes[0], Function):
        ctx.functions[str(id(nodes[0]))] = nodes[0]
        given = {p.name or "": item for p, item in zip(nodes[0].params, items, strict=False)}
        learn_call(ctx, function_type(nodes[0], None), given)
        ctx.facts.params.setdefault(id(nodes[0]), {}).update(ctx.learned.params.get(id(nodes[0]), {}))
    function = function_of(ctx, nodes[0])
    learn_call(ctx, function.type, dict(zip(parameter_names(ctx, function.type), items, strict=False)))
    function = in_numbers(function)
    result = function.type.item or UNKNOWN
    pairs = py.call("zip", *(side.py for side in sides), strict=py.constant(True))
    star = ast.Call(function.py, [ast.Starred(py.name("items"), ast.Load())], [])
    tree = ast.ListComp(star, [ast.comprehension(ast.Name("items", ast.Store()), pairs, [], 0)])
    if args.name == "Map":
        return Value(tree, Type("list", item=result, full=sides[0].type.full))
    if not result.single or sides[0].type.elem == "str":
        raise UnmovedError("mapply() of a function that returns vectors, or over strings")
    return Value(py.call("np.array", tree), vector_of(replace(result, series=False), full=sides[0].type.full))


@value_of("tapply")
def _by_group(ctx: Context, args: Args) -> Value:
    bound = args.bound("X", "INDEX", "FUN")
    values, groups = ctx.value(bound["X"]), ctx.value(bound["INDEX"])
    function = function_of(ctx, bound["FUN"])
    _given(ctx, function, Type("vector", values.type.elem, series=values.type.series), {})
    if groups.type.kind not in ("factor", "vector"):
        raise UnmovedError("tapply() by more than one factor")
    type_ = Type("vector", "float", series=True, full=True)
    return Value(py.call("r.tapply", values.py, groups.py, in_numbers(function).py), type_)
