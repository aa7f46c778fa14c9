"""The checks of scikit-learn that estimators fail, with the reason; docs/pipeline.md lists them."""

from __future__ import annotations

from typing import Any

DENSE = {"check_sample_weight_equivalence_on_dense_data": "rows are drawn"}
DRAWN = DENSE | {"check_sample_weight_equivalence_on_sparse_data": "rows are drawn"}
# The tests make warnings errors.
NONE_KEPT = {"check_fit_idempotent": "no column is related to y, and scikit-learn warns where none is kept"}
FAILURES = {
    **dict.fromkeys(("RRFClassifier", "RRFRegressor", "EliminationSelector", "GRRFSelector", "GRRFSelectorCV"), DRAWN),
    "StabilitySelector": DRAWN,
    **dict.fromkeys(("RBoostClassifier", "RBoostSelector"), DENSE),
    "BorutaSelector": DENSE | NONE_KEPT,
}
WEIGHTED = ("pandas_series", "not_an_array", "list", "shape", "not_overwritten")
NO_WEIGHTS = {f"check_sample_weights_{name}": "R's RRF has no weights of rows" for name in WEIGHTED}
NO_WEIGHTS["check_classifiers_one_label_sample_weights"] = "R's RRF has no weights of rows"


def expected_failures(estimator: Any) -> dict[str, str]:
    """The checks that an estimator fails."""
    if getattr(estimator, "boosting", "resample") != "resample":
        return {}
    known = FAILURES.get(type(estimator).__name__, {})
    return known | NO_WEIGHTS if getattr(estimator, "engine", "") == "r" else known
