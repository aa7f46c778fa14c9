"""read_rds: what R's saveRDS() wrote."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pyrrf.rds.parsed import ATOMIC, LIST, TEXT, DamagedError, classes, kind, parse
from pyrrf.rds.read_fit import read_ensemble
from pyrrf.rds.vectors import read_frame, read_list, read_other, read_vector

_FITS = {"RRF", "randomForest"}


def read_rds(path: str | os.PathLike[str]) -> Any:
    """Read a file that R's ``saveRDS`` wrote.

    Parameters
    ----------
    path : str or path
        File; compressed or not, binary or text.

    Returns
    -------
    object
        - a fit of ``RRF``: `RRFResult`, with R's numbers; all functions on fits work on it;
        - a data frame: DataFrame with its row names; factors are categories in R's order, ordered or not; where an NA
          is among integers or logicals, the columns are of pandas' Int32 or boolean;
        - a vector: ndarray, masked where an NA is among integers or logicals; with names a Series;
        - a factor: Categorical; a matrix with names: DataFrame; a list: list, or dict by its names;
        - NULL: None; a call or formula: its text.

        Rows that R only counts, from 1, have the labels 0, 1, ... here. Dates are the numbers that R stores.

    Raises
    ------
    ImportError
        rdata is not installed.
    OSError
        The file cannot be read.
    ValueError
        It is damaged, no .rds file, or an object that has no counterpart, such as a function.

    Notes
    -----
    Nothing in a file is executed: functions and environments are left as `NotRead`, and of a formula only the functions
    are computed that formulas know here. R does not store the data of a fit, so that `grow` needs them given, nor
    the response of a test set.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> import rdata
    >>> from pyrrf import read_rds
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rdata.write_rds(f"{folder}/d.rds", pd.DataFrame({"size": pd.Categorical(["s", "l"], ["s", "l"])}))
    ...     read_rds(f"{folder}/d.rds")["size"].cat.categories.tolist()
    ['s', 'l']
    """
    content = Path(path).read_bytes()
    try:
        if not content:
            raise DamagedError("it is empty")
        return _read_whole(parse(content))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: its lists are nested too deeply") from None


def _read_whole(obj: Any) -> Any:
    if kind(obj) not in (*ATOMIC, TEXT, LIST, "NILVALUE", "LANG", "SYM"):
        raise DamagedError(f"it holds {read_other(obj)}, which Python cannot hold; store data, a fit or a list of them")
    return convert(obj)


def convert(obj: Any) -> Any:
    """Return an object of R as one of Python."""
    found, what = classes(obj), kind(obj)
    if what == LIST and _FITS & set(found):
        return read_ensemble(obj, found)
    if "data.frame" in found:
        return read_frame(obj)
    if what in ATOMIC or what == TEXT:
        return read_vector(obj)
    return read_list(obj, convert) if what == LIST else read_other(obj)
