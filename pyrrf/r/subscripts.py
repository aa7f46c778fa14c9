"""R's subscripts where their kind shows only when the code runs, and assignments that widen and lengthen.

`pyrrf migrate` writes them where it cannot know better. By hand, NumPy's and pandas' own are the better choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase.vectors import atomic

_OwnArray = pd.api.extensions.ExtensionArray
_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2}


def index(x: Any, i: Any = None, *j: Any) -> Any:
    """Return ``x[i]`` or ``x[i, j]`` with subscripts as R counts: from 1, negative ones leave out.

    Parameters
    ----------
    x : array_like, Series, Categorical, DataFrame, list or dict
    i : int or array_like of int, bool or str, optional
        None for all.
    *j : int or array_like
        The columns of a matrix or a table. One dimension of length one is dropped, as in R.

    Returns
    -------
    object

    Raises
    ------
    IndexError
        A subscript is beyond the end, where R has NA.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf.r as r
    >>> r.index(np.array([5, 6, 7]), -1).tolist(), r.index([5, 6, 7], 1)
    ([6, 7], 5)
    >>> r.index(np.array([[1, 2], [3, 4]]), None, 2).tolist()
    [2, 4]
    """
    if isinstance(x, dict):
        return x[i] if isinstance(i, str) else list(x.values())[int(i) - 1]
    if not j:
        return _items(x, i)
    rows, columns = (_places(k, x, axis) for axis, k in enumerate((i, j[0])))
    frame: Any = x.iloc if isinstance(x, pd.DataFrame) else np.asarray(x)
    if len(columns) == 1:
        found = frame[rows, columns[0]]
        return found if len(rows) > 1 or i is None else _first(found)
    if len(rows) == 1 and not isinstance(x, pd.DataFrame):
        return frame[rows[0], columns]
    return frame[rows, columns] if isinstance(x, pd.DataFrame) else frame[np.ix_(rows, columns)]


def _first(found: Any) -> Any:
    return found.iloc[0] if isinstance(found, pd.Series) else found[0]


def _items(x: Any, i: Any) -> Any:
    if isinstance(x, pd.DataFrame):
        return x[i] if isinstance(i, str) else x.iloc[:, _places(i, x, 1)]
    if isinstance(i, str):
        return x[i] if isinstance(x, pd.Series) else getattr(x, i)
    if isinstance(x, list) and np.ndim(i) == 0:
        return x[int(i) - 1]
    places = _places(i, x, 0)
    if np.ndim(i) == 0 and i is not None and i > 0:
        return x.iloc[places[0]] if isinstance(x, pd.Series) else np.asarray(x)[places[0]]
    if isinstance(x, list):
        return [x[k] for k in places]
    return (
        x.iloc[places] if isinstance(x, pd.Series) else (x if isinstance(x, pd.Categorical) else np.asarray(x))[places]
    )


def _places(i: Any, x: Any, axis: int) -> np.ndarray:
    """Return the positions, from 0, that a subscript of R selects."""
    size = x.shape[axis] if hasattr(x, "shape") else (len(x) if axis == 0 else np.shape(x)[axis])
    if i is None:
        return np.arange(size)
    wanted = np.atleast_1d(np.asarray(i))
    if wanted.dtype.kind == "b":
        return np.flatnonzero(np.resize(wanted, size))
    if wanted.dtype.kind in "OUS":
        return _labelled_places(x.columns if axis else x.index, wanted)
    whole = np.trunc(wanted).astype(np.int64)
    whole = whole[whole != 0]
    if (whole < 0).all() and len(whole):
        return np.setdiff1d(np.arange(size), -whole - 1)
    if (whole < 0).any():
        raise IndexError("subscripts of both signs; R does not take them either")
    if (whole > size).any():
        raise IndexError(f"subscript {whole.max()} is beyond the {size} items, where R has NA")
    return np.asarray(whole - 1)


def drop(x: Any, positions: Any, axis: int = 0) -> Any:
    """Return all but some items, rows or columns (R's negative subscripts).

    Parameters
    ----------
    x : array_like, Series, Categorical or DataFrame
    positions : array_like of int
        From 0. Without any nothing is left, as in R, where ``x[-integer(0)]`` is empty.
    axis : {0, 1}, default 0
        1 for columns.

    Returns
    -------
    object

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf.r as r
    >>> r.drop(np.array([5, 6, 7]), [0, 2])
    array([6])
    """
    gone = np.atleast_1d(np.asarray(positions, dtype=np.int64))
    size = np.shape(x)[axis]
    kept = np.setdiff1d(np.arange(size), gone) if len(gone) else gone
    if isinstance(x, pd.DataFrame):
        return x.iloc[kept] if axis == 0 else x.iloc[:, kept]
    if isinstance(x, pd.Series):
        return x.iloc[kept]
    if isinstance(x, _OwnArray):
        return x[kept]
    return np.asarray(x)[kept] if axis == 0 else np.asarray(x)[:, kept]


def put(x: Any, positions: Any, value: Any) -> Any:
    """Return a vector or list with items set; it becomes longer or wider where that is needed, as in R.

    Parameters
    ----------
    x : array_like, list or None
    positions : int or array_like of int or bool
        From 0.
    value : object
        One value, or one for each position. The item itself if `x` is a list, or if it is None and `value` no single
        value.

    Returns
    -------
    ndarray or list
        A new one.

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.put(None, 1, 0.5)
    array([nan, 0.5])
    >>> r.put([], 0, "a")
    ['a']
    """
    if isinstance(x, list) or (x is None and np.ndim(value) > 0):
        items = list(x or [])
        items += [None] * (int(positions) + 1 - len(items))
        items[int(positions)] = value
        return items
    old = np.zeros(0, dtype=bool) if x is None else np.asarray(atomic(x) if isinstance(x, _OwnArray) else x)
    new = np.asarray(value)
    places = np.flatnonzero(positions) if np.asarray(positions).dtype.kind == "b" else np.atleast_1d(positions)
    size = max(len(old), int(np.max(places, initial=-1)) + 1)
    known = np.arange(size) < len(old)
    known[places] = True
    kind = _kind(old, new, not known.all())
    out = np.full(size, np.nan if kind is np.float64 else 0 if kind is not object else None, dtype=kind)
    out[: len(old)] = old
    out[places] = new
    return out


def put_at(x: Any, i: Any, value: Any) -> Any:
    """Return a vector or list with items set by R's own subscripts: from 1, negative ones leave out, strings are names.

    Parameters
    ----------
    x : array_like, Series, list, dict or None
    i : int or array_like of int or bool, or str
    value : object
        One value, or one for each item.

    Returns
    -------
    ndarray, Series, list or dict
        A new one.

    Raises
    ------
    IndexError
        Positive and negative subscripts, or several names.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf.r as r
    >>> r.put_at(np.array([1.5, 2.5, 3.5]), -1, 0).tolist()
    [1.5, 0.0, 0.0]
    >>> r.put_at(None, "a", 5).to_dict()
    {'a': 5}
    """
    if isinstance(i, str):
        return _put_name(x, i, value)
    if isinstance(x, dict):
        return dict(zip(x, put_at(list(x.values()), i, value), strict=True))
    size = 0 if x is None else len(x)
    wanted = np.atleast_1d(np.asarray(i))
    if wanted.dtype.kind in "OUS":
        raise IndexError("several items are set by their names; set them one by one")
    places = np.asarray(wanted, dtype=np.int64)[np.trunc(np.asarray(wanted, dtype=float)) > 0] - 1
    if wanted.dtype.kind == "b" or not len(places) or (wanted < 0).any():
        places = _places(i, np.zeros(size), 0)
    if not len(places) and (x is None or isinstance(x, list | pd.Series)):
        return x
    if isinstance(x, list):
        return put(x, places[0], value)
    if isinstance(x, pd.Series) and int(places.max()) < size:
        return pd.Series(put(x.to_numpy(), places, value), index=x.index)
    return put(x, places, value)


def _put_name(x: Any, name: str, value: Any) -> Any:
    if isinstance(x, dict) or (isinstance(x, list) and not x):
        return {**dict(x), name: value}
    if x is None or (not isinstance(x, pd.Series) and len(x) == 0):
        return pd.Series({name: value})
    if isinstance(x, pd.Series) and name in x.index:
        return pd.Series(put(x.to_numpy(), x.index.get_loc(name), value), index=x.index)
    labels = list(x.index) if isinstance(x, pd.Series) else [""] * len(x)
    return pd.Series(put(np.asarray(x), len(x), value), index=[*labels, name])


def _kind(old: np.ndarray, new: np.ndarray, gaps: bool) -> Any:
    """Return the kind that holds both, and gaps: logicals widen to integers, doubles, strings."""
    kinds = [a.dtype.kind for a in (old, new)]
    if any(kind in "OUS" for kind in kinds):
        return object
    return (np.bool_, np.int64, np.float64)[2 if gaps else max(_KINDS[kind] for kind in kinds)]


def widened(x: Any) -> Any:
    """Return a copy whose whole numbers and logicals are doubles, as numbers are in R, so that fractions can be put in.

    Parameters
    ----------
    x : ndarray, Series, DataFrame or other object

    Returns
    -------
    object
        What is no array, as it is.

    Examples
    --------
    >>> import numpy as np
    >>> import pyrrf.r as r
    >>> r.widened(np.array([1, 2]))
    array([1., 2.])
    """
    if isinstance(x, pd.DataFrame):
        return x.astype({name: float for name in x.columns if x[name].dtype.kind in "iub"})
    if not isinstance(x, np.ndarray | pd.Series):
        return x.copy() if hasattr(x, "copy") else x
    return x.astype(float) if x.dtype.kind in "iub" else x.copy()


def put_cells(x: pd.DataFrame, rows: Any, columns: Any, value: Any) -> None:
    """Set cells of a data frame; columns become wider where that is needed, as in R.

    Parameters
    ----------
    x : DataFrame
        It is changed.
    rows : int, slice or array_like of int, bool or str, or None
        Positions from 0, a mask, or names; None for all.
    columns : int or str, slice or array_like of int, bool or str, or None
        The same. One name that is new adds a column.
    value : object
        One value, or one for each row.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyrrf.r as r
    >>> d = pd.DataFrame({"a": [1, 2]})
    >>> r.put_cells(d, 1, "a", 0.5)
    >>> d["a"].tolist()
    [1.0, 0.5]
    """
    if isinstance(columns, str) and columns not in x.columns:
        x[columns] = np.nan
    places = _found(x.index, rows)
    for j in _found(x.columns, columns):
        part = value.iloc[:, j] if isinstance(value, pd.DataFrame) else value
        column = x.iloc[:, j]
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.copy()
            column.iloc[places] = np.asarray(part) if np.ndim(part) else part
        else:
            new = put(column.to_numpy(), places, np.asarray(part) if np.ndim(part) else part)
            column = pd.Series(new, index=x.index)
        x.isetitem(int(j), column)


def _found(labels: pd.Index, wanted: Any) -> np.ndarray:
    """Return the positions that a mask, a slice, positions or labels select."""
    every = np.arange(len(labels))
    if wanted is None:
        return every
    if isinstance(wanted, slice):
        return every[wanted]
    array = np.atleast_1d(np.asarray(wanted))
    if array.dtype.kind == "b":
        return np.flatnonzero(array)
    if array.dtype.kind in "OUS":
        return _labelled_places(labels, array)
    return array.astype(np.int64)


def _labelled_places(labels: pd.Index, wanted: np.ndarray) -> np.ndarray:
    return np.asarray([labels.get_loc(label) for label in wanted.tolist()], dtype=np.int64)
