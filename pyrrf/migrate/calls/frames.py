"""Matrices and data frames."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.calls.functional import function_of, in_numbers
from pyrrf.migrate.calls.registry import Args, done_by, is_true, value_of
from pyrrf.migrate.components import COMPONENTS
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.operators import as_array
from pyrrf.migrate.places import ALL, Place, place_of
from pyrrf.migrate.subscripts import cells
from pyrrf.migrate.tree import Arg, Binary, Call, Name, Node, walk
from pyrrf.migrate.types import FLOAT, FLOATS, FRAME, INT, INTS, STR, STRS, Type, elem_of, vector_of


@value_of("matrix")
def _matrix(ctx: Context, args: Args) -> Value:
    bound = args.bound("data", "nrow", "ncol", "byrow", "dimnames")
    data = ctx.value(bound["data"]) if "data" in bound else Value(py.fill("np.nan"), replace(FLOAT, missing=True))
    rows, columns = (ctx.value(bound[n]).py if n in bound else None for n in ("nrow", "ncol"))
    byrow = is_true(bound.get("byrow"), False)
    if data.type.kind not in ("scalar", "vector") or (rows is None and columns is None):
        raise UnmovedError("matrix() of this shape")
    type_ = Type("matrix", data.type.elem, full=True, missing=data.type.missing)
    minus = py.constant(-1)
    shape = ast.Tuple([rows or minus, columns or minus], ast.Load())
    if data.type.single:
        if rows is None or columns is None:
            raise UnmovedError("matrix() of one value without its shape")
        tree = _filled(data, shape)
        elem = "float" if data.type.elem == "int" else data.type.elem
        type_ = replace(type_, elem=elem)
    elif byrow:
        tree = py.fill("_0.reshape(_1)", as_array(data).py, shape)
    else:
        tree = py.fill("_0.reshape(_1, order='F')", as_array(data).py, shape)
    if "dimnames" not in bound:
        return Value(tree, type_)
    return _with_names(ctx, tree, type_, bound["dimnames"])


def _filled(data: Value, shape: ast.expr) -> ast.expr:
    """Return a matrix of one value; its zeros are floats, so that fractions can be put in."""
    if data.type.constant == 0:
        return py.call("np.zeros", shape)
    tree = data.py
    if data.type.elem == "int" and isinstance(tree, ast.Constant):
        tree = ast.Constant(float(tree.value))  # type: ignore[arg-type]
    return py.call("np.full", shape, tree)


def _with_names(ctx: Context, tree: ast.expr, type_: Type, node: Node) -> Value:
    if not isinstance(node, Call) or node.function.text != "list" or len(node.args) != 2:
        raise UnmovedError("dimnames that are not a list of two")
    values = [ctx.value(arg.value) for arg in node.args if arg.value is not None]
    names = {"index": values[0], "columns": values[1]}
    keywords = {key: v.py for key, v in names.items() if v.type.kind != "none"}
    return Value(py.call("pd.DataFrame", tree, **keywords), replace(type_, series=True, rows=ctx.fresh_rows()))


@value_of("data.frame")
def _frame(ctx: Context, args: Args) -> Value:
    settings = ("stringsAsFactors", "check.names", "row.names")
    columns = [arg for arg in args.given if arg.name not in settings]
    options = {str(arg.name): arg.value for arg in args.given if arg.name in settings}
    strings = is_true(options.get("stringsAsFactors"), False)
    if "row.names" in options:
        raise UnmovedError("row.names of data.frame()")
    if not columns:
        return Value(py.call("pd.DataFrame"), replace(FRAME, counted=True))
    first = ctx.value(columns[0].value) if columns[0].name is None and columns[0].value is not None else None
    if first is not None and first.type.kind in ("matrix", "frame"):
        return _widened(ctx, first, columns[1:], strings)
    keys: list[ast.expr | None] = []
    found: list[Value] = []
    for arg in columns:
        if arg.value is None or (arg.name is None and not isinstance(arg.value, Name)):
            raise UnmovedError("data.frame() of a column without a name")
        value = ctx.value(arg.value)
        if value.type.kind not in ("scalar", "vector", "factor"):
            raise UnmovedError(f"data.frame() of a {value.type.kind}")
        keys.append(py.constant(arg.name or getattr(arg.value, "name", "")))
        found.append(
            _as_factor(value) if strings and value.type.elem == "str" and value.type.kind != "factor" else value
        )
    found = _on_own_rows(found)
    if all(value.type.single for value in found):
        found = [Value(py.listing([value.py]), vector_of(value.type, full=True)) for value in found]
    rows = ctx.fresh_rows()
    parts = tuple((str(k.value), v.type) for k, v in zip(keys, found, strict=True) if isinstance(k, ast.Constant))
    type_ = Type(
        "frame",
        rows=rows,
        counted=not any(value.type.series for value in found),
        full=any(value.type.full and not value.type.single for value in found),
        missing=any(value.type.missing for value in found),
        parts=parts,
    )
    return Value(py.call("pd.DataFrame", ast.Dict(keys, [value.py for value in found])), type_)


def _widened(ctx: Context, table: Value, columns: list[Arg], strings: bool) -> Value:
    """Return a table with columns more."""
    parts = table.type.parts if table.type.kind == "frame" else ()
    tree = table.py
    if table.type.kind == "matrix":
        bare = [] if table.type.series else [py.constant("X")]
        tree = py.call("pd.DataFrame", tree) if table.type.series else py.call("r.as_data_frame", tree, *bare)
    added: dict[str, ast.expr] = {}
    for arg in columns:
        name = arg.name or getattr(arg.value, "name", "")
        found = ctx.value(arg.value) if arg.value is not None else None
        if found is None or not str(name).isidentifier() or found.type.kind not in ("scalar", "vector", "factor"):
            raise UnmovedError("data.frame() of a table and a column without a name")
        found = _as_factor(found) if strings and found.type.elem == "str" and found.type.kind != "factor" else found
        added[str(name)] = (_bare(found) if found.type.kind == "factor" else as_array(found)).py
        parts = (*parts, (str(name), replace(found.type, series=False, rows=None)))
    tree = py.fill("_0.copy()", tree) if not added and table.type.kind == "frame" else tree
    if added:
        tree = ast.Call(py.attribute(tree, "assign"), [], [py.named(name, value) for name, value in added.items()])
    type_ = replace(table.type, kind="frame", series=False, parts=parts, rows=table.type.rows or ctx.fresh_rows())
    return Value(tree, replace(type_, counted=table.type.counted or not table.type.series))


def _as_factor(found: Value) -> Value:
    return Value(py.call("r.factor", found.py), replace(found.type, kind="factor", series=False))


def _on_own_rows(found: list[Value]) -> list[Value]:
    """Return columns of which at most one has labels, so that pandas puts them side by side as they are."""
    first = next((value.type.rows for value in found if value.type.series), None)
    several = sum(value.type.series for value in found) > 1
    mixed = several and (first is None or any(v.type.series and v.type.rows != first for v in found))
    return [as_array(v) if v.type.kind == "vector" else _bare(v) for v in found] if mixed else found


def _bare(found: Value) -> Value:
    if found.type.kind == "factor" and found.type.series:
        return Value(py.fill("_0.array", found.py), replace(found.type, series=False, rows=None))
    return found


@value_of("as.data.frame")
def _as_frame(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind == "frame":
        return found
    if found.type.kind == "dict" and found.type.item is not None and found.type.item.kind == "vector":
        item = replace(found.type.item, series=False, rows=None)
        return Value(
            py.call("pd.DataFrame", found.py), Type("frame", item.elem, rows=ctx.fresh_rows(), missing=item.missing)
        )
    if found.type.kind != "matrix":
        raise UnmovedError(f"as.data.frame() of a {found.type.kind}")
    type_ = Type(
        "frame",
        found.type.elem,
        rows=found.type.rows or ctx.fresh_rows(),
        full=found.type.full,
        missing=found.type.missing,
    )
    if found.type.series:
        return Value(py.call("pd.DataFrame", found.py), replace(type_, parts=()))
    tree = py.call("r.as_data_frame", found.py)
    return Value(tree, replace(type_, counted=True))


@value_of("as.matrix", "data.matrix")
def _as_matrix(ctx: Context, args: Args) -> Value:
    found = args.one()
    if found.type.kind == "matrix":
        return found
    if found.type.kind != "frame" or any(part.elem in ("str", "unknown") for _, part in found.type.parts):
        raise UnmovedError(f"{args.name}() of a {found.type.kind} that may contain text")
    elem = "float" if not found.type.parts else found.type.parts[0][1].elem
    for _, part in found.type.parts:
        elem = elem_of(elem, part.elem)
    return Value(found.py, Type("matrix", elem, series=True, rows=found.type.rows, full=found.type.full))


@value_of("nrow", "NROW", "ncol", "dim")
def _size(ctx: Context, args: Args) -> Value:
    found = args.one_raw()
    table = found.type.kind in ("matrix", "frame")
    type_ = replace(INT, positive=found.type.full or (args.name == "ncol" and table))
    if args.name == "dim" and table:
        return Value(py.call("np.array", py.attribute(found.py, "shape")), replace(INTS, full=True))
    if args.name == "ncol" and table:
        return Value(py.fill("_0.shape[1]", found.py), type_)
    if args.name == "NROW" or (args.name == "nrow" and table):
        return Value(py.call("len", found.py), type_)
    raise UnmovedError(f"{args.name}() of a {found.type.kind}")


@value_of("names", "colnames", "rownames", "row.names")
def _names(ctx: Context, args: Args) -> Value:
    inner = args.given[0].value if args.given else None
    if isinstance(inner, Call) and inner.function.text in ("which.max", "which.min") and args.name == "names":
        of = Args(inner.function.text, inner.args, ctx).one()
        if of.type.kind == "vector" and of.type.series:
            place = py.call(f"r.{py.python_name(inner.function.text)}", of.py)
            return Value(py.fill("_0.index[_1]", of.py, place), STR)
    found = args.one_raw()
    rows = args.name in ("rownames", "row.names")
    type_ = replace(STRS, full=found.type.full)
    table = found.type.kind == "frame" or (found.type.kind == "matrix" and found.type.series)
    if table and rows:
        return Value(
            py.call("r.rownames", found.py) if found.type.kind == "frame" else py.fill("_0.index", found.py), type_
        )
    if table:
        return Value(py.fill("_0.columns", found.py), replace(type_, full=True))
    if found.type.what == "table" and found.type.kind == "vector" and args.name == "names":
        return Value(py.fill("r.as_character(_0.index)", found.py), replace(type_, full=True))
    if found.type.kind == "vector" and found.type.series and args.name == "names":
        return Value(py.fill("_0.index", found.py), type_)
    if found.type.kind == "dict" and args.name == "names":
        return Value(py.fill("np.array(list(_0))", found.py), type_)
    raise UnmovedError(f"{args.name}() of a {found.type.kind} whose names are not known")


@value_of("rbind", "cbind")
def _bound(ctx: Context, args: Args) -> Value:
    found = []
    names: dict[str, Value] = {}
    for arg in args.given:
        if arg.name in ("stringsAsFactors", "deparse.level"):
            raise UnmovedError(f"the argument {arg.name} of {args.name}()")
        if arg.value is None:
            raise UnmovedError(f"an argument of {args.name}() is empty")
        value = ctx.value(arg.value)
        if (
            args.name == "cbind"
            and (arg.name or isinstance(arg.value, Name))
            and value.type.kind in ("vector", "factor")
        ):
            names[str(arg.name or getattr(arg.value, "name", ""))] = value
        elif args.name == "rbind" and value.type.kind == "vector" and value.type.series and value.type.rows is not None:
            found.append(as_array(value))
        elif arg.name is not None or names:
            raise UnmovedError(f"{args.name}() with names for some of its parts")
        else:
            found.append(value)
    values = [*found, *names.values()]
    kinds = {value.type.kind for value in values} - {"none"}
    if kinds - {"scalar", "vector", "factor", "matrix", "frame"}:
        raise UnmovedError(f"{args.name}() of a {(kinds - {'scalar', 'vector', 'factor', 'matrix', 'frame'}).pop()}")
    keywords = {name: value.py for name, value in names.items()}
    tree = py.call(f"r.{args.name}", *(value.py for value in found), **keywords)
    return Value(tree, _bound_type(ctx, args.name, values, bool(names)))


def _bound_type(ctx: Context, name: str, values: list[Value], named: bool) -> Type:
    full = any(value.type.full for value in values)
    missing = any(value.type.missing for value in values)
    frames = [value.type for value in values if value.type.kind == "frame"]
    if frames:
        rows = frames[0].rows if name == "cbind" else ctx.fresh_rows()
        parts = max((frame.parts for frame in frames), key=len)
        counted_ = all(frame.counted for frame in frames)
        return Type("frame", rows=rows, full=full, missing=missing, parts=parts, counted=counted_)
    elem = values[0].type.elem
    for value in values[1:]:
        if value.type.kind != "none":
            elem = elem_of(elem, value.type.elem) if elem != "unknown" else value.type.elem
    series = named or any(value.type.series and value.type.kind == "matrix" for value in values)
    series = series or any(value.type.series for value in values)
    return Type("matrix", elem, series=series, full=full, missing=missing, rows=ctx.fresh_rows())


@value_of("expand.grid")
def _grid(ctx: Context, args: Args) -> Value:
    parts = []
    for arg in args.given:
        if arg.name is None or arg.value is None:
            raise UnmovedError("expand.grid() of vectors without names")
        if arg.name != "stringsAsFactors":
            column = ctx.value(arg.value).type
            parts.append((arg.name, replace(vector_of(column, full=True), positive=column.positive)))
    keywords = {}
    for arg in args.given:
        if arg.name and arg.value:
            keywords[arg.name] = py.unwrapped(ctx.value(arg.value).py)
    tree = py.call("r.expand_grid", **keywords)
    return Value(tree, Type("frame", rows=ctx.fresh_rows(), counted=True, full=True, parts=tuple(parts)))


@value_of("na.omit", "na.roughfix", "complete.cases")
def _complete(ctx: Context, args: Args) -> Value:
    found = args.one()
    if args.name == "complete.cases":
        type_ = Type("vector", "bool", what=f"complete {ast.unparse(found.py)}")
        return Value(py.fill("_0.notna().all(axis=1).to_numpy()", found.py), type_)
    if found.type.kind != "frame":
        raise UnmovedError(f"{args.name}() of a {found.type.kind}")
    parts = tuple((name, replace(part, missing=False)) for name, part in found.type.parts)
    type_ = replace(found.type, missing=False, parts=parts)
    if args.name == "na.omit":
        type_ = replace(type_, rows=ctx.fresh_rows(), counted=False)
        return Value(py.fill("_0.dropna()", found.py), type_)
    return Value(py.call("pyrrf.na_roughfix", found.py), type_)


@value_of("aggregate")
def _aggregate(ctx: Context, args: Args) -> Value:
    bound = args.bound("x", "by", "FUN", "data") if _has_by(args) else args.bound("x", "data", "FUN")
    if "FUN" not in bound:
        raise UnmovedError("aggregate() without FUN")
    function = in_numbers(function_of(ctx, bound["FUN"])).py
    if "by" in bound:
        return _aggregate_by(ctx, bound, function)
    formula = bound.get("x")
    if not isinstance(formula, Binary) or formula.operator != "~" or set(bound) != {"x", "data", "FUN"}:
        raise UnmovedError("aggregate() without a formula, data and FUN")
    targets, groups = _aggregated(formula.left), _terms(formula.right)
    data = ctx.value(bound["data"])
    if data.type.kind != "frame":
        raise UnmovedError("aggregate() of a value that may not be a data frame")
    rows = py.item(data.py, py.listing([py.constant(name) for name in (*targets, *groups)]))
    table = py.fill("_0.dropna()", rows) if data.type.missing else data.py
    keys: list[ast.expr | None] = [py.constant(name) for name in groups]
    by = ast.Dict(keys, [py.item(table, py.constant(name)) for name in groups])
    tree = py.call("r.aggregate", py.item(table, py.listing([py.constant(name) for name in targets])), by, function)
    parts = tuple((name, replace(data.type.part(name) or Type("vector"), missing=False)) for name in groups)
    parts = (*parts, *((name, FLOATS) for name in targets))
    return Value(tree, Type("frame", rows=ctx.fresh_rows(), counted=True, full=data.type.full, parts=parts))


def _has_by(args: Args) -> bool:
    second = [arg.value for arg in args.given if arg.name is None][1:2]
    return any(arg.name == "by" for arg in args.given) or any(
        isinstance(node, Call) and node.function.text == "list" for node in second
    )


def _aggregated(node: Node) -> list[str]:
    """Return the columns left of the tilde: one, or those of cbind()."""
    nodes = [arg.value for arg in node.args] if isinstance(node, Call) and node.function.text == "cbind" else [node]
    if not all(isinstance(inner, Name) and inner.name != "." for inner in nodes):
        raise UnmovedError("aggregate() of computed columns, or of all others")
    return [inner.name for inner in nodes if isinstance(inner, Name)]


def _terms(node: Node) -> list[str]:
    if isinstance(node, Binary) and node.operator == "+":
        return _terms(node.left) + _terms(node.right)
    return _aggregated(node)


def _aggregate_by(ctx: Context, bound: dict[str, Node], function: ast.expr) -> Value:
    """Move aggregate(x, by = list(g = v), FUN)."""
    found, by = ctx.value(bound["x"]), ctx.value(bound["by"])
    if found.type.kind not in ("vector", "frame") or by.type.kind not in ("list", "dict"):
        raise UnmovedError(f"aggregate() of a {found.type.kind}")
    groups = [(name, part) for name, part in by.type.parts]
    if by.type.kind == "list":
        count = len(by.py.elts) if isinstance(by.py, ast.List) else 0
        groups = [(f"Group.{i + 1}", by.type.item or Type("vector")) for i in range(count)]
    targets = [name for name, _ in found.type.parts] if found.type.kind == "frame" else ["x"]
    parts = (*groups, *((name, FLOATS) for name in targets))
    tree = py.call("r.aggregate", found.py, by.py, function)
    return Value(tree, Type("frame", rows=ctx.fresh_rows(), counted=True, full=found.type.full, parts=parts))


@done_by("with")
def _within(ctx: Context, args: Args) -> None:
    """Move a statement whose names are looked up in a table first."""
    bound = args.bound("data", "expr")
    owner = ctx.raw(bound["data"])
    ctx.members.append((owner, _members(ctx, owner.type, bound["expr"])))
    try:
        ctx.run(bound["expr"])
    finally:
        ctx.members.pop()


@value_of("subset")
def _subset(ctx: Context, args: Args) -> Value:
    """Move subset(x, condition, select = c(...))."""
    bound = args.bound("x", "subset", "select")
    table = ctx.value(bound["x"])
    if table.type.kind != "frame" or (not table.type.parts and "subset" in bound):
        raise UnmovedError("subset() of a table whose columns are not known")
    rows, columns = ALL, ALL
    ctx.members.append((table, members_of(table.type)))
    try:
        if "subset" in bound:
            rows = place_of(ctx, Arg(None, bound["subset"]))
    finally:
        ctx.members.pop()
    if "select" in bound:
        columns = _named_columns(bound["select"])
    return cells(ctx, table, rows, columns, dropped=False)


def _named_columns(node: Node) -> Place:
    """Return the columns that ``select`` names without quotes."""
    names = [arg.value for arg in node.args] if isinstance(node, Call) and node.function.text == "c" else [node]
    if not all(isinstance(name, Name) for name in names):
        raise UnmovedError("select of subset() that is not a list of names")
    labels = [py.constant(name.name) for name in names if isinstance(name, Name)]
    return Place("names", py.listing(labels), STRS)


@value_of("setNames")
def _with_labels(ctx: Context, args: Args) -> Value:
    found, labels = (ctx.value(node) for node in args.plain())
    if found.type.kind != "vector" or labels.type.elem != "str":
        raise UnmovedError(f"setNames() of a {found.type.kind}")
    tree = py.call("pd.Series", as_array(found).py, index=py.unwrapped(labels.py))
    return Value(tree, replace(found.type, series=True, rows=ctx.fresh_rows()))


@value_of("with", "within", "transform", "stack", "reshape")
def _evaluated(ctx: Context, args: Args) -> Value:
    if args.name != "with":
        raise UnmovedError(f"{args.name}() is not translated; use brackets")
    bound = args.bound("data", "expr")
    owner = ctx.raw(bound["data"])
    ctx.members.append((owner, _members(ctx, owner.type, bound["expr"])))
    try:
        return counted(ctx.raw(bound["expr"]))
    finally:
        ctx.members.pop()


def _members(ctx: Context, type_: Type, node: Node) -> set[str]:
    """Return the names that with() finds; where the columns are not known, those that nothing else has."""
    if type_.kind == "frame" and not type_.parts:
        names = {inner.name for inner in walk(node) if isinstance(inner, Name)}
        functions = {inner.function.text for inner in walk(node) if isinstance(inner, Call)}
        if not any(ctx.find(name) for name in names - functions):
            return names - functions
    return members_of(type_)


def members_of(type_: Type) -> set[str]:
    """Return the names that with() finds in a value."""
    if type_.what in COMPONENTS or type_.kind == "fit":
        return set(COMPONENTS[type_.what if type_.what in COMPONENTS else "fit"])
    if type_.kind in ("frame", "dict") and type_.parts:
        return {name for name, _ in type_.parts}
    raise UnmovedError("with() of a value whose columns are not known")
