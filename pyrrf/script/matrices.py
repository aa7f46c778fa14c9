"""Matrices: made, turned, multiplied, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.rbase import arithmetic
from pyrrf.script.subscripts import items, places
from pyrrf.script.values import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    coerced,
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_labels,
    flag,
    integers,
    is_factor,
    is_frame,
    is_list,
    is_null,
    logicals,
    names_of,
    null,
    number,
    objects,
    row_count,
    row_names,
    strings,
    wider,
)


def made(kind: str, grid: np.ndarray, labels: Any = (None, None), names: Value | None = None) -> Value:
    """Return a matrix of a kind, with labels if there are any."""
    about = {"dim": integers(grid.shape)}
    if any(part is not None for part in labels):
        about["dimnames"] = dimnames_value(labels, names)
    return Value(kind, grid.ravel(order="F"), about)


def cells_of(x: Value) -> np.ndarray:
    """Return the data of a matrix in its shape."""
    return x._data.reshape(dim_of(x), order="F")


def matrix(data: Any = None, nrow: Any = None, ncol: Any = None, byrow: Any = False, dimnames: Any = None) -> Value:
    """Return a matrix, its values taken column by column, or row by row."""
    value = as_value(data) if data is not None else logicals(np.nan)
    if is_frame(value):
        raise NotMovedError("matrix() of a data frame; as.matrix() takes one")
    if is_factor(value):
        value = factor_labels(value)
    if value._kind == "NULL":
        raise RError("'data' must be of a vector type, was 'NULL'")
    n = len(value)
    rows = None if nrow is None else int(number(nrow))
    columns = None if ncol is None else int(number(ncol))
    if rows is None and columns is None:
        rows, columns = n, 1
    elif rows is None:
        rows = -(-n // columns) if columns else 0
    elif columns is None:
        columns = -(-n // rows) if rows else 0
    size = rows * columns
    _warn_of_length(n, rows, columns)
    flat = np.resize(value._data, size) if n else _gaps(value._kind, size)
    grid = flat.reshape((rows, columns), order="C" if flag(byrow) else "F")
    found = Value(value._kind, grid.ravel(order="F"), {"dim": integers([rows, columns])})
    if is_null(dimnames):
        return found
    from pyrrf.script.attributes import put_dimnames

    return put_dimnames(found, dimnames)


def _warn_of_length(n: int, rows: int, columns: int) -> None:
    if n > 1 and rows * columns % n:
        if (n > rows and n // rows * rows != n) or (n < rows and rows // n * n != rows):
            warn(f"data length [{n}] is not a sub-multiple or multiple of the number of rows [{rows}]")
        elif (n > columns and n // columns * columns != n) or (n < columns and columns // n * n != columns):
            warn(f"data length [{n}] is not a sub-multiple or multiple of the number of columns [{columns}]")


def _gaps(kind: str, n: int) -> np.ndarray:
    from pyrrf.script.values import REAL_NA

    if kind in NUMBERS:
        return np.full(n, REAL_NA if kind == "double" else np.nan)
    return objects([None] * n if kind == "character" else [null() for _ in range(n)])


def array(data: Any = None, dim: Any = None, dimnames: Any = None) -> Value:
    """Return an array of a shape."""
    value = as_value(data) if data is not None else logicals(np.nan)
    shape = integers([len(value)]) if dim is None else coerced(dim, "integer")
    size = int(np.prod(shape._data))
    flat = np.resize(value._data, size) if len(value) else _gaps(value._kind, size)
    found = Value(value._kind, flat, {"dim": Value("integer", shape._data)})
    if is_null(dimnames):
        return found
    from pyrrf.script.attributes import put_dimnames

    return put_dimnames(found, dimnames)


def as_matrix(x: Any, *dots: Any, rownames_force: Any = None) -> Value:
    """Return a matrix: of a data frame with one kind for all columns, of a vector one column."""
    value = as_value(x)
    if is_frame(value):
        return _of_frame(value)
    if len(dim_of(value) or ()) == 2:
        return value
    if is_factor(value):
        value = factor_labels(value)
    names = names_of(value)
    about = {"dim": integers([len(value), 1])}
    if names is not None:
        about["dimnames"] = dimnames_value([names, None])
    return Value(value._kind, value._data, about)


def _of_frame(x: Value) -> Value:
    n, p = row_count(x), len(x)
    columns = [factor_labels(column) if is_factor(column) else column for column in x._data]
    if any(is_list(column) or dim_of(column) is not None for column in columns):
        raise NotMovedError("a matrix of a data frame with lists or matrices in it")
    kind = wider("logical", *(column._kind for column in columns)) if p else "logical"
    mixed = kind == "character"
    data = [_texts(column) if mixed else coerced(column, kind)._data for column in columns]
    rows = x._attributes["row.names"]
    automatic = rows._kind == "integer" and np.array_equal(rows._data, np.arange(1, n + 1))
    labels = None if automatic else row_names(x)
    flat = np.concatenate(data) if data else np.zeros(0)
    about = {"dim": integers([n, p]), "dimnames": dimnames_value([labels, names_of(x)])}
    return Value(kind, flat, about)


def _texts(column: Value) -> np.ndarray:
    """Return a column as text among columns of text: numbers as format() gives them."""
    if column._kind in ("integer", "double"):
        from pyrrf.script.formats import format as formatted

        gaps = np.isnan(column._data)
        shown = formatted(Value(column._kind, column._data))._data.copy()
        shown[gaps] = None
        return shown
    return coerced(column, "character")._data


def data_matrix(frame: Any) -> Value:
    """Return a matrix of numbers: factors by their codes."""
    value = as_value(frame)
    if not is_frame(value):
        return value
    columns = [Value("integer", column._data) if is_factor(column) else column for column in value._data]
    if any(column._kind == "character" for column in columns):
        raise NotMovedError("data.matrix() of strings")
    return _of_frame(Value("list", objects(columns), value._attributes))


def t(x: Any) -> Value:
    """Return rows as columns."""
    value = as_matrix(x) if is_frame(as_value(x)) else as_value(x)
    shape = dim_of(value)
    if shape is None or len(shape) == 1:
        names = names_of(value)
        about = {"dim": integers([1, len(value)])}
        if names is not None:
            about["dimnames"] = dimnames_value([None, names])
        return Value(value._kind, value._data, about)
    if len(shape) != 2:
        raise RError("argument is not a matrix")
    labels = dimnames_of(value)
    old = value._attributes.get("dimnames")
    names_ = None
    if old is not None and "names" in old._attributes:
        names_ = strings(old._attributes["names"]._data[::-1])
    turned = made(value._kind, cells_of(value).T, labels[::-1], names_)
    if "class" in value._attributes:
        turned._attributes["class"] = value._attributes["class"]
    return turned


def _numbers(x: Any) -> Value:
    value = as_matrix(x) if is_frame(as_value(x)) else as_value(x)
    if value._kind not in NUMBERS:
        raise RError("requires numeric/complex matrix/vector arguments")
    return Value("double", coerced(value, "double")._data, value._attributes)


def product(x: Any, y: Any) -> Value:
    """Return the product of two matrices; a vector is a row or a column, as fits."""
    a, b = _numbers(x), _numbers(y)
    left, right = dim_of(a), dim_of(b)
    if left is None and right is None:
        left, right = ((1, len(a)), (len(b), 1)) if len(a) == len(b) else ((len(a), 1), (1, len(b)))
        if len(a) != len(b) and 1 not in (len(a), len(b)):
            raise RError("non-conformable arguments")
    elif left is None and right is not None:
        left = (1, len(a)) if len(a) == right[0] else (len(a), 1)
    elif right is None and left is not None:
        right = (len(b), 1) if len(b) == left[1] else (1, len(b))
    assert left is not None
    assert right is not None
    if left[1] != right[0]:
        raise RError("non-conformable arguments")
    grid = arithmetic.matrix_product(a._data.reshape(left, order="F"), b._data.reshape(right, order="F"))
    rows = dimnames_of(a)[0] if dim_of(a) else None
    columns = dimnames_of(b)[1] if dim_of(b) else None
    return made("double", grid, (rows, columns))


def crossprod(x: Any, y: Any = None) -> Value:
    """Return ``t(x) %*% y``."""
    return product(t(as_matrix(x)), as_matrix(x if y is None else y))


def tcrossprod(x: Any, y: Any = None) -> Value:
    """Return ``x %*% t(y)``."""
    return product(as_matrix(x), t(as_matrix(x if y is None else y)))


def diag(x: Any = 1, nrow: Any = None, ncol: Any = None, names: Any = True) -> Value:
    """Return the diagonal of a matrix, or a matrix with a diagonal."""
    value = as_value(x)
    shape = dim_of(value)
    if shape is not None:
        grid = cells_of(value)
        rows, columns = dimnames_of(value)[:2]
        found = np.diagonal(grid).copy()
        n = len(found)
        named = rows is not None and columns is not None and rows[:n] == columns[:n] and flag(names)
        return Value(value._kind, found, {"names": strings((rows or [])[:n])} if named else {})
    if len(value) == 1 and nrow is None:
        n = int(number(value))
        return made("double", np.eye(n))
    n = len(value) if nrow is None else int(number(nrow))
    p = n if ncol is None else int(number(ncol))
    grid = np.zeros((n, p))
    k = min(n, p)
    data = coerced(value, "double" if value._kind != "integer" else "integer")._data
    grid[np.arange(k), np.arange(k)] = np.resize(data, k)
    return made("integer" if value._kind == "integer" else "double", grid)


def put_diag(x: Any, value: Any) -> Value:
    """Return ``x`` after ``diag(x) <- value``."""
    found, new = as_value(x), as_value(value)
    n = min(dim_of(found) or (0,))
    if len(new) not in (1, n):
        raise RError("replacement diagonal has wrong length")
    kind = wider(found._kind, new._kind)
    grid = cells_of(coerced(found, kind, keep=True)).copy()
    grid[np.arange(n), np.arange(n)] = np.resize(coerced(new, kind)._data, n)
    return Value(kind, grid.ravel(order="F"), found._attributes)


def _triangle(test: Callable[[np.ndarray, np.ndarray, bool], np.ndarray]) -> Callable[..., Value]:
    def found(x: Any, diag: Any = False) -> Value:
        shape = dim_of(as_matrix(x)) or (0, 0)
        rows, columns = np.indices(shape)
        return made("logical", test(rows, columns, flag(diag)).astype(np.float64))

    found.__doc__ = "Return which cells lie in a triangle of a matrix."
    return found


lower_tri = _triangle(lambda i, j, diag: i >= j if diag else i > j)
upper_tri = _triangle(lambda i, j, diag: i <= j if diag else i < j)


def row(x: Any) -> Value:
    """Return the number of the row of each cell."""
    return made("integer", np.indices(dim_of(as_value(x)) or (0, 0))[0] + 1.0)


def col(x: Any) -> Value:
    """Return the number of the column of each cell."""
    return made("integer", np.indices(dim_of(as_value(x)) or (0, 0))[1] + 1.0)


def sweep(x: Any, MARGIN: Any, STATS: Any, FUN: Any = "-") -> Value:
    """Return a matrix with a number for each row or column taken away, or another operator used."""
    from pyrrf.script.functional import match_fun
    from pyrrf.script.vectors import rep

    value = as_value(x)
    grid = as_matrix(value)
    n, p = dim_of(grid) or (0, 0)
    stats = as_value(STATS)
    bare = Value(stats._kind, stats._data)
    wide = rep(bare, length_out=n * p) if int(number(MARGIN)) == 1 else rep(bare, each=n)
    other = Value(wide._kind, wide._data, {"dim": grid._attributes["dim"]})
    return as_value(match_fun(FUN)(grid, other))


def aperm(a: Any, perm: Any = None) -> Value:
    """Return a matrix turned."""
    if perm is not None:
        raise NotMovedError("aperm() with an order")
    return t(a)


def dist(x: Any, method: Any = "euclidean") -> Value:
    """Refuse: distances of rows are not moved."""
    raise NotMovedError("dist()")


# ---- cells ---------------------------------------------------------------------------------------


def cells(x: Value, subscript: Value) -> Value:
    """Return ``x[m]`` for a matrix of subscripts."""
    if is_frame(x):
        x = as_matrix(x)
        if subscript._kind == "logical":
            return Value(x._kind, x._data[subscript._data == 1])
    return items(Value(x._kind, x._data), cell_places(x, subscript))


def cell_places(x: Value, subscript: Value) -> Value:
    """Return the places, from 1, of the cells that a matrix of subscripts selects."""
    shape = dim_of(x)
    width = (dim_of(subscript) or (0, 0))[1]
    if subscript._kind == "logical" or shape is None or width != len(shape):
        return Value(subscript._kind, subscript._data)
    grid = cells_of(subscript)
    labels = dimnames_of(x)
    at = [places(Value(subscript._kind, grid[:, k]), n, labels[k], stretch=False) for k, n in enumerate(shape)]
    return integers(np.ravel_multi_index(at, shape, order="F") + 1)


def places_of_cells(x: Value, at: np.ndarray) -> Value:
    """Return rows and columns of cells: ``which(x, arr.ind = TRUE)``."""
    shape = dim_of(x) or ()
    found = np.column_stack(np.unravel_index(at, shape, order="F")) + 1.0
    labels = dimnames_of(x)[0]
    rows = None if labels is None else [labels[int(i) - 1] for i in found[:, 0]]
    names = ["row", "col"] if len(shape) == 2 else [f"dim{k + 1}" for k in range(len(shape))]
    return made("integer", found, (rows, names))


def solve(a: Any, b: Any = None) -> Value:
    """Refuse: LAPACK's bits are not R's."""
    raise NotMovedError("solve()")


def det(x: Any) -> Value:
    """Refuse: LAPACK's bits are not R's."""
    raise NotMovedError("det()")
