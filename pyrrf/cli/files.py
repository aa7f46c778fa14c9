"""The files of the command: whether they can be written, and tables in their formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from pyrrf import files as whole
from pyrrf.cli.messages import DataError
from pyrrf.cli.reading import ending


@contextmanager
def _as_data_error() -> Iterator[None]:
    """Turn the system's error for a file into an error of the data."""
    try:
        yield
    except OSError as error:
        raise DataError(str(error)) from None


def check_target(path: str) -> None:
    """Check, before any work is done, that a file can be written."""
    with _as_data_error():
        whole.check_target(path)


def write_all(files: Mapping[str, Callable[[Path], object]]) -> None:
    """Write some files, all or none; `pyrrf.files.write_all`."""
    with _as_data_error():
        whole.write_all(files)


def table_writer(frame: pd.DataFrame, path: str) -> Callable[[Path], None]:
    """Return the writer for the extension of `path`, one of `TABLES`."""
    write = TABLES[ending(path)]
    return lambda target: write(frame, target)


# Writers of tables, by the extension of the file.
TABLES: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    ".csv": lambda frame, at: frame.to_csv(at, index=False, lineterminator="\n"),
    ".tsv": lambda frame, at: frame.to_csv(at, index=False, lineterminator="\n", sep="\t"),
    ".parquet": lambda frame, at: frame.to_parquet(at, index=False),
    ".arrow": lambda frame, at: frame.to_feather(at),
    ".feather": lambda frame, at: frame.to_feather(at),
}
