"""R's grids, bindings and functions applied along vectors, rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import number, warn
from pyrrf.r.factors import as_integer
from pyrrf.r.ordering import unique
from pyrrf.rbase.factors import factor
from pyrrf.rbase.text import as_character
from pyrrf.rbase.vectors import atomic, given_labels, like, matrix, named, named_matrix, names, numeric, taken

_OwnArray = pd.api.extensions.ExtensionArray


def c(*items: Any, **labelled: Any) -> Any:
    """Join values to one vector (R's ``c``).

    Parameters
    ----------
    *items : array_like
        Numbers and strings together become strings, as in R; None is R's NULL, and adds nothing.
    **labelled : object
        Single values with names.

    Returns
    -------
    ndarray or Series
        A Series where there are names.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.c(1, [2, 3])
    array([1, 2, 3])
    >>> r.c(a=0.1, b=0.9).to_dict()
    {'a': 0.1, 'b': 0.9}
    """
    parts = [atomic(item) for item in (*items, *labelled.values())]
    if not parts:
        return np.zeros(0)
    if all(isinstance(part, pd.Categorical) for part in parts):
        return pd.api.types.union_categoricals([pd.Series(part) for part in parts], ignore_order=True)
    # Beside other values a factor counts by its codes.
    factors = [isinstance(part, pd.Categorical) for part in parts]
    parts = [_codes(part) for part in parts]
    if any(part.dtype == object for part in parts):
        sources = zip((*items, *labelled.values()), parts, factors, strict=True)
        parts = [as_character(part if is_factor else item) for item, part, is_factor in sources]
    joined = np.concatenate(parts)
    labels = [_labels(item, part) for item, part in zip(items, parts, strict=False)]
    if not labelled and all(label is None for label in labels):
        return joined
    flat = [text for label, part in zip(labels, parts, strict=False) for text in (label or [""] * len(part))]
    return pd.Series(joined, index=[*flat, *labelled])


def _codes(values: Any) -> Any:
    """Return the codes of a factor, from 1, as R takes them where a factor meets other values."""
    return as_integer(values) if isinstance(values, pd.Categorical) else values


def _labels(item: Any, part: Any) -> list[str] | None:
    found = names(item)
    return None if found is None else [str(label) for label in found]


def ifelse(test: Any, yes: Any, no: Any) -> Any:
    """`yes` where `test` holds, `no` where it does not, missing where `test` is missing (R's ``ifelse``).

    Parameters
    ----------
    test : array_like of bool
    yes, no : array_like
        Recycled to the length of `test`. Of a factor R takes the codes; pass as_character() for the labels.

    Returns
    -------
    ndarray, Series or scalar

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.ifelse([True, False], "yes", "no").tolist()
    ['yes', 'no']
    """
    flags = numeric(test, "test").astype(np.float64)
    n = len(flags)
    sides = [_recycled(_codes(atomic(side)), n) for side in (yes, no)]
    gaps = np.isnan(flags)
    if any(side.dtype == object for side in sides):
        out = np.where(flags != 0, *[side.astype(object) for side in sides])
        out[gaps] = None
        return like(test, out) if np.ndim(test) else out[0]
    out = np.where(flags != 0, *sides)
    return like(test, np.where(gaps, np.nan, out) if gaps.any() else out)


def _recycled(values: np.ndarray, n: int) -> np.ndarray:
    """Return a vector at length n; of nothing, missing values."""
    return np.resize(values, n) if len(values) or not n else np.full(n, None if values.dtype == object else np.nan)


def expand_grid(*vectors: Any, stringsAsFactors: bool = True, **named_vectors: Any) -> pd.DataFrame:
    """All combinations, the first vector varying fastest (R's ``expand.grid``).

    Parameters
    ----------
    *vectors : array_like
        Their columns are Var1, Var2, ...; one dictionary gives names.
    stringsAsFactors : bool, default True
        Make strings factors, levels in the order in which they come.
    **named_vectors : array_like

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.expand_grid(gamma=[0.1, 0.9], mtry=[2, 3])
       gamma  mtry
    0    0.1     2
    1    0.9     2
    2    0.1     3
    3    0.9     3
    """
    if len(vectors) == 1 and isinstance(vectors[0], Mapping) and not named_vectors:
        columns = dict(vectors[0])
    else:
        columns = {f"Var{i + 1}": v for i, v in enumerate(vectors)} | named_vectors
    arrays = {name: atomic(values, name) for name, values in columns.items()}
    size, fast = int(np.prod([len(a) for a in arrays.values()])) if arrays else 0, 1
    out: dict[str, Any] = {}
    for name, values in arrays.items():
        places = np.arange(size) // fast % max(1, len(values))
        if stringsAsFactors and not isinstance(values, pd.Categorical) and values.dtype == object:
            values = factor(values, levels=unique(values))
        out[name] = values[places]
        fast *= max(1, len(values))
    return pd.DataFrame(out)


def head(x: Any, n: int = 6) -> Any:
    """Take the first items or rows; all but the last -n for negative n (R's ``head``).

    Parameters
    ----------
    x : array_like or DataFrame
    n : int, default 6

    Returns
    -------
    ndarray, Series, Categorical or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.head([1, 2, 3], 2)
    array([1, 2])
    """
    return _rows(x, slice(0, int(number(n, "n"))))


def tail(x: Any, n: int = 6) -> Any:
    """Take the last items or rows; all but the first -n for negative n (R's ``tail``).

    Parameters
    ----------
    x : array_like or DataFrame
    n : int, default 6

    Returns
    -------
    ndarray, Series, Categorical or DataFrame

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.tail([1, 2, 3], 2)
    array([2, 3])
    """
    wanted, size = int(number(n, "n")), len(x)
    return _rows(x, slice(max(0, size - wanted) if wanted >= 0 else min(size, -wanted), size))


def _rows(x: Any, part: slice) -> Any:
    if isinstance(x, pd.DataFrame):
        return x.iloc[part]
    return x[part] if np.ndim(x) == 2 else taken(x, np.arange(len(x))[part])


# ---- bound together ------------------------------------------------------------------------------


def cbind(*parts: Any, **named_parts: Any) -> Any:
    """Put columns side by side (R's ``cbind``).

    Parameters
    ----------
    *parts : array_like, Series or DataFrame
        Shorter vectors are recycled.
    **named_parts : array_like
        Columns with names.

    Returns
    -------
    ndarray or DataFrame
        An array if all parts are arrays without names.

    Raises
    ------
    ValueError
        The parts have different numbers of rows.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.cbind([1, 2], [3, 4])
    array([[1, 3],
           [2, 4]])
    """
    some = [p for p in parts if np.ndim(p) != 1 or len(p)]
    # As in R, a vector of nothing counts for nothing beside others.
    parts = tuple(some) if any(np.ndim(p) != 2 or len(p) for p in some) else parts
    parts = tuple(atomic(p) if isinstance(p, _OwnArray) and not isinstance(p, pd.Categorical) else p for p in parts)
    given = [*parts, *named_parts.values()]
    n = _extent([len(p) if np.ndim(p) else 1 for p in given], given, "rows")
    if not named_parts and not any(isinstance(p, pd.Series | pd.DataFrame | pd.Categorical) for p in given):
        return np.column_stack([p if np.ndim(p) == 2 else np.resize(np.asarray(p), n) for p in given])
    index = next((p.index for p in given if isinstance(p, pd.Series | pd.DataFrame) and len(p) == n), None)
    columns = [_frame(p, n, i) for i, p in enumerate(parts)]
    columns += [_frame(p, n, 0).set_axis([name], axis=1) for name, p in named_parts.items()]
    out = pd.concat([column.reset_index(drop=True) for column in columns], axis=1)
    return out if index is None else out.set_axis(index, axis=0)


def _extent(sizes: list[int], parts: list[Any], what: str) -> int:
    """Return the length that parts are brought to: that of the tables among them, or of the longest vector."""
    tables = {size for size, part in zip(sizes, parts, strict=True) if np.ndim(part) == 2}
    out = max(tables or sizes, default=0)
    if len(tables) > 1 or (out and 0 in sizes):
        raise ValueError(f"the parts have {sizes} {what}; pass as many of each")
    if any(size and (out % size or size > out) for size in sizes):
        warn(f"the parts have {sizes} {what}: a part of one is left over")
    return out


def _frame(part: Any, n: int, place: int) -> pd.DataFrame:
    if isinstance(part, pd.DataFrame):
        return part
    if np.ndim(part) == 2:
        return pd.DataFrame(np.asarray(part), columns=[f"V{place + j + 1}" for j in range(np.shape(part)[1])])
    values = atomic(part)
    name = part.name if isinstance(part, pd.Series) and part.name is not None else f"V{place + 1}"
    return pd.DataFrame({name: values if len(values) == n else values[np.arange(n) % max(1, len(values))]})


def rbind(*parts: Any) -> Any:
    """Put rows under each other (R's ``rbind``).

    Parameters
    ----------
    *parts : DataFrame, Series, mapping or array_like
        Data frames are matched by column names; levels of factors are joined in the order in which they come. The names
        of a Series name the columns.

    Returns
    -------
    ndarray or DataFrame

    Raises
    ------
    ValueError
        Data frames have different columns, or vectors lengths that do not divide each other.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.rbind([1, 2], [3, 4])
    array([[1, 2],
           [3, 4]])
    """
    # As in R, a data frame without columns counts for nothing.
    given = [p for p in parts if p is not None and not (isinstance(p, pd.DataFrame) and not p.shape[1])]
    if not any(isinstance(p, pd.DataFrame | Mapping) for p in given):
        given = [p for p in given if np.ndim(p) != 1 or len(p)] or given
        rows = np.vstack(_as_long(given))
        names = next((p.index for p in given if isinstance(p, pd.Series) and given_labels(p.index) is not None), None)
        return rows if names is None or len(names) != rows.shape[1] else pd.DataFrame(rows, columns=list(names))
    frames = [p if isinstance(p, pd.DataFrame) else pd.DataFrame([dict(p)]) for p in given]
    first = frames[0].columns
    if any(set(f.columns) != set(first) for f in frames):
        raise ValueError(f"the data frames have different columns than {list(first)}; bring them to the same ones")
    joined = {name: _joined([f[name] for f in frames]) for name in first}
    index = [label for f in frames for label in f.index]
    counts_only = all(isinstance(f.index, pd.RangeIndex) for f in frames)
    return pd.DataFrame(joined, index=None if counts_only else index)


def _as_long(rows: list[Any]) -> list[np.ndarray]:
    """Return rows of one length: shorter vectors are recycled."""
    arrays = [np.asarray(atomic(row) if isinstance(row, _OwnArray) else row) for row in rows]
    width = _extent([a.shape[-1] if a.ndim else 1 for a in arrays], arrays, "columns")
    return [a if a.ndim == 2 else np.resize(a, width) for a in arrays]


def _joined(columns: list[pd.Series[Any]]) -> Any:
    if not isinstance(columns[0].dtype, pd.CategoricalDtype):
        arrays = [atomic(as_character(c) if isinstance(c.dtype, pd.CategoricalDtype) else c) for c in columns]
        text = any(array.dtype == object for array in arrays)
        return np.concatenate([as_character(array) for array in arrays] if text else arrays)
    columns = [_as_labels(c, columns[0].cat.categories) for c in columns]
    levels = dict.fromkeys(level for column in columns for level in factor(column, levels=_all(column)).categories)
    values = [value for column in columns for value in column.tolist()]
    return pd.Categorical(values, categories=list(levels), ordered=columns[0].cat.ordered)


def _as_labels(column: pd.Series[Any], levels: Any) -> pd.Series[Any]:
    """Return what is put under a factor: strings are new levels, numbers must be labels of it."""
    if isinstance(column.dtype, pd.CategoricalDtype) or atomic(column).dtype == object:
        return column
    known = set(as_character(levels))
    labels = [text if text in known else None for text in as_character(column)]
    if None in labels:
        warn("numbers that are not levels of the factor are missing; pass a factor, or strings")
    return pd.Series(labels, dtype=object)


def _all(column: pd.Series[Any]) -> Any:
    return column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else unique(column.dropna())


# ---- applied -------------------------------------------------------------------------------------


def apply(X: Any, MARGIN: int, FUN: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function to each row (1) or column (2) of numbers (R's ``apply``).

    Parameters
    ----------
    X : array_like or DataFrame, shape (n, p)
    MARGIN : int
        1 or 2.
    FUN : callable
        It gets an array, or a Series of a data frame.
    *args : object
        Further arguments of `FUN`.
    **kwargs : object

    Returns
    -------
    ndarray, Series or DataFrame
        One value for each row or column; vectors become the columns of a matrix, as in R.

    Raises
    ------
    ValueError
        `MARGIN` is neither 1 nor 2.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.apply([[1, 2], [3, 5]], 1, r.mean)
    array([1.5, 4. ])
    """
    if MARGIN not in (1, 2):
        raise ValueError(f"MARGIN must be 1 for rows or 2 for columns, not {MARGIN!r}")
    if not isinstance(X, pd.DataFrame):
        array = np.asarray(X)
        return _simplified([FUN(part, *args, **kwargs) for part in (array if MARGIN == 1 else array.T)], None)
    whole = all(kind.kind in "iub" for kind in X.dtypes)
    values = X.to_numpy() if whole else matrix(X)
    index, across = (X.index, X.columns) if MARGIN == 1 else (X.columns, X.index)
    parts = [pd.Series(part, index=across) for part in (values if MARGIN == 1 else values.T)]
    return _simplified([FUN(part, *args, **kwargs) for part in parts], index)


def _simplified(found: list[Any], labels: Any) -> Any:
    """Make a vector of single values, a matrix of vectors as columns, or the list if they differ in length."""
    sizes = {len(v) if np.ndim(v) else 1 for v in found}
    if len(sizes) != 1 or not found:
        return found
    if sizes == {1}:
        values = np.array([np.asarray(v).item() if np.ndim(v) else v for v in found])
        values = values.astype(object) if values.dtype.kind in "US" else values
        return named(values, labels)
    out = np.column_stack([np.asarray(v) for v in found])
    rows = found[0].index if isinstance(found[0], pd.Series) else None
    return named_matrix(out, rows, labels)


def sapply(X: Iterable[Any], FUN: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Apply a function to each item, or to each column of a data frame (R's ``sapply``).

    Parameters
    ----------
    X : iterable, mapping or DataFrame
    FUN : callable
    *args : object
        Further arguments of `FUN`.
    **kwargs : object

    Returns
    -------
    ndarray, Series, DataFrame or list
        Single values as a vector, vectors as the columns of a matrix; named by strings, keys or columns.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.sapply([1, 2, 3], lambda k: k * k)
    array([1, 4, 9])
    """
    if isinstance(X, pd.DataFrame):
        items: list[Any] = [X.iloc[:, j] for j in range(X.shape[1])]
        labels: Any = X.columns
    elif isinstance(X, Mapping):
        items, labels = list(X.values()), pd.Index(list(X))
    else:
        items = list(X)
        texts = bool(items) and all(isinstance(item, str) for item in items)
        labels = pd.Index(items) if texts else names(X)
    return _simplified([FUN(item, *args, **kwargs) for item in items], labels)
