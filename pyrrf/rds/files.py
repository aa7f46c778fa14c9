"""read_rds and write_rds: files of R's saveRDS() and readRDS()."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyrrf.checks import count, warn, whole_letters
from pyrrf.errors import bad, input_error
from pyrrf.files import check_target, write_all
from pyrrf.rds.build import make, named_list, write
from pyrrf.rds.content import Budget, DamagedError, load
from pyrrf.rds.language import deparse
from pyrrf.rds.objects import CALL, LIST, NULL, SYMBOL
from pyrrf.rds.parsed import classes, damage_errors, deep_recursion, kind, names, parse_within
from pyrrf.rds.places import Place, abbreviate, conversion_memory, find_fits, find_part, is_fit, keys
from pyrrf.rds.read_fit import read_fit
from pyrrf.rds.unreadable import find_obstacle
from pyrrf.rds.vectors import read_frame, read_list, read_vector
from pyrrf.rds.write_fit import write_fit
from pyrrf.rds.write_values import write_parts, write_value
from pyrrf.result.result import ForestResult
from pyrrf.unsupported_object import UnsupportedObject


def read_rds(path: str | os.PathLike[str], max_bytes: int | None = None, *, only: str | None = None) -> Any:
    """Read a file that R's ``saveRDS`` wrote.

    Parameters
    ----------
    path : str or path
        File; compressed or not, binary or text.
    max_bytes : int, optional
        Bytes of memory that reading may take, about: the file, its decompressed content, and its objects. More is
        refused before it is allocated. By default 2**30, and 1,000 more for each byte of the file.
    only : str, optional
        'forest' reads the one fit of ``RRF`` or ``randomForest`` in the file, whatever surrounds it: lists, or else
        environments, attributes and the like. The place of a part, such as ``'fit["finalModel"]'``, reads this part.

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
    OSError
        The file cannot be read.
    ValueError
        It is damaged, no .rds file, or an object that has no counterpart, such as a function; it takes more than
        `max_bytes`; there is no part as `only` asks, or several forests.

    Warns
    -----
    UserWarning
        Parts of a list have no counterpart: functions, environments, data frames with a column that is a list or a
        matrix, factors with the level NA, objects of class S4. Each becomes an `UnsupportedObject`, which names its
        type and its place, and raises TypeError when it is used.

    See Also
    --------
    write_rds : The way back.

    Notes
    -----
    Nothing in a file is executed, and of a formula only the functions are computed that formulas know here. R does not
    store the data of a fit, so that `grow` needs them given, nor the response of a test set.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from pyrrf import RRF, read_rds, write_rds
    >>> from pyrrf.datasets import load_iris
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds(pd.DataFrame({"size": pd.Categorical(["s", "l"], ["s", "l"])}), f"{folder}/d.rds")
    ...     read_rds(f"{folder}/d.rds")["size"].cat.categories.tolist()
    ['s', 'l']

    The forest in a list, alone:

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds({"note": "tuned", "best": {"model": RRF("Species ~ .", load_iris(), ntree=5)}}, f"{folder}/l.rds")
    ...     read_rds(f"{folder}/l.rds", only="forest").ntree, read_rds(f"{folder}/l.rds", only='fit["note"]').tolist()
    (5, ['tuned'])
    """
    if only is not None and not isinstance(only, str):
        raise bad.type(f"only must be 'forest' or the place of a part, as text, not {type(only).__name__}")
    most = None if max_bytes is None else count(max_bytes, "max_bytes", maximum=sys.maxsize)
    try:
        with Path(path).open("rb") as stream:
            content, budget = load(stream, most)
        if not content:
            raise DamagedError("it is empty")
        with damage_errors():
            obj = parse_within(content, budget)
            if only == "forest":
                return _forest(obj, budget)
            place, element = (Place(), obj) if only is None else find_part(obj, only)
            return _Converter(budget).read(place, element, str(path))
    except ValueError as error:
        raise input_error(
            getattr(error, "code", "damaged"), f"{path}: {error}", getattr(error, "argument", "path")
        ) from error.__cause__


def _forest(obj: Any, budget: Budget) -> ForestResult:
    """Return the only fit in an object; copies of the same fit count once.

    DamagedError if there is none, or several.
    """
    fits = find_fits(obj)
    if not fits:
        raise bad.fit("only='forest': it holds no fit of RRF or randomForest; read_rds(path) reads what it holds")
    fit = _read_fit(fits[0][1], budget)
    differ = [place for place, other in fits[1:] if _read_fit(other, budget) != fit]
    if differ:
        places = [str(place) for place in (fits[0][0], *differ)]
        reason = f"it holds {len(places)} forests, {abbreviate(places)}; name one: only={places[0]!r}"
        raise bad.fit(f"only='forest': {reason}")
    return fit


def _read_fit(obj: Any, budget: Budget) -> ForestResult:
    budget.spend(conversion_memory(obj))
    return read_fit(obj, classes(obj))


# Kinds of unsupported parts that the warning lists at most; bytes of memory of one placeholder.
_MOST_KINDS, _UNSUPPORTED = 12, 2048


class _Converter:
    """Converter of an object of R to Python, with one warning that lists the unsupported parts."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.unsupported: list[UnsupportedObject] = []
        self.unnamed: list[Place] = []

    def read(self, place: Place, obj: Any, path: str) -> Any:
        """Return an object of R, which must have a counterpart, as one of Python."""
        trouble = find_obstacle(obj)
        if trouble is not None:
            hint = "; only='forest' reads the forest in it" if find_fits(obj) else ""
            raise bad.format(trouble.refusal("it" if place.above is None else place) + hint, "path")
        converted = self.convert(obj, place)
        if self.unsupported:
            kinds = self._describe_unsupported()
            number = len(self.unsupported)
            warn(f"{path}: Python cannot hold {number} of its parts, which are left as UnsupportedObject: {kinds}")
        if self.unnamed:
            lists = abbreviate([str(place) for place in self.unnamed])
            warn(f"{path}: a list whose names are missing or the same is read without names: {lists}")
        return converted

    def _describe_unsupported(self) -> str:
        """Return a text that lists the unsupported parts by kind."""
        kinds: dict[str, list[str]] = {}
        for unsupported in self.unsupported:
            kinds.setdefault(f"{unsupported.kind} ({unsupported.why})", []).append(str(unsupported.place))
        reasons = [f"{abbreviate([kind])}: {abbreviate(places)}" for kind, places in kinds.items()]
        return "; ".join(reasons[:_MOST_KINDS]) + ("; and others" if len(reasons) > _MOST_KINDS else "")

    def convert(self, obj: Any, place: Place) -> Any:
        """Return an object of R as one of Python, or an `UnsupportedObject`."""
        trouble, r_type = find_obstacle(obj), kind(obj)
        if trouble is not None:
            self.budget.spend(_UNSUPPORTED)
            self.unsupported.append(replace(trouble, place=place))
            return self.unsupported[-1]
        if is_fit(obj):
            return _read_fit(obj, self.budget)
        if r_type == LIST and "data.frame" not in classes(obj):
            self.budget.spend(conversion_memory(obj, whole=False))
            return self._list(obj, place)
        self.budget.spend(conversion_memory(obj))
        if r_type == LIST:
            return read_frame(obj)
        if r_type in (CALL, SYMBOL):
            return deparse(obj)
        return None if r_type == NULL else read_vector(obj)

    def _list(self, obj: Any, place: Place) -> Any:
        if keys(obj) is None and any(names(obj) or ()):
            self.unnamed.append(place)
        return read_list(obj, lambda step, element: self.convert(element, Place(step, place)))


def write_rds(object: Any, path: str | os.PathLike[str]) -> None:
    """Write a file that R's ``readRDS`` reads, whole or not at all.

    Parameters
    ----------
    object : object
        - a fit: R's object of class ``RRF`` or ``randomForest``, on which R's ``predict``, ``print``, ``importance``,
          ``varImpPlot``, ``getTree``, ``margin``, ``plot`` and ``combine`` work when the package is attached;
        - a DataFrame: a data frame, categories as factors; its missing values, NaN too, are NA, but a NaN that
          `read_rds` had from R stays one;
        - a Series or an array: a vector, matrix or array; masked values are NA, in arrays a NaN stays one;
        - a Categorical: a factor; a list: a list; a dict: a list with names; None: NULL; a number or text: a vector.

        Whole numbers are R's integers, or doubles where they are too large. Times are POSIXct.
    path : str or path
        File; compressed by gzip. An existing file is replaced.

    Raises
    ------
    OSError
        The file cannot be written.
    TypeError
        R has no such object.
    ValueError
        A fit of engine 'parallel' has splits that R's trees cannot store; row names occur twice;
        lists hold themselves; a text has a zero byte or a lone surrogate.

    See Also
    --------
    read_rds : The way back.

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
    check_target(path)
    try:
        with deep_recursion(), whole_letters("object"):
            r_object = to_r_object(object)
    except RecursionError:
        raise bad.format("object's lists are nested too deeply, or hold themselves", "object") from None
    write_all({os.fspath(path): lambda target: write(r_object, target)})


def to_r_object(value: Any) -> Any:
    """Return an object of Python as one of R."""
    if isinstance(value, ForestResult):
        return write_fit(value)
    if isinstance(value, Mapping):
        return named_list({name: to_r_object(element) for name, element in write_parts(value).items()})
    if isinstance(value, list | tuple):
        return make("VEC", [to_r_object(element) for element in value])
    return write_value(value)
