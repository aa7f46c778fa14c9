"""``x[i]``, ``x[i, j]``, ``x[[i]]`` and ``x$name`` as R has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.values.attributes import (
    cells_of,
    dim_of,
    dimnames_of,
    factor_labels,
    inherits,
    is_factor,
    is_frame,
    is_list,
    made,
    names_of,
    row_count,
    row_names,
    without_spec,
)
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.methods import default
from pyrrf.r.values.vector import (
    NUMBERS,
    NotMovedError,
    RError,
    Value,
    as_value,
    integers,
    kind_of,
    missing_number,
    null,
    objects,
    strings,
)

ALL = slice(None)


def is_all(subscript: Any) -> bool:
    """Whether nothing stands in R's place of a subscript: ``:``, or ``...`` where Python takes no colon."""
    return subscript is ... or (isinstance(subscript, slice) and subscript == ALL)


def places(subscript: Any, n: int, names: list[str | None] | None, stretch: bool = True) -> np.ndarray:
    """Return the positions from 0 that a subscript selects; -1 where it is missing or names nothing.

    Parameters
    ----------
    subscript : object
    n : int
        How many items there are.
    names : list of str or None
    stretch : bool, default True
        Whether positions beyond the end are allowed.

    Raises
    ------
    RError
        Positive and negative positions are mixed, or one is beyond the end of a matrix.
    """
    if is_all(subscript):
        return np.arange(n)
    found = as_value(subscript)
    if not isinstance(found, Value) or found._kind not in (*NUMBERS, "NULL", "character"):
        raise RError(f"invalid subscript type '{found._kind if isinstance(found, Value) else 'closure'}'")
    if found._kind == "character":
        return _named_places(found._data, names, stretch)
    if found._kind == "logical" and not is_factor(found):
        return _true_places(found._data, n, stretch)
    return _numbered_places(found._data, n, stretch)


def _named_places(wanted: np.ndarray, names: list[str | None] | None, stretch: bool) -> np.ndarray:
    known: dict[str | None, int] = {}
    for at, name in enumerate(names or []):
        known.setdefault(name, at)
    known.pop("", None)
    known.pop(None, None)
    out = np.array([known.get(name, -1) for name in wanted], dtype=np.int64)
    if not stretch and (out < 0).any():
        raise RError("subscript out of bounds")
    return out


def _true_places(wanted: np.ndarray, n: int, stretch: bool) -> np.ndarray:
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    if len(wanted) > n and not stretch:
        raise RError("(subscript) logical subscript too long")
    size = max(n, len(wanted))
    wide = np.resize(wanted, size)
    at = np.flatnonzero(wide != 0)
    return np.where(np.isnan(wide[at]), -1, at)


_FAR = 2.0**60  # behind every item that memory can hold


def _numbered_places(wanted: np.ndarray, n: int, stretch: bool) -> np.ndarray:
    if np.isinf(wanted).any():
        raise NotMovedError("an infinite subscript is not moved")
    gaps = np.isnan(wanted)
    whole = np.trunc(np.clip(np.where(gaps, 0, wanted), -_FAR, _FAR)).astype(np.int64)
    if (whole < 0).any():
        if (whole > 0).any() or gaps.any():
            raise RError("can't mix positive and negative subscripts")
        left = np.ones(n, dtype=bool)
        gone = -whole[(whole < 0) & (whole >= -n)] - 1
        left[gone] = False
        return np.flatnonzero(left)
    if not stretch and (whole > n).any():
        raise RError("subscript out of bounds")
    return np.asarray((whole - 1)[(whole > 0) | gaps], dtype=np.int64)


# Classes whose values keep what makes them such when some of their items are taken.
_LASTING = ("factor", "Date", "POSIXct", "difftime", "noquote")
_MARKS = ("levels", "class", "units", "tzone", "contrasts")


def taken(x: Any, *subscripts: Any, drop: Any = None) -> Value:
    """Return ``x[...]``.

    Parameters
    ----------
    x : value
    *subscripts : object
        One for a vector, a list, or the columns of a data frame; one for each dimension of a matrix. ``:`` where
        nothing stands in R.
    drop : bool, optional
        As in R: TRUE, but FALSE for a data frame of which one column was asked for without a comma.

    Raises
    ------
    RError
        R refuses the subscript, too.
    """
    x = as_value(x)
    if not isinstance(x, Value):
        raise RError("object of type 'closure' is not subsettable")
    if not subscripts and drop is not None:
        raise NotMovedError("[drop=] without subscripts")
    if x._kind == "NULL":
        return null()
    if len(subscripts) == 1 and _is_ragged(x, subscripts[0]):
        return cells(x, subscripts[0])
    if is_frame(x):
        return _of_frame(x, *subscripts, drop=drop)
    if len(subscripts) == 1:
        found = items(x, subscripts[0])
        if is_factor(x) and drop is not None and bool(as_value(drop)):
            return default("droplevels")(found)
        return found
    if not subscripts:
        return x.copy() if not is_factor(x) else taken(x, ALL, drop=drop)
    return block(x, subscripts, True if drop is None else bool(as_value(drop)))


def _is_ragged(x: Value, subscript: Any) -> bool:
    """Whether a subscript is a matrix of cells; to what is no array, or has other dimensions, it is a vector."""
    shape = dim_of(subscript) if isinstance(subscript, Value) and not is_frame(subscript) else None
    if is_frame(x) or is_frame(subscript):
        return len(dim_of(subscript) or ()) == 2
    numbers = shape is not None and subscript._kind in ("integer", "double", "character")
    return shape is not None and len(shape) == 2 and numbers and shape[1] == len(dim_of(x) or ())


# ---- vectors and lists ---------------------------------------------------------------------------


# x[] loses its class, except where R has a method for it.
_KEPT_CLASSES = ("factor", "Date", "POSIXct", "difftime", "table", "noquote", "AsIs", "simple.list")


def items(x: Value, subscript: Any, drop: bool = True) -> Value:
    """Return ``x[i]`` of a vector or a list; with `drop`, one item is no array of one dimension."""
    if x._kind == "NULL":
        return null()
    if x._kind in ("language", "opaque"):
        raise RError(f"object of type '{x._kind}' is not subsettable")
    names = names_of(x)
    if isinstance(subscript, Value) and is_factor(subscript):
        subscript = integers(subscript._data)
    if is_all(subscript):
        known = any(inherits(x, name) for name in _KEPT_CLASSES)
        return Value(x._kind, x._data, {k: v for k, v in x._attributes.items() if known or k != "class"})
    at = places(subscript, len(x), names)
    made = picked(x, at)
    labels = None if names is None else _picked_names(names, at, x._kind)
    return _rebuilt(x, made, labels, drop)


def picked(x: Value, at: np.ndarray) -> Value:
    """Return the items at some positions, without attributes; what is missing is NA, in lists NULL."""
    good = (at >= 0) & (at < len(x))
    data = x._data
    if good.all():
        return Value(x._kind, data[at])
    if x._kind in NUMBERS:
        out = np.full(len(at), missing_number(x._kind))
    else:
        out = objects([None] * len(at) if x._kind == "character" else [null() for _ in at])
    out[good] = data[at[good]]
    return Value(x._kind, out)


def _picked_names(names: list[str | None], at: np.ndarray, kind: str) -> list[str | None]:
    return [names[i] if 0 <= i < len(names) else None for i in at.tolist()]


def _rebuilt(x: Value, made: Value, labels: list[str | None] | None, drop: bool) -> Value:
    shape = dim_of(x)
    about: dict[str, Value] = {}
    if shape is not None and len(shape) == 1 and (len(made) > 1 or not drop):
        about["dim"] = integers([len(made)])
        if labels is not None:
            old = x._attributes["dimnames"]
            about["dimnames"] = Value("list", objects([strings(labels)]), old._attributes)
    elif labels is not None:
        about["names"] = strings(labels)
    if any(inherits(x, name) for name in _LASTING):
        about |= {name: x._attributes[name] for name in _MARKS if name in x._attributes}
    return _as_table(x, Value(made._kind, made._data, about))


def _as_table(x: Value, found: Value) -> Value:
    """Return part of a table with the class that R leaves it: with fewer than two dimensions often none."""
    if inherits(x, "table"):
        left = len(dim_of(found) or ())
        if left > 1 or left == len(dim_of(x) or ()):
            found._attributes["class"] = strings("table")
    return found


# ---- matrices ------------------------------------------------------------------------------------


def block(x: Value, subscripts: tuple[Any, ...], drop: bool) -> Value:
    """Return ``x[i, j, ...]`` of a matrix or an array."""
    shape = dim_of(x)
    if shape is None or len(shape) != len(subscripts):
        raise RError("incorrect number of dimensions")
    labels = dimnames_of(x)
    if any(
        isinstance(s, Value) and s._kind == "character" and part is None
        for s, part in zip(subscripts, labels, strict=True)
    ):
        raise RError("no 'dimnames' attribute for array")
    at = [places(_plain(s), n, names, stretch=False) for s, n, names in zip(subscripts, shape, labels, strict=True)]
    grid = x._data.reshape(shape, order="F")[np.ix_(*[np.maximum(p, 0) for p in at])]
    gone = np.zeros(grid.shape, dtype=bool)
    for axis, part in enumerate(at):
        gone |= np.expand_dims(part < 0, tuple(k for k in range(len(at)) if k != axis))
    if gone.any():
        grid = grid.copy()
        grid[gone] = {"list": objects([null()]), "character": None}.get(x._kind, missing_number(x._kind))
    kept = [
        None if names is None else [names[i] if i >= 0 else None for i in p]
        for names, p in zip(labels, at, strict=True)
    ]
    old = x._attributes.get("dimnames")
    names = None if old is None else old._attributes.get("names")
    found = shaped(Value(x._kind, grid.ravel(order="F")), tuple(map(len, at)), kept, names, drop, old is not None)
    if is_factor(x):
        found._attributes.update({name: x._attributes[name] for name in _MARKS if name in x._attributes})
    return _as_table(x, found)


def _plain(subscript: Any) -> Any:
    return integers(subscript._data) if isinstance(subscript, Value) and is_factor(subscript) else subscript


def shaped(
    flat: Value,
    shape: tuple[int, ...],
    labels: list[list[str | None] | None],
    names: Value | None,
    drop: bool,
    named: bool = False,
) -> Value:
    """Return data with a dim and, if `named`, dimnames; with `drop` without dimensions of length one."""
    labels = [part if n else None for n, part in zip(shape, labels, strict=True)]
    kept = [k for k, n in enumerate(shape) if n != 1] if drop else list(range(len(shape)))
    if len(kept) <= 1 and drop and len(kept) < len(shape):
        if not kept:
            single = [k for k in range(len(shape)) if labels[k] is not None]
            # R names a single cell only if one dimension alone has labels.
            return Value(
                flat._kind, flat._data, {"names": strings(labels[single[0]] or [])} if len(single) == 1 else {}
            )
        found = labels[kept[0]]
        return Value(flat._kind, flat._data, {} if found is None else {"names": strings(found)})
    about = {"dim": integers([shape[k] for k in kept])}
    if any(labels[k] is not None for k in kept) or (named and len(kept) == len(shape)):
        about["dimnames"] = Value(
            "list",
            objects([null() if labels[k] is None else strings(labels[k] or []) for k in kept]),
            None if names is None else {"names": strings([names._data[k] for k in kept])},
        )
    return Value(flat._kind, flat._data, about)


# ---- data frames ---------------------------------------------------------------------------------


def _of_frame(x: Value, *subscripts: Any, drop: Any) -> Value:
    if inherits(x, "grouped_df"):
        raise NotMovedError("subscripts of a grouped table; ungroup() it before")
    if len(subscripts) == 1:
        return without_spec(x).copy() if is_all(subscripts[0]) else _of_columns(x, subscripts[0])
    if "names" not in x._attributes:
        raise NotMovedError("a data frame without names")
    rows, columns = subscripts
    names = names_of(x) or []
    if is_all(rows) and is_all(columns) and len(set(names)) < len(names):
        x = Value("list", x._data, x._attributes | {"names": strings(made_unique(names))})
    dropped = drop is None or bool(as_value(drop))
    if dropped and not is_all(rows) and not is_all(columns) and _no_column(x, columns):
        return null()
    chosen = x.copy() if is_all(columns) else _of_columns(x, columns)
    if not is_all(rows):
        chosen = rows_of(chosen, rows)
    single = len(chosen) == 1 and not inherits(x, "tbl_df") if drop is None else bool(as_value(drop))
    if single and len(chosen) == 1:
        column: Value = chosen._data[0].copy()
        return column
    if drop is not None and single and row_count(chosen) == 1:
        return Value("list", chosen._data, {"names": chosen._attributes["names"]})
    return chosen


def _no_column(x: Value, subscript: Any) -> bool:
    """Whether a subscript names one column that is not there: with rows R gives NULL for it."""
    found = _plain(as_value(subscript))
    if inherits(x, "tbl_df") or found._kind == "logical" or len(found) != 1:
        return False
    at = places(found, len(x), names_of(x) or [], stretch=True)
    return len(at) == 1 and not 0 <= at[0] < len(x)


def _of_columns(x: Value, subscript: Any) -> Value:
    """Return some columns, without attributes of the whole table such as na.action."""
    found = columns_of(x, subscript)
    kept = {name: part for name, part in found._attributes.items() if name in ("names", "row.names", "class")}
    if len(kept) < len(found._attributes) and inherits(x, "tbl_df"):
        raise NotMovedError("columns of a tibble with further attributes")
    return Value("list", found._data, kept)


def columns_of(x: Value, subscript: Any) -> Value:
    """Return some columns of a data frame, a data frame."""
    names = names_of(x)
    if names is None:
        raise NotMovedError("columns of a data frame without names")
    x = without_spec(x)
    at = places(_plain(subscript), len(x), names, stretch=True)
    if (at < 0).any() or (at >= len(x)).any():
        raise RError("undefined columns selected")
    chosen = [names[i] for i in at]
    if len(set(chosen)) != len(chosen):
        chosen = made_unique(chosen)
    about = x._attributes | {"names": strings(chosen)}
    return Value("list", objects([x._data[i].copy() for i in at]), about)


def rows_of(x: Value, subscript: Any) -> Value:
    """Return some rows of a data frame."""
    x = without_spec(x)
    n, labels = row_count(x), row_names(x)
    if kind_of(subscript) == "logical" and len(subscript) > n and any(dim_of(column) for column in x._data):
        raise RError("(subscript) logical subscript too long")
    at = places(_plain(subscript), n, labels)
    at = np.where(at >= n, -1, at)
    columns = [of_rows(column, at) for column in x._data]
    rows = x._attributes["row.names"]
    new = integers(np.arange(1.0, len(at) + 1)) if inherits(x, "tbl_df") and len(at) else _rows_at(rows, labels, at)
    about = x._attributes | {"row.names": new}
    return Value("list", objects(columns), about)


def _rows_at(rows: Value, labels: list[str | None], at: np.ndarray) -> Value:
    if rows._kind == "integer" and (at >= 0).all() and len(set(at.tolist())) == len(at):
        return Value("integer", rows._data[at], None, "given")
    return strings(made_unique([labels[i] if i >= 0 else "NA" for i in at.tolist()]))


def of_rows(column: Any, at: np.ndarray) -> Any:
    """Return the items of a column, or the rows of a matrix in it, at positions from 0."""
    if is_frame(column):
        return rows_of(column, integers(np.where(at < 0, np.nan, at + 1)))
    if len(dim_of(column) or ()) == 2:
        return block(column, (integers(np.where(at < 0, np.nan, at + 1.0)), ALL), drop=False)
    if column._kind == "opaque":
        raise NotMovedError("rows of a column that R alone can hold")
    made = picked(column, at)
    names = names_of(column)
    lasting = any(inherits(column, name) for name in (*_LASTING, "AsIs"))
    kept = {name: part for name, part in column._attributes.items() if lasting and name in _MARKS}
    if names is not None:
        kept["names"] = strings(_picked_names(names, at, column._kind))
    return Value(made._kind, made._data, kept)


def made_unique(labels: list[str | None], separator: str = ".") -> list[str]:
    """Return labels of which none stands twice (R's ``make.unique``)."""
    seen: set[str] = {str(label) for label in labels}
    counts: dict[str, int] = {}
    first: set[str] = set()
    out: list[str] = []
    for label in map(str, labels):
        if label not in first:
            first.add(label)
            out.append(label)
            continue
        number = counts.get(label, 1)
        while f"{label}{separator}{number}" in seen:
            number += 1
        made = f"{label}{separator}{number}"
        counts[label] = number + 1
        seen.add(made)
        first.add(made)
        out.append(made)
    return out


# ---- one item ------------------------------------------------------------------------------------


def element(x: Any, *subscripts: Any) -> Any:
    """Return ``x[[i]]`` or ``x[[i, j]]``.

    Raises
    ------
    RError
        There is no such item.
    """
    x = as_value(x)
    if not isinstance(x, Value):
        raise RError("object of type 'closure' is not subsettable")
    if x._kind == "NULL":
        return null()
    if len(subscripts) > 1:
        return _cell(x, subscripts)
    subscript = as_value(subscripts[0])
    if not isinstance(subscript, Value) or subscript._kind not in (*NUMBERS, "character", "NULL"):
        raise RError(f"invalid subscript type '{subscript._kind if isinstance(subscript, Value) else 'closure'}'")
    if len(subscript) != 1:
        return _deeper(x, subscript)
    at = _one_place(x, subscript)
    if at is None:
        return null()
    if is_list(x):
        found = x._data[at]
        return found.copy() if isinstance(found, Value) else found
    made = Value(x._kind, x._data[at : at + 1].copy())
    lasting = any(inherits(x, name) for name in ("factor", "Date", "POSIXct"))
    return (
        Value(made._kind, made._data, {n: x._attributes[n] for n in _MARKS if n in x._attributes}) if lasting else made
    )


def _cell(x: Value, subscripts: tuple[Any, ...]) -> Any:
    """Return ``x[[i, j]]``."""
    if any(len(as_value(subscript)) != 1 for subscript in subscripts):
        raise RError("attempt to select more than one element in get1index")
    if is_frame(x) and len(subscripts) == 2:
        return element(element(x, subscripts[1]), _row_place(x, subscripts[0]))
    subscripts = tuple(coerced(s, "integer") if as_value(s)._kind == "logical" else s for s in subscripts)
    numbers = [as_value(s)._data[0] for s in subscripts if as_value(s)._kind in NUMBERS]
    if not all(number >= 1 for number in numbers):
        raise RError("invalid negative subscript in get1index <real>")
    found = block(x, subscripts, drop=True)
    if is_list(found):
        return found._data[0]
    return Value(found._kind, found._data)


def _row_place(x: Value, row: Any) -> Any:
    """Return the number of a row that is asked for by name."""
    found = as_value(row)
    if found._kind != "character":
        return found
    labels = row_names(x)
    if found._data[0] not in labels:
        raise RError("subscript out of bounds")
    return integers(labels.index(found._data[0]) + 1)


def _deeper(x: Value, subscript: Value) -> Any:
    """Follow a vector of subscripts into lists of lists."""
    if not len(subscript):
        raise RError("subscript of length 0")
    if not is_list(x):
        raise RError("attempt to select more than one element in vectorIndex")
    for i in range(len(subscript)):
        x = element(x, Value(subscript._kind, subscript._data[i : i + 1]))
        if i + 1 < len(subscript) and isinstance(x, Value) and x._kind == "NULL":
            raise RError(f"no such index at level {i + 1}")
    return x


def _one_place(x: Value, subscript: Value) -> int | None:
    """Return the position of an item; None where a list has no item of the name."""
    if subscript._kind == "character":
        names = names_of(x) or []
        if subscript._data[0] and subscript._data[0] in names:
            return names.index(subscript._data[0])
        if is_list(x):
            _check_completion(subscript._data[0], names)
            return None
        raise RError("subscript out of bounds")
    wanted = coerced(subscript, "double")._data[0]
    if wanted != wanted:
        if is_list(x):
            return None
        raise RError("subscript out of bounds")
    at = int(wanted) if np.isfinite(wanted) else 0
    if at < 0:
        if len(x) != 2 or at < -2:
            raise RError("invalid negative subscript in get1index <real>")
        return 2 + at
    if at == 0 or at > len(x):
        raise RError("subscript out of bounds")
    return at - 1


def _check_completion(name: str | None, names: list[str | None]) -> None:
    """Refuse what is no name: ``x$a.b``, written ``x[["a.b"]]``, would be completed by R."""
    if name and "." in name and sum(bool(label) and str(label).startswith(name) for label in names) == 1:
        raise NotMovedError(f"[[{name!r}]] is no name, but $ would complete it; write the whole name")


def component(x: Any, name: str) -> Any:
    """Return ``x$name``: an item of a list by its name, or by what a single name begins with; NULL if there is none.

    Raises
    ------
    RError
        `x` is a vector.
    """
    if isinstance(x, Value) and x._kind == "NULL":
        return null()
    if isinstance(x, Value) and x._kind == "opaque":
        raise NotMovedError(f"${name} of what R alone holds")
    if not is_list(x):
        what = "closure" if callable(x) and not isinstance(x, Value) else "atomic vectors"
        raise RError(f"$ operator is invalid for {what}")
    names = names_of(x) or []
    if name in names:
        found = x._data[names.index(name)]
        return found.copy() if isinstance(found, Value) else found
    begun = [i for i, label in enumerate(names) if label and label.startswith(name)]
    if len(begun) == 1 and not inherits(x, "tbl_df"):
        found = x._data[begun[0]]
        return found.copy() if isinstance(found, Value) else found
    return null()


def as_plain(x: Value) -> Value:
    """Return a factor as its labels, another value as it is."""
    return factor_labels(x) if is_factor(x) else x


def cells(x: Value, subscript: Value) -> Value:
    """Return ``x[m]`` for a matrix of subscripts."""
    if is_frame(x):
        if subscript._kind == "logical" and dim_of(subscript) != dim_of(x):
            raise NotMovedError("a data frame with a logical matrix of another shape as subscript")
        x = default("as.matrix")(x)
    return items(Value(x._kind, x._data), cell_places(x, subscript))


def cell_places(x: Value, subscript: Value) -> Value:
    """Return the places, from 1, of the cells that a matrix of subscripts selects."""
    shape = dim_of(x)
    width = (dim_of(subscript) or (0, 0))[1]
    if is_frame(subscript):
        raise NotMovedError("a data frame as subscript")
    if subscript._kind == "logical" or shape is None or width != len(shape):
        return Value(subscript._kind, subscript._data)
    grid = cells_of(subscript)
    labels = dimnames_of(x)
    if subscript._kind == "character":
        at = np.column_stack([_label_places(grid[:, k], labels[k]) for k in range(width)])
    else:
        at = np.trunc(grid)
    if (at < 0).any():
        raise RError("negative values are not allowed in a matrix subscript")
    if (at > np.array(shape)).any():
        raise RError("subscript out of bounds")
    at = at[~(at == 0).any(axis=1)]
    steps = np.cumprod([1, *shape[:-1]])
    return Value("integer", ((at - 1) * steps).sum(axis=1) + 1)


def _label_places(wanted: np.ndarray, labels: list[str | None] | None) -> np.ndarray:
    known = {label: i + 1.0 for i, label in reversed(list(enumerate(labels or [])))}
    if any(label is not None and label not in known for label in wanted):
        raise RError("subscript out of bounds")
    return np.array([np.nan if label is None else known[label] for label in wanted], dtype=np.float64)


def places_of_cells(x: Value, at: np.ndarray) -> Value:
    """Return rows and columns of cells: ``which(x, arr.ind = TRUE)``."""
    shape = dim_of(x) or ()
    found = np.column_stack(np.unravel_index(at, shape, order="F")) + 1.0
    labels = dimnames_of(x)[0]
    rows = None if labels is None or not len(at) else [labels[int(i) - 1] for i in found[:, 0]]
    old = x._attributes.get("dimnames")
    own = None if old is None else old._attributes.get("names")
    names = ["row", "col"] if len(shape) == 2 else [f"dim{k + 1}" for k in range(len(shape))]
    if own is not None and any(own._data):
        names = [str(name) for name in own._data]
    return made("integer", found, (rows, names))
