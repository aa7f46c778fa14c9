"""Usage: python benchmarks/call_pyrrf.py FOLDER: one call of pyrrf.RRF, engine "r" or "parallel"."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd
from call import measured, read_data, read_job, report, write_answer

import pyrrf


def arguments(job: dict[str, Any]) -> dict[str, Any]:
    given = {"ntree": job["trees"], "mtry": job["mtry"], "nodesize": job["nodesize"], "seed": job["seed"]}
    given |= {"coefReg": job["coef_reg"]} if job["regularized"] else {"flagReg": 0}
    if job["family"] == "pyrrf parallel":
        given |= {"engine": "parallel", "n_jobs": job["threads"]}
    return given


def main(folder: Path) -> None:
    job = read_job(folder)
    x, y = read_data(folder, job)
    numbers = job["target"] == "numbers"
    if not numbers:
        y = pd.Categorical(y)  # R's factor
    given = arguments(job)
    fit, found = measured(lambda: pyrrf.RRF(x, y, **given))
    if job["family"] == "pyrrf parallel":
        found["regrown"] = int(fit.outcome.work.regrown) / job["trees"]
    parts = (fit.predicted, fit.mse) if numbers else (fit.votes,)
    write_answer((*parts, fit.importance, fit.feaSet + 1), job["answer"])
    report("pyrrf", found)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
