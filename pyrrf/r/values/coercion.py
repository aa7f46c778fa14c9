"""A value as another one: of another kind, with fewer attributes, as codes or labels of a factor, as R's code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from pyrrf.checks import warn
from pyrrf.r.values.errors import RError, refuse, refuse_if
from pyrrf.r.values.kinds import factor_levels, inherits, is_factor, is_frame, is_na_mark
from pyrrf.r.values.labels import dim_of, names_of, names_part
from pyrrf.r.values.options import option
from pyrrf.r.values.vector import KINDS, NUMBERS, Value, as_value, integers, objects, strings
from pyrrf.rbase.numbers import number_text, read_numbers
from pyrrf.rbase.vectors import MOST_INTEGER, REAL_NA
from pyrrf.rlang.deparse import quote_name, string_text


def coerce(x: Any, kind: str, keep: bool = False) -> Value:
    """Return a value as one of another kind; its attributes stay if asked to.

    A factor counts by its codes, but becomes its labels among strings.
    """
    x = as_value(x)
    if not isinstance(x, Value):
        if kind == "list":
            return Value("list", objects([x]))
        raise RError(f"a function cannot become a vector of type '{kind}'")
    about = x._attributes if keep else None
    if x._kind == kind:
        return x if keep or not x._attributes else Value(kind, x._data)
    if kind == "character" and is_factor(x):
        return Value(kind, factor_labels(x)._data, about)
    return Value(kind, _convert(x, kind), about)


def _convert(x: Value, kind: str) -> np.ndarray:
    if kind == "list":
        items = factor_items(x) if is_factor(x) else [Value(x._kind, x._data[i : i + 1]) for i in range(len(x))]
        return objects(items)
    if x._kind == "NULL":
        return np.zeros(0, dtype=object if kind == "character" else np.float64)
    if x._kind == "list":
        return _flat_items(x, kind)
    if kind == "character":
        return _as_text(x)
    if x._kind == "character":
        return _as_numbers(x._data, kind)
    if x._kind not in NUMBERS:
        raise RError(f"cannot coerce type '{x._kind}' to vector of type '{kind}'")
    return _as_kind(x._data, x._kind, kind)


def _flat_items(x: Value, kind: str) -> np.ndarray:
    parts = []
    for item in x._data:
        if kind == "character" and isinstance(item, Value) and (len(item) != 1 or item._kind != "character"):
            parts.append(strings([code_of(item, simple=True)]))
        elif not isinstance(item, Value) or len(item) != 1 or item._kind not in KINDS[1:]:
            raise RError(f"'list' object cannot be coerced to type '{kind}'")
        else:
            parts.append(coerce(item, kind))
    empty = np.zeros(0, dtype=object if kind == "character" else np.float64)
    return np.concatenate([piece._data for piece in parts]) if parts else empty


def _as_text(x: Value) -> np.ndarray:
    if x._kind == "logical":
        return objects([None if v != v else "TRUE" if v else "FALSE" for v in x._data.tolist()])
    if x._kind == "integer":
        return objects([None if v != v else str(int(v)) for v in x._data.tolist()])
    if x._kind == "double":
        marks, scipen = is_na_mark(x._data).tolist(), int(option("scipen", 0))
        texts = zip(x._data.tolist(), marks, strict=True)
        return objects([None if gap else "NaN" if v != v else number_text(v, scipen=scipen) for v, gap in texts])
    return x._data.copy()


def _as_numbers(texts: np.ndarray, kind: str) -> np.ndarray:
    if kind == "logical":
        known = {
            **dict.fromkeys(("T", "TRUE", "true", "True"), 1.0),
            **dict.fromkeys(("F", "FALSE", "false", "False"), 0.0),
        }
        return np.array([known.get(text, np.nan) for text in texts], dtype=np.float64)
    stripped = [None if text is None or text.strip() == "NA" else text.strip() for text in texts]
    values, is_number = read_numbers(stripped)
    if not is_number.all():
        warn("NAs introduced by coercion")
    values[~is_number | np.array([text is None for text in stripped], dtype=bool)] = REAL_NA
    return values if kind == "double" else _as_kind(values, "double", kind)


def _as_kind(values: np.ndarray, kind: str, wanted: str) -> np.ndarray:
    gaps = np.isnan(values)
    if wanted == "double":
        return np.where(gaps, REAL_NA, values)
    if wanted == "logical":
        return np.where(gaps, np.nan, (values != 0).astype(np.float64))
    if kind == "logical":
        return values
    with np.errstate(invalid="ignore"):  # R's NA is a NaN that signals
        whole = np.trunc(values) + 0.0
    beyond = np.abs(whole) > MOST_INTEGER
    if beyond.any():
        warn("NAs introduced by coercion to integer range")
    return np.where(beyond, np.nan, whole)


def wider(*kinds: str) -> str:
    """Return the widest of some kinds; one that is not a vector's makes a list."""
    return max((kind if kind in KINDS else "list" for kind in kinds), key=KINDS.index, default="NULL")


def one(x: Any, kind: str) -> Any:
    """Return the only item of a value as Python's own; RError if it has none or several."""
    value = coerce(x, kind)
    if len(value) != 1:
        raise RError(f"a single value is needed, not {len(value)}")
    return value._data[0]


EMPTY = {"double": "numeric", "NULL": "NULL"}
_TYPED_NA = {"integer": "NA_integer_", "double": "NA_real_", "character": "NA_character_"}


# ---- attributes, and codes of factors -------------------------------------------------------------


def attribute(x: Value, name: str) -> Value | None:
    """Return an attribute; None without."""
    return x._attributes.get(name)


def attrs(x: Value, *names: str) -> dict[str, Value]:
    """Return the attributes of these names that the value has."""
    return {name: x._attributes[name] for name in x._attributes if name in names}


def bare(x: Value) -> Value:
    """Return a value without attributes."""
    return Value(x._kind, x._data)


def without(x: Value, *names: str) -> Value:
    """Return a value without some of its attributes."""
    return Value(x._kind, x._data, {name: item for name, item in x._attributes.items() if name not in names}, x._hidden)


def without_spec(x: Value) -> Value:
    """Return a table that readr read without its "spec" and "problems", as most selections of its parts do."""
    if not inherits(x, "spec_tbl_df"):
        return x
    kept = {name: value for name, value in x._attributes.items() if name not in ("spec", "problems")}
    names = [name for name in x._attributes["class"]._data if name != "spec_tbl_df"]
    return Value("list", x._data, kept | {"class": strings(names)})


def not_of_readr(x: object) -> Any:
    """Refuse a table that readr read and a file holds: whether `[` leaves its class depends on packages loaded."""
    refuse_if(inherits(x, "spec_tbl_df"), "a table that readr read; write as.data.frame() of it")
    return x


def refuse_two_gaps(values: np.ndarray) -> None:
    """Refuse NA and NaN among the same doubles, where it depends on the processor which of them a sum becomes."""
    gaps = np.isnan(values)
    if gaps.any():
        marks = is_na_mark(values[gaps])
        refuse_if(marks.any() and not marks.all(), "NA and NaN together: which one R keeps depends on the processor")


def as_plain(x: Value) -> Value:
    """Return the labels of a factor, another value as it is: the items that a loop of R goes over."""
    return factor_labels(x) if is_factor(x) else x


def as_codes(x: Value) -> Value:
    """Return a factor as its codes, another value as it is."""
    return Value("integer", x._data) if is_factor(x) else x


def make_factor(
    codes: np.ndarray | Sequence[float],
    levels: Iterable[str | None],
    ordered: bool = False,
    names: Iterable[str | None] | None = None,
) -> Value:
    """Return a factor of codes from 1, NaN where missing."""
    of_class = strings(["ordered", "factor"] if ordered else "factor")
    return integers(codes, names_part(names) | {"levels": strings(levels), "class": of_class})


def recode(codes: np.ndarray, new: Sequence[float]) -> np.ndarray:
    """Return the codes of a factor after its levels got new codes; missing ones stay missing."""
    places = np.where(np.isnan(codes), 0, codes).astype(np.int64)
    return np.array([np.nan, *new])[places]


def factor_items(x: Value) -> list[Value]:
    """Return the items of a factor, each a factor."""
    about = {name: value for name, value in x._attributes.items() if name in ("levels", "class")}
    return [Value("integer", x._data[i : i + 1], about) for i in range(len(x))]


def factor_labels(x: Value) -> Value:
    """Return a factor as strings, without attributes other than names."""
    levels = objects([*factor_levels(x), None])
    codes = np.where(np.isnan(x._data), len(levels), x._data).astype(np.int64) - 1
    kept = {"names": x._attributes["names"]} if "names" in x._attributes else None
    return Value("character", levels[codes], kept)


def cells_of(x: Value) -> np.ndarray:
    """Return the data of a matrix in its shape."""
    return x._data.reshape(dim_of(x), order="F")


# ---- deparse() -----------------------------------------------------------------------------------


def code_of(x: Any, simple: bool = False) -> str:
    """Return a value as R's code, in one line; functions and environments are refused.

    If `simple`, it is without attributes, and integers as other numbers: as as.character() writes items of a list.
    """
    if not isinstance(x, Value) or x._kind == "opaque":
        refuse("R's code of a function or an environment is not kept")
    if x._kind == "language":
        return str(x._data[0])
    names, stored = _labels(x), dict(x._attributes)
    texts = [code_of(item, simple) for item in x._data] if x._kind == "list" else _codes(x, simple)
    run = None if x._kind != "integer" or len(x) < 2 else _run(x._data.tolist())
    if names is not None and not run and None not in names and any(names):
        tagged = quote_name if simple else _tag
        texts = [f"{tagged(name)} = {item}" if name else item for name, item in zip(names, texts, strict=True)]
        stored.pop("names", None)
    elif len(texts) == 1 and x._kind != "list":
        run = texts[0]
    core = run or f"{'list' if x._kind == 'list' else 'c'}({', '.join(texts)})"
    if not texts:
        core = {"NULL": "NULL", "list": "list()"}.get(x._kind, f"{EMPTY.get(x._kind, x._kind)}(0)")
    if simple or not stored:
        return core
    parts = [f"{_tag(name)} = {code_of(_stored_form(name, value))}" for name, value in stored.items()]
    return f"structure({', '.join([core, *parts])})"


def _labels(x: Value) -> list[str | None] | None:
    """Return the names; of an array of one dimension its labels."""
    shape = dim_of(x) if not is_frame(x) else None
    return None if shape is not None and len(shape) > 1 else names_of(x)


def _tag(name: str) -> str:
    return name if quote_name(name) == name else string_text(name)


def _run(data: list[float]) -> str | None:
    """Return a run of whole numbers as R writes it."""
    step = data[1] - data[0]
    if step not in (1, -1) or any(b - a != step for a, b in pairwise(data)):
        return None
    return f"{int(data[0])}:{int(data[-1])}"


def _stored_form(name: str, value: Value) -> Value:
    """Return an attribute as R holds it: counted row names are c(NA, -n)."""
    counted = len(value) and value._kind == "integer" and value._data.tolist() == [*range(1, len(value) + 1)]
    if name == "row.names" and counted:
        return integers([float("nan"), -len(value)])
    return value


def _codes(x: Value, simple: bool) -> list[str]:
    """Return the items of a vector as code."""
    if x._kind == "character":
        texts = [None if item is None else string_text(item) for item in x._data]
    else:
        texts = list(coerce(Value(x._kind, x._data), "character")._data)
    if x._kind == "integer" and not simple:
        texts = [t if t is None else f"{t}L" for t in texts]
    gap = "NA" if simple or x._kind == "logical" or set(texts) - {None} else _TYPED_NA.get(x._kind, "NA")
    return [gap if t is None else t for t in texts]
