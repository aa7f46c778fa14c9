"""Methods of other packages. Each imports its package when it is called."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.selection.cases import Part, spread
from benchmarks.selection.kept import Clock, Kept

ROUNDS = 100  # of boosting
TREES = 200
CATBOOST = {"iterations": 30, "depth": 4}
RFE_TREES = 100
RFECV_TREES = 50
RFE_STEP = 0.1  # of all features, dropped at a time
FOLDS = 5
SHAP = {"iterations": 100, "depth": 4}
SHAP_STEPS = 10
DROP = 0.2  # of the features left, at a time
PERMUTED, PERMUTED_TREES, PERMUTATIONS = 30, 50, 2  # features left to permute, trees, and permutations of each
BORUTA = {"n_estimators": 50, "max_iter": 50}
BORUTA_DEPTH = 5


def forest(part: Part, trees: int, **options: Any) -> Any:
    """Return a forest of scikit-learn."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if part.numeric else RandomForestClassifier
    return kind(trees, n_jobs=1, **options)


def scaled(part: Part) -> np.ndarray:
    """Return the training response; numbers are divided by their deviation."""
    return part.y / part.y.std() if part.numeric else part.y


def lightgbm(part: Part, seed: int, **options: Any) -> Any:
    """Return LightGBM; leaves may be small where rows are few: with 20 rows in a leaf, genes could be split once."""
    from lightgbm import LGBMClassifier, LGBMRegressor

    least = int(np.clip(len(part.y) // 20, 2, 20))
    kind = LGBMRegressor if part.numeric else LGBMClassifier
    return kind(n_estimators=ROUNDS, min_child_samples=least, random_state=seed, n_jobs=1, verbosity=-1, **options)


def catboost_of(part: Part, seed: int, **options: Any) -> Any:
    """Return CatBoost."""
    from catboost import CatBoostClassifier, CatBoostRegressor

    kind = CatBoostRegressor if part.numeric else CatBoostClassifier
    return kind(random_seed=seed, thread_count=1, verbose=False, allow_writing_files=False, **options)


def everything(part: Part, settings: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """All features."""
    for setting in settings:
        yield setting, Kept(np.arange(part.x.shape[1]), 0.0)


def lightgbm_cegb(part: Part, shares: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """LightGBM with a price for the first use of each feature, given as a share of the number of training rows.

    The price is in units of the loss, which grows with the rows.
    """
    n, p = part.x.shape
    for share in shares:
        clock = Clock()
        model = lightgbm(part, seed, cegb_penalty_feature_coupled=[share * n] * p).fit(part.x, scaled(part))
        yield share, Kept(np.flatnonzero(model.feature_importances_ > 0), clock.lap())


def catboost(part: Part, coefficients: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """CatBoost with a penalty for the first use of each feature, by penalties_coefficient."""
    p = part.x.shape[1]
    for coefficient in coefficients:
        clock = Clock()
        priced = {"first_feature_use_penalties": [1.0] * p, "penalties_coefficient": coefficient}
        model = catboost_of(part, seed, **CATBOOST, **priced).fit(part.x, scaled(part))
        yield coefficient, Kept(np.flatnonzero(model.get_feature_importance() > 0), clock.lap())


def catboost_shap(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """CatBoost's own recursive elimination by SHAP values; one path for all sizes, in the order of elimination."""
    from catboost import EFeaturesSelectionAlgorithm, EShapCalcType, Pool

    clock, p = Clock(), part.x.shape[1]
    table = pd.DataFrame(part.x).astype(dict.fromkeys(part.factors, int))
    told = catboost_of(part, seed, **SHAP).select_features(
        Pool(table, scaled(part), cat_features=part.factors),
        features_for_select=list(range(p)),
        num_features_to_select=int(min(sizes)),
        steps=SHAP_STEPS,
        algorithm=EFeaturesSelectionAlgorithm.RecursiveByShapValues,
        shap_calc_type=EShapCalcType.Regular,
        train_final_model=False,
        logging_level="Silent",
    )
    order, seconds = told["selected_features"] + told["eliminated_features"][::-1], clock.lap()
    for size in sizes:
        if size <= p:
            yield size, Kept(np.sort(order[: int(size)]), seconds)


def backward(
    part: Part, sizes: Sequence[float], credit: Callable[[np.ndarray], np.ndarray]
) -> Iterator[tuple[float, Kept]]:
    """Drop the least of `credit`, of the columns that are left, a fifth at a time; one path for all sizes."""
    clock, left, found = Clock(), np.arange(part.x.shape[1]), dict[float, np.ndarray]()
    for size in sorted(sizes, reverse=True):
        while len(left) > size:
            kept = max(int(size), min(len(left) - 1, int((1 - DROP) * len(left))))
            left = np.sort(left[np.argsort(-credit(left), kind="stable")[:kept]])
        if len(left) == size:
            found[size] = left
    seconds = clock.lap()
    yield from ((size, Kept(found[size], seconds)) for size in sizes if size in found)


def lightgbm_rfe(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """LightGBM, the features of the least total gain dropped."""

    def gain(left: np.ndarray) -> np.ndarray:
        factors = np.flatnonzero(part.levels[left]).tolist()
        model = lightgbm(part, seed, importance_type="gain")
        found: np.ndarray = model.fit(part.x[:, left], scaled(part), categorical_feature=factors).feature_importances_
        return found

    return backward(part, sizes, gain)


def permutation_rfe(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """Forest of scikit-learn on two thirds of the rows; dropped is what costs least when it is permuted in the others.

    Where many are left, by the importances of the forest, since each permutation is a prediction. Classes are scored by
    the mean chance of the own one: few rows change their class.
    """
    from sklearn.inspection import permutation_importance
    from sklearn.model_selection import train_test_split

    draw = np.random.RandomState(seed)
    even = None if part.numeric or np.bincount(part.y).min() < 2 else part.y

    def chance(model: Any, rows: np.ndarray, y: np.ndarray) -> float:
        return float((model.predict_proba(rows) * (y[:, None] == model.classes_)).sum() / len(y))

    def cost(left: np.ndarray) -> np.ndarray:
        rows, new, y, y_new = train_test_split(
            part.x[:, left], part.y, test_size=1 / 3, random_state=draw, stratify=even
        )
        grown = forest(part, PERMUTED_TREES, random_state=draw).fit(rows, y)
        if len(left) > PERMUTED:
            return np.asarray(grown.feature_importances_)
        told = permutation_importance(
            grown, new, y_new, n_repeats=PERMUTATIONS, random_state=draw, scoring=None if part.numeric else chance
        )
        return np.asarray(told.importances_mean)

    return backward(part, sizes, cost)


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
    """RFECV of scikit-learn with its forest."""
    return rfecv_of(part, settings, seed, forest(part, RFECV_TREES, random_state=seed))


def rfecv_of(part: Part, settings: Sequence[float], seed: int, grown: Any) -> Iterator[tuple[float, Kept]]:
    """RFECV of scikit-learn with a forest; it takes the size of the best score."""
    from sklearn.feature_selection import RFECV
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = (KFold if part.numeric else StratifiedKFold)(FOLDS, shuffle=True, random_state=seed)
    for setting in settings:
        clock = Clock()
        selector = RFECV(grown, step=setting, cv=folds).fit(part.x, part.y)
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
        coded = {"cat_features": [f"x{j}" for j in part.factors]} if part.factors else {}
        ranked = choose(table, pd.Series(part.y), K=most, n_jobs=1, show_progress=False, **coded)
    seconds, order = clock.lap(), [int(name[1:]) for name in ranked]
    for size in sizes:
        if size <= p:
            yield size, Kept(np.sort(order[: int(size)]), seconds)


def lasso(part: Part, sizes: Sequence[float], seed: int) -> Iterator[tuple[float, Kept]]:
    """LASSO of scikit-learn along its path: the sparsest model of at least so many features, its largest coefficients.

    Classes: logistic regression with an L1 penalty, each class against the others. Columns are standardised; a factor
    is spread to indicators and has the largest of their coefficients.
    """
    from sklearn.preprocessing import StandardScaler

    clock = Clock()
    wide, column = spread(part.x, part.levels)
    rows, first = StandardScaler().fit_transform(wide), np.searchsorted(column, np.arange(part.x.shape[1]))
    steps = _numbers(rows, part.y) if part.numeric else _classes(rows, part.y, seed)
    wanted = sorted(size for size in sizes if size <= part.x.shape[1])
    found = {}
    for step in steps:
        weights = np.maximum.reduceat(step, first)
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
