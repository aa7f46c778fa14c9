"""read_rds and write_rds: files as R's readRDS() and saveRDS() read and write them."""

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
from pyrrf.not_read import NotRead
from pyrrf.rds.build import listed, make, write
from pyrrf.rds.content import Budget, DamagedError, load
from pyrrf.rds.language import deparse
from pyrrf.rds.objects import CALL, LIST, NULL, SYMBOL
from pyrrf.rds.parsed import as_damage, classes, deeply, kind, names, parse_within
from pyrrf.rds.places import Place, brief, conversion_memory, find_fits, is_fit, keys, part_at
from pyrrf.rds.read_fit import read_fit
from pyrrf.rds.unreadable import why_not
from pyrrf.rds.vectors import read_frame, read_list, read_vector
from pyrrf.rds.write_fit import write_fit
from pyrrf.rds.write_values import write_parts, write_value
from pyrrf.result.result import ForestResult


def read_rds(path: str | os.PathLike[str], max_bytes: int | None = None, *, only: str | None = None) -> Any:
    """Read a file that R's ``saveRDS`` wrote.

    Parameters
    ----------
    path : str or path
        File; compressed or not, binary or text.
    max_bytes : int, optional
        Bytes of memory that reading may take, about: the file, what it unpacks to, and the objects made of it. More is
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
        matrix, factors with the level NA, objects of class S4. Each is left as `NotRead`, which says what it is and
        where, and raises TypeError where it is used.

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
        with as_damage():
            obj = parse_within(content, budget)
            if only == "forest":
                return _forest(obj, budget)
            place, part = (Place(), obj) if only is None else part_at(obj, only)
            return _Reading(budget).read(place, part, str(path))
    except ValueError as error:
        raise input_error(
            getattr(error, "code", "damaged"), f"{path}: {error}", getattr(error, "argument", "path")
        ) from error.__cause__


def _forest(obj: Any, budget: Budget) -> ForestResult:
    """Return the fit in an object; copies of it do not count.

    Raises
    ------
    ValueError
        There is none, or several.
    """
    found = find_fits(obj)
    if not found:
        raise bad.fit("only='forest': it holds no fit of RRF or randomForest; read_rds(path) reads what it holds")
    fit = _read_fit(found[0][1], budget)
    differ = [place for place, other in found[1:] if _read_fit(other, budget) != fit]
    if differ:
        places = [str(place) for place in (found[0][0], *differ)]
        told = f"it holds {len(places)} forests, {brief(places)}; name one: only={places[0]!r}"
        raise bad.fit(f"only='forest': {told}")
    return fit


def _read_fit(obj: Any, budget: Budget) -> ForestResult:
    budget.spend(conversion_memory(obj))
    return read_fit(obj, classes(obj))


# Of what is left out, so many kinds are told; and the bytes of memory that one part takes.
_MOST_KINDS, _NOT_READ = 12, 2048


class _Reading:
    """An object of R becomes one of Python; one warning at the end lists what was left out."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.left: list[NotRead] = []
        self.nameless: list[Place] = []

    def read(self, place: Place, obj: Any, path: str) -> Any:
        """Return an object of R, which has to be one of those that Python can hold, as one of Python."""
        trouble = why_not(obj)
        if trouble is not None:
            hint = "; only='forest' reads the forest in it" if find_fits(obj) else ""
            raise bad.format(trouble.refusal("it" if place.above is None else place) + hint, "path")
        found = self.convert(obj, place)
        if self.left:
            warn(f"{path}: Python cannot hold {len(self.left)} of its parts, which are left as NotRead: {self._told()}")
        if self.nameless:
            lists = brief([str(place) for place in self.nameless])
            warn(f"{path}: a list whose names are missing or the same is read without names: {lists}")
        return found

    def _told(self) -> str:
        """Say what is left out, kind by kind."""
        kinds: dict[str, list[str]] = {}
        for part in self.left:
            kinds.setdefault(f"{part.kind} ({part.why})", []).append(str(part.place))
        told = [f"{brief([kind])}: {brief(places)}" for kind, places in kinds.items()]
        return "; ".join(told[:_MOST_KINDS]) + ("; and others" if len(told) > _MOST_KINDS else "")

    def convert(self, obj: Any, place: Place) -> Any:
        """Return an object of R as one of Python, or what stands in its place."""
        trouble, what = why_not(obj), kind(obj)
        if trouble is not None:
            self.budget.spend(_NOT_READ)
            self.left.append(replace(trouble, place=place))
            return self.left[-1]
        if is_fit(obj):
            return _read_fit(obj, self.budget)
        if what == LIST and "data.frame" not in classes(obj):
            self.budget.spend(conversion_memory(obj, whole=False))
            return self._list(obj, place)
        self.budget.spend(conversion_memory(obj))
        if what == LIST:
            return read_frame(obj)
        if what in (CALL, SYMBOL):
            return deparse(obj)
        return None if what == NULL else read_vector(obj)

    def _list(self, obj: Any, place: Place) -> Any:
        if keys(obj) is None and any(names(obj) or ()):
            self.nameless.append(place)
        return read_list(obj, lambda step, part: self.convert(part, Place(step, place)))


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
        File; compressed by gzip. What has this name is replaced.

    Raises
    ------
    OSError
        The file cannot be written.
    TypeError
        R has no such object.
    ValueError
        A fit of engine 'parallel' has splits that R's trees cannot say; names of rows stand twice;
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
        with deeply(), whole_letters("object"):
            made = unconvert(object)
    except RecursionError:
        raise bad.format("object's lists are nested too deeply, or hold themselves", "object") from None
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
