"""Usage: python benchmarks/call_sklearn.py FOLDER: ordinary forests of scikit-learn, random forests or ExtraTrees."""

from __future__ import annotations

import numpy as np
from call import Data, Job, measured, serve
from sklearn import ensemble


def call(job: Job, data: Data) -> Job:
    name = "ExtraTrees" if job["family"] == "ExtraTrees" else "RandomForest"
    model = getattr(ensemble, name + ("Regressor" if data.numbers else "Classifier"))(
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
