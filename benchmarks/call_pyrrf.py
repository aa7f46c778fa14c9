"""Usage: python benchmarks/call_pyrrf.py FOLDER: calls of pyrrf.RRF, engine "r" or "parallel"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from call import Data, Job, measured, serve, write_answer

from pyrrf import RRF, predict, treesize  # loads them: import pyrrf alone does so at the first use, which is timed


def arguments(job: Job) -> dict[str, Any]:
    given = {"ntree": job["trees"], "mtry": job["mtry"], "nodesize": job["nodesize"], "seed": job["seed"]}
    given |= {"coefReg": job["coef_reg"]} if job["regularized"] else {"flagReg": 0}
    if job["family"] != "pyrrf":
        given |= {"engine": "parallel", "n_jobs": job["threads"]}
        if job["family"].endswith("entropy"):
            given["criterion"] = "entropy"
        if job["family"].endswith("mtry"):
            given["candidates"] = "mtry"
    elif job["threads"] != 1:
        given["n_jobs"] = job["threads"]
    return given


def table(x: np.ndarray, data: Data) -> np.ndarray | pd.DataFrame:
    """Return x; where there are factors, a table with pandas' categories."""
    if not data.levels:
        return x
    columns = {
        f"x{i}": pd.Categorical.from_codes(x[:, i].astype(int), [str(code) for code in range(levels)])
        if levels
        else x[:, i]
        for i, levels in enumerate(data.levels)
    }
    return pd.DataFrame(columns)


def score(fit: Any, data: Data) -> Job:
    predicted = predict(fit, table(data.x_test, data))
    leaves = float(np.mean(treesize(fit)))
    return {"error": data.error(predicted), "leaves": leaves, "features": len(fit.feaSet)}


def call(job: Job, data: Data) -> Job:
    x = table(data.x, data)
    y = data.y if data.numbers else pd.Categorical(data.y)  # R's factor
    given = arguments(job)
    fit, found = measured(lambda: RRF(x, y, **given), data.mapped)
    if job["family"] != "pyrrf":
        found["regrown"] = int(fit.outcome.work.regrown) / job["trees"]
    parts = (fit.predicted, fit.mse) if data.numbers else (fit.votes,)
    write_answer((*parts, fit.importance, fit.feaSet + 1), job["answer"])
    return found | (score(fit, data) if job["score"] else {})


if __name__ == "__main__":
    serve("pyrrf", call)
