"""What judges every subset: a forest and a linear model of scikit-learn, the same for all methods on a split."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.jobs.job import seed_of
from benchmarks.selection.cases import CASES, Part, spread

TREES = 100
JUDGES = ("forest", "linear")


def judge(part: Part, columns: np.ndarray) -> dict[str, float]:
    """Return the error on the test rows by judge, fitted to some columns.

    Classes: the share that is wrong, or one less the area under the curve. Numbers: squared error beside that of the
    training mean. No columns: the commonest class, or the mean. Factors are spread to indicators.
    """
    if not len(columns):
        guess = part.y.mean() if part.numeric else np.bincount(part.y).argmax()
        return dict.fromkeys(JUDGES, error(part, np.full(len(part.y_test), guess)))
    rows, new = (spread(x[:, columns], part.levels[columns])[0] for x in (part.x, part.x_test))
    return {name: error(part, predicted(part, model.fit(rows, part.y), new)) for name, model in models(part).items()}


def predicted(part: Part, model: Any, new: np.ndarray) -> np.ndarray:
    """Return what a judge says of rows: classes, numbers, or the chance of the second class."""
    answer: np.ndarray = model.predict_proba(new)[:, 1] if CASES[part.case].ranked else model.predict(new)
    return answer


def models(part: Part) -> dict[str, Any]:
    """Return the judges of a split."""
    seed = seed_of("selection", part.case, part.number, "judge")
    forest = RandomForestRegressor if part.numeric else RandomForestClassifier
    linear = Ridge() if part.numeric else LogisticRegression(max_iter=1000)
    return {
        "forest": forest(TREES, random_state=seed, n_jobs=1),
        "linear": make_pipeline(StandardScaler(), linear),
    }


def error(part: Part, answer: np.ndarray) -> float:
    """Return the error of a prediction of the test rows."""
    if CASES[part.case].ranked:
        return 1.0 - float(roc_auc_score(part.y_test, answer))
    if not part.numeric:
        return float((answer != part.y_test).mean())
    return float(np.sum((answer - part.y_test) ** 2) / np.sum((part.y_test - part.y.mean()) ** 2))
