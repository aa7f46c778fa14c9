"""randomForest() for numbers, and the companions: the calls of RRF's table that it shares, and its own."""

from parity.cases import (
    companions_formula,
    companions_regression,
    formulas,
    imputing,
    regression,
    regression_calls,
    selecting,
)
from parity.cases.companions_regression import TEST
from parity.cases.forest_own import combined, forest, weights
from parity.derived import for_random_forest
from parity.steps import Part, case, importance, predict, printed, refused, runif, seed

NAMES = """regression_default regression_boston regression_airquality regression_swiss regression_mtcars
regression_servo regression_imports regression_imports_ordinary regression_ties regression_ties_in_tenths
regression_duplicates regression_few_values regression_one_value regression_constant_columns regression_wide
regression_wide_ties regression_one_column regression_two_rows regression_six_rows regression_one_tree
regression_sorted regression_extremes regression_neighbours regression_overflow
regression_squares_overflow regression_sums_overflow regression_factors_2_to_9_levels
regression_factors_12_and_20_levels regression_factors_31_and_32_levels regression_factors_only
regression_mixed_columns regression_six_hundred_rows

regression_mtry regression_mtry_fraction regression_without_replacement regression_sampsize
regression_sampsize_one regression_nodesize regression_nodesize_above_n
regression_maxnodes regression_maxnodes_one regression_maxnodes_too_large regression_importance regression_nperm
regression_nperm_fraction regression_nperm_zero regression_local_importance regression_proximity
regression_proximity_labelled regression_proximity_test_set regression_oob_proximity_alone
regression_bias_corrected regression_bias_corrected_test_set regression_bias_corrected_few_trees
regression_no_forest regression_test_set regression_test_set_unlabelled regression_test_set_forest
regression_imports_test_set regression_trace regression_trace_test_set regression_trace_unlabelled
regression_trace_one_value regression_trace_large_values regression_trace_missing regression_ignored_arguments
regression_many_at_once

regression_predict regression_predict_parts regression_predict_bias_corrected regression_predict_factors
regression_predict_32_levels regression_predict_mixed_columns regression_predict_by_name regression_predict_roots
regression_predict_imports regression_trees regression_tree_of_factors regression_variables_used
regression_importance_scaled regression_importance_purity regression_importance_unused_columns
regression_two_fits_one_stream regression_between_draws regression_then_classes

formula_arguments_regression formula_new_data_missing_regression

combined_regressions combined_regression_measures combined_regression_test_sets
combined_part_of_regression_test_sets combined_bias_corrections combined_regression_factors grown_regression
grown_regression_test_set errors_of_regression errors_of_regression_test_set importances_of_regression
partial_regression partial_regression_factors partial_regression_matrix

tuned_regression tuned_regression_two_columns tuned_regression_best validated_regression
validated_regression_recursive validated_regression_ties imputed_regression imputed_regression_matrix
imputed_airquality

tuned tuned_silently tuned_small_steps tuned_from_one tuned_from_all tuned_from_fraction tuned_best tuned_factors
tuned_upwards_first tuned_to_infinity
validated validated_recursive validated_thirds validated_tenths validated_linear validated_fractions
validated_factors validated_two_columns validated_seventeen_rows validated_many_folds imputed_numbers
imputed_factors imputed_ordered imputed_matrix imputed_with_arguments

grown_formula_regression combined_formulas partial_formula""".split()

MODULES = (
    regression,
    regression_calls,
    formulas,
    companions_regression,
    selecting,
    imputing,
    companions_formula,
)
BY_NAME = {item.name: item for module in MODULES for item in module.CASES}

OWN = [
    case("forest_numbers_weights", "slope", seed(1), forest(ntree=12, weights=weights(80), keep_inbag=True), runif(1)),
    case(
        "forest_numbers_weights_without_replacement",
        "slope_ties",
        seed(2),
        forest(ntree=10, weights=weights(120), replace=False, keep_inbag=True, importance=True),
        runif(1),
    ),
    case(
        "forest_numbers_weights_nearly_all_rows",
        "slope",
        seed(3),
        forest(ntree=6, weights=weights(80), replace=False, sampsize=79, keep_inbag=True),
    ),
    case(
        "forest_numbers_weights_far_apart",
        "slope",
        seed(4),
        forest(ntree=10, weights=[10.0 ** (i % 13 - 6) for i in range(80)], keep_inbag=True),
    ),
    # R keeps the trees of other fractions askew (DIFFERENCES.md).
    case("forest_numbers_sampsize_and_a_half", "slope", seed(17), forest(ntree=10, sampsize=30.5, replace=False)),
    case(
        "forest_numbers_sampsize_fraction",
        "slope",
        seed(18),
        forest(ntree=10, sampsize=30.7, replace=False, keep_forest=False, keep_inbag=True, importance=True),
    ),
    case(
        "forest_numbers_weights_refused",
        "slope",
        seed(5),
        refused(forest("short", weights=[1.0] * 79), "weights", "length of weights must match number of data points"),
        refused(forest("zero", weights=[0.0] * 80), "weights", "All weights must be positive"),
        runif(1),
    ),
    case(
        "forest_numbers_53_levels",
        "levels_53",
        seed(6),
        forest(ntree=10, mtry=3, importance=True, **TEST, keep_forest=True),
        predict(newdata=Part("xtest"), predict_all=True),
        printed(),
    ),
    case("forest_numbers_53_levels_few_rows", "levels_53", seed(7), forest(ntree=8, sampsize=40, nodesize=1)),
    case("forest_numbers_54_levels", "levels_54", seed(8), refused(forest(), "x", "more than 53 categories"), runif(1)),
    case("forest_numbers_whole", "slope_whole", seed(9), forest(ntree=15, importance=True), printed(), runif(1)),
    case("forest_numbers_two_values", "slope_two_values", seed(10), forest(ntree=12, nodesize=1), printed(), runif(1)),
    case(
        "forest_numbers_two_values_factors",
        "levels_two_values",
        seed(11),
        forest(ntree=12, nodesize=1, mtry=4, keep_inbag=True),
        predict(newdata=Part("x"), nodes=True),
        runif(1),
    ),
    case("forest_numbers_far", "slope_far", seed(12), forest(ntree=12, localImp=True, nPerm=2), printed(), runif(1)),
    case(
        "forest_numbers_proximity_of_all_rows",
        "slope_small",
        seed(13),
        forest(ntree=10, proximity=True, oob_prox=False, **TEST),
    ),
    case(
        "forest_numbers_bias_of_new_rows",
        "slope_split",
        seed(14),
        forest(ntree=10, corr_bias=True, keep_forest=True, **TEST),
        predict(newdata=Part("xtest"), predict_all=True),
        printed(),
    ),
    case(
        "forest_numbers_combined_bags",
        "slope_small",
        seed(15),
        forest("first", ntree=4, keep_inbag=True),
        forest("second", ntree=9, keep_inbag=True, nodesize=1),
        combined("first", "second"),
        predict(of="both", newdata=Part("x")),
        printed(of="both"),
    ),
    case(
        "forest_numbers_copies",
        "slope_duplicates",
        seed(16),
        forest(ntree=12, mtry=6, nodesize=1),
        importance(),
        runif(1),
    ),
]

CASES = [*(for_random_forest(BY_NAME[name]) for name in NAMES), *OWN]
