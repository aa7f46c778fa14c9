"""Columns that name or count the rows are told of, and others are not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.pipeline import make_pipeline

from pyrrf.data.columns import warn_before_parts
from pyrrf.data.identifiers import check_wide_factors, warn_identifiers
from pyrrf.data.predictors import Predictors, read_predictors
from pyrrf.sklearn import EliminationSelector, GRRFSelector, GRRFSelectorCV, RRFClassifier, StabilitySelector

CHANCE = np.random.default_rng(1)
PLAIN = pd.DataFrame({"a": CHANCE.standard_normal(60), "b": CHANCE.integers(0, 9, 60)})


def read(x: Any) -> Predictors:
    return read_predictors(x, "X", parallel=True)


@pytest.mark.parametrize("numbers", [np.arange(60), np.arange(5, 65)[::-1], CHANCE.permutation(110)[:60]])
def test_whole_numbers_that_count_rows(numbers: np.ndarray) -> None:
    for kind in (int, float):
        with pytest.warns(UserWarning, match=r"column\(s\) 'row' of X look like row"):
            warn_identifiers(read(PLAIN.assign(row=numbers.astype(kind))), "X")


@pytest.mark.parametrize(
    ("values", "what"), [(60, "it identifies rows"), (46, "it identifies rows"), (31, "few rows share one")]
)
def test_categories_that_name_rows(values: int, what: str) -> None:
    names = pd.Categorical([f"n{at % values}" for at in range(60)])
    table = read(PLAIN.assign(name=names))
    message = f"column 'name' of X has {values} categories in 60 rows: {what}.* drop it"
    tells, silent = (check_wide_factors, warn_identifiers)[:: 1 if values > 32 else -1]
    silent(table, "X")
    with pytest.warns(UserWarning, match=message):
        tells(table, "X")


@pytest.mark.parametrize(
    "x",
    [
        PLAIN,
        PLAIN.to_numpy(),
        pd.DataFrame(np.arange(120).reshape(60, 2)),  # ranks
        PLAIN.assign(row=np.arange(60) // 2),
        PLAIN.assign(row=np.arange(60) * 1000),  # amounts
        PLAIN.assign(row=np.arange(60) + 0.5),
        PLAIN.assign(row=np.where(np.arange(60) == 30, np.nan, np.arange(60))),
        PLAIN.head(19).assign(row=np.arange(19)),
        PLAIN.assign(name=pd.Categorical([f"n{at % 30}" for at in range(60)])),
        # Categories that no row has are none.
        PLAIN.assign(name=pd.Categorical(["u", "v"] * 30, [*"uv", *map(str, range(60))])),
        np.arange(60.0)[:, np.newaxis],
    ],
)
def test_others_are_not_told_of(x: Any) -> None:
    table = read(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_identifiers(table, "X")


def test_the_selector_tells_of_them() -> None:
    y = PLAIN["a"] > 0
    with pytest.warns(UserWarning, match="'row' of X look like row numbers"):
        EliminationSelector(1, n_estimators=5, random_state=1).fit(PLAIN.assign(row=np.arange(60)), y)
    names = pd.Categorical([f"n{at}" for at in range(60)])
    with pytest.warns(UserWarning, match="'name' of X has 60 categories in 60") as caught:
        EliminationSelector(1, n_estimators=5, random_state=1).fit(PLAIN.assign(name=names), y)
    assert len(caught) == 1


def test_a_factor_of_many_levels_with_several_rows_each() -> None:
    table = read(PLAIN.assign(name=pd.Categorical([f"n{at % 30}" for at in range(60)])))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_wide_factors(table, "X")
    rows = pd.DataFrame({"name": pd.Categorical([f"n{at % 40}" for at in range(90)])})
    with pytest.warns(UserWarning, match="has 40 categories in 90 rows, fewer than"):
        check_wide_factors(read(rows), "X")


FEW: dict[str, Any] = {"n_estimators": 5, "random_state": 1}


@pytest.mark.filterwarnings(
    "ignore:selected feature.* have a negative credit", "ignore:no subset predicts y significantly better"
)
@pytest.mark.parametrize(
    "selector",
    [
        EliminationSelector(cv=2, nested=True, n_jobs=2, **FEW),
        EliminationSelector(cv=2, judge=RRFClassifier(5, random_state=1), **FEW),
        GRRFSelector(RRFClassifier(5, coef_reg=None, random_state=1), **FEW),
        GRRFSelectorCV(gammas=2, cv=2, **FEW),
        StabilitySelector(GRRFSelector(gamma=0.0, **FEW), n_pairs=2, threshold=0.5, n_jobs=2),
        StabilitySelector(make_pipeline(GRRFSelector(gamma=0.0, **FEW)), n_pairs=2, threshold=0.5),
        StabilitySelector(SelectKBest(k=1), n_pairs=2),
    ],
)
def test_each_column_is_told_of_once(selector: Any) -> None:
    """Parts of the rows, which judge or select on their own, have fewer rows for each category."""
    n, chance = 160, np.random.default_rng(2)
    x = pd.DataFrame({"a": chance.standard_normal(n), "row": np.arange(n)})
    y = (x["a"] > 0).to_numpy()
    if not isinstance(getattr(selector, "selector", None), SelectKBest):
        x["place"] = pd.Categorical([f"n{at % 60}" for at in range(n)])
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", "column")
        selector.fit(x, y)
    told = sorted(str(one.message).split(" of X")[0] for one in caught)
    assert told == ["column 'place'"] * ("place" in x) + ["column(s) 'row'"]


def test_what_a_selector_may_do_without_is_not_refused() -> None:
    """A pipeline may drop the column."""
    warn_before_parts(PLAIN.assign(big=np.inf))
