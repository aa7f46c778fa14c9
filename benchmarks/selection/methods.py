"""The methods by name, and the job that tries one on a split."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.jobs.job import Options, seed_of
from benchmarks.jobs.r import has_package
from benchmarks.selection import others, ours, ranger
from benchmarks.selection.cases import CASES, SPLITS, Part, part
from benchmarks.selection.judge import judge
from benchmarks.selection.kept import SIZES, Kept, Method, keep_within

GAMMAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
METHODS = {
    "elimination": Method(
        ours.elimination, "K", SIZES, "`EliminationSelector` with its defaults", cost=1.6, splits=SPLITS
    ),
    "elimination, cv": Method(
        ours.elimination_cv, "", (1.0,), "the same; the size by 5 folds", cost=5.5, splits=SPLITS
    ),
    "RFE, pyrrf": Method(
        ours.rfe,
        "K",
        SIZES,
        f"scikit-learn's `RFE` on our ordinary forests of {ours.RFE_TREES} trees",
        cost=1.2,
        splits=SPLITS,
    ),
    "RFE": Method(
        others.rfe, "K", SIZES, f"forests of {others.RFE_TREES} trees, a tenth dropped at a time", cost=6, splits=10
    ),
    "SelectFromModel": Method(
        others.select_from_model,
        "K",
        SIZES,
        f"the largest importances of a forest of {others.TREES} trees",
        cost=1.6,
        splits=SPLITS,
    ),
    "mRMR": Method(
        others.mrmr, "K", SIZES, "`mrmr_classif` and `mrmr_regression` with their defaults", "mrmr", cost=4, splits=10
    ),
    "LASSO": Method(
        others.lasso,
        "K",
        SIZES,
        "L1 penalty; classes: `LogisticRegression`, each against the others; columns standardised; the largest "
        "coefficients of the sparsest model of at least K",
        splits=SPLITS,
    ),
    "CatBoost, SHAP": Method(
        others.catboost_shap,
        "K",
        SIZES,
        "`select_features` by RecursiveByShapValues, {steps} steps, {iterations} rounds of depth {depth}".format(
            steps=others.SHAP_STEPS, **others.SHAP
        ),
        "catboost",
        cost=10,
    ),
    "LightGBM, RFE": Method(
        others.lightgbm_rfe,
        "K",
        SIZES,
        f"total gain, {others.ROUNDS} rounds, a fifth of the features left dropped at a time",
        "lightgbm",
        cost=3.5,
    ),
    "permutation RFE": Method(
        others.permutation_rfe,
        "K",
        SIZES,
        f"scikit-learn's `permutation_importance`, {others.PERMUTATIONS} times, on a third of the training rows, of a "
        f"forest of {others.PERMUTED_TREES} trees on the others; a fifth dropped at a time; with more than "
        f"{others.PERMUTED} left by the forest's importances",
        cost=9,
    ),
    "GRRF": Method(
        ours.grrf,
        "gamma",
        GAMMAS,
        f"`GRRFSelector`; a guide of {ours.GUIDE_TREES:,} trees (its default: 5,000)",
        cost=2.5,
        splits=10,
    ),
    "GRRF, gain": Method(ours.grrf_gain, "gamma", GAMMAS, "the same with `penalty='gain'`", cost=3.5),
    "GRRF, p/3": Method(ours.grrf_third, "gamma", GAMMAS, "the same with `max_features=1/3`", cost=3.1),
    "GRRF, both": Method(ours.grrf_both, "gamma", GAMMAS, "the same with both", cost=4),
    "RRF": Method(
        ours.rrf,
        "coef_reg",
        (1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.4),
        "`RRFClassifier`, `RRFRegressor` with their defaults",
        cost=2.5,
    ),
    "consensus": Method(
        ours.consensus,
        "threshold",
        (0.03, 0.05, 0.08, 0.12, 0.2, 0.35, 0.5, 0.7, 0.9),
        f"`StabilitySelector` of `GRRFSelector` at gamma {ours.CONSENSUS_GAMMA}, {ours.PAIRS} pairs of halves "
        f"(its default: 50), {ours.CONSENSUS_GUIDE} trees in each guide",
        cost=8,
    ),
    "LightGBM": Method(
        others.lightgbm_cegb,
        "penalty a row",
        (0.0, 0.001, 0.003, 0.01, 0.03, 0.1),
        f"`cegb_penalty_feature_coupled`, {others.ROUNDS} rounds",
        "lightgbm",
        cost=3.6,
    ),
    "CatBoost": Method(
        others.catboost,
        "penalties_coefficient",
        (0.0, 0.3, 1.0, 2.0, 4.0),
        "`first_feature_use_penalties`, {iterations} rounds of depth {depth} (its defaults: 1,000 of depth 6)".format(
            **others.CATBOOST
        ),
        "catboost",
        cost=5,
    ),
    "ranger": Method(
        ranger.ranger,
        "regularization.factor",
        (1.0, 0.9, 0.7, 0.5, 0.1),
        f"{ranger.TREES} trees, its defaults; features that its trees split by",
        "R: ranger",
        cost=6,
    ),
    "boruta_py": Method(
        others.boruta,
        "perc",
        (100.0,),
        "at most {max_iter} forests of {n_estimators} trees of depth {depth} (its defaults: 100 of 1,000 trees); "
        "features confirmed".format(depth=others.BORUTA_DEPTH, **others.BORUTA),
        "boruta",
        cost=8,
    ),
    "RFECV": Method(
        others.rfecv,
        "step",
        (others.RFE_STEP,),
        f"forests of {others.RFECV_TREES} trees (by default 100), {others.FOLDS} folds; the size of the best score",
        cost=12,
    ),
    "RFECV, pyrrf": Method(
        ours.rfecv,
        "step",
        (others.RFE_STEP,),
        f"scikit-learn's `RFECV` on our ordinary forests of {ours.RFE_TREES} trees, {others.FOLDS} folds",
        cost=4,
        splits=0,
    ),
    "Boruta": Method(ours.boruta, "", (1.0,), "`BorutaSelector` with its defaults", cost=2.5, splits=0),
    "all": Method(others.everything, "", (1.0,), "all features", cost=0.5, splits=SPLITS),
}
OURS = ("elimination", "GRRF", "RRF", "consensus")
CHOOSE_A_SIZE = ("elimination, cv", "RFECV", "boruta_py")
# On the cases that confirm: methods that are told a size, ours first, and methods that choose one.
TOLD = (
    "elimination", "RFE, pyrrf", "permutation RFE", "CatBoost, SHAP", "LightGBM, RFE", "LASSO", "mRMR",
    "SelectFromModel",
)  # fmt: skip
CHOOSE = ("elimination, cv", "RFECV, pyrrf", "Boruta")
CONFIRM_SPLITS = 1


def splits_of(case: str, method: str) -> int:
    """Count the splits of a case for a method."""
    if CASES[case].confirm:
        return CONFIRM_SPLITS if method in (*TOLD, *CHOOSE, "all") else 0
    return 0 if CASES[case].tuning else METHODS[method].splits


def is_at_hand(package: str) -> bool:
    """Whether a package of Python, or with "R: " before its name of R, is installed."""
    if package.startswith("R: "):
        return has_package(package[3:])
    return not package or find_spec(package) is not None


def try_method(
    options: Options, case: str, number: int, method: str, settings: Sequence[float], limit: float, made: str = ""
) -> dict[str, Any]:
    """Let a method select on a split and have it judged; say what it kept in time, and why there is no more.

    `made` is what a truth is made by, so that answers for another version of it do not count.
    """
    told, seed = part(options.data, case, number), seed_of("selection", case, number, method)
    package = METHODS[method].package
    if package and not package.startswith("R: "):
        import_module(package)  # once, and not in each of the processes that are forked for a fit
    found, trouble = keep_within(limit, METHODS[method].select, told, settings, seed)
    return {"found": judged(told, found), "trouble": trouble}


def try_again(
    options: Options, case: str, number: int, method: str, settings: Sequence[float], limit: float,
    first: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Try a method on a further split, unless it had no answer in time on the first."""
    if first["trouble"].startswith("past ") and not first["found"]:
        return {"found": {}, "trouble": f"not tried, since the first was {first['trouble']}"}
    return try_method(options, case, number, method, settings, limit)


def judged(told: Part, found: dict[float, Kept]) -> dict[str, dict[str, Any]]:
    """Return what was kept by setting, with its errors by the judges; equal subsets are judged once."""
    errors: dict[tuple[int, ...], dict[str, float]] = {}
    answer = {}
    for setting, kept in found.items():
        columns = tuple(sorted(told.order[kept.columns].tolist()))
        if columns not in errors:
            errors[columns] = judge(told, kept.columns)
        answer[f"{setting:g}"] = {"columns": list(columns), "errors": errors[columns], "seconds": kept.seconds}
    return answer
