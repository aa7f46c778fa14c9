/* Permutation importance of a regression forest. SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine_r/regression_importance.h"
#include "answers/importance.h"
#include "tree/apply.h"

rrf_status regression_oob_init(regression_oob *oob, int n, arena *memory)
{
    *oob = (regression_oob){0};
    TAKE(memory, oob->rows, n + 1);
    TAKE(memory, oob->predicted, n);
    TAKE(memory, oob->residual, n);
    return arena_status(memory);
}

rrf_status permutation_init(permutation_scratch *scratch, int n, arena *memory)
{
    TAKE(memory, scratch->column, n);
    TAKE(memory, scratch->nodes, n);
    return arena_status(memory);
}

/* Adds the squared errors of a tree whose feature is permuted to *sum, and what they rose by to local_importance. */
static void add_permuted(const regression_builder *g, const tree *t, const regression_oob *oob, int feature,
                         permutation_scratch *scratch, const double *y, double *sum, double *local_importance)
{
    tree_apply(t, g->data, oob->rows, oob->size, feature, scratch->column, scratch->nodes);
    for (int i = 0; i < oob->size; ++i) {
        int row = oob->rows[i];
        double residual = t->prediction[scratch->nodes[i]] - y[row];
        *sum += residual * residual;
        if (local_importance) {
            local_importance[feature + (size_t)row * (size_t)g->data->p] +=
                (residual * residual - oob->residual[i] * oob->residual[i]) / g->params->n_perm;
        }
    }
}

/* As in R, each further permutation shuffles the result of the one before. */
static double permuted_squares(const regression_builder *g, const tree *t, const regression_oob *oob, int feature,
                               permutation_scratch *scratch, const double *y, double *local_importance)
{
    double sum = 0.0;
    for (int k = 0; k < g->params->n_perm; ++k) {
        if (k == 0) {
            permute_column(g->data, feature, oob->rows, oob->size, g->search.rng, scratch->column);
        } else {
            shuffle(scratch->column, oob->size, g->search.rng);
        }
        add_permuted(g, t, oob, feature, scratch, y, &sum, local_importance);
    }
    return sum;
}

rrf_status permutation_add(regression_builder *g, const tree *t, const regression_oob *oob,
                           permutation_scratch *scratch, const double *y, rrf_regression_result *result)
{
    rrf_status status = RRF_OK;
    int n_perm = g->params->n_perm;
    for (int feature = 0; !status && feature < g->data->p; ++feature) {
        if (!g->used_in_tree[feature]) {
            continue;
        }
        status = watch_work(&g->watch, (int64_t)n_perm * oob->size * WORK_PER_DESCENT);
        double sum = permuted_squares(g, t, oob, feature, scratch, y, result->local_importance);
        double rise = (sum / n_perm - oob->sum_squares) / oob->size;
        result->importance[feature] += rise;
        result->importance_sd[feature] += rise * rise;
    }
    return status;
}
