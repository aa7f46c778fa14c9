"""Data sets on disk: NAME.csv.gz, features first, the class last."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class DataSet:
    """A data set; missing cells are NaN, columns of words are categorical."""

    name: str
    x: pd.DataFrame  # (n, p)
    y: np.ndarray  # (n,), words

    @property
    def values(self) -> np.ndarray:
        """The features as float64, (n, p), column by column; for sets of numbers only."""
        return np.asfortranarray(self.x.to_numpy(float))


def has_set(folder: Path | None, name: str) -> bool:
    """Whether the file of a set is there."""
    return folder is not None and (folder / f"{name}.csv.gz").exists()


@lru_cache(maxsize=2)
def read_set(folder: Path | None, name: str) -> DataSet:
    """Read a set; the last two are kept, since jobs come set by set."""
    if folder is None or not has_set(folder, name):
        raise FileNotFoundError(f"{name}.csv.gz is not in {folder}; --data names the folder that holds the data sets")
    table = pd.read_csv(folder / f"{name}.csv.gz", dtype={"class": str}, keep_default_na=False, na_values=[""])
    x, y = table.iloc[:, :-1], table["class"].to_numpy(str)
    words = [column for column in x.columns if not pd.api.types.is_numeric_dtype(x[column])]
    return DataSet(name, x.astype(dict.fromkeys(words, "category")), y)
