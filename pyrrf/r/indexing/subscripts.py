"""``x[i]``, ``x[i, j]``, ``x[[i]]`` and ``x$name`` as R has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import count
from typing import TypeVar

import numpy as np

from pyrrf.r.values.coercion import attrs, bare, cells_of, coerce, without, without_spec
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.kinds import inherits, is_factor, is_frame, is_list, is_null, kind_of
from pyrrf.r.values.labels import (
    dim_of,
    dimnames_of,
    dimnames_value,
    matrix_of,
    names_of,
    names_part,
    row_count,
    row_names,
)
from pyrrf.r.values.methods import default
from pyrrf.r.values.vector import NUMBERS, Value, as_value, copy, integers, missing_number, null, objects, strings

ALL = slice(None)
Labels = list[str | None] | None
_Label = TypeVar("_Label", str, str | None)


def is_all(subscript: object) -> bool:
    """Return whether R's subscript is empty: ``:``, or ``...`` where Python takes no colon."""
    return subscript is ... or (isinstance(subscript, slice) and subscript == ALL)


def places(subscript: object, n: int, names: Labels, stretch: bool = True) -> np.ndarray:
    """Return the positions from 0, of `n`, that a subscript selects; -1 where it is missing or names nothing.

    Without `stretch`, positions beyond the end are an error.
    """
    if is_all(subscript):
        return np.arange(n)
    selector = _check_kind(subscript)
    if selector._kind == "character":
        return _named_places(selector._data, names, stretch)
    if selector._kind == "logical" and not is_factor(selector):
        return _true_places(selector._data, n, stretch)
    return _numbered_places(selector._data, n, stretch)


def _check_kind(subscript: object) -> Value:
    value = as_value(subscript)
    if not isinstance(value, Value) or value._kind not in (*NUMBERS, "NULL", "character"):
        raise RError(f"invalid subscript type '{value._kind if isinstance(value, Value) else 'closure'}'")
    return value


def _named_places(wanted: np.ndarray, names: Labels, stretch: bool) -> np.ndarray:
    known: dict[str | None, int] = {}
    for i, name in enumerate(names or []):
        known.setdefault(name, i)
    known.pop("", None)
    known.pop(None, None)
    out = np.array([known.get(name, -1) for name in wanted], dtype=np.int64)
    stop_if(not stretch and (out < 0).any(), "subscript out of bounds")
    return out


def _true_places(wanted: np.ndarray, n: int, stretch: bool) -> np.ndarray:
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    stop_if(len(wanted) > n and not stretch, "(subscript) logical subscript too long")
    wide = np.resize(wanted, max(n, len(wanted)))
    index = np.flatnonzero(wide != 0)
    return np.where(np.isnan(wide[index]), -1, index)


_FAR = 2.0**60  # behind every item that memory can hold


def _numbered_places(wanted: np.ndarray, n: int, stretch: bool) -> np.ndarray:
    refuse_if(np.isinf(wanted).any(), "an infinite subscript is not supported")
    gaps = np.isnan(wanted)
    whole = np.trunc(np.clip(np.where(gaps, 0, wanted), -_FAR, _FAR)).astype(np.int64)
    if (whole < 0).any():
        stop_if((whole > 0).any() or gaps.any(), "can't mix positive and negative subscripts")
        left = np.ones(n, dtype=bool)
        left[-whole[(whole < 0) & (whole >= -n)] - 1] = False
        return np.flatnonzero(left)
    stop_if(not stretch and (whole > n).any(), "subscript out of bounds")
    return np.asarray((whole - 1)[(whole > 0) | gaps], dtype=np.int64)


# Classes that stay when some items are taken.
_LASTING = ("factor", "Date", "POSIXct", "difftime", "noquote", "stringr_pattern")
_MARKS = ("levels", "options", "class", "units", "tzone", "contrasts")


def marks(x: Value, *lasting: str) -> dict[str, Value]:
    """Return the attributes that mark a value as one of some classes, by default those that stay when items are taken.

    I() stands before the others, or alone.
    """
    if inherits(x, *(lasting or _LASTING)):
        return {name: x._attributes[name] for name in _MARKS if name in x._attributes}
    return {"class": strings("AsIs")} if inherits(x, "AsIs") and not lasting else {}


@r_function()
def taken(x: object, *subscripts: object, drop: object = None) -> Value:
    """Return ``x[...]``.

    There is one subscript for a vector, a list, or the columns of a data frame, or one for each dimension of a matrix;
    ``:`` where nothing stands in R.
    """
    x = as_value(x)
    if not isinstance(x, Value):
        raise RError("object of type 'closure' is not subsettable")
    refuse_if(not subscripts and drop is not None, "[drop=] without subscripts")
    if x._kind == "NULL":
        return null()
    if len(subscripts) == 1 and _is_ragged(x, subscripts[0]):
        return cells(x, as_value(subscripts[0]))
    if is_frame(x):
        return _of_frame(x, *subscripts, drop=drop)
    if len(subscripts) == 1:
        selected = items(x, subscripts[0])
        return default("droplevels")(selected) if is_factor(x) and _is_dropped(drop, False) else selected
    if not subscripts:
        return x.copy() if not is_factor(x) else taken(x, ALL, drop=drop)
    return block(x, subscripts, _is_dropped(drop, True))


def _is_dropped(drop: object, otherwise: bool) -> bool:
    return otherwise if drop is None else bool(as_value(drop))


def _is_ragged(x: Value, subscript: object) -> bool:
    """Return whether a subscript is a matrix of cells; for a value without these dimensions it is a vector."""
    shape = dim_of(subscript) or ()
    if len(shape) != 2:
        return False
    if is_frame(x) or is_frame(subscript):
        return True
    return kind_of(subscript) in ("integer", "double", "character") and shape[1] == len(dim_of(x) or ())


# ---- vectors and lists ---------------------------------------------------------------------------


# x[] loses its class, except where R has a method for it.
_KEPT_CLASSES = (*_LASTING, "table", "AsIs", "simple.list")


def items(x: Value, subscript: object, drop: bool = True) -> Value:
    """Return ``x[i]`` of a vector or a list; with `drop`, one item is no array of one dimension."""
    if x._kind == "NULL":
        return null()
    stop_if(x._kind in ("language", "opaque"), f"object of type '{x._kind}' is not subsettable")
    if is_all(subscript):
        whole = x if inherits(x, *_KEPT_CLASSES) else without(x, "class")
        return Value(x._kind, x._data, whole._attributes)
    names = names_of(x)
    index = places(subscript, len(x), names)
    return _rebuilt(x, take(x, index), _picked_names(names, index), drop)


def take(x: Value, index: np.ndarray) -> Value:
    """Return the items at some positions, without attributes; missing ones are NA, in lists NULL."""
    good = (index >= 0) & (index < len(x))
    if good.all():
        return Value(x._kind, x._data[index])
    out = missing_items(x._kind, len(index))
    out[good] = x._data[index[good]]
    return Value(x._kind, out)


def missing_items(kind: str, n: int) -> np.ndarray:
    """Return `n` items of a kind that are missing: NA, in lists NULL."""
    if kind in NUMBERS:
        return np.full(n, missing_number(kind))
    return objects([None] * n if kind == "character" else [null() for _ in range(n)])


def _picked_names(names: Labels, index: np.ndarray) -> Labels:
    return None if names is None else [names[i] if 0 <= i < len(names) else None for i in index.tolist()]


def _rebuilt(x: Value, made: Value, labels: Labels, drop: bool) -> Value:
    shape = dim_of(x)
    about: dict[str, Value] = {}
    if shape is not None and len(shape) == 1 and (len(made) > 1 or not drop):
        about["dim"] = integers([len(made)])
        if labels is not None:
            about["dimnames"] = Value("list", objects([strings(labels)]), x._attributes["dimnames"]._attributes)
    else:
        about |= names_part(labels)
    return _as_table(x, Value(made._kind, made._data, about | marks(x)))


def _as_table(x: Value, selection: Value) -> Value:
    """Return part of a table with the class that R leaves it: with fewer than two dimensions often none."""
    if inherits(x, "table"):
        left = len(dim_of(selection) or ())
        if left > 1 or left == len(dim_of(x) or ()):
            selection._attributes["class"] = strings("table")
    return selection


# ---- matrices ------------------------------------------------------------------------------------


def block(x: Value, subscripts: Sequence[object], drop: bool) -> Value:
    """Return ``x[i, j, ...]`` of a matrix or an array."""
    shape, labels = dim_of(x), dimnames_of(x)
    if shape is None or len(shape) != len(subscripts):
        raise RError("incorrect number of dimensions")
    if any(kind_of(s) == "character" and names is None for s, names in zip(subscripts, labels, strict=True)):
        raise RError("no 'dimnames' attribute for array")
    indices = [places(s, n, names, stretch=False) for s, n, names in zip(subscripts, shape, labels, strict=True)]
    grid = cells_of(x)[np.ix_(*[np.maximum(index, 0) for index in indices])]
    gone = reduce(np.logical_or.outer, [index < 0 for index in indices])
    if gone.any():
        grid[gone] = missing_items(x._kind, int(gone.sum()))
    chosen = [_picked_names(names, index) for names, index in zip(labels, indices, strict=True)]
    selection = _shape(Value(x._kind, grid.ravel(order="F")), grid.shape, chosen, x._attributes.get("dimnames"), drop)
    return _as_table(x, Value(selection._kind, selection._data, selection._attributes | marks(x)))


def _shape(flat: Value, shape: tuple[int, ...], labels: list[Labels], old: Value | None, drop: bool) -> Value:
    """Return data with a dim and, if there are any or `old` ones, dimnames; with `drop` without those of length one."""
    labels = [texts if n else None for n, texts in zip(shape, labels, strict=True)]
    left = [k for k, n in enumerate(shape) if n != 1 or not drop]
    if len(left) <= 1 and len(left) < len(shape):
        # R names a single cell only if one dimension alone has labels.
        single = [labels[k] for k in left] or [texts for texts in labels if texts is not None]
        return Value(flat._kind, flat._data, names_part(single[0] if len(single) == 1 else None))
    about = {"dim": integers([shape[k] for k in left])}
    if any(labels[k] is not None for k in left) or (old is not None and len(left) == len(shape)):
        names = None if old is None else old._attributes.get("names")
        chosen = None if names is None else strings([names._data[k] for k in left])
        about["dimnames"] = dimnames_value([labels[k] for k in left], chosen)
    return Value(flat._kind, flat._data, about)


# ---- data frames ---------------------------------------------------------------------------------


def _of_frame(x: Value, *subscripts: object, drop: object) -> Value:
    refuse_if(inherits(x, "grouped_df"), "subscripts of a grouped table; ungroup() it before")
    if len(subscripts) == 1:
        return without_spec(x).copy() if is_all(subscripts[0]) else _of_columns(x, subscripts[0])
    refuse_if("names" not in x._attributes, "a data frame without names")
    rows, columns = subscripts
    names = names_of(x) or []
    if is_all(rows) and is_all(columns) and len(set(names)) < len(names):
        x = Value("list", x._data, x._attributes | {"names": strings(made_unique(names))})
    if _is_dropped(drop, True) and not is_all(rows) and not is_all(columns) and _no_column(x, columns):
        return null()
    chosen = x.copy() if is_all(columns) else _of_columns(x, columns)
    if not is_all(rows):
        chosen = rows_of(chosen, rows)
    single = _is_dropped(drop, len(chosen) == 1 and not inherits(x, "tbl_df"))
    if single and len(chosen) == 1:
        column: Value = chosen._data[0].copy()
        return column
    if drop is not None and single and row_count(chosen) == 1:
        return Value("list", chosen._data, attrs(chosen, "names"))
    return chosen


def _no_column(x: Value, subscript: object) -> bool:
    """Return whether a subscript names one column that is not there: with rows R gives NULL for it."""
    selector = as_value(subscript)
    if inherits(x, "tbl_df") or selector._kind == "logical" or len(selector) != 1:
        return False
    index = places(selector, len(x), names_of(x) or [])
    return len(index) == 1 and not 0 <= index[0] < len(x)


def _of_columns(x: Value, subscript: object) -> Value:
    """Return some columns, without attributes of the whole table such as na.action."""
    columns = columns_of(x, subscript)
    about = attrs(columns, "names", "row.names", "class")
    if len(about) < len(columns._attributes) and inherits(x, "tbl_df"):
        raise NotSupportedError("columns of a tibble with further attributes")
    return Value("list", columns._data, about)


def columns_of(x: Value, subscript: object) -> Value:
    """Return some columns of a data frame, a data frame."""
    names = names_of(x)
    names = refuse_none(names, "columns of a data frame without names")
    x = without_spec(x)
    index = places(subscript, len(x), names)
    stop_if((index < 0).any() or (index >= len(x)).any(), "undefined columns selected")
    chosen = [names[i] for i in index]
    about = x._attributes | {"names": strings(made_unique(chosen) if len(set(chosen)) < len(chosen) else chosen)}
    return Value("list", objects([x._data[i].copy() for i in index]), about)


def rows_of(x: Value, subscript: Item) -> Value:
    """Return some rows of a data frame."""
    x = without_spec(x)
    n, labels = row_count(x), row_names(x)
    if kind_of(subscript) == "logical" and len(subscript) > n and any(dim_of(column) for column in x._data):
        raise RError("(subscript) logical subscript too long")
    index = places(subscript, n, labels)
    index = np.where(index >= n, -1, index)
    columns = [of_rows(column, index) for column in x._data]
    renumber = inherits(x, "tbl_df") and len(index)
    new = integers(np.arange(1.0, len(index) + 1)) if renumber else _rows_at(x._attributes["row.names"], labels, index)
    return Value("list", objects(columns), x._attributes | {"row.names": new})


def _rows_at(rows: Value, labels: list[str | None], index: np.ndarray) -> Value:
    if rows._kind == "integer" and (index >= 0).all() and len(set(index.tolist())) == len(index):
        return Value("integer", rows._data[index], None, "given")
    return strings(made_unique([labels[i] if i >= 0 else "NA" for i in index.tolist()]))


def of_rows(column: Value, index: np.ndarray) -> Value:
    """Return the items of a column, or the rows of a matrix in it, at positions from 0."""
    rows = integers(np.where(index < 0, np.nan, index + 1.0))
    if is_frame(column):
        return rows_of(column, rows)
    if len(dim_of(column) or ()) == 2:
        return block(column, (rows, ALL), drop=False)
    refuse_if(column._kind == "opaque", "rows of a column that R alone can hold")
    about = marks(column)
    return Value(column._kind, take(column, index)._data, about | names_part(_picked_names(names_of(column), index)))


def made_unique(labels: Sequence[_Label], separator: str = ".") -> list[_Label]:
    """Return unique labels (R's ``make.unique``); the first missing one stays missing."""
    seen = set(labels)
    numbers: dict[_Label, Iterator[int]] = {}
    out: list[_Label] = []
    for label in labels:
        if label in numbers:
            text = "NA" if label is None else label
            fresh = (f"{text}{separator}{number}" for number in numbers[label])
            out.append(next(name for name in fresh if name not in seen))
            seen.add(out[-1])
        else:
            numbers[label] = count(1)
            out.append(label)
    return out


# ---- one item ------------------------------------------------------------------------------------


@r_function()
def element(x: object, *subscripts: object) -> Item:
    """Return ``x[[i]]`` or ``x[[i, j]]``."""
    x = as_value(x)
    if not isinstance(x, Value):
        raise RError("object of type 'closure' is not subsettable")
    if x._kind == "NULL":
        return null()
    if len(subscripts) > 1:
        return _cell(x, [as_value(subscript) for subscript in subscripts])
    subscript = _check_kind(subscripts[0])
    if len(subscript) != 1:
        return _deeper(x, subscript)
    index = _one_place(x, subscript)
    if index is None:
        return null()
    if is_list(x):
        return copy(x._data[index])
    return Value(x._kind, x._data[index : index + 1].copy(), marks(x, "factor", "Date", "POSIXct"))


def _cell(x: Value, subscripts: list[Value]) -> Item:
    """Return ``x[[i, j]]``."""
    if any(len(subscript) != 1 for subscript in subscripts):
        raise RError("attempt to select more than one element in get1index")
    if is_frame(x) and len(subscripts) == 2:
        row, column = subscripts
        if row._kind == "character":
            row = integers(places(row, row_count(x), row_names(x), stretch=False) + 1)
        return element(element(x, column), row)
    subscripts = [coerce(s, "integer") if s._kind == "logical" else s for s in subscripts]
    if not all(s._data[0] >= 1 for s in subscripts if s._kind in NUMBERS):
        raise RError("invalid negative subscript in get1index <real>")
    cell = block(x, subscripts, drop=True)
    return cell._data[0] if is_list(cell) else bare(cell)


def _deeper(x: Item, subscript: Value) -> Item:
    """Follow a vector of subscripts into lists of lists."""
    stop_if(not len(subscript), "subscript of length 0")
    stop_if(not is_list(x), "attempt to select more than one element in vectorIndex")
    for i in range(len(subscript)):
        x = element(x, Value(subscript._kind, subscript._data[i : i + 1]))
        stop_if(i + 1 < len(subscript) and is_null(x), f"no such index at level {i + 1}")
    return x


def _one_place(x: Value, subscript: Value) -> int | None:
    """Return the position of an item; None where a list has no item of the name."""
    wanted = subscript._data[0]
    if subscript._kind == "character":
        names = names_of(x) or []
        if wanted and wanted in names:
            return names.index(wanted)
        stop_if(not is_list(x), "subscript out of bounds")
        _check_completion(wanted, names)
        return None
    if wanted != wanted and is_list(x):
        return None
    place = int(wanted) if np.isfinite(wanted) else 0
    stop_if(place < 0 and (len(x) != 2 or place < -2), "invalid negative subscript in get1index <real>")
    stop_if(place == 0 or place > len(x), "subscript out of bounds")
    return place - 1 if place > 0 else 2 + place


def _check_completion(name: str | None, names: list[str | None]) -> None:
    """Refuse a part that is not a plain name: ``x$a.b``, written ``x[["a.b"]]``, would be completed by R."""
    if name and "." in name and sum(bool(label) and str(label).startswith(name) for label in names) == 1:
        raise NotSupportedError(f"[[{name!r}]] is no name, but $ would complete it; write the whole name")


@r_function()
def component(x: object, name: str) -> Item:
    """Return ``x$name``: an item of a list by its name, or by the beginning of a single name; NULL if there is none."""
    if kind_of(x) == "NULL":
        return null()
    refuse_if(kind_of(x) == "opaque", f"${name} of what R alone holds")
    if not isinstance(x, Value) or not is_list(x):
        what = "closure" if callable(x) and not isinstance(x, Value) else "atomic vectors"
        raise RError(f"$ operator is invalid for {what}")
    names = names_of(x) or []
    if name in names:
        return copy(x._data[names.index(name)])
    begun = [] if inherits(x, "tbl_df") else [i for i, label in enumerate(names) if label and label.startswith(name)]
    return copy(x._data[begun[0]]) if len(begun) == 1 else null()


def cells(x: Value, subscript: Value) -> Value:
    """Return ``x[m]`` for a matrix of subscripts."""
    if is_frame(x):
        if subscript._kind == "logical" and dim_of(subscript) != dim_of(x):
            raise NotSupportedError("a data frame with a logical matrix of another shape as subscript")
        x = default("as.matrix")(x)
    return items(bare(x), cell_places(x, subscript))


def cell_places(x: Value, subscript: Value) -> Value:
    """Return the places, from 1, of the cells that a matrix of subscripts selects."""
    shape = dim_of(x)
    width = (dim_of(subscript) or (0, 0))[1]
    refuse_if(is_frame(subscript), "a data frame as subscript")
    if subscript._kind == "logical" or shape is None or width != len(shape):
        return bare(subscript)
    grid = cells_of(subscript)
    labels = dimnames_of(x)
    if subscript._kind == "character":
        positions = np.column_stack([_label_places(grid[:, k], labels[k]) for k in range(width)])
    else:
        positions = np.trunc(grid)
    stop_if((positions < 0).any(), "negative values are not allowed in a matrix subscript")
    stop_if((positions > np.array(shape)).any(), "subscript out of bounds")
    positions = positions[~(positions == 0).any(axis=1)]
    steps = np.cumprod([1, *shape[:-1]])
    return Value("integer", ((positions - 1) * steps).sum(axis=1) + 1)


def _label_places(wanted: np.ndarray, labels: Labels) -> np.ndarray:
    known = {label: i + 1.0 for i, label in reversed(list(enumerate(labels or [])))} | {None: np.nan}
    stop_if(not known.keys() >= {*wanted}, "subscript out of bounds")
    return np.array([known[label] for label in wanted], dtype=np.float64)


def places_of_cells(x: Value, index: np.ndarray) -> Value:
    """Return rows and columns of cells: ``which(x, arr.ind = TRUE)``."""
    shape = dim_of(x) or ()
    grid = np.column_stack(np.unravel_index(index, shape, order="F")) + 1.0
    labels = dimnames_of(x)[0]
    rows = None if labels is None or not len(index) else [labels[int(i) - 1] for i in grid[:, 0]]
    names = ["row", "col"] if len(shape) == 2 else [f"dim{k + 1}" for k in range(len(shape))]
    own = names_of(x._attributes["dimnames"]) if "dimnames" in x._attributes else None
    return matrix_of("integer", grid, (rows, list(map(str, own)) if own and any(own) else names))
