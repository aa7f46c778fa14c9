"""Random tables of polars: selectors hand on the columns kept as they came, and refuse what they do not read."""

from __future__ import annotations

import datetime
import os
import warnings
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from pyrrf.papers import (
    ChowLiuSelector,
    ComplexityForestClassifier,
    MaxDependencySelector,
    MIFSSelector,
    RBoostSelector,
)
from pyrrf.sklearn import (
    BorutaSelector,
    EliminationSelector,
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    StabilitySelector,
)
from tests.refusals import refused

pl = pytest.importorskip("polars")
# A number in the environment draws others.
SEEDS = [int(os.environ.get("DRAWN_SEED", "0")) * 1000 + at for at in (1, 2)]
N = 60
Y = np.resize(["a", "b", "b"], N)
WORDS = ["z", "m", "a", "é"]
DAY = datetime.date(2024, 5, 31)
READ: dict[str, Any] = {
    **{name: lambda rng, name=name: pl.Series(rng.integers(0, 9, N), dtype=getattr(pl, name))
       for name in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64")},
    "Float": lambda rng: pl.Series(rng.standard_normal(N)),
    "Boolean": lambda rng: pl.Series(rng.random(N) > 0.5),
    "String": lambda rng: pl.Series(rng.choice(WORDS, N)),
    "Categorical": lambda rng: pl.Series(rng.choice(WORDS, N), dtype=pl.Categorical),
    "Enum": lambda rng: pl.Series(rng.choice(WORDS[:3], N), dtype=pl.Enum(rng.permutation(WORDS).tolist())),
    "Decimal": lambda rng: pl.Series(
        [Decimal(int(one)) / 100 for one in rng.integers(0, 999, N)], dtype=pl.Decimal(int(rng.integers(6, 30)), 2)
    ),
}  # fmt: skip
REFUSED: dict[str, Any] = {
    "Date": [DAY, DAY + datetime.timedelta(1)],
    "Datetime": [datetime.datetime(2024, 5, 31), datetime.datetime(2024, 6, 1)],
    "Duration": [datetime.timedelta(1), datetime.timedelta(2)],
    "Time": [datetime.time(1), datetime.time(2)],
    "List": [[1, 2], [3]],
    "Struct": [{"a": 1}, {"a": 2}],
    "Binary": [b"a", b"b"],
    "Array": pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int64, 2)),
    "text of dates": ["2024-05-31", "2024-06-01"],
}


def column(rng: np.random.Generator) -> Any:
    """A column of a type that is read, with missing values in half of them."""
    found = READ[str(rng.choice(list(READ)))](rng)
    if rng.random() < 0.5:
        found = pl.select(pl.when(pl.Series(rng.random(N) < 0.1)).then(None).otherwise(found)).to_series()
    return found


def table(rng: np.random.Generator) -> Any:
    columns = {f"x{at}": column(rng) for at in range(int(rng.integers(2, 8)))}
    return pl.DataFrame({"tells": pl.Series(np.where(Y == "a", 0.0, 1.0) + 0.9 * rng.random(N)), **columns})


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"column\(s\) .* of X hold words")
        yield


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_go_on_as_they_came(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(20):
        X = table(rng)
        selector = GRRFSelector(n_estimators=2, guide=2, random_state=1).set_output(transform="polars")
        selector.fit(X, Y).support_ = rng.permutation(X.width) < rng.integers(1, X.width + 1)
        kept = X.select(selector.get_feature_names_out().tolist())
        found = selector.transform(X)
        assert found.schema == kept.schema
        assert found.equals(kept)
        # Tables of other libraries keep the order of categories, too.
        for other in (X.to_pandas(), X.to_arrow()):
            found = selector.transform(other)
            ordered = [name for name, dtype in kept.schema.items() if isinstance(dtype, pl.Enum)]
            assert found.select(ordered).equals(kept.select(ordered))


SELECTORS: list[Any] = [
    GRRFSelector(n_estimators=3, guide=3, random_state=1),
    GRRFSelectorCV(n_estimators=3, guide=3, cv=2, gammas=2, nested=False, random_state=1),
    EliminationSelector(2, n_estimators=3, random_state=1),
    BorutaSelector(n_estimators=20, max_iter=15, random_state=1),
    StabilitySelector(GRRFSelector(n_estimators=3), n_pairs=2, threshold=0.5, n_removals=0, random_state=1),
    RBoostSelector(2, random_state=1),
    MaxDependencySelector(2),
    MIFSSelector(random_state=1),
    ChowLiuSelector(),
    ComplexityForestClassifier(2, random_state=1),
]


@pytest.mark.filterwarnings("ignore:selected feature")
@pytest.mark.parametrize("selector", SELECTORS, ids=lambda one: type(one).__name__)
def test_each_selector_does_so(selector: Any) -> None:
    X = table(np.random.default_rng(3))
    fitted = selector.set_output(transform="polars").fit(X, Y)
    assert fitted.n_features_
    assert fitted.transform(X).equals(X.select(fitted.get_feature_names_out().tolist()))


def test_the_forest_behind_a_selector_is_that_of_the_same_columns() -> None:
    rng = np.random.default_rng(5)
    level = np.where(Y == "a", rng.choice([0, 3], N), rng.choice([1, 2], N))
    X = pl.DataFrame({"level": pl.Series(np.array(WORDS)[level], dtype=pl.Enum(WORDS)), "noise": rng.random(N)})
    forest = RRFClassifier(9, random_state=1)
    selector = GRRFSelector({"level": 1.0}, n_estimators=9, random_state=1).set_output(transform="polars")
    piped = make_pipeline(selector, forest).fit(X, Y)
    assert selector.get_feature_names_out().tolist() == ["level"]
    assert (
        piped.predict_proba(X) == RRFClassifier(9, random_state=1).fit(X[["level"]], Y).predict_proba(X[["level"]])
    ).all()


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("selector", SELECTORS[:5], ids=lambda one: type(one).__name__)
def test_other_types_are_refused(selector: Any, kind: str) -> None:
    values = pl.Series(REFUSED[kind])
    X = pl.DataFrame({"size": np.arange(N) % 7.0, "odd": values[[0, 1] * (N // 2)]})
    with pytest.raises(TypeError, match="column 'odd' of X"):
        selector.fit(X, Y)


def test_categories_that_polars_does_not_have_are_refused() -> None:
    X = pd.DataFrame({"code": pd.Categorical(np.where(Y == "a", 1, 2)), "noise": np.arange(N) % 7.0})
    selector = GRRFSelector({"code": 1.0}, n_estimators=3, random_state=1).set_output(transform="polars").fit(X, Y)
    with refused("X", "type"):
        selector.transform(X)
    assert selector.set_output(transform="pandas").transform(X)["code"].equals(X["code"])


def test_trees_of_scikit_learn_get_numbers() -> None:
    X = pl.DataFrame({"tells": np.where(Y == "a", 0, 1), "noise": np.arange(N) % 7})
    steps = make_pipeline(GRRFSelector(n_estimators=3, random_state=1).set_output(transform="polars"),
                          DecisionTreeClassifier())  # fmt: skip
    assert (steps.fit(X, Y).predict(X) == Y).all()
