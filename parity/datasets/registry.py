"""Data sets, and the table of functions that make one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from parity.datasets.tables import only_counts

Maker = Callable[[], dict[str, Any]]
MAKERS: dict[str, Maker] = {}


@dataclass(frozen=True)
class DataSet:
    """A data set by parts ("x", "y", and where needed "xtest", "ytest", "strata", ...)."""

    name: str
    parts: dict[str, Any]

    def digest(self) -> str:
        """Hash of all parts: values, labels and column types."""
        state = hashlib.sha256()
        for name, value in self.parts.items():
            state.update(f"{name}:{type(value).__name__}".encode())
            _digest_part(state, value)
        return state.hexdigest()


def _digest_part(state: Any, part: Any) -> None:
    if isinstance(part, pd.DataFrame):
        if not only_counts(part.index):
            state.update("|".join(map(str, part.index)).encode())
        for index, column in enumerate(part.columns):
            state.update(str(column).encode())
            _digest_part(state, part.iloc[:, index].array)
    elif isinstance(part, pd.Categorical):
        state.update(f"{list(map(str, part.categories))}{part.ordered}".encode())
        state.update(np.asarray(part.codes, dtype=np.int64).tobytes())
    else:
        array = np.asarray(part)
        if array.dtype.kind in "biuf":
            state.update(f"{array.shape}{array.dtype.kind}".encode())
            state.update(array.astype(np.float64).tobytes())
        else:
            state.update("|".join(map(str, array.tolist())).encode())


def dataset(maker: Maker) -> Maker:
    """Register a function that makes the parts of a data set; its name is the data set's."""
    MAKERS[maker.__name__] = maker
    return maker
