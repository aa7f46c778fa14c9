"""read_rds and write_rds: files as R's readRDS() and saveRDS() read and write them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyrrf.checks import count
from pyrrf.files import check_target, write_all
from pyrrf.rds.build import listed, make, write
from pyrrf.rds.parsed import ATOMIC, LIST, TEXT, DamagedError, classes, deeply, kind, library, parse
from pyrrf.rds.read_fit import read_fit
from pyrrf.rds.vectors import read_frame, read_list, read_other, read_vector
from pyrrf.rds.write_fit import write_fit
from pyrrf.rds.write_values import write_parts, write_value
from pyrrf.result.result import ForestResult

_FITS = {"RRF", "randomForest"}


def read_rds(path: str | os.PathLike[str], max_bytes: int | None = None) -> Any:
    """Read a file that R's ``saveRDS`` wrote.

    Parameters
    ----------
    path : str or path
        File; compressed or not, binary or text.
    max_bytes : int, optional
        Bytes that its content may take unpacked, about; what takes more is refused before it fills the memory.
        By default 2**30, and 1,000 more for each byte of the file.

    Returns
    -------
    object
        - a fit of ``RRF`` or ``randomForest``: `ForestResult` with R's numbers; all functions on fits work on it;
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
        It is damaged, no .rds file, or an object that has no counterpart, such as a function; it takes more than
        `max_bytes`.

    Notes
    -----
    Nothing in a file is executed: functions and environments are left as `NotRead`, and of a formula only the functions
    are computed that formulas know here. R does not store the data of a fit, so that `grow` needs them given, nor
    the response of a test set.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from pyrrf import read_rds, write_rds
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds(pd.DataFrame({"size": pd.Categorical(["s", "l"], ["s", "l"])}), f"{folder}/d.rds")
    ...     read_rds(f"{folder}/d.rds")["size"].cat.categories.tolist()
    ['s', 'l']
    """
    most = None if max_bytes is None else count(max_bytes, "max_bytes", maximum=sys.maxsize)
    content = Path(path).read_bytes()
    try:
        if not content:
            raise DamagedError("it is empty")
        with deeply():
            return _read_whole(parse(content, most))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: its lists are nested too deeply") from None


def _read_whole(obj: Any) -> Any:
    if kind(obj) not in (*ATOMIC, TEXT, LIST, "NILVALUE", "LANG", "SYM"):
        what = read_other(obj).kind
        article = "an" if what[0] in "aeo" else "a"
        raise DamagedError(f"it holds {article} {what}, which Python cannot hold; store data, a fit or a list of them")
    return convert(obj)


def convert(obj: Any) -> Any:
    """Return an object of R as one of Python."""
    found, what = classes(obj), kind(obj)
    if what == LIST and _FITS & set(found):
        return read_fit(obj, found)
    if "data.frame" in found:
        return read_frame(obj)
    if what in ATOMIC or what == TEXT:
        return read_vector(obj)
    return read_list(obj, convert) if what == LIST else read_other(obj)


def write_rds(object: Any, path: str | os.PathLike[str]) -> None:
    """Write a file that R's ``readRDS`` reads, whole or not at all.

    Parameters
    ----------
    object : object
        - a fit: R's object of class ``RRF`` or ``randomForest``, on which R's ``predict``, ``print``, ``importance``,
          ``varImpPlot``, ``getTree``, ``margin``, ``plot`` and ``combine`` work when the package is attached;
        - a DataFrame: a data frame, categories as factors; its missing values, NaN too, are NA;
        - a Series or an array: a vector, matrix or array; masked values are NA, in arrays a NaN stays one;
        - a Categorical: a factor; a list: a list; a dict: a list with names; None: NULL; a number or text: a vector.

        Whole numbers are R's integers, or doubles where they are too large. Times are POSIXct.
    path : str or path
        File; compressed by gzip. What has this name is replaced.

    Raises
    ------
    ImportError
        rdata is not installed.
    OSError
        The file cannot be written.
    TypeError
        R has no such object.
    ValueError
        A fit of engine 'parallel' has splits that R's trees cannot say; names of rows stand twice;
        lists hold themselves; a text has a zero byte.

    Notes
    -----
    The data of a call are not stored, as R does not, nor the ordinary forest of `GRRF`. R's ``grow`` calls ``update``,
    which needs them under the names that the call shows. Labels become text, as R's always are. Terms that a formula
    computes have R's spelling, so that R can compute them; Python's functions, R has not.

    Examples
    --------
    >>> import tempfile
    >>> import pyrrf
    >>> pyrrf.set_seed(1)
    >>> x = pyrrf.runif(200).reshape(50, 4, order="F")
    >>> fit = pyrrf.RRF(x, x[:, 0], ntree=5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pyrrf.write_rds(fit, f"{folder}/fit.rds")
    ...     pyrrf.read_rds(f"{folder}/fit.rds") == fit
    True
    """
    library()
    check_target(path)
    try:
        with deeply():
            made = unconvert(object)
    except RecursionError:
        raise ValueError("object's lists are nested too deeply, or hold themselves") from None
    write_all({os.fspath(path): lambda at: write(made, at)})


def unconvert(value: Any) -> Any:
    """Return an object of Python as one of R."""
    if isinstance(value, ForestResult):
        return write_fit(value)
    if isinstance(value, Mapping):
        return listed({name: unconvert(part) for name, part in write_parts(value).items()})
    if isinstance(value, list | tuple):
        return make("VEC", [unconvert(part) for part in value])
    return write_value(value)
