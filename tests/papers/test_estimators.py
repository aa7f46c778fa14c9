"""What holds for all estimators of the papers' systems: scikit-learn's checks, threads, pickles, what is refused."""

from __future__ import annotations

import pickle
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from pyrrf.papers import (
    ChowLiuSelector,
    ComplexityForestClassifier,
    ForwardSelector,
    LESSClassifier,
    LESSRegressor,
    MaxDependencyClassifier,
    MaxDependencySelector,
    MIFSSelector,
    RBoostClassifier,
    RBoostSelector,
)
from tests.papers.oracles import mixed_table
from tests.refusals import refused
from tests.sklearn.drawn import expected_failures

X, Y = load_breast_cancer(return_X_y=True)
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)


# Tables of the checks are small: a rank of 1 is above half the rank of some.
@pytest.mark.filterwarnings("ignore:rank")
@parametrize_with_checks(
    [
        RBoostClassifier(5),
        RBoostClassifier(5, boosting="reweight", max_depth=2, max_features=None, criterion="gini"),
        RBoostSelector(5),
        LESSClassifier(1, 5),
        LESSClassifier(None, 5, scores="uniform", replace=True, max_features=None),
        LESSRegressor(1, 5, svd="randomized", max_features=0.8),
        ChowLiuSelector(TREE, cv=2, empty_score=-np.inf),
        ChowLiuSelector(),
        ForwardSelector(TREE, cv=2, epsilon=0.3, empty_score=-np.inf),
        MIFSSelector(random_state=0),
        MaxDependencyClassifier(),
        MaxDependencyClassifier(2, bins=3),
        MaxDependencySelector(),
        ComplexityForestClassifier(3),
        ComplexityForestClassifier(3, sampling="measured", n_measuring=3),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


# ---- one seed, one answer ------------------------------------------------------------------------


def answer(fit: Any) -> dict[str, str]:
    """A digest of each attribute of a fit, and of what it predicts."""
    found = {name: value for name, value in vars(fit).items() if name.endswith("_")}
    if hasattr(fit, "predict_proba"):
        found["chances"] = fit.predict_proba(X[::-1] + 0.1)
    return {name: joblib.hash(plain(value)) for name, value in found.items()}


def plain(value: Any) -> Any:
    """Without what joblib tells an array or a table from its copy by."""
    if isinstance(value, pd.DataFrame):
        return value.dtypes.astype(str).to_dict(), value.index.tolist(), value.to_dict("list")
    return value.tolist() if isinstance(value, np.ndarray) else value


FOLDS = StratifiedKFold(3, shuffle=True, random_state=1)
SEEDED = {
    "rboost": RBoostClassifier(10),
    "rboost, reweight": RBoostClassifier(10, boosting="reweight", max_depth=2),
    "less": LESSClassifier(2, 20),
    "less, randomized": LESSClassifier(2, 20, svd="randomized"),
    **{
        f"complexity, {sampling}, {threshold}": ComplexityForestClassifier(
            12, sampling=sampling, threshold=threshold, n_measuring=12, update_every=5
        )
        for sampling in ("parallel", "threshold", "cart", "measured", "uniform")
        for threshold in (None, "exact")
    },
}
UNSEEDED = {
    "chow-liu": ChowLiuSelector(DecisionTreeClassifier(random_state=1), cv=FOLDS, floating=True),
    "max-dependency": MaxDependencyClassifier(3),
}


@pytest.mark.parametrize("name", [*SEEDED, *UNSEEDED])
def test_one_seed_one_answer(name: str) -> None:
    estimator = SEEDED[name].set_params(random_state=3) if name in SEEDED else UNSEEDED[name]
    x, y = (X[::4, :6], Y[::4]) if name == "chow-liu" else (X, Y)
    fit = estimator.fit(x, y)
    expected = answer(fit)
    assert answer(pickle.loads(pickle.dumps(fit))) == expected
    for n_jobs in (2, 3, -1) if hasattr(estimator, "n_jobs") else ():
        with joblib.parallel_config("threading"):
            assert answer(estimator.set_params(n_jobs=n_jobs).fit(x, y)) == expected
    if name in SEEDED and "reweight" not in name:
        assert answer(estimator.set_params(random_state=4).fit(x, y)) != expected


# ---- tables and progress -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [
        RBoostClassifier(20, random_state=1),
        LESSClassifier(None, 20, scores="uniform", max_features=3, random_state=1),
        LESSClassifier(None, 20, scores=[1, 5, 5], max_features=3, random_state=1),
    ],
)
def test_missing_values_and_categories(estimator: Any) -> None:
    frame, y = mixed_table()
    assert (estimator.fit(frame, y).predict(frame) == y).all()


@pytest.mark.parametrize(
    ("selector", "classifier"),
    [
        (
            RBoostSelector(10, random_state=1, boosting="reweight", max_depth=2),
            RBoostClassifier(10, random_state=1, boosting="reweight", max_depth=2),
        ),
        (MaxDependencySelector(4), MaxDependencyClassifier(4)),
    ],
)
def test_selectors_keep_their_classifiers_features(selector: Any, classifier: Any) -> None:
    frame, y = load_breast_cancer(return_X_y=True, as_frame=True)
    kept = frame.columns[classifier.fit(frame, y).support_].tolist()
    assert selector.fit(frame, y).get_feature_names_out().tolist() == kept
    for name in {"support_", "selected_", "information_", "n_selected_path_"} & vars(selector).keys():
        np.testing.assert_array_equal(getattr(selector, name), getattr(classifier, name))
    assert selector.transform(frame).shape == (569, len(kept))
    assert selector.set_output(transform="pandas").transform(frame).columns.tolist() == kept


@pytest.mark.parametrize(
    ("estimator", "total"), [(RBoostClassifier(5), 5), (LESSClassifier(2, 5), 5), (MaxDependencyClassifier(3), 3)]
)
def test_progress_is_shown(estimator: Any, total: int, capsys: pytest.CaptureFixture[str]) -> None:
    estimator.set_params(verbose=1).fit(X, Y)
    assert f"/{total}" in capsys.readouterr().err


# ---- what is refused -----------------------------------------------------------------------------

REFUSED: dict[tuple[Any, ...], list[tuple[dict[str, Any], type[Exception], str, str]]] = {
    (RBoostClassifier(), RBoostSelector()): [
        ({"n_estimators": 0}, "n_estimators", "range"),
        ({"penalty": 0}, "penalty", "range"),
        ({"penalty": 1.5}, "penalty", "range"),
        ({"penalty": "strong"}, "penalty", "type"),
        ({"max_features": "square"}, "max_features", "range"),
        ({"criterion": "variance"}, "criterion", "choice"),
        ({"boosting": "real"}, "boosting", "choice"),
        ({"boosting": "reweight"}, "boosting", "conflict"),
        ({"max_depth": 0}, "max_depth", "range"),
        ({"max_draws": 0}, "max_draws", "range"),
        ({"n_jobs": 0}, "n_jobs", "range"),
    ],
    (LESSClassifier(2), LESSRegressor(2)): [
        ({"rank": 0}, "rank", "range"),
        ({"rank": 31}, "rank", "range"),
        ({"n_estimators": 0}, "n_estimators", "range"),
        ({"max_features": 31}, "max_features", "range"),
        ({"scores": [1] * 29 + [0], "max_features": None}, "max_features", "range"),
        ({"scores": "size"}, "scores", "choice"),
        ({"scores": [1, 2]}, "scores", "length"),
        ({"scores": [-1] + [1] * 29}, "scores", "range"),
        ({"scores": [0] * 30}, "scores", "range"),
        ({"scores": ["a"] * 30}, "scores", "type"),
        ({"replace": "no"}, "replace", "type"),
        ({"center": "no"}, "center", "type"),
        ({"svd": "thin"}, "svd", "choice"),
        ({"n_jobs": 0}, "n_jobs", "range"),
    ],
    (ChowLiuSelector(GaussianNB()),): [
        ({"bins": 0}, "bins", "range"),
        ({"epsilon": -0.1}, "epsilon", "range"),
        ({"epsilon": "no"}, "epsilon", "type"),
        ({"empty_score": "none"}, "empty_score", "choice"),
        ({"empty_score": None}, "empty_score", "choice"),
        ({"empty_score": True}, "empty_score", "choice"),
        ({"empty_score": np.nan}, "empty_score", "choice"),
        ({"cv": []}, "cv", "empty"),
        ({"floating": "yes"}, "floating", "type"),
        ({"correction": "none"}, "correction", "choice"),
        ({"estimator": GaussianNB}, "estimator", "type"),
        ({"estimator": LinearRegression()}, "scoring", "unsupported"),
    ],
    (ForwardSelector(GaussianNB()),): [({"estimator": wrong}, "estimator", "type") for wrong in (None, GaussianNB, 3)],
    (MIFSSelector(),): [
        ({"beta": "much"}, "beta", "type"),
        ({"n_probes": 0}, "n_probes", "range"),
        ({"probe": "cauchy"}, "probe", "choice"),
        ({"bins": 1.5}, "bins", "range"),
        ({"correction": "none"}, "correction", "choice"),
    ],
    (MaxDependencyClassifier(), MaxDependencySelector()): [
        ({"n_features": 0}, "n_features", "range"),
        ({"bins": 0}, "bins", "range"),
        ({"bins": "many"}, "bins", "type"),
        ({"min_information": np.nan}, "min_information", "range"),
    ],
    (ComplexityForestClassifier(2),): [
        ({"sampling": "even"}, "sampling", "choice"),
        ({"threshold": "upper"}, "threshold", "choice"),
        ({"confidence": 1.0}, "confidence", "range"),
        ({"level": 0}, "level", "range"),
        ({"unit": 0}, "unit", "range"),
        ({"constant": -0.1}, "constant", "range"),
        ({"update_every": 0}, "update_every", "range"),
        ({"n_measuring": 0}, "n_measuring", "range"),
        ({"max_depth": 0}, "max_depth", "range"),
        ({"evaluation_bootstrap": "no"}, "evaluation_bootstrap", "type"),
    ],
}
CASES = {
    f"{type(kind).__name__}-{'-'.join(f'{name}={value!r}'[:40] for name, value in wrong.items())}": (kind, *rest)
    for kinds, cases in REFUSED.items()
    for wrong, *rest in [(case[0], *case) for case in cases]
    for kind in kinds
}


@pytest.mark.parametrize(("estimator", "wrong", "argument", "code"), CASES.values(), ids=CASES)
def test_wrong_arguments(estimator: Any, wrong: dict[str, Any], argument: str, code: str) -> None:
    with refused(argument, code):
        type(estimator)(**(estimator.get_params(deep=False) | wrong)).fit(X[::9], Y[::9])


@pytest.mark.parametrize("y", [["a"] * 10, np.ones(10)])
@pytest.mark.parametrize("selector", [MIFSSelector(random_state=1), ForwardSelector(GaussianNB(), cv=2)])
def test_one_class_is_refused(selector: Any, y: Any) -> None:
    x = load_wine().data[:10]
    with refused("y", "constant"):
        selector.fit(x, y)
