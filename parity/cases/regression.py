"""Regression: data of all shapes, and every argument that it uses or ignores."""

from parity.steps import Column, Named, Part, Positions, case, fit, printed, refused, rnorm, runif, seed

TEST = {"xtest": Part("xtest"), "ytest": Part("ytest")}

DATA = [
    case("regression_default", "slope", seed(1), fit(ntree=20), printed(), runif(2)),
    case("regression_boston", "boston", seed(2), fit(ntree=15, importance=True), printed()),
    case("regression_airquality", "airquality", seed(3), fit(ntree=20, localImp=True)),
    case("regression_swiss", "swiss", seed(4), fit(ntree=25, mtry=2, importance=True)),
    case("regression_mtcars", "mtcars", seed(5), fit(ntree=20, coefReg=0.9, keep_inbag=True)),
    case("regression_servo", "servo", seed(6), fit(ntree=15, mtry=4, importance=True)),
    case("regression_imports", "imports_price", seed(7), fit(ntree=12, importance=True, nPerm=2)),
    case("regression_imports_ordinary", "imports_price", seed(8), fit(ntree=8, flagReg=0, mtry=25)),
    case("regression_ties", "slope_ties", seed(9), fit(ntree=20, mtry=8, importance=True)),
    case("regression_ties_in_tenths", "slope_tenths", seed(10), fit(ntree=15, mtry=4, coefReg=0.95)),
    case("regression_duplicates", "slope_duplicates", seed(11), fit(ntree=20, mtry=6, coefReg=1)),
    case("regression_few_values", "slope_counts", seed(12), fit(ntree=20), printed()),
    case("regression_one_value", "slope_constant", seed(13), fit(ntree=6, importance=True), printed()),
    case("regression_constant_columns", "slope_columns_constant", seed(14), fit(ntree=15, mtry=3, importance=True)),
    case("regression_wide", "slope_wide", seed(15), fit(ntree=15, importance=True)),
    case("regression_wide_ties", "slope_wide_ties", seed(16), fit(ntree=20, coefReg=0.6)),
    case("regression_one_column", "slope_one_column", seed(17), fit(**TEST, ntree=20, importance=True)),
    case("regression_two_rows", "slope_two_rows", seed(18), fit(ntree=5, nodesize=1, importance=True), printed()),
    case("regression_six_rows", "slope_six_rows", seed(19), fit(ntree=12, localImp=True, keep_inbag=True)),
    case("regression_one_tree", "slope", seed(20), fit(ntree=1, importance=True, localImp=True), printed()),
    case("regression_sorted", "slope_sorted", seed(21), fit(ntree=6, mtry=7, coefReg=1)),
    case("regression_extremes", "slope_extremes", seed(22), fit(ntree=12, mtry=5, importance=True), printed()),
    case("regression_neighbours", "slope_neighbours", seed(23), fit(ntree=15, mtry=3, flagReg=0)),
    case("regression_overflow", "slope_overflow", seed(24), fit(ntree=12, mtry=3)),
    case("regression_factors_2_to_9_levels", "levels_few", seed(25), fit(**TEST, ntree=15, mtry=4, keep_forest=True)),
    case("regression_factors_12_and_20_levels", "levels_many", seed(26), fit(ntree=12, mtry=3, importance=True)),
    case("regression_factors_31_and_32_levels", "levels_32", seed(27), fit(**TEST, ntree=10, mtry=3, importance=True)),
    case("regression_factors_only", "levels_only", seed(28), fit(ntree=15, mtry=2, coefReg=0.9)),
    case("regression_mixed_columns", "levels_mixed", seed(29), fit(**TEST, ntree=15, mtry=5, localImp=True)),
    case("regression_six_hundred_rows", "middling_slope", seed(30), fit(ntree=2, importance=True)),
]

ARGUMENTS = [
    case("regression_mtry", "slope", seed(31), fit(ntree=12, mtry=1), fit("large", ntree=4, mtry=60)),
    case("regression_mtry_fraction", "slope", seed(32), fit(ntree=12, mtry=2.5)),
    case("regression_without_replacement", "slope", seed(33), fit(ntree=15, replace=False, keep_inbag=True)),
    case("regression_sampsize", "slope", seed(34), fit(ntree=20, sampsize=25, keep_inbag=True)),
    case("regression_sampsize_fraction", "slope", seed(35), fit(ntree=10, sampsize=30.7, replace=False)),
    case("regression_sampsize_one", "slope", seed(36), fit(ntree=6, sampsize=1)),
    case(
        "regression_nodesize",
        "slope",
        seed(37),
        fit(ntree=5, nodesize=1),
        fit("none", ntree=4, nodesize=0),
        fit("large", ntree=6, nodesize=20),
        fit("fraction", ntree=6, nodesize=6.7),
    ),
    case("regression_nodesize_above_n", "slope", seed(38), fit(ntree=6, nodesize=200)),
    case("regression_maxnodes", "slope", seed(39), fit(ntree=15, maxnodes=6), fit("two", ntree=10, maxnodes=2)),
    case("regression_maxnodes_one", "slope", seed(40), fit(ntree=6, maxnodes=1)),
    case("regression_maxnodes_too_large", "slope", seed(41), fit(ntree=6, maxnodes=500)),
    case("regression_importance", "slope", seed(42), fit(ntree=20, importance=True), rnorm(2)),
    case("regression_nperm", "slope_ties", seed(43), fit(ntree=10, importance=True, nPerm=3)),
    case("regression_nperm_fraction", "slope", seed(44), fit(ntree=8, localImp=True, nPerm=2.9)),
    case("regression_nperm_zero", "slope", seed(45), fit(ntree=8, importance=True, nPerm=0)),
    case("regression_local_importance", "slope_small", seed(46), fit(ntree=12, localImp=True, **TEST)),
    case("regression_proximity", "slope_small", seed(47), fit(ntree=15, proximity=True)),
    case("regression_proximity_labelled", "slope_labelled", seed(48), fit(ntree=12, proximity=True, oob_prox=True)),
    case("regression_proximity_test_set", "slope_small", seed(49), fit(ntree=12, proximity=True, **TEST)),
    case("regression_oob_proximity_alone", "slope_small", seed(50), fit(ntree=8, proximity=False, oob_prox=True)),
    case("regression_bias_corrected", "slope", seed(51), fit(ntree=20, corr_bias=True), printed()),
    case(
        "regression_bias_corrected_test_set", "slope_split", seed(52), fit(ntree=12, corr_bias=True, **TEST), printed()
    ),
    case("regression_bias_corrected_few_trees", "slope", seed(53), fit(ntree=2, corr_bias=True), printed()),
    case("regression_no_forest", "slope", seed(54), fit(ntree=12, keep_forest=False, importance=True)),
    case("regression_test_set", "slope_split", seed(55), fit(ntree=15, **TEST), printed()),
    case("regression_test_set_unlabelled", "slope_split", seed(56), fit(ntree=12, xtest=Part("xtest")), printed()),
    case(
        "regression_test_set_forest", "slope_split", seed(57), fit(ntree=8, keep_forest=True, importance=True, **TEST)
    ),
    case("regression_imports_test_set", "imports_price_split", seed(58), fit(ntree=10, **TEST), printed()),
    case("regression_trace", "slope", seed(59), fit(ntree=9, do_trace=True)),
    case("regression_trace_test_set", "slope_split", seed(60), fit(ntree=11, do_trace=3, corr_bias=True, **TEST)),
    case("regression_trace_unlabelled", "slope_split", seed(61), fit(ntree=8, do_trace=4, xtest=Part("xtest"))),
    case("regression_trace_one_value", "slope_constant", seed(62), fit(ntree=4, do_trace=2)),
    case("regression_trace_large_values", "slope_extremes", seed(63), fit(ntree=5, do_trace=True)),
    case("regression_trace_missing", "slope_two_rows", seed(64), fit(ntree=3, do_trace=True)),
    case("regression_coefreg", "slope", seed(65), fit(ntree=15, coefReg=0.3), fit("one", ntree=10, coefReg=1)),
    case("regression_coefreg_vector", "slope", seed(66), fit(ntree=20, coefReg=[0.9, 0.5, 1.0, 0.25, 0.75, 0.6])),
    case(
        "regression_coefreg_column", "slope", seed(67), fit(ntree=12, coefReg=Column((0.9, 0.3, 0.8, 0.7, 1.0, 0.45)))
    ),
    case("regression_coefreg_zeros", "slope", seed(68), fit(ntree=12, coefReg=[0, 0, 0.4, 0, 0.9, -1.0])),
    case(
        "regression_coefreg_factors", "levels_few", seed(69), fit(ntree=12, coefReg=[0.9, 0.2, 0.7, 1.0, 0.5, 0.8, 0.1])
    ),
    case(
        "regression_coefreg_ignored", "slope", seed(70), fit(ntree=12, flagReg=0, coefReg=[0.1, 0.5, 1, 0.2, 0.7, 0.6])
    ),
    case("regression_initial_features", "slope", seed(71), fit(ntree=12, feaIni=Positions((4, 5)), coefReg=0.5)),
    case(
        "regression_ignored_arguments",
        "slope",
        seed(72),
        fit(ntree=8, classwt=[1, 2], cutoff=[0.2, 0.3], strata=Part("y"), norm_votes=False),
    ),
    case(
        "regression_many_at_once",
        "levels_mixed",
        seed(73),
        fit(
            ntree=12,
            mtry=3,
            replace=False,
            sampsize=31,
            nodesize=3,
            maxnodes=9,
            localImp=True,
            nPerm=2,
            proximity=True,
            corr_bias=True,
            keep_forest=True,
            keep_inbag=True,
            coefReg=[0.9, 0.8, 0.7, 1, 0.6, 0.5, 0.4],
            do_trace=4,
            **TEST,
        ),
        printed(),
    ),
    case(
        "regression_refused",
        "slope",
        seed(74),
        refused(fit("strata", sampsize=[5, 5]), "sampsize", "sampsize should be of length one"),
        refused(fit("many", sampsize=81), "sampsize", "sampsize too large"),
        refused(fit("coefreg", coefReg=1.5), "coefReg", "coefReg can not be greater than 1"),
        refused(
            fit("names", coefReg=Named({"a": 0.5, "b": 0.6})),
            "coefReg",
            "the length of coefReg must be 1 or the number of predictor variables",
            "TypeError",
        ),
        refused(fit("flagreg", flagReg=2), "flagReg", "flagReg must be 0 or 1"),
        refused(fit("columns", xtest=[[1.0, 2.0]]), "xtest", "x and xtest must have same number of columns"),
        runif(1),
    ),
]

CASES = DATA + ARGUMENTS
