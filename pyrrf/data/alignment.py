"""One value for each column or each row: by name, by position, or refused; the one rule of all such arguments.

Arrays, lists, tables without labels and a Series that is only counted go by position. Labels decide elsewhere:

- of columns, where they name the columns: the values go by name, in whatever order they come;
- of rows, where they are those of the table: in another order they are refused, since R and scikit-learn would go by
  position, and a join by label would be another answer. Where one side is only counted, as a table is after a scaler,
  nobody knows which order is meant: they go by position with a warning, and so do other labels.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import shown, warn
from pyrrf.types import Labels

# What stands for a column that is not named, where each must be.
REQUIRED = object()


def is_counted(labels: Labels) -> bool:
    """Whether an index is that of a Series without one; a part or the reverse of it names rows or columns."""
    return isinstance(labels, pd.RangeIndex) and labels.start == 0 and labels.step == 1


# ---- columns -------------------------------------------------------------------------------------


def by_name(values: Any, name: str, columns: Labels, absent: Any = REQUIRED) -> Any:
    """Return values that name columns as a list in the order of the columns, and any others as they are.

    Parameters
    ----------
    values : object
        A dict, or a Series or a frame of one column whose index is not a default RangeIndex, goes by name.
    name : str
        The argument, which messages show.
    columns : Index
    absent : object, optional
        The value of a column that is not named; by default each must be.

    Raises
    ------
    ValueError
        A name is no column or occurs twice, a column is not named, or a default RangeIndex holds the columns in
        another order.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf.data.alignment import by_name
    >>> by_name(pd.Series([1, 2], ["b", "a"]), "cost", pd.Index(["a", "b"])), by_name([1, 2], "cost", pd.Index(["a"]))
    ([2, 1], [1, 2])
    """
    if isinstance(values, pd.DataFrame) and values.shape[1] == 1:
        values = values.iloc[:, 0]
    if isinstance(values, pd.Series):
        if values.index.equals(columns):
            return list(values)
        if is_counted(values.index):
            if _same_labels(values.index, columns):
                raise ValueError(
                    f"the index of {name} holds the features in another order; pass a dict by name, or "
                    f"{name}.to_numpy() to use positions"
                )
            return list(values)
        if values.index.has_duplicates:
            twice = values.index[values.index.duplicated()].tolist()[0]
            raise ValueError(f"{name} names {twice!r} twice; give each feature once")
        values = dict(zip(values.index, values, strict=True))
    if not isinstance(values, Mapping):
        return values
    _refuse_strangers(values, name, columns)
    if absent is REQUIRED and (left := [label for label in columns if label not in values]):
        raise ValueError(f"{name} has no value for feature(s) {shown(left)}; pass one for every feature")
    return [values.get(label, absent) for label in columns]


def per_column(values: Any, name: str, columns: Labels, absent: Any = REQUIRED) -> list[Any]:
    """Return a value for each column, by name or by position, as `by_name`; ValueError if there are not p of them."""
    array = np.asarray(by_name(values, name, columns, absent), dtype=object)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (len(columns),):
        given = f"{array.size} values" if array.ndim == 1 else f"shape {array.shape}"
        raise ValueError(f"{name} has {given}; pass one per feature ({len(columns)}), or a dict by feature name")
    return list(array)


def _refuse_strangers(values: Mapping[Any, Any], name: str, columns: Labels) -> None:
    """Refuse names that are no columns."""
    known = set(columns)
    strangers = [label for label in values if label not in known]
    if strangers:
        near = difflib.get_close_matches(str(strangers[0]), [str(label) for label in columns], 1)
        hint = f"did you mean {near[0]!r}?" if near else "use feature names, or pass an array of one value per feature"
        raise ValueError(f"{name} names {strangers[0]!r}, which is not a feature; {hint}")


# ---- rows ----------------------------------------------------------------------------------------


def row_labels(*tables: Any) -> Labels | None:
    """Return the row labels of the first of some tables or Series of pandas; None if there are none.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf.data.alignment import row_labels
    >>> row_labels([[1], [2]], pd.Series([1, 2], ["a", "b"])).tolist()
    ['a', 'b']
    """
    return next((table.index for table in tables if isinstance(table, pd.DataFrame | pd.Series)), None)


def check_rows(values: Any, name: str, rows: Labels | None, table: str = "x") -> None:
    """Refuse values that have the rows of a table in another order; warn if they have other labels, or counted ones.

    Parameters
    ----------
    values : object
        What has no index goes by position, and so does what has as many rows as no table.
    name, table : str
        The argument, and that of the table; messages show them.
    rows : Index, optional
        Labels of the table's rows; None if it has none.

    Raises
    ------
    ValueError
        The labels are those of the table in another order, and neither are a default RangeIndex.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf.data.alignment import check_rows
    >>> check_rows(pd.Series([1, 2], ["b", "a"]), "y", pd.Index(["a", "b"]))
    Traceback (most recent call last):
    ...
    ValueError: y has the same index as x, but in another order; align it with y.loc[x.index], or pass y.to_numpy()
    """
    own = row_labels(values)
    if own is None or rows is None or len(own) != len(rows) or own.equals(rows):
        return
    if _same_labels(own, rows):
        trouble = f"{name} has the same index as {table}, but in another order"
        if not (is_counted(own) or is_counted(rows)):
            raise ValueError(f"{trouble}; align it with {name}.loc[{table}.index], or pass {name}.to_numpy()")
        warn(
            f"{trouble}; rows are matched by position, since one is a default RangeIndex and may have been reset. "
            f"Pass {name}.to_numpy() if this is intended, or {name}.loc[{table}.index] to match by index"
        )
    elif not is_counted(own):
        mine, other = own.tolist(), rows.tolist()
        place = next((i for i, label in enumerate(mine) if label != other[i]), 0)
        labels = f"row {place} is {mine[place]!r} in {name} and {other[place]!r} in {table}"
        warn(
            f"{name} has another index than {table} ({labels}); rows are matched by position. Pass {name}.to_numpy() "
            f"if this is intended, or align {name} first"
        )


def _same_labels(own: Labels, other: Labels) -> bool:
    """Whether two indexes hold the same labels, each as often; the order does not count."""
    n = len(own)
    if n != len(other):
        return False
    codes, found = pd.factorize(own.append(other), use_na_sentinel=False)
    often = np.bincount(codes[:n], minlength=len(found))
    return np.array_equal(often, np.bincount(codes[n:], minlength=len(found)))
