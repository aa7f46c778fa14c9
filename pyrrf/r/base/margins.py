"""Functions applied to the rows, columns, cells and pairs of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.r.base.attributes import put_dim
from pyrrf.r.base.functional import call, given, match_fun
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.matrices import as_matrix, product
from pyrrf.r.base.vectors import rep
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.attributes import (
    dim_of,
    dimnames_of,
    factor_labels,
    is_factor,
    is_frame,
    is_list,
    names_of,
    refuse_two_gaps,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import (
    KINDS,
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    doubles,
    integers,
    is_null,
    null,
    objects,
    strings,
)
from pyrrf.rbase import margins


@r_function(repeats=True, called=("FUN",))
def outer(X: Any, Y: Any, FUN: Any = "*", *dots: Any, **named: Any) -> Value:
    """Return what a function gives for all pairs of items: their product by default."""
    x, y = as_value(X), as_value(Y)
    if is_frame(x) or is_frame(y):
        raise NotMovedError("outer() of data frames")
    sizes = [dim_of(v) or (len(v),) for v in (x, y)]
    if isinstance(FUN, str) and FUN == "*":
        if any(v._kind not in NUMBERS or is_factor(v) for v in (x, y)):
            raise RError("requires numeric/complex matrix/vector arguments")
        row = Value(y._kind, y._data, {"dim": integers([1, len(y)])})
        found = product(Value(x._kind, x._data, {"dim": integers([len(x), 1])}), row)
    else:
        bare = [Value(v._kind, v._data, {k: a for k, a in v._attributes.items() if k != "dim"}) for v in (x, y)]
        wide = rep(bare[0], times=len(y)), rep(bare[1], times=integers(np.full(len(y), len(x))))
        found = as_value(call(match_fun(FUN), wide, dots, named))
    made = put_dim(found, integers([*sizes[0], *sizes[1]]))
    labels = [v._attributes.get("dimnames") if dim_of(v) else _as_dimnames(v) for v in (x, y)]
    if all(label is None for label in labels):
        return made
    parts = [
        [null() for _ in size] if label is None else [*label._data] for label, size in zip(labels, sizes, strict=True)
    ]
    made._attributes["dimnames"] = Value("list", objects([*parts[0], *parts[1]]))
    if any(label is not None and "names" in label._attributes for label in labels):
        names = [_dimnames_names(label, size) for label, size in zip(labels, sizes, strict=True)]
        made._attributes["dimnames"]._attributes["names"] = strings([*names[0], *names[1]])
    return made


def _dimnames_names(labels: Value | None, size: tuple[int, ...]) -> list[str]:
    found = None if labels is None else labels._attributes.get("names")
    return [""] * len(size) if found is None else [str(name) for name in found._data]


def _as_dimnames(x: Value) -> Value | None:
    names = names_of(x)
    return None if names is None else Value("list", objects([strings(names) if names else null()]))


@r_function(repeats=True, called=("FUN",))
def apply(X: Any, MARGIN: Any, FUN: Any, *dots: Any, simplify: Any = True, **named: Any) -> Any:
    """Return what a function gives for each row (1), column (2), cell, or part of an array."""
    if as_value(simplify)._kind != "logical":
        raise NotMovedError("apply() with simplify that is not logical")
    grid, function, axes = _as_grid(X), match_fun(FUN), _axes(MARGIN, as_value(X))
    shape, dimnames = dim_of(grid) or (), grid._attributes.get("dimnames")
    rest = [k for k in range(len(shape)) if k not in axes]
    inner, outside = [shape[k] for k in rest], [shape[k] for k in axes]
    count = int(np.prod(outside))
    if not count:
        raise NotMovedError("apply() over no rows or columns")
    flat = np.transpose(grid._data.reshape(shape, order="F"), [*rest, *axes]).reshape((-1, count), order="F")
    about = _inner_attributes(inner, rest, dimnames)
    found = [given(call(function, [Value(grid._kind, flat[:, i].copy(), about)], dots, named)) for i in range(count)]
    return _applied(found, outside, _chosen(dimnames, axes), _chosen(dimnames, rest), flag(simplify))


def _as_grid(X: Any) -> Value:
    value = as_value(X)
    shape = dim_of(value)
    if not shape:
        raise RError("dim(X) must have a positive length")
    found = as_matrix(value) if len(shape) == 2 else value
    return Value(found._kind, found._data, {k: v for k, v in found._attributes.items() if k in ("dim", "dimnames")})


def _axes(MARGIN: Any, x: Value) -> list[int]:
    margin = as_value(MARGIN)
    if margin._kind == "character":
        raise NotMovedError("apply() over dimensions by their names")
    axes = [int(i) - 1 for i in coerced(margin, "double")._data]
    if any(not 0 <= axis < len(dim_of(x) or ()) for axis in axes) or len(set(axes)) < len(axes):
        raise RError("'MARGIN' does not match dim(X)")
    return axes


def _chosen(dimnames: Value | None, axes: list[int]) -> Value | None:
    """Return the labels of some dimensions, with their names."""
    if dimnames is None:
        return None
    names = dimnames._attributes.get("names")
    return Value("list", dimnames._data[axes], None if names is None else {"names": strings(names._data[axes])})


def _inner_attributes(inner: list[int], rest: list[int], dimnames: Value | None) -> dict[str, Value]:
    labels = _chosen(dimnames, rest)
    if len(inner) >= 2:
        shape = {"dim": integers(inner)}
        return shape if labels is None else shape | {"dimnames": labels}
    return {} if labels is None or not inner or is_null(labels._data[0]) else {"names": labels._data[0]}


def _applied(found: list[Any], outside: list[int], labels: Value | None, inner: Value | None, simplify: bool) -> Any:
    """Return the results as a vector, an array, or a list where they have several lengths."""
    sizes = {len(item) if isinstance(item, Value) else 1 for item in found}
    if any(isinstance(item, Value) and item._kind not in KINDS for item in found):
        raise NotMovedError("apply() with formulas as results")
    first = found[0]
    listy = not simplify or not isinstance(first, Value) or is_list(first) or len(sizes) > 1
    flat = Value("list", objects(found))
    if not listy:
        flat = unlist(flat, recursive=False)
    count = len(found)
    if len(flat) == count and len(outside) == 1:
        own = null() if labels is None else labels._data[0]
        about = {k: v for k, v in flat._attributes.items() if k != "names"}
        return Value(flat._kind, flat._data, about | ({"names": own} if len(own) else {}))
    if not len(flat):
        return flat
    bare = factor_labels(flat) if is_factor(flat) else flat
    if len(flat) == count:
        return Value(
            bare._kind, bare._data, {"dim": integers(outside)} | ({} if labels is None else {"dimnames": labels})
        )
    about = {"dim": integers([len(flat) // count, *outside])}
    rows = names_of(first)
    if rows is not None and any(names_of(item) != rows for item in found):
        rows = None
    dimnames = _joined_dimnames(rows, labels, inner, len(outside))
    return Value(bare._kind, bare._data, about if dimnames is None else about | {"dimnames": dimnames})


def _joined_dimnames(rows: Any, labels: Value | None, inner: Value | None, k: int) -> Value | None:
    parts = [null() if rows is None else strings(rows), *([null()] * k if labels is None else labels._data)]
    names = None if labels is None else labels._attributes.get("names")
    outer_name = (
        None
        if inner is None or not len(inner) or "names" not in inner._attributes
        else inner._attributes["names"]._data[0]
    )
    kept = rows is not None and outer_name and inner is not None and len(rows) == len(inner._data[0])
    if names is None and not kept:
        return None if all(is_null(part) for part in parts) else Value("list", objects(parts))
    tail = [""] * k if names is None else [*names._data]
    return Value("list", objects(parts), {"names": strings([outer_name if kept else "", *tail])})


# ---- rows and columns ----------------------------------------------------------------------------


def _margin(x: Any, na_rm: Any, function: Callable[..., Any], axis: int) -> Value:
    value = as_value(x)
    if not is_frame(value) and len(dim_of(value) or ()) < 2:
        raise RError("'x' must be an array of at least two dimensions")
    if not is_frame(value) and len(dim_of(value) or ()) > 2:
        raise NotMovedError("sums of an array of more than two dimensions")
    grid = as_matrix(value)
    if grid._kind not in NUMBERS:
        raise RError("'x' must be numeric")
    cells = coerced(grid, "double")._data.reshape(dim_of(grid), order="F")
    if not flag(na_rm):
        for line in cells.T if axis else cells:
            refuse_two_gaps(line)
    found = function(cells if axis else cells.T, flag(na_rm))
    labels = dimnames_of(grid)[axis]
    return doubles(found, {} if labels is None else {"names": strings(labels)})


def colSums(x: Any, na_rm: Any = False) -> Value:
    """Return the sum of each column."""
    return _margin(x, na_rm, margins.column_sums, 1)


def colMeans(x: Any, na_rm: Any = False) -> Value:
    """Return the mean of each column."""
    return _margin(x, na_rm, margins.column_means, 1)


def rowSums(x: Any, na_rm: Any = False) -> Value:
    """Return the sum of each row."""
    return _margin(x, na_rm, margins.column_sums, 0)


def rowMeans(x: Any, na_rm: Any = False) -> Value:
    """Return the mean of each row."""
    return _margin(x, na_rm, margins.column_means, 0)
