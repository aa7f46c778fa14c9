/* Permutation importance of a classification forest. SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "answers/importance.h"
#include "numbers.h"
#include "tree/apply.h"

rrf_status importance_init(importance_scratch *scratch, int n, int nclass)
{
    size_t classes = (size_t)nclass + 1;
    *scratch = (importance_scratch){0};
    scratch->column = malloc((size_t)n * sizeof *scratch->column);
    scratch->nodes = malloc((size_t)n * sizeof *scratch->nodes);
    scratch->n_oob = malloc(classes * sizeof *scratch->n_oob);
    scratch->correct = malloc(classes * sizeof *scratch->correct);
    scratch->permuted_correct = malloc(classes * sizeof *scratch->permuted_correct);
    return scratch->column && scratch->nodes && scratch->n_oob && scratch->correct && scratch->permuted_correct
               ? RRF_OK
               : RRF_ERR_MEMORY;
}

void importance_free(importance_scratch *scratch)
{
    free(scratch->column);
    free(scratch->nodes);
    free(scratch->n_oob);
    free(scratch->correct);
    free(scratch->permuted_correct);
    *scratch = (importance_scratch){0};
}

void shuffle(double *values, int n, rrf_rng *rng)
{
    for (int last = n; last > 0; --last) {
        int at = rng_below(rng, last);
        double swap = values[last - 1];
        values[last - 1] = values[at];
        values[at] = swap;
    }
}

void permute_column(const rrf_data *data, int feature, const int32_t *rows, int n_rows, rrf_rng *rng, double *column)
{
    for (int i = 0; i < n_rows; ++i) {
        column[i] = data_value(data, feature, rows[i]);
    }
    shuffle(column, n_rows, rng);
}

static void count_correct(const builder *g, const oob_sample *oob, importance_scratch *scratch)
{
    int nclass = g->bag.nclass;
    size_t bytes = ((size_t)nclass + 1) * sizeof(int32_t);
    memset(scratch->n_oob, 0, bytes);
    memset(scratch->correct, 0, bytes);
    for (int i = 0; i < oob->size; ++i) {
        int k = g->bag.y[oob->rows[i]], correct = oob->predicted[i] == k;
        ++scratch->n_oob[k];
        scratch->correct[k] += correct;
        scratch->correct[nclass] += correct;
    }
    scratch->n_oob[nclass] = oob->size;
}

static void count_permuted(const builder *g, const tree *t, const oob_sample *oob, int feature,
                           importance_scratch *scratch, double *local_importance)
{
    int nclass = g->bag.nclass;
    memset(scratch->permuted_correct, 0, ((size_t)nclass + 1) * sizeof(int32_t));
    permute_column(g->data, feature, oob->rows, oob->size, g->rng, scratch->column);
    tree_apply(t, g->data, oob->rows, oob->size, feature, scratch->column, scratch->nodes);
    for (int i = 0; i < oob->size; ++i) {
        int row = oob->rows[i], k = g->bag.y[row], permuted = (int)t->prediction[scratch->nodes[i]] - 1;
        scratch->permuted_correct[k] += permuted == k;
        scratch->permuted_correct[nclass] += permuted == k;
        if (local_importance && permuted != oob->predicted[i]) {
            local_importance[feature + (size_t)row * (size_t)g->data->p] += permuted == k ? -1.0 : 1.0;
        }
    }
}

rrf_status importance_add(builder *g, const tree *t, const oob_sample *oob, importance_scratch *scratch,
                          rrf_class_result *result)
{
    rrf_status status = RRF_OK;
    count_correct(g, oob, scratch);
    for (int feature = 0; !status && feature < g->data->p; ++feature) {
        if (!g->used_in_tree[feature]) {
            continue;
        }
        /* Each row is sent down the whole tree. */
        status = watch_work(&g->watch, (int64_t)oob->size * WORK_PER_DESCENT);
        count_permuted(g, t, oob, feature, scratch, result->local_importance);
        for (int k = 0; k <= g->bag.nclass; ++k) {
            size_t at = (size_t)feature + (size_t)k * (size_t)g->data->p;
            double lost = scratch->correct[k] - scratch->permuted_correct[k], cases = scratch->n_oob[k];
            if (cases > 0) {
                result->importance[at] += lost / cases;
                /* The intended value squares the share; RRF squares the count and divides once. */
                result->importance_sd[at] += g->params->quirks ? lost * lost / cases : lost / cases * (lost / cases);
            }
        }
    }
    return status;
}

void importance_finish(double *sum, double *squares, size_t cells, int ntree, bool clamp)
{
    for (size_t at = 0; at < cells; ++at) {
        double mean = sum[at] / ntree, variance = (squares[at] / ntree - mean * mean) / ntree;
        sum[at] = one_nan(mean);
        squares[at] = one_nan(sqrt(clamp && !(variance > 0.0) ? 0.0 : variance));
    }
}

void local_importance_finish(double *sum, const int32_t *oob_times, int n, int p)
{
    for (int row = 0; sum && row < n; ++row) {
        double *of_row = sum + (size_t)row * (size_t)p;
        for (int feature = 0; feature < p; ++feature) {
            of_row[feature] = one_nan(of_row[feature] / oob_times[row]);
        }
    }
}
