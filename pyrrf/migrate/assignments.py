"""Assignments: to a name, to items, columns and components, and to names(x) and its like."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.context import Context, UnmovedError, Value, assigned_names, counted
from pyrrf.migrate.copies import as_doubles, learn_doubles, owned, owned_by
from pyrrf.migrate.functions import define
from pyrrf.migrate.operators import as_array
from pyrrf.migrate.places import Place, place_of
from pyrrf.migrate.renames import rename
from pyrrf.migrate.tree import Assign, Call, Constant, Function, Index, Member, Name, Node, Text
from pyrrf.migrate.types import Type, elem_of, join

_AUGMENTED = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def assign(ctx: Context, node: Assign) -> None:
    """Move an assignment."""
    target = node.target
    if isinstance(target, Text):
        target = Name(target.first, target.last, target.text, target.value)
    if node.outer:
        _to_outside(ctx, target, node.value)
        return
    for name in assigned_names(node) - {target.name if isinstance(target, Name) else ""}:
        if name not in ctx.names and ctx.outer and not ctx.is_declared(name):
            raise UnmovedError(
                f"a copy of {name}, which stands outside of the function, is changed; make it a parameter"
            )
    if isinstance(target, Name):
        _to_name(ctx, target.name, node.value)
    elif isinstance(target, Member):
        kept = ctx.raw(node.value)
        kept = Value(owned(ctx, node.value, kept), kept.type)
        _to_part(ctx, target.of, py.constant(target.name), target.name, kept)
    elif isinstance(target, Index):
        _to_items(ctx, target, node.value)
    elif isinstance(target, Call):
        rename(ctx, target, ctx.value(node.value))
    else:
        raise UnmovedError("this cannot be assigned to")


def _to_outside(ctx: Context, target: Node, node: Node) -> None:
    """Move ``<<-``; the function has said at its beginning that the name stands outside."""
    names = assigned_names(Assign(0, 0, "", target, node, True))
    name = next(iter(names), "")
    if not ctx.is_declared(name) or not isinstance(target, Name | Index):
        raise UnmovedError("<<- to a name that is not assigned before the function, or is one of the function, too")
    scope = next(scope for scope in reversed(ctx.outer) if name in scope)
    if isinstance(target, Index):
        assign(ctx, Assign(target.first, target.last, target.text, target, node, False))
        found = ctx.names.pop(name, scope[name])
    else:
        value = ctx.raw(node)
        found = counted(value).type if value.type.kind in ("scalar", "vector") else value.type
        ctx.set(name, counted(value).py if value.type.kind in ("scalar", "vector") else value.py)
    found = replace(found, constant=None, rows=None)
    scope[name] = join(scope[name], found)
    ctx.learned.outside[name] = join(ctx.learned.outside.get(name), found)


def _to_name(ctx: Context, name: str, node: Node) -> None:
    if isinstance(node, Assign):  # a <- b <- 0
        assign(ctx, node)
        if not isinstance(node.target, Name):
            raise UnmovedError("a chain of assignments to items")
        node = node.target
    if isinstance(node, Function):
        from_function = define(ctx, name, node)
        ctx.assign(name, from_function)
        return
    found = ctx.raw(node)
    if found.type.zero and name in ctx.facts.numbers and found.type.kind in ("scalar", "vector"):
        found = counted(found)
    if found.type.kind == "vector" and _counts(found.type) and ctx.wants_positions(name):
        found = Value(py.shifted(found.py, -1), replace(found.type, zero=True, positive=False))
    if found.type.kind == "list" and name in ctx.usage.named | ctx.facts.keyed and isinstance(found.py, ast.List):
        found = Value(ast.Dict([], []) if not found.py.elts else found.py, replace(found.type, kind="dict"))
    if name in ctx.usage.deep and isinstance(found.py, ast.List | ast.Dict) and found.type.full:
        found = Value(py.call("copy.deepcopy", found.py), found.type)
    found = as_doubles(ctx, name, Value(owned_by(ctx, name, node, found), found.type))
    ctx.set(name, found.py)
    constant = found.type.constant if name not in ctx.loop_names else None
    ctx.assign(name, replace(found.type, constant=constant))


def _counts(type_: Type) -> bool:
    """Whether a vector can only hold positions as R counts."""
    return type_.positive and type_.elem == "int" and not type_.zero


def _to_part(ctx: Context, of: Node, label: ast.expr, name: str | None, found: Value) -> None:
    """Assign a column of a frame or an item of a named list."""
    owner = ctx.raw(of)
    if owner.type.kind == "fit":
        raise UnmovedError("a component of a fit is assigned")
    if owner.type.kind not in ("frame", "dict"):
        raise UnmovedError(f"a component of a {owner.type.kind} is assigned")
    if found.type.kind == "none":
        ctx.emit(ast.Delete([ast.Subscript(owner.py, label, ast.Del())]))
        return
    if owner.type.kind == "frame":
        found = _as_column(owner.type, counted(found))
    _store(ctx, py.item(owner.py, label), found.py)
    if isinstance(of, Name) and name is not None:
        part = found.type
        if owner.type.kind == "frame":
            kind = "factor" if part.kind == "factor" else "vector"
            part = replace(part, kind=kind, constant=None, series=True, rows=owner.type.rows)
        known = owner.type.with_part(name, part)
        if owner.type.kind == "dict":
            known = replace(known, item=join(owner.type.item, part))
        ctx.assign(of.name, known)
    elif isinstance(of, Name) and owner.type.kind == "dict":
        ctx.assign(of.name, replace(owner.type, item=join(owner.type.item, found.type)))
    elif isinstance(of, Name):
        ctx.assign(of.name, owner.type)


def _as_column(owner: Type, found: Value) -> Value:
    """Return what becomes a column of a frame, without labels that are not the frame's."""
    if found.type.series and (found.type.rows is None or found.type.rows != owner.rows):
        factor = found.type.kind != "vector"
        tree = py.fill("_0.array", found.py) if factor else py.call("np.asarray", found.py)
        found = Value(tree, replace(found.type, series=False))
    return _real(found)


def _real(found: Value) -> Value:
    """Return a number that fills a column as R has it, a double: pandas would refuse fractions in whole numbers."""
    number = found.py.value if isinstance(found.py, ast.Constant) else None
    if not isinstance(number, int) or isinstance(number, bool):
        return found
    return Value(ast.Constant(float(number)), replace(found.type, elem="float"))


def _store(ctx: Context, target: ast.expr, found: ast.expr) -> None:
    """Write an assignment to a place; ``x[i] += 1`` where that is what it says."""
    stored = ast.parse(ast.unparse(target)).body[0]
    assert isinstance(stored, ast.Expr)
    place = stored.value
    place.ctx = ast.Store()  # type: ignore[attr-defined]
    if isinstance(found, ast.BinOp) and isinstance(found.op, _AUGMENTED) and py.same(found.left, target):
        ctx.emit(ast.AugAssign(place, found.op, found.right))  # type: ignore[arg-type]
        return
    ctx.emit(ast.Assign([place], found, lineno=0))


def _to_items(ctx: Context, target: Index, node: Node) -> None:
    """Assign to ``x[i]``, ``x[[i]]`` or ``x[i, j]``."""
    args = [arg for arg in target.args if arg.name not in ("drop", "exact")]
    if len(args) == 2:
        owner = ctx.raw(target.of)
        found = ctx.value(node)
        if isinstance(target.of, Name):
            learn_doubles(ctx, target.of, owner.type, found.type)
        _to_cells(ctx, owner, place_of(ctx, args[0]), place_of(ctx, args[1]), found)
        return
    if len(args) != 1:
        raise UnmovedError("items in more than two dimensions are assigned")
    place = place_of(ctx, args[0])
    if isinstance(target.of, Member) or (isinstance(target.of, Index) and target.of.double):
        owner = ctx.raw(target.of.of)
        if owner.type.kind == "frame":
            label = _label(ctx, target.of)
            _to_cells(ctx, owner, place, label, ctx.value(node))
            return
    if isinstance(target.of, Call):
        rename(ctx, target.of, ctx.value(node), place)
        return
    owner = ctx.raw(target.of)
    if owner.type.kind in ("frame", "dict") and place.kind == "name":
        name = place.py.value if isinstance(place.py, ast.Constant) else None
        kept = ctx.raw(node)
        kept = Value(owned(ctx, node, kept), kept.type)
        _to_part(ctx, target.of, place.py, None if name is None else str(name), kept)
        return
    _to_vector(ctx, target, owner, place, node)


def _label(ctx: Context, of: Member | Index) -> Place:
    if isinstance(of, Member):
        return Place("name", py.constant(of.name))
    return place_of(ctx, of.args[0])


def _to_vector(ctx: Context, target: Index, owner: Value, place: Place, node: Node) -> None:
    kind = owner.type.kind
    found = ctx.raw(node) if kind in ("list", "dict", "none") and target.double else ctx.value(node)
    found = Value(owned(ctx, node, found), found.type) if target.double else found
    if kind in ("vector", "matrix", "unknown"):
        learn_doubles(ctx, target.of, owner.type, found.type)
    if owner.type.zero:
        ctx.learned.numbers |= assigned_names(Assign(0, 0, "", target, node, False))
        raise UnmovedError("items of positions, counted from 0 here, are assigned")
    by_rule = kind == "vector" and place.kind in ("other", "drop", "name")
    if isinstance(target.of, Name) and (by_rule or _grows(owner.type, found.type, place, target.double)):
        _put(ctx, target.of.name, owner, place, found, target.double)
        return
    _check_items(ctx, target, owner.type, place, node)
    if kind == "vector" and isinstance(target.of, Index | Member) and not owner.type.series and place.kind == "one":
        _store(ctx, owner.py, py.call("r.put", owner.py, place.py, found.py))
        return
    tree = as_array(found).py if found.type.series else found.py
    where = place.py.value if isinstance(place.py, ast.Constant) and place.kind == "name" else None
    index = place.py
    if place.kind == "mask" and place.type.series and place.type.rows != owner.type.rows:
        index = py.fill("_0.to_numpy()", place.py)
    if kind == "matrix" and not (place.type.kind == "matrix" and found.type.single):
        _to_matrix(owner, place, found, ctx)
        return
    accessor = owner.py
    if owner.type.series and place.kind in ("one", "many", "slice"):
        accessor = py.attribute(owner.py, "iloc")
    _store(ctx, py.item(accessor, index), _same_form(tree, found, owner.py, accessor, index))
    if isinstance(target.of, Name) and where is None:
        elem = elem_of(owner.type.elem, found.type.elem) if kind == "vector" else owner.type.elem
        item = join(owner.type.item, found.type) if kind == "list" else owner.type.item
        full = owner.type.full
        ctx.assign(target.of.name, replace(owner.type, elem=elem, item=item, full=full, missing=found.type.missing))


def _to_matrix(owner: Value, place: Place, found: Value, ctx: Context) -> None:
    """Assign to ``m[i]`` or ``m[m > 0]`` of a matrix, down its columns."""
    if owner.type.series or place.kind not in ("one", "many", "slice", "mask"):
        raise UnmovedError("items of a matrix with names are assigned by one subscript")
    if place.type.kind == "matrix":
        mask = py.fill("_0.to_numpy().T" if place.type.series else "_0.T", place.py)
        target = py.item(py.attribute(owner.py, "T"), mask)
    else:
        target = ast.Subscript(py.fill("_0.T.flat", owner.py), place.py)
    _store(ctx, target, as_array(found).py)


def _check_items(ctx: Context, target: Index, owner: Type, place: Place, node: Node) -> None:
    """Raise an error where items cannot be assigned."""
    kind = owner.kind
    if kind == "list" and place.kind == "name" and isinstance(target.of, Name):
        ctx.learned.keyed.add(target.of.name)
        raise UnmovedError("an item of a list without names is assigned by name")
    if kind not in ("vector", "factor", "list", "matrix", "frame") or place.kind in ("other", "drop"):
        raise UnmovedError(f"items of a {kind} are assigned by a subscript of unknown kind")
    if isinstance(node, Constant) and node.name == "NULL":
        raise UnmovedError("items are taken out by NULL")


def _same_form(tree: ast.expr, found: Value, owner: ast.expr, accessor: ast.expr, index: ast.expr) -> ast.expr:
    """Return what is assigned; of ``x[i] <- x[i] + 1`` the labels are the same, so the sum may stay one of pandas."""
    plain = found.py
    if isinstance(plain, ast.BinOp) and py.same(plain.left, py.item(accessor, index)):
        return plain
    return tree


def _grows(owner: Type, found: Type, place: Place, double: bool) -> bool:
    """Whether an assignment may make the vector longer, or change what it holds."""
    if owner.kind == "none" or (owner.kind == "list" and not owner.full and double):
        return True
    if isinstance(place.py, ast.Call) and ast.unparse(place.py.func) == "len":  # x[length(x) + 1]
        return owner.kind in ("list", "vector") and not owner.series
    if owner.kind != "vector" or owner.series:
        return False
    if not owner.full and place.kind == "one":
        return True
    narrow = {"bool": 0, "int": 1, "float": 2, "str": 3}
    return narrow.get(found.elem, 4) > narrow.get(owner.elem, 4) or "str" in (owner.elem, found.elem)


def _put(ctx: Context, name: str, owner: Value, place: Place, found: Value, double: bool) -> None:
    """Write ``x = r.put(x, i, value)``, which widens and lengthens as R does."""
    if place.kind == "drop":
        every = py.fill("np.arange(len(_0))", owner.py)
        place = replace(place, kind="many", py=py.call("r.drop", every, place.py))
    if place.kind == "slice":
        place = replace(place, kind="many", py=py.call("np.arange", *_range(place.py)))
    if place.kind == "all":
        raise UnmovedError("a part of a vector of unknown length is assigned")
    if place.kind in ("other", "name"):
        ctx.set(name, py.call("r.put_at", owner.py, place.py, found.py))
    else:
        ctx.set(name, py.call("r.put", owner.py, place.py, found.py))
    listed = owner.type.kind == "list" or (owner.type.kind == "none" and double and not found.type.single)
    if listed:
        type_ = Type("list", item=join(owner.type.item, found.type))
    elif owner.type.kind == "vector":
        type_ = replace(owner.type, elem=elem_of(owner.type.elem, found.type.elem))
    else:
        type_ = Type("vector", found.type.elem)
    if place.kind == "name" and type_.kind == "vector":
        type_ = replace(type_, series=True)
    elif place.kind == "name":
        ctx.learned.keyed.add(name)
        type_ = replace(type_, kind="dict")
    ctx.assign(name, type_)


def _range(tree: ast.expr) -> list[ast.expr]:
    """Return the ends of a slice for np.arange."""
    assert isinstance(tree, ast.Slice)
    assert tree.upper is not None
    return [tree.upper] if tree.lower is None else [tree.lower, tree.upper]


def _to_cells(ctx: Context, owner: Value, rows: Place, columns: Place, found: Value) -> None:
    """Assign to ``x[i, j]`` or ``x$a[i]``."""
    if owner.type.kind not in ("matrix", "frame") or {rows.kind, columns.kind} & {"other", "drop"}:
        raise UnmovedError("cells of a value of unknown kind are assigned")
    both = rows.kind != "one" and columns.kind not in ("one", "name")
    if both and found.type.kind == "vector":
        raise UnmovedError("a vector is assigned to several rows and columns; R goes down the columns")
    tree = as_array(found).py if found.type.series and found.type.kind == "vector" else found.py
    rows = _plain_mask(rows)
    columns = _plain_mask(columns)
    if owner.type.kind == "matrix" and not owner.type.series:
        if "name" in (rows.kind, columns.kind) or "names" in (rows.kind, columns.kind):
            raise UnmovedError("the matrix has no names that are known")
        index: ast.expr = ast.Tuple([rows.py, columns.py], ast.Load())
        if rows.several and columns.several:
            index = py.call("np.ix_", rows.py, columns.py)
        _store(ctx, py.item(owner.py, index), tree)
        return
    if owner.type.kind == "frame" and _may_widen(ctx, owner, columns, found.type):
        _put_cells(ctx, owner, rows, columns, tree)
        return
    _store(ctx, _table_place(owner, rows, columns), found.py if _is_own(found, owner, rows, columns) else tree)


def _may_widen(ctx: Context, owner: Value, columns: Place, found: Type) -> bool:
    """Whether a column may hold another kind of value after an assignment than before."""
    label = columns.py.value if isinstance(columns.py, ast.Constant) else None
    part = owner.type.part(str(label)) if columns.kind == "name" and label is not None else None
    if part is None or part.elem == "unknown":
        return found.elem not in ("int", "bool") or found.missing or columns.kind not in ("name", "one")
    order = ("bool", "int", "float", "str", "unknown")
    name = f"{ast.unparse(owner.py)}${label!s}"
    if part.kind != "factor" and (order.index(found.elem) > order.index(part.elem) or (found.missing and part.numeric)):
        ctx.learned.doubles.add(name)
    return name in ctx.learned.doubles


def _put_cells(ctx: Context, owner: Value, rows: Place, columns: Place, found: ast.expr) -> None:
    """Write r.put_cells(), which widens columns as R does."""
    places: list[ast.expr] = []
    for place in (rows, columns):
        if place.kind == "slice":
            places.append(py.call("slice", *_ends(place.py)))
        else:
            places.append(py.constant(None) if place.kind == "all" else place.py)
    ctx.emit(py.call("r.put_cells", owner.py, *places, found))


def _ends(tree: ast.expr) -> list[ast.expr]:
    assert isinstance(tree, ast.Slice)
    return [py.constant(None) if end is None else end for end in (tree.lower, tree.upper)]


def _is_own(found: Value, owner: Value, rows: Place, columns: Place) -> bool:
    left = found.py.left if isinstance(found.py, ast.BinOp) else None
    return left is not None and py.same(left, _table_place(owner, rows, columns))


def _plain_mask(place: Place) -> Place:
    if place.kind == "mask" and place.type.series:
        return replace(place, py=py.fill("_0.to_numpy()", place.py))
    return place


def _table_place(owner: Value, rows: Place, columns: Place) -> ast.expr:
    """Return where cells of a table are."""
    labels = ("name", "names")
    if rows.kind == "all" and columns.kind in labels:
        return py.item(owner.py, columns.py)
    by_label = rows.kind in labels or rows.kind == "mask" or (owner.type.counted and rows.kind in ("one", "many"))
    if columns.kind in labels and by_label:
        accessor = "loc"
    elif columns.kind == "name":
        accessor = "iloc"
        columns = Place("one", py.fill("_0.columns.get_loc(_1)", owner.py, columns.py))
    elif columns.kind in labels or rows.kind in labels:
        raise UnmovedError("cells by names here and positions there")
    else:
        accessor = "iloc"
    both = ast.Tuple([rows.py, columns.py], ast.Load())
    return ast.Subscript(py.attribute(owner.py, accessor), both, ast.Load())
