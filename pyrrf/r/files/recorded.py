"""Records of statements that R ran: the values, the printed text, the random stream."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NoReturn

import numpy as np

from pyrrf.r.files.robjects import from_robject
from pyrrf.r.values.errors import NotSupportedError
from pyrrf.r.values.functions import Item, r_function
from pyrrf.r.values.placeholder import not_translated
from pyrrf.r.values.vector import Value, objects
from pyrrf.random import set_random_seed
from pyrrf.rbase.collate import set_collate
from pyrrf.rds.parsed import parse

_MARK = ".pyrrf_"
FUNCTION = "a function"
"""The note of a record about a function."""


@dataclass(frozen=True)
class Record:
    """The effects of a statement in R.

    Attributes
    ----------
    values : dict of str to Value
        The variables that it changed, by R's names.
    notes : dict of str to str
        Variables without a recorded value, and the kind of object they are.
    removed : list of str
    text : str
        Its printed text.
    cut : bool
        Whether `text` is truncated.
    error : str
        Its error message; empty without an error.
    warnings : list of str
    seed : ndarray or None
        R's ``.Random.seed``, if it changed; empty if it is gone.
    collate, folder : str
        The order of strings and the working directory, if they changed.
    quit : bool
        Whether R ended.
    seconds : float
    r : str
        R's version, at the start of a script.
    problem : str
        Why the values could not be recorded; empty if they could.
    """

    values: dict[str, Item] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    text: str = ""
    cut: bool = False
    error: str = ""
    warnings: list[str] = field(default_factory=list)
    seed: np.ndarray | None = None
    collate: str = ""
    folder: str = ""
    quit: bool = False
    seconds: float = 0.0
    r: str = ""
    problem: str = ""


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read the file that `record.R` wrote after a statement; OSError or ValueError if it cannot be read."""
    root = from_robject(parse(Path(path).read_bytes(), max_bytes=2**40))
    if not isinstance(root, Value) or root._kind != "list" or "names" not in root._attributes:
        raise ValueError(f"{path}: not what pyrrf migrate --check left")
    parts = items_of(root)
    notes = parts.get("notes")
    return Record(
        values={name: _open_symbols(value) for name, value in items_of(parts.get("values")).items()},
        notes={name: str(text) for name, text in zip(_names(notes), texts_of(notes), strict=True)},
        removed=texts_of(parts.get("removed")),
        text="".join(texts_of(parts.get("text"))),
        cut=_number(parts, "cut") == 1,
        error="".join(texts_of(parts.get("error"))),
        warnings=texts_of(parts.get("warnings")),
        seed=stream_words(parts.get("seed")),
        collate="".join(texts_of(parts.get("collate"))),
        folder="".join(texts_of(parts.get("folder"))),
        quit=_number(parts, "quit") == 1,
        seconds=_number(parts, "seconds"),
        r="".join(texts_of(parts.get("r"))),
        problem="".join(texts_of(parts.get("problem"))),
    )


def _names(value: Value | None) -> list[str]:
    names = None if value is None else value._attributes.get("names")
    return [] if names is None else [str(name) for name in names._data]


def items_of(value: Value | None) -> dict[str, Item]:
    """Return the items of a list by their names; an empty dict for other values."""
    return {} if value is None or value._kind != "list" else dict(zip(_names(value), value._data, strict=False))


def texts_of(value: Value | None) -> list[str]:
    """Return the strings of a vector, NA as an empty one; an empty list for other values."""
    return [] if value is None or value._kind != "character" else ["" if t is None else str(t) for t in value._data]


def _number(parts: dict[str, Item], name: str) -> float:
    number = parts.get(name)
    return float(number._data[0]) if number is not None and len(number) else 0.0


def stream_words(value: Value | None) -> np.ndarray | None:
    """Return R's ``.Random.seed`` as `set_random_seed` takes it; None unless it is an integer vector."""
    if value is None or value._kind != "integer":
        return None
    # The smallest integer is NA in R, but also a valid word of the stream.
    return np.where(np.isnan(value._data), -(2.0**31), value._data).astype(np.int32)


def _open_symbols(x: Item) -> Item:
    """Return a value whose placeholder symbols are replaced by objects that only R can hold."""
    if not isinstance(x, Value):
        return x
    if x._kind == "language" and str(x._data[0]).startswith(_MARK):
        return Value("opaque", objects([str(x._data[0]).removeprefix(_MARK)]))
    data = x._data
    if x._kind == "list":
        items = [_open_symbols(item) for item in data]
        if any(new is not old for new, old in zip(items, data, strict=True)):
            data = objects(items)
    about = {name: _open_symbols(attribute) for name, attribute in x._attributes.items()}
    about = {name: attribute for name, attribute in about.items() if attribute._kind != "opaque"}
    unchanged = data is x._data and all(attribute is x._attributes[name] for name, attribute in about.items())
    unchanged = unchanged and len(about) == len(x._attributes)
    return x if unchanged else Value(x._kind, data, about, x._hidden)


# ---- the function of translated scripts ---------------------------------------------------------------


@r_function()
def left(file: str, *names: str) -> Item:
    """Return recorded values of variables, print R's recorded output, and restore R's random stream.

    Parameters
    ----------
    file : str
        The file that ``pyrrf migrate --check`` wrote: ``script.left/012.rds``. A relative path is looked up
        where the calling script is.
    *names : str
        R's names of the variables.

    Returns
    -------
    Value, tuple of Value, or None
        One value for one name.

    Raises
    ------
    OSError, ValueError
        The file is not there, or holds no such variable.
    """
    record = read_record(os.path.join(_calling_folder(), file))
    sys.stdout.write(record.text)
    if record.collate:
        set_collate(record.collate)
    if record.seed is not None and len(record.seed):
        set_random_seed(record.seed)
    values = [_variable(record, name, file) for name in names]
    return values[0] if len(values) == 1 else tuple(values) if values else None


def _calling_folder() -> str:
    """Return the folder of the script that calls; empty where there is no file."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__")).split(".")[0] == "pyrrf":
        frame = frame.f_back
    return "" if frame is None else os.path.dirname(frame.f_globals.get("__file__", ""))


def absent(name: str, note: str, reason: str) -> Item:
    """Return a placeholder for a variable that could not be recorded: any use of it raises the reason."""
    if note != FUNCTION:
        return not_translated(name, reason)

    def called(*_: object, **__: object) -> NoReturn:
        raise NotSupportedError(f"{name} has no value: {reason}")

    called.absent = True  # type: ignore[attr-defined]
    return called


def _variable(record: Record, name: str, file: str) -> Item:
    if name in record.values:
        return record.values[name]
    if name in record.notes:
        return absent(name, record.notes[name], f"it is {record.notes[name]} in R ({file})")
    raise ValueError(
        f"{file}: there is no {name!r} in it; it has {', '.join(map(repr, record.values)) or 'no variables'}"
    )
