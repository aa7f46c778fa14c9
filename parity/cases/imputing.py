"""na_roughfix and rrfImpute."""

from __future__ import annotations

from typing import Any

from parity.steps import Part, Step, case, compute, refused, runif, seed


def roughfix(name: str = "fixed", part: str = "x") -> Step:
    return Step("na_roughfix", {"object": Part(part)}, name)


def impute(name: str = "full", **args: Any) -> Step:
    return Step("rrfImpute", {"x": Part("x"), "y": Part("y"), **args}, name)


CASES = [
    case(
        "rough_numbers",
        "missing_numbers",
        seed(1),
        roughfix(),
        roughfix("matrix", "matrix"),
        roughfix("vector", "vector"),
        roughfix("classes", "y"),
    ),
    case("rough_factors", "missing_factors", seed(2), roughfix()),
    case("rough_ordered", "missing_ordered", seed(3), roughfix()),
    case("rough_whole", "iris", seed(4), roughfix()),
    case(
        "refused_rough",
        "each_type",
        seed(5),
        refused(roughfix(), "object", "na.roughfix only works for numeric or factor", "TypeError"),
        runif(1),
    ),
    case("imputed_numbers", "missing_numbers", seed(6), impute(iter=3, ntree=15), runif(1)),
    case("imputed_factors", "missing_factors", seed(7), impute(iter=3, ntree=12), runif(1)),
    case("imputed_ordered", "missing_ordered", seed(8), impute(iter=2, ntree=12), runif(1)),
    case("imputed_matrix", "missing_numbers", seed(9), impute(x=Part("matrix"), iter=2, ntree=10), runif(1)),
    case(
        "imputed_with_arguments",
        "missing_factors",
        seed(10),
        impute(iter=2, ntree=8, mtry=1, coefReg=0.7, oob_prox=False, nodesize=4),
        runif(1),
    ),
    case(
        "imputed_formula",
        "missing_factors",
        seed(11),
        compute("impute_formula", "full", data=Part("data"), ntree=8, iter=2),
        runif(1),
    ),
    case(
        "imputed_formula_ordered",
        "missing_ordered",
        seed(12),
        compute("impute_formula", "full", data=Part("data"), ntree=8, iter=2),
        runif(1),
    ),
    case("refused_imputations", "iris", seed(13), refused(impute(ntree=3), "x", "No NAs found in part.x"), runif(1)),
]
