"""What R left behind after a statement that was not translated: its values, what it printed, its random stream."""

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
"""What a record says of a function."""


@dataclass(frozen=True)
class Record:
    """What a statement did in R.

    Attributes
    ----------
    values : dict of str to Value
        The variables that it changed, by R's names.
    notes : dict of str to str
        Those whose value is not there, and what it is instead.
    removed : list of str
    text : str
        What it printed.
    cut : bool
        Whether that is more than `text`.
    error : str
        What it failed with; empty if it did not.
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
    """Read what `record.R` wrote after a statement; OSError or ValueError if it cannot be read."""
    found = from_robject(parse(Path(path).read_bytes(), max_bytes=2**40))
    if not isinstance(found, Value) or found._kind != "list" or "names" not in found._attributes:
        raise ValueError(f"{path}: not what pyrrf migrate --check left")
    parts = items_of(found)
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
    found = None if value is None else value._attributes.get("names")
    return [] if found is None else [str(name) for name in found._data]


def items_of(value: Value | None) -> dict[str, Item]:
    """Return the items of a list by their names; an empty dict for other values."""
    return {} if value is None or value._kind != "list" else dict(zip(_names(value), value._data, strict=False))


def texts_of(value: Value | None) -> list[str]:
    """Return the strings of a vector, NA as an empty one; an empty list for other values."""
    return [] if value is None or value._kind != "character" else ["" if t is None else str(t) for t in value._data]


def _number(parts: dict[str, Item], name: str) -> float:
    found = parts.get(name)
    return float(found._data[0]) if found is not None and len(found) else 0.0


def stream_words(value: Value | None) -> np.ndarray | None:
    """Return R's ``.Random.seed`` as `set_random_seed` takes it; None unless it is an integer vector."""
    if value is None or value._kind != "integer":
        return None
    # The least of R's integers is NA, and a word of the stream.
    return np.where(np.isnan(value._data), -(2.0**31), value._data).astype(np.int32)


def _open_symbols(x: Item) -> Item:
    """Return a value with what R alone can hold instead of the symbols that stand for it."""
    if not isinstance(x, Value):
        return x
    if x._kind == "language" and str(x._data[0]).startswith(_MARK):
        return Value("opaque", objects([str(x._data[0]).removeprefix(_MARK)]))
    data = x._data
    if x._kind == "list":
        items = [_open_symbols(item) for item in data]
        if any(new is not old for new, old in zip(items, data, strict=True)):
            data = objects(items)
    about = {name: _open_symbols(part) for name, part in x._attributes.items()}
    about = {name: part for name, part in about.items() if part._kind != "opaque"}
    unchanged = data is x._data and all(part is x._attributes[name] for name, part in about.items())
    unchanged = unchanged and len(about) == len(x._attributes)
    return x if unchanged else Value(x._kind, data, about, x._hidden)


# ---- the function of translated scripts ---------------------------------------------------------------


@r_function()
def left(file: str, *names: str) -> Item:
    """Return what R left in some variables, print what it printed, and set the random stream where R left it.

    Parameters
    ----------
    file : str
        What ``pyrrf migrate --check`` wrote next to the script: ``script.left/012.rds``. A relative path is looked up
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
    found = read_record(os.path.join(_calling_folder(), file))
    sys.stdout.write(found.text)
    if found.collate:
        set_collate(found.collate)
    if found.seed is not None and len(found.seed):
        set_random_seed(found.seed)
    values = [_variable(found, name, file) for name in names]
    return values[0] if len(values) == 1 else tuple(values) if values else None


def _calling_folder() -> str:
    """Return the folder of the script that calls; empty where there is no file."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__")).split(".")[0] == "pyrrf":
        frame = frame.f_back
    return "" if frame is None else os.path.dirname(frame.f_globals.get("__file__", ""))


def absent(name: str, note: str, reason: str) -> Item:
    """Return what stands for a variable that could not be recorded: whatever is done with it raises the reason."""
    if note != FUNCTION:
        return not_translated(name, reason)

    def called(*_: object, **__: object) -> NoReturn:
        raise NotSupportedError(f"{name} has no value: {reason}")

    called.absent = True  # type: ignore[attr-defined]
    return called


def _variable(found: Record, name: str, file: str) -> Item:
    if name in found.values:
        return found.values[name]
    if name in found.notes:
        return absent(name, found.notes[name], f"it is {found.notes[name]} in R ({file})")
    raise ValueError(
        f"{file}: there is no {name!r} in it; it has {', '.join(map(repr, found.values)) or 'no variables'}"
    )
