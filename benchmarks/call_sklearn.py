"""Usage: python benchmarks/call_sklearn.py FOLDER: one ordinary forest of scikit-learn."""

from __future__ import annotations

import sys
from pathlib import Path

from call import measured, read_data, read_job, report
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def main(folder: Path) -> None:
    job = read_job(folder)
    x, y = read_data(folder, job)
    numbers = job["target"] == "numbers"
    model = (RandomForestRegressor if numbers else RandomForestClassifier)(
        n_estimators=job["trees"],
        max_features=job["mtry"],
        min_samples_split=job["nodesize"] + 1,
        n_jobs=job["threads"],
        random_state=job["seed"],
    )
    labels = y if numbers else y.astype(int)
    _, found = measured(lambda: model.fit(x, labels))
    report("scikit-learn", found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
