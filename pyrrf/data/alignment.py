"""One value for each column, row, class or stratum: by name, by position, or refused; the one rule of such arguments.

Arrays, lists, tables without labels and a Series that is only counted go by position. Labels decide elsewhere:

- where they name the columns, the classes or the strata, the values go by name, in whatever order they come;
- of rows, where they are those of the table: in another order they are refused, since R and scikit-learn would go by
  position, and a join by label would be another answer. Where one side is only counted, as a table is after a scaler,
  nobody knows which order is meant: they go by position with a warning, and so do other labels.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import array_of, numbers, quote, warn
from pyrrf.errors import bad
from pyrrf.rbase.numbers import label
from pyrrf.types import Floats, Labels

# Default of a label that is not named, where each must be.
REQUIRED = object()


def is_counted(labels: Labels) -> bool:
    """Whether an index is the default of pandas; a part or the reverse of it counts as labels."""
    return isinstance(labels, pd.RangeIndex) and labels.start == 0 and labels.step == 1


# ---- columns, classes, strata --------------------------------------------------------------------


def by_name(
    values: Any,
    name: str,
    labels: Labels | Sequence[Any],
    absent: Any = REQUIRED,
    of: str = "feature",
    others: bool = False,
) -> Any:
    """Return values that name columns, classes or strata as a list in the order of these, and any others as they are.

    Parameters
    ----------
    values : object
        A dict, or a Series or a frame of one column whose index is not a default RangeIndex, goes by name. A text
        names what R spells so: "0" the class 0.
    name : str
        The argument, which messages show.
    labels : Index or sequence
        Those of the columns, classes or strata.
    absent : object, optional
        The value of a label that is not named; by default each must be.
    of : str, default "feature"
        What has the labels, which messages show.
    others : bool, default False
        Whether other names may stand among them where no label is missing.

    Raises
    ------
    ValueError
        A name is no label or occurs twice, a label is not named, or a default RangeIndex holds the labels in
        another order.

    Examples
    --------
    >>> import pandas as pd
    >>> from pyrrf.data.alignment import by_name
    >>> by_name(pd.Series([1, 2], ["b", "a"]), "cost", ["a", "b"]), by_name([1, 2], "cost", ["a"])
    ([2, 1], [1, 2])
    """
    if isinstance(values, pd.DataFrame) and values.shape[1] == 1:
        values = values.iloc[:, 0]
    if not isinstance(values, pd.Series | Mapping):
        return values
    own, each = list(values.keys()), list(values if isinstance(values, pd.Series) else values.values())
    wanted = list(labels)
    named = _as_labels(own, wanted)
    if _index(named).equals(_index(wanted)):
        return each
    if isinstance(values, pd.Series) and is_counted(values.index):
        if len(named) == len(wanted) and set(named) == set(wanted):
            raise bad.order(
                f"the index of {name} holds the {of} names in another order; pass a dict by name, or "
                f"{name}.to_numpy() to use positions",
                name,
            )
        return each
    if not (others and set(named).issuperset(wanted)):
        _check_names(named, name, wanted, of, absent is REQUIRED)
    given = dict(zip(named, each, strict=True))
    return [given.get(one, absent) for one in wanted]


def numbers_by_name(values: Any, name: str, labels: Labels | Sequence[Any], of: str = "feature") -> Floats:
    """Return finite numbers as float64, shape (k,): in the order of the labels where they name these, or as given."""
    return numbers(by_name(values, name, labels, of=of), name)


def per_label(
    values: Any,
    name: str,
    labels: Labels | Sequence[Any],
    absent: Any = REQUIRED,
    of: str = "feature",
    others: bool = False,
) -> list[Any]:
    """Return a value for each label, by name or by position, as `by_name`; ValueError if there are not as many."""
    array = np.asarray(by_name(values, name, labels, absent, of, others), dtype=object)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (len(labels),):
        given = f"{array.size} values" if array.ndim == 1 else f"shape {array.shape}"
        raise bad.length(f"{name} has {given}; pass one per {of} ({len(labels)}), or a dict by {of} name")
    return list(array)


def column_positions(columns: Labels, wanted: Any, name: str) -> list[int]:
    """Return the columns that a list of positions, names or flags chooses, sorted; messages show its `name`."""
    wanted, p = array_of(_flags(wanted, name, columns), name), len(columns)
    if wanted.ndim != 1:
        raise bad.shape(f"{name} must be a list of columns, not of shape {wanted.shape}")
    if wanted.dtype == bool:
        if len(wanted) != p:
            raise bad.length(f"{name} is a mask of {len(wanted)} values; pass one per column of X ({p})")
        return np.flatnonzero(wanted).tolist()
    if wanted.size == 0:
        return []
    if wanted.dtype.kind in "iu":
        if wanted.min() < 0 or wanted.max() >= p:
            raise bad.range(f"{name} must hold positions from 0 to {p - 1}, not {wanted.tolist()}")
        return sorted(set(wanted.tolist()))
    places = columns.get_indexer(pd.Index(wanted))
    if (places < 0).any():
        raise bad.unknown(f"{name} contains column(s) that are not in X: {wanted[places < 0].tolist()}")
    return sorted(set(places.tolist()))


def _flags(wanted: Any, name: str, columns: Labels) -> Any:
    """Return flags in the order of the columns where labels say whose they are; positions and names as they are."""
    table = pd.Series(dict(wanted)) if isinstance(wanted, Mapping) else wanted
    if isinstance(table, pd.DataFrame) and table.shape[1] == 1:
        table = table.iloc[:, 0]
    if not isinstance(table, pd.Series) or pd.api.types.infer_dtype(table, skipna=False) != "boolean":
        return wanted
    return np.array(by_name(wanted, name, columns), dtype=bool)


def _index(labels: list[Any]) -> Labels:
    """Return labels of any types as an index of one level."""
    return pd.Index(labels, dtype=object, tupleize_cols=False)


def _as_labels(own: list[Any], labels: list[Any]) -> list[Any]:
    """Return names, with the text of a label, as R spells it, replaced by the label."""
    known = set(labels)
    if known.issuperset(own):
        return own
    spelled = {label(one): one for one in known}
    if len(spelled) < len(known):
        return own
    return [one if one in known else spelled.get(label(one), one) for one in own]


def _check_names(named: list[Any], name: str, labels: list[Any], of: str, each: bool) -> None:
    """Refuse names that occur twice or are no labels and, if `each` must be named, labels without a name."""
    known, given = set(labels), set(named)
    if len(given) < len(named):
        twice = next(one for index, one in enumerate(named) if one in named[:index])
        raise bad.duplicate(f"{name} names {twice!r} twice; give each {of} once")
    strangers = [one for one in named if one not in known]
    if strangers:
        near = difflib.get_close_matches(str(strangers[0]), [str(one) for one in labels], 1)
        hint = f"did you mean {near[0]!r}?" if near else f"use {of} names, or pass an array of one value per {of}"
        raise bad.unknown(f"{name} names {strangers[0]!r}, which is not a {of}; {hint}")
    if each and (left := [one for one in labels if one not in given]):
        raise bad.absent(f"{name} has no value for {of} {quote(left)}; pass one for every {of}")


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
            raise bad.order(f"{trouble}; align it with {name}.loc[{table}.index], or pass {name}.to_numpy()", name)
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


def check_columns_as_rows(values: Any, name: str) -> None:
    """Refuse a square table, such as proximities, whose columns have the labels of its rows in another order."""
    if not isinstance(values, pd.DataFrame) or values.index.equals(values.columns):
        return
    if _same_labels(values.index, values.columns):
        raise bad.order(f"{name} has its columns in another order than its rows; pass {name}[{name}.index]")


def _same_labels(own: Labels, other: Labels) -> bool:
    """Whether two indexes hold the same labels, each as often; the order does not count."""
    n = len(own)
    if n != len(other):
        return False
    codes, distinct = pd.factorize(own.append(other), use_na_sentinel=False)
    often = np.bincount(codes[:n], minlength=len(distinct))
    return np.array_equal(often, np.bincount(codes[n:], minlength=len(distinct)))
