"""Sparse matrices in the estimators: the answers of the dense matrix, bit by bit, and no dense matrix is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from pyrrf.sklearn import (
    GRRFSelector,
    GRRFSelectorCV,
    RRFClassifier,
    RRFRegressor,
    StabilitySelector,
    grrf_path,
)
from tests.estimators import ESTIMATORS
from tests.refusals import refused
from tests.sklearn.backends import at_work

FORMATS = ["csr_array", "csc_array", "coo_array", "csr_matrix", "csc_matrix", "lil_array"]
FEW: dict[str, Any] = {"n_estimators": 15, "random_state": 5}
SMALL: dict[str, Any] = {"guide": 15, **FEW}


def counts(seed: int = 1, n: int = 90, p: int = 40) -> np.ndarray:
    """Counts, most of them 0; the last column is empty."""
    draw = np.random.default_rng(seed)
    x = np.where(draw.random((n, p)) < 0.2, draw.integers(1, 6, (n, p)), 0).astype(np.float64)
    x[:, -1] = 0
    return x


X = counts()
SIGNAL = X[:, 0] + X[:, 1] - X[:, 2] + 0.4 * np.random.default_rng(2).standard_normal(len(X))
CLASSES = np.where(SIGNAL > 0.3, "high", "low")
SPARSE = scipy.sparse.csr_array(X)


@pytest.fixture
def never_dense(monkeypatch: pytest.MonkeyPatch) -> None:
    """No format can be made dense."""
    for name in FORMATS:
        for method in ("toarray", "todense"):
            monkeypatch.setattr(getattr(scipy.sparse, name), method, None)


# ---- forests -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("never_dense")
@pytest.mark.parametrize("made", FORMATS)
@pytest.mark.parametrize(
    ("forest", "y"),
    [
        (RRFClassifier(10, random_state=3), CLASSES),
        (RRFClassifier(10, random_state=3, engine="r"), CLASSES),
        (RRFRegressor(10, random_state=3), SIGNAL),
    ],
    ids=["classes", "classes, r", "numbers"],
)
def test_the_forest_of_the_dense_matrix(forest: Any, y: np.ndarray, made: str) -> None:
    sparse = getattr(scipy.sparse, made)(X)
    expected, found = clone(forest).fit(X, y), clone(forest).fit(sparse, y)
    assert found.result_ == expected.result_
    new = counts(seed=9, n=30)
    np.testing.assert_array_equal(found.predict(getattr(scipy.sparse, made)(new)), expected.predict(new))
    if hasattr(forest, "classes_"):
        np.testing.assert_array_equal(found.predict_proba(scipy.sparse.csr_array(new)), expected.predict_proba(new))


def test_missing_and_weighted() -> None:
    holes = np.where(np.random.default_rng(3).random(X.shape) < 0.05, np.nan, X)
    weight = np.linspace(0, 2, len(X))
    found = RRFClassifier(10, random_state=3).fit(scipy.sparse.csc_array(holes), CLASSES, weight)
    assert found.result_ == RRFClassifier(10, random_state=3).fit(holes, CLASSES, weight).result_
    with refused("X", "missing"):
        RRFClassifier(10, engine="r").fit(scipy.sparse.csc_array(holes), CLASSES)


# ---- selectors -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("never_dense")
@pytest.mark.parametrize(("engine", "y"), [("parallel", CLASSES), ("r", CLASSES), ("parallel", SIGNAL)])
def test_selector_and_path(engine: str, y: np.ndarray) -> None:
    forest = (RRFRegressor if y is SIGNAL else RRFClassifier)(engine=engine)
    selector = GRRFSelector(gamma=0.9, forest=forest, **SMALL)
    expected, found = clone(selector).fit(X, y), clone(selector).fit(SPARSE, y)
    assert found.result_ == expected.result_
    np.testing.assert_array_equal(found.guide_importances_, expected.guide_importances_)
    kept = found.transform(SPARSE)
    assert isinstance(kept, scipy.sparse.csr_array)
    assert (abs(kept - scipy.sparse.csr_array(X[:, expected.support_])) > 0).nnz == 0
    path = grrf_path(SPARSE, y, gammas=3, forest=forest, **SMALL)
    assert path.fits == grrf_path(X, y, gammas=3, forest=forest, **SMALL).fits


@pytest.mark.usefixtures("never_dense")
@pytest.mark.parametrize("judge", [None, ExtraTreesClassifier(5, random_state=1)], ids=["forest", "trees"])
def test_gamma_chosen(judge: Any) -> None:
    options: dict[str, Any] = {"gammas": [0.1, 0.9], "cv": 2, "judge": judge, **SMALL}
    expected, found = (GRRFSelectorCV(**options).fit(x, CLASSES) for x in (X, scipy.sparse.coo_array(X)))
    assert found.result_ == expected.result_
    np.testing.assert_array_equal(found.nested_scores_, expected.nested_scores_)
    for name in ("split0_test_score", "split1_test_score", "n_features"):
        np.testing.assert_array_equal(found.cv_results_[name], expected.cv_results_[name])
    np.testing.assert_array_equal(
        found.judge_.predict(found.transform(SPARSE)), expected.judge_.predict(X[:, expected.support_])
    )


@pytest.mark.usefixtures("never_dense")
def test_a_guide_gets_the_sparse_matrix() -> None:
    trees = ExtraTreesClassifier(10, random_state=1)
    expected = GRRFSelector(trees, **FEW).fit(X, CLASSES)
    assert GRRFSelector(trees, **FEW).fit(SPARSE, CLASSES).result_ == expected.result_
    by_count = GRRFSelector(lambda x, y: np.asarray(x.sum(axis=0)), **FEW)
    assert by_count.fit(SPARSE, CLASSES).result_ == clone(by_count).fit(X, CLASSES).result_


def test_stable_subsets() -> None:
    few = GRRFSelector(gamma=0.9, guide=10, n_estimators=5)
    expected, found = (
        StabilitySelector(few, n_pairs=5, threshold=0.5, n_removals=2, random_state=1).fit(x, CLASSES)
        for x in (X, SPARSE)
    )
    assert expected.n_features_
    np.testing.assert_array_equal(found.selection_frequencies_, expected.selection_frequencies_)
    pd.testing.assert_frame_equal(found.substitutes_, expected.substitutes_)
    assert scipy.sparse.issparse(found.transform(SPARSE))


@pytest.mark.parametrize("backend", ["threading", "pickles"])
def test_backends_agree(backend: str) -> None:
    options: dict[str, Any] = {"gammas": [0.1, 0.9], "cv": 2, "nested": False, **SMALL}
    alone = GRRFSelectorCV(**options).fit(SPARSE, CLASSES)
    with at_work(backend):
        other = GRRFSelectorCV(**options).fit(SPARSE, CLASSES)
    assert other.result_ == alone.result_
    np.testing.assert_array_equal(other.cv_results_["split1_test_score"], alone.cv_results_["split1_test_score"])


def test_words_in_a_pipeline() -> None:
    draw = np.random.default_rng(4)
    topics = np.resize(["ships", "trees", "bread"], 90)
    tellers = {"ships": "harbour", "trees": "leaf", "bread": "flour"}
    texts = [" ".join([tellers[topic], *(f"word{at}" for at in draw.integers(0, 500, 20))]) for topic in topics]
    selector = GRRFSelector(forest=RRFClassifier(max_features=100), **SMALL)
    steps = make_pipeline(CountVectorizer(), selector, LogisticRegression())
    search = GridSearchCV(steps, {"grrfselector__gamma": [0.5, 1.0]}, cv=3).fit(texts, topics)
    assert search.best_score_ > 0.9
    words = search.best_estimator_[:-1].get_feature_names_out()
    assert {*tellers.values()} & {*words}
    assert len(words) < 10


# ---- who takes them, and who refuses -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimator", "takes"),
    [
        (RRFClassifier(engine="r"), True),
        (RRFRegressor(), True),
        (RRFRegressor(engine="r"), False),
        (GRRFSelectorCV(), True),
        (StabilitySelector(GRRFSelector()), True),
        (StabilitySelector(ESTIMATORS["MIFSSelector"]()), False),
    ],
    ids=str,
)
def test_tags(estimator: Any, takes: bool) -> None:
    assert get_tags(estimator).input_tags.sparse == takes


@pytest.mark.parametrize(
    "estimator",
    [
        RRFRegressor(2, engine="r", candidates="mtry"),
        GRRFSelector(forest=RRFRegressor(engine="r", candidates="mtry"), **SMALL),
        GRRFSelectorCV(forest=RRFRegressor(engine="r", candidates="mtry"), gammas=2, cv=2, **SMALL),
    ],
    ids=["forest", "selector", "chosen"],
)
def test_numbers_with_engine_r(estimator: Any) -> None:
    with refused("x", "unsupported"):
        estimator.fit(SPARSE, SIGNAL)


def test_columns_of_categories_are_refused() -> None:
    with refused("categorical_features", "unsupported"):
        RRFClassifier(2, categorical_features=[0]).fit(SPARSE, CLASSES)
    assert RRFClassifier(2, categorical_features=None, random_state=1).fit(SPARSE, CLASSES).n_features_


READS_SPARSE = (
    "EliminationSelector", "GRRFSelector", "GRRFSelectorCV", "RRFClassifier", "RRFRegressor", "StabilitySelector",
)  # fmt: skip
SYSTEMS = [name for name in ESTIMATORS if name not in READS_SPARSE]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_systems_of_the_papers_refuse_them(name: str) -> None:
    kind = ESTIMATORS[name]
    needed = {"LESSClassifier": 3, "LESSRegressor": 3, "ForwardSelector": LogisticRegression()}
    system = kind(*[needed[name]] if name in needed else [])
    y = SIGNAL if name.endswith("Regressor") else CLASSES
    with pytest.raises(TypeError, match=r"[Ss]parse.*toarray\(\)"):
        system.fit(SPARSE, y)
