"""tuneRRF and rrfcv."""

from __future__ import annotations

from typing import Any

from parity.steps import Part, Step, case, compute, refused, runif, seed


def tune(name: str = "tuned", **args: Any) -> Step:
    return Step("tuneRRF", {"x": Part("x"), "y": Part("y"), "plot": False, "ntreeTry": 8, **args}, name)


def best(*keep: str, **args: Any) -> Step:
    """The fit with the best mtry; of its 500 trees only some components are compared."""
    found = tune("best", doBest=True, **args)
    return Step(found.verb, found.args, found.name, keep)


def cross_validate(name: str = "cv", **args: Any) -> Step:
    return Step("rrfcv", {"trainx": Part("x"), "trainy": Part("y"), **args}, name)


CASES = [
    case("tuned", "wide", seed(1), tune(), runif(1)),
    case("tuned_silently", "wide_ties", seed(2), tune(trace=False), runif(1)),
    case("tuned_small_steps", "fgl", seed(3), tune(stepFactor=1.5, improve=0.01), runif(1)),
    case("tuned_upwards_first", "two", seed(27), tune(stepFactor=0.5, mtryStart=2, ntreeTry=2, improve=0), runif(1)),
    case("tuned_to_infinity", "fgl", seed(28), tune(stepFactor=0), tune("tiny", stepFactor=1e-20, improve=0), runif(1)),
    case("tuned_from_one", "classes3", seed(4), tune(mtryStart=1, improve=0), runif(1)),
    case("tuned_from_all", "two", seed(5), tune(mtryStart=6, ntreeTry=3), runif(1)),
    case("tuned_from_fraction", "vehicle", seed(6), tune(mtryStart=2.5, ntreeTry=3), runif(1)),
    case(
        "tuned_best",
        "classes4",
        seed(7),
        best("err.rate", "importance", "mtry", "feaSet", coefReg=0.9, nodesize=2),
        runif(1),
    ),
    case("tuned_factors", "factors_small3", seed(8), tune(flagReg=0), runif(1)),
    case(
        "refused_tuning",
        "two",
        seed(9),
        refused(tune(improve=-0.1), "improve", "improve must be non-negative."),
        runif(1),
    ),
    case("validated", "classes3", seed(10), cross_validate(ntree=6), runif(1)),
    case("validated_recursive", "vehicle", seed(11), cross_validate(ntree=3, cv_fold=3, recursive=True), runif(1)),
    case("validated_thirds", "fgl", seed(12), cross_validate(ntree=3, cv_fold=3, step=0.34), runif(1)),
    case("validated_tenths", "wide", seed(13), cross_validate(ntree=3, cv_fold=2, step=0.1), runif(1)),
    case("validated_linear", "two", seed(14), cross_validate(ntree=4, cv_fold=3, scale="linear", step=-2), runif(1)),
    case("validated_fractions", "two", seed(15), cross_validate(ntree=4, cv_fold=3, scale="step", step=-1.5), runif(1)),
    case("validated_factors", "factors_small", seed(16), cross_validate(ntree=4, cv_fold=4, coefReg=1), runif(1)),
    case(
        "validated_own_mtry",
        "classes4",
        seed(17),
        compute("cross_validate", "cv", x=Part("x"), y=Part("y"), ntree=4, recursive=True),
        runif(1),
    ),
    case("validated_two_columns", "two_columns", seed(18), cross_validate(ntree=4, cv_fold=2), runif(1)),
    # Every fifth of the response has fewer rows than there are folds, so that some folds are empty.
    case("validated_seventeen_rows", "slope_seventeen_rows", seed(20), cross_validate(ntree=4), runif(1)),
    case("validated_six_rows", "slope_six_rows", seed(21), cross_validate(ntree=4, recursive=True), runif(1)),
    case("validated_many_folds", "classes3", seed(22), cross_validate(ntree=2, cv_fold=30, step=0.2), runif(1)),
    case(
        "refused_validations",
        "two",
        seed(19),
        refused(cross_validate("sign", ntree=3, scale="linear", step=1), "step", "wrong sign in 'by' argument"),
        runif(1),
    ),
]
