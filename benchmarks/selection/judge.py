"""What judges every subset: one ordinary forest of scikit-learn, the same seed for all methods on a split."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from benchmarks.jobs.job import seed_of
from benchmarks.selection.cases import Part

TREES = 100


def judge(part: Part, columns: np.ndarray) -> float:
    """Return the error on the test rows of a forest on some columns; of the commonest class if there are none."""
    if not len(columns):
        return float((part.y_test != np.bincount(part.y).argmax()).mean())
    seed = seed_of("selection", part.case, part.number, "judge")
    forest = RandomForestClassifier(TREES, random_state=seed, n_jobs=1)
    forest.fit(part.x[:, columns], part.y)
    return float((forest.predict(part.x_test[:, columns]) != part.y_test).mean())
