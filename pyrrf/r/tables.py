"""R's tables: counts by one factor or two, shares, and functions applied group by group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import choice
from pyrrf.r import sums
from pyrrf.r.factors import as_factor, as_integer, interaction_codes
from pyrrf.r.margins import colSums, rowSums, sweep
from pyrrf.rbase.text import as_character
from pyrrf.rbase.vectors import atomic, taken

_MISSING = ("no", "ifany", "always")


def table(
    x: Any,
    y: Any = None,
    useNA: str | None = None,
    dnn: Any = None,
    exclude: Any = None,
    labels: str = "as they are",
) -> Any:
    """Count values, or pairs of values (R's ``table``).

    Parameters
    ----------
    x : array_like or DataFrame
        Of a data frame, its one or two columns.
    y : array_like, optional
        Values of the columns of a table of two factors.
    useNA : str, optional
        'no' by default; 'ifany' or 'always' counts missing values under NaN. As in R, 'ifany' is the default with an
        `exclude` that does not hold NaN.
    dnn : str or sequence of str, optional
        Names of rows and columns.
    exclude : array_like, optional
        Values that are not counted, in `x` and `y`.
    labels : {'as they are', 'str'}, default 'as they are'
        'str' makes numbers and logicals strings, as R's labels are: "1.5", "TRUE".

    Returns
    -------
    Series or DataFrame of int64
        By level; levels of a factor that do not occur have 0.

    Raises
    ------
    ValueError
        `x` and `y` differ in length, `x` has more than two columns, or `useNA` is another word.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.table(["b", "a", "b"]).to_dict()
    {'a': 1, 'b': 2}
    >>> r.table([1, 1, 2], ["u", "v", "v"])
       u  v
    1  1  1
    2  0  1
    """
    if isinstance(x, pd.DataFrame):
        x, y, dnn = _two_columns(x, y, dnn)
    if useNA is None:
        useNA = "no" if exclude is None or pd.isna(np.asarray(exclude, dtype=object)).any() else "ifany"
    choice(useNA, "useNA", _MISSING)
    choice(labels, "labels", ("as they are", "str"))
    out = set() if exclude is None else set(as_character(exclude))
    found = [_counted(v, useNA, out, labels == "str") for v in ((x,) if y is None else (x, y))]
    if len({len(f) for f, _ in found}) > 1:
        raise ValueError(f"x has {len(found[0][0])} values and y {len(found[1][0])}; pass as many")
    names = [dnn] if dnn is None or isinstance(dnn, str) else list(dnn)
    names += [None] * (2 - len(names))
    rows = found[0][1].rename(names[0])
    if y is None:
        return pd.Series(np.bincount(found[0][0], minlength=len(rows) + 1)[:-1], index=rows)
    columns = found[1][1].rename(names[1])
    grid = np.zeros((len(rows) + 1, len(columns) + 1), dtype=np.int64)
    np.add.at(grid, (found[0][0], found[1][0]), 1)
    return pd.DataFrame(grid[:-1, :-1], index=rows, columns=columns)


def _two_columns(x: pd.DataFrame, y: Any, dnn: Any) -> tuple[Any, Any, Any]:
    """Return the columns of a data frame as the factors of a table, and their names."""
    if y is not None or x.shape[1] not in (1, 2):
        raise ValueError(f"x has {x.shape[1]} columns; pass one or two of them, and no y")
    columns = [x.iloc[:, j] for j in range(x.shape[1])]
    return columns[0], columns[1] if len(columns) == 2 else None, list(x.columns) if dnn is None else dnn


def _counted(x: Any, missing: str, out: set[str | None], strings: bool) -> tuple[np.ndarray, pd.Index[Any]]:
    """Codes and their labels; what is not counted has the code after the last."""
    found = as_factor(x)
    codes = found.codes.astype(np.int64)
    kept = np.array([text not in out for text in as_character(found.categories)], dtype=bool)
    labels: pd.Index[Any] = pd.Index(found.categories)[kept]
    if strings and not pd.api.types.is_string_dtype(labels):
        labels = pd.Index(as_character(labels), dtype=object)
    gaps = codes < 0
    codes = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)[codes]
    if missing == "always" or (missing == "ifany" and gaps.any()):
        labels = pd.Index([*labels, np.nan], dtype=object if labels.dtype == object else None)
        codes[gaps] = len(labels) - 1
    return np.where(codes < 0, len(labels), codes), labels


def prop_table(x: Any, margin: int | None = None) -> Any:
    """Shares of the whole, of rows (1) or of columns (2) (R's ``prop.table``).

    Parameters
    ----------
    x : array_like, Series or DataFrame
    margin : int, optional
        1 or 2; the whole by default.

    Returns
    -------
    ndarray, Series or DataFrame of float64

    Raises
    ------
    ValueError
        `margin` is neither 1 nor 2, or 2 for a vector.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.prop_table(r.table(["b", "a", "b", "b"])).to_dict()
    {'a': 0.25, 'b': 0.75}
    """
    ways = np.ndim(x)
    if margin is None:
        with np.errstate(all="ignore"):
            return (x if isinstance(x, pd.Series | pd.DataFrame) else np.asarray(x)) / sums.sum(x)
    if margin not in range(1, ways + 1):
        raise ValueError(f"margin must be a whole number from 1 to {ways}, not {margin!r}")
    if ways == 2:
        return sweep(x, margin, (rowSums if margin == 1 else colSums)(x), "/")
    with np.errstate(all="ignore"):
        shares = np.asarray(x) / np.asarray(x)
    return pd.Series(shares, index=x.index) if isinstance(x, pd.Series) else shares


def tabulate(bin: Any, nbins: int | None = None) -> np.ndarray:
    """How often 1, 2, ..., `nbins` occur (R's ``tabulate``); other values are not counted.

    Parameters
    ----------
    bin : array_like
        Fractions are cut off; of a factor the codes count.
    nbins : int, optional
        The largest value by default.

    Returns
    -------
    ndarray of int64, shape (nbins,)

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.tabulate([2, 3, 3, 5])
    array([0, 1, 2, 0, 1])
    """
    if np.asarray(bin).dtype.kind in "bOUS" and not isinstance(atomic(bin), pd.Categorical):
        raise TypeError("bin holds no numbers; pass numbers or a factor")
    values = as_integer(bin).astype(np.float64)
    values = values[~np.isnan(values)]
    size = int(max(1, values.max(initial=1.0))) if nbins is None else int(nbins)
    inside = values[(values >= 1) & (values <= size)].astype(np.int64)
    return np.bincount(inside - 1, minlength=size).astype(np.int64)


# ---- group by group ------------------------------------------------------------------------------


def _groups(found: list[pd.Categorical]) -> tuple[np.ndarray, int]:
    size = int(np.prod([len(f.categories) for f in found]))
    return interaction_codes(found), size


def tapply(X: Any, INDEX: Any, FUN: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function to each group of values (R's ``tapply``).

    Parameters
    ----------
    X : array_like
    INDEX : array_like or list of two array_like
        One factor, or two in a list.
    FUN : callable
        From a vector to one value.
    *args : object
        Further arguments of `FUN`.
    **kwargs : object

    Returns
    -------
    Series or DataFrame
        By level; NaN where a group is empty.

    Raises
    ------
    ValueError
        The lengths differ.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.tapply([1.0, 2.0, 4.0], ["a", "b", "a"], r.mean).to_dict()
    {'a': 2.5, 'b': 2.0}
    """
    pair = isinstance(INDEX, list | tuple) and len(INDEX) > 0 and np.ndim(INDEX[0]) > 0
    found = [as_factor(index) for index in (INDEX if pair else [INDEX])]
    if any(len(f) != len(atomic(X)) for f in found):
        raise ValueError(f"INDEX has {len(found[0])} values for {len(atomic(X))} of X; pass as many")
    group, size = _groups(found)
    out = [
        FUN(taken(X, np.flatnonzero(group == g)), *args, **kwargs) if (group == g).any() else None for g in range(size)
    ]
    values = pd.Series(out, dtype=float if not size else None)
    values = values if all(v is not None for v in out) else pd.Series([np.nan if v is None else v for v in out])
    if len(found) == 1:
        return pd.Series(values.to_numpy(), index=pd.Index(found[0].categories))
    rows, columns = (pd.Index(f.categories) for f in found[:2])
    return pd.DataFrame(values.to_numpy().reshape((len(rows), len(columns)), order="F"), index=rows, columns=columns)


def split(x: Any, f: Any) -> dict[Any, Any]:
    """Parts of a vector or of the rows of a data frame by level (R's ``split``).

    Parameters
    ----------
    x : array_like or DataFrame
    f : array_like

    Returns
    -------
    dict
        By level, in their order.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.split(r.c(1, 2, 3), ["a", "b", "a"])
    {'a': array([1, 3]), 'b': array([2])}
    """
    found = as_factor(f)
    parts = {level: np.flatnonzero(found.codes == code) for code, level in enumerate(found.categories)}
    if isinstance(x, pd.DataFrame):
        return {level: x.iloc[rows] for level, rows in parts.items()}
    return {level: taken(x, rows) for level, rows in parts.items()}


def aggregate(x: Any, by: Any, FUN: Callable[..., Any], *args: Any, **kwargs: Any) -> pd.DataFrame:
    """Apply a function to each column in each group of rows (R's ``aggregate``).

    Parameters
    ----------
    x : array_like or DataFrame
    by : list or dict of array_like
        Factors; rows in which one is missing are left out.
    FUN : callable
        From a vector to one value.
    *args : object
        Further arguments of `FUN`.
    **kwargs : object

    Returns
    -------
    DataFrame
        The groups that occur, the first factor varying fastest, under the names of `by` or Group.1, Group.2, ...;
        then the columns of `x`, or x.

    Raises
    ------
    ValueError
        The lengths differ, or there are no rows.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.aggregate([1.0, 2.0, 4.0], {"class": ["a", "b", "a"]}, r.mean)
      class    x
    0     a  2.5
    1     b  2.0
    """
    named_by = by if isinstance(by, Mapping) else {f"Group.{i + 1}": values for i, values in enumerate(by)}
    keys = {name: atomic(values, name) for name, values in named_by.items()}
    columns = {name: x[name] for name in x} if isinstance(x, pd.DataFrame) else {"x": x}
    sizes = {len(values) for values in (*keys.values(), *columns.values())}
    if len(sizes) > 1:
        raise ValueError(f"x and by have {sorted(sizes)} values; pass as many")
    group = interaction_codes([as_factor(values) for values in keys.values()])
    if not len(group):
        raise ValueError("x has no rows; pass at least one")
    found, first = np.unique(group[group >= 0], return_index=True)
    rows = np.flatnonzero(group >= 0)[first]
    out: dict[Any, Any] = {name: values[rows] for name, values in keys.items()}
    for name, values in columns.items():
        out[name] = [FUN(taken(values, np.flatnonzero(group == g)), *args, **kwargs) for g in found]
    return pd.DataFrame(out)
