"""Functions applied to the rows, columns, cells and pairs of matrices: apply, outer, sweep, colSums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.r.base.attributes import put_dim
from pyrrf.r.base.functional import as_item, call, length_of, match_fun
from pyrrf.r.base.lists import unlist
from pyrrf.r.base.matrices import as_matrix, product
from pyrrf.r.base.vectors import rep
from pyrrf.r.values.arguments import flag
from pyrrf.r.values.coercion import cells_of, coerce, factor_labels, refuse_two_gaps, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, r_function
from pyrrf.r.values.kinds import is_factor, is_frame, is_list, is_null
from pyrrf.r.values.labels import dim_of, dimnames_along, dimnames_of, matrix_of, names_of
from pyrrf.r.values.vector import KINDS, NUMBERS, Value, as_value, doubles, integers, null, objects, strings
from pyrrf.rbase import margins


@r_function(repeats=True, called=("FUN",))
def sweep(
    x: Value,
    MARGIN: Value,
    STATS: Value,
    FUN: object = "-",
    check_margin: object = True,
    *dots: object,
    **named: object,
) -> Item:
    """Return a matrix with a number for each row or column taken away, or another operator used."""
    shape, margin = dim_of(x), [int(i) - 1 for i in coerce(MARGIN, "double")._data]
    if shape is None or not set(margin) <= set(range(len(shape))) or MARGIN._kind == "character":
        raise NotSupportedError("sweep() over dimensions that are none, or by their names")
    order = margin + [k for k in range(len(shape)) if k not in margin]
    wide = rep(STATS, length_out=int(np.prod(shape)))._data.reshape([shape[k] for k in order], order="F")
    other = matrix_of(STATS._kind, np.transpose(wide, np.argsort(order)))
    return as_value(call(match_fun(FUN), [x, other], dots, named))


# ---- functions of rows, columns, cells and pairs --------------------------------------------------


@r_function(repeats=True, called=("FUN",))
def outer(X: Value, Y: Value, FUN: object = "*", *dots: object, **named: object) -> Value:
    """Return the value of a function for each pair of items: their product by default."""
    refuse_if(is_frame(X) or is_frame(Y), "outer() of data frames")
    if isinstance(FUN, str) and FUN == "*":
        if any(v._kind not in NUMBERS or is_factor(v) for v in (X, Y)):
            raise RError("requires numeric/complex matrix/vector arguments")
        values = product(matrix_of(X._kind, X._data[:, None]), matrix_of(Y._kind, Y._data[None, :]))
    else:
        wide = rep(without(X, "dim"), len(Y)), rep(without(Y, "dim"), integers(np.full(len(Y), len(X))))
        values = as_value(call(match_fun(FUN), wide, dots, named))
    sizes = [dim_of(v) or (len(v),) for v in (X, Y)]
    values = put_dim(values, integers([*sizes[0], *sizes[1]]))
    labels = [v._attributes.get("dimnames") if dim_of(v) else _as_dimnames(v) for v in (X, Y)]
    if any(label is not None for label in labels):
        parts, names = list[Value](), list[str | None]()
        for label, size in zip(labels, sizes, strict=True):
            parts += [null() for _ in size] if label is None else [*label._data]
            names += [""] * len(size) if label is None else names_of(label) or [""] * len(size)
        headed = any(label is not None and "names" in label._attributes for label in labels)
        values._attributes["dimnames"] = Value("list", objects(parts), {"names": strings(names)} if headed else None)
    return values


def _as_dimnames(x: Value) -> Value | None:
    names = names_of(x)
    return None if names is None else Value("list", objects([strings(names) if names else null()]))


@r_function(repeats=True, called=("FUN",))
def apply(X: Value, MARGIN: Value, FUN: object, *dots: object, simplify: object = True, **named: object) -> Value:
    """Return the value of a function for each row (1), column (2), cell, or part of an array."""
    refuse_if(as_value(simplify)._kind != "logical", "apply() with simplify that is not logical")
    shape = dim_of(X) or ()
    stop_if(not shape, "dim(X) must have a positive length")
    grid, function, axes = as_matrix(X) if len(shape) == 2 else X, match_fun(FUN), _axes(MARGIN, len(shape))
    rest = [k for k in range(len(shape)) if k not in axes]
    inner, outside = [shape[k] for k in rest], [shape[k] for k in axes]
    count = int(np.prod(outside))
    refuse_if(not count, "apply() over no rows or columns")
    flat = np.transpose(cells_of(grid), [*rest, *axes]).reshape((-1, count), order="F")
    labels = dimnames_along(grid, rest)
    about = _inner_attributes(inner, labels)
    values = [as_item(call(function, [Value(grid._kind, flat[:, i].copy(), about)], dots, named)) for i in range(count)]
    return _simplify(values, outside, dimnames_along(grid, axes), labels, flag(simplify))


def _axes(margin: Value, k: int) -> list[int]:
    refuse_if(margin._kind == "character", "apply() over dimensions by their names")
    axes = [int(i) - 1 for i in coerce(margin, "double")._data]
    stop_if(any(not 0 <= axis < k for axis in axes) or len(set(axes)) < len(axes), "'MARGIN' does not match dim(X)")
    return axes


def _inner_attributes(shape: list[int], labels: Value | None) -> dict[str, Value]:
    if len(shape) >= 2:
        return {"dim": integers(shape)} | ({} if labels is None else {"dimnames": labels})
    return {} if labels is None or not shape or is_null(labels._data[0]) else {"names": labels._data[0]}


def _simplify(
    values: list[Item], outside: list[int], labels: Value | None, inner: Value | None, simplify: bool
) -> Value:
    """Return the results as a vector, an array, or a list where they have several lengths."""
    sizes = set(map(length_of, values))
    if any(isinstance(item, Value) and item._kind not in KINDS for item in values):
        raise NotSupportedError("apply() with formulas as results")
    first, count = values[0], len(values)
    flat = Value("list", objects(values))
    if simplify and isinstance(first, Value) and not is_list(first) and len(sizes) == 1:
        flat = unlist(flat, recursive=False)
    if len(flat) == count and len(outside) == 1:
        own = {"names": labels._data[0]} if labels is not None and len(labels._data[0]) else {}
        return Value(flat._kind, flat._data, without(flat, "names")._attributes | own)
    if not len(flat):
        return flat
    plain = factor_labels(flat) if is_factor(flat) else flat
    if len(flat) == count:
        shape, dimnames = outside, labels
    else:
        rows = names_of(first)
        if rows is not None and any(names_of(item) != rows for item in values):
            rows = None
        shape, dimnames = [len(flat) // count, *outside], _joined_dimnames(rows, labels, inner, len(outside))
    about = {"dim": integers(shape)} | ({} if dimnames is None else {"dimnames": dimnames})
    return Value(plain._kind, plain._data, about)


def _joined_dimnames(rows: list[str | None] | None, labels: Value | None, inner: Value | None, k: int) -> Value | None:
    parts = [null() if rows is None else strings(rows), *([null()] * k if labels is None else labels._data)]
    names = None if labels is None else names_of(labels)
    of_rows = names_of(inner) if inner is not None and len(inner) else None
    named = rows is not None and inner is not None and of_rows and of_rows[0] and len(rows) == len(inner._data[0])
    if names is None and not named:
        return None if all(map(is_null, parts)) else Value("list", objects(parts))
    head = of_rows[0] if named and of_rows else ""
    return Value("list", objects(parts), {"names": strings([head, *(names or [""] * k)])})


# ---- rows and columns ----------------------------------------------------------------------------


def _margin(name: str, function: Callable[[np.ndarray, bool], np.ndarray], axis: int) -> Callable[..., Value]:
    what = "sum" if name.endswith("Sums") else "mean"

    @r_function(name, f"Return the {what} of each {'column' if axis else 'row'}.")
    def compute(x: Value, na_rm: Flag = False) -> Value:
        k = len(dim_of(x) or ())
        stop_if(k < 2, "'x' must be an array of at least two dimensions")
        refuse_if(k > 2, "sums of an array of more than two dimensions")
        grid = as_matrix(x)
        stop_if(grid._kind not in NUMBERS, "'x' must be numeric")
        cells = cells_of(coerce(grid, "double", keep=True))
        lines = cells if axis else cells.T
        if not na_rm:
            for line in lines.T:
                refuse_two_gaps(line)
        labels = dimnames_of(grid)[axis]
        return doubles(function(lines, na_rm), {} if labels is None else {"names": strings(labels)})

    return compute


colSums = _margin("colSums", margins.column_sums, 1)
colMeans = _margin("colMeans", margins.column_means, 1)
rowSums = _margin("rowSums", margins.column_sums, 0)
rowMeans = _margin("rowMeans", margins.column_means, 0)
