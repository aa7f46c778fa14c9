"""``names(x) <- value`` and its like: colnames, rownames, levels, dim."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.context import Context, UnmovedError, Value
from pyrrf.migrate.places import Place
from pyrrf.migrate.tree import Call, Name
from pyrrf.migrate.types import Type


def _labels(found: Value) -> ast.expr:
    """Return labels as a list also where there is one alone."""
    return py.listing([found.py]) if found.type.single and found.type.elem == "str" else py.unwrapped(found.py)


def rename(ctx: Context, target: Call, found: Value, place: Place | None = None) -> None:
    """Move an assignment to a function of a name."""
    function = target.function.text
    first = target.args[0].value if len(target.args) == 1 else None
    if not isinstance(first, Name) or function not in _RENAMES:
        raise UnmovedError(f"{function}(x) <- is not known")
    owner = ctx.raw(first)
    if place is not None:
        _one_label(ctx, owner, function, place, found)
        return
    type_ = _RENAMES[function](ctx, first.name, owner, found)
    ctx.assign(first.name, type_)


def _one_label(ctx: Context, owner: Value, function: str, place: Place, found: Value) -> None:
    """Move ``names(x)[i] <- "a"`` of a table."""
    if owner.type.kind not in ("frame", "matrix") or not (owner.type.series or owner.type.kind == "frame"):
        raise UnmovedError(f"one of {function}(x) is assigned")
    if place.kind != "one" or function not in ("names", "colnames"):
        raise UnmovedError(f"some of {function}(x) are assigned")
    renamed = py.fill("_0.rename(columns={_0.columns[_1]: _2})", owner.py, place.py, found.py)
    assert isinstance(owner.py, ast.Name)
    ctx.emit(ast.Assign([ast.Name(owner.py.id, ast.Store())], renamed, lineno=0))


def _set_attribute(ctx: Context, owner: Value, name: str, labels: ast.expr) -> None:
    ctx.emit(ast.Assign([ast.Attribute(owner.py, name, ast.Store())], labels, lineno=0))


def _names(ctx: Context, name: str, owner: Value, found: Value) -> Type:
    labels = _labels(found)
    if owner.type.kind == "frame":
        return _colnames(ctx, name, owner, found)
    if owner.type.kind == "vector" and found.type.kind == "none":
        ctx.set(name, py.fill("_0.to_numpy()", owner.py))
        return replace(owner.type, series=False)
    if owner.type.kind == "vector" and owner.type.series:
        _set_attribute(ctx, owner, "index", labels)
        return owner.type
    if owner.type.kind == "vector":
        ctx.set(name, py.call("pd.Series", owner.py, index=labels))
        return replace(owner.type, series=True, rows=ctx.fresh_rows())
    if owner.type.kind == "list":
        ctx.set(name, py.fill("dict(zip(_0, _1))", labels, owner.py))
        return replace(owner.type, kind="dict")
    raise UnmovedError(f"names of a {owner.type.kind} are assigned")


def _colnames(ctx: Context, name: str, owner: Value, found: Value) -> Type:
    labels = _labels(found)
    if owner.type.kind == "matrix" and not owner.type.series:
        ctx.set(name, py.call("pd.DataFrame", owner.py, columns=labels))
        return replace(owner.type, series=True, rows=ctx.fresh_rows())
    if owner.type.kind not in ("matrix", "frame"):
        raise UnmovedError(f"names of the columns of a {owner.type.kind}")
    _set_attribute(ctx, owner, "columns", labels)
    parts: tuple[tuple[str, Type], ...] = ()
    if isinstance(labels, ast.List) and len(labels.elts) == len(owner.type.parts):
        new = [str(item.value) if isinstance(item, ast.Constant) else "" for item in labels.elts]
        parts = tuple((label, part) for label, (_, part) in zip(new, owner.type.parts, strict=True))
    return replace(owner.type, parts=parts)


def _rownames(ctx: Context, name: str, owner: Value, found: Value) -> Type:
    if owner.type.kind == "matrix" and not owner.type.series:
        ctx.set(name, py.call("pd.DataFrame", owner.py, index=_labels(found)))
        return replace(owner.type, series=True, rows=ctx.fresh_rows())
    if owner.type.kind not in ("matrix", "frame"):
        raise UnmovedError(f"names of the rows of a {owner.type.kind}")
    if found.type.kind == "none":
        ctx.set(name, py.fill("_0.reset_index(drop=True)", owner.py))
        return replace(owner.type, rows=ctx.fresh_rows(), counted=True)
    _set_attribute(ctx, owner, "index", _labels(found))
    return replace(owner.type, rows=ctx.fresh_rows(), counted=False)


def _levels(ctx: Context, name: str, owner: Value, found: Value) -> Type:
    if owner.type.kind != "factor":
        raise UnmovedError("levels of a value that may not be a factor")
    accessor = "_0.cat.rename_categories(_1)" if owner.type.series else "_0.rename_categories(_1)"
    ctx.set(name, py.fill(accessor, owner.py, _labels(found)))
    return owner.type


def _dim(ctx: Context, name: str, owner: Value, found: Value) -> Type:
    ctx.set(name, py.fill("np.reshape(_0, _1, order='F')", owner.py, py.unwrapped(found.py)))
    return Type("matrix", owner.type.elem, full=owner.type.full)


def _diagonal(ctx: Context, name: str, owner: Value, found: Value) -> Type:
    if owner.type.kind != "matrix" or owner.type.series or (owner.type.elem == "int" and found.type.elem != "int"):
        raise UnmovedError("the diagonal of this matrix is assigned")
    ctx.emit(py.call("np.fill_diagonal", owner.py, found.py))
    return owner.type


_RENAMES = {
    "diag": _diagonal,
    "names": _names,
    "colnames": _colnames,
    "rownames": _rownames,
    "row.names": _rownames,
    "levels": _levels,
    "dim": _dim,
}
