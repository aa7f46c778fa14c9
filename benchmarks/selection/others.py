"""Methods of other packages. Each imports its package when it is called."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.selection.cases import Part
from benchmarks.selection.kept import Clock, Kept

ROUNDS = 100  # of boosting
TREES = 500
CATBOOST = {"iterations": 30, "depth": 4}
RFE_TREES = 100
RFECV_TREES = 50
RFE_STEP = 0.1  # of all features, dropped at a time
FOLDS = 5
BORUTA = {"n_estimators": 100, "max_iter": 50}
BORUTA_DEPTH = 5


def forest(part: Part, trees: int, **options: Any) -> Any:
    """Return a forest of scikit-learn."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if part.numeric else RandomForestClassifier
    return kind(trees, n_jobs=1, **options)


def everything(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """All features."""
    for setting in settings:
        yield setting, Kept(np.arange(part.x.shape[1]), 0.0)


def lightgbm_cegb(part: Part, shares: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """LightGBM with a price for the first use of each feature, given as a share of the number of training rows.

    The price is in units of the loss, which grows with the rows; numbers are divided by their deviation. Leaves may be
    small where rows are few: with the default of 20 rows in a leaf, the gene sets could be split once.
    """
    from lightgbm import LGBMClassifier, LGBMRegressor

    n, p = part.x.shape
    y = part.y / part.y.std() if part.numeric else part.y
    for share in shares:
        clock = Clock()
        model = (LGBMRegressor if part.numeric else LGBMClassifier)(
            n_estimators=ROUNDS,
            min_child_samples=int(np.clip(n // 20, 2, 20)),
            cegb_penalty_feature_coupled=[share * n] * p,
            random_state=seed,
            n_jobs=1,
            verbosity=-1,
        ).fit(part.x, y)
        yield share, Kept(np.flatnonzero(model.feature_importances_ > 0), clock.lap())


def catboost(part: Part, coefficients: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """CatBoost with a penalty for the first use of each feature, by penalties_coefficient."""
    from catboost import CatBoostClassifier, CatBoostRegressor

    p = part.x.shape[1]
    y = part.y / part.y.std() if part.numeric else part.y
    for coefficient in coefficients:
        clock = Clock()
        model = (CatBoostRegressor if part.numeric else CatBoostClassifier)(
            **CATBOOST,
            first_feature_use_penalties=[1.0] * p,
            penalties_coefficient=coefficient,
            random_seed=seed,
            thread_count=1,
            verbose=False,
            allow_writing_files=False,
        ).fit(part.x, y)
        yield coefficient, Kept(np.flatnonzero(model.get_feature_importance() > 0), clock.lap())


def boruta(part: Part, percentiles: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Boruta in Python, by the percentile of the shadow features that must be beaten; those confirmed."""
    from boruta import BorutaPy

    options = {} if part.numeric else {"class_weight": "balanced"}
    for percentile in percentiles:
        clock = Clock()
        grown = forest(part, BORUTA["n_estimators"], max_depth=BORUTA_DEPTH, **options)
        selector = BorutaPy(grown, perc=percentile, random_state=seed, **BORUTA).fit(part.x, part.y)
        yield percentile, Kept(np.flatnonzero(selector.support_), clock.lap())


def rfe(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RFE of scikit-learn with its forest."""
    return rfe_of(part, sizes, forest(part, RFE_TREES, random_state=seed))


def rfe_of(part: Part, sizes: Sequence[float], grown: Any) -> Iterator[tuple[float, Kept]]:
    """RFE of scikit-learn with a forest of one seed, which is grown once where two sizes have the same columns left."""
    from sklearn.feature_selection import RFE

    known: dict[bytes, tuple[np.ndarray, float]] = {}
    spent: list[float] = []

    class Remembered(type(grown)):  # type: ignore[misc]
        def fit(self, X: np.ndarray, y: np.ndarray) -> Any:
            key = hashlib.sha256(X.tobytes()).digest()
            if key not in known:
                clock = Clock()
                known[key] = super().fit(X, y).feature_importances_, clock.lap()
            self.known_importances, seconds = known[key]
            spent.append(seconds)
            return self

    for size in sizes:
        if size <= part.x.shape[1]:
            spent.clear()
            selector = RFE(
                Remembered(**grown.get_params()), n_features_to_select=int(size), step=RFE_STEP,
                importance_getter="known_importances",
            )  # fmt: skip
            yield size, Kept(np.flatnonzero(selector.fit(part.x, part.y).support_), sum(spent))


def rfecv(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RFECV of scikit-learn with a forest; it takes the size of the best score."""
    from sklearn.feature_selection import RFECV
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = (KFold if part.numeric else StratifiedKFold)(FOLDS, shuffle=True, random_state=seed)
    for setting in settings:
        clock = Clock()
        selector = RFECV(forest(part, RFECV_TREES, random_state=seed), step=setting, cv=folds).fit(part.x, part.y)
        yield setting, Kept(np.flatnonzero(selector.support_), clock.lap())


def select_from_model(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """SelectFromModel with a forest: the features of the largest importances."""
    from sklearn.feature_selection import SelectFromModel

    clock = Clock()
    grown = forest(part, TREES, random_state=seed).fit(part.x, part.y)
    seconds = clock.lap()
    for size in sizes:
        if size <= part.x.shape[1]:
            selector = SelectFromModel(grown, threshold=-np.inf, max_features=int(size), prefit=True)
            yield size, Kept(np.flatnonzero(selector.get_support()), seconds)


def mrmr(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """MRMR of mrmr-selection: F statistic by mean correlation; the first features of one ranking."""
    from mrmr import mrmr_classif, mrmr_regression

    p = part.x.shape[1]
    clock = Clock()
    table = pd.DataFrame(part.x, columns=[f"x{j}" for j in range(p)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        most = min(int(max(sizes)), p)
        choose = mrmr_regression if part.numeric else mrmr_classif
        ranked = choose(table, pd.Series(part.y), K=most, n_jobs=1, show_progress=False)
    seconds, order = clock.lap(), [int(name[1:]) for name in ranked]
    for size in sizes:
        if size <= p:
            yield size, Kept(np.sort(order[: int(size)]), seconds)


def lasso(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """LASSO of scikit-learn along its path: the sparsest model of at least so many features, its largest coefficients.

    Classes: logistic regression with an L1 penalty, each class against the others. Columns are standardised.
    """
    from sklearn.preprocessing import StandardScaler

    clock = Clock()
    rows = StandardScaler().fit_transform(part.x)
    steps = _numbers(rows, part.y) if part.numeric else _classes(rows, part.y, seed)
    wanted = sorted(size for size in sizes if size <= part.x.shape[1])
    found = {}
    for weights in steps:
        while wanted and np.count_nonzero(weights) >= wanted[0]:
            size = wanted.pop(0)
            found[size] = np.sort(np.argsort(-weights, kind="stable")[: int(size)])
        if not wanted:
            break
    seconds = clock.lap()
    yield from ((size, Kept(columns, seconds)) for size, columns in found.items())


LASSO_STEPS = np.geomspace(1.05, 300, 60)


def _classes(rows: np.ndarray, y: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    """Yield the largest coefficient of each feature over the classes, the penalty falling."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.svm import l1_min_c

    least = l1_min_c(rows, y, loss="log")
    for step in LASSO_STEPS:
        one = LogisticRegression(l1_ratio=1.0, C=step * least, solver="liblinear", random_state=seed, max_iter=1000)
        model = (one if y.max() == 1 else OneVsRestClassifier(one)).fit(rows, y)
        yield np.max([np.abs(each.coef_[0]) for each in getattr(model, "estimators_", [model])], axis=0)


def _numbers(rows: np.ndarray, y: np.ndarray) -> Iterator[np.ndarray]:
    from sklearn.linear_model import lasso_path

    top = np.abs(rows.T @ (y - y.mean())).max() / len(y)
    yield from np.abs(lasso_path(rows, y - y.mean(), alphas=top / LASSO_STEPS)[1]).T
