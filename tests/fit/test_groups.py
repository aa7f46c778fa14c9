"""Features that are paid together: two sensors, each with two columns, in trees that are worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.result.record import equal_parts
from tests.parallel.problems import data
from tests.refusals import refused

ENGINES = ("r", "parallel")
NAMES = ["a0", "a1", "b0", "b1"]
SENSORS = ["a", "a", "b", "b"]
CLASSES = np.repeat(["low", "high"], [12, 4])
NUMBERS = (CLASSES == "high") * 1.0


def table() -> pd.DataFrame:
    """Column a0 finds eight rows of class low. In the other eight, b0 parts the classes and a1 takes one row for the
    other class. Column b1 holds nothing."""
    columns = np.ones((16, 4))
    columns[:8, 0] = 0
    columns[8:11, 1] = 0
    columns[8:12, 2] = 0
    return pd.DataFrame(columns, columns=NAMES)


def fit(y: Any = CLASSES, **arguments: Any) -> Any:
    """A tree on all rows with two splits at most."""
    one = {"replace": False, "sampsize": 16, "mtry": 4, "ntree": 1, "maxnodes": 3, "seed": 1}
    return pyrrf.RRF(table(), y, **(one | arguments))


def splits(result: Any) -> list[str]:
    """The features of the tree, from the root on."""
    numbers = pyrrf.getTree(result, 1)["split var"].astype(int)
    return [NAMES[number - 1] for number in numbers if number]


# Squares of the classes over the rows. Root: a0 64 / 8 + 32 / 8 = 12, b0 4 + 80 / 12 = 10.7, a1 10.5. Then b0 4 + 4 = 8
# and a1 9 / 3 + 17 / 5 = 6.4, which is more than 0.75 * 8 and less than 0.85 * 8.
@pytest.mark.parametrize(
    ("coefficient", "groups", "expected", "selected"),
    [
        (0.75, None, ["a0", "b0"], ["a0", "b0"]),
        (0.75, SENSORS, ["a0", "a1"], ["a0", "a1"]),
        (0.85, None, ["a0", "b0"], ["a0", "b0"]),
        (0.85, SENSORS, ["a0", "b0"], NAMES),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_the_second_column_of_a_sensor_is_free(
    engine: str, coefficient: float, groups: Any, expected: list[str], selected: list[str]
) -> None:
    result = fit(engine=engine, coefReg=coefficient, feature_groups=groups)
    assert splits(result) == expected
    assert result.feature_names == selected
    assert pyrrf.varUsed(result, count=False)[:2].ravel().tolist() == [NAMES.index(name) for name in expected]


# Of gains the root has 2, 0.7 and 0.5; then 4 and 2.4.
@pytest.mark.parametrize(("coefficient", "second"), [(0.5, "a1"), (0.7, "b0")])
def test_gains(coefficient: float, second: str) -> None:
    result = fit(engine="parallel", penalty="gain", coefReg=coefficient, feature_groups=SENSORS)
    assert splits(result) == ["a0", second]


# The sum of squares falls by 16 / 8 - 1 = 1 or 16 / 12 - 1 = 0.3 at the root; then by 4 - 2 = 2 or 16 / 5 - 2 = 1.2.
@pytest.mark.filterwarnings("ignore:y holds five or fewer")
@pytest.mark.parametrize(("coefficient", "second"), [(0.5, "a1"), (0.7, "b0")])
@pytest.mark.parametrize("engine", ENGINES)
def test_numbers(engine: str, coefficient: float, second: str) -> None:
    assert splits(fit(NUMBERS, engine=engine, coefReg=coefficient, feature_groups=SENSORS)) == ["a0", second]
    assert splits(fit(NUMBERS, engine=engine, coefReg=coefficient)) == ["a0", "b0"]


# b1 splits nothing, but brings b0 in, which is worth 10.7 at the root: more than 12 * 0.85, and less than 12 * 0.9.
@pytest.mark.parametrize(("coefficient", "root"), [(0.85, "b0"), (0.9, "a0")])
@pytest.mark.parametrize("engine", ENGINES)
def test_initial_features_bring_their_group(engine: str, coefficient: float, root: str) -> None:
    wanted = {"coefReg": coefficient, "feaIni": [3], "maxnodes": 2, "engine": engine}
    assert splits(fit(feature_groups=SENSORS, **wanted)) == [root]
    assert splits(fit(**wanted)) == ["a0"]
    assert set(fit(feature_groups=SENSORS, **wanted).feature_names) >= {"b0", "b1"}


@pytest.mark.filterwarnings("ignore:y holds five or fewer", "ignore:feaIni has no effect in regression, as in R")
@pytest.mark.parametrize(("quirks", "root"), [(True, "a0"), (False, "b0")])
def test_initial_features_of_numbers_count_as_intended_only(quirks: bool, root: str) -> None:
    result = fit(NUMBERS, coefReg=0.2, feaIni=[3], maxnodes=2, quirks=quirks, feature_groups=SENSORS)
    assert splits(result) == [root]


@pytest.mark.parametrize(
    "groups",
    [
        ["x", None, "y", "x", float("nan")],
        np.array([["x"], [None], ["y"], ["x"], [np.nan]], dtype=object),
        {"a": 7, "d": 7, "c": 8},
        pd.Series(["p", "p"], ["d", "a"]),
        pd.Series(["x", pd.NA, "y", "x", pd.NA]),
        pd.Categorical(["x", None, "y", "x", None]),
    ],
    ids=["list", "column", "dict", "series", "series without names", "categories"],
)
def test_labels_by_position_or_by_name(x: np.ndarray, y: np.ndarray, sent: dict[str, Any], groups: Any) -> None:
    pyrrf.RRF(pd.DataFrame(x, columns=list("abcde")), y, ntree=2, feature_groups=groups)
    assert sent["feature_group"].tolist() == [0, 1, 2, 0, 4]


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("engine", ENGINES)
def test_groups_of_one_change_nothing(engine: str, kind: str) -> None:
    x, y = data(kind, n=150, p=12)
    free = pyrrf.RRF(x, y, ntree=20, seed=3, engine=engine)
    for n_jobs in (1, 2, 3):
        alone = pyrrf.RRF(x, y, ntree=20, seed=3, engine=engine, n_jobs=n_jobs, feature_groups=list("abcdefghijkl"))
        assert equal_parts(alone.outcome, free.outcome)
        for tree in range(1, 21):
            pd.testing.assert_frame_equal(pyrrf.getTree(alone, tree), pyrrf.getTree(free, tree))


@pytest.mark.parametrize("candidates", ["selected", "mtry"])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_threads_make_no_difference(kind: str, candidates: str) -> None:
    x, y = data(kind, n=150, p=30)
    groups = np.arange(30) % 10
    wanted = {"ntree": 40, "seed": 3, "engine": "parallel", "candidates": candidates, "feature_groups": groups}
    one, *many = (pyrrf.RRF(x, y, coefReg=0.3, n_jobs=n_jobs, **wanted) for n_jobs in (1, 2, 4))
    assert all(other == one for other in many)
    assert 0 < len(one.feaSet) < 30
    assert len(one.feaSet) == 3 * len(set(groups[one.feaSet])), "a group is whole or out"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_guided_forest_has_groups_and_its_guide_has_none(engine: str) -> None:
    x, y = data("classes", p=12)
    groups = np.arange(12) // 3
    fit, free = (
        pyrrf.GRRF(x, y, gamma=0.9, ntree=10, seed=2, engine=engine, feature_groups=given) for given in (groups, None)
    )
    assert fit.ordinary == free.ordinary
    assert len(fit.feaSet) == 3 * len(set(groups[fit.feaSet]))
    assert fit != free


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "too few": ({"feature_groups": ["a"]}, "feature_groups", "length"),
    "one label": ({"feature_groups": "a"}, "feature_groups", "length"),
    "no column": ({"feature_groups": {"b2": "b"}}, "feature_groups", "unknown"),
    "twice": ({"feature_groups": pd.Series([1, 2], ["a0", "a0"])}, "feature_groups", "duplicate"),
    "lists": ({"feature_groups": {"a0": ["x", "y"]}}, "feature_groups", "type"),
    "ordinary forest": ({"feature_groups": SENSORS, "flagReg": 0}, "feature_groups", "conflict"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, engine: str) -> None:
    arguments, argument, code = REFUSED[name]
    with refused(argument, code):
        fit(engine=engine, **arguments)
