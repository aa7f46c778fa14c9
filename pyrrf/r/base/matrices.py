"""Matrices: made, turned, multiplied, and their cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.attributes import put_dimnames
from pyrrf.r.base.factors import factor
from pyrrf.r.base.functional import call, match_fun
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.values.arguments import default_only, flag, number
from pyrrf.r.values.attributes import (
    cells_of,
    classes,
    counted_rows,
    dim_of,
    dimnames_of,
    dimnames_value,
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    is_na_mark,
    made,
    names_of,
    row_count,
    row_names,
)
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import (
    KINDS,
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    is_null,
    logicals,
    missing_number,
    null,
    objects,
    strings,
)
from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import max_col as drawn
from pyrrf.rbase.vectors import REAL_NA


@r_function(draws=True)
def max_col(m: Any, ties_method: Any = "random") -> Value:
    """Return the column of each row's largest value; ties are broken by R's stream."""
    grid = as_matrix(m)
    cells = coerced(grid, "double")._data.reshape([int(v) for v in grid._attributes["dim"]._data], order="F")
    way = str(coerced(ties_method, "character")._data[0])
    if way == "random":
        return integers(drawn(cells) + 1)
    if way == "first":
        return integers(np.argmax(cells, axis=1) + 1)
    return integers(cells.shape[1] - np.argmax(cells[:, ::-1], axis=1))


@r_function(in_order=True)
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
    rows, columns = _sizes(n, nrow, ncol)
    size = rows * columns
    _warn_of_length(n, rows, columns)
    flat = np.resize(value._data, size) if n else _gaps(value._kind, size)
    grid = flat.reshape((rows, columns), order="C" if flag(byrow) else "F")
    found = Value(value._kind, grid.ravel(order="F"), {"dim": integers([rows, columns])})
    if is_null(dimnames):
        return found

    labels = as_value(dimnames)
    if is_list(labels) and len(labels) and all(is_null(part) for part in labels._data):
        return Value(found._kind, found._data, found._attributes | {"dimnames": labels})
    return put_dimnames(found, labels)


def _sizes(n: int, nrow: Any, ncol: Any) -> tuple[int, int]:
    """Return the numbers of rows and columns."""
    given = [None if size is None else number(size) for size in (nrow, ncol)]
    for size, name in zip(given, ("nrow", "ncol"), strict=True):
        if size is not None and size != size:
            raise RError(f"invalid '{name}' value (too large or NA)")
        if size is not None and size < 0:
            raise RError(f"invalid '{name}' value (< 0)")
    rows, columns = (None if size is None else int(size) for size in given)
    if rows is None:
        return (n, 1) if columns is None else (-(-n // columns) if columns else 0, columns)
    return rows, columns if columns is not None else (-(-n // rows) if rows else 0)


def _warn_of_length(n: int, rows: int, columns: int) -> None:
    if n > 1 and rows * columns % n:
        if (n > rows and n // rows * rows != n) or (n < rows and rows // n * n != rows):
            warn(f"data length [{n}] is not a sub-multiple or multiple of the number of rows [{rows}]")
        elif (n > columns and n // columns * columns != n) or (n < columns and columns // n * n != columns):
            warn(f"data length [{n}] is not a sub-multiple or multiple of the number of columns [{columns}]")


def _gaps(kind: str, n: int) -> np.ndarray:
    if kind in NUMBERS:
        return np.full(n, missing_number(kind))
    return objects([None] * n if kind == "character" else [null() for _ in range(n)])


@r_function(in_order=True)
def array(data: Any = None, dim: Any = None, dimnames: Any = None) -> Value:
    """Return an array of a shape."""
    value = as_value(data) if data is not None else logicals(np.nan)
    if is_frame(value):
        raise NotMovedError("array() of a data frame")
    value = factor_labels(value) if is_factor(value) else value
    if value._kind not in KINDS[1:]:
        raise RError(f"'data' must be of a vector type, was '{value._kind}'")
    shape = integers([len(value)]) if dim is None else coerced(dim, "integer")
    if not len(shape):
        raise RError("'dim' cannot be of length 0")
    if not (shape._data >= 0).all():
        raise RError("negative extents to matrix")
    size = int(np.prod(shape._data))
    flat = np.resize(value._data, size) if len(value) else _gaps(value._kind, size)
    found = Value(value._kind, flat, {"dim": Value("integer", shape._data)})
    if is_null(dimnames):
        return found

    return put_dimnames(found, dimnames)


@default_only("dots")
def as_matrix(x: Any, *dots: Any, rownames_force: Any = None) -> Any:
    """Return a matrix: of a data frame with one kind for all columns, of a vector one column."""
    value = as_value(x)
    if is_frame(value):
        return _of_frame(value, rownames_force)
    if not is_null(rownames_force):
        raise NotMovedError("as.matrix() of other than a data frame with rownames.force")
    of_class = method("as.matrix", classes(value))
    if of_class is not None:
        return of_class(value)
    if len(dim_of(value) or ()) == 2:
        return value
    if is_factor(value):
        value = factor_labels(value)
    if not isinstance(value, Value) or value._kind not in KINDS[1:]:
        raise NotMovedError("as.matrix() of NULL, a function or a formula")
    names = names_of(value)
    about = {"dim": integers([len(value), 1])}
    if names is not None:
        about["dimnames"] = dimnames_value([names, None])
    return Value(value._kind, value._data, about)


def _of_frame(x: Value, forced: Any = None) -> Value:
    n, p = row_count(x), len(x)
    shape = {
        "dim": integers([n, p]),
        "dimnames": dimnames_value([_row_labels(x, forced) if n else None, names_of(x) if p else None]),
    }
    if not n or not p:
        return Value("logical", np.zeros(0), shape)
    columns = [factor_labels(column) if is_factor(column) else column for column in x._data]
    if any(not isinstance(c, Value) or c._kind not in KINDS[1:5] or dim_of(c) or _is_dated(c) for c in columns):
        raise NotMovedError("a matrix of a data frame with lists, matrices or dates in it")
    texts = any(is_factor(column) for column in x._data)
    kind = "character" if texts else wider(*(column._kind for column in columns))
    data = [_texts(column)._data if kind == "character" else coerced(column, kind)._data for column in columns]
    return Value(kind, np.concatenate(data), shape)


def _is_dated(x: Value) -> bool:
    return any(inherits(x, name) for name in ("Date", "POSIXct", "difftime"))


def _row_labels(x: Value, forced: Any) -> list[str | None] | None:
    """Return the row names; those that R only counts are none, unless they came by a choice of rows."""
    wanted = np.nan if is_null(forced) else coerced(forced, "logical")._data[0]
    if wanted == 0 or (wanted != 1 and counted_rows(x)):
        return None
    return row_names(x)


def _texts(column: Value) -> Value:
    """Return a column as text among columns of text: numbers as format() gives them."""
    if column._kind not in ("integer", "double"):
        return coerced(column, "character")

    shown = formatted(Value(column._kind, column._data))._data.copy()
    shown[np.isnan(column._data) if column._kind == "integer" else is_na_mark(column._data)] = None
    return Value("character", shown)


def data_matrix(frame: Any, rownames_force: Any = None) -> Any:
    """Return a matrix of numbers: factors, and strings made factors, by their codes."""
    value = as_value(frame)
    if not is_frame(value):
        return as_matrix(value)
    columns = [_codes(column) for column in value._data]
    kind = wider("integer", *(column._kind for column in columns))
    if kind not in NUMBERS:
        raise NotMovedError("data.matrix() of lists")
    n, p = row_count(value), len(value)
    labels = dimnames_value([_row_labels(value, rownames_force) if n else None, names_of(value) if p else None])
    flat = np.concatenate([coerced(column, kind)._data for column in columns]) if p else np.zeros(0)
    return Value(kind, flat, {"dim": integers([n, p]), "dimnames": labels})


def _codes(column: Value) -> Value:
    if dim_of(column) is not None:
        raise NotMovedError("data.matrix() of a data frame with matrices in it")
    if column._kind == "character":
        column = factor(column)
    return Value("integer" if column._kind == "logical" else column._kind, column._data)


def t(x: Any) -> Value:
    """Return rows as columns."""
    value = as_matrix(x) if is_frame(as_value(x)) else as_value(x)
    if is_factor(value):
        raise NotMovedError("t() of a factor")
    shape = dim_of(value)
    more = {name: part for name, part in value._attributes.items() if name not in ("names", "dim", "dimnames")}
    if shape is None or len(shape) == 1:
        about = {"dim": integers([1, len(value)])}
        if names_of(value) is not None:
            old = value._attributes.get("dimnames")
            heads = None if old is None else old._attributes.get("names")
            heads = None if heads is None else strings(["", *heads._data])
            about["dimnames"] = dimnames_value([None, names_of(value)], heads)
        return Value(value._kind, value._data, about | more)
    if len(shape) != 2:
        raise RError("argument is not a matrix")
    labels = dimnames_of(value)
    old = value._attributes.get("dimnames")
    names = None if old is None else old._attributes.get("names")
    names = None if names is None else strings(names._data[::-1])
    turned = made(value._kind, cells_of(value).T, labels[::-1], names)
    if old is not None:
        turned._attributes["dimnames"] = dimnames_value(labels[::-1], names)
    turned._attributes.update(more)
    return turned


def _numbers(x: Any) -> Value:
    value = as_value(x)
    if not isinstance(value, Value) or value._kind not in NUMBERS or is_factor(value) or len(dim_of(value) or ()) > 2:
        raise RError("requires numeric/complex matrix/vector arguments")
    return Value("double", coerced(value, "double")._data, value._attributes)


# For each of x %*% y, crossprod(), tcrossprod(): which dimension of x meets which of y.
_MEETING = {"product": (1, 0), "crossprod": (0, 0), "tcrossprod": (1, 1)}


def _multiplied(how: str, x: Any, y: Any) -> Value:
    a, b = _numbers(x), _numbers(y)
    inner, other = _MEETING[how]
    left, right = _shapes(how, a, b)
    if left[inner] != right[other]:
        raise RError("non-conformable arguments")
    first = a._data[: left[0] * left[1]].reshape(left, order="F")
    second = b._data[: right[0] * right[1]].reshape(right, order="F")
    first, second = first if inner else first.T, second.T if other else second
    grid = arithmetic.matrix_product(first, second)
    gaps = np.isnan(grid)
    grid[gaps] = np.where(_missing_sums(first, second)[gaps], REAL_NA, np.nan)
    sides = [(a, 1 - inner) if _shape2(a) else None, (b, 1 - other) if _shape2(b) else None]
    return made("double", grid, *_outer_labels(sides))


def _missing_sums(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return which cells of a product R calls NA, not NaN: the first term that makes a sum missing decides."""
    out = np.zeros((x.shape[0], y.shape[1]), dtype=bool)
    if not (np.isnan(x).any() or np.isnan(y).any()):
        return out
    total = np.zeros(out.shape)
    with np.errstate(over="ignore", invalid="ignore"):
        for column, row in zip(x.T, y, strict=True):
            known = ~np.isnan(total)
            total += column[:, None] * row
            missing = is_na_mark(column)[:, None] | (~np.isnan(column)[:, None] & is_na_mark(row))
            out |= known & np.isnan(total) & missing
    return out


def _shapes(how: str, a: Value, b: Value) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the shapes in which two factors meet: a vector becomes a row or a column, as fits, or nothing."""
    inner, other = _MEETING[how]
    left, right = _shape2(a), _shape2(b)
    n, p = len(a), len(b)
    if left is None and right is None:
        if how == "product":
            return ((1, n), (1, p)) if n == 1 else ((1, n), (p, 1))
        return (n, 1), ((1, p) if how == "crossprod" and n == 1 else (p, 1))
    if left is None:
        assert right is not None
        if n == right[other]:
            return ((n, 1) if how == "crossprod" else (1, n)), right
        return ((n, 1) if right[other] == 1 and how != "crossprod" else (0, 0)), right
    if right is None:
        if how == "tcrossprod":
            row = p == left[1] and left[0] == 1
            return left, ((1, p) if row else (p, 1) if left[1] == 1 else (0, 0))
        return left, ((p, 1) if p == left[inner] else (1, p) if left[inner] == 1 else (0, 0))
    return left, right


def product(x: Any, y: Any) -> Value:
    """Return the product of two matrices; a vector is a row or a column, as fits."""
    return _multiplied("product", x, y)


@r_function(in_order=True)
def crossprod(x: Any, y: Any = None) -> Value:
    """Return ``t(x) %*% y``."""
    return _multiplied("crossprod", x, x if is_null(y) else y)


def tcrossprod(x: Any, y: Any = None) -> Value:
    """Return ``x %*% t(y)``."""
    return _multiplied("tcrossprod", x, x if is_null(y) else y)


def _shape2(x: Value) -> tuple[int, int] | None:
    shape = dim_of(x)
    return shape if shape is not None and len(shape) == 2 else None


def _outer_labels(sides: list[tuple[Value, int] | None]) -> tuple[list[Any], Value | None]:
    """Return the labels, and their names, that a product takes from one side of each matrix."""
    labels, names, named = [], [], False
    for side in sides:
        found = None if side is None else side[0]._attributes.get("dimnames")
        labels.append(None if side is None else dimnames_of(side[0])[side[1]])
        inner = None if found is None else found._attributes.get("names")
        named |= inner is not None
        names.append("" if inner is None or side is None else inner._data[side[1]])
    return labels, strings(names) if named else None


def diag(x: Any = 1, nrow: Any = None, ncol: Any = None, names: Any = True) -> Value:
    """Return the diagonal of a matrix, or a matrix with a diagonal."""
    value = as_value(x)
    shape = dim_of(value)
    if shape is not None and len(shape) != 1:
        if len(shape) != 2 or nrow is not None or ncol is not None:
            raise RError("'nrow' or 'ncol' cannot be specified when 'x' is a matrix")
        if is_frame(value):
            raise NotMovedError("diag() of a data frame")
        grid = cells_of(value)
        rows, columns = dimnames_of(value)[:2]
        found = np.diagonal(grid).copy()
        n = len(found)
        named = rows is not None and columns is not None and rows[:n] == columns[:n] and flag(names)
        return Value(value._kind, found, {"names": strings((rows or [])[:n])} if named else {})
    if len(value) == 1 and nrow is None and ncol is None:
        if number(value) != number(value):
            raise RError("invalid 'nrow' value (too large or NA)")
        n = int(number(value))
        if n < 0:
            raise RError("invalid 'nrow' value (< 0)")
        return made("double", np.eye(n))
    n = len(value) if nrow is None else int(number(nrow))
    p = n if ncol is None else int(number(ncol))
    kind = value._kind if value._kind in NUMBERS else "double"
    grid = np.zeros((n, p))
    k = min(n, p)
    if k and not len(value):
        raise RError("'x' must have positive length")
    grid[np.arange(k), np.arange(k)] = np.resize(coerced(value, kind)._data, k)
    return made(kind, grid)


def put_diag(x: Any, value: Any) -> Value:
    """Return ``x`` after ``diag(x) <- value``."""
    found, new = as_value(x), as_value(value)
    if is_factor(new):
        new = Value("integer", new._data)
    if len(dim_of(found) or ()) != 2:
        raise RError("only matrix diagonals can be replaced")
    n = min(dim_of(found) or (0,))
    if len(new) not in (1, n):
        raise RError("replacement diagonal has wrong length")
    if not n:
        return found
    kind = wider(found._kind, new._kind)
    if kind == "list":
        raise NotMovedError("diag() <- of a list")
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


def _counted(axis: int, name: str) -> Callable[[Any], Value]:
    def found(x: Any) -> Value:
        shape = dim_of(as_value(x))
        if shape is None or len(shape) != 2:
            raise RError("a matrix-like object is required as argument to 'row'/'col'")
        return made("integer", np.indices(shape)[axis] + 1.0)

    found.__doc__ = f"Return the number of the {name} of each cell."
    return found


row = _counted(0, "row")
col = _counted(1, "column")


@r_function(repeats=True, called=("FUN",))
def sweep(x: Any, MARGIN: Any, STATS: Any, FUN: Any = "-", check_margin: Any = True, *dots: Any, **named: Any) -> Any:
    """Return a matrix with a number for each row or column taken away, or another operator used."""
    value = as_value(x)
    shape, margin = dim_of(value), [int(i) - 1 for i in coerced(MARGIN, "double")._data]
    if shape is None or not set(margin) <= set(range(len(shape))) or as_value(MARGIN)._kind == "character":
        raise NotMovedError("sweep() over dimensions that are none, or by their names")
    stats = as_value(STATS)
    order = margin + [k for k in range(len(shape)) if k not in margin]
    wide = np.resize(stats._data, int(np.prod(shape))).reshape([shape[k] for k in order], order="F")
    turned = np.transpose(wide, np.argsort(order))
    other = Value(stats._kind, turned.ravel(order="F"), {"dim": integers(shape)})
    return as_value(call(match_fun(FUN), [value, other], dots, named))


def aperm(a: Any, perm: Any = None) -> Value:
    """Return an array with its dimensions in another order: backwards by default."""
    value = as_value(a)
    shape = dim_of(value)
    if shape is None or is_frame(value):
        raise RError("invalid first argument, must be an array")
    k = len(shape)
    order = list(range(k))[::-1] if is_null(perm) else [int(i) - 1 for i in coerced(perm, "double")._data]
    if not is_null(perm) and as_value(perm)._kind == "character":
        raise NotMovedError("aperm() by the names of dimensions")
    if sorted(order) != list(range(k)):
        raise RError("value out of range in 'perm'")
    turned = made(value._kind, np.transpose(value._data.reshape(shape, order="F"), order))
    old = value._attributes.get("dimnames")
    if old is not None:
        names = old._attributes.get("names")
        about = None if names is None else {"names": strings(names._data[order])}
        turned._attributes["dimnames"] = Value("list", old._data[order], about)
    if inherits(value, "table"):
        turned._attributes["class"] = value._attributes["class"]
    return turned


def solve(a: Any, b: Any = None) -> Value:
    """Refuse."""
    raise NotMovedError("solve()")


def det(x: Any) -> Value:
    """Refuse."""
    raise NotMovedError("det()")
