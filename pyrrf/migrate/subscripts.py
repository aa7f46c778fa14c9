"""``x[i]``, ``x[i, j]``, ``x[[i]]`` and ``x$name`` as values."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.components import COMPONENTS
from pyrrf.migrate.context import Context, UnmovedError, Value, counted
from pyrrf.migrate.places import ALL, Place, place_of
from pyrrf.migrate.tree import Constant, Index, Member
from pyrrf.migrate.types import UNKNOWN, Type, scalar_of


def member_value(ctx: Context, node: Member) -> Value:
    """Return ``x$name``."""
    return component(ctx, ctx.raw(node.of), node.name)


def component(ctx: Context, of: Value, name: str) -> Value:
    """Return a column, an item, or a component of a fit."""
    label = py.constant(name)
    if of.type.kind == "frame" and of.type.what == "row":
        return Value(py.fill("_0[_1].iloc[0]", of.py, label), scalar_of(column_type(of.type, name)))
    if of.type.kind == "frame":
        return Value(py.item(of.py, label), column_type(of.type, name))
    if of.type.kind == "dict":
        return Value(py.item(of.py, label), of.type.part(name) or of.type.item or UNKNOWN)
    if of.type.kind == "fit" or of.type.what in COMPONENTS:
        return _fit_component(ctx, of, name)
    if of.type.kind == "unknown":
        return Value(py.call("r.index", of.py, label))
    raise UnmovedError(f"${name} of a {of.type.kind}")


def _fit_component(ctx: Context, of: Value, name: str) -> Value:
    known = COMPONENTS[of.type.what if of.type.what in COMPONENTS else "fit"]
    if name not in known:
        raise UnmovedError(f"the component {name} of a {of.type.what or 'fit'} is not here")
    type_ = known[name]
    if name in ("predicted", "y") and of.type.elem == "str":
        type_ = Type("factor", "str", series=True, full=True)
    if name == "test":
        type_ = replace(type_, elem=of.type.elem)
    return Value(py.attribute(of.py, py.python_name(name)), type_)


def column_type(frame: Type, name: str) -> Type:
    """Return the type of a column."""
    known = frame.part(name) or Type("vector", "unknown", missing=frame.missing)
    kind = known.kind if known.kind in ("vector", "factor") else "vector"
    return replace(known, kind=kind, series=True, rows=frame.rows, full=frame.full, zero=False, constant=None)


def index_value(ctx: Context, node: Index) -> Value:
    """Return ``x[...]`` or ``x[[...]]``."""
    keep = [arg for arg in node.args if arg.name == "drop"]
    dropped = not (keep and isinstance(keep[0].value, Constant) and keep[0].value.name == "FALSE")
    args = [arg for arg in node.args if arg.name not in ("drop", "exact")]
    of = ctx.raw(node.of)
    if len(args) == 2:
        return cells(ctx, of, place_of(ctx, args[0]), place_of(ctx, args[1]), dropped)
    if len(args) != 1:
        raise UnmovedError("subscripts of more than two dimensions")
    if node.double:
        return element(ctx, of, place_of(ctx, args[0]))
    return items(ctx, of, place_of(ctx, args[0]))


def _told(of: Value, *places: Place) -> Value:
    """Leave a subscript of unknown kind to the rules of R when the script runs."""
    for place in places:
        if place.kind in ("slice", "drop"):
            raise UnmovedError("a subscript of a value of unknown kind")
    args = [py.constant(None) if p.kind == "all" else counted(Value(p.py, p.type)).py for p in places]
    return Value(py.call("r.index", counted(of).py, *args), _told_type(of.type, places))


def _told_type(type_: Type, places: tuple[Place, ...]) -> Type:
    """Return what is known of a value whose subscript is looked at when the script runs."""
    single = [place.type.single for place in places]
    if type_.kind in ("matrix", "frame") and len(places) == 2 and not any(single):
        return replace(type_, rows=None, full=False, counted=False)
    if type_.kind == "matrix" and len(places) == 2 and all(single):
        return scalar_of(type_)
    if type_.kind == "vector" and all(single):
        return scalar_of(replace(type_, zero=False))
    return Type("unknown", type_.elem, missing=type_.missing)


def items(ctx: Context, of: Value, place: Place) -> Value:
    """Return ``x[i]``."""
    kind = of.type.kind
    if kind == "frame":
        return _columns(ctx, of, place, dropped=False)
    if kind == "matrix" and place.type.kind == "matrix":
        # R goes down the columns.
        tables = ["_0.to_numpy().T" if of.type.series else "_0.T", "_1.to_numpy().T" if place.type.series else "_1.T"]
        return Value(py.fill(f"{tables[0]}[{tables[1]}]", of.py, place.py), Type("vector", of.type.elem))
    if kind == "matrix" and place.kind not in ("name", "names", "all", "mask"):
        code = "_0.to_numpy().ravel(order='F')" if of.type.series else "_0.ravel(order='F')"
        return items(ctx, Value(py.fill(code, of.py), replace(of.type, kind="vector", series=False)), place)
    if kind not in ("vector", "factor") or place.kind == "other":
        return _told(of, place)
    type_ = replace(of.type, rows=ctx.fresh_rows() if of.type.series else None, full=False, parts=())
    if place.kind == "one":
        found = py.fill("_0.iloc[_1]" if of.type.series else "_0[_1]", of.py, place.py)
        return Value(found, scalar_of(of.type))
    if place.kind == "name":
        return Value(py.item(of.py, place.py), scalar_of(of.type))
    return Value(_taken(of, place), type_)


def _taken(of: Value, place: Place) -> ast.expr:
    """Return the items or rows that a subscript selects."""
    if place.kind == "all":
        return of.py
    if place.kind == "drop":
        return py.call("r.drop", of.py, place.py)
    if place.kind == "mask":
        return py.item(of.py, _mask(of, place))
    if not of.type.series and of.type.kind != "frame":
        if place.kind in ("name", "names"):
            raise UnmovedError("names of a vector whose names are not known")
        return py.item(of.py, place.py)
    if place.kind in ("name", "names"):
        return py.fill("_0.loc[_1]", of.py, place.py)
    return ast.Subscript(py.attribute(of.py, "iloc"), place.py, ast.Load())


def _mask(of: Value, place: Place) -> ast.expr:
    """Return a mask that pandas does not try to bring in order."""
    if place.type.series and (place.type.rows is None or place.type.rows != of.type.rows):
        return py.fill("_0.to_numpy()", place.py)
    return place.py


def element(ctx: Context, of: Value, place: Place) -> Value:
    """Return ``x[[i]]``."""
    if of.type.kind == "frame":
        return _columns(ctx, of, place, dropped=True)
    if of.type.kind == "dict" and place.kind == "name":
        name = place.py.value if isinstance(place.py, ast.Constant) else None
        known = of.type.part(str(name)) if name is not None else None
        return Value(py.item(of.py, place.py), known or of.type.item or UNKNOWN)
    if of.type.kind == "list" and place.kind == "one":
        return Value(py.item(of.py, place.py), of.type.item or UNKNOWN)
    if of.type.kind == "dict" and place.kind == "one":
        return Value(py.fill("list(_0.values())[_1]", of.py, place.py), of.type.item or UNKNOWN)
    if of.type.kind == "vector":
        return items(ctx, of, place)
    if place.kind == "name" and isinstance(place.py, ast.Constant):
        return component(ctx, of, str(place.py.value))
    return _told(of, place)


def cells(ctx: Context, of: Value, rows: Place, columns: Place, dropped: bool) -> Value:
    """Return ``x[i, j]``."""
    if of.type.kind not in ("matrix", "frame") or "other" in (rows.kind, columns.kind):
        return _told(of, rows, columns)
    if of.type.kind == "matrix" and not of.type.series:
        return _block(of, rows, columns, dropped)
    positional = ("one", "many", "slice", "mask")
    if rows.kind in positional and columns.kind in positional and of.type.kind == "matrix":
        found = _iloc(of, _as_arrays(rows), _as_arrays(columns))
        return Value(found, _block_type(ctx, of.type, rows, columns, dropped))
    chosen = _columns(ctx, of, columns, dropped)
    return _rows(ctx, chosen, rows, dropped)


def _iloc(of: Value, rows: Place, columns: Place) -> ast.expr:
    both = ast.Tuple([rows.py, columns.py], ast.Load())
    return ast.Subscript(py.attribute(of.py, "iloc"), both, ast.Load())


def _block_type(ctx: Context, type_: Type, rows: Place, columns: Place, dropped: bool) -> Type:
    if dropped and rows.kind == columns.kind == "one":
        return scalar_of(type_)
    if dropped and "one" in (rows.kind, columns.kind):
        return replace(type_, kind="vector", rows=ctx.fresh_rows(), parts=())
    return replace(type_, rows=ctx.fresh_rows(), parts=())


def _block(of: Value, rows: Place, columns: Place, dropped: bool) -> Value:
    """Return cells of an array."""
    tree = of.py
    for axis, place in enumerate((rows, columns)):
        if place.kind in ("name", "names"):
            raise UnmovedError("the matrix has no names that are known")
        if place.kind == "drop":
            tree = py.call("r.drop", tree, place.py, **({"axis": py.constant(1)} if axis else {}))
    rows, columns = (ALL if p.kind == "drop" else _as_arrays(p) for p in (rows, columns))
    single = [p.kind == "one" for p in (rows, columns)]
    if rows.several and columns.several:
        index: ast.expr = py.call("np.ix_", rows.py, columns.py)
    else:
        parts = [p.py if not (p.kind == "one" and not dropped) else py.listing([p.py]) for p in (rows, columns)]
        index = parts[0] if columns.kind == "all" else ast.Tuple(parts, ast.Load())
    if not (rows.kind == columns.kind == "all"):
        tree = py.item(tree, index)
    type_ = replace(of.type, full=False, rows=None)
    if dropped and all(single):
        return Value(tree, scalar_of(type_))
    return Value(tree, replace(type_, kind="vector") if dropped and any(single) else type_)


def _as_arrays(place: Place) -> Place:
    if place.kind == "mask" and place.type.series:
        return replace(place, py=py.fill("_0.to_numpy()", place.py))
    return place


def _columns(ctx: Context, of: Value, place: Place, dropped: bool) -> Value:
    """Return columns of a table."""
    frame = of.type.kind == "frame"
    if place.kind == "all":
        return of
    if place.kind in ("name", "one") and dropped:
        name = str(place.py.value) if place.kind == "name" and isinstance(place.py, ast.Constant) else None
        at = py.constant_of(place.py) if place.kind == "one" else None
        if isinstance(at, int) and 0 <= at < len(of.type.parts):
            name = of.type.parts[at][0]
        tree = py.item(of.py, place.py) if place.kind == "name" else py.fill("_0.iloc[:, _1]", of.py, place.py)
        if frame:
            return Value(tree, column_type(of.type, name or ""))
        return Value(tree, replace(of.type, kind="vector", parts=()))
    parts: tuple[tuple[str, Type], ...] = ()
    if place.kind in ("name", "names"):
        labels = place.py if place.kind == "names" else py.listing([place.py])
        tree = py.item(of.py, labels)
        if isinstance(labels, ast.List):
            wanted = {item.value for item in labels.elts if isinstance(item, ast.Constant)}
            parts = tuple((n, t) for n, t in of.type.parts if n in wanted)
        else:
            parts = of.type.parts
    elif place.kind == "drop":
        tree = py.call("r.drop", of.py, place.py, axis=py.constant(1))
        parts = of.type.parts
    else:
        index = py.listing([place.py]) if place.kind == "one" else _as_arrays(place).py
        both = ast.Tuple([ast.Slice(None, None), index], ast.Load())
        accessor = "loc" if place.kind == "mask" else "iloc"
        tree = ast.Subscript(py.attribute(of.py, accessor), both, ast.Load())
        parts = _parts_at(of.type.parts, place)
    if place.kind == "other":
        raise UnmovedError("columns by a subscript of unknown kind")
    return Value(tree, replace(of.type, parts=parts))


def _parts_at(parts: tuple[tuple[str, Type], ...], place: Place) -> tuple[tuple[str, Type], ...]:
    """Return the columns that positions in the script select, all of them if they are computed."""
    tree = place.py
    if isinstance(tree, ast.Slice) and place.kind == "slice":
        start = 0 if tree.lower is None else py.constant_of(tree.lower)
        stop = len(parts) if tree.upper is None else py.constant_of(tree.upper)
        if isinstance(start, int) and isinstance(stop, int):
            return parts[start:stop]
    if isinstance(tree, ast.List):
        places = [py.constant_of(item) for item in tree.elts]
        if all(isinstance(at, int) and at < len(parts) for at in places):
            return tuple(parts[at] for at in places if isinstance(at, int))
    return parts


def _rows(ctx: Context, of: Value, place: Place, dropped: bool) -> Value:
    """Return rows of a table, or items of the column that was chosen."""
    if place.kind == "all":
        return of
    if of.type.kind in ("vector", "factor"):
        if place.kind == "name":
            return Value(py.fill("_0.loc[_1]", of.py, place.py), scalar_of(of.type))
        return items(ctx, of, place)
    type_ = replace(of.type, rows=ctx.fresh_rows(), full=False, counted=False)
    if place.kind in ("one", "name"):
        accessor = "iloc" if place.kind == "one" else "loc"
        alone = of.type.kind == "matrix" and dropped
        index = place.py if alone else py.listing([place.py])
        tree = ast.Subscript(py.attribute(of.py, accessor), index, ast.Load())
        one = replace(type_, full=True, what="row")
        return Value(tree, replace(type_, kind="vector", parts=(), full=True) if alone else one)
    if place.type.what == f"complete {ast.unparse(of.py)}":
        parts = tuple((name, replace(part, missing=False)) for name, part in type_.parts)
        type_ = replace(type_, missing=False, parts=parts)
    return Value(_taken(of, place), type_)
