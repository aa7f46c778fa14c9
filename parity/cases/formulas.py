"""The formula interface: terms, transformed columns, subsets, missing values, new data."""

from typing import Any

from parity.steps import (
    Bare,
    Part,
    Positions,
    Ref,
    Step,
    case,
    compute,
    importance,
    predict,
    printed,
    refused,
    runif,
    seed,
)

DATA = Part("data")
NEW = {"newdata": Part("new")}


def fit(formula: str, name: str = "fit", **args: Any) -> Step:
    """RRF(formula, data, ...)."""
    return Step("RRF", {"formula": Bare(formula), "data": DATA, **args}, name)


TERMS = {
    "all": ("formula_swiss", "Fertility ~ ."),
    "without": ("formula_cars", "log(price) ~ . - make - fuelType"),
    "no_intercept": ("formula_swiss", "log(Fertility) ~ . - 1"),
    "zero_intercept": ("formula_swiss", "Fertility ~ 0 + Catholic + Education"),
    "dot_after_a_column": ("formula_swiss", "Fertility ~ Education + ."),
    "two_columns": ("formula_iris", "Species ~ Sepal.Length + Petal.Width"),
    "one_column": ("formula_swiss", "Fertility ~ Education"),
    "star": ("formula_swiss", "Fertility ~ Education * Catholic + Agriculture"),
    "power": ("formula_swiss", "Fertility ~ (Education + Catholic + Agriculture)^2 - Education:Catholic"),
    "interaction_first": ("formula_cars", "price ~ fuelType:horsepower + width"),
    "three_way": ("formula_swiss", "Fertility ~ Education:Catholic:Agriculture + Agriculture:Catholic"),
    "nested": ("formula_swiss", "Fertility ~ Agriculture / Education + Catholic %in% Examination"),
    "dot_squared": ("formula_iris", "Species ~ .^2"),
    "twice": ("formula_swiss", "Fertility ~ Education + Catholic + Education"),
    "response_on_the_right": ("formula_swiss", "log(Fertility) ~ Fertility + Education"),
    "help_page": ("formula_swiss", "Fertility ~ . - Catholic + I(Catholic < 50)"),
    "types": ("formula_types", "Sepal.Length ~ . - grade"),
    "many_levels": ("formula_cars", "numOfDoors ~ make + price + bodyStyle"),
}
COMPUTED = {
    "squares": ("formula_swiss", "Fertility ~ . + I(Education^2) + I(Catholic**3) + I(Agriculture^0.5)"),
    "logarithms": (
        "formula_swiss",
        "Fertility ~ . + log(Education) + log2(Catholic) + log10(Agriculture) + log1p(Examination) + log(Catholic, 3)",
    ),
    "exponentials": ("formula_swiss", "Fertility ~ . + exp(Education/10) + expm1(Catholic/50) + sqrt(Agriculture)"),
    "waves": (
        "formula_swiss",
        "Fertility ~ . + sin(Education) + cos(Catholic) + tan(Agriculture) + abs(-Education)",
    ),
    "arithmetic": ("formula_swiss", "Fertility ~ . + I((Education+1)*2/Catholic) + I(-Catholic) + I(Education - 1e5)"),
    "conditions": ("formula_swiss", "Fertility ~ . + I(Education>10 & !(Catholic<50) | Examination==3)"),
    "factors": (
        "formula_swiss",
        "Fertility ~ factor(Examination > 15) + as.factor(Education > 8) + Examination + Education",
    ),
    "choice": ("formula_swiss", "Fertility ~ ifelse(Catholic > 50, Education, 0) + Catholic + Education"),
    "of_a_dropped_column": ("formula_iris", "Species ~ . - Sepal.Length + log(Sepal.Length)"),
    "numbers_of_a_factor": (
        "formula_cars",
        "price ~ as.numeric(bodyStyle) + bodyStyle + height + floor(height)",
    ),
}
RESPONSES = {
    "condition": ("formula_swiss", "as.factor(Fertility > 70) ~ ."),
    "difference": ("formula_swiss", "Fertility - Education ~ ."),
    "quotient": ("formula_swiss", "I(Fertility / 10)^2 ~ Education + Catholic"),
    "text": ("formula_types", "factor(word) ~ count + flag + Species"),
    "ordered": ("formula_types", "grade ~ Petal.Width + Species"),
    "choice": ("formula_types", "as.factor(ifelse(count > 3, 'many', 'few')) ~ Petal.Width + Species + flag"),
}

PLAIN = [
    case(f"formula_{kind}_{name}", data, seed(at), fit(formula, ntree=8, mtry=2), predict(**NEW), runif(1))
    for kind, table in {"terms": TERMS, "computed": COMPUTED, "response": RESPONSES}.items()
    for at, (name, (data, formula)) in enumerate(table.items(), start=100)
    if name != "one_column"
] + [case("formula_terms_one_column", "formula_swiss", seed(99), fit("Fertility ~ Education", ntree=8), predict(**NEW))]

SWISS, SPECIES = "Fertility ~ .", "Species ~ ."
MISSING = [
    case(
        "formula_na_fail",
        "formula_swiss",
        seed(1),
        refused(fit(SWISS, data=Part("holed"), ntree=5), "data", "missing values in object"),
        runif(1),
    ),
    case(
        "formula_na_omit",
        "formula_swiss",
        seed(2),
        fit(SWISS, data=Part("holed"), na_action=Bare("na.omit"), ntree=10, importance=True),
        predict(),
        predict("new", **NEW),
    ),
    case(
        "formula_na_omit_text",
        "formula_iris",
        seed(3),
        fit(SPECIES, data=Part("holed"), na_action="na.omit", ntree=10, proximity=True),
        predict("all", newdata=Part("holed")),
    ),
    case(
        "formula_na_omit_dropped_column",
        "formula_swiss",
        seed(4),
        fit("Fertility ~ . - Education", data=Part("holed"), na_action=Bare("na.omit"), ntree=10),
        predict(**NEW),
    ),
    case(
        "formula_na_omit_unused_column",
        "formula_swiss",
        seed(5),
        fit("log(Fertility) ~ Catholic + Examination", data=Part("holed"), na_action=Bare("na.omit"), ntree=10),
        predict(**NEW),
    ),
    case(
        "formula_na_omit_condition",
        "formula_swiss",
        seed(6),
        fit("as.factor(Fertility > 70) ~ Catholic", data=Part("holed"), na_action=Bare("na.omit"), ntree=10),
        predict(**NEW),
    ),
    case(
        "formula_na_roughfix",
        "formula_swiss",
        seed(7),
        fit(SWISS, data=Part("holed"), na_action=Bare("na.roughfix"), ntree=10, importance=True),
        predict(**NEW),
    ),
    case(
        "formula_na_roughfix_factor",
        "formula_iris",
        seed(8),
        fit(SPECIES, data=Part("holed"), na_action=Bare("na.roughfix"), ntree=10),
    ),
    case(
        "formula_na_roughfix_log",
        "formula_swiss",
        seed(9),
        fit("log(Fertility) ~ . + log(Catholic)", data=Part("holed"), na_action=Bare("na.roughfix"), ntree=10),
    ),
    case(
        "formula_new_data_missing",
        "formula_iris",
        seed(10),
        fit(SPECIES, ntree=10),
        predict("response", **NEW),
        predict("prob", **NEW, type="prob"),
        predict("vote", **NEW, type="vote", norm_votes=False),
        predict("trees", **NEW, predict_all=True),
        predict("near", **NEW, proximity=True),
        predict("nodes", **NEW, nodes=True),
        predict("cutoff", **NEW, cutoff=[0.6, 0.2, 0.2]),
        runif(1),
    ),
    case(
        "formula_new_data_missing_regression",
        "formula_swiss",
        seed(11),
        fit(SWISS, ntree=10),
        predict("response", **NEW),
        predict("trees", **NEW, predict_all=True),
        predict("nodes", **NEW, nodes=True),
    ),
    case(
        "formula_new_data_all_missing",
        "formula_iris",
        seed(12),
        fit(SPECIES, ntree=10),
        predict("response", newdata=Part("gone")),
        predict("prob", newdata=Part("gone"), type="prob"),
        runif(1),
    ),
    case(
        "formula_new_data_all_missing_regression",
        "formula_swiss",
        seed(13),
        fit(SWISS, ntree=10),
        predict(newdata=Part("gone")),
    ),
]

ROWS = [
    case(
        "formula_subset",
        "formula_swiss",
        seed(1),
        fit(SWISS, subset=Bare("Catholic > 10"), ntree=10),
        predict(**NEW),
    ),
    case(
        "formula_subset_two_conditions",
        "formula_swiss",
        seed(2),
        fit("log(Fertility) ~ .", subset=Bare("Catholic > 10 & Education < 20"), ntree=10),
        predict(),
    ),
    case("formula_subset_booleans", "formula_swiss", seed(3), fit(SWISS, subset=Part("half"), ntree=10)),
    case(
        "formula_subset_positions",
        "formula_iris",
        seed(4),
        fit(SPECIES, subset=Positions((*range(3, 20), *range(25, 45))), ntree=10),
    ),
    case(
        "formula_subset_before_missing",
        "formula_swiss",
        seed(5),
        fit("Fertility ~ Catholic", data=Part("holed"), subset=Bare("Catholic > 10"), na_action="na.omit", ntree=10),
    ),
]

CALLS = [
    case(
        "formula_arguments",
        "formula_iris",
        seed(1),
        fit(SPECIES, ntree=12, mtry=2, localImp=True, proximity=True, keep_inbag=True, nodesize=3, maxnodes=5),
        importance(),
        printed(),
        predict(),
    ),
    case(
        "formula_arguments_regression",
        "formula_swiss",
        seed(2),
        fit(SWISS, ntree=12, mtry=3, localImp=True, nPerm=2, proximity=True, keep_inbag=True, corr_bias=True),
        importance(),
        printed(),
        predict(**NEW),
    ),
    case(
        "formula_guided",
        "formula_iris",
        seed(3),
        fit(SPECIES, "ordinary", flagReg=0, ntree=15),
        compute("weights", "weights", fit=Ref("ordinary"), gamma=0.6),
        fit(SPECIES, coefReg=Ref("weights"), flagReg=1, ntree=15),
    ),
    case("formula_unsupervised", "formula_swiss", seed(4), fit("~ . - Fertility", ntree=8), printed()),
    case(
        "formula_test_set_by_position",
        "formula_swiss",
        seed(5),
        fit("Fertility ~ Education + Catholic", xtest=Part("test"), ntree=8),
    ),
    case("formula_ordered_predictor", "formula_types", seed(6), fit("Sepal.Length ~ grade + Petal.Width", ntree=8)),
    case(
        "formula_ordered_predictor_later",
        "formula_types",
        seed(61),
        fit("Sepal.Length ~ Petal.Width + grade + flag", ntree=8),
        predict(**NEW),
    ),
    case("formula_offset", "formula_swiss", seed(7), fit("Fertility ~ Education + offset(Catholic)", ntree=8)),
    case("formula_trace", "formula_swiss", seed(8), fit(SWISS, ntree=9, do_trace=3)),
    case(
        "formula_two_fits",
        "formula_swiss",
        seed(9),
        fit(SWISS, ntree=5),
        fit("log(Fertility) ~ .", "second", ntree=5),
        runif(1),
    ),
    case(
        "formula_refused",
        "formula_swiss",
        seed(10),
        refused(fit("Fertility ~ nothing", ntree=5), "formula", "object 'nothing' not found"),
        runif(1),
    ),
    case(
        "formula_new_data_without_a_column",
        "formula_iris",
        seed(11),
        fit("Species ~ Sepal.Length + Petal.Width", ntree=5),
        refused(predict(newdata=Part("gone_column")), "newdata", "object 'Petal.Width' not found"),
        runif(1),
    ),
]

CASES = [*PLAIN, *MISSING, *ROWS, *CALLS]
