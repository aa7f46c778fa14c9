"""What judges every subset: a forest and a linear model of scikit-learn, the same for all methods on a split."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.jobs.job import seed_of
from benchmarks.selection.cases import CASES, Part, spread

TREES = 100
JUDGES = ("forest", "linear")


def judge(part: Part, columns: np.ndarray) -> dict[str, float]:
    """Return the error on the test rows by judge, fitted to some columns.

    Classes: the share that is wrong, or on a case that confirms the Brier score beside that of the training shares.
    Numbers: squared error beside that of the training mean. No columns: the commonest class, or the mean. Factors are
    spread to indicators.
    """
    if not len(columns):
        return dict.fromkeys(JUDGES, error(part, guess(part)))
    rows, new = (spread(x[:, columns], part.levels[columns])[0] for x in (part.x, part.x_test))
    return {name: error(part, predicted(part, model.fit(rows, part.y), new)) for name, model in models(part).items()}


def by_probability(part: Part) -> bool:
    """Whether class probabilities are judged."""
    return CASES[part.case].confirm and not part.numeric


def guess(part: Part) -> np.ndarray:
    """Return the prediction of the test rows from the training response alone."""
    n = len(part.y_test)
    if part.numeric:
        return np.full(n, part.y.mean())
    counts = np.bincount(part.y)
    return np.tile(counts / len(part.y), (n, 1)) if by_probability(part) else np.full(n, counts.argmax())


def predicted(part: Part, model: Any, new: np.ndarray) -> np.ndarray:
    """Return the prediction of a fitted model: classes, their probabilities, or numbers."""
    if not by_probability(part):
        return np.asarray(model.predict(new))
    shares = np.zeros((len(new), int(part.y.max()) + 1))
    shares[:, model.classes_] = model.predict_proba(new)
    return shares


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
    if not part.numeric and not by_probability(part):
        return float((answer != part.y_test).mean())
    wanted = part.y_test if part.numeric else part.y_test[:, None] == np.arange(answer.shape[1])
    return float(np.sum((answer - wanted) ** 2) / np.sum((guess(part) - wanted) ** 2))
