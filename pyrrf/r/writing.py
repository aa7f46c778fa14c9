"""Tables as R writes them into files."""

from __future__ import annotations

import math
import sys
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pyrrf.checks import choice
from pyrrf.files import write_all
from pyrrf.r.reading import as_data_frame, rownames
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.text import texts
from pyrrf.rbase.vectors import atomic, labelled


def write_csv(
    x: Any, file: str | PathLike[str] = "", row_names: bool = True, quote: bool = True, na: str = "NA"
) -> None:
    """Write a table with commas (R's ``write.csv``).

    Parameters
    ----------
    x : DataFrame, Series or array_like
    file : path_like, default ''
        The standard output if empty.
    row_names : bool, default True
        Write the names of the rows; rows without names are counted from 1.
    quote : bool, default True
        Set strings and names in quotes.
    na : str, default 'NA'
        What stands for a missing value.

    Raises
    ------
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyrrf.r as r
    >>> r.write_csv(pd.DataFrame({"a": [0.5, 2.0], "b": ["x", "y"]}))
    "","a","b"
    "1",0.5,"x"
    "2",2,"y"
    """
    write_table(x, file, sep=",", row_names=row_names, quote=quote, na=na, corner=row_names, qmethod="double")


def write_table(
    x: Any,
    file: str | PathLike[str] = "",
    sep: str = " ",
    row_names: bool = True,
    quote: bool = True,
    na: str = "NA",
    col_names: bool = True,
    corner: bool = False,
    qmethod: str = "escape",
) -> None:
    """Write a table (R's ``write.table``).

    Parameters
    ----------
    x : DataFrame, Series or array_like
    file : path_like, default ''
        The standard output if empty.
    sep : str, default ' '
        What stands between two cells.
    row_names, quote : bool, default True
        As for `write_csv`.
    na : str, default 'NA'
        What stands for a missing value.
    col_names : bool, default True
        Write the names of the columns.
    corner : bool, default False
        Write an empty name above the names of the rows (``col.names = NA`` in R).
    qmethod : {'escape', 'double'}, default 'escape'
        How a quote within a string is written: behind a backslash, or twice.

    Raises
    ------
    OSError
        The file cannot be written.

    Examples
    --------
    >>> import pandas as pd
    >>> import pyrrf.r as r
    >>> r.write_table(pd.DataFrame({"a": [0.5, 2.0]}), quote=False)
    a
    1 0.5
    2 2
    """
    table = _table(x)
    mark = {"escape": '\\"', "double": '""'}[choice(qmethod, "qmethod", ("escape", "double"))] if quote else ""
    columns = [_cells(table.iloc[:, j], mark, na) for j in range(table.shape[1])]
    names = [_quoted(str(name), mark) for name in table.columns]
    if row_names:
        columns.insert(0, [_quoted(label, mark) for label in rownames(table)])
        names = [_quoted("", mark), *names] if corner else names
    lines = [sep.join(names)] if col_names else []
    lines += [sep.join(cells) for cells in zip(*columns, strict=True)]
    text = "".join(f"{line}\n" for line in lines)
    if file == "":
        sys.stdout.write(text)
    else:
        _write_text(Path(file), text)


def _write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all; what is no file, such as a pipe, takes the text as it comes."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
    else:
        write_all({str(path): lambda at: at.write_text(text, encoding="utf-8")})


def _table(x: Any) -> pd.DataFrame:
    if isinstance(x, pd.DataFrame):
        return x
    if isinstance(x, pd.Series):
        return x.to_frame("x")
    return as_data_frame(x) if np.ndim(x) == 2 else pd.DataFrame({"x": atomic(x)})


def _quoted(text: str, quote: str) -> str:
    """Return a text in quotes if `quote` says how one within it is written."""
    inside = text.replace('"', quote)
    return f'"{inside}"' if quote else text


def _cells(column: Any, mark: str, na: str) -> list[str]:
    values = labelled(column)
    if not isinstance(values, pd.Categorical) and values.dtype.kind == "f":
        return [na if math.isnan(value) else number_text(value, drop=False) for value in values.tolist()]
    strings = values.categories.dtype != bool if isinstance(values, pd.Categorical) else values.dtype == object
    return [na if text is None else _quoted(text, mark if strings else "") for text in texts(values)]
