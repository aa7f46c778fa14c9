"""The companions on fits from formulas, and rrfImpute's own formula."""

from __future__ import annotations

from typing import Any

from parity.cases.combining import combine, grow
from parity.cases.formulas import DATA, NEW, SPECIES, SWISS, fit
from parity.cases.showing import partial
from parity.steps import Bare, Part, Step, case, predict, printed, refused, runif, seed

CARS = "log(price) ~ horsepower + bodyStyle + width"


def impute(formula: str, **args: Any) -> Step:
    return Step("rrfImpute", {"x": Bare(formula), "data": Part("holed"), "iter": 2, "ntree": 8, **args}, "full")


CASES = [
    case(
        "grown_formula", "formula_iris", seed(1), fit(SPECIES, ntree=4), grow(3), predict(of="grown", **NEW), runif(1)
    ),
    case("grown_formula_regression", "formula_swiss", seed(2), fit(SWISS, ntree=4, importance=True), grow(3), runif(1)),
    case(
        "combined_formulas",
        "formula_swiss",
        seed(3),
        fit(SWISS, "first", ntree=4),
        fit(SWISS, "second", ntree=3, mtry=2),
        combine("first", "second"),
        predict(of="both", **NEW),
        printed(of="both"),
    ),
    case(
        "partial_formula",
        "formula_cars",
        seed(4),
        fit(CARS, ntree=6, mtry=2),
        partial("horsepower", pred_data=DATA, n_pt=9),
        partial("bodyStyle", "bars", pred_data=DATA),
    ),
    case(
        "partial_formula_logarithm",
        "formula_swiss",
        seed(5),
        fit("as.factor(Fertility > 70) ~ Catholic + log(Catholic) + Education", ntree=5),
        partial("Catholic", pred_data=DATA, n_pt=12),
        predict("after", **NEW),
    ),
    case("imputed_by_formula", "formula_swiss", seed(6), refused(impute(SWISS), "y", "Can't have NAs iny"), runif(1)),
    case(
        "imputed_by_formula_classes",
        "formula_iris",
        seed(7),
        refused(impute(SPECIES, nodesize=3), "y", "Can't have NAs iny"),
        runif(1),
    ),
    case(
        "imputed_by_formula_subset",
        "formula_swiss",
        seed(8),
        refused(impute(SWISS, data=Part("holed"), subset=[*range(1, 31)]), "y", "Can't have NAs iny"),
    ),
]
