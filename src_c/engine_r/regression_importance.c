/* Permutation importance of a regression forest. SPDX-License-Identifier: GPL-2.0-or-later */
#include "answers/importance.h"
#include "engine_r/regression_importance.h"

static double square(double value)
{
    return value * value;
}

static double sum_squares(const permuted_tree *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->oob->size; ++i) {
        sum += square(p->oob->predicted[i] - p->y[p->oob->rows[i]]);
    }
    return sum;
}

/* Adds the squared errors of the tree with the permuted feature to *sum, and their increase to `rise`, unless NULL. */
static void add_squares(const permuted_tree *p, int feature, double *sum, double *rise)
{
    const regression_builder *g = p->builder;
    const oob_sample *oob = p->oob;
    tree_apply(p->tree, g->data, oob->rows, oob->size, feature, p->column, p->leaves);
    for (int i = 0; i < oob->size; ++i) {
        int row = oob->rows[i];
        double permuted = square(p->tree->prediction[p->leaves[i]] - p->y[row]);
        *sum += permuted;
        if (rise) {
            rise[feature + (size_t)row * (size_t)g->data->p] +=
                (permuted - square(oob->predicted[i] - p->y[row])) / g->params->n_perm;
        }
    }
}

rrf_status permuted_tree_add(const permuted_tree *p, const forest_statistics *statistics)
{
    regression_builder *g = p->builder;
    rrf_status status = RRF_OK;
    int n_perm = g->params->n_perm;
    double unpermuted = sum_squares(p);
    for (int feature = 0; !status && feature < g->data->p; ++feature) {
        double sum = 0.0;
        if (!g->used_in_tree[feature]) {
            continue;
        }
        for (int k = 0; k < n_perm; ++k) {
            permute_column(g->data, feature, p->oob, k, g->rng, p->column);
            add_squares(p, feature, &sum, statistics->local_importance);
        }
        double rise = (sum / n_perm - unpermuted) / p->oob->size;
        statistics->importance[feature] += rise;
        statistics->importance_sd[feature] += rise * rise;
        status = watch_work(&g->watch, (int64_t)n_perm * p->oob->size * WORK_PER_DESCENT);
    }
    return status;
}
