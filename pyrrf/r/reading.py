"""Tables as R reads and names them."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.rbase.collate import coded_strings
from pyrrf.rbase.factors import from_codes
from pyrrf.rbase.numbers import read_numbers
from pyrrf.rbase.vectors import MOST_INTEGER, given_labels

_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_EMPTY = "NA"
# Names that R takes for something else.
_WORDS = {
    "if", "else", "repeat", "while", "function", "for", "next", "break", "TRUE", "FALSE", "NULL", "Inf", "NaN", "NA",
    "NA_integer_", "NA_real_", "NA_character_", "in",
}  # fmt: skip
_LOGICALS = {"TRUE": True, "T": True, "FALSE": False, "F": False}


def read_csv(
    file: str | PathLike[str],
    sep: str = ",",
    stringsAsFactors: bool = False,
    header: bool = True,
    na_strings: str | Sequence[str] = "NA",
    row_names: str | int | None = None,
    check_names: bool = True,
) -> pd.DataFrame:
    """Read a table (R's ``read.csv``; with a tab as `sep` ``read.delim``).

    Parameters
    ----------
    file : path_like
    sep : str, default ','
        What stands between two cells.
    stringsAsFactors : bool, default False
        Make strings factors, levels in the order of `pyrrf.set_collate`.
    header : bool, default True
        Whether the first line holds the names of the columns; they are V1, V2, ... if not.
    na_strings : str or sequence of str, default 'NA'
        What stands for a missing value.
    row_names : str or int, optional
        The column, counted from 1, that holds the names of the rows. The first one does where the header is one cell
        shorter than the other lines.
    check_names : bool, default True
        Make names of columns valid in R, and different.

    Returns
    -------
    DataFrame
        NA stands for a missing value, as does an empty cell among numbers; among strings that is "". What R does not
        take in a name is a dot.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        A line has more cells than the header, or there is no column of the name `row_names`.

    Examples
    --------
    >>> import io
    >>> import pyrrf.r as r
    >>> r.read_csv(io.StringIO("a;b%1;NA%2;x".replace("%", chr(10))), sep=";", stringsAsFactors=True)
       a    b
    0  1  NaN
    1  2    x
    """
    lines = _lines(file, sep)
    gaps = {na_strings} if isinstance(na_strings, str) else set(na_strings)
    names = lines.pop(0) if header and lines else [f"V{j + 1}" for j in range(max(map(len, lines), default=0))]
    width = max(map(len, lines), default=len(names))
    named_rows = header and width == len(names) + 1
    if width > len(names) + named_rows:
        raise ValueError(f"a line has {width} cells, and the header {len(names)}")
    names = ["row.names", *names] if named_rows else names
    texts = [[line[j] if j < len(line) else "" for line in lines] for j in range(len(names))]
    labels = names if not check_names else _different(names)
    columns = [_column(cells, stringsAsFactors, gaps) for cells in texts]
    frame = pd.DataFrame(dict(enumerate(columns)), index=range(len(lines))).set_axis(labels, axis=1)
    if not named_rows and row_names is None:
        return frame
    at = 0 if named_rows else labels.index(row_names) if isinstance(row_names, str) else int(row_names or 1) - 1
    kept = [j for j in range(len(names)) if j != at]
    return frame.iloc[:, kept].set_axis(pd.Index(texts[at], dtype=object), axis=0)


def _lines(file: Any, sep: str) -> list[list[str]]:
    """Return the cells of each line that is not empty."""
    if hasattr(file, "read"):
        return [line for line in csv.reader(file, delimiter=sep) if line]
    way = gzip.open if str(file).endswith(".gz") else open
    with way(file, "rt", encoding="utf-8-sig", newline="") as opened:
        return [line for line in csv.reader(opened, delimiter=sep) if line]


def _different(names: list[str]) -> list[str]:
    """Return names that are valid in R and different; those that were valid keep theirs."""
    valid = [_name(name) for name in names]
    order = sorted(range(len(names)), key=lambda j: names[j] != valid[j])
    taken: set[str] = set()
    out = list(names)
    waiting = {valid[j] for j in order}
    for j in order:
        new, count = valid[j], 0
        while new in taken or (count and new in waiting):
            count += 1
            new = f"{valid[j]}.{count}"
        taken.add(new)
        out[j] = new
    return out


def _column(cells: list[str], factors: bool, gaps: set[str]) -> Any:
    """Return cells as R types them: logicals, whole numbers, doubles, else strings or a factor."""
    missing = [cell.strip() in gaps for cell in cells]
    known = {cell.strip() for cell, gap in zip(cells, missing, strict=True) if not gap} - {""}
    if known <= _LOGICALS.keys() and known:
        flags = [_LOGICALS.get(cell.strip()) for cell in cells]
        return np.array(flags, dtype=object if None in flags else bool)
    plain = [_EMPTY if gap or cell.strip() == "" else cell for cell, gap in zip(cells, missing, strict=True)]
    numbers, found = read_numbers(plain)
    if not found.all() or (_EMPTY not in gaps and _EMPTY in known):
        texts: list[str | None] = [None if cell in gaps else cell for cell in cells]
        if not factors:
            return np.array(texts, dtype=object)
        codes, levels = coded_strings(texts, "a column of the file")
        return from_codes(codes, levels, ordered=False)
    whole = known and all(_WHOLE.fullmatch(cell) for cell in known) and bool((np.abs(numbers) <= MOST_INTEGER).all())
    return numbers.astype(np.int64) if whole else numbers


def _name(name: str) -> str:
    """Return a column name as R's make.names() writes it."""
    plain = "".join(c if c.isalnum() or c in "._" else "." for c in name)
    valid = plain and (plain[0].isalpha() or (plain[0] == "." and not plain[1:2].isdigit()))
    plain = plain if valid else f"X{plain}"
    return f"{plain}." if plain in _WORDS else plain


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
    labels = x.index + 1 if given_labels(x.index) is None else x.index
    return np.array([str(label) for label in labels], dtype=object)
