"""Methods of other packages. Each imports its package when it is called."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.selection.cases import Part
from benchmarks.selection.kept import Clock, Kept, wrong

ROUNDS = 100  # of boosting
TREES = 500
CATBOOST = {"iterations": 30, "depth": 4}
RFE_TREES = 50
RFE_STEP = 0.1  # of all features, dropped at a time
FOLDS = 5
BORUTA = {"n_estimators": 100, "max_iter": 50}
BORUTA_DEPTH = 5


def everything(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """All features."""
    for setting in settings:
        yield setting, Kept(np.arange(part.x.shape[1]), 0.0)


def lightgbm_cegb(part: Part, shares: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """LightGBM with a price for the first use of each feature, given as a share of the number of training rows.

    The price is in units of the loss, which grows with the rows. Leaves may be small where rows are few: with the
    default of 20 rows in a leaf, the gene sets could be split once.
    """
    from lightgbm import LGBMClassifier

    n, p = part.x.shape
    for share in shares:
        clock = Clock()
        model = LGBMClassifier(
            n_estimators=ROUNDS,
            min_child_samples=int(np.clip(n // 20, 2, 20)),
            cegb_penalty_feature_coupled=[share * n] * p,
            random_state=seed,
            n_jobs=1,
            verbosity=-1,
        ).fit(part.x, part.y)
        seconds = clock.lap()
        yield share, Kept(np.flatnonzero(model.feature_importances_ > 0), seconds, wrong(model, part))


def catboost(part: Part, coefficients: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """CatBoost with a penalty for the first use of each feature, by penalties_coefficient."""
    from catboost import CatBoostClassifier

    p = part.x.shape[1]
    for coefficient in coefficients:
        clock = Clock()
        model = CatBoostClassifier(
            **CATBOOST,
            first_feature_use_penalties=[1.0] * p,
            penalties_coefficient=coefficient,
            random_seed=seed,
            thread_count=1,
            verbose=False,
            allow_writing_files=False,
        ).fit(part.x, part.y)
        used = np.flatnonzero(model.get_feature_importance() > 0)
        seconds = clock.lap()
        yield coefficient, Kept(used, seconds, wrong(model, part))


def boruta(part: Part, percentiles: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Boruta in Python, by the percentile of the shadow features that must be beaten; those confirmed."""
    from boruta import BorutaPy
    from sklearn.ensemble import RandomForestClassifier

    for percentile in percentiles:
        clock = Clock()
        forest = RandomForestClassifier(max_depth=BORUTA_DEPTH, class_weight="balanced", n_jobs=1)
        selector = BorutaPy(forest, perc=percentile, random_state=seed, **BORUTA).fit(part.x, part.y)
        yield percentile, Kept(np.flatnonzero(selector.support_), clock.lap())


def rfecv(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """RFECV of scikit-learn with a forest; it takes the size of the best score."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_selection import RFECV
    from sklearn.model_selection import StratifiedKFold

    for setting in settings:
        clock = Clock()
        forest = RandomForestClassifier(RFE_TREES, random_state=seed, n_jobs=1)
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
        selector = RFECV(forest, step=setting, cv=folds).fit(part.x, part.y)
        seconds, columns = clock.lap(), np.flatnonzero(selector.support_)
        yield setting, Kept(columns, seconds, wrong(selector.estimator_, part, columns))


def select_from_model(part: Part, multiples: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """SelectFromModel with a forest, by the multiple of the mean importance."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_selection import SelectFromModel

    clock = Clock()
    forest = RandomForestClassifier(TREES, random_state=seed, n_jobs=1).fit(part.x, part.y)
    seconds = clock.lap()
    for multiple in multiples:
        support = SelectFromModel(forest, threshold=f"{multiple}*mean", prefit=True).get_support()
        yield multiple, Kept(np.flatnonzero(support), seconds)


def mrmr(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """MRMR of mrmr-selection: F statistic by mean correlation; the first features of one ranking."""
    from mrmr import mrmr_classif

    p = part.x.shape[1]
    clock = Clock()
    table = pd.DataFrame(part.x, columns=[f"x{j}" for j in range(p)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        most = min(int(max(sizes)), p)
        ranked = mrmr_classif(table, pd.Series(part.y), K=most, n_jobs=1, show_progress=False)
    seconds, order = clock.lap(), [int(name[1:]) for name in ranked]
    for size in sizes:
        if size <= p:
            yield size, Kept(np.sort(order[: int(size)]), seconds)


def lasso(part: Part, multiples: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Logistic regression of scikit-learn with an L1 penalty, each class against the others.

    Columns are standardised; the setting is a multiple of the smallest C at which a coefficient is not 0.
    """
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import l1_min_c

    scaler = StandardScaler().fit(part.x)
    rows, new = scaler.transform(part.x), scaler.transform(part.x_test)
    least = l1_min_c(rows, part.y, loss="log")
    for multiple in multiples:
        clock = Clock()
        model = _l1_model(multiple * least, seed, classes=int(part.y.max()) + 1).fit(rows, part.y)
        seconds = clock.lap()
        machines = getattr(model, "estimators_", [model])
        used = np.any([np.abs(one.coef_[0]) > 0 for one in machines], axis=0)
        yield multiple, Kept(np.flatnonzero(used), seconds, float((model.predict(new) != part.y_test).mean()))


def _l1_model(c: float, seed: int, classes: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    one = LogisticRegression(l1_ratio=1.0, C=c, solver="liblinear", random_state=seed, max_iter=1000)
    return one if classes == 2 else OneVsRestClassifier(one)
