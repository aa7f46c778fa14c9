"""The methods by name, and the job that tries one on a split."""

from __future__ import annotations

import functools
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from benchmarks.jobs.job import Options, seed_of
from benchmarks.selection import others, ours, ranger
from benchmarks.selection.cases import Part, part
from benchmarks.selection.judge import judge
from benchmarks.selection.kept import Kept, Method, PastLimit, processor_limit

METHODS = {
    "GRRF": Method(ours.grrf, "gamma", (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0), cost=3),
    "RRF": Method(ours.rrf, "coef_reg", (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.4), cost=2.5),
    "consensus": Method(ours.consensus, "threshold", (0.03, 0.05, 0.08, 0.12, 0.2, 0.35, 0.5, 0.7, 0.9), cost=10),
    "LightGBM": Method(
        others.lightgbm_cegb,
        "penalty a row",
        (0.0, 0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.05, 0.1),
        "lightgbm",
        cost=6,
    ),
    "CatBoost": Method(
        others.catboost, "penalties_coefficient", (0.0, 0.1, 0.3, 0.6, 1.0, 2.0, 4.0), "catboost", cost=30
    ),
    "ranger": Method(ranger.ranger, "regularization.factor", (1.0, 0.9, 0.8, 0.7, 0.5, 0.1), "R: ranger", cost=3),
    "boruta_py": Method(others.boruta, "perc", (100.0, 80.0), "boruta", cost=60),
    "RFECV": Method(others.rfecv, "step", (others.RFE_STEP,), cost=40),
    "SelectFromModel": Method(
        others.select_from_model, "times the mean", (1.0, 2.0, 3.0, 4.0, 6.0, 12.0, 25.0, 50.0, 100.0), cost=2.2
    ),
    "mRMR": Method(others.mrmr, "K", (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0), "mrmr", cost=15),
    "LASSO": Method(others.lasso, "C / least C", (1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0), cost=2),
    "all": Method(others.everything, "", (1.0,), cost=0.5),
}
OURS = ("GRRF", "RRF", "consensus")


@functools.cache
def is_at_hand(package: str) -> bool:
    """Whether a package of Python, or with "R: " before its name of R, is installed."""
    if not package.startswith("R: "):
        return not package or find_spec(package) is not None
    if shutil.which("Rscript") is None:
        return False
    asked = f"quit(status = !requireNamespace('{package[3:]}', quietly = TRUE))"
    return subprocess.run(["Rscript", "--vanilla", "-e", asked], capture_output=True, check=False).returncode == 0


def try_method(
    options: Options, case: str, number: int, method: str, settings: Sequence[float], limit: float
) -> dict[str, Any]:
    """Let a method select on a split and have it judged; say what it kept in time, and why there is no more."""
    told, found, trouble = part(options.data, case, number), dict[float, Kept](), ""
    try:
        with warnings.catch_warnings(), processor_limit(limit):
            warnings.simplefilter("ignore")
            for setting, kept in METHODS[method].select(told, settings, seed_of("selection", case, number, method)):
                found[setting] = kept
    except PastLimit:
        trouble = f"past {limit:g} s"
    except Exception as error:
        trouble = f"{type(error).__name__}: {error}"[:300]
    return {"found": judged(told, found), "trouble": trouble}


def judged(told: Part, found: dict[float, Kept]) -> dict[str, dict[str, Any]]:
    """Return what was kept by setting, with its error by the judge; equal subsets are judged once."""
    errors: dict[tuple[int, ...], float] = {}
    answer = {}
    for setting, kept in found.items():
        columns = tuple(int(j) for j in kept.columns)
        if columns not in errors:
            errors[columns] = judge(told, kept.columns)
        answer[f"{setting:g}"] = {
            "columns": list(columns), "error": errors[columns], "own": kept.own, "seconds": kept.seconds
        }  # fmt: skip
    return answer
