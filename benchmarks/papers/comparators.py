"""The methods that the papers compare with: each is a function of training rows and a seed.

`cfs`, `fcbf`, `svm_rfe`, `lasso` and `varselrf` take (X_train, y_train, seed) and return the positions of the columns
that they select, ascending but for `lasso`; `svm_ranking` returns all columns, best first; `predict` is what a
classifier of Weka says.
X_train is an array of numbers, or a DataFrame whose categoricals are factors; NaN is missing where a method says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import pyrrf
from benchmarks.jobs import r
from benchmarks.papers import weka

Rows: TypeAlias = "np.ndarray | pd.DataFrame"
Labels: TypeAlias = "np.ndarray | pd.Series | pd.Categorical"
Positions: TypeAlias = "np.ndarray"
Selector: TypeAlias = "Callable[[Rows, Labels, int], Positions]"

J48 = "weka.classifiers.trees.J48"
NAIVE_BAYES = "weka.classifiers.bayes.NaiveBayes"
GLMNET = Path(__file__).with_name("glmnet.R")
LASSO_LAMBDAS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2)  # Deng & Runger 2013, section 4


def cfs(X_train: Rows, y_train: Labels, seed: int = 0) -> Positions:
    """Correlation-based feature selection (Hall 2000): Weka's CfsSubsetEval with BestFirst, default settings.

    Missing values are Weka's to treat. Nothing is random: `seed` is not used. Columns that Fayyad and Irani's rule
    does not cut are kept from the search, unless there are no others: they correlate with nothing, and only cost time,
    which grows with the square of the number of columns.
    """
    whole, machine = table(X_train, y_train), weka.running()
    machine.load(whole)
    telling = [j for j, cuts in enumerate(machine.cut_points()) if len(cuts) or _is_factor(whole.iloc[:, j])]
    telling = telling or list(range(whole.shape[1] - 1))
    machine.load(whole.iloc[:, [*telling, -1]])
    chosen = machine.select("weka.attributeSelection.CfsSubsetEval", "weka.attributeSelection.BestFirst")
    return np.sort(np.array(telling)[chosen])


def fcbf(X_train: Rows, y_train: Labels, seed: int = 0) -> Positions:
    """Fast correlation-based filter (Yu & Liu 2004) on columns cut by Fayyad and Irani's rule.

    Weka 3.6.14 has the rule (its supervised Discretize), but no longer FCBFSearch. As that did by default, no
    threshold is put on a feature's symmetrical uncertainty with the class. Nothing is random: `seed` is not used.
    """
    whole = table(X_train, y_train)
    machine = weka.running()
    machine.load(whole)
    codes = [_cut(whole.iloc[:, j], cuts) for j, cuts in enumerate(machine.cut_points())]
    return fcbf_of_codes(np.column_stack(codes), whole.iloc[:, -1].cat.codes.to_numpy())


def fcbf_of_codes(codes: np.ndarray, classes: np.ndarray) -> Positions:
    """FCBF on values that are small integers, -1 = missing.

    Features are taken in the order of their symmetrical uncertainty with the class, ties in the order of columns. One
    is dropped where a feature kept before knows at least as much of it as it knows of the class.
    """
    relevance = np.array([symmetrical_uncertainty(column, classes) for column in codes.T])
    waiting = list(np.argsort(-relevance, kind="stable"))
    kept = []
    while waiting:
        best = waiting.pop(0)
        kept.append(best)
        waiting = [j for j in waiting if symmetrical_uncertainty(codes[:, best], codes[:, j]) < relevance[j]]
    return np.sort(kept)


def symmetrical_uncertainty(a: np.ndarray, b: np.ndarray) -> float:
    """Return 2 I(a; b) / (H(a) + H(b)) of codes, missing ones (-1) spread over the others in proportion, as in Weka."""
    if a.max() <= 0 or b.max() <= 0:  # one value or none
        return 0.0
    counts = np.zeros((a.max() + 2, b.max() + 2))
    np.add.at(counts, (a, b), 1)  # -1 is the last row and column
    counts = _spread_missing(counts)
    h_a, h_b = _entropy(counts.sum(1)), _entropy(counts.sum(0))
    return 2 * (h_a + h_b - _entropy(counts.ravel())) / (h_a + h_b) if h_a + h_b > 0 else 0.0


def _spread_missing(counts: np.ndarray) -> np.ndarray:
    """Give the counts of the last row and column, which are missing, to the others as these stand to each other."""
    known, no_a, no_b, neither = counts[:-1, :-1], counts[-1, :-1], counts[:-1, -1], counts[-1, -1]
    rows, columns = counts[:-1].sum(1), counts[:, :-1].sum(0)  # of all cases where a, or b, is known
    spread = known + np.outer(rows, no_a) / max(rows.sum(), 1) + np.outer(no_b, columns) / max(columns.sum(), 1)
    return spread + known * (neither / max(known.sum(), 1))


def _entropy(counts: np.ndarray) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def _cut(column: pd.Series, cuts: np.ndarray) -> np.ndarray:
    if _is_factor(column):
        return column.cat.codes.to_numpy().astype(int)
    values = column.to_numpy(float)
    return np.where(np.isnan(values), -1, np.searchsorted(cuts, values, side="left"))


def _is_factor(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


def svm_ranking(X_train: Rows, y_train: Labels, seed: int = 0) -> Positions:
    """All columns, best first, by SVM-RFE (Guyon et al. 2002) in Weka: one dropped a step, one class against the rest.

    Default settings of SVMAttributeEval. Nothing is random: `seed` is not used.
    """
    machine = weka.running()
    machine.load(table(X_train, y_train))
    return machine.select("weka.attributeSelection.SVMAttributeEval", "weka.attributeSelection.Ranker")


def svm_rfe(X_train: Rows, y_train: Labels, seed: int = 0, *, drop: float = 0.2, folds: int = 5) -> Positions:
    """SVM-RFE for thousands of columns; the number of columns is chosen by cross-validation.

    Neither GRRF's paper nor its author's scripts run it, so the choices are ours: libsvm's linear machine with C = 1
    on standardised columns (the one that lies commented out in those scripts, with e1071's defaults), a fifth of the
    columns dropped a step (as varSelRF), 5 stratified folds, and the fewest columns of the least error. The elimination
    is done anew in each fold. No missing values.
    """
    X, y = np.asarray(X_train, float), np.asarray(y_train)
    sizes = _falling_sizes(X.shape[1], drop, last=1)
    errors = np.zeros(len(sizes))
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(X, y):
        scaler = StandardScaler().fit(X[train])
        inside, outside = scaler.transform(X[train]), scaler.transform(X[test])
        for step, (kept, machine) in enumerate(_eliminate(inside, y[train], sizes)):
            errors[step] += np.sum(machine.predict(outside[:, kept]) != y[test])
    best = len(sizes) - 1 - int(np.argmin(errors[::-1]))
    *_, (kept, _machine) = _eliminate(StandardScaler().fit_transform(X), y, sizes[: best + 1])
    return np.sort(kept)


def _eliminate(X: np.ndarray, y: np.ndarray, sizes: Sequence[int]) -> list[tuple[Positions, SVC]]:
    """Return for each size the columns that are left and the machine on them."""
    steps = []
    kept = np.arange(X.shape[1])
    for size in sizes:
        if steps:
            weight = (steps[-1][1].coef_ ** 2).sum(0)  # over the pairs of classes
            kept = kept[np.argsort(-weight, kind="stable")[:size]]
        steps.append((kept, SVC(kernel="linear").fit(X[:, kept], y)))
    return steps


def _falling_sizes(p: int, drop: float, last: int) -> list[int]:
    """Return p and what is left of it as a share `drop`, at least one, goes each time, down to `last`."""
    sizes = [p]
    while sizes[-1] > last:
        sizes.append(max(last, sizes[-1] - max(1, round(sizes[-1] * drop))))
    return sizes


def lasso(X_train: Rows, y_train: Labels, seed: int = 0, *, folds: int = 5) -> Positions:
    """LASSO logistic regression by R's glmnet: the columns of a coefficient that is not zero, of any class.

    As in the scripts of GRRF's author: cv.glmnet, 5 folds (the paper: 10), six values of lambda, multinomial also for
    two classes, coefficients at lambda.1se. The columns of the first class come first, then what the second one adds:
    C4.5 takes the first of equal splits, which are many on gene data. No missing values.

    Raises
    ------
    RuntimeError
        glmnet fails, as it does where a fold has too few rows of a class; those scripts count such a split as missing.
    """
    found = r.select(GLMNET, X_train, y_train, seed, folds, ",".join(map(str, LASSO_LAMBDAS)))
    return np.array(found.split(), dtype=int)


def varselrf(
    X_train: Rows,
    y_train: Labels,
    seed: int = 0,
    *,
    ntree: int = 1000,
    ntree_iterations: int = 2000,
    drop: float = 0.2,
    c_sd: float = 1.0,
    engine: str = "parallel",
) -> Positions:
    """Select by varSelRF (Díaz-Uriarte & Alvarez de Andrés 2006) on pyrrf's forests, set as by GRRF's author.

    One forest of `ntree` trees ranks the columns by permutation, unscaled; a share `drop` of the columns goes at a
    time, down to 2, and each set gets a forest of `ntree_iterations` trees. Of the sets whose out-of-bag error is at
    most the least one plus `c_sd` of its standard errors, the smallest wins.
    """
    X, y = np.asarray(X_train, float), pd.Categorical(np.asarray(y_train))
    sizes = _falling_sizes(X.shape[1], drop, last=2)
    seeds = np.random.default_rng(seed).integers(2**31 - 1, size=len(sizes)).tolist()
    first = pyrrf.RRF(X, y, flagReg=0, ntree=ntree, importance=True, keep_forest=False, engine=engine, seed=seeds[0])
    ranking = np.argsort(-_permutation_importance(first), kind="stable")
    errors = [_out_of_bag_error(first)]
    for size, its_seed in zip(sizes[1:], seeds[1:], strict=True):
        forest = pyrrf.RRF(
            X[:, ranking[:size]], y, flagReg=0, ntree=ntree_iterations, keep_forest=False, engine=engine, seed=its_seed
        )
        errors.append(_out_of_bag_error(forest))
    least = min(errors)
    bound = least + c_sd * np.sqrt(least * (1 - least) / len(y))
    smallest = min(size for size, error in zip(sizes, errors, strict=True) if error <= bound)
    return np.sort(ranking[:smallest])


def _permutation_importance(fit: pyrrf.RRFResult) -> np.ndarray:
    return fit.importance["MeanDecreaseAccuracy"].to_numpy()


def _out_of_bag_error(fit: pyrrf.RRFResult) -> float:
    return float(fit.err_rate["OOB"].iloc[-1])


def predict(
    classifier: str,
    train: tuple[Rows, Labels],
    test: tuple[Rows, Labels],
    columns: Sequence[Sequence[int] | None] = (None,),
) -> list[np.ndarray]:
    """Return for each choice of columns (None = all) whether a classifier of Weka is right on each test row.

    `classifier` is a class with its options, such as `J48` (C4.5) and `NAIVE_BAYES` above.
    """
    machine, tables = weka.running(), (table(*train), table(*test))
    every = range(tables[0].shape[1] - 1)
    used = sorted(set().union(*(every if chosen is None else chosen for chosen in columns)))
    machine.load(*(one.iloc[:, [*used, -1]] for one in tables))
    truth = tables[1].iloc[:, -1].cat.codes.to_numpy()
    told = [None if chosen is None else np.searchsorted(used, chosen) for chosen in columns]
    return [machine.predict(classifier, chosen) == truth for chosen in told]


def table(X: Rows, y: Labels) -> pd.DataFrame:
    """Return predictors and class as one table; the labels, where they are no categories yet, are sorted."""
    y = y if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype) else pd.Categorical(np.asarray(y))
    return pd.concat([pd.DataFrame(X).reset_index(drop=True), pd.Series(np.asarray(y), dtype=y.dtype)], axis=1)
