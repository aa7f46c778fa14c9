"""The checks of scikit-learn that forests fail, because rows are drawn without their weights."""

DRAWN = {
    "check_sample_weight_equivalence_on_dense_data": "rows are drawn",
    "check_sample_weight_equivalence_on_sparse_data": "rows are drawn",
}
