"""Matrices: made, turned, multiplied, and their cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.base.attributes import put_dimnames
from pyrrf.r.base.factors import factor
from pyrrf.r.formatting.formats import format as formatted
from pyrrf.r.values.arguments import number
from pyrrf.r.values.coercion import bare, cells_of, coerce, factor_labels, wider, without
from pyrrf.r.values.errors import RError, refuse_if, stop_if
from pyrrf.r.values.functions import Flag, Item, Text, r_function, refusing
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_frame, is_list, is_na_mark, is_null, kind_of
from pyrrf.r.values.labels import (
    counted_rows,
    dim_of,
    dimnames_along,
    dimnames_names,
    dimnames_of,
    dimnames_value,
    is_matrix,
    matrix_of,
    names_of,
    row_count,
    row_names,
)
from pyrrf.r.values.methods import method
from pyrrf.r.values.vector import KINDS, NA, NUMBERS, Value, as_value, integers, missing_number, null, objects, strings
from pyrrf.rbase import arithmetic
from pyrrf.rbase.arithmetic import max_col as drawn
from pyrrf.rbase.vectors import REAL_NA


@r_function(does="draws")
def max_col(m: object, ties_method: Text = "random") -> Value:
    """Return the column of each row's largest value, NA where one is missing; ties are broken by R's stream."""
    ways = [way for way in ("random", "first", "last") if way.startswith(ties_method)]
    stop_if(len(ways) != 1, "'arg' should be one of \u2018random\u2019, \u2018first\u2019, \u2018last\u2019")
    cells = cells_of(coerce(as_matrix(m), "double", keep=True))
    columns = np.full(len(cells), np.nan)
    whole = ~np.isnan(cells).any(axis=1) & (cells.shape[1] > 0)
    known = cells[whole]
    if not len(known):
        return Value("integer", columns)
    if ways == ["random"]:
        best = drawn(known)
    elif ways == ["first"]:
        best = np.argmax(known, axis=1)
    else:
        best = cells.shape[1] - 1 - np.argmax(known[:, ::-1], axis=1)
    columns[whole] = best + 1
    return Value("integer", columns)


@r_function(in_order=True)
def matrix(
    data: object = None, nrow: object = None, ncol: object = None, byrow: Flag = False, dimnames: Value | None = None
) -> Value:
    """Return a matrix, its values taken column by column, or row by row."""
    value = _items("matrix", data)
    n = len(value)
    rows, columns = _sizes(n, nrow, ncol)
    _warn_of_length(n, rows, columns)
    grid = _fill(value, rows * columns).reshape((rows, columns), order="C" if byrow else "F")
    filled = matrix_of(value._kind, grid)
    if dimnames is None:
        return filled
    if is_list(dimnames) and len(dimnames) and all(map(is_null, dimnames._data)):
        return Value(filled._kind, filled._data, filled._attributes | {"dimnames": dimnames})
    return put_dimnames(filled, dimnames)


@r_function(in_order=True)
def array(data: object = None, dim: object = None, dimnames: Value | None = None) -> Value:
    """Return an array of a shape."""
    value = _items("array", data)
    shape = integers([len(value)]) if dim is None else coerce(dim, "integer")
    stop_if(not len(shape), "'dim' cannot be of length 0")
    stop_if(not (shape._data >= 0).all(), "negative extents to matrix")
    filled = Value(value._kind, _fill(value, int(np.prod(shape._data))), {"dim": bare(shape)})
    return filled if dimnames is None else put_dimnames(filled, dimnames)


def _items(function: str, data: object) -> Value:
    """Return the values that fill a matrix or an array."""
    value = NA if data is None else as_value(data)
    refuse_if(is_frame(value), f"{function}() of a data frame; as.matrix() takes one")
    stop_if(kind_of(value) not in KINDS[1:], f"'data' must be of a vector type, was '{kind_of(value)}'")
    return factor_labels(value) if is_factor(value) else value


def _fill(x: Value, n: int) -> np.ndarray:
    """Return items again and again; without any, n that are missing."""
    if len(x):
        return np.resize(x._data, n)
    if x._kind in NUMBERS:
        return np.full(n, missing_number(x._kind))
    return objects([None] * n if x._kind == "character" else [null() for _ in range(n)])


def _sizes(n: int, nrow: object, ncol: object) -> tuple[int, int]:
    """Return the numbers of rows and columns."""
    rows = None if nrow is None else _extent(nrow, "nrow")
    columns = None if ncol is None else _extent(ncol, "ncol")
    if rows is None:
        return (n, 1) if columns is None else (-(-n // columns) if columns else 0, columns)
    return rows, columns if columns is not None else (-(-n // rows) if rows else 0)


def _extent(size: object, name: str) -> int:
    extent = number(size)
    stop_if(extent != extent, f"invalid '{name}' value (too large or NA)")
    stop_if(extent <= -1, f"invalid '{name}' value (< 0)")
    return int(extent)


def _warn_of_length(n: int, rows: int, columns: int) -> None:
    if n > 1 and rows * columns % n:
        if (n > rows and n // rows * rows != n) or (n < rows and rows // n * n != rows):
            warn(f"data length [{n}] is not a sub-multiple or multiple of the number of rows [{rows}]")
        elif (n > columns and n // columns * columns != n) or (n < columns and columns // n * n != columns):
            warn(f"data length [{n}] is not a sub-multiple or multiple of the number of columns [{columns}]")


@r_function(unsupported="dots", classes="any -noquote")
def as_matrix(x: Item, *dots: Value, rownames_force: Value | None = None) -> Value:
    """Return a matrix: of a data frame with one kind for all columns, of a vector one column."""
    if is_frame(x):
        return _of_frame(x, rownames_force)
    refuse_if(rownames_force is not None, "as.matrix() of other than a data frame with rownames.force")
    of_class = method("as.matrix", classes(x))
    if of_class is not None:
        return of_class(x)
    if is_matrix(x):
        return x
    refuse_if(not isinstance(x, Value) or x._kind not in KINDS[1:], "as.matrix() of NULL, a function or a formula")
    value = factor_labels(x) if is_factor(x) else x
    return matrix_of(value._kind, value._data[:, None], [names_of(value), None])


def _of_frame(x: Value, forced: Value | None) -> Value:
    if 0 in (row_count(x), len(x)):
        return _side_by_side(x, "logical", [], forced)
    columns = [factor_labels(column) if is_factor(column) else column for column in x._data]
    refuse_if(any(kind_of(c) not in KINDS[1:5] or dim_of(c) for c in columns), "a matrix of lists or matrices")
    refuse_if(any(inherits(c, "Date", "POSIXct", "difftime") for c in columns), "a matrix of dates")
    kind = wider(*(column._kind for column in columns))
    data = [_texts(column) if kind == "character" else coerce(column, kind) for column in columns]
    return _side_by_side(x, kind, data, forced)


def _side_by_side(frame: Value, kind: str, columns: list[Value], forced: Value | None) -> Value:
    """Return columns of a kind as a matrix with the names of a data frame."""
    n, p = row_count(frame), len(frame)
    labels = dimnames_value([_row_labels(frame, forced) if n else None, names_of(frame) if p else None])
    flat = np.concatenate([column._data for column in columns]) if columns else np.zeros(0)
    return Value(kind, flat, {"dim": integers([n, p]), "dimnames": labels})


def _row_labels(x: Value, forced: Value | None) -> list[str | None] | None:
    """Return the row names; those that R only counts are none, unless they came by a choice of rows."""
    wanted = np.nan if forced is None else coerce(forced, "logical")._data[0]
    if wanted == 0 or (wanted != 1 and counted_rows(x)):
        return None
    return row_names(x)


def _texts(column: Value) -> Value:
    """Return a column as text among columns of text: numbers as format() gives them."""
    if column._kind not in ("integer", "double"):
        return coerce(column, "character")
    shown = formatted(bare(column))._data.copy()
    shown[np.isnan(column._data) if column._kind == "integer" else is_na_mark(column._data)] = None
    return Value("character", shown)


@r_function()
def data_matrix(frame: Value, rownames_force: Value | None = None) -> Value:
    """Return a matrix of numbers: factors, and strings made factors, by their codes."""
    if not is_frame(frame):
        return as_matrix(frame)
    columns = [_codes(column) for column in frame._data]
    kind = wider("integer", *(column._kind for column in columns))
    refuse_if(kind not in NUMBERS, "data.matrix() of lists")
    return _side_by_side(frame, kind, [coerce(column, kind) for column in columns], rownames_force)


def _codes(column: Value) -> Value:
    refuse_if(dim_of(column) is not None, "data.matrix() of a data frame with matrices in it")
    if column._kind == "character":
        column = factor(column)
    return Value("integer" if column._kind == "logical" else column._kind, column._data)


@r_function()
def t(x: Value) -> Value:
    """Return rows as columns."""
    if is_frame(x):
        x = as_matrix(x)
    refuse_if(is_factor(x), "t() of a factor")
    shape = dim_of(x) or (len(x),)
    stop_if(len(shape) > 2, "argument is not a matrix")
    if len(shape) == 2:
        turned = _turn(x, [1, 0])
    else:
        heads = dimnames_names(x)
        heads = None if heads is None else strings(["", *heads._data])
        turned = matrix_of(x._kind, x._data[None, :])
        if "dimnames" in x._attributes or names_of(x) is not None:
            turned._attributes["dimnames"] = dimnames_value([None, names_of(x)], heads)
    turned._attributes.update(without(x, "names", "dim", "dimnames")._attributes)
    return turned


@r_function()
def aperm(a: Value, perm: Value | None = None) -> Value:
    """Return an array with its dimensions in another order: backwards by default."""
    shape = dim_of(a)
    if shape is None or is_frame(a):
        raise RError("invalid first argument, must be an array")
    refuse_if(perm is not None and perm._kind == "character", "aperm() by the names of dimensions")
    places = list(range(len(shape)))
    order = places[::-1] if perm is None else [int(i) - 1 for i in coerce(perm, "double")._data]
    stop_if(sorted(order) != places, "value out of range in 'perm'")
    turned = _turn(a, order)
    if inherits(a, "table"):
        turned._attributes["class"] = a._attributes["class"]
    return turned


def _turn(x: Value, order: list[int]) -> Value:
    """Return an array with its dimensions in another order, without other attributes than their labels."""
    turned = matrix_of(x._kind, np.transpose(cells_of(x), order))
    labels = dimnames_along(x, order)
    if labels is not None:
        turned._attributes["dimnames"] = labels
    return turned


def _numbers(x: object) -> Value:
    value = as_value(x)
    if not isinstance(value, Value) or value._kind not in NUMBERS or is_factor(value) or len(dim_of(value) or ()) > 2:
        raise RError("requires numeric/complex matrix/vector arguments")
    return coerce(value, "double", keep=True)


# For each of x %*% y, crossprod(), tcrossprod(): which dimension of x meets which of y.
_MEETING = {"product": (1, 0), "crossprod": (0, 0), "tcrossprod": (1, 1)}


def _multiply(how: str, x: object, y: object) -> Value:
    a, b = _numbers(x), _numbers(y)
    inner, other = _MEETING[how]
    left, right = _shapes(how, a, b)
    stop_if(left[inner] != right[other], "non-conformable arguments")
    first = a._data[: left[0] * left[1]].reshape(left, order="F")
    second = b._data[: right[0] * right[1]].reshape(right, order="F")
    first, second = first if inner else first.T, second.T if other else second
    grid = arithmetic.matrix_product(first, second)
    gaps = np.isnan(grid)
    grid[gaps] = np.where(_missing_sums(first, second)[gaps], REAL_NA, np.nan)
    return matrix_of("double", grid, *_outer_labels((a, 1 - inner), (b, 1 - other)))


def _product(how: str, doc: str, **facts: object) -> Callable[..., Value]:
    @r_function(how, doc, **facts)
    def product(x: object, y: object = None) -> Value:
        return _multiply(how, x, x if is_null(y) else y)

    return product


crossprod = _product("crossprod", "Return ``t(x) %*% y``.", in_order=True)
tcrossprod = _product("tcrossprod", "Return ``x %*% t(y)``.")


def _missing_sums(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the cells of a product that R calls NA, not NaN: the first term that makes a sum missing decides."""
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


def _shapes(how: str, a: Value, b: Value) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shapes in which two factors meet: a vector becomes a row or a column, as fits, or nothing."""
    inner, other = _MEETING[how]
    left, right = ((is_matrix(x) and dim_of(x)) or () for x in (a, b))
    n, p = len(a), len(b)
    if not left and not right:
        left = (1, n) if how == "product" else (n, 1)
        right = (1, p) if n == 1 and how != "tcrossprod" else (p, 1)
    elif not left:
        left = _fit_shape([(n, 1)] if how == "crossprod" else [(1, n), (n, 1)], inner, right[other])
    elif not right:
        either = [(1, p)] * (left[0] == 1) + [(p, 1)] if how == "tcrossprod" else [(p, 1), (1, p)]
        right = _fit_shape(either, other, left[inner])
    return left, right


def _fit_shape(shapes: list[tuple[int, int]], axis: int, n: int) -> tuple[int, int]:
    return next((shape for shape in shapes if shape[axis] == n), (0, 0))


def product(x: object, y: object) -> Value:
    """Return the product of two matrices; a vector is a row or a column, as fits."""
    return _multiply("product", x, y)


def _outer_labels(*sides: tuple[Value, int]) -> tuple[list[list[str | None] | None], Value | None]:
    """Return the labels, and their names, that a product takes from one side of each matrix."""
    labels = [dimnames_of(x)[axis] if is_matrix(x) else None for x, axis in sides]
    heads = [dimnames_names(x) if is_matrix(x) else None for x, _ in sides]
    if all(head is None for head in heads):
        return labels, None
    return labels, strings(
        "" if head is None else head._data[axis] for head, (_, axis) in zip(heads, sides, strict=True)
    )


@r_function()
def diag(x: Item = 1, nrow: object = None, ncol: object = None, names: Flag = True) -> Value:
    """Return the diagonal of a matrix, or a matrix with a diagonal."""
    value = as_value(x)
    shape = dim_of(value)
    if shape is not None and len(shape) != 1:
        if len(shape) != 2 or nrow is not None or ncol is not None:
            raise RError("'nrow' or 'ncol' cannot be specified when 'x' is a matrix")
        refuse_if(is_frame(value), "diag() of a data frame")
        diagonal = np.diagonal(cells_of(value)).copy()
        n = len(diagonal)
        rows, columns = dimnames_of(value)
        named = names and rows is not None and columns is not None and rows[:n] == columns[:n]
        return Value(value._kind, diagonal, {"names": strings((rows or [])[:n])} if named else {})
    if len(value) == 1 and nrow is None and ncol is None:
        return matrix_of("double", np.eye(_extent(value, "nrow")))
    n = len(value) if nrow is None else int(number(nrow))
    p = n if ncol is None else int(number(ncol))
    k = min(n, p)
    stop_if(k and not len(value), "'x' must have positive length")
    grid = np.zeros((n, p))
    kind = value._kind if value._kind in NUMBERS else "double"
    grid[np.arange(k), np.arange(k)] = np.resize(coerce(value, kind)._data, k)
    return matrix_of(kind, grid)


@r_function()
def put_diag(x: Value, value: Value) -> Value:
    """Return ``x`` after ``diag(x) <- value``."""
    new = bare(value) if is_factor(value) else value
    shape = dim_of(x) or ()
    stop_if(len(shape) != 2, "only matrix diagonals can be replaced")
    n = min(shape)
    stop_if(len(new) not in (1, n), "replacement diagonal has wrong length")
    if not n:
        return x
    kind = wider(x._kind, new._kind)
    refuse_if(kind == "list", "diag() <- of a list")
    grid = cells_of(coerce(x, kind, keep=True)).copy()
    grid[np.arange(n), np.arange(n)] = np.resize(coerce(new, kind)._data, n)
    return Value(kind, grid.ravel(order="F"), x._attributes)


def _triangle(name: str, test: Callable[[np.ndarray, np.ndarray, bool], np.ndarray]) -> Callable[..., Value]:
    @r_function(name, "Return which cells lie in a triangle of a matrix.")
    def triangle(x: object, diag: Flag = False) -> Value:
        rows, columns = np.indices(dim_of(as_matrix(x)) or (0, 0))
        return matrix_of("logical", test(rows, columns, diag).astype(np.float64))

    return triangle


lower_tri = _triangle("lower_tri", lambda i, j, diag: i >= j if diag else i > j)
upper_tri = _triangle("upper_tri", lambda i, j, diag: i <= j if diag else i < j)


def _index_maker(name: str, axis: int) -> Callable[..., Value]:
    @r_function(name, f"Return the number of the {'column' if axis else 'row'} of each cell.")
    def index_cells(x: Item) -> Value:
        shape = dim_of(x)
        if shape is None or len(shape) != 2:
            raise RError("a matrix-like object is required as argument to 'row'/'col'")
        return matrix_of("integer", np.indices(shape)[axis] + 1.0)

    return index_cells


row = _index_maker("row", 0)
col = _index_maker("col", 1)


solve = refusing("solve", "solve()")
det = refusing("det", "det()")
