"""Tables and labels of pandas as arrays and names, so that skops and pickle store them alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.types import Column, Labels


@dataclass(frozen=True, eq=False)
class PandasState:
    """State of a pandas table, column or index that consists of arrays only, so that any format can store it."""

    kind: str  # {"range", "labels", "levels", "column", "table"}
    parts: tuple[Any, ...]


class PandasStateMixin:
    """Mixin: pickles store pandas objects among the attributes as `PandasState`.

    skops writes no objects of pandas, and pickles of them are tied to the release of pandas.
    """

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return plain_parts(state)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(rebuild_parts(state))


def plain_parts(state: dict[str, Any]) -> dict[str, Any]:
    """Convert the tables, columns and labels in a state to `PandasState`.

    Objects with categories, time zones or types of another library are not converted.
    """
    return {name: _plain(value) for name, value in state.items()}


def rebuild_parts(state: dict[str, Any]) -> dict[str, Any]:
    """Restore the parts of a state that `plain_parts` converted."""
    return {name: _rebuild(value) for name, value in state.items()}


def _plain(value: Any) -> Any:
    if type(value) is pd.RangeIndex:
        return PandasState("range", (value.start, value.stop, value.step, value.name))
    if isinstance(value, pd.MultiIndex):
        return PandasState("levels", tuple(_plain(value.get_level_values(level)) for level in range(value.nlevels)))
    if type(value) in (pd.Index, pd.DatetimeIndex, pd.TimedeltaIndex) and _simple(value.dtype):
        return PandasState("labels", (value.to_numpy(), str(value.dtype), value.name, getattr(value, "freqstr", None)))
    if type(value) is pd.Series and _simple(value.dtype):
        return PandasState("column", (value.to_numpy(), str(value.dtype), value.name, _plain(value.index)))
    if type(value) is pd.DataFrame and all(map(_simple, value.dtypes)):
        return PandasState("table", (_plain(value.index), _plain(value.columns), _blocks(value)))
    return value


def _simple(dtype: Any) -> bool:
    """Return whether a NumPy array can hold values of this type, and the name of the type suffices to restore them."""
    return str(dtype) in ("str", "string") or (isinstance(dtype, np.dtype) and dtype.kind in "biufOmM")


def _blocks(table: pd.DataFrame) -> list[tuple[np.ndarray, np.ndarray, Any]]:
    """Return the columns of each type: their positions, their values and the type.

    The values are one-dimensional: skops loses the shape of other arrays if there are no rows, or if cells are tuples.
    """
    names = table.dtypes.astype(str).to_numpy()
    places = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names)}
    return [(columns, table.iloc[:, columns].to_numpy().ravel(), name) for name, columns in places.items()]


def _rebuild(value: Any) -> Any:
    if not isinstance(value, PandasState):
        return value
    return _BUILD[value.kind](*value.parts)


def _range(start: int, stop: int, step: int, name: Any) -> Labels:
    return pd.RangeIndex(start, stop, step, name=name)


def _labels(values: np.ndarray, dtype: Any, name: Any, freq: str | None = None) -> Labels:
    if freq is not None:
        kind = pd.DatetimeIndex if np.dtype(dtype).kind == "M" else pd.TimedeltaIndex
        return kind(values, dtype=dtype, name=name, freq=freq)
    labels: Labels = pd.Index(values, dtype=dtype, name=name)
    return labels


def _levels(*labels: Any) -> Labels:
    return pd.MultiIndex.from_arrays([_rebuild(one) for one in labels])


def _column(values: np.ndarray, dtype: Any, name: Any, index: Any) -> Column:
    return pd.Series(values, _rebuild(index), dtype, name)


def _table(index: Any, columns: Any, blocks: list[tuple[np.ndarray, np.ndarray, Any]]) -> pd.DataFrame:
    rows, names = _rebuild(index), _rebuild(columns)
    parts = [
        pd.DataFrame(values.reshape(len(rows), len(own)), rows, own).astype(dtype) for own, values, dtype in blocks
    ]
    table = pd.concat([pd.DataFrame(index=rows), *parts], axis=1)[list(range(len(names)))]
    table.columns = names
    return table


_BUILD: dict[str, Callable[..., Any]] = {
    "range": _range, "labels": _labels, "levels": _levels, "column": _column, "table": _table,
}  # fmt: skip
