"""Common data sets of R: iris, airquality, mtcars and swiss, and imports85 of RRF.

Factors have the levels, and the order of levels, that they have in R.
"""

from __future__ import annotations

import json
from importlib.resources import files

import pandas as pd

__all__ = ["load_airquality", "load_imports85", "load_iris", "load_mtcars", "load_swiss"]


def load_iris() -> pd.DataFrame:
    """Return measures of 150 flowers of three species of Iris (R's ``iris``).

    Returns
    -------
    DataFrame, shape (150, 5)
        Four numbers and the factor "Species".

    Examples
    --------
    >>> from pyrrf.datasets import load_iris
    >>> load_iris()["Species"].cat.categories.tolist()
    ['setosa', 'versicolor', 'virginica']
    """
    return _load("iris")


def load_airquality() -> pd.DataFrame:
    """Return air quality in New York on 153 days of 1973, with missing values (R's ``airquality``).

    Returns
    -------
    DataFrame, shape (153, 6)

    Examples
    --------
    >>> from pyrrf.datasets import load_airquality
    >>> load_airquality()["Ozone"].isna().sum().item()
    37
    """
    return _load("airquality")


def load_mtcars() -> pd.DataFrame:
    """Return data of 32 cars of 1974 (R's ``mtcars``).

    Returns
    -------
    DataFrame, shape (32, 11)
        The rows have the names of the cars.

    Examples
    --------
    >>> from pyrrf.datasets import load_mtcars
    >>> load_mtcars().loc["Fiat 128", "mpg"].item()
    32.4
    """
    return _load("mtcars")


def load_swiss() -> pd.DataFrame:
    """Return fertility and five other measures of 47 provinces of Switzerland about 1888 (R's ``swiss``).

    Returns
    -------
    DataFrame, shape (47, 6)
        The rows have the names of the provinces.

    Examples
    --------
    >>> from pyrrf.datasets import load_swiss
    >>> load_swiss().index[0]
    'Courtelary'
    """
    return _load("swiss")


def load_imports85() -> pd.DataFrame:
    """Return 205 cars imported to the United States in 1985, with missing values (RRF's ``imports85``, from UCI).

    Returns
    -------
    DataFrame, shape (205, 26)
        Numbers and ten factors, of which "numOfCylinders" is ordered.

    Examples
    --------
    >>> from pyrrf.datasets import load_imports85
    >>> load_imports85()["numOfCylinders"].cat.categories.tolist()
    ['two', 'three', 'four', 'five', 'six', 'eight', 'twelve']
    """
    return _load("imports85")


def _load(name: str) -> pd.DataFrame:
    folder = files("pyrrf.datasets")
    with (folder / f"{name}.csv").open(encoding="utf-8") as stream:
        table = pd.read_csv(stream, keep_default_na=False, na_values=[""])
    for column, levels in json.loads((folder / "levels.json").read_text(encoding="utf-8"))[name].items():
        ordered = isinstance(levels, dict)
        table[column] = pd.Categorical(table[column], levels["ordered"] if ordered else levels, ordered=ordered)
    return table.set_index("row_names").rename_axis(None) if "row_names" in table else table
