"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pyrrf.cli.messages import DataError
from pyrrf.cli.reading import ending


def check_target(path: str) -> None:
    """See, before any work is done, that a file can be written.

    Raises
    ------
    DataError
        Its folder is not there or not open to writing, or what has its name is no file.
    """
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise DataError(f"{path}: there is no folder {str(target.parent)!r}")
    if target.exists() and not target.is_file():
        raise DataError(f"{path}: there is something of this name that is no file")
    if not os.access(target.parent, os.W_OK):
        raise DataError(f"{path}: the folder {str(target.parent)!r} cannot be written to")


def write_all(files: Mapping[str, Callable[[Path], None]]) -> None:
    """Write some files beside their places, then put all of them there.

    Parameters
    ----------
    files : dict of str to callable
        A function for each path, which writes to the path that it is given.

    Raises
    ------
    DataError
        One cannot be written; then none is.
    """
    targets = {path: Path(path).resolve() for path in files}
    beside = {path: at.with_name(f".{os.getpid()}-{at.name}") for path, at in targets.items()}
    try:
        for path, write in files.items():
            try:
                write(beside[path])
            except OSError as error:
                raise DataError(f"{path}: {error.strerror or error}") from None
        for path, target in targets.items():
            if target.exists():
                shutil.copymode(target, beside[path])
            beside[path].replace(target)
    finally:
        for temporary in beside.values():
            temporary.unlink(missing_ok=True)


def table_writer(frame: pd.DataFrame, path: str) -> Callable[[Path], None]:
    """Return what writes a table in the format that the ending of `path` says, one of `TABLES`."""
    write = TABLES[ending(path)]
    return lambda at: write(frame, at)


# How a table is written, by the ending of the file.
TABLES: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    ".csv": lambda frame, at: frame.to_csv(at, index=False, lineterminator="\n"),
    ".tsv": lambda frame, at: frame.to_csv(at, index=False, lineterminator="\n", sep="\t"),
    ".parquet": lambda frame, at: frame.to_parquet(at, index=False),
    ".arrow": lambda frame, at: frame.to_feather(at),
    ".feather": lambda frame, at: frame.to_feather(at),
}
