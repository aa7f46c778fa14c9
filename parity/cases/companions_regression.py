"""The companions on regressions and unsupervised forests."""

from __future__ import annotations

from parity.cases.combining import combine, grow
from parity.cases.imputing import impute
from parity.cases.selecting import best, cross_validate, tune
from parity.cases.showing import outlier, partial, shown
from parity.steps import Part, Ref, Step, case, compute, fit, importance, margin, predict, printed, runif, seed

TEST = {"xtest": Part("xtest"), "ytest": Part("ytest")}
ERRORS = Step("plot", {"x": Ref("fit")}, "errors")


CASES = [
    case(
        "combined_regressions",
        "slope_small",
        seed(1),
        fit("first", ntree=4),
        fit("second", ntree=7, flagReg=0),
        combine("first", "second"),
        predict(of="both", newdata=Part("x"), predict_all=True),
        predict("out_of_bag", of="both"),
        printed(of="both"),
        combine("both", "first", name="again"),
        runif(1),
    ),
    case(
        "combined_regression_measures",
        "slope",
        seed(2),
        fit("first", ntree=5, localImp=True, proximity=True, keep_inbag=True),
        fit("second", ntree=3, localImp=True, proximity=True),
        fit("third", ntree=3, importance=True),
        combine("first", "second"),
        importance(of="both"),
        combine("third", "first", name="part"),
    ),
    case(
        "combined_regression_test_sets",
        "slope_split",
        seed(3),
        fit("first", ntree=4, proximity=True, **TEST),
        fit("second", ntree=5, proximity=True, **TEST),
        combine("first", "second"),
        printed(of="both"),
    ),
    case(
        "combined_part_of_regression_test_sets",
        "slope_split",
        seed(4),
        fit("first", ntree=4, **TEST),
        fit("second", ntree=5),
        combine("first", "second"),
        printed(of="both"),
    ),
    case(
        "combined_bias_corrections",
        "slope_small",
        seed(5),
        fit("first", ntree=6, corr_bias=True),
        fit("second", ntree=6, corr_bias=True),
        combine("first", "second"),
        predict(of="both", newdata=Part("x")),
        printed(of="both"),
    ),
    case(
        "combined_regression_factors",
        "levels_few",
        seed(6),
        fit("first", ntree=3),
        fit("second", ntree=2),
        combine("first", "second"),
    ),
    case("grown_regression", "slope", seed(7), fit(ntree=4, importance=True, nPerm=2, mtry=2), grow(3), runif(1)),
    case(
        "grown_regression_test_set", "slope_split", seed(8), fit(ntree=3, keep_forest=True, **TEST), grow(4), runif(1)
    ),
    case(
        "combined_unsupervised",
        "small",
        seed(9),
        fit("first", y=None, ntree=4),
        fit("second", y=None, ntree=5, norm_votes=False),
        combine("first", "second"),
        printed(of="both"),
        runif(1),
    ),
    case("grown_unsupervised", "two", seed(10), fit(y=None, ntree=3, importance=True), grow(4), runif(1)),
    case("outliers_unsupervised", "small", seed(11), fit(y=None, ntree=8), outlier()),
    case(
        "refused_of_regressions", "slope_small", seed(12), fit(ntree=3, proximity=True), outlier(), margin(), runif(1)
    ),
    case("errors_of_regression", "slope", seed(13), fit(ntree=8), ERRORS),
    case("errors_of_regression_test_set", "slope_split", seed(14), fit(ntree=8, **TEST), ERRORS),
    case("refused_errors", "small", seed(15), fit(y=None, ntree=3), ERRORS, runif(1)),
    case(
        "importances_of_regression",
        "slope",
        seed(16),
        fit(ntree=8, importance=True),
        shown(),
        shown("raw", scale=False),
        shown("one", type=1),
        shown("two", type=2, n_var=2),
    ),
    case(
        "partial_regression",
        "boston",
        seed(17),
        fit(ntree=6),
        partial("lstat"),
        partial("chas", "flag"),
        partial("rad", "rad"),
    ),
    case(
        "partial_regression_factors",
        "servo",
        seed(18),
        fit(ntree=8, flagReg=0),
        partial("Motor"),
        partial("Pgain", "gain"),
    ),
    case(
        "partial_regression_matrix",
        "slope_small",
        seed(19),
        fit(ntree=6, corr_bias=True),
        compute("partial_column", "curve", fit=Ref("fit"), x=Part("x")),
    ),
    case("tuned_regression", "boston", seed(20), tune(ntreeTry=4), runif(1)),
    case("tuned_regression_two_columns", "missing_slope", seed(21), tune(x=Part("two"), ntreeTry=4), runif(1)),
    case(
        "tuned_regression_best",
        "slope",
        seed(22),
        best("mse", "importance", "mtry", "feaSet", ntreeTry=5, trace=False, stepFactor=1.3),
        runif(1),
    ),
    case("validated_regression", "boston", seed(23), cross_validate(ntree=3, cv_fold=3), runif(1)),
    case(
        "validated_regression_recursive",
        "slope_wide",
        seed(24),
        cross_validate(ntree=4, cv_fold=3, recursive=True),
        runif(1),
    ),
    case("validated_regression_ties", "slope_ties", seed(25), cross_validate(ntree=4, cv_fold=4, flagReg=0), runif(1)),
    case("imputed_regression", "missing_slope", seed(26), impute(iter=3, ntree=10), runif(1)),
    case(
        "imputed_regression_matrix",
        "missing_slope",
        seed(27),
        impute(x=Part("matrix"), iter=2, ntree=8, mtry=2),
        runif(1),
    ),
    case(
        "imputed_regression_formula",
        "missing_slope",
        seed(28),
        compute("impute_formula", "full", data=Part("data"), ntree=8, iter=2),
    ),
    case("rough_airquality", "missing_air", seed(29), Step("na_roughfix", {"object": Part("x")}, "fixed")),
    case("imputed_airquality", "missing_air", seed(30), impute(iter=2, ntree=10), runif(1)),
]
