"""Tables as R reads and names them."""

from __future__ import annotations

import re
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.r.collate import coded_strings
from pyrrf.r.decimals import read_numbers
from pyrrf.r.factors import from_codes
from pyrrf.r.vectors import MOST_INTEGER

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_EMPTY = "NA"
_LOGICALS = {"TRUE": True, "T": True, "FALSE": False, "F": False}


def read_csv(file: str | PathLike[str], sep: str = ",", stringsAsFactors: bool = False) -> pd.DataFrame:
    """Read a table (R's ``read.csv``).

    Parameters
    ----------
    file : path_like
    sep : str, default ','
        What stands between two cells.
    stringsAsFactors : bool, default False
        Make strings factors, levels in the order of `pyrrf.set_collate`.

    Returns
    -------
    DataFrame
        NA stands for a missing value, as does an empty cell among numbers; among strings that is "". What R does not
        take in a name is a dot.

    Raises
    ------
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import io
    >>> import pyrrf.r as r
    >>> r.read_csv(io.StringIO("a;b%1;NA%2;x".replace("%", chr(10))), sep=";", stringsAsFactors=True)
       a    b
    0  1  NaN
    1  2    x
    """
    text = pd.read_csv(file, sep=sep, keep_default_na=False, na_filter=False, dtype=object)
    columns = {_name(str(name)): _column(text[name].tolist(), stringsAsFactors) for name in text.columns}
    return pd.DataFrame(columns)


def _column(cells: list[str], factors: bool) -> Any:
    """Return cells as R types them: logicals, whole numbers, doubles, else strings or a factor."""
    known = {cell.strip() for cell in cells} - {"NA", ""}
    if known <= _LOGICALS.keys() and known:
        flags = [_LOGICALS.get(cell.strip()) for cell in cells]
        return np.array(flags, dtype=object if None in flags else bool)
    numbers, found = read_numbers([_EMPTY if cell.strip() == "" else cell for cell in cells])
    if not found.all():
        texts: list[str | None] = [None if cell == "NA" else cell for cell in cells]
        if not factors:
            return np.array(texts, dtype=object)
        codes, levels = coded_strings(texts, "a column of the file")
        return from_codes(codes, levels, ordered=False)
    whole = known and all(_WHOLE.fullmatch(cell) for cell in known) and bool((np.abs(numbers) <= MOST_INTEGER).all())
    return numbers.astype(np.int64) if whole else numbers


def _name(name: str) -> str:
    """Return a column name as R's make.names() writes it."""
    plain = "".join(c if c.isalnum() or c in "._" else "." for c in name)
    return plain if plain and (plain[0].isalpha() or (plain[0] == "." and not plain[1:2].isdigit())) else f"X{plain}"


def as_data_frame(x: Any, prefix: str = "V") -> pd.DataFrame:
    """Return a matrix as a table (R's ``as.data.frame``).

    Parameters
    ----------
    x : array_like, shape (n, p), or DataFrame
    prefix : str, default 'V'
        How the names of columns without names start; data.frame() of R takes X.

    Returns
    -------
    DataFrame
        Columns without names are V1, V2, ...

    Examples
    --------
    >>> import pyrrf.r as r
    >>> r.as_data_frame([[1, 2], [3, 4]])
       V1  V2
    0   1   2
    1   3   4
    """
    if isinstance(x, pd.DataFrame):
        return x.copy()
    values = np.asarray(x)
    return pd.DataFrame(values, columns=[f"{prefix}{j + 1}" for j in range(values.shape[1])])


def rownames(x: pd.DataFrame) -> np.ndarray:
    """Return the names of the rows (R's ``rownames``).

    Parameters
    ----------
    x : DataFrame

    Returns
    -------
    ndarray of str, shape (n,)
        Rows that are only counted are "1", "2", ..., as in R.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyrrf.r as r
    >>> r.rownames(pd.DataFrame({"a": [5, 6]})).tolist()
    ['1', '2']
    """
    shift = 1 if pd.api.types.is_integer_dtype(x.index) else 0
    return np.array([str(label + 1) if shift else str(label) for label in x.index], dtype=object)
