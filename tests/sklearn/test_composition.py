"""Steps of pyrrf behind each other, on tables of numbers and words: what one hands on, the next one reads."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
)

N = 90
FEW: dict[str, Any] = {"n_estimators": 8, "random_state": 1}
SELECTORS = {
    "elimination": EliminationSelector(2, **FEW),
    "guided": GRRFSelector(gamma=0.2, guide=10, **FEW),
    "guided by folds": GRRFSelectorCV(gammas=2, cv=2, nested=False, guide=10, **FEW),
    "boruta": BorutaSelector(max_iter=8, n_estimators=20, random_state=1),
    "stability": StabilitySelector(GRRFSelector(10, **FEW), n_pairs=2, threshold=0.5, n_removals=0, random_state=1),
}
ESTIMATORS = {"forest": RRFClassifier(**FEW), "forest, r": RRFClassifier(engine="r", **FEW), **SELECTORS}
RNG = np.random.default_rng(1)
# "rare" has two rows of the first half, so that one of two folds is judged by a word that it has not seen.
WORDS = ["rare" if at in (3, 40) else str(word) for at, word in enumerate(RNG.choice(["red", "green", "blue"], N))]
PLAIN = pd.DataFrame(
    {
        "colour": pd.Categorical(WORDS),
        "size": RNG.random(N),
        "shape": RNG.choice(["round", "flat"], N).astype(object),
        "noise": RNG.random(N),
    }
)
Y = np.where((PLAIN["colour"] == "red") ^ (PLAIN["size"] > 0.8), "yes", "no")
NUMBERS = PLAIN["size"].to_numpy() + 2.0 * (PLAIN["colour"] == "red").to_numpy()
KINDS = ["pandas", "polars", "objects"]


def as_kind(kind: str) -> Any:
    """Return the table as one of a library, or as an array of objects."""
    if kind == "polars":
        return pytest.importorskip("polars").from_pandas(PLAIN)
    return PLAIN if kind == "pandas" else PLAIN.to_numpy(object)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        for text in (
            "column", "selected feature", "no subset predicts", "No features were", "with . features no threshold",
            "X has feature names", "X does not have valid feature names",
        ):  # fmt: skip
            warnings.filterwarnings("ignore", text)
        yield


def last(steps: Any) -> str:
    """Return the method that ends a fitted pipeline."""
    return "predict" if hasattr(steps, "predict") else "transform"


# Each selector before each estimator; over these, each of them with each kind of table.
CHAINS = [
    (selector, estimator, KINDS[(row + column) % len(KINDS)])
    for row, selector in enumerate(SELECTORS)
    for column, estimator in enumerate(ESTIMATORS)
]


@pytest.mark.parametrize(("selector", "estimator", "kind"), CHAINS)
def test_a_selector_before_an_estimator(selector: str, estimator: str, kind: str) -> None:
    """The array that a selector hands on is read as the table from which it comes."""
    x, steps = as_kind(kind), make_pipeline(clone(SELECTORS[selector]), clone(ESTIMATORS[estimator]))
    tables = clone(steps)
    tables[0].set_output(transform="pandas")
    found, expected = steps.fit(x, Y), tables.fit(x, Y)
    assert found[0].support_.tolist() == expected[0].support_.tolist()
    assert found[1].support_.tolist() == expected[1].support_.tolist()
    np.testing.assert_array_equal(getattr(found, last(found))(x), getattr(expected, last(expected))(x))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("selector", SELECTORS)
def test_folds_and_their_unseen_words(selector: str, kind: str) -> None:
    steps = make_pipeline(clone(SELECTORS[selector]), RRFClassifier(**FEW))
    assert np.isfinite(cross_val_score(steps, as_kind(kind), Y, cv=2, error_score="raise")).all()


def test_folds_of_a_regression() -> None:
    for kind in KINDS:
        steps = make_pipeline(EliminationSelector(3, task="regression", **FEW), RRFRegressor(**FEW))
        assert cross_val_score(steps, as_kind(kind), NUMBERS, cv=3, error_score="raise").min() > 0.5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("selector", SELECTORS)
def test_a_search_over_both_steps(selector: str, kind: str) -> None:
    steps = Pipeline([("select", clone(SELECTORS[selector])), ("forest", RRFClassifier(**FEW))])
    search = GridSearchCV(steps, {"forest__coef_reg": [0.5, 1.0]}, cv=2, error_score="raise").fit(as_kind(kind), Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert len(search.predict(as_kind(kind))) == N


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("selector", SELECTORS)
def test_columns_that_go_different_ways(selector: str, kind: str) -> None:
    """A selector among the transformers of some columns, and behind all of them."""
    named = kind != "objects"
    scaled, rest = (["size", "noise"], ["colour", "shape"]) if named else ([1, 3], [0, 2])
    parts = ColumnTransformer([("scale", StandardScaler(), scaled), ("rest", "passthrough", rest)])
    behind = make_pipeline(parts, clone(SELECTORS[selector]), RRFClassifier(**FEW))
    assert behind.fit(as_kind(kind), Y).score(as_kind(kind), Y) > 0.6
    among = ColumnTransformer([("select", clone(SELECTORS[selector]), [*rest, scaled[0]])], remainder="passthrough")
    assert make_pipeline(among, RRFClassifier(**FEW)).fit(as_kind(kind), Y).score(as_kind(kind), Y) > 0.6


# ---- arrays ----------------------------------------------------------------------------------------


def test_words_of_an_array_are_those_of_a_table() -> None:
    array, table = PLAIN.to_numpy(object), PLAIN.astype({"colour": object})
    by_array, by_table = (RRFClassifier(**FEW).fit(x, Y) for x in (array, table))
    np.testing.assert_array_equal(by_array.predict_proba(array), by_table.predict_proba(table))
    np.testing.assert_array_equal(by_array.predict_proba(array.tolist()), by_table.predict_proba(table))
    np.testing.assert_array_equal(by_array.predict_proba(PLAIN), by_table.predict_proba(PLAIN))
    np.testing.assert_array_equal(by_table.predict_proba(array), by_table.predict_proba(table))
    assert RRFClassifier(**FEW).fit(array.tolist(), Y).result_ == by_array.result_


def test_numbers_in_an_array_of_text_are_numbers() -> None:
    text = PLAIN[["size", "shape"]].to_numpy(object).astype(str)
    for columns in (["size", "shape"], ["size"]):
        by_text, by_value = text[:, : len(columns)], PLAIN[columns].to_numpy(object)
        assert RRFClassifier(**FEW).fit(by_text, Y).result_ == RRFClassifier(**FEW).fit(by_value, Y).result_


@pytest.mark.parametrize("estimator", [RRFClassifier(**FEW), *SELECTORS.values()], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize(
    "column", [[f"n{at}" for at in range(N)], [1, "a"] * (N // 2), ["2024-05-31", "2024-06-30"] * (N // 2)],
    ids=["names of rows", "mixed", "dates"],
)  # fmt: skip
def test_what_is_refused_names_the_remedy(estimator: Any, column: list[Any]) -> None:
    """As a category of a table each of them is read; the array that a selector hands on has lost the type."""
    array = PLAIN.assign(noise=pd.Series(column, dtype=object)).to_numpy(object)
    with pytest.raises((TypeError, ValueError), match=r"column 3 of X .*set_output\(transform='pandas'\)"):
        clone(estimator).fit(array, Y)
