"""Usage: python benchmarks/call_sklearn.py FOLDER: scikit-learn's random forests, which are ordinary ones."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import sklearn.ensemble
from call import Data, Job, measured, serve


def call(job: Job, data: Data, ensemble: ModuleType = sklearn.ensemble) -> Job:
    forest = ensemble.RandomForestRegressor if data.numbers else ensemble.RandomForestClassifier
    model = forest(
        n_estimators=job["trees"],
        max_features=job["mtry"],
        min_samples_split=job["nodesize"] + 1,
        n_jobs=job["threads"],
        random_state=job["seed"],
    )
    labels = data.y if data.numbers else data.y.astype(int)
    _, found = measured(lambda: model.fit(data.x, labels), data.mapped)
    if job["score"]:
        found["error"] = data.error(model.predict(data.x_test))
        found["leaves"] = float(np.mean([tree.get_n_leaves() for tree in model.estimators_]))
        used = [np.unique(tree.tree_.feature) for tree in model.estimators_]
        found["features"] = int((np.unique(np.concatenate(used)) >= 0).sum())
    return found


if __name__ == "__main__":
    serve("scikit-learn", call)
