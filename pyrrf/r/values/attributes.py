"""What a value is made of: classes, names, dimensions, levels, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pyrrf.r.values.vector import KINDS, NUMBERS, NotSupportedError, Value, integers, kind_of, null, objects, strings

# What marks R's NA among the NaN of doubles.
_LOW_WORD = 1954


def kept(x: Value, *names: str) -> dict[str, Value]:
    """Return some of the attributes, as far as they are there."""
    return {name: x._attributes[name] for name in x._attributes if name in names}


def bare(x: Value) -> Value:
    """Return a value without attributes."""
    return Value(x._kind, x._data)


def without(x: Value, *names: str) -> Value:
    """Return a value without some of its attributes."""
    return Value(x._kind, x._data, {name: part for name, part in x._attributes.items() if name not in names}, x._hidden)


def classes(x: object) -> list[str]:
    """Return the class attribute; of a function, such as one that ``ecdf`` gives, that which R holds."""
    if not isinstance(x, Value):
        return getattr(x, "class_in_r", []) if callable(x) else []
    names = x._attributes.get("class")
    return [] if names is None else list(names._data)


def inherits(x: object, *names: str) -> bool:
    """Whether the class attribute holds one of some names."""
    return not set(names).isdisjoint(classes(x))


def is_factor(x: object) -> bool:
    """Whether the value is a factor."""
    return inherits(x, "factor")


def is_frame(x: object) -> bool:
    """Whether the value is a data frame."""
    return inherits(x, "data.frame")


def is_list(x: object) -> bool:
    """Whether the value is a list, such as a data frame."""
    return kind_of(x) == "list"


def names_of(x: Value) -> list[str | None] | None:
    """Return the names: of a vector, the columns of a frame, the labels of an array of one dimension."""
    found = x._attributes.get("names")
    shape = dim_of(x)
    if shape is not None and len(shape) == 1 and (found is None or "dimnames" in x._attributes):
        return dimnames_of(x)[0]
    return None if found is None else list(found._data)


def names_part(labels: Iterable[str | None] | None) -> dict[str, Value]:
    """Return names as an attribute; of None no attribute."""
    return {} if labels is None else {"names": strings(labels)}


def known_names(x: Value) -> list[str]:
    """Return the names of the items or columns, none without names.

    Raises
    ------
    NotSupportedError
        A name is missing, which R shows and treats in many ways.
    """
    found = names_of(x) or []
    if is_frame(x) and len(found) < len(x):
        raise NotSupportedError("a data frame without names")
    if None in found:
        raise NotSupportedError("a column or an item whose name is NA")
    return [str(name) for name in found]


def kept_names(x: Value) -> dict[str, Value]:
    """Return the names as an attribute, if there are any: those of an array of one dimension, too."""
    labels = names_of(x)
    return {} if labels is None else {"names": strings(labels)}


def dim_of(x: object) -> tuple[int, ...] | None:
    """Return the dim attribute; of a data frame its rows and columns."""
    if not isinstance(x, Value):
        return None
    if is_frame(x):
        return row_count(x), len(x)
    found = x._attributes.get("dim")
    return None if found is None else tuple(int(n) for n in found._data)


def is_matrix(x: object) -> bool:
    """Whether the value has two dimensions, and is no data frame."""
    return isinstance(x, Value) and not is_frame(x) and len(dim_of(x) or ()) == 2


def dimnames_of(x: Value) -> list[list[str | None] | None]:
    """Return the labels of each dimension; None where there are none."""
    if is_frame(x):
        return [row_names(x), names_of(x)]
    found = x._attributes.get("dimnames")
    shape = dim_of(x) or ()
    if found is None:
        return [None] * len(shape)
    return [None if part._kind == "NULL" else list(part._data) for part in found._data]


def dimnames_value(labels: Iterable[Sequence[str | None] | None], names: Value | None = None) -> Value:
    """Return dimnames as R stores them."""
    parts = [null() if part is None else strings(part) for part in labels]
    return Value("list", objects(parts), None if names is None else {"names": names})


def dimnames_names(x: Value) -> Value | None:
    """Return the names of the dimensions."""
    found = x._attributes.get("dimnames")
    return None if found is None else found._attributes.get("names")


def dimnames_along(x: Value, axes: Sequence[int]) -> Value | None:
    """Return the dimnames of some dimensions, with their names."""
    found = x._attributes.get("dimnames")
    if found is None:
        return None
    names = dimnames_names(x)
    at = np.array(axes, dtype=np.int64)
    return Value("list", found._data[at], None if names is None else {"names": strings(names._data[at])})


def row_count(frame: Value) -> int:
    """Return how many rows a data frame has."""
    found = frame._attributes.get("row.names")
    return 0 if found is None else len(found)


def row_names(frame: Value) -> list[str | None]:
    """Return the names of a data frame's rows, as text."""
    found = frame._attributes.get("row.names")
    if found is None:
        return []
    if found._kind == "character":
        return list(found._data)
    return [None if at != at else str(int(at)) for at in found._data.tolist()]


def counted_rows(frame: Value) -> bool:
    """Whether R only counts the rows: they were never chosen from others, and have no names."""
    rows = frame._attributes["row.names"]
    plain = rows._kind == "integer" and rows._hidden != "given"
    return plain and np.array_equal(rows._data, np.arange(1, len(rows) + 1))


def factor_levels(x: Value) -> list[str | None]:
    """Return the levels of a factor."""
    found = x._attributes.get("levels")
    return [] if found is None else list(found._data)


def factor_labels(x: Value) -> Value:
    """Return a factor as strings, without attributes other than names."""
    levels = objects([*factor_levels(x), None])
    codes = np.where(np.isnan(x._data), len(levels), x._data).astype(np.int64) - 1
    kept = {"names": x._attributes["names"]} if "names" in x._attributes else None
    return Value("character", levels[codes], kept)


def without_spec(x: Value) -> Value:
    """Return a table that readr read without what says how; most of what takes parts of it leaves that out."""
    if not inherits(x, "spec_tbl_df"):
        return x
    kept = {name: part for name, part in x._attributes.items() if name not in ("spec", "problems")}
    names = [name for name in x._attributes["class"]._data if name != "spec_tbl_df"]
    return Value("list", x._data, kept | {"class": strings(names)})


def not_of_readr(x: object) -> Any:
    """Refuse a table that readr read and a file holds: whether `[` leaves its class depends on packages loaded."""
    if isinstance(x, Value) and inherits(x, "spec_tbl_df"):
        raise NotSupportedError("a table that readr read; write as.data.frame() of it")
    return x


def is_missing(x: Value) -> np.ndarray:
    """Return where values are missing, NaN too, shape (n,)."""
    if x._kind in NUMBERS:
        return np.isnan(x._data)
    if x._kind == "character":
        return np.array([item is None for item in x._data], dtype=bool)
    if x._kind == "list":
        single = [isinstance(item, Value) and len(item) == 1 and item._kind in KINDS[1:5] for item in x._data]
        return np.array(
            [ok and bool(is_missing(item)[0]) for ok, item in zip(single, x._data, strict=True)], dtype=bool
        )
    return np.zeros(len(x), dtype=bool)


def is_na_mark(values: np.ndarray) -> np.ndarray:
    """Return where doubles are R's NA, not another NaN."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    return np.isnan(values) & ((bits & np.uint64(0xFFFFFFFF)) == _LOW_WORD)


def refuse_two_gaps(values: np.ndarray) -> None:
    """Refuse NA and NaN among the same doubles, where it depends on the processor which of them a sum becomes."""
    gaps = np.isnan(values)
    if gaps.any() and is_na_mark(values[gaps]).any() and not is_na_mark(values[gaps]).all():
        raise NotSupportedError("NA and NaN together: which of them R keeps depends on the processor")


def as_plain(x: Value) -> Value:
    """Return a factor as its labels, another value as it is: what a loop of R goes over."""
    return factor_labels(x) if is_factor(x) else x


def as_codes(x: Value) -> Value:
    """Return a factor as its codes, another value as it is."""
    return Value("integer", x._data) if is_factor(x) else x


def coded(
    codes: np.ndarray | Sequence[float],
    levels: Iterable[str | None],
    ordered: bool = False,
    names: Iterable[str | None] | None = None,
) -> Value:
    """Return a factor of codes from 1, NaN where missing."""
    of_class = strings(["ordered", "factor"] if ordered else "factor")
    return integers(codes, names_part(names) | {"levels": strings(levels), "class": of_class})


def recoded(codes: np.ndarray, new: Sequence[float]) -> np.ndarray:
    """Return the codes of a factor after those of its levels became others; what is missing stays so."""
    places = np.where(np.isnan(codes), 0, codes).astype(np.int64)
    return np.array([np.nan, *new])[places]


def factor_items(x: Value) -> list[Value]:
    """Return the items of a factor, each a factor."""
    about = {name: part for name, part in x._attributes.items() if name in ("levels", "class")}
    return [Value("integer", x._data[i : i + 1], about) for i in range(len(x))]


def made(kind: str, grid: np.ndarray, labels: Any = (None, None), names: Value | None = None) -> Value:
    """Return a matrix of a kind, with labels if there are any."""
    about = {"dim": integers(grid.shape)}
    if any(part is not None for part in labels):
        about["dimnames"] = dimnames_value(labels, names)
    return Value(kind, grid.ravel(order="F"), about)


def cells_of(x: Value) -> np.ndarray:
    """Return the data of a matrix in its shape."""
    return x._data.reshape(dim_of(x), order="F")
