"""Values with other attributes: some kept, some left out, factors made of codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from pyrrf.r.values.errors import refuse_if
from pyrrf.r.values.kinds import factor_labels, inherits, is_factor, is_na_mark
from pyrrf.r.values.labels import names_part
from pyrrf.r.values.vector import Value, integers, strings


def attribute(x: Value, name: str) -> Value | None:
    """Return an attribute; None without."""
    return x._attributes.get(name)


def kept(x: Value, *names: str) -> dict[str, Value]:
    """Return some of the attributes, as far as they are there."""
    return {name: x._attributes[name] for name in x._attributes if name in names}


def bare(x: Value) -> Value:
    """Return a value without attributes."""
    return Value(x._kind, x._data)


def without(x: Value, *names: str) -> Value:
    """Return a value without some of its attributes."""
    return Value(x._kind, x._data, {name: part for name, part in x._attributes.items() if name not in names}, x._hidden)


def without_spec(x: Value) -> Value:
    """Return a table that readr read without what says how; most of what takes parts of it leaves that out."""
    if not inherits(x, "spec_tbl_df"):
        return x
    kept = {name: part for name, part in x._attributes.items() if name not in ("spec", "problems")}
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
