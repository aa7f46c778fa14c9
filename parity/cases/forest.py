"""randomForest() for classes and in unsupervised mode: the calls of RRF's table that it shares."""

from parity.cases import (
    arguments,
    combining,
    companions,
    formulas,
    maps,
    predictions,
    real,
    shapes,
    showing,
    streams,
    unsupervised,
)
from parity.derived import for_random_forest

NAMES = """iris_default iris_text_response iris_row_names iris_test_set fgl_mtry_all sonar_default votes_importance
votes_predict imports_body_default imports_aspiration

inexact_weights inexact_weights_three inexact_weights_three_no_replacement inexact_weights_factors
inexact_weights_factors_three ties_tenths ties_integers binary_columns constant_columns duplicate_rows
contradicting_rows duplicate_columns extreme_values neighbouring_doubles five_classes eight_classes rare_class
rare_class_no_replacement few_trees_missing_predictions one_tree wide wide_ties single_column single_factor
factors_2_to_9_levels factors_2_to_8_levels_three_classes factor_10_levels_three_classes factor_11_levels
factor_11_levels_three_classes factor_20_levels_three_classes factor_32_levels factor_32_levels_three_classes
factor_empty_levels mixed_columns_test_set text_column_test_set logical_response levels_in_own_order two_rows

mtry_one mtry_fraction_half_even mtry_too_large mtry_zero without_replacement classwt classwt_any_sum classwt_ties
classwt_named classwt_factor cutoff cutoff_named sampsize_small sampsize_without_replacement sampsize_by_class_named
sampsize_by_class_without_replacement strata strata_without_replacement strata_all_of_class nodesize nodesize_large
maxnodes maxnodes_too_large importance importance_with_test_set local_importance local_importance_factors proximity
proximity_of_all_rows proximity_with_test_set oob_proximity_alone raw_votes_test_set no_forest forest_with_test_set
inbag inbag_without_replacement test_set_cutoff trace_every_tree trace_without_labels trace_missing_classes
many_at_once classwt_below_the_bound_ties

predict_types_factors predict_everything predict_cutoff_of_fit predict_training_raw_votes predict_training_proximity
predict_ties_go_on predict_then_fit predict_test_forest predict_cycled_levels predict_one_row predict_cycled_test_set
predict_same_names

trees_named_columns trees_factors tree_sizes variables_used variables_used_by_all_trees margins_raw_votes
importance_scaled printed_test_set printed_missing_errors

combined combined_shares_and_counts combined_rows_in_every_bag combined_part_of_importances combined_bags
combined_part_of_test_sets combined_factors_and_weights grown grown_all_arguments

outliers centres importances_shown errors_shown_test_set partial_classes partial_types mapped_oob margins_shown

two_fits_one_stream trees_after_trees importance_moves_stream predict_between_fits

unsupervised_default unsupervised_ties unsupervised_factors unsupervised_mixed_columns unsupervised_labelled
unsupervised_importance_by_class unsupervised_all_rows_proximity unsupervised_without_replacement
unsupervised_nodesize unsupervised_classwt_named unsupervised_cutoff unsupervised_test_set_labelled
unsupervised_trace unsupervised_forest

formula_response_ordered formula_response_condition formula_na_omit_text formula_na_omit_condition
formula_new_data_missing formula_new_data_all_missing formula_subset_positions formula_arguments
formula_unsupervised""".split()

MODULES = (
    real,
    shapes,
    arguments,
    predictions,
    companions,
    combining,
    showing,
    streams,
    unsupervised,
    formulas,
    maps,
)
BY_NAME = {item.name: item for module in MODULES for item in module.CASES}
CASES = [for_random_forest(BY_NAME[name]) for name in NAMES]
