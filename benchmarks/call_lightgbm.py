"""Usage: python benchmarks/call_lightgbm.py FOLDER: LightGBM's random forests, with and without a price of features.

They see bins, at most 255 for a column. A tree for each class is grown where there are three or more. Rows are drawn
without replacement, since LightGBM has no other way.
"""

from __future__ import annotations

import re
from typing import Any

import lightgbm
import numpy as np
from call import Data, Job, measured, serve

MOST_LEAVES = 4_096  # the best leaf is looked for among all of them before each split
PRICE = 1.0  # of a feature that no split has used yet, in units of LightGBM's gain


def arguments(job: Job, data: Data) -> dict[str, Any]:
    classes = len(np.unique(data.y))
    if data.numbers:
        given: dict[str, Any] = {"objective": "regression"}
    else:
        given = {"objective": "binary"} if classes == 2 else {"objective": "multiclass", "num_class": classes}
    given |= {
        "boosting": "rf",
        "bagging_freq": 1,
        "bagging_fraction": 0.632,  # the share of distinct rows in a sample with replacement
        "feature_fraction_bynode": job["mtry"] / len(data.x[0]),
        "num_leaves": max(2, min(MOST_LEAVES, len(data.y))),
        "histogram_pool_size": 512,  # MiB; without a bound it asks for a histogram for each leaf
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "min_data_in_bin": 1,
        "feature_pre_filter": False,
        "num_threads": job["threads"],
        "seed": job["seed"],
        "verbosity": -1,
    }
    if data.numbers:
        given["min_data_in_leaf"] = 3  # nodes of 5 are not split elsewhere; there is no such bound here
    if job["regularized"]:
        given["cegb_penalty_feature_coupled"] = [PRICE] * len(data.x[0])
    return given


def grow(job: Job, data: Data) -> lightgbm.Booster:
    given = arguments(job, data)
    factors = [column for column, levels in enumerate(data.levels) if levels]
    rows = lightgbm.Dataset(data.x, data.y, categorical_feature=factors or "auto", params=given)
    return lightgbm.train(given, rows, job["trees"])


def score(model: lightgbm.Booster, data: Data) -> Job:
    predicted = model.predict(data.x_test)
    if not data.numbers:
        predicted = predicted.argmax(axis=1) if predicted.ndim == 2 else predicted > 0.5
    leaves = [int(count) for count in re.findall(r"^num_leaves=(\d+)", model.model_to_string(), re.MULTILINE)]
    features = int((model.feature_importance() > 0).sum())
    return {"error": data.error(predicted), "leaves": float(np.mean(leaves)), "features": features}


def call(job: Job, data: Data) -> Job:
    model, found = measured(lambda: grow(job, data), data.mapped)
    return found | (score(model, data) if job["score"] else {})


if __name__ == "__main__":
    serve("lightgbm", call)
