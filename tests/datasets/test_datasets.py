"""The data that come with the package."""

from __future__ import annotations

import pytest

from pyrrf import datasets


@pytest.mark.parametrize(
    ("name", "shape", "missing"),
    [
        ("iris", (150, 5), 0),
        ("airquality", (153, 6), 44),
        ("mtcars", (32, 11), 0),
        ("swiss", (47, 6), 0),
        ("imports85", (205, 26), 59),
    ],
)
def test_shapes_and_missing_values(name: str, shape: tuple[int, int], missing: int) -> None:
    table = getattr(datasets, f"load_{name}")()
    assert (table.shape, int(table.isna().sum().sum())) == (shape, missing)


def test_each_call_gives_a_table_of_its_own() -> None:
    table = datasets.load_iris()
    table.loc[0, "Sepal.Length"] = 99.0
    assert datasets.load_iris().loc[0, "Sepal.Length"] == 5.1


def test_levels_keep_their_order() -> None:
    table = datasets.load_imports85()
    assert table["numOfCylinders"].cat.ordered
    assert table["fuelType"].cat.categories.tolist() == ["diesel", "gas"]
