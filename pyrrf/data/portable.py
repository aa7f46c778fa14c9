"""Tables and labels of pandas as arrays and names: the state of what is stored, for skops as for pickle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.types import Column, Labels


@dataclass(frozen=True, eq=False)
class Plain:
    """What stands for a table, a column or labels of pandas; any format that knows arrays can hold it."""

    kind: str  # {"range", "labels", "levels", "column", "table"}
    parts: tuple[Any, ...]


class Portable:
    """Base of what keeps tables or labels among its attributes; its state has `Plain` in their place.

    skops writes no objects of pandas, and pickles of them are tied to the release of pandas.
    """

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()
        return plain_parts(state)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(rebuilt_parts(state))


def plain_parts(state: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a state, tables, columns and labels as `Plain`.

    Those of categories, of time zones, or of another library's types stay as they are.
    """
    return {name: _plain(part) for name, part in state.items()}


def rebuilt_parts(state: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a state from before `plain_parts`."""
    return {name: _rebuilt(part) for name, part in state.items()}


def _plain(value: Any) -> Any:
    if type(value) is pd.RangeIndex:
        return Plain("range", (value.start, value.stop, value.step, value.name))
    if isinstance(value, pd.MultiIndex):
        return Plain("levels", tuple(_plain(value.get_level_values(at)) for at in range(value.nlevels)))
    if type(value) in (pd.Index, pd.DatetimeIndex, pd.TimedeltaIndex) and _simple(value.dtype):
        return Plain("labels", (value.to_numpy(), str(value.dtype), value.name, getattr(value, "freqstr", None)))
    if type(value) is pd.Series and _simple(value.dtype):
        return Plain("column", (value.to_numpy(), str(value.dtype), value.name, _plain(value.index)))
    if type(value) is pd.DataFrame and all(map(_simple, value.dtypes)):
        return Plain("table", (_plain(value.index), _plain(value.columns), _blocks(value)))
    return value


def _simple(dtype: Any) -> bool:
    """Whether an array of NumPy holds such values, and the name of the type is enough to have them back."""
    return str(dtype) in ("str", "string") or (isinstance(dtype, np.dtype) and dtype.kind in "biufOmM")


def _blocks(table: pd.DataFrame) -> list[tuple[np.ndarray, np.ndarray, Any]]:
    """Return the columns of each type: their positions, their values and the type.

    The values are in a row: of more dimensions skops loses the shape where there are no rows or cells are tuples.
    """
    names = table.dtypes.astype(str).to_numpy()
    places = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names)}
    return [(at, table.iloc[:, at].to_numpy().ravel(), name) for name, at in places.items()]


def _rebuilt(value: Any) -> Any:
    if not isinstance(value, Plain):
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
    return pd.MultiIndex.from_arrays([_rebuilt(one) for one in labels])


def _column(values: np.ndarray, dtype: Any, name: Any, index: Any) -> Column:
    return pd.Series(values, _rebuilt(index), dtype, name)


def _table(index: Any, columns: Any, blocks: list[tuple[np.ndarray, np.ndarray, Any]]) -> pd.DataFrame:
    rows, names = _rebuilt(index), _rebuilt(columns)
    parts = [pd.DataFrame(values.reshape(len(rows), len(at)), rows, at).astype(dtype) for at, values, dtype in blocks]
    table = pd.concat([pd.DataFrame(index=rows), *parts], axis=1)[list(range(len(names)))]
    table.columns = names
    return table


_BUILD: dict[str, Callable[..., Any]] = {
    "range": _range, "labels": _labels, "levels": _levels, "column": _column, "table": _table,
}  # fmt: skip
