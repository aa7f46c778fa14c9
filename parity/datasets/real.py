"""Real data: R's iris, MASS fgl, mlbench Sonar, Glass, Vehicle, HouseVotes84, RRF imports85."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.datasets.registry import dataset
from parity.datasets.tables import read_table, split
from pyrrf.datasets import load_imports85


def with_response(table: pd.DataFrame, response: str, drop: tuple[str, ...] = ()) -> dict[str, Any]:
    """x and y of a table; levels of y that no row has are dropped."""
    y = table[response].array.remove_unused_categories()
    return {"x": table.drop(columns=[response, *drop]), "y": y}


@dataset
def iris() -> dict[str, Any]:
    return with_response(read_table("iris"), "Species")


@dataset
def iris_matrix() -> dict[str, Any]:
    """Iris as a matrix without names."""
    parts = iris()
    return {"x": parts["x"].to_numpy(), "y": parts["y"]}


@dataset
def iris_labelled() -> dict[str, Any]:
    """Iris, every third row, with row names; xtest has its columns in another order and one more."""
    table = read_table("iris")
    rows = table.iloc[::3]
    x = rows.drop(columns="Species").set_axis([f"flower {i}" for i in range(len(rows))])
    test = table.iloc[1::15].drop(columns="Species")
    test = test.set_axis([f"new {i}" for i in range(len(test))])
    shuffled = test[["Petal.Width", "Sepal.Length", "Petal.Length", "Sepal.Width"]].assign(extra=1.5)
    return {"x": x, "y": rows["Species"].array, "xtest": test, "shuffled": shuffled}


@dataset
def iris_split() -> dict[str, Any]:
    return split(iris(), 4)


@dataset
def iris_text() -> dict[str, Any]:
    """Iris with strings as response."""
    parts = iris()
    return {"x": parts["x"], "y": np.asarray(parts["y"], dtype=object)}


@dataset
def iris_numbered_rows() -> dict[str, Any]:
    """Rows of iris that keep their numbers as labels."""
    rows = read_table("iris").iloc[10:140:4]
    return {
        "x": rows.drop(columns="Species"),
        "y": rows["Species"].array,
        "new": rows.iloc[::3].drop(columns="Species"),
    }


@dataset
def fgl() -> dict[str, Any]:
    return with_response(read_table("fgl"), "type")


@dataset
def glass() -> dict[str, Any]:
    return with_response(read_table("glass"), "Type")


@dataset
def sonar() -> dict[str, Any]:
    return with_response(read_table("sonar"), "Class")


@dataset
def sonar_split() -> dict[str, Any]:
    return split(sonar(), 3)


@dataset
def vehicle() -> dict[str, Any]:
    """Every second row of Vehicle."""
    return with_response(read_table("vehicle").iloc[::2].reset_index(drop=True), "Class")


@dataset
def votes() -> dict[str, Any]:
    return with_response(read_table("votes"), "Class")


@dataset
def votes_split() -> dict[str, Any]:
    return split(votes(), 3)


@dataset
def imports_body() -> dict[str, Any]:
    """Five body styles, the rarest with two cars; `make` has 22 levels, some of them empty."""
    return with_response(read_table("imports85"), "bodyStyle")


@dataset
def imports_body_split() -> dict[str, Any]:
    parts = imports_body()
    held = np.arange(len(parts["y"])) % 5 == 1
    y = parts["y"]
    x = parts["x"].reset_index(drop=True)
    rows = {True: x[held].reset_index(drop=True), False: x[~held].reset_index(drop=True)}
    return {"x": rows[False], "y": y[~held], "xtest": rows[True], "ytest": y[held]}


@dataset
def imports_aspiration() -> dict[str, Any]:
    """Two classes, so `make` takes the search over sorted proportions."""
    return with_response(read_table("imports85"), "aspiration")


@dataset
def imports_doors() -> dict[str, Any]:
    """Factors alone, and rows whose price or horsepower is missing: RRF's forests hold leaves without cases."""
    table = load_imports85().drop(columns="normalizedLosses").dropna().reset_index(drop=True)
    return with_response(table.select_dtypes("category"), "numOfDoors")
